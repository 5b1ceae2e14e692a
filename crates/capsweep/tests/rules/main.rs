//! The rules that capsweep follows as they stand, with numbers worked out by hand. No shape here
//! is symmetric.
//!
//! `corrections` has the rules that capsweep corrects, `docs/rules.md` lists both.

#![expect(
    clippy::unwrap_used,
    reason = "clippy.toml allows it in tests, but not in their helpers"
)]

mod appendices;
mod contact;
mod corrections;
mod values;

use capsweep::{
    CONTACT_TOLERANCE, Capsule, Feature, Motion, Obb, Region, Sides, Sphere, SweepHit, Triangle,
    closest_capsule_sphere, closest_capsule_triangle, overlap_capsule_triangle, sweep_capsule_box,
    sweep_capsule_capsule, sweep_capsule_sphere, sweep_capsule_triangle,
};
use glam::{DQuat, DVec3, Vec3, dvec3, vec3};

/// Agreement of numbers that two f64 computations must share (metres).
const EXACT: f64 = 1e-12;
/// Agreement of numbers of which one was rounded to f32 (metres, or no unit).
const SINGLE: f64 = 1e-6;

fn capsule(p0: DVec3, p1: DVec3, radius: f32) -> Capsule {
    Capsule::new(p0, p1, radius).unwrap()
}

/// Upright on the floor z = 0 at x = 0.3, y = −0.2: radius 0.5, axis from z = 0.5 to 1.75.
fn standing() -> Capsule {
    raised(0.0)
}

/// The same with its feet at `z`.
fn raised(z: f64) -> Capsule {
    capsule(dvec3(0.3, -0.2, z + 0.5), dvec3(0.3, -0.2, z + 1.75), 0.5)
}

fn triangle(a: DVec3, b: DVec3, c: DVec3) -> Triangle {
    Triangle::new(a, b, c).unwrap()
}

/// A large floor at height `z`, facing up.
fn floor(z: f64) -> Triangle {
    triangle(dvec3(-19.0, -17.0, z), dvec3(23.0, -16.0, z), dvec3(1.0, 29.0, z))
}

/// The same triangle with its front on the other side.
fn flipped(triangle: &Triangle) -> Triangle {
    let [a, b, c] = triangle.vertices();
    self::triangle(a, c, b)
}

fn motion(x: f64, y: f64, z: f64) -> Motion {
    Motion::new(dvec3(x, y, z)).unwrap()
}

fn sweep(capsule: &Capsule, motion: &Motion, triangle: &Triangle) -> Option<SweepHit> {
    sweep_capsule_triangle(capsule, motion, triangle, Sides::Front)
}

#[track_caller]
fn assert_near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} is not {expected}");
}

#[track_caller]
fn assert_at(found: DVec3, expected: DVec3, tolerance: f64) {
    assert!(found.distance(expected) <= tolerance, "{found} is not {expected}");
}

// 1: the capsule ---------------------------------------------------------------------------------

/// 1.1: the axis (2, 3, 6) has length 7.
#[test]
fn a_capsule_knows_its_axis_heights_centre_and_direction() {
    let capsule = capsule(dvec3(1.0, -2.0, 3.0), dvec3(3.0, 1.0, 9.0), 0.5);
    assert_eq!(capsule.axis(), dvec3(2.0, 3.0, 6.0));
    assert_eq!(capsule.cylinder_height(), 7.0);
    assert_eq!(capsule.total_height(), 8.0);
    assert_eq!(capsule.half_total_height(), 4.0);
    assert_eq!(capsule.center(), dvec3(2.0, -0.5, 6.0));
    assert_at(capsule.direction().unwrap(), dvec3(2.0, 3.0, 6.0) / 7.0, EXACT);
    assert!(!capsule.is_sphere());
}

/// 1.1: (3, −2, 0) is across the axis (2, 3, 6). A ball of radius 1/8 is as far away as its centre
/// is from the segment, less 1/2 and 1/8.
#[test]
fn a_capsule_is_all_that_is_within_the_radius_of_its_segment() {
    let (p0, p1) = (dvec3(1.0, -2.0, 3.0), dvec3(3.0, 1.0, 9.0));
    let capsule = capsule(p0, p1, 0.5);
    let across = dvec3(3.0, -2.0, 0.0).normalize();
    let along = dvec3(2.0, 3.0, 6.0) / 7.0;
    let cases = [
        (p0.lerp(p1, 0.3) + across * 1.7, 1.7),
        (p0 - along * 2.25, 2.25),
        (p1 + along * 0.9 + across * 1.2, 1.5),
    ];
    for (point, from_segment) in cases {
        let ball = Sphere::new(point, 0.125).unwrap();
        let found = closest_capsule_sphere(&capsule, &ball).distance;
        assert_near(found, from_segment - 0.625, EXACT);
    }
}

/// 1.2: radius 0.375 and height 1.75 leave a cylinder of 1 m, which starts 0.375 m over the feet.
#[test]
fn feet_and_total_height_make_the_capsule_that_stands_there() {
    let feet = dvec3(3.0, -4.0, 7.0);
    let capsule = Capsule::from_feet(feet, DVec3::Z, 0.375, 1.75).unwrap();
    assert_eq!(capsule.p0(), dvec3(3.0, -4.0, 7.375));
    assert_eq!(capsule.p1(), dvec3(3.0, -4.0, 8.375));
    assert_eq!(capsule.total_height(), 1.75);
    assert_eq!(capsule.feet(DVec3::Z).unwrap(), feet);
}

/// 1.2 along another up: (0, 3, 4) has length 5, so the unit up is (0, 0.6, 0.8).
#[test]
fn a_capsule_stands_along_an_up_of_any_length() {
    let feet = dvec3(3.0, -4.0, 7.0);
    let capsule = Capsule::from_feet(feet, dvec3(0.0, 3.0, 4.0), 0.5, 2.0).unwrap();
    assert_at(capsule.p0(), dvec3(3.0, -3.7, 7.4), EXACT);
    assert_at(capsule.p1(), dvec3(3.0, -3.1, 8.2), EXACT);
    assert_at(capsule.feet(dvec3(0.0, 6.0, 8.0)).unwrap(), feet, EXACT);
    // Upside down it stands on its other end: 8.2 − 0.5 · 0.8 and −3.1 + 0.5 · 0.6 the other way
    // round.
    assert_at(capsule.feet(dvec3(0.0, -3.0, -4.0)).unwrap(), dvec3(3.0, -2.8, 8.6), EXACT);
}

/// 1.2.1: the cylinder's height is at least 0.
#[test]
fn a_total_height_below_two_radii_makes_a_sphere_on_the_feet() {
    let capsule = Capsule::from_feet(dvec3(3.0, -4.0, 7.0), DVec3::Z, 0.5, 0.75).unwrap();
    assert!(capsule.is_sphere());
    assert_eq!(capsule.p1(), dvec3(3.0, -4.0, 7.5));
    assert_eq!((capsule.cylinder_height(), capsule.direction()), (0.0, None));
    let hit = sweep(&capsule, &motion(0.0, 0.0, -9.0), &floor(0.0)).unwrap();
    assert_near(hit.distance, 7.0, EXACT);
    assert_eq!(hit.region, Region::Sphere);
}

/// 1.3: the smaller and larger coordinates of both ends, ± 0.5.
#[test]
fn bounds_touch_the_capsule_on_all_six_sides() {
    let bounds = capsule(dvec3(1.0, 5.0, -3.0), dvec3(4.0, -2.0, 9.0), 0.5).bounds();
    assert_eq!(bounds.min(), dvec3(0.5, -2.5, -3.5));
    assert_eq!(bounds.max(), dvec3(4.5, 5.5, 9.5));
}

// 2: the queries ---------------------------------------------------------------------------------

/// 2.1: falling 4 m along (0.6, 0, −0.8) onto the floor: after 5 m of 8.
#[test]
fn a_sweep_reports_time_distance_point_and_normal_of_the_first_touch() {
    let way = Motion::along(dvec3(3.0, 0.0, -4.0), 8.0).unwrap();
    let hit = sweep(&raised(4.0), &way, &floor(0.0)).unwrap();
    assert_near(hit.time, 0.625, EXACT);
    assert_near(hit.distance, 5.0, EXACT);
    assert_at(hit.point, dvec3(3.3, -0.2, 0.0), EXACT);
    assert_eq!(hit.normal, Vec3::Z);
    assert_eq!((hit.depth, hit.starts_overlapping()), (0.0, false));
    assert_eq!(
        sweep(&raised(4.0), &Motion::along(dvec3(3.0, 0.0, -4.0), 4.9).unwrap(), &floor(0.0)),
        None
    );
}

/// 2.1: a motion of no length asks whether the capsule overlaps now.
#[test]
fn a_sweep_of_no_length_answers_like_an_overlap() {
    let sunk = raised(-0.125);
    let hit = sweep(&sunk, &Motion::ZERO, &floor(0.0)).unwrap();
    let overlap = overlap_capsule_triangle(&sunk, &floor(0.0)).unwrap();
    assert_eq!((hit.time, hit.distance, hit.depth), (0.0, 0.0, overlap.depth));
    assert_eq!((hit.normal, hit.point), (overlap.normal, overlap.point));
    assert_eq!(sweep(&raised(0.125), &Motion::ZERO, &floor(0.0)), None);
}

/// 2.2: an axis that ends 0.375 m over the floor, with a radius of 0.5.
#[test]
fn an_overlap_reports_depth_direction_and_the_deepest_point() {
    let overlap = overlap_capsule_triangle(&raised(-0.125), &floor(0.0)).unwrap();
    assert_near(overlap.depth, 0.125, EXACT);
    assert_eq!((overlap.normal, overlap.face_normal), (Vec3::Z, Vec3::Z));
    assert_at(overlap.point, dvec3(0.3, -0.2, 0.0), EXACT);
    assert_eq!((overlap.feature, overlap.region), (Feature::Face, Region::Bottom));
    assert_eq!(overlap_capsule_triangle(&raised(0.125), &floor(0.0)), None);
}

/// 2.3: 0.75 m over the floor, and 0.125 m in it.
#[test]
fn closest_points_are_signed_and_joined_along_the_normal() {
    for (feet, below) in [(0.75, false), (-0.125, true)] {
        let closest = closest_capsule_triangle(&raised(feet), &floor(0.0));
        assert_near(closest.distance, feet, EXACT);
        assert_eq!(closest.distance < 0.0, below);
        assert_at(closest.on_capsule, dvec3(0.3, -0.2, feet), EXACT);
        assert_at(closest.on_geometry, dvec3(0.3, -0.2, 0.0), EXACT);
        let joined = closest.normal.as_dvec3() * -closest.distance;
        assert_at(closest.on_geometry - closest.on_capsule, joined, EXACT);
    }
}

// 3: bounds of a sweep ---------------------------------------------------------------------------

/// 3.1: start and end box united, and grown by a hundredth of the radius (0.005) or at least a
/// millimetre.
#[test]
fn swept_bounds_hold_start_and_end_and_a_margin() {
    let (p0, p1) = (dvec3(1.0, 5.0, -3.0), dvec3(4.0, -2.0, 9.0));
    let way = motion(10.0, -20.0, 0.25);
    for (radius, margin) in [(0.5_f32, 0.005), (0.0625, 0.001)] {
        let bounds = capsule(p0, p1, radius).swept_bounds(&way);
        let reach = f64::from(radius) + margin;
        assert_at(bounds.min(), dvec3(1.0, -22.0, -3.0) - reach, EXACT);
        assert_at(bounds.max(), dvec3(14.0, 5.0, 9.25) + reach, EXACT);
    }
}

// 4: sweeps --------------------------------------------------------------------------------------

/// 4.2: falling, `p0` leads; rising at a ceiling, `p1` does. Feet at 2, head at 4.25, ceiling at
/// 6.
#[test]
fn a_face_is_touched_by_the_end_that_leads() {
    let hit = sweep(&raised(2.0), &motion(0.0, 0.0, -5.0), &floor(0.0)).unwrap();
    assert_near(hit.distance, 2.0, EXACT);
    assert_eq!((hit.feature, hit.region), (Feature::Face, Region::Bottom));
    assert_at(hit.point, dvec3(0.3, -0.2, 0.0), EXACT);

    let ceiling = flipped(&floor(6.0));
    let hit = sweep(&raised(2.0), &motion(0.0, 0.0, 5.0), &ceiling).unwrap();
    assert_near(hit.distance, 1.75, EXACT);
    assert_eq!((hit.feature, hit.region), (Feature::Face, Region::Top));
    assert_eq!((hit.normal, hit.face_normal), (Vec3::NEG_Z, Vec3::NEG_Z));
}

/// 4.2: the weights of `a`, `b`, `c` rebuild the touched point.
#[test]
fn barycentrics_rebuild_the_touched_point() {
    let floor = floor(0.0);
    let hit = sweep(&raised(2.0), &motion(1.0, 3.0, -5.0), &floor).unwrap();
    let weights = hit.barycentrics.unwrap();
    let rebuilt: DVec3 = floor.vertices().iter().zip(weights).map(|(v, w)| *v * w).sum();
    assert_at(rebuilt, hit.point, 1e-9);
    assert!(weights.iter().all(|weight| *weight > 0.1), "{weights:?}");
}

/// 4.3: a stair's edge along y at x = 2, z = 1. The upright capsule's side meets it after
/// 2 − 0.3 − 0.5 = 1.2 m. Lying along x, its end meets it.
#[test]
fn an_edge_is_touched_by_the_side_and_by_an_end() {
    let step = triangle(dvec3(2.0, -3.0, 1.0), dvec3(6.0, 0.5, 2.0), dvec3(2.0, 5.0, 1.0));
    let way = motion(4.0, 0.0, 0.0);
    let hit = sweep(&standing(), &way, &step).unwrap();
    assert_near(hit.distance, 1.2, EXACT);
    assert_eq!((hit.feature, hit.region), (Feature::Edge(2), Region::Side));
    assert_at(hit.point, dvec3(2.0, -0.2, 1.0), EXACT);
    assert_eq!(hit.normal, Vec3::NEG_X);

    // 0.3 m under the edge: the ball around p1 touches it 0.4 m before.
    let lying = capsule(dvec3(-1.5, -0.2, 0.7), dvec3(0.0, 0.3, 0.7), 0.5);
    let hit = sweep(&lying, &way, &step).unwrap();
    assert_near(hit.distance, 1.6, EXACT);
    assert_eq!((hit.feature, hit.region), (Feature::Edge(2), Region::Top));
    assert_at(hit.normal.as_dvec3(), dvec3(-0.8, 0.0, -0.6), SINGLE);
}

/// 4.4: a tip 0.3 m beside the path of the axis is touched 0.4 m before it is level.
#[test]
fn a_vertex_is_touched_by_the_side_and_by_an_end() {
    let tip = dvec3(2.0, 0.1, 1.0);
    let spike = triangle(tip, dvec3(6.0, -1.5, 2.0), dvec3(6.0, 1.0, 2.5));
    let hit = sweep(&standing(), &motion(4.0, 0.0, 0.0), &spike).unwrap();
    assert_near(hit.distance, 2.0 - 0.3 - 0.4, EXACT);
    assert_eq!((hit.feature, hit.region), (Feature::Vertex(0), Region::Side));
    assert_at(hit.point, tip, EXACT);
    assert_at(hit.normal.as_dvec3(), dvec3(-0.8, -0.6, 0.0), SINGLE);
    assert_eq!(hit.barycentrics, Some([1.0, 0.0, 0.0]));

    // Falling past it, feet first: the ball around p0 touches it 0.4 m higher.
    let above = capsule(dvec3(1.7, 0.1, 4.0), dvec3(1.7, 0.1, 5.25), 0.5);
    let hit = sweep(&above, &motion(0.0, 0.0, -4.0), &spike).unwrap();
    assert_near(hit.distance, 4.0 - 1.0 - 0.4, EXACT);
    assert_eq!((hit.feature, hit.region), (Feature::Vertex(0), Region::Bottom));
}

/// 4.2.1 and B.5: the sign of normal · motion alone decides what is skipped. A floor does not stop
/// a capsule that rises through it. A wall and a ceiling, whose normals do not point up, stop a
/// capsule that runs into them.
#[test]
fn faces_are_skipped_by_the_motion_and_never_by_where_they_look() {
    let up = motion(0.0, 0.0, 5.0);
    assert_eq!(sweep(&standing(), &up, &floor(4.0)), None);
    let both = sweep_capsule_triangle(&standing(), &up, &floor(4.0), Sides::Both).unwrap();
    assert_near(both.distance, 1.75, EXACT);
    assert_eq!((both.normal, both.face_normal), (Vec3::NEG_Z, Vec3::NEG_Z));
    // Along the face: skipped too.
    assert_eq!(sweep(&raised(-0.125), &motion(1.0, 2.0, 0.0), &floor(0.0)), None);

    assert!(sweep(&standing(), &up, &flipped(&floor(4.0))).is_some());
    // A wall that leans over: its normal is (−0.8, 0, −0.6).
    let overhang = triangle(dvec3(3.0, -9.0, 0.0), dvec3(3.0, 8.0, 0.0), dvec3(-0.75, 0.5, 5.0));
    let overhang = flipped(&overhang);
    assert!(overhang.normal().unwrap().z < 0.0);
    let hit = sweep(&standing(), &motion(4.0, 0.0, 0.0), &overhang).unwrap();
    assert_at(hit.normal.as_dvec3(), dvec3(-0.8, 0.0, -0.6), SINGLE);
    assert_eq!(hit.region, Region::Top);
}

/// 4.2 at the start: a touch is a hit if the motion presses on, none if it slides along or leaves.
#[test]
fn a_touch_at_the_start_is_a_hit_only_if_the_motion_presses_on() {
    let wall = Obb::axis_aligned(dvec3(2.8, 0.0, 1.0), vec3(2.0, 5.0, 3.0)).unwrap();
    // The wall's face is at x = 0.8, where the standing capsule ends.
    for (way, hits) in [
        (motion(1.0, 0.5, 0.0), true),
        (motion(0.0, 2.0, 0.0), false),
        (motion(-1.0, 0.5, 0.0), false),
    ] {
        let hit = sweep_capsule_box(&standing(), &way, &wall, Sides::Front);
        assert_eq!(hit.is_some(), hits, "{way:?}");
        assert!(hit.is_none_or(|hit| hit.time == 0.0 && hit.depth == 0.0), "{hit:?}");
    }
}

// 5: overlaps and closest points -----------------------------------------------------------------

/// 5.2: an axis that ends 0.3 m beside a border and 0.4 m over it is 0.5 m away. Out is along
/// these closest points, by 0.75 − 0.5 = 0.25 m.
#[test]
fn out_is_along_the_closest_points_by_what_the_radius_has_left() {
    let plate = triangle(dvec3(0.0, -4.0, 0.0), dvec3(0.0, 5.0, 0.0), dvec3(-6.0, 0.5, 0.0));
    let beside = capsule(dvec3(0.3, 0.5, 0.4), dvec3(0.3, 0.5, 1.5), 0.75);
    let overlap = overlap_capsule_triangle(&beside, &plate).unwrap();
    assert_near(overlap.depth, 0.25, SINGLE);
    assert_at(overlap.normal.as_dvec3(), dvec3(0.6, 0.0, 0.8), SINGLE);
    assert_eq!(overlap.feature, Feature::Edge(0));
    // Moved by it, the two just touch.
    let freed = beside.translated(overlap.normal.as_dvec3() * overlap.depth).unwrap();
    assert_near(closest_capsule_triangle(&freed, &plate).distance, 0.0, 5e-6);
    assert_eq!(overlap_capsule_triangle(&freed, &plate), None);
}

/// 5.2.3: one radius away is no overlap, and neither is a touch within the contract's bound.
#[test]
fn a_touch_is_no_overlap() {
    assert_eq!(overlap_capsule_triangle(&standing(), &floor(0.0)), None);
    assert_eq!(overlap_capsule_triangle(&raised(-0.9 * CONTACT_TOLERANCE), &floor(0.0)), None);
    assert!(overlap_capsule_triangle(&raised(-1.1 * CONTACT_TOLERANCE), &floor(0.0)).is_some());
}

/// 5.3: over the face an end is closest, past the border an edge, past a corner a vertex.
#[test]
fn the_closest_feature_is_found_on_face_edge_and_vertex() {
    let plate = triangle(dvec3(0.0, -4.0, 0.0), dvec3(0.0, 5.0, 0.0), dvec3(-6.0, 0.5, 0.0));
    let upright = |x: f64, y: f64| capsule(dvec3(x, y, 1.0), dvec3(x, y, 2.5), 0.25);
    let cases = [
        (upright(-1.0, 0.2), Feature::Face, dvec3(-1.0, 0.2, 0.0), 1.0),
        (upright(0.75, 0.2), Feature::Edge(0), dvec3(0.0, 0.2, 0.0), 1.25),
        // (2, 2, 1) is 3 long.
        (upright(2.0, 7.0), Feature::Vertex(1), dvec3(0.0, 5.0, 0.0), 3.0),
    ];
    for (capsule, feature, on_geometry, axis_distance) in cases {
        let closest = closest_capsule_triangle(&capsule, &plate);
        assert_eq!(closest.feature, feature);
        assert_at(closest.on_geometry, on_geometry, EXACT);
        assert_near(closest.distance, axis_distance - 0.25, EXACT);
    }
    // Beside the border, through the plane: the middle of the axis against the middle of the edge.
    let through = capsule(dvec3(0.4, 1.0, -1.0), dvec3(0.4, 1.0, 2.0), 0.25);
    let closest = closest_capsule_triangle(&through, &plate);
    assert_eq!((closest.feature, closest.region), (Feature::Edge(0), Region::Side));
    assert_near(closest.distance, 0.15, EXACT);
}

// 10: the other shapes ---------------------------------------------------------------------------

/// 10.2: a box turned by 90° about z, so that its half extents 1 and 3 change places: its near
/// face is at x = 8 − 3 = 5, and 5 − 0.3 − 0.5 = 4.2.
#[test]
fn a_box_is_swept_in_its_own_frame() {
    let turned = DQuat::from_axis_angle(DVec3::Z, std::f64::consts::FRAC_PI_2);
    let obb = Obb::new(dvec3(8.0, 0.5, 1.0), vec3(1.0, 3.0, 2.0), turned).unwrap();
    let hit = sweep_capsule_box(&standing(), &motion(6.0, 0.0, 0.0), &obb, Sides::Front).unwrap();
    assert_near(hit.distance, 4.2, 1e-9);
    assert_at(hit.normal.as_dvec3(), DVec3::NEG_X, SINGLE);
    assert_eq!((hit.feature, hit.region), (Feature::Face, Region::Side));
}

/// 10.2: a ball of radius 0.75, 1 m beside the path of the axis: radii of 1.25 touch 0.75 m before
/// it is level.
#[test]
fn a_sphere_is_swept_by_the_sum_of_the_radii() {
    let ball = Sphere::new(dvec3(4.3, 0.8, 1.0), 0.75).unwrap();
    let hit =
        sweep_capsule_sphere(&standing(), &motion(6.0, 0.0, 0.0), &ball, Sides::Front).unwrap();
    assert_near(hit.distance, 4.0 - 0.75, EXACT);
    assert_at(hit.normal.as_dvec3(), dvec3(-0.6, -0.8, 0.0), SINGLE);
    // The touched point is on the ball.
    assert_near(hit.point.distance(ball.center()), 0.75, EXACT);
}

/// 10.2: a rail across the path at z = 1.25, which the standing axis spans: radii of 0.75 touch
/// side to side.
#[test]
fn a_capsule_is_swept_side_against_side() {
    let rail = capsule(dvec3(4.3, -3.0, 1.25), dvec3(4.3, 5.0, 1.25), 0.25);
    let way = motion(6.0, 0.0, 0.0);
    let hit = sweep_capsule_capsule(&standing(), &way, &rail, Sides::Front).unwrap();
    assert_near(hit.distance, 4.0 - 0.75, EXACT);
    assert_at(hit.point, dvec3(4.05, -0.2, 1.25), EXACT);
    assert_eq!(hit.region, Region::Side);
}
