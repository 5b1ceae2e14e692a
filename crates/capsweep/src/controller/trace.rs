//! Moves as they were made, to be made again: plain data, for files that somebody else reads and writes.
//!
//! With the feature `serde` a [`TraceMove`] is one line of JSON. Ids of bodies are written as they are: a scene that is built again in the same order gives them again.

use crate::cache::TriangleCache;
use crate::controller::input::MoveInput;
use crate::controller::outcome::MoveOutcome;
use crate::controller::state::CharacterState;
use crate::controller::{ConfigError, Controller, ControllerConfig};
use crate::scene::Scene;
use core::fmt::{self, Debug};

/// A move with everything that it depends on but the scene, and what came of it.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TraceMove {
    /// What it was made by.
    pub config: ControllerConfig,
    /// The character before it.
    pub state: CharacterState,
    /// What was asked for.
    pub input: MoveInput,
    /// What came of it.
    pub outcome: MoveOutcome,
}

impl TraceMove {
    /// Makes a move and records it.
    pub fn record(
        controller: &Controller,
        scene: &Scene,
        cache: &mut TriangleCache,
        state: &CharacterState,
        input: &MoveInput,
    ) -> Self {
        let outcome = controller.move_by(scene, cache, state, input);
        Self { config: *controller.config(), state: *state, input: *input, outcome }
    }

    /// Makes the move again, and returns every difference to what was recorded: none, to the bit, in the same scene.
    ///
    /// # Errors
    /// If the recorded configuration is unsound.
    pub fn replay(&self, scene: &Scene) -> Result<Vec<Difference>, ConfigError> {
        let controller = Controller::new(self.config)?;
        let replayed =
            controller.move_by(scene, &mut TriangleCache::off(), &self.state, &self.input);
        Ok(differences(&self.outcome, &replayed))
    }
}

/// A part of an outcome that came out otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Which part, as it is written in Rust.
    pub part: String,
    /// As it was recorded.
    pub recorded: String,
    /// As it came out.
    pub replayed: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: recorded {}, replayed {}", self.part, self.recorded, self.replayed)
    }
}

/// Every part in which two outcomes differ by a bit.
pub fn differences(recorded: &MoveOutcome, replayed: &MoveOutcome) -> Vec<Difference> {
    let mut found = Found(Vec::new());
    let (a, b) = (recorded, replayed);
    found.compare("state.center", &a.state.center, &b.state.center);
    found.compare("state", &a.state, &b.state);
    found.compare("touching", &a.touching, &b.touching);
    found.compare("ground", &a.ground, &b.ground);
    for i in 0..a.contacts.len().max(b.contacts.len()) {
        found.compare(&format!("contacts[{i}]"), &a.contacts.get(i), &b.contacts.get(i));
    }
    found.compare("requested", &a.requested, &b.requested);
    found.compare("achieved", &a.achieved, &b.achieved);
    found.compare("carried", &a.carried, &b.carried);
    found.compare("recovery", &a.recovery, &b.recovery);
    found.compare("obstruction", &a.obstruction, &b.obstruction);
    found.compare("stepped", &a.stepped, &b.stepped);
    found.compare("snapped", &a.snapped, &b.snapped);
    found.compare("stats", &a.stats, &b.stats);
    found.0
}

struct Found(Vec<Difference>);

impl Found {
    /// Numbers are written with as many digits as tell them from every other, and zeros with their sign: equal text is equal bits.
    fn compare(&mut self, part: &str, recorded: &impl Debug, replayed: &impl Debug) {
        let (recorded, replayed) = (format!("{recorded:?}"), format!("{replayed:?}"));
        if recorded != replayed {
            self.0.push(Difference { part: part.to_owned(), recorded, replayed });
        }
    }
}
