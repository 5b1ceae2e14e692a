//! The state of a moving character between two ticks.

use crate::controller::state::CharacterState;
use crate::scene::BodyId;
use glam::DVec3;

/// A character, its velocity and its mode.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(from = "StateWithoutMode")
)]
pub struct LocomotionState {
    /// The character.
    pub character: CharacterState,
    /// Velocity in the air and in water (m/s). On the ground, the walking velocity with which it
    /// would leave the ground, without the ground's own velocity. Aboard a transport, relative to
    /// the transport.
    pub velocity: DVec3,
    /// How it moves.
    pub mode: Mode,
    /// The transport that it is aboard; `None` if there is none.
    pub boarded: Option<Boarded>,
}

impl LocomotionState {
    /// A character at rest. It walks if it stands on walkable ground, otherwise it falls. The
    /// first tick determines whether it swims.
    pub fn at_rest(character: CharacterState) -> Self {
        let mode = Mode::of_footing(&character);
        Self { character, velocity: DVec3::ZERO, mode, boarded: None }
    }
}

/// How a character moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Mode {
    /// On walkable ground.
    Walk,
    /// In the air, or on ground that is too steep: gravity acts.
    Fall,
    /// In deep water, in three dimensions.
    Swim,
    /// In the air, in three dimensions, without gravity.
    Fly,
    /// On the surface of water.
    WaterWalk,
}

impl Mode {
    /// The mode of a character that is out of the water and does not fly.
    pub(super) fn of_footing(character: &CharacterState) -> Self {
        if character.is_grounded() { Self::Walk } else { Self::Fall }
    }
}

/// The transport that a character is aboard.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Boarded {
    /// The transport's body.
    pub body: BodyId,
    /// Its velocity at the character's feet (m/s). A character that leaves in the air gains it.
    pub velocity: DVec3,
}

/// A deserialized state. States of earlier versions have no mode: it follows from the footing.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct StateWithoutMode {
    character: CharacterState,
    velocity: DVec3,
    mode: Option<Mode>,
    boarded: Option<Boarded>,
}

#[cfg(feature = "serde")]
impl From<StateWithoutMode> for LocomotionState {
    fn from(read: StateWithoutMode) -> Self {
        let StateWithoutMode { character, velocity, mode, boarded } = read;
        let mode = mode.unwrap_or_else(|| Mode::of_footing(&character));
        Self { character, velocity, mode, boarded }
    }
}
