//! Everything along a line, shown to whoever asks: the walk below rays and supports.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::Sides;
use crate::bvh::F32x8;
use crate::cull::local_ray::{ExactRay, LocalRay};
use crate::pair::ray::{
    Cast, Span, span_of_box, span_of_capsule, span_of_half_space, span_of_sphere,
};
use crate::scene::body::{Body, Shape};
use crate::scene::filter::Filter;
use crate::scene::mesh_instance::MeshInstance;
use crate::scene::store::Content;
use crate::tolerance::END_SLACK;
use crate::traverse::scene_visitor::{SceneVisitor, traverse_scene};
use glam::DVec3;

/// Who looks along a line.
pub(crate) trait Observer {
    /// Latest time that is still of interest, as a fraction of the line.
    fn limit(&self) -> f64;

    /// The sides of a body's triangles that count.
    fn sides(&self, body: &Body) -> Sides;

    /// A triangle that the line may cross, by its slot in its mesh.
    fn triangle<L: F32x8>(&mut self, instance: &MeshInstance, slot: usize);

    /// A shape that the line may cross.
    fn shape(&mut self, body: u32, shape: &Shape);
}

/// A piece of a line through a scene.
#[derive(Clone, Copy)]
pub(crate) struct Line<'a> {
    pub(crate) content: &'a Content,
    pub(crate) filter: &'a Filter,
    pub(crate) start: DVec3,
    pub(crate) motion: DVec3,
}

/// What the walk allows for around a line, on top of rounding: more than any slack at its ends (metres).
const REACH: f64 = 4.0 * END_SLACK;

impl Line<'_> {
    /// Shows everything on the line to `observer`, nearest first as far as boxes tell.
    #[inline]
    pub(crate) fn show(&self, observer: &mut impl Observer) {
        traverse_scene(self.content, None, *self.filter, &mut Looking { line: self, observer });
    }
}

/// Looks along a line.
struct Looking<'a, O> {
    line: &'a Line<'a>,
    observer: &'a mut O,
}

impl<O: Observer> SceneVisitor for Looking<'_, O> {
    type InWorld = LocalRay;
    type InMesh = LocalRay;

    fn limit(&self) -> f64 {
        self.observer.limit()
    }

    fn in_world<L: F32x8>(&self, size: f64) -> LocalRay {
        let exact = ExactRay {
            origin: self.line.start,
            motion: self.line.motion,
            reach: REACH,
            mesh_size: size,
            world_rounding: 0.0,
        };
        LocalRay::new::<L>(&exact, self.limit())
    }

    #[inline(always)]
    fn in_mesh<L: F32x8>(&self, instance: &MeshInstance) -> LocalRay {
        let MeshInstance { mesh, pose, .. } = *instance;
        let exact = ExactRay {
            origin: pose.point_near_local(self.line.start),
            motion: pose.vector_near_local(self.line.motion),
            reach: REACH * pose.local_metre(),
            mesh_size: mesh.size(),
            world_rounding: pose.rounding(mesh.size()) * pose.local_metre(),
        };
        LocalRay::new::<L>(&exact, self.limit())
    }

    #[inline(always)]
    fn prefetch(&self, instance: &MeshInstance, slot: usize) {
        instance.mesh.prefetch_index(slot);
    }

    fn sides(&self, body: &Body) -> Sides {
        self.observer.sides(body)
    }

    fn shape(&mut self, body: u32, shape: &Shape) {
        self.observer.shape(body, shape);
    }

    #[inline(always)]
    fn triangle<L: F32x8>(&mut self, instance: &MeshInstance, slot: usize, _key: Option<f32>) {
        self.observer.triangle::<L>(instance, slot);
    }
}

/// The part of a ray's line that lies in a shape.
pub(crate) fn span_of_shape(ray: &Cast, shape: &Shape) -> Option<Span> {
    match shape {
        Shape::Box(obb) => span_of_box(ray, obb),
        Shape::Sphere(sphere) => span_of_sphere(ray, sphere),
        Shape::Capsule(capsule) => span_of_capsule(ray, capsule),
        Shape::HalfSpace(half_space) => span_of_half_space(ray, half_space),
    }
}
