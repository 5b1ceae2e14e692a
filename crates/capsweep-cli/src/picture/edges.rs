//! The edges that make a level recognisable: where its surface bends or ends.

use capsweep::scene::{Filter, Scene};
use capsweep::{Aabb, Triangle};
use glam::{DVec3, Vec3};
use std::collections::BTreeMap;

/// Cosine of the least bend that shows.
const BEND: f64 = 0.8;
/// Corners nearer than this are one (metres).
const WELD: f64 = 1e-3;
/// Levels with more triangles in view are drawn without edges: they would be all edges.
const MOST_TRIANGLES: usize = 150_000;

/// What is known of an edge from the triangles that meet in it.
enum Seen {
    Never,
    Once(DVec3),
    Flat,
    Bent,
}

/// Edges of the static and moving meshes in a box.
pub(super) fn edges(scene: &Scene, region: &Aabb) -> Vec<[DVec3; 2]> {
    let mut triangles = Vec::new();
    scene.triangles_seen_in(region, &Filter::default(), |shown| {
        if triangles.len() <= MOST_TRIANGLES {
            triangles.push(shown.triangle);
        }
    });
    if triangles.len() > MOST_TRIANGLES {
        return Vec::new();
    }
    let mut known: BTreeMap<[[i32; 3]; 2], (Seen, [DVec3; 2])> = BTreeMap::new();
    for triangle in &triangles {
        add(&mut known, triangle, region.center());
    }
    let shows = |(seen, _): &(Seen, _)| !matches!(seen, Seen::Flat);
    known.into_values().filter(shows).map(|(_, edge)| edge).collect()
}

fn add(
    known: &mut BTreeMap<[[i32; 3]; 2], (Seen, [DVec3; 2])>,
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
        let (seen, _) = known.entry(key).or_insert((Seen::Never, edge));
        *seen = match *seen {
            Seen::Never => Seen::Once(normal),
            Seen::Once(other) if other.dot(normal) > BEND => Seen::Flat,
            _ => Seen::Bent,
        };
    }
}
