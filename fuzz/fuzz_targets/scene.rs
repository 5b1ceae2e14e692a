//! Any bytes as a scene file, with length and checksum put right so that mutations reach what lies behind them. What is accepted
//! must answer questions without a panic, and be written as it was read.
#![no_main]

use capsweep::scene::{Filter, Scene};
use capsweep::query::{Column};
use capsweep::{Capsule, Limit, Motion, Ray, SlopeLimit};
use glam::DVec3;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut file = bytes.to_vec();
    file.resize(file.len().next_multiple_of(64), 0);
    if file.len() >= 64 {
        file[..12].copy_from_slice(b"capsweep\x01\0\0\0");
        let length = file.len() as u64;
        file[16..24].copy_from_slice(&length.to_le_bytes());
        file[32..40].fill(0);
        let sum = checksum(&file);
        file[32..40].copy_from_slice(&sum.to_le_bytes());
    }
    let level = match capsweep_formats::scene_file::from_bytes(file, "fuzz".as_ref()) {
        Err(error) => {
            assert!(error.to_string().starts_with("fuzz: "));
            return;
        }
        Ok(level) => level,
    };
    let scene = &level.scene;
    assert_eq!(scene.validate(), Ok(()));
    ask(scene);
    let written = scene.to_bytes();
    let again = Scene::from_bytes(written.clone()).expect("what was written can be read");
    assert_eq!(again.to_bytes(), written);
});

fn ask(scene: &Scene) {
    let filter = Filter::default();
    let person = Capsule::from_feet(DVec3::new(0.5, 0.5, 2.0), DVec3::Z, 0.4, 1.8).expect("a capsule");
    for motion in [DVec3::NEG_Z * 9.0, DVec3::new(3.0, 1.0, -1.0), DVec3::ZERO] {
        let motion = Motion::new(motion).expect("a motion");
        if let Some(found) = scene.sweep(&person, &motion, &filter) {
            assert!((0.0..=1.0).contains(&found.hit.time));
        }
        let _ = scene.ray(&Ray::new(person.center(), motion).expect("a ray"), &filter);
    }
    let _ = (scene.overlap(&person, &filter), scene.closest(&person, Limit::new(50.0).expect("a limit"), &filter));
    let column = Column::new(person.center(), DVec3::Z, 10.0, 10.0).expect("a column");
    scene.supports(&column, SlopeLimit::from_cos(0.7).expect("a cosine"), &filter, &mut Vec::new());
}

/// The checksum of the format, written down a second time: the library keeps its own to itself.
fn checksum(bytes: &[u8]) -> u64 {
    const ODD: u64 = 0xFF51_AFD7_ED55_8CCD;
    let take_in = |state: u64, word: u64| (state ^ word).wrapping_mul(ODD).rotate_left(29);
    let mut state: [u64; 4] =
        [0x9E37_79B9_7F4A_7C15, 0xBF58_476D_1CE4_E5B9, 0x94D0_49BB_1331_11EB, 0xD6E8_FEB8_6659_FD93];
    for (i, word) in bytes.chunks_exact(8).enumerate() {
        let word = word.try_into().expect("eight bytes");
        state[i % 4] = take_in(state[i % 4], u64::from_le_bytes(word));
    }
    let joined = state.into_iter().fold(ODD, take_in);
    let mixed = (joined ^ (joined >> 32)).wrapping_mul(ODD);
    mixed ^ (mixed >> 29)
}
