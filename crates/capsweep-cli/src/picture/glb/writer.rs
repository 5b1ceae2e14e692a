//! Writes the GLB container: buffers, accessors, meshes, materials, nodes.

use super::solids::Solid;
use crate::picture::canvas::Colour;
use anyhow::{Context, Result};
use glam::{DQuat, DVec3, Vec3};
use serde_json::{Value, json};

// Numbers of the glTF specification.
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;
const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;

#[derive(Debug, Clone, Copy)]
pub(super) struct Material {
    pub(super) colour: Colour,
    pub(super) double_sided: bool,
}

impl Material {
    pub(super) fn single_sided(colour: Colour) -> Self {
        Self { colour, double_sided: false }
    }
}

/// Collects the parts of a GLB file.
#[derive(Default)]
pub(super) struct GlbWriter {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    meshes: Vec<Value>,
    materials: Vec<Value>,
    nodes: Vec<Value>,
}

impl GlbWriter {
    pub(super) fn add_node(&mut self, node: Value) {
        self.nodes.push(node);
    }

    /// Adds a mesh and a node for it, unless the mesh is empty.
    pub(super) fn add_mesh_node(&mut self, name: &str, solid: &Solid, material: Material) {
        if !solid.triangles.is_empty() {
            let mesh = self.add_mesh(name, solid, material);
            self.add_node(json!({ "name": name, "mesh": mesh }));
        }
    }

    /// Adds a mesh. Returns its index.
    pub(super) fn add_mesh(&mut self, name: &str, solid: &Solid, material: Material) -> usize {
        let material = self.add_material(name, material);
        let low = solid.vertices.iter().fold(Vec3::INFINITY, |low, v| low.min(*v));
        let high = solid.vertices.iter().fold(Vec3::NEG_INFINITY, |high, v| high.max(*v));
        let numbers = solid.vertices.iter().flat_map(Vec3::to_array).flat_map(f32::to_le_bytes);
        let view = self.add_view(numbers, ARRAY_BUFFER);
        let positions = self.add_accessor(json!({
            "bufferView": view, "componentType": FLOAT, "count": solid.vertices.len(),
            "type": "VEC3", "min": low.to_array(), "max": high.to_array(),
        }));
        let corners = solid.triangles.iter().flatten().copied().flat_map(u32::to_le_bytes);
        let view = self.add_view(corners, ELEMENT_ARRAY_BUFFER);
        let indices = self.add_accessor(json!({
            "bufferView": view, "componentType": UNSIGNED_INT, "count": 3 * solid.triangles.len(),
            "type": "SCALAR",
        }));
        let attributes = json!({ "POSITION": positions });
        self.meshes.push(json!({
            "name": name,
            "primitives": [
                { "attributes": attributes, "indices": indices, "material": material },
            ],
        }));
        self.meshes.len() - 1
    }

    fn add_material(&mut self, name: &str, material: Material) -> usize {
        let Colour([r, g, b, alpha]) = material.colour;
        // Colours in glTF are linear; ours are sRGB, about a gamma of 2.2.
        let [r, g, b] = [r, g, b].map(|channel| (f64::from(channel) / 255.0).powf(2.2));
        let mut json = json!({
            "name": name,
            "doubleSided": material.double_sided,
            "pbrMetallicRoughness": {
                "baseColorFactor": [r, g, b, f64::from(alpha) / 255.0],
                "metallicFactor": 0.0,
                "roughnessFactor": 0.9,
            },
        });
        if alpha < 255 {
            json["alphaMode"] = json!("BLEND");
        }
        self.materials.push(json);
        self.materials.len() - 1
    }

    fn add_view(&mut self, bytes: impl Iterator<Item = u8>, target: u32) -> usize {
        let offset = self.bytes.len();
        self.bytes.extend(bytes);
        self.views.push(json!({
            "buffer": 0, "byteOffset": offset, "byteLength": self.bytes.len() - offset,
            "target": target,
        }));
        self.views.len() - 1
    }

    fn add_accessor(&mut self, accessor: Value) -> usize {
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    /// The bytes of the file: header, JSON chunk and binary chunk, each padded to four bytes.
    ///
    /// A root node turns the Z-up nodes to glTF's Y up and moves them from `origin` to the world.
    pub(super) fn finish(mut self, origin: DVec3) -> Result<Vec<u8>> {
        let children: Vec<usize> = (0..self.nodes.len()).collect();
        let turn = DQuat::from_rotation_x(-std::f64::consts::FRAC_PI_2);
        self.nodes.push(json!({
            "name": "Z up",
            "children": children,
            "rotation": turn.to_array(),
            "translation": [origin.x, origin.z, -origin.y],
        }));
        let generator = concat!("capsweep ", env!("CARGO_PKG_VERSION"));
        let document = json!({
            "asset": { "version": "2.0", "generator": generator },
            "scene": 0,
            "scenes": [{ "nodes": [self.nodes.len() - 1] }],
            "nodes": self.nodes,
            "meshes": self.meshes,
            "materials": self.materials,
            "accessors": self.accessors,
            "bufferViews": self.views,
            "buffers": [{ "byteLength": self.bytes.len() }],
        });
        let mut json = serde_json::to_vec(&document)?;
        json.resize(json.len().next_multiple_of(4), b' ');
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let size = |length: usize| u32::try_from(length).context("too large for a GLB file: 4 GB");
        let total = size(12 + 8 + json.len() + 8 + self.bytes.len())?;
        let mut glb = Vec::with_capacity(total as usize);
        glb.extend(b"glTF");
        glb.extend([2, total].into_iter().flat_map(u32::to_le_bytes));
        for (kind, chunk) in [(b"JSON", &json), (b"BIN\0", &self.bytes)] {
            glb.extend(size(chunk.len())?.to_le_bytes());
            glb.extend(kind);
            glb.extend(chunk);
        }
        Ok(glb)
    }
}
