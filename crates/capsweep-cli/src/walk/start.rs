//! Places to start from: open walkable ground, found by sounding the level on a grid.

use anyhow::Result;
use capsweep::controller::{CharacterState, Controller, Surroundings};
use capsweep::query::{Column, Support};
use capsweep::scene::{Filter, Scene};
use capsweep::{Aabb, Capsule, Motion};
use glam::{DVec2, DVec3, dvec3};
use std::f64::consts::TAU;

/// Soundings along each side of the level.
const GRID: u32 = 40;

/// Radii of open ground around a start: as many as a level has, up to the last.
const CLEARANCES: [f64; 5] = [1.0, 2.0, 3.0, 4.0, 5.0];
/// Directions in which the ground is sounded. At four radii they are two radii apart.
const DIRECTIONS: u32 = 12;
/// Ground that rises by less than this part of the way to it is gentle.
const GENTLE: f64 = 0.3;
/// Metres over the ground: on a slope the round bottom needs some room.
const LIFT: f64 = 0.1;

/// Characters that stand free on the most open ground of a level, in the order of the grid.
pub(crate) fn starts(
    scene: &Scene,
    bounds: &Aabb,
    controller: &Controller,
) -> Result<Vec<CharacterState>> {
    let (low, size) = (bounds.min(), bounds.size());
    let (mut surfaces, mut starts) = (Vec::new(), Vec::new());
    let slope = controller.config().slope_limit;
    for row in 0..GRID {
        for column in 0..GRID {
            // The middles of the cells: the edges of levels often lie on round numbers.
            let part = dvec3(f64::from(column) + 0.5, f64::from(row) + 0.5, 0.0) / f64::from(GRID);
            let foot = low + size * part;
            let line = Column::new(foot, DVec3::Z, size.z + 1.0, 1.0)?;
            scene.supports(&line, slope, &Filter::default(), &mut surfaces);
            for surface in surfaces.iter().filter(|surface| surface.walkable) {
                let state = controller.spawn(surface.point + DVec3::Z * LIFT)?;
                if let Some(free) =
                    controller.free_spot(scene, &state, 0.0, &Surroundings::default())?
                {
                    starts.push((clearance(scene, controller, &free)?, free));
                }
            }
        }
    }
    let most = starts.iter().map(|(open, _)| *open).max();
    Ok(starts.into_iter().filter(|(open, _)| Some(*open) == most).map(|(_, start)| start).collect())
}

/// How many of [`CLEARANCES`] are open around a character, none on a rim or against a wall, and whether the ground there is gentle.
fn clearance(
    scene: &Scene,
    controller: &Controller,
    state: &CharacterState,
) -> Result<(usize, bool)> {
    let radius = f64::from(controller.config().radius);
    let mut gentle = true;
    for (open, radii) in CLEARANCES.into_iter().enumerate() {
        let Some(rise) = rise(scene, controller, state, radii * radius)? else {
            return Ok((open, gentle));
        };
        gentle &= rise < GENTLE * radii * radius;
    }
    Ok((CLEARANCES.len(), gentle))
}

/// By how much the ground all around at `reach` is higher or lower, at most. `None` if it is not walkable, or if something is in
/// the way to it.
fn rise(
    scene: &Scene,
    controller: &Controller,
    state: &CharacterState,
    reach: f64,
) -> Result<Option<f64>> {
    let config = controller.config();
    let (feet, step) = (controller.feet(state), f64::from(config.step_offset));
    // What a step climbs is no obstacle: only what is higher is in the way.
    let tall = (config.total_height - config.step_offset).max(2.0 * config.radius);
    let capsule = Capsule::from_feet(feet + DVec3::Z * step, DVec3::Z, config.radius, tall)?;
    let (mut surfaces, mut most) = (Vec::new(), 0.0f64);
    for turn in 0..DIRECTIONS {
        let angle = TAU * f64::from(turn) / f64::from(DIRECTIONS);
        let way = (DVec2::from_angle(angle) * reach).extend(0.0);
        // Ground that rises or falls by 45° and a step is found.
        let room = reach + step;
        let line = Column::new(feet + way, DVec3::Z, room, room)?;
        scene.supports(&line, config.slope_limit, &Filter::default(), &mut surfaces);
        let nearer = |a: &&Support, b: &&Support| a.height.abs().total_cmp(&b.height.abs());
        let walkable = surfaces.iter().filter(|surface| surface.walkable);
        let Some(ground) = walkable.min_by(nearer) else { return Ok(None) };
        // The feet are over the ground too.
        let up = ground.height + LIFT;
        let motion = Motion::new(way + DVec3::Z * up)?;
        if scene.sweep(&capsule, &motion, &Filter::default()).is_some() {
            return Ok(None);
        }
        most = most.max(up.abs());
    }
    Ok(Some(most))
}
