//! The height of a field over a point of its plane.

#![allow(clippy::cast_sign_loss, reason = "a cast to unsigned saturates at 0, which is intended")]

use crate::mesh::height_field::HeightField;
use crate::mesh::height_field::cells::FieldView;
use glam::{DVec2, DVec3, Vec3};

impl HeightField {
    /// Height of the surface over the point `(x, y)` of the field's own space, in f64; `None`
    /// outside of the field, in holes, and if a number is not finite.
    ///
    /// It lies on the triangle over the point. Cells and triangles include their borders, so the
    /// rim of a hole has a height.
    ///
    /// ```
    /// use capsweep::scene::{CellTriangles, HeightField, HeightGrid, Heights};
    ///
    /// // One cell of 2 × 2 m that rises by 1 m along x.
    /// let grid = HeightGrid { rows: 1, columns: 1, spacing: [2.0, 2.0] };
    /// let two = CellTriangles::Two { turned: &[] };
    /// let heights = Heights::F32(vec![0.0, 0.0, 1.0, 1.0]);
    /// let field = HeightField::new(grid, heights, two, Default::default())?;
    /// assert_eq!(field.height_at(0.5, 1.9), Some(0.25));
    /// assert_eq!(field.height_at(0.5, 2.1), None);
    /// # Ok::<(), capsweep::scene::HeightFieldError>(())
    /// ```
    pub fn height_at(&self, x: f64, y: f64) -> Option<f64> {
        let view = self.view();
        let rows = cells_over(x, view.spacing[0], view.rows)?;
        let columns = cells_over(y, view.spacing[1], view.columns)?;
        let cells = rows.iter().flat_map(|row| columns.map(|column| row * view.columns + column));
        let cell = cells.into_iter().find(|cell| !view.is_hole(*cell))?;
        Some(view.height_in(cell, DVec2::new(x, y)))
    }

    /// As [`HeightField::height_at`]. A point up to `slack` outside counts as on the rim.
    pub(crate) fn height_near(&self, x: f64, y: f64, slack: f64) -> Option<f64> {
        let view = self.view();
        let x = onto(x, f64::from(view.x_of(view.rows)), slack);
        let y = onto(y, f64::from(view.y_of(view.columns)), slack);
        self.height_at(x, y)
    }
}

/// `at` moved into 0 to `end`, if it is up to `slack` outside.
pub(crate) fn onto(at: f64, end: f64, slack: f64) -> f64 {
    let inside = at.clamp(0.0, end);
    if (at - inside).abs() <= slack { inside } else { at }
}

/// The rows, or columns, whose closed range holds `at`: one twice, or two on a border. `None` if
/// there is none, also for NaN.
fn cells_over(at: f64, spacing: f32, count: usize) -> Option<[usize; 2]> {
    let border = |cell: usize| f64::from(cell as f32 * spacing);
    if !(0.0 <= at && at <= border(count)) {
        return None;
    }
    // Borders are rounded to f32, so the guess may be off by one.
    let mut cell = ((at / f64::from(spacing)) as usize).min(count - 1);
    while cell > 0 && at < border(cell) {
        cell -= 1;
    }
    while cell + 1 < count && at >= border(cell + 1) {
        cell += 1;
    }
    let before = if at == border(cell) { cell.saturating_sub(1) } else { cell };
    Some([cell, before])
}

impl FieldView<'_> {
    /// Height over a point of a cell.
    fn height_in(&self, cell: usize, point: DVec2) -> f64 {
        let per_cell = self.split.triangles();
        let mut best = (f64::NEG_INFINITY, 0.0);
        for index in cell * per_cell..(cell + 1) * per_cell {
            let corners = self.corners(index).map(Vec3::as_dvec3);
            let (least_weight, height) = height_on(corners, point);
            // The point is in the triangle if no weight is negative. Rounding could make one
            // negative in every triangle, so the largest wins.
            if least_weight > best.0 {
                best = (least_weight, height);
            }
        }
        best.1
    }
}

/// The least barycentric weight of a point in the plane, and the height of the triangle's plane
/// there.
fn height_on([a, b, c]: [DVec3; 3], point: DVec2) -> (f64, f64) {
    let cross = |u: DVec2, v: DVec2| u.x * v.y - u.y * v.x;
    let (ab, ac, ap) = ((b - a).truncate(), (c - a).truncate(), point - a.truncate());
    // The corners of a cell are distinct, so its triangles have an area seen from above.
    let area = cross(ab, ac);
    let (of_b, of_c) = (cross(ap, ac) / area, cross(ab, ap) / area);
    let least = of_b.min(of_c).min(1.0 - of_b - of_c);
    (least, a.z + of_b * (b.z - a.z) + of_c * (c.z - a.z))
}
