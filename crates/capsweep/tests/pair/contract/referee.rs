//! Everything that must hold of any answer in `Sides::Both`, checked against minimised distances.

use super::reference::{gap, minimise, on_segment, point_segment, shorter_way_out, smallest_gap};
use super::target::Target;
use capsweep::{CONTACT_TOLERANCE, Capsule, Feature, Region, Sides, SweepHit};
use glam::{DVec3, Vec3};

/// Margin for the rounding of the reference (metres).
const ROUNDING: f64 = 2e-9;

/// Asserts that the sweep in `Both` answers as the contract says, whatever the input.
pub(crate) fn judge(capsule: &Capsule, motion: DVec3, target: &Target) -> Option<SweepHit> {
    let found = target.both(capsule, motion);
    let start = gap(capsule, DVec3::ZERO, target);
    let scene =
        format!("{capsule:?}\nmotion {motion:?}\n{target:?}\nstart gap {start:e}\n{found:?}");
    let Some(hit) = found else {
        assert!(start > -CONTACT_TOLERANCE - ROUNDING, "a start overlap was missed\n{scene}");
        let smallest = smallest_gap(capsule, motion, target);
        assert!(
            smallest > -CONTACT_TOLERANCE - ROUNDING,
            "missed, smallest gap {smallest:e}\n{scene}"
        );
        return None;
    };
    well_formed(capsule, motion, target, &hit);
    if start < -CONTACT_TOLERANCE - ROUNDING {
        assert!(hit.depth > 0.0, "a start overlap without depth\n{scene}");
        assert_eq!((hit.time, hit.distance), (0.0, 0.0), "a start overlap is at time 0\n{scene}");
        pushes_out(capsule, target, hit.normal, hit.depth);
    } else if start > -CONTACT_TOLERANCE + ROUNDING {
        assert_eq!(hit.depth, 0.0, "a depth without an overlap\n{scene}");
    }
    if start.abs() < CONTACT_TOLERANCE - ROUNDING {
        assert_eq!(hit.time, 0.0, "touching at the start is at time 0\n{scene}");
    }
    if hit.depth == 0.0 {
        let against = hit.normal.as_dvec3().dot(motion);
        assert!(against <= 1e-7 * motion.length(), "the normal runs along the motion\n{scene}");
        let at_hit = gap(capsule, motion * hit.time, target);
        assert!(at_hit.abs() < CONTACT_TOLERANCE + ROUNDING, "gap {at_hit:e} at the hit\n{scene}");
        for step in 0..50 {
            let before = gap(capsule, motion * (hit.time * f64::from(step) / 50.0), target);
            assert!(
                before > -CONTACT_TOLERANCE - ROUNDING,
                "gap {before:e} before the hit\n{scene}"
            );
        }
    }
    Some(hit)
}

/// Asserts that moving by `normal · depth` just frees the capsule, and that no shorter way does.
pub(crate) fn pushes_out(capsule: &Capsule, target: &Target, normal: Vec3, depth: f64) {
    let after = gap(capsule, normal.as_dvec3() * depth, target);
    assert!(
        after.abs() <= 5e-6,
        "gap {after:e} after {normal} · {depth}\n{capsule:?}\n{target:?}"
    );
    let shorter = shorter_way_out(capsule, target, depth, 1e-5 + 1e-6 * depth);
    assert_eq!(shorter, None, "shorter than {normal} · {depth}\n{capsule:?}\n{target:?}");
}

/// Asserts the promises that every hit makes about its fields.
pub(crate) fn well_formed(capsule: &Capsule, motion: DVec3, target: &Target, hit: &SweepHit) {
    let scene = format!("{capsule:?}\nmotion {motion:?}\n{target:?}\n{hit:?}");
    finite(hit, &scene);
    assert!(hit.depth >= 0.0, "a negative depth\n{scene}");
    let rounding = 1e-9 + 1e-15 * motion.length();
    assert!(
        (hit.distance - hit.time * motion.length()).abs() <= rounding,
        "distance ≠ time\n{scene}"
    );
    let normal = hit.normal.as_dvec3();
    let radius = f64::from(capsule.radius());
    // Where the capsule touches: at the hit, or, if it started overlapping, once it is pushed out.
    let offset = motion * hit.time + normal * hit.depth;
    let slack = 5e-6 + 1e-6 * (radius + hit.depth);
    assert!(target.off_surface(hit.point) < slack, "the point is off the geometry\n{scene}");
    let (p0, p1) = (capsule.p0() + offset, capsule.p1() + offset);
    let touching = (point_segment(hit.point, p0, p1) - radius).abs();
    assert!(touching < slack, "the point is {touching:e} off the capsule\n{scene}");
    // The middle of a line contact may carry the normal of its end, since both are within the
    // bound of closest. They differ by at most the half chord of a cap as deep as the bound.
    let center = hit.point + normal * radius;
    let aside =
        if hit.region == Region::Side { (2.0 * CONTACT_TOLERANCE * radius).sqrt() } else { 0.0 };
    let off = center.distance(on_segment(center, p0, p1));
    assert!(off < slack + aside, "point + normal · radius is {off:e} off the axis\n{scene}");
    match hit.region {
        Region::Sphere => assert!(capsule.is_sphere(), "{scene}"),
        Region::Bottom => assert!(center.distance(p0) < slack && !capsule.is_sphere(), "{scene}"),
        Region::Top => assert!(center.distance(p1) < slack && !capsule.is_sphere(), "{scene}"),
        Region::Side => assert!(!capsule.is_sphere(), "{scene}"),
    }
    weights(target, hit, 1e-15 * capsule.p0().length(), &scene);
    face(target, hit, &scene);
}

/// Asserts that no field is NaN or out of its range.
pub(crate) fn finite(hit: &SweepHit, scene: &str) {
    assert!((0.0..=1.0).contains(&hit.time), "time out of range\n{scene}");
    assert!(hit.distance.is_finite() && hit.distance >= 0.0, "{scene}");
    assert!(hit.depth.is_finite(), "{scene}");
    assert!(hit.point.is_finite(), "{scene}");
    for normal in [hit.normal, hit.face_normal] {
        assert!((normal.as_dvec3().length() - 1.0).abs() < 1e-6, "not unit\n{scene}");
    }
    assert!(hit.barycentrics.is_none_or(|w| w.iter().all(|x| x.is_finite())), "{scene}");
}

fn weights(target: &Target, hit: &SweepHit, rounding: f64, scene: &str) {
    let Target::Triangle(triangle) = target else {
        assert_eq!(hit.barycentrics, None, "{scene}");
        return;
    };
    let w = hit.barycentrics.expect("a triangle has barycentrics");
    let corners = triangle.vertices();
    assert!((w[0] + w[1] + w[2] - 1.0).abs() < 1e-12, "weights do not sum to 1\n{scene}");
    assert!(w.iter().all(|x| (-1e-12..=1.0 + 1e-12).contains(x)), "weights outside\n{scene}");
    let rebuilt = corners[0] * w[0] + corners[1] * w[1] + corners[2] * w[2];
    let size = corners[0].distance(corners[1]).max(corners[0].distance(corners[2]));
    let off = rebuilt.distance(hit.point);
    let reach = corners[0].abs().max_element();
    assert!(
        off < 1e-9 + 1e-12 * (size + reach) + rounding,
        "weights give a point {off:e} away\n{scene}"
    );
    match hit.feature {
        Feature::Face => {}
        Feature::Edge(i) => assert!(w[usize::from(i + 2) % 3].abs() < 1e-9, "{scene}"),
        Feature::Vertex(i) => assert!((w[usize::from(i)] - 1.0).abs() < 1e-9, "{scene}"),
    }
}

fn face(target: &Target, hit: &SweepHit, scene: &str) {
    match target {
        Target::Triangle(t) => match t.normal() {
            Some(front) => {
                let aligned = front.dot(hit.face_normal).abs();
                assert!((aligned - 1.0).abs() < 1e-5, "not the face's normal\n{scene}");
                if hit.feature == Feature::Face {
                    assert!(hit.face_normal.dot(hit.normal) > 0.0, "the wrong side\n{scene}");
                }
            }
            None => assert_eq!(hit.face_normal, hit.normal, "{scene}"),
        },
        Target::Box(_) => assert!(hit.face_normal.dot(hit.normal) > -1e-5, "{scene}"),
        Target::Segment(t) => {
            match hit.feature {
                Feature::Vertex(0) => assert!(hit.point.distance(t.a()) < 1e-5, "{scene}"),
                Feature::Vertex(1) => assert!(hit.point.distance(t.b()) < 1e-5, "{scene}"),
                feature => assert_eq!(feature, Feature::Edge(0), "{scene}"),
            }
            assert_eq!(hit.face_normal, hit.normal, "{scene}");
        }
        Target::Point(_) => {
            assert_eq!(hit.feature, Feature::Vertex(0), "{scene}");
            assert_eq!(hit.face_normal, hit.normal, "{scene}");
        }
        _ => {
            assert_eq!(hit.feature, Feature::Face, "{scene}");
            assert_eq!(hit.face_normal, hit.normal, "{scene}");
        }
    }
}

/// Asserts that `overlap` and `closest` agree with the minimised distance.
pub(crate) fn judge_at_rest(capsule: &Capsule, target: &Target) {
    let truth = gap(capsule, DVec3::ZERO, target);
    let closest = target.closest(capsule);
    let overlap = target.overlap(capsule);
    let scene = format!("{capsule:?}\n{target:?}\ngap {truth:e}\n{closest:?}\n{overlap:?}");
    let normal = closest.normal.as_dvec3();
    assert!((normal.length() - 1.0).abs() < 1e-6, "not unit\n{scene}");
    if truth > -CONTACT_TOLERANCE {
        let error = (closest.distance - truth).abs();
        assert!(error < 1e-8 + 1e-9 * truth.abs(), "distance off by {error:e}\n{scene}");
    }
    let slack = 5e-6 + 1e-6 * (closest.distance.abs() + f64::from(capsule.radius()));
    let between = closest.on_geometry - closest.on_capsule + normal * closest.distance;
    assert!(between.length() < slack, "points and distance disagree\n{scene}");
    assert!(target.off_surface(closest.on_geometry) < slack, "off the geometry\n{scene}");
    let axis_distance =
        minimise(|s| (capsule.p0() + capsule.axis() * s).distance(closest.on_capsule));
    if truth > 0.0 {
        let off = (axis_distance.1 - f64::from(capsule.radius())).abs();
        assert!(off < slack, "off the capsule by {off:e}\n{scene}");
    }
    match overlap {
        None => assert!(truth > -CONTACT_TOLERANCE - ROUNDING, "an overlap was missed\n{scene}"),
        Some(found) => {
            assert!(truth < ROUNDING && found.depth > 0.0, "a ghost overlap\n{scene}");
            pushes_out(capsule, target, found.normal, found.depth);
            // The depth makes up for the rounding of the f32 normal; the distance need not.
            let error = (closest.distance + found.depth).abs();
            assert!(error < 1e-9 + 2e-7 * found.depth, "−distance ≠ depth\n{scene}");
        }
    }
    // Zero motion answers like an overlap test, and sides do not matter.
    let still = target.both(capsule, DVec3::ZERO);
    assert_eq!(still, target.sweep(capsule, DVec3::ZERO, Sides::Front), "sides at rest\n{scene}");
    let still_depth = still.map_or(0.0, |hit| hit.depth);
    let depth = overlap.map_or(0.0, |found| found.depth);
    assert!(
        (still_depth - depth).abs() < CONTACT_TOLERANCE + ROUNDING,
        "zero motion ≠ overlap\n{scene}"
    );
}
