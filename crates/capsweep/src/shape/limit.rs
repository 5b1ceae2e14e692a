use crate::error::ShapeError;

/// The largest distance up to which a query reports: 0 or greater, infinity included.
///
/// ```
/// use capsweep::Limit;
///
/// assert_eq!(Limit::new(2.5)?.metres(), 2.5);
/// assert_eq!(Limit::new(f64::INFINITY)?, Limit::UNBOUNDED);
/// assert!(Limit::new(f64::NAN).is_err() && Limit::new(-1.0).is_err());
/// # Ok::<(), capsweep::ShapeError>(())
/// ```
///
/// With the feature `serde` it is a number, or `null` (or left out) if unbounded: JSON has no
/// infinity.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Option<f64>", into = "Option<f64>"))]
pub struct Limit(f64);

impl Limit {
    /// No limit.
    pub const UNBOUNDED: Self = Self(f64::INFINITY);

    /// Only touching or overlapping geometry.
    pub const ZERO: Self = Self(0.0);

    /// A limit of `metres`; infinity is [`Limit::UNBOUNDED`].
    ///
    /// # Errors
    /// If `metres` is NaN or negative.
    #[inline]
    pub fn new(metres: f64) -> Result<Self, ShapeError> {
        let field = "limit";
        if metres.is_nan() {
            Err(ShapeError::NotANumber { field })
        } else if metres < 0.0 {
            Err(ShapeError::Negative { field, value: metres })
        } else {
            Ok(Self(metres))
        }
    }

    /// The distance in metres; infinity if there is no limit.
    #[inline]
    pub fn metres(self) -> f64 {
        self.0
    }
}

impl TryFrom<f64> for Limit {
    type Error = ShapeError;

    fn try_from(metres: f64) -> Result<Self, ShapeError> {
        Self::new(metres)
    }
}

/// `None` is [`Limit::UNBOUNDED`].
impl TryFrom<Option<f64>> for Limit {
    type Error = ShapeError;

    fn try_from(metres: Option<f64>) -> Result<Self, ShapeError> {
        metres.map_or(Ok(Self::UNBOUNDED), Self::new)
    }
}

/// `None` if there is no limit.
impl From<Limit> for Option<f64> {
    fn from(limit: Limit) -> Self {
        (limit != Limit::UNBOUNDED).then_some(limit.0)
    }
}
