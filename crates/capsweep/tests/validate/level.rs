//! Small levels, and a validator for them.

use capsweep::HalfSpace;
use capsweep::controller::{Controller, ControllerConfig, Locomotion, LocomotionConfig};
use capsweep::scene::{Body, MeshOptions, Pose, Scene, Shape, TriMesh};
use capsweep::validate::{
    Accepted, Claim, ClaimWorld, Judgement, Reason, SpeedLimits, Validator, ValidatorConfig,
    Verdict,
};
use glam::{DVec3, Vec3, dvec3};
use std::sync::Arc;

/// Quads of a level, with corners counter-clockwise seen from the front.
#[derive(Default)]
pub(crate) struct Level {
    vertices: Vec<Vec3>,
    indices: Vec<[u32; 3]>,
}

impl Level {
    pub(crate) fn quad(mut self, corners: [[f64; 3]; 4]) -> Self {
        let first = self.vertices.len() as u32;
        self.vertices.extend(corners.map(|[x, y, z]| dvec3(x, y, z).as_vec3()));
        self.indices.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
        self
    }

    /// A level floor at height `z` for x from `from` to `to`.
    pub(crate) fn floor(self, from: f64, to: f64, z: f64) -> Self {
        self.quad([[from, -9.0, z], [to, -9.0, z], [to, 9.0, z], [from, 9.0, z]])
    }

    /// A wall at `x`, 4 m high.
    pub(crate) fn wall(self, x: f64) -> Self {
        self.quad([[x, -9.0, 0.0], [x, -9.0, 4.0], [x, 9.0, 4.0], [x, 9.0, 0.0]])
    }

    pub(crate) fn scene(&self) -> Scene {
        self.scene_with(MeshOptions::default())
    }

    pub(crate) fn double_sided_scene(&self) -> Scene {
        self.scene_with(MeshOptions { double_sided: true })
    }

    fn scene_with(&self, options: MeshOptions) -> Scene {
        let mesh = TriMesh::new(&self.vertices, &self.indices, options).unwrap();
        let mut scene = Scene::new();
        scene.insert(Body::mesh(Arc::new(mesh), Pose::IDENTITY).unwrap());
        scene
    }
}

/// An endless floor at height 0.
pub(crate) fn plain() -> Scene {
    let mut scene = Scene::new();
    scene.insert(Body::shape(Shape::HalfSpace(HalfSpace::new(DVec3::ZERO, DVec3::Z).unwrap())));
    scene
}

/// A validator for a person.
pub(crate) fn validator() -> Validator {
    let controller = Controller::new(ControllerConfig::human(DVec3::Z)).unwrap();
    let locomotion = Locomotion::new(controller, LocomotionConfig::human()).unwrap();
    Validator::new(locomotion, ValidatorConfig::default()).unwrap()
}

/// A chain that starts at rest.
pub(crate) fn start(world: &ClaimWorld, feet: DVec3) -> Accepted {
    validator().start(world, feet, Some(DVec3::ZERO), SpeedLimits::human()).unwrap()
}

/// Judges claims in turn until one is not possible. Returns the last judgement.
pub(crate) fn judge(world: &ClaimWorld, start: &Accepted, claims: &[Claim]) -> Judgement {
    let mut accepted = *start;
    let mut last = None;
    for claim in claims {
        let judgement = validator().check(world, &accepted, claim);
        last = Some(judgement);
        if judgement.verdict != Verdict::Possible {
            break;
        }
        accepted = judgement.next;
    }
    last.unwrap()
}

/// The reason of an impossible claim.
pub(crate) fn reason(judgement: &Judgement) -> Reason {
    match judgement.verdict {
        Verdict::Impossible { reason, .. } => reason,
        other => panic!("{other:?}"),
    }
}
