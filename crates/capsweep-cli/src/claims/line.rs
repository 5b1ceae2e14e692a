//! Claim lines: one JSON object per line. `docs/claim-lines.md` describes the format.

use super::key::Key;
use crate::json_error::with_column;
use anyhow::{Result, bail};
use capsweep::controller::{Abilities, Mode};
use capsweep::validate::{ClaimTick, SpeedLimits};
use glam::{DQuat, DVec3};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};

/// Seconds that the client has to follow an event, unless its line says otherwise.
const WINDOW: f64 = 1.0;
/// Most that numbers of events may be: as in the library.
const MAX_AMOUNT: f64 = 1e6;

/// One line of a log.
#[derive(Debug)]
pub(crate) enum Line {
    /// Something that one character does, or that happens to it.
    Character { key: Option<Key>, what: What },
    /// A body of the level moved.
    Body(BodyMove),
}

#[derive(Debug)]
pub(crate) enum What {
    Claim(ClaimLine),
    Event(Event),
}

/// A claim. Its keys are those of `capsweep::validate::Claim`.
#[derive(Debug)]
pub(crate) struct ClaimLine {
    pub(crate) feet: DVec3,
    pub(crate) dt: f64,
    pub(crate) server_dt: f64,
    pub(crate) velocity: Option<DVec3>,
    pub(crate) mode: Option<Mode>,
    /// `None` if the line names none: the world of the level.
    pub(crate) world: Option<u64>,
    pub(crate) inputs: Vec<ClaimTick>,
}

/// What the server does to a character between two claims.
#[derive(Debug)]
pub(crate) enum Event {
    Start(Start),
    Displace { displacement: DVec3 },
    KnockBack { velocity: DVec3, window: f64 },
    Speeds { speeds: SpeedChange, window: f64 },
    Abilities(AbilityChange),
    Height { height: f32 },
    End,
}

#[derive(Debug)]
pub(crate) struct Start {
    pub(crate) feet: DVec3,
    pub(crate) velocity: Option<DVec3>,
    pub(crate) speeds: SpeedChange,
    pub(crate) abilities: AbilityChange,
    pub(crate) height: Option<f32>,
}

/// New speed limits. Those that are missing stay.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object such as {\"ground\": 7}")]
pub(crate) struct SpeedChange {
    ground: Option<f64>,
    swim: Option<f64>,
    fly: Option<f64>,
}

impl SpeedChange {
    pub(crate) fn of(&self, before: SpeedLimits) -> SpeedLimits {
        SpeedLimits {
            ground: self.ground.unwrap_or(before.ground),
            swim: self.swim.unwrap_or(before.swim),
            fly: self.fly.unwrap_or(before.fly),
        }
    }
}

/// New abilities. Those that are missing stay.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object such as {\"fly\": true}")]
pub(crate) struct AbilityChange {
    fly: Option<bool>,
    water_walking: Option<bool>,
    slow_fall: Option<bool>,
    hover: Option<f64>,
    rooted: Option<bool>,
}

impl AbilityChange {
    pub(crate) fn of(&self, before: Abilities) -> Abilities {
        Abilities {
            fly: self.fly.unwrap_or(before.fly),
            water_walking: self.water_walking.unwrap_or(before.water_walking),
            slow_fall: self.slow_fall.unwrap_or(before.slow_fall),
            hover: self.hover.unwrap_or(before.hover),
            rooted: self.rooted.unwrap_or(before.rooted),
        }
    }

    fn check(&self) -> Result<()> {
        self.hover.map_or(Ok(()), |hover| amount("abilities.hover", hover))
    }
}

/// A body of the level, and where it is from now on.
#[derive(Debug)]
pub(crate) struct BodyMove {
    /// Its number, or its name.
    pub(crate) body: Key,
    pub(crate) position: DVec3,
    /// `None` keeps the rotation.
    pub(crate) rotation: Option<DQuat>,
}

/// The key that tells the kinds of lines apart. The other keys are read afterwards.
#[derive(Deserialize)]
#[serde(expecting = "a claim or an event as a JSON object")]
struct Tag {
    event: Option<EventName>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum EventName {
    Start,
    Displace,
    KnockBack,
    Speeds,
    Abilities,
    Height,
    End,
    Body,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClaimJson {
    #[serde(default, rename = "event")]
    _event: IgnoredAny,
    character: Option<Key>,
    feet: DVec3,
    dt: f64,
    server_dt: Option<f64>,
    velocity: Option<DVec3>,
    mode: Option<ModeJson>,
    world: Option<u64>,
    #[serde(default)]
    inputs: Vec<TickJson>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum ModeJson {
    Walk,
    Fall,
    Swim,
    Fly,
    WaterWalk,
}

impl From<ModeJson> for Mode {
    fn from(mode: ModeJson) -> Self {
        match mode {
            ModeJson::Walk => Self::Walk,
            ModeJson::Fall => Self::Fall,
            ModeJson::Swim => Self::Swim,
            ModeJson::Fly => Self::Fly,
            ModeJson::WaterWalk => Self::WaterWalk,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object such as {\"walk\": [2, 0, 0], \"dt\": 0.02}")]
struct TickJson {
    walk: DVec3,
    #[serde(default)]
    jump: bool,
    dt: f64,
}

/// An event with these keys beside `event` and `character`.
macro_rules! event {
    ($name:ident { $($(#[$attribute:meta])* $field:ident: $type:ty),* $(,)? }) => {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct $name {
            #[serde(rename = "event")]
            _event: IgnoredAny,
            character: Option<Key>,
            $($(#[$attribute])* $field: $type,)*
        }
    };
}

event!(StartJson {
    feet: DVec3,
    velocity: Option<DVec3>,
    #[serde(default)]
    speeds: SpeedChange,
    #[serde(default)]
    abilities: AbilityChange,
    height: Option<f32>,
});
event!(DisplaceJson { displacement: DVec3 });
event!(KnockBackJson {
    velocity: DVec3,
    #[serde(default = "default_window")]
    window: f64,
});
event!(SpeedsJson {
    speeds: SpeedChange,
    #[serde(default = "default_window")]
    window: f64,
});
event!(AbilitiesJson { abilities: AbilityChange });
event!(HeightJson { height: f32 });
event!(EndJson {});

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BodyJson {
    #[serde(rename = "event")]
    _event: IgnoredAny,
    body: Key,
    position: DVec3,
    rotation: Option<DQuat>,
}

fn default_window() -> f64 {
    WINDOW
}

impl Line {
    /// Parses a line. Errors name the key and the column.
    pub(crate) fn parse(line: &[u8]) -> Result<Self> {
        match line.trim_ascii_start().first() {
            Some(b'{') => {}
            Some(_) => {
                bail!("a line is a JSON object, such as {{\"feet\": [0, 0, 0], \"dt\": 0.1}}")
            }
            None => bail!("the line is blank"),
        }
        let Tag { event } = json(line)?;
        let (key, what) = match event {
            None => claim(json(line)?),
            Some(EventName::Body) => {
                let BodyJson { body, position, rotation, .. } = json(line)?;
                return Ok(Self::Body(BodyMove { body, position, rotation }));
            }
            Some(name) => {
                let (key, event) = event_of(name, line)?;
                (key, What::Event(event))
            }
        };
        if let Some(key) = &key {
            key.check()?;
        }
        Ok(Self::Character { key, what })
    }
}

fn claim(line: ClaimJson) -> (Option<Key>, What) {
    let ClaimJson { character, feet, dt, server_dt, velocity, mode, world, inputs, .. } = line;
    let tick = |TickJson { walk, jump, dt }| ClaimTick { walk, jump, dt };
    let claim = ClaimLine {
        feet,
        dt,
        server_dt: server_dt.unwrap_or(dt),
        velocity,
        mode: mode.map(Mode::from),
        world,
        inputs: inputs.into_iter().map(tick).collect(),
    };
    (character, What::Claim(claim))
}

fn event_of(name: EventName, line: &[u8]) -> Result<(Option<Key>, Event)> {
    Ok(match name {
        EventName::Start => {
            let StartJson { character, feet, velocity, speeds, abilities, height, .. } =
                json(line)?;
            abilities.check()?;
            (character, Event::Start(Start { feet, velocity, speeds, abilities, height }))
        }
        EventName::Displace => {
            let DisplaceJson { character, displacement, .. } = json(line)?;
            (character, Event::Displace { displacement })
        }
        EventName::KnockBack => {
            let KnockBackJson { character, velocity, window, .. } = json(line)?;
            amount("window", window)?;
            (character, Event::KnockBack { velocity, window })
        }
        EventName::Speeds => {
            let SpeedsJson { character, speeds, window, .. } = json(line)?;
            amount("window", window)?;
            (character, Event::Speeds { speeds, window })
        }
        EventName::Abilities => {
            let AbilitiesJson { character, abilities, .. } = json(line)?;
            abilities.check()?;
            (character, Event::Abilities(abilities))
        }
        EventName::Height => {
            let HeightJson { character, height, .. } = json(line)?;
            (character, Event::Height { height })
        }
        EventName::End | EventName::Body => {
            let EndJson { character, .. } = json(line)?;
            (character, Event::End)
        }
    })
}

fn json<T: DeserializeOwned>(line: &[u8]) -> Result<T> {
    serde_json::from_slice(line).map_err(|error| with_column(&error))
}

fn amount(field: &str, value: f64) -> Result<()> {
    if !(0.0..=MAX_AMOUNT).contains(&value) {
        bail!("{field} is {value}: it must be 0 to {MAX_AMOUNT}");
    }
    Ok(())
}
