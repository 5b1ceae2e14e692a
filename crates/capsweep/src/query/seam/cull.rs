//! Rejects triangles that have no face at a point, or none that rises towards a normal. In f32:
//! for culling only.
//!
//! Hardly any face rises, because the surface falls away past a convex edge. The test decides that
//! for eight triangles at once. It needs only signs of what
//! [`TangentCone`](crate::query::seam::face::TangentCone) computes, and which edges are certainly
//! at the point. A triangle in doubt is kept.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::Sides;
use crate::bvh::{Boxes, Entered, F32x4, F32x8, GridBox, Node, VisitOrder};
use crate::cull::slabs::EPSILON;
use crate::cull::{Candidates, Cull, CullBoxes};
use crate::math::{F64x4, Vec3Soa};
use crate::mesh::packet::Packet;
use crate::scene::mesh_instance::MeshInstance;
use crate::tolerance::{
    MAX_FACE_EDGES, MIN_FACE_AREA, MIN_FACE_SHAPE, RISING_SINE, SEAM_DISTANCE,
};
use glam::{DVec3, Vec3};

/// Bound on the rounding of a point, and of boxes on grids, for coordinates up to
/// `max_coordinate`.
#[inline(always)]
fn rounding_margin(point: DVec3, max_coordinate: f64) -> f64 {
    f64::from(16.0 * EPSILON) * (point.abs().element_sum() + max_coordinate)
}

/// Asks for the faces within [`SEAM_DISTANCE`] of a point.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FaceQuery {
    pub(crate) point: DVec3,
    /// If given, faces that do not rise towards it may be left out.
    pub(crate) normal: Option<ContactNormal>,
}

/// A contact's normal, which faces may block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ContactNormal {
    /// Unit.
    pub(crate) direction: DVec3,
    /// Whether one-sided faces count only if their front faces the normal's direction.
    pub(crate) culls_back_faces: bool,
}

/// A [`FaceQuery`] in the space of a mesh, in f32.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LocalFaceQuery {
    point: [f32; 4],
    /// Holds everything within [`SEAM_DISTANCE`] of the point.
    bounds: GridBox,
    /// `None` if every face counts, or if a non-uniform scale changes angles.
    normal: Option<LocalNormal>,
}

impl LocalFaceQuery {
    /// In a world whose coordinates are at most `max_coordinate`.
    #[inline(always)]
    pub(crate) fn in_world<L: F32x8>(point: DVec3, max_coordinate: f64) -> Self {
        let margin = rounding_margin(point, max_coordinate);
        Self::new::<L>(point, SEAM_DISTANCE, margin, None)
    }

    /// In the space of a mesh.
    #[inline(always)]
    pub(crate) fn in_mesh<L: F32x8>(query: &FaceQuery, instance: &MeshInstance) -> Self {
        let MeshInstance { surface, pose, .. } = *instance;
        let (point, metre) = (pose.point_to_local(query.point), pose.max_inv_scale());
        let (seam, vertex_error) =
            (SEAM_DISTANCE * metre, pose.rounding_error(surface.max_coordinate()) * metre);
        let normal = query
            .normal
            .and_then(|normal| LocalNormal::new(instance, normal, point, seam, vertex_error));
        let margin = rounding_margin(point, surface.max_coordinate()) + 4.0 * vertex_error;
        Self::new::<L>(point, seam, margin, normal)
    }

    /// `seam` is [`SEAM_DISTANCE`] in local metres, `margin` a bound on the rounding of everything
    /// near.
    #[inline(always)]
    fn new<L: F32x8>(point: DVec3, seam: f64, margin: f64, normal: Option<LocalNormal>) -> Self {
        let point = L::narrowed(L::F64x4::of_vector(point));
        let reach = L::F32x4::splat((1.01 * seam + margin) as f32);
        let bounds = GridBox::along::<L>(point, reach, L::F32x4::splat(0.0));
        Self { point: point.store(), bounds, normal }
    }
}

impl CullBoxes for LocalFaceQuery {
    #[inline(always)]
    fn enter<L: F32x8>(&self, node: &Node) -> Entered<L> {
        Entered { bits: node.overlapping::<L>(self.bounds), order: VisitOrder::Any }
    }

    #[inline(always)]
    fn enter_boxes<L: F32x8>(&self, boxes: &Boxes<L>) -> (u32, L) {
        (self.bounds.overlapping(boxes.min, boxes.max), L::splat(0.0))
    }

    #[inline(always)]
    fn limit(&self) -> f32 {
        0.0
    }

    /// The distance of interest is always [`SEAM_DISTANCE`].
    #[inline(always)]
    fn lower_limit(&mut self, _limit: f64) {}
}

impl Cull for LocalFaceQuery {
    /// Bits of the triangles.
    type Filtered<L: F32x8> = u32;

    #[inline(always)]
    fn around<L: F32x8>(&self) -> GridBox {
        self.bounds
    }

    #[inline(always)]
    fn filter<L: F32x8>(&self, packet: &Packet) -> Option<u32> {
        let [a, b, c] = packet.corners::<L>();
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let mut bits = self.bounds.overlapping([low.x, low.y, low.z], [high.x, high.y, high.z]);
        if bits == 0 {
            return None;
        }
        if let Some(normal) = &self.normal {
            bits &= !normal.cannot_block(a, b, c, Vec3Soa::of_quad(self.point));
        }
        (bits != 0).then_some(bits)
    }

    #[inline(always)]
    fn recheck<L: F32x8>(&self, seen: &u32) -> Candidates<L> {
        Candidates { bits: *seen, likely: 0, keys: L::splat(0.0) }
    }
}

/// A [`ContactNormal`] in the space of a mesh. Lengths are the mesh's own.
#[derive(Debug, Clone, Copy)]
struct LocalNormal {
    /// Unit.
    direction: Vec3,
    /// All bits set if triangles that face away are rejected, otherwise 0.
    back_face_mask: u32,
    seam: f32,
    /// Bound on the rounding of the point and of vertices in the world.
    point_error: f32,
    /// [`EPSILON`] times this length is `edge_error`. Added to an edge's size, it lets one product
    /// with [`EPSILON`] cover both errors.
    edge_padding: f32,
    /// Bound on the error of an edge by the rounding of its two ends in the world.
    edge_error: f32,
}

impl LocalNormal {
    #[inline(always)]
    fn new(
        MeshInstance { pose, sides, .. }: &MeshInstance,
        ContactNormal { direction, culls_back_faces }: ContactNormal,
        point: DVec3,
        seam: f64,
        vertex_error: f64,
    ) -> Option<Self> {
        let culls_back_faces = culls_back_faces && *sides == Sides::Front;
        // A non-uniform scale does not keep angles, so right angles in the mesh's space tell
        // nothing.
        pose.is_uniform().then(|| Self {
            direction: (pose.vector_to_local(direction) * pose.min_scale()).as_vec3(),
            back_face_mask: if culls_back_faces { u32::MAX } else { 0 },
            seam: seam as f32,
            point_error: 4.0 * EPSILON * point.abs().element_sum() as f32
                + 16.0 * vertex_error as f32,
            edge_padding: 2.0 * vertex_error as f32 / EPSILON,
            edge_error: 2.0 * vertex_error as f32,
        })
    }

    /// Bits of the triangles that certainly have no face at `point` that rises towards the normal.
    ///
    /// Let `n` be the normal, `A = ab × ac` the area vector and `e` an edge. The vector `r` leads
    /// from the edge's start to the point.
    /// - `A × e` points into the triangle across `e`, and its length is `|A|·|e|`. So
    ///   `(n × A) · e` is negative if the face falls away from `n` past that edge.
    /// - `A · (e × r)` is the distance of the point inside of the edge, times `|A|·|e|`.
    ///
    /// A face does not rise if both of these hold:
    /// - It falls away past an edge at the point.
    /// - No edge at the point ascends. It is level, or its ascent leaves the triangle at the
    ///   corner that it shares with another edge at the point.
    ///
    /// Errors: let ε be half an ulp of 1. `A` is off by `8ε·|ab|·|ac|`, `e × r` by `6ε·|e|·|r|`,
    /// and `n · e` by `6ε·|e|`. Triangles further than [`SEAM_DISTANCE`] off are rejected
    /// anyway, so `r` is at most that much longer than the edges. The error of `A` changes the
    /// distance inside by 8ε ÷ [`MIN_FACE_SHAPE`] of the point's distance from the edge. Within
    /// twice the seam that is negligible. Edges further away stay further away than the seam.
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
        let padding = L::splat(self.edge_padding);
        let (ab_size, ca_size) = (ab.l1_norm() + padding, ca.l1_norm() + padding);
        let (sizes, spread) = (ab_size + ca_size, ab_size * ca_size);
        let is_well_shaped = (spread * L::splat(MIN_FACE_SHAPE)).le_mask(area_length)
            & sizes.le_mask(L::splat(MAX_FACE_EDGES))
            & L::splat(MIN_FACE_AREA).le_mask(area_length);

        let normal = Vec3Soa::splat(self.direction);
        let area_error = spread * L::splat(32.0 * EPSILON);
        let distance_error =
            L::splat(self.point_error).plus_product(sizes, L::splat(8.0 * EPSILON));
        let test = EdgeTest {
            normal,
            area,
            normal_cross_area: normal.cross(area),
            fall_error: area_error * sizes,
            near: (L::splat(0.5 * self.seam) - distance_error) * area_length,
            far: (L::splat(1.5 * self.seam) + distance_error) * area_length,
            edge_error: L::splat(self.edge_error),
        };
        let ab = test.classify(ab, point.sub(a));
        let bc = test.classify(bc, point.sub(b));
        let ca = test.classify(ca, point.sub(c));

        let falls_away = ab.is_at_point & ab.falls_away
            | bc.is_at_point & bc.falls_away
            | ca.is_at_point & ca.falls_away;
        let no_edge_ascends =
            ab.cannot_ascend(&ca, &bc) & bc.cannot_ascend(&ab, &ca) & ca.cannot_ascend(&bc, &ab);
        let is_outside = ab.is_outside | bc.is_outside | ca.is_outside;
        let faces_away =
            (area.dot(normal) + area_error).le_mask(L::splat(0.0)) & self.back_face_mask;
        is_well_shaped & (falls_away & no_edge_ascends | is_outside | faces_away)
    }
}

/// What the tests of the three edges share, for eight triangles.
struct EdgeTest<L> {
    normal: Vec3Soa<L>,
    area: Vec3Soa<L>,
    normal_cross_area: Vec3Soa<L>,
    /// Bound on the error of `normal_cross_area · edge`.
    fall_error: L,
    /// The point is at an edge if its distance inside is at most `near`, and not at it if the
    /// distance is at least `far`. In doubt it is neither. Both are scaled by the area.
    near: L,
    far: L,
    edge_error: L,
}

impl<L: F32x8> EdgeTest<L> {
    /// Tests an edge; `from_start` leads from its start to the point.
    #[inline(always)]
    fn classify(&self, edge: Vec3Soa<L>, from_start: Vec3Soa<L>) -> EdgeMasks {
        let zero = L::splat(0.0);
        let length = edge.dot(edge).sqrt();
        let inside = self.area.dot(edge.cross(from_start));
        let (near, far) = (self.near * length, self.far * length);
        let ascent = self.normal.dot(edge);
        let ascent_error = self.edge_error.plus_product(length, L::splat(8.0 * EPSILON));
        let level = length * L::splat(0.5 * RISING_SINE as f32);
        EdgeMasks {
            is_at_point: inside.le_mask(near),
            is_far_inside: far.le_mask(inside),
            is_outside: (inside + far).le_mask(zero),
            falls_away: (self.normal_cross_area.dot(edge) + self.fall_error).le_mask(zero),
            is_level: (ascent.abs() + self.edge_error).le_mask(level),
            ascends: ascent_error.le_mask(ascent),
            descends: (ascent + ascent_error).le_mask(zero),
        }
    }
}

/// One edge of eight triangles: a bit is set where the statement is certain.
struct EdgeMasks {
    /// The edge is within [`SEAM_DISTANCE`] of the point.
    is_at_point: u32,
    /// The point is further inside of the edge than [`SEAM_DISTANCE`].
    is_far_inside: u32,
    /// The point is further outside of the edge than [`SEAM_DISTANCE`].
    is_outside: u32,
    /// The face falls away from the normal past the edge.
    falls_away: u32,
    /// The edge ascends by less than [`RISING_SINE`] in either direction.
    is_level: u32,
    /// The edge ascends from its start to its end.
    ascends: u32,
    /// The edge descends from its start to its end.
    descends: u32,
}

impl EdgeMasks {
    /// Bits of the triangles whose face does not rise along this edge. `before` and `after` are
    /// the edges that share its start and its end.
    #[inline(always)]
    fn cannot_ascend(&self, before: &Self, after: &Self) -> u32 {
        let leaves = self.descends & before.is_at_point | self.ascends & after.is_at_point;
        self.is_far_inside | self.is_level | leaves
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bvh::{LaneFn, Scalar, dispatch};
    use crate::mesh::surface::Surface;
    use crate::mesh::tri_mesh::TriMesh;
    use crate::query::seam::face::TangentCone;
    use crate::scene::{MeshOptions, Pose};
    use capsweep_testkit::Rng;
    use glam::DQuat;

    struct IsKept<'a>(&'a MeshInstance<'a>, DVec3, Option<ContactNormal>);

    impl LaneFn for IsKept<'_> {
        type Output = bool;

        #[inline(always)]
        fn run<L: F32x8>(self) -> bool {
            let Self(instance, point, normal) = self;
            let local = LocalFaceQuery::in_mesh::<L>(&FaceQuery { point, normal }, instance);
            let Surface::Mesh(mesh) = instance.surface else { return false };
            local.filter::<L>(&mesh.packets[0]).is_some()
        }
    }

    /// Of any size, some of them slivers.
    fn random_corners(rng: &mut Rng) -> [Vec3; 3] {
        let size = rng.log_range(1e-5, 1e3);
        let at = rng.direction() * rng.log_range(1e-3, 1e3);
        let thin =
            if rng.chance(0.2) { rng.log_range(1e-6, 1.0) } else { rng.log_range(0.1, 1.0) };
        let along = rng.direction() * size;
        let across = rng.direction() * size * thin;
        [at, at + along, at + along * rng.unit() + across].map(DVec3::as_vec3)
    }

    fn random_pose(rng: &mut Rng) -> Pose {
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

    /// On an edge, at a corner or inside, moved a little.
    fn random_point(rng: &mut Rng, [a, b, c]: [DVec3; 3]) -> DVec3 {
        let on = match rng.below(6) {
            0 => a,
            1 => b,
            2 => c,
            3 => a + (b - a) * rng.unit(),
            4 => b + (c - b) * rng.unit(),
            _ => a + (b - a) * (0.5 * rng.unit()) + (c - a) * (0.5 * rng.unit()),
        };
        let beside =
            if rng.chance(0.3) { SEAM_DISTANCE * rng.range(0.0, 3.0) } else { 1e-9 * rng.unit() };
        on + rng.direction() * beside
    }

    /// In any direction, or nearly perpendicular to an edge or to the face.
    fn random_normal(rng: &mut Rng, [a, b, c]: [DVec3; 3]) -> DVec3 {
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
            let pose = if round % 2 == 0 { Pose::IDENTITY } else { random_pose(&mut rng) };
            let corners = random_corners(&mut rng);
            let Ok(mesh) = TriMesh::new(&corners, &[[0, 1, 2]], MeshOptions::default()) else {
                continue;
            };
            let sides = if rng.chance(0.5) { Sides::Front } else { Sides::Both };
            let surface = Surface::Mesh(&mesh);
            let instance = MeshInstance { body: 0, surface, pose: &pose, sides };
            let world = pose.triangle_to_world(corners);
            let point = random_point(&mut rng, world);
            let direction = random_normal(&mut rng, world);
            let normal = ContactNormal { direction, culls_back_faces: rng.chance(0.7) };
            let culls_back_faces = normal.culls_back_faces && sides == Sides::Front;
            let facing = culls_back_faces.then_some(direction);
            let face = TangentCone::new(&instance, 0, point, None);
            let case = format!("{round}: {corners:?} {pose:?} {point} {normal:?}");
            for is_kept in [
                dispatch(IsKept(&instance, point, None)),
                IsKept(&instance, point, None).run::<Scalar>(),
            ] {
                assert!(is_kept || face.is_none(), "{case}");
            }
            let face = TangentCone::new(&instance, 0, point, facing);
            let rises =
                face.is_some_and(|face| face.project(direction).vector.length() > RISING_SINE);
            let found = dispatch(IsKept(&instance, point, Some(normal)));
            let plain = IsKept(&instance, point, Some(normal)).run::<Scalar>();
            assert!((found && plain) || !rises, "{case}");
            rising += u32::from(rises);
            left_out += u32::from(!found);
        }
        assert!(rising > 50_000 && left_out > 40_000, "{rising} {left_out}");
    }

    /// Both faces of a convex edge fall away from a normal between theirs, at its ends too.
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
                let (pose, surface) = (Pose::IDENTITY, Surface::Mesh(&mesh));
                let instance = MeshInstance { body: 0, surface, pose: &pose, sides: Sides::Both };
                let direction = up.as_vec3().as_dvec3();
                let normal = ContactNormal { direction, culls_back_faces: false };
                assert!(dispatch(IsKept(&instance, point, None)), "{round}");
                let is_kept = dispatch(IsKept(&instance, point, Some(normal)));
                assert!(!is_kept, "{round}: {corners:?} {point} {direction}");
            }
        }
    }
}
