//! The legend, and the texts of the legs.

use super::list::{NO_BREAK, TextList};
use crate::output::rounded;
use crate::picture::Picture;
use crate::picture::canvas::{Canvas, Colour, Stroke, TextSize, width_of};
use crate::picture::extract::marks::{ContactKind, ContactMark, Event, EventKind};
use crate::picture::extract::path::{Mode, PathPoint, mode_runs};
use crate::picture::extract::section::SurfaceKind;
use crate::picture::style::{
    self, ALARM, FAINT, INK, PAPER, SOLID, STEEP, WALKABLE, WALKING, WALL,
};
use crate::walk::report::LegReport;
use crate::walk::table::flags;
use glam::{DVec2, dvec2};

/// Height of a line of text, in pixels.
const LINE: f64 = 20.0;

/// Diameter of the dot at the place where a claim fails, in pixels.
pub(super) const PLACE: f64 = 8.0;

/// The symbol of a legend entry.
#[derive(Clone, Copy)]
enum Symbol {
    Line(Colour),
    Dot(Colour),
    Capsule(Colour),
    Patch(Colour),
    Dashed(Stroke),
    /// A dot without a normal.
    Point(Colour),
}

/// An entry of the legend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Entry {
    Mode(Mode),
    Event(EventKind),
    Contact(ContactKind),
    Solid,
    Surface(SurfaceKind),
    Overhead,
    Claim(ClaimEntry),
}

/// An entry of the legend of claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ClaimEntry {
    Way,
    Accepted,
    Impossible,
    Undecided,
    Leap,
    Place,
}

/// All entries in the order of the legend. A take-off has the entry of a landing.
const ENTRIES: [Entry; 22] = [
    Entry::Mode(Mode::Walking),
    Entry::Mode(Mode::InTheAir),
    Entry::Mode(Mode::Carried),
    Entry::Event(EventKind::Start),
    Entry::Event(EventKind::LegEnd),
    Entry::Event(EventKind::Blocked),
    Entry::Event(EventKind::Landing),
    Entry::Contact(ContactKind::Wall),
    Entry::Contact(ContactKind::Step),
    Entry::Contact(ContactKind::Ceiling),
    Entry::Contact(ContactKind::Landing),
    Entry::Surface(SurfaceKind::Walkable),
    Entry::Surface(SurfaceKind::Steep),
    Entry::Surface(SurfaceKind::Other),
    Entry::Solid,
    Entry::Overhead,
    Entry::Claim(ClaimEntry::Way),
    Entry::Claim(ClaimEntry::Accepted),
    Entry::Claim(ClaimEntry::Impossible),
    Entry::Claim(ClaimEntry::Undecided),
    Entry::Claim(ClaimEntry::Leap),
    Entry::Claim(ClaimEntry::Place),
];

impl Entry {
    fn symbol(self) -> (Symbol, &'static str) {
        match self {
            Self::Mode(mode) => {
                let text = match mode {
                    Mode::Walking => "walking",
                    Mode::InTheAir => "in the air",
                    Mode::Carried => "carried",
                };
                (Symbol::Line(style::mode(mode)), text)
            }
            Self::Event(kind) => {
                let text = match kind {
                    EventKind::Start => "start",
                    EventKind::LegEnd => "end of a leg",
                    EventKind::Blocked => "blocked",
                    EventKind::TakeOff | EventKind::Landing => "fell, landed",
                };
                (Symbol::Capsule(style::event(kind)), text)
            }
            Self::Contact(kind) => {
                let text = match kind {
                    ContactKind::Wall => "wall and its normal",
                    ContactKind::Step => "step",
                    ContactKind::Ceiling => "ceiling",
                    ContactKind::Landing => "landing",
                };
                (Symbol::Dot(style::contact(kind)), text)
            }
            Self::Solid => (Symbol::Patch(SOLID), "solid at breast height"),
            Self::Surface(SurfaceKind::Walkable) => {
                (Symbol::Patch(WALKABLE.faded(90)), "walkable")
            }
            Self::Surface(SurfaceKind::Steep) => (Symbol::Patch(STEEP.faded(90)), "too steep"),
            Self::Surface(SurfaceKind::Other) => (Symbol::Line(WALL), "wall, underside"),
            Self::Overhead => (Symbol::Dashed(style::OVERHEAD), "overhead"),
            Self::Claim(entry) => match entry {
                ClaimEntry::Way => (Symbol::Line(WALKING), "way of a character"),
                ClaimEntry::Accepted => (Symbol::Capsule(WALKING), "last accepted"),
                ClaimEntry::Impossible => (Symbol::Capsule(ALARM), "impossible claim"),
                ClaimEntry::Undecided => (Symbol::Capsule(FAINT), "undecided claim"),
                ClaimEntry::Leap => (Symbol::Dashed(style::LEAP), "straight way to it"),
                ClaimEntry::Place => (Symbol::Point(ALARM), "where it fails"),
            },
        }
    }
}

/// The entries for the path, the contacts and the events of a walk.
pub(super) fn walk_entries(
    points: &[PathPoint],
    marks: &[ContactMark],
    events: &[Event],
) -> Vec<Entry> {
    let modes = mode_runs(points).into_iter().map(|(mode, _)| Entry::Mode(mode));
    let events = events.iter().map(|event| match event.kind {
        EventKind::TakeOff => Entry::Event(EventKind::Landing),
        other => Entry::Event(other),
    });
    modes.chain(events).chain(marks.iter().map(|mark| Entry::Contact(mark.kind))).collect()
}

/// The size of a legend in rows of at most `width` pixels.
pub(super) fn size(entries: &[Entry], width: f64) -> DVec2 {
    let positions = positions(entries, width);
    let ends = positions.iter().map(|(entry, at)| *at + dvec2(entry_width(*entry), LINE / 2.0));
    ends.fold(DVec2::ZERO, DVec2::max)
}

/// Draws each of the entries once, in the order of the legend.
pub(super) fn draw(canvas: &mut Canvas, entries: &[Entry], corner: DVec2, width: f64) {
    for (entry, at) in positions(entries, width) {
        let (symbol, text) = entry.symbol();
        draw_symbol(canvas, symbol, corner + at + dvec2(12.0, 0.0));
        canvas.note(corner + at + dvec2(30.0, 0.0), text, INK);
    }
}

/// The position of each entry relative to the corner of the legend.
fn positions(entries: &[Entry], width: f64) -> Vec<(Entry, DVec2)> {
    let mut at = dvec2(0.0, LINE / 2.0);
    let mut positions = Vec::new();
    for entry in ENTRIES.into_iter().filter(|entry| entries.contains(entry)) {
        if at.x > 0.0 && at.x + entry_width(entry) > width {
            at = dvec2(0.0, at.y + LINE);
        }
        positions.push((entry, at));
        at.x += entry_width(entry);
    }
    positions
}

fn entry_width(entry: Entry) -> f64 {
    30.0 + width_of(entry.symbol().1, TextSize::Small) + 22.0
}

fn draw_symbol(canvas: &mut Canvas, symbol: Symbol, at: DVec2) {
    let ends = |half: f64| vec![at - dvec2(half, 0.0), at + dvec2(half, 0.0)];
    match symbol {
        Symbol::Line(colour) => canvas.line(ends(11.0), Stroke::solid(colour, 2.4)),
        Symbol::Dashed(stroke) => canvas.line(ends(11.0), stroke),
        Symbol::Point(colour) => {
            canvas.pill(at, DVec2::splat(PLACE), colour, Stroke::solid(PAPER, 1.0));
        }
        Symbol::Capsule(colour) => {
            canvas.pill(at, dvec2(8.0, 17.0), colour.faded(45), Stroke::solid(colour, 1.4));
        }
        Symbol::Patch(colour) => {
            canvas.pill(at, dvec2(18.0, 11.0), colour, Stroke::solid(PAPER, 0.0));
        }
        Symbol::Dot(colour) => {
            canvas.pill(
                at - dvec2(7.0, 0.0),
                DVec2::splat(4.5),
                colour,
                Stroke::solid(PAPER, 0.7),
            );
            canvas.arrow(at - dvec2(7.0, 0.0), at + dvec2(10.0, 0.0), Stroke::solid(colour, 1.3));
        }
    }
}

/// The list of legs.
pub(super) fn legs(canvas: &Canvas, picture: &Picture, width: f64) -> TextList {
    let unit = picture.area.unit.symbol();
    let text = |report: &LegReport| leg_text(canvas, report, unit);
    TextList::new(picture.reports, text, "legs", width)
}

/// The text of a leg; [`NO_BREAK`] joins numbers and units.
fn leg_text(canvas: &Canvas, report: &LegReport, unit: &str) -> String {
    let flags =
        flags(&report.flags, unit).replace(", ", ",\n").replace(' ', NO_BREAK).replace('\n', " ");
    let ground = report.ground.as_ref().map_or("the air", |ground| &ground.name);
    format!(
        "{:>2}{NO_BREAK}{NO_BREAK}{}: {} of {}{NO_BREAK}{unit}, ends on {}{}{flags}",
        report.leg,
        canvas.drawable(&report.asked_for.name),
        rounded(report.achieved, 1),
        rounded(report.asked, 1),
        canvas.drawable(ground),
        if flags.is_empty() { "" } else { "; " },
    )
}
