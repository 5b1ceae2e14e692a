use crate::kernel::box_feature;
use crate::pair::ray::{PreparedRay, Span, SurfaceCrossing};
use crate::tolerance::END_SLACK;
use crate::{Obb, Ray, RayHit, Sides};
use glam::{BVec3, DMat3, DVec3};

/// The hit of a ray that enters a solid box; see [`Ray`](crate::Ray) for a start inside.
///
/// Faces include their borders, so no ray passes between boxes that share a face. A ray that
/// starts on a face and runs along it is no hit.
pub fn ray_box(ray: &Ray, obb: &Obb, sides: Sides) -> Option<RayHit> {
    let ray = PreparedRay::new(ray)?;
    span_of_box(&ray, obb)?.hit(&ray, sides)
}

/// The span from the latest entry through the planes of the faces to the earliest exit.
pub(crate) fn span_of_box(ray: &PreparedRay, obb: &Obb) -> Option<Span> {
    let own = obb.axes().transpose();
    let (start, speed) = (own * (ray.origin - obb.center()), own * ray.motion);
    let half = obb.half_extents().as_dvec3();
    let (mut enters, mut exits) = (DVec3::NEG_INFINITY, DVec3::INFINITY);
    for k in 0..3 {
        if speed[k] != 0.0 {
            let exit_face = half[k].copysign(speed[k]);
            enters[k] = (-exit_face - start[k]) / speed[k];
            exits[k] = (exit_face - start[k]) / speed[k];
        } else if start[k].abs() > half[k] {
            return None;
        }
    }
    let (enter, exit) = (enters.max_element(), exits.min_element());
    if enter > exit {
        return None;
    }
    let ray = RayInBox { start, speed, half, axes: obb.axes() };
    let through = ray.most_head_on(enters.cmpeq(DVec3::splat(enter)));
    Some(Span {
        enter: ray.surface(enter, enters.cmpeq(DVec3::splat(enter)), -1.0),
        exit: ray.surface(exit, exits.cmpeq(DVec3::splat(exit)), 1.0),
        holds_origin: (half - start.abs()).min_element() > END_SLACK,
        flat: half[through] == 0.0,
    })
}

/// The ray in the box's frame.
struct RayInBox {
    start: DVec3,
    speed: DVec3,
    half: DVec3,
    axes: DMat3,
}

impl RayInBox {
    /// Of the axes whose faces are crossed at once, the one with the largest speed.
    fn most_head_on(&self, crossed: BVec3) -> usize {
        let speed = self.speed.abs();
        let mut best = 0;
        for k in 0..3 {
            if crossed.test(k) && (!crossed.test(best) || speed[k] > speed[best]) {
                best = k;
            }
        }
        best
    }

    /// The crossing of the faces across the axes in `crossed`. `outward` is −1 for the entry and
    /// 1 for the exit.
    fn surface(&self, time: f64, crossed: BVec3, outward: f64) -> SurfaceCrossing {
        let k = self.most_head_on(crossed);
        let mut corner = DVec3::ZERO;
        for i in 0..3 {
            if crossed.test(i) {
                corner[i] = self.half[i].copysign(self.speed[i] * outward);
            } else if self.speed[i] == 0.0 && self.start[i].abs() == self.half[i] {
                corner[i] = self.start[i];
            }
        }
        let normal = self.axes.col(k) * (self.speed[k] * outward).signum();
        SurfaceCrossing {
            time,
            normal,
            feature: box_feature(corner, self.half),
            barycentrics: None,
        }
    }
}
