//! The flags of `validate`.

use super::FileArgs;
use crate::flag::CENTRE;
use crate::walk::script::Preset;
use capsweep::controller::FootingRule;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct ValidateArgs {
    /// Level: an OBJ, glTF or GLB file, a scene file or a map file [default: the built-in course]
    #[arg(value_name = "LEVEL")]
    pub(crate) level: Option<PathBuf>,

    /// Log of claims, or - for stdin, one JSON object per line (docs/claim-lines.md)
    #[arg(value_name = "CLAIMS")]
    pub(crate) claims: PathBuf,

    /// Draw the ways and the impossible claims: .svg or .png; repeatable
    #[arg(long, value_name = "FILE")]
    pub(crate) picture: Vec<PathBuf>,

    /// Centre of the pictures, which then reach 75 units to each side [default: the whole log, or
    /// the first impossible claim if the log is larger than 300 units]
    #[arg(long = CENTRE.name, value_name = CENTRE.form, allow_hyphen_values = true)]
    #[arg(requires = "picture")]
    pub(crate) centre: Option<String>,

    /// Print no lines for possible claims
    #[arg(long)]
    pub(crate) brief: bool,

    /// After a claim that is not possible, go on from the last accepted state: judge as a server
    /// does that puts the character back. Without this flag the chain goes on from the claim
    #[arg(long)]
    pub(crate) put_back: bool,

    /// Most scene queries for one claim; beyond it the verdict is undecided
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub(crate) max_queries: u32,

    /// Height of the water's surface, or none [default: the liquids of the level]
    #[arg(long, value_name = "HEIGHT|none", allow_hyphen_values = true, value_parser = water)]
    pub(crate) water: Option<WaterArg>,

    /// Number of the world that the level is; claims of another world are impossible
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) world: u64,

    #[command(flatten)]
    pub(crate) allowances: AllowanceArgs,

    #[command(flatten)]
    pub(crate) character: CharacterArgs,

    #[command(flatten)]
    pub(crate) file_args: FileArgs,
}

/// How far a true claim may be off.
#[derive(Debug, Args)]
#[command(next_help_heading = "Allowances")]
pub(crate) struct AllowanceArgs {
    /// Half of the step that positions are rounded to
    #[arg(long, value_name = "metres", default_value_t = 0.001, allow_hyphen_values = true)]
    pub(crate) position: f64,

    /// Jitter of the times of claims: seconds of full speed that a character may be ahead
    #[arg(long, value_name = "seconds", default_value_t = 0.05, allow_hyphen_values = true)]
    pub(crate) latency: f64,

    /// How far a client's clock may be ahead
    #[arg(long, value_name = "seconds", default_value_t = 0.25, allow_hyphen_values = true)]
    pub(crate) clock: f64,
}

/// The rules of movement: a preset, and what differs from it.
#[derive(Debug, Args)]
#[command(next_help_heading = "Character (lengths in the unit of the level)")]
pub(crate) struct CharacterArgs {
    /// Size and movement of the characters [default: human, or wow in a map in yards]
    #[arg(long, value_enum)]
    pub(crate) character: Option<Preset>,

    /// Radius [default: that of the character]
    #[arg(long, value_name = "metres", allow_hyphen_values = true)]
    pub(crate) radius: Option<f32>,

    /// Total height, hemispheres included
    #[arg(long, value_name = "metres", allow_hyphen_values = true)]
    pub(crate) height: Option<f32>,

    /// Highest step that is climbed
    #[arg(long, value_name = "metres", allow_hyphen_values = true)]
    pub(crate) step: Option<f32>,

    /// Steepest walkable slope, 0 to 90
    #[arg(long, value_name = "degrees", allow_hyphen_values = true)]
    pub(crate) slope: Option<f64>,

    /// Where the feet are
    #[arg(long, value_enum)]
    pub(crate) footing: Option<FootingArg>,

    /// Acceleration of a fall, per second squared
    #[arg(long, value_name = "metres", allow_hyphen_values = true)]
    pub(crate) gravity: Option<f64>,

    /// Upward speed of a jump, per second
    #[arg(long, value_name = "metres", allow_hyphen_values = true)]
    pub(crate) jump_speed: Option<f64>,

    /// Largest speed of a fall, per second
    #[arg(long, value_name = "metres", allow_hyphen_values = true)]
    pub(crate) terminal_speed: Option<f64>,

    /// Speed limit on the ground and in the air, unless a start sets it
    #[arg(long, value_name = "metres", allow_hyphen_values = true)]
    pub(crate) ground_speed: Option<f64>,

    /// Speed limit in water
    #[arg(long, value_name = "metres", allow_hyphen_values = true)]
    pub(crate) swim_speed: Option<f64>,

    /// Speed limit of those who fly
    #[arg(long, value_name = "metres", allow_hyphen_values = true)]
    pub(crate) fly_speed: Option<f64>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum FootingArg {
    /// At the lowest point of the capsule
    Capsule,
    /// At the surface straight below the middle, as in World of Warcraft
    Point,
}

impl From<FootingArg> for FootingRule {
    fn from(footing: FootingArg) -> Self {
        match footing {
            FootingArg::Capsule => Self::Capsule,
            FootingArg::Point => Self::Point,
        }
    }
}

/// Where the water is.
#[derive(Debug, Clone, Copy)]
pub(crate) enum WaterArg {
    Nowhere,
    Below(f64),
}

fn water(text: &str) -> Result<WaterArg, String> {
    match text.parse::<f64>() {
        Ok(height) if height.abs() <= capsweep::MAX_POSITION => Ok(WaterArg::Below(height)),
        _ if text == "none" => Ok(WaterArg::Nowhere),
        _ => Err("neither a height nor none".to_owned()),
    }
}
