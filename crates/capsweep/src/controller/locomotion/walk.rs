//! The mode *walk*: on walkable ground, and the jump from it.

use crate::controller::input::MoveStyle;
use crate::controller::locomotion::Tick;
use crate::controller::locomotion::plan::PlannedMove;
use crate::controller::locomotion::state::LocomotionState;
use crate::error::ShapeError;
use glam::DVec3;

impl Tick<'_> {
    /// Walks on the ground, or jumps off it.
    ///
    /// A walk also includes a fall: gravity presses the character to the ground, and pulls it down
    /// where the ground ends.
    pub(super) fn walk(
        &mut self,
        state: &LocomotionState,
        dt: f64,
    ) -> Result<LocomotionState, ShapeError> {
        let (up, walk) = (self.up, self.level(self.desired));
        let ground = self.ground_velocity(state);
        let plan = if self.jump {
            // A jump keeps the ground's velocity, including a rise but not a descent.
            let lift = ground.dot(up);
            let drift = ground - up * lift;
            let speed = self.locomotion.config.jump_speed + lift.max(0.0);
            let (fall, rising) = self.fall_from(speed, dt);
            let carried = if self.input.carrier.is_some() { DVec3::ZERO } else { drift * dt };
            PlannedMove {
                dt,
                displacement: walk * dt + carried + up * fall,
                velocity: walk + drift + up * rising,
                inherited: DVec3::ZERO,
                style: MoveStyle::Walk,
                floor: None,
            }
        } else {
            let (fall, rising) = self.fall_from(0.0, dt);
            PlannedMove {
                dt,
                displacement: walk * dt + up * fall,
                velocity: walk + up * rising,
                inherited: ground,
                style: MoveStyle::Walk,
                floor: self.floor_near(state, walk * dt),
            }
        };
        self.make(state, &plan)
    }

    /// Velocity of the ground in the character's frame. Aboard a transport the frame moves with
    /// the transport.
    fn ground_velocity(&self, state: &LocomotionState) -> DVec3 {
        let footing = state.character.footing().filter(|_| self.boarding().is_none());
        footing.map_or(DVec3::ZERO, |footing| footing.velocity)
    }
}
