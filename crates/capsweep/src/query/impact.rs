//! The exact test of a sweep against one triangle or shape, and the hit that it gives.
//!
//! A hit is *uncorrected* if it is the one of the triangle or shape alone. It is *corrected* if
//! its normal takes the neighbours at an internal edge into account.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::math::{F32x8, with_lanes};
use crate::pair::contract::{Impact, ImpactContact, Sweep, Target, is_pierced};
use crate::pair::target::TriangleTarget;
use crate::scene::body::{Geometry, Shape, Visitor};
use crate::scene::filter::{Filter, StartOverlaps};
use crate::scene::hit::{Accept, HitTarget, SceneHit};
use crate::scene::mesh_instance::MeshInstance;
use crate::scene::store::Content;
use crate::shape::pose::Pose;
use crate::traverse::static_source::StaticSource;
use crate::{Capsule, Feature, SweepHit};
use glam::Vec3;

/// An impact, and where in the scene it is: the body's index, and the triangle's slot in its mesh.
#[derive(Clone, Copy)]
pub(crate) struct SceneImpact {
    pub(crate) impact: Impact,
    pub(crate) body: u32,
    /// 0 for a shape.
    pub(crate) slot: u32,
}

impl SceneImpact {
    /// Whether both are with the same triangle or shape.
    pub(crate) fn has_same_target(&self, other: &Self) -> bool {
        (self.body, self.slot) == (other.body, other.slot)
    }
}

/// A sweep, the scene that it runs through, and the filter.
#[derive(Clone, Copy)]
pub(crate) struct SweepContext<'a> {
    pub(crate) content: &'a Content,
    pub(crate) source: StaticSource<'a>,
    pub(crate) capsule: &'a Capsule,
    pub(crate) sweep: Sweep<'a>,
    pub(crate) filter: &'a Filter,
}

/// Receives the impacts that a traversal finds.
pub(crate) trait Collector {
    /// Latest time of interest.
    fn limit(&self) -> f64;

    /// Adds an impact. `target`: the triangle in the capsule's frame, if it is one.
    fn add(&mut self, impact: SceneImpact, target: Option<&TriangleTarget>);

    /// Early out: no further impact can change the answer.
    fn is_done(&self) -> bool {
        false
    }

    /// Whether only the first impact counts, and all are accepted. Adding an impact twice must
    /// then change nothing.
    fn wants_first_only(&self) -> bool {
        false
    }
}

/// The exact test of the triangle in `slot`, up to the time `limit`.
pub(crate) struct TestTriangle<'a> {
    pub(crate) context: &'a SweepContext<'a>,
    pub(crate) instance: &'a MeshInstance<'a>,
    pub(crate) slot: usize,
    pub(crate) limit: f64,
    /// As in [`Sweep`].
    pub(crate) starts_apart: bool,
}

impl TestTriangle<'_> {
    /// Calls `then` with the impact and with the triangle in the capsule's frame, if there is one.
    ///
    /// Both are passed on, not returned: a return would write them in parts and copy them whole,
    /// and such a copy waits for all parts (a store-forwarding stall).
    #[inline(always)]
    fn test<L: F32x8, T>(
        &self,
        then: impl FnOnce(SceneImpact, &TriangleTarget) -> Option<T>,
    ) -> Option<T> {
        let Self { context, instance, slot, limit, starts_apart } = *self;
        let sweep = Sweep { sides: instance.sides, starts_apart, ..context.sweep };
        let corners = instance.surface.world_corners::<L::F64x4>(instance.pose, slot);
        let exits = instance.stored_exits(slot);
        let mut target = TriangleTarget::facing(&sweep, corners, exits)?;
        if !starts_apart {
            instance.find_exits(sweep.frame, slot, &mut target);
        }
        let impact = sweep.find_impact_with::<L>(&target, limit)?;
        let (body, slot) = (instance.body, slot as u32);
        then(context.accept(SceneImpact { impact, body, slot })?, &target)
    }
}

/// The entry points of the test. Those with a type parameter are for code that has lanes.
impl TestTriangle<'_> {
    /// The impact, if there is one.
    pub(crate) fn find_impact(&self) -> Option<SceneImpact> {
        with_lanes!(|L| self.test::<L, _>(|impact, _| Some(impact)))
    }

    /// Passes an impact to `collector`.
    #[inline(always)]
    pub(crate) fn collect<L: F32x8>(&self, collector: &mut (impl Collector + ?Sized)) {
        self.test::<L, ()>(|impact, triangle| {
            collector.add(impact, Some(triangle));
            None
        });
    }

    /// The hit, where the triangle, named `target`, is the only candidate.
    pub(crate) fn hit(&self, target: HitTarget) -> Option<SceneHit<SweepHit>> {
        let (context, pose) = (self.context, self.instance.pose);
        with_lanes!(|L| self.test::<L, _>(|impact, triangle| {
            let (impact, accept): (_, &Accept) = (&impact, &|_| true);
            let builder = TriangleHitBuilder { context, impact, triangle, pose, target, accept };
            Some(builder.hit::<L>())
        }))
    }
}

/// Makes the corrected hit of an impact with a triangle. `accept` tells which triangles can
/// correct its normal at an internal edge.
#[derive(Clone, Copy)]
struct TriangleHitBuilder<'a> {
    context: &'a SweepContext<'a>,
    impact: &'a SceneImpact,
    triangle: &'a TriangleTarget,
    pose: &'a Pose,
    target: HitTarget,
    accept: &'a Accept<'a>,
}

impl TriangleHitBuilder<'_> {
    #[inline(always)]
    fn hit<L: F32x8>(self) -> SceneHit<SweepHit> {
        let hit = self.context.sweep.hit_with::<L>(self.triangle, self.impact.impact);
        self.finish(hit)
    }

    /// The hit, where the contact point and normal are known already.
    #[inline(always)]
    fn hit_from_contact<L: F32x8>(self, contact: &ImpactContact) -> SceneHit<SweepHit> {
        let sweep = &self.context.sweep;
        self.finish(sweep.hit_from_contact::<L>(self.triangle, self.impact.impact, contact))
    }

    /// Names the vertices in the order of the mesh, and corrects the normal at an internal edge.
    #[inline(always)]
    fn finish(self, mut hit: SweepHit) -> SceneHit<SweepHit> {
        let Self { context, impact, pose, target, accept, .. } = self;
        pose.put_in_mesh_order(&mut hit.feature, &mut hit.barycentrics);
        if hit.feature == Feature::Face {
            return SceneHit { hit, target };
        }
        // The correction gets a copy. So a hit on a face, the frequent case, is written in place.
        let mut on_border = hit;
        context.fix_internal_edge(*impact, &mut on_border, accept);
        SceneHit { hit: on_border, target }
    }
}

impl SweepContext<'_> {
    /// The exact test of a shape, up to the time `limit`.
    pub(crate) fn test_shape(&self, body: u32, shape: &Shape, limit: f64) -> Option<SceneImpact> {
        let impact = shape.visit(self.sweep.frame, FindImpact { sweep: self.sweep, limit })?;
        self.accept(SceneImpact { impact, body, slot: 0 })
    }

    /// Drops overlaps at the start if the filter skips them.
    fn accept(&self, impact: SceneImpact) -> Option<SceneImpact> {
        let overlaps = matches!(impact.impact, Impact::Overlaps { .. });
        let skipped = overlaps && self.filter.start_overlaps == StartOverlaps::Skip;
        (!skipped).then_some(impact)
    }

    /// The hit of an impact, not corrected at internal edges. `triangle`: the triangle in the
    /// capsule's frame, if that is known.
    pub(crate) fn uncorrected_hit(
        &self,
        impact: SceneImpact,
        triangle: Option<&TriangleTarget>,
    ) -> Option<SceneHit<SweepHit>> {
        let (id, body) = self.content.body_by_index(impact.body)?;
        let target = HitTarget::of(id, body, impact.slot);
        let SceneImpact { impact, body: index, slot } = impact;
        let sweep = &self.sweep;
        let hit = match &body.geometry {
            Geometry::Surface { pose, .. } => {
                let instance = MeshInstance::of(index, body, slot, *self.filter)?;
                let triangle = triangle.copied();
                let triangle =
                    triangle.unwrap_or_else(|| instance.target(sweep.frame, slot as usize));
                self.uncorrected_triangle_hit(pose, &triangle, impact)
            }
            Geometry::Shape(shape) | Geometry::Obstacle(shape) => {
                shape.visit(sweep.frame, ReportShape { sweep, impact })
            }
        };
        Some(SceneHit { hit, target })
    }

    /// The hit of an impact whose contact is known, corrected at internal edges. `triangle`: as in
    /// [`SweepContext::uncorrected_hit`].
    pub(crate) fn corrected_hit_from_contact(
        &self,
        impact: &SceneImpact,
        contact: &ImpactContact,
        triangle: Option<&TriangleTarget>,
        accept: &Accept,
    ) -> Option<SceneHit<SweepHit>> {
        let build = |triangle| {
            let builder = self.triangle_hit_builder(impact, triangle, accept)?;
            Some(with_lanes!(|L| builder.hit_from_contact::<L>(contact)))
        };
        if let Some(triangle) = triangle {
            return build(triangle);
        }
        match self.content.instance(impact.body, impact.slot, *self.filter) {
            Some(instance) => build(&instance.target(self.sweep.frame, impact.slot as usize)),
            // A shape has no internal edges.
            None => self.uncorrected_hit(*impact, None),
        }
    }

    /// The hit of an impact with a triangle, corrected at internal edges.
    pub(crate) fn corrected_triangle_hit(
        &self,
        impact: &SceneImpact,
        triangle: &TriangleTarget,
        accept: &Accept,
    ) -> Option<SceneHit<SweepHit>> {
        let builder = self.triangle_hit_builder(impact, triangle, accept)?;
        Some(with_lanes!(|L| builder.hit::<L>()))
    }

    /// `None` if the impact is with a shape.
    #[inline(always)]
    fn triangle_hit_builder<'a>(
        &'a self,
        impact: &'a SceneImpact,
        triangle: &'a TriangleTarget,
        accept: &'a Accept<'a>,
    ) -> Option<TriangleHitBuilder<'a>> {
        let (id, body) = self.content.body_by_index(impact.body)?;
        let pose = body.pose()?;
        let target = HitTarget::of(id, body, impact.slot);
        Some(TriangleHitBuilder { context: self, impact, triangle, pose, target, accept })
    }

    /// The hit of an impact with a triangle, not corrected at internal edges. Not inlined: the hit
    /// is written to its destination, without a copy.
    #[inline(never)]
    pub(crate) fn uncorrected_triangle_hit(
        &self,
        pose: &Pose,
        triangle: &TriangleTarget,
        impact: Impact,
    ) -> SweepHit {
        let mut hit = self.sweep.hit(triangle, impact);
        pose.put_in_mesh_order(&mut hit.feature, &mut hit.barycentrics);
        hit
    }

    /// Whether the axis pierces the triangle in `slot` at the start.
    pub(crate) fn is_pierced(&self, instance: &MeshInstance, slot: u32) -> bool {
        is_pierced(self.sweep.frame, instance.target(self.sweep.frame, slot as usize))
    }

    /// How far the capsule must move along `normal` to clear the whole triangle in `slot`, metres.
    pub(crate) fn depth_along(&self, instance: &MeshInstance, slot: u32, normal: Vec3) -> f64 {
        instance.target(self.sweep.frame, slot as usize).depth_along(self.sweep.frame, normal)
    }
}

/// Finds the impact with a shape.
struct FindImpact<'a> {
    sweep: Sweep<'a>,
    limit: f64,
}

impl Visitor for FindImpact<'_> {
    type Output = Option<Impact>;

    fn visit(self, target: &impl Target) -> Option<Impact> {
        self.sweep.find_impact(target, self.limit)
    }
}

/// Makes the hit of an impact with a shape.
struct ReportShape<'a> {
    sweep: &'a Sweep<'a>,
    impact: Impact,
}

impl Visitor for ReportShape<'_> {
    type Output = SweepHit;

    fn visit(self, target: &impl Target) -> SweepHit {
        self.sweep.hit(target, self.impact)
    }
}

/// Finds the contact point and normal of an impact with a shape.
pub(crate) struct FindImpactContact<'a> {
    pub(crate) sweep: &'a Sweep<'a>,
    pub(crate) impact: Impact,
}

impl Visitor for FindImpactContact<'_> {
    type Output = ImpactContact;

    fn visit(self, target: &impl Target) -> ImpactContact {
        self.sweep.find_contact(target, self.impact)
    }
}
