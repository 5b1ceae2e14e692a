//! Random cases of every pair, judged by the referee: smooth ones, and lattice ones full of
//! coincidences.

use super::referee::{judge, judge_at_rest};
use super::target::{Target, capsule, half_space, rod, solid, sphere, triangle};
use capsweep::Capsule;
use glam::{DQuat, DVec3, Vec3};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// The same cases in every run.
pub(crate) fn fixed(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(0x00C0_FFEE),
        ..ProptestConfig::default()
    }
}

pub(crate) fn vector(reach: f64) -> impl Strategy<Value = DVec3> + Clone {
    (-reach..reach, -reach..reach, -reach..reach).prop_map(|(x, y, z)| DVec3::new(x, y, z))
}

/// Multiples of a quarter: sums, products and most heights are exact.
pub(crate) fn lattice(reach: i32) -> impl Strategy<Value = DVec3> + Clone {
    let axis = -4 * reach..=4 * reach;
    (axis.clone(), axis.clone(), axis)
        .prop_map(|(x, y, z)| DVec3::new(f64::from(x), f64::from(y), f64::from(z)) * 0.25)
}

pub(crate) fn any_target(
    at: impl Strategy<Value = DVec3> + Clone + 'static,
) -> impl Strategy<Value = Target> {
    let size = (0.0_f32..2.0, 0.0_f32..2.0, 0.0_f32..2.0);
    let turn = (-1.0..1.0, -1.0..1.0, -1.0..1.0, 0.1..1.0_f64);
    prop_oneof![
        5 => (at.clone(), at.clone(), at.clone()).prop_map(|(a, b, c)| triangle(a, b, c)),
        2 => (at.clone(), size, turn).prop_map(|(center, (x, y, z), (i, j, k, w))| {
            solid(center, Vec3::new(x, y, z), DQuat::from_xyzw(i, j, k, w).normalize())
        }),
        1 => (at.clone(), 0_u8..5, 0_u8..5, 0_u8..5).prop_map(|(center, x, y, z)| {
            let half = Vec3::new(x.into(), y.into(), z.into()) * 0.25;
            solid(center, half, DQuat::IDENTITY)
        }),
        1 => (at.clone(), 0.05_f32..2.0).prop_map(|(center, radius)| sphere(center, radius)),
        2 => (at.clone(), at.clone(), 0.05_f32..1.0).prop_map(|(p0, p1, r)| rod(p0, p1, r)),
        1 => (at.clone(), at).prop_filter_map("no direction", |(point, normal)| {
            (normal != DVec3::ZERO).then(|| half_space(point, normal))
        }),
    ]
}

pub(crate) fn any_capsule(
    at: impl Strategy<Value = DVec3> + Clone + 'static,
) -> impl Strategy<Value = Capsule> {
    (at.clone(), at, 1_u8..8, 0_u8..8).prop_map(|(p0, p1, eighths, kind)| {
        capsule(p0, if kind == 0 { p0 } else { p1 }, f32::from(eighths) * 0.125)
    })
}

proptest! {
    #![proptest_config(fixed(1500))]

    #[test]
    fn any_sweep_of_any_pair_keeps_the_contract(
        target in any_target(vector(3.0)), body in any_capsule(vector(4.0)), motion in vector(8.0),
    ) {
        judge(&body, motion, &target);
        judge_at_rest(&body, &target);
    }

    #[test]
    fn any_sweep_on_the_lattice_keeps_the_contract(
        target in any_target(lattice(2)), body in any_capsule(lattice(2)), motion in lattice(3),
    ) {
        judge(&body, motion, &target);
        judge_at_rest(&body, &target);
    }

    #[test]
    fn any_sweep_along_the_axis_keeps_the_contract(
        target in any_target(lattice(1)), body in any_capsule(lattice(3)), share in -8_i8..8,
    ) {
        judge(&body, body.axis() * (f64::from(share) * 0.25), &target);
    }
}
