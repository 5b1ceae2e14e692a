//! The level, the path, the contacts and the capsules as a GLB file, for any viewer of glTF.
//!
//! Everything is written with Z up, around the middle of the level; one node turns it to glTF's Y up and puts it where it belongs.

use super::Picture;
use super::canvas::Colour;
use super::marks::{Happening, Touch, events, marks};
use super::path::{Mode, places, stretches};
use super::solids::Solid;
use super::style;
use crate::load::bounds;
use anyhow::{Context, Result};
use capsweep::scene::TriMesh;
use glam::{DQuat, DVec3, Vec3};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::collections::HashMap;
use std::sync::Arc;

/// Metres between the points of the path.
const PATH_STEP: f64 = 0.1;

pub(super) fn write(picture: &Picture) -> Result<Vec<u8>> {
    let middle = bounds(&picture.level.scene).map_or(DVec3::ZERO, |all| all.center());
    let mut file = File::new();
    add_level(&mut file, picture, middle);
    add_path(&mut file, picture, middle);
    add_contacts(&mut file, picture, middle);
    add_capsules(&mut file, picture, middle);
    file.finish(middle)
}

fn add_level(file: &mut File, picture: &Picture, middle: DVec3) {
    let mut known: BTreeMap<*const TriMesh, usize> = BTreeMap::new();
    for (_, body) in picture.level.scene.bodies() {
        let Some((mesh, pose)) = body.instance() else { continue };
        let name = picture.level.names.body(body.key());
        let name = name.map_or_else(|| format!("body {}", body.key()), str::to_owned);
        let number = *known.entry(Arc::as_ptr(mesh)).or_insert_with(|| {
            let sides = mesh.is_double_sided();
            let paint = Paint { colour: LEVEL, double_sided: sides };
            file.mesh(&name, &solid_of(mesh), paint)
        });
        file.nodes.push(json!({
            "name": name,
            "mesh": number,
            "translation": (pose.position() - middle).to_array(),
            "rotation": pose.rotation().to_array(),
            "scale": pose.scale().to_array(),
        }));
    }
}

const LEVEL: Colour = Colour::rgb(200, 205, 212);

/// Triangles with the vertices they share.
fn solid_of(mesh: &TriMesh) -> Solid {
    let mut solid = Solid::default();
    let mut known: HashMap<[u32; 3], u32> = HashMap::new();
    for corners in (0..mesh.triangle_count()).filter_map(|index| mesh.triangle(index)) {
        solid.triangles.push(corners.map(|corner| {
            *known.entry(corner.to_array().map(f32::to_bits)).or_insert_with(|| {
                solid.vertices.push(corner);
                solid.vertices.len() as u32 - 1
            })
        }));
    }
    solid
}

fn add_path(file: &mut File, picture: &Picture, middle: DVec3) {
    let places = places(picture.ticks, picture.controller);
    let modes =
        [(Mode::Walking, "walking"), (Mode::InTheAir, "in the air"), (Mode::Carried, "carried")];
    for (mode, name) in modes {
        let mut solid = Solid::default();
        for (_, stretch) in stretches(&places).into_iter().filter(|(of, _)| *of == mode) {
            let mut from = stretch[0].feet;
            for (i, place) in stretch.iter().enumerate().skip(1) {
                if place.feet.distance(from) >= PATH_STEP || i + 1 == stretch.len() {
                    // A little over the ground, so that it can be seen.
                    let lift = DVec3::Z * 0.04 - middle;
                    solid.beam([from + lift, place.feet + lift], 0.05, 0.05);
                    from = place.feet;
                }
            }
        }
        file.place(&format!("path, {name}"), &solid, Paint::solid(mode.colour()));
    }
}

fn add_contacts(file: &mut File, picture: &Picture, middle: DVec3) {
    let marks = marks(picture.ticks);
    let touches = [
        (Touch::Wall, "walls"),
        (Touch::Step, "steps"),
        (Touch::Ceiling, "ceilings"),
        (Touch::Landing, "landings"),
    ];
    for (touch, name) in touches {
        let mut solid = Solid::default();
        for mark in marks.iter().filter(|mark| mark.touch == touch) {
            solid.pointer(mark.point - middle, mark.normal.as_dvec3(), 0.4);
        }
        file.place(&format!("contacts with {name}"), &solid, Paint::solid(style::touch(touch)));
    }
}

fn add_capsules(file: &mut File, picture: &Picture, middle: DVec3) {
    let radius = f64::from(picture.controller.config().radius);
    let skin = f64::from(picture.controller.config().contact_offset);
    let mut known: Vec<((Happening, f64), usize)> = Vec::new();
    for (number, event) in events(picture.ticks, picture.controller).iter().enumerate() {
        let kind = (event.happening, event.height);
        let name = format!("capsule {number}: {}", word(event.happening));
        let found = known.iter().find(|(other, _)| *other == kind).map(|(_, mesh)| *mesh);
        let mesh = found.unwrap_or_else(|| {
            let paint = Paint::solid(style::happening(event.happening).faded(110));
            let mesh =
                file.mesh(word(event.happening), &Solid::capsule(radius, event.height), paint);
            known.push((kind, mesh));
            mesh
        });
        let foot = event.feet + DVec3::Z * skin - middle;
        file.nodes.push(json!({ "name": name, "mesh": mesh, "translation": foot.to_array() }));
    }
}

fn word(happening: Happening) -> &'static str {
    match happening {
        Happening::Start => "start",
        Happening::LegEnd => "end of a leg",
        Happening::Blocked => "blocked",
        Happening::TakeOff => "falls",
        Happening::Landing => "lands",
    }
}

#[derive(Debug, Clone, Copy)]
struct Paint {
    colour: Colour,
    double_sided: bool,
}

impl Paint {
    fn solid(colour: Colour) -> Self {
        Self { colour, double_sided: false }
    }
}

/// A GLB file in the making.
struct File {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    meshes: Vec<Value>,
    materials: Vec<Value>,
    nodes: Vec<Value>,
}

impl File {
    fn new() -> Self {
        Self {
            bytes: Vec::new(),
            views: Vec::new(),
            accessors: Vec::new(),
            meshes: Vec::new(),
            materials: Vec::new(),
            nodes: Vec::new(),
        }
    }

    /// A mesh where it stands; nothing, if it is empty.
    fn place(&mut self, name: &str, solid: &Solid, paint: Paint) {
        if !solid.triangles.is_empty() {
            let mesh = self.mesh(name, solid, paint);
            self.nodes.push(json!({ "name": name, "mesh": mesh }));
        }
    }

    /// The number of a new mesh.
    fn mesh(&mut self, name: &str, solid: &Solid, paint: Paint) -> usize {
        let material = self.material(name, paint);
        let low = solid.vertices.iter().fold(Vec3::INFINITY, |low, v| low.min(*v));
        let high = solid.vertices.iter().fold(Vec3::NEG_INFINITY, |high, v| high.max(*v));
        let numbers = solid.vertices.iter().flat_map(Vec3::to_array).flat_map(f32::to_le_bytes);
        let view = self.view(numbers, 34962);
        let positions = self.accessor(json!({
            "bufferView": view, "componentType": 5126, "count": solid.vertices.len(), "type": "VEC3",
            "min": low.to_array(), "max": high.to_array(),
        }));
        let corners = solid.triangles.iter().flatten().copied().flat_map(u32::to_le_bytes);
        let view = self.view(corners, 34963);
        let indices = self.accessor(json!({
            "bufferView": view, "componentType": 5125, "count": 3 * solid.triangles.len(), "type": "SCALAR",
        }));
        self.meshes.push(json!({
            "name": name,
            "primitives": [{ "attributes": { "POSITION": positions }, "indices": indices, "material": material }],
        }));
        self.meshes.len() - 1
    }

    fn material(&mut self, name: &str, paint: Paint) -> usize {
        let Colour([r, g, b, alpha]) = paint.colour;
        // glTF's colours are linear light.
        let [r, g, b] = [r, g, b].map(|channel| (f64::from(channel) / 255.0).powf(2.2));
        let mut material = json!({
            "name": name,
            "doubleSided": paint.double_sided,
            "pbrMetallicRoughness": {
                "baseColorFactor": [r, g, b, f64::from(alpha) / 255.0], "metallicFactor": 0.0, "roughnessFactor": 0.9,
            },
        });
        if alpha < 255 {
            material["alphaMode"] = json!("BLEND");
        }
        self.materials.push(material);
        self.materials.len() - 1
    }

    fn view(&mut self, bytes: impl Iterator<Item = u8>, target: u32) -> usize {
        let offset = self.bytes.len();
        self.bytes.extend(bytes);
        self.views.push(json!({
            "buffer": 0, "byteOffset": offset, "byteLength": self.bytes.len() - offset, "target": target,
        }));
        self.views.len() - 1
    }

    fn accessor(&mut self, accessor: Value) -> usize {
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    /// The container: a head, the JSON and the numbers, each padded to four bytes.
    fn finish(mut self, middle: DVec3) -> Result<Vec<u8>> {
        let children: Vec<usize> = (0..self.nodes.len()).collect();
        let turn = DQuat::from_rotation_x(-std::f64::consts::FRAC_PI_2);
        self.nodes.push(json!({
            "name": "Z up",
            "children": children,
            "rotation": turn.to_array(),
            "translation": [middle.x, middle.z, -middle.y],
        }));
        let document = json!({
            "asset": { "version": "2.0", "generator": concat!("capsweep ", env!("CARGO_PKG_VERSION")) },
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
