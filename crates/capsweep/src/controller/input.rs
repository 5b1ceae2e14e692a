//! The input of a move.

use crate::Motion;
use crate::scene::{BodyId, Filter, Pose};

/// One move's input. Everything except the displacement has a default.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MoveInput {
    /// Displacement of the move (metres): walk, fall and jump together. The part along `up` is
    /// made by the up or down pass, the rest by the side pass.
    pub displacement: Motion,
    /// Duration of the move (seconds); 0 by default. It affects no motion: the reported velocities
    /// are divided by it, and are 0 if it is 0.
    pub dt: f64,
    /// The bodies that the character collides with; all by default.
    pub surroundings: Surroundings,
    /// The character slides down any ground it comes down on, as on ice; false by default. Even
    /// walkable slopes and the rims of ledges do not hold it. [`CharacterState::footing`] tells
    /// which surface it stands on.
    ///
    /// [`CharacterState::footing`]: crate::controller::CharacterState::footing
    pub slippery: bool,
    /// Motion of the body under the character's feet since the last move; `None` by default. The
    /// move ignores it if the character stands on another body.
    pub carrier: Option<Carrier>,
    /// How the character moves through space; [`MoveStyle::Walk`] by default.
    #[cfg_attr(feature = "serde", serde(default))]
    pub style: MoveStyle,
    /// Height of the feet over the ground (metres), 0 or more; 0 by default. The character stands
    /// that high over the ground, and rises if walkable ground comes nearer. Walls and steep
    /// ground do not lift it. [`MoveStyle::Free`] has no use for it.
    #[cfg_attr(feature = "serde", serde(default))]
    pub hover: f64,
    /// Height along `up` of a level surface that carries the feet, such as water for a character
    /// that walks on it; `None` by default. The character rises to it from below. It is no ground:
    /// the outcome does not report it. [`MoveStyle::Free`] has no use for it.
    #[cfg_attr(feature = "serde", serde(default))]
    pub floor: Option<f64>,
}

impl MoveInput {
    /// A move by `displacement` that collides with everything.
    pub fn new(displacement: Motion) -> Self {
        let surroundings = Surroundings::default();
        Self {
            displacement,
            dt: 0.0,
            surroundings,
            slippery: false,
            carrier: None,
            style: MoveStyle::Walk,
            hover: 0.0,
            floor: None,
        }
    }

    /// Sets [`MoveInput::dt`] (seconds).
    #[must_use]
    pub fn with_dt(self, dt: f64) -> Self {
        Self { dt, ..self }
    }

    /// Collides only with what passes `filter`.
    #[must_use]
    pub fn with_filter(self, filter: Filter) -> Self {
        Self { surroundings: Surroundings { filter, ..self.surroundings }, ..self }
    }

    /// Passes through `body`, such as the character's own body in the scene.
    #[must_use]
    pub fn ignoring(self, body: BodyId) -> Self {
        Self { surroundings: Surroundings { ignore: Some(body), ..self.surroundings }, ..self }
    }

    /// Sets [`MoveInput::slippery`].
    #[must_use]
    pub fn slipping(self) -> Self {
        Self { slippery: true, ..self }
    }

    /// Moves freely in space, as in flight.
    #[must_use]
    pub fn flying(self) -> Self {
        Self { style: MoveStyle::Free { float_line: None }, ..self }
    }

    /// Rides on `carrier`.
    #[must_use]
    pub fn carried_by(self, carrier: Carrier) -> Self {
        Self { carrier: Some(carrier), ..self }
    }
}

/// How a move goes through space.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum MoveStyle {
    /// On foot: walks, climbs steps, falls, snaps to the ground.
    #[default]
    Walk,
    /// In any direction: slides along every surface, without steps, fall and snap.
    Free {
        /// For a swimmer, the height along `up` above which slopes too steep to walk on do not
        /// lift the feet; they are walls there. `None` in flight.
        float_line: Option<f64>,
    },
}

/// The part of a scene that a character collides with: everything by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Surroundings {
    /// Bodies and sides that count. Its `start_overlaps` has no effect: a move always sees
    /// overlaps at the start of a sweep.
    pub filter: Filter,
    /// A body to pass through: the character's own, if it has one in the scene.
    pub ignore: Option<BodyId>,
}

/// The motion of a body that carries a character. The scene holds the body at `next` already.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Carrier {
    /// The body.
    pub body: BodyId,
    /// Its pose at the character's last move.
    pub previous: Pose,
    /// Its pose now.
    pub next: Pose,
    /// The part of its motion that the character takes; all by default.
    pub ride: Ride,
}

impl Carrier {
    /// A body that moves from `previous` to `next`, and takes the character along with all of it.
    pub fn new(body: BodyId, previous: Pose, next: Pose) -> Self {
        Self { body, previous, next, ride: Ride::Full }
    }
}

/// The part of a carrier's motion that a character takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Ride {
    /// All of it.
    #[default]
    Full,
    /// The part along `up` only: the body slips away under the feet.
    Vertical,
    /// Nothing: the caller has added the body's motion to the displacement.
    Manual,
    /// All of it, whatever the character stands on, in the air too: the body is a transport, and
    /// the character is aboard. Surfaces of the transport itself do not stop the ride.
    Boarded,
}
