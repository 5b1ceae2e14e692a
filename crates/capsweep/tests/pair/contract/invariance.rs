//! Equivalent descriptions of one scene have the same answer.

use super::fuzz::{any_capsule, any_target, fixed, lattice, vector};
use super::reference::{gap, smallest_gap};
use super::target::{Target, capsule, scaled, solid, triangle};
use capsweep::{Capsule, Region, SweepHit};
use glam::{DQuat, DVec3};
use proptest::prelude::*;

/// Distance of two answers along the motion; infinite if only one of them is a hit.
fn apart(one: Option<SweepHit>, other: Option<SweepHit>) -> f64 {
    match (one, other) {
        (None, None) => 0.0,
        (Some(a), Some(b)) => (a.distance - b.distance).abs().max((a.depth - b.depth).abs()),
        _ => f64::INFINITY,
    }
}

/// Uncertainty of a time of impact: rounding over the slope of the approach.
fn sharpness(hit: Option<SweepHit>, motion: DVec3) -> f64 {
    let slope = hit.map_or(1.0, |hit| {
        if hit.depth > 0.0 { 1.0 } else { -hit.normal.as_dvec3().dot(motion.normalize_or_zero()) }
    });
    1e-9 / slope.clamp(1e-4, 1.0)
}

/// Whether no rounding can change the kind of answer: neither the start nor the closest approach
/// is a touch.
fn decided(body: &Capsule, motion: DVec3, target: &Target, margin: f64) -> bool {
    gap(body, DVec3::ZERO, target).abs() > margin
        && smallest_gap(body, motion, target).abs() > margin
        && gap(body, motion, target).abs() > margin
}

/// Coordinates rounded so that adding 16 384 loses nothing.
fn coarse(p: DVec3) -> DVec3 {
    const GRID: f64 = 1_048_576.0;
    (p * GRID).round() / GRID
}

fn axis_aligned(target: Target) -> Target {
    match target {
        Target::Box(t) => solid(t.center(), t.half_extents(), DQuat::IDENTITY),
        other => other,
    }
}

proptest! {
    #![proptest_config(fixed(600))]

    #[test]
    fn sixteen_kilometres_away_nothing_changes(
        target in any_target(vector(3.0).prop_map(coarse)),
        body in any_capsule(vector(4.0).prop_map(coarse)),
        motion in vector(8.0),
    ) {
        prop_assume!(decided(&body, motion, &target, 1e-5));
        let away = DVec3::new(16_384.0, -16_384.0, 512.0);
        let moved = body.translated(away).expect("in range");
        let here = target.both(&body, motion);
        let there = target.translated(away).both(&moved, motion);
        prop_assert!(apart(here, there) < sharpness(here, motion), "{here:?}\n{there:?}");
        if let (Some(a), Some(b)) = (here, there) {
            let slack = 1e-8 + sharpness(here, motion);
            prop_assert!(a.point.distance(b.point - away) < slack, "{a:?}\n{b:?}");
            prop_assert!(a.normal.distance(b.normal) < 1e-6, "{a:?}\n{b:?}");
            prop_assert_eq!((a.feature, a.region), (b.feature, b.region));
        }
    }

    #[test]
    fn turning_and_mirroring_the_world_changes_no_time(
        target in any_target(lattice(2)), body in any_capsule(lattice(3)), motion in lattice(4),
    ) {
        let target = axis_aligned(target);
        let here = target.both(&body, motion);
        let maps: [fn(DVec3) -> DVec3; 5] = [
            |p| DVec3::new(p.y, p.z, p.x),
            |p| DVec3::new(-p.y, p.x, p.z),
            |p| DVec3::new(p.x, p.z, p.y),
            |p| DVec3::new(-p.x, p.y, p.z),
            |p| -p,
        ];
        for map in maps {
            let body = capsule(map(body.p0()), map(body.p1()), body.radius());
            let there = target.mapped(map).both(&body, map(motion));
            prop_assert!(apart(here, there) < sharpness(here, motion), "{here:?}\n{there:?}");
        }
    }

    #[test]
    fn swapping_the_ends_mirrors_the_region(
        target in any_target(vector(3.0)), body in any_capsule(vector(4.0)), motion in vector(8.0),
    ) {
        prop_assume!(decided(&body, motion, &target, 1e-5));
        let here = target.both(&body, motion);
        let swapped = capsule(body.p1(), body.p0(), body.radius());
        let there = target.both(&swapped, motion);
        prop_assert!(apart(here, there) < sharpness(here, motion), "{here:?}\n{there:?}");
        if let (Some(a), Some(b)) = (here, there) {
            let mirrored = match a.region {
                Region::Bottom => Region::Top,
                Region::Top => Region::Bottom,
                other => other,
            };
            prop_assert_eq!(b.region, mirrored);
            prop_assert!(a.normal.distance(b.normal) < 1e-5, "{a:?}\n{b:?}");
        }
    }

    #[test]
    fn scaling_by_powers_of_two_keeps_the_time(
        target in any_target(vector(3.0)), body in any_capsule(vector(4.0)), motion in vector(8.0),
    ) {
        prop_assume!(decided(&body, motion, &target, 5e-3));
        let here = target.both(&body, motion);
        for power in -8_i32..=8 {
            let size = f64::from(1 << power.abs());
            let factor = if power < 0 { 1.0 / size } else { size };
            let there = target.scaled(factor).both(&scaled(&body, factor), motion * factor);
            prop_assert_eq!(here.is_some(), there.is_some(), "2^{}", power);
            if let (Some(a), Some(b)) = (here, there) {
                let slack = sharpness(here, motion);
                prop_assert!((a.time - b.time).abs() < slack, "2^{power}\n{a:?}\n{b:?}");
                let slack = 1e-8 + 1e-7 * a.depth;
                prop_assert!((a.depth - b.depth / factor).abs() < slack / factor.min(1.0));
            }
        }
    }

    #[test]
    fn two_halves_find_the_hit_of_the_whole(
        target in any_target(vector(3.0)), body in any_capsule(vector(4.0)), motion in vector(8.0),
    ) {
        prop_assume!(decided(&body, motion, &target, 1e-5));
        prop_assume!(gap(&body, motion * 0.5, &target).abs() > 1e-5);
        let whole = target.both(&body, motion);
        let half = motion * 0.5;
        let mut found = target.both(&body, half);
        if found.is_none() {
            let later = body.translated(half).expect("in range");
            found = target.both(&later, half);
            if let Some(hit) = &mut found {
                hit.distance += half.length();
            }
        }
        prop_assert!(apart(whole, found) < 4.0 * sharpness(whole, motion), "{whole:?}\n{found:?}");
    }

    #[test]
    fn the_order_of_vertices_changes_no_time(
        a in lattice(3), b in vector(3.0), c in vector(3.0),
        body in any_capsule(vector(4.0)), motion in vector(8.0),
    ) {
        let first = triangle(a, b, c);
        prop_assume!(decided(&body, motion, &first, 1e-5));
        let here = first.both(&body, motion);
        for (x, y, z) in [(b, c, a), (c, a, b), (a, c, b), (c, b, a), (b, a, c)] {
            let there = triangle(x, y, z).both(&body, motion);
            prop_assert!(apart(here, there) < sharpness(here, motion), "{here:?}\n{there:?}");
        }
    }

    #[test]
    fn the_same_question_has_the_same_bits(
        target in any_target(lattice(2)), body in any_capsule(lattice(3)), motion in vector(4.0),
    ) {
        prop_assert_eq!(target.both(&body, motion), target.both(&body, motion));
        let front = target.front(&body, motion);
        prop_assert!(front.is_none() || front == target.both(&body, motion));
    }
}
