//! What was gathered around a character, as far as a [`CullVolume`] needs it.
//!
//! The planes of a triangle are worked out once, in f64, and kept in f32 relative to the middle of what was gathered: that is near, so the
//! margins are micrometres. A query then only takes products with them.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::bvh::{F32x8, Kernel, WIDTH, dispatch};
use crate::kernel::polygon::{ALL, repair_normals};
use crate::math::normals::face_normal;
use crate::math::{F64x4, Vec3Soa};
use crate::tolerance::{MIN_DIRECTION_LENGTH, WELL_SPREAD_SQ};
use crate::traverse::cull_volume::{CullVolume, ROUNDING};
use glam::DVec3;

/// Up to eight triangles: coordinate `k` of corner `i` of triangle `lane` is `corners[i][k][lane]`.
pub(crate) type Corners = [[[f64; WIDTH]; 3]; 3];

/// Puts a triangle, whose corners are side by side, into a lane.
#[inline]
pub(crate) fn put_corners(into: &mut Corners, lane: usize, corners: &Vec3Soa<[f64; 4]>) {
    for (i, corner) in into.iter_mut().enumerate() {
        [corner[0][lane], corner[1][lane], corner[2][lane]] =
            [corners.x[i], corners.y[i], corners.z[i]];
    }
}

/// Eight triangles in the world, as far as a glance needs them. All but `area` are seen from the same origin.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CullPacket {
    /// Their boxes, outward: on each axis the lower ends negated, and the upper ones; empty where there is no triangle.
    boxes: [[[f32; WIDTH]; 2]; 3],
    /// Their own planes, and those that stand on their edges and look away; all zero for a degenerate one, which these tell nothing of.
    face: Planes,
    edges: [Planes; 3],
    /// [`Triangle::area_vector`](crate::Triangle::area_vector) of the first four, and of the others.
    area: [[[f64; 4]; 3]; 2],
    /// What heights over the planes of a triangle are uncertain by, for the numbers here. The planes of triangles as large as the bound
    /// allows are known to 10⁻¹⁰ m where the query is, far less than the reach has to spare.
    slack: [f32; WIDTH],
    /// Bit `i` is set where triangle `i` has a back that may not count: a degenerate one has no sides.
    faced: u32,
}

/// Eight planes: unit normals, and minus their distances from the origin.
#[derive(Debug, Clone, Copy)]
struct Planes {
    normal: [[f32; WIDTH]; 3],
    minus_offset: [f32; WIDTH],
}

impl Planes {
    const NONE: Self = Self { normal: [[0.0; WIDTH]; 3], minus_offset: [0.0; WIDTH] };

    /// The four planes from lane `at` on, given by unit normals and points on them. How far they are from the origin.
    #[inline(always)]
    fn put<F: F64x4>(&mut self, at: usize, normal: Vec3Soa<F>, on_plane: Vec3Soa<F>) -> F {
        let minus_offset = F::splat(0.0) - normal.dot(on_plane);
        put(&mut self.normal[0], at, normal.x);
        put(&mut self.normal[1], at, normal.y);
        put(&mut self.normal[2], at, normal.z);
        put(&mut self.minus_offset, at, minus_offset);
        minus_offset.abs()
    }

    /// The height of the moving axis over them: of its middle half way, and how far from there it gets either way.
    #[inline(always)]
    fn heights<L: F32x8>(&self, glance: &CullVolume) -> (L, L) {
        let [x, y, z] = &self.normal;
        let normal = Vec3Soa { x: L::load(x), y: L::load(y), z: L::load(z) };
        let middle = all::<L>(&glance.middle);
        let height = L::load(&self.minus_offset)
            .plus_product(normal.x, middle.x)
            .plus_product(normal.y, middle.y)
            .plus_product(normal.z, middle.z);
        let gained = normal.dot(all(&glance.half_motion)).abs();
        (height, gained + normal.dot(all(&glance.half_axis)).abs())
    }
}

/// A vector of a glance in every lane.
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
        faced: 0,
    };

    /// Becomes the outlines of `count` triangles in the world, seen from `origin`; they must be empty.
    pub(crate) fn draw(&mut self, corners: &Corners, count: usize, origin: DVec3) {
        dispatch(Outline { corners, count, origin, into: self });
    }

    /// Both sides of them count, whatever a query says.
    pub(crate) fn count_both_sides(&mut self) {
        self.faced = 0;
    }

    /// The triangles that are worth a closer look.
    #[inline(always)]
    pub(crate) fn worth<L: F32x8>(&self, glance: &CullVolume, fronts_only: bool) -> Worth {
        let mut bits = self.near::<L>(glance);
        if bits != 0 && fronts_only {
            bits &= !(self.left_by::<L::F64x4>(glance.exact_motion) & self.faced);
        }
        if bits == 0 { Worth::NONE } else { self.in_reach::<L>(bits, glance) }
    }

    /// Those of the triangles that were worth it that still are, after the limit was lowered.
    #[inline(always)]
    pub(crate) fn worth_still<L: F32x8>(&self, bits: u32, glance: &CullVolume) -> Worth {
        let bits = self.near::<L>(glance) & bits;
        if bits == 0 { Worth::NONE } else { self.in_reach::<L>(bits, glance) }
    }

    /// Bits of the triangles whose boxes are in reach of one around the moving axis: it has none of the corners that a larger one would have.
    #[inline(always)]
    fn near<L: F32x8>(&self, glance: &CullVolume) -> u32 {
        let aside = |axis: usize| {
            let [below, high] = &self.boxes[axis];
            let over = L::splat(glance.below[axis]) - L::load(below);
            over.max(L::splat(glance.low[axis]) - L::load(high)).max(L::splat(0.0))
        };
        let (x, y, z) = (aside(0), aside(1), aside(2));
        (x * x).plus_product(y, y).plus_product(z, z).le_mask(L::splat(glance.square))
    }

    /// Bits of the triangles whose front looks the way that `motion` runs, or across it: to the bit what the exact sweep asks first.
    #[inline(always)]
    fn left_by<F: F64x4>(&self, [x, y, z, _]: [f64; 4]) -> u32 {
        let motion = Vec3Soa { x: F::splat(x), y: F::splat(y), z: F::splat(z) };
        ahead(&self.area[0], motion) | ahead(&self.area[1], motion) << 4
    }

    /// Those of the `wanted` triangles that no plane keeps out of reach.
    ///
    /// Where the moving axis stays `h` or more off a triangle's plane, a point of the triangle within `r` of a point of the axis is
    /// within `√(r² − h²)` of it as seen along the normal: the axis must come that near to the inside of each edge.
    #[inline(always)]
    fn in_reach<L: F32x8>(&self, wanted: u32, glance: &CullVolume) -> Worth {
        let zero = L::splat(0.0);
        let (height, spread) = self.face.heights::<L>(glance);
        let apart = zero.max(height.abs() - spread);
        let slack = L::load(&self.slack) + L::splat(glance.slack);
        let reach = L::splat(glance.reach) + slack;
        let mut bits = apart.le_mask(reach) & wanted;
        if bits == 0 {
            return Worth::NONE;
        }
        let [ab, bc, ca] = &self.edges;
        let outside = |planes: &Planes| {
            let (height, spread) = planes.heights::<L>(glance);
            height - spread
        };
        let outside = outside(ab).max(outside(bc)).max(outside(ca));
        // Squares: a root is slow. Out of reach this is negative, and no square is at most that.
        let square_aside = (reach - apart) * (reach + apart);
        let beyond = zero.max(outside - slack);
        bits &= (beyond * beyond).le_mask(square_aside);
        Worth { bits, sure: bits & outside.le_mask(zero) }
    }
}

/// Works out outlines, four at a time.
struct Outline<'a> {
    corners: &'a Corners,
    count: usize,
    origin: DVec3,
    into: &'a mut CullPacket,
}

impl Kernel for Outline<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: F32x8>(mut self) {
        for at in (0..self.count).step_by(4) {
            self.four::<L::F64x4>(at);
        }
        for lane in self.count..WIDTH {
            for [below, high] in &mut self.into.boxes {
                (below[lane], high[lane]) = (f32::NEG_INFINITY, f32::NEG_INFINITY);
            }
        }
    }
}

impl Outline<'_> {
    /// The four triangles from lane `at` on.
    #[inline(always)]
    fn four<F: F64x4>(&mut self, at: usize) {
        let origin = Vec3Soa::<F>::all(self.origin);
        let (a, b, c) = (self.corner::<F>(0, at), self.corner::<F>(1, at), self.corner::<F>(2, at));
        let (ab, ac) = (b.sub(a), c.sub(a));
        let area = ab.cross(ac);
        let (normal, faced) = self.normals(at, [ab, ac], area);
        let into = &mut *self.into;
        into.area[at / 4] = [area.x.store(), area.y.store(), area.z.store()];
        into.faced |= faced << at;
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
        put(&mut into.slack, at, furthest * F::splat(f64::from(ROUNDING)));
    }

    #[inline(always)]
    fn corner<F: F64x4>(&self, i: usize, at: usize) -> Vec3Soa<F> {
        let [x, y, z] = &self.corners[i];
        let four = |lanes: &[f64; WIDTH]| [lanes[at], lanes[at + 1], lanes[at + 2], lanes[at + 3]];
        Vec3Soa { x: F::load(four(x)), y: F::load(four(y)), z: F::load(four(z)) }
    }

    /// Unit normals, zero for degenerate triangles, and bits of the others: as [`face_normal`] has them, all but a few of them at once.
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
        let well_spread = spread.lt_mask(squared) & F::splat(MIN_DIRECTION_LENGTH).lt_mask(squared)
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

/// The unit vectors across edges that look away from their triangles; zero where the normal is.
#[inline(always)]
fn away<F: F64x4>(edge: Vec3Soa<F>, normal: Vec3Soa<F>) -> Vec3Soa<F> {
    let away = edge.cross(normal);
    away.over((away.dot(away) + F::splat(MIN_DIRECTION_LENGTH)).sqrt())
}

/// How much further out a coordinate must be so that f32 has it no further in: twice what it rounds.
#[inline(always)]
fn outward_by<F: F64x4>(at: F) -> F {
    at.abs() * F::splat(f64::from(f32::EPSILON)) + F::splat(f64::from(f32::MIN_POSITIVE))
}

/// Puts four numbers into the lanes from `at` on, as f32.
#[inline(always)]
fn put<F: F64x4>(lanes: &mut [f32; WIDTH], at: usize, values: F) {
    for (lane, value) in lanes[at..at + 4].iter_mut().zip(values.store()) {
        *lane = value as f32;
    }
}

/// Triangles that are worth a closer look.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Worth {
    /// Bits of those that are.
    pub(crate) bits: u32,
    /// Bits of those among them whose inside the axis passes over: they come first, as most likely they are touched.
    pub(crate) sure: u32,
}

impl Worth {
    pub(crate) const NONE: Self = Self { bits: 0, sure: 0 };

    /// Lets the one in `lane` come first, if it is one of them.
    #[inline(always)]
    pub(crate) fn put_first(&mut self, lane: usize) {
        if self.bits & (1 << lane) != 0 {
            self.sure = 1 << lane;
        }
    }

    /// Takes out the lane of the one to look at first.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> Option<usize> {
        if self.bits == 0 {
            return None;
        }
        let sure = self.bits & self.sure;
        let lane = if sure == 0 { self.bits } else { sure }.trailing_zeros();
        self.bits &= !(1 << lane);
        Some(lane as usize)
    }
}

/// Bits of the vectors that do not run against `motion`.
#[inline(always)]
fn ahead<F: F64x4>([x, y, z]: &[[f64; 4]; 3], motion: Vec3Soa<F>) -> u32 {
    let area = Vec3Soa { x: F::load(*x), y: F::load(*y), z: F::load(*z) };
    F::splat(0.0).le_mask(area.dot(motion))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bvh::Scalar;
    use crate::traverse::cull_volume::{Look, Viewpoint};
    use crate::{Capsule, Motion, Sides, Triangle, sweep_capsule_triangle};
    use capsweep_testkit::Rng;

    struct Bits<'a>(&'a CullPacket, &'a CullVolume, Sides);

    impl Kernel for Bits<'_> {
        type Output = u32;

        #[inline(always)]
        fn run<L: F32x8>(self) -> u32 {
            self.0.worth::<L>(self.1, self.1.sees_fronts_only(self.2)).bits
        }
    }

    struct TakeGlance<'a>(&'a Look<'a>, Viewpoint);

    impl Kernel for TakeGlance<'_> {
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
    fn no_triangle_that_is_met_is_passed_over() {
        let mut rng = Rng::new(&[29]);
        let (mut met, mut passed) = (0, 0);
        for round in 0..10_000 {
            let far = if round % 2 == 0 { 1.0 } else { 16_384.0 };
            let place = rng.cube(far);
            let origin = place + rng.cube(1.0);
            let half_axis = rng.direction() * rng.log_range(1e-3, 2.0) * f64::from(rng.below(2));
            let radius = rng.log_range(1e-3, 1.0) as f32;
            let capsule = Capsule::from_center(place, half_axis, radius).expect("in range");
            let motion = Motion::new(rng.direction() * rng.log_range(1e-6, 3.0)).expect("in range");
            let sides = if rng.chance(0.5) { Sides::Front } else { Sides::Both };
            let count = 1 + rng.below(8) as usize;
            let mut corners: Corners = [[[0.0; WIDTH]; 3]; 3];
            let mut expected = 0;
            for lane in 0..count {
                let near = place + rng.direction() * rng.log_range(1e-3, 3.0);
                let triangle = some_triangle(&mut rng, near);
                put_corners(&mut corners, lane, &Vec3Soa::side_by_side(&triangle.vertices()));
                let hit = sweep_capsule_triangle(&capsule, &motion, &triangle, sides);
                expected |= u32::from(hit.is_some()) << lane;
            }
            let mut outlines = CullPacket::EMPTY;
            outlines.draw(&corners, count, origin);
            let look = Look::along(&capsule, &motion);
            let within = (place - origin).abs() + half_axis.abs() + motion.vector().abs();
            let from = Viewpoint::new(origin, within.as_vec3());
            let glance = dispatch(TakeGlance(&look, from));
            let bits = dispatch(Bits(&outlines, &glance, sides));
            assert_eq!(expected & !bits, 0, "{round}: {capsule:?} {motion:?} {corners:?}");
            assert_eq!(bits >> count, 0, "{round}: lanes without a triangle");
            let mut plain = CullPacket::EMPTY;
            Outline { corners: &corners, count, origin, into: &mut plain }.run::<Scalar>();
            let glance = TakeGlance(&look, from).run::<Scalar>();
            let plain_bits = Bits(&plain, &glance, sides).run::<Scalar>();
            assert_eq!(
                expected & !plain_bits,
                0,
                "{round}, plain: {capsule:?} {motion:?} {corners:?}"
            );
            met += expected.count_ones();
            passed += count as u32 - bits.count_ones();
        }
        assert!(met > 4_000 && passed > 15_000, "{met} met, {passed} passed over");
    }
}
