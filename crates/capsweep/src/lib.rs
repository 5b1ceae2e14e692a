//! Where does a moving capsule first touch? Exactly, with no contact missed and none invented.
//!
//! capsweep answers three questions about a capsule and a triangle, box, sphere, capsule or half-space:
//!
//! | question | functions | answer |
//! |---|---|---|
//! | where does it first touch when it moves? | `sweep_capsule_*` | [`SweepHit`] |
//! | does it overlap where it is, and which way is out? | `overlap_capsule_*` | [`Overlap`] |
//! | what are the closest points? | `closest_capsule_*` | [`ClosestPoints`] |
//!
//! and the same, with rays and supports, about whole worlds of placed meshes and shapes: [`scene::Scene`].
//!
//! and one about a point that moves: where does it meet a surface (`ray_*`, [`RayHit`])?
//! On top of it all, [`controller`] walks characters through a scene.
//!
//! ```
//! use capsweep::{Capsule, Feature, Motion, Region, ShapeError, Sides, Triangle};
//! use glam::DVec3;
//!
//! # fn main() -> Result<(), ShapeError> {
//! // A person 1.8 m tall, feet 2 m above a floor far from the origin.
//! let feet = DVec3::new(16_384.0, -16_384.0, 2.0);
//! let person = Capsule::from_feet(feet, DVec3::Z, 0.4, 1.8)?;
//! let floor = Triangle::new(
//!     DVec3::new(16_380.0, -16_388.0, 0.0),
//!     DVec3::new(16_392.0, -16_388.0, 0.0),
//!     DVec3::new(16_380.0, -16_376.0, 0.0),
//! )?;
//! let fall = Motion::new(DVec3::new(0.0, 0.0, -5.0))?;
//!
//! let hit = capsweep::sweep_capsule_triangle(&person, &fall, &floor, Sides::Front)
//!     .expect("the floor is in the way");
//! assert!((hit.distance - 2.0).abs() < 1e-9);
//! assert_eq!((hit.feature, hit.region), (Feature::Face, Region::Bottom));
//! # Ok(())
//! # }
//! ```
//!
//! # What is promised
//!
//! - Positions, motions, times and distances are f64; radii, extents and normals are f32. Inner maths is
//!   relative to the capsule, so 16 km from the origin is as exact as at it.
//! - At the reported time the gap between the surfaces is 0 to within [`CONTACT_TOLERANCE`] (2 µm), for motions up to 1 km,
//!   triangles up to 4 km and coordinates up to 10⁶; measured, it is below 25 nm.
//! - One contract holds for every pair: an overlap at the start is a hit at time 0 with its push-out; a touch at the
//!   start is a hit only if the motion presses on; a touch at the very end is a hit. Degenerate shapes included.
//! - Shapes and motions are checked when they are made ([`ShapeError`]); no query panics or returns NaN.
//! - The same input gives the same bits: only +, −, ×, ÷ and √ are used, in a fixed order.
//!
//! # Where to go next
//!
//! [`scene`] for worlds, [`Capsule`] and [`Triangle`] to make shapes, [`Sides`] for back faces, [`contact`] for the rules on regions,
//! normals and points, [`scene`] for poses and for what is wrong with a mesh. In the repository: `docs/conventions.md` (the contract in words), `docs/numerics.md` (why the
//! answers are exact), `docs/rules.md` (rule by rule: source and test).

// `golden_tests` includes a test from outside the library, which calls the library by its name.
#[cfg(test)]
extern crate self as capsweep;

mod buffer;
mod bvh;
pub mod cache;
pub mod controller;
mod cull;
mod error;
#[cfg(test)]
mod golden_tests;
mod hit;
mod kernel;
mod math;
mod mesh;
mod pair;
mod parallel;
pub mod persist;
pub mod query;
pub mod scene;
#[cfg(feature = "serde")]
mod serial;
mod shape;
mod tolerance;
mod traverse;

pub use error::{MAX_POSITION, MAX_SIZE, ShapeError};
/// The vectors of every signature here, so that a program needs no dependency of its own on the same version.
pub use glam;
pub use hit::{ClosestPoints, Feature, Overlap, RayHit, Region, Sides, SweepHit};
pub use kernel::point_segment::closest_point_segment;
pub use pair::closest::{
    closest_capsule_box, closest_capsule_capsule, closest_capsule_half_space,
    closest_capsule_sphere, closest_capsule_triangle,
};
pub use pair::overlap::{
    overlap_capsule_box, overlap_capsule_capsule, overlap_capsule_half_space,
    overlap_capsule_sphere, overlap_capsule_triangle,
};
pub use pair::ray::{ray_box, ray_capsule, ray_half_space, ray_sphere, ray_triangle};
pub use pair::rules as contact;
pub use pair::sweep::{
    sweep_capsule_box, sweep_capsule_capsule, sweep_capsule_half_space, sweep_capsule_sphere,
    sweep_capsule_triangle,
};
pub use shape::{Aabb, Capsule, HalfSpace, Limit, Motion, Obb, Ray, SlopeLimit, Sphere, Triangle};
pub use tolerance::{CONTACT_TOLERANCE, SEAM};
