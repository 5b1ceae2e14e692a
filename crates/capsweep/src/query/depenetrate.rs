//! Out of everything at once: the bounded, iterative push-out.
//!
//! Every push answers the deepest overlap that is left. What it demands, to be so far along its normal, is kept as a half-space
//! of total pushes, and the total is the shortest that meets all demands so far: two walls and a floor cost three pushes,
//! whatever their angles, where pushing out of one after the other would go back and forth. Demands that no push can meet, or
//! only one longer than the capsule, are a squeeze.
//!
//! Sides are decided at the start pose: a push must not carry the axis through a surface, or the surface's back would push it
//! on. A surface that a push would cross demands a push, too: back to where the whole capsule is in front of it.

use crate::pair::contract::CapsuleFrame;
use crate::pair::target::TriangleTarget;
use crate::scene::filter::{Filter, StartOverlaps};
use crate::scene::hit::{Accept, SceneHit};
use crate::scene::store::Scene;
use crate::tolerance::{CONTACT_TOLERANCE, FLAT_COS, THIN};
use crate::{Capsule, Motion, Overlap, Sides, Triangle};
use glam::{DVec3, Vec3};

/// Most pushes of one [`Scene::depenetrate`].
pub const MAX_PUSHES: usize = 4;

/// What became of a capsule that was to be freed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Depenetration {
    /// The whole displacement, from where the capsule was to where it is best off.
    pub push: DVec3,
    /// In how many pushes; 0 if it was free.
    pub pushes: usize,
    /// What was reached.
    pub state: Clearance,
}

/// Whether a capsule is free.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Clearance {
    /// It overlaps nothing.
    Free,
    /// It is held from sides that face each other, and moving away from one leads into another. It was put where
    /// the deepest of these overlaps is least.
    Squeezed {
        /// Depth of the deepest overlap that is left, metres.
        left: f64,
    },
    /// The pushes did not suffice. Asking again from there goes on.
    Unfinished {
        /// Depth of the deepest overlap that is left, metres.
        left: f64,
    },
}

impl Depenetration {
    /// Whether the capsule, moved by `push`, overlaps nothing.
    pub fn is_free(&self) -> bool {
        self.state == Clearance::Free
    }

    /// Depth of the deepest overlap that is left, metres; 0 if none is.
    pub fn left(&self) -> f64 {
        match self.state {
            Clearance::Free => 0.0,
            Clearance::Squeezed { left } | Clearance::Unfinished { left } => left,
        }
    }
}

impl Scene {
    /// The short way out of everything that `filter` lets `capsule` see, in at most [`MAX_PUSHES`] pushes.
    ///
    /// Surfaces of which only the front counts bound something solid: out is where they face, also for a capsule whose axis
    /// has sunk wholly behind them. Where both sides count, out is the nearer one. No push out of a mesh is longer than the
    /// capsule; out of a solid shape it is as long as the shape is deep.
    pub fn depenetrate(&self, capsule: &Capsule, filter: &Filter) -> Depenetration {
        self.depenetrate_by(capsule, filter, &|_| true, |capsule| {
            let found = self.overlap(capsule, filter)?;
            let front = self.front_of(capsule, &found, *filter);
            Some(Way::new(&found, front.unwrap_or((found.hit.normal, found.hit.depth))))
        })
    }

    /// As [`Scene::depenetrate`], out of what `accept` says yes to, for capsules that may be behind surfaces of which only the front
    /// counts: whose axis is behind one is pushed back there.
    pub(crate) fn depenetrate_on_either_side(
        &self,
        capsule: &Capsule,
        filter: &Filter,
        accept: &Accept,
    ) -> Depenetration {
        self.depenetrate_by(capsule, filter, accept, |capsule| {
            let found = self.overlap_among(capsule, filter, accept)?;
            Some(Way::new(&found, (found.hit.normal, found.hit.depth)))
        })
    }

    fn depenetrate_by(
        &self,
        capsule: &Capsule,
        filter: &Filter,
        accept: &Accept,
        way_out: impl Fn(&Capsule) -> Option<Way>,
    ) -> Depenetration {
        // Pushed out of the range of positions, it is free of all that can be there.
        let way_out = |push| way_out(&capsule.translated(push).ok()?);
        let crossing = |push: &DVec3| self.axis_crossing(capsule, *push, filter, accept);
        let mut demands = Demands::default();
        let mut push = DVec3::ZERO;
        for pushes in 0..MAX_PUSHES {
            let Some(way) = way_out(push) else {
                return Depenetration { push, pushes, state: Clearance::Free };
            };
            demands.add(&way, push);
            let reach = capsule.total_height().max(way.depth) + CONTACT_TOLERANCE;
            let is_near = |next: &DVec3| next.distance(push) <= reach;
            let mut next = demands.shortest(0.0).filter(is_near);
            if let Some((wall, at)) = next.as_ref().and_then(crossing) {
                demands.add(&wall, at);
                let around = demands.shortest(0.0).filter(is_near);
                next = around.filter(|around| crossing(around).is_none());
            }
            let Some(next) = next else {
                let push = demands.least_bad(is_near);
                let push = crossing(&push).map_or(push, |(_, at)| at);
                let left = way_out(push);
                let state =
                    left.map_or(Clearance::Free, |way| Clearance::Squeezed { left: way.overlap });
                return Depenetration { push, pushes: pushes + 1, state };
            };
            push = next;
        }
        let left = way_out(push);
        let state = left.map_or(Clearance::Free, |way| Clearance::Unfinished { left: way.overlap });
        Depenetration { push, pushes: MAX_PUSHES, state }
    }

    /// The first surface that the bare axis of `capsule` passes through on its way along `push`: the push at which it gets
    /// there, and the way back to where the whole capsule is in front of it.
    fn axis_crossing(
        &self,
        capsule: &Capsule,
        push: DVec3,
        filter: &Filter,
        accept: &Accept,
    ) -> Option<(Way, DVec3)> {
        let motion = Motion::new(push).ok().filter(|motion| !motion.is_zero())?;
        let axis = Capsule::new(capsule.p0(), capsule.p1(), AXIS_RADIUS).ok()?;
        let filter = Filter { start_overlaps: StartOverlaps::Skip, ..*filter };
        let crossed = self.sweep_where_by(None, (&axis, &motion), &filter, accept)?.hit;
        let normal = crossed.normal.as_dvec3().normalize();
        let depth = f64::from(capsule.radius());
        Some((Way { normal, depth, overlap: depth }, push * crossed.time))
    }

    /// The way out to the front of a face that was met from behind and has a front only.
    fn front_of(
        &self,
        capsule: &Capsule,
        found: &SceneHit<Overlap>,
        filter: Filter,
    ) -> Option<(Vec3, f64)> {
        let at = self.content().instance(found.target.body.index, filter)?;
        let corners = at.mesh.triangle(found.target.triangle?)?;
        let triangle = Triangle::from_checked(at.pose.triangle_to_world(corners));
        let front = triangle.normal()?;
        // Right below a corner of four tiles it is a vertex that is nearest, and no face.
        let along = found.hit.normal.as_dvec3().dot(front.as_dvec3());
        (along < -FLAT_COS && at.sides == Sides::Front).then(|| {
            let view = CapsuleFrame::of(capsule);
            (front, TriangleTarget::new(&view, &triangle).depth_along(&view, front))
        })
    }
}

/// Out of one thing.
struct Way {
    /// Unit.
    normal: DVec3,
    depth: f64,
    /// Depth of the overlap, by whichever way is the shorter.
    overlap: f64,
}

impl Way {
    /// Along a normal and so deep, out of what was found.
    fn new(found: &SceneHit<Overlap>, (normal, depth): (Vec3, f64)) -> Self {
        let normal = normal.as_dvec3();
        let length = normal.length();
        Self { normal: normal / length, depth: depth * length, overlap: found.hit.depth }
    }
}

/// What the total push must reach: so far along each of these unit normals. Each push adds at most one overlap and one
/// surface that it would cross.
#[derive(Default)]
struct Demands {
    all: [(DVec3, f64); 2 * MAX_PUSHES],
    count: usize,
}

/// Radius that stands for none (metres): the bare axis, with room for the bound of the contract.
const AXIS_RADIUS: f32 = 1e-5;

/// A total push that falls short of a demand by less than this meets it: the overlap that is left is none yet (metres).
const SHORT: f64 = 0.25 * CONTACT_TOLERANCE;

/// Bisections of the slack in a squeeze: it is then known to a millionth of a nanometre for a capsule of a metre.
const HALVINGS: usize = 50;

impl Demands {
    /// Takes in the way out of what is overlapped after `push`.
    ///
    /// A way that is flat against an earlier one raises that: of two planes that all but coincide the shortest push meets both far
    /// aside, a millimetre for a tile that stands ten micrometres higher than the next.
    fn add(&mut self, way: &Way, push: DVec3) {
        for (normal, reach) in &mut self.all[..self.count] {
            let along = normal.dot(way.normal);
            if along > FLAT_COS {
                *reach = reach.max(normal.dot(push) + way.depth / along);
                return;
            }
        }
        self.all[self.count] = (way.normal, way.normal.dot(push) + way.depth);
        self.count += 1;
    }

    /// The shortest push that meets all demands lowered by `slack`; `None` if there is none.
    ///
    /// It touches the half-spaces of up to three demands and is the shortest that touches these, so it is enough to try
    /// them one by one, in pairs and in threes.
    fn shortest(&self, slack: f64) -> Option<DVec3> {
        let all = &self.all[..self.count];
        let mut best: Option<DVec3> = None;
        let mut consider = |push: Option<DVec3>| {
            if let Some(push) = push
                && best.is_none_or(|best| push.length_squared() < best.length_squared())
                && all.iter().all(|(normal, reach)| normal.dot(push) >= reach - slack - SHORT)
            {
                best = Some(push);
            }
        };
        let lowered = |(normal, reach): (DVec3, f64)| (normal, reach - slack);
        consider(Some(DVec3::ZERO));
        for i in 0..all.len() {
            let one = lowered(all[i]);
            consider(Some(one.0 * one.1));
            for j in 0..i {
                let two = lowered(all[j]);
                consider(meeting_point([one, two, (one.0.cross(two.0), 0.0)]));
                for &third in &all[..j] {
                    consider(meeting_point([one, two, lowered(third)]));
                }
            }
        }
        best
    }

    /// The push at which no demand is missed by more than need be, of those that are `allowed`.
    fn least_bad(&self, allowed: impl Fn(&DVec3) -> bool) -> DVec3 {
        let reaches = self.all[..self.count].iter().map(|(_, reach)| *reach);
        // With this slack nothing is demanded.
        let (mut short, mut enough) = (0.0, reaches.fold(0.0, f64::max));
        let mut best = DVec3::ZERO;
        for _ in 0..HALVINGS {
            let slack = 0.5 * (short + enough);
            match self.shortest(slack).filter(&allowed) {
                Some(push) => (enough, best) = (slack, push),
                None => short = slack,
            }
        }
        best
    }
}

/// The point at which three planes, each given by a normal and how far along it the plane is, meet.
fn meeting_point([(a, u), (b, v), (c, w)]: [(DVec3, f64); 3]) -> Option<DVec3> {
    let volume = a.dot(b.cross(c));
    let point = (b.cross(c) * u + c.cross(a) * v + a.cross(b) * w) / volume;
    (volume.abs() > THIN).then_some(point)
}
