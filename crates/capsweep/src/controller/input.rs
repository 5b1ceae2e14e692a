//! What a move is asked to do.

use crate::Motion;
use crate::scene::{BodyId, Filter, Pose};

/// One move. Everything but the displacement has a default.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MoveInput {
    /// Where to go: walking, falling and jumping together.
    pub displacement: Motion,
    /// Seconds that the move takes. Only speeds are worked out from it; 0 leaves them 0.
    pub dt: f64,
    /// What the character collides with.
    pub surroundings: Surroundings,
    /// Whether it slides down whatever it comes down on, as on ice: a slope, or the rim of a ledge. [`CharacterState::footing`] tells what
    /// it stands on.
    ///
    /// [`CharacterState::footing`]: crate::controller::CharacterState::footing
    pub slippery: bool,
    /// How the body under the character's feet has moved since its last move. That of another body is ignored.
    pub carrier: Option<Carrier>,
}

impl MoveInput {
    /// A move by `displacement` among everything.
    pub fn new(displacement: Motion) -> Self {
        let surroundings = Surroundings::default();
        Self { displacement, dt: 0.0, surroundings, slippery: false, carrier: None }
    }

    /// The same move, taking `dt` seconds.
    #[must_use]
    pub fn with_dt(self, dt: f64) -> Self {
        Self { dt, ..self }
    }

    /// The same move among what `filter` lets it see.
    #[must_use]
    pub fn with_filter(self, filter: Filter) -> Self {
        Self { surroundings: Surroundings { filter, ..self.surroundings }, ..self }
    }

    /// The same move, blind to `body`.
    #[must_use]
    pub fn ignoring(self, body: BodyId) -> Self {
        Self { surroundings: Surroundings { ignore: Some(body), ..self.surroundings }, ..self }
    }

    /// The same move on ice.
    #[must_use]
    pub fn slipping(self) -> Self {
        Self { slippery: true, ..self }
    }

    /// The same move on a body that has moved.
    #[must_use]
    pub fn carried_by(self, carrier: Carrier) -> Self {
        Self { carrier: Some(carrier), ..self }
    }
}

/// What of a scene a character collides with: everything, unless said otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Surroundings {
    /// What it sees. Overlaps at the start of a sweep are always seen.
    pub filter: Filter,
    /// The character's own body, if it has one in the scene.
    pub ignore: Option<BodyId>,
}

/// A body that has moved from one pose to another; the scene holds it at the second.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Carrier {
    /// The body.
    pub body: BodyId,
    /// Where it was at the character's last move.
    pub previous: Pose,
    /// Where it is now.
    pub next: Pose,
    /// What of its motion the character takes part in.
    pub ride: Ride,
}

impl Carrier {
    /// A body that takes along whoever stands on it.
    pub fn new(body: BodyId, previous: Pose, next: Pose) -> Self {
        Self { body, previous, next, ride: Ride::Full }
    }
}

/// What of a carrier's motion a character takes part in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Ride {
    /// All of it.
    #[default]
    Full,
    /// Only up and down: it slips under the feet.
    Vertical,
    /// None: the caller moves the character along.
    Caller,
}
