//! Reads the worlds that game servers keep on disk: terrain, models and their placements.
//!
//! A server has two folders. The maps folder has terrain (`.map`), one file for each tile of a
//! map. The vmaps folder has collision models (`.vmo`) and their placements (`.vmtree`,
//! `.vmtile`). Extractors of cmangos, vmangos, getMaNGOS, `AzerothCore` and `TrinityCore` write
//! them. All numbers are little-endian and in yards.
//!
//! - **[`ServerFiles`]** lists the maps and tiles in the folders, and finds files in any case.
//! - **[`placements()`]** gives all placements of a map, each once and in the world's frame.
//! - **[`terrain`], [`model`], [`tile`], [`tree`], [`game_objects`]** parse one file each, from
//!   memory. Any bytes give a value or a [`ParseError`]; none gives a panic.
//! - **Layouts are recognised by their structure.** Versions in files are hints only: servers use
//!   the same ones for different layouts. Where structure does not decide, as for the kinds of
//!   liquid, see [`LiquidEvidence`].
//! - **Sizes are checked before memory is allocated,** against the bytes that are left and against
//!   [`limits`].
//!
//! ```no_run
//! use capsweep_formats::server_map::{ServerFiles, ServerFolders, model, placements, terrain};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let folders =
//!     ServerFolders { vmaps: Some("data/vmaps".into()), maps: Some("data/maps".into()) };
//! let files = ServerFiles::open(&folders)?;
//! let map = files.map(1).ok_or("map 1 has no files")?;
//! for (tile, path) in &map.terrain {
//!     let terrain = terrain::open(path)?;
//!     println!("{tile:?}: {} cells without ground", terrain.holes.count());
//! }
//! let found = placements(&files, 1, None);
//! for placement in &found.placements {
//!     println!("{} at {}", placement.id, placement.pose.position());
//! }
//! for placed in &found.models {
//!     println!("{}: {} triangles", placed.name, model::open(&placed.path)?.triangle_count());
//! }
//! # Ok(())
//! # }
//! ```

mod bih;
mod cursor;
mod error;
mod file_name;
mod folder;
pub mod frame;
pub mod game_objects;
pub mod import;
pub mod limits;
mod liquid;
pub mod model;
mod model_name;
mod placements;
mod spawn;
pub mod terrain;
pub mod tile;
pub mod tree;

pub use error::{ParseError, Problem};
pub use file_name::Naming;
pub use folder::{MapFiles, ServerFiles, ServerFolders, TileFiles};
pub use frame::TileIndex;
pub use liquid::{LiquidBits, LiquidEvidence, kind_of_id};
pub use model_name::{ModelName, NameError};
pub use placements::{MapPlacements, PlacedModel, Placement, Skipped, Tally, placements};
pub use spawn::{Layout, Spawn, SpawnFlags};
