//! Putting characters somewhere: spawning, teleporting, resizing, standing up, finding room.

use crate::cache::{HintSlot, TriangleCache};
use crate::controller::input::Surroundings;
use crate::controller::state::{CharacterState, Room};
use crate::controller::world::World;
use crate::controller::{Controller, ControllerConfig};
use crate::error::{ShapeError, check_position, xyz};
use crate::scene::Scene;
use crate::{Capsule, Motion, Sides};
use glam::DVec3;

impl Controller {
    /// A character of the configured size that stands on `feet`: its skin touches ground at that height.
    ///
    /// # Errors
    /// If `feet` is not finite or out of range.
    pub fn spawn(&self, feet: DVec3) -> Result<CharacterState, ShapeError> {
        let ControllerConfig { radius, total_height, .. } = self.config;
        let state = CharacterState::new(DVec3::ZERO, radius, total_height)?;
        self.teleport(&state, feet)
    }

    /// The point under the character where its skin ends: where it stands.
    pub fn feet(&self, state: &CharacterState) -> DVec3 {
        state.center - self.up * self.height_of_center(state)
    }

    /// The same character with its feet at `feet`, wherever that is: overlaps are left in its next move.
    ///
    /// # Errors
    /// If `feet` is not finite or out of range.
    pub fn teleport(
        &self,
        state: &CharacterState,
        feet: DVec3,
    ) -> Result<CharacterState, ShapeError> {
        check_position(xyz!("feet"), feet)?;
        Ok(state.put(feet + self.up * self.height_of_center(state)))
    }

    /// The same character, `total_height` metres tall, with its feet where they are. It may not fit: ask [`Controller::can_resize`].
    ///
    /// # Errors
    /// If `total_height` is not finite, out of range or negative.
    pub fn resize(
        &self,
        state: &CharacterState,
        total_height: f32,
    ) -> Result<CharacterState, ShapeError> {
        let sized = CharacterState::new(state.center, state.radius, total_height)?;
        let sized = CharacterState { footing: state.footing, ..sized };
        let taller = self.height_of_center(&sized) - self.height_of_center(state);
        if let Room::Crushed { height } = state.room {
            // Its feet are in the floor: it stands on its footing once there is room for its new size.
            let height = height + taller as f32;
            return Ok(CharacterState { room: Room::Crushed { height }, ..sized });
        }
        Ok(CharacterState { center: state.center + self.up * taller, ..sized })
    }

    /// Whether the character has room to be `total_height` metres tall where it is: the stand-up test. Only the room that it would gain
    /// is looked at.
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

    /// The free spot nearest to where the character is, within `within` metres, of those that are tried; `None` if all are taken.
    ///
    /// Where it is comes first, then directions all around in growing circles, each as near as it leads. A spot is free if the skin
    /// overlaps nothing and the character is not inside of a closed mesh or under the back of an open one.
    ///
    /// # Errors
    /// If `within` is not finite or out of range.
    pub fn free_spot(
        &self,
        scene: &Scene,
        state: &CharacterState,
        within: f64,
        surroundings: &Surroundings,
    ) -> Result<Option<CharacterState>, ShapeError> {
        let mut cache = TriangleCache::off();
        let mut world = World::new(scene, &mut cache, *surroundings);
        if self.is_free(&mut world, state, state.center)? {
            return Ok(Some(*state));
        }
        let room = 0.5 * f64::from(state.radius + self.config.contact_offset);
        let mut distance = room;
        while distance <= within {
            for direction in self.around() {
                let center = state.center + direction * distance;
                if self.is_free(&mut world, state, center)? {
                    let capsule = self.skinned(state, center)?;
                    let back = Motion::new(state.center - center)?;
                    let time = world
                        .sweep(HintSlot::Side, &capsule, &back)
                        .map_or(0.0, |hit| hit.hit.time);
                    return Ok(Some(state.put(center + back.vector() * time)));
                }
            }
            distance += room;
        }
        Ok(None)
    }

    /// The same character under a controller with another up direction, its feet where they are.
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

    /// From the feet to the middle.
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
        // The first surface over and under somebody outside faces them.
        for up in [self.up, -self.up] {
            let sight = Motion::new(up * SIGHT)?;
            let any = world.ray(center, &sight, Sides::Both);
            let facing = world.ray(center, &sight, Sides::Front);
            let nearest = any.map_or(SIGHT, |hit| hit.hit.distance);
            if facing.map_or(SIGHT, |hit| hit.hit.distance) > nearest + crate::CONTACT_TOLERANCE {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Directions all around: level ones first, then up, then down.
    fn around(&self) -> impl Iterator<Item = DVec3> {
        let (forward, right) = self.up.any_orthonormal_pair();
        let up = self.up;
        let ring = RING.map(|(x, y)| forward * x + right * y);
        let slanted =
            move |lift: f64| ring.into_iter().map(move |level| (level + up * lift).normalize());
        slanted(0.0).chain([up]).chain(slanted(1.0)).chain(slanted(-1.0)).chain([-up])
    }
}

/// How far a surface that one is behind is looked for (metres).
const SIGHT: f64 = 1e4;

/// Eight directions of a circle.
const RING: [(f64, f64); 8] = {
    let s = core::f64::consts::FRAC_1_SQRT_2;
    [(1.0, 0.0), (s, s), (0.0, 1.0), (-s, s), (-1.0, 0.0), (-s, -s), (0.0, -1.0), (s, -s)]
};
