//! `.vmtree`.

use crate::fixtures::{
    bih, global_tree_with_indices, global_tree_without_indices, master_tree, tiled_tree,
};
use capsweep_formats::server_map::{Layout, Problem, tree};

#[test]
fn a_tiled_tree_has_a_count_and_no_placements() {
    let bytes = tiled_tree();
    let tree = tree::parse(&bytes).unwrap();
    assert_eq!((tree.layout, tree.is_tiled), (Layout::Classic, true));
    assert_eq!((tree.placement_count, tree.spawns.len()), (2, 0));
}

#[test]
fn all_placements_of_a_map_without_terrain_are_read_with_and_without_indices() {
    let (with, without) = (global_tree_with_indices(), global_tree_without_indices());
    let (with, without) = (tree::parse(&with).unwrap(), tree::parse(&without).unwrap());
    for (tree, indices) in [(&with, [Some(0), Some(1)]), (&without, [None, None])] {
        assert_eq!((tree.layout, tree.is_tiled), (Layout::Classic, false));
        let names = tree.spawns.iter().map(|spawn| spawn.name).collect::<Vec<_>>();
        assert_eq!(names, [&b"Inn.wmo"[..], b"Bed.m2\0"]);
        assert_eq!(tree.spawns.iter().map(|spawn| spawn.id).collect::<Vec<_>>(), [0x0403_0201, 9]);
        assert_eq!([tree.spawns[0].tree_index, tree.spawns[1].tree_index], indices);
    }
}

#[test]
fn the_newest_layout_has_neither_the_byte_nor_the_placements() {
    let bytes = master_tree();
    let tree = tree::parse(&bytes).unwrap();
    assert_eq!((tree.layout, tree.is_tiled), (Layout::Master, true));
    assert_eq!((tree.placement_count, tree.spawns.len()), (2, 0));
}

#[test]
fn a_damaged_tree_is_refused_with_its_place() {
    let mut bytes = tiled_tree();
    bytes[8] = 7;
    let error = tree::parse(&bytes).unwrap_err();
    assert_eq!((error.offset, error.field), (8, "tiled"));
    assert_eq!(error.problem, Problem::Value { found: 7, expected: "0 or 1" });

    let mut bytes = tiled_tree();
    bytes[9..13].copy_from_slice(b"NODX");
    let error = tree::parse(&bytes).unwrap_err();
    assert_eq!((error.offset, error.field), (9, "tag of the tree"));

    // The number of words, 24 bytes after the tag.
    let mut bytes = tiled_tree();
    bytes[37..41].fill(0xff);
    let error = tree::parse(&bytes).unwrap_err();
    assert_eq!((error.offset, error.field), (41, "nodes of the tree"));
    let needed = 4 * u64::from(u32::MAX);
    assert!(matches!(error.problem, Problem::CutOff { needed: n, .. } if n == needed), "{error}");

    let mut bytes = global_tree_without_indices();
    bytes.pop();
    assert!(matches!(tree::parse(&bytes).unwrap_err().problem, Problem::CutOff { .. }));
}

#[test]
fn indices_beyond_the_tree_tell_which_of_two_readings_is_right() {
    // Two records of 42 bytes and their names, with an index after each. Read without indices, the
    // second record begins 4 bytes earlier: its scale is then the length of a name that ends
    // where the file ends.
    let tree = |index: u8| {
        let second_name = 5_u8;
        let mut second = [0; 42];
        second[34] = second_name + 8;
        second[38] = second_name;
        let records = [&[0; 42][..], &[index, 0, 0, 0], &second, b"names", &[1, 0, 0, 0]];
        let head = [&b"VMAP_7.0"[..], &[0], b"NODE", &bih(2), b"GOBJ"].concat();
        [head, records.concat()].concat()
    };
    // The index is also the flags of the second record: 8 means nothing there.
    for (index, stored) in [(0, Some(0)), (1, Some(1)), (8, None)] {
        let bytes = tree(index);
        let found = tree::parse(&bytes).unwrap();
        assert_eq!((found.spawns.len(), found.spawns[0].tree_index), (2, stored));
    }
}

#[test]
fn a_tree_of_too_many_placements_is_refused() {
    for (count, is_allowed) in [(2_000_000_u32, true), (2_000_001, false)] {
        let mut bytes = [&b"VMAP_4.E"[..], b"NODE", &[0; 28], &count.to_le_bytes()].concat();
        bytes.resize(bytes.len() + 4 * count as usize, 0);
        assert_eq!(tree::parse(&bytes).is_ok(), is_allowed);
    }
}

#[test]
fn the_tree_is_not_followed() {
    let mut bytes = tiled_tree();
    // The three words of the node and the two objects: all lead anywhere.
    bytes[41..53].fill(0xff);
    bytes[57..65].fill(0xff);
    assert_eq!(tree::parse(&bytes).unwrap().placement_count, 2);
}
