//! How a part of a body meets a sweep, and what is reported of it.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::bvh::{F32x8, Kernel, dispatch};
use crate::pair::contract::{Impact, ImpactContact, Sweep, Target, is_pierced};
use crate::pair::target::TriangleTarget;
use crate::scene::body::{Body, Geometry, Shape, Visitor};
use crate::scene::filter::{Filter, StartOverlaps};
use crate::scene::hit::{Accept, HitTarget, SceneHit};
use crate::scene::mesh_instance::MeshInstance;
use crate::scene::store::Content;
use crate::shape::pose::Pose;
use crate::traverse::neighborhood::NeighborhoodView;
use crate::{Feature, Sides, SweepHit};
use glam::Vec3;

/// One contact: how it meets, the body's place, and the triangle's slot in its mesh.
#[derive(Clone, Copy)]
pub(crate) struct Contact {
    pub(crate) impact: Impact,
    pub(crate) body: u32,
    pub(crate) slot: u32,
}

impl Contact {
    /// The body's place, and the triangle's slot.
    pub(crate) fn place(&self) -> (u32, u32) {
        (self.body, self.slot)
    }
}

/// A sweep, the bodies it runs through, and what it sees of them.
#[derive(Clone, Copy)]
pub(crate) struct SweepContext<'a> {
    pub(crate) content: &'a Content,
    /// Around the trees over static bodies, if all that can be met was gathered before.
    pub(crate) shortcut: Option<&'a NeighborhoodView<'a>>,
    pub(crate) sweep: Sweep<'a>,
    pub(crate) filter: &'a Filter,
}

/// Takes in every contact that a walk finds.
pub(crate) trait Collector {
    /// Latest time that is still of interest.
    fn limit(&self) -> f64;

    /// `seen`: what the capsule sees of the triangle, if it is one.
    fn take(&mut self, contact: Contact, seen: Option<&TriangleTarget>);

    /// Whether nothing more is of interest.
    fn is_done(&self) -> bool {
        false
    }

    /// Whether only the first contact counts, whatever it is with; taking one twice must change nothing.
    fn is_for_first(&self) -> bool {
        false
    }
}

/// How the sweep meets the triangle in `slot` up to the time `limit`.
pub(crate) struct TriangleImpact<'a> {
    pub(crate) context: &'a SweepContext<'a>,
    pub(crate) instance: &'a MeshInstance<'a>,
    pub(crate) slot: usize,
    pub(crate) limit: f64,
    /// As in [`Sweep`].
    pub(crate) starts_apart: bool,
}

impl TriangleImpact<'_> {
    /// What `then` makes of the contact, and of what the capsule sees of the triangle. Both are handed on, not back: they would be written in parts and
    /// copied as a whole, which has to wait for all of them.
    #[inline(always)]
    fn find_impact<L: F32x8, T>(
        &self,
        then: impl FnOnce(Contact, &TriangleTarget) -> Option<T>,
    ) -> Option<T> {
        let Self { context, instance: at, slot, limit, starts_apart } = *self;
        let sweep = Sweep { sides: at.sides, starts_apart, ..context.sweep };
        let corners = at.mesh.world_corners::<L::F64x4>(at.pose, slot);
        let seen = TriangleTarget::facing(&sweep, corners, at.exits(slot))?;
        let impact = sweep.find_impact_with::<L>(&seen, limit)?;
        let contact = context.accept(Contact { impact, body: at.body, slot: slot as u32 })?;
        then(contact, &seen)
    }
}

impl Kernel for TriangleImpact<'_> {
    type Output = Option<Contact>;

    #[inline(always)]
    fn run<L: F32x8>(self) -> Option<Contact> {
        self.find_impact::<L, _>(|contact, _| Some(contact))
    }
}

/// Shows `collector` how the sweep meets a triangle, if it does.
pub(crate) struct TakeTriangle<'a, C: ?Sized> {
    pub(crate) impact: TriangleImpact<'a>,
    pub(crate) collector: &'a mut C,
}

impl<C: Collector + ?Sized> Kernel for TakeTriangle<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run<L: F32x8>(self) {
        self.impact.find_impact::<L, ()>(|contact, seen| {
            self.collector.take(contact, Some(seen));
            None
        });
    }
}

/// As [`TriangleImpact`], with everything about the hit on what is `target`: for a triangle that nothing else can come before.
pub(crate) struct HitTriangle<'a> {
    pub(crate) impact: TriangleImpact<'a>,
    pub(crate) target: HitTarget,
}

impl Kernel for HitTriangle<'_> {
    type Output = Option<SceneHit<SweepHit>>;

    #[inline(always)]
    fn run<L: F32x8>(self) -> Option<SceneHit<SweepHit>> {
        let Self { impact, target } = self;
        let (context, pose) = (impact.context, impact.instance.pose);
        impact.find_impact::<L, _>(|contact, seen| {
            let contact = &contact;
            OnTriangle { context, contact, seen, pose, target, accept: &|_| true }.run::<L>()
        })
    }
}

/// Everything about a contact with a triangle, among what `accept` says yes to.
struct OnTriangle<'a> {
    context: &'a SweepContext<'a>,
    contact: &'a Contact,
    seen: &'a TriangleTarget,
    pose: &'a Pose,
    target: HitTarget,
    accept: &'a Accept<'a>,
}

impl Kernel for OnTriangle<'_> {
    type Output = Option<SceneHit<SweepHit>>;

    #[inline(always)]
    fn run<L: F32x8>(self) -> Option<SceneHit<SweepHit>> {
        let hit = self.context.sweep.hit_with::<L>(self.seen, self.contact.impact);
        Some(self.mended(hit))
    }
}

impl OnTriangle<'_> {
    #[inline(always)]
    fn mended(self, mut hit: SweepHit) -> SceneHit<SweepHit> {
        let Self { context, contact, pose, target, accept, .. } = self;
        pose.put_in_mesh_order(&mut hit.feature, &mut hit.barycentrics);
        if hit.feature == Feature::Face {
            return SceneHit { hit, target };
        }
        // A copy is lent, so that what is on a face goes straight to where it stays.
        let mut on_border = hit;
        context.fix_internal_edge(*contact, &mut on_border, accept);
        SceneHit { hit: on_border, target }
    }
}

/// As [`OnTriangle`], of what they met.
struct MetOnTriangle<'a> {
    on: OnTriangle<'a>,
    met: &'a ImpactContact,
}

impl Kernel for MetOnTriangle<'_> {
    type Output = Option<SceneHit<SweepHit>>;

    #[inline(always)]
    fn run<L: F32x8>(self) -> Option<SceneHit<SweepHit>> {
        let Self { on, met } = self;
        let hit = on.context.sweep.hit_from_contact::<L>(on.seen, on.contact.impact, met);
        Some(on.mended(hit))
    }
}

impl SweepContext<'_> {
    /// How the sweep meets a shape up to the time `limit`.
    pub(crate) fn shape(&self, body: u32, shape: &Shape, limit: f64) -> Option<Contact> {
        let impact = FindImpact { sweep: self.sweep, limit };
        let impact = shape.visit(self.sweep.frame, impact)?;
        self.accept(Contact { impact, body, slot: 0 })
    }

    fn accept(&self, contact: Contact) -> Option<Contact> {
        let overlaps = matches!(contact.impact, Impact::Overlaps { .. });
        let skipped = overlaps && self.filter.start_overlaps == StartOverlaps::Skip;
        (!skipped).then_some(contact)
    }

    /// Everything about a contact. `seen`: what the capsule sees of the triangle, if it is one and that is known.
    pub(crate) fn report(
        &self,
        contact: Contact,
        seen: Option<&TriangleTarget>,
    ) -> Option<SceneHit<SweepHit>> {
        let (id, body) = self.content.at(contact.body)?;
        let target = HitTarget::of(id, body, contact.slot);
        let (sweep, impact) = (&self.sweep, contact.impact);
        let hit = match &body.geometry {
            Geometry::Mesh { pose, .. } => {
                let at = MeshInstance::of(contact.body, body, *self.filter)?;
                let seen = seen.copied();
                let seen = seen.unwrap_or_else(|| at.target(sweep.frame, contact.slot as usize));
                self.report_triangle(pose, &seen, impact)
            }
            Geometry::Shape(shape) | Geometry::Obstacle(shape) => {
                shape.visit(sweep.frame, Describe { sweep, impact })
            }
        };
        Some(SceneHit { hit, target })
    }

    /// Everything about a contact of those that tie, once the faces around it are known. `seen`: as in [`SweepContext::report`].
    pub(crate) fn hit(
        &self,
        contact: &Contact,
        met: &ImpactContact,
        seen: Option<&TriangleTarget>,
        accept: &Accept,
    ) -> Option<SceneHit<SweepHit>> {
        let on_triangle =
            |seen| dispatch(MetOnTriangle { on: self.on_triangle(contact, seen, accept)?, met });
        if let Some(seen) = seen {
            return on_triangle(seen);
        }
        match self.content.instance(contact.body, *self.filter) {
            Some(instance) => {
                on_triangle(&instance.target(self.sweep.frame, contact.slot as usize))
            }
            // Shapes have no seams.
            None => self.report(*contact, None),
        }
    }

    /// Everything about a contact with a triangle that nothing comes before, once the faces around it are known.
    pub(crate) fn hit_triangle(
        &self,
        contact: &Contact,
        seen: &TriangleTarget,
        accept: &Accept,
    ) -> Option<SceneHit<SweepHit>> {
        dispatch(self.on_triangle(contact, seen, accept)?)
    }

    #[inline(always)]
    fn on_triangle<'a>(
        &'a self,
        contact: &'a Contact,
        seen: &'a TriangleTarget,
        accept: &'a Accept<'a>,
    ) -> Option<OnTriangle<'a>> {
        let (id, body) = self.content.at(contact.body)?;
        let Geometry::Mesh { pose, .. } = &body.geometry else { return None };
        let target = HitTarget::of(id, body, contact.slot);
        Some(OnTriangle { context: self, contact, seen, pose, target, accept })
    }

    /// Everything about how the sweep meets a triangle. A call, to write it where it stays.
    #[inline(never)]
    pub(crate) fn report_triangle(
        &self,
        pose: &Pose,
        seen: &TriangleTarget,
        impact: Impact,
    ) -> SweepHit {
        let mut hit = self.sweep.hit(seen, impact);
        pose.put_in_mesh_order(&mut hit.feature, &mut hit.barycentrics);
        hit
    }

    /// Whether the axis pierces the triangle in `slot` at the start.
    pub(crate) fn is_pierced(&self, at: &MeshInstance, slot: u32) -> bool {
        let view = self.sweep.frame;
        is_pierced(view, at.target(view, slot as usize))
    }

    /// How far along `normal` the capsule must move to clear the whole of the triangle in `slot`.
    pub(crate) fn depth_along(&self, at: &MeshInstance, slot: u32, normal: Vec3) -> f64 {
        at.target(self.sweep.frame, slot as usize).depth_along(self.sweep.frame, normal)
    }
}

impl Filter {
    /// The sides of a body's triangles that count.
    pub(crate) fn sides_of(self, body: &Body) -> Sides {
        match &body.geometry {
            Geometry::Mesh { mesh, .. } if mesh.is_double_sided() => Sides::Both,
            _ => self.sides,
        }
    }
}

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

struct Describe<'a> {
    sweep: &'a Sweep<'a>,
    impact: Impact,
}

impl Visitor for Describe<'_> {
    type Output = SweepHit;

    fn visit(self, target: &impl Target) -> SweepHit {
        self.sweep.hit(target, self.impact)
    }
}

/// Where the sweep meets a shape.
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
