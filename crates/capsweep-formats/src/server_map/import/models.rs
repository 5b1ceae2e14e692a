//! Models as meshes: each is read, built and written once.

use super::liquids;
use super::notes::{GameObject, MapNotes};
use super::{ImportError, ImportOptions};
use crate::server_map::folder::ServerFiles;
use crate::server_map::game_objects::{self, GameObjectModel};
use crate::server_map::model::{self, WorldModel};
use crate::server_map::placements::{MapPlacements, Placement};
use crate::{LoadError, Reason};
use capsweep::persist::{FileError, MapWriter, PlacedSheet, SheetRole};
use capsweep::scene::{LiquidError, LiquidSheet, MeshError, MeshOptions, Rooms, TriMesh};
use glam::Vec3;
use std::collections::HashMap;
use std::io;
use std::path::PathBuf;

/// A model to import.
#[derive(Debug, Clone)]
pub(super) struct ModelJob {
    /// Its number among all models.
    number: usize,
    name: String,
    path: PathBuf,
    /// Whether it is a prop (M2), if the placements or the list of game objects say so.
    is_m2: Option<bool>,
}

/// A model that was read and built.
pub(super) struct LoadedModel {
    /// `None` if it has no triangles.
    mesh: Option<TriMesh>,
    /// The rooms of a building.
    rooms: Option<Rooms>,
    /// The liquids, each with the tag of its room.
    sheets: Vec<(u32, LiquidSheet)>,
}

/// Reads a model and builds its mesh.
pub(super) fn load(job: &ModelJob, options: &ImportOptions) -> Result<LoadedModel, LoadError> {
    let mut model = model::open(&job.path)?;
    let is_m2 = model.is_m2.or(job.is_m2).unwrap_or(false);
    if is_m2 {
        model.flip();
    }
    let refused = |error| LoadError::new(&job.path, Reason::Mesh(error));
    let mesh = mesh_of(&model, options.double_sided).map_err(refused)?;
    let refused =
        |error: LiquidError| LoadError::new(&job.path, Reason::Malformed(error.to_string()));
    let rooms = (!is_m2).then(|| liquids::rooms(&model)).transpose().map_err(refused)?;
    let sheets = liquids::model_sheets(&model).map_err(refused)?;
    // A prop has no rooms that could hold liquid.
    let sheets = if is_m2 { Vec::new() } else { sheets };
    Ok(LoadedModel { mesh, rooms, sheets })
}

/// All groups as one mesh; `None` without triangles. The tag of a triangle is the index of its
/// group.
fn mesh_of(model: &WorldModel, double_sided: bool) -> Result<Option<TriMesh>, MeshError> {
    let (mut vertices, mut indices, mut tags) = (Vec::<Vec3>::new(), Vec::new(), Vec::new());
    for (group, tag) in model.groups.iter().zip(0_u32..) {
        let first = vertices.len() as u32;
        vertices.extend_from_slice(&group.vertices);
        indices.extend(group.triangles.iter().map(|corners| corners.map(|index| index + first)));
        tags.resize(indices.len(), tag);
    }
    let Some(last) = tags.last() else { return Ok(None) };
    let mesh = TriMesh::new(&vertices, &indices, MeshOptions { double_sided })?;
    // A mesh without tags has the tag 0.
    if *last == 0 { Ok(Some(mesh)) } else { mesh.with_tags(&tags).map(Some) }
}

/// Writes models, and knows their numbers in the file.
pub(super) struct ModelWriter {
    jobs: Vec<ModelJob>,
    /// Number of models that are placed; they come first.
    placed: usize,
    objects: Vec<(u32, usize)>,
    /// By number of the model.
    written: Vec<WrittenModel>,
}

/// The parts of a model in the file.
#[derive(Debug, Clone, Default)]
struct WrittenModel {
    surface: Option<u32>,
    rooms: Option<u32>,
    /// Sheets, each with the tag of its room.
    sheets: Vec<(u32, u32)>,
    triangles: u64,
}

impl ModelWriter {
    pub(super) fn new(found: &MapPlacements) -> Self {
        let mut jobs: Vec<ModelJob> = found
            .models
            .iter()
            .enumerate()
            .map(|(number, model)| ModelJob {
                number,
                name: model.name.clone(),
                path: model.path.clone(),
                is_m2: None,
            })
            .collect();
        for placement in &found.placements {
            if let Some(job) = jobs.get_mut(placement.model as usize) {
                job.is_m2 = job.is_m2.or(placement.is_m2);
            }
        }
        let placed = jobs.len();
        Self { jobs, placed, objects: Vec::new(), written: Vec::new() }
    }

    /// Adds the models of game objects, such as doors and lifts.
    pub(super) fn add_game_objects(&mut self, files: &ServerFiles, notes: &mut MapNotes) {
        let Some(path) = files.game_objects() else { return };
        let list = match game_objects::open(&path) {
            Ok(list) => list,
            Err(error) => return notes.missing.damaged_files.add(|| error.to_string()),
        };
        let mut by_path: HashMap<PathBuf, usize> =
            self.jobs.iter().map(|job| (job.path.clone(), job.number)).collect();
        for GameObjectModel { display_id, is_wmo, name, .. } in list.models {
            let Some(path) = files.model(&name) else {
                notes.missing.object_models.add(|| name.as_str().to_owned());
                continue;
            };
            let next = self.jobs.len();
            let number = *by_path.entry(path.clone()).or_insert(next);
            if number == next {
                let is_m2 = is_wmo.map(|is_wmo| !is_wmo).or(Some(is_prop(name.as_str())));
                self.jobs.push(ModelJob { number, name: name.as_str().to_owned(), path, is_m2 });
            }
            self.objects.push((display_id, number));
        }
    }

    /// All models to import.
    pub(super) fn jobs(&self) -> Vec<ModelJob> {
        self.jobs.clone()
    }

    pub(super) fn write<W: io::Write + io::Seek>(
        &mut self,
        writer: &mut MapWriter<W>,
        notes: &mut MapNotes,
        job: &ModelJob,
        loaded: Result<LoadedModel, LoadError>,
    ) -> Result<(), ImportError> {
        let written = match loaded {
            Ok(loaded) => {
                write_model(writer, notes, &job.name, &loaded).map_err(ImportError::Io)?
            }
            Err(error) => {
                notes.missing.damaged_files.add(|| error.to_string());
                WrittenModel::default()
            }
        };
        self.written.push(written);
        Ok(())
    }

    /// The number in the file of a placed model; `None` if it has no triangles or is damaged.
    pub(super) fn surface_of(&self, model: u32) -> Option<u32> {
        let model = model as usize;
        self.written.get(model).filter(|_| model < self.placed)?.surface
    }

    /// Places the liquids of a placed model, and lists its rooms.
    pub(super) fn place_liquids<W: io::Write + io::Seek>(
        &self,
        writer: &mut MapWriter<W>,
        notes: &mut MapNotes,
        placement: &Placement,
    ) -> Result<(), FileError> {
        let Some(model) = self.written.get(placement.model as usize) else { return Ok(()) };
        notes.counts.placed_triangles += model.triangles;
        let (key, pose) = (u64::from(placement.id), placement.pose);
        if let Some(rooms) = model.rooms {
            writer.set_rooms(key, rooms)?;
        }
        for &(tag, sheet) in &model.sheets {
            let role = SheetRole::Model { key, tag };
            writer.place_liquid(&PlacedSheet { sheet, pose, role })?;
            notes.counts.model_liquids += 1;
        }
        Ok(())
    }

    pub(super) fn finish(&self, notes: &mut MapNotes) {
        for &(display_id, number) in &self.objects {
            if let Some(surface) = self.written.get(number).and_then(|model| model.surface) {
                notes.game_objects.push(GameObject { display_id, surface });
            }
        }
        notes.game_objects.sort_unstable();
    }
}

fn write_model<W: io::Write + io::Seek>(
    writer: &mut MapWriter<W>,
    notes: &mut MapNotes,
    name: &str,
    loaded: &LoadedModel,
) -> io::Result<WrittenModel> {
    let Some(mesh) = &loaded.mesh else {
        notes.counts.empty_models += 1;
        return Ok(WrittenModel::default());
    };
    let surface = writer.add_mesh(mesh)?;
    notes.add_model(surface, name, mesh);
    let mut sheets = Vec::new();
    for (tag, sheet) in &loaded.sheets {
        sheets.push((*tag, writer.add_sheet(sheet)?));
    }
    let rooms = loaded.rooms.as_ref().map(|rooms| writer.add_rooms(rooms));
    let triangles = mesh.triangle_count().into();
    Ok(WrittenModel { surface: Some(surface), rooms, sheets, triangles })
}

/// Whether the name is that of a prop: lists without a flag for it tell by the ending.
fn is_prop(name: &str) -> bool {
    !name.to_ascii_lowercase().ends_with(".wmo")
}
