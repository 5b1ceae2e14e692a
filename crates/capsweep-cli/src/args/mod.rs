//! The command line exactly as typed; `plan` turns it into shapes.

mod examples;
mod file;
mod targets;

pub(crate) use file::FileArgs;
pub(crate) use targets::{TargetArgs, TargetFlag, TypedTarget};

use crate::flag::{AXIS, CAPSULE, DIRECTION, FEET, MOTION};
use crate::output::Format;
use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Exact capsule queries: where a moving capsule first touches, whether it overlaps, what is closest
///
/// Lengths are metres. The readable answer is rounded to a micrometre; --json gives every digit.
#[derive(Debug, Parser)]
#[command(name = "capsweep", version, after_help = examples::ALL)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// Print one JSON object, every number with all its digits
    #[arg(long, global = true)]
    json: bool,

    /// How many threads to use [default: one for each core]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,

    /// Say on stderr what is being done; twice for more
    #[arg(short, long, global = true, action = ArgAction::Count)]
    verbose: u8,
}

impl Cli {
    pub(crate) fn format(&self) -> Format {
        if self.json { Format::Json } else { Format::Text }
    }

    pub(crate) fn threads(&self) -> Option<usize> {
        self.threads.map(usize::from)
    }

    pub(crate) fn verbosity(&self) -> u8 {
        self.verbose
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Where does the capsule first touch when it moves?
    ///
    /// Of several targets the one touched first answers; of equals the one given first.
    #[command(after_help = examples::SWEEP)]
    Sweep(SweepArgs),

    /// Does the capsule overlap where it is, and which way is out?
    ///
    /// Of several targets the one overlapped deepest answers; of equals the one given first.
    #[command(after_help = examples::OVERLAP)]
    Overlap(StaticArgs),

    /// Which points of the capsule and the target are closest?
    ///
    /// Of several targets the nearest answers; of equals the one given first. Where they overlap
    /// the distance is negative.
    #[command(after_help = examples::CLOSEST)]
    Closest(StaticArgs),

    /// Makes a scene file, which opens at once and by memory map
    ///
    /// It holds the meshes of SCENE with their trees, where they stand, and their names. A file that is there already is replaced
    /// as a whole: programs that have it open keep what they have.
    #[command(after_help = examples::BUILD)]
    Build(BuildArgs),
}

#[derive(Debug, Args)]
pub(crate) struct BuildArgs {
    /// An OBJ, glTF or GLB file
    #[arg(value_name = "SCENE")]
    pub(crate) scene: PathBuf,

    /// The file to write; call it level.capsweep, say
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,

    #[command(flatten)]
    pub(crate) how: FileArgs,
}

#[derive(Debug, Args)]
pub(crate) struct SweepArgs {
    /// Which sides of a target can be hit
    #[arg(long, value_enum, default_value_t = SidesArg::Front)]
    pub(crate) sides: SidesArg,

    #[command(flatten)]
    pub(crate) capsule: CapsuleArgs,

    #[command(flatten)]
    pub(crate) motion: MotionArgs,

    #[command(flatten)]
    pub(crate) targets: TargetArgs,
}

#[derive(Debug, Args)]
pub(crate) struct StaticArgs {
    #[command(flatten)]
    pub(crate) capsule: CapsuleArgs,

    #[command(flatten)]
    pub(crate) targets: TargetArgs,
}

#[derive(Debug, Args)]
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

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum SidesArg {
    /// Skip a triangle seen from behind, and a solid that the motion leads out of
    Front,
    /// Skip nothing
    Both,
}
