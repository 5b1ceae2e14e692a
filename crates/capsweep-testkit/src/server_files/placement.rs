//! Placement records, `.vmtile`, `.vmtileidx` and `.vmtree` files.

use super::bih::{Bih, Bounds};
use super::bytes::Bytes;
use super::core::{Layout, ModelForm};
use crate::continent::{ModelKind, Placement};

/// Placements in a leaf of a map's tree.
const PLACEMENTS_PER_LEAF: usize = 3;

/// A placement as a file names it.
#[derive(Debug, Clone, Copy)]
pub struct Spawn<'a> {
    /// The placement.
    pub placement: &'a Placement,
    /// Name of its model, without a NUL.
    pub name: &'a str,
    /// Kind of its model.
    pub kind: ModelKind,
    /// Its bounds in the internal frame.
    pub bounds: Bounds,
    /// Its index in the map's tree.
    pub tree_index: u32,
}

/// Whether a placement is in a tile or in a map without terrain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// In a tile.
    Tile,
    /// In a map without terrain.
    Global,
    /// In a tile of a parent map; only master knows it.
    Parent,
}

impl Spawn<'_> {
    /// Appends the record, without the tree index.
    pub(super) fn write(&self, file: &mut Bytes, scope: Scope, layout: &Layout) {
        let placement = self.placement;
        match layout.models {
            ModelForm::Classic => {
                let prop = u32::from(self.kind == ModelKind::M2);
                let global = if scope == Scope::Global { 2 } else { 0 };
                file.u32(prop | global | 4);
                file.u16(placement.name_set);
            }
            ModelForm::Master => {
                file.u8(1 | if scope == Scope::Parent { 2 } else { 0 });
                file.u8(placement.name_set as u8);
            }
        }
        file.u32(placement.id);
        file.vec3(placement.position);
        file.vec3(placement.rotation);
        file.f32(placement.scale);
        file.vec3(self.bounds[0]);
        file.vec3(self.bounds[1]);
        let mut name = self.name.as_bytes().to_vec();
        if layout.nul_names && placement.building.is_some() {
            name.push(0);
        }
        file.name(&name);
    }
}

/// Bytes of a `.vmtile` file.
pub fn tile_file(spawns: &[Spawn<'_>], scope: Scope, layout: &Layout) -> Vec<u8> {
    let mut file = Bytes::starting(&layout.magic);
    file.count(spawns.len());
    for spawn in spawns {
        spawn.write(&mut file, scope, layout);
        if layout.models == ModelForm::Classic {
            file.u32(spawn.tree_index);
        }
    }
    file.0
}

/// Bytes of a `.vmtileidx` file, which only master has.
pub fn tile_index_file(indices: &[u32], layout: &Layout) -> Vec<u8> {
    let mut file = Bytes::starting(&layout.magic);
    file.count(indices.len());
    for index in indices {
        file.u32(*index);
    }
    file.0
}

/// Bytes of the `.vmtree` file of a map with tiles.
pub fn tree_file(boxes: &[Bounds], layout: &Layout) -> Vec<u8> {
    let mut file = Bytes::starting(&layout.magic);
    if layout.models == ModelForm::Classic {
        file.u8(1);
    }
    file.raw(b"NODE");
    Bih::build(boxes, PLACEMENTS_PER_LEAF).write(&mut file);
    if layout.models == ModelForm::Classic {
        file.raw(b"GOBJ");
    }
    file.0
}

/// Bytes of the `.vmtree` file of a map without tiles. Master has none.
pub fn global_tree_file(spawns: &[Spawn<'_>], layout: &Layout) -> Vec<u8> {
    let mut file = Bytes::starting(&layout.magic);
    file.u8(0);
    file.raw(b"NODE");
    let boxes: Vec<Bounds> = spawns.iter().map(|spawn| spawn.bounds).collect();
    Bih::build(&boxes, PLACEMENTS_PER_LEAF).write(&mut file);
    file.raw(b"GOBJ");
    for spawn in spawns {
        spawn.write(&mut file, Scope::Global, layout);
        if layout.tree_index_in_global {
            file.u32(spawn.tree_index);
        }
    }
    file.0
}
