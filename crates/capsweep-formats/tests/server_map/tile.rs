//! `.vmtile` and `.vmtileidx`.

use crate::fixtures::{classic_tile, master_tile, master_tree_indices};
use capsweep_formats::server_map::{Layout, Problem, Spawn, SpawnFlags, tile};
use glam::vec3;

fn building(flags: SpawnFlags, tree_index: Option<u32>) -> Spawn<'static> {
    Spawn {
        flags,
        name_set: 7,
        id: 0x0403_0201,
        position: vec3(1.0, 2.0, 3.0),
        rotation: vec3(90.0, -4.5, 0.5),
        scale: 2.0,
        bounds: Some([vec3(1.0, 2.0, 3.0), vec3(4.0, 5.0, 6.0)]),
        name: b"Inn.wmo",
        tree_index,
    }
}

#[test]
fn a_classic_tile_has_its_records_and_their_tree_indices() {
    let bytes = classic_tile();
    let tile = tile::parse(&bytes).unwrap();
    assert_eq!(tile.layout, Layout::Classic);
    let prop = Spawn {
        flags: SpawnFlags::Classic(1),
        name_set: 0,
        id: 9,
        bounds: None,
        name: b"Bed.m2\0",
        tree_index: Some(0),
        ..building(SpawnFlags::Classic(1), None)
    };
    assert_eq!(tile.spawns, [building(SpawnFlags::Classic(4), Some(1)), prop]);
    assert_eq!(tile.spawns[0].flags.is_m2(), Some(false));
    assert_eq!(tile.spawns[1].flags.is_m2(), Some(true));
}

#[test]
fn a_tile_of_the_newest_layout_has_short_records_and_other_flags() {
    let bytes = master_tile();
    let tile = tile::parse(&bytes).unwrap();
    assert_eq!(tile.layout, Layout::Master);
    assert_eq!(tile.spawns[0], building(SpawnFlags::Master(3), None));
    assert_eq!((tile.spawns[1].id, tile.spawns[1].name), (9, &b"Bed.m2"[..]));
    let flags = tile.spawns[0].flags;
    assert_eq!(
        (flags.is_m2(), flags.is_parent_spawn(), flags.is_path_only()),
        (None, true, false)
    );
    let flags = tile.spawns[1].flags;
    assert_eq!(
        (flags.is_m2(), flags.is_parent_spawn(), flags.is_path_only()),
        (None, false, true)
    );
    assert_eq!(tile::parse_tree_indices(&master_tree_indices()).unwrap(), [1, 0]);
}

#[test]
fn a_tile_may_be_empty() {
    let tile = tile::parse(b"VMAP_5.0\0\0\0\0").unwrap();
    assert!(tile.spawns.is_empty());
}

#[test]
fn bytes_after_the_last_record_are_refused() {
    let mut bytes = classic_tile();
    bytes.push(0);
    let error = tile::parse(&bytes).unwrap_err();
    assert_eq!(error.problem, Problem::Unread { left: 1 });
    assert_eq!(error.offset, bytes.len() as u64 - 1);
    let mut bytes = master_tree_indices();
    bytes.extend([0; 4]);
    let error = tile::parse_tree_indices(&bytes).unwrap_err();
    assert_eq!(error.problem, Problem::Unread { left: 4 });
}

#[test]
fn a_file_of_the_extractor_is_named_as_such() {
    let mut bytes = classic_tile();
    bytes[..8].copy_from_slice(b"VMAPs05\0");
    let error = tile::parse(&bytes).unwrap_err();
    assert_eq!(error.problem, Problem::NotAssembled);
    assert!(error.to_string().contains("run the vmap assembler"), "{error}");
}

#[test]
fn every_magic_of_the_family_is_read_alike() {
    for magic in [b"VMAP_3.0", b"VMAPz3.0", b"VMAP_4.0", b"VMAP_4.E", b"VMAP_5.2", b"VMAP_9.9"] {
        let mut bytes = classic_tile();
        bytes[..8].copy_from_slice(magic);
        assert_eq!(tile::parse(&bytes).unwrap().layout, Layout::Classic);
    }
    let error = tile::parse(b"MAPSz1.4\0\0\0\0").unwrap_err();
    assert_eq!((error.offset, error.field), (0, "magic"));
    assert!(error.to_string().contains("MAPSz1.4"), "{error}");
}

#[test]
fn counts_and_names_beyond_the_limits_are_refused() {
    let mut bytes = classic_tile();
    bytes[8..12].copy_from_slice(&65_537_u32.to_le_bytes());
    let error = tile::parse(&bytes).unwrap_err();
    assert_eq!((error.offset, error.field), (8, "number of placements"));
    assert_eq!(error.problem, Problem::TooMany { found: 65_537, limit: 65_536 });
    // The longest name that is allowed, and one byte more.
    for (length, is_allowed) in [(255_u32, true), (256, false)] {
        let mut bytes = [&b"VMAP_7.0"[..], &[1, 0, 0, 0], &[0; 38]].concat();
        bytes.extend(length.to_le_bytes());
        bytes.resize(bytes.len() + length as usize, b'a');
        bytes.extend([0; 4]);
        assert_eq!(tile::parse(&bytes).is_ok(), is_allowed, "{length}");
    }
}
