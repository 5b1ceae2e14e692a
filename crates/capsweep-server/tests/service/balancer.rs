//! Three replicas behind HAProxy: kills, drains and swaps. Every call is answered, and right.

use crate::cases::{Cases, bits, scene_of, write_world};
use crate::process::{Folder, PATIENCE, Server, has_tool, repository};
use crate::security::Certificates;
use crate::swap::reload;
use capsweep::query::batch;
use capsweep::query::batch::SweepQuery;
use capsweep_client::{Client, Options};
use std::collections::HashMap;
use std::fs;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A running HAProxy. It is killed when the test ends.
struct Balancer {
    child: Child,
    address: SocketAddr,
}

impl Drop for Balancer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A port that is free now. It is below those that the system gives to other sockets, so it stays
/// free until a replica starts there again.
fn free_port() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let first = 20_000 + (std::process::id() % 1_000) as u16 * 10;
    loop {
        let port = first + NEXT.fetch_add(1, Ordering::Relaxed);
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}

/// Starts HAProxy with a file of `deploy/`, on other ports.
fn balance(
    folder: &Folder,
    name: &str,
    ports: &[(u16, u16)],
    files: &[(&str, &Path)],
) -> Balancer {
    let text = fs::read_to_string(repository().join("deploy").join(name)).unwrap();
    let front = free_port();
    let mut config = text.replace("127.0.0.1:50050", &format!("127.0.0.1:{front}"));
    for ((server, admin), number) in ports.iter().zip(["5", "6", "7"]) {
        let default = format!("127.0.0.1:500{number}1 port 500{number}2");
        assert!(config.contains(&default), "{default}");
        config = config.replace(&default, &format!("127.0.0.1:{server} port {admin}"));
    }
    for (installed, path) in files {
        assert!(config.contains(installed));
        config = config.replace(installed, path.to_str().unwrap());
    }
    let path = folder.file(name);
    fs::write(&path, config).unwrap();
    let mut child = Command::new("haproxy")
        .args(["-db", "-f"])
        .arg(&path)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let address = SocketAddr::from(([127, 0, 0, 1], front));
    let end = Instant::now() + PATIENCE;
    while TcpStream::connect(address).is_err() {
        assert!(child.try_wait().unwrap().is_none(), "haproxy ended: see {name}");
        assert!(Instant::now() < end);
        std::thread::sleep(Duration::from_millis(20));
    }
    Balancer { child, address }
}

/// What the callers ask, and what each version of the world answers.
struct Work {
    queries: Vec<SweepQuery>,
    expected: Vec<String>,
    revisions: HashMap<u64, usize>,
    is_over: AtomicBool,
    calls: AtomicU64,
}

/// Calls until the work is over. Panics on an error or a wrong answer.
async fn call(client: Client, work: Arc<Work>) -> [u64; 2] {
    let mut counts = [0; 2];
    while !work.is_over.load(Ordering::Relaxed) {
        let answer = client.world("live").sweep_batch(&work.queries).await;
        let answer = answer.unwrap_or_else(|error| panic!("a call was lost: {error}"));
        let version = work.revisions[&answer.revision];
        let found: Vec<_> = answer.value.into_iter().map(Result::unwrap).collect();
        assert_eq!(bits(&found), work.expected[version], "a wrong answer");
        let one = client.world("live").sweep(&work.queries[0]).await;
        let one = one.unwrap_or_else(|error| panic!("a call was lost: {error}"));
        let expected = &work.expected[work.revisions[&one.revision]];
        assert!(expected.starts_with(&format!("[{}, ", bits(&one.value))), "a wrong answer");
        counts[version] += 1;
        work.calls.fetch_add(2, Ordering::Relaxed);
    }
    counts
}

/// Lets the callers make some calls.
async fn some_calls(work: &Work, calls: u64) {
    let before = work.calls.load(Ordering::Relaxed);
    let end = Instant::now() + PATIENCE;
    while work.calls.load(Ordering::Relaxed) < before + calls {
        assert!(Instant::now() < end, "no calls are answered");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

async fn until_ready(server: &Server) {
    let end = Instant::now() + PATIENCE;
    while server.page("/ready").0 != 200 {
        assert!(Instant::now() < end);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    // HAProxy looks every half second.
    tokio::time::sleep(Duration::from_millis(700)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_call_is_lost_behind_haproxy_while_replicas_die_drain_and_swap() {
    if !has_tool("haproxy", &["-v"]) {
        return;
    }
    let folder = Folder::new();
    let versions: Vec<_> =
        (0..2).map(|v| write_world(&folder, &format!("{v}.capsweep"), v as f32 * 0.25)).collect();
    let ports: Vec<_> = (0..3).map(|_| (free_port(), free_port())).collect();
    let lives: Vec<_> = (0..3).map(|index| folder.file(&format!("live{index}"))).collect();
    let put = |replica: usize, version: usize| {
        fs::copy(&versions[version], folder.file("next")).unwrap();
        fs::rename(folder.file("next"), &lives[replica]).unwrap();
    };
    let start = |replica: usize| {
        let (listen, admin) = ports[replica];
        let world = format!("live={}", lives[replica].display());
        let address = |port: u16| format!("127.0.0.1:{port}");
        Server::start_at(&address(listen), &address(admin), &["--world", &world])
    };
    (0..3).for_each(|replica| put(replica, 0));
    let mut replicas: Vec<Server> = (0..3).map(start).collect();
    let scenes: Vec<_> = versions.iter().map(|path| scene_of(path)).collect();
    let mut cases = Cases::new(&scenes[0], 15);
    let queries: Vec<_> = (0..50).map(|_| cases.sweep()).collect();
    let expected = scenes.iter().map(|scene| {
        let mut found = Vec::new();
        batch::sweep(scene, &queries, &mut found);
        bits(&found)
    });
    let expected: Vec<String> = expected.collect();
    let mut revisions = HashMap::new();
    for version in [1, 0] {
        put(0, version);
        revisions.insert(reload(&replicas[0]).await[0].revision, version);
    }
    let balancer = balance(&folder, "haproxy.cfg", &ports, &[]);
    let address = format!("http://{}", balancer.address);
    let work = Arc::new(Work {
        queries,
        expected,
        revisions,
        is_over: AtomicBool::new(false),
        calls: AtomicU64::new(0),
    });
    let callers: Vec<_> = (0..4)
        .map(|_| {
            let client = Client::connect(&address, Options::default()).unwrap();
            tokio::spawn(call(client, Arc::clone(&work)))
        })
        .collect();
    some_calls(&work, 20).await;
    for kill in 0..10 {
        let victim = kill % 3;
        replicas[victim].signal("KILL");
        replicas[victim].wait();
        some_calls(&work, 10).await;
        replicas[victim] = start(victim);
        until_ready(&replicas[victim]).await;
    }
    replicas[1].signal("TERM");
    assert_eq!(replicas[1].wait().code(), Some(0));
    some_calls(&work, 10).await;
    replicas[1] = start(1);
    until_ready(&replicas[1]).await;
    for version in [1, 0, 1] {
        for (index, replica) in replicas.iter().enumerate() {
            put(index, version);
            assert_eq!(reload(replica).await[0].error, "");
            some_calls(&work, 10).await;
        }
    }
    work.is_over.store(true, Ordering::Relaxed);
    let mut counts = [0; 2];
    for caller in callers {
        let of_caller = caller.await.unwrap();
        counts = [counts[0] + of_caller[0], counts[1] + of_caller[1]];
    }
    assert!(counts[0] > 0 && counts[1] > 0, "{counts:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn haproxy_reaches_replicas_over_tls() {
    if !has_tool("haproxy", &["-v"]) {
        return;
    }
    let folder = Folder::new();
    let files = Certificates::new(&folder);
    let replicas: Vec<Server> = (0..3).map(|_| Server::start(&files.arguments())).collect();
    let ports: Vec<_> =
        replicas.iter().map(|server| (server.address.port(), server.admin.port())).collect();
    let pem = folder.file("haproxy.pem");
    let (certificate, key) = (&files.client.0, &files.client.1);
    let both = [fs::read(certificate).unwrap(), fs::read(key).unwrap()].concat();
    fs::write(&pem, both).unwrap();
    let names = [("/etc/capsweep/ca.pem", &*files.ca), ("/etc/capsweep/haproxy.pem", &*pem)];
    let balancer = balance(&folder, "haproxy-tls.cfg", &ports, &names);
    let address = format!("http://{}", balancer.address);
    let client = Client::connect(&address, Options::default()).unwrap();
    // HAProxy first takes the replicas for ready. It looks every half second, so calls find none
    // after a moment if it cannot read what they say.
    let end = Instant::now() + Duration::from_secs(3);
    while Instant::now() < end {
        assert_eq!(client.worlds().await.unwrap()[0].name, "course");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
