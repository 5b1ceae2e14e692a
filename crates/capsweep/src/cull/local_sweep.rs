//! A sweep along a mesh's own axes, in f32: the filter that spares most triangles the exact solve.
//!
//! Lengths are those of the world, where a capsule is as wide in every direction; triangles are scaled as they are looked at. Only
//! boxes are met in the mesh's own units, which costs no box anything.
//!
//! The filter may only reject. It takes the moving capsule as a swept, rounded segment and looks
//! for a plane that keeps it off a triangle: the sides of the triangle's box, its own plane, the plane that motion and axis span,
//! those over its edges along the motion, and those in which the capsule would first touch the lines along its edges. The last tell not only whether, but
//! when at the earliest the triangle is touched. Each test carries a margin above its own rounding error.
//!
//! All but the first two are seen in a frame turned so that x runs along the motion and the axis lies in the plane of x and z: there
//! most terms of most products vanish.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::bvh::{Boxes, Entered, F32x4, F32x8, Node};
use crate::cull::moving_box::MovingBox;
use crate::cull::slabs::{EPSILON, LATEST, SLACK};
use crate::cull::sweep_frame::SweepFrame;
use crate::cull::triangles_in_frame::TrianglesInSweepFrame;
use crate::cull::{Candidates, Cull, CullBoxes};
use crate::math::Vec3Soa;
use crate::mesh::packet::{NO_SQUARE, Packet};
use crate::shape::pose::Scale;
use crate::tolerance::CONTACT_TOLERANCE;

/// Motions below this (metres) lose their direction in f32, so no side is told by them.
const TINY_MOTION: f32 = 1e-20;

/// What counts as touching (metres), twice: added to the radius wherever that must not be too small.
const TWICE_BOUND: f32 = 2.0 * CONTACT_TOLERANCE as f32;

/// A triangle thinner than this fraction of its edges may count as degenerate, and has no side then.
const THIN: f32 = 1.0 / (1_u64 << 38) as f32;

/// A sweep along a mesh's own axes, in f32: good for culling only.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LocalSweep {
    /// What makes metres of the mesh's own units, and something else; needed where `is_scaled`.
    stretch: [f32; 4],
    is_scaled: bool,
    /// The turned frame.
    pub(crate) heading: SweepFrame,
    half_axis: [f32; 4],
    motion: [f32; 4],
    /// One over the radius, at least.
    over_reach: f32,
    /// At most the capsule's radius, with room to spare.
    radius: f32,
    /// At least the capsule's radius, and what the rounding of the origin and of vertices in the world can amount to (metres).
    reach: f32,
    /// What a product of a corner that the path can come to with a unit vector is uncertain by, but for the triangle's size.
    unsure: f32,
    /// The box around the capsule, in the mesh's own units.
    around: MovingBox,
    /// An edge of this length is as uncertain by the rounding of its ends in the world as by f32: added to an edge's
    /// length, it makes room for both.
    short: f32,
    /// 1 where only the front of a triangle counts, -1 where only what scaling makes its back does, 0 where both sides do.
    front: f32,
    /// How far a vertex may lie from where it is in the world.
    blur: f32,
}

/// A capsule on its way, along the mesh's own axes, in metres. Vectors have one number for each axis, and something else.
pub(crate) struct SweptCapsule<'a, L: F32x8> {
    pub(crate) origin: L::F32x4,
    pub(crate) half_axis: L::F32x4,
    pub(crate) motion: L::F32x4,
    /// Length of the motion.
    pub(crate) speed: f32,
    pub(crate) radius: f32,
    /// Largest magnitude of a coordinate of the mesh.
    pub(crate) mesh_size: f32,
    /// As in [`LocalSweep`].
    pub(crate) front: f32,
    /// As in [`LocalSweep`].
    pub(crate) blur: f32,
    pub(crate) scale: &'a Scale,
}

impl<L: F32x8> SweptCapsule<'_, L> {
    /// At least the radius and twice the bound: the sum and the bound are rounded once each, and so is the product.
    #[inline(always)]
    fn reach(&self) -> f32 {
        (self.radius + TWICE_BOUND) * (1.0 + 4.0 * EPSILON)
    }

    /// What the rounding of coordinates can amount to, axis by axis, and that of vertices in the world.
    #[inline(always)]
    fn margins(&self) -> L::F32x4 {
        let ulps = L::F32x4::splat(16.0 * EPSILON);
        let rest =
            L::F32x4::splat(16.0 * EPSILON * (self.mesh_size + self.reach()) + 2.0 * self.blur);
        // The origin is what is waited for.
        self.origin.abs() * ulps + ((self.motion.abs() + self.half_axis.abs()) * ulps + rest)
    }

    /// The box around the capsule, in the mesh's own units.
    #[inline(always)]
    pub(crate) fn moving_box(&self, limit: f64) -> MovingBox {
        let half_extents = self.margins() + (self.half_axis.abs() + L::F32x4::splat(self.reach()));
        let is_short = self.speed * (limit.min(LATEST) as f32) < self.reach();
        let shrink = L::F32x4::load(self.scale.shrink);
        let (center, half_extents) = (self.origin * shrink, half_extents * shrink.abs());
        MovingBox::new::<L>(center, half_extents, self.motion * shrink, limit, is_short)
    }
}

impl LocalSweep {
    /// But for the heading, which is found afterwards: nothing of it matters to boxes, and registers are few.
    #[inline(always)]
    pub(crate) fn new<L: F32x8>(swept: &SweptCapsule<L>, limit: f64) -> Self {
        let SweptCapsule { speed, blur, .. } = *swept;
        let reach = swept.reach();
        // Magnitudes add up to its length or more, which in the turned frame they exceed by less than half.
        let half_axis = 1.5 * swept.half_axis.abs().sum_of_three();
        let travel = speed * (limit.min(LATEST) as f32) + half_axis + reach;
        Self {
            // By way of a register: copied as memory, it would wait for its neighbours.
            stretch: L::F32x4::load(swept.scale.stretch).store(),
            is_scaled: swept.scale.is_scaled,
            heading: SweepFrame::NONE,
            half_axis: swept.half_axis.store(),
            motion: swept.motion.store(),
            over_reach: 1.0 / reach,
            radius: swept.radius - TWICE_BOUND,
            reach: reach + 2.0 * swept.margins().sum_of_three() + 16.0 * EPSILON * travel,
            unsure: 96.0 * EPSILON * travel,
            around: swept.moving_box(limit),
            short: blur / EPSILON,
            front: if speed < TINY_MOTION { 0.0 } else { swept.front },
            blur,
        }
    }
}

impl CullBoxes for LocalSweep {
    #[inline(always)]
    fn enter<L: F32x8>(&self, node: &Node) -> Entered<L> {
        self.around.enter(node)
    }

    #[inline(always)]
    fn enter_boxes<L: F32x8>(&self, boxes: &Boxes<L>) -> (u32, L) {
        self.around.enter_boxes(boxes)
    }

    #[inline(always)]
    fn limit(&self) -> f32 {
        self.around.limit()
    }

    #[inline(always)]
    fn lower_limit(&mut self, time: f64) {
        self.around.lower_limit(time);
    }
}

impl Cull for LocalSweep {
    type Seen<L: F32x8> = Near<L>;

    /// The triangles that the sweep may touch within the limit.
    #[inline(always)]
    fn filter<L: F32x8>(&self, packet: &Packet) -> Option<Near<L>> {
        let [a, b, c] = packet.corners::<L>();
        let (mut alive, mut enter) = self.around.slabs.enter_triangles(a, b, c);
        if alive == 0 {
            return None;
        }
        let seen = self.seen(a, b, c);
        let own = self.own_plane(&seen);
        alive &= self.off_own_plane(&seen, &own);
        if alive == 0 {
            return None;
        }
        let plane = self.plane(&seen, &own);
        enter = plane.meets.max(enter);
        let turned = self.turned(&seen);
        alive &= turned.off_plane_of_motion_and_axis();
        if alive == 0 {
            return None;
        }
        let edges = turned.edges();
        alive &= turned.off_paths(&edges);
        if alive == 0 {
            return None;
        }
        let wide = L::splat(1.0).plus_product(turned.unsure, L::splat(self.over_reach));
        let way = turned.way_to_edges(&edges, wide, self.heading.axis_z == 0.0);
        let over_edges = way * L::splat(self.heading.pace * (1.0 - 16.0 * EPSILON));
        let sure = over_edges.le_mask(plane.meets) & L::splat(0.0).le_mask(plane.meets);
        enter = over_edges.max(enter);
        alive &= enter.le_mask(L::splat(self.limit()));
        (alive != 0).then_some(Near { alive, enter, sure, plane })
    }

    /// When at the earliest they are touched. Sure are those whose inside is touched first.
    #[inline(always)]
    fn recheck<L: F32x8>(&self, seen: &Near<L>) -> Candidates<L> {
        let bits = seen.alive & seen.enter.le_mask(L::splat(self.limit()));
        Candidates { bits, sure: seen.sure, keys: seen.enter }
    }

    /// When the plane is met, at the latest, and what is reported of it ties with nothing later.
    #[inline(always)]
    fn optimistic_bound<L: F32x8>(&self, seen: &Near<L>) -> L {
        let Plane { height, pace, least, .. } = seen.plane;
        let met = (height.abs() - least) * pace;
        // How long after the first contact others tie with it, with room to spare.
        let tie = 2.0 * TWICE_BOUND * self.heading.pace;
        met.plus_product(met, L::splat(64.0 * EPSILON)) + L::splat(tie)
    }
}

/// Triangles seen from the capsule's centre: a corner, and the edges from it.
struct Seen<L> {
    a: Vec3Soa<L>,
    ab: Vec3Soa<L>,
    ac: Vec3Soa<L>,
    /// At least the edges' lengths.
    ab_size: L,
    ac_size: L,
    /// The radius, and how far turning may move the corners.
    reach: L,
    /// What a product of a corner with a unit vector is uncertain by, with room to spare.
    unsure: L,
}

/// What tells whether triangles are off their planes. All but the area are metres, times the length of some normal.
struct OwnPlane<L> {
    /// The square of that length.
    squared: L,
    /// How fast the centre loses height, how high an end of the axis is above it, and how high it is at the start.
    speed: L,
    rise: L,
    height: L,
    /// At least the length of that normal.
    area: L,
}

/// The planes of triangles. Heights are metres times the length of some normal.
struct Plane<L> {
    /// Of the capsule's centre at the start, and the time it takes to lose one of these.
    height: L,
    pace: L,
    /// Where the capsule touches the plane for sure.
    least: L,
    /// When it does, at the earliest; negative or NaN where it does at the start.
    meets: L,
}

/// Triangles that come near.
pub(crate) struct Near<L> {
    alive: u32,
    /// When they are touched, at the earliest.
    enter: L,
    /// Bits of those whose inside is touched first.
    sure: u32,
    plane: Plane<L>,
}

impl LocalSweep {
    /// A triangle that is touched has a point within `travel` and the radius of the origin, and all others within its edges of that.
    #[inline(always)]
    fn seen<L: F32x8>(&self, a: Vec3Soa<L>, b: Vec3Soa<L>, c: Vec3Soa<L>) -> Seen<L> {
        // Edges before the origin is subtracted: their error is then relative to themselves.
        let (mut ab, mut ac) = (b.sub(a), c.sub(a));
        let mut a = a.sub(Vec3Soa::of_quad(self.around.center));
        if self.is_scaled {
            let stretch = Vec3Soa::of_quad(self.stretch);
            (a, ab, ac) = (a.times(stretch), ab.times(stretch), ac.times(stretch));
        }
        let short = L::splat(self.short);
        let (ab_size, ac_size) = (ab.size() + short, ac.size() + short);
        let edges = ab_size + ac_size;
        Seen {
            a,
            ab,
            ac,
            ab_size,
            ac_size,
            reach: L::splat(self.reach).plus_product(edges, L::splat(32.0 * EPSILON)),
            unsure: L::splat(self.unsure).plus_product(edges, L::splat(96.0 * EPSILON)),
        }
    }

    /// Three roundings and those of frame and scale, on each coordinate: corners move by less than 16 ulps of their size.
    #[inline(always)]
    fn turned<L: F32x8>(&self, seen: &Seen<L>) -> TrianglesInSweepFrame<L> {
        let (a, ab, ac) = (self.turn(seen.a), self.turn(seen.ab), self.turn(seen.ac));
        let (b, c) = (a.add(ab), a.add(ac));
        let Seen { ab_size, ac_size, reach, unsure, .. } = *seen;
        let SweepFrame { axis_x, axis_z, .. } = self.heading;
        let (axis_x, axis_z) = (L::splat(axis_x), L::splat(axis_z));
        TrianglesInSweepFrame { a, b, c, ab, ac, ab_size, ac_size, axis_x, axis_z, reach, unsure }
    }

    #[inline(always)]
    fn turn<L: F32x8>(&self, v: Vec3Soa<L>) -> Vec3Soa<L> {
        let [x, y, z] = self.heading.frame;
        Vec3Soa {
            x: v.dot(Vec3Soa::of_quad(x)),
            y: v.dot(Vec3Soa::of_quad(y)),
            z: v.dot(Vec3Soa::of_quad(z)),
        }
    }

    #[inline(always)]
    fn own_plane<L: F32x8>(&self, seen: &Seen<L>) -> OwnPlane<L> {
        let normal = seen.ab.cross(seen.ac);
        OwnPlane {
            squared: normal.dot(normal) + L::splat(NO_SQUARE),
            speed: normal.dot(Vec3Soa::of_quad(self.motion)),
            rise: normal.dot(Vec3Soa::of_quad(self.half_axis)).abs(),
            height: L::splat(0.0) - normal.dot(seen.a),
            // The normal's own error is relative to the edges, not to itself.
            area: seen.ab_size * seen.ac_size,
        }
    }

    /// The triangle's own plane, and its side.
    #[inline(always)]
    fn off_own_plane<L: F32x8>(&self, seen: &Seen<L>, own: &OwnPlane<L>) -> u32 {
        let Seen { ab_size, ac_size, reach, unsure, .. } = *seen;
        let OwnPlane { squared, speed, rise, height, area } = *own;
        let zero = L::splat(0.0);
        let end = height.plus_product(speed, L::splat(self.limit()));
        let thick = rise.plus_product(area, unsure);
        // With room for the rounding of squares.
        let radius_squared = squared * (reach * reach * L::splat(SLACK));
        let over = height.min(end) - thick;
        let below = zero - height.max(end) - thick;
        let (near, under) = (over.le_sqrt_mask(radius_squared), below.le_sqrt_mask(radius_squared));
        // The side is told in f64 of vertices rounded in the world, and a degenerate triangle has none.
        let edges = ab_size + ac_size;
        let thin = L::splat(self.blur).plus_product(edges, L::splat(THIN));
        let doubt = (edges * thin).plus_product(area, L::splat(48.0 * EPSILON));
        let facing = (speed * L::splat(self.front))
            .le_mask(L::splat(NO_SQUARE).plus_product(doubt, L::splat(self.heading.speed)));
        near & under & facing
    }

    /// When the plane is reached: negative or NaN where it is at the start.
    #[inline(always)]
    fn plane<L: F32x8>(&self, seen: &Seen<L>, own: &OwnPlane<L>) -> Plane<L> {
        let Seen { reach, unsure, .. } = *seen;
        let OwnPlane { squared, speed, rise, height, area } = *own;
        let length = squared.sqrt();
        let least = rise.plus_product(length, L::splat(self.radius)).minus_product(area, unsure);
        let reach = rise.plus_product(length, reach).plus_product(area, unsure);
        let pace = L::splat(1.0) / speed.abs();
        let meets = (height.abs() - reach) * pace * L::splat(1.0 - 16.0 * EPSILON);
        Plane { height, pace, least, meets }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bvh::{Kernel, Scalar, dispatch};
    use crate::math::F64x4;
    use crate::pair::contract::{CapsuleFrame, Impact, Sweep};
    use crate::pair::target::TriangleTarget;
    use crate::{Capsule, Motion, Sides, Triangle};
    use capsweep_testkit::Rng;
    use glam::{DVec3, Vec3};

    struct Rounded<'a>(&'a Capsule, &'a Motion, Sides, [Vec3; 3], f64);

    impl Kernel for Rounded<'_> {
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
                mesh_size: corners.iter().map(|c| c.abs().max_element()).fold(0.0, f32::max),
                front: if sides == Sides::Front { 1.0 } else { 0.0 },
                blur: 0.0,
                scale: &Scale::NONE,
            };
            let heading = SweepFrame::new::<L>(half_axis, vector, motion.length());
            LocalSweep { heading, ..LocalSweep::new(&swept, limit) }
        }
    }

    struct Kept<'a>(&'a LocalSweep, &'a Packet);

    impl Kernel for Kept<'_> {
        type Output = u32;

        #[inline(always)]
        fn run<L: F32x8>(self) -> u32 {
            self.0.filter::<L>(self.1).map_or(0, |seen| self.0.recheck(&seen).bits)
        }
    }

    /// Triangles of any size, some of them slivers, segments and points, and some with an edge along the motion or the axis.
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
    fn no_triangle_is_met_before_its_key() {
        let mut rng = Rng::new(&[24]);
        let mut met = 0;
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
            // From a way back, aside by about as much as is touched: many graze an edge or a corner.
            let weight = rng.unit();
            let aimed_at = [a, b, c, a.lerp(b, weight), (a + b + c) / 3.0][rng.below(5) as usize];
            let aside =
                rng.direction() * f64::from(radius) * [0.0, 0.5, 1.0, 1.1][rng.below(4) as usize];
            let at = aimed_at - motion * rng.unit() + aside + axis * rng.range(-0.5, 0.5);
            let capsule = Capsule::new(at - axis * 0.5, at + axis * 0.5, radius).expect("in range");
            let motion = Motion::new(motion).expect("in range");
            let sides = if rng.chance(0.5) { Sides::Front } else { Sides::Both };

            let view = CapsuleFrame::new(&capsule);
            let sweep = Sweep::new(&view, &motion, sides);
            let triangle = Triangle::from_checked([a, b, c]);
            let Some(target) = TriangleTarget::swept(&sweep, &triangle) else { continue };
            let Some(time) = sweep.find_impact(&target, sweep.end).map(Impact::time) else {
                continue;
            };
            met += 1;
            let mut packet = Packet::EMPTY;
            packet.set(3, corners);
            // Up to the end, and then up to when it is met, as a walk does that has met something else.
            for limit in [sweep.end, time] {
                let rounded = || Rounded(&capsule, &motion, sides, corners, sweep.end);
                let (mut wide, mut plain) = (dispatch(rounded()), rounded().run::<Scalar>());
                wide.lower_limit(limit);
                plain.lower_limit(limit);
                assert_eq!(dispatch(Kept(&wide, &packet)), 1 << 3, "{round}: {time}");
                assert_eq!(Kept(&plain, &packet).run::<Scalar>(), 1 << 3, "{round}, plain: {time}");
            }
        }
        assert!(met > 20_000, "{met}");
    }
}
