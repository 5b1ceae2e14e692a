//! A query has the same bits with and without a cache, whatever the cache holds (rule 11).
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper of a test that cannot go on must stop the test"
)]

#[path = "../common/counting.rs"]
mod counting;

mod options;
mod prefetch;

use capsweep::cache::{CachedTriangle, HintSlot, TriangleCache};
use capsweep::controller::{Controller, ControllerConfig, MoveInput, differences};
use capsweep::scene::{
    Bodies, Body, BodyId, Filter, MeshOptions, Mobility, Pose, Scene, Shape, StartOverlaps,
    TriMesh,
};
use capsweep::{Aabb, Capsule, HalfSpace, Limit, Motion, Obb, Ray, Sides, Sphere, Triangle};
use capsweep_testkit::{Rng, level};
use counting::allocations;
use glam::{DQuat, DVec3, dvec3};
use std::sync::Arc;

const HINTS: [HintSlot; 3] = [HintSlot::Up, HintSlot::Side, HintSlot::Down];

fn mesh((vertices, indices): level::Mesh) -> Arc<TriMesh> {
    Arc::new(TriMesh::new(&vertices, &indices, MeshOptions::default()).unwrap())
}

fn ball(at: DVec3, radius: f32) -> Shape {
    Shape::Sphere(Sphere::new(at, radius).unwrap())
}

/// A world of many bodies: levels side by side, rotated, stretched and mirrored copies, shapes, a
/// half-space, and dynamic bodies.
struct World {
    scene: Scene,
    moving: Vec<BodyId>,
    rng: Rng,
}

impl World {
    fn new(seed: u64, offset: DVec3) -> Self {
        let mut world = Self::still(seed, offset);
        let plane = HalfSpace::new(offset + dvec3(0.0, 0.0, -3.0), DVec3::Z).unwrap();
        world.scene.insert(Body::shape(Shape::HalfSpace(plane)).with_key(200));
        world.moving = (0..20)
            .map(|i| {
                let body = Body::obstacle(ball(offset, 0.5)).with_key(300 + i);
                world.scene.insert(body.with_mobility(Mobility::Dynamic))
            })
            .collect();
        world.stir(offset + dvec3(20.0, 20.0, 1.0));
        world
    }

    /// Its static, bounded bodies.
    fn still(seed: u64, offset: DVec3) -> Self {
        let mut rng = Rng::new(&[seed]);
        let mut scene = Scene::new();
        let stairs = mesh(level::stairs());
        let (vertices, indices) = level::stairs();
        let options = MeshOptions { double_sided: true };
        let both_sides = Arc::new(TriMesh::new(&vertices, &indices, options).unwrap());
        // A third of the triangles has the first mask, a third the second, a third both.
        let dungeon = mesh(level::dungeon());
        let masks: Vec<u32> = (0..dungeon.triangle_count()).map(|i| i % 3 + 1).collect();
        // A fifth is double-sided, and half of the other stairs.
        let flags: Vec<bool> = masks.iter().enumerate().map(|(i, _)| i % 5 == 0).collect();
        let dungeon = TriMesh::clone(&dungeon).with_masks(&masks).unwrap();
        let dungeon = Arc::new(dungeon.with_double_sided(&flags).unwrap());
        let flags: Vec<bool> = indices.iter().enumerate().map(|(i, _)| i % 2 == 0).collect();
        let some_sides = TriMesh::clone(&stairs).with_double_sided(&flags).unwrap();
        let some_sides = Arc::new(some_sides);
        scene.insert(
            Body::mesh(dungeon, Pose::from_translation(offset).unwrap()).unwrap().with_key(1),
        );
        for i in 0..12_u64 {
            let at =
                offset + dvec3(rng.range(0.0, 40.0), rng.range(0.0, 40.0), rng.range(-1.0, 3.0));
            let turn = DQuat::from_axis_angle(rng.direction(), rng.range(0.0, 6.0));
            let flip = if i % 2 == 0 { -1.0 } else { 1.0 };
            let scale =
                dvec3(flip * rng.range(0.3, 1.5), rng.range(0.3, 1.5), rng.range(0.3, 1.5));
            let pose = Pose::new(at, turn, scale).unwrap();
            let mask = if i % 3 == 0 { 2 } else { 1 };
            let stairs = [&stairs, &some_sides, &stairs, &both_sides][i as usize % 4];
            let body = Body::mesh(Arc::clone(stairs), pose).unwrap();
            scene.insert(body.with_key(10 + i).with_mask(mask));
        }
        for i in 0..10_u32 {
            let at =
                offset + dvec3(rng.range(0.0, 40.0), rng.range(0.0, 40.0), rng.range(0.0, 3.0));
            let turn = DQuat::from_rotation_z(f64::from(i));
            let cube = Obb::new(at, glam::Vec3::splat(0.4), turn);
            scene.insert(Body::shape(Shape::Box(cube.unwrap())).with_key(100 + u64::from(i)));
        }
        Self { scene, moving: Vec::new(), rng }
    }

    /// Moves the dynamic bodies to random positions around `center`.
    fn stir(&mut self, center: DVec3) {
        for id in &self.moving {
            let at = center + self.rng.cube(3.0);
            self.scene.move_shape(*id, ball(at, 0.4)).unwrap();
        }
    }

    fn filter(&mut self) -> Filter {
        let rng = &mut self.rng;
        Filter {
            mask: [u32::MAX, u32::MAX, 1, 2][rng.below(4) as usize],
            sides: [Sides::Front, Sides::Both][rng.below(2) as usize],
            bodies: [Bodies::All, Bodies::All, Bodies::Static, Bodies::Dynamic]
                [rng.below(4) as usize],
            start_overlaps: [StartOverlaps::Report, StartOverlaps::Skip][rng.below(2) as usize],
        }
    }
}

fn capsule(at: DVec3, rng: &mut Rng) -> Capsule {
    let half = rng.direction() * rng.range(0.0, 0.8);
    Capsule::from_center(at, half, rng.range(0.05, 0.6) as f32).unwrap()
}

/// Every number of an answer, as text that differs where a bit differs.
fn bits(answer: &impl core::fmt::Debug) -> String {
    format!("{answer:?}")
}

/// Random queries along a random path, with a cache and without. Returns the number of hits.
fn wander(world: &mut World, cache: &mut TriangleCache, start: DVec3, queries: u32) -> u32 {
    let (mut at, mut found, mut heading) = (start, 0, DVec3::X);
    let (mut cached, mut plain) = (Vec::new(), Vec::new());
    for i in 0..queries {
        if i % 20 == 0 {
            heading = world.rng.cube(0.15);
            at = start + world.rng.cube(1.0) * dvec3(18.0, 18.0, 1.5);
            world.stir(at);
        }
        at += heading;
        let capsule = capsule(at, &mut world.rng);
        let reach = [0.0, 1e-9, 0.1, 0.5, 3.0, 30.0][world.rng.below(6) as usize];
        let motion = Motion::new(world.rng.cube(1.0) * reach).unwrap();
        let (filter, scene) = (world.filter(), &world.scene);
        let hint = HINTS[world.rng.below(3) as usize];
        let (one, other) = (
            cache.sweep(scene, &capsule, &motion, &filter, hint),
            scene.sweep(&capsule, &motion, &filter),
        );
        assert_eq!(bits(&one), bits(&other), "{i}: {capsule:?} {motion:?} {filter:?}");
        found += u32::from(one.is_some());
        let odd = |target: &capsweep::scene::HitTarget| target.triangle.is_none_or(|t| t % 2 == 1);
        let (one, other) = (
            cache.sweep_where(scene, &capsule, &motion, &filter, hint, odd),
            scene.sweep_where(&capsule, &motion, &filter, odd),
        );
        assert_eq!(bits(&one), bits(&other), "{i}, where: {capsule:?} {motion:?} {filter:?}");
        cache.overlap_all(scene, &capsule, &filter, &mut cached);
        scene.overlap_all(&capsule, &filter, &mut plain);
        assert_eq!(bits(&cached), bits(&plain), "{i}, overlaps: {capsule:?} {filter:?}");
        found += rest(world, cache, &capsule, &filter);
    }
    found
}

/// The deepest overlap, the closest points and a ray, with a cache and without. Returns the number
/// of answers.
fn rest(world: &mut World, cache: &mut TriangleCache, capsule: &Capsule, filter: &Filter) -> u32 {
    let World { scene, rng, .. } = world;
    let overlap = cache.overlap(scene, capsule, filter);
    assert_eq!(bits(&overlap), bits(&scene.overlap(capsule, filter)), "{capsule:?} {filter:?}");
    let limit = [0.0, 1e-3, 0.1, 0.4, 1.0, 5.0, f64::INFINITY][rng.below(7) as usize];
    let limit = Limit::new(limit).unwrap();
    let closest = cache.closest(scene, capsule, limit, filter);
    let plain = scene.closest(capsule, limit, filter);
    assert_eq!(bits(&closest), bits(&plain), "{capsule:?} {limit:?} {filter:?}");
    let reach = [1e-9, 0.1, 0.5, 1.0, 30.0][rng.below(5) as usize];
    let motion = Motion::new(rng.cube(1.0) * reach).unwrap();
    let ray = Ray::new(capsule.center(), motion).unwrap();
    let hit = cache.ray(scene, &ray, filter);
    assert_eq!(bits(&hit), bits(&scene.ray(&ray, filter)), "{ray:?} {filter:?}");
    u32::from(overlap.is_some()) + u32::from(closest.is_some()) + u32::from(hit.is_some())
}

#[test]
fn answers_have_the_same_bits_with_and_without_a_cache() {
    for (seed, offset) in [(1, DVec3::ZERO), (2, dvec3(16_384.0, -16_384.0, 100.0))] {
        let mut world = World::new(seed, offset);
        let mut cache = TriangleCache::new();
        let found = wander(&mut world, &mut cache, offset + dvec3(20.0, 20.0, 1.0), 1_500);
        let stats = cache.stats();
        assert!(found > 300, "{found}");
        assert!(stats.hits > 500 && stats.refills > 50 && stats.bypassed > 100, "{stats:?}");
    }
}

#[test]
fn answers_have_the_same_bits_where_nothing_moves_and_all_has_an_end() {
    for (seed, offset) in [(3, DVec3::ZERO), (4, dvec3(-16_384.0, 16_384.0, 100.0))] {
        let mut world = World::still(seed, offset);
        let mut cache = TriangleCache::new();
        let found = wander(&mut world, &mut cache, offset + dvec3(20.0, 20.0, 1.0), 4_000);
        assert!(found > 500, "{found}");
        let stats = cache.stats();
        assert!(stats.hits > 1_000 && stats.refills > 100, "{stats:?}");
    }
}

/// A triangle of 100 m with its front up, and a capsule a metre over it.
fn over_a_floor() -> (Scene, Capsule) {
    let corners =
        [[-50.0, -50.0, 0.0], [50.0, -50.0, 0.0], [0.0, 80.0, 0.0]].map(glam::Vec3::from);
    let mut scene = Scene::new();
    let floor = mesh((corners.to_vec(), vec![[0, 1, 2]]));
    scene.insert(Body::mesh(floor, Pose::IDENTITY).unwrap());
    (scene, Capsule::new(DVec3::Z, DVec3::Z * 2.0, 0.4).unwrap())
}

#[test]
fn a_query_for_dynamic_bodies_finds_no_static_one() {
    let (scene, capsule) = over_a_floor();
    let down = Motion::new(dvec3(0.0, 0.0, -2.0)).unwrap();
    for (bodies, hits) in [(Bodies::All, true), (Bodies::Static, true), (Bodies::Dynamic, false)] {
        let filter = Filter { bodies, ..Filter::default() };
        let found = TriangleCache::new().sweep(&scene, &capsule, &down, &filter, HintSlot::Down);
        assert_eq!(found, scene.sweep(&capsule, &down, &filter));
        assert_eq!(found.is_some(), hits, "{bodies:?}");
    }
}

#[test]
fn a_motion_too_short_to_have_a_length_is_none() {
    let (scene, capsule) = over_a_floor();
    let sunk = capsule.translated(DVec3::Z * -0.8).unwrap();
    let out = Motion::new(DVec3::Z * 1e-310).unwrap();
    let filter = Filter::default();
    let found = TriangleCache::new().sweep(&scene, &sunk, &out, &filter, HintSlot::Up);
    assert!(found.is_some_and(|hit| hit.hit.starts_overlapping()));
    assert_eq!(found, scene.sweep(&sunk, &out, &filter));
}

/// f32 resolves the ends of a capsule of 100 km to some centimetres, more than its width.
#[test]
fn a_long_thin_capsule_misses_nothing() {
    let mut rng = Rng::new(&[31]);
    let mut hits = 0;
    for round in 0..4_000 {
        let length = rng.log_range(1e5, 9.9e5);
        let radius = rng.log_range(3e-3, 0.03) as f32;
        let start = rng.cube(100.0);
        let wall = (start.x + length) as f32;
        let end = f64::from(wall) - f64::from(radius) - rng.range(0.0, 0.01);
        let capsule = Capsule::new(start, start.with_x(end), radius).unwrap();
        let corners = [[wall, -500.0, -500.0], [wall, 0.0, 500.0], [wall, 500.0, -500.0]];
        let mut scene = Scene::new();
        let wall = mesh((corners.map(glam::Vec3::from).to_vec(), vec![[0, 1, 2]]));
        scene.insert(Body::mesh(wall, Pose::IDENTITY).unwrap());
        let motion = Motion::new(DVec3::X * 0.01).unwrap();
        let filter = Filter { sides: Sides::Both, ..Filter::default() };
        let found = TriangleCache::new().sweep(&scene, &capsule, &motion, &filter, HintSlot::Side);
        assert_eq!(found, scene.sweep(&capsule, &motion, &filter), "{round}: {capsule:?}");
        hits += u32::from(found.is_some());
    }
    assert!(hits > 3_900, "{hits}");
}

#[test]
fn a_changed_scene_is_noticed() {
    let mut world = World::new(3, DVec3::ZERO);
    let mut cache = TriangleCache::new();
    let at = dvec3(20.0, 20.0, 60.0);
    let capsule = Capsule::from_center(at, DVec3::Z * 0.5, 0.3).unwrap();
    let motion = Motion::new(DVec3::X).unwrap();
    let filter = Filter::default();
    let mut ask = |scene: &Scene| {
        let hit = cache.sweep(scene, &capsule, &motion, &filter, HintSlot::Side);
        assert_eq!(bits(&hit), bits(&scene.sweep(&capsule, &motion, &filter)));
        (hit.map(|hit| hit.target.key), cache.stats().refills)
    };
    assert_eq!(ask(&world.scene), (None, 1));
    // A new static body.
    let before = world.scene.clone();
    let wall = world.scene.insert(Body::shape(ball(at + DVec3::X, 0.3)).with_key(7));
    assert_eq!(ask(&world.scene), (Some(7), 2));
    assert_eq!(ask(&world.scene), (Some(7), 2));
    // Another scene with another state.
    assert_eq!(ask(&before), (None, 3));
    assert_eq!(ask(&world.scene), (Some(7), 4));
    // Queries see dynamic bodies at their current position, without a refill.
    world.scene.move_shape(world.moving[0], ball(at + DVec3::X * 0.5, 0.3)).unwrap();
    assert_eq!(ask(&world.scene), (Some(300), 4));
    world.stir(DVec3::ZERO);
    assert_eq!(ask(&world.scene), (Some(7), 4));
    world.scene.remove(wall).unwrap();
    assert_eq!(ask(&world.scene), (None, 5));
}

#[test]
fn a_query_that_leaves_the_box_fills_the_cache_again() {
    let world = World::new(4, DVec3::ZERO);
    let mut cache = TriangleCache::new();
    assert_eq!(cache.bounds(), None);
    let mut at = dvec3(20.0, 20.0, 1.0);
    let motion = Motion::new(DVec3::X * 0.1).unwrap();
    for _ in 0..100 {
        let capsule = Capsule::from_center(at, DVec3::Z * 0.5, 0.3).unwrap();
        let asked = capsule.swept_bounds(&motion);
        let held = cache.bounds().is_some_and(|bounds| holds_easily(&bounds, &asked));
        let before = cache.stats();
        cache.sweep(&world.scene, &capsule, &motion, &Filter::default(), HintSlot::Side);
        assert!(cache.bounds().unwrap().contains(&asked), "the asked box is always held");
        assert!(!held || cache.stats().hits == before.hits + 1);
        let tested = cache.stats().triangles - before.triangles;
        assert_eq!(tested, cache.triangle_count() as u64);
        assert_eq!(cache.revision(), Some(world.scene.revision()));
        at.x += 0.1;
    }
    let stats = cache.stats();
    assert_eq!((stats.hits + stats.refills, stats.bypassed), (100, 0));
    assert!((5..30).contains(&stats.refills), "{stats:?}");
    cache.clear();
    assert_eq!((cache.bounds(), cache.triangle_count()), (None, 0));
}

/// Meshes and shapes alternate, crowded around the origin: far more than one culling pass keeps.
fn crowd(rng: &mut Rng) -> Scene {
    let mut scene = Scene::new();
    for key in 0..40 {
        if key % 2 == 0 {
            let small = |rng: &mut Rng| rng.cube(0.5).as_vec3();
            let vertices: Vec<_> = (0..120).map(|_| small(rng)).collect();
            let indices: Vec<_> = (0..40).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
            let body = Body::mesh(mesh((vertices, indices)), Pose::IDENTITY).unwrap();
            scene.insert(body.with_key(key));
        } else {
            scene.insert(Body::shape(ball(rng.cube(0.5), 0.05)).with_key(key));
        }
    }
    scene
}

#[test]
fn in_a_crowd_the_cache_misses_no_triangle() {
    let mut rng = Rng::new(&[30]);
    let scene = crowd(&mut rng);
    let mut cache = TriangleCache::new();
    let (mut hits, mut cached, mut plain) = (0, Vec::new(), Vec::new());
    for _ in 0..400 {
        let start = rng.direction() * 1.2;
        let capsule = Capsule::from_center(start, rng.cube(0.3), 0.1).unwrap();
        let motion = Motion::new(rng.cube(0.4) - start).unwrap();
        let filter = Filter::default();
        let one = cache.sweep(&scene, &capsule, &motion, &filter, HintSlot::Side);
        assert_eq!(bits(&one), bits(&scene.sweep(&capsule, &motion, &filter)));
        hits += u32::from(one.is_some());
        let amid = Capsule::from_center(rng.cube(0.3), rng.cube(0.3), 0.2).unwrap();
        cache.overlap_all(&scene, &amid, &filter, &mut cached);
        scene.overlap_all(&amid, &filter, &mut plain);
        assert_eq!(bits(&cached), bits(&plain));
        assert!(plain.len() > 64, "{}", plain.len());
    }
    assert!(hits > 300 && cache.triangle_count() == 800, "{hits}, {}", cache.triangle_count());
}

/// Well inside: the cache itself needs slightly more than the swept box.
fn holds_easily(bounds: &Aabb, asked: &Aabb) -> bool {
    let hair = DVec3::splat(1e-3);
    let asked = Aabb::new(asked.min() - hair, asked.max() + hair).unwrap();
    bounds.contains(&asked)
}

#[test]
fn hints_never_change_an_answer() {
    let world = World::new(5, DVec3::ZERO);
    let mut rng = Rng::new(&[6]);
    let mut hits = 0;
    for _ in 0..40 {
        let at = dvec3(rng.range(2.0, 38.0), rng.range(2.0, 38.0), rng.range(0.3, 2.0));
        let mut cache = TriangleCache::new();
        for _ in 0..20 {
            let capsule = Capsule::from_center(at + rng.cube(0.1), DVec3::Z * 0.5, 0.3).unwrap();
            let motion = Motion::new(rng.cube(0.4)).unwrap();
            let plain = world.scene.sweep(&capsule, &motion, &Filter::default());
            // Hints of this slot and of others, up to every triangle of the world.
            for hint in HINTS {
                let hit = cache.sweep(&world.scene, &capsule, &motion, &Filter::default(), hint);
                assert_eq!(bits(&hit), bits(&plain));
            }
            hits += u32::from(plain.is_some());
        }
    }
    assert!(hits > 100, "{hits}");
}

#[test]
fn a_cache_holds_every_triangle_of_its_box_with_its_own_number() {
    let world = World::new(7, DVec3::ZERO);
    let mut cache = TriangleCache::new();
    let capsule = Capsule::from_center(dvec3(20.0, 20.0, 1.0), DVec3::Z * 0.5, 0.3).unwrap();
    let motion = Motion::new(DVec3::X * 0.3).unwrap();
    cache.sweep(&world.scene, &capsule, &motion, &Filter::default(), HintSlot::Side);
    let bounds = cache.bounds().unwrap();
    let held: Vec<_> = cache.triangles(&world.scene).collect();
    assert_eq!(held.len(), cache.triangle_count());
    assert!(!held.is_empty() && cache.body_count() > 0);
    let dungeon = mesh(level::dungeon());
    let mut inside = 0;
    for number in 0..dungeon.triangle_count() {
        let [a, b, c] = dungeon.triangle(number).unwrap().map(glam::Vec3::as_dvec3);
        let triangle = Triangle::new(a, b, c).unwrap();
        let known =
            |one: &&CachedTriangle| one.target.key == 1 && one.target.triangle == Some(number);
        let found: Vec<_> = held.iter().filter(known).collect();
        if triangle.bounds().overlaps(&bounds) {
            assert_eq!(found.len(), 1, "{number}");
            inside += 1;
        }
        assert!(found.iter().all(|one| one.triangle.vertices() == triangle.vertices()));
    }
    assert!(inside > 10, "{inside}");
    // A cache does not mistake the triangles of another scene for its own.
    assert_eq!(cache.triangles(&Scene::new()).count(), 0);
}

#[test]
fn a_cache_that_is_off_holds_nothing() {
    let mut world = World::new(8, DVec3::ZERO);
    let mut cache = TriangleCache::off();
    wander(&mut world, &mut cache, dvec3(20.0, 20.0, 1.0), 30);
    assert!(!cache.is_on());
    assert_eq!((cache.stats().hits, cache.stats().refills), (0, 0));
    assert_eq!((cache.bounds(), cache.triangle_count(), cache.revision()), (None, 0, None));
}

#[test]
fn a_walk_has_the_same_bits_with_and_without_a_cache() {
    let mut world = World::new(9, DVec3::ZERO);
    let controller = Controller::new(ControllerConfig::human(DVec3::Z)).unwrap();
    let mut cache = TriangleCache::new();
    let mut rng = Rng::new(&[10]);
    for start in 0..6 {
        let feet = dvec3(rng.range(4.0, 36.0), rng.range(4.0, 36.0), 1.0);
        let mut state = controller.spawn(feet).unwrap();
        let mut heading = DVec3::X;
        for tick in 0..250 {
            if tick % 30 == 0 {
                heading = rng.cube(0.12).with_z(-0.06);
                world.stir(state.center());
            }
            let mut input = MoveInput::new(Motion::new(heading).unwrap());
            if start % 2 == 0 {
                input = input.ignoring(world.moving[0]);
            }
            // Some filters see every triangle, some two thirds.
            if start % 3 == 0 {
                input = input.with_filter(Filter { mask: 1, ..Filter::default() });
            }
            let with = controller.move_by(&world.scene, &mut cache, &state, &input);
            let without =
                controller.move_by(&world.scene, &mut TriangleCache::off(), &state, &input);
            assert_eq!(differences(&without, &with), [], "start {start}, tick {tick}");
            state = with.state;
        }
    }
    let stats = cache.stats();
    assert!(stats.hits > 5 * stats.refills, "{stats:?}");
}

#[test]
fn a_valid_cached_query_does_not_allocate() {
    let world = World::new(11, DVec3::ZERO);
    let mut cache = TriangleCache::new();
    let mut rng = Rng::new(&[12]);
    let at = dvec3(20.0, 20.0, 1.0);
    let mut overlaps = Vec::with_capacity(10_000);
    let mut ask = |rng: &mut Rng| {
        let capsule = Capsule::from_center(at + rng.cube(0.05), DVec3::Z * 0.5, 0.3).unwrap();
        let motion = Motion::new(rng.cube(0.2)).unwrap();
        let before = allocations();
        cache.sweep(&world.scene, &capsule, &motion, &Filter::default(), HintSlot::Side);
        cache.overlap_all(&world.scene, &capsule, &Filter::default(), &mut overlaps);
        (allocations() - before, cache.stats().refills)
    };
    let (_, mut refills) = ask(&mut rng);
    for _ in 0..300 {
        let (made, now) = ask(&mut rng);
        assert!(made == 0 || now > refills, "{made}");
        refills = now;
    }
    assert!(refills < 10, "{refills}");
}
