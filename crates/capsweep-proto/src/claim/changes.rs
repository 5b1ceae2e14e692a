//! Server events between two claims.

use crate::error::Within as _;
use crate::{FieldError, v1};
use capsweep::controller::Abilities;
use capsweep::validate::{Accepted, SpeedLimits};
use glam::DVec3;

/// Changes that the server made to a character since its last claim.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Changes {
    /// New speeds.
    pub speeds: Option<SpeedLimits>,
    /// New abilities.
    pub abilities: Option<Abilities>,
    /// A knock-back (m/s).
    pub knock_back: Option<DVec3>,
    /// A displacement (metres).
    pub displacement: Option<DVec3>,
    /// Seconds within which the client learns of the changes.
    pub window: f64,
}

impl Changes {
    /// Applies the changes in order: speeds, abilities, knock-back, displacement.
    ///
    /// # Errors
    /// If a number is bad.
    pub fn apply(&self, accepted: &mut Accepted) -> Result<(), FieldError> {
        // False for NaN.
        if !(self.window >= 0.0 && self.window <= capsweep::MAX_SIZE) {
            let message = format!("{} is not a number of seconds", self.window);
            return Err(FieldError::new("changes.window", message));
        }
        if let Some(speeds) = self.speeds {
            accepted.change_speeds(speeds, self.window).within("changes")?;
        }
        if let Some(abilities) = self.abilities {
            accepted.set_abilities(abilities).within("changes")?;
        }
        if let Some(velocity) = self.knock_back {
            accepted.knock_back(velocity, self.window).within("changes.knock_back")?;
        }
        if let Some(displacement) = self.displacement {
            accepted.displace(displacement).within("changes")?;
        }
        Ok(())
    }
}

impl From<&v1::Changes> for Changes {
    fn from(given: &v1::Changes) -> Self {
        Self {
            speeds: given.speeds.map(SpeedLimits::from),
            abilities: given.abilities.map(Abilities::from),
            knock_back: given.knock_back.map(DVec3::from),
            displacement: given.displacement.map(DVec3::from),
            window: given.window,
        }
    }
}

impl From<&Changes> for v1::Changes {
    fn from(changes: &Changes) -> Self {
        Self {
            speeds: changes.speeds.map(v1::SpeedLimits::from),
            abilities: changes.abilities.map(v1::Abilities::from),
            knock_back: changes.knock_back.map(v1::Vector::from),
            displacement: changes.displacement.map(v1::Vector::from),
            window: changes.window,
        }
    }
}

impl From<SpeedLimits> for v1::SpeedLimits {
    fn from(SpeedLimits { ground, swim, fly }: SpeedLimits) -> Self {
        Self { ground, swim, fly }
    }
}

impl From<v1::SpeedLimits> for SpeedLimits {
    fn from(v1::SpeedLimits { ground, swim, fly }: v1::SpeedLimits) -> Self {
        Self { ground, swim, fly }
    }
}
