//! Placement: spawn, teleport, resize, and the search for a free position.

use crate::cache::{HintSlot, TriangleCache};
use crate::controller::input::Surroundings;
use crate::controller::locomotion::check_amount;
use crate::controller::state::{CharacterState, Clearance};
use crate::controller::world::World;
use crate::controller::{Controller, ControllerConfig};
use crate::error::{MAX_SIZE, ShapeError, check_position, xyz};
use crate::scene::Scene;
use crate::{Capsule, Motion, Sides};
use glam::DVec3;

impl Controller {
    /// A character of the configured size with its feet at `feet`: its skin touches ground at that
    /// height.
    ///
    /// # Errors
    /// If `feet` is not finite or out of range.
    pub fn spawn(&self, feet: DVec3) -> Result<CharacterState, ShapeError> {
        let ControllerConfig { radius, total_height, .. } = self.config;
        let state = CharacterState::new(DVec3::ZERO, radius, total_height)?;
        self.teleport(&state, feet)
    }

    /// The feet: straight below the centre, at the lowest point of the skin or below it by
    /// [`CharacterState::sink`].
    pub fn feet(&self, state: &CharacterState) -> DVec3 {
        state.center - self.up * (self.height_of_center(state) + state.sink)
    }

    /// The same character with its feet at `feet`. There may be no room: its next move leaves
    /// overlaps. With [`FootingRule::Point`] that move first lifts it onto a walkable slope.
    ///
    /// # Errors
    /// If `feet` is not finite or out of range.
    ///
    /// [`FootingRule::Point`]: crate::controller::FootingRule::Point
    pub fn teleport(
        &self,
        state: &CharacterState,
        feet: DVec3,
    ) -> Result<CharacterState, ShapeError> {
        check_position(xyz!("feet"), feet)?;
        Ok(state.unverified_at(feet + self.up * self.height_of_center(state)))
    }

    /// The same character, `total_height` metres tall without its skin, with its feet at the same
    /// place. It may not fit: see [`Controller::can_resize`].
    ///
    /// # Errors
    /// If `total_height` is not finite, out of range or negative.
    pub fn resize(
        &self,
        state: &CharacterState,
        total_height: f32,
    ) -> Result<CharacterState, ShapeError> {
        let sized = CharacterState::new(state.center, state.radius, total_height)?;
        let sized = CharacterState { footing: state.footing, sink: state.sink, ..sized };
        let taller = self.height_of_center(&sized) - self.height_of_center(state);
        if let Clearance::Crushed { height } = state.room {
            // Its feet are in the floor. It stands on its footing once its new size has room.
            let height = height + taller as f32;
            return Ok(CharacterState { room: Clearance::Crushed { height }, ..sized });
        }
        Ok(CharacterState { center: state.center + self.up * taller, ..sized })
    }

    /// Whether the character has room to be `total_height` metres tall at its place: the stand-up
    /// test. It tests only the room that the character would gain.
    ///
    /// # Errors
    /// As [`Controller::resize`].
    pub fn can_resize(
        &self,
        scene: &Scene,
        state: &CharacterState,
        total_height: f32,
        surroundings: &Surroundings,
    ) -> Result<bool, ShapeError> {
        let grown = self.resize(state, total_height)?;
        let rise = 2.0 * (grown.half_axis() - state.half_axis());
        if rise <= 0.0 {
            return Ok(true);
        }
        let capsule = self.skinned(state, state.center)?;
        let mut cache = TriangleCache::off();
        let mut world = World::new(scene, &mut cache, *surroundings);
        Ok(world.sweep(HintSlot::Up, &capsule, &Motion::new(self.up * rise)?).is_none())
    }

    /// Searches for a free position within `within` metres of the character; `None` if it finds
    /// none.
    ///
    /// It tries the character's own position, then 26 directions in growing circles, half a radius
    /// apart. From the first free position it goes back as near as it can. A position is free if
    /// the skin overlaps nothing, and the character is neither inside a closed mesh nor behind an
    /// open one.
    ///
    /// # Errors
    /// If `within` is not finite, negative or above [`MAX_SIZE`].
    pub fn find_free_position(
        &self,
        scene: &Scene,
        state: &CharacterState,
        within: f64,
        surroundings: &Surroundings,
    ) -> Result<Option<CharacterState>, ShapeError> {
        check_amount("within", within, MAX_SIZE)?;
        let mut cache = TriangleCache::off();
        let mut world = World::new(scene, &mut cache, *surroundings);
        if self.is_free(&mut world, state, state.center)? {
            return Ok(Some(*state));
        }
        let spacing = 0.5 * f64::from(state.radius + self.config.contact_offset);
        let mut distance = spacing;
        while distance <= within {
            for direction in self.search_directions() {
                let center = state.center + direction * distance;
                if self.is_free(&mut world, state, center)? {
                    let capsule = self.skinned(state, center)?;
                    let back = Motion::new(state.center - center)?;
                    let time = world
                        .sweep(HintSlot::Side, &capsule, &back)
                        .map_or(0.0, |hit| hit.hit.time);
                    return Ok(Some(state.unverified_at(center + back.vector() * time)));
                }
            }
            distance += spacing;
        }
        Ok(None)
    }

    /// The character of controller `from` under this one, which may have another up direction. Its
    /// feet keep their place.
    ///
    /// # Errors
    /// If it would leave the range of positions.
    pub fn reorient(
        &self,
        state: &CharacterState,
        from: &Controller,
    ) -> Result<CharacterState, ShapeError> {
        self.teleport(state, from.feet(state))
    }

    /// Distance from the lowest point of the skin to the centre.
    fn height_of_center(&self, state: &CharacterState) -> f64 {
        state.half_axis() + f64::from(state.radius + self.config.contact_offset)
    }

    /// The character with its skin.
    fn skinned(&self, state: &CharacterState, center: DVec3) -> Result<Capsule, ShapeError> {
        let radius = state.radius + self.config.contact_offset;
        Capsule::from_center(center, self.up * state.half_axis(), radius)
    }

    fn is_free(
        &self,
        world: &mut World,
        state: &CharacterState,
        center: DVec3,
    ) -> Result<bool, ShapeError> {
        if world.overlaps(&self.skinned(state, center)?) {
            return Ok(false);
        }
        // Outside of a mesh, the first surface above and the first below show their fronts.
        for up in [self.up, -self.up] {
            let motion = Motion::new(up * RAY_LENGTH)?;
            let any = world.ray(center, &motion, Sides::Both);
            let front = world.ray(center, &motion, Sides::Front);
            let nearest = any.map_or(RAY_LENGTH, |hit| hit.hit.distance);
            let front = front.map_or(RAY_LENGTH, |hit| hit.hit.distance);
            if front > nearest + crate::CONTACT_TOLERANCE {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// 26 directions: level ones first, then up, slanted up, slanted down, down.
    fn search_directions(&self) -> impl Iterator<Item = DVec3> {
        let (forward, right) = self.up.any_orthonormal_pair();
        let up = self.up;
        let ring = RING.map(|(x, y)| forward * x + right * y);
        let slanted =
            move |lift: f64| ring.into_iter().map(move |level| (level + up * lift).normalize());
        slanted(0.0).chain([up]).chain(slanted(1.0)).chain(slanted(-1.0)).chain([-up])
    }
}

/// Length of the rays that test for a mesh around the character (metres).
const RAY_LENGTH: f64 = 1e4;

/// Eight directions of the unit circle.
const RING: [(f64, f64); 8] = {
    let s = core::f64::consts::FRAC_1_SQRT_2;
    [(1.0, 0.0), (s, s), (0.0, 1.0), (-s, s), (-1.0, 0.0), (-s, -s), (0.0, -1.0), (s, -s)]
};
