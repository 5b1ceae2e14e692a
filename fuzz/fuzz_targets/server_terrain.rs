//! Any bytes as a terrain tile of a server, as they are and after a header whose offsets fit, so
//! that mutations get past it.
#![no_main]

use capsweep_formats::server_map::terrain;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    check(&with_header(bytes));
});

/// Parses `bytes` and checks what a tile promises.
fn check(bytes: &[u8]) {
    let tile = match terrain::parse(bytes) {
        Err(error) => return assert!(!error.to_string().is_empty()),
        Ok(tile) => tile,
    };
    assert!(!tile.version_name().is_empty());
    // A sample, because most of the time would go into looking at all.
    for row in (0..=128).step_by(16) {
        for col in (0..=128).step_by(16) {
            assert!(tile.heights.height(row, col).is_some_and(|height| height.abs() <= 2e4));
        }
    }
    assert!(tile.heights.center(127, 127).is_some_and(|height| height.abs() <= 2e4));
    let Some(liquid) = &tile.liquid else { return };
    let bits = liquid.evidence().bits(tile.liquid_hint());
    let wet = liquid.wet_cells();
    for row in 0..128 {
        for col in (0..128).filter(|&col| wet.contains(row, col)) {
            assert!(liquid.height(row + 1, col + 1).is_some_and(|height| height.abs() <= 2e4));
            assert!(liquid.kind(row, col, bits).is_some());
        }
    }
}

/// A file with flat heights, and with `bytes` as the liquid, or as liquid and holes.
fn with_header(bytes: &[u8]) -> Vec<u8> {
    let (liquid, holes) = bytes.split_at_checked(512).unwrap_or((bytes, &[]));
    let liquid = [b"MLIQ", liquid].concat();
    let heights = b"MHGT\x01\0\0\0\0\0\x20\x41\0\0\xc8\x42";
    let mut file = b"MAPSz1.4".to_vec();
    let mut offset = 40;
    for section in [&b"AREA\x01\0\0\0"[..], heights, &liquid, holes] {
        file.extend((offset as u32).to_le_bytes());
        file.extend((section.len() as u32).to_le_bytes());
        offset += section.len();
    }
    [&file[..], b"AREA\x01\0\0\0", heights, &liquid, holes].concat()
}
