//! Any bytes as an OBJ file.
#![no_main]

mod loaders;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| loaders::check(capsweep_formats::obj::parse, bytes.to_vec()));
