//! The first hit among the triangles and shapes that a caller accepts.

use crate::pair::contract::{CapsuleFrame, Sweep};
use crate::pair::target::TriangleTarget;
use crate::query::collect::first_hit::FirstHitCollector;
use crate::query::impact::{Collector, SceneImpact, SweepContext};
use crate::scene::filter::Filter;
use crate::scene::hit::{Accept, HitTarget, SceneHit};
use crate::scene::store::{Content, Scene};
use crate::traverse::static_source::StaticSource;
use crate::{Capsule, Motion, SweepHit};

impl Scene {
    /// As [`Scene::sweep`], among the triangles and shapes that `accept` returns `true` for.
    ///
    /// `accept` is called only for targets that the sweep hits, in no particular order, and for
    /// some more than once. It must always return the same for the same target.
    pub fn sweep_where(
        &self,
        capsule: &Capsule,
        motion: &Motion,
        filter: &Filter,
        accept: impl Fn(&HitTarget) -> bool,
    ) -> Option<SceneHit<SweepHit>> {
        let query = (capsule, motion);
        first_accepted_hit(self.content(), StaticSource::Tree, query, filter, &accept)
    }
}

/// The first accepted hit of a sweep.
///
/// `accept` is a `dyn Fn`: a generic one would compile a traversal for each caller's closure.
pub(crate) fn first_accepted_hit(
    content: &Content,
    source: StaticSource,
    (capsule, motion): (&Capsule, &Motion),
    filter: &Filter,
    accept: &Accept,
) -> Option<SceneHit<SweepHit>> {
    let frame = CapsuleFrame::new(capsule);
    let sweep = Sweep::new(&frame, motion, filter.sides);
    let context = &SweepContext { content, source, capsule, sweep, filter };
    let mut accepted = AcceptedHitCollector { first: FirstHitCollector::new(context), accept };
    context.run(&mut accepted);
    if accepted.first.ties.begin_second_pass() {
        context.run(&mut accepted);
    }
    accepted.first.answer_among(accept)
}

/// Passes the accepted impacts on.
struct AcceptedHitCollector<'a> {
    first: FirstHitCollector<'a>,
    accept: &'a Accept<'a>,
}

impl Collector for AcceptedHitCollector<'_> {
    fn limit(&self) -> f64 {
        self.first.limit()
    }

    fn add(&mut self, impact: SceneImpact, target: Option<&TriangleTarget>) {
        let named = self.first.context.content.target(impact.body, impact.slot);
        if named.is_some_and(|named| (self.accept)(&named)) {
            self.first.add(impact, target);
        }
    }
}
