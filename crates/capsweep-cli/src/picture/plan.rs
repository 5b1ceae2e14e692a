//! The walk from above.

use super::Picture;
use super::canvas::Colour;
use super::canvas::{Anchor, Canvas, Item, Panel, Stroke, TextSize, round_length};
use super::edges::edges;
use super::labels::Labels;
use super::marks::{Event, Happening, Mark};
use super::path::{Place, stretches};
use super::relief::{Cell, Relief, ground_colour};
use super::style::{self, EDGE, FAINT, INK, OVERHEAD, PAPER};
use crate::load::bounds;
use crate::walk::table::rounded;
use anyhow::Result;
use capsweep::Aabb;
use glam::{DVec2, DVec3, dvec2};

/// Pixels that the map is high, at most.
const HIGHEST: f64 = 860.0;
/// Pixels of a cell of the ground.
const CELL: f64 = 2.0;
/// Edges in a picture, at most: the longest.
const MOST_EDGES: usize = 8_000;

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
fn region(picture: &Picture, places: &[Place]) -> [DVec2; 2] {
    let mut low = DVec2::INFINITY;
    let mut high = DVec2::NEG_INFINITY;
    for place in places {
        low = low.min(place.feet.truncate());
        high = high.max(place.feet.truncate());
    }
    let around = 3.0 + 0.15 * (high - low).max_element();
    let (mut low, mut high) = (low - around, high + around);
    if let Some(all) = bounds(&picture.level.scene) {
        low = low.max(all.min().truncate() - 0.5);
        high = high.min(all.max().truncate() + 0.5);
    }
    // Somebody who fell out of the world is shown where the walk was.
    if low.cmplt(high).all() { [low, high] } else { [DVec2::splat(-1.0), DVec2::ONE] }
}

/// Draws the map from `corner` on; the corner where it ends.
pub(super) fn plan(
    canvas: &mut Canvas,
    picture: &Picture,
    places: &[Place],
    (marks, events): (&[Mark], &[Event]),
    corner: DVec2,
) -> Result<DVec2> {
    let [low, high] = region(picture, places);
    let scale = (super::WIDE / (high.x - low.x)).min(HIGHEST / (high.y - low.y)).min(90.0);
    let panel = Panel { low: corner, high: corner + (high - low) * scale };
    let map = Map { panel, low, high, scale };
    let scene = &picture.level.scene;
    let relief = Relief::new(scene, picture.controller, places, [low, high], CELL / scale)?;
    canvas.items.push(Item::Image { at: panel.low, size: panel.size(), raster: relief.raster() });
    draw_edges(canvas, picture, &map, &relief)?;
    canvas.frame(panel, PAPER.faded(0), style::BORDER);

    for (mode, stretch) in stretches(places) {
        let line = thin(stretch.iter().map(|place| map.at(place.feet)), 1.0);
        canvas.line(line.clone(), Stroke::solid(PAPER.faded(170), 4.5));
        canvas.line(line, Stroke::solid(mode.colour(), 2.2));
    }
    let radius = f64::from(picture.controller.config().radius);
    let mut labels = Labels::default();
    for event in events {
        let colour = style::happening(event.happening);
        let size = DVec2::splat((2.0 * radius * scale).max(7.0));
        canvas.pill(map.at(event.feet), size, colour.faded(60), Stroke::solid(colour, 1.4));
    }
    for mark in marks {
        let at = map.at(mark.point);
        let colour = style::touch(mark.touch);
        canvas.pill(at, DVec2::splat(4.5), colour, Stroke::solid(PAPER, 0.7));
        let level = dvec2(f64::from(mark.normal.x), -f64::from(mark.normal.y));
        if level.length() > 0.3 {
            canvas.arrow(at, at + level * 20.0, Stroke::solid(colour, 1.3));
        }
    }
    for place in places.iter().step_by(6) {
        labels.take(map.at(place.feet), DVec2::splat(8.0));
    }
    number_legs(canvas, places, &map, &mut labels);
    draw_start(canvas, events, &map);
    let bottom = panel.high.y + 18.0;
    scale_bar(canvas, &map, dvec2(panel.low.x, bottom));
    heights(canvas, &relief, dvec2(panel.high.x.max(panel.low.x + 800.0), bottom));
    Ok(dvec2(panel.high.x, bottom + 14.0))
}

/// The number of each leg beside the middle of its way.
fn number_legs(canvas: &mut Canvas, places: &[Place], map: &Map, labels: &mut Labels) {
    for leg in places.chunk_by(|a, b| a.leg == b.leg) {
        let (from, to) = (leg[0].along, leg[leg.len() - 1].along);
        let middle =
            leg.iter().find(|place| place.along >= f64::midpoint(from, to)).unwrap_or(&leg[0]);
        labels.number(canvas, map.at(middle.feet), middle.leg + 1, INK);
    }
}

fn draw_start(canvas: &mut Canvas, events: &[Event], map: &Map) {
    let start = events.iter().find(|event| event.happening == Happening::Start);
    if let Some(start) = start {
        let at = map.at(start.feet) + dvec2(0.0, 26.0);
        canvas.text(
            at,
            "start",
            (Anchor::Middle, TextSize::Small),
            style::happening(Happening::Start),
        );
    }
}

/// Edges that can be seen from above; those over the cut are dashed.
fn draw_edges(canvas: &mut Canvas, picture: &Picture, map: &Map, relief: &Relief) -> Result<()> {
    let Some(all) = bounds(&picture.level.scene) else { return Ok(()) };
    let region = Aabb::new(map.low.extend(all.min().z - 1.0), map.high.extend(all.max().z + 1.0))?;
    let (mut below, mut above) = (Vec::new(), Vec::new());
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
    for (mut lines, stroke) in [(below, EDGE), (above, OVERHEAD)] {
        lines.sort_by(|[a, b], [c, d]| c.distance(*d).total_cmp(&a.distance(*b)));
        lines.truncate(MOST_EDGES);
        canvas.lines(lines.into_iter().map(Vec::from).collect(), stroke);
    }
    Ok(())
}

fn scale_bar(canvas: &mut Canvas, map: &Map, at: DVec2) {
    let metres = round_length(220.0, map.scale);
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
    canvas.text(right, text, (Anchor::Right, TextSize::Small), INK);
    let left = right - dvec2(70.0 + f64::from(count) * wide, 0.0);
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
