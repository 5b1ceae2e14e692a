//! Loads levels for [`capsweep`] from OBJ, glTF (`.gltf`, `.glb`) and capsweep's own scene files.
//!
//! ```no_run
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let level = capsweep_formats::open("level.glb", &Default::default())?;
//! println!("{} bodies", level.scene.bodies().count());
//! // The scene file opens faster, because its trees are built, and answers with the same bits.
//! capsweep_formats::scene_file::write("level.capsweep", &level.scene, &level.names)?;
//! let level = capsweep_formats::open("level.capsweep", &Default::default())?;
//! # Ok(())
//! # }
//! ```
//!
//! - **The result is Z up, in metres, right-handed, with counter-clockwise fronts.** Files are
//!   taken as Y up and in metres, the convention of glTF, unless [`LoadOptions`] say otherwise.
//!   OBJ has no unit of its own.
//! - **[`Level`]** is a scene with its names. [`open`] makes one from a file of any format. It
//!   reads the whole file; [`scene_file::open_mapped`] maps a scene file instead.
//! - **[`World`]** has each mesh once and a list of [`Placement`]s. [`load`] makes one, for
//!   programs that need the vertices. [`World::scene`] makes the scene: the key of a body is the
//!   index of its placement. [`Names`] gives the names for a hit's key and tag.
//! - **Bad files are errors** that name the file, the location in it and the reason
//!   ([`LoadError`]). Every declared size is checked against the file and against [`Limits`]
//!   before memory is allocated for it.
//!
//! [`obj`], [`gltf`] and [`scene_file`] describe the formats. [`server_map`] reads the files that
//! game servers keep their worlds in.

mod axes;
pub mod course;
mod error;
mod format;
pub mod gltf;
mod level;
pub mod map_file;
mod names;
pub mod obj;
mod options;
pub mod scene_file;
pub mod server_map;
mod source;
pub mod whole_file;
mod world;

pub use error::{LoadError, Reason};
pub use level::{Level, open};
pub use names::Names;
pub use options::{Limits, LoadOptions, UpAxis};
pub use source::Source;
pub use world::{Model, Placement, World, WorldError};

use std::path::Path;

/// Loads the meshes and placements of a file, before they become a scene.
///
/// The extension decides the format: `obj`, `gltf` or `glb`, in any case.
///
/// # Errors
/// If the file cannot be read, is larger than [`Limits`] allow, is damaged, or has no triangles.
/// Also for a scene file, which keeps no vertices: see [`open`].
pub fn load(path: impl AsRef<Path>, options: &LoadOptions) -> Result<World, LoadError> {
    let path = path.as_ref();
    match format::detect(path)? {
        format::Format::Meshes(parse) => parse(&Source::open(path, &options.limits)?, options),
        format::Format::Scene | format::Format::Map => {
            let message = "a scene file holds no vertices to load: open it as a level";
            Err(LoadError::new(path, Reason::Unsupported(message.to_owned())))
        }
    }
}
