//! A walk written down: `docs/walk-script.md` explains the format.

use super::leg::{Goal, Leg, SPEED};
use crate::json_error::without_place;
use anyhow::{Context, Result, anyhow, bail};
use capsweep::MAX_POSITION;
use capsweep::controller::{ControllerConfig, LocomotionConfig};
use glam::{DVec2, DVec3};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Bytes of the largest script that is read.
const LARGEST: u64 = 1 << 24;
/// The longest walk (seconds): every move of it is kept.
const LONGEST: f64 = 600.0;
/// The most legs of a walk: each is a row of the table.
const MOST_LEGS: usize = 1000;
/// The most moves of a walk: each is kept, with its contacts. `LONGEST` at 166 moves a second.
const MOST_MOVES: f64 = 100_000.0;

#[derive(Debug, Clone)]
pub(crate) struct Script {
    pub(crate) character: Preset,
    /// Where the feet are at first; somewhere good if it is left out.
    pub(crate) start: Option<DVec3>,
    /// Moves a second.
    pub(crate) rate: f64,
    pub(crate) legs: Vec<Leg>,
}

/// A script as it is written. Legs are read one by one, as only then an error knows its line.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written<'a> {
    #[serde(default)]
    character: Preset,
    start: Option<DVec3>,
    #[serde(default = "sixty")]
    rate: f64,
    #[serde(borrow)]
    legs: Vec<&'a RawValue>,
}

fn sixty() -> f64 {
    60.0
}

/// Who walks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Preset {
    /// A person: 1.8 m tall, steps of 0.4 m, slopes of 50°
    #[default]
    Human,
    /// The defaults of `PhysX`'s capsule controller
    Physx,
    /// A human of World of Warcraft, in yards
    Wow,
}

impl Preset {
    pub(crate) fn configs(self) -> (ControllerConfig, LocomotionConfig) {
        match self {
            Self::Human => (ControllerConfig::human(DVec3::Z), LocomotionConfig::human()),
            Self::Physx => (ControllerConfig::physx(DVec3::Z), LocomotionConfig::human()),
            Self::Wow => (ControllerConfig::wow(), LocomotionConfig::wow()),
        }
    }
}

impl Script {
    /// Reads a script; errors name the file, the line and the column.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let place = || path.display().to_string();
        let mut bytes = Vec::new();
        // What is no regular file does not know its size beforehand.
        let mut file = File::open(path).with_context(place)?.take(LARGEST + 1);
        file.read_to_end(&mut bytes).with_context(place)?;
        if bytes.len() as u64 > LARGEST {
            bail!("{}: too long for a script: at most {LARGEST} bytes are read", place());
        }
        let text = String::from_utf8(bytes).with_context(place)?;
        let script = Self::parse(&text).with_context(place)?;
        script.check().with_context(place)?;
        Ok(script)
    }

    fn parse(text: &str) -> Result<Self> {
        let Written { character, start, rate, legs } = serde_json::from_str(text)?;
        if legs.len() > MOST_LEGS {
            bail!("there are {} legs: at most {MOST_LEGS} are walked", legs.len());
        }
        let legs = legs.into_iter().map(|leg| {
            let first = || line_of(text, leg.get());
            let written: WrittenLeg = serde_json::from_str(leg.get()).map_err(|error| {
                anyhow!("line {}: {}", first() + error.line() - 1, without_place(&error))
            })?;
            Leg::try_from(written).map_err(|what| anyhow!("line {}: {what}", first()))
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
            bail!("rate is {}: moves a second must be 1 to 1000", self.rate);
        }
        let seconds: f64 = self.legs.iter().map(|leg| leg.seconds).sum();
        if seconds > LONGEST {
            bail!("the legs take up to {seconds} s together: at most {LONGEST} s are walked");
        }
        let moves = self.legs.iter().map(|leg| (leg.seconds * self.rate).round().max(1.0));
        let moves: f64 = moves.sum();
        if moves > MOST_MOVES {
            bail!(
                "the legs take up to {moves} moves at {} a second: at most {MOST_MOVES} are made",
                self.rate
            );
        }
        Ok(())
    }
}

/// The line of `text` in which a part of it begins, from 1.
fn line_of(text: &str, part: &str) -> usize {
    let start = part.as_ptr() as usize - text.as_ptr() as usize;
    1 + text.bytes().take(start).filter(|byte| *byte == b'\n').count()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenLeg {
    name: Option<String>,
    heading: Option<f64>,
    to: Option<DVec2>,
    seconds: Option<f64>,
    speed: Option<f64>,
    #[serde(default)]
    jump: bool,
    height: Option<f32>,
}

impl TryFrom<WrittenLeg> for Leg {
    type Error = String;

    fn try_from(written: WrittenLeg) -> Result<Self, String> {
        let WrittenLeg { name, heading, to, seconds, speed, jump, height } = written;
        let goal = match (heading, to) {
            (Some(_), Some(_)) => {
                return Err("a leg has a heading or a place to go to, not both".into());
            }
            (Some(heading), None) => Goal::Heading(heading),
            (None, Some(to)) if to.abs().max_element() > MAX_POSITION => {
                return Err(format!(
                    "to is {:?}, {:?}: x and y must lie between -{MAX_POSITION:e} and {MAX_POSITION:e}",
                    to.x, to.y
                ));
            }
            (None, Some(to)) => Goal::To(to),
            (None, None) => Goal::Stand,
        };
        // A place says itself when the leg ends; the time is for those who do not get there.
        let usual = if to.is_some() { Some(30.0) } else { None };
        let Some(seconds) = seconds.or(usual) else {
            return Err("seconds are missing: how long does the leg take?".into());
        };
        let speed = speed.unwrap_or(SPEED);
        let tall = height.map(|height| ("height", f64::from(height), 100.0));
        let numbers =
            [("seconds", seconds, LONGEST), ("speed", speed, 100.0)].into_iter().chain(tall);
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
