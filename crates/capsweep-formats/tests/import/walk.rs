//! A character walks the route of the continent on an imported map that is mapped into memory.

use crate::world::Folder;
use capsweep::cache::TriangleCache;
use capsweep::controller::{
    Controller, ControllerConfig, Locomotion, LocomotionConfig, LocomotionInput, LocomotionState,
};
use capsweep::scene::Scene;
use capsweep_formats::Limits;
use capsweep_formats::map_file::{self, Map};
use capsweep_formats::server_map::import::ImportOptions;
use capsweep_testkit::continent::{Continent, ContinentOptions, Place, Survey, TileId, Waypoint};
use capsweep_testkit::server_files::{Core, HeightForm, write_world_as};
use glam::{DVec3, dvec3};
use std::collections::BTreeSet;

/// Seconds of a tick.
const TICK: f64 = 1.0 / 30.0;
/// Yards per second.
const SPEED: f64 = 7.0;

/// A character and how it walks.
pub(crate) struct Walker {
    controller: Controller,
    locomotion: Locomotion,
    pub(crate) state: LocomotionState,
    pub(crate) cache: TriangleCache,
}

impl Walker {
    pub(crate) fn new(config: ControllerConfig, feet: DVec3) -> Self {
        let controller = Controller::new(config).unwrap();
        let locomotion = Locomotion::new(controller, LocomotionConfig::human()).unwrap();
        let state = LocomotionState::at_rest(controller.spawn(feet).unwrap());
        Self { controller, locomotion, state, cache: TriangleCache::new() }
    }

    pub(crate) fn feet(&self) -> DVec3 {
        self.controller.feet(&self.state.character)
    }

    /// Walks with a velocity for a tick.
    pub(crate) fn tick(&mut self, scene: &Scene, walk: DVec3) {
        let input = LocomotionInput::new(walk, TICK);
        (self.state, _) =
            self.locomotion.tick(scene, &mut self.cache, &self.state, &input).unwrap();
    }

    /// Walks towards a point for a tick, and not beyond it. Gives the distance that was left.
    pub(crate) fn tick_towards(&mut self, scene: &Scene, target: DVec3) -> f64 {
        let gap = (target - self.feet()).with_z(0.0);
        let speed = (gap.length() / TICK).min(SPEED);
        self.tick(scene, gap.normalize_or_zero() * speed);
        gap.length()
    }
}

/// A person in yards, with a step offset of 0.4.
fn person() -> ControllerConfig {
    ControllerConfig { radius: 0.4, total_height: 2.0, ..ControllerConfig::human(DVec3::Z) }
}

/// Writes a continent, imports it and maps the file.
#[expect(unsafe_code, reason = "the test must map the file, as servers do")]
fn mapped(continent: &Continent, heights: HeightForm) -> (Folder, Map) {
    let folder = Folder::new();
    let mut layout = Core::Cmangos.layout();
    layout.map.heights = heights;
    write_world_as(folder.path(), &layout, continent, &mut |_| {}).unwrap();
    let (path, _) = folder.import(continent.map, &ImportOptions::default());
    // SAFETY: Only this test knows the file, and it does not write into it again.
    let map = unsafe { map_file::open_mapped(path, &Limits::default()) }.unwrap();
    (folder, map)
}

/// Height of the ground of the route between two waypoints: the highest surface that faces up and
/// is not more than a step above the straight line.
fn ground(survey: &Survey, feet: DVec3, [from, to]: [&Waypoint; 2]) -> f64 {
    let line = to.feet - from.feet;
    let part = (feet - from.feet).with_z(0.0).dot(line) / line.with_z(0.0).length_squared();
    let expected = from.feet.z + part.clamp(0.0, 1.0) * line.z;
    let surfaces = survey.surfaces(feet.truncate());
    let mut floors = surfaces.iter().filter(|surface| surface.normal.z > 0.3);
    let found = floors.find(|surface| surface.height < expected + 0.6);
    found.expect("there is ground below the whole route").height
}

/// Walks the whole route. Checks each tick against the ground of the source.
fn walk(continent: &Continent, map: &Map, config: ControllerConfig) {
    let survey = Survey::new(continent, &continent.tiles);
    let waypoints = &continent.route.waypoints;
    let mut walker = Walker::new(config, waypoints[0].feet);
    let (mut ticks, mut length) = (0, 0.0);
    let (mut tiles, mut places) = (BTreeSet::new(), Vec::new());
    for pair in waypoints.windows(2) {
        let [from, to] = [&pair[0], &pair[1]];
        // Waypoints are at most 2 yards apart: 9 ticks on level ground, and one that comes to
        // rest.
        let mut left = 20;
        loop {
            let before = walker.feet();
            if walker.tick_towards(map.scene(), to.feet) < 1e-3 {
                break;
            }
            let feet = walker.feet();
            assert!(left > 0, "stuck at {feet} on the way to {to:?}");
            left -= 1;
            ticks += 1;
            length += before.distance(feet);
            let ground = ground(&survey, feet, [from, to]);
            assert!(feet.z > ground - 0.05, "{feet} is below the ground at {ground}");
            assert!(feet.z < ground + 1.0, "{feet} is far above the ground at {ground}");
        }
        let off = (walker.feet().z - to.feet.z).abs();
        assert!(off < 0.2, "{} beside {to:?}", walker.feet());
        tiles.insert(TileId::containing(to.feet));
        if places.last() != Some(&to.place) {
            places.push(to.place);
        }
    }
    // 2 km are 2187 yards.
    assert!(length > 2_187.0, "{length} yards in {ticks} ticks");
    assert_eq!(tiles.len(), 4, "over the borders of four tiles");
    for place in [Place::House, Place::Cave, Place::Bridge] {
        assert!(places.contains(&place), "{place:?}");
    }
    assert_eq!(map.file().damage(), []);
}

fn continent() -> Continent {
    Continent::new(&ContinentOptions { placements: 300, ..ContinentOptions::SMALL })
}

#[test]
fn a_character_walks_two_kilometres_on_a_mapped_map_without_falling_or_stopping() {
    let continent = continent();
    let (_folder, map) = mapped(&continent, HeightForm::Float);
    walk(&continent, &map, person());
}

#[test]
fn a_character_walks_two_kilometres_over_u16_heights() {
    let continent = continent();
    let (_folder, map) = mapped(&continent, HeightForm::U16);
    walk(&continent, &map, ControllerConfig::wow());
}

/// The first kilometre: the house, the border of two tiles, and the cave.
#[test]
fn a_cache_changes_no_bit_of_a_walk_over_a_map() {
    let continent = continent();
    let (_folder, map) = mapped(&continent, HeightForm::Float);
    let waypoints = &continent.route.waypoints;
    let count = waypoints.iter().rposition(|waypoint| waypoint.place == Place::Cave).unwrap();
    let mut cached = Walker::new(person(), waypoints[0].feet);
    let mut uncached = Walker::new(person(), waypoints[0].feet);
    uncached.cache = TriangleCache::off();
    for waypoint in &waypoints[1..count + 10] {
        while cached.tick_towards(map.scene(), waypoint.feet) > 1e-3 {
            uncached.tick_towards(map.scene(), waypoint.feet);
            assert_eq!(cached.state, uncached.state);
        }
        uncached.tick_towards(map.scene(), waypoint.feet);
    }
    assert!(cached.cache.stats().hits > 1_000);
}

/// The scene of a map takes more bodies: a door across the way stops the character.
#[test]
fn a_door_of_the_map_is_placed_at_run_time_and_bars_the_way() {
    use capsweep::scene::{Body, Mobility, Pose};
    let continent = continent();
    let (_folder, map) = mapped(&continent, HeightForm::Float);
    let waypoints = &continent.route.waypoints;
    let inside = waypoints.iter().position(|waypoint| waypoint.place == Place::House).unwrap();
    let [before, after] = [waypoints[inside - 4].feet, waypoints[inside + 4].feet];
    let across = (after - before).with_z(0.0).normalize();
    let across_of = |scene: &Scene| {
        let mut walker = Walker::new(person(), before);
        for _ in 0..150 {
            walker.tick_towards(scene, after);
        }
        (walker.feet() - before).dot(across)
    };
    let wanted = (after - before).dot(across);
    assert!((across_of(map.scene()) - wanted).abs() < 1e-2, "the way is free");
    let door = map.game_object(411).expect("a door");
    // The leaf lies along y of its model, from 0 to 2.4: turn it across the way.
    let turn = glam::DQuat::from_rotation_arc(DVec3::X, across);
    let hinge = waypoints[inside].feet - turn * dvec3(0.0, 1.2, 0.0);
    let body = Body::mesh(door, Pose::new(hinge, turn, DVec3::ONE).unwrap()).unwrap();
    let mut scene = map.scene().clone();
    scene.insert(body.with_mobility(Mobility::Dynamic));
    let barred = across_of(&scene);
    assert!(barred < wanted - 2.0, "{barred} of {wanted}");
}
