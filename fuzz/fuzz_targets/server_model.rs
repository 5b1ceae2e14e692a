//! Any bytes as a collision model of a server, with and without a valid head.
#![no_main]

use capsweep_formats::server_map::model;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    check(&[&b"VMAP_7.0WMOD\x08\0\0\0\x01\0\0\0GMOD"[..], bytes].concat());
});

/// Parses `bytes` and checks what a model promises.
fn check(bytes: &[u8]) {
    let mut model = match model::parse(bytes) {
        Err(error) => return assert!(!error.to_string().is_empty()),
        Ok(model) => model,
    };
    model.flip();
    for group in &model.groups {
        let count = group.vertices.len() as u32;
        assert!(group.triangles.iter().flatten().all(|&index| index < count));
        for vertex in &group.vertices {
            assert!(vertex.abs().max_element() <= 1e5);
            assert!(group.bounds.min.cmple(*vertex).all());
            assert!(group.bounds.max.cmpge(*vertex).all());
        }
        if let Some(liquid) = &group.liquid {
            let _ = (liquid.kind(), liquid.is_wet(0, 0), liquid.is_wet(u32::MAX, u32::MAX));
        }
    }
}
