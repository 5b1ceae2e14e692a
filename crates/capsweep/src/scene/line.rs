//! Everything along a line, shown to whoever asks: the walk below rays and supports.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use super::body::{Body, Geometry, Shape};
use super::filter::Filter;
use super::mesh::TriMesh;
use super::packet::{ExactSweep, LocalSweep, Packet};
use super::pose::Pose;
use super::store::Content;
use crate::bvh::{Boxes, Kernel, Lanes, NONE, Probe, WIDTH, dispatch, nearest};
use crate::ray::{Ray, Span, span_of_box, span_of_capsule, span_of_half_space, span_of_sphere};
use crate::tolerance::END_SLACK;
use crate::{Sides, Triangle};
use glam::DVec3;

/// Who looks along a line.
pub(super) trait Observer {
    /// Latest time that is still of interest, as a fraction of the line.
    fn limit(&self) -> f64;

    /// The sides of a body's triangles that count.
    fn sides(&self, body: &Body) -> Sides;

    /// A triangle that the line may cross. `slot` is its place in the mesh.
    fn triangle(&mut self, body: u32, slot: u32, triangle: &Triangle, sides: Sides);

    /// A shape that the line may cross.
    fn shape(&mut self, body: u32, shape: &Shape);
}

/// A piece of a line through a scene.
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    pub(super) content: &'a Content,
    pub(super) filter: &'a Filter,
    pub(super) start: DVec3,
    pub(super) motion: DVec3,
}

/// What the walk allows for around a line, on top of rounding: more than any slack at its ends (metres).
const REACH: f64 = 4.0 * END_SLACK;

/// Latest time that the walk knows: a motion so short that this is not past its end stays within the reach.
const LATEST: f64 = 1e30;

impl Line<'_> {
    /// Shows everything on the line to `observer`, nearest first as far as boxes tell.
    pub(super) fn show(&self, observer: &mut impl Observer) {
        for &index in &self.content.endless {
            if let Some((_, body)) = self.content.at(index)
                && self.filter.sees(body)
                && let Geometry::Shape(shape) | Geometry::Obstacle(shape) = &body.geometry
            {
                observer.shape(index, shape);
            }
        }
        let exact = ExactSweep {
            origin: self.start,
            half_axis: DVec3::ZERO,
            motion: self.motion,
            radius: REACH,
            mesh_size: self.content.size,
            front: 0.0,
            blur: 0.0,
        };
        let local = LocalSweep::new(&exact, observer.limit().min(LATEST));
        dispatch(WorldWalk { line: self, observer, local });
    }

    /// The line in the space of a mesh.
    fn seen_from(&self, mesh: &TriMesh, pose: &Pose, sides: Sides) -> ExactSweep {
        ExactSweep {
            origin: pose.point_to_local(self.start),
            half_axis: DVec3::ZERO,
            motion: pose.vector_to_local(self.motion),
            radius: REACH / pose.min_scale(),
            mesh_size: mesh.size(),
            front: if sides == Sides::Both { 0.0 } else { 1.0 },
            blur: pose.rounding(mesh.size()) / pose.min_scale(),
        }
    }
}

/// The part of a ray's line that lies in a shape.
pub(super) fn span_of_shape(ray: &Ray, shape: &Shape) -> Option<Span> {
    match shape {
        Shape::Box(obb) => span_of_box(ray, obb),
        Shape::Sphere(sphere) => span_of_sphere(ray, sphere),
        Shape::Capsule(capsule) => span_of_capsule(ray, capsule),
        Shape::HalfSpace(half_space) => span_of_half_space(ray, half_space),
    }
}

/// Walks the tree over bodies.
struct WorldWalk<'a, O> {
    line: &'a Line<'a>,
    observer: &'a mut O,
    local: LocalSweep,
}

impl<O: Observer> Kernel for WorldWalk<'_, O> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(mut self) {
        nearest::<L>(&self.line.content.tree, &mut self);
    }
}

impl<O: Observer> Probe for WorldWalk<'_, O> {
    #[inline(always)]
    fn enter<L: Lanes>(&mut self, boxes: &Boxes<L>) -> (u32, L) {
        self.local.enter(boxes)
    }

    #[inline(always)]
    fn limit(&self) -> f32 {
        self.local.limit
    }

    #[inline(always)]
    fn leaf<L: Lanes>(&mut self, leaf: usize) -> bool {
        for &item in self.line.content.tree.leaf_items(leaf) {
            if item == NONE {
                break;
            }
            let index = self.line.content.bounded[item as usize];
            if let Some((_, body)) = self.line.content.at(index)
                && self.line.filter.sees(body)
            {
                self.body::<L>(index, body);
            }
        }
        true
    }
}

impl<O: Observer> WorldWalk<'_, O> {
    #[inline(always)]
    fn body<L: Lanes>(&mut self, index: u32, body: &Body) {
        match &body.geometry {
            Geometry::Shape(shape) | Geometry::Obstacle(shape) => self.observer.shape(index, shape),
            Geometry::Mesh { mesh, pose } => {
                let sides = self.observer.sides(body);
                let exact = self.line.seen_from(mesh, pose, sides);
                let local = LocalSweep::new(&exact, self.observer.limit().min(LATEST));
                let observer = &mut *self.observer;
                let mask = self.line.filter.mask;
                let packets = &*mesh.packets;
                let mut walk =
                    MeshWalk { mesh, packets, pose, index, sides, mask, observer, local };
                nearest::<L>(&mesh.bvh, &mut walk);
            }
        }
        self.local.lower_limit(self.observer.limit());
    }
}

/// Walks the tree of a mesh.
struct MeshWalk<'a, O> {
    mesh: &'a TriMesh,
    /// The mesh's, fetched once.
    packets: &'a [Packet],
    pose: &'a Pose,
    index: u32,
    sides: Sides,
    mask: u32,
    observer: &'a mut O,
    local: LocalSweep,
}

impl<O: Observer> Probe for MeshWalk<'_, O> {
    #[inline(always)]
    fn enter<L: Lanes>(&mut self, boxes: &Boxes<L>) -> (u32, L) {
        self.local.enter(boxes)
    }

    #[inline(always)]
    fn limit(&self) -> f32 {
        self.local.limit
    }

    #[inline(always)]
    fn leaf<L: Lanes>(&mut self, leaf: usize) -> bool {
        let (mut bits, keys) = self.local.filter_ray::<L>(&self.packets[leaf]);
        bits &= self.mesh.seen_in(leaf, self.mask);
        if bits == 0 {
            return true;
        }
        let keys = keys.store();
        while bits != 0 {
            let lane = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            if keys[lane] <= self.local.limit {
                let slot = leaf * WIDTH + lane;
                let triangle = self.mesh.world_triangle(self.pose, slot);
                self.observer.triangle(self.index, slot as u32, &triangle, self.sides);
                self.local.lower_limit(self.observer.limit());
            }
        }
        true
    }
}
