//! What `walk` and `replay` are asked.

use super::FileArgs;
use crate::walk::script::Preset;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct WalkArgs {
    /// An OBJ, glTF, GLB or scene file; without one, the built-in course
    #[arg(value_name = "SCENE")]
    pub(crate) scene: Option<PathBuf>,

    /// Where to walk, as JSON (docs/walk-script.md); without one a route is found
    #[arg(long, value_name = "FILE")]
    pub(crate) script: Option<PathBuf>,

    /// Who walks [default: what the script says, or human]
    #[arg(long, value_enum)]
    pub(crate) character: Option<Preset>,

    /// Writes every move as a line of JSON, for `capsweep replay`
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,

    /// Draws the walk: .svg or .png for plan and elevation, .glb for 3D viewers; may be given several times
    #[arg(long, value_name = "FILE")]
    pub(crate) picture: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) how: FileArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// What `capsweep walk --trace` wrote
    #[arg(value_name = "TRACE")]
    pub(crate) trace: PathBuf,

    /// The scene it was recorded in; a walk over the built-in course needs none
    #[arg(value_name = "SCENE")]
    pub(crate) scene: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) how: FileArgs,
}
