//! Pictures of a walk: plan and elevation as SVG or PNG, or everything in three dimensions as GLB.
//!
//! [`plan`] and [`elevation`] draw on a [`canvas`], which [`svg`] and [`png`] write; [`glb`] is on its own.

#![allow(clippy::cast_sign_loss, reason = "pixels, colours and counts are not negative")]

mod canvas;
mod edges;
mod elevation;
mod glb;
mod labels;
mod layout;
mod legend;
mod marks;
mod path;
mod plan;
mod png;
mod relief;
mod section;
#[cfg(test)]
mod sheet_tests;
mod solids;
mod spelling;
mod style;
mod svg;
#[cfg(test)]
mod tests;

use crate::walk::report::LegReport;
use crate::walk::table::rounded;
use crate::walk::walker::Tick;
use anyhow::{Result, bail};
use canvas::{Anchor, Canvas, TextSize, advance};
use capsweep::controller::Controller;
use capsweep_formats::{Level, whole_file};
use elevation::Elevation;
use glam::dvec2;
use layout::{Layout, MARGIN, Parts, layout};
use legend::{Entry, List};
use section::Kind;
use spelling::Spelling;
use std::ffi::OsStr;
use std::path::Path;

/// What is drawn.
pub(crate) struct Picture<'a> {
    pub(crate) name: &'a str,
    pub(crate) level: &'a Level,
    pub(crate) controller: &'a Controller,
    pub(crate) ticks: &'a [Tick],
    pub(crate) reports: &'a [LegReport],
}

#[derive(Debug, Clone, Copy)]
enum Format {
    Svg,
    Png,
    Glb,
}

fn format(path: &Path) -> Result<Format> {
    let extension = path.extension().map(OsStr::to_ascii_lowercase);
    Ok(match extension.as_deref().and_then(|extension| extension.to_str()) {
        Some("svg") => Format::Svg,
        Some("png") => Format::Png,
        Some("glb") => Format::Glb,
        _ => bail!("{}: a picture's name ends in .svg, .png or .glb", path.display()),
    })
}

/// Whether a picture can be drawn under this name.
pub(crate) fn check(path: &Path) -> Result<()> {
    format(path).map(|_| ())
}

impl Picture<'_> {
    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        let bytes = match format(path)? {
            Format::Svg => svg::write(&self.sheet(Spelling::Outline)?)?,
            Format::Png => png::write(&self.sheet(Spelling::Bitmap)?)?,
            Format::Glb => glb::write(self)?,
        };
        Ok(whole_file::write(path, |file| file.write_all(&bytes))?)
    }

    /// Title, plan, elevation, and what the signs mean.
    fn sheet(&self, spelling: Spelling) -> Result<Canvas> {
        let mut canvas = Canvas::new(spelling);
        let places = path::places(self.ticks, self.controller);
        if places.is_empty() {
            let width = 1600.0;
            self.write_title(&mut canvas, width);
            let list = List::new(&canvas, self, width - 2.0 * MARGIN);
            let bottom = list.draw(&mut canvas, dvec2(MARGIN, layout::TOP));
            canvas.size = dvec2(width, bottom + 24.0);
            return Ok(canvas);
        }
        let marks = marks::marks(self.ticks);
        let events = marks::events(self.ticks, self.controller);
        let told = (&marks[..], &events[..]);
        let region = plan::region(self, &places)?;
        let elevation = Elevation::new(self, &places);
        let mut entries = legend::occurring(&places, &marks, &events);
        let layout = self.layout(&canvas, region[1] - region[0], &elevation, &entries);

        self.write_title(&mut canvas, layout.size.x);
        entries.extend(plan::plan(&mut canvas, self, &places, told, (region, layout.map))?);
        let right = layout.size.x - MARGIN;
        let corner = layout.elevation.low;
        entries.extend(elevation.draw(&mut canvas, told, corner, right - corner.x)?);
        let corner = layout.signs.low;
        legend::signs(&mut canvas, &entries, corner, right - corner.x);
        let corner = layout.list.low;
        List::new(&canvas, self, right - corner.x).draw(&mut canvas, corner);
        canvas.size = layout.size;
        Ok(canvas)
    }

    /// Where everything goes; what the map and the section add to the legend is not known yet.
    fn layout(
        &self,
        canvas: &Canvas,
        map: glam::DVec2,
        elevation: &Elevation,
        entries: &[Entry],
    ) -> Layout {
        let cuts = [Kind::Walkable, Kind::Steep, Kind::Other].map(Entry::Cut);
        let most = [entries, &cuts, &[Entry::Solid, Entry::Overhead]].concat();
        layout(&Parts {
            map,
            under_map: &plan::under,
            elevation: &|width| elevation.size(width),
            signs: &|width| legend::signs_size(&most, width),
            list: &|width| List::new(canvas, self, width).size(),
        })
    }

    fn write_title(&self, canvas: &mut Canvas, width: f64) {
        let letters = ((width - 2.0 * MARGIN) / advance(TextSize::Title)) as usize;
        let title = spelling::shortened(&canvas.spelled(&self.title()), letters);
        canvas.text(dvec2(MARGIN, 34.0), title, (Anchor::Left, TextSize::Title), style::INK);
    }

    fn title(&self) -> String {
        let seconds: f64 = self.reports.iter().map(|report| report.seconds).sum();
        let walked: f64 = self.reports.iter().map(|report| report.achieved).sum();
        format!(
            "A walk through {}: {} m in {} s, {} legs",
            self.name,
            rounded(walked, 1),
            rounded(seconds, 1),
            self.reports.len()
        )
    }
}
