//! First touch with everything in a scene (rules 3.2, 10.2, 10.3).

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::bvh::{F32x8, dispatch};
use crate::cull::local_capsule::{LocalCapsule, OverlapCull};
use crate::cull::local_sweep::{LocalSweep, SweptCapsule};
use crate::cull::moving_box::MovingBox;
use crate::cull::sweep_frame::SweepFrame;
use crate::math::F64x4;
use crate::pair::contract::{CapsuleFrame, Sweep};
use crate::query::collect::first_hit::FirstHitCollector;
use crate::query::collect::first_time::FirstTimeCollector;
use crate::query::impact::{Collector, HitTriangle, SweepContext, TakeTriangle, TriangleImpact};
use crate::scene::body::{Body, Shape};
use crate::scene::filter::Filter;
use crate::scene::hit::{HitTarget, SceneHit};
use crate::scene::mesh_instance::MeshInstance;
use crate::scene::store::{Content, Scene};
use crate::shape::pose::Scale;
use crate::traverse::neighborhood::{NeighborhoodView, TriangleRef};
use crate::traverse::neighborhood_view::CandidateCount;
use crate::traverse::scene_visitor::{SceneVisitor, traverse_scene};
use crate::{Capsule, Motion, Sides, SweepHit};
use glam::DVec3;

impl Scene {
    /// First touch of `capsule`, moving by `motion`, with what `filter` lets it see.
    ///
    /// An overlap at the start is a hit at time 0, the deepest first. Of the contacts within [`CONTACT_TOLERANCE`](crate::CONTACT_TOLERANCE) of
    /// the first, the most head-on is reported, then by kind, key and triangle: the answer does not depend on the order of
    /// insertion (given keys) nor on the tree. On an edge where the surface goes on, within [`SEAM`](crate::SEAM), its normal is a
    /// face's.
    #[inline]
    pub fn sweep(
        &self,
        capsule: &Capsule,
        motion: &Motion,
        filter: &Filter,
    ) -> Option<SceneHit<SweepHit>> {
        self.sweep_by(None, (capsule, motion), filter, true)
    }

    /// As [`Scene::sweep`], around the trees over static bodies if all that it can meet was gathered before. `weights`: whether the hit says where
    /// on a triangle it is.
    pub(crate) fn sweep_by(
        &self,
        shortcut: Option<&NeighborhoodView>,
        (capsule, motion): (&Capsule, &Motion),
        filter: &Filter,
        weights: bool,
    ) -> Option<SceneHit<SweepHit>> {
        let view = CapsuleFrame::of(capsule);
        let sweep = Sweep::new(&view, motion, filter.sides).with_weights(weights);
        let query = Query::new(self.content(), capsule, sweep, filter).by(shortcut);
        let mut first = FirstHitCollector::new(&query.context);
        loop {
            query.run_first(&mut first);
            if !first.ties.look_again() {
                return first.answer();
            }
        }
    }

    /// When [`Scene::sweep`] has its first touch, by a shortcut, and the triangle of a static mesh that it is with, if it is.
    pub(crate) fn sweep_time(
        &self,
        shortcut: &NeighborhoodView,
        (capsule, motion): (&Capsule, &Motion),
        filter: &Filter,
    ) -> Option<(f64, Option<TriangleRef>)> {
        if matches!(shortcut.survey(self, filter), CandidateCount::Clear) {
            return None;
        }
        let view = CapsuleFrame::of(capsule);
        let sweep = Sweep::new(&view, motion, filter.sides);
        let query = Query::new(self.content(), capsule, sweep, filter).by(Some(shortcut));
        let mut earliest = FirstTimeCollector::new(sweep.end);
        query.run(&mut earliest);
        earliest.found()
    }

    /// Whether a sweep is stopped at its start by a triangle: it does not matter then what else is there.
    pub(crate) fn is_stopped_by(
        &self,
        at: TriangleRef,
        (capsule, motion): (&Capsule, &Motion),
        filter: &Filter,
    ) -> bool {
        let Some((_, body)) = self.content().at(at.body) else { return false };
        let Some((instance, slot)) = at.seen(body, filter) else { return false };
        let view = CapsuleFrame::of(capsule);
        let sweep = Sweep::new(&view, motion, filter.sides);
        let context = Query::new(self.content(), capsule, sweep, filter).context;
        dispatch(TriangleImpact {
            context: &context,
            instance: &instance,
            slot,
            limit: 0.0,
            starts_apart: false,
        })
        .is_some()
    }

    /// As [`Scene::sweep_by`] where there is one triangle and nothing else to meet.
    #[inline(never)]
    pub(crate) fn sweep_one(
        &self,
        (shortcut, at): (&NeighborhoodView, TriangleRef),
        (capsule, motion): (&Capsule, &Motion),
        filter: &Filter,
        weights: bool,
    ) -> Option<SceneHit<SweepHit>> {
        let (id, body) = self.content().at(at.body)?;
        let (instance, slot) = at.seen(body, filter)?;
        let view = CapsuleFrame::of(capsule);
        let sweep = Sweep::new(&view, motion, filter.sides).with_weights(weights);
        let context = Query::new(self.content(), capsule, sweep, filter).by(Some(shortcut)).context;
        let impact = TriangleImpact {
            context: &context,
            instance: &instance,
            slot,
            limit: sweep.end,
            starts_apart: false,
        };
        dispatch(HitTriangle { impact, target: HitTarget::of(id, body, at.slot) })
    }
}

/// A sweep through a scene.
#[derive(Clone, Copy)]
pub(crate) struct Query<'a> {
    capsule: &'a Capsule,
    pub(crate) context: SweepContext<'a>,
}

impl<'a> Query<'a> {
    pub(crate) fn new(
        content: &'a Content,
        capsule: &'a Capsule,
        sweep: Sweep<'a>,
        filter: &'a Filter,
    ) -> Self {
        Self { capsule, context: SweepContext { content, shortcut: None, sweep, filter } }
    }

    pub(crate) fn by(mut self, shortcut: Option<&'a NeighborhoodView<'a>>) -> Self {
        self.context.shortcut = shortcut;
        self
    }

    /// Shows every contact on the way to `collector`.
    pub(crate) fn run(&self, collector: &mut dyn Collector) {
        if self.context.sweep.motion.is_zero() {
            self.traverse(&mut OverlapSearch(Sweeping { query: self, collector }));
        } else {
            self.traverse(&mut Sweeping { query: self, collector });
        }
    }

    /// As [`Query::run`], for the one collector that is in a hurry. A walk is much code, compiled for each kind of search.
    #[inline(always)]
    fn run_first(&self, first: &mut FirstHitCollector) {
        if self.context.sweep.motion.is_zero() {
            self.run(first);
        } else {
            self.traverse(&mut Sweeping { query: self, collector: first });
        }
    }

    fn traverse(&self, search: &mut impl SceneVisitor) {
        let SweepContext { content, shortcut, filter, .. } = self.context;
        traverse_scene(content, shortcut, *filter, search);
    }
}

/// Looks for what the sweep meets.
struct Sweeping<'a, C: ?Sized> {
    query: &'a Query<'a>,
    collector: &'a mut C,
}

impl<C: Collector + ?Sized> SceneVisitor for Sweeping<'_, C> {
    type InWorld = MovingBox;
    type InMesh = LocalSweep;

    const MAY_WAIT: bool = true;

    fn limit(&self) -> f64 {
        self.collector.limit()
    }

    #[inline(always)]
    fn in_world<L: F32x8>(&self, size: f64) -> MovingBox {
        let Query { capsule, context } = self.query;
        let motion = context.sweep.motion;
        let narrow = |vector: DVec3| L::narrowed(L::F64x4::of_vector(vector));
        let swept = SweptCapsule::<L> {
            origin: narrow(capsule.center()),
            half_axis: narrow(context.sweep.view.half_axis()),
            motion: narrow(motion.vector()),
            speed: motion.length() as f32,
            radius: capsule.radius(),
            mesh_size: size as f32,
            front: 0.0,
            world_rounding: 0.0,
            scale: &Scale::NONE,
        };
        swept.moving_box(self.limit())
    }

    #[inline(always)]
    fn in_mesh<L: F32x8>(&self, instance: &MeshInstance) -> LocalSweep {
        let Query { capsule, context } = self.query;
        let MeshInstance { mesh, pose, sides, .. } = *instance;
        let motion = context.sweep.motion;
        let half_axis = L::F64x4::of_vector(context.sweep.view.half_axis());
        let center = L::F64x4::of_vector(capsule.p0()) + half_axis;
        let origin = pose.lanes_to_local(center - L::F64x4::of_vector(pose.position()));
        let vector = L::F64x4::of_vector(motion.vector());
        let swept = SweptCapsule::<L> {
            origin: L::narrowed(origin),
            half_axis: L::narrowed(pose.lanes_to_local(half_axis)),
            motion: L::narrowed(pose.lanes_to_local(vector)),
            speed: motion.length() as f32,
            radius: capsule.radius(),
            mesh_size: pose.scaled(mesh.size()) as f32,
            front: match sides {
                Sides::Both => 0.0,
                Sides::Front if pose.is_mirrored() => -1.0,
                Sides::Front => 1.0,
            },
            world_rounding: pose.rounding(mesh.size()) as f32,
            scale: pose.local_scale(),
        };
        LocalSweep::new(&swept, self.limit())
    }

    #[inline(always)]
    fn prepare_triangles<L: F32x8>(
        &self,
        MeshInstance { pose, .. }: &MeshInstance,
        cull: &mut LocalSweep,
    ) {
        let sweep = &self.query.context.sweep;
        let half_axis = pose.lanes_to_local(L::F64x4::of_vector(sweep.view.half_axis()));
        let motion = pose.lanes_to_local(L::F64x4::of_vector(sweep.motion.vector()));
        cull.frame = SweepFrame::new::<L>(half_axis, motion, sweep.motion.length());
    }

    fn sides(&self, body: &Body) -> Sides {
        self.query.context.filter.sides_of(body)
    }

    fn shape(&mut self, body: u32, shape: &Shape) {
        if let Some(contact) = self.query.context.shape(body, shape, self.limit()) {
            self.collector.take(contact, None);
        }
    }

    #[inline(always)]
    fn triangle<L: F32x8>(&mut self, instance: &MeshInstance, slot: usize, key: Option<f32>) {
        // What is met later, as far as a filter can tell that allows for twice the bound, is apart at the start.
        let starts_apart = key.is_some_and(|time| time > 0.0);
        let limit = self.limit();
        let impact =
            TriangleImpact { context: &self.query.context, instance, slot, limit, starts_apart };
        L::call(TakeTriangle { impact, collector: &mut *self.collector });
    }

    fn is_done(&self) -> bool {
        self.collector.is_done()
    }

    fn is_for_first(&self) -> bool {
        self.collector.is_for_first()
    }
}

/// Looks for what a sweep that goes nowhere overlaps.
struct OverlapSearch<'a>(Sweeping<'a, dyn Collector + 'a>);

impl SceneVisitor for OverlapSearch<'_> {
    type InWorld = OverlapCull;
    type InMesh = OverlapCull;

    /// Surfaces that are this far apart do not overlap.
    fn limit(&self) -> f64 {
        0.0
    }

    fn in_world<L: F32x8>(&self, size: f64) -> OverlapCull {
        OverlapCull::new(LocalCapsule::in_world(self.0.query.capsule, size, self.limit()))
    }

    #[inline(always)]
    fn in_mesh<L: F32x8>(&self, instance: &MeshInstance) -> OverlapCull {
        OverlapCull::new(LocalCapsule::in_mesh(self.0.query.capsule, instance, self.limit()))
    }

    fn sides(&self, body: &Body) -> Sides {
        self.0.sides(body)
    }

    fn shape(&mut self, body: u32, shape: &Shape) {
        self.0.shape(body, shape);
    }

    #[inline(always)]
    fn triangle<L: F32x8>(&mut self, instance: &MeshInstance, slot: usize, _key: Option<f32>) {
        self.0.triangle::<L>(instance, slot, None);
    }

    fn is_done(&self) -> bool {
        self.0.is_done()
    }
}
