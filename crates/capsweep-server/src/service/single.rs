//! Queries, moves and ticks on a scene.

use super::batch::Found;
use capsweep::cache::TriangleCache;
use capsweep::controller::{CharacterState, Controller, Locomotion};
use capsweep::query::Support;
use capsweep::query::batch::{ClosestQuery, OverlapQuery, RayQuery, SweepQuery};
use capsweep::scene::{Scene, SceneHit};
use capsweep::{ClosestPoints, Overlap, RayHit, SweepHit};
use capsweep_proto::{FieldError, MoveQuery, Moved, Omit, SupportsQuery, TickQuery, Ticked};
use glam::DVec3;

pub(super) fn sweep(scene: &Scene, query: &SweepQuery) -> Option<SceneHit<SweepHit>> {
    scene.sweep(&query.capsule, &query.motion, &query.filter)
}

pub(super) fn overlap(scene: &Scene, query: &OverlapQuery) -> Option<SceneHit<Overlap>> {
    scene.overlap(&query.capsule, &query.filter)
}

pub(super) fn closest(scene: &Scene, query: &ClosestQuery) -> Option<SceneHit<ClosestPoints>> {
    scene.closest(&query.capsule, query.limit, &query.filter)
}

pub(super) fn ray(scene: &Scene, query: &RayQuery) -> Option<SceneHit<RayHit>> {
    scene.ray(&query.ray, &query.filter)
}

pub(super) fn supports(scene: &Scene, query: &SupportsQuery) -> Vec<Support> {
    let mut found = Vec::new();
    supports_into(scene, query, &mut found);
    found
}

pub(super) fn supports_into(scene: &Scene, query: &SupportsQuery, found: &mut Vec<Support>) {
    scene.supports(&query.column, query.slope_limit, &query.filter, found);
}

/// The feet of a character, unless the answer leaves them out.
fn feet(controller: &Controller, state: &CharacterState, omit: Omit) -> DVec3 {
    if omit.keeps(Omit::FEET) { controller.feet(state) } else { DVec3::ZERO }
}

/// Makes a move. It writes the outcome into a buffer that is reused from move to move.
pub(super) fn make_move(
    controller: &Controller,
    scene: &Scene,
    cache: &mut TriangleCache,
    (query, omit): (&MoveQuery, Omit),
    place: &mut Option<Moved>,
) {
    let MoveQuery { state, input } = query;
    if let Some(moved) = place {
        controller.move_into(scene, cache, state, input, &mut moved.outcome);
        moved.feet = feet(controller, &moved.outcome.state, omit);
    } else {
        let outcome = controller.move_by(scene, cache, state, input);
        let feet = feet(controller, &outcome.state, omit);
        *place = Some(Moved { outcome, feet });
    }
}

/// Makes a tick, as [`make_move`] makes a move.
pub(super) fn tick(
    locomotion: &Locomotion,
    scene: &Scene,
    cache: &mut TriangleCache,
    (query, omit): (&TickQuery, Omit),
    place: &mut Option<Ticked>,
) -> Result<(), FieldError> {
    let TickQuery { state, input } = query;
    let controller = locomotion.controller();
    if let Some(ticked) = place {
        let next = locomotion.tick_into(scene, cache, state, input, &mut ticked.outcome);
        ticked.state = next.map_err(FieldError::top)?;
        ticked.feet = feet(controller, &ticked.state.character, omit);
    } else {
        let ticked = locomotion.tick(scene, cache, state, input);
        let (state, outcome) = ticked.map_err(FieldError::top)?;
        let feet = feet(controller, &state.character, omit);
        *place = Some(Ticked { state, outcome, feet });
    }
    Ok(())
}

/// A move of one call, without a cache: to fill one costs more than a single move saves.
pub(super) fn lone_move(
    controller: &Controller,
    scene: &Scene,
    query: &MoveQuery,
) -> Option<Moved> {
    let mut place = None;
    make_move(controller, scene, &mut TriangleCache::off(), (query, Omit::NONE), &mut place);
    place
}

/// A tick of one call.
pub(super) fn lone_tick(
    locomotion: &Locomotion,
    scene: &Scene,
    query: &TickQuery,
) -> Found<Ticked> {
    let mut place = None;
    tick(locomotion, scene, &mut TriangleCache::off(), (query, Omit::NONE), &mut place)?;
    Ok(place)
}
