//! Pictures of a walk: plan and elevation as SVG or PNG, or everything in three dimensions as GLB.
//!
//! [`plan`] and [`elevation`] draw on a [`canvas`], which [`svg`] and [`png`] write; [`glb`] is on its own.

#![allow(clippy::cast_sign_loss, reason = "pixels, colours and counts are not negative")]

mod canvas;
mod edges;
mod elevation;
mod glb;
mod labels;
mod legend;
mod marks;
mod path;
mod plan;
mod png;
mod relief;
mod section;
mod solids;
mod style;
mod svg;
#[cfg(test)]
mod tests;

use crate::walk::report::LegReport;
use crate::walk::table::rounded;
use crate::walk::walker::Tick;
use anyhow::{Result, bail};
use canvas::{Anchor, Canvas, TextSize};
use capsweep::controller::Controller;
use capsweep_formats::{Level, whole_file};
use glam::dvec2;
use std::ffi::OsStr;
use std::path::Path;

/// Pixels between the margins.
const WIDE: f64 = 1500.0;

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
            Format::Svg => svg::write(&self.sheet()?)?,
            Format::Png => png::write(&self.sheet()?)?,
            Format::Glb => glb::write(self)?,
        };
        Ok(whole_file::write(path, |file| file.write_all(&bytes))?)
    }

    /// Title, plan, elevation, and what the signs mean.
    fn sheet(&self) -> Result<Canvas> {
        let mut canvas = Canvas::new();
        let left = 50.0;
        let places = path::places(self.ticks, self.controller);
        let marks = marks::marks(self.ticks);
        let events = marks::events(self.ticks, self.controller);
        canvas.text(dvec2(left, 34.0), self.title(), (Anchor::Left, TextSize::Title), style::INK);
        let (mut bottom, mut listed) = (62.0, false);
        if !places.is_empty() {
            let told = (&marks[..], &events[..]);
            let end = plan::plan(&mut canvas, self, &places, told, dvec2(left, bottom))?;
            // Beside a narrow map there is room for the legs.
            let beside = end.x.max(left + 800.0) + 40.0;
            listed = legend::fits(self, left + WIDE - beside);
            let below = if listed {
                let corners = [dvec2(beside, bottom), dvec2(left + WIDE, 0.0)];
                legend::legs(&mut canvas, self, corners)
            } else {
                bottom
            };
            let corner = dvec2(left, end.y.max(below) + 22.0);
            bottom = elevation::elevation(&mut canvas, self, &places, told, corner)? + 16.0;
        }
        bottom = legend::signs(&mut canvas, dvec2(left, bottom)) + 8.0;
        if !listed {
            let corners = [dvec2(left, bottom), dvec2(left + WIDE, 0.0)];
            bottom = legend::legs(&mut canvas, self, corners);
        }
        canvas.size = dvec2(1600.0, bottom + 24.0);
        Ok(canvas)
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
