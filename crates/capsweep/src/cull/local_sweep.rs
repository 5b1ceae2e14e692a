//! [`LocalSweep`]: culling for sweeps, along a mesh's own axes and in f32. It rejects most
//! triangles before the f64 solver.
//!
//! Lengths are world metres, because there the capsule is as wide in every direction; triangles
//! are scaled when they are tested. Only boxes are tested in the mesh's own units, so no box has
//! to be scaled.
//!
//! The filter only rejects. The moving capsule is a swept, rounded segment, and a triangle is
//! rejected if a plane separates the two. The planes tested are, in this order:
//!
//! - the sides of the triangle's box;
//! - the triangle's own plane;
//! - the plane that motion and axis span;
//! - the planes through the triangle's edges along the motion;
//! - the planes in which the capsule would first touch the lines along the edges. They also give a
//!   lower bound of the time of contact.
//!
//! Each test has a margin above its own rounding error. All but the first two run in the
//! [`SweepFrame`], where most terms of most products vanish.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::bvh::{Boxes, Entered, F32x4, F32x8, GridBox, Node};
use crate::cull::moving_box::MovingBox;
use crate::cull::slabs::{EPSILON, ROUND_UP_FACTOR};
use crate::cull::sweep_frame::SweepFrame;
use crate::cull::triangles_in_frame::TrianglesInSweepFrame;
use crate::cull::{Candidates, Cull, CullBoxes, box_tests_of};
use crate::math::Vec3Soa;
use crate::mesh::packet::Packet;
use crate::shape::pose::ScaleF32;
use crate::tolerance::{MAX_TIME, MAYBE_DEGENERATE, MIN_SQUARE, TINY_MOTION, TWICE_TOLERANCE};

/// A sweep along a mesh's own axes, in f32. Fourth lanes have no meaning.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LocalSweep {
    /// Metres per unit of the mesh on each axis; used if `is_scaled`.
    scale: [f32; 4],
    is_scaled: bool,
    /// Set by the query after [`LocalSweep::new`].
    pub(crate) frame: SweepFrame,
    half_axis: [f32; 4],
    motion: [f32; 4],
    /// One over the sum of the radius and twice the tolerance.
    over_radius: f32,
    /// At most the capsule's radius, with a margin.
    radius: f32,
    /// At least the capsule's radius and the rounding of the origin and of world vertices
    /// (metres).
    reach: f32,
    /// Largest error of the product of a unit vector with a corner on the path (metres), without
    /// the part that depends on the triangle's size.
    product_error: f32,
    /// The box around the capsule, in the mesh's own units.
    moving_box: MovingBox,
    /// Added to the length of an edge, so that one error bound covers both errors. It is the
    /// length at which the error of f32 equals that of the rounded world vertices.
    short_edge: f32,
    /// 1 if only the front of a triangle counts, -1 if a mirroring scale makes that its back, 0 if
    /// both sides count.
    front: f32,
    /// Largest distance of a vertex from its rounded position in the world.
    world_rounding: f32,
}

/// A moving capsule along a mesh's own axes, in metres. Fourth lanes have no meaning.
pub(crate) struct SweptCapsule<'a, L: F32x8> {
    pub(crate) origin: L::F32x4,
    pub(crate) half_axis: L::F32x4,
    pub(crate) motion: L::F32x4,
    /// Length of the motion.
    pub(crate) speed: f32,
    pub(crate) radius: f32,
    /// Largest magnitude of a coordinate of the mesh.
    pub(crate) max_coordinate: f32,
    /// As in [`LocalSweep`].
    pub(crate) front: f32,
    /// As in [`LocalSweep`].
    pub(crate) world_rounding: f32,
    pub(crate) scale: &'a ScaleF32,
}

impl<L: F32x8> SweptCapsule<'_, L> {
    /// At least the radius and twice the tolerance. The factor covers the rounding of the
    /// tolerance, of the sum and of the product.
    #[inline(always)]
    fn reach(&self) -> f32 {
        (self.radius + TWICE_TOLERANCE) * (1.0 + 4.0 * EPSILON)
    }

    /// Largest error, axis by axis, by the rounding of coordinates and of world vertices.
    #[inline(always)]
    fn margins(&self) -> L::F32x4 {
        let ulps = L::F32x4::splat(16.0 * EPSILON);
        let rest = L::F32x4::splat(
            16.0 * EPSILON * (self.max_coordinate + self.reach()) + 2.0 * self.world_rounding,
        );
        // The origin is computed last, so it is added last.
        self.origin.abs() * ulps + ((self.motion.abs() + self.half_axis.abs()) * ulps + rest)
    }

    /// The box around the capsule, in the mesh's own units.
    #[inline(always)]
    pub(crate) fn moving_box(&self, limit: f64) -> MovingBox {
        let half_extents = self.margins() + (self.half_axis.abs() + L::F32x4::splat(self.reach()));
        let is_short = self.speed * (limit.min(MAX_TIME) as f32) < self.reach();
        let inv_scale = L::F32x4::load(self.scale.inv_scale);
        let (center, half_extents) = (self.origin * inv_scale, half_extents * inv_scale.abs());
        MovingBox::new::<L>(center, half_extents, self.motion * inv_scale, limit, is_short)
    }
}

impl LocalSweep {
    /// Everything except the frame, which is set afterwards: boxes do not need it, and registers
    /// are few.
    #[inline(always)]
    pub(crate) fn new<L: F32x8>(swept: &SweptCapsule<L>, limit: f64) -> Self {
        let SweptCapsule { speed, world_rounding, .. } = *swept;
        let reach = swept.reach();
        // At least the sum of magnitudes in the sweep frame. The sum here is at least the length,
        // and two coordinates, as there, sum to less than 1.5 times the length.
        let half_axis = 1.5 * swept.half_axis.abs().sum_of_three();
        let travel = speed * (limit.min(MAX_TIME) as f32) + half_axis + reach;
        Self {
            // Through a register: a copy in memory would wait for the stores next to it.
            scale: L::F32x4::load(swept.scale.scale).store(),
            is_scaled: swept.scale.is_scaled,
            frame: SweepFrame::NONE,
            half_axis: swept.half_axis.store(),
            motion: swept.motion.store(),
            over_radius: 1.0 / reach,
            radius: swept.radius - TWICE_TOLERANCE,
            reach: reach + 2.0 * swept.margins().sum_of_three() + 16.0 * EPSILON * travel,
            product_error: 96.0 * EPSILON * travel,
            moving_box: swept.moving_box(limit),
            short_edge: world_rounding / EPSILON,
            front: if speed < TINY_MOTION { 0.0 } else { swept.front },
            world_rounding,
        }
    }
}

impl CullBoxes for LocalSweep {
    #[inline(always)]
    fn enter<L: F32x8>(&self, node: &Node) -> Entered<L> {
        self.moving_box.enter(node)
    }

    box_tests_of!(moving_box);
}

impl Cull for LocalSweep {
    type Filtered<L: F32x8> = SweepCandidates<L>;

    #[inline(always)]
    fn around<L: F32x8>(&self) -> GridBox {
        self.moving_box.path
    }

    /// The triangles that the sweep may touch within the limit.
    #[inline(always)]
    fn filter<L: F32x8>(&self, packet: &Packet) -> Option<SweepCandidates<L>> {
        let [a, b, c] = packet.corners::<L>();
        let (mut alive, mut enter) = self.moving_box.slabs.enter_triangles(a, b, c);
        if alive == 0 {
            return None;
        }
        let triangles = self.relative(a, b, c);
        let motion = self.plane_motion(&triangles);
        alive &= self.reach_own_plane(&triangles, &motion);
        if alive == 0 {
            return None;
        }
        let plane = self.plane_contact(&triangles, &motion);
        enter = plane.earliest.max(enter);
        let in_frame = self.in_sweep_frame(&triangles);
        alive &= in_frame.reach_sweep_plane();
        if alive == 0 {
            return None;
        }
        let edges = in_frame.edges();
        alive &= in_frame.reach_edge_planes(&edges);
        if alive == 0 {
            return None;
        }
        let widening =
            L::splat(1.0).plus_product(in_frame.product_error, L::splat(self.over_radius));
        let distance = in_frame.distance_to_edges(&edges, widening, self.frame.axis_z == 0.0);
        let edge_time = distance * L::splat(self.frame.inv_speed * (1.0 - 16.0 * EPSILON));
        let likely = edge_time.le_mask(plane.earliest) & L::splat(0.0).le_mask(plane.earliest);
        enter = edge_time.max(enter);
        alive &= enter.le_mask(L::splat(self.limit()));
        (alive != 0).then_some(SweepCandidates { alive, enter, likely, plane })
    }

    /// Keys are lower bounds of the times of contact. Sure are the triangles that are probably
    /// touched on their inside, not on an edge.
    #[inline(always)]
    fn recheck<L: F32x8>(&self, filtered: &SweepCandidates<L>) -> Candidates<L> {
        let SweepCandidates { alive, enter, likely, .. } = *filtered;
        Candidates { bits: alive, likely, keys: enter }.within(self.limit())
    }

    /// Upper bound of the time of contact with the plane, with the time during which later
    /// contacts tie with it.
    #[inline(always)]
    fn optimistic_bound<L: F32x8>(&self, filtered: &SweepCandidates<L>) -> L {
        let PlaneContact { height, inv_speed, least, .. } = filtered.plane;
        let contact = (height.abs() - least) * inv_speed;
        // Time after the first contact within which others tie with it, with a margin.
        let tie = 2.0 * TWICE_TOLERANCE * self.frame.inv_speed;
        contact.plus_product(contact, L::splat(64.0 * EPSILON)) + L::splat(tie)
    }
}

/// Triangles relative to the capsule's centre: a corner, and the two edges from it.
struct RelativeTriangles<L> {
    a: Vec3Soa<L>,
    ab: Vec3Soa<L>,
    ac: Vec3Soa<L>,
    /// At least the edges' lengths.
    ab_size: L,
    ac_size: L,
    /// The radius, and the largest error of a corner by rotation into the sweep frame.
    reach: L,
    /// At least the error of the product of a corner with a unit vector.
    product_error: L,
}

/// The capsule's motion relative to the planes of triangles. Heights are above the plane, along
/// the cross product of two edges: metres times the length of that normal.
struct PlaneMotion<L> {
    /// Square of the normal's length.
    normal_squared: L,
    /// Change of the centre's height by the whole motion.
    speed: L,
    /// Height of the upper end of the axis above the centre.
    rise: L,
    /// Height of the centre at the start.
    height: L,
    /// At least the length of the normal.
    area: L,
}

/// When the capsule touches the planes of triangles. Heights are as in [`PlaneMotion`].
struct PlaneContact<L> {
    /// Height of the centre at the start.
    height: L,
    /// Time per unit of height.
    inv_speed: L,
    /// A height at which the capsule certainly touches the plane.
    least: L,
    /// Lower bound of the time of contact; negative or NaN if the capsule may touch at the start.
    earliest: L,
}

/// Triangles that the filter kept.
pub(crate) struct SweepCandidates<L> {
    alive: u32,
    /// Lower bounds of the times of contact.
    enter: L,
    /// Bits of those that are probably touched on their inside.
    likely: u32,
    plane: PlaneContact<L>,
}

impl LocalSweep {
    /// Margins hold for triangles that are touched. One of their points is within the length of
    /// the path and the radius from the origin. All others are within the edges from that point.
    #[inline(always)]
    fn relative<L: F32x8>(
        &self,
        a: Vec3Soa<L>,
        b: Vec3Soa<L>,
        c: Vec3Soa<L>,
    ) -> RelativeTriangles<L> {
        // Edges before the origin is subtracted: their error is then relative to their length.
        let (mut ab, mut ac) = (b.sub(a), c.sub(a));
        let mut a = a.sub(Vec3Soa::of_quad(self.moving_box.center));
        if self.is_scaled {
            let scale = Vec3Soa::of_quad(self.scale);
            (a, ab, ac) = (a.times(scale), ab.times(scale), ac.times(scale));
        }
        let short_edge = L::splat(self.short_edge);
        let (ab_size, ac_size) = (ab.l1_norm() + short_edge, ac.l1_norm() + short_edge);
        let edges = ab_size + ac_size;
        RelativeTriangles {
            a,
            ab,
            ac,
            ab_size,
            ac_size,
            reach: L::splat(self.reach).plus_product(edges, L::splat(32.0 * EPSILON)),
            product_error: L::splat(self.product_error)
                .plus_product(edges, L::splat(96.0 * EPSILON)),
        }
    }

    /// Each coordinate takes three roundings and those of frame and scale: corners move by less
    /// than 16 ulps of their size.
    #[inline(always)]
    fn in_sweep_frame<L: F32x8>(
        &self,
        triangles: &RelativeTriangles<L>,
    ) -> TrianglesInSweepFrame<L> {
        let a = self.rotate(triangles.a);
        let (ab, ac) = (self.rotate(triangles.ab), self.rotate(triangles.ac));
        let SweepFrame { axis_x, axis_z, .. } = self.frame;
        TrianglesInSweepFrame {
            a,
            b: a.add(ab),
            c: a.add(ac),
            ab,
            ac,
            ab_size: triangles.ab_size,
            ac_size: triangles.ac_size,
            axis_x: L::splat(axis_x),
            axis_z: L::splat(axis_z),
            reach: triangles.reach,
            product_error: triangles.product_error,
        }
    }

    /// A vector in the sweep frame.
    #[inline(always)]
    fn rotate<L: F32x8>(&self, v: Vec3Soa<L>) -> Vec3Soa<L> {
        let [x, y, z] = self.frame.axes;
        Vec3Soa {
            x: v.dot(Vec3Soa::of_quad(x)),
            y: v.dot(Vec3Soa::of_quad(y)),
            z: v.dot(Vec3Soa::of_quad(z)),
        }
    }

    #[inline(always)]
    fn plane_motion<L: F32x8>(&self, triangles: &RelativeTriangles<L>) -> PlaneMotion<L> {
        let normal = triangles.ab.cross(triangles.ac);
        PlaneMotion {
            normal_squared: normal.dot(normal) + L::splat(MIN_SQUARE),
            speed: normal.dot(Vec3Soa::of_quad(self.motion)),
            rise: normal.dot(Vec3Soa::of_quad(self.half_axis)).abs(),
            height: L::splat(0.0) - normal.dot(triangles.a),
            // The error of the normal is relative to the edges, not to its own length.
            area: triangles.ab_size * triangles.ac_size,
        }
    }

    /// Bits of the triangles whose own plane the capsule reaches, from a side that counts.
    #[inline(always)]
    fn reach_own_plane<L: F32x8>(
        &self,
        triangles: &RelativeTriangles<L>,
        motion: &PlaneMotion<L>,
    ) -> u32 {
        let RelativeTriangles { ab_size, ac_size, reach, product_error, .. } = *triangles;
        let PlaneMotion { normal_squared, speed, rise, height, area } = *motion;
        let zero = L::splat(0.0);
        let end = height.plus_product(speed, L::splat(self.limit()));
        let half_thickness = rise.plus_product(area, product_error);
        // The factor covers the rounding of squares.
        let radius_squared = normal_squared * (reach * reach * L::splat(ROUND_UP_FACTOR));
        let above = height.min(end) - half_thickness;
        let below = zero - height.max(end) - half_thickness;
        let is_near = above.le_sqrt_mask(radius_squared) & below.le_sqrt_mask(radius_squared);
        // The solver decides the side in f64, of vertices rounded in the world. A triangle that
        // may be degenerate has no sides.
        let edges = ab_size + ac_size;
        let thickness =
            L::splat(self.world_rounding).plus_product(edges, L::splat(MAYBE_DEGENERATE));
        let normal_error = (edges * thickness).plus_product(area, L::splat(48.0 * EPSILON));
        let is_facing = (speed * L::splat(self.front))
            .le_mask(L::splat(MIN_SQUARE).plus_product(normal_error, L::splat(self.frame.speed)));
        is_near & is_facing
    }

    #[inline(always)]
    fn plane_contact<L: F32x8>(
        &self,
        triangles: &RelativeTriangles<L>,
        motion: &PlaneMotion<L>,
    ) -> PlaneContact<L> {
        let RelativeTriangles { reach, product_error, .. } = *triangles;
        let PlaneMotion { normal_squared, speed, rise, height, area } = *motion;
        let length = normal_squared.sqrt();
        let least =
            rise.plus_product(length, L::splat(self.radius)).minus_product(area, product_error);
        let reach = rise.plus_product(length, reach).plus_product(area, product_error);
        let inv_speed = L::splat(1.0) / speed.abs();
        let earliest = (height.abs() - reach) * inv_speed * L::splat(1.0 - 16.0 * EPSILON);
        PlaneContact { height, inv_speed, least, earliest }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bvh::{LaneFn, Scalar, dispatch};
    use crate::math::F64x4;
    use crate::pair::contract::{CapsuleFrame, Impact, Sweep};
    use crate::pair::target::TriangleTarget;
    use crate::{Capsule, Motion, Sides, Triangle};
    use capsweep_testkit::Rng;
    use glam::{DVec3, Vec3};

    struct MakeLocalSweep<'a>(&'a Capsule, &'a Motion, Sides, [Vec3; 3], f64);

    impl LaneFn for MakeLocalSweep<'_> {
        type Output = LocalSweep;

        #[inline(always)]
        fn run<L: F32x8>(self) -> LocalSweep {
            let Self(capsule, motion, sides, corners, limit) = self;
            let half_axis = L::F64x4::of_vector(capsule.axis() * 0.5);
            let vector = L::F64x4::of_vector(motion.vector());
            let swept = SweptCapsule::<L> {
                origin: L::narrowed(L::F64x4::of_vector(capsule.center())),
                half_axis: L::narrowed(half_axis),
                motion: L::narrowed(vector),
                speed: motion.length() as f32,
                radius: capsule.radius(),
                max_coordinate: corners.iter().map(|c| c.abs().max_element()).fold(0.0, f32::max),
                front: if sides == Sides::Front { 1.0 } else { 0.0 },
                world_rounding: 0.0,
                scale: &ScaleF32::NONE,
            };
            let frame = SweepFrame::new::<L>(half_axis, vector, motion.length());
            LocalSweep { frame, ..LocalSweep::new(&swept, limit) }
        }
    }

    struct KeptBits<'a>(&'a LocalSweep, &'a Packet);

    impl LaneFn for KeptBits<'_> {
        type Output = u32;

        #[inline(always)]
        fn run<L: F32x8>(self) -> u32 {
            self.0.filter::<L>(self.1).map_or(0, |filtered| self.0.recheck(&filtered).bits)
        }
    }

    /// A triangle of any size; some are slivers, segments or points, and some have an edge along
    /// the motion or the axis.
    fn some_corners(rng: &mut Rng, motion: DVec3, axis: DVec3) -> [Vec3; 3] {
        let size = rng.log_range(1e-13, 1e3);
        let thin = if rng.chance(0.3) { rng.log_range(1e-9, 1.0) } else { 1.0 };
        let along = match rng.below(6) {
            0 => motion.normalize_or(DVec3::X) * size,
            1 => axis.normalize_or(DVec3::X) * size,
            _ => rng.direction() * size,
        };
        let across = rng.direction() * size * thin;
        let back = if rng.chance(0.2) { DVec3::ZERO } else { along * rng.unit() };
        let at = rng.direction() * rng.log_range(1e-13, 1e4);
        [at, at + along, at + back + across].map(DVec3::as_vec3)
    }

    #[test]
    fn no_triangle_is_touched_before_its_key() {
        let mut rng = Rng::new(&[24]);
        let mut touched = 0;
        for round in 0..120_000 {
            let radius = rng.log_range(1e-6, 10.0) as f32;
            let axis = rng.direction() * rng.log_range(1e-3, 10.0) * f64::from(rng.below(2));
            let towards = match rng.below(4) {
                0 => axis.normalize_or(DVec3::Z),
                1 => axis.any_orthogonal_vector().normalize_or(DVec3::Y),
                _ => rng.direction(),
            };
            let motion = towards * rng.log_range(1e-9, 1e3);
            let corners = some_corners(&mut rng, motion, axis);
            let [a, b, c] = corners.map(Vec3::as_dvec3);
            // The capsule starts back along the motion, offset sideways by about its radius: many
            // sweeps graze an edge or a corner.
            let weight = rng.unit();
            let goal = [a, b, c, a.lerp(b, weight), (a + b + c) / 3.0][rng.below(5) as usize];
            let aside =
                rng.direction() * f64::from(radius) * [0.0, 0.5, 1.0, 1.1][rng.below(4) as usize];
            let at = goal - motion * rng.unit() + aside + axis * rng.range(-0.5, 0.5);
            let capsule =
                Capsule::new(at - axis * 0.5, at + axis * 0.5, radius).expect("in range");
            let motion = Motion::new(motion).expect("in range");
            let sides = if rng.chance(0.5) { Sides::Front } else { Sides::Both };

            let frame = CapsuleFrame::new(&capsule);
            let sweep = Sweep::new(&frame, &motion, sides);
            let triangle = Triangle::from_checked([a, b, c]);
            let Some(target) = TriangleTarget::swept(&sweep, &triangle) else { continue };
            let Some(time) = sweep.find_impact(&target, sweep.end).map(Impact::time) else {
                continue;
            };
            touched += 1;
            let mut packet = Packet::EMPTY;
            packet.set(3, corners);
            // Up to the end of the motion, and up to the contact: another hit may lower the limit
            // to that.
            for limit in [sweep.end, time] {
                let local = || MakeLocalSweep(&capsule, &motion, sides, corners, sweep.end);
                let (mut wide, mut plain) = (dispatch(local()), local().run::<Scalar>());
                wide.lower_limit(limit);
                plain.lower_limit(limit);
                assert_eq!(dispatch(KeptBits(&wide, &packet)), 1 << 3, "{round}: {time}");
                assert_eq!(
                    KeptBits(&plain, &packet).run::<Scalar>(),
                    1 << 3,
                    "{round}, plain: {time}"
                );
            }
        }
        assert!(touched > 20_000, "{touched}");
    }
}
