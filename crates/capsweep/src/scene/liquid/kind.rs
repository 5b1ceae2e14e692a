//! Kinds of liquid, one for each cell of a sheet.

use bytemuck::{Pod, Zeroable};
use core::fmt;

/// The kind of a liquid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum LiquidKind {
    /// Lakes, rivers, wells.
    #[default]
    Water,
    /// The sea.
    Ocean,
    /// Magma, lava.
    Magma,
    /// Slime.
    Slime,
    /// Any other kind, by the caller's own number.
    Other(u32),
}

impl fmt::Display for LiquidKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Water => f.write_str("water"),
            Self::Ocean => f.write_str("ocean"),
            Self::Magma => f.write_str("magma"),
            Self::Slime => f.write_str("slime"),
            Self::Other(id) => write!(f, "liquid {id}"),
        }
    }
}

/// A [`LiquidKind`] as plain bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct KindRecord {
    /// 0 water, 1 ocean, 2 magma, 3 slime, 4 other.
    form: u32,
    /// The number of another kind, else 0.
    id: u32,
}

impl From<LiquidKind> for KindRecord {
    fn from(kind: LiquidKind) -> Self {
        let (form, id) = match kind {
            LiquidKind::Water => (0, 0),
            LiquidKind::Ocean => (1, 0),
            LiquidKind::Magma => (2, 0),
            LiquidKind::Slime => (3, 0),
            LiquidKind::Other(id) => (4, id),
        };
        Self { form, id }
    }
}

impl From<KindRecord> for LiquidKind {
    /// Every record is a kind. Only those that a kind gives are [canonical](is_canonical).
    fn from(KindRecord { form, id }: KindRecord) -> Self {
        match form {
            0 => Self::Water,
            1 => Self::Ocean,
            2 => Self::Magma,
            3 => Self::Slime,
            _ => Self::Other(id),
        }
    }
}

/// Whether a kind gives this record.
pub(crate) fn is_canonical(record: KindRecord) -> bool {
    KindRecord::from(LiquidKind::from(record)) == record
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_reads_back_from_its_record() {
        for kind in [
            LiquidKind::Water,
            LiquidKind::Ocean,
            LiquidKind::Magma,
            LiquidKind::Slime,
            LiquidKind::Other(0),
            LiquidKind::Other(u32::MAX),
        ] {
            let record = KindRecord::from(kind);
            assert_eq!(LiquidKind::from(record), kind);
            assert!(is_canonical(record));
        }
        for record in [KindRecord { form: 0, id: 1 }, KindRecord { form: 5, id: 0 }] {
            assert!(!is_canonical(record), "{record:?}");
        }
    }
}
