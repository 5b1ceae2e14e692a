//! The time of the first hit alone: no ties, no normal, no internal edges.

use crate::pair::target::TriangleTarget;
use crate::query::impact::{Collector, SceneImpact};
use crate::traverse::neighborhood::TriangleRef;

/// Finds the time that [`FirstHitCollector`](crate::query::collect::first_hit::FirstHitCollector)
/// reports: the smallest of all contacts, those that tie included.
pub(crate) struct FirstTimeCollector {
    /// Latest time of interest: the end, or the first time so far.
    limit: f64,
    first: Option<SceneImpact>,
}

impl FirstTimeCollector {
    pub(crate) fn new(end: f64) -> Self {
        Self { limit: end, first: None }
    }

    /// The time, and the triangle if it is of a static mesh.
    pub(crate) fn found(&self) -> Option<(f64, Option<TriangleRef>)> {
        let SceneImpact { body, slot, .. } = self.first?;
        Some((self.limit, TriangleRef::of_static(body, slot)))
    }
}

impl Collector for FirstTimeCollector {
    fn limit(&self) -> f64 {
        self.limit
    }

    fn add(&mut self, impact: SceneImpact, _target: Option<&TriangleTarget>) {
        let time = impact.impact.time();
        if self.first.is_none() || time < self.limit {
            (self.limit, self.first) = (time, Some(impact));
        }
    }

    /// No hit comes before time 0.
    fn is_done(&self) -> bool {
        self.first.is_some() && self.limit <= 0.0
    }

    fn wants_first_only(&self) -> bool {
        true
    }
}
