//! Builds meshes from quads, boxes, prisms, cones and stairs.

use super::Mesh;
use glam::{Vec2, Vec3, vec3};
use std::collections::HashMap;

/// A mesh under construction. Vertices with the same position are shared.
#[derive(Debug, Default)]
pub(crate) struct MeshBuilder {
    vertices: Vec<Vec3>,
    indices: Vec<[u32; 3]>,
    /// Index of each vertex by the bits of its position. Never iterated, so its order has no
    /// effect.
    vertex_index: HashMap<[u32; 3], u32>,
}

impl MeshBuilder {
    pub(crate) fn finish(self) -> Mesh {
        (self.vertices, self.indices)
    }

    /// The index of a vertex; adds it if it is new.
    fn vertex(&mut self, at: Vec3) -> u32 {
        let key = at.to_array().map(|coordinate| (coordinate + 0.0).to_bits());
        *self.vertex_index.entry(key).or_insert_with(|| {
            self.vertices.push(at);
            self.vertices.len() as u32 - 1
        })
    }

    /// Adds a triangle, unless two corners are the same.
    pub(crate) fn triangle(&mut self, corners: [Vec3; 3]) {
        let [a, b, c] = corners.map(|corner| self.vertex(corner));
        if a != b && b != c && c != a {
            self.indices.push([a, b, c]);
        }
    }

    /// Adds two triangles, split from the first corner to the third.
    pub(crate) fn quad(&mut self, [a, b, c, d]: [Vec3; 4]) {
        self.triangle([a, b, c]);
        self.triangle([a, c, d]);
    }

    /// Adds `columns` by `rows` quads from `origin` along both sides. The front normal is the
    /// cross product of the sides.
    pub(crate) fn grid(&mut self, origin: Vec3, sides: [Vec3; 2], [columns, rows]: [u32; 2]) {
        let at = |i: u32, j: u32| {
            origin + sides[0] * (i as f32 / columns as f32) + sides[1] * (j as f32 / rows as f32)
        };
        for j in 0..rows {
            for i in 0..columns {
                self.quad([at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
            }
        }
    }

    /// Adds a closed box.
    pub(crate) fn cuboid(&mut self, min: Vec3, max: Vec3) {
        self.prism(
            &[
                Vec2::new(min.x, min.y),
                Vec2::new(max.x, min.y),
                Vec2::new(max.x, max.y),
                Vec2::new(min.x, max.y),
            ],
            min.z,
            max.z,
        );
    }

    /// Adds a closed upright prism over a convex counter-clockwise outline.
    pub(crate) fn prism(&mut self, outline: &[Vec2], bottom: f32, top: f32) {
        self.wall(outline, bottom, top);
        for i in 2..outline.len() {
            let [a, b, c] = [outline[0], outline[i - 1], outline[i]];
            self.triangle([a, b, c].map(|corner| corner.extend(top)));
            self.triangle([a, c, b].map(|corner| corner.extend(bottom)));
        }
    }

    /// Adds the sides of a [`MeshBuilder::prism`] without its caps.
    pub(crate) fn wall(&mut self, outline: &[Vec2], bottom: f32, top: f32) {
        for (i, &from) in outline.iter().enumerate() {
            let to = outline[(i + 1) % outline.len()];
            self.quad([from.extend(bottom), to.extend(bottom), to.extend(top), from.extend(top)]);
        }
    }

    /// Adds a closed pyramid or cone over a counter-clockwise outline.
    pub(crate) fn cone(&mut self, outline: &[Vec2], bottom: f32, tip: Vec3) {
        for (i, &from) in outline.iter().enumerate() {
            let to = outline[(i + 1) % outline.len()];
            self.triangle([from.extend(bottom), to.extend(bottom), tip]);
        }
        for i in 2..outline.len() {
            self.triangle([outline[0], outline[i], outline[i - 1]].map(|p| p.extend(bottom)));
        }
    }

    /// Adds a closed flight of stairs.
    pub(crate) fn flight(&mut self, flight: &Flight) {
        let Flight { foot, along, width, steps, rise, run } = *flight;
        let left = vec3(-along.y, along.x, 0.0) * width;
        let at =
            |out: u32, up: u32| foot + along * (run * out as f32) + Vec3::Z * (rise * up as f32);
        for step in 0..steps {
            let (near, rim) = (at(step, step), at(step, step + 1));
            let next = at(step + 1, step + 1);
            let (base, base_far) = (at(step, 0), at(step + 1, 0));
            // Riser, tread and underside.
            self.quad([near + left, near, rim, rim + left]);
            self.quad([rim, next, next + left, rim + left]);
            self.quad([base, base + left, base_far + left, base_far]);
            // One column of both sides. It shares the corner `near` with the previous step.
            for [a, b, c] in [[base_far, next, rim], [base_far, rim, near], [base_far, near, base]]
            {
                self.triangle([a, b, c]);
                self.triangle([a + left, c + left, b + left]);
            }
        }
        let (bottom, top) = (at(steps, 0), at(steps, steps));
        self.quad([bottom, bottom + left, top + left, top]);
    }
}

/// A straight flight of stairs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Flight {
    /// The lower right corner, as seen by a climbing character.
    pub(crate) foot: Vec3,
    /// Horizontal unit direction of the climb.
    pub(crate) along: Vec3,
    pub(crate) width: f32,
    pub(crate) steps: u32,
    pub(crate) rise: f32,
    pub(crate) run: f32,
}

/// A convex counter-clockwise outline of `corners` points around `center`.
///
/// The points are on a circle, at rational parameters of the half-angle formula. So no sine is
/// needed, and every platform has the same bits.
pub(crate) fn ring(center: Vec2, radius: f32, corners: u32) -> Vec<Vec2> {
    (0..corners)
        .map(|i| {
            // Four quarters with t from 0 to below 1, over which the angle is nearly linear.
            let turn = i * 4;
            let (quarter, t) = (turn / corners, (turn % corners) as f32 / corners as f32);
            let (x, y) = ((1.0 - t * t) / (1.0 + t * t), 2.0 * t / (1.0 + t * t));
            let point = match quarter {
                0 => Vec2::new(x, y),
                1 => Vec2::new(-y, x),
                2 => Vec2::new(-x, -y),
                _ => Vec2::new(y, -x),
            };
            center + point * radius
        })
        .collect()
}
