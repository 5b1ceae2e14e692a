//! A drawing: shapes in pixels, from left to right and top to bottom, later ones over earlier ones.

use super::spelling::{Spelling, columns};
use glam::DVec2;

/// Red, green, blue and how opaque it is, 0 to 255 each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Colour(pub(super) [u8; 4]);

impl Colour {
    pub(super) const fn rgb(r: u8, g: u8, b: u8) -> Self {
        Self([r, g, b, 255])
    }

    pub(super) const fn faded(self, alpha: u8) -> Self {
        let [r, g, b, _] = self.0;
        Self([r, g, b, alpha])
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Stroke {
    pub(super) colour: Colour,
    pub(super) width: f64,
    /// Length of dashes and of the gaps between them; 0 for none.
    pub(super) dash: f64,
}

impl Stroke {
    pub(super) const fn solid(colour: Colour, width: f64) -> Self {
        Self { colour, width, dash: 0.0 }
    }

    pub(super) const fn dashed(colour: Colour, width: f64, dash: f64) -> Self {
        Self { colour, width, dash }
    }
}

/// Which point of a text its place is; its middle in height.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Left,
    Middle,
    Right,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextSize {
    Small,
    Title,
}

/// Pixels row by row, three bytes each.
#[derive(Debug, Clone)]
pub(super) struct Raster {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) rgb: Vec<u8>,
}

#[derive(Debug, Clone)]
pub(super) enum Item {
    /// Stretched to `size`.
    Image {
        at: DVec2,
        size: DVec2,
        raster: Raster,
    },
    /// Lines through points, each list a line of its own.
    Lines {
        lines: Vec<Vec<DVec2>>,
        stroke: Stroke,
    },
    /// Filled polygons.
    Areas {
        areas: Vec<Vec<DVec2>>,
        fill: Colour,
    },
    /// A box with round ends: a circle if it is square, a capsule if it is higher than wide.
    Pill {
        middle: DVec2,
        size: DVec2,
        fill: Colour,
        stroke: Stroke,
    },
    /// A box.
    Frame {
        at: DVec2,
        size: DVec2,
        fill: Colour,
        stroke: Stroke,
    },
    Text {
        at: DVec2,
        text: String,
        anchor: Anchor,
        size: TextSize,
        colour: Colour,
    },
}

#[derive(Debug, Clone)]
pub(super) struct Canvas {
    pub(super) size: DVec2,
    pub(super) items: Vec<Item>,
    spelling: Spelling,
}

impl Canvas {
    pub(super) fn new(spelling: Spelling) -> Self {
        Self { size: DVec2::ZERO, items: Vec::new(), spelling }
    }

    /// The text with the letters that it is drawn with, as wide as it will be.
    pub(super) fn spelled(&self, text: &str) -> String {
        self.spelling.spell(text)
    }

    pub(super) fn line(&mut self, points: Vec<DVec2>, stroke: Stroke) {
        self.lines(vec![points], stroke);
    }

    pub(super) fn lines(&mut self, lines: Vec<Vec<DVec2>>, stroke: Stroke) {
        if !lines.is_empty() {
            self.items.push(Item::Lines { lines, stroke });
        }
    }

    pub(super) fn areas(&mut self, areas: Vec<Vec<DVec2>>, fill: Colour) {
        if !areas.is_empty() {
            self.items.push(Item::Areas { areas, fill });
        }
    }

    pub(super) fn pill(&mut self, middle: DVec2, size: DVec2, fill: Colour, stroke: Stroke) {
        self.items.push(Item::Pill { middle, size, fill, stroke });
    }

    pub(super) fn frame(&mut self, panel: Panel, fill: Colour, stroke: Stroke) {
        self.items.push(Item::Frame { at: panel.low, size: panel.size(), fill, stroke });
    }

    /// Small text to the right of a place.
    pub(super) fn note(&mut self, at: DVec2, text: impl AsRef<str>, colour: Colour) {
        self.text(at, text, (Anchor::Left, TextSize::Small), colour);
    }

    pub(super) fn text(
        &mut self,
        at: DVec2,
        text: impl AsRef<str>,
        (anchor, size): (Anchor, TextSize),
        colour: Colour,
    ) {
        let text = self.spelled(text.as_ref());
        self.items.push(Item::Text { at, text, anchor, size, colour });
    }

    /// An arrow from `from` to `to`.
    pub(super) fn arrow(&mut self, from: DVec2, to: DVec2, stroke: Stroke) {
        let Some(along) = (to - from).try_normalize() else { return };
        let barb = |side: f64| to - (along + along.perp() * side) * (2.0 + 2.0 * stroke.width);
        self.lines(vec![vec![from, to], vec![barb(0.6), to, barb(-0.6)]], stroke);
    }
}

/// A part of the canvas.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Panel {
    pub(super) low: DVec2,
    pub(super) high: DVec2,
}

impl Panel {
    /// A box around its middle.
    pub(super) fn around(middle: DVec2, size: DVec2) -> Self {
        Self { low: middle - size / 2.0, high: middle + size / 2.0 }
    }

    pub(super) fn size(&self) -> DVec2 {
        self.high - self.low
    }

    /// Larger by `margin` on every side.
    pub(super) fn grown(&self, margin: f64) -> Self {
        Self { low: self.low - margin, high: self.high + margin }
    }

    pub(super) fn overlaps(&self, other: &Self) -> bool {
        self.low.cmplt(other.high).all() && self.high.cmpgt(other.low).all()
    }

    /// The part of a straight line that lies in it (after Liang and Barsky).
    pub(super) fn clip(&self, [a, b]: [DVec2; 2]) -> Option<[DVec2; 2]> {
        let way = b - a;
        let (mut from, mut to) = (0.0f64, 1.0f64);
        for axis in 0..2 {
            for (step, room) in
                [(-way[axis], a[axis] - self.low[axis]), (way[axis], self.high[axis] - a[axis])]
            {
                if step == 0.0 && room < 0.0 {
                    return None;
                } else if step < 0.0 {
                    from = from.max(room / step);
                } else if step > 0.0 {
                    to = to.min(room / step);
                }
            }
        }
        (from < to).then(|| [a + way * from, a + way * to])
    }

    pub(super) fn contains(&self, point: DVec2) -> bool {
        point.cmpge(self.low).all() && point.cmple(self.high).all()
    }
}

/// Pixels that a spelled text is wide: a letter is as wide as the others, or twice as wide.
pub(super) fn width_of(text: &str, size: TextSize) -> f64 {
    columns(text) as f64 * advance(size)
}

/// Pixels from a letter to the next: those of the bitmap font, and in SVG of the font size that goes with it.
pub(super) fn advance(size: TextSize) -> f64 {
    match size {
        TextSize::Small => 7.0,
        TextSize::Title => 11.0,
    }
}

/// A length of 1, 2 or 5 times a power of ten that takes at most `most` pixels, at `scale` pixels a metre.
pub(super) fn round_length(most: f64, scale: f64) -> f64 {
    let longest = most / scale;
    let power = 10f64.powf(longest.log10().floor());
    [5.0, 2.0, 1.0]
        .map(|factor| factor * power)
        .into_iter()
        .find(|l| *l <= longest)
        .unwrap_or(power)
}
