//! Solids for the GLB file: beams, arrows, capsules.

use glam::{DVec3, Vec3};
use std::f64::consts::{PI, TAU};

/// A triangle mesh; counter-clockwise is the front.
#[derive(Debug, Clone, Default)]
pub(super) struct Solid {
    pub(super) vertices: Vec<Vec3>,
    pub(super) triangles: Vec<[u32; 3]>,
}

impl Solid {
    /// Adds a square beam along the line from `from` to `to`, with a thickness for each end.
    pub(super) fn add_beam(&mut self, [from, to]: [DVec3; 2], thick: f64, tip: f64) {
        let Some(along) = (to - from).try_normalize() else { return };
        let (u, v) = along.any_orthonormal_pair();
        let first = self.vertices.len() as u32;
        for (end, half) in [(from, thick / 2.0), (to, tip / 2.0)] {
            for (a, b) in [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)] {
                self.vertices.push((end + (u * a + v * b) * half).as_vec3());
            }
        }
        let mut quad = |[a, b, c, d]: [u32; 4]| {
            self.triangles.push([a, b, c].map(|i| first + i));
            self.triangles.push([a, c, d].map(|i| first + i));
        };
        for i in 0..4 {
            let j = (i + 1) % 4;
            quad([i, j, j + 4, i + 4]);
        }
        quad([3, 2, 1, 0]);
        quad([4, 5, 6, 7]);
    }

    /// Adds a thick dot and an arrow from it along `normal`.
    pub(super) fn add_arrow(&mut self, point: DVec3, normal: DVec3, length: f64) {
        let thick = 0.06 * length;
        self.add_beam([point - normal * thick, point + normal * thick], 4.0 * thick, 4.0 * thick);
        let neck = point + normal * (0.7 * length);
        self.add_beam([point, neck], thick, thick);
        self.add_beam([neck, point + normal * length], 4.0 * thick, 0.1 * thick);
    }

    /// An upright capsule that stands on the origin.
    pub(super) fn capsule(radius: f64, height: f64) -> Self {
        const SIDES: u32 = 20;
        const RINGS: u32 = 12;
        let mut solid = Self::default();
        let cylinder = (height - 2.0 * radius).max(0.0);
        for ring in 0..=RINGS {
            // From the lower pole to the upper; the cylinder raises the upper hemisphere.
            let angle = PI * f64::from(ring) / f64::from(RINGS) - PI / 2.0;
            let raised = if 2 * ring > RINGS { cylinder } else { 0.0 };
            let z = radius * (1.0 + angle.sin()) + raised;
            for i in 0..SIDES {
                let turn = TAU * f64::from(i) / f64::from(SIDES);
                let ring_radius = radius * angle.cos().max(0.0);
                let at = DVec3::new(ring_radius * turn.cos(), ring_radius * turn.sin(), z);
                solid.vertices.push(at.as_vec3());
            }
        }
        for ring in 0..RINGS {
            for i in 0..SIDES {
                let j = (i + 1) % SIDES;
                let [a, b] = [ring * SIDES + i, ring * SIDES + j];
                let [c, d] = [b + SIDES, a + SIDES];
                solid.triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
        solid
    }
}
