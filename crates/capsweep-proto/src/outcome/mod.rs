//! Outcomes of moves and ticks.

mod columns;
mod omit;
mod single;
mod surface;

pub use omit::Omit;

use capsweep::controller::{LocomotionState, MoveOutcome};
use glam::DVec3;

/// The answer to a move.
#[derive(Debug, Clone, PartialEq)]
pub struct Moved {
    /// The outcome.
    pub outcome: MoveOutcome,
    /// The character's feet after it.
    pub feet: DVec3,
}

/// The answer to a tick.
#[derive(Debug, Clone, PartialEq)]
pub struct Ticked {
    /// The character after the tick.
    pub state: LocomotionState,
    /// The outcome of its move.
    pub outcome: MoveOutcome,
    /// The character's feet after it.
    pub feet: DVec3,
}
