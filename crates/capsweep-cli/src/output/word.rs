//! Words for the parts that touch, the same in text and JSON.

use capsweep::{Feature, Region};

pub(super) fn feature(feature: Feature) -> String {
    match feature {
        Feature::Face => "face".to_owned(),
        Feature::Edge(index) => format!("edge {index}"),
        Feature::Vertex(index) => format!("vertex {index}"),
    }
}

pub(super) fn region(region: Region) -> &'static str {
    match region {
        Region::Bottom => "bottom",
        Region::Side => "side",
        Region::Top => "top",
        Region::Sphere => "sphere",
    }
}
