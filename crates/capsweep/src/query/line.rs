//! Traverses the triangles and shapes along a line: shared by rays and supports.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::Sides;
use crate::bvh::F32x8;
use crate::cull::local_ray::{ExactRay, LocalRay};
use crate::scene::body::Shape;
use crate::scene::filter::Filter;
use crate::scene::mesh_instance::MeshInstance;
use crate::scene::store::Content;
use crate::tolerance::LINE_MARGIN;
use crate::traverse::scene_visitor::{SceneVisitor, traverse_scene};
use crate::traverse::static_source::StaticSource;
use glam::DVec3;

/// Receives the triangles and shapes along a line.
pub(crate) trait LineVisitor {
    /// Latest time that is still of interest, as a fraction of the line's motion.
    fn limit(&self) -> f64;

    /// The sides of triangles that the query asks for.
    fn sides(&self) -> Sides;

    /// A triangle that the line may cross, by its slot in its mesh.
    fn triangle<L: F32x8>(&mut self, instance: &MeshInstance, slot: usize);

    /// A shape that the line may cross.
    fn shape(&mut self, body: u32, shape: &Shape);
}

/// A segment of a line through a scene.
#[derive(Clone, Copy)]
pub(crate) struct Line<'a> {
    pub(crate) content: &'a Content,
    pub(crate) source: StaticSource<'a>,
    pub(crate) filter: &'a Filter,
    pub(crate) start: DVec3,
    pub(crate) motion: DVec3,
}

impl Line<'_> {
    /// Calls `visitor` for everything that the line may cross, in the order of the boxes along it.
    #[inline]
    pub(crate) fn traverse(&self, visitor: &mut impl LineVisitor) {
        let mut visitor = LineTraversal { line: self, visitor };
        traverse_scene(self.content, self.source, *self.filter, &mut visitor);
    }
}

/// Culls by the line and passes the rest on to the line's visitor.
struct LineTraversal<'a, V> {
    line: &'a Line<'a>,
    visitor: &'a mut V,
}

impl<V: LineVisitor> SceneVisitor for LineTraversal<'_, V> {
    type InWorld = LocalRay;
    type InMesh = LocalRay;

    fn limit(&self) -> f64 {
        self.visitor.limit()
    }

    fn in_world<L: F32x8>(&self, max_coordinate: f64) -> LocalRay {
        let exact = ExactRay {
            origin: self.line.start,
            motion: self.line.motion,
            reach: LINE_MARGIN,
            max_coordinate,
            world_rounding: 0.0,
        };
        LocalRay::new::<L>(&exact, self.limit())
    }

    #[inline(always)]
    fn in_mesh<L: F32x8>(&self, instance: &MeshInstance) -> LocalRay {
        let MeshInstance { surface, pose, .. } = *instance;
        let exact = ExactRay {
            origin: pose.point_to_local_approx(self.line.start),
            motion: pose.vector_to_local_approx(self.line.motion),
            reach: LINE_MARGIN * pose.max_inv_scale(),
            max_coordinate: surface.max_coordinate(),
            world_rounding: pose.rounding_error(surface.max_coordinate()) * pose.max_inv_scale(),
        };
        LocalRay::new::<L>(&exact, self.limit())
    }

    #[inline(always)]
    fn prefetch(&self, instance: &MeshInstance, slot: usize) {
        instance.surface.prefetch_index(slot);
    }

    fn sides(&self) -> Sides {
        self.visitor.sides()
    }

    fn shape(&mut self, body: u32, shape: &Shape) {
        self.visitor.shape(body, shape);
    }

    #[inline(always)]
    fn triangle<L: F32x8>(&mut self, instance: &MeshInstance, slot: usize, _key: Option<f32>) {
        self.visitor.triangle::<L>(instance, slot);
    }
}
