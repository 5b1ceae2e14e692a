//! The rule on seams, written out for one contact and a plain list of the triangles around it.

use capsweep::{Capsule, Feature, Motion, SEAM, Sides, SweepHit, Triangle};
use glam::{DVec3, Vec3};

/// A contact on an edge or a vertex, and everything that the rule asks about.
#[derive(Debug)]
pub(crate) struct Border<'a> {
    pub(crate) hit: SweepHit,
    pub(crate) capsule: &'a Capsule,
    pub(crate) motion: &'a Motion,
    /// The triangle that was hit.
    pub(crate) own: Triangle,
    /// Whether its mesh continues it flatly past the edge that was hit.
    pub(crate) is_flat: bool,
    /// All other triangles within [`SEAM`] of the point, and which of their sides count.
    pub(crate) others: Vec<(Triangle, Sides)>,
}

/// Sine below which nothing rises.
const RISE: f64 = 1e-6;

/// Cosine and sine of half a degree.
const FLAT: (f64, f64) = (0.999_961_923_064_171_3, 0.008_726_535_498_373_935);

/// What turns a contact's normal.
struct Turn {
    steepness: f64,
    hit: SweepHit,
}

impl Border<'_> {
    /// What may be reported: more than one where several faces rise equally, to rounding.
    pub(crate) fn mended(&self) -> Vec<SweepHit> {
        let hit = self.hit;
        if self.is_flat {
            let fits = hit.starts_overlapping() || self.opposes(hit.face_normal);
            return vec![if fits { self.on_face(hit.face_normal) } else { hit }];
        }
        let turns: Vec<Turn> =
            self.others.iter().filter_map(|(face, sides)| self.turn(face, *sides)).collect();
        let Some(most) = turns.iter().map(|turn| turn.steepness).reduce(f64::max) else {
            return vec![hit];
        };
        turns.iter().filter(|turn| turn.steepness > most - 1e-9).map(|turn| turn.hit).collect()
    }

    fn turn(&self, face: &Triangle, sides: Sides) -> Option<Turn> {
        let hit = self.hit;
        let (overlaps, normal) = (hit.starts_overlapping(), hit.normal.as_dvec3());
        let front = face.normal()?;
        if !overlaps && sides == Sides::Front && front.dot(hit.normal) <= 0.0 {
            return None;
        }
        let up = if front.dot(hit.normal) < 0.0 { -front } else { front };
        let (along, is_inside) = steepest_way(face, hit.point, normal)?;
        let turned = if is_inside {
            self.on_face(self.of_two(up))
        } else if overlaps {
            return None;
        } else {
            SweepHit { normal: (normal - along).normalize().as_vec3(), ..hit }
        };
        (overlaps || self.opposes(turned.normal))
            .then_some(Turn { steepness: along.length(), hit: turned })
    }

    /// The other face's normal, or the own.
    fn of_two(&self, other: Vec3) -> Vec3 {
        let own = self.hit.face_normal;
        if self.own.is_degenerate() {
            return other;
        }
        if own.as_dvec3().dot(other.as_dvec3()) > FLAT.0 {
            return own;
        }
        let takes_own = if self.hit.starts_overlapping() {
            self.depth_along(own) < self.depth_along(other)
        } else {
            let steep = steepest_way(&self.own, self.hit.point, other.as_dvec3());
            let is_corner = steep.is_some_and(|(along, _)| along.length() > FLAT.1);
            is_corner && self.head_on(own) > self.head_on(other)
        };
        if takes_own { own } else { other }
    }

    fn on_face(&self, normal: Vec3) -> SweepHit {
        let depth = if self.hit.starts_overlapping() { self.depth_along(normal) } else { 0.0 };
        SweepHit { normal, face_normal: normal, feature: Feature::Face, depth, ..self.hit }
    }

    /// How far the capsule must go along `normal` until it is past all three corners of its triangle.
    fn depth_along(&self, normal: Vec3) -> f64 {
        let normal = normal.as_dvec3();
        let along = |point: DVec3| normal.normalize().dot(point - self.capsule.p0());
        let top = self.own.vertices().map(along).into_iter().fold(f64::NEG_INFINITY, f64::max);
        let bottom = along(self.capsule.p1()).min(0.0) - f64::from(self.capsule.radius());
        (top - bottom) / normal.length()
    }

    fn head_on(&self, normal: Vec3) -> f64 {
        -normal.as_dvec3().dot(self.motion.vector())
    }

    fn opposes(&self, normal: Vec3) -> bool {
        self.head_on(normal) > 0.0
    }
}

/// The way along `face`, from where `point` lies on it, that leads most towards `direction`, and whether it leads inside.
///
/// A way counts if the triangle goes on along it, and if where the triangle ends that way is on the side of `direction`.
fn steepest_way(face: &Triangle, point: DVec3, direction: DVec3) -> Option<(DVec3, bool)> {
    let corners = face.vertices();
    let front = face.area_vector().normalize();
    let inside = [0, 1, 2].map(|i| {
        let inward = front.cross(corners[(i + 1) % 3] - corners[i]).normalize();
        (inward, inward.dot(point - corners[i]))
    });
    let at: Vec<usize> = (0..3).filter(|&i| inside[i].1 <= SEAM).collect();
    // On its plane, on the border, or at the corner after the first of two borders.
    let place = match at[..] {
        [] => point - front * front.dot(point - corners[0]),
        [i] => point - front * front.dot(point - corners[0]) - inside[i].0 * inside[i].1,
        [0, 1] => corners[1],
        [1, 2] => corners[2],
        [0, 2] => corners[0],
        _ => return None,
    };
    let end = |way: DVec3, along: Option<usize>| {
        let lengths = (0..3).filter(|&i| Some(i) != along).filter_map(|i| {
            let toward = -inside[i].0.dot(way);
            let left =
                if at.contains(&i) { 0.0 } else { inside[i].0.dot(place - corners[i]).max(0.0) };
            (toward > 0.0).then_some(left / toward)
        });
        lengths.fold(f64::INFINITY, f64::min)
    };
    let leads_up = |way: DVec3, along: Option<usize>| {
        let steepness = way.length();
        let length = end(way / steepness, along);
        // Seen from the point's place in the plane: a face a little lower still rises.
        let below = point - front * front.dot(point - corners[0]);
        let top = place + way / steepness * length - below;
        steepness > RISE && length > 0.0 && top.dot(direction) > RISE * length
    };
    let level = direction - front * front.dot(direction);
    if leads_up(level, None) {
        return Some((level, true));
    }
    let rays = at.iter().flat_map(|&i| {
        let ray = front.cross(inside[i].0);
        [(i, ray), (i, -ray)]
    });
    let ways = rays
        .filter(|(_, ray)| ray.dot(direction) > 0.0)
        .map(|(i, ray)| (i, ray * ray.dot(direction)));
    let up = ways.filter(|&(i, way)| leads_up(way, Some(i))).map(|(_, way)| way);
    up.max_by(|a, b| a.length().total_cmp(&b.length())).map(|way| (way, false))
}

/// Distance of a point to a triangle: to its plane where it lies over it, else to the nearest edge.
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
