//! The targets of the contract: each shape, seen from the capsule's centre.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::closest::{
    Nearest, Segment, end_over_face, line_contact, line_contact_box, segment_box, segment_polygon,
};
use crate::contract::{Target, View};
use crate::overlap::{
    Exits, PushOut, clearance, push_out_of_box, push_out_of_polygon, push_out_of_triangle,
};
use crate::polygon::{Polygon, span_of};
use crate::shape::{face_normal, longest_edge};
use crate::simd::Lanes;
use crate::sweep::{Approach, Entry, Flats};
use crate::tolerance::LINE;
use crate::{Capsule, Feature, HalfSpace, Obb, Sphere, Triangle};
use glam::{DMat3, DVec3, Vec3};

pub(crate) struct TriangleTarget<'a> {
    triangle: &'a Triangle,
    polygon: Polygon<3>,
    exits: Exits,
}

impl<'a> TriangleTarget<'a> {
    /// A triangle on its own.
    pub(crate) fn new(view: &View, triangle: &'a Triangle) -> Self {
        Self::in_mesh(view, triangle, Exits::ALL)
    }

    /// A triangle of a mesh, which a piercing axis leaves through `exits` only.
    #[inline(always)]
    pub(crate) fn in_mesh(view: &View, triangle: &'a Triangle, exits: Exits) -> Self {
        let [a, b, c] = triangle.vertices();
        let vertices = [view.relative(a), view.relative(b), view.relative(c)];
        // From the relative vertices: a triangle so small and far that they coincide has no face.
        Self { triangle, polygon: Polygon { vertices, normal: face_normal(&vertices) }, exits }
    }
}

impl Target for TriangleTarget<'_> {
    fn is_solid(&self) -> bool {
        false
    }

    #[inline(always)]
    fn is_left_by(&self, motion: DVec3) -> bool {
        let has_face = || self.polygon.normal.is_some() || !self.triangle.is_degenerate();
        self.triangle.area_vector().dot(motion) >= 0.0 && has_face()
    }

    fn nearest(&self, axis: &Segment) -> Nearest {
        segment_polygon(axis, &self.polygon)
    }

    fn line_contact(&self, axis: &Segment, nearest: Nearest) -> Nearest {
        line_contact(axis, &self.polygon, nearest)
    }

    #[inline]
    fn under_end(&self, axis: &Segment) -> Option<(DVec3, Nearest)> {
        let normal = self.polygon.normal?;
        Some(end_over_face(axis, normal, self.polygon.vertices[0]))
    }

    fn push_out(&self, half_axis: DVec3) -> PushOut {
        push_out_of_triangle(&self.polygon, half_axis, self.exits)
    }

    #[inline(always)]
    fn flats<L: Lanes>(&self, way: &Approach) -> Flats {
        Flats::of::<L, _>(&self.polygon, way)
    }

    #[inline(always)]
    fn enter<L: Lanes>(&self, way: &Approach, flats: &Flats) -> Option<Entry> {
        flats.enter::<L, _>(&self.polygon, way)
    }

    #[inline]
    fn face_normal(&self, normal: DVec3) -> DVec3 {
        // The triangle's own: seen from a distance a sliver is rounded to another, or to none.
        match face_normal(&self.triangle.vertices()) {
            Some(front) if front.dot(normal) >= 0.0 => front,
            Some(front) => -front,
            None => normal,
        }
    }

    #[inline]
    fn barycentrics(&self, contact: &Nearest) -> Option<[f64; 3]> {
        let mut weights = [0.0; 3];
        match contact.feature {
            Feature::Vertex(i) => weights[usize::from(i)] = 1.0,
            Feature::Edge(i) => {
                let i = usize::from(i);
                let along = self.polygon.edge(i).parameter(contact.on_target);
                weights[i] = 1.0 - along;
                weights[(i + 1) % 3] = along;
            }
            Feature::Face => {
                let i = longest_edge(&self.polygon.vertices);
                weights = self.weights_over(i, contact.on_target);
            }
        }
        Some(weights)
    }
}

impl TriangleTarget<'_> {
    /// How far the capsule must move along `normal`, as long as it is in f32, to clear the whole triangle on that side.
    pub(crate) fn depth_along(&self, view: &View, normal: Vec3) -> f64 {
        let normal = normal.as_dvec3();
        let length = normal.length();
        let axis_depth = clearance(&self.polygon, view.half_axis(), normal / length);
        (axis_depth + view.radius()) / length
    }

    /// Barycentrics of a point over the face, `i` being the longest edge.
    ///
    /// First the weight of the vertex across, as a share of its height over the edge; then the others
    /// from the place along the edge. On a sliver the first is uncertain by `ε·L/w`, but it only moves the
    /// weighted point across, by `ε·L`: the second step makes up for what it moves along.
    fn weights_over(&self, i: usize, point: DVec3) -> [f64; 3] {
        let edge = self.polygon.edge(i);
        let top = self.polygon.vertices[(i + 2) % 3];
        let (point_along, top_along) = (edge.parameter(point), edge.parameter(top));
        let point_across = point - edge.at(point_along);
        let top_across = top - edge.at(top_along);
        let share = point_across.dot(top_across) / top_across.length_squared();
        let mut top_weight = share.clamp(0.0, 1.0);
        let mut end_weight = point_along - top_weight * top_along;
        // On a border, the place along the edge is what must stay right.
        if end_weight < 0.0 {
            top_weight = if top_along > 0.0 {
                (point_along / top_along).clamp(0.0, 1.0)
            } else {
                top_weight
            };
            end_weight = 0.0;
        } else if end_weight + top_weight > 1.0 {
            let (rest, top_rest) = (1.0 - point_along, 1.0 - top_along);
            top_weight =
                if top_rest > 0.0 { (rest / top_rest).clamp(0.0, 1.0) } else { top_weight };
            end_weight = 1.0 - top_weight;
        }
        let mut weights = [0.0; 3];
        weights[i] = (1.0 - end_weight - top_weight).max(0.0);
        weights[(i + 1) % 3] = end_weight;
        weights[(i + 2) % 3] = top_weight;
        weights
    }
}

/// A sphere (`N` = 1) or a capsule (`N` = 2): a point or a segment with a radius around it.
pub(crate) struct RoundTarget<const N: usize> {
    polygon: Polygon<N>,
    radius: f64,
}

impl RoundTarget<1> {
    pub(crate) fn sphere(view: &View, sphere: &Sphere) -> Self {
        let vertices = [view.relative(sphere.center())];
        Self { polygon: Polygon { vertices, normal: None }, radius: f64::from(sphere.radius()) }
    }
}

impl RoundTarget<2> {
    pub(crate) fn capsule(view: &View, capsule: &Capsule) -> Self {
        let vertices = [capsule.p0(), capsule.p1()].map(|end| view.relative(end));
        Self { polygon: Polygon { vertices, normal: None }, radius: f64::from(capsule.radius()) }
    }
}

impl<const N: usize> Target for RoundTarget<N> {
    fn rounding(&self) -> f64 {
        self.radius
    }

    fn nearest(&self, axis: &Segment) -> Nearest {
        segment_polygon(axis, &self.polygon)
    }

    fn line_contact(&self, axis: &Segment, nearest: Nearest) -> Nearest {
        line_contact(axis, &self.polygon, nearest)
    }

    fn push_out(&self, half_axis: DVec3) -> PushOut {
        push_out_of_polygon(&self.polygon, half_axis)
    }

    #[inline(always)]
    fn flats<L: Lanes>(&self, way: &Approach) -> Flats {
        Flats::of::<L, _>(&self.polygon, way)
    }

    #[inline(always)]
    fn enter<L: Lanes>(&self, way: &Approach, flats: &Flats) -> Option<Entry> {
        flats.enter::<L, _>(&self.polygon, way)
    }
}

pub(crate) struct BoxTarget {
    center: DVec3,
    axes: DMat3,
    half_extents: DVec3,
}

impl BoxTarget {
    pub(crate) fn new(view: &View, obb: &Obb) -> Self {
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
        Polygon { vertices, normal: span_of(u, v).map(|_| normal) }
    }
}

impl Target for BoxTarget {
    fn nearest(&self, axis: &Segment) -> Nearest {
        self.world(axis, segment_box(&self.local(axis), self.half_extents))
    }

    fn line_contact(&self, axis: &Segment, _nearest: Nearest) -> Nearest {
        self.world(axis, line_contact_box(&self.local(axis), self.half_extents))
    }

    fn push_out(&self, half_axis: DVec3) -> PushOut {
        push_out_of_box(self.center, self.axes, self.half_extents, half_axis)
    }

    /// The first touch is on a face that the motion runs into: its normal is made of the normals of
    /// the faces that share the touched point, and one of them at least must oppose the motion.
    #[inline(always)]
    fn enter<L: Lanes>(&self, way: &Approach, _flats: &Flats) -> Option<Entry> {
        (0..3)
            .filter_map(|k| {
                let speed = self.axes.col(k).dot(way.motion);
                (speed != 0.0).then(|| self.face(k, -speed.signum()))
            })
            .filter_map(|face| Flats::of::<L, _>(&face, way).enter::<L, _>(&face, way))
            .map(|entry| entry.time)
            .min_by(f64::total_cmp)
            .map(Entry::anywhere)
    }

    /// Of the faces that share the touched point, the one that looks most along the contact normal.
    fn face_normal(&self, normal: DVec3) -> DVec3 {
        let local = self.axes.transpose() * normal;
        let k = if local.x.abs() >= local.y.abs() && local.x.abs() >= local.z.abs() {
            0
        } else if local.y.abs() >= local.z.abs() {
            1
        } else {
            2
        };
        self.axes.col(k) * local[k].signum()
    }
}

pub(crate) struct HalfSpaceTarget {
    normal: DVec3,
    point: DVec3,
}

impl HalfSpaceTarget {
    pub(crate) fn new(view: &View, half_space: &HalfSpace) -> Self {
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
    fn nearest(&self, axis: &Segment) -> Nearest {
        let falls = self.normal.dot(axis.vector) < 0.0;
        self.nearest_at(axis, f64::from(u8::from(falls)))
    }

    fn line_contact(&self, axis: &Segment, nearest: Nearest) -> Nearest {
        let level = self.normal.dot(axis.vector).abs() <= LINE;
        if level { self.nearest_at(axis, 0.5) } else { nearest }
    }

    fn push_out(&self, half_axis: DVec3) -> PushOut {
        let lowest = self.height(DVec3::ZERO) - self.normal.dot(half_axis).abs();
        PushOut { normal: self.normal, depth: -lowest }
    }

    #[inline(always)]
    fn enter<L: Lanes>(&self, way: &Approach, _flats: &Flats) -> Option<Entry> {
        let lowest = self.height(DVec3::ZERO) - self.normal.dot(way.half_axis).abs();
        let speed = -self.normal.dot(way.motion);
        let time = (lowest - way.radius) / speed;
        (speed > 0.0 && time <= way.limit).then_some(Entry::anywhere(time))
    }
}
