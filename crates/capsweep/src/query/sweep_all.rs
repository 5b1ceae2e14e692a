//! Every hit of a sweep: the capsule passes through all geometry.

use crate::pair::contract::{CapsuleFrame, Sweep};
use crate::pair::target::TriangleTarget;
use crate::query::impact::{Collector, SceneImpact, SweepContext};
use crate::scene::filter::Filter;
use crate::scene::hit::SceneHit;
use crate::scene::store::{Content, Scene};
use crate::traverse::static_source::StaticSource;
use crate::{Capsule, Motion, SweepHit};

impl Scene {
    /// Every triangle and shape that `capsule` hits as it moves by `motion` through all of them.
    /// Each hit is the one that the triangle or shape alone would give. `out` is cleared first.
    ///
    /// Sorted by time, then the deepest first, then by kind, key and triangle.
    pub fn sweep_all(
        &self,
        capsule: &Capsule,
        motion: &Motion,
        filter: &Filter,
        out: &mut Vec<SceneHit<SweepHit>>,
    ) {
        out.clear();
        let query = (capsule, motion);
        all_hits(self.content(), StaticSource::Tree, query, filter, |hit| out.push(hit));
        out.sort_unstable_by(|a, b| {
            let earlier = a.hit.time.total_cmp(&b.hit.time);
            let deeper = || b.hit.depth.total_cmp(&a.hit.depth);
            earlier.then_with(deeper).then_with(|| a.target.rank().cmp(&b.target.rank()))
        });
    }
}

/// Passes every hit to `report`, in the order of the traversal.
pub(crate) fn all_hits(
    content: &Content,
    source: StaticSource,
    (capsule, motion): (&Capsule, &Motion),
    filter: &Filter,
    report: impl FnMut(SceneHit<SweepHit>),
) {
    let frame = CapsuleFrame::new(capsule);
    let sweep = Sweep::new(&frame, motion, filter.sides);
    let context = SweepContext { content, source, capsule, sweep, filter };
    context.run(&mut AllHitsCollector { context, report });
}

/// Reports every impact.
struct AllHitsCollector<'a, F> {
    context: SweepContext<'a>,
    report: F,
}

impl<F: FnMut(SceneHit<SweepHit>)> Collector for AllHitsCollector<'_, F> {
    fn limit(&self) -> f64 {
        self.context.sweep.end
    }

    fn add(&mut self, impact: SceneImpact, target: Option<&TriangleTarget>) {
        if let Some(hit) = self.context.uncorrected_hit(impact, target) {
            (self.report)(hit);
        }
    }
}
