//! Any JSON and any bytes in a valid binary glTF container, so that mutations get past its header.
//!
//! The bytes before the first 0 are the JSON, the rest is the buffer.
#![no_main]

mod loaders;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    let (json, buffer) = bytes.split_at(end);
    let mut file = b"glTF\x02\0\0\0".to_vec();
    file.extend((12 + 8 + json.len() as u32 + 8 + buffer.len() as u32).to_le_bytes());
    for (kind, chunk) in [(b"JSON", json), (b"BIN\0", buffer)] {
        file.extend((chunk.len() as u32).to_le_bytes());
        file.extend(kind);
        file.extend(chunk);
    }
    loaders::check(capsweep_formats::gltf::parse, file);
});
