//! [`LocalCapsule`]: culling by distance from a capsule at rest, in a mesh's own space and in f32.
//!
//! All tests give a lower bound of the distance, with a margin above their own rounding error.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::Capsule;
use crate::bvh::{Boxes, Entered, F32x8, GridBox, Node, VisitOrder};
use crate::cull::slabs::{EPSILON, round_up};
use crate::cull::{Candidates, Cull, CullBoxes, box_tests_of};
use crate::math::Vec3Soa;
use crate::mesh::packet::Packet;
use crate::scene::mesh_instance::MeshInstance;
use crate::tolerance::{CONTACT_TOLERANCE, PIERCE};
use glam::{DVec3, Vec3};

/// A capsule in a mesh's own space, before it is rounded to f32.
struct ExactCapsule {
    /// The capsule's centre.
    origin: DVec3,
    half_axis: DVec3,
    /// In world metres.
    radius: f64,
    /// Largest magnitude of a coordinate of the mesh.
    max_coordinate: f64,
    /// Smallest scale of the instance: world metres per local unit, at least, in any direction.
    scale: f64,
}

/// A capsule in a mesh's own space, in f32. Keys are lower bounds of the distance between the
/// surfaces, in world metres.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LocalCapsule {
    origin: Vec3,
    half_axis: Vec3,
    /// The box around the axis, wider by the margin.
    low: Vec3,
    high: Vec3,
    /// Largest rounding error of the origin and of differences from it, in local units.
    margin: f32,
    radius: f32,
    scale: f32,
    /// Geometry that is farther away is skipped.
    limit: f32,
}

/// Larger than any distance. The key of geometry that the axis may pierce is lower by this: the
/// depth of a piercing axis has no bound.
const ANY_DEPTH: f32 = 1e30;

impl LocalCapsule {
    /// In the world, for bodies whose coordinates are at most `max_coordinate` in magnitude.
    pub(crate) fn in_world(capsule: &Capsule, max_coordinate: f64, limit: f64) -> Self {
        let exact = ExactCapsule {
            origin: capsule.center(),
            half_axis: capsule.axis() * 0.5,
            radius: f64::from(capsule.radius()),
            max_coordinate,
            scale: 1.0,
        };
        Self::new(&exact, limit)
    }

    /// In the space of a mesh.
    #[inline(always)]
    pub(crate) fn in_mesh(capsule: &Capsule, instance: &MeshInstance, limit: f64) -> Self {
        let MeshInstance { surface, pose, .. } = *instance;
        let exact = ExactCapsule {
            origin: pose.point_to_local(capsule.center()),
            half_axis: pose.vector_to_local(capsule.axis() * 0.5),
            radius: f64::from(capsule.radius()),
            max_coordinate: surface.max_coordinate(),
            scale: pose.min_scale(),
        };
        Self::new(&exact, limit)
    }

    #[inline(always)]
    fn new(exact: &ExactCapsule, limit: f64) -> Self {
        let magnitude = exact.origin.abs().max_element()
            + exact.half_axis.abs().max_element()
            + exact.max_coordinate;
        // An axis within PIERCE of a triangle counts as piercing.
        let pierce = 2.0 * PIERCE / exact.scale;
        let margin = 16.0 * EPSILON * magnitude as f32 + pierce as f32;
        let (origin, half_axis) = (exact.origin.as_vec3(), exact.half_axis.as_vec3());
        let reach = half_axis.abs() + Vec3::splat(margin);
        Self {
            origin,
            half_axis,
            low: origin - reach,
            high: origin + reach,
            margin,
            radius: (exact.radius + CONTACT_TOLERANCE) as f32 * (1.0 + 8.0 * EPSILON),
            scale: exact.scale as f32 * (1.0 - 16.0 * EPSILON),
            limit: round_up(limit),
        }
    }
}

impl CullBoxes for LocalCapsule {
    #[inline(always)]
    fn enter<L: F32x8>(&self, node: &Node) -> Entered<L> {
        let boxes = node.boxes::<L>();
        let (filled, distance) = self.box_distance(boxes.min, boxes.max);
        let (bits, keys) = self.within_limit(filled & node.used(), distance);
        Entered { bits, order: VisitOrder::InOrder { keys, order: keys.if_set(bits) } }
    }

    #[inline(always)]
    fn enter_boxes<L: F32x8>(&self, boxes: &Boxes<L>) -> (u32, L) {
        let (filled, distance) = self.box_distance(boxes.min, boxes.max);
        self.within_limit(filled, distance)
    }

    #[inline(always)]
    fn limit(&self) -> f32 {
        self.limit
    }

    fn lower_limit(&mut self, distance: f64) {
        self.limit = self.limit.min(round_up(distance));
    }
}

impl Cull for LocalCapsule {
    type Filtered<L: F32x8> = Candidates<L>;

    #[inline(always)]
    fn around<L: F32x8>(&self) -> GridBox {
        let reach = (self.radius + self.limit) / self.scale * (1.0 + 8.0 * EPSILON);
        GridBox::new(self.low - reach, self.high + reach)
    }

    #[inline(always)]
    fn recheck<L: F32x8>(&self, filtered: &Candidates<L>) -> Candidates<L> {
        filtered.within(self.limit)
    }

    /// Tests the triangles' boxes first, then their planes and the planes through their edges.
    #[inline(always)]
    fn filter<L: F32x8>(&self, packet: &Packet) -> Option<Candidates<L>> {
        let [a, b, c] = packet.corners::<L>();
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let (filled, distance) =
            self.box_distance([low.x, low.y, low.z], [high.x, high.y, high.z]);
        let (bits, _) = self.within_limit(filled, distance);
        if bits == 0 {
            return None;
        }
        let origin = Vec3Soa::splat(self.origin);
        let (a, b, c) = (a.sub(origin), b.sub(origin), c.sub(origin));
        let distance = self.triangle_distance(a, b, c).max(distance);
        let (bits, keys) = self.within_limit(filled, distance);
        (bits != 0).then_some(Candidates { bits, likely: 0, keys })
    }
}

/// A [`LocalCapsule`] for overlaps: all geometry within a fixed limit counts, in any order. So one
/// box test per node is enough.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OverlapCull {
    capsule: LocalCapsule,
    around: GridBox,
}

impl OverlapCull {
    #[inline(always)]
    pub(crate) fn new<L: F32x8>(capsule: LocalCapsule) -> Self {
        Self { capsule, around: capsule.around::<L>() }
    }
}

impl CullBoxes for OverlapCull {
    #[inline(always)]
    fn enter<L: F32x8>(&self, node: &Node) -> Entered<L> {
        Entered { bits: node.overlapping::<L>(self.around), order: VisitOrder::Any }
    }

    box_tests_of!(capsule);
}

impl Cull for OverlapCull {
    type Filtered<L: F32x8> = Candidates<L>;

    #[inline(always)]
    fn around<L: F32x8>(&self) -> GridBox {
        self.around
    }

    #[inline(always)]
    fn filter<L: F32x8>(&self, packet: &Packet) -> Option<Candidates<L>> {
        self.capsule.filter(packet)
    }

    #[inline(always)]
    fn recheck<L: F32x8>(&self, filtered: &Candidates<L>) -> Candidates<L> {
        self.capsule.recheck(filtered)
    }
}

impl LocalCapsule {
    /// Bits of the lanes that hold a box, and the local distance between the axis' box and it.
    #[inline(always)]
    fn box_distance<L: F32x8>(&self, min: [L; 3], max: [L; 3]) -> (u32, L) {
        let zero = L::splat(0.0);
        let mut filled = zero.le_mask(zero);
        let mut squared = zero;
        for axis in 0..3 {
            let below = min[axis] - L::splat(self.high[axis]);
            let above = L::splat(self.low[axis]) - max[axis];
            let gap = below.max(above).max(zero);
            filled &= min[axis].le_mask(max[axis]);
            squared = squared + gap * gap;
        }
        (filled, squared.sqrt())
    }

    /// Lower bound of the local distance between the axis and triangles, whose corners are
    /// relative to its centre.
    ///
    /// Let the axis stay `h` or more off a triangle's plane, and `e` or more outside of a plane
    /// through an edge and across the triangle. A way from the axis to the triangle covers both,
    /// at a right angle, so it is at least `√(h² + e²)`.
    ///
    /// The rounding of corners moves them by less than the margin, and so every way. The normal
    /// `n = ab × ac` is off by less than `24ε·|ab|·|ac|`, because the error is relative to the
    /// edges and not to its own length. So `m = edge × n`, which points outward, is off by
    /// `|edge|` times that, and 8ε more of its size; and a product with a vector by 4ε more. An
    /// error makes the length of `n` or `m` too small as well. But a bound on the error times the
    /// lever, which is at least as long as the way, is more than that gains.
    #[inline(always)]
    fn triangle_distance<L: F32x8>(&self, a: Vec3Soa<L>, b: Vec3Soa<L>, c: Vec3Soa<L>) -> L {
        let (ab, bc, ca) = (b.sub(a), c.sub(b), a.sub(c));
        let normal = ca.cross(ab);
        let (ab_size, ca_size) = (ab.l1_norm(), ca.l1_norm());
        let normal_error = ab_size * ca_size * L::splat(24.0 * EPSILON);
        let edge_error = normal_error + normal_error;
        let half_length = L::splat(self.half_axis.abs().element_sum());
        let (a_lever, b_lever) = (a.l1_norm() + half_length, b.l1_norm() + half_length);
        let off = self.plane_distance(normal, normal.dot(a).abs(), normal_error * a_lever);
        let a_error = edge_error * a_lever;
        let outside = self
            .edge_distance(ab.cross(normal), a, ab_size * a_error)
            .max(self.edge_distance(ca.cross(normal), a, ca_size * a_error))
            .max(self.edge_distance(bc.cross(normal), b, bc.l1_norm() * (edge_error * b_lever)));
        (off * off).plus_product(outside, outside).sqrt()
    }

    /// Local distance of the axis outside of planes through `start` with the normals `outward`.
    #[inline(always)]
    fn edge_distance<L: F32x8>(&self, outward: Vec3Soa<L>, start: Vec3Soa<L>, error: L) -> L {
        self.plane_distance(outward, L::splat(0.0) - outward.dot(start), error)
    }

    /// Local distance of the axis from planes; 0 if it may cross them. `height` is that of its
    /// centre, `error` the bound on its error; both are scaled by the length of the normal.
    #[inline(always)]
    fn plane_distance<L: F32x8>(&self, normal: Vec3Soa<L>, height: L, error: L) -> L {
        let least = height - normal.dot(Vec3Soa::splat(self.half_axis)).abs();
        let least = least - error - normal.l1_norm() * L::splat(self.margin);
        // NaN counts as 0.
        (least / normal.length()).max(L::splat(0.0))
    }

    /// Keys for local distances from the axis, and the bits of those within the limit.
    #[inline(always)]
    fn within_limit<L: F32x8>(&self, candidates: u32, distance: L) -> (u32, L) {
        // 1 if the axis is off the geometry, however little; 0 if it may pierce it.
        let is_off = (distance * L::splat(ANY_DEPTH)).min(L::splat(1.0));
        let depth = (L::splat(1.0) - is_off) * L::splat(ANY_DEPTH);
        let keys = distance * L::splat(self.scale) - L::splat(self.radius) - depth;
        (candidates & keys.le_mask(L::splat(self.limit)), keys)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Triangle;
    use crate::bvh::{LaneFn, Scalar, WIDTH, dispatch};
    use crate::pair::contract::{CapsuleFrame, separation};
    use crate::pair::target::TriangleTarget;
    use crate::scene::Pose;
    use capsweep_testkit::Rng;
    use glam::DQuat;

    struct Keys<'a>(&'a LocalCapsule, &'a Packet);

    impl LaneFn for Keys<'_> {
        type Output = (u32, [f32; WIDTH]);

        #[inline(always)]
        fn run<L: F32x8>(self) -> Self::Output {
            let Some(Candidates { bits, keys, .. }) = self.0.filter::<L>(self.1) else {
                return (0, [0.0; WIDTH]);
            };
            (bits, keys.store())
        }
    }

    /// A triangle of any size; some are slivers, segments or points.
    fn some_corners(rng: &mut Rng) -> [Vec3; 3] {
        let size = rng.log_range(1e-13, 1e3);
        let at = rng.direction() * rng.log_range(1e-13, 1e4);
        let thin = if rng.chance(0.3) { rng.log_range(1e-9, 1.0) } else { 1.0 };
        let along = rng.direction() * size;
        let across = rng.direction() * size * thin;
        let back = if rng.chance(0.2) { DVec3::ZERO } else { along * rng.unit() };
        [at, at + along, at + back + across].map(DVec3::as_vec3)
    }

    fn some_pose(rng: &mut Rng) -> Pose {
        let turn = DQuat::from_axis_angle(rng.direction(), rng.range(0.0, 3.0));
        let scale = DVec3::from_array([0; 3].map(|_| rng.sign() * rng.log_range(1e-2, 1e2)));
        Pose::new(rng.cube(1e4), turn, scale).expect("in range")
    }

    #[test]
    fn no_triangle_is_nearer_than_its_key() {
        let mut rng = Rng::new(&[23]);
        for round in 0..40_000 {
            let pose = if round % 2 == 0 { Pose::IDENTITY } else { some_pose(&mut rng) };
            let corners = some_corners(&mut rng);
            let world = pose.triangle_to_world(corners);
            let near = rng.direction() * rng.log_range(1e-9, 1e3);
            let at = world[rng.below(3) as usize] + near;
            let radius = rng.log_range(1e-6, 10.0) as f32;
            let axis = rng.direction() * rng.log_range(1e-3, 10.0) * f64::from(rng.below(2));
            let capsule = Capsule::new(at, at + axis, radius).expect("in range");

            let mut packet = Packet::EMPTY;
            packet.set(3, corners);
            let exact = ExactCapsule {
                origin: pose.point_to_local(capsule.center()),
                half_axis: pose.vector_to_local(capsule.axis() * 0.5),
                radius: f64::from(radius),
                max_coordinate: corners
                    .iter()
                    .map(|c| c.abs().max_element())
                    .fold(0.0, f32::max)
                    .into(),
                scale: pose.min_scale(),
            };
            let frame = CapsuleFrame::new(&capsule);
            let triangle = Triangle::from_checked(world);
            let distance = separation(&frame, &TriangleTarget::new(&frame, &triangle));
            let local = LocalCapsule::new(&exact, distance);
            let (bits, keys) = dispatch(Keys(&local, &packet));
            assert_eq!(bits, 1 << 3, "{round}: {} {distance}", keys[3]);
            let (bits, keys) = Keys(&local, &packet).run::<Scalar>();
            assert_eq!(bits, 1 << 3, "{round}, plain: {} {distance}", keys[3]);
        }
    }
}
