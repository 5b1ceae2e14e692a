//! Tags and masks of a field's cells, through a palette.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::buffer::Buffer;
use crate::mesh::height_field::HeightFieldError;
use bytemuck::{Pod, Zeroable};
use std::collections::BTreeMap;

/// The caller's data of a cell of a [`HeightField`](crate::scene::HeightField).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct CellMaterial {
    /// The caller's number, such as a material or an area. Hits report it.
    pub tag: u32,
    /// A query sees the cell if their masks share a bit.
    pub mask: u32,
}

impl Default for CellMaterial {
    /// Tag 0, seen by every mask.
    fn default() -> Self {
        Self { tag: 0, mask: u32::MAX }
    }
}

/// A palette of materials, and for each cell its place in it. Both are empty if all cells have
/// the default.
#[derive(Debug, Clone, Default)]
pub(crate) struct Materials {
    pub(crate) palette: Buffer<CellMaterial>,
    pub(crate) cells: Buffer<u8>,
}

impl Materials {
    pub(super) fn new(cells: &[CellMaterial], needed: usize) -> Result<Self, HeightFieldError> {
        let given = cells.len();
        if given != needed {
            return Err(HeightFieldError::WrongCount { what: "materials", given, needed });
        }
        if cells.iter().all(|material| *material == CellMaterial::default()) {
            return Ok(Self::default());
        }
        let (palette, cells) =
            palette_of(cells).map_err(|cell| HeightFieldError::TooManyMaterials { cell })?;
        Ok(Self { palette: palette.into(), cells: cells.into() })
    }

    /// Whether all cells have the default.
    #[inline(always)]
    pub(crate) fn are_default(&self) -> bool {
        self.cells.is_empty()
    }

    #[inline(always)]
    pub(super) fn of(&self, cell: usize) -> CellMaterial {
        if self.are_default() {
            return CellMaterial::default();
        }
        let place = self.cells.get(cell).copied().unwrap_or(0);
        self.palette.get(usize::from(place)).copied().unwrap_or_default()
    }

    pub(super) fn memory(&self) -> usize {
        size_of_val(&*self.palette) + size_of_val(&*self.cells)
    }
}

/// The different values of a list, in the order in which they come up, and for each entry its
/// place among them.
///
/// # Errors
/// The first entry that is the 257th different value.
pub(crate) fn palette_of<T: Copy + Ord>(entries: &[T]) -> Result<(Vec<T>, Vec<u8>), usize> {
    let mut places = BTreeMap::new();
    let mut palette = Vec::new();
    let mut by_entry = Vec::with_capacity(entries.len());
    for (index, value) in entries.iter().enumerate() {
        let next = palette.len();
        let place = *places.entry(*value).or_insert(next);
        if place == next {
            palette.push(*value);
        }
        by_entry.push(u8::try_from(place).map_err(|_| index)?);
    }
    Ok((palette, by_entry))
}
