use super::{Four, Lane};
use glam::DVec3;

/// As many vectors as there are lanes.
#[derive(Clone, Copy)]
pub(crate) struct Triple<V> {
    pub(crate) x: V,
    pub(crate) y: V,
    pub(crate) z: V,
}

impl<V: Lane> Triple<V> {
    #[inline(always)]
    pub(crate) fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
    }

    #[inline(always)]
    pub(crate) fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z }
    }

    #[inline(always)]
    pub(crate) fn scale(self, by: V) -> Self {
        Self { x: self.x * by, y: self.y * by, z: self.z * by }
    }

    #[inline(always)]
    pub(crate) fn dot(self, other: Self) -> V {
        (self.x * other.x).plus_product(self.y, other.y).plus_product(self.z, other.z)
    }

    #[inline(always)]
    pub(crate) fn cross(self, other: Self) -> Self {
        Self {
            x: (self.y * other.z).minus_product(self.z, other.y),
            y: (self.z * other.x).minus_product(self.x, other.z),
            z: (self.x * other.y).minus_product(self.y, other.x),
        }
    }
}

impl<F: Four> Triple<F> {
    #[inline(always)]
    pub(crate) fn over(self, by: F) -> Self {
        Self { x: self.x / by, y: self.y / by, z: self.z / by }
    }

    /// The same vector in every lane.
    #[inline(always)]
    pub(crate) fn all(vector: DVec3) -> Self {
        Self { x: F::splat(vector.x), y: F::splat(vector.y), z: F::splat(vector.z) }
    }

    /// One of up to four vectors to a lane; lanes past the last start over.
    #[inline(always)]
    pub(crate) fn corners<const N: usize>(v: &[DVec3; N]) -> Self {
        let (a, b, c, d) = (v[0], v[1 % N], v[2 % N], v[3 % N]);
        Self {
            x: F::load([a.x, b.x, c.x, d.x]),
            y: F::load([a.y, b.y, c.y, d.y]),
            z: F::load([a.z, b.z, c.z, d.z]),
        }
    }

    /// As [`Four::next`].
    #[inline(always)]
    pub(crate) fn next<const N: usize>(self) -> Self {
        Self { x: self.x.next::<N>(), y: self.y.next::<N>(), z: self.z.next::<N>() }
    }

    /// The largest magnitude of a coordinate, in each lane.
    #[inline(always)]
    pub(crate) fn largest(self) -> F {
        self.x.abs().max(self.y.abs()).max(self.z.abs())
    }
}
