//! How a part of a body meets a sweep, and what is reported of it.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use super::body::{Body, Geometry, Shape, Visitor};
use super::filter::{Filter, StartOverlaps};
use super::first_touch::{Hit, Struck};
use super::gathered::Shortcut;
use super::mesh::TriMesh;
use super::pose::Pose;
use super::store::Content;
use crate::bvh::{Kernel, Lanes, dispatch};
use crate::contract::{IsPierced, Meeting, Sweep, Target, View};
use crate::overlap::Exits;
use crate::simd::Plain;
use crate::target::TriangleTarget;
use crate::{Sides, SweepHit};
use glam::{DVec3, Vec3};

/// One contact: how it meets, the body's place, and the triangle's slot in its mesh.
#[derive(Clone, Copy)]
pub(super) struct Contact {
    pub(super) meeting: Meeting,
    pub(super) body: u32,
    pub(super) slot: u32,
}

/// A mesh among the bodies.
#[derive(Clone, Copy)]
pub(super) struct Placed<'a> {
    /// The body's place.
    pub(super) body: u32,
    pub(super) mesh: &'a TriMesh,
    pub(super) pose: &'a Pose,
    /// The sides of its triangles that count.
    pub(super) sides: Sides,
}

/// A sweep, the bodies it runs through, and what it sees of them.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a> {
    pub(super) content: &'a Content,
    /// Around the trees over static bodies, if all that can be met was gathered before.
    pub(super) shortcut: Option<&'a Shortcut<'a>>,
    pub(super) sweep: Sweep<'a>,
    pub(super) filter: &'a Filter,
}

/// Takes in every contact that a walk finds.
pub(super) trait Collector {
    /// Latest time that is still of interest.
    fn limit(&self) -> f64;

    fn take(&mut self, contact: Contact);

    /// Whether nothing more is of interest.
    fn is_done(&self) -> bool {
        false
    }

    /// Whether only the first contact counts, whatever it is with; taking one twice must change nothing.
    fn is_for_first(&self) -> bool {
        false
    }
}

impl Content {
    /// A part of a body; `None` if the body was removed and not yet committed.
    pub(super) fn struck(&self, body: u32, slot: u32) -> Option<Struck> {
        let (id, body) = self.at(body)?;
        Some(Struck::of(id, body, slot))
    }

    /// A body that is a mesh, as `filter` sees it.
    pub(super) fn placed(&self, index: u32, filter: Filter) -> Option<Placed<'_>> {
        let (_, body) = self.at(index)?;
        Placed::of(index, body, filter)
    }
}

impl<'a> Placed<'a> {
    /// The body in a place, if it is a mesh, as `filter` sees it.
    pub(super) fn of(index: u32, body: &'a Body, filter: Filter) -> Option<Self> {
        let Geometry::Mesh { mesh, pose } = &body.geometry else { return None };
        Some(Self { body: index, mesh, pose, sides: filter.sides_of(body) })
    }
}

impl Placed<'_> {
    /// Where an axis may leave the triangle in `slot`.
    #[inline(always)]
    pub(super) fn exits(&self, slot: usize) -> Exits {
        self.mesh.exits(self.pose, slot, self.sides)
    }

    /// The triangle in `slot`, seen from a capsule.
    pub(super) fn target(&self, view: &View, slot: usize) -> TriangleTarget {
        dispatch(AsTarget { at: self, view, slot })
    }

    /// As [`Placed::target`], for code that runs with these lanes already, with other `exits`.
    #[inline(always)]
    fn target_in<L: Lanes>(&self, view: &View, slot: usize, exits: Exits) -> TriangleTarget {
        let corners = self.mesh.world_corners::<L::Four>(self.pose, slot);
        TriangleTarget::in_mesh(view, corners, exits)
    }
}

struct AsTarget<'a> {
    at: &'a Placed<'a>,
    view: &'a View,
    slot: usize,
}

impl Kernel for AsTarget<'_> {
    type Output = TriangleTarget;

    #[inline(always)]
    fn run<L: Lanes>(self) -> TriangleTarget {
        self.at.target_in::<L>(self.view, self.slot, self.at.exits(self.slot))
    }
}

/// How the sweep meets the triangle in `slot` up to the time `limit`.
pub(super) struct MeetTriangle<'a> {
    pub(super) scope: &'a Scope<'a>,
    pub(super) placed: &'a Placed<'a>,
    pub(super) slot: usize,
    pub(super) limit: f64,
}

impl Kernel for MeetTriangle<'_> {
    type Output = Option<Contact>;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Option<Contact> {
        self.meet::<L, _>(|_, _| ()).map(|(contact, ())| contact)
    }
}

impl MeetTriangle<'_> {
    /// The contact, and what is `told` of it.
    #[inline(always)]
    fn meet<L: Lanes, T>(
        self,
        told: impl FnOnce(&Sweep, (&TriangleTarget, Meeting)) -> T,
    ) -> Option<(Contact, T)> {
        let Self { scope, placed: at, slot, limit } = self;
        let sweep = Sweep { sides: at.sides, ..scope.sweep };
        let corners = at.mesh.world_corners::<L::Four>(at.pose, slot);
        let target = TriangleTarget::facing(&sweep, corners, at.exits(slot))?;
        let meeting = sweep.meet::<L>(&target, limit)?;
        let contact = scope.accept(Contact { meeting, body: at.body, slot: slot as u32 })?;
        Some((contact, told(&sweep, (&target, meeting))))
    }
}

/// As [`MeetTriangle`], with everything about the hit on what is `struck`: for a triangle that nothing else can come before.
pub(super) struct HitTriangle<'a> {
    pub(super) meet: MeetTriangle<'a>,
    pub(super) struck: Struck,
}

impl Kernel for HitTriangle<'_> {
    type Output = Option<Hit<SweepHit>>;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Option<Hit<SweepHit>> {
        let Self { meet, struck } = self;
        let (scope, pose) = (meet.scope, meet.placed.pose);
        let (contact, hit) =
            meet.meet::<L, _>(|sweep, (target, meeting)| sweep.report::<L>(target, meeting))?;
        // Finished where it stays: a copy of what was just written in parts has to wait for all of them.
        let mut found = Some(Hit { hit, struck });
        if let Some(Hit { hit, .. }) = &mut found {
            pose.put_in_mesh_order(&mut hit.feature, &mut hit.barycentrics);
            scope.mend(contact, hit, &|_| true);
        }
        found
    }
}

/// Everything about a contact with a triangle that a piercing axis leaves by `exits`.
struct DescribeTriangle<'a> {
    scope: &'a Scope<'a>,
    at: &'a Placed<'a>,
    contact: Contact,
    exits: Exits,
}

impl Kernel for DescribeTriangle<'_> {
    type Output = SweepHit;

    #[inline(always)]
    fn run<L: Lanes>(self) -> SweepHit {
        let Self { scope, at, contact, exits } = self;
        let sweep = Sweep { sides: at.sides, ..scope.sweep };
        let target = at.target_in::<L>(sweep.view, contact.slot as usize, exits);
        in_mesh_order(at.pose, sweep.report::<L>(&target, contact.meeting))
    }
}

/// The normal of a contact with a triangle.
struct NormalOnTriangle<'a> {
    scope: &'a Scope<'a>,
    at: &'a Placed<'a>,
    contact: Contact,
}

impl Kernel for NormalOnTriangle<'_> {
    type Output = DVec3;

    #[inline(always)]
    fn run<L: Lanes>(self) -> DVec3 {
        let Self { scope, at, contact } = self;
        let sweep = Sweep { sides: at.sides, ..scope.sweep };
        let slot = contact.slot as usize;
        let target = at.target_in::<L>(sweep.view, slot, at.exits(slot));
        sweep.normal::<L>(&target, contact.meeting)
    }
}

/// A hit on a world triangle, in the order of the mesh's vertices.
#[inline(always)]
fn in_mesh_order(pose: &Pose, mut hit: SweepHit) -> SweepHit {
    pose.put_in_mesh_order(&mut hit.feature, &mut hit.barycentrics);
    hit
}

impl Scope<'_> {
    /// How the sweep meets a shape up to the time `limit`.
    pub(super) fn shape(&self, body: u32, shape: &Shape, limit: f64) -> Option<Contact> {
        let meet = Meet { sweep: self.sweep, limit };
        let meeting = shape.visit(self.sweep.view, meet)?;
        self.accept(Contact { meeting, body, slot: 0 })
    }

    fn accept(&self, contact: Contact) -> Option<Contact> {
        let overlaps = matches!(contact.meeting, Meeting::Overlaps { .. });
        let skipped = overlaps && self.filter.start_overlaps == StartOverlaps::Skip;
        (!skipped).then_some(contact)
    }

    /// Everything about a contact.
    pub(super) fn report(&self, contact: Contact) -> Option<Hit<SweepHit>> {
        let (id, body) = self.content.at(contact.body)?;
        let struck = Struck::of(id, body, contact.slot);
        match &body.geometry {
            Geometry::Mesh { mesh, pose } => {
                let sides = self.filter.sides_of(body);
                let at = Placed { body: contact.body, mesh, pose, sides };
                let exits = at.exits(contact.slot as usize);
                Some(Hit { hit: self.report_triangle(&at, contact, exits), struck })
            }
            Geometry::Shape(shape) | Geometry::Obstacle(shape) => {
                let (sweep, meeting) = (self.sweep, contact.meeting);
                Some(Hit { hit: shape.visit(sweep.view, Describe { sweep, meeting }), struck })
            }
        }
    }

    /// Everything about a contact with a triangle that a piercing axis leaves by `exits`. A call, to write it where it stays.
    #[inline(never)]
    pub(super) fn report_triangle(&self, at: &Placed, contact: Contact, exits: Exits) -> SweepHit {
        dispatch(DescribeTriangle { scope: self, at, contact, exits })
    }

    /// The normal of a contact, before it is rounded.
    pub(super) fn normal(&self, contact: Contact) -> Option<DVec3> {
        let (_, body) = self.content.at(contact.body)?;
        let (sweep, meeting) = (self.sweep, contact.meeting);
        Some(match &body.geometry {
            Geometry::Mesh { mesh, pose } => {
                let sides = self.filter.sides_of(body);
                let at = Placed { body: contact.body, mesh, pose, sides };
                dispatch(NormalOnTriangle { scope: self, at: &at, contact })
            }
            Geometry::Shape(shape) | Geometry::Obstacle(shape) => {
                shape.visit(sweep.view, NormalOf { sweep, meeting })
            }
        })
    }

    /// Whether the axis pierces the triangle in `slot` at the start.
    pub(super) fn is_pierced(&self, at: &Placed, slot: u32) -> bool {
        let view = self.sweep.view;
        dispatch(IsPierced { view, target: at.target(view, slot as usize) })
    }

    /// How far along `normal` the capsule must move to clear the whole of the triangle in `slot`.
    pub(super) fn depth_along(&self, at: &Placed, slot: u32, normal: Vec3) -> f64 {
        at.target(self.sweep.view, slot as usize).depth_along(self.sweep.view, normal)
    }
}

impl Filter {
    /// The sides of a body's triangles that count.
    pub(super) fn sides_of(self, body: &Body) -> Sides {
        match &body.geometry {
            Geometry::Mesh { mesh, .. } if mesh.is_double_sided() => Sides::Both,
            _ => self.sides,
        }
    }
}

struct Meet<'a> {
    sweep: Sweep<'a>,
    limit: f64,
}

impl Visitor for Meet<'_> {
    type Output = Option<Meeting>;

    fn visit(self, target: &impl Target) -> Option<Meeting> {
        self.sweep.meet_up_to(target, self.limit)
    }
}

struct Describe<'a> {
    sweep: Sweep<'a>,
    meeting: Meeting,
}

impl Visitor for Describe<'_> {
    type Output = SweepHit;

    fn visit(self, target: &impl Target) -> SweepHit {
        self.sweep.describe(target, self.meeting)
    }
}

struct NormalOf<'a> {
    sweep: Sweep<'a>,
    meeting: Meeting,
}

impl Visitor for NormalOf<'_> {
    type Output = DVec3;

    fn visit(self, target: &impl Target) -> DVec3 {
        self.sweep.normal::<Plain>(target, self.meeting)
    }
}
