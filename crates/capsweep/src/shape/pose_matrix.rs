//! Poses from and to 4×4 matrices.

use crate::error::{ShapeError, check_number, length_and_direction, xyz};
use crate::shape::pose::{MAX_SCALE, Pose};
use crate::tolerance::MATRIX_ROUNDING;
use glam::{DMat3, DMat4, DQuat, DVec3, DVec4};

/// The names of a matrix' numbers, column by column.
const NUMBERS: [&str; 16] = [
    "matrix.x_axis.x",
    "matrix.x_axis.y",
    "matrix.x_axis.z",
    "matrix.x_axis.w",
    "matrix.y_axis.x",
    "matrix.y_axis.y",
    "matrix.y_axis.z",
    "matrix.y_axis.w",
    "matrix.z_axis.x",
    "matrix.z_axis.y",
    "matrix.z_axis.z",
    "matrix.z_axis.w",
    "matrix.w_axis.x",
    "matrix.w_axis.y",
    "matrix.w_axis.z",
    "matrix.w_axis.w",
];

impl Pose {
    /// The pose of a matrix that scales, rotates and translates. It multiplies columns from the
    /// left: `matrix * local` is the world point.
    ///
    /// A mirrored matrix gets a negative scale along x, as in glam. A cosine of up to 10⁻⁶ between
    /// columns, or as large an error in the last row, counts as rounding, because many matrices
    /// come from f32.
    ///
    /// ```
    /// use capsweep::scene::Pose;
    /// use glam::{DMat4, DQuat, DVec3, dvec3};
    ///
    /// let (scale, position) = (dvec3(-2.0, 3.0, 1.0), dvec3(5.0, 6.0, 7.0));
    /// let matrix = DMat4::from_scale_rotation_translation(scale, DQuat::IDENTITY, position);
    /// let pose = Pose::from_matrix(&matrix)?;
    /// assert_eq!((pose.scale(), pose.position()), (scale, position));
    /// assert_eq!(pose.to_matrix(), matrix);
    /// # Ok::<(), capsweep::ShapeError>(())
    /// ```
    ///
    /// # Errors
    /// If a number is not finite, the last row is not 0, 0, 0, 1 ([`ShapeError::Projective`]), the
    /// columns lie in one plane ([`ShapeError::Flattens`]) or are not at right angles
    /// ([`ShapeError::Sheared`]); and the errors of [`Pose::new`].
    pub fn from_matrix(matrix: &DMat4) -> Result<Self, ShapeError> {
        for (field, value) in NUMBERS.into_iter().zip(matrix.to_cols_array()) {
            if !value.is_finite() {
                return Err(ShapeError::NotFinite { field, value });
            }
        }
        let field = "matrix";
        let columns = [matrix.x_axis, matrix.y_axis, matrix.z_axis, matrix.w_axis];
        let [x, y, z, one] = columns.map(|column| column.w);
        let value = largest([x, y, z, one - 1.0]);
        if value > MATRIX_ROUNDING {
            return Err(ShapeError::Projective { field, value });
        }
        let [x, y, z, position] = columns.map(DVec4::truncate);
        let scale = [x, y, z].map(length);
        for (field, length) in xyz!("scale").into_iter().zip(scale) {
            check_number(field, length, MAX_SCALE)?;
        }
        // A column without length spans no volume.
        let unit = |column: DVec3, length: f64| column / if length > 0.0 { length } else { 1.0 };
        let [mut x, y, z] = [unit(x, scale[0]), unit(y, scale[1]), unit(z, scale[2])];
        let volume = x.cross(y).dot(z);
        if volume.abs() <= MATRIX_ROUNDING {
            return Err(ShapeError::Flattens { field, value: volume.abs() });
        }
        let value = largest([x.dot(y), y.dot(z), z.dot(x)]);
        if value > MATRIX_ROUNDING {
            return Err(ShapeError::Sheared { field, value });
        }
        let mut scale = DVec3::from_array(scale);
        if volume < 0.0 {
            (x, scale.x) = (-x, -scale.x);
        }
        let rotation = DQuat::from_mat3(&DMat3::from_cols(x, y, z)).normalize();
        Self::new(position, rotation, scale)
    }

    /// The matrix that takes local points to the world: `matrix * local` is
    /// [`Pose::point_to_world`], to rounding.
    ///
    /// [`Pose::from_matrix`] makes the same transform of it again. Its parts may differ: a mirror
    /// along z is one along x and a half turn.
    pub fn to_matrix(&self) -> DMat4 {
        let (axes, scale) = (self.axes(), self.scale());
        DMat4::from_cols(
            (axes.x_axis * scale.x).extend(0.0),
            (axes.y_axis * scale.y).extend(0.0),
            (axes.z_axis * scale.z).extend(0.0),
            self.position().extend(1.0),
        )
    }
}

/// The length of a column. Squares of the largest numbers overflow, so these are scaled first.
fn length(column: DVec3) -> f64 {
    let length = column.length();
    if length.is_finite() { length } else { length_and_direction(column).0 }
}

/// The largest magnitude.
fn largest<const N: usize>(values: [f64; N]) -> f64 {
    values.into_iter().fold(0.0, |most: f64, value| most.max(value.abs()))
}
