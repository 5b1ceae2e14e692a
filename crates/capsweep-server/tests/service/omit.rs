//! Answers without the columns that a request leaves out.

use crate::cases::{Cases, bits, controller, locomotion, scene_of, write_world};
use crate::process::{Folder, Server};
use capsweep::cache::TriangleCache;
use capsweep::controller::{Carried, MoveOutcome, MoveStats, Recovery};
use capsweep::scene::Scene;
use capsweep_client::proto::v1::physics_client::PhysicsClient;
use capsweep_client::proto::{Moved, Omit, Ticked, codec, v1};
use glam::DVec3;
use tonic::transport::Channel;
use tonic::{Code, Request};

const QUERIES: usize = 300;

fn world() -> (Server, Scene, Folder) {
    let folder = Folder::new();
    let path = write_world(&folder, "world.capsweep", 0.0);
    let server = Server::start(&["--world", path.to_str().unwrap()]);
    (server, scene_of(&path), folder)
}

/// An outcome of which only state and flags are left.
fn states_only(outcome: &MoveOutcome) -> MoveOutcome {
    MoveOutcome {
        ground: None,
        contacts: Vec::new(),
        requested: DVec3::ZERO,
        achieved: DVec3::ZERO,
        carried: Carried { blocked: outcome.carried.blocked, ..Carried::default() },
        recovery: Recovery::default(),
        stats: MoveStats::default(),
        ..outcome.clone()
    }
}

#[tokio::test]
async fn states_and_flags_alone_have_the_bits_of_the_library() {
    let (server, scene, _folder) = world();
    let calls = server.client().world("").without(Omit::ALL);
    let mut cases = Cases::new(&scene, 31);
    let names: Vec<u64> = (0..QUERIES as u64).collect();
    let controller = controller();
    let queries: Vec<_> = (0..QUERIES).map(|_| cases.step(&controller, &scene)).collect();
    let mut stream = calls.move_stream(controller).await.unwrap();
    let called = calls.move_batch(&controller, &queries).await.unwrap().value;
    let streamed = stream.make_moves(&names, &queries).await.unwrap().value;
    for ((query, called), streamed) in queries.iter().zip(called).zip(streamed) {
        let mut cache = TriangleCache::off();
        let outcome = controller.move_by(&scene, &mut cache, &query.state, &query.input);
        let expected = Moved { outcome: states_only(&outcome), feet: DVec3::ZERO };
        assert_eq!(bits(&called.unwrap()), bits(&expected));
        assert_eq!(bits(&streamed.unwrap()), bits(&expected));
    }
    let locomotion = locomotion();
    let queries: Vec<_> = (0..QUERIES).map(|_| cases.tick(&locomotion, &scene)).collect();
    let mut stream = calls.tick_stream(locomotion).await.unwrap();
    let called = calls.tick_batch(&locomotion, &queries).await.unwrap().value;
    let streamed = stream.tick(&names, &queries).await.unwrap().value;
    for ((query, called), streamed) in queries.iter().zip(called).zip(streamed) {
        let mut cache = TriangleCache::off();
        let ticked = locomotion.tick(&scene, &mut cache, &query.state, &query.input);
        let (state, outcome) = ticked.unwrap();
        let expected = Ticked { state, outcome: states_only(&outcome), feet: DVec3::ZERO };
        assert_eq!(bits(&called.unwrap()), bits(&expected));
        assert_eq!(bits(&streamed.unwrap()), bits(&expected));
    }
}

/// Clears the columns of a group.
fn clear(outcomes: &mut v1::OutcomeColumns, group: v1::Omit) {
    match group {
        v1::Omit::None => {}
        v1::Omit::Ground => outcomes.ground = None,
        v1::Omit::Contacts => outcomes.contacts = None,
        v1::Omit::Displacements => {
            outcomes.requested.clear();
            outcomes.achieved.clear();
            outcomes.carried_query.clear();
            outcomes.carried.clear();
            outcomes.carried_rotation.clear();
            outcomes.recovery_query.clear();
            outcomes.recovery.clear();
            outcomes.recovery_left.clear();
        }
        v1::Omit::Stats => outcomes.stats.clear(),
        v1::Omit::Feet => outcomes.state.as_mut().unwrap().feet.clear(),
    }
}

const GROUPS: [v1::Omit; 6] = [
    v1::Omit::None,
    v1::Omit::Ground,
    v1::Omit::Contacts,
    v1::Omit::Displacements,
    v1::Omit::Stats,
    v1::Omit::Feet,
];

#[tokio::test]
async fn the_other_columns_have_the_bytes_of_the_full_answer() {
    let (server, scene, _folder) = world();
    let client = server.client();
    let mut cases = Cases::new(&scene, 32);
    let (controller, locomotion) = (controller(), locomotion());
    let steps: Vec<_> = (0..QUERIES).map(|_| cases.step(&controller, &scene)).collect();
    let ticks: Vec<_> = (0..QUERIES).map(|_| cases.tick(&locomotion, &scene)).collect();
    let moves = async |omit: u32| {
        let request =
            v1::MoveBatchRequest { omit, ..v1::MoveBatchRequest::new(&controller, &steps) };
        let call = |mut physics: PhysicsClient<Channel>, request| async move {
            physics.move_batch(request).await
        };
        client.call(request, call).await.unwrap()
    };
    let ticks = async |omit: u32| {
        let request =
            v1::TickBatchRequest { omit, ..v1::TickBatchRequest::new(&locomotion, &ticks) };
        let call = |mut physics: PhysicsClient<Channel>, request| async move {
            physics.tick_batch(request).await
        };
        client.call(request, call).await.unwrap()
    };
    let (moved, ticked) = (moves(0).await, ticks(0).await);
    assert!(!moved.outcomes.as_ref().unwrap().recovery_query.is_empty(), "some overlap");
    for group in GROUPS {
        let (mut expected, omit) = (moved.clone(), group as u32);
        clear(expected.outcomes.as_mut().unwrap(), group);
        assert_eq!(codec::encode(&moves(omit).await), codec::encode(&expected), "{group:?}");
        let mut expected = ticked.clone();
        clear(expected.outcomes.as_mut().unwrap(), group);
        assert_eq!(codec::encode(&ticks(omit).await), codec::encode(&expected), "{group:?}");
        assert!(group == v1::Omit::None || expected != ticked, "{group:?} is not empty");
    }
}

type Message = Request<v1::MoveStreamRequest>;

#[tokio::test]
async fn unknown_bits_are_refused_in_calls_and_in_streams() {
    let server = Server::start(&[]);
    let client = server.client();
    let moves = v1::MoveBatchRequest { omit: 32, ..v1::MoveBatchRequest::new(&controller(), &[]) };
    let ticks =
        v1::TickBatchRequest { omit: 1 << 31, ..v1::TickBatchRequest::new(&locomotion(), &[]) };
    let refused = |code: Option<Code>, text: String| {
        assert_eq!(code, Some(Code::InvalidArgument), "{text}");
        assert!(text.contains("omit"), "{text}");
    };
    let call = |mut physics: PhysicsClient<Channel>, request| async move {
        physics.move_batch(request).await
    };
    let error = client.call(moves.clone(), call).await.unwrap_err();
    refused(error.code(), error.to_string());
    let call = |mut physics: PhysicsClient<Channel>, request| async move {
        physics.tick_batch(request).await
    };
    let error = client.call(ticks, call).await.unwrap_err();
    refused(error.code(), error.to_string());
    let message = v1::MoveStreamRequest { moves: Some(moves), character: Vec::new() };
    let call = |mut physics: PhysicsClient<Channel>, message: Message| async move {
        physics.move_stream(tokio_stream::once(message.into_inner())).await
    };
    let status = client.call(message, call).await.unwrap().message().await.unwrap_err();
    refused(Some(status.code()), status.to_string());
}
