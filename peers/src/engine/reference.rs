//! Exact answers to check the engines by: capsweep's pair functions over every triangle that could
//! matter. Not timed.
//!
//! Triangles are sorted into square columns (a grid over x and y), so that a million of them can be
//! asked twenty thousand times.

use super::{Answer, Hit};
use crate::mesh::Mesh;
use crate::queries::{CLOSEST_LIMIT, HALF_AXIS, Kind, Query, RADIUS};
use anyhow::Result;
use capsweep::{Aabb, Capsule, Motion, Sides, Triangle};
use glam::{DVec3, Vec3};

/// Side of a column, metres: about the capsule's own reach.
const COLUMN: f64 = 2.0;

/// A face whose unit normal rises more than this is something to stand on, however steep.
const LOOKS_UP: f32 = 0.1;

/// Triangles with their bounds, by column.
pub(crate) struct Reference {
    triangles: Vec<(Aabb, Triangle)>,
    origin: DVec3,
    columns_x: usize,
    columns: Vec<Vec<u32>>,
}

impl Reference {
    /// Sorts the triangles of `mesh` into columns.
    ///
    /// # Errors
    /// If a vertex is out of capsweep's range.
    pub(crate) fn build(mesh: &Mesh) -> Result<Self> {
        let (min, max) = mesh.bounds();
        let (origin, size) = (min.as_dvec3(), (max - min).as_dvec3());
        let columns_x = (size.x / COLUMN) as usize + 1;
        let columns_y = (size.y / COLUMN) as usize + 1;
        let mut built = Self {
            triangles: Vec::with_capacity(mesh.triangles.len()),
            origin,
            columns_x,
            columns: vec![Vec::new(); columns_x * columns_y],
        };
        for index in 0..mesh.triangles.len() {
            let [a, b, c] = mesh.corners(index).map(Vec3::as_dvec3);
            let triangle = Triangle::new(a, b, c)?;
            let bounds = triangle.bounds();
            for column in built.columns_over(&bounds) {
                built.columns[column].push(index as u32);
            }
            built.triangles.push((bounds, triangle));
        }
        Ok(built)
    }

    /// The columns that `bounds` reaches into, clamped to those there are.
    fn columns_over(&self, bounds: &Aabb) -> impl Iterator<Item = usize> + use<> {
        let columns_x = self.columns_x;
        let last = DVec3::new(
            (columns_x - 1) as f64,
            (self.columns.len() / columns_x - 1) as f64,
            f64::INFINITY,
        );
        let cell = |point: DVec3| ((point - self.origin) / COLUMN).floor().clamp(DVec3::ZERO, last);
        let (low, high) = (cell(bounds.min()), cell(bounds.max()));
        (low.y as usize..=high.y as usize)
            .flat_map(move |y| (low.x as usize..=high.x as usize).map(move |x| y * columns_x + x))
    }

    /// Every triangle whose box meets `bounds`; one that spans columns comes more than once.
    fn near(&self, bounds: Aabb) -> impl Iterator<Item = &Triangle> {
        self.columns_over(&bounds)
            .flat_map(|column| &self.columns[column])
            .map(|&index| &self.triangles[index as usize])
            .filter(move |(box_of, _)| box_of.overlaps(&bounds))
            .map(|(_, triangle)| triangle)
    }

    /// First touch of the moving capsule and the mesh.
    pub(crate) fn sweep(&self, query: &Query, sides: Sides) -> Answer {
        let capsule = capsule(query.center);
        let motion = Motion::new(query.motion.as_dvec3()).ok()?;
        self.near(capsule.swept_bounds(&motion))
            .filter_map(|triangle| {
                capsweep::sweep_capsule_triangle(&capsule, &motion, triangle, sides)
            })
            .min_by(|a, b| a.distance.total_cmp(&b.distance))
            .map(|hit| Hit { distance: hit.distance, normal: hit.normal })
    }

    /// How far the capsule around `center` falls, at most `height`, until it stands on a face that
    /// looks up; `None` if nothing that it touches first does.
    pub(crate) fn fall(&self, center: Vec3, height: f32) -> Option<f64> {
        let capsule = capsule(center);
        let motion = Motion::new(DVec3::NEG_Z * f64::from(height)).ok()?;
        let mut first = f64::INFINITY;
        let mut stands = false;
        for triangle in self.near(capsule.swept_bounds(&motion)) {
            let hit = capsweep::sweep_capsule_triangle(&capsule, &motion, triangle, Sides::Both);
            let Some(hit) = hit.filter(|hit| hit.distance <= first) else { continue };
            let looks_up = triangle.normal().is_some_and(|normal| normal.z > LOOKS_UP);
            stands = looks_up || (stands && hit.distance == first);
            first = hit.distance;
        }
        stands.then_some(first)
    }

    /// Whether the capsule around `center` overlaps the mesh.
    pub(crate) fn overlap(&self, center: Vec3) -> bool {
        let capsule = capsule(center);
        self.near(capsule.bounds())
            .any(|triangle| capsweep::overlap_capsule_triangle(&capsule, triangle).is_some())
    }

    /// Closest points of the capsule around `center` and the mesh.
    fn closest(&self, center: Vec3) -> Answer {
        let capsule = capsule(center);
        let reach = capsule.inflated(CLOSEST_LIMIT).ok()?.bounds();
        self.near(reach)
            .map(|triangle| capsweep::closest_capsule_triangle(&capsule, triangle))
            .min_by(|a, b| a.distance.total_cmp(&b.distance))
            .filter(|found| found.distance <= f64::from(CLOSEST_LIMIT))
            .map(|found| Hit { distance: found.distance.max(0.0), normal: found.normal })
    }

    /// First triangle on the way of a ray, both of its sides or its front only.
    fn ray(&self, query: &Query, sides: Sides) -> Answer {
        let (origin, motion) = (query.center.as_dvec3(), query.motion.as_dvec3());
        let way = Aabb::new(origin.min(origin + motion), origin.max(origin + motion)).ok()?;
        self.near(way)
            .filter_map(|triangle| Some((ray_time(origin, motion, triangle, sides)?, triangle)))
            .min_by(|(a, _), (b, _)| a.total_cmp(b))
            .map(|(time, triangle)| Hit {
                distance: time * motion.length(),
                normal: triangle.normal().unwrap_or(Vec3::ZERO),
            })
    }

    /// The exact answer to `query`.
    pub(crate) fn answer(&self, kind: Kind, query: &Query, sides: Sides) -> Answer {
        match kind {
            Kind::Step | Kind::Dash | Kind::Drop | Kind::Long => self.sweep(query, sides),
            Kind::Overlap => {
                self.overlap(query.center).then_some(Hit { distance: 0.0, normal: Vec3::ZERO })
            }
            Kind::Closest => self.closest(query.center),
            Kind::Ray => self.ray(query, sides),
        }
    }
}

/// The upright capsule of every question, around `center`.
#[expect(clippy::expect_used, reason = "finite vertices and offsets of metres make valid capsules")]
fn capsule(center: Vec3) -> Capsule {
    let half_axis = DVec3::Z * f64::from(HALF_AXIS);
    Capsule::from_center(center.as_dvec3(), half_axis, RADIUS).expect("a start point is in range")
}

/// When a ray meets a triangle, 0 to 1: Möller and Trumbore, in f64.
fn ray_time(origin: DVec3, motion: DVec3, triangle: &Triangle, sides: Sides) -> Option<f64> {
    let [a, b, c] = triangle.vertices();
    let (ab, ac) = (b - a, c - a);
    let across = motion.cross(ac);
    let det = ab.dot(across);
    if det == 0.0 || (sides == Sides::Front && det < 0.0) {
        return None;
    }
    let from_a = origin - a;
    let u = from_a.dot(across) / det;
    let around = from_a.cross(ab);
    let v = motion.dot(around) / det;
    let time = ac.dot(around) / det;
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && (0.0..=1.0).contains(&time)).then_some(time)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh;
    use crate::queries::{questions, starts};

    /// Columns only leave out what cannot matter: every answer equals the one over all triangles.
    #[test]
    fn columns_answer_like_every_triangle() {
        let mesh = mesh::dungeon();
        let reference = Reference::build(&mesh).unwrap();
        let starts = starts(&mesh, &reference, 20).unwrap();
        for kind in [Kind::Step, Kind::Dash, Kind::Long] {
            for query in questions(kind, &starts) {
                let capsule = capsule(query.center);
                let motion = Motion::new(query.motion.as_dvec3()).unwrap();
                let every = (reference.triangles.iter())
                    .filter_map(|(_, triangle)| {
                        capsweep::sweep_capsule_triangle(&capsule, &motion, triangle, Sides::Front)
                    })
                    .map(|hit| hit.distance)
                    .min_by(f64::total_cmp);
                let found = reference.sweep(&query, Sides::Front).map(|hit| hit.distance);
                assert_eq!(found, every, "{kind:?} {query:?}");
            }
        }
    }
}
