//! The contacts that may answer a sweep, and the choice between them (ties, rule 10.2).

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::SweepHit;
use crate::bvh::{F32x8, Kernel, dispatch};
use crate::pair::contract::{Impact, ImpactContact};
use crate::pair::target::TriangleTarget;
use crate::query::collect::ties::Ties;
use crate::query::impact::{Collector, Contact, FindImpactContact, SweepContext};
use crate::scene::body::Geometry;
use crate::scene::hit::{Accept, SceneHit};
use crate::scene::mesh_instance::MeshInstance;
use crate::tolerance::CONTACT_TOLERANCE;

/// Collects the contacts of one sweep.
pub(crate) struct FirstHitCollector<'a> {
    context: &'a SweepContext<'a>,
    /// Latest time that any contact may have.
    end: f64,
    best: Option<Contact>,
    /// What the capsule sees of the best, if that is a triangle.
    seen: Option<TriangleTarget>,
    /// The bound as a fraction of the motion.
    slack: f64,
    pub(crate) ties: Ties<Contact>,
    chosen: Option<Choice>,
}

/// The best contact so far among those that tie.
struct Choice {
    contact: Contact,
    met: ImpactContact,
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

    /// Part of the kernel that solves, which copies what it sees with the lanes that it has. A contact is lent to nobody on the way: it would be written in
    /// parts and read as a whole, which has to wait for all of them.
    #[inline(always)]
    fn take(&mut self, contact: Contact, seen: Option<&TriangleTarget>) {
        let slack = self.slack;
        let ties = |best: Contact| tie(contact.impact, best.impact, slack);
        if self.ties.looks_again {
            if self.best.is_some_and(ties) {
                self.choose(contact);
            }
            return;
        }
        if let Some(best) = self.best {
            if !before(contact.impact, best.impact) {
                if ties(best) {
                    self.ties.add(contact);
                }
                return;
            }
            if !self.ties.is_empty() || tie(best.impact, contact.impact, slack) {
                self.step_back(contact.impact);
            }
        }
        self.best = Some(contact);
        self.seen = seen.copied();
    }

    fn is_for_first(&self) -> bool {
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
            seen: None,
            slack: if length > 0.0 { CONTACT_TOLERANCE / length } else { 0.0 },
            ties: Ties::none(),
            chosen: None,
        }
    }

    /// The answer, once every contact was taken in.
    pub(crate) fn answer(&mut self) -> Option<SceneHit<SweepHit>> {
        self.answer_among(&|_| true)
    }

    /// The answer where only what `accept` says yes to is there.
    pub(crate) fn answer_among(&mut self, accept: &Accept) -> Option<SceneHit<SweepHit>> {
        let best = self.best.as_ref()?;
        let is_alone = self.ties.is_empty() && !self.ties.looks_again;
        match &self.seen {
            _ if !is_alone => self.settled(*best, accept),
            Some(seen) => self.context.hit_triangle(best, seen, accept),
            // Shapes have no seams.
            None => self.context.report(*best, None),
        }
    }

    /// The answer where contacts tie.
    #[inline(never)]
    fn settled(&mut self, best: Contact, accept: &Accept) -> Option<SceneHit<SweepHit>> {
        if !self.ties.looks_again {
            self.choose(best);
            for i in 0..self.ties.kept().len() {
                self.choose(self.ties.kept()[i]);
            }
        }
        let Choice { contact, met, .. } = self.chosen.as_ref()?;
        let seen = self.seen.as_ref().filter(|_| contact.place() == best.place());
        let mut found = self.context.hit(contact, met, seen, accept);
        if let Some(SceneHit { hit, .. }) = &mut found {
            // The smallest time is reported, whichever of the tied contacts is shown.
            hit.time = best.impact.time();
            hit.distance = hit.time * self.context.sweep.motion.length();
        }
        found
    }

    /// Leaves of the contacts so far, the best too, only those that tie with a better one.
    #[inline(never)]
    fn step_back(&mut self, better: Impact) {
        let ties = |contact: &Contact| tie(contact.impact, better, self.slack);
        self.ties.retain(ties);
        if let Some(best) = self.best.filter(ties) {
            self.ties.add(best);
        }
    }

    /// Chooses a contact if it comes before the chosen one.
    #[inline(never)]
    fn choose(&mut self, contact: Contact) {
        let context = self.context;
        let Some((_, body)) = context.content.at(contact.body) else { return };
        match &body.geometry {
            Geometry::Mesh { mesh, pose } => {
                let sides = context.filter.sides_of(body);
                let instance = &MeshInstance { body: contact.body, mesh, pose, sides };
                dispatch(ChooseTriangle { first: self, contact, instance });
            }
            Geometry::Shape(shape) | Geometry::Obstacle(shape) => {
                let (sweep, impact) = (&context.sweep, contact.impact);
                self.choose_met(
                    contact,
                    shape.visit(sweep.frame, FindImpactContact { sweep, impact }),
                );
            }
        }
    }

    /// As [`FirstHitCollector::choose`], of what was met: most head-on, then kind, key and triangle.
    #[inline(always)]
    fn choose_met(&mut self, contact: Contact, met: ImpactContact) {
        let context = self.context;
        let head_on = met.normal().dot(context.sweep.motion.vector()).abs();
        let rank = |contact: &Contact| {
            context.content.target(contact.body, contact.slot).map(|target| target.rank())
        };
        let is_better = self.chosen.as_ref().is_none_or(|chosen| {
            head_on > chosen.head_on
                || (head_on == chosen.head_on && rank(&contact) < rank(&chosen.contact))
        });
        if is_better {
            self.chosen = Some(Choice { contact, met, head_on });
        }
    }
}

/// As [`FirstHitCollector::choose`], of a triangle.
struct ChooseTriangle<'a, 'b> {
    first: &'a mut FirstHitCollector<'b>,
    contact: Contact,
    instance: &'a MeshInstance<'a>,
}

impl Kernel for ChooseTriangle<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<L: F32x8>(self) {
        let Self { first, contact, instance } = self;
        let (sweep, slot) = (&first.context.sweep, contact.slot as usize);
        let corners = instance.mesh.world_corners::<L::F64x4>(instance.pose, slot);
        let seen = TriangleTarget::in_mesh(sweep.frame, corners, instance.exits(slot));
        first.choose_met(contact, sweep.find_contact_with::<L>(&seen, contact.impact));
    }
}

/// Whether a meeting is within the bound of the best; `slack` is the bound as a fraction of the motion.
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
