//! The edges that make a level recognisable: borders and creases of its surface.

use capsweep::scene::{Filter, Scene};
use capsweep::{Aabb, Triangle};
use glam::{DVec3, Vec3};
use std::collections::BTreeMap;

/// Cosine of the smallest angle between two faces that makes a crease.
const CREASE_COS: f64 = 0.8;
/// Grid size for welding corners, in metres.
const WELD: f64 = 1e-3;
/// With more triangles in view, the picture has no edges: they would be solid ink.
const MAX_TRIANGLES: usize = 150_000;

/// The kind of an edge, updated with each triangle that shares it.
enum EdgeKind {
    /// No triangle yet.
    New,
    /// One triangle, with its normal.
    Border(DVec3),
    /// Two triangles in nearly one plane: invisible.
    Flat,
    Crease,
}

/// The two corners of an edge in units of [`WELD`], sorted.
type EdgeKey = [[i32; 3]; 2];

/// The borders and creases of the static and dynamic meshes in a box.
pub(crate) fn edges(scene: &Scene, region: &Aabb) -> Vec<[DVec3; 2]> {
    let mut triangles = Vec::new();
    scene.triangles_seen_in(region, &Filter::default(), |shown| {
        if triangles.len() <= MAX_TRIANGLES {
            triangles.push(shown.triangle);
        }
    });
    if triangles.len() > MAX_TRIANGLES {
        return Vec::new();
    }
    let mut edges = BTreeMap::new();
    for triangle in &triangles {
        add_edges(&mut edges, triangle, region.center());
    }
    let is_visible = |(kind, _): &(EdgeKind, _)| !matches!(kind, EdgeKind::Flat);
    edges.into_values().filter(is_visible).map(|(_, edge)| edge).collect()
}

fn add_edges(
    edges: &mut BTreeMap<EdgeKey, (EdgeKind, [DVec3; 2])>,
    triangle: &Triangle,
    origin: DVec3,
) {
    let Some(normal) = triangle.normal().map(Vec3::as_dvec3) else { return };
    let corners = triangle.vertices();
    for i in 0..3 {
        let edge = [corners[i], corners[(i + 1) % 3]];
        let welded =
            |corner: DVec3| ((corner - origin) / WELD).round().to_array().map(|x| x as i32);
        let mut key = edge.map(welded);
        key.sort_unstable();
        let (kind, _) = edges.entry(key).or_insert((EdgeKind::New, edge));
        *kind = match *kind {
            EdgeKind::New => EdgeKind::Border(normal),
            EdgeKind::Border(other) if other.dot(normal) > CREASE_COS => EdgeKind::Flat,
            _ => EdgeKind::Crease,
        };
    }
}
