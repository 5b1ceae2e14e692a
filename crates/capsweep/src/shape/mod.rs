//! The shapes that queries take: plain values, checked once by their constructors.

mod aabb;
pub(crate) mod axis_system;
mod capsule;
mod euler;
mod half_space;
mod limit;
mod motion;
mod obb;
mod point;
pub(crate) mod pose;
mod pose_matrix;
mod ray;
mod segment;
mod slope_limit;
mod sphere;
mod triangle;

pub use aabb::Aabb;
pub use capsule::Capsule;
pub use half_space::HalfSpace;
pub use limit::Limit;
pub use motion::Motion;
pub use obb::Obb;
pub use point::Point;
pub use ray::Ray;
pub use segment::Segment;
pub use slope_limit::SlopeLimit;
pub use sphere::Sphere;
pub use triangle::Triangle;
