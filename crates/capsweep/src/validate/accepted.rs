//! The last accepted state of a character: what the next claim is held against.

use crate::controller::{Abilities, CharacterState, Controller, LocomotionState};
use crate::error::{ShapeError, check_number, check_position, xyz};
use crate::scene::BodyId;
use crate::validate::config::{SpeedLimits, check_amounts};
use crate::validate::flight::Flight;
use glam::DVec3;

/// The last accepted state of a character, with what it still owes from the past.
///
/// It is small and plain: the server keeps it for each character, and may store it between
/// sessions. [`Validator::start`](crate::validate::Validator::start) makes one. What the server
/// itself does to a character between two claims goes in by the methods here.
/// [`Accepted::check`] says whether a state that was stored elsewhere is sound.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Accepted {
    /// Size of the character. Its position is not used.
    pub(crate) size: CharacterState,
    /// Claimed position of the feet.
    pub(crate) feet: DVec3,
    /// Claimed position before that.
    pub(crate) last_feet: DVec3,
    /// The position within the allowance around each claim that makes the whole way shortest.
    pub(crate) anchor: DVec3,
    pub(crate) support: Support,
    /// It stands on walkable ground for sure. Otherwise it may be just above.
    pub(crate) surely_grounded: bool,
    /// The body under its feet.
    pub(crate) ground_body: Option<BodyId>,
    /// Height of the contact with the ground, or an upper bound (metres along up).
    pub(crate) contact: f64,
    /// Upper bound of how far its feet are below the round bottom: the footing rule `Point` lets
    /// them stand on the surface straight below (metres).
    pub(crate) sink: f64,
    /// While nothing, or only steep ground, carries it.
    pub(crate) flight: Option<Flight>,
    /// Height of the highest walkable ground that it may have left (metres along up).
    pub(crate) high_ground: f64,
    /// Upward speed with which it may have left that ground, beyond a jump (m/s).
    pub(crate) launch_speed: f64,
    /// Level speed that it may have from a slide, a knock-back or a transport (m/s).
    pub(crate) carried_speed: f64,
    /// Downward speed that it may still have although ground is near enough to carry it (m/s).
    pub(crate) fall_speed: f64,
    /// Seconds since something carried it.
    pub(crate) unsupported: f64,
    /// Metres that it may still be ahead of its speed.
    pub(crate) reach_credit: f64,
    /// Seconds that its clock may still run ahead.
    pub(crate) clock_credit: f64,
    pub(crate) speeds: SpeedLimits,
    /// Speeds that were valid before the last change, and for how many seconds they still are.
    pub(crate) earlier_speeds: Option<(SpeedLimits, f64)>,
    pub(crate) abilities: Abilities,
    /// A knock-back that the client may not have made yet, and for how many seconds it may not.
    pub(crate) knock_back: Option<(DVec3, f64)>,
    /// The state of locomotion, where it is known: inputs are replayed from there.
    pub(crate) replayed: Option<LocomotionState>,
}

/// What carries a character at a claimed position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Support {
    /// Walkable ground.
    Ground,
    /// A surface that is too steep to walk on.
    Steep,
    /// Water deep enough to swim in.
    Water,
    /// Nothing.
    Air,
}

impl Accepted {
    /// Feet of the last accepted claim.
    pub fn feet(&self) -> DVec3 {
        self.feet
    }

    /// What carries the character there.
    pub fn support(&self) -> Support {
        self.support
    }

    /// Metres that it may still be ahead of its speed limit.
    pub fn reach_credit(&self) -> f64 {
        self.reach_credit
    }

    /// Seconds that its clock may still run ahead.
    pub fn clock_credit(&self) -> f64 {
        self.clock_credit
    }

    /// The server changed the speed limits. For `window` seconds the earlier ones count, too:
    /// until the client has the news.
    ///
    /// # Errors
    /// If a speed is not finite, out of range or negative.
    pub fn change_speeds(&mut self, speeds: SpeedLimits, window: f64) -> Result<(), ShapeError> {
        speeds.check()?;
        let earlier = self.earlier_speeds.map_or(self.speeds, |(other, _)| other.max(self.speeds));
        self.earlier_speeds = Some((earlier, window));
        self.speeds = speeds;
        Ok(())
    }

    /// The server gave or took abilities. They count from the next claim on. Take an ability away
    /// only after the client has confirmed it.
    pub fn set_abilities(&mut self, abilities: Abilities) {
        self.abilities = abilities;
    }

    /// The server knocked the character back. The client makes it within `window` seconds.
    ///
    /// # Errors
    /// If the velocity is not finite or out of range.
    pub fn knock_back(&mut self, velocity: DVec3, window: f64) -> Result<(), ShapeError> {
        check_position(xyz!("velocity"), velocity)?;
        self.knock_back = Some((velocity, window));
        self.replayed = None;
        Ok(())
    }

    /// The character crouched or stood up: from now on it is `total_height` metres tall without
    /// its skin, with its feet at the same place. `controller` is that of the validator's
    /// [`Locomotion`](crate::controller::Locomotion). Before it stands up, ask
    /// [`Controller::can_resize`]: this does not check that there is room.
    ///
    /// # Errors
    /// If the height is not finite, out of range or negative.
    pub fn resize(
        &mut self,
        controller: &Controller,
        total_height: f32,
    ) -> Result<(), ShapeError> {
        self.size = controller.resize(&self.size, total_height)?;
        if let Some(state) = &mut self.replayed {
            state.character = controller.resize(&state.character, total_height)?;
        }
        Ok(())
    }

    /// The server moved the character by `displacement`: it pushed it out of an overlap, or a lift
    /// crushed it.
    ///
    /// # Errors
    /// If the displacement is not finite or out of range, or leads out of range.
    pub fn displace(&mut self, displacement: DVec3) -> Result<(), ShapeError> {
        check_position(xyz!("displacement"), displacement)?;
        check_position(xyz!("displacement"), self.feet + displacement)?;
        for position in [&mut self.feet, &mut self.last_feet, &mut self.anchor] {
            *position += displacement;
        }
        self.replayed = None;
        Ok(())
    }
}

/// Bound of what a state derives from positions, sizes, speeds and allowances: heights, speeds,
/// credits and seconds. No state that the validator makes is near it, and no arithmetic with such
/// numbers overflows.
const MAX_DERIVED: f64 = 1e13;

impl Accepted {
    /// Checks every number of a state that comes from outside, where bytes may hold any.
    ///
    /// # Errors
    /// If a number is not finite or out of range. The validator makes no such state.
    pub fn check(&self) -> Result<(), ShapeError> {
        check_position(xyz!("feet"), self.feet)?;
        check_position(xyz!("last_feet"), self.last_feet)?;
        check_position(xyz!("anchor"), self.anchor)?;
        for (field, value) in [
            ("contact", self.contact),
            ("high_ground", self.high_ground),
            ("reach_credit", self.reach_credit),
            ("clock_credit", self.clock_credit),
        ] {
            check_number(field, value, MAX_DERIVED)?;
        }
        check_amounts(
            MAX_DERIVED,
            [
                ("sink", self.sink),
                ("launch_speed", self.launch_speed),
                ("carried_speed", self.carried_speed),
                ("fall_speed", self.fall_speed),
                ("unsupported", self.unsupported),
                ("abilities.hover", self.abilities.hover),
            ],
        )?;
        if let Some(flight) = &self.flight {
            let [height, slowest, fastest, time] = flight.numbers();
            check_number("flight.height", height, MAX_DERIVED)?;
            check_number("flight.slowest", slowest, MAX_DERIVED)?;
            check_number("flight.fastest", fastest, MAX_DERIVED)?;
            check_amounts(MAX_DERIVED, [("flight.time", time)])?;
        }
        self.speeds.check()?;
        if let Some((speeds, window)) = &self.earlier_speeds {
            speeds.check()?;
            check_amounts(MAX_DERIVED, [("earlier_speeds", *window)])?;
        }
        if let Some((velocity, window)) = self.knock_back {
            check_position(xyz!("knock_back"), velocity)?;
            check_amounts(MAX_DERIVED, [("knock_back", window)])?;
        }
        if let Some(LocomotionState { velocity, boarded, .. }) = self.replayed {
            check_position(xyz!("replayed.velocity"), velocity)?;
            let boarded = boarded.map_or(DVec3::ZERO, |boarded| boarded.velocity);
            check_position(xyz!("replayed.boarded"), boarded)?;
        }
        Ok(())
    }
}
