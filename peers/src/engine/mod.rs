//! The engines, behind one trait.
//!
//! To add one, implement [`Engine`] in a file here and build it in `speed/mod.rs`.

pub(crate) mod capsweep;
pub(crate) mod controller;
pub(crate) mod parry;
pub(crate) mod physx;
pub(crate) mod rapier;
pub(crate) mod reference;

use crate::clock::Stopwatch;
use crate::mesh::Geometry;
use crate::queries::{Kind, Query};
use ::capsweep::Sides;
use anyhow::Result;
use glam::Vec3;
use std::time::Duration;

/// The answer to a query that found something.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hit {
    /// Metres along the motion. For closest points, metres between the surfaces (0 in an overlap).
    /// 0 for an overlap query.
    pub(crate) distance: f64,
    /// Normal as the engine reports it, from the mesh to the capsule; zero if the query has none.
    pub(crate) normal: Vec3,
}

/// The answer to one query; `None` if it found nothing.
pub(crate) type Answer = Option<Hit>;

/// A mesh or a world in an engine's own form, with its queries.
pub(crate) trait Engine: Sized {
    /// The geometry that it is built from.
    type Source: Geometry;

    /// A query in the engine's own types. Made before the clock starts.
    type PreparedQuery;

    /// The engine's name in tables and files.
    const NAME: &'static str;

    /// Builds the engine's search structure with its default settings.
    fn build(source: &Self::Source) -> Result<Self>;

    /// The sides of triangles that queries of `kind` see; `None` if the engine has no such query.
    fn sides(&self, kind: Kind) -> Option<Sides>;

    /// Converts `query` to the engine's own types.
    fn prepare(&self, query: &Query) -> Self::PreparedQuery;

    /// First touch of the moving capsule.
    fn sweep(&self, query: &Self::PreparedQuery) -> Answer;

    /// Whether the capsule overlaps anything.
    fn overlap(&self, query: &Self::PreparedQuery) -> Answer;

    /// Closest points of the capsule within [`crate::queries::CLOSEST_LIMIT`].
    fn closest(&self, query: &Self::PreparedQuery) -> Answer;

    /// First triangle that a ray meets.
    fn ray(&self, query: &Self::PreparedQuery) -> Answer;
}

/// An [`Engine`] of any type, so that a list can hold them all.
pub(crate) trait DynEngine {
    /// As [`Engine::NAME`].
    fn name(&self) -> &'static str;

    /// As [`Engine::sides`].
    fn sides(&self, kind: Kind) -> Option<Sides>;

    /// Answers every query in order and returns the time. Calls inside are static.
    fn run(&self, kind: Kind, queries: &[Query], answers: &mut Vec<Answer>) -> Duration;
}

impl<E: Engine> DynEngine for E {
    fn name(&self) -> &'static str {
        E::NAME
    }

    fn sides(&self, kind: Kind) -> Option<Sides> {
        Engine::sides(self, kind)
    }

    fn run(&self, kind: Kind, queries: &[Query], answers: &mut Vec<Answer>) -> Duration {
        let prepared: Vec<E::PreparedQuery> =
            queries.iter().map(|query| self.prepare(query)).collect();
        answers.clear();
        answers.reserve(prepared.len());
        let watch = Stopwatch::start();
        match kind {
            Kind::Step | Kind::Dash | Kind::Drop | Kind::Long => {
                answers.extend(prepared.iter().map(|query| self.sweep(query)));
            }
            Kind::Overlap => answers.extend(prepared.iter().map(|query| self.overlap(query))),
            Kind::Closest => answers.extend(prepared.iter().map(|query| self.closest(query))),
            Kind::Ray => answers.extend(prepared.iter().map(|query| self.ray(query))),
        }
        watch.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::parry::Parry;
    use super::physx::PhysX;
    use super::*;
    use crate::mesh::Mesh;

    /// A floor at z = 0 that faces up, 20 × 30 m.
    fn floor() -> Mesh {
        let corners = [(-7.0, -9.0), (13.0, -9.0), (13.0, 21.0), (-7.0, 21.0)];
        Mesh {
            name: "floor".to_owned(),
            vertices: corners.map(|(x, y)| Vec3::new(x, y, 0.0)).into(),
            triangles: vec![[0, 1, 2], [0, 2, 3]],
        }
    }

    fn distance(subject: &dyn DynEngine, kind: Kind, center: Vec3, motion: Vec3) -> Option<f64> {
        let mut answers = Vec::new();
        subject.run(kind, &[Query { center, motion }], &mut answers);
        answers[0].map(|hit| hit.distance)
    }

    /// The capsule is upright and has the right size, and the sides are right.
    #[test]
    fn engines_find_a_floor_where_it_is() {
        let mut physx = PhysX::build(&floor()).unwrap();
        let parry = Parry::build(&floor()).unwrap();
        let above = Vec3::new(1.0, 2.0, 1.5);
        for subject in [&physx as &dyn DynEngine, &parry] {
            let found = |kind, motion| distance(subject, kind, above, motion);
            let near = |found: Option<f64>, metres: f64| {
                assert!(
                    found.is_some_and(|d| (d - metres).abs() < 1e-3),
                    "{found:?} is not {metres}"
                );
            };
            near(found(Kind::Drop, Vec3::Z * -2.0), 0.6);
            near(found(Kind::Ray, Vec3::Z * -50.0), 1.5);
            assert_eq!(found(Kind::Drop, Vec3::Z * -0.5), None);
            assert_eq!(found(Kind::Overlap, Vec3::ZERO), None);
            let lower = distance(subject, Kind::Overlap, above - Vec3::Z * 0.7, Vec3::ZERO);
            assert_eq!(lower, Some(0.0));
        }
        assert!((distance(&parry, Kind::Closest, above, Vec3::ZERO).unwrap() - 0.6).abs() < 1e-3);

        let below = Vec3::new(1.0, 2.0, -1.5);
        assert_eq!(distance(&physx, Kind::Dash, below, Vec3::Z * 5.0), None);
        assert_eq!(distance(&parry, Kind::Ray, below, Vec3::Z * 5.0), None);
        physx.set_sides(Sides::Both);
        for subject in [&physx as &dyn DynEngine, &parry] {
            let found = distance(subject, Kind::Dash, below, Vec3::Z * 5.0);
            assert!(found.is_some_and(|d| (d - 0.6).abs() < 1e-3), "{found:?}");
        }
    }
}
