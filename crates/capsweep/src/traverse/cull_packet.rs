//! Eight triangles of a neighborhood, prepared for culling against a [`CullVolume`].
//!
//! The planes of a triangle are computed once in f64, and kept in f32 relative to the centre of
//! the neighborhood. That is close by, so the error bounds are micrometres. A query then costs a
//! few dot products for eight triangles.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::bvh::{F32x8, LaneFn, WIDTH, dispatch};
use crate::kernel::polygon::{ALL, repair_normals};
use crate::math::normals::face_normal;
use crate::math::{F64x4, Vec3Soa};
use crate::tolerance::ROUNDING_ERROR;
use crate::tolerance::{MIN_DIRECTION_LENGTH, WELL_SPREAD_SQ};
use crate::traverse::cull_volume::CullVolume;
use glam::DVec3;

/// Up to eight triangles: `corners[i][k][lane]` is coordinate `k` of corner `i` of one.
pub(crate) type PacketCorners = [[[f64; WIDTH]; 3]; 3];

/// Writes a triangle's corners into a lane.
#[inline]
pub(crate) fn put_corners(into: &mut PacketCorners, lane: usize, corners: &Vec3Soa<[f64; 4]>) {
    for (i, corner) in into.iter_mut().enumerate() {
        [corner[0][lane], corner[1][lane], corner[2][lane]] =
            [corners.x[i], corners.y[i], corners.z[i]];
    }
}

/// Eight triangles in world axes. All but `area` is relative to the neighborhood's origin.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CullPacket {
    /// Boxes, rounded outward: for each axis the negated lower ends and the upper ends. Empty in
    /// lanes without a triangle.
    boxes: [[[f32; WIDTH]; 2]; 3],
    /// Planes of the faces, and planes through the edges with normals that point outward in the
    /// face. Zero for a degenerate triangle, so that they cull nothing.
    face: Planes,
    edges: [Planes; 3],
    /// [`Triangle::area_vector`](crate::Triangle::area_vector) of lanes 0–3 and of lanes 4–7.
    area: [[[f64; 4]; 3]; 2],
    /// Bounds on the error, metres, that the f32 rounding of these planes adds to a height. The
    /// f64 planes themselves are off by 10⁻¹⁰ m at most near the query. The reach's own margin is
    /// far larger than that.
    slack: [f32; WIDTH],
    /// Bit `i` is set if triangle `i` has a back face that may be culled. A degenerate triangle
    /// has no sides.
    one_sided: u32,
}

/// Eight planes: unit normals and negated offsets from the origin.
#[derive(Debug, Clone, Copy)]
struct Planes {
    normal: [[f32; WIDTH]; 3],
    minus_offset: [f32; WIDTH],
}

impl Planes {
    const NONE: Self = Self { normal: [[0.0; WIDTH]; 3], minus_offset: [0.0; WIDTH] };

    /// Writes four planes from lane `at` on. Returns their distances from the origin.
    #[inline(always)]
    fn put<F: F64x4>(&mut self, at: usize, normal: Vec3Soa<F>, on_plane: Vec3Soa<F>) -> F {
        let minus_offset = F::splat(0.0) - normal.dot(on_plane);
        put(&mut self.normal[0], at, normal.x);
        put(&mut self.normal[1], at, normal.y);
        put(&mut self.normal[2], at, normal.z);
        put(&mut self.minus_offset, at, minus_offset);
        minus_offset.abs()
    }

    /// Heights of the moving axis over the planes: at the centre of the motion, and the most by
    /// which they change from there.
    #[inline(always)]
    fn heights<L: F32x8>(&self, volume: &CullVolume) -> (L, L) {
        let [x, y, z] = &self.normal;
        let normal = Vec3Soa { x: L::load(x), y: L::load(y), z: L::load(z) };
        let middle = all::<L>(&volume.middle);
        let height = L::load(&self.minus_offset)
            .plus_product(normal.x, middle.x)
            .plus_product(normal.y, middle.y)
            .plus_product(normal.z, middle.z);
        let gained = normal.dot(all(&volume.half_motion)).abs();
        (height, gained + normal.dot(all(&volume.half_axis)).abs())
    }
}

/// Broadcasts a vector to all lanes.
#[inline(always)]
fn all<L: F32x8>([x, y, z, _]: &[f32; 4]) -> Vec3Soa<L> {
    Vec3Soa { x: L::splat(*x), y: L::splat(*y), z: L::splat(*z) }
}

impl CullPacket {
    pub(crate) const EMPTY: Self = Self {
        boxes: [[[f32::NEG_INFINITY; WIDTH]; 2]; 3],
        face: Planes::NONE,
        edges: [Planes::NONE; 3],
        area: [[[0.0; 4]; 3]; 2],
        slack: [0.0; WIDTH],
        one_sided: 0,
    };

    /// Fills an empty packet with `count` triangles, relative to `origin`.
    pub(crate) fn prepare(&mut self, corners: &PacketCorners, count: usize, origin: DVec3) {
        dispatch(PreparePacket { corners, count, origin, into: self });
    }

    /// Both sides of the triangles in these lanes count, whatever the query's filter says.
    pub(crate) fn make_double_sided(&mut self, lanes: u32) {
        self.one_sided &= !lanes;
    }

    /// The triangles that need an exact test.
    #[inline(always)]
    pub(crate) fn cull<L: F32x8>(&self, volume: &CullVolume, culls_backs: bool) -> CandidateLanes {
        let mut bits = self.near::<L>(volume);
        if bits != 0 && culls_backs {
            bits &= !(self.facing_away::<L::F64x4>(volume.exact_motion) & self.one_sided);
        }
        if bits == 0 { CandidateLanes::NONE } else { self.in_reach::<L>(bits, volume) }
    }

    /// Of the triangles `bits`, those that still need an exact test after the limit was lowered.
    #[inline(always)]
    pub(crate) fn recull<L: F32x8>(&self, bits: u32, volume: &CullVolume) -> CandidateLanes {
        let bits = self.near::<L>(volume) & bits;
        if bits == 0 { CandidateLanes::NONE } else { self.in_reach::<L>(bits, volume) }
    }

    /// Bits of the triangles whose boxes are within reach of the moving axis' box. The distance of
    /// the two boxes is rounded at corners, where a box grown by the reach would not be.
    #[inline(always)]
    fn near<L: F32x8>(&self, volume: &CullVolume) -> u32 {
        let aside = |axis: usize| {
            let [neg_low, high] = &self.boxes[axis];
            let over = L::splat(volume.neg_high[axis]) - L::load(neg_low);
            over.max(L::splat(volume.low[axis]) - L::load(high)).max(L::splat(0.0))
        };
        let (x, y, z) = (aside(0), aside(1), aside(2));
        (x * x).plus_product(y, y).plus_product(z, z).le_mask(L::splat(volume.reach_squared))
    }

    /// Bits of the triangles that face along `motion` or across it. The same bits as the first
    /// test of the exact sweep.
    #[inline(always)]
    fn facing_away<F: F64x4>(&self, [x, y, z, _]: [f64; 4]) -> u32 {
        let motion = Vec3Soa { x: F::splat(x), y: F::splat(y), z: F::splat(z) };
        not_against(&self.area[0], motion) | not_against(&self.area[1], motion) << 4
    }

    /// Of the `wanted` triangles, those that no plane separates from the volume.
    ///
    /// Let the moving axis stay `h` or more off the triangle's plane. Then a point of the triangle
    /// within `r` of the axis is within `√(r² − h²)` of it in the plane. So the axis must come
    /// that close to the inner side of each edge plane.
    #[inline(always)]
    fn in_reach<L: F32x8>(&self, wanted: u32, volume: &CullVolume) -> CandidateLanes {
        let zero = L::splat(0.0);
        let (height, spread) = self.face.heights::<L>(volume);
        let apart = zero.max(height.abs() - spread);
        let slack = L::load(&self.slack) + L::splat(volume.slack);
        let reach = L::splat(volume.reach) + slack;
        let mut bits = apart.le_mask(reach) & wanted;
        if bits == 0 {
            return CandidateLanes::NONE;
        }
        let [ab, bc, ca] = &self.edges;
        let outside = |planes: &Planes| {
            let (height, spread) = planes.heights::<L>(volume);
            height - spread
        };
        let outside = outside(ab).max(outside(bc)).max(outside(ca));
        // Squares avoid the root. Beyond reach this is negative, and no square is at most that.
        let square_aside = (reach - apart) * (reach + apart);
        let beyond = zero.max(outside - slack);
        bits &= (beyond * beyond).le_mask(square_aside);
        CandidateLanes { bits, likely: bits & outside.le_mask(zero) }
    }
}

/// Computes a packet, four triangles at a time.
struct PreparePacket<'a> {
    corners: &'a PacketCorners,
    count: usize,
    origin: DVec3,
    into: &'a mut CullPacket,
}

impl LaneFn for PreparePacket<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: F32x8>(mut self) {
        for at in (0..self.count).step_by(4) {
            self.four::<L::F64x4>(at);
        }
        for lane in self.count..WIDTH {
            for [neg_low, high] in &mut self.into.boxes {
                (neg_low[lane], high[lane]) = (f32::NEG_INFINITY, f32::NEG_INFINITY);
            }
        }
    }
}

impl PreparePacket<'_> {
    /// Computes the four triangles from lane `at` on.
    #[inline(always)]
    fn four<F: F64x4>(&mut self, at: usize) {
        let origin = Vec3Soa::<F>::all(self.origin);
        let (a, b, c) =
            (self.corner::<F>(0, at), self.corner::<F>(1, at), self.corner::<F>(2, at));
        let (ab, ac) = (b.sub(a), c.sub(a));
        let area = ab.cross(ac);
        let (normal, one_sided) = self.normals(at, [ab, ac], area);
        let into = &mut *self.into;
        into.area[at / 4] = [area.x.store(), area.y.store(), area.z.store()];
        into.one_sided |= one_sided << at;
        let (a, b, c) = (a.sub(origin), b.sub(origin), c.sub(origin));
        for (axis, [a, b, c]) in
            [[a.x, b.x, c.x], [a.y, b.y, c.y], [a.z, b.z, c.z]].into_iter().enumerate()
        {
            let (low, high) = (a.min(b).min(c), a.max(b).max(c));
            put(&mut into.boxes[axis][0], at, outward_by(low) - low);
            put(&mut into.boxes[axis][1], at, high + outward_by(high));
        }
        let [ab, bc, ca] = &mut into.edges;
        let furthest = (into.face.put(at, normal, a))
            .max(ab.put(at, away(b.sub(a), normal), a))
            .max(bc.put(at, away(c.sub(b), normal), b))
            .max(ca.put(at, away(a.sub(c), normal), c));
        put(&mut into.slack, at, furthest * F::splat(f64::from(ROUNDING_ERROR)));
    }

    #[inline(always)]
    fn corner<F: F64x4>(&self, i: usize, at: usize) -> Vec3Soa<F> {
        let [x, y, z] = &self.corners[i];
        let four = |lanes: &[f64; WIDTH]| [lanes[at], lanes[at + 1], lanes[at + 2], lanes[at + 3]];
        Vec3Soa { x: F::load(four(x)), y: F::load(four(y)), z: F::load(four(z)) }
    }

    /// Unit normals, zero for degenerate triangles, and bits of the others. The same values as
    /// [`face_normal`]; only slivers need its slow path.
    #[inline(always)]
    fn normals<F: F64x4>(
        &self,
        at: usize,
        [ab, ac]: [Vec3Soa<F>; 2],
        area: Vec3Soa<F>,
    ) -> (Vec3Soa<F>, u32) {
        let squares = ab.dot(ab) + ac.dot(ac);
        let longest = squares + squares;
        let squared = area.dot(area);
        let spread = F::splat(WELL_SPREAD_SQ) * longest * longest;
        let unused = ALL << (self.count - at).min(4);
        let well_spread = spread.lt_mask(squared)
            & F::splat(MIN_DIRECTION_LENGTH).lt_mask(squared)
            | unused & ALL;
        let normals = area.over(squared.sqrt());
        if well_spread == ALL {
            return (normals, ALL);
        }
        repair_normals(normals, well_spread, |lane| {
            let lane = at + lane;
            face_normal(&self.corners.map(|[x, y, z]| DVec3::new(x[lane], y[lane], z[lane])))
        })
    }
}

/// Unit vectors in the faces, across the edges and outward; zero where the normal is zero.
#[inline(always)]
fn away<F: F64x4>(edge: Vec3Soa<F>, normal: Vec3Soa<F>) -> Vec3Soa<F> {
    let away = edge.cross(normal);
    away.over((away.dot(away) + F::splat(MIN_DIRECTION_LENGTH)).sqrt())
}

/// Margin that keeps a coordinate outward after rounding to f32: twice the rounding error.
#[inline(always)]
fn outward_by<F: F64x4>(at: F) -> F {
    at.abs() * F::splat(f64::from(f32::EPSILON)) + F::splat(f64::from(f32::MIN_POSITIVE))
}

/// Writes four numbers as f32 into the lanes from `at` on.
#[inline(always)]
fn put<F: F64x4>(lanes: &mut [f32; WIDTH], at: usize, values: F) {
    for (lane, value) in lanes[at..at + 4].iter_mut().zip(values.store()) {
        *lane = value as f32;
    }
}

/// The lanes of a packet that need an exact test.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CandidateLanes {
    pub(crate) bits: u32,
    /// Those that are tested first: the axis passes over their inside, so they are likely hit.
    pub(crate) likely: u32,
}

impl CandidateLanes {
    pub(crate) const NONE: Self = Self { bits: 0, likely: 0 };

    /// Makes `lane` the first to be tested, if its bit is set.
    #[inline(always)]
    pub(crate) fn put_first(&mut self, lane: usize) {
        if self.bits & (1 << lane) != 0 {
            self.likely = 1 << lane;
        }
    }

    /// Takes out the next lane to test.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> Option<usize> {
        if self.bits == 0 {
            return None;
        }
        let likely = self.bits & self.likely;
        let lane = if likely == 0 { self.bits } else { likely }.trailing_zeros();
        self.bits &= !(1 << lane);
        Some(lane as usize)
    }
}

/// Bits of the vectors whose dot product with `motion` is not negative.
#[inline(always)]
fn not_against<F: F64x4>([x, y, z]: &[[f64; 4]; 3], motion: Vec3Soa<F>) -> u32 {
    let area = Vec3Soa { x: F::load(*x), y: F::load(*y), z: F::load(*z) };
    F::splat(0.0).le_mask(area.dot(motion))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bvh::Scalar;
    use crate::traverse::cull_volume::{LocalOrigin, SweptVolume};
    use crate::{Capsule, Motion, Sides, Triangle, sweep_capsule_triangle};
    use capsweep_testkit::Rng;

    struct Bits<'a>(&'a CullPacket, &'a CullVolume, Sides);

    impl LaneFn for Bits<'_> {
        type Output = u32;

        #[inline(always)]
        fn run<L: F32x8>(self) -> u32 {
            self.0.cull::<L>(self.1, self.1.culls_backs(self.2)).bits
        }
    }

    struct NewVolume<'a>(&'a SweptVolume<'a>, LocalOrigin);

    impl LaneFn for NewVolume<'_> {
        type Output = CullVolume;

        #[inline(always)]
        fn run<L: F32x8>(self) -> CullVolume {
            CullVolume::new::<L>(self.0, self.1)
        }
    }

    /// A triangle of any size near `at`, some of them slivers, segments and points.
    fn some_triangle(rng: &mut Rng, at: DVec3) -> Triangle {
        let size = rng.log_range(1e-6, 1e3);
        let thin = if rng.chance(0.3) { rng.log_range(1e-13, 1.0) } else { 1.0 };
        let along = rng.direction() * size;
        let across = rng.direction() * size * thin;
        let back = if rng.chance(0.1) { DVec3::ZERO } else { along * rng.unit() };
        let corner = at - along * rng.unit() - across * rng.unit();
        let across = if rng.chance(0.1) { DVec3::ZERO } else { across };
        Triangle::from_checked([corner, corner + along, corner + back + across])
    }

    #[test]
    fn no_triangle_that_is_hit_is_culled() {
        let mut rng = Rng::new(&[29]);
        let (mut hits, mut culled) = (0, 0);
        for round in 0..10_000 {
            let far = if round % 2 == 0 { 1.0 } else { 16_384.0 };
            let place = rng.cube(far);
            let origin = place + rng.cube(1.0);
            let half_axis = rng.direction() * rng.log_range(1e-3, 2.0) * f64::from(rng.below(2));
            let radius = rng.log_range(1e-3, 1.0) as f32;
            let capsule = Capsule::from_center(place, half_axis, radius).expect("in range");
            let motion =
                Motion::new(rng.direction() * rng.log_range(1e-6, 3.0)).expect("in range");
            let sides = if rng.chance(0.5) { Sides::Front } else { Sides::Both };
            let count = 1 + rng.below(8) as usize;
            let mut corners: PacketCorners = [[[0.0; WIDTH]; 3]; 3];
            let mut expected = 0;
            for lane in 0..count {
                let near = place + rng.direction() * rng.log_range(1e-3, 3.0);
                let triangle = some_triangle(&mut rng, near);
                put_corners(&mut corners, lane, &Vec3Soa::side_by_side(&triangle.vertices()));
                let hit = sweep_capsule_triangle(&capsule, &motion, &triangle, sides);
                expected |= u32::from(hit.is_some()) << lane;
            }
            let mut packet = CullPacket::EMPTY;
            packet.prepare(&corners, count, origin);
            let swept = SweptVolume::of_sweep(&capsule, &motion);
            let within = (place - origin).abs() + half_axis.abs() + motion.vector().abs();
            let from = LocalOrigin::new(origin, within.as_vec3());
            let volume = dispatch(NewVolume(&swept, from));
            let bits = dispatch(Bits(&packet, &volume, sides));
            assert_eq!(expected & !bits, 0, "{round}: {capsule:?} {motion:?} {corners:?}");
            assert_eq!(bits >> count, 0, "{round}: lanes without a triangle");
            let mut plain = CullPacket::EMPTY;
            PreparePacket { corners: &corners, count, origin, into: &mut plain }.run::<Scalar>();
            let volume = NewVolume(&swept, from).run::<Scalar>();
            let plain_bits = Bits(&plain, &volume, sides).run::<Scalar>();
            assert_eq!(
                expected & !plain_bits,
                0,
                "{round}, plain: {capsule:?} {motion:?} {corners:?}"
            );
            hits += expected.count_ones();
            culled += count as u32 - bits.count_ones();
        }
        assert!(hits > 4_000 && culled > 15_000, "{hits} hits, {culled} culled");
    }
}
