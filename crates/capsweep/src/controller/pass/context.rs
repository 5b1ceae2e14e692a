//! The state of a move in progress, and the sweeps that its passes make.

use crate::cache::{HintSlot, TriangleCache};
use crate::controller::Controller;
use crate::controller::config::ControllerConfig;
use crate::controller::input::MoveInput;
use crate::controller::outcome::{Contact, MoveOutcome, Pass};
use crate::controller::pass::crush::CrushedStance;
use crate::controller::state::CharacterState;
use crate::controller::walkable::WalkLimits;
use crate::controller::world::World;
use crate::error::ShapeError;
use crate::scene::{Scene, SceneHit};
use crate::tolerance::{CONTACT_TOLERANCE, GROUND_GAP, SKIN_CLEARANCE};
use crate::{Capsule, Motion, SweepHit};
use glam::DVec3;

/// A move in progress. The passes are its methods, one file each.
#[allow(clippy::struct_excessive_bools, reason = "independent facts, each known at its own time")]
pub(crate) struct MoveContext<'a> {
    pub(crate) world: World<'a>,
    pub(crate) config: &'a ControllerConfig,
    /// Unit length.
    pub(crate) up: DVec3,
    /// Current centre of the capsule.
    pub(crate) center: DVec3,
    /// From the capsule's centre to that of its upper hemisphere.
    pub(crate) half_axis: DVec3,
    /// Without the skin.
    pub(crate) radius: f32,
    /// Thickness of the skin: the contact offset, or less where there is no room for it.
    pub(crate) skin: f32,
    /// Height along `up` of the surface that carries the character. Steps are measured from there.
    /// `None` in the air.
    pub(crate) ground_height: Option<f64>,
    /// Contact point at which the last step of this move landed.
    pub(crate) landing: Option<DVec3>,
    /// As [`CharacterState::sink`]: what is left of it.
    pub(crate) sink: f64,
    /// Height of the feet over the ground that carries them.
    pub(crate) hover: f64,
    /// As [`MoveInput::floor`].
    pub(crate) floor: Option<f64>,
    /// The character slides down any ground.
    pub(crate) slippery: bool,
    /// A dynamic body overlaps the character at the start of the move.
    pub(crate) dynamic_overlap: bool,
    /// Set while dynamic bodies leave the character no room.
    pub(crate) crushed: Option<CrushedStance>,
    /// [`MoveContext::recover`] has run. It runs once per move.
    pub(crate) recovered: bool,
    /// The move would leave the range of positions, so it is not made.
    pub(crate) out_of_range: bool,
    pub(crate) out: &'a mut MoveOutcome,
}

impl<'a> MoveContext<'a> {
    #[inline(always)]
    pub(crate) fn new(
        controller: &'a Controller,
        (scene, cache): (&'a Scene, &'a mut TriangleCache),
        state: &CharacterState,
        input: &MoveInput,
        out: &'a mut MoveOutcome,
    ) -> Self {
        let up = controller.up;
        Self {
            world: World::new(scene, cache, input.surroundings),
            config: &controller.config,
            up,
            center: state.center,
            half_axis: up * state.half_axis(),
            radius: state.radius,
            skin: controller.config.contact_offset,
            ground_height: state.footing.as_ref().map(|footing| footing.point.dot(up)),
            landing: None,
            sink: state.sink,
            hover: input.hover.max(0.0),
            floor: input.floor,
            slippery: input.slippery,
            dynamic_overlap: false,
            crushed: None,
            recovered: false,
            out_of_range: false,
            out,
        }
    }
}

impl MoveContext<'_> {
    /// The character with its skin, at `center`. Every pass sweeps this capsule, so the skin is
    /// kept along the normal of each surface, at any angle.
    #[inline]
    pub(crate) fn capsule_at(&mut self, center: DVec3) -> Option<Capsule> {
        let made = Capsule::from_center(center, self.half_axis, self.radius + self.skin);
        self.in_range(made)
    }

    /// The character's body, without its skin, at `center`.
    pub(crate) fn body_at(&mut self, center: DVec3) -> Option<Capsule> {
        self.in_range(Capsule::from_center(center, self.half_axis, self.radius))
    }

    pub(crate) fn ball_at(&mut self, center: DVec3, radius: f32) -> Option<Capsule> {
        self.in_range(Capsule::new(center, center, radius))
    }

    /// Whether a surface that is `depth` metres deep in the skin is in the body, too.
    pub(crate) fn reaches_body(&self, depth: f64) -> bool {
        depth > f64::from(self.config.contact_offset) + CONTACT_TOLERANCE
    }

    /// The value, or `None` if it is out of range. An error ends the move without a displacement.
    #[inline]
    pub(crate) fn in_range<T>(&mut self, made: Result<T, ShapeError>) -> Option<T> {
        self.out_of_range |= made.is_err();
        made.ok()
    }

    /// First hit of a sweep from `center` straight up by `rise` metres, or down if it is negative.
    #[inline(always)]
    pub(crate) fn sweep_vertical(
        &mut self,
        hint: HintSlot,
        center: DVec3,
        rise: f64,
    ) -> Option<SceneHit<SweepHit>> {
        self.sweep_from(hint, center, (self.up * rise, rise.abs()))
    }

    /// Time of the first hit of a sweep from `center`: cheaper than the whole hit.
    pub(crate) fn sweep_time(
        &mut self,
        hint: HintSlot,
        center: DVec3,
        motion: DVec3,
    ) -> Option<f64> {
        let sweep = (motion, motion.length());
        self.query(center, sweep, |world, capsule, motion| world.sweep_time(hint, capsule, motion))
    }

    /// Whether the triangle that stopped the last sweep with this hint stops a motion from
    /// `center` at once. False if no such triangle is known.
    pub(crate) fn is_stopped_again(
        &mut self,
        hint: HintSlot,
        center: DVec3,
        motion: DVec3,
    ) -> bool {
        let stopped = self.query(center, (motion, motion.length()), |world, capsule, motion| {
            Some(world.is_stopped_again(hint, capsule, motion))
        });
        stopped == Some(true)
    }

    /// Runs a query with the skinned capsule at `center` and a motion, given with its length.
    #[inline(always)]
    fn query<T>(
        &mut self,
        center: DVec3,
        (motion, length): (DVec3, f64),
        query: impl Fn(&mut World, &Capsule, &Motion) -> Option<T>,
    ) -> Option<T> {
        if let Some(sweep) = Motion::with_length(motion, length)
            && let Some(capsule) =
                Capsule::from_center_fast(center, self.half_axis, self.radius + self.skin)
        {
            return query(&mut self.world, &capsule, &sweep);
        }
        // A copy: a vector that is borrowed by a call stays in memory instead of registers.
        let (capsule, motion) = self.checked(center, DVec3::new(motion.x, motion.y, motion.z))?;
        query(&mut self.world, &capsule, &motion)
    }

    /// The capsule and the motion, checked number by number. `None` for no motion, which would be
    /// an overlap test.
    #[cold]
    fn checked(&mut self, center: DVec3, motion: DVec3) -> Option<(Capsule, Motion)> {
        let motion = self.in_range(Motion::new(motion)).filter(|motion| !motion.is_zero())?;
        Some((self.capsule_at(center)?, motion))
    }

    /// First hit of a sweep from the current position by a motion, given with its length.
    #[inline(always)]
    pub(crate) fn sweep(
        &mut self,
        hint: HintSlot,
        motion: (DVec3, f64),
    ) -> Option<SceneHit<SweepHit>> {
        self.sweep_from(hint, self.center, motion)
    }

    /// First hit of a sweep from `center` by a motion, given with its length.
    #[inline(always)]
    pub(crate) fn sweep_from(
        &mut self,
        hint: HintSlot,
        center: DVec3,
        motion: (DVec3, f64),
    ) -> Option<SceneHit<SweepHit>> {
        self.query(center, motion, |world, capsule, motion| world.sweep(hint, capsule, motion))
    }

    /// Adds a contact to the outcome, unless its surface is there already.
    pub(crate) fn add_contact(&mut self, pass: Pass, hit: &SceneHit<SweepHit>) {
        if !self.out.has_contact_with(&hit.target) {
            self.out.contacts.push(Contact::from_sweep(pass, hit));
        }
    }

    /// Radius with the skin.
    pub(crate) fn skinned_radius(&self) -> f64 {
        f64::from(self.radius + self.skin)
    }

    /// Height along `up` of the lowest point of the skin.
    pub(crate) fn lowest(&self) -> f64 {
        (self.center - self.half_axis).dot(self.up) - self.skinned_radius()
    }

    /// Height along `up` from which steps count: that of the surface that carries the character,
    /// or of the character's lowest point if that is higher.
    ///
    /// On a stair the round bottom hangs below the rim that carries it. The next rim is a step
    /// above that rim, not above the bottom.
    pub(crate) fn bottom(&self) -> f64 {
        let lowest = self.lowest();
        self.ground_height.map_or(lowest, |height| height.max(lowest))
    }

    /// The slopes and heights that count as walkable. They are computed where they are needed:
    /// most moves touch no wall and no step.
    #[inline(always)]
    pub(crate) fn limits(&self) -> WalkLimits {
        WalkLimits::new(self.config, self.up, self.radius)
    }

    /// Height of the highest step that the character climbs: the step offset and its slack.
    pub(crate) fn highest_step(&self) -> f64 {
        self.limits().highest_step()
    }

    /// How far under the skin ground still carries the character.
    pub(crate) fn ground_gap(&self) -> f64 {
        GROUND_GAP * f64::from(self.radius)
    }

    /// Makes the skin thinner by `by` metres and a little more, so that a character between two
    /// surfaces can slide along both.
    pub(crate) fn thin_skin(&mut self, by: f64) {
        let full = self.config.contact_offset;
        self.skin = (self.skin - by as f32 - SKIN_CLEARANCE * full).max(0.0);
    }
}
