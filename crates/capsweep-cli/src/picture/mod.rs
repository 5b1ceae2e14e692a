//! Pictures of a walk: plan and elevation as SVG or PNG, or the scene in three dimensions as GLB.
//! Pictures of a log of claims: plan and sections as SVG or PNG.
//!
//! [`extract`] takes the data from the walk and the level. [`sheet`] draws them on a [`canvas`],
//! which writes SVG and PNG. [`glb`] writes them as meshes.

#![allow(clippy::cast_sign_loss, reason = "pixels, colours and counts are not negative")]

mod canvas;
mod extract;
mod glb;
mod sheet;
mod style;

use crate::area::Area;
use crate::claims::report::{Reporter, Summary};
use crate::claims::ways::Ways;
use crate::walk::character::Tick;
use crate::walk::report::LegReport;
use anyhow::{Result, bail};
use canvas::font::Font;
use canvas::{png, svg};
use capsweep::controller::Controller;
use capsweep_formats::{Level, whole_file};
use glam::DVec3;
use std::ffi::OsStr;
use std::path::Path;

/// The content of a picture.
pub(crate) struct Picture<'a> {
    /// Name of the level.
    pub(crate) name: &'a str,
    pub(crate) level: &'a Level,
    /// The part of the level that pictures show.
    pub(crate) area: Area,
    pub(crate) controller: &'a Controller,
    pub(crate) ticks: &'a [Tick],
    pub(crate) reports: &'a [LegReport],
}

/// The content of a picture of a log of claims.
pub(crate) struct ClaimPicture<'a> {
    /// Name of the level.
    pub(crate) name: &'a str,
    pub(crate) level: &'a Level,
    pub(crate) controller: &'a Controller,
    pub(crate) ways: Ways,
    pub(crate) summary: &'a Summary,
    /// Puts reasons into words.
    pub(crate) reporter: Reporter,
    /// Centre of the picture; `None` leaves the choice to the picture.
    pub(crate) centre: Option<DVec3>,
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

/// Checks that the extension of a file name is that of a picture format.
pub(crate) fn check(path: &Path) -> Result<()> {
    format(path).map(|_| ())
}

/// As [`check`], for pictures that are sheets only.
pub(crate) fn check_sheet(path: &Path) -> Result<()> {
    match format(path) {
        Ok(Format::Svg | Format::Png) => Ok(()),
        _ => bail!("{}: the name of a picture of claims ends in .svg or .png", path.display()),
    }
}

impl ClaimPicture<'_> {
    /// Writes the picture in the format of the file's extension.
    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        let bytes = match format(path)? {
            Format::Svg => svg::write(&sheet::draw_claims(self, Font::Outline)?)?,
            Format::Png | Format::Glb => png::write(&sheet::draw_claims(self, Font::Bitmap)?)?,
        };
        Ok(whole_file::write(path, |file| file.write_all(&bytes))?)
    }
}

impl Picture<'_> {
    /// Writes the picture in the format of the file's extension.
    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        let bytes = match format(path)? {
            Format::Svg => svg::write(&sheet::draw(self, Font::Outline)?)?,
            Format::Png => png::write(&sheet::draw(self, Font::Bitmap)?)?,
            Format::Glb => glb::write(self)?,
        };
        Ok(whole_file::write(path, |file| file.write_all(&bytes))?)
    }
}
