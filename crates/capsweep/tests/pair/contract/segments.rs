//! Segments and points: no inside, no sides, and never skipped because of the motion.

use super::fuzz::{any_capsule, fixed, lattice, vector};
use super::referee::{judge, judge_at_rest};
use super::target::{Target, capsule, edge, v, vertex};
use capsweep::{
    Capsule, ClosestPoints, Feature, Overlap, Point, Region, Segment, Sides, SweepHit, Triangle,
};
use capsweep_testkit::{Case, Family, Pair, TargetShape, generate};
use glam::{DVec3, Vec3};
use proptest::prelude::*;

/// Mostly segments; some without length, and some points.
fn thin_target(
    at: impl Strategy<Value = DVec3> + Clone + 'static,
) -> impl Strategy<Value = Target> {
    prop_oneof![
        4 => (at.clone(), at.clone()).prop_map(|(a, b)| edge(a, b)),
        1 => at.clone().prop_map(|a| edge(a, a)),
        2 => at.prop_map(vertex),
    ]
}

proptest! {
    #![proptest_config(fixed(1500))]

    #[test]
    fn any_sweep_against_a_segment_or_point_keeps_the_contract(
        target in thin_target(vector(3.0)), body in any_capsule(vector(4.0)),
        motion in vector(8.0),
    ) {
        judge(&body, motion, &target);
        judge_at_rest(&body, &target);
    }

    #[test]
    fn any_sweep_against_a_segment_or_point_on_the_lattice_keeps_the_contract(
        target in thin_target(lattice(2)), body in any_capsule(lattice(2)),
        motion in lattice(3),
    ) {
        judge(&body, motion, &target);
        judge_at_rest(&body, &target);
    }

    #[test]
    fn any_sweep_along_the_axis_against_a_segment_or_point_keeps_the_contract(
        target in thin_target(lattice(1)), body in any_capsule(lattice(3)), share in -8_i8..8,
    ) {
        judge(&body, body.axis() * (f64::from(share) * 0.25), &target);
    }
}

#[test]
fn a_start_overlap_is_a_hit_whatever_the_motion() {
    let person = capsule(v(0.0, 0.0, 0.25), v(0.0, 0.0, 1.25), 0.5);
    let targets = [
        edge(v(-1.0, 0.0, 0.0), v(2.0, 0.0, 0.0)),
        edge(v(0.0, 0.0, -3.0), v(0.0, 0.0, 0.0)),
        vertex(DVec3::ZERO),
    ];
    for target in targets {
        // Into it, along it, out of it, and none at all.
        for motion in [-DVec3::Z, DVec3::X, DVec3::Y, DVec3::Z * 9.0, DVec3::ZERO] {
            let hit = target.both(&person, motion).expect("a segment has no side to skip");
            assert_eq!((hit.time, hit.distance, hit.depth), (0.0, 0.0, 0.25), "{target:?}");
            assert_eq!((hit.normal, hit.face_normal), (Vec3::Z, Vec3::Z), "{target:?}");
            assert_eq!((hit.point, hit.region), (DVec3::ZERO, Region::Bottom), "{target:?}");
        }
        let overlap = target.overlap(&person).expect("a quarter deep");
        assert_eq!((overlap.depth, overlap.normal), (0.25, Vec3::Z));
        let closest = target.closest(&person);
        assert_eq!((closest.distance, closest.on_geometry), (-0.25, DVec3::ZERO));
    }
}

#[test]
fn a_motion_along_the_segment_hits_its_near_end() {
    let rail = edge(DVec3::ZERO, v(5.0, 0.0, 0.0));
    let along = v(10.0, 0.0, 0.0);
    let ball = |x: f64, y: f64| capsule(v(x, y, 0.0), v(x, y, 0.0), 0.5);
    // Beside the line by 0.3 with radius 0.5, the end is met 0.4 before it.
    let hit = rail.both(&ball(-3.0, 0.3), along).expect("the end is in the way");
    assert!((hit.distance - 2.6).abs() < 1e-9, "{hit:?}");
    assert_eq!((hit.feature, hit.point), (Feature::Vertex(0), DVec3::ZERO));
    assert!(hit.normal.as_dvec3().distance(v(-0.8, 0.6, 0.0)) < 1e-6, "{hit:?}");
    let back = rail.both(&ball(8.0, 0.3), -along).expect("the other end");
    assert!((back.distance - 2.6).abs() < 1e-9, "{back:?}");
    assert_eq!(back.feature, Feature::Vertex(1));
    // Axis, motion and segment all in one direction: the leading end touches.
    let lying = capsule(v(-4.0, 0.3, 0.0), v(-3.0, 0.3, 0.0), 0.5);
    let hit = rail.both(&lying, along).expect("its top leads");
    assert!((hit.distance - 2.6).abs() < 1e-9, "{hit:?}");
    assert_eq!((hit.feature, hit.region), (Feature::Vertex(0), Region::Top));
    // Past it, and along it while it touches: no hit.
    assert_eq!(rail.both(&ball(-3.0, 0.501), along), None);
    assert_eq!(rail.both(&ball(2.0, 0.5), along), None);
    assert_eq!(rail.both(&ball(2.0, 0.5), -along), None);
}

#[test]
fn a_graze_is_met_where_the_closed_form_says() {
    // A ball passes over the segment and the point, `cut` metres lower than a touch.
    let targets = [edge(v(10.0, -3.0, 0.0), v(10.0, 4.0, 0.0)), vertex(v(10.0, 0.0, 0.0))];
    for target in targets {
        for cut in [1e-1, 1e-2, 1e-4, 1e-6, 1e-8] {
            let ball = capsule(v(0.0, 0.0, 0.5 - cut), v(0.0, 0.0, 0.5 - cut), 0.5);
            let hit = target.both(&ball, v(20.0, 0.0, 0.0)).expect("it is in the way");
            let half_chord = (cut - cut * cut).sqrt();
            let slope = half_chord / 0.5;
            let error = (hit.distance - (10.0 - half_chord)).abs();
            assert!(error * slope < 1e-12, "{cut}: {error:e} {target:?}");
        }
        for miss in [1e-8, 1e-6, 1e-3] {
            let ball = capsule(v(0.0, 0.0, 0.5 + miss), v(0.0, 0.0, 0.5 + miss), 0.5);
            assert_eq!(target.both(&ball, v(20.0, 0.0, 0.0)), None, "{miss} {target:?}");
        }
    }
}

#[test]
fn a_thousand_kilometres_away_nothing_changes() {
    // Multiples of 1/4096, which f64 holds exactly here and there.
    let away = v(1e6, -1e6, 1e6);
    for pair in [Pair::Segment, Pair::Point] {
        for (family, index) in [Family::General, Family::Overlapping, Family::Grazing]
            .into_iter()
            .flat_map(|family| (0..400).map(move |index| (family, index)))
        {
            let case = generate(pair, family, 5, index);
            let snap = |p: DVec3| (p * 4096.0).round() / 4096.0;
            let motion = case.motion.vector();
            let place = |offset: DVec3| {
                let at = |p: DVec3| snap(p) + offset;
                let (p0, p1) = (at(case.capsule.p0()), at(case.capsule.p1()));
                let target = match case.target {
                    TargetShape::Segment(s) => edge(at(s.a()), at(s.b())),
                    TargetShape::Point(p) => vertex(at(p.position())),
                    _ => unreachable!("neither a segment nor a point"),
                };
                (capsule(p0, p1, case.capsule.radius()), target)
            };
            let ((here, near), (there, far)) = (place(DVec3::ZERO), place(away));
            let hits = (near.both(&here, motion), far.both(&there, motion));
            let same = |hit: SweepHit| {
                (hit.time, hit.depth, hit.normal, hit.feature, hit.region, hit.point)
            };
            let moved = hits.0.map(|hit| SweepHit { point: hit.point + away, ..hit });
            assert_eq!(moved.map(same), hits.1.map(same), "{case:?}");
            assert_eq!(near.closest(&here).distance, far.closest(&there).distance, "{case:?}");
        }
    }
}

/// The three answers, with every bit: debug text tells −0 from 0.
fn bits(answers: &(Option<SweepHit>, Option<Overlap>, ClosestPoints)) -> String {
    format!("{answers:?}")
}

#[test]
fn a_segment_without_length_is_a_point_in_every_bit() {
    for family in Family::ALL {
        for index in 0..500 {
            let Case { capsule, motion, target, .. } = generate(Pair::Point, family, 9, index);
            let TargetShape::Point(point) = target else { unreachable!("the pair's target") };
            let at = point.position();
            let segment = Segment::new(at, at).expect("in range");
            let as_segment = (
                capsweep::sweep_capsule_segment(&capsule, &motion, &segment),
                capsweep::overlap_capsule_segment(&capsule, &segment),
                capsweep::closest_capsule_segment(&capsule, &segment),
            );
            let as_point = (
                capsweep::sweep_capsule_point(&capsule, &motion, &point),
                capsweep::overlap_capsule_point(&capsule, &point),
                capsweep::closest_capsule_point(&capsule, &point),
            );
            assert_eq!(bits(&as_segment), bits(&as_point), "{family:?} {index}");
        }
    }
    // Zeros of both signs are one place.
    assert!(Segment::new(DVec3::ZERO, -DVec3::ZERO).expect("in range").is_point());
}

/// Asserts that two answers to a sweep agree: the same kind, and gaps that differ by less than a
/// nanometre. A pierced target has several shortest push-outs.
fn assert_same_sweep(
    one: Option<SweepHit>,
    other: Option<SweepHit>,
    motion: DVec3,
    is_pierced: bool,
    what: &str,
) {
    let (Some(one), Some(other)) = (one, other) else {
        assert_eq!(one.is_some(), other.is_some(), "{what}: {one:?} {other:?}");
        return;
    };
    let slope = one.normal.as_dvec3().dot(motion.normalize_or_zero()).abs();
    let late = (one.distance - other.distance).abs() * slope;
    assert!(late < 1e-9, "{what}: {late:e} apart: {one:?} {other:?}");
    assert!((one.depth - other.depth).abs() < 1e-9, "{what}: {one:?} {other:?}");
    assert_eq!(one.starts_overlapping(), other.starts_overlapping(), "{what}");
    let turned = one.normal.distance(other.normal);
    assert!(is_pierced || turned < 1e-5, "{what}: {one:?} {other:?}");
    assert_eq!(other.face_normal, other.normal, "{what}");
}

#[test]
fn a_degenerate_triangle_answers_like_the_segment_that_it_is() {
    let families = [
        Family::General,
        Family::AxisAligned,
        Family::AxisAlongEdge,
        Family::AxisAlongMotion,
        Family::Far,
        Family::Overlapping,
        Family::Spheres,
        Family::Degenerate,
    ];
    let mut hits = 0;
    for family in families {
        for index in 0..1000 {
            let case = generate(Pair::Segment, family, 11, index);
            let TargetShape::Segment(segment) = case.target else { unreachable!("the target") };
            let (a, b) = (segment.a(), segment.b());
            let (body, motion) = (&case.capsule, &case.motion);
            if capsweep_testkit::judge(&case, &case.answers()).ambiguous {
                continue;
            }
            let sweep = capsweep::sweep_capsule_segment(body, motion, &segment);
            hits += u32::from(sweep.is_some());
            let own = capsweep::closest_capsule_segment(body, &segment);
            let is_pierced = own.distance < 1e-6 - f64::from(body.radius());
            for [p, q, r] in [[a, b, b], [a, a, b], [b, a, b]] {
                let flat = Triangle::new(p, q, r).expect("in range");
                let what = format!("{family:?} {index} {flat:?}");
                for sides in [Sides::Front, Sides::Both] {
                    let other = capsweep::sweep_capsule_triangle(body, motion, &flat, sides);
                    assert_same_sweep(sweep, other, motion.vector(), is_pierced, &what);
                }
                let depth = |overlap: Option<Overlap>| overlap.map_or(0.0, |found| found.depth);
                let one = depth(capsweep::overlap_capsule_segment(body, &segment));
                let other = depth(capsweep::overlap_capsule_triangle(body, &flat));
                assert!((one - other).abs() < 1e-9, "{what}: {one} {other}");
                let other = capsweep::closest_capsule_triangle(body, &flat);
                assert!((own.distance - other.distance).abs() < 1e-9, "{what}");
                let turned = own.normal.distance(other.normal);
                assert!(is_pierced || turned < 1e-5, "{what}: {own:?} {other:?}");
            }
        }
    }
    assert!(hits > 3000, "{hits} hits");
}

/// Asserts that `body` leaves `target` by exactly its radius, across `lines`.
fn leaves_across(body: &Capsule, target: &Target, lines: &[DVec3]) {
    let radius = f64::from(body.radius());
    let overlap = target.overlap(body).expect("its axis passes through");
    assert_eq!(overlap.depth, radius, "{target:?}");
    for line in lines {
        assert_eq!(overlap.normal.as_dvec3().dot(*line), 0.0, "{overlap:?} {target:?}");
    }
    assert_eq!(target.closest(body).distance, -radius, "{target:?}");
    judge_at_rest(body, target);
}

#[test]
fn an_axis_through_a_segment_or_point_leaves_across_it_by_the_radius() {
    let body = capsule(v(0.0, 0.0, -1.0), v(0.0, 0.0, 2.0), 0.5);
    // Crossing: perpendicular to both. In line, or through a point: perpendicular to the axis.
    leaves_across(&body, &edge(v(-3.0, 0.0, 0.0), v(1.0, 0.0, 0.0)), &[DVec3::X, DVec3::Z]);
    leaves_across(&body, &edge(v(-3.0, 0.0, 1.0), v(0.0, 0.0, 1.0)), &[DVec3::X, DVec3::Z]);
    leaves_across(&body, &edge(v(0.0, 0.0, -9.0), v(0.0, 0.0, 0.0)), &[DVec3::Z]);
    leaves_across(&body, &edge(v(0.0, 0.0, 0.0), v(0.0, 0.0, 1.0)), &[DVec3::Z]);
    leaves_across(&body, &vertex(DVec3::ZERO), &[DVec3::Z]);
    leaves_across(&body, &vertex(v(0.0, 0.0, 2.0)), &[DVec3::Z]);
    // A ball around a point: every way out is as short.
    let ball = capsule(DVec3::ONE, DVec3::ONE, 0.5);
    leaves_across(&ball, &vertex(DVec3::ONE), &[]);
    leaves_across(&ball, &edge(DVec3::ONE, DVec3::ONE), &[]);
    leaves_across(&ball, &edge(v(1.0, 1.0, -4.0), v(1.0, 1.0, 7.0)), &[DVec3::Z]);
}

#[test]
fn segments_too_short_to_square_their_length_are_points() {
    let ball = capsule(v(0.0, 0.0, 3.0), v(0.25, 0.0, 3.5), 0.5);
    let fall = v(0.0, 0.0, -9.0);
    for length in [5e-324, 1e-300, 1e-160, 1e-120, 1e-30, 1e-18] {
        for direction in [DVec3::X, v(0.6, 0.0, 0.8), DVec3::Z] {
            let dot = edge(DVec3::ZERO, direction * length);
            let hit = judge(&ball, fall, &dot).expect("it is below");
            assert!((hit.distance - 2.5).abs() < 1e-9, "{length:e}: {hit:?}");
            judge_at_rest(&ball, &dot);
            let inside = capsule(v(0.0, 0.0, -1.0), v(0.0, 0.0, 1.0), 0.5);
            assert!((dot.closest(&inside).distance + 0.5).abs() < 1e-9, "{length:e}");
        }
    }
}

#[test]
fn the_largest_segments_and_farthest_points_have_finite_answers() {
    let far = 1e9;
    let corners = [v(far, far, far), v(-far, far, -far), v(far, -far, 0.0), DVec3::ZERO];
    let body = capsule(v(0.0, 0.0, -0.5), v(0.0, 0.0, 0.5), 0.25);
    for a in corners {
        let point = Target::Point(Point::new(a).expect("at the border"));
        let mut targets = vec![point];
        targets.extend(corners.map(|b| edge(a, b)));
        for target in targets {
            for motion in [v(1.0, 2.0, 3.0), v(far, far, far), v(-far, far, -far), DVec3::ZERO] {
                if let Some(hit) = target.both(&body, motion) {
                    super::referee::finite(&hit, &format!("{target:?} {motion}"));
                }
                let closest = target.closest(&body);
                assert!(closest.distance.is_finite() && closest.on_geometry.is_finite());
                assert!((closest.normal.length() - 1.0).abs() < 1e-6, "{closest:?}");
            }
        }
    }
}
