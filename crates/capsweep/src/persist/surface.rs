//! Meshes and height fields of a file, by one numbering.

use crate::mesh::surface::SharedSurface;
use crate::persist::error::FileError;
use crate::persist::file::{Reader, Section, Sections};
use crate::persist::{field, mesh};
use std::sync::Arc;

/// Adds the sections of a surface; `number` is its number in the file.
pub(super) fn write(writer: &mut impl Sections, surface: &SharedSurface, number: u32) {
    match surface {
        SharedSurface::Mesh(mesh) => mesh::write(writer, mesh, number),
        SharedSurface::Field(field) => field::write(writer, field, number),
    }
}

/// Reads the surface with this number, and checks all that queries need.
pub(super) fn read(reader: &Reader, number: u32) -> Result<SharedSurface, FileError> {
    Ok(if reader.has(Section::FieldInfo, number) {
        SharedSurface::Field(Arc::new(field::read(reader, number)?))
    } else {
        SharedSurface::Mesh(Arc::new(mesh::read(reader, number)?))
    })
}

/// Reports every defect of a surface to `found`, and returns it if queries can use it.
pub(super) fn verify(
    reader: &Reader,
    number: u32,
    mut found: impl FnMut(FileError),
) -> Option<SharedSurface> {
    if !reader.has(Section::FieldInfo, number) {
        return Some(SharedSurface::Mesh(Arc::new(mesh::verify(reader, number, found)?)));
    }
    let field = field::read(reader, number).map_err(&mut found).ok()?;
    Some(SharedSurface::Field(Arc::new(field)))
}
