//! Degenerate worlds and extreme configurations.

use super::level::input;
use capsweep::cache::TriangleCache;
use capsweep::controller::{
    Ceiling, Climbing, Controller, ControllerConfig, NonWalkable, Surroundings,
};
use capsweep::scene::{Body, MeshOptions, Mobility, Pose, Scene, Shape, TriMesh};
use capsweep::{Capsule, HalfSpace, Obb, Sides, SlopeLimit, Sphere};
use capsweep_testkit::Rng;
use glam::{DQuat, DVec3, Vec3, dvec3, vec3};
use std::sync::Arc;

/// Slivers, points, needles, triangles of a kilometre, duplicates and solids that intersect.
pub(crate) fn soup(rng: &mut Rng) -> Scene {
    let (mut vertices, mut indices) = (Vec::<Vec3>::new(), Vec::new());
    for i in 0..60_u32 {
        let size = rng.log_range(1e-4, 1e3);
        let a = rng.cube(3.0);
        let (u, v) = (rng.direction() * size, rng.direction() * rng.log_range(1e-6, 10.0));
        let corners = match rng.below(5) {
            0 => [a, a + u, a + u * 0.5],
            1 => [a, a, a],
            2 => [a, a + u, a + u + v],
            _ => [a, a + u, a + v],
        };
        vertices.extend(corners.map(DVec3::as_vec3));
        indices.push([3 * i, 3 * i + 1, 3 * i + 2]);
        if rng.chance(0.2) {
            indices.push([3 * i, 3 * i + 2, 3 * i + 1]);
        }
    }
    let options = MeshOptions { double_sided: rng.chance(0.3) };
    let mesh = TriMesh::new(&vertices, &indices, options).unwrap();
    let scale = dvec3(rng.range(0.3, 2.0) * rng.sign(), rng.range(0.3, 2.0), rng.range(0.3, 2.0));
    let turn = DQuat::from_rotation_x(rng.range(0.0, 6.0));
    let mut scene = Scene::new();
    scene.insert(
        Body::mesh(Arc::new(mesh), Pose::new(rng.cube(1.0), turn, scale).unwrap())
            .expect("in range"),
    );
    let half = vec3(0.7, 0.2, 1.1);
    for shape in [
        Shape::Box(Obb::new(rng.cube(3.0), half, turn).unwrap()),
        Shape::Sphere(Sphere::new(rng.cube(3.0), 0.6).unwrap()),
        Shape::Capsule(Capsule::new(rng.cube(3.0), rng.cube(3.0), 0.3).unwrap()),
        Shape::HalfSpace(HalfSpace::new(DVec3::Z * -3.0, DVec3::Z).unwrap()),
    ] {
        let mobility = if rng.chance(0.5) { Mobility::Dynamic } else { Mobility::Static };
        scene.insert(Body::shape(shape).with_mobility(mobility));
    }
    scene
}

pub(crate) fn any_config(rng: &mut Rng) -> ControllerConfig {
    let up = if rng.chance(0.5) { DVec3::Z } else { rng.direction() };
    ControllerConfig {
        radius: rng.log_range(0.01, 2.0) as f32,
        total_height: rng.range(0.0, 3.0) as f32,
        contact_offset: rng.log_range(1e-4, 0.5) as f32,
        step_offset: 0.0,
        slope_limit: SlopeLimit::from_cos(rng.unit() as f32).unwrap(),
        snap_distance: if rng.chance(0.5) { rng.unit() as f32 } else { 0.0 },
        climbing: if rng.chance(0.5) { Climbing::Easy } else { Climbing::Constrained },
        non_walkable: if rng.chance(0.5) { NonWalkable::Slide } else { NonWalkable::Prevent },
        ceiling: if rng.chance(0.5) { Ceiling::Slide } else { Ceiling::Stop },
        max_iterations: 1 + rng.below(32) as u8,
        ..ControllerConfig::physx(up)
    }
}

/// Seed 45 once slid down on ice by the height of a step it had climbed. Seed 70 hit a wall under
/// a sloping ceiling again and again, and was lifted off it by more than its displacement.
#[test]
fn no_world_makes_a_move_panic_run_away_or_lose_its_numbers() {
    for seed in 0..200 {
        let mut rng = Rng::new(&[99, seed]);
        let scene = soup(&mut rng);
        let mut config = any_config(&mut rng);
        config.step_offset = (rng.unit() * 0.9) as f32 * config.total_height.max(config.radius);
        let controller = Controller::new(config).unwrap();
        let mut state = controller.spawn(rng.cube(3.0)).unwrap();
        let mut cache = TriangleCache::new();
        for tick in 0..40 {
            let length = rng.log_range(1e-7, 30.0);
            let wish = rng.direction() * length;
            let mut step = input(wish).with_dt(rng.unit());
            step.surroundings.filter.sides =
                if rng.chance(0.3) { Sides::Both } else { Sides::Front };
            step.slippery = rng.chance(0.2);
            let out = controller.move_by(&scene, &mut cache, &state, &step);
            let what = format!("seed {seed} tick {tick}");
            assert!(out.achieved.is_finite() && out.recovery.left.is_finite(), "{what}");
            let up = controller.up();
            let level = |v: DVec3| (v - up * v.dot(up)).length();
            // Slides down, or along a ceiling, use up the vertical part.
            let most = level(wish) + wish.dot(up).abs() + level(out.recovery.displacement);
            let gained = level(out.achieved);
            assert!(gained <= most + 1e-6 * (1.0 + length), "{what}: {gained} of {most}: {out:?}");
            let tall = f64::from(
                config.total_height.max(2.0 * config.radius) + 2.0 * config.contact_offset,
            );
            assert!(out.recovery.displacement.length() <= tall + 1e-6, "{what}");
            state = out.state;
        }
        assert!(
            controller.find_free_position(&scene, &state, 2.0, &Surroundings::default()).is_ok()
        );
    }
}
