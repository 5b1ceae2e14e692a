//! Places to start from: walkable ground with room to stand, found by sounding the level on a grid.

use anyhow::Result;
use capsweep::Aabb;
use capsweep::controller::{CharacterState, Controller, Surroundings};
use capsweep::scene::{Column, Filter, Scene, SlopeLimit};
use glam::{DVec3, dvec3};

/// Soundings along each side of the level.
const GRID: u32 = 40;

/// Characters that stand free, in the order of the grid.
pub(crate) fn starts(
    scene: &Scene,
    bounds: &Aabb,
    controller: &Controller,
) -> Result<Vec<CharacterState>> {
    let (low, size) = (bounds.min(), bounds.size());
    let (mut surfaces, mut starts) = (Vec::new(), Vec::new());
    let slope = SlopeLimit::from_cos(controller.config().slope_limit_cos)?;
    for row in 0..GRID {
        for column in 0..GRID {
            // The middles of the cells: the edges of levels often lie on round numbers.
            let part = dvec3(f64::from(column) + 0.5, f64::from(row) + 0.5, 0.0) / f64::from(GRID);
            let foot = low + size * part;
            let line = Column::new(foot, DVec3::Z, size.z + 1.0, 1.0)?;
            scene.supports(&line, slope, &Filter::default(), &mut surfaces);
            for surface in surfaces.iter().filter(|surface| surface.walkable) {
                let state = controller.spawn(surface.point + DVec3::Z * LIFT)?;
                let free = controller.free_spot(scene, &state, 0.0, &Surroundings::default())?;
                starts.extend(free);
            }
        }
    }
    Ok(starts)
}

/// Metres over the ground: on a slope the round bottom needs some room.
const LIFT: f64 = 0.1;
