//! The list of models of doors, lifts and other game objects, by display id.
//!
//! `TrinityCore` and `AzerothCore` call it `GameObjectModels.dtree`, cmangos and vmangos
//! `temp_gameobject_models`. It lies in the vmaps folder.

use super::cursor::Cursor;
use super::error::{ParseError, Problem};
use super::limits::{GAME_OBJECT_BYTES, read};
use super::model_name::{self, ModelName};
use super::spawn::likelier;
use crate::LoadError;
use glam::Vec3;
use std::path::Path;

/// Names of the file, the likeliest first.
pub const FILE_NAMES: [&str; 3] =
    ["GameObjectModels.dtree", "temp_gameobject_models", "GameObjectModelInfo"];

/// The models of game objects.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GameObjectModels {
    /// The models, in the order of the file.
    pub models: Vec<GameObjectModel>,
    /// Number of records that were left out because their name cannot be the name of a file.
    pub unusable_names: u64,
}

/// The model of a kind of game object.
#[derive(Debug, Clone, PartialEq)]
pub struct GameObjectModel {
    /// The id by which game objects refer to the model.
    pub display_id: u32,
    /// Whether the model is a building (WMO) and no prop (M2); `None` if the list does not say.
    pub is_wmo: Option<bool>,
    /// The name of the model.
    pub name: ModelName,
    /// The lowest and the highest corner in the model's space; `None` if they are no box.
    pub bounds: Option<[Vec3; 2]>,
}

/// Reads the list in the file at `path`.
///
/// # Errors
/// If the file cannot be read, is too large or is damaged.
pub fn open(path: impl AsRef<Path>) -> Result<GameObjectModels, LoadError> {
    let path = path.as_ref();
    parse(&read(path, GAME_OBJECT_BYTES)?).map_err(|error| error.in_file(path))
}

/// Parses a list.
///
/// The form that ends where the file ends is the right one: with eight letters in front and a byte
/// that tells buildings from props, with the letters alone, or with neither.
///
/// # Errors
/// If the bytes are no list of any form.
pub fn parse(bytes: &[u8]) -> Result<GameObjectModels, ParseError> {
    let start = Cursor::new(bytes, GAME_OBJECT_BYTES)?;
    let mut after_magic = start.clone();
    if let Err(magic) = after_magic.magic() {
        return records(start, WmoByte::Absent).map_err(|error| match magic.problem {
            Problem::NotAssembled => magic,
            _ => error,
        });
    }
    records(after_magic.clone(), WmoByte::Stored)
        .or_else(|first| {
            records(after_magic, WmoByte::Absent).map_err(|second| likelier(first, second))
        })
        .or_else(|error| records(start, WmoByte::Absent).map_err(|last| likelier(error, last)))
}

/// Whether a byte of each record tells buildings from props.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WmoByte {
    Stored,
    Absent,
}

/// Reads records until the file ends.
fn records(mut cursor: Cursor<'_>, wmo_byte: WmoByte) -> Result<GameObjectModels, ParseError> {
    let mut list = GameObjectModels::default();
    while cursor.left() > 0 {
        let display_id = cursor.u32("display id")?;
        let is_wmo = match wmo_byte {
            WmoByte::Stored => Some(cursor.flag("building or prop")?),
            WmoByte::Absent => None,
        };
        let name = ModelName::new(model_name::read(&mut cursor)?);
        let (low, high) = (cursor.vec3("lowest corner")?, cursor.vec3("highest corner")?);
        let is_box = low.is_finite() && high.is_finite() && low.cmple(high).all();
        let bounds = is_box.then_some([low, high]);
        match name {
            Ok(name) => list.models.push(GameObjectModel { display_id, is_wmo, name, bounds }),
            Err(_) => list.unusable_names += 1,
        }
    }
    Ok(list)
}
