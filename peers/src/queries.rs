//! The queries: the same for every engine, deterministic and in random order.

use crate::engine::reference::Reference;
use anyhow::{Result, ensure};
use capsweep_testkit::Rng;
use glam::Vec3;
use serde::Serialize;

/// Radius of the capsule, metres.
pub(crate) const RADIUS: f32 = 0.4;
/// Half of the capsule's axis, metres: the capsule is 1.8 m tall.
pub(crate) const HALF_AXIS: f32 = 0.5;
/// Gap between a capsule at its start and the surface below it, metres.
const GAP: f32 = 0.02;
/// Largest distance of closest points, metres.
pub(crate) const CLOSEST_LIMIT: f32 = 2.0;

/// A kind of query: one column of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// Sweep of 0.13 m sideways: a tick of walking.
    Step,
    /// Sweep of 5 m, any direction.
    Dash,
    /// Sweep of 2 m down, to find the ground.
    Drop,
    /// Sweep of 50 m, any direction.
    Long,
    /// Whether the capsule overlaps anything. About half of them do.
    Overlap,
    /// Closest points of the capsule and the mesh, within [`CLOSEST_LIMIT`].
    Closest,
    /// Ray of 50 m from the capsule's centre, any direction.
    Ray,
}

impl Kind {
    /// Every kind, in the order of the table.
    pub(crate) const ALL: [Self; 7] =
        [Self::Step, Self::Dash, Self::Drop, Self::Long, Self::Overlap, Self::Closest, Self::Ray];

    /// Whether the capsule moves.
    pub(crate) fn is_sweep(self) -> bool {
        matches!(self, Self::Step | Self::Dash | Self::Drop | Self::Long)
    }

    /// The name in tables and files.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Step => "step",
            Self::Dash => "dash",
            Self::Drop => "drop",
            Self::Long => "long",
            Self::Overlap => "overlap",
            Self::Closest => "closest",
            Self::Ray => "ray",
        }
    }
}

/// An upright capsule (or, for a ray, a point) and its motion; f32, so that no engine rounds it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Query {
    /// Middle of the capsule; origin of the ray.
    pub(crate) center: Vec3,
    /// Displacement; zero for static queries.
    pub(crate) motion: Vec3,
}

/// Finds `count` capsule centres by dropping capsules from random points in and above the mesh.
///
/// A capsule at its start overlaps nothing and stands on a face that points up.
///
/// # Errors
/// If too few capsules land.
pub(crate) fn starts(reference: &Reference<'_>, count: usize) -> Result<Vec<Vec3>> {
    let (min, max) = reference.bounds();
    let (min, max) = (min.as_vec3(), max.as_vec3());
    let mut rng = Rng::from_seed(3);
    let mut starts = Vec::with_capacity(count);
    let mut tries = 0usize;
    while starts.len() < count {
        tries += 1;
        ensure!(tries <= 500 * count, "only {} capsules find a place to stand", starts.len());
        let center = Vec3::new(
            rng.range_f32(min.x, max.x),
            rng.range_f32(min.y, max.y),
            rng.range_f32(min.z, max.z + 2.0),
        );
        starts.extend(drop_capsule(reference, center, center.z - min.z + 2.0));
    }
    Ok(starts)
}

/// Drops a capsule by at most `height` from `center` and returns its centre.
///
/// `None` if it overlaps something, lands on nothing, or lands on a back face or the edge of a
/// wall.
fn drop_capsule(reference: &Reference<'_>, center: Vec3, height: f32) -> Option<Vec3> {
    let distance = reference.fall(center, height)? as f32;
    let landed = center - Vec3::Z * (distance - GAP);
    (distance >= GAP && !reference.overlap(landed)).then_some(landed)
}

/// Generates one query of kind `kind` for every start, in random order.
pub(crate) fn generate(kind: Kind, starts: &[Vec3]) -> Vec<Query> {
    let mut rng = Rng::from_seed(100 + kind as u64);
    let mut queries: Vec<Query> =
        starts.iter().map(|&start| query(kind, start, &mut rng)).collect();
    rng.shuffle(&mut queries);
    queries
}

fn query(kind: Kind, start: Vec3, rng: &mut Rng) -> Query {
    let (offset, motion) = match kind {
        Kind::Step => (Vec3::ZERO, (rng.circle_f32() * 0.13).extend(0.0)),
        Kind::Dash => (Vec3::ZERO, rng.direction_f32() * 5.0),
        Kind::Drop => (Vec3::ZERO, Vec3::new(0.0, 0.0, -2.0)),
        Kind::Long | Kind::Ray => (Vec3::ZERO, rng.direction_f32() * 50.0),
        Kind::Overlap => (rng.cube_f32(0.25), Vec3::ZERO),
        Kind::Closest => (Vec3::Z * rng.range_f32(0.0, 1.5), Vec3::ZERO),
    };
    Query { center: start + offset, motion }
}
