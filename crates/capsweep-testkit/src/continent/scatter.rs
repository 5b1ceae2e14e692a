//! Placements: the landmarks, the broken ones, and props scattered over the land.

use super::catalogue::{LANDMARK_COUNT, ModelEntry, Prop};
use super::frame::{CELL_EDGE, MAP_CENTRE, TILE_CELLS, TileId};
use super::house::FURNITURE;
use super::landmarks::{
    CAVE, CAVE_HEIGHT, CORNER_HEIGHT, CORNER_HOUSE, HOUSE, HOUSE_HEIGHT, LAKE, SHORE_HEIGHT, pads,
};
use super::model::ModelKind;
use super::placement::{Fate, Listing, Placement};
use super::plan::{Plan, TileKind};
use super::route::Route;
use super::tile::ground_of;
use crate::Rng;
use glam::{DVec2, DVec3, Vec3, dvec2, dvec3, vec3};

/// Free space beside the route, in yards.
const CLEARANCE: f64 = 6.0;

/// Collects placements.
struct Scatter<'a> {
    plan: &'a Plan,
    models: &'a [ModelEntry],
    placements: Vec<Placement>,
}

impl Plan {
    /// A point of the internal frame, from cells of the home block and a height.
    pub(super) fn at_home(&self, [u, v]: [f32; 2], height: f32) -> DVec3 {
        let [i, j] = self.home.first_cell().map(f64::from);
        dvec3((i + f64::from(u)) * CELL_EDGE, (j + f64::from(v)) * CELL_EDGE, f64::from(height))
    }

    /// The first house, the cave and the bridge, which the route passes.
    pub(super) fn on_route(&self) -> [Placement; 3] {
        let house = self.at_home(HOUSE, HOUSE_HEIGHT);
        let cave = self.at_home(CAVE, CAVE_HEIGHT);
        let bridge = self.at_home(LAKE.centre, SHORE_HEIGHT);
        // The cave's axis must lie on the lattice. 450 degrees are a quarter turn.
        [(house, 30.0), (cave, 450.0), (bridge, -270.0)].map(|(at, yaw)| placed(at, yaw))
    }
}

fn placed(at: DVec3, yaw: f32) -> Placement {
    Placement {
        id: 0,
        model: 0,
        name_set: 0,
        position: at.as_vec3(),
        rotation: Vec3::Y * yaw,
        scale: 1.0,
        building: None,
        fate: Fate::Present,
        listing: Listing::Touched,
    }
}

/// All placements of a continent: landmarks first, then about `count` scattered ones.
pub(super) fn placements(
    plan: &Plan,
    models: &[ModelEntry],
    tiles: &[TileId],
    count: usize,
    route: &Route,
) -> Vec<Placement> {
    let mut scatter = Scatter { plan, models, placements: Vec::new() };
    scatter.landmarks();
    scatter.broken();
    let land: Vec<TileId> =
        tiles.iter().copied().filter(|tile| plan.kind(*tile) != TileKind::Ocean).collect();
    for (k, tile) in land.iter().enumerate() {
        // Whole numbers that add up to `count`.
        let share = (k + 1) * count / land.len() - k * count / land.len();
        scatter.tile(*tile, share, route);
    }
    scatter.placements
}

/// A house with furniture in the middle of a map without terrain.
pub(super) fn dungeon(plan: &Plan, models: &[ModelEntry]) -> Vec<Placement> {
    let mut scatter = Scatter { plan, models, placements: Vec::new() };
    let centre = dvec3(MAP_CENTRE, MAP_CENTRE, -30.0);
    scatter.furnished_house(&placed(centre, 0.0));
    for placement in &mut scatter.placements {
        placement.id += 1_000_000;
    }
    scatter.placements
}

impl Scatter<'_> {
    fn add(&mut self, name: &str, mut placement: Placement) -> usize {
        let found = self.models.iter().position(|entry| entry.name == name);
        placement.model = found.expect("landmarks name models of the catalogue");
        self.push(placement)
    }

    fn push(&mut self, mut placement: Placement) -> usize {
        placement.id = 1_000 + self.placements.len() as u32;
        self.placements.push(placement);
        self.placements.len() - 1
    }

    fn landmarks(&mut self) {
        let plan = *self.plan;
        let [house, cave, bridge] = plan.on_route();
        self.furnished_house(&house);
        self.furnished_house(&placed(plan.at_home(CORNER_HOUSE, CORNER_HEIGHT), -75.0));
        self.add("Hillcave.wmo", cave);
        self.add("Lakebridge.wmo", bridge);
        let bed = [LAKE.centre[0] + 5.0, LAKE.centre[1]];
        self.add("Divingbell.wmo", placed(plan.at_home(bed, self.ground(bed)), 12.5));
        // A chair in the open, without a NUL in its name.
        let [u, v] = CORNER_HOUSE;
        self.add("Chair.m2", placed(plan.at_home([u + 4.5, v + 1.0], CORNER_HEIGHT), 33.0));
        self.add("Emptyshell.wmo", placed(plan.at_home([u - 5.0, v], CORNER_HEIGHT), 0.0));
        // A gate across the border of two tiles that only one of them lists.
        let border = [TILE_CELLS as f32, 20.0];
        let gate = self.add("Gate.wmo", placed(plan.at_home(border, self.ground(border)), 90.0));
        self.placements[gate].listing = Listing::OwnTile;
    }

    fn furnished_house(&mut self, house: &Placement) {
        let (transform, yaw) = (house.transform(), house.rotation.y);
        let house = self.add("House.wmo", Placement { name_set: 2, ..house.clone() });
        for (name, local, turn) in FURNITURE {
            let mut piece = placed(transform.to_internal(local.as_dvec3()), yaw + turn);
            piece.building = Some(house);
            self.add(name, piece);
        }
    }

    /// Placements that no importer can use: no model file, scale 0, numbers that are not finite.
    fn broken(&mut self) {
        let at = [100.0, 60.0];
        let sound = placed(self.plan.at_home(at, self.ground(at)), 0.0);
        self.add("Lostsign.m2", Placement { fate: Fate::MissingModel, ..sound.clone() });
        let sound = Placement { fate: Fate::Unusable, ..sound };
        self.add("Bed.m2", Placement { scale: 0.0, building: Some(0), ..sound.clone() });
        self.add("Chair.m2", Placement { scale: f32::NAN, ..sound.clone() });
        let nowhere = sound.position.with_z(f32::NAN);
        self.add("Chair.m2", Placement { position: nowhere, ..sound.clone() });
        let endless = Vec3::Y * f32::INFINITY;
        self.add("Chair.m2", Placement { rotation: endless, ..sound });
    }

    /// Height of the ground at a point of the home block, in cells.
    fn ground(&self, at: [f32; 2]) -> f32 {
        let internal = self.plan.at_home(at, 0.0);
        let tile = TileId {
            row: self.plan.home.row + at[0] as u32 / TILE_CELLS,
            column: self.plan.home.column + at[1] as u32 / TILE_CELLS,
        };
        ground_of(&self.plan.patch(tile), internal.truncate()) as f32
    }

    /// Scatters `count` props over a tile; fewer if the free ground is hard to find.
    fn tile(&mut self, tile: TileId, count: usize, route: &Route) {
        let scattered = self.models.len() - LANDMARK_COUNT;
        if scattered == 0 {
            return;
        }
        let seed = [u64::from(self.plan.seed), u64::from(tile.row), u64::from(tile.column)];
        let mut rng = Rng::new(&seed);
        let patch = self.plan.patch(tile);
        let corner = tile.first_cell().map(f64::from);
        let mut left = count;
        for _ in 0..count * 20 {
            if left == 0 {
                return;
            }
            let number = rng.index(scattered) as u32;
            let prop = Prop::of(number);
            let inside = || dvec2(corner[0], corner[1]);
            let cells = f64::from(TILE_CELLS);
            let at = (inside() + dvec2(rng.range(0.0, cells), rng.range(0.0, cells))) * CELL_EDGE;
            let scale =
                if prop == Prop::Tower || prop == Prop::City { 1.0 } else { rng.range(0.4, 2.5) };
            // The largest models are as rare as cities.
            let rare = prop == Prop::City && !rng.chance(0.02);
            if rare || !self.is_free(tile, at, prop.reach() * scale, route) {
                continue;
            }
            let ground = ground_of(&patch, at);
            let mut placement = placed(at.extend(ground - 0.1 * scale), 0.0);
            placement.scale = scale as f32;
            placement.rotation = turned(prop, &mut rng);
            placement.model = LANDMARK_COUNT + number as usize;
            if self.models[placement.model].kind == ModelKind::Wmo {
                placement.name_set = rng.below(3) as u16;
            }
            self.push(placement);
            left -= 1;
        }
    }

    /// True if a circle is clear of the route and of the landmarks.
    fn is_free(&self, tile: TileId, at: DVec2, reach: f64, route: &Route) -> bool {
        if !self.plan.is_home(tile) {
            return true;
        }
        let home = self.plan.at_home([0.0, 0.0], 0.0).truncate();
        let cell = ((at - home) / CELL_EDGE).as_vec2();
        let grown = (reach / CELL_EDGE) as f32 + 1.0;
        let taken = pads().iter().any(|pad| pad.distance(cell.x, cell.y) < grown);
        !taken && route.distance_from(at) > reach + CLEARANCE
    }
}

/// Angles of a prop: rocks lie in any way, trees lean a little, towers stand.
fn turned(prop: Prop, rng: &mut Rng) -> Vec3 {
    let mut angle = |reach: f64| rng.range(-reach, reach) as f32;
    match prop {
        Prop::Stone | Prop::Boulder => vec3(angle(180.0), angle(180.0), angle(180.0)),
        // Far outside one turn, as in real files.
        Prop::Tree => vec3(angle(8.0), angle(4_600.0), angle(8.0)),
        Prop::Crates => vec3(0.0, angle(360.0), angle(5.0)),
        Prop::Tower | Prop::City => vec3(0.0, angle(180.0), 0.0),
    }
}
