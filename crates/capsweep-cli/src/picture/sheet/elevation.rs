//! The elevation: the walk seen from the side, unrolled, with a section of the level along it.
//! Metres along the walk point right, heights point up.

use super::labels::{badge_size, spread_in_row};
use super::legend::Entry;
use super::thinned;
use crate::output::rounded;
use crate::picture::Picture;
use crate::picture::canvas::font::wrapped;
use crate::picture::canvas::{Anchor, Canvas, Rect, Stroke, TextSize, advance, width_of};
use crate::picture::extract::marks::{ContactMark, Event};
use crate::picture::extract::path::{PathPoint, mode_runs};
use crate::picture::extract::section::{Cut, Limits, SurfaceKind, section};
use crate::picture::style::{self, FAINT, INK, PAPER, STEEP, WALKABLE, WALL};
use anyhow::Result;
use glam::{DVec2, DVec3, dvec2};

/// Range of the panel's height in pixels. The vertical scale adapts to stay within it.
const MIN_HEIGHT: f64 = 180.0;
const MAX_HEIGHT: f64 = 460.0;
/// Largest ratio of the vertical to the horizontal scale.
const MAX_STRETCH: f64 = 4.0;
/// Largest horizontal scale, in pixels per metre.
const MAX_SCALE: f64 = 200.0;
/// Height of the band under a floor, in pixels.
const BAND: f64 = 9.0;
/// The header over the section, in pixels: the middle of the leg names, the middle of the leg
/// numbers, and its height.
const NAMES: f64 = 8.0;
const NUMBERS: f64 = 28.0;
const HEADER: f64 = 46.0;
/// Height of a line of text under the section, in pixels.
const LINE: f64 = 18.0;
/// Metres shown below the lowest point of the walk.
const BELOW: f64 = 0.4;
/// Heights of the character shown above the highest point of the walk.
const ABOVE: f64 = 1.3;

/// The projection from metres along the walk and heights to pixels.
pub(super) struct Profile {
    pub(super) panel: Rect,
    /// The height at the lower border.
    pub(super) low: f64,
    /// Pixels before the start: half of the character.
    pub(super) pad: f64,
    pub(super) scale: DVec2,
}

impl Profile {
    pub(super) fn at(&self, along: f64, height: f64) -> DVec2 {
        let origin = dvec2(self.panel.low.x + self.pad, self.panel.high.y);
        origin + dvec2(along, self.low - height) * self.scale
    }
}

/// The elevation of a walk, before it has a position on the sheet.
pub(super) struct Elevation<'a> {
    picture: &'a Picture<'a>,
    points: &'a [PathPoint],
    low: f64,
    high: f64,
    length: f64,
}

impl<'a> Elevation<'a> {
    pub(super) fn new(picture: &'a Picture, points: &'a [PathPoint]) -> Self {
        let heights = || points.iter().map(|point| point.feet.z);
        let tall = f64::from(picture.controller.config().total_height);
        let low = heights().fold(f64::INFINITY, f64::min) - BELOW;
        let high = heights().fold(f64::NEG_INFINITY, f64::max) + ABOVE * tall;
        let length = points.last().map_or(0.0, |point| point.along).max(1.0);
        Self { picture, points, low, high, length }
    }

    /// Pixels per metre along the walk and up, for a panel of a width.
    fn scale(&self, width: f64) -> DVec2 {
        let across = (width / (self.length + 2.0 * self.radius())).min(MAX_SCALE);
        let high = self.high - self.low;
        dvec2(
            across,
            across.max(MIN_HEIGHT / high).min(MAX_STRETCH * across).min(MAX_HEIGHT / high),
        )
    }

    fn radius(&self) -> f64 {
        f64::from(self.picture.controller.config().radius)
    }

    fn panel_size(&self, width: f64) -> DVec2 {
        dvec2(self.length + 2.0 * self.radius(), self.high - self.low) * self.scale(width)
    }

    /// Size with the header and the text under the section.
    pub(super) fn size(&self, width: f64) -> DVec2 {
        let lines = self.caption(width).len() as f64;
        self.panel_size(width) + dvec2(0.0, HEADER + 6.0 + LINE * lines)
    }

    /// Draws the elevation at `corner`, at most `width` pixels wide. Returns the legend entries
    /// that it uses.
    pub(super) fn draw(
        &self,
        canvas: &mut Canvas,
        (marks, events): (&[ContactMark], &[Event]),
        corner: DVec2,
        width: f64,
    ) -> Result<Vec<Entry>> {
        let Self { picture, points, low, high, .. } = *self;
        let scale = self.scale(width);
        let top = corner + dvec2(0.0, HEADER);
        let panel = Rect { low: top, high: top + self.panel_size(width) };
        let profile = Profile { panel, low, pad: self.radius() * scale.x, scale };

        let slope_cos = f64::from(picture.controller.config().slope_limit.cos());
        let limits = Limits { heights: [low, high], slope_cos };
        let cuts = section(&picture.level.scene, picture.ticks, points, &limits)?;
        let entries = draw_cuts(canvas, &profile, &cuts);
        canvas.rect(panel, PAPER.faded(0), style::BORDER);
        draw_legs(canvas, picture, &profile, points);
        for event in events {
            let along = point_at(points, event.tick, event.feet).along;
            let foot = profile.at(along, event.feet.z);
            let size = (dvec2(2.0 * self.radius(), event.height) * scale).max(dvec2(4.0, 8.0));
            let colour = style::event(event.kind);
            let middle = foot - dvec2(0.0, size.y / 2.0);
            canvas.pill(middle, size, colour.faded(45), Stroke::solid(colour, 1.4));
        }
        for (mode, run) in mode_runs(points) {
            let line = run.iter().map(|point| profile.at(point.along, point.feet.z));
            let line = thinned(line, 1.0);
            canvas.line(line, Stroke::solid(style::mode(mode), 2.2));
        }
        for mark in marks {
            draw_mark(canvas, &profile, points, mark);
        }
        for (line, number) in self.caption(width).into_iter().zip(0u32..) {
            let down = 6.0 + LINE * (f64::from(number) + 0.5);
            canvas.note(dvec2(panel.low.x, panel.high.y + down), line, FAINT);
        }
        Ok(entries)
    }

    /// The text under the section, in lines of at most `width` pixels.
    fn caption(&self, width: f64) -> Vec<String> {
        let scale = self.scale(width);
        let stretch = scale.y / scale.x;
        let stretched = if (stretch - 1.0).abs() < 0.05 {
            String::new()
        } else {
            format!(", heights ×{}", rounded(stretch, 1))
        };
        let end = |point: Option<&PathPoint>| {
            point.map_or_else(String::new, |point| {
                point.feet.to_array().map(|x| rounded(x, 2)).join(", ")
            })
        };
        let tall = f64::from(self.picture.controller.config().total_height);
        let unit = self.picture.area.unit.symbol();
        let text = format!(
            "along the walk: {} {unit}{stretched}; heights {} {unit} to {} {unit}; from {} to {}",
            rounded(self.length, 1),
            rounded(self.low + BELOW, 1),
            rounded(self.high - ABOVE * tall, 1),
            end(self.points.first()),
            end(self.points.last()),
        );
        wrapped(&text, (width / advance(TextSize::Small)) as usize)
    }
}

/// The point of the path at an event after the move `tick`, with the feet there.
fn point_at(points: &[PathPoint], tick: usize, feet: DVec3) -> &PathPoint {
    // The event `start` has the tick 0 too, but belongs to the point before the first move.
    let after = &points[(tick + 1).min(points.len() - 1)];
    if points[0].feet == feet { &points[0] } else { after }
}

/// Draws the section. Returns the legend entries of its surfaces.
pub(super) fn draw_cuts(canvas: &mut Canvas, profile: &Profile, cuts: &[Cut]) -> Vec<Entry> {
    let lines = |kind: SurfaceKind| -> Vec<[DVec2; 2]> {
        let of_kind = cuts.iter().filter(|cut| cut.kind == kind);
        let drawn = of_kind.map(|cut| cut.ends.map(|end| profile.at(end.x, end.y)));
        drawn.filter_map(|line| profile.panel.clip(line)).collect()
    };
    let kinds = [
        (SurfaceKind::Walkable, WALKABLE),
        (SurfaceKind::Steep, STEEP),
        (SurfaceKind::Other, WALL),
    ];
    let mut entries = Vec::new();
    for (kind, colour) in kinds {
        let lines = lines(kind);
        if lines.is_empty() {
            continue;
        }
        entries.push(Entry::Surface(kind));
        if kind != SurfaceKind::Other {
            let under = |[a, b]: &[DVec2; 2]| {
                let down = |p: DVec2| dvec2(p.x, (p.y + BAND).min(profile.panel.high.y));
                vec![*a, *b, down(*b), down(*a)]
            };
            canvas.areas(lines.iter().map(under).collect(), colour.faded(60));
        }
        canvas.lines(joined(lines), Stroke::solid(colour, 1.4));
    }
    entries
}

/// Joins lines that begin at the end of another into polylines.
fn joined(lines: Vec<[DVec2; 2]>) -> Vec<Vec<DVec2>> {
    let mut joined: Vec<Vec<DVec2>> = Vec::new();
    for [a, b] in lines {
        let near = |end: Option<&DVec2>| end.is_some_and(|end| end.distance(a) < 0.3);
        let open = joined.iter_mut().rev().take(40).find(|line| near(line.last()));
        match open {
            Some(line) => {
                // A point on a straight line is not needed.
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

/// Draws the ends of legs, their numbers, and their names if there is room.
fn draw_legs(canvas: &mut Canvas, picture: &Picture, profile: &Profile, points: &[PathPoint]) {
    let panel = &profile.panel;
    let (mut numbers, mut wanted, mut widths) = (Vec::new(), Vec::new(), Vec::new());
    for leg in points[1..].chunk_by(|a, b| a.leg == b.leg) {
        let number = leg[0].leg;
        let [from, to] =
            [leg[0].along, leg[leg.len() - 1].along].map(|along| profile.at(along, 0.0).x);
        canvas.line(
            vec![dvec2(to, panel.low.y), dvec2(to, panel.high.y)],
            Stroke::dashed(FAINT.faded(110), 1.0, 3.0),
        );
        let middle = f64::midpoint(from, to);
        let name = picture.reports.get(number).map_or("", |report| &report.asked_for.name);
        let name = canvas.drawable(name);
        if width_of(&name, TextSize::Small) < to - from - 4.0 {
            let at = dvec2(middle, panel.low.y - HEADER + NAMES);
            canvas.text(at, name, (Anchor::Middle, TextSize::Small), INK);
        }
        let text = (number + 1).to_string();
        widths.push(badge_size(width_of(&text, TextSize::Small)).x);
        wanted.push(middle);
        numbers.push(text);
    }
    let row = panel.low.y - HEADER + NUMBERS;
    for (leg, x) in spread_in_row(&wanted, &widths, [panel.low.x, panel.high.x]) {
        let (at, size) = (dvec2(x, row), dvec2(widths[leg], 18.0));
        if (x - wanted[leg]).abs() > size.x / 2.0 {
            let foot = dvec2(wanted[leg], panel.low.y);
            let line = vec![foot, dvec2(x, row + size.y / 2.0)];
            canvas.line(line, Stroke::solid(INK.faded(140), 1.0));
        }
        canvas.pill(at, size, INK, Stroke::solid(PAPER, 1.0));
        canvas.text(at, &numbers[leg], (Anchor::Middle, TextSize::Small), PAPER);
    }
}

fn draw_mark(canvas: &mut Canvas, profile: &Profile, points: &[PathPoint], mark: &ContactMark) {
    let tick = mark.tick.min(points.len() - 2);
    let (before, after) = (&points[tick], &points[tick + 1]);
    // The direction of the walk there, over a few moves: a single one may be too short.
    let (from, to) = (&points[tick.saturating_sub(6)], &points[(tick + 6).min(points.len() - 1)]);
    let along = (to.feet - from.feet).with_z(0.0).normalize_or_zero();
    let ahead = (mark.point - before.feet).dot(along);
    let at = profile.at(after.along + ahead, mark.point.z);
    let colour = style::contact(mark.kind);
    if !profile.panel.contains(at) {
        return;
    }
    canvas.pill(at, DVec2::splat(4.5), colour, Stroke::solid(PAPER, 0.7));
    let normal = mark.normal.as_dvec3();
    let in_view = dvec2(normal.dot(along), -normal.z);
    if in_view.length() > 0.3 {
        canvas.arrow(at, at + in_view * 18.0, Stroke::solid(colour, 1.3));
    }
}
