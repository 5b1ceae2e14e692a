//! The sheet of a log of claims: the ways of the characters on a plan, and a section through each
//! of the first claims that are not possible.

mod plan;
mod sections;
#[cfg(test)]
mod tests;
mod view;

use super::layout::{self, Layout, MARGIN, Parts, layout};
use super::legend::{self, ClaimEntry, Entry};
use super::list::{NO_BREAK, TextList};
use super::{draw_title, plan as ground, with_level_entries};
use crate::claims::ways::Alarm;
use crate::output::rounded;
use crate::picture::canvas::Canvas;
use crate::picture::canvas::font::Font;
use crate::picture::{ClaimPicture, Picture};
use anyhow::Result;
use capsweep::MAX_POSITION;
use glam::{DVec3, dvec2};
use sections::Sections;
use view::View;

/// Draws the sheet of a log.
pub(in crate::picture) fn draw(picture: &ClaimPicture, font: Font) -> Result<Canvas> {
    let mut canvas = Canvas::new(font);
    let title = title(picture);
    let Some(view) = View::new(picture)? else {
        let width = 1600.0;
        draw_title(&mut canvas, &title, width);
        let bottom = texts(&canvas, picture, width).draw(&mut canvas, dvec2(MARGIN, layout::TOP));
        canvas.size = dvec2(width, bottom + 24.0);
        return Ok(canvas);
    };
    // The parts of pictures that only look at the level.
    let level = Picture {
        name: picture.name,
        level: picture.level,
        area: view.area,
        controller: picture.controller,
        ticks: &[],
        reports: &[],
    };
    let region = ground::region(&level, &view.points)?;
    let sections = Sections::new(picture);
    let mut entries = entries(picture);
    let all = with_level_entries(&entries);
    let layout: Layout = layout(&Parts {
        map: region[1] - region[0],
        under_map: &ground::height_under,
        elevation: &|width| sections.size(width),
        legend: &|width| legend::size(&all, width),
        legs: &|width| texts(&canvas, picture, width).size(),
    });
    draw_title(&mut canvas, &title, layout.size.x);
    let right = layout.size.x - MARGIN;
    entries.extend(plan::draw(&mut canvas, picture, (&level, &view), (region, layout.map))?);
    let corner = layout.elevation.low;
    entries.extend(sections.draw(&mut canvas, corner, right - corner.x)?);
    let corner = layout.legend.low;
    legend::draw(&mut canvas, &entries, corner, right - corner.x);
    let corner = layout.legs.low;
    texts(&canvas, picture, right - corner.x).draw(&mut canvas, corner);
    canvas.size = layout.size;
    Ok(canvas)
}

fn title(picture: &ClaimPicture) -> String {
    let summary = picture.summary;
    let undecided = match summary.undecided {
        0 => String::new(),
        some => format!(", {some} undecided"),
    };
    format!(
        "Claims in {}: {} of {} are impossible{undecided}",
        picture.name,
        summary.impossible(),
        summary.claims,
    )
}

fn entries(picture: &ClaimPicture) -> Vec<Entry> {
    let ways = &picture.ways;
    let mut entries = Vec::new();
    if !ways.characters.is_empty() {
        entries.push(ClaimEntry::Way);
    }
    if !ways.alarms.is_empty() {
        entries.extend([ClaimEntry::Accepted, ClaimEntry::Leap]);
    }
    if ways.alarms.iter().any(|alarm| alarm.why.is_none()) {
        entries.push(ClaimEntry::Undecided);
    }
    if ways.alarms.iter().any(|alarm| alarm.why.is_some()) {
        entries.extend([ClaimEntry::Impossible, ClaimEntry::Place]);
    }
    entries.into_iter().map(Entry::Claim).collect()
}

/// The list of claims that are not possible.
fn texts(canvas: &Canvas, picture: &ClaimPicture, width: f64) -> TextList {
    let numbered: Vec<(usize, &Alarm)> = picture.ways.alarms.iter().enumerate().collect();
    let text = |(index, alarm): &(usize, &Alarm)| {
        let place = match &alarm.why {
            Some((_, at)) if *at != alarm.feet => format!("; at {}", position(*at)),
            _ => String::new(),
        };
        let [from, to] = [alarm.from, alarm.feet].map(position);
        let what = words(canvas, picture, alarm);
        format!("{:>2}{NO_BREAK}{NO_BREAK}{what}; from {from} to {to}{place}", index + 1)
    };
    TextList::new(&numbered, text, "claims", width)
}

fn position(at: DVec3) -> String {
    // A claim out of range may have very long numbers.
    let number = |x: f64| if x.abs() > MAX_POSITION { format!("{x:e}") } else { rounded(x, 2) };
    at.to_array().map(number).join(",")
}

/// Whose claim it is, and what is wrong with it.
fn words(canvas: &Canvas, picture: &ClaimPicture, alarm: &Alarm) -> String {
    let who = alarm.character.as_ref().map_or_else(String::new, |key| format!(", {key}"));
    let why = match &alarm.why {
        Some((reason, _)) => picture.reporter.reason(picture.level, reason),
        None => "undecided".to_owned(),
    };
    canvas.drawable(&format!("line {}{who}: {why}", alarm.line))
}
