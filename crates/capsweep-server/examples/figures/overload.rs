//! Twice as many calls as a server can serve: open loop, client and server on a core each.

use crate::process::Server;
use crate::raw::Raw;
use crate::work::{BATCH, Folder, dungeon, quantile, sweeps};
use bytes::Bytes;
use capsweep_client::proto::v1;
use capsweep_testkit::Rng;
use http::uri::PathAndQuery;
use prost::Message as _;
use std::process::Command;
use std::sync::Arc;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use tonic::client::Grpc;
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Request};

/// Time of each load.
const TIME: Duration = Duration::from_secs(10);

/// Starts the server on core 0 and this program again on core 1.
pub(crate) fn print() {
    let folder = Folder::new();
    let (path, scene) = dungeon(&folder);
    let arguments = ["--world", path.to_str().unwrap(), "--threads", "1"];
    let server = Server::start(Some(0), &arguments);
    let request = v1::SweepBatchRequest::from(&sweeps(&scene, 3, BATCH)[..]);
    let file = folder.0.join("request");
    std::fs::write(&file, request.encode_to_vec()).unwrap();
    println!("open loop, batches of {BATCH}, client and server on a core each");
    println!("server memory before {:.1} MB", server.memory());
    let status = Command::new("taskset")
        .args(["-c", "1"])
        .arg(std::env::current_exe().unwrap())
        .args(["load", &server.address.to_string(), file.to_str().unwrap()])
        .status()
        .unwrap();
    assert!(status.success());
    println!("server memory after {:.1} MB", server.memory());
}

/// What became of the calls of one load (seconds).
#[derive(Default)]
struct Outcome {
    accepted: Vec<f64>,
    refused: Vec<f64>,
    others: usize,
    /// How late this program itself started the call that it started latest. A call cannot be
    /// timed better than that.
    latest: f64,
}

async fn call(channel: Channel, message: Bytes) -> (Code, f64) {
    let mut grpc = Grpc::new(channel).max_decoding_message_size(64 << 20);
    let started = Instant::now();
    if grpc.ready().await.is_err() {
        return (Code::Unavailable, 0.0);
    }
    let path = PathAndQuery::from_static("/capsweep.v1.Physics/SweepBatch");
    let answer = grpc.unary(Request::new(message), path, Raw).await;
    let code = answer.map_or_else(|status| status.code(), |_| Code::Ok);
    (code, started.elapsed().as_secs_f64())
}

/// Connections, so that none is at its limit of calls.
const CONNECTIONS: usize = 4;

pub(crate) async fn load(address: &str, file: &str) {
    let message = Bytes::from(std::fs::read(file).unwrap());
    let mut channels = Vec::new();
    for _ in 0..CONNECTIONS {
        let endpoint = Endpoint::from_shared(format!("http://{address}")).unwrap();
        let endpoint = endpoint.initial_stream_window_size(1 << 20);
        let endpoint = endpoint.initial_connection_window_size(16 << 20);
        channels.push(endpoint.tcp_nodelay(true).connect().await.unwrap());
    }
    // What it can serve: three callers that wait for their answers.
    let started = Instant::now();
    let callers = (0..3).map(|index: usize| {
        let (channel, message) = (channels[index].clone(), message.clone());
        async move {
            let mut count = 0_u32;
            while started.elapsed() < TIME / 2 {
                assert_eq!(call(channel.clone(), message.clone()).await.0, Code::Ok);
                count += 1;
            }
            count
        }
    });
    let count: u32 = futures_util::future::join_all(callers).await.iter().sum();
    let capacity = f64::from(count) / started.elapsed().as_secs_f64();
    println!("it can serve {capacity:.0} batches in a second");
    print!("load    offered/s   accepted/s   p50 ms   p99 ms   refused/s   p99 ms   max ms");
    println!("   client late by max ms");
    let mut p99 = Vec::new();
    for part in [0.8, 2.0] {
        let Outcome { accepted, refused, others, latest } =
            open_loop(&channels, &message, part * capacity).await;
        assert_eq!(others, 0, "other errors");
        let of = |times: &[f64], part| 1e3 * quantile(times.to_vec(), part);
        println!(
            "{:>4.0} % {:>11.0} {:>12.0} {:>8.2} {:>8.2} {:>11.0} {:>8.2} {:>8.2} {:>23.2}",
            100.0 * part,
            part * capacity,
            accepted.len() as f64 / TIME.as_secs_f64(),
            of(&accepted, 500),
            of(&accepted, 990),
            refused.len() as f64 / TIME.as_secs_f64(),
            of(&refused, 990),
            of(&refused, 1000),
            1e3 * latest
        );
        p99.push(of(&accepted, 990));
    }
    println!("ratio of the accepted ones' p99: {:.2}", p99[1] / p99[0]);
}

/// Calls that start at random times, whether others have ended or not.
async fn open_loop(channels: &[Channel], message: &Bytes, rate: f64) -> Outcome {
    let outcome = Arc::new(Mutex::new(Outcome::default()));
    let mut rng = Rng::new(&[24, 30]);
    let started = Instant::now();
    let (mut next, mut index, mut latest) = (0.0, 0, 0.0_f64);
    let mut calls = tokio::task::JoinSet::new();
    while next < TIME.as_secs_f64() {
        // A pause of the kind that independent callers make.
        next -= (1.0 - rng.unit()).ln() / rate;
        tokio::time::sleep_until((started + Duration::from_secs_f64(next)).into()).await;
        latest = latest.max(started.elapsed().as_secs_f64() - next);
        let (channel, message) = (channels[index % channels.len()].clone(), message.clone());
        let outcome = Arc::clone(&outcome);
        calls.spawn(async move {
            let (code, took) = call(channel, message).await;
            let mut outcome = outcome.lock().unwrap();
            match code {
                Code::Ok => outcome.accepted.push(took),
                Code::ResourceExhausted => outcome.refused.push(took),
                _ => outcome.others += 1,
            }
        });
        index += 1;
    }
    while calls.join_next().await.is_some() {}
    let outcome = Arc::into_inner(outcome).unwrap().into_inner().unwrap();
    Outcome { latest, ..outcome }
}
