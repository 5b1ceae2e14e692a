//! The readable answer: a heading and aligned rows, numbers rounded to six decimals: a
//! micrometre, half the bound that the library promises. A radius is f32, so further digits of `0.4`
//! would be those of 0.400000006.

use crate::target::At;
use capsweep::{ClosestPoints, Feature, Overlap, Region, SweepHit};
use glam::Vec3;

pub(crate) trait Text {
    fn text(&self) -> String;
}

impl Text for At<SweepHit> {
    fn text(&self) -> String {
        let hit = &self.found;
        let rows = Rows::default()
            .row("time", format!("{} of the motion", number(hit.time)))
            .row("distance", metres(hit.distance))
            .row("point", position(hit.point.to_array()));
        let (heading, rows) = if hit.starts_overlapping() {
            ("starts overlapping", rows.row("depth", along_normal(hit.depth)))
        } else {
            ("touches", rows)
        };
        rows.normals(hit.normal, hit.face_normal)
            .parts(hit.feature, hit.region, hit.barycentrics)
            .under(&format!("{heading} {}", self.name()))
    }
}

impl Text for At<Overlap> {
    fn text(&self) -> String {
        let overlap = &self.found;
        Rows::default()
            .row("depth", along_normal(overlap.depth))
            .row("point", position(overlap.point.to_array()))
            .normals(overlap.normal, overlap.face_normal)
            .parts(overlap.feature, overlap.region, overlap.barycentrics)
            .under(&format!("overlaps {}", self.name()))
    }
}

impl Text for At<ClosestPoints> {
    fn text(&self) -> String {
        let points = &self.found;
        Rows::default()
            .row("distance", metres(points.distance))
            .row("on capsule", position(points.on_capsule.to_array()))
            .row("on target", position(points.on_geometry.to_array()))
            .normals(points.normal, points.face_normal)
            .parts(points.feature, points.region, points.barycentrics)
            .under(&format!("closest to {}", self.name()))
    }
}

impl<T> At<T> {
    fn name(&self) -> String {
        format!("target {} ({})", self.index, self.kind)
    }
}

#[derive(Default)]
struct Rows(Vec<(&'static str, String)>);

impl Rows {
    fn row(mut self, label: &'static str, value: String) -> Self {
        self.0.push((label, value));
        self
    }

    fn normals(self, normal: Vec3, face_normal: Vec3) -> Self {
        self.row("normal", list(normal.as_dvec3().to_array()))
            .row("face normal", list(face_normal.as_dvec3().to_array()))
    }

    fn parts(self, feature: Feature, region: Region, barycentrics: Option<[f64; 3]>) -> Self {
        let rows = self
            .row("feature", format!("{feature} of the target"))
            .row("region", format!("{region} of the capsule"));
        match barycentrics {
            Some(weights) => rows.row("barycentrics", list(weights)),
            None => rows,
        }
    }

    fn under(&self, heading: &str) -> String {
        let width = self.0.iter().map(|(label, _)| label.len()).max().unwrap_or(0);
        let rows = self.0.iter().map(|(label, value)| format!("\n  {label:width$}  {value}"));
        heading.to_owned() + &rows.collect::<String>()
    }
}

fn along_normal(depth: f64) -> String {
    format!("{} along the normal", metres(depth))
}

fn metres(value: f64) -> String {
    format!("{} m", number(value))
}

fn position(point: [f64; 3]) -> String {
    format!("{} m", list(point))
}

/// As the flags take it, so that an answer can be pasted into the next question.
fn list(values: [f64; 3]) -> String {
    values.map(number).join(",")
}

fn number(value: f64) -> String {
    let rounded = format!("{value:.6}");
    match rounded.trim_end_matches('0').trim_end_matches('.') {
        "-0" => "0".to_owned(),
        trimmed => trimmed.to_owned(),
    }
}
