use crate::format::{self, Format};
use crate::map_file::{self, Map};
use crate::{LoadError, LoadOptions, Names, Reason, Source, scene_file};
use capsweep::scene::{HitTarget, Scene};
use std::path::Path;
use std::sync::Arc;

/// A scene and its names: the result of loading any format.
#[derive(Debug, Clone)]
pub struct Level {
    /// Bodies with meshes; Z up, metres. A map file may be in another unit, which it states.
    pub scene: Scene,
    /// Names for the [keys](capsweep::scene::HitTarget::key) and
    /// [tags](capsweep::scene::HitTarget::tag) of hits.
    pub names: Names,
    /// The map file that the scene comes from, if it is one.
    pub map: Option<Arc<Map>>,
}

impl Level {
    /// A level that comes from no map file.
    pub fn new(scene: Scene, names: Names) -> Self {
        Self { scene, names, map: None }
    }

    /// The name of the body that a hit is on: of its instance, or of its model in a map file.
    pub fn body_name(&self, target: &HitTarget) -> Option<&str> {
        match &self.map {
            Some(map) => map.model_name(target),
            None => self.names.body(target.key),
        }
    }
}

/// Opens a file of any format for queries: OBJ, glTF, GLB, a [scene file](scene_file) or a [map
/// file](map_file).
///
/// Scene and map files are recognised by their content, the others by their extension. The whole
/// file is read into memory, so later changes to it have no effect. A scene file can be mapped
/// instead: see [`scene_file::open_mapped`].
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
        Format::Map if options.up.is_some() || options.unit.is_some() => {
            let message = "a map file is Z up and states its unit: leave up axis and unit out";
            Err(LoadError::new(path, Reason::Unsupported(message.to_owned())))
        }
        Format::Map => map_file::read(path, &options.limits).map(Level::from),
        Format::Meshes(parse) => {
            let world = parse(&Source::open(path, &options.limits)?, options)?;
            let refused = |error| LoadError::new(path, Reason::World(error));
            let scene = world.scene().map_err(refused)?;
            Ok(Level::new(scene, world.into_names()))
        }
    }
}
