//! `.map`: liquids.

use crate::terrain_fixtures::{FLAT, chunked_liquid, map, one_liquid};
use capsweep::scene::LiquidKind;
use capsweep_formats::server_map::terrain::{
    LiquidChunk, LiquidExtent, LiquidSurface, TerrainLiquid, parse,
};
use capsweep_formats::server_map::{LiquidBits, LiquidEvidence, ParseError, Problem, kind_of_id};

fn liquid(section: &[u8]) -> Result<TerrainLiquid, ParseError> {
    let tile = parse(&map([9, 0, 0, 0], 44, [&FLAT, section, &[]]))?;
    Ok(tile.liquid.expect("the tile has a liquid"))
}

const TILE: LiquidExtent = LiquidExtent { first_row: 0, first_col: 0, rows: 129, cols: 129 };

#[test]
fn one_liquid_at_one_level_fills_the_tile() {
    let found = liquid(&one_liquid()).unwrap();
    assert_eq!(found.chunks[255], LiquidChunk { entry: 1, flags: 1 });
    assert_eq!((found.extent, &found.surface), (TILE, &LiquidSurface::Flat(2.5)));
    assert_eq!(found.wet_cells().count(), 128 * 128);
    assert_eq!(found.kind(127, 127, LiquidBits::Trinity), Some(LiquidKind::Water));
    assert_eq!(found.kind(127, 127, LiquidBits::Mangos), Some(LiquidKind::Magma));
    for (row, col) in [(128, 0), (0, 128), (0, usize::MAX)] {
        assert_eq!(found.kind(row, col, LiquidBits::Mangos), None);
    }
    assert_eq!(found.evidence(), LiquidEvidence { mangos: 0, trinity: 256 });
}

#[test]
fn the_older_form_has_the_bits_in_the_place_of_the_id() {
    let mut section = one_liquid();
    section[5] = 0;
    section[6..8].copy_from_slice(&[0x18, 0]);
    let found = liquid(&section).unwrap();
    assert_eq!(found.chunks[0], LiquidChunk { entry: 0, flags: 0x18 });
    assert_eq!(found.kind(0, 0, LiquidBits::Mangos), Some(LiquidKind::Water));
    assert_eq!(found.evidence(), LiquidEvidence::default());
}

#[test]
fn one_level_stays_within_its_extent() {
    let mut section = one_liquid();
    // Columns 10 to 12, rows 20 to 21: corners, so 2 × 1 cells.
    section[8..12].copy_from_slice(&[10, 20, 3, 2]);
    let wet = liquid(&section).unwrap().wet_cells();
    assert_eq!(wet.count(), 2);
    assert!(wet.contains(20, 10) && wet.contains(20, 11));
    // Without a cell in the extent the level is that of the tile.
    for extent in [[0, 0, 0, 0], [10, 20, 3, 1], [10, 20, 1, 2]] {
        section[8..12].copy_from_slice(&extent);
        let found = liquid(&section).unwrap();
        assert_eq!((found.extent, found.wet_cells().count()), (TILE, 128 * 128));
    }
}

#[test]
fn chunks_and_heights_make_wet_cells() {
    for ids in [true, false] {
        let found = liquid(&chunked_liquid(ids)).unwrap();
        let entry = if ids { 3 } else { 0 };
        assert_eq!(found.chunks[33], LiquidChunk { entry, flags: 0x14 });
        assert_eq!(found.chunks.iter().filter(|chunk| chunk.entry != 0).count(), usize::from(ids));
        let extent = LiquidExtent { first_row: 16, first_col: 8, rows: 2, cols: 3 };
        assert_eq!(found.extent, extent);
        // Row stride is the number of columns.
        assert_eq!(found.height(16, 8), Some(1.0));
        assert_eq!(found.height(16, 9), Some(2.0));
        assert_eq!(found.height(16, 10), None, "a dry corner");
        assert_eq!(found.height(17, 8), Some(3.0));
        assert_eq!(found.height(17, 10), Some(5.0));
        for (row, col) in [(15, 8), (18, 8), (16, 7), (16, 11), (200, 200)] {
            assert_eq!(found.height(row, col), None);
        }
        // The cell (16, 9) has a dry corner.
        let wet = found.wet_cells();
        assert_eq!(wet.count(), 1);
        assert!(wet.contains(16, 8));
        assert_eq!(found.kind(16, 8, LiquidBits::Trinity), Some(LiquidKind::Magma));
        assert_eq!(found.kind(16, 8, LiquidBits::Mangos), Some(LiquidKind::Slime));
        assert_eq!(found.kind(0, 0, LiquidBits::Mangos), None, "0x30 names no kind");
        let trinity = u64::from(ids);
        assert_eq!(found.evidence(), LiquidEvidence { mangos: 0, trinity });
    }
}

#[test]
fn a_cell_is_dry_where_its_chunk_names_no_liquid() {
    let mut section = chunked_liquid(false);
    section[16 + 33] = 0x20;
    assert!(liquid(&section).unwrap().wet_cells().is_empty());
}

#[test]
fn an_unknown_kind_keeps_its_id_or_its_bits() {
    let with = |entry: u16, flags: u8| {
        let mut section = one_liquid();
        section[5] = flags;
        section[6..8].copy_from_slice(&entry.to_le_bytes());
        liquid(&section).unwrap().kind(0, 0, LiquidBits::Trinity)
    };
    assert_eq!(with(300, 0x40), Some(LiquidKind::Other(300)));
    assert_eq!(with(0, 0x40), Some(LiquidKind::Other(0x40)));
    // Two kinds at once: the id decides.
    assert_eq!(with(3, 0x05), Some(LiquidKind::Magma));
    assert_eq!(with(0, 0x05), Some(LiquidKind::Other(5)));
}

#[test]
fn sizes_that_fit_no_form_are_refused() {
    for left_out in [1, 4, 256, 511, 513] {
        let section = chunked_liquid(true);
        let error = liquid(&section[..section.len() - left_out]).unwrap_err();
        assert!(matches!(error.problem, Problem::Layout { .. }), "{left_out}: {error}");
    }
    let error = liquid(&[one_liquid(), vec![0; 4]].concat()).unwrap_err();
    assert_eq!(error.problem, Problem::Unread { left: 4 });
    let mut section = chunked_liquid(true);
    section[9] = 128;
    let error = liquid(&section).unwrap_err();
    assert_eq!(error.problem, Problem::TooMany { found: 130, limit: 129 });
    let mut section = one_liquid();
    section[12..16].copy_from_slice(&f32::NAN.to_le_bytes());
    assert_eq!(liquid(&section).unwrap_err().field, "level of the liquid");
    let mut section = chunked_liquid(true);
    let last = section.len() - 4;
    section[last..].copy_from_slice(&f32::INFINITY.to_le_bytes());
    let error = liquid(&section).unwrap_err();
    assert_eq!((error.offset, error.field), (44 + 8 + 16 + last as u64, "heights of the liquid"));
}

#[test]
fn ids_in_the_file_outweigh_the_hint_of_the_version() {
    use LiquidBits::{Mangos, Trinity};
    for (version, hint) in [
        (*b"z1.4", Mangos),
        (*b"s1.5", Mangos),
        (*b"v1.4", Mangos),
        (*b"v1.9", Trinity),
        (*b"v2.1", Trinity),
        ([9, 0, 0, 0], Trinity),
        ([10, 0, 0, 0], Trinity),
    ] {
        assert_eq!(LiquidBits::from_version(version), hint, "{}", version.escape_ascii());
    }
    let evidence = |mangos, trinity| LiquidEvidence { mangos, trinity };
    assert_eq!(evidence(2, 1).bits(Trinity), Mangos);
    assert_eq!(evidence(1, 2).bits(Mangos), Trinity);
    assert_eq!((evidence(3, 3).bits(Mangos), evidence(0, 0).bits(Trinity)), (Mangos, Trinity));
    let mut sum = evidence(1, 5);
    sum += evidence(7, 2);
    assert_eq!(sum, evidence(8, 7));
}

#[test]
fn bits_and_ids_name_the_kinds_of_their_tables() {
    use LiquidKind::{Magma, Ocean, Other, Slime, Water};
    let kinds = |bits: LiquidBits| [1, 2, 4, 8].map(|flag| bits.kind(flag | 0x10).unwrap());
    assert_eq!(kinds(LiquidBits::Mangos), [Magma, Ocean, Slime, Water]);
    assert_eq!(kinds(LiquidBits::Trinity), [Water, Ocean, Magma, Slime]);
    assert_eq!([1, 2, 3, 4, 21].map(kind_of_id), [Water, Ocean, Magma, Slime, Slime]);
    assert_eq!([13, 14, 19, 20].map(kind_of_id), [Water, Ocean, Magma, Slime]);
    assert_eq!([0, 5, 70_000].map(kind_of_id), [Other(0), Other(5), Other(70_000)]);
}
