//! Any bytes as the placements of a tile of a server, or as their tree indices.
#![no_main]

use capsweep_formats::server_map::frame::placement_pose;
use capsweep_formats::server_map::{ModelName, tile};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    check(&[b"VMAP_7.0", bytes].concat());
});

/// Parses `bytes` and checks what a tile promises.
fn check(bytes: &[u8]) {
    match tile::parse(bytes) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(tile) => {
            for spawn in &tile.spawns {
                let _ = placement_pose(spawn.position, spawn.rotation, spawn.scale);
                if let Ok(name) = ModelName::new(spawn.name) {
                    assert!(!name.as_str().contains(['/', '\\', ':', '\0']));
                }
            }
        }
    }
    match tile::parse_tree_indices(bytes) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(indices) => assert_eq!(indices.len() * 4 + 12, bytes.len()),
    }
}
