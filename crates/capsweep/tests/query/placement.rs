//! The placement of a scene changes positions only: far away, and mirrored.

use crate::queries::{FAR, Query, queries};
use capsweep::scene::{Filter, Pose, SceneHit};
use capsweep::{Capsule, Motion, Sides, SweepHit};
use capsweep_testkit::Rng;
use capsweep_testkit::brute::{Brute, PlainBody, tri_mesh};
use capsweep_testkit::level::{self, Joints};
use glam::{DQuat, DVec3, dvec3};

/// On a grid of 1/4096 m, which f64 holds exactly here and far away.
fn snapped(value: DVec3) -> DVec3 {
    (value * 4096.0).round() / 4096.0
}

fn assert_close(near: Option<&SceneHit<SweepHit>>, far: Option<&SceneHit<SweepHit>>, what: &str) {
    match (near, far) {
        (None, None) => {}
        (Some(near), Some(far)) => {
            let (one, other) = (&near.hit, &far.hit);
            let off = (one.distance - other.distance).abs().max((one.depth - other.depth).abs());
            assert!(off < 1e-9, "{what}: {near:?} became {far:?}");
            let point = (other.point - FAR).distance(one.point);
            let moved = near.target.triangle != far.target.triangle;
            assert!(moved || point < 1e-6, "{what}: {near:?} became {far:?}");
        }
        _ => panic!("{what}: {near:?} became {far:?}"),
    }
}

#[test]
fn a_scene_far_away_is_the_scene_at_the_origin() {
    let level = tri_mesh(&level::dungeon(), false);
    let tiles = tri_mesh(&level::tiled_floor(12, 1.0, 0.1, 0.2, Joints::TJunctions), false);
    let turn = DQuat::from_xyzw(0.1, 0.2, 0.3, 0.9).normalize();
    let at = |offset: DVec3| {
        let tilted = Pose::new(offset + DVec3::Z * 2.0, turn, dvec3(1.5, -0.75, 1.0)).unwrap();
        Brute::new([
            PlainBody::mesh(level.clone(), Pose::from_translation(offset).unwrap(), 1),
            PlainBody::mesh(tiles.clone(), tilted, 2),
        ])
    };
    let near = at(DVec3::ZERO);
    let (near_scene, far_scene) = (near.scene(), at(FAR).scene());
    for (number, query) in queries(&near, 6_000, 21).into_iter().enumerate() {
        let Query { capsule, motion, filter } = query;
        // On the grid that both placements share, so that the queries are equal.
        let (p0, p1) = (snapped(capsule.p0()), snapped(capsule.p1()));
        let capsule = Capsule::new(p0, p1, capsule.radius()).unwrap();
        let moved = Capsule::new(p0 + FAR, p1 + FAR, capsule.radius()).unwrap();
        let one = near_scene.sweep(&capsule, &motion, &filter);
        let other = far_scene.sweep(&moved, &motion, &filter);
        assert_close(one.as_ref(), other.as_ref(), &format!("query {number} {query:?}"));
    }
}

/// A closed ball of triangles, seen from outside and from inside, under every sign of scale.
#[test]
fn outside_stays_outside_when_mirrored() {
    let level::Instances { meshes, .. } = level::instances(1);
    let rock = tri_mesh(&meshes[0], false);
    let mut rng = Rng::new(&[31]);
    for signs in 0..8_u32 {
        let sign = |bit: u32| if signs >> bit & 1 == 0 { 1.0 } else { -1.0 };
        let scale = dvec3(2.0 * sign(0), 3.0 * sign(1), 1.5 * sign(2));
        let turn = DQuat::from_xyzw(0.3, -0.2, 0.5, 0.7).normalize();
        let pose = Pose::new(dvec3(5.0, -3.0, 2.0), turn, scale).unwrap();
        let scene = Brute::new([PlainBody::mesh(rock.clone(), pose, 1)]).scene();
        for _ in 0..200 {
            let direction = rng.direction();
            let outside = pose.position() + direction * 10.0;
            let ball = |at: DVec3| Capsule::new(at, at, 0.125).unwrap();
            let inward = Motion::new(direction * -10.0).unwrap();
            let front = Filter { sides: Sides::Front, ..Filter::default() };
            let hit = scene.sweep(&ball(outside), &inward, &front).unwrap().hit;
            assert!(hit.face_normal.as_dvec3().dot(direction) > 0.0, "{scale}: {hit:?}");
            assert!(hit.distance < 9.5, "{scale}: {hit:?}");
            // From inside every triangle shows its back.
            let outward = Motion::new(direction * 10.0).unwrap();
            assert!(scene.sweep(&ball(pose.position()), &outward, &front).is_none(), "{scale}");
            let both = Filter { sides: Sides::Both, ..Filter::default() };
            assert!(scene.sweep(&ball(pose.position()), &outward, &both).is_some(), "{scale}");
        }
    }
}
