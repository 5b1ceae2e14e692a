//! The options of a cache: plain data, checked once by
//! [`TriangleCache::with_options`](crate::cache::TriangleCache::with_options).

use crate::error::{MAX_SIZE, ShapeError, check_number};

/// How far around a query a cache is filled, and how much it may hold. No option changes an
/// answer: they trade refills against the number of triangles that each query culls.
///
/// ```
/// use capsweep::cache::{CacheOptions, TriangleCache};
///
/// // A fast character: a larger box, further ahead.
/// let options = CacheOptions { growth: 0.6, lean: 0.9, ..CacheOptions::default() };
/// assert_eq!(TriangleCache::with_options(options)?.options(), options);
/// let wrong = CacheOptions { lean: 1.5, ..CacheOptions::default() };
/// assert!(TriangleCache::with_options(wrong).is_err());
/// # Ok::<(), capsweep::ShapeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct CacheOptions {
    /// Growth of the query's box on each side, as a fraction of its longest edge: 0 to
    /// [`CacheOptions::MAX_GROWTH`], 0.3 by default.
    ///
    /// The default is 0.6 m for a person. A walk through the generated dungeon then fills the
    /// cache once in 40 queries, with about 30 triangles. A larger box is filled less often, but
    /// every query culls more triangles. With 0 nearly every query fills it.
    pub growth: f64,
    /// Shift of the grown box along the motion, as a fraction of the growth: 0 to 1, 0.8 by
    /// default. The box then grows ahead of the character by up to `1 + lean` times the growth,
    /// and behind it by `1 − lean` times. It always holds the query's own box.
    pub lean: f64,
    /// Longest motion that fills the cache, as a multiple of the capsule's longest extent: 0 to
    /// [`MAX_SIZE`], 4 by default. The next query is unlikely to need the triangles along a longer
    /// one, so it traverses the trees. The same holds for the limit of a query of closest points.
    pub longest_motion: f64,
    /// Most static triangles that the cache may hold, above 0; `u32::MAX` by default, which is
    /// no limit. A box with more leaves the cache empty: nothing is truncated. Queries then
    /// traverse the trees, and
    /// [`CacheStats::over_limit`](crate::cache::CacheStats::over_limit) counts the boxes.
    pub max_triangles: u32,
}

impl CacheOptions {
    /// Largest [`CacheOptions::growth`]: the box of a person is then 400 m wide.
    pub const MAX_GROWTH: f64 = 100.0;

    /// The defaults.
    pub(crate) const DEFAULT: Self =
        Self { growth: 0.3, lean: 0.8, longest_motion: 4.0, max_triangles: u32::MAX };

    /// The first option that is out of its range.
    pub(crate) fn check(&self) -> Result<(), ShapeError> {
        let Self { growth, lean, longest_motion, max_triangles } = *self;
        for (field, value, limit) in [
            ("growth", growth, Self::MAX_GROWTH),
            ("lean", lean, 1.0),
            ("longest_motion", longest_motion, MAX_SIZE),
        ] {
            check_number(field, value, limit)?;
            if value < 0.0 {
                return Err(ShapeError::Negative { field, value });
            }
        }
        if max_triangles == 0 {
            return Err(ShapeError::NotPositive { field: "max_triangles", value: 0.0 });
        }
        Ok(())
    }
}

impl Default for CacheOptions {
    fn default() -> Self {
        Self::DEFAULT
    }
}
