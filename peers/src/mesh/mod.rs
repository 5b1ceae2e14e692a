//! The triangle worlds that every engine is asked about: Z up, metres, counter-clockwise fronts.

mod generate;
mod obj;
mod solids;
mod terrain;
mod world;

use anyhow::{Context, Result, bail};
use glam::Vec3;
use std::path::{Path, PathBuf};

pub(crate) use generate::{city, dungeon};
pub(crate) use terrain::terrain;
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

/// The real levels: from `CAPSWEEP_MESHES`, or from `shared/data/meshes` beside the repository.
///
/// One that is absent is skipped with a message: a clone has none.
pub(crate) fn real() -> Result<Vec<Mesh>> {
    let folder = std::env::var_os("CAPSWEEP_MESHES").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/meshes"),
        PathBuf::from,
    );
    let mut meshes = Vec::new();
    for name in REAL {
        let path = folder.join(format!("{name}.obj"));
        if path.is_file() {
            meshes.push(load(&path)?);
        } else {
            eprintln!(
                "{name}: skipped, {} is not there (CAPSWEEP_MESHES names the folder)",
                path.display()
            );
        }
    }
    Ok(meshes)
}

/// A mesh from an OBJ file, taken as Y up (as OBJ exporters write it) and turned to Z up.
pub(crate) fn load(path: &Path) -> Result<Mesh> {
    let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("obj" | "OBJ") => {}
        _ => bail!("{}: not an .obj file", path.display()),
    }
    let text =
        std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    let (mut vertices, triangles) =
        obj::parse(&text).with_context(|| path.display().to_string())?;
    for vertex in &mut vertices {
        *vertex = Vec3::new(vertex.x, -vertex.z, vertex.y);
    }
    Ok(Mesh { name, vertices, triangles })
}
