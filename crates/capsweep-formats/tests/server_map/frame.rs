//! Frames, tiles, and the transform of placements.

use capsweep_formats::server_map::frame::{
    CELL_EDGE, MID, TILE_EDGE, internal_box_to_world, internal_to_world, placement_pose,
};
use capsweep_formats::server_map::{Naming, TileIndex};
use capsweep_testkit::Rng;
use glam::{DMat3, DVec3, Vec3, dvec3, vec3};

#[test]
fn constants_are_the_f32_values_of_servers() {
    assert_eq!(f64::from(MID), 17_066.666_015_625);
    assert_eq!(f64::from(TILE_EDGE), 533.333_312_988_281_2);
    assert_eq!(f64::from(CELL_EDGE) * 128.0, f64::from(TILE_EDGE));
}

#[test]
fn the_world_is_the_internal_frame_after_a_half_turn() {
    let mid = f64::from(MID);
    assert_eq!(internal_to_world(vec3(0.0, 0.0, 5.0)), dvec3(mid, mid, 5.0));
    assert_eq!(internal_to_world(vec3(MID, MID, -5.0)), dvec3(0.0, 0.0, -5.0));
    let [low, high] = internal_box_to_world([vec3(1.0, 20.0, 3.0), vec3(4.0, 50.0, 6.0)]);
    assert_eq!(low, dvec3(mid - 4.0, mid - 50.0, 3.0));
    assert_eq!(high, dvec3(mid - 1.0, mid - 20.0, 6.0));
}

#[test]
fn the_tile_of_a_point_counts_from_north_west() {
    // X from 0 to 533 south of the middle is row 32; Y likewise.
    let tile = |x, y| TileIndex::of_point(x, y).map(|tile| (tile.row(), tile.col()));
    assert_eq!(tile(-1.0, -1.0), Some((32, 32)));
    assert_eq!(tile(1.0, -1.0), Some((31, 32)));
    assert_eq!(tile(-1.0, 1.0), Some((32, 31)));
    assert_eq!(tile(17_066.0, -17_066.0), Some((0, 63)));
    // The start of humans: X −8949.95, Y −132.49.
    assert_eq!(tile(-8949.95, -132.493), Some((48, 32)));
    for outside in [17_067.0, -17_067.0, f64::NAN, f64::INFINITY] {
        assert_eq!(tile(outside, 0.0), None);
        assert_eq!(tile(0.0, outside), None);
    }
    assert_eq!(TileIndex::new(64, 0), None);
    assert_eq!(TileIndex::new(0, 64), None);
}

#[test]
fn every_tile_contains_its_corner_and_ends_at_that_of_the_next() {
    for index in 0..64 {
        let tile = TileIndex::new(index, 63 - index).unwrap();
        let [x, y] = tile.corner();
        assert_eq!(TileIndex::of_point(x, y), Some(tile));
        let edge = f64::from(TILE_EDGE);
        assert_eq!(TileIndex::of_point(x - edge + 1e-6, y - edge + 1e-6), Some(tile));
        if let Some(next) = TileIndex::new(index + 1, 63 - index) {
            assert_eq!(next.corner()[0], x - 128.0 * f64::from(CELL_EDGE));
        }
    }
}

#[test]
fn files_are_named_row_first_for_terrain_and_column_first_for_placements() {
    let tile = TileIndex::new(48, 32).unwrap();
    assert_eq!(Naming::Classic.terrain(0, tile), "0004832.map");
    assert_eq!(Naming::Classic.tile(0, tile), "000_32_48.vmtile");
    assert_eq!(Naming::Classic.tree(530), "530.vmtree");
    assert_eq!(Naming::Master.terrain(0, tile), "0000_48_32.map");
    assert_eq!(Naming::Master.tile(0, tile), "0000/0000_32_48.vmtile");
    assert_eq!(Naming::Master.tree(2222), "2222/2222.vmtree");
}

/// The rotation about an axis, counter-clockwise for a positive angle, typed as a matrix.
fn rotation(axis: char, degrees: f64) -> DMat3 {
    let (s, c) = degrees.to_radians().sin_cos();
    let rows = match axis {
        'x' => [[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]],
        'y' => [[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]],
        _ => [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]],
    };
    DMat3::from_cols_array_2d(&rows).transpose()
}

/// The world position of a vertex, by the formulas of the format.
fn expected(position: Vec3, angles: Vec3, scale: f32, vertex: DVec3) -> DVec3 {
    let angles = angles.as_dvec3();
    let r = rotation('z', angles.y) * rotation('y', angles.x) * rotation('x', angles.z);
    let internal = r * (f64::from(scale) * vertex) + position.as_dvec3();
    dvec3(f64::from(MID) - internal.x, f64::from(MID) - internal.y, internal.z)
}

#[test]
fn a_placement_is_posed_as_the_product_of_three_matrices() {
    let mut rng = Rng::new(&[22, 1]);
    for case in 0..2000 {
        let mut number = |low, high| rng.range(low, high) as f32;
        let position = vec3(number(0.0, 34e3), number(0.0, 34e3), number(-500.0, 2e3));
        let turns = [1.0, 360.0, 4623.0][case % 3];
        let angles = vec3(number(-turns, turns), number(-turns, turns), number(-turns, turns));
        let scale = number(0.07, 106.0);
        let pose = placement_pose(position, angles, scale).unwrap();
        let vertex = dvec3(3.0, -7.0, 11.0);
        let (found, expected) =
            (pose.point_to_world(vertex), expected(position, angles, scale, vertex));
        assert!(found.abs_diff_eq(expected, 1e-8), "{position} {angles} {scale}: {found}");
        assert!(!pose.is_mirrored());
    }
}

#[test]
fn each_angle_turns_about_its_own_axis() {
    let mid = f64::from(MID);
    let place = |angles| {
        let pose = placement_pose(Vec3::ZERO, angles, 1.0).unwrap();
        [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| pose.vector_to_world(axis).round())
    };
    let (x, y, z) = (DVec3::X, DVec3::Y, DVec3::Z);
    // A half-turn alone.
    assert_eq!(place(Vec3::ZERO), [-x, -y, z]);
    // The second angle is about z: x goes to y, and the half-turn takes that to −y.
    assert_eq!(place(vec3(0.0, 90.0, 0.0)), [-y, x, z]);
    // The first is about y: x goes down. The last is about x: y goes up.
    assert_eq!(place(vec3(90.0, 0.0, 0.0)), [-z, -y, -x]);
    assert_eq!(place(vec3(0.0, 0.0, 90.0)), [-x, z, y]);
    let pose = placement_pose(vec3(1.0, 2.0, 3.0), Vec3::ZERO, 1.0).unwrap();
    assert_eq!(pose.position(), dvec3(mid - 1.0, mid - 2.0, 3.0));
}

#[test]
fn quarter_turns_have_the_same_bits_after_any_number_of_turns() {
    for quarter in [-270.0, -180.0, -90.0, 0.0, 90.0, 180.0, 270.0_f32] {
        let pose = |degrees| placement_pose(Vec3::ONE, vec3(0.0, degrees, 0.0), 1.5).unwrap();
        let once = pose(quarter);
        for turns in [-13.0, -1.0, 1.0, 7.0_f32] {
            let axes = pose(quarter + 360.0 * turns).axes();
            assert_eq!(axes, once.axes(), "{quarter} {turns}");
        }
        for axis in once.axes().to_cols_array() {
            assert!((axis.abs() * (1.0 - axis.abs())).abs() < 1e-15, "{quarter}: {axis}");
        }
    }
}

#[test]
fn numbers_that_are_not_finite_make_no_pose() {
    assert!(placement_pose(vec3(f32::NAN, 0.0, 0.0), Vec3::ZERO, 1.0).is_err());
    assert!(placement_pose(Vec3::ZERO, vec3(0.0, f32::INFINITY, 0.0), 1.0).is_err());
    assert!(placement_pose(Vec3::ZERO, Vec3::ZERO, 0.0).is_err());
}
