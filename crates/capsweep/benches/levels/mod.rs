//! Levels and query positions for the benchmarks.

use capsweep::scene::{Body, Filter, MeshOptions, Pose, Scene, TriMesh};
use capsweep::{Capsule, Motion, Sides};
use capsweep_testkit::{Rng, level};
use glam::{DVec3, Vec3, dvec3};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// The capsule of every query, as tall as a person (metres).
pub(crate) const RADIUS: f32 = 0.4;
pub(crate) const HALF_AXIS: f64 = 0.5;
/// Height of a start above the surface (metres).
const GAP: f64 = 0.02;

const STARTS: usize = 2_000;

/// A world and the positions of standing capsules in it.
pub(crate) struct Level {
    pub(crate) scene: Scene,
    pub(crate) starts: Vec<DVec3>,
}

/// The generated levels, then the files in `CAPSWEEP_MESHES`.
pub(crate) fn names() -> Vec<String> {
    let generated = ["stairs", "dungeon", "city", "terrain", "instances"].map(String::from);
    generated.into_iter().chain(files().into_keys()).collect()
}

/// OBJ files by name; none where the variable is not set.
fn files() -> BTreeMap<String, std::path::PathBuf> {
    let Some(folder) = std::env::var_os("CAPSWEEP_MESHES") else { return BTreeMap::new() };
    let entries = std::fs::read_dir(folder).expect("CAPSWEEP_MESHES names a folder");
    let paths = entries.map(|entry| entry.expect("a readable folder").path());
    paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "obj"))
        .filter_map(|path| Some((path.file_stem()?.to_str()?.to_owned(), path)))
        .collect()
}

/// The mesh of a level of one mesh.
pub(crate) fn mesh(name: &str) -> level::Mesh {
    match name {
        "stairs" => level::stairs(),
        "dungeon" => level::dungeon(),
        "city" => level::city_block(),
        "terrain" => level::terrain(708),
        file => read(&std::fs::read_to_string(&files()[file]).expect("a readable file")),
    }
}

/// Vertices and triangles of an OBJ file, rotated from Y up to Z up; polygons become fans.
fn read(text: &str) -> level::Mesh {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let kind = words.next();
        if kind == Some("v") {
            let [x, y, z] = [0; 3].map(|_| words.next().and_then(|word| word.parse().ok()));
            vertices.push(Vec3::new(x.expect("x"), -z.expect("z"), y.expect("y")));
        } else if kind == Some("f") {
            let corner =
                |word: &str| word.split('/').next().and_then(|word| word.parse::<u32>().ok());
            let corners: Vec<u32> =
                words.map(|word| corner(word).expect("an index") - 1).collect();
            triangles.extend(corners[1..].windows(2).map(|pair| [corners[0], pair[0], pair[1]]));
        }
    }
    (vertices, triangles)
}

pub(crate) fn tri_mesh((vertices, indices): &level::Mesh) -> TriMesh {
    TriMesh::new(vertices, indices, MeshOptions::default()).expect("a mesh within range")
}

/// 100 000 rotated and scaled instances of 50 meshes.
pub(crate) fn instances() -> Vec<Body> {
    let level::Instances { meshes, placements } = level::instances(100_000);
    let meshes: Vec<_> = meshes.iter().map(|mesh| Arc::new(tri_mesh(mesh))).collect();
    let body = |((mesh, pose), key): (&(usize, Pose), u64)| {
        Body::mesh(Arc::clone(&meshes[*mesh]), *pose).expect("in range").with_key(key)
    };
    placements.iter().zip(0..).map(body).collect()
}

/// A scene of these bodies, inserted in one edit.
pub(crate) fn scene_of(bodies: Vec<Body>) -> Scene {
    let mut scene = Scene::new();
    scene.edit(|edit| {
        for body in bodies {
            edit.insert(body);
        }
    });
    scene
}

/// A level by its name, made on first use.
pub(crate) fn level(name: &str) -> &'static Level {
    static KNOWN: Mutex<BTreeMap<String, &'static Level>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().expect("nobody panics while a level is made");
    known.entry(name.to_owned()).or_insert_with(|| Box::leak(Box::new(Level::new(name))))
}

impl Level {
    fn new(name: &str) -> Self {
        let (scene, corners) = if name == "instances" {
            let placements = level::instances(100_000).placements;
            (scene_of(instances()), placements.iter().map(|(_, pose)| pose.position()).collect())
        } else {
            let mesh = mesh(name);
            let body = Body::mesh(Arc::new(tri_mesh(&mesh)), Pose::IDENTITY).expect("in range");
            (
                scene_of(vec![body]),
                mesh.0.iter().map(|vertex| vertex.as_dvec3()).collect::<Vec<_>>(),
            )
        };
        let low = corners.iter().copied().reduce(DVec3::min).expect("a level is not empty");
        let high = corners.iter().copied().reduce(DVec3::max).expect("a level is not empty");
        let starts = standing(&scene, low, high, STARTS);
        let Some(starts) = starts else { panic!("too few capsules find a place in {name}") };
        Self { scene, starts }
    }
}

/// Random places between two corners of a level where a capsule stands; `None` if there are too
/// few.
pub(crate) fn standing(
    scene: &Scene,
    low: DVec3,
    high: DVec3,
    count: usize,
) -> Option<Vec<DVec3>> {
    let top = high.z + 2.0;
    let mut rng = Rng::new(&[3]);
    let mut starts = Vec::with_capacity(count);
    for _ in 0..500 * count {
        let [x, y] = [0, 1].map(|axis| rng.range(low[axis], high[axis]));
        let center = dvec3(x, y, rng.range(low.z, top));
        starts.extend(dropped(scene, center, top - low.z));
        if starts.len() == count {
            return Some(starts);
        }
    }
    None
}

pub(crate) fn capsule(center: DVec3) -> Capsule {
    Capsule::from_center(center, DVec3::Z * HALF_AXIS, RADIUS).expect("a capsule")
}

/// The position where a capsule that falls from `center` stands: on a surface that faces up,
/// without overlaps.
fn dropped(scene: &Scene, center: DVec3, height: f64) -> Option<DVec3> {
    let fall = Motion::new(DVec3::NEG_Z * height).expect("finite");
    let both = Filter { sides: Sides::Both, ..Filter::default() };
    let hit = scene.sweep(&capsule(center), &fall, &both)?.hit;
    let landed = center - DVec3::Z * (hit.distance - GAP);
    let stands = hit.distance >= GAP && hit.face_normal.z > 0.0;
    (stands && !scene.overlaps(&capsule(landed), &both)).then_some(landed)
}
