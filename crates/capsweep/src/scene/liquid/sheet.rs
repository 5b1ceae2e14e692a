//! [`LiquidSheet`]: the surface of a liquid as a grid of heights.

use crate::buffer::Buffer;
use crate::mesh::height_field::samples::SamplesView;
use crate::mesh::height_field::{
    Heights, Samples, bad_height, bit, is_spacing, packed, palette_of,
};
use crate::scene::liquid::kind::{KindRecord, is_canonical};
use crate::scene::liquid::{LiquidError, LiquidKind};
use crate::{Aabb, MAX_POSITION};
use glam::DVec3;

/// Most rows, and most columns.
pub(crate) const MAX_SIDE: u32 = 1 << 16;

/// Most cells.
pub(crate) const MAX_CELLS: u64 = 1 << 28;

/// The grid of a liquid sheet: how many cells, how large, and where.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LiquidGrid {
    /// Rows of cells, along x.
    pub rows: u32,
    /// Columns of cells, along y.
    pub columns: u32,
    /// Size of a cell along x and along y.
    pub spacing: [f32; 2],
    /// Where row 0 and column 0 begin, along x and along y.
    pub origin: [f32; 2],
}

/// The surface of a liquid: a grid of heights over the plane z = 0 of its own space.
///
/// Rows run along x and columns along y. Corner `(row, column)` lies at `origin[0] + row ·
/// spacing[0]`, `origin[1] + column · spacing[1]`, in f64. Cell `c` is in row `c / columns` and
/// column `c mod columns`. A cell is wet or dry, and has a kind of liquid. Cells include their
/// borders.
///
/// The surface of a wet cell is two triangles on both sides of the diagonal from corner `(row,
/// column)` to corner `(row + 1, column + 1)`. With the heights `h00`, `h10` (next row), `h01`
/// (next column), `h11` (both) and the fractions `dx`, `dy` of the cell, it is at
///
/// - `h00 + dx · (h10 − h00) + dy · (h11 − h10)` if `dx > dy`, else
/// - `h00 + dx · (h11 − h01) + dy · (h01 − h00)`.
///
/// ```
/// use capsweep::scene::{Heights, LiquidGrid, LiquidKind, LiquidSheet};
///
/// // A pond: 2 × 2 cells of 5 m, one of them dry.
/// let grid = LiquidGrid { rows: 2, columns: 2, spacing: [5.0; 2], origin: [0.0; 2] };
/// let pond = LiquidSheet::new(grid, Heights::Flat(1.5), LiquidKind::Water)?
///     .with_wet(&[true, true, true, false])?;
/// assert_eq!(pond.is_wet(1, 0), Some(true));
/// assert_eq!(pond.kind(1, 1), None);
/// # Ok::<(), capsweep::scene::LiquidError>(())
/// ```
#[derive(Debug, Clone)]
pub struct LiquidSheet {
    pub(crate) grid: LiquidGrid,
    /// One height for each corner, row by row.
    pub(crate) samples: Samples,
    /// One bit per cell: it is wet. Empty if all are.
    pub(crate) wet: Buffer<u8>,
    /// The kinds; at least one.
    pub(crate) palette: Buffer<KindRecord>,
    /// For each cell its place in the palette. Empty if all have the first.
    pub(crate) kinds: Buffer<u8>,
    /// Lowest and highest corner of a wet cell; `None` if no cell is wet.
    pub(crate) range: Option<[f32; 2]>,
}

impl LiquidSheet {
    /// A sheet of one kind, wet everywhere. `heights` has one height for each corner, row by row:
    /// `(rows + 1) · (columns + 1)`.
    ///
    /// # Errors
    /// If the grid has no cells or too many, its spacing or origin is out of range, there is not
    /// one height for each corner, or a height is not finite or out of range.
    pub fn new(grid: LiquidGrid, heights: Heights, kind: LiquidKind) -> Result<Self, LiquidError> {
        let mut sheet = Self {
            grid,
            samples: Samples::from(heights),
            wet: Buffer::default(),
            palette: vec![kind.into()].into(),
            kinds: Buffer::default(),
            range: None,
        };
        sheet.check()?;
        sheet.range = sheet.wet_range();
        Ok(sheet)
    }

    /// The same sheet with dry cells: those whose flag is not set. Cells come row by row.
    ///
    /// # Errors
    /// If there is not one flag for each cell.
    pub fn with_wet(mut self, wet: &[bool]) -> Result<Self, LiquidError> {
        check_count("flags of wet cells", wet.len(), self.cell_count())?;
        let all = wet.iter().all(|wet| *wet);
        self.wet = if all { Buffer::default() } else { packed(wet).into() };
        self.range = self.wet_range();
        Ok(self)
    }

    /// The same sheet with a kind of liquid for each cell, row by row. A sheet holds up to 256
    /// kinds.
    ///
    /// # Errors
    /// If there is not one kind for each cell, or if more than 256 differ.
    pub fn with_kinds(mut self, kinds: &[LiquidKind]) -> Result<Self, LiquidError> {
        check_count("kinds", kinds.len(), self.cell_count())?;
        let (palette, places) =
            palette_of(kinds).map_err(|cell| LiquidError::TooManyKinds { cell })?;
        self.kinds = if palette.len() > 1 { places.into() } else { Buffer::default() };
        self.palette = palette.into_iter().map(KindRecord::from).collect::<Vec<_>>().into();
        Ok(self)
    }

    /// Checks everything but the range, which follows from the rest.
    pub(crate) fn check(&self) -> Result<(), LiquidError> {
        let LiquidGrid { rows, columns, spacing, origin } = self.grid;
        let is_side = |cells: u32| (1..=MAX_SIDE).contains(&cells);
        let cells = u64::from(rows) * u64::from(columns);
        if !is_side(rows) || !is_side(columns) || cells > MAX_CELLS {
            return Err(LiquidError::BadSize { rows, columns });
        }
        if !is_spacing(spacing[0], rows) || !is_spacing(spacing[1], columns) {
            return Err(LiquidError::BadSpacing { spacing });
        }
        // NaN fails the comparison.
        if !origin.iter().all(|at| f64::from(at.abs()) <= MAX_POSITION) {
            return Err(LiquidError::BadOrigin { origin });
        }
        if let Some(given) = self.samples.count() {
            check_count("heights", given, (rows as usize + 1) * (columns as usize + 1))?;
        }
        if let Some((index, height)) = bad_height(&self.samples) {
            return Err(LiquidError::BadHeight { index, height });
        }
        let cells = self.cell_count();
        if !self.wet.is_empty() {
            check_count("bytes of wet cells", self.wet.len(), cells.div_ceil(8))?;
        }
        if !self.kinds.is_empty() {
            check_count("kinds", self.kinds.len(), cells)?;
        }
        let known = self.palette.len();
        let canonical = self.palette.iter().filter(|record| is_canonical(**record)).count();
        check_count("known kinds", canonical, known.max(1))?;
        match self.kinds.iter().position(|place| usize::from(*place) >= known) {
            Some(cell) => Err(LiquidError::TooManyKinds { cell }),
            None => Ok(()),
        }
    }

    /// Lowest and highest corner of a wet cell.
    pub(crate) fn wet_range(&self) -> Option<[f32; 2]> {
        if let Samples::Flat(height) = self.samples {
            return (self.wet_count() > 0).then_some([height; 2]);
        }
        let view = self.view();
        let mut range: Option<[f32; 2]> = None;
        for row in 0..view.rows {
            for column in (0..view.columns).filter(|column| view.is_wet([row, *column])) {
                for height in view.corners([row, column]).into_iter().flatten() {
                    let [low, high] = range.unwrap_or([height; 2]);
                    range = Some([low.min(height), high.max(height)]);
                }
            }
        }
        range
    }

    fn cell_count(&self) -> usize {
        self.grid.rows as usize * self.grid.columns as usize
    }

    /// The grid.
    pub fn grid(&self) -> LiquidGrid {
        self.grid
    }

    /// Height of a corner; `None` if there is no such corner.
    pub fn height(&self, row: u32, column: u32) -> Option<f32> {
        let exists = row <= self.grid.rows && column <= self.grid.columns;
        exists.then(|| self.view().corner(row as usize, column as usize))
    }

    /// Whether a cell is wet; `None` if there is no such cell.
    pub fn is_wet(&self, row: u32, column: u32) -> Option<bool> {
        let exists = row < self.grid.rows && column < self.grid.columns;
        exists.then(|| self.view().is_wet([row as usize, column as usize]))
    }

    /// The kind of liquid in a cell; `None` if the cell is dry or there is no such cell.
    pub fn kind(&self, row: u32, column: u32) -> Option<LiquidKind> {
        let is_wet = self.is_wet(row, column)?;
        is_wet.then(|| self.view().kind([row as usize, column as usize]))
    }

    /// Number of wet cells.
    pub fn wet_count(&self) -> usize {
        if self.wet.is_empty() {
            return self.cell_count();
        }
        self.wet.iter().map(|byte| byte.count_ones() as usize).sum()
    }

    /// Whether all corners have one height, which is stored once.
    pub fn is_flat(&self) -> bool {
        matches!(self.samples, Samples::Flat(_))
    }

    /// The box around the grid, from the lowest to the highest wet corner, in the sheet's space;
    /// `None` if no cell is wet.
    pub fn bounds(&self) -> Option<Aabb> {
        let [low, high] = self.range?;
        let [x, y] = self.grid.origin.map(f64::from);
        let [to_x, to_y] = self.grid.end();
        Some(Aabb::from_corners(
            DVec3::new(x, y, f64::from(low)),
            DVec3::new(to_x, to_y, f64::from(high)),
        ))
    }

    /// Bytes of memory that the sheet takes.
    pub fn memory(&self) -> usize {
        size_of::<Self>()
            + self.samples.memory()
            + size_of_val(&*self.wet)
            + size_of_val(&*self.palette)
            + size_of_val(&*self.kinds)
    }

    pub(crate) fn view(&self) -> SheetView<'_> {
        SheetView {
            rows: self.grid.rows as usize,
            columns: self.grid.columns as usize,
            samples: self.samples.view(),
            wet: &self.wet,
            palette: &self.palette,
            kinds: &self.kinds,
        }
    }
}

impl LiquidGrid {
    /// Where the last row and the last column end, along x and along y.
    pub(crate) fn end(&self) -> [f64; 2] {
        let end = |axis: usize, cells: u32| {
            f64::from(self.origin[axis]) + f64::from(cells) * f64::from(self.spacing[axis])
        };
        [end(0, self.rows), end(1, self.columns)]
    }
}

fn check_count(what: &'static str, given: usize, needed: usize) -> Result<(), LiquidError> {
    if given == needed { Ok(()) } else { Err(LiquidError::WrongCount { what, given, needed }) }
}

/// The cells of a sheet, resolved once: they may lie in a memory-mapped file, behind a pointer.
pub(crate) struct SheetView<'a> {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    samples: SamplesView<'a>,
    wet: &'a [u8],
    palette: &'a [KindRecord],
    kinds: &'a [u8],
}

impl SheetView<'_> {
    fn cell(&self, [row, column]: [usize; 2]) -> usize {
        row * self.columns + column
    }

    fn corner(&self, row: usize, column: usize) -> f32 {
        self.samples.at(row * (self.columns + 1) + column)
    }

    pub(crate) fn is_wet(&self, cell: [usize; 2]) -> bool {
        self.wet.is_empty() || bit(self.wet, self.cell(cell))
    }

    /// The kind of liquid in a cell, wet or dry.
    pub(crate) fn kind(&self, cell: [usize; 2]) -> LiquidKind {
        let place = self.kinds.get(self.cell(cell)).copied().unwrap_or(0);
        self.palette.get(usize::from(place)).copied().map_or(LiquidKind::Water, LiquidKind::from)
    }

    /// Heights of the corners of a cell: `[[h00, h01], [h10, h11]]`, the row first.
    fn corners(&self, [row, column]: [usize; 2]) -> [[f32; 2]; 2] {
        [0, 1].map(|rows| [0, 1].map(|columns| self.corner(row + rows, column + columns)))
    }

    /// Height of the surface at the fractions `dx` and `dy` of a cell.
    pub(crate) fn height_in(&self, cell: [usize; 2], [dx, dy]: [f64; 2]) -> f64 {
        let [[h00, h01], [h10, h11]] = self.corners(cell).map(|row| row.map(f64::from));
        if dx > dy {
            h00 + dx * (h10 - h00) + dy * (h11 - h10)
        } else {
            h00 + dx * (h11 - h01) + dy * (h01 - h00)
        }
    }
}
