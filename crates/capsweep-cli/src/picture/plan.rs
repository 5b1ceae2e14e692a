//! The walk from above.

use super::Picture;
use super::canvas::Colour;
use super::canvas::{Anchor, Canvas, Item, Panel, Stroke, TextSize, round_length, width_of};
use super::edges::edges;
use super::labels::{Cover, Drawn, Placer, circle, number_size};
use super::legend::Entry;
use super::marks::{Event, Happening, Mark};
use super::path::{Place, stretches};
use super::relief::{Cell, Relief, ground_colour};
use super::section::Kind;
use super::style::{self, EDGE, FAINT, INK, OVERHEAD, PAPER};
use crate::load::bounds;
use crate::walk::table::rounded;
use anyhow::Result;
use capsweep::Aabb;
use glam::{DVec2, DVec3, dvec2};

/// Pixels of a cell of the ground.
const CELL: f64 = 2.0;
/// Edges in a picture, at most: the longest.
const MOST_EDGES: usize = 8_000;
/// Cells along the longer side of a map that is only looked at to see what of it is empty.
const COARSE: f64 = 120.0;
/// Pixels of a line under the map, and of a map under which the scale and the colours share one.
const LINE: f64 = 24.0;
const ONE_LINE: f64 = 780.0;
/// Where along a leg its number may be, the best first.
const ALONG: [f64; 9] = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82];

/// From metres to pixels.
struct Map {
    panel: Panel,
    low: DVec2,
    high: DVec2,
    scale: f64,
}

impl Map {
    fn at(&self, point: DVec3) -> DVec2 {
        self.panel.low + dvec2(point.x - self.low.x, self.high.y - point.y) * self.scale
    }
}

/// What of the world the map shows: the walk and what is around it, as far as there is anything.
pub(super) fn region(picture: &Picture, places: &[Place]) -> Result<[DVec2; 2]> {
    let walked = places.iter().map(|place| place.feet.truncate());
    let (first, last) = walked.fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(low, high), feet| {
        (low.min(feet), high.max(feet))
    });
    let around = 3.0 + 0.15 * (last - first).max_element();
    // The walk with room for the walker is shown in any case.
    let room = 0.2 + 2.0 * f64::from(picture.controller.config().radius);
    let within = |[low, high]: [DVec2; 2]| [low.min(first - room), high.max(last + room)];
    let mut region = [first - around, last + around];
    if let Some(all) = bounds(&picture.level.scene) {
        let [low, high] = region;
        region = [low.max(all.min().truncate() - 0.5), high.min(all.max().truncate() + 0.5)];
    }
    let [low, high] = within(region);
    let cell = (high - low).max_element() / COARSE;
    let scene = &picture.level.scene;
    let relief = Relief::new(scene, picture.controller, places, [low, high], cell)?;
    let margin = 0.4 + cell;
    Ok(match relief.used() {
        Some([from, to]) => within([low.max(from - margin), high.min(to + margin)]),
        None => [low, high],
    })
}

/// Pixels under a map of that width.
pub(super) fn under(width: f64) -> f64 {
    if width < ONE_LINE { 8.0 + 2.0 * LINE } else { 8.0 + LINE }
}

/// Draws a region as a map; what of the legend it shows.
pub(super) fn plan(
    canvas: &mut Canvas,
    picture: &Picture,
    places: &[Place],
    (marks, events): (&[Mark], &[Event]),
    ([low, high], panel): ([DVec2; 2], Panel),
) -> Result<Vec<Entry>> {
    let scale = panel.size().x / (high.x - low.x);
    let map = Map { panel, low, high, scale };
    let scene = &picture.level.scene;
    let relief = Relief::new(scene, picture.controller, places, [low, high], CELL / scale)?;
    canvas.items.push(Item::Image { at: panel.low, size: panel.size(), raster: relief.raster() });
    let [below, above] = seen_edges(picture, &map, &relief)?;
    let mut shown = Vec::new();
    shown.extend(relief.shows(|cell| matches!(cell, Cell::Solid { .. })).then_some(Entry::Solid));
    let steep = relief.shows(|cell| matches!(cell, Cell::Ground { walkable: false, .. }));
    shown.extend(steep.then_some(Entry::Cut(Kind::Steep)));
    shown.extend((!above.is_empty()).then_some(Entry::Overhead));

    let cover = || Cover::new(panel);
    let mut drawn = Drawn { path: cover(), signs: cover(), edges: cover() };
    for (lines, stroke) in [(below, EDGE), (above, OVERHEAD)] {
        for line in &lines {
            drawn.edges.line(*line);
        }
        canvas.lines(lines.into_iter().map(Vec::from).collect(), stroke);
    }
    canvas.frame(panel, PAPER.faded(0), style::BORDER);
    for (mode, stretch) in stretches(places) {
        let line = thin(stretch.iter().map(|place| map.at(place.feet)), 1.0);
        for part in line.windows(2) {
            drawn.path.line([part[0], part[1]]);
        }
        canvas.line(line.clone(), Stroke::solid(PAPER.faded(170), 4.5));
        canvas.line(line, Stroke::solid(mode.colour(), 2.2));
    }
    let radius = f64::from(picture.controller.config().radius);
    for event in events {
        let colour = style::happening(event.happening);
        let size = (2.0 * radius * scale).max(7.0);
        let at = map.at(event.feet);
        circle(&mut drawn.signs, at, size / 2.0);
        canvas.pill(at, DVec2::splat(size), colour.faded(60), Stroke::solid(colour, 1.4));
    }
    for mark in marks {
        let at = map.at(mark.point);
        let colour = style::touch(mark.touch);
        circle(&mut drawn.signs, at, 2.0);
        canvas.pill(at, DVec2::splat(4.5), colour, Stroke::solid(PAPER, 0.7));
        let level = dvec2(f64::from(mark.normal.x), -f64::from(mark.normal.y));
        if level.length() > 0.3 {
            drawn.signs.line([at, at + level * 20.0]);
            canvas.arrow(at, at + level * 20.0, Stroke::solid(colour, 1.3));
        }
    }
    let mut placer = Placer::new(panel, &drawn);
    name_start(canvas, events, &map, &mut placer);
    number_legs(canvas, places, &map, &mut placer);
    let line = panel.high.y + 8.0 + LINE / 2.0;
    scale_bar(canvas, &map, dvec2(panel.low.x, line));
    if panel.size().x < ONE_LINE {
        let right = panel.low.x + panel.size().x.max(340.0);
        heights(canvas, &relief, dvec2(right, line + LINE));
    } else {
        heights(canvas, &relief, dvec2(panel.high.x, line));
    }
    Ok(shown)
}

/// The number of each leg beside its way; a leg for which there is no room has none.
fn number_legs(canvas: &mut Canvas, places: &[Place], map: &Map, placer: &mut Placer) {
    for leg in places.chunk_by(|a, b| a.leg == b.leg) {
        let text = (leg[0].leg + 1).to_string();
        let size = number_size(width_of(&text, TextSize::Small));
        let Some(spot) = placer.place(&anchors(leg, map), size) else { continue };
        if let Some(leader) = spot.leader {
            canvas.line(leader.to_vec(), Stroke::solid(INK.faded(140), 1.0));
        }
        canvas.pill(spot.middle, size, INK, Stroke::solid(PAPER, 1.0));
        canvas.text(spot.middle, text, (Anchor::Middle, TextSize::Small), PAPER);
    }
}

/// Places on a leg that its number may be beside.
fn anchors(leg: &[Place], map: &Map) -> Vec<DVec2> {
    let (from, to) = (leg[0].along, leg[leg.len() - 1].along);
    let at = |part: f64| {
        let along = from + (to - from) * part;
        let place = leg.iter().find(|place| place.along >= along).unwrap_or(&leg[0]);
        map.at(place.feet)
    };
    ALONG.map(at).to_vec()
}

fn name_start(canvas: &mut Canvas, events: &[Event], map: &Map, placer: &mut Placer) {
    let start = events.iter().find(|event| event.happening == Happening::Start);
    let Some(start) = start else { return };
    let size = dvec2(width_of("start", TextSize::Small) + 4.0, 16.0);
    if let Some(spot) = placer.place(&[map.at(start.feet)], size) {
        let colour = style::happening(Happening::Start);
        if let Some(leader) = spot.leader {
            canvas.line(leader.to_vec(), Stroke::solid(colour, 1.0));
        }
        canvas.frame(Panel::around(spot.middle, size), PAPER.faded(190), style::NONE);
        canvas.text(spot.middle, "start", (Anchor::Middle, TextSize::Small), colour);
    }
}

/// Edges that can be seen from above, the longest: those below the cut, and those above.
fn seen_edges(picture: &Picture, map: &Map, relief: &Relief) -> Result<[Vec<[DVec2; 2]>; 2]> {
    let (mut below, mut above) = (Vec::new(), Vec::new());
    let Some(all) = bounds(&picture.level.scene) else { return Ok([below, above]) };
    let region = Aabb::new(map.low.extend(all.min().z - 1.0), map.high.extend(all.max().z + 1.0))?;
    for [a, b] in edges(&picture.level.scene, &region) {
        let Some(line) = map.panel.clip([map.at(a), map.at(b)]) else { continue };
        if line[0].distance(line[1]) < 2.0 {
            continue;
        }
        // A floor's own edge may lie half a cell beside it.
        let middle = (a + b) * 0.5;
        match relief.at(middle.truncate().clamp(map.low, map.high)) {
            Cell::Solid { cut } if middle.z > cut - 1.0 => below.push(line),
            Cell::Ground { cut, .. } if middle.z > cut => above.push(line),
            Cell::Ground { height, .. } if middle.z > height - 0.25 => below.push(line),
            Cell::Nothing => below.push(line),
            Cell::Solid { .. } | Cell::Ground { .. } => {}
        }
    }
    for lines in [&mut below, &mut above] {
        lines.sort_by(|[a, b], [c, d]| c.distance(*d).total_cmp(&a.distance(*b)));
        lines.truncate(MOST_EDGES);
    }
    Ok([below, above])
}

fn scale_bar(canvas: &mut Canvas, map: &Map, at: DVec2) {
    let metres = round_length(map.panel.size().x.min(220.0), map.scale);
    let end = at + dvec2(metres * map.scale, 0.0);
    let tick = dvec2(0.0, 5.0);
    let stroke = Stroke::solid(INK, 1.6);
    canvas.lines(
        vec![vec![at - tick, at + tick], vec![at, end], vec![end - tick, end + tick]],
        stroke,
    );
    canvas.note(end + dvec2(10.0, 0.0), format!("{metres} m   x to the right, y up"), INK);
}

/// What the colours of the ground say.
fn heights(canvas: &mut Canvas, relief: &Relief, right: DVec2) {
    let [low, high] = relief.heights();
    let (count, wide) = (10, 14.0);
    let text = format!("{} m", rounded(high, 1));
    let wide_text = width_of(&text, TextSize::Small) + 10.0;
    canvas.text(right, text, (Anchor::Right, TextSize::Small), INK);
    let left = right - dvec2(wide_text + f64::from(count) * wide, 0.0);
    for i in 0..count {
        let part = f64::from(i) / f64::from(count - 1);
        let [r, g, b] = ground_colour(low + (high - low) * part, [low, high]).map(|c| c as u8);
        let corner = left + dvec2(f64::from(i) * wide, -7.0);
        let cell = Panel { low: corner, high: corner + dvec2(wide, 14.0) };
        canvas.frame(cell, Colour::rgb(r, g, b), style::NONE);
    }
    let text = format!("ground at {} m", rounded(low, 1));
    canvas.text(left - dvec2(10.0, 0.0), text, (Anchor::Right, TextSize::Small), FAINT);
}

/// Points that are at least `apart` pixels from the one before; the last one always.
pub(super) fn thin(points: impl Iterator<Item = DVec2>, apart: f64) -> Vec<DVec2> {
    let mut kept: Vec<DVec2> = Vec::new();
    let mut last = None;
    for point in points {
        last = Some(point);
        if kept.last().is_none_or(|kept| kept.distance(point) >= apart) {
            kept.push(point);
        }
    }
    kept.extend(last.filter(|last| kept.last() != Some(last)));
    kept
}
