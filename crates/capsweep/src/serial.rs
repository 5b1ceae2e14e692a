//! How shapes are written and read (feature `serde`): plain parts, checked again when they are read.
//!
//! Parts keep every bit, so a value that was written is the value that is read. Bad parts are refused with the words of
//! [`ShapeError`](crate::ShapeError). Each type declares its parts beside itself.

/// Parts of a shape, how they are taken from it, and how it is made of them.
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
