//! Builds small OBJ and glTF files in memory or on disk.

use capsweep_formats::{LoadError, LoadOptions, Source, World, gltf, obj};
use glam::DVec3;
use serde_json::{Value, json};
use std::path::PathBuf;

pub(crate) fn load_obj(text: &str) -> Result<World, LoadError> {
    obj::parse(&Source::from_bytes(text.into(), "test.obj"), &LoadOptions::default())
}

pub(crate) fn load_gltf(bytes: Vec<u8>) -> Result<World, LoadError> {
    gltf::parse(&Source::from_bytes(bytes, "test.glb"), &LoadOptions::default())
}

/// The message of a file that must not load.
pub(crate) fn refused(loaded: Result<World, LoadError>) -> String {
    loaded.expect_err("the file should be refused").to_string()
}

/// Creates a folder for one test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A binary glTF file with this JSON and this binary chunk.
pub(crate) fn glb(json: &Value, bin: &[u8]) -> Vec<u8> {
    let mut text = json.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut bin = bin.to_vec();
    bin.resize(bin.len().next_multiple_of(4), 0);
    let mut file = b"glTF".to_vec();
    let word = |number: usize| u32::try_from(number).unwrap().to_le_bytes();
    file.extend(word(2));
    file.extend(word(12 + 8 + text.len() + 8 + bin.len()));
    file.extend(word(text.len()));
    file.extend(b"JSON");
    file.extend(text);
    file.extend(word(bin.len()));
    file.extend(b"BIN\0");
    file.extend(bin);
    file
}

/// Bytes of f32 numbers.
pub(crate) fn floats(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// Five corners, none of them symmetric to another.
pub(crate) const CORNERS: [f32; 15] =
    [0.0, 0.0, 0.0, 4.0, 0.0, 0.0, 4.0, 0.0, -3.0, 0.0, 0.0, -3.0, -1.0, 0.0, -2.0];

/// The JSON of a minimal file: one node, one mesh, one triangle over [`CORNERS`]. Tests change it.
pub(crate) fn triangle() -> Value {
    json!({
        "asset": { "version": "2.0" },
        "scene": 0,
        "scenes": [{ "nodes": [0] }],
        "nodes": [{ "mesh": 0, "name": "floor" }],
        "meshes": [{
            "name": "plate",
            "primitives": [{ "attributes": { "POSITION": 0 }, "indices": 1 }],
        }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 5,
              "min": [-1, 0, -3], "max": [4, 0, 0] },
            { "bufferView": 1, "componentType": 5121, "type": "SCALAR", "count": 3 },
        ],
        "bufferViews": [
            { "buffer": 0, "byteOffset": 0, "byteLength": 60 },
            { "buffer": 0, "byteOffset": 60, "byteLength": 3 },
        ],
        "buffers": [{ "byteLength": 63 }],
    })
}

/// The bytes that [`triangle`] describes.
pub(crate) fn triangle_bytes() -> Vec<u8> {
    [floats(&CORNERS), vec![0, 1, 2]].concat()
}

/// Loads [`triangle`] after `change`.
pub(crate) fn changed(change: impl FnOnce(&mut Value)) -> Result<World, LoadError> {
    let mut json = triangle();
    change(&mut json);
    load_gltf(glb(&json, &triangle_bytes()))
}

/// All triangles in world space, in the order of placements.
pub(crate) fn world_triangles(world: &World) -> Vec<[DVec3; 3]> {
    let mut all = Vec::new();
    for placement in world.placements() {
        let model = &world.models()[placement.model];
        all.extend(model.triangles.iter().map(|triangle| {
            placement.pose.triangle_to_world(triangle.map(|i| model.vertices[i as usize]))
        }));
    }
    all
}
