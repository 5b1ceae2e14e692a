//! The walk from the side, unrolled: metres along it to the right, heights up, the level cut open on the way.

use super::Picture;
use super::canvas::{Anchor, Canvas, Panel, Stroke, TextSize, advance, width_of};
use super::labels::{in_a_row, number_size};
use super::legend::Entry;
use super::marks::{Event, Mark};
use super::path::{Place, stretches};
use super::plan::thin;
use super::section::{Cut, Kind, Limits, section};
use super::spelling::wrapped;
use super::style::{self, FAINT, INK, PAPER, STEEP, WALKABLE, WALL};
use crate::walk::table::rounded;
use anyhow::Result;
use glam::{DVec2, DVec3, dvec2};

/// Pixels that it is high: less than the lower one makes heights count more, and more than the upper one less.
const LEAST: f64 = 180.0;
const MOST: f64 = 460.0;
/// How much more heights may count than lengths.
const STRETCH: f64 = 4.0;
/// Pixels of a metre along the walk, at most.
const LARGEST_SCALE: f64 = 200.0;
/// Pixels of the band under a floor.
const BAND: f64 = 9.0;
/// Pixels over the section: the middles of names and numbers of legs, and all of it.
const NAMES: f64 = 8.0;
const NUMBERS: f64 = 28.0;
const HEAD: f64 = 46.0;
/// Pixels of a line under it.
const LINE: f64 = 18.0;

/// From metres along the walk and heights to pixels.
struct Profile {
    panel: Panel,
    low: f64,
    /// Pixels before the start: half of the walker.
    pad: f64,
    scale: DVec2,
}

impl Profile {
    fn at(&self, along: f64, height: f64) -> DVec2 {
        let origin = dvec2(self.panel.low.x + self.pad, self.panel.high.y);
        origin + dvec2(along, self.low - height) * self.scale
    }
}

/// The section of a walk, before it has a place.
pub(super) struct Elevation<'a> {
    picture: &'a Picture<'a>,
    places: &'a [Place],
    low: f64,
    high: f64,
    length: f64,
}

impl<'a> Elevation<'a> {
    pub(super) fn new(picture: &'a Picture, places: &'a [Place]) -> Self {
        let heights = || places.iter().map(|place| place.feet.z);
        let tall = f64::from(picture.controller.config().total_height);
        let low = heights().fold(f64::INFINITY, f64::min) - 0.4;
        let high = heights().fold(f64::NEG_INFINITY, f64::max) + 1.3 * tall;
        let length = places.last().map_or(0.0, |place| place.along).max(1.0);
        Self { picture, places, low, high, length }
    }

    /// Pixels of a metre along and up, in a panel of that width.
    fn scale(&self, width: f64) -> DVec2 {
        let across = (width / (self.length + 2.0 * self.radius())).min(LARGEST_SCALE);
        let high = self.high - self.low;
        dvec2(across, across.max(LEAST / high).min(STRETCH * across).min(MOST / high))
    }

    fn radius(&self) -> f64 {
        f64::from(self.picture.controller.config().radius)
    }

    fn panel_size(&self, width: f64) -> DVec2 {
        dvec2(self.length + 2.0 * self.radius(), self.high - self.low) * self.scale(width)
    }

    /// With what is written over and under it.
    pub(super) fn size(&self, width: f64) -> DVec2 {
        let lines = self.words(width).len() as f64;
        self.panel_size(width) + dvec2(0.0, HEAD + 6.0 + LINE * lines)
    }

    /// Draws it from `corner` on, at most `width` wide; what of the legend it shows.
    pub(super) fn draw(
        &self,
        canvas: &mut Canvas,
        (marks, events): (&[Mark], &[Event]),
        corner: DVec2,
        width: f64,
    ) -> Result<Vec<Entry>> {
        let Self { picture, places, low, high, .. } = *self;
        let scale = self.scale(width);
        let top = corner + dvec2(0.0, HEAD);
        let panel = Panel { low: top, high: top + self.panel_size(width) };
        let profile = Profile { panel, low, pad: self.radius() * scale.x, scale };

        let slope = f64::from(picture.controller.config().slope_limit.cos());
        let limits = Limits { heights: [low, high], slope };
        let cuts = section(&picture.level.scene, picture.ticks, places, &limits)?;
        let shown = draw_cuts(canvas, &profile, &cuts);
        canvas.frame(panel, PAPER.faded(0), style::BORDER);
        draw_legs(canvas, picture, &profile, places);
        for event in events {
            let along = place_of(places, event.tick, event.feet).along;
            let foot = profile.at(along, event.feet.z);
            let size = (dvec2(2.0 * self.radius(), event.height) * scale).max(dvec2(4.0, 8.0));
            let colour = style::happening(event.happening);
            let middle = foot - dvec2(0.0, size.y / 2.0);
            canvas.pill(middle, size, colour.faded(45), Stroke::solid(colour, 1.4));
        }
        for (mode, stretch) in stretches(places) {
            let line = thin(stretch.iter().map(|place| profile.at(place.along, place.feet.z)), 1.0);
            canvas.line(line, Stroke::solid(mode.colour(), 2.2));
        }
        for mark in marks {
            draw_mark(canvas, &profile, places, mark);
        }
        for (line, number) in self.words(width).into_iter().zip(0u32..) {
            let down = 6.0 + LINE * (f64::from(number) + 0.5);
            canvas.note(dvec2(panel.low.x, panel.high.y + down), line, FAINT);
        }
        Ok(shown)
    }

    /// What it shows, in lines of that width.
    fn words(&self, width: f64) -> Vec<String> {
        let scale = self.scale(width);
        let stretch = scale.y / scale.x;
        let stretched = if (stretch - 1.0).abs() < 0.05 {
            String::new()
        } else {
            format!(", heights ×{}", rounded(stretch, 1))
        };
        let end = |place: Option<&Place>| {
            place.map_or_else(String::new, |place| {
                place.feet.to_array().map(|x| rounded(x, 2)).join(", ")
            })
        };
        let tall = f64::from(self.picture.controller.config().total_height);
        let text = format!(
            "along the walk: {} m{stretched}; heights {} m to {} m; from {} to {}",
            rounded(self.length, 1),
            rounded(self.low + 0.4, 1),
            rounded(self.high - 1.3 * tall, 1),
            end(self.places.first()),
            end(self.places.last()),
        );
        wrapped(&text, (width / advance(TextSize::Small)) as usize)
    }
}

/// The place that an event or a contact belongs to.
fn place_of(places: &[Place], tick: usize, feet: DVec3) -> &Place {
    // Before the first move there is no other place than the start.
    let after = &places[(tick + 1).min(places.len() - 1)];
    if places[0].feet == feet { &places[0] } else { after }
}

/// Draws what was cut; the kinds that there are.
fn draw_cuts(canvas: &mut Canvas, profile: &Profile, cuts: &[Cut]) -> Vec<Entry> {
    let lines = |kind: Kind| -> Vec<[DVec2; 2]> {
        let of_kind = cuts.iter().filter(|cut| cut.kind == kind);
        let drawn = of_kind.map(|cut| cut.ends.map(|end| profile.at(end.x, end.y)));
        drawn.filter_map(|line| profile.panel.clip(line)).collect()
    };
    let kinds = [(Kind::Walkable, WALKABLE), (Kind::Steep, STEEP), (Kind::Other, WALL)];
    let mut shown = Vec::new();
    for (kind, colour) in kinds {
        let lines = lines(kind);
        if lines.is_empty() {
            continue;
        }
        shown.push(Entry::Cut(kind));
        if kind != Kind::Other {
            let under = |[a, b]: &[DVec2; 2]| {
                let down = |p: DVec2| dvec2(p.x, (p.y + BAND).min(profile.panel.high.y));
                vec![*a, *b, down(*b), down(*a)]
            };
            canvas.areas(lines.iter().map(under).collect(), colour.faded(60));
        }
        canvas.lines(joined(lines), Stroke::solid(colour, 1.4));
    }
    shown
}

/// Lines that go on where another ended become one.
fn joined(lines: Vec<[DVec2; 2]>) -> Vec<Vec<DVec2>> {
    let mut joined: Vec<Vec<DVec2>> = Vec::new();
    for [a, b] in lines {
        let near = |end: Option<&DVec2>| end.is_some_and(|end| end.distance(a) < 0.3);
        let open = joined.iter_mut().rev().take(40).find(|line| near(line.last()));
        match open {
            Some(line) => {
                // What goes straight on needs no point between.
                if let [.., before, last] = line[..]
                    && (last - before).perp_dot(b - before).abs() < 0.1 * (b - before).length()
                {
                    line.pop();
                }
                line.push(b);
            }
            None => joined.push(vec![a, b]),
        }
    }
    joined
}

/// Where legs end; over the section their numbers, and their names where there is room.
fn draw_legs(canvas: &mut Canvas, picture: &Picture, profile: &Profile, places: &[Place]) {
    let panel = &profile.panel;
    let (mut numbers, mut wishes, mut widths) = (Vec::new(), Vec::new(), Vec::new());
    for leg in places[1..].chunk_by(|a, b| a.leg == b.leg) {
        let number = leg[0].leg;
        let [from, to] =
            [leg[0].along, leg[leg.len() - 1].along].map(|along| profile.at(along, 0.0).x);
        canvas.line(
            vec![dvec2(to, panel.low.y), dvec2(to, panel.high.y)],
            Stroke::dashed(FAINT.faded(110), 1.0, 3.0),
        );
        let middle = f64::midpoint(from, to);
        let name = picture.reports.get(number).map_or("", |report| &report.asked_for.name);
        let name = canvas.spelled(name);
        if width_of(&name, TextSize::Small) < to - from - 4.0 {
            let at = dvec2(middle, panel.low.y - HEAD + NAMES);
            canvas.text(at, name, (Anchor::Middle, TextSize::Small), INK);
        }
        let text = (number + 1).to_string();
        widths.push(number_size(width_of(&text, TextSize::Small)).x);
        wishes.push(middle);
        numbers.push(text);
    }
    let row = panel.low.y - HEAD + NUMBERS;
    for (leg, x) in in_a_row(&wishes, &widths, [panel.low.x, panel.high.x]) {
        let (at, size) = (dvec2(x, row), dvec2(widths[leg], 18.0));
        if (x - wishes[leg]).abs() > size.x / 2.0 {
            let foot = dvec2(wishes[leg], panel.low.y);
            let line = vec![foot, dvec2(x, row + size.y / 2.0)];
            canvas.line(line, Stroke::solid(INK.faded(140), 1.0));
        }
        canvas.pill(at, size, INK, Stroke::solid(PAPER, 1.0));
        canvas.text(at, &numbers[leg], (Anchor::Middle, TextSize::Small), PAPER);
    }
}

fn draw_mark(canvas: &mut Canvas, profile: &Profile, places: &[Place], mark: &Mark) {
    let tick = mark.tick.min(places.len() - 2);
    let (before, after) = (&places[tick], &places[tick + 1]);
    // Which way is along, there: over a few moves, as one alone may lead nowhere.
    let (from, to) = (&places[tick.saturating_sub(6)], &places[(tick + 6).min(places.len() - 1)]);
    let along = (to.feet - from.feet).with_z(0.0).normalize_or_zero();
    let ahead = (mark.point - before.feet).dot(along);
    let at = profile.at(after.along + ahead, mark.point.z);
    let colour = style::touch(mark.touch);
    if !profile.panel.contains(at) {
        return;
    }
    canvas.pill(at, DVec2::splat(4.5), colour, Stroke::solid(PAPER, 0.7));
    let normal = mark.normal.as_dvec3();
    let seen = dvec2(normal.dot(along), -normal.z);
    if seen.length() > 0.3 {
        canvas.arrow(at, at + seen * 18.0, Stroke::solid(colour, 1.3));
    }
}
