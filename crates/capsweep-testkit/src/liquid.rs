//! The slow twin of liquids: the same lakes, grounds and rooms as plain data, and an oracle that
//! follows the rules of [`Liquids`] literally. It tests every triangle.

use crate::Rng;
use crate::height_field::PlainField;
use capsweep::Aabb;
use capsweep::query::Liquid;
use capsweep::scene::{
    Body, Heights, LiquidGrid, LiquidGround, LiquidKind, LiquidRole, LiquidSheet, Liquids,
    MeshOptions, ModelRooms, PlacedLiquid, Pose, Room, Rooms, Scene, TriMesh,
};
use glam::{DQuat, DVec2, DVec3, Vec3, dvec3, vec3};
use std::sync::Arc;

/// A liquid sheet as plain data.
#[derive(Debug, Clone)]
pub struct PlainSheet {
    /// Number, size and place of the cells.
    pub grid: LiquidGrid,
    /// Heights of the corners, row by row.
    pub heights: Vec<f32>,
    /// For each cell its kind; `None` if it is dry.
    pub cells: Vec<Option<LiquidKind>>,
}

/// What a liquid belongs to.
#[derive(Debug, Clone)]
pub enum PlainRole {
    /// The open, over the field with this number.
    Terrain(Option<usize>),
    /// A room of a model: key and tag.
    Model(u64, u32),
}

/// A placed model.
#[derive(Debug, Clone)]
pub struct PlainModel {
    /// The caller's number for the body.
    pub key: u64,
    /// Position, rotation and scale.
    pub pose: Pose,
    /// Corners and tags.
    pub triangles: Vec<([Vec3; 3], u32)>,
    /// The rooms; `None` if the model is not listed.
    pub rooms: Option<Vec<Room>>,
}

/// A world with liquids.
#[derive(Debug, Clone, Default)]
pub struct PlainWorld {
    /// The terrain.
    pub fields: Vec<(PlainField, Pose)>,
    /// The models.
    pub models: Vec<PlainModel>,
    /// The liquids.
    pub liquids: Vec<(PlainSheet, Pose, PlainRole)>,
}

/// An answer of the oracle.
#[derive(Debug, Clone)]
pub struct Surfaces {
    /// The surfaces that count, from top to bottom.
    pub found: Vec<Liquid>,
    /// Metres by which the closest decision was taken. Rounding may change an answer with a small
    /// one.
    pub margin: f64,
}

/// Distance of the probe from the point.
const PROBE: f64 = 0.05;

/// The place of a local point in the world.
fn to_world(pose: &Pose, local: DVec3) -> DVec3 {
    pose.position() + pose.rotation() * (pose.scale() * local)
}

fn to_local(pose: &Pose, world: DVec3) -> DVec3 {
    (pose.rotation().conjugate() * (world - pose.position())) / pose.scale()
}

/// Where the vertical line through a point crosses a triangle: the height, if it does, and the
/// distance of the point from the closest edge, both seen from above.
fn cross(triangle: [DVec3; 3], point: DVec3) -> (Option<f64>, f64) {
    let [a, b, c] = triangle.map(|corner| (corner - point).truncate());
    let (of_a, of_b, of_c) = (b.perp_dot(c), c.perp_dot(a), a.perp_dot(b));
    let area = of_a + of_b + of_c;
    let margin = [(a, b), (b, c), (c, a)].map(|(from, to)| distance_to_edge(from, to));
    let margin = margin.into_iter().fold(f64::INFINITY, f64::min);
    let inside = area != 0.0 && [of_a, of_b, of_c].iter().all(|weight| weight / area >= 0.0);
    let [a, b, c] = triangle.map(|corner| corner.z);
    (inside.then(|| (of_a * a + of_b * b + of_c * c) / area), margin)
}

/// Distance of the origin from a segment of the plane.
fn distance_to_edge(from: DVec2, to: DVec2) -> f64 {
    let way = to - from;
    let along = if way == DVec2::ZERO { 0.0 } else { -from.dot(way) / way.length_squared() };
    (from + way * along.clamp(0.0, 1.0)).length()
}

/// Metres, at least, by which a point is inside of a box in the space of a pose; negative outside.
fn inside_by(bounds: &Aabb, local: DVec3, pose: &Pose) -> DVec3 {
    (local - bounds.min()).min(bounds.max() - local) * pose.scale().abs()
}

impl PlainSheet {
    fn corner(&self, row: u32, column: u32) -> DVec3 {
        let LiquidGrid { columns, spacing, origin, .. } = self.grid;
        let at = |axis: usize, cell: u32| {
            f64::from(origin[axis]) + f64::from(cell) * f64::from(spacing[axis])
        };
        let height = self.heights[(row * (columns + 1) + column) as usize];
        dvec3(at(0, row), at(1, column), f64::from(height))
    }

    /// The triangles of all wet cells.
    pub fn triangles(&self) -> Vec<([DVec3; 3], LiquidKind)> {
        let mut triangles = Vec::new();
        for (cell, kind) in (0..).zip(&self.cells) {
            let Some(kind) = *kind else { continue };
            let (row, column) = (cell / self.grid.columns, cell % self.grid.columns);
            let (a, d) = (self.corner(row, column), self.corner(row + 1, column + 1));
            triangles.push(([a, self.corner(row + 1, column), d], kind));
            triangles.push(([a, d, self.corner(row, column + 1)], kind));
        }
        triangles
    }

    /// The same sheet of the library.
    ///
    /// # Panics
    /// If the sheet is not valid.
    pub fn sheet(&self) -> LiquidSheet {
        let wet: Vec<bool> = self.cells.iter().map(Option::is_some).collect();
        let kinds: Vec<_> = self.cells.iter().map(|kind| kind.unwrap_or_default()).collect();
        let heights = Heights::F32(self.heights.clone());
        LiquidSheet::new(self.grid, heights, LiquidKind::Water)
            .and_then(|sheet| sheet.with_kinds(&kinds)?.with_wet(&wet))
            .expect("a valid sheet")
    }

    /// A sheet of a few cells about the origin, around a level, with dry cells and several kinds.
    pub fn random(rng: &mut Rng, level: f32) -> Self {
        let (rows, columns) = (1 + rng.below(5), 1 + rng.below(5));
        let spacing = [rng.range_f32(1.0, 4.0), rng.range_f32(1.0, 4.0)];
        let origin = [rows as f32 * spacing[0] * -0.5, columns as f32 * spacing[1] * -0.5];
        let relief = if rng.chance(0.5) { 0.0 } else { 1.0 };
        let corners = (rows + 1) * (columns + 1);
        let heights = (0..corners).map(|_| level + relief * rng.range_f32(-1.0, 1.0)).collect();
        let kind = |rng: &mut Rng| match rng.below(9) {
            0 => None,
            1 => Some(LiquidKind::Magma),
            2 => Some(LiquidKind::Other(rng.below(3))),
            _ => Some(LiquidKind::Ocean),
        };
        let cells = (0..rows * columns).map(|_| kind(rng)).collect();
        Self { grid: LiquidGrid { rows, columns, spacing, origin }, heights, cells }
    }
}

/// A pose near `place`: turned about the vertical, scaled, sometimes mirrored, and tilted if
/// asked.
///
/// # Panics
/// If `place` is out of range.
pub fn random_pose(rng: &mut Rng, place: DVec3, tilted: bool) -> Pose {
    let yaw = DQuat::from_rotation_z(rng.range(-4.0, 4.0));
    let tilt = DQuat::from_axis_angle(rng.direction(), rng.range(-0.6, 0.6));
    let rotation = if tilted { (tilt * yaw).normalize() } else { yaw };
    let sign = |rng: &mut Rng| if rng.chance(0.2) { -1.0 } else { 1.0 };
    let mut scale = || rng.range(0.5, 2.0) * sign(rng);
    let scale = dvec3(scale(), scale(), scale());
    Pose::new(place + rng.cube(1.0), rotation, scale).expect("a valid pose")
}

impl PlainModel {
    /// Rooms with floor and ceiling about the origin; some triangles that are in no room.
    fn random(rng: &mut Rng, key: u64, pose: Pose) -> Self {
        let mut triangles = Vec::new();
        let mut rooms = Vec::new();
        for tag in 0..=rng.below(3) {
            let at = rng.cube_f32(3.0);
            let half = vec3(rng.range_f32(1.0, 4.0), rng.range_f32(1.0, 4.0), 1.5);
            for z in [-half.z, half.z] {
                let corner = |x: f32, y: f32| at + vec3(x * half.x, y * half.y, z);
                let [a, b, c, d] = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
                    .map(|(x, y)| corner(x, y));
                triangles.extend([([a, b, c], tag), ([a, c, d], tag)]);
            }
            let (min, max) = ((at - half).as_dvec3(), (at + half).as_dvec3());
            let bounds = Aabb::new(min - rng.unit(), max + rng.unit()).expect("a box");
            rooms.push(Room { tag, bounds, indoor: rng.chance(0.7) });
        }
        for _ in 0..rng.below(4) {
            let at = rng.cube_f32(3.0);
            let corners = [at, at + rng.cube_f32(3.0), at + rng.cube_f32(3.0)];
            triangles.push((corners, rng.below(5)));
        }
        let rooms = rng.chance(0.8).then_some(rooms);
        Self { key, pose, triangles, rooms }
    }

    fn body(&self) -> Body {
        let vertices: Vec<Vec3> =
            self.triangles.iter().flat_map(|(corners, _)| *corners).collect();
        let count = self.triangles.len() as u32;
        let indices: Vec<[u32; 3]> = (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let tags: Vec<u32> = self.triangles.iter().map(|(_, tag)| *tag).collect();
        let mesh = TriMesh::new(&vertices, &indices, MeshOptions::default()).expect("a mesh");
        let mesh = mesh.with_tags(&tags).expect("one for each");
        Body::mesh(Arc::new(mesh), self.pose).expect("in range").with_key(self.key)
    }
}

impl PlainWorld {
    /// A field, models and liquids over each other around `place`.
    pub fn random(rng: &mut Rng, place: DVec3) -> Self {
        let mut world = Self::default();
        let field = PlainField::random(rng, 8, 8, rng.clone().chance(0.5));
        let pose = random_pose(rng, place - dvec3(4.0, 4.0, 1.0), false);
        world.fields.push((field, pose));
        for number in 0..rng.below(4) {
            let tilted = rng.chance(0.3);
            let near = place + rng.cube(5.0);
            let pose = random_pose(rng, near, tilted);
            world.models.push(PlainModel::random(rng, 100 + u64::from(number), pose));
        }
        for _ in 0..=rng.below(5) {
            let model = rng.index(world.models.len() + 1);
            let level = rng.range_f32(-1.0, 3.0);
            let sheet = PlainSheet::random(rng, level);
            let model = world.models.get(model);
            let (pose, role) =
                if let Some(PlainModel { key, pose, rooms: Some(rooms), .. }) = model {
                    let room = rooms[rng.index(rooms.len())];
                    (*pose, PlainRole::Model(*key, room.tag))
                } else {
                    let tilted = rng.chance(0.2);
                    let ground = rng.chance(0.7).then_some(0);
                    (random_pose(rng, place, tilted), PlainRole::Terrain(ground))
                };
            world.liquids.push((sheet, pose, role));
        }
        world
    }

    /// The same world of the library.
    ///
    /// # Panics
    /// If the world is not valid.
    pub fn scene(&self) -> Scene {
        let mut scene = Scene::new();
        let mut grounds = Vec::new();
        for ((plain, pose), key) in self.fields.iter().zip(1..) {
            let field = Arc::new(plain.field());
            let body = Body::height_field(Arc::clone(&field), *pose).expect("in range");
            scene.insert(body.with_key(key));
            grounds.push(Arc::new(LiquidGround::new(field, *pose).expect("upright")));
        }
        let mut rooms = Vec::new();
        for model in &self.models {
            scene.insert(model.body());
            if let Some(of_model) = &model.rooms {
                let of_model = Arc::new(Rooms::new(of_model.clone()).expect("different tags"));
                rooms.push(ModelRooms { key: model.key, rooms: of_model });
            }
        }
        let placed = self.liquids.iter().map(|(sheet, pose, role)| {
            let role = match *role {
                PlainRole::Terrain(ground) => LiquidRole::Terrain {
                    ground: ground.map(|ground| Arc::clone(&grounds[ground])),
                },
                PlainRole::Model(key, tag) => LiquidRole::Model { key, tag },
            };
            PlacedLiquid::new(Arc::new(sheet.sheet()), *pose, role).expect("in range")
        });
        let liquids = Liquids::new(placed.collect(), rooms).expect("valid liquids");
        scene.set_liquids(Some(Arc::new(liquids)));
        scene
    }

    fn model(&self, key: u64) -> Option<&PlainModel> {
        self.models.iter().find(|model| model.key == key)
    }

    /// How many surfaces are over and under a point, whether they count or not.
    pub fn crossings(&self, point: DVec3) -> usize {
        let of_sheet = |(sheet, pose, _): &(PlainSheet, Pose, PlainRole)| {
            let crosses = |(triangle, _): &([DVec3; 3], LiquidKind)| {
                cross(triangle.map(|corner| to_world(pose, corner)), point).0.is_some()
            };
            sheet.triangles().iter().filter(|triangle| crosses(triangle)).count()
        };
        self.liquids.iter().map(of_sheet).sum()
    }

    /// Every surface that counts for a point, by the rules of [`Liquids`].
    pub fn liquids_over(&self, point: DVec3) -> Surfaces {
        let mut margin = f64::INFINITY;
        let room = self.room_at(point, &mut margin);
        let mut found = Vec::new();
        for ((sheet, pose, role), number) in self.liquids.iter().zip(0..) {
            for (triangle, kind) in sheet.triangles() {
                let triangle = triangle.map(|corner| to_world(pose, corner));
                let (surface, edge) = cross(triangle, point);
                margin = margin.min(edge);
                let Some(surface) = surface else { continue };
                let counts = match *role {
                    PlainRole::Terrain(ground) => {
                        room.is_none() && self.is_over_ground(ground, point, surface, &mut margin)
                    }
                    PlainRole::Model(key, tag) => {
                        room.is_none_or(|room| room == (key, tag))
                            && self.is_in_room((key, tag), pose, (point, surface), &mut margin)
                    }
                };
                if counts {
                    let depth = surface - point.z;
                    margin = margin.min(depth.abs());
                    found.push(Liquid { surface, depth, kind, number });
                }
            }
        }
        found.sort_by(|a, b| b.surface.total_cmp(&a.surface));
        for pair in found.windows(2) {
            margin = margin.min(pair[0].surface - pair[1].surface);
        }
        Surfaces { found, margin }
    }

    /// Rule 2: the key and the tag of the room that a point is in.
    fn room_at(&self, point: DVec3, margin: &mut f64) -> Option<(u64, u32)> {
        let probe = point + DVec3::Z * PROBE;
        // Heights, with key and tag for models.
        let mut floors: Vec<(f64, Option<(u64, u32)>)> = Vec::new();
        let mut add = |triangle: [Vec3; 3], pose: &Pose, of: Option<(u64, u32)>| {
            let triangle = triangle.map(|corner| to_world(pose, corner.as_dvec3()));
            let (height, edge) = cross(triangle, point);
            *margin = margin.min(edge);
            if let Some(height) = height {
                *margin = margin.min((height - probe.z).abs());
                floors.push((height, of));
            }
        };
        for (field, pose) in &self.fields {
            field.triangles().into_iter().for_each(|(_, triangle)| add(triangle, pose, None));
        }
        for model in self.models.iter().filter(|model| model.rooms.is_some()) {
            for (triangle, tag) in &model.triangles {
                add(*triangle, &model.pose, Some((model.key, *tag)));
            }
        }
        let (below, mut above): (Vec<_>, Vec<_>) =
            floors.into_iter().partition(|(height, _)| *height <= probe.z);
        floors = below;
        floors.sort_by(|a, b| b.0.total_cmp(&a.0));
        above.sort_by(|a, b| a.0.total_cmp(&b.0));
        for pair in [&floors, &above].into_iter().flat_map(|list| list.windows(2)) {
            *margin = margin.min((pair[0].0 - pair[1].0).abs());
        }
        let (key, tag) = floors.iter().find_map(|floor| floor.1)?;
        let model = self.model(key)?;
        let rooms = model.rooms.as_ref()?;
        let room = rooms.iter().find(|room| room.tag == tag && room.indoor)?;
        // Terrain over the floor is inside, if an indoor room of the same model is overhead.
        let is_indoor = |roof: &(u64, u32)| {
            roof.0 == key && rooms.iter().any(|room| room.tag == roof.1 && room.indoor)
        };
        let roof = above.first().and_then(|roof| roof.1);
        if floors.first()?.1.is_none() && !roof.is_some_and(|roof| is_indoor(&roof)) {
            return None;
        }
        let depths = [point, probe].map(|at| {
            let inside = inside_by(&room.bounds, to_local(&model.pose, at), &model.pose);
            *margin = margin.min(inside.abs().min_element());
            inside.min_element()
        });
        depths.iter().any(|depth| *depth >= 0.0).then_some((key, tag))
    }

    /// Rule 3.
    fn is_over_ground(
        &self,
        ground: Option<usize>,
        point: DVec3,
        surface: f64,
        margin: &mut f64,
    ) -> bool {
        let Some((field, pose)) = ground.map(|ground| &self.fields[ground]) else { return true };
        let mut counts = true;
        for (_, triangle) in field.triangles() {
            let triangle = triangle.map(|corner| to_world(pose, corner.as_dvec3()));
            let (height, edge) = cross(triangle, point);
            *margin = margin.min(edge);
            let Some(height) = height else { continue };
            let over = (point.z + PROBE - height).min(surface - height);
            *margin = margin.min((point.z + PROBE - height).abs()).min((surface - height).abs());
            counts = over >= 0.0;
        }
        counts
    }

    /// Rule 4.
    fn is_in_room(
        &self,
        (key, tag): (u64, u32),
        pose: &Pose,
        (point, surface): (DVec3, f64),
        margin: &mut f64,
    ) -> bool {
        let rooms = self.model(key).and_then(|model| model.rooms.as_ref());
        let room = rooms.and_then(|rooms| rooms.iter().find(|room| room.tag == tag));
        let Some(Room { bounds, .. }) = room else { return false };
        let local = to_local(pose, point.with_z(surface));
        let inside = inside_by(bounds, local, pose).truncate();
        let ends = [bounds.min(), bounds.max()];
        let corners = (0..8).map(|i| dvec3(ends[i & 1].x, ends[i >> 1 & 1].y, ends[i >> 2].z));
        let bottom = corners.map(|corner| to_world(pose, corner).z).fold(f64::INFINITY, f64::min);
        let over = point.z + PROBE - bottom;
        *margin = margin.min(inside.abs().min_element()).min(over.abs());
        inside.min_element() >= 0.0 && over >= 0.0
    }
}
