//! The second face at an edge or vertex that a sweep hit.

use crate::query::seam::are_flat;
use crate::query::seam::cull::FaceQuery;
use crate::query::seam::face::TangentCone;
use crate::query::seam::search::for_each_triangle_near;
use crate::scene::filter::Filter;
use crate::scene::hit::{HitTarget, SceneHit};
use crate::scene::store::Scene;
use crate::traverse::static_source::StaticSource;
use crate::{Feature, Sides, SweepHit};
use glam::Vec3;

impl Scene {
    /// The unit normal of the other face at the edge or vertex that `hit` is on.
    ///
    /// Together with [`SweepHit::face_normal`] it tells the shape of the edge: the rim of a step,
    /// for example, from the ridge of a roof.
    ///
    /// Candidates are the faces within [`SEAM_DISTANCE`](crate::SEAM_DISTANCE) of the hit's point,
    /// of any mesh that `filter` sees. Faces that differ by less than 0.5° from the one that was
    /// hit do not count. Of the others the one whose normal is closest to the hit's wins, then by
    /// kind, key and triangle. Where both sides of a triangle count, its normal is on the side of
    /// the hit's.
    ///
    /// `None` if the hit is on a face or on a shape, and where the surface ends at the edge.
    pub fn neighbor_normal(&self, hit: &SceneHit<SweepHit>, filter: &Filter) -> Option<Vec3> {
        if hit.hit.feature == Feature::Face || hit.target.triangle.is_none() {
            return None;
        }
        let normal = hit.hit.normal.as_dvec3();
        let mut best: Option<(f64, HitTarget, Vec3)> = None;
        let point = hit.hit.point;
        let query = &FaceQuery { point, normal: None };
        for_each_triangle_near(
            self.content(),
            StaticSource::Tree,
            *filter,
            query,
            &mut |instance, slot| {
                let Some(face) = TangentCone::new(instance, slot, point, None) else { return };
                let Some(target) = self.content().target(instance.body, slot) else { return };
                let front_only = instance.sides == Sides::Front;
                let face = if front_only { face.front } else { face.normal_facing(normal) };
                let along = face.dot(normal);
                let comes_first = best.is_none_or(|(most, first, _)| {
                    along > most || (along == most && target.rank() < first.rank())
                });
                let is_hit_face = target == hit.target && target.body.names_same(hit.target.body);
                if !is_hit_face && comes_first && !are_flat(face.as_vec3(), hit.hit.face_normal) {
                    best = Some((along, target, face.as_vec3()));
                }
            },
        );
        best.map(|(_, _, face)| face)
    }
}
