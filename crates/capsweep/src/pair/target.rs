//! The targets of the contract: each shape in the capsule's frame.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::kernel::polygon::{Polygon, PolygonLanes};
use crate::kernel::{
    ClosestPair, RelativeSegment, closest_segment_box, closest_segment_polygon, end_over_face,
    line_contact, line_contact_box,
};
use crate::kernel::{Entry, FlatPieceTest, SweepInput};
use crate::kernel::{
    Exits, PushOut, clearance, push_out_of_box, push_out_of_polygon, push_out_of_triangle,
};
use crate::math::normals::plane_normal;
use crate::math::normals::{TriangleConditioning, face_normal, longest_of};
use crate::math::{F32x8, F64x4, Scalar, Vec3Soa};
use crate::pair::contract::{CapsuleFrame, NormalSource, Sweep, Target};
use crate::tolerance::{LINE_CONTACT_GAP, PIERCE};
use crate::{Capsule, Feature, HalfSpace, Obb, Point, Segment, Sides, Sphere, Triangle};
use glam::{DMat3, DVec3, Vec3};

/// A triangle, alone or of a mesh.
#[derive(Clone, Copy)]
pub(crate) struct TriangleTarget {
    /// The corners in the world, one per lane.
    world: Vec3Soa<[f64; 4]>,
    /// The triangle in the capsule's frame.
    polygon: Polygon<3>,
    /// Whether the polygon's normal may differ from the triangle's, because the triangle is a
    /// sliver, or tiny and far away.
    normal_is_uncertain: bool,
    pub(crate) exits: Exits,
}

impl TriangleTarget {
    /// A triangle that belongs to no mesh.
    pub(crate) fn new(frame: &CapsuleFrame, triangle: &Triangle) -> Self {
        Self::in_mesh(frame, corners_of(triangle), Exits::ALL)
    }

    /// A triangle that belongs to no mesh; `None` if `sweep` skips it.
    pub(crate) fn swept(sweep: &Sweep, triangle: &Triangle) -> Option<Self> {
        Self::facing(sweep, corners_of(triangle), Exits::ALL)
    }

    /// A triangle of a mesh, given by its corners, one per lane. A piercing axis leaves it through
    /// `exits` only.
    #[inline(always)]
    pub(crate) fn in_mesh<F: F64x4>(
        frame: &CapsuleFrame,
        world: Vec3Soa<F>,
        exits: Exits,
    ) -> Self {
        let world = PolygonLanes::new::<3>(world);
        Self::in_frame(frame, &world, &world.conditioning(), exits)
    }

    /// [`TriangleTarget::in_mesh`], where the conditioning is known.
    #[inline(always)]
    fn in_frame<F: F64x4>(
        frame: &CapsuleFrame,
        world: &PolygonLanes<F>,
        conditioning: &TriangleConditioning,
        exits: Exits,
    ) -> Self {
        let relative = frame.relative_lanes(world.start);
        let distance_squared = relative.first().length_squared();
        let is_certain =
            conditioning.is_well_shaped() && conditioning.is_resolved_at(distance_squared);
        // The normal comes from the relative corners only where they may give another one. A
        // triangle so small and far that they coincide has no face.
        // The normal is passed as numbers, which stay in registers: an `Option` that the call
        // writes to would live in memory.
        let (has_face, [x, y, z]) = if is_certain {
            (true, conditioning.normal().to_array())
        } else {
            let normal = careful_normal(&relative.to_arrays());
            (normal.is_some(), normal.unwrap_or(DVec3::ZERO).to_array())
        };
        let normal = has_face.then(|| DVec3::new(x, y, z));
        let polygon = Polygon::from_lanes(relative.to_arrays(), normal);
        Self { world: world.start.to_arrays(), polygon, normal_is_uncertain: !is_certain, exits }
    }

    /// Whether the axis of the capsule is clearly on one side of the triangle's plane, and so does
    /// not count as piercing it: no exit is asked for. `false` if in doubt.
    ///
    /// The normal of a well-shaped triangle is off by 10⁻¹³ at most
    /// ([`WELL_SPREAD_SQ`](crate::tolerance::WELL_SPREAD_SQ)); the margin is far larger.
    #[inline(always)]
    pub(crate) fn is_clear_of(&self, half_axis: DVec3) -> bool {
        let Some(normal) = self.polygon.normal.filter(|_| !self.normal_is_uncertain) else {
            return false;
        };
        let corner = self.polygon.vertex(0);
        let distance = corner.abs().element_sum() + half_axis.abs().element_sum();
        let gap = normal.dot(corner).abs() - normal.dot(half_axis).abs();
        gap > 2.0 * PIERCE + 1e-9 * distance
    }

    /// [`TriangleTarget::in_mesh`]; `None` if `sweep` skips the triangle because the motion runs
    /// along or out of its front. A degenerate triangle has no front.
    #[inline(always)]
    pub(crate) fn facing<F: F64x4>(
        sweep: &Sweep,
        world: Vec3Soa<F>,
        exits: Exits,
    ) -> Option<Self> {
        let world = PolygonLanes::new::<3>(world);
        let conditioning = world.conditioning();
        let faces_away = sweep.sides == Sides::Front
            && !sweep.motion.is_zero()
            && conditioning.area_vector.dot(sweep.motion.vector()) >= 0.0;
        // Skipped triangles, like the walls beside a fall, need no frame.
        if faces_away && (conditioning.is_well_shaped() || world.sliver_normal().is_some()) {
            return None;
        }
        Some(Self::in_frame(sweep.frame, &world, &conditioning, exits))
    }
}

/// Unit normal of the triangle with these corners, of any shape.
#[cold]
fn careful_normal(corners: &Vec3Soa<[f64; 4]>) -> Option<DVec3> {
    face_normal(&[0, 1, 2].map(|i| corners.lane(i)))
}

fn corners_of(triangle: &Triangle) -> Vec3Soa<<Scalar as F32x8>::F64x4> {
    Vec3Soa::corners(&triangle.vertices())
}

impl Target for TriangleTarget {
    fn is_solid(&self) -> bool {
        false
    }

    #[inline(always)]
    fn closest_pair<L: F32x8>(&self, axis: &RelativeSegment) -> ClosestPair {
        closest_segment_polygon::<L::F64x4, _>(axis, &self.polygon)
    }

    #[inline(always)]
    fn line_contact<L: F32x8>(&self, axis: &RelativeSegment, nearest: ClosestPair) -> ClosestPair {
        line_contact::<L::F64x4, _>(axis, &self.polygon, nearest)
    }

    #[inline(always)]
    fn end_on_face<L: F32x8>(
        &self,
        axis: &RelativeSegment,
        motion: DVec3,
    ) -> Option<(DVec3, ClosestPair)> {
        let on_plane = PolygonLanes::<L::F64x4>::from_polygon(&self.polygon).start.first();
        Some(end_over_face(axis, self.polygon.normal?, on_plane, motion))
    }

    fn push_out(&self, half_axis: DVec3) -> PushOut {
        push_out_of_triangle(&self.polygon, half_axis, self.exits)
    }

    #[inline(always)]
    fn test_flats<L: F32x8>(&self, input: &SweepInput) -> FlatPieceTest {
        FlatPieceTest::new::<L, _>(&self.polygon, input)
    }

    #[inline(always)]
    fn enter<L: F32x8>(&self, input: &SweepInput, flats: &FlatPieceTest) -> Option<Entry> {
        flats.enter::<L, _>(&self.polygon, input)
    }

    #[inline(always)]
    fn face_normal(&self, normal: DVec3, source: NormalSource) -> Option<DVec3> {
        let front = match source {
            _ if self.normal_is_uncertain => careful_normal(&self.world),
            NormalSource::Face => return None,
            NormalSource::ClosestPoints { .. } | NormalSource::PushOut => self.polygon.normal,
        };
        front.map(|front| if front.dot(normal) >= 0.0 { front } else { -front })
    }

    #[inline(always)]
    fn barycentrics<L: F32x8>(&self, nearest: &ClosestPair) -> Option<[f64; 3]> {
        let point = nearest.on_target;
        Some(match nearest.feature {
            Feature::Vertex(i) => [0, 1, 2].map(|k| f64::from(u8::from(i == k))),
            Feature::Edge(i) => edge_weights(self.polygon, i.into(), point),
            Feature::Face => match self.polygon.normal {
                Some(normal) if !self.normal_is_uncertain => area_weights(
                    &PolygonLanes::<L::F64x4>::from_polygon(&self.polygon),
                    normal,
                    point,
                ),
                _ => sliver_weights(self.polygon, point),
            },
        })
    }
}

impl TriangleTarget {
    /// Multiple of the f32 vector `normal` that the capsule must move to clear the whole triangle
    /// on that side.
    pub(crate) fn depth_along(&self, frame: &CapsuleFrame, normal: Vec3) -> f64 {
        let normal = normal.as_dvec3();
        let length = normal.length();
        let axis_depth = clearance(&self.polygon, frame.half_axis(), normal / length);
        (axis_depth + frame.radius()) / length
    }
}

/// Barycentrics of a point on edge `i`.
///
/// A `match` instead of an array written by index, which would force all weights into memory.
fn edge_weights(triangle: Polygon<3>, i: usize, point: DVec3) -> [f64; 3] {
    let along = triangle.edge(i).parameter(point);
    let rest = 1.0 - along;
    match i {
        0 => [rest, along, 0.0],
        1 => [0.0, rest, along],
        _ => [along, 0.0, rest],
    }
}

/// Barycentrics of a point over the face of a well-shaped triangle: shares of its area.
///
/// Let `L` be the longest edge and `D` the larger of `L` and the capsule's distance. A partial
/// area is off by about `ε·D·L`. The whole area is at least 10⁻³·`L²`, and at least
/// 2⁻¹⁸·`D·L` because the normal is certain. So a weight is off by about 2¹⁸·ε =
/// 6·10⁻¹¹ at worst. Near a triangle without a sharp corner it is a few ε.
#[inline(always)]
fn area_weights<F: F64x4>(corners: &PolygonLanes<F>, normal: DVec3, point: DVec3) -> [f64; 3] {
    let by_edge = corners.edge_areas(normal, point).max(F::splat(0.0));
    let [ab, bc, ca, _] = by_edge.store();
    // Corner `a` is opposite to edge `bc`.
    let [a, b, c, _] = (by_edge.next::<3>() / F::splat(ab + bc + ca)).store();
    [a, b, c]
}

/// Barycentrics of a point over the face of any triangle, from its longest edge.
///
/// First comes the weight of the opposite vertex, as a share of its height over the edge. The
/// other weights follow from the position along the edge. On a sliver of length `L` and width `w`
/// the first weight is uncertain by `ε·L/w`. That moves the weighted point by only `ε·L`
/// across the edge, and the second step corrects what it moves along the edge.
#[cold]
fn sliver_weights(triangle: Polygon<3>, point: DVec3) -> [f64; 3] {
    let longest = longest_of([0, 1, 2].map(|i| triangle.edge(i).vector.length_squared()));
    let (edge, top) = (triangle.edge(longest), triangle.vertex(longest + 2));
    let (point_along, top_along) = (edge.parameter(point), edge.parameter(top));
    let (point_across, top_across) = (point - edge.at(point_along), top - edge.at(top_along));
    // A rotated triangle may have a face by rounding alone, and no height.
    let height_squared = top_across.length_squared();
    let share =
        if height_squared > 0.0 { point_across.dot(top_across) / height_squared } else { 0.0 };
    let mut top_weight = share.clamp(0.0, 1.0);
    let mut end_weight = point_along - top_weight * top_along;
    // On a border, keep the position along the edge.
    if end_weight < 0.0 {
        top_weight =
            if top_along > 0.0 { (point_along / top_along).clamp(0.0, 1.0) } else { top_weight };
        end_weight = 0.0;
    } else if end_weight + top_weight > 1.0 {
        let (rest, top_rest) = (1.0 - point_along, 1.0 - top_along);
        top_weight = if top_rest > 0.0 { (rest / top_rest).clamp(0.0, 1.0) } else { top_weight };
        end_weight = 1.0 - top_weight;
    }
    let start_weight = (1.0 - end_weight - top_weight).max(0.0);
    match longest {
        0 => [start_weight, end_weight, top_weight],
        1 => [top_weight, start_weight, end_weight],
        _ => [end_weight, top_weight, start_weight],
    }
}

/// A sphere or a point (`N` = 1), a capsule or a segment (`N` = 2): a point or a segment, and the
/// radius around it, which may be 0.
#[derive(Clone, Copy)]
pub(crate) struct RoundTarget<const N: usize> {
    polygon: Polygon<N>,
    radius: f64,
}

impl RoundTarget<1> {
    pub(crate) fn sphere(frame: &CapsuleFrame, sphere: &Sphere) -> Self {
        let vertices = [frame.relative(sphere.center())];
        Self { polygon: Polygon::new(vertices, None), radius: f64::from(sphere.radius()) }
    }

    pub(crate) fn point(frame: &CapsuleFrame, point: &Point) -> Self {
        let vertices = [frame.relative(point.position())];
        Self { polygon: Polygon::new(vertices, None), radius: 0.0 }
    }
}

impl RoundTarget<2> {
    pub(crate) fn capsule(frame: &CapsuleFrame, capsule: &Capsule) -> Self {
        let vertices = [capsule.p0(), capsule.p1()].map(|end| frame.relative(end));
        Self { polygon: Polygon::new(vertices, None), radius: f64::from(capsule.radius()) }
    }

    /// The one edge of a point has no length. So the kernels treat a segment without length in
    /// the same way as a point, and their answers have the same bits.
    pub(crate) fn segment(frame: &CapsuleFrame, segment: &Segment) -> Self {
        let vertices = [segment.a(), segment.b()].map(|end| frame.relative(end));
        Self { polygon: Polygon::new(vertices, None), radius: 0.0 }
    }

    /// Weights of the two ends at `nearest.on_target`.
    pub(crate) fn end_weights(&self, nearest: &ClosestPair) -> [f64; 2] {
        match nearest.feature {
            Feature::Vertex(0) => [1.0, 0.0],
            Feature::Vertex(_) => [0.0, 1.0],
            // Between the ends, so the segment has a length to divide by.
            Feature::Edge(_) | Feature::Face => {
                let along = self.polygon.edge(0).parameter(nearest.on_target).clamp(0.0, 1.0);
                [1.0 - along, along]
            }
        }
    }
}

impl<const N: usize> Target for RoundTarget<N> {
    fn convex_radius(&self) -> f64 {
        self.radius
    }

    #[inline(always)]
    fn closest_pair<L: F32x8>(&self, axis: &RelativeSegment) -> ClosestPair {
        closest_segment_polygon::<L::F64x4, _>(axis, &self.polygon)
    }

    #[inline(always)]
    fn line_contact<L: F32x8>(&self, axis: &RelativeSegment, nearest: ClosestPair) -> ClosestPair {
        line_contact::<L::F64x4, _>(axis, &self.polygon, nearest)
    }

    fn push_out(&self, half_axis: DVec3) -> PushOut {
        push_out_of_polygon(&self.polygon, half_axis)
    }

    #[inline(always)]
    fn test_flats<L: F32x8>(&self, input: &SweepInput) -> FlatPieceTest {
        FlatPieceTest::new::<L, _>(&self.polygon, input)
    }

    #[inline(always)]
    fn enter<L: F32x8>(&self, input: &SweepInput, flats: &FlatPieceTest) -> Option<Entry> {
        flats.enter::<L, _>(&self.polygon, input)
    }
}

/// A solid box.
#[derive(Clone, Copy)]
pub(crate) struct BoxTarget {
    center: DVec3,
    axes: DMat3,
    half_extents: DVec3,
}

impl BoxTarget {
    pub(crate) fn new(frame: &CapsuleFrame, obb: &Obb) -> Self {
        let half_extents = obb.half_extents().as_dvec3();
        Self { center: frame.relative(obb.center()), axes: obb.axes(), half_extents }
    }

    /// The axis in the box's frame.
    fn in_box_frame(&self, axis: &RelativeSegment) -> RelativeSegment {
        let own = self.axes.transpose();
        RelativeSegment { start: own * (axis.start - self.center), vector: own * axis.vector }
    }

    /// A result from the box's frame in the capsule's frame.
    fn in_capsule_frame(&self, axis: &RelativeSegment, local: ClosestPair) -> ClosestPair {
        ClosestPair {
            on_axis: axis.at(local.axis_t),
            on_target: self.center + self.axes * local.on_target,
            ..local
        }
    }

    /// The face at the positive or negative end (`sign`) of box axis `k`.
    fn face(&self, k: usize, sign: f64) -> Polygon<4> {
        let normal = self.axes.col(k) * sign;
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        let (u, v) = (
            self.axes.col(i) * self.half_extents[i] * sign,
            self.axes.col(j) * self.half_extents[j],
        );
        let middle = self.center + normal * self.half_extents[k];
        let vertices = [middle - u - v, middle + u - v, middle + u + v, middle - u + v];
        // A face without width has no inside and equals its edges. Measure the width of the
        // relative vertices: a box may be small and far away.
        let (u, v) = (vertices[1] - vertices[0], vertices[3] - vertices[0]);
        Polygon::new(vertices, plane_normal(u, v).map(|_| normal))
    }
}

impl Target for BoxTarget {
    fn closest_pair<L: F32x8>(&self, axis: &RelativeSegment) -> ClosestPair {
        self.in_capsule_frame(
            axis,
            closest_segment_box(&self.in_box_frame(axis), self.half_extents),
        )
    }

    fn line_contact<L: F32x8>(
        &self,
        axis: &RelativeSegment,
        _nearest: ClosestPair,
    ) -> ClosestPair {
        self.in_capsule_frame(axis, line_contact_box(&self.in_box_frame(axis), self.half_extents))
    }

    fn push_out(&self, half_axis: DVec3) -> PushOut {
        push_out_of_box(self.center, self.axes, self.half_extents, half_axis)
    }

    /// Tries the faces that the motion runs into. The contact normal is a sum of the normals of
    /// the faces at the touched point, so at least one of them opposes the motion.
    #[inline(always)]
    fn enter<L: F32x8>(&self, input: &SweepInput, _flats: &FlatPieceTest) -> Option<Entry> {
        (0..3)
            .filter_map(|k| {
                let speed = self.axes.col(k).dot(input.motion);
                (speed != 0.0).then(|| self.face(k, -speed.signum()))
            })
            .filter_map(|face| {
                FlatPieceTest::new::<L, _>(&face, input).enter::<L, _>(&face, input)
            })
            .map(|entry| entry.time)
            .min_by(f64::total_cmp)
            .map(Entry::at_unknown_site)
    }

    /// The normal of the face at the touched point that is closest to the contact normal.
    fn face_normal(&self, normal: DVec3, _source: NormalSource) -> Option<DVec3> {
        let local = self.axes.transpose() * normal;
        let k = if local.x.abs() >= local.y.abs() && local.x.abs() >= local.z.abs() {
            0
        } else if local.y.abs() >= local.z.abs() {
            1
        } else {
            2
        };
        Some(self.axes.col(k) * local[k].signum())
    }
}

/// Everything behind a plane.
#[derive(Clone, Copy)]
pub(crate) struct HalfSpaceTarget {
    normal: DVec3,
    point: DVec3,
}

impl HalfSpaceTarget {
    pub(crate) fn new(frame: &CapsuleFrame, half_space: &HalfSpace) -> Self {
        Self { normal: half_space.normal(), point: frame.relative(half_space.point()) }
    }

    fn height(&self, point: DVec3) -> f64 {
        self.normal.dot(point - self.point)
    }

    fn closest_pair_at(&self, axis: &RelativeSegment, axis_t: f64) -> ClosestPair {
        let on_axis = axis.at(axis_t);
        let on_target = on_axis - self.normal * self.height(on_axis).max(0.0);
        ClosestPair { axis_t, on_axis, on_target, feature: Feature::Face }
    }
}

impl Target for HalfSpaceTarget {
    fn closest_pair<L: F32x8>(&self, axis: &RelativeSegment) -> ClosestPair {
        let falls = self.normal.dot(axis.vector) < 0.0;
        self.closest_pair_at(axis, f64::from(u8::from(falls)))
    }

    fn line_contact<L: F32x8>(&self, axis: &RelativeSegment, nearest: ClosestPair) -> ClosestPair {
        let level = self.normal.dot(axis.vector).abs() <= LINE_CONTACT_GAP;
        if level { self.closest_pair_at(axis, 0.5) } else { nearest }
    }

    fn push_out(&self, half_axis: DVec3) -> PushOut {
        let lowest = self.height(DVec3::ZERO) - self.normal.dot(half_axis).abs();
        PushOut { normal: self.normal, depth: -lowest }
    }

    #[inline(always)]
    fn enter<L: F32x8>(&self, input: &SweepInput, _flats: &FlatPieceTest) -> Option<Entry> {
        let lowest = self.height(DVec3::ZERO) - self.normal.dot(input.half_axis).abs();
        let speed = -self.normal.dot(input.motion);
        let time = (lowest - input.radius) / speed;
        (speed > 0.0 && time <= input.limit).then_some(Entry::at_unknown_site(time))
    }
}

#[cfg(test)]
mod tests {
    use super::{PolygonLanes, TriangleTarget, sliver_weights};
    use crate::kernel::polygon::Polygon;
    use crate::math::{F32x8, Scalar};
    use crate::pair::contract::CapsuleFrame;
    use crate::tolerance::LEAVING_SLOPE;
    use crate::{Capsule, Triangle};
    use capsweep_testkit::Rng;
    use glam::DVec3;

    /// At distances where rounding turns some of the triangles and not others.
    #[test]
    fn a_normal_stands_across_the_edges_that_are_seen() {
        let mut rng = Rng::new(&[84]);
        for _ in 0..20_000 {
            let far = rng.log_range(1.0, 1e6);
            let size = far * rng.log_range(1e-15, 1e-3);
            let [a, b, c] = [(); 3].map(|()| rng.cube(size));
            let start = rng.direction() * far;
            let capsule = Capsule::new(start, start + DVec3::Z, 0.5);
            let (Ok(capsule), Ok(triangle)) = (capsule, Triangle::new(a, b, c)) else {
                unreachable!("all are in range")
            };
            let target = TriangleTarget::new(&CapsuleFrame::new(&capsule), &triangle);
            let relative = PolygonLanes::<<Scalar as F32x8>::F64x4>::from_polygon(&target.polygon);
            let is_well_shaped = relative.conditioning().is_well_shaped();
            let (Some(normal), true) = (target.polygon.normal, is_well_shaped) else {
                continue;
            };
            for i in 0..3 {
                let edge = target.polygon.edge(i).vector;
                let slope = normal.dot(edge).abs() / edge.length();
                assert!(slope < LEAVING_SLOPE, "{slope:e} at {far} of {triangle:?}");
            }
        }
    }

    /// Beyond a border the position along the longest edge is kept.
    #[test]
    fn weights_are_shares_inside_and_clamped_along_the_longest_edge_outside() {
        let [a, b, c] = [DVec3::ZERO, DVec3::X * 4.0, DVec3::new(1.0, 1.0, 0.0)];
        let cases = [
            ((1.5, 0.5), [0.25, 0.25, 0.5]),
            ((1.0, 1.0), [0.0, 0.0, 1.0]),
            ((2.0, 0.0), [0.5, 0.5, 0.0]),
            ((0.25, 0.5), [0.75, 0.0, 0.25]),
            ((3.5, 0.5), [0.0, 5.0 / 6.0, 1.0 / 6.0]),
            ((2.0, -1.0), [0.5, 0.5, 0.0]),
        ];
        for ((x, y), [of_a, of_b, of_c]) in cases {
            let point = DVec3::new(x, y, 0.0);
            let turns = [
                ([a, b, c], [of_a, of_b, of_c]),
                ([b, c, a], [of_b, of_c, of_a]),
                ([c, a, b], [of_c, of_a, of_b]),
            ];
            for (corners, expected) in turns {
                let weights = sliver_weights(Polygon::new(corners, Some(DVec3::Z)), point);
                for (found, expected) in weights.into_iter().zip(expected) {
                    assert!((found - expected).abs() < 1e-15, "{weights:?} at {point}");
                }
            }
        }
    }
}
