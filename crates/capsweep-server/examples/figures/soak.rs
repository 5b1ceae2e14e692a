//! A long run at 80 % load, with a world swap every 5 s: no error, no wrong answer, flat memory.

use crate::process::Server;
use crate::work::{BATCH, Folder, dungeon, sweeps};
use capsweep::query::batch;
use capsweep::scene::SceneHit;
use capsweep::scene::{Body, Mobility, Scene, Shape};
use capsweep::{Sphere, SweepHit};
use capsweep_client::Client;
use capsweep_formats::{LoadOptions, Names, scene_file};
use futures_util::future::join_all;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const CALLERS: usize = 3;
const SWAP: Duration = Duration::from_secs(5);

/// The bits of answers.
fn bits(found: &[Option<SceneHit<SweepHit>>]) -> u64 {
    // A change of any digit changes the text.
    let text = format!("{found:?}");
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    text.as_bytes().iter().fold(0xcbf2_9ce4_8422_2325, step)
}

fn write(path: &Path, scene: &Scene) -> Scene {
    scene_file::write(path, scene, &Names::new(Vec::new(), Vec::new())).unwrap();
    capsweep_formats::open(path, &LoadOptions::default()).unwrap().scene
}

pub(crate) async fn print(time: Duration) {
    let folder = Folder::new();
    let (live, scene) = dungeon(&folder);
    let mut other = scene.clone();
    let middle = scene.bodies().find_map(|(_, body)| body.bounds()).unwrap().center();
    let sphere = Sphere::new(middle, 8.0).unwrap();
    other.insert(Body::shape(Shape::Sphere(sphere)).with_key(9).with_mobility(Mobility::Static));
    let files = [folder.0.join("0"), folder.0.join("1")];
    let scenes = [write(&files[0], &scene), write(&files[1], &other)];
    let batches: Vec<_> = (0..8).map(|seed| sweeps(&scene, seed, BATCH)).collect();
    let expected: Vec<[u64; 2]> = batches
        .iter()
        .map(|queries| {
            scenes.each_ref().map(|scene| {
                let mut found = Vec::new();
                batch::sweep(scene, queries, &mut found);
                bits(&found)
            })
        })
        .collect();
    let put = |version: usize| {
        std::fs::copy(&files[version], folder.0.join("next")).unwrap();
        std::fs::rename(folder.0.join("next"), &live).unwrap();
    };
    put(0);
    let server = Server::start(None, &["--world", live.to_str().unwrap()]);
    let revision = |client: Client| async move { client.worlds().await.unwrap()[0].revision };
    let mut revisions = HashMap::from([(revision(server.client()).await, 0)]);
    put(1);
    server.hang_up();
    while revisions.len() < 2 {
        tokio::time::sleep(Duration::from_millis(20)).await;
        let now = revision(server.client()).await;
        revisions.entry(now).or_insert(1);
    }
    let state = Arc::new((batches, expected, revisions, AtomicU64::new(0)));
    // What it can serve, with clients that compare every answer.
    let most = run(&server, &state, Duration::from_secs(10), None).await;
    println!("it can serve {most:.1} batches in a second, compared in bits");
    let pace = Duration::from_secs_f64(CALLERS as f64 / (0.8 * most));
    let started = Instant::now();
    let swaps = async {
        let mut memory = Vec::new();
        let mut version = 0;
        while started.elapsed() < time {
            put(version);
            server.hang_up();
            version = 1 - version;
            tokio::time::sleep(SWAP).await;
            memory.push(server.memory());
        }
        memory
    };
    let (rate, memory) = tokio::join!(run(&server, &state, time, Some(pace)), swaps);
    let tenth = (memory.len() / 10).max(1);
    let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
    let (early, late) =
        (mean(&memory[..tenth.min(memory.len())]), mean(&memory[memory.len() - tenth..]));
    println!(
        "{:.0} min, {rate:.1} batches in a second ({:.0} %), {} calls, {} swaps",
        time.as_secs_f64() / 60.0,
        100.0 * rate / most,
        state.3.load(Ordering::Relaxed),
        memory.len()
    );
    let largest = memory.iter().copied().fold(0.0, f64::max);
    println!(
        "0 errors, 0 wrong answers, server memory {early:.1} MB in the first tenth, \
         {late:.1} in the last, {largest:.1} at most"
    );
}

type State =
    (Vec<Vec<capsweep::query::batch::SweepQuery>>, Vec<[u64; 2]>, HashMap<u64, usize>, AtomicU64);

/// Calls for a time, at a pace or as fast as answers come. Returns batches in a second.
async fn run(server: &Server, state: &Arc<State>, time: Duration, pace: Option<Duration>) -> f64 {
    let started = Instant::now();
    let caller = |index: usize| {
        let (client, state) = (server.client(), Arc::clone(state));
        tokio::spawn(async move {
            let (calls, mut count) = (client.world(""), 0_u32);
            while started.elapsed() < time {
                if let Some(pace) = pace {
                    let offset = pace.mul_f64(index as f64 / CALLERS as f64);
                    tokio::time::sleep_until((started + offset + pace * count).into()).await;
                }
                let (batches, expected, revisions, done) = &*state;
                let number = (count as usize + index) % batches.len();
                let answer = calls.sweep_batch(&batches[number]).await.unwrap();
                let version = revisions[&answer.revision];
                let found: Vec<_> = answer.value.into_iter().map(Result::unwrap).collect();
                assert_eq!(bits(&found), expected[number][version], "a wrong answer");
                done.fetch_add(1, Ordering::Relaxed);
                count += 1;
            }
            count
        })
    };
    let counts = join_all((0..CALLERS).map(caller)).await;
    let count: u32 = counts.into_iter().map(Result::unwrap).sum();
    f64::from(count) / started.elapsed().as_secs_f64()
}
