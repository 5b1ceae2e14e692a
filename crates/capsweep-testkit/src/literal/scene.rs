//! Sections 3.3 and 10: many triangles, filtered by height and swept one by one.

use super::sweep::sweep_capsule_triangle;
use capsweep::{Capsule, Triangle};
use glam::DVec3;

/// 3.3: the range of heights that the rule assumes for a sweep.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VerticalWindow {
    /// Lowest z.
    pub min: f64,
    /// Highest z.
    pub max: f64,
}

impl VerticalWindow {
    /// 3.3.1 to 3.3.3: grows by `step_down` for steep descents and by `distance` for steep climbs,
    /// and not at all for motions between.
    pub fn new(capsule: &Capsule, direction: DVec3, distance: f64, step_down: f64) -> Self {
        let bounds = capsule.bounds();
        let (mut min, mut max) = (bounds.min().z, bounds.max().z);
        if direction.z < -0.5 {
            min -= step_down;
        }
        if direction.z > 0.5 {
            max += distance;
        }
        Self { min: min - 0.05, max: max + 0.05 }
    }

    /// 3.3.4: whether the triangle's heights overlap the window.
    pub fn keeps(&self, triangle: &Triangle) -> bool {
        let bounds = triangle.bounds();
        bounds.max().z >= self.min && bounds.min().z <= self.max
    }
}

/// 10.2 and 10.3: the closest triangle and its distance.
///
/// Each triangle is swept by `direction · best distance so far` and kept only if strictly closer.
/// 10.2.1 starts with a `limit` of infinity.
pub fn sweep_triangles(
    capsule: &Capsule,
    direction: DVec3,
    limit: f64,
    triangles: &[Triangle],
) -> Option<(usize, f64)> {
    let mut distance = limit;
    let mut found = None;
    for (index, triangle) in triangles.iter().enumerate() {
        let touch = sweep_capsule_triangle(capsule, direction * distance, triangle);
        if let Some(touch) = touch
            && touch.time >= 0.0
            && touch.time * distance < distance
        {
            distance *= touch.time;
            found = Some((index, distance));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use capsweep::{Motion, Sides};

    /// Feet at z = 10, floor at z = 0: reached after 10 m. The window ends a 0.3 m step and 5 cm
    /// below the feet, at 9.65.
    #[test]
    fn the_window_of_a_long_fall_drops_the_floor_it_falls_on() {
        let feet = DVec3::new(0.3, -0.2, 10.0);
        let capsule = Capsule::from_feet(feet, DVec3::Z, 0.4, 1.8).unwrap();
        let floor = Triangle::new(
            DVec3::new(-9.0, -7.0, 0.0),
            DVec3::new(11.0, -8.0, 0.0),
            DVec3::new(1.0, 13.0, 0.0),
        )
        .unwrap();
        let fall = Motion::new(DVec3::new(0.0, 0.0, -12.0)).unwrap();
        let hit = capsweep::sweep_capsule_triangle(&capsule, &fall, &floor, Sides::Front).unwrap();
        assert!((hit.distance - 10.0).abs() < 1e-9, "{hit:?}");

        let window = VerticalWindow::new(&capsule, -DVec3::Z, 12.0, 0.3);
        assert!((window.min - 9.65).abs() < 1e-6, "{window:?}");
        assert!(!window.keeps(&floor));
    }
}
