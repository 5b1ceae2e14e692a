//! The last accepted state of a character. The next claim is judged against it.

use crate::controller::{Abilities, CharacterState, Controller, LocomotionState};
use crate::error::{MAX_SIZE, ShapeError, check_number, check_position, xyz};
use crate::scene::BodyId;
use crate::validate::config::{SpeedLimits, check_amounts};
use crate::validate::flight::Flight;
use glam::DVec3;

/// The last accepted state of a character, with its remaining credits and recent events.
///
/// It is small and plain: the server keeps it for each character, and may store it between
/// sessions. [`Validator::start`](crate::validate::Validator::start) makes one. The methods here
/// record server events between two claims. [`Accepted::check`] validates a state that was stored
/// elsewhere.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Accepted {
    /// Size of the character. Its position is not used.
    pub(crate) size: CharacterState,
    /// Claimed position of the feet.
    pub(crate) feet: DVec3,
    /// Claimed position before that.
    pub(crate) last_feet: DVec3,
    /// The position within the allowance around the claim that keeps the whole path shortest.
    pub(crate) anchor: DVec3,
    pub(crate) support: Support,
    /// It certainly stands on walkable ground. Otherwise it may be just above the ground.
    pub(crate) surely_grounded: bool,
    /// The client said that it falls.
    pub(crate) claimed_fall: bool,
    /// The body under its feet.
    pub(crate) ground_body: Option<BodyId>,
    /// Height of the contact with the ground, or an upper bound (metres along up).
    pub(crate) contact: f64,
    /// Upper bound of how far its feet are below the round bottom (metres). With the footing rule
    /// `Point` they are at the surface straight below.
    pub(crate) sink: f64,
    /// The flight, while the character has no support or only steep ground.
    pub(crate) flight: Option<Flight>,
    /// Height of the highest walkable ground that it may have left (metres along up).
    pub(crate) high_ground: f64,
    /// Upward speed with which it may have left that ground, if faster than a jump (m/s).
    pub(crate) launch_speed: f64,
    /// Level speed that it may have from a slide, a knock-back or a transport (m/s).
    pub(crate) carried_speed: f64,
    /// Level speed without that of slides: from its own movement, a knock-back or a transport
    /// (m/s). The energy of a slide adds to it.
    pub(crate) given_speed: f64,
    /// Downward speed that it may still have although ground supports it (m/s).
    pub(crate) fall_speed: f64,
    /// Seconds since it last had support.
    pub(crate) unsupported: f64,
    /// Metres by which it may still exceed its speed limit.
    pub(crate) reach_credit: f64,
    /// Seconds that its clock may still run ahead. Below 0 by at most the slack of claims.
    pub(crate) clock_credit: f64,
    pub(crate) speeds: SpeedLimits,
    /// Speed limits from before the last change, and the seconds for which they stay valid.
    pub(crate) earlier_speeds: Option<(SpeedLimits, f64)>,
    pub(crate) abilities: Abilities,
    /// The abilities at the last claim, if they changed since.
    pub(crate) earlier_abilities: Option<Abilities>,
    /// How far the server moved the character since the last claim. The positions here include it,
    /// the heights do not.
    pub(crate) displaced: DVec3,
    /// A knock-back that the client may not have applied yet, and the seconds left to apply it.
    pub(crate) knock_back: Option<(DVec3, f64)>,
    /// The state of locomotion, if it is known. Inputs are replayed from it.
    pub(crate) replayed: Option<LocomotionState>,
}

/// The support of a character at a claimed position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Support {
    /// Walkable ground.
    Ground,
    /// A surface that is too steep to walk on.
    Steep,
    /// Water deep enough to swim in.
    Water,
    /// No support.
    Air,
}

impl Accepted {
    /// Feet of the last accepted claim.
    pub fn feet(&self) -> DVec3 {
        self.feet
    }

    /// The support of the character there.
    pub fn support(&self) -> Support {
        self.support
    }

    /// Metres by which it may still exceed its speed limit.
    pub fn reach_credit(&self) -> f64 {
        self.reach_credit
    }

    /// Seconds that its clock may still run ahead.
    pub fn clock_credit(&self) -> f64 {
        self.clock_credit.max(0.0)
    }

    /// The server changed the speed limits. For `window` seconds the old limits also stay valid,
    /// until the client learns of the change.
    ///
    /// # Errors
    /// If a speed or the window is not finite, out of range or negative.
    pub fn change_speeds(&mut self, speeds: SpeedLimits, window: f64) -> Result<(), ShapeError> {
        speeds.check()?;
        check_amounts(MAX_DERIVED, [("window", window)])?;
        // A repeated change must not extend the window of the old limits.
        if speeds == self.speeds {
            return Ok(());
        }
        let earlier = self.earlier_speeds.map_or(self.speeds, |(other, _)| other.max(self.speeds));
        self.earlier_speeds = Some((earlier, window));
        self.speeds = speeds;
        Ok(())
    }

    /// The server granted or removed abilities, from the next claim on. Remove an ability, or set
    /// a root, only after the client has confirmed it.
    ///
    /// # Errors
    /// If the hover height is not finite, out of range or negative.
    pub fn set_abilities(&mut self, abilities: Abilities) -> Result<(), ShapeError> {
        check_amounts(MAX_SIZE, [("abilities.hover", abilities.hover)])?;
        if abilities != self.abilities {
            self.earlier_abilities = self.earlier_abilities.or(Some(self.abilities));
            self.abilities = abilities;
        }
        Ok(())
    }

    /// The server knocked the character back. The client applies it within `window` seconds.
    ///
    /// # Errors
    /// If the velocity is not finite or out of range, or the window not a number of seconds.
    pub fn knock_back(&mut self, velocity: DVec3, window: f64) -> Result<(), ShapeError> {
        check_position(xyz!("velocity"), velocity)?;
        check_amounts(MAX_DERIVED, [("window", window)])?;
        self.knock_back = Some((velocity, window));
        self.replayed = None;
        Ok(())
    }

    /// The character crouched or stood up: from now on it is `total_height` metres tall without
    /// its skin, with its feet at the same place. `controller` is that of the validator's
    /// [`Locomotion`](crate::controller::Locomotion). Before it stands up, ask
    /// [`Controller::can_resize`]: this method does not check that there is room.
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

    /// The server moved the character by `displacement`, such as out of an overlap or a crush by a
    /// lift.
    ///
    /// # Errors
    /// If the displacement is not finite or out of range, or leads out of range.
    pub fn displace(&mut self, displacement: DVec3) -> Result<(), ShapeError> {
        check_position(xyz!("displacement"), displacement)?;
        check_position(xyz!("displacement"), self.feet + displacement)?;
        for position in [&mut self.feet, &mut self.last_feet, &mut self.anchor] {
            *position += displacement;
        }
        self.displaced += displacement;
        self.replayed = None;
        Ok(())
    }
}

impl Accepted {
    /// Raises the level speed to at least `speed`, which is not that of a slide.
    pub(super) fn give_speed(&mut self, speed: f64) {
        self.carried_speed = self.carried_speed.max(speed);
        self.given_speed = self.given_speed.max(speed);
    }

    /// Clears the level speed.
    pub(super) fn stop(&mut self) {
        (self.carried_speed, self.given_speed) = (0.0, 0.0);
    }
}

/// Bound of the derived numbers of a state: heights, speeds, credits and seconds. No state that
/// the validator makes is near it, and no arithmetic with numbers up to it overflows.
const MAX_DERIVED: f64 = 1e13;

impl Accepted {
    /// Checks every number of a state that comes from outside and may hold any bytes.
    ///
    /// # Errors
    /// If a number is not finite or out of range. The validator makes no such state.
    pub fn check(&self) -> Result<(), ShapeError> {
        check_position(xyz!("feet"), self.feet)?;
        check_position(xyz!("last_feet"), self.last_feet)?;
        check_position(xyz!("anchor"), self.anchor)?;
        check_position(xyz!("displaced"), self.displaced)?;
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
                ("given_speed", self.given_speed),
                ("fall_speed", self.fall_speed),
                ("unsupported", self.unsupported),
                ("abilities.hover", self.abilities.hover),
                ("earlier_abilities.hover", self.earlier_abilities.map_or(0.0, |had| had.hover)),
            ],
        )?;
        if let Some(flight) = &self.flight {
            let [low, high, slowest, fastest, time] = flight.numbers();
            check_number("flight.low", low, MAX_DERIVED)?;
            check_number("flight.high", high, MAX_DERIVED)?;
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
