use crate::pair::contract::{CapsuleFrame, Sweep};
use crate::pair::target::TriangleTarget;
use crate::query::collect::first_hit::FirstHitCollector;
use crate::query::impact::{Collector, Contact, SweepContext};
use crate::query::sweep::Query;
use crate::scene::filter::Filter;
use crate::scene::hit::{Accept, HitTarget, SceneHit};
use crate::scene::store::Scene;
use crate::traverse::neighborhood::NeighborhoodView;
use crate::{Capsule, Motion, SweepHit};

impl Scene {
    /// As [`Scene::sweep`], among the triangles and shapes that `accept` says yes to.
    ///
    /// It is asked, in no particular order and of some more than once, only about what the sweep would hit: it must
    /// always say the same of the same.
    pub fn sweep_where(
        &self,
        capsule: &Capsule,
        motion: &Motion,
        filter: &Filter,
        accept: impl Fn(&HitTarget) -> bool,
    ) -> Option<SceneHit<SweepHit>> {
        self.sweep_where_by(None, (capsule, motion), filter, &accept)
    }

    /// As [`Scene::sweep_where`], around the trees over static bodies if all that it can meet was gathered before.
    ///
    /// One function for all predicates: a walk of its own for each would be compiled with the caller's crate.
    pub(crate) fn sweep_where_by(
        &self,
        shortcut: Option<&NeighborhoodView>,
        (capsule, motion): (&Capsule, &Motion),
        filter: &Filter,
        accept: &Accept,
    ) -> Option<SceneHit<SweepHit>> {
        let view = CapsuleFrame::new(capsule);
        let sweep = Sweep::new(&view, motion, filter.sides);
        let query = Query::new(self.content(), capsule, sweep, filter).by(shortcut);
        let context = &query.context;
        let mut accepted = Accepted { first: FirstHitCollector::new(context), context, accept };
        query.run(&mut accepted);
        if accepted.first.ties.look_again() {
            query.run(&mut accepted);
        }
        accepted.first.answer_among(accept)
    }
}

/// Passes on the contacts that the caller accepts.
struct Accepted<'a> {
    first: FirstHitCollector<'a>,
    context: &'a SweepContext<'a>,
    accept: &'a Accept<'a>,
}

impl Collector for Accepted<'_> {
    fn limit(&self) -> f64 {
        self.first.limit()
    }

    fn take(&mut self, contact: Contact, seen: Option<&TriangleTarget>) {
        let target = self.context.content.target(contact.body, contact.slot);
        if target.is_some_and(|target| (self.accept)(&target)) {
            self.first.take(contact, seen);
        }
    }
}
