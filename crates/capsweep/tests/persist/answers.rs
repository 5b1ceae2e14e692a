use crate::{mesh, world};
use capsweep::query::Column;
use capsweep::scene::{
    Bodies, Body, BodyId, Filter, HitTarget, MeshOptions, Pose, Scene, StartOverlaps, TriMesh,
};
use capsweep::{Capsule, Limit, Motion, Ray, Sides, SlopeLimit};
use capsweep_testkit::{Rng, level};
use glam::{DVec3, dvec3};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The answers of all queries of a scene, as text: equal text is equal bits.
fn answers(scene: &Scene, number: u64) -> String {
    let mut rng = Rng::new(&[12, number]);
    let at = rng.cube(1.0) * dvec3(28.0, 28.0, 4.0) + DVec3::Z * 2.0;
    let axis = if rng.chance(0.5) { DVec3::Z } else { rng.cube(1.0) };
    let capsule = Capsule::new(at, at + axis, rng.range(0.05, 0.6) as f32).unwrap();
    let direction = if rng.chance(0.3) { DVec3::NEG_Z } else { rng.direction() };
    let motion = Motion::new(direction * rng.log_range(1e-3, 60.0)).unwrap();
    let pick = |i: u32| i as usize;
    let filter = Filter {
        mask: [u32::MAX, 1, 0xffff][pick(rng.below(3))],
        sides: [Sides::Front, Sides::Both][pick(rng.below(2))],
        bodies: [Bodies::All, Bodies::Static, Bodies::Dynamic][pick(rng.below(3))],
        start_overlaps: [StartOverlaps::Report, StartOverlaps::Skip][pick(rng.below(2))],
    };
    let accept = |target: &HitTarget| target.tag % 3 != 1;
    let (mut swept, mut overlapping, mut supports) = (Vec::new(), Vec::new(), Vec::new());
    scene.sweep_all(&capsule, &motion, &filter, &mut swept);
    scene.overlap_all(&capsule, &filter, &mut overlapping);
    scene.supports(
        &Column::new(at, DVec3::Z, 4.0, 9.0).unwrap(),
        SlopeLimit::from_cos(0.7).unwrap(),
        &filter,
        &mut supports,
    );
    format!(
        "{:?} {:?} {} {swept:?} {} {:?} {overlapping:?} {:?} {:?} {supports:?}",
        scene.sweep(&capsule, &motion, &filter),
        scene.sweep_where(&capsule, &motion, &filter, accept),
        scene.sweep_any(&capsule, &motion, &filter),
        scene.overlaps(&capsule, &filter),
        scene.overlap(&capsule, &filter),
        scene.closest(&capsule, Limit::new(5.0).unwrap(), &filter),
        scene.ray(&Ray::new(at, motion).unwrap(), &filter),
    )
}

#[test]
fn a_loaded_scene_answers_like_the_one_it_was_made_from() {
    let built = world();
    let bytes = built.to_bytes();
    let loaded = Scene::from_bytes(bytes.clone()).unwrap();
    assert_eq!(loaded.bodies().count(), built.bodies().count());
    for ((id, body), (loaded_id, loaded)) in built.bodies().zip(loaded.bodies()) {
        assert_eq!(id, loaded_id);
        assert_eq!(
            (body.key(), body.mask(), body.mobility(), body.kind()),
            (loaded.key(), loaded.mask(), loaded.mobility(), loaded.kind())
        );
    }
    let mut hits = 0;
    for number in 0..2_000 {
        let words = answers(&built, number);
        assert_eq!(words, answers(&loaded, number), "query {number}");
        hits += usize::from(words.contains("HitTarget"));
    }
    assert!(hits > 500, "{hits}");
    // A loaded scene is written again byte for byte.
    assert_eq!(loaded.to_bytes(), bytes);
    assert_ne!(loaded.revision(), built.revision());
}

#[test]
fn a_loaded_scene_can_be_changed() {
    let mut built = world();
    let mut loaded = Scene::from_bytes(built.to_bytes()).unwrap();
    for scene in [&mut built, &mut loaded] {
        let ids: Vec<BodyId> = scene.bodies().map(|(id, _)| id).collect();
        scene.move_mesh(ids[3], Pose::from_translation(dvec3(1.0, 2.0, 3.0)).unwrap()).unwrap();
        scene.remove(ids[4]).unwrap();
        scene.remove(ids[70]).unwrap();
    }
    for number in 0..500 {
        assert_eq!(answers(&built, number), answers(&loaded, number), "query {number}");
    }
    // Writing a scene that lost bodies renumbers the ids. Keys and order stay.
    let again = Scene::from_bytes(built.to_bytes()).unwrap();
    let keys =
        |scene: &Scene| -> Vec<u64> { scene.bodies().map(|(_, body)| body.key()).collect() };
    assert_eq!(keys(&again), keys(&built));
    let unnumbered = |scene: &Scene, number: u64| {
        let words = answers(scene, number);
        let parts: Vec<&str> = words.split("BodyId").collect();
        parts
            .iter()
            .map(|part| part.split_once('}').map_or(*part, |(_, rest)| rest))
            .collect::<String>()
    };
    for number in 0..500 {
        assert_eq!(unnumbered(&built, number), unnumbered(&again, number), "query {number}");
    }
}

#[test]
fn a_loaded_mesh_is_the_mesh_that_was_written() {
    for double_sided in [false, true] {
        let built = mesh(&level::dungeon(), double_sided);
        let loaded = TriMesh::from_bytes(built.to_bytes()).unwrap();
        loaded.validate().unwrap();
        assert_eq!(loaded.is_double_sided(), double_sided);
        assert_eq!(loaded.bounds(), built.bounds());
        assert_eq!(loaded.triangle_count(), built.triangle_count());
        for i in 0..built.triangle_count() {
            assert_eq!(loaded.triangle(i), built.triangle(i));
            assert_eq!((loaded.mask(i), loaded.tag(i)), (built.mask(i), built.tag(i)));
        }
        assert_eq!(loaded.to_bytes(), built.to_bytes());
        // What is changed is copied first.
        let numbers = vec![9; built.triangle_count() as usize];
        let changed = loaded.clone().with_tags(&numbers).unwrap();
        assert_eq!((changed.tag(5), loaded.tag(5)), (Some(9), built.tag(5)));
    }
}

#[test]
fn a_loaded_mesh_can_be_bent() {
    let (mut vertices, indices) = level::dungeon();
    let mut built = mesh(&(vertices.clone(), indices.clone()), false);
    let mut loaded = TriMesh::from_bytes(built.to_bytes()).unwrap();
    let kept = loaded.clone();
    for vertex in &mut vertices {
        vertex.z += 0.1 * vertex.x;
    }
    built.refit(&vertices, &indices).unwrap();
    loaded.refit(&vertices, &indices).unwrap();
    loaded.validate().unwrap();
    assert_eq!(loaded.to_bytes(), built.to_bytes());
    assert_ne!(kept.to_bytes(), built.to_bytes());
}

#[test]
fn nothing_is_written_and_read_like_something() {
    let empty = TriMesh::new(&[], &[], MeshOptions::default()).unwrap();
    let loaded = TriMesh::from_bytes(empty.to_bytes()).unwrap();
    assert_eq!((loaded.triangle_count(), loaded.bounds()), (0, None));
    let mut scene = Scene::from_bytes(Scene::new().to_bytes()).unwrap();
    assert_eq!(scene.bodies().count(), 0);
    scene.insert(Body::mesh(Arc::new(loaded), Pose::IDENTITY).unwrap());
    assert_eq!(Scene::from_bytes(scene.to_bytes()).unwrap().bodies().count(), 1);
}

/// Bytes whose address is this much past a multiple of 64.
struct Past {
    room: Vec<u8>,
    start: usize,
    length: usize,
}

impl Past {
    fn new(bytes: &[u8], past: usize) -> Self {
        let mut room = vec![0; bytes.len() + 128];
        let base = room.as_ptr().addr();
        let start = (0..64).find(|start| (base + start) % 64 == past).unwrap();
        room[start..start + bytes.len()].copy_from_slice(bytes);
        Self { room, start, length: bytes.len() }
    }
}

impl AsRef<[u8]> for Past {
    fn as_ref(&self) -> &[u8] {
        &self.room[self.start..self.start + self.length]
    }
}

/// Bytes wherever they lie: owned, shared, lent, at any address.
#[test]
fn bytes_of_any_owner_will_do() {
    let built = mesh(&level::stairs(), false);
    let bytes = built.to_bytes();
    let lent: &'static [u8] = Vec::leak(bytes.clone());
    let owned = [
        TriMesh::from_bytes(bytes.clone()).unwrap(),
        TriMesh::from_bytes(Arc::<[u8]>::from(&bytes[..])).unwrap(),
        TriMesh::from_bytes(lent).unwrap(),
    ];
    let shifted = (0..64).map(|past| TriMesh::from_bytes(Past::new(&bytes, past)).unwrap());
    for mesh in owned.into_iter().chain(shifted) {
        mesh.validate().unwrap();
        assert_eq!(mesh.to_bytes(), bytes);
    }
}

#[test]
fn bytes_are_kept_while_they_are_used_and_no_longer() {
    struct Kept(Past, Arc<AtomicUsize>);
    impl AsRef<[u8]> for Kept {
        fn as_ref(&self) -> &[u8] {
            self.0.as_ref()
        }
    }
    impl Drop for Kept {
        fn drop(&mut self) {
            self.1.fetch_add(1, Ordering::SeqCst);
        }
    }
    let drops = Arc::new(AtomicUsize::new(0));
    let bytes = mesh(&level::stairs(), false).to_bytes();
    let mesh = TriMesh::from_bytes(Kept(Past::new(&bytes, 32), Arc::clone(&drops))).unwrap();
    let clone = mesh.clone();
    drop(mesh);
    assert_eq!(drops.load(Ordering::SeqCst), 0);
    assert!(clone.triangle(0).is_some());
    drop(clone);
    assert_eq!(drops.load(Ordering::SeqCst), 1);
}

#[test]
fn a_mesh_that_bodies_share_is_written_once_and_shared_again() {
    let shared = Arc::new(mesh(&level::dungeon(), false));
    let alone = shared.to_bytes().len();
    let mut scene = Scene::new();
    for key in 0..100 {
        let pose = Pose::from_translation(DVec3::X * 60.0 * key as f64).unwrap();
        scene.insert(Body::mesh(Arc::clone(&shared), pose).unwrap().with_key(key));
    }
    let bytes = scene.to_bytes();
    assert!(bytes.len() < alone + 100 * 160 + 1_000, "{} for {alone}", bytes.len());
    assert_eq!(Scene::from_bytes(bytes.clone()).unwrap().to_bytes().len(), bytes.len());
    let corner = shared.triangle(7).unwrap()[0].as_dvec3() + DVec3::X * 5_940.0;
    let ball = Capsule::new(corner, corner, 0.1).unwrap();
    let hit = Scene::from_bytes(bytes).unwrap().overlap(&ball, &Filter::default());
    assert_eq!(hit.map(|hit| hit.target.key), Some(99));
}

#[test]
fn notes_come_back_as_they_were_and_change_nothing_else() {
    let built = world();
    let notes = b"names of things \0\xff".as_slice();
    let bytes = built.to_bytes_with_notes(notes);
    let (loaded, read) = Scene::from_bytes_with_notes(bytes.clone()).unwrap();
    assert_eq!(read, notes);
    assert_eq!(loaded.to_bytes(), built.to_bytes());
    // A reader that does not want notes reads the scene alone.
    assert_eq!(Scene::from_bytes(bytes.clone()).unwrap().to_bytes(), built.to_bytes());
    assert_eq!(built.to_bytes_with_notes(&[]), built.to_bytes());
    assert!(Scene::from_bytes_with_notes(built.to_bytes()).unwrap().1.is_empty());
    let mut altered = bytes;
    let last = altered.iter().rposition(|byte| *byte == 0xff).unwrap();
    altered[last] = 0xfe;
    assert!(Scene::from_bytes_with_notes(altered).is_err());
}
