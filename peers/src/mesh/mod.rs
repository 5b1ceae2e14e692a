//! The meshes and worlds of all measurements: Z up, metres, counter-clockwise fronts.

mod solids;
mod terrain;
mod world;

use anyhow::Result;
use capsweep_formats::LoadOptions;
use capsweep_testkit::level;
use glam::Vec3;
use std::path::{Path, PathBuf};

pub(crate) use solids::Solids;
pub(crate) use terrain::{HEIGHT_STEP, Terrain, terrain};
pub(crate) use world::{Instance, World, world};

/// Input of an engine: one mesh, one height field, or many instances of many meshes.
pub(crate) trait Geometry {
    /// The name in tables.
    fn name(&self) -> &str;

    /// Number of triangles, those of every instance counted.
    fn triangles(&self) -> usize;

    /// Number of instances; `None` for a single mesh.
    fn instances(&self) -> Option<usize>;
}

/// A triangle mesh from a file or a generator.
#[derive(Clone)]
pub(crate) struct Mesh {
    /// The name in tables.
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

/// Names of the real levels.
const REAL: [&str; 3] = ["dungeon", "nav_test", "building"];

/// Loads the real levels from the folder in `CAPSWEEP_MESHES`.
///
/// Missing files are skipped with a message, because the repository has none of them.
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

/// The generated levels of capsweep's test kit: a dungeon, a city block and hills of a million
/// triangles.
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

/// Loads all triangles of an OBJ or glTF file, in world space.
///
/// # Errors
/// If the file cannot be read.
pub(crate) fn load(path: &Path) -> Result<Mesh> {
    let name =
        path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
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

/// The available real levels, the generated ones, and those of `files`.
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
