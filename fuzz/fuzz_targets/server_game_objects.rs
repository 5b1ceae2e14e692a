//! Any bytes as the list of a server's game objects.
#![no_main]

use capsweep_formats::server_map::game_objects;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    check(&[b"VMAP_4.8", bytes].concat());
});

/// Parses `bytes` and checks what a list promises.
fn check(bytes: &[u8]) {
    match game_objects::parse(bytes) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(list) => {
            for model in &list.models {
                assert!(!model.name.as_str().contains(['/', '\\', ':', '\0']));
                assert!(model.bounds.is_none_or(|[low, high]| low.cmple(high).all()));
            }
        }
    }
}
