//! The command line as typed. `crate::parse` turns it into queries and shapes.

mod examples;
mod file;
mod import;
mod query;
mod targets;
mod validate;
mod walk;

pub(crate) use file::FileArgs;
pub(crate) use import::ImportArgs;
pub(crate) use query::{
    CapsuleArgs, ClosestArgs, FilterArgs, LiquidArgs, MotionArgs, OverlapArgs, RayArgs,
    SupportsArgs, SweepArgs, WorldArgs,
};
pub(crate) use targets::{RawTarget, TargetArgs, TargetFlag};
pub(crate) use validate::{CharacterArgs, ValidateArgs, WaterArg};
pub(crate) use walk::{ReplayArgs, WalkArgs};

use crate::flag::START;
use crate::output::Format;
use clap::{ArgAction, Args, Parser, Subcommand};
use std::path::PathBuf;

/// Exact capsule queries over triangle worlds
///
/// Loads a level (OBJ, glTF, GLB, or a scene or map file of capsweep) and answers queries: where a
/// moving capsule first touches, whether a capsule overlaps, which points are closest, what a ray
/// hits, which surfaces a character can stand on. Z is up and lengths are in metres; a map file
/// states its own unit. Text output is rounded to a millionth of it; --json prints every digit.
#[derive(Debug, Parser)]
#[command(name = "capsweep", version, after_help = examples::ALL)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// Print the answer as one JSON object, with every digit of every number
    #[arg(long, global = true)]
    json: bool,

    /// Number of threads [default: one per core]
    ///
    /// The command starts at most four per core (16 with fewer than four cores) and prints a note
    /// if N is larger.
    #[arg(
        long, global = true, value_name = "N",
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    threads: Option<u64>,

    /// Log to stderr; -vv logs more
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
    /// Walk a character through a level and report on each leg
    ///
    /// Without SCENE the character walks the built-in course. It leads along a wall, through a
    /// doorway, up stairs and off a ledge. Then it leads over a crate, under a beam, up a ramp and
    /// across a gap on a platform. With SCENE and no script the command searches for a start, and
    /// for a route that covers much of the level.
    #[command(after_help = examples::WALK)]
    Walk(WalkArgs),

    /// Repeat a recorded walk and compare every bit
    ///
    /// Repeats every move of the trace, compares the outcomes bit by bit, and lists the moves that
    /// differ.
    #[command(after_help = examples::REPLAY)]
    Replay(ReplayArgs),

    /// Judge a log of moves that clients claim: could they have happened?
    ///
    /// Reads claims of positions and what the server did between them, one JSON object per line.
    /// Prints one verdict for each claim, with the reason and the place if it is impossible.
    /// After a claim that is not possible, a character goes on from where it claims to be, with
    /// full credits: so the log shows each alarm once.
    #[command(after_help = examples::VALIDATE, allow_missing_positional = true)]
    Validate(ValidateArgs),

    /// Find where a moving capsule first touches
    ///
    /// Queries a SCENE, or targets given as flags. If the capsule touches several at the same
    /// time, the most head-on contact wins, then the first target.
    #[command(after_help = examples::SWEEP)]
    Sweep(SweepArgs),

    /// Find the deepest overlap of a capsule at rest, and its shortest way out
    ///
    /// Queries a SCENE, or targets given as flags. The deepest overlap wins; of equal depths, the
    /// first target.
    #[command(after_help = examples::OVERLAP)]
    Overlap(OverlapArgs),

    /// Find the closest points of a capsule and the world
    ///
    /// Queries a SCENE, or targets given as flags. The nearest target wins; of equal distances,
    /// the first. The distance is negative if they overlap.
    #[command(after_help = examples::CLOSEST)]
    Closest(ClosestArgs),

    /// Find where a ray first hits a surface
    ///
    /// Queries a SCENE, or targets given as flags. No ray passes between triangles that share an
    /// edge.
    #[command(after_help = examples::RAY)]
    Ray(RayArgs),

    /// List the floors and ceilings over and under a point
    ///
    /// Queries a SCENE, or targets given as flags. Lists every surface on the vertical line
    /// through the point, from top to bottom, and whether it is walkable.
    #[command(after_help = examples::SUPPORTS)]
    Supports(SupportsArgs),

    /// Find the liquid that a point is in
    ///
    /// Prints the height of the surface, the depth of the point below it, and the kind of liquid.
    /// Terrain liquid below the ground, or in a dry room of a building, does not count.
    #[command(after_help = examples::LIQUID)]
    Liquid(LiquidArgs),

    /// Show what a level contains and the defects of its meshes
    ///
    /// Shows triangles, bounds, instances, memory and statistics of the trees. For each mesh it
    /// lists degenerate triangles, slivers, duplicates, and flipped, open and non-manifold edges,
    /// with their positions.
    ///
    /// For a map file it shows tiles, models, placements, triangles, liquids, and what was missing
    /// in the server's folders. It does not read the whole file.
    #[command(after_help = examples::INSPECT)]
    Inspect(InspectArgs),

    /// Measure queries and controller moves per second
    ///
    /// Measures sweeps, overlaps, closest points, rays and controller moves, on one thread and on
    /// all.
    #[command(after_help = examples::BENCH)]
    Bench(BenchArgs),

    /// Write a scene file, which opens without building trees
    ///
    /// The file holds the meshes of SCENE with their trees, their poses and their names. An
    /// existing file is replaced as a whole: programs that have it open keep the old content.
    ///
    /// Programs may map scene files into memory. Never write into one that is in use (cp onto it,
    /// rsync --inplace, an editor): programs that map it then answer wrongly or end with a bus
    /// error (SIGBUS). Build it again, or copy the new file beside it and rename it with mv.
    /// capsweep itself reads the whole scene file. `capsweep verify` checks a file.
    #[command(after_help = examples::BUILD)]
    Build(BuildArgs),

    /// Make one map file from the folders of a game server
    ///
    /// Reads terrain (.map) and models with their placements (.vmtree, .vmtile, .vmo) of one map,
    /// in the layouts of the mangos and trinity families of servers. Missing and damaged files are
    /// warnings. An existing file is replaced as a whole; an import that fails or
    /// is interrupted leaves it as it was.
    ///
    /// All commands map map files into memory. Never write into one that is in use (cp onto it,
    /// rsync --inplace): programs that map it then answer wrongly or end with a bus error
    /// (SIGBUS). Import it again, or copy the new file beside it and rename it with mv.
    #[command(after_help = examples::IMPORT)]
    Import(ImportArgs),

    /// Check a scene or map file and list its defects
    ///
    /// Checks the whole file: its header and length, and the checksums of the file and of each
    /// section. Then every index, bound, corner and edge, the trees and their boxes, the bodies
    /// with their poses, and the names. Lists all defects with their positions.
    #[command(after_help = examples::VERIFY)]
    Verify(VerifyArgs),
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// Scene file written by `capsweep build`, or map file written by `capsweep import`
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct InspectArgs {
    /// Level: an OBJ, glTF or GLB file, a scene file (`capsweep build`) or a map file (`capsweep
    /// import`)
    #[arg(value_name = "SCENE")]
    pub(crate) scene: PathBuf,

    #[command(flatten)]
    pub(crate) file_args: FileArgs,
}

#[derive(Debug, Args)]
pub(crate) struct BenchArgs {
    /// Level: an OBJ, glTF or GLB file, a scene file or a map file [default: the built-in course]
    #[arg(value_name = "SCENE")]
    pub(crate) scene: Option<PathBuf>,

    /// Time for each measurement, in seconds from 0.001 to 3600
    #[arg(
        long, value_name = "SECONDS", default_value = "0.5", allow_hyphen_values = true,
        value_parser = seconds
    )]
    pub(crate) seconds: f64,

    /// Centre of the area to measure in, for a map file: 150 units to each side
    #[arg(long = START.name, value_name = START.form, allow_hyphen_values = true)]
    #[arg(requires = "scene")]
    pub(crate) start: Option<String>,

    #[command(flatten)]
    pub(crate) file_args: FileArgs,
}

/// Parses the time for one measurement of a benchmark.
fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.001..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err("not a number of seconds from 0.001 to 3600".to_owned()),
    }
}

#[derive(Debug, Args)]
pub(crate) struct BuildArgs {
    /// Level: an OBJ, glTF or GLB file, or a scene file
    #[arg(value_name = "SCENE")]
    pub(crate) scene: PathBuf,

    /// Scene file to write, such as level.capsweep; it must not be SCENE
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,

    #[command(flatten)]
    pub(crate) file_args: FileArgs,
}
