//! The leaves of a field's tree: blocks of 32 triangles, made from the heights when a query needs
//! them.
//!
//! A block has eight units of four triangles each: a cell with a centre, or two cells of one row
//! without. Two units make a packet of eight triangles with consecutive indices.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::bvh::{Bounds, Boxes, F32x8, WIDTH};
use crate::math::prefetch_at;
use crate::mesh::height_field::cells::{FieldView, Split};
use crate::mesh::height_field::samples::SamplesView;
use crate::mesh::packet::Packet;
use glam::Vec3;

/// Columns of cells in a block.
const COLUMNS: usize = 4;

/// Packets in a block.
const PACKETS: usize = 4;

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
    pub(super) fn blocks(&self) -> [usize; 2] {
        [self.rows.div_ceil(self.split.block_rows()), self.columns.div_ceil(COLUMNS)]
    }

    /// Width of a block along rows and along columns.
    pub(super) fn block_size(&self) -> [f32; 2] {
        let [along_rows, along_columns] = self.spacing;
        [along_rows * self.split.block_rows() as f32, along_columns * COLUMNS as f32]
    }

    #[inline(always)]
    fn first_cell(&self, leaf: usize) -> (usize, usize) {
        let in_row = self.columns.div_ceil(COLUMNS);
        (leaf / in_row * self.split.block_rows(), leaf % in_row * COLUMNS)
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
            cells: (1 << (rows * COLUMNS)) - 1,
        };
        if row + rows <= self.rows && column + COLUMNS <= self.columns {
            for i in 0..=rows {
                block.corners[i] = self.samples.run(self.corner_index(row + i, column));
            }
            if self.split == Split::Four {
                block.centers =
                    [0, 1].map(|i| self.samples.run(self.center_index(row + i, column)));
            }
            block.remove_holes();
        } else {
            block.load_at_rim();
        }
        block
    }

    /// Prefetches the heights of a block.
    #[inline(always)]
    pub(crate) fn prefetch_block(&self, leaf: usize) {
        let (row, column) = self.first_cell(leaf);
        let rows = self.split.block_rows();
        let prefetch = |index: usize| match self.samples {
            SamplesView::F32(heights) => prefetch_at(heights, index),
            SamplesView::U16 { raw, .. } => prefetch_at(raw, index),
            SamplesView::Flat(_) => {}
        };
        for i in 0..=rows {
            prefetch(self.corner_index(row + i, column));
        }
        if self.split == Split::Four {
            for i in 0..rows {
                prefetch(self.center_index(row + i, column));
            }
        }
    }
}

impl Block<'_> {
    #[inline(always)]
    fn remove_holes(&mut self) {
        if !self.view.has_holes() {
            return;
        }
        for row in 0..self.view.split.block_rows() {
            for column in 0..COLUMNS {
                let cell = (self.row + row) * self.view.columns + self.column + column;
                if self.view.is_hole(cell) {
                    self.cells &= !(1 << (COLUMNS * row + column));
                }
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
                let (row, column) = (self.row + i, self.column + k);
                let index = view.corner_index(row.min(view.rows), column.min(view.columns));
                self.corners[i][k] = view.samples.at(index);
            }
        }
        self.cells = 0;
        for i in 0..rows {
            for k in 0..COLUMNS {
                let (row, column) = (self.row + i, self.column + k);
                if row >= view.rows || column >= view.columns {
                    continue;
                }
                if view.split == Split::Four {
                    self.centers[i][k] = view.samples.at(view.center_index(row, column));
                }
                if !view.is_hole(row * view.columns + column) {
                    self.cells |= 1 << (COLUMNS * i + k);
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
        let [x, to_x, y, to_y] = self.sides();
        Boxes { min: [L::load(&x), L::load(&y), low], max: [L::load(&to_x), L::load(&to_y), high] }
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
        let at = |rows: usize, columns: usize| {
            let mut heights = [0.0; WIDTH];
            for (unit, height) in heights.iter_mut().enumerate() {
                *height = self.corners[unit / 2 + rows][unit % 2 * 2 + columns];
            }
            L::load(&heights)
        };
        let (a, b, c) = (at(0, 0), at(0, 1), at(0, 2));
        let (d, e, f) = (at(1, 0), at(1, 1), at(1, 2));
        let low = a.min(b).min(c.min(d)).min(e.min(f));
        let high = a.max(b).max(c.max(d)).max(e.max(f));
        let mut exists = 0;
        for unit in 0..WIDTH {
            exists |= u32::from(self.cells >> (2 * unit) & 0b11 != 0) << unit;
        }
        (low, high, exists)
    }

    /// Lower and upper ends of the units along x and along y.
    #[inline(always)]
    fn sides(&self) -> [[f32; WIDTH]; 4] {
        let mut sides = [[0.0; WIDTH]; 4];
        let (per_row, width) = match self.view.split {
            Split::Four => (COLUMNS, 1),
            Split::Two => (COLUMNS / 2, 2),
        };
        let [x, to_x, y, to_y] = &mut sides;
        for unit in 0..WIDTH {
            let (row, column) = (self.row + unit / per_row, self.column + unit % per_row * width);
            x[unit] = self.view.x_of(row);
            to_x[unit] = self.view.x_of(row + 1);
            y[unit] = self.view.y_of(column);
            to_y[unit] = self.view.y_of(column + width);
        }
        sides
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

    /// The triangles of a packet, and the index of the first. Lanes without a cell are NaN.
    #[inline(always)]
    pub(crate) fn packet(&self, packet: usize) -> (Packet, usize) {
        match self.view.split {
            Split::Four => self.packet_of_four(packet % PACKETS),
            Split::Two => self.packet_of_two(packet % PACKETS),
        }
    }

    #[inline(always)]
    fn packet_of_four(&self, packet: usize) -> (Packet, usize) {
        let (i, k) = (packet / 2, packet % 2 * 2);
        let (row, column) = (self.row + i, self.column + k);
        let view = self.view;
        let (x, to_x) = (view.x_of(row), view.x_of(row + 1));
        let middle_x = (row as f32 + 0.5) * view.spacing[0];
        let mut corners = [[[0.0; WIDTH]; 3]; 3];
        for cell in 0..2 {
            let (y, to_y) = (view.y_of(column + cell), view.y_of(column + cell + 1));
            let middle_y = ((column + cell) as f32 + 0.5) * view.spacing[1];
            let a = self.corners[i][k + cell];
            let b = self.corners[i + 1][k + cell];
            let c = self.corners[i][k + cell + 1];
            let d = self.corners[i + 1][k + cell + 1];
            let lanes = 4 * cell..4 * cell + 4;
            let mut put = |corner: usize, of: [[f32; 4]; 3]| {
                for axis in 0..3 {
                    corners[corner][axis][lanes.clone()].copy_from_slice(&of[axis]);
                }
            };
            put(0, [[x, to_x, to_x, x], [y, y, to_y, to_y], [a, b, d, c]]);
            put(1, [[to_x, to_x, x, x], [y, to_y, to_y, y], [b, d, c, a]]);
            put(2, [[middle_x; 4], [middle_y; 4], [self.centers[i][k + cell]; 4]]);
        }
        let cells = self.cells >> (COLUMNS * i + k) & 0b11;
        if cells != 0b11 {
            for cell in (0..2).filter(|cell| cells >> cell & 1 == 0) {
                blank(&mut corners, 4 * cell..4 * cell + 4);
            }
        }
        (Packet::from_corners(&corners), 4 * (row * view.columns + column))
    }

    #[inline(always)]
    fn packet_of_two(&self, packet: usize) -> (Packet, usize) {
        let (row, column, view) = (self.row + packet, self.column, self.view);
        let (x, to_x) = (view.x_of(row), view.x_of(row + 1));
        let mut triangles = Packet::EMPTY;
        for cell in (0..COLUMNS).filter(|cell| self.cells >> (COLUMNS * packet + cell) & 1 == 1) {
            let lanes = 2 * cell..2 * cell + 2;
            let (y, to_y) = (view.y_of(column + cell), view.y_of(column + cell + 1));
            let a = Vec3::new(x, y, self.corners[packet][cell]);
            let b = Vec3::new(to_x, y, self.corners[packet + 1][cell]);
            let c = Vec3::new(x, to_y, self.corners[packet][cell + 1]);
            let d = Vec3::new(to_x, to_y, self.corners[packet + 1][cell + 1]);
            let halves = if view.is_turned(row * view.columns + column + cell) {
                [[a, b, c], [b, d, c]]
            } else {
                [[a, b, d], [a, d, c]]
            };
            for (lane, half) in lanes.zip(halves) {
                triangles.set(lane, half);
            }
        }
        (triangles, 2 * (row * view.columns + column))
    }
}

/// Fills lanes with NaN, which passes no test.
#[cold]
fn blank(corners: &mut [[[f32; WIDTH]; 3]; 3], lanes: core::ops::Range<usize>) {
    for values in corners.as_flattened_mut() {
        values[lanes.clone()].fill(f32::NAN);
    }
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
