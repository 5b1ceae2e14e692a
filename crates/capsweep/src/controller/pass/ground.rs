//! Ground: which contacts are walkable, and how far a character may hang over an edge.

use crate::cache::HintSlot;
use crate::controller::config::FootingRule;
use crate::controller::outcome::Ground;
use crate::controller::pass::context::MoveContext;
use crate::scene::SceneHit;
use crate::tolerance::{PROBE_RADIUS, SAME_LANDING_DISTANCE};
use crate::{Feature, Motion, SweepHit};
use glam::DVec3;

impl MoveContext<'_> {
    /// Whether a character that came down on `hit` stands there, instead of sliding off.
    ///
    /// One of three normals must be within the slope limit. The contact's own: a slope, a ridge, a
    /// kerb. The face's: the rim of a ledge or stair, whose contact leans. Or that of another face
    /// at the same edge or vertex.
    pub(crate) fn can_stand_on(&mut self, hit: &SweepHit) -> bool {
        if self.limits().allow_slope(hit.normal) || self.limits().allow_slope(hit.face_normal) {
            return true;
        }
        if hit.feature == Feature::Face {
            return false;
        }
        // A small ball, half sunk into the edge, overlaps exactly the faces that meet there.
        let size = self.radius * PROBE_RADIUS;
        let center = hit.point + self.up * f64::from(0.5 * size);
        let Some(ball) = self.ball_at(center, size) else { return false };
        self.out.stats.overlaps += 1;
        let limits = self.limits();
        self.world.any_overlap(&ball, |face| limits.allow_slope(face.face_normal))
    }

    /// Whether the character hangs over an edge by more than the perch limit, with no ground below
    /// its axis.
    #[inline]
    pub(crate) fn is_perched(&mut self, hit: &SweepHit) -> bool {
        let limit = match self.config.footing {
            FootingRule::Capsule => self.config.perch_limit,
            // The ball that looks for ground below the axis finds a contact that is nearer.
            FootingRule::Point => Some(self.radius * PROBE_RADIUS),
        };
        limit.is_some_and(|limit| self.hangs_over(hit, f64::from(limit)))
    }

    #[cold]
    fn hangs_over(&mut self, hit: &SweepHit, limit: f64) -> bool {
        let offset = self.center - hit.point;
        let level = (offset - self.up * offset.dot(self.up)).length();
        level > limit
            && !self.is_landing(hit.point)
            && !self.has_ground_below_axis(hit, level)
            && (self.config.footing == FootingRule::Capsule || self.can_leave_edge(hit))
    }

    /// Whether the character has room to slide off the edge of a contact. Over a gap narrower than
    /// itself it has none, so it stands.
    fn can_leave_edge(&mut self, hit: &SweepHit) -> bool {
        let resting = self.center - self.up * hit.distance;
        let offset = resting - hit.point;
        let level = offset - self.up * offset.dot(self.up);
        let length = level.length();
        let outward = level * ((self.skinned_radius() - length).max(0.0) / length);
        self.out.stats.sensor += 1;
        self.sweep_time(HintSlot::Side, resting, outward).is_none()
    }

    /// Whether there is walkable ground below the axis, which is `level` metres beside the
    /// contact.
    ///
    /// The ground may lie under the contact by the height of a step, or by the reach of the
    /// footing rule. If the contact is walkable, the ground may also lie where the contact's plane
    /// crosses the axis.
    fn has_ground_below_axis(&mut self, hit: &SweepHit, level: f64) -> bool {
        let normal = hit.normal.as_dvec3();
        let rise = normal.dot(self.up);
        let slope = (normal - self.up * rise).length() / rise;
        let walkable = self.limits().allow_slope(hit.normal);
        let plane = if walkable { level * slope + self.ground_gap() } else { 0.0 };
        let below = plane.max(self.highest_step()).max(self.footing_reach());
        let origin = self.center - self.half_axis;
        let depth = (origin - hit.point).dot(self.up) + below;
        self.out.stats.sensor += 1;
        // A small ball instead of a ray: the point straight below may be the very edge of a tread.
        let ball = self.ball_at(origin, self.radius * PROBE_RADIUS);
        let motion = self.in_range(Motion::new(self.up * -depth));
        let below = ball
            .zip(motion)
            .and_then(|(ball, motion)| self.world.sweep_past_overlaps(&ball, &motion));
        below.is_some_and(|below| self.can_stand_on(&below.hit))
    }

    /// Whether the last step of this move landed at `point`.
    fn is_landing(&self, point: DVec3) -> bool {
        let near = SAME_LANDING_DISTANCE * f64::from(self.radius);
        self.landing.is_some_and(|landing| landing.distance_squared(point) <= near * near)
    }

    /// The ground that a sweep down hit, `distance` metres under the skin.
    pub(crate) fn ground(
        &mut self,
        SceneHit { hit, target }: &SceneHit<SweepHit>,
        distance: f64,
    ) -> Ground {
        Ground {
            point: hit.point,
            normal: hit.normal,
            face_normal: hit.face_normal,
            target: *target,
            // A step may land on a steep surface that leads onto walkable ground.
            walkable: self.is_landing(hit.point) || self.can_stand_on(hit),
            distance,
            touched: distance <= self.ground_gap(),
            velocity: DVec3::ZERO,
        }
    }
}
