//! Whatever its history, a scene answers like a newly built one, and its clones keep the answers
//! of their time.

use crate::filters::filter;
use capsweep::query::Column;
use capsweep::scene::{
    Bodies, BodyId, Filter, HitTarget, MeshOptions, Mobility, Pose, Scene, SceneEdit, Shape,
    TriMesh,
};
use capsweep::{Capsule, HalfSpace, Limit, Motion, Obb, Ray, SlopeLimit, Sphere};
use capsweep_testkit::Rng;
use capsweep_testkit::brute::{Brute, PlainBody, PlainGeometry, tri_mesh};
use capsweep_testkit::level::{self, Joints};
use core::fmt::Debug;
use glam::{DQuat, DVec3, Vec3, dvec3, vec3};
use std::sync::Arc;

/// Largest coordinate of bodies (metres).
const REACH: f64 = 12.0;

/// A scene and the bodies that should be in it.
#[derive(Clone)]
struct Story {
    scene: Scene,
    bodies: PlainBodies,
}

#[derive(Clone, Default)]
struct PlainBodies {
    now: Vec<(BodyId, PlainBody)>,
    next_key: u64,
}

fn turn(rng: &mut Rng) -> DQuat {
    let turn = rng.cube(1.0);
    DQuat::from_xyzw(turn.x, turn.y, turn.z, 0.6).normalize()
}

fn pose(rng: &mut Rng) -> Pose {
    let scale = if rng.chance(0.5) { DVec3::ONE } else { dvec3(0.5, -1.5, 2.0) };
    Pose::new(rng.cube(REACH), turn(rng), scale).unwrap()
}

fn shape(rng: &mut Rng) -> Shape {
    let at = rng.cube(REACH);
    match rng.below(12) {
        0 => Shape::HalfSpace(HalfSpace::new(DVec3::Z * -REACH, at - DVec3::Z * 40.0).unwrap()),
        1..5 => Shape::Box(Obb::new(at, vec3(0.3, 0.6, 1.1), turn(rng)).unwrap()),
        5..9 => Shape::Sphere(Sphere::new(at, 0.7).unwrap()),
        _ => Shape::Capsule(Capsule::from_center(at, rng.direction(), 0.35).unwrap()),
    }
}

impl PlainBodies {
    fn insert(&mut self, edit: &mut SceneEdit<'_>, meshes: &[Arc<TriMesh>], rng: &mut Rng) {
        let geometry = match rng.below(3) {
            0 => PlainGeometry::Shape(shape(rng)),
            1 => PlainGeometry::Obstacle(shape(rng)),
            _ => {
                let mesh = Arc::clone(&meshes[rng.below(meshes.len() as u32) as usize]);
                PlainGeometry::Mesh { mesh, pose: pose(rng) }
            }
        };
        let mobility = if rng.chance(0.6) { Mobility::Dynamic } else { Mobility::Static };
        let plain = PlainBody { mobility, ..PlainBody::new(geometry, self.next_key) };
        self.next_key += 1;
        self.now.push((edit.insert(plain.body()), plain));
    }

    fn change(&mut self, edit: &mut SceneEdit<'_>, meshes: &[Arc<TriMesh>], rng: &mut Rng) {
        if self.now.is_empty() || rng.chance(0.25) {
            return self.insert(edit, meshes, rng);
        }
        let number = rng.below(self.now.len() as u32) as usize;
        if rng.chance(0.25) {
            let (id, plain) = self.now.swap_remove(number);
            assert_eq!(edit.remove(id).unwrap().key(), plain.key);
            return;
        }
        let (id, plain) = &mut self.now[number];
        match &mut plain.geometry {
            PlainGeometry::Shape(old) | PlainGeometry::Obstacle(old) => {
                *old = shape(rng);
                edit.move_shape(*id, *old).unwrap();
            }
            PlainGeometry::Mesh { mesh, .. } if rng.chance(0.2) => {
                *mesh = Arc::clone(&meshes[rng.below(meshes.len() as u32) as usize]);
                edit.set_mesh(*id, Arc::clone(mesh)).unwrap();
            }
            PlainGeometry::Mesh { pose: old, .. } => {
                let near = Pose::new(old.position() + rng.cube(0.3), old.rotation(), old.scale());
                *old = if rng.chance(0.7) { near.unwrap() } else { pose(rng) };
                edit.move_mesh(*id, *old).unwrap();
            }
        }
    }
}

impl Story {
    fn new(count: u32, meshes: &[Arc<TriMesh>], rng: &mut Rng) -> Self {
        let (mut scene, mut bodies) = (Scene::new(), PlainBodies::default());
        scene.edit(|edit| (0..count).for_each(|_| bodies.insert(edit, meshes, rng)));
        Self { scene, bodies }
    }

    /// Makes changes, one by one or in one edit.
    fn change(&mut self, count: u32, meshes: &[Arc<TriMesh>], rng: &mut Rng) {
        let Self { scene, bodies } = self;
        if rng.chance(0.5) {
            scene.edit(|edit| (0..count).for_each(|_| bodies.change(edit, meshes, rng)));
        } else {
            (0..count).for_each(|_| scene.edit(|edit| bodies.change(edit, meshes, rng)));
        }
        assert_eq!(self.scene.validate(), Ok(()));
        assert_eq!(self.scene.bodies().count(), self.bodies.now.len());
    }

    /// Queries the scene, a newly built one, and brute force.
    fn compare(&self, queries: u64, rng: &mut Rng) -> usize {
        let brute = Brute::new(self.bodies.now.iter().map(|(_, plain)| plain.clone()));
        let new = brute.scene();
        let mut found = 0;
        for _ in 0..queries {
            let capsule =
                Capsule::from_center(rng.cube(REACH), rng.direction() * 0.5, 0.4).unwrap();
            let length = rng.log_range(1e-2, 20.0);
            let motion = Motion::new(rng.direction() * length).unwrap();
            let bodies = [Bodies::All, Bodies::Static, Bodies::Dynamic][rng.below(3) as usize];
            let filter = Filter { bodies, ..filter(rng) };
            let answer = self.scene.sweep(&capsule, &motion, &filter);
            brute.sweep(&capsule, &motion, &filter).check(answer.as_ref()).unwrap();
            found += usize::from(answer.is_some());
            let column = Column::new(capsule.center(), DVec3::Z, 5.0, 20.0).unwrap();
            let question = Question { capsule, motion, column, filter };
            assert_eq!(answers(&self.scene, &question), answers(&new, &question));
        }
        found
    }
}

/// One query of every kind.
struct Question {
    capsule: Capsule,
    motion: Motion,
    column: Column,
    filter: Filter,
}

/// Every answer to one query, as text. Only ids depend on the history, so they are left out.
fn answers(scene: &Scene, question: &Question) -> Vec<String> {
    let Question { capsule, motion, column, filter } = question;
    let (mut all, mut overlaps, mut supports) = (Vec::new(), Vec::new(), Vec::new());
    scene.sweep_all(capsule, motion, filter, &mut all);
    scene.overlap_all(capsule, filter, &mut overlaps);
    scene.supports(column, SlopeLimit::from_cos(0.7).unwrap(), filter, &mut supports);
    let odd = |target: &HitTarget| target.key % 2 == 1;
    let mut words = vec![
        told(scene.sweep(capsule, motion, filter).map(|hit| (hit.target, hit.hit))),
        told(scene.sweep_where(capsule, motion, filter, odd).map(|hit| (hit.target, hit.hit))),
        told(scene.overlap(capsule, filter).map(|hit| (hit.target, hit.hit))),
        told(
            scene
                .closest(capsule, Limit::new(5.0).unwrap(), filter)
                .map(|hit| (hit.target, hit.hit)),
        ),
        told(
            scene
                .ray(&Ray::new(capsule.center(), *motion).unwrap(), filter)
                .map(|hit| (hit.target, hit.hit)),
        ),
        scene.sweep_any(capsule, motion, filter).to_string(),
        scene.overlaps(capsule, filter).to_string(),
    ];
    words.extend(all.iter().map(|hit| told(Some((hit.target, hit.hit)))));
    words.extend(overlaps.iter().map(|hit| told(Some((hit.target, hit.hit)))));
    words.extend(supports.iter().map(|support| {
        let bare = (support.height, support.point, support.normal, support.feature);
        told(Some((support.target, bare)))
    }));
    words
}

/// Debug text of floats reads back exactly, so equal text is equal bits.
fn told<T: Debug>(hit: Option<(HitTarget, T)>) -> String {
    let hit = hit.map(|(target, hit)| (target.kind, target.key, target.triangle, hit));
    format!("{hit:?}")
}

fn meshes() -> Vec<Arc<TriMesh>> {
    let level = level::instances(0);
    let small = level.meshes[..3].iter().map(|mesh| tri_mesh(mesh, false));
    small.chain([tri_mesh(&(Vec::new(), Vec::new()), false)]).collect()
}

#[test]
fn any_history_answers_like_a_scene_that_was_just_built() {
    let meshes = meshes();
    let mut found = 0;
    for seed in 0..12 {
        let mut rng = Rng::new(&[seed, 51]);
        let mut story = Story::new([4, 60, 200][seed as usize % 3], &meshes, &mut rng);
        let mut clones: Vec<Story> = Vec::new();
        for round in 0..25 {
            found += story.compare(6, &mut rng);
            if round % 5 == 1 {
                clones.push(story.clone());
            }
            let changes = 1 + rng.below(6);
            story.change(changes, &meshes, &mut rng);
            found += story.compare(2, &mut rng);
            if round % 7 == 3 {
                // A clone changes independently from here on.
                let mut other = story.clone();
                other.change(1, &meshes, &mut rng);
                clones.push(other);
            }
        }
        for clone in &clones {
            found += clone.compare(6, &mut rng);
        }
    }
    assert!(found > 1_000, "{found} hits");
}

#[test]
fn a_refitted_mesh_answers_like_a_new_one() {
    let mut rng = Rng::new(&[52]);
    let (mut vertices, indices) = level::tiled_floor(12, 1.0, 0.2, 0.3, Joints::TJunctions);
    let mut mesh = TriMesh::new(&vertices, &indices, MeshOptions::default()).unwrap();
    let mut found = 0;
    for round in 0..20 {
        // A swell, then random vertices: edges change their kind, and the tree no longer fits.
        for vertex in &mut vertices {
            let by = if round < 10 { 0.05 } else { 3.0 };
            *vertex += rng.cube(by).as_vec3();
        }
        mesh.refit(&vertices, &indices).unwrap();
        assert_eq!(mesh.validate(), Ok(()));
        let new = TriMesh::new(&vertices, &indices, MeshOptions::default()).unwrap();
        assert_eq!(mesh.bounds(), new.bounds());
        let place = |mesh: &TriMesh| {
            let body = PlainBody::mesh(Arc::new(mesh.clone()), Pose::IDENTITY, 1);
            Brute::new([body]).scene()
        };
        let (bent, new) = (place(&mesh), place(&new));
        for _ in 0..60 {
            let corner = vertices[rng.below(vertices.len() as u32) as usize].as_dvec3();
            let center = corner + rng.cube(1.0);
            let capsule = Capsule::from_center(center, DVec3::Z * 0.5, 0.4).unwrap();
            let motion = Motion::new(rng.direction() * rng.log_range(1e-2, 10.0)).unwrap();
            let column = Column::new(center, DVec3::Z, 5.0, 5.0).unwrap();
            let filter = filter(&mut rng);
            let question = Question { capsule, motion, column, filter };
            assert_eq!(answers(&bent, &question), answers(&new, &question));
            found += usize::from(bent.sweep(&capsule, &motion, &filter).is_some());
        }
    }
    assert!(found > 300, "{found} hits");
}

#[test]
fn a_mesh_is_refitted_with_its_own_number_of_sound_triangles() {
    let (vertices, indices) = level::tiled_floor(4, 1.0, 0.2, 0.0, Joints::Matching);
    let mut mesh = TriMesh::new(&vertices, &indices, MeshOptions::default()).unwrap();
    let corners = |mesh: &TriMesh| -> Vec<[Vec3; 3]> {
        (0..mesh.triangle_count()).filter_map(|index| mesh.triangle(index)).collect()
    };
    let before = corners(&mesh);
    let fewer = mesh.refit(&vertices, &indices[1..]).unwrap_err();
    assert_eq!(
        fewer.to_string(),
        "a refit got 31 triangles, but the mesh has 32: build a new mesh"
    );
    let mut torn = vertices.clone();
    torn[3].x = f32::NAN;
    assert!(mesh.refit(&torn, &indices).unwrap_err().to_string().starts_with("vertex 3 is at"));
    assert!(mesh.refit(&vertices[..5], &indices).is_err());
    assert_eq!(corners(&mesh), before);
    assert_eq!(mesh.validate(), Ok(()));
    let mut nothing = TriMesh::new(&[], &[], MeshOptions::default()).unwrap();
    assert_eq!(nothing.refit(&vertices, &[]), Ok(()));
}
