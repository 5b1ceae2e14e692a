//! Text output: a heading and aligned rows.
//!
//! Numbers have six decimals, a micrometre: half the error bound of the library. A radius is f32,
//! so more digits would turn `0.4` into `0.400000006`.

use capsweep::persist::MapUnit;
use capsweep::{Feature, Region};
use glam::{DVec3, Vec3};

/// An answer with a text form.
pub(crate) trait Text {
    /// Lengths are in `unit`, that of the world.
    fn text(&self, unit: MapUnit) -> String;
}

/// Rows of a label and a value.
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

    /// Adds no row if there are none.
    pub(crate) fn barycentrics(self, weights: Option<[f64; 3]>) -> Self {
        match weights {
            Some(weights) => self.row("barycentrics", list(weights)),
            None => self,
        }
    }

    /// The heading, and the rows under it in two aligned columns.
    pub(crate) fn under(&self, heading: &str) -> String {
        let width = self.0.iter().map(|(label, _)| label.len()).max().unwrap_or(0);
        let rows = self.0.iter().map(|(label, value)| format!("\n  {label:width$}  {value}"));
        heading.to_owned() + &rows.collect::<String>()
    }
}

pub(crate) fn along_normal(depth: f64, unit: MapUnit) -> String {
    format!("{} along the normal", length(depth, unit))
}

pub(crate) fn length(value: f64, unit: MapUnit) -> String {
    format!("{} {}", number(value), unit.symbol())
}

pub(crate) fn position(point: DVec3, unit: MapUnit) -> String {
    format!("{} {}", list(point.to_array()), unit.symbol())
}

/// A size in memory or on disk.
pub(crate) fn bytes(count: u64) -> String {
    match count {
        0..1_000 => format!("{count} bytes"),
        1_000..1_000_000 => format!("{:.1} kB", count as f64 / 1e3),
        _ => format!("{:.1} MB", count as f64 / 1e6),
    }
}

/// In the form that flags take, so that users can paste an answer into the next command.
pub(crate) fn list(values: [f64; 3]) -> String {
    values.map(number).join(",")
}

/// Rounded to six decimals, without trailing zeros.
pub(crate) fn number(value: f64) -> String {
    let rounded = rounded(value, 6);
    rounded.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Rounded to `digits` decimals; zero has no minus sign.
pub(crate) fn rounded(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    match text.strip_prefix('-') {
        Some(zero) if zero.chars().all(|c| matches!(c, '0' | '.')) => zero.to_owned(),
        _ => text,
    }
}

/// A count and its noun, such as `2 meshes` or `1 mesh`.
pub(crate) fn count(number: usize, singular: &str, plural: &str) -> String {
    format!("{number} {}", if number == 1 { singular } else { plural })
}
