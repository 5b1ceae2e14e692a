//! When a sweep first touches something, and nothing else about it: no ties, no normal, no seams.

use crate::pair::target::TriangleTarget;
use crate::query::impact::{Collector, Contact};
use crate::traverse::neighborhood::TriangleRef;

/// Finds the time that [`FirstHitCollector`](crate::query::collect::first_hit::FirstHitCollector) reports: the smallest.
pub(crate) struct FirstTimeCollector {
    /// Latest time of interest: the end, or that of the first contact so far.
    limit: f64,
    first: Option<Contact>,
}

impl FirstTimeCollector {
    pub(crate) fn new(end: f64) -> Self {
        Self { limit: end, first: None }
    }

    /// The time, and the triangle of a static mesh that is touched then, if it is one.
    pub(crate) fn found(&self) -> Option<(f64, Option<TriangleRef>)> {
        let Contact { body, slot, .. } = self.first?;
        Some((self.limit, TriangleRef::of_static(body, slot)))
    }
}

impl Collector for FirstTimeCollector {
    fn limit(&self) -> f64 {
        self.limit
    }

    fn take(&mut self, contact: Contact, _seen: Option<&TriangleTarget>) {
        let time = contact.impact.time();
        if self.first.is_none() || time < self.limit {
            (self.limit, self.first) = (time, Some(contact));
        }
    }

    /// Nothing comes before the start.
    fn is_done(&self) -> bool {
        self.first.is_some() && self.limit <= 0.0
    }

    fn is_for_first(&self) -> bool {
        true
    }
}
