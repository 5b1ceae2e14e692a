//! Limits: beyond them a call fails at once, and others are served.

use crate::cases::{Cases, scene_of, write_world};
use crate::process::{Folder, Server};
use capsweep::query::batch::SweepQuery;
use capsweep::scene::Filter;
use capsweep::{Capsule, Motion};
use capsweep_client::proto::v1;
use capsweep_client::{Client, Error, Options, RetryPolicy};
use futures_util::future::join_all;
use glam::DVec3;
use std::time::{Duration, Instant};
use tonic::{Code, Status};

fn query() -> SweepQuery {
    let capsule = Capsule::from_feet(DVec3::new(0.0, 0.0, 1.0), DVec3::Z, 0.3, 1.8).unwrap();
    let motion = Motion::new(DVec3::Z * -3.0).unwrap();
    SweepQuery { capsule, motion, filter: Filter::default() }
}

fn code(error: &Error) -> Code {
    error.code().unwrap_or_else(|| panic!("{error}"))
}

#[tokio::test]
async fn batches_and_messages_beyond_the_limit_are_refused() {
    let server = Server::start(&["--max-batch", "100", "--max-message", "60000"]);
    let calls = server.client().world("");
    assert_eq!(calls.sweep_batch(&vec![query(); 100]).await.unwrap().value.len(), 100);
    let error = calls.sweep_batch(&vec![query(); 101]).await.unwrap_err();
    assert_eq!(code(&error), Code::ResourceExhausted, "{error}");
    let error = calls.sweep_batch(&vec![query(); 10_000]).await.unwrap_err();
    assert_eq!(code(&error), Code::ResourceExhausted, "{error}");
    assert!(calls.sweep(&query()).await.unwrap().value.is_some());
}

#[tokio::test]
async fn one_bad_query_fails_alone_and_names_its_field() {
    let server = Server::start(&[]);
    let mut physics = physics(&server).await;
    let mut request = v1::SweepBatchRequest::from(&vec![query(); 5][..]);
    request.motion[3 * 2 + 1] = f64::NAN;
    request.capsules.as_mut().unwrap().radius = vec![0.3, 0.3, 0.3, -1.0, 0.3];
    request.filters = Some(v1::FilterColumns { sides: vec![0, 7, 0, 0, 0], ..Default::default() });
    let answer = physics.sweep_batch(request.clone()).await.unwrap().into_inner();
    assert_eq!(answer.query, [0, 4]);
    let errors: Vec<_> = answer.errors.iter().map(|error| (error.query, &*error.field)).collect();
    assert_eq!(errors, [(1, "filters.sides"), (2, "motion.motion.y"), (3, "capsules.radius")]);
    request.motion.pop();
    let status = physics.sweep_batch(request).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    assert!(status.message().starts_with("motion:"), "{status}");
    // One query names its field, too.
    let mut request = v1::SweepRequest::from(&query());
    request.capsule.as_mut().unwrap().p0.as_mut().unwrap().x = Some(f64::INFINITY);
    let status = physics.sweep(request).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    assert!(status.message().starts_with("capsule.p0.x:"), "{status}");
    let status = physics.sweep(v1::SweepRequest::default()).await.unwrap_err();
    assert!(status.message().starts_with("capsule:"), "{status}");
    let request = v1::SweepRequest { world: "nowhere".to_owned(), ..(&query()).into() };
    assert_eq!(physics.sweep(request).await.unwrap_err().code(), Code::NotFound);
}

/// The generated client of the service.
type Physics = v1::physics_client::PhysicsClient<tonic::transport::Channel>;

pub(crate) async fn physics(server: &Server) -> Physics {
    let address = format!("http://{}", server.address);
    let channel = tonic::transport::Endpoint::from_shared(address).unwrap().connect().await;
    Physics::new(channel.unwrap()).max_decoding_message_size(64 << 20)
}

#[tokio::test(flavor = "multi_thread")]
async fn too_much_work_is_refused_at_once_and_the_rest_is_answered() {
    let folder = Folder::new();
    let path = write_world(&folder, "world.capsweep", 0.0);
    let world = path.to_str().unwrap();
    let server = Server::start(&["--world", world, "--threads", "1", "--max-work", "4000"]);
    let mut cases = Cases::new(&scene_of(&path), 6);
    let batch: Vec<_> = (0..2_000).map(|_| cases.sweep()).collect();
    let retry = RetryPolicy { budget: 0.0, ..RetryPolicy::default() };
    let client = server.client_with(Options { retry, ..Options::default() });
    let one = |client: Client| {
        let batch = &batch;
        async move { client.world("").sweep_batch(batch).await.map(|answer| answer.value.len()) }
    };
    let (mut answered, mut refused) = (0, 0);
    let end = Instant::now() + crate::process::PATIENCE;
    // A busy machine may send the calls so slowly that the server keeps up.
    while answered == 0 || refused == 0 {
        assert!(Instant::now() < end, "{answered} answered, {refused} refused");
        for answer in join_all((0..40).map(|_| one(client.clone()))).await {
            match answer {
                Ok(count) => {
                    assert_eq!(count, 2_000);
                    answered += 1;
                }
                Err(error) => {
                    assert!(error.is_exhausted(), "{error}");
                    refused += 1;
                }
            }
        }
    }
    assert_eq!(server.metric("capsweep_shed_total", "Work"), f64::from(refused));
    // Afterwards everything is as before.
    assert!(one(client).await.is_ok());
}

/// Sends a batch until the pool has room for it: a call that has ended may still hold its room.
async fn with_room(
    physics: &mut Physics,
    batch: &v1::SweepBatchRequest,
    timeout: Option<Duration>,
) -> Result<v1::SweepBatchResponse, Status> {
    let end = Instant::now() + crate::process::PATIENCE;
    loop {
        let mut request = tonic::Request::new(batch.clone());
        if let Some(timeout) = timeout {
            request.set_timeout(timeout);
        }
        match physics.sweep_batch(request).await {
            Err(status) if status.code() == Code::ResourceExhausted => {
                assert!(Instant::now() < end, "{status}");
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            answer => return answer.map(tonic::Response::into_inner),
        }
    }
}

#[tokio::test]
async fn a_deadline_ends_the_rest_of_a_batch() {
    let folder = Folder::new();
    let path = write_world(&folder, "world.capsweep", 0.0);
    let server = Server::start(&["--world", path.to_str().unwrap(), "--threads", "1"]);
    let mut cases = Cases::new(&scene_of(&path), 7);
    let mut sweep = || {
        let SweepQuery { capsule, filter, .. } = cases.sweep();
        let motion = Motion::new(cases.rng.direction() * 30.0).unwrap();
        SweepQuery { capsule, motion, filter }
    };
    let batch: Vec<_> = (0..10_000).map(|_| sweep()).collect();
    let mut physics = physics(&server).await;
    let request = v1::SweepBatchRequest::from(&batch[..]);
    let small = v1::SweepBatchRequest::from(&batch[..1]);
    let cpu = || server.metric("capsweep_cpu_seconds", "");
    let before = cpu();
    for _ in 0..10 {
        assert_eq!(physics.sweep_batch(request.clone()).await.unwrap().into_inner().errors, []);
    }
    let (complete, before) = (cpu() - before, cpu());
    // A call that takes some milliseconds gets fewer. The server does not compute the rest.
    for _ in 0..10 {
        let timeout = Some(Duration::from_millis(2));
        let status = with_room(&mut physics, &request, timeout).await.unwrap_err();
        let codes = [Code::DeadlineExceeded, Code::Cancelled];
        assert!(codes.contains(&status.code()), "{status}");
        // Such a batch takes all room of the pool, so others are taken once it has stopped.
        with_room(&mut physics, &small, None).await.unwrap();
    }
    let end = Instant::now() + crate::process::PATIENCE;
    while server.metric("capsweep_calls_in_flight", "") > 0.0 {
        assert!(Instant::now() < end, "the call is still in flight");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    // If the rest were computed, it would end before this batch.
    assert_eq!(with_room(&mut physics, &request, None).await.unwrap().errors, []);
    let cut = cpu() - before - complete / 10.0;
    assert!(cut < 0.6 * complete, "{cut} of {complete} s");
}

#[tokio::test]
async fn a_passed_deadline_has_one_code() {
    let folder = Folder::new();
    let path = write_world(&folder, "world.capsweep", 0.0);
    let server = Server::start(&["--world", path.to_str().unwrap(), "--threads", "1"]);
    let mut cases = Cases::new(&scene_of(&path), 7);
    let batch: Vec<_> = (0..10_000).map(|_| cases.sweep()).collect();
    for micros in [1, 100, 1_000, 1_500, 2_000, 2_500] {
        let options = Options { timeout: Duration::from_micros(micros), ..Options::default() };
        let calls = server.client_with(options).world("");
        let end = Instant::now() + crate::process::PATIENCE;
        while let Err(error) = calls.sweep_batch(&batch).await {
            if code(&error) == Code::DeadlineExceeded {
                break;
            }
            // The call before has ended, but may still hold its room.
            assert_eq!(code(&error), Code::ResourceExhausted, "{error}");
            assert!(Instant::now() < end, "{error}");
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
    // No time is too long.
    let options = Options { timeout: Duration::MAX, ..Options::default() };
    server.client_with(options).worlds().await.unwrap();
}

#[tokio::test]
async fn answers_beyond_the_message_limit_are_refused_and_counted() {
    let server = Server::start(&["--max-message", "50000"]);
    let down = Motion::new(DVec3::Z * -3.0).unwrap();
    let ray = capsweep::Ray::new(DVec3::new(0.0, 0.0, 1.0), down).unwrap();
    let query = capsweep::query::batch::RayQuery { ray, filter: Filter::default() };
    let error = server.client().world("").ray_batch(&vec![query; 1_000]).await.unwrap_err();
    assert_eq!(code(&error), Code::ResourceExhausted, "{error}");
    assert!(error.to_string().contains("too large"), "{error}");
    let exhausted = "call=\"RayBatch\",code=\"resourceexhausted\"";
    assert_eq!(server.metric("capsweep_calls_total", exhausted), 1.0);
    assert_eq!(server.metric("capsweep_calls_total", "call=\"RayBatch\",code=\"ok\""), 0.0);
}

#[tokio::test]
async fn long_names_of_worlds_are_not_repeated() {
    let server = Server::start(&[]);
    let mut physics = physics(&server).await;
    let request = v1::SweepRequest { world: "x".repeat(1_000_000), ..(&query()).into() };
    let status = physics.sweep(request).await.unwrap_err();
    assert_eq!(status.code(), Code::NotFound, "{status}");
    assert!(status.message().len() < 200, "{status}");
}

#[tokio::test(flavor = "multi_thread")]
async fn busy_streams_leave_room_for_batches() {
    let server = Server::start(&["--threads", "1", "--max-work", "4000"]);
    let controller = crate::cases::controller();
    let state = controller.spawn(DVec3::new(0.0, 0.35, 0.0)).unwrap();
    let input = capsweep::controller::MoveInput::new(Motion::new(DVec3::X * 0.1).unwrap());
    let moves = vec![capsweep_client::proto::MoveQuery { state, input }; 500];
    let names: Vec<u64> = (0..500).collect();
    let mut busy = Vec::new();
    for _ in 0..3 {
        let mut stream = server.client().world("").move_stream(controller).await.unwrap();
        let (names, moves) = (names.clone(), moves.clone());
        busy.push(tokio::spawn(async move {
            loop {
                stream.make_moves(&names, &moves).await.unwrap();
            }
        }));
    }
    while server.metric("capsweep_queries_total", "call=\"MoveStream\"") < 3_000.0 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let retry = RetryPolicy { budget: 0.0, ..RetryPolicy::default() };
    let calls = server.client_with(Options { retry, ..Options::default() }).world("");
    for _ in 0..50 {
        calls.sweep_batch(&vec![query(); 1_000]).await.unwrap();
    }
    busy.iter().for_each(tokio::task::JoinHandle::abort);
}

#[tokio::test]
async fn calls_in_flight_and_connections_are_limited() {
    let server = Server::start(&["--max-calls", "3", "--max-connections", "4"]);
    let controller = crate::cases::controller();
    let calls = server.client().world("");
    // Open streams are calls in flight. They take at most half of the calls.
    let mut streams = Vec::new();
    for _ in 0..2 {
        streams.push(calls.move_stream(controller).await.unwrap());
    }
    let error = calls.move_stream(controller).await.unwrap_err();
    assert_eq!(code(&error), Code::ResourceExhausted, "{error}");
    let end = Instant::now() + crate::process::PATIENCE;
    assert!(calls.sweep(&query()).await.is_ok(), "streams leave room for calls");
    // A call whose message does not come takes the last one.
    let (mut half, connection) = crate::hostile::h2_client(&server).await;
    tokio::spawn(connection);
    let open =
        half.send_request(crate::hostile::head("/capsweep.v1.Physics/Sweep"), false).unwrap();
    while server.metric("capsweep_calls_in_flight", "") < 3.0 {
        assert!(Instant::now() < end);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let error = calls.sweep(&query()).await.unwrap_err();
    assert_eq!(code(&error), Code::ResourceExhausted, "{error}");
    drop((open, half));
    streams.clear();
    while let Err(error) = calls.move_stream(controller).await {
        assert_eq!(code(&error), Code::ResourceExhausted, "{error}");
        assert!(Instant::now() < end);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let connections: Vec<_> =
        (0..10).map(|_| std::net::TcpStream::connect(server.address).unwrap()).collect();
    while server.metric("capsweep_shed_total", "Connections") < 7.0 {
        assert!(Instant::now() < end);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(calls.sweep(&query()).await.is_ok(), "open connections are served");
    drop(connections);
}
