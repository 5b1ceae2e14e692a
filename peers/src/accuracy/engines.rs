//! A question as each engine is asked it.

use super::question::Question;
use crate::engine::physx::{self, PhysX};
use crate::engine::{Answer, Engine, Hit, parry};
use crate::mesh::Mesh;
use anyhow::Result;
use capsweep::scene::{Body, Filter, MeshOptions, Pose, Scene, TriMesh};
use capsweep::{Motion, Sides};
use std::sync::Arc;

/// An engine that is examined.
pub(super) struct Examinee {
    pub(super) name: &'static str,
    /// The sides that its sweeps see; `None` if they see what they are told to.
    pub(super) sides: Option<Sides>,
    /// Its answer to a question; an error if it does not take the triangle.
    pub(super) answer: fn(&Question, Sides) -> Result<Answer>,
}

/// All of them. Rapier's queries are Parry's: `rapier_casts_as_parry_does` in `engine/rapier.rs`.
pub(super) const ENGINES: [Examinee; 3] = [
    Examinee { name: "capsweep", sides: None, answer: capsweep },
    Examinee { name: "physx", sides: None, answer: physx },
    Examinee { name: "parry", sides: Some(Sides::Both), answer: parry },
];

fn capsweep(question: &Question, sides: Sides) -> Result<Answer> {
    let mesh = TriMesh::new(&question.corners, &[[0, 1, 2]], MeshOptions::default())?;
    let mut scene = Scene::new();
    scene.insert(Body::mesh(Arc::new(mesh), Pose::IDENTITY)?);
    let motion = Motion::new(question.motion.as_dvec3())?;
    let found = scene.sweep(&question.capsule()?, &motion, &Filter { sides, ..Filter::default() });
    Ok(found.map(|found| Hit { distance: found.hit.distance, normal: found.hit.normal }))
}

/// The triangle as a mesh.
fn mesh(question: &Question) -> Mesh {
    let vertices = question.corners.to_vec();
    Mesh { name: "triangle".to_owned(), vertices, triangles: vec![[0, 1, 2]] }
}

fn physx(question: &Question, sides: Sides) -> Result<Answer> {
    let mut built = PhysX::build(&mesh(question))?;
    built.set_sides(sides);
    let capsule = physx::Posed::new(question.center, question.half_axis, question.radius);
    Ok(built.sweep_posed(&capsule, question.motion))
}

fn parry(question: &Question, _: Sides) -> Result<Answer> {
    let built = parry::Parry::build(&mesh(question))?;
    let Question { center, half_axis, radius, motion, .. } = *question;
    Ok(built.sweep_capsule(center, half_axis, radius, motion))
}
