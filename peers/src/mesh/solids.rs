//! Builds a mesh of boxes, prisms and sheets. Fronts face outward.

use super::Mesh;
use capsweep_testkit::{Rng, mix};
use glam::{Vec2, Vec3};

/// A mesh under construction.
pub(crate) struct Solids {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

impl Solids {
    /// An empty mesh.
    pub(crate) fn new() -> Self {
        Self { vertices: Vec::new(), triangles: Vec::new() }
    }

    /// Finishes the mesh.
    pub(crate) fn into_mesh(self, name: &str) -> Mesh {
        Mesh { name: name.to_owned(), vertices: self.vertices, triangles: self.triangles }
    }

    /// Adds a box between two corners.
    pub(crate) fn block(&mut self, min: Vec3, max: Vec3) {
        let corners = [(min.x, min.y), (max.x, min.y), (max.x, max.y), (min.x, max.y)];
        self.prism(&corners.map(|(x, y)| Vec2::new(x, y)), min.z, max.z);
    }

    /// Adds a box of this size on `foot`, with its x axis along `along` (unit).
    pub(crate) fn turned_block(&mut self, foot: Vec3, size: Vec3, along: Vec2) {
        let (u, v) = (along * size.x * 0.5, along.perp() * size.y * 0.5);
        let centre = foot.truncate();
        let outline = [centre - u - v, centre + u - v, centre + u + v, centre - u + v];
        self.prism(&outline, foot.z, foot.z + size.z);
    }

    /// Adds an eight-sided column on `foot`.
    pub(crate) fn column(&mut self, foot: Vec3, radius: f32, height: f32) {
        let slant = radius * core::f32::consts::FRAC_1_SQRT_2;
        let ring = [
            (radius, 0.0),
            (slant, slant),
            (0.0, radius),
            (-slant, slant),
            (-radius, 0.0),
            (-slant, -slant),
            (0.0, -radius),
            (slant, -slant),
        ];
        let outline = ring.map(|(x, y)| foot.truncate() + Vec2::new(x, y));
        self.prism(&outline, foot.z, foot.z + height);
    }

    /// Adds `count` solid steps with this rise and this run (a vector) each.
    pub(crate) fn stairs(&mut self, foot: Vec3, run: Vec2, width: f32, (rise, count): (f32, u32)) {
        let length = run.length();
        let along = run / length;
        for step in 0..count {
            let middle = foot.truncate() + run * (step as f32 + 0.5);
            let size = Vec3::new(length, width, rise * (step + 1) as f32);
            self.turned_block(middle.extend(foot.z), size, along);
        }
    }

    /// Adds a horizontal sheet of `cells` × `cells` quads that faces up.
    pub(crate) fn sheet(&mut self, min: Vec3, size: Vec2, cells: u32) {
        let first = self.vertices.len() as u32;
        let row = cells + 1;
        for y in 0..row {
            for x in 0..row {
                let share = Vec2::new(x as f32, y as f32) / cells as f32;
                self.vertices.push(min + (size * share).extend(0.0));
            }
        }
        for y in 0..cells {
            for x in 0..cells {
                let a = first + y * row + x;
                let (b, c, d) = (a + 1, a + row + 1, a + row);
                self.triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
    }

    /// Adds a ramp along x, 20 m wide and open below, that rises from the floor by `degrees`.
    pub(crate) fn ramp(&mut self, from: f32, to: f32, degrees: f32) {
        let rise = (to - from) * degrees.to_radians().tan();
        self.quad([(from, -10.0, 0.0), (to, -10.0, rise), (to, 10.0, rise), (from, 10.0, 0.0)]);
    }

    /// Adds a ceiling, 20 m wide, that descends from the first height to the second along x.
    pub(crate) fn lowered_ceiling(&mut self, from: f32, to: f32, (high, low): (f32, f32)) {
        self.quad([(from, -10.0, high), (from, 10.0, high), (to, 10.0, low), (to, -10.0, low)]);
    }

    fn quad(&mut self, corners: [(f32, f32, f32); 4]) {
        let a = self.vertices.len() as u32;
        self.vertices.extend(corners.map(Vec3::from));
        self.triangles.extend([[a, a + 1, a + 2], [a, a + 2, a + 3]]);
    }

    /// Adds a square of uneven ground around the origin, of `cells` × `cells` quads. Its border is
    /// at height 0.
    pub(crate) fn ground(&mut self, side: f32, cells: u32, rng: &mut Rng) {
        let first = self.vertices.len();
        let corner = Vec3::new(-0.5 * side, -0.5 * side, 0.0);
        self.sheet(corner, Vec2::splat(side), cells);
        for vertex in &mut self.vertices[first..] {
            let inside = vertex.truncate().abs().max_element() < 0.49 * side;
            vertex.z = if inside { rng.range_f32(-0.15, 0.15) } else { 0.0 };
        }
    }

    /// Adds a rough sphere of radius 0.85 to 1 around the origin: an octahedron with every face
    /// split into four `splits` times.
    pub(crate) fn rock(&mut self, splits: u32, seed: u64) {
        for signs in 0..8u32 {
            let sign = |bit: u32| if signs & bit == 0 { 1.0 } else { -1.0 };
            let (x, y, z) = (Vec3::X * sign(1), Vec3::Y * sign(2), Vec3::Z * sign(4));
            let outward = sign(1) * sign(2) * sign(4) > 0.0;
            self.rock_face(if outward { [x, y, z] } else { [x, z, y] }, splits, seed);
        }
    }

    /// Adds the part of a rock over the spherical triangle `corners` (unit).
    fn rock_face(&mut self, corners: [Vec3; 3], splits: u32, seed: u64) {
        let [a, b, c] = corners;
        if splits == 0 {
            let first = self.vertices.len() as u32;
            // The radius is a function of the direction, so neighbouring faces share their edges.
            self.vertices.extend(corners.map(|corner| corner * roughness(corner, seed)));
            self.triangles.push([first, first + 1, first + 2]);
            return;
        }
        let (ab, bc, ca) = ((a + b).normalize(), (b + c).normalize(), (c + a).normalize());
        for part in [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]] {
            self.rock_face(part, splits - 1, seed);
        }
    }

    /// Adds a closed prism over a convex counter-clockwise outline.
    fn prism(&mut self, outline: &[Vec2], bottom: f32, top: f32) {
        let first = self.vertices.len() as u32;
        let count = outline.len() as u32;
        self.vertices.extend(outline.iter().map(|corner| corner.extend(bottom)));
        self.vertices.extend(outline.iter().map(|corner| corner.extend(top)));
        for side in 0..count {
            let (a, b) = (first + side, first + (side + 1) % count);
            self.triangles.extend([[a, b, b + count], [a, b + count, a + count]]);
        }
        for corner in 1..count - 1 {
            let (a, b, c) = (first, first + corner, first + corner + 1);
            self.triangles.extend([[a, c, b], [a + count, b + count, c + count]]);
        }
    }
}

/// Radius of a rock in `direction`, 0.85 to 1.
fn roughness(direction: Vec3, seed: u64) -> f32 {
    // Adding 0 turns −0 into 0, so that equal directions have equal bits.
    let key = (direction + Vec3::ZERO).to_array().into_iter();
    let hash = key.fold(seed, |hash, number| mix(hash ^ u64::from(number.to_bits())));
    Rng::from_seed(hash).range_f32(0.85, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Volume that the triangles enclose; positive if their fronts face outward.
    fn volume(mesh: &Mesh) -> f32 {
        let triple = |[a, b, c]: [Vec3; 3]| a.dot(b.cross(c)) / 6.0;
        (0..mesh.triangles.len()).map(|index| triple(mesh.corners(index))).sum()
    }

    #[test]
    fn solids_face_outward() {
        let mut block = Solids::new();
        block.block(Vec3::new(1.0, 2.0, 3.0), Vec3::new(2.0, 4.0, 6.0));
        assert!((volume(&block.into_mesh("block")) - 6.0).abs() < 1e-4);

        let mut stairs = Solids::new();
        stairs.stairs(Vec3::ZERO, Vec2::new(0.0, 0.5), 2.0, (0.25, 2));
        assert!((volume(&stairs.into_mesh("stairs")) - 0.75).abs() < 1e-4);

        let mut rock = Solids::new();
        rock.rock(3, 7);
        let rock = volume(&rock.into_mesh("rock"));
        assert!((2.5..4.2).contains(&rock), "a ball of radius 0.85 to 1 has not {rock} m³");
    }
}
