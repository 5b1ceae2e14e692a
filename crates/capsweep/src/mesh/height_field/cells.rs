//! The cells of a field: their triangles, and how these join.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::mesh::height_field::HeightField;
use crate::mesh::height_field::samples::SamplesView;
use glam::Vec3;

/// The triangles of a cell with the corners `A` (row, column), `B` (next row), `C` (next column)
/// and `D` (both). All are counter-clockwise seen from above.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Split {
    /// `ABE`, `BDE`, `DCE`, `CAE` around the centre `E`.
    Four,
    /// `ABD`, `ADC`, or `ABC`, `BDC` where the diagonal is turned.
    Two,
}

impl Split {
    /// Number of triangles per cell.
    #[inline(always)]
    pub(crate) fn triangles(self) -> usize {
        match self {
            Self::Four => 4,
            Self::Two => 2,
        }
    }

    /// The cell of the triangle with this index, and its number in the cell.
    #[inline(always)]
    fn cell_of(self, index: usize) -> (usize, usize) {
        match self {
            Self::Four => (index / 4, index % 4),
            Self::Two => (index / 2, index % 2),
        }
    }
}

/// A corner of a cell, as rows and columns beyond the cell's own.
const A: [usize; 2] = [0, 0];
const B: [usize; 2] = [1, 0];
const C: [usize; 2] = [0, 1];
const D: [usize; 2] = [1, 1];

/// A triangle of a field: its cell, and its number in the cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CellTriangle {
    row: usize,
    column: usize,
    number: usize,
}

/// The corners of a triangle in the grid, one per lane. The fourth lane repeats the first.
struct GridCorners {
    /// Rows and columns. Those of a centre end in a half.
    rows: [f32; 4],
    columns: [f32; 4],
    /// Indices of the heights.
    samples: [usize; 3],
}

/// Corners of a triangle, from the row and the column of its cell on.
struct Pattern {
    /// As in [`GridCorners`].
    rows: [f32; 4],
    columns: [f32; 4],
    /// The same, without a centre.
    corners: [[usize; 2]; 3],
}

impl Pattern {
    const fn new(corners: [[usize; 2]; 3]) -> Self {
        let [a, b, c] = corners;
        Self {
            rows: [a[0] as f32, b[0] as f32, c[0] as f32, a[0] as f32],
            columns: [a[1] as f32, b[1] as f32, c[1] as f32, a[1] as f32],
            corners,
        }
    }

    /// The triangle of two corners and the centre. Its third corner stands for the centre.
    const fn with_center(first: [usize; 2], second: [usize; 2]) -> Self {
        let mut pattern = Self::new([first, second, A]);
        (pattern.rows[2], pattern.columns[2]) = (0.5, 0.5);
        pattern
    }
}

impl GridCorners {
    /// The corners of a triangle in a field of so many rows and columns; `turned`: whether the
    /// diagonal of its cell is.
    #[inline(always)]
    fn new(size: [usize; 2], split: Split, turned: bool, triangle: CellTriangle) -> Self {
        let CellTriangle { row, column, number } = triangle;
        let stride = size[1] + 1;
        let first = row * stride + column;
        let pattern = match split {
            Split::Four => &FAN_PATTERNS[number % 4],
            Split::Two => &HALF_PATTERNS[usize::from(turned)][number % 2],
        };
        let mut samples = pattern.corners.map(|[rows, columns]| first + rows * stride + columns);
        if split == Split::Four {
            samples[2] = (size[0] + 1) * stride + row * size[1] + column;
        }
        // Sums are exact: there are at most 2¹⁶ rows and columns.
        let (row, column) = (row as f32, column as f32);
        let (rows, columns) = (pattern.rows, pattern.columns);
        Self { rows: rows.map(|by| row + by), columns: columns.map(|by| column + by), samples }
    }
}

impl HeightField {
    /// The corners of the triangle with this index: x, y and z of each, holes included. The fourth
    /// lane repeats the first.
    ///
    /// A call of its own, so that the code of meshes stays small. It makes no view, because that
    /// resolves more than it needs.
    #[inline(never)]
    pub(crate) fn corner_lanes(&self, index: usize) -> [[f32; 4]; 3] {
        // The heights are resolved first: little has to be kept across that call.
        match self.samples.view() {
            SamplesView::F32(heights) => {
                self.lanes_by_split(index, |index| heights.get(index).copied().unwrap_or(0.0))
            }
            samples @ SamplesView::U16 { .. } => {
                self.lanes_by_split(index, |index| samples.at(index))
            }
            SamplesView::Flat(height) => self.lanes_by_split(index, |_| height),
        }
    }

    /// One copy of the code for each split, without its branches.
    #[inline(always)]
    fn lanes_by_split(&self, index: usize, height: impl Fn(usize) -> f32) -> [[f32; 4]; 3] {
        match self.split {
            Split::Four => self.lanes_with(Split::Four, index, height),
            Split::Two => self.lanes_with(Split::Two, index, height),
        }
    }

    #[inline(always)]
    fn lanes_with(
        &self,
        split: Split,
        index: usize,
        height: impl Fn(usize) -> f32,
    ) -> [[f32; 4]; 3] {
        let (cell, number) = split.cell_of(index);
        // There are fewer than 2³² cells, and a short division is the faster one.
        let (row, column) = (cell as u32 / self.columns, cell as u32 % self.columns);
        let triangle = CellTriangle { row: row as usize, column: column as usize, number };
        let turned = split == Split::Two && bit(&self.turned, cell);
        let size = [self.rows as usize, self.columns as usize];
        let GridCorners { rows, columns, samples } =
            GridCorners::new(size, split, turned, triangle);
        let [a, b, c] = samples.map(height);
        let [along_rows, along_columns] = self.spacing;
        [
            rows.map(|row| row * along_rows),
            columns.map(|column| column * along_columns),
            [a, b, c, a],
        ]
    }

    /// Whether there is a triangle with this index, outside of holes.
    pub(crate) fn has_triangle(&self, index: usize) -> bool {
        let (cell, _) = self.split.cell_of(index);
        cell < self.rows as usize * self.columns as usize && !bit(&self.holes, cell)
    }
}

/// Corner positions of a field; resolved once for many triangles.
#[derive(Clone, Copy)]
pub(crate) struct FieldView<'a> {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) spacing: [f32; 2],
    pub(crate) split: Split,
    pub(crate) samples: SamplesView<'a>,
    holes: &'a [u8],
    turned: &'a [u8],
}

/// The bits of four consecutive cells; no bits at all are all clear.
#[inline(always)]
pub(super) fn four_bits(bits: &[u8], cell: usize) -> u32 {
    let byte = |at: usize| bits.get(at).copied().map_or(0, u32::from);
    (byte(cell / 8) | byte(cell / 8 + 1) << 8) >> (cell % 8) & 0b1111
}

/// Whether the bit of a cell is set; no bits at all are all clear.
#[inline(always)]
pub(crate) fn bit(bits: &[u8], cell: usize) -> bool {
    bits.get(cell / 8).is_some_and(|byte| byte >> (cell % 8) & 1 == 1)
}

impl HeightField {
    #[inline(always)]
    pub(crate) fn view(&self) -> FieldView<'_> {
        FieldView {
            rows: self.rows as usize,
            columns: self.columns as usize,
            spacing: self.spacing,
            split: self.split,
            samples: self.samples.view(),
            holes: &self.holes,
            turned: &self.turned,
        }
    }
}

impl FieldView<'_> {
    /// Whether there is no surface in a cell.
    #[inline(always)]
    pub(crate) fn is_hole(&self, cell: usize) -> bool {
        !self.holes.is_empty() && bit(self.holes, cell)
    }

    /// The bits of four cells that are holes, and of those whose diagonal is turned.
    #[inline(always)]
    pub(super) fn four_holes(&self, cell: usize) -> u32 {
        if self.holes.is_empty() { 0 } else { four_bits(self.holes, cell) }
    }

    #[inline(always)]
    pub(super) fn four_turned(&self, cell: usize) -> u32 {
        if self.turned.is_empty() { 0 } else { four_bits(self.turned, cell) }
    }

    /// Whether the diagonal of a cell runs from `B` to `C`.
    #[inline(always)]
    pub(crate) fn is_turned(&self, cell: usize) -> bool {
        bit(self.turned, cell)
    }

    /// Whether there is a surface at this place.
    pub(super) fn has_cell(&self, row: usize, column: usize) -> bool {
        row < self.rows && column < self.columns && !self.is_hole(row * self.columns + column)
    }

    /// Height of a corner; past the rim of the field that of the last one before it.
    pub(super) fn corner_at_or_before(&self, row: usize, column: usize) -> f32 {
        self.samples.at(self.corner_index(row.min(self.rows), column.min(self.columns)))
    }

    /// Height of the centre of a cell that exists; 0 if cells have no centres.
    pub(super) fn center_or_zero(&self, row: usize, column: usize) -> f32 {
        match self.split {
            Split::Four => self.samples.at(self.center_index(row, column)),
            Split::Two => 0.0,
        }
    }

    /// Index of the height of a corner.
    #[inline(always)]
    pub(crate) fn corner_index(&self, row: usize, column: usize) -> usize {
        row * (self.columns + 1) + column
    }

    /// Index of the height of a centre.
    #[inline(always)]
    pub(crate) fn center_index(&self, row: usize, column: usize) -> usize {
        (self.rows + 1) * (self.columns + 1) + row * self.columns + column
    }

    /// Position of a row of corners along x. The product is rounded once.
    #[inline(always)]
    pub(crate) fn x_of(&self, row: usize) -> f32 {
        row as f32 * self.spacing[0]
    }

    /// Position of a column of corners along y.
    #[inline(always)]
    pub(crate) fn y_of(&self, column: usize) -> f32 {
        column as f32 * self.spacing[1]
    }

    /// The triangle with this index; `None` in a hole, and past the last.
    #[inline(always)]
    pub(super) fn triangle(&self, index: usize) -> Option<CellTriangle> {
        let (cell, number) = self.split.cell_of(index);
        let (row, column) = (cell / self.columns, cell % self.columns);
        let exists = row < self.rows && !self.is_hole(cell);
        exists.then_some(CellTriangle { row, column, number })
    }

    /// The corners of the triangle with this index, holes included. The index must be in range.
    pub(crate) fn corners(&self, index: usize) -> [Vec3; 3] {
        let (cell, number) = self.split.cell_of(index);
        let (row, column) = (cell / self.columns, cell % self.columns);
        self.corners_of(CellTriangle { row, column, number })
    }

    #[inline(always)]
    pub(super) fn corners_of(&self, triangle: CellTriangle) -> [Vec3; 3] {
        let turned = self.is_turned(triangle.row * self.columns + triangle.column);
        let size = [self.rows, self.columns];
        let GridCorners { rows, columns, samples } =
            GridCorners::new(size, self.split, turned, triangle);
        let [along_rows, along_columns] = self.spacing;
        [0, 1, 2].map(|i| {
            let height = self.samples.at(samples[i]);
            Vec3::new(rows[i] * along_rows, columns[i] * along_columns, height)
        })
    }

    /// The triangle beyond an edge; `None` at the rim of the field and of holes.
    pub(super) fn neighbor(&self, triangle: CellTriangle, edge: usize) -> Option<CellTriangle> {
        let CellTriangle { row, column, number } = triangle;
        match self.split {
            Split::Four => match edge {
                1 => Some(CellTriangle { number: (number + 1) % 4, ..triangle }),
                2 => Some(CellTriangle { number: (number + 3) % 4, ..triangle }),
                // The outer edge of triangle 0, 1, 2, 3 is that of triangle 2, 3, 0, 1 beyond it.
                _ => self.beyond([row, column], OUTER[number % 4], |_| (number + 2) % 4),
            },
            Split::Two => {
                let turned = self.is_turned(row * self.columns + column);
                let [start, end] = edge_of(HALVES[usize::from(turned)][number % 2], edge);
                let Some(side) = OUTER_EDGES.iter().position(|outer| *outer == [start, end])
                else {
                    return Some(CellTriangle { number: 1 - number % 2, ..triangle });
                };
                // The other cell has the same edge on its opposite side, the other way round.
                let [start, end] = OUTER_EDGES[(side + 2) % 4];
                self.beyond([row, column], OUTER[side], |turned| {
                    let has_edge = |half: [[usize; 2]; 3]| {
                        (0..3).any(|edge| edge_of(half, edge) == [start, end])
                    };
                    usize::from(!has_edge(HALVES[usize::from(turned)][0]))
                })
            }
        }
    }

    /// The triangle of a neighbouring cell that `number` names, given whether its diagonal is
    /// turned.
    fn beyond(
        &self,
        [row, column]: [usize; 2],
        [rows, columns]: [isize; 2],
        number: impl Fn(bool) -> usize,
    ) -> Option<CellTriangle> {
        let row = row.checked_add_signed(rows).filter(|row| *row < self.rows)?;
        let column = column.checked_add_signed(columns).filter(|column| *column < self.columns)?;
        let cell = row * self.columns + column;
        let number = number(self.is_turned(cell));
        (!self.is_hole(cell)).then_some(CellTriangle { row, column, number })
    }
}

/// The two triangles of a cell, with the diagonal `AD`, and with it turned.
const HALVES: [[[[usize; 2]; 3]; 2]; 2] = [[[A, B, D], [A, D, C]], [[A, B, C], [B, D, C]]];

/// The four triangles around the centre of a cell, and those of [`HALVES`].
const FAN_PATTERNS: [Pattern; 4] = [
    Pattern::with_center(A, B),
    Pattern::with_center(B, D),
    Pattern::with_center(D, C),
    Pattern::with_center(C, A),
];
const HALF_PATTERNS: [[Pattern; 2]; 2] = [
    [Pattern::new(HALVES[0][0]), Pattern::new(HALVES[0][1])],
    [Pattern::new(HALVES[1][0]), Pattern::new(HALVES[1][1])],
];

/// The edges around a cell, and the way to the cell beyond each.
const OUTER_EDGES: [[[usize; 2]; 2]; 4] = [[A, B], [B, D], [D, C], [C, A]];
const OUTER: [[isize; 2]; 4] = [[0, -1], [1, 0], [0, 1], [-1, 0]];

/// An edge of a triangle: its start and its end.
fn edge_of(corners: [[usize; 2]; 3], edge: usize) -> [[usize; 2]; 2] {
    [corners[edge % 3], corners[(edge + 1) % 3]]
}
