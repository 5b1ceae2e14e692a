//! An id finds its own body: in the scene that made it and its clones, and nothing of any other
//! scene.

use crate::motion;
use capsweep::cache::TriangleCache;
use capsweep::controller::{Carrier, Controller, ControllerConfig, MoveInput};
use capsweep::scene::{
    Body, BodyId, Filter, HitTarget, MeshOptions, Mobility, Pose, Scene, SceneError, SceneHit,
    Shape, TriMesh,
};
use capsweep::{Capsule, Obb, Sphere};
use glam::{DVec3, Vec3, dvec3};
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

fn ball(x: f64) -> Shape {
    Shape::Sphere(Sphere::new(dvec3(x, 0.0, 0.0), 1.0).unwrap())
}

fn sheet() -> Arc<TriMesh> {
    let corners =
        [Vec3::new(-3.0, -3.0, 0.0), Vec3::new(5.0, -3.0, 0.0), Vec3::new(0.0, 6.0, 0.0)];
    Arc::new(TriMesh::new(&corners, &[[0, 1, 2]], MeshOptions::default()).unwrap())
}

/// A scene with a mesh, a shape and a dynamic platform, and their ids.
fn world(key: u64) -> (Scene, [BodyId; 3]) {
    let mut scene = Scene::new();
    let ids = [
        Body::mesh(sheet(), Pose::IDENTITY).unwrap().with_key(key),
        Body::shape(ball(9.0)).with_key(key),
        Body::obstacle(ball(-9.0)).with_key(key).with_mobility(Mobility::Dynamic),
    ]
    .map(|body| scene.insert(body));
    (scene, ids)
}

/// The same numbers, as another program would send them.
fn read_again(id: BodyId) -> BodyId {
    serde_json::from_str(&serde_json::to_string(&id).unwrap()).unwrap()
}

fn hash(id: BodyId) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}

/// Everything that takes an id refuses it, and nothing changes.
#[track_caller]
fn assert_unknown(scene: &mut Scene, id: BodyId) {
    let before = format!("{:?}", scene.bodies().collect::<Vec<_>>());
    let unknown = Err(SceneError::NoSuchBody { id });
    assert_eq!(scene.body(id).map(|_| ()), unknown);
    assert_eq!(scene.remove(id).map(|_| ()), unknown);
    assert_eq!(scene.move_mesh(id, Pose::IDENTITY), unknown);
    assert_eq!(scene.set_mesh(id, sheet()), unknown);
    assert_eq!(scene.move_shape(id, ball(0.0)), unknown);
    assert_eq!(format!("{:?}", scene.bodies().collect::<Vec<_>>()), before);
}

#[test]
fn an_id_of_another_scene_is_unknown() {
    let ((mut one, ids), (mut other, same)) = (world(1), world(2));
    for (id, twin) in ids.into_iter().zip(same) {
        assert_eq!(one.body(id).unwrap().key(), 1);
        assert_eq!(other.body(twin).unwrap().key(), 2);
        assert_unknown(&mut other, id);
        assert_unknown(&mut one, twin);
    }
}

#[test]
fn an_id_read_from_data_finds_what_has_its_numbers_in_any_scene() {
    let ((one, ids), (mut other, _)) = (world(1), world(2));
    for id in ids.map(read_again) {
        assert_eq!(one.body(id).unwrap().key(), 1);
        assert_eq!(other.body(id).unwrap().key(), 2);
        // Written and read once more it is still of no scene.
        assert_eq!(other.body(read_again(id)).unwrap().key(), 2);
    }
    let [mesh, ..] = ids.map(read_again);
    assert_eq!(other.move_mesh(mesh, Pose::from_translation(DVec3::X).unwrap()), Ok(()));
    assert_eq!(other.remove(mesh).unwrap().key(), 2);
    assert_unknown(&mut other, mesh);
}

#[test]
fn the_scene_of_an_id_is_no_part_of_its_value() {
    let ((_, ids), (_, same)) = (world(1), world(2));
    for (id, twin) in ids.into_iter().zip(same) {
        for other in [twin, read_again(id)] {
            assert_eq!(id, other);
            assert_eq!(id.cmp(&other), std::cmp::Ordering::Equal);
            assert_eq!(hash(id), hash(other));
            assert_eq!(format!("{id:?}"), format!("{other:?}"));
            let text = |id| serde_json::to_string(&id).unwrap();
            assert_eq!(text(id), text(other));
        }
    }
    assert_eq!(format!("{:?}", ids[0]), "BodyId { index: 0, generation: 0 }");
    assert_eq!(serde_json::to_string(&ids[0]).unwrap(), r#"{"index":0,"generation":0}"#);
    assert!(ids[0] < ids[1] && ids[1] < ids[2]);
}

#[test]
fn an_id_goes_on_working_in_every_clone_whatever_is_done_to_the_others() {
    let (mut scene, ids) = world(1);
    let mut clone = scene.clone();
    let second = clone.clone();
    for id in ids {
        assert!([&scene, &clone, &second].iter().all(|scene| scene.body(id).is_ok()));
    }
    clone.move_mesh(ids[0], Pose::from_translation(DVec3::X).unwrap()).unwrap();
    scene.remove(ids[0]).unwrap();
    assert!(scene.body(ids[0]).is_err());
    assert!(clone.body(ids[0]).is_ok() && second.body(ids[0]).is_ok());
    // Removed in one clone and inserted again, it is another body there.
    let again = scene.insert(Body::mesh(sheet(), Pose::IDENTITY).unwrap());
    assert_ne!(again, ids[0]);
    assert!(scene.body(ids[0]).is_err() && clone.body(again).is_err());
}

#[test]
fn bodies_inserted_into_two_clones_are_distinct_though_their_ids_are_equal() {
    let (mut scene, _) = world(1);
    let mut clone = scene.clone();
    for mobility in [Mobility::Static, Mobility::Dynamic] {
        let body = || Body::shape(ball(0.0)).with_mobility(mobility);
        let (here, there) = (scene.insert(body().with_key(7)), clone.insert(body().with_key(8)));
        assert_eq!(here, there);
        assert_eq!(scene.body(here).unwrap().key(), 7);
        assert_eq!(clone.body(there).unwrap().key(), 8);
        assert_unknown(&mut clone, here);
        assert_unknown(&mut scene, there);
        let read = read_again(here);
        assert_eq!((scene.body(read).unwrap().key(), clone.body(read).unwrap().key()), (7, 8));
    }
}

#[test]
fn ids_from_hits_and_lists_are_those_of_the_queried_scene() {
    let ((scene, _), (mut other, _)) = (world(1), world(2));
    let body = Capsule::from_feet(dvec3(0.0, 0.0, 2.0), DVec3::Z, 0.4, 1.8).unwrap();
    let hit = scene.sweep(&body, &motion([0.0, 0.0, -5.0]), &Filter::default()).unwrap();
    assert_eq!(scene.body(hit.target.body).unwrap().key(), 1);
    assert_unknown(&mut other, hit.target.body);
    for (id, _) in scene.bodies() {
        assert!(scene.body(id).is_ok());
        assert_unknown(&mut other, id);
    }
    let read: HitTarget =
        serde_json::from_str(&serde_json::to_string(&hit.target).unwrap()).unwrap();
    assert_eq!(read, hit.target);
    assert_eq!(other.body(read.body).unwrap().key(), 2);
}

/// The numbers are those that were written; the ids are the loaded scene's own.
#[test]
fn a_scene_that_was_loaded_is_another_scene() {
    let (scene, ids) = world(1);
    let mut loaded = Scene::from_bytes(scene.to_bytes()).unwrap();
    for (id, (own, body)) in ids.into_iter().zip(loaded.clone().bodies()) {
        assert_eq!((id, body.key()), (own, 1));
        assert!(loaded.body(own).is_ok() && loaded.body(read_again(id)).is_ok());
        assert_unknown(&mut loaded, id);
    }
}

#[test]
fn the_stamp_of_an_id_makes_no_hit_larger() {
    assert_eq!(size_of::<HitTarget>(), 32);
    assert_eq!(size_of::<SceneHit<()>>(), 32);
}

/// A floor, and a dynamic block in the way.
fn yard() -> (Scene, BodyId) {
    let mut scene = Scene::new();
    let block = |x: f64, z: f64, half: Vec3| {
        Shape::Box(Obb::axis_aligned(dvec3(x, 0.0, z), half).unwrap())
    };
    scene.insert(Body::shape(block(0.0, -1.0, Vec3::new(9.0, 9.0, 1.0))));
    let way = block(1.5, 1.0, Vec3::new(0.5, 2.0, 1.0));
    let id = scene.insert(Body::obstacle(way).with_mobility(Mobility::Dynamic));
    (scene, id)
}

/// How far along x a character gets that ignores `own`; it asks for 3 m.
fn walked(scene: &Scene, own: BodyId) -> f64 {
    let controller = Controller::new(ControllerConfig::human(DVec3::Z)).unwrap();
    let mut state = controller.spawn(DVec3::ZERO).unwrap();
    let mut cache = TriangleCache::new();
    let start = state.center().x;
    for _ in 0..30 {
        let input = MoveInput::new(motion([0.1, 0.0, -0.01])).ignoring(own);
        state = controller.move_by(scene, &mut cache, &state, &input).state;
    }
    state.center().x - start
}

#[test]
fn a_character_ignores_its_own_body_and_none_with_the_same_number_in_another_scene() {
    let ((scene, own), (_, other)) = (yard(), yard());
    assert_eq!(own, other);
    assert!(walked(&scene, own) > 2.5, "its own body is passed");
    assert!(walked(&scene, read_again(other)) > 2.5, "an id from data is of any scene");
    assert!(walked(&scene, other) < 1.0, "the body of another scene is not there");
}

/// How far a character on the slab moves when the input says that `carrier` carries it a metre.
fn carried(scene: &Scene, slab: BodyId, carrier: BodyId) -> f64 {
    let controller = Controller::new(ControllerConfig::human(DVec3::Z)).unwrap();
    let start = controller.spawn(dvec3(0.0, 0.0, 0.02)).unwrap();
    let mut cache = TriangleCache::new();
    let down = MoveInput::new(motion([0.0, 0.0, -0.05]));
    let standing = controller.move_by(scene, &mut cache, &start, &down).state;
    assert_eq!(standing.footing().unwrap().body, slab);
    let moved = Pose::from_translation(DVec3::X).unwrap();
    let ride = down.carried_by(Carrier::new(carrier, Pose::IDENTITY, moved)).with_dt(1.0);
    let out = controller.move_by(scene, &mut cache, &standing, &ride);
    assert_eq!(out.ground.unwrap().velocity.x > 0.5, out.carried.displacement.x > 0.5);
    out.state.center().x - standing.center().x
}

#[test]
fn a_carrier_of_another_scene_carries_no_character() {
    let slab = || {
        let mut scene = Scene::new();
        let body = Body::mesh(sheet(), Pose::IDENTITY).unwrap();
        let id = scene.insert(body.with_mobility(Mobility::Dynamic));
        (scene, id)
    };
    let ((scene, own), (_, other)) = (slab(), slab());
    assert_eq!(own, other);
    assert!((carried(&scene, own, own) - 1.0).abs() < 1e-6);
    assert!((carried(&scene, own, read_again(other)) - 1.0).abs() < 1e-6);
    assert!(carried(&scene, own, other).abs() < 1e-6);
}
