//! The ground as a raster: a floor plan, cut about a metre over the feet.
//!
//! The height of the cut follows the nearest point of the walk, so each storey shows where the
//! walk visits it. A cell shows the ground below the cut, or solid material that the cut hits.

use super::path::PathPoint;
use crate::area::Area;
use crate::picture::canvas::Raster;
use crate::picture::style;
use anyhow::Result;
use capsweep::controller::Controller;
use capsweep::query::{Column, Facing, Support};
use capsweep::scene::{Filter, Scene};
use glam::{DVec2, DVec3};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

/// Height of the cut over the feet, as a fraction of the character's height.
const CUT_HEIGHT: f64 = 0.6;
/// Colour bands from the lowest to the highest point of the walk: few colours make small files.
const BANDS: f64 = 10.0;
/// Most points of the walk in the search for the nearest.
const MAX_POINTS: usize = 300;

/// One cell; `cut` is the height of the cut there.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Cell {
    Empty,
    Solid { cut: f64 },
    Ground { cut: f64, height: f64, normal: DVec3, walkable: bool },
}

/// The cells of a map, row by row from the top, which has the largest y.
pub(crate) struct Relief {
    cells: Vec<Cell>,
    columns: usize,
    rows: usize,
    low: DVec2,
    size: DVec2,
    /// Lowest and highest point of the walk.
    heights: [f64; 2],
}

impl Relief {
    pub(crate) fn new(
        (scene, area): (&Scene, &Area),
        controller: &Controller,
        points: &[PathPoint],
        region: [DVec2; 2],
        cell: f64,
    ) -> Result<Self> {
        let [low, high] = region;
        let size = high - low;
        let counts = (size / cell).ceil().max(DVec2::ONE);
        let (columns, rows) = (counts.x as usize, counts.y as usize);
        let level_heights = area.heights();
        let stride = points.len().div_ceil(MAX_POINTS).max(1);
        let sparse: Vec<DVec3> = points.iter().step_by(stride).map(|point| point.feet).collect();
        let cut_height = CUT_HEIGHT * f64::from(controller.config().total_height);
        let row = |row: usize| -> Result<Vec<Cell>> {
            let mut surfaces = Vec::new();
            let cells = (0..columns).map(|column| {
                let cell = DVec2::new(column as f64 + 0.5, (rows - row) as f64 - 0.5);
                let at = low + size * cell / counts;
                let distance = |feet: &&DVec3| feet.truncate().distance_squared(at);
                let nearest = sparse.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
                let cut = nearest.map_or(level_heights[1], |feet| feet.z) + cut_height;
                let line = Column::new(
                    at.extend(cut),
                    DVec3::Z,
                    (level_heights[1] - cut).max(0.0) + 1.0,
                    (cut - level_heights[0]).max(0.0) + 1.0,
                )?;
                let slope = controller.config().slope_limit;
                scene.supports(&line, slope, &Filter::default(), &mut surfaces);
                Ok(classify(scene, &surfaces, cut))
            });
            cells.collect()
        };
        let rows_of_cells: Vec<Vec<Cell>> =
            (0..rows).into_par_iter().map(row).collect::<Result<_>>()?;
        let walked = || points.iter().map(|point| point.feet.z);
        let heights =
            [walked().fold(f64::INFINITY, f64::min), walked().fold(f64::NEG_INFINITY, f64::max)];
        Ok(Self { cells: rows_of_cells.concat(), columns, rows, low, size, heights })
    }

    /// The lowest and the highest point of the walk, which are the ends of the colour scale.
    pub(crate) fn heights(&self) -> [f64; 2] {
        self.heights
    }

    pub(crate) fn at(&self, point: DVec2) -> Cell {
        let fraction = (point - self.low) / self.size;
        let column = (fraction.x * self.columns as f64) as usize;
        let row = ((1.0 - fraction.y) * self.rows as f64) as usize;
        self.cells[row.min(self.rows - 1) * self.columns + column.min(self.columns - 1)]
    }

    /// Whether any cell matches.
    pub(crate) fn any(&self, matches: impl Fn(&Cell) -> bool) -> bool {
        self.cells.iter().any(matches)
    }

    /// The bounds of the cells that are not empty.
    pub(crate) fn occupied(&self) -> Option<[DVec2; 2]> {
        let cell = self.size / DVec2::new(self.columns as f64, self.rows as f64);
        let mut occupied: Option<[DVec2; 2]> = None;
        for (index, shown) in self.cells.iter().enumerate() {
            if matches!(shown, Cell::Empty) {
                continue;
            }
            let (column, row) = (index % self.columns, index / self.columns);
            let from = self.low + cell * DVec2::new(column as f64, (self.rows - row - 1) as f64);
            let [low, high] = occupied.unwrap_or([from, from]);
            occupied = Some([low.min(from), high.max(from + cell)]);
        }
        occupied
    }

    pub(crate) fn raster(&self) -> Raster {
        let rgb = self.cells.iter().flat_map(|cell| self.colour(*cell)).collect();
        Raster { width: self.columns as u32, height: self.rows as u32, rgb }
    }

    fn colour(&self, cell: Cell) -> [u8; 3] {
        match cell {
            Cell::Empty => [255; 3],
            Cell::Solid { .. } => {
                let [r, g, b, _] = style::SOLID.0;
                [r, g, b]
            }
            Cell::Ground { height, normal, walkable, .. } => {
                let ground = ground_colour(height, self.heights);
                let base = if walkable { ground } else { mixed(ground, style::STEEP_GROUND, 0.7) };
                // Light from the upper left, in eight levels.
                let light = normal.dot(DVec3::new(-0.5, 0.5, 0.707)) - 0.707;
                let light = 1.0 + 0.3 * (light * 8.0).round() / 8.0;
                base.map(|channel| (channel * light).clamp(0.0, 255.0) as u8)
            }
        }
    }
}

/// The colour of walkable ground at a height, for a walk between `low` and `high`.
pub(crate) fn ground_colour(height: f64, [low, high]: [f64; 2]) -> [f64; 3] {
    // A walk on level ground has one colour.
    let fraction = ((height - low) / (high - low).max(0.5)).clamp(-0.3, 1.3);
    mixed(style::LOW, style::HIGH, (fraction * BANDS).round() / BANDS)
}

fn mixed(a: [f64; 3], b: [f64; 3], fraction: f64) -> [f64; 3] {
    std::array::from_fn(|i| a[i] + (b[i] - a[i]) * fraction)
}

/// The cell of a column: `surfaces` from top to bottom, with heights from the cut.
fn classify(scene: &Scene, surfaces: &[Support], cut: f64) -> Cell {
    let below = surfaces.partition_point(|surface| surface.height > 0.0);
    let above = surfaces[..below].last();
    // A point under a surface that faces up is inside a solid. Double-sided triangles have no
    // inside.
    let is_double_sided = |surface: &Support| {
        let body = scene.body(surface.target.body).ok();
        let mesh = body.and_then(|body| body.instance()).map(|(mesh, _)| mesh);
        let triangle = mesh.zip(surface.target.triangle);
        triangle.is_some_and(|(mesh, index)| mesh.is_triangle_double_sided(index) == Some(true))
    };
    let is_inside =
        above.is_some_and(|surface| surface.facing == Facing::Up && !is_double_sided(surface));
    if is_inside && below < surfaces.len() {
        return Cell::Solid { cut };
    }
    let mut ground = surfaces[below..].iter().filter(|surface| surface.facing == Facing::Up);
    // Open ground above the cut, such as a hill, shows as ground.
    let hill = || above.filter(|surface| surface.facing == Facing::Up);
    match ground.next().or_else(hill) {
        Some(surface) => Cell::Ground {
            cut,
            height: surface.point.z,
            normal: surface.normal.as_dvec3(),
            walkable: surface.walkable,
        },
        None => Cell::Empty,
    }
}
