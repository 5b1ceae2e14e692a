//! Scenes as bytes.

use crate::buffer::Buffer;
use crate::mesh::surface::SharedSurface;
use crate::persist::error::FileError;
use crate::persist::file::{FileKind, NO_MESH, Reader, Section, Sections, Writer};
use crate::persist::liquid::{self, LoadedSource};
use crate::persist::record::Record;
use crate::persist::surface;
use crate::scene::Scene;
use std::collections::BTreeMap;
use std::sync::Arc;

impl Scene {
    /// The scene as the bytes of a file, for [`Scene::from_bytes`]: all its
    /// [bodies](Scene::bodies), each mesh and height field once,
    /// and its liquids.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.to_bytes_with_notes(&[])
    }

    /// As [`Scene::to_bytes`], with bytes of the caller's own in the same file and under the same
    /// checksum, such as the names of bodies and tags. [`Scene::from_bytes_with_notes`] returns
    /// them.
    pub fn to_bytes_with_notes(&self, notes: &[u8]) -> Vec<u8> {
        let mut numbers = BTreeMap::new();
        let mut surfaces = Vec::new();
        let mut records = Vec::new();
        for (_, body) in self.bodies() {
            let number = body.shared_surface().map(|surface| {
                *numbers.entry(surface.address()).or_insert_with(|| {
                    surfaces.push(surface);
                    surfaces.len() as u32 - 1
                })
            });
            records.push(Record::new(body, number.unwrap_or(0)));
        }
        let mut writer = Writer::new(FileKind::Scene);
        for (surface, number) in surfaces.into_iter().zip(0..) {
            surface::write(&mut writer, surface, number);
        }
        let liquids =
            self.liquids().map(|liquids| liquid::write_all(&mut writer, liquids, &mut numbers));
        writer.add(Section::Bodies, NO_MESH, &records);
        if !notes.is_empty() {
            writer.add(Section::Notes, NO_MESH, notes);
        }
        if let Some(liquids) = liquids {
            liquids.write(&mut writer);
        }
        writer.finish()
    }

    /// A scene that [`Scene::to_bytes`] wrote. It answers like the original, in every bit.
    ///
    /// Meshes use the bytes in place and are checked as by
    /// [`TriMesh::from_bytes`](crate::scene::TriMesh::from_bytes), whose notes on bytes apply.
    /// Bodies keep their order and their keys, and get ids of this scene: the same numbers as
    /// before, if no body was ever removed.
    ///
    /// # Errors
    /// If the bytes differ from those that were written, or are not those of a scene.
    pub fn from_bytes(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Result<Self, FileError> {
        Self::from_bytes_with_notes(bytes).map(|(scene, _)| scene)
    }

    /// As [`Scene::from_bytes`], with the [notes](Scene::to_bytes_with_notes) of the file; empty
    /// if it has none.
    ///
    /// # Errors
    /// As [`Scene::from_bytes`].
    pub fn from_bytes_with_notes(
        bytes: impl AsRef<[u8]> + Send + Sync + 'static,
    ) -> Result<(Self, Vec<u8>), FileError> {
        let reader = Reader::new(bytes, FileKind::Scene)?;
        let records: Buffer<Record> = reader.get(Section::Bodies, NO_MESH)?;
        let sheets = liquid::read_sheets(&reader)?;
        let surface = |(number, sheet): (u32, &Option<_>)| match sheet {
            Some(_) => Ok(None),
            None => surface::read(&reader, number).map(Some),
        };
        let surfaces: Vec<Option<SharedSurface>> =
            (0..).zip(&sheets).map(surface).collect::<Result<_, _>>()?;
        let mut scene = Self::new();
        scene.edit(|edit| -> Result<(), FileError> {
            for (record, number) in records.iter().zip(0..) {
                let surface = surfaces.get(record.surface as usize).and_then(Option::as_ref);
                edit.insert(record.body(number, surface)?);
            }
            Ok(())
        })?;
        let source = LoadedSource { surfaces: &surfaces, sheets: &sheets };
        scene.set_liquids(liquid::read(&reader, &source)?.map(Arc::new));
        let notes: Option<Buffer<u8>> = reader.find(Section::Notes, NO_MESH)?;
        Ok((scene, notes.map_or_else(Vec::new, |notes| notes.to_vec())))
    }
}

/// Reports every defect of the bodies to `found`, and returns the number of bodies.
pub(super) fn verify_bodies(
    reader: &Reader,
    surfaces: &[Option<SharedSurface>],
    mut found: impl FnMut(FileError),
) -> usize {
    let records: Buffer<Record> = match reader.get(Section::Bodies, NO_MESH) {
        Ok(records) => records,
        Err(error) => {
            found(error);
            return 0;
        }
    };
    for (record, number) in records.iter().zip(0..) {
        let surface = surfaces.get(record.surface as usize);
        if record.form == 0 && matches!(surface, Some(None)) {
            // Its surface is damaged, which is reported already.
            if let Err(error) = record.pose() {
                found(FileError::BadShape { body: number, error });
            }
            continue;
        }
        match record.body(number, surface.and_then(Option::as_ref)) {
            Err(error) => found(error),
            Ok(body) => {
                let surface = if record.form == 0 { record.surface } else { 0 };
                let written = record.as_written(&body, surface);
                if bytemuck::bytes_of(&written) != bytemuck::bytes_of(record) {
                    found(FileError::NotAsWritten { body: number });
                }
            }
        }
    }
    records.len()
}
