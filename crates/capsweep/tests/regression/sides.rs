//! Overlaps and closest points skip no triangle because of its sides. Sides only choose the side
//! on which a capsule leaves a pierced triangle of a mesh.

use crate::capsule;
use capsweep::cache::TriangleCache;
use capsweep::scene::{Body, Filter, MeshOptions, Pose, Scene, SceneHit, StartOverlaps, TriMesh};
use capsweep::{
    Capsule, Limit, Motion, Overlap, Sides, Triangle, closest_capsule_triangle,
    overlap_capsule_triangle, sweep_capsule_triangle,
};
use capsweep_testkit::Rng;
use glam::{DQuat, DVec3, Vec3, dvec3};
use std::sync::Arc;

const SIDES: [Sides; 2] = [Sides::Front, Sides::Both];

fn filter(sides: Sides) -> Filter {
    Filter { sides, ..Filter::default() }
}

fn some_capsule(rng: &mut Rng) -> Capsule {
    let at = rng.cube(1.2);
    Capsule::new(at, at + rng.cube(0.7), rng.range(0.2, 0.8) as f32).unwrap()
}

fn corners(rng: &mut Rng) -> [Vec3; 3] {
    let at = rng.cube(1.0);
    [at, at + rng.cube(1.5), at + rng.cube(1.5)].map(DVec3::as_vec3)
}

/// Upright, turned and scaled, and mirrored.
fn poses(rng: &mut Rng) -> [Pose; 3] {
    let turn = DQuat::from_axis_angle(rng.direction(), 1.0);
    [
        Pose::IDENTITY,
        Pose::new(rng.cube(0.5), turn, dvec3(1.5, 0.5, 1.0)).unwrap(),
        Pose::new(rng.cube(0.5), turn, dvec3(-1.0, 1.2, 0.8)).unwrap(),
    ]
}

fn scene_of(mesh: &[[Vec3; 3]], pose: &Pose, double_sided: bool) -> Scene {
    let vertices: Vec<Vec3> = mesh.iter().flatten().copied().collect();
    let indices: Vec<[u32; 3]> =
        (0..mesh.len() as u32).map(|i| [0, 1, 2].map(|k| 3 * i + k)).collect();
    let mesh = TriMesh::new(&vertices, &indices, MeshOptions { double_sided }).unwrap();
    let mut scene = Scene::new();
    scene.insert(Body::mesh(Arc::new(mesh), *pose).unwrap());
    scene
}

fn world_triangle(pose: &Pose, corners: [Vec3; 3]) -> Triangle {
    let [a, b, c] = pose.triangle_to_world(corners);
    Triangle::new(a, b, c).unwrap()
}

/// The axis stays far from the triangle.
fn is_off(body: &Capsule, triangle: &Triangle) -> bool {
    closest_capsule_triangle(body, triangle).distance + f64::from(body.radius()) > 1e-3
}

#[test]
fn a_pair_that_does_not_move_is_judged_alike_from_both_sides() {
    let (mut rng, mut overlaps) = (Rng::new(&[1901]), 0);
    for _ in 0..8_000 {
        let (body, [a, b, c]) = (some_capsule(&mut rng), corners(&mut rng).map(Vec3::as_dvec3));
        let (front, back) = (Triangle::new(a, b, c).unwrap(), Triangle::new(a, c, b).unwrap());
        let (overlap, behind) =
            (overlap_capsule_triangle(&body, &front), overlap_capsule_triangle(&body, &back));
        assert_eq!(overlap.is_some(), behind.is_some());
        if let (Some(overlap), Some(behind)) = (overlap, behind) {
            assert!((overlap.depth - behind.depth).abs() < 1e-6, "{overlap:?} {behind:?}");
        }
        let apart = [&front, &back].map(|triangle| closest_capsule_triangle(&body, triangle));
        assert!((apart[0].distance - apart[1].distance).abs() < 1e-6, "{apart:?}");
        for sides in SIDES {
            let still = sweep_capsule_triangle(&body, &Motion::ZERO, &front, sides);
            assert_eq!(
                still.map(|hit| (hit.depth, hit.normal)),
                overlap.map(|o| (o.depth, o.normal))
            );
        }
        overlaps += u32::from(overlap.is_some());
    }
    assert!(overlaps > 1_000, "{overlaps}");
}

/// The overlaps of a capsule in a scene, with and without a cache.
fn overlaps_in(scene: &Scene, body: &Capsule, filter: &Filter) -> Vec<SceneHit<Overlap>> {
    let (mut plain, mut cached) = (Vec::new(), Vec::new());
    scene.overlap_all(body, filter, &mut plain);
    TriangleCache::new().overlap_all(scene, body, filter, &mut cached);
    assert_eq!(plain, cached);
    let skips = Filter { start_overlaps: StartOverlaps::Skip, ..*filter };
    assert_eq!(scene.overlaps(body, filter), !plain.is_empty());
    assert_eq!(scene.overlaps(body, &skips), !plain.is_empty());
    assert_eq!(scene.overlap(body, filter).is_some(), !plain.is_empty());
    assert_eq!(scene.sweep_any(body, &Motion::ZERO, filter), !plain.is_empty());
    plain
}

/// Asserts that scenes of the triangles of `world`, with all sides, overlap the same triangles as
/// the pairs. Returns how many, and how many are pierced.
#[track_caller]
fn assert_like_pairs(scenes: &[Scene], world: &[Triangle], body: &Capsule) -> (usize, usize) {
    let mut pierced = 0;
    let touched: Vec<u32> = (0_u32..)
        .zip(world)
        .filter(|(_, triangle)| overlap_capsule_triangle(body, triangle).is_some())
        .map(|(number, _)| number)
        .collect();
    for (scene, sides) in scenes.iter().flat_map(|one| SIDES.map(|sides| (one, sides))) {
        let found = overlaps_in(scene, body, &filter(sides));
        let mut target: Vec<u32> = found.iter().filter_map(|hit| hit.target.triangle).collect();
        target.sort_unstable();
        assert_eq!(target, touched, "{sides:?}");
        for SceneHit { hit, target } in &found {
            let triangle = &world[target.triangle.unwrap() as usize];
            let pair = overlap_capsule_triangle(body, triangle).unwrap();
            if is_off(body, triangle) {
                // Not pierced: sides change nothing at all.
                assert_eq!((hit.depth, hit.normal), (pair.depth, pair.normal));
            } else {
                pierced += 1;
                assert!(hit.depth > pair.depth - 1e-6, "{hit:?} {pair:?}");
            }
        }
    }
    (touched.len(), pierced)
}

#[test]
fn a_scene_overlaps_every_triangle_that_a_pair_overlaps_whatever_the_sides() {
    let (mut rng, mut overlaps, mut pierced) = (Rng::new(&[1902]), 0, 0);
    for _ in 0..300 {
        let mesh: Vec<[Vec3; 3]> = (0..12).map(|_| corners(&mut rng)).collect();
        for pose in poses(&mut rng) {
            let scenes = [false, true].map(|double| scene_of(&mesh, &pose, double));
            let world: Vec<Triangle> =
                mesh.iter().map(|&one| world_triangle(&pose, one)).collect();
            for _ in 0..4 {
                let counts = assert_like_pairs(&scenes, &world, &some_capsule(&mut rng));
                (overlaps, pierced) = (overlaps + counts.0, pierced + counts.1);
            }
        }
    }
    assert!(overlaps > 2_000 && pierced > 500, "{overlaps} {pierced}");
}

#[test]
fn the_closest_triangle_of_a_scene_is_that_of_the_pairs_whatever_the_sides() {
    let (mut rng, mut backs) = (Rng::new(&[1903]), 0);
    for _ in 0..150 {
        let mesh: Vec<[Vec3; 3]> = (0..8).map(|_| corners(&mut rng)).collect();
        for pose in poses(&mut rng) {
            let scenes = [false, true].map(|double| scene_of(&mesh, &pose, double));
            let world: Vec<Triangle> =
                mesh.iter().map(|&one| world_triangle(&pose, one)).collect();
            let body = some_capsule(&mut rng);
            if !world.iter().all(|triangle| is_off(&body, triangle)) {
                continue;
            }
            let nearest = world
                .iter()
                .map(|triangle| closest_capsule_triangle(&body, triangle))
                .min_by(|a, b| a.distance.total_cmp(&b.distance))
                .unwrap();
            for (scene, sides) in scenes.iter().flat_map(|one| SIDES.map(|sides| (one, sides))) {
                let found = scene.closest(&body, Limit::UNBOUNDED, &filter(sides)).unwrap();
                assert!((found.hit.distance - nearest.distance).abs() < 2e-6, "{sides:?}");
                let triangle = &world[found.target.triangle.unwrap() as usize];
                let from_behind = triangle.normal().is_some_and(|n| n.dot(found.hit.normal) < 0.0);
                backs += u32::from(from_behind);
            }
        }
    }
    assert!(backs > 100, "{backs}");
}

/// A floor of four triangles around the origin, and a capsule whose axis pierces it. More or less
/// of the axis is over the floor than under it.
#[test]
fn sides_choose_the_side_by_which_a_pierced_floor_is_left() {
    let rim = [[-9.0, -9.0], [9.0, -9.0], [9.0, 9.0], [-9.0, 9.0]];
    let corner = |i: usize| Vec3::new(rim[i % 4][0], rim[i % 4][1], 0.0);
    let tiles: Vec<[Vec3; 3]> = (0..4).map(|i| [Vec3::ZERO, corner(i), corner(i + 1)]).collect();
    let mirrored = Pose::new(DVec3::ZERO, DQuat::IDENTITY, dvec3(-1.0, 1.0, 1.0)).unwrap();
    let over = dvec3(1.0, 0.3, 0.0);
    // Most of the axis is under the floor: the way down is the shorter.
    let (low, high) = (over - DVec3::Z * 1.0, over + DVec3::Z * 0.25);
    let sunk = capsule(low.into(), high.into(), 0.4);
    for pose in [Pose::IDENTITY, mirrored] {
        for (double_sided, sides) in [false, true].into_iter().flat_map(|d| SIDES.map(|s| (d, s)))
        {
            let scene = scene_of(&tiles, &pose, double_sided);
            let both = double_sided || sides == Sides::Both;
            let (up, depth) = if both { (-1.0, 0.65) } else { (1.0, 1.4) };
            let found = overlaps_in(&scene, &sunk, &filter(sides));
            let pierced = found.iter().find(|hit| hit.hit.depth > 0.41).unwrap();
            assert_eq!(pierced.hit.normal, Vec3::Z * up, "{double_sided} {sides:?}");
            assert!((pierced.hit.depth - depth).abs() < 1e-6, "{}", pierced.hit.depth);
            let closest = scene.closest(&sunk, Limit::ZERO, &filter(sides)).unwrap();
            assert_eq!(closest.hit.normal, Vec3::Z * up);
            assert!((closest.hit.distance + depth).abs() < 1e-6, "{}", closest.hit.distance);
        }
    }
}
