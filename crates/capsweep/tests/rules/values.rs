//! Values that pin a rule's number or sign: each test fails if that one number changes.

use super::{EXACT, assert_at, capsule, motion, triangle};
use capsweep::contact::{contact_point_from_normal, face_up, region_by_bands};
use capsweep::scene::{AxisSystem, Pose, VerticalWindow};
use capsweep::{Region, closest_point_segment, overlap_capsule_triangle};
use glam::{DQuat, DVec3, Vec3, dvec3, vec3};

/// 1.1: along the axis from `p0` to `p1`; (−2, 3, 6) has the length 7.
#[test]
fn the_direction_of_a_capsule_has_the_signs_of_its_axis() {
    let slanted = capsule(dvec3(1.0, -2.0, 3.0), dvec3(-1.0, 1.0, 9.0), 0.25);
    let expected = dvec3(-2.0 / 7.0, 3.0 / 7.0, 6.0 / 7.0);
    assert_at(slanted.direction().unwrap(), expected, EXACT);
    let reversed = capsule(dvec3(-1.0, 1.0, 9.0), dvec3(1.0, -2.0, 3.0), 0.25);
    assert_at(reversed.direction().unwrap(), -expected, EXACT);
}

/// 3.3.2: a motion within 60° of up or down is steep: `|rise| > 0.5 · length`. (4, 0, ∓3) rises by
/// 0.6 of its length, (4, 3, ∓2.5) by less than half.
#[test]
fn a_window_extends_for_motions_within_sixty_degrees_of_vertical() {
    let standing = capsule(dvec3(0.0, 0.0, 10.5), dvec3(0.0, 0.0, 12.0), 0.5);
    let window = |x: f64, y: f64, z: f64| {
        VerticalWindow::new(&standing, &motion(x, y, z), DVec3::Z, 20.0).unwrap()
    };
    assert!((window(4.0, 0.0, -3.0).min() - (10.0 - 20.0 - 0.05)).abs() < EXACT);
    assert!((window(4.0, 3.0, -2.5).min() - (10.0 - 2.5 - 0.05)).abs() < EXACT);
    assert!((window(4.0, 0.0, 3.0).max() - (12.5 + 5.0 + 0.05)).abs() < EXACT);
    assert!((window(4.0, 3.0, 2.5).max() - (12.5 + 2.5 + 0.05)).abs() < EXACT);
}

/// 5.2.5: the axis of a sphere's centre on the face: front and back are equally far, the front
/// wins.
#[test]
fn the_front_wins_where_front_and_back_are_equally_deep() {
    let face = triangle(dvec3(-9.0, -7.0, 1.0), dvec3(11.0, -8.0, 1.0), dvec3(1.0, 13.0, 1.0));
    let upright = capsule(dvec3(0.25, 0.5, 0.0), dvec3(0.25, 0.5, 2.0), 0.5);
    let overlap = overlap_capsule_triangle(&upright, &face).unwrap();
    assert_eq!(overlap.normal, Vec3::Z);
    assert!((overlap.depth - 1.5).abs() < EXACT);
    let [a, b, c] = face.vertices();
    let overlap = overlap_capsule_triangle(&upright, &triangle(a, c, b)).unwrap();
    assert_eq!(overlap.normal, Vec3::NEG_Z);
}

/// 6.2: the bands reach exactly one radius; their ends belong to the side.
#[test]
fn a_point_exactly_one_radius_from_an_end_is_on_the_side() {
    let long = capsule(dvec3(2.0, -1.0, 1.0), dvec3(2.0, -1.0, 4.0), 0.5);
    let at = |z: f64| region_by_bands(&long, dvec3(2.4, -0.7, z));
    assert_eq!(at(1.5), Region::Side);
    assert_eq!(at(3.5), Region::Side);
    assert_eq!(at(1.5_f64.next_down()), Region::Bottom);
    assert_eq!(at(3.5_f64.next_up()), Region::Top);
}

/// 7.3: a level normal does not point against up, so it stays.
#[test]
fn a_level_normal_is_not_turned_up() {
    for normal in [Vec3::X, Vec3::NEG_X, vec3(0.6, -0.8, 0.0)] {
        assert_eq!(face_up(normal, DVec3::Z), normal);
    }
    assert_eq!(face_up(vec3(0.6, 0.0, -0.8), DVec3::Z), vec3(-0.6, 0.0, 0.8));
}

/// 8.1: an axis within 10⁻⁵ of perpendicular to the normal touches with its middle; with more
/// slant one end touches.
#[test]
fn an_axis_slanted_by_more_than_a_hundred_thousandth_touches_with_one_end() {
    let level = |slant: f64| {
        let lying = capsule(dvec3(-2.0, 0.0, 0.0), dvec3(2.0, 0.0, 4.0 * slant), 0.5);
        contact_point_from_normal(&lying, &motion(0.0, 0.0, -1.0), 0.0, Vec3::Z).x
    };
    assert!(level(5e-6).abs() < EXACT, "the middle");
    assert!((level(2e-5) + 2.0).abs() < EXACT, "the lower end");
    assert!((level(-2e-5) - 2.0).abs() < EXACT, "the lower end");
    assert!((level(1e-3) + 2.0).abs() < EXACT, "the lower end");
}

/// 12.3: directions and lengths lose the scale and the rotation of an instance. A quarter turn
/// about z takes x to y.
#[test]
fn a_vector_in_local_space_is_divided_by_the_scale() {
    let turn = DQuat::from_xyzw(0.0, 0.0, 0.5_f64.sqrt(), 0.5_f64.sqrt());
    let at = dvec3(7.0, -8.0, 9.0);
    let uniform = Pose::new(at, turn, DVec3::splat(2.0)).unwrap();
    assert_at(uniform.vector_to_local(dvec3(0.0, 6.0, 10.0)), dvec3(3.0, 0.0, 5.0), EXACT);
    let stretched = Pose::new(at, turn, dvec3(2.0, 4.0, 5.0)).unwrap();
    assert_at(stretched.vector_to_local(dvec3(-8.0, 6.0, 10.0)), dvec3(3.0, 2.0, 2.0), EXACT);
}

/// 12.5: north is +x inside and +y in the world, west is +y inside and −x in the world.
#[test]
fn directions_of_world_of_warcraft_turn_by_a_quarter() {
    let (north, west) = (dvec3(0.75, 0.0, -0.5), dvec3(0.0, 0.25, 2.0));
    let to_world = AxisSystem::WOW.to(AxisSystem::Z_UP);
    assert_eq!(to_world.vector(north), dvec3(0.0, 0.75, -0.5));
    assert_eq!(to_world.vector(west), dvec3(-0.25, 0.0, 2.0));
    let to_internal = AxisSystem::Z_UP.to(AxisSystem::WOW);
    assert_eq!(to_internal.vector(dvec3(0.0, 0.75, -0.5)), north);
    assert_eq!(to_internal.vector(dvec3(-0.25, 0.0, 2.0)), west);
}

/// A.1: outside of each edge alone, and of each pair at its vertex.
#[test]
fn a_point_beyond_any_of_the_three_edges_is_outside() {
    let plate = triangle(dvec3(0.0, 0.0, 1.0), dvec3(4.0, 0.0, 1.0), dvec3(0.0, 3.0, 1.0));
    let inside = |x: f64, y: f64| plate.contains_projection(dvec3(x, y, -5.0)).unwrap();
    assert!(inside(1.0, 1.0));
    assert!(!inside(2.0, -0.001), "beyond a–b");
    assert!(!inside(2.0, 1.501), "beyond b–c");
    assert!(!inside(-0.001, 1.0), "beyond c–a");
    assert!(!inside(-0.5, -0.5) && !inside(5.0, -0.1) && !inside(-0.1, 4.0), "beyond a vertex");
}

/// A.2: only a length of zero is degenerate: a segment of half a micrometre still has two ends.
#[test]
fn a_segment_of_half_a_micrometre_is_not_a_point() {
    let (a, b) = (dvec3(1.0, 2.0, 0.0), dvec3(1.0, 2.0, 5e-7));
    assert_eq!(closest_point_segment(dvec3(9.0, 9.0, 3.0), a, b), b);
    let middle = closest_point_segment(dvec3(9.0, 9.0, 2.5e-7), a, b);
    assert_at(middle, dvec3(1.0, 2.0, 2.5e-7), 1e-15);
}
