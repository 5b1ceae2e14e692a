//! Models as meshes: each is read, built and written once.

use super::notes::{GameObject, MapNotes};
use super::{ImportError, ImportOptions};
use crate::server_map::folder::ServerFiles;
use crate::server_map::game_objects::{self, GameObjectModel};
use crate::server_map::model::{self, WorldModel};
use crate::server_map::placements::MapPlacements;
use crate::{LoadError, Reason};
use capsweep::persist::MapWriter;
use capsweep::scene::{MeshError, MeshOptions, TriMesh};
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

/// Reads a model and builds its mesh; `None` if it has no triangles.
pub(super) fn load(job: &ModelJob, options: &ImportOptions) -> Result<Option<TriMesh>, LoadError> {
    let mut model = model::open(&job.path)?;
    let is_m2 = model.is_m2.or(job.is_m2).unwrap_or(false);
    if is_m2 {
        model.flip();
    }
    let refused = |error| LoadError::new(&job.path, Reason::Mesh(error));
    mesh_of(&model, options.double_sided).map_err(refused)
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
    surfaces: Vec<Option<u32>>,
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
        Self { jobs, placed, objects: Vec::new(), surfaces: Vec::new() }
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
        loaded: Result<Option<TriMesh>, LoadError>,
    ) -> Result<(), ImportError> {
        let surface = match loaded {
            Ok(Some(mesh)) => {
                let surface = writer.add_mesh(&mesh).map_err(ImportError::Io)?;
                notes.add_model(surface, &job.name, &mesh);
                Some(surface)
            }
            Ok(None) => {
                notes.counts.empty_models += 1;
                None
            }
            Err(error) => {
                notes.missing.damaged_files.add(|| error.to_string());
                None
            }
        };
        self.surfaces.push(surface);
        Ok(())
    }

    /// The number in the file of a placed model; `None` if it has no triangles or is damaged.
    pub(super) fn surface_of(&self, model: u32) -> Option<u32> {
        let model = model as usize;
        self.surfaces.get(model).copied().flatten().filter(|_| model < self.placed)
    }

    pub(super) fn finish(&self, notes: &mut MapNotes) {
        for &(display_id, number) in &self.objects {
            if let Some(surface) = self.surfaces.get(number).copied().flatten() {
                notes.game_objects.push(GameObject { display_id, surface });
            }
        }
        notes.game_objects.sort_unstable();
    }
}

/// Whether the name is that of a prop: lists without a flag for it tell by the ending.
fn is_prop(name: &str) -> bool {
    !name.to_ascii_lowercase().ends_with(".wmo")
}
