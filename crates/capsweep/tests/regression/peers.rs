//! Inputs of public bug reports against other engines, where their numbers could be found.
//!
//! A test is named after the tracker and the issue. Expected values are computed from the stated
//! input in f64; reported values are single precision and only as good as that.

use crate::{assert_direction, assert_near, capsule, motion, sphere_capsule, triangle};
use capsweep::{
    Capsule, Feature, HalfSpace, Obb, Sides, closest_capsule_triangle, overlap_capsule_box,
    overlap_capsule_capsule, overlap_capsule_half_space, overlap_capsule_triangle,
    sweep_capsule_box, sweep_capsule_capsule, sweep_capsule_triangle,
};
use glam::{DMat3, DQuat, DVec3, Vec3, dvec3, vec3};

fn flat_box(center: DVec3, half_extents: Vec3) -> Obb {
    Obb::axis_aligned(center, half_extents).unwrap()
}

/// The lower cap meets the edge between the second and third vertex; the engine saw no hit.
#[test]
fn physx_597_capsule_meets_an_edge_from_outside_the_face() {
    let center = dvec3(7.741_100_79, 80.854_316_7, -27.259_548_2);
    let half = dvec3(0.0, 0.340_350_509, 0.0);
    let mover = Capsule::from_center(center, half, 0.265_350_759).unwrap();
    let target = triangle([
        [7.332_940_10, 79.610_900_9, -26.933_799_7],
        [7.614_560_13, 80.257_400_5, -27.300_899_5],
        [7.332_940_10, 80.257_400_5, -26.933_799_7],
    ]);
    let direction = dvec3(-0.929_564_953, -0.028_111_914_2, 0.367_584_974);
    let way = motion((direction * 0.149_537_891).to_array());
    let hit = sweep_capsule_triangle(&mover, &way, &target, Sides::Both);
    // The report's own value carries the rounding of f32 at 80 m and a grazing normal.
    assert_near(hit.map(|hit| hit.distance), 0.094_412_796_2, 3e-5);
    let hit = hit.unwrap();
    assert_eq!(hit.feature, Feature::Edge(1));
    assert_direction(hit.normal, [0.230_444, 0.956_892, 0.176_785]);
    assert!(hit.point.distance(dvec3(7.592_196_94, 80.257_400_5, -27.271_747_6)) < 3e-5);
}

/// Axis, edge and motion all in one line: overlapping, and the engine's sweep missed it.
#[test]
fn physx_600_axis_along_an_edge_and_the_motion_still_overlaps() {
    let mover = capsule([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], 0.3);
    let target = triangle([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]]);
    let way = motion([-1.0, 0.0, 0.0]);
    let hit = sweep_capsule_triangle(&mover, &way, &target, Sides::Both).unwrap();
    assert_eq!((hit.time, hit.distance), (0.0, 0.0));
    // The shortest way out lifts the axis off the triangle by the radius, up or sideways.
    assert_near(Some(hit.depth), f64::from(0.3_f32), 1e-7);
    assert!(overlap_capsule_triangle(&mover, &target).is_some());
}

/// A sliver two metres away; the engine saw a hit.
#[test]
fn jolt_886_sphere_does_not_hit_a_distant_sliver() {
    let mover = sphere_capsule([14.831_459_0, 8.190_550_80, -4.308_250_43], 0.2);
    let target = triangle([
        [14.553_621_3, 10.597_372_1, -0.006_000_518_80],
        [14.553_621_3, 10.596_931_5, -3.186_381_34],
        [14.553_621_3, 10.596_931_5, -5.186_372_28],
    ]);
    let way = motion([-0.098_800_659_2, 5.960_464_48e-8, 0.000_732_421_875]);
    assert_eq!(sweep_capsule_triangle(&mover, &way, &target, Sides::Both), None);
    let end = mover.translated(way.vector()).unwrap();
    assert_near(Some(closest_capsule_triangle(&end, &target).distance), 2.213_031_7, 1e-6);
}

/// Walls almost parallel to the axis, where the engine found depths of up to 16 m.
#[test]
fn jolt_940_a_wall_along_the_axis_gives_the_true_depth() {
    let upright = |half: f64, radius: f32| capsule([0.0, -half, 0.0], [0.0, half, 0.0], radius);
    let near = triangle([
        [-0.479_988_575, -1.361_850_02, 0.269_966_960],
        [-0.104_996_204, 0.388_152_480, 0.269_967_079],
        [-0.104_996_204, -1.361_850_02, 0.269_966_960],
    ]);
    let overlap = overlap_capsule_triangle(&upright(0.5, 0.37), &near);
    assert_near(overlap.map(|o| o.depth), 0.080_334_0, 1e-6);
    assert_direction(overlap.unwrap().normal, [0.362_473, 0.0, -0.931_994]);

    let tall = triangle([
        [-0.090_441_703_8, -4.724_102_02, 0.307_858_467],
        [-0.090_441_703_8, 5.275_897_98, 0.307_857_513],
        [9.909_558_30, 5.275_897_98, 0.307_864_189],
    ]);
    let overlap = overlap_capsule_triangle(&upright(0.675, 0.42), &tall);
    assert_near(overlap.map(|o| o.depth), 0.112_141_97, 1e-6);
    assert_direction(overlap.unwrap().normal, [0.0, 0.0, -1.0]);

    let apart = triangle([
        [-0.474_807_739, 17.292_179_1, 0.212_532_043],
        [-0.474_807_739, -2.707_821_85, 0.212_535_858],
        [-0.857_490_540, -2.707_821_85, -0.711_341_858],
    ]);
    let mover = upright(0.649_999_976, 0.5);
    assert_eq!(overlap_capsule_triangle(&mover, &apart), None);
    let near = closest_capsule_triangle(&mover, &apart);
    assert_near(Some(near.distance), 0.019_998_86, 1e-6);
    assert_direction(near.normal, [0.923_879_5, 0.0, -0.382_683_5]);
}

/// The engine's error grew with the box: 0.25, 3.6 and 139 mm at half extents of 5, 50 and 500 m.
#[test]
fn parry_429_sphere_reaches_a_big_box_on_time() {
    for extent in [5.0, 50.0, 500.0] {
        let ground = flat_box(dvec3(0.0, -0.5, 0.0), vec3(extent, 0.5, extent));
        for i in 0..200 {
            for (x, z) in [(1.4, 2.8), (-1.4, -0.4), (1.4, -2.0), (-1.4, 2.0)] {
                let y = 1.177 + f64::from(i) * 5e-5;
                let mover = sphere_capsule([x, y, z], 0.5166);
                let way = motion([0.0, -2.0, 0.0]);
                let hit = sweep_capsule_box(&mover, &way, &ground, Sides::Front);
                assert_near(hit.map(|hit| hit.distance), y - f64::from(0.5166_f32), 1e-9);
            }
        }
    }
}

#[test]
fn parry_414_sphere_and_capsule_reach_a_huge_box_on_time() {
    let radius = 0.438;
    for (start, half_extents) in [
        (dvec3(43.0, 1.281, 5.7), vec3(5000.0, 0.5, 5000.0)),
        (dvec3(0.0, 1.281, 0.0), vec3(1.0, 0.5, 1.0)),
    ] {
        let ground = flat_box(dvec3(0.0, -0.6, 0.0), half_extents);
        for half_axis in [0.0, 0.25] {
            let mover = Capsule::from_center(start, dvec3(0.0, half_axis, 0.0), radius).unwrap();
            let way = motion([0.0, -2.0, 0.0]);
            let hit = sweep_capsule_box(&mover, &way, &ground, Sides::Front);
            let exact = 1.281 - half_axis - f64::from(radius) + 0.1;
            assert_near(hit.map(|hit| hit.distance), exact, 1e-9);
        }
    }
}

/// An axis along the triangle's normal, which a 1 µm tilt of the triangle upset.
#[test]
fn bepu_101_axis_along_the_normal_survives_a_tiny_tilt() {
    let mover = capsule([0.0, -0.5, 0.0], [0.0, 0.5, 0.0], 0.5);
    for (tilt, depth) in [(0.0, 0.1), (1e-6, 0.100_000_45), (1e-5, 0.100_004_5)] {
        let target = triangle([[9.0, -0.9, -6.0], [9.0, -0.9, 4.0], [-11.0, -0.9 + tilt, 4.0]]);
        let overlap = overlap_capsule_triangle(&mover, &target);
        assert_near(overlap.map(|o| o.depth), depth, 1e-8);
        assert!(overlap.unwrap().point.distance(dvec3(0.0, -0.9, 0.0)) < 1e-5);
    }
}

/// A sphere grazes the border of a floor, then meets a wall; the engine lost the wall. The report
/// does not give the floor's height, taken as 0 here.
#[test]
fn physx_505_a_grazed_edge_does_not_hide_the_wall_behind_it() {
    let mover = sphere_capsule([-0.781_31, 0.309_200_1, 0.0], 0.25);
    let way = motion([4.0, -0.3, 0.0]);
    let floor = triangle([[0.0, 0.0, -3.0], [-5.0, 0.0, 0.5], [0.0, 0.0, 4.0]]);
    let wall = triangle([[1.0, -3.0, -2.0], [1.0, -3.0, 3.0], [1.0, 5.0, 0.5]]);
    for sides in [Sides::Front, Sides::Both] {
        let graze = sweep_capsule_triangle(&mover, &way, &floor, sides);
        assert_near(graze.map(|hit| hit.time), 0.198_237_3, 1e-6);
        assert_direction(graze.unwrap().normal, [0.046_556_6, 0.998_915_7, 0.0]);
        let stop = sweep_capsule_triangle(&mover, &way, &wall, sides);
        assert_near(stop.map(|hit| hit.time), (1.0 - 0.25 + 0.781_31) / 4.0, 1e-9);
    }
}

/// A last-digit change of the start flipped the engine's answer between hit and none. The report
/// is flat and without radius: here the segment is a thin capsule and the square a box.
#[test]
fn parry_180_neighbouring_starts_all_hit() {
    let radius = 0.001_f32;
    let mover = capsule([1.0, 1.0, 0.0], [124.0, 1.0, 0.0], radius);
    for x in [15.689_464, 15.689_465, 15.689_466] {
        let square = flat_box(dvec3(x, 54.007_09, 0.0), vec3(2.0, 2.0, 1.0));
        let way = motion([-0.813_85, 99.9966, 0.0]);
        let hit = sweep_capsule_box(&mover, &way, &square, Sides::Front);
        let exact = (51.007_09 - f64::from(radius)) / 99.9966;
        assert_near(hit.map(|hit| hit.time), exact, 1e-12);
    }
}

/// A box swept onto a box came out at 2.9975 instead of 3; the same gap for a sphere.
#[test]
fn physx_610_three_metres_are_three_metres() {
    let ground = flat_box(dvec3(0.0, 10.0, 0.0), Vec3::ONE);
    let hit = sweep_capsule_box(
        &sphere_capsule([0.0, 15.0, 0.0], 1.0),
        &motion([0.0, -10.0, 0.0]),
        &ground,
        Sides::Front,
    );
    assert_near(hit.map(|hit| hit.distance), 3.0, 1e-12);
}

/// A touch of 4 µm for which the engine reported a depth of 7.25 m. Its mover was a cylinder; an
/// upright capsule of the same radius faces the same side.
#[test]
fn jolt_2103_a_touch_of_micrometres_has_a_depth_of_micrometres() {
    let still = capsule([0.0, -2.031_143_43, 0.0], [0.0, 2.031_143_43, 0.0], 7.197_321_89);
    let center = dvec3(-0.951_660_156, -2.091_552_73, -7.635_742_18);
    let mover = Capsule::from_center(center, dvec3(0.0, 0.3, 0.0), 0.4975).unwrap();
    let way = motion([0.002_441_406_25, -0.006_835_937_5, 0.002_929_687_5]);
    let hit = sweep_capsule_capsule(&mover, &way, &still, Sides::Both).unwrap();
    assert_eq!(hit.time, 0.0);
    assert_near(Some(hit.depth), 4.43e-6, 1e-7);
    let overlap = overlap_capsule_capsule(&mover, &still);
    assert_near(overlap.map(|o| o.depth), 4.43e-6, 1e-7);
}

/// False negatives of capsule against a large box, at every height over it.
#[test]
fn parry_70_capsule_overlaps_a_large_box_at_every_height() {
    let ground = flat_box(dvec3(0.0, -50.0, 0.0), Vec3::splat(50.0));
    let floor = HalfSpace::new(DVec3::ZERO, DVec3::Y).unwrap();
    for half_axis in [0.0, 0.5] {
        for k in 0..200 {
            let y = -0.5 + f64::from(k) / 200.0;
            let center = dvec3(0.0, y, 0.0);
            let mover = Capsule::from_center(center, dvec3(0.0, half_axis, 0.0), 0.5).unwrap();
            let exact = 0.5 - (y - half_axis);
            assert_near(overlap_capsule_box(&mover, &ground).map(|o| o.depth), exact, 1e-9);
            let solid = overlap_capsule_half_space(&mover, &floor);
            assert_near(solid.map(|o| o.depth), exact, 1e-9);
        }
    }
}

/// Errors of up to 6 cm that changed with the position over a wide box.
#[test]
fn bevy_rapier_119_sphere_over_a_wide_box_is_on_time_everywhere() {
    let ground = flat_box(DVec3::ZERO, vec3(500.0, 1.0, 500.0));
    for i in -300..300 {
        let mover = sphere_capsule([f64::from(i) * 0.01, 3.0, f64::from(i) * -0.013], 1.0);
        let hit = sweep_capsule_box(&mover, &motion([0.0, -2.0, 0.0]), &ground, Sides::Front);
        assert_near(hit.map(|hit| hit.time), 0.5, 1e-12);
    }
}

/// The engine put the contact seven metres away.
#[test]
fn bullet_596_sphere_overlapping_a_turned_box_touches_where_it_is() {
    let start = dvec3(-27.449_842, -2.994_380, 109.886_520);
    let end = dvec3(-27.529_308, -3.604_819, 109.553_276);
    let rotation = DQuat::from_xyzw(-0.057_141, 0.572_179, 0.040_011, 0.817_157);
    let half_extents = vec3(19.919_998, 0.92, 49.919_998);
    let slab = Obb::new(dvec3(0.0, 0.0, 120.0), half_extents, rotation).unwrap();
    let mover = sphere_capsule(start.to_array(), 0.45);
    let way = motion((end - start).to_array());
    let hit = sweep_capsule_box(&mover, &way, &slab, Sides::Front).unwrap();
    assert_eq!(hit.time, 0.0);
    assert_near(Some(hit.depth), 0.263_945_9, 1e-5);
    assert_direction(hit.normal, [-0.130_780_3, 0.990_268_1, -0.047_599_4]);
    assert!(hit.point.distance(dvec3(-27.425_507, -3.178_623, 109.895_378)) < 1e-4);
}

/// A 150 m axis through a small box: 0.99 of the depth leaves them overlapping, 1.01 does not.
#[test]
fn jolt_long_capsule_clears_an_embedded_box_by_its_depth() {
    let end = dvec3(-9.685_385_7, -18.032_808_3, 41.321_228);
    let mover = Capsule::new(end, end + dvec3(0.0, 0.0, 150.0), 1.5).unwrap();
    // The stated matrix is read by rows: only so does the axis enter the box.
    let axes = DMat3::from_cols(
        dvec3(0.516_170_502, -0.803_887_904, -0.295_520_246),
        dvec3(0.815_010_250, 0.354_940_295, 0.458_012_700),
        dvec3(-0.263_298_869, -0.477_264_702, 0.838_386_655),
    )
    .transpose();
    let (min, max) = (dvec3(-1.0, -2.0, 0.5), dvec3(2.0, -0.5, 3.0));
    let origin = dvec3(-10.221_450_8, -18.680_831_9, 40.746_898_7);
    let target = Obb::new(
        origin + axes * ((min + max) * 0.5),
        ((max - min) * 0.5).as_vec3(),
        DQuat::from_mat3(&axes),
    )
    .unwrap();
    let overlap = overlap_capsule_box(&mover, &target).unwrap();
    let moved = |share: f64| {
        let push = overlap.normal.as_dvec3() * (overlap.depth * share);
        overlap_capsule_box(&mover.translated(push).unwrap(), &target)
    };
    assert!(moved(0.99).is_some());
    assert_eq!(moved(1.01), None);
    // Nothing shorter: across the axis the box and the capsule span less than 5.5 m together.
    assert!(overlap.depth < 5.5, "depth {}", overlap.depth);
}

/// Sinking 0.1 m into a floor of small squares: one of them alone is deep in the capsule.
#[test]
fn jolt_a_deep_start_reports_the_depth_of_the_floor() {
    let mover = capsule([0.0, 0.1, 0.0], [0.0, 4.1, 0.0], 1.0);
    let target = triangle([[-0.05, 0.0, -0.05], [0.05, 0.0, 0.05], [0.05, 0.0, -0.05]]);
    let hit = sweep_capsule_triangle(&mover, &motion([0.0, -100.0, 0.0]), &target, Sides::Front)
        .unwrap();
    assert_eq!(hit.time, 0.0);
    assert_near(Some(hit.depth), 0.9, 1e-9);
    assert_direction(hit.normal, [0.0, 1.0, 0.0]);
}

/// A motion of 7·10⁻⁴² m put the engine into an endless loop.
#[test]
fn parry_123_a_vanishing_motion_ends_with_no_hit() {
    let mover = sphere_capsule([0.0; 3], 0.375);
    let target = triangle([[12.0, 5.0, 0.0], [11.0, 5.0, 0.0], [11.0, 6.0, 0.0]]);
    let way = motion([0.0, 6.925e-42, 0.0]);
    assert_eq!(sweep_capsule_triangle(&mover, &way, &target, Sides::Both), None);
}
