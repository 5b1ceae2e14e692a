//! Which triangles may have a face at a point, and one that rises towards a normal, in f32: good for culling only.
//!
//! Hardly any face rises: past a convex edge the surface falls away. That is told of eight triangles at once: of what
//! [`FaceAt`](crate::query::seam::face::FaceAt) works out, only signs are needed, and of the borders at the point whether they are there beyond doubt.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::Sides;
use crate::bvh::{Boxes, Entered, F32x4, F32x8, GridBox, Node, VisitOrder};
use crate::cull::slabs::EPSILON;
use crate::cull::{Candidates, Cull, CullBoxes};
use crate::math::{F64x4, Vec3Soa};
use crate::mesh::packet::Packet;
use crate::scene::mesh_instance::MeshInstance;
use crate::tolerance::{RISING_SINE, SEAM};
use glam::{DVec3, Vec3};

/// What the rounding of a point, and of boxes on grids, can amount to where coordinates are at most `size`.
#[inline(always)]
fn room(point: DVec3, size: f64) -> f64 {
    f64::from(16.0 * EPSILON) * (point.abs().element_sum() + size)
}

/// Which faces are looked for: those within [`SEAM`] of a point.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FaceQuery {
    pub(crate) point: DVec3,
    /// If there is one, only those that rise towards it are wanted.
    pub(crate) towards: Option<Towards>,
}

/// A normal that faces may rise towards.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Towards {
    pub(crate) normal: DVec3,
    /// Whether faces that only count from the front must look that way.
    pub(crate) ahead: bool,
}

/// A point in the space of a mesh, and how far from it faces are of interest.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AtPoint {
    point: [f32; 4],
    /// The box around all that is within [`SEAM`].
    around: GridBox,
    /// Where every face is of interest, or angles are not what they are in the world, `None`.
    rising: Option<Rising>,
}

/// Of a triangle thinner than this part of its edges nothing is told (no unit).
const STOUT: f32 = 1.0 / 1024.0;

/// Nor of one whose edges are longer, or whose area is smaller (metres, and their square): products of four lengths stay well within f32.
const LONGEST: f32 = 1e6;
const SMALLEST: f32 = 1e-12;

impl AtPoint {
    /// In a world whose coordinates are at most `size`.
    #[inline(always)]
    pub(crate) fn in_world<L: F32x8>(point: DVec3, size: f64) -> Self {
        let room = room(point, size);
        Self::new::<L>(point, SEAM, room, None)
    }

    /// In the space of a mesh.
    #[inline(always)]
    pub(crate) fn in_mesh<L: F32x8>(sought: &FaceQuery, instance: &MeshInstance) -> Self {
        let MeshInstance { mesh, pose, .. } = *instance;
        let (point, metre) = (pose.point_to_local(sought.point), pose.local_metre());
        let (seam, blur) = (SEAM * metre, pose.rounding(mesh.size()) * metre);
        let rising =
            sought.towards.and_then(|towards| Rising::new(instance, towards, point, seam, blur));
        Self::new::<L>(point, seam, room(point, mesh.size()) + 4.0 * blur, rising)
    }

    /// `room` for the rounding of all that is near.
    #[inline(always)]
    fn new<L: F32x8>(point: DVec3, seam: f64, room: f64, rising: Option<Rising>) -> Self {
        let point = L::narrowed(L::F64x4::of_vector(point));
        let reach = L::F32x4::splat((1.01 * seam + room) as f32);
        let around = GridBox::along::<L>(point, reach, L::F32x4::splat(0.0));
        Self { point: point.store(), around, rising }
    }
}

impl CullBoxes for AtPoint {
    #[inline(always)]
    fn enter<L: F32x8>(&self, node: &Node) -> Entered<L> {
        Entered { bits: node.overlapping::<L>(self.around), order: VisitOrder::Any }
    }

    #[inline(always)]
    fn enter_boxes<L: F32x8>(&self, boxes: &Boxes<L>) -> (u32, L) {
        (self.around.overlapping(boxes.min, boxes.max), L::splat(0.0))
    }

    #[inline(always)]
    fn limit(&self) -> f32 {
        0.0
    }

    /// What is found is of interest, whatever was before.
    #[inline(always)]
    fn lower_limit(&mut self, _limit: f64) {}
}

impl Cull for AtPoint {
    /// Bits of the triangles.
    type Filtered<L: F32x8> = u32;

    #[inline(always)]
    fn filter<L: F32x8>(&self, packet: &Packet) -> Option<u32> {
        let [a, b, c] = packet.corners::<L>();
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let mut bits = self.around.overlapping([low.x, low.y, low.z], [high.x, high.y, high.z]);
        if bits == 0 {
            return None;
        }
        if let Some(rising) = &self.rising {
            bits &= !rising.cannot_block(a, b, c, Vec3Soa::of_quad(self.point));
        }
        (bits != 0).then_some(bits)
    }

    #[inline(always)]
    fn recheck<L: F32x8>(&self, seen: &u32) -> Candidates<L> {
        Candidates { bits: *seen, sure: 0, keys: L::splat(0.0) }
    }
}

/// Faces that rise towards a normal, in the space of a mesh; lengths are the mesh's own.
#[derive(Debug, Clone, Copy)]
struct Rising {
    normal: Vec3,
    /// All bits if only faces that look along the normal count.
    ahead: u32,
    seam: f32,
    /// What the rounding of the point, and of vertices in the world, can amount to.
    unsure: f32,
    /// An edge of this length is as uncertain by the rounding of its ends in the world as by f32.
    short: f32,
    blur: f32,
}

impl Rising {
    #[inline(always)]
    fn new(
        MeshInstance { pose, sides, .. }: &MeshInstance,
        Towards { normal, ahead }: Towards,
        point: DVec3,
        seam: f64,
        blur: f64,
    ) -> Option<Self> {
        // Otherwise a normal is another in the mesh's space.
        pose.is_uniform().then(|| Self {
            normal: (pose.vector_to_local(normal) * pose.min_scale()).as_vec3(),
            ahead: if ahead && *sides == Sides::Front { u32::MAX } else { 0 },
            seam: seam as f32,
            unsure: 4.0 * EPSILON * point.abs().element_sum() as f32 + 16.0 * blur as f32,
            short: 2.0 * blur as f32 / EPSILON,
            blur: 2.0 * blur as f32,
        })
    }

    /// Bits of the triangles that have no face at `point` that rises towards the normal, beyond doubt.
    ///
    /// With `n` the normal and `A = ab × ac` the triangle's, `A × e` points into it across its edge `e`, by the product of the lengths of both. So
    /// `n × A · e` is negative where the face falls away past that border, and `A · (e × r)`, with `r` from the edge's start to the point, is how
    /// far the point is inside of it. A face does not rise if it falls away past a border at the point, and none of the borders there
    /// is a way up: because it is level, or leads out of the triangle at the corner that it shares with another border there.
    ///
    /// Let ε be half an ulp of 1. `A` is off by 8ε·|ab|·|ac|, `e × r` by 6ε·|e|·|r|, and `n · e` by 6ε·|e|. What is further than [`SEAM`] from the
    /// point is left out anyway, so `r` is no longer than the edges, but for that. What an error of `A` does to how far inside the point is, is 8ε ÷ [`STOUT`]
    /// of the point's distance from the border: nothing for those within twice the seam, and others are not taken for those.
    #[inline(always)]
    fn cannot_block<L: F32x8>(
        &self,
        a: Vec3Soa<L>,
        b: Vec3Soa<L>,
        c: Vec3Soa<L>,
        point: Vec3Soa<L>,
    ) -> u32 {
        let (ab, bc, ca) = (b.sub(a), c.sub(b), a.sub(c));
        let area = ca.cross(ab);
        let area_length = area.dot(area).sqrt();
        let short = L::splat(self.short);
        let (ab_size, ca_size) = (ab.size() + short, ca.size() + short);
        let (sizes, spread) = (ab_size + ca_size, ab_size * ca_size);
        let is_sound = (spread * L::splat(STOUT)).le_mask(area_length)
            & sizes.le_mask(L::splat(LONGEST))
            & L::splat(SMALLEST).le_mask(area_length);

        let normal = Vec3Soa::splat(self.normal);
        let doubt = spread * L::splat(32.0 * EPSILON);
        let unsure = L::splat(self.unsure).plus_product(sizes, L::splat(8.0 * EPSILON));
        let face = Face {
            normal,
            area,
            across: normal.cross(area),
            doubt: doubt * sizes,
            near: (L::splat(0.5 * self.seam) - unsure) * area_length,
            far: (L::splat(1.5 * self.seam) + unsure) * area_length,
            blur: L::splat(self.blur),
        };
        let one = face.border(ab, point.sub(a));
        let two = face.border(bc, point.sub(b));
        let three = face.border(ca, point.sub(c));

        let falls = one.is_at & one.falls | two.is_at & two.falls | three.is_at & three.falls;
        let has_no_way_up = one.is_no_way_up(&three, &two)
            & two.is_no_way_up(&one, &three)
            & three.is_no_way_up(&two, &one);
        let is_past = one.is_past | two.is_past | three.is_past;
        let looks_away = (area.dot(normal) + doubt).le_mask(L::splat(0.0)) & self.ahead;
        is_sound & (falls & has_no_way_up | is_past | looks_away)
    }
}

/// What [`Rising::cannot_block`] looks at borders with.
struct Face<L> {
    normal: Vec3Soa<L>,
    area: Vec3Soa<L>,
    /// Of the normal and the area.
    across: Vec3Soa<L>,
    /// What a product of that with an edge is uncertain by.
    doubt: L,
    /// How far inside a border a point is that is at it, and one that is not, each times the area.
    near: L,
    far: L,
    blur: L,
}

impl<L: F32x8> Face<L> {
    /// A border along an edge, and the way from its start to the point.
    #[inline(always)]
    fn border(&self, edge: Vec3Soa<L>, from_start: Vec3Soa<L>) -> Border {
        let zero = L::splat(0.0);
        let length = edge.dot(edge).sqrt();
        let inside = self.area.dot(edge.cross(from_start));
        let (near, far) = (self.near * length, self.far * length);
        let climb = self.normal.dot(edge);
        let unclear = self.blur.plus_product(length, L::splat(8.0 * EPSILON));
        let level = length * L::splat(0.5 * RISING_SINE as f32);
        Border {
            is_at: inside.le_mask(near),
            is_far: far.le_mask(inside),
            is_past: (inside + far).le_mask(zero),
            falls: (self.across.dot(edge) + self.doubt).le_mask(zero),
            is_level: (climb.abs() + self.blur).le_mask(level),
            rises: unclear.le_mask(climb),
            sinks: (climb + unclear).le_mask(zero),
        }
    }
}

/// What is known of a border of eight triangles, as bits.
struct Border {
    /// Whether it is within the seam of the point, beyond doubt; whether it is not, with the point inside or outside of it.
    is_at: u32,
    is_far: u32,
    is_past: u32,
    /// Whether the face falls away past it.
    falls: u32,
    /// Whether it is level for [`RISING_SINE`]; whether it rises from its start to its end, or sinks.
    is_level: u32,
    rises: u32,
    sinks: u32,
}

impl Border {
    /// Bits of the triangles in which the face does not rise along this border, between the one before and the one after it.
    #[inline(always)]
    fn is_no_way_up(&self, before: &Self, after: &Self) -> u32 {
        let leads_out = self.sinks & before.is_at | self.rises & after.is_at;
        self.is_far | self.is_level | leads_out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bvh::{Kernel, Plain, dispatch};
    use crate::mesh::tri_mesh::TriMesh;
    use crate::query::seam::face::FaceAt;
    use crate::scene::{MeshOptions, Pose};
    use capsweep_testkit::Rng;
    use glam::DQuat;

    struct Kept<'a>(&'a MeshInstance<'a>, DVec3, Option<Towards>);

    impl Kernel for Kept<'_> {
        type Output = bool;

        #[inline(always)]
        fn run<L: F32x8>(self) -> bool {
            let Self(instance, point, towards) = self;
            let at_point = AtPoint::in_mesh::<L>(&FaceQuery { point, towards }, instance);
            at_point.filter::<L>(&instance.mesh.packets[0]).is_some()
        }
    }

    /// Any size, some of them slivers.
    fn some_corners(rng: &mut Rng) -> [Vec3; 3] {
        let size = rng.log_range(1e-5, 1e3);
        let at = rng.direction() * rng.log_range(1e-3, 1e3);
        let thin = if rng.chance(0.2) { rng.log_range(1e-6, 1.0) } else { rng.log_range(0.1, 1.0) };
        let along = rng.direction() * size;
        let across = rng.direction() * size * thin;
        [at, at + along, at + along * rng.unit() + across].map(DVec3::as_vec3)
    }

    fn some_pose(rng: &mut Rng) -> Pose {
        let turn = DQuat::from_axis_angle(rng.direction(), rng.range(0.0, 3.0));
        let scale = if rng.chance(0.2) {
            DVec3::from_array([0; 3].map(|_| rng.sign() * rng.log_range(1e-2, 1e2)))
        } else {
            let scale = rng.log_range(1e-2, 1e2);
            DVec3::from_array([0; 3].map(|_| rng.sign() * scale))
        };
        let reach = rng.log_range(1.0, 1e5);
        Pose::new(rng.cube(reach), turn, scale).expect("in range")
    }

    /// On a border, at a corner or inside, and a little beside it.
    fn some_point(rng: &mut Rng, [a, b, c]: [DVec3; 3]) -> DVec3 {
        let on = match rng.below(6) {
            0 => a,
            1 => b,
            2 => c,
            3 => a + (b - a) * rng.unit(),
            4 => b + (c - b) * rng.unit(),
            _ => a + (b - a) * (0.5 * rng.unit()) + (c - a) * (0.5 * rng.unit()),
        };
        let beside = if rng.chance(0.3) { SEAM * rng.range(0.0, 3.0) } else { 1e-9 * rng.unit() };
        on + rng.direction() * beside
    }

    /// Anywhere, or all but level with a border, or all but along the face.
    fn some_normal(rng: &mut Rng, [a, b, c]: [DVec3; 3]) -> DVec3 {
        let any = rng.direction();
        let edges = [b - a, c - b, a - c];
        let edge = edges[rng.below(3) as usize].normalize_or(DVec3::X);
        let front = edges[0].cross(edges[1]).normalize_or(DVec3::Z);
        let slight =
            rng.direction() * if rng.chance(0.5) { 0.0 } else { rng.log_range(1e-8, 1e-2) };
        let normal = match rng.below(4) {
            0 => any,
            1 => front + slight,
            2 => front.cross(edge) + slight,
            _ => any - edge * any.dot(edge) + slight,
        };
        // A hit's normal is rounded.
        normal.normalize_or(DVec3::Z).as_vec3().as_dvec3()
    }

    #[test]
    fn no_face_that_rises_is_left_out() {
        let mut rng = Rng::new(&[91]);
        let (mut rising, mut left_out) = (0, 0);
        for round in 0..200_000 {
            let pose = if round % 2 == 0 { Pose::IDENTITY } else { some_pose(&mut rng) };
            let corners = some_corners(&mut rng);
            let Ok(mesh) = TriMesh::new(&corners, &[[0, 1, 2]], MeshOptions::default()) else {
                continue;
            };
            let sides = if rng.chance(0.5) { Sides::Front } else { Sides::Both };
            let instance = MeshInstance { body: 0, mesh: &mesh, pose: &pose, sides };
            let world = pose.triangle_to_world(corners);
            let point = some_point(&mut rng, world);
            let normal = some_normal(&mut rng, world);
            let towards = Towards { normal, ahead: rng.chance(0.7) };
            let ahead = (towards.ahead && sides == Sides::Front).then_some(normal);
            let face = FaceAt::looking(&instance, 0, point, None);
            let said = format!("{round}: {corners:?} {pose:?} {point} {towards:?}");
            for is_kept in [
                dispatch(Kept(&instance, point, None)),
                Kept(&instance, point, None).run::<Plain>(),
            ] {
                assert!(is_kept || face.is_none(), "{said}");
            }
            let face = FaceAt::looking(&instance, 0, point, ahead);
            let rises = face.is_some_and(|face| face.rise(normal).along.length() > RISING_SINE);
            let found = dispatch(Kept(&instance, point, Some(towards)));
            let plain = Kept(&instance, point, Some(towards)).run::<Plain>();
            assert!((found && plain) || !rises, "{said}");
            rising += u32::from(rises);
            left_out += u32::from(!found);
        }
        assert!(rising > 50_000 && left_out > 40_000, "{rising} {left_out}");
    }

    /// Between the normals of two faces both fall away, at their edge and at its ends.
    #[test]
    fn faces_at_a_convex_edge_are_left_out() {
        let mut rng = Rng::new(&[92]);
        for round in 0..2_000 {
            let at = rng.cube(50.0);
            let tops = [at, at + rng.direction() * rng.range(0.2, 10.0)].map(DVec3::as_vec3);
            let along = (tops[1].as_dvec3() - tops[0].as_dvec3()).normalize();
            let up = along.any_orthonormal_vector();
            let side = along.cross(up);
            let slopes = [rng.range(0.1, 2.0), rng.range(0.1, 2.0)];
            let feet = [side - up * slopes[0], -side - up * slopes[1]].map(|down| {
                (at + along * rng.range(0.0, 1.0) + down * rng.range(0.2, 5.0)).as_vec3()
            });
            let on = [0.0, 0.3, 1.0][round % 3];
            let point = tops[0].as_dvec3().lerp(tops[1].as_dvec3(), on);
            for foot in feet {
                let corners = [tops[0], tops[1], foot];
                let mesh = TriMesh::new(&corners, &[[0, 1, 2]], MeshOptions::default()).unwrap();
                let pose = Pose::IDENTITY;
                let instance =
                    MeshInstance { body: 0, mesh: &mesh, pose: &pose, sides: Sides::Both };
                let normal = up.as_vec3().as_dvec3();
                let towards = Towards { normal, ahead: false };
                assert!(dispatch(Kept(&instance, point, None)), "{round}");
                let is_kept = dispatch(Kept(&instance, point, Some(towards)));
                assert!(!is_kept, "{round}: {corners:?} {point} {normal}");
            }
        }
    }
}
