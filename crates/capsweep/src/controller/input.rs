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
}

impl MoveInput {
    /// A move by `displacement` that collides with everything.
    pub fn new(displacement: Motion) -> Self {
        let surroundings = Surroundings::default();
        Self { displacement, dt: 0.0, surroundings, slippery: false, carrier: None }
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

    /// Rides on `carrier`.
    #[must_use]
    pub fn carried_by(self, carrier: Carrier) -> Self {
        Self { carrier: Some(carrier), ..self }
    }
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
}
