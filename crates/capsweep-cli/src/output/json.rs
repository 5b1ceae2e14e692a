//! The JSON shapes. `hit` says whether there is an answer; the other keys are there if it is true.
//!
//! Normals are f32 in the library and written as the f64 of the same value, so that a reader of
//! either width gets the library's bits.

use crate::target::At;
use capsweep::{ClosestPoints, Feature, Overlap, Region, SweepHit};
use glam::Vec3;
use serde::Serialize;
use serde_json::Result;

pub(crate) trait Json {
    fn json(&self) -> Result<String>;
}

pub(super) fn clear() -> Result<String> {
    #[derive(Serialize)]
    struct Clear {
        hit: bool,
    }
    serde_json::to_string(&Clear { hit: false })
}

#[derive(Serialize)]
struct SweepObject {
    hit: bool,
    time: f64,
    distance: f64,
    point: [f64; 3],
    normal: [f64; 3],
    face_normal: [f64; 3],
    depth: f64,
    #[serde(flatten)]
    parts: Parts,
}

#[derive(Serialize)]
struct OverlapObject {
    hit: bool,
    depth: f64,
    point: [f64; 3],
    normal: [f64; 3],
    face_normal: [f64; 3],
    #[serde(flatten)]
    parts: Parts,
}

#[derive(Serialize)]
struct ClosestObject {
    hit: bool,
    distance: f64,
    on_capsule: [f64; 3],
    on_geometry: [f64; 3],
    normal: [f64; 3],
    face_normal: [f64; 3],
    #[serde(flatten)]
    parts: Parts,
}

/// Which parts of which shapes: the end of every object.
#[derive(Serialize)]
struct Parts {
    feature: String,
    region: String,
    barycentrics: Option<[f64; 3]>,
    target: &'static str,
    index: usize,
}

impl<T> At<T> {
    fn parts(&self, feature: Feature, region: Region, barycentrics: Option<[f64; 3]>) -> Parts {
        Parts {
            feature: feature.to_string(),
            region: region.to_string(),
            barycentrics,
            target: self.kind,
            index: self.index,
        }
    }
}

impl Json for At<SweepHit> {
    fn json(&self) -> Result<String> {
        let hit = &self.found;
        serde_json::to_string(&SweepObject {
            hit: true,
            time: hit.time,
            distance: hit.distance,
            point: hit.point.to_array(),
            normal: widened(hit.normal),
            face_normal: widened(hit.face_normal),
            depth: hit.depth,
            parts: self.parts(hit.feature, hit.region, hit.barycentrics),
        })
    }
}

impl Json for At<Overlap> {
    fn json(&self) -> Result<String> {
        let overlap = &self.found;
        serde_json::to_string(&OverlapObject {
            hit: true,
            depth: overlap.depth,
            point: overlap.point.to_array(),
            normal: widened(overlap.normal),
            face_normal: widened(overlap.face_normal),
            parts: self.parts(overlap.feature, overlap.region, overlap.barycentrics),
        })
    }
}

impl Json for At<ClosestPoints> {
    fn json(&self) -> Result<String> {
        let points = &self.found;
        serde_json::to_string(&ClosestObject {
            hit: true,
            distance: points.distance,
            on_capsule: points.on_capsule.to_array(),
            on_geometry: points.on_geometry.to_array(),
            normal: widened(points.normal),
            face_normal: widened(points.face_normal),
            parts: self.parts(points.feature, points.region, points.barycentrics),
        })
    }
}

fn widened(normal: Vec3) -> [f64; 3] {
    normal.as_dvec3().to_array()
}
