//! The JSON of a file and the binary chunk of a `.glb`.

use crate::Limits;
use crate::error::{Fault, Reason, malformed, within};
use gltf::binary::Glb;
use gltf::json::Root;
use std::borrow::Cow;

/// Length of the header of a binary file in bytes: magic, version and length.
const HEADER: usize = 12;

/// Prefixes of extensions that change no triangle, so a file may require them.
const HARMLESS: [&str; 8] = [
    "KHR_materials_",
    "KHR_texture_",
    "KHR_lights_",
    "KHR_xmp",
    "EXT_texture_",
    "EXT_lights_",
    "MSFT_texture_",
    "KHR_mesh_quantization",
];

/// A parsed and checked file, without its external buffers.
pub(super) struct Document<'a> {
    pub(super) root: Root,
    /// The binary chunk of a `.glb`.
    pub(super) chunk: Option<Cow<'a, [u8]>>,
}

impl<'a> Document<'a> {
    pub(super) fn read(bytes: &'a [u8], limits: &Limits) -> Result<Self, Fault> {
        let (json, chunk) = if bytes.starts_with(b"glTF") {
            let glb = Glb::from_slice(declared_bytes(bytes)?).map_err(|error| {
                malformed(error.to_string()).at(|| "binary container".to_owned())
            })?;
            (glb.json, glb.bin)
        } else {
            (Cow::Borrowed(bytes), None)
        };
        // Checked before parsing, because the parser allocates hundreds of bytes for every `{}`.
        let items = json.iter().filter(|byte| matches!(byte, b'{' | b'[' | b',')).count();
        within("items of JSON", items as u64, limits.json_items)?;
        let root = Root::from_slice(&json).map_err(|error| {
            let (line, column) = (error.line(), error.column());
            malformed(error.to_string()).at(|| format!("JSON, line {line}, column {column}"))
        })?;
        check_version(&root)?;
        check_extensions(&root)?;
        Ok(Self { root, chunk })
    }
}

/// The part of a binary file that its header declares.
fn declared_bytes(bytes: &[u8]) -> Result<&[u8], Fault> {
    let fault = |message: String| Err(malformed(message).at(|| "binary header".to_owned()));
    let Some(length) = bytes.get(8..HEADER).and_then(|length| length.try_into().ok()) else {
        return fault(format!("the file ends after {} bytes", bytes.len()));
    };
    let length = u32::from_le_bytes(length) as usize;
    if length < HEADER || length > bytes.len() {
        return fault(format!("says {length} bytes, but the file has {}", bytes.len()));
    }
    Ok(&bytes[..length])
}

/// Refuses files of another major version, and those that need a later minor version than 2.0.
fn check_version(root: &Root) -> Result<(), Fault> {
    let number = |text: &str| -> Option<(u32, u32)> {
        let (major, minor) = text.split_once('.')?;
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        (digits(major) && digits(minor)).then_some(())?;
        Some((major.parse().ok()?, minor.parse().ok()?))
    };
    let refused = |field: &str, found: &str| {
        let message = match number(found) {
            Some(_) => format!("{found:?}: only glTF 2.0 is read; export the file again"),
            None => format!("{found:?} is no version number such as \"2.0\""),
        };
        Err(Fault::from(Reason::Unsupported(message)).at(|| format!("asset.{field}")))
    };
    let asset = &root.asset;
    if number(&asset.version).is_none_or(|(major, _)| major != 2) {
        return refused("version", &asset.version);
    }
    match &asset.min_version {
        Some(needed) if number(needed).is_none_or(|needed| needed > (2, 0)) => {
            refused("minVersion", needed)
        }
        _ => Ok(()),
    }
}

/// Refuses files that require an extension which may change triangles.
fn check_extensions(root: &Root) -> Result<(), Fault> {
    let harmless = |name: &str| HARMLESS.iter().any(|start| name.starts_with(start));
    let Some(name) = root.extensions_required.iter().find(|name| !harmless(name)) else {
        return Ok(());
    };
    let message = format!("requires the extension {}: export it without", name.escape_debug());
    Err(Fault::from(Reason::Unsupported(message)).at(|| "extensionsRequired".to_owned()))
}
