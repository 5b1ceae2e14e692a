//! Prefetching a cache, and asking it whether it would answer a query.

use crate::cache::refill::rounding_margin;
use crate::cache::{CacheOptions, TriangleCache};
use crate::error::MAX_SIZE;
use crate::scene::Scene;
use crate::tolerance::CACHE_MARGIN;
use crate::traverse::cull_volume::SweptVolume;
use crate::traverse::neighborhood_view::is_within;
use crate::{Aabb, Capsule, Limit, Motion, Ray};
use core::fmt;

/// A query that [`TriangleCache::is_valid_for`] asks about.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CacheQuery<'a> {
    /// A sweep of a capsule by a motion.
    Sweep(&'a Capsule, &'a Motion),
    /// The overlaps of a capsule.
    Overlap(&'a Capsule),
    /// The closest points of a capsule up to a limit.
    Closest(&'a Capsule, Limit),
    /// A ray.
    Ray(&'a Ray),
    /// All sweeps whose [swept bounds](Capsule::swept_bounds) lie within a box, and all overlaps
    /// of such capsules.
    Within(&'a Aabb),
}

/// What [`TriangleCache::update`] did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[must_use]
pub enum CacheUpdate {
    /// Nothing: the cache already held the box.
    Held,
    /// The cache now holds the box.
    Filled,
    /// The box has more than [`CacheOptions::max_triangles`]. The cache is empty, and queries
    /// traverse the trees.
    OverLimit,
    /// Nothing: the cache is [off](TriangleCache::off).
    Off,
}

/// Why a cache cannot be filled for a box.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum CacheError {
    /// The box has no volume: no capsule fits into it.
    EmptyBox {
        /// The axis without extent: `x`, `y` or `z`.
        axis: &'static str,
    },
    /// An edge of the box is longer than [`MAX_SIZE`]. A box of the whole world is meant for the
    /// scene itself.
    UnboundedBox {
        /// The axis: `x`, `y` or `z`.
        axis: &'static str,
        /// The length of the edge (metres).
        length: f64,
    },
}

impl fmt::Display for CacheError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EmptyBox { axis } => {
                write!(f, "the box is empty along {axis}: no capsule fits into it")
            }
            Self::UnboundedBox { axis, length } => write!(
                f,
                "the box is {length:e} long along {axis}: a cache holds {MAX_SIZE:e} at most; \
                 query the scene without a cache instead"
            ),
        }
    }
}

impl core::error::Error for CacheError {}

impl TriangleCache {
    /// Whether a query of `scene` would be answered from the static triangles and shapes that the
    /// cache holds, as they are: without a refill, and without traversing the static trees.
    ///
    /// That is so if the scene has the cache's [revision](Self::revision), and the query's volume
    /// lies within its [box](Self::bounds). It is a question of cost only: every query is right,
    /// valid or not. Filters do not matter, because the cache holds the bodies of all masks.
    /// Dynamic bodies do not either, because no cache holds them.
    ///
    /// ```
    /// use capsweep::cache::{CacheQuery, CacheUpdate, TriangleCache};
    /// use capsweep::scene::{Body, Scene, Shape};
    /// use capsweep::{Aabb, Capsule, Motion, Sphere};
    /// use glam::{DVec3, dvec3};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut scene = Scene::new();
    /// scene.insert(Body::shape(Shape::Sphere(Sphere::new(dvec3(3.0, 0.0, 0.0), 1.0)?)));
    /// let mut cache = TriangleCache::new();
    /// let room = Aabb::new(DVec3::splat(-4.0), DVec3::splat(4.0))?;
    /// assert_eq!(cache.update(&scene, &room)?, CacheUpdate::Filled);
    ///
    /// let capsule = Capsule::from_center(DVec3::ZERO, DVec3::Z * 0.5, 0.5)?;
    /// let motion = Motion::new(DVec3::X * 2.0)?;
    /// assert!(cache.is_valid_for(&scene, &CacheQuery::Sweep(&capsule, &motion)));
    /// let far = Motion::new(DVec3::X * 9.0)?;
    /// assert!(!cache.is_valid_for(&scene, &CacheQuery::Sweep(&capsule, &far)));
    /// // A changed static world makes it invalid for everything.
    /// scene.insert(Body::shape(Shape::Sphere(Sphere::new(DVec3::ZERO, 1.0)?)));
    /// assert!(!cache.is_valid_for(&scene, &CacheQuery::Within(&room)));
    /// # Ok(())
    /// # }
    /// ```
    pub fn is_valid_for(&self, scene: &Scene, query: &CacheQuery) -> bool {
        if self.revision != Some(scene.revision()) {
            return false;
        }
        let holds = |volume: &SweptVolume| is_within(&self.neighborhood, volume);
        match *query {
            CacheQuery::Sweep(capsule, motion) => holds(&SweptVolume::of_sweep(capsule, motion)),
            CacheQuery::Overlap(capsule) => holds(&SweptVolume::of_sweep(capsule, &Motion::ZERO)),
            CacheQuery::Closest(capsule, limit) => {
                holds(&SweptVolume::around(capsule, limit.metres()))
            }
            CacheQuery::Ray(ray) => {
                let point = SweptVolume::point_of(ray);
                point.is_some_and(|point| holds(&SweptVolume::of_ray(&point, &ray.motion())))
            }
            CacheQuery::Within(bounds) => {
                let held = self.neighborhood.bounds();
                held.is_some_and(|held| held.contains(&with_margin(bounds)))
            }
        }
    }

    /// Prefetches the static triangles and shapes within `bounds`, unless the cache holds them
    /// already. Afterwards it is valid for every sweep and overlap
    /// [within](CacheQuery::Within) `bounds`, until a query outside of them refills it.
    ///
    /// The [box](Self::bounds) that it is filled for is larger by a small margin. The growth and
    /// the lean of its options do not apply. A cache with many triangles costs each query more
    /// time, so keep the box near the character: it is for the place of a teleport, a spawn or a
    /// fall.
    ///
    /// If the box has more triangles than [`CacheOptions::max_triangles`], the cache is left empty
    /// and [`CacheUpdate::OverLimit`] says so. Nothing is truncated, and answers stay the same.
    ///
    /// # Errors
    /// If an edge of `bounds` has no length, or is longer than [`MAX_SIZE`]. The cache keeps its
    /// content then. Infinite corners and NaN are errors of [`Aabb::new`].
    ///
    /// ```
    /// use capsweep::cache::{CacheError, CacheUpdate, TriangleCache};
    /// use capsweep::Aabb;
    /// use capsweep::scene::Scene;
    /// use glam::DVec3;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let (scene, mut cache) = (Scene::new(), TriangleCache::new());
    /// let room = Aabb::new(DVec3::splat(-2.0), DVec3::splat(2.0))?;
    /// assert_eq!(cache.update(&scene, &room)?, CacheUpdate::Filled);
    /// assert_eq!(cache.update(&scene, &room)?, CacheUpdate::Held);
    /// let point = Aabb::new(DVec3::ONE, DVec3::ONE)?;
    /// assert_eq!(cache.update(&scene, &point), Err(CacheError::EmptyBox { axis: "x" }));
    /// # Ok(())
    /// # }
    /// ```
    pub fn update(&mut self, scene: &Scene, bounds: &Aabb) -> Result<CacheUpdate, CacheError> {
        check_box(bounds)?;
        if !self.is_on {
            return Ok(CacheUpdate::Off);
        }
        if self.is_valid_for(scene, &CacheQuery::Within(bounds)) {
            return Ok(CacheUpdate::Held);
        }
        let is_filled = self.fill(scene, &with_margin(bounds));
        Ok(if is_filled { CacheUpdate::Filled } else { CacheUpdate::OverLimit })
    }

    /// The options that it was made with.
    pub fn options(&self) -> CacheOptions {
        self.options
    }
}

fn check_box(bounds: &Aabb) -> Result<(), CacheError> {
    for (axis, length) in ["x", "y", "z"].into_iter().zip(bounds.size().to_array()) {
        if length <= 0.0 {
            return Err(CacheError::EmptyBox { axis });
        }
        if length > MAX_SIZE {
            return Err(CacheError::UnboundedBox { axis, length });
        }
    }
    Ok(())
}

/// The box that a cache needs to answer every sweep whose swept bounds lie within `bounds`.
fn with_margin(bounds: &Aabb) -> Aabb {
    let furthest = bounds.min().abs().max(bounds.max().abs()).max_element();
    bounds.grown(2.0 * CACHE_MARGIN * furthest + rounding_margin(bounds))
}
