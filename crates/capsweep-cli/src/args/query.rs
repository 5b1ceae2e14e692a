//! The flags of the queries: the world, the capsule, the motion, the filter.

use super::{FileArgs, TargetArgs};
use crate::flag::{AXIS, CAPSULE, DIRECTION, FEET, MOTION, ORIGIN, POINT};
use crate::query::{SLOPE_LIMIT, SidesArg};
use clap::Args;
use std::path::PathBuf;

/// Help heading of the flags that only one query has. Without it they would appear under the
/// heading of the flattened arguments before them.
const QUERY: &str = "Query";

#[derive(Debug, Args)]
pub(crate) struct SweepArgs {
    #[command(flatten)]
    pub(crate) world: WorldArgs,

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
    pub(crate) world: WorldArgs,

    #[command(flatten)]
    pub(crate) capsule: CapsuleArgs,

    #[command(flatten)]
    pub(crate) filter: FilterArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ClosestArgs {
    #[command(flatten)]
    pub(crate) world: WorldArgs,

    /// Largest distance between the surfaces, 0 or more [default: unlimited]
    #[arg(
        long, value_name = "metres", allow_hyphen_values = true,
        conflicts_with = "queries", help_heading = QUERY
    )]
    pub(crate) limit: Option<f64>,

    #[command(flatten)]
    pub(crate) capsule: CapsuleArgs,

    #[command(flatten)]
    pub(crate) filter: FilterArgs,
}

#[derive(Debug, Args)]
pub(crate) struct RayArgs {
    #[command(flatten)]
    pub(crate) world: WorldArgs,

    /// Start of the ray, in metres
    #[arg(
        long = ORIGIN.name, value_name = ORIGIN.form, allow_hyphen_values = true,
        conflicts_with = "queries", help_heading = QUERY
    )]
    pub(crate) origin: Option<String>,

    #[command(flatten)]
    pub(crate) motion: MotionArgs,

    #[command(flatten)]
    pub(crate) filter: FilterArgs,
}

#[derive(Debug, Args)]
pub(crate) struct SupportsArgs {
    #[command(flatten)]
    pub(crate) world: WorldArgs,

    /// Point on the vertical line, in metres; heights count from it
    #[arg(
        long = POINT.name, value_name = POINT.form, allow_hyphen_values = true,
        conflicts_with = "queries", help_heading = QUERY
    )]
    pub(crate) point: Option<String>,

    /// Length of the line over the point
    #[arg(
        long,
        value_name = "metres",
        default_value_t = 2.0,
        allow_hyphen_values = true,
        conflicts_with = "queries", help_heading = QUERY
    )]
    pub(crate) above: f64,

    /// Length of the line under the point
    #[arg(
        long,
        value_name = "metres",
        default_value_t = 100.0,
        allow_hyphen_values = true,
        conflicts_with = "queries", help_heading = QUERY
    )]
    pub(crate) below: f64,

    /// Steepest walkable slope, 0 to 90
    #[arg(
        long, value_name = "degrees", default_value_t = SLOPE_LIMIT, allow_hyphen_values = true,
        conflicts_with = "queries", help_heading = QUERY
    )]
    pub(crate) slope_limit: f64,

    #[command(flatten)]
    pub(crate) filter: FilterArgs,
}

#[derive(Debug, Args)]
pub(crate) struct LiquidArgs {
    /// Level with liquids: a map file written by `capsweep import`, or a scene file
    #[arg(value_name = "FILE")]
    pub(crate) scene: PathBuf,

    /// Point, in the unit of the level
    #[arg(
        long = POINT.name, value_name = POINT.form, allow_hyphen_values = true,
        conflicts_with = "queries"
    )]
    pub(crate) point: Option<String>,

    /// List every liquid over and under the point, from top to bottom
    #[arg(long, conflicts_with = "queries")]
    pub(crate) all: bool,

    /// Answer the queries in FILE, or in stdin if FILE is -, one JSON object per line
    /// (docs/query-lines.md)
    #[arg(long, value_name = "FILE")]
    pub(crate) queries: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) file_args: FileArgs,
}

/// The world to query, and the file of query lines if there are several queries.
#[derive(Debug, Args)]
pub(crate) struct WorldArgs {
    /// Level: an OBJ, glTF or GLB file, a scene file (`capsweep build`) or a map file (`capsweep
    /// import`)
    #[arg(value_name = "SCENE")]
    pub(crate) scene: Option<PathBuf>,

    /// Answer the queries in FILE, or in stdin if FILE is -, one JSON object per line
    /// (docs/query-lines.md)
    #[arg(long, value_name = "FILE")]
    pub(crate) queries: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) file_args: FileArgs,

    #[command(flatten)]
    pub(crate) targets: TargetArgs,
}

#[derive(Debug, Args)]
#[group(conflicts_with = "queries")]
#[command(next_help_heading = "Filter")]
pub(crate) struct FilterArgs {
    /// Sides of a target that the query meets
    #[arg(long, value_enum, default_value_t = SidesArg::Front)]
    pub(crate) sides: SidesArg,

    /// Bit mask, such as 6 or 0xff: the query sees what shares a bit with it
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
    /// Centres of the bottom and the top hemisphere, and the radius, in metres
    #[arg(long = CAPSULE.name, value_name = CAPSULE.form, allow_hyphen_values = true)]
    #[arg(conflicts_with_all = [FEET.name, "radius", "height", AXIS.name])]
    pub(crate) capsule: Option<String>,

    /// Lowest point of the capsule (along --axis), in metres
    #[arg(long = FEET.name, value_name = FEET.form, allow_hyphen_values = true)]
    pub(crate) feet: Option<String>,

    /// Radius of the capsule
    #[arg(long, value_name = "metres", allow_hyphen_values = true)]
    pub(crate) radius: Option<f32>,

    /// Total height of the capsule, hemispheres included
    #[arg(long, value_name = "metres", allow_hyphen_values = true)]
    pub(crate) height: Option<f32>,

    /// Direction from the feet to the top, a vector of any length
    #[arg(long = AXIS.name, value_name = AXIS.form, allow_hyphen_values = true)]
    #[arg(default_value = "0,0,1")]
    pub(crate) axis: String,
}

#[derive(Debug, Args)]
#[group(conflicts_with = "queries")]
#[command(next_help_heading = "Motion (--motion, or --direction with --distance)")]
pub(crate) struct MotionArgs {
    /// Displacement, in metres
    #[arg(long = MOTION.name, value_name = MOTION.form, allow_hyphen_values = true)]
    #[arg(conflicts_with_all = [DIRECTION.name, "distance"])]
    pub(crate) motion: Option<String>,

    /// Direction of the motion, a vector of any length
    #[arg(long = DIRECTION.name, value_name = DIRECTION.form, allow_hyphen_values = true)]
    pub(crate) direction: Option<String>,

    /// Length of the motion, 0 or more
    #[arg(long, value_name = "metres", allow_hyphen_values = true)]
    pub(crate) distance: Option<f64>,
}
