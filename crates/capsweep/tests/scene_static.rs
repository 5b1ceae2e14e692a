//! Queries of a scene against every triangle and shape of it, one by one.

use capsweep::scene::{
    Body, BodyKind, EdgeTopology, Filter, Hit, MeshOptions, Pose, Scene, Shape, StartOverlaps,
    Struck, TriMesh,
};
use capsweep::{
    BOUND, Capsule, ClosestPoints, HalfSpace, Motion, Obb, Overlap, Sides, Sphere, SweepHit,
    Triangle, closest_capsule_box, closest_capsule_capsule, closest_capsule_half_space,
    closest_capsule_sphere, closest_capsule_triangle, overlap_capsule_box, overlap_capsule_capsule,
    overlap_capsule_half_space, overlap_capsule_sphere, overlap_capsule_triangle,
    sweep_capsule_box, sweep_capsule_capsule, sweep_capsule_half_space, sweep_capsule_sphere,
    sweep_capsule_triangle,
};
use capsweep_testkit::Rng;
use capsweep_testkit::level::{self, Joints, Mesh};
use glam::{DQuat, DVec3, Vec3, dvec3};
use std::sync::Arc;

/// A scene, and all its parts in the world.
struct World {
    scene: Scene,
    parts: Vec<Part>,
    /// Where to ask.
    places: Vec<DVec3>,
}

struct Part {
    struck: Struck,
    solid: Solid,
}

enum Solid {
    Triangle { triangle: Triangle, pose: Pose, inner: [bool; 3], double_sided: bool },
    Shape(Shape),
}

fn order(struck: &Struck) -> (BodyKind, u64, Option<u32>) {
    (struck.kind, struck.key, struck.triangle)
}

/// A new instance of a mesh, and its parts.
struct Model {
    mesh: Arc<TriMesh>,
    inner: Vec<[bool; 3]>,
    double_sided: bool,
}

impl Model {
    fn new((vertices, indices): &Mesh, double_sided: bool) -> Self {
        let mesh = TriMesh::new(vertices, indices, MeshOptions { double_sided }).expect("a mesh");
        let kinds = EdgeTopology::of(vertices, indices).into_kinds();
        let inner = kinds.iter().map(|kinds| kinds.map(|kind| kind.is_inner())).collect();
        Self { mesh: Arc::new(mesh), inner, double_sided }
    }
}

impl World {
    fn new() -> Self {
        Self { scene: Scene::new(), parts: Vec::new(), places: Vec::new() }
    }

    fn place(&mut self, model: &Model, pose: Pose, key: u64) {
        let body = self.scene.insert(Body::mesh(model.mesh.clone(), pose).with_key(key));
        for (i, inner) in model.inner.iter().enumerate() {
            let corners = model.mesh.triangle(i).expect("it has this triangle");
            let [a, b, c] = pose.triangle_to_world(corners);
            let triangle = Triangle::new(a, b, c).expect("in range");
            let kind = BodyKind::Mesh;
            let struck = Struck { body, key, kind, triangle: Some(i as u32) };
            let [ab, bc, ca] = *inner;
            let inner = if pose.is_mirrored() { [ca, bc, ab] } else { [ab, bc, ca] };
            let double_sided = model.double_sided;
            self.parts.push(Part {
                struck,
                solid: Solid::Triangle { triangle, pose, inner, double_sided },
            });
        }
    }

    fn shape(&mut self, shape: Shape, obstacle: bool, key: u64) {
        let body = if obstacle { Body::obstacle(shape) } else { Body::shape(shape) };
        let (kind, body) = (body.kind(), self.scene.insert(body.with_key(key)));
        let struck = Struck { body, key, kind, triangle: None };
        self.parts.push(Part { struck, solid: Solid::Shape(shape) });
    }

    /// Some shapes of every kind around the places.
    fn with_shapes(mut self, rng: &mut Rng) -> Self {
        for key in 0..40 {
            let at = self.some_place(rng) + rng.cube(1.0);
            let shape = match key % 3 {
                0 => {
                    let half = Vec3::new(0.3, 0.5, 0.9);
                    let turn = DQuat::from_axis_angle(rng.direction(), rng.range(0.0, 3.0));
                    Shape::Box(Obb::new(at, half, turn).expect("a box"))
                }
                1 => Shape::Sphere(Sphere::new(at, 0.6).expect("a ball")),
                _ => Shape::Capsule(Capsule::new(at, at + rng.cube(1.0), 0.3).expect("a capsule")),
            };
            self.shape(shape, key % 2 == 0, key);
        }
        let plane = HalfSpace::new(dvec3(0.0, 0.0, -0.5), dvec3(0.1, 0.0, 1.0));
        self.shape(Shape::HalfSpace(plane.expect("a half-space")), false, 99);
        self.scene.commit();
        self
    }

    fn some_place(&self, rng: &mut Rng) -> DVec3 {
        self.places[rng.below(self.places.len() as u32) as usize]
    }

    fn some_capsule(&self, rng: &mut Rng) -> Capsule {
        let at = self.some_place(rng) + rng.cube(0.8);
        let axis = if rng.chance(0.5) { DVec3::Z } else { rng.direction() * rng.range(0.0, 1.5) };
        Capsule::new(at, at + axis, rng.range(0.1, 0.6) as f32).expect("a capsule")
    }
}

fn some_filter(rng: &mut Rng) -> Filter {
    let sides = if rng.chance(0.5) { Sides::Front } else { Sides::Both };
    let start_overlaps = if rng.chance(0.7) { StartOverlaps::Report } else { StartOverlaps::Skip };
    Filter { sides, start_overlaps, ..Filter::default() }
}

fn dungeon(rng: &mut Rng) -> World {
    let mesh = level::dungeon();
    let mut world = World::new();
    world.places = mesh.0.iter().step_by(7).map(|vertex| vertex.as_dvec3()).collect();
    world.place(&Model::new(&mesh, false), Pose::IDENTITY, 7);
    world.with_shapes(rng)
}

/// Turned, stretched and mirrored instances, some of them double-sided.
fn instances(rng: &mut Rng) -> World {
    let level = level::instances(120);
    let models: Vec<Model> =
        level.meshes.iter().enumerate().map(|(i, mesh)| Model::new(mesh, i % 4 == 0)).collect();
    let mut world = World::new();
    for (key, (mesh, pose)) in level.placements.iter().enumerate() {
        let corners = level.meshes[*mesh].0.iter().step_by(11);
        world.places.extend(corners.map(|vertex| pose.point_to_world(vertex.as_dvec3())));
        world.place(&models[*mesh], *pose, key as u64);
    }
    world.with_shapes(rng)
}

/// Tiles in three meshes, two of them at the same place.
fn floors(rng: &mut Rng) -> World {
    let mesh = level::tiled_floor(12, 0.5, 0.1, 0.2, Joints::TJunctions);
    let model = Model::new(&mesh, false);
    let mut world = World::new();
    world.places = mesh.0.iter().map(|vertex| vertex.as_dvec3()).collect();
    let beside = Pose::from_translation(dvec3(6.0, 0.0, 0.6)).expect("a pose");
    world.place(&model, Pose::IDENTITY, 3);
    world.place(&model, beside, 2);
    world.place(&model, Pose::IDENTITY, 1);
    world.with_shapes(rng)
}

fn worlds() -> Vec<(&'static str, World, Rng)> {
    let mut rng = Rng::new(&[3, 41]);
    let worlds = [
        ("dungeon", dungeon(&mut rng)),
        ("instances", instances(&mut rng)),
        ("floors", floors(&mut rng)),
    ];
    worlds.into_iter().map(|(name, world)| (name, world, Rng::new(&[5, 9]))).collect()
}

impl Part {
    fn sides(&self, filter: &Filter) -> Sides {
        match self.solid {
            Solid::Triangle { double_sided: true, .. } => Sides::Both,
            _ => filter.sides,
        }
    }

    fn sweep(&self, capsule: &Capsule, motion: &Motion, filter: &Filter) -> Option<SweepHit> {
        let sides = self.sides(filter);
        let hit = match &self.solid {
            Solid::Triangle { triangle, pose, .. } => {
                let mut hit = sweep_capsule_triangle(capsule, motion, triangle, sides)?;
                hit.feature = pose.feature_to_mesh(hit.feature);
                hit.barycentrics =
                    hit.barycentrics.map(|weights| pose.barycentrics_to_mesh(weights));
                hit
            }
            Solid::Shape(Shape::Box(obb)) => sweep_capsule_box(capsule, motion, obb, sides)?,
            Solid::Shape(Shape::Sphere(sphere)) => {
                sweep_capsule_sphere(capsule, motion, sphere, sides)?
            }
            Solid::Shape(Shape::Capsule(other)) => {
                sweep_capsule_capsule(capsule, motion, other, sides)?
            }
            Solid::Shape(Shape::HalfSpace(half_space)) => {
                sweep_capsule_half_space(capsule, motion, half_space, sides)?
            }
        };
        let skipped = hit.starts_overlapping() && filter.start_overlaps == StartOverlaps::Skip;
        (!skipped).then_some(hit)
    }

    fn overlap(&self, capsule: &Capsule) -> Option<Overlap> {
        match &self.solid {
            Solid::Triangle { triangle, pose, .. } => {
                let mut hit = overlap_capsule_triangle(capsule, triangle)?;
                hit.feature = pose.feature_to_mesh(hit.feature);
                hit.barycentrics =
                    hit.barycentrics.map(|weights| pose.barycentrics_to_mesh(weights));
                Some(hit)
            }
            Solid::Shape(Shape::Box(obb)) => overlap_capsule_box(capsule, obb),
            Solid::Shape(Shape::Sphere(sphere)) => overlap_capsule_sphere(capsule, sphere),
            Solid::Shape(Shape::Capsule(other)) => overlap_capsule_capsule(capsule, other),
            Solid::Shape(Shape::HalfSpace(plane)) => overlap_capsule_half_space(capsule, plane),
        }
    }

    fn closest(&self, capsule: &Capsule) -> ClosestPoints {
        match &self.solid {
            Solid::Triangle { triangle, pose, .. } => {
                let mut hit = closest_capsule_triangle(capsule, triangle);
                hit.feature = pose.feature_to_mesh(hit.feature);
                hit.barycentrics =
                    hit.barycentrics.map(|weights| pose.barycentrics_to_mesh(weights));
                hit
            }
            Solid::Shape(Shape::Box(obb)) => closest_capsule_box(capsule, obb),
            Solid::Shape(Shape::Sphere(sphere)) => closest_capsule_sphere(capsule, sphere),
            Solid::Shape(Shape::Capsule(other)) => closest_capsule_capsule(capsule, other),
            Solid::Shape(Shape::HalfSpace(plane)) => closest_capsule_half_space(capsule, plane),
        }
    }

    /// Whether the axis pierces a triangle: its way out in a mesh is then not that of the pair.
    fn is_pierced(&self, capsule: &Capsule) -> bool {
        let Solid::Triangle { .. } = self.solid else { return false };
        self.overlap(capsule)
            .is_some_and(|overlap| overlap.depth >= f64::from(capsule.radius()) * (1.0 - 1e-6))
    }

    /// Whether a way out of a pierced triangle is one that the contract allows, and clears it.
    fn assert_way_out(&self, capsule: &Capsule, normal: Vec3, depth: f64, filter: &Filter) {
        let Solid::Triangle { triangle, inner, .. } = &self.solid else { panic!("not pierced") };
        let push = normal.as_dvec3() * depth;
        let out = capsule.translated(push).expect("in range");
        // It clears the triangle's whole extent that way, and not by more: behind an inner edge there is more surface.
        let along = |point: DVec3| normal.as_dvec3().dot(point);
        let bottom = along(out.p0()).min(along(out.p1())) - f64::from(out.radius());
        let top = triangle.vertices().map(along).into_iter().fold(f64::NEG_INFINITY, f64::max);
        assert!((bottom - top).abs() < 5e-6, "{} left of {:?}", bottom - top, self.struck);
        let shortest = overlap_capsule_triangle(capsule, triangle).expect("pierced");
        assert!(depth > shortest.depth - 1e-6 * shortest.depth, "shorter than the shortest way");

        let vertices = triangle.vertices();
        let front = (vertices[1] - vertices[0]).cross(vertices[2] - vertices[0]).normalize();
        let up = front.dot(normal.as_dvec3());
        let through_cap =
            up > 1.0 - 1e-6 || (self.sides(filter) == Sides::Both && up < -1.0 + 1e-6);
        let past_edge = (0..3).filter(|&i| !inner[i]).any(|i| {
            let edge = vertices[(i + 1) % 3] - vertices[i];
            let to_the_edge = vertices[i] - vertices[(i + 2) % 3];
            let outward = to_the_edge - edge * (to_the_edge.dot(edge) / edge.length_squared());
            normal.as_dvec3().dot(edge).abs() < 1e-6 * edge.length()
                && normal.as_dvec3().dot(outward) > 0.0
        });
        assert!(through_cap || past_edge, "{:?} leaves {vertices:?} along {normal}", self.struck);
    }
}

/// The shallowest way out of a pierced triangle is as long as the pair's if all its exits are open.
#[test]
fn overlap_all_is_every_overlap() {
    let mut pierced = 0;
    for (name, world, mut rng) in worlds() {
        let mut out = Vec::new();
        for _ in 0..400 {
            let (capsule, filter) = (world.some_capsule(&mut rng), some_filter(&mut rng));
            world.scene.overlap_all(&capsule, &filter, &mut out);
            let expected: Vec<&Part> =
                world.parts.iter().filter(|part| part.overlap(&capsule).is_some()).collect();
            assert_eq!(out.len(), expected.len(), "{name}");
            assert!(out.is_sorted_by(|a, b| {
                let deeper = a.hit.depth > b.hit.depth;
                let same = a.hit.depth == b.hit.depth;
                deeper || (same && order(&a.struck) < order(&b.struck))
            }));
            for part in expected {
                let found = out.iter().find(|hit| hit.struck == part.struck).expect("complete");
                if part.is_pierced(&capsule) {
                    part.assert_way_out(&capsule, found.hit.normal, found.hit.depth, &filter);
                    pierced += 1;
                } else {
                    assert_eq!(Some(found.hit), part.overlap(&capsule), "{name}");
                }
            }
            assert_eq!(world.scene.overlaps(&capsule, &filter), !out.is_empty(), "{name}");
            assert_eq!(world.scene.overlap(&capsule, &filter), deepest(&out), "{name}");
        }
    }
    assert!(pierced > 200, "{pierced}");
}

/// By the contract: of those within the bound of the deepest, the first by kind, key and triangle.
fn deepest(all: &[Hit<Overlap>]) -> Option<Hit<Overlap>> {
    let limit = all.first()?.hit.depth - BOUND;
    let ties = all.iter().filter(|hit| hit.hit.depth >= limit);
    ties.min_by_key(|hit| order(&hit.struck)).copied()
}

#[test]
fn sweep_all_is_every_hit() {
    let mut hits = 0;
    for (name, world, mut rng) in worlds() {
        let mut out = Vec::new();
        for _ in 0..300 {
            let (capsule, filter) = (world.some_capsule(&mut rng), some_filter(&mut rng));
            let motion = Motion::new(rng.direction() * rng.log_range(1e-3, 10.0)).expect("finite");
            world.scene.sweep_all(&capsule, &motion, &filter, &mut out);
            let expected: Vec<_> = world
                .parts
                .iter()
                .filter_map(|part| Some((part, part.sweep(&capsule, &motion, &filter)?)))
                .collect();
            assert_eq!(out.len(), expected.len(), "{name}");
            assert!(out.is_sorted_by(|a, b| {
                let key = |hit: &Hit<SweepHit>| (hit.hit.time, -hit.hit.depth);
                key(a) < key(b) || (key(a) == key(b) && order(&a.struck) < order(&b.struck))
            }));
            for (part, hit) in expected {
                let found = out.iter().find(|hit| hit.struck == part.struck).expect("complete");
                if hit.starts_overlapping() && part.is_pierced(&capsule) {
                    assert_eq!((found.hit.time, found.hit.distance), (0.0, 0.0), "{name}");
                    part.assert_way_out(&capsule, found.hit.normal, found.hit.depth, &filter);
                } else {
                    assert_eq!(found.hit, hit, "{name}");
                }
            }
            hits += out.len();
            let first = world.scene.sweep(&capsule, &motion, &filter);
            assert_eq!(world.scene.sweep_any(&capsule, &motion, &filter), first.is_some());
            assert_eq!(first.map(|hit| hit.hit.time), out.first().map(|hit| hit.hit.time));
        }
    }
    assert!(hits > 5_000, "{hits}");
}

#[test]
fn sweep_where_sees_only_what_is_accepted() {
    for (name, world, mut rng) in worlds() {
        let mut all = Vec::new();
        for _ in 0..300 {
            let (capsule, filter) = (world.some_capsule(&mut rng), some_filter(&mut rng));
            let motion = Motion::new(rng.direction() * rng.range(0.0, 6.0)).expect("finite");
            let wanted = rng.bits();
            let accept = |struck: &Struck| {
                let number = struck.key ^ u64::from(struck.triangle.unwrap_or(5));
                (wanted >> (number % 64)) & 1 == 1
            };
            let found = world.scene.sweep_where(&capsule, &motion, &filter, accept);
            world.scene.sweep_all(&capsule, &motion, &filter, &mut all);
            let first = all.iter().find(|hit| accept(&hit.struck));
            assert_eq!(found.map(|hit| hit.hit.time), first.map(|hit| hit.hit.time), "{name}");
            assert!(found.is_none_or(|hit| accept(&hit.struck)), "{name}");
            let anything = world.scene.sweep_where(&capsule, &motion, &filter, |_| true);
            assert_eq!(anything, world.scene.sweep(&capsule, &motion, &filter), "{name}");
        }
    }
}

#[test]
fn closest_is_the_nearest_of_all() {
    let mut answers = 0;
    for (name, world, mut rng) in worlds() {
        for i in 0..400 {
            let (capsule, filter) = (world.some_capsule(&mut rng), some_filter(&mut rng));
            let limit = [f64::INFINITY, 2.0, 0.1, 0.0, -0.1][i % 5];
            let found = world.scene.closest(&capsule, limit, &filter);
            answers += usize::from(found.is_some());
            if world.parts.iter().any(|part| part.is_pierced(&capsule)) {
                let overlap = world.scene.overlap(&capsule, &filter).expect("pierced");
                let found = found.expect("an overlap is within any of the limits");
                assert_eq!(found.struck, overlap.struck, "{name}");
                assert_eq!(found.hit.normal, overlap.hit.normal, "{name}");
                let (distance, depth) = (found.hit.distance, overlap.hit.depth);
                assert!((distance + depth).abs() <= 1e-7 * depth, "{name}: {distance} {depth}");
            } else {
                assert_eq!(found, nearest(&world, &capsule, limit), "{name}");
            }
        }
        let capsule = world.some_capsule(&mut rng);
        assert_eq!(world.scene.closest(&capsule, f64::NAN, &Filter::default()), None);
    }
    assert!(answers > 500, "{answers}");
}

/// By the contract: of those within the bound of the nearest, the first by kind, key and triangle.
fn nearest(world: &World, capsule: &Capsule, limit: f64) -> Option<Hit<ClosestPoints>> {
    let all: Vec<_> = world
        .parts
        .iter()
        .map(|part| Hit { hit: part.closest(capsule), struck: part.struck })
        .filter(|hit| hit.hit.distance <= limit)
        .collect();
    let least = all.iter().map(|hit| hit.hit.distance).min_by(f64::total_cmp)?;
    let ties = all.into_iter().filter(|hit| hit.hit.distance <= least + BOUND);
    ties.min_by_key(|hit| order(&hit.struck))
}

/// Far from the scene the walk has nothing at hand to start from.
#[test]
fn closest_finds_what_is_far_away() {
    for (name, world, mut rng) in worlds() {
        for _ in 0..100 {
            let at = rng.direction() * rng.log_range(50.0, 20_000.0);
            let capsule = Capsule::new(at, at + rng.cube(2.0), 0.4).expect("a capsule");
            let found = world.scene.closest(&capsule, f64::INFINITY, &Filter::default());
            assert_eq!(found, nearest(&world, &capsule, f64::INFINITY), "{name}");
        }
    }
}

/// More triangles tie than are remembered: a fan of 200 about one vertex.
#[test]
fn many_ties_are_decided_by_the_lowest_triangle() {
    let rim = |i: usize| {
        let angle = i as f32 / 200.0 * core::f32::consts::TAU;
        Vec3::new(angle.cos(), angle.sin(), -0.2)
    };
    let vertices: Vec<Vec3> = [Vec3::ZERO].into_iter().chain((0..200).map(rim)).collect();
    let indices: Vec<[u32; 3]> = (0..200).map(|i| [0, 1 + i, 1 + (i + 1) % 200]).collect();
    let mesh = TriMesh::new(&vertices, &indices, MeshOptions::default()).expect("a mesh");
    let mut scene = Scene::new();
    scene.insert(Body::mesh(Arc::new(mesh), Pose::IDENTITY));
    scene.commit();
    let filter = Filter::default();
    for gap in [0.5, -0.1] {
        let feet = dvec3(0.0, 0.0, gap);
        let capsule = Capsule::from_feet(feet, DVec3::Z, 0.4, 1.8).expect("a capsule");
        let closest = scene.closest(&capsule, 10.0, &filter).expect("the tip");
        assert_eq!(closest.struck.triangle, Some(0));
        assert!((closest.hit.distance - gap).abs() < 1e-7, "{}", closest.hit.distance);
    }
    let capsule = Capsule::from_feet(dvec3(0.0, 0.0, -0.1), DVec3::Z, 0.4, 1.8).expect("valid");
    let overlap = scene.overlap(&capsule, &filter).expect("the tip");
    assert_eq!(overlap.struck.triangle, Some(0));
}

/// Measured without the rule on inner edges: a capsule sunk 0.7 m is pushed sideways, tile after tile.
#[test]
fn a_capsule_sunk_into_a_floor_is_pushed_up() {
    let mut rng = Rng::new(&[17]);
    for size in [0.25_f32, 0.5, 1.0, 2.0, 4.0] {
        let cells = (16.0 / size) as u32;
        for jitter in [0.0, 0.25] {
            let mesh = level::tiled_floor(cells, size, 0.0, jitter, Joints::Matching);
            let mut world = World::new();
            world.place(&Model::new(&mesh, false), Pose::IDENTITY, 0);
            world.scene.commit();
            for i in 0..400 {
                let sunk = rng.range(0.001, 1.7);
                // Every fourth stands on a corner of the tiles or between two.
                let [x, y] = [0, 1].map(|_| {
                    let at = if i % 4 == 0 { rng.integer(-1, 1) } else { rng.range(-1.0, 1.0) };
                    at * f64::from(size) * 0.5
                });
                let feet = dvec3(x, y, -sunk);
                let capsule = Capsule::from_feet(feet, DVec3::Z, 0.4, 1.8).expect("a capsule");
                assert_pushed_up(&world, &capsule, sunk);
            }
        }
    }
}

fn assert_pushed_up(world: &World, capsule: &Capsule, sunk: f64) {
    let filter = Filter::default();
    let found = world.scene.overlap(capsule, &filter).expect("it is in the floor").hit;
    let down = Motion::new(dvec3(0.0, 0.0, -1.0)).expect("finite");
    let swept = world.scene.sweep(capsule, &down, &filter).expect("it starts in the floor").hit;
    // With its axis all below, the capsule is out by the shorter way.
    let (normal, depth) = if sunk < 1.4 { (Vec3::Z, sunk) } else { (-Vec3::Z, 1.8 - sunk) };
    for (n, d) in [(found.normal, found.depth), (swept.normal, swept.depth)] {
        // Next to a seam both triangles are as deep to the bound, and one of them by its edge: 0.5° at most.
        assert!(n.dot(normal) > 0.99996, "sunk {sunk}: {n}");
        assert!((d - depth).abs() < 2.0 * BOUND, "sunk {sunk}: {d}");
        let out = capsule.translated(n.as_dvec3() * d).expect("in range");
        let left = world.scene.overlap(&out, &filter).map(|hit| hit.hit.depth);
        assert!(left.is_none_or(|left| left < 1e-5), "sunk {sunk}: {left:?} left");
    }
}

/// The back of a sheet is a way out where both sides count.
#[test]
fn both_caps_are_open_in_double_sided_meshes() {
    let floor = level::tiled_floor(16, 1.0, 0.0, 0.2, Joints::Matching);
    let feet = dvec3(0.3, 0.2, -1.2);
    let capsule = Capsule::from_feet(feet, DVec3::Z, 0.4, 1.8).expect("a capsule");
    let normal = |double_sided: bool, sides: Sides, mirrored: bool| {
        let scale = if mirrored { dvec3(-1.0, 1.0, 1.0) } else { DVec3::ONE };
        let pose = Pose::new(DVec3::ZERO, DQuat::IDENTITY, scale).expect("a pose");
        let mut world = World::new();
        world.place(&Model::new(&floor, double_sided), pose, 0);
        world.scene.commit();
        let filter = Filter { sides, ..Filter::default() };
        world.scene.overlap(&capsule, &filter).expect("it is in the floor").hit.normal
    };
    for mirrored in [false, true] {
        assert_eq!(normal(false, Sides::Front, mirrored), Vec3::Z);
        assert_eq!(normal(false, Sides::Both, mirrored), -Vec3::Z);
        assert_eq!(normal(true, Sides::Front, mirrored), -Vec3::Z);
    }
}

#[test]
fn batches_answer_as_one_by_one() {
    use capsweep::scene::batch::{self, ClosestQuery, OverlapQuery, SweepQuery};
    let (_, world, mut rng) = worlds().swap_remove(0);
    let scene = &world.scene;
    let sweeps: Vec<SweepQuery> = (0..2_000)
        .map(|_| SweepQuery {
            capsule: world.some_capsule(&mut rng),
            motion: Motion::new(rng.cube(3.0)).expect("finite"),
            filter: some_filter(&mut rng),
        })
        .collect();
    let overlaps: Vec<OverlapQuery> = sweeps
        .iter()
        .map(|&SweepQuery { capsule, filter, .. }| OverlapQuery { capsule, filter })
        .collect();
    let closests: Vec<ClosestQuery> = overlaps
        .iter()
        .map(|&OverlapQuery { capsule, filter }| ClosestQuery { capsule, limit: 3.0, filter })
        .collect();

    let (mut swept, mut overlapped, mut near) = (vec![None; 3], Vec::new(), Vec::new());
    batch::sweep(scene, &sweeps, &mut swept);
    batch::overlap(scene, &overlaps, &mut overlapped);
    batch::closest(scene, &closests, &mut near);

    let one_by_one = sweeps.iter().map(|q| scene.sweep(&q.capsule, &q.motion, &q.filter));
    assert!(swept.into_iter().eq(one_by_one));
    let one_by_one = overlaps.iter().map(|q| scene.overlap(&q.capsule, &q.filter));
    assert!(overlapped.into_iter().eq(one_by_one));
    let one_by_one = closests.iter().map(|q| scene.closest(&q.capsule, q.limit, &q.filter));
    assert!(near.into_iter().eq(one_by_one));
}
