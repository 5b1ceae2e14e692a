//! The queries, one file each: the keys of a query line, the call into the library, and the answer
//! as JSON and as text.

mod closest;
mod details;
mod liquid;
mod named_target;
mod overlap;
mod ray;
mod supports;
mod sweep;
mod tie_break;
mod world;

pub(crate) use closest::ClosestQuery;
pub(crate) use liquid::LiquidQuery;
pub(crate) use named_target::NamedTarget;
pub(crate) use overlap::OverlapQuery;
pub(crate) use ray::RayQuery;
pub(crate) use supports::{SLOPE_LIMIT, SupportsQuery};
pub(crate) use sweep::SweepQuery;
pub(crate) use world::{QueryWorld, WorldRef};

use crate::output::Text;
use crate::target::Target;
use anyhow::{Context, Result};
use capsweep::scene::Filter;
use capsweep::{Sides, Triangle};
use clap::ValueEnum;
use glam::DVec3;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A query with checked inputs.
pub(crate) trait Query: Sized + Sync {
    /// The JSON object on a line of `--queries`.
    type Line: DeserializeOwned;

    /// The answer if the query finds something.
    type Answer<'a>: Serialize + Text;

    /// The text output if the query finds nothing.
    const CLEAR: &'static str;

    /// Checks a query line. Also returns the line's own triangles, which replace the scene.
    fn from_line(line: Self::Line) -> Result<(Self, Option<Vec<Target>>)>;

    fn run<'a>(&self, world: WorldRef<'a>) -> Option<Self::Answer<'a>>;
}

/// The JSON answer of a query that finds nothing.
#[derive(Serialize)]
pub(crate) struct ClearAnswer {
    hit: bool,
}

impl ClearAnswer {
    pub(crate) const VALUE: Self = Self { hit: false };
}

/// The sides that a query meets, as flags and query lines spell them.
#[derive(Debug, Clone, Copy, Default, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum SidesArg {
    /// Skip triangles met from behind, and solids that the motion leaves
    #[default]
    Front,
    /// Skip nothing
    Both,
}

impl SidesArg {
    pub(crate) fn filter(self, mask: u32) -> Filter {
        let sides = match self {
            Self::Front => Sides::Front,
            Self::Both => Sides::Both,
        };
        Filter { mask, sides, ..Filter::default() }
    }
}

/// The default mask of a query line: every bit.
fn all_bits() -> u32 {
    u32::MAX
}

/// The triangles of a query line, three corners each.
type LineCorners = Option<Vec<[DVec3; 3]>>;

fn line_triangles(corners: LineCorners) -> Result<Option<Vec<Target>>> {
    let triangle = |(index, [a, b, c]): (usize, [DVec3; 3])| {
        let triangle = Triangle::new(a, b, c).map(Target::Triangle);
        triangle.with_context(|| format!("triangles[{index}]"))
    };
    corners.map(|all| all.into_iter().enumerate().map(triangle).collect()).transpose()
}
