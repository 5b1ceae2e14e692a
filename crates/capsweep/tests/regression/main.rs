//! Bugs that must not come back: ours, found by fuzzing, and other people's, from public reports.

#![allow(clippy::unwrap_used, reason = "a shape that cannot be made fails the test")]
#![allow(clippy::excessive_precision, reason = "the digits are those of the report")]
#![allow(clippy::disallowed_methods, reason = "tests need not give the same bits everywhere")]

mod arguments;
mod fuzz;
mod ids;
mod peers;
mod sides;
mod weaknesses;

use capsweep::{Capsule, Motion, Triangle};
use glam::{DVec3, dvec3};

fn capsule(p0: [f64; 3], p1: [f64; 3], radius: f32) -> Capsule {
    Capsule::new(p0.into(), p1.into(), radius).unwrap()
}

fn sphere_capsule(center: [f64; 3], radius: f32) -> Capsule {
    capsule(center, center, radius)
}

fn motion(vector: [f64; 3]) -> Motion {
    Motion::new(vector.into()).unwrap()
}

fn triangle(vertices: [[f64; 3]; 3]) -> Triangle {
    let [a, b, c] = vertices.map(DVec3::from);
    Triangle::new(a, b, c).unwrap()
}

/// `found` within `bound` of `exact`; a miss is infinitely wrong.
#[track_caller]
fn assert_near(found: Option<f64>, exact: f64, bound: f64) {
    let error = found.map_or(f64::INFINITY, |found| (found - exact).abs());
    assert!(error <= bound, "{found:?}, not {exact} within {bound}");
}

/// Unit vectors within half a degree.
#[track_caller]
fn assert_direction(found: glam::Vec3, exact: [f64; 3]) {
    let cosine = found.as_dvec3().dot(dvec3(exact[0], exact[1], exact[2]).normalize());
    assert!(cosine > 0.5_f64.to_radians().cos(), "{found} is not along {exact:?}");
}
