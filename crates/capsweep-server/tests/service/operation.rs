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
    let channel = Endpoint::from_shared(address).unwrap().connect().await;
    let channel = channel.map_err(|_| Code::Unavailable)?;
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
    // Streams count each answer; their code counts when they end, also when the caller leaves.
    let controller = crate::cases::controller();
    let mut stream = calls.move_stream(controller).await.unwrap();
    let state = controller.spawn(glam::DVec3::ZERO).unwrap();
    let input = capsweep::controller::MoveInput::new(capsweep::Motion::ZERO);
    let query = capsweep_client::proto::MoveQuery { state, input };
    stream.make_moves(&[1, 2], &[query, query]).await.unwrap();
    assert_eq!(server.metric("capsweep_queries_total", "call=\"MoveStream\""), 2.0);
    assert_eq!(server.metric("capsweep_calls_total", "call=\"MoveStream\""), 0.0);
    stream.make_moves(&[1], &[query, query]).await.unwrap_err();
    let bad = "call=\"MoveStream\",code=\"invalidargument\"";
    assert_eq!(server.metric("capsweep_calls_total", bad), 1.0);
    drop(calls.move_stream(controller).await.unwrap());
    let end = Instant::now() + crate::process::PATIENCE;
    let left = || server.metric("capsweep_calls_total", "call=\"MoveStream\"");
    while left() < 2.0 {
        assert!(Instant::now() < end, "a stream that its caller left is not counted");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
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

/// How long a server that leaves still answers.
const LEAVE_TIME: Duration = Duration::from_secs(2);

#[tokio::test(flavor = "multi_thread")]
async fn sigterm_ends_health_first_and_calls_in_peace() {
    let end = Instant::now() + crate::process::PATIENCE;
    // On a busy machine the test itself may be too slow to see it.
    while !leaves_in_peace().await {
        assert!(Instant::now() < end, "the test is always too slow");
    }
}

/// Whether the test called while the server left.
async fn leaves_in_peace() -> bool {
    let mut server = Server::start(&[]);
    let client = server.client();
    let mut stream = client.world("").move_stream(crate::cases::controller()).await.unwrap();
    let state = crate::cases::controller().spawn(glam::DVec3::ZERO).unwrap();
    let input = capsweep::controller::MoveInput::new(capsweep::Motion::ZERO);
    let query = capsweep_client::proto::MoveQuery { state, input };
    stream.make_moves(&[1], &[query]).await.unwrap();
    let started = Instant::now();
    server.signal("TERM");
    server.wait_for_line("leaving");
    assert_eq!(server.page("/ready").0, 503);
    // Calls and streams are still answered, and health says why a balancer should leave.
    let moved = stream.make_moves(&[1], &[query]).await;
    let worlds = client.worlds().await;
    let healths = [health(&server, "").await, health(&server, "world/course").await];
    if started.elapsed() >= LEAVE_TIME {
        return false;
    }
    moved.unwrap();
    worlds.unwrap();
    assert_eq!(healths, [Ok(ServingStatus::NotServing); 2]);
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
    true
}

#[tokio::test(flavor = "multi_thread")]
async fn watchers_of_health_leave_room_for_calls_and_do_not_hold_up_the_end() {
    let mut server = Server::start(&["--max-calls", "4"]);
    let mut watches = Vec::new();
    let mut refused = 0;
    for _ in 0..3 {
        let address = format!("http://{}", server.address);
        let channel = Endpoint::from_shared(address).unwrap().connect().await.unwrap();
        for _ in 0..20 {
            let mut health = HealthClient::new(channel.clone());
            match health.watch(HealthCheckRequest::default()).await {
                Ok(watch) => watches.push(watch.into_inner()),
                Err(status) => {
                    assert_eq!(status.code(), Code::ResourceExhausted, "{status}");
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 0 && !watches.is_empty(), "{refused}");
    assert_eq!(health(&server, "").await, Ok(ServingStatus::Serving));
    server.client().worlds().await.unwrap();
    server.signal("TERM");
    let started = Instant::now();
    let watch = &mut watches[0];
    let mut last = ServingStatus::Serving;
    let status = loop {
        match watch.message().await {
            Ok(Some(message)) => last = message.status(),
            Ok(None) => panic!("no status"),
            Err(status) => break status,
        }
    };
    assert_eq!((last, status.code()), (ServingStatus::NotServing, Code::Unavailable), "{status}");
    assert_eq!(server.wait().code(), Some(0));
    assert!(started.elapsed() < Duration::from_secs(8), "{:?}", started.elapsed());
}

#[test]
fn a_signal_ends_a_server_that_still_loads() {
    use std::fmt::Write as _;
    use std::io::{BufRead as _, BufReader};
    let folder = Folder::new();
    // Minutes of work: a level with 80 000 triangles, many times.
    let mut level = String::new();
    for (x, y) in (0..200).flat_map(|x| (0..200).map(move |y| (x, y))) {
        writeln!(level, "v {x} {y} {}", (7 * x + 3 * y) % 5).unwrap();
    }
    for corner in (0..199).flat_map(|x| (1..200).map(move |y| 200 * x + y)) {
        let (next, up) = (corner + 1, corner + 200);
        writeln!(level, "f {corner} {next} {up}\nf {next} {} {up}", up + 1).unwrap();
    }
    let path = folder.file("level.obj");
    std::fs::write(&path, level).unwrap();
    let worlds: Vec<_> =
        (0..1_000).map(|index| format!("--world=w{index}={}", path.display())).collect();
    let worlds: Vec<_> = worlds.iter().map(String::as_str).collect();
    let mut child =
        crate::process::command("127.0.0.1:0", "127.0.0.1:0", &worlds).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
    assert!(lines.any(|line| line.contains("\"listening\"")));
    let pid = child.id().to_string();
    assert!(std::process::Command::new("kill").arg(&pid).status().unwrap().success());
    let end = Instant::now() + Duration::from_secs(20);
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if Instant::now() > end {
            child.kill().unwrap();
            panic!("it does not end");
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    assert_eq!(status.code(), Some(0));
    assert!(!lines.any(|line| line.contains("\"ready\"")));
}

#[test]
fn bad_arguments_say_what_is_wrong() {
    let (code, log) = refused(&["--world", "nowhere.glb"]);
    assert_eq!(code, 2);
    assert!(log.contains("nowhere.glb"), "{log}");
    let (code, log) = refused(&["--world", "a b=x.glb"]);
    assert_eq!(code, 2);
    assert!(log.contains("is not a valid name"), "{log}");
    for bad in [["--max-streams", "0"], ["--threads", "0"], ["--threads", "18446744073709551615"]]
    {
        assert_eq!(refused(&bad).0, 2, "{bad:?}");
    }
    // No number is too large for a limit.
    let most = usize::MAX.to_string();
    Server::start(&["--max-calls", &most, "--max-connections", &most, "--max-work", &most]);
}
