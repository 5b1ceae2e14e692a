//! The readable answer: a heading and aligned rows, numbers rounded to six decimals: a
//! micrometre, half the bound that the library promises. A radius is f32, so further digits of `0.4`
//! would be those of 0.400000006.

use capsweep::{Feature, Region};
use glam::{DVec3, Vec3};

pub(crate) trait Text {
    fn text(&self) -> String;
}

#[derive(Default)]
pub(crate) struct Rows(Vec<(&'static str, String)>);

impl Rows {
    pub(crate) fn row(mut self, label: &'static str, value: String) -> Self {
        self.0.push((label, value));
        self
    }

    pub(crate) fn normals(self, normal: Vec3, face_normal: Vec3) -> Self {
        self.row("normal", list(normal.as_dvec3().to_array()))
            .row("face normal", list(face_normal.as_dvec3().to_array()))
    }

    pub(crate) fn feature(self, feature: Feature) -> Self {
        self.row("feature", format!("{feature} of the target"))
    }

    pub(crate) fn region(self, region: Region) -> Self {
        self.row("region", format!("{region} of the capsule"))
    }

    /// Nothing where there are none.
    pub(crate) fn barycentrics(self, weights: Option<[f64; 3]>) -> Self {
        match weights {
            Some(weights) => self.row("barycentrics", list(weights)),
            None => self,
        }
    }

    pub(crate) fn under(&self, heading: &str) -> String {
        let width = self.0.iter().map(|(label, _)| label.len()).max().unwrap_or(0);
        let rows = self.0.iter().map(|(label, value)| format!("\n  {label:width$}  {value}"));
        heading.to_owned() + &rows.collect::<String>()
    }
}

pub(crate) fn along_normal(depth: f64) -> String {
    format!("{} along the normal", metres(depth))
}

pub(crate) fn metres(value: f64) -> String {
    format!("{} m", number(value))
}

pub(crate) fn position(point: DVec3) -> String {
    format!("{} m", list(point.to_array()))
}

/// A size in memory or on disk.
pub(crate) fn bytes(count: u64) -> String {
    match count {
        0..1_000 => format!("{count} bytes"),
        1_000..1_000_000 => format!("{:.1} kB", count as f64 / 1e3),
        _ => format!("{:.1} MB", count as f64 / 1e6),
    }
}

/// As the flags take it, so that an answer can be pasted into the next question.
pub(crate) fn list(values: [f64; 3]) -> String {
    values.map(number).join(",")
}

pub(crate) fn number(value: f64) -> String {
    let rounded = format!("{value:.6}");
    match rounded.trim_end_matches('0').trim_end_matches('.') {
        "-0" => "0".to_owned(),
        trimmed => trimmed.to_owned(),
    }
}
