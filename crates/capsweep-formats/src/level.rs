use crate::{LoadError, LoadOptions, Names, Reason, format};
use capsweep::scene::Scene;
use std::path::Path;

/// A scene and the names of what is in it: what every format becomes.
#[derive(Debug, Clone)]
pub struct Level {
    /// Bodies with meshes; Z up, metres.
    pub scene: Scene,
    /// What [keys](capsweep::scene::HitTarget::key) and [tags](capsweep::scene::HitTarget::tag) of hits are called.
    pub names: Names,
}

/// Opens a file of any format for queries: OBJ, glTF, GLB, or [a scene file](crate::scene_file) whatever its name.
///
/// # Errors
/// As [`load`](crate::load), and if what the file holds cannot stand where it should.
pub fn open(path: impl AsRef<Path>, options: &LoadOptions) -> Result<Level, LoadError> {
    let path = path.as_ref();
    match format::of(path)? {
        format::Format::Scene => crate::scene_file::open(path, options),
        format::Format::Meshes(parse) => {
            let world = parse(&crate::Source::open(path, &options.limits)?, options)?;
            let refused = |error| LoadError::new(path, Reason::World(error));
            let scene = world.scene().map_err(refused)?;
            Ok(Level { scene, names: world.into_names() })
        }
    }
}
