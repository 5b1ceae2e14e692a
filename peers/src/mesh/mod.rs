//! The triangle worlds that every engine is asked about: Z up, metres, counter-clockwise fronts.

mod solids;
mod world;

use anyhow::Result;
use capsweep_formats::LoadOptions;
use capsweep_testkit::level;
use glam::Vec3;
use std::path::{Path, PathBuf};

pub(crate) use solids::Solids;
pub(crate) use world::{Instance, World, world};

/// What an engine is built from: one mesh, or many copies of many.
pub(crate) trait Geometry {
    /// What tables call it.
    fn name(&self) -> &str;

    /// Triangles, those of every copy counted.
    fn triangles(&self) -> usize;

    /// Copies of meshes; `None` for a mesh by itself.
    fn instances(&self) -> Option<usize>;
}

/// A triangle mesh as files and generators give it.
#[derive(Clone)]
pub(crate) struct Mesh {
    /// What tables call it.
    pub(crate) name: String,
    /// Corner positions.
    pub(crate) vertices: Vec<Vec3>,
    /// Three indices into `vertices` each.
    pub(crate) triangles: Vec<[u32; 3]>,
}

impl Geometry for Mesh {
    fn name(&self) -> &str {
        &self.name
    }

    fn triangles(&self) -> usize {
        self.triangles.len()
    }

    fn instances(&self) -> Option<usize> {
        None
    }
}

impl Mesh {
    /// The corners of triangle `index`.
    pub(crate) fn corners(&self, index: usize) -> [Vec3; 3] {
        self.triangles[index].map(|corner| self.vertices[corner as usize])
    }
}

/// Real levels that belong to the table, where they are present.
const REAL: [&str; 3] = ["dungeon", "nav_test", "building"];

/// The real levels in the folder that `CAPSWEEP_MESHES` names.
///
/// What is absent is skipped with a message: a clone has none.
pub(crate) fn real() -> Result<Vec<Mesh>> {
    let Some(folder) = std::env::var_os("CAPSWEEP_MESHES").map(PathBuf::from) else {
        eprintln!("{}: skipped, CAPSWEEP_MESHES names no folder", REAL.join(", "));
        return Ok(Vec::new());
    };
    let mut meshes = Vec::new();
    for name in REAL {
        let path = folder.join(format!("{name}.obj"));
        if path.is_file() {
            meshes.push(load(&path)?);
        } else {
            eprintln!("{name}: skipped, {} is not there", path.display());
        }
    }
    Ok(meshes)
}

/// The generated levels of capsweep's test kit: a dungeon, a city block and a million triangles of hills.
pub(crate) fn generated() -> [Mesh; 3] {
    let named = |name: &str, (vertices, triangles): level::Mesh| Mesh {
        name: name.to_owned(),
        vertices,
        triangles,
    };
    [
        named("gen-dungeon", level::dungeon()),
        named("gen-city", level::city_block()),
        named("terrain", level::terrain(708)),
    ]
}

/// All triangles of an OBJ or glTF file, where they stand.
///
/// # Errors
/// If the file cannot be read.
pub(crate) fn load(path: &Path) -> Result<Mesh> {
    let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let world = capsweep_formats::load(path, &LoadOptions::default())?;
    let mut mesh = Mesh { name, vertices: Vec::new(), triangles: Vec::new() };
    for placement in world.placements() {
        let (model, pose) = (&world.models()[placement.model], placement.pose);
        let first = mesh.vertices.len() as u32;
        let placed = |vertex: &Vec3| pose.point_to_world(vertex.as_dvec3()).as_vec3();
        mesh.vertices.extend(model.vertices.iter().map(placed));
        mesh.triangles.extend(model.triangles.iter().map(|triangle| {
            let [a, b, c] = triangle.map(|corner| first + corner);
            if pose.is_mirrored() { [a, c, b] } else { [a, b, c] }
        }));
    }
    Ok(mesh)
}

/// The real levels that are there, the generated ones and those of `files`.
///
/// # Errors
/// If one of the files cannot be read.
pub(crate) fn all(files: &[PathBuf]) -> Result<Vec<Mesh>> {
    let mut meshes = real()?;
    meshes.extend(generated());
    for path in files {
        meshes.push(load(path)?);
    }
    Ok(meshes)
}
