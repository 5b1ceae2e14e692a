//! Where the rules, taken literally, give a wrong answer: one test per correction of `docs/rules.md`.
//!
//! Each shows what the literal step answers, what is true, and that capsweep answers the truth. The truth
//! is worked out by hand in the comment, or is the definition itself: at the reported pose the axis is
//! one radius away, and before it was further. Radii are sums of powers of two, so exact in f32.

#![expect(clippy::unwrap_used, reason = "clippy.toml allows it in tests, but not in their helpers")]

use capsweep::{
    Capsule, Feature, HalfSpace, Motion, Region, Sides, SweepHit, Triangle,
    closest_capsule_triangle, closest_point_segment, contact, overlap_capsule_triangle,
    sweep_capsule_half_space, sweep_capsule_triangle,
};
use capsweep_testkit::literal;
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

/// Distance from the axis to the triangle once the capsule has moved by `offset`. The closest points
/// come from the test kit: no code is shared with the library.
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

/// 2.1: (3, 0, −4) has length 5, so "2 m" of it are 10 m. The feet are 4 m over the floor: the way
/// there is 4 / (4/5) = 5 m, out of reach for 2 m. The literal sweep reports it after 5/10 of its 2 m.
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

/// 4.2.4 looks for the contact under the capsule's *centre*. On the slope z = 0.75·x the foot of the
/// centre is 0.6 · 1.5 = 0.9 m up the slope from where the lower end touches. The triangle ends 0.6 m
/// up: the literal steps fall through it. `p0` starts 2 m above the pose that touches at the origin.
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

/// 4.2.3 behind the plane: a lying capsule whose axis is 0.25 m below a floor that faces up, sinking.
/// It overlaps: 0.25 < 0.5. The literal time, (−0.25 + 0.5) / 2, is when it has just come out below.
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

/// 4.4.1 takes the axis point nearest to the vertex at the start: `p1`, which then passes 0.4 m over
/// it. The true contact is half way up: the axis is 0.1 m beside the vertex, so they touch once it is
/// √(0.25² − 0.1²) m away along x; by then the axis spans the vertex's height.
#[test]
fn a_vertex_that_the_side_reaches_is_missed_by_sweeping_the_end_that_was_closest() {
    let capsule = capsule(DVec3::ZERO, dvec3(0.0, 0.0, 2.0), 0.25);
    let climb = motion(4.0, 0.0, 3.0);
    let vertex = dvec3(2.0, 0.1, 3.0);
    assert_eq!(literal::sweep_capsule_vertex(&capsule, climb.vector(), vertex), None);

    // The whole triangle is found by its face, after `p0` has come up to it: half of the motion too late.
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

/// 4.3.2 takes the axis point nearest to the edge at the start: `p0`, facing (2, 0, 0). Sideways, the
/// edge z = y rises along the axis. Axis and edge lie in the planes x = 3·t and x = 2, and their crossing
/// seen along x, at height 1.5·t, stays on both: they touch at 2 − 3·t = 0.25. `p0` alone comes no nearer
/// to the edge than 1/√2 m.
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

/// 4.4.4 (and 4.3.5): the vertex is 0.25 m from the axis of a capsule of radius 0.5, so they overlap. The
/// entry root is negative, and the exit root, where the axis has passed it by 0.5 m, is at 0.75 / 2.
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

/// 4.3.5 divides by `2a`, and `a` is what the motion has across the edge: nothing here, so 0/0, a NaN that
/// passes every test as a hit. What is touched is the edge's end, 0.3 m beside the axis's way: at
/// √(0.5² − 0.3²) = 0.4 m before it, after 1 − 0.4 = 0.6 of 3 m.
#[test]
fn a_motion_along_an_edge_divides_zero_by_zero() {
    let capsule = capsule(DVec3::ZERO, dvec3(0.0, 0.0, 1.25), 0.5);
    let along = motion(3.0, 0.0, 0.0);
    let edge = (dvec3(1.0, 0.3, 0.6), dvec3(4.0, 0.3, 0.6));
    let literal = literal::sweep_capsule_edge(&capsule, along.vector(), edge).unwrap();
    assert!(literal.time.is_nan() && literal.normal.is_nan(), "{literal:?}");

    // A motion along an edge runs along the face too: only `Both` looks at it.
    let fin = triangle(edge.0, edge.1, dvec3(3.5, 0.4, 3.0));
    let hit = sweep_capsule_triangle(&capsule, &along, &fin, Sides::Both).unwrap();
    assert!((hit.distance - 0.6).abs() < EXACT, "{hit:?}");
    assert_eq!(hit.feature, Feature::Vertex(0));
    assert_is_first_touch(&capsule, &along, &fin, &hit);
}

/// 5.2.4 and 9.1: the axis reaches 0.75 m below the floor. Up, it must rise by that and the radius:
/// 0.75 + 0.5 = 1.25 m; down, 1.0 + 0.5 = 1.5 m. The literal depth is the radius alone, and a push by it
/// leaves the axis as pierced as before.
#[test]
fn a_piercing_axis_pushed_out_by_the_radius_is_still_inside() {
    let capsule = capsule(dvec3(0.3, -0.2, -0.75), dvec3(0.3, -0.2, 1.0), 0.5);
    let floor = floor(0.0);
    let literal = literal::overlap_capsule_triangle(&capsule, &floor).unwrap();
    assert_eq!((literal.depth, literal.normal), (0.5, DVec3::Z));
    assert_eq!(axis_distance(&capsule, literal.normal * literal.depth, &floor), 0.0);
    // 9.1 by itself, from the coinciding closest points.
    assert_eq!(contact::depth_from_closest(&capsule, literal.point, literal.point), 0.5);

    let overlap = overlap_capsule_triangle(&capsule, &floor).unwrap();
    assert!((overlap.depth - 1.25).abs() < EXACT, "{overlap:?}");
    assert_eq!(overlap.normal.as_dvec3(), DVec3::Z);
    let push = overlap.normal.as_dvec3() * overlap.depth;
    assert!((axis_distance(&capsule, push, &floor) - 0.5).abs() < EXACT);
}

/// 5.3.3 is an empty step for an axis over the inside of the face. Nothing is lost: there the gap is
/// linear along the axis, so it is smallest at an end (5.3.6), at an edge (5.3.4) or where the axis
/// pierces (5.3.2). Shown against a search over a grid of both, which can only be too far, and by no more
/// than its spacing.
#[test]
fn the_empty_step_of_the_closest_points_needs_no_filling() {
    let triangle = triangle(dvec3(-2.0, -1.5, 0.2), dvec3(3.0, -1.0, -0.1), dvec3(0.5, 2.5, 0.6));
    let axes = [
        // Over the inside: slanted, level, piercing.
        (dvec3(-0.3, -0.4, 0.7), dvec3(0.9, 0.3, 1.6)),
        (dvec3(-0.3, -0.4, 1.0), dvec3(0.9, 0.3, 1.0)),
        (dvec3(0.2, -0.4, -0.7), dvec3(0.4, 0.1, 1.3)),
        // Across an edge, past a vertex, from one side of the plane to the other outside.
        (dvec3(0.1, -0.8, 0.9), dvec3(0.6, -2.8, 0.4)),
        (dvec3(3.4, -1.9, -0.8), dvec3(3.9, -0.2, 1.1)),
        (dvec3(-2.4, 1.1, -0.9), dvec3(-1.4, 1.6, 1.7)),
    ];
    for (p0, p1) in axes {
        let capsule = capsule(p0, p1, 0.25);
        let literal = axis_distance(&capsule, DVec3::ZERO, &triangle);
        let searched = grid_distance(p0, p1, &triangle);
        assert!(literal <= searched + EXACT, "{literal} against {searched} for {p0} {p1}");
        assert!(searched <= literal + 0.06, "{literal} against {searched} for {p0} {p1}");
        let found = closest_capsule_triangle(&capsule, &triangle);
        if literal > 0.0 {
            assert!((found.distance - (literal - 0.25)).abs() < EXACT, "{found:?}");
        } else {
            assert!(found.distance < -0.25, "a piercing axis is deeper than the radius: {found:?}");
        }
    }
}

/// Smallest distance between 81 points of the axis and 3321 of the triangle, whose edges are shorter
/// than 5.2 m: a true closest pair is within 5.2 / 80 / √3 + 2.9 / 160 < 0.06 m of a sampled one.
fn grid_distance(p0: DVec3, p1: DVec3, triangle: &Triangle) -> f64 {
    let [a, b, c] = triangle.vertices();
    let part = |i: u32| f64::from(i) / 80.0;
    let corners = (0..=80_u32).flat_map(|i| (0..=80 - i).map(move |j| (part(i), part(j))));
    let points: Vec<DVec3> = corners.map(|(u, v)| a + (b - a) * u + (c - a) * v).collect();
    let axis = (0..=80).map(|k| p0 + (p1 - p0) * part(k));
    axis.flat_map(|x| points.iter().map(move |y| x.distance(*y))).fold(f64::INFINITY, f64::min)
}

/// 6.2: bands of one radius at each end of the axis. A person of height 1.75 and radius 0.375 has an axis
/// of 1 m: 0.25 m of it count as side. At height 1.5 the bands meet in one point, and a wall that pokes
/// the capsule a hand below the middle counts as ground.
#[test]
fn walls_count_as_ground_by_bands_of_one_radius() {
    let tall = Capsule::from_feet(DVec3::ZERO, DVec3::Z, 0.375, 1.75).unwrap();
    let side = (0..1000).map(|i| (f64::from(i) + 0.5) / 1000.0).filter(|t| {
        let point = tall.p0() + tall.axis() * *t + dvec3(0.375, 0.0, 0.0);
        literal::region_by_bands(&tall, point) == Region::Side
    });
    assert_eq!(side.count(), 250);

    let short = Capsule::from_feet(DVec3::ZERO, DVec3::Z, 0.375, 1.5).unwrap();
    let shelf = triangle(dvec3(1.0, 0.0, 0.7), dvec3(3.0, -1.0, 1.2), dvec3(3.0, 1.5, 1.3));
    let hit = sweep(&short, &motion(2.0, 0.0, 0.0), &shelf).unwrap();
    assert!((hit.distance - 0.625).abs() < EXACT && hit.normal.x == -1.0, "a wall: {hit:?}");
    let there = short.translated(dvec3(hit.distance, 0.0, 0.0)).unwrap();
    assert_eq!(literal::region_by_bands(&there, hit.point), Region::Bottom);
    assert_eq!(hit.region, Region::Side);
}

/// 6.2 where the bands overlap: the axis is 0.5 m long and the point faces 0.35 m of it, so it is 0.15 m
/// from the top's end and 0.35 m from the bottom's. The bottom's band is asked first and takes it.
#[test]
fn where_bands_overlap_the_bottom_takes_what_is_nearer_to_the_top() {
    let capsule = capsule(dvec3(0.2, 0.1, 0.5), dvec3(0.2, 0.1, 1.0), 0.5);
    let point = dvec3(0.7, 0.1, 0.85);
    assert_eq!(literal::region_by_bands(&capsule, point), Region::Bottom);
    assert_eq!(contact::region_by_bands(&capsule, point), Region::Top);
}

/// 8.1.2: under a sloped ceiling with normal (0.6, 0, −0.8) the top end touches: `p1`, at 1.25 m of the
/// axis. The literal point is taken at 0.8 · 1.25 = 1 m of it, so it is 0.25 · 0.8 = 0.2 m off the plane.
#[test]
fn an_oblique_normal_puts_the_literal_contact_point_in_mid_air() {
    let capsule = capsule(dvec3(0.3, -0.2, 0.5), dvec3(0.3, -0.2, 1.75), 0.5);
    let slope = HalfSpace::new(dvec3(0.0, 0.0, 4.0), dvec3(0.6, 0.0, -0.8)).unwrap();
    let up = motion(0.0, 0.0, 5.0);
    let hit = sweep_capsule_half_space(&capsule, &up, &slope, Sides::Front).unwrap();
    let literal =
        literal::sweep_contact_point(&capsule, up.vector(), hit.time, dvec3(0.6, 0.0, -0.8));
    assert!((slope.signed_distance(literal) - 0.2).abs() < EXACT, "{literal}");

    assert!(slope.signed_distance(hit.point).abs() < EXACT, "{hit:?}");
    assert_eq!(hit.region, Region::Top);
    // From the normal alone: f32, so to 0.1 µm.
    let point = contact::contact_point_from_normal(&capsule, &up, hit.time, hit.normal);
    assert!(point.distance(hit.point) < 1e-7, "{point} against {hit:?}");
}

/// 9.2: under the scale S = (2, 1, 0.5) a plane with local normal n has the world normal S⁻¹n / |S⁻¹n|, and
/// local heights over it are world heights times |S⁻¹n| = |(0.3, 0, 1.6)| = 1.6279. None of the three
/// scales undoes that. The axis ends 0.2 m over the plane: the true depth is 0.5 − 0.2 = 0.3 m.
#[test]
fn no_single_factor_turns_a_depth_under_non_uniform_scale_into_the_worlds() {
    let (scale, local_normal) = (dvec3(2.0, 1.0, 0.5), dvec3(0.6, 0.0, 0.8));
    let in_plane = |u: f64, v: f64| dvec3(0.8, 0.0, -0.6) * u + DVec3::Y * v;
    let corners = [in_plane(-5.0, -4.0), in_plane(6.0, -3.0), in_plane(0.5, 7.0)];
    let [a, b, c] = corners.map(|corner| corner * scale);
    let world = triangle(a, b, c);
    let normal = (local_normal / scale).normalize();
    let p0 = normal * 0.2;
    let capsule = capsule(p0, p0 + dvec3(0.1, 0.2, 1.3), 0.5);

    let deepest = p0 - normal * 0.5;
    let local_depth = -local_normal.dot(deepest / scale);
    for factor in [2.0, 1.0, 0.5] {
        let literal = literal::scale_depth(local_depth, factor);
        assert!((literal - 0.3).abs() > 0.05, "{literal} for {factor}");
    }
    let overlap = overlap_capsule_triangle(&capsule, &world).unwrap();
    // The depth is measured along the f32 normal.
    assert!((overlap.depth - 0.3).abs() < 1e-7, "{overlap:?}");
    // Under uniform scale one factor is right: |S⁻¹n| is 1/s.
    let uniform_local = -local_normal.dot(local_normal * (0.2 - 0.5)) / 3.0;
    assert!((contact::scale_depth(uniform_local, 3.0) - 0.3).abs() < EXACT);
    assert!((contact::scale_depth(uniform_local, -3.0) - 0.3).abs() < EXACT);
}

/// 10.2.1: ∞ · 0 is NaN, so `direction · ∞` straight down is (NaN, NaN, −∞), and the floor is not there.
#[test]
fn a_search_that_starts_at_infinity_sweeps_by_nan() {
    let capsule = capsule(dvec3(0.3, -0.2, 2.5), dvec3(0.3, -0.2, 3.75), 0.5);
    let down = DVec3::NEG_Z;
    assert!((down * f64::INFINITY).is_nan());
    let floors = [floor(0.0)];
    assert_eq!(literal::sweep_triangles(&capsule, down, f64::INFINITY, &floors), None);

    let hit = sweep(&capsule, &motion(0.0, 0.0, -1e6), &floors[0]).unwrap();
    assert!((hit.distance - 2.0).abs() < 1e-9, "{hit:?}");
}

/// 10.3: a hit must be strictly nearer than the best so far, so the one at exactly the end of the motion
/// is lost. The feet are at z = 2 and the motion is 2 m.
#[test]
fn a_touch_at_exactly_the_end_is_lost_by_a_strict_comparison() {
    let capsule = capsule(dvec3(0.3, -0.2, 2.5), dvec3(0.3, -0.2, 3.75), 0.5);
    let floors = [floor(0.0)];
    assert_eq!(literal::sweep_triangles(&capsule, DVec3::NEG_Z, 2.0, &floors), None);
    // The step itself is right there: it is the comparison that loses it.
    let touch = literal::sweep_capsule_triangle(&capsule, dvec3(0.0, 0.0, -2.0), &floors[0]);
    assert_eq!(touch.unwrap().time, 1.0);

    let hit = sweep(&capsule, &motion(0.0, 0.0, -2.0), &floors[0]).unwrap();
    assert!((hit.time - 1.0).abs() < EXACT && hit.time <= 1.0, "{hit:?}");
}

/// A.1: on a triangle without area the weights are 0 · ∞, and no point is inside, not even the middle of
/// the segment that it is. Going up at it, A.3's normal of +Z has it skipped as a back face. The capsule
/// passes 0.3 m beside the segment: the touch is √(0.5² − 0.3²) = 0.4 m below it.
#[test]
fn a_triangle_without_area_is_not_there_for_the_barycentric_test() {
    let (a, b) = (dvec3(0.0, 0.0, 3.0), dvec3(4.0, 0.0, 3.0));
    let wire = triangle(a, a.lerp(b, 0.5), b);
    assert!(!literal::point_in_triangle(dvec3(1.0, 0.0, 3.0), &wire));
    let capsule = capsule(dvec3(1.5, 0.3, 0.5), dvec3(1.5, 0.3, 1.75), 0.5);
    let up = motion(0.0, 0.0, 2.0);
    assert_eq!(literal::sweep_capsule_triangle(&capsule, up.vector(), &wire), None);

    assert!(wire.is_degenerate());
    assert_eq!(wire.contains_projection(dvec3(1.0, 0.0, 3.0)), None);
    let hit = sweep(&capsule, &up, &wire).unwrap();
    assert!((hit.distance - (3.0 - 0.4 - 1.75)).abs() < EXACT, "{hit:?}");
    assert!(hit.normal.as_dvec3().distance(dvec3(0.0, 0.6, -0.8)) < 1e-6, "{hit:?}");
    assert_eq!(hit.face_normal, hit.normal);
}

/// A.2: 0.9 mm squared is below a millionth, so the segment counts as its start.
#[test]
fn a_segment_shorter_than_a_millimetre_is_its_start_by_an_absolute_tolerance() {
    let (a, b) = (dvec3(5.0, -2.0, 1.0), dvec3(5.0009, -2.0, 1.0));
    let point = dvec3(7.0, -2.5, 1.5);
    assert_eq!(literal::closest_point_segment(a, b, point), a);
    assert_eq!(closest_point_segment(point, a, b), b);
}

/// A.3: legs of 0.9 and 0.8 mm span 0.72 mm², below a millionth of a square metre, so a tiny wall that
/// faces −x is given +Z. A capsule that rises as it comes is then told to skip a face that it runs into.
#[test]
fn a_millimetre_triangle_faces_up_by_an_absolute_tolerance() {
    let corner = dvec3(2.0, 0.0, 1.0);
    let chip = triangle(corner, corner + dvec3(0.0, 0.0, 0.0009), corner + dvec3(0.0, 0.0008, 0.0));
    assert_eq!(literal::triangle_normal(&chip), DVec3::Z);
    let capsule = capsule(dvec3(0.0, 0.0, 0.5), dvec3(0.0, 0.0, 1.75), 0.5);
    let rise = motion(2.0, 0.0, 0.25);
    assert_eq!(literal::sweep_capsule_triangle(&capsule, rise.vector(), &chip), None);

    assert_eq!(chip.normal().unwrap().as_dvec3(), DVec3::NEG_X);
    assert!(!chip.is_degenerate());
    let hit = sweep(&capsule, &rise, &chip).unwrap();
    // The wall is at x = 2, the radius 0.5: three quarters of the 2 m along x.
    assert!((hit.time - 0.75).abs() < EXACT, "{hit:?}");
    assert_eq!(hit.normal.as_dvec3(), DVec3::NEG_X);
}

/// B.1 and B.2: gliding down by 1 in 100 (0.6°), a skin of 0.125 m taken off along the motion leaves
/// 0.125 · sin = 1.25 mm along the normal. Inflated by the skin, the capsule stops where the true gap is
/// the skin.
#[test]
fn a_skin_subtracted_along_a_grazing_motion_leaves_a_hundredth_of_it() {
    let capsule = capsule(dvec3(-9.0, 0.3, 0.65), dvec3(-9.0, 0.3, 1.9), 0.5);
    let (glide, floor, skin) = (motion(20.0, 0.0, -0.2), floor(0.0), 0.125_f32);
    let direction = glide.direction().unwrap();
    let gap_after = |advance: f64| axis_distance(&capsule, direction * advance, &floor) - 0.5;

    let hit = sweep(&capsule, &glide, &floor).unwrap();
    let literal = literal::safe_advance(hit.distance, f64::from(skin));
    assert!((gap_after(literal) - 0.00125).abs() < 1e-6, "{}", gap_after(literal));
    assert_eq!(hit.safe_advance(f64::from(skin)), literal, "the rule is offered as it is");

    let hit = sweep(&capsule.inflated(skin).unwrap(), &glide, &floor).unwrap();
    assert!((gap_after(hit.distance) - 0.125).abs() < EXACT, "{}", gap_after(hit.distance));
}

/// B.1 alone: closer than the skin, the advance is negative and the character is thrown back.
#[test]
fn the_skin_rule_without_its_clamp_moves_backwards() {
    let capsule = capsule(dvec3(0.3, -0.2, 0.5625), dvec3(0.3, -0.2, 1.75), 0.5);
    let hit = sweep(&capsule, &motion(0.0, 0.0, -1.0), &floor(0.0)).unwrap();
    let literal = literal::advance_keeping_skin(hit.distance, 0.125);
    assert!((literal - -0.0625).abs() < EXACT, "{literal}");
    assert_eq!(hit.safe_advance(0.125), 0.0);
}

/// 4.2 to 4.4 on random sweeps of up to 10 m against triangles of up to 30 m around a point near the way. A hit
/// of capsweep's is real: at its pose, measured by the test kit, the axis is one radius away, or closer where
/// it starts overlapping.
#[test]
fn the_literal_steps_get_most_random_hits_wrong() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let (mut hits, mut missed, mut late) = (0, 0, 0);
    for _ in 0..20_000 {
        let p0 = random.within(1.0);
        let capsule = capsule(p0, p0 + random.within(1.0), 0.5);
        let way = Motion::new(random.within(5.5)).unwrap();
        let middle = p0 + way.vector() * 0.5 + random.within(3.0);
        let (a, b) = (random.within(9.0), random.within(9.0));
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

/// Xorshift: the same numbers on every platform.
struct Random(u64);

impl Random {
    /// A vector whose coordinates are at most `reach`, either way.
    fn within(&mut self, reach: f64) -> DVec3 {
        let mut number = || {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            // The upper 53 bits, as a fraction.
            (self.0 >> 11) as f64 / (1_u64 << 53) as f64
        };
        let unit = dvec3(number(), number(), number());
        (unit * 2.0 - 1.0) * reach
    }
}
