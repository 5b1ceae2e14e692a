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

    #[inline(always)]
    pub(super) fn has_holes(&self) -> bool {
        !self.holes.is_empty()
    }

    /// Whether the diagonal of a cell runs from `B` to `C`.
    #[inline(always)]
    pub(crate) fn is_turned(&self, cell: usize) -> bool {
        bit(self.turned, cell)
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

    #[inline(always)]
    fn corner(&self, row: usize, column: usize) -> Vec3 {
        let height = self.samples.at(self.corner_index(row, column));
        Vec3::new(self.x_of(row), self.y_of(column), height)
    }

    #[inline(always)]
    fn center(&self, row: usize, column: usize) -> Vec3 {
        // Half a cell is exact: there are at most 2¹⁶ rows and columns.
        let (x, y) = (row as f32 + 0.5, column as f32 + 0.5);
        let height = self.samples.at(self.center_index(row, column));
        Vec3::new(x * self.spacing[0], y * self.spacing[1], height)
    }

    /// The triangle with this index; `None` in a hole, and past the last.
    #[inline(always)]
    pub(super) fn triangle(&self, index: usize) -> Option<CellTriangle> {
        let per_cell = self.split.triangles();
        let (cell, number) = (index / per_cell, index % per_cell);
        let (row, column) = (cell / self.columns, cell % self.columns);
        let exists = row < self.rows && !self.is_hole(cell);
        exists.then_some(CellTriangle { row, column, number })
    }

    /// The corners of the triangle with this index, holes included. The index must be in range.
    #[inline(always)]
    pub(crate) fn corners(&self, index: usize) -> [Vec3; 3] {
        let per_cell = self.split.triangles();
        let (cell, number) = (index / per_cell, index % per_cell);
        let (row, column) = (cell / self.columns, cell % self.columns);
        self.corners_of(CellTriangle { row, column, number })
    }

    #[inline(always)]
    pub(super) fn corners_of(
        &self,
        CellTriangle { row, column, number }: CellTriangle,
    ) -> [Vec3; 3] {
        let at = |[rows, columns]: [usize; 2]| self.corner(row + rows, column + columns);
        match self.split {
            Split::Four => {
                let (first, second) = (FAN[number % 4], FAN[(number + 1) % 4]);
                [at(first), at(second), self.center(row, column)]
            }
            Split::Two => {
                let turned = self.is_turned(row * self.columns + column);
                HALVES[usize::from(turned)][number % 2].map(at)
            }
        }
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

/// The corners around a cell, in the order of its four triangles.
const FAN: [[usize; 2]; 4] = [A, B, D, C];

/// The two triangles of a cell, with the diagonal `AD`, and with it turned.
const HALVES: [[[[usize; 2]; 3]; 2]; 2] = [[[A, B, D], [A, D, C]], [[A, B, C], [B, D, C]]];

/// The edges around a cell, and the way to the cell beyond each.
const OUTER_EDGES: [[[usize; 2]; 2]; 4] = [[A, B], [B, D], [D, C], [C, A]];
const OUTER: [[isize; 2]; 4] = [[0, -1], [1, 0], [0, 1], [-1, 0]];

/// An edge of a triangle: its start and its end.
fn edge_of(corners: [[usize; 2]; 3], edge: usize) -> [[usize; 2]; 2] {
    [corners[edge % 3], corners[(edge + 1) % 3]]
}
