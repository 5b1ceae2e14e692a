//! Honest and forged claims, and the verdicts of a validator.
//!
//! [`honest`] claims come from `Locomotion` itself, with inputs that change inside the intervals:
//! none may be impossible. [`forged`] claims are impossible by construction: all must be caught.

mod boxes;
mod events;
mod ferry;
pub mod forged;
pub mod honest;
pub mod levels;

use crate::Rng;
use capsweep::controller::{
    Controller, ControllerConfig, Locomotion, LocomotionConfig, NonWalkable,
};
use capsweep::validate::{Allowances, SpeedLimits, Validator, ValidatorConfig};
use glam::DVec3;

/// The rules of movement of one chain of claims.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// The validator, with the controller and locomotion that it judges by.
    pub validator: Validator,
    /// Speed limits of the character.
    pub speeds: SpeedLimits,
    /// How positions are rounded.
    pub rounding: Rounding,
}

/// How a client rounds positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rounding {
    /// Not at all.
    Exact,
    /// To f32.
    Single,
    /// To a centimetre.
    Centimetre,
}

impl Rounding {
    /// The rounded position.
    pub fn round(self, position: DVec3) -> DVec3 {
        match self {
            Self::Exact => position,
            Self::Single => position.as_vec3().as_dvec3(),
            Self::Centimetre => (position / 0.01).round() * 0.01,
        }
    }

    /// The allowance that it needs (metres), within a kilometre of the origin.
    fn allowance(self) -> f64 {
        match self {
            Self::Exact => 0.0,
            Self::Single => 1e-4,
            Self::Centimetre => 0.005_001,
        }
    }
}

impl Rules {
    /// The size for [`Rules::random`] of the chain with this number: 0 without `sizes`.
    fn random_size(sizes: bool, number: u64) -> u32 {
        if sizes { Rng::new(&[8, number]).below(3) } else { 0 }
    }

    /// Random rules: a person or a character of World of Warcraft, with any rounding. `size` 1
    /// makes it as small as a gnome, 2 as tall as a draenei.
    ///
    /// # Panics
    /// Never: the presets are valid.
    pub fn random(rng: &mut Rng, size: u32) -> Self {
        let wow = rng.chance(0.4);
        let (mut controller, locomotion, speeds) = if wow {
            (ControllerConfig::wow(), LocomotionConfig::wow(), SpeedLimits::wow())
        } else {
            let human = ControllerConfig::human(DVec3::Z);
            (human, LocomotionConfig::human(), SpeedLimits::human())
        };
        if !wow && rng.chance(0.3) {
            controller.non_walkable = NonWalkable::Prevent;
        }
        if let Some((radius, height)) =
            [None, Some((0.3472, 1.056)), Some((0.433_25, 2.541))][size.min(2) as usize]
        {
            (controller.radius, controller.total_height) = (radius, height);
        }
        let rounding = [Rounding::Exact, Rounding::Single, Rounding::Centimetre][rng.index(3)];
        let allowances = Allowances { position: rounding.allowance(), ..Allowances::default() };
        let config = ValidatorConfig { allowances, ..ValidatorConfig::default() };
        let controller = Controller::new(controller).expect("a preset");
        let locomotion = Locomotion::new(controller, locomotion).expect("a preset");
        let validator = Validator::new(locomotion, config).expect("a preset");
        Self { validator, speeds, rounding }
    }
}
