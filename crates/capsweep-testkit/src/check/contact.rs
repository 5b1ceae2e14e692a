//! The fields that all three answers share: point, normals, feature, weights and region.

use super::{Judge, degrees, keep_worst};
use crate::TargetShape;
use crate::oracle::{Core, on_segment};
use capsweep::{ClosestPoints, Feature, Overlap, Region, SweepHit};
use glam::{DVec3, Vec3};

/// Largest distance (0.1 mm) of a point to the feature or region that the answer names.
const NEAR: f64 = 1e-4;

/// The fields that sweeps, overlaps and closest points share.
pub(super) struct Contact {
    point: DVec3,
    normal: Vec3,
    face_normal: Vec3,
    feature: Feature,
    barycentrics: Option<[f64; 3]>,
    region: Region,
}

impl Contact {
    pub(super) fn from_sweep(hit: &SweepHit) -> Self {
        let SweepHit { point, normal, face_normal, feature, barycentrics, region, .. } = *hit;
        Self { point, normal, face_normal, feature, barycentrics, region }
    }

    pub(super) fn from_overlap(found: &Overlap) -> Self {
        let Overlap { point, normal, face_normal, feature, barycentrics, region, .. } = *found;
        Self { point, normal, face_normal, feature, barycentrics, region }
    }

    pub(super) fn from_closest(found: &ClosestPoints) -> Self {
        let ClosestPoints {
            on_geometry, normal, face_normal, feature, barycentrics, region, ..
        } = *found;
        Self { point: on_geometry, normal, face_normal, feature, barycentrics, region }
    }
}

impl Judge<'_> {
    /// Judges a contact of the capsule moved by `offset`, with `gap` metres between the surfaces.
    pub(super) fn contact(&mut self, contact: &Contact, offset: DVec3, gap: f64) {
        let finite = contact.point.is_finite()
            && contact.normal.is_finite()
            && contact.face_normal.is_finite()
            && contact.barycentrics.is_none_or(|w| w.iter().all(|x| x.is_finite()));
        self.require(finite, "contact: not finite");
        let unit = |v: Vec3| (v.as_dvec3().length() - 1.0).abs() < 1e-6;
        self.require(unit(contact.normal), "contact: the normal is not unit");
        self.require(unit(contact.face_normal), "contact: the face normal is not unit");
        let point = contact.point - self.origin;
        keep_worst(&mut self.verdict.point, self.solid.surface_distance(point));
        // Rounding a normal to f32 turns it by up to 6e-8, and with it a deep push-out.
        let blur = 1e-7 * offset.length();
        let from_axis =
            (on_segment(point - offset, DVec3::ZERO, self.axis) + offset).distance(point);
        keep_worst(&mut self.verdict.point, (from_axis - self.radius - gap).abs() - blur);
        self.region(contact, point - offset, gap, blur);
        self.face_normal(contact);
        self.feature(contact, point);
        self.weights(contact);
    }

    /// The region must be right: the point is one radius from the centre of the named hemisphere.
    fn region(&mut self, contact: &Contact, point: DVec3, gap: f64, blur: f64) {
        let error_from = |end: DVec3| (point.distance(end) - self.radius - gap).abs() - blur;
        let sphere = self.axis == DVec3::ZERO;
        let holds = match contact.region {
            Region::Sphere => sphere,
            _ if sphere => false,
            Region::Bottom => error_from(DVec3::ZERO) < NEAR,
            Region::Top => error_from(self.axis) < NEAR,
            Region::Side => true,
        };
        self.require(holds, "contact: region");
    }

    /// The face normal must be that of the touched face, on the capsule's side.
    fn face_normal(&mut self, contact: &Contact) {
        let (face, normal) = (contact.face_normal.as_dvec3(), contact.normal.as_dvec3());
        let parallel = |to: DVec3| degrees(face, to).min(degrees(face, -to)) < 0.5;
        let holds = match &self.solid.core {
            Core::Triangle(triangle) => {
                let thinness = triangle.width / triangle.length.max(f64::MIN_POSITIVE);
                match triangle.normal() {
                    // The library calls a triangle degenerate below a thinness of 2⁻⁴⁰. Up to
                    // 1e-10 the rounding of the corners relative to the capsule turns the normal.
                    Some(own) if thinness > 1e-10 => parallel(own) && face.dot(normal) > -1e-4,
                    _ if thinness > 4e-13 => true,
                    _ => degrees(face, normal) < 0.5,
                }
            }
            Core::Box(_, axes, _) => {
                let any = [axes.x_axis, axes.y_axis, axes.z_axis].into_iter().any(parallel);
                any && face.dot(normal) > -1e-4
            }
            _ => contact.face_normal == contact.normal,
        };
        self.require(holds, "contact: face normal");
    }

    /// The point must be on the named corner or edge.
    fn feature(&mut self, contact: &Contact, point: DVec3) {
        let holds = match (&self.case.target, contact.feature) {
            (TargetShape::Triangle(_) | TargetShape::Box(_), Feature::Face) => true,
            (TargetShape::Triangle(t), feature) => {
                let corners = t.vertices().map(|v| v - self.origin);
                match feature {
                    Feature::Vertex(i @ 0..3) => corners[usize::from(i)].distance(point) < NEAR,
                    Feature::Edge(i @ 0..3) => {
                        let (a, b) = (corners[usize::from(i)], corners[usize::from(i + 1) % 3]);
                        on_segment(point, a, b).distance(point) < NEAR
                    }
                    _ => false,
                }
            }
            (TargetShape::Box(b), feature) => {
                let local = b.axes().transpose() * (contact.point - b.center());
                let half = b.half_extents().as_dvec3();
                let on_side =
                    |axis: usize, bit: u8| (local[axis] - half[axis] * side(bit)).abs() < NEAR;
                match feature {
                    Feature::Vertex(i @ 0..8) => {
                        on_side(0, i & 1) && on_side(1, i >> 1 & 1) && on_side(2, i >> 2 & 1)
                    }
                    Feature::Edge(i @ 0..12) => {
                        let along = usize::from(i / 4);
                        on_side((along + 1) % 3, i & 1) && on_side((along + 2) % 3, i >> 1 & 1)
                    }
                    _ => false,
                }
            }
            (TargetShape::Segment(s), feature) => {
                let (a, b) = (s.a() - self.origin, s.b() - self.origin);
                match feature {
                    Feature::Vertex(0) => a.distance(point) < NEAR,
                    Feature::Vertex(1) => b.distance(point) < NEAR,
                    Feature::Edge(0) => on_segment(point, a, b).distance(point) < NEAR,
                    _ => false,
                }
            }
            (TargetShape::Point(_), feature) => feature == Feature::Vertex(0),
            (_, feature) => feature == Feature::Face,
        };
        self.require(holds, "contact: feature");
    }

    /// The barycentric weights must give the point.
    fn weights(&mut self, contact: &Contact) {
        match (&self.case.target, contact.barycentrics) {
            (TargetShape::Triangle(t), Some(weights)) => {
                let [a, b, c] = t.vertices().map(|v| v - self.origin);
                let [u, v, w] = weights;
                let inside = weights.iter().all(|x| (-1e-9..=1.0 + 1e-9).contains(x));
                self.require(inside, "contact: a weight is not in 0..=1");
                self.require((u + v + w - 1.0).abs() < 1e-9, "contact: the weights' sum is not 1");
                let point = a * u + b * v + c * w;
                keep_worst(&mut self.verdict.point, point.distance(contact.point - self.origin));
            }
            (TargetShape::Triangle(_), None) => self.require(false, "contact: no weights"),
            (_, weights) => self.require(weights.is_none(), "contact: weights without a triangle"),
        }
    }
}

/// The side of a box that a bit names: −1 for 0, 1 for 1.
fn side(bit: u8) -> f64 {
    if bit == 0 { -1.0 } else { 1.0 }
}
