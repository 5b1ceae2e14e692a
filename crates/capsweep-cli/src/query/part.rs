//! Which part of a target, and which way: words and numbers that several answers have.

use capsweep::Feature;
use glam::Vec3;

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
