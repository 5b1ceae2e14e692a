//! Everything that a capsule overlaps: a sweep with zero motion.

use crate::query::sweep::first_hit;
use crate::query::sweep_all::all_hits;
use crate::query::sweep_where::first_accepted_hit;
use crate::scene::filter::{Filter, StartOverlaps};
use crate::scene::hit::{Accept, SceneHit};
use crate::scene::store::{Content, Scene};
use crate::traverse::static_source::StaticSource;
use crate::{Capsule, Motion, Overlap, SweepHit};

impl Scene {
    /// Whether `capsule` overlaps anything that `filter` sees.
    pub fn overlaps(&self, capsule: &Capsule, filter: &Filter) -> bool {
        self.sweep_any(capsule, &Motion::ZERO, &with_start_overlaps(*filter))
    }

    /// The deepest overlap of `capsule`. Of those within
    /// [`CONTACT_TOLERANCE`](crate::CONTACT_TOLERANCE) of it, the first by kind, key and triangle.
    ///
    /// The normal and the depth are those of one triangle or shape alone. If the axis pierces a
    /// triangle of a mesh, the capsule is pushed out at its front. It can also be pushed past an
    /// edge where the surface ends or falls away. With [`Sides::Both`](crate::Sides) and in
    /// double-sided meshes both sides count.
    ///
    /// The capsule is never pushed past an [inner](crate::scene::EdgeKind::is_inner) edge: it
    /// would end under the next triangle. An edge also counts as inner if a triangle of any mesh
    /// continues it within [`SEAM_DISTANCE`](crate::SEAM_DISTANCE).
    pub fn overlap(&self, capsule: &Capsule, filter: &Filter) -> Option<SceneHit<Overlap>> {
        deepest_overlap(self.content(), StaticSource::Tree, capsule, filter)
    }

    /// As [`Scene::overlap`], among the triangles and shapes that `accept` returns `true` for.
    pub(crate) fn overlap_where(
        &self,
        capsule: &Capsule,
        filter: &Filter,
        accept: &Accept,
    ) -> Option<SceneHit<Overlap>> {
        let (query, filter) = ((capsule, &Motion::ZERO), with_start_overlaps(*filter));
        first_accepted_hit(self.content(), StaticSource::Tree, query, &filter, accept)
            .map(as_overlap)
    }

    /// Every triangle and shape that `capsule` overlaps, each with its own normal and depth. The
    /// deepest comes first, equal depths by kind, key and triangle. `out` is cleared first.
    ///
    /// Only the inner edges of a triangle's own mesh count here, not seams between meshes.
    pub fn overlap_all(
        &self,
        capsule: &Capsule,
        filter: &Filter,
        out: &mut Vec<SceneHit<Overlap>>,
    ) {
        all_overlaps(self.content(), StaticSource::Tree, capsule, filter, out);
    }
}

/// The deepest overlap of a capsule.
#[inline]
pub(crate) fn deepest_overlap(
    content: &Content,
    source: StaticSource,
    capsule: &Capsule,
    filter: &Filter,
) -> Option<SceneHit<Overlap>> {
    let (query, filter) = ((capsule, &Motion::ZERO), with_start_overlaps(*filter));
    first_hit(content, source, query, &filter, true).map(as_overlap)
}

/// Every overlap of a capsule, sorted.
pub(crate) fn all_overlaps(
    content: &Content,
    source: StaticSource,
    capsule: &Capsule,
    filter: &Filter,
    out: &mut Vec<SceneHit<Overlap>>,
) {
    out.clear();
    visit_overlaps(content, source, capsule, filter, &mut |overlap| out.push(overlap));
    out.sort_unstable_by(|a, b| {
        let deeper = b.hit.depth.total_cmp(&a.hit.depth);
        deeper.then_with(|| a.target.rank().cmp(&b.target.rank()))
    });
}

/// Calls `visit` with every overlap of a capsule, in the order of the traversal.
pub(crate) fn visit_overlaps(
    content: &Content,
    source: StaticSource,
    capsule: &Capsule,
    filter: &Filter,
    visit: &mut dyn FnMut(SceneHit<Overlap>),
) {
    let (query, filter) = ((capsule, &Motion::ZERO), with_start_overlaps(*filter));
    all_hits(content, source, query, &filter, |hit| visit(as_overlap(hit)));
}

/// The filter, with overlaps at the start reported whatever it says of them.
fn with_start_overlaps(filter: Filter) -> Filter {
    Filter { start_overlaps: StartOverlaps::Report, ..filter }
}

fn as_overlap(SceneHit { hit, target }: SceneHit<SweepHit>) -> SceneHit<Overlap> {
    let SweepHit { point, normal, face_normal, depth, feature, barycentrics, region, .. } = hit;
    let hit = Overlap { depth, point, normal, face_normal, feature, barycentrics, region };
    SceneHit { hit, target }
}
