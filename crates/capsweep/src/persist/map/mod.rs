//! Map files: scenes too large to load, which are read as queries reach them.

mod file;
mod writer;

pub use file::MapFile;
pub(super) use file::verify;
pub use writer::{MapWriter, PlacedSheet, PlacedSurface, SheetRole};

use bytemuck::{Pod, Zeroable};

/// The unit of length of a map: of its positions, and of all answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum MapUnit {
    /// Metres.
    #[default]
    Metre,
    /// Yards of 0.9144 m.
    Yard,
}

impl MapUnit {
    /// Metres in one unit.
    pub fn metres(self) -> f64 {
        match self {
            Self::Metre => 1.0,
            Self::Yard => 0.9144,
        }
    }

    /// The symbol of the unit: `m` or `yd`.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Metre => "m",
            Self::Yard => "yd",
        }
    }
}

/// What a map says of itself: [`Section::MapInfo`].
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Info {
    /// 0 metres, 1 yards.
    unit: u32,
    unused: [u32; 7],
}
