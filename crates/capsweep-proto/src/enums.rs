//! Enums of the library and of the protocol.

use crate::{FieldError, v1};
use capsweep::scene::{Bodies, BodyKind, StartOverlaps};
use capsweep::{Region, Sides};

/// Defines both directions of an enum.
macro_rules! enum_pair {
    ($encode:ident, $decode:ident: $library:ident = $proto:ident { $($variant:ident),+ }) => {
        pub(crate) fn $encode(value: $library) -> i32 {
            match value {
                $($library::$variant => v1::$proto::$variant as i32,)+
            }
        }

        #[inline]
        pub(crate) fn $decode(field: &str, value: i32) -> Result<$library, FieldError> {
            match v1::$proto::try_from(value) {
                $(Ok(v1::$proto::$variant) => Ok($library::$variant),)+
                Err(_) => Err(FieldError::unknown(field, value)),
            }
        }
    };
}

pub(crate) use enum_pair;

enum_pair!(encode_sides, sides: Sides = Sides { Front, Both });
enum_pair!(encode_bodies, bodies: Bodies = Bodies { All, Static, Dynamic });
enum_pair!(encode_start_overlaps, start_overlaps: StartOverlaps = StartOverlaps { Report, Skip });
enum_pair!(encode_kind, body_kind: BodyKind = BodyKind { Mesh, Shape, Obstacle });
enum_pair!(encode_region, region: Region = Region { Bottom, Side, Top, Sphere });
