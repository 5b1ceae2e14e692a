//! A move in progress: where the character is by now, and what it has met.

use crate::cache::HintSlot;
use crate::controller::config::ControllerConfig;
use crate::controller::outcome::{Contact, MoveOutcome, Pass};
use crate::controller::pass::crush::Crush;
use crate::controller::pass::thorough;
use crate::controller::world::World;
use crate::error::ShapeError;
use crate::scene::SceneHit;
use crate::tolerance::{CONTACT_TOLERANCE, GROUND_GAP, SKIN_CLEARANCE, STEP_SLACK, UPRIGHT};
use crate::{Capsule, Motion, SweepHit};
use glam::DVec3;

/// A move in progress. The passes are its methods, one file each.
#[allow(clippy::struct_excessive_bools, reason = "independent facts, each known at its own time")]
pub(crate) struct MoveContext<'a> {
    pub(crate) world: World<'a>,
    pub(crate) config: &'a ControllerConfig,
    /// Unit.
    pub(crate) up: DVec3,
    pub(crate) center: DVec3,
    /// From the middle to the centre of the upper hemisphere.
    pub(crate) half_axis: DVec3,
    /// Without the skin.
    pub(crate) radius: f32,
    /// The skin: the contact offset, or less where there is no room for it.
    pub(crate) skin: f32,
    /// Height along `up` of what it stands on, from where steps are measured; `None` in the air.
    pub(crate) stands_at: Option<f64>,
    /// Where the last step of this move landed.
    pub(crate) landing: Option<DVec3>,
    /// Whether it slides down whatever it comes down on.
    pub(crate) slippery: bool,
    /// Whether something that can move overlaps it at the start of the move.
    pub(crate) run_into: bool,
    /// Set while bodies that move leave it no room.
    pub(crate) crush: Option<Crush>,
    /// Whether overlaps were looked for in every direction.
    pub(crate) recovered: bool,
    /// Whether it would leave the range of positions: the move is then not made.
    pub(crate) leaves: bool,
    pub(crate) out: &'a mut MoveOutcome,
}

impl MoveContext<'_> {
    /// The character with its skin, at `center`. What is swept is always this, so the skin is kept along the normal (B.1, B.2).
    #[inline]
    pub(crate) fn capsule_at(&mut self, center: DVec3) -> Option<Capsule> {
        let made = Capsule::from_center(center, self.half_axis, self.radius + self.skin);
        self.in_range(made)
    }

    /// A ball about `center`.
    pub(crate) fn ball_at(&mut self, center: DVec3, radius: f32) -> Option<Capsule> {
        self.in_range(Capsule::new(center, center, radius))
    }

    /// Whether a surface that is `depth` metres deep in the skin is in the body, too.
    pub(crate) fn reaches_body(&self, depth: f64) -> bool {
        depth > f64::from(self.config.contact_offset) + CONTACT_TOLERANCE
    }

    /// What was made, or `None` and the end of the move.
    #[inline]
    pub(crate) fn in_range<T>(&mut self, made: Result<T, ShapeError>) -> Option<T> {
        self.leaves |= made.is_err();
        made.ok()
    }

    /// First touch on the way straight up from `center` by `rise`, or down by minus that. `hint`: which way that is.
    #[inline(always)]
    pub(crate) fn sweep_up(
        &mut self,
        hint: HintSlot,
        center: DVec3,
        rise: f64,
    ) -> Option<SceneHit<SweepHit>> {
        self.sweep_from(hint, center, (self.up * rise, rise.abs()))
    }

    /// When the first touch on the way from `center` is, and nothing else about it.
    pub(crate) fn sweep_time(
        &mut self,
        hint: HintSlot,
        center: DVec3,
        motion: DVec3,
    ) -> Option<f64> {
        let way = (motion, motion.length());
        if thorough::is_asked_for() {
            return self.sweep_from(hint, center, way).map(|hit| hit.hit.time);
        }
        self.ask(center, way, |world, capsule, motion| world.sweep_time(hint, capsule, motion))
    }

    /// Whether a motion from `center` is stopped at once by what the last one with this hint ran into, as far as that is known.
    pub(crate) fn is_stopped_again(
        &mut self,
        hint: HintSlot,
        center: DVec3,
        motion: DVec3,
    ) -> bool {
        let stopped = self.ask(center, (motion, motion.length()), |world, capsule, motion| {
            Some(world.is_stopped_again(hint, capsule, motion))
        });
        stopped == Some(true)
    }

    /// Asks the world about a motion, as long as it says, from `center`.
    #[inline(always)]
    fn ask<T>(
        &mut self,
        center: DVec3,
        (motion, length): (DVec3, f64),
        query: impl Fn(&mut World, &Capsule, &Motion) -> Option<T>,
    ) -> Option<T> {
        if let Some(way) = Motion::with_length(motion, length)
            && let Some(capsule) =
                Capsule::from_center_fast(center, self.half_axis, self.radius + self.skin)
        {
            return query(&mut self.world, &capsule, &way);
        }
        // A vector of its own: one that is lent out stays in memory.
        let (capsule, motion) = self.checked(center, DVec3::new(motion.x, motion.y, motion.z))?;
        query(&mut self.world, &capsule, &motion)
    }

    /// What is swept, number by number. No motion would be an overlap test.
    #[cold]
    fn checked(&mut self, center: DVec3, motion: DVec3) -> Option<(Capsule, Motion)> {
        let motion = self.in_range(Motion::new(motion)).filter(|motion| !motion.is_zero())?;
        Some((self.capsule_at(center)?, motion))
    }

    /// First touch on the way, a motion and its length, from where the character is.
    #[inline(always)]
    pub(crate) fn sweep(
        &mut self,
        hint: HintSlot,
        way: (DVec3, f64),
    ) -> Option<SceneHit<SweepHit>> {
        self.sweep_from(hint, self.center, way)
    }

    #[inline(always)]
    fn sweep_from(
        &mut self,
        hint: HintSlot,
        center: DVec3,
        way: (DVec3, f64),
    ) -> Option<SceneHit<SweepHit>> {
        self.ask(center, way, |world, capsule, motion| world.sweep(hint, capsule, motion))
    }

    /// Remembers what a sweep met, once.
    pub(crate) fn touch(&mut self, pass: Pass, hit: &SceneHit<SweepHit>) {
        if !self.out.has_met(&hit.target) {
            self.out.contacts.push(Contact::swept(pass, hit));
        }
    }

    /// Radius with the skin.
    pub(crate) fn reach(&self) -> f64 {
        f64::from(self.radius + self.skin)
    }

    /// How high `point` is over what the character stands on, or over its lowest point if that is higher.
    ///
    /// On a stair its round bottom hangs below the rim that carries it: the next rim is a step above that one, not above the bottom.
    pub(crate) fn height_over_ground(&self, point: DVec3) -> f64 {
        let lowest = (self.center - self.half_axis).dot(self.up) - self.reach();
        point.dot(self.up) - self.stands_at.map_or(lowest, |height| height.max(lowest))
    }

    /// How high a step may be.
    pub(crate) fn highest_step(&self) -> f64 {
        f64::from(self.config.step_offset) + STEP_SLACK * f64::from(self.radius)
    }

    /// How far under its skin ground still carries the character.
    pub(crate) fn ground_gap(&self) -> f64 {
        GROUND_GAP * f64::from(self.radius)
    }

    /// Cosine of the steepest slope that is no wall.
    pub(crate) fn slope_limit(&self) -> f64 {
        f64::from(self.config.slope_limit.cos()).max(UPRIGHT)
    }

    /// Whether a normal is no steeper than the slope limit.
    pub(crate) fn is_walkable_normal(&self, normal: glam::Vec3) -> bool {
        normal.as_dvec3().dot(self.up) >= self.slope_limit()
    }

    /// Makes the skin thinner by `by` metres and a little more, so that what is between two surfaces can slide along both.
    pub(crate) fn thin_skin(&mut self, by: f64) {
        let full = self.config.contact_offset;
        self.skin = (self.skin - by as f32 - SKIN_CLEARANCE * full).max(0.0);
    }
}
