//! The level cut open along the walk: where upright planes through the path meet its surfaces.

use super::path::Place;
use crate::trace;
use crate::walk::walker::Tick;
use anyhow::Result;
use capsweep::scene::{Filter, Scene};
use capsweep::{Aabb, Triangle};
use glam::{DVec2, DVec3, dvec2};

/// Cuts along the whole walk, at most.
const MOST_CUTS: f64 = 600.0;
/// Metres of a cut, at least.
const SHORTEST_CUT: f64 = 0.08;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Walkable,
    Steep,
    /// A wall, or the underside of something.
    Other,
}

/// Part of a surface: metres along the walk, and height.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cut {
    pub(super) ends: [DVec2; 2],
    pub(super) kind: Kind,
}

/// What a section shows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Lowest and highest.
    pub(super) heights: [f64; 2],
    /// Cosine of the steepest slope that is walkable.
    pub(super) slope: f64,
}

/// Everything between two heights that the walk leads over, under or past.
pub(super) fn section(
    scene: &Scene,
    ticks: &[Tick],
    places: &[Place],
    limits: &Limits,
) -> Result<Vec<Cut>> {
    let mut scene = scene.clone();
    let mut cuts = Vec::new();
    let length = places.last().map_or(0.0, |place| place.along);
    let step = (length / MOST_CUTS).max(SHORTEST_CUT);
    let mut from = 0;
    for to in 1..places.len() {
        // A leg's end is where the walk may turn.
        let turns = places.get(to + 1).is_none_or(|next| next.leg != places[to].leg);
        if places[to].along - places[from].along < step && !turns {
            continue;
        }
        // What moves is where it was then.
        trace::restore(&mut scene, &ticks[to - 1].step)?;
        cut(&scene, [&places[from], &places[to]], limits, &mut cuts)?;
        from = to;
    }
    Ok(cuts)
}

fn cut(scene: &Scene, [from, to]: [&Place; 2], limits: &Limits, cuts: &mut Vec<Cut>) -> Result<()> {
    let Limits { heights: [bottom, top], slope } = *limits;
    let way = (to.feet - from.feet).with_z(0.0);
    let length = way.length();
    if length < 1e-6 {
        return Ok(());
    }
    let along = way / length;
    let across = DVec3::Z.cross(along);
    let (low, high) = (from.feet.min(to.feet), from.feet.max(to.feet));
    let region = Aabb::new(low.with_z(bottom), high.with_z(top))?;
    scene.triangles_seen_in(&region, &Filter::default(), |shown| {
        let Some([a, b]) = crossing(&shown.triangle, from.feet, across) else { return };
        let flat = |point: DVec3| dvec2((point - from.feet).dot(along), point.z);
        let Some([a, b]) = between([flat(a), flat(b)], length) else { return };
        let rise = shown.triangle.normal().map_or(0.0, |normal| f64::from(normal.z));
        let rise = if shown.double_sided { rise.abs() } else { rise };
        let kind = match rise {
            rise if rise >= slope => Kind::Walkable,
            rise if rise > 0.05 => Kind::Steep,
            _ => Kind::Other,
        };
        let start = dvec2(from.along, 0.0);
        cuts.push(Cut { ends: [start + a, start + b], kind });
    });
    Ok(())
}

/// Where a triangle crosses the plane through `origin` with the normal `across`.
fn crossing(triangle: &Triangle, origin: DVec3, across: DVec3) -> Option<[DVec3; 2]> {
    let corners = triangle.vertices();
    let sides = corners.map(|corner| (corner - origin).dot(across));
    let mut points = (0..3).filter_map(|i| {
        let (a, b) = (sides[i], sides[(i + 1) % 3]);
        ((a < 0.0) != (b < 0.0)).then(|| corners[i].lerp(corners[(i + 1) % 3], a / (a - b)))
    });
    Some([points.next()?, points.next()?])
}

/// The part of a line between 0 and `length`.
fn between([a, b]: [DVec2; 2], length: f64) -> Option<[DVec2; 2]> {
    let [a, b] = if a.x <= b.x { [a, b] } else { [b, a] };
    if b.x < 0.0 || a.x > length {
        return None;
    }
    if b.x - a.x < 1e-9 {
        return Some([a, b]);
    }
    let at = |x: f64| a.lerp(b, ((x - a.x) / (b.x - a.x)).clamp(0.0, 1.0));
    Some([at(0.0), at(length)])
}
