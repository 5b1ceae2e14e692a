use crate::buffer::Buffer;
use crate::persist::error::FileError;
use crate::persist::file::{Content, Head, NO_MESH, Reader, Section};
use crate::persist::{mesh, scene};
use crate::scene::TriMesh;
use std::sync::Arc;

/// Findings that are kept; further ones are counted.
const MOST_FINDINGS: usize = 100;

/// What a check of a whole file found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Verification {
    /// How many bytes the file has.
    pub bytes: u64,
    /// How many meshes it describes.
    pub meshes: u32,
    /// Triangles of the meshes that are sound.
    pub triangles: u64,
    /// How many bodies it describes; 0 for the file of a mesh.
    pub bodies: u64,
    /// The [notes](crate::scene::Scene::to_bytes_with_notes) of a scene.
    pub notes: Vec<u8>,
    /// What is wrong, the first hundred findings; none if the file is sound.
    pub findings: Vec<FileError>,
    /// How many more there are.
    pub more: u64,
}

impl Verification {
    /// Whether nothing is wrong.
    pub fn is_sound(&self) -> bool {
        self.findings.is_empty()
    }

    fn add(&mut self, finding: FileError) {
        if self.findings.len() < MOST_FINDINGS {
            self.findings.push(finding);
        } else {
            self.more += 1;
        }
    }
}

/// Checks the bytes of a mesh or a scene wholly, and tells everything that is wrong, not only the
/// first.
///
/// Opening a file checks what queries need: length, checksum, every index, box, corner and body.
/// This also checks each section's own checksum, so that damage has a place; that unused bytes are
/// 0; how triangles join their neighbours; and that each body is as it would be written.
/// It checks what it can where the checksum is wrong. It takes as long as building the meshes.
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
    // The checksum of a file that was cut off says nothing new.
    let whole = head.check_length(bytes.as_ref()).and_then(|()| head.check_sum(bytes.as_ref()));
    for checked in [whole, head.check_unused()] {
        checked.unwrap_or_else(|error| all.add(error));
    }
    let reader = match Reader::of_sections(bytes, &head) {
        Ok(reader) => reader,
        Err(error) => {
            all.add(error);
            return all;
        }
    };
    reader.check_sections(|finding| all.add(finding));
    let is_mesh = head.content == Content::Mesh as u32;
    if !is_mesh && head.content != Content::Scene as u32 {
        all.add(FileError::WrongContent { found: head.content, wanted: "scene" });
        return all;
    }
    // A mesh without a description is still one that is missing.
    all.meshes = if is_mesh { 1 } else { reader.meshes() };
    let meshes: Vec<Option<Arc<TriMesh>>> = (0..all.meshes)
        .map(|number| mesh::verify(&reader, number, |finding| all.add(finding)).map(Arc::new))
        .collect();
    all.triangles = meshes.iter().flatten().map(|mesh| mesh.triangle_count() as u64).sum();
    if is_mesh {
        return all;
    }
    all.bodies = scene::verify_bodies(&reader, &meshes, |finding| all.add(finding)) as u64;
    match reader.find(Section::Notes, NO_MESH) {
        Ok(notes) => all.notes = notes.map_or_else(Vec::new, |notes: Buffer<u8>| notes.to_vec()),
        Err(error) => all.add(error),
    }
    all
}
