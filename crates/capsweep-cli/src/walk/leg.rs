//! A leg of a walk: its goal, speed and duration.

use glam::{DVec2, DVec3};
use serde::Serialize;

/// Default speed, in metres per second.
pub(crate) const SPEED: f64 = 2.5;

/// Distance at which a leg has reached its goal, in metres.
const ARRIVAL_DISTANCE: f64 = 0.02;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Leg {
    pub(crate) name: String,
    pub(crate) goal: Goal,
    /// Time limit in seconds. A leg to a place ends earlier if it arrives or gets stuck.
    pub(crate) seconds: f64,
    /// Metres per second.
    pub(crate) speed: f64,
    /// Whether the leg begins with a jump.
    pub(crate) jump: bool,
    /// Height of the character from this leg on, in metres; `None` keeps the height.
    pub(crate) height: Option<f32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Goal {
    /// Walk in a direction, in degrees from x towards y.
    Heading(f64),
    /// Walk to an x and y.
    To(DVec2),
    /// Stand still.
    Stand,
}

impl Leg {
    pub(crate) fn new(name: &str, goal: Goal, seconds: f64) -> Self {
        Self { name: name.to_owned(), goal, seconds, speed: SPEED, jump: false, height: None }
    }

    /// The velocity to walk with from `feet`; `None` on arrival.
    pub(crate) fn desired_velocity(&self, feet: DVec3, dt: f64) -> Option<DVec3> {
        match self.goal {
            Goal::Stand => Some(DVec3::ZERO),
            Goal::Heading(degrees) => {
                Some(DVec2::from_angle(degrees.to_radians()).extend(0.0) * self.speed)
            }
            Goal::To(target) => {
                let to_target = target - feet.truncate();
                let left = to_target.length();
                // The last move covers exactly the remaining distance.
                (left > ARRIVAL_DISTANCE)
                    .then(|| (to_target / left).extend(0.0) * self.speed.min(left / dt))
            }
        }
    }

    /// Whether the leg ends early if the character is stuck.
    pub(crate) fn ends_when_stuck(&self) -> bool {
        matches!(self.goal, Goal::To(_))
    }
}
