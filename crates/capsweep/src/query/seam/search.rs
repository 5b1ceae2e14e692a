//! Finds the triangles that may have a face at a contact's point: by the scene's trees, or among
//! the triangles of a cache.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::bvh::F32x8;
use crate::query::seam::cull::{FaceQuery, LocalFaceQuery};
use crate::scene::body::Shape;
use crate::scene::filter::Filter;
use crate::scene::mesh_instance::MeshInstance;
use crate::scene::store::Content;
use crate::tolerance::SEAM_DISTANCE;
use crate::traverse::cull_volume::SweptVolume;
use crate::traverse::neighborhood_view::{
    NeighborhoodCandidates, NeighborhoodView, cull_neighborhood,
};
use crate::traverse::scene_visitor::{SceneVisitor, traverse_scene};
use crate::traverse::static_source::StaticSource;
use crate::{Capsule, Sides};

/// Calls `visit` for every triangle that may have a face that `query` asks for: with its mesh, and
/// its slot there. Others may be visited too.
pub(crate) fn for_each_triangle_near(
    content: &Content,
    source: StaticSource,
    filter: Filter,
    query: &FaceQuery,
    visit: &mut dyn FnMut(&MeshInstance, u32),
) {
    let mut visitor = NearTriangleVisitor { query, filter, visit };
    let StaticSource::Packets(&NeighborhoodView { neighborhood, .. }) = source else {
        return traverse_scene(content, source, filter, &mut visitor);
    };
    // Cull volumes are made for capsules: this ball has half of the distance in its radius.
    let ball = Capsule::new(query.point, query.point, (0.5 * SEAM_DISTANCE) as f32);
    let mut candidates = NeighborhoodCandidates::NONE;
    // The point of a deep overlap may lie outside of the cached box. Then the trees are traversed.
    let is_within = ball.is_ok_and(|ball| {
        let swept = SweptVolume::around(&ball, SEAM_DISTANCE - f64::from(ball.radius()));
        cull_neighborhood(neighborhood, &swept, Sides::Both, None, &mut candidates)
    });
    let view = NeighborhoodView { neighborhood, candidates: &candidates };
    let source = if is_within { StaticSource::Packets(&view) } else { StaticSource::Tree };
    traverse_scene(content, source, filter, &mut visitor);
}

/// Passes on the triangles near a point. The callback is dynamic, so that the traversal, which is
/// much code, is compiled once for all callers.
struct NearTriangleVisitor<'a> {
    query: &'a FaceQuery,
    filter: Filter,
    visit: &'a mut dyn FnMut(&MeshInstance, u32),
}

impl SceneVisitor for NearTriangleVisitor<'_> {
    type InWorld = LocalFaceQuery;
    type InMesh = LocalFaceQuery;

    fn limit(&self) -> f64 {
        SEAM_DISTANCE
    }

    #[inline(always)]
    fn in_world<L: F32x8>(&self, max_coordinate: f64) -> LocalFaceQuery {
        LocalFaceQuery::in_world::<L>(self.query.point, max_coordinate)
    }

    #[inline(always)]
    fn in_mesh<L: F32x8>(&self, instance: &MeshInstance) -> LocalFaceQuery {
        LocalFaceQuery::in_mesh::<L>(self.query, instance)
    }

    fn sides(&self) -> Sides {
        self.filter.sides
    }

    /// Shapes have no internal edges.
    fn shape(&mut self, _body: u32, _shape: &Shape) {}

    fn triangle<L: F32x8>(&mut self, instance: &MeshInstance, slot: usize, _key: Option<f32>) {
        (self.visit)(instance, slot as u32);
    }
}
