//! Files of maps in the folders of a server.

use capsweep_formats::server_map::{
    ModelName, Naming, ServerFiles, ServerFolders, TileFiles, TileIndex,
};
use std::path::{Path, PathBuf};

/// A folder of empty files for one test.
pub(crate) fn folder(name: &str, files: &[&str]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("server_map").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    for file in files {
        let path = folder.join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, []).unwrap();
    }
    folder
}

fn open(vmaps: &Path, maps: &Path) -> ServerFiles {
    let folders = ServerFolders { vmaps: Some(vmaps.to_owned()), maps: Some(maps.to_owned()) };
    ServerFiles::open(&folders).unwrap()
}

fn tile(row: u8, col: u8) -> TileIndex {
    TileIndex::new(row, col).unwrap()
}

#[test]
fn maps_and_tiles_are_found_by_the_names_of_files() {
    let vmaps = folder(
        "vmaps",
        &[
            "000.vmtree",
            "000_32_48.vmtile",
            "1001.vmtree",
            "0530/0530.vmtree",
            "0530/0530_01_02.vmtile",
            "0530/0530_01_02.vmtileidx",
            "0530/0530_05_06.vmtileidx",
            // None of these is a file of a map.
            "00.vmtree",
            "000_64_00.vmtile",
            "000_1_2.vmtile",
            "000_+1_02.vmtile",
            "000_01_02_03.vmtile",
            "00001.vmtree",
            "0000000.map",
            "notes/0001.vmtree",
        ],
    );
    let maps = folder(
        "maps",
        &[
            "0004832.map",
            "10010203.map",
            "0530_02_01.map",
            "5300201.MAP",
            "0006432.map",
            "12.map",
            "é000000.map",
            "000_32_48.vmtile",
        ],
    );
    let files = open(&vmaps, &maps);
    assert_eq!(files.map_ids().collect::<Vec<_>>(), [0, 530, 1001]);
    let map = files.map(0).unwrap();
    assert_eq!(map.naming, Some(Naming::Classic));
    assert_eq!(map.tree, Some(vmaps.join("000.vmtree")));
    let spawns = Some(vmaps.join("000_32_48.vmtile"));
    let placements = TileFiles { spawns, tree_indices: None };
    assert_eq!(map.tiles.clone().into_iter().collect::<Vec<_>>(), [(tile(48, 32), placements)]);
    let terrain = maps.join("0004832.map");
    assert_eq!(map.terrain.clone().into_iter().collect::<Vec<_>>(), [(tile(48, 32), terrain)]);

    let map = files.map(530).unwrap();
    assert_eq!(map.naming, Some(Naming::Master));
    assert_eq!(map.tree, Some(vmaps.join("0530/0530.vmtree")));
    let both = &map.tiles[&tile(2, 1)];
    assert_eq!(both.spawns, Some(vmaps.join("0530/0530_01_02.vmtile")));
    assert_eq!(both.tree_indices, Some(vmaps.join("0530/0530_01_02.vmtileidx")));
    assert_eq!(map.tiles[&tile(6, 5)].spawns, None);
    assert_eq!(map.terrain.len(), 1, "two names of one tile");

    let map = files.map(1001).unwrap();
    assert_eq!((map.tree.is_some(), map.tiles.len()), (true, 0));
    assert!(map.terrain.contains_key(&tile(2, 3)));
    assert!(files.map(7).is_none());
}

#[test]
fn a_map_in_both_namings_is_taken_from_the_classic_one() {
    let vmaps = folder("both", &["001.vmtree", "0001/0001.vmtree", "0001/0001_01_01.vmtile"]);
    let files = open(&vmaps, &vmaps);
    let map = files.map(1).unwrap();
    assert_eq!((map.naming, map.tiles.len()), (Some(Naming::Classic), 0));
    assert_eq!(map.tree, Some(vmaps.join("001.vmtree")));
}

#[test]
fn models_are_found_by_either_spelling_and_in_any_case() {
    let vmaps = folder(
        "models",
        &[
            "Bed.m2",
            "Bed.m2.vmo",
            "INN.WMO.VMO",
            "Chair.m2.vmo",
            "Lamp.m2",
            "x.m2.vmo",
            "X.m2.vmo",
        ],
    );
    let files = open(&vmaps, &vmaps);
    let find = |name: &[u8]| {
        let path = files.model(&ModelName::new(name).unwrap())?;
        Some(path.strip_prefix(&vmaps).unwrap().to_str().unwrap().to_owned())
    };
    assert_eq!(find(b"Bed.m2").as_deref(), Some("Bed.m2.vmo"));
    assert_eq!(find(b"Bed.m2\0").as_deref(), Some("Bed.m2"));
    assert_eq!(find(b"Chair.m2\0").as_deref(), Some("Chair.m2.vmo"));
    assert_eq!(find(b"Lamp.m2").as_deref(), Some("Lamp.m2"));
    assert_eq!(find(b"Inn.wmo").as_deref(), Some("INN.WMO.VMO"));
    // The same letters come before others.
    assert_eq!(find(b"x.m2").as_deref(), Some("x.m2.vmo"));
    assert_eq!(find(b"X.m2").as_deref(), Some("X.m2.vmo"));
    assert_eq!(find(b"Table.m2"), None);
}

#[test]
fn the_list_of_game_objects_is_found() {
    for name in ["GameObjectModels.dtree", "temp_gameobject_models", "gameobjectmodelinfo"] {
        let vmaps = folder("objects", &[name, "000.vmtree"]);
        let files = open(&vmaps, &vmaps);
        assert_eq!(files.game_objects(), Some(vmaps.join(name)));
    }
    let empty = folder("no_objects", &[]);
    assert_eq!(open(&empty, &empty).game_objects(), None);
}

#[test]
fn a_folder_that_cannot_be_read_is_an_error_and_a_missing_one_is_not() {
    let folders = ServerFolders { vmaps: Some("no/such/folder".into()), maps: None };
    let error = ServerFiles::open(&folders).unwrap_err().to_string();
    assert!(error.starts_with("no/such/folder: "), "{error}");
    assert_eq!(ServerFiles::open(&ServerFolders::default()).unwrap().map_ids().count(), 0);
}
