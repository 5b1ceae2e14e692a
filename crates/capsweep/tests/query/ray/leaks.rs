//! Watertight meshes: no ray passes through a shared edge or vertex.

use super::*;

#[test]
fn no_ray_leaks_through_a_tiled_floor() {
    let mut rng = Rng::new(&[72]);
    for (tilt, jitter) in [(0.0, 0.0), (0.0, 0.25), (0.3, 0.0), (0.7, 0.25)] {
        let level = tiled_floor(8, 0.75, tilt, jitter, Joints::Matching);
        for pose in [
            Pose::IDENTITY,
            Pose::from_translation(FAR).unwrap(),
            Pose::new(FAR, tilted(), dvec3(2.0, -1.5, 0.7)).unwrap(),
        ] {
            let scene = scene_of([Body::mesh(mesh_of(&level), pose).unwrap()]);
            let inner = |place: &DVec3| pose.point_to_local(*place).abs().max_element() < 2.9;
            let above = pose.normal_to_world(DVec3::Z);
            for place in places(&level, &pose).into_iter().filter(inner) {
                let mut origins = vec![place + above * 2.0, place + DVec3::Z * 3.0];
                origins.extend((0..8).map(|_| place + (rng.direction() + above * 1.6) * 5.0));
                for origin in origins {
                    let way = motion((place - origin) * 2.0);
                    let hit = scene.ray(&cast(origin, &way), &Filter::default());
                    let time = hit.map(|hit| hit.hit.time);
                    assert!(time.is_some_and(|t| (t - 0.5).abs() < 1e-6), "{place}: {time:?}");
                    // And from below, with both sides.
                    let (origin, way) = (origin + way.vector(), motion(-way.vector()));
                    assert!(
                        scene.ray(&cast(origin, &way), &both()).is_some(),
                        "{place} from below"
                    );
                    assert_eq!(scene.ray(&cast(origin, &way), &Filter::default()), None);
                }
            }
        }
    }
}

#[test]
fn lattice_rays_meet_a_lattice_floor_exactly() {
    let level = tiled_floor(16, 1.0, 0.0, 0.0, Joints::Matching);
    let scene = scene_of([Body::mesh(mesh_of(&level), Pose::IDENTITY).unwrap()]);
    let down = motion(dvec3(0.0, 0.0, -8.0));
    for i in -32..=32 {
        for j in -32..=32 {
            let origin = dvec3(f64::from(i) * 0.25, f64::from(j) * 0.25, 2.0);
            let hit = scene.ray(&cast(origin, &down), &Filter::default()).expect("a floor").hit;
            assert_eq!((hit.time, hit.point), (0.25, origin.with_z(0.0)));
        }
    }
}

#[test]
fn no_ray_leaks_through_hills() {
    let mut rng = Rng::new(&[73]);
    let level = terrain(24);
    for pose in [Pose::IDENTITY, Pose::from_translation(FAR).unwrap()] {
        let scene = scene_of([Body::mesh(mesh_of(&level), pose).unwrap()]);
        let inner = |place: &DVec3| {
            let local = pose.point_to_local(*place).abs();
            local.x < 11.9 && local.y < 11.9
        };
        for place in places(&level, &pose).into_iter().filter(inner) {
            for step in 0..6 {
                let lean = if step == 0 { DVec3::ZERO } else { rng.cube(4.0) };
                let origin = place + dvec3(lean.x, lean.y, 50.0);
                let way = motion((place - origin) * 3.0);
                let hit = scene.ray(&cast(origin, &way), &Filter::default()).expect("hills");
                assert!(hit.hit.time <= 1.0 / 3.0 + 1e-9, "{place}: {}", hit.hit.time);
            }
        }
    }
}

#[test]
fn no_ray_gets_out_of_a_closed_rock() {
    let mut rng = Rng::new(&[74]);
    let rocks = instances(60);
    for (number, pose) in rocks.placements.iter().filter(|(number, _)| number % 5 == 0) {
        let level = &rocks.meshes[*number];
        let scene = scene_of([Body::mesh(mesh_of(level), *pose).unwrap()]);
        for place in places(level, pose) {
            let origin = pose.point_to_world(rng.cube(0.3));
            let way = motion((place - origin) * 4.0);
            let from_inside = scene.ray(&cast(origin, &way), &both()).expect("a way out").hit;
            assert!(from_inside.time <= 0.25 + 1e-9, "{place}: {}", from_inside.time);
            assert_eq!(
                scene.ray(&cast(origin, &way), &Filter::default()),
                None,
                "outside stays outside"
            );
            let back = motion((origin - place) * 2.0);
            let start = place - back.vector();
            assert!(
                scene.ray(&cast(start, &back), &Filter::default()).is_some(),
                "{place} from outside"
            );
        }
        for axis in [DVec3::X, DVec3::Y, DVec3::Z, DVec3::NEG_X, DVec3::NEG_Y, DVec3::NEG_Z] {
            let way = motion(pose.vector_to_world(axis) * 4.0);
            assert!(scene.ray(&cast(pose.position(), &way), &both()).is_some(), "{axis}");
        }
    }
}

#[test]
fn neighbours_leave_no_gap_whatever_their_shape() {
    // A fan around a vertex in general position, slivers included. A ray at the vertex, at its
    // spokes and just beside them hits the fan.
    let mut rng = Rng::new(&[79]);
    for round in 0..4_000 {
        let place = if rng.chance(0.5) { DVec3::ZERO } else { FAR };
        let hub = place + rng.cube(1.0);
        let toward = rng.direction();
        let (u, v) = toward.any_orthonormal_pair();
        let count = 3 + rng.below(9);
        let mut corners: Vec<f64> = (0..count).map(|_| rng.unit()).collect();
        corners.extend([0.0, 0.3, 0.6]);
        corners.sort_by(f64::total_cmp);
        // Closer ones can fold over as seen along the ray.
        corners.dedup_by(|next, last| *next - *last < 1e-3);
        let rim: Vec<DVec3> = corners
            .iter()
            .map(|turn| {
                let angle = turn * core::f64::consts::TAU;
                let out = u * angle.cos() + v * angle.sin();
                hub + (out + toward * rng.range(-0.7, 0.7)) * rng.log_range(0.01, 100.0)
            })
            .collect();
        let fan: Vec<Triangle> = (0..rim.len())
            .map(|i| Triangle::new(hub, rim[i], rim[(i + 1) % rim.len()]).unwrap())
            .collect();
        let spoke = rim[rng.below(rim.len() as u32) as usize];
        let targets = [hub, hub + (spoke - hub) * rng.range(0.0, 0.5), hub + rng.cube(1e-12)];
        for target in targets {
            let origin = target - toward * rng.log_range(0.1, 100.0);
            let way = motion((target - origin) * 1_000.0);
            let met =
                fan.iter().filter(|t| ray_triangle(&cast(origin, &way), t, Sides::Both).is_some());
            assert!(met.count() > 0, "round {round}: a leak at {target}");
        }
    }
}
