//! Sheets: heights between corners, dry cells, kinds, and poses.

use super::{at, open, over, pond, scene_of, surface};
use capsweep::query::Liquid;
use capsweep::scene::{Heights, LiquidGrid, LiquidKind, LiquidSheet, PlacedLiquid, Pose, Scene};
use glam::{DQuat, DVec3, dvec3};
use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

/// A cell of 2 by 4 m whose corners differ: `h00` 0, `h01` 1, `h10` 3, `h11` 7.
fn bent() -> LiquidSheet {
    let grid = LiquidGrid { rows: 1, columns: 1, spacing: [2.0, 4.0], origin: [0.0; 2] };
    LiquidSheet::new(grid, Heights::F32(vec![0.0, 1.0, 3.0, 7.0]), LiquidKind::Water).unwrap()
}

fn alone(sheet: LiquidSheet, pose: Pose) -> Scene {
    scene_of(vec![open(Arc::new(sheet), pose)])
}

#[test]
fn the_surface_is_two_triangles_on_both_sides_of_the_diagonal() {
    let scene = alone(bent(), Pose::IDENTITY);
    let height = |dx: f64, dy: f64| surface(&scene, dvec3(2.0 * dx, 4.0 * dy, -9.0)).unwrap();
    // At the corners their own heights.
    assert_eq!([height(0.0, 0.0), height(0.0, 1.0)], [0.0, 1.0]);
    assert_eq!([height(1.0, 0.0), height(1.0, 1.0)], [3.0, 7.0]);
    // dx > dy: 0 + dx · 3 + dy · 4.
    assert_eq!(height(0.75, 0.25), 3.25);
    assert_eq!(height(0.5, 0.0), 1.5);
    // Else 0 + dx · 6 + dy · 1.
    assert_eq!(height(0.25, 0.75), 2.25);
    assert_eq!(height(0.0, 0.5), 0.5);
    // On the diagonal both agree.
    assert_eq!(height(0.5, 0.5), 3.5);
}

#[test]
fn depth_counts_from_the_surface_down_and_is_never_negative() {
    let scene = scene_of(vec![open(pond(3.0), Pose::IDENTITY)]);
    let depth = |z: f64| at(&scene, dvec3(5.0, 5.0, z)).map(|liquid| liquid.depth);
    assert_eq!(depth(1.0), Some(2.0));
    assert_eq!(depth(3.0), Some(0.0));
    assert_eq!(depth(3.0_f64.next_up()), None);
    assert_eq!(depth(-1e9), Some(1e9 + 3.0));
}

#[test]
fn surfaces_under_a_point_are_listed_with_a_negative_depth() {
    let scene = scene_of(vec![open(pond(3.0), Pose::IDENTITY)]);
    let expected = Liquid { surface: 3.0, depth: -2.5, kind: LiquidKind::Water, number: 0 };
    assert_eq!(over(&scene, dvec3(5.0, 5.0, 5.5)), [expected]);
    assert_eq!(at(&scene, dvec3(5.0, 5.0, 5.5)), None);
}

#[test]
fn of_surfaces_over_each_other_the_lowest_above_the_point_counts() {
    let levels = [8.0, 2.0, 5.0, 5.0];
    let scene = scene_of(levels.map(|level| open(pond(level), Pose::IDENTITY)).to_vec());
    let number = |z: f64| at(&scene, dvec3(1.0, 1.0, z)).map(|liquid| liquid.number);
    assert_eq!(number(0.0), Some(1));
    // Of equal surfaces, the smaller number.
    assert_eq!(number(3.0), Some(2));
    assert_eq!(number(6.0), Some(0));
    assert_eq!(number(9.0), None);
    let numbers: Vec<_> =
        over(&scene, dvec3(1.0, 1.0, 3.0)).iter().map(|one| one.number).collect();
    assert_eq!(numbers, [0, 2, 3, 1]);
}

#[test]
fn dry_cells_have_no_surface_and_their_border_belongs_to_the_wet_ones() {
    let grid = LiquidGrid { rows: 2, columns: 2, spacing: [1.0; 2], origin: [0.0; 2] };
    let wet = [false, true, false, false];
    let sheet = LiquidSheet::new(grid, Heights::Flat(1.0), LiquidKind::Water).unwrap();
    let sheet = sheet.with_wet(&wet).unwrap();
    assert_eq!(
        (sheet.wet_count(), sheet.is_wet(0, 1), sheet.is_wet(0, 0)),
        (1, Some(true), Some(false))
    );
    let scene = alone(sheet, Pose::IDENTITY);
    let is_wet = |x: f64, y: f64| surface(&scene, dvec3(x, y, 0.0)).is_some();
    assert!(is_wet(0.5, 1.5));
    assert!(!is_wet(0.5, 0.5) && !is_wet(1.5, 1.5) && !is_wet(1.5, 0.5));
    // The four corners of the wet cell: all of its neighbours are dry.
    assert!(is_wet(0.0, 1.0) && is_wet(1.0, 1.0) && is_wet(0.0, 2.0) && is_wet(1.0, 2.0));
    assert!(!is_wet(1.000_001, 1.5) && !is_wet(0.5, 0.999_999));
}

#[test]
fn dry_corners_do_not_count_towards_the_bounds() {
    let grid = LiquidGrid { rows: 2, columns: 1, spacing: [1.0; 2], origin: [3.0, -4.0] };
    let heights = Heights::F32(vec![1.0, 2.0, 2.5, 1.5, -500.0, -500.0]);
    let sheet = LiquidSheet::new(grid, heights, LiquidKind::Water).unwrap();
    let sheet = sheet.with_wet(&[true, false]).unwrap();
    let bounds = sheet.bounds().unwrap();
    assert_eq!((bounds.min(), bounds.max()), (dvec3(3.0, -4.0, 1.0), dvec3(5.0, -3.0, 2.5)));
}

#[test]
fn every_cell_has_its_kind() {
    let grid = LiquidGrid { rows: 2, columns: 3, spacing: [1.0; 2], origin: [-1.0, 4.0] };
    let kinds = [
        LiquidKind::Water,
        LiquidKind::Slime,
        LiquidKind::Other(7),
        LiquidKind::Magma,
        LiquidKind::Ocean,
        LiquidKind::Water,
    ];
    let sheet = LiquidSheet::new(grid, Heights::Flat(0.0), LiquidKind::Water).unwrap();
    let sheet = sheet.with_kinds(&kinds).unwrap();
    assert_eq!(sheet.kind(1, 0), Some(LiquidKind::Magma));
    assert_eq!((sheet.kind(2, 0), sheet.kind(0, 3)), (None, None));
    let scene = alone(sheet, Pose::IDENTITY);
    for (cell, kind) in kinds.into_iter().enumerate() {
        let point = dvec3((cell / 3) as f64 - 0.5, (cell % 3) as f64 + 4.5, -1.0);
        assert_eq!(at(&scene, point).unwrap().kind, kind, "cell {cell}");
    }
}

#[test]
fn a_pose_turns_scales_and_mirrors_the_sheet() {
    let place = dvec3(-16_000.0, 9_000.0, 250.0);
    let quarter = DQuat::from_rotation_z(FRAC_PI_2);
    // Local (x, y) is at world (−2 y, 2 x).
    let turned = alone(bent(), Pose::uniform(place, quarter, 2.0).unwrap());
    let found = surface(&turned, place + dvec3(-2.0 * 1.0, 2.0 * 1.5, -9.0)).unwrap();
    assert!((found - (250.0 + 2.0 * 3.25)).abs() < 1e-9, "{found}");
    // Upside down: local z counts down.
    let mirrored = Pose::new(place, DQuat::IDENTITY, dvec3(1.0, -1.0, -1.0)).unwrap();
    let mirrored = alone(bent(), mirrored);
    assert_eq!(surface(&mirrored, place + dvec3(1.5, -1.0, -9.0)), Some(250.0 - 3.25));
    assert_eq!(surface(&mirrored, place + dvec3(1.5, 1.0, -9.0)), None);
}

#[test]
fn a_tilted_sheet_has_its_surface_where_the_vertical_line_meets_it() {
    // Turned by 30° about the y axis: the sheet falls by tan 30° along x.
    let tilt = DQuat::from_rotation_y(30_f64.to_radians());
    let place = dvec3(100.0, 200.0, 50.0);
    let scene = scene_of(vec![open(pond(0.0), Pose::uniform(place, tilt, 1.0).unwrap())]);
    // The tangent of 30°.
    let slope = 1.0 / 3_f64.sqrt();
    for x in [0.0, 0.1, 3.0, 8.6] {
        for y in [0.0, 5.0, 10.0] {
            let found = surface(&scene, place + dvec3(x, y, -20.0));
            let found = found.unwrap_or(f64::NAN);
            assert!((found - (50.0 - x * slope)).abs() < 1e-9, "{x}, {y}: {found}");
        }
    }
    // It ends at 10 m · cos 30°.
    assert_eq!(surface(&scene, place + dvec3(8.67, 5.0, -20.0)), None);
}

#[test]
fn a_sheet_on_edge_may_be_crossed_more_than_once() {
    // A ridge, turned by 90° about y: local z is along x, and local x points down.
    let grid = LiquidGrid { rows: 2, columns: 1, spacing: [1.0; 2], origin: [0.0; 2] };
    let heights = Heights::F32(vec![0.0, 0.0, 1.0, 1.0, 0.0, 0.0]);
    let sheet = LiquidSheet::new(grid, heights, LiquidKind::Water).unwrap();
    let on_edge = Pose::uniform(DVec3::ZERO, DQuat::from_rotation_y(FRAC_PI_2), 1.0).unwrap();
    let scene = alone(sheet, on_edge);
    let found = over(&scene, dvec3(0.25, 0.4, 0.0));
    let [upper, lower] = found[..] else { panic!("two surfaces, not {found:?}") };
    let heights = [upper.surface, lower.surface];
    assert!((heights[0] + 0.25).abs() < 1e-12 && (heights[1] + 1.75).abs() < 1e-12, "{heights:?}");
    // Between the two the point is under the upper one only.
    assert_eq!(at(&scene, dvec3(0.25, 0.4, -1.0)).unwrap().surface, upper.surface);
    assert_eq!(over(&scene, dvec3(1.01, 0.4, 0.0)), []);
}

#[test]
fn a_point_counts_as_on_the_rim_within_a_nanometre() {
    // Two tiles that meet at x = 10 of the first, far away.
    let place = dvec3(16_000.0, -9_000.0, 12.0);
    let second = place + DVec3::X * 10.0;
    let tiles = [place, second].map(|at| open(pond(1.0), Pose::from_translation(at).unwrap()));
    let scene = scene_of(tiles.to_vec());
    assert_eq!(over(&scene, second + dvec3(0.0, 3.0, 0.0)).len(), 2);
    let alone = scene_of(tiles[..1].to_vec());
    let is_wet = |beyond: f64| surface(&alone, second + dvec3(beyond, 3.0, 0.0)).is_some();
    assert!(is_wet(0.5e-9) && !is_wet(5e-9));
}

#[test]
fn a_tilted_sheet_has_a_rim_of_a_nanometre_too() {
    for angle in [0.5, -0.5] {
        let tilt = DQuat::from_rotation_y(angle) * DQuat::from_rotation_z(0.3);
        let pose = Pose::uniform(dvec3(10.0, 20.0, 30.0), tilt, 1.0).unwrap();
        let scene = scene_of(vec![open(pond(0.0), pose)]);
        let found = |x: f64, y: f64| over(&scene, pose.point_to_world(dvec3(x, y, 0.0))).len();
        for (beyond, count) in [(0.5e-9, 1), (5e-9, 0)] {
            assert_eq!([found(10.0 + beyond, 4.0), found(-beyond, 4.0)], [count; 2], "{beyond}");
            assert_eq!([found(4.0, 10.0 + beyond), found(4.0, -beyond)], [count; 2], "{beyond}");
        }
    }
}

#[test]
fn many_tiles_are_found_wherever_they_are() {
    let tile = pond(0.0);
    let mut placed = Vec::new();
    for row in 0..70 {
        for column in 0..70 {
            let at = dvec3(f64::from(row), f64::from(column), 0.0) * 10.0 - 350.0;
            placed.push(open(Arc::clone(&tile), Pose::from_translation(at).unwrap()));
        }
    }
    let scene = scene_of(placed);
    for row in 0..70_u32 {
        for column in 0..70_u32 {
            let point = dvec3(f64::from(row), f64::from(column), 0.0) * 10.0 - 345.0;
            let found = over(&scene, point.with_z(-400.0));
            let numbers: Vec<_> = found.iter().map(|liquid| liquid.number).collect();
            assert_eq!(numbers, [row * 70 + column]);
        }
    }
}

#[test]
fn a_scene_keeps_its_liquids_and_so_do_its_clones() {
    let mut scene = scene_of(vec![open(pond(3.0), Pose::IDENTITY)]);
    let revision = scene.revision();
    let clone = scene.clone();
    assert_eq!(scene.liquids().map(|liquids| liquids.placed().len()), Some(1));
    scene.set_liquids(None);
    assert_eq!(scene.revision(), revision);
    assert_eq!(at(&scene, DVec3::ONE), None);
    assert_eq!(surface(&clone, DVec3::ONE), Some(3.0));
}

#[test]
fn sheets_take_little_memory() {
    let grid = LiquidGrid { rows: 128, columns: 128, spacing: [4.0; 2], origin: [0.0; 2] };
    let flat = LiquidSheet::new(grid, Heights::Flat(0.0), LiquidKind::Water).unwrap();
    assert!(flat.memory() < 400, "{}", flat.memory());
    let heights = Heights::F32(vec![0.0; 129 * 129]);
    let sheet = LiquidSheet::new(grid, heights, LiquidKind::Water).unwrap();
    let wet: Vec<bool> = (0..128 * 128).map(|cell| cell % 3 == 0).collect();
    let sheet = sheet.with_wet(&wet).unwrap();
    // Four bytes per corner and one bit per cell.
    assert!(sheet.memory() < 129 * 129 * 4 + 128 * 16 + 400, "{}", sheet.memory());
    let placed: PlacedLiquid = open(Arc::new(sheet), Pose::IDENTITY);
    assert_eq!(placed.bounds().unwrap().size(), dvec3(512.0, 512.0, 0.0));
}
