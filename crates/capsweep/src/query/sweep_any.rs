//! Whether a sweep hits anything.

use crate::pair::contract::{CapsuleFrame, Sweep};
use crate::pair::target::TriangleTarget;
use crate::query::impact::{Collector, SceneImpact, SweepContext};
use crate::scene::filter::Filter;
use crate::scene::store::{Content, Scene};
use crate::traverse::static_source::StaticSource;
use crate::{Capsule, Motion};

impl Scene {
    /// Whether `capsule`, moving by `motion`, hits anything: whether [`Scene::sweep`] has an
    /// answer. Faster, because it stops at the first hit that it finds.
    pub fn sweep_any(&self, capsule: &Capsule, motion: &Motion, filter: &Filter) -> bool {
        any_hit(self.content(), StaticSource::Tree, (capsule, motion), filter)
    }
}

/// Whether a sweep hits anything.
pub(crate) fn any_hit(
    content: &Content,
    source: StaticSource,
    (capsule, motion): (&Capsule, &Motion),
    filter: &Filter,
) -> bool {
    let frame = CapsuleFrame::new(capsule);
    let sweep = Sweep::new(&frame, motion, filter.sides);
    let mut any = AnyHitCollector { end: sweep.end, found: false };
    SweepContext { content, source, capsule, sweep, filter }.run(&mut any);
    any.found
}

/// Stops at the first impact.
struct AnyHitCollector {
    end: f64,
    found: bool,
}

impl Collector for AnyHitCollector {
    fn limit(&self) -> f64 {
        self.end
    }

    fn add(&mut self, _impact: SceneImpact, _target: Option<&TriangleTarget>) {
        self.found = true;
    }

    fn is_done(&self) -> bool {
        self.found
    }
}
