//! The first hit of a sweep, and the order that decides between contacts that tie. `ties.rs` only
//! stores them.
//!
//! Overlaps at the start come first, the deepest before all; then touches at the start; then by
//! time. Contacts within the tolerance of the best tie. Of these the most head-on wins, then kind,
//! key and triangle decide. So the answer does not depend on the order of the traversal.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::SweepHit;
use crate::math::{F32x8, with_lanes};
use crate::pair::contract::{Impact, ImpactContact};
use crate::pair::target::TriangleTarget;
use crate::query::collect::ties::Ties;
use crate::query::impact::{Collector, FindImpactContact, SceneImpact, SweepContext};
use crate::scene::body::Geometry;
use crate::scene::hit::{Accept, SceneHit};
use crate::scene::mesh_instance::MeshInstance;
use crate::tolerance::CONTACT_TOLERANCE;

/// Keeps the best impact of a sweep, and those that tie with it.
pub(crate) struct FirstHitCollector<'a> {
    pub(crate) context: &'a SweepContext<'a>,
    /// Latest time of any impact.
    end: f64,
    best: Option<SceneImpact>,
    /// The triangle of `best` in the capsule's frame, if it is one.
    triangle: Option<TriangleTarget>,
    /// The contact tolerance as a fraction of the motion.
    slack: f64,
    pub(crate) ties: Ties<SceneImpact>,
    chosen: Option<Choice>,
}

/// The winner so far among the impacts that tie.
struct Choice {
    impact: SceneImpact,
    contact: ImpactContact,
    /// `|normal · motion|`, metres.
    head_on: f64,
}

impl Collector for FirstHitCollector<'_> {
    fn limit(&self) -> f64 {
        match self.best.map(|best| best.impact) {
            None => self.end,
            Some(Impact::Enters(first)) => (first.time + self.slack).min(self.end),
            Some(_) => self.slack,
        }
    }

    /// Inlined into the kernel of the exact test, so that the triangle is copied with wide
    /// instructions. The impact is passed by value: a reference would have it written in parts and
    /// read as a whole, which stalls.
    #[inline(always)]
    fn add(&mut self, impact: SceneImpact, triangle: Option<&TriangleTarget>) {
        let slack = self.slack;
        let ties = |best: SceneImpact| tie(impact.impact, best.impact, slack);
        if self.ties.is_second_pass {
            if self.best.is_some_and(ties) {
                self.choose(impact);
            }
            return;
        }
        if let Some(best) = self.best {
            if !before(impact.impact, best.impact) {
                if ties(best) {
                    self.ties.add(impact);
                }
                return;
            }
            if !self.ties.is_empty() || tie(best.impact, impact.impact, slack) {
                self.retain_ties(impact.impact);
            }
        }
        self.best = Some(impact);
        self.triangle = triangle.copied();
    }

    fn wants_first_only(&self) -> bool {
        true
    }
}

impl<'a> FirstHitCollector<'a> {
    pub(crate) fn new(context: &'a SweepContext<'a>) -> Self {
        let length = context.sweep.motion.length();
        Self {
            context,
            end: context.sweep.end,
            best: None,
            triangle: None,
            slack: if length > 0.0 { CONTACT_TOLERANCE / length } else { 0.0 },
            ties: Ties::none(),
            chosen: None,
        }
    }

    /// The hit, once the traversal is complete.
    #[inline(always)]
    pub(crate) fn answer(&mut self) -> Option<SceneHit<SweepHit>> {
        self.answer_among(&|_| true)
    }

    /// The hit, where only triangles that `accept` returns `true` for correct its normal.
    #[inline(always)]
    pub(crate) fn answer_among(&mut self, accept: &Accept) -> Option<SceneHit<SweepHit>> {
        let best = self.best.as_ref()?;
        let is_alone = self.ties.is_empty() && !self.ties.is_second_pass;
        match &self.triangle {
            _ if !is_alone => self.answer_of_ties(*best, accept),
            Some(triangle) => self.context.corrected_triangle_hit(best, triangle, accept),
            // A shape has no internal edges.
            None => self.context.uncorrected_hit(*best, None),
        }
    }

    /// The hit where impacts tie.
    #[inline(never)]
    fn answer_of_ties(
        &mut self,
        best: SceneImpact,
        accept: &Accept,
    ) -> Option<SceneHit<SweepHit>> {
        if !self.ties.is_second_pass {
            self.choose(best);
            for i in 0..self.ties.kept().len() {
                self.choose(self.ties.kept()[i]);
            }
        }
        let Choice { impact, contact, .. } = self.chosen.as_ref()?;
        let triangle = self.triangle.as_ref().filter(|_| impact.has_same_target(&best));
        let mut found = self.context.corrected_hit_from_contact(impact, contact, triangle, accept);
        if let Some(SceneHit { hit, .. }) = &mut found {
            // The smallest time is reported, whichever of the ties wins.
            hit.time = best.impact.time();
            hit.distance = hit.time * self.context.sweep.motion.length();
        }
        found
    }

    /// Keeps only impacts that tie with a new best one; the old best may be one of them.
    #[inline(never)]
    fn retain_ties(&mut self, better: Impact) {
        let ties = |impact: &SceneImpact| tie(impact.impact, better, self.slack);
        self.ties.retain(ties);
        if let Some(best) = self.best.filter(ties) {
            self.ties.add(best);
        }
    }

    /// Makes an impact the winner, if it beats the one so far.
    #[inline(never)]
    fn choose(&mut self, impact: SceneImpact) {
        let context = self.context;
        let Some((_, body)) = context.content.body_by_index(impact.body) else { return };
        match &body.geometry {
            Geometry::Surface { surface, pose } => {
                let surface = surface.as_surface();
                let sides = surface.sides_in(impact.slot as usize, context.filter.sides);
                let instance = MeshInstance { body: impact.body, surface, pose, sides };
                with_lanes!(|L| self.choose_triangle::<L>(impact, &instance));
            }
            Geometry::Shape(shape) | Geometry::Obstacle(shape) => {
                let sweep = &context.sweep;
                let find = FindImpactContact { sweep, impact: impact.impact };
                self.choose_contact(impact, shape.visit(sweep.frame, find));
            }
        }
    }

    #[inline(always)]
    fn choose_triangle<L: F32x8>(&mut self, impact: SceneImpact, instance: &MeshInstance) {
        let (sweep, slot) = (&self.context.sweep, impact.slot as usize);
        let corners = instance.surface.world_corners::<L::F64x4>(instance.pose, slot);
        let exits = instance.stored_exits(slot);
        let mut triangle = TriangleTarget::in_mesh(sweep.frame, corners, exits);
        instance.find_exits(sweep.frame, slot, &mut triangle);
        self.choose_contact(impact, sweep.find_contact_with::<L>(&triangle, impact.impact));
    }

    /// As [`FirstHitCollector::choose`], with the contact at hand: the most head-on wins, then
    /// kind, key and triangle decide.
    #[inline(always)]
    fn choose_contact(&mut self, impact: SceneImpact, contact: ImpactContact) {
        let context = self.context;
        let head_on = contact.normal().dot(context.sweep.motion.vector()).abs();
        let rank = |impact: &SceneImpact| {
            context.content.target(impact.body, impact.slot).map(|target| target.rank())
        };
        let is_better = self.chosen.as_ref().is_none_or(|chosen| {
            head_on > chosen.head_on
                || (head_on == chosen.head_on && rank(&impact) < rank(&chosen.impact))
        });
        if is_better {
            self.chosen = Some(Choice { impact, contact, head_on });
        }
    }
}

/// Whether an impact is within the contact tolerance of the best one. `slack` is that tolerance as
/// a fraction of the motion.
fn tie(impact: Impact, best: Impact, slack: f64) -> bool {
    match (impact, best) {
        (Impact::Overlaps { depth }, Impact::Overlaps { depth: deepest }) => {
            depth >= deepest - CONTACT_TOLERANCE
        }
        (Impact::Touches { .. }, Impact::Touches { .. }) => true,
        (Impact::Enters(entry), Impact::Enters(first)) => entry.time <= first.time + slack,
        (Impact::Enters(entry), Impact::Touches { .. }) => entry.time <= slack,
        _ => false,
    }
}

/// Whether `a` comes before `b`: overlaps first, deepest first, then touches, then by time.
fn before(a: Impact, b: Impact) -> bool {
    match (a, b) {
        (Impact::Overlaps { depth: a }, Impact::Overlaps { depth: b }) => a > b,
        (Impact::Enters(a), Impact::Enters(b)) => a.time < b.time,
        _ => rank(a) < rank(b),
    }
}

fn rank(impact: Impact) -> u8 {
    match impact {
        Impact::Overlaps { .. } => 0,
        Impact::Touches { .. } => 1,
        Impact::Enters(_) => 2,
    }
}
