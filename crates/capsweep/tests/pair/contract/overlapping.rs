//! Starts overlapping: time 0, the exact push-out, whatever the motion.

use super::referee::{judge_at_rest, pushes_out, well_formed};
use super::target::{
    Target, capsule, half_space, lattice_targets, rod, skew, solid, sphere, triangle, v,
};
use capsweep::Capsule;
use glam::{DQuat, DVec3, Vec3};

/// All 26 lattice directions, the axis both ways, and skew ones, short and long.
fn motions(capsule: &Capsule) -> Vec<DVec3> {
    let mut all = vec![v(0.3, -0.7, 0.2), v(-300.0, 20.0, 700.0), v(1e-7, 0.0, -1e-7)];
    for x in -1_i32..=1 {
        for y in -1_i32..=1 {
            for z in -1_i32..=1 {
                all.push(DVec3::new(x.into(), y.into(), z.into()) * 2.0);
            }
        }
    }
    for share in [-3.0, -1.0, -0.25, 0.25, 1.0, 3.0] {
        all.push(capsule.axis() * share);
    }
    all
}

/// Asserts a start overlap of `depth` metres in every direction; returns the push-out direction.
fn overlaps(capsule: &Capsule, target: &Target, depth: f64) -> DVec3 {
    judge_at_rest(capsule, target);
    let rest = target.overlap(capsule).expect("it overlaps");
    let error = (rest.depth - depth).abs();
    assert!(
        error < 1e-6 + 2e-7 * depth,
        "depth {} ≠ {depth}\n{capsule:?}\n{target:?}",
        rest.depth
    );
    for motion in motions(capsule) {
        let hit = target.both(capsule, motion);
        let hit = hit.unwrap_or_else(|| panic!("missed along {motion}\n{capsule:?}\n{target:?}"));
        well_formed(capsule, motion, target, &hit);
        assert_eq!((hit.time, hit.distance), (0.0, 0.0), "along {motion}");
        assert!(hit.starts_overlapping(), "along {motion}");
        let error = (hit.depth - depth).abs();
        assert!(error < 1e-6 + 2e-7 * depth, "depth {} ≠ {depth} along {motion}", hit.depth);
        pushes_out(capsule, target, hit.normal, hit.depth);
    }
    rest.normal.as_dvec3()
}

/// A right triangle in z = 0 with legs of 40 and 30 m along x and y; its corner at the origin.
fn floor() -> [DVec3; 3] {
    [DVec3::ZERO, v(40.0, 0.0, 0.0), v(0.0, 30.0, 0.0)]
}

/// The same triangle in all six orders of its vertices.
fn orders([a, b, c]: [DVec3; 3]) -> [Target; 6] {
    [
        triangle(a, b, c),
        triangle(b, c, a),
        triangle(c, a, b),
        triangle(a, c, b),
        triangle(c, b, a),
        triangle(b, a, c),
    ]
}

#[test]
fn an_axis_through_the_face_leaves_by_the_nearest_cap() {
    for target in orders(floor()) {
        let up = overlaps(&capsule(v(8.0, 7.0, -0.25), v(8.0, 7.0, 1.0), 0.5), &target, 0.75);
        assert_eq!(up, DVec3::Z);
        let down = overlaps(&capsule(v(8.0, 7.0, -1.0), v(8.0, 7.0, 0.25), 0.5), &target, 0.75);
        assert_eq!(down, -DVec3::Z);
        overlaps(&capsule(v(8.0, 7.0, -0.5), v(8.5, 6.0, 0.75), 0.375), &target, 0.875);
    }
}

#[test]
fn an_axis_exactly_through_an_edge_or_a_vertex_leaves_past_it() {
    for target in orders(floor()) {
        // Through the edge on y = 0: sideways costs one radius, up 1.25.
        let out = overlaps(&capsule(v(8.0, 0.0, -1.0), v(8.0, 0.0, 0.75), 0.5), &target, 0.5);
        assert_eq!(out, -DVec3::Y);
        // Through the right-angled corner: either side of it frees, diagonally is no shorter.
        let out = overlaps(&capsule(v(0.0, 0.0, -1.0), v(0.0, 0.0, 0.75), 0.5), &target, 0.5);
        assert!(out.x <= 0.0 && out.y <= 0.0 && out.z.abs() < 1e-6, "{out}");
        // Through the middle of the long side.
        let out = overlaps(&capsule(v(20.0, 15.0, -1.0), v(20.0, 15.0, 2.0), 0.5), &target, 0.5);
        assert!(out.distance(v(0.6, 0.8, 0.0)) < 1e-6, "{out}");
    }
}

#[test]
fn an_axis_near_an_edge_leaves_past_it_where_that_is_shorter() {
    for target in orders(floor()) {
        let out = overlaps(&capsule(v(8.0, 0.25, -1.0), v(8.0, 0.25, 1.5), 0.5), &target, 0.75);
        assert_eq!(out, -DVec3::Y);
    }
}

#[test]
fn an_axis_in_the_plane_is_one_radius_deep() {
    for target in orders(floor()) {
        let across = capsule(v(3.0, 4.0, 0.0), v(9.0, 5.0, 0.0), 0.5);
        assert_eq!(overlaps(&across, &target, 0.5).abs(), DVec3::Z);
        let beyond = capsule(v(-5.0, 4.0, 0.0), v(60.0, 4.0, 0.0), 0.5);
        assert_eq!(overlaps(&beyond, &target, 0.5).abs(), DVec3::Z);
        // Coincident with an edge: straight up, down, or out past it.
        let edge = capsule(v(0.0, 0.0, 0.0), v(40.0, 0.0, 0.0), 0.5);
        let out = overlaps(&edge, &target, 0.5);
        assert!(out.x.abs() < 1e-6 && out.y < 1e-6, "{out}");
        let part = capsule(v(3.0, 0.0, 0.0), v(9.0, 0.0, 0.0), 0.5);
        overlaps(&part, &target, 0.5);
    }
}

#[test]
fn a_sphere_centred_on_the_face_the_edge_and_the_vertex_is_one_radius_deep() {
    for target in orders(floor()) {
        for at in [v(8.0, 7.0, 0.0), v(8.0, 0.0, 0.0), v(0.0, 0.0, 0.0), v(20.0, 15.0, 0.0)] {
            overlaps(&capsule(at, at, 0.375), &target, 0.375);
        }
    }
}

#[test]
fn an_axis_through_a_rotated_triangle_leaves_by_its_exact_depth() {
    let turn = skew();
    for share in [0.1, 0.3, 0.45] {
        let [a, b, c] = floor().map(|p| turn * p);
        let along = turn * v(0.3, -0.2, 2.0);
        let at = turn * v(8.0, 7.0, 0.0);
        let body = capsule(at - along * share, at + along * (1.0 - share), 0.4);
        let depth = 2.0 * share + f64::from(0.4_f32);
        let out = overlaps(&body, &triangle(a, b, c), depth);
        assert!(out.distance(turn * DVec3::Z) < 1e-6, "{out}");
    }
}

#[test]
fn an_axis_through_a_degenerate_triangle_leaves_sideways() {
    let segment = [v(-3.0, 0.0, 0.0), v(1.0, 0.0, 0.0), v(5.0, 0.0, 0.0)];
    for target in orders(segment) {
        overlaps(&capsule(v(1.5, 0.0, -1.0), v(1.5, 0.0, 2.0), 0.5), &target, 0.5);
        overlaps(&capsule(v(-1.0, 0.0, 0.0), v(2.0, 0.0, 0.0), 0.5), &target, 0.5);
        overlaps(&capsule(v(1.5, 0.25, -1.0), v(1.5, 0.25, 2.0), 0.5), &target, 0.25);
    }
    let point = triangle(v(1.0, 2.0, 3.0), v(1.0, 2.0, 3.0), v(1.0, 2.0, 3.0));
    overlaps(&capsule(v(1.0, 2.0, 2.0), v(1.0, 2.0, 5.0), 0.5), &point, 0.5);
    overlaps(&capsule(v(1.0, 2.0, 3.0), v(1.0, 2.0, 3.0), 0.5), &point, 0.5);
}

#[test]
fn crossing_coincident_and_collinear_capsules_part_by_the_sum_of_radii() {
    let target = rod(v(-3.0, 0.0, 0.0), v(5.0, 0.0, 0.0), 0.25);
    let crossing = capsule(v(0.5, -2.0, 0.0), v(0.5, 3.0, 0.0), 0.5);
    assert_eq!(overlaps(&crossing, &target, 0.75).abs(), DVec3::Z);
    let coincident = capsule(v(-3.0, 0.0, 0.0), v(5.0, 0.0, 0.0), 0.5);
    assert!(overlaps(&coincident, &target, 0.75).x.abs() < 1e-6);
    let within = capsule(v(-1.0, 0.0, 0.0), v(2.0, 0.0, 0.0), 0.5);
    assert!(overlaps(&within, &target, 0.75).x.abs() < 1e-6);
    let past_the_end = capsule(v(4.5, 0.0, 0.0), v(9.0, 0.0, 0.0), 0.5);
    assert!(overlaps(&past_the_end, &target, 0.75).x >= -1e-6);
    let end_to_end = capsule(v(5.0, 0.0, 0.0), v(9.0, 0.0, 0.0), 0.5);
    overlaps(&end_to_end, &target, 0.75);
    let apart = capsule(v(5.25, 0.0, 0.0), v(9.0, 0.0, 0.0), 0.5);
    assert_eq!(overlaps(&apart, &target, 0.5), DVec3::X);
    let tee = capsule(v(0.5, 0.0, 0.0), v(0.5, 0.0, 4.0), 0.5);
    overlaps(&tee, &target, 0.75);
    // Through by 0.1 m: back out over the axis is longer than sideways along y.
    let pierced = capsule(v(0.5, 0.0, -0.125), v(0.5, 0.0, 4.0), 0.5);
    overlaps(&pierced, &target, 0.75);
}

#[test]
fn a_sphere_on_the_axis_parts_by_the_sum_of_radii() {
    let long = capsule(v(0.0, 1.0, -2.0), v(0.0, 1.0, 3.0), 0.5);
    for height in [-2.0, -1.0, 0.0, 0.5, 2.0, 3.0] {
        let out = overlaps(&long, &sphere(v(0.0, 1.0, height), 0.25), 0.75);
        assert!(out.z.abs() < 1e-6 || height == -2.0 || height == 3.0, "{out}");
    }
    let ball = capsule(v(0.0, 1.0, 3.0), v(0.0, 1.0, 3.0), 0.5);
    overlaps(&ball, &sphere(v(0.0, 1.0, 3.0), 0.25), 0.75);
    overlaps(&ball, &rod(v(0.0, 1.0, 3.0), v(4.0, 1.0, 3.0), 0.25), 0.75);
}

#[test]
fn a_capsule_at_the_centre_of_a_box_leaves_by_the_cheapest_face() {
    for turn in [DQuat::IDENTITY, skew()] {
        let center = v(3.0, -2.0, 1.0);
        let target = solid(center, Vec3::new(1.0, 2.0, 0.5), turn);
        let ball = capsule(center, center, 0.25);
        assert!((turn.inverse() * overlaps(&ball, &target, 0.75)).z.abs() > 0.999_999);
        let upright = turn * v(0.0, 0.0, 1.5);
        let body = capsule(center - upright, center + upright, 0.25);
        assert!((turn.inverse() * overlaps(&body, &target, 1.25)).x.abs() > 0.999_999);
        let along = turn * v(1.0, 0.0, 0.0);
        let body = capsule(center - along, center + along, 0.25);
        assert!((turn.inverse() * overlaps(&body, &target, 0.75)).z.abs() > 0.999_999);
    }
}

#[test]
fn plates_rods_and_points_push_out_like_what_they_are() {
    for turn in [DQuat::IDENTITY, skew()] {
        let at = |x, y, z| turn * v(x, y, z);
        let plate = solid(DVec3::ZERO, Vec3::new(4.0, 3.0, 0.0), turn);
        let pierced = capsule(at(0.5, 0.25, -0.25), at(0.5, 0.25, 1.0), 0.5);
        assert!(overlaps(&pierced, &plate, 0.75).dot(at(0.0, 0.0, 1.0)) > 0.999_999);
        let inside = capsule(at(0.5, 0.25, 0.0), at(1.5, 0.5, 0.0), 0.5);
        overlaps(&inside, &plate, 0.5);
        let thin = solid(DVec3::ZERO, Vec3::new(0.0, 3.0, 0.0), turn);
        overlaps(&capsule(at(0.0, 0.25, -1.0), at(0.0, 0.25, 2.0), 0.5), &thin, 0.5);
        overlaps(&capsule(at(0.0, 0.25, 0.0), at(0.0, 1.0, 0.0), 0.5), &thin, 0.5);
        let dot = solid(DVec3::ZERO, Vec3::ZERO, turn);
        overlaps(&capsule(at(0.0, 0.0, -1.0), at(0.0, 0.0, 2.0), 0.5), &dot, 0.5);
        overlaps(&capsule(DVec3::ZERO, DVec3::ZERO, 0.5), &dot, 0.5);
    }
}

#[test]
fn a_thousand_metres_down_is_still_pushed_out_exactly() {
    let normal = v(0.3, -0.5, 0.8).normalize();
    let plane = half_space(v(5.0, 6.0, 7.0), normal);
    let deep = v(5.0, 6.0, 7.0) - normal * 1000.0;
    let body = capsule(deep, deep + v(0.0, 0.0, 1.0), 0.5);
    assert!(overlaps(&body, &plane, 1000.5).distance(normal) < 1e-6);
    // A box of a kilometre: the lower end of the axis is 999 m below the top.
    let turn = skew();
    let huge = solid(v(100.0, -50.0, 20.0), Vec3::new(4000.0, 3000.0, 1000.0), turn);
    let low = v(100.0, -50.0, 20.0) + turn * v(300.0, -200.0, 1.0);
    let body = capsule(low, low + turn * v(0.0, 0.0, 2.0), 0.5);
    assert!(overlaps(&body, &huge, 999.5).distance(turn * DVec3::Z) < 1e-6);
}

#[test]
fn every_target_answers_an_overlap_within_its_own_lattice() {
    // Lower end 0.25 below the top of each target, at a place where straight up is the shortest
    // way.
    for (target, top) in lattice_targets().into_iter().zip([0.0, 0.5, 0.75, 0.25, 0.0, 0.0, 0.0]) {
        let body = capsule(v(0.0, 0.0, top + 0.125), v(0.0, 0.0, top + 2.0), 0.375);
        let out = overlaps(&body, &target, 0.25);
        assert!(out.distance(DVec3::Z) < 1e-6, "{out} from {target:?}");
    }
}
