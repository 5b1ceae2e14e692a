//! The generated continent: borders, route and liquids, from its triangles alone.
#![allow(clippy::expect_used, reason = "a helper of a test that cannot go on must stop the test")]

use capsweep_testkit::Rng;
use capsweep_testkit::continent::{
    CELL_EDGE, Continent, ContinentOptions, Fate, LiquidKind, ModelKind, Place, Survey, TILE_EDGE,
    TileId, TileKind, internal_to_world,
};
use glam::{DVec2, DVec3, Vec3, dvec2, dvec3};

fn small() -> Continent {
    Continent::new(&ContinentOptions::SMALL)
}

/// The four tiles of the home block.
fn home(continent: &Continent) -> [TileId; 4] {
    let TileId { row, column } = continent.home();
    [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(r, c)| TileId { row: row + r, column: column + c })
}

/// A point of the world from cells of the home block.
fn at_home(continent: &Continent, u: f64, v: f64, height: f64) -> DVec3 {
    let [i, j] = continent.home().first_cell().map(f64::from);
    internal_to_world(dvec3((i + u) * CELL_EDGE, (j + v) * CELL_EDGE, height))
}

/// Points every quarter of a yard along the route, with the way's direction.
fn steps(continent: &Continent) -> Vec<(DVec2, DVec2)> {
    let mut steps = Vec::new();
    #[allow(clippy::cast_sign_loss, reason = "a distance is not negative")]
    for pair in continent.route.waypoints.windows(2) {
        let [from, to] = [pair[0].feet.truncate(), pair[1].feet.truncate()];
        let parts = (from.distance(to) / 0.25).ceil().max(1.0) as u32;
        let along = (to - from).normalize_or_zero();
        steps.extend((0..parts).map(|k| (from.lerp(to, f64::from(k) / f64::from(parts)), along)));
    }
    steps
}

#[test]
fn neighbouring_tiles_agree_in_bits_on_their_border() {
    let large =
        ContinentOptions { tiles: 36, models: 0, placements: 0, ..ContinentOptions::SMALL };
    let continent = Continent::new(&large);
    let column = |tile: &[f32], j: usize| -> Vec<u32> {
        (0..129).map(|i| tile[i * 129 + j].to_bits()).collect()
    };
    let row = |tile: &[f32], i: usize| -> Vec<u32> {
        tile[i * 129..(i + 1) * 129].iter().map(|h| h.to_bits()).collect()
    };
    let mut compared = 0;
    for id in &continent.tiles {
        let tile = continent.tile(*id);
        let south = TileId { row: id.row + 1, ..*id };
        let east = TileId { column: id.column + 1, ..*id };
        if continent.tiles.contains(&south) {
            let south = continent.tile(south);
            assert_eq!(row(&tile.corners, 128), row(&south.corners, 0), "south of {id:?}");
            compared += 1;
        }
        if continent.tiles.contains(&east) {
            let east = continent.tile(east);
            assert_eq!(column(&tile.corners, 128), column(&east.corners, 0), "east of {id:?}");
            compared += 1;
        }
    }
    assert_eq!(compared, 60);
}

#[test]
fn tiles_of_every_kind_are_near_home() {
    let count = |continent: &Continent| {
        let continent = continent.clone();
        move |kind: TileKind| {
            let of_kind = continent.tiles.iter().filter(|id| continent.tile_kind(**id) == kind);
            of_kind
                .map(|id| {
                    let tile = continent.tile(*id);
                    let heights = || tile.corners.iter().chain(&tile.centres).copied();
                    let range =
                        heights().fold(f32::MIN, f32::max) - heights().fold(f32::MAX, f32::min);
                    match kind {
                        TileKind::Hills => assert!(range > 2.0, "{id:?}: {range}"),
                        TileKind::Meadow => assert!(range > 0.5 && range < 2.0, "{id:?}: {range}"),
                        TileKind::Flat | TileKind::Ocean => assert_eq!(range, 0.0, "{id:?}"),
                    }
                })
                .count()
        }
    };
    let kinds = [TileKind::Hills, TileKind::Meadow, TileKind::Flat, TileKind::Ocean];
    assert_eq!(kinds.map(count(&small())), [5, 1, 0, 3]);
    let large =
        ContinentOptions { tiles: 400, models: 0, placements: 0, ..ContinentOptions::SMALL };
    let counts = kinds.map(count(&Continent::new(&large)));
    assert!(counts.iter().all(|count| *count > 5), "{counts:?}");
}

#[test]
fn a_tile_has_four_triangles_a_cell_that_face_up_and_none_in_holes() {
    let continent = small();
    let holes = home(&continent).map(|id| {
        let tile = continent.tile(id);
        let holes = tile.holes.iter().filter(|hole| **hole).count();
        let mut triangles = 0;
        for [a, b, c] in tile.triangles() {
            assert!((b - a).cross(c - a).z > 0.0);
            triangles += 1;
        }
        assert_eq!(triangles, 65_536 - 4 * holes);
        holes
    });
    assert_eq!(holes, [0, 16, 0, 0]);
}

#[test]
fn the_route_is_longer_than_2_km_and_passes_every_landmark_and_border() {
    let continent = small();
    let route = &continent.route;
    // 2 km in yards.
    assert!(route.length() > 2_000.0 / 0.9144, "{}", route.length());
    let mut places = Vec::new();
    let mut borders = 0;
    for pair in route.waypoints.windows(2) {
        let [from, to] = [0, 1].map(|k| TileId::containing(pair[k].feet));
        borders += u32::from(from != to);
        assert!(pair[0].feet.truncate().distance(pair[1].feet.truncate()) < 2.001);
        if places.last() != Some(&pair[0].place) {
            places.push(pair[0].place);
        }
    }
    let open = Place::Terrain;
    assert_eq!(places, [open, Place::House, open, Place::Cave, open, Place::Bridge, open]);
    assert_eq!(borders, 4);
}

#[test]
fn waypoints_are_on_the_ground() {
    let continent = small();
    let survey = Survey::new(&continent, &home(&continent));
    for waypoint in &continent.route.waypoints {
        let surfaces = survey.surfaces(waypoint.feet.truncate());
        let gap = surfaces.iter().map(|s| (s.height - waypoint.feet.z).abs());
        let gap = gap.fold(f64::INFINITY, f64::min);
        assert!(gap < 0.01, "{waypoint:?} is {gap} from {surfaces:?}");
    }
}

/// Follows the ground under three lanes: the route and a capsule's radius to either side.
#[test]
fn the_route_has_walkable_slopes_small_steps_and_headroom() {
    let continent = small();
    let survey = Survey::new(&continent, &home(&continent));
    let steepest = 40_f64.to_radians().cos();
    for side in [-0.45, 0.0, 0.45] {
        let mut feet = continent.route.waypoints[0].feet.z;
        for (at, along) in steps(&continent) {
            let at = at + along.perp() * side;
            let surfaces = survey.surfaces(at);
            let ground = surfaces.iter().find(|s| s.height < feet + 0.4);
            let ground = ground.unwrap_or_else(|| panic!("no ground at {at} below {feet}"));
            assert!((ground.height - feet).abs() < 0.3, "a step at {at}: {feet} to {ground:?}");
            assert!(ground.normal.z > steepest, "too steep at {at}: {ground:?}");
            feet = ground.height;
            let above = surfaces.iter().rev().find(|s| s.height > feet + 0.02);
            let room = above.map_or(f64::INFINITY, |s| s.height - feet);
            assert!(room > 2.2, "headroom {room} at {at}, {feet}: {above:?}");
        }
    }
}

#[test]
fn props_are_clear_of_the_route() {
    let continent = small();
    let survey = Survey::new(&continent, &home(&continent));
    let terrain_or_landmark = |index: usize| {
        ["House.wmo", "Hillcave.wmo", "Lakebridge.wmo"]
            .contains(&continent.models[continent.placements[index].model].name.as_str())
    };
    for (at, along) in steps(&continent) {
        for side in [-2.0, -1.0, 0.0, 1.0, 2.0] {
            for surface in survey.surfaces(at + along.perp() * side) {
                if let capsweep_testkit::continent::Source::Placement { index, .. } =
                    surface.source
                {
                    assert!(terrain_or_landmark(index), "{surface:?} at {at}");
                }
            }
        }
    }
}

#[test]
fn liquids_are_where_they_should_be() {
    let continent = small();
    let survey = Survey::new(&continent, &home(&continent));
    let at = |u: f64, v: f64, z: f64| {
        let point = at_home(&continent, u, v, z);
        survey.liquid_at(point).map(|found| (found.kind, found.surface, found.depth))
    };
    // The lake, its surface at 18.5: in it, over it, under its bed, and on dry shore.
    assert_eq!(at(190.2, 55.3, 16.0), Some((LiquidKind::Water, 18.5, 2.5)));
    assert_eq!(at(190.2, 55.3, 18.6), None);
    assert_eq!(at(190.2, 55.3, 5.0), None);
    assert_eq!(at(192.3, 46.2, 18.4), None, "below the ground");
    // The dry room on the lake's bed.
    let inside = at_home(&continent, 197.0, 62.0, 0.0).truncate();
    let floor = survey.surfaces(inside).last().expect("the lake's bed").height;
    assert_eq!(at(197.0, 62.0, floor + 1.5), None);
    assert_eq!(at(197.0, 62.0, floor + 4.5).map(|l| l.0), Some(LiquidKind::Water));
    // The sea, the stream and the magma pool.
    assert_eq!(at(250.0, 250.0, -3.0), Some((LiquidKind::Ocean, 0.0, 3.0)));
    let stream = at(96.0, 211.0, 14.5).expect("the stream");
    assert!((stream.1 - 15.24).abs() < 1e-5 && stream.0 == LiquidKind::Slime, "{stream:?}");
    assert_eq!(at(97.0, 97.0, 18.5).map(|l| l.0), Some(LiquidKind::Magma));
}

#[test]
fn liquids_of_a_house_lie_over_each_other() {
    let continent = small();
    let survey = Survey::new(&continent, &home(&continent));
    let in_house = continent.placements[0].transform();
    let at = |x: f64, y: f64, z: f64| {
        let found = survey.liquid_at(in_house.to_world(dvec3(x, y, z)));
        found.map(|l| (l.kind, (l.depth * 1e4).round() / 1e4))
    };
    // Over the bath, in it, under the floor.
    assert_eq!(at(-7.0, 4.0, 0.8), None);
    assert_eq!(at(-7.0, 4.0, 0.5), Some((LiquidKind::Water, 0.25)));
    assert_eq!(at(-4.5, 3.5, 0.0), None);
    // The cellar is flooded up to −3.
    assert_eq!(at(-4.5, 3.5, -2.0), None);
    assert_eq!(at(-4.5, 3.5, -4.0), Some((LiquidKind::Water, 1.0)));
    assert_eq!(at(-4.5, 3.5, -6.0), None);
    // A dry tile of the bath's grid.
    assert_eq!(at(-7.0, 1.0, 0.5), None);
}

#[test]
fn a_continent_of_any_size_has_the_same_home() {
    let four = ContinentOptions { tiles: 4, ..ContinentOptions::SMALL };
    let four = Continent::new(&four);
    let large = Continent::new(&ContinentOptions { tiles: 100, ..ContinentOptions::SMALL });
    assert_eq!(four.route, large.route);
    for id in home(&four) {
        assert!(large.tiles.contains(&id) && four.tiles.contains(&id));
        assert_eq!(four.tile(id), large.tile(id));
    }
}

#[test]
fn placements_have_the_number_and_the_fates_that_are_asked_for() {
    let continent = small();
    let count = |fate| continent.placements.iter().filter(|p| p.fate == fate).count();
    assert_eq!((count(Fate::MissingModel), count(Fate::Unusable)), (1, 4));
    assert_eq!(continent.placements.len(), 700 + 23);
    assert!(continent.placements.is_sorted_by(|one, other| one.id < other.id));
    // Rotations about every axis, and far outside one turn.
    let tilted = continent.placements.iter().filter(|p| p.rotation.x != 0.0).count();
    let wound = continent.placements.iter().filter(|p| p.rotation.y.abs() > 720.0).count();
    assert!(tilted > 300 && wound > 100, "{tilted} {wound}");
    let centre = dvec2(1.0, 2.0);
    assert!(Survey::new(&continent, &[]).surfaces(centre).is_empty());
}

#[test]
fn the_ground_of_a_cell_is_the_surface_of_its_triangles() {
    let mut continent = small();
    continent.placements.clear();
    let ids = home(&continent);
    let survey = Survey::new(&continent, &ids);
    let mut rng = Rng::from_seed(9);
    for id in ids {
        let tile = continent.tile(id);
        let corner = tile.cell_triangles([0, 0])[0][0].truncate();
        for _ in 0..2_000 {
            let inside = dvec2(rng.range(0.0, TILE_EDGE), rng.range(0.0, TILE_EDGE));
            let at = corner - inside;
            let crossed = survey.surfaces(at).first().map(|surface| surface.height);
            match (tile.ground(at), crossed) {
                (Some(one), Some(other)) => assert!((one - other).abs() < 1e-9, "{one} {other}"),
                (one, other) => assert_eq!(one, other),
            }
        }
    }
}

/// Six times the volume of a closed model is above zero if its faces look outward.
#[test]
fn faces_of_props_look_outward() {
    let continent = small();
    for entry in continent.models.iter().filter(|entry| entry.kind == ModelKind::M2) {
        let model = entry.model();
        let corners = model.corners().map(|corners| corners.map(Vec3::as_dvec3));
        let volume: f64 = corners.map(|[a, b, c]| a.dot(b.cross(c))).sum();
        assert!(volume > 0.0, "{}: {volume}", entry.name);
    }
}
