//! One placed mesh answers like a scene of one body, in every bit.

use crate::queries::{Query, queries};
use capsweep::query::{MeshHit, PosedMesh};
use capsweep::scene::{Bodies, Body, Filter, MeshOptions, Pose, Scene, SceneHit, TriMesh};
use capsweep::{Aabb, Capsule, Limit, MAX_POSITION, Motion, Ray, ShapeError};
use capsweep_testkit::Rng;
use capsweep_testkit::brute::{Brute, PlainBody};
use capsweep_testkit::level::{self, Joints};
use glam::{DQuat, DVec3, dvec3, vec3};
use std::fmt::Debug;
use std::sync::Arc;

/// With tags, and with a mask that hides every fifth triangle from queries of bit 1.
fn mesh((vertices, indices): &level::Mesh, double_sided: bool) -> Arc<TriMesh> {
    let mesh = TriMesh::new(vertices, indices, MeshOptions { double_sided }).unwrap();
    let count = mesh.triangle_count();
    let tags: Vec<u32> = (0..count).map(|i| 1000 + i).collect();
    let masks: Vec<u32> = (0..count).map(|i| if i % 5 == 0 { 1 } else { 3 }).collect();
    Arc::new(mesh.with_tags(&tags).unwrap().with_masks(&masks).unwrap())
}

/// Meshes and poses: plain, mirrored, scaled unevenly, double-sided, far away.
fn placed() -> Vec<(Arc<TriMesh>, Pose)> {
    let turn = DQuat::from_xyzw(0.1, 0.2, 0.3, 0.9).normalize();
    let rock = &level::instances(1).meshes[0];
    let tiles = level::tiled_floor(10, 1.0, 0.1, 0.2, Joints::TJunctions);
    let far = dvec3(1e6, -1e6, 5e5);
    vec![
        (mesh(&level::stairs(), false), Pose::IDENTITY),
        (mesh(rock, false), Pose::new(DVec3::Y, turn, dvec3(2.0, -3.0, 1.5)).unwrap()),
        (mesh(rock, false), Pose::new(DVec3::X, turn, DVec3::splat(-2.0)).unwrap()),
        (mesh(&tiles, true), Pose::new(DVec3::ONE, turn, dvec3(1.5, 0.75, 4.0)).unwrap()),
        (mesh(&tiles, false), Pose::new(far, turn, dvec3(-1.0, 2.0, 1.0)).unwrap()),
        (mesh(&level::dungeon(), true), Pose::from_translation(far).unwrap()),
    ]
}

/// Debug text tells −0 from 0, so equal text is equal bits.
fn text<T: Debug>(hit: &T, triangle: Option<u32>, tag: u32) -> String {
    format!("{hit:?} {triangle:?} {tag}")
}

fn of_mesh<T: Debug>(hit: &MeshHit<T>) -> String {
    text(&hit.hit, Some(hit.triangle), hit.tag)
}

fn of_scene<T: Debug>(hit: &SceneHit<T>) -> String {
    text(&hit.hit, hit.target.triangle, hit.target.tag)
}

/// Asserts that all queries agree. Returns the number of hits and overlaps.
fn compare(alone: &PosedMesh, scene: &Scene, query: &Query) -> [usize; 2] {
    let Query { capsule, motion, filter } = query;
    let hit = scene.sweep(capsule, motion, filter);
    let own = alone.sweep(capsule, motion, filter);
    assert_eq!(own.as_ref().map(of_mesh), hit.as_ref().map(of_scene), "{query:?}");
    assert_eq!(alone.sweep_any(capsule, motion, filter), hit.is_some(), "{query:?}");

    let odd = alone.sweep_where(capsule, motion, filter, |triangle, tag| {
        assert_eq!(tag, 1000 + triangle);
        triangle % 2 == 1
    });
    let expected = scene.sweep_where(capsule, motion, filter, |target| {
        target.triangle.is_some_and(|triangle| triangle % 2 == 1)
    });
    assert_eq!(odd.as_ref().map(of_mesh), expected.as_ref().map(of_scene), "{query:?}");

    let stale = own.or_else(|| alone.sweep(capsule, motion, &Filter::default()));
    let (mut all, mut expected) = (stale.into_iter().collect(), Vec::new());
    alone.sweep_all(capsule, motion, filter, &mut all);
    scene.sweep_all(capsule, motion, filter, &mut expected);
    let expected: Vec<String> = expected.iter().map(of_scene).collect();
    assert_eq!(all.iter().map(of_mesh).collect::<Vec<_>>(), expected, "{query:?}");

    let overlap = scene.overlap(capsule, filter);
    let own = alone.overlap(capsule, filter);
    assert_eq!(own.as_ref().map(of_mesh), overlap.as_ref().map(of_scene), "{query:?}");
    assert_eq!(alone.overlaps(capsule, filter), overlap.is_some(), "{query:?}");
    let (mut all, mut expected) = (own.into_iter().collect(), Vec::new());
    alone.overlap_all(capsule, filter, &mut all);
    scene.overlap_all(capsule, filter, &mut expected);
    let expected: Vec<String> = expected.iter().map(of_scene).collect();
    assert_eq!(all.iter().map(of_mesh).collect::<Vec<_>>(), expected, "{query:?}");

    for limit in [Limit::new(0.5).unwrap(), Limit::UNBOUNDED] {
        let own = alone.closest(capsule, limit, filter);
        let expected = scene.closest(capsule, limit, filter);
        assert_eq!(own.as_ref().map(of_mesh), expected.as_ref().map(of_scene), "{query:?}");
    }
    let ray = Ray::new(capsule.center(), *motion).unwrap();
    let (own, expected) = (alone.ray(&ray, filter), scene.ray(&ray, filter));
    assert_eq!(own.as_ref().map(of_mesh), expected.as_ref().map(of_scene), "{query:?}");
    assert_eq!(alone.depenetrate(capsule, filter), scene.depenetrate(capsule, filter));
    [usize::from(hit.is_some()), usize::from(overlap.is_some())]
}

#[test]
fn a_posed_mesh_answers_like_a_scene_of_one_body_in_every_bit() {
    let mut rng = Rng::new(&[61]);
    for (number, (mesh, pose)) in placed().into_iter().enumerate() {
        let alone = PosedMesh::new(Arc::clone(&mesh), pose).unwrap();
        let mut scene = Scene::new();
        scene.insert(Body::mesh(Arc::clone(&mesh), pose).unwrap());
        let [mut hits, mut overlaps] = [0; 2];
        let brute = Brute::new([PlainBody::mesh(mesh, pose, 0)]);
        let asked = queries(&brute, 600, 70 + number as u64);
        for query in &asked {
            let mask = [u32::MAX, 1, 2, 4][rng.below(4) as usize];
            let query = Query { filter: Filter { mask, ..query.filter }, ..*query };
            let [hit, overlap] = compare(&alone, &scene, &query);
            hits += hit;
            overlaps += overlap;
        }
        assert!(hits > asked.len() / 8 && hits < asked.len(), "{number}: {hits} hits");
        assert!(overlaps > 20 && overlaps < asked.len(), "{number}: {overlaps} overlaps");
    }
}

fn floor() -> Arc<TriMesh> {
    let corners = [vec3(-9.0, -9.0, 0.0), vec3(9.0, -9.0, 0.0), vec3(0.0, 9.0, 0.0)];
    Arc::new(TriMesh::new(&corners, &[[0, 1, 2]], MeshOptions::default()).unwrap())
}

fn fall_onto(mesh: &PosedMesh, filter: &Filter) -> Option<f64> {
    let person = Capsule::from_feet(dvec3(0.0, 0.0, 5.0), DVec3::Z, 0.4, 1.8).unwrap();
    let fall = Motion::new(dvec3(0.0, 0.0, -10.0)).unwrap();
    mesh.sweep(&person, &fall, filter).map(|hit| hit.distance)
}

#[test]
fn a_mesh_alone_has_no_mobility() {
    let mesh = PosedMesh::new(floor(), Pose::IDENTITY).unwrap();
    for bodies in [Bodies::All, Bodies::Static, Bodies::Dynamic] {
        let found = fall_onto(&mesh, &Filter { bodies, ..Filter::default() });
        assert!(found.is_some_and(|distance| (distance - 5.0).abs() < 1e-9), "{bodies:?}");
    }
}

#[test]
fn a_posed_mesh_can_be_placed_elsewhere() {
    let at = |z: f64| Pose::from_translation(dvec3(0.0, 0.0, z)).unwrap();
    let mut mesh = PosedMesh::new(floor(), at(0.0)).unwrap();
    let kept = mesh.clone();
    mesh.set_pose(at(2.0)).unwrap();
    assert_eq!(*mesh.pose(), at(2.0));
    let corners = (dvec3(-9.0, -9.0, 2.0), dvec3(9.0, 9.0, 2.0));
    assert_eq!(mesh.bounds(), Some(Aabb::new(corners.0, corners.1).unwrap()));
    let found = fall_onto(&mesh, &Filter::default());
    assert!(found.is_some_and(|distance| (distance - 3.0).abs() < 1e-9), "{found:?}");
    // A clone made before stays where it was.
    let found = fall_onto(&kept, &Filter::default());
    assert!(found.is_some_and(|distance| (distance - 5.0).abs() < 1e-9), "{found:?}");
    assert!(Arc::ptr_eq(mesh.mesh(), kept.mesh()));
}

#[test]
fn a_pose_that_leaves_the_range_of_positions_is_refused() {
    let beyond = Pose::from_translation(DVec3::X * MAX_POSITION).unwrap();
    let expected = |error: &ShapeError| {
        matches!(error, ShapeError::OutOfRange { field: "the mesh's world bounds max.x", .. })
    };
    let error = PosedMesh::new(floor(), beyond).unwrap_err();
    assert!(expected(&error), "{error:?}");
    let mut mesh = PosedMesh::new(floor(), Pose::IDENTITY).unwrap();
    let error = mesh.set_pose(beyond).unwrap_err();
    assert!(expected(&error), "{error:?}");
    assert_eq!(*mesh.pose(), Pose::IDENTITY);
    let found = fall_onto(&mesh, &Filter::default());
    assert!(found.is_some_and(|distance| (distance - 5.0).abs() < 1e-9), "{found:?}");
}

#[test]
fn a_mesh_without_triangles_is_hit_by_nothing() {
    let empty = Arc::new(TriMesh::new(&[], &[], MeshOptions::default()).unwrap());
    let mesh = PosedMesh::new(empty, Pose::IDENTITY).unwrap();
    assert_eq!(mesh.bounds(), None);
    assert_eq!(fall_onto(&mesh, &Filter::default()), None);
    let person = Capsule::from_feet(DVec3::ZERO, DVec3::Z, 0.4, 1.8).unwrap();
    assert!(mesh.closest(&person, Limit::UNBOUNDED, &Filter::default()).is_none());
}
