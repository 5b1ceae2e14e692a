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
use tonic::Code;

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

pub(crate) async fn physics(
    server: &Server,
) -> v1::physics_client::PhysicsClient<tonic::transport::Channel> {
    let address = format!("http://{}", server.address);
    let channel = tonic::transport::Endpoint::from_shared(address).unwrap().connect().await;
    v1::physics_client::PhysicsClient::new(channel.unwrap()).max_decoding_message_size(64 << 20)
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
        async move {
            let started = Instant::now();
            let answer = client.world("").sweep_batch(batch).await;
            (answer.map(|answer| answer.value.len()), started.elapsed())
        }
    };
    let answers = join_all((0..40).map(|_| one(client.clone()))).await;
    let mut refused = 0;
    for (answer, _took) in &answers {
        match answer {
            Ok(count) => assert_eq!(*count, 2_000),
            Err(error) => {
                assert!(error.is_exhausted(), "{error}");
                refused += 1;
            }
        }
    }
    assert!(refused > 0 && refused < answers.len(), "{refused} of {}", answers.len());
    assert_eq!(server.metric("capsweep_shed_total", "Work"), f64::from(refused as u32));
    // Afterwards everything is as before.
    assert!(one(client).await.0.is_ok());
}

#[tokio::test]
async fn a_deadline_ends_the_rest_of_a_batch() {
    let folder = Folder::new();
    let path = write_world(&folder, "world.capsweep", 0.0);
    let server = Server::start(&["--world", path.to_str().unwrap(), "--threads", "1"]);
    let mut cases = Cases::new(&scene_of(&path), 7);
    let batch: Vec<_> = (0..10_000).map(|_| cases.sweep()).collect();
    let mut physics = physics(&server).await;
    // A call that takes some milliseconds gets fewer.
    let mut request = tonic::Request::new(v1::SweepBatchRequest::from(&batch[..]));
    request.set_timeout(Duration::from_millis(2));
    let status = physics.sweep_batch(request).await.unwrap_err();
    let codes = [Code::DeadlineExceeded, Code::Cancelled];
    assert!(codes.contains(&status.code()), "{status}");
    let request = v1::SweepBatchRequest::from(&batch[..]);
    assert_eq!(physics.sweep_batch(request).await.unwrap().into_inner().errors, []);
    let end = Instant::now() + crate::process::PATIENCE;
    while server.metric("capsweep_calls_in_flight", "") > 0.0 {
        assert!(Instant::now() < end, "the call is still in flight");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn calls_in_flight_and_connections_are_limited() {
    let server = Server::start(&["--max-calls", "3", "--max-connections", "4"]);
    let controller = crate::cases::controller();
    let calls = server.client().world("");
    // Open streams are calls in flight.
    let mut streams = Vec::new();
    for _ in 0..3 {
        streams.push(calls.move_stream(controller).await.unwrap());
    }
    let error = calls.sweep(&query()).await.unwrap_err();
    assert_eq!(code(&error), Code::ResourceExhausted, "{error}");
    streams.clear();
    let end = Instant::now() + crate::process::PATIENCE;
    while let Err(error) = calls.sweep(&query()).await {
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
