//! Do the engines agree? Against `PhysX` on every query, against exact answers on some.

use crate::engine::physx::PhysX;
use crate::engine::reference::Reference;
use crate::engine::{Answer, Engine, Hit, Subject};
use crate::mesh::Mesh;
use crate::queries::{Kind, Query};
use capsweep::Sides;
use serde::Serialize;

/// Two distances further apart than this disagree, metres.
const AGREE: f64 = 0.001;

/// How often one engine's answers differ from another's in one cell.
#[derive(Serialize)]
pub(super) struct Check {
    pub(super) mesh: String,
    pub(super) query: Kind,
    pub(super) engine: &'static str,
    /// `physx`, told to see the same sides, or `exact`.
    pub(super) against: &'static str,
    /// Which sides of triangles both were told to see.
    pub(super) sides: &'static str,
    /// Queries compared.
    pub(super) asked: usize,
    /// One found something and the other nothing.
    pub(super) found_differs: usize,
    /// Both found something, at distances more than 1 mm apart.
    pub(super) distance_differs: usize,
    /// The first that differs.
    pub(super) example: Option<Example>,
}

/// A query whose answers differ.
#[derive(Serialize)]
pub(super) struct Example {
    /// Middle of the capsule, or origin of the ray.
    pub(super) center: [f32; 3],
    /// Displacement.
    pub(super) motion: [f32; 3],
    /// What the engine found, if anything.
    pub(super) answer: Option<Found>,
    /// What the other found, if anything.
    pub(super) other: Option<Found>,
}

/// An answer as files show it.
#[derive(Serialize)]
pub(super) struct Found {
    /// Metres.
    pub(super) distance: f64,
    /// As the engine reports it.
    pub(super) normal: [f32; 3],
}

impl From<Hit> for Found {
    fn from(hit: Hit) -> Self {
        Self { distance: hit.distance, normal: hit.normal.to_array() }
    }
}

/// What answers are compared with.
pub(super) struct Checker<'a> {
    physx: PhysX,
    reference: &'a Reference,
    exact: usize,
}

impl Check {
    /// Queries whose answers differ.
    pub(super) fn differ(&self) -> usize {
        self.found_differs + self.distance_differs
    }
}

impl<'a> Checker<'a> {
    /// Compares with `physx` on every query and with `reference` on the first `exact` of them.
    pub(super) fn new(physx: PhysX, reference: &'a Reference, exact: usize) -> Self {
        Self { physx, reference, exact }
    }

    /// `PhysX` as it is timed: fronts only.
    pub(super) fn physx(&self) -> &PhysX {
        &self.physx
    }

    /// `PhysX` against exact answers.
    pub(super) fn check_physx(&self, mesh: &Mesh, kind: Kind, queries: &[Query]) -> Option<Check> {
        let sides = Engine::sides(&self.physx, kind)?;
        let mut answers = Vec::new();
        self.physx.run(kind, queries, &mut answers);
        let exact = self.exact(kind, queries, sides);
        let pair = (PhysX::NAME, "exact", sides);
        Some(compare(mesh, kind, queries, (pair, &answers, &exact)))
    }

    /// `subject` against `PhysX`, where that has the query, and against exact answers.
    pub(super) fn check(
        &mut self,
        subject: &dyn Subject,
        mesh: &Mesh,
        kind: Kind,
        queries: &[Query],
    ) -> Vec<Check> {
        let Some(sides) = subject.sides(kind) else { return Vec::new() };
        let mut answers = Vec::new();
        subject.run(kind, queries, &mut answers);
        let exact = self.exact(kind, queries, sides);
        let pair = (subject.name(), "exact", sides);
        let mut checks = vec![compare(mesh, kind, queries, (pair, &answers, &exact))];
        if Engine::sides(&self.physx, kind).is_some() {
            let mut others = Vec::new();
            self.physx.set_sides(sides);
            self.physx.run(kind, queries, &mut others);
            self.physx.set_sides(Sides::Front);
            let pair = (subject.name(), PhysX::NAME, sides);
            checks.push(compare(mesh, kind, queries, (pair, &answers, &others)));
        }
        checks
    }

    fn exact(&self, kind: Kind, queries: &[Query], sides: Sides) -> Vec<Answer> {
        let some = queries.iter().take(self.exact);
        some.map(|query| self.reference.answer(kind, query, sides)).collect()
    }
}

type Pair<'a> = ((&'static str, &'static str, Sides), &'a [Answer], &'a [Answer]);

/// Compares as many answers as both lists have.
fn compare(
    mesh: &Mesh,
    query: Kind,
    queries: &[Query],
    ((engine, against, sides), answers, others): Pair<'_>,
) -> Check {
    let mut check = Check {
        mesh: mesh.name.clone(),
        query,
        engine,
        against,
        sides: if sides == Sides::Front { "front" } else { "both" },
        asked: answers.len().min(others.len()),
        found_differs: 0,
        distance_differs: 0,
        example: None,
    };
    for ((query, answer), other) in queries.iter().zip(answers).zip(others) {
        match (answer, other) {
            (None, None) => continue,
            (Some(a), Some(b)) if (a.distance - b.distance).abs() <= AGREE => continue,
            (Some(_), Some(_)) => check.distance_differs += 1,
            _ => check.found_differs += 1,
        }
        check.example.get_or_insert_with(|| Example {
            center: query.center.to_array(),
            motion: query.motion.to_array(),
            answer: answer.map(Found::from),
            other: other.map(Found::from),
        });
    }
    check
}
