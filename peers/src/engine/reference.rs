//! Exact reference answers: capsweep's pair functions, in f64, over every triangle nearby. Not
//! timed.
//!
//! Triangles or instances are in a grid of square columns over x and y. So twenty thousand queries
//! on a million triangles are fast enough.

use super::{Answer, Hit};
use crate::mesh::{Instance, Mesh, World};
use crate::queries::{CLOSEST_LIMIT, HALF_AXIS, Kind, Query, RADIUS};
use anyhow::Result;
use capsweep::{Aabb, Capsule, Motion, ShapeError, Sides, Triangle};
use glam::{DVec3, Vec3};

/// Least z of the unit normal of a face that a capsule can stand on (no unit).
const MIN_STANDING_Z: f32 = 0.1;

/// A mesh or a world of instances in a grid of columns.
pub(crate) struct Reference<'a> {
    items: Vec<(Aabb, Item<'a>)>,
    columns: Columns,
}

/// An entry of a column.
enum Item<'a> {
    Triangle(Triangle),
    Instance(&'a Mesh, Instance),
}

impl<'a> Reference<'a> {
    /// Sorts the triangles of `mesh` into columns.
    ///
    /// # Errors
    /// If a vertex is out of capsweep's range.
    pub(crate) fn from_mesh(mesh: &'a Mesh) -> Result<Self> {
        let triangles = (0..mesh.triangles.len()).map(|index| {
            let [a, b, c] = mesh.corners(index).map(Vec3::as_dvec3);
            let triangle = Triangle::new(a, b, c)?;
            Ok((triangle.bounds(), Item::Triangle(triangle)))
        });
        // About the size of the capsule.
        Ok(Self::new(triangles.collect::<Result<_, ShapeError>>()?, 2.0))
    }

    /// Sorts the instances of `world` into columns.
    ///
    /// # Errors
    /// If a vertex is out of capsweep's range.
    pub(crate) fn from_world(world: &'a World) -> Result<Self> {
        let instances = world.instances.iter().map(|instance| {
            let mesh = &world.meshes[instance.mesh];
            let (mut min, mut max) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
            for &vertex in &mesh.vertices {
                let vertex = to_world(instance, vertex);
                (min, max) = (min.min(vertex), max.max(vertex));
            }
            Ok((Aabb::new(min, max)?, Item::Instance(mesh, *instance)))
        });
        // About the size of an instance.
        Ok(Self::new(instances.collect::<Result<_, ShapeError>>()?, 6.0))
    }

    fn new(items: Vec<(Aabb, Item<'a>)>, side: f64) -> Self {
        let columns = Columns::new(&items, side);
        Self { items, columns }
    }

    /// The box around all items.
    pub(crate) fn bounds(&self) -> (DVec3, DVec3) {
        extent(&self.items)
    }

    /// Calls `visit` once for every triangle whose box overlaps `bounds`, in order.
    fn visit(&self, bounds: &Aabb, mut visit: impl FnMut(&Triangle)) {
        let mut near: Vec<u32> = self.columns.over(bounds).flatten().copied().collect();
        near.sort_unstable();
        near.dedup();
        for (item_bounds, item) in near.into_iter().map(|index| &self.items[index as usize]) {
            match item {
                _ if !item_bounds.overlaps(bounds) => {}
                Item::Triangle(triangle) => visit(triangle),
                Item::Instance(mesh, instance) => {
                    let triangles = (0..mesh.triangles.len()).filter_map(|index| {
                        let [a, b, c] =
                            mesh.corners(index).map(|vertex| to_world(instance, vertex));
                        Triangle::new(a, b, c).ok()
                    });
                    let meets = |triangle: &Triangle| triangle.bounds().overlaps(bounds);
                    triangles.filter(meets).for_each(|triangle| visit(&triangle));
                }
            }
        }
    }

    /// First touch of the moving capsule.
    fn sweep(&self, query: &Query, sides: Sides) -> Answer {
        let capsule = capsule(query.center);
        let motion = Motion::new(query.motion.as_dvec3()).ok()?;
        let mut first = None;
        self.visit(&capsule.swept_bounds(&motion), |triangle| {
            let hit = capsweep::sweep_capsule_triangle(&capsule, &motion, triangle, sides);
            keep_nearer(
                &mut first,
                hit.map(|hit| Hit { distance: hit.distance, normal: hit.normal }),
            );
        });
        first
    }

    /// Distance that the capsule around `center` falls, at most `height`, until it stands on a
    /// face.
    ///
    /// `None` if no face that it touches first points up.
    pub(crate) fn fall(&self, center: Vec3, height: f32) -> Option<f64> {
        let capsule = capsule(center);
        let motion = Motion::new(DVec3::NEG_Z * f64::from(height)).ok()?;
        let mut first = f64::INFINITY;
        let mut stands = false;
        self.visit(&capsule.swept_bounds(&motion), |triangle| {
            let hit = capsweep::sweep_capsule_triangle(&capsule, &motion, triangle, Sides::Both);
            let Some(hit) = hit.filter(|hit| hit.distance <= first) else { return };
            let points_up = triangle.normal().is_some_and(|normal| normal.z > MIN_STANDING_Z);
            stands = points_up || (stands && hit.distance == first);
            first = hit.distance;
        });
        stands.then_some(first)
    }

    /// Whether the capsule around `center` overlaps anything.
    pub(crate) fn overlap(&self, center: Vec3) -> bool {
        let capsule = capsule(center);
        let mut overlaps = false;
        self.visit(&capsule.bounds(), |triangle| {
            overlaps |= capsweep::overlap_capsule_triangle(&capsule, triangle).is_some();
        });
        overlaps
    }

    /// Largest depth of the capsule around `center` in the front of a triangle, in metres; 0
    /// without an overlap.
    ///
    /// `motion` is its last move. A triangle that it leaves is not counted, because a character
    /// that comes through a back face must leave through the front.
    pub(crate) fn depth(&self, center: DVec3, motion: DVec3) -> f64 {
        let half_axis = DVec3::Z * f64::from(HALF_AXIS);
        let Ok(capsule) = Capsule::from_center(center, half_axis, RADIUS) else { return 0.0 };
        let mut deepest = 0.0_f64;
        self.visit(&capsule.bounds(), |triangle| {
            let [a, b, c] = triangle.vertices();
            let front = (b - a).cross(c - a);
            if front.dot(center - a) > 0.0 && front.dot(motion) <= 0.0 {
                let found = capsweep::closest_capsule_triangle(&capsule, triangle);
                deepest = deepest.max(-found.distance);
            }
        });
        deepest
    }

    /// Whether the moving point of `query` passes through the front of a triangle.
    pub(crate) fn is_crossed(&self, query: &Query) -> bool {
        self.ray(query, Sides::Front).is_some()
    }

    /// Closest points of the capsule around `center` and the triangles.
    fn closest(&self, center: Vec3) -> Answer {
        let capsule = capsule(center);
        let mut first = None;
        self.visit(&capsule.inflated(CLOSEST_LIMIT).ok()?.bounds(), |triangle| {
            let found = capsweep::closest_capsule_triangle(&capsule, triangle);
            let hit = Hit { distance: found.distance.max(0.0), normal: found.normal };
            keep_nearer(&mut first, Some(hit));
        });
        first.filter(|found| found.distance <= f64::from(CLOSEST_LIMIT))
    }

    /// First triangle that a ray meets.
    fn ray(&self, query: &Query, sides: Sides) -> Answer {
        let (origin, motion) = (query.center.as_dvec3(), query.motion.as_dvec3());
        let swept = Aabb::new(origin.min(origin + motion), origin.max(origin + motion)).ok()?;
        let mut first = None;
        self.visit(&swept, |triangle| {
            let hit = ray_time(origin, motion, triangle, sides).map(|time| Hit {
                distance: time * motion.length(),
                normal: triangle.normal().unwrap_or(Vec3::ZERO),
            });
            keep_nearer(&mut first, hit);
        });
        first
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

fn keep_nearer(first: &mut Answer, hit: Answer) {
    if let Some(hit) = hit.filter(|hit| first.is_none_or(|first| hit.distance < first.distance)) {
        *first = Some(hit);
    }
}

/// A grid over x and y: for each square the items whose boxes overlap it.
struct Columns {
    origin: DVec3,
    side: f64,
    /// Number of squares along x.
    row: usize,
    lists: Vec<Vec<u32>>,
}

impl Columns {
    fn new(items: &[(Aabb, Item<'_>)], side: f64) -> Self {
        let (origin, max) = extent(items);
        let count = (max - origin) / side;
        let (row, rows) = (count.x as usize + 1, count.y as usize + 1);
        let mut columns = Self { origin, side, row, lists: vec![Vec::new(); row * rows] };
        for (index, (bounds, _)) in items.iter().enumerate() {
            for column in columns.indices_over(bounds) {
                columns.lists[column].push(index as u32);
            }
        }
        columns
    }

    fn over(&self, bounds: &Aabb) -> impl Iterator<Item = &Vec<u32>> {
        self.indices_over(bounds).map(|index| &self.lists[index])
    }

    /// The columns that `bounds` overlaps, clamped to the grid.
    fn indices_over(&self, bounds: &Aabb) -> impl Iterator<Item = usize> + use<> {
        let row = self.row;
        let last =
            DVec3::new((row - 1) as f64, (self.lists.len() / row - 1) as f64, f64::INFINITY);
        let cell =
            |point: DVec3| ((point - self.origin) / self.side).floor().clamp(DVec3::ZERO, last);
        let (low, high) = (cell(bounds.min()), cell(bounds.max()));
        (low.y as usize..=high.y as usize)
            .flat_map(move |y| (low.x as usize..=high.x as usize).map(move |x| y * row + x))
    }
}

/// The box around all items.
fn extent(items: &[(Aabb, Item<'_>)]) -> (DVec3, DVec3) {
    let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    items
        .iter()
        .fold(start, |(min, max), (bounds, _)| (min.min(bounds.min()), max.max(bounds.max())))
}

/// Transforms a vertex of an instance to the world.
fn to_world(instance: &Instance, vertex: Vec3) -> DVec3 {
    let scaled = vertex.as_dvec3() * instance.scale.as_dvec3();
    instance.rotation.as_dquat().normalize() * scaled + instance.position.as_dvec3()
}

/// The upright capsule of all queries, around `center`.
#[expect(
    clippy::expect_used,
    reason = "finite vertices and offsets of metres make valid capsules"
)]
fn capsule(center: Vec3) -> Capsule {
    let half_axis = DVec3::Z * f64::from(HALF_AXIS);
    Capsule::from_center(center.as_dvec3(), half_axis, RADIUS).expect("a start point is in range")
}

/// Time of a ray's hit, 0 to 1, by the method of Möller and Trumbore, in f64.
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
    use crate::queries::{generate, starts};

    /// Columns leave out only triangles that are too far: answers equal those over all triangles.
    #[test]
    fn columns_answer_like_every_triangle() {
        let [mesh, ..] = mesh::generated();
        let reference = Reference::from_mesh(&mesh).unwrap();
        let starts = starts(&reference, 20).unwrap();
        for kind in [Kind::Step, Kind::Dash, Kind::Long] {
            for query in generate(kind, &starts) {
                let capsule = capsule(query.center);
                let motion = Motion::new(query.motion.as_dvec3()).unwrap();
                let mut every = None;
                for index in 0..mesh.triangles.len() {
                    let [a, b, c] = mesh.corners(index).map(Vec3::as_dvec3);
                    let triangle = Triangle::new(a, b, c).unwrap();
                    let sides = Sides::Front;
                    let hit =
                        capsweep::sweep_capsule_triangle(&capsule, &motion, &triangle, sides);
                    keep_nearer(
                        &mut every,
                        hit.map(|hit| Hit { distance: hit.distance, normal: hit.normal }),
                    );
                }
                let found = reference.sweep(&query, Sides::Front);
                assert_eq!(
                    found.map(|hit| hit.distance),
                    every.map(|hit| hit.distance),
                    "{query:?}"
                );
            }
        }
    }
}
