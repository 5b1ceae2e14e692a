//! [`Packet`]: eight triangles, one per lane.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::bvh::{F32x8, WIDTH};
use crate::math::{F64x4, Vec3Soa};
use crate::tolerance::MIN_SQUARE;
use bytemuck::{Pod, Zeroable};
use glam::Vec3;

/// Eight triangles. Corner `k` of triangle `i` is `corners[k][..][i]`. Unused lanes are NaN, which
/// passes no test.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C, align(32))]
pub(crate) struct Packet {
    corners: [[[f32; WIDTH]; 3]; 3],
}

/// The slots of a packet's triangles.
#[derive(Clone, Copy)]
pub(crate) struct Slots {
    pub(crate) first: usize,
    /// Slots between the fourth triangle and the fifth that belong to others.
    gap: usize,
}

impl Slots {
    /// Eight slots without a gap.
    #[inline(always)]
    pub(crate) fn consecutive(first: usize) -> Self {
        Self { first, gap: 0 }
    }

    /// Four slots from `first` on, and four that come `stride` later.
    #[inline(always)]
    pub(crate) fn in_two_rows(first: usize, stride: usize) -> Self {
        Self { first, gap: stride.wrapping_sub(WIDTH / 2) }
    }

    /// The slot of a lane.
    #[inline(always)]
    pub(crate) fn of(self, lane: usize) -> usize {
        // The gap of a field with a single column is negative: it wraps around, and the sum back.
        (self.first + lane).wrapping_add(self.gap * (lane / (WIDTH / 2)))
    }
}

impl Packet {
    pub(crate) const EMPTY: Self = Self { corners: [[[f32::NAN; WIDTH]; 3]; 3] };

    /// The three corners of eight triangles: x, y and z of each.
    #[inline(always)]
    pub(crate) fn from_lanes<L: F32x8>(corners: [[L; 3]; 3]) -> Self {
        // Not by `map`: its moves of 288 bytes cost more than the triangles.
        let [[ax, ay, az], [bx, by, bz], [cx, cy, cz]] = corners;
        let corners = [
            [ax.store(), ay.store(), az.store()],
            [bx.store(), by.store(), bz.store()],
            [cx.store(), cy.store(), cz.store()],
        ];
        Self { corners }
    }

    /// Empties the lanes whose bits are set.
    #[cold]
    pub(crate) fn remove(&mut self, lanes: u32) {
        for lane in (0..WIDTH).filter(|lane| lanes >> lane & 1 == 1) {
            self.set(lane, [Vec3::NAN; 3]);
        }
    }

    pub(crate) fn set(&mut self, lane: usize, corners: [Vec3; 3]) {
        for (k, corner) in corners.into_iter().enumerate() {
            for axis in 0..3 {
                self.corners[k][axis][lane] = corner[axis];
            }
        }
    }

    pub(crate) fn get(&self, lane: usize) -> [Vec3; 3] {
        let [a, b, c] = &self.corners;
        let corner = |at: &[[f32; WIDTH]; 3]| Vec3::new(at[0][lane], at[1][lane], at[2][lane]);
        [corner(a), corner(b), corner(c)]
    }

    /// The corners of the triangle in `lane`, one per lane of the result. Those of a `mirrored`
    /// one come as first, third, second, which keeps its front. The fourth lane repeats the first.
    #[inline(always)]
    pub(crate) fn corners_of<F: F64x4>(&self, lane: usize, mirrored: bool) -> Vec3Soa<F> {
        let [a, b, c] = &self.corners;
        let (b, c) = if mirrored { (c, b) } else { (b, c) };
        let coordinates = |axis: usize| {
            let first = a[axis][lane];
            F::widen([first, b[axis][lane], c[axis][lane], first])
        };
        Vec3Soa { x: coordinates(0), y: coordinates(1), z: coordinates(2) }
    }

    /// The first, second and third corners of all eight.
    #[inline(always)]
    pub(crate) fn corners<L: F32x8>(&self) -> [Vec3Soa<L>; 3] {
        let [a, b, c] = &self.corners;
        [Vec3Soa::load(a), Vec3Soa::load(b), Vec3Soa::load(c)]
    }

    /// The coordinates of the three corners on one axis, for all eight triangles.
    #[inline(always)]
    pub(crate) fn along<L: F32x8>(&self, axis: usize) -> [L; 3] {
        let [a, b, c] = &self.corners;
        [L::load(&a[axis]), L::load(&b[axis]), L::load(&c[axis])]
    }
}

impl<L: F32x8> Vec3Soa<L> {
    #[inline(always)]
    pub(crate) fn splat(value: Vec3) -> Self {
        Self { x: L::splat(value.x), y: L::splat(value.y), z: L::splat(value.z) }
    }

    /// The first three numbers of a quad, in every lane.
    #[inline(always)]
    pub(crate) fn of_quad([x, y, z, _]: [f32; 4]) -> Self {
        Self { x: L::splat(x), y: L::splat(y), z: L::splat(z) }
    }

    #[inline(always)]
    fn load(values: &[[f32; WIDTH]; 3]) -> Self {
        Self { x: L::load(&values[0]), y: L::load(&values[1]), z: L::load(&values[2]) }
    }

    #[inline(always)]
    pub(crate) fn negated(self) -> Self {
        let zero = L::splat(0.0);
        Self { x: zero - self.x, y: zero - self.y, z: zero - self.z }
    }

    /// The product, coordinate by coordinate.
    #[inline(always)]
    pub(crate) fn times(self, other: Self) -> Self {
        Self { x: self.x * other.x, y: self.y * other.y, z: self.z * other.z }
    }

    #[inline(always)]
    pub(crate) fn min(self, other: Self) -> Self {
        Self { x: self.x.min(other.x), y: self.y.min(other.y), z: self.z.min(other.z) }
    }

    #[inline(always)]
    pub(crate) fn max(self, other: Self) -> Self {
        Self { x: self.x.max(other.x), y: self.y.max(other.y), z: self.z.max(other.z) }
    }

    /// At least the length, even if its square underflows.
    #[inline(always)]
    pub(crate) fn length(self) -> L {
        (self.dot(self) + L::splat(MIN_SQUARE)).sqrt()
    }

    /// Sum of the magnitudes of the coordinates: at least the length.
    #[inline(always)]
    pub(crate) fn l1_norm(self) -> L {
        self.x.abs() + self.y.abs() + self.z.abs()
    }
}
