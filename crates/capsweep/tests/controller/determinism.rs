//! Determinism: the same input gives the same bits, in any order and on any number of threads.

use super::level::{Level, Walk, human, input, physx};
use capsweep::cache::TriangleCache;
use capsweep::controller::{
    Change, CharacterState, Controller, ControllerConfig, Difference, Locomotion,
    LocomotionConfig, LocomotionInput, LocomotionState, MoveInput, MoveJob, MoveOutcome,
    TraceMove, differences,
};
use capsweep::scene::{Body, MeshOptions, Pose, Scene, TriMesh};
use capsweep_testkit::{Rng, level};
use glam::{DVec3, dvec3, vec3};
use std::sync::Arc;

fn dungeon() -> Scene {
    let (vertices, indices) = level::dungeon();
    let mut scene = Scene::new();
    let mesh = TriMesh::new(&vertices, &indices, MeshOptions::default()).unwrap();
    scene.insert(Body::mesh(Arc::new(mesh), Pose::IDENTITY).expect("in range"));
    scene
}

/// FNV-1a over the bits of a move's position, collision flags and contacts.
fn hash(seen: u64, outcome: &MoveOutcome) -> u64 {
    let touching = outcome.touching;
    let mut words = vec![
        u64::from(touching.sides)
            | u64::from(touching.above) << 1
            | u64::from(touching.below) << 2,
        u64::from(outcome.is_grounded()),
    ];
    words.extend(outcome.state.center().to_array().map(f64::to_bits));
    for contact in &outcome.contacts {
        words.extend(contact.point.to_array().map(f64::to_bits));
        words.extend(contact.normal.to_array().map(|x| u64::from(x.to_bits())));
    }
    words
        .into_iter()
        .flat_map(u64::to_le_bytes)
        .fold(seen, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3))
}

/// Stairs, a ramp, a wall, a corner, a low ceiling and a jump.
fn scripted_walk() -> u64 {
    let scene = Level::floor()
        .stairs(3.0, 6, 0.18, 0.28)
        .ramp(-20.0, 6.0, 3.0)
        .cuboid(vec3(12.0, -3.0, -1.0), vec3(13.0, 3.0, 6.0))
        .cuboid(vec3(-4.0, 6.0, 1.9), vec3(4.0, 9.0, 3.0))
        .scene();
    let mut seen = 0xCBF2_9CE4_8422_2325;
    for config in [human(), physx(), ControllerConfig::wow()] {
        let controller = Controller::new(config).unwrap();
        let locomotion = Locomotion::new(controller, LocomotionConfig::human()).unwrap();
        let mut cache = TriangleCache::new();
        let mut state = LocomotionState::at_rest(controller.spawn(dvec3(0.1, 0.2, 0.3)).unwrap());
        let script = [
            (dvec3(3.0, 0.25, 0.0), 150),
            (dvec3(2.0, 2.5, 0.0), 90),
            (dvec3(-4.0, 1.0, 0.0), 120),
            (dvec3(-3.0, -3.0, 0.0), 200),
            (dvec3(0.5, 3.0, 0.0), 200),
        ];
        for (walk, ticks) in script {
            for tick in 0..ticks {
                let jump = tick % 70 == 30;
                let wish = LocomotionInput { jump, ..LocomotionInput::new(walk, 1.0 / 60.0) };
                let (next, outcome) = locomotion.tick(&scene, &mut cache, &state, &wish).unwrap();
                state = next;
                seen = hash(seen, &outcome);
            }
        }
    }
    seen
}

/// Holds in debug and in release: `cargo test --release -p capsweep --test controller golden`. A
/// new hash means that characters move differently, which belongs in the changelog.
#[test]
fn the_golden_hash_of_a_scripted_walk() {
    assert_eq!(format!("{:016x}", scripted_walk()), "9785992b64672f99");
}

#[test]
fn a_batch_of_moves_has_the_bits_of_one_by_one() {
    let scene = dungeon();
    let controller = Controller::new(human()).unwrap();
    let mut rng = Rng::new(&[5]);
    let states: Vec<CharacterState> = (0..300)
        .map(|_| {
            controller
                .spawn(rng.cube(1.0) * dvec3(25.0, 25.0, 1.0) + dvec3(28.0, 28.0, 1.5))
                .unwrap()
        })
        .collect();
    let wish = |rng: &mut Rng| input(dvec3(rng.range(-0.1, 0.1), rng.range(-0.1, 0.1), -0.05));
    let mut jobs: Vec<MoveJob> =
        states.iter().map(|state| MoveJob::new(*state, wish(&mut rng))).collect();
    let mut alone: Vec<MoveOutcome> = jobs
        .iter()
        .map(|job| controller.move_by(&scene, &mut TriangleCache::off(), &job.state, &job.input))
        .collect();
    controller.move_all(&scene, &mut jobs);
    for _ in 0..20 {
        for (job, alone) in jobs.iter().zip(&alone) {
            assert_eq!(differences(alone, &job.outcome), []);
        }
        for (job, alone) in jobs.iter_mut().zip(&mut alone) {
            let next = wish(&mut rng);
            *alone = controller.move_by(&scene, &mut TriangleCache::off(), &alone.state, &next);
            job.then(next);
        }
        controller.move_all(&scene, &mut jobs);
    }
}

#[test]
fn a_used_outcome_has_the_bits_of_a_new_one() {
    let scene = Level::floor().stairs(1.0, 3, 0.2, 0.3).scene();
    let mut walk = Walk::start(&scene, human(), DVec3::ZERO);
    let mut used = walk.last.clone();
    let mut cache = TriangleCache::new();
    for _ in 0..60 {
        let step = input(dvec3(0.05, 0.01, -0.03));
        walk.controller.move_into(&scene, &mut cache, &walk.state, &step, &mut used);
        let before = walk.state;
        walk.move_with(&step);
        assert_eq!(differences(&walk.last, &used), []);
        assert_eq!(move_twice(&walk, &before, &step), []);
    }
}

/// Differences between two moves from the same state.
fn move_twice(walk: &Walk, state: &CharacterState, step: &MoveInput) -> Vec<Difference> {
    let [one, other] = [0; 2]
        .map(|_| walk.controller.move_by(&walk.scene, &mut TriangleCache::new(), state, step));
    differences(&one, &other)
}

#[test]
fn the_order_of_insertion_changes_no_bit_of_a_walk() {
    let blocks = [
        Level::floor(),
        Level::default().cuboid(vec3(2.0, -3.0, -1.0), vec3(3.0, 0.5, 3.0)),
        Level::default().cuboid(vec3(2.5, -1.0, -1.0), vec3(4.0, 4.0, 0.3)),
        Level::default().cuboid(vec3(0.0, 2.0, -1.0), vec3(3.0, 3.0, 3.0)),
    ];
    let build = |order: [usize; 4]| {
        let mut scene = Scene::new();
        for i in order {
            scene.insert(
                Body::mesh(blocks[i].mesh(), Pose::IDENTITY).expect("in range").with_key(i as u64),
            );
        }
        scene
    };
    let walk = |scene: Scene| {
        let mut walk = Walk::start(&scene, human(), DVec3::ZERO);
        for heading in [dvec3(3.0, 0.4, 0.0), dvec3(1.0, 2.0, 0.0), dvec3(2.0, -1.0, 0.0)] {
            walk.walk(heading, 1.0, 60);
        }
        walk.state.center().to_array().map(f64::to_bits)
    };
    let first = walk(build([0, 1, 2, 3]));
    for order in [[3, 2, 1, 0], [1, 3, 0, 2]] {
        assert_eq!(walk(build(order)), first);
    }
}

#[test]
fn a_trace_replays_to_the_bit_and_reports_every_difference() {
    let scene = Level::floor().stairs(1.0, 3, 0.2, 0.3).scene();
    let controller = Controller::new(human()).unwrap();
    let mut state = controller.spawn(DVec3::ZERO).unwrap();
    let mut trace = Vec::new();
    let mut cache = TriangleCache::new();
    for _ in 0..60 {
        let step = TraceMove::record(
            &controller,
            &scene,
            &mut cache,
            &state,
            &input(dvec3(0.05, 0.01, -0.03)),
        );
        state = step.outcome.state;
        trace.push(step);
    }
    for step in &trace {
        assert_eq!(step.replay(&scene).unwrap(), []);
    }
    // In another scene the walk differs.
    let other = Level::floor().stairs(1.2, 3, 0.2, 0.3).scene();
    let first =
        trace.iter().find_map(|step| step.replay(&other).unwrap().into_iter().next()).unwrap();
    assert!(matches!(first, Difference::Center(_)), "{first}");
    assert!(first.to_string().starts_with("state.center: recorded DVec3("), "{first}");
    // One bit of one contact differs.
    let mut step = trace[40].clone();
    let point = &mut step.outcome.contacts[0].point;
    point.x = f64::from_bits(point.x.to_bits() ^ 1);
    let found = step.replay(&scene).unwrap();
    let parts: Vec<_> = found.iter().map(Difference::part).collect();
    assert_eq!(parts, ["contacts[0]"]);
    let contacts = [&step.outcome.contacts[0], &trace[40].outcome.contacts[0]];
    assert!(matches!(
        found[0],
        Difference::Contact { index: 0, change: Change { recorded: Some(recorded), replayed } }
            if [&recorded, replayed.as_ref().unwrap()] == contacts
    ));
    // Zeros with different signs differ by a bit.
    let mut step = trace[40].clone();
    step.outcome.recovery.left = -0.0;
    let found = step.replay(&scene).unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].part(), "recovery");
    step.config.radius = -1.0;
    assert!(step.replay(&scene).is_err());
}

#[cfg(feature = "serde")]
#[test]
fn a_trace_goes_through_lines_of_json_without_losing_a_bit() {
    let scene = Level::floor().stairs(1.0, 3, 0.2, 0.3).scene();
    let controller = Controller::new(human()).unwrap();
    let mut state = controller.spawn(DVec3::ZERO).unwrap();
    let mut lines = String::new();
    let mut cache = TriangleCache::new();
    for _ in 0..60 {
        let step = TraceMove::record(
            &controller,
            &scene,
            &mut cache,
            &state,
            &input(dvec3(0.05, 0.017, -0.03)),
        );
        state = step.outcome.state;
        lines += &serde_json::to_string(&step).unwrap();
        lines.push('\n');
    }
    assert_eq!(lines.lines().count(), 60);
    for line in lines.lines() {
        let step: TraceMove = serde_json::from_str(line).unwrap();
        assert_eq!(step.replay(&scene).unwrap(), []);
    }
    let bad = lines.lines().next().unwrap().replacen("\"radius\":0.3", "\"radius\":-0.3", 2);
    assert!(serde_json::from_str::<TraceMove>(&bad).unwrap_err().to_string().contains("radius"));
}
