//! The moving platform of the course. It departs when the character stands on it.

use anyhow::Result;
use capsweep::controller::{Carrier, CharacterState};
use capsweep::scene::{BodyId, Pose, Scene};
use glam::DVec3;

/// Seconds between boarding and departure.
const DEPARTURE_DELAY: f64 = 0.8;
/// Seconds between stepping off and the way back.
const RETURN_DELAY: f64 = 3.0;
/// Seconds from end to end.
const CROSSING_TIME: f64 = 3.5;

/// A body that carries a character from one position to another.
#[derive(Debug, Clone)]
pub(crate) struct Platform {
    body: BodyId,
    ends: [DVec3; 2],
    /// Fraction of the crossing, 0 to 1.
    progress: f64,
    /// Seconds since the character boarded; if negative, since it stepped off.
    boarded_for: f64,
    pose: Pose,
}

impl Platform {
    /// A platform that waits at the first end.
    pub(super) fn new(body: BodyId, ends: [DVec3; 2]) -> Result<Self> {
        let pose = Pose::from_translation(ends[0])?;
        Ok(Self { body, ends, progress: 0.0, boarded_for: 0.0, pose })
    }

    /// Moves the platform and its body in the scene by `dt` seconds. Returns the motion for the
    /// character on it.
    pub(crate) fn advance(
        &mut self,
        scene: &mut Scene,
        rider: &CharacterState,
        dt: f64,
    ) -> Result<Carrier> {
        let is_aboard = rider.footing().is_some_and(|footing| footing.body == self.body);
        self.boarded_for = match (is_aboard, self.boarded_for >= 0.0) {
            (true, true) => self.boarded_for + dt,
            (false, false) => self.boarded_for - dt,
            (true, false) => dt,
            (false, true) => -dt,
        };
        let fraction = dt / CROSSING_TIME;
        if self.boarded_for > DEPARTURE_DELAY {
            self.progress = (self.progress + fraction).min(1.0);
        } else if self.boarded_for < -RETURN_DELAY {
            self.progress = (self.progress - fraction).max(0.0);
        }
        // Smoothstep, 3t² − 2t³: zero speed at both ends.
        let eased = self.progress * self.progress * (3.0 - 2.0 * self.progress);
        let previous = self.pose;
        self.pose = Pose::from_translation(self.ends[0].lerp(self.ends[1], eased))?;
        if self.pose != previous {
            scene.move_mesh(self.body, self.pose)?;
        }
        Ok(Carrier::new(self.body, previous, self.pose))
    }
}
