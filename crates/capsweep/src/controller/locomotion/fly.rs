//! The mode *fly*: in the air, in three dimensions, without gravity.
//!
//! Hovering is not a mode of its own: a hovering character walks and falls, at a height over the
//! ground that [`MoveInput::hover`](crate::controller::MoveInput::hover) gives.

use crate::controller::input::MoveStyle;
use crate::controller::locomotion::Tick;
use crate::controller::locomotion::plan::PlannedMove;
use crate::controller::locomotion::state::LocomotionState;
use crate::error::ShapeError;
use glam::DVec3;

impl Tick<'_> {
    /// Flies with the desired velocity.
    pub(super) fn fly(
        &mut self,
        state: &LocomotionState,
        dt: f64,
    ) -> Result<LocomotionState, ShapeError> {
        let plan = PlannedMove {
            dt,
            displacement: self.desired * dt,
            velocity: self.desired,
            inherited: DVec3::ZERO,
            style: MoveStyle::Free { float_line: None },
            floor: None,
        };
        self.make(state, &plan)
    }
}
