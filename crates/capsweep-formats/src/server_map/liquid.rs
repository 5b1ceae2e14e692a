//! Kinds of liquid, and the bits that name them.
//!
//! Two families of servers give the same bits of terrain other meanings, and nothing in the layout
//! says which family wrote a file. [`LiquidEvidence`] compares the bits with the ids of liquids in
//! the same file; the version of the file is the hint where ids are missing.

use capsweep::scene::LiquidKind;
use std::ops::AddAssign;

/// The kind with an id of the game's table of liquids.
///
/// Terrain, and models of cmangos and vmangos, use the ids 1 to 4 and 21. Models of `TrinityCore`
/// and `AzerothCore` use 13, 14, 19 and 20. Other ids stay as they are.
pub fn kind_of_id(id: u32) -> LiquidKind {
    match id {
        1 | 13 => LiquidKind::Water,
        2 | 14 => LiquidKind::Ocean,
        3 | 19 => LiquidKind::Magma,
        4 | 20 | 21 => LiquidKind::Slime,
        id => LiquidKind::Other(id),
    }
}

/// The meaning of the liquid bits of terrain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LiquidBits {
    /// 1 magma, 2 ocean, 4 slime, 8 water: cmangos, vmangos and getMaNGOS.
    Mangos,
    /// 1 water, 2 ocean, 4 magma, 8 slime: `TrinityCore`, `AzerothCore` and older servers.
    Trinity,
}

/// Bits that say more about a liquid than its kind: 0x10 deep or dark, 0x20 of a building.
const NOT_A_KIND: u8 = 0x30;

/// Whether the bits of a chunk name a liquid, of a known kind or not.
pub(super) fn names_liquid(flags: u8) -> bool {
    flags & !NOT_A_KIND != 0
}

impl LiquidBits {
    /// The kind that `flags` name; `None` if they name none, several or an unknown one.
    pub fn kind(self, flags: u8) -> Option<LiquidKind> {
        use LiquidKind::{Magma, Ocean, Slime, Water};
        let [first, second, third, fourth] = match self {
            Self::Mangos => [Magma, Ocean, Slime, Water],
            Self::Trinity => [Water, Ocean, Magma, Slime],
        };
        match flags & !NOT_A_KIND {
            1 => Some(first),
            2 => Some(second),
            4 => Some(third),
            8 => Some(fourth),
            _ => None,
        }
    }

    /// The family that the version of a `.map` file hints at.
    ///
    /// The letters `z`, `s`, `t` and `c`, and `v1.4` and `v1.5`, are versions of the mangos family
    /// today. Plain numbers, `v2.1` and the other versions with `v` belong to the other one.
    /// `TrinityCore` had a `v1.4` and a `v1.5` too, years ago.
    pub fn from_version(version: [u8; 4]) -> Self {
        match &version {
            [b'z' | b's' | b't' | b'c', _, b'.', _] | b"v1.4" | b"v1.5" => Self::Mangos,
            _ => Self::Trinity,
        }
    }
}

/// Chunks of terrain whose id and bits agree, by the meaning of the bits. Tiles can be summed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LiquidEvidence {
    /// Chunks that agree under [`LiquidBits::Mangos`] alone.
    pub mangos: u64,
    /// Chunks that agree under [`LiquidBits::Trinity`] alone.
    pub trinity: u64,
}

impl LiquidEvidence {
    /// Adds a chunk with the id `entry` and the bits `flags`. A chunk with an unknown id, or of
    /// ocean, which has the same bit in both families, tells nothing.
    pub(super) fn add(&mut self, entry: u16, flags: u8) {
        let expected = Some(kind_of_id(entry.into()));
        let agrees = |bits: LiquidBits| bits.kind(flags) == expected;
        match (agrees(LiquidBits::Mangos), agrees(LiquidBits::Trinity)) {
            (true, false) => self.mangos += 1,
            (false, true) => self.trinity += 1,
            _ => {}
        }
    }

    /// The family that more chunks agree with, or `hint` if equally many do.
    pub fn bits(self, hint: LiquidBits) -> LiquidBits {
        match self.mangos.cmp(&self.trinity) {
            std::cmp::Ordering::Greater => LiquidBits::Mangos,
            std::cmp::Ordering::Less => LiquidBits::Trinity,
            std::cmp::Ordering::Equal => hint,
        }
    }
}

impl AddAssign for LiquidEvidence {
    fn add_assign(&mut self, other: Self) {
        self.mangos += other.mangos;
        self.trinity += other.trinity;
    }
}
