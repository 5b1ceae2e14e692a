//! The sheet of a walk: title, plan, elevation, legend and list of legs on one canvas. The sheet
//! of [`claims`] has sections through the impossible ones instead of an elevation.

mod claims;
mod elevation;
mod labels;
mod layout;
mod legend;
mod list;
mod plan;
#[cfg(test)]
mod tests;

use super::Picture;
use super::canvas::font::{Font, shortened};
use super::canvas::{Anchor, Canvas, TextSize, advance};
use super::extract::marks::{contact_marks, events};
use super::extract::path::path_points;
use super::extract::section::SurfaceKind;
use super::style::INK;
use crate::output::rounded;
use anyhow::Result;
use elevation::Elevation;
use glam::{DVec2, dvec2};
use layout::{Layout, MARGIN, Parts, layout};
use legend::Entry;

pub(super) use claims::draw as draw_claims;

/// Draws the sheet of a picture.
pub(super) fn draw(picture: &Picture, font: Font) -> Result<Canvas> {
    let mut canvas = Canvas::new(font);
    let points = path_points(picture.ticks, picture.controller);
    if points.is_empty() {
        let width = 1600.0;
        draw_title(&mut canvas, &title(picture), width);
        let list = legend::legs(&canvas, picture, width - 2.0 * MARGIN);
        let bottom = list.draw(&mut canvas, dvec2(MARGIN, layout::TOP));
        canvas.size = dvec2(width, bottom + 24.0);
        return Ok(canvas);
    }
    let marks = contact_marks(picture.ticks);
    let events = events(picture.ticks, picture.controller);
    let annotations = (&marks[..], &events[..]);
    let region = plan::region(picture, &points)?;
    let elevation = Elevation::new(picture, &points);
    let mut entries = legend::walk_entries(&points, &marks, &events);
    let layout = lay_out(picture, &canvas, region[1] - region[0], &elevation, &entries);

    draw_title(&mut canvas, &title(picture), layout.size.x);
    entries.extend(plan::draw(&mut canvas, picture, &points, annotations, (region, layout.map))?);
    let right = layout.size.x - MARGIN;
    let corner = layout.elevation.low;
    entries.extend(elevation.draw(&mut canvas, annotations, corner, right - corner.x)?);
    let corner = layout.legend.low;
    legend::draw(&mut canvas, &entries, corner, right - corner.x);
    let corner = layout.legs.low;
    legend::legs(&canvas, picture, right - corner.x).draw(&mut canvas, corner);
    canvas.size = layout.size;
    Ok(canvas)
}

/// Lays out the parts. The entries that plan and elevation add to the legend are not known yet, so
/// the legend gets room for all of them.
fn lay_out(
    picture: &Picture,
    canvas: &Canvas,
    map: DVec2,
    elevation: &Elevation,
    entries: &[Entry],
) -> Layout {
    let all = with_level_entries(entries);
    layout(&Parts {
        map,
        under_map: &plan::height_under,
        elevation: &|width| elevation.size(width),
        legend: &|width| legend::size(&all, width),
        legs: &|width| legend::legs(canvas, picture, width).size(),
    })
}

/// The entries, and all that surfaces of the level may add to them.
fn with_level_entries(entries: &[Entry]) -> Vec<Entry> {
    let surfaces = [SurfaceKind::Walkable, SurfaceKind::Steep, SurfaceKind::Other];
    [entries, &surfaces.map(Entry::Surface), &[Entry::Solid, Entry::Overhead]].concat()
}

fn draw_title(canvas: &mut Canvas, title: &str, width: f64) {
    let columns = ((width - 2.0 * MARGIN) / advance(TextSize::Title)) as usize;
    let title = shortened(&canvas.drawable(title), columns);
    canvas.text(dvec2(MARGIN, 34.0), title, (Anchor::Left, TextSize::Title), INK);
}

fn title(picture: &Picture) -> String {
    let seconds: f64 = picture.reports.iter().map(|report| report.seconds).sum();
    let walked: f64 = picture.reports.iter().map(|report| report.achieved).sum();
    format!(
        "A walk through {}: {} {} in {} s, {} legs",
        picture.name,
        rounded(walked, 1),
        picture.area.unit.symbol(),
        rounded(seconds, 1),
        picture.reports.len()
    )
}

/// Keeps points that are at least `spacing` pixels from the one kept before, and the last point.
fn thinned(points: impl Iterator<Item = DVec2>, spacing: f64) -> Vec<DVec2> {
    let mut kept: Vec<DVec2> = Vec::new();
    let mut last = None;
    for point in points {
        last = Some(point);
        if kept.last().is_none_or(|kept| kept.distance(point) >= spacing) {
            kept.push(point);
        }
    }
    kept.extend(last.filter(|last| kept.last() != Some(last)));
    kept
}
