//! The leaves of a field's tree: blocks of 32 triangles, made from the heights when a query needs
//! them.
//!
//! A block has eight units of four triangles each: a cell with a centre, or two cells of one row
//! without. Two units make a [patch](Patch).

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::bvh::{Bounds, Boxes, F32x8, WIDTH};
use crate::mesh::height_field::cells::{FieldView, Split};
use crate::mesh::height_field::patch::{PATCH_COLUMNS, Patch};
use glam::Vec3;

/// Columns of cells in a block.
const COLUMNS: usize = 4;

/// Rows and first columns of the units of a block, for cells of four triangles and of two. Units
/// `2 i` and `2 i + 1` are those of patch `i`.
const UNITS_OF_FOUR: [[f32; WIDTH]; 2] =
    [[0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0], [0.0, 1.0, 2.0, 3.0, 0.0, 1.0, 2.0, 3.0]];
const UNITS_OF_TWO: [[f32; WIDTH]; 2] =
    [[0.0, 1.0, 0.0, 1.0, 2.0, 3.0, 2.0, 3.0], [0.0, 0.0, 2.0, 2.0, 0.0, 0.0, 2.0, 2.0]];

/// Bits of the first cells of units of two, as in [`Block::cells`].
const FIRST_OF_TWO: [u32; WIDTH] = [0, 4, 2, 6, 8, 12, 10, 14];

impl Split {
    /// Rows of cells in a block.
    #[inline(always)]
    pub(super) fn block_rows(self) -> usize {
        match self {
            Self::Four => 2,
            Self::Two => 4,
        }
    }
}

/// A block, with the heights of its cells.
pub(crate) struct Block<'a> {
    view: &'a FieldView<'a>,
    /// Its first cell.
    row: usize,
    column: usize,
    /// Heights of corners by row; past the rim of the field the last ones are repeated.
    corners: [[f32; COLUMNS + 1]; 5],
    /// Heights of the centres of both rows; only with [`Split::Four`].
    centers: [[f32; COLUMNS]; 2],
    /// Bit `4 · row + column` is set if the cell exists and is no hole.
    cells: u32,
}

impl<'a> FieldView<'a> {
    /// Number of blocks along rows and along columns.
    pub(crate) fn blocks(&self) -> [usize; 2] {
        [self.rows.div_ceil(self.split.block_rows()), self.columns.div_ceil(COLUMNS)]
    }

    /// Width of a block along rows and along columns.
    pub(super) fn block_size(&self) -> [f32; 2] {
        let [along_rows, along_columns] = self.spacing;
        [along_rows * self.split.block_rows() as f32, along_columns * COLUMNS as f32]
    }

    #[inline(always)]
    fn first_cell(&self, leaf: usize) -> (usize, usize) {
        // Leaves have 31 bits, and a short division is the faster one.
        let (leaf, in_row) = (leaf as u32, self.columns.div_ceil(COLUMNS) as u32);
        let (row, column) = ((leaf / in_row) as usize, (leaf % in_row) as usize);
        (row * self.split.block_rows(), column * COLUMNS)
    }

    /// The block that is leaf `leaf` of the tree.
    #[inline(always)]
    pub(crate) fn block(&'a self, leaf: usize) -> Block<'a> {
        let (row, column) = self.first_cell(leaf);
        let rows = self.split.block_rows();
        let mut block = Block {
            view: self,
            row,
            column,
            corners: [[0.0; COLUMNS + 1]; 5],
            centers: [[0.0; COLUMNS]; 2],
            cells: 0,
        };
        if row + rows <= self.rows && column + COLUMNS <= self.columns {
            block.load();
        } else {
            block.load_at_rim();
        }
        block
    }

    /// Prefetches the heights of a block.
    #[inline(always)]
    pub(crate) fn prefetch_block(&self, leaf: usize) {
        let (row, column) = self.first_cell(leaf);
        let corner = |i: usize| self.corner_index(row + i, column);
        match self.split {
            Split::Four => {
                let center = |i: usize| self.center_index(row + i, column);
                self.samples.prefetch([corner(0), corner(1), corner(2), center(0), center(1)]);
            }
            Split::Two => self.samples.prefetch([0, 1, 2, 3, 4].map(corner)),
        }
    }
}

impl Block<'_> {
    /// Fills a block that lies inside the field.
    #[inline(always)]
    fn load(&mut self) {
        let Self { view, row, column, .. } = *self;
        let corners = |i: usize| view.samples.run(view.corner_index(row + i, column));
        let cells = |i: usize| {
            let holes = view.four_holes((row + i) * view.columns + column);
            (0b1111 & !holes) << (COLUMNS * i)
        };
        match view.split {
            Split::Four => {
                for i in 0..3 {
                    self.corners[i] = corners(i);
                }
                let centers = |i: usize| view.samples.run(view.center_index(row + i, column));
                self.centers = [centers(0), centers(1)];
                self.cells = cells(0) | cells(1);
            }
            Split::Two => {
                // Not by `map`: it is a call for each row.
                self.corners = [corners(0), corners(1), corners(2), corners(3), corners(4)];
                self.cells = cells(0) | cells(1) | cells(2) | cells(3);
            }
        }
    }

    /// Fills a block that reaches beyond the field.
    #[cold]
    fn load_at_rim(&mut self) {
        let view = self.view;
        let rows = view.split.block_rows();
        for i in 0..=rows {
            for k in 0..=COLUMNS {
                self.corners[i][k] = view.corner_at_or_before(self.row + i, self.column + k);
            }
        }
        for cell in 0..rows * COLUMNS {
            let (i, k) = (cell / COLUMNS, cell % COLUMNS);
            let (row, column) = (self.row + i, self.column + k);
            if view.has_cell(row, column) {
                self.cells |= 1 << cell;
                if view.split == Split::Four {
                    self.centers[i][k] = view.center_or_zero(row, column);
                }
            }
        }
    }

    /// The boxes of the units; those without a cell are empty.
    #[inline(always)]
    pub(crate) fn boxes<L: F32x8>(&self) -> Boxes<L> {
        let (low, high, exists) = match self.view.split {
            Split::Four => self.heights_of_four::<L>(),
            Split::Two => self.heights_of_two::<L>(),
        };
        // Infinite where no cell exists: such a box is empty.
        let low = low.if_set(exists);
        let ([rows, columns], width) = match self.view.split {
            Split::Four => (&UNITS_OF_FOUR, 1.0),
            Split::Two => (&UNITS_OF_TWO, 2.0),
        };
        let lanes = self.view.lanes_from::<L>(self.row, self.column);
        let (row, column) = (L::load(rows), L::load(columns));
        let (next_row, next_column) = (row + L::splat(1.0), column + L::splat(width));
        Boxes {
            min: [lanes.x(row), lanes.y(column), low],
            max: [lanes.x(next_row), lanes.y(next_column), high],
        }
    }

    /// Lowest and highest heights of the units, and the bits of those that exist.
    #[inline(always)]
    fn heights_of_four<L: F32x8>(&self) -> (L, L, u32) {
        let [first, second, third, ..] = &self.corners;
        let of = |upper: [f32; COLUMNS], lower: [f32; COLUMNS]| L::load(&join(upper, lower));
        let (a, c) = (of(near(first), near(second)), of(far(first), far(second)));
        let (b, d) = (of(near(second), near(third)), of(far(second), far(third)));
        let e = of(self.centers[0], self.centers[1]);
        let low = a.min(b).min(c.min(d)).min(e);
        let high = a.max(b).max(c.max(d)).max(e);
        (low, high, self.cells)
    }

    /// As [`Self::heights_of_four`], for units of two cells. Holes count: a box may be too large.
    #[inline(always)]
    fn heights_of_two<L: F32x8>(&self) -> (L, L, u32) {
        // Of three neighbours in a row of corners, for both halves.
        let (mut lows, mut highs) = ([[0.0; 2]; 5], [[0.0; 2]; 5]);
        for (row, [a, b, c, d, e]) in self.corners.into_iter().enumerate() {
            lows[row] = [lower(lower(a, b), c), lower(lower(c, d), e)];
            highs[row] = [higher(higher(a, b), c), higher(higher(c, d), e)];
        }
        let of_units = |rows: &[[f32; 2]; 5], next: usize| {
            let at = |row: usize, half: usize| rows[row + next][half];
            let [a, b] = [
                [at(0, 0), at(1, 0), at(0, 1), at(1, 1)],
                [at(2, 0), at(3, 0), at(2, 1), at(3, 1)],
            ];
            L::load(&join(a, b))
        };
        let low = of_units(&lows, 0).min(of_units(&lows, 1));
        let high = of_units(&highs, 0).max(of_units(&highs, 1));
        let mut exists = 0;
        for (unit, cell) in FIRST_OF_TWO.into_iter().enumerate() {
            exists |= u32::from(self.cells >> cell & 0b11 != 0) << unit;
        }
        (low, high, exists)
    }

    /// The box around the whole block; empty if it has no cell.
    pub(super) fn bounds(&self) -> Bounds {
        let mut all = Bounds::EMPTY;
        for cell in (0..16).filter(|cell| self.cells >> cell & 1 == 1) {
            let (i, k) = (cell / COLUMNS, cell % COLUMNS);
            let [near, far] = [&self.corners[i], &self.corners[i + 1]];
            let (a, b, c, d) = (near[k], far[k], near[k + 1], far[k + 1]);
            let (mut low, mut high) = (a.min(b).min(c.min(d)), a.max(b).max(c.max(d)));
            if self.view.split == Split::Four {
                let center = self.centers[i][k];
                (low, high) = (low.min(center), high.max(center));
            }
            let (row, column) = (self.row + i, self.column + k);
            let (x, y) = (self.view.x_of(row), self.view.y_of(column));
            let (to_x, to_y) = (self.view.x_of(row + 1), self.view.y_of(column + 1));
            let cell = Bounds { min: Vec3::new(x, y, low), max: Vec3::new(to_x, to_y, high) };
            all = all.union(cell);
        }
        all
    }

    /// Patch `i` of four.
    #[inline(always)]
    pub(crate) fn patch(&self, i: usize) -> Patch<'_> {
        let (row, column) = (i / 2 % 2 * self.view.split.patch_rows(), i % 2 * PATCH_COLUMNS);
        let corners = |i: usize| {
            let row = &self.corners[row + i];
            [row[column], row[column + 1], row[column + 2]]
        };
        let cells = self.cells >> (COLUMNS * row + column);
        let (corners, centers, cells) = match self.view.split {
            Split::Four => {
                let centers = &self.centers[row];
                let centers = [centers[column], centers[column + 1]];
                ([corners(0), corners(1), [0.0; 3]], centers, cells & 0b11)
            }
            Split::Two => {
                let two_rows = cells & 0b11 | (cells >> COLUMNS & 0b11) << PATCH_COLUMNS;
                ([corners(0), corners(1), corners(2)], [0.0; 2], two_rows)
            }
        };
        let (row, column) = (self.row + row, self.column + column);
        Patch { view: self.view, row, column, corners, centers, cells }
    }
}

/// Positions in the grid, from a cell on. Sums are exact and products are rounded once, as in
/// [`FieldView::corners_of`].
#[derive(Clone, Copy)]
pub(super) struct GridLanes<L> {
    row: L,
    column: L,
    spacing: [L; 2],
}

impl FieldView<'_> {
    /// Positions from the cell in this row and column on.
    #[inline(always)]
    pub(super) fn lanes_from<L: F32x8>(&self, row: usize, column: usize) -> GridLanes<L> {
        GridLanes {
            row: L::splat(row as f32),
            column: L::splat(column as f32),
            spacing: self.spacing.map(L::splat),
        }
    }
}

impl<L: F32x8> GridLanes<L> {
    #[inline(always)]
    pub(super) fn x(&self, rows: L) -> L {
        (self.row + rows) * self.spacing[0]
    }

    #[inline(always)]
    pub(super) fn y(&self, columns: L) -> L {
        (self.column + columns) * self.spacing[1]
    }
}

/// As the lanes do it: one instruction, because no height is NaN.
#[inline(always)]
fn lower(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

#[inline(always)]
fn higher(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// The first four of five.
#[inline(always)]
fn near(row: &[f32; COLUMNS + 1]) -> [f32; COLUMNS] {
    [row[0], row[1], row[2], row[3]]
}

/// The last four of five.
#[inline(always)]
fn far(row: &[f32; COLUMNS + 1]) -> [f32; COLUMNS] {
    [row[1], row[2], row[3], row[4]]
}

#[inline(always)]
fn join([a, b, c, d]: [f32; 4], [e, f, g, h]: [f32; 4]) -> [f32; WIDTH] {
    [a, b, c, d, e, f, g, h]
}
