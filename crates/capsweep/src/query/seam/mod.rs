//! Seams: where a surface goes on past the edge or the vertex that was touched.
//!
//! Alone, a triangle has borders, and a capsule that touches one is turned aside by it. In a floor of many triangles nothing
//! can be touched there from the front but the floor. So a contact on a border keeps its normal only if no other face at its
//! point *rises* towards that normal: if none goes on, from the point, to the normal's side of the plane across it. Otherwise
//! the normal is turned back, by as little as it takes: to the face's own normal, or, where just a border of that face rises,
//! until it stands across that border. Convex edges are not affected: both their faces fall away from every normal between them.
//! A time never changes.
//!
//! A flat edge inside a mesh is known since the mesh was built. All else, T-junctions and other meshes included, is looked
//! up: the faces within [`SEAM`] of the point.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

pub(crate) mod cull;
pub(crate) mod face;

use crate::bvh::F32x8;
use crate::pair::contract::Impact;
use crate::query::impact::{Contact, SweepContext};
use crate::query::seam::cull::{AtPoint, FaceQuery, Towards};
use crate::query::seam::face::FaceAt;
use crate::scene::body::{Body, Shape};
use crate::scene::filter::Filter;
use crate::scene::hit::{Accept, HitTarget};
use crate::scene::mesh_instance::MeshInstance;
use crate::scene::store::Content;
use crate::tolerance::{FLAT_COS, RISING_SINE, SEAM};
use crate::traverse::cull_volume::Look;
use crate::traverse::neighborhood::NeighborhoodView;
use crate::traverse::neighborhood_view::NeighborhoodCandidates;
use crate::traverse::scene_visitor::{SceneVisitor, traverse_scene};
use crate::{Capsule, Feature, Sides, SweepHit, Triangle};
use core::cell::LazyCell;
use glam::{DVec3, Vec3};

impl SweepContext<'_> {
    /// Makes of a contact the hit that it is once the faces around it are known, of those that `accept` says yes to.
    #[inline]
    pub(crate) fn fix_internal_edge(&self, contact: Contact, hit: &mut SweepHit, accept: &Accept) {
        if hit.feature != Feature::Face {
            self.mend_border(contact, hit, accept);
        }
    }

    /// As [`SweepContext::fix_internal_edge`], of a contact on a border.
    #[inline(never)]
    fn mend_border(&self, contact: Contact, hit: &mut SweepHit, accept: &Accept) {
        let Some(at) = self.content.instance(contact.body, *self.filter) else { return };
        let seam = Seam { context: self, at: &at, contact: &contact, accept };
        match contact.impact {
            Impact::Enters(_) | Impact::Touches { .. } => seam.turn_back(hit),
            Impact::Overlaps { .. } if self.is_pierced(&at, contact.slot) => {
                seam.avoid_false_exits(hit);
            }
            Impact::Overlaps { .. } => seam.push_off(hit),
        }
    }
}

/// A contact on the border of a triangle.
struct Seam<'a> {
    context: &'a SweepContext<'a>,
    at: &'a MeshInstance<'a>,
    contact: &'a Contact,
    accept: &'a Accept<'a>,
}

/// A face that rises towards a contact's normal.
#[derive(Clone, Copy)]
struct BlockingFace {
    /// The face's normal, on the side of the contact's.
    normal: Vec3,
    /// The contact's normal turned back, where the face rises along its border only.
    across_border: Option<Vec3>,
    steepness: f64,
    target: HitTarget,
}

impl Seam<'_> {
    /// Turns the normal of a touch back to the surface, if that still opposes the motion.
    fn turn_back(&self, hit: &mut SweepHit) {
        let motion = self.context.sweep.motion.vector();
        let head_on = |normal: Vec3| -normal.as_dvec3().dot(motion);
        let (own, point) = (hit.face_normal, hit.point);
        if self.is_flat(hit.feature) {
            if head_on(own) > 0.0 {
                put_on_face(hit, own);
            }
            return;
        }
        // Seldom asked for: few borders have a face that rises.
        let own_face = LazyCell::new(|| self.own_face(point));
        let turned = |risen: &BlockingFace| {
            if let Some(normal) = risen.across_border {
                return normal;
            }
            // In a corner both faces are touched: the more head-on one counts.
            let takes_own = own_face.as_ref().is_some_and(|face| {
                is_flat(own, risen.normal)
                    || (rises(face, risen.normal) && head_on(own) > head_on(risen.normal))
            });
            if takes_own { own } else { risen.normal }
        };
        let Some(risen) = self.steepest(hit, |risen| head_on(turned(risen)) > 0.0) else {
            return;
        };
        if risen.across_border.is_some() {
            hit.normal = turned(&risen);
        } else {
            put_on_face(hit, turned(&risen));
        }
    }

    /// Pushes an overlap with a border, the axis being off the triangle, off a face.
    fn push_off(&self, hit: &mut SweepHit) {
        let depth = |normal| self.context.depth_along(self.at, self.contact.slot, normal);
        let own = hit.face_normal;
        let own_depth = depth(own);
        let (mut normal, mut new_depth) = (own, own_depth);
        if !self.is_flat(hit.feature) {
            let Some(risen) = self.steepest(hit, |risen| risen.across_border.is_none()) else {
                return;
            };
            let other_depth = depth(risen.normal);
            let has_face = self.own_face(hit.point).is_some();
            let takes_own = is_flat(own, risen.normal) || own_depth < other_depth;
            if !(has_face && takes_own) {
                (normal, new_depth) = (risen.normal, other_depth);
            }
        }
        hit.depth = new_depth;
        put_on_face(hit, normal);
    }

    /// Has an overlap of a pierced triangle leave it past no edge behind which the surface goes on.
    fn avoid_false_exits(&self, hit: &mut SweepHit) {
        let (at, slot) = (self.at, self.contact.slot as usize);
        let triangle = at.mesh.world_triangle(at.pose, slot);
        let mut exits = at.exits(slot);
        // Each round closes one of three edges.
        while let Some(edge) =
            edge_left_by(&triangle, hit.normal).filter(|&i| exits.is_open_past(i))
            && self.goes_on(hit)
        {
            exits.close(edge);
            let seen = at.target_by(self.context.sweep.frame, slot, exits);
            *hit = self.context.report_triangle(at.pose, &seen, self.contact.impact);
        }
    }

    /// Whether another face continues the pierced triangle where it is left, or stands upright there.
    fn goes_on(&self, hit: &SweepHit) -> bool {
        let Some(own) = self.own_face(hit.point) else { return false };
        let mut goes_on = false;
        self.each_face(hit.point, None, |face, _| {
            let onward = face.rise(hit.normal.as_dvec3()).along.length() > RISING_SINE;
            let looks_alike = face.front.dot(own.front).abs() > RISING_SINE;
            goes_on |= (onward && looks_alike) || rises(face, own.front.as_vec3());
        });
        goes_on
    }

    /// Of the faces that rise towards the normal and are `wanted`, the one that rises most; the first by rank of equals.
    fn steepest(
        &self,
        hit: &SweepHit,
        wanted: impl Fn(&BlockingFace) -> bool,
    ) -> Option<BlockingFace> {
        let normal = hit.normal.as_dvec3();
        // A sweep that sees fronts only is held up by no back.
        let towards = Towards { normal, ahead: !hit.starts_overlapping() };
        let mut steepest: Option<BlockingFace> = None;
        self.each_face(hit.point, Some(towards), |face, target| {
            let rise = face.rise(normal);
            let steepness = rise.along.length();
            if steepness <= RISING_SINE {
                return;
            }
            let across = (!rise.is_inside).then(|| (normal - rise.along).normalize().as_vec3());
            let risen = BlockingFace {
                normal: face.towards(normal).as_vec3(),
                across_border: across,
                steepness,
                target: *target,
            };
            let comes_first = steepest.is_none_or(|best| {
                steepness > best.steepness
                    || (steepness == best.steepness && target.rank() < best.target.rank())
            });
            if comes_first && wanted(&risen) {
                steepest = Some(risen);
            }
        });
        steepest
    }

    /// Shows every other accepted face at `point` to `visit`: all of them, or those that rise `towards` a normal, and perhaps others.
    fn each_face(
        &self,
        point: DVec3,
        towards: Option<Towards>,
        mut visit: impl FnMut(&FaceAt, &HitTarget),
    ) {
        let SweepContext { content, shortcut, filter, .. } = *self.context;
        let sought = &FaceQuery { point, towards };
        each_triangle_near(content, shortcut, *filter, sought, &mut |at, slot| {
            let ahead = sought.towards.as_ref().filter(|towards| towards.ahead);
            let ahead = ahead.filter(|_| at.sides == Sides::Front).map(|towards| towards.normal);
            if (at.body, slot) != self.contact.place()
                && let Some(face) = FaceAt::looking(at, slot, point, ahead)
                && let Some(target) = content.target(at.body, slot)
                && self.accepts(&target)
            {
                visit(&face, &target);
            }
        });
    }

    fn accepts(&self, target: &HitTarget) -> bool {
        (self.accept)(target)
    }

    fn own_face(&self, point: DVec3) -> Option<FaceAt> {
        FaceAt::new(self.at, self.contact.slot, point)
    }

    /// Whether the mesh was built with a neighbour that continues the face past this edge.
    fn is_flat(&self, feature: Feature) -> bool {
        let Feature::Edge(edge) = feature else { return false };
        // Stretched, a slight bend may be a steep one.
        self.at.pose.is_uniform() && self.at.mesh.is_flat(self.contact.slot as usize, edge)
    }
}

fn put_on_face(hit: &mut SweepHit, normal: Vec3) {
    (hit.normal, hit.face_normal, hit.feature) = (normal, normal, Feature::Face);
}

/// Whether two faces lie flat: see [`FLAT_COS`].
pub(crate) fn is_flat(one: Vec3, other: Vec3) -> bool {
    one.as_dvec3().dot(other.as_dvec3()) > FLAT_COS
}

/// Whether a face leaves the plane across `normal` to its front, by more than a flat one.
fn rises(face: &FaceAt, normal: Vec3) -> bool {
    let steepness = face.rise(normal.as_dvec3()).along.length_squared();
    steepness > 1.0 - FLAT_COS * FLAT_COS
}

/// The edge that a piercing axis, pushed out along `normal`, leaves a triangle by; `None` if it leaves through a cap.
///
/// The way past an edge is across it and across the axis, so of the edges it is the most perpendicular one.
fn edge_left_by(triangle: &Triangle, normal: Vec3) -> Option<usize> {
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

/// Shows every triangle that may have a face that is `sought` to `visit`: its mesh, and its slot there.
pub(crate) fn each_triangle_near(
    content: &Content,
    shortcut: Option<&NeighborhoodView>,
    filter: Filter,
    sought: &FaceQuery,
    visit: &mut dyn FnMut(&MeshInstance, u32),
) {
    let mut around = Around { sought, filter, visit };
    let Some(NeighborhoodView { gathered, .. }) = shortcut else {
        return traverse_scene(content, None, filter, &mut around);
    };
    // Glances are made for capsules: a ball has half of the distance in its radius.
    let ball = Capsule::new(sought.point, sought.point, (0.5 * SEAM) as f32);
    let mut sight = NeighborhoodCandidates::NONE;
    // A way out may end far from the capsule.
    let is_within = ball.is_ok_and(|ball| {
        let look = Look::around(&ball, SEAM - f64::from(ball.radius()));
        gathered.look_over(&look, Sides::Both, None, &mut sight)
    });
    let shortcut = is_within.then_some(NeighborhoodView { gathered, sight: &sight });
    traverse_scene(content, shortcut.as_ref(), filter, &mut around);
}

/// Looks for triangles around a point. One kind for all who visit them: a walk is much code.
struct Around<'a> {
    sought: &'a FaceQuery,
    filter: Filter,
    visit: &'a mut dyn FnMut(&MeshInstance, u32),
}

impl SceneVisitor for Around<'_> {
    type InWorld = AtPoint;
    type InMesh = AtPoint;

    fn limit(&self) -> f64 {
        SEAM
    }

    #[inline(always)]
    fn in_world<L: F32x8>(&self, size: f64) -> AtPoint {
        AtPoint::in_world::<L>(self.sought.point, size)
    }

    #[inline(always)]
    fn in_mesh<L: F32x8>(&self, instance: &MeshInstance) -> AtPoint {
        AtPoint::in_mesh::<L>(self.sought, instance)
    }

    fn sides(&self, body: &Body) -> Sides {
        self.filter.sides_of(body)
    }

    /// Shapes have no seams.
    fn shape(&mut self, _body: u32, _shape: &Shape) {}

    fn triangle<L: F32x8>(&mut self, instance: &MeshInstance, slot: usize, _key: Option<f32>) {
        (self.visit)(instance, slot as u32);
    }
}
