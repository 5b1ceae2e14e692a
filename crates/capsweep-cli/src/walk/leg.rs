//! A leg of a walk: where to, how fast, for how long.

use glam::{DVec2, DVec3};
use serde::Serialize;

/// Metres a second, unless a leg says otherwise.
pub(crate) const SPEED: f64 = 2.5;

/// A target is reached within this (metres).
const ARRIVED: f64 = 0.02;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Leg {
    pub(crate) name: String,
    pub(crate) goal: Goal,
    /// It ends after that, or earlier where it arrives or cannot get on.
    pub(crate) seconds: f64,
    /// Metres a second.
    pub(crate) speed: f64,
    /// Whether it begins with a jump.
    pub(crate) jump: bool,
    /// How tall the walker is from here on; `None` leaves it as it is.
    pub(crate) height: Option<f32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Goal {
    /// Degrees from x towards y.
    Heading(f64),
    /// A place on the map.
    To(DVec2),
    /// Where it is.
    Stand,
}

impl Leg {
    pub(crate) fn new(name: &str, goal: Goal, seconds: f64) -> Self {
        Self { name: name.to_owned(), goal, seconds, speed: SPEED, jump: false, height: None }
    }

    /// The velocity to walk with from `feet`; `None` on arrival.
    pub(crate) fn wish(&self, feet: DVec3, dt: f64) -> Option<DVec3> {
        match self.goal {
            Goal::Stand => Some(DVec3::ZERO),
            Goal::Heading(degrees) => {
                Some(DVec2::from_angle(degrees.to_radians()).extend(0.0) * self.speed)
            }
            Goal::To(target) => {
                let way = target - feet.truncate();
                let left = way.length();
                // The last step is as long as what is left.
                (left > ARRIVED).then(|| (way / left).extend(0.0) * self.speed.min(left / dt))
            }
        }
    }

    /// Whether it may end early because it does not get on.
    pub(crate) fn gives_up(&self) -> bool {
        matches!(self.goal, Goal::To(_))
    }
}
