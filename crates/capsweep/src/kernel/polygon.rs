//! A flat convex polygon of 1 to 4 vertices, relative to the query's origin. It is the core of a
//! sphere (1), a capsule (2), a triangle (3) or a face of a box (4).

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::kernel::RelativeSegment;
use crate::math::normals::{TriangleConditioning, sliver_normal};
use crate::math::{F64x4, Vec3Soa};
use crate::tolerance::PIECE_OVERLAP;
use glam::DVec3;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Polygon<const N: usize> {
    /// One vertex per lane. Lanes past the last vertex start over.
    corners: Vec3Soa<[f64; 4]>,
    /// Unit normal of the counter-clockwise side. `None` for points, segments and slivers so thin
    /// that they equal their edges.
    pub(crate) normal: Option<DVec3>,
}

impl<const N: usize> Polygon<N> {
    /// From one vertex per lane; lanes past the last vertex start over.
    #[inline(always)]
    pub(crate) fn from_lanes(corners: Vec3Soa<[f64; 4]>, normal: Option<DVec3>) -> Self {
        Self { corners, normal }
    }

    /// Number of edges: one for a segment, one of no length for a point, else one per vertex.
    pub(crate) const EDGES: usize = if N > 2 { N } else { 1 };

    #[inline(always)]
    pub(crate) fn new(vertices: [DVec3; N], normal: Option<DVec3>) -> Self {
        Self::from_lanes(Vec3Soa::side_by_side(&vertices), normal)
    }

    #[inline(always)]
    pub(crate) fn vertex(&self, i: usize) -> DVec3 {
        self.corners.lane(i % N)
    }

    pub(crate) fn vertices(&self) -> impl Iterator<Item = DVec3> {
        (0..N).map(|i| self.vertex(i))
    }

    /// The edge from vertex `i` to the next.
    #[inline]
    pub(crate) fn edge(&self, i: usize) -> RelativeSegment {
        let start = self.vertex(i);
        RelativeSegment { start, vector: self.vertex(i + 1) - start }
    }
}

/// A polygon's vertices, one per lane, and the edges that start there. Lanes past the last vertex
/// start over.
#[derive(Clone, Copy)]
pub(crate) struct PolygonLanes<F> {
    pub(crate) start: Vec3Soa<F>,
    pub(crate) edge: Vec3Soa<F>,
}

/// The mask of all four lanes.
pub(crate) const ALL: u32 = 0b1111;

impl<F: F64x4> PolygonLanes<F> {
    #[inline(always)]
    pub(crate) fn from_polygon<const N: usize>(polygon: &Polygon<N>) -> Self {
        Self::new::<N>(Vec3Soa::of_arrays(polygon.corners))
    }

    #[inline(always)]
    pub(crate) fn new<const N: usize>(start: Vec3Soa<F>) -> Self {
        Self { start, edge: start.next::<N>().sub(start) }
    }

    /// `ab × ac` of a triangle, with the bits of
    /// [`Triangle::area_vector`](crate::Triangle::area_vector).
    ///
    /// Not `ca × ab`, whose zeros have other signs: both `c − a` and `a − c` are +0 if equal.
    #[inline(always)]
    pub(crate) fn area_vector(&self) -> DVec3 {
        let to_last = self.start.next::<3>().next::<3>().sub(self.start);
        self.edge.cross(to_last).first()
    }

    /// How well the edges of a triangle determine its normal.
    #[inline(always)]
    pub(crate) fn conditioning(&self) -> TriangleConditioning {
        let [ab_squared, _, ca_squared, _] = self.edge.dot(self.edge).store();
        TriangleConditioning::new(self.area_vector(), ab_squared + ca_squared)
    }

    /// The normal of a triangle, with the bits of
    /// [`face_normal`](crate::math::normals::face_normal).
    #[inline(always)]
    pub(crate) fn face_normal(&self) -> Option<DVec3> {
        let conditioning = self.conditioning();
        if conditioning.is_well_shaped() {
            Some(conditioning.normal())
        } else {
            self.sliver_normal()
        }
    }

    /// The normal of a triangle that is not well shaped.
    #[inline(always)]
    pub(crate) fn sliver_normal(&self) -> Option<DVec3> {
        let start = self.start.to_arrays();
        sliver_normal([start.lane(0), start.lane(1), start.lane(2)])
    }

    /// The largest magnitude of a coordinate of any vertex, in every lane.
    #[inline(always)]
    pub(crate) fn max_coordinate(&self) -> F {
        let each = self.start.largest();
        let of_two = each.max(each.next::<4>());
        of_two.max(of_two.next::<4>().next::<4>())
    }

    /// Twice the signed areas of the triangles that the edges form with the projection of `point`
    /// along `normal`. Negative where the projection lies outside the edge.
    #[inline(always)]
    pub(crate) fn edge_areas(&self, normal: DVec3, point: DVec3) -> F {
        Vec3Soa::all(normal).dot(self.edge.cross(Vec3Soa::<F>::all(point).sub(self.start)))
    }

    /// Whether the projection of `point` along `normal` lies inside the polygon, further from its
    /// border than rounding can blur: the border belongs to the edges.
    ///
    /// At the tip of a needle, an error across is a thousand or a billion times as large along.
    #[inline(always)]
    pub(crate) fn contains_projection(&self, normal: DVec3, point: DVec3) -> bool {
        let inside = self.edge_areas(normal, point);
        if F::splat(0.0).le_mask(inside) != ALL {
            return false;
        }
        let margin = self.max_coordinate().max(F::splat(point.abs().max_element()))
            * F::splat(PIECE_OVERLAP);
        (margin * margin * self.edge.dot(self.edge)).lt_mask(inside * inside) == ALL
    }
}

/// Replaces the normals whose bit in `valid` is not set by those that `recompute` finds, or zero.
/// Also returns the mask of the lanes that have a normal.
#[cold]
pub(crate) fn repair_normals<F: F64x4>(
    normals: Vec3Soa<F>,
    valid: u32,
    recompute: impl Fn(usize) -> Option<DVec3>,
) -> (Vec3Soa<F>, u32) {
    let (mut x, mut y, mut z) = (normals.x.store(), normals.y.store(), normals.z.store());
    let mut known = valid;
    for lane in (0..4).filter(|lane| valid & (1 << lane) == 0) {
        let normal = recompute(lane);
        known |= u32::from(normal.is_some()) << lane;
        [x[lane], y[lane], z[lane]] = normal.unwrap_or(DVec3::ZERO).to_array();
    }
    (Vec3Soa { x: F::load(x), y: F::load(y), z: F::load(z) }, known)
}
