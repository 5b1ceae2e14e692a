//! Where the rules, taken literally, give a wrong answer: one test per correction of
//! `docs/rules.md`.
//!
//! Each test shows the answer of the literal step, the true answer, and that capsweep gives the
//! true one. The comment works it out by hand, or it is the definition itself: at the reported
//! pose the axis is one radius away, and before it was further. Radii are sums of powers of two,
//! so exact in f32.

#![expect(
    clippy::unwrap_used,
    reason = "clippy.toml allows it in tests, but not in their helpers"
)]

mod contacts;

use capsweep::{
    Capsule, Feature, HalfSpace, Motion, Region, Sides, SweepHit, Triangle,
    closest_capsule_triangle, closest_point_segment, contact, overlap_capsule_triangle,
    sweep_capsule_half_space, sweep_capsule_triangle,
};
use capsweep_testkit::{Rng, literal};
use glam::{DVec3, dvec3};

/// Agreement of numbers that two f64 computations must share (metres).
const EXACT: f64 = 1e-12;

fn capsule(p0: DVec3, p1: DVec3, radius: f32) -> Capsule {
    Capsule::new(p0, p1, radius).unwrap()
}

fn triangle(a: DVec3, b: DVec3, c: DVec3) -> Triangle {
    Triangle::new(a, b, c).unwrap()
}

fn motion(x: f64, y: f64, z: f64) -> Motion {
    Motion::new(dvec3(x, y, z)).unwrap()
}

/// A large floor at height `z`, facing up.
fn floor(z: f64) -> Triangle {
    triangle(dvec3(-19.0, -17.0, z), dvec3(23.0, -16.0, z), dvec3(1.0, 29.0, z))
}

/// The same, facing down.
fn ceiling(z: f64) -> Triangle {
    let [a, b, c] = floor(z).vertices();
    triangle(a, c, b)
}

/// Distance from the axis to the triangle once the capsule has moved by `offset`. The closest
/// points come from the test kit: no code is shared with the library.
fn axis_distance(capsule: &Capsule, offset: DVec3, triangle: &Triangle) -> f64 {
    let (p0, p1) = (capsule.p0() + offset, capsule.p1() + offset);
    let (on_axis, on_triangle) = literal::closest_segment_triangle(p0, p1, triangle);
    on_axis.distance(on_triangle)
}

/// A first touch: the gap is closed at the hit, and open at a thousand times before it.
fn assert_is_first_touch(capsule: &Capsule, motion: &Motion, triangle: &Triangle, hit: &SweepHit) {
    let gap = |time: f64| {
        axis_distance(capsule, motion.vector() * time, triangle) - f64::from(capsule.radius())
    };
    assert!(gap(hit.time).abs() < 1e-9, "gap {} at {hit:?}", gap(hit.time));
    for step in 0..1000 {
        let time = hit.time * f64::from(step) / 1000.0;
        assert!(gap(time) > 0.0, "gap {} at {time}, before {hit:?}", gap(time));
    }
}

fn sweep(capsule: &Capsule, motion: &Motion, triangle: &Triangle) -> Option<SweepHit> {
    sweep_capsule_triangle(capsule, motion, triangle, Sides::Front)
}

/// 2.1: (3, 0, −4) has length 5, so "2 m" of it are 10 m. The feet are 4 m over the floor: the
/// distance there is 4 / (4/5) = 5 m, out of reach for 2 m. The literal sweep reports a hit after
/// 5/10 of its 2 m.
#[test]
fn a_direction_of_length_five_takes_the_literal_sweep_five_times_as_far() {
    let capsule = capsule(dvec3(0.3, -0.2, 4.5), dvec3(0.3, -0.2, 5.75), 0.5);
    let (direction, floor) = (dvec3(3.0, 0.0, -4.0), floor(0.0));
    let (_, distance) = literal::sweep_along(&capsule, direction, 2.0, &floor).unwrap();
    assert!((distance - 1.0).abs() < EXACT, "{distance}");

    let two_metres = Motion::along(direction, 2.0).unwrap();
    assert!((two_metres.vector().length() - 2.0).abs() < EXACT);
    assert_eq!(sweep(&capsule, &two_metres, &floor), None);
    let eight_metres = Motion::along(direction, 8.0).unwrap();
    let hit = sweep(&capsule, &eight_metres, &floor).unwrap();
    assert!((hit.distance - 5.0).abs() < EXACT, "{hit:?}");
    assert_is_first_touch(&capsule, &eight_metres, &floor, &hit);
}

/// 4.2.3 asks when `p0` meets the plane. Going up, `p1` leads by the cylinder's 1.25 m: it touches
/// after 3 − 1.75 − 0.5 = 0.75 m; `p0` gets there after 3 − 0.5 − 0.5 = 2 m.
#[test]
fn a_ceiling_is_found_one_cylinder_height_late_by_the_plane_distance_of_p0() {
    let capsule = capsule(dvec3(0.3, -0.2, 0.5), dvec3(0.3, -0.2, 1.75), 0.5);
    let (up, ceiling) = (motion(0.0, 0.0, 4.0), ceiling(3.0));
    let literal = literal::sweep_capsule_triangle(&capsule, up.vector(), &ceiling).unwrap();
    assert!((literal.time * 4.0 - 2.0).abs() < EXACT, "{literal:?}");

    let hit = sweep(&capsule, &up, &ceiling).unwrap();
    assert!((hit.distance - 0.75).abs() < EXACT, "{hit:?}");
    assert_eq!(hit.region, Region::Top);
    assert_is_first_touch(&capsule, &up, &ceiling, &hit);
}

/// 4.2.4 looks for the contact under the capsule's *centre*. On the slope z = 0.75·x the foot of
/// the centre is 0.6 · 1.5 = 0.9 m up the slope from where the lower end touches. The triangle
/// ends 0.6 m up: the literal steps fall through it. `p0` starts 2 m above the pose that touches
/// at the origin.
#[test]
fn a_slope_under_the_lower_end_is_missed_by_looking_under_the_centre() {
    let (normal, up_slope, along) = (dvec3(-0.6, 0.0, 0.8), dvec3(0.8, 0.0, 0.6), DVec3::Y);
    let at = |u: f64, v: f64| up_slope * u + along * v;
    let slope = triangle(at(-1.5, -1.0), at(0.6, -0.9), at(0.5, 1.4));
    let p0 = normal * 0.25 + dvec3(0.0, 0.0, 2.0);
    let capsule = capsule(p0, p0 + dvec3(0.0, 0.0, 3.0), 0.25);
    let fall = motion(0.0, 0.0, -4.0);
    assert_eq!(literal::sweep_capsule_triangle(&capsule, fall.vector(), &slope), None);

    let hit = sweep(&capsule, &fall, &slope).unwrap();
    assert!((hit.distance - 2.0).abs() < EXACT, "{hit:?}");
    assert!(hit.point.length() < EXACT, "{hit:?}");
    assert_eq!((hit.feature, hit.region), (Feature::Face, Region::Bottom));
    assert_is_first_touch(&capsule, &fall, &slope, &hit);
}

/// 4.2.3 behind the plane: a lying capsule whose axis is 0.25 m below a floor that faces up,
/// sinking. It overlaps: 0.25 < 0.5. The literal time, (−0.25 + 0.5) / 2, is when it has just come
/// out below.
#[test]
fn a_capsule_behind_the_plane_is_reported_when_it_has_passed_through() {
    let capsule = capsule(dvec3(-0.4, 0.1, -0.25), dvec3(0.7, 0.3, -0.25), 0.5);
    let (sink, floor) = (motion(0.0, 0.0, -2.0), floor(0.0));
    let literal = literal::sweep_capsule_triangle(&capsule, sink.vector(), &floor).unwrap();
    assert!((literal.time - 0.125).abs() < EXACT, "{literal:?}");
    let distance = |time: f64| axis_distance(&capsule, sink.vector() * time, &floor);
    assert!((distance(literal.time) - 0.5).abs() < EXACT, "it touches then");
    assert!(distance(literal.time - 0.01) < 0.5, "but overlaps before");
    assert!(distance(literal.time + 0.01) > 0.5, "and is clear after");

    let hit = sweep(&capsule, &sink, &floor).unwrap();
    assert_eq!((hit.time, hit.distance), (0.0, 0.0));
    assert!((hit.depth - 0.25).abs() < EXACT, "{hit:?}");
}

/// 4.4.1 takes the axis point nearest to the vertex at the start: `p1`, which then passes 0.4 m
/// over it. The true contact is half way up: the axis is 0.1 m beside the vertex, so they touch
/// once it is √(0.25² − 0.1²) m away along x; by then the axis spans the vertex's height.
#[test]
fn a_vertex_that_the_side_reaches_is_missed_by_sweeping_the_end_that_was_closest() {
    let capsule = capsule(DVec3::ZERO, dvec3(0.0, 0.0, 2.0), 0.25);
    let climb = motion(4.0, 0.0, 3.0);
    let vertex = dvec3(2.0, 0.1, 3.0);
    assert_eq!(literal::sweep_capsule_vertex(&capsule, climb.vector(), vertex), None);

    // The whole triangle is found by its face, after `p0` has come up to it: half of the motion
    // too late.
    let spike = triangle(vertex, dvec3(6.0, 1.1, 3.6), dvec3(6.0, -1.4, 2.9));
    let literal = literal::sweep_capsule_triangle(&capsule, climb.vector(), &spike).unwrap();
    assert!(literal.time > 0.95, "{literal:?}");

    let time = (2.0 - (0.25_f64 * 0.25 - 0.1 * 0.1).sqrt()) / 4.0;
    assert!((time - 0.4427).abs() < 1e-4, "{time}");
    let hit = sweep(&capsule, &climb, &spike).unwrap();
    assert!((hit.time - time).abs() < EXACT, "{hit:?}");
    assert_eq!((hit.feature, hit.region), (Feature::Vertex(0), Region::Side));
    assert_is_first_touch(&capsule, &climb, &spike, &hit);
}

/// 4.3.2 takes the axis point nearest to the edge at the start: `p0`, facing (2, 0, 0). Sideways,
/// the edge z = y rises along the axis. Axis and edge lie in the planes x = 3·t and x = 2, and
/// their crossing seen along x, at height 1.5·t, stays on both: they touch at 2 − 3·t = 0.25. `p0`
/// alone comes no nearer to the edge than 1/√2 m.
#[test]
fn an_edge_that_the_side_reaches_is_missed_by_sweeping_the_point_that_was_closest() {
    let capsule = capsule(DVec3::ZERO, dvec3(0.0, 0.0, 2.0), 0.25);
    let shift = motion(3.0, 1.5, 0.0);
    let edge = (dvec3(2.0, 3.0, 3.0), dvec3(2.0, -1.0, -1.0));
    assert_eq!(literal::sweep_capsule_edge(&capsule, shift.vector(), edge), None);
    let blade = triangle(edge.0, edge.1, dvec3(5.0, 0.7, 1.1));
    assert_eq!(literal::sweep_capsule_triangle(&capsule, shift.vector(), &blade), None);

    let hit = sweep(&capsule, &shift, &blade).unwrap();
    assert!((hit.time - 1.75 / 3.0).abs() < EXACT, "{hit:?}");
    assert_eq!((hit.feature, hit.region), (Feature::Edge(0), Region::Side));
    assert!(hit.point.distance(dvec3(2.0, 0.875, 0.875)) < EXACT, "{hit:?}");
    assert_is_first_touch(&capsule, &shift, &blade, &hit);
}

/// 4.4.4 (and 4.3.5): the vertex is 0.25 m from the axis of a capsule of radius 0.5, so they
/// overlap. The entry root is negative, and the exit root, where the axis has passed it by 0.5 m,
/// is at 0.75 / 2.
#[test]
fn an_overlapping_start_becomes_a_hit_on_the_far_side_by_the_exit_root() {
    let capsule = capsule(DVec3::ZERO, dvec3(0.0, 0.0, 1.25), 0.5);
    let push = motion(2.0, 0.0, 0.0);
    let vertex = dvec3(0.25, 0.0, 0.625);
    let literal = literal::sweep_capsule_vertex(&capsule, push.vector(), vertex).unwrap();
    assert!((literal.time - 0.375).abs() < EXACT, "{literal:?}");
    assert!(literal.normal.dot(push.vector()) > 0.0, "the capsule is leaving: {literal:?}");
    // An edge through the same point, across motion and axis, gives the same root.
    let edge = (vertex - dvec3(0.0, 0.7, 0.0), vertex + dvec3(0.0, 0.9, 0.0));
    let literal = literal::sweep_capsule_edge(&capsule, push.vector(), edge).unwrap();
    assert!((literal.time - 0.375).abs() < EXACT, "{literal:?}");

    let spike = triangle(vertex, dvec3(4.0, -1.5, 2.4), dvec3(4.0, 1.0, 2.6));
    let hit = sweep(&capsule, &push, &spike).unwrap();
    assert_eq!((hit.time, hit.distance), (0.0, 0.0));
    assert!((hit.depth - 0.25).abs() < EXACT, "{hit:?}");
    assert_eq!((hit.normal.as_dvec3(), hit.feature), (DVec3::NEG_X, Feature::Vertex(0)));
}

/// 4.3.5 divides by `2a`, and `a` is the part of the motion across the edge: zero here, so 0/0, a
/// NaN that passes every test as a hit. The capsule touches the edge's end, 0.3 m beside the path
/// of the axis: √(0.5² − 0.3²) = 0.4 m before it, after 1 − 0.4 = 0.6 of 3 m.
#[test]
fn a_motion_along_an_edge_divides_zero_by_zero() {
    let capsule = capsule(DVec3::ZERO, dvec3(0.0, 0.0, 1.25), 0.5);
    let along = motion(3.0, 0.0, 0.0);
    let edge = (dvec3(1.0, 0.3, 0.6), dvec3(4.0, 0.3, 0.6));
    let literal = literal::sweep_capsule_edge(&capsule, along.vector(), edge).unwrap();
    assert!(literal.time.is_nan() && literal.normal.is_nan(), "{literal:?}");

    // A motion along an edge is also along the face: only `Both` tests it.
    let fin = triangle(edge.0, edge.1, dvec3(3.5, 0.4, 3.0));
    let hit = sweep_capsule_triangle(&capsule, &along, &fin, Sides::Both).unwrap();
    assert!((hit.distance - 0.6).abs() < EXACT, "{hit:?}");
    assert_eq!(hit.feature, Feature::Vertex(0));
    assert_is_first_touch(&capsule, &along, &fin, &hit);
}

/// 4.2 to 4.4 on random sweeps of up to 10 m against triangles of up to 30 m around a point near
/// the path. A hit of capsweep is real: at its pose, measured by the test kit, the axis is one
/// radius away, or closer where it starts overlapping.
#[test]
fn the_literal_steps_get_most_random_hits_wrong() {
    let mut rng = Rng::new(&[4_002]);
    let (mut hits, mut missed, mut late) = (0, 0, 0);
    for _ in 0..20_000 {
        let p0 = rng.cube(1.0);
        let capsule = capsule(p0, p0 + rng.cube(1.0), 0.5);
        let way = Motion::new(rng.cube(5.5)).unwrap();
        let middle = p0 + way.vector() * 0.5 + rng.cube(3.0);
        let (a, b) = (rng.cube(9.0), rng.cube(9.0));
        let triangle = triangle(middle + a, middle + b, middle - a - b);
        let Some(hit) = sweep(&capsule, &way, &triangle) else { continue };
        let gap = axis_distance(&capsule, way.vector() * hit.time, &triangle) - 0.5;
        let is_real = if hit.starts_overlapping() { gap < 0.0 } else { gap.abs() < 1e-9 };
        assert!(is_real, "gap {gap} at {hit:?}");
        hits += 1;
        match literal::sweep_capsule_triangle(&capsule, way.vector(), &triangle) {
            None => missed += 1,
            // A millimetre is a wrong answer by any measure.
            Some(touch) if touch.time * way.length() > hit.distance + 0.001 => late += 1,
            Some(_) => {}
        }
    }
    assert!(hits > 3000, "{hits}");
    assert!(2 * (missed + late) > hits, "{missed} missed and {late} late of {hits}");
}
