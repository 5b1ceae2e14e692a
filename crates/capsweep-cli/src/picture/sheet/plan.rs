//! The plan: the walk on a map of the level, seen from above.

use super::labels::{CoverageGrid, LabelPlacer, Obstacles, badge_size};
use super::legend::Entry;
use super::thinned;
use crate::output::rounded;
use crate::picture::Picture;
use crate::picture::canvas::{Anchor, Canvas, Colour, Item, Rect, Stroke, TextSize, width_of};
use crate::picture::extract::edges::edges;
use crate::picture::extract::marks::{ContactMark, Event, EventKind};
use crate::picture::extract::path::{PathPoint, mode_runs};
use crate::picture::extract::relief::{Cell, Relief, ground_colour};
use crate::picture::extract::section::SurfaceKind;
use crate::picture::style::{self, EDGE, FAINT, INK, NO_STROKE, OVERHEAD, PAPER};
use anyhow::Result;
use capsweep::Aabb;
use glam::{DVec2, DVec3, dvec2};

/// Size of a cell of the ground, in pixels.
const CELL: f64 = 2.0;
/// Most edges in a picture; the longest are kept.
const MAX_EDGES: usize = 8_000;
/// Cells along the longer side of the coarse map that finds the empty margins.
const COARSE_CELLS: f64 = 120.0;
/// Height of a line under the map, in pixels.
const LINE: f64 = 24.0;
/// Smallest width of a map whose scale bar and colour scale share one line, in pixels.
const ONE_LINE_WIDTH: f64 = 780.0;
/// Fractions of a leg at which its number may be, in order of preference.
const ANCHOR_FRACTIONS: [f64; 9] = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82];

/// The projection from metres to pixels.
pub(super) struct Map {
    pub(super) panel: Rect,
    low: DVec2,
    high: DVec2,
    /// Pixels per metre.
    pub(super) scale: f64,
}

impl Map {
    pub(super) fn at(&self, point: DVec3) -> DVec2 {
        self.panel.low + dvec2(point.x - self.low.x, self.high.y - point.y) * self.scale
    }
}

/// The region of the map: the walk and its surroundings, without empty margins.
pub(super) fn region(picture: &Picture, points: &[PathPoint]) -> Result<[DVec2; 2]> {
    let walked = points.iter().map(|point| point.feet.truncate());
    let (first, last) = walked
        .fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(low, high), feet| {
            (low.min(feet), high.max(feet))
        });
    let surroundings = 3.0 + 0.15 * (last - first).max_element();
    // The region always includes the character at every point of the walk.
    let reach = 0.2 + 2.0 * f64::from(picture.controller.config().radius);
    let with_walk = |[low, high]: [DVec2; 2]| [low.min(first - reach), high.max(last + reach)];
    let mut region = [first - surroundings, last + surroundings];
    if let Some(all) = picture.area.bounds {
        let [low, high] = region;
        region = [low.max(all.min().truncate() - 0.5), high.min(all.max().truncate() + 0.5)];
    }
    let [low, high] = with_walk(region);
    let cell = (high - low).max_element() / COARSE_CELLS;
    let scene = (&picture.level.scene, &picture.area);
    let relief = Relief::new(scene, picture.controller, points, [low, high], cell)?;
    let margin = 0.4 + cell;
    Ok(match relief.occupied() {
        Some([from, to]) => with_walk([low.max(from - margin), high.min(to + margin)]),
        None => [low, high],
    })
}

/// Height of the scales under a map of a width, in pixels.
pub(super) fn height_under(width: f64) -> f64 {
    if width < ONE_LINE_WIDTH { 8.0 + 2.0 * LINE } else { 8.0 + LINE }
}

/// The ground of a map, as drawn.
pub(super) struct Ground {
    pub(super) map: Map,
    relief: Relief,
    /// What labels must keep off; the edges are in it.
    pub(super) obstacles: Obstacles,
    /// The legend entries that it uses.
    pub(super) entries: Vec<Entry>,
}

/// Draws the ground of a region.
pub(super) fn draw_ground(
    canvas: &mut Canvas,
    picture: &Picture,
    points: &[PathPoint],
    ([low, high], panel): ([DVec2; 2], Rect),
) -> Result<Ground> {
    let scale = panel.size().x / (high.x - low.x);
    let map = Map { panel, low, high, scale };
    let scene = (&picture.level.scene, &picture.area);
    let relief = Relief::new(scene, picture.controller, points, [low, high], CELL / scale)?;
    canvas.items.push(Item::Image { at: panel.low, size: panel.size(), raster: relief.raster() });
    let [below, above] = visible_edges(picture, &map, &relief)?;
    let mut entries = Vec::new();
    entries.extend(relief.any(|cell| matches!(cell, Cell::Solid { .. })).then_some(Entry::Solid));
    let steep = relief.any(|cell| matches!(cell, Cell::Ground { walkable: false, .. }));
    entries.extend(steep.then_some(Entry::Surface(SurfaceKind::Steep)));
    entries.extend((!above.is_empty()).then_some(Entry::Overhead));

    let grid = || CoverageGrid::new(panel);
    let mut obstacles = Obstacles { path: grid(), symbols: grid(), edges: grid() };
    for (lines, stroke) in [(below, EDGE), (above, OVERHEAD)] {
        for line in &lines {
            obstacles.edges.line(*line);
        }
        canvas.lines(lines.into_iter().map(Vec::from).collect(), stroke);
    }
    canvas.rect(panel, PAPER.faded(0), style::BORDER);
    Ok(Ground { map, relief, obstacles, entries })
}

/// Draws the scale bar and the colour scale under a map.
pub(super) fn draw_scales(canvas: &mut Canvas, picture: &Picture, ground: &Ground) {
    let Ground { map, relief, .. } = ground;
    let panel = map.panel;
    let line = panel.high.y + 8.0 + LINE / 2.0;
    let unit = picture.area.unit.symbol();
    draw_scale_bar(canvas, map, dvec2(panel.low.x, line), unit);
    if panel.size().x < ONE_LINE_WIDTH {
        let right = panel.low.x + panel.size().x.max(340.0);
        draw_colour_scale(canvas, relief, dvec2(right, line + LINE), unit);
    } else {
        draw_colour_scale(canvas, relief, dvec2(panel.high.x, line), unit);
    }
}

/// Draws the map of a region. Returns the legend entries that it uses.
pub(super) fn draw(
    canvas: &mut Canvas,
    picture: &Picture,
    points: &[PathPoint],
    (marks, events): (&[ContactMark], &[Event]),
    (region, panel): ([DVec2; 2], Rect),
) -> Result<Vec<Entry>> {
    let mut ground = draw_ground(canvas, picture, points, (region, panel))?;
    let Ground { map, obstacles, .. } = &mut ground;
    for (mode, run) in mode_runs(points) {
        let line = thinned(run.iter().map(|point| map.at(point.feet)), 1.0);
        for part in line.windows(2) {
            obstacles.path.line([part[0], part[1]]);
        }
        canvas.line(line.clone(), Stroke::solid(PAPER.faded(170), 4.5));
        canvas.line(line, Stroke::solid(style::mode(mode), 2.2));
    }
    let radius = f64::from(picture.controller.config().radius);
    for event in events {
        let colour = style::event(event.kind);
        let size = (2.0 * radius * map.scale).max(7.0);
        let at = map.at(event.feet);
        obstacles.symbols.circle(at, size / 2.0);
        canvas.pill(at, DVec2::splat(size), colour.faded(60), Stroke::solid(colour, 1.4));
    }
    for mark in marks {
        let at = map.at(mark.point);
        let colour = style::contact(mark.kind);
        obstacles.symbols.circle(at, 2.0);
        canvas.pill(at, DVec2::splat(4.5), colour, Stroke::solid(PAPER, 0.7));
        let normal = dvec2(f64::from(mark.normal.x), -f64::from(mark.normal.y));
        if normal.length() > 0.3 {
            obstacles.symbols.line([at, at + normal * 20.0]);
            canvas.arrow(at, at + normal * 20.0, Stroke::solid(colour, 1.3));
        }
    }
    let mut placer = LabelPlacer::new(panel, obstacles);
    label_start(canvas, events, map, &mut placer);
    number_legs(canvas, points, map, &mut placer);
    draw_scales(canvas, picture, &ground);
    Ok(ground.entries)
}

/// Draws the number of each leg beside its path, if there is room.
fn number_legs(canvas: &mut Canvas, points: &[PathPoint], map: &Map, placer: &mut LabelPlacer) {
    for leg in points.chunk_by(|a, b| a.leg == b.leg) {
        let text = (leg[0].leg + 1).to_string();
        let size = badge_size(width_of(&text, TextSize::Small));
        let Some(label) = placer.place(&anchors(leg, map), size) else { continue };
        if let Some(leader) = label.leader {
            canvas.line(leader.to_vec(), Stroke::solid(INK.faded(140), 1.0));
        }
        canvas.pill(label.center, size, INK, Stroke::solid(PAPER, 1.0));
        canvas.text(label.center, text, (Anchor::Middle, TextSize::Small), PAPER);
    }
}

/// Points on a leg beside which its number may be.
fn anchors(leg: &[PathPoint], map: &Map) -> Vec<DVec2> {
    let (from, to) = (leg[0].along, leg[leg.len() - 1].along);
    let at = |fraction: f64| {
        let along = from + (to - from) * fraction;
        let point = leg.iter().find(|point| point.along >= along).unwrap_or(&leg[0]);
        map.at(point.feet)
    };
    ANCHOR_FRACTIONS.map(at).to_vec()
}

fn label_start(canvas: &mut Canvas, events: &[Event], map: &Map, placer: &mut LabelPlacer) {
    let start = events.iter().find(|event| event.kind == EventKind::Start);
    let Some(start) = start else { return };
    let size = dvec2(width_of("start", TextSize::Small) + 4.0, 16.0);
    if let Some(label) = placer.place(&[map.at(start.feet)], size) {
        let colour = style::event(EventKind::Start);
        if let Some(leader) = label.leader {
            canvas.line(leader.to_vec(), Stroke::solid(colour, 1.0));
        }
        canvas.rect(Rect::centered(label.center, size), PAPER.faded(190), NO_STROKE);
        canvas.text(label.center, "start", (Anchor::Middle, TextSize::Small), colour);
    }
}

/// The edges visible from above, longest first: those below the cut, and those above it.
fn visible_edges(picture: &Picture, map: &Map, relief: &Relief) -> Result<[Vec<[DVec2; 2]>; 2]> {
    let (mut below, mut above) = (Vec::new(), Vec::new());
    let Some(all) = picture.area.bounds else { return Ok([below, above]) };
    let region = Aabb::new(map.low.extend(all.min().z - 1.0), map.high.extend(all.max().z + 1.0))?;
    for [a, b] in edges(&picture.level.scene, &region) {
        let Some(line) = map.panel.clip([map.at(a), map.at(b)]) else { continue };
        if line[0].distance(line[1]) < 2.0 {
            continue;
        }
        // The border of a floor may fall into the cell beside it, which is lower or empty.
        let middle = (a + b) * 0.5;
        match relief.at(middle.truncate().clamp(map.low, map.high)) {
            Cell::Solid { cut } if middle.z > cut - 1.0 => below.push(line),
            Cell::Ground { cut, .. } if middle.z > cut => above.push(line),
            Cell::Ground { height, .. } if middle.z > height - 0.25 => below.push(line),
            Cell::Empty => below.push(line),
            Cell::Solid { .. } | Cell::Ground { .. } => {}
        }
    }
    for lines in [&mut below, &mut above] {
        lines.sort_by(|[a, b], [c, d]| c.distance(*d).total_cmp(&a.distance(*b)));
        lines.truncate(MAX_EDGES);
    }
    Ok([below, above])
}

fn draw_scale_bar(canvas: &mut Canvas, map: &Map, at: DVec2, unit: &str) {
    let length = round_length(map.panel.size().x.min(220.0), map.scale);
    let end = at + dvec2(length * map.scale, 0.0);
    let tick = dvec2(0.0, 5.0);
    let stroke = Stroke::solid(INK, 1.6);
    canvas.lines(
        vec![vec![at - tick, at + tick], vec![at, end], vec![end - tick, end + tick]],
        stroke,
    );
    canvas.note(end + dvec2(10.0, 0.0), format!("{length} {unit}   x to the right, y up"), INK);
}

/// Draws the colour scale of the ground's heights.
fn draw_colour_scale(canvas: &mut Canvas, relief: &Relief, right: DVec2, unit: &str) {
    let [low, high] = relief.heights();
    let (count, wide) = (10, 14.0);
    let text = format!("{} {unit}", rounded(high, 1));
    let text_width = width_of(&text, TextSize::Small) + 10.0;
    canvas.text(right, text, (Anchor::Right, TextSize::Small), INK);
    let left = right - dvec2(text_width + f64::from(count) * wide, 0.0);
    for i in 0..count {
        let fraction = f64::from(i) / f64::from(count - 1);
        let [r, g, b] = ground_colour(low + (high - low) * fraction, [low, high]).map(|c| c as u8);
        let corner = left + dvec2(f64::from(i) * wide, -7.0);
        let cell = Rect { low: corner, high: corner + dvec2(wide, 14.0) };
        canvas.rect(cell, Colour::rgb(r, g, b), NO_STROKE);
    }
    let text = format!("ground at {} {unit}", rounded(low, 1));
    canvas.text(left - dvec2(10.0, 0.0), text, (Anchor::Right, TextSize::Small), FAINT);
}

/// The longest length of 1, 2 or 5 times a power of ten within `max_pixels`, at `scale` pixels per
/// metre.
pub(super) fn round_length(max_pixels: f64, scale: f64) -> f64 {
    let longest = max_pixels / scale;
    let power = 10f64.powf(longest.log10().floor());
    [5.0, 2.0, 1.0]
        .map(|factor| factor * power)
        .into_iter()
        .find(|length| *length <= longest)
        .unwrap_or(power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scale_bars_are_round() {
        assert_eq!(
            [1.0, 30.0, 44.0, 250.0].map(|scale| round_length(220.0, scale)),
            [200.0, 5.0, 5.0, 0.5]
        );
    }
}
