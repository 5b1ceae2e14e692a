//! Scene files of every version and map files, with a right length and checksum, so that mutations
//! get past the head.
//!
//! Random bytes hardly ever become a valid table of sections. So the first byte of the input
//! chooses what the others are: a scene file, [patches](patches) of a valid file, or the heights
//! of a valid world. It also chooses the place of the queries. An empty list of patches leaves a
//! valid file as it is: inputs of one byte are the seeds.
//!
//! A file that can be opened must answer every query without a panic. A scene must be written as
//! it was read.
#![no_main]

mod base_world;
mod head;
mod patches;
mod queries;

use base_world::{Numbers, World};
use capsweep::Point;
use capsweep::persist::{self, MapFile};
use capsweep::scene::Scene;
use capsweep_formats::scene_file;
use glam::DVec3;
use libfuzzer_sys::fuzz_target;
use queries::{PLACES, WET};
use std::sync::OnceLock;

fuzz_target!(|bytes: &[u8]| {
    let Some((&choice, input)) = bytes.split_first() else { return };
    let (form, choice) = (choice % 8, usize::from(choice / 8));
    let base = base();
    match form {
        0 => check_scene(scene_of(input, choice as u32 % 3 + 1), choice),
        version @ 1..=3 => {
            let mut file = base.scenes[usize::from(version) - 1].clone();
            patches::apply(&mut file, input);
            head::seal_scene(&mut file);
            check_scene(file, choice);
        }
        4..=6 => {
            let mut file = base.map.clone();
            patches::apply(&mut file, input);
            head::seal_map(&mut file);
            check_map(file, choice);
        }
        _ => {
            let Some(world) = World::new(&mut Numbers::Of(input), 3) else { return };
            if let (Some(scene), Some(map)) = (world.scene(), world.map_file()) {
                check_scene(scene.to_bytes(), choice);
                check_map(map, choice);
            }
        }
    }
});

/// The valid files that inputs patch.
struct Base {
    /// By version, from 1.
    scenes: [Vec<u8>; 3],
    map: Vec<u8>,
}

fn base() -> &'static Base {
    static BASE: OnceLock<Base> = OnceLock::new();
    BASE.get_or_init(|| {
        let world = |version| World::new(&mut Numbers::Waves(0), version).expect("a valid world");
        let scene = |version| world(version).scene().expect("a valid scene").to_bytes();
        let mut map = world(3).map_file().expect("a valid map");
        head::drop_sums_of_parts(&mut map);
        head::seal_map(&mut map);
        let base = Base { scenes: [1, 2, 3].map(scene), map };
        for (file, version) in base.scenes.iter().zip(1..) {
            assert_eq!(file[8..12], u32::to_le_bytes(version), "the version of the scene file");
            assert_eq!(persist::verify(file.clone()).findings, []);
        }
        assert_eq!(persist::verify(base.map.clone()).findings, []);
        let map = MapFile::open(base.map.clone()).expect("a valid map");
        let is_wet =
            |place: &DVec3| map.scene().liquid_at(&Point::new(*place).expect("a point")).is_some();
        assert!(PLACES[..WET].iter().all(is_wet), "a place misses its liquid");
        base
    })
}

/// Any bytes behind the head of a scene file of this version.
fn scene_of(input: &[u8], version: u32) -> Vec<u8> {
    let mut file = input.to_vec();
    file.resize(input.len().max(64).next_multiple_of(64), 0);
    file[..8].copy_from_slice(b"capsweep");
    file[8..12].copy_from_slice(&version.to_le_bytes());
    head::seal_scene(&mut file);
    file
}

fn check_scene(file: Vec<u8>, choice: usize) {
    let verified = persist::verify(file.clone());
    let level = match scene_file::from_bytes(file, "fuzz") {
        Err(error) => {
            assert!(error.to_string().starts_with("fuzz: "));
            return;
        }
        Ok(level) => level,
    };
    let scene = &level.scene;
    assert_eq!(verified.bodies, scene.bodies().count() as u64);
    assert_eq!(scene.validate(), Ok(()));
    queries::run(scene, choice);
    let written = scene.to_bytes();
    let again = Scene::from_bytes(written.clone()).expect("a written file can be read");
    assert_eq!(again.to_bytes(), written);
}

fn check_map(file: Vec<u8>, choice: usize) {
    let verified = persist::verify(file.clone());
    let Ok(map) = MapFile::open(file) else {
        return assert!(!verified.is_sound(), "verify finds what opening refuses");
    };
    queries::run(map.scene(), choice);
    for number in 0..=map.surface_count() {
        let _ = (map.mesh(number), map.field(number));
    }
    for (id, _) in map.scene().bodies() {
        assert!(map.surface_of(id).is_some_and(|surface| surface < map.surface_count()));
    }
    let damage = map.damage();
    assert!(damage.iter().all(|error| !error.to_string().is_empty()));
    assert!(damage.is_empty() || !verified.is_sound(), "verify finds {damage:?}");
}
