//! Clients that misbehave: arbitrary bytes, half frames, answers that nobody reads, a flood of
//! streams. Others are served, and the memory is bounded.

use crate::cases::{Cases, scene_of, write_world};
use crate::limits::physics;
use crate::process::{Folder, PATIENCE, Server};
use crate::raw::Raw;
use bytes::Bytes;
use capsweep_client::proto::v1;
use capsweep_server::metrics::CALLS;
use capsweep_testkit::{Damage as _, Rng};
use http::uri::PathAndQuery;
use prost::Message as _;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use tonic::Code;
use tonic::transport::{Channel, Endpoint};

async fn channel(server: &Server) -> Channel {
    Endpoint::from_shared(format!("http://{}", server.address)).unwrap().connect().await.unwrap()
}

/// Makes a call with any bytes as its message. The code of its answer, or of its stream's end.
async fn send(channel: &Channel, call: &str, bytes: Vec<u8>) -> Code {
    let mut grpc = tonic::client::Grpc::new(channel.clone());
    grpc.ready().await.unwrap();
    let path = PathAndQuery::from_maybe_shared(format!("/capsweep.v1.Physics/{call}")).unwrap();
    let request = tonic::Request::new(tokio_stream::once(Bytes::from(bytes)));
    let mut answers = match grpc.streaming(request, path, Raw).await {
        Ok(answers) => answers.into_inner(),
        Err(status) => return status.code(),
    };
    loop {
        match answers.message().await {
            Ok(Some(_)) => {}
            Ok(None) => return Code::Ok,
            Err(status) => return status.code(),
        }
    }
}

/// Well-formed messages to damage.
fn seeds() -> Vec<(&'static str, Vec<u8>)> {
    let folder = Folder::new();
    let scene = scene_of(&write_world(&folder, "seed.capsweep", 0.0));
    let mut cases = Cases::new(&scene, 11);
    let controller = crate::cases::controller();
    let locomotion = crate::cases::locomotion();
    let moves = [cases.step(&controller, &scene), cases.step(&controller, &scene)];
    let ticks = [cases.tick(&locomotion, &scene), cases.tick(&locomotion, &scene)];
    let sweeps = [cases.sweep(), cases.sweep()];
    let moves_request = v1::MoveBatchRequest::new(&controller, &moves);
    let ticks_request = v1::TickBatchRequest::new(&locomotion, &ticks);
    let (move_stream, tick_stream) = (
        v1::MoveStreamRequest { moves: Some(moves_request.clone()), character: vec![1, 2] },
        v1::TickStreamRequest { ticks: Some(ticks_request.clone()), character: vec![1, 2] },
    );
    let config = capsweep::validate::ValidatorConfig::default();
    let validator = capsweep::validate::Validator::new(locomotion, config).unwrap();
    let speeds = capsweep::validate::SpeedLimits::human();
    let world = capsweep::validate::ClaimWorld::new(&scene);
    let accepted = validator.start(&world, cases.point(), None, speeds).unwrap();
    let accepted = capsweep_client::proto::encode_accepted(&accepted).unwrap();
    let place = capsweep_client::proto::ClaimPlace::default();
    let claim = capsweep::validate::Claim::new(cases.point(), 0.5);
    let sent = capsweep_client::proto::ClaimSent { accepted: &accepted, changes: None, claim };
    let start = capsweep_client::proto::StartQuery { feet: cases.point(), velocity: None, speeds };
    vec![
        ("Sweep", v1::SweepRequest::from(&sweeps[0]).encode_to_vec()),
        ("SweepBatch", v1::SweepBatchRequest::from(&sweeps[..]).encode_to_vec()),
        ("Overlap", v1::OverlapRequest::from(&cases.overlap()).encode_to_vec()),
        ("OverlapBatch", v1::OverlapBatchRequest::from(&[cases.overlap()][..]).encode_to_vec()),
        ("Closest", v1::ClosestRequest::from(&cases.closest()).encode_to_vec()),
        ("ClosestBatch", v1::ClosestBatchRequest::from(&[cases.closest()][..]).encode_to_vec()),
        ("Ray", v1::RayRequest::from(&cases.ray()).encode_to_vec()),
        ("RayBatch", v1::RayBatchRequest::from(&[cases.ray()][..]).encode_to_vec()),
        ("Supports", v1::SupportsRequest::from(&cases.supports()).encode_to_vec()),
        ("SupportsBatch", v1::SupportsBatchRequest::from(&[cases.supports()][..]).encode_to_vec()),
        ("Liquid", v1::LiquidRequest::from(&cases.water()).encode_to_vec()),
        ("LiquidBatch", v1::LiquidBatchRequest::from(&[cases.water()][..]).encode_to_vec()),
        ("Move", v1::MoveRequest::new(&controller, &moves[0]).encode_to_vec()),
        ("MoveBatch", moves_request.encode_to_vec()),
        ("MoveStream", move_stream.encode_to_vec()),
        ("Tick", v1::TickRequest::new(&locomotion, &ticks[0]).encode_to_vec()),
        ("TickBatch", ticks_request.encode_to_vec()),
        ("TickStream", tick_stream.encode_to_vec()),
        ("Start", v1::StartRequest::new(&validator, &place, &[start]).encode_to_vec()),
        ("Validate", v1::ValidateRequest::new(&validator, &place, &sent).encode_to_vec()),
        (
            "ValidateBatch",
            v1::ValidateBatchRequest::new(&validator, &place, &[sent]).encode_to_vec(),
        ),
        ("Worlds", Vec::new()),
    ]
}

/// How often each message is damaged; more with `CAPSWEEP_FUZZ`.
fn rounds() -> usize {
    let rounds = std::env::var("CAPSWEEP_FUZZ").ok().and_then(|rounds| rounds.parse().ok());
    rounds.unwrap_or(150)
}

#[tokio::test(flavor = "multi_thread")]
async fn arbitrary_bytes_as_any_message_are_answered() {
    let folder = Folder::new();
    let path = write_world(&folder, "world.capsweep", 0.0);
    let server = Server::start(&["--world", path.to_str().unwrap()]);
    let channel = channel(&server).await;
    let mut rng = Rng::new(&[24, 12]);
    let seeds = seeds();
    assert_eq!(seeds.len(), CALLS.len());
    for (call, seed) in &seeds {
        assert!(CALLS.contains(call));
        assert_eq!(send(&channel, call, seed.clone()).await, Code::Ok, "{call}");
        let noise: Vec<u8> = (0..rng.index(300)).map(|_| rng.bits() as u8).collect();
        let mut damaged = vec![noise];
        for _ in 0..rounds() {
            let mut bytes = seed.clone();
            for _ in 0..=rng.index(4) {
                bytes.damage(&mut rng);
            }
            damaged.push(bytes);
        }
        for bytes in damaged {
            let code = send(&channel, call, bytes.clone()).await;
            let fine = [
                Code::Ok,
                Code::InvalidArgument,
                Code::NotFound,
                Code::ResourceExhausted,
                Code::DeadlineExceeded,
            ];
            assert!(fine.contains(&code), "{call}: {code:?} for {bytes:?}");
        }
    }
    assert_eq!(server.metric("capsweep_calls_total", "code=\"internal\""), 0.0);
    assert!(server.metric("capsweep_resident_memory_bytes", "") < 1e9);
}

#[tokio::test(flavor = "multi_thread")]
async fn forged_states_of_claims_are_refused_or_judged() {
    let folder = Folder::new();
    let path = write_world(&folder, "world.capsweep", 0.0);
    let server = Server::start(&["--world", path.to_str().unwrap()]);
    let channel = channel(&server).await;
    let mut rng = Rng::new(&[24, 13]);
    let seed = &seeds().into_iter().find(|(call, _)| *call == "Validate").unwrap().1;
    let request = v1::ValidateRequest::decode(&seed[..]).unwrap();
    let (state, _) = request.accepted.split_last_chunk::<8>().unwrap();
    let mut judged = 0;
    for _ in 0..2 * rounds() {
        let mut state = state.to_vec();
        state.damage(&mut rng);
        // With a right checksum.
        let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        let sum = state.iter().fold(0xcbf2_9ce4_8422_2325, step);
        state.extend_from_slice(&sum.to_le_bytes());
        let forged = v1::ValidateRequest { accepted: state, ..request.clone() };
        let code = send(&channel, "Validate", forged.encode_to_vec()).await;
        assert!([Code::Ok, Code::InvalidArgument].contains(&code), "{code:?}");
        judged += u32::from(code == Code::Ok);
    }
    assert!(judged > 0);
    // A wrong checksum is refused.
    let mut damaged = request.clone();
    damaged.accepted[3] ^= 1;
    assert_eq!(send(&channel, "Validate", damaged.encode_to_vec()).await, Code::InvalidArgument);
}

#[tokio::test(flavor = "multi_thread")]
async fn half_frames_and_noise_leave_others_alone() {
    let server = Server::start(&["--max-call-time", "1"]);
    let mut connections = Vec::new();
    for (index, start) in [
        &b""[..],
        b"PRI * HTTP/2.0\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00",
        b"\xff\xff\xff",
    ]
    .iter()
    .cycle()
    .take(40)
    .enumerate()
    {
        let address = if index % 2 == 0 { server.address } else { server.admin };
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(start).unwrap();
        connections.push(stream);
    }
    // A call that sends half a message ends in time, and does not stay in flight.
    let (mut sender, connection) = h2_client(&server).await;
    tokio::spawn(connection);
    let (answer, mut body) =
        sender.send_request(head("/capsweep.v1.Physics/Sweep"), false).unwrap();
    body.send_data(Bytes::from_static(&[0, 0, 0, 1, 0, 1, 2]), false).unwrap();
    let answer = tokio::time::timeout(PATIENCE, answer).await.unwrap().unwrap();
    assert_eq!(answer.headers()["grpc-status"], "4", "{answer:?}");
    assert!(server.client().worlds().await.is_ok());
    // Administration closes a connection that sends half a head.
    let mut half = TcpStream::connect(server.admin).unwrap();
    half.write_all(b"GET /ready HTTP/1.1\r\nHost").unwrap();
    assert!(is_closed(half));
    assert_eq!(server.page("/ready").0, 200);
    drop(connections);
}

/// Whether the server closes a connection in time.
fn is_closed(mut connection: TcpStream) -> bool {
    use std::io::ErrorKind::{TimedOut, WouldBlock};
    connection.set_read_timeout(Some(PATIENCE)).unwrap();
    match connection.read_to_end(&mut Vec::new()) {
        Ok(_) => true,
        Err(error) => ![TimedOut, WouldBlock].contains(&error.kind()),
    }
}

#[test]
fn connections_that_send_nothing_are_closed() {
    let server = Server::start(&["--max-connections", "8"]);
    let starts: [&[u8]; 4] = [b"", b"P", b"PRI * HTTP/2.0\r\n", b"GET /"];
    let mut silent = Vec::new();
    for start in starts {
        for address in [server.address, server.admin] {
            for _ in 0..2 {
                let mut stream = TcpStream::connect(address).unwrap();
                stream.write_all(start).unwrap();
                silent.push(stream);
            }
        }
    }
    assert!(silent.into_iter().all(is_closed));
    let end = Instant::now() + PATIENCE;
    while server.metric("capsweep_connections{", "") + server.metric("capsweep_connections ", "")
        > 1.0
    {
        assert!(Instant::now() < end);
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_of_empty_messages_take_no_memory() {
    let server = Server::start(&[]);
    let channel = channel(&server).await;
    let nested = |field: u8, bytes: &[u8]| {
        let mut all = vec![field << 3 | 2];
        prost::encoding::encode_varint(bytes.len() as u64, &mut all);
        all.extend_from_slice(bytes);
        all
    };
    let before = server.metric("capsweep_resident_memory_bytes", "");
    // `surroundings.carriers` of moves, `claim_world.moved` of claims, `overlay.moved` of sweeps.
    let [carriers, moved, overlay] = [(8, 4), (4, 4), (2, 1)]
        .map(|(of, list)| nested(of, &nested(list, &[]).repeat(1_000_000)));
    for (call, message) in [
        ("MoveBatch", carriers.clone()),
        ("MoveStream", nested(1, &carriers)),
        ("Validate", moved.clone()),
        ("ValidateBatch", moved.clone()),
        ("Start", moved),
        ("SweepBatch", overlay),
    ] {
        assert_eq!(send(&channel, call, message).await, Code::ResourceExhausted, "{call}");
    }
    let after = server.metric("capsweep_resident_memory_bytes", "");
    assert!(after < before + 50e6, "{before} {after}");
}

pub(crate) type Connecting = h2::client::Connection<tokio::net::TcpStream>;

pub(crate) async fn h2_client(server: &Server) -> (h2::client::SendRequest<Bytes>, Connecting) {
    let stream = tokio::net::TcpStream::connect(server.address).await.unwrap();
    // No room for answers.
    h2::client::Builder::new()
        .initial_window_size(1)
        .initial_connection_window_size(65_535)
        .handshake(stream)
        .await
        .unwrap()
}

pub(crate) fn head(path: &str) -> http::Request<()> {
    http::Request::post(format!("http://server{path}"))
        .header("content-type", "application/grpc")
        .header("te", "trailers")
        .body(())
        .unwrap()
}

/// A message of gRPC.
fn framed(message: &[u8]) -> Bytes {
    let mut frame = vec![0];
    frame.extend_from_slice(&(message.len() as u32).to_be_bytes());
    frame.extend_from_slice(message);
    frame.into()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_does_not_read_is_closed_and_others_are_served() {
    let folder = Folder::new();
    let path = write_world(&folder, "world.capsweep", 0.0);
    let server = Server::start(&["--world", path.to_str().unwrap(), "--max-call-time", "2"]);
    let mut cases = Cases::new(&scene_of(&path), 14);
    let batch: Vec<_> = (0..500).map(|_| cases.sweep()).collect();
    let message = framed(&v1::SweepBatchRequest::from(&batch[..]).encode_to_vec());
    let (sender, connection) = h2_client(&server).await;
    let connection = tokio::spawn(connection);
    let mut waiting = Vec::new();
    for _ in 0..60 {
        let mut sender = sender.clone().ready().await.unwrap();
        let (answer, mut body) =
            sender.send_request(head("/capsweep.v1.Physics/SweepBatch"), false).unwrap();
        body.send_data(message.clone(), true).unwrap();
        waiting.push(answer);
    }
    let started = Instant::now();
    while server.metric("capsweep_calls_in_flight", "") < 10.0 {
        assert!(started.elapsed() < PATIENCE, "answers do not stay in flight");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(server.client().world("").sweep(&batch[0]).await.is_ok());
    // The server closes the connection, and what waited for it is gone.
    let _ = tokio::time::timeout(PATIENCE, connection).await.unwrap().unwrap();
    while server.metric("capsweep_calls_in_flight", "") > 0.0 {
        assert!(started.elapsed() < PATIENCE);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(server.metric("capsweep_shed_total", "Unread") >= 1.0);
    assert!(server.client().world("").sweep(&batch[0]).await.is_ok());
    drop(waiting);
}

/// A frame of HTTP/2.
fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = payload.len() as u32;
    let mut frame = length.to_be_bytes()[1..].to_vec();
    frame.extend_from_slice(&[kind, flags]);
    frame.extend_from_slice(&stream.to_be_bytes());
    frame.extend_from_slice(payload);
    frame
}

/// The kinds of the frames that a server sends until the connection ends or is quiet.
fn kinds(mut connection: TcpStream) -> Vec<u8> {
    connection.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    let (mut kinds, mut head) = (Vec::new(), [0; 9]);
    while connection.read_exact(&mut head).is_ok() {
        let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
        kinds.push(head[3]);
        if connection.read_exact(&mut vec![0; length as usize]).is_err() {
            break;
        }
    }
    kinds
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_streams_are_refused_and_others_are_served() {
    const RESET: u8 = 3;
    const GO_AWAY: u8 = 7;
    let server = Server::start(&[]);
    let before = server.metric("capsweep_resident_memory_bytes", "");
    // By hand, because a client of HTTP/2 keeps to the server's limit.
    let mut connection = TcpStream::connect(server.address).unwrap();
    let reader = connection.try_clone().unwrap();
    let reader = std::thread::spawn(move || kinds(reader));
    connection.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").unwrap();
    connection.write_all(&frame(4, 0, 0, &[])).unwrap();
    // POST over http, then literals: their name as a number of the static table, or as text.
    let mut head = vec![0x83, 0x86];
    let mut literal = |name: &[u8], value: &str| {
        head.extend_from_slice(name);
        head.push(value.len() as u8);
        head.extend_from_slice(value.as_bytes());
    };
    literal(&[4], "/capsweep.v1.Physics/MoveStream");
    literal(&[1], "server");
    literal(&[15, 16], "application/grpc");
    literal(&[0, 2, b't', b'e'], "trailers");
    let mut sent = 0;
    for number in 0..10_000 {
        if connection.write_all(&frame(1, 4, 2 * number + 1, &head)).is_err() {
            break;
        }
        sent += 1;
    }
    assert!(sent > 100, "{sent}");
    assert!(server.metric("capsweep_calls_in_flight", "") <= 64.0);
    let mut physics = physics(&server).await;
    assert!(physics.worlds(v1::WorldsRequest {}).await.is_ok());
    let kinds = reader.join().unwrap();
    let resets = kinds.iter().map(|kind| usize::from(*kind == RESET)).sum::<usize>();
    assert!(resets + 64 >= sent || kinds.contains(&GO_AWAY), "{resets} resets of {sent} streams");
    let after = server.metric("capsweep_resident_memory_bytes", "");
    assert!(after < before + 100e6, "{before} {after}");
}
