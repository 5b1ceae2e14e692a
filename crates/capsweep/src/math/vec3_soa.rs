//! Vectors as a structure of arrays: one vector per lane.

use crate::math::{F64x4, Lane};
use glam::DVec3;

/// One vector per lane.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Vec3Soa<V> {
    pub(crate) x: V,
    pub(crate) y: V,
    pub(crate) z: V,
}

impl<V: Lane> Vec3Soa<V> {
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

impl Vec3Soa<[f64; 4]> {
    /// Up to four vectors, one per place; places past the last start over.
    #[inline(always)]
    pub(crate) fn side_by_side<const N: usize>(v: &[DVec3; N]) -> Self {
        let (a, b, c, d) = (v[0], v[1 % N], v[2 % N], v[3 % N]);
        Self { x: [a.x, b.x, c.x, d.x], y: [a.y, b.y, c.y, d.y], z: [a.z, b.z, c.z, d.z] }
    }

    #[inline(always)]
    pub(crate) fn lane(&self, i: usize) -> DVec3 {
        DVec3::new(self.x[i], self.y[i], self.z[i])
    }
}

impl<F: F64x4> Vec3Soa<F> {
    #[inline(always)]
    pub(crate) fn over(self, by: F) -> Self {
        Self { x: self.x / by, y: self.y / by, z: self.z / by }
    }

    /// The same vector in every lane.
    #[inline(always)]
    pub(crate) fn all(vector: DVec3) -> Self {
        Self { x: F::splat(vector.x), y: F::splat(vector.y), z: F::splat(vector.z) }
    }

    /// Up to four vectors, one per lane; lanes past the last start over.
    #[inline(always)]
    pub(crate) fn corners<const N: usize>(vectors: &[DVec3; N]) -> Self {
        Self::of_arrays(Vec3Soa::side_by_side(vectors))
    }

    /// As [`F64x4::load`].
    #[inline(always)]
    pub(crate) fn of_arrays(values: Vec3Soa<[f64; 4]>) -> Self {
        Self { x: F::load(values.x), y: F::load(values.y), z: F::load(values.z) }
    }

    /// As [`F64x4::store`].
    #[inline(always)]
    pub(crate) fn to_arrays(self) -> Vec3Soa<[f64; 4]> {
        Vec3Soa { x: self.x.store(), y: self.y.store(), z: self.z.store() }
    }

    /// As [`F64x4::first`].
    #[inline(always)]
    pub(crate) fn first(self) -> DVec3 {
        DVec3::new(self.x.first(), self.y.first(), self.z.first())
    }

    /// As [`F64x4::next`].
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
