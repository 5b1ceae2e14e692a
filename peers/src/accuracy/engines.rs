//! Runs a case on each engine.

use super::case::SweepCase;
use crate::engine::physx::{self, PhysX};
use crate::engine::{Answer, Engine, Hit, parry};
use crate::mesh::Mesh;
use anyhow::Result;
use capsweep::scene::{Body, Filter, MeshOptions, Pose, Scene, TriMesh};
use capsweep::{Motion, Sides};
use std::sync::Arc;

/// An engine under test.
pub(super) struct TestedEngine {
    pub(super) name: &'static str,
    /// The sides that its sweeps see; `None` if the caller chooses them.
    pub(super) sides: Option<Sides>,
    /// Its answer to a case; an error if it refuses the triangle.
    pub(super) answer: fn(&SweepCase, Sides) -> Result<Answer>,
}

/// All engines. Rapier's queries are Parry's: `rapier_casts_as_parry_does` in `engine/rapier.rs`.
pub(super) const ENGINES: [TestedEngine; 3] = [
    TestedEngine { name: "capsweep", sides: None, answer: capsweep },
    TestedEngine { name: "physx", sides: None, answer: physx },
    TestedEngine { name: "parry", sides: Some(Sides::Both), answer: parry },
];

fn capsweep(case: &SweepCase, sides: Sides) -> Result<Answer> {
    let mesh = TriMesh::new(&case.corners, &[[0, 1, 2]], MeshOptions::default())?;
    let mut scene = Scene::new();
    scene.insert(Body::mesh(Arc::new(mesh), Pose::IDENTITY)?);
    let motion = Motion::new(case.motion.as_dvec3())?;
    let found = scene.sweep(&case.capsule()?, &motion, &Filter { sides, ..Filter::default() });
    Ok(found.map(|found| Hit { distance: found.hit.distance, normal: found.hit.normal }))
}

/// The triangle as a mesh.
fn mesh(case: &SweepCase) -> Mesh {
    let vertices = case.corners.to_vec();
    Mesh { name: "triangle".to_owned(), vertices, triangles: vec![[0, 1, 2]] }
}

fn physx(case: &SweepCase, sides: Sides) -> Result<Answer> {
    let mut built = PhysX::build(&mesh(case))?;
    built.set_sides(sides);
    let capsule = physx::PosedCapsule::new(case.center, case.half_axis, case.radius);
    Ok(built.sweep_capsule(&capsule, case.motion))
}

fn parry(case: &SweepCase, _: Sides) -> Result<Answer> {
    let built = parry::Parry::build(&mesh(case))?;
    let SweepCase { center, half_axis, radius, motion, .. } = *case;
    Ok(built.sweep_capsule(center, half_axis, radius, motion))
}
