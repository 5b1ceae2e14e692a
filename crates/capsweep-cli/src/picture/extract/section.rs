//! The section of the level along the walk: the lines in which vertical planes through the path
//! cut its surfaces.

use super::path::PathPoint;
use crate::trace;
use crate::walk::character::Tick;
use anyhow::Result;
use capsweep::scene::{Filter, Scene};
use capsweep::{Aabb, Triangle};
use glam::{DVec2, DVec3, dvec2};

/// Most planes along the whole walk.
const MAX_PLANES: f64 = 600.0;
/// Smallest length of the path per plane, in metres.
const MIN_PLANE_LENGTH: f64 = 0.08;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SurfaceKind {
    Walkable,
    Steep,
    /// A wall or an underside.
    Other,
}

/// A line in the section: x is metres along the walk, y is the height.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cut {
    pub(crate) ends: [DVec2; 2],
    pub(crate) kind: SurfaceKind,
}

/// The range of a section.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Lowest and highest height, in metres.
    pub(crate) heights: [f64; 2],
    /// Cosine of the steepest walkable slope.
    pub(crate) slope_cos: f64,
}

/// Cuts all surfaces over and under the path, within the heights of `limits`.
pub(crate) fn section(
    scene: &Scene,
    ticks: &[Tick],
    points: &[PathPoint],
    limits: &Limits,
) -> Result<Vec<Cut>> {
    let mut scene = scene.clone();
    let mut cuts = Vec::new();
    let length = points.last().map_or(0.0, |point| point.along);
    let step = (length / MAX_PLANES).max(MIN_PLANE_LENGTH);
    let mut from = 0;
    for to in 1..points.len() {
        // A plane must not extend over the end of a leg, where the walk may turn.
        let leg_ends = points.get(to + 1).is_none_or(|next| next.leg != points[to].leg);
        if points[to].along - points[from].along < step && !leg_ends {
            continue;
        }
        // The platform is where it was at that move.
        trace::restore(&mut scene, &ticks[to - 1].record)?;
        cut_between(&scene, [&points[from], &points[to]], limits, &mut cuts)?;
        from = to;
    }
    Ok(cuts)
}

/// Cuts the surfaces on the vertical plane between two points of the path.
pub(crate) fn cut_between(
    scene: &Scene,
    [from, to]: [&PathPoint; 2],
    limits: &Limits,
    cuts: &mut Vec<Cut>,
) -> Result<()> {
    let Limits { heights: [bottom, top], slope_cos } = *limits;
    let offset = (to.feet - from.feet).with_z(0.0);
    let length = offset.length();
    if length < 1e-6 {
        return Ok(());
    }
    let along = offset / length;
    let across = DVec3::Z.cross(along);
    let (low, high) = (from.feet.min(to.feet), from.feet.max(to.feet));
    let region = Aabb::new(low.with_z(bottom), high.with_z(top))?;
    scene.triangles_seen_in(&region, &Filter::default(), |shown| {
        let Some([a, b]) = plane_crossing(&shown.triangle, from.feet, across) else { return };
        let in_plane = |point: DVec3| dvec2((point - from.feet).dot(along), point.z);
        let Some([a, b]) = clip_x([in_plane(a), in_plane(b)], length) else { return };
        let cos = shown.triangle.normal().map_or(0.0, |normal| f64::from(normal.z));
        let cos = if shown.double_sided { cos.abs() } else { cos };
        let kind = match cos {
            cos if cos >= slope_cos => SurfaceKind::Walkable,
            cos if cos > 0.05 => SurfaceKind::Steep,
            _ => SurfaceKind::Other,
        };
        let start = dvec2(from.along, 0.0);
        cuts.push(Cut { ends: [start + a, start + b], kind });
    });
    Ok(())
}

/// The line in which a triangle crosses the plane through `origin` with the normal `across`.
fn plane_crossing(triangle: &Triangle, origin: DVec3, across: DVec3) -> Option<[DVec3; 2]> {
    let corners = triangle.vertices();
    let distances = corners.map(|corner| (corner - origin).dot(across));
    let mut points = (0..3).filter_map(|i| {
        let (a, b) = (distances[i], distances[(i + 1) % 3]);
        ((a < 0.0) != (b < 0.0)).then(|| corners[i].lerp(corners[(i + 1) % 3], a / (a - b)))
    });
    Some([points.next()?, points.next()?])
}

/// The part of a line with x from 0 to `length`.
fn clip_x([a, b]: [DVec2; 2], length: f64) -> Option<[DVec2; 2]> {
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
