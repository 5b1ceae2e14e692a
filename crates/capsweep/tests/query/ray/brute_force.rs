//! Rays through scenes, against brute force.

use super::*;

/// The scene's rule, one triangle and one shape at a time.
fn brute_force(
    scene: &Scene,
    parts: &Parts,
    ray: (DVec3, Motion),
    filter: Filter,
) -> Option<RayHit> {
    let (origin, way) = (ray.0, &ray.1);
    let mut found = Vec::new();
    for (kind, key, triangle, hit) in parts.hits(origin, way, filter.sides) {
        found.push((hit, (kind, key, triangle)));
    }
    let first = found.iter().map(|(hit, _)| hit.time).min_by(f64::total_cmp)?;
    let slack = CONTACT_TOLERANCE / way.length();
    let head_on = |hit: &RayHit| hit.normal.as_dvec3().dot(way.vector()).abs();
    found.retain(|(hit, _)| hit.time <= first + slack);
    found.sort_by(|(a, a_rank), (b, b_rank)| {
        head_on(b).total_cmp(&head_on(a)).then(a_rank.cmp(b_rank))
    });
    let (mut hit, rank) = found[0];
    (hit.time, hit.distance) = (first, first * way.length());
    let SceneHit { target, .. } =
        scene.ray(&cast(origin, way), &filter).expect("what brute force finds");
    assert_eq!((target.kind, target.key, target.triangle), rank);
    Some(hit)
}

/// The parts of a scene, for brute force.
struct Parts {
    meshes: Vec<(Arc<TriMesh>, Pose)>,
    shapes: Vec<Shape>,
}

impl Parts {
    fn scene(&self) -> Scene {
        let meshes =
            self.meshes.iter().map(|(mesh, pose)| Body::mesh(mesh.clone(), *pose).unwrap());
        scene_of(meshes.chain(self.shapes.iter().copied().map(Body::shape)))
    }

    fn hits(
        &self,
        origin: DVec3,
        way: &Motion,
        sides: Sides,
    ) -> Vec<(BodyKind, u64, Option<u32>, RayHit)> {
        let mut hits = Vec::new();
        for ((mesh, pose), key) in self.meshes.iter().zip(1..) {
            for index in 0..mesh.triangle_count() {
                let [a, b, c] = pose.triangle_to_world(mesh.triangle(index).unwrap());
                let triangle = Triangle::new(a, b, c).unwrap();
                let both = mesh.is_triangle_double_sided(index).unwrap();
                let sides = if both { Sides::Both } else { sides };
                if let Some(mut hit) = ray_triangle(&cast(origin, way), &triangle, sides) {
                    hit.feature = pose.feature_to_mesh(hit.feature);
                    hit.barycentrics = hit.barycentrics.map(|w| pose.barycentrics_to_mesh(w));
                    hits.push((BodyKind::Mesh, key, Some(index), hit));
                }
            }
        }
        for (shape, key) in self.shapes.iter().zip(self.meshes.len() as u64 + 1..) {
            if let Some(hit) = ray_shape(origin, way, shape, sides) {
                hits.push((BodyKind::Shape, key, None, hit));
            }
        }
        hits
    }
}

#[test]
fn a_scene_answers_like_brute_force() {
    let mut rng = Rng::new(&[75]);
    let rocks = instances(40);
    let near = |pose: &Pose, at: DVec3| Pose::new(at, pose.rotation(), pose.scale()).unwrap();
    let mut parts = Parts { meshes: Vec::new(), shapes: solids().to_vec() };
    for (number, pose) in &rocks.placements {
        let place = near(pose, rng.cube(8.0));
        let mut mesh = mesh_of(&rocks.meshes[*number]);
        if parts.meshes.len().is_multiple_of(2) {
            let flags: Vec<bool> = (0..mesh.triangle_count()).map(|i| i % 3 == 0).collect();
            mesh = Arc::new(TriMesh::clone(&mesh).with_double_sided(&flags).unwrap());
        }
        parts.meshes.push((mesh, place));
    }
    let dungeon = Parts { meshes: vec![(mesh_of(&dungeon()), Pose::IDENTITY)], shapes: vec![] };
    let mut hits = 0;
    for (parts, reach, count) in [(&parts, 12.0, 2_000), (&dungeon, 40.0, 600)] {
        let scene = parts.scene();
        for _ in 0..count {
            let mut origin = rng.cube(reach);
            let mut way = rng.direction() * rng.log_range(0.01, 200.0);
            if rng.chance(0.3) {
                origin = origin.round();
                way =
                    [DVec3::X, DVec3::NEG_Y, DVec3::NEG_Z, DVec3::Z][rng.below(4) as usize] * 50.0;
            }
            for sides in [Sides::Front, Sides::Both] {
                let filter = Filter { sides, ..Filter::default() };
                let expected = brute_force(&scene, parts, (origin, motion(way)), filter);
                let found = scene.ray(&cast(origin, &motion(way)), &filter).map(|hit| hit.hit);
                assert_eq!(found, expected, "from {origin} along {way}");
                hits += u32::from(found.is_some());
            }
        }
    }
    assert!(hits > 1_500, "{hits}");
}

#[test]
fn an_instance_answers_like_its_baked_triangles() {
    let mut rng = Rng::new(&[76]);
    let models = instances(30);
    for (number, pose) in &models.placements {
        let mesh = mesh_of(&models.meshes[*number]);
        let scene = scene_of([Body::mesh(mesh.clone(), *pose).unwrap()]);
        let parts = Parts { meshes: vec![(mesh, *pose)], shapes: vec![] };
        for _ in 0..200 {
            let aim = pose.point_to_world(rng.cube(1.0));
            let origin = aim + rng.direction() * rng.log_range(0.1, 100.0);
            let way = motion((aim - origin) * 3.0);
            let expected = brute_force(&scene, &parts, (origin, way), Filter::default());
            let found = scene.ray(&cast(origin, &way), &Filter::default()).map(|hit| hit.hit);
            assert_eq!(found, expected);
        }
    }
}

#[test]
fn far_from_the_origin_rays_answer_as_at_it() {
    let mut rng = Rng::new(&[77]);
    let level = terrain(24);
    let here = scene_of([Body::mesh(mesh_of(&level), Pose::IDENTITY).unwrap()]);
    let there =
        scene_of([Body::mesh(mesh_of(&level), Pose::from_translation(FAR).unwrap()).unwrap()]);
    for _ in 0..4_000 {
        let origin = dvec3(rng.range(-9.0, 9.0), rng.range(-9.0, 9.0), 30.0);
        let way = motion(dvec3(rng.range(-5.0, 5.0), rng.range(-5.0, 5.0), -60.0));
        let near = here.ray(&cast(origin, &way), &Filter::default()).expect("hills").hit;
        let far = there.ray(&cast(FAR + origin, &way), &Filter::default()).expect("hills").hit;
        assert!((near.distance - far.distance).abs() < 1e-9);
        assert!((near.point - (far.point - FAR)).length() < 1e-9);
    }
}

#[test]
fn the_order_of_insertion_decides_nothing() {
    // Forty floors at one height: more ties than the collector stores.
    let floor = mesh_of(&tiled_floor(2, 1.0, 0.0, 0.0, Joints::Matching));
    let down = motion(dvec3(0.0, 0.0, -2.0));
    let mut scene = Scene::new();
    for key in (100..140).rev() {
        scene.insert(Body::mesh(floor.clone(), Pose::IDENTITY).unwrap().with_key(key));
    }
    let hit = scene.ray(&cast(DVec3::Z, &down), &Filter::default()).expect("a floor");
    assert_eq!((hit.target.key, hit.target.triangle.map(|t| t < 8)), (100, Some(true)));
    assert_eq!(hit.hit.time, 0.5);
}

#[test]
fn an_origin_that_is_no_place_makes_no_ray() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for origin in [dvec3(bad, 0.0, 1.0), dvec3(0.0, 0.0, bad), DVec3::splat(bad)] {
            for way in [DVec3::NEG_Z, dvec3(1.0, 2.0, -3.0)] {
                let refused = Ray::new(origin, motion(way));
                assert!(matches!(refused, Err(ShapeError::NotFinite { .. })), "{refused:?}");
            }
        }
    }
}

#[test]
fn slivers_are_hit_where_they_are() {
    // 4 km long and a micrometre wide, sloped.
    let a = dvec3(0.0, 0.0, 0.0);
    let b = dvec3(4_000.0, 0.0, 400.0);
    let c = dvec3(2_000.0, 1e-6, 200.0);
    let sliver = Triangle::new(a, b, c).unwrap();
    let down = motion(dvec3(0.0, 0.0, -1_000.0));
    for step in 1..40 {
        let x = f64::from(step) * 100.0;
        let y = 0.4e-6 * (x.min(4_000.0 - x)) / 2_000.0;
        let hit =
            ray_triangle(&cast(dvec3(x, y, 500.0), &down), &sliver, Sides::Front).expect("a hit");
        assert!((hit.point.z - x * 0.1).abs() < 1e-9, "{x}: {}", hit.point.z);
    }
}

#[test]
fn culling_rejects_no_hit_on_hostile_worlds() {
    let mut rng = Rng::new(&[78]);
    let mut hits = 0;
    for round in 0..120 {
        let size = rng.log_range(1e-4, 1e4);
        let centre = if rng.chance(0.5) { rng.cube(size) } else { rng.cube(1.0) * 1e5 };
        // Triangle soups of all sizes with thin and flat triangles, on a coarse grid or off it.
        let mut vertices = Vec::new();
        for _ in 0..40 {
            let corner = rng.cube(size);
            let reach = rng.log_range(1e-3, 2.0) * size;
            let stretch = DVec3::new(1.0, rng.log_range(1e-6, 1.0), rng.log_range(1e-6, 1.0));
            for _ in 0..3 {
                vertices.push((corner + rng.cube(reach) * stretch).as_vec3());
            }
        }
        let indices = (0..40).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let scale =
            dvec3(rng.log_range(0.1, 10.0), rng.log_range(0.1, 10.0), -rng.log_range(0.1, 10.0));
        let pose = match round % 3 {
            0 => Pose::IDENTITY,
            1 => Pose::new(centre, tilted(), scale).unwrap(),
            _ => Pose::from_translation(centre).unwrap(),
        };
        let level: Mesh = (vertices, indices);
        let parts = Parts { meshes: vec![(mesh_of(&level), pose)], shapes: vec![] };
        let scene = parts.scene();
        for place in places(&level, &pose) {
            let away = rng.direction() * size * rng.log_range(1e-6, 1e3);
            // Beyond the aim, just to it, or starting on it.
            let (origin, way) = match rng.below(4) {
                0 => (place, away),
                1 => (place - away, away),
                _ => (place - away, away * rng.log_range(1.0, 100.0)),
            };
            if motion(way).length() > 1e6 {
                continue;
            }
            let filter = Filter {
                sides: if rng.chance(0.5) { Sides::Both } else { Sides::Front },
                ..both()
            };
            let expected = brute_force(&scene, &parts, (origin, motion(way)), filter);
            let found = scene.ray(&cast(origin, &motion(way)), &filter).map(|hit| hit.hit);
            assert_eq!(found, expected, "from {origin} along {way}");
            hits += u32::from(found.is_some());
        }
    }
    assert!(hits > 10_000, "{hits}");
}

// Far from a mesh's origin, the grid of f32 turns small triangles into points and needles.
#[test]
fn culling_rejects_no_needle_far_from_its_meshs_origin() {
    let mut rng = Rng::new(&[616]);
    let mut hits = 0;
    for _ in 0..40 {
        let centre = rng.cube(1.0) * rng.log_range(1e4, 1e6);
        let size = rng.log_range(1e-3, 1e-1);
        let corner = |rng: &mut Rng| (centre + rng.cube(size)).as_vec3();
        let vertices: Vec<Vec3> = (0..360).map(|_| corner(&mut rng)).collect();
        let indices = (0..120).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let scale =
            dvec3(rng.log_range(0.3, 3.0), rng.log_range(0.3, 3.0), -rng.log_range(0.3, 3.0));
        let pose = Pose::new(rng.cube(size), tilted(), scale).unwrap();
        let level: Mesh = (vertices, indices);
        let parts = Parts { meshes: vec![(mesh_of(&level), pose)], shapes: vec![] };
        let scene = parts.scene();
        for place in places(&level, &pose) {
            let away = rng.direction() * rng.log_range(1e-3, 1e2);
            let (origin, way) = (place - away * rng.range(0.0, 1.0), motion(away));
            let expected = brute_force(&scene, &parts, (origin, way), both());
            let found = scene.ray(&cast(origin, &way), &both()).map(|hit| hit.hit);
            assert_eq!(found, expected, "from {origin} along {away}");
            hits += u32::from(found.is_some());
        }
    }
    assert!(hits > 10_000, "{hits}");
}
