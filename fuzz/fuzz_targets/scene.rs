//! Any bytes as a scene file, with a correct length and checksum, so that mutations get past the
//! head.
//!
//! An accepted file must answer queries without a panic, and must be written as it was read.
#![no_main]

use capsweep::query::Column;
use capsweep::scene::{Filter, Scene};
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
    let level = match capsweep_formats::scene_file::from_bytes(file, "fuzz") {
        Err(error) => {
            assert!(error.to_string().starts_with("fuzz: "));
            return;
        }
        Ok(level) => level,
    };
    let scene = &level.scene;
    assert_eq!(scene.validate(), Ok(()));
    run_queries(scene);
    let written = scene.to_bytes();
    let again = Scene::from_bytes(written.clone()).expect("a written file can be read");
    assert_eq!(again.to_bytes(), written);
});

/// Runs every kind of query.
fn run_queries(scene: &Scene) {
    let filter = Filter::default();
    let capsule =
        Capsule::from_feet(DVec3::new(0.5, 0.5, 2.0), DVec3::Z, 0.4, 1.8).expect("a capsule");
    for motion in [DVec3::NEG_Z * 9.0, DVec3::new(3.0, 1.0, -1.0), DVec3::ZERO] {
        let motion = Motion::new(motion).expect("a motion");
        if let Some(found) = scene.sweep(&capsule, &motion, &filter) {
            assert!((0.0..=1.0).contains(&found.hit.time));
        }
        let _ = scene.ray(&Ray::new(capsule.center(), motion).expect("a ray"), &filter);
    }
    let _ = (
        scene.overlap(&capsule, &filter),
        scene.closest(&capsule, Limit::new(50.0).expect("a limit"), &filter),
    );
    let column = Column::new(capsule.center(), DVec3::Z, 10.0, 10.0).expect("a column");
    scene.supports(
        &column,
        SlopeLimit::from_cos(0.7).expect("a cosine"),
        &filter,
        &mut Vec::new(),
    );
}

/// The checksum of the format, a second time, because the library's own is private.
fn checksum(bytes: &[u8]) -> u64 {
    const ODD: u64 = 0xFF51_AFD7_ED55_8CCD;
    let step = |state: u64, word: u64| (state ^ word).wrapping_mul(ODD).rotate_left(29);
    let mut state: [u64; 4] = [
        0x9E37_79B9_7F4A_7C15,
        0xBF58_476D_1CE4_E5B9,
        0x94D0_49BB_1331_11EB,
        0xD6E8_FEB8_6659_FD93,
    ];
    for (i, word) in bytes.chunks_exact(8).enumerate() {
        let word = word.try_into().expect("eight bytes");
        state[i % 4] = step(state[i % 4], u64::from_le_bytes(word));
    }
    let joined = state.into_iter().fold(ODD, step);
    let mixed = (joined ^ (joined >> 32)).wrapping_mul(ODD);
    mixed ^ (mixed >> 29)
}
