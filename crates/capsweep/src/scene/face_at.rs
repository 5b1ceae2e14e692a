use crate::shape::face_normal;
use crate::tolerance::{RISE, SEAM};
use crate::{Triangle, closest_point_segment};
use glam::DVec3;

/// A face where a point lies on it: in which directions it goes on from there, and how far.
///
/// Inside a face that is every direction of its plane, on a border those to one side, at a corner a wedge. A border
/// within [`SEAM`] of the point counts as being at it.
#[derive(Debug, Clone, Copy)]
pub(super) struct FaceAt {
    /// Unit normal of the front.
    pub(super) front: DVec3,
    /// From the point's projection to the place on the face that the point counts as lying at.
    offset: DVec3,
    borders: [Border; 3],
}

#[derive(Debug, Clone, Copy)]
struct Border {
    /// Unit, across the border, into the face.
    inward: DVec3,
    /// How far the border is from the point's place; 0 if that is on it.
    inside: f64,
}

/// The direction of a face that comes nearest to some other direction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rise {
    /// Along the face; as long as the sine by which it rises, zero where the face falls away from the other direction.
    pub(super) along: DVec3,
    /// Whether it runs into the face, and not along a border.
    pub(super) is_inside: bool,
}

impl FaceAt {
    /// `None` for a triangle further than [`SEAM`] from the point, and for one that has no face, or none that reaches further than
    /// that from its borders.
    pub(super) fn new(triangle: &Triangle, point: DVec3) -> Option<Self> {
        let vertices = triangle.vertices();
        let front = face_normal(&vertices)?;
        let across = [0, 1, 2].map(|i| {
            let inward = front.cross(vertices[(i + 1) % 3] - vertices[i]).normalize();
            (inward, inward.dot(point - vertices[i]))
        });
        let height = front.dot(vertices[0] - point);
        if height.abs() > SEAM || !is_within_seam(&vertices, point, across) {
            return None;
        }
        let at_point = across.map(|(_, inside)| inside <= SEAM);
        let to_corner = |i: usize| vertices[i] - point - front * height;
        let offset = match at_point {
            [true, true, true] => return None,
            // The corner that two borders share.
            [true, true, false] => to_corner(1),
            [false, true, true] => to_corner(2),
            [true, false, true] => to_corner(0),
            _ => (0..3)
                .filter(|&i| at_point[i])
                .fold(DVec3::ZERO, |offset, i| offset - across[i].0 * across[i].1),
        };
        let borders = [0, 1, 2].map(|i| {
            let (inward, inside) = across[i];
            let inside = (inside + inward.dot(offset)).max(0.0);
            Border { inward, inside: if at_point[i] { 0.0 } else { inside } }
        });
        Some(Self { front, offset, borders })
    }

    /// The front's normal or the back's, whichever is on the side of `direction`.
    pub(super) fn towards(&self, direction: DVec3) -> DVec3 {
        if self.front.dot(direction) < 0.0 { -self.front } else { self.front }
    }

    /// How far the face rises towards the unit vector `direction`; nothing where it is by less than [`RISE`].
    pub(super) fn rise(&self, direction: DVec3) -> Rise {
        let level = direction - self.front * self.front.dot(direction);
        if self.climbs(level, direction, None) {
            return Rise { along: level, is_inside: true };
        }
        let mut steepest = Rise { along: DVec3::ZERO, is_inside: false };
        let at_place = |(_, border): &(usize, &Border)| border.inside == 0.0;
        for (i, border) in self.borders.iter().enumerate().filter(at_place) {
            let ray = self.front.cross(border.inward);
            let along = ray * ray.dot(direction);
            if along.length_squared() > steepest.along.length_squared()
                && self.climbs(along, direction, Some(i))
            {
                steepest.along = along;
            }
        }
        steepest
    }

    /// Whether the face goes on along `way`, a vector of its plane, and its end that way lies to the side of
    /// `direction`, seen from right over or under the point. `border` is the one that the way runs along, if any.
    fn climbs(&self, way: DVec3, direction: DVec3, border: Option<usize>) -> bool {
        let steepness = way.length();
        if steepness <= RISE {
            return false;
        }
        let way = way / steepness;
        let mut length = f64::INFINITY;
        for (i, Border { inward, inside }) in self.borders.iter().enumerate() {
            let outward = -inward.dot(way);
            if Some(i) != border && outward > 0.0 {
                length = length.min(inside / outward);
            }
        }
        let end = self.offset + way * length;
        length > 0.0 && end.dot(direction) > RISE * length
    }
}

/// Whether a triangle, of the plane of which the point lies within [`SEAM`], is as near itself.
fn is_within_seam(vertices: &[DVec3; 3], point: DVec3, across: [(DVec3, f64); 3]) -> bool {
    if across.iter().any(|(_, inside)| *inside < -SEAM) {
        return false;
    }
    let near = |i: usize| {
        let edge = closest_point_segment(point, vertices[i], vertices[(i + 1) % 3]);
        edge.distance_squared(point) <= SEAM * SEAM
    };
    across.iter().all(|(_, inside)| *inside >= 0.0) || (0..3).any(near)
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "angles of a test need not agree to the bit")]
mod tests {
    use super::*;
    use glam::dvec3;

    fn face(point: DVec3) -> FaceAt {
        let corners = [DVec3::ZERO, dvec3(3.0, 0.0, 0.0), dvec3(0.0, 2.0, 0.0)];
        FaceAt::new(&Triangle::from_checked(corners), point).unwrap()
    }

    /// The steepest of all directions in which there is still face a centimetre away.
    fn sampled(point: DVec3, direction: DVec3) -> f64 {
        let steps = 40_000;
        let directions = (0..steps).map(|i| {
            let angle = f64::from(i) / f64::from(steps) * std::f64::consts::TAU;
            dvec3(angle.cos(), angle.sin(), 0.0)
        });
        let inside = |p: DVec3| p.x >= 0.0 && p.y >= 0.0 && p.x / 3.0 + p.y / 2.0 <= 1.0;
        let on_face = directions.filter(|d| inside(point + *d * 0.01));
        on_face.map(|d| d.dot(direction)).fold(0.0, f64::max)
    }

    #[test]
    fn a_rise_is_the_steepest_way_along_the_face() {
        let mut rng = capsweep_testkit::Rng::new(&[81]);
        let points =
            [dvec3(1.0, 0.5, 0.0), dvec3(1.5, 0.0, 0.0), dvec3(1.5, 1.0, 0.0), DVec3::X * 3.0];
        for point in points.into_iter().chain([DVec3::ZERO, DVec3::Y * 2.0]) {
            for _ in 0..100 {
                let direction = rng.direction();
                let rise = face(point).rise(direction);
                let found = rise.along.length();
                assert!((found - sampled(point, direction)).abs() < 1e-3, "{point} {direction}");
                assert!((rise.along.dot(direction) - found * found).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn a_border_within_the_seam_is_at_the_point() {
        let down_the_y = dvec3(0.0, -0.6, 0.8);
        assert_eq!(face(dvec3(1.0, 0.9 * SEAM, 0.0)).rise(down_the_y).along, DVec3::ZERO);
        assert!(face(dvec3(1.0, 1.1 * SEAM, 0.0)).rise(down_the_y).is_inside);
    }

    /// Across a border that runs back to a corner which lies no higher than the point itself.
    #[test]
    fn a_face_that_ends_beside_the_point_does_not_rise() {
        // On the edge from the origin along y, close to the corner, and just off the other triangle at that corner.
        let corners = [DVec3::ZERO, DVec3::X, dvec3(1.0, 1.0, 0.0)];
        let point = dvec3(0.0, 1.3 * SEAM, 0.0);
        let face = FaceAt::new(&Triangle::from_checked(corners), point).unwrap();
        assert_eq!(face.rise(dvec3(-0.6, 0.0, 0.8)).along, DVec3::ZERO);
    }

    /// Of a floor whose tiles are ten micrometres out of level, a tile still goes on where it lies lower, however short it is there.
    #[test]
    fn a_short_face_that_lies_a_little_lower_still_rises() {
        let point = dvec3(1.5, 0.0, 1e-5);
        let slight = dvec3(0.0, 1e-3, 1.0).normalize();
        assert!(face(point).rise(slight).is_inside);
        // Five millimetres from there to the border across.
        let point = dvec3(2.9925, 0.0, 1e-5);
        assert!(face(point).rise(slight).is_inside);
    }
}
