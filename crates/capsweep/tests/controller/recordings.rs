//! Recordings of a real client, replayed: flights and swims in free space.
//!
//! `CAPSWEEP_RECORDINGS=folder cargo test -p capsweep --test controller recordings -- --nocapture`
//! replays the tracks of a folder and prints a table. Without it, only the tracks written here are
//! replayed. A file has one JSON object a line: first a description of the recording, then its
//! frames. Lengths are yards, z is up.
//!
//! The clock of a motion is its path: the recorder's own clock is off by a frame. Flights take the
//! level path, which has a constant speed; swims take the path in space. The take-off was 0 to 2
//! frames before the first frame in the air; that time is fitted, and nothing else.

use super::modes::Rig;
use capsweep::HalfSpace;
use capsweep::controller::{LocomotionInput, LocomotionState, Mode, Speeds, Steering, Water};
use capsweep::scene::{Body, Scene, Shape};
use glam::{DVec3, dvec3};
use serde_json::Value;
use std::path::Path;

const FORWARD: u64 = 0x1;
const BACKWARD: u64 = 0x2;
const LEFT: u64 = 0x4;
const RIGHT: u64 = 0x8;
const WALKS: u64 = 0x100;
const IN_AIR: u64 = 0x2000;
const SWIMS: u64 = 0x20_0000;

/// Flights and swims of the recordings that touch nothing: file, and their first frames.
const FLIGHTS: [(&str, &[usize]); 4] = [
    ("city-jumps", &[128]),
    ("city-run", &[63, 348, 576, 1392]),
    ("lift-and-jumps", &[810, 978, 1046]),
    ("swim-and-jump", &[123, 1525, 1585, 1669, 1750, 1825, 1903, 1991]),
];
const SWIM_TRACKS: [(&str, &[usize]); 1] =
    [("swim-and-jump", &[297, 479, 530, 585, 670, 771, 1642, 1728, 1881])];

/// A run at 7 yd/s with facing 0.5, and a jump 11 ms before the first frame in the air. Two frames
/// repeat their position, as the recorder's do.
const JUMP: &str = r#"
{"flags":1,"pos":[100.0,-50.0,3.0],"facing":0.5,"speed":7.0}
{"flags":1,"pos":[100.098289,-49.946304,3.0],"facing":0.5,"speed":7.0}
{"flags":8193,"pos":[100.196578,-49.892609,3.086344],"facing":0.5,"speed":7.0}
{"flags":8193,"pos":[100.294868,-49.838913,3.207768],"facing":0.5,"speed":7.0}
{"flags":8193,"pos":[100.294868,-49.838913,3.207768],"facing":0.5,"speed":7.0}
{"flags":8193,"pos":[100.589735,-49.677826,3.54241],"facing":0.5,"speed":7.0}
{"flags":8193,"pos":[100.921462,-49.496603,3.865754],"facing":0.5,"speed":7.0}
{"flags":8193,"pos":[101.228616,-49.328804,4.11499],"facing":0.5,"speed":7.0}
{"flags":8193,"pos":[101.535769,-49.161005,4.315998],"facing":0.5,"speed":7.0}
{"flags":8193,"pos":[101.842923,-48.993206,4.468778],"facing":0.5,"speed":7.0}
{"flags":8193,"pos":[102.150077,-48.825407,4.573331],"facing":0.5,"speed":7.0}
{"flags":8193,"pos":[102.457231,-48.657608,4.629655],"facing":0.5,"speed":7.0}
{"flags":8193,"pos":[102.530948,-48.617337,4.635997],"facing":0.5,"speed":7.0}
{"flags":8193,"pos":[102.530948,-48.617337,4.635997],"facing":0.5,"speed":7.0}
{"flags":8193,"pos":[103.071539,-48.322011,4.597622],"facing":0.5,"speed":7.0}
{"flags":8193,"pos":[103.685847,-47.986413,4.372677],"facing":0.5,"speed":7.0}
{"flags":8193,"pos":[104.300155,-47.650815,3.954821],"facing":0.5,"speed":7.0}
{"flags":8193,"pos":[104.914462,-47.315217,3.344054],"facing":0.5,"speed":7.0}
{"flags":8193,"pos":[105.160185,-47.180978,3.045732],"facing":0.5,"speed":7.0}"#;

/// A swim to the front right, down and then up, that turns once.
const SWIM: &str = r#"
{"flags":2097161,"pos":[0.0,0.0,-20.0],"facing":1.0,"speed":4.722222,"pitch":-0.3}
{"flags":2097161,"pos":[0.072533,0.014082,-20.015788],"facing":1.0,"speed":4.722222,"pitch":-0.3}
{"flags":2097161,"pos":[0.145066,0.028165,-20.031577],"facing":1.0,"speed":4.722222,"pitch":-0.3}
{"flags":2097161,"pos":[0.217599,0.042247,-20.047365],"facing":1.0,"speed":4.722222,"pitch":-0.3}
{"flags":2097161,"pos":[0.435199,0.084494,-20.09473],"facing":1.0,"speed":4.722222,"pitch":-0.3}
{"flags":2097161,"pos":[0.507732,0.098576,-20.110519],"facing":1.0,"speed":4.722222,"pitch":-0.3}
{"flags":2097161,"pos":[0.569179,0.140507,-20.097301],"facing":1.4,"speed":4.722222,"pitch":0.25}
{"flags":2097161,"pos":[0.630626,0.182438,-20.084083],"facing":1.4,"speed":4.722222,"pitch":0.25}
{"flags":2097161,"pos":[0.630626,0.182438,-20.084083],"facing":1.4,"speed":4.722222,"pitch":0.25}
{"flags":2097161,"pos":[0.692072,0.224369,-20.070866],"facing":1.4,"speed":4.722222,"pitch":0.25}
{"flags":2097161,"pos":[0.753519,0.266301,-20.057648],"facing":1.4,"speed":4.722222,"pitch":0.25}
{"flags":2097161,"pos":[0.814966,0.308232,-20.04443],"facing":1.4,"speed":4.722222,"pitch":0.25}"#;

/// A jump out of the water, backwards.
const SWIM_JUMP: &str = r#"
{"flags":2097154,"pos":[0.0,0.0,-1.5],"facing":2.0,"speed":2.5,"pitch":0.0}
{"flags":2097154,"pos":[0.016646,-0.036372,-1.5],"facing":2.0,"speed":2.5,"pitch":0.0}
{"flags":8194,"pos":[0.052018,-0.113662,-1.201861],"facing":2.0,"speed":2.5}
{"flags":8194,"pos":[0.104037,-0.227324,-0.803932],"facing":2.0,"speed":2.5}
{"flags":8194,"pos":[0.208073,-0.454649,-0.152758],"facing":2.0,"speed":2.5}
{"flags":8194,"pos":[0.364128,-0.795635,0.462295],"facing":2.0,"speed":2.5}
{"flags":8194,"pos":[0.520184,-1.136622,0.643297],"facing":2.0,"speed":2.5}
{"flags":8194,"pos":[0.676239,-1.477608,0.39025],"facing":2.0,"speed":2.5}
{"flags":8194,"pos":[0.832294,-1.818595,-0.296846],"facing":2.0,"speed":2.5}
{"flags":8194,"pos":[0.93633,-2.045919,-0.99605],"facing":2.0,"speed":2.5}"#;

#[derive(Debug, Clone, Copy)]
struct Frame {
    flags: u64,
    feet: DVec3,
    facing: f64,
    pitch: f64,
    speed: f64,
}

impl Frame {
    fn read(line: &str) -> Self {
        let frame: Value = serde_json::from_str(line).unwrap();
        let number = |value: &Value| value.as_f64().unwrap();
        let feet = &frame["pos"];
        Self {
            flags: frame["flags"].as_u64().unwrap(),
            feet: dvec3(number(&feet[0]), number(&feet[1]), number(&feet[2])),
            facing: number(&frame["facing"]),
            pitch: frame.get("pitch").map_or(0.0, number),
            speed: number(&frame["speed"]),
        }
    }

    /// Whether the client's flags ask for the same keys.
    fn has_keys_of(&self, other: &Self) -> bool {
        self.flags == other.flags
    }

    /// The desired velocity, from the recorded keys, facing and pitch.
    fn velocity(&self, mode: Mode) -> DVec3 {
        let key = |flag: u64| i8::from(self.flags & flag != 0);
        let steering = Steering {
            forward: key(FORWARD) - key(BACKWARD),
            strafe: key(RIGHT) - key(LEFT),
            walking: self.flags & WALKS != 0,
            facing: self.facing,
            pitch: self.pitch,
        };
        steering.velocity(&Speeds::wow(), mode, DVec3::Z).unwrap()
    }
}

fn frames(text: &str) -> Vec<Frame> {
    text.trim().lines().map(Frame::read).collect()
}

/// A recording of the folder.
fn recording(folder: &Path, name: &str) -> Vec<Frame> {
    let path = folder.join(format!("{name}.jsonl"));
    let text = std::fs::read_to_string(&path);
    let text = text.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines().skip(1).map(Frame::read).collect()
}

/// How a flight began.
#[derive(Debug, Clone, Copy, PartialEq)]
enum TakeOff {
    Jump,
    SwimJump,
    /// From rest: it walked off an edge.
    Fall,
}

/// The character at its take-off at `feet`, on a floor, in water or in the air, and the input with
/// the recorded keys.
fn before_take_off(kind: TakeOff, frame: &Frame, feet: DVec3) -> (Rig, LocomotionInput) {
    let mut scene = Scene::new();
    if kind == TakeOff::Jump {
        let floor = HalfSpace::new(feet, DVec3::Z).unwrap();
        scene.insert(Body::shape(Shape::HalfSpace(floor)));
    }
    let mut rig = Rig::wow(scene, feet);
    let mut input =
        LocomotionInput { water: Water::None, ..LocomotionInput::new(DVec3::ZERO, 0.0) };
    match kind {
        TakeOff::Jump => assert_eq!(rig.state.mode, Mode::Walk),
        TakeOff::SwimJump => {
            let height = f64::from(rig.state.character.total_height());
            let swim_depth = rig.locomotion.config().swim_depth;
            input.water = Water::Plane { surface: feet.z + swim_depth * height };
            rig.state.mode = Mode::Swim;
        }
        TakeOff::Fall => rig.state.velocity = frame.velocity(Mode::Walk),
    }
    let mode = if kind == TakeOff::SwimJump { Mode::Swim } else { Mode::Walk };
    let jump = kind != TakeOff::Fall;
    (rig, LocomotionInput { walk: frame.velocity(mode), jump, ..input })
}

/// Replays a flight whose take-off was `early` seconds before its first frame. Returns the largest
/// distance from the recorded path.
fn fly(kind: TakeOff, flight: &[Frame], early: f64) -> f64 {
    let first = &flight[0];
    let (mut rig, mut input) = before_take_off(kind, first, DVec3::ZERO);
    let advance = |rig: &mut Rig, input: &mut LocomotionInput, dt: f64| {
        rig.tick(&LocomotionInput { dt, ..*input });
        // After the take-off it is alone in the world.
        rig.scene = Scene::new();
        (input.jump, input.water) = (false, Water::None);
    };
    if early > 0.0 {
        advance(&mut rig, &mut input, early);
    }
    let start = rig.feet();
    let mut worst = 0.0_f64;
    for pair in flight.windows(2) {
        let path = (pair[1].feet - pair[0].feet).truncate().length();
        if path == 0.0 {
            continue;
        }
        // Whatever the keys and the facing are in the air: they change nothing.
        input.walk = if input.jump { input.walk } else { pair[1].velocity(Mode::Fall) };
        advance(&mut rig, &mut input, path / first.speed);
        let error = (rig.feet() - start) - (pair[1].feet - first.feet);
        worst = worst.max(error.length());
    }
    worst
}

/// The flight from frame `first`: how it began, its end, its take-off, and the largest error.
fn replay_flight(track: &[Frame], first: usize) -> (TakeOff, usize, f64, f64) {
    let end = (first..track.len()).find(|i| track[*i].flags & IN_AIR == 0).unwrap_or(track.len());
    let flight = &track[first..end];
    let rises = flight[2].feet.z > flight[0].feet.z;
    let swam = track[first - 1].flags & SWIMS != 0;
    let kind = match (rises, swam) {
        (true, true) => TakeOff::SwimJump,
        (true, false) => TakeOff::Jump,
        (false, _) => TakeOff::Fall,
    };
    // 0 to 50 ms in steps of 0.5 ms, then of 0.05 ms around the best. Shorter ones are below the
    // gap within which ground still carries a character.
    let coarse = (2..100).map(|i| f64::from(i) * 5e-4);
    let fit = |times: &mut dyn Iterator<Item = f64>| {
        let errors = times.map(|early| (early, fly(kind, flight, early)));
        errors.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap()
    };
    let (near, _) = fit(&mut std::iter::once(0.0).chain(coarse));
    let fine = (-10..=10).map(|i| near + f64::from(i) * 5e-5).filter(|early| *early > 1e-3);
    let (early, error) = fit(&mut std::iter::once(near).chain(fine));
    (kind, end, early, error)
}

/// The swim from frame `first` while the keys stay the same: its end, its length, and the largest
/// error.
fn replay_swim(track: &[Frame], first: usize) -> (usize, f64, f64) {
    let is_over = |i: &usize| !track[*i].has_keys_of(&track[first]);
    let end = (first..track.len()).find(is_over).unwrap_or(track.len());
    let mut rig = Rig::wow(Scene::new(), DVec3::ZERO);
    rig.state = LocomotionState { mode: Mode::Swim, ..rig.state };
    let (mut length, mut worst) = (0.0, 0.0_f64);
    for pair in track[first..end].windows(2) {
        let path = (pair[1].feet - pair[0].feet).length();
        length += path;
        let velocity = pair[1].velocity(Mode::Swim);
        let input = LocomotionInput::new(velocity, path / pair[1].speed);
        rig.tick(&LocomotionInput { water: Water::Plane { surface: 100.0 }, ..input });
        assert_eq!(rig.state.mode, Mode::Swim);
        let error = rig.feet() - (pair[1].feet - track[first].feet);
        worst = worst.max(error.length());
    }
    (end, length, worst)
}

#[test]
fn the_hand_made_tracks_are_replayed() {
    let track = frames(JUMP);
    let first = track.iter().position(|frame| frame.flags & IN_AIR != 0).unwrap();
    let (kind, end, early, error) = replay_flight(&track, first);
    assert_eq!((kind, end), (TakeOff::Jump, track.len()));
    assert!((early - 0.011).abs() < 1e-4 && error < 2e-5, "{early} {error}");
    let track = frames(SWIM_JUMP);
    let (kind, _, early, error) = replay_flight(&track, 2);
    assert_eq!(kind, TakeOff::SwimJump);
    assert!((early - 0.034).abs() < 1e-4 && error < 2e-5, "{early} {error}");
    let track = frames(SWIM);
    let (end, length, error) = replay_swim(&track, 0);
    assert!(end == track.len() && length > 0.9 && error < 1e-5 * length, "{length} {error}");
}

#[test]
fn the_recordings_of_the_client_are_replayed() {
    let folder = std::env::var("CAPSWEEP_RECORDINGS").unwrap_or_default();
    let folder = Path::new(&folder);
    if !folder.is_dir() || folder.as_os_str().is_empty() {
        println!("skipped: CAPSWEEP_RECORDINGS names no folder");
        return;
    }
    println!("| track | frames | take-off | before its first frame | largest error (yd / 1000) |");
    println!("|---|---|---|---|---|");
    for (name, starts) in FLIGHTS {
        let track = recording(folder, name);
        for &first in starts {
            let (kind, end, early, error) = replay_flight(&track, first);
            let [ms, error_thousandths] = [early * 1e3, error * 1e3];
            println!(
                "| {name} | {first}–{} | {kind:?} | {ms:.1} ms | {error_thousandths:.2} |",
                end - 1
            );
            assert!(error < 2e-3, "{name} {first}: {error}");
        }
    }
    println!("\n| track | frames | length | largest error |");
    println!("|---|---|---|---|");
    for (name, starts) in SWIM_TRACKS {
        let track = recording(folder, name);
        for &first in starts {
            let (end, length, error) = replay_swim(&track, first);
            let percent = 100.0 * error / length;
            println!("| {name} | {first}–{} | {length:.3} yd | {percent:.4} % |", end - 1);
            assert!(error < 1e-3 * length, "{name} {first}: {error} of {length}");
        }
    }
}
