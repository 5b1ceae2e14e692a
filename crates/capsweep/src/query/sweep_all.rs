use crate::pair::contract::{CapsuleFrame, Sweep};
use crate::pair::target::TriangleTarget;
use crate::query::impact::{Collector, Contact, SweepContext};
use crate::query::sweep::Query;
use crate::scene::filter::Filter;
use crate::scene::hit::SceneHit;
use crate::scene::store::{Content, Scene};
use crate::traverse::neighborhood::NeighborhoodView;
use crate::{Capsule, Motion, SweepHit};

impl Scene {
    /// Every triangle and shape that `capsule` meets when it moves by `motion` through all of them: each where it would be
    /// hit were it alone. `out` is cleared first.
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
        every_touch(self.content(), None, (capsule, motion), *filter, |hit| out.push(hit));
        out.sort_unstable_by(|a, b| {
            let earlier = a.hit.time.total_cmp(&b.hit.time);
            let deeper = || b.hit.depth.total_cmp(&a.hit.depth);
            earlier.then_with(deeper).then_with(|| a.target.rank().cmp(&b.target.rank()))
        });
    }
}

/// Shows `report` every hit, in the order of the tree.
pub(crate) fn every_touch(
    content: &Content,
    shortcut: Option<&NeighborhoodView>,
    (capsule, motion): (&Capsule, &Motion),
    filter: Filter,
    report: impl FnMut(SceneHit<SweepHit>),
) {
    let view = CapsuleFrame::new(capsule);
    let sweep = Sweep::new(&view, motion, filter.sides);
    let query = Query::new(content, capsule, sweep, &filter).by(shortcut);
    query.run(&mut AllHitsCollector { context: query.context, report });
}

/// Reports every contact.
struct AllHitsCollector<'a, F> {
    context: SweepContext<'a>,
    report: F,
}

impl<F: FnMut(SceneHit<SweepHit>)> Collector for AllHitsCollector<'_, F> {
    fn limit(&self) -> f64 {
        self.context.sweep.end
    }

    fn take(&mut self, contact: Contact, seen: Option<&TriangleTarget>) {
        if let Some(hit) = self.context.report(contact, seen) {
            (self.report)(hit);
        }
    }
}
