//! Axis systems (rule 12.5): values of each, round trips in bits, and a converted scene.

use capsweep::scene::{
    AxisConversion, AxisSystem, Body, Compass, Filter, MeshOptions, Pose, Scene, TriMesh,
};
use capsweep::{Capsule, Feature, Motion, ShapeError};
use capsweep_testkit::{Rng, level};
use glam::{DMat3, DQuat, DVec3, Vec3, dquat, dvec3, vec3};
use std::sync::Arc;

const SYSTEMS: [AxisSystem; 5] =
    [AxisSystem::Z_UP, AxisSystem::Y_UP, AxisSystem::UNITY, AxisSystem::UNREAL, AxisSystem::WOW];

const COMPASS: [Compass; 6] =
    [Compass::East, Compass::West, Compass::North, Compass::South, Compass::Up, Compass::Down];

/// All 48 systems.
fn all_systems() -> Vec<AxisSystem> {
    let mut all = Vec::new();
    for x in COMPASS {
        for y in COMPASS {
            all.extend(COMPASS.into_iter().filter_map(|z| AxisSystem::new(x, y, z).ok()));
        }
    }
    all
}

fn bits(vector: DVec3) -> [u64; 3] {
    vector.to_array().map(f64::to_bits)
}

/// A metre east, two north, three up.
#[test]
fn one_place_has_these_coordinates_in_each_system() {
    let place = dvec3(1.0, 2.0, 3.0);
    for (system, expected, left_handed) in [
        (AxisSystem::Z_UP, dvec3(1.0, 2.0, 3.0), false),
        (AxisSystem::Y_UP, dvec3(1.0, 3.0, -2.0), false),
        (AxisSystem::UNITY, dvec3(1.0, 3.0, 2.0), true),
        (AxisSystem::UNREAL, dvec3(2.0, 1.0, 3.0), true),
        (AxisSystem::WOW, dvec3(2.0, -1.0, 3.0), false),
    ] {
        let to = AxisSystem::Z_UP.to(system);
        assert_eq!(to.vector(place), expected, "{system:?}");
        assert_eq!(to.vector_f32(place.as_vec3()), expected.as_vec3());
        assert_eq!(system.to(AxisSystem::Z_UP).vector(expected), place, "{system:?}");
        assert_eq!(system.is_left_handed(), left_handed, "{system:?}");
        assert_eq!(to.mirrors(), left_handed, "{system:?}");
    }
    let from_wow = AxisSystem::WOW.to(AxisSystem::UNITY);
    assert_eq!(from_wow.vector(dvec3(2.0, -1.0, 3.0)), dvec3(1.0, 3.0, 2.0));
}

#[test]
fn there_are_48_systems_and_half_of_them_are_left_handed() {
    let all = all_systems();
    assert_eq!(all.len(), 48);
    assert_eq!(all.iter().filter(|system| system.is_left_handed()).count(), 24);
    for system in all {
        // The triple product of the axes, as vectors of east, north and up.
        let to = system.to(AxisSystem::Z_UP);
        let [x, y, z] = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| to.vector(axis));
        assert_eq!(x.cross(y).dot(z) < 0.0, system.is_left_handed(), "{system:?}");
        let [x, y, z] = system.axes();
        assert_eq!(AxisSystem::new(x, y, z), Ok(system));
    }
    for (axes, field) in [
        ([Compass::East, Compass::West, Compass::Up], "x and y"),
        ([Compass::East, Compass::Up, Compass::Down], "y and z"),
        ([Compass::North, Compass::East, Compass::North], "z and x"),
    ] {
        let [x, y, z] = axes;
        assert_eq!(AxisSystem::new(x, y, z), Err(ShapeError::ParallelAxes { field }));
    }
    let text = ShapeError::ParallelAxes { field: "x and y" }.to_string();
    assert_eq!(text, "x and y lie along the same line: each axis needs a line of its own");
}

#[test]
fn there_and_back_keeps_every_bit() {
    let mut rng = Rng::new(&[12, 5, 1]);
    for from in all_systems() {
        for to in all_systems() {
            let (there, back) = (from.to(to), to.to(from));
            assert_eq!(there.inverse(), back);
            let vector = rng.cube(17_066.0) * dvec3(1.0, 1.0, f64::from(rng.below(2)));
            assert_eq!(bits(back.vector(there.vector(vector))), bits(vector));
            let rotation = dquat(rng.unit(), -rng.unit(), rng.unit(), rng.unit());
            let again = back.rotation(there.rotation(rotation));
            assert_eq!(again.to_array().map(f64::to_bits), rotation.to_array().map(f64::to_bits));
            let pose = Pose::new(vector, rotation, dvec3(2.0, -3.0, 0.5)).unwrap();
            assert_eq!(back.pose(&there.pose(&pose)), pose);
            let (mut vertices, mut triangles) = (vec![vector.as_vec3(); 3], vec![[7, 8, 9]]);
            there.mesh(&mut vertices, &mut triangles);
            assert_eq!(triangles[0], if there.mirrors() { [7, 9, 8] } else { [7, 8, 9] });
            assert_eq!(vertices[1], there.vector_f32(vector.as_vec3()));
            back.mesh(&mut vertices, &mut triangles);
            assert_eq!((vertices[2], triangles[0]), (vector.as_vec3(), [7, 8, 9]));
        }
    }
}

/// A turn to the left about up: from east to north, in every system.
#[test]
fn a_turn_stays_the_same_turn() {
    // A quarter turn about z in right-handed axes takes east to north.
    let left = dquat(0.0, 0.0, 0.5_f64.sqrt(), 0.5_f64.sqrt());
    for system in all_systems() {
        let to = AxisSystem::Z_UP.to(system);
        let turned = to.rotation(left) * to.vector(DVec3::X);
        assert!(turned.abs_diff_eq(to.vector(DVec3::Y), 1e-15), "{system:?}");
    }
    let half = 0.5_f64.sqrt();
    let expected = |x: f64, y: f64, z: f64| DQuat::from_xyzw(x * half, y * half, z * half, half);
    for (system, about) in [
        (AxisSystem::Y_UP, expected(0.0, 1.0, 0.0)),
        (AxisSystem::UNITY, expected(0.0, -1.0, 0.0)),
        (AxisSystem::UNREAL, expected(0.0, 0.0, -1.0)),
        (AxisSystem::WOW, expected(0.0, 0.0, 1.0)),
    ] {
        assert_eq!(AxisSystem::Z_UP.to(system).rotation(left), about, "{system:?}");
    }
    let to_unity = AxisSystem::WOW.to(AxisSystem::UNITY);
    assert_eq!(to_unity.scale(dvec3(1.0, -2.0, 3.0)), dvec3(-2.0, 3.0, 1.0));
}

fn random_pose(rng: &mut Rng) -> Pose {
    let rotation = dquat(rng.unit() - 0.5, rng.unit() - 0.5, rng.unit() - 0.5, rng.unit());
    let mut scale = || rng.sign() * rng.log_range(0.5, 2.0);
    let scale = dvec3(scale(), scale(), scale());
    Pose::new(rng.cube(4.0), rotation, scale).unwrap()
}

#[test]
fn poses_and_linear_maps_convert_with_the_points_that_they_move() {
    let mut rng = Rng::new(&[12, 5, 2]);
    for system in all_systems() {
        let to = AxisSystem::WOW.to(system);
        for _ in 0..20 {
            let (pose, point) = (random_pose(&mut rng), rng.cube(10.0));
            let converted = to.pose(&pose);
            let moved = converted.point_to_world(to.vector(point));
            assert!(moved.abs_diff_eq(to.vector(pose.point_to_world(point)), 1e-13));
            let normal = converted.normal_to_world(to.vector(point));
            assert!(normal.abs_diff_eq(to.vector(pose.normal_to_world(point)), 1e-13));
            assert_eq!(converted.is_mirrored(), pose.is_mirrored());
            let linear = DMat3::from_cols(rng.cube(1.0), rng.cube(1.0), rng.cube(1.0));
            let found = to.linear(linear) * to.vector(point);
            assert!(found.abs_diff_eq(to.vector(linear * point), 1e-13));
        }
    }
}

/// A scene of the same bodies in other axes.
fn converted_scene(to: &AxisConversion, meshes: &[level::Mesh], poses: &[Pose]) -> Scene {
    let mut scene = Scene::new();
    for ((vertices, triangles), pose) in meshes.iter().zip(poses) {
        let (mut vertices, mut triangles) = (vertices.clone(), triangles.clone());
        to.mesh(&mut vertices, &mut triangles);
        let mesh = TriMesh::new(&vertices, &triangles, MeshOptions::default()).unwrap();
        scene.insert(Body::mesh(Arc::new(mesh), to.pose(pose)).unwrap());
    }
    scene
}

/// The feature of a triangle whose last two vertices are swapped.
fn swapped(feature: Feature) -> Feature {
    match feature {
        Feature::Vertex(i) => Feature::Vertex([0, 2, 1][usize::from(i)]),
        Feature::Edge(i) => Feature::Edge([2, 1, 0][usize::from(i)]),
        Feature::Face => Feature::Face,
    }
}

#[test]
fn a_converted_scene_gives_converted_answers() {
    let mut rng = Rng::new(&[12, 5, 3]);
    // Triangles that join nowhere, so that no two contacts tie.
    let meshes = [0, 1, 2].map(|_| {
        let corners: Vec<Vec3> = (0..120)
            .flat_map(|_| {
                let at = rng.cube_f32(8.0);
                [at, at + rng.cube_f32(3.0), at + rng.cube_f32(3.0)]
            })
            .collect();
        (corners, (0..120).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect())
    });
    let poses = [0, 1, 2].map(|_| random_pose(&mut rng));
    let queries: Vec<_> = (0..400)
        .map(|_| (rng.cube(9.0), rng.cube(1.0), rng.range_f32(0.1, 0.6), rng.cube(20.0)))
        .collect();
    for system in SYSTEMS.into_iter().chain(all_systems().into_iter().step_by(7)) {
        let to = AxisSystem::Z_UP.to(system);
        let scenes = [AxisSystem::Z_UP.to(AxisSystem::Z_UP), to]
            .map(|to| converted_scene(&to, &meshes, &poses));
        let (mut hits, filter) = (0, Filter::default());
        for &(at, axis, radius, motion) in &queries {
            let [own, other] = [AxisSystem::Z_UP.to(AxisSystem::Z_UP), to].map(|to| {
                let (p0, p1) = (to.vector(at), to.vector(at + axis));
                let capsule = Capsule::new(p0, p1, radius).unwrap();
                (capsule, Motion::new(to.vector(motion)).unwrap())
            });
            let found = scenes[0].sweep(&own.0, &own.1, &filter);
            let converted = scenes[1].sweep(&other.0, &other.1, &filter);
            assert_eq!(found.is_some(), converted.is_some(), "{system:?}");
            let (Some(found), Some(converted)) = (found, converted) else { continue };
            hits += 1;
            assert_eq!(converted.target.triangle, found.target.triangle, "{system:?}");
            let (found, converted) = (found.hit, converted.hit);
            assert!((found.time - converted.time).abs() < 1e-9);
            assert!((found.depth - converted.depth).abs() < 1e-9);
            assert!(to.vector(found.point).abs_diff_eq(converted.point, 1e-6));
            assert!(to.vector_f32(found.normal).abs_diff_eq(converted.normal, 1e-5));
            assert!(to.vector_f32(found.face_normal).abs_diff_eq(converted.face_normal, 1e-5));
            let feature = if to.mirrors() { swapped(found.feature) } else { found.feature };
            assert_eq!(converted.feature, feature);
        }
        assert!(hits > 200, "{hits}");
    }
}

/// The conversions of World of Warcraft's axes that the rule names.
#[test]
fn wow_s_axes_are_a_quarter_turn_away() {
    let to_world = AxisSystem::WOW.to(AxisSystem::Z_UP);
    let to_internal = AxisSystem::Z_UP.to(AxisSystem::WOW);
    // North, west, up.
    assert_eq!(to_world.vector(DVec3::X), DVec3::Y);
    assert_eq!(to_world.vector(DVec3::Y), -DVec3::X);
    assert_eq!(to_world.vector(DVec3::Z), DVec3::Z);
    // East and north.
    assert_eq!(to_internal.vector(DVec3::X), -DVec3::Y);
    assert_eq!(to_internal.vector(DVec3::Y), DVec3::X);
    // A rotation, no mirror.
    assert!(!to_world.mirrors());
    let turned = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| to_world.vector(axis));
    assert_eq!(turned[0].cross(turned[1]), turned[2]);
    assert_eq!(to_world.vector_f32(vec3(3.0, 2.0, 1.0)), vec3(-2.0, 3.0, 1.0));
}
