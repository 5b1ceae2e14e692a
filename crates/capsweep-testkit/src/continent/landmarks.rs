//! Where the landmarks of the home block are: pads of level ground, the lake, the sea, and the
//! placements of the house, the cave and the bridge.
//!
//! Positions are in cells from the northern and western corner of the home block: `u` to the
//! south, `v` to the east. Slopes between pads and hills stay below 40 degrees, because the route
//! crosses them.

use super::liquid::LiquidKind;
use super::plan::{length, smooth};

/// Level or evenly sloped ground over a rectangle, blended into the hills over a margin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pad {
    pub(super) low: [f32; 2],
    pub(super) high: [f32; 2],
    margin: f32,
    height: f32,
    /// Rise per cell to the south, from `low`.
    rise: f32,
}

impl Pad {
    fn around([u, v]: [f32; 2], reach: f32, margin: f32, height: f32) -> Self {
        let (low, high) = ([u - reach, v - reach], [u + reach, v + reach]);
        Self { low, high, margin, height, rise: 0.0 }
    }

    /// Height of the pad at a row.
    pub(super) fn level(&self, u: f32) -> f32 {
        self.height + self.rise * (u - self.low[0])
    }

    /// Distance from the rectangle, in cells; 0 inside.
    pub(super) fn distance(&self, u: f32, v: f32) -> f32 {
        let out = |x: f32, k: usize| (self.low[k] - x).max(x - self.high[k]).max(0.0);
        length(out(u, 0), out(v, 1))
    }

    pub(super) fn weight(&self, u: f32, v: f32) -> f32 {
        1.0 - smooth(self.distance(u, v) / self.margin)
    }
}

/// A round basin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Basin {
    pub(super) centre: [f32; 2],
    /// Cells.
    pub(super) radius: f32,
    /// Yards.
    pub(super) depth: f32,
}

impl Basin {
    pub(super) fn distance(&self, u: f32, v: f32) -> f32 {
        length(u - self.centre[0], v - self.centre[1])
    }
}

/// Centre of the first house. The second is at the corner that four tiles share.
pub(super) const HOUSE: [f32; 2] = [36.0, 36.0];
/// Centre of the second house.
pub(super) const CORNER_HOUSE: [f32; 2] = [128.0, 128.0];
/// The northern rim of the first hole, in the middle of its width. The cave runs east from here.
pub(super) const CAVE: [f32; 2] = [37.0, 188.0];
/// The lake.
pub(super) const LAKE: Basin = Basin { centre: [192.0, 62.0], radius: 19.0, depth: 12.0 };
/// Height of the lake's shore.
pub(super) const SHORE_HEIGHT: f32 = 20.0;
/// Height of the lake's surface.
pub(super) const LAKE_LEVEL: f32 = SHORE_HEIGHT - 1.5;
/// The part of the lake with liquid, in cells from its centre. The ground at its edge is dry.
pub(super) const LAKE_REACH: f32 = 17.0;
/// The sea bed at the south-eastern corner of the home block.
pub(super) const SEA_CORNER: Basin = Basin { centre: [256.0, 256.0], radius: 38.0, depth: 30.0 };
/// Height of the ground around the first house.
pub(super) const HOUSE_HEIGHT: f32 = 22.0;
/// Height of the ground around the second house.
pub(super) const CORNER_HEIGHT: f32 = 24.0;
/// Height of the ground over the cave.
pub(super) const CAVE_HEIGHT: f32 = 26.0;

/// The bed of the stream; it falls to the south by 1 yard in 100.
const STREAM: Pad =
    Pad { low: [72.0, 209.0], high: [120.0, 213.0], margin: 12.0, height: 15.0, rise: -0.04 };
/// The bed of the magma pool.
const MAGMA: Pad =
    Pad { low: [94.0, 94.0], high: [100.0, 100.0], margin: 10.0, height: 18.0, rise: 0.0 };

/// All pads, in the order in which they shape the ground.
pub(super) fn pads() -> Vec<Pad> {
    let cave =
        Pad { low: [20.0, 176.0], high: [54.0, 216.0], margin: 14.0, height: 26.0, rise: 0.0 };
    vec![
        Pad::around(HOUSE, 7.0, 12.0, HOUSE_HEIGHT),
        Pad::around(CORNER_HOUSE, 6.0, 12.0, CORNER_HEIGHT),
        cave,
        Pad::around(LAKE.centre, 25.0, 14.0, SHORE_HEIGHT),
        STREAM,
        MAGMA,
    ]
}

/// A liquid over a pad: its surface is the bed raised by `depth`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pool {
    pub(super) bed: Pad,
    pub(super) depth: f32,
    pub(super) kind: LiquidKind,
    /// Cells of liquid beyond the pad.
    pub(super) reach: u32,
}

/// The stream and the magma pool.
pub(super) const POOLS: [Pool; 2] = [
    Pool { bed: STREAM, depth: 1.2, kind: LiquidKind::Slime, reach: 2 },
    Pool { bed: MAGMA, depth: 1.0, kind: LiquidKind::Magma, reach: 1 },
];

/// The 2 × 2 blocks of cells over the cave that are holes, by their first cell.
///
/// Each hole is four cells long and two wide; eight cells of ground are between the holes.
pub(super) const HOLES: [[u32; 2]; 4] = [[36, 188], [36, 190], [36, 200], [36, 202]];
