//! Health, reflection, metrics, request ids, the end, and the first command of the README.

use crate::cases::{Cases, scene_of, write_world};
use crate::limits::physics;
use crate::process::{Folder, Server, refused};
use capsweep_client::proto::v1;
use std::time::{Duration, Instant};
use tonic::Code;
use tonic::transport::Endpoint;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

async fn health(server: &Server, service: &str) -> Result<ServingStatus, Code> {
    let address = format!("http://{}", server.address);
    let channel = Endpoint::from_shared(address).unwrap().connect().await.unwrap();
    let request = HealthCheckRequest { service: service.to_owned() };
    let answer = HealthClient::new(channel).check(request).await;
    answer.map(|answer| answer.into_inner().status()).map_err(|status| status.code())
}

#[tokio::test]
async fn without_a_world_the_course_is_served() {
    let server = Server::start(&[]);
    let worlds = server.client().worlds().await.unwrap();
    assert_eq!((worlds.len(), &*worlds[0].name, &*worlds[0].unit), (1, "course", "m"));
    assert_eq!(worlds[0].dynamic[0].name, "platform");
    let max = worlds[0].max.unwrap();
    assert!(max.x.unwrap() > 40.0 && max.x.unwrap() < 50.0);
    assert_eq!(health(&server, "").await, Ok(ServingStatus::Serving));
    assert_eq!(health(&server, "capsweep.v1.Physics").await, Ok(ServingStatus::Serving));
    assert_eq!(health(&server, "world/course").await, Ok(ServingStatus::Serving));
    assert_eq!(health(&server, "world/other").await, Err(Code::NotFound));
    assert_eq!(server.page("/ready"), (200, "ready\n".to_owned()));
    assert_eq!(server.page("/other").0, 404);
}

#[tokio::test]
async fn reflection_lists_the_services() {
    use tonic_reflection::pb::v1::ServerReflectionRequest;
    use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;
    use tonic_reflection::pb::v1::server_reflection_request::MessageRequest;
    use tonic_reflection::pb::v1::server_reflection_response::MessageResponse;
    let server = Server::start(&[]);
    let address = format!("http://{}", server.address);
    let channel = Endpoint::from_shared(address).unwrap().connect().await.unwrap();
    let request = ServerReflectionRequest {
        host: String::new(),
        message_request: Some(MessageRequest::ListServices(String::new())),
    };
    let answers = ServerReflectionClient::new(channel)
        .server_reflection_info(tokio_stream::iter([request]))
        .await
        .unwrap();
    let answer = answers.into_inner().message().await.unwrap().unwrap();
    let Some(MessageResponse::ListServicesResponse(list)) = answer.message_response else {
        panic!("{answer:?}");
    };
    let names: Vec<_> = list.service.iter().map(|service| &*service.name).collect();
    assert!(names.contains(&"capsweep.v1.Physics"), "{names:?}");
    assert!(names.contains(&"grpc.health.v1.Health"), "{names:?}");
}

#[tokio::test]
async fn metrics_count_calls_queries_and_failures() {
    let folder = Folder::new();
    let path = write_world(&folder, "world.capsweep", 0.0);
    let server = Server::start(&["--world", path.to_str().unwrap()]);
    let mut cases = Cases::new(&scene_of(&path), 10);
    let calls = server.client().world("");
    let batch: Vec<_> = (0..70).map(|_| cases.sweep()).collect();
    calls.sweep_batch(&batch).await.unwrap();
    calls.sweep_batch(&batch).await.unwrap();
    calls.sweep(&batch[0]).await.unwrap();
    let mut physics = physics(&server).await;
    physics.ray(v1::RayRequest::default()).await.unwrap_err();
    let ok = "call=\"SweepBatch\",code=\"ok\"";
    assert_eq!(server.metric("capsweep_calls_total", ok), 2.0);
    assert_eq!(server.metric("capsweep_queries_total", "call=\"SweepBatch\""), 140.0);
    assert_eq!(server.metric("capsweep_queries_total", "call=\"Sweep\""), 1.0);
    let failed = "call=\"Ray\",code=\"invalidargument\"";
    assert_eq!(server.metric("capsweep_calls_total", failed), 1.0);
    assert_eq!(server.metric("capsweep_call_seconds_count", "call=\"SweepBatch\""), 2.0);
    assert_eq!(server.metric("capsweep_world{", "world=\"world\""), 1.0);
    assert!(server.metric("capsweep_resident_memory_bytes", "") > 1e6);
    assert!(server.metric("capsweep_connections", "") >= 1.0);
    // What has not happened yet is there as 0.
    let (_, page) = server.page("/metrics");
    for reason in ["Calls", "Work", "Connections", "Unread"] {
        let line = format!("capsweep_shed_total{{reason=\"{reason}\"}} 0");
        assert!(page.contains(&line), "{line}");
    }
    assert!(page.contains("capsweep_reloads_total{result=\"error\"} 0"));
}

#[tokio::test]
async fn answers_carry_request_ids() {
    let server = Server::start(&["--log", "debug"]);
    let mut physics = physics(&server).await;
    let mut request = tonic::Request::new(v1::WorldsRequest {});
    request.metadata_mut().insert("x-request-id", "my-own-id".parse().unwrap());
    let answer = physics.worlds(request).await.unwrap();
    assert_eq!(answer.metadata().get("x-request-id").unwrap(), "my-own-id");
    server.wait_for_line("my-own-id");
    let answer = physics.worlds(v1::WorldsRequest {}).await.unwrap();
    let id = answer.metadata().get("x-request-id").unwrap().to_str().unwrap().to_owned();
    server.wait_for_line(&id);
    let status = physics.ray(v1::RayRequest::default()).await.unwrap_err();
    assert!(status.metadata().get("x-request-id").is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn sigterm_ends_health_first_and_calls_in_peace() {
    let mut server = Server::start(&[]);
    let client = server.client();
    let mut stream = client.world("").move_stream(crate::cases::controller()).await.unwrap();
    let state = crate::cases::controller().spawn(glam::DVec3::ZERO).unwrap();
    let input = capsweep::controller::MoveInput::new(capsweep::Motion::ZERO);
    let query = capsweep_client::proto::MoveQuery { state, input };
    stream.make_moves(&[1], &[query]).await.unwrap();
    server.signal("TERM");
    server.wait_for_line("leaving");
    let started = Instant::now();
    assert_eq!(server.page("/ready").0, 503);
    // Calls and streams are still answered, and health says why a balancer should leave.
    stream.make_moves(&[1], &[query]).await.unwrap();
    client.worlds().await.unwrap();
    assert_eq!(health(&server, "").await, Ok(ServingStatus::NotServing));
    assert_eq!(health(&server, "world/course").await, Ok(ServingStatus::NotServing));
    // Then the stream ends, and the server.
    let error = loop {
        match stream.make_moves(&[1], &[query]).await {
            Ok(_) => tokio::time::sleep(Duration::from_millis(20)).await,
            Err(error) => break error,
        }
        assert!(started.elapsed() < Duration::from_secs(10));
    };
    assert_eq!(error.code(), Some(Code::Unavailable), "{error}");
    assert_eq!(server.wait().code(), Some(0));
    assert!(started.elapsed() < Duration::from_secs(12));
}

#[test]
fn bad_arguments_say_what_is_wrong() {
    let (code, log) = refused(&["--world", "nowhere.glb"]);
    assert_eq!(code, 2);
    assert!(log.contains("nowhere.glb"), "{log}");
    let (code, log) = refused(&["--world", "a b=x.glb"]);
    assert_eq!(code, 2);
    assert!(log.contains("is no name"), "{log}");
}
