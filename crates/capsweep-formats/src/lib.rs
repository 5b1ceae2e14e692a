//! Worlds from files, for [`capsweep`]: OBJ, glTF (`.gltf`, `.glb`), and capsweep's own scene files.
//!
//! ```no_run
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let level = capsweep_formats::open("level.glb", &Default::default())?;
//! println!("{} bodies", level.scene.bodies().count());
//! // Opens by memory map from now on, and answers with the same bits.
//! capsweep_formats::scene_file::write("level.capsweep".as_ref(), &level.scene, &level.names)?;
//! # Ok(())
//! # }
//! ```
//!
//! - **Out comes Z up, in metres, right-handed, fronts counter-clockwise**, whatever the file has. What it has is its format's
//!   convention (both: Y up; glTF is in metres, OBJ does not say and counts as metres) unless [`LoadOptions`] says otherwise.
//! - **[`Level`]** is a scene and the names of what is in it: [`open`] makes one of a file of any format.
//! - **[`World`]** holds each mesh once and where it stands as often as it does. [`World::scene`] makes a scene of it, in which a
//!   body's key is the number of its [`Placement`]. [`Names`] gives the names that belong to a hit's key and tag.
//! - **Bad files are errors** that name the file, the place in it and the reason ([`LoadError`]). What a file declares is checked
//!   against what it has, and against [`Limits`], before anything is allocated for it.
//!
//! What each format becomes is written at [`obj`], [`gltf`] and [`scene_file`].

mod axes;
mod error;
mod format;
pub mod gltf;
mod level;
mod names;
pub mod obj;
mod options;
pub mod scene_file;
mod source;
pub mod whole_file;
mod world;

pub use error::{LoadError, Reason};
pub use level::{Level, open};
pub use names::Names;
pub use options::{Limits, LoadOptions, UpAxis};
pub use world::{Model, Placement, World, WorldError};

pub use source::Source;
use std::path::Path;

/// Reads a world from a file, with the vertices it has; its extension says in which format (`obj`, `gltf`, `glb`, in any case).
///
/// # Errors
/// If the file cannot be read, is larger than [`Limits`] allow, is damaged, or holds no triangles.
pub fn load(path: impl AsRef<Path>, options: &LoadOptions) -> Result<World, LoadError> {
    let path = path.as_ref();
    match format::of(path)? {
        format::Format::Meshes(parse) => parse(&Source::open(path, &options.limits)?, options),
        format::Format::Scene => {
            let what = "a scene file holds no vertices to load: open it as a level".to_owned();
            Err(LoadError::new(path, Reason::Unsupported(what)))
        }
    }
}
