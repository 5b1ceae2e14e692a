//! Trees and culling change no answer: a scene answers like every triangle and shape one by one,
//! in bits.

use crate::queries::{Query, queries};
use capsweep::scene::{Mobility, Pose, Shape, TriMesh};
use capsweep::{Capsule, HalfSpace, Obb, Sphere};
use capsweep_testkit::Rng;
use capsweep_testkit::brute::{Brute, PlainBody, PlainGeometry, tri_mesh};
use capsweep_testkit::level::{self, Joints};
use glam::{DQuat, DVec3, Vec3, dquat, dvec3, vec3};
use std::sync::Arc;

/// Compares the scene with brute force. Returns how many queries hit, overlap and tie.
fn compare(brute: &Brute, queries: &[Query]) -> [usize; 3] {
    let scenes = [brute.scene(), brute.reversed_scene(), brute.rotated_scene(7)];
    let mut counts = [0; 3];
    for (number, query) in queries.iter().enumerate() {
        let Query { capsule, motion, filter } = query;
        let expected = brute.sweep(capsule, motion, filter);
        let answers = scenes.each_ref().map(|scene| scene.sweep(capsule, motion, filter));
        if let Err(wrong) = expected.check(answers[0].as_ref()) {
            panic!("query {number} {query:?}: {wrong}");
        }
        for other in &answers[1..] {
            let place = |hit: &capsweep::scene::SceneHit<capsweep::SweepHit>| {
                (hit.hit, hit.target.kind, hit.target.key, hit.target.triangle)
            };
            let (one, other) = (answers[0].as_ref().map(place), other.as_ref().map(place));
            assert_eq!(one, other, "query {number} {query:?}: the order of insertion decides");
        }
        counts[0] += usize::from(!expected.is_nothing());
        counts[1] += usize::from(expected.starts_overlapping());
        counts[2] += usize::from(expected.tied() > 1);
    }
    counts
}

/// Asserts that the queries had hits, overlaps and ties; otherwise the comparison proves little.
fn assert_rich([hits, overlaps, ties]: [usize; 3], queries: usize) {
    assert!(hits > queries / 4, "{hits} hits");
    assert!(hits < queries, "{hits} hits");
    assert!(overlaps > queries / 50, "{overlaps} overlaps");
    assert!(ties > queries / 50, "{ties} ties");
}

fn placed(mesh: &level::Mesh, pose: Pose, key: u64) -> PlainBody {
    PlainBody::mesh(tri_mesh(mesh, false), pose, key)
}

/// Boxes, balls, capsules and half-spaces around `center`, as shapes and as obstacles.
fn shapes(center: DVec3, reach: f64, count: u64) -> Vec<PlainBody> {
    let mut rng = Rng::new(&[41]);
    let mut bodies: Vec<PlainBody> = (0..count)
        .map(|i| {
            let at = center + rng.cube(reach);
            let shape = match i % 3 {
                0 => {
                    let turn = rng.cube(1.0);
                    let half = vec3(0.3, 0.6, 1.1);
                    let rotation = dquat(turn.x, turn.y, turn.z, 1.0).normalize();
                    Shape::Box(Obb::new(at, half, rotation).unwrap())
                }
                1 => Shape::Sphere(Sphere::new(at, 0.7).unwrap()),
                _ => Shape::Capsule(Capsule::from_center(at, rng.direction(), 0.35).unwrap()),
            };
            let obstacle = rng.chance(0.5);
            let geometry = if obstacle {
                PlainGeometry::Obstacle(shape)
            } else {
                PlainGeometry::Shape(shape)
            };
            let mobility = if obstacle { Mobility::Dynamic } else { Mobility::Static };
            PlainBody { mobility, ..PlainBody::new(geometry, 1_000_000 + i) }
        })
        .collect();
    let slope = HalfSpace::new(center - DVec3::Z * reach, dvec3(0.1, 0.05, 1.0)).unwrap();
    let wall = HalfSpace::new(center + DVec3::X * reach, DVec3::NEG_X).unwrap();
    bodies.push(PlainBody::new(PlainGeometry::Shape(Shape::HalfSpace(slope)), 2_000_000));
    bodies.push(PlainBody::new(PlainGeometry::Obstacle(Shape::HalfSpace(wall)), 2_000_001));
    bodies
}

#[test]
fn a_dungeon_answers_like_brute_force() {
    let brute = Brute::new([placed(&level::dungeon(), Pose::IDENTITY, 5)]);
    let queries = queries(&brute, 3_000, 1);
    assert_rich(compare(&brute, &queries), queries.len());
}

/// Two dungeons, one of them mirrored, in which some triangles are double-sided.
#[test]
fn triangles_with_sides_of_their_own_answer_like_brute_force() {
    let mesh = tri_mesh(&level::dungeon(), false);
    let mut rng = Rng::new(&[52]);
    let mut flagged = |chance: f64| {
        let flags: Vec<bool> = (0..mesh.triangle_count()).map(|_| rng.chance(chance)).collect();
        Arc::new(TriMesh::clone(&mesh).with_double_sided(&flags).unwrap())
    };
    let mirror = Pose::new(dvec3(1.5, -0.7, 0.4), DQuat::IDENTITY, dvec3(-1.0, 1.0, 1.0)).unwrap();
    let bodies = [
        PlainBody::mesh(flagged(0.5), Pose::IDENTITY, 5),
        PlainBody::mesh(flagged(0.1), mirror, 4),
    ];
    let brute = Brute::new(bodies);
    let queries = queries(&brute, 3_000, 12);
    assert_rich(compare(&brute, &queries), queries.len());
}

#[test]
fn stairs_answer_like_brute_force() {
    let turn = dquat(0.1, -0.2, 0.3, 0.9).normalize();
    let pose = Pose::new(dvec3(12.5, -7.25, 3.0), turn, DVec3::ONE).unwrap();
    let level = level::stairs();
    let bodies = [placed(&level, Pose::IDENTITY, 5), placed(&level, pose, 4)];
    let brute = Brute::new(bodies);
    let queries = queries(&brute, 5_000, 2);
    assert_rich(compare(&brute, &queries), queries.len());
}

#[test]
fn tiles_with_t_junctions_answer_like_brute_force() {
    let flat = level::tiled_floor(24, 1.0, 0.0, 0.2, Joints::TJunctions);
    let tilted = level::tiled_floor(24, 0.5, 0.3, 0.0, Joints::TJunctions);
    let bodies = [
        placed(&flat, Pose::IDENTITY, 2),
        // Flush with the first: every contact with one ties with the other.
        placed(&flat, Pose::from_translation(DVec3::X * 24.0).unwrap(), 1),
        placed(&flat, Pose::IDENTITY, 3),
        placed(&tilted, Pose::from_translation(DVec3::Z * 0.5).unwrap(), 4),
    ];
    let brute = Brute::new(bodies);
    let queries = queries(&brute, 4_000, 3);
    assert_rich(compare(&brute, &queries), queries.len());
}

/// Compares many instances; `model` makes the mesh with a number.
fn compare_instances(model: impl Fn(usize, &level::Mesh) -> Arc<TriMesh>) {
    let level::Instances { meshes, placements } = level::instances(2_000);
    let meshes: Vec<_> = meshes.iter().enumerate().map(|(i, mesh)| model(i, mesh)).collect();
    // Closer together than the level has them, so that a sweep meets several.
    let squeezed = |pose: &Pose| {
        let position = pose.position() * dvec3(0.03, 0.03, 0.1);
        Pose::new(position, pose.rotation(), pose.scale()).unwrap()
    };
    let bodies = placements.iter().zip(0..).map(|((mesh, pose), key)| {
        PlainBody::mesh(Arc::clone(&meshes[*mesh]), squeezed(pose), key)
    });
    let brute = Brute::new(bodies.chain(shapes(DVec3::ZERO, 60.0, 600)));
    let queries = queries(&brute, 1_500, 4);
    let [hits, overlaps, _] = compare(&brute, &queries);
    assert!(hits > 500 && overlaps > 50, "{hits} hits, {overlaps} overlaps");
}

#[test]
fn instances_answer_like_triangles_baked_in_f64() {
    compare_instances(|number, mesh| tri_mesh(mesh, number % 7 == 0));
}

#[test]
fn instances_with_sides_of_their_own_answer_like_brute_force() {
    compare_instances(|number, mesh| {
        let plain = tri_mesh(mesh, false);
        let flags: Vec<bool> = (0..mesh.1.len()).map(|i| (i + number) % 5 != 0).collect();
        Arc::new(TriMesh::clone(&plain).with_double_sided(&flags).unwrap())
    });
}

#[test]
fn shapes_and_meshes_together_answer_like_brute_force() {
    let floor = level::tiled_floor(10, 2.0, 0.0, 0.0, Joints::Matching);
    let mut bodies = shapes(DVec3::ZERO, 8.0, 90);
    bodies.push(placed(&floor, Pose::IDENTITY, 1));
    let flat = HalfSpace::new(DVec3::ZERO, DVec3::Z).unwrap();
    // In the floor's own plane: kind decides.
    bodies.push(PlainBody::new(PlainGeometry::Shape(Shape::HalfSpace(flat)), 0));
    bodies.push(PlainBody::new(PlainGeometry::Obstacle(Shape::HalfSpace(flat)), 0));
    let brute = Brute::new(bodies);
    let queries = queries(&brute, 6_000, 5);
    assert_rich(compare(&brute, &queries), queries.len());
}

#[test]
fn extreme_scales_answer_like_brute_force() {
    let mut rng = Rng::new(&[77]);
    let floor = level::tiled_floor(6, 1.0, 0.1, 0.2, Joints::TJunctions);
    for round in 0..40 {
        let size = |rng: &mut Rng| rng.log_range(1e-2, 1e2) * rng.sign();
        let scale = dvec3(size(&mut rng), size(&mut rng), size(&mut rng));
        let turn = rng.cube(1.0);
        let turn = DQuat::from_xyzw(turn.x, turn.y, turn.z, 0.5).normalize();
        let pose = Pose::new(rng.cube(20.0), turn, scale).unwrap();
        // Far from the local origin, where f32 is coarse.
        let away = Vec3::new(1_000.0, -500.0, 250.0) * rng.below(2) as f32;
        let moved = (floor.0.iter().map(|v| *v + away).collect(), floor.1.clone());
        let brute = Brute::new([placed(&moved, pose, round)]);
        compare(&brute, &queries(&brute, 100, 100 + round));
    }
}
