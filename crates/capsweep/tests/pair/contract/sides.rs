//! Front and Both: the sign of n · motion decides alone.

use super::fuzz::{any_capsule, any_target, fixed, lattice};
use super::referee::well_formed;
use super::target::{Target, capsule, half_space, rod, solid, sphere, triangle, v};
use capsweep::{CONTACT_TOLERANCE, Capsule, Feature, SweepHit};
use glam::{DQuat, DVec3, Vec3};
use proptest::prelude::*;

/// A wall whose front faces +x and leans: n = (3, 0, 4) / 5 exactly up to scale.
fn leaning() -> [DVec3; 3] {
    [v(0.0, -2.0, 0.0), v(0.0, 3.0, 0.0), v(-4.0, 0.5, 3.0)]
}

fn of([a, b, c]: [DVec3; 3]) -> Target {
    triangle(a, b, c)
}

fn flipped([a, b, c]: [DVec3; 3]) -> Target {
    triangle(a, c, b)
}

#[test]
fn a_front_face_is_hit_and_its_back_is_skipped() {
    let n = (leaning()[1] - leaning()[0]).cross(leaning()[2] - leaning()[0]).normalize();
    assert!(n.distance(v(0.6, 0.0, 0.8)) < 1e-12);
    let over = v(-2.0, 0.0, 1.5) + n * 2.0;
    let body = capsule(over, over + v(0.0, 0.5, 0.25), 0.25);
    for motion in [n * -4.0, v(0.0, 0.0, -4.0), v(-3.0, 0.25, -1.0)] {
        let hit = of(leaning()).front(&body, motion).expect("the front is in the way");
        well_formed(&body, motion, &of(leaning()), &hit);
        assert!(hit.face_normal.as_dvec3().distance(n) < 1e-6);
        assert_eq!(of(leaning()).both(&body, motion), Some(hit));
        assert_eq!(flipped(leaning()).front(&body, motion), None, "the back");
        let back = flipped(leaning()).both(&body, motion).expect("both sides");
        assert!((back.distance - hit.distance).abs() < 1e-9);
        assert!(back.normal.distance(hit.normal) < 1e-6);
        assert!(back.face_normal.as_dvec3().distance(n) < 1e-6, "turned to the side that was hit");
    }
}

#[test]
fn the_sign_alone_decides_also_for_edges_and_start_overlaps() {
    // Beside the floor, moving up and in: the edge is in the way, but the motion leaves the front.
    let floor = [v(0.0, 0.0, 0.0), v(4.0, 0.0, 0.0), v(0.0, 3.0, 0.0)];
    let body = capsule(v(1.0, -2.0, -0.25), v(1.0, -2.0, -0.25), 0.5);
    let rising = v(0.0, 4.0, 0.25);
    assert!(of(floor).both(&body, rising).is_some_and(|hit| hit.feature == Feature::Edge(0)));
    assert_eq!(of(floor).front(&body, rising), None);
    assert!(flipped(floor).front(&body, rising).is_some());
    // Sunk in the floor: moving up or along is free in Front, moving down by any amount is not.
    let sunk = capsule(v(1.0, 1.0, 0.25), v(1.0, 1.0, 2.0), 0.5);
    for free in [v(0.0, 0.0, 1.0), v(3.0, -1.0, 0.0), v(1.0, 0.0, 1e-300)] {
        assert_eq!(of(floor).front(&sunk, free), None, "{free}");
        assert!(of(floor).both(&sunk, free).is_some_and(|hit| hit.depth > 0.0), "{free}");
    }
    for barred in [v(0.0, 0.0, -1.0), v(3.0, -1.0, -1e-9), v(0.0, 0.0, -1e-12)] {
        let hit = of(floor).front(&sunk, barred).expect("into the front");
        assert_eq!((hit.time, hit.distance, hit.depth), (0.0, 0.0, 0.25), "{barred}");
    }
    // From below, moving down: the motion enters the front, so the triangle counts, whatever the
    // push-out.
    let below = capsule(v(1.0, 1.0, -0.25), v(1.0, 1.0, -2.0), 0.5);
    let hit = of(floor).front(&below, v(0.0, 0.0, -1.0)).expect("no other side test exists");
    assert_eq!((hit.time, hit.depth, hit.normal), (0.0, 0.25, -Vec3::Z));
}

#[test]
fn exactly_edge_on_is_skipped_in_front_and_hit_in_both() {
    let floor = [v(0.0, 0.0, 0.0), v(4.0, 0.0, 0.0), v(0.0, 3.0, 0.0)];
    for body in [
        capsule(v(1.0, -2.0, 0.0), v(1.0, -2.0, 0.0), 0.5),
        capsule(v(1.0, -2.0, -1.0), v(1.0, -2.0, 1.0), 0.5),
        capsule(v(0.5, -2.0, 0.0), v(1.5, -2.0, 0.0), 0.5),
    ] {
        let along = v(0.0, 3.0, 0.0);
        assert_eq!(of(floor).front(&body, along), None);
        assert_eq!(flipped(floor).front(&body, along), None);
        for target in [of(floor), flipped(floor)] {
            let hit = target.both(&body, along).expect("the edge is in the way");
            assert!((hit.time - 0.5).abs() < 1e-12, "{hit:?}");
            assert_eq!(hit.normal, -Vec3::Y);
            assert!(matches!(hit.feature, Feature::Edge(_)), "{hit:?}");
            well_formed(&body, along, &target, &hit);
        }
    }
    // Edge-on with a slope: n = (3, 0, 4), motion (−4, 0, 3): the products cancel exactly.
    let beside = capsule(v(8.0, 0.5, -6.0), v(8.0, 0.5, -6.0), 0.5);
    let up_the_slope = v(-8.0, 0.0, 6.0);
    assert_eq!(of(leaning()).front(&beside, up_the_slope), None);
    let hit = of(leaning()).both(&beside, up_the_slope).expect("the lower edge");
    assert!((hit.distance - 9.5).abs() < 1e-9, "{hit:?}");
}

/// Solids, a capsule that overlaps each, and its hand-made push-out direction.
fn sunk_in_solids() -> [(Target, Capsule, DVec3); 4] {
    let body = capsule(v(0.0, 0.0, 0.625), v(0.0, 0.0, 2.0), 0.25);
    [
        (solid(DVec3::ZERO, Vec3::new(2.0, 3.0, 0.5), DQuat::IDENTITY), body, DVec3::Z),
        (sphere(v(0.0, 0.0, -0.25), 0.75), body, DVec3::Z),
        (rod(v(-3.0, 0.0, 0.0), v(2.0, 0.0, 0.0), 0.5), body, DVec3::Z),
        (half_space(v(7.0, 8.0, 0.5), DVec3::Z), body, DVec3::Z),
    ]
}

#[test]
fn a_solid_lets_a_capsule_out_but_not_in() {
    for (target, body, out) in sunk_in_solids() {
        for free in [out, v(3.0, 1.0, 0.0), v(-1.0, 0.0, 1e-300), v(5.0, 5.0, 0.5)] {
            assert_eq!(target.front(&body, free), None, "{free} of {target:?}");
            let hit = target.both(&body, free).expect("both sides skip nothing");
            assert!((hit.depth - 0.125).abs() < 1e-6 && hit.time == 0.0, "{hit:?}");
        }
        for barred in [-out, v(3.0, 1.0, -1e-3), v(0.0, 0.0, -1e-9), v(-5.0, 5.0, -0.5)] {
            let hit = target.front(&body, barred).expect("into the solid");
            well_formed(&body, barred, &target, &hit);
            assert!((hit.depth - 0.125).abs() < 1e-6 && hit.time == 0.0, "{hit:?}");
        }
    }
}

#[test]
fn a_solid_in_the_way_is_hit_from_any_side_in_front() {
    for (target, body, _) in sunk_in_solids() {
        let away = body.translated(v(0.0, 0.0, 3.0)).expect("in range");
        let fall = v(0.25, -0.125, -5.0);
        let hit = target.front(&away, fall);
        assert!(hit.is_some(), "{target:?}");
        assert_eq!(hit, target.both(&away, fall), "{target:?}");
    }
}

#[test]
fn zero_motion_ignores_sides() {
    let floor = [v(0.0, 0.0, 0.0), v(4.0, 0.0, 0.0), v(0.0, 3.0, 0.0)];
    for lift in [-0.25, 0.25] {
        let body = capsule(v(1.0, 1.0, lift), v(1.0, 1.0, lift * 8.0), 0.5);
        for target in [of(floor), flipped(floor)] {
            let hit = target.front(&body, DVec3::ZERO).expect("it overlaps");
            assert_eq!((hit.time, hit.depth), (0.0, 0.25));
            assert!(hit.normal.as_dvec3().z * lift > 0.0);
            assert_eq!(target.both(&body, DVec3::ZERO), Some(hit));
        }
    }
    for (target, body, _) in sunk_in_solids() {
        let hit = target.front(&body, DVec3::ZERO).expect("it overlaps");
        assert!((hit.depth - 0.125).abs() < 1e-6);
    }
    // Touching is no overlap, and nothing presses on without motion.
    let resting = capsule(v(1.0, 1.0, 0.5), v(1.0, 1.0, 2.0), 0.5);
    assert_eq!(of(floor).both(&resting, DVec3::ZERO), None);
    assert_eq!(of(floor).front(&resting, DVec3::ZERO), None);
}

#[test]
fn a_degenerate_triangle_has_no_side() {
    let thin = [v(-3.0, 0.0, 0.0), v(1.0, 0.0, 0.0), v(5.0, 0.0, 0.0)];
    for (x, y, z) in [(0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1), (2, 1, 0), (1, 0, 2)] {
        let target = triangle(thin[x], thin[y], thin[z]);
        for from in [DVec3::Z, -DVec3::Z, DVec3::Y, v(0.0, -0.6, 0.8)] {
            let at = v(2.0, 0.0, 0.0) + from * 2.0;
            let body = capsule(at, at + from, 0.5);
            let motion = from * -3.0;
            let hit = target.front(&body, motion).expect("never skipped");
            well_formed(&body, motion, &target, &hit);
            assert!((hit.distance - 1.5).abs() < 1e-9, "{hit:?}");
            assert_eq!(hit.face_normal, hit.normal);
            assert!(hit.normal.as_dvec3().distance(from) < 1e-6);
            let sunk = body.translated(from * -1.75).expect("in range");
            let hit = target.front(&sunk, from).expect("never skipped, not even on the way out");
            assert!(hit.depth > CONTACT_TOLERANCE && hit.face_normal == hit.normal, "{hit:?}");
        }
    }
}

/// Seen from a distance its corners are rounded, and span a sliver that has sides.
#[test]
fn a_degenerate_triangle_has_no_side_from_afar() {
    let end = v(0.001_418_626_979_850_893_2, 0.000_991_519_610_117_748, 0.006_204_306_126_321_993);
    let target = triangle(DVec3::ZERO, end, end * 0.5);
    let body = capsule(
        v(-31.618_727_278_725_78, 6.756_192_564_031_542, 8.975_819_232_038_646),
        v(-33.258_283_537_390_234, 4.869_727_201_872_543, 7.031_597_970_623_623),
        0.5,
    );
    let motion = v(64.578_591_782_948_73, -11.924_335_056_790_888, -16.530_880_077_605_023);
    let hit = target.front(&body, motion).expect("never skipped");
    assert_eq!(target.both(&body, motion), Some(hit));
}

/// What `Front` must answer, from what `Both` answers: lattice data makes the triangle's sign
/// exact.
fn by_the_sign(target: &Target, motion: DVec3, both: Option<SweepHit>) -> Option<SweepHit> {
    let hit = both?;
    let out = if let Target::Triangle(t) = target {
        let [a, b, c] = t.vertices();
        (b - a).cross(c - a)
    } else if hit.depth > 0.0 {
        hit.normal.as_dvec3()
    } else {
        DVec3::ZERO
    };
    let skipped = out != DVec3::ZERO && motion != DVec3::ZERO && out.dot(motion) >= 0.0;
    (!skipped).then_some(hit)
}

proptest! {
    #![proptest_config(fixed(20_000))]

    #[test]
    fn front_is_both_less_what_the_sign_skips(
        target in any_target(lattice(1)), body in any_capsule(lattice(2)), motion in lattice(2),
    ) {
        let both = target.both(&body, motion);
        // The sign of a solid's push-out is only as exact as its f32 normal, unless that is an
        // axis.
        let unsure = !matches!(target, Target::Triangle(_)) && both.is_some_and(|hit| {
            let normal = hit.normal.as_dvec3();
            normal.abs().max_element() < 1.0 && normal.dot(motion).abs() < 1e-6
        });
        if !unsure {
            let expected = by_the_sign(&target, motion, both);
            prop_assert_eq!(target.front(&body, motion), expected);
        }
    }
}
