//! Generates the messages and services from `proto/`, without protoc.

use prost::Message as _;
use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

/// The files of the services; they import the others.
const FILES: [&str; 2] = ["capsweep/v1/physics.proto", "capsweep/v1/admin.proto"];

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("../../proto");
    println!("cargo:rerun-if-changed={}", root.display());
    let mut compiler = protox::Compiler::new([&root])?;
    compiler.include_source_info(true).include_imports(true).open_files(FILES)?;
    let files = compiler.file_descriptor_set();
    let out = PathBuf::from(env::var("OUT_DIR")?).join("descriptors.bin");
    fs::write(out, files.encode_to_vec())?;
    // Connections are the business of the client and of the server.
    tonic_prost_build::configure()
        .build_transport(false)
        .codec_path("crate::codec::Codec")
        .compile_fds(files)?;
    Ok(())
}
