//! The Python client, installed in an environment of its own, against the real server.

use crate::cases::{Cases, bits};
use crate::process::{Folder, Server, has_tool, repository};
use capsweep::cache::TriangleCache;
use capsweep::controller::{
    Controller, ControllerConfig, Locomotion, LocomotionConfig, LocomotionInput, LocomotionState,
};
use capsweep::scene::Filter;
use capsweep::{Capsule, Motion, Ray};
use capsweep_formats::course::Course;
use glam::DVec3;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Queries on the course, and the library's answers.
fn cases() -> Value {
    let scene = Course::new().unwrap().level.scene;
    let mut random = Cases::new(&scene, 16);
    let mut sweeps = Vec::new();
    for _ in 0..50 {
        let (feet, way) = (random.point(), random.rng.direction() * 3.0);
        let (radius, height) = (random.rng.range_f32(0.1, 0.5), random.rng.range_f32(0.5, 2.0));
        let capsule = Capsule::from_feet(feet, DVec3::Z, radius, height).unwrap();
        let hit = scene.sweep(&capsule, &Motion::new(way).unwrap(), &Filter::default());
        let hit =
            hit.map(|hit| json!([hit.time, hit.distance, hit.point.x, hit.point.y, hit.point.z]));
        sweeps.push(json!({
            "feet": feet.to_array(), "radius": radius, "height": height, "motion": way.to_array(),
            "expected": hit,
        }));
    }
    let mut rays = Vec::new();
    for _ in 0..50 {
        let (origin, way) = (random.point(), random.rng.direction() * 10.0);
        let ray = Ray::new(origin, Motion::new(way).unwrap()).unwrap();
        let hit = scene.ray(&ray, &Filter::default());
        let hit = hit.map(|hit| json!([hit.time, hit.point.x, hit.point.y, hit.point.z]));
        rays.push(json!({
            "origin": origin.to_array(), "motion": way.to_array(), "expected": hit,
        }));
    }
    let controller = Controller::new(ControllerConfig::human(DVec3::Z)).unwrap();
    let locomotion = Locomotion::new(controller, LocomotionConfig::human()).unwrap();
    let (start, walk, dt) = (DVec3::new(0.0, 0.35, 0.0), DVec3::new(3.5, 0.0, 0.0), 1.0 / 60.0);
    let mut state = LocomotionState::at_rest(controller.spawn(start).unwrap());
    let mut feet = Vec::new();
    for _ in 0..240 {
        let input = LocomotionInput::new(walk, dt);
        let ticked = locomotion.tick(&scene, &mut TriangleCache::default(), &state, &input);
        state = ticked.unwrap().0;
        feet.push(controller.feet(&state.character).to_array());
    }
    let feet_last = feet.last().unwrap();
    assert!(feet_last[2] > 1.0, "up the stairs: {}", bits(feet_last));
    json!({
        "sweeps": sweeps,
        "rays": rays,
        "walk": { "feet": start.to_array(), "walk": walk.to_array(), "dt": dt, "expected": feet },
    })
}

fn run(program: &Path, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, error) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{} {arguments:?}:\n{out}\n{error}", program.display());
    out
}

#[test]
fn the_python_client_has_the_bits_of_the_library() {
    let python = std::env::var("CAPSWEEP_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    if !has_tool(&python, &["-c", "import venv, ensurepip"]) {
        return;
    }
    let client = repository().join("clients/python");
    let folder = Folder::new();
    let environment = folder.file("venv");
    run(Path::new(&python), &["-m", "venv", environment.to_str().unwrap()]);
    let python = environment.join("bin/python");
    // A copy, so that the build leaves nothing in the repository.
    let copy = folder.file("repository");
    std::fs::create_dir_all(copy.join("clients")).unwrap();
    for part in ["proto", "clients/python"] {
        let to = copy.join(part);
        run(
            Path::new("cp"),
            &["-r", repository().join(part).to_str().unwrap(), to.to_str().unwrap()],
        );
    }
    let install = Command::new(&python)
        .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
        .arg(copy.join("clients/python"))
        .output()
        .unwrap();
    if !install.status.success() {
        let text = String::from_utf8_lossy(&install.stderr).into_owned();
        assert!(std::env::var_os("CI").is_none(), "pip cannot install the client:\n{text}");
        eprintln!("skipped: pip cannot install grpcio here");
        return;
    }
    let server = Server::start(&[]);
    let address = server.address.to_string();
    let file = folder.file("cases.json");
    std::fs::write(&file, cases().to_string()).unwrap();
    let check = client.join("tests/check.py");
    let out = run(&python, &[check.to_str().unwrap(), &address, file.to_str().unwrap()]);
    assert_eq!(out.trim(), "ok");
    let example = client.join("examples/walk.py");
    let out = run(&python, &[example.to_str().unwrap(), &address]);
    assert!(out.contains("world course") && out.contains("4.00 s"), "{out}");
    calls_survive_restarts(&python, &client.join("tests/restarts.py"), server);
}

/// Kills the server and starts it again, while a client calls: three times, and until the client
/// has retried a call. A kill between two calls causes no retry.
fn calls_survive_restarts(python: &Path, script: &Path, mut server: Server) {
    let address = server.address.to_string();
    let mut calls = Command::new(python)
        .args([script.to_str().unwrap(), &address])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = calls.stdin.take().unwrap();
    let mut lines = BufReader::new(calls.stdout.take().unwrap()).lines();
    let mut line = || lines.next().unwrap().unwrap();
    assert_eq!(line(), "begun");
    let (mut kills, mut retries) = (0, 0);
    while kills < 3 || (retries == 0 && kills < 50) {
        server.signal("KILL");
        server.wait();
        server = Server::start_at(&address, "127.0.0.1:0", &[]);
        std::thread::sleep(Duration::from_millis(200));
        kills += 1;
        input.write_all(b"\n").unwrap();
        retries = line().parse::<u32>().unwrap();
    }
    drop(input);
    assert!(retries > 0, "no call was open at any of {kills} kills");
    assert_eq!(line(), "ok");
    assert!(calls.wait().unwrap().success());
}
