#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::kernel::polygon::{ALL, Corners};
use crate::math::{F32x8, F64x4, Kernel, Vec3Soa, dispatch};
use crate::scene::mesh_instance::MeshInstance;
use crate::tolerance::{RISING_SINE, SEAM};
use glam::DVec3;

/// A face where a point lies on it: in which directions it goes on from there, and how far.
///
/// Inside a face that is every direction of its plane, on a border those to one side, at a corner a wedge. A border
/// within [`SEAM`] of the point counts as being at it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FaceAt {
    /// Unit normal of the front.
    pub(crate) front: DVec3,
    /// From the point's projection to the place on the face that the point counts as lying at.
    offset: DVec3,
    /// Unit, across the borders, into the face.
    inward: Vec3Soa<[f64; 4]>,
    /// How far the borders are from the point's place; 0 where that is on them.
    inside: [f64; 4],
}

/// The direction of a face that comes nearest to some other direction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rise {
    /// Along the face; as long as the sine by which it rises, zero where the face falls away from the other direction.
    pub(crate) along: DVec3,
    /// Whether it runs into the face, and not along a border.
    pub(crate) is_inside: bool,
}

/// The triangle in a slot of a mesh, at a point.
struct InSlot<'a> {
    mesh: &'a MeshInstance<'a>,
    slot: usize,
    point: DVec3,
    ahead: Option<DVec3>,
}

impl Kernel for InSlot<'_> {
    type Output = Option<FaceAt>;

    #[inline(always)]
    fn run<L: F32x8>(self) -> Option<FaceAt> {
        let MeshInstance { mesh, pose, .. } = *self.mesh;
        FaceAt::of::<L::F64x4>(mesh.world_corners(pose, self.slot), self.point, self.ahead)
    }
}

impl FaceAt {
    /// `None` for a triangle further than [`SEAM`] from the point, and for one that has no face, or none that reaches further than
    /// that from its borders.
    pub(crate) fn new(mesh: &MeshInstance, slot: u32, point: DVec3) -> Option<Self> {
        Self::looking(mesh, slot, point, None)
    }

    /// As [`FaceAt::new`]; `None` too for a face that does not look `ahead`.
    pub(crate) fn looking(
        mesh: &MeshInstance,
        slot: u32,
        point: DVec3,
        ahead: Option<DVec3>,
    ) -> Option<Self> {
        dispatch(InSlot { mesh, slot: slot as usize, point, ahead })
    }

    /// As [`FaceAt::looking`], of a triangle's corners, side by side.
    #[inline(always)]
    fn of<F: F64x4>(corners: Vec3Soa<F>, point: DVec3, ahead: Option<DVec3>) -> Option<Self> {
        let corners = Corners::new::<3>(corners);
        let spread = corners.conditioning();
        // What looks away needs no unit normal; the area of a sliver does not say.
        let sliver_front =
            if spread.is_well_shaped() { None } else { Some(corners.sliver_normal()?) };
        let towards = sliver_front.unwrap_or(spread.area_vector);
        if ahead.is_some_and(|ahead| towards.dot(ahead) <= 0.0) {
            return None;
        }
        let front = sliver_front.unwrap_or_else(|| spread.normal());
        let height = front.dot(corners.start.first() - point);
        if height.abs() > SEAM {
            return None;
        }
        let across = Vec3Soa::<F>::all(front).cross(corners.edge);
        let inward = across.scale(F::splat(1.0) / across.dot(across).sqrt());
        let inside = inward.dot(Vec3Soa::all(point).sub(corners.start));
        if !is_within_seam(&corners, point, inside) {
            return None;
        }
        // Bits of the borders at the point.
        let (at_point, borders) = (inside.le_mask(F::splat(SEAM)) & 0b111, inward.to_arrays());
        let offset = match at_point.count_ones() {
            0 => DVec3::ZERO,
            1 => {
                let i = at_point.trailing_zeros() as usize;
                DVec3::ZERO - borders.lane(i) * inside.store()[i]
            }
            2 => {
                // The corner that two borders share is across the third.
                let third = at_point.trailing_ones() as usize;
                corners.start.to_arrays().lane((third + 2) % 3) - point - front * height
            }
            _ => return None,
        };
        let zero = F::splat(0.0);
        let from_place = zero.max(inside + inward.dot(Vec3Soa::all(offset)));
        let inside = F::splat(SEAM).if_less(inside, from_place, zero).store();
        Some(Self { front, offset, inward: borders, inside })
    }

    /// The front's normal or the back's, whichever is on the side of `direction`.
    pub(crate) fn towards(&self, direction: DVec3) -> DVec3 {
        if self.front.dot(direction) < 0.0 { -self.front } else { self.front }
    }

    /// How far the face rises towards the unit vector `direction`; nothing where it is by less than [`RISING_SINE`].
    pub(crate) fn rise(&self, direction: DVec3) -> Rise {
        let level = direction - self.front * self.front.dot(direction);
        if self.climbs(level, direction, None) {
            return Rise { along: level, is_inside: true };
        }
        let mut steepest = Rise { along: DVec3::ZERO, is_inside: false };
        for i in (0..3).filter(|&i| self.inside[i] == 0.0) {
            let ray = self.front.cross(self.inward.lane(i));
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
        if steepness <= RISING_SINE {
            return false;
        }
        let way = way / steepness;
        let mut length = f64::INFINITY;
        for i in (0..3).filter(|&i| Some(i) != border) {
            let outward = -self.inward.lane(i).dot(way);
            if outward > 0.0 {
                length = length.min(self.inside[i] / outward);
            }
        }
        let end = self.offset + way * length;
        length > 0.0 && end.dot(direction) > RISING_SINE * length
    }
}

/// Whether a triangle, of the plane of which the point lies within [`SEAM`], is as near itself; `inside` is how far the point is
/// inside of its borders.
#[inline(always)]
fn is_within_seam<F: F64x4>(corners: &Corners<F>, point: DVec3, inside: F) -> bool {
    let (zero, one) = (F::splat(0.0), F::splat(1.0));
    if inside.lt_mask(F::splat(-SEAM)) != 0 {
        return false;
    }
    if zero.le_mask(inside) == ALL {
        return true;
    }
    // The nearest points of the edges.
    let Corners { start, edge } = *corners;
    let (point, length_squared) = (Vec3Soa::all(point), edge.dot(edge));
    let along = one.min(zero.max(point.sub(start).dot(edge) / length_squared));
    let along = zero.if_less(length_squared, along, zero);
    let apart = start.add(edge.scale(along)).sub(point);
    apart.dot(apart).le_mask(F::splat(SEAM * SEAM)) != 0
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "angles of a test need not agree to the bit")]
mod tests {
    use super::*;
    use crate::math::Scalar;
    use glam::dvec3;

    fn face_of(corners: [DVec3; 3], point: DVec3) -> FaceAt {
        FaceAt::of::<<Scalar as F32x8>::F64x4>(Vec3Soa::corners(&corners), point, None).unwrap()
    }

    fn face(point: DVec3) -> FaceAt {
        face_of([DVec3::ZERO, dvec3(3.0, 0.0, 0.0), dvec3(0.0, 2.0, 0.0)], point)
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

    /// Whether stout, or a sliver, whose area does not say where it looks.
    #[test]
    fn a_face_that_looks_away_is_left_out() {
        for (length, width) in [(1.0, 1.0), (100.0, 5e-3)] {
            let corners = [DVec3::ZERO, DVec3::X * length, dvec3(0.3 * length, width, 0.0)];
            let looking = |ahead: DVec3| {
                let point = DVec3::X * (0.3 * length);
                FaceAt::of::<<Scalar as F32x8>::F64x4>(
                    Vec3Soa::corners(&corners),
                    point,
                    Some(ahead),
                )
            };
            assert!(looking(DVec3::Z).is_some(), "{width}");
            assert!(looking(DVec3::NEG_Z).is_none(), "{width}");
        }
    }

    /// Across a border that runs back to a corner which lies no higher than the point itself.
    #[test]
    fn a_face_that_ends_beside_the_point_does_not_rise() {
        // On the edge from the origin along y, close to the corner, and just off the other triangle at that corner.
        let corners = [DVec3::ZERO, DVec3::X, dvec3(1.0, 1.0, 0.0)];
        let point = dvec3(0.0, 1.3 * SEAM, 0.0);
        let face = face_of(corners, point);
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
