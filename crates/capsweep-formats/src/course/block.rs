//! Builds the course from closed blocks whose front sides are outside.

use glam::{Vec3, vec3};

/// A mesh builder.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    pub(super) vertices: Vec<Vec3>,
    pub(super) triangles: Vec<[u32; 3]>,
}

impl Blocks {
    /// Adds a box between two corners.
    pub(super) fn cuboid(mut self, low: Vec3, high: Vec3) -> Self {
        let profile = [(low.x, low.z), (high.x, low.z), (high.x, high.z), (low.x, high.z)];
        self.extrude(&profile, [low.y, high.y]);
        self
    }

    /// Adds a convex profile in x and z, counter-clockwise seen from −y, extruded along y.
    pub(super) fn prism(mut self, profile: &[(f32, f32)], across: [f32; 2]) -> Self {
        self.extrude(profile, across);
        self
    }

    /// Adds stairs that rise along x from `foot`, each step a box that reaches to the ground.
    pub(super) fn stairs(mut self, foot: Vec3, across: f32, stairs: &Stairs) -> Self {
        let Stairs { steps, rise, run } = *stairs;
        for step in 0..steps {
            let near = foot + Vec3::X * (run * step as f32);
            let far = vec3(near.x + run, foot.y + across, foot.z + rise * (step + 1) as f32);
            self = self.cuboid(near, far);
        }
        self
    }

    fn extrude(&mut self, profile: &[(f32, f32)], [right, left]: [f32; 2]) {
        let at = |(x, z): (f32, f32), y| vec3(x, y, z);
        for (i, &from) in profile.iter().enumerate() {
            let to = profile[(i + 1) % profile.len()];
            self.triangle([at(from, right), at(from, left), at(to, left)]);
            self.triangle([at(from, right), at(to, left), at(to, right)]);
        }
        for pair in profile[1..].windows(2) {
            let [a, b, c] = [profile[0], pair[0], pair[1]];
            self.triangle([at(a, right), at(b, right), at(c, right)]);
            self.triangle([at(a, left), at(c, left), at(b, left)]);
        }
    }

    fn triangle(&mut self, corners: [Vec3; 3]) {
        let first = self.vertices.len() as u32;
        self.vertices.extend(corners);
        self.triangles.push([first, first + 1, first + 2]);
    }
}

/// A flight of stairs: number of steps, their height and their depth, in metres.
pub(super) struct Stairs {
    pub(super) steps: u32,
    pub(super) rise: f32,
    pub(super) run: f32,
}
