//! Every call answers with the library's bits, for one query and for a batch.

use crate::cases::{Cases, bits, controller, door_of, locomotion, scene_of, write_world};
use crate::process::{Folder, Server};
use capsweep::cache::TriangleCache;
use capsweep::controller::{Carrier, Mode, Ride, Speeds};
use capsweep::query::batch;
use capsweep::scene::{Body, Mobility, Pose, Scene, Shape};
use capsweep::validate::{Claim, ClaimTick, ClaimWorld, SpeedLimits, Validator, ValidatorConfig};
use capsweep::{Capsule, Motion};
use capsweep_client::proto::{
    Changes, ClaimPlace, ClaimSent, Moved, StartQuery, Ticked, decode_accepted, encode_accepted,
    v1,
};
use glam::{DVec3, dvec3};

const QUERIES: usize = 400;
/// Queries that are also asked one by one.
const SINGLES: usize = 60;

struct World {
    server: Server,
    scene: Scene,
    _folder: Folder,
}

fn world() -> World {
    let folder = Folder::new();
    let path = write_world(&folder, "world.capsweep", 0.0);
    let server = Server::start(&["--world", path.to_str().unwrap()]);
    World { server, scene: scene_of(&path), _folder: folder }
}

/// Compares a batch, and the first of its queries one by one.
macro_rules! compare {
    ($world:ident, $queries:ident, $single:ident, $batch:ident, $expected:ident) => {
        let calls = $world.server.client().world("world");
        let answer = calls.$batch(&$queries).await.unwrap();
        assert_eq!(answer.value.len(), $queries.len());
        for (found, expected) in answer.value.iter().zip(&$expected) {
            assert_eq!(bits(found.as_ref().unwrap()), bits(expected));
        }
        for (query, expected) in $queries.iter().zip(&$expected).take(SINGLES) {
            let found = calls.$single(query).await.unwrap();
            assert_eq!(bits(&found.value), bits(expected));
            assert_eq!(found.revision, answer.revision);
        }
    };
}

#[tokio::test]
async fn queries_have_the_bits_of_the_library() {
    let world = world();
    let scene = &world.scene;
    let mut cases = Cases::new(scene, 1);
    let queries: Vec<_> = (0..QUERIES).map(|_| cases.sweep()).collect();
    let mut expected = Vec::new();
    batch::sweep(scene, &queries, &mut expected);
    assert!(expected.iter().flatten().count() > QUERIES / 4);
    compare!(world, queries, sweep, sweep_batch, expected);

    let queries: Vec<_> = (0..QUERIES).map(|_| cases.overlap()).collect();
    batch::overlap(scene, &queries, &mut Vec::new());
    let mut expected = Vec::new();
    batch::overlap(scene, &queries, &mut expected);
    assert!(expected.iter().flatten().count() > QUERIES / 20);
    compare!(world, queries, overlap, overlap_batch, expected);

    let queries: Vec<_> = (0..QUERIES).map(|_| cases.closest()).collect();
    let mut expected = Vec::new();
    batch::closest(scene, &queries, &mut expected);
    assert!(expected.iter().flatten().count() > QUERIES / 4);
    compare!(world, queries, closest, closest_batch, expected);

    let queries: Vec<_> = (0..QUERIES).map(|_| cases.ray()).collect();
    let mut expected = Vec::new();
    batch::ray(scene, &queries, &mut expected);
    assert!(expected.iter().flatten().count() > QUERIES / 10);
    compare!(world, queries, ray, ray_batch, expected);

    let queries: Vec<_> = (0..QUERIES).map(|_| cases.supports()).collect();
    let mut expected = vec![Vec::new(); QUERIES];
    for (query, found) in queries.iter().zip(&mut expected) {
        scene.supports(&query.column, query.slope_limit, &query.filter, found);
    }
    assert!(expected.iter().flatten().count() > QUERIES / 4);
    compare!(world, queries, supports, supports_batch, expected);

    let queries: Vec<_> = (0..QUERIES).map(|_| cases.water()).collect();
    let expected: Vec<_> = queries.iter().map(|point| scene.liquid_at(point)).collect();
    assert!(expected.iter().flatten().count() > QUERIES / 20);
    compare!(world, queries, liquid, liquid_batch, expected);
}

#[tokio::test]
async fn moves_and_ticks_have_the_bits_of_the_library() {
    let world = world();
    let calls = world.server.client().world("");
    let mut cases = Cases::new(&world.scene, 2);
    let controller = controller();
    let queries: Vec<_> = (0..QUERIES).map(|_| cases.step(&controller, &world.scene)).collect();
    let mut cache = TriangleCache::default();
    let mut expected = Vec::new();
    for query in &queries {
        let outcome = controller.move_by(&world.scene, &mut cache, &query.state, &query.input);
        let feet = controller.feet(&outcome.state);
        expected.push(Moved { outcome, feet });
    }
    let answer = calls.move_batch(&controller, &queries).await.unwrap();
    for (found, expected) in answer.value.iter().zip(&expected) {
        assert_eq!(bits(found.as_ref().unwrap()), bits(expected));
    }
    for (query, expected) in queries.iter().zip(&expected).take(SINGLES) {
        let found = calls.make_move(&controller, query).await.unwrap();
        assert_eq!(bits(&found.value), bits(expected));
    }

    let locomotion = locomotion();
    let queries: Vec<_> = (0..QUERIES).map(|_| cases.tick(&locomotion, &world.scene)).collect();
    let mut expected = Vec::new();
    for query in &queries {
        let ticked = locomotion.tick(&world.scene, &mut cache, &query.state, &query.input);
        let (state, outcome) = ticked.unwrap();
        let feet = locomotion.controller().feet(&state.character);
        expected.push(Ticked { state, outcome, feet });
    }
    let modes = expected.iter().filter(|ticked| ticked.state.mode == Mode::Swim).count();
    assert!(modes > 0, "some swim");
    let answer = calls.tick_batch(&locomotion, &queries).await.unwrap();
    for (found, expected) in answer.value.iter().zip(&expected) {
        assert_eq!(bits(found.as_ref().unwrap()), bits(expected));
    }
    for (query, expected) in queries.iter().zip(&expected).take(SINGLES) {
        let found = calls.tick(&locomotion, query).await.unwrap();
        assert_eq!(bits(&found.value), bits(expected));
    }
}

/// An overlay and the scene that the library makes of it.
fn overlaid(scene: &Scene) -> (v1::Overlay, Scene, Carrier) {
    let door = door_of(scene);
    let (_, pose) = scene.body(door).unwrap().instance().unwrap();
    let (previous, next) = (*pose, Pose::from_translation(pose.position() + DVec3::Z * 0.2));
    let next = next.unwrap();
    let other = Capsule::from_feet(pose.position() + DVec3::X, DVec3::Z, 0.4, 1.7).unwrap();
    let overlay = v1::Overlay {
        moved: vec![v1::MovedBody { body: Some(door.into()), pose: Some(next.into()) }],
        obstacles: vec![v1::Obstacle {
            shape: Some(v1::obstacle::Shape::Capsule(other.into())),
            key: 99,
            mask: None,
        }],
    };
    let mut changed = scene.clone();
    changed.move_mesh(door, next).unwrap();
    let obstacle = Body::obstacle(Shape::Capsule(other)).with_key(99);
    changed.insert(obstacle.with_mobility(Mobility::Dynamic));
    let carrier = Carrier { body: door, previous, next, ride: Ride::Full };
    (overlay, changed, carrier)
}

#[tokio::test]
async fn moved_bodies_obstacles_and_carriers_count_for_their_call_alone() {
    let world = world();
    let (overlay, changed, carrier) = overlaid(&world.scene);
    let plain = world.server.client().world("");
    let calls = plain.with(overlay);
    let mut cases = Cases::new(&world.scene, 3);
    let mut queries: Vec<_> = (0..QUERIES).map(|_| cases.sweep()).collect();
    // Some that surely meet the door and the obstacle.
    for (index, query) in queries.iter_mut().enumerate().take(40) {
        let over = carrier.next.position() + dvec3(0.03 * index as f64, 0.1, 1.0);
        query.capsule = Capsule::new(over, over + DVec3::Z, 0.3).unwrap();
        query.motion = Motion::new(DVec3::Z * -1.5).unwrap();
        query.filter = capsweep::scene::Filter::default();
    }
    let (mut expected, mut without) = (Vec::new(), Vec::new());
    batch::sweep(&changed, &queries, &mut expected);
    batch::sweep(&world.scene, &queries, &mut without);
    let keys: Vec<u64> = expected.iter().flatten().map(|hit| hit.target.key).collect();
    assert!(keys.contains(&99) && keys.contains(&crate::cases::DOOR));
    let answer = calls.sweep_batch(&queries).await.unwrap();
    let found: Vec<_> = answer.value.into_iter().map(Result::unwrap).collect();
    assert_eq!(bits(&found), bits(&expected));
    let answer = plain.sweep_batch(&queries).await.unwrap();
    let found: Vec<_> = answer.value.into_iter().map(Result::unwrap).collect();
    assert_eq!(bits(&found), bits(&without));
    assert_ne!(bits(&expected), bits(&without));

    // A character on the door rides with it.
    let controller = controller();
    let feet = carrier.previous.position() + dvec3(-0.3, 0.2, 0.01);
    let fall = capsweep::controller::MoveInput::new(Motion::new(DVec3::Z * -0.1).unwrap());
    let mut cache = TriangleCache::off();
    let state = controller.spawn(feet).unwrap();
    let state = controller.move_by(&world.scene, &mut cache, &state, &fall).state;
    let mut input = fall.carried_by(carrier);
    input.dt = 0.1;
    let expected = controller.move_by(&changed, &mut cache, &state, &input);
    assert!(expected.carried.displacement.z > 0.1);
    let query = capsweep_client::proto::MoveQuery { state, input };
    let found = calls.make_move(&controller, &query).await.unwrap();
    assert_eq!(bits(&found.value.outcome), bits(&expected));
    let found = calls.move_batch(&controller, &[query, query]).await.unwrap();
    assert_eq!(bits(&found.value[1].as_ref().unwrap().outcome), bits(&expected));
}

#[tokio::test]
async fn judgements_have_the_bits_of_the_library() {
    let world = world();
    let calls = world.server.client().world("");
    let validator = Validator::new(locomotion(), ValidatorConfig::default()).unwrap();
    let place = ClaimPlace { id: 5, ..ClaimPlace::default() };
    let claim_world = ClaimWorld { id: 5, ..ClaimWorld::new(&world.scene) };
    let mut cases = Cases::new(&world.scene, 4);
    let mut starts = Vec::new();
    for _ in 0..60 {
        let speeds = SpeedLimits::of(&Speeds::wow());
        let velocity = cases.rng.chance(0.5).then(|| cases.rng.direction());
        starts.push(StartQuery { feet: cases.point(), velocity, speeds });
    }
    // The velocities of a call are known, or not.
    let (known, unknown): (Vec<_>, Vec<_>) =
        starts.into_iter().partition(|start| start.velocity.is_some());
    for starts in [known, unknown] {
        let begun = calls.start(&validator, &place, &starts).await.unwrap();
        let mut accepted = Vec::new();
        for (found, start) in begun.value.iter().zip(&starts) {
            let StartQuery { feet, velocity, speeds } = *start;
            let expected = validator.start(&claim_world, feet, velocity, speeds).unwrap();
            let found = found.as_ref().unwrap();
            assert_eq!(*found, encode_accepted(&expected).unwrap());
            assert_eq!(bits(&decode_accepted(found).unwrap()), bits(&expected));
            accepted.push(found.clone());
        }
        let ticks: Vec<ClaimTick> = (0..3)
            .map(|_| ClaimTick { walk: cases.rng.direction(), jump: false, dt: 0.1 })
            .collect();
        let mut sent = Vec::new();
        for (bytes, start) in accepted.iter().zip(&starts) {
            let reach = cases.rng.log_range(0.01, 20.0);
            let feet = start.feet + cases.rng.direction() * reach;
            let mut claim = Claim { world: 5, ..Claim::new(feet, 0.3) };
            claim.mode = cases.rng.chance(0.3).then_some(Mode::Swim);
            claim.velocity = cases.rng.chance(0.3).then(|| cases.rng.direction());
            claim.inputs = if cases.rng.chance(0.3) { &ticks } else { &[] };
            claim.world = if cases.rng.chance(0.05) { 6 } else { 5 };
            let knock_back = cases.rng.chance(0.3).then(|| cases.rng.direction() * 5.0);
            let speeds = cases.rng.chance(0.3).then_some(SpeedLimits::ROOTED);
            let changes = Changes { knock_back, speeds, window: 1.0, ..Changes::default() };
            let changes = cases.rng.chance(0.5).then_some(changes);
            sent.push(ClaimSent { accepted: bytes, changes, claim });
        }
        let answer = calls.validate_batch(&validator, &place, &sent).await.unwrap();
        let mut impossible = 0;
        for (sent, found) in sent.iter().zip(&answer.value) {
            let mut accepted = decode_accepted(sent.accepted).unwrap();
            if let Some(changes) = &sent.changes {
                changes.apply(&mut accepted).unwrap();
            }
            let expected = validator.check(&claim_world, &accepted, &sent.claim);
            impossible += usize::from(expected.verdict.is_impossible());
            let found = found.as_ref().unwrap();
            assert_eq!(bits(&found.verdict), bits(&expected.verdict));
            assert_eq!(found.queries, expected.queries);
            assert_eq!(found.accepted, encode_accepted(&expected.next).unwrap());
            assert_eq!(bits(&found.feet), bits(&expected.next.feet()));
            let one = calls.validate(&validator, &place, sent).await.unwrap();
            assert_eq!(bits(&one.value), bits(found));
        }
        assert!(impossible > 0);
    }
}
