//! [`verify()`]: a complete check of a file.

use crate::buffer::Buffer;
use crate::mesh::sides::DoubleSided;
use crate::mesh::surface::SharedSurface;
use crate::persist::error::FileError;
use crate::persist::file::{FIELDS, FileKind, Head, NO_MESH, OWN_SIDES, Reader, Section};
use crate::persist::liquid::{self, LoadedSource};
use crate::persist::{map, scene, surface};
use crate::scene::LiquidSheet;
use std::sync::Arc;

/// Number of findings that are listed; further ones are only counted.
const MAX_FINDINGS: usize = 100;

/// The result of [`verify()`].
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Verification {
    /// Length of the file.
    pub bytes: u64,
    /// Number of meshes.
    pub meshes: u32,
    /// Number of height fields.
    pub fields: u32,
    /// Number of triangles of the valid meshes.
    pub triangles: u64,
    /// Number of triangles of the valid height fields, holes included.
    pub implicit_triangles: u64,
    /// Number of bodies; 0 for a mesh file.
    pub bodies: u64,
    /// Number of liquids.
    pub liquids: u64,
    /// The [notes](crate::scene::Scene::to_bytes_with_notes) of a scene.
    pub notes: Vec<u8>,
    /// The first hundred defects; empty if the file is sound.
    pub findings: Vec<FileError>,
    /// Number of further defects.
    pub more: u64,
}

impl Verification {
    /// Whether no defect was found.
    pub fn is_sound(&self) -> bool {
        self.findings.is_empty()
    }

    fn add(&mut self, finding: FileError) {
        if self.findings.len() < MAX_FINDINGS {
            self.findings.push(finding);
        } else {
            self.more += 1;
        }
    }
}

/// Checks the bytes of a mesh or a scene completely, and lists all defects, not only the first.
///
/// Opening a file checks what queries need: length, checksum, every index, box, corner and body.
/// This also checks each section's own checksum, which locates damage. It checks that unused bytes
/// are 0, how triangles join their neighbours, and that each body is as it would be written. If
/// the checksum of the file is wrong, it still checks the rest. It takes as long as building the
/// meshes.
///
/// The notes are not checked: their meaning is the caller's.
pub fn verify(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Verification {
    let mut all = Verification { bytes: bytes.as_ref().len() as u64, ..Verification::default() };
    let head = match Head::read(bytes.as_ref()) {
        Ok(head) => head,
        Err(error) => {
            all.add(error);
            return all;
        }
    };
    // A file of the wrong length always has the wrong checksum too.
    // The checksum of a map covers only its table, and the reader checks it.
    let is_map = head.kind == FileKind::Map as u32;
    let whole = head.check_length(bytes.as_ref());
    let whole = whole.and_then(|()| if is_map { Ok(()) } else { head.check_sum(bytes.as_ref()) });
    for checked in [whole, head.check_unused()] {
        checked.unwrap_or_else(|error| all.add(error));
    }
    let reader = match Reader::from_head(bytes, &head) {
        Ok(reader) => reader,
        Err(error) => {
            all.add(error);
            return all;
        }
    };
    if is_map {
        head.check_table_sum(reader.entries()).unwrap_or_else(|error| all.add(error));
    }
    reader.check_sections(|finding| all.add(finding));
    let is_mesh = head.kind == FileKind::Mesh as u32;
    if !is_mesh && !is_map && head.kind != FileKind::Scene as u32 {
        all.add(FileError::WrongContent { found: head.kind, wanted: "scene" });
        return all;
    }
    // A mesh file without a mesh description lacks one mesh.
    let count = if is_mesh { 1 } else { reader.surfaces() };
    let is_field = |number: &u32| reader.has(Section::FieldInfo, *number);
    let is_sheet = |number: &u32| liquid::is_sheet(&reader, *number);
    all.fields = (0..count).filter(is_field).count() as u32;
    all.meshes = count - all.fields - (0..count).filter(is_sheet).count() as u32;
    let (surfaces, sheets) = verify_owners(&reader, count, &mut all);
    let needed = if is_map { FIELDS } else { needed_version(&reader, &surfaces) };
    // A mesh without flags of sides may state version 2: it answers the same.
    if head.version() != needed && head.version().max(needed) == FIELDS {
        all.add(FileError::OtherVersion { found: head.version(), needed });
    }
    for surface in surfaces.iter().flatten() {
        match surface {
            SharedSurface::Mesh(mesh) => all.triangles += u64::from(mesh.triangle_count()),
            SharedSurface::Field(field) => {
                all.implicit_triangles += u64::from(field.triangle_count());
            }
        }
    }
    if is_mesh {
        return all;
    }
    all.bodies = scene::verify_bodies(&reader, &surfaces, |finding| all.add(finding)) as u64;
    let source = LoadedSource { surfaces: &surfaces, sheets: &sheets };
    match liquid::read(&reader, &source) {
        Ok(liquids) => all.liquids = liquids.map_or(0, |liquids| liquids.placed().len() as u64),
        Err(error) => all.add(error),
    }
    if is_map {
        map::verify(&reader, &surfaces, |finding| all.add(finding));
    }
    match reader.find(Section::Notes, NO_MESH) {
        Ok(notes) => all.notes = notes.map_or_else(Vec::new, |notes: Buffer<u8>| notes.to_vec()),
        Err(error) => all.add(error),
    }
    all
}

/// The first version of the format that can hold the content of a scene.
fn needed_version(reader: &Reader, surfaces: &[Option<SharedSurface>]) -> u32 {
    let has_own_sides =
        |surface: &SharedSurface| surface.as_surface().double_sided() == DoubleSided::Some;
    if reader.needs_fields() {
        FIELDS
    } else if surfaces.iter().flatten().any(has_own_sides) {
        OWN_SIDES
    } else {
        1
    }
}

type Sheets = Vec<Option<Arc<LiquidSheet>>>;

/// Checks all meshes, height fields and liquid sheets; `None` for those that are damaged or of the
/// other kind.
fn verify_owners(
    reader: &Reader,
    count: u32,
    all: &mut Verification,
) -> (Vec<Option<SharedSurface>>, Sheets) {
    let (mut surfaces, mut sheets) = (Vec::new(), Vec::new());
    for number in 0..count {
        let is_sheet = liquid::is_sheet(reader, number);
        let sheet = is_sheet.then(|| liquid::read_sheet(reader, number));
        surfaces.push(match &sheet {
            Some(_) => None,
            None => surface::verify(reader, number, |finding| all.add(finding)),
        });
        let sheet = sheet.transpose().map_err(|error| all.add(error)).ok().flatten();
        sheets.push(sheet.map(Arc::new));
    }
    (surfaces, sheets)
}
