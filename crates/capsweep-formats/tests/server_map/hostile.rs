//! Damaged files: every one gives a value or an error, and no number in it allocates much.

use crate::fixtures;
use crate::largest_allocation::largest_allocation;
use crate::model_fixtures;
use crate::terrain_fixtures::{
    FLAT, chunked_liquid, height_head, map, one_liquid, smallest_mangos, smallest_trinity,
};
use capsweep_formats::server_map::{ParseError, game_objects, model, terrain, tile, tree};
use capsweep_testkit::Rng;

/// A parser of any kind of file. It checks what the parser promises about a value.
type Parser = fn(&[u8]) -> Result<(), ParseError>;

fn parse_terrain(bytes: &[u8]) -> Result<(), ParseError> {
    let tile = terrain::parse(bytes)?;
    for (row, col) in [(0, 0), (128, 128), (64, 3)] {
        assert!(tile.heights.height(row, col).is_some_and(|height| height.abs() <= 2e4));
    }
    assert!(tile.heights.center(127, 127).is_some_and(f32::is_finite));
    if let Some(liquid) = &tile.liquid {
        let wet = liquid.wet_cells();
        for row in 0..128 {
            for col in (0..128).filter(|&col| wet.contains(row, col)) {
                assert!(liquid.height(row, col).is_some_and(|height| height.abs() <= 2e4));
                assert!(liquid.kind(row, col, tile.liquid_hint()).is_some());
            }
        }
    }
    Ok(())
}

fn parse_model(bytes: &[u8]) -> Result<(), ParseError> {
    for group in &model::parse(bytes)?.groups {
        let count = group.vertices.len() as u32;
        assert!(group.triangles.iter().flatten().all(|&index| index < count));
        let within =
            |&vertex| group.bounds.min.cmple(vertex).all() && group.bounds.max.cmpge(vertex).all();
        assert!(group.vertices.iter().all(within));
    }
    Ok(())
}

fn parse_tile(bytes: &[u8]) -> Result<(), ParseError> {
    assert!(tile::parse(bytes)?.spawns.iter().all(|spawn| spawn.name.len() <= 255));
    Ok(())
}

fn parse_tree_indices(bytes: &[u8]) -> Result<(), ParseError> {
    assert!(tile::parse_tree_indices(bytes)?.len() * 4 + 12 == bytes.len());
    Ok(())
}

fn parse_tree(bytes: &[u8]) -> Result<(), ParseError> {
    assert!(tree::parse(bytes)?.placement_count <= 2_000_000);
    Ok(())
}

fn parse_game_objects(bytes: &[u8]) -> Result<(), ParseError> {
    for model in game_objects::parse(bytes)?.models {
        assert!(!model.name.as_str().contains(['/', '\\', ':', '\0']));
    }
    Ok(())
}

/// Every fixture with its parser.
fn fixtures() -> Vec<(&'static str, Parser, Vec<u8>)> {
    let u16_heights = [height_head(2 | 8), vec![7; 2 * (129 * 129 + 128 * 128) + 36]].concat();
    let holes = [0xa5; 2048];
    vec![
        ("mangos terrain", parse_terrain, smallest_mangos()),
        ("trinity terrain", parse_terrain, smallest_trinity()),
        ("one liquid", parse_terrain, map(*b"z1.4", 40, [&FLAT, &one_liquid(), &[9; 512]])),
        ("chunks", parse_terrain, map(*b"v1.9", 44, [&FLAT, &chunked_liquid(true), &[]])),
        ("no ids", parse_terrain, map(*b"v2.1", 44, [&FLAT, &chunked_liquid(false), &[]])),
        ("u16", parse_terrain, map([10, 0, 0, 0], 44, [&u16_heights, &[], &holes])),
        ("building", parse_model, model_fixtures::building()),
        ("filled building", parse_model, model_fixtures::filled_building()),
        ("prop", parse_model, model_fixtures::classic_prop()),
        ("master prop", parse_model, model_fixtures::master_prop()),
        ("tile", parse_tile, fixtures::classic_tile()),
        ("master tile", parse_tile, fixtures::master_tile()),
        ("tree indices", parse_tree_indices, fixtures::master_tree_indices()),
        ("tree", parse_tree, fixtures::tiled_tree()),
        ("global tree", parse_tree, fixtures::global_tree_with_indices()),
        ("plain global tree", parse_tree, fixtures::global_tree_without_indices()),
        ("master tree", parse_tree, fixtures::master_tree()),
        ("objects", parse_game_objects, fixtures::game_objects_with_wmo_byte()),
        ("master objects", parse_game_objects, fixtures::master_game_objects()),
        ("mangos objects", parse_game_objects, fixtures::mangos_game_objects()),
    ]
}

/// Parses and checks that no allocation is much larger than the file.
///
/// The longest ratio is that of a record of 38 bytes, which takes some 120 in memory, in a list
/// that doubles when it grows. Sets of cells and chunks have some kilobytes in any case.
fn check(name: &str, parse: Parser, bytes: &[u8]) -> Result<(), ParseError> {
    let mut result = Ok(());
    let largest = largest_allocation(|| result = parse(bytes));
    assert!(largest <= 16 * bytes.len() + (8 << 10), "{name}: {largest} for {}", bytes.len());
    if let Err(error) = &result {
        assert!(error.offset <= bytes.len() as u64 || error.field.ends_with("section"), "{error}");
        assert!(!error.to_string().is_empty());
    }
    result
}

#[test]
fn every_fixture_is_valid() {
    for (name, parse, bytes) in fixtures() {
        assert_eq!(check(name, parse, &bytes), Ok(()), "{name}");
    }
}

#[test]
fn a_file_that_is_cut_off_anywhere_gives_an_error_or_a_value() {
    for (name, parse, bytes) in fixtures() {
        // Where a file may end: a list after any of its records, a model after its head.
        let building = fixtures::classic_building().len();
        let global = fixtures::tiled_tree().len();
        let ends = match name {
            "mangos objects" => vec![0, 40],
            "master objects" => vec![0, 8, 48],
            "objects" => vec![0, 8, 49],
            "building" | "prop" | "filled building" => vec![20],
            // The first four bytes are the id of the classic layout.
            "master prop" => vec![20, 24],
            // Four bytes after a record may be its tree index.
            "global tree" | "plain global tree" => {
                vec![global, global + building, global + building + 4]
            }
            _ => vec![],
        };
        let step = if bytes.len() > 10_000 { 997 } else { 1 };
        let last = bytes.len().saturating_sub(50)..bytes.len();
        for length in (0..bytes.len()).step_by(step).chain(last) {
            let result = check(name, parse, &bytes[..length]);
            assert_eq!(result.is_ok(), ends.contains(&length), "{name} cut at {length}");
        }
    }
}

#[test]
fn every_word_may_be_any_number() {
    let numbers = [0, 1, 0x7fff_ffff, 0x8000_0000, u32::MAX, f32::NAN.to_bits(), 0x7f80_0000, 44];
    for (name, parse, bytes) in fixtures() {
        let words = bytes.len().min(2000).saturating_sub(3);
        for (at, number) in (0..words).flat_map(|at| numbers.map(|number| (at, number))) {
            let mut changed = bytes.clone();
            changed[at..at + 4].copy_from_slice(&number.to_le_bytes());
            let _ = check(name, parse, &changed);
        }
    }
}

#[test]
fn random_changes_give_an_error_or_a_value() {
    let mut rng = Rng::new(&[22, 2]);
    for (name, parse, bytes) in fixtures() {
        let rounds = if bytes.len() > 10_000 { 200 } else { 8000 };
        for _ in 0..rounds {
            let mut changed = bytes.clone();
            for _ in 0..=rng.below(6) {
                let at = rng.below(changed.len() as u32) as usize;
                match rng.below(4) {
                    0 => changed[at] ^= 1 << rng.below(8),
                    1 => changed[at] = rng.bits() as u8,
                    2 => {
                        changed.remove(at);
                    }
                    _ => changed.insert(at, rng.bits() as u8),
                }
                if changed.is_empty() {
                    break;
                }
            }
            let _ = check(name, parse, &changed);
        }
    }
}

#[test]
fn every_parser_takes_the_files_of_the_others() {
    let all = fixtures();
    for (name, parse, _) in &all {
        for (_, _, bytes) in &all {
            let _ = check(name, *parse, bytes);
        }
    }
}
