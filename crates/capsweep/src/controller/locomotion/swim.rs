//! The mode *swim*: in deep water, in three dimensions.

use crate::controller::input::MoveStyle;
use crate::controller::locomotion::Tick;
use crate::controller::locomotion::plan::PlannedMove;
use crate::controller::locomotion::state::LocomotionState;
use crate::error::ShapeError;
use glam::DVec3;

impl Tick<'_> {
    /// Swims with the desired velocity, or jumps out of the water.
    ///
    /// Swimming does not lift the feet over the float line: there the rise ends, and the rest of
    /// the motion is level. The line is that of the surface where the motion ends, so a swimmer
    /// floats along a river that slopes.
    pub(super) fn swim(
        &mut self,
        state: &LocomotionState,
        dt: f64,
    ) -> Result<LocomotionState, ShapeError> {
        let (up, character, config) = (self.up, &state.character, &self.locomotion.config);
        let slack = Self::float_slack(character);
        let below = self.depth_below_float_line(character);
        if self.jump && below.is_some_and(|below| below <= slack) {
            let velocity = self.level(self.desired) + up * config.swim_jump_speed;
            return self.fall(&state.in_the_air(velocity), dt);
        }
        let (level, asked) = (self.level(self.desired), self.desired.dot(up));
        let speed = if asked == 0.0 { config.float_speed } else { asked };
        let feet = self.feet(character);
        let surface = self.surface_over(feet + level * dt).or_else(|| self.surface_over(feet));
        let line = surface.map(|surface| self.float_line(character, surface));
        // Rising ground has lifted a character that touches it above the line. It keeps that
        // height, and walks out of the water further up.
        let lifted =
            below.filter(|_| character.footing().is_some()).map_or(0.0, |b| (-b).max(0.0));
        let room = line.map_or(0.0, |line| (line + lifted - feet.dot(up)).max(-slack));
        let floats = speed * dt > room;
        let plan = PlannedMove {
            dt,
            displacement: level * dt + up * if floats { room } else { speed * dt },
            velocity: level + up * if floats { 0.0 } else { speed },
            inherited: DVec3::ZERO,
            style: MoveStyle::Free { float_line: line },
            floor: None,
        };
        self.make(state, &plan)
    }
}
