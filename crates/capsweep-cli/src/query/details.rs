//! The keys that end the answers of several queries: feature, region, target, barycentrics.

use super::named_target::NamedTarget;
use capsweep::{Feature, Region};
use glam::Vec3;
use serde::Serialize;

/// `face`, `edge` or `vertex`.
pub(super) fn feature_name(feature: Feature) -> &'static str {
    match feature {
        Feature::Face => "face",
        Feature::Edge(_) => "edge",
        Feature::Vertex(_) => "vertex",
    }
}

/// The number of the edge or vertex in the target.
pub(super) fn feature_index(feature: Feature) -> Option<u8> {
    match feature {
        Feature::Face => None,
        Feature::Edge(index) | Feature::Vertex(index) => Some(index),
    }
}

/// A normal for JSON. Normals are f32 in the library; the f64 of the same value gives readers of
/// either width the same bits.
pub(super) fn normal_to_f64(normal: Vec3) -> [f64; 3] {
    normal.as_dvec3().to_array()
}

/// The touched feature of the target, the touching region of the capsule, and the target.
#[derive(Serialize)]
pub(super) struct HitDetails<'a> {
    feature: &'static str,
    /// Region of the capsule; `None` for a ray.
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<String>,
    #[serde(flatten)]
    pub(super) target: NamedTarget<'a>,
    feature_index: Option<u8>,
    barycentrics: Option<[f64; 3]>,
}

impl<'a> HitDetails<'a> {
    pub(super) fn new(
        feature: Feature,
        region: Option<Region>,
        target: NamedTarget<'a>,
        barycentrics: Option<[f64; 3]>,
    ) -> Self {
        Self {
            feature: feature_name(feature),
            region: region.map(|region| region.to_string()),
            target,
            feature_index: feature_index(feature),
            barycentrics,
        }
    }
}
