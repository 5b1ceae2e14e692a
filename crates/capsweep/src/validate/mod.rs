//! Judges moves that clients claim: could this move have happened?
//!
//! A [`Validator`] holds the rules of movement: a [`Locomotion`] and the [`Allowances`].
//! [`Validator::start`] begins a chain of claims at a position that the server trusts.
//! [`Validator::check`] judges one claim against the last [`Accepted`] state and returns the next
//! one.
//!
//! ```
//! use capsweep::controller::{Controller, ControllerConfig, Locomotion, LocomotionConfig};
//! use capsweep::scene::{Body, Scene, Shape};
//! use capsweep::validate::{Claim, ClaimWorld, SpeedLimits, Validator, ValidatorConfig, Verdict};
//! use capsweep::HalfSpace;
//! use glam::{DVec3, dvec3};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut scene = Scene::new();
//! scene.insert(Body::shape(Shape::HalfSpace(HalfSpace::new(DVec3::ZERO, DVec3::Z)?)));
//! let world = ClaimWorld::new(&scene);
//!
//! let controller = Controller::new(ControllerConfig::human(DVec3::Z))?;
//! let locomotion = Locomotion::new(controller, LocomotionConfig::human())?;
//! let validator = Validator::new(locomotion, ValidatorConfig::default())?;
//! let speeds = SpeedLimits::human();
//! let accepted = validator.start(&world, DVec3::ZERO, Some(DVec3::ZERO), speeds)?;
//!
//! // 40 cm in a tenth of a second: a run.
//! let claim = Claim::new(dvec3(0.4, 0.0, 0.0), 0.1);
//! let judgement = validator.check(&world, &accepted, &claim);
//! assert_eq!(judgement.verdict, Verdict::Possible);
//!
//! // Ten metres in the next tenth: not at 5 m/s.
//! let claim = Claim::new(dvec3(10.4, 0.0, 0.0), 0.1);
//! let judgement = validator.check(&world, &judgement.next, &claim);
//! assert!(judgement.verdict.is_impossible());
//! # Ok(())
//! # }
//! ```
//!
//! **What is promised.** A move that [`Locomotion`] itself makes, with any inputs in the interval,
//! is never `Impossible`. A claim is `Impossible` only if no path connects the two positions for a
//! body slightly thinner than the character, or every path is too long, too high or too fast. In
//! the repository, `docs/validate.md` has the details, the figures, and how to choose allowances.
//!
//! [`Locomotion`]: crate::controller::Locomotion

mod accepted;
mod batch;
mod check;
mod claim;
mod config;
mod flight;
mod flood;
mod near;
mod probe;
mod replay;
mod verdict;

pub use accepted::{Accepted, Support};
pub use batch::ClaimJob;
pub use claim::{Claim, ClaimTick, ClaimWorld};
pub use config::{Allowances, SpeedLimits, ValidatorConfig};
pub use verdict::{Judgement, Reason, Verdict};

use crate::controller::{Abilities, ConfigError, Locomotion, LocomotionState};
use crate::error::{ShapeError, check_position, xyz};
use crate::validate::check::Check;
use crate::validate::flight::Flight;
use crate::validate::probe::Probe;
use glam::DVec3;

/// Judges claims by one set of rules. It has no other state, so any number of characters and
/// threads can share it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Validator {
    pub(crate) locomotion: Locomotion,
    pub(crate) config: ValidatorConfig,
}

impl Validator {
    /// A validator with these rules.
    ///
    /// # Errors
    /// If an allowance is not finite, out of range or negative, or if that of positions is larger
    /// than the radius of the character.
    pub fn new(locomotion: Locomotion, config: ValidatorConfig) -> Result<Self, ConfigError> {
        config.check(f64::from(locomotion.controller().config().radius))?;
        Ok(Self { locomotion, config })
    }

    /// The rules of movement.
    pub fn locomotion(&self) -> &Locomotion {
        &self.locomotion
    }

    /// The configuration.
    pub fn config(&self) -> &ValidatorConfig {
        &self.config
    }

    /// Starts a chain of claims: after a login, a teleport, or a claim that was not accepted.
    ///
    /// The server must trust `feet` and `velocity`. Without a velocity, a character in the air may
    /// fall at any speed, or rise as fast as in a jump.
    ///
    /// # Errors
    /// If a number is not finite or out of range, or a speed is negative.
    pub fn start(
        &self,
        world: &ClaimWorld,
        feet: DVec3,
        velocity: Option<DVec3>,
        speeds: SpeedLimits,
    ) -> Result<Accepted, ShapeError> {
        speeds.check()?;
        if let Some(velocity) = velocity {
            check_position(xyz!("velocity"), velocity)?;
        }
        let controller = self.locomotion.controller();
        let size = controller.spawn(feet)?;
        let mut probe = Probe::new(self, world, &size, 0.0);
        let footing = probe.support(feet);
        let height = feet.dot(controller.up());
        let gravity = self.gravity(Abilities::default());
        let rise = velocity.map(|velocity| velocity.dot(controller.up()));
        let flight = (footing.support != Support::Ground).then(|| {
            let slowest = rise.unwrap_or(-gravity.terminal);
            let fastest = rise.unwrap_or(self.locomotion.config().jump_speed);
            Flight::new(self.around(height), [slowest, fastest])
        });
        let mut started = Accepted {
            size,
            feet,
            last_feet: feet,
            anchor: feet,
            support: footing.support,
            surely_grounded: footing.sure,
            claimed_fall: false,
            ground_body: footing.body,
            contact: footing.contact,
            sink: probe.footing_sink(&footing),
            flight,
            high_ground: height,
            launch_speed: rise.map_or(0.0, |rise| rise.max(0.0)),
            carried_speed: velocity.map_or(gravity.terminal, DVec3::length),
            given_speed: velocity.map_or(gravity.terminal, DVec3::length),
            fall_speed: 0.0,
            unsupported: 0.0,
            reach_credit: self.reach_cap(speeds.fastest()),
            clock_credit: self.config.allowances.clock,
            speeds,
            earlier_speeds: None,
            abilities: Abilities::default(),
            earlier_abilities: None,
            displaced: DVec3::ZERO,
            knock_back: None,
            replayed: None,
        };
        if footing.support == Support::Ground {
            // A fall or a jump may pass where it would stand.
            if rise.unwrap_or(0.0) == 0.0 {
                started.stop();
            }
            started.fall_speed = rise.map_or(gravity.terminal, |rise| (-rise).max(0.0));
            started.replayed = replay::standing(self, world, feet, &started);
        } else if let Some(velocity) = velocity {
            let state = LocomotionState { velocity, ..LocomotionState::at_rest(size) };
            started.replayed = Some(state);
        }
        Ok(started)
    }

    /// Judges one claim against the last accepted state.
    pub fn check(&self, world: &ClaimWorld, accepted: &Accepted, claim: &Claim) -> Judgement {
        Check::judge(self, world, accepted, claim)
    }

    /// Largest error of a claimed height.
    pub(crate) fn height_error(&self) -> f64 {
        self.config.allowances.position + 0.5 * crate::tolerance::CLAIM_SLACK
    }

    /// Bounds of the true height at a claimed one.
    pub(crate) fn around(&self, height: f64) -> [f64; 2] {
        [height - self.height_error(), height + self.height_error()]
    }

    /// Cap of the distance credit (metres) at a speed (m/s).
    fn reach_cap(&self, speed: f64) -> f64 {
        let Allowances { position, latency, .. } = self.config.allowances;
        speed * latency + 4.0 * position + crate::tolerance::CLAIM_SLACK
    }
}
