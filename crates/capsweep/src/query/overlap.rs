//! What a capsule overlaps where it is (rule 2.2): a sweep that goes nowhere.

use crate::query::sweep_all::every_touch;
use crate::scene::filter::{Filter, StartOverlaps};
use crate::scene::hit::{Accept, SceneHit};
use crate::scene::store::Scene;
use crate::traverse::neighborhood::NeighborhoodView;
use crate::{Capsule, Motion, Overlap, SweepHit};

impl Scene {
    /// Whether `capsule` overlaps anything that `filter` lets it see.
    pub fn overlaps(&self, capsule: &Capsule, filter: &Filter) -> bool {
        self.sweep_any(capsule, &Motion::ZERO, &reporting(*filter))
    }

    /// The deepest overlap of `capsule`; of those within [`CONTACT_TOLERANCE`](crate::CONTACT_TOLERANCE) of it the first by kind, key and triangle.
    ///
    /// The way out is that of one triangle or shape alone. An axis that pierces a triangle of a mesh is pushed out
    /// at its front (at either side with [`Sides::Both`](crate::Sides) and in double-sided meshes) or past an edge where the surface
    /// ends or falls away, never past an [inner](crate::scene::EdgeKind::is_inner) one: there it would come to lie under the next triangle.
    /// Edges at which other triangles within [`SEAM`](crate::SEAM) go on, of this mesh or another, are no edges here.
    pub fn overlap(&self, capsule: &Capsule, filter: &Filter) -> Option<SceneHit<Overlap>> {
        self.sweep(capsule, &Motion::ZERO, &reporting(*filter)).map(as_overlap)
    }

    /// As [`Scene::overlap`], among the triangles and shapes that `accept` says yes to.
    pub(crate) fn overlap_among(
        &self,
        capsule: &Capsule,
        filter: &Filter,
        accept: &Accept,
    ) -> Option<SceneHit<Overlap>> {
        let still = (capsule, &Motion::ZERO);
        self.sweep_where_by(None, still, &reporting(*filter), accept).map(as_overlap)
    }

    /// Every triangle and shape that `capsule` overlaps, each with its own way out: the deepest first, equal depths by kind,
    /// key and triangle. `out` is cleared first. Only the inner edges of its own mesh are known here, no other seams.
    pub fn overlap_all(
        &self,
        capsule: &Capsule,
        filter: &Filter,
        out: &mut Vec<SceneHit<Overlap>>,
    ) {
        self.overlap_all_by(None, capsule, filter, out);
    }

    /// As [`Scene::overlap_all`], around the trees over static bodies if all that it can meet was gathered before.
    pub(crate) fn overlap_all_by(
        &self,
        shortcut: Option<&NeighborhoodView>,
        capsule: &Capsule,
        filter: &Filter,
        out: &mut Vec<SceneHit<Overlap>>,
    ) {
        out.clear();
        self.visit_overlaps(shortcut, capsule, filter, &mut |overlap| out.push(overlap));
        out.sort_unstable_by(|a, b| {
            let deeper = b.hit.depth.total_cmp(&a.hit.depth);
            deeper.then_with(|| a.target.rank().cmp(&b.target.rank()))
        });
    }

    /// Calls `visit` with every overlap, in the order of the traversal.
    pub(crate) fn visit_overlaps(
        &self,
        shortcut: Option<&NeighborhoodView>,
        capsule: &Capsule,
        filter: &Filter,
        visit: &mut dyn FnMut(SceneHit<Overlap>),
    ) {
        let filter = reporting(*filter);
        every_touch(self.content(), shortcut, (capsule, &Motion::ZERO), filter, |hit| {
            visit(as_overlap(hit));
        });
    }
}

/// The filter, whatever it says about overlaps at the start of a sweep.
fn reporting(filter: Filter) -> Filter {
    Filter { start_overlaps: StartOverlaps::Report, ..filter }
}

fn as_overlap(SceneHit { hit, target }: SceneHit<SweepHit>) -> SceneHit<Overlap> {
    let SweepHit { point, normal, face_normal, depth, feature, barycentrics, region, .. } = hit;
    let hit = Overlap { depth, point, normal, face_normal, feature, barycentrics, region };
    SceneHit { hit, target }
}
