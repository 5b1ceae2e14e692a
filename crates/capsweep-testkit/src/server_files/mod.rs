//! Writes a [`Continent`](crate::continent::Continent) as the files that game servers keep:
//! terrain (`.map`), models (`.vmo`), placements (`.vmtile`, `.vmtree`) and lists of game objects.
//!
//! [`Core`] names a server core, [`Layout`] is what its tools write, and [`write_world`] writes
//! whole folders. [`check_bih`] checks the trees in the files.

mod bih;
mod bih_check;
mod bytes;
mod core;
mod model;
mod objects;
mod placement;
mod terrain;
mod terrain_liquid;
mod world;

pub use bih::{Bih, Bounds};
pub use bih_check::{BihDefect, BihStats, check_bih};
pub use core::{
    Core, HeightForm, HoleForm, Layout, LiquidHeader, LiquidIds, LiquidLayout, LiquidTable,
    MapHeader, MapLayout, ModelForm, ObjectList,
};
pub use model::model_file;
pub use objects::{ObjectModel, object_list_file};
pub use placement::{Scope, Spawn, global_tree_file, tile_file, tile_index_file, tree_file};
pub use terrain::{height_rounding, map_file};
pub use world::{Progress, Written, write_world, write_world_as};
