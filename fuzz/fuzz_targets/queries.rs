//! Every kind of query, at a place where the base world has something, and at a body of the
//! scene, wherever that is.

use capsweep::cache::{HintSlot, TriangleCache};
use capsweep::controller::{Controller, ControllerConfig, MoveInput};
use capsweep::query::Column;
use capsweep::scene::{Filter, Scene};
use capsweep::{Aabb, Capsule, Limit, Motion, Point, Ray, Sides, SlopeLimit};
use glam::DVec3;

/// In the cellar, in the lake, in the basin of the tilted house, on a field and at a ball.
pub const PLACES: [DVec3; 5] = [
    DVec3::new(2.0, 2.5, 0.7),
    DVec3::new(0.5, 5.0, 1.0),
    DVec3::new(11.46, 9.12, 1.0),
    DVec3::new(1.2, 8.3, 2.0),
    DVec3::new(9.0, 3.0, 1.0),
];

/// How many of the places are in a liquid of the base world, from the first on.
pub const WET: usize = 3;

/// Runs the queries, and checks what answers promise. `choice` chooses place and body: one of each
/// is enough, because the fuzzer tries all choices.
pub fn run(scene: &Scene, choice: usize) {
    // The list of bodies reads all of a map: queries must come first, to read it on demand.
    at(scene, PLACES[choice % PLACES.len()], choice);
    let bodies: Vec<Aabb> = scene.bodies().filter_map(|(_, body)| body.bounds()).collect();
    if let Some(bounds) = bodies.get(choice % bodies.len().max(1)) {
        at(scene, bounds.min() * 0.5 + bounds.max() * 0.5, choice);
    }
}

fn at(scene: &Scene, place: DVec3, choice: usize) {
    let sides = if choice.is_multiple_of(2) { Sides::Front } else { Sides::Both };
    let filter = Filter { sides, ..Filter::default() };
    let mut cache = TriangleCache::new();
    // A place at the end of the world has no room for a capsule.
    let Ok(capsule) = Capsule::from_feet(place, DVec3::Z, 0.4, 1.8) else { return };
    liquids(scene, place);
    in_motion(scene, &mut cache, &capsule, &filter);
    at_rest(scene, &mut cache, &capsule, &filter);
    walk(scene, &mut cache, place);
}

fn at_rest(scene: &Scene, cache: &mut TriangleCache, capsule: &Capsule, filter: &Filter) {
    let overlap = scene.overlap(capsule, filter);
    assert_eq!(overlap.is_some(), scene.overlaps(capsule, filter));
    assert_eq!(cache.overlap(scene, capsule, filter), overlap);
    let limit = Limit::new(50.0).expect("a limit");
    let closest = scene.closest(capsule, limit, filter);
    assert!(closest.as_ref().is_none_or(|found| found.hit.distance <= 50.0));
    assert_eq!(cache.closest(scene, capsule, limit, filter), closest);
    assert!(scene.depenetrate(capsule, filter).push.is_finite());
    if let Ok(column) = Column::new(capsule.center(), DVec3::Z, 10.0, 10.0) {
        scene.supports(&column, SlopeLimit::DEGREES_50, filter, &mut Vec::new());
    }
}

fn in_motion(scene: &Scene, cache: &mut TriangleCache, capsule: &Capsule, filter: &Filter) {
    for motion in [DVec3::NEG_Z * 9.0, DVec3::new(3.0, 1.0, -1.0), DVec3::ZERO] {
        let motion = Motion::new(motion).expect("a motion");
        let first = scene.sweep(capsule, &motion, filter);
        assert!(first.as_ref().is_none_or(|found| (0.0..=1.0).contains(&found.hit.time)));
        assert_eq!(cache.sweep(scene, capsule, &motion, filter, HintSlot::Down), first);
        let mut all = Vec::new();
        scene.sweep_all(capsule, &motion, filter, &mut all);
        assert_eq!(all.is_empty(), first.is_none());
        if let Ok(ray) = Ray::new(capsule.center(), motion) {
            assert_eq!(cache.ray(scene, &ray, filter), scene.ray(&ray, filter));
        }
    }
}

fn liquids(scene: &Scene, place: DVec3) {
    let Ok(point) = Point::new(place) else { return };
    let mut over = Vec::new();
    scene.liquids_over(&point, &mut over);
    // The list runs from top to bottom, and of equal surfaces the smaller number comes first.
    let surface = over.iter().rfind(|liquid| liquid.depth >= 0.0).map(|liquid| liquid.surface);
    assert_eq!(scene.liquid_at(&point).map(|liquid| liquid.surface), surface);
}

fn walk(scene: &Scene, cache: &mut TriangleCache, feet: DVec3) {
    let controller = Controller::new(ControllerConfig::human(DVec3::Z)).expect("a preset");
    let Ok(state) = controller.spawn(feet) else { return };
    let way = Motion::new(DVec3::new(0.4, 0.1, -0.3)).expect("a motion");
    let moved = controller.move_by(scene, cache, &state, &MoveInput::new(way));
    assert!(moved.state.center().is_finite());
}
