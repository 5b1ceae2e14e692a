//! The platform of the course: it leaves when somebody steps on it.

use anyhow::Result;
use capsweep::controller::{Carrier, CharacterState};
use capsweep::scene::{BodyId, Pose, Scene};
use glam::DVec3;

/// Seconds between stepping on and leaving.
const WAITS: f64 = 0.8;
/// Seconds between stepping off and going back.
const RETURNS: f64 = 3.0;
/// Seconds from end to end.
const CROSSES: f64 = 3.5;

/// A body that goes from one place to another with whoever stands on it.
#[derive(Debug, Clone)]
pub(crate) struct Ferry {
    body: BodyId,
    ends: [DVec3; 2],
    /// How much of the way it has gone, 0 to 1.
    gone: f64,
    /// Seconds since somebody stepped on; negative: since everybody is off.
    aboard: f64,
    pose: Pose,
}

impl Ferry {
    /// One that waits at the first end.
    pub(super) fn new(body: BodyId, ends: [DVec3; 2]) -> Result<Self> {
        let pose = Pose::from_translation(ends[0])?;
        Ok(Self { body, ends, gone: 0.0, aboard: 0.0, pose })
    }

    /// Moves it for `dt` seconds, in the scene too; says how, for whoever stands on it.
    pub(crate) fn sail(
        &mut self,
        scene: &mut Scene,
        rider: &CharacterState,
        dt: f64,
    ) -> Result<Carrier> {
        let on = rider.footing().is_some_and(|footing| footing.body == self.body);
        self.aboard = match (on, self.aboard >= 0.0) {
            (true, true) => self.aboard + dt,
            (false, false) => self.aboard - dt,
            (true, false) => dt,
            (false, true) => -dt,
        };
        let way = dt / CROSSES;
        if self.aboard > WAITS {
            self.gone = (self.gone + way).min(1.0);
        } else if self.aboard < -RETURNS {
            self.gone = (self.gone - way).max(0.0);
        }
        // Starts and stops gently: 3t² − 2t³.
        let eased = self.gone * self.gone * (3.0 - 2.0 * self.gone);
        let previous = self.pose;
        self.pose = Pose::from_translation(self.ends[0].lerp(self.ends[1], eased))?;
        if self.pose != previous {
            scene.move_mesh(self.body, self.pose)?;
        }
        Ok(Carrier::new(self.body, previous, self.pose))
    }
}
