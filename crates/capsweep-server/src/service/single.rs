//! Queries, moves and ticks on a scene.

use super::batch::Found;
use capsweep::cache::TriangleCache;
use capsweep::controller::{Controller, Locomotion};
use capsweep::query::Support;
use capsweep::query::batch::{ClosestQuery, OverlapQuery, RayQuery, SweepQuery};
use capsweep::scene::{Scene, SceneHit};
use capsweep::{ClosestPoints, Overlap, RayHit, SweepHit};
use capsweep_proto::{FieldError, MoveQuery, Moved, SupportsQuery, TickQuery, Ticked};

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
    scene.supports(&query.column, query.slope_limit, &query.filter, &mut found);
    found
}

pub(super) fn make_move(
    controller: &Controller,
    scene: &Scene,
    cache: &mut TriangleCache,
    query: &MoveQuery,
) -> Moved {
    let outcome = controller.move_by(scene, cache, &query.state, &query.input);
    let feet = controller.feet(&outcome.state);
    Moved { outcome, feet }
}

pub(super) fn tick(
    locomotion: &Locomotion,
    scene: &Scene,
    cache: &mut TriangleCache,
    query: &TickQuery,
) -> Result<Ticked, FieldError> {
    let ticked = locomotion.tick(scene, cache, &query.state, &query.input);
    let (state, outcome) = ticked.map_err(FieldError::top)?;
    let feet = locomotion.controller().feet(&state.character);
    Ok(Ticked { state, outcome, feet })
}

/// A move without a cache: filling one does not pay for a single move.
pub(super) fn lone_move(controller: &Controller, scene: &Scene, query: &MoveQuery) -> Moved {
    make_move(controller, scene, &mut TriangleCache::off(), query)
}

/// A tick without a cache.
pub(super) fn lone_tick(
    locomotion: &Locomotion,
    scene: &Scene,
    query: &TickQuery,
) -> Found<Ticked> {
    tick(locomotion, scene, &mut TriangleCache::off(), query).map(Some)
}
