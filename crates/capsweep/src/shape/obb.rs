use crate::Aabb;
use crate::error::{MAX_SIZE, ShapeError, check_number, check_position, check_rotation, xyz};
use crate::tolerance::ORTHONORMAL;
use glam::{DMat3, DQuat, DVec3, Vec3};

/// A solid oriented box. All numbers are finite, half extents are 0 or greater, and the axes are
/// orthonormal.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "ObbParts", into = "ObbParts"))]
pub struct Obb {
    center: DVec3,
    half_extents: Vec3,
    /// Columns are the box's own x, y and z axes in the world.
    axes: DMat3,
}

#[cfg(feature = "serde")]
crate::serde_parts::parts!(
    ObbParts of Obb { center: DVec3, half_extents: Vec3, axes: DMat3 }
    by Obb::from_axes
);

impl Obb {
    /// The box with `half_extents` metres along its axes, rotated about `center`.
    ///
    /// A half extent of zero makes a plate, a rod or a point. `rotation` is normalised.
    ///
    /// # Errors
    /// If a number is not finite or out of range, a half extent is negative, or `rotation` is
    /// zero.
    pub fn new(center: DVec3, half_extents: Vec3, rotation: DQuat) -> Result<Self, ShapeError> {
        check_position(xyz!("center"), center)?;
        let sizes = half_extents.as_dvec3().to_array();
        for (field, value) in xyz!("half_extents").into_iter().zip(sizes) {
            check_number(field, value, MAX_SIZE)?;
            if value < 0.0 {
                return Err(ShapeError::Negative { field, value });
            }
        }
        let axes = DMat3::from_quat(check_rotation(rotation)?);
        Ok(Self { center, half_extents, axes })
    }

    /// The box with these orthonormal axes, as columns. The parts of a box make the same box
    /// again.
    ///
    /// # Errors
    /// If a number is not finite or out of range, a half extent is negative, or the axes are not
    /// orthonormal to 10⁻¹².
    pub fn from_axes(center: DVec3, half_extents: Vec3, axes: DMat3) -> Result<Self, ShapeError> {
        for value in axes.to_cols_array() {
            check_number("axes", value, MAX_SIZE)?;
        }
        let off = (axes.transpose() * axes - DMat3::IDENTITY).to_cols_array();
        let worst = off.into_iter().fold(0.0, |worst: f64, value| worst.max(value.abs()));
        if worst > ORTHONORMAL {
            return Err(ShapeError::NotOrthonormal { field: "axes", value: worst });
        }
        Ok(Self { axes, ..Self::new(center, half_extents, DQuat::IDENTITY)? })
    }

    /// The box with its axes along the world's.
    ///
    /// # Errors
    /// As [`Obb::new`].
    pub fn axis_aligned(center: DVec3, half_extents: Vec3) -> Result<Self, ShapeError> {
        Self::new(center, half_extents, DQuat::IDENTITY)
    }

    /// The centre of the box.
    pub fn center(&self) -> DVec3 {
        self.center
    }

    /// Half the edge lengths along the box's axes, in metres.
    pub fn half_extents(&self) -> Vec3 {
        self.half_extents
    }

    /// The box's axes in the world, as columns.
    pub fn axes(&self) -> DMat3 {
        self.axes
    }

    /// The smallest axis-aligned box around the box.
    pub fn bounds(&self) -> Aabb {
        let reach = self.axes.abs() * self.half_extents.as_dvec3();
        Aabb::from_corners(self.center - reach, self.center + reach)
    }
}
