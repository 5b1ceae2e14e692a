//! The mode *water walk*: on the surface of water, as on level ground.

use crate::Point;
use crate::controller::input::MoveStyle;
use crate::controller::locomotion::Tick;
use crate::controller::locomotion::plan::PlannedMove;
use crate::controller::locomotion::state::{LocomotionState, Mode};
use crate::controller::locomotion::water::Water;
use crate::controller::state::CharacterState;
use crate::error::ShapeError;
use crate::tolerance::GROUND_GAP;
use glam::DVec3;

impl Tick<'_> {
    /// Walks on the surface, or jumps off it.
    ///
    /// The height follows the surface at the end of the walk: up by the step offset, down by the
    /// snap distance. Over a deeper drop the character falls. A hovering character is higher by
    /// its hover height.
    pub(super) fn water_walk(
        &mut self,
        state: &LocomotionState,
        dt: f64,
    ) -> Result<LocomotionState, ShapeError> {
        let (up, walk) = (self.up, self.level(self.desired));
        if self.jump {
            let velocity = walk + up * self.locomotion.config.jump_speed;
            return self.fall(&state.in_the_air(velocity), dt);
        }
        let floor = self.floor_near(state, walk * dt);
        let (fall, rising) = self.fall_from(0.0, dt);
        let hovering = self.feet(&state.character).dot(up) - self.input.abilities.hover;
        let drop = floor.map(|floor| hovering - floor);
        let snap = f64::from(self.locomotion.controller.config.snap_distance);
        let (fall, rising) = match drop {
            Some(drop) if drop <= snap - fall => (-drop.max(0.0), 0.0),
            _ => (fall, rising),
        };
        let plan = PlannedMove {
            dt,
            displacement: walk * dt + up * fall,
            velocity: walk + up * rising,
            inherited: DVec3::ZERO,
            style: MoveStyle::Walk,
            floor,
        };
        self.make(state, &plan)
    }

    /// Height of the surface that carries the feet after a level motion; `None` if none does.
    pub(super) fn floor_near(&self, state: &LocomotionState, level: DVec3) -> Option<f64> {
        let feet = self.feet(&state.character);
        let step = f64::from(self.locomotion.controller.config.step_offset);
        self.surface_under(feet + level, step).or_else(|| self.surface_under(feet, step))
    }

    /// Whether the surface of water carries the character: its feet are at the surface, below it
    /// by at most the step offset, or above it by at most the hover height. A character that
    /// already walked on the surface may be higher by the snap distance, after a slide along a
    /// wall to a lower part of a wave.
    pub(super) fn stands_on_water(&self, state: &LocomotionState) -> bool {
        let character = &state.character;
        let gap = GROUND_GAP * f64::from(character.radius());
        let followed = state.mode == Mode::WaterWalk && !character.is_grounded();
        let snap = f64::from(self.locomotion.controller.config.snap_distance);
        let gap = if followed { gap.max(snap) } else { gap };
        let height = self.feet(character).dot(self.up);
        let surface = self.surface_to_walk_on(character, 0.0);
        surface.is_some_and(|surface| height - surface <= self.input.abilities.hover + gap)
    }

    /// Height of the highest surface that the character could walk on: at most the step offset
    /// above a point `above` metres over its feet.
    pub(super) fn surface_to_walk_on(
        &self,
        character: &CharacterState,
        above: f64,
    ) -> Option<f64> {
        let step = f64::from(self.locomotion.controller.config.step_offset);
        self.surface_under(self.feet(character), above + step)
    }

    /// Height of the highest surface that is at most `reach` metres above `point`, for a character
    /// that walks on water.
    fn surface_under(&self, point: DVec3, reach: f64) -> Option<f64> {
        if !self.input.abilities.water_walking {
            return None;
        }
        match self.input.water {
            Water::None => None,
            Water::Plane { surface } => (surface <= point.dot(self.up) + reach).then_some(surface),
            Water::Scene if self.up != DVec3::Z => None,
            Water::Scene => {
                let liquid = self.scene.liquid_under(&Point::new(point).ok()?, reach)?;
                Some(liquid.surface)
            }
        }
    }
}
