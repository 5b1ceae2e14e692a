//! One move: its passes in order. Ride, recovery, up, side with its steps, down. A free motion has
//! one pass in place of up and side.

pub(crate) mod context;
mod crush;
mod down;
mod footing;
mod free;
mod ground;
mod recovery;
mod ride;
mod side;
mod slide_planes;
mod step;
mod up;

use crate::cache::TriangleCache;
use crate::controller::Controller;
use crate::controller::input::{MoveInput, MoveStyle};
use crate::controller::outcome::{MoveOutcome, Obstruction};
use crate::controller::pass::context::MoveContext;
use crate::controller::state::{CharacterState, Clearance, Footing};
use crate::scene::Scene;
use crate::tolerance::BLOCKED_FRACTION;
use glam::{DVec3, Vec3};

impl Controller {
    /// Moves a character by `input.displacement`: slides along walls, climbs steps, follows the
    /// ground, rides, and leaves overlaps.
    ///
    /// The same scene, state and input give the same bits, whatever `cache` holds. Give each
    /// character a cache of its own: it saves looking up the triangles around it again. A move
    /// that would leave the range of positions is not made: the outcome then has the old state.
    pub fn move_by(
        &self,
        scene: &Scene,
        cache: &mut TriangleCache,
        state: &CharacterState,
        input: &MoveInput,
    ) -> MoveOutcome {
        let mut out = MoveOutcome::unmoved(*state);
        self.move_into(scene, cache, state, input, &mut out);
        out
    }

    /// As [`Controller::move_by`], into an existing outcome. It overwrites every field and reuses
    /// the memory of the contacts, so repeated moves allocate nothing.
    #[allow(clippy::too_many_arguments, reason = "those of `move_by`, and the outcome to reuse")]
    pub fn move_into(
        &self,
        scene: &Scene,
        cache: &mut TriangleCache,
        state: &CharacterState,
        input: &MoveInput,
        out: &mut MoveOutcome,
    ) {
        out.contacts.clear();
        self.move_on(scene, cache, state, input, out);
    }

    /// As [`Controller::move_into`], but keeps the contacts of the outcome and adds to them.
    #[inline]
    #[allow(clippy::too_many_arguments, reason = "those of `move_into`")]
    pub(crate) fn move_on(
        &self,
        scene: &Scene,
        cache: &mut TriangleCache,
        state: &CharacterState,
        input: &MoveInput,
        out: &mut MoveOutcome,
    ) {
        let earlier = out.contacts.len();
        out.reset();
        let mut context = MoveContext::new(self, (scene, cache), state, input, out);
        context.run_passes(state, input);
        if context.out_of_range {
            out.reset();
            out.contacts.truncate(earlier);
            out.state = *state;
        }
        out.requested = input.displacement.vector();
    }
}

impl MoveContext<'_> {
    #[inline(always)]
    fn run_passes(&mut self, state: &CharacterState, input: &MoveInput) {
        let ride_rest = self.ride(state, input);
        let crushed_in_height = self.recovery_pass(state, input);
        let desired = input.displacement.vector() + ride_rest;
        if let MoveStyle::Free { float_line } = input.style {
            self.move_freely(desired, crushed_in_height, float_line);
            return self.finish(state, input);
        }
        let rise = desired.dot(self.up);
        let level = desired - self.up * rise;
        // A crushed character has no height to rise or fall in.
        let rise = if crushed_in_height { 0.0 } else { rise };
        let length = level.length();
        let (rising, walking) = (rise > 0.0, length > self.config.min_distance);
        let base = self.center;
        let body_rise = self.use_up_sink(rise);
        let keeps_sink = body_rise == rise;
        if rising {
            self.up_pass(body_rise, !walking);
        }
        let snap = if state.is_grounded() && !crushed_in_height {
            f64::from(self.config.snap_distance)
        } else {
            0.0
        };
        let risen = self.center;
        if walking {
            let floor = state.footing.as_ref().filter(|footing| footing.walkable && !rising);
            let normal = floor.map(|footing| footing.normal);
            let normal =
                normal.filter(|normal| self.limits().allow_slope(*normal)).map(Vec3::as_dvec3);
            let steps = !rising || self.out.carried.displacement != DVec3::ZERO;
            self.side_pass((level, length), normal, snap - rise, steps);
        }
        if !self.out.contacts.is_empty() {
            self.set_blocked(base, body_rise, if walking { length } else { 0.0 });
        }
        self.skin = self.config.contact_offset;
        // A character whose rise was stopped at once still stands on its ground.
        let stays = keeps_sink && (self.center - base).dot(self.up) <= self.ground_gap();
        if !rising || stays {
            // Gives back the height that the side pass gained, so that a walk ends on the ground.
            let gained = (self.center - risen).dot(self.up);
            let (gained, fall, snap) =
                if rising { (0.0, 0.0, 0.0) } else { (gained, -rise, snap) };
            self.down_pass(gained, fall, snap);
        }
        self.finish(state, input);
    }

    /// Sets the obstruction if surfaces stopped both a walk of `length` and a rise by `rise` from
    /// `base`.
    pub(super) fn set_blocked(&mut self, base: DVec3, rise: f64, length: f64) {
        let made = self.center - base;
        let risen = made.dot(self.up);
        let walked = (made - self.up * risen).length_squared();
        let walks = walked > (BLOCKED_FRACTION * length) * (BLOCKED_FRACTION * length);
        let rises = rise > 0.0 && risen > BLOCKED_FRACTION * rise;
        if !walks && !rises && (length > 0.0 || rise > 0.0) {
            self.out.obstruction = Obstruction::Blocked;
        }
    }

    /// Fills in the rest of the outcome: the ground's velocity, the displacement, the next state.
    #[inline(always)]
    fn finish(&mut self, before: &CharacterState, input: &MoveInput) {
        self.measure_sink();
        let MoveOutcome { state, touching, ground, achieved, .. } = &mut *self.out;
        if let Some(ground) = ground {
            ground.velocity = input.velocity_of(ground);
        }
        let stood_on = ground.as_ref().filter(|ground| ground.touched);
        touching.below = stood_on.is_some();
        *achieved = self.center - before.center;
        let (center, footing) = (self.center, stood_on.map(Footing::from_ground));
        let sink = self.sink;
        *state = CharacterState { center, footing, room: Clearance::Free, sink, ..*before };
        if self.out.recovery.left > 0.0 {
            self.set_squeezed_or_crushed(before);
        }
    }
}
