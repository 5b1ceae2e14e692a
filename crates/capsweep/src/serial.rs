//! What shapes look like to serde (feature `serde`): plain parts, checked again when they are read.
//!
//! Parts keep every bit, so a value that was written is the value that is read. Bad parts are refused with the words of
//! [`ShapeError`](crate::ShapeError).

use crate::scene::{Column, Pose};
use crate::{Aabb, Capsule, HalfSpace, Motion, Obb, Ray, ShapeError, Sphere, Triangle};
use glam::{DMat3, DQuat, DVec3, Vec3};
use serde::{Deserialize, Serialize};

/// Parts of a shape, how they are taken from it, and how it is made of them.
macro_rules! parts {
    ($parts:ident of $shape:ident { $($field:ident: $type:ty),+ } by $make:expr) => {
        #[derive(Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct $parts {
            $($field: $type,)+
        }

        impl From<$shape> for $parts {
            fn from(shape: $shape) -> Self {
                Self { $($field: shape.$field(),)+ }
            }
        }

        impl TryFrom<$parts> for $shape {
            type Error = ShapeError;

            fn try_from($parts { $($field),+ }: $parts) -> Result<Self, ShapeError> {
                $make($($field),+)
            }
        }
    };
}

parts!(AabbParts of Aabb { min: DVec3, max: DVec3 } by Aabb::new);
parts!(CapsuleParts of Capsule { p0: DVec3, p1: DVec3, radius: f32 } by Capsule::new);
parts!(ColumnParts of Column { point: DVec3, up: DVec3, above: f64, below: f64 } by Column::new);
parts!(HalfSpaceParts of HalfSpace { point: DVec3, normal: DVec3 } by HalfSpace::new);
parts!(MotionParts of Motion { vector: DVec3, length: f64 } by Motion::from_parts);
parts!(ObbParts of Obb { center: DVec3, half_extents: Vec3, axes: DMat3 } by Obb::from_axes);
parts!(PoseParts of Pose { position: DVec3, rotation: DQuat, scale: DVec3 } by Pose::new);
parts!(RayParts of Ray { origin: DVec3, motion: Motion } by Ray::new);
parts!(SphereParts of Sphere { center: DVec3, radius: f32 } by Sphere::new);
parts!(TriangleParts of Triangle { vertices: [DVec3; 3] } by |[a, b, c]: [DVec3; 3]| Triangle::new(a, b, c));
