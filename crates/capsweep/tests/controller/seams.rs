//! Seams of tiles and panels, which must not catch a character.

use super::level::{Level, Walk, assert_near, human, physx};
use capsweep::controller::{ControllerConfig, NonWalkable};
use capsweep::scene::{Body, MeshOptions, Pose, Scene, TriMesh};
use capsweep_testkit::level::{Joints, tiled_floor};
use glam::{DVec3, dvec3, vec3};
use std::sync::Arc;

#[test]
fn a_tiled_floor_is_walked_on_as_if_it_were_one_piece() {
    for joints in [Joints::Matching, Joints::TJunctions] {
        for tilt in [0.0, 0.1, 0.37] {
            let (vertices, indices) = tiled_floor(60, 0.5, tilt, 0.25, joints);
            let mesh =
                Arc::new(TriMesh::new(&vertices, &indices, MeshOptions::default()).unwrap());
            let mut scene = Scene::new();
            scene.insert(Body::mesh(mesh, Pose::IDENTITY).expect("in range"));
            for config in [human(), physx()] {
                let mut walk =
                    Walk::start(&scene, config, dvec3(-9.0, -3.0, -9.0 * f64::from(tilt) + 0.2));
                walk.walk(DVec3::ZERO, 1.0, 60);
                let start = walk.feet();
                walk.walk(dvec3(4.0, 1.7, 0.0), 4.0, 60);
                let level = (walk.feet() - start).truncate();
                assert!(
                    (level - glam::dvec2(16.0, 6.8)).length() < 0.01,
                    "{joints:?} {tilt}: {level}"
                );
                let height = walk.feet().z - walk.feet().x * f64::from(tilt);
                let flat = start.z - start.x * f64::from(tilt);
                assert!((height - flat).abs() < 1e-3, "{joints:?} {tilt}: {height} {flat}");
            }
        }
    }
}

#[test]
fn tiles_of_many_instances_are_one_floor() {
    let tile = Level::default()
        .quad(vec3(0.0, 0.0, 0.0), vec3(1.0, 0.0, 0.0), vec3(1.0, 1.0, 0.0), vec3(0.0, 1.0, 0.0))
        .mesh();
    let mut scene = Scene::new();
    for i in -12..12 {
        for j in -12..12 {
            let at = Pose::from_translation(dvec3(f64::from(i), f64::from(j), 0.0)).unwrap();
            scene.insert(Body::mesh(tile.clone(), at).expect("in range"));
        }
    }
    let mut walk = Walk::start(&scene, human(), dvec3(-9.0, -5.0, 0.0));
    walk.walk(dvec3(4.0, 2.0, 0.0), 4.0, 60);
    assert_near(walk.feet(), dvec3(7.0, 3.0, 0.0), 1e-4);
}

#[test]
fn a_wall_of_many_pieces_is_slid_along_as_if_it_were_one() {
    let mut level = Level::floor();
    for i in -30..30 {
        let y = i as f32 * 0.7;
        level = level.cuboid(vec3(5.0, y, -1.0), vec3(6.0, y + 0.7, 3.0));
    }
    let mut walk = Walk::start(&level.scene(), human(), dvec3(4.0, -15.0, 0.0));
    walk.walk(dvec3(4.0, 0.0, 0.0), 1.0, 60);
    let before = walk.feet();
    walk.walk(dvec3(3.0, 3.0, 0.0), 8.0, 60);
    assert_near(walk.feet(), before + DVec3::Y * 24.0, 1e-3);
}

/// A walk once stopped for good within a micrometre of the joint of two blocks. The normal at the
/// inner face's rim leaned by less than the assumed rounding of the floor. And a floor exactly
/// along a level walk had no lift.
#[test]
fn the_rim_of_an_inner_face_stops_no_walk() {
    let scene = Level::floor()
        .cuboid(vec3(2.0, -3.0, -0.5), vec3(8.36, 3.0, 2.16))
        .cuboid(vec3(8.36, -3.0, -0.5), vec3(12.0, 3.0, 2.16))
        .scene();
    for i in 0..40 {
        let before = 8.36_f64 - 0.02 - f64::from(i) * f64::from(i) * 1e-6;
        let mut walk = Walk::start(&scene, human(), dvec3(before, 0.0, 2.16));
        for _ in 0..10 {
            walk.go(dvec3(0.02, 0.0, -0.001));
        }
        assert_near(walk.feet(), dvec3(before + 0.2, 0.0, 2.16), 1e-5);
    }
}

/// The character is nearer to a flat wall of two panels than its skin, by less than the tolerance,
/// and half a millimetre above their seam. The edge of the lower panel stops the fall, with a
/// normal 0.2° off level.
#[test]
fn a_fall_along_a_wall_does_not_end_on_its_seam() {
    let wall = [3.025_057_3, 3.412_398_3, 3.799_739_4]
        .map(|z| [vec3(0.669_653, -0.697_464_2, z), vec3(0.803_723_2, -0.334_066_03, z)]);
    let triangles = [[0, 2, 3], [0, 3, 1], [2, 4, 5], [2, 5, 3]];
    let mesh = TriMesh::new(wall.as_flattened(), &triangles, MeshOptions { double_sided: true });
    let mut scene = Scene::new();
    scene.insert(Body::mesh(Arc::new(mesh.unwrap()), Pose::IDENTITY).expect("in range"));
    let config = ControllerConfig {
        radius: 0.140_223_77,
        total_height: 0.280_447_54,
        contact_offset: 0.000_1,
        step_offset: 0.05,
        ..physx()
    };
    assert_eq!(config.non_walkable, NonWalkable::Prevent);
    let center = dvec3(0.649_599_255_932_511_9, -0.346_411_033_383_730_75, 3.412_896_285_972_254);
    let skin = f64::from(config.radius) + f64::from(config.contact_offset);
    let mut walk = Walk::start(&scene, config, center - DVec3::Z * skin);
    for tick in 0..6 {
        let before = walk.feet().z;
        walk.go(dvec3(0.0, 0.0, -0.05));
        assert!(before - walk.feet().z > 0.04, "tick {tick}: held at {before}");
    }
}
