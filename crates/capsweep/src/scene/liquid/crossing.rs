//! Where a vertical line of the world crosses a placed sheet.

#![allow(clippy::cast_sign_loss, reason = "a cast to unsigned saturates at 0, which is intended")]

use crate::mesh::height_field::onto;
use crate::scene::liquid::LiquidKind;
use crate::scene::liquid::sheet::{LiquidSheet, SheetView};
use crate::shape::pose::Pose;
use crate::tolerance::RIM_SLACK;
use glam::{DVec2, DVec3};

/// A point where a vertical line crosses the surface of a liquid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Crossing {
    /// World z.
    pub(crate) surface: f64,
    pub(crate) kind: LiquidKind,
}

/// A vertical line of the world in the space of a pose. Heights count from the pose's position,
/// so that a far position costs no digits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct VerticalLine {
    /// The line at the height of the pose's position.
    pub(crate) start: DVec3,
    /// The way for each metre up.
    step: DVec3,
}

impl VerticalLine {
    pub(crate) fn new(pose: &Pose, x: f64, y: f64) -> Self {
        let start = pose.point_to_local(DVec3::new(x, y, pose.position().z));
        Self { start, step: pose.vector_to_local(DVec3::Z) }
    }

    /// Whether the line runs along the z axis of the pose.
    fn is_along_z(&self) -> bool {
        self.step.x == 0.0 && self.step.y == 0.0
    }
}

/// Whether the z axis of a pose is vertical in the world.
pub(crate) fn is_upright(pose: &Pose) -> bool {
    VerticalLine::new(pose, 0.0, 0.0).is_along_z()
}

/// How far outside of a rim a point of the pose's space counts as on it: [`RIM_SLACK`] and the
/// rounding of the transform, for coordinates up to `size`.
pub(crate) fn rim_slack(pose: &Pose, size: f64) -> f64 {
    (RIM_SLACK + pose.rounding_error(size)) * pose.max_inv_scale()
}

/// Calls `found` for each crossing of the vertical line through `(x, y)` with the wet cells of a
/// placed sheet.
pub(crate) fn cross(
    sheet: &LiquidSheet,
    pose: &Pose,
    [x, y]: [f64; 2],
    found: &mut dyn FnMut(Crossing),
) {
    let Some(bounds) = sheet.bounds() else { return };
    let line = VerticalLine::new(pose, x, y);
    let size = bounds.min().abs().max(bounds.max().abs()).max_element();
    let slack = rim_slack(pose, size);
    let grid = &sheet.grid;
    let spacing = DVec2::from_array(grid.spacing.map(f64::from));
    let origin = DVec2::from_array(grid.origin.map(f64::from));
    let on_grid = GridLine {
        start: (line.start.truncate() - origin) / spacing,
        step: line.step.truncate() / spacing,
        cells: DVec2::new(f64::from(grid.rows), f64::from(grid.columns)),
        slack: slack / spacing,
    };
    let view = sheet.view();
    if !line.is_along_z() {
        let heights = HeightLine { start: line.start.z, step: line.step.z };
        let margin = spacing.max_element() + slack;
        let range = (bounds.min().z - margin, bounds.max().z + margin);
        on_grid.walk(&view, &heights, range, &mut |height, kind| {
            found(Crossing { surface: pose.position().z + height, kind });
        });
    } else if let Some((cell, fractions)) = on_grid.wet_place(&view) {
        let height = view.height_in(cell, fractions);
        let surface = pose.point_to_world(line.start.with_z(height)).z;
        found(Crossing { surface, kind: view.kind(cell) });
    }
}

/// A line over the grid, by its height in metres. One unit is one cell.
struct GridLine {
    start: DVec2,
    step: DVec2,
    /// Number of rows and columns.
    cells: DVec2,
    /// How far outside of the rim a point counts as on it.
    slack: DVec2,
}

/// The local z of a line, by its height in metres.
struct HeightLine {
    start: f64,
    step: f64,
}

impl HeightLine {
    fn at(&self, height: f64) -> f64 {
        self.start + self.step * height
    }
}

impl GridLine {
    /// The first wet cell that holds the start, and the fractions in it. Cells include their
    /// borders, so there are up to four.
    fn wet_place(&self, view: &SheetView) -> Option<([usize; 2], [f64; 2])> {
        let (rows, columns) = (self.places(0)?, self.places(1)?);
        let places = rows.iter().flat_map(|row| columns.map(|column| (*row, column)));
        let mut places = places.map(|((row, dx), (column, dy))| ([row, column], [dx, dy]));
        places.find(|(cell, _)| view.is_wet(*cell))
    }

    /// The rows, or columns, that hold the start, and the fractions in them: one twice, or two on
    /// a border. `None` outside of the grid.
    fn places(&self, axis: usize) -> Option<[(usize, f64); 2]> {
        let at = onto(self.start[axis], self.cells[axis], self.slack[axis]);
        if !(0.0 <= at && at <= self.cells[axis]) {
            return None;
        }
        let cell = self.cell(axis, at);
        let place = (cell, at - cell as f64);
        let before = if place.1 == 0.0 && cell > 0 { (cell - 1, 1.0) } else { place };
        Some([place, before])
    }

    /// The row or column at a place; the first or last outside of the grid.
    fn cell(&self, axis: usize, at: f64) -> usize {
        at.clamp(0.0, self.cells[axis] - 1.0) as usize
    }

    fn at(&self, height: f64) -> DVec2 {
        self.start + self.step * height
    }

    /// The fractions of a cell at a height. Within the slack of the rim they are outside of 0 to
    /// 1.
    fn fractions(&self, [row, column]: [usize; 2], height: f64) -> [f64; 2] {
        (self.at(height) - DVec2::new(row as f64, column as f64)).to_array()
    }

    /// The height at which the line leaves a row or column; infinite if it does not.
    fn exit(&self, axis: usize, cell: usize) -> f64 {
        let step = self.step[axis];
        if step == 0.0 {
            return f64::INFINITY;
        }
        let border = if step > 0.0 { cell as f64 + 1.0 } else { cell as f64 };
        (border - self.start[axis]) / step
    }

    /// Walks over all cells that the line crosses while its z is in `range`, and calls `found`
    /// with the height of each crossing with a wet cell.
    ///
    /// The line's z less that of the surface is linear on each triangle, and continuous. So there
    /// is a crossing where its sign changes. Each sign is computed once, so no crossing is lost or
    /// found twice at a border. The range is wider than the surface, so it ends beyond it.
    fn walk(
        &self,
        view: &SheetView,
        heights: &HeightLine,
        range: (f64, f64),
        found: &mut dyn FnMut(f64, LiquidKind),
    ) {
        let whole = (f64::NEG_INFINITY, f64::INFINITY);
        let Some((from, to)) = clip(whole, heights.start, heights.step, range)
            .and_then(|part| self.clip_to_rim(0, part))
            .and_then(|part| self.clip_to_rim(1, part))
        else {
            return;
        };
        let start = self.at(from);
        let mut cell = [self.cell(0, start.x), self.cell(1, start.y)];
        let mut exits = [self.exit(0, cell[0]), self.exit(1, cell[1])];
        let over = |cell: [usize; 2], height: f64| {
            heights.at(height) - view.height_in(cell, self.fractions(cell, height))
        };
        let mut last = (from, over(cell, from));
        loop {
            let axis = usize::from(exits[1] < exits[0]);
            let exit = exits[axis].clamp(last.0, to);
            // On the diagonal the two triangles meet.
            let [dx, dy] = self.fractions(cell, last.0);
            let turn = last.0 + (dy - dx) / (self.step.x - self.step.y);
            let turn = if turn > last.0 && turn < exit { turn } else { exit };
            for height in [turn, exit] {
                let next = (height, over(cell, height));
                if (last.1 < 0.0) != (next.1 < 0.0) && view.is_wet(cell) {
                    let fraction = last.1 / (last.1 - next.1);
                    found(last.0 + (next.0 - last.0) * fraction, view.kind(cell));
                }
                last = next;
            }
            if exits[axis] >= to {
                return;
            }
            let next = if self.step[axis] > 0.0 {
                Some(cell[axis] + 1).filter(|next| (*next as f64) < self.cells[axis])
            } else {
                cell[axis].checked_sub(1)
            };
            match next {
                Some(next) => {
                    cell[axis] = next;
                    exits[axis] = self.exit(axis, next);
                }
                // The rest is within the slack of the rim.
                None => exits[axis] = f64::INFINITY,
            }
        }
    }

    fn clip_to_rim(&self, axis: usize, part: (f64, f64)) -> Option<(f64, f64)> {
        let slack = self.slack[axis];
        let range = (-slack, self.cells[axis] + slack);
        clip(part, self.start[axis], self.step[axis], range)
    }
}

/// The part of a range of heights in which `start + step · height` is between `low` and `high`;
/// `None` if there is none.
fn clip(
    (from, to): (f64, f64),
    start: f64,
    step: f64,
    (low, high): (f64, f64),
) -> Option<(f64, f64)> {
    if step == 0.0 {
        return (low <= start && start <= high).then_some((from, to));
    }
    let (a, b) = ((low - start) / step, (high - start) / step);
    let (from, to) = (from.max(a.min(b)), to.min(a.max(b)));
    (from <= to).then_some((from, to))
}
