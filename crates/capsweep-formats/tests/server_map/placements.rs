//! All placements of a map.

use crate::fixtures::{
    classic_tile, global_tree_with_indices, global_tree_without_indices, master_tile, master_tree,
    master_tree_indices, tiled_tree,
};
use crate::folder::folder;
use capsweep_formats::server_map::frame::placement_pose;
use capsweep_formats::server_map::{
    Layout, MapPlacements, ServerFiles, ServerFolders, Skipped, placements,
};
use glam::{Vec3, dvec3, vec3};
use std::path::Path;

/// Reads the placements of map 0 in a folder with these files and these (empty) models.
fn read(name: &str, files: &[(&str, Vec<u8>)], models: &[&str]) -> MapPlacements {
    read_child(name, files, models, None)
}

fn read_child(
    name: &str,
    files: &[(&str, Vec<u8>)],
    models: &[&str],
    parent: Option<u32>,
) -> MapPlacements {
    let names: Vec<&str> = files.iter().map(|(name, _)| *name).chain(models.to_vec()).collect();
    let vmaps = folder(name, &names);
    for (name, bytes) in files {
        std::fs::write(vmaps.join(name), bytes).unwrap();
    }
    let folders = ServerFolders { vmaps: Some(vmaps), maps: None };
    placements(&ServerFiles::open(&folders).unwrap(), 0, parent)
}

const MODELS: [&str; 2] = ["Inn.wmo.vmo", "Bed.m2"];

fn file_name(path: &Path) -> &str {
    path.file_name().unwrap().to_str().unwrap()
}

/// A record of the classic layout.
#[derive(Clone, Copy)]
struct Record<'a> {
    id: u32,
    position: Vec3,
    rotation: Vec3,
    scale: f32,
    name: &'a [u8],
    tree_index: u32,
}

const RECORD: Record<'_> = Record {
    id: 1,
    position: Vec3::ONE,
    rotation: Vec3::ZERO,
    scale: 1.0,
    name: b"Inn.wmo",
    tree_index: 0,
};

fn tile(records: &[Record<'_>]) -> Vec<u8> {
    let mut tile = b"VMAP_7.0".to_vec();
    tile.extend(u32::try_from(records.len()).unwrap().to_le_bytes());
    for record in records {
        tile.extend([0; 6]);
        tile.extend(record.id.to_le_bytes());
        let numbers = [record.position, record.rotation].map(|vector| vector.to_array()).concat();
        for number in numbers.into_iter().chain([record.scale]) {
            tile.extend(number.to_le_bytes());
        }
        tile.extend(u32::try_from(record.name.len()).unwrap().to_le_bytes());
        tile.extend(record.name);
        tile.extend(record.tree_index.to_le_bytes());
    }
    tile
}

#[test]
fn a_tiled_map_has_each_placement_once() {
    let files = [
        ("000.vmtree", tiled_tree()),
        ("000_01_02.vmtile", classic_tile()),
        ("000_01_03.vmtile", classic_tile()),
    ];
    let found = read("tiled", &files, &MODELS);
    assert_eq!((found.layout, found.records, found.duplicates), (Some(Layout::Classic), 4, 2));
    assert_eq!((found.skipped, found.damaged_files.count), (Skipped::default(), 0));
    let [inn, bed] = &found.placements[..] else { panic!("two placements") };
    assert_eq!((inn.id, inn.is_m2), (0x0403_0201, Some(false)));
    assert_eq!((bed.id, bed.is_m2, bed.bounds), (9, Some(true), None));
    let pose = placement_pose(vec3(1.0, 2.0, 3.0), vec3(90.0, -4.5, 0.5), 2.0).unwrap();
    assert_eq!((inn.pose, bed.pose), (pose, pose));
    let mid = 17_066.666_015_625;
    let bounds = [dvec3(mid - 4.0, mid - 5.0, 3.0), dvec3(mid - 1.0, mid - 2.0, 6.0)];
    assert_eq!(inn.bounds, Some(bounds));
    let models = found.models.iter().map(|model| (&model.name[..], file_name(&model.path)));
    assert_eq!(models.collect::<Vec<_>>(), [("Inn.wmo", "Inn.wmo.vmo"), ("Bed.m2", "Bed.m2")]);
    assert_eq!((inn.model, bed.model), (0, 1));
}

#[test]
fn a_map_without_terrain_has_all_placements_of_its_tree() {
    for (name, tree) in
        [("global", global_tree_with_indices()), ("plain", global_tree_without_indices())]
    {
        let found = read(name, &[("000.vmtree", tree)], &MODELS);
        assert_eq!((found.placements.len(), found.records), (2, 2));
    }
}

#[test]
fn the_newest_layout_leaves_placements_for_nav_meshes_out() {
    let files = [
        ("0000/0000.vmtree", master_tree()),
        ("0000/0000_01_02.vmtile", master_tile()),
        ("0000/0000_01_02.vmtileidx", master_tree_indices()),
    ];
    let found = read("master", &files, &MODELS);
    assert_eq!((found.layout, found.placements.len()), (Some(Layout::Master), 1));
    assert_eq!(found.skipped, Skipped { path_only: 1, ..Skipped::default() });
    assert_eq!((found.placements[0].id, found.placements[0].is_m2), (0x0403_0201, None));
}

#[test]
fn tree_indices_in_a_file_of_their_own_are_checked_too() {
    let mut indices = master_tree_indices();
    indices[12] = 2;
    let files = [
        ("0000/0000.vmtree", master_tree()),
        ("0000/0000_01_02.vmtile", master_tile()),
        ("0000/0000_01_02.vmtileidx", indices),
    ];
    let found = read("beyond", &files, &MODELS);
    assert_eq!(found.skipped, Skipped { path_only: 1, tree_index: 1, ..Skipped::default() });
    assert!(found.placements.is_empty());
}

#[test]
fn a_child_map_without_tiles_uses_those_of_its_parent() {
    let files = [
        ("0000/0000.vmtree", master_tree()),
        ("0000/0000_01_02.vmtileidx", master_tree_indices()),
        ("0000/0000_07_07.vmtileidx", master_tree_indices()),
        ("0099/0099_01_02.vmtile", master_tile()),
    ];
    let found = read_child("child", &files, &MODELS, Some(99));
    assert_eq!((found.placements.len(), found.missing_tiles.count), (1, 1));
    let missing = &found.missing_tiles.names[0];
    assert!(missing.contains("0000_07_07.vmtileidx"), "{missing}");
    let found = read_child("orphan", &files, &MODELS, None);
    assert_eq!((found.placements.len(), found.missing_tiles.count), (0, 2));
}

#[test]
fn records_that_make_no_placement_are_counted_by_reason() {
    let (nan, far) = (f32::NAN, 100_001.0);
    let records = [
        Record { id: 1, position: vec3(0.0, nan, 0.0), ..RECORD },
        Record { id: 2, rotation: vec3(0.0, 0.0, f32::INFINITY), ..RECORD },
        Record { id: 3, scale: nan, ..RECORD },
        Record { id: 4, scale: 0.0, ..RECORD },
        Record { id: 5, scale: -1.0, ..RECORD },
        Record { id: 6, scale: 1000.5, ..RECORD },
        Record { id: 7, scale: 1e-7, ..RECORD },
        Record { id: 8, position: vec3(0.0, 0.0, -far), ..RECORD },
        Record { id: 9, tree_index: 2, ..RECORD },
        Record { id: 10, name: b"../Inn.wmo", ..RECORD },
        Record { id: 11, name: b"Gone.wmo", ..RECORD },
        Record { id: 12, name: b"Gone.wmo", ..RECORD },
        Record { id: 13, tree_index: 1, ..RECORD },
        Record { id: 13, ..RECORD },
    ];
    let files = [("000.vmtree", tiled_tree()), ("000_01_02.vmtile", tile(&records))];
    let found = read("reasons", &files, &MODELS);
    let skipped = Skipped {
        not_finite: 3,
        scale: 4,
        out_of_range: 1,
        tree_index: 1,
        path_only: 0,
        unusable_name: 1,
        missing_model: 2,
    };
    assert_eq!(found.skipped, skipped);
    assert_eq!((found.records, found.duplicates, found.placements.len()), (14, 1, 1));
    assert_eq!(skipped.total() + found.duplicates + 1, found.records);
    assert_eq!(
        (found.missing_models.count, &found.missing_models.names[..]),
        (1, &["Gone.wmo".to_owned()][..])
    );
    assert_eq!(found.unusable_names.names, ["../Inn.wmo"]);
    assert_eq!(found.placements[0].id, 13);
}

#[test]
fn missing_models_are_all_counted_and_twenty_are_named() {
    let names: Vec<String> = (0..50).map(|i| format!("Gone{i}.wmo")).collect();
    let records: Vec<Record<'_>> = names
        .iter()
        .zip(0..)
        .map(|(name, id)| Record { id, name: name.as_bytes(), ..RECORD })
        .collect();
    let found = read("missing", &[("000_01_02.vmtile", tile(&records))], &MODELS);
    assert_eq!((found.missing_models.count, found.missing_models.names.len()), (50, 20));
    assert_eq!(found.missing_models.names, names[..20]);
}

#[test]
fn spellings_of_one_file_are_one_model() {
    let records = [
        Record { id: 1, name: b"Bed.m2", ..RECORD },
        Record { id: 2, name: b"Bed.m2\0", ..RECORD },
        Record { id: 3, name: b"BED.M2", ..RECORD },
    ];
    let found = read("spellings", &[("000_01_02.vmtile", tile(&records))], &MODELS);
    assert_eq!((found.models.len(), found.placements.len()), (1, 3));
}

#[test]
fn a_damaged_file_is_named_and_the_others_are_read() {
    let files = [
        ("000.vmtree", b"VMAP_7.0".to_vec()),
        ("000_01_02.vmtile", classic_tile()[..40].to_vec()),
        ("000_01_03.vmtile", classic_tile()),
    ];
    let found = read("damaged", &files, &MODELS);
    assert_eq!((found.placements.len(), found.damaged_files.count), (2, 2));
    let [tree, tile] = &found.damaged_files.names[..] else { panic!("two names") };
    assert!(tree.contains("000.vmtree: byte 8, tiled: "), "{tree}");
    assert!(tile.contains("000_01_02.vmtile: byte 12, placements: "), "{tile}");
    assert!(tile.contains("extract it again"), "{tile}");

    // As many indices as placements, or the file is not that of the tile.
    let mut indices = master_tree_indices();
    indices.truncate(16);
    indices[8] = 1;
    let files =
        [("0000/0000_01_02.vmtile", master_tile()), ("0000/0000_01_02.vmtileidx", indices)];
    let found = read("indices", &files, &MODELS);
    assert_eq!((found.placements.len(), found.damaged_files.count), (0, 1));
}

#[test]
fn a_box_that_is_none_is_left_out() {
    let mut bytes = classic_tile();
    // The lowest x of the first record's box becomes 9, above the highest.
    bytes[12 + 38..12 + 42].copy_from_slice(&9.0_f32.to_le_bytes());
    let found = read("boxes", &[("000_01_02.vmtile", bytes)], &MODELS);
    assert_eq!((found.placements.len(), found.placements[0].bounds), (2, None));
}

#[test]
fn a_map_without_files_has_no_placements() {
    let found = read("nothing", &[("001.vmtree", tiled_tree())], &MODELS);
    assert_eq!((found.layout, found.records), (None, 0));
}
