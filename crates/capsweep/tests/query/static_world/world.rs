//! Scenes, and every triangle and shape in them as a pair of its own.

use capsweep::scene::{
    Body, BodyKind, EdgeKind, EdgeTopology, Filter, HitTarget, MeshOptions, Pose, Scene, Shape,
    StartOverlaps, TriMesh,
};
use capsweep::{
    Capsule, ClosestPoints, HalfSpace, Motion, Obb, Overlap, Sides, Sphere, SweepHit, Triangle,
    closest_capsule_box, closest_capsule_capsule, closest_capsule_half_space,
    closest_capsule_sphere, closest_capsule_triangle, overlap_capsule_box,
    overlap_capsule_capsule, overlap_capsule_half_space, overlap_capsule_sphere,
    overlap_capsule_triangle, sweep_capsule_box, sweep_capsule_capsule, sweep_capsule_half_space,
    sweep_capsule_sphere, sweep_capsule_triangle,
};
use capsweep_testkit::Rng;
use capsweep_testkit::level::{self, Joints, Mesh};
use glam::{DQuat, DVec3, Vec3, dvec3};
use std::sync::Arc;

/// A scene, and all its parts in the world.
pub(crate) struct World {
    pub(crate) scene: Scene,
    pub(crate) parts: Vec<Part>,
    /// Positions for queries.
    places: Vec<DVec3>,
}

pub(crate) struct Part {
    pub(crate) target: HitTarget,
    solid: Solid,
}

enum Solid {
    Triangle { triangle: Triangle, pose: Pose, inner: [bool; 3], double_sided: bool },
    Shape(Shape),
}

/// The order that breaks ties.
pub(crate) fn order(target: &HitTarget) -> (BodyKind, u64, Option<u32>) {
    (target.kind, target.key, target.triangle)
}

/// A mesh and its inner edges.
pub(crate) struct Model {
    mesh: Arc<TriMesh>,
    inner: Vec<[bool; 3]>,
    double_sided: Vec<bool>,
}

impl Model {
    pub(crate) fn new((vertices, indices): &Mesh, double_sided: bool) -> Self {
        let mesh = TriMesh::new(vertices, indices, MeshOptions { double_sided }).expect("a mesh");
        let kinds = EdgeTopology::new(vertices, indices).expect("in range").into_kinds();
        let inner = kinds.iter().map(|kinds| kinds.map(EdgeKind::is_inner)).collect();
        Self { mesh: Arc::new(mesh), inner, double_sided: vec![double_sided; indices.len()] }
    }

    /// With flags of sides of some triangles.
    pub(crate) fn mixed(mesh: &Mesh, is_double_sided: impl Fn(usize) -> bool) -> Self {
        let plain = Self::new(mesh, false);
        let double_sided: Vec<bool> = (0..mesh.1.len()).map(is_double_sided).collect();
        let mesh = TriMesh::clone(&plain.mesh).with_double_sided(&double_sided).expect("flags");
        Self { mesh: Arc::new(mesh), double_sided, ..plain }
    }
}

impl World {
    pub(crate) fn new() -> Self {
        Self { scene: Scene::new(), parts: Vec::new(), places: Vec::new() }
    }

    pub(crate) fn place(&mut self, model: &Model, pose: Pose, key: u64) {
        let body = self
            .scene
            .insert(Body::mesh(model.mesh.clone(), pose).expect("in range").with_key(key));
        for (inner, i) in model.inner.iter().zip(0..) {
            let corners = model.mesh.triangle(i).expect("it has this triangle");
            let [a, b, c] = pose.triangle_to_world(corners);
            let triangle = Triangle::new(a, b, c).expect("in range");
            let kind = BodyKind::Mesh;
            let target = HitTarget { body, key, kind, triangle: Some(i), tag: 0 };
            let [ab, bc, ca] = *inner;
            let inner = if pose.is_mirrored() { [ca, bc, ab] } else { [ab, bc, ca] };
            let double_sided = model.double_sided[i as usize];
            self.parts.push(Part {
                target,
                solid: Solid::Triangle { triangle, pose, inner, double_sided },
            });
        }
    }

    pub(crate) fn shape(&mut self, shape: Shape, obstacle: bool, key: u64) {
        let body = if obstacle { Body::obstacle(shape) } else { Body::shape(shape) };
        let (kind, body) = (body.kind(), self.scene.insert(body.with_key(key)));
        let target = HitTarget { body, key, kind, triangle: None, tag: 0 };
        self.parts.push(Part { target, solid: Solid::Shape(shape) });
    }

    /// Some shapes of every kind around the positions.
    pub(crate) fn with_shapes(mut self, rng: &mut Rng) -> Self {
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
        self
    }

    pub(crate) fn some_place(&self, rng: &mut Rng) -> DVec3 {
        self.places[rng.below(self.places.len() as u32) as usize]
    }

    pub(crate) fn some_capsule(&self, rng: &mut Rng) -> Capsule {
        let at = self.some_place(rng) + rng.cube(0.8);
        let axis = if rng.chance(0.5) { DVec3::Z } else { rng.direction() * rng.range(0.0, 1.5) };
        Capsule::new(at, at + axis, rng.range(0.1, 0.6) as f32).expect("a capsule")
    }
}

pub(crate) fn some_filter(rng: &mut Rng) -> Filter {
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

/// Every fourth mesh is double-sided, every fourth in some of its triangles.
fn some_model(number: usize, mesh: &Mesh) -> Model {
    match number % 4 {
        0 => Model::new(mesh, true),
        1 => Model::mixed(mesh, |triangle| triangle % 3 == 0),
        _ => Model::new(mesh, false),
    }
}

/// Rotated, stretched and mirrored instances, some of them double-sided.
fn instances(rng: &mut Rng) -> World {
    let level = level::instances(120);
    let models: Vec<Model> =
        level.meshes.iter().enumerate().map(|(i, mesh)| some_model(i, mesh)).collect();
    let mut world = World::new();
    for (key, (mesh, pose)) in level.placements.iter().enumerate() {
        let corners = level.meshes[*mesh].0.iter().step_by(11);
        world.places.extend(corners.map(|vertex| pose.point_to_world(vertex.as_dvec3())));
        world.place(&models[*mesh], *pose, key as u64);
    }
    world.with_shapes(rng)
}

/// Tiles in three meshes, two of them at the same position.
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

pub(crate) fn worlds() -> Vec<(&'static str, World, Rng)> {
    let mut rng = Rng::new(&[3, 41]);
    let worlds = [
        ("dungeon", dungeon(&mut rng)),
        ("instances", instances(&mut rng)),
        ("floors", floors(&mut rng)),
    ];
    worlds.into_iter().map(|(name, world)| (name, world, Rng::new(&[5, 9]))).collect()
}

impl Part {
    fn sides(&self, filter: Filter) -> Sides {
        match self.solid {
            Solid::Triangle { double_sided: true, .. } => Sides::Both,
            _ => filter.sides,
        }
    }

    pub(crate) fn sweep(
        &self,
        capsule: &Capsule,
        motion: &Motion,
        filter: Filter,
    ) -> Option<SweepHit> {
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

    pub(crate) fn overlap(&self, capsule: &Capsule) -> Option<Overlap> {
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

    pub(crate) fn closest(&self, capsule: &Capsule) -> ClosestPoints {
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

    /// Whether the axis pierces a triangle: its push-out in a mesh then differs from that of the
    /// pair.
    pub(crate) fn is_pierced(&self, capsule: &Capsule) -> bool {
        let Solid::Triangle { .. } = self.solid else { return false };
        self.overlap(capsule)
            .is_some_and(|overlap| overlap.depth >= f64::from(capsule.radius()) * (1.0 - 1e-6))
    }

    /// Whether the contract allows this push-out of a pierced triangle, and whether it clears it.
    pub(crate) fn assert_way_out(
        &self,
        capsule: &Capsule,
        normal: Vec3,
        depth: f64,
        filter: Filter,
    ) {
        let Solid::Triangle { triangle, inner, .. } = &self.solid else { panic!("not pierced") };
        let push = normal.as_dvec3() * depth;
        let out = capsule.translated(push).expect("in range");
        // It clears the triangle's whole extent in that direction and not more, because the
        // surface goes on behind an inner edge.
        let along = |point: DVec3| normal.as_dvec3().dot(point);
        let bottom = along(out.p0()).min(along(out.p1())) - f64::from(out.radius());
        let top = triangle.vertices().map(along).into_iter().fold(f64::NEG_INFINITY, f64::max);
        assert!((bottom - top).abs() < 5e-6, "{} left of {:?}", bottom - top, self.target);
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
        assert!(through_cap || past_edge, "{:?} leaves {vertices:?} along {normal}", self.target);
    }
}
