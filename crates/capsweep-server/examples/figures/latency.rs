//! One sweep per call, beside an empty call to a bare tonic server.

use crate::process::Server;
use crate::raw::Raw;
use crate::work::{Folder, dungeon, median, sweeps};
use bytes::Bytes;
use capsweep_client::proto::v1;
use http::uri::PathAndQuery;
use std::convert::Infallible;
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::task::{Context, Poll};
use std::time::Instant;
use tonic::body::Body;
use tonic::client::Grpc;
use tonic::codegen::{BoxFuture, http as codegen_http};
use tonic::server::{NamedService, UnaryService};
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Response, Status};

/// Calls of a turn; the two servers take turns.
const CALLS: usize = 500;
const TURNS: usize = 20;

pub(crate) async fn print() {
    let folder = Folder::new();
    let (path, scene) = dungeon(&folder);
    let server = Server::start(None, &["--world", path.to_str().unwrap()]);
    let mut empty = Command::new(std::env::current_exe().unwrap())
        .arg("empty-server")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut address = String::new();
    BufReader::new(empty.stdout.take().unwrap()).read_line(&mut address).unwrap();
    let connect = |address: String| async move {
        Endpoint::from_shared(format!("http://{}", address.trim()))
            .unwrap()
            .connect()
            .await
            .unwrap()
    };
    let empty_channel = connect(address).await;
    let channel = connect(server.address.to_string()).await;
    let mut physics = v1::physics_client::PhysicsClient::new(channel);
    let queries = sweeps(&scene, 9, CALLS);
    let (mut of_empty, mut of_sweeps) = (Vec::new(), Vec::new());
    for turn in 0..TURNS {
        for query in &queries {
            let started = Instant::now();
            call_empty(&empty_channel).await;
            let took = started.elapsed().as_secs_f64();
            let request = v1::SweepRequest::from(query);
            let started = Instant::now();
            physics.sweep(request).await.unwrap();
            // The first turn warms up.
            if turn > 0 {
                of_empty.push(took);
                of_sweeps.push(started.elapsed().as_secs_f64());
            }
        }
    }
    let _ = empty.kill();
    let _ = empty.wait();
    let (of_empty, of_sweeps) = (median(of_empty), median(of_sweeps));
    println!("one sweep per call, 1 connection");
    println!(
        "empty call {:.1} µs, sweep {:.1} µs, ratio {:.2}",
        of_empty * 1e6,
        of_sweeps * 1e6,
        of_sweeps / of_empty
    );
}

async fn call_empty(channel: &Channel) {
    let mut grpc = Grpc::new(channel.clone());
    grpc.ready().await.unwrap();
    let path = PathAndQuery::from_static("/empty.Empty/Call");
    grpc.unary(Request::new(Bytes::new()), path, Raw).await.unwrap();
}

/// A bare tonic server with one empty call.
#[derive(Debug, Clone)]
struct Empty;

impl NamedService for Empty {
    const NAME: &'static str = "empty.Empty";
}

impl UnaryService<Bytes> for Empty {
    type Response = Bytes;
    type Future = BoxFuture<Response<Bytes>, Status>;

    fn call(&mut self, _: Request<Bytes>) -> Self::Future {
        Box::pin(async { Ok(Response::new(Bytes::new())) })
    }
}

impl tonic::codegen::Service<codegen_http::Request<Body>> for Empty {
    type Response = codegen_http::Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<Self::Response, Infallible>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: codegen_http::Request<Body>) -> Self::Future {
        Box::pin(async move { Ok(tonic::server::Grpc::new(Raw).unary(Empty, request).await) })
    }
}

pub(crate) async fn serve_empty() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    println!("{}", listener.local_addr().unwrap());
    let incoming = tonic::transport::server::TcpIncoming::from(listener).with_nodelay(Some(true));
    tonic::transport::Server::builder()
        .add_service(Empty)
        .serve_with_incoming(incoming)
        .await
        .unwrap();
}
