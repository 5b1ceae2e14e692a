//! A floor with stairs from shallow to steep.

use super::Mesh;
use super::build::{Flight, MeshBuilder};
use glam::{Vec3, vec3};

/// A floor of 40 × 40 m with five flights of stairs.
///
/// The first has 16 steps of 18 cm by 28 cm and a landing. The others go from shallow to steep.
pub fn stairs() -> Mesh {
    let mut level = MeshBuilder::default();
    level.grid(vec3(-20.0, -20.0, 0.0), [Vec3::X * 40.0, Vec3::Y * 40.0], [20, 20]);
    let flight = |foot, along, [rise, run]: [f32; 2], steps| Flight {
        foot,
        along,
        width: 2.5,
        steps,
        rise,
        run,
    };
    level.flight(&flight(vec3(0.0, 0.0, 0.0), Vec3::X, [0.18, 0.28], 16));
    // The landing is flush with the last step.
    let far = 0.28 * 16.0;
    level.cuboid(vec3(far, 0.0, 0.0), vec3(far + 4.0, 2.5, 0.18 * 16.0));
    level.flight(&flight(vec3(-2.0, 8.0, 0.0), -Vec3::X, [0.10, 0.40], 24));
    level.flight(&flight(vec3(8.0, -4.0, 0.0), -Vec3::Y, [0.25, 0.25], 12));
    level.flight(&flight(vec3(-8.0, -8.0, 0.0), Vec3::Y, [0.30, 0.20], 10));
    level.flight(&flight(vec3(4.0, 10.0, 0.0), Vec3::Y, [0.45, 0.60], 6));
    level.finish()
}
