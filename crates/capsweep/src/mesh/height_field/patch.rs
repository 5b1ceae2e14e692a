//! Patches: eight triangles of neighbouring cells, which make one packet.
//!
//! A patch has four cells of two triangles, two by two, or two cells of four triangles in one row.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::bvh::{F32x4, F32x8, GridBox, WIDTH};
use crate::mesh::height_field::cells::{FieldView, Split};
use crate::mesh::packet::{Packet, Slots};
use std::ops::Range;

/// Columns of cells in a patch.
pub(super) const PATCH_COLUMNS: usize = 2;

/// Most patches that are visited without the tree. A patch costs about as much as two nodes, and
/// a tree over a large field has five levels or more.
const MOST_NEAR_PATCHES: usize = 4;

/// Cells along one axis that so many patches can span.
const WIDEST: f32 = (MOST_NEAR_PATCHES * PATCH_COLUMNS) as f32;

impl Split {
    /// Rows of cells in a patch.
    #[inline(always)]
    pub(super) fn patch_rows(self) -> usize {
        match self {
            Self::Four => 1,
            Self::Two => 2,
        }
    }
}

/// A patch, with the heights of its cells.
pub(crate) struct Patch<'a> {
    pub(super) view: &'a FieldView<'a>,
    /// Its first cell.
    pub(super) row: usize,
    pub(super) column: usize,
    /// Heights of corners by row. Cells of four triangles have two rows of them.
    pub(super) corners: [[f32; PATCH_COLUMNS + 1]; 3],
    /// Heights of the centres; only with [`Split::Four`].
    pub(super) centers: [f32; PATCH_COLUMNS],
    /// Bit `2 · row + column` is set if the cell exists and is no hole.
    pub(super) cells: u32,
}

/// Rows and columns of cells.
pub(crate) struct CellRange {
    rows: Range<usize>,
    columns: Range<usize>,
}

impl<'a> FieldView<'a> {
    /// The cells whose columns of space a box meets, if they are few enough to be visited without
    /// the tree.
    ///
    /// The box is wider than the query on each side by eight ulps of the largest coordinate. Here
    /// the quotient and the positions of corners are rounded once each: less than two ulps.
    #[inline(always)]
    pub(crate) fn few_cells_in<L: F32x8>(&self, around: &GridBox) -> Option<CellRange> {
        let ([low_x, low_y, ..], [high_x, high_y, ..]) = around.corners();
        let [along_rows, along_columns] = self.spacing;
        // Most boxes that are too large are rejected by their width alone.
        if high_x - low_x > WIDEST * along_rows || high_y - low_y > WIDEST * along_columns {
            return None;
        }
        let ends = L::F32x4::load([low_x, low_y, high_x, high_y]);
        let spacing = L::F32x4::load([along_rows, along_columns, along_rows, along_columns]);
        // The first cells, and the ones after the last.
        let cells = ends / spacing + L::F32x4::load([0.0, 0.0, 1.0, 1.0]);
        let [row, column, end_row, end_column] =
            cells.max(L::F32x4::splat(0.0)).truncated().map(|cell| cell as usize);
        let rows = row..end_row.min(self.rows);
        let columns = column..end_column.min(self.columns);
        let patches =
            rows.len().div_ceil(self.split.patch_rows()) * columns.len().div_ceil(PATCH_COLUMNS);
        (patches <= MOST_NEAR_PATCHES).then_some(CellRange { rows, columns })
    }

    /// Calls `visit` with patches that cover the cells, each cell once. They may hold other cells
    /// too. `visit` ends the loop by `false`.
    #[inline(always)]
    pub(crate) fn visit_patches(
        &'a self,
        CellRange { rows, columns }: CellRange,
        mut visit: impl FnMut(&Patch<'a>) -> bool,
    ) {
        let mut row = rows.start;
        while row < rows.end {
            let mut column = columns.start;
            while column < columns.end {
                if !visit(&self.patch(row, column)) {
                    return;
                }
                column += PATCH_COLUMNS;
            }
            row += self.split.patch_rows();
        }
    }

    /// The patch whose first cell is at this place.
    #[inline(always)]
    fn patch(&'a self, row: usize, column: usize) -> Patch<'a> {
        let rows = self.split.patch_rows();
        let mut patch = Patch {
            view: self,
            row,
            column,
            corners: [[0.0; PATCH_COLUMNS + 1]; 3],
            centers: [0.0; PATCH_COLUMNS],
            cells: 0,
        };
        if row + rows <= self.rows && column + PATCH_COLUMNS <= self.columns {
            patch.load();
        } else {
            patch.load_at_rim();
        }
        patch
    }
}

impl Patch<'_> {
    /// Fills a patch that lies inside the field.
    #[inline(always)]
    fn load(&mut self) {
        let Self { view, row, column, .. } = *self;
        let corners = |i: usize| view.samples.run(view.corner_index(row + i, column));
        let cells = |i: usize| {
            let holes = view.four_holes((row + i) * view.columns + column);
            (0b11 & !holes) << (PATCH_COLUMNS * i)
        };
        (self.corners[0], self.corners[1]) = (corners(0), corners(1));
        match view.split {
            Split::Four => {
                self.centers = view.samples.run(view.center_index(row, column));
                self.cells = cells(0);
            }
            Split::Two => {
                self.corners[2] = corners(2);
                self.cells = cells(0) | cells(1);
            }
        }
    }

    /// Fills a patch that reaches beyond the field.
    #[cold]
    fn load_at_rim(&mut self) {
        let view = self.view;
        for i in 0..=view.split.patch_rows() {
            for k in 0..=PATCH_COLUMNS {
                self.corners[i][k] = view.corner_at_or_before(self.row + i, self.column + k);
            }
        }
        for i in 0..view.split.patch_rows() {
            for k in 0..PATCH_COLUMNS {
                let (row, column) = (self.row + i, self.column + k);
                if view.has_cell(row, column) {
                    self.cells |= 1 << (PATCH_COLUMNS * i + k);
                    self.centers[k] = view.center_or_zero(row, column);
                }
            }
        }
    }

    /// The triangles, and their slots. Lanes without a cell are NaN.
    #[inline(always)]
    pub(crate) fn packet<L: F32x8>(&self) -> (Packet, Slots) {
        match self.view.split {
            Split::Four => self.packet_of_four::<L>(),
            Split::Two => self.packet_of_two::<L>(),
        }
    }

    /// Two cells of four triangles.
    #[inline(always)]
    fn packet_of_four<L: F32x8>(&self) -> (Packet, Slots) {
        let [[a, c, e], [b, d, f], _] = self.corners;
        let [m, n] = self.centers;
        let at = self.view.lanes_from::<L>(self.row, self.column);
        // The corners around both cells, as in a fan: `A B D C` of the first and of the second.
        let x = |[a, b, c, d]: [f32; 4]| at.x(L::load(&[a, b, c, d, a, b, c, d]));
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
        let missing = !self.cells & 0b11;
        if missing != 0 {
            triangles.remove(((missing & 1) * 0b1111) | ((missing >> 1) * 0b1111_0000));
        }
        (triangles, Slots::consecutive(4 * self.first_cell()))
    }

    /// Four cells of two triangles: `ABD` and `ADC`, or `ABC` and `BDC` if the cell is turned. So
    /// only the third corner of the first and the first corner of the second differ.
    #[inline(always)]
    fn packet_of_two<L: F32x8>(&self) -> (Packet, Slots) {
        let cell = self.first_cell();
        let columns = self.view.columns;
        let turned = self.view.four_turned(cell) & 0b11
            | (self.view.four_turned(cell + columns) & 0b11) << PATCH_COLUMNS;
        let [first_by, third_by] = &TURNED[turned as usize % 16];
        let (first_by, third_by) = (L::load(first_by), L::load(third_by));
        // The corners of every cell, once for each of its triangles.
        let [[a, c, e], [b, d, f], [g, h, i]] = self.corners;
        let corner_a = L::load(&[a, a, c, c, b, b, d, d]);
        let corner_b = L::load(&[b, b, d, d, g, g, h, h]);
        let corner_c = L::load(&[c, c, e, e, d, d, f, f]);
        let corner_d = L::load(&[d, d, f, f, h, h, i, i]);
        let (first, _) = corner_a.swapped_if_negative(corner_b, first_by);
        let second = L::load(&[b, d, d, f, g, h, h, i]);
        let (third, _) = corner_d.swapped_if_negative(corner_c, third_by);
        let at = self.view.lanes_from::<L>(self.row, self.column);
        let near = at.x(L::load(&[0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0]));
        let far = at.x(L::load(&[1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0]));
        let (first_x, _) = near.swapped_if_negative(far, first_by);
        let (third_x, _) = far.swapped_if_negative(near, third_by);
        let y = |columns: [f32; WIDTH]| at.y(L::load(&columns));
        let mut triangles = Packet::from_lanes([
            [first_x, y([0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0]), first],
            [far, y([0.0, 1.0, 1.0, 2.0, 0.0, 1.0, 1.0, 2.0]), second],
            [third_x, y([1.0, 1.0, 2.0, 2.0, 1.0, 1.0, 2.0, 2.0]), third],
        ]);
        let missing = !self.cells & 0b1111;
        if missing != 0 {
            let lanes = (0..4).map(|cell| ((missing >> cell & 1) * 0b11) << (2 * cell));
            triangles.remove(lanes.sum());
        }
        (triangles, Slots::in_two_rows(2 * cell, 2 * columns))
    }

    /// The number of the first cell.
    #[inline(always)]
    fn first_cell(&self) -> usize {
        self.row * self.view.columns + self.column
    }
}

/// For the bits of four turned cells: where the first corner of a triangle is `B` in place of `A`,
/// and where the third is `C` in place of `D`. A minus sign says yes.
const TURNED: [[[f32; WIDTH]; 2]; 16] = {
    let mut signs = [[[1.0; WIDTH]; 2]; 16];
    let mut turned = 0;
    while turned < 16 {
        let mut cell = 0;
        while cell < 4 {
            if turned >> cell & 1 == 1 {
                signs[turned][0][2 * cell + 1] = -1.0;
                signs[turned][1][2 * cell] = -1.0;
            }
            signs[turned][1][2 * cell + 1] = -1.0;
            cell += 1;
        }
        turned += 1;
    }
    signs
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bvh::Scalar;
    use crate::mesh::height_field::{CellTriangles, HeightField, HeightFieldOptions};
    use crate::mesh::height_field::{HeightGrid, Heights};
    use capsweep_testkit::Rng;
    use glam::Vec3;

    fn some_field(rng: &mut Rng) -> HeightField {
        let [rows, columns] = [0; 2].map(|_| 1 + rng.below(9));
        let spacing = [0; 2].map(|_| rng.range_f32(0.1, 4.0));
        let cells = (rows * columns) as usize;
        let corners = ((rows + 1) * (columns + 1)) as usize;
        let flags = |rng: &mut Rng, share: f64| -> Vec<bool> {
            (0..cells).map(|_| rng.chance(share)).collect()
        };
        let (is_four, turned) = (rng.chance(0.5), flags(rng, 0.5));
        let count = if is_four { corners + cells } else { corners };
        let heights = Heights::F32((0..count).map(|_| rng.range_f32(-2.0, 2.0)).collect());
        let grid = HeightGrid { rows, columns, spacing };
        let split =
            if is_four { CellTriangles::Four } else { CellTriangles::Two { turned: &turned } };
        let options = HeightFieldOptions::default();
        let field = HeightField::new(grid, heights, split, options).expect("a field");
        field.with_holes(&flags(rng, 0.2)).expect("a flag for each cell")
    }

    #[test]
    fn patches_hold_every_triangle_over_a_small_box_once() {
        let mut rng = Rng::new(&[61]);
        let (mut small, mut found) = (0, 0);
        for round in 0..20_000 {
            let field = some_field(&mut rng);
            let view = field.view();
            let HeightGrid { rows, columns, spacing } = field.grid();
            let size = [rows as f32 * spacing[0], columns as f32 * spacing[1]];
            // On the line between two cells in half of the rounds.
            let at = [0, 1].map(|axis| {
                let at = rng.range_f32(-1.0, size[axis] + 1.0);
                if rng.chance(0.5) { at } else { (at / spacing[axis]).floor() * spacing[axis] }
            });
            let reach = [0; 2].map(|_| rng.range_f32(0.0, 3.0) * rng.below(2) as f32);
            let low = Vec3::new(at[0] - reach[0], at[1] - reach[1], 0.0);
            let high = Vec3::new(at[0] + reach[0], at[1] + reach[1], 0.0);
            // The margin that a box must have.
            let margin = Vec3::splat(8.0 * f32::EPSILON * (size[0].max(size[1]) + 4.0));
            let around = GridBox::new(low - margin, high + margin);
            let Some(cells) = view.few_cells_in::<Scalar>(&around) else { continue };
            small += 1;
            let mut seen = vec![0; field.triangle_count() as usize];
            view.visit_patches(cells, |patch| {
                let (packet, slots) = patch.packet::<Scalar>();
                for lane in (0..WIDTH).filter(|lane| !packet.get(*lane)[0].is_nan()) {
                    let slot = slots.of(lane);
                    assert_eq!(Some(packet.get(lane)), field.triangle(slot as u32), "{round}");
                    seen[slot] += 1;
                }
                true
            });
            for (index, corners) in field.triangles() {
                let (min, max) = (
                    corners[0].min(corners[1]).min(corners[2]),
                    corners[0].max(corners[1]).max(corners[2]),
                );
                let meets = min.x <= high.x && low.x <= max.x && min.y <= high.y && low.y <= max.y;
                let times = seen[index as usize];
                assert!(times == 1 || times == 0 && !meets, "{round}: {index} {times} times");
                found += times;
            }
        }
        assert!(small > 5_000 && found > 50_000, "{small} small boxes, {found} triangles");
    }
}
