//! What the signs mean, and what each leg was.

use super::Picture;
use super::canvas::{Canvas, Colour, Stroke, TextSize, advance, width_of};
use super::marks::{Happening, Touch};
use super::path::Mode;
use super::style::{self, FAINT, INK, PAPER, SOLID, STEEP, WALKABLE};
use crate::walk::report::LegReport;
use crate::walk::table::{flags, rounded};
use glam::{DVec2, dvec2};

const LINE: f64 = 20.0;
/// Legs that are listed; more would not be read.
const MOST_LEGS: usize = 40;

#[derive(Clone, Copy)]
enum Sign {
    Line(Colour),
    Dot(Colour),
    Capsule(Colour),
    Patch(Colour),
    Dashed,
}

/// A row of signs; the height where it ends.
pub(super) fn signs(canvas: &mut Canvas, corner: DVec2) -> f64 {
    let signs = [
        (Sign::Line(Mode::Walking.colour()), "walking"),
        (Sign::Line(Mode::InTheAir.colour()), "in the air"),
        (Sign::Line(Mode::Carried.colour()), "carried"),
        (Sign::Capsule(style::happening(Happening::Start)), "start"),
        (Sign::Capsule(style::happening(Happening::LegEnd)), "end of a leg"),
        (Sign::Capsule(style::happening(Happening::Blocked)), "blocked"),
        (Sign::Capsule(style::happening(Happening::Landing)), "fell, landed"),
        (Sign::Dot(style::touch(Touch::Wall)), "wall and its normal"),
        (Sign::Dot(style::touch(Touch::Step)), "step"),
        (Sign::Dot(style::touch(Touch::Ceiling)), "ceiling"),
        (Sign::Dot(style::touch(Touch::Landing)), "landing"),
        (Sign::Patch(SOLID), "solid at breast height"),
        (Sign::Patch(WALKABLE.faded(90)), "walkable"),
        (Sign::Patch(STEEP.faded(90)), "too steep"),
        (Sign::Dashed, "overhead"),
    ];
    let mut at = corner + dvec2(0.0, LINE / 2.0);
    for (sign, text) in signs {
        let width = 30.0 + width_of(text, TextSize::Small) + 22.0;
        if at.x + width > corner.x + super::WIDE {
            at = dvec2(corner.x, at.y + LINE);
        }
        draw(canvas, sign, at + dvec2(12.0, 0.0));
        canvas.note(at + dvec2(30.0, 0.0), text, INK);
        at.x += width;
    }
    at.y + LINE
}

fn draw(canvas: &mut Canvas, sign: Sign, at: DVec2) {
    let ends = |half: f64| vec![at - dvec2(half, 0.0), at + dvec2(half, 0.0)];
    match sign {
        Sign::Line(colour) => canvas.line(ends(11.0), Stroke::solid(colour, 2.4)),
        Sign::Dashed => canvas.line(ends(11.0), style::OVERHEAD),
        Sign::Capsule(colour) => {
            canvas.pill(at, dvec2(8.0, 17.0), colour.faded(45), Stroke::solid(colour, 1.4));
        }
        Sign::Patch(colour) => {
            canvas.pill(at, dvec2(18.0, 11.0), colour, Stroke::solid(PAPER, 0.0));
        }
        Sign::Dot(colour) => {
            canvas.pill(at - dvec2(7.0, 0.0), DVec2::splat(4.5), colour, Stroke::solid(PAPER, 0.7));
            canvas.arrow(at - dvec2(7.0, 0.0), at + dvec2(10.0, 0.0), Stroke::solid(colour, 1.3));
        }
    }
}

/// Whether the legs can be listed in one column of that width.
pub(super) fn fits(picture: &Picture, width: f64) -> bool {
    picture.reports.len() <= MOST_LEGS && width >= 440.0
}

/// What each leg was, in columns from one corner to the other's right; the height where they end.
pub(super) fn legs(canvas: &mut Canvas, picture: &Picture, [corner, end]: [DVec2; 2]) -> f64 {
    let reports = &picture.reports[..picture.reports.len().min(MOST_LEGS)];
    let width = end.x - corner.x;
    let columns = if reports.len() > 6 && width > 1000.0 { 2 } else { 1 };
    let rows = reports.len().div_ceil(columns);
    let column = width / columns as f64;
    let letters = (column / advance(TextSize::Small)) as usize - 5;
    let mut bottom = corner.y;
    for (reports, number) in reports.chunks(rows.max(1)).zip(0u32..) {
        let mut at = corner + dvec2(column * f64::from(number), LINE / 2.0);
        for report in reports {
            for (i, line) in wrapped(&in_words(report), letters).into_iter().enumerate() {
                let indent = if i == 0 { 0.0 } else { 4.0 * advance(TextSize::Small) };
                canvas.note(at + dvec2(indent, 0.0), line, if i == 0 { INK } else { FAINT });
                at.y += LINE;
            }
        }
        bottom = bottom.max(at.y - LINE / 2.0);
    }
    if picture.reports.len() > MOST_LEGS {
        let text = format!("and {} more legs", picture.reports.len() - MOST_LEGS);
        canvas.note(dvec2(corner.x, bottom + LINE / 2.0), text, FAINT);
        bottom += LINE;
    }
    bottom
}

fn in_words(report: &LegReport) -> String {
    let flags = flags(&report.flags);
    let ground = report.ground.as_ref().map_or("the air", |ground| &ground.name);
    format!(
        "{:>2}  {}: {} of {} m, ends on {ground}{}{flags}",
        report.leg,
        report.asked_for.name,
        rounded(report.achieved, 1),
        rounded(report.asked, 1),
        if flags.is_empty() { "" } else { "; " },
    )
}

/// Lines of at most `letters` letters; a word that is longer is cut.
fn wrapped(text: &str, letters: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let length = |text: &str| text.chars().count();
    for word in text.split(' ') {
        let word: String = word.chars().take(letters).collect();
        match lines.last_mut().filter(|line| length(line) + 1 + length(&word) <= letters) {
            Some(line) => {
                line.push(' ');
                line.push_str(&word);
            }
            None => lines.push(word),
        }
    }
    lines
}
