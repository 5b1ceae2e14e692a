//! A numbered list: lines of text in columns.

use crate::picture::canvas::font::wrapped;
use crate::picture::canvas::{Canvas, TextSize, advance, width_of};
use crate::picture::style::{FAINT, INK};
use glam::{DVec2, dvec2};

/// Height of a line of text, in pixels.
const LINE: f64 = 20.0;
/// Most items in the list.
pub(super) const MAX_ITEMS: usize = 40;
/// Smallest width of a column if the list has several, in pixels.
const MIN_COLUMN: f64 = 500.0;
/// Keeps a number and its unit on one line; replaced by a space after wrapping.
pub(super) const NO_BREAK: &str = "\u{a0}";

/// A list of texts, such as the legs of a walk.
pub(super) struct TextList {
    /// Lines, and whether they are the first of an item, which is darker.
    columns: Vec<Vec<(String, bool)>>,
    /// Width of a column in pixels.
    column_width: f64,
}

impl TextList {
    /// At most `width` pixels wide, in the number of columns that makes it lowest. `nouns` names
    /// the items that are left out.
    pub(super) fn new<T>(
        items: &[T],
        text: impl Fn(&T) -> String,
        nouns: &str,
        width: f64,
    ) -> Self {
        let texts: Vec<String> = items.iter().take(MAX_ITEMS).map(text).collect();
        let more = items.len().saturating_sub(MAX_ITEMS);
        let more = (more > 0).then(|| format!("and {more} more {nouns}"));
        let most = if items.len() > 6 { 3 } else { 1 };
        let mut best = Self::in_columns(&texts, more.as_ref(), width, 1);
        for columns in 2..=most {
            let other = Self::in_columns(&texts, more.as_ref(), width, columns);
            if other.column_width >= MIN_COLUMN && other.rows() < best.rows() {
                best = other;
            }
        }
        best
    }

    fn in_columns(texts: &[String], more: Option<&String>, width: f64, columns: u32) -> Self {
        let column_width = width / f64::from(columns);
        let text_width = (column_width / advance(TextSize::Small)) as usize;
        let lines = |text: &String| {
            // Leaves room for the indent of the lines after the first.
            let lines = wrapped(text, text_width.saturating_sub(6).max(10));
            let lines = lines.into_iter().enumerate();
            lines.map(|(i, line)| (line.replace(NO_BREAK, " "), i == 0)).collect::<Vec<_>>()
        };
        let rows = texts.len().div_ceil(columns as usize).max(1);
        let mut columns: Vec<Vec<(String, bool)>> =
            texts.chunks(rows).map(|texts| texts.iter().flat_map(lines).collect()).collect();
        if let (Some(last), Some(more)) = (columns.last_mut(), more) {
            last.push((more.clone(), false));
        }
        Self { columns, column_width }
    }

    fn rows(&self) -> usize {
        self.columns.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Size in pixels.
    pub(super) fn size(&self) -> DVec2 {
        let rows = self.rows();
        let last = self.columns.last().into_iter().flatten();
        let text = last.map(|(line, first)| indent(*first) + width_of(line, TextSize::Small));
        let before = self.column_width * self.columns.len().saturating_sub(1) as f64;
        dvec2(before + text.fold(0.0, f64::max), rows as f64 * LINE)
    }

    /// Draws the list. Returns the y of its end.
    pub(super) fn draw(&self, canvas: &mut Canvas, corner: DVec2) -> f64 {
        for (lines, number) in self.columns.iter().zip(0u32..) {
            let mut at = corner + dvec2(self.column_width * f64::from(number), LINE / 2.0);
            for (line, first) in lines {
                let colour = if *first { INK } else { FAINT };
                canvas.note(at + dvec2(indent(*first), 0.0), line, colour);
                at.y += LINE;
            }
        }
        corner.y + self.size().y
    }
}

fn indent(first: bool) -> f64 {
    if first { 0.0 } else { 4.0 * advance(TextSize::Small) }
}
