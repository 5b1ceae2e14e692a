//! Eight triangles side by side, and the f32 filter that spares most of them the exact solve.
//!
//! The filter may only reject. It works on the moving capsule as a swept, rounded segment and looks
//! for a plane that keeps it off a triangle: the sides of the triangle's box, its own plane, the plane
//! that the motion and the axis span, and the planes over its edges along the axis. Each test
//! carries a margin above its own rounding error.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::bvh::{Boxes, Lanes, WIDTH};
use bytemuck::{Pod, Zeroable};
use glam::{DVec3, Vec3};

/// Corner `k` of triangle `i` is `corners[k][..][i]`. Unused lanes are NaN, which passes no test.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Packet {
    corners: [[[f32; WIDTH]; 3]; 3],
}

impl Packet {
    pub(crate) const EMPTY: Self = Self { corners: [[[f32::NAN; WIDTH]; 3]; 3] };

    pub(crate) fn set(&mut self, lane: usize, corners: [Vec3; 3]) {
        for (k, corner) in corners.into_iter().enumerate() {
            for axis in 0..3 {
                self.corners[k][axis][lane] = corner[axis];
            }
        }
    }

    pub(crate) fn get(&self, lane: usize) -> [Vec3; 3] {
        self.corners.map(|corner| Vec3::new(corner[0][lane], corner[1][lane], corner[2][lane]))
    }

    /// The first, second and third corners of all eight.
    #[inline(always)]
    pub(super) fn corners<L: Lanes>(&self) -> [Triple<L>; 3] {
        [0, 1, 2].map(|k| Triple::load(&self.corners[k]))
    }
}

/// Unit roundoff of f32.
pub(super) const EPSILON: f32 = f32::EPSILON * 0.5;

/// Latest time of any sweep here (no unit). Motions that last longer are shorter than 10⁻³⁰ m; what they cover
/// later is far below the margins, and the product with a motion of zero stays zero.
const LATEST: f64 = 1e30;

/// Motions below this (metres) lose their direction in f32, so no side is told by them.
const TINY_MOTION: f64 = 1e-20;

/// Added under a root (square metres, squared): below it f32 keeps no squares.
const NO_SQUARE: f32 = 1e-37;

/// A triangle thinner than this fraction of its edges may count as degenerate, and has no side then.
const THIN: f32 = 1.0 / (1_u64 << 38) as f32;

/// A sweep in a mesh's own space, in f32: good for culling only.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LocalSweep {
    /// The capsule's centre.
    origin: Vec3,
    half_axis: Vec3,
    motion: Vec3,
    /// At least the capsule's radius, in any direction of this space.
    radius: f32,
    /// Half extents of the capsule's box, error margin included.
    reach: Vec3,
    /// One over the motion, huge where it is zero.
    inverse: Vec3,
    /// What the rounding of the origin and of differences to it can amount to, in metres.
    margin: f32,
    /// An edge of this length is as uncertain by the rounding of its ends in the world as by f32: added to an edge's
    /// length, it makes room for both.
    short: f32,
    /// The unit direction across motion and half axis, and what the moving capsule reaches along it.
    across: Vec3,
    across_reach: f32,
    /// 1 or −1: which way a triangle's front faces here. 0 where both sides count.
    front: f32,
    /// How far a vertex may lie from where it is in the world, in this space.
    blur: f32,
    /// Latest time of interest.
    pub(crate) limit: f32,
}

/// A sweep before it is rounded: all in the mesh's own space.
pub(crate) struct ExactSweep {
    pub(crate) origin: DVec3,
    pub(crate) half_axis: DVec3,
    pub(crate) motion: DVec3,
    pub(crate) radius: f64,
    /// Largest magnitude of a coordinate of the mesh.
    pub(crate) mesh_size: f64,
    /// As in [`LocalSweep`].
    pub(crate) front: f32,
    /// As in [`LocalSweep`].
    pub(crate) blur: f64,
}

impl LocalSweep {
    pub(crate) fn new(exact: &ExactSweep, limit: f64) -> Self {
        let magnitude = exact.origin.abs().max_element()
            + exact.mesh_size
            + exact.motion.abs().max_element()
            + exact.half_axis.abs().max_element()
            + exact.radius;
        let blur = exact.blur as f32;
        let margin = 16.0 * EPSILON * magnitude as f32 + 2.0 * blur;
        let radius = exact.radius as f32 * (1.0 + 4.0 * EPSILON);
        let half_axis = exact.half_axis.as_vec3();
        let motion = exact.motion.as_vec3();
        let limit = limit.min(LATEST);
        // Any direction is good for a separating plane, also the noise that is left where motion and axis are parallel:
        // what they reach along it is measured, not taken for zero.
        let across = exact.motion.cross(exact.half_axis).normalize_or_zero().as_vec3();
        let along = |vector: DVec3| across.as_dvec3().dot(vector).abs();
        let aside = (along(exact.motion) * limit + along(exact.half_axis)) as f32;
        let is_tiny = exact.motion.abs().max_element() < TINY_MOTION;
        Self {
            origin: exact.origin.as_vec3(),
            half_axis,
            motion,
            radius,
            reach: half_axis.abs() + Vec3::splat(radius + margin),
            inverse: Vec3::from_array(
                motion.to_array().map(
                    |x| {
                        if x.abs() > 1e-30 { 1.0 / x } else { 1e30_f32.copysign(x) }
                    },
                ),
            ),
            margin,
            short: blur / EPSILON,
            across,
            across_reach: radius + aside + margin * across.abs().element_sum() * 2.0,
            front: if is_tiny { 0.0 } else { exact.front },
            blur,
            limit: round_up(limit),
        }
    }

    /// Nothing after `time` is of interest any more.
    pub(crate) fn lower_limit(&mut self, time: f64) {
        self.limit = self.limit.min(round_up(time.min(LATEST)));
    }

    /// Bits of the boxes that the moving capsule's box meets within the limit, and when it does.
    #[inline(always)]
    pub(crate) fn enter<L: Lanes>(&self, boxes: &Boxes<L>) -> (u32, L) {
        self.slabs(boxes.min, boxes.max)
    }

    #[inline(always)]
    fn slabs<L: Lanes>(&self, min: [L; 3], max: [L; 3]) -> (u32, L) {
        let mut enter = L::splat(0.0);
        let mut leave = L::splat(self.limit);
        let mut ordered = L::splat(0.0).at_most(L::splat(0.0));
        for axis in 0..3 {
            let (origin, reach) = (L::splat(self.origin[axis]), L::splat(self.reach[axis]));
            let inverse = L::splat(self.inverse[axis]);
            let low = (min[axis] - reach - origin) * inverse;
            let high = (max[axis] + reach - origin) * inverse;
            ordered &= min[axis].at_most(max[axis]);
            enter = enter.max(low.min(high));
            leave = leave.min(low.max(high));
        }
        // Six roundings of a few ulps each; a time that overflowed is past any limit.
        let slack = L::splat(1.0 + 16.0 * EPSILON);
        (enter.at_most(leave * slack) & ordered, enter)
    }

    /// Bits of the triangles that the sweep may touch within the limit, and when at the earliest.
    #[inline(always)]
    pub(crate) fn filter<L: Lanes>(&self, packet: &Packet) -> (u32, L) {
        let origin = Triple::<L>::splat(self.origin);
        let a = Triple::<L>::load(&packet.corners[0]);
        let b = Triple::<L>::load(&packet.corners[1]);
        let c = Triple::<L>::load(&packet.corners[2]);
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let (mut alive, enter) = self.slabs([low.x, low.y, low.z], [high.x, high.y, high.z]);
        if alive == 0 {
            return (0, enter);
        }
        // Edges before the origin is subtracted: their error is then relative to themselves.
        let (ab, ac, bc) = (b.sub(a), c.sub(a), c.sub(b));
        let (a, b, c) = (a.sub(origin), b.sub(origin), c.sub(origin));
        // All distances below are dot products with corners, whose size bounds their error.
        let size = a.size().max(b.size()).max(c.size());
        let (bits, meets) = self.along_plane(a, ab, ac, size);
        alive &= bits;
        let enter = meets.max(enter);
        alive &= enter.at_most(L::splat(self.limit));
        alive &= self.along_motion_and_axis(a, b, c, size);
        if alive == 0 {
            return (0, enter);
        }
        alive &= self.along_side(a, ab, c, size);
        alive &= self.along_side(b, bc, a, size);
        alive &= self.along_side(c, ac, b, size);
        if alive == 0 {
            return (0, enter);
        }
        alive &= self.along_path(a, ab, c, size);
        alive &= self.along_path(b, bc, a, size);
        alive &= self.along_path(c, ac, b, size);
        (alive, enter)
    }

    /// As [`LocalSweep::filter`] for a sweep without an axis: a ray with its margin.
    #[inline(always)]
    pub(crate) fn filter_ray<L: Lanes>(&self, packet: &Packet) -> (u32, L) {
        let origin = Triple::<L>::splat(self.origin);
        let a = Triple::<L>::load(&packet.corners[0]);
        let b = Triple::<L>::load(&packet.corners[1]);
        let c = Triple::<L>::load(&packet.corners[2]);
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let (mut alive, enter) = self.slabs([low.x, low.y, low.z], [high.x, high.y, high.z]);
        if alive == 0 {
            return (0, enter);
        }
        // Edges before the corners lose their last digits to the origin: their error must be relative to themselves.
        let (ab, ac, bc) = (b.sub(a), c.sub(a), c.sub(b));
        let (a, b, c) = (a.sub(origin), b.sub(origin), c.sub(origin));
        let size = a.size().max(b.size()).max(c.size());
        let (bits, meets) = self.along_plane(a, ab, ac, size);
        let enter = meets.max(enter);
        alive &= bits & enter.at_most(L::splat(self.limit));
        if alive == 0 {
            return (0, enter);
        }
        alive &= self.along_path(a, ab, c, size);
        alive &= self.along_path(b, bc, a, size);
        alive &= self.along_path(c, ac, b, size);
        (alive, enter)
    }

    /// The triangle's own plane, its side, and when the plane is reached: negative or NaN where it is at the start.
    #[inline(always)]
    fn along_plane<L: Lanes>(
        &self,
        a: Triple<L>,
        ab: Triple<L>,
        ac: Triple<L>,
        size: L,
    ) -> (u32, L) {
        let normal = ab.cross(ac);
        let speed = normal.dot(Triple::splat(self.motion));
        let rise = normal.dot(Triple::splat(self.half_axis)).abs();
        let height = L::splat(0.0) - normal.dot(a);
        let end = height + speed * L::splat(self.limit);
        // The normal's own error is relative to the edges, not to itself.
        let (ab_size, ac_size) = (ab.size(), ac.size());
        let unsure = ab_size * ac_size * L::splat(24.0 * EPSILON);
        let travel = L::splat(self.motion.abs().element_sum());
        let wide = size + travel + L::splat(self.half_axis.abs().element_sum() + self.radius);
        let reach = rise
            + normal.length() * L::splat(self.radius)
            + unsure * wide
            + normal.size() * L::splat(self.margin);
        let near = height.min(end).at_most(reach);
        let under = (L::splat(0.0) - height.max(end)).at_most(reach);
        // The side is told in f64 of vertices rounded in the world, and a degenerate triangle has none.
        let edges = ab_size + ac_size;
        let turned = unsure + edges * (edges * L::splat(THIN) + L::splat(self.blur));
        let facing = (speed * L::splat(self.front)).at_most(turned * travel + L::splat(NO_SQUARE));
        let meets = (height.abs() - reach) / speed.abs() * L::splat(1.0 - 16.0 * EPSILON);
        (near & under & facing, meets)
    }

    /// The plane in which the axis moves: the triangle must come within the radius of it.
    #[inline(always)]
    fn along_motion_and_axis<L: Lanes>(
        &self,
        a: Triple<L>,
        b: Triple<L>,
        c: Triple<L>,
        size: L,
    ) -> u32 {
        let across = Triple::splat(self.across);
        let (a, b, c) = (across.dot(a), across.dot(b), across.dot(c));
        let weight = self.across.abs().element_sum() * 12.0 * EPSILON;
        let reach = L::splat(self.across_reach) + size * L::splat(weight);
        let low = a.min(b).min(c);
        let high = a.max(b).max(c);
        low.at_most(reach) & (L::splat(0.0) - high).at_most(reach)
    }

    /// The plane through an edge along the axis.
    #[inline(always)]
    fn along_side<L: Lanes>(
        &self,
        start: Triple<L>,
        edge: Triple<L>,
        other: Triple<L>,
        size: L,
    ) -> u32 {
        let side = edge.cross(Triple::splat(self.half_axis));
        let (on_edge, opposite) = (side.dot(start), side.dot(other));
        let end = side.dot(Triple::splat(self.motion)) * L::splat(self.limit);
        let edge_size = edge.size() + L::splat(self.short);
        let unsure = edge_size * L::splat(self.half_axis.abs().element_sum() * 24.0 * EPSILON);
        let wide = size + L::splat(self.motion.abs().element_sum() + self.radius);
        let reach = side.length() * L::splat(self.radius)
            + unsure * wide
            + side.size() * L::splat(self.margin);
        let zero = L::splat(0.0);
        let above = on_edge.min(opposite) - zero.max(end);
        let below = zero.min(end) - on_edge.max(opposite);
        above.at_most(reach) & below.at_most(reach)
    }
}

impl LocalSweep {
    /// The plane through an edge along the motion.
    #[inline(always)]
    fn along_path<L: Lanes>(
        &self,
        start: Triple<L>,
        edge: Triple<L>,
        other: Triple<L>,
        size: L,
    ) -> u32 {
        let side = edge.cross(Triple::splat(self.motion));
        let (on_edge, opposite) = (side.dot(start), side.dot(other));
        let rise = side.dot(Triple::splat(self.half_axis)).abs();
        let edge_size = edge.size() + L::splat(self.short);
        let unsure = edge_size * L::splat(self.motion.abs().element_sum() * 24.0 * EPSILON);
        let wide = size + L::splat(self.half_axis.abs().element_sum() + self.radius);
        let reach = rise
            + side.length() * L::splat(self.radius)
            + unsure * wide
            + side.size() * L::splat(self.margin);
        on_edge.min(opposite).at_most(reach)
            & (L::splat(0.0) - on_edge.max(opposite)).at_most(reach)
    }
}

/// The smallest f32 that is not less.
pub(super) fn round_up(value: f64) -> f32 {
    let near = value as f32;
    if f64::from(near) < value { near.next_up() } else { near }
}

/// Eight vectors.
#[derive(Clone, Copy)]
pub(super) struct Triple<L> {
    pub(super) x: L,
    pub(super) y: L,
    pub(super) z: L,
}

impl<L: Lanes> Triple<L> {
    #[inline(always)]
    pub(super) fn splat(value: Vec3) -> Self {
        Self { x: L::splat(value.x), y: L::splat(value.y), z: L::splat(value.z) }
    }

    #[inline(always)]
    fn load(values: &[[f32; WIDTH]; 3]) -> Self {
        Self { x: L::load(&values[0]), y: L::load(&values[1]), z: L::load(&values[2]) }
    }

    #[inline(always)]
    pub(super) fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z }
    }

    #[inline(always)]
    pub(super) fn min(self, other: Self) -> Self {
        Self { x: self.x.min(other.x), y: self.y.min(other.y), z: self.z.min(other.z) }
    }

    #[inline(always)]
    pub(super) fn max(self, other: Self) -> Self {
        Self { x: self.x.max(other.x), y: self.y.max(other.y), z: self.z.max(other.z) }
    }

    #[inline(always)]
    pub(super) fn dot(self, other: Self) -> L {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    #[inline(always)]
    pub(super) fn cross(self, other: Self) -> Self {
        Self {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }

    /// At least the length, also where its square is too small for f32.
    #[inline(always)]
    pub(super) fn length(self) -> L {
        (self.dot(self) + L::splat(NO_SQUARE)).sqrt()
    }

    /// Sum of the magnitudes: at least the length.
    #[inline(always)]
    pub(super) fn size(self) -> L {
        self.x.abs() + self.y.abs() + self.z.abs()
    }
}
