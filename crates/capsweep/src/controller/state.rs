//! The state of a character between two moves.

use crate::controller::outcome::Ground;
use crate::error::{MAX_SIZE, ShapeError, check_number, check_position, check_radius, xyz};
use crate::scene::BodyId;
use glam::{DVec3, Vec3};

/// A character between two moves: its position, its size, and the surface it stands on.
///
/// It is small and plain: the caller keeps, copies, sends and rolls it back.
/// [`Controller::spawn`](crate::controller::Controller::spawn) makes one from the configured size.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "CharacterParts")
)]
pub struct CharacterState {
    pub(crate) center: DVec3,
    pub(crate) radius: f32,
    pub(crate) total_height: f32,
    pub(crate) footing: Option<Footing>,
    #[cfg_attr(feature = "serde", serde(rename = "clearance"))]
    pub(crate) room: Clearance,
    pub(crate) sink: f64,
}

/// Whether the character's body, without its skin, has room where it is.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Clearance {
    /// It overlaps nothing.
    Free,
    /// Not checked yet: the caller spawned, teleported or resized it. The next move tests for
    /// overlaps.
    Unknown,
    /// It overlaps something. The next move tries again to leave the overlap.
    Squeezed,
    /// Dynamic bodies crush it. It stands on its footing again once there is room.
    Crushed {
        /// Height of its centre over the footing's point while there was room (metres).
        height: f32,
    },
}

/// The surface that a character stood on after its last move.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Footing {
    /// The body under its feet.
    pub body: BodyId,
    /// Contact point in the world.
    pub point: DVec3,
    /// Unit contact normal, from the surface to the capsule.
    pub normal: Vec3,
    /// The character can walk here. Otherwise the surface is too steep.
    pub walkable: bool,
    /// Velocity of the surface at `point` (metres per second).
    pub velocity: DVec3,
}

impl CharacterState {
    /// A character with its centre at `center`. Sizes are in metres and without the skin; a
    /// `total_height` below two radii makes a sphere. Its first move leaves any overlap.
    ///
    /// # Errors
    /// If a number is not finite or out of range, `radius` is not above 0, or `total_height` is
    /// negative.
    pub fn new(center: DVec3, radius: f32, total_height: f32) -> Result<Self, ShapeError> {
        check_position(xyz!("center"), center)?;
        check_radius("radius", radius)?;
        let tall = f64::from(total_height);
        check_number("total_height", tall, MAX_SIZE)?;
        if tall < 0.0 {
            return Err(ShapeError::Negative { field: "total_height", value: tall });
        }
        let (footing, room, sink) = (None, Clearance::Unknown, 0.0);
        Ok(Self { center, radius, total_height, footing, room, sink })
    }

    /// Centre of the capsule.
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

    /// The surface it stood on after its last move. `None` in the air, and before the first move
    /// after a spawn or a teleport.
    pub fn footing(&self) -> Option<&Footing> {
        self.footing.as_ref()
    }

    /// Whether it stood on walkable ground after its last move.
    pub fn is_grounded(&self) -> bool {
        self.footing.as_ref().is_some_and(|footing| footing.walkable)
    }

    /// Whether its position is not checked yet: the caller spawned, teleported or resized it, and
    /// it has not moved since. It may overlap geometry.
    pub fn is_unverified(&self) -> bool {
        self.room == Clearance::Unknown
    }

    /// How far the feet are below the lowest point of the skin (metres). 0 with
    /// [`FootingRule::Capsule`]. With [`FootingRule::Point`], the height of that point over the
    /// surface straight below, since the character last stood; a rise uses it up first.
    ///
    /// [`FootingRule::Capsule`]: crate::controller::FootingRule::Capsule
    /// [`FootingRule::Point`]: crate::controller::FootingRule::Point
    pub fn sink(&self) -> f64 {
        self.sink
    }

    /// Half the distance between the centres of the two hemispheres.
    pub(crate) fn half_axis(&self) -> f64 {
        (0.5 * f64::from(self.total_height) - f64::from(self.radius)).max(0.0)
    }

    /// The same character at `center`, without a footing. It is not checked for overlaps.
    pub(crate) fn unverified_at(self, center: DVec3) -> Self {
        Self { center, footing: None, room: Clearance::Unknown, sink: 0.0, ..self }
    }
}

impl Footing {
    pub(crate) fn from_ground(ground: &Ground) -> Self {
        Self {
            body: ground.target.body,
            point: ground.point,
            normal: ground.normal,
            walkable: ground.walkable,
            velocity: ground.velocity,
        }
    }
}

/// Every number of a [`CharacterState`], to store or send it. They are not checked yet.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize))]
pub struct CharacterParts {
    /// Centre of the capsule.
    pub center: DVec3,
    /// Radius without the skin.
    pub radius: f32,
    /// Height from end to end, without the skin.
    pub total_height: f32,
    /// The surface it stands on.
    pub footing: Option<Footing>,
    /// Whether its body has room.
    pub clearance: Clearance,
    /// As [`CharacterState::sink`].
    #[cfg_attr(feature = "serde", serde(default))]
    pub sink: f64,
}

impl From<CharacterState> for CharacterParts {
    fn from(state: CharacterState) -> Self {
        let CharacterState { center, radius, total_height, footing, room, sink } = state;
        Self { center, radius, total_height, footing, clearance: room, sink }
    }
}

impl TryFrom<CharacterParts> for CharacterState {
    type Error = ShapeError;

    /// The state with these parts, bit by bit.
    ///
    /// # Errors
    /// If a number is not finite or out of range.
    fn try_from(parts: CharacterParts) -> Result<Self, ShapeError> {
        let CharacterParts { center, radius, total_height, footing, clearance, sink } = parts;
        let state = Self::new(center, radius, total_height)?;
        if let Some(footing) = &footing {
            check_position(xyz!("footing.point"), footing.point)?;
            check_position(xyz!("footing.normal"), footing.normal.as_dvec3())?;
            check_position(xyz!("footing.velocity"), footing.velocity)?;
        }
        if let Clearance::Crushed { height } = clearance {
            check_number("clearance.height", f64::from(height), MAX_SIZE)?;
        }
        check_number("sink", sink, MAX_SIZE)?;
        if sink < 0.0 {
            return Err(ShapeError::Negative { field: "sink", value: sink });
        }
        Ok(Self { footing, room: clearance, sink, ..state })
    }
}
