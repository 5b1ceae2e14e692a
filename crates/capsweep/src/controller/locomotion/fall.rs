//! The mode *fall*: falls, slow falls, and the flight after a jump or a knock-back.

use crate::controller::input::MoveStyle;
use crate::controller::locomotion::Tick;
use crate::controller::locomotion::plan::PlannedMove;
use crate::controller::locomotion::state::{LocomotionState, Mode};
use crate::controller::state::CharacterState;
use crate::error::ShapeError;
use glam::DVec3;

impl LocomotionState {
    /// The character in the air, with this velocity.
    pub(super) fn in_the_air(self, velocity: DVec3) -> Self {
        let character = CharacterState { footing: None, ..self.character };
        Self { character, velocity, mode: Mode::Fall, ..self }
    }
}

impl Tick<'_> {
    /// Falls, and steers in the air.
    ///
    /// A fall that ends in water is repeated up to the moment at which it enters the water. The
    /// rest of the tick swims, or walks on the surface. So the path does not depend on the length
    /// of the ticks. The surface height is taken at the end of the first attempt.
    pub(super) fn fall(
        &mut self,
        state: &LocomotionState,
        dt: f64,
    ) -> Result<LocomotionState, ShapeError> {
        let plan = self.plan_fall(state, dt);
        let next = self.make(state, &plan)?;
        if self.is_split || plan.velocity.dot(self.up) > 0.0 {
            return Ok(next);
        }
        if let Some((mode, time)) = self.entry_into_water(state, &next)
            && time < dt
        {
            let plan = self.plan_fall(state, time);
            let entered = self.make(state, &plan)?;
            self.is_split = true;
            return self.advance(&LocomotionState { mode, ..entered }, dt - time);
        }
        Ok(next)
    }

    /// A fall without collisions.
    fn plan_fall(&self, state: &LocomotionState, dt: f64) -> PlannedMove {
        let (up, walk) = (self.up, self.level(self.desired));
        let rising = state.velocity.dot(up);
        let level = state.velocity - up * rising;
        let (glide, level) = self.steer(level, walk, dt);
        let (fall, rising) = self.fall_from(rising, dt);
        PlannedMove {
            dt,
            displacement: glide + up * fall,
            velocity: level + up * rising,
            inherited: DVec3::ZERO,
            style: MoveStyle::Walk,
            floor: None,
        }
    }

    /// The mode in which a fall from `state` to `next` continues in water, and the time of entry
    /// (seconds). `None` if it does not end in water.
    fn entry_into_water(
        &self,
        state: &LocomotionState,
        next: &LocomotionState,
    ) -> Option<(Mode, f64)> {
        let height = |state: &LocomotionState| self.feet(&state.character).dot(self.up);
        let (from, to) = (height(state), height(next));
        let speed = state.velocity.dot(self.up);
        let surface = self.surface_to_walk_on(&next.character, (from - to).max(0.0));
        let carried = surface.map(|surface| surface + self.input.abilities.hover);
        if let Some(carried) = carried.filter(|carried| *carried > to) {
            return Some((Mode::WaterWalk, self.time_of_fall(speed, from - carried)));
        }
        let below = self.depth_below_float_line(&next.character)?;
        let line = to + below;
        (below >= 0.0).then(|| (Mode::Swim, self.time_of_fall(speed, from - line)))
    }

    /// The largest speed of a fall.
    fn terminal_speed(&self) -> f64 {
        let config = &self.locomotion.config;
        if self.input.abilities.slow_fall { config.slow_fall_speed } else { config.terminal_speed }
    }

    /// Displacement along `up` during `dt`, and the speed after it, from an upward `speed`.
    pub(super) fn fall_from(&self, speed: f64, dt: f64) -> (f64, f64) {
        let (gravity, terminal_speed) = (self.locomotion.config.gravity, self.terminal_speed());
        let speed = speed.max(-terminal_speed);
        let after = speed - gravity * dt;
        if after >= -terminal_speed {
            return (speed * dt - 0.5 * gravity * dt * dt, after);
        }
        let falling = (speed + terminal_speed) / gravity;
        let fallen = speed * falling - 0.5 * gravity * falling * falling;
        (fallen - terminal_speed * (dt - falling), -terminal_speed)
    }

    /// The time (seconds) after which a fall with an upward `speed` is `depth` metres below its
    /// start, on the descent. If `depth` is negative and it never rises that high, the time of its
    /// highest point. Infinite if it never gets that deep.
    ///
    /// With gravity g and an upward speed v, `depth = g t²/2 − v t`. Its later solution is
    /// `(v + s) / g` with `s = √(v² + 2 g depth)`, which is also the speed at that time. For v < 0
    /// the sum loses digits; `2 depth / (s − v)` is the same. From the time `(v + terminal) / g`
    /// the speed is constant.
    fn time_of_fall(&self, speed: f64, depth: f64) -> f64 {
        let (gravity, terminal_speed) = (self.locomotion.config.gravity, self.terminal_speed());
        let speed = speed.max(-terminal_speed);
        let square = speed * speed + 2.0 * gravity * depth;
        let reached = square.max(0.0).sqrt();
        if reached > terminal_speed {
            let falling = (speed + terminal_speed) / gravity;
            let fallen = 0.5 * gravity * falling * falling - speed * falling;
            // Without gravity, `falling` is 0/0 at the terminal speed. The fall then has that
            // speed from the start.
            let (falling, fallen) =
                if falling.is_finite() { (falling, fallen) } else { (0.0, 0.0) };
            return falling + (depth - fallen) / terminal_speed;
        }
        if speed < 0.0 {
            return (2.0 * depth / (reached - speed)).max(0.0);
        }
        (speed + reached) / gravity
    }

    /// Displacement during `dt` in the air, and the velocity after it, from `velocity` towards
    /// `desired`.
    fn steer(&self, velocity: DVec3, desired: DVec3, dt: f64) -> (DVec3, DVec3) {
        let acceleration = self.locomotion.config.air_acceleration;
        let change = desired - velocity;
        let Some(direction) = change.try_normalize() else { return (velocity * dt, velocity) };
        let needed = change.length();
        let gained = acceleration * dt;
        if gained <= needed {
            let after = velocity + direction * gained;
            return ((velocity + after) * (0.5 * dt), after);
        }
        let turning = needed / acceleration;
        ((velocity + desired) * (0.5 * turning) + desired * (dt - turning), desired)
    }
}
