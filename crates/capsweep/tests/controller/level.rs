//! Test levels, and a character that walks in them.

use capsweep::cache::TriangleCache;
use capsweep::controller::{
    CharacterState, Controller, ControllerConfig, MoveInput, MoveOutcome, Obstruction,
};
use capsweep::scene::{Body, Filter, MeshOptions, Pose, Scene, TriMesh};
use capsweep::{Capsule, Motion};
use glam::{DVec3, Vec3, vec3};
use std::sync::Arc;

/// A builder of triangle meshes whose fronts are outside.
#[derive(Debug, Clone, Default)]
pub(crate) struct Level {
    vertices: Vec<Vec3>,
    indices: Vec<[u32; 3]>,
}

impl Level {
    /// A square floor of 200 × 200 m at height 0.
    pub(crate) fn floor() -> Self {
        Self::default().quad(
            vec3(-100.0, -100.0, 0.0),
            vec3(100.0, -100.0, 0.0),
            vec3(100.0, 100.0, 0.0),
            vec3(-100.0, 100.0, 0.0),
        )
    }

    pub(crate) fn triangle(mut self, a: Vec3, b: Vec3, c: Vec3) -> Self {
        let first = self.vertices.len() as u32;
        self.vertices.extend([a, b, c]);
        self.indices.push([first, first + 1, first + 2]);
        self
    }

    /// The corners run counter-clockwise, seen from the front.
    pub(crate) fn quad(self, a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> Self {
        self.triangle(a, b, c).triangle(a, c, d)
    }

    /// A closed box.
    pub(crate) fn cuboid(self, low: Vec3, high: Vec3) -> Self {
        self.prism(
            &[(low.x, low.z), (high.x, low.z), (high.x, high.z), (low.x, high.z)],
            low.y,
            high.y,
        )
    }

    /// A convex profile in x and z, counter-clockwise seen from −y, extruded along y from `left`
    /// to `right`.
    pub(crate) fn prism(mut self, profile: &[(f32, f32)], left: f32, right: f32) -> Self {
        let at = |(x, z): (f32, f32), y| vec3(x, y, z);
        for (i, &from) in profile.iter().enumerate() {
            let to = profile[(i + 1) % profile.len()];
            self = self.quad(at(from, left), at(from, right), at(to, right), at(to, left));
        }
        for i in 2..profile.len() {
            let [a, b, c] = [profile[0], profile[i - 1], profile[i]];
            self = self.triangle(at(a, left), at(b, left), at(c, left)).triangle(
                at(a, right),
                at(c, right),
                at(b, right),
            );
        }
        self
    }

    /// `steps` closed steps, 6 m wide, that climb along x from `at`.
    pub(crate) fn stairs(mut self, at: f32, steps: u32, rise: f32, tread: f32) -> Self {
        for i in 0..steps {
            let (near, top) = (at + tread * i as f32, rise * (i + 1) as f32);
            let far = if i + 1 == steps { near + 10.0 } else { near + tread };
            self = self.cuboid(vec3(near, -3.0, -0.5), vec3(far, 3.0, top));
        }
        self
    }

    /// A wedge, 20 m wide, that rises along x from `at` by `rise` over `run`, and a flat top of 10
    /// m.
    pub(crate) fn ramp(self, at: f32, run: f32, rise: f32) -> Self {
        self.prism(&[(at, 0.0), (at + run, -0.5), (at + run, rise)], -10.0, 10.0)
            .cuboid(vec3(at + run, -10.0, -0.5), vec3(at + run + 10.0, 10.0, rise))
    }

    /// The same level, `scale` times as large.
    pub(crate) fn scaled(mut self, scale: f32) -> Self {
        self.vertices.iter_mut().for_each(|vertex| *vertex *= scale);
        self
    }

    pub(crate) fn mesh(&self) -> Arc<TriMesh> {
        self.mesh_with(MeshOptions::default())
    }

    pub(crate) fn mesh_with(&self, options: MeshOptions) -> Arc<TriMesh> {
        let mesh = TriMesh::new(&self.vertices, &self.indices, options);
        Arc::new(mesh.expect("a mesh that can be built"))
    }

    pub(crate) fn scene(&self) -> Scene {
        self.scene_at(DVec3::ZERO)
    }

    pub(crate) fn scene_at(&self, position: DVec3) -> Scene {
        let mut scene = Scene::new();
        scene.insert(
            Body::mesh(self.mesh(), Pose::from_translation(position).expect("in range"))
                .expect("in range"),
        );
        scene
    }
}

pub(crate) fn physx() -> ControllerConfig {
    ControllerConfig::physx(DVec3::Z)
}

pub(crate) fn human() -> ControllerConfig {
    ControllerConfig::human(DVec3::Z)
}

/// A character that walks in a scene.
#[derive(Debug, Clone)]
pub(crate) struct Walk {
    pub(crate) scene: Scene,
    pub(crate) controller: Controller,
    pub(crate) cache: TriangleCache,
    pub(crate) state: CharacterState,
    pub(crate) last: MoveOutcome,
}

impl Walk {
    /// A character spawned at `feet`, after one move without displacement.
    pub(crate) fn start(scene: &Scene, config: ControllerConfig, feet: DVec3) -> Self {
        let controller = Controller::new(config).expect("a sound configuration");
        let state = controller.spawn(feet).expect("in range");
        let mut cache = TriangleCache::new();
        let last = controller.move_by(scene, &mut cache, &state, &input(DVec3::ZERO));
        let state = last.state;
        Self { scene: scene.clone(), controller, cache, state, last }
    }

    pub(crate) fn feet(&self) -> DVec3 {
        self.controller.feet(&self.state)
    }

    /// The character without its skin.
    pub(crate) fn body(&self) -> Capsule {
        let state = &self.state;
        let half = f64::from(state.total_height() * 0.5 - state.radius());
        let half_axis = self.controller.up() * half;
        Capsule::from_center(state.center(), half_axis, state.radius()).expect("in range")
    }

    /// Depth of the deepest overlap of the body, without its skin; 0 if it is free.
    pub(crate) fn depth(&self) -> f64 {
        let deepest = self.scene.overlap(&self.body(), &Filter::default());
        deepest.map_or(0.0, |overlap| overlap.hit.depth)
    }

    pub(crate) fn is_crushed(&self) -> bool {
        matches!(self.last.obstruction, Obstruction::Crushed { .. })
    }

    /// Moves once by `displacement`.
    pub(crate) fn go(&mut self, displacement: DVec3) -> &MoveOutcome {
        self.move_with(&input(displacement))
    }

    /// Moves once.
    pub(crate) fn move_with(&mut self, input: &MoveInput) -> &MoveOutcome {
        self.last = self.controller.move_by(&self.scene, &mut self.cache, &self.state, input);
        self.state = self.last.state;
        &self.last
    }

    /// Walks with `velocity`, and 5 m/s down, for `seconds`, with `hz` moves per second.
    pub(crate) fn walk(&mut self, velocity: DVec3, seconds: f64, hz: u32) -> &mut Self {
        let dt = 1.0 / f64::from(hz);
        for _ in 0..moves(seconds, hz) {
            self.go((velocity - DVec3::Z * 5.0) * dt);
        }
        self
    }
}

pub(crate) fn input(displacement: DVec3) -> MoveInput {
    MoveInput::new(Motion::new(displacement).expect("finite"))
}

/// Number of moves in `seconds`.
#[allow(clippy::cast_sign_loss, reason = "seconds are never negative")]
fn moves(seconds: f64, hz: u32) -> u32 {
    (seconds * f64::from(hz)).round() as u32
}

/// Asserts that two points are at most `within` metres apart.
#[track_caller]
pub(crate) fn assert_near(found: DVec3, wanted: DVec3, within: f64) {
    assert!((found - wanted).length() <= within, "{found} is not {wanted} to {within}");
}
