//! The flags of `import`.

use capsweep_formats::server_map::LiquidBits;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// Folder with the server's .vmtree, .vmtile and .vmo files: buildings and other models
    #[arg(long, value_name = "DIR", required_unless_present = "maps")]
    pub(crate) vmaps: Option<PathBuf>,

    /// Folder with the server's .map files: terrain and its liquids
    #[arg(long, value_name = "DIR")]
    pub(crate) maps: Option<PathBuf>,

    /// Number of the map
    #[arg(long, value_name = "N")]
    pub(crate) map: u32,

    /// Map file to write, such as kalimdor.capsweep
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,

    /// Map whose placements the map uses on tiles without its own
    #[arg(long, value_name = "N")]
    pub(crate) parent: Option<u32>,

    /// Meaning of the liquid bits in .map files [default: found from the files]
    #[arg(long, value_enum)]
    pub(crate) liquids: Option<LiquidsArg>,

    /// Let both sides of models count, as in the line-of-sight checks of servers
    #[arg(long)]
    pub(crate) both_sides: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum LiquidsArg {
    /// 1 magma, 2 ocean, 4 slime, 8 water: cmangos, vmangos, getMaNGOS
    Mangos,
    #[value(help = "1 water, 2 ocean, 4 magma, 8 slime: TrinityCore, AzerothCore")]
    Trinity,
}

impl From<LiquidsArg> for LiquidBits {
    fn from(bits: LiquidsArg) -> Self {
        match bits {
            LiquidsArg::Mangos => Self::Mangos,
            LiquidsArg::Trinity => Self::Trinity,
        }
    }
}
