//! Internal edges: corrects the normal of a contact on an edge or vertex where the surface
//! continues.
//!
//! **Problem.** The solver tests one triangle at a time. A single triangle ends at its edges, so a
//! capsule that touches an edge gets a normal that leans away from the triangle. In a floor of
//! many triangles most edges are internal: nothing but the floor can be touched there. The leaning
//! normal would stop or lift a character that slides over the floor (a *ghost collision*).
//!
//! **Idea.** At first order the capsule fills the half-space that starts at the contact point and
//! that the normal points into. A face that meets the point must not continue into it. A face that
//! does *rises* towards the normal, and *blocks* it. In terms of convex analysis: the projection
//! of the normal onto the face's tangent cone at the point must be zero. Convex edges keep their
//! normals, because both faces fall away from every normal between their own.
//!
//! **Steps** for a contact on an edge or vertex of a mesh triangle:
//! 1. The mesh knows since its build that the edge is flat: report the triangle's own face.
//! 2. Otherwise find the other faces at the point, in every mesh that the query sees, so that
//!    T-junctions and separate tiles count. [`search`] traverses the scene, [`cull`] rejects eight
//!    triangles at a time in f32, [`face`] builds the tangent cones in f64.
//! 3. Take the blocking face that rises most; equal ones by [rank](HitTarget::rank). Without one
//!    the hit stays as it is, in every bit.
//! 4. Correct the normal by as little as possible. Where the face rises into its interior, a face
//!    normal replaces the contact's: that of the triangle hit or of the blocking face
//!    ([`EdgeContact::fix_touch`]). Where only an edge of the face rises, the normal becomes
//!    perpendicular to that edge.
//! 5. An overlap gets the depth along its new normal ([`EdgeContact::fix_overlap`]). If the axis
//!    pierces the triangle, no exit leads past an edge behind which the surface continues
//!    ([`EdgeContact::close_internal_exits`]).
//!
//! **Tolerances.** Faces within [`SEAM_DISTANCE`](crate::SEAM_DISTANCE) of the point (0.1 mm) are
//! at the point. Faces whose normals differ by less than 0.5° ([`FLAT_COS`]) are flat. A face
//! rises if the sine of its slope exceeds [`RISING_SINE`], which is above the rounding of normals
//! to f32.
//!
//! **Never.** A correction changes no time, no distance, and not which triangle is hit. It does
//! not apply to contacts on faces or on shapes. It never turns a touch's normal along the motion.

pub(crate) mod cull;
pub(crate) mod face;
pub(crate) mod search;

use crate::pair::contract::Impact;
use crate::query::impact::{SceneImpact, SweepContext};
use crate::query::seam::cull::{ContactNormal, FaceQuery};
use crate::query::seam::face::TangentCone;
use crate::query::seam::search::for_each_triangle_near;
use crate::scene::hit::{Accept, HitTarget};
use crate::scene::mesh_instance::MeshInstance;
use crate::tolerance::{FLAT_COS, RISING_SINE};
use crate::{Feature, Sides, SweepHit, Triangle};
use core::cell::LazyCell;
use glam::{DVec3, Vec3};

impl SweepContext<'_> {
    /// Corrects the normal of `hit`, which is on an edge or vertex, if that is internal. Of the
    /// faces around the contact only those count that `accept` allows.
    ///
    /// Not inlined: most contacts are on faces, and never come here.
    #[inline(never)]
    pub(crate) fn fix_internal_edge(
        &self,
        contact: SceneImpact,
        hit: &mut SweepHit,
        accept: &Accept,
    ) {
        let instance = self.content.instance(contact.body, contact.slot, *self.filter);
        let Some(instance) = instance else { return };
        let edge = EdgeContact { context: self, instance: &instance, contact: &contact, accept };
        match contact.impact {
            Impact::Enters(_) | Impact::Touches { .. } => edge.fix_touch(hit),
            Impact::Overlaps { .. } if self.is_pierced(&instance, contact.slot) => {
                edge.close_internal_exits(hit);
            }
            Impact::Overlaps { .. } => edge.fix_overlap(hit),
        }
    }
}

/// A contact on an edge or vertex of a mesh triangle.
struct EdgeContact<'a> {
    context: &'a SweepContext<'a>,
    instance: &'a MeshInstance<'a>,
    contact: &'a SceneImpact,
    accept: &'a Accept<'a>,
}

/// A face that rises towards a contact's normal.
#[derive(Clone, Copy)]
struct BlockingFace {
    /// The face's normal, on the side that the contact's normal points to.
    normal: Vec3,
    /// The contact's normal made perpendicular to the edge of the face that rises; `None` if the
    /// face rises into its interior.
    edge_normal: Option<Vec3>,
    /// Sine of the angle by which the face rises.
    steepness: f64,
    target: HitTarget,
}

impl EdgeContact<'_> {
    /// Corrects the normal of a touch, if the new one still opposes the motion.
    fn fix_touch(&self, hit: &mut SweepHit) {
        let motion = self.context.sweep.motion.vector();
        let head_on = |normal: Vec3| -normal.as_dvec3().dot(motion);
        let (own, point) = (hit.face_normal, hit.point);
        if self.is_flat_edge(hit.feature) {
            if head_on(own) > 0.0 {
                set_face(hit, own);
            }
            return;
        }
        // Lazy, because few contacts have a blocking face.
        let own_cone = LazyCell::new(|| self.own_cone(point));
        let corrected = |blocking: &BlockingFace| {
            if let Some(normal) = blocking.edge_normal {
                return normal;
            }
            // In a concave corner the capsule touches both faces: the more head-on one counts.
            let takes_own = own_cone.as_ref().is_some_and(|cone| {
                are_flat(own, blocking.normal)
                    || (rises(cone, blocking.normal) && head_on(own) > head_on(blocking.normal))
            });
            if takes_own { own } else { blocking.normal }
        };
        let Some(blocking) =
            self.steepest_blocking_face(hit, |face| head_on(corrected(face)) > 0.0)
        else {
            return;
        };
        if blocking.edge_normal.is_some() {
            hit.normal = corrected(&blocking);
        } else {
            set_face(hit, corrected(&blocking));
        }
    }

    /// Pushes an overlap along a face's normal, where the axis does not pierce the triangle. Of
    /// the triangle's own face and the blocking face, the one with the shorter push wins.
    fn fix_overlap(&self, hit: &mut SweepHit) {
        let depth = |normal| self.context.depth_along(self.instance, self.contact.slot, normal);
        let own = hit.face_normal;
        let own_depth = depth(own);
        let (mut normal, mut new_depth) = (own, own_depth);
        if !self.is_flat_edge(hit.feature) {
            let Some(blocking) =
                self.steepest_blocking_face(hit, |face| face.edge_normal.is_none())
            else {
                return;
            };
            let other_depth = depth(blocking.normal);
            let has_face = self.own_cone(hit.point).is_some();
            let takes_own = are_flat(own, blocking.normal) || own_depth < other_depth;
            if !(has_face && takes_own) {
                (normal, new_depth) = (blocking.normal, other_depth);
            }
        }
        hit.depth = new_depth;
        set_face(hit, normal);
    }

    /// Solves the push-out of a pierced triangle again, until it leads past no edge behind which
    /// the surface continues.
    fn close_internal_exits(&self, hit: &mut SweepHit) {
        let (instance, slot) = (self.instance, self.contact.slot as usize);
        let triangle = instance.surface.world_triangle(instance.pose, slot);
        let mut exits = instance.exits(slot);
        // Each round closes one of three edges.
        while let Some(edge) = exit_edge(&triangle, hit.normal).filter(|&i| exits.is_open_past(i))
            && self.surface_continues(hit)
        {
            exits.close(edge);
            let target = instance.target_with_exits(self.context.sweep.frame, slot, exits);
            *hit =
                self.context.uncorrected_triangle_hit(instance.pose, &target, self.contact.impact);
        }
    }

    /// Whether another face continues the pierced triangle where the push-out leaves it, or
    /// stands upright there.
    fn surface_continues(&self, hit: &SweepHit) -> bool {
        let Some(own) = self.own_cone(hit.point) else { return false };
        let mut continues = false;
        self.for_each_face(hit.point, None, |face, _| {
            let is_onward = face.project(hit.normal.as_dvec3()).vector.length() > RISING_SINE;
            let is_perpendicular = face.front.dot(own.front).abs() <= RISING_SINE;
            continues |= (is_onward && !is_perpendicular) || rises(face, own.front.as_vec3());
        });
        continues
    }

    /// The face that rises most towards the normal, among the blocking faces that `is_candidate`
    /// allows. Of equal ones the first by rank.
    fn steepest_blocking_face(
        &self,
        hit: &SweepHit,
        is_candidate: impl Fn(&BlockingFace) -> bool,
    ) -> Option<BlockingFace> {
        let direction = hit.normal.as_dvec3();
        // A sweep that hits fronts only passes through backs, so these cannot block it. In an
        // overlap every face counts.
        let normal = ContactNormal { direction, culls_back_faces: !hit.starts_overlapping() };
        let mut steepest: Option<BlockingFace> = None;
        self.for_each_face(hit.point, Some(normal), |face, target| {
            let projection = face.project(direction);
            let steepness = projection.vector.length();
            if steepness <= RISING_SINE {
                return;
            }
            let edge_normal = (!projection.is_interior)
                .then(|| (direction - projection.vector).normalize().as_vec3());
            let blocking = BlockingFace {
                normal: face.normal_facing(direction).as_vec3(),
                edge_normal,
                steepness,
                target: *target,
            };
            let comes_first = steepest.is_none_or(|best| {
                steepness > best.steepness
                    || (steepness == best.steepness && target.rank() < best.target.rank())
            });
            if comes_first && is_candidate(&blocking) {
                steepest = Some(blocking);
            }
        });
        steepest
    }

    /// Calls `visit` for every other accepted face at `point`. With a `normal`, faces that do not
    /// block it may be left out.
    fn for_each_face(
        &self,
        point: DVec3,
        normal: Option<ContactNormal>,
        mut visit: impl FnMut(&TangentCone, &HitTarget),
    ) {
        let SweepContext { content, source, filter, .. } = *self.context;
        let query = &FaceQuery { point, normal };
        for_each_triangle_near(content, source, *filter, query, &mut |instance, slot| {
            let facing = normal.as_ref().filter(|normal| normal.culls_back_faces);
            let facing = facing.filter(|_| instance.sides == Sides::Front);
            let facing = facing.map(|normal| normal.direction);
            if (instance.body, slot) != (self.contact.body, self.contact.slot)
                && let Some(face) = TangentCone::new(instance, slot, point, facing)
                && let Some(target) = content.target(instance.body, slot)
                && (self.accept)(&target)
            {
                visit(&face, &target);
            }
        });
    }

    /// The tangent cone of the triangle that was hit.
    fn own_cone(&self, point: DVec3) -> Option<TangentCone> {
        TangentCone::new(self.instance, self.contact.slot, point, None)
    }

    /// Whether the mesh was built with a neighbour that continues the face past this edge.
    fn is_flat_edge(&self, feature: Feature) -> bool {
        let Feature::Edge(edge) = feature else { return false };
        // A non-uniform scale can make a slight bend a steep one.
        self.instance.pose.is_uniform()
            && self.instance.surface.is_flat(self.contact.slot as usize, edge)
    }
}

/// Reports a contact on a face in place of one on an edge or vertex.
fn set_face(hit: &mut SweepHit, normal: Vec3) {
    (hit.normal, hit.face_normal, hit.feature) = (normal, normal, Feature::Face);
}

/// Whether two faces with these normals lie flat: see [`FLAT_COS`].
pub(crate) fn are_flat(one: Vec3, other: Vec3) -> bool {
    one.as_dvec3().dot(other.as_dvec3()) > FLAT_COS
}

/// Whether a face rises towards `normal` by more than the 0.5° of a flat edge. The length of the
/// projection is a sine, so its square is compared with `1 − cos²`.
fn rises(face: &TangentCone, normal: Vec3) -> bool {
    let steepness = face.project(normal.as_dvec3()).vector.length_squared();
    steepness > 1.0 - FLAT_COS * FLAT_COS
}

/// The edge past which a piercing axis, pushed out along `normal`, leaves the triangle; `None` if
/// it leaves off the front or the back.
///
/// A push-out past an edge is perpendicular to the edge and to the axis. So the edge is the one
/// most perpendicular to `normal`.
fn exit_edge(triangle: &Triangle, normal: Vec3) -> Option<usize> {
    let (vertices, normal) = (triangle.vertices(), normal.as_dvec3());
    let front = triangle.normal()?.as_dvec3();
    if front.dot(normal).abs() > 1.0 - RISING_SINE {
        return None;
    }
    let along = [0, 1, 2].map(|i| {
        let edge = vertices[(i + 1) % 3] - vertices[i];
        normal.dot(edge).abs() / edge.length()
    });
    (0..3).min_by(|&i, &j| along[i].total_cmp(&along[j]))
}
