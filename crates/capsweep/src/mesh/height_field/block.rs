//! The leaves of a field's tree: blocks of 32 triangles, made from the heights when a query needs
//! them.
//!
//! A block has eight units of four triangles each: a cell with a centre, or two cells of one row
//! without. Two units make a packet of eight triangles with consecutive indices.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::bvh::{Bounds, Boxes, F32x8, WIDTH};
use crate::mesh::height_field::cells::{FieldView, Split};
use crate::mesh::packet::Packet;
use glam::Vec3;

/// Columns of cells in a block.
const COLUMNS: usize = 4;

/// Rows and first columns of the units of a block, for cells of four triangles and of two.
const UNITS_OF_FOUR: [[f32; WIDTH]; 2] =
    [[0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0], [0.0, 1.0, 2.0, 3.0, 0.0, 1.0, 2.0, 3.0]];
const UNITS_OF_TWO: [[f32; WIDTH]; 2] =
    [[0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 3.0, 3.0], [0.0, 2.0, 0.0, 2.0, 0.0, 2.0, 0.0, 2.0]];

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
                self.centers =
                    [0, 1].map(|i| view.samples.run(view.center_index(row + i, column)));
                self.cells = cells(0) | cells(1);
            }
            Split::Two => {
                self.corners = [0, 1, 2, 3, 4].map(corners);
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
        let ([rows, columns], width) = match self.view.split {
            Split::Four => (&UNITS_OF_FOUR, 1.0),
            Split::Two => (&UNITS_OF_TWO, 2.0),
        };
        let lanes = self.lanes_from::<L>(0, 0);
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

    /// Positions from the cell in this row and column of the block on.
    #[inline(always)]
    fn lanes_from<L: F32x8>(&self, row: usize, column: usize) -> GridLanes<L> {
        let [along_rows, along_columns] = self.view.spacing;
        GridLanes {
            row: L::splat((self.row + row) as f32),
            column: L::splat((self.column + column) as f32),
            spacing: [L::splat(along_rows), L::splat(along_columns)],
        }
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
    pub(crate) fn packet<L: F32x8>(&self, packet: usize) -> (Packet, usize) {
        match self.view.split {
            Split::Four => self.packet_of_four::<L>(packet % PACKETS),
            Split::Two => self.packet_of_two::<L>(packet % PACKETS),
        }
    }

    /// Two cells of four triangles.
    #[inline(always)]
    fn packet_of_four<L: F32x8>(&self, packet: usize) -> (Packet, usize) {
        let (i, k) = (packet / 2, packet % 2 * 2);
        let [a, c, e] = [0, 1, 2].map(|column| self.corners[i][k + column]);
        let [b, d, f] = [0, 1, 2].map(|column| self.corners[i + 1][k + column]);
        let [m, n] = [0, 1].map(|column| self.centers[i][k + column]);
        let at = self.lanes_from::<L>(i, k);
        // The corners around both cells, as in a fan: `A B D C` of the first and of the second.
        let x = |rows: [f32; 4]| at.x(L::load(&join(rows, rows)));
        let y = |columns: [f32; WIDTH]| at.y(L::load(&columns));
        let mut triangles = Packet::from_lanes([
            [
                x([0.0, 1.0, 1.0, 0.0]),
                y([0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 2.0, 2.0]),
                L::load(&[a, b, d, c, c, d, f, e]),
            ],
            [
                x([1.0, 1.0, 0.0, 0.0]),
                y([0.0, 1.0, 1.0, 0.0, 1.0, 2.0, 2.0, 1.0]),
                L::load(&[b, d, c, a, d, f, e, c]),
            ],
            [
                x([0.5; 4]),
                y([0.5, 0.5, 0.5, 0.5, 1.5, 1.5, 1.5, 1.5]),
                L::load(&[m, m, m, m, n, n, n, n]),
            ],
        ]);
        let missing = !self.cells >> (COLUMNS * i + k) & 0b11;
        if missing != 0 {
            triangles.remove(((missing & 1) * 0b1111) | ((missing >> 1) * 0b1111_0000));
        }
        (triangles, 4 * self.cell(i, k))
    }

    /// Four cells of two triangles: `ABD` and `ADC`, or `ABC` and `BDC` if the cell is turned. So
    /// only the third corner of the first and the first corner of the second differ.
    #[inline(always)]
    fn packet_of_two<L: F32x8>(&self, packet: usize) -> (Packet, usize) {
        let (near, far) = (&self.corners[packet], &self.corners[packet + 1]);
        let turned = self.view.four_turned(self.cell(packet, 0));
        // Rows and heights of the first and of the third corners; heights of the second.
        let [mut row, mut height, mut third_row, mut third, mut second] = [[0.0; WIDTH]; 5];
        for k in 0..COLUMNS {
            let is_turned = turned >> k & 1 == 1;
            let (a, b, c, d) = (near[k], far[k], near[k + 1], far[k + 1]);
            (height[2 * k], height[2 * k + 1]) = (a, if is_turned { b } else { a });
            row[2 * k + 1] = if is_turned { 1.0 } else { 0.0 };
            (second[2 * k], second[2 * k + 1]) = (b, d);
            (third[2 * k], third[2 * k + 1]) = (if is_turned { c } else { d }, c);
            third_row[2 * k] = if is_turned { 0.0 } else { 1.0 };
        }
        let at = self.lanes_from::<L>(packet, 0);
        let y = |columns: [f32; WIDTH]| at.y(L::load(&columns));
        let mut triangles = Packet::from_lanes([
            [at.x(L::load(&row)), y([0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 3.0, 3.0]), L::load(&height)],
            [at.x(L::splat(1.0)), y([0.0, 1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 4.0]), L::load(&second)],
            [
                at.x(L::load(&third_row)),
                y([1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 4.0, 4.0]),
                L::load(&third),
            ],
        ]);
        let missing = !self.cells >> (COLUMNS * packet) & 0b1111;
        if missing != 0 {
            let lanes = (0..COLUMNS).map(|k| ((missing >> k & 1) * 0b11) << (2 * k));
            triangles.remove(lanes.sum());
        }
        (triangles, 2 * self.cell(packet, 0))
    }

    /// The number of the cell in this row and column of the block.
    #[inline(always)]
    fn cell(&self, row: usize, column: usize) -> usize {
        (self.row + row) * self.view.columns + self.column + column
    }
}

/// Positions in the grid, from a cell on. Sums are exact and products are rounded once, as in
/// [`FieldView::corners_of`].
#[derive(Clone, Copy)]
struct GridLanes<L> {
    row: L,
    column: L,
    spacing: [L; 2],
}

impl<L: F32x8> GridLanes<L> {
    #[inline(always)]
    fn x(&self, rows: L) -> L {
        (self.row + rows) * self.spacing[0]
    }

    #[inline(always)]
    fn y(&self, columns: L) -> L {
        (self.column + columns) * self.spacing[1]
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
