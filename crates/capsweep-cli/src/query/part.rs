//! Which part of a target, and which way: words and numbers that several answers have.

use super::place::Place;
use capsweep::{Feature, Region};
use glam::Vec3;
use serde::Serialize;

/// `face`, `edge` or `vertex`.
pub(super) fn feature_word(feature: Feature) -> &'static str {
    match feature {
        Feature::Face => "face",
        Feature::Edge(_) => "edge",
        Feature::Vertex(_) => "vertex",
    }
}

/// Which edge or vertex of the target.
pub(super) fn feature_index(feature: Feature) -> Option<u8> {
    match feature {
        Feature::Face => None,
        Feature::Edge(index) | Feature::Vertex(index) => Some(index),
    }
}

/// Normals are f32 in the library and written as the f64 of the same value, so that a reader of either width gets the
/// library's bits.
pub(super) fn widened(normal: Vec3) -> [f64; 3] {
    normal.as_dvec3().to_array()
}

/// Which part of what touches which part of what: how every answer ends.
#[derive(Serialize)]
pub(super) struct Part<'a> {
    feature: &'static str,
    /// Of the capsule; a ray has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<String>,
    #[serde(flatten)]
    pub(super) place: Place<'a>,
    feature_index: Option<u8>,
    barycentrics: Option<[f64; 3]>,
}

impl<'a> Part<'a> {
    pub(super) fn new(
        feature: Feature,
        region: Option<Region>,
        place: Place<'a>,
        barycentrics: Option<[f64; 3]>,
    ) -> Self {
        Self {
            feature: feature_word(feature),
            region: region.map(|region| region.to_string()),
            place,
            feature_index: feature_index(feature),
            barycentrics,
        }
    }
}
