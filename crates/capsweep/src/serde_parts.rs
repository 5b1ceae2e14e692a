//! Serialization of shapes (feature `serde`): as plain parts, checked again when they are read.
//!
//! Parts keep every bit, so a value reads back as it was written. Bad parts are refused with a
//! [`ShapeError`](crate::ShapeError). Each type declares its parts in its own file.

/// Defines the serialized parts of a shape, with the conversions to and from it.
macro_rules! parts {
    ($parts:ident of $shape:ident { $($field:ident: $type:ty),+ } by $make:expr) => {
        #[derive(serde::Serialize, serde::Deserialize)]
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
            type Error = $crate::ShapeError;

            fn try_from($parts { $($field),+ }: $parts) -> Result<Self, $crate::ShapeError> {
                $make($($field),+)
            }
        }
    };
}

pub(crate) use parts;
