//! Bad numbers are errors; extreme ones have answers.

use super::{at, open, over, pond, scene_of, surface};
use capsweep::scene::{
    CellTriangles, HeightField, HeightFieldOptions, HeightGrid, Heights, LiquidError, LiquidGrid,
    LiquidGround, LiquidKind, LiquidRole, LiquidSheet, Liquids, ModelRooms, PlacedLiquid, Pose,
    Room, Rooms,
};
use capsweep::{Aabb, MAX_POSITION, Point};
use capsweep_testkit::Rng;
use capsweep_testkit::liquid::{PlainSheet, random_pose};
use glam::{DQuat, DVec3, dvec3};
use std::sync::Arc;

const GRID: LiquidGrid = LiquidGrid { rows: 2, columns: 3, spacing: [1.0; 2], origin: [0.0; 2] };

fn sheet_of(grid: LiquidGrid, heights: Heights) -> Result<LiquidSheet, LiquidError> {
    LiquidSheet::new(grid, heights, LiquidKind::Water)
}

#[track_caller]
fn refused<T: std::fmt::Debug>(result: Result<T, LiquidError>, text: &str) {
    let error = result.unwrap_err().to_string();
    assert!(error.contains(text), "{error:?} does not say {text:?}");
}

#[test]
fn bad_grids_are_refused_with_what_is_wrong() {
    let flat = || Heights::Flat(0.0);
    for (rows, columns) in [(0, 3), (3, 0), (0, 0), (u32::MAX, 1), (1, u32::MAX), (65_537, 1)] {
        refused(sheet_of(LiquidGrid { rows, columns, ..GRID }, flat()), "1 to 65536 rows");
    }
    let many = LiquidGrid { rows: 65_536, columns: 65_536, ..GRID };
    refused(sheet_of(many, flat()), "65536 × 65536 cells");
    for bad in [0.0, -1.0, f32::NAN, f32::INFINITY, 1e-9, 1e9] {
        refused(sheet_of(LiquidGrid { spacing: [bad, 1.0], ..GRID }, flat()), "grid spacing");
        refused(sheet_of(LiquidGrid { spacing: [1.0, bad], ..GRID }, flat()), "grid spacing");
    }
    for bad in [f32::NAN, f32::NEG_INFINITY, 2e9] {
        refused(sheet_of(LiquidGrid { origin: [bad, 0.0], ..GRID }, flat()), "the grid begins");
        refused(sheet_of(LiquidGrid { origin: [0.0, bad], ..GRID }, flat()), "the grid begins");
    }
}

#[test]
fn bad_heights_are_refused_with_their_place() {
    for bad in [f32::NAN, f32::INFINITY, -2e9] {
        let mut heights = vec![0.0; 12];
        heights[7] = bad;
        refused(sheet_of(GRID, Heights::F32(heights)), "height 7");
        refused(sheet_of(GRID, Heights::Flat(bad)), "height 0");
        refused(sheet_of(GRID, Heights::U16 { raw: vec![0; 12], low: 0.0, high: bad }), "height");
    }
    refused(sheet_of(GRID, Heights::F32(vec![0.0; 11])), "11 heights where the grid needs 12");
    refused(sheet_of(GRID, Heights::F32(Vec::new())), "0 heights");
}

#[test]
fn lists_of_the_wrong_length_are_refused() {
    let sheet = || sheet_of(GRID, Heights::Flat(0.0)).unwrap();
    refused(sheet().with_wet(&[true; 5]), "5 flags of wet cells where the grid needs 6");
    refused(sheet().with_kinds(&[LiquidKind::Water; 7]), "7 kinds where the grid needs 6");
    let wide = LiquidGrid { rows: 257, columns: 1, ..GRID };
    let kinds: Vec<_> = (0..257).map(LiquidKind::Other).collect();
    let wide = sheet_of(wide, Heights::Flat(0.0)).unwrap();
    refused(wide.with_kinds(&kinds), "cell 256 has the 257th kind");
}

#[test]
fn a_placement_out_of_range_is_refused() {
    let far = Pose::from_translation(DVec3::X * (MAX_POSITION - 5.0)).unwrap();
    let role = || LiquidRole::Terrain { ground: None };
    refused(PlacedLiquid::new(pond(0.0), far, role()), "out of range");
    let large = Pose::uniform(DVec3::ZERO, DQuat::IDENTITY, 1e6).unwrap();
    refused(PlacedLiquid::new(pond(1e4), large, role()), "bounds min.z");
    // A sheet without wet cells has no place.
    let dry = sheet_of(GRID, Heights::Flat(1e8)).unwrap().with_wet(&[false; 6]).unwrap();
    let dry = PlacedLiquid::new(Arc::new(dry), large, role()).unwrap();
    assert_eq!(dry.bounds(), None);
    assert_eq!(over(&scene_of(vec![dry]), DVec3::ONE), []);
}

#[test]
fn a_tilted_ground_is_refused() {
    let grid = HeightGrid { rows: 1, columns: 1, spacing: [1.0; 2] };
    let field = HeightField::new(
        grid,
        Heights::Flat(0.0),
        CellTriangles::Four,
        HeightFieldOptions::default(),
    );
    let field = Arc::new(field.unwrap());
    let ground = |turn: DQuat| {
        LiquidGround::new(Arc::clone(&field), Pose::uniform(DVec3::ONE, turn, 2.0).unwrap())
    };
    assert!(ground(DQuat::from_rotation_z(1.3)).is_ok());
    refused(ground(DQuat::from_rotation_x(0.001)), "tilted");
}

#[test]
fn rooms_must_be_listed_once_and_with_different_tags() {
    let bounds = Aabb::new(DVec3::ZERO, DVec3::ONE).unwrap();
    let room = |tag: u32| Room { tag, bounds, indoor: true };
    refused(Rooms::new(vec![room(3), room(1), room(3)]), "tag 3");
    let rooms = Rooms::new(vec![room(3), room(1)]).unwrap();
    assert_eq!((rooms.get(1), rooms.get(2)), (Some(&room(1)), None));
    assert_eq!(rooms.as_slice(), [room(1), room(3)]);
    let rooms = Arc::new(rooms);
    let model = |key: u64| ModelRooms { key, rooms: Arc::clone(&rooms) };
    refused(Liquids::new(vec![], vec![model(5), model(4), model(5)]), "key 5");
    let liquid = |key: u64, tag: u32| {
        PlacedLiquid::new(pond(0.0), Pose::IDENTITY, LiquidRole::Model { key, tag }).unwrap()
    };
    refused(Liquids::new(vec![liquid(5, 1), liquid(5, 2)], vec![model(5)]), "liquid 1");
    refused(Liquids::new(vec![liquid(4, 1)], vec![model(5)]), "key 4");
    let liquids = Liquids::new(vec![liquid(5, 3)], vec![model(6), model(5)]).unwrap();
    let keys: Vec<_> = liquids.rooms().iter().map(|model| model.key).collect();
    assert_eq!((keys, liquids.rooms_of(6).is_some()), (vec![5, 6], true));
}

#[test]
fn a_point_that_is_no_number_cannot_be_asked() {
    for bad in [f64::NAN, f64::INFINITY, -2e9] {
        assert!(Point::new(dvec3(0.0, bad, 0.0)).is_err());
    }
}

#[test]
fn a_scene_without_liquids_is_dry() {
    let scene = scene_of(vec![]);
    assert_eq!(at(&scene, DVec3::ZERO), None);
    assert_eq!(at(&capsweep::scene::Scene::new(), DVec3::ZERO), None);
}

#[test]
fn the_ends_of_the_world_have_answers() {
    let corner = DVec3::splat(MAX_POSITION - 20.0);
    let near = |at: DVec3| open(pond(1.0), Pose::from_translation(at).unwrap());
    let scene = scene_of(vec![near(corner), near(-corner)]);
    assert_eq!(surface(&scene, corner + 5.0 - DVec3::Z * 9.0), Some(corner.z + 1.0));
    assert_eq!(surface(&scene, -corner + dvec3(5.0, 5.0, -9.0)), Some(1.0 - corner.z));
    for sign in [-1.0, 1.0] {
        assert_eq!(at(&scene, DVec3::splat(MAX_POSITION * sign)), None);
        assert_eq!(at(&scene, DVec3::Z * MAX_POSITION * sign), None);
    }
}

#[test]
fn the_largest_and_smallest_scales_have_answers() {
    for scale in [1e-6, 1e6] {
        let pose = Pose::uniform(dvec3(7.0, 8.0, 9.0), DQuat::IDENTITY, -scale).unwrap();
        let scene = scene_of(vec![open(pond(2.0), pose)]);
        let found = surface(&scene, pose.point_to_world(dvec3(3.0, 9.0, 5.0)));
        assert_eq!(found, Some(9.0 - 2.0 * scale));
    }
}

#[test]
fn a_sheet_of_many_cells_on_edge_ends() {
    // A line along its plane crosses tens of thousands of cells.
    let grid = LiquidGrid { rows: 16_384, columns: 16_384, spacing: [0.5; 2], origin: [0.0; 2] };
    let sheet = Arc::new(sheet_of(grid, Heights::Flat(0.0)).unwrap());
    for angle in [-std::f64::consts::FRAC_PI_2, 1e-6 - std::f64::consts::FRAC_PI_2, -1.5] {
        let turn = DQuat::from_rotation_y(angle) * DQuat::from_rotation_z(0.7);
        let scene = scene_of(vec![open(
            Arc::clone(&sheet),
            Pose::uniform(DVec3::ZERO, turn, 1.0).unwrap(),
        )]);
        assert!(over(&scene, dvec3(0.0, 10.0, 0.0)).len() <= 1);
    }
}

#[test]
fn a_sheet_that_is_hardly_tilted_answers_like_an_upright_one() {
    let mut rng = Rng::new(&[95]);
    for seed in 0..50 {
        let plain = PlainSheet::random(&mut rng, 1.0);
        let sheet = Arc::new(plain.sheet());
        let upright = random_pose(&mut rng, DVec3::splat(f64::from(seed) * 100.0), false);
        let tilt = DQuat::from_axis_angle(DVec3::X, 1e-13);
        let tilted = Pose::new(upright.position(), tilt * upright.rotation(), upright.scale());
        let [upright, tilted] = [upright, tilted.unwrap()]
            .map(|pose| (pose, scene_of(vec![open(Arc::clone(&sheet), pose)])));
        for _ in 0..50 {
            let point = upright.0.position() + rng.cube(8.0);
            let [a, b] = [&upright.1, &tilted.1].map(|scene| over(scene, point));
            assert_eq!(a.len(), b.len(), "at {point}");
            for (a, b) in a.iter().zip(&b) {
                assert!((a.surface - b.surface).abs() < 1e-9 && a.kind == b.kind, "{a:?} {b:?}");
            }
        }
    }
}

#[test]
fn a_tilted_sheet_has_no_gap_at_the_borders_of_its_cells() {
    let grid = LiquidGrid { rows: 8, columns: 8, spacing: [1.0; 2], origin: [-4.0; 2] };
    let mut rng = Rng::new(&[96]);
    let heights = (0..81).map(|_| rng.range_f32(-0.2, 0.2)).collect();
    let sheet = Arc::new(sheet_of(grid, Heights::F32(heights)).unwrap());
    for _ in 0..20 {
        let turn = DQuat::from_axis_angle(rng.direction(), rng.range(-0.5, 0.5));
        let pose = Pose::uniform(rng.cube(1e4), turn, 1.5).unwrap();
        let scene = scene_of(vec![open(Arc::clone(&sheet), pose)]);
        // Corners, edges and diagonals of cells that are not at the rim.
        for (i, j) in (-6..=6).flat_map(|i| (-6..=6).map(move |j| (i, j))) {
            let corner = dvec3(f64::from(i) * 0.5, f64::from(j) * 0.5, 0.0);
            let point = pose.point_to_world(corner);
            assert_eq!(over(&scene, point).len(), 1, "{corner} of {pose:?}");
        }
    }
}
