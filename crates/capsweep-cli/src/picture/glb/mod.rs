//! The level, the path, the contacts and the capsules as a GLB file, for any glTF viewer.
//!
//! All nodes have Z up and positions relative to the centre of the level, where f32 is precise.
//! The root node turns them to glTF's Y up and moves them back.

mod solids;
mod writer;

use super::Picture;
use super::extract::marks::{ContactKind, EventKind, contact_marks, events};
use super::extract::path::{Mode, mode_runs, path_points};
use super::style;
use crate::area::Area;
use anyhow::Result;
use capsweep::Aabb;
use capsweep::scene::{Filter, Scene, TriMesh};
use glam::{DVec3, Vec3};
use serde_json::json;
use solids::Solid;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use writer::{GlbWriter, Material};

/// Smallest distance between the points of the path, in metres.
const PATH_SPACING: f64 = 0.1;
/// Thickness of the path, in metres.
const PATH_THICKNESS: f64 = 0.05;
/// Height of the path over the ground, in metres, so that the ground does not hide it.
const PATH_LIFT: f64 = 0.04;

pub(super) fn write(picture: &Picture) -> Result<Vec<u8>> {
    let origin = picture.area.bounds.map_or(DVec3::ZERO, |all| all.center());
    let mut glb = GlbWriter::default();
    match picture.area {
        Area { bounds: Some(bounds), is_part: true, .. } => {
            add_part(&mut glb, &picture.level.scene, &bounds, origin);
        }
        _ => add_level(&mut glb, picture, origin),
    }
    add_path(&mut glb, picture, origin);
    add_contacts(&mut glb, picture, origin);
    add_capsules(&mut glb, picture, origin);
    glb.finish(origin)
}

fn add_level(glb: &mut GlbWriter, picture: &Picture, origin: DVec3) {
    let mut known: BTreeMap<*const TriMesh, usize> = BTreeMap::new();
    for (_, body) in picture.level.scene.bodies() {
        let Some((mesh, pose)) = body.instance() else { continue };
        let name = picture.level.names.body(body.key());
        let name = name.map_or_else(|| format!("body {}", body.key()), str::to_owned);
        let index = *known.entry(Arc::as_ptr(mesh)).or_insert_with(|| {
            let double_sided = mesh.double_sided_triangle_count() > 0;
            let material = Material { colour: style::LEVEL, double_sided };
            let triangles = (0..mesh.triangle_count()).filter_map(|index| mesh.triangle(index));
            glb.add_mesh(&name, &shared_vertices(triangles), material)
        });
        glb.add_node(json!({
            "name": name,
            "mesh": index,
            "translation": (pose.position() - origin).to_array(),
            "rotation": pose.rotation().to_array(),
            "scale": pose.scale().to_array(),
        }));
    }
}

/// Adds the triangles of a map in a box as one mesh.
fn add_part(glb: &mut GlbWriter, scene: &Scene, bounds: &Aabb, origin: DVec3) {
    let mut triangles = Vec::new();
    scene.triangles_seen_in(bounds, &Filter::default(), |shown| {
        triangles.push(shown.triangle.vertices().map(|corner| (corner - origin).as_vec3()));
    });
    let material = Material { colour: style::LEVEL, double_sided: true };
    glb.add_mesh_node("map", &shared_vertices(triangles.into_iter()), material);
}

/// Triangles with shared vertices.
fn shared_vertices(triangles: impl Iterator<Item = [Vec3; 3]>) -> Solid {
    let mut solid = Solid::default();
    let mut known: HashMap<[u32; 3], u32> = HashMap::new();
    for corners in triangles {
        solid.triangles.push(corners.map(|corner| {
            *known.entry(corner.to_array().map(f32::to_bits)).or_insert_with(|| {
                solid.vertices.push(corner);
                solid.vertices.len() as u32 - 1
            })
        }));
    }
    solid
}

fn add_path(glb: &mut GlbWriter, picture: &Picture, origin: DVec3) {
    let points = path_points(picture.ticks, picture.controller);
    let modes =
        [(Mode::Walking, "walking"), (Mode::InTheAir, "in the air"), (Mode::Carried, "carried")];
    for (mode, name) in modes {
        let mut solid = Solid::default();
        for (_, run) in mode_runs(&points).into_iter().filter(|(of, _)| *of == mode) {
            let mut from = run[0].feet;
            for (i, point) in run.iter().enumerate().skip(1) {
                if point.feet.distance(from) >= PATH_SPACING || i + 1 == run.len() {
                    let lift = DVec3::Z * PATH_LIFT - origin;
                    let ends = [from + lift, point.feet + lift];
                    solid.add_beam(ends, PATH_THICKNESS, PATH_THICKNESS);
                    from = point.feet;
                }
            }
        }
        let material = Material::single_sided(style::mode(mode));
        glb.add_mesh_node(&format!("path, {name}"), &solid, material);
    }
}

fn add_contacts(glb: &mut GlbWriter, picture: &Picture, origin: DVec3) {
    let marks = contact_marks(picture.ticks);
    let kinds = [
        (ContactKind::Wall, "walls"),
        (ContactKind::Step, "steps"),
        (ContactKind::Ceiling, "ceilings"),
        (ContactKind::Landing, "landings"),
    ];
    for (kind, name) in kinds {
        let mut solid = Solid::default();
        for mark in marks.iter().filter(|mark| mark.kind == kind) {
            solid.add_arrow(mark.point - origin, mark.normal.as_dvec3(), 0.4);
        }
        let material = Material::single_sided(style::contact(kind));
        glb.add_mesh_node(&format!("contacts with {name}"), &solid, material);
    }
}

/// Adds a capsule for each event. Events of one kind and height share a mesh.
fn add_capsules(glb: &mut GlbWriter, picture: &Picture, origin: DVec3) {
    let radius = f64::from(picture.controller.config().radius);
    let skin = f64::from(picture.controller.config().contact_offset);
    let mut known: Vec<((EventKind, f64), usize)> = Vec::new();
    for (number, event) in events(picture.ticks, picture.controller).iter().enumerate() {
        let key = (event.kind, event.height);
        let name = event_name(event.kind);
        let found = known.iter().find(|(other, _)| *other == key).map(|(_, mesh)| *mesh);
        let mesh = found.unwrap_or_else(|| {
            let material = Material::single_sided(style::event(event.kind).faded(110));
            let mesh = glb.add_mesh(name, &Solid::capsule(radius, event.height), material);
            known.push((key, mesh));
            mesh
        });
        let foot = event.feet + DVec3::Z * skin - origin;
        glb.add_node(json!({
            "name": format!("capsule {number}: {name}"),
            "mesh": mesh,
            "translation": foot.to_array(),
        }));
    }
}

fn event_name(kind: EventKind) -> &'static str {
    match kind {
        EventKind::Start => "start",
        EventKind::LegEnd => "end of a leg",
        EventKind::Blocked => "blocked",
        EventKind::TakeOff => "falls",
        EventKind::Landing => "lands",
    }
}
