//! The part of a level that a walk, its pictures and a benchmark look at: all of it, or a box
//! around the start in a map, which is too large.

use crate::load;
use anyhow::{Context, Result};
use capsweep::Aabb;
use capsweep::persist::MapUnit;
use capsweep_formats::Level;
use glam::DVec3;

/// From the start in a map to each side of the area, in units of the map.
const REACH: f64 = 150.0;
/// From a walk to the sides of the area of its pictures, in units of the map.
const MARGIN: f64 = 20.0;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Area {
    /// `None` if the level is empty.
    pub(crate) bounds: Option<Aabb>,
    /// Whether the level goes on beyond the bounds.
    pub(crate) is_part: bool,
    pub(crate) unit: MapUnit,
}

impl Area {
    /// The area around a start, which a map needs.
    pub(crate) fn new(level: &Level, start: Option<DVec3>) -> Result<Self> {
        let unit = load::unit(level);
        if level.map.is_none() {
            return Ok(Self { bounds: load::bounds(&level.scene), is_part: false, unit });
        }
        let start = start.context(
            "a map is too large to search for a start: give --start x,y,z, on or over the ground",
        )?;
        let reach = DVec3::splat(REACH);
        let bounds = Aabb::new(start - reach, start + reach).context("the area of --start")?;
        Ok(Self { bounds: Some(bounds), is_part: true, unit })
    }

    /// Whether a position is in the area, seen from above. All positions are in a whole level.
    pub(crate) fn has(&self, position: DVec3) -> bool {
        let inside = |all: Aabb| {
            let [low, at, high] = [all.min(), position, all.max()].map(DVec3::truncate);
            at.cmpge(low).all() && at.cmple(high).all()
        };
        !self.is_part || self.bounds.is_none_or(inside)
    }

    /// The area of the pictures of a walk, which a script may lead further.
    pub(crate) fn around(self, walk: impl Iterator<Item = DVec3>) -> Result<Self> {
        let (Some(mut bounds), true) = (self.bounds, self.is_part) else { return Ok(self) };
        let (low, high) = walk.fold((bounds.max(), bounds.min()), |(low, high), feet| {
            (low.min(feet - MARGIN), high.max(feet + MARGIN))
        });
        bounds = bounds.union(&Aabb::new(low.min(high), high.max(low))?);
        Ok(Self { bounds: Some(bounds), ..self })
    }

    /// The lowest and the highest height.
    pub(crate) fn heights(&self) -> [f64; 2] {
        self.bounds.map_or([0.0, 0.0], |all| [all.min().z, all.max().z])
    }
}
