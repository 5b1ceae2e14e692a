//! Rules 6 to 9: region, normal, point and depth of a contact.

use super::{
    EXACT, SINGLE, assert_at, assert_near, capsule, flipped, floor, motion, raised, standing,
    sweep, triangle,
};
use capsweep::{
    HalfSpace, Motion, Region, Sides, closest_capsule_triangle, contact, overlap_capsule_triangle,
    sweep_capsule_half_space, sweep_capsule_triangle,
};
use glam::{DVec3, Vec3, dvec3, vec3};

// 6: regions -------------------------------------------------------------------------------------

/// 6.1: ground, wall and ceiling meet the bottom, the side and the top.
#[test]
fn ground_wall_and_ceiling_touch_bottom_side_and_top() {
    let cases = [
        (dvec3(0.0, 0.0, -1.0), DVec3::Z, Region::Bottom),
        (dvec3(3.0, 0.0, 0.0), DVec3::NEG_X, Region::Side),
        (dvec3(0.0, 0.0, 5.0), DVec3::NEG_Z, Region::Top),
    ];
    for (point, normal, region) in cases {
        let plane = HalfSpace::new(point, normal).unwrap();
        let way = Motion::new(normal * -6.0).unwrap();
        let hit = sweep_capsule_half_space(&standing(), &way, &plane, Sides::Front).unwrap();
        assert_eq!(hit.region, region, "{hit:?}");
    }
}

/// 6.2: radius 0.5 around the ends of an axis from z = 1 to 4: side from 1.5 to 3.5.
#[test]
fn bands_of_one_radius_around_the_ends_are_bottom_and_top() {
    let long = capsule(dvec3(2.0, -1.0, 1.0), dvec3(2.0, -1.0, 4.0), 0.5);
    let at = |z: f64| contact::region_by_bands(&long, dvec3(2.4, -0.7, z));
    for (z, region) in [
        (0.2, Region::Bottom),
        (1.49, Region::Bottom),
        (1.51, Region::Side),
        (3.49, Region::Side),
        (3.51, Region::Top),
        (4.7, Region::Top),
    ] {
        assert_eq!(at(z), region, "at {z}");
    }
    let ball = capsule(dvec3(2.0, -1.0, 1.0), dvec3(2.0, -1.0, 1.0), 0.5);
    assert_eq!(contact::region_by_bands(&ball, dvec3(2.0, -1.0, 0.5)), Region::Sphere);
}

/// 6.3: a tenth of the axis at each end, its limits included; the parameter is not clamped.
#[test]
fn a_tenth_of_the_axis_at_each_end_is_bottom_and_top() {
    for (axis_t, region) in [
        (-0.3, Region::Bottom),
        (0.1, Region::Bottom),
        (0.11, Region::Side),
        (0.89, Region::Side),
        (0.9, Region::Top),
        (1.7, Region::Top),
    ] {
        assert_eq!(contact::region_by_parameter(axis_t), region, "at {axis_t}");
    }
}

// 7: normals -------------------------------------------------------------------------------------

/// 7.1: turned only if it points along the motion.
#[test]
fn a_sweeps_normal_is_turned_against_the_motion() {
    let normal = vec3(0.6, 0.0, 0.8);
    assert_eq!(contact::oppose_motion(normal, dvec3(1.0, 5.0, 0.0)), -normal);
    assert_eq!(contact::oppose_motion(normal, dvec3(-1.0, 5.0, 0.0)), normal);
    assert_eq!(
        contact::oppose_motion(normal, dvec3(0.0, 5.0, 0.0)),
        normal,
        "across: left as it is"
    );
}

/// 7.1: a hit's own normal opposes the motion already, whichever side was hit.
#[test]
fn a_hits_own_normal_never_has_to_be_turned() {
    for (target, way) in [
        (floor(-1.0), motion(1.0, 0.5, -4.0)),
        (flipped(&floor(-1.0)), motion(1.0, 0.5, -4.0)),
        (floor(4.0), motion(-1.0, 0.5, 4.0)),
    ] {
        let hit = sweep_capsule_triangle(&standing(), &way, &target, Sides::Both).unwrap();
        assert!(hit.normal.as_dvec3().dot(way.vector()) < 0.0, "{hit:?}");
        assert_eq!(contact::oppose_motion(hit.normal, way.vector()), hit.normal);
    }
}

/// 7.2: turned from the closest point towards the capsule's centre.
#[test]
fn an_overlaps_normal_is_turned_towards_the_capsule() {
    let normal = vec3(0.6, 0.0, 0.8);
    let closest = dvec3(1.0, 2.0, 3.0);
    let turned = |center: DVec3| contact::face_capsule(normal, center, closest);
    assert_eq!(turned(dvec3(1.0, 7.0, 2.9)), -normal);
    assert_eq!(turned(dvec3(1.0, 7.0, 3.1)), normal);
    assert_eq!(turned(closest), normal, "no side to turn to");
}

/// 7.2: out of a floor is up from above and down from below.
#[test]
fn an_overlap_pushes_to_the_side_that_the_capsule_is_on() {
    let above = overlap_capsule_triangle(&raised(-0.125), &floor(0.0)).unwrap();
    let below = overlap_capsule_triangle(&raised(-2.125), &floor(0.0)).unwrap();
    assert_eq!((above.normal, below.normal), (Vec3::Z, Vec3::NEG_Z));
    assert_near(below.depth, 0.125, EXACT);
}

/// 7.3: for ground, along any up.
#[test]
fn a_ground_normal_is_turned_up() {
    let normal = vec3(0.6, 0.0, -0.8);
    assert_eq!(contact::face_up(normal, DVec3::Z), -normal);
    assert_eq!(contact::face_up(normal, dvec3(2.0, 0.0, 1.0)), normal);
}

/// 7.4: nothing turns the normals of walls and ceilings up; an overhang's keeps pushing down.
#[test]
fn walls_and_ceilings_keep_their_normals() {
    let ceiling = flipped(&floor(4.0));
    let hit = sweep(&standing(), &motion(0.5, 0.0, 5.0), &ceiling).unwrap();
    assert_eq!(hit.normal, Vec3::NEG_Z);
    assert_eq!(contact::face_up(hit.normal, DVec3::Z), Vec3::Z, "which is what must not be done");

    let leaning = HalfSpace::new(dvec3(4.0, 0.0, 0.0), dvec3(-0.8, 0.0, -0.6)).unwrap();
    let way = motion(5.0, 1.0, 0.0);
    let hit = sweep_capsule_half_space(&standing(), &way, &leaning, Sides::Front).unwrap();
    assert_at(hit.normal.as_dvec3(), dvec3(-0.8, 0.0, -0.6), SINGLE);
}

// 8 and 9: contact points and depths -------------------------------------------------------------

/// 8.1: on the slope with normal (−0.6, 0, 0.8) through the origin, p0 = (0.3, −0.2, 2.5) is 1.82
/// m high. It falls until that is 0.5: by 1.32 / 0.8 = 1.65 m.
#[test]
fn a_sweeps_point_is_where_the_lower_end_meets_the_plane() {
    let slope = HalfSpace::new(DVec3::ZERO, dvec3(-0.6, 0.0, 0.8)).unwrap();
    let fall = motion(0.0, 0.0, -3.0);
    let hit = sweep_capsule_half_space(&raised(2.0), &fall, &slope, Sides::Front).unwrap();
    assert_near(hit.distance, 1.65, EXACT);
    let expected = dvec3(0.3 + 0.3, -0.2, 2.5 - 1.65 - 0.4);
    assert_at(hit.point, expected, EXACT);
    let from_normal =
        contact::contact_point_from_normal(&raised(2.0), &fall, hit.time, hit.normal);
    assert_at(from_normal, expected, SINGLE);
}

/// 8.1: a wall touches the whole axis; the middle stands for it.
#[test]
fn a_point_from_a_normal_across_the_axis_is_the_middle() {
    let way = motion(2.0, 0.0, 0.0);
    let point = contact::contact_point_from_normal(&standing(), &way, 0.75, Vec3::NEG_X);
    assert_at(point, dvec3(0.3 + 1.5 + 0.5, -0.2, 1.125), EXACT);
    let wall = HalfSpace::new(dvec3(2.3, 0.0, 0.0), DVec3::NEG_X).unwrap();
    let hit = sweep_capsule_half_space(&standing(), &way, &wall, Sides::Front).unwrap();
    assert_at(hit.point, point, EXACT);
}

/// 8.2: the closest point on the geometry.
#[test]
fn an_overlaps_point_is_the_closest_point_on_the_geometry() {
    let plate = triangle(dvec3(0.0, -4.0, 0.0), dvec3(0.0, 5.0, 0.0), dvec3(-6.0, 0.5, 0.0));
    let beside = capsule(dvec3(0.3, 0.5, 0.4), dvec3(0.3, 0.5, 1.5), 0.75);
    let overlap = overlap_capsule_triangle(&beside, &plate).unwrap();
    assert_at(overlap.point, dvec3(0.0, 0.5, 0.0), EXACT);
    assert_eq!(overlap.point, closest_capsule_triangle(&beside, &plate).on_geometry);
}

/// 9.1: the radius less the distance, and never negative.
#[test]
fn a_depth_is_the_radius_less_the_distance() {
    let capsule = standing();
    let on_axis = capsule.p0();
    // (2, 3, 6) / 16 is 7/16 long.
    let near = on_axis + dvec3(2.0, 3.0, -6.0) / 16.0;
    assert_near(contact::depth_from_closest(&capsule, on_axis, near), 0.0625, EXACT);
    let far = on_axis + dvec3(2.0, 3.0, -6.0) / 8.0;
    assert_eq!(contact::depth_from_closest(&capsule, on_axis, far), 0.0);
}

/// 9.2 and B.4: a depth of an instance at scale 2.5, also where it is mirrored.
#[test]
fn a_depth_grows_with_a_uniform_scale() {
    assert_eq!(contact::scale_depth(0.25, 2.5), 0.625);
    assert_eq!(contact::scale_depth(0.25, -2.5), 0.625);
}

/// B.4: the same floor at scales 1 and 2.5, under the capsule and under one 2.5 times as large.
#[test]
fn a_depth_is_measured_in_the_world_and_needs_no_scale() {
    let overlap = overlap_capsule_triangle(&raised(-0.125), &floor(0.0)).unwrap();
    let [a, b, c] = floor(0.0).vertices().map(|vertex| vertex * 2.5);
    let small = raised(-0.125);
    let large = capsule(small.p0() * 2.5, small.p1() * 2.5, 1.25);
    let scaled = overlap_capsule_triangle(&large, &triangle(a, b, c)).unwrap();
    assert_near(scaled.depth, contact::scale_depth(overlap.depth, 2.5), EXACT);
    assert_near(scaled.depth, 0.3125, EXACT);
}
