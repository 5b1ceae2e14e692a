//! Appendix A, utilities, and appendix B, pitfalls.

use super::{EXACT, assert_at, assert_near, flipped, floor, motion, raised, sweep, triangle};
use capsweep::{Motion, closest_capsule_triangle, closest_point_segment};
use glam::{Vec3, dvec3};

// A: utilities -----------------------------------------------------------------------------------

/// A.1: over the inside and the border, at any height; not beside.
#[test]
fn a_point_lies_over_a_triangle_with_its_border() {
    let plate = triangle(dvec3(0.0, -4.0, 1.0), dvec3(0.0, 5.0, 1.0), dvec3(-6.0, 0.5, 1.0));
    assert_eq!(plate.contains_projection(dvec3(-1.0, 0.2, 7.0)), Some(true));
    assert_eq!(plate.contains_projection(dvec3(0.0, 0.2, -7.0)), Some(true), "on the edge");
    assert_eq!(plate.contains_projection(dvec3(0.0, 5.0, 1.0)), Some(true), "on a vertex");
    assert_eq!(plate.contains_projection(dvec3(0.001, 0.2, 1.0)), Some(false));
    assert_eq!(plate.contains_projection(dvec3(-5.0, 3.0, 1.0)), Some(false));
}

/// A.2: before, between and after; (2, 3, 6) and (3, −2, 0) are perpendicular.
#[test]
fn the_closest_point_of_a_segment_is_clamped_to_its_ends() {
    let (a, b) = (dvec3(1.0, -2.0, 3.0), dvec3(3.0, 1.0, 9.0));
    let across = dvec3(3.0, -2.0, 0.0);
    assert_eq!(closest_point_segment(a - (b - a), a, b), a);
    assert_at(closest_point_segment(a.lerp(b, 0.25) + across, a, b), a.lerp(b, 0.25), EXACT);
    assert_at(closest_point_segment(b + (b - a) + across, a, b), b, EXACT);
    assert_eq!(closest_point_segment(dvec3(9.0, 9.0, 9.0), a, a), a, "a segment of no length");
}

/// A.3: seen from the front the vertices run counter-clockwise: (0, 2, 0) × (0, 0, 3) points along
/// +x.
#[test]
fn a_triangles_normal_follows_its_winding() {
    let (a, b, c) = (dvec3(7.0, 1.0, 1.0), dvec3(7.0, 3.0, 1.0), dvec3(7.0, 1.0, 4.0));
    for turn in [triangle(a, b, c), triangle(b, c, a), triangle(c, a, b)] {
        assert_eq!(turn.normal(), Some(Vec3::X));
        assert_eq!(turn.area_vector(), dvec3(6.0, 0.0, 0.0));
        assert_eq!(flipped(&turn).normal(), Some(Vec3::NEG_X));
    }
    assert_eq!(triangle(a, b, a.lerp(b, 0.3)).normal(), None);
}

/// A.4: positive in front.
#[test]
fn a_signed_distance_is_positive_in_front() {
    let plate = triangle(dvec3(7.0, 1.0, 1.0), dvec3(7.0, 3.0, 1.0), dvec3(7.0, 1.0, 4.0));
    assert_eq!(plate.signed_distance(dvec3(9.5, -8.0, 3.0)), Some(2.5));
    assert_eq!(plate.signed_distance(dvec3(4.0, 5.0, -6.0)), Some(-3.0));
}

// B: pitfalls ------------------------------------------------------------------------------------

/// B.1: head-on, a contact offset of 0.125 m leaves a gap of 0.125 m.
#[test]
fn a_safe_advance_keeps_the_contact_offset_head_on() {
    let hit = sweep(&raised(2.0), &motion(0.0, 0.0, -5.0), &floor(0.0)).unwrap();
    let advance = hit.safe_advance(0.125);
    assert_near(advance, 1.875, EXACT);
    let there = raised(2.0 - advance);
    assert_near(closest_capsule_triangle(&there, &floor(0.0)).distance, 0.125, EXACT);
}

/// B.2: a motion of 1.9375 m ends 0.0625 m over the floor, inside the skin of 0.125 m. As it is,
/// the sweep hits nothing; lengthened by the skin it stops at 1.875 m.
#[test]
fn a_sweep_longer_by_the_contact_offset_sees_what_the_step_would_come_too_near() {
    let step = motion(0.0, 0.0, -1.9375);
    assert_eq!(sweep(&raised(2.0), &step, &floor(0.0)), None);
    let longer = step.extended(0.125).unwrap();
    assert_near(longer.length(), 2.0625, EXACT);
    let hit = sweep(&raised(2.0), &longer, &floor(0.0)).unwrap();
    assert_near(hit.safe_advance(0.125), 1.875, EXACT);
    // Nearer than the skin already: stay.
    let hit = sweep(&raised(0.0625), &longer, &floor(0.0)).unwrap();
    assert_eq!(hit.safe_advance(0.125), 0.0);
    assert_eq!(Motion::ZERO.extended(0.125).unwrap(), Motion::ZERO);
}

/// B.3: any length of the direction makes the same motion.
#[test]
fn a_direction_need_not_be_unit() {
    for length in [1e-200, 0.2, 1.0, 37.0, 1e200] {
        let way = Motion::along(dvec3(0.6, 0.0, -0.8) * length, 8.0).unwrap();
        assert_at(way.vector(), dvec3(4.8, 0.0, -6.4), 1e-9);
        let hit = sweep(&raised(4.0), &way, &floor(0.0)).unwrap();
        assert_near(hit.distance, 5.0, 1e-9);
    }
}
