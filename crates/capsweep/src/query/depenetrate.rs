//! Depenetration: frees a capsule of all its overlaps, in a bounded number of pushes.
//!
//! Each round finds the deepest overlap that is left. Its push-out becomes a half-space constraint
//! on the *total* push: a least distance along this normal. The next total push is the shortest
//! one that meets all constraints so far, the projection of the start pose onto them. So two walls
//! and a floor cost three pushes at any angle. Pushing out of one after the other would go back
//! and forth. If no push meets the constraints, or only one longer than the capsule, the capsule
//! is squeezed.
//!
//! The start pose decides on which side of each surface the capsule belongs. A push must not carry
//! the axis through a surface, because the surface's back would then push the capsule further. A
//! surface that a push would cross adds a constraint too: back to where the whole capsule is in
//! front of it.

use crate::pair::contract::CapsuleFrame;
use crate::pair::target::TriangleTarget;
use crate::scene::filter::{Filter, StartOverlaps};
use crate::scene::hit::{Accept, SceneHit};
use crate::scene::store::Scene;
use crate::tolerance::{
    AXIS_RADIUS, CONSTRAINT_TOLERANCE, CONTACT_TOLERANCE, DEGENERATE_RATIO, FLAT_COS,
};
use crate::{Capsule, Motion, Overlap, Sides};
use glam::{DVec3, Vec3};

/// Most pushes of one [`Scene::depenetrate`].
pub const MAX_PUSHES: usize = 4;

/// The result of [`Scene::depenetrate`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Depenetration {
    /// Total displacement of the capsule, metres; zero if it was free.
    pub push: DVec3,
    /// Number of pushes; 0 if the capsule was free.
    pub pushes: usize,
    /// Whether the capsule is free after the displacement.
    pub state: Clearance,
}

/// Whether a capsule is free.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Clearance {
    /// It overlaps nothing.
    Free,
    /// Surfaces that face each other leave no room: moving away from one leads into another. The
    /// capsule is where the deepest of these overlaps is least.
    Squeezed {
        /// Depth of the deepest overlap that is left, metres.
        left: f64,
    },
    /// [`MAX_PUSHES`] pushes did not suffice. Another call from the new place continues.
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

    /// Depth of the deepest overlap that is left, metres; 0 if there is none.
    pub fn left(&self) -> f64 {
        match self.state {
            Clearance::Free => 0.0,
            Clearance::Squeezed { left } | Clearance::Unfinished { left } => left,
        }
    }
}

impl Scene {
    /// Finds a short push that frees `capsule` of every overlap with what `filter` sees.
    ///
    /// It takes at most [`MAX_PUSHES`] pushes, each out of the deepest overlap that is left. The
    /// total is the shortest displacement that answers all of them. A capsule that overlaps
    /// nothing gets a push of zero.
    ///
    /// Triangles whose front alone counts bound a solid: the push leads to their front, also if
    /// the axis lies wholly behind them. Where both sides count, it leads to the nearer side. A
    /// push out of a mesh is never longer than the capsule's total height. A push out of a solid
    /// shape is as long as the capsule is deep in it.
    ///
    /// ```
    /// use capsweep::scene::{Body, Filter, Scene, Shape};
    /// use capsweep::{Capsule, HalfSpace};
    /// use glam::{DVec3, dvec3};
    ///
    /// // A floor and a wall. The capsule is 10 cm deep in the one and 20 cm in the other.
    /// let mut scene = Scene::new();
    /// for outward in [DVec3::Z, DVec3::X] {
    ///     let solid = HalfSpace::new(DVec3::ZERO, outward)?;
    ///     scene.insert(Body::shape(Shape::HalfSpace(solid)));
    /// }
    /// let capsule = Capsule::from_feet(dvec3(0.2, 0.0, -0.1), DVec3::Z, 0.4, 1.8)?;
    ///
    /// let result = scene.depenetrate(&capsule, &Filter::default());
    /// assert!(result.is_free());
    /// assert!(result.push.distance(dvec3(0.2, 0.0, 0.1)) < 1e-6);
    /// # Ok::<(), capsweep::ShapeError>(())
    /// ```
    pub fn depenetrate(&self, capsule: &Capsule, filter: &Filter) -> Depenetration {
        self.find_free_push(capsule, filter, &|_| true, |capsule| {
            let found = self.overlap(capsule, filter)?;
            let front = self.push_to_front(capsule, &found, *filter);
            let push_out = front.unwrap_or((found.hit.normal, found.hit.depth));
            Some(RequiredPush::new(&found, push_out))
        })
    }

    /// [`Scene::depenetrate`] for a capsule that may stand behind one-sided surfaces: an axis
    /// behind one is pushed out on that side. Only what `accept` allows counts.
    pub(crate) fn depenetrate_on_either_side(
        &self,
        capsule: &Capsule,
        filter: &Filter,
        accept: &Accept,
    ) -> Depenetration {
        self.find_free_push(capsule, filter, accept, |capsule| {
            let found = self.overlap_where(capsule, filter, accept)?;
            Some(RequiredPush::new(&found, (found.hit.normal, found.hit.depth)))
        })
    }

    /// The loop of both functions above. `deepest` gives the push out of the deepest overlap of a
    /// capsule; `None` if it is free.
    fn find_free_push(
        &self,
        capsule: &Capsule,
        filter: &Filter,
        accept: &Accept,
        deepest: impl Fn(&Capsule) -> Option<RequiredPush>,
    ) -> Depenetration {
        // Outside of the range of positions there is nothing to overlap.
        let deepest = |push| deepest(&capsule.translated(push).ok()?);
        let crossing = |push: &DVec3| self.axis_crossing(capsule, *push, filter, accept);
        let mut constraints = PushConstraints::default();
        let mut push = DVec3::ZERO;
        for pushes in 0..MAX_PUSHES {
            let Some(required) = deepest(push) else {
                return Depenetration { push, pushes, state: Clearance::Free };
            };
            constraints.add(&required, push);
            let reach = capsule.total_height().max(required.depth) + CONTACT_TOLERANCE;
            let is_near = |next: &DVec3| next.distance(push) <= reach;
            let mut next = constraints.shortest_push(0.0).filter(is_near);
            if let Some((required, at)) = next.as_ref().and_then(crossing) {
                constraints.add(&required, at);
                let detour = constraints.shortest_push(0.0).filter(is_near);
                next = detour.filter(|detour| crossing(detour).is_none());
            }
            let Some(next) = next else {
                let push = constraints.min_violation_push(is_near);
                let push = crossing(&push).map_or(push, |(_, at)| at);
                let state = deepest(push).map_or(Clearance::Free, |required| {
                    Clearance::Squeezed { left: required.overlap_depth }
                });
                return Depenetration { push, pushes: pushes + 1, state };
            };
            push = next;
        }
        let state = deepest(push).map_or(Clearance::Free, |required| Clearance::Unfinished {
            left: required.overlap_depth,
        });
        Depenetration { push, pushes: MAX_PUSHES, state }
    }

    /// The first surface that the bare axis of `capsule` crosses when it moves by `push`. Returns
    /// the push back to where the whole capsule is in front of it, and the part of `push` up to
    /// the crossing.
    fn axis_crossing(
        &self,
        capsule: &Capsule,
        push: DVec3,
        filter: &Filter,
        accept: &Accept,
    ) -> Option<(RequiredPush, DVec3)> {
        let motion = Motion::new(push).ok().filter(|motion| !motion.is_zero())?;
        let axis = Capsule::new(capsule.p0(), capsule.p1(), AXIS_RADIUS).ok()?;
        let filter = Filter { start_overlaps: StartOverlaps::Skip, ..*filter };
        let crossed = self.sweep_where(&axis, &motion, &filter, accept)?.hit;
        let normal = crossed.normal.as_dvec3().normalize();
        let depth = f64::from(capsule.radius());
        Some((RequiredPush { normal, depth, overlap_depth: depth }, push * crossed.time))
    }

    /// The push-out, as normal and depth, to the front of a one-sided face that `found` overlaps
    /// from behind. `None` for other overlaps.
    fn push_to_front(
        &self,
        capsule: &Capsule,
        found: &SceneHit<Overlap>,
        filter: Filter,
    ) -> Option<(Vec3, f64)> {
        let (surface, pose) = self.content().surface(found.target.body.index)?;
        let slot = surface.slot_of(found.target.triangle?)?;
        let triangle = surface.world_triangle(pose, slot);
        let front = triangle.normal()?;
        // The normal decides, not the feature: right below a corner of four tiles the closest
        // feature is a vertex.
        let along = found.hit.normal.as_dvec3().dot(front.as_dvec3());
        (along < -FLAT_COS && surface.sides_in(slot, filter.sides) == Sides::Front).then(|| {
            let frame = CapsuleFrame::new(capsule);
            (front, TriangleTarget::new(&frame, &triangle).depth_along(&frame, front))
        })
    }
}

/// The push that frees the capsule of one surface, from the pose where the overlap was found.
struct RequiredPush {
    /// Unit.
    normal: DVec3,
    /// Metres along the normal.
    depth: f64,
    /// Depth of the overlap along its own, shortest push-out, metres. It is less than `depth` if
    /// the push leads to the other side of a face.
    overlap_depth: f64,
}

impl RequiredPush {
    /// The push out of `found` along a normal. A unit vector in f32 is off by a rounding, so it is
    /// normalised in f64. The depth is scaled to keep the displacement.
    fn new(found: &SceneHit<Overlap>, (normal, depth): (Vec3, f64)) -> Self {
        let normal = normal.as_dvec3();
        let length = normal.length();
        Self { normal: normal / length, depth: depth * length, overlap_depth: found.hit.depth }
    }
}

/// Half-space constraints on the total push: `normal · push ≥ reach`, with unit normals. Each
/// round adds at most one for an overlap and one for a surface that the push would cross.
#[derive(Default)]
struct PushConstraints {
    all: [(DVec3, f64); 2 * MAX_PUSHES],
    count: usize,
}

/// Bisections of the slack in a squeeze. For a capsule of a metre they find it to 10⁻¹⁵ m.
const BISECTIONS: usize = 50;

impl PushConstraints {
    /// Adds the constraint of a push that is required after `push`.
    ///
    /// If its normal is flat against an earlier one, that constraint is raised instead. The
    /// shortest push to the intersection of two nearly parallel planes leads far aside. It would
    /// be a millimetre for a tile that stands ten micrometres higher than the next.
    fn add(&mut self, required: &RequiredPush, push: DVec3) {
        for (normal, reach) in &mut self.all[..self.count] {
            let along = normal.dot(required.normal);
            if along > FLAT_COS {
                *reach = reach.max(normal.dot(push) + required.depth / along);
                return;
            }
        }
        let reach = required.normal.dot(push) + required.depth;
        self.all[self.count] = (required.normal, reach);
        self.count += 1;
    }

    /// The shortest push that meets all constraints lowered by `slack`; `None` if there is none.
    ///
    /// It lies on the planes of at most three constraints and is the shortest push to these. So it
    /// is enough to try the constraints one by one, in pairs and in triples.
    fn shortest_push(&self, slack: f64) -> Option<DVec3> {
        let all = &self.all[..self.count];
        let mut best: Option<DVec3> = None;
        let mut consider = |push: Option<DVec3>| {
            if let Some(push) = push
                && best.is_none_or(|best| push.length_squared() < best.length_squared())
                && all.iter().all(|(normal, reach)| {
                    normal.dot(push) >= reach - slack - CONSTRAINT_TOLERANCE
                })
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
                consider(plane_intersection([one, two, (one.0.cross(two.0), 0.0)]));
                for &third in &all[..j] {
                    consider(plane_intersection([one, two, lowered(third)]));
                }
            }
        }
        best
    }

    /// The push that minimises the largest violation of a constraint, among those `is_allowed`:
    /// bisects the slack that all constraints need in common.
    fn min_violation_push(&self, is_allowed: impl Fn(&DVec3) -> bool) -> DVec3 {
        let reaches = self.all[..self.count].iter().map(|(_, reach)| *reach);
        // With the largest reach as slack, the zero push meets all constraints.
        let (mut too_small, mut enough) = (0.0, reaches.fold(0.0, f64::max));
        let mut best = DVec3::ZERO;
        for _ in 0..BISECTIONS {
            let slack = 0.5 * (too_small + enough);
            match self.shortest_push(slack).filter(&is_allowed) {
                Some(push) => (enough, best) = (slack, push),
                None => too_small = slack,
            }
        }
        best
    }
}

/// The point where three planes meet, each given by its normal and its offset along the normal.
/// `None` if they are parallel or share a line, to rounding.
fn plane_intersection([(a, u), (b, v), (c, w)]: [(DVec3, f64); 3]) -> Option<DVec3> {
    let volume = a.dot(b.cross(c));
    let point = (b.cross(c) * u + c.cross(a) * v + a.cross(b) * w) / volume;
    (volume.abs() > DEGENERATE_RATIO).then_some(point)
}
