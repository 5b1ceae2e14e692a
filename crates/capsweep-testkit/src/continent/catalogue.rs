//! The models of a continent: their names, their files and their shapes.

use super::model::{Group, Model, ModelKind, OUTDOOR};
use super::{bridge, cave, house};
use crate::Rng;
use crate::level::build::MeshBuilder;
use crate::level::instances::{crates, rock, tree};
use glam::{Vec3, vec3};

/// A model of the continent, without its triangles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelEntry {
    /// Name in placements, without a NUL.
    pub name: String,
    /// Building or prop.
    pub kind: ModelKind,
    /// Which files hold it.
    pub storage: Storage,
    recipe: Recipe,
}

/// Which files hold a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Storage {
    /// `Name.vmo`.
    Vmo,
    /// `Name` alone: only placements with a NUL name it.
    Bare,
    /// Both.
    Both,
    /// `Name.vmo` with other upper and lower case than in placements.
    OtherCase,
    /// No file.
    Missing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Recipe {
    /// Index in [`LANDMARKS`].
    Landmark(usize),
    Scattered(u32),
}

/// Generates a model.
type Shape = fn() -> Model;

/// The models of landmarks, in a fixed order: name, files, shape.
const LANDMARKS: [(&str, Storage, Shape); 12] = [
    ("House.wmo", Storage::Vmo, house::house),
    ("Hillcave.wmo", Storage::Vmo, cave::cave),
    ("Lakebridge.wmo", Storage::Vmo, bridge::bridge),
    ("Divingbell.wmo", Storage::OtherCase, bridge::bell),
    ("Table.m2", Storage::Bare, house::table),
    ("Chair.m2", Storage::Both, house::chair),
    ("Bed.m2", Storage::Bare, house::bed),
    ("Liftplatform.m2", Storage::Vmo, bridge::lift),
    ("Door.m2", Storage::Vmo, bridge::door),
    ("Gate.wmo", Storage::Vmo, bridge::gate),
    ("Lostsign.m2", Storage::Missing, bridge::sign),
    ("Emptyshell.wmo", Storage::Vmo, bridge::empty_shell),
];

/// Number of models that are no scattered props.
pub(super) const LANDMARK_COUNT: usize = LANDMARKS.len();

/// The landmarks and `scattered` models of props and towers.
pub(super) fn catalogue(scattered: u32) -> Vec<ModelEntry> {
    let landmarks = LANDMARKS.iter().enumerate().map(|(k, &(name, storage, _))| ModelEntry {
        name: name.to_owned(),
        kind: if name.contains(".m2") { ModelKind::M2 } else { ModelKind::Wmo },
        storage,
        recipe: Recipe::Landmark(k),
    });
    landmarks.chain((0..scattered).map(scattered_entry)).collect()
}

fn scattered_entry(number: u32) -> ModelEntry {
    let (stem, kind) = match Prop::of(number) {
        Prop::Tree => ("Tree", ModelKind::M2),
        Prop::Stone | Prop::Boulder => ("Rock", ModelKind::M2),
        Prop::Crates => ("Crates", ModelKind::M2),
        Prop::Tower | Prop::City => ("Tower", ModelKind::Wmo),
    };
    let end = if kind == ModelKind::M2 { "m2" } else { "wmo" };
    let storage = if number == 5 { Storage::OtherCase } else { Storage::Vmo };
    let name = format!("{stem}{number:05}.{end}");
    ModelEntry { name, kind, storage, recipe: Recipe::Scattered(number) }
}

/// What a scattered model is, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Prop {
    Tree,
    /// A rock of 32 or 128 triangles.
    Stone,
    Crates,
    /// A rock of 512 to 8 192 triangles.
    Boulder,
    /// Some thousand triangles in several groups.
    Tower,
    /// About 60 000 triangles, like the largest buildings.
    City,
}

impl Prop {
    pub(super) fn of(number: u32) -> Self {
        match number % 10 {
            0..=3 => Self::Tree,
            4..=6 => Self::Stone,
            7 => Self::Crates,
            8 => Self::Boulder,
            _ if number % 500 == 499 => Self::City,
            _ => Self::Tower,
        }
    }

    /// Radius around the origin in the plane that holds the model, in yards.
    pub(super) fn reach(self) -> f64 {
        match self {
            Self::Tree | Self::Stone | Self::Boulder => 2.5,
            Self::Crates => 1.2,
            Self::Tower | Self::City => 9.0,
        }
    }
}

impl ModelEntry {
    /// Generates the model's triangles.
    pub fn model(&self) -> Model {
        match self.recipe {
            Recipe::Landmark(k) => LANDMARKS[k].2(),
            Recipe::Scattered(number) => scattered(number),
        }
    }
}

fn scattered(number: u32) -> Model {
    let variant = number / 10;
    match Prop::of(number) {
        Prop::Tree => Model::prop(tree(number)),
        Prop::Stone => Model::prop(rock(1 + variant % 2, number)),
        Prop::Crates => Model::prop(crates(variant)),
        Prop::Boulder => Model::prop(rock(3 + variant % 3, number)),
        Prop::Tower => tower(number, 4 + 4 * (variant % 4), 2 + variant % 5),
        Prop::City => tower(number, 32, 5),
    }
}

/// A tower: `floors` closed boxes with `parts` × `parts` quads on each face, a group each.
fn tower(number: u32, parts: u32, floors: u32) -> Model {
    let mut rng = Rng::new(&[u64::from(number), 17]);
    let mut groups = Vec::new();
    let mut bottom = -1.0;
    for floor in 0..floors {
        let half = rng.range_f32(3.0, 6.0);
        let top = bottom + rng.range_f32(3.0, 5.0);
        let (low, size) = (vec3(-half, -half, bottom), vec3(2.0 * half, 2.0 * half, top - bottom));
        let [x, y, z] = [Vec3::X * size.x, Vec3::Y * size.y, Vec3::Z * size.z];
        let mut mesh = MeshBuilder::default();
        for (origin, sides) in [
            (low, [y, x]),
            (low, [x, z]),
            (low, [z, y]),
            (low + z, [x, y]),
            (low + y, [z, x]),
            (low + x, [y, z]),
        ] {
            mesh.grid(origin, sides, [parts; 2]);
        }
        groups.push(Group::new(OUTDOOR, number * 8 + floor, mesh.finish()));
        // A gap of 2 cm, so that no two faces coincide.
        bottom = top + 0.02;
    }
    Model { kind: ModelKind::Wmo, root_id: 1_000 + number, groups }
}
