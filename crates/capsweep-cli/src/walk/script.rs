//! Scripts of walks; `docs/walk-script.md` describes the format.

use super::leg::{Goal, Leg, SPEED};
use crate::json_error::without_position;
use anyhow::{Context, Result, anyhow, bail};
use capsweep::MAX_POSITION;
use capsweep::controller::{ControllerConfig, LocomotionConfig};
use capsweep::persist::MapUnit;
use capsweep::validate::SpeedLimits;
use glam::{DVec2, DVec3};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Largest script, in bytes.
const MAX_BYTES: u64 = 1 << 24;
/// Longest walk, in seconds: every move is kept in memory.
const MAX_SECONDS: f64 = 600.0;
/// Most legs: each is a row of the table.
const MAX_LEGS: usize = 1000;
/// Most moves: each is kept with its contacts. [`MAX_SECONDS`] at 166 moves per second.
const MAX_MOVES: f64 = 100_000.0;

#[derive(Debug, Clone)]
pub(crate) struct Script {
    /// `None` leaves the choice to the command.
    pub(crate) character: Option<Preset>,
    /// Feet at the start; `None` leaves the choice to the command.
    pub(crate) start: Option<DVec3>,
    /// Moves per second.
    pub(crate) rate: f64,
    pub(crate) legs: Vec<Leg>,
}

/// The JSON of a script. The legs are parsed one by one, so that errors can name their lines.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with the key legs")]
struct ScriptJson<'a> {
    character: Option<Preset>,
    start: Option<DVec3>,
    #[serde(default = "default_rate")]
    rate: f64,
    #[serde(borrow)]
    legs: Vec<&'a RawValue>,
}

fn default_rate() -> f64 {
    60.0
}

/// A preset of the controller and of the locomotion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Preset {
    /// A person 1.8 m tall, for steps up to 0.4 m and slopes up to 50°
    #[default]
    Human,
    #[value(help = "The defaults of the PhysX capsule controller")]
    Physx,
    /// A human of World of Warcraft, in yards
    Wow,
}

impl Preset {
    /// The default: a person, in metres or in yards.
    pub(crate) fn for_unit(unit: MapUnit) -> Self {
        if unit == MapUnit::Yard { Self::Wow } else { Self::Human }
    }

    pub(crate) fn configs(self) -> (ControllerConfig, LocomotionConfig) {
        match self {
            Self::Human => (ControllerConfig::human(DVec3::Z), LocomotionConfig::human()),
            Self::Physx => (ControllerConfig::physx(DVec3::Z), LocomotionConfig::human()),
            Self::Wow => (ControllerConfig::wow(), LocomotionConfig::wow()),
        }
    }

    /// The largest speeds.
    pub(crate) fn speeds(self) -> SpeedLimits {
        match self {
            Self::Human | Self::Physx => SpeedLimits::human(),
            Self::Wow => SpeedLimits::wow(),
        }
    }
}

impl Script {
    /// Reads a script; errors name the file, the line and the column.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let file_name = || path.display().to_string();
        let mut bytes = Vec::new();
        // The size of a device or pipe is not known in advance, so the read itself is limited.
        let mut file = File::open(path).with_context(file_name)?.take(MAX_BYTES + 1);
        file.read_to_end(&mut bytes).with_context(file_name)?;
        if bytes.len() as u64 > MAX_BYTES {
            bail!("{}: too long for a script: at most {MAX_BYTES} bytes are allowed", file_name());
        }
        let text = String::from_utf8(bytes).with_context(file_name)?;
        let script = Self::parse(&text).with_context(file_name)?;
        script.check().with_context(file_name)?;
        Ok(script)
    }

    fn parse(text: &str) -> Result<Self> {
        let ScriptJson { character, start, rate, legs } = serde_json::from_str(text)?;
        if legs.len() > MAX_LEGS {
            bail!("there are {} legs: at most {MAX_LEGS} are allowed", legs.len());
        }
        let legs = legs.into_iter().map(|leg| {
            let first_line = || line_of(text, leg.get());
            let json: LegJson = serde_json::from_str(leg.get()).map_err(|error| {
                anyhow!("line {}: {}", first_line() + error.line() - 1, without_position(&error))
            })?;
            Leg::try_from(json).map_err(|what| anyhow!("line {}: {what}", first_line()))
        });
        Ok(Self { character, start, rate, legs: legs.collect::<Result<_>>()? })
    }

    fn check(&self) -> Result<()> {
        if self.legs.is_empty() {
            bail!(
                "there are no legs: give at least one, such as {{\"heading\": 0, \"seconds\": 2}}"
            );
        }
        if !(1.0..=1000.0).contains(&self.rate) {
            bail!("rate is {}: it must be 1 to 1000 moves per second", self.rate);
        }
        let seconds: f64 = self.legs.iter().map(|leg| leg.seconds).sum();
        if seconds > MAX_SECONDS {
            bail!("the legs take up to {seconds} s together: at most {MAX_SECONDS} s are allowed");
        }
        let moves = self.legs.iter().map(|leg| (leg.seconds * self.rate).round().max(1.0));
        let moves: f64 = moves.sum();
        if moves > MAX_MOVES {
            bail!(
                "the legs take up to {moves} moves at {} a second: \
                 at most {MAX_MOVES} are allowed",
                self.rate
            );
        }
        Ok(())
    }
}

/// The number of the line of `text` in which `part`, a slice of it, begins.
fn line_of(text: &str, part: &str) -> usize {
    let start = part.as_ptr() as usize - text.as_ptr() as usize;
    1 + text.bytes().take(start).filter(|byte| *byte == b'\n').count()
}

/// The JSON of a leg.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object such as {\"heading\": 0, \"seconds\": 2}")]
struct LegJson {
    name: Option<String>,
    heading: Option<f64>,
    to: Option<DVec2>,
    seconds: Option<f64>,
    speed: Option<f64>,
    #[serde(default)]
    jump: bool,
    height: Option<f32>,
}

impl TryFrom<LegJson> for Leg {
    type Error = String;

    fn try_from(json: LegJson) -> Result<Self, String> {
        let LegJson { name, heading, to, seconds, speed, jump, height } = json;
        let goal = match (heading, to) {
            (Some(_), Some(_)) => {
                return Err("a leg has either \"heading\" or \"to\", not both".into());
            }
            (Some(heading), None) => Goal::Heading(heading),
            (None, Some(to)) if to.abs().max_element() > MAX_POSITION => {
                return Err(format!(
                    "to is {:?}, {:?}: \
                     x and y must lie between -{MAX_POSITION:e} and {MAX_POSITION:e}",
                    to.x, to.y
                ));
            }
            (None, Some(to)) => Goal::To(to),
            (None, None) => Goal::Stand,
        };
        // A leg to a place ends on arrival; the default time limit is for places out of reach.
        let default = if to.is_some() { Some(30.0) } else { None };
        let Some(seconds) = seconds.or(default) else {
            return Err("seconds are missing: a leg without \"to\" needs its duration".into());
        };
        let speed = speed.unwrap_or(SPEED);
        let tall = height.map(|height| ("height", f64::from(height), 100.0));
        let numbers =
            [("seconds", seconds, MAX_SECONDS), ("speed", speed, 100.0)].into_iter().chain(tall);
        for (what, value, most) in numbers {
            if !(value > 0.0 && value <= most) {
                return Err(format!("{what} is {value}: it must be more than 0, at most {most}"));
            }
        }
        let name = name.unwrap_or_else(|| match goal {
            Goal::Heading(degrees) => format!("heading {degrees}°"),
            Goal::To(to) => format!("to {}, {}", to.x, to.y),
            Goal::Stand => "stand".to_owned(),
        });
        Ok(Self { name, goal, seconds, speed, jump, height })
    }
}
