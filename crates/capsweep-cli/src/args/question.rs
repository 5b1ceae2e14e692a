//! The flags of questions: what is asked, of what.

use super::{FileArgs, TargetArgs};
use crate::flag::{AXIS, CAPSULE, DIRECTION, FEET, MOTION, ORIGIN, POINT};
use crate::query::{SLOPE_LIMIT, SidesWord};
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct SweepArgs {
    #[command(flatten)]
    pub(crate) around: AroundArgs,

    #[command(flatten)]
    pub(crate) capsule: CapsuleArgs,

    #[command(flatten)]
    pub(crate) motion: MotionArgs,

    #[command(flatten)]
    pub(crate) filter: FilterArgs,
}

#[derive(Debug, Args)]
pub(crate) struct OverlapArgs {
    #[command(flatten)]
    pub(crate) around: AroundArgs,

    #[command(flatten)]
    pub(crate) capsule: CapsuleArgs,

    #[command(flatten)]
    pub(crate) filter: FilterArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ClosestArgs {
    #[command(flatten)]
    pub(crate) around: AroundArgs,

    /// Do not look further than this
    #[arg(long, value_name = "metres", allow_hyphen_values = true, conflicts_with = "queries")]
    pub(crate) limit: Option<f64>,

    #[command(flatten)]
    pub(crate) capsule: CapsuleArgs,

    #[command(flatten)]
    pub(crate) filter: FilterArgs,
}

#[derive(Debug, Args)]
pub(crate) struct RayArgs {
    #[command(flatten)]
    pub(crate) around: AroundArgs,

    /// Where the ray starts
    #[arg(long = ORIGIN.name, value_name = ORIGIN.form, allow_hyphen_values = true, conflicts_with = "queries")]
    pub(crate) origin: Option<String>,

    #[command(flatten)]
    pub(crate) motion: MotionArgs,

    #[command(flatten)]
    pub(crate) filter: FilterArgs,
}

#[derive(Debug, Args)]
pub(crate) struct SupportsArgs {
    #[command(flatten)]
    pub(crate) around: AroundArgs,

    /// The point that heights count from
    #[arg(long = POINT.name, value_name = POINT.form, allow_hyphen_values = true, conflicts_with = "queries")]
    pub(crate) point: Option<String>,

    /// How far to look up
    #[arg(
        long,
        value_name = "metres",
        default_value_t = 2.0,
        allow_hyphen_values = true,
        conflicts_with = "queries"
    )]
    pub(crate) above: f64,

    /// How far to look down
    #[arg(
        long,
        value_name = "metres",
        default_value_t = 100.0,
        allow_hyphen_values = true,
        conflicts_with = "queries"
    )]
    pub(crate) below: f64,

    /// The steepest slope that is walkable
    #[arg(long, value_name = "degrees", default_value_t = SLOPE_LIMIT, allow_hyphen_values = true, conflicts_with = "queries")]
    pub(crate) slope_limit: f64,

    #[command(flatten)]
    pub(crate) filter: FilterArgs,
}

/// What is asked, and whether many questions are.
#[derive(Debug, Args)]
pub(crate) struct AroundArgs {
    /// The world: an OBJ, glTF or GLB file, or a scene file that `capsweep build` made
    #[arg(value_name = "SCENE")]
    pub(crate) scene: Option<PathBuf>,

    /// Answer the questions in FILE, or in stdin if it is -: a JSON object a line, answers likewise (docs/query-lines.md)
    #[arg(long, value_name = "FILE")]
    pub(crate) queries: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) how: FileArgs,

    #[command(flatten)]
    pub(crate) targets: TargetArgs,
}

#[derive(Debug, Args)]
#[group(conflicts_with = "queries")]
#[command(next_help_heading = "What counts")]
pub(crate) struct FilterArgs {
    /// Which sides of a target count
    #[arg(long, value_enum, default_value_t = SidesWord::Front)]
    pub(crate) sides: SidesWord,

    /// Bits of which an instance's and a triangle's mask must share one, such as 6 or 0xff
    #[arg(long, value_name = "BITS", default_value = "0xffffffff", value_parser = bits)]
    pub(crate) mask: u32,
}

fn bits(text: &str) -> Result<u32, std::num::ParseIntError> {
    match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => text.parse(),
    }
}

#[derive(Debug, Args)]
#[group(conflicts_with = "queries")]
#[command(next_help_heading = "Capsule (--capsule, or --feet with --radius and --height)")]
pub(crate) struct CapsuleArgs {
    /// Centres of the bottom and the top hemisphere, and the radius
    #[arg(long = CAPSULE.name, value_name = CAPSULE.form, allow_hyphen_values = true)]
    #[arg(conflicts_with_all = [FEET.name, "radius", "height", AXIS.name])]
    pub(crate) capsule: Option<String>,

    /// The point that the capsule stands on, its lowest along --axis
    #[arg(long = FEET.name, value_name = FEET.form, allow_hyphen_values = true)]
    pub(crate) feet: Option<String>,

    /// Radius
    #[arg(long, value_name = "metres", allow_hyphen_values = true)]
    pub(crate) radius: Option<f32>,

    /// Height from end to end
    #[arg(long, value_name = "metres", allow_hyphen_values = true)]
    pub(crate) height: Option<f32>,

    /// Which way it points from its feet, a vector of any length
    #[arg(long = AXIS.name, value_name = AXIS.form, allow_hyphen_values = true)]
    #[arg(default_value = "0,0,1")]
    pub(crate) axis: String,
}

#[derive(Debug, Args)]
#[group(conflicts_with = "queries")]
#[command(next_help_heading = "Motion (--motion, or --direction with --distance)")]
pub(crate) struct MotionArgs {
    /// The whole displacement
    #[arg(long = MOTION.name, value_name = MOTION.form, allow_hyphen_values = true)]
    #[arg(conflicts_with_all = [DIRECTION.name, "distance"])]
    pub(crate) motion: Option<String>,

    /// Which way it moves, a vector of any length
    #[arg(long = DIRECTION.name, value_name = DIRECTION.form, allow_hyphen_values = true)]
    pub(crate) direction: Option<String>,

    /// How far it moves
    #[arg(long, value_name = "metres", allow_hyphen_values = true)]
    pub(crate) distance: Option<f64>,
}
