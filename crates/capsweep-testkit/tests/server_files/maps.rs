//! `.map` files, typed byte by byte.

use crate::literal::{assert_bytes, literal};
use capsweep_testkit::continent::{CHUNKS, LiquidKind, TerrainLiquid, Tile, TileId};
use capsweep_testkit::server_files::{
    Core, HeightForm, HoleForm, MapLayout, height_rounding, map_file,
};

fn flat(height: f32) -> Tile {
    Tile {
        id: TileId { row: 30, column: 31 },
        corners: vec![height; 129 * 129],
        centres: vec![height; 128 * 128],
        holes: vec![false; 128 * 128],
        liquid: None,
        areas: [[0x1234; CHUNKS]; CHUNKS],
    }
}

fn ocean() -> Tile {
    let kinds = [[Some(LiquidKind::Ocean); CHUNKS]; CHUNKS];
    let heights = vec![3.0; 129 * 129];
    let liquid = TerrainLiquid { kinds, first: [0; 2], size: [129; 2], heights };
    Tile { liquid: Some(liquid), ..flat(-1.0) }
}

#[test]
fn a_flat_tile_under_the_ocean_has_80_bytes_in_the_short_layout() {
    let layout = MapLayout { holes: HoleForm::Blocks, ..Core::Cmangos.layout().map };
    let wanted = literal(
        "'MAPS' 'z1.4'
        28000000 08000000  30000000 10000000  40000000 10000000  00000000 00000000
        'AREA' 0100 3412
        'MHGT' 01000000 000080BF 000080BF
        'MLIQ' 03 02 0200 00 00 81 81 00004040",
    );
    assert_bytes(&map_file(&ocean(), &layout), &wanted);
}

#[test]
fn cmangos_writes_512_bytes_of_holes_in_every_file() {
    let file = map_file(&flat(1.0), &Core::Cmangos.layout().map);
    let wanted = literal(
        "'MAPS' 'z1.4'
        28000000 08000000  30000000 10000000  00000000 00000000  40000000 00020000
        'AREA' 0100 3412
        'MHGT' 01000000 0000803F 0000803F",
    );
    assert_bytes(&file[..64], &wanted);
    assert_eq!(file[64..], [0; 512]);
}

#[test]
fn trinity_has_a_long_header_and_flight_bounds_also_in_flat_tiles() {
    let wanted = literal(
        "'MAPS' 0A000000 34300000
        2C000000 08000000  34000000 34000000  68000000 10000000  00000000 00000000
        'AREA' 0100 3412
        'MHGT' 09000000 000080BF 000080BF
        E803 E803 E803 E803 E803 E803 E803 E803 E803
        A8FD A8FD A8FD A8FD A8FD A8FD A8FD A8FD A8FD
        'MLIQ' 03 02 0200 00 00 81 81 00004040",
    );
    assert_bytes(&map_file(&ocean(), &Core::TrinityCore335.layout().map), &wanted);
}

#[test]
fn liquid_flags_are_a_word_in_getmangos() {
    let layout = MapLayout { holes: HoleForm::Blocks, ..Core::GetMangos.layout().map };
    let wanted = literal(
        "'MAPS' 'z1.5' F3160000
        2C000000 08000000  34000000 10000000  44000000 10000000  00000000 00000000
        'AREA' 0100 3412
        'MHGT' 01000000 000080BF 000080BF
        'MLIQ' 0300 0200 00 00 81 81 00004040",
    );
    assert_bytes(&map_file(&ocean(), &layout), &wanted);
}

/// Two rows of four vertices from row 3 and column 5, one of them dry.
fn pond() -> Tile {
    let mut kinds = [[None; CHUNKS]; CHUNKS];
    kinds[0][0] = Some(LiquidKind::Water);
    let heights = vec![1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 0.5, -500.0];
    let liquid = TerrainLiquid { kinds, first: [3, 5], size: [2, 4], heights };
    Tile { liquid: Some(liquid), ..flat(1.0) }
}

/// The liquid of the pond, which is the last section.
fn pond_section(core: Core, omit: bool) -> Vec<u8> {
    let mut layout = MapLayout { holes: HoleForm::Blocks, ..core.layout().map };
    layout.liquid.omit = omit;
    let file = map_file(&pond(), &layout);
    let at = file.windows(4).position(|four| four == b"MLIQ").expect("a liquid");
    file[at..].to_vec()
}

#[test]
fn liquid_tables_have_entries_and_flags_or_flags_only() {
    // The column's offset comes first, then the row's; then the width and the height. All cells
    // of the rectangle (columns 5 to 7) are in one chunk, so one kind says it all.
    let rest = "05 03 04 02 0000803F
        0000803F 0000803F 00000040 00000040 00004040 00004040 0000003F 0000FAC3";
    assert_bytes(
        &pond_section(Core::Cmangos, true),
        &literal(&format!("'MLIQ' 01 08 0100 {rest}")),
    );
    assert_bytes(
        &pond_section(Core::AzerothCore, true),
        &literal(&format!("'MLIQ' 01 01 0100 {rest}")),
    );
    assert_bytes(&pond_section(Core::Tbc, true), &literal(&format!("'MLIQ' 0100 0800 {rest}")));

    let file = pond_section(Core::TrinityCore335, false);
    assert_bytes(&file[..16], &literal("'MLIQ' 00 00 0000 05 03 04 02 0000803F"));
    assert_bytes(&file[16..20], &literal("0100 0000"));
    assert_bytes(&file[16 + 512..16 + 514], &literal("01 00"));
    assert_bytes(&file[16 + 768..16 + 772], &literal("0000803F"));
    assert_eq!(file.len(), 16 + 768 + 8 * 4);
    let file = pond_section(Core::Tbc, false);
    assert_bytes(&file[..18], &literal("'MLIQ' 0000 0000 05 03 04 02 0000803F 08 00"));
    assert_eq!(file.len(), 16 + 256 + 8 * 4);
}

#[test]
fn a_level_liquid_with_two_kinds_keeps_its_table_and_loses_its_heights() {
    let mut tile = ocean();
    if let Some(liquid) = &mut tile.liquid {
        liquid.kinds[1][0] = Some(LiquidKind::Slime);
    }
    let layout = MapLayout { holes: HoleForm::Blocks, ..Core::Cmangos.layout().map };
    let file = map_file(&tile, &layout);
    assert_bytes(&file[64..80], &literal("'MLIQ' 02 00 0000 00 00 81 81 00004040"));
    assert_eq!(file.len(), 80 + 768);
    // Chunk [1][0] is number 16.
    assert_bytes(&file[80 + 30..80 + 36], &literal("0200 0400 0200"));
    assert_bytes(&file[80 + 512 + 15..80 + 512 + 18], &literal("02 04 02"));
}

/// Corners and a centre at the ends of the range and in between.
fn ramp() -> Tile {
    let mut tile = flat(10.0);
    tile.corners[1] = 11.0;
    tile.corners[129] = 10.25;
    tile.centres[0] = 10.5;
    tile
}

#[test]
fn heights_are_f32_u16_or_u8_corners_first_and_row_by_row() {
    let section = |heights: HeightForm| {
        let layout = MapLayout { holes: HoleForm::Blocks, heights, ..Core::Cmangos.layout().map };
        map_file(&ramp(), &layout)[48..].to_vec()
    };
    let (second_row, centres) = (129, 129 * 129);
    let both = centres + 128 * 128;
    let head = |flags: &str| literal(&format!("'MHGT' {flags} 00002041 00003041"));

    let float = section(HeightForm::Float);
    assert_bytes(&float[..16], &head("00000000"));
    assert_bytes(&float[16..28], &literal("00002041 00003041 00002041"));
    assert_bytes(&float[16 + 4 * second_row..][..4], &literal("00002441"));
    assert_bytes(&float[16 + 4 * centres..][..8], &literal("00002841 00002041"));
    assert_eq!(float.len(), 16 + 4 * both);

    // A quarter of 65 535 is 16 383.75, a half 32 767.5; the nearest steps are 16 384, 32 768.
    let wide = section(HeightForm::U16);
    assert_bytes(&wide[..16], &head("02000000"));
    assert_bytes(&wide[16..22], &literal("0000 FFFF 0000"));
    assert_bytes(&wide[16 + 2 * second_row..][..2], &literal("0040"));
    assert_bytes(&wide[16 + 2 * centres..][..4], &literal("0080 0000"));
    assert_eq!(wide.len(), 16 + 2 * both);

    // A range below 2 yards: u8 is the smallest form.
    let narrow = section(HeightForm::U8);
    assert_eq!(narrow, section(HeightForm::Smallest));
    assert_bytes(&narrow[..16], &head("04000000"));
    assert_bytes(&narrow[16..19], &literal("00 FF 00"));
    assert_bytes(&narrow[16 + second_row..][..1], &literal("40"));
    assert_bytes(&narrow[16 + centres..][..2], &literal("80 00"));
    assert_eq!(narrow.len(), 16 + both);
}

#[test]
fn decoded_heights_are_within_the_rounding_that_is_promised() {
    let options = capsweep_testkit::continent::ContinentOptions::SMALL;
    let continent = capsweep_testkit::continent::Continent::new(&options);
    let tile = continent.tile(continent.home());
    let layout = MapLayout { heights: HeightForm::U16, ..Core::Cmangos.layout().map };
    let file = map_file(&tile, &layout);
    let at = file.windows(4).position(|four| four == b"MHGT").expect("heights");
    let number = |k: usize| f32::from_le_bytes(file[k..k + 4].try_into().expect("4 bytes"));
    let (low, high) = (number(at + 8), number(at + 12));
    let worst = tile.corners.iter().chain(&tile.centres).enumerate().map(|(k, height)| {
        let raw = u16::from_le_bytes([file[at + 16 + 2 * k], file[at + 17 + 2 * k]]);
        let decoded = f32::from(raw) * ((high - low) / 65_535.0) + low;
        f64::from((decoded - height).abs())
    });
    let worst = worst.fold(0.0, f64::max);
    let promised = height_rounding(&tile, HeightForm::U16);
    assert!(worst <= promised && worst > 0.4 * promised, "{worst} of {promised}");
    assert_eq!(height_rounding(&tile, HeightForm::Float), 0.0);
}

#[test]
fn holes_are_a_bit_for_four_cells_or_a_bit_for_each() {
    let mut tile = flat(1.0);
    // Rows 10 and 11, columns 22 and 23: chunk [1][2], rows 2 and 3, columns 6 and 7 of it.
    for (i, j) in [(10, 22), (10, 23), (11, 22), (11, 23)] {
        tile.holes[i * 128 + j] = true;
    }
    let section = |holes: HoleForm| {
        let layout = MapLayout { holes, ..Core::Cmangos.layout().map };
        map_file(&tile, &layout)[64..].to_vec()
    };
    let blocks = section(HoleForm::Blocks);
    assert_eq!(blocks, section(HoleForm::AlwaysBlocks));
    assert_eq!(blocks.len(), 512);
    // Bit (2 / 2) · 4 + 6 / 2 = 7 of word 1 · 16 + 2.
    let set: Vec<(usize, u8)> = (0..512).map(|k| (k, blocks[k])).filter(|b| b.1 != 0).collect();
    assert_eq!(set, [(2 * 18, 0x80)]);
    let cells = section(HoleForm::Cells);
    assert_eq!(cells.len(), 2_048);
    let set: Vec<(usize, u8)> = (0..2_048).map(|k| (k, cells[k])).filter(|b| b.1 != 0).collect();
    assert_eq!(set, [(8 * 18 + 2, 0xC0), (8 * 18 + 3, 0xC0)]);
}

#[test]
fn a_tile_with_two_areas_has_a_table_of_them() {
    let mut tile = flat(1.0);
    tile.areas[0][1] = 7;
    let file = map_file(&tile, &Core::AzerothCore.layout().map);
    assert_bytes(&file[..20], &literal("'MAPS' 09000000 34300000 2C000000 08020000"));
    assert_bytes(&file[44..58], &literal("'AREA' 0000 0000 3412 0700 3412"));
}
