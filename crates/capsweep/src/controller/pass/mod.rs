//! One move: ride, recover, up, side, down.

pub(crate) mod context;
mod crush;
mod down;
mod ground;
mod recover;
mod ride;
pub(crate) mod side;
pub(crate) mod slide_planes;
mod step;
mod thorough;
mod up;

use crate::cache::TriangleCache;
use crate::controller::Controller;
use crate::controller::input::MoveInput;
use crate::controller::outcome::{MoveOutcome, Obstruction};
use crate::controller::pass::context::MoveContext;
use crate::controller::state::{CharacterState, Footing, Room};
use crate::controller::world::World;
use crate::scene::Scene;
use glam::{DVec3, Vec3};

impl Controller {
    /// Moves a character and says what came of it. The same scene, state and input give the same bits, whatever is in `cache`: one of the
    /// character's own spares it looking up what is around it again.
    ///
    /// A move that would leave the range of positions is not made.
    pub fn move_by(
        &self,
        scene: &Scene,
        cache: &mut TriangleCache,
        state: &CharacterState,
        input: &MoveInput,
    ) -> MoveOutcome {
        let mut out = MoveOutcome::still(*state);
        self.move_into(scene, cache, state, input, &mut out);
        out
    }

    /// As [`Controller::move_by`], into an outcome whose memory is used again.
    #[allow(clippy::too_many_arguments, reason = "a move, and the memory that it uses again")]
    pub fn move_into(
        &self,
        scene: &Scene,
        cache: &mut TriangleCache,
        state: &CharacterState,
        input: &MoveInput,
        out: &mut MoveOutcome,
    ) {
        out.reset();
        let mut walker = MoveContext {
            world: World::new(scene, cache, input.surroundings),
            config: &self.config,
            up: self.up,
            center: state.center,
            half_axis: self.up * state.half_axis(),
            radius: state.radius,
            skin: self.config.contact_offset,
            stands_at: state.footing.as_ref().map(|footing| footing.point.dot(self.up)),
            landing: None,
            slippery: input.slippery,
            run_into: false,
            crush: None,
            recovered: false,
            leaves: false,
            out,
        };
        walker.walk(state, input);
        if walker.leaves {
            out.reset();
            out.state = *state;
        }
        out.requested = input.displacement.vector();
    }
}

impl MoveContext<'_> {
    #[inline(always)]
    fn walk(&mut self, state: &CharacterState, input: &MoveInput) {
        let carry = self.ride(state, input);
        let held = self.make_room(state, input);
        let wish = input.displacement.vector() + carry;
        let rise = wish.dot(self.up);
        let level = wish - self.up * rise;
        // Too low a room holds it at its height.
        let rise = if held { 0.0 } else { rise };
        let length = level.length();
        let (rising, walking) = (rise > 0.0, length > self.config.min_distance);
        let base = self.center;
        if rising {
            self.up_pass(rise, !walking);
        }
        let snap =
            if state.is_grounded() && !held { f64::from(self.config.snap_distance) } else { 0.0 };
        let risen = self.center;
        if walking {
            let floor = state.footing.as_ref().filter(|footing| footing.walkable && !rising);
            let normal = floor.map(|footing| footing.normal);
            let normal =
                normal.filter(|normal| self.is_walkable_normal(*normal)).map(Vec3::as_dvec3);
            let steps = !rising || self.out.carried.displacement != DVec3::ZERO;
            self.side_pass((level, length), normal, snap - rise, steps);
        }
        if !self.out.contacts.is_empty() {
            self.note_block(base, rise, if walking { length } else { 0.0 });
        }
        self.skin = self.config.contact_offset;
        // Who was stopped at once still stands.
        if !rising || (self.center - base).dot(self.up) <= self.ground_gap() {
            // What was gained in height on the way is given back, so that a walk ends on the ground.
            let gained = (self.center - risen).dot(self.up);
            let (gained, fall, snap) = if rising { (0.0, 0.0, 0.0) } else { (gained, -rise, snap) };
            self.down_pass(gained, fall, snap);
        }
        self.arrive(state, input);
    }

    /// Notes whether surfaces stopped a walk of `length` and a rise by `rise` from `base`.
    fn note_block(&mut self, base: DVec3, rise: f64, length: f64) {
        let made = self.center - base;
        let risen = made.dot(self.up);
        let walked = (made - self.up * risen).length_squared();
        let walks = walked > (BLOCKED * length) * (BLOCKED * length);
        let rises = rise > 0.0 && risen > BLOCKED * rise;
        if !walks && !rises && (length > 0.0 || rise > 0.0) {
            self.out.obstruction = Obstruction::Blocked;
        }
    }

    #[inline(always)]
    fn arrive(&mut self, before: &CharacterState, input: &MoveInput) {
        let MoveOutcome { state, touching, ground, achieved, .. } = &mut *self.out;
        if let Some(ground) = ground {
            ground.velocity = input.velocity_of(ground);
        }
        let stood_on = ground.as_ref().filter(|ground| ground.touched);
        touching.below = stood_on.is_some();
        *achieved = self.center - before.center;
        let footing = stood_on.map(Footing::of);
        *state = CharacterState { center: self.center, footing, room: Room::Enough, ..*before };
        if self.out.recovery.left > 0.0 {
            self.note_missing_room(before);
        }
    }
}

/// Less than this part of a motion is no headway.
const BLOCKED: f64 = 0.01;
