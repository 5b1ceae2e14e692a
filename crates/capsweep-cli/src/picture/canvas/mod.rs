//! A drawing in pixels, and its output as SVG and PNG. x points right, y points down; later items
//! cover earlier ones.

pub(crate) mod font;
pub(crate) mod png;
mod rect;
pub(crate) mod svg;

pub(crate) use rect::Rect;

use font::{Font, columns};
use glam::DVec2;

/// Red, green, blue and alpha, 0 to 255 each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Colour(pub(crate) [u8; 4]);

impl Colour {
    pub(crate) const fn rgb(r: u8, g: u8, b: u8) -> Self {
        Self([r, g, b, 255])
    }

    pub(crate) const fn faded(self, alpha: u8) -> Self {
        let [r, g, b, _] = self.0;
        Self([r, g, b, alpha])
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Stroke {
    pub(crate) colour: Colour,
    pub(crate) width: f64,
    /// Length of the dashes and of the gaps; 0 for a solid line.
    pub(crate) dash: f64,
}

impl Stroke {
    pub(crate) const fn solid(colour: Colour, width: f64) -> Self {
        Self { colour, width, dash: 0.0 }
    }

    pub(crate) const fn dashed(colour: Colour, width: f64, dash: f64) -> Self {
        Self { colour, width, dash }
    }
}

/// The point of a text that its position refers to. Vertically it is always the middle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    Left,
    Middle,
    Right,
}

impl Anchor {
    /// The left end of a text of a width at the position `x`.
    pub(crate) fn left(self, x: f64, width: f64) -> f64 {
        match self {
            Self::Left => x,
            Self::Middle => x - width / 2.0,
            Self::Right => x - width,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextSize {
    Small,
    Title,
}

/// An image: rows from top to bottom, three bytes per pixel.
#[derive(Debug, Clone)]
pub(crate) struct Raster {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) rgb: Vec<u8>,
}

#[derive(Debug, Clone)]
pub(crate) enum Item {
    /// An image stretched to `size`.
    Image {
        at: DVec2,
        size: DVec2,
        raster: Raster,
    },
    /// Polylines.
    Lines {
        lines: Vec<Vec<DVec2>>,
        stroke: Stroke,
    },
    /// Filled polygons.
    Areas {
        areas: Vec<Vec<DVec2>>,
        fill: Colour,
    },
    /// A rectangle with round ends: a circle if square, otherwise a capsule.
    Pill {
        center: DVec2,
        size: DVec2,
        fill: Colour,
        stroke: Stroke,
    },
    Rect {
        rect: Rect,
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
pub(crate) struct Canvas {
    pub(crate) size: DVec2,
    pub(crate) items: Vec<Item>,
    font: Font,
}

impl Canvas {
    pub(crate) fn new(font: Font) -> Self {
        Self { size: DVec2::ZERO, items: Vec::new(), font }
    }

    /// The text as drawn, with undrawable characters escaped; [`width_of`] measures it.
    pub(crate) fn drawable(&self, text: &str) -> String {
        self.font.drawable(text)
    }

    pub(crate) fn line(&mut self, points: Vec<DVec2>, stroke: Stroke) {
        self.lines(vec![points], stroke);
    }

    pub(crate) fn lines(&mut self, lines: Vec<Vec<DVec2>>, stroke: Stroke) {
        if !lines.is_empty() {
            self.items.push(Item::Lines { lines, stroke });
        }
    }

    pub(crate) fn areas(&mut self, areas: Vec<Vec<DVec2>>, fill: Colour) {
        if !areas.is_empty() {
            self.items.push(Item::Areas { areas, fill });
        }
    }

    pub(crate) fn pill(&mut self, center: DVec2, size: DVec2, fill: Colour, stroke: Stroke) {
        self.items.push(Item::Pill { center, size, fill, stroke });
    }

    pub(crate) fn rect(&mut self, rect: Rect, fill: Colour, stroke: Stroke) {
        self.items.push(Item::Rect { rect, fill, stroke });
    }

    /// Small text to the right of a point.
    pub(crate) fn note(&mut self, at: DVec2, text: impl AsRef<str>, colour: Colour) {
        self.text(at, text, (Anchor::Left, TextSize::Small), colour);
    }

    pub(crate) fn text(
        &mut self,
        at: DVec2,
        text: impl AsRef<str>,
        (anchor, size): (Anchor, TextSize),
        colour: Colour,
    ) {
        let text = self.drawable(text.as_ref());
        self.items.push(Item::Text { at, text, anchor, size, colour });
    }

    /// An arrow from `from` to `to`.
    pub(crate) fn arrow(&mut self, from: DVec2, to: DVec2, stroke: Stroke) {
        let Some(along) = (to - from).try_normalize() else { return };
        let barb = |side: f64| to - (along + along.perp() * side) * (2.0 + 2.0 * stroke.width);
        self.lines(vec![vec![from, to], vec![barb(0.6), to, barb(-0.6)]], stroke);
    }
}

/// Width of a drawable text in pixels. The fonts are monospaced; wide characters take two columns.
pub(crate) fn width_of(text: &str, size: TextSize) -> f64 {
    columns(text) as f64 * advance(size)
}

/// Pixels per column: that of the bitmap font. SVG uses the font size with the same advance.
pub(crate) fn advance(size: TextSize) -> f64 {
    match size {
        TextSize::Small => 7.0,
        TextSize::Title => 11.0,
    }
}
