//! The questions, one file each: what a line of `--queries` says, how it is asked, and what is answered, in JSON and in words.

mod around;
mod choose;
mod closest;
mod overlap;
mod part;
mod place;
mod ray;
mod supports;
mod sweep;

pub(crate) use around::{Around, Surroundings};
pub(crate) use closest::ClosestQuestion;
pub(crate) use overlap::OverlapQuestion;
pub(crate) use ray::RayQuestion;
pub(crate) use supports::{SLOPE_LIMIT, SupportsQuestion};
pub(crate) use sweep::SweepQuestion;

use crate::output::Text;
use crate::target::Target;
use anyhow::{Context, Result};
use capsweep::scene::Filter;
use capsweep::{Sides, Triangle};
use clap::ValueEnum;
use glam::DVec3;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A question with everything that it needs, checked.
pub(crate) trait Question: Sized + Sync {
    /// What a line of `--queries` says.
    type Line: DeserializeOwned;

    /// What is said if something is found.
    type Answer<'a>: Serialize + Text;

    /// What is said in words if nothing is.
    const CLEAR: &'static str;

    /// The question of a line, and the triangles that are there instead of the scene.
    fn read(line: Self::Line) -> Result<(Self, Option<Vec<Target>>)>;

    fn ask<'a>(&self, around: Around<'a>) -> Option<Self::Answer<'a>>;
}

/// Which sides count, as flags and lines say it.
#[derive(Debug, Clone, Copy, Default, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum SidesWord {
    /// Skip a triangle seen from behind, and a solid that the motion leads out of
    #[default]
    Front,
    /// Skip nothing
    Both,
}

impl SidesWord {
    pub(crate) fn filter(self, mask: u32) -> Filter {
        let sides = match self {
            Self::Front => Sides::Front,
            Self::Both => Sides::Both,
        };
        Filter { mask, sides, ..Filter::default() }
    }
}

/// The mask of a line that names none.
fn every_bit() -> u32 {
    u32::MAX
}

/// The triangles of a line, three corners each.
type Corners = Option<Vec<[DVec3; 3]>>;

fn triangles(corners: Corners) -> Result<Option<Vec<Target>>> {
    let triangle = |(index, [a, b, c]): (usize, [DVec3; 3])| {
        let made = Triangle::new(a, b, c).map(Target::Triangle);
        made.with_context(|| format!("triangles[{index}]"))
    };
    corners.map(|all| all.into_iter().enumerate().map(triangle).collect()).transpose()
}
