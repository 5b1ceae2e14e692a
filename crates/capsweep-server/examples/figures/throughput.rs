//! Batches of 1 000, with the client on the same two cores.

use crate::process::Server;
use crate::work::{BATCH, Folder, characters, controller, dungeon, median, step, sweeps};
use capsweep::cache::TriangleCache;
use capsweep::controller::{CharacterState, MoveJob};
use capsweep::query::batch;
use capsweep::scene::Scene;
use capsweep_client::proto::{MoveQuery, Omit};
use capsweep_client::{Client, MoveStream};
use futures_util::future::join_all;
use glam::DVec3;
use std::time::{Duration, Instant};

/// Time of one measurement; library and service take turns.
const TURN: Duration = Duration::from_millis(800);
const TURNS: usize = 7;
/// Turns of moves, which are shorter.
const MOVE_TURNS: usize = 15;
/// Callers at the same time.
const CALLERS: usize = 3;

/// Measures what is named, or everything.
pub(crate) async fn print(only: Option<&str>) {
    let folder = Folder::new();
    let (path, scene) = dungeon(&folder);
    let server = Server::start(None, &["--world", path.to_str().unwrap()]);
    let wanted = |name: &str| only.is_none_or(|only| only == name);
    println!("batches of {BATCH}, client on the same cores");
    println!("what          library/s   service/s   share   library µs   server µs   more µs");
    if wanted("sweeps") {
        row("SweepBatch", sweep_turns(&server, &scene).await);
    }
    if wanted("moves") {
        row("MoveStream", move_turns(&server, &scene, Way::Stream).await);
        row(" states only", move_turns(&server, &scene, Way::States).await);
        row("MoveBatch", move_turns(&server, &scene, Way::Batch).await);
    }
}

/// Seconds that this process has spent on all cores.
fn cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    // User and system time, in hundredths: fields 14 and 15, behind the name in parentheses.
    let fields = stat.rsplit_once(')').unwrap().1.split_whitespace().skip(11).take(2);
    fields.map(|field| field.parse::<f64>().unwrap() / 100.0).sum()
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
    let (share, more) = (100.0 * service / library, served - alone);
    print!("{what:<12} {library:>10.0} {service:>11.0} {share:>6.0} % ");
    println!("{alone:>11.2} {served:>11.2} {more:>9.2}");
}

async fn sweep_turns(server: &Server, scene: &Scene) -> Turns {
    let queries: Vec<_> = (0..8).map(|seed| sweeps(scene, seed, BATCH)).collect();
    let mut turns =
        Turns { library: Vec::new(), service: Vec::new(), library_time: 0.0, server_time: 0.0 };
    let (mut served, mut spent, mut asked, mut alone) = (0, 0.0, 0, 0.0);
    for _ in 0..TURNS {
        let library = |turn: Duration| {
            let (started, mut count, mut out) = (Instant::now(), 0, Vec::new());
            while started.elapsed() < turn {
                batch::sweep(scene, &queries[count % 8], &mut out);
                count += 1;
            }
            (count * BATCH, started.elapsed().as_secs_f64())
        };
        let before = cpu();
        let (count, took) = library(TURN);
        turns.library.push(count as f64 / took);
        alone += cpu() - before;
        asked += count;
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
        spent += server.cpu() - before;
    }
    // Sums, because the system counts in hundredths of a second.
    (turns.library_time, turns.server_time) = (alone / asked as f64, spent / served as f64);
    turns
}

/// Ticks of a turn. Library and service move the same characters from the same places.
const TICKS: usize = 60;

/// How characters are moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// In a stream, which keeps a cache for each character. So does the library's batch.
    Stream,
    /// In a stream, whose answers hold only states and flags.
    States,
    /// In calls, which keep nothing. The library has its caches off, too.
    Batch,
}

impl Way {
    /// Callers at the same time: more calls would be refused, since two cores have their fill of
    /// work then.
    fn callers(self) -> u64 {
        match self {
            Self::Stream | Self::States => CALLERS as u64,
            Self::Batch => 2,
        }
    }
}

/// Jobs of the library, and where each character walks.
type Crowd = (Vec<MoveJob>, Vec<DVec3>);

/// Moves crowds by the library in turn, as the service does. Returns moves in a second.
fn library_moves(scene: &Scene, crowds: &mut [Crowd]) -> f64 {
    let controller = controller();
    let started = Instant::now();
    for tick in 0..TICKS {
        for (jobs, ways) in crowds.iter_mut() {
            controller.move_all(scene, jobs);
            for (job, way) in jobs.iter_mut().zip(&mut *ways) {
                job.then(step(way, tick));
            }
        }
    }
    (crowds.len() * TICKS * BATCH) as f64 / started.elapsed().as_secs_f64()
}

async fn move_turns(server: &Server, scene: &Scene, way: Way) -> Turns {
    let mut turns =
        Turns { library: Vec::new(), service: Vec::new(), library_time: 0.0, server_time: 0.0 };
    let crowds: Vec<_> = (0..way.callers()).map(|seed| characters(scene, seed, BATCH)).collect();
    let job = |(state, mut direction): (_, DVec3)| {
        let mut job = MoveJob::new(state, step(&mut direction, 0));
        if way == Way::Batch {
            job.cache = TriangleCache::off();
        }
        (job, direction)
    };
    let names: Vec<u64> = (0..BATCH as u64).collect();
    let (mut served, mut spent, mut alone) = (0, 0.0, 0.0);
    for _ in 0..MOVE_TURNS {
        let mut jobs: Vec<Crowd> =
            crowds.iter().map(|crowd| crowd.iter().copied().map(job).unzip()).collect();
        let before = cpu();
        turns.library.push(library_moves(scene, &mut jobs));
        alone += cpu() - before;
        let mut walkers = Vec::new();
        for crowd in crowds.clone() {
            walkers.push((Walker::new(server, way).await, crowd));
        }
        let (started, before) = (Instant::now(), server.cpu());
        join_all(walkers.iter_mut().map(|(walker, crowd)| walker.walk(crowd, &names))).await;
        let count = crowds.len() * TICKS * BATCH;
        turns.service.push(count as f64 / started.elapsed().as_secs_f64());
        served += count;
        spent += server.cpu() - before;
    }
    // The library made the same moves.
    (turns.library_time, turns.server_time) = (alone / served as f64, spent / served as f64);
    turns
}

/// Moves crowds by the service.
enum Walker {
    Stream(Box<MoveStream>),
    Batch(Box<Client>),
}

impl Walker {
    async fn new(server: &Server, way: Way) -> Self {
        let client = server.client();
        match way {
            Way::Stream | Way::States => {
                let omit = if way == Way::States { Omit::ALL } else { Omit::NONE };
                let world = client.world("").without(omit);
                Self::Stream(Box::new(world.move_stream(controller()).await.unwrap()))
            }
            Way::Batch => Self::Batch(Box::new(client)),
        }
    }

    async fn walk(&mut self, crowd: &mut [(CharacterState, DVec3)], names: &[u64]) {
        for tick in 0..TICKS {
            let query =
                |(state, way): &mut (_, _)| MoveQuery { state: *state, input: step(way, tick) };
            let queries: Vec<_> = crowd.iter_mut().map(query).collect();
            let moved = match self {
                Self::Stream(stream) => stream.make_moves(names, &queries).await.unwrap(),
                Self::Batch(client) => {
                    client.world("").move_batch(&controller(), &queries).await.unwrap()
                }
            };
            for ((state, _), moved) in crowd.iter_mut().zip(moved.value) {
                *state = moved.unwrap().outcome.state;
            }
        }
    }
}
