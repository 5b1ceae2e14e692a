//! How near boxes and triangles may be to a capsule, in f32: good for culling only.
//!
//! All tests give a distance that is too small if anything, by a margin above their own rounding error.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::Capsule;
use crate::bvh::{Boxes, Entered, F32x8, GridBox, Node, VisitOrder};
use crate::cull::slabs::{EPSILON, round_up};
use crate::cull::{Candidates, Cull, CullBoxes};
use crate::math::Vec3Soa;
use crate::mesh::packet::Packet;
use crate::scene::mesh_instance::MeshInstance;
use crate::tolerance::{CONTACT_TOLERANCE, PIERCE};
use glam::{DVec3, Vec3};

/// A capsule in a mesh's own space, before it is rounded.
struct ExactCapsule {
    /// The capsule's centre.
    origin: DVec3,
    half_axis: DVec3,
    /// In world metres.
    radius: f64,
    /// Largest magnitude of a coordinate of the mesh.
    mesh_size: f64,
    /// World metres to a local one, at least, in any direction.
    scale: f64,
}

/// A capsule in a mesh's own space, in f32. Keys are world metres between the surfaces, at most.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LocalCapsule {
    origin: Vec3,
    half_axis: Vec3,
    /// The box of the axis, wider by the margin.
    low: Vec3,
    high: Vec3,
    /// What the rounding of the origin and of differences to it can amount to, in local metres.
    margin: f32,
    radius: f32,
    scale: f32,
    /// Largest distance of interest.
    limit: f32,
}

/// Below any distance: an axis that pierces a triangle may be any depth inside.
const INSIDE: f32 = 1e30;

impl LocalCapsule {
    /// In a world whose coordinates are at most `size`.
    pub(crate) fn in_world(capsule: &Capsule, size: f64, limit: f64) -> Self {
        let exact = ExactCapsule {
            origin: capsule.center(),
            half_axis: capsule.axis() * 0.5,
            radius: f64::from(capsule.radius()),
            mesh_size: size,
            scale: 1.0,
        };
        Self::new(&exact, limit)
    }

    /// In the space of a mesh.
    #[inline(always)]
    pub(crate) fn in_mesh(capsule: &Capsule, instance: &MeshInstance, limit: f64) -> Self {
        let MeshInstance { mesh, pose, .. } = *instance;
        let exact = ExactCapsule {
            origin: pose.point_to_local(capsule.center()),
            half_axis: pose.vector_to_local(capsule.axis() * 0.5),
            radius: f64::from(capsule.radius()),
            mesh_size: mesh.size(),
            scale: pose.min_scale(),
        };
        Self::new(&exact, limit)
    }

    #[inline(always)]
    fn new(exact: &ExactCapsule, limit: f64) -> Self {
        let magnitude = exact.origin.abs().max_element()
            + exact.half_axis.abs().max_element()
            + exact.mesh_size;
        // An axis within PIERCE of a triangle counts as piercing.
        let piercing = 2.0 * PIERCE / exact.scale;
        let margin = 16.0 * EPSILON * magnitude as f32 + piercing as f32;
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
    /// Bits of the boxes that may hold something of interest, and how near it may be.
    #[inline(always)]
    fn enter<L: F32x8>(&self, node: &Node) -> Entered<L> {
        let boxes = node.boxes::<L>();
        let (ordered, apart) = self.apart(boxes.min, boxes.max);
        let (bits, keys) = self.within_limit(ordered & node.used(), apart);
        Entered { bits, order: VisitOrder::InOrder { keys, order: keys.if_set(bits) } }
    }

    #[inline(always)]
    fn enter_boxes<L: F32x8>(&self, boxes: &Boxes<L>) -> (u32, L) {
        let (filled, apart) = self.apart(boxes.min, boxes.max);
        self.within_limit(filled, apart)
    }

    #[inline(always)]
    fn limit(&self) -> f32 {
        self.limit
    }

    /// Nothing beyond `distance` is of interest any more.
    fn lower_limit(&mut self, distance: f64) {
        self.limit = self.limit.min(round_up(distance));
    }
}

impl Cull for LocalCapsule {
    type Seen<L: F32x8> = Candidates<L>;

    #[inline(always)]
    fn recheck<L: F32x8>(&self, seen: &Candidates<L>) -> Candidates<L> {
        Candidates { bits: seen.bits & seen.keys.le_mask(L::splat(self.limit)), ..*seen }
    }

    /// Bits of the triangles that may be of interest, and how near they may be.
    #[inline(always)]
    fn filter<L: F32x8>(&self, packet: &Packet) -> Option<Candidates<L>> {
        let [a, b, c] = packet.corners::<L>();
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let (ordered, apart) = self.apart([low.x, low.y, low.z], [high.x, high.y, high.z]);
        let (bits, _) = self.within_limit(ordered, apart);
        if bits == 0 {
            return None;
        }
        let origin = Vec3Soa::splat(self.origin);
        let (a, b, c) = (a.sub(origin), b.sub(origin), c.sub(origin));
        let (bits, keys) = self.within_limit(ordered, self.off_plane(a, b, c).max(apart));
        (bits != 0).then_some(Candidates { bits, sure: 0, keys })
    }
}

/// A capsule that stays where it is, and what is no further from it than a limit: one box tells.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OverlapCull {
    capsule: LocalCapsule,
    around: GridBox,
}

impl OverlapCull {
    #[inline(always)]
    pub(crate) fn new(capsule: LocalCapsule) -> Self {
        let LocalCapsule { low, high, radius, scale, limit, .. } = capsule;
        let reach = Vec3::splat((radius + limit) / scale * (1.0 + 8.0 * EPSILON));
        Self { capsule, around: GridBox::new(low - reach, high + reach) }
    }
}

impl CullBoxes for OverlapCull {
    #[inline(always)]
    fn enter<L: F32x8>(&self, node: &Node) -> Entered<L> {
        Entered { bits: node.overlapping::<L>(self.around), order: VisitOrder::Any }
    }

    #[inline(always)]
    fn enter_boxes<L: F32x8>(&self, boxes: &Boxes<L>) -> (u32, L) {
        self.capsule.enter_boxes(boxes)
    }

    #[inline(always)]
    fn limit(&self) -> f32 {
        self.capsule.limit
    }

    #[inline(always)]
    fn lower_limit(&mut self, distance: f64) {
        self.capsule.lower_limit(distance);
    }
}

impl Cull for OverlapCull {
    type Seen<L: F32x8> = Candidates<L>;

    #[inline(always)]
    fn filter<L: F32x8>(&self, packet: &Packet) -> Option<Candidates<L>> {
        self.capsule.filter(packet)
    }

    #[inline(always)]
    fn recheck<L: F32x8>(&self, seen: &Candidates<L>) -> Candidates<L> {
        self.capsule.recheck(seen)
    }
}

impl LocalCapsule {
    /// Local distance between the axis' box and others; the bits of those that are boxes.
    #[inline(always)]
    fn apart<L: F32x8>(&self, min: [L; 3], max: [L; 3]) -> (u32, L) {
        let zero = L::splat(0.0);
        let mut ordered = zero.le_mask(zero);
        let mut squared = zero;
        for axis in 0..3 {
            let below = min[axis] - L::splat(self.high[axis]);
            let above = L::splat(self.low[axis]) - max[axis];
            let apart = below.max(above).max(zero);
            ordered &= min[axis].le_mask(max[axis]);
            squared = squared + apart * apart;
        }
        (ordered, squared.sqrt())
    }

    /// Local distance between the axis and the planes of triangles; negative or NaN where it crosses them.
    #[inline(always)]
    fn off_plane<L: F32x8>(&self, a: Vec3Soa<L>, b: Vec3Soa<L>, c: Vec3Soa<L>) -> L {
        let (ab, ac) = (b.sub(a), c.sub(a));
        let normal = ab.cross(ac);
        let height = normal.dot(a).abs() - normal.dot(Vec3Soa::splat(self.half_axis)).abs();
        // The normal's own error is relative to the edges, not to itself.
        let unsure = ab.size() * ac.size() * L::splat(24.0 * EPSILON);
        let wide = a.size() + L::splat(self.half_axis.abs().element_sum());
        let sure = height - unsure * wide - normal.size() * L::splat(self.margin);
        sure / normal.length()
    }

    #[inline(always)]
    fn within_limit<L: F32x8>(&self, candidates: u32, apart: L) -> (u32, L) {
        // 1 where the axis is off the geometry, however little; 0 where it may pierce it.
        let off = (apart * L::splat(INSIDE)).min(L::splat(1.0));
        let inside = (L::splat(1.0) - off) * L::splat(INSIDE);
        let keys = apart * L::splat(self.scale) - L::splat(self.radius) - inside;
        (candidates & keys.le_mask(L::splat(self.limit)), keys)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Triangle;
    use crate::bvh::{Kernel, Scalar, WIDTH, dispatch};
    use crate::pair::contract::{CapsuleFrame, separation};
    use crate::pair::target::TriangleTarget;
    use crate::scene::Pose;
    use capsweep_testkit::Rng;
    use glam::DQuat;

    struct Keys<'a>(&'a LocalCapsule, &'a Packet);

    impl Kernel for Keys<'_> {
        type Output = (u32, [f32; WIDTH]);

        #[inline(always)]
        fn run<L: F32x8>(self) -> Self::Output {
            let Some(Candidates { bits, keys, .. }) = self.0.filter::<L>(self.1) else {
                return (0, [0.0; WIDTH]);
            };
            (bits, keys.store())
        }
    }

    /// Triangles of any size, some of them slivers, segments and points.
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
                mesh_size: corners.iter().map(|c| c.abs().max_element()).fold(0.0, f32::max).into(),
                scale: pose.min_scale(),
            };
            let view = CapsuleFrame::new(&capsule);
            let triangle = Triangle::from_checked(world);
            let distance = separation(&view, &TriangleTarget::new(&view, &triangle));
            let local = LocalCapsule::new(&exact, distance);
            let (bits, keys) = dispatch(Keys(&local, &packet));
            assert_eq!(bits, 1 << 3, "{round}: {} {distance}", keys[3]);
            let (bits, keys) = Keys(&local, &packet).run::<Scalar>();
            assert_eq!(bits, 1 << 3, "{round}, plain: {} {distance}", keys[3]);
        }
    }
}
