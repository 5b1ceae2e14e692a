//! The first hit of a sweep through a scene.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::cull::local_capsule::{LocalCapsule, OverlapCull};
use crate::cull::local_sweep::{LocalSweep, SweptCapsule};
use crate::cull::moving_box::MovingBox;
use crate::cull::sweep_frame::SweepFrame;
use crate::math::F32x8;
use crate::math::F64x4;
use crate::pair::contract::{CapsuleFrame, Sweep};
use crate::query::collect::first_hit::FirstHitCollector;
use crate::query::collect::first_time::FirstTimeCollector;
use crate::query::impact::{Collector, SweepContext, TestTriangle};
use crate::scene::body::Shape;
use crate::scene::filter::Filter;
use crate::scene::hit::{HitTarget, SceneHit};
use crate::scene::mesh_instance::MeshInstance;
use crate::scene::store::{Content, Scene};
use crate::shape::pose::ScaleF32;
use crate::traverse::neighborhood::TriangleRef;
use crate::traverse::neighborhood_view::CandidateCount;
use crate::traverse::scene_visitor::{SceneVisitor, traverse_scene};
use crate::traverse::static_source::StaticSource;
use crate::{Capsule, Motion, Sides, SweepHit};
use glam::DVec3;

impl Scene {
    /// The first hit of `capsule`, moving by `motion`, with everything that `filter` sees.
    ///
    /// An overlap at the start is a hit at time 0, the deepest first. Several contacts can lie
    /// within [`CONTACT_TOLERANCE`](crate::CONTACT_TOLERANCE) of the first. Of these the most
    /// head-on is reported, then the first by kind, key and triangle. So the answer depends
    /// neither on the order of insertion (given keys) nor on the tree. At an internal edge, where
    /// another triangle continues the surface within [`SEAM_DISTANCE`](crate::SEAM_DISTANCE), the
    /// normal is that of a face.
    #[inline]
    pub fn sweep(
        &self,
        capsule: &Capsule,
        motion: &Motion,
        filter: &Filter,
    ) -> Option<SceneHit<SweepHit>> {
        first_hit(self.content(), StaticSource::Tree, (capsule, motion), filter, true)
    }
}

/// The first hit of a sweep. `barycentrics`: whether the hit has them; the controller needs none.
///
/// Always inlined: it is a choice of three calls, and its many arguments would go through memory.
#[inline(always)]
pub(crate) fn first_hit(
    content: &Content,
    source: StaticSource,
    swept: (&Capsule, &Motion),
    filter: &Filter,
    barycentrics: bool,
) -> Option<SceneHit<SweepHit>> {
    // Most sweeps of a walk end here: nothing, or one triangle, is close enough.
    if let StaticSource::Packets(view) = source {
        match view.count(content, filter) {
            CandidateCount::None => return None,
            CandidateCount::One(triangle) => {
                return hit_single(content, source, triangle, swept, filter, barycentrics);
            }
            CandidateCount::Many => {}
        }
    }
    hit_any_of(content, source, swept, filter, barycentrics)
}

/// The first hit where any number of triangles and shapes are candidates.
fn hit_any_of(
    content: &Content,
    source: StaticSource,
    (capsule, motion): (&Capsule, &Motion),
    filter: &Filter,
    barycentrics: bool,
) -> Option<SceneHit<SweepHit>> {
    let frame = CapsuleFrame::new(capsule);
    let sweep = Sweep::new(&frame, motion, filter.sides).with_barycentrics(barycentrics);
    let context = SweepContext { content, source, capsule, sweep, filter };
    let mut first = FirstHitCollector::new(&context);
    loop {
        context.run_first(&mut first);
        if !first.ties.begin_second_pass() {
            return first.answer();
        }
    }
}

/// The hit where one triangle is the only candidate: no traversal, no ties.
#[inline(never)]
#[allow(clippy::too_many_arguments, reason = "those of the query, and the triangle")]
fn hit_single(
    content: &Content,
    source: StaticSource,
    triangle: TriangleRef,
    (capsule, motion): (&Capsule, &Motion),
    filter: &Filter,
    barycentrics: bool,
) -> Option<SceneHit<SweepHit>> {
    let (id, body) = content.body_by_index(triangle.body)?;
    let (instance, slot) = triangle.seen(body, filter)?;
    let frame = CapsuleFrame::new(capsule);
    let sweep = Sweep::new(&frame, motion, filter.sides).with_barycentrics(barycentrics);
    let context = &SweepContext { content, source, capsule, sweep, filter };
    let (limit, starts_apart) = (sweep.end, false);
    let test = TestTriangle { context, instance: &instance, slot, limit, starts_apart };
    test.hit(HitTarget::of(id, body, triangle.slot))
}

/// The time of [`first_hit`], and its triangle if that is of a static mesh. Saves ties, normals
/// and internal edges, which a sweep that only asks "how far" does not need.
pub(crate) fn first_time(
    content: &Content,
    source: StaticSource,
    (capsule, motion): (&Capsule, &Motion),
    filter: &Filter,
) -> Option<(f64, Option<TriangleRef>)> {
    if let StaticSource::Packets(view) = source
        && matches!(view.count(content, filter), CandidateCount::None)
    {
        return None;
    }
    let frame = CapsuleFrame::new(capsule);
    let sweep = Sweep::new(&frame, motion, filter.sides);
    let mut first = FirstTimeCollector::new(sweep.end);
    SweepContext { content, source, capsule, sweep, filter }.run(&mut first);
    first.found()
}

/// Whether a triangle stops a sweep at time 0. No other body can change that answer.
pub(crate) fn is_stopped_at_start(
    content: &Content,
    triangle: TriangleRef,
    (capsule, motion): (&Capsule, &Motion),
    filter: &Filter,
) -> bool {
    let Some((_, body)) = content.body_by_index(triangle.body) else { return false };
    let Some((instance, slot)) = triangle.seen(body, filter) else { return false };
    let frame = CapsuleFrame::new(capsule);
    let sweep = Sweep::new(&frame, motion, filter.sides);
    let context = &SweepContext { content, source: StaticSource::Tree, capsule, sweep, filter };
    let (limit, starts_apart) = (0.0, false);
    let test = TestTriangle { context, instance: &instance, slot, limit, starts_apart };
    test.find_impact().is_some()
}

impl SweepContext<'_> {
    /// Passes every impact along the motion to `collector`.
    pub(crate) fn run(&self, collector: &mut dyn Collector) {
        if self.sweep.motion.is_zero() {
            self.traverse(&mut OverlapSearch(SweepVisitor { context: self, collector }));
        } else {
            self.traverse(&mut SweepVisitor { context: self, collector });
        }
    }

    /// As [`SweepContext::run`], with static dispatch for the most frequent collector. The others
    /// share one traversal: each copy is much code.
    #[inline(always)]
    fn run_first(&self, first: &mut FirstHitCollector) {
        if self.sweep.motion.is_zero() {
            self.run(first);
        } else {
            self.traverse(&mut SweepVisitor { context: self, collector: first });
        }
    }

    #[inline]
    fn traverse(&self, visitor: &mut impl SceneVisitor) {
        traverse_scene(self.content, self.source, *self.filter, visitor);
    }
}

/// A sweep on its traversal of the scene.
struct SweepVisitor<'a, C: ?Sized> {
    context: &'a SweepContext<'a>,
    collector: &'a mut C,
}

impl<C: Collector + ?Sized> SceneVisitor for SweepVisitor<'_, C> {
    type InWorld = MovingBox;
    type InMesh = LocalSweep;

    const MAY_DEFER: bool = true;

    fn limit(&self) -> f64 {
        self.collector.limit()
    }

    #[inline(always)]
    fn in_world<L: F32x8>(&self, max_coordinate: f64) -> MovingBox {
        let SweepContext { capsule, sweep, .. } = self.context;
        let motion = sweep.motion;
        let narrow = |vector: DVec3| L::narrowed(L::F64x4::of_vector(vector));
        let swept = SweptCapsule::<L> {
            origin: narrow(capsule.center()),
            half_axis: narrow(sweep.frame.half_axis()),
            motion: narrow(motion.vector()),
            speed: motion.length() as f32,
            radius: capsule.radius(),
            max_coordinate: max_coordinate as f32,
            front: 0.0,
            world_rounding: 0.0,
            scale: &ScaleF32::NONE,
        };
        swept.moving_box(self.limit())
    }

    #[inline(always)]
    fn in_mesh<L: F32x8>(&self, instance: &MeshInstance) -> LocalSweep {
        let SweepContext { capsule, sweep, .. } = self.context;
        let MeshInstance { surface, pose, sides, .. } = *instance;
        let motion = sweep.motion;
        let half_axis = L::F64x4::of_vector(sweep.frame.half_axis());
        let center = L::F64x4::of_vector(capsule.p0()) + half_axis;
        let origin = pose.lanes_to_local(center - L::F64x4::of_vector(pose.position()));
        let vector = L::F64x4::of_vector(motion.vector());
        let swept = SweptCapsule::<L> {
            origin: L::narrowed(origin),
            half_axis: L::narrowed(pose.lanes_to_local(half_axis)),
            motion: L::narrowed(pose.lanes_to_local(vector)),
            speed: motion.length() as f32,
            radius: capsule.radius(),
            max_coordinate: pose.scaled(surface.max_coordinate()) as f32,
            front: match sides {
                Sides::Both => 0.0,
                Sides::Front if pose.is_mirrored() => -1.0,
                Sides::Front => 1.0,
            },
            world_rounding: pose.rounding_error(surface.max_coordinate()) as f32,
            scale: pose.scale_f32(),
        };
        LocalSweep::new(&swept, self.limit())
    }

    #[inline(always)]
    fn prepare_triangles<L: F32x8>(
        &self,
        MeshInstance { pose, .. }: &MeshInstance,
        cull: &mut LocalSweep,
    ) {
        let sweep = &self.context.sweep;
        let half_axis = pose.lanes_to_local(L::F64x4::of_vector(sweep.frame.half_axis()));
        let motion = pose.lanes_to_local(L::F64x4::of_vector(sweep.motion.vector()));
        cull.frame = SweepFrame::new::<L>(half_axis, motion, sweep.motion.length());
    }

    fn sides(&self) -> Sides {
        self.context.filter.sides
    }

    fn shape(&mut self, body: u32, shape: &Shape) {
        if let Some(impact) = self.context.test_shape(body, shape, self.limit()) {
            self.collector.add(impact, None);
        }
    }

    #[inline(always)]
    fn triangle<L: F32x8>(&mut self, instance: &MeshInstance, slot: usize, key: Option<f32>) {
        // The culling that gives the key allows for twice the contact tolerance. So a triangle
        // with a key above 0 neither overlaps nor touches at the start.
        let starts_apart = key.is_some_and(|time| time > 0.0);
        let limit = self.limit();
        let test = TestTriangle { context: self.context, instance, slot, limit, starts_apart };
        let collector = &mut *self.collector;
        L::call(
            #[inline(always)]
            move || test.collect::<L>(collector),
        );
    }

    fn is_done(&self) -> bool {
        self.collector.is_done()
    }

    fn wants_first_only(&self) -> bool {
        self.collector.wants_first_only()
    }
}

/// A sweep with zero motion: a search for overlaps. It culls by distance, because a `SweepFrame`
/// needs the direction of a motion.
struct OverlapSearch<'a>(SweepVisitor<'a, dyn Collector + 'a>);

impl SceneVisitor for OverlapSearch<'_> {
    type InWorld = OverlapCull;
    type InMesh = OverlapCull;

    /// Distance between the surfaces, metres: beyond it they do not overlap.
    fn limit(&self) -> f64 {
        0.0
    }

    fn in_world<L: F32x8>(&self, max_coordinate: f64) -> OverlapCull {
        OverlapCull::new::<L>(LocalCapsule::in_world(
            self.0.context.capsule,
            max_coordinate,
            self.limit(),
        ))
    }

    #[inline(always)]
    fn in_mesh<L: F32x8>(&self, instance: &MeshInstance) -> OverlapCull {
        OverlapCull::new::<L>(LocalCapsule::in_mesh(
            self.0.context.capsule,
            instance,
            self.limit(),
        ))
    }

    fn sides(&self) -> Sides {
        self.0.sides()
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
