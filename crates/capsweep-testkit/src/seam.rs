//! Reference for the correction of internal edges: one contact and a plain list of the triangles
//! around it.

use capsweep::{Capsule, Feature, Motion, SEAM_DISTANCE, Sides, SweepHit, Triangle};
use glam::{DVec3, Vec3};

/// A contact on an edge or a vertex, with all input of the rule.
#[derive(Debug)]
pub(crate) struct EdgeContact<'a> {
    pub(crate) hit: SweepHit,
    pub(crate) capsule: &'a Capsule,
    pub(crate) motion: &'a Motion,
    /// The triangle that was hit.
    pub(crate) own: Triangle,
    /// Whether the mesh continues the triangle in its plane past the edge that was hit.
    pub(crate) is_flat: bool,
    /// All other triangles within [`SEAM_DISTANCE`] of the point, with the sides that count.
    pub(crate) others: Vec<(Triangle, Sides)>,
}

/// Sine below which a face does not rise above the contact (no unit).
const RISING_SINE: f64 = 1e-6;

/// Cosine and sine of half a degree: faces below that angle count as flat.
const FLAT_ANGLE: (f64, f64) = (0.999_961_923_064_171_3, 0.008_726_535_498_373_935);

/// A corrected hit, from one of the other triangles.
struct Correction {
    /// Sine of the angle by which the triangle rises above the contact.
    steepness: f64,
    hit: SweepHit,
}

impl EdgeContact<'_> {
    /// The hits that may be reported: several if faces rise equally, to rounding.
    pub(crate) fn corrected(&self) -> Vec<SweepHit> {
        let hit = self.hit;
        if self.is_flat {
            let is_valid = hit.starts_overlapping() || self.opposes(hit.face_normal);
            return vec![if is_valid { self.on_face(hit.face_normal) } else { hit }];
        }
        let all: Vec<Correction> =
            self.others.iter().filter_map(|(face, sides)| self.correct(face, *sides)).collect();
        let Some(most) = all.iter().map(|one| one.steepness).reduce(f64::max) else {
            return vec![hit];
        };
        all.iter().filter(|one| one.steepness > most - 1e-9).map(|one| one.hit).collect()
    }

    /// The correction that `face` asks for, if any.
    fn correct(&self, face: &Triangle, sides: Sides) -> Option<Correction> {
        let hit = self.hit;
        let (overlaps, normal) = (hit.starts_overlapping(), hit.normal.as_dvec3());
        let front = face.normal()?;
        if !overlaps && sides == Sides::Front && front.dot(hit.normal) <= 0.0 {
            return None;
        }
        let up = if front.dot(hit.normal) < 0.0 { -front } else { front };
        let (along, is_inside) = steepest_direction(face, hit.point, normal)?;
        let corrected = if is_inside {
            self.on_face(self.choose_normal(up))
        } else if overlaps {
            return None;
        } else {
            SweepHit { normal: (normal - along).normalize().as_vec3(), ..hit }
        };
        (overlaps || self.opposes(corrected.normal))
            .then_some(Correction { steepness: along.length(), hit: corrected })
    }

    /// Chooses between the other face's normal and the own face's.
    fn choose_normal(&self, other: Vec3) -> Vec3 {
        let own = self.hit.face_normal;
        if self.own.is_degenerate() {
            return other;
        }
        if own.as_dvec3().dot(other.as_dvec3()) > FLAT_ANGLE.0 {
            return own;
        }
        let takes_own = if self.hit.starts_overlapping() {
            self.depth_along(own) < self.depth_along(other)
        } else {
            let steep = steepest_direction(&self.own, self.hit.point, other.as_dvec3());
            let is_corner = steep.is_some_and(|(along, _)| along.length() > FLAT_ANGLE.1);
            is_corner && self.head_on(own) > self.head_on(other)
        };
        if takes_own { own } else { other }
    }

    /// The hit as a face contact with this normal.
    fn on_face(&self, normal: Vec3) -> SweepHit {
        let depth = if self.hit.starts_overlapping() { self.depth_along(normal) } else { 0.0 };
        SweepHit { normal, face_normal: normal, feature: Feature::Face, depth, ..self.hit }
    }

    /// Distance along `normal` that brings the capsule past all three corners of the own triangle.
    fn depth_along(&self, normal: Vec3) -> f64 {
        let normal = normal.as_dvec3();
        let along = |point: DVec3| normal.normalize().dot(point - self.capsule.p0());
        let top = self.own.vertices().map(along).into_iter().fold(f64::NEG_INFINITY, f64::max);
        let bottom = along(self.capsule.p1()).min(0.0) - f64::from(self.capsule.radius());
        (top - bottom) / normal.length()
    }

    /// Part of the motion against `normal`, in metres.
    fn head_on(&self, normal: Vec3) -> f64 {
        -normal.as_dvec3().dot(self.motion.vector())
    }

    fn opposes(&self, normal: Vec3) -> bool {
        self.head_on(normal) > 0.0
    }
}

/// The steepest direction along `face` from the projection of `point`, towards `direction`, and
/// whether it leads into the face.
///
/// The triangle must continue along it, and must end on the side of `direction`. The length is the
/// sine of the slope.
fn steepest_direction(face: &Triangle, point: DVec3, direction: DVec3) -> Option<(DVec3, bool)> {
    let corners = face.vertices();
    let front = face.area_vector().normalize();
    let inside = [0, 1, 2].map(|i| {
        let inward = front.cross(corners[(i + 1) % 3] - corners[i]).normalize();
        (inward, inward.dot(point - corners[i]))
    });
    let at: Vec<usize> = (0..3).filter(|&i| inside[i].1 <= SEAM_DISTANCE).collect();
    // The start on the triangle: in its plane, on an edge, or at the corner between two edges.
    let start = match at[..] {
        [] => point - front * front.dot(point - corners[0]),
        [i] => point - front * front.dot(point - corners[0]) - inside[i].0 * inside[i].1,
        [0, 1] => corners[1],
        [1, 2] => corners[2],
        [0, 2] => corners[0],
        _ => return None,
    };
    let end = |slope: DVec3, along: Option<usize>| {
        let lengths = (0..3).filter(|&i| Some(i) != along).filter_map(|i| {
            let toward = -inside[i].0.dot(slope);
            let left =
                if at.contains(&i) { 0.0 } else { inside[i].0.dot(start - corners[i]).max(0.0) };
            (toward > 0.0).then_some(left / toward)
        });
        lengths.fold(f64::INFINITY, f64::min)
    };
    let leads_up = |slope: DVec3, along: Option<usize>| {
        let steepness = slope.length();
        let length = end(slope / steepness, along);
        // Relative to the point's projection to the plane, so that a face slightly below the
        // point still rises.
        let below = point - front * front.dot(point - corners[0]);
        let top = start + slope / steepness * length - below;
        steepness > RISING_SINE && length > 0.0 && top.dot(direction) > RISING_SINE * length
    };
    let level = direction - front * front.dot(direction);
    if leads_up(level, None) {
        return Some((level, true));
    }
    let rays = at.iter().flat_map(|&i| {
        let ray = front.cross(inside[i].0);
        [(i, ray), (i, -ray)]
    });
    let slopes = rays
        .filter(|(_, ray)| ray.dot(direction) > 0.0)
        .map(|(i, ray)| (i, ray * ray.dot(direction)));
    let up = slopes.filter(|&(i, slope)| leads_up(slope, Some(i))).map(|(_, slope)| slope);
    up.max_by(|a, b| a.length().total_cmp(&b.length())).map(|slope| (slope, false))
}

/// Distance of a point to a triangle: to the plane if the point projects inside, else to the
/// nearest edge.
pub(crate) fn distance(point: DVec3, triangle: &Triangle) -> f64 {
    let corners = triangle.vertices();
    if triangle.contains_projection(point) == Some(true) {
        return triangle.signed_distance(point).map_or(f64::INFINITY, f64::abs);
    }
    let to_edge = |i: usize| {
        let (start, end) = (corners[i], corners[(i + 1) % 3]);
        capsweep::closest_point_segment(point, start, end).distance(point)
    };
    (0..3).map(to_edge).fold(f64::INFINITY, f64::min)
}
