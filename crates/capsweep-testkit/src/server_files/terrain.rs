//! `.map` files: area, heights, liquid and holes of a tile.

use super::bytes::Bytes;
use super::core::{HeightForm, HoleForm, MapHeader, MapLayout};
use super::terrain_liquid::liquid_section;
use crate::continent::{CHUNKS, Tile};

/// Bytes of a tile's `.map` file.
pub fn map_file(tile: &Tile, layout: &MapLayout) -> Vec<u8> {
    let sections = [
        area_section(tile),
        height_section(tile, layout),
        tile.liquid.as_ref().map(|l| liquid_section(l, &layout.liquid)).unwrap_or_default(),
        hole_section(tile, layout.holes),
    ];
    let mut file = Bytes::starting(b"MAPS");
    let mut offset = match layout.header {
        MapHeader::Short { version } => {
            file.raw(&version);
            40
        }
        MapHeader::Long { version, build } => {
            file.raw(&version);
            file.u32(build);
            44
        }
    };
    for section in &sections {
        // A missing section has offset and size 0.
        file.count(if section.is_empty() { 0 } else { offset });
        file.count(section.len());
        offset += section.len();
    }
    for section in &sections {
        file.raw(section);
    }
    file.0
}

fn area_section(tile: &Tile) -> Vec<u8> {
    let mut section = Bytes::starting(b"AREA");
    let first = tile.areas[0][0];
    let uniform = tile.areas.as_flattened().iter().all(|area| *area == first);
    section.u16(u16::from(uniform));
    section.u16(if uniform { first } else { 0 });
    if !uniform {
        for area in tile.areas.as_flattened() {
            section.u16(*area);
        }
    }
    section.0
}

/// How heights are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stored {
    Flat,
    Float,
    U16,
    U8,
}

impl Stored {
    fn choose(form: HeightForm, range: f32) -> Self {
        match form {
            HeightForm::AlwaysFloat => Self::Float,
            HeightForm::U16 => Self::U16,
            HeightForm::U8 => Self::U8,
            _ if range < 0.005 => Self::Flat,
            HeightForm::Smallest if range < 2.0 => Self::U8,
            HeightForm::Smallest if range < 2_048.0 => Self::U16,
            HeightForm::Float | HeightForm::Smallest => Self::Float,
        }
    }

    fn flag(self) -> u32 {
        match self {
            Self::Flat => 1,
            Self::Float => 0,
            Self::U16 => 2,
            Self::U8 => 4,
        }
    }
}

/// Lowest and highest height of a tile.
fn height_range(tile: &Tile) -> [f32; 2] {
    let heights = tile.corners.iter().chain(&tile.centres);
    heights.fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], height| {
        [low.min(*height), high.max(*height)]
    })
}

/// The largest difference in yards between a height of the tile and the height in its file.
///
/// Half a step, and the rounding of a reader that decodes in f32.
pub fn height_rounding(tile: &Tile, form: HeightForm) -> f64 {
    let [low, high] = height_range(tile).map(f64::from);
    let decoding = 4.0 * f64::from(f32::EPSILON) * low.abs().max(high.abs());
    match Stored::choose(form, (high - low) as f32) {
        Stored::Float => 0.0,
        Stored::Flat => high - low,
        Stored::U16 => (high - low) / 65_535.0 * 0.5 + decoding,
        Stored::U8 => (high - low) / 255.0 * 0.5 + decoding,
    }
}

fn height_section(tile: &Tile, layout: &MapLayout) -> Vec<u8> {
    let [low, high] = height_range(tile);
    let stored = Stored::choose(layout.heights, high - low);
    let mut section = Bytes::starting(b"MHGT");
    section.u32(stored.flag() | if layout.flight_bounds { 8 } else { 0 });
    section.f32(low);
    section.f32(high);
    for &height in tile.corners.iter().chain(&tile.centres) {
        match stored {
            Stored::Flat => break,
            Stored::Float => section.f32(height),
            Stored::U16 => section.u16(step(height, [low, high], 65_535.0) as u16),
            Stored::U8 => section.u8(step(height, [low, high], 255.0) as u8),
        }
    }
    if layout.flight_bounds {
        // Nine highest and nine lowest heights for flyers.
        for bound in [1_000_i16; 9].into_iter().chain([-600; 9]) {
            section.raw(&bound.to_le_bytes());
        }
    }
    section.0
}

/// The step of a height between the lowest and the highest, rounded to the nearest.
#[allow(clippy::cast_sign_loss, reason = "no height is below the lowest")]
fn step(height: f32, [low, high]: [f32; 2], steps: f64) -> u32 {
    let range = f64::from(high) - f64::from(low);
    if range == 0.0 {
        return 0;
    }
    ((f64::from(height) - f64::from(low)) / range * steps).round() as u32
}

fn hole_section(tile: &Tile, form: HoleForm) -> Vec<u8> {
    if form != HoleForm::AlwaysBlocks && !tile.holes.contains(&true) {
        return Vec::new();
    }
    let mut section = Bytes::default();
    for chunk in 0..CHUNKS * CHUNKS {
        let first = [chunk / CHUNKS * 8, chunk % CHUNKS * 8].map(|cell| cell as u32);
        let hole = |i: u32, j: u32| tile.is_hole([first[0] + i, first[1] + j]);
        if form == HoleForm::Cells {
            for i in 0..8 {
                section.u8((0..8).fold(0, |bits, j| bits | u8::from(hole(i, j)) << j));
            }
        } else {
            let block = |k: u32| u16::from(hole(k / 4 * 2, k % 4 * 2)) << k;
            section.u16((0..16).fold(0, |bits, k| bits | block(k)));
        }
    }
    section.0
}
