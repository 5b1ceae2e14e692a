//! The liquid section of a `.map` file.

use super::bytes::Bytes;
use super::core::{LiquidHeader, LiquidLayout, LiquidTable, entry};
use crate::continent::TerrainLiquid;

/// Flag: no table of kinds; the header names the kind.
const NO_TABLE: u8 = 1;
/// Flag: no heights; the header has the level.
const NO_HEIGHTS: u8 = 2;

/// Bytes of a tile's liquid.
pub(super) fn liquid_section(liquid: &TerrainLiquid, layout: &LiquidLayout) -> Vec<u8> {
    let kind = liquid.only_kind().filter(|_| layout.omit);
    let level = liquid.only_height().filter(|_| layout.omit);
    let mut flags = 0;
    flags |= if kind.is_some() { NO_TABLE } else { 0 };
    flags |= if level.is_some() { NO_HEIGHTS } else { 0 };
    let mut section = Bytes::starting(b"MLIQ");
    let bit = kind.map_or(0, |kind| layout.ids.terrain_bit(kind));
    match layout.header {
        LiquidHeader::ByteFlags => {
            section.u8(flags);
            section.u8(bit);
            section.u16(kind.map_or(0, entry));
        }
        LiquidHeader::WordFlags => {
            section.u16(u16::from(flags));
            section.u16(u16::from(bit));
        }
    }
    // Columns first: the names of the fields are swapped relative to rows and columns.
    let [row, column] = liquid.first;
    let [rows, columns] = liquid.size;
    for value in [column, row, columns, rows] {
        section.u8(value as u8);
    }
    section.f32(level.unwrap_or(liquid.heights[0]));
    if kind.is_none() {
        let kinds = liquid.kinds.as_flattened();
        if layout.table == LiquidTable::EntriesAndFlags {
            for kind in kinds {
                section.u16(kind.map_or(0, entry));
            }
        }
        for kind in kinds {
            section.u8(kind.map_or(0, |kind| layout.ids.terrain_bit(kind)));
        }
    }
    if level.is_none() {
        for height in &liquid.heights {
            section.f32(*height);
        }
    }
    section.0
}
