//! The plan: the ways of the characters, and the claims that are not possible.

use super::view::View;
use crate::claims::ways::{Alarm, Way};
use crate::picture::canvas::font::shortened;
use crate::picture::canvas::{Anchor, Canvas, Colour, Rect, Stroke, TextSize, width_of};
use crate::picture::sheet::labels::{LabelPlacer, badge_size};
use crate::picture::sheet::legend::{Entry, PLACE};
use crate::picture::sheet::list::MAX_ITEMS;
use crate::picture::sheet::plan::{Ground, Map, draw_ground, draw_scales};
use crate::picture::sheet::thinned;
use crate::picture::style::{self, ALARM, FAINT, NO_STROKE, PAPER, WALKING};
use crate::picture::{ClaimPicture, Picture};
use anyhow::Result;
use capsweep::MAX_POSITION;
use glam::{DVec2, DVec3, dvec2};

/// Most ways with the name of their character.
const MAX_NAMES: usize = 12;
/// Most columns of a name.
const NAME_COLUMNS: usize = 24;
/// Smallest diameter of a character, in pixels.
const MIN_SIZE: f64 = 9.0;

/// Draws the plan. Returns the legend entries of its ground.
pub(super) fn draw(
    canvas: &mut Canvas,
    picture: &ClaimPicture,
    (level, view): (&Picture, &View),
    (region, panel): ([DVec2; 2], Rect),
) -> Result<Vec<Entry>> {
    let mut ground = draw_ground(canvas, level, &view.points, (region, panel))?;
    let ways = &picture.ways;
    for (way, index) in ways.characters.iter().zip(0usize..) {
        draw_way(canvas, way, colour(index), &mut ground);
    }
    let size =
        (2.0 * f64::from(picture.controller.config().radius) * ground.map.scale).max(MIN_SIZE);
    for alarm in &ways.alarms {
        draw_alarm(canvas, alarm, size, &mut ground);
    }
    let mut placer = LabelPlacer::new(panel, &ground.obstacles);
    for (alarm, number) in ways.alarms.iter().take(MAX_ITEMS).zip(1u32..) {
        number_alarm(canvas, alarm, number, &ground.map, &mut placer);
    }
    for (way, index) in ways.characters.iter().take(MAX_NAMES).zip(0usize..) {
        name_way(canvas, way, colour(index), &ground.map, &mut placer);
    }
    draw_scales(canvas, level, &ground);
    Ok(ground.entries)
}

fn colour(way: usize) -> Colour {
    style::WAYS[way % style::WAYS.len()]
}

/// The colour of a claim that is not possible.
pub(super) fn alarm_colour(alarm: &Alarm) -> Colour {
    if alarm.why.is_some() { ALARM } else { FAINT }
}

fn draw_way(canvas: &mut Canvas, way: &Way, colour: Colour, ground: &mut Ground) {
    let Ground { map, obstacles, .. } = ground;
    let mut parts: Vec<Vec<DVec2>> = Vec::new();
    for line in &way.lines {
        let line = thinned(line.iter().map(|feet| map.at(*feet)), 1.0);
        for part in line.windows(2).filter_map(|part| map.panel.clip([part[0], part[1]])) {
            obstacles.path.line(part);
            match parts.last_mut() {
                Some(last) if last.last() == Some(&part[0]) => last.push(part[1]),
                _ => parts.push(part.to_vec()),
            }
        }
    }
    canvas.lines(parts.clone(), Stroke::solid(PAPER.faded(170), 4.5));
    canvas.lines(parts, Stroke::solid(colour, 2.2));
}

fn draw_alarm(canvas: &mut Canvas, alarm: &Alarm, size: f64, ground: &mut Ground) {
    let Ground { map, obstacles, .. } = ground;
    let colour = alarm_colour(alarm);
    let [from, to] = [alarm.from, alarm.feet].map(|feet| map.at(feet));
    let is_place = alarm.feet.abs().max_element() <= MAX_POSITION;
    if let Some(line) = map.panel.clip([from, to]).filter(|_| is_place) {
        obstacles.symbols.line(line);
        canvas.line(line.to_vec(), Stroke { colour, ..style::LEAP });
    }
    for (at, colour) in [(from, WALKING), (to, colour)] {
        if map.panel.contains(at) {
            obstacles.symbols.circle(at, size / 2.0);
            canvas.pill(at, DVec2::splat(size), colour.faded(60), Stroke::solid(colour, 1.4));
        }
    }
    if let Some((_, place)) = &alarm.why {
        let at = map.at(*place);
        if map.panel.contains(at) {
            obstacles.symbols.circle(at, PLACE / 2.0);
            canvas.pill(at, DVec2::splat(PLACE), colour, Stroke::solid(PAPER, 1.0));
        }
    }
}

/// Draws the number of a claim beside it, or beside its start if it is out of view.
fn number_alarm(
    canvas: &mut Canvas,
    alarm: &Alarm,
    number: u32,
    map: &Map,
    placer: &mut LabelPlacer,
) {
    let visible = |feet: &DVec3| map.panel.contains(map.at(*feet));
    let anchors: Vec<DVec2> = [alarm.feet, alarm.from]
        .into_iter()
        .filter(visible)
        .map(|feet| map.at(feet))
        .take(1)
        .collect();
    let text = number.to_string();
    let size = badge_size(width_of(&text, TextSize::Small));
    let Some(label) = placer.place(&anchors, size) else { return };
    let colour = alarm_colour(alarm);
    if let Some(leader) = label.leader {
        canvas.line(leader.to_vec(), Stroke::solid(colour, 1.0));
    }
    canvas.pill(label.center, size, colour, Stroke::solid(PAPER, 1.0));
    canvas.text(label.center, text, (Anchor::Middle, TextSize::Small), PAPER);
}

/// Draws the name of a character at the start of its way.
fn name_way(canvas: &mut Canvas, way: &Way, colour: Colour, map: &Map, placer: &mut LabelPlacer) {
    let in_view = |feet: &&DVec3| map.panel.contains(map.at(**feet));
    let Some(start) = way.lines.iter().flatten().find(in_view) else { return };
    let name = way.character.as_ref().map_or_else(|| "start".to_owned(), ToString::to_string);
    let name = shortened(&canvas.drawable(&name), NAME_COLUMNS);
    let size = dvec2(width_of(&name, TextSize::Small) + 4.0, 16.0);
    let Some(label) = placer.place(&[map.at(*start)], size) else { return };
    if let Some(leader) = label.leader {
        canvas.line(leader.to_vec(), Stroke::solid(colour, 1.0));
    }
    canvas.rect(Rect::centered(label.center, size), PAPER.faded(190), NO_STROKE);
    canvas.text(label.center, name, (Anchor::Middle, TextSize::Small), colour);
}
