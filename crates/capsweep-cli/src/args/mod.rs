//! The command line exactly as typed; `plan` turns it into shapes.

mod examples;
mod file;
mod question;
mod targets;
mod walk;

pub(crate) use file::FileArgs;
pub(crate) use question::{
    AroundArgs, CapsuleArgs, ClosestArgs, FilterArgs, MotionArgs, OverlapArgs, RayArgs,
    SupportsArgs, SweepArgs,
};
pub(crate) use targets::{TargetArgs, TargetFlag, TypedTarget};
pub(crate) use walk::{ReplayArgs, WalkArgs};

use crate::output::Format;
use clap::{ArgAction, Args, Parser, Subcommand};
use std::path::PathBuf;

/// Exact capsule queries over triangle worlds
///
/// Load a level (OBJ, glTF, GLB, or a scene file of its own) and ask where a moving capsule first touches, whether it overlaps, what
/// is closest, what a ray meets, what a character can stand on. Worlds have z up, lengths are metres. The readable answer is rounded to a micrometre; --json gives every digit.
#[derive(Debug, Parser)]
#[command(name = "capsweep", version, after_help = examples::ALL)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// Print one JSON object, every number with all its digits
    #[arg(long, global = true)]
    json: bool,

    /// How many threads to use [default: one for each core]
    ///
    /// More than four for each core are not started; a note says so.
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    threads: Option<u64>,

    /// Say on stderr what is being done; twice for more
    #[arg(short, long, global = true, action = ArgAction::Count)]
    verbose: u8,
}

impl Cli {
    pub(crate) fn format(&self) -> Format {
        if self.json { Format::Json } else { Format::Text }
    }

    pub(crate) fn threads(&self) -> Option<u64> {
        self.threads
    }

    pub(crate) fn verbosity(&self) -> u8 {
        self.verbose
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// A character walks a route through a level, and a table tells how each leg went
    ///
    /// Without SCENE it walks the built-in course: along a wall, through a doorway, up stairs, off a ledge, over a crate, under a beam,
    /// up a ramp, across a gap on a platform. With SCENE and no script it finds a start and a route that sees much of the level.
    #[command(after_help = examples::WALK)]
    Walk(WalkArgs),

    /// Does a recorded walk still give the same bits?
    ///
    /// Every move of the trace is made again and compared bit by bit; what differs is told move by move.
    #[command(after_help = examples::REPLAY)]
    Replay(ReplayArgs),

    /// Where does a capsule first touch when it moves?
    ///
    /// Ask a SCENE, or targets given as flags. Of those touched at once the most head-on answers, then the first.
    #[command(after_help = examples::SWEEP)]
    Sweep(SweepArgs),

    /// Does a capsule overlap where it is, and which way is out?
    ///
    /// Ask a SCENE, or targets given as flags. The deepest overlap answers; of equals the first.
    #[command(after_help = examples::OVERLAP)]
    Overlap(OverlapArgs),

    /// Which points of a capsule and the world are closest?
    ///
    /// Ask a SCENE, or targets given as flags. The nearest answers; of equals the first. Where they overlap the distance is
    /// negative.
    #[command(after_help = examples::CLOSEST)]
    Closest(ClosestArgs),

    /// Where does a ray first meet a surface?
    ///
    /// Ask a SCENE, or targets given as flags. No ray passes between triangles that share an edge.
    #[command(after_help = examples::RAY)]
    Ray(RayArgs),

    /// Which surfaces lie over and under a point, and can they be walked on?
    ///
    /// Ask a SCENE, or targets given as flags. Every surface along the world's z axis answers, from top to bottom.
    #[command(after_help = examples::SUPPORTS)]
    Supports(SupportsArgs),

    /// What is in a level, and what is wrong with it?
    ///
    /// Triangles, bounds, instances, memory, figures of the trees; and of each mesh degenerate triangles, slivers, duplicates, flipped, open
    /// and non-manifold edges, with where they are.
    #[command(after_help = examples::INSPECT)]
    Inspect(InspectArgs),

    /// How many questions a second does this machine answer?
    ///
    /// Sweeps, overlaps, closest points, rays and controller moves, on one thread and on all.
    #[command(after_help = examples::BENCH)]
    Bench(BenchArgs),

    /// Makes a scene file, which opens without building its trees
    ///
    /// It holds the meshes of SCENE with their trees, where they stand, and their names. A file that is there already is replaced
    /// as a whole: programs that have it open keep what they have.
    ///
    /// Programs may map a scene file into memory. Never write into one that is in use (cp onto it,
    /// rsync --inplace, an editor): programs that map it then answer wrongly or end with a bus error
    /// (SIGBUS). Build it again, or copy the new file beside it and rename it with mv. capsweep
    /// itself reads the whole file. `capsweep verify` checks a file.
    #[command(after_help = examples::BUILD)]
    Build(BuildArgs),

    /// Is a scene file sound, and if not, what is wrong with it?
    ///
    /// Checks the whole file: head, length, the checksums of the file and of each section, every
    /// index, bound, corner and edge, the trees and their boxes, bodies and their poses, names.
    /// Tells all findings, with where they are.
    #[command(after_help = examples::VERIFY)]
    Verify(VerifyArgs),
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// A scene file that `capsweep build` made
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct InspectArgs {
    /// An OBJ, glTF or GLB file, or a scene file that `capsweep build` made
    #[arg(value_name = "SCENE")]
    pub(crate) scene: PathBuf,

    #[command(flatten)]
    pub(crate) how: FileArgs,
}

#[derive(Debug, Args)]
pub(crate) struct BenchArgs {
    /// An OBJ, glTF or GLB file, or a scene file that `capsweep build` made [default: the built-in course]
    #[arg(value_name = "SCENE")]
    pub(crate) scene: Option<PathBuf>,

    /// How long to measure each number
    #[arg(long, value_name = "SECONDS", default_value = "0.5", allow_hyphen_values = true, value_parser = seconds)]
    pub(crate) seconds: f64,

    #[command(flatten)]
    pub(crate) how: FileArgs,
}

/// A time that a benchmark may take.
fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.001..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err("not a number of seconds from 0.001 to 3600".to_owned()),
    }
}

#[derive(Debug, Args)]
pub(crate) struct BuildArgs {
    /// An OBJ, glTF or GLB file
    #[arg(value_name = "SCENE")]
    pub(crate) scene: PathBuf,

    /// The file to write; call it level.capsweep, say. It must not be SCENE
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,

    #[command(flatten)]
    pub(crate) how: FileArgs,
}
