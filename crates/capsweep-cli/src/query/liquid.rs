//! The liquid query: the liquid that a point is in, or all over and under it.

use super::{Query, WorldRef};
use crate::output::{Rows, Text, count, length, number};
use crate::target::Target;
use anyhow::Result;
use capsweep::Point;
use capsweep::persist::MapUnit;
use capsweep::query::Liquid;
use glam::DVec3;
use serde::{Deserialize, Serialize};

#[derive(Debug)]
pub(crate) struct LiquidQuery {
    point: Point,
    /// Whether to list every liquid over and under the point.
    all: bool,
}

impl LiquidQuery {
    pub(crate) fn new(point: DVec3, all: bool) -> Result<Self> {
        Ok(Self { point: Point::new(point)?, all })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LiquidLine {
    point: DVec3,
    #[serde(default)]
    all: bool,
}

#[derive(Serialize)]
pub(crate) struct LiquidAnswer {
    hit: bool,
    #[serde(flatten)]
    found: Found,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Found {
    /// The liquid that the point is in.
    One(LiquidSurface),
    /// All liquids, from top to bottom.
    All { liquids: Vec<LiquidSurface> },
}

#[derive(Serialize)]
struct LiquidSurface {
    surface: f64,
    depth: f64,
    kind: String,
    /// Its number in the level.
    liquid: u32,
}

impl Query for LiquidQuery {
    type Line = LiquidLine;
    type Answer<'a> = LiquidAnswer;
    const CLEAR: &'static str = "clear: no liquid";

    fn from_line(line: LiquidLine) -> Result<(Self, Option<Vec<Target>>)> {
        Ok((Self::new(line.point, line.all)?, None))
    }

    fn run(&self, world: WorldRef) -> Option<LiquidAnswer> {
        // Targets are solid.
        let WorldRef::Level(level) = world else { return None };
        let found = if self.all {
            let mut liquids = Vec::new();
            level.scene.liquids_over(&self.point, &mut liquids);
            let liquids: Vec<_> = liquids.iter().map(LiquidSurface::new).collect();
            (!liquids.is_empty()).then_some(Found::All { liquids })
        } else {
            let liquid = level.scene.liquid_at(&self.point);
            liquid.map(|liquid| Found::One(LiquidSurface::new(&liquid)))
        };
        Some(LiquidAnswer { hit: true, found: found? })
    }
}

impl LiquidSurface {
    fn new(found: &Liquid) -> Self {
        let Liquid { surface, depth, kind, number } = *found;
        Self { surface, depth, kind: kind.to_string(), liquid: number }
    }
}

impl Text for LiquidAnswer {
    fn text(&self, unit: MapUnit) -> String {
        match &self.found {
            Found::One(LiquidSurface { surface, depth, kind, .. }) => Rows::default()
                .row("surface", length(*surface, unit))
                .row("depth", length(*depth, unit))
                .under(&format!("in {kind}")),
            Found::All { liquids } => {
                let line = |LiquidSurface { surface, depth, kind, .. }: &LiquidSurface| {
                    let (surface, unit) = (number(*surface), unit.symbol());
                    let place = if *depth < 0.0 { "below" } else { "above" };
                    let distance = number(depth.abs());
                    format!(
                        "\n  {surface:>12} {unit}  {kind:8}  {distance} {unit} {place} the point"
                    )
                };
                let lines: String = liquids.iter().map(line).collect();
                let surfaces = count(liquids.len(), "surface", "surfaces");
                format!("{surfaces} of liquid, by height{lines}")
            }
        }
    }
}
