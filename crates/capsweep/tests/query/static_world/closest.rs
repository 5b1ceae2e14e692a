use super::overlap::deepest;
use super::world::{World, order, some_filter, worlds};
use capsweep::scene::{Body, Filter, MeshOptions, Pose, Scene, SceneHit, TriMesh};
use capsweep::{CONTACT_TOLERANCE, Capsule, ClosestPoints, Limit};
use glam::{DVec3, Vec3, dvec3};
use std::sync::Arc;

#[test]
fn closest_is_the_nearest_of_all() {
    let (mut answers, mut overlaps) = (0, Vec::new());
    for (name, world, mut rng) in worlds() {
        for i in 0..400 {
            let (capsule, filter) = (world.some_capsule(&mut rng), some_filter(&mut rng));
            let limit = [f64::INFINITY, 2.0, 0.1, 0.0, 1e300][i % 5];
            let limit = Limit::new(limit).expect("a limit");
            let found = world.scene.closest(&capsule, limit, &filter);
            answers += usize::from(found.is_some());
            if world.parts.iter().any(|part| part.is_pierced(&capsule)) {
                world.scene.overlap_all(&capsule, &filter, &mut overlaps);
                let overlap = deepest(&overlaps).expect("pierced");
                let found = found.expect("an overlap is within any of the limits");
                assert_eq!(found.target, overlap.target, "{name}");
                assert_eq!(found.hit.normal, overlap.hit.normal, "{name}");
                let (distance, depth) = (found.hit.distance, overlap.hit.depth);
                assert!((distance + depth).abs() <= 1e-7 * depth, "{name}: {distance} {depth}");
            } else {
                assert_eq!(found, nearest(&world, &capsule, limit), "{name}");
            }
        }
    }
    assert!(answers > 500, "{answers}");
}

/// By the contract: of those within the bound of the nearest, the first by kind, key and triangle.
fn nearest(world: &World, capsule: &Capsule, limit: Limit) -> Option<SceneHit<ClosestPoints>> {
    let all: Vec<_> = world
        .parts
        .iter()
        .map(|part| SceneHit { hit: part.closest(capsule), target: part.target })
        .filter(|hit| hit.hit.distance <= limit.metres())
        .collect();
    let least = all.iter().map(|hit| hit.hit.distance).min_by(f64::total_cmp)?;
    let ties = all.into_iter().filter(|hit| hit.hit.distance <= least + CONTACT_TOLERANCE);
    ties.min_by_key(|hit| order(&hit.target))
}

/// Far from the scene the traversal has no near candidate to start with.
#[test]
fn closest_finds_what_is_far_away() {
    for (name, world, mut rng) in worlds() {
        for _ in 0..100 {
            let at = rng.direction() * rng.log_range(50.0, 20_000.0);
            let capsule = Capsule::new(at, at + rng.cube(2.0), 0.4).expect("a capsule");
            let found = world.scene.closest(&capsule, Limit::UNBOUNDED, &Filter::default());
            assert_eq!(found, nearest(&world, &capsule, Limit::UNBOUNDED), "{name}");
        }
    }
}

/// More triangles tie than the collector stores: a fan of 200 about one vertex.
#[test]
fn many_ties_are_decided_by_the_lowest_triangle() {
    let rim = |i: usize| {
        let angle = i as f32 / 200.0 * core::f32::consts::TAU;
        Vec3::new(angle.cos(), angle.sin(), -0.2)
    };
    let vertices: Vec<Vec3> = [Vec3::ZERO].into_iter().chain((0..200).map(rim)).collect();
    let indices: Vec<[u32; 3]> = (0..200).map(|i| [0, 1 + i, 1 + (i + 1) % 200]).collect();
    let mesh = TriMesh::new(&vertices, &indices, MeshOptions::default()).expect("a mesh");
    let mut scene = Scene::new();
    scene.insert(Body::mesh(Arc::new(mesh), Pose::IDENTITY).expect("in range"));
    let filter = Filter::default();
    for gap in [0.5, -0.1] {
        let feet = dvec3(0.0, 0.0, gap);
        let capsule = Capsule::from_feet(feet, DVec3::Z, 0.4, 1.8).expect("a capsule");
        let closest =
            scene.closest(&capsule, Limit::new(10.0).expect("a limit"), &filter).expect("the tip");
        assert_eq!(closest.target.triangle, Some(0));
        assert!((closest.hit.distance - gap).abs() < 1e-7, "{}", closest.hit.distance);
    }
    let capsule = Capsule::from_feet(dvec3(0.0, 0.0, -0.1), DVec3::Z, 0.4, 1.8).expect("valid");
    let overlap = scene.overlap(&capsule, &filter).expect("the tip");
    assert_eq!(overlap.target.triangle, Some(0));
}
