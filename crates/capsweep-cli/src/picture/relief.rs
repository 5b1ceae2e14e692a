//! The ground as a map: what a floor plan cut along the walk shows in each cell.
//!
//! The cut is a metre or so over the feet at the nearest place of the walk, so every storey shows where it was walked. Below it lies the ground that is shown;
//! what the cut goes through is solid.

use super::canvas::Raster;
use super::path::Place;
use super::style;
use crate::load::bounds;
use anyhow::Result;
use capsweep::controller::Controller;
use capsweep::query::{Column, Facing, Support};
use capsweep::scene::{Filter, Scene};
use glam::{DVec2, DVec3};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

/// The cut's height over the feet, as part of the walker's.
const CUT: f64 = 0.6;
/// Bands of colour from the lowest place of the walk to the highest: few colours, small files.
const BANDS: f64 = 10.0;

#[derive(Debug, Clone, Copy)]
pub(super) enum Cell {
    Nothing,
    Solid { cut: f64 },
    Ground { cut: f64, height: f64, normal: DVec3, walkable: bool },
}

/// Cells of a map, row by row from the top, the largest y.
pub(super) struct Relief {
    cells: Vec<Cell>,
    columns: usize,
    rows: usize,
    low: DVec2,
    size: DVec2,
    heights: [f64; 2],
}

impl Relief {
    pub(super) fn new(
        scene: &Scene,
        controller: &Controller,
        places: &[Place],
        region: [DVec2; 2],
        cell: f64,
    ) -> Result<Self> {
        let [low, high] = region;
        let size = high - low;
        let counts = (size / cell).ceil().max(DVec2::ONE);
        let (columns, rows) = (counts.x as usize, counts.y as usize);
        let around = bounds(scene);
        let heights = around.map_or([0.0, 0.0], |all| [all.min().z, all.max().z]);
        // A few hundred places stand for the walk.
        let sparse: Vec<DVec3> = places
            .iter()
            .step_by(places.len().div_ceil(300).max(1))
            .map(|place| place.feet)
            .collect();
        let raise = CUT * f64::from(controller.config().total_height);
        let row = |row: usize| -> Result<Vec<Cell>> {
            let mut surfaces = Vec::new();
            let cells = (0..columns).map(|column| {
                let part = DVec2::new(column as f64 + 0.5, (rows - row) as f64 - 0.5);
                let at = low + size * part / counts;
                let distance = |feet: &&DVec3| feet.truncate().distance_squared(at);
                let nearest = sparse.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
                let cut = nearest.map_or(heights[1], |feet| feet.z) + raise;
                let line = Column::new(
                    at.extend(cut),
                    DVec3::Z,
                    (heights[1] - cut).max(0.0) + 1.0,
                    (cut - heights[0]).max(0.0) + 1.0,
                )?;
                let slope = controller.config().slope_limit;
                scene.supports(&line, slope, &Filter::default(), &mut surfaces);
                Ok(seen(scene, &surfaces, cut))
            });
            cells.collect()
        };
        let rows_of_cells: Vec<Vec<Cell>> =
            (0..rows).into_par_iter().map(row).collect::<Result<_>>()?;
        let walked = |pick: fn(f64, f64) -> f64, start| {
            places.iter().map(|place| place.feet.z).fold(start, pick)
        };
        let heights = [walked(f64::min, f64::INFINITY), walked(f64::max, f64::NEG_INFINITY)];
        Ok(Self { cells: rows_of_cells.concat(), columns, rows, low, size, heights })
    }

    /// The lowest and the highest place of the walk: where the colours begin and end.
    pub(super) fn heights(&self) -> [f64; 2] {
        self.heights
    }

    pub(super) fn at(&self, point: DVec2) -> Cell {
        let part = (point - self.low) / self.size;
        let column = (part.x * self.columns as f64) as usize;
        let row = ((1.0 - part.y) * self.rows as f64) as usize;
        self.cells[row.min(self.rows - 1) * self.columns + column.min(self.columns - 1)]
    }

    /// Whether any cell is of a kind.
    pub(super) fn shows(&self, kind: impl Fn(&Cell) -> bool) -> bool {
        self.cells.iter().any(kind)
    }

    /// The part of the map that shows anything.
    pub(super) fn used(&self) -> Option<[DVec2; 2]> {
        let cell = self.size / DVec2::new(self.columns as f64, self.rows as f64);
        let mut used: Option<[DVec2; 2]> = None;
        for (number, shown) in self.cells.iter().enumerate() {
            if matches!(shown, Cell::Nothing) {
                continue;
            }
            let (column, row) = (number % self.columns, number / self.columns);
            let from = self.low + cell * DVec2::new(column as f64, (self.rows - row - 1) as f64);
            let [low, high] = used.unwrap_or([from, from]);
            used = Some([low.min(from), high.max(from + cell)]);
        }
        used
    }

    pub(super) fn raster(&self) -> Raster {
        let rgb = self.cells.iter().flat_map(|cell| self.colour(*cell)).collect();
        Raster { width: self.columns as u32, height: self.rows as u32, rgb }
    }

    fn colour(&self, cell: Cell) -> [u8; 3] {
        match cell {
            Cell::Nothing => [255; 3],
            Cell::Solid { .. } => {
                let [r, g, b, _] = style::SOLID.0;
                [r, g, b]
            }
            Cell::Ground { height, normal, walkable, .. } => {
                let ground = ground_colour(height, self.heights);
                let base = if walkable { ground } else { mixed(ground, STEEP_GROUND, 0.7) };
                // Light from the upper left, in eight steps.
                let light = normal.dot(DVec3::new(-0.5, 0.5, 0.707)) - 0.707;
                let light = 1.0 + 0.3 * (light * 8.0).round() / 8.0;
                base.map(|channel| (channel * light).clamp(0.0, 255.0) as u8)
            }
        }
    }
}

const STEEP_GROUND: [f64; 3] = [232.0, 178.0, 150.0];

/// The colour of walkable ground at a height of a walk between two heights.
pub(super) fn ground_colour(height: f64, [low, high]: [f64; 2]) -> [f64; 3] {
    // A walk on the level has one colour.
    let part = ((height - low) / (high - low).max(0.5)).clamp(-0.3, 1.3);
    mixed(style::LOW, style::HIGH, (part * BANDS).round() / BANDS)
}

fn mixed(a: [f64; 3], b: [f64; 3], part: f64) -> [f64; 3] {
    std::array::from_fn(|i| a[i] + (b[i] - a[i]) * part)
}

/// What a column shows, seen from above and cut at its own height 0; surfaces come from the top down.
fn seen(scene: &Scene, surfaces: &[Support], cut: f64) -> Cell {
    let below = surfaces.partition_point(|surface| surface.height > 0.0);
    let over = surfaces[..below].last();
    // Under a surface that faces up one is in something solid. A sheet with two fronts has no inside.
    let sheet = |surface: &Support| {
        let body = scene.body(surface.target.body).ok();
        body.and_then(|body| body.instance()).is_some_and(|(mesh, _)| mesh.is_double_sided())
    };
    let buried = over.is_some_and(|surface| surface.facing == Facing::Up && !sheet(surface));
    if buried && below < surfaces.len() {
        return Cell::Solid { cut };
    }
    let mut ground = surfaces[below..].iter().filter(|surface| surface.facing == Facing::Up);
    // Open ground that lies over the cut everywhere, such as a hill: as it is.
    let hill = || over.filter(|surface| surface.facing == Facing::Up);
    match ground.next().or_else(hill) {
        Some(surface) => Cell::Ground {
            cut,
            height: surface.point.z,
            normal: surface.normal.as_dvec3(),
            walkable: surface.walkable,
        },
        None => Cell::Nothing,
    }
}
