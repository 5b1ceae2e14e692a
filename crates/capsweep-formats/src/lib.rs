//! Worlds from files, for [`capsweep`]: OBJ and glTF (`.gltf`, `.glb`).
//!
//! ```no_run
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let world = capsweep_formats::load("level.glb", &Default::default())?;
//! let scene = world.scene()?;
//! # Ok(())
//! # }
//! ```
//!
//! - **Out comes Z up, in metres, right-handed, fronts counter-clockwise**, whatever the file has. What it has is its format's
//!   convention (both: Y up; glTF is in metres, OBJ does not say and counts as metres) unless [`LoadOptions`] says otherwise.
//! - **[`World`]** holds each mesh once and where it stands as often as it does. [`World::scene`] makes a scene of it, in which a
//!   body's key is the number of its [`Placement`]. [`World::body_name`] and [`World::tag_name`] give the names that belong to a hit's key and tag.
//! - **Bad files are errors** that name the file, the place in it and the reason ([`LoadError`]). What a file declares is checked
//!   against what it has, and against [`Limits`], before anything is allocated for it.
//!
//! What each format becomes is written at [`obj`] and [`gltf`].

mod axes;
mod error;
pub mod gltf;
pub mod obj;
mod options;
mod source;
mod world;

pub use error::{LoadError, Reason};
pub use options::{Limits, LoadOptions, UpAxis};
pub use world::{Model, Placement, World, WorldError};

pub use source::Source;
use std::ffi::OsStr;
use std::path::Path;

/// Reads a world from a file; its extension says in which format (`obj`, `gltf`, `glb`, in any case).
///
/// # Errors
/// If the file cannot be read, is larger than [`Limits`] allow, is damaged, or holds no triangles.
pub fn load(path: impl AsRef<Path>, options: &LoadOptions) -> Result<World, LoadError> {
    let path = path.as_ref();
    let extension = path.extension().map(OsStr::to_ascii_lowercase);
    let parse = match extension.as_deref().and_then(|extension| extension.to_str()) {
        Some("obj") => obj::parse,
        Some("gltf" | "glb") => gltf::parse,
        _ => return Err(LoadError::new(path, Reason::UnknownFormat)),
    };
    parse(&Source::open(path, &options.limits)?, options)
}
