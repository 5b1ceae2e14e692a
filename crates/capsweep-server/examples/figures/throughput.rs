//! Batches of 1 000, with the client on the same two cores.

use crate::process::Server;
use crate::work::{BATCH, Folder, characters, controller, dungeon, median, step, sweeps};
use capsweep::controller::MoveJob;
use capsweep::query::batch;
use capsweep::scene::Scene;
use capsweep_client::Client;
use capsweep_client::proto::MoveQuery;
use futures_util::future::join_all;
use std::time::{Duration, Instant};

/// Time of one measurement; library and service take turns.
const TURN: Duration = Duration::from_millis(800);
const TURNS: usize = 7;
/// Callers at the same time.
const CALLERS: usize = 3;

pub(crate) async fn print() {
    let folder = Folder::new();
    let (path, scene) = dungeon(&folder);
    let server = Server::start(None, &["--world", path.to_str().unwrap()]);
    println!("batches of {BATCH}, client on the same cores");
    println!("what        library/s   service/s   share   library µs   server µs   more µs");
    row("sweeps", sweep_turns(&server, &scene).await);
    row("moves", move_turns(&server, &scene).await);
}

/// Queries in a second of the library and of the service, and seconds on cores for a query.
struct Turns {
    library: Vec<f64>,
    service: Vec<f64>,
    library_time: f64,
    server_time: f64,
}

fn row(what: &str, turns: Turns) {
    let (library, service) = (median(turns.library), median(turns.service));
    let [alone, served] = [turns.library_time, turns.server_time].map(|seconds| seconds * 1e6);
    println!(
        "{what:<8} {library:>12.0} {service:>11.0} {:>6.0} % {alone:>11.2} {served:>11.2} {:>9.2}",
        100.0 * service / library,
        served - alone
    );
}

async fn sweep_turns(server: &Server, scene: &Scene) -> Turns {
    let queries: Vec<_> = (0..8).map(|seed| sweeps(scene, seed, BATCH)).collect();
    let mut turns =
        Turns { library: Vec::new(), service: Vec::new(), library_time: 0.0, server_time: 0.0 };
    let (mut served, mut cpu) = (0, 0.0);
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let mut times = Vec::new();
    for _ in 0..TURNS {
        let library = |turn: Duration| {
            let (started, mut count, mut out) = (Instant::now(), 0, Vec::new());
            while started.elapsed() < turn {
                batch::sweep(scene, &queries[count % 8], &mut out);
                count += 1;
            }
            (count * BATCH) as f64 / started.elapsed().as_secs_f64()
        };
        turns.library.push(library(TURN));
        times.push(1.0 / one_thread.install(|| library(TURN / 2)));
        let (started, before) = (Instant::now(), server.cpu());
        let caller = |client: Client| {
            let queries = &queries;
            async move {
                let (calls, mut count) = (client.world(""), 0);
                while started.elapsed() < TURN {
                    calls.sweep_batch(&queries[count % 8]).await.unwrap();
                    count += 1;
                }
                count
            }
        };
        let counts = join_all((0..CALLERS).map(|_| caller(server.client()))).await;
        let count = counts.iter().sum::<usize>() * BATCH;
        turns.service.push(count as f64 / started.elapsed().as_secs_f64());
        served += count;
        cpu += server.cpu() - before;
    }
    (turns.library_time, turns.server_time) = (median(times), cpu / served as f64);
    turns
}

async fn move_turns(server: &Server, scene: &Scene) -> Turns {
    let controller = controller();
    let mut turns =
        Turns { library: Vec::new(), service: Vec::new(), library_time: 0.0, server_time: 0.0 };
    let (mut ways, mut jobs) = (Vec::new(), Vec::new());
    for (state, mut way) in characters(scene, 1, BATCH) {
        jobs.push(MoveJob::new(state, step(&mut way, 0)));
        ways.push(way);
    }
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let mut crowds: Vec<_> =
        (0..CALLERS as u64).map(|seed| characters(scene, seed, BATCH)).collect();
    let names: Vec<u64> = (0..BATCH as u64).collect();
    let mut ticks = [0; CALLERS];
    let mut streams = Vec::new();
    for _ in 0..CALLERS {
        streams.push(server.client().world("").move_stream(controller).await.unwrap());
    }
    let (mut tick, mut served, mut cpu, mut times) = (0, 0, 0.0, Vec::new());
    for _ in 0..TURNS {
        let mut library = |turn: Duration| {
            let (started, mut count) = (Instant::now(), 0);
            while started.elapsed() < turn {
                controller.move_all(scene, &mut jobs);
                for (job, way) in jobs.iter_mut().zip(&mut ways) {
                    job.then(step(way, tick));
                }
                (tick, count) = (tick + 1, count + 1);
            }
            (count * BATCH) as f64 / started.elapsed().as_secs_f64()
        };
        turns.library.push(library(TURN));
        times.push(1.0 / one_thread.install(|| library(TURN / 2)));
        let (started, before) = (Instant::now(), server.cpu());
        let callers = streams.iter_mut().zip(&mut crowds).zip(&mut ticks);
        let callers = callers.map(|((stream, crowd), tick)| {
            let names = &names;
            async move {
                let mut count = 0;
                while started.elapsed() < TURN {
                    let query = |(state, way): &mut (_, _)| MoveQuery {
                        state: *state,
                        input: step(way, *tick),
                    };
                    let queries: Vec<_> = crowd.iter_mut().map(query).collect();
                    let moved = stream.make_moves(names, &queries).await.unwrap();
                    for ((state, _), moved) in crowd.iter_mut().zip(moved.value) {
                        *state = moved.unwrap().outcome.state;
                    }
                    *tick += 1;
                    count += 1;
                }
                count
            }
        });
        let count = join_all(callers).await.iter().sum::<usize>() * BATCH;
        turns.service.push(count as f64 / started.elapsed().as_secs_f64());
        served += count;
        cpu += server.cpu() - before;
    }
    (turns.library_time, turns.server_time) = (median(times), cpu / served as f64);
    turns
}
