//! What the signs mean, and what each leg was.

use super::Picture;
use super::canvas::{Canvas, Colour, Stroke, TextSize, advance, width_of};
use super::marks::{Event, Happening, Mark, Touch};
use super::path::{Mode, Place, stretches};
use super::section::Kind;
use super::spelling::wrapped;
use super::style::{self, FAINT, INK, PAPER, SOLID, STEEP, WALKABLE, WALL};
use crate::walk::report::LegReport;
use crate::walk::table::{flags, rounded};
use glam::{DVec2, dvec2};

const LINE: f64 = 20.0;
/// Legs that are listed; more would not be read.
const MOST_LEGS: usize = 40;
/// Pixels of a column of the list, at least, where there are several.
const COLUMN: f64 = 500.0;
/// Keeps a number and its unit on one line until the lines are made.
const NO_BREAK: &str = "\u{a0}";

#[derive(Clone, Copy)]
enum Sign {
    Line(Colour),
    Dot(Colour),
    Capsule(Colour),
    Patch(Colour),
    Dashed,
}

/// Something in a picture that needs an explanation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Entry {
    Mode(Mode),
    Happening(Happening),
    Touch(Touch),
    Solid,
    Cut(Kind),
    Overhead,
}

/// In the order of the legend. Taking off has the sign of landing.
const ENTRIES: [Entry; 16] = [
    Entry::Mode(Mode::Walking),
    Entry::Mode(Mode::InTheAir),
    Entry::Mode(Mode::Carried),
    Entry::Happening(Happening::Start),
    Entry::Happening(Happening::LegEnd),
    Entry::Happening(Happening::Blocked),
    Entry::Happening(Happening::Landing),
    Entry::Touch(Touch::Wall),
    Entry::Touch(Touch::Step),
    Entry::Touch(Touch::Ceiling),
    Entry::Touch(Touch::Landing),
    Entry::Cut(Kind::Walkable),
    Entry::Cut(Kind::Steep),
    Entry::Cut(Kind::Other),
    Entry::Solid,
    Entry::Overhead,
];

impl Entry {
    fn sign(self) -> (Sign, &'static str) {
        match self {
            Self::Mode(mode) => {
                let text = match mode {
                    Mode::Walking => "walking",
                    Mode::InTheAir => "in the air",
                    Mode::Carried => "carried",
                };
                (Sign::Line(mode.colour()), text)
            }
            Self::Happening(happening) => {
                let text = match happening {
                    Happening::Start => "start",
                    Happening::LegEnd => "end of a leg",
                    Happening::Blocked => "blocked",
                    Happening::TakeOff | Happening::Landing => "fell, landed",
                };
                (Sign::Capsule(style::happening(happening)), text)
            }
            Self::Touch(touch) => {
                let text = match touch {
                    Touch::Wall => "wall and its normal",
                    Touch::Step => "step",
                    Touch::Ceiling => "ceiling",
                    Touch::Landing => "landing",
                };
                (Sign::Dot(style::touch(touch)), text)
            }
            Self::Solid => (Sign::Patch(SOLID), "solid at breast height"),
            Self::Cut(Kind::Walkable) => (Sign::Patch(WALKABLE.faded(90)), "walkable"),
            Self::Cut(Kind::Steep) => (Sign::Patch(STEEP.faded(90)), "too steep"),
            Self::Cut(Kind::Other) => (Sign::Line(WALL), "wall, underside"),
            Self::Overhead => (Sign::Dashed, "overhead"),
        }
    }
}

/// What occurs in a walk, wherever it is drawn.
pub(super) fn occurring(places: &[Place], marks: &[Mark], events: &[Event]) -> Vec<Entry> {
    let modes = stretches(places).into_iter().map(|(mode, _)| Entry::Mode(mode));
    let happenings = events.iter().map(|event| match event.happening {
        Happening::TakeOff => Entry::Happening(Happening::Landing),
        other => Entry::Happening(other),
    });
    modes.chain(happenings).chain(marks.iter().map(|mark| Entry::Touch(mark.touch))).collect()
}

/// The size of the signs of some entries, in rows of at most `width`.
pub(super) fn signs_size(entries: &[Entry], width: f64) -> DVec2 {
    let places = sign_places(entries, width);
    let ends = places.iter().map(|(entry, at)| *at + dvec2(sign_width(*entry), LINE / 2.0));
    ends.fold(DVec2::ZERO, DVec2::max)
}

/// Draws the signs of some entries, each once, in the order of the legend; the height where they end.
pub(super) fn signs(canvas: &mut Canvas, entries: &[Entry], corner: DVec2, width: f64) -> f64 {
    for (entry, at) in sign_places(entries, width) {
        let (sign, text) = entry.sign();
        draw(canvas, sign, corner + at + dvec2(12.0, 0.0));
        canvas.note(corner + at + dvec2(30.0, 0.0), text, INK);
    }
    corner.y + signs_size(entries, width).y
}

/// Where each sign is, from the corner of all.
fn sign_places(entries: &[Entry], width: f64) -> Vec<(Entry, DVec2)> {
    let mut at = dvec2(0.0, LINE / 2.0);
    let mut places = Vec::new();
    for entry in ENTRIES.into_iter().filter(|entry| entries.contains(entry)) {
        if at.x > 0.0 && at.x + sign_width(entry) > width {
            at = dvec2(0.0, at.y + LINE);
        }
        places.push((entry, at));
        at.x += sign_width(entry);
    }
    places
}

fn sign_width(entry: Entry) -> f64 {
    30.0 + width_of(entry.sign().1, TextSize::Small) + 22.0
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

/// Lines of text in columns: what each leg was.
pub(super) struct List {
    /// The first line of each leg is darker.
    columns: Vec<Vec<(String, bool)>>,
    /// Pixels of a column.
    column: f64,
}

impl List {
    /// At most `width` pixels wide, in as many columns as make it lowest.
    pub(super) fn new(canvas: &Canvas, picture: &Picture, width: f64) -> Self {
        let most = if picture.reports.len() > 6 { 3 } else { 1 };
        let mut best = Self::in_columns(canvas, picture, width, 1);
        for columns in 2..=most {
            let other = Self::in_columns(canvas, picture, width, columns);
            if other.column >= COLUMN && other.rows() < best.rows() {
                best = other;
            }
        }
        best
    }

    fn in_columns(canvas: &Canvas, picture: &Picture, width: f64, columns: u32) -> Self {
        let reports = &picture.reports[..picture.reports.len().min(MOST_LEGS)];
        let column = width / f64::from(columns);
        let letters = (column / advance(TextSize::Small)) as usize;
        let lines = |report: &LegReport| {
            // The lines after the first are indented.
            let lines = wrapped(&in_words(canvas, report), letters.saturating_sub(6).max(10));
            let lines = lines.into_iter().enumerate();
            lines.map(|(i, line)| (line.replace(NO_BREAK, " "), i == 0)).collect::<Vec<_>>()
        };
        let rows = reports.len().div_ceil(columns as usize).max(1);
        let mut columns: Vec<Vec<(String, bool)>> =
            reports.chunks(rows).map(|legs| legs.iter().flat_map(lines).collect()).collect();
        if let Some(last) = columns.last_mut().filter(|_| picture.reports.len() > MOST_LEGS) {
            let text = format!("and {} more legs", picture.reports.len() - MOST_LEGS);
            last.push((text, false));
        }
        Self { columns, column }
    }

    fn rows(&self) -> usize {
        self.columns.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Pixels that it takes.
    pub(super) fn size(&self) -> DVec2 {
        let rows = self.rows();
        let last = self.columns.last().into_iter().flatten();
        let text = last.map(|(line, first)| indent(*first) + width_of(line, TextSize::Small));
        let before = self.column * self.columns.len().saturating_sub(1) as f64;
        dvec2(before + text.fold(0.0, f64::max), rows as f64 * LINE)
    }

    pub(super) fn draw(&self, canvas: &mut Canvas, corner: DVec2) -> f64 {
        for (lines, number) in self.columns.iter().zip(0u32..) {
            let mut at = corner + dvec2(self.column * f64::from(number), LINE / 2.0);
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

/// Spelled; what belongs together is joined by [`NO_BREAK`].
fn in_words(canvas: &Canvas, report: &LegReport) -> String {
    let flags = flags(&report.flags).replace(", ", ",\n").replace(' ', NO_BREAK).replace('\n', " ");
    let ground = report.ground.as_ref().map_or("the air", |ground| &ground.name);
    format!(
        "{:>2}{NO_BREAK}{NO_BREAK}{}: {} of {}{NO_BREAK}m, ends on {}{}{flags}",
        report.leg,
        canvas.spelled(&report.asked_for.name),
        rounded(report.achieved, 1),
        rounded(report.asked, 1),
        canvas.spelled(ground),
        if flags.is_empty() { "" } else { "; " },
    )
}
