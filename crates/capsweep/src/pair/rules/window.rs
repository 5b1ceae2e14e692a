use crate::error::{MAX_POSITION, ShapeError, check_direction, check_number, xyz};
use crate::tolerance::{STEEP_COS, WINDOW_MARGIN};
use crate::{Capsule, Motion, Triangle};
use glam::DVec3;

/// The interval of heights that a sweep can reach.
///
/// It is for callers that keep their own lists of triangles and want to cull most of them before a
/// sweep. A [`Scene`](crate::scene::Scene) does not need it. Culling is conservative: a sweep
/// touches no triangle that the window drops.
///
/// ```
/// use capsweep::scene::VerticalWindow;
/// use capsweep::{Capsule, Motion, Triangle};
/// use glam::{DVec3, dvec3};
///
/// let capsule = Capsule::from_feet(dvec3(0.0, 0.0, 10.0), DVec3::Z, 0.4, 1.8)?;
/// let fall = Motion::new(dvec3(0.0, 0.0, -12.0))?;
/// let window = VerticalWindow::new(&capsule, &fall, DVec3::Z, 0.3)?;
/// let at = |z| Triangle::new(dvec3(-9.0, -7.0, z), dvec3(11.0, -8.0, z), dvec3(1.0, 13.0, z));
/// assert!(window.keeps(&at(0.0)?));
/// assert!(!window.keeps(&at(-3.0)?));
/// # Ok::<(), capsweep::ShapeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VerticalWindow {
    up: DVec3,
    min: f64,
    max: f64,
}

impl VerticalWindow {
    /// The window of a sweep of `capsule` by `motion`. `up` may have any length but zero.
    ///
    /// It covers the whole swept capsule. On a steep descent it also covers at least `step_down`
    /// metres below the start. On a steep climb it covers the motion's length above the start.
    ///
    /// # Errors
    /// If `up` is zero or not finite, or `step_down` is negative, not finite or out of range.
    pub fn new(
        capsule: &Capsule,
        motion: &Motion,
        up: DVec3,
        step_down: f64,
    ) -> Result<Self, ShapeError> {
        let up = check_direction("up", xyz!("up"), up)?;
        check_number("step_down", step_down, MAX_POSITION)?;
        if step_down < 0.0 {
            return Err(ShapeError::Negative { field: "step_down", value: step_down });
        }
        let (p0, p1) = (up.dot(capsule.p0()), up.dot(capsule.p1()));
        let radius = f64::from(capsule.radius());
        let (bottom, top) = (p0.min(p1) - radius, p0.max(p1) + radius);
        let rise = up.dot(motion.vector());
        let (mut min, mut max) = (bottom + rise.min(0.0), top + rise.max(0.0));
        if rise < -STEEP_COS * motion.length() {
            min = min.min(bottom - step_down);
        }
        if rise > STEEP_COS * motion.length() {
            max = max.max(top + motion.length());
        }
        Ok(Self { up, min: min - WINDOW_MARGIN, max: max + WINDOW_MARGIN })
    }

    /// The unit direction along which heights are measured.
    pub fn up(&self) -> DVec3 {
        self.up
    }

    /// The lowest height of the window (metres over the origin).
    pub fn min(&self) -> f64 {
        self.min
    }

    /// The greatest height of the window (metres over the origin).
    pub fn max(&self) -> f64 {
        self.max
    }

    /// Whether part of the triangle is in the window. If not, the sweep does not touch it.
    pub fn keeps(&self, triangle: &Triangle) -> bool {
        let [a, b, c] = triangle.vertices().map(|vertex| self.up.dot(vertex));
        a.max(b).max(c) >= self.min && a.min(b).min(c) <= self.max
    }
}
