//! Start positions on open walkable ground, found by vertical probes on a grid.

use crate::output::{length, position};
use anyhow::{Context, Result};
use capsweep::controller::{CharacterState, Controller, Surroundings};
use capsweep::persist::MapUnit;
use capsweep::query::{Column, Support};
use capsweep::scene::{Filter, Scene};
use capsweep::{Aabb, Capsule, Motion};
use glam::{DVec2, DVec3, dvec3};
use std::f64::consts::TAU;

/// Probes along each side of the level.
const GRID: u32 = 40;

/// Distances around a start, in radii of the character, at which the ground is checked. Starts
/// with the most clear distances win.
const CLEARANCES: [f64; 5] = [1.0, 2.0, 3.0, 4.0, 5.0];
/// Directions in which the ground is probed. At four radii, neighbours are two radii apart.
const DIRECTIONS: u32 = 12;
/// Ground is gentle if its height differs by less than this fraction of its distance.
const GENTLE_SLOPE: f64 = 0.3;
/// Height of the spawn over the ground, in metres: on a slope the round bottom needs some room.
const LIFT: f64 = 0.1;

/// Characters at free positions on the most open ground of a level, in grid order.
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
            // Centres of the cells: the edges of levels often lie on round numbers.
            let fraction =
                dvec3(f64::from(column) + 0.5, f64::from(row) + 0.5, 0.0) / f64::from(GRID);
            let foot = low + size * fraction;
            let line = Column::new(foot, DVec3::Z, size.z + 1.0, 1.0)?;
            scene.supports(&line, slope, &Filter::default(), &mut surfaces);
            for surface in surfaces.iter().filter(|surface| surface.walkable) {
                let state = controller.spawn(surface.point + DVec3::Z * LIFT)?;
                if let Some(free) =
                    controller.find_free_position(scene, &state, 0.0, &Surroundings::default())?
                {
                    starts.push((clearance(scene, controller, &free)?, free));
                }
            }
        }
    }
    let best = starts.iter().map(|(clearance, _)| *clearance).max();
    let is_best = |(clearance, _): &(_, _)| Some(*clearance) == best;
    Ok(starts.into_iter().filter(is_best).map(|(_, start)| start).collect())
}

/// Ground is looked for this far over and under a start that the user gives, in units of the
/// level.
const ABOVE: f64 = 2.0;
const BELOW: f64 = 100.0;

/// A character on the walkable ground nearest to a position, over or under it.
pub(crate) fn start_at(
    scene: &Scene,
    controller: &Controller,
    at: DVec3,
    unit: MapUnit,
) -> Result<CharacterState> {
    let config = controller.config();
    let column = Column::new(at, DVec3::Z, ABOVE, BELOW)?;
    let mut surfaces = Vec::new();
    scene.supports(&column, config.slope_limit, &Filter::default(), &mut surfaces);
    surfaces.retain(|surface| surface.walkable);
    surfaces.sort_by(|a, b| a.height.abs().total_cmp(&b.height.abs()));
    // On a steep slope the nearest free position is beside the ground's point.
    let within = f64::from(config.radius);
    for surface in &surfaces {
        let state = controller.spawn(surface.point + DVec3::Z * LIFT)?;
        let free =
            controller.find_free_position(scene, &state, within, &Surroundings::default())?;
        if let Some(free) = free {
            return Ok(free);
        }
    }
    None.with_context(|| {
        let [above, below] = [ABOVE, BELOW].map(|reach| length(reach, unit));
        format!(
            "--start {}: no walkable ground with room for the character, from {above} over it to \
             {below} under it",
            position(at, unit)
        )
    })
}

/// The number of [`CLEARANCES`] that are clear of rims and walls around a character, and whether
/// the ground there is gentle.
fn clearance(
    scene: &Scene,
    controller: &Controller,
    state: &CharacterState,
) -> Result<(usize, bool)> {
    let radius = f64::from(controller.config().radius);
    let mut gentle = true;
    for (clear, radii) in CLEARANCES.into_iter().enumerate() {
        let Some(rise) = ground_rise(scene, controller, state, radii * radius)? else {
            return Ok((clear, gentle));
        };
        gentle &= rise < GENTLE_SLOPE * radii * radius;
    }
    Ok((CLEARANCES.len(), gentle))
}

/// The largest height difference of the ground around a character at the distance `reach`. `None`
/// if that ground is not walkable everywhere, or if an obstacle is in between.
fn ground_rise(
    scene: &Scene,
    controller: &Controller,
    state: &CharacterState,
    reach: f64,
) -> Result<Option<f64>> {
    let config = controller.config();
    let (feet, step) = (controller.feet(state), f64::from(config.step_offset));
    // Obstacles up to a step are climbed, so the capsule starts above them.
    let tall = (config.total_height - config.step_offset).max(2.0 * config.radius);
    let capsule = Capsule::from_feet(feet + DVec3::Z * step, DVec3::Z, config.radius, tall)?;
    let (mut surfaces, mut largest) = (Vec::new(), 0.0f64);
    for turn in 0..DIRECTIONS {
        let angle = TAU * f64::from(turn) / f64::from(DIRECTIONS);
        let offset = (DVec2::from_angle(angle) * reach).extend(0.0);
        // Finds ground that rises or falls by up to 45° and one step.
        let range = reach + step;
        let line = Column::new(feet + offset, DVec3::Z, range, range)?;
        scene.supports(&line, config.slope_limit, &Filter::default(), &mut surfaces);
        let nearer = |a: &&Support, b: &&Support| a.height.abs().total_cmp(&b.height.abs());
        let walkable = surfaces.iter().filter(|surface| surface.walkable);
        let Some(ground) = walkable.min_by(nearer) else { return Ok(None) };
        // The feet themselves are this far over the ground.
        let up = ground.height + LIFT;
        let motion = Motion::new(offset + DVec3::Z * up)?;
        if scene.sweep(&capsule, &motion, &Filter::default()).is_some() {
            return Ok(None);
        }
        largest = largest.max(up.abs());
    }
    Ok(Some(largest))
}
