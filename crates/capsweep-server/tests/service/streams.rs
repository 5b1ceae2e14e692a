//! Streams of moves and ticks: the same bits, with a cache for each character.

use crate::cases::{Cases, bits, controller, locomotion, scene_of, write_world};
use crate::process::{Folder, Server};
use capsweep::Motion;
use capsweep::cache::TriangleCache;
use capsweep::controller::{LocomotionInput, LocomotionState, MoveInput};
use capsweep_client::proto::{MoveQuery, TickQuery};
use glam::DVec3;
use tonic::Code;

const CHARACTERS: usize = 50;

#[tokio::test]
async fn a_cancelled_call_of_a_stream_gives_no_answer_to_the_next_one() {
    use futures_util::FutureExt as _;
    let server = Server::start(&[]);
    let calls = server.client().world("");
    let controller = controller();
    let mut stream = calls.move_stream(controller).await.unwrap();
    let state = controller.spawn(DVec3::new(0.0, 0.35, 0.0)).unwrap();
    let query =
        |x: f64| MoveQuery { state, input: MoveInput::new(Motion::new(DVec3::X * x).unwrap()) };
    stream.make_moves(&[1], &[query(0.1)]).await.unwrap();
    assert!(stream.make_moves(&[1], &[query(0.2)]).now_or_never().is_none());
    let error = stream.make_moves(&[1], &[query(0.3)]).await.unwrap_err();
    assert_eq!(error.code(), Some(Code::FailedPrecondition), "{error}");
}

#[tokio::test]
async fn large_characters_in_streams_have_the_bits_of_the_library() {
    let folder = Folder::new();
    let path = write_world(&folder, "world.capsweep", 0.0);
    let scene = scene_of(&path);
    let server = Server::start(&["--world", path.to_str().unwrap()]);
    let config = capsweep::controller::ControllerConfig {
        radius: 50.0,
        total_height: 120.0,
        ..*controller().config()
    };
    let controller = capsweep::controller::Controller::new(config).unwrap();
    let mut stream = server.client().world("").move_stream(controller).await.unwrap();
    let mut state = controller.spawn(DVec3::ZERO).unwrap();
    for step in 0..5 {
        let motion = Motion::new(DVec3::new(0.1 * f64::from(step), 0.2, -0.1)).unwrap();
        let query = MoveQuery { state, input: MoveInput::new(motion) };
        let answer = stream.make_moves(&[1], &[query]).await.unwrap();
        let found = answer.value[0].as_ref().unwrap();
        let mut cache = TriangleCache::off();
        let expected = controller.move_by(&scene, &mut cache, &query.state, &query.input);
        assert_eq!(bits(&found.outcome), bits(&expected));
        state = expected.state;
    }
}

#[tokio::test]
async fn streams_have_the_bits_of_the_library_and_remember_surroundings() {
    let folder = Folder::new();
    let path = write_world(&folder, "world.capsweep", 0.0);
    let scene = scene_of(&path);
    let server = Server::start(&["--world", path.to_str().unwrap()]);
    let calls = server.client().world("world");
    let mut cases = Cases::new(&scene, 5);
    let controller = controller();
    let mut states: Vec<_> = (0..CHARACTERS).map(|_| cases.state(&controller, &scene)).collect();
    let names: Vec<u64> = (0..CHARACTERS as u64).map(|index| index * 3).collect();
    let mut stream = calls.move_stream(controller).await.unwrap();
    for _ in 0..20 {
        let query = |state: &_, way: DVec3| MoveQuery {
            state: *state,
            input: MoveInput::new(Motion::new(way).unwrap()),
        };
        let queries: Vec<_> = states
            .iter()
            .map(|state| query(state, cases.rng.direction() * 0.1 - DVec3::Z * 0.05))
            .collect();
        let answer = stream.make_moves(&names, &queries).await.unwrap();
        for ((query, found), state) in queries.iter().zip(&answer.value).zip(&mut states) {
            let mut cache = TriangleCache::off();
            let expected = controller.move_by(&scene, &mut cache, &query.state, &query.input);
            let found = found.as_ref().unwrap();
            assert_eq!(bits(&found.outcome), bits(&expected));
            *state = found.outcome.state;
        }
    }
    assert_eq!(server.metric("capsweep_cached_characters", ""), CHARACTERS as f64);
    // A character that is named twice, and names that do not fit.
    let input = MoveInput::new(Motion::new(DVec3::X * 0.1).unwrap());
    let query = MoveQuery { state: states[0], input };
    let twice = stream.make_moves(&[0, 0], &[query, query]).await.unwrap();
    assert_eq!(bits(&twice.value[0]), bits(&twice.value[1]));
    let error = stream.make_moves(&[0], &[query, query]).await.unwrap_err();
    assert_eq!(error.code(), Some(Code::InvalidArgument), "{error}");
    drop(stream);

    let locomotion = locomotion();
    let mut stream = calls.tick_stream(locomotion).await.unwrap();
    let spawn = |cases: &mut Cases| {
        LocomotionState::at_rest(locomotion.controller().spawn(cases.point()).unwrap())
    };
    let mut states: Vec<_> = (0..CHARACTERS).map(|_| spawn(&mut cases)).collect();
    for _ in 0..20 {
        let mut input = |state: &LocomotionState| TickQuery {
            state: *state,
            input: LocomotionInput::new(cases.rng.direction() * 7.0, 0.05),
        };
        let queries: Vec<_> = states.iter().map(&mut input).collect();
        let answer = stream.tick(&names, &queries).await.unwrap();
        for ((query, found), state) in queries.iter().zip(&answer.value).zip(&mut states) {
            let mut cache = TriangleCache::off();
            let expected = locomotion.tick(&scene, &mut cache, &query.state, &query.input);
            let (next, outcome) = expected.unwrap();
            let found = found.as_ref().unwrap();
            assert_eq!(bits(&found.state), bits(&next));
            assert_eq!(bits(&found.outcome), bits(&outcome));
            *state = found.state;
        }
    }
    drop(stream);
    // The server forgets them with the stream.
    let end = std::time::Instant::now() + crate::process::PATIENCE;
    while server.metric("capsweep_cached_characters", "") > 0.0 {
        assert!(std::time::Instant::now() < end);
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}
