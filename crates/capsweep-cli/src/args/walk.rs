//! The flags of `walk` and `replay`.

use super::FileArgs;
use crate::flag::START;
use crate::walk::script::Preset;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct WalkArgs {
    /// Level: an OBJ, glTF or GLB file, a scene file or a map file [default: the built-in course]
    #[arg(value_name = "SCENE")]
    pub(crate) scene: Option<PathBuf>,

    /// Script of the walk, as JSON (docs/walk-script.md) [default: the command finds a route]
    #[arg(long, value_name = "FILE")]
    pub(crate) script: Option<PathBuf>,

    /// Position on or over the ground at which the walk starts; a map file needs one. The route
    /// and the pictures then stay within 150 units of it
    #[arg(long = START.name, value_name = START.form, allow_hyphen_values = true)]
    #[arg(requires = "scene")]
    pub(crate) start: Option<String>,

    /// Size and movement of the character [default: as in the script, otherwise human, or wow in a
    /// map in yards]
    #[arg(long, value_enum)]
    pub(crate) character: Option<Preset>,

    /// Write every move as a line of JSON, for `capsweep replay`
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,

    /// Write the walk as claims of a client, for `capsweep validate`
    #[arg(long, value_name = "FILE")]
    pub(crate) claims: Option<PathBuf>,

    /// Draw the walk: .svg or .png for plan and elevation, .glb for 3D viewers; repeatable
    #[arg(long, value_name = "FILE")]
    pub(crate) picture: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) file_args: FileArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// Trace written by `capsweep walk --trace`
    #[arg(value_name = "TRACE")]
    pub(crate) trace: PathBuf,

    /// Scene of the recorded walk; not needed for the built-in course
    #[arg(value_name = "SCENE")]
    pub(crate) scene: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) file_args: FileArgs,
}
