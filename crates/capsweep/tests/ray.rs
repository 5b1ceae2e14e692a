//! Rays: the pairs and their conventions, watertight meshes, and the scene against brute force.

#![allow(clippy::disallowed_methods, reason = "angles of a test fan need not agree to the bit")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a shape that cannot be made and a hit that is not found fail the test"
)]

use capsweep::scene::{
    Body, BodyKind, Column, Filter, Hit, MeshOptions, Pose, Scene, Shape, StartOverlaps, TriMesh,
};
use capsweep::{
    BOUND, Capsule, Feature, HalfSpace, Motion, Obb, RayHit, Sides, Sphere, Triangle, ray_box,
    ray_capsule, ray_half_space, ray_sphere, ray_triangle,
};
use capsweep_testkit::Rng;
use capsweep_testkit::level::{Joints, Mesh, dungeon, instances, terrain, tiled_floor};
use glam::{DQuat, DVec3, Vec3, dquat, dvec3, vec3};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;

const FAR: DVec3 = dvec3(16_384.0, -16_384.0, 512.0);

fn motion(vector: DVec3) -> Motion {
    Motion::new(vector).unwrap()
}

fn both() -> Filter {
    Filter { sides: Sides::Both, ..Filter::default() }
}

fn mesh_of((vertices, indices): &Mesh) -> Arc<TriMesh> {
    Arc::new(TriMesh::new(vertices, indices, MeshOptions::default()).unwrap())
}

fn scene_of(bodies: impl IntoIterator<Item = Body>) -> Scene {
    let mut scene = Scene::new();
    for (body, key) in bodies.into_iter().zip(1..) {
        scene.insert(body.with_key(key));
    }
    scene.commit();
    scene
}

/// The solids of the convention tests: each has its top at z = 0 over the origin, and at least 1 m below it is solid.
fn solids() -> [Shape; 4] {
    let level = Obb::axis_aligned(dvec3(0.5, -0.25, -1.0), vec3(3.0, 2.0, 1.0)).unwrap();
    [
        Shape::Box(level),
        Shape::Sphere(Sphere::new(dvec3(0.0, 0.0, -1.5), 1.5).unwrap()),
        Shape::Capsule(Capsule::new(dvec3(-2.0, 0.0, -0.5), dvec3(1.0, 0.0, -0.5), 0.5).unwrap()),
        Shape::HalfSpace(HalfSpace::new(dvec3(7.0, 5.0, 0.0), DVec3::Z).unwrap()),
    ]
}

fn ray_shape(origin: DVec3, motion: &Motion, shape: &Shape, sides: Sides) -> Option<RayHit> {
    match shape {
        Shape::Box(target) => ray_box(origin, motion, target, sides),
        Shape::Sphere(target) => ray_sphere(origin, motion, target, sides),
        Shape::Capsule(target) => ray_capsule(origin, motion, target, sides),
        Shape::HalfSpace(target) => ray_half_space(origin, motion, target, sides),
    }
}

fn floor() -> Triangle {
    Triangle::new(dvec3(-3.0, -2.0, 0.0), dvec3(4.0, -2.5, 0.0), dvec3(0.5, 5.0, 0.0)).unwrap()
}

#[test]
fn a_hit_reports_time_distance_point_normal_and_weights() {
    let way = motion(dvec3(1.0, 0.5, -4.0));
    let hit = ray_triangle(dvec3(0.0, 0.5, 2.0), &way, &floor(), Sides::Front).unwrap();
    assert_eq!((hit.time, hit.distance), (0.5, 0.5 * way.length()));
    assert_eq!(hit.point, dvec3(0.5, 0.75, 0.0));
    assert_eq!((hit.normal, hit.face_normal, hit.feature), (Vec3::Z, Vec3::Z, Feature::Face));
    let weights = hit.barycentrics.unwrap();
    let [a, b, c] = floor().vertices();
    let rebuilt = a * weights[0] + b * weights[1] + c * weights[2];
    assert!((rebuilt - hit.point).length() < 1e-14);
}

#[test]
fn the_front_is_hit_from_the_front_alone() {
    let (down, up) = (motion(dvec3(0.0, 0.0, -2.0)), motion(dvec3(0.0, 0.0, 2.0)));
    let (above, below) = (dvec3(0.1, 0.2, 1.0), dvec3(0.1, 0.2, -1.0));
    assert!(ray_triangle(above, &down, &floor(), Sides::Front).is_some());
    assert_eq!(ray_triangle(below, &up, &floor(), Sides::Front), None);
    let from_below = ray_triangle(below, &up, &floor(), Sides::Both).unwrap();
    assert_eq!((from_below.time, from_below.normal), (0.5, Vec3::NEG_Z));
    let along = motion(dvec3(9.0, 0.0, 0.0));
    for sides in [Sides::Front, Sides::Both] {
        assert_eq!(ray_triangle(dvec3(-5.0, 0.0, 0.0), &along, &floor(), sides), None);
        assert_eq!(ray_triangle(above, &Motion::ZERO, &floor(), sides), None);
    }
}

#[test]
fn a_start_on_the_surface_is_a_hit_if_the_ray_goes_in() {
    let (down, up) = (motion(dvec3(0.1, 0.0, -1.0)), motion(dvec3(0.1, 0.0, 1.0)));
    let level = motion(dvec3(0.5, 0.25, 0.0));
    for sides in [Sides::Front, Sides::Both] {
        let hit = ray_triangle(DVec3::ZERO, &down, &floor(), sides).unwrap();
        assert_eq!((hit.time, hit.normal), (0.0, Vec3::Z));
        for shape in solids() {
            let hit = ray_shape(DVec3::ZERO, &down, &shape, sides).unwrap();
            assert_eq!((hit.time, hit.distance), (0.0, 0.0), "{shape:?}");
            assert!((hit.normal - Vec3::Z).length() < 1e-6, "{shape:?}: {hit:?}");
            assert_eq!(ray_shape(DVec3::ZERO, &up, &shape, sides), None, "{shape:?}");
            assert_eq!(ray_shape(DVec3::ZERO, &level, &shape, sides), None, "{shape:?}");
        }
    }
    assert_eq!(ray_triangle(DVec3::ZERO, &up, &floor(), Sides::Front), None);
    assert_eq!(ray_triangle(DVec3::ZERO, &up, &floor(), Sides::Both).unwrap().time, 0.0);
}

#[test]
fn the_end_is_inclusive() {
    let start = dvec3(0.0, 0.0, 0.7);
    let (enough, short) = (motion(dvec3(0.0, 0.0, -0.7)), motion(dvec3(0.0, 0.0, -0.699_999)));
    assert_eq!(ray_triangle(start, &enough, &floor(), Sides::Front).unwrap().time, 1.0);
    assert_eq!(ray_triangle(start, &short, &floor(), Sides::Front), None);
    for shape in solids() {
        assert_eq!(ray_shape(start, &enough, &shape, Sides::Front).unwrap().time, 1.0, "{shape:?}");
        assert_eq!(ray_shape(start, &short, &shape, Sides::Front), None, "{shape:?}");
    }
}

#[test]
fn a_start_inside_a_solid_is_a_hit_in_both_and_none_in_front() {
    let start = dvec3(0.1, 0.05, -0.5);
    for direction in [DVec3::Z, DVec3::NEG_Z, dvec3(0.6, 0.0, 0.8)] {
        let way = motion(direction * 20.0);
        for shape in solids() {
            assert_eq!(ray_shape(start, &way, &shape, Sides::Front), None, "{shape:?}");
            let hit = ray_shape(start, &way, &shape, Sides::Both).unwrap();
            assert_eq!((hit.time, hit.point), (0.0, start), "{shape:?}");
            assert!((hit.normal.as_dvec3() + direction).length() < 1e-6, "{shape:?}");

            let scene = scene_of([Body::shape(shape)]);
            assert_eq!(scene.ray(start, &way, &both()).map(|hit| hit.hit), Some(hit));
            let skip = Filter { start_overlaps: StartOverlaps::Skip, ..both() };
            assert_eq!(scene.ray(start, &way, &skip), None, "{shape:?}");
            assert_eq!(scene.ray(start, &Motion::ZERO, &both()), None, "{shape:?}");
        }
    }
}

#[test]
fn hits_on_solids_lie_on_their_surface() {
    let mut rng = Rng::new(&[71]);
    let turn = dquat(0.3, -0.5, 0.2, 0.9);
    for place in [DVec3::ZERO, FAR] {
        let obb = Obb::new(place, vec3(1.0, 2.0, 0.5), turn).unwrap();
        let ball = Sphere::new(place, 1.25).unwrap();
        let axis = dvec3(0.3, 1.2, -0.6);
        let capsule = Capsule::from_center(place, axis, 0.75).unwrap();
        let mut hits = [0; 3];
        for _ in 0..20_000 {
            let origin = place + rng.direction() * rng.range(3.0, 300.0);
            let to = place + rng.cube(2.0) - origin;
            let way = motion(to * 2.0);
            // Distance to the surface, negative inside.
            let box_gap = |p: DVec3| {
                let q =
                    (obb.axes().transpose() * (p - place)).abs() - obb.half_extents().as_dvec3();
                q.max(DVec3::ZERO).length() + q.max_element().min(0.0)
            };
            let ball_gap = |p: DVec3| (p - place).length() - 1.25;
            let capsule_gap = |p: DVec3| {
                let t = ((p - place).dot(axis) / axis.length_squared()).clamp(-1.0, 1.0);
                (p - place - axis * t).length() - 0.75
            };
            let answers = [
                (ray_box(origin, &way, &obb, Sides::Front), &box_gap as &dyn Fn(DVec3) -> f64),
                (ray_sphere(origin, &way, &ball, Sides::Front), &ball_gap),
                (ray_capsule(origin, &way, &capsule, Sides::Front), &capsule_gap),
            ];
            for (i, (hit, gap)) in answers.into_iter().enumerate() {
                let reached = hit.map_or(1.0, |hit| hit.time);
                for step in 0..64 {
                    let time = reached * f64::from(step) / 64.0;
                    let gap = gap(origin + way.vector() * time);
                    assert!(gap > -1e-9, "shape {i} was missed by {gap} at {time}");
                }
                let Some(hit) = hit else { continue };
                hits[i] += 1;
                assert!(gap(hit.point).abs() < 1e-9, "shape {i}: {} off", gap(hit.point));
                assert!(hit.normal.as_dvec3().dot(way.vector()) < 0.0);
                // The normal leads out.
                let out = gap(hit.point + hit.normal.as_dvec3() * 1e-4);
                assert!((out - 1e-4).abs() < 1e-6, "shape {i}: out by {out}");
            }
        }
        assert!(hits.iter().all(|count| *count > 3_000), "{hits:?}");
    }
}

#[test]
fn edges_and_corners_of_a_box_are_named_where_they_are_met_exactly() {
    let obb = Obb::axis_aligned(DVec3::ZERO, vec3(1.0, 2.0, 3.0)).unwrap();
    let down = motion(dvec3(0.0, 0.0, -5.0));
    let cases = [
        (dvec3(0.5, 0.5, 4.0), Feature::Face),
        // Along y, on the positive side of z and of x.
        (dvec3(1.0, 0.5, 4.0), Feature::Edge(4 + 3)),
        (dvec3(-1.0, 2.0, 4.0), Feature::Vertex(6)),
    ];
    for (origin, feature) in cases {
        let hit = ray_box(origin, &down, &obb, Sides::Front).unwrap();
        assert_eq!((hit.feature, hit.normal, hit.distance), (feature, Vec3::Z, 1.0));
    }
    let plate = Obb::axis_aligned(DVec3::ZERO, vec3(1.0, 2.0, 0.0)).unwrap();
    assert_eq!(ray_box(DVec3::Z, &down, &plate, Sides::Front).unwrap().distance, 1.0);
}

/// Places worth aiming at: every vertex, the middle of every edge and of every face, and a point on each edge.
fn places(mesh: &Mesh, pose: &Pose) -> Vec<DVec3> {
    let (vertices, indices) = mesh;
    let world = |index: u32| pose.point_to_world(vertices[index as usize].as_dvec3());
    let mut places: Vec<DVec3> = (0..vertices.len() as u32).map(world).collect();
    for [a, b, c] in indices.iter().map(|triangle| triangle.map(world)) {
        places.extend([(a + b) * 0.5, (b + c) * 0.5, (c + a) * 0.5, (a + b + c) / 3.0]);
        places.push(a + (b - a) * 0.3);
    }
    places
}

fn tilted() -> DQuat {
    dquat(0.3, -0.5, 0.2, 0.9)
}

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
            let scene = scene_of([Body::mesh(mesh_of(&level), pose)]);
            let inner = |place: &DVec3| pose.point_to_local(*place).abs().max_element() < 2.9;
            let above = pose.normal_to_world(DVec3::Z);
            for place in places(&level, &pose).into_iter().filter(inner) {
                let mut origins = vec![place + above * 2.0, place + DVec3::Z * 3.0];
                origins.extend((0..8).map(|_| place + (rng.direction() + above * 1.6) * 5.0));
                for origin in origins {
                    let way = motion((place - origin) * 2.0);
                    let hit = scene.ray(origin, &way, &Filter::default());
                    let time = hit.map(|hit| hit.hit.time);
                    assert!(time.is_some_and(|t| (t - 0.5).abs() < 1e-6), "{place}: {time:?}");
                    // And from below, where the back is asked for.
                    let (origin, way) = (origin + way.vector(), motion(-way.vector()));
                    assert!(scene.ray(origin, &way, &both()).is_some(), "{place} from below");
                    assert_eq!(scene.ray(origin, &way, &Filter::default()), None);
                }
            }
        }
    }
}

#[test]
fn lattice_rays_meet_a_lattice_floor_exactly() {
    let level = tiled_floor(16, 1.0, 0.0, 0.0, Joints::Matching);
    let scene = scene_of([Body::mesh(mesh_of(&level), Pose::IDENTITY)]);
    let down = motion(dvec3(0.0, 0.0, -8.0));
    for i in -32..=32 {
        for j in -32..=32 {
            let origin = dvec3(f64::from(i) * 0.25, f64::from(j) * 0.25, 2.0);
            let hit = scene.ray(origin, &down, &Filter::default()).expect("a floor").hit;
            assert_eq!((hit.time, hit.point), (0.25, origin.with_z(0.0)));
        }
    }
}

#[test]
fn no_ray_leaks_through_hills() {
    let mut rng = Rng::new(&[73]);
    let level = terrain(24);
    for pose in [Pose::IDENTITY, Pose::from_translation(FAR).unwrap()] {
        let scene = scene_of([Body::mesh(mesh_of(&level), pose)]);
        let inner = |place: &DVec3| {
            let local = pose.point_to_local(*place).abs();
            local.x < 11.9 && local.y < 11.9
        };
        for place in places(&level, &pose).into_iter().filter(inner) {
            for step in 0..6 {
                let lean = if step == 0 { DVec3::ZERO } else { rng.cube(4.0) };
                let origin = place + dvec3(lean.x, lean.y, 50.0);
                let way = motion((place - origin) * 3.0);
                let hit = scene.ray(origin, &way, &Filter::default()).expect("hills");
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
        let scene = scene_of([Body::mesh(mesh_of(level), *pose)]);
        for place in places(level, pose) {
            let origin = pose.point_to_world(rng.cube(0.3));
            let way = motion((place - origin) * 4.0);
            let from_inside = scene.ray(origin, &way, &both()).expect("a way out").hit;
            assert!(from_inside.time <= 0.25 + 1e-9, "{place}: {}", from_inside.time);
            assert_eq!(scene.ray(origin, &way, &Filter::default()), None, "outside stays outside");
            let back = motion((origin - place) * 2.0);
            let start = place - back.vector();
            assert!(scene.ray(start, &back, &Filter::default()).is_some(), "{place} from outside");
        }
        for axis in [DVec3::X, DVec3::Y, DVec3::Z, DVec3::NEG_X, DVec3::NEG_Y, DVec3::NEG_Z] {
            let way = motion(pose.vector_to_world(axis) * 4.0);
            assert!(scene.ray(pose.position(), &way, &both()).is_some(), "{axis}");
        }
    }
}

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
    let slack = BOUND / way.length();
    let head_on = |hit: &RayHit| hit.normal.as_dvec3().dot(way.vector()).abs();
    found.retain(|(hit, _)| hit.time <= first + slack);
    found.sort_by(|(a, a_rank), (b, b_rank)| {
        head_on(b).total_cmp(&head_on(a)).then(a_rank.cmp(b_rank))
    });
    let (mut hit, rank) = found[0];
    (hit.time, hit.distance) = (first, first * way.length());
    let Hit { struck, .. } = scene.ray(origin, way, &filter).expect("what brute force finds");
    assert_eq!((struck.kind, struck.key, struck.triangle), rank);
    Some(hit)
}

/// What a scene is made of, as the twin sees it.
struct Parts {
    meshes: Vec<(Arc<TriMesh>, Pose)>,
    shapes: Vec<Shape>,
}

impl Parts {
    fn scene(&self) -> Scene {
        let meshes = self.meshes.iter().map(|(mesh, pose)| Body::mesh(mesh.clone(), *pose));
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
                if let Some(mut hit) = ray_triangle(origin, way, &triangle, sides) {
                    hit.feature = pose.feature_to_mesh(hit.feature);
                    hit.barycentrics = hit.barycentrics.map(|w| pose.barycentrics_to_mesh(w));
                    hits.push((BodyKind::Mesh, key, Some(index as u32), hit));
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
        parts.meshes.push((mesh_of(&rocks.meshes[*number]), place));
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
                let found = scene.ray(origin, &motion(way), &filter).map(|hit| hit.hit);
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
        let scene = scene_of([Body::mesh(mesh.clone(), *pose)]);
        let parts = Parts { meshes: vec![(mesh, *pose)], shapes: vec![] };
        for _ in 0..200 {
            let aim = pose.point_to_world(rng.cube(1.0));
            let origin = aim + rng.direction() * rng.log_range(0.1, 100.0);
            let way = motion((aim - origin) * 3.0);
            let expected = brute_force(&scene, &parts, (origin, way), Filter::default());
            let found = scene.ray(origin, &way, &Filter::default()).map(|hit| hit.hit);
            assert_eq!(found, expected);
        }
    }
}

#[test]
fn far_from_the_origin_rays_answer_as_at_it() {
    let mut rng = Rng::new(&[77]);
    let level = terrain(24);
    let here = scene_of([Body::mesh(mesh_of(&level), Pose::IDENTITY)]);
    let there = scene_of([Body::mesh(mesh_of(&level), Pose::from_translation(FAR).unwrap())]);
    for _ in 0..4_000 {
        let origin = dvec3(rng.range(-9.0, 9.0), rng.range(-9.0, 9.0), 30.0);
        let way = motion(dvec3(rng.range(-5.0, 5.0), rng.range(-5.0, 5.0), -60.0));
        let near = here.ray(origin, &way, &Filter::default()).expect("hills").hit;
        let far = there.ray(FAR + origin, &way, &Filter::default()).expect("hills").hit;
        assert!((near.distance - far.distance).abs() < 1e-9);
        assert!((near.point - (far.point - FAR)).length() < 1e-9);
    }
}

#[test]
fn the_order_of_insertion_decides_nothing() {
    // Forty floors at one height: more ties than are remembered.
    let floor = mesh_of(&tiled_floor(2, 1.0, 0.0, 0.0, Joints::Matching));
    let down = motion(dvec3(0.0, 0.0, -2.0));
    let mut scene = Scene::new();
    for key in (100..140).rev() {
        scene.insert(Body::mesh(floor.clone(), Pose::IDENTITY).with_key(key));
    }
    scene.commit();
    let hit = scene.ray(DVec3::Z, &down, &Filter::default()).expect("a floor");
    assert_eq!((hit.struck.key, hit.struck.triangle.map(|t| t < 8)), (100, Some(true)));
    assert_eq!(hit.hit.time, 0.5);
}

#[test]
fn an_origin_that_is_no_place_sees_nothing() {
    let mesh = Body::mesh(mesh_of(&terrain(4)), Pose::IDENTITY);
    let scene = scene_of(solids().map(Body::shape).into_iter().chain([mesh]));
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for origin in [dvec3(bad, 0.0, 1.0), dvec3(0.0, 0.0, bad), DVec3::splat(bad)] {
            for way in [DVec3::NEG_Z, dvec3(1.0, 2.0, -3.0)] {
                assert_eq!(scene.ray(origin, &motion(way), &both()), None, "{origin}");
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
        let hit = ray_triangle(dvec3(x, y, 500.0), &down, &sliver, Sides::Front).expect("a hit");
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
        // Soups of triangles of all sizes, thin ones and flat ones among them, on a coarse grid or off it.
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
            // Beyond the place, just to it, or starting on it.
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
            let found = scene.ray(origin, &motion(way), &filter).map(|hit| hit.hit);
            assert_eq!(found, expected, "from {origin} along {way}");
            hits += u32::from(found.is_some());
        }
    }
    assert!(hits > 10_000, "{hits}");
}

#[test]
fn neighbours_leave_no_gap_whatever_their_shape() {
    // A fan around a vertex in general position, made of slivers as well: a ray at the vertex, at its spokes and just
    // beside them meets it.
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
            let met = fan.iter().filter(|t| ray_triangle(origin, &way, t, Sides::Both).is_some());
            assert!(met.count() > 0, "round {round}: a leak at {target}");
        }
    }
}

/// Counts what the thread that runs the test allocates.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

#[allow(unsafe_code, reason = "an allocator that counts and hands on")]
// SAFETY: every call is handed to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above; `pointer` came from the same allocator.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn no_query_allocates_beyond_the_callers_own_list() {
    let level = terrain(24);
    let mesh = mesh_of(&level);
    let scene = scene_of((0..40).map(|i| {
        Body::mesh(mesh.clone(), Pose::from_translation(DVec3::Z * f64::from(i / 2)).unwrap())
    }));
    let way = motion(dvec3(0.0, 0.0, -60.0));
    // Eight triangles meet at a vertex.
    let mut out = Vec::with_capacity(8 * 40);
    let before = ALLOCATIONS.with(Cell::get);
    for i in 0..100 {
        let origin = dvec3(f64::from(i % 10), f64::from(i / 10), 50.0);
        assert!(scene.ray(origin, &way, &Filter::default()).is_some());
        let column = Column::new(origin, DVec3::Z, 0.0, 100.0).unwrap();
        scene.supports(&column, 0.7, &Filter::default(), &mut out);
        // Every other one lies in its neighbour, and is one with it on edges and vertices alone.
        assert!(out.len() == 20 || out.len() == 40, "{}", out.len());
    }
    assert_eq!(ALLOCATIONS.with(Cell::get), before);
}
