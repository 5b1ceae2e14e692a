use crate::query::seam::cull::FaceQuery;
use crate::query::seam::face::FaceAt;
use crate::query::seam::{each_triangle_near, is_flat};
use crate::scene::filter::Filter;
use crate::scene::hit::{HitTarget, SceneHit};
use crate::scene::store::Scene;
use crate::traverse::static_source::StaticSource;
use crate::{Feature, Sides, SweepHit};
use glam::Vec3;

impl Scene {
    /// The normal of the face on the other side of the edge or the vertex that was hit: together with
    /// [`SweepHit::face_normal`] it tells a nosing from a ridge.
    ///
    /// Of the faces within [`SEAM`](crate::SEAM) of the hit's point that are not flat against the one that was hit, whichever mesh they
    /// belong to, it is the one that looks most along the hit's normal. `None` on a face, on shapes, and where the surface ends.
    pub fn neighbor_normal(&self, hit: &SceneHit<SweepHit>, filter: &Filter) -> Option<Vec3> {
        if hit.hit.feature == Feature::Face || hit.target.triangle.is_none() {
            return None;
        }
        let normal = hit.hit.normal.as_dvec3();
        let mut best: Option<(f64, HitTarget, Vec3)> = None;
        let point = hit.hit.point;
        let sought = &FaceQuery { point, towards: None };
        each_triangle_near(self.content(), StaticSource::Tree, *filter, sought, &mut |at, slot| {
            let Some(face) = FaceAt::new(at, slot, point) else { return };
            let Some(target) = self.content().target(at.body, slot) else { return };
            let front_only = at.sides == Sides::Front;
            let face = if front_only { face.front } else { face.towards(normal) };
            let along = face.dot(normal);
            let comes_first = best.is_none_or(|(most, first, _)| {
                along > most || (along == most && target.rank() < first.rank())
            });
            let is_struck = target == hit.target && target.body.names_same(hit.target.body);
            if !is_struck && comes_first && !is_flat(face.as_vec3(), hit.hit.face_normal) {
                best = Some((along, target, face.as_vec3()));
            }
        });
        best.map(|(_, _, face)| face)
    }
}
