//! Map files: read as queries reach them, and sound whatever their bytes are.

use crate::mesh;
use capsweep::cache::{HintSlot, TriangleCache};
use capsweep::persist::{FileError, MapFile, MapUnit, MapWriter, PlacedSurface, verify};
use capsweep::scene::{
    Bodies, Body, Filter, HeightField, Mobility, Pose, Scene, SceneError, SceneHit, Shape, TriMesh,
};
use capsweep::{Capsule, Limit, Motion, Ray, Sides, Sphere};
use capsweep_testkit::height_field::PlainField;
use capsweep_testkit::{Rng, level};
use glam::{DVec3, dvec3};
use std::fmt::Debug;
use std::io::{self, Cursor};
use std::sync::Arc;

/// Fields side by side, and models on them.
struct World {
    fields: Vec<Arc<HeightField>>,
    meshes: Vec<Arc<TriMesh>>,
    /// Which surface, fields first; and where.
    placed: Vec<(usize, Pose, u64, u32)>,
}

fn world(models: u64) -> World {
    let mut rng = Rng::new(&[77]);
    let fields: Vec<_> = (0..4)
        .map(|i| Arc::new(PlainField::random(&mut rng, 12, 12, i % 2 == 0).field()))
        .collect();
    let level = level::instances(models as usize);
    let meshes: Vec<_> = level.meshes.iter().map(|one| Arc::new(mesh(one, false))).collect();
    let mut placed = Vec::new();
    for key in 0..9_u64 {
        let at = dvec3((key % 3) as f64 * 12.0 - 18.0, (key / 3) as f64 * 12.0 - 18.0, 0.0);
        let pose = Pose::from_translation(at).unwrap();
        placed.push((key as usize % 4, pose, key, u32::MAX));
    }
    for ((model, pose), key) in level.placements.iter().zip(100..) {
        placed.push((4 + model, *pose, key, rng.bits() as u32 | 1));
    }
    World { fields, meshes, placed }
}

impl World {
    fn scene(&self) -> Scene {
        let mut scene = Scene::new();
        scene.edit(|edit| {
            for (surface, pose, key, mask) in &self.placed {
                let body = match self.fields.get(*surface) {
                    Some(field) => Body::height_field(Arc::clone(field), *pose),
                    None => Body::mesh(Arc::clone(&self.meshes[surface - 4]), *pose),
                };
                edit.insert(body.unwrap().with_key(*key).with_mask(*mask));
            }
        });
        scene
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        let mut map = MapWriter::new(&mut bytes, MapUnit::Yard);
        for field in &self.fields {
            map.add_field(field).unwrap();
        }
        for mesh in &self.meshes {
            map.add_mesh(mesh).unwrap();
        }
        for (surface, pose, key, mask) in &self.placed {
            let (surface, pose) = (*surface as u32, *pose);
            map.place(&PlacedSurface { surface, pose, key: *key, mask: *mask }).unwrap();
        }
        let length = map.finish(b"some notes").unwrap();
        let bytes = bytes.into_inner();
        assert_eq!(length, bytes.len() as u64);
        bytes
    }
}

/// Equal text is equal bits. Ids differ between a map and a built scene, keys do not.
fn text<T: Debug>(hit: &SceneHit<T>) -> String {
    let target = hit.target;
    format!("{:?} {} {:?} {}", hit.hit, target.key, target.triangle, target.tag)
}

fn answers(scene: &Scene, cache: &mut TriangleCache, number: u64) -> String {
    let mut rng = Rng::new(&[12, number]);
    let at = rng.cube(1.0) * dvec3(18.0, 18.0, 4.0) + DVec3::Z;
    let axis = if rng.chance(0.5) { DVec3::Z } else { rng.cube(1.0) };
    let capsule = Capsule::new(at, at + axis, rng.range(0.05, 0.6) as f32).unwrap();
    let direction = if rng.chance(0.3) { DVec3::NEG_Z } else { rng.direction() };
    let motion = Motion::new(direction * rng.log_range(1e-3, 60.0)).unwrap();
    let filter = Filter {
        mask: [u32::MAX, 1, 0xffff][rng.index(3)],
        sides: [Sides::Front, Sides::Both][rng.index(2)],
        bodies: [Bodies::All, Bodies::Static, Bodies::Dynamic][rng.index(3)],
        ..Filter::default()
    };
    let mut all = Vec::new();
    scene.sweep_all(&capsule, &motion, &filter, &mut all);
    format!(
        "{:?} {:?} {:?} {:?} {:?} {:?}",
        scene.sweep(&capsule, &motion, &filter).as_ref().map(text),
        cache.sweep(scene, &capsule, &motion, &filter, HintSlot::Side).as_ref().map(text),
        all.iter().map(text).collect::<Vec<_>>(),
        scene.overlap(&capsule, &filter).as_ref().map(text),
        scene.closest(&capsule, Limit::new(5.0).unwrap(), &filter).as_ref().map(text),
        scene.ray(&Ray::new(at, motion).unwrap(), &filter).as_ref().map(text),
    )
}

#[test]
fn a_map_answers_like_a_scene_of_the_same_bodies() {
    let world = world(60);
    let map = MapFile::open(world.bytes()).unwrap();
    assert_eq!((map.unit(), map.notes()), (MapUnit::Yard, &b"some notes"[..]));
    assert_eq!(map.loaded_surfaces(), 0, "opening reads no surface");
    let (mut cache, mut other) = (TriangleCache::new(), TriangleCache::new());
    let built = world.scene();
    for number in 0..2_000 {
        let expected = answers(&built, &mut other, number);
        assert_eq!(answers(map.scene(), &mut cache, number), expected, "{number}");
    }
    assert_eq!(map.damage(), []);
    let mut keys: Vec<u64> = map.scene().bodies().map(|(_, body)| body.key()).collect();
    keys.sort_unstable();
    assert_eq!(keys, world.placed.iter().map(|(_, _, key, _)| *key).collect::<Vec<_>>());
}

#[test]
fn only_what_a_query_reaches_is_loaded() {
    let world = world(60);
    let map = MapFile::open(world.bytes()).unwrap();
    let down = Motion::new(DVec3::Z * -200.0).unwrap();
    let hit =
        map.scene().ray(&Ray::new(dvec3(-12.2, -12.3, 90.0), down).unwrap(), &Filter::default());
    assert!(hit.is_some());
    let loaded = map.loaded_surfaces();
    assert!(loaded >= 1 && loaded < map.surface_count() as usize, "{loaded}");
}

#[test]
fn bodies_of_a_map_stay_and_others_come_and_go() {
    let world = world(4);
    let map = MapFile::open(world.bytes()).unwrap();
    let mut scene = map.scene().clone();
    let (id, _) = scene.bodies().next().unwrap();
    assert!(map.surface_of(id).is_some());
    assert!(matches!(scene.remove(id), Err(SceneError::OfMap { .. })));
    assert!(matches!(scene.move_mesh(id, Pose::IDENTITY), Err(SceneError::OfMap { .. })));
    let ball = Shape::Sphere(Sphere::new(DVec3::Z * 500.0, 1.0).unwrap());
    let fall = Ray::new(DVec3::Z * 600.0, Motion::new(DVec3::Z * -700.0).unwrap()).unwrap();
    for mobility in [Mobility::Static, Mobility::Dynamic] {
        let revision = scene.revision();
        let own = scene.insert(Body::shape(ball).with_mobility(mobility).with_key(9_999));
        assert_eq!(scene.revision() == revision, mobility == Mobility::Dynamic);
        assert_eq!(scene.ray(&fall, &Filter::default()).unwrap().target.key, 9_999);
        assert_eq!(map.surface_of(own), None);
        scene.remove(own).unwrap();
        assert_ne!(scene.ray(&fall, &Filter::default()).map(|hit| hit.target.key), Some(9_999));
    }
    assert_eq!(scene.bodies().count(), map.scene().bodies().count());
}

/// One flipped bit anywhere: an error at opening, or a part that counts as absent and is listed.
#[test]
fn damage_is_an_error_at_opening_or_listed_and_absent() {
    let world = world(12);
    let bytes = world.bytes();
    assert!(verify(bytes.clone()).is_sound());
    let expected = MapFile::open(bytes.clone()).unwrap().scene().bodies().count();
    let mut rng = Rng::new(&[44]);
    let mut kinds = [0; 2];
    for _ in 0..600 {
        let mut damaged = bytes.clone();
        // The last bytes only fill the file up, and are never read.
        let at = rng.index(bytes.len() - 63);
        damaged[at] ^= 1 << rng.below(8);
        let is_sound = verify(damaged.clone()).is_sound();
        assert!(!is_sound, "byte {at}");
        let Ok(map) = MapFile::open(damaged) else {
            kinds[0] += 1;
            continue;
        };
        let mut cache = TriangleCache::new();
        for number in 0..20 {
            let _ = answers(map.scene(), &mut cache, number);
        }
        let bodies = map.scene().bodies().count();
        for number in 0..map.surface_count() {
            let _ = (map.mesh(number), map.field(number));
        }
        kinds[1] += 1;
        assert!(!map.damage().is_empty(), "byte {at} of {}", bytes.len());
        assert!(bodies <= expected);
        for error in map.damage() {
            assert!(!error.to_string().is_empty());
        }
    }
    assert!(kinds[0] > 20 && kinds[1] > 200, "{kinds:?}");
}

/// Forged bytes with right checksums: queries end, and read nothing outside of the file.
#[test]
fn forged_bytes_cannot_make_a_query_panic() {
    let bytes = world(6).bytes();
    let mut rng = Rng::new(&[45]);
    let mut opened = 0;
    for round in 0..3_000 {
        let mut forged = bytes.clone();
        for _ in 0..=rng.below(4) {
            let at = rng.index(forged.len());
            forged[at] = if rng.chance(0.3) { 0xff } else { rng.bits() as u8 };
        }
        forge_checksums(&mut forged);
        let Ok(map) = MapFile::open(forged.clone()) else { continue };
        opened += 1;
        let mut cache = TriangleCache::new();
        for number in 0..6 {
            let _ = answers(map.scene(), &mut cache, number + round);
        }
        let _ = (map.scene().bodies().count(), map.damage());
        if round % 50 == 0 {
            let _ = verify(forged);
        }
    }
    assert!(opened > 500, "{opened}");
}

/// Sets the checksums of sections to 0, which means that there is none, and that of the table to
/// the right one.
pub(crate) fn forge_checksums(bytes: &mut [u8]) {
    let word = |bytes: &[u8], at: usize| {
        bytes.get(at..at + 8).map_or(0, |word| u64::from_le_bytes(word.try_into().unwrap()))
    };
    let length = bytes.len();
    bytes[16..24].copy_from_slice(&(length as u64).to_le_bytes());
    let (table, count) = (word(bytes, 40) as usize, word(bytes, 24) as u32 as usize);
    let Some(end) = count.checked_mul(32).and_then(|size| table.checked_add(size)) else { return };
    if table < 64 || end > length {
        return;
    }
    for entry in bytes[table..end].chunks_exact_mut(32) {
        entry[24..].fill(0);
    }
    bytes[32..40].fill(0);
    let all: Vec<u8> = [&bytes[..64], &bytes[table..end]].concat();
    let sum = checksum(&all);
    bytes[32..40].copy_from_slice(&sum.to_le_bytes());
}

#[test]
fn a_map_that_was_not_finished_or_is_cut_off_is_refused() {
    let world = world(3);
    let bytes = world.bytes();
    for length in [0, 8, 63, 64, 65, 1000, bytes.len() - 64, bytes.len() - 1] {
        let opened = MapFile::open(bytes[..length].to_vec());
        let _: FileError = opened.map(|_| ()).unwrap_err();
    }
    let mut unfinished = bytes.clone();
    unfinished[..64].fill(0);
    assert!(matches!(MapFile::open(unfinished), Err(FileError::NotAFile { .. })));
    assert!(matches!(
        Scene::from_bytes(bytes).map(|_| ()),
        Err(FileError::WrongContent { found: 3, .. } | FileError::Checksum { .. })
    ));
    let scene = world.scene().to_bytes();
    assert!(matches!(
        MapFile::open(scene).map(|_| ()),
        Err(FileError::WrongContent { found: 2, wanted: "map" })
    ));
}

#[test]
fn a_placement_of_no_surface_or_out_of_range_is_refused() {
    let mut map = MapWriter::new(Cursor::new(Vec::new()), MapUnit::Metre);
    let field = world(1).fields[0].clone();
    let surface = map.add_field(&field).unwrap();
    let place = |surface: u32, x: f64| {
        let pose = Pose::from_translation(DVec3::X * x).unwrap();
        PlacedSurface { surface, pose, key: 0, mask: 1 }
    };
    assert!(matches!(map.place(&place(9, 0.0)), Err(FileError::BadBody { found: 9, .. })));
    let far = capsweep::MAX_POSITION - 1.0;
    assert!(matches!(map.place(&place(surface, far)), Err(FileError::BadShape { .. })));
    map.place(&place(surface, 0.0)).unwrap();
    map.finish(&[]).unwrap();
}

/// A disk that is full after some bytes.
struct FullDisk {
    room: usize,
}

impl io::Write for FullDisk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.room = self.room.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl io::Seek for FullDisk {
    fn seek(&mut self, _to: io::SeekFrom) -> io::Result<u64> {
        Ok(0)
    }
}

#[test]
fn a_full_disk_is_an_error_wherever_it_happens() {
    let world = world(2);
    let write = |room: usize| -> io::Result<u64> {
        let mut map = MapWriter::new(FullDisk { room }, MapUnit::Metre);
        for field in &world.fields {
            map.add_field(field)?;
        }
        for mesh in &world.meshes {
            map.add_mesh(mesh)?;
        }
        map.finish(&[])
    };
    let needed = write(usize::MAX).unwrap() as usize;
    for room in [10, 500, needed / 2, needed - 100, needed] {
        // The header is written a second time, at the end.
        assert_eq!(write(room).unwrap_err().kind(), io::ErrorKind::StorageFull, "{room}");
    }
}

#[test]
fn an_empty_map_is_empty() {
    let mut bytes = Cursor::new(Vec::new());
    MapWriter::new(&mut bytes, MapUnit::Metre).finish(&[]).unwrap();
    let map = MapFile::open(bytes.into_inner()).unwrap();
    assert_eq!((map.body_count(), map.surface_count()), (0, 0));
    let ray = Ray::new(DVec3::ZERO, Motion::new(DVec3::X).unwrap()).unwrap();
    assert!(map.scene().ray(&ray, &Filter::default()).is_none());
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
        state[i % 4] = step(state[i % 4], u64::from_le_bytes(word.try_into().unwrap()));
    }
    let joined = state.into_iter().fold(ODD, step);
    let mixed = (joined ^ (joined >> 32)).wrapping_mul(ODD);
    mixed ^ (mixed >> 29)
}
