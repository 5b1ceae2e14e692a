//! Random walks in every mode: never inside, never through, and the same bits without a cache and
//! from a recording.

use super::Rig;
use capsweep::controller::{
    Abilities, ControllerConfig, LocomotionConfig, LocomotionInput, Mode, Surroundings, Water,
};
use capsweep::scene::{Body, Filter, MeshOptions, Pose, Scene, TriMesh};
use capsweep::{Capsule, Limit, Motion, Ray};
use capsweep_testkit::Rng;
use capsweep_testkit::level::{self, Joints, Mesh};
use glam::{DVec3, dvec3};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::sync::Arc;

fn scenes() -> Vec<(Scene, DVec3, DVec3)> {
    let place = |(vertices, indices): Mesh| {
        // Swimmers and flyers get below open meshes, so both sides count.
        let options = MeshOptions { double_sided: true };
        let mesh = TriMesh::new(&vertices, &indices, options).unwrap();
        let mut scene = Scene::new();
        scene.insert(Body::mesh(Arc::new(mesh), Pose::IDENTITY).unwrap());
        let low = vertices.iter().fold(DVec3::INFINITY, |low, v| low.min(v.as_dvec3()));
        let high = vertices.iter().fold(DVec3::NEG_INFINITY, |high, v| high.max(v.as_dvec3()));
        (scene, low, high + DVec3::Z * 2.0)
    };
    vec![
        place(level::stairs()),
        place(level::dungeon()),
        place(level::city_block()),
        place(level::terrain(64)),
        place(level::tiled_floor(60, 0.7, 0.2, 0.25, Joints::TJunctions)),
    ]
}

/// An input that changes now and then, and the water of the whole walk.
struct Wishes {
    rng: Rng,
    input: LocomotionInput,
}

impl Wishes {
    fn next(&mut self) -> LocomotionInput {
        let rng = &mut self.rng;
        if rng.chance(0.03) {
            self.input.walk = rng.direction() * rng.range(0.5, 8.0);
        }
        if rng.chance(0.02) {
            self.input.abilities = Abilities {
                fly: rng.chance(0.3),
                hover: if rng.chance(0.2) { rng.range(0.0, 1.5) } else { 0.0 },
                water_walking: rng.chance(0.4),
                slow_fall: rng.chance(0.2),
                rooted: rng.chance(0.05),
            };
        }
        self.input.jump = rng.chance(0.02);
        self.input.knock_back = rng.chance(0.004).then(|| rng.direction() * rng.range(1.0, 15.0));
        self.input.dt = [1.0 / 60.0, 0.004, 0.05][rng.below(3) as usize];
        self.input
    }
}

fn body(rig: &Rig) -> Capsule {
    let character = &rig.state.character;
    let half = f64::from(character.total_height() * 0.5 - character.radius());
    Capsule::from_center(character.center(), DVec3::Z * half, character.radius()).unwrap()
}

/// Walks from a random free place. Returns the ticks in each mode; `None` without such a place.
fn walk(scene: &Scene, (low, high): (DVec3, DVec3), seed: u64, ticks: u32) -> Option<[u32; 5]> {
    let mut rng = Rng::new(&[78, seed]);
    let configs = [
        (ControllerConfig::wow(), LocomotionConfig::wow()),
        (ControllerConfig::human(DVec3::Z), LocomotionConfig::human()),
    ];
    let config = configs[(seed % 2) as usize];
    let mut start = None;
    for _ in 0..200 {
        let feet = low + (high - low) * dvec3(rng.unit(), rng.unit(), rng.unit());
        let rig = Rig::new(Scene::new(), config, feet);
        let free = rig.locomotion.controller().find_free_position(
            scene,
            &rig.state.character,
            0.0,
            &Surroundings::default(),
        );
        let below = Ray::new(rig.state.character.center(), Motion::new(DVec3::Z * -30.0).unwrap());
        if free.unwrap().is_some() && scene.ray(&below.unwrap(), &Filter::default()).is_some() {
            start = Some(feet);
            break;
        }
    }
    let mut rig = Rig::new(scene.clone(), config, start?);
    let first = rig.state;
    let surface = low.z + (high.z - low.z) * rng.unit();
    let input = LocomotionInput {
        water: Water::Plane { surface },
        ..LocomotionInput::new(DVec3::X, 1.0 / 60.0)
    };
    let mut wishes = Wishes { rng, input };
    let mut seen = [0; 5];
    for tick in 0..ticks {
        let before = rig.state.character.center();
        let input = wishes.next();
        rig.tick(&input);
        let after = rig.state.character.center();
        let what = || format!("seed {seed} tick {tick} at {after}: {input:?} {:#?}", rig.last);
        assert!(after.is_finite() && rig.state.velocity.is_finite(), "{}", what());
        let path = Ray::new(before, Motion::new(after - before).unwrap()).unwrap();
        let crossed = scene.ray(&path, &Filter::default());
        assert!(crossed.is_none(), "crossed {crossed:?}, {}", what());
        let near = scene.closest(&body(&rig), Limit::ZERO, &Filter::default());
        let depth = near.map_or(0.0, |hit| -hit.hit.distance);
        assert!(depth <= 2e-6 || rig.last.recovery.left > 0.0, "depth {depth}, {}", what());
        if rig.state.mode == Mode::Swim {
            let line = surface - 0.75 * f64::from(rig.state.character.total_height());
            assert!(rig.feet().z <= line + 0.06, "swims over the float line, {}", what());
        }
        seen[rig.state.mode as usize] += 1;
        if after.z < low.z - 20.0
            || !(low - 30.0).cmple(after).all()
            || !(high + 30.0).cmpge(after).all()
        {
            rig.state = first;
        }
    }
    Some(seen)
}

/// Runs `count` walks of `ticks` each. Returns the ticks in each mode of those that found a start.
fn run_walks(count: u64, ticks: u32) -> Vec<[u32; 5]> {
    let scenes = scenes();
    let seen = (0..count).into_par_iter().filter_map(|seed| {
        let (scene, low, high) = &scenes[(seed % 5) as usize];
        walk(scene, (*low, *high), seed, ticks)
    });
    seen.collect()
}

#[test]
fn random_walks_in_every_mode_cross_nothing_and_overlap_nothing() {
    let seen = run_walks(40, 800);
    assert!(seen.len() > 32, "{}", seen.len());
    for mode in 0..5 {
        let ticks: u32 = seen.iter().map(|seen| seen[mode]).sum();
        assert!(ticks > 500, "mode {mode}: {ticks}, {seen:?}");
    }
}

/// `cargo test --release -p capsweep --test controller -- --ignored in_every_mode`
#[test]
#[ignore = "minutes"]
fn a_thousand_random_walks_in_every_mode() {
    assert!(run_walks(1_000, 3_000).len() > 800);
}
