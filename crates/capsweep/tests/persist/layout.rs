//! Files written by earlier builds of the library must open and answer alike.

use capsweep::persist::verify;
use capsweep::scene::{
    Bodies, Body, BodyKind, Filter, MeshOptions, Mobility, Pose, Scene, Shape, TriMesh,
};
use capsweep::{Capsule, HalfSpace, Limit, Motion, Obb, Ray, Sphere};
use glam::{DQuat, DVec3, Vec3, dvec3, vec3};
use std::sync::Arc;

/// The bytes of [`scene`] and [`NOTES`] in version 1 of the format. Never write it anew: a change
/// of the layout needs a new version and a second file.
const VERSION_1: &[u8] = include_bytes!("scene_v1.capsweep");

/// The bytes of [`scene_with_sides`] in version 2 of the format. Never write it anew either.
const VERSION_2: &[u8] = include_bytes!("scene_v2.capsweep");

const NOTES: &[u8] = b"floor, steps, ball";

/// A floor of 4 × 4 m made of 1 m squares, cut along both diagonals in turn: 32 triangles, so the
/// tree has two levels.
fn floor() -> TriMesh {
    let mut vertices = Vec::new();
    for y in 0..5_u8 {
        for x in 0..5_u8 {
            vertices.push(vec3(f32::from(x) - 2.0, f32::from(y) - 2.0, 0.0));
        }
    }
    let mut indices = Vec::new();
    for y in 0..4 {
        for x in 0..4 {
            let a = 5 * y + x;
            let [a, b, c, d] = [a, a + 1, a + 6, a + 5];
            if (x + y) % 2 == 0 {
                indices.extend([[a, b, c], [a, c, d]]);
            } else {
                indices.extend([[a, b, d], [b, c, d]]);
            }
        }
    }
    let tags: Vec<u32> = (100..132).collect();
    let masks: Vec<u32> = (0..32).map(|i| 1 << (i % 2) | 4).collect();
    let mesh = TriMesh::new(&vertices, &indices, MeshOptions::default()).unwrap();
    mesh.with_tags(&tags).unwrap().with_masks(&masks).unwrap()
}

/// Two steps of 0.25 m, with both sides.
fn steps() -> TriMesh {
    let profile = [(0.0, 0.0), (0.0, 0.25), (0.5, 0.25), (0.5, 0.5), (1.0, 0.5)];
    let vertices: Vec<Vec3> =
        profile.iter().flat_map(|&(x, z)| [vec3(x, -0.75, z), vec3(x, 0.75, z)]).collect();
    let quads = (0..4).map(|i| 2 * i);
    let indices: Vec<[u32; 3]> =
        quads.flat_map(|i| [[i, i + 2, i + 1], [i + 1, i + 2, i + 3]]).collect();
    TriMesh::new(&vertices, &indices, MeshOptions { double_sided: true }).unwrap()
}

/// Every kind of body and shape; nothing in it is computed by more than `+ − × ÷ √`, so its bytes
/// are the same everywhere.
fn scene() -> Scene {
    let mut scene = Scene::new();
    let (floor, steps) = (Arc::new(floor()), Arc::new(steps()));
    scene.insert(Body::mesh(floor, Pose::IDENTITY).unwrap().with_key(1));
    let at = Pose::from_translation(dvec3(-0.25, 1.0, 0.0)).unwrap();
    scene.insert(Body::mesh(Arc::clone(&steps), at).unwrap().with_key(2));
    let turn = DQuat::from_xyzw(0.0, 0.0, 0.6, 0.8);
    let mirrored = Pose::new(dvec3(1_000.0, 0.0, 8.0), turn, dvec3(1.0, -2.0, 0.5)).unwrap();
    scene
        .insert(Body::mesh(steps, mirrored).unwrap().with_key(3).with_mobility(Mobility::Dynamic));
    let shapes = [
        Shape::Box(Obb::new(dvec3(6.0, 0.0, 1.0), vec3(0.5, 0.75, 1.0), turn).unwrap()),
        Shape::Sphere(Sphere::new(dvec3(9.0, 0.0, 1.0), 0.5).unwrap()),
        Shape::Capsule(Capsule::new(dvec3(12.0, 0.0, 1.0), dvec3(12.0, 0.0, 2.0), 0.25).unwrap()),
        Shape::HalfSpace(HalfSpace::new(dvec3(0.0, 0.0, -20.0), DVec3::Z).unwrap()),
    ];
    for (shape, key) in shapes.into_iter().zip(4..) {
        scene.insert(Body::shape(shape).with_key(key));
    }
    let door = Obb::axis_aligned(dvec3(0.0, 3.0, 1.0), vec3(1.0, 0.125, 1.0)).unwrap();
    let door = Body::obstacle(Shape::Box(door)).with_key(8).with_mask(6);
    scene.insert(door.with_mobility(Mobility::Dynamic));
    scene
}

/// The floor, in which every fourth triangle is double-sided, and the steps.
fn scene_with_sides() -> Scene {
    let flags: Vec<bool> = (0..32).map(|i| i % 4 == 1).collect();
    let floor = floor().with_double_sided(&flags).unwrap();
    let mut scene = Scene::new();
    scene.insert(Body::mesh(Arc::new(floor), Pose::IDENTITY).unwrap().with_key(1));
    let at = Pose::from_translation(dvec3(8.0, 0.0, 0.0)).unwrap();
    scene.insert(Body::mesh(Arc::new(steps()), at).unwrap().with_key(2));
    scene
}

#[test]
fn a_scene_with_sides_of_triangles_is_written_as_the_same_bytes() {
    let bytes = scene_with_sides().to_bytes_with_notes(NOTES);
    assert_eq!(bytes.len(), VERSION_2.len());
    let first = bytes.iter().zip(VERSION_2).position(|(new, old)| new != old);
    assert_eq!(first, None, "first byte that differs");
    // Only such a scene needs the version.
    assert_eq!(
        (VERSION_1[8..12].to_vec(), bytes[8..12].to_vec()),
        (vec![1, 0, 0, 0], vec![2, 0, 0, 0])
    );
}

/// Rays from below: triangle 15 has one side, 13 has two. Masks are 5 for even numbers, 6 for odd.
#[test]
fn a_file_of_version_2_has_the_sides_of_its_triangles() {
    let found = verify(VERSION_2);
    assert_eq!(found.findings, []);
    assert_eq!((found.meshes, found.triangles, found.bodies), (2, 40, 2));
    let (scene, notes) = Scene::from_bytes_with_notes(VERSION_2).unwrap();
    assert_eq!(notes, NOTES);
    let (_, body) = scene.bodies().next().unwrap();
    let (mesh, _) = body.instance().unwrap();
    assert_eq!(mesh.double_sided_triangle_count(), 8);
    let up = Motion::new(DVec3::Z * 2.0).unwrap();
    let mut hits = 0;
    for index in 0..32 {
        let [a, b, c] = mesh.triangle(index).unwrap().map(Vec3::as_dvec3);
        let below = (a + b + c) / 3.0 - DVec3::Z;
        let hit = scene.ray(&Ray::new(below, up).unwrap(), &Filter::default());
        assert_eq!(hit.is_some(), index % 4 == 1, "{index}");
        if let Some(hit) = hit {
            assert_eq!((hit.target.triangle, hit.target.tag), (Some(index), 100 + index));
            assert_eq!(hit.hit.distance, 1.0);
            hits += 1;
        }
        // The masks are those that were given: an even mask does not see odd triangles.
        let hidden = Filter { mask: 1, ..Filter::default() };
        assert!(scene.ray(&Ray::new(below, up).unwrap(), &hidden).is_none());
    }
    assert_eq!(hits, 8);
}

/// Writes the fixture once, for a new version of the format.
#[test]
#[ignore = "writes a file of the repository"]
fn write_the_file_of_the_latest_version() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/persist/scene_v2.capsweep");
    std::fs::write(path, scene_with_sides().to_bytes_with_notes(NOTES)).unwrap();
}

#[test]
fn the_same_scene_is_written_as_the_same_bytes() {
    let bytes = scene().to_bytes_with_notes(NOTES);
    assert_eq!(bytes.len(), VERSION_1.len());
    let first = bytes.iter().zip(VERSION_1).position(|(new, old)| new != old);
    assert_eq!(first, None, "first byte that differs");
}

#[test]
fn a_file_of_version_1_is_sound_and_has_its_bodies() {
    let found = verify(VERSION_1);
    assert_eq!(found.findings, []);
    assert_eq!((found.meshes, found.triangles, found.bodies), (2, 40, 8));
    let (scene, notes) = Scene::from_bytes_with_notes(VERSION_1).unwrap();
    assert_eq!(notes, NOTES);
    scene.validate().unwrap();
    let bodies: Vec<_> =
        scene.bodies().map(|(_, body)| (body.key(), body.kind(), body.mobility())).collect();
    let (mesh, shape) = (BodyKind::Mesh, BodyKind::Shape);
    let (fixed, moving) = (Mobility::Static, Mobility::Dynamic);
    assert_eq!(
        bodies,
        [
            (1, mesh, fixed),
            (2, mesh, fixed),
            (4, shape, fixed),
            (5, shape, fixed),
            (6, shape, fixed),
            (7, shape, fixed),
            (3, mesh, moving),
            (8, BodyKind::Obstacle, moving),
        ]
    );
}

/// Expected values come from the geometry. All are binary fractions, so most answers are exact.
#[test]
fn a_file_of_version_1_gives_the_answers_of_its_geometry() {
    let scene = Scene::from_bytes(VERSION_1).unwrap();
    let all = Filter::default();
    let person =
        |x: f64, y: f64, z: f64| Capsule::from_feet(dvec3(x, y, z), DVec3::Z, 0.25, 2.0).unwrap();
    let near = |found: f64, expected: f64| {
        assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
    };
    let down = Motion::new(DVec3::NEG_Z * 8.0).unwrap();

    let hit = scene.sweep(&person(1.25, -0.5, 3.0), &down, &all).unwrap();
    near(hit.distance, 3.0);
    assert_eq!((hit.normal, hit.target.key), (Vec3::Z, 1));
    assert_eq!((hit.target.triangle, hit.target.tag), (Some(15), 115));
    // Even triangles have the mask 5, odd ones 6: a mask of 1 sees triangle 14 beside it.
    let even = Filter { mask: 1, ..all };
    let hit = scene.sweep(&person(1.25, -0.5, 3.0), &down, &even).unwrap();
    assert_eq!((hit.target.key, hit.target.triangle), (1, Some(14)));

    // Onto the upper step, and against its riser from behind: both sides count.
    let hit = scene.sweep(&person(0.5, 1.0, 3.0), &down, &all).unwrap();
    near(hit.distance, 2.5);
    assert_eq!((hit.normal, hit.target.key), (Vec3::Z, 2));
    let ray = Ray::new(dvec3(2.0, 1.25, 0.375), Motion::new(DVec3::NEG_X * 4.0).unwrap()).unwrap();
    let hit = scene.ray(&ray, &all).unwrap();
    near(hit.distance, 1.75);
    assert_eq!((hit.target.key, hit.target.triangle), (2, Some(5)));

    // The mirrored instance: 1 m along its turned x axis, at half the height.
    let x = dvec3(0.28, 0.96, 0.0);
    let over = dvec3(1_000.0, 0.0, 8.0) + x * 0.75;
    let hit = scene.sweep(&person(over.x, over.y, 11.0), &down, &all).unwrap();
    near(hit.distance, 2.75);
    assert!(hit.normal.distance(Vec3::Z) < 1e-6 && hit.target.key == 3, "{hit:?}");

    // Each shape from the side, and the half-space under everything.
    let ahead = Motion::new(DVec3::X * 8.0).unwrap();
    for (x, key, gap) in [(7.5, 5, 0.75), (10.5, 6, 1.0)] {
        let hit = scene.sweep(&person(x, 0.0, 0.0), &ahead, &all).unwrap();
        near(hit.distance, gap);
        assert_eq!((hit.normal, hit.target.key), (Vec3::NEG_X, key));
    }
    let closest = scene.closest(&person(6.0, 0.0, 4.0), Limit::UNBOUNDED, &all).unwrap();
    near(closest.distance, 2.0);
    assert_eq!(closest.target.key, 4);
    let far = Motion::new(DVec3::NEG_Z * 40.0).unwrap();
    let hit = scene.sweep(&person(30.0, 0.0, 0.0), &far, &all).unwrap();
    near(hit.distance, 20.0);
    assert_eq!(hit.target.key, 7);

    // The door is dynamic and has the mask 6.
    let dynamic = Filter { bodies: Bodies::Dynamic, ..all };
    let inside = scene.overlap(&person(0.0, 3.25, 0.5), &dynamic).unwrap();
    near(inside.depth, 0.125);
    assert_eq!((inside.normal, inside.target.key), (Vec3::Y, 8));
    assert!(scene.overlap(&person(0.0, 3.25, 0.5), &Filter { mask: 1, ..dynamic }).is_none());
}
