//! A ray in a mesh's own space, in f32: the filter before the exact crossing.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use super::packet::Packet;
use super::slabs::{EPSILON, LATEST, Slabs};
use super::walk::{Cull, Promising};
use crate::bvh::{Bounds, Boxes, Entered, Lanes, Node, Turns, WIDTH};
use crate::simd::Triple;
use glam::{DVec3, Vec3};

/// A ray in a mesh's own space, in f32: good for culling only.
#[derive(Debug, Clone, Copy)]
pub(super) struct LocalRay {
    origin: Vec3,
    motion: Vec3,
    slabs: Slabs,
    /// How near a crossing must come to count, with what the rounding of the origin and of vertices in the world can amount to (metres).
    reach: f32,
    /// Sum of the magnitudes of the motion (metres): at least its length.
    speed: f32,
    /// Length of the path up to the limit (metres).
    travel: f32,
    /// An edge of this length is as uncertain by the rounding of its ends in the world as by f32.
    short: f32,
}

/// A ray before it is rounded: all in the mesh's own space.
pub(super) struct ExactRay {
    pub(super) origin: DVec3,
    pub(super) motion: DVec3,
    /// How near a crossing must come to count.
    pub(super) reach: f64,
    /// Largest magnitude of a coordinate of the mesh.
    pub(super) mesh_size: f64,
    /// How far a vertex may lie from where it is in the world.
    pub(super) blur: f64,
}

impl LocalRay {
    #[inline(always)]
    pub(super) fn new(exact: &ExactRay, limit: f64) -> Self {
        let spread = exact.origin.abs() + exact.motion.abs();
        let magnitude = spread.element_sum() + exact.mesh_size;
        let blur = exact.blur as f32;
        let margin = 16.0 * EPSILON * magnitude as f32 + 2.0 * blur + exact.reach as f32;
        let (origin, motion) = (exact.origin.as_vec3(), exact.motion.as_vec3());
        let speed = motion.abs().element_sum();
        Self {
            origin,
            motion,
            slabs: Slabs::new(origin, Vec3::splat(margin), motion, limit),
            reach: 2.0 * margin,
            speed,
            travel: speed * limit.min(LATEST) as f32,
            short: blur / EPSILON,
        }
    }
}

impl Cull for LocalRay {
    #[inline(always)]
    fn enter<L: Lanes>(&self, node: &Node) -> Entered<L> {
        let (bits, keys, _) = self.slabs.enter(node);
        Entered { bits, turns: Turns::InOrder { keys, order: keys } }
    }

    #[inline(always)]
    fn enter_boxes<L: Lanes>(&self, boxes: &[Bounds; WIDTH]) -> (u32, L) {
        self.slabs.enter_boxes(&Boxes::of(boxes))
    }

    type Seen<L: Lanes> = Promising<L>;

    #[inline(always)]
    fn again<L: Lanes>(&self, seen: &Promising<L>) -> Promising<L> {
        Promising { bits: seen.bits & seen.keys.at_most(L::splat(self.slabs.limit)), ..*seen }
    }

    /// With `n = ab × ac` and the origin at 0, the line crosses the plane at `t = (n·a) / (n·m)`. Seen along the motion, twice the
    /// signed areas of the triangles that the line makes with the edges are `−ab·q`, `ac·q` and the rest of `n·m`, where `q = a × m`:
    /// it crosses the triangle where each lies between 0 and `n·m`. A line that passes an edge `e` by `d` misses that by `d·|e|·|m|` at most.
    #[inline(always)]
    fn filter<L: Lanes>(&self, packet: &Packet) -> Option<Promising<L>> {
        let [a, b, c] = packet.corners::<L>();
        let (ab, ac) = (b.sub(a), c.sub(a));
        let a = a.sub(Triple::splat(self.origin));
        let motion = Triple::splat(self.motion);
        let short = L::splat(self.short);
        let (ab_size, ac_size) = (ab.size() + short, ac.size() + short);
        let size = a.size() + ab_size + ac_size;
        // What products with corners are uncertain by, per metre of edge, and how near counts.
        let unsure = (size + L::splat(self.travel)) * L::splat(48.0 * EPSILON);
        let near = unsure + L::splat(self.reach);

        let normal = ab.cross(ac);
        let area = normal.dot(motion);
        let height = normal.dot(a);
        let q = a.cross(motion);
        let (first, third) = (L::splat(0.0) - ab.dot(q), ac.dot(q));
        let second = area - first - third;
        let (low, high) = (L::splat(0.0).min(area), L::splat(0.0).max(area));
        let speed = L::splat(self.speed);
        let edges = ab_size + ac_size;
        // The third edge is no longer than the other two together, and its area is uncertain by theirs.
        let slack = edges * near * speed;
        let mut alive = low.at_most(first + slack) & first.at_most(high + slack);
        alive &= low.at_most(second + slack) & second.at_most(high + slack);
        alive &= low.at_most(third + slack) & third.at_most(high + slack);

        // When the plane is reached: between the start and the limit, or near enough.
        let reach = ab_size * ac_size * near;
        let end = height - area * L::splat(self.slabs.limit);
        alive &= height.min(end).at_most(reach);
        alive &= (L::splat(0.0) - height.max(end)).at_most(reach);
        let meets = (height.abs() - reach) / area.abs() * L::splat(1.0 - 16.0 * EPSILON);
        // What is not a number is reached at the start.
        let keys = meets.max(L::splat(0.0));
        (alive != 0).then_some(Promising { bits: alive, sure: 0, keys })
    }

    #[inline(always)]
    fn limit(&self) -> f32 {
        self.slabs.limit
    }

    #[inline(always)]
    fn lower_limit(&mut self, time: f64) {
        self.slabs.lower_limit(time);
    }
}
