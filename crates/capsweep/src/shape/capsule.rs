use crate::error::{
    MAX_POSITION, MAX_SIZE, ShapeError, check_direction, check_number, check_position,
    check_radius, length_and_direction, xyz,
};
use crate::tolerance::{MIN_SWEPT_MARGIN, SWEPT_MARGIN};
use crate::{Aabb, Motion};
use glam::DVec3;

/// A capsule: all points within `radius` of the segment from `p0` to `p1`.
///
/// All numbers are finite, and the radius is greater than zero. If `p0 = p1`, it is a sphere.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "CapsuleParts", into = "CapsuleParts"))]
pub struct Capsule {
    p0: DVec3,
    p1: DVec3,
    radius: f32,
}

#[cfg(feature = "serde")]
crate::serde_parts::parts!(
    CapsuleParts of Capsule { p0: DVec3, p1: DVec3, radius: f32 }
    by Capsule::new
);

impl Capsule {
    /// The capsule around the segment from `p0` (bottom) to `p1` (top).
    ///
    /// # Errors
    /// If a number is not finite or out of range, or `radius` is not greater than zero.
    #[inline]
    pub fn new(p0: DVec3, p1: DVec3, radius: f32) -> Result<Self, ShapeError> {
        let capsule = Self { p0, p1, radius };
        if capsule.is_in_range() { Ok(capsule) } else { Self::checked(p0, p1, radius) }
    }

    /// Fast check that every number is in its range; false for NaN. A capsule that fails it may
    /// still pass [`Capsule::checked`].
    #[inline]
    fn is_in_range(&self) -> bool {
        let Self { p0, p1, radius } = *self;
        p0.abs().cmple(DVec3::splat(MAX_POSITION)).all()
            && p1.abs().cmple(DVec3::splat(MAX_POSITION)).all()
            && radius > 0.0
            && f64::from(radius) <= MAX_SIZE
            && (p1 - p0).length_squared() < MAX_SIZE * MAX_SIZE
    }

    /// [`Capsule::new`], number by number, to name the field in the error.
    #[cold]
    fn checked(p0: DVec3, p1: DVec3, radius: f32) -> Result<Self, ShapeError> {
        check_position(xyz!("p0"), p0)?;
        check_position(xyz!("p1"), p1)?;
        check_radius("radius", radius)?;
        check_number("axis length", (p1 - p0).length(), MAX_SIZE)?;
        Ok(Self { p0, p1, radius })
    }

    /// A capsule whose lowest point along `up` is `feet`, `total_height` metres tall.
    ///
    /// A height below `2 · radius` makes a sphere. `up` may have any length but zero.
    ///
    /// # Errors
    /// If a number is not finite or out of range, `radius` is not greater than zero,
    /// `total_height` is negative, or `up` is zero.
    pub fn from_feet(
        feet: DVec3,
        up: DVec3,
        radius: f32,
        total_height: f32,
    ) -> Result<Self, ShapeError> {
        check_position(xyz!("feet"), feet)?;
        check_radius("radius", radius)?;
        let total_height = f64::from(total_height);
        check_number("total_height", total_height, MAX_SIZE)?;
        if total_height < 0.0 {
            return Err(ShapeError::Negative { field: "total_height", value: total_height });
        }
        let up = check_direction("up", xyz!("up"), up)?;
        let wide = f64::from(radius);
        let cylinder = (total_height - 2.0 * wide).max(0.0);
        Self::new(feet + up * wide, feet + up * (wide + cylinder), radius)
    }

    /// The capsule around the segment `center ± half_axis`.
    ///
    /// # Errors
    /// As [`Capsule::new`].
    #[inline]
    pub fn from_center(center: DVec3, half_axis: DVec3, radius: f32) -> Result<Self, ShapeError> {
        match Self::from_center_fast(center, half_axis, radius) {
            Some(capsule) => Ok(capsule),
            None => Self::checked_center(center, half_axis, radius),
        }
    }

    /// Fast path of [`Capsule::from_center`]: `None` if the numbers may be out of range.
    #[inline]
    pub(crate) fn from_center_fast(center: DVec3, half_axis: DVec3, radius: f32) -> Option<Self> {
        // Half of the range leaves room for a half axis in any direction. False for NaN.
        let is_in_range = center.abs().element_sum() < 0.5 * MAX_POSITION
            && half_axis.abs().element_sum() < 0.25 * MAX_SIZE
            && radius > 0.0
            && radius <= MAX_SIZE as f32;
        is_in_range.then_some(Self { p0: center - half_axis, p1: center + half_axis, radius })
    }

    /// [`Capsule::from_center`], number by number, to name the field in the error.
    #[cold]
    fn checked_center(center: DVec3, half_axis: DVec3, radius: f32) -> Result<Self, ShapeError> {
        check_position(xyz!("center"), center)?;
        check_position(xyz!("half_axis"), half_axis)?;
        Self::new(center - half_axis, center + half_axis, radius)
    }

    /// The centre of the bottom hemisphere.
    pub fn p0(&self) -> DVec3 {
        self.p0
    }

    /// The centre of the top hemisphere.
    pub fn p1(&self) -> DVec3 {
        self.p1
    }

    /// The radius in metres.
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// The vector from `p0` to `p1`.
    pub fn axis(&self) -> DVec3 {
        self.p1 - self.p0
    }

    /// The length of the cylindrical part in metres.
    pub fn cylinder_height(&self) -> f64 {
        self.axis().length()
    }

    /// The length from end to end in metres, hemispheres included.
    pub fn total_height(&self) -> f64 {
        self.cylinder_height() + 2.0 * f64::from(self.radius)
    }

    /// Half of [`Capsule::total_height`].
    pub fn half_total_height(&self) -> f64 {
        0.5 * self.total_height()
    }

    /// The centre of the capsule.
    pub fn center(&self) -> DVec3 {
        self.p0 + self.axis() * 0.5
    }

    /// The unit vector from `p0` to `p1`; `None` for a sphere.
    pub fn direction(&self) -> Option<DVec3> {
        length_and_direction(self.axis()).1
    }

    /// Whether the axis has no length.
    pub fn is_sphere(&self) -> bool {
        self.p0 == self.p1
    }

    /// The lowest point along `up`, on which the capsule stands. `up` may have any length but
    /// zero.
    ///
    /// # Errors
    /// If `up` is zero or not finite.
    pub fn feet(&self, up: DVec3) -> Result<DVec3, ShapeError> {
        let up = check_direction("up", xyz!("up"), up)?;
        let lower = if self.axis().dot(up) >= 0.0 { self.p0 } else { self.p1 };
        Ok(lower - up * f64::from(self.radius))
    }

    /// The smallest axis-aligned box around the capsule.
    pub fn bounds(&self) -> Aabb {
        Aabb::from_corners(self.p0.min(self.p1), self.p0.max(self.p1))
            .grown(f64::from(self.radius))
    }

    /// A box around the swept capsule, grown for numerical safety by a hundredth of the radius, at
    /// least 1 mm.
    pub fn swept_bounds(&self, motion: &Motion) -> Aabb {
        let start = self.bounds();
        let end = Aabb::from_corners(start.min() + motion.vector(), start.max() + motion.vector());
        start.union(&end).grown((SWEPT_MARGIN * f64::from(self.radius)).max(MIN_SWEPT_MARGIN))
    }

    /// The capsule moved by `offset`.
    ///
    /// # Errors
    /// If the result leaves the range of positions, or `offset` is not finite.
    pub fn translated(&self, offset: DVec3) -> Result<Self, ShapeError> {
        check_position(xyz!("offset"), offset)?;
        Self::new(self.p0 + offset, self.p1 + offset, self.radius)
    }

    /// The capsule with a radius larger by `margin` metres; smaller if `margin` is negative.
    ///
    /// # Errors
    /// If the new radius is not greater than zero or out of range.
    pub fn inflated(&self, margin: f32) -> Result<Self, ShapeError> {
        Self::new(self.p0, self.p1, self.radius + margin)
    }
}
