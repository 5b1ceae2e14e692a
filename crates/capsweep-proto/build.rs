//! Generates the messages and services from `proto/`, without protoc.

#[path = "build/wire.rs"]
mod wire;

use prost::Message as _;
use protox::prost_reflect::prost_types::DescriptorProto;
use protox::prost_reflect::prost_types::field_descriptor_proto::{Label, Type};
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
    let messages = files.file.iter().flat_map(|file| &file.message_type);
    let shapes: String = messages.map(shape).collect();
    fs::write(PathBuf::from(env::var("OUT_DIR")?).join("shapes.rs"), shapes)?;
    let all: Vec<&DescriptorProto> =
        files.file.iter().flat_map(|file| &file.message_type).collect();
    fs::write(PathBuf::from(env::var("OUT_DIR")?).join("wire.rs"), wire::impls(&all))?;
    // Connections are the business of the client and of the server.
    tonic_prost_build::configure()
        .build_transport(false)
        .codec_path("crate::codec::Codec")
        .compile_fds(files)?;
    Ok(())
}

/// The memory of the fields of a message, for `codec`: only of those that can take more than their
/// bytes on the wire. The protocol has no nested types, so names are the same in Rust.
fn shape(message: &DescriptorProto) -> String {
    let fields = message.field.iter().filter_map(|field| {
        let number = field.number();
        let name = field.type_name().rsplit('.').next().unwrap_or_default();
        let is_repeated = field.label() == Label::Repeated;
        // The memory of an entry, and of each byte of a packed column or text.
        let (entry, byte, nested) = match field.r#type() {
            Type::Message | Type::Group => {
                let entry =
                    if is_repeated { format!("size_of::<v1::{name}>()") } else { "0".into() };
                (entry, 0, format!("Some(<v1::{name} as Shaped>::SHAPE)"))
            }
            _ if !is_repeated => return None,
            Type::String | Type::Bytes => ("size_of::<Vec<u8>>()".into(), 1, "None".into()),
            Type::Double | Type::Fixed64 | Type::Sfixed64 => ("8".into(), 1, "None".into()),
            Type::Float | Type::Fixed32 | Type::Sfixed32 => ("4".into(), 1, "None".into()),
            Type::Int64 | Type::Uint64 | Type::Sint64 => ("8".into(), 8, "None".into()),
            Type::Int32 | Type::Uint32 | Type::Sint32 | Type::Enum => {
                ("4".into(), 4, "None".into())
            }
            Type::Bool => ("1".into(), 1, "None".into()),
        };
        Some(format!("Field {{ number: {number}, entry: {entry}, byte: {byte}, of: {nested} }},"))
    });
    let (name, fields) = (message.name(), fields.collect::<String>());
    format!(
        "impl Shaped for v1::{name} {{ const SHAPE: &'static Shape = &Shape(&[{fields}]); }}\n"
    )
}
