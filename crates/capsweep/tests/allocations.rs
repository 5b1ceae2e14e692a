//! Queries of a scene allocate nothing beyond what the caller's own `Vec` needs.

#[path = "common/counting.rs"]
mod counting;

use capsweep::cache::TriangleCache;
use capsweep::controller::{Controller, ControllerConfig, MoveInput};
use capsweep::query::{Column, PosedMesh};
use capsweep::scene::{Body, Filter, MeshOptions, Pose, Scene, Shape, TriMesh};
use capsweep::{Capsule, HalfSpace, Limit, Motion, Point, Ray, SlopeLimit, Sphere};
use capsweep_testkit::liquid::PlainWorld;
use capsweep_testkit::{Rng, level};
use counting::allocations;
use glam::{DVec3, dvec3};
use std::hint::black_box;
use std::sync::Arc;

#[test]
fn queries_do_not_allocate() {
    let (vertices, indices) = level::dungeon();
    let mesh = TriMesh::new(&vertices, &indices, MeshOptions::default()).expect("a mesh");
    let mut scene = Scene::new();
    scene.insert(Body::mesh(Arc::new(mesh), Pose::IDENTITY).unwrap());
    let ball = Sphere::new(dvec3(1.0, 2.0, 0.5), 0.7).expect("a ball");
    scene.insert(Body::shape(Shape::Sphere(ball)));
    let plane = HalfSpace::new(dvec3(0.0, 0.0, -9.0), DVec3::Z).expect("a half-space");
    scene.insert(Body::shape(Shape::HalfSpace(plane)));

    let mut rng = Rng::new(&[31]);
    let filter = Filter::default();
    let (mut hits, mut overlaps) = (Vec::with_capacity(10_000), Vec::with_capacity(10_000));
    for _ in 0..500 {
        let at = vertices[rng.below(vertices.len() as u32) as usize].as_dvec3() + rng.cube(0.5);
        let capsule = Capsule::from_feet(at, DVec3::Z, 0.4, 1.8).expect("a capsule");
        let motion = Motion::new(rng.cube(4.0)).expect("finite");
        let before = allocations();
        black_box(scene.sweep(&capsule, &motion, &filter));
        black_box(scene.sweep_any(&capsule, &motion, &filter));
        black_box(scene.sweep_where(&capsule, &motion, &filter, |target| target.key == 0));
        scene.sweep_all(&capsule, &motion, &filter, &mut hits);
        black_box(scene.overlaps(&capsule, &filter));
        black_box(scene.overlap(&capsule, &filter));
        scene.overlap_all(&capsule, &filter, &mut overlaps);
        black_box(scene.closest(&capsule, Limit::new(5.0).unwrap(), &filter));
        black_box(scene.depenetrate(&capsule, &filter));
        if let Some(hit) = scene.sweep(&capsule, &motion, &filter) {
            black_box(scene.neighbor_normal(&hit, &filter));
        }
        assert_eq!(allocations(), before);
    }
}

#[test]
fn liquids_are_found_without_an_allocation() {
    let mut rng = Rng::new(&[33]);
    let world = PlainWorld::random(&mut rng, DVec3::ZERO);
    let scene = world.scene();
    let (mut found, mut wet) = (Vec::with_capacity(1_000), 0);
    for _ in 0..500 {
        let point = Point::new(rng.cube(6.0)).expect("in range");
        let before = allocations();
        wet += usize::from(scene.liquid_at(&point).is_some());
        scene.liquids_over(&point, &mut found);
        assert_eq!(allocations(), before);
    }
    assert!(wet > 20, "{wet}");
}

#[test]
fn queries_of_a_posed_mesh_do_not_allocate() {
    let (vertices, indices) = level::dungeon();
    let mesh = TriMesh::new(&vertices, &indices, MeshOptions::default()).expect("a mesh");
    let mesh = PosedMesh::new(Arc::new(mesh), Pose::IDENTITY).expect("in range");
    let mut rng = Rng::new(&[32]);
    let filter = Filter::default();
    let (mut hits, mut overlaps) = (Vec::with_capacity(10_000), Vec::with_capacity(10_000));
    for _ in 0..200 {
        let at = vertices[rng.below(vertices.len() as u32) as usize].as_dvec3() + rng.cube(0.5);
        let capsule = Capsule::from_feet(at, DVec3::Z, 0.4, 1.8).expect("a capsule");
        let motion = Motion::new(rng.cube(4.0)).expect("finite");
        let ray = Ray::new(at, motion).expect("in range");
        let before = allocations();
        black_box(mesh.sweep(&capsule, &motion, &filter));
        black_box(mesh.sweep_any(&capsule, &motion, &filter));
        black_box(mesh.sweep_where(&capsule, &motion, &filter, |triangle, _| triangle > 9));
        mesh.sweep_all(&capsule, &motion, &filter, &mut hits);
        black_box(mesh.overlaps(&capsule, &filter));
        black_box(mesh.overlap(&capsule, &filter));
        mesh.overlap_all(&capsule, &filter, &mut overlaps);
        black_box(mesh.closest(&capsule, Limit::new(5.0).unwrap(), &filter));
        black_box(mesh.ray(&ray, &filter));
        assert_eq!(allocations(), before);
    }
}

#[test]
fn a_walk_into_a_used_outcome_does_not_allocate() {
    let (vertices, indices) = level::dungeon();
    let mesh = TriMesh::new(&vertices, &indices, MeshOptions::default()).expect("a mesh");
    let mut scene = Scene::new();
    scene.insert(Body::mesh(Arc::new(mesh), Pose::IDENTITY).expect("in range"));
    let controller = Controller::new(ControllerConfig::human(DVec3::Z)).expect("sound");
    let mut state = controller.spawn(dvec3(7.0, 7.0, 3.0)).expect("in range");
    let mut cache = TriangleCache::new();
    let mut out = controller.move_by(&scene, &mut cache, &state, &MoveInput::new(Motion::ZERO));
    let mut rng = Rng::new(&[32]);
    let mut walk = |ticks: u32| {
        let before = allocations();
        let mut heading = DVec3::X;
        for tick in 0..ticks {
            if tick % 40 == 0 {
                heading = rng.cube(0.1).with_z(-0.05);
            }
            let input = MoveInput::new(Motion::new(heading).expect("finite"));
            controller.move_into(&scene, &mut cache, &state, &input, &mut out);
            state = out.state;
        }
        allocations() - before
    };
    // The lists grow to the size that such a walk needs, and keep it.
    walk(2_000);
    let grown = walk(2_000);
    assert!(grown <= 2, "{grown} allocations");
}

#[test]
fn rays_and_supports_do_not_allocate() {
    let (vertices, indices) = level::terrain(24);
    let mesh = TriMesh::new(&vertices, &indices, MeshOptions::default()).expect("a mesh");
    let mesh = Arc::new(mesh);
    let mut scene = Scene::new();
    for i in 0..40 {
        let pose = Pose::from_translation(DVec3::Z * f64::from(i / 2)).expect("in range");
        scene.insert(Body::mesh(mesh.clone(), pose).unwrap());
    }
    let way = Motion::new(dvec3(0.0, 0.0, -60.0)).expect("finite");
    // Eight triangles meet at a vertex.
    let mut out = Vec::with_capacity(8 * 40);
    let before = allocations();
    for i in 0..100 {
        let origin = dvec3(f64::from(i % 10), f64::from(i / 10), 50.0);
        assert!(scene.ray(&Ray::new(origin, way).unwrap(), &Filter::default()).is_some());
        let column = Column::new(origin, DVec3::Z, 0.0, 100.0).expect("a column");
        scene.supports(&column, SlopeLimit::from_cos(0.7).unwrap(), &Filter::default(), &mut out);
        // Every other tile lies in the plane of its neighbour, so only edges and vertices join
        // them.
        assert!(out.len() == 20 || out.len() == 40, "{}", out.len());
    }
    assert_eq!(allocations(), before);
}
