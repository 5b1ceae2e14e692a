//! The tangent cone of a triangle at a point, in f64: it decides whether a face rises towards a
//! contact's normal.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::kernel::polygon::{ALL, PolygonLanes};
use crate::math::{F32x8, F64x4, Vec3Soa, with_lanes};
use crate::scene::mesh_instance::MeshInstance;
use crate::tolerance::{RISING_SINE, SEAM_DISTANCE};
use glam::DVec3;

/// The directions in which a triangle continues from a point on it, and how far.
///
/// In the interior these are all directions of its plane, on an edge those to one side, at a
/// corner a wedge. The point need not lie on the triangle exactly. Its projection onto the plane
/// is moved to the edge or corner within [`SEAM_DISTANCE`], if there is one: to the cone's *apex*.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TangentCone {
    /// Unit normal of the triangle's front.
    pub(crate) front: DVec3,
    /// From the point's projection to the apex, metres.
    apex_offset: DVec3,
    /// Unit normals of the edges, in the triangle's plane, pointing inside.
    inward: Vec3Soa<[f64; 4]>,
    /// Distances from the apex to the edges, metres; 0 for edges through the apex.
    edge_distances: [f64; 4],
}

/// A direction projected onto a tangent cone.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ConeProjection {
    /// In the triangle's plane. Its length is the sine of the angle by which the face rises
    /// towards the direction; zero if the face falls away from it.
    pub(crate) vector: DVec3,
    /// Whether the vector runs into the triangle's interior, and not along an edge.
    pub(crate) is_interior: bool,
}

impl TangentCone {
    /// The tangent cone at `point` of the triangle in a slot of a mesh.
    ///
    /// `None` if the triangle is further than [`SEAM_DISTANCE`] from the point or is degenerate.
    /// `None` too if all three edges are within [`SEAM_DISTANCE`] of the point: the triangle is
    /// then too small to have directions. With `facing`, also `None` for a triangle whose front
    /// does not face it.
    pub(crate) fn new(
        instance: &MeshInstance,
        slot: u32,
        point: DVec3,
        facing: Option<DVec3>,
    ) -> Option<Self> {
        let MeshInstance { surface, pose, .. } = *instance;
        with_lanes!(|L| {
            let corners = surface.world_corners::<<L as F32x8>::F64x4>(pose, slot as usize);
            Self::from_corners(corners, point, facing)
        })
    }

    /// [`TangentCone::new`] from the triangle's corners, one in each lane.
    #[inline(always)]
    fn from_corners<F: F64x4>(
        corners: Vec3Soa<F>,
        point: DVec3,
        facing: Option<DVec3>,
    ) -> Option<Self> {
        let corners = PolygonLanes::new::<3>(corners);
        let spread = corners.conditioning();
        // The area vector tells front from back without a square root. That of a sliver is
        // unreliable, so a sliver's normal is computed first.
        let sliver_front =
            if spread.is_well_shaped() { None } else { Some(corners.sliver_normal()?) };
        let front_vector = sliver_front.unwrap_or(spread.area_vector);
        if facing.is_some_and(|facing| front_vector.dot(facing) <= 0.0) {
            return None;
        }
        let front = sliver_front.unwrap_or_else(|| spread.normal());
        let height = front.dot(corners.start.first() - point);
        if height.abs() > SEAM_DISTANCE {
            return None;
        }
        let across = Vec3Soa::<F>::all(front).cross(corners.edge);
        let inward = across.scale(F::splat(1.0) / across.dot(across).sqrt());
        let inside = inward.dot(Vec3Soa::all(point).sub(corners.start));
        if !is_within_seam(&corners, point, inside) {
            return None;
        }
        // One bit for each edge through the apex.
        let (at_apex, normals) =
            (inside.le_mask(F::splat(SEAM_DISTANCE)) & 0b111, inward.to_arrays());
        let apex_offset = match at_apex.count_ones() {
            0 => DVec3::ZERO,
            1 => {
                let i = at_apex.trailing_zeros() as usize;
                DVec3::ZERO - normals.lane(i) * inside.store()[i]
            }
            2 => {
                // The corner that two edges share is opposite to the third.
                let third = at_apex.trailing_ones() as usize;
                corners.start.to_arrays().lane((third + 2) % 3) - point - front * height
            }
            _ => return None,
        };
        let zero = F::splat(0.0);
        let from_apex = zero.max(inside + inward.dot(Vec3Soa::all(apex_offset)));
        let edge_distances = F::splat(SEAM_DISTANCE).if_less(inside, from_apex, zero).store();
        Some(Self { front, apex_offset, inward: normals, edge_distances })
    }

    /// The normal of the front or of the back, whichever is on the side of `direction`.
    pub(crate) fn normal_facing(&self, direction: DVec3) -> DVec3 {
        if self.front.dot(direction) < 0.0 { -self.front } else { self.front }
    }

    /// Projects the unit vector `direction` onto the cone: the steepest ascent along the face. The
    /// projection is zero if the face rises by no more than [`RISING_SINE`].
    pub(crate) fn project(&self, direction: DVec3) -> ConeProjection {
        let in_plane = direction - self.front * self.front.dot(direction);
        if self.ascends(in_plane, direction, None) {
            return ConeProjection { vector: in_plane, is_interior: true };
        }
        // Outside of the cone the projection lies on one of its sides: the edges at the apex.
        let mut steepest = ConeProjection { vector: DVec3::ZERO, is_interior: false };
        for i in (0..3).filter(|&i| self.edge_distances[i] == 0.0) {
            let edge = self.front.cross(self.inward.lane(i));
            let vector = edge * edge.dot(direction);
            if vector.length_squared() > steepest.vector.length_squared()
                && self.ascends(vector, direction, Some(i))
            {
                steepest.vector = vector;
            }
        }
        steepest
    }

    /// Whether the triangle continues from the apex along `vector`, which lies in its plane, and
    /// rises by that. `edge` is the edge that the vector runs along, if any.
    ///
    /// The point where the triangle ends in that direction must lie on the side of `direction`.
    /// Its height counts from the point's projection. So a tile a little below the point still
    /// rises. A triangle that only leads back to beside the point does not.
    fn ascends(&self, vector: DVec3, direction: DVec3, edge: Option<usize>) -> bool {
        let steepness = vector.length();
        if steepness <= RISING_SINE {
            return false;
        }
        let along = vector / steepness;
        let mut length = f64::INFINITY;
        for i in (0..3).filter(|&i| Some(i) != edge) {
            let outward = -self.inward.lane(i).dot(along);
            if outward > 0.0 {
                length = length.min(self.edge_distances[i] / outward);
            }
        }
        let end = self.apex_offset + along * length;
        length > 0.0 && end.dot(direction) > RISING_SINE * length
    }
}

/// Whether a triangle is within [`SEAM_DISTANCE`] of a point that is as near to its plane.
/// `inside` is how far the point lies inside of each edge.
#[inline(always)]
fn is_within_seam<F: F64x4>(corners: &PolygonLanes<F>, point: DVec3, inside: F) -> bool {
    let (zero, one) = (F::splat(0.0), F::splat(1.0));
    if inside.lt_mask(F::splat(-SEAM_DISTANCE)) != 0 {
        return false;
    }
    if zero.le_mask(inside) == ALL {
        return true;
    }
    // Distances to the closest points of the edges.
    let PolygonLanes { start, edge } = *corners;
    let (point, length_squared) = (Vec3Soa::all(point), edge.dot(edge));
    let along = one.min(zero.max(point.sub(start).dot(edge) / length_squared));
    // An edge without length is its start.
    let along = zero.if_less(length_squared, along, zero);
    let apart = start.add(edge.scale(along)).sub(point);
    apart.dot(apart).le_mask(F::splat(SEAM_DISTANCE * SEAM_DISTANCE)) != 0
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "angles of a test need not agree to the bit")]
mod tests {
    use super::*;
    use crate::math::Scalar;
    use glam::dvec3;

    type PlainF64x4 = <Scalar as F32x8>::F64x4;

    fn cone_of(corners: [DVec3; 3], point: DVec3) -> TangentCone {
        TangentCone::from_corners::<PlainF64x4>(Vec3Soa::corners(&corners), point, None).unwrap()
    }

    fn cone(point: DVec3) -> TangentCone {
        cone_of([DVec3::ZERO, dvec3(3.0, 0.0, 0.0), dvec3(0.0, 2.0, 0.0)], point)
    }

    /// The largest sine of all directions in which the triangle reaches a centimetre or more.
    fn sampled_steepness(point: DVec3, direction: DVec3) -> f64 {
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
    fn a_projection_is_the_steepest_ascent_along_the_face() {
        let mut rng = capsweep_testkit::Rng::new(&[81]);
        let points =
            [dvec3(1.0, 0.5, 0.0), dvec3(1.5, 0.0, 0.0), dvec3(1.5, 1.0, 0.0), DVec3::X * 3.0];
        for point in points.into_iter().chain([DVec3::ZERO, DVec3::Y * 2.0]) {
            for _ in 0..100 {
                let direction = rng.direction();
                let vector = cone(point).project(direction).vector;
                let found = vector.length();
                let sampled = sampled_steepness(point, direction);
                assert!((found - sampled).abs() < 1e-3, "{point} {direction}");
                assert!((vector.dot(direction) - found * found).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn an_edge_within_the_seam_is_at_the_point() {
        let towards_the_edge = dvec3(0.0, -0.6, 0.8);
        let near = cone(dvec3(1.0, 0.9 * SEAM_DISTANCE, 0.0));
        assert_eq!(near.project(towards_the_edge).vector, DVec3::ZERO);
        let further = cone(dvec3(1.0, 1.1 * SEAM_DISTANCE, 0.0));
        assert!(further.project(towards_the_edge).is_interior);
    }

    /// A well-shaped triangle, and a sliver, whose area vector does not tell its front.
    #[test]
    fn a_face_that_faces_away_is_left_out() {
        for (length, width) in [(1.0, 1.0), (100.0, 5e-3)] {
            let corners = [DVec3::ZERO, DVec3::X * length, dvec3(0.3 * length, width, 0.0)];
            let facing = |direction: DVec3| {
                let (corners, point) = (Vec3Soa::corners(&corners), DVec3::X * (0.3 * length));
                TangentCone::from_corners::<PlainF64x4>(corners, point, Some(direction))
            };
            assert!(facing(DVec3::Z).is_some(), "{width}");
            assert!(facing(DVec3::NEG_Z).is_none(), "{width}");
        }
    }

    /// The triangle's edge runs back to a corner that lies no higher than the point itself.
    #[test]
    fn a_face_that_ends_beside_the_point_does_not_rise() {
        // On a y edge of another triangle, close to the corner at the origin, and just off this
        // triangle.
        let corners = [DVec3::ZERO, DVec3::X, dvec3(1.0, 1.0, 0.0)];
        let point = dvec3(0.0, 1.3 * SEAM_DISTANCE, 0.0);
        let projection = cone_of(corners, point).project(dvec3(-0.6, 0.0, 0.8));
        assert_eq!(projection.vector, DVec3::ZERO);
    }

    /// Tiles of a floor lie ten micrometres out of level. The lower tile still continues the
    /// floor, also where it is short.
    #[test]
    fn a_short_face_that_lies_a_little_lower_still_rises() {
        let point = dvec3(1.5, 0.0, 1e-5);
        let slight = dvec3(0.0, 1e-3, 1.0).normalize();
        assert!(cone(point).project(slight).is_interior);
        // Five millimetres from there to the edge opposite.
        let point = dvec3(2.9925, 0.0, 1e-5);
        assert!(cone(point).project(slight).is_interior);
    }
}
