use crate::error::{ShapeError, check_number};
use crate::math::trig::sin_cos;
use crate::tolerance::SLOPE_SLACK_DEGREES;

/// The steepest slope that counts as walkable.
///
/// ```
/// use capsweep::SlopeLimit;
///
/// let limit = SlopeLimit::from_degrees(45.0)?;
/// // A slope of exactly 45° is walkable, however its normal was rounded.
/// assert!(limit.cos() < 0.5_f32.sqrt());
/// assert!(SlopeLimit::from_degrees(91.0).is_err() && SlopeLimit::from_cos(f32::NAN).is_err());
/// # Ok::<(), capsweep::ShapeError>(())
/// ```
///
/// With the feature `serde` it is its cosine.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "f32", into = "f32"))]
pub struct SlopeLimit {
    cos: f32,
}

impl SlopeLimit {
    /// Degrees by which a slope may exceed a limit given in degrees. Normals are f32, off by up to
    /// 10⁻⁵ degrees; modelled slopes are off by more.
    pub const SLACK_DEGREES: f64 = SLOPE_SLACK_DEGREES;

    /// The default of `PhysX`: 0.707, just above 45°.
    pub const PHYSX: Self = Self { cos: 0.707 };

    /// 50°, inclusive.
    pub const DEGREES_50: Self = Self { cos: 0.642_653_9 };

    /// Slopes of up to `degrees`, inclusive: [`SlopeLimit::SLACK_DEGREES`] steeper is still
    /// walkable. 90 allows everything that faces up. The bits are the same on every platform.
    ///
    /// # Errors
    /// If `degrees` is not finite, negative, or greater than 90.
    pub fn from_degrees(degrees: f64) -> Result<Self, ShapeError> {
        let field = "slope_limit";
        check_number(field, degrees, 90.0)?;
        if degrees < 0.0 {
            return Err(ShapeError::Negative { field, value: degrees });
        }
        let steepest = (degrees + SLOPE_SLACK_DEGREES).min(90.0);
        Ok(Self { cos: cos_degrees(steepest) as f32 })
    }

    /// The slope whose cosine is `cos`: 1 allows level ground only, 0 everything that faces up.
    ///
    /// # Errors
    /// If `cos` is not finite, negative, or greater than 1.
    pub fn from_cos(cos: f32) -> Result<Self, ShapeError> {
        let (field, value) = ("slope_limit", f64::from(cos));
        check_number(field, value, 1.0)?;
        if value < 0.0 {
            return Err(ShapeError::Negative { field, value });
        }
        Ok(Self { cos })
    }

    /// The cosine of the slope's angle.
    pub fn cos(self) -> f32 {
        self.cos
    }
}

impl TryFrom<f32> for SlopeLimit {
    type Error = ShapeError;

    /// Same as [`SlopeLimit::from_cos`].
    fn try_from(cos: f32) -> Result<Self, ShapeError> {
        Self::from_cos(cos)
    }
}

impl From<SlopeLimit> for f32 {
    fn from(limit: SlopeLimit) -> Self {
        limit.cos
    }
}

/// The cosine of 0° to 90°. That of 90° is exactly 0, which π/2 in f64 misses by 10⁻¹⁶.
fn cos_degrees(degrees: f64) -> f64 {
    if degrees >= 90.0 {
        return 0.0;
    }
    sin_cos(degrees * (core::f64::consts::PI / 180.0)).1.clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::{SlopeLimit, cos_degrees};

    #[test]
    fn the_cosine_is_right_to_the_last_digits() {
        for (degrees, cos) in [
            (0.0, 1.0),
            (30.0, 0.866_025_403_784_438_6),
            (45.0, core::f64::consts::FRAC_1_SQRT_2),
            (60.0, 0.5),
            (89.0, 0.017_452_406_437_283_51),
            (90.0, 0.0),
        ] {
            assert!(
                (cos_degrees(degrees) - cos).abs() < 3e-16,
                "{degrees}: {}",
                cos_degrees(degrees)
            );
        }
    }

    #[test]
    fn the_limit_of_the_presets_is_fifty_degrees_with_its_slack() {
        assert_eq!(SlopeLimit::from_degrees(50.0), Ok(SlopeLimit::DEGREES_50));
        assert_eq!(SlopeLimit::from_degrees(90.0), SlopeLimit::from_cos(0.0));
        let slack = f64::from(SlopeLimit::DEGREES_50.cos()) - cos_degrees(50.01);
        assert!(slack.abs() < 1e-7, "{slack}");
    }
}
