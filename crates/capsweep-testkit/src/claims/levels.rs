//! Levels to walk in.

use crate::Rng;
use crate::claims::boxes::Boxes;
use crate::claims::ferry::Ferry;
use crate::level::{self, Joints, Mesh};
use capsweep::scene::{Body, BodyId, MeshOptions, Mobility, Pose, Scene, Shape, TriMesh};
use capsweep::{Capsule, HalfSpace, Obb, Sphere};
use glam::{DQuat, DVec3, dvec3, vec3};
use std::sync::Arc;

/// A level to walk in.
#[derive(Debug)]
pub struct HonestLevel {
    /// Its name.
    pub name: String,
    pub(super) scene: Scene,
    pub(super) low: DVec3,
    pub(super) high: DVec3,
    /// A platform that moves.
    ferry: Option<BodyId>,
}

impl HonestLevel {
    /// A level of one mesh, Z up.
    ///
    /// # Panics
    /// If the mesh is not valid.
    pub fn new(name: &str, (vertices, indices): &Mesh, double_sided: bool) -> Self {
        let mesh = TriMesh::new(vertices, indices, MeshOptions { double_sided });
        let mesh = Arc::new(mesh.expect("a valid mesh"));
        let mut scene = Scene::new();
        scene.insert(Body::mesh(mesh, Pose::IDENTITY).expect("in range"));
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for vertex in vertices {
            (low, high) = (low.min(vertex.as_dvec3()), high.max(vertex.as_dvec3()));
        }
        Self { name: name.to_owned(), scene, low, high: high + DVec3::Z * 2.0, ferry: None }
    }

    /// A yard with a platform that moves, rises and turns.
    ///
    /// # Panics
    /// Never: the meshes are valid.
    pub fn ferry() -> Self {
        let mut yard = Boxes::default();
        yard.floor([-12.0, -12.0], [12.0, 12.0], 0.0);
        yard.block(dvec3(-8.0, -8.0, -1.0), dvec3(-3.0, 8.0, 0.8));
        yard.block(dvec3(6.0, -3.0, -1.0), dvec3(6.4, 3.0, 3.0));
        let mut deck = Boxes::default();
        deck.block(dvec3(-2.5, -2.5, -0.3), dvec3(2.5, 2.5, 0.0));
        deck.block(dvec3(-2.5, -2.5, 0.0), dvec3(-2.2, 2.5, 0.9));
        let mut level = Self::new("ferry", &(yard.vertices, yard.indices), false);
        let body = Body::mesh(deck.mesh(false), Pose::IDENTITY).expect("in range");
        level.ferry = Some(level.scene.insert(body.with_mobility(Mobility::Dynamic)));
        level
    }

    /// A yard without a mesh: a plane, a ramp, and boxes, balls and capsules of all sizes.
    ///
    /// # Panics
    /// Never: the shapes are valid.
    pub fn shapes() -> Self {
        let mut rng = Rng::new(&[61]);
        let mut scene = Scene::new();
        let ramp = dvec3(-0.5, 0.1, 1.0).normalize();
        for (point, normal) in [(DVec3::ZERO, DVec3::Z), (DVec3::X * 12.0, ramp)] {
            let plane = HalfSpace::new(point, normal).expect("a unit normal");
            scene.insert(Body::shape(Shape::HalfSpace(plane)));
        }
        for number in 0..60 {
            let side = |rng: &mut Rng| rng.range(-12.0, 12.0);
            let place = dvec3(side(&mut rng), side(&mut rng), rng.range(-0.2, 1.2));
            let mut size = || rng.range(0.1, 1.0) as f32;
            let shape = match number % 3 {
                0 => {
                    let half = vec3(size(), size(), size());
                    let turn = DQuat::from_rotation_z(rng.range(0.0, core::f64::consts::TAU));
                    Shape::Box(Obb::new(place, half, turn).expect("in range"))
                }
                1 => Shape::Sphere(Sphere::new(place, size()).expect("in range")),
                _ => {
                    let end = place + rng.cube(1.0);
                    Shape::Capsule(Capsule::new(place, end, 0.3).expect("in range"))
                }
            };
            scene.insert(Body::shape(shape));
        }
        let (low, high) = (dvec3(-12.0, -12.0, 0.0), dvec3(16.0, 12.0, 5.0));
        Self { name: "shapes".to_owned(), scene, low, high, ferry: None }
    }

    /// The scene for one chain, and its platform.
    pub(super) fn launch(&self, rng: &mut Rng) -> (Scene, Option<Ferry>) {
        let mut scene = self.scene.clone();
        let ferry = self.ferry.map(|body| Ferry::new(body, rng));
        if let Some(ferry) = &ferry {
            scene.move_mesh(ferry.body, ferry.pose).expect("a body of the scene");
        }
        (scene, ferry)
    }

    /// The generated levels.
    pub fn generated() -> Vec<Self> {
        vec![
            Self::new("stairs", &level::stairs(), false),
            Self::new("dungeon", &level::dungeon(), false),
            Self::new("city", &level::city_block(), false),
            Self::new("terrain", &level::terrain(64), false),
            Self::new("tiles", &level::tiled_floor(60, 0.7, 0.2, 0.25, Joints::TJunctions), false),
            Self::ferry(),
            Self::shapes(),
        ]
    }
}
