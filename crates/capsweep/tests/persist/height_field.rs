//! Height fields in scene files.

use crate::map::forge_checksums;
use capsweep::persist::{FileError, MapFile, MapUnit, MapWriter, verify};
use capsweep::scene::{
    Body, CellTriangles, HeightField, HeightFieldOptions, HeightGrid, Heights, Pose, Scene,
};
use capsweep_testkit::Rng;
use capsweep_testkit::height_field::PlainField;
use glam::dvec3;
use std::io::Cursor;
use std::sync::Arc;

fn scene(seed: u64) -> Scene {
    let mut rng = Rng::new(&[88, seed]);
    let mut scene = Scene::new();
    for key in 0..4_u32 {
        let field = Arc::new(PlainField::random(&mut rng, 9, 7, key % 2 == 0).field());
        for copy in 0..2 {
            let at = dvec3(10.0 * f64::from(copy), 8.0 * f64::from(key), 0.5);
            let pose = Pose::from_translation(at).unwrap();
            let body = Body::height_field(Arc::clone(&field), pose).unwrap();
            scene.insert(body.with_key(u64::from(key)));
        }
    }
    scene
}

#[test]
fn fields_come_back_as_they_were_written() {
    for seed in 0..20 {
        let built = scene(seed);
        let bytes = built.to_bytes();
        assert_eq!(bytes[8], 3, "the version that has fields");
        let loaded = Scene::from_bytes(bytes.clone()).unwrap();
        assert_eq!(loaded.to_bytes(), bytes);
        let bodies = built.bodies().zip(loaded.bodies());
        let mut shared = 0;
        for ((_, built), (_, loaded)) in bodies {
            let (built, loaded) =
                (built.field_instance().unwrap(), loaded.field_instance().unwrap());
            assert_eq!(built.1, loaded.1);
            let same = built.0.triangles().eq(loaded.0.triangles());
            assert!(same && built.0.bounds() == loaded.0.bounds());
            for index in 0..built.0.triangle_count() {
                assert_eq!(built.0.tag(index), loaded.0.tag(index));
                assert_eq!(built.0.mask(index), loaded.0.mask(index));
            }
            assert_eq!(built.0.options(), loaded.0.options());
            shared += Arc::strong_count(loaded.0);
        }
        assert_eq!(shared, 8 * 2, "two bodies share each field");
        let all = verify(bytes);
        assert!(all.is_sound(), "{:?}", all.findings);
        assert_eq!((all.meshes, all.fields, all.bodies), (0, 4, 8));
    }
}

#[test]
fn a_damaged_field_is_found_wherever_the_damage_is() {
    let bytes = scene(3).to_bytes();
    let mut rng = Rng::new(&[5]);
    for _ in 0..400 {
        let mut damaged = bytes.clone();
        let at = 64 + rng.index(bytes.len() - 64);
        damaged[at] ^= 1 << rng.below(8);
        assert!(matches!(
            Scene::from_bytes(damaged.clone()).unwrap_err(),
            FileError::Checksum { .. }
        ));
        assert!(!verify(damaged).is_sound());
    }
}

/// A field of one height stores no cells. If its tree were made anew before its nodes are counted,
/// a file of 2 KB would take gigabytes and seconds.
#[test]
fn a_short_file_cannot_state_a_large_field() {
    let grid = HeightGrid { rows: 5, columns: 7, spacing: [2.0; 2] };
    let (flat, options) = (Heights::Flat(1.5), HeightFieldOptions::default());
    let field = HeightField::new(grid, flat, CellTriangles::Four, options).unwrap();
    let mut bytes = Cursor::new(Vec::new());
    let mut map = MapWriter::new(&mut bytes, MapUnit::Metre);
    map.add_field(&field).unwrap();
    map.finish(&[]).unwrap();
    let mut bytes = bytes.into_inner();
    let size = |rows: u32, columns: u32| [rows.to_le_bytes(), columns.to_le_bytes()].concat();
    let at = bytes.windows(8).position(|found| found == size(5, 7)).unwrap();
    bytes[at..at + 8].copy_from_slice(&size(65_536, 4_096));
    forge_checksums(&mut bytes);
    let map = MapFile::open(bytes).unwrap();
    assert!(map.field(0).is_none());
    let damage: Vec<String> = map.damage().iter().map(ToString::to_string).collect();
    assert!(damage[0].contains("is too short for its grid"), "{damage:?}");
}
