//! Files that the tests write.

use std::path::{Path, PathBuf};

/// A floor of wood and a wall of stone at x = 4, Y up: in the world the floor is at z = 0.
pub(crate) const ROOM: &str = "\
o floor
usemtl wood
v -4 0 4
v 4 0 4
v 4 0 -5
v -4 0 -5
f 1 2 3 4
o wall
usemtl stone
v 4 3 4
v 4 3 -5
f 2 5 6 3
";

/// The folder of one test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("command").join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

pub(crate) fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

/// Writes a file and returns its path.
pub(crate) fn file(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> String {
    std::fs::write(folder.join(name), content).unwrap();
    path(folder, name)
}

/// Binary glTF: two nodes that share a mesh, a plate of slate of 8 by 8 m, the second 3 m higher.
pub(crate) fn level_glb() -> Vec<u8> {
    let mut json = serde_json::json!({
        "asset": { "version": "2.0" },
        "scene": 0,
        "scenes": [{ "nodes": [0, 1] }],
        "nodes": [
            { "mesh": 0, "name": "ground" },
            { "mesh": 0, "name": "roof", "translation": [0.0, 3.0, 0.0] },
        ],
        "materials": [{ "name": "slate" }],
        "meshes": [{
            "primitives": [{ "attributes": { "POSITION": 0 }, "material": 0, "mode": 5 }],
        }],
        "accessors": [{ "bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 4,
            "min": [-4, 0, -4], "max": [4, 0, 4] }],
        "bufferViews": [{ "buffer": 0, "byteLength": 48 }],
        "buffers": [{ "byteLength": 48 }],
    })
    .to_string();
    json.extend(std::iter::repeat_n(' ', json.len().next_multiple_of(4) - json.len()));
    // A strip: two triangles, counter-clockwise seen from above.
    let corners: [f32; 12] = [-4.0, 0.0, 4.0, 4.0, 0.0, 4.0, -4.0, 0.0, -4.0, 4.0, 0.0, -4.0];
    let corners = corners.iter().flat_map(|number| number.to_le_bytes());
    glb(json.as_bytes(), &corners.collect::<Vec<u8>>())
}

/// A binary glTF file.
pub(crate) fn glb(json: &[u8], buffer: &[u8]) -> Vec<u8> {
    let word = |number: usize| (number as u32).to_le_bytes();
    let length = 12 + 8 + json.len() + 8 + buffer.len();
    let head = [&b"glTF"[..], &word(2), &word(length)].concat();
    let json = [&word(json.len())[..], b"JSON", json].concat();
    [head, json, word(buffer.len()).to_vec(), b"BIN\0".to_vec(), buffer.to_vec()].concat()
}
