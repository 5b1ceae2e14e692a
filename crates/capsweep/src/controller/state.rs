//! What is remembered of a character from one move to the next.

use crate::controller::outcome::Ground;
use crate::error::{MAX_SIZE, ShapeError, check_number, check_position, check_radius, xyz};
use crate::scene::BodyId;
use glam::{DVec3, Vec3};

/// A character between two moves: small, plain, the caller's to keep, copy, send and roll back.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "Unchecked")
)]
pub struct CharacterState {
    pub(crate) center: DVec3,
    pub(crate) radius: f32,
    pub(crate) total_height: f32,
    pub(crate) footing: Option<Footing>,
    pub(crate) room: Room,
}

/// What is known of the room that a character's body, without its skin, has where it is.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Room {
    /// Enough.
    Enough,
    /// Nothing: it was put there.
    Unknown,
    /// It overlaps something: the next move looks for a way out again.
    Squeezed,
    /// Bodies that move crush it: it stands on its footing again once there is room.
    Crushed {
        /// Height of its middle over the point of its footing when there was room.
        height: f32,
    },
}

/// What a character stood on after its last move.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Footing {
    /// The body under its feet.
    pub body: BodyId,
    /// Where it touches, in the world.
    pub point: DVec3,
    /// The surface's normal.
    pub normal: Vec3,
    /// Whether it can walk there.
    pub walkable: bool,
    /// How fast that point moved (metres a second).
    pub velocity: DVec3,
}

impl CharacterState {
    /// A character about `center` that was put there: its first move looks for overlaps in every direction.
    ///
    /// # Errors
    /// If a number is not finite or out of range, `radius` is not greater than zero or `total_height` is negative.
    pub fn new(center: DVec3, radius: f32, total_height: f32) -> Result<Self, ShapeError> {
        check_position(xyz!("center"), center)?;
        check_radius("radius", radius)?;
        let tall = f64::from(total_height);
        check_number("total_height", tall, MAX_SIZE)?;
        if tall < 0.0 {
            return Err(ShapeError::Negative { field: "total_height", value: tall });
        }
        Ok(Self { center, radius, total_height, footing: None, room: Room::Unknown })
    }

    /// The middle of the capsule.
    pub fn center(&self) -> DVec3 {
        self.center
    }

    /// Radius without the skin.
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// Height from end to end, without the skin. Less than two radii makes a sphere.
    pub fn total_height(&self) -> f32 {
        self.total_height
    }

    /// What it stood on after its last move; `None` in the air and after it was put somewhere.
    pub fn footing(&self) -> Option<&Footing> {
        self.footing.as_ref()
    }

    /// Whether it stood on ground that it can walk on.
    pub fn is_grounded(&self) -> bool {
        self.footing.as_ref().is_some_and(|footing| footing.walkable)
    }

    /// Whether it was put where it is, and has not moved since.
    pub fn was_placed(&self) -> bool {
        self.room == Room::Unknown
    }

    /// Half the distance between the centres of the two hemispheres.
    pub(crate) fn half_axis(&self) -> f64 {
        (0.5 * f64::from(self.total_height) - f64::from(self.radius)).max(0.0)
    }

    /// The same character elsewhere, with nothing under its feet yet.
    pub(crate) fn put(self, center: DVec3) -> Self {
        Self { center, footing: None, room: Room::Unknown, ..self }
    }
}

impl Footing {
    pub(crate) fn of(ground: &Ground) -> Self {
        Self {
            body: ground.target.body,
            point: ground.point,
            normal: ground.normal,
            walkable: ground.walkable,
            velocity: ground.velocity,
        }
    }
}

/// A state as it is read: numbers that nobody has looked at.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct Unchecked {
    center: DVec3,
    radius: f32,
    total_height: f32,
    footing: Option<Footing>,
    room: Room,
}

#[cfg(feature = "serde")]
impl TryFrom<Unchecked> for CharacterState {
    type Error = ShapeError;

    fn try_from(read: Unchecked) -> Result<Self, ShapeError> {
        let state = Self::new(read.center, read.radius, read.total_height)?;
        if let Some(footing) = &read.footing {
            check_position(xyz!("footing.point"), footing.point)?;
            check_position(xyz!("footing.normal"), footing.normal.as_dvec3())?;
            check_position(xyz!("footing.velocity"), footing.velocity)?;
        }
        if let Room::Crushed { height } = read.room {
            check_number("room.height", f64::from(height), MAX_SIZE)?;
        }
        Ok(Self { footing: read.footing, room: read.room, ..state })
    }
}
