//! The slow twin of height fields: the same terrain as plain data, and as a mesh of its triangles.

use crate::Rng;
use capsweep::scene::{
    CellMaterial, CellTriangles, HeightField, HeightFieldOptions, HeightGrid, Heights,
    MeshOptions, TriMesh,
};
use glam::Vec3;

/// A height field as plain data.
#[derive(Debug, Clone)]
pub struct PlainField {
    /// Number and size of the cells.
    pub grid: HeightGrid,
    /// Heights of the corners, row by row, then those of the centres, if there are four triangles
    /// per cell.
    pub heights: Heights,
    /// Whether cells have centres.
    pub four: bool,
    /// Flags of turned diagonals, for two triangles per cell; may be empty.
    pub turned: Vec<bool>,
    /// Flags of holes; may be empty.
    pub holes: Vec<bool>,
    /// Tags and masks; may be empty.
    pub materials: Vec<CellMaterial>,
    /// Whether both sides count.
    pub double_sided: bool,
}

impl PlainField {
    /// A field without holes, turned diagonals and materials.
    pub fn new(grid: HeightGrid, heights: Heights, four: bool) -> Self {
        Self {
            grid,
            heights,
            four,
            turned: Vec::new(),
            holes: Vec::new(),
            materials: Vec::new(),
            double_sided: false,
        }
    }

    /// Hills and cliffs with `four` or two triangles per cell. Some cells are flat, some meet in
    /// one plane, some are needles.
    pub fn random(rng: &mut Rng, rows: u32, columns: u32, four: bool) -> Self {
        let spacing = if rng.chance(0.5) {
            [1.0, 1.0]
        } else {
            [rng.range_f32(0.3, 3.0), rng.range_f32(0.3, 3.0)]
        };
        let grid = HeightGrid { rows, columns, spacing };
        let cells = (rows * columns) as usize;
        let count = ((rows + 1) * (columns + 1)) as usize + if four { cells } else { 0 };
        // Few different heights make faces that lie in one plane.
        let level = |rng: &mut Rng| match rng.below(12) {
            0..8 => rng.below(3) as f32 * 0.5,
            8..11 => rng.range_f32(-2.0, 2.0),
            _ => rng.range_f32(-30.0, 30.0),
        };
        let heights: Vec<f32> = (0..count).map(|_| level(rng)).collect();
        let heights = match rng.below(4) {
            0 => {
                let raw = heights.iter().map(|_| (rng.bits() % 65536) as u16 / 8).collect();
                Heights::U16 { raw, low: -1.3, high: 13.7 }
            }
            1 if rng.chance(0.2) => Heights::Flat(0.25),
            _ => Heights::F32(heights),
        };
        let mut field = Self::new(grid, heights, four);
        if !four && rng.chance(0.7) {
            field.turned = (0..cells).map(|_| rng.chance(0.5)).collect();
        }
        if rng.chance(0.5) {
            field.holes = (0..cells).map(|_| rng.chance(0.1)).collect();
        }
        if rng.chance(0.3) {
            let material =
                |rng: &mut Rng| CellMaterial { tag: rng.below(9), mask: 1 << rng.below(3) };
            field.materials = (0..cells).map(|_| material(rng)).collect();
        }
        field.double_sided = rng.chance(0.2);
        field
    }

    /// The same field with heights of 16 bits between `low` and `high`.
    #[must_use]
    #[allow(clippy::cast_sign_loss, reason = "a cast to unsigned saturates at 0")]
    pub fn with_u16(mut self, low: f32, high: f32) -> Self {
        let steps = 65535.0 / (f64::from(high) - f64::from(low));
        let rounded =
            |height: &f32| ((f64::from(*height) - f64::from(low)) * steps).round() as u16;
        if let Heights::F32(heights) = &self.heights {
            self.heights = Heights::U16 { raw: heights.iter().map(rounded).collect(), low, high };
        }
        self
    }

    /// The height with this index, decoded in f64 and rounded once.
    ///
    /// # Panics
    /// If there is no such height.
    pub fn height(&self, index: usize) -> f32 {
        match &self.heights {
            Heights::F32(heights) => heights[index],
            Heights::U16 { raw, low, high } => {
                let (low, high) = (f64::from(*low), f64::from(*high));
                (low + f64::from(raw[index]) * ((high - low) / 65535.0)) as f32
            }
            Heights::Flat(height) => *height,
            _ => unreachable!("the kit makes no other heights"),
        }
    }

    fn corner(&self, row: u32, column: u32) -> Vec3 {
        let HeightGrid { columns, spacing, .. } = self.grid;
        let height = self.height((row * (columns + 1) + column) as usize);
        Vec3::new(row as f32 * spacing[0], column as f32 * spacing[1], height)
    }

    fn center(&self, row: u32, column: u32) -> Vec3 {
        let HeightGrid { rows, columns, spacing } = self.grid;
        let index = (rows + 1) * (columns + 1) + row * columns + column;
        let [x, y] = [(row, spacing[0]), (column, spacing[1])]
            .map(|(at, step)| ((f64::from(at) + 0.5) * f64::from(step)) as f32);
        Vec3::new(x, y, self.height(index as usize))
    }

    /// All triangles outside of holes, with their indices in the field.
    pub fn triangles(&self) -> Vec<(u32, [Vec3; 3])> {
        let mut triangles = Vec::new();
        for row in 0..self.grid.rows {
            for column in 0..self.grid.columns {
                let cell = row * self.grid.columns + column;
                if self.holes.get(cell as usize) == Some(&true) {
                    continue;
                }
                let (a, b) = (self.corner(row, column), self.corner(row + 1, column));
                let (c, d) = (self.corner(row, column + 1), self.corner(row + 1, column + 1));
                let of_cell = if self.four {
                    let e = self.center(row, column);
                    vec![[a, b, e], [b, d, e], [d, c, e], [c, a, e]]
                } else if self.turned.get(cell as usize) == Some(&true) {
                    vec![[a, b, c], [b, d, c]]
                } else {
                    vec![[a, b, d], [a, d, c]]
                };
                let first = cell * of_cell.len() as u32;
                triangles.extend((first..).zip(of_cell));
            }
        }
        triangles
    }

    /// The height field.
    ///
    /// # Panics
    /// If the plain data are no valid field.
    pub fn field(&self) -> HeightField {
        let cells = if self.four {
            CellTriangles::Four
        } else {
            CellTriangles::Two { turned: &self.turned }
        };
        let options = HeightFieldOptions { double_sided: self.double_sided };
        let mut field = HeightField::new(self.grid, self.heights.clone(), cells, options)
            .expect("a valid field");
        if !self.holes.is_empty() {
            field = field.with_holes(&self.holes).expect("one flag for each cell");
        }
        if !self.materials.is_empty() {
            field = field.with_materials(&self.materials).expect("few materials");
        }
        field
    }

    /// A mesh of the same triangles. Triangle `i` of the mesh is `indices[i]` of the field.
    ///
    /// # Panics
    /// If the plain data are no valid field.
    pub fn mesh(&self) -> (TriMesh, Vec<u32>) {
        let triangles = self.triangles();
        let vertices: Vec<Vec3> = triangles.iter().flat_map(|(_, corners)| *corners).collect();
        let indices: Vec<[u32; 3]> =
            (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let options = MeshOptions { double_sided: self.double_sided };
        let mut mesh = TriMesh::new(&vertices, &indices, options).expect("a valid mesh");
        let numbers: Vec<u32> = triangles.iter().map(|(index, _)| *index).collect();
        if !self.materials.is_empty() {
            let per_cell = if self.four { 4 } else { 2 };
            let of = |index: &u32| self.materials[(index / per_cell) as usize];
            let masks: Vec<u32> = numbers.iter().map(|index| of(index).mask).collect();
            let tags: Vec<u32> = numbers.iter().map(|index| of(index).tag).collect();
            mesh = mesh.with_masks(&masks).expect("one for each");
            mesh = mesh.with_tags(&tags).expect("one for each");
        }
        (mesh, numbers)
    }
}
