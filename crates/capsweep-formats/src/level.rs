use crate::format::{self, Format};
use crate::{LoadError, LoadOptions, Names, Reason, Source, scene_file};
use capsweep::scene::Scene;
use std::path::Path;

/// A scene and its names: the result of loading any format.
#[derive(Debug, Clone)]
pub struct Level {
    /// Bodies with meshes; Z up, metres.
    pub scene: Scene,
    /// Names for the [keys](capsweep::scene::HitTarget::key) and
    /// [tags](capsweep::scene::HitTarget::tag) of hits.
    pub names: Names,
}

/// Opens a file of any format for queries: OBJ, glTF, GLB, or a [scene file](scene_file).
///
/// A scene file is recognised by its content, the others by their extension. The whole file is
/// read into memory, so later changes to it have no effect. A scene file can be mapped instead:
/// see [`scene_file::open_mapped`].
///
/// # Errors
/// As [`load`](crate::load), and if the world cannot become a scene ([`World::scene`]). A scene
/// file must be sound, and `options` must set no up axis and no unit for it.
///
/// [`World::scene`]: crate::World::scene
pub fn open(path: impl AsRef<Path>, options: &LoadOptions) -> Result<Level, LoadError> {
    let path = path.as_ref();
    match format::detect(path)? {
        Format::Scene => scene_file::read(path, options),
        Format::Meshes(parse) => {
            let world = parse(&Source::open(path, &options.limits)?, options)?;
            let refused = |error| LoadError::new(path, Reason::World(error));
            let scene = world.scene().map_err(refused)?;
            Ok(Level { scene, names: world.into_names() })
        }
    }
}
