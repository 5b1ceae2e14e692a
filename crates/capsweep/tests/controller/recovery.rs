//! Recovery from overlaps with static geometry.

use super::level::{Level, Walk, assert_near, human, physx};
use capsweep::scene::{Body, Filter, MeshOptions, Pose, Scene, Shape, TriMesh};
use capsweep::{Capsule, Limit, Obb};
use glam::{DQuat, DVec3, dvec3, vec3};

/// Distance from the body, without its skin, to the nearest surface.
fn gap(walk: &Walk) -> f64 {
    let state = &walk.state;
    let half = f64::from(state.total_height() * 0.5 - state.radius());
    let body = Capsule::from_center(state.center(), DVec3::Z * half, state.radius()).unwrap();
    walk.scene
        .closest(&body, Limit::new(10.0).unwrap(), &Filter::default())
        .map_or(10.0, |hit| hit.hit.distance)
}

#[test]
fn an_overlap_on_any_side_is_left_by_the_shortest_way() {
    let scene = Level::floor().cuboid(vec3(-1.0, -1.5, -1.0), vec3(1.0, 1.5, 3.0)).scene();
    // 10 cm into a wall on each of four sides, and into the floor.
    let cases = [
        (dvec3(1.2, 0.3, 0.0), dvec3(1.32, 0.3, 0.0)),
        (dvec3(-1.2, 0.3, 0.0), dvec3(-1.32, 0.3, 0.0)),
        (dvec3(0.2, 1.7, 0.0), dvec3(0.2, 1.82, 0.0)),
        (dvec3(0.2, -1.7, 0.0), dvec3(0.2, -1.82, 0.0)),
        (dvec3(5.0, 5.0, -0.1), dvec3(5.0, 5.0, 0.0)),
    ];
    for (start, end) in cases {
        let walk = Walk::start(&scene, human(), start);
        assert_near(walk.feet(), end, 1e-4);
        assert_near(walk.last.recovery.displacement, end - start, 1e-4);
        assert_eq!(walk.last.recovery.left, 0.0);
        assert!(gap(&walk) >= -2e-6);
    }
}

#[test]
fn an_overlap_from_above_is_left_downwards() {
    let scene = Level::floor().cuboid(vec3(-2.0, -2.0, 2.2), vec3(2.0, 2.0, 4.0)).scene();
    let mut walk = Walk::start(&scene, human(), DVec3::Z * 0.5);
    assert!((walk.feet().z - 0.36).abs() < 1e-4, "{}", walk.feet());
    walk.walk(DVec3::ZERO, 1.0, 60);
    assert_near(walk.feet(), DVec3::ZERO, 1e-4);
}

#[test]
fn a_shelf_through_the_chest_is_left_without_walking() {
    let scene = Level::floor().cuboid(vec3(0.2, -2.0, 1.0), vec3(3.0, 2.0, 1.1)).scene();
    let walk = Walk::start(&scene, human(), DVec3::ZERO);
    assert_near(walk.feet(), dvec3(0.2 - 0.32, 0.0, 0.0), 1e-3);
    assert!(gap(&walk) >= -2e-6);
}

#[test]
fn a_character_sunk_into_a_tiled_floor_comes_up() {
    use capsweep_testkit::level::{Joints, tiled_floor};
    let (vertices, indices) = tiled_floor(40, 0.25, 0.0, 0.2, Joints::Matching);
    let mesh = TriMesh::new(&vertices, &indices, MeshOptions::default()).unwrap();
    let mut scene = Scene::new();
    scene.insert(Body::mesh(mesh.into(), Pose::IDENTITY).expect("in range"));
    let walk = Walk::start(&scene, human(), dvec3(0.13, 0.11, -0.5));
    assert!(
        walk.feet().z.abs() < 0.01 && walk.feet().truncate().length() < 0.5,
        "{}",
        walk.feet()
    );
}

/// The axis pierces both faces of a slight bend. The shortest push out of each alone leads past
/// the bend into the other. The two pushes once cancelled out, and left the axis in the front of a
/// face.
#[test]
fn a_character_that_fell_through_the_back_of_a_bent_vault_leaves_at_its_front() {
    // The one-sided underside of a vault, bent by 2.5°. It faces down and towards +y.
    let [low, bend, high] = [(-4.4, 5.57), (-3.2, 6.6), (-2.1, 7.6)];
    let at = |x: f32, (y, z): (f32, f32)| vec3(x, y, z - 4.0);
    let scene = Level::floor()
        .quad(at(3.0, low), at(-3.0, low), at(-3.0, bend), at(3.0, bend))
        .quad(at(3.0, bend), at(-3.0, bend), at(-3.0, high), at(3.0, high))
        .scene();
    for i in 0..20 {
        let depth = f64::from(i) * 0.05;
        let mut walk = Walk::start(&scene, physx(), dvec3(0.1, -3.6 + depth, 1.7));
        let recovery = walk.last.recovery;
        assert_eq!(recovery.left, 0.0, "{depth}: {recovery:?}");
        assert!(recovery.displacement.length() <= 2.0, "{depth}: {recovery:?}");
        assert!(gap(&walk) >= -2e-6, "{depth}: {}", gap(&walk));
        let before = walk.feet();
        walk.walk(dvec3(3.0, 0.0, 0.0), 0.5, 60);
        assert!((walk.feet() - before).x > 1.0, "{depth}: from {before} to {}", walk.feet());
    }
}

/// A one-sided vault is not solid: a character whose skin is in its back is not pulled through.
#[test]
fn a_character_behind_a_one_sided_surface_stays_behind_it() {
    let at = |x: f32, y: f32, z: f32| vec3(x, y, z);
    // It faces down, with a floor right below it.
    let scene = Level::floor()
        .quad(at(3.0, -3.0, 0.3), at(-3.0, -3.0, 0.3), at(-3.0, 3.0, 0.9), at(3.0, 3.0, 0.9))
        .scene();
    for sunk in [0.01, 0.1, 0.3] {
        // The feet of a character that touches the slope half-way, where it is 0.6 m high at 5.7°.
        let touching = 0.6 + 0.5 * (1.01_f64.sqrt() - 1.0);
        let walk = Walk::start(&scene, physx(), dvec3(0.0, 0.0, touching - sunk));
        let recovery = walk.last.recovery;
        assert_eq!(recovery.left, 0.0, "{sunk}: {recovery:?}");
        assert!(recovery.displacement.z > 0.9 * sunk, "{sunk}: {recovery:?}");
    }
}

#[test]
fn no_push_is_longer_than_the_character_is_tall() {
    // Deep inside a large solid.
    for half in [2.0, 20.0] {
        let mut scene = Scene::new();
        let block = Obb::new(DVec3::ZERO, vec3(half, half, half), DQuat::IDENTITY).unwrap();
        scene.insert(Body::shape(Shape::Box(block)));
        let walk = Walk::start(&scene, human(), dvec3(0.1, 0.2, -1.0));
        assert!(walk.last.recovery.displacement.length() <= 1.84 + 1e-9);
        assert!(walk.last.recovery.left > 0.0);
    }
}

#[test]
fn a_push_out_turns_with_the_world() {
    let build = |turn: DQuat| {
        let mut scene = Scene::new();
        for (at, half) in [
            (dvec3(0.0, 0.0, -1.0), vec3(5.0, 5.0, 1.0)),
            (dvec3(1.2, 0.1, 1.0), vec3(1.0, 3.0, 1.0)),
        ] {
            let block = Obb::new(turn * at, half, turn).unwrap();
            scene.insert(Body::shape(Shape::Box(block)));
        }
        scene
    };
    let still = Walk::start(&build(DQuat::IDENTITY), human(), dvec3(0.1, 0.0, -0.05));
    for angle in [0.3, 1.1, 2.9] {
        let turn = DQuat::from_rotation_z(angle);
        let turned = Walk::start(&build(turn), human(), turn * dvec3(0.1, 0.0, -0.05));
        assert_near(turn.inverse() * turned.feet(), still.feet(), 1e-5);
    }
}

#[test]
fn a_push_crosses_no_thin_wall() {
    // A box overlaps from the left; a thin wall is on the right.
    let mut scene = Level::floor().cuboid(vec3(0.45, -4.0, -1.0), vec3(0.46, 4.0, 3.0)).scene();
    let block = Obb::new(dvec3(-1.0, 0.0, 1.0), vec3(1.2, 2.0, 1.0), DQuat::IDENTITY).unwrap();
    scene.insert(Body::shape(Shape::Box(block)));
    let walk = Walk::start(&scene, human(), DVec3::ZERO);
    assert!(walk.feet().x < 0.45, "{}", walk.feet());
    assert!(walk.last.recovery.left > 0.0);
}

#[test]
fn recovery_turns_no_unrelated_flag_on() {
    let scene = Level::floor().cuboid(vec3(0.2, -4.0, -1.0), vec3(3.0, 4.0, 3.0)).scene();
    let walk = Walk::start(&scene, human(), DVec3::ZERO);
    let touching = walk.last.touching;
    assert!(!touching.above && !touching.sides && touching.below);
}
