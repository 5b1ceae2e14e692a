//! Worlds: their sources, and how the server swaps them under load.

use anyhow::{Context as _, Result, anyhow, bail};
use arc_swap::ArcSwap;
use capsweep::Aabb;
use capsweep::persist::MapUnit;
use capsweep::scene::{BodyId, Mobility, Scene};
use capsweep_formats::{Level, Limits, LoadOptions, course, map_file};
use capsweep_proto::v1;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

/// A world and its metadata. It never changes: a reload makes a new one.
#[derive(Debug)]
pub struct World {
    /// The scene that answers.
    pub scene: Scene,
    /// A hash of its content.
    pub revision: u64,
    bounds: Option<Aabb>,
    unit: MapUnit,
    bodies: usize,
    dynamic: Vec<(BodyId, u64, String)>,
    /// Keeps the map file open.
    _level: Level,
}

impl World {
    fn new(level: Level) -> Self {
        let scene = level.scene.clone();
        if let Some(map) = &level.map {
            // The bodies of a map are loaded as queries reach them.
            let file = map.file();
            let (revision, bounds, unit) = (file.checksum(), file.bounds(), file.unit());
            let (bodies, dynamic) = (file.body_count() as usize, Vec::new());
            return Self { scene, revision, bounds, unit, bodies, dynamic, _level: level };
        }
        let name = |key| level.names.body(key).unwrap_or_default().to_owned();
        let dynamic = scene.bodies().filter(|(_, body)| body.mobility() == Mobility::Dynamic);
        let dynamic = dynamic.map(|(id, body)| (id, body.key(), name(body.key()))).collect();
        let revision = fingerprint(&scene.to_bytes());
        let (bounds, bodies) = (bounds(&scene), scene.bodies().count());
        let unit = MapUnit::Metre;
        Self { scene, revision, bounds, unit, bodies, dynamic, _level: level }
    }

    fn describe(&self, name: &str) -> v1::World {
        let dynamic = |(id, key, name): &(BodyId, u64, String)| v1::DynamicBody {
            body: Some((*id).into()),
            key: *key,
            name: name.clone(),
        };
        v1::World {
            name: name.to_owned(),
            revision: self.revision,
            min: self.bounds.map(|bounds| bounds.min().into()),
            max: self.bounds.map(|bounds| bounds.max().into()),
            unit: self.unit.symbol().to_owned(),
            bodies: self.bodies as u64,
            dynamic: self.dynamic.iter().map(dynamic).collect(),
        }
    }
}

/// The box around all bodies; `None` if one is unbounded, or there are none.
fn bounds(scene: &Scene) -> Option<Aabb> {
    let mut boxes = scene.bodies().map(|(_, body)| body.bounds());
    let first = boxes.next()??;
    boxes.try_fold(first, |all, one| Some(all.union(&one?)))
}

/// FNV-1a over words of eight bytes: fast enough for hundreds of megabytes.
fn fingerprint(bytes: &[u8]) -> u64 {
    let step = |hash: u64, word: u64| (hash ^ word).wrapping_mul(0x0100_0000_01b3).rotate_left(23);
    let (words, rest) = bytes.as_chunks::<8>();
    let words = words.iter().map(|word| u64::from_le_bytes(*word));
    let rest = rest.iter().map(|byte| u64::from(*byte));
    words.chain(rest).fold(0xcbf2_9ce4_8422_2325 ^ bytes.len() as u64, step)
}

/// Longest name of a world.
const MOST_LETTERS: usize = 64;

/// A world by the name in a request. A name that no world can have is not repeated: it could be as
/// large as a message.
pub fn called(name: &str) -> String {
    if name.len() > MOST_LETTERS {
        "world with so long a name".to_owned()
    } else {
        format!("world {name:?}")
    }
}

/// The source of a world: an argument `[NAME=]FILE`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Its name in requests.
    pub name: String,
    /// Its file; `None` is the built-in course.
    pub file: Option<PathBuf>,
}

impl Source {
    /// The built-in course.
    pub fn course() -> Self {
        Self { name: "course".to_owned(), file: None }
    }

    /// Reads the world.
    ///
    /// # Errors
    /// If the file cannot be read or is damaged.
    pub fn load(&self) -> Result<World> {
        let Some(file) = &self.file else {
            return Ok(World::new(course::Course::new()?.level));
        };
        let level = open(file).with_context(|| format!("world {}", self.name))?;
        Ok(World::new(level))
    }
}

/// Maps a map file, and reads any other file.
#[expect(unsafe_code, reason = "a continent is too large to read")]
fn open(file: &Path) -> Result<Level> {
    if !map_file::is_map_file(file) {
        return Ok(capsweep_formats::open(file, &LoadOptions::default())?);
    }
    // A mapped file needs no memory of its own, so its size needs no limit.
    let limits = Limits { bytes: u64::MAX, ..Limits::default() };
    // SAFETY: The README and docs/service.md tell users to replace map files by a rename, as
    // `capsweep import` does, and never to write into one.
    let map = unsafe { map_file::open_mapped(file, &limits) }?;
    Ok(Level::from(map))
}

impl FromStr for Source {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let (name, file) = if let Some((name, file)) = text.split_once('=') {
            (name.to_owned(), PathBuf::from(file))
        } else {
            let file = PathBuf::from(text);
            let stem = file.file_stem().context("it names no file")?;
            let stem =
                stem.to_str().context("name it NAME=FILE: the file's name is not valid UTF-8")?;
            (stem.to_owned(), file)
        };
        let is_fine = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        if name.is_empty() || name.len() > MOST_LETTERS || !name.chars().all(is_fine) {
            bail!(
                "{name:?} is not a valid name: use up to {MOST_LETTERS} letters, digits, '-', '_' \
                 and '.'"
            );
        }
        Ok(Self { name, file: Some(file) })
    }
}

/// The worlds of a server. Their names never change.
#[derive(Debug)]
pub struct Worlds {
    worlds: Vec<(Source, ArcSwap<World>)>,
}

impl Worlds {
    /// Reads all worlds.
    ///
    /// # Errors
    /// If one cannot be read, or two have the same name.
    pub fn load(sources: Vec<Source>) -> Result<Self> {
        let mut worlds: Vec<(Source, ArcSwap<World>)> = Vec::new();
        for source in sources {
            if worlds.iter().any(|(other, _)| other.name == source.name) {
                bail!("two worlds are named {:?}: name one NAME=FILE", source.name);
            }
            let world = source.load()?;
            worlds.push((source, ArcSwap::from_pointee(world)));
        }
        Ok(Self { worlds })
    }

    /// The world with this name; the first world if the name is empty.
    pub fn get(&self, name: &str) -> Option<Arc<World>> {
        let found = if name.is_empty() {
            self.worlds.first()
        } else {
            self.worlds.iter().find(|(source, _)| source.name == name)
        };
        found.map(|(_, world)| world.load_full())
    }

    /// Their names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.worlds.iter().map(|(source, _)| source.name.as_str())
    }

    /// Names and revisions.
    pub fn revisions(&self) -> Vec<(String, u64)> {
        let one = |(source, world): &(Source, ArcSwap<World>)| {
            (source.name.clone(), world.load().revision)
        };
        self.worlds.iter().map(one).collect()
    }

    /// The answer to `Worlds`.
    pub fn describe(&self) -> v1::WorldsResponse {
        let one = |(source, world): &(Source, ArcSwap<World>)| world.load().describe(&source.name);
        v1::WorldsResponse { worlds: self.worlds.iter().map(one).collect() }
    }

    /// Reads worlds again: those with these names, or all. Running calls keep the old worlds. Only
    /// one reload may run at a time.
    ///
    /// # Errors
    /// If no world has one of the names. A file that cannot be read gives an entry with an error,
    /// and leaves the old world in place.
    pub fn reload(&self, names: &[String]) -> Result<Vec<v1::Reloaded>> {
        let missing = names.iter().find(|name| self.names().all(|other| other != name.as_str()));
        if let Some(name) = missing {
            return Err(anyhow!("there is no {}", called(name)));
        }
        let wanted = |name: &String| names.is_empty() || names.contains(name);
        let mut all = Vec::new();
        for (source, world) in self.worlds.iter().filter(|(source, _)| wanted(&source.name)) {
            let error = match source.load() {
                Ok(new) => {
                    world.store(Arc::new(new));
                    String::new()
                }
                Err(error) => format!("{error:#}"),
            };
            let revision = world.load().revision;
            all.push(v1::Reloaded { name: source.name.clone(), revision, error });
        }
        Ok(all)
    }
}
