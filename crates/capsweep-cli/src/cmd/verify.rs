//! Runs `capsweep verify`: checks a scene file.

use crate::args::VerifyArgs;
use crate::output::{self, Format, Outcome, escape};
use crate::progress;
use anyhow::Result;
use capsweep_formats::Limits;
use capsweep_formats::scene_file::{self, Verified};
use serde::Serialize;
use std::fmt::Write;

#[derive(Serialize)]
struct Report {
    file: String,
    sound: bool,
    bytes: u64,
    meshes: u32,
    /// Height fields.
    fields: u32,
    /// Triangles of the sound meshes.
    triangles: u64,
    /// Triangles of the sound height fields.
    implicit_triangles: u64,
    bodies: u64,
    liquids: u64,
    findings: Vec<String>,
    /// Number of findings beyond those listed.
    more: u64,
}

pub(crate) fn verify(args: &VerifyArgs, format: Format) -> Result<Outcome> {
    let file = args.file.display().to_string();
    let bar = progress::spinner(format!("checking {file}"));
    let verified = scene_file::verify(&args.file, &Limits::default());
    bar.finish_and_clear();
    let report = Report::new(file, &verified?);
    output::print(format, &report, || report.text())?;
    Ok(if report.sound { Outcome::Done } else { Outcome::Damaged })
}

impl Report {
    fn new(file: String, verified: &Verified) -> Self {
        Self {
            file,
            sound: verified.is_sound(),
            bytes: verified.bytes,
            meshes: verified.meshes,
            fields: verified.fields,
            triangles: verified.triangles,
            implicit_triangles: verified.implicit_triangles,
            bodies: verified.bodies,
            liquids: verified.liquids,
            findings: verified.findings.iter().map(ToString::to_string).collect(),
            more: verified.more,
        }
    }

    fn text(&self) -> String {
        let file = escape::name(&self.file);
        let Self { bytes, meshes, fields, triangles, implicit_triangles, .. } = self;
        let Self { bodies, liquids, more, .. } = self;
        if self.sound {
            let mut text = format!(
                "{file}: sound; {bytes} bytes, \
                 meshes {meshes}, triangles {triangles}, bodies {bodies}"
            );
            if *fields > 0 {
                let _ = write!(
                    text,
                    ", height fields {fields}, implicit triangles {implicit_triangles}"
                );
            }
            if *liquids > 0 {
                let _ = write!(text, ", liquids {liquids}");
            }
            return text;
        }
        let mut text = format!("{file}: damaged; build it again");
        for finding in &self.findings {
            let _ = write!(text, "\n  {}", escape::name(finding));
        }
        if *more > 0 {
            let _ = write!(text, "\n  and {more} more");
        }
        text
    }
}
