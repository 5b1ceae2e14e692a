//! `.vmtile`, `.vmtileidx`, `.vmtree` and lists of game objects, typed byte by byte.

use crate::literal::{assert_bytes, literal};
use capsweep_testkit::continent::{Fate, Listing, ModelKind, Placement};
use capsweep_testkit::server_files::{
    Bounds, Core, ObjectModel, Scope, Spawn, global_tree_file, object_list_file, tile_file,
    tile_index_file, tree_file,
};
use glam::{Vec3, vec3};

fn placement(building: Option<usize>) -> Placement {
    Placement {
        id: 0x0102_0304,
        model: 0,
        name_set: 2,
        position: vec3(1.0, 2.0, 3.0),
        rotation: vec3(0.5, -1.0, 2.0),
        scale: 0.5,
        building,
        fate: Fate::Present,
        listing: Listing::Touched,
    }
}

const BOUNDS: Bounds = [Vec3::ZERO, vec3(1.0, 2.0, 3.0)];

fn bed(placement: &Placement) -> Spawn<'_> {
    Spawn { placement, name: "Bed.m2", kind: ModelKind::M2, bounds: BOUNDS, tree_index: 9 }
}

/// Id, position, rotation, scale and bounds.
const NUMBERS: &str = "
    04030201
    0000803F 00000040 00004040
    0000003F 000080BF 00000040
    0000003F
    00000000 00000000 00000000 0000803F 00000040 00004040";

#[test]
fn furniture_of_a_tile_has_a_name_with_a_nul_and_a_tree_index() {
    let chair = placement(Some(0));
    let wanted = literal(&format!(
        "'VMAP_7.0' 01000000
        05000000 0200 {NUMBERS}
        07000000 'Bed.m2' 00
        09000000"
    ));
    assert_bytes(&tile_file(&[bed(&chair)], Scope::Tile, &Core::Cmangos.layout()), &wanted);
}

#[test]
fn a_building_of_a_tile_has_flag_4_and_a_plain_name() {
    let house = placement(None);
    let spawn = Spawn { name: "Inn.wmo", kind: ModelKind::Wmo, ..bed(&house) };
    let wanted = literal(&format!(
        "'VMAP_4.8' 01000000
        04000000 0200 {NUMBERS}
        07000000 'Inn.wmo'
        09000000"
    ));
    let layout = Core::TrinityCore335.layout();
    assert_bytes(&tile_file(&[spawn], Scope::Tile, &layout), &wanted);
}

#[test]
fn master_has_short_flags_no_nul_and_tree_indices_in_a_file_of_their_own() {
    let chair = placement(Some(0));
    let layout = Core::TrinityMaster.layout();
    let file = |flags: &str| {
        literal(&format!("'VMAP_4.E' 01000000 {flags} 02 {NUMBERS} 06000000 'Bed.m2'"))
    };
    assert_bytes(&tile_file(&[bed(&chair)], Scope::Tile, &layout), &file("01"));
    assert_bytes(&tile_file(&[bed(&chair)], Scope::Parent, &layout), &file("03"));
    let wanted = literal("'VMAP_4.E' 02000000 09000000 04000000");
    assert_bytes(&tile_index_file(&[9, 4], &layout), &wanted);
}

/// A tree of one leaf over the bounds.
const TREE: &str = "
    00000000 00000000 00000000 0000803F 00000040 00004040
    03000000 000000C0 01000000 00000000
    01000000 00000000";

#[test]
fn the_tree_of_a_map_with_tiles_has_an_empty_list_or_none() {
    let wanted = literal(&format!("'VMAP_7.0' 01 'NODE' {TREE} 'GOBJ'"));
    assert_bytes(&tree_file(&[BOUNDS], &Core::Cmangos.layout()), &wanted);
    let wanted = literal(&format!("'VMAP_4.E' 'NODE' {TREE}"));
    assert_bytes(&tree_file(&[BOUNDS], &Core::TrinityMaster.layout()), &wanted);
}

#[test]
fn the_tree_of_a_map_without_placements_is_one_empty_leaf() {
    let wanted = literal(
        "'VMAP_5.0' 01 'NODE'
        000000000000000000000000 000000000000000000000000
        03000000 000000C0 00000000 00000000
        00000000 'GOBJ'",
    );
    assert_bytes(&tree_file(&[], &Core::Tbc.layout()), &wanted);
}

#[test]
fn a_map_without_terrain_lists_its_placements_with_or_without_tree_index() {
    let bed_here = placement(None);
    let file = |magic: &str, index: &str| {
        literal(&format!(
            "'{magic}' 00 'NODE' {TREE} 'GOBJ'
            07000000 0200 {NUMBERS} 06000000 'Bed.m2' {index}"
        ))
    };
    let wanted = file("VMAP_7.0", "09000000");
    assert_bytes(&global_tree_file(&[bed(&bed_here)], &Core::Vmangos.layout()), &wanted);
    for (core, magic) in [
        (Core::TrinityCore335, "VMAP_4.8"),
        (Core::AzerothCore, "VMAP_4.8"),
        (Core::Tbc, "VMAP_5.0"),
    ] {
        assert_bytes(&global_tree_file(&[bed(&bed_here)], &core.layout()), &file(magic, ""));
    }
}

#[test]
fn game_object_lists_have_three_forms() {
    let gate = ObjectModel {
        display_id: 411,
        name: "Gate.wmo".to_owned(),
        kind: ModelKind::Wmo,
        bounds: BOUNDS,
    };
    let rest = "08000000 'Gate.wmo' 00000000 00000000 00000000 0000803F 00000040 00004040";
    let list = |core: Core| object_list_file(std::slice::from_ref(&gate), &core.layout());
    assert_bytes(&list(Core::Cmangos), &literal(&format!("9B010000 {rest}")));
    let with_kind = literal(&format!("'VMAP_4.8' 9B010000 01 {rest}"));
    assert_bytes(&list(Core::TrinityCore335), &with_kind);
    assert_bytes(&list(Core::AzerothCore), &with_kind);
    let with_magic = literal(&format!("'VMAP_4.E' 9B010000 {rest}"));
    assert_bytes(&list(Core::TrinityMaster), &with_magic);
}
