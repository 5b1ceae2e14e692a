//! Whole folders of every core.

use capsweep_testkit::continent::{Continent, ContinentOptions, ModelKind};
use capsweep_testkit::server_files::{Bih, Bounds, Core, Written, check_bih, write_world};
use glam::Vec3;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::{env, fs, process};

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        // Tests of one process run side by side.
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("capsweep-testkit-{name}-{}-{number}", process::id());
        let path = env::temp_dir().join(name);
        fs::create_dir_all(&path).expect("a temporary folder");
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that stays behind does no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn small() -> Continent {
    Continent::new(&ContinentOptions { models: 20, placements: 200, ..ContinentOptions::SMALL })
}

/// Files of a written world, by their path below the folder.
fn files(core: Core, continent: &Continent) -> (BTreeMap<String, Vec<u8>>, Written) {
    let folder = Folder::new(core.name());
    let written = write_world(&folder.0, core, continent).expect("a written world");
    let mut files = BTreeMap::new();
    let mut open = vec![folder.0.clone()];
    while let Some(path) = open.pop() {
        for entry in fs::read_dir(path).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(&folder.0).expect("below the folder");
                let bytes = fs::read(&path).expect("a file");
                files.insert(name.to_str().expect("ASCII").replace('\\', "/"), bytes);
            }
        }
    }
    (files, written)
}

/// Reads numbers one after the other.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take(&mut self, count: usize) -> &[u8] {
        let (taken, rest) = self.0.split_at(count);
        self.0 = rest;
        taken
    }

    fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.take(4).try_into().expect("4 bytes"))
    }

    fn vec3(&mut self) -> Vec3 {
        Vec3::from_array([0; 3].map(|_| f32::from_bits(self.u32())))
    }

    fn tag(&mut self, tag: &[u8]) {
        assert_eq!(self.take(tag.len()), tag);
    }

    /// Reads a tree and checks it.
    fn tree(&mut self, boxes: &[Bounds]) {
        let (bih, length) = Bih::read(self.0).expect("a tree");
        self.take(length);
        assert_eq!(check_bih(&bih, boxes).err(), None);
    }
}

/// Walks a model file and checks its trees; gives the number of triangles.
fn check_model(bytes: &[u8], master: bool) -> usize {
    let mut file = Reader(bytes);
    file.take(8);
    file.tag(b"WMOD");
    assert_eq!(file.u32(), 8);
    file.take(if master { 8 } else { 4 });
    if file.0.is_empty() {
        return 0;
    }
    file.tag(b"GMOD");
    let mut triangles = 0;
    let boxes: Vec<Bounds> = (0..file.u32())
        .map(|_| {
            let bounds = [file.vec3(), file.vec3()];
            file.take(8);
            triangles += check_group(&mut file);
            bounds
        })
        .collect();
    file.tag(b"GBIH");
    file.tree(&boxes);
    assert!(file.0.is_empty(), "{} bytes are left", file.0.len());
    triangles
}

fn check_group(file: &mut Reader<'_>) -> usize {
    file.tag(b"VERT");
    let size = file.u32();
    let vertices: Vec<Vec3> = (0..file.u32()).map(|_| file.vec3()).collect();
    assert_eq!(size as usize, 4 + 12 * vertices.len());
    if vertices.is_empty() {
        return 0;
    }
    file.tag(b"TRIM");
    file.u32();
    let boxes: Vec<Bounds> = (0..file.u32())
        .map(|_| {
            let [a, b, c] = [0; 3].map(|_| vertices[file.u32() as usize]);
            [a.min(b).min(c), a.max(b).max(c)]
        })
        .collect();
    file.tag(b"MBIH");
    file.tree(&boxes);
    file.tag(b"LIQU");
    // The size may be wrong: the counts say how long the block is.
    if file.u32() > 0 {
        let [x, y] = [file.u32() as usize, file.u32() as usize];
        file.take(16);
        let length = if x * y == 0 { 4 } else { 4 * (x + 1) * (y + 1) + x * y };
        file.take(length);
    }
    boxes.len()
}

#[test]
fn every_model_file_of_every_core_has_sound_trees_and_all_triangles() {
    let continent = small();
    for core in Core::ALL {
        let (files, written) = files(core, &continent);
        let master = core == Core::TrinityMaster;
        let mut models = 0;
        for entry in &continent.models {
            for name in [entry.name.clone(), entry.name.clone() + ".vmo"] {
                if let Some(bytes) = files.get(&format!("vmaps/{name}")) {
                    let triangles = check_model(bytes, master);
                    assert_eq!(triangles, entry.model().triangle_count(), "{core:?} {name}");
                    models += 1;
                }
            }
        }
        // Two models have files with other upper and lower case.
        assert_eq!(models + 2, written.models, "{core:?}");
        assert_eq!(files.values().map(|bytes| bytes.len() as u64).sum::<u64>(), written.bytes);
    }
}

#[test]
fn files_are_named_as_each_core_names_them() {
    let continent = small();
    let has = |files: &BTreeMap<String, Vec<u8>>, wanted: &[&str]| {
        for name in wanted {
            assert!(files.contains_key(*name), "{name}");
        }
    };
    let (classic, _) = files(Core::Cmangos, &continent);
    has(&classic, &["maps/0012836.map", "vmaps/001.vmtree", "vmaps/002.vmtree"]);
    has(&classic, &["vmaps/001_36_28.vmtile", "vmaps/temp_gameobject_models"]);
    has(&classic, &["vmaps/Chair.m2", "vmaps/Chair.m2.vmo", "vmaps/Bed.m2"]);
    has(&classic, &["vmaps/DIVINGBELL.WMO.vmo", "vmaps/House.wmo.vmo"]);
    for missing in ["vmaps/Bed.m2.vmo", "vmaps/Divingbell.wmo.vmo", "vmaps/Lostsign.m2.vmo"] {
        assert!(!classic.contains_key(missing), "{missing}");
    }
    let (trinity, _) = files(Core::TrinityCore335, &continent);
    has(&trinity, &["maps/0012836.map", "vmaps/GameObjectModels.dtree", "vmaps/Bed.m2"]);
    let (tbc, _) = files(Core::Tbc, &continent);
    has(&tbc, &["vmaps/GameObjectModelInfo"]);
    let (master, _) = files(Core::TrinityMaster, &continent);
    has(&master, &["maps/0001_28_36.map", "vmaps/0001/0001.vmtree", "vmaps/Bed.m2.vmo"]);
    has(&master, &["vmaps/0001/0001_36_28.vmtile", "vmaps/0001/0001_36_28.vmtileidx"]);
    has(&master, &["vmaps/0002/0002.vmtree", "vmaps/0002/0002_36_28.vmtileidx"]);
    assert!(
        !master.keys().any(|name| name.starts_with("vmaps/0002/") && name.ends_with("vmtile"))
    );
}

/// Records of a classic tile file: id and name.
fn records(bytes: &[u8]) -> Vec<(u32, Vec<u8>)> {
    let mut file = Reader(bytes);
    file.take(8);
    let records = (0..file.u32())
        .map(|_| {
            file.take(6);
            let id = file.u32();
            file.take(28 + 24);
            let length = file.u32() as usize;
            let name = file.take(length).to_vec();
            file.u32();
            (id, name)
        })
        .collect();
    assert!(file.0.is_empty());
    records
}

#[test]
fn tiles_list_placements_more_than_once_with_their_furniture() {
    let continent = small();
    let (files, written) = files(Core::Cmangos, &continent);
    let mut tiles: BTreeMap<u32, Vec<&str>> = BTreeMap::new();
    let (mut count, mut with_nul) = (0, 0);
    for (file, bytes) in files.iter().filter(|(name, _)| name.ends_with(".vmtile")) {
        for (id, name) in records(bytes) {
            tiles.entry(id).or_default().push(file);
            count += 1;
            with_nul += usize::from(name.ends_with(b".m2\0"));
        }
    }
    assert_eq!(count, written.records);
    assert_eq!(tiles.len(), continent.placements.len(), "every placement is listed");
    // Five pieces in the first house and a broken one; five in each of four tiles.
    assert_eq!(with_nul, 5 + 1 + 5 * 4);
    let named = |name: &str, nth: usize| {
        let model = continent.models.iter().position(|entry| entry.name == name);
        let mut placed = continent.placements.iter().filter(|p| Some(p.model) == model);
        &tiles[&placed.nth(nth).expect("a placement").id]
    };
    assert_eq!(named("House.wmo", 1).len(), 4, "the house on the corner of four tiles");
    assert_eq!(named("Bed.m2", 2).len(), 4, "its furniture");
    assert_eq!(named("Gate.wmo", 0).len(), 1, "listed in its own tile only");
}

#[test]
fn trees_of_maps_have_every_placement_and_sound_intervals() {
    let continent = small();
    for core in Core::ALL {
        let (files, _) = files(core, &continent);
        let master = core == Core::TrinityMaster;
        let name = if master { "vmaps/0001/0001.vmtree" } else { "vmaps/001.vmtree" };
        let boxes: Vec<Bounds> = continent
            .placements
            .iter()
            .map(|p| p.bounds(&continent.models[p.model].model()))
            .collect();
        let mut file = Reader(&files[name]);
        file.take(8);
        if !master {
            assert_eq!(file.take(1), [1]);
        }
        file.tag(b"NODE");
        file.tree(&boxes);
        if !master {
            file.tag(b"GOBJ");
        }
        assert!(file.0.is_empty(), "{core:?}");
    }
}

#[test]
fn the_list_of_game_objects_has_a_lift_a_door_a_gate_and_a_missing_model() {
    let continent = small();
    let objects = continent.game_objects.iter().map(|object| {
        let entry = &continent.models[object.model];
        (object.display_id, entry.name.as_str(), entry.kind)
    });
    let wanted = [
        (455, "Liftplatform.m2", ModelKind::M2),
        (411, "Door.m2", ModelKind::M2),
        (1_587, "Gate.wmo", ModelKind::Wmo),
        (9, "Lostsign.m2", ModelKind::M2),
    ];
    assert!(objects.eq(wanted));
    let (files, _) = files(Core::Cmangos, &continent);
    // Each record has 32 bytes beside its name.
    let names: usize = wanted.iter().map(|object| object.1.len()).sum();
    assert_eq!(files["vmaps/temp_gameobject_models"].len(), 4 * 32 + names);
}
