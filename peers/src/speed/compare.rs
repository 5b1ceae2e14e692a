//! Compares the engines' answers: with `PhysX` on every query, with exact answers on some.

use crate::engine::physx::PhysX;
use crate::engine::reference::Reference;
use crate::engine::{Answer, DynEngine, Engine, Hit};
use crate::queries::{Kind, Query};
use capsweep::Sides;
use serde::Serialize;

/// Largest difference of two equal distances, metres.
const DISTANCE_TOLERANCE: f64 = 0.001;

/// Counts of differences between two engines' answers in one cell.
#[derive(Serialize)]
pub(super) struct Check {
    pub(super) mesh: String,
    pub(super) query: Kind,
    pub(super) engine: &'static str,
    /// `physx`, with the same sides, or `exact`.
    pub(super) against: &'static str,
    /// The sides of triangles that both see.
    pub(super) sides: &'static str,
    /// Queries compared.
    pub(super) asked: usize,
    /// One found a hit and the other did not.
    pub(super) found_differs: usize,
    /// Both found a hit, at distances more than 1 mm apart.
    pub(super) distance_differs: usize,
    /// The first query with different answers.
    pub(super) example: Option<Example>,
}

/// A query with different answers.
#[derive(Serialize)]
pub(super) struct Example {
    /// Middle of the capsule, or origin of the ray.
    pub(super) center: [f32; 3],
    /// Displacement.
    pub(super) motion: [f32; 3],
    /// The engine's answer.
    pub(super) answer: Option<Found>,
    /// The other's answer.
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

impl Check {
    /// Number of queries with different answers.
    pub(super) fn differ(&self) -> usize {
        self.found_differs + self.distance_differs
    }
}

/// Compares `engine` with the exact answers to the first `count` queries; `None` if it has no such
/// query.
pub(super) fn with_exact(
    engine: &dyn DynEngine,
    (reference, count): (&Reference<'_>, usize),
    (mesh, kind): (&str, Kind),
    queries: &[Query],
) -> Option<Check> {
    let sides = engine.sides(kind)?;
    let queries = &queries[..count.min(queries.len())];
    let exact: Vec<Answer> =
        queries.iter().map(|query| reference.answer(kind, query, sides)).collect();
    let answers = answers(engine, kind, queries);
    let names = (engine.name(), "exact", sides);
    Some(compare(names, (mesh, kind), queries, (&answers, &exact)))
}

/// Compares `engine` with `physx`, with the same sides, on every query.
///
/// `None` if either has no such query. Resets `physx` to fronts only, as it is timed.
pub(super) fn with_physx(
    engine: &dyn DynEngine,
    physx: &mut PhysX,
    (mesh, kind): (&str, Kind),
    queries: &[Query],
) -> Option<Check> {
    let sides = engine.sides(kind)?;
    Engine::sides(physx, kind)?;
    physx.set_sides(sides);
    let others = answers(physx, kind, queries);
    physx.set_sides(Sides::Front);
    let answers = answers(engine, kind, queries);
    let names = (engine.name(), PhysX::NAME, sides);
    Some(compare(names, (mesh, kind), queries, (&answers, &others)))
}

fn answers(engine: &dyn DynEngine, kind: Kind, queries: &[Query]) -> Vec<Answer> {
    let mut answers = Vec::new();
    engine.run(kind, queries, &mut answers);
    answers
}

/// Compares the answers to `queries` one by one.
fn compare(
    (engine, against, sides): (&'static str, &'static str, Sides),
    (mesh, query): (&str, Kind),
    queries: &[Query],
    (answers, others): (&[Answer], &[Answer]),
) -> Check {
    let mut check = Check {
        mesh: mesh.to_owned(),
        query,
        engine,
        against,
        sides: if sides == Sides::Front { "front" } else { "both" },
        asked: queries.len(),
        found_differs: 0,
        distance_differs: 0,
        example: None,
    };
    for ((query, answer), other) in queries.iter().zip(answers).zip(others) {
        match (answer, other) {
            (None, None) => continue,
            (Some(a), Some(b)) if (a.distance - b.distance).abs() <= DISTANCE_TOLERANCE => {
                continue;
            }
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
