//! Continents that are written into a folder and imported from it.

use capsweep::scene::Body;
use capsweep_formats::Limits;
use capsweep_formats::map_file::{self, Map};
use capsweep_formats::server_map::ServerFolders;
use capsweep_formats::server_map::import::{ImportOptions, MapNotes, import_file};
use capsweep_testkit::continent::{Continent, ContinentOptions};
use capsweep_testkit::server_files::{Core, Layout, Written, write_world_as};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::{env, fs, process};

/// A folder that is removed at the end.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        // Tests of one process run side by side.
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = env::temp_dir().join(format!("capsweep-import-{}-{number}", process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// The folders of a server below it.
    pub(crate) fn server(&self) -> ServerFolders {
        ServerFolders { vmaps: Some(self.0.join("vmaps")), maps: Some(self.0.join("maps")) }
    }

    /// Imports a map into a file of the folder.
    pub(crate) fn import(&self, map: u32, options: &ImportOptions) -> (PathBuf, MapNotes) {
        let path = self.0.join(format!("{map}.capsweep"));
        let mut ignore = |_| ControlFlow::Continue(());
        let notes = import_file(&path, &self.server(), map, options, &mut ignore).unwrap();
        (path, notes)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that stays behind does no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A written continent and its import.
pub(crate) struct Imported {
    pub(crate) folder: Folder,
    pub(crate) written: Written,
    pub(crate) map: Map,
}

impl Imported {
    pub(crate) fn new(continent: &Continent, layout: &Layout) -> Self {
        Self::with_options(continent, layout, &ImportOptions::default())
    }

    pub(crate) fn with_options(
        continent: &Continent,
        layout: &Layout,
        options: &ImportOptions,
    ) -> Self {
        let folder = Folder::new();
        let written = write_world_as(folder.path(), layout, continent, &mut |_| {}).unwrap();
        let map = folder.read(continent.map, options);
        Self { folder, written, map }
    }

    pub(crate) fn of_core(continent: &Continent, core: Core) -> Self {
        Self::new(continent, &core.layout())
    }
}

impl Folder {
    /// Imports a map and reads its file.
    pub(crate) fn read(&self, map: u32, options: &ImportOptions) -> Map {
        let (path, notes) = self.import(map, options);
        let map = map_file::read(path, &Limits::default()).unwrap();
        assert_eq!(*map.notes(), notes, "the file keeps the notes");
        map
    }
}

/// The small continent of most tests.
pub(crate) fn small() -> Continent {
    Continent::new(&ContinentOptions { placements: 300, ..ContinentOptions::SMALL })
}

/// The bodies of a map by their key. No two share one.
pub(crate) fn bodies(map: &Map) -> BTreeMap<u64, &Body> {
    let mut bodies = BTreeMap::new();
    for (_, body) in map.scene().bodies() {
        assert!(bodies.insert(body.key(), body).is_none(), "two bodies have key {}", body.key());
    }
    assert_eq!(map.file().damage(), []);
    bodies
}
