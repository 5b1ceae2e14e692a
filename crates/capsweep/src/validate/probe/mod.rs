//! The tested body, and the scene queries of a judgement.

mod support;

use crate::controller::{CharacterState, Climbing, FootingRule, NonWalkable, WalkLimits};
use crate::scene::{BodyId, Filter, HitTarget, SceneHit, StartOverlaps};
use crate::tolerance::{CLAIM_SHRINK, SUPPORT_SLACK};
use crate::validate::probe::support::FootingBelow;
use crate::validate::{ClaimWorld, Support, Validator};
use crate::{Capsule, Feature, Motion, Overlap, Sides, SweepHit};
use glam::{DVec3, Vec3};

/// Makes and counts the scene queries for one claim.
///
/// The *tested body* is the part of the character that never overlaps geometry in an honest move.
/// It is thinner by the allowances, and begins above the feet, higher than steps and slopes reach.
/// So it passes wherever the character passes.
pub(crate) struct Probe<'a> {
    pub(crate) world: &'a ClaimWorld<'a>,
    pub(crate) up: DVec3,
    pub(crate) limits: WalkLimits,
    /// Radius of the character with its skin.
    pub(crate) skinned: f64,
    skin: f64,
    height: f64,
    /// Radius of the tested body.
    pub(crate) radius: f64,
    /// Height over the feet at which the tested body begins.
    pub(crate) raise: f64,
    /// Highest contact over the ground that can be climbed.
    pub(crate) climb: f64,
    /// How far the feet may be below the lowest point of the round bottom: 0 unless the footing
    /// rule is `Point`.
    sink: f64,
    /// The feet may be below the body by more than the height at which the tested body begins.
    pub(crate) is_short: bool,
    /// Height over the ground at which the character hovers; 0 for none.
    pub(crate) hover: f64,
    pub(crate) position_error: f64,
    /// Falls may end on the edges of a wall's triangles.
    pub(crate) walls_carry: bool,
    pub(crate) queries: u32,
    pub(crate) max_queries: u32,
    /// A box query ended early, because the query budget ran out.
    pub(crate) is_cut_short: bool,
    hits: Vec<SceneHit<SweepHit>>,
}

/// An overlap of the feet with the ground.
pub(crate) struct Sunk {
    /// Depth beyond the allowed sink (metres).
    pub(crate) depth: f64,
    pub(crate) point: DVec3,
    pub(crate) face_normal: DVec3,
    /// The hit is on an edge or vertex, where the surface ends or bends.
    pub(crate) is_rim: bool,
}

/// An overlap of the tested body.
#[derive(Clone, Copy)]
pub(crate) struct Inside {
    pub(crate) depth: f64,
    pub(crate) point: DVec3,
    /// Its middle was on the side of the surface to which the shortest push-out leads.
    pub(crate) was_out: bool,
    /// A one-sided surface does not block what comes from behind. So the overlap is possible if a
    /// path leads there.
    pub(crate) may_be_from_behind: bool,
}

/// Ground below a position.
pub(crate) struct GroundBelow {
    /// Height of the resting position above the feet (metres); negative if the ground is below.
    pub(crate) rise: f64,
    /// Height of the contact.
    pub(crate) contact: f64,
    pub(crate) walkable: bool,
}

impl<'a> Probe<'a> {
    pub(crate) fn new(
        validator: &Validator,
        world: &'a ClaimWorld<'a>,
        size: &CharacterState,
        hover: f64,
    ) -> Self {
        let controller = validator.locomotion.controller();
        let config = controller.config();
        let limits = controller.walk_limits(size);
        let skin = f64::from(config.contact_offset);
        let body_radius = f64::from(size.radius());
        let skinned = body_radius + skin;
        let height = f64::from(size.total_height()).max(2.0 * body_radius);
        let position_error = validator.config.allowances.position;
        // At least a quarter of the radius remains, whatever the allowance.
        let radius = (body_radius - position_error - CLAIM_SHRINK).max(0.25 * body_radius);
        let cos = limits.slope_limit();
        let slope = (1.0 - cos * cos).sqrt() / cos;
        let sink = match config.footing {
            FootingRule::Capsule => 0.0,
            FootingRule::Point => f64::from(config.step_offset.max(config.snap_distance)),
        };
        // The search advances by half a radius. The steepest slope rises by this over that length.
        let slope_rise = 0.5 * radius * slope.min(2.0);
        // The tested body is at least a sphere.
        let top = skin + height - position_error - CLAIM_SHRINK;
        let raise = limits
            .highest_step()
            .max(slope_rise)
            .max(sink + skin + position_error)
            .min(top - 2.0 * radius)
            .max(0.0);
        let is_short = sink > 0.0 && raise < sink + skin + position_error;
        let climb = match config.climbing {
            Climbing::Easy => limits.highest_step() + skinned,
            Climbing::Constrained => limits.highest_step(),
        };
        Self {
            world,
            up: controller.up(),
            limits,
            skinned,
            skin,
            height,
            radius,
            raise,
            climb: climb.max(slope_rise),
            sink,
            is_short,
            hover,
            position_error,
            walls_carry: config.non_walkable == NonWalkable::Prevent,
            queries: 0,
            is_cut_short: false,
            max_queries: validator.config.max_queries,
            hits: Vec::new(),
        }
    }

    /// Height of the character without its skin.
    pub(crate) fn height(&self) -> f64 {
        self.height
    }

    /// Height of the top of the skin over the feet.
    pub(crate) fn top(&self) -> f64 {
        2.0 * self.skin + self.height + self.sink
    }

    /// Height over the feet at which the round top begins: the lowest point at which a surface can
    /// stop a rise.
    pub(crate) fn head(&self) -> f64 {
        2.0 * self.skin + self.height - self.skinned
    }

    /// Height over the lowest point of the round bottom at which it touches the steepest walkable
    /// slope.
    pub(crate) fn rim(&self) -> f64 {
        self.skinned * (1.0 - self.limits.slope_limit())
    }

    /// How far the feet may rise or sink at once: by a step, or to another surface straight below
    /// with the footing rule `Point`.
    pub(crate) fn footing_reach(&self) -> f64 {
        self.limits.highest_step().max(self.sink)
    }

    /// Upper bound of the sink: from `footing` for a character that stands on ground, otherwise
    /// the largest possible sink.
    pub(crate) fn footing_sink(&self, footing: &FootingBelow) -> f64 {
        let stands = footing.support == Support::Ground;
        if stands { footing.risen.clamp(0.0, self.sink) } else { self.sink }
    }

    /// Upper bound of the sink of a character with feet at the height `feet` that left ground no
    /// higher than `ground`.
    ///
    /// Until its rise had used up the sink, its body was no higher than on that ground.
    pub(crate) fn sink_over(&self, ground: f64, feet: f64) -> f64 {
        (ground + self.rim() - feet).clamp(0.0, self.sink)
    }

    /// Where the tested body of a character with feet at `feet` is placed, whose body is at most
    /// `sink` above its feet. `None` if that is not certain.
    ///
    /// The tested body begins above the largest sink, unless the character is short. Then the
    /// sink must be known, as on ground, or so small that the tested body begins above it.
    pub(crate) fn place(&mut self, feet: DVec3, support: Support, sink: f64) -> Option<DVec3> {
        if !self.is_short {
            return Some(feet);
        }
        if support != Support::Ground {
            let is_small = sink + self.skin + self.position_error <= self.raise;
            return is_small.then_some(feet);
        }
        let place = feet + self.up * sink;
        if self.depth(place).is_none() {
            return Some(place);
        }
        // It may rest on an edge above the height at which the search for support begins.
        let higher = feet + self.up * (self.sink - self.raise);
        let ground = self.ground(higher, self.sink - self.raise);
        ground.map(|ground| higher + self.up * ground.rise).or(Some(place))
    }

    /// How far the body may have slipped off an edge while its feet still appear to stand. A body
    /// slides off walkable edges only with the footing rule `Point`.
    pub(crate) fn slip(&self) -> f64 {
        if self.sink > 0.0 { self.skinned } else { 0.0 }
    }

    pub(crate) fn is_spent(&self) -> bool {
        self.queries >= self.max_queries
    }

    /// Largest error of the height of a support.
    pub(crate) fn slack(&self) -> f64 {
        SUPPORT_SLACK + self.position_error
    }

    pub(crate) fn ignores(&self, body: BodyId) -> bool {
        self.world.surroundings.ignore == Some(body)
    }

    fn filter(&self, start_overlaps: StartOverlaps) -> Filter {
        Filter { start_overlaps, ..self.world.surroundings.filter }
    }

    fn sweep(
        &mut self,
        capsule: &Capsule,
        motion: &Motion,
        overlaps: StartOverlaps,
    ) -> Option<SceneHit<SweepHit>> {
        self.queries += 1;
        let (scene, filter) = (self.world.scene, self.filter(overlaps));
        match self.world.surroundings.ignore {
            None => scene.sweep(capsule, motion, &filter),
            Some(body) => {
                let others = |target: &HitTarget| target.body != body;
                scene.sweep_where(capsule, motion, &filter, others)
            }
        }
    }

    /// The tested body of a character with its feet at `feet`.
    fn body(&self, feet: DVec3) -> Option<Capsule> {
        let top = self.skin + self.height - self.position_error - CLAIM_SHRINK;
        let radius = self.radius.min(0.5 * (top - self.raise));
        let low = feet + self.up * (self.raise + radius);
        let high = feet + self.up * (top - radius).max(self.raise + radius);
        Capsule::new(low, high, radius as f32).ok()
    }

    /// The round bottom of a character, raised like the tested body, with this radius.
    fn ball(&self, feet: DVec3, radius: f64) -> Option<Capsule> {
        let center = feet + self.up * (self.raise + self.skinned);
        Capsule::new(center, center, radius as f32).ok()
    }

    /// First hit of the tested body when the feet move from `from` to `to`.
    pub(crate) fn blocked(&mut self, from: DVec3, to: DVec3) -> Option<SceneHit<SweepHit>> {
        let (capsule, motion) = (self.body(from)?, Motion::new(to - from).ok()?);
        self.sweep(&capsule, &motion, StartOverlaps::Report)
    }

    /// Whether the tested body can move without a hit.
    pub(crate) fn is_open(&mut self, from: DVec3, to: DVec3) -> bool {
        self.blocked(from, to).is_none()
    }

    /// As [`Probe::blocked`], but ignores overlaps at the start.
    pub(crate) fn blocked_past_overlaps(
        &mut self,
        from: DVec3,
        to: DVec3,
    ) -> Option<SceneHit<SweepHit>> {
        let (capsule, motion) = (self.body(from)?, Motion::new(to - from).ok()?);
        self.sweep(&capsule, &motion, StartOverlaps::Skip)
    }

    /// Depth and point of the tested body's overlap at `feet`; `None` if it is free.
    pub(crate) fn depth(&mut self, feet: DVec3) -> Option<(f64, DVec3)> {
        self.overlap(feet).map(|overlap| (overlap.hit.depth, overlap.hit.point))
    }

    /// The overlap of the tested body at `feet`, of a character that was at `before`. The rim of a
    /// one-sided surface does not count: it blocks no move along the surface.
    pub(crate) fn inside(&mut self, before: DVec3, feet: DVec3) -> Option<Inside> {
        let overlap = self.overlap(feet)?;
        let (depth, point) = (overlap.hit.depth, overlap.hit.point);
        let Some(front) = self.front_of(&overlap.target) else {
            return Some(Inside { depth, point, was_out: true, may_be_from_behind: false });
        };
        let body = self.body(before)?;
        let face_normal = overlap.hit.face_normal.as_dvec3();
        let was_out = (body.p0().midpoint(body.p1()) - point).dot(face_normal) >= 0.0;
        let was_behind =
            [body.p0(), body.p1()].into_iter().any(|end| (end - point).dot(front) < 0.0);
        // The shortest push-out leads to the back.
        let is_behind = face_normal.dot(front) < 0.0;
        let is_rim = overlap.hit.feature != Feature::Face;
        let may_be_from_behind = was_behind || is_behind;
        (!is_rim).then_some(Inside { depth, point, was_out, may_be_from_behind })
    }

    fn overlap(&mut self, feet: DVec3) -> Option<SceneHit<Overlap>> {
        self.queries += 1;
        let filter = self.filter(StartOverlaps::Report);
        let overlap = self.world.scene.overlap(&self.body(feet)?, &filter)?;
        (!self.ignores(overlap.target.body)).then_some(overlap)
    }

    /// The normal of a one-sided triangle on its front; `None` for other surfaces.
    fn front_of(&self, target: &HitTarget) -> Option<DVec3> {
        let (surface, pose) = self.world.scene.content().surface(target.body.index())?;
        let slot = surface.slot_of(target.triangle?)?;
        let is_one_sided =
            self.world.surroundings.filter.sides == Sides::Front && !surface.has_two_sides(slot);
        // A degenerate triangle has no front.
        let front = || surface.world_triangle(pose, slot).normal().map(Vec3::as_dvec3);
        is_one_sided.then(|| front().unwrap_or(DVec3::ZERO))
    }

    /// How far the feet may be below a surface on which they stand.
    pub(crate) fn allowed_sink(&self) -> f64 {
        2.0 * self.position_error + CLAIM_SHRINK + self.skin + self.sink
    }

    /// The overlap of the feet with the ground; `None` if there is none. `risen` is the height
    /// above the feet at which the round bottom would rest.
    pub(crate) fn sunk(&mut self, feet: DVec3, risen: f64) -> Option<Sunk> {
        let allowed = self.allowed_sink();
        if risen <= allowed {
            return None;
        }
        let down = Motion::new(self.up * -self.raise).ok()?;
        let hit = self.sweep(&self.body(feet)?, &down, StartOverlaps::Skip)?.hit;
        let depth = self.raise - allowed - hit.distance;
        let face_normal = hit.face_normal.as_dvec3();
        let is_rim = hit.feature != Feature::Face;
        (depth > 0.0).then_some(Sunk { depth, point: hit.point, face_normal, is_rim })
    }

    fn can_stand_on(&self, hit: &SceneHit<SweepHit>) -> bool {
        let scene = self.world.scene;
        self.limits.allow_slope(hit.hit.normal)
            || self.limits.allow_slope(hit.hit.face_normal)
            || scene
                .neighbor_normal(hit, &self.world.surroundings.filter)
                .is_some_and(|normal| self.limits.allow_slope(normal))
    }

    /// The ground at `feet`, at most `depth` below them, as the full round bottom finds it.
    pub(crate) fn ground(&mut self, feet: DVec3, depth: f64) -> Option<GroundBelow> {
        let ball = self.ball(feet, self.skinned)?;
        self.ground_under(&ball, depth)
    }

    /// The same for the tested body, which fits beside obstacles on which the round bottom would
    /// rest.
    pub(crate) fn narrow_ground(&mut self, feet: DVec3, depth: f64) -> Option<GroundBelow> {
        let body = self.body(feet)?;
        self.ground_under(&body, depth)
    }

    fn ground_under(&mut self, shape: &Capsule, depth: f64) -> Option<GroundBelow> {
        let down = Motion::new(self.up * -(self.raise + depth)).ok()?;
        let hit = self.sweep(shape, &down, StartOverlaps::Skip)?;
        Some(GroundBelow {
            rise: self.raise - hit.hit.distance,
            contact: hit.hit.point.dot(self.up),
            walkable: self.can_stand_on(&hit),
        })
    }
}
