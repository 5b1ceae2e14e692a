//! Any bytes as a glTF file, text or binary.
#![no_main]

mod loaders;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| loaders::check(capsweep_formats::gltf::parse, bytes.to_vec()));
