//! Meshes of OBJ files.

use crate::level::Mesh;
use glam::vec3;

/// The triangles of an OBJ file with Y up, turned to Z up.
///
/// # Panics
/// If a line is not a valid vertex or face.
pub fn from_obj(text: &str) -> Mesh {
    let (mut vertices, mut indices) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                let mut number =
                    || words.next().and_then(|word| word.parse::<f32>().ok()).expect("a number");
                let [x, y, z] = [number(), number(), number()];
                vertices.push(vec3(x, -z, y));
            }
            Some("f") => {
                let corner = |word: &str| {
                    let index = word.split('/').next().and_then(|index| index.parse::<u32>().ok());
                    index.expect("the number of a vertex") - 1
                };
                let face: Vec<u32> = words.map(corner).collect();
                indices.extend((2..face.len()).map(|i| [face[0], face[i - 1], face[i]]));
            }
            _ => {}
        }
    }
    (vertices, indices)
}
