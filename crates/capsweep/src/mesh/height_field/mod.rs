//! [`HeightField`]: terrain as a grid of heights. Its triangles are implicit.
//!
//! A field stores heights and a tree over blocks of cells. Queries make the triangles of a block
//! when they reach it, with the same bits as a mesh of the same triangles.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

mod block;
pub(crate) mod cells;
mod edges;
mod error;
mod height_at;
mod materials;
mod patch;
pub(crate) mod samples;

pub(crate) use cells::{FieldView, Split, bit};
pub use error::HeightFieldError;
pub(crate) use height_at::onto;
pub use materials::CellMaterial;
pub(crate) use materials::{Materials, palette_of};
pub use samples::Heights;
pub(crate) use samples::Samples;

use crate::buffer::Buffer;
use crate::bvh::{Bounds, Node, build_grid};
use crate::mesh::sides::DoubleSided;
use crate::mesh::tri_mesh::{MAX_TRIANGLES, largest_coordinate};
use crate::{Aabb, MAX_POSITION};
use glam::Vec3;

/// The grid of a height field: how many cells, and how large.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct HeightGrid {
    /// Rows of cells, along x.
    pub rows: u32,
    /// Columns of cells, along y.
    pub columns: u32,
    /// Size of a cell along x and along y. Corner `(row, column)` lies at `row · spacing[0]`,
    /// `column · spacing[1]`, each product rounded once to f32.
    pub spacing: [f32; 2],
}

/// How the cells of a height field are cut into triangles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CellTriangles<'a> {
    /// Four around a centre, whose height follows those of the corners: `(A, B, E)`, `(B, D, E)`,
    /// `(D, C, E)`, `(C, A, E)`. `A` is the corner at the cell's own row and column, `B` that in
    /// the next row, `C` that in the next column, `D` that in both, and `E` the centre.
    Four,
    /// Two on both sides of the diagonal `AD`: `(A, B, D)` and `(A, D, C)`. Where the flag of a
    /// cell is set the diagonal is `BC`: `(A, B, C)` and `(B, D, C)`. An empty list is all clear.
    Two {
        /// One flag for each cell, row by row; or none at all.
        turned: &'a [bool],
    },
}

/// Options of a height field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct HeightFieldOptions {
    /// The lower side counts too, whatever sides the query asks for. By default only the side
    /// towards +z does.
    pub double_sided: bool,
}

/// Most rows, and most columns. It keeps the positions of all corners and centres distinct in
/// f32.
pub(crate) const MAX_SIDE: u32 = 1 << 16;

/// Smallest distance between rows or columns. Far smaller ones would make products subnormal.
pub(crate) const MIN_SPACING: f32 = 1e-6;

/// Terrain: a grid of heights over the plane z = 0 of its own space.
///
/// Rows run along x and columns along y, both from 0. A field takes 2.5 bytes of memory per
/// triangle (four per cell, f32), where a [`TriMesh`](crate::scene::TriMesh) takes 50. It gives
/// the answers of a mesh of the same triangles, in every bit, and is a body like a mesh: placed,
/// filtered, shared and saved. Its front is the side towards +z.
///
/// Triangle `t` is number `t mod 4` of cell `t / 4` (with two per cell: `t mod 2`, `t / 2`). Cell
/// `c` is in row `c / columns` and column `c mod columns`. Holes count, so that numbers stay.
///
/// ```
/// use capsweep::scene::{Body, CellTriangles, Filter, HeightField, HeightGrid, Heights};
/// use capsweep::scene::{Pose, Scene};
/// use capsweep::{Capsule, Motion};
/// use glam::{DVec3, dvec3};
/// use std::sync::Arc;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // A ramp: 4 × 4 cells of 2 m that rise by 1 m each along x.
/// let grid = HeightGrid { rows: 4, columns: 4, spacing: [2.0, 2.0] };
/// let heights = (0..25).map(|i| (i / 5) as f32).collect();
/// let two = CellTriangles::Two { turned: &[] };
/// let field = HeightField::new(grid, Heights::F32(heights), two, Default::default())?;
/// assert_eq!(field.triangle_count(), 32);
///
/// let mut scene = Scene::new();
/// scene.insert(Body::height_field(Arc::new(field), Pose::IDENTITY)?);
/// let person = Capsule::from_feet(dvec3(4.0, 4.0, 5.0), DVec3::Z, 0.4, 1.8)?;
/// let fall = Motion::new(DVec3::Z * -5.0)?;
/// let hit = scene.sweep(&person, &fall, &Filter::default()).ok_or("it lands")?;
/// assert!(hit.distance > 2.9 && hit.distance < 3.0);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct HeightField {
    pub(crate) rows: u32,
    pub(crate) columns: u32,
    pub(crate) spacing: [f32; 2],
    pub(crate) split: Split,
    pub(crate) samples: Samples,
    /// One bit per cell: it has no surface. Empty if no cell is a hole.
    pub(crate) holes: Buffer<u8>,
    /// One bit per cell: its diagonal is turned. Empty if none is.
    pub(crate) turned: Buffer<u8>,
    pub(crate) materials: Materials,
    /// The tree over [blocks](block::Block), by their number.
    pub(crate) nodes: Buffer<Node>,
    pub(crate) bounds: Option<Aabb>,
    /// Largest magnitude of a coordinate.
    pub(crate) max_coordinate: f64,
    pub(crate) options: HeightFieldOptions,
}

impl HeightField {
    /// Makes a field and its tree.
    ///
    /// # Errors
    /// If the grid has no cells or too many, the spacing is not positive, a list has the wrong
    /// length, or a height is not finite or out of range.
    pub fn new(
        grid: HeightGrid,
        heights: Heights,
        cells: CellTriangles<'_>,
        options: HeightFieldOptions,
    ) -> Result<Self, HeightFieldError> {
        let HeightGrid { rows, columns, spacing } = grid;
        let split = match cells {
            CellTriangles::Four => Split::Four,
            CellTriangles::Two { .. } => Split::Two,
        };
        check_grid(grid, split)?;
        let needed = samples_needed(grid, split);
        if let Some(given) = heights.count()
            && given != needed
        {
            return Err(HeightFieldError::WrongCount { what: "heights", given, needed });
        }
        let samples = Samples::from(heights);
        check_heights(&samples)?;
        let turned = match cells {
            CellTriangles::Two { turned } if !turned.is_empty() => {
                bits("flags of diagonals", turned, cell_count(grid))?
            }
            CellTriangles::Two { .. } | CellTriangles::Four => Buffer::default(),
        };
        let mut field = Self {
            rows,
            columns,
            spacing,
            split,
            samples,
            holes: Buffer::default(),
            turned,
            materials: Materials::default(),
            nodes: Buffer::default(),
            bounds: None,
            max_coordinate: 0.0,
            options,
        };
        field.build_tree();
        Ok(field)
    }

    /// The same field with holes: a cell whose flag is set has no surface. Cells come row by row.
    ///
    /// # Errors
    /// If there is not one flag for each cell.
    pub fn with_holes(mut self, holes: &[bool]) -> Result<Self, HeightFieldError> {
        self.holes = bits("flags of holes", holes, cell_count(self.grid()))?;
        self.build_tree();
        Ok(self)
    }

    /// The same field with a tag and a mask for each cell, row by row.
    ///
    /// As with a mesh, hits report the tag, and a query sees the cells whose mask shares a bit
    /// with its own. A field holds up to 256 different pairs.
    ///
    /// # Errors
    /// If there is not one entry for each cell, or if more than 256 differ.
    pub fn with_materials(mut self, cells: &[CellMaterial]) -> Result<Self, HeightFieldError> {
        self.materials = Materials::new(cells, cell_count(self.grid()))?;
        Ok(self)
    }

    /// Makes the tree anew, and all that is derived from the heights.
    fn build_tree(&mut self) {
        let (nodes, all) = self.tree();
        self.nodes = nodes.into();
        self.bounds = bounds_of(&all);
        self.max_coordinate = largest_coordinate(self.bounds);
    }

    /// The tree over the blocks, and the box around all.
    pub(crate) fn tree(&self) -> (Vec<Node>, Bounds) {
        let view = self.view();
        let [rows, columns] = view.blocks();
        // On one thread: a map file makes fields inside of queries, where a pool must not wait.
        let boxes: Vec<Bounds> =
            (0..rows * columns).map(|leaf| view.block(leaf).bounds()).collect();
        let all = Bounds::union_of(&boxes);
        (build_grid(rows, columns, view.block_size(), boxes), all)
    }

    /// The grid.
    pub fn grid(&self) -> HeightGrid {
        HeightGrid { rows: self.rows, columns: self.columns, spacing: self.spacing }
    }

    /// The options.
    pub fn options(&self) -> HeightFieldOptions {
        self.options
    }

    /// Triangles per cell: two or four.
    pub fn triangles_per_cell(&self) -> u32 {
        self.split.triangles() as u32
    }

    /// Number of triangles, holes included; their indices are below it.
    pub fn triangle_count(&self) -> u32 {
        // At most `MAX_TRIANGLES`.
        (cell_count(self.grid()) * self.split.triangles()) as u32
    }

    /// Number of cells without a surface.
    pub fn hole_count(&self) -> u32 {
        self.holes.iter().map(|byte| byte.count_ones()).sum()
    }

    /// Whether all corners and centres have one height, which is stored once.
    pub fn is_flat(&self) -> bool {
        matches!(self.samples, Samples::Flat(_))
    }

    /// Whether a cell has no surface; `None` if there is no such cell.
    pub fn is_hole(&self, row: u32, column: u32) -> Option<bool> {
        let exists = row < self.rows && column < self.columns;
        exists.then(|| cells::bit(&self.holes, self.cell(row, column)))
    }

    fn cell(&self, row: u32, column: u32) -> usize {
        row as usize * self.columns as usize + column as usize
    }

    /// Height of a corner; `None` if there is no such corner.
    pub fn height(&self, row: u32, column: u32) -> Option<f32> {
        let view = self.view();
        let exists = row <= self.rows && column <= self.columns;
        exists.then(|| view.samples.at(view.corner_index(row as usize, column as usize)))
    }

    /// Height of a cell's centre; `None` if there is no such cell, or it has no centre.
    pub fn center_height(&self, row: u32, column: u32) -> Option<f32> {
        let view = self.view();
        let exists = self.split == Split::Four && row < self.rows && column < self.columns;
        exists.then(|| view.samples.at(view.center_index(row as usize, column as usize)))
    }

    /// Corners of a triangle in the field's space; `None` in holes, and if there is no such
    /// triangle.
    pub fn triangle(&self, index: u32) -> Option<[Vec3; 3]> {
        let view = self.view();
        Some(view.corners_of(view.triangle(index as usize)?))
    }

    /// All triangles with their indices, without holes.
    pub fn triangles(&self) -> impl Iterator<Item = (u32, [Vec3; 3])> {
        (0..self.triangle_count()).filter_map(|index| Some((index, self.triangle(index)?)))
    }

    /// The mask of a triangle; `None` in holes, and if there is no such triangle.
    pub fn mask(&self, index: u32) -> Option<u32> {
        self.view().triangle(index as usize)?;
        Some(self.mask_in(index as usize))
    }

    /// The tag of a triangle; `None` in holes, and if there is no such triangle.
    pub fn tag(&self, index: u32) -> Option<u32> {
        self.view().triangle(index as usize)?;
        Some(self.tag_in(index as usize))
    }

    /// The box around all triangles, in the field's space; `None` if all cells are holes.
    pub fn bounds(&self) -> Option<Aabb> {
        self.bounds
    }

    /// Bytes of memory that the heights, the cells and the tree take.
    pub fn memory(&self) -> usize {
        size_of::<Self>()
            + self.samples.memory()
            + size_of_val(&*self.holes)
            + size_of_val(&*self.turned)
            + self.materials.memory()
            + size_of_val(&*self.nodes)
    }

    /// The material of the triangle with this index.
    #[inline(always)]
    fn material(&self, index: usize) -> CellMaterial {
        self.materials.of(index / self.split.triangles())
    }

    #[inline(always)]
    pub(crate) fn mask_in(&self, index: usize) -> u32 {
        self.material(index).mask
    }

    /// The tag of the triangle with this index. A call of its own, so that the code of meshes
    /// stays small.
    #[inline(never)]
    pub(crate) fn tag_in(&self, index: usize) -> u32 {
        self.material(index).tag
    }

    /// Of which triangles both sides count: all or none.
    #[inline(always)]
    pub(crate) fn double_sided(&self) -> DoubleSided {
        if self.options.double_sided { DoubleSided::All } else { DoubleSided::None }
    }
}

pub(crate) fn bounds_of(all: &Bounds) -> Option<Aabb> {
    (!all.is_empty()).then(|| Aabb::from_corners(all.min.as_dvec3(), all.max.as_dvec3()))
}

pub(crate) fn cell_count(grid: HeightGrid) -> usize {
    grid.rows as usize * grid.columns as usize
}

/// Number of heights that a grid needs.
pub(crate) fn samples_needed(grid: HeightGrid, split: Split) -> usize {
    let corners = (grid.rows as usize + 1) * (grid.columns as usize + 1);
    match split {
        Split::Four => corners + cell_count(grid),
        Split::Two => corners,
    }
}

pub(crate) fn check_grid(grid: HeightGrid, split: Split) -> Result<(), HeightFieldError> {
    let HeightGrid { rows, columns, spacing } = grid;
    let is_in_range = |cells: u32| (1..=MAX_SIDE).contains(&cells);
    if !is_in_range(rows) || !is_in_range(columns) {
        return Err(HeightFieldError::BadSize { rows, columns, limit: MAX_SIDE });
    }
    let (triangles, limit) = ((cell_count(grid) * split.triangles()) as u64, MAX_TRIANGLES as u64);
    if triangles > limit {
        return Err(HeightFieldError::TooManyTriangles { triangles, limit });
    }
    if !is_spacing(spacing[0], rows) || !is_spacing(spacing[1], columns) {
        return Err(HeightFieldError::BadSpacing { spacing });
    }
    Ok(())
}

/// Whether cells may have this size, if there are so many.
pub(crate) fn is_spacing(step: f32, count: u32) -> bool {
    // NaN fails every comparison.
    step >= MIN_SPACING && f64::from(step) * f64::from(count) <= MAX_POSITION
}

pub(crate) fn check_heights(samples: &Samples) -> Result<(), HeightFieldError> {
    match bad_height(samples) {
        Some((index, height)) => Err(HeightFieldError::BadHeight { index, height }),
        None => Ok(()),
    }
}

/// The first height that is not finite or out of range, and its index.
pub(crate) fn bad_height(samples: &Samples) -> Option<(usize, f32)> {
    let is_bad = |height: &f32| height.is_nan() || f64::from(height.abs()) > MAX_POSITION;
    match samples {
        Samples::F32(heights) => {
            heights.iter().copied().enumerate().find(|(_, height)| is_bad(height))
        }
        // All others lie between the ends.
        Samples::U16 { low, high, .. } => {
            [*low, *high].into_iter().find(is_bad).map(|height| (0, height))
        }
        Samples::Flat(height) => is_bad(height).then_some((0, *height)),
    }
}

/// One bit for each flag; empty if none is set.
fn bits(
    what: &'static str,
    flags: &[bool],
    needed: usize,
) -> Result<Buffer<u8>, HeightFieldError> {
    let given = flags.len();
    if given != needed {
        return Err(HeightFieldError::WrongCount { what, given, needed });
    }
    if !flags.contains(&true) {
        return Ok(Buffer::default());
    }
    Ok(packed(flags).into())
}

/// One bit for each flag.
pub(crate) fn packed(flags: &[bool]) -> Vec<u8> {
    let byte = |flags: &[bool]| {
        flags.iter().zip(0..).fold(0_u8, |byte, (flag, bit)| byte | u8::from(*flag) << bit)
    };
    flags.chunks(8).map(byte).collect()
}
