//! The targets of the contract: each shape, seen from the capsule's centre.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::kernel::polygon::{Corners, Polygon};
use crate::kernel::{Entry, FlatPieceTest, SweepInput};
use crate::kernel::{
    Exits, PushOut, clearance, push_out_of_box, push_out_of_polygon, push_out_of_triangle,
};
use crate::kernel::{
    Nearest, Segment, end_over_face, line_contact, line_contact_box, segment_box, segment_polygon,
};
use crate::math::normals::span_of;
use crate::math::normals::{TriangleConditioning, face_normal, longest_of};
use crate::math::{F32x8, F64x4, Plain, Vec3Soa};
use crate::pair::contract::{CapsuleFrame, Source, Sweep, Target};
use crate::tolerance::LINE;
use crate::{Capsule, Feature, HalfSpace, Obb, Sides, Sphere, Triangle};
use glam::{DMat3, DVec3, Vec3};

#[derive(Clone, Copy)]
pub(crate) struct TriangleTarget {
    /// The corners in the world, side by side.
    world: Vec3Soa<[f64; 4]>,
    /// What the capsule sees of it.
    polygon: Polygon<3>,
    /// Whether that may look elsewhere than the triangle itself, which is a sliver, or tiny and far.
    normal_is_uncertain: bool,
    exits: Exits,
}

impl TriangleTarget {
    /// A triangle on its own.
    pub(crate) fn new(view: &CapsuleFrame, triangle: &Triangle) -> Self {
        Self::in_mesh(view, corners_of(triangle), Exits::ALL)
    }

    /// A triangle on its own; nothing if `sweep` skips it.
    pub(crate) fn swept(sweep: &Sweep, triangle: &Triangle) -> Option<Self> {
        Self::facing(sweep, corners_of(triangle), Exits::ALL)
    }

    /// A triangle of a mesh, which a piercing axis leaves through `exits` only. Its corners are side by side.
    #[inline(always)]
    pub(crate) fn in_mesh<F: F64x4>(view: &CapsuleFrame, world: Vec3Soa<F>, exits: Exits) -> Self {
        let own = Corners::new::<3>(world);
        Self::seen(view, &own, &own.spread(), exits)
    }

    /// As [`TriangleTarget::in_mesh`], of a triangle that is spread so.
    #[inline(always)]
    fn seen<F: F64x4>(
        view: &CapsuleFrame,
        own: &Corners<F>,
        spread: &TriangleConditioning,
        exits: Exits,
    ) -> Self {
        let seen = view.relative_to(own.start);
        let distance_squared = seen.first().length_squared();
        let is_clear = spread.is_well_shaped() && spread.is_clear_from(distance_squared);
        // From the relative corners only where they may say something else: a triangle so small and far that they coincide has no face.
        // By parts, which stay in registers: a place that a call may write to is memory.
        let (has_face, [x, y, z]) = if is_clear {
            (true, spread.normal().to_array())
        } else {
            let normal = careful_normal(&seen.to_arrays());
            (normal.is_some(), normal.unwrap_or(DVec3::ZERO).to_array())
        };
        let normal = has_face.then(|| DVec3::new(x, y, z));
        let polygon = Polygon::of(seen.to_arrays(), normal);
        Self { world: own.start.to_arrays(), polygon, normal_is_uncertain: !is_clear, exits }
    }

    /// As [`TriangleTarget::in_mesh`]; nothing if `sweep` skips a triangle that its motion runs along or out of. One without a face
    /// has no front.
    #[inline(always)]
    pub(crate) fn facing<F: F64x4>(sweep: &Sweep, world: Vec3Soa<F>, exits: Exits) -> Option<Self> {
        let own = Corners::new::<3>(world);
        let spread = own.spread();
        let is_left = sweep.sides == Sides::Front
            && !sweep.motion.is_zero()
            && spread.area_vector.dot(sweep.motion.vector()) >= 0.0;
        // Most that are skipped, as the walls beside a fall are, need not be seen from the capsule.
        if is_left && (spread.is_well_shaped() || own.sliver_normal().is_some()) {
            return None;
        }
        Some(Self::seen(sweep.view, &own, &spread, exits))
    }
}

/// Unit normal of the triangle with these corners, whatever its shape.
#[cold]
fn careful_normal(corners: &Vec3Soa<[f64; 4]>) -> Option<DVec3> {
    face_normal(&[0, 1, 2].map(|i| corners.lane(i)))
}

fn corners_of(triangle: &Triangle) -> Vec3Soa<<Plain as F32x8>::F64x4> {
    Vec3Soa::corners(&triangle.vertices())
}

impl Target for TriangleTarget {
    fn is_solid(&self) -> bool {
        false
    }

    #[inline(always)]
    fn nearest<L: F32x8>(&self, axis: &Segment) -> Nearest {
        segment_polygon::<L::F64x4, _>(axis, &self.polygon)
    }

    #[inline(always)]
    fn line_contact<L: F32x8>(&self, axis: &Segment, nearest: Nearest) -> Nearest {
        line_contact::<L::F64x4, _>(axis, &self.polygon, nearest)
    }

    #[inline(always)]
    fn under_end<L: F32x8>(&self, axis: &Segment, motion: DVec3) -> Option<(DVec3, Nearest)> {
        let on_plane = Corners::<L::F64x4>::of(&self.polygon).start.first();
        Some(end_over_face(axis, self.polygon.normal?, on_plane, motion))
    }

    fn push_out(&self, half_axis: DVec3) -> PushOut {
        push_out_of_triangle(&self.polygon, half_axis, self.exits)
    }

    #[inline(always)]
    fn flats<L: F32x8>(&self, way: &SweepInput) -> FlatPieceTest {
        FlatPieceTest::of::<L, _>(&self.polygon, way)
    }

    #[inline(always)]
    fn enter<L: F32x8>(&self, way: &SweepInput, flats: &FlatPieceTest) -> Option<Entry> {
        flats.enter::<L, _>(&self.polygon, way)
    }

    #[inline(always)]
    fn face_normal(&self, normal: DVec3, source: Source) -> Option<DVec3> {
        let front = match source {
            _ if self.normal_is_uncertain => careful_normal(&self.world),
            Source::Face => return None,
            Source::Points { .. } | Source::PushOut => self.polygon.normal,
        };
        front.map(|front| if front.dot(normal) >= 0.0 { front } else { -front })
    }

    #[inline(always)]
    fn barycentrics<L: F32x8>(&self, contact: &Nearest) -> Option<[f64; 3]> {
        let point = contact.on_target;
        Some(match contact.feature {
            Feature::Vertex(i) => [0, 1, 2].map(|k| f64::from(u8::from(i == k))),
            Feature::Edge(i) => weights_along(self.polygon, i.into(), point),
            Feature::Face => match self.polygon.normal {
                Some(normal) if !self.normal_is_uncertain => {
                    shares_of(&Corners::<L::F64x4>::of(&self.polygon), normal, point)
                }
                _ => weights_over(self.polygon, point),
            },
        })
    }
}

impl TriangleTarget {
    /// How far the capsule must move along `normal`, as long as it is in f32, to clear the whole triangle on that side.
    pub(crate) fn depth_along(&self, view: &CapsuleFrame, normal: Vec3) -> f64 {
        let normal = normal.as_dvec3();
        let length = normal.length();
        let axis_depth = clearance(&self.polygon, view.half_axis(), normal / length);
        (axis_depth + view.radius()) / length
    }
}

/// Barycentrics of a point on edge `i`. In no array that is written by its index: that would be memory, and so would all weights.
fn weights_along(triangle: Polygon<3>, i: usize, point: DVec3) -> [f64; 3] {
    let along = triangle.edge(i).parameter(point);
    let rest = 1.0 - along;
    match i {
        0 => [rest, along, 0.0],
        1 => [0.0, rest, along],
        _ => [along, 0.0, rest],
    }
}

/// Barycentrics of a point over the face of a stout triangle: its share of the area, seen from each corner.
///
/// An area is off by some `ε·D·L`, for a longest edge `L` and a capsule `D` away, or `L` if that is more; all of it is at least 10⁻³·`L²`, and, of a triangle that is
/// not faint, 2⁻¹⁸·`D·L`: a weight is off by some 2¹⁸·ε at worst, 6·10⁻¹¹, and by a few ε near a triangle without a sharp corner.
#[inline(always)]
fn shares_of<F: F64x4>(corners: &Corners<F>, normal: DVec3, point: DVec3) -> [f64; 3] {
    let by_edge = corners.areas_under(normal, point).max(F::splat(0.0));
    let [ab, bc, ca, _] = by_edge.store();
    // Across edge `bc` is corner `a`.
    let [a, b, c, _] = (by_edge.next::<3>() / F::splat(ab + bc + ca)).store();
    [a, b, c]
}

/// Barycentrics of a point over the face of a triangle, by its longest edge.
///
/// First the weight of the vertex across, as a share of its height over the edge; then the others
/// from the place along the edge. On a sliver the first is uncertain by `ε·L/w`, but it only moves the
/// weighted point across, by `ε·L`: the second step makes up for what it moves along.
#[cold]
fn weights_over(triangle: Polygon<3>, point: DVec3) -> [f64; 3] {
    let longest = longest_of([0, 1, 2].map(|i| triangle.edge(i).vector.length_squared()));
    let (edge, top) = (triangle.edge(longest), triangle.vertex(longest + 2));
    let (point_along, top_along) = (edge.parameter(point), edge.parameter(top));
    let (point_across, top_across) = (point - edge.at(point_along), top - edge.at(top_along));
    // What was turned in the world may have a face by its rounding, and no height.
    let height_squared = top_across.length_squared();
    let share =
        if height_squared > 0.0 { point_across.dot(top_across) / height_squared } else { 0.0 };
    let mut top_weight = share.clamp(0.0, 1.0);
    let mut end_weight = point_along - top_weight * top_along;
    // On a border, the place along the edge is what must stay right.
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

/// A sphere (`N` = 1) or a capsule (`N` = 2): a point or a segment with a radius around it.
#[derive(Clone, Copy)]
pub(crate) struct RoundTarget<const N: usize> {
    polygon: Polygon<N>,
    radius: f64,
}

impl RoundTarget<1> {
    pub(crate) fn sphere(view: &CapsuleFrame, sphere: &Sphere) -> Self {
        let vertices = [view.relative(sphere.center())];
        Self { polygon: Polygon::new(vertices, None), radius: f64::from(sphere.radius()) }
    }
}

impl RoundTarget<2> {
    pub(crate) fn capsule(view: &CapsuleFrame, capsule: &Capsule) -> Self {
        let vertices = [capsule.p0(), capsule.p1()].map(|end| view.relative(end));
        Self { polygon: Polygon::new(vertices, None), radius: f64::from(capsule.radius()) }
    }
}

impl<const N: usize> Target for RoundTarget<N> {
    fn rounding(&self) -> f64 {
        self.radius
    }

    #[inline(always)]
    fn nearest<L: F32x8>(&self, axis: &Segment) -> Nearest {
        segment_polygon::<L::F64x4, _>(axis, &self.polygon)
    }

    #[inline(always)]
    fn line_contact<L: F32x8>(&self, axis: &Segment, nearest: Nearest) -> Nearest {
        line_contact::<L::F64x4, _>(axis, &self.polygon, nearest)
    }

    fn push_out(&self, half_axis: DVec3) -> PushOut {
        push_out_of_polygon(&self.polygon, half_axis)
    }

    #[inline(always)]
    fn flats<L: F32x8>(&self, way: &SweepInput) -> FlatPieceTest {
        FlatPieceTest::of::<L, _>(&self.polygon, way)
    }

    #[inline(always)]
    fn enter<L: F32x8>(&self, way: &SweepInput, flats: &FlatPieceTest) -> Option<Entry> {
        flats.enter::<L, _>(&self.polygon, way)
    }
}

#[derive(Clone, Copy)]
pub(crate) struct BoxTarget {
    center: DVec3,
    axes: DMat3,
    half_extents: DVec3,
}

impl BoxTarget {
    pub(crate) fn new(view: &CapsuleFrame, obb: &Obb) -> Self {
        let half_extents = obb.half_extents().as_dvec3();
        Self { center: view.relative(obb.center()), axes: obb.axes(), half_extents }
    }

    /// The axis in the box's own frame.
    fn local(&self, axis: &Segment) -> Segment {
        let own = self.axes.transpose();
        Segment { start: own * (axis.start - self.center), vector: own * axis.vector }
    }

    /// A result in the box's own frame, back in the query's.
    fn world(&self, axis: &Segment, local: Nearest) -> Nearest {
        Nearest {
            on_axis: axis.at(local.axis_t),
            on_target: self.center + self.axes * local.on_target,
            ..local
        }
    }

    /// The face on the side of box axis `k` that `sign` names.
    fn face(&self, k: usize, sign: f64) -> Polygon<4> {
        let normal = self.axes.col(k) * sign;
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        let (u, v) = (
            self.axes.col(i) * self.half_extents[i] * sign,
            self.axes.col(j) * self.half_extents[j],
        );
        let middle = self.center + normal * self.half_extents[k];
        let vertices = [middle - u - v, middle + u - v, middle + u + v, middle - u + v];
        // A face without width has no inside: its edges say everything. What counts is the width
        // that is left in the relative vertices, of a box that may be small and far.
        let (u, v) = (vertices[1] - vertices[0], vertices[3] - vertices[0]);
        Polygon::new(vertices, span_of(u, v).map(|_| normal))
    }
}

impl Target for BoxTarget {
    fn nearest<L: F32x8>(&self, axis: &Segment) -> Nearest {
        self.world(axis, segment_box(&self.local(axis), self.half_extents))
    }

    fn line_contact<L: F32x8>(&self, axis: &Segment, _nearest: Nearest) -> Nearest {
        self.world(axis, line_contact_box(&self.local(axis), self.half_extents))
    }

    fn push_out(&self, half_axis: DVec3) -> PushOut {
        push_out_of_box(self.center, self.axes, self.half_extents, half_axis)
    }

    /// The first touch is on a face that the motion runs into: its normal is made of the normals of
    /// the faces that share the touched point, and one of them at least must oppose the motion.
    #[inline(always)]
    fn enter<L: F32x8>(&self, way: &SweepInput, _flats: &FlatPieceTest) -> Option<Entry> {
        (0..3)
            .filter_map(|k| {
                let speed = self.axes.col(k).dot(way.motion);
                (speed != 0.0).then(|| self.face(k, -speed.signum()))
            })
            .filter_map(|face| FlatPieceTest::of::<L, _>(&face, way).enter::<L, _>(&face, way))
            .map(|entry| entry.time)
            .min_by(f64::total_cmp)
            .map(Entry::anywhere)
    }

    /// Of the faces that share the touched point, the one that looks most along the contact normal.
    fn face_normal(&self, normal: DVec3, _source: Source) -> Option<DVec3> {
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

#[derive(Clone, Copy)]
pub(crate) struct HalfSpaceTarget {
    normal: DVec3,
    point: DVec3,
}

impl HalfSpaceTarget {
    pub(crate) fn new(view: &CapsuleFrame, half_space: &HalfSpace) -> Self {
        Self { normal: half_space.normal(), point: view.relative(half_space.point()) }
    }

    fn height(&self, point: DVec3) -> f64 {
        self.normal.dot(point - self.point)
    }

    fn nearest_at(&self, axis: &Segment, axis_t: f64) -> Nearest {
        let on_axis = axis.at(axis_t);
        let on_target = on_axis - self.normal * self.height(on_axis).max(0.0);
        Nearest { axis_t, on_axis, on_target, feature: Feature::Face }
    }
}

impl Target for HalfSpaceTarget {
    fn nearest<L: F32x8>(&self, axis: &Segment) -> Nearest {
        let falls = self.normal.dot(axis.vector) < 0.0;
        self.nearest_at(axis, f64::from(u8::from(falls)))
    }

    fn line_contact<L: F32x8>(&self, axis: &Segment, nearest: Nearest) -> Nearest {
        let level = self.normal.dot(axis.vector).abs() <= LINE;
        if level { self.nearest_at(axis, 0.5) } else { nearest }
    }

    fn push_out(&self, half_axis: DVec3) -> PushOut {
        let lowest = self.height(DVec3::ZERO) - self.normal.dot(half_axis).abs();
        PushOut { normal: self.normal, depth: -lowest }
    }

    #[inline(always)]
    fn enter<L: F32x8>(&self, way: &SweepInput, _flats: &FlatPieceTest) -> Option<Entry> {
        let lowest = self.height(DVec3::ZERO) - self.normal.dot(way.half_axis).abs();
        let speed = -self.normal.dot(way.motion);
        let time = (lowest - way.radius) / speed;
        (speed > 0.0 && time <= way.limit).then_some(Entry::anywhere(time))
    }
}

#[cfg(test)]
mod tests {
    use super::{Corners, TriangleTarget};
    use crate::math::{F32x8, Plain};
    use crate::pair::contract::CapsuleFrame;
    use crate::tolerance::BACKWARD;
    use crate::{Capsule, Triangle};
    use capsweep_testkit::Rng;
    use glam::DVec3;

    /// From so far that rounding turns some of the triangles, and some not.
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
            let target = TriangleTarget::new(&CapsuleFrame::of(&capsule), &triangle);
            let seen = Corners::<<Plain as F32x8>::F64x4>::of(&target.polygon);
            let (Some(normal), true) = (target.polygon.normal, seen.spread().is_well_shaped())
            else {
                continue;
            };
            for i in 0..3 {
                let edge = target.polygon.edge(i).vector;
                let slope = normal.dot(edge).abs() / edge.length();
                assert!(slope < BACKWARD, "{slope:e} at {far} of {triangle:?}");
            }
        }
    }
}
