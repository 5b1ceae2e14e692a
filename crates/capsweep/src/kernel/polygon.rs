//! A flat convex polygon of 1 to 4 vertices, seen from the query's origin: the core of a sphere
//! (1), a capsule (2), a triangle (3) and a face of a box (4).

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::kernel::Segment;
use crate::math::normals::{TriangleConditioning, sliver_normal};
use crate::math::{F64x4, Vec3Soa};
use crate::tolerance::BORDER;
use glam::DVec3;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Polygon<const N: usize> {
    /// The corners side by side. Past the last they start over.
    corners: Vec3Soa<[f64; 4]>,
    /// Unit normal of the counter-clockwise side; `None` for points, segments and slivers so thin
    /// that their edges say everything.
    pub(crate) normal: Option<DVec3>,
}

impl<const N: usize> Polygon<N> {
    /// Of corners side by side; past the last they start over.
    #[inline(always)]
    pub(crate) fn of(corners: Vec3Soa<[f64; 4]>, normal: Option<DVec3>) -> Self {
        Self { corners, normal }
    }

    /// A segment has one edge, a polygon as many as vertices; a point counts one of no length.
    pub(crate) const EDGES: usize = if N > 2 { N } else { 1 };

    #[inline(always)]
    pub(crate) fn new(vertices: [DVec3; N], normal: Option<DVec3>) -> Self {
        Self::of(Vec3Soa::side_by_side(&vertices), normal)
    }

    #[inline(always)]
    pub(crate) fn vertex(&self, i: usize) -> DVec3 {
        self.corners.lane(i % N)
    }

    pub(crate) fn vertices(&self) -> impl Iterator<Item = DVec3> {
        (0..N).map(|i| self.vertex(i))
    }

    /// From vertex `i` to the next.
    #[inline]
    pub(crate) fn edge(&self, i: usize) -> Segment {
        let start = self.vertex(i);
        Segment { start, vector: self.vertex(i + 1) - start }
    }
}

/// A polygon's corners, one to a lane, and the edges that start there. Lanes past the last corner start over.
#[derive(Clone, Copy)]
pub(crate) struct Corners<F> {
    pub(crate) start: Vec3Soa<F>,
    pub(crate) edge: Vec3Soa<F>,
}

/// Bits of all lanes.
pub(crate) const ALL: u32 = 0b1111;

impl<F: F64x4> Corners<F> {
    #[inline(always)]
    pub(crate) fn of<const N: usize>(polygon: &Polygon<N>) -> Self {
        Self::new::<N>(Vec3Soa::of_arrays(polygon.corners))
    }

    #[inline(always)]
    pub(crate) fn new<const N: usize>(start: Vec3Soa<F>) -> Self {
        Self { start, edge: start.next::<N>().sub(start) }
    }

    /// Of a triangle `a b c`, as [`Triangle::area_vector`](crate::Triangle::area_vector): `ab × ac`.
    ///
    /// Not `ca × ab`, which has other zeros: both `c − a` and `a − c` are +0 where they are nothing.
    #[inline(always)]
    pub(crate) fn area_vector(&self) -> DVec3 {
        let to_last = self.start.next::<3>().next::<3>().sub(self.start);
        self.edge.cross(to_last).first()
    }

    /// Of a triangle.
    #[inline(always)]
    pub(crate) fn spread(&self) -> TriangleConditioning {
        let [ab_squared, _, ca_squared, _] = self.edge.dot(self.edge).store();
        TriangleConditioning::new(self.area_vector(), ab_squared + ca_squared)
    }

    /// Of a triangle, as [`face_normal`](crate::math::normals::face_normal).
    #[inline(always)]
    pub(crate) fn face_normal(&self) -> Option<DVec3> {
        let spread = self.spread();
        if spread.is_well_shaped() { Some(spread.normal()) } else { self.sliver_normal() }
    }

    /// Of a triangle that is not stout.
    #[inline(always)]
    pub(crate) fn sliver_normal(&self) -> Option<DVec3> {
        let start = self.start.to_arrays();
        sliver_normal([start.lane(0), start.lane(1), start.lane(2)])
    }

    /// The largest magnitude of a coordinate, in every lane.
    #[inline(always)]
    pub(crate) fn reach(&self) -> F {
        let each = self.start.largest();
        let of_two = each.max(each.next::<4>());
        of_two.max(of_two.next::<4>().next::<4>())
    }

    /// Twice the areas of the triangles that the edges span with the projection of `point` along `normal`; negative where that is past them.
    #[inline(always)]
    pub(crate) fn areas_under(&self, normal: DVec3, point: DVec3) -> F {
        Vec3Soa::all(normal).dot(self.edge.cross(Vec3Soa::<F>::all(point).sub(self.start)))
    }

    /// Whether the projection of `point` along `normal` falls on the polygon, and further from its border than rounding
    /// can tell: the border belongs to the edges.
    ///
    /// At the tip of a needle a rounding error across is a thousand times, or a billion times, as much along.
    #[inline(always)]
    pub(crate) fn lie_well_under(&self, normal: DVec3, point: DVec3) -> bool {
        let inside = self.areas_under(normal, point);
        if F::splat(0.0).le_mask(inside) != ALL {
            return false;
        }
        let margin = self.reach().max(F::splat(point.abs().max_element())) * F::splat(BORDER);
        (margin * margin * self.edge.dot(self.edge)).lt_mask(inside * inside) == ALL
    }
}

/// `normals` with those that are not `sound` (their bit is not set) made by `carefully` instead, zero where there is none; and bits of the
/// lanes that have one.
#[cold]
pub(crate) fn mended<F: F64x4>(
    normals: Vec3Soa<F>,
    sound: u32,
    carefully: impl Fn(usize) -> Option<DVec3>,
) -> (Vec3Soa<F>, u32) {
    let (mut x, mut y, mut z) = (normals.x.store(), normals.y.store(), normals.z.store());
    let mut known = sound;
    for lane in (0..4).filter(|lane| sound & (1 << lane) == 0) {
        let normal = carefully(lane);
        known |= u32::from(normal.is_some()) << lane;
        [x[lane], y[lane], z[lane]] = normal.unwrap_or(DVec3::ZERO).to_array();
    }
    (Vec3Soa { x: F::load(x), y: F::load(y), z: F::load(z) }, known)
}
