//! Exact queries of a capsule against triangle worlds: no contact missed, none invented.
//!
//! Four kinds of query, against a triangle, segment, point, box, sphere, capsule or half-space:
//!
//! | query | functions | answer |
//! |---|---|---|
//! | sweep: the first touch of a moving capsule | `sweep_capsule_*` | [`SweepHit`] |
//! | overlap: depth and shortest push-out of a capsule at rest | `overlap_capsule_*` | [`Overlap`] |
//! | closest points of a capsule at rest | `closest_capsule_*` | [`ClosestPoints`] |
//! | ray: the first surface that a moving point hits | `ray_*` | [`RayHit`] |
//!
//! [`closest_segment_segment`], [`closest_segment_triangle`] and [`closest_point_triangle`]
//! measure shapes without a capsule.
//!
//! [`scene::Scene`] answers the same queries for whole worlds of placed meshes and shapes,
//! [`query::PosedMesh`] for one placed mesh. On top of scenes, [`controller`] moves characters.
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
//!     .expect("the fall ends on the floor");
//! assert!((hit.distance - 2.0).abs() < 1e-9);
//! assert_eq!((hit.feature, hit.region), (Feature::Face, Region::Bottom));
//! # Ok(())
//! # }
//! ```
//!
//! # Guarantees
//!
//! - Positions, motions, times and distances are f64; radii, extents and normals are f32. The
//!   solver works relative to the capsule, so it is as exact 16 km from the origin as at it.
//! - At the reported time the gap between the surfaces is 0 to within [`CONTACT_TOLERANCE`]: 2 µm.
//!   That holds for motions up to 1 km, triangles up to 4 km and coordinates up to 10⁶ m. The
//!   measured gap is below 25 nm.
//! - One contract holds for every pair, degenerate shapes included. An overlap at the start is a
//!   hit at time 0, with its push-out. A touch at the start is a hit only if the motion presses
//!   into the surface. A touch at the very end is a hit.
//! - Shapes and motions are checked when they are made ([`ShapeError`]). No query panics or
//!   returns NaN.
//! - The same input gives the same bits: the solver uses only +, −, ×, ÷ and √, in a fixed order.
//!
//! # Where to go next
//!
//! - [`Capsule`], [`Triangle`] and the other shapes, and [`Sides`] for back faces
//! - [`scene`]: worlds, poses, and reports on faulty meshes
//! - [`contact`]: the rules on regions, normals and points as functions
//!
//! The repository has the contract in words (`docs/conventions.md`), the reasons why the answers
//! are exact (`docs/numerics.md`), and the source and test of each rule (`docs/rules.md`).

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
mod serde_parts;
mod shape;
mod tolerance;
mod traverse;
pub mod validate;

pub use error::{MAX_POSITION, MAX_SIZE, ShapeError};
/// The vector library of every signature, re-exported so that callers need not depend on glam.
pub use glam;
pub use hit::{ClosestPoints, Feature, Overlap, RayHit, Region, SegmentDistance, Sides, SweepHit};
pub use kernel::closest_point_segment::closest_point_segment;
pub use pair::closest::{
    closest_capsule_box, closest_capsule_capsule, closest_capsule_half_space,
    closest_capsule_point, closest_capsule_segment, closest_capsule_sphere,
    closest_capsule_triangle,
};
pub use pair::distance::{
    closest_point_triangle, closest_segment_segment, closest_segment_triangle,
};
pub use pair::overlap::{
    overlap_capsule_box, overlap_capsule_capsule, overlap_capsule_half_space,
    overlap_capsule_point, overlap_capsule_segment, overlap_capsule_sphere,
    overlap_capsule_triangle,
};
pub use pair::ray::{ray_box, ray_capsule, ray_half_space, ray_sphere, ray_triangle};
pub use pair::rules as contact;
pub use pair::sweep::{
    sweep_capsule_box, sweep_capsule_capsule, sweep_capsule_half_space, sweep_capsule_point,
    sweep_capsule_segment, sweep_capsule_sphere, sweep_capsule_triangle,
};
pub use shape::{
    Aabb, Capsule, HalfSpace, Limit, Motion, Obb, Point, Ray, Segment, SlopeLimit, Sphere,
    Triangle,
};
pub use tolerance::{CONTACT_TOLERANCE, SEAM_DISTANCE};
