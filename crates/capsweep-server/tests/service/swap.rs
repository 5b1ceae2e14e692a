//! Worlds are swapped under load: no call fails, and each is answered by the world it names.

use crate::cases::{Cases, bits, scene_of, write_world};
use crate::process::{Folder, PATIENCE, Server};
use capsweep::query::batch;
use capsweep_client::proto::v1;
use capsweep_client::proto::v1::admin_client::AdminClient;
use std::collections::HashMap;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;
use tonic::Code;
use tonic::transport::{Channel, Endpoint};

pub(crate) async fn admin(server: &Server) -> AdminClient<Channel> {
    let address = format!("http://{}", server.admin);
    AdminClient::new(Endpoint::from_shared(address).unwrap().connect().await.unwrap())
}

pub(crate) async fn reload(server: &Server) -> Vec<v1::Reloaded> {
    let request = v1::ReloadRequest { worlds: Vec::new() };
    admin(server).await.reload(request).await.unwrap().into_inner().worlds
}

#[tokio::test(flavor = "multi_thread")]
async fn worlds_are_swapped_under_load() {
    let folder = Folder::new();
    let versions: Vec<_> =
        (0..2).map(|v| write_world(&folder, &format!("{v}.capsweep"), v as f32 * 0.25)).collect();
    let live = folder.file("live.capsweep");
    let put = |version: usize| {
        // A rename, so that no reader sees half a file.
        fs::copy(&versions[version], folder.file("next")).unwrap();
        fs::rename(folder.file("next"), &live).unwrap();
    };
    put(0);
    let server = Server::start(&["--world", &format!("live={}", live.display())]);
    let scenes: Vec<_> = versions.iter().map(|path| scene_of(path)).collect();
    let mut cases = Cases::new(&scenes[0], 8);
    let queries: Vec<_> = (0..200).map(|_| cases.sweep()).collect();
    let expected: Vec<String> = scenes
        .iter()
        .map(|scene| {
            let mut found = Vec::new();
            batch::sweep(scene, &queries, &mut found);
            bits(&found)
        })
        .collect();
    assert_ne!(expected[0], expected[1]);
    let mut revisions = HashMap::new();
    revisions.insert(server.client().worlds().await.unwrap()[0].revision, 0);
    put(1);
    revisions.insert(reload(&server).await[0].revision, 1);
    assert_eq!(revisions.len(), 2, "other content, other revision");
    let (is_over, revisions) = (Arc::new(AtomicBool::new(false)), Arc::new(revisions));
    let shared = Arc::new((queries, expected));
    let counts: Arc<[[AtomicU64; 2]; 3]> = Arc::default();
    let worker = |number: usize| {
        let client = server.client();
        let (is_over, revisions) = (Arc::clone(&is_over), Arc::clone(&revisions));
        let (shared, counts) = (Arc::clone(&shared), Arc::clone(&counts));
        tokio::spawn(async move {
            while !is_over.load(Ordering::Relaxed) {
                let answer = client.world("live").sweep_batch(&shared.0).await.unwrap();
                let version = revisions[&answer.revision];
                let found: Vec<_> = answer.value.into_iter().map(Result::unwrap).collect();
                assert_eq!(bits(&found), shared.1[version]);
                counts[number][version].fetch_add(1, Ordering::Relaxed);
            }
        })
    };
    let workers: Vec<_> = (0..counts.len()).map(worker).collect();
    for turn in 0..20 {
        put(turn % 2);
        if turn % 4 == 3 {
            let reloads = || server.metric("capsweep_reloads_total", "ok");
            let before = reloads();
            server.signal("HUP");
            while reloads() == before {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        } else {
            let reloaded = reload(&server).await;
            assert_eq!(reloaded[0].error, "");
            assert_eq!(revisions[&reloaded[0].revision], turn % 2);
        }
    }
    // On a busy machine a caller may have missed all turns of a version.
    for version in 0..2 {
        put(version);
        reload(&server).await;
        let is_missed = |of: &[AtomicU64; 2]| of[version].load(Ordering::Relaxed) == 0;
        let end = Instant::now() + PATIENCE;
        while counts.iter().any(is_missed) && !workers.iter().any(JoinHandle::is_finished) {
            assert!(Instant::now() < end, "{counts:?}");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
    is_over.store(true, Ordering::Relaxed);
    for worker in workers {
        worker.await.unwrap();
    }
}

#[tokio::test]
async fn a_world_is_swapped_under_an_open_stream() {
    let folder = Folder::new();
    let versions: Vec<_> =
        (0..2).map(|v| write_world(&folder, &format!("{v}.capsweep"), v as f32 * 0.25)).collect();
    let live = folder.file("live.capsweep");
    fs::copy(&versions[0], &live).unwrap();
    let server = Server::start(&["--world", &format!("live={}", live.display())]);
    let controller = crate::cases::controller();
    let mut cases = Cases::new(&scene_of(&versions[0]), 17);
    let scenes: Vec<_> = versions.iter().map(|path| scene_of(path)).collect();
    let states: Vec<_> = (0..50).map(|_| cases.state(&controller, &scenes[0])).collect();
    let names: Vec<u64> = (0..50).collect();
    let mut stream = server.client().world("live").move_stream(controller).await.unwrap();
    let mut revisions = Vec::new();
    for (version, scene) in scenes.iter().enumerate() {
        if version > 0 {
            fs::copy(&versions[version], folder.file("next")).unwrap();
            fs::rename(folder.file("next"), &live).unwrap();
            reload(&server).await;
        }
        // Twice, so that the second message uses the caches that the first one filled.
        for _ in 0..2 {
            let input = || cases.rng.direction() * 0.1 - glam::DVec3::Z * 0.05;
            let ways: Vec<_> = std::iter::repeat_with(input).take(states.len()).collect();
            let query = |(state, way): (&_, &glam::DVec3)| {
                let motion = capsweep::Motion::new(*way).unwrap();
                let input = capsweep::controller::MoveInput::new(motion);
                capsweep_client::proto::MoveQuery { state: *state, input }
            };
            let queries: Vec<_> = states.iter().zip(&ways).map(query).collect();
            let answer = stream.make_moves(&names, &queries).await.unwrap();
            for (query, found) in queries.iter().zip(&answer.value) {
                let mut cache = capsweep::cache::TriangleCache::off();
                let expected = controller.move_by(scene, &mut cache, &query.state, &query.input);
                assert_eq!(bits(&found.as_ref().unwrap().outcome), bits(&expected));
            }
            revisions.push(answer.revision);
        }
    }
    assert_eq!(revisions[0], revisions[1]);
    assert_ne!(revisions[1], revisions[2]);
}

#[tokio::test]
async fn reloads_over_the_network_need_a_check_of_the_caller() {
    let server = Server::start_at("127.0.0.1:0", "0.0.0.0:0", &["--insecure"]);
    let status = admin(&server).await.reload(v1::ReloadRequest::default()).await.unwrap_err();
    assert_eq!(status.code(), Code::PermissionDenied, "{status}");
    server.signal("HUP");
    server.wait_for_line("loaded again");
}

#[tokio::test]
async fn a_bad_file_leaves_the_old_world_in_place() {
    let folder = Folder::new();
    let path = write_world(&folder, "world.capsweep", 0.0);
    let server = Server::start(&["--world", path.to_str().unwrap(), "--world", "c=no.glb"][..2]);
    let before = server.client().worlds().await.unwrap();
    let bytes = fs::read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    let reloaded = reload(&server).await;
    assert!(reloaded[0].error.contains("world.capsweep"), "{reloaded:?}");
    assert_eq!(server.client().worlds().await.unwrap(), before);
    assert_eq!(server.metric("capsweep_reloads_total", "error"), 1.0);
    let request = v1::ReloadRequest { worlds: vec!["other".to_owned()] };
    let status = admin(&server).await.reload(request).await.unwrap_err();
    assert_eq!(status.code(), Code::NotFound);
    let mut cases = Cases::new(&capsweep::scene::Scene::from_bytes(bytes).unwrap(), 9);
    assert!(server.client().world("world").sweep(&cases.sweep()).await.is_ok());
}
