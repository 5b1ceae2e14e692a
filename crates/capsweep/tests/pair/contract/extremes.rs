//! Valid but absurd input: no panic, no NaN, every field in its range.

use super::fuzz::{fixed, vector};
use super::referee::finite;
use super::target::Target;
use capsweep::{Capsule, HalfSpace, Obb, Sides, Sphere, Triangle};
use glam::{DQuat, DVec3, Vec3, swizzles::Vec3Swizzles};
use proptest::prelude::*;
use proptest::sample::select;

fn number() -> impl Strategy<Value = f64> + Clone {
    select(vec![
        0.0,
        -0.0,
        5e-324,
        -1e-310,
        1e-300,
        -1e-160,
        1e-100,
        1e-20,
        -1e-9,
        1e-6,
        0.25,
        1.0,
        -1.0,
        3.0,
        1e3,
        -1e6,
        1e6,
        999_999_999.0,
        1e9,
        -1e9,
    ])
}

fn position() -> impl Strategy<Value = DVec3> + Clone {
    (number(), number(), number()).prop_map(|(x, y, z)| DVec3::new(x, y, z))
}

fn size() -> impl Strategy<Value = f32> + Clone {
    select(vec![1e-45_f32, f32::MIN_POSITIVE, 1e-20, 1e-9, 1e-6, 0.4, 1.0, 1e3, 1e6])
}

fn body() -> impl Strategy<Value = Capsule> {
    let far = (position(), position(), size());
    let near = (position(), vector(2.0), size()).prop_map(|(p, axis, r)| (p, p + axis, r));
    prop_oneof![far, near, (position(), size()).prop_map(|(p, r)| (p, p, r))]
        .prop_filter_map("out of range", |(p0, p1, radius)| Capsule::new(p0, p1, radius).ok())
}

fn target() -> impl Strategy<Value = Target> {
    let flat = prop_oneof![size().boxed(), Just(0.0_f32).boxed()];
    let half = (flat.clone(), flat.clone(), flat).prop_map(|(x, y, z)| Vec3::new(x, y, z));
    prop_oneof![
        (position(), position(), position())
            .prop_map(|(a, b, c)| Target::Triangle(Triangle::new(a, b, c).expect("in range"))),
        (position(), half, vector(1.0)).prop_map(|(p, half, q)| {
            let turn = DQuat::from_xyzw(q.x, q.y, q.z, 0.5);
            Target::Box(Obb::new(p, half, turn).expect("in range"))
        }),
        (position(), size())
            .prop_map(|(p, r)| Target::Sphere(Sphere::new(p, r).expect("in range"))),
        body().prop_map(Target::Capsule),
        (position(), position()).prop_filter_map("no direction", |(p, n)| {
            HalfSpace::new(p, n).ok().map(Target::HalfSpace)
        }),
    ]
}

/// Asserts that all three queries answer with numbers.
fn answers(body: &Capsule, motion: DVec3, target: &Target) {
    let scene = format!("{body:?}\n{motion:?}\n{target:?}");
    for sides in [Sides::Front, Sides::Both] {
        if let Some(hit) = target.sweep(body, motion, sides) {
            finite(&hit, &format!("{scene}\n{hit:?}"));
        }
    }
    if let Some(found) = target.overlap(body) {
        assert!(found.depth.is_finite(), "{found:?}\n{scene}");
        assert!(found.point.is_finite(), "{found:?}\n{scene}");
        assert!((found.normal.as_dvec3().length() - 1.0).abs() < 1e-6, "{found:?}\n{scene}");
        assert!((found.face_normal.as_dvec3().length() - 1.0).abs() < 1e-6, "{found:?}\n{scene}");
    }
    let closest = target.closest(body);
    assert!(closest.distance.is_finite(), "{closest:?}\n{scene}");
    assert!(
        closest.on_capsule.is_finite() && closest.on_geometry.is_finite(),
        "{closest:?}\n{scene}"
    );
    assert!((closest.normal.as_dvec3().length() - 1.0).abs() < 1e-6, "{closest:?}\n{scene}");
    assert!((closest.face_normal.as_dvec3().length() - 1.0).abs() < 1e-6, "{closest:?}\n{scene}");
}

proptest! {
    #![proptest_config(fixed(20_000))]

    #[test]
    fn extreme_input_has_finite_answers(body in body(), motion in position(), target in target()) {
        answers(&body, motion, &target);
    }

    #[test]
    fn extreme_input_around_one_place_has_finite_answers(
        at in position(), a in position(), b in position(), c in position(), shrink in number(),
        axis in position(), radius in size(), motion in position(),
    ) {
        // All coordinates lie near one point, tiny or large offsets apart: sizes vanish against
        // positions.
        let far = DVec3::splat(1e9);
        let near = |p: DVec3| (at + p * shrink.min(1e-3)).clamp(-far, far);
        let (p0, p1) = (at, near(axis));
        if let Ok(body) = Capsule::new(p0, p1, radius) {
            let target = Triangle::new(near(a), near(b), near(c)).expect("in range");
            answers(&body, motion, &Target::Triangle(target));
            answers(&body, motion * shrink.clamp(-1.0, 1.0), &Target::Triangle(target));
            if let Ok(other) = Capsule::new(near(a), near(b), radius) {
                answers(&body, motion, &Target::Capsule(other));
            }
        }
    }
}

#[test]
fn subnormal_edges_and_motions_have_finite_answers() {
    let tiny = DVec3::new(1e-310, 0.0, 0.0);
    let body = Capsule::new(DVec3::ZERO, tiny, f32::MIN_POSITIVE).expect("valid");
    for [a, b, c] in [
        [DVec3::ZERO, tiny, tiny.yxz()],
        [tiny, tiny * 2.0, tiny * 3.0],
        [DVec3::ZERO, tiny, DVec3::Y],
        [DVec3::X * 1e9, DVec3::Y * -1e9, DVec3::Z * 1e9],
    ] {
        let target = Target::Triangle(Triangle::new(a, b, c).expect("valid"));
        for motion in [tiny, -tiny.yxz(), DVec3::splat(1e-300), DVec3::splat(1e9)] {
            answers(&body, motion, &target);
        }
    }
}

#[test]
fn an_overlap_has_a_positive_depth_however_thin_the_capsule() {
    let floor =
        Triangle::new(DVec3::new(-2.0, -1.0, 0.0), DVec3::new(3.0, -1.0, 0.0), DVec3::Y * 2.0);
    let floor = Target::Triangle(floor.expect("valid"));
    let block = Obb::axis_aligned(DVec3::Z * -1.0, Vec3::new(3.0, 2.0, 1.0)).expect("valid");
    let wire = Capsule::new(DVec3::X * -2.0, DVec3::X * 3.0, 1e-12).expect("valid");
    for target in [floor, Target::Box(block), Target::Capsule(wire)] {
        for radius in [1e-12_f32, 1e-10, 1e-9, 1e-8] {
            for height in [0.0, 1e-13, 5e-10, 9e-10, 1.5e-9, 1e-8] {
                // The surfaces are `height − radius` apart: a positive gap is no overlap of any
                // depth.
                let at = DVec3::new(0.25, 0.0, height);
                let body = Capsule::new(at, at, radius).expect("valid");
                let scene = format!("{body:?}\n{target:?}");
                let gap = height - f64::from(radius) - target.radius();
                let found = target.overlap(&body);
                assert!(found.is_none_or(|o| o.depth > 0.0), "{gap:e} {found:?}\n{scene}");
                for motion in [DVec3::ZERO, DVec3::Z, -DVec3::Z, DVec3::X] {
                    let hit = target.both(&body, motion);
                    assert!(hit.is_none_or(|h| h.depth >= 0.0), "{gap:e} {hit:?}\n{scene}");
                    let free = gap > 1e-15 && motion.z >= 0.0;
                    assert!(!(free && hit.is_some()), "{gap:e} {hit:?}\n{scene}");
                }
            }
        }
    }
}
