//! The walk from the side, unrolled: metres along it to the right, heights up, the level cut open on the way.

use super::Picture;
use super::canvas::{Anchor, Canvas, Panel, Stroke, TextSize, width_of};
use super::labels::Labels;
use super::marks::{Event, Mark};
use super::path::{Place, stretches};
use super::plan::thin;
use super::section::{Cut, Kind, Limits, section};
use super::style::{self, FAINT, INK, PAPER, STEEP, WALKABLE, WALL};
use crate::walk::table::rounded;
use anyhow::Result;
use glam::{DVec2, DVec3, dvec2};

/// Pixels that it is high: less than the lower one makes heights count more, and more than the upper one less.
const LEAST: f64 = 180.0;
const MOST: f64 = 460.0;
/// How much more heights may count than lengths.
const STRETCH: f64 = 4.0;
/// Pixels of the band under a floor.
const BAND: f64 = 9.0;

/// From metres along the walk and heights to pixels.
struct Profile {
    panel: Panel,
    low: f64,
    scale: DVec2,
}

impl Profile {
    fn at(&self, along: f64, height: f64) -> DVec2 {
        dvec2(self.panel.low.x, self.panel.high.y) + dvec2(along, self.low - height) * self.scale
    }
}

pub(super) fn elevation(
    canvas: &mut Canvas,
    picture: &Picture,
    places: &[Place],
    (marks, events): (&[Mark], &[Event]),
    corner: DVec2,
) -> Result<f64> {
    let config = picture.controller.config();
    let heights = || places.iter().map(|place| place.feet.z);
    let tall = f64::from(config.total_height);
    let low = heights().fold(f64::INFINITY, f64::min) - 0.4;
    let high = heights().fold(f64::NEG_INFINITY, f64::max) + 1.6 * tall;
    let length = places.last().map_or(0.0, |place| place.along).max(1.0);
    let across = (super::WIDE / length).min(90.0);
    let up = (across.max(LEAST / (high - low))).min(STRETCH * across).min(MOST / (high - low));
    let scale = dvec2(across, up);
    let panel = Panel { low: corner, high: corner + dvec2(length, high - low) * scale };
    let profile = Profile { panel, low, scale };

    let limits = Limits { heights: [low, high], slope: f64::from(config.slope_limit_cos) };
    let cuts = section(&picture.level.scene, picture.ticks, places, &limits)?;
    draw_cuts(canvas, &profile, &cuts);
    canvas.frame(panel, PAPER.faded(0), style::BORDER);
    draw_legs(canvas, picture, &profile, places);
    let radius = f64::from(config.radius);
    for event in events {
        let along = place_of(places, event.tick, event.feet).along;
        let foot = profile.at(along, event.feet.z);
        let size = (dvec2(2.0 * radius, event.height) * scale).max(dvec2(4.0, 8.0));
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
    let bottom = panel.high.y + 16.0;
    let stretch = up / across;
    let heights = if (stretch - 1.0).abs() < 0.05 {
        String::new()
    } else {
        format!(", heights ×{}", rounded(stretch, 1))
    };
    let end = |place: Option<&Place>| {
        place.map_or_else(String::new, |place| {
            place.feet.to_array().map(|x| rounded(x, 2)).join(", ")
        })
    };
    let text = format!(
        "along the walk: {} m{heights}; heights {} m to {} m; from {} to {}",
        rounded(length, 1),
        rounded(low + 0.4, 1),
        rounded(high - 1.6 * tall, 1),
        end(places.first()),
        end(places.last()),
    );
    canvas.note(dvec2(panel.low.x, bottom), text, FAINT);
    Ok(bottom + 14.0)
}

/// The place that an event or a contact belongs to.
fn place_of(places: &[Place], tick: usize, feet: DVec3) -> &Place {
    // Before the first move there is no other place than the start.
    let after = &places[(tick + 1).min(places.len() - 1)];
    if places[0].feet == feet { &places[0] } else { after }
}

fn draw_cuts(canvas: &mut Canvas, profile: &Profile, cuts: &[Cut]) {
    let lines = |kind: Kind| -> Vec<[DVec2; 2]> {
        let of_kind = cuts.iter().filter(|cut| cut.kind == kind);
        let drawn = of_kind.map(|cut| cut.ends.map(|end| profile.at(end.x, end.y)));
        drawn.filter_map(|line| profile.panel.clip(line)).collect()
    };
    let kinds = [(Kind::Walkable, WALKABLE), (Kind::Steep, STEEP), (Kind::Other, WALL)];
    for (kind, colour) in kinds {
        let lines = lines(kind);
        if kind != Kind::Other {
            let under = |[a, b]: &[DVec2; 2]| {
                let down = |p: DVec2| dvec2(p.x, (p.y + BAND).min(profile.panel.high.y));
                vec![*a, *b, down(*b), down(*a)]
            };
            canvas.areas(lines.iter().map(under).collect(), colour.faded(60));
        }
        canvas.lines(joined(lines), Stroke::solid(colour, 1.4));
    }
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

/// Where legs begin, with their numbers, and their names where there is room.
fn draw_legs(canvas: &mut Canvas, picture: &Picture, profile: &Profile, places: &[Place]) {
    let panel = &profile.panel;
    let mut labels = Labels::default();
    for leg in places[1..].chunk_by(|a, b| a.leg == b.leg) {
        let number = leg[0].leg;
        let (from, to) = (leg[0].along, leg[leg.len() - 1].along);
        let x = profile.at(to, 0.0).x;
        canvas.line(
            vec![dvec2(x, panel.low.y), dvec2(x, panel.high.y)],
            Stroke::dashed(FAINT.faded(110), 1.0, 3.0),
        );
        let middle = dvec2(profile.at(f64::midpoint(from, to), 0.0).x, panel.low.y + 2.0);
        labels.number(canvas, middle, number + 1, INK);
        let name = picture.reports.get(number).map_or("", |report| &report.asked_for.name);
        if width_of(name, TextSize::Small) < (to - from) * profile.scale.x - 4.0 {
            canvas.text(
                middle + dvec2(0.0, 40.0 - 2.0),
                name,
                (Anchor::Middle, TextSize::Small),
                INK,
            );
        }
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
