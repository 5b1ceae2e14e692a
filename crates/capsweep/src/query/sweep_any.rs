use crate::pair::contract::{CapsuleFrame, Sweep};
use crate::pair::target::TriangleTarget;
use crate::query::impact::{Collector, Contact};
use crate::query::sweep::Query;
use crate::scene::filter::Filter;
use crate::scene::store::Scene;
use crate::{Capsule, Motion};

impl Scene {
    /// Whether `capsule`, moving by `motion`, meets anything at all: whether [`Scene::sweep`] has an answer, sooner.
    pub fn sweep_any(&self, capsule: &Capsule, motion: &Motion, filter: &Filter) -> bool {
        let view = CapsuleFrame::new(capsule);
        let sweep = Sweep::new(&view, motion, filter.sides);
        let mut any = AnyHitCollector { end: sweep.end, found: false };
        Query::new(self.content(), capsule, sweep, filter).run(&mut any);
        any.found
    }
}

/// Stops at the first contact.
struct AnyHitCollector {
    end: f64,
    found: bool,
}

impl Collector for AnyHitCollector {
    fn limit(&self) -> f64 {
        self.end
    }

    fn take(&mut self, _contact: Contact, _seen: Option<&TriangleTarget>) {
        self.found = true;
    }

    fn is_done(&self) -> bool {
        self.found
    }
}
