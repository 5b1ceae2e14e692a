//! Bodies of a scene: insertion, moves, removal, edits, ids, revisions, clones, filters.

use capsweep::scene::{
    Bodies, Body, BodyKind, Filter, Mobility, Pose, Scene, SceneError, SceneHit, Shape,
};
use capsweep::{Capsule, HalfSpace, Motion, Obb, Sphere, SweepHit};
use capsweep_testkit::brute::tri_mesh;
use glam::{DVec3, dvec3, vec3};

fn ball(z: f64) -> Shape {
    Shape::Sphere(Sphere::new(DVec3::Z * z, 0.5).unwrap())
}

fn slab(z: f32) -> Body {
    let corners = vec![vec3(-2.0, -1.0, z), vec3(2.0, -1.5, z), vec3(0.0, 3.0, z)];
    Body::mesh(tri_mesh(&(corners, vec![[0, 1, 2]]), false), Pose::IDENTITY).unwrap()
}

/// The first hit of a long fall from z = 10.
fn fall(scene: &Scene, filter: Filter) -> Option<SceneHit<SweepHit>> {
    let capsule = Capsule::from_feet(DVec3::Z * 10.0, DVec3::Z, 0.375, 1.8).unwrap();
    scene.sweep(&capsule, &Motion::new(DVec3::NEG_Z * 20.0).unwrap(), &filter)
}

fn distance(scene: &Scene) -> Option<f64> {
    fall(scene, Filter::default()).map(|hit| hit.hit.distance)
}

fn assert_distance(scene: &Scene, expected: f64) {
    let found = distance(scene).unwrap();
    assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
}

#[test]
fn a_scene_can_be_sent_and_shared() {
    fn is_shared<T: Send + Sync + Clone>() {}
    is_shared::<Scene>();
    is_shared::<Body>();
}

#[test]
fn an_empty_scene_answers_nothing() {
    assert_eq!(distance(&Scene::new()), None);
    assert_eq!(distance(&Scene::default()), None);
    assert_eq!(Scene::new().bodies().count(), 0);
}

#[test]
fn an_inserted_body_is_seen_at_once() {
    let mut scene = Scene::new();
    let id = scene.insert(slab(2.0).with_key(7).with_mask(3));
    assert_distance(&scene, 8.0);
    let hit = fall(&scene, Filter::default()).unwrap();
    assert_eq!((hit.target.body, hit.target.key, hit.target.kind), (id, 7, BodyKind::Mesh));
    let body = scene.body(id).unwrap();
    assert_eq!((body.key(), body.mask(), body.mobility()), (7, 3, Mobility::Static));
    scene.insert(Body::shape(ball(5.0)));
    assert_distance(&scene, 4.5);
}

#[test]
fn moved_bodies_are_found_where_they_are() {
    let mut scene = Scene::new();
    let mesh = scene.insert(slab(0.0).with_mobility(Mobility::Dynamic));
    let shape = scene.insert(Body::obstacle(ball(-5.0)));
    assert_distance(&scene, 10.0);
    scene.move_mesh(mesh, Pose::from_translation(DVec3::Z * 3.0).unwrap()).unwrap();
    assert_distance(&scene, 7.0);
    scene.move_shape(shape, ball(6.0)).unwrap();
    assert_distance(&scene, 3.5);
    // A bounded shape may become an unbounded one, and back.
    let plane = HalfSpace::new(DVec3::Z * 8.0, DVec3::Z).unwrap();
    scene.move_shape(shape, Shape::HalfSpace(plane)).unwrap();
    assert_distance(&scene, 2.0);
    let cube = Obb::axis_aligned(DVec3::Z * 4.0, vec3(1.0, 1.0, 1.0)).unwrap();
    scene.move_shape(shape, Shape::Box(cube)).unwrap();
    assert_distance(&scene, 5.0);
}

#[test]
fn changes_of_the_wrong_kind_are_refused() {
    let mut scene = Scene::new();
    let mesh = scene.insert(slab(0.0));
    let shape = scene.insert(Body::shape(ball(0.0)));
    let revision = scene.revision();
    assert_eq!(
        scene.move_mesh(shape, Pose::IDENTITY),
        Err(SceneError::WrongKind { id: shape, kind: BodyKind::Shape })
    );
    assert_eq!(
        scene.move_shape(mesh, ball(1.0)),
        Err(SceneError::WrongKind { id: mesh, kind: BodyKind::Mesh })
    );
    assert_eq!(scene.revision(), revision);
    assert_distance(&scene, 9.5);
}

#[test]
fn a_removed_body_is_gone_and_its_id_is_never_reused() {
    let mut scene = Scene::new();
    let first = scene.insert(slab(2.0).with_key(1));
    assert_eq!(scene.remove(first).unwrap().key(), 1);
    assert_eq!(distance(&scene), None);
    let gone = SceneError::NoSuchBody { id: first };
    assert_eq!(scene.body(first).unwrap_err(), gone);
    assert_eq!(scene.remove(first).unwrap_err(), gone);
    assert_eq!(scene.move_mesh(first, Pose::IDENTITY).unwrap_err(), gone);
    assert_eq!(scene.move_shape(first, ball(0.0)).unwrap_err(), gone);
    let mut ids = vec![first];
    for _ in 0..100 {
        let id = scene.insert(Body::shape(ball(1.0)));
        assert!(!ids.contains(&id));
        ids.push(id);
        scene.remove(id).unwrap();
    }
    let last = scene.insert(slab(4.0).with_key(2));
    assert!(ids.iter().all(|id| scene.body(*id).is_err()));
    assert_eq!(scene.bodies().map(|(id, body)| (id, body.key())).collect::<Vec<_>>(), [(last, 2)]);
    assert_eq!(fall(&scene, Filter::default()).unwrap().target.body, last);
}

#[test]
fn static_changes_renew_the_revision_and_dynamic_ones_do_not() {
    let mut scene = Scene::new();
    let mut last = scene.revision();
    assert_ne!(last, Scene::new().revision());
    let mut renewed = |scene: &Scene| {
        let before = core::mem::replace(&mut last, scene.revision());
        before != last
    };
    assert!(!renewed(&scene));
    let fixed = scene.insert(slab(0.0));
    assert!(renewed(&scene));
    assert!(!renewed(&scene));
    let lift = scene.insert(slab(1.0).with_mobility(Mobility::Dynamic));
    assert!(!renewed(&scene));
    scene.move_mesh(lift, Pose::from_translation(DVec3::Z).unwrap()).unwrap();
    assert!(!renewed(&scene));
    scene.remove(lift).unwrap();
    assert!(!renewed(&scene));
    scene.move_mesh(fixed, Pose::from_translation(DVec3::Z).unwrap()).unwrap();
    assert!(renewed(&scene));
    scene.remove(fixed).unwrap();
    assert!(renewed(&scene));
}

#[test]
fn clones_are_independent() {
    let mut scene = Scene::new();
    let id = scene.insert(slab(2.0));
    let mut other = scene.clone();
    assert_eq!(other.revision(), scene.revision());
    other.move_mesh(id, Pose::from_translation(DVec3::Z).unwrap()).unwrap();
    other.insert(Body::shape(ball(6.0)));
    assert_ne!(other.revision(), scene.revision());
    assert_distance(&scene, 8.0);
    assert_distance(&other, 3.5);
    scene.remove(id).unwrap();
    assert_eq!(distance(&scene), None);
    assert_distance(&other, 3.5);
    assert!(other.body(id).is_ok());
}

#[test]
fn masks_and_mobility_decide_what_is_seen() {
    let mut scene = Scene::new();
    let floor = Shape::HalfSpace(HalfSpace::new(DVec3::ZERO, DVec3::Z).unwrap());
    scene.insert(slab(6.0).with_mask(0b0001).with_key(1));
    scene.insert(Body::shape(ball(4.0)).with_mask(0b0010).with_key(2));
    let moving = slab(2.0).with_mask(0b0101).with_key(3).with_mobility(Mobility::Dynamic);
    scene.insert(moving);
    let platform = Body::obstacle(ball(1.0)).with_mask(0b1000).with_key(4);
    scene.insert(platform.with_mobility(Mobility::Dynamic));
    scene.insert(Body::shape(floor).with_mask(0b1_0000).with_key(5));
    scene.insert(slab(9.0).with_mask(0).with_key(6));
    let key = |mask, bodies| {
        let filter = Filter { mask, bodies, ..Filter::default() };
        fall(&scene, filter).map(|hit| hit.target.key)
    };
    assert_eq!(key(u32::MAX, Bodies::All), Some(1));
    assert_eq!(key(0b1110, Bodies::All), Some(2));
    assert_eq!(key(0b1100, Bodies::All), Some(3));
    assert_eq!(key(0b1000, Bodies::All), Some(4));
    assert_eq!(key(0b1_0000, Bodies::All), Some(5));
    assert_eq!(key(0b10_0000, Bodies::All), None);
    assert_eq!(key(0, Bodies::All), None);
    assert_eq!(key(u32::MAX, Bodies::Dynamic), Some(3));
    assert_eq!(key(u32::MAX, Bodies::Static), Some(1));
    assert_eq!(key(0b1100, Bodies::Static), None);
    assert_eq!(key(0b1_0001, Bodies::Dynamic), Some(3));
    assert_eq!(key(0b1_0010, Bodies::Dynamic), None);
}

/// There is no state in which a query answers from an older scene.
#[test]
fn every_change_is_seen_by_the_next_query() {
    let mut scene = Scene::new();
    let mesh = scene.insert(slab(2.0));
    assert_distance(&scene, 8.0);
    let wide = Shape::Sphere(Sphere::new(dvec3(0.0, 0.0, 0.0), 3.5).unwrap());
    let shape = scene.insert(Body::shape(wide));
    assert_distance(&scene, 6.5);
    scene.move_shape(shape, ball(0.0)).unwrap();
    assert_distance(&scene, 8.0);
    scene.remove(shape).unwrap();
    // A body in the removed one's slot.
    scene.insert(Body::shape(ball(3.0)));
    assert_distance(&scene, 6.5);
    scene.move_mesh(mesh, Pose::from_translation(DVec3::Z * 4.0).unwrap()).unwrap();
    assert_distance(&scene, 4.0);
    scene.remove(mesh).unwrap();
    assert_distance(&scene, 6.5);
}

#[test]
fn an_edit_makes_all_its_changes_and_renews_the_revision_once() {
    let mut scene = Scene::new();
    let gone = scene.insert(slab(9.0));
    let before = scene.clone();
    let (mesh, shape) = scene.edit(|edit| {
        edit.remove(gone).unwrap();
        assert!(edit.body(gone).is_err());
        let mesh = edit.insert(slab(2.0).with_key(1));
        let shape = edit.insert(Body::shape(ball(6.0)));
        edit.move_shape(shape, ball(3.0)).unwrap();
        assert_eq!(edit.body(mesh).unwrap().key(), 1);
        assert_eq!(edit.bodies().count(), 2);
        (mesh, shape)
    });
    scene.validate().unwrap();
    assert_distance(&scene, 6.5);
    assert_distance(&before, 1.0);
    let revision = scene.revision();
    scene.edit(|edit| {
        assert_eq!(
            edit.move_mesh(shape, Pose::IDENTITY).unwrap_err(),
            SceneError::WrongKind { id: shape, kind: BodyKind::Shape }
        );
    });
    assert_eq!(scene.revision(), revision);
    scene.edit(|edit| edit.remove(mesh).and(edit.remove(shape))).unwrap();
    assert_ne!(scene.revision(), revision);
    assert_eq!(distance(&scene), None);
}

/// An edit that stops half-way leaves a scene that answers from the bodies it has.
#[test]
fn an_edit_that_fails_or_panics_leaves_the_trees_up_to_date() {
    let mut scene = Scene::new();
    let gone = scene.insert(slab(9.0));
    scene.remove(gone).unwrap();
    let failed = scene.edit(|edit| {
        edit.insert(slab(2.0));
        edit.remove(gone)?;
        edit.insert(slab(8.0));
        Ok::<_, SceneError>(())
    });
    assert_eq!(failed, Err(SceneError::NoSuchBody { id: gone }));
    assert_distance(&scene, 8.0);
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        scene.edit(|edit| {
            edit.insert(Body::shape(ball(5.0)));
            std::panic::resume_unwind(Box::new(()));
        });
    }));
    assert!(panicked.is_err());
    scene.validate().unwrap();
    assert_distance(&scene, 4.5);
}

/// One by one, in one edit, and in any mixture: the same bodies give the same answers.
#[test]
fn single_changes_and_edits_give_scenes_that_answer_alike() {
    let mut rng = capsweep_testkit::Rng::new(&[92]);
    let shapes: Vec<Shape> = (0..300)
        .map(|_| Shape::Sphere(Sphere::new(rng.cube(6.0) - DVec3::Z * 4.0, 0.3).unwrap()))
        .collect();
    let body = |(shape, key): (&Shape, u64)| Body::shape(*shape).with_key(key);
    let (mut single, mut edited) = (Scene::new(), Scene::new());
    for one in shapes.iter().zip(0..) {
        single.insert(body(one));
    }
    edited.edit(|edit| {
        for one in shapes.iter().zip(0..) {
            edit.insert(body(one));
        }
    });
    for scene in [&single, &edited] {
        assert_eq!(scene.validate(), Ok(()));
    }
    let mut hits = 0;
    for _ in 0..500 {
        let at = rng.cube(6.0) + DVec3::Z * 6.0;
        let capsule = Capsule::from_feet(at, DVec3::Z, 0.3, 1.8).unwrap();
        let motion = Motion::new(rng.cube(1.0) - DVec3::Z * 15.0).unwrap();
        let answer = single.sweep(&capsule, &motion, &Filter::default());
        assert_eq!(answer, edited.sweep(&capsule, &motion, &Filter::default()));
        hits += usize::from(answer.is_some());
    }
    assert!(hits > 100, "{hits}");
}
