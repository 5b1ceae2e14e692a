//! Any bytes as the tree of a map of a server. The second reading starts with its placements.
#![no_main]

use capsweep_formats::server_map::tree;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    // An empty tree: no words and one object.
    let head = [&b"VMAP_7.0\0NODE"[..], &[0; 28], &[1, 0, 0, 0], &[0; 4], b"GOBJ"].concat();
    check(&[&head[..], bytes].concat());
});

/// Parses `bytes` and checks what a tree promises.
fn check(bytes: &[u8]) {
    match tree::parse(bytes) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(tree) => {
            assert!(tree.placement_count <= bytes.len() as u64 / 4);
            assert!(tree.spawns.len() <= bytes.len() / 42);
            assert!(tree.spawns.iter().all(|spawn| spawn.name.len() <= 255));
        }
    }
}
