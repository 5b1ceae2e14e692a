//! `.vmo` files, typed byte by byte.

use crate::literal::{assert_bytes, literal};
use capsweep_testkit::continent::{
    Group, LiquidGrid, LiquidKind, LiquidShape, Model, ModelKind, ModelLiquid,
};
use capsweep_testkit::server_files::{Core, model_file};
use glam::vec3;

fn triangle() -> Group {
    Group {
        flags: 0,
        id: 0,
        vertices: vec![vec3(0.0, 0.0, 0.5), vec3(1.0, 0.0, 0.5), vec3(0.0, 2.0, 3.0)],
        triangles: vec![[0, 1, 2]],
        liquid: None,
    }
}

fn prop() -> Model {
    Model { kind: ModelKind::M2, root_id: 0, groups: vec![triangle()] }
}

const PROP_GROUP: &str = "
    'GMOD' 01000000
    000000000000000000000000 000000000000000000000000  # no bounds
    00000000 00000000                                  # flags, id
    'VERT' 28000000 03000000                           # 4 + 12 * 3
    00000000 00000000 0000003F
    0000803F 00000000 0000003F
    00000000 00000040 00004040
    'TRIM' 10000000 01000000
    00000000 02000000 01000000                         # clockwise
    'MBIH'
    00000000 00000000 0000003F 0000803F 00000040 00004040
    03000000 000000C0 01000000 00000000                # a leaf with one object
    01000000 00000000
    'LIQU' 00000000
    'GBIH'
    000000000000000000000000 000000000000000000000000
    03000000 000000C0 01000000 00000000
    01000000 00000000";

#[test]
fn a_prop_has_no_bounds_and_is_wound_clockwise() {
    let wanted = literal(&format!("'VMAP_7.0' 'WMOD' 08000000 00000000 {PROP_GROUP}"));
    assert_bytes(&model_file(&prop(), &Core::Cmangos.layout()), &wanted);
    let wanted = literal(&format!("'VMAP_4.8' 'WMOD' 08000000 00000000 {PROP_GROUP}"));
    assert_bytes(&model_file(&prop(), &Core::AzerothCore.layout()), &wanted);
}

#[test]
fn master_says_in_the_first_chunk_that_a_model_is_a_prop() {
    let wanted = literal(&format!("'VMAP_4.E' 'WMOD' 08000000 01000000 00000000 {PROP_GROUP}"));
    assert_bytes(&model_file(&prop(), &Core::TrinityMaster.layout()), &wanted);
}

#[test]
fn a_model_without_groups_ends_after_the_first_chunk() {
    let shell = Model { kind: ModelKind::Wmo, root_id: 0x1234, groups: Vec::new() };
    let wanted = literal("'VMAP_5.0' 'WMOD' 08000000 34120000");
    assert_bytes(&model_file(&shell, &Core::Tbc.layout()), &wanted);
    let wanted = literal("'VMAP_4.E' 'WMOD' 08000000 00000000 34120000");
    assert_bytes(&model_file(&shell, &Core::TrinityMaster.layout()), &wanted);
}

/// A building: a group without vertices and a group with magma over two tiles, one of them dry.
fn building() -> Model {
    let grid = LiquidGrid {
        tiles: [2, 1],
        corner: vec3(1.0, 2.0, 3.0),
        heights: vec![0.5, 1.0, 2.0, 3.0, -1.0, 0.0],
        flags: vec![0x04, 0x4F],
    };
    let liquid = ModelLiquid { kind: LiquidKind::Magma, shape: LiquidShape::Grid(grid) };
    let wet = Group { flags: 0x2000, id: 7, liquid: Some(liquid), ..triangle() };
    let empty = Group { flags: 8, id: 6, ..Group::default() };
    Model { kind: ModelKind::Wmo, root_id: 5, groups: vec![empty, wet] }
}

/// The building's file, with the size and the type of its liquid.
fn building_file(magic: &str, size: &str, kind: &str) -> Vec<u8> {
    literal(&format!(
        "'{magic}' 'WMOD' 08000000 05000000
        'GMOD' 02000000
        000000000000000000000000 000000000000000000000000 08000000 06000000
        'VERT' 04000000 00000000                           # ends here
        00000000 00000000 0000003F 0000803F 00000040 00004040
        00200000 07000000
        'VERT' 28000000 03000000
        00000000 00000000 0000003F
        0000803F 00000000 0000003F
        00000000 00000040 00004040
        'TRIM' 10000000 01000000
        00000000 01000000 02000000                         # counter-clockwise
        'MBIH'
        00000000 00000000 0000003F 0000803F 00000040 00004040
        03000000 000000C0 01000000 00000000
        01000000 00000000
        'LIQU' {size}
        02000000 01000000                                  # tiles
        0000803F 00000040 00004040                         # corner
        {kind}
        0000003F 0000803F 00000040
        00004040 000080BF 00000000
        04 4F
        'GBIH'
        00000000 00000000 00000000 0000803F 00000040 00004040
        09000000
        03000080 00000000 0000003F                         # z: left ends at 0, right begins at 0.5
        000000C0 01000000 00000000
        010000C0 01000000 00000000
        02000000 00000000 01000000"
    ))
}

/// 24 bytes of header, 24 of heights and 2 of flags are 50; `VMAP_7.0` says 46.
#[test]
fn the_size_of_a_liquid_is_4_too_small_in_mangos_and_right_elsewhere() {
    let wanted = building_file("VMAP_7.0", "2E000000", "03000000");
    assert_bytes(&model_file(&building(), &Core::Vmangos.layout()), &wanted);
    let wanted = building_file("VMAP_4.8", "32000000", "13000000");
    assert_bytes(&model_file(&building(), &Core::TrinityCore335.layout()), &wanted);
    let wanted = building_file("VMAP_4.0", "32000000", "03000000");
    assert_bytes(&model_file(&building(), &Core::GetMangos.layout()), &wanted);
}

#[test]
fn a_liquid_without_tiles_is_one_height_in_the_trinity_family_and_a_grid_elsewhere() {
    let liquid = ModelLiquid { kind: LiquidKind::Water, shape: LiquidShape::Fill(2.0) };
    let group = Group { liquid: Some(liquid), ..triangle() };
    let model = Model { kind: ModelKind::Wmo, root_id: 0, groups: vec![group] };
    let part = |core: Core, length: usize| {
        let file = model_file(&model, &core.layout());
        let at = file.windows(4).position(|four| four == b"LIQU").expect("a liquid");
        file[at..at + length].to_vec()
    };
    let wanted = "'LIQU' 1C000000 00000000 00000000 000000000000000000000000 0D000000 00000040";
    assert_bytes(&part(Core::TrinityCore335, 36), &literal(&format!("{wanted} 'GBIH'"))[..36]);
    // One tile of 4.17 yards covers the group: four heights and one flag.
    let wanted = "'LIQU' 25000000 01000000 01000000 00000000 00000000 00000040 01000000
        00000040 00000040 00000040 00000040 00 'GBIH'";
    assert_bytes(&part(Core::Cmangos, 53), &literal(wanted));
}
