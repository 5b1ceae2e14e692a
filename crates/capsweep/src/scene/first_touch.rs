//! The contacts that may answer a sweep, and the choice between them (ties, rule 10.2).

use super::body::{Body, BodyId, BodyKind, Geometry, Shape, Visitor};
use super::filter::{Filter, StartOverlaps};
use super::store::Content;
use crate::bvh::WIDTH;
use crate::contract::{Meeting, Sweep, SweepReport, Target};
use crate::target::TriangleTarget;
use crate::tolerance::BOUND;
use crate::{Sides, SweepHit, Triangle};

/// What a query of a scene found, and on what.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit<T> {
    /// What was found.
    pub hit: T,
    /// On which part of which body.
    pub struck: Struck,
}

/// A part of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Struck {
    /// The body.
    pub body: BodyId,
    /// The caller's number for it.
    pub key: u64,
    /// Its kind.
    pub kind: BodyKind,
    /// Number of the triangle in the mesh; `None` on shapes and obstacles.
    pub triangle: Option<u32>,
}

impl Struck {
    /// What decides between equals: kind, key, triangle, and the body where the caller gave no keys.
    pub(super) fn rank(&self) -> (BodyKind, u64, Option<u32>, BodyId) {
        (self.kind, self.key, self.triangle, self.body)
    }
}

/// How many contacts within the bound of the best are remembered; more are looked up a second time.
const TIES: usize = 32;

/// One contact: how it meets, the body's place, and the triangle's slot in its mesh.
#[derive(Clone, Copy)]
struct Contact {
    meeting: Meeting,
    body: u32,
    slot: u32,
}

/// Collects the contacts of one sweep.
pub(super) struct FirstTouch<'a> {
    content: &'a Content,
    sweep: Sweep<'a>,
    filter: &'a Filter,
    best: Option<Meeting>,
    /// The bound as a fraction of the motion.
    slack: f64,
    ties: [Contact; TIES],
    count: usize,
    /// More contacts tie than there is room for.
    crowded: bool,
    /// The best is known, and contacts are compared as they come.
    looks_again: bool,
    chosen: Option<Choice>,
}

/// The best contact so far among those that tie, and what it is compared by.
struct Choice {
    head_on: f64,
    hit: Hit<SweepHit>,
}

impl<'a> FirstTouch<'a> {
    pub(super) fn new(content: &'a Content, sweep: Sweep<'a>, filter: &'a Filter) -> Self {
        let length = sweep.motion.length();
        let nothing = Contact { meeting: Meeting::Touches, body: 0, slot: 0 };
        Self {
            content,
            sweep,
            filter,
            best: None,
            slack: if length > 0.0 { BOUND / length } else { 0.0 },
            ties: [nothing; TIES],
            count: 0,
            crowded: false,
            looks_again: false,
            chosen: None,
        }
    }

    /// Latest time that is still of interest.
    pub(super) fn limit(&self) -> f64 {
        match self.best {
            None => self.sweep.end(),
            Some(Meeting::Enters { time }) => (time + self.slack).min(self.sweep.end()),
            Some(_) => self.slack,
        }
    }

    /// The sides of a body's triangles that count.
    pub(super) fn sides(&self, body: &Body) -> Sides {
        match &body.geometry {
            Geometry::Mesh { mesh, .. } if mesh.is_double_sided() => Sides::Both,
            _ => self.filter.sides,
        }
    }

    /// Takes in a triangle of a mesh.
    pub(super) fn triangle(&mut self, body: u32, slot: u32, triangle: &Triangle, sides: Sides) {
        let sweep = Sweep { sides, ..self.sweep };
        let target = TriangleTarget::new(sweep.view, triangle);
        if let Some(meeting) = sweep.meet(&target, self.limit()) {
            self.take(Contact { meeting, body, slot });
        }
    }

    /// Takes in a shape.
    pub(super) fn shape(&mut self, body: u32, shape: &Shape) {
        let meet = Meet { sweep: self.sweep, limit: self.limit() };
        if let Some(meeting) = shape.visit(self.sweep.view, meet) {
            self.take(Contact { meeting, body, slot: 0 });
        }
    }

    fn take(&mut self, contact: Contact) {
        let meeting = contact.meeting;
        if matches!(meeting, Meeting::Overlaps { .. })
            && self.filter.start_overlaps == StartOverlaps::Skip
        {
            return;
        }
        if self.looks_again {
            if self.best.is_some_and(|best| self.ties_with(meeting, best)) {
                self.choose(contact);
            }
            return;
        }
        if self.best.is_none_or(|best| before(meeting, best)) {
            self.best = Some(meeting);
            let mut kept = 0;
            for i in 0..self.count {
                if self.ties_with(self.ties[i].meeting, meeting) {
                    self.ties[kept] = self.ties[i];
                    kept += 1;
                }
            }
            self.count = kept;
        } else if self.best.is_some_and(|best| !self.ties_with(meeting, best)) {
            return;
        }
        if self.count < TIES {
            self.ties[self.count] = contact;
            self.count += 1;
        } else {
            self.crowded = true;
        }
    }

    /// Whether more contacts tie than were kept. The walk must then be made again, with the best now known.
    pub(super) fn look_again(&mut self) -> bool {
        self.looks_again = self.crowded;
        self.crowded
    }

    /// The answer, once every contact was taken in.
    pub(super) fn answer(mut self) -> Option<Hit<SweepHit>> {
        let best = self.best?;
        if !self.looks_again {
            for i in 0..self.count {
                self.choose(self.ties[i]);
            }
        }
        let length = self.sweep.motion.length();
        self.chosen.map(|Choice { mut hit, .. }| {
            // The smallest time is reported, whichever of the tied contacts is shown.
            if let Meeting::Enters { time } = best {
                hit.hit.time = time;
                hit.hit.distance = time * length;
            }
            hit
        })
    }

    fn ties_with(&self, meeting: Meeting, best: Meeting) -> bool {
        match (meeting, best) {
            (Meeting::Overlaps { depth }, Meeting::Overlaps { depth: deepest }) => {
                depth >= deepest - BOUND
            }
            (Meeting::Touches, Meeting::Touches) => true,
            (Meeting::Enters { time }, Meeting::Enters { time: first }) => {
                time <= first + self.slack
            }
            (Meeting::Enters { time }, Meeting::Touches) => time <= self.slack,
            _ => false,
        }
    }

    /// Keeps the contact if it comes before the chosen one: most head-on, then kind, key and triangle.
    fn choose(&mut self, contact: Contact) {
        let Some((report, struck)) = self.report(contact) else { return };
        let head_on = report.normal.dot(self.sweep.motion.vector()).abs();
        let better = self.chosen.as_ref().is_none_or(|chosen| {
            head_on > chosen.head_on
                || (head_on == chosen.head_on && struck.rank() < chosen.hit.struck.rank())
        });
        if better {
            self.chosen = Some(Choice { head_on, hit: Hit { hit: report.hit, struck } });
        }
    }

    fn report(&self, contact: Contact) -> Option<(SweepReport, Struck)> {
        let (id, body) = self.content.at(contact.body)?;
        let sweep = Sweep { sides: self.sides(body), ..self.sweep };
        let mut struck = Struck { body: id, key: body.key, kind: body.kind(), triangle: None };
        let meeting = contact.meeting;
        let report = match &body.geometry {
            Geometry::Mesh { mesh, pose } => {
                let slot = contact.slot as usize;
                struck.triangle = Some(mesh.bvh.leaf_items(slot / WIDTH)[slot % WIDTH]);
                let triangle = mesh.world_triangle(pose, slot);
                let mut report = sweep.report(&TriangleTarget::new(sweep.view, &triangle), meeting);
                report.hit.feature = pose.feature_to_mesh(report.hit.feature);
                report.hit.barycentrics =
                    report.hit.barycentrics.map(|weights| pose.barycentrics_to_mesh(weights));
                report
            }
            Geometry::Shape(shape) | Geometry::Obstacle(shape) => {
                shape.visit(sweep.view, Describe { sweep, meeting })
            }
        };
        Some((report, struck))
    }
}

struct Meet<'a> {
    sweep: Sweep<'a>,
    limit: f64,
}

impl Visitor for Meet<'_> {
    type Output = Option<Meeting>;

    fn visit(self, target: &impl Target) -> Option<Meeting> {
        self.sweep.meet(target, self.limit)
    }
}

struct Describe<'a> {
    sweep: Sweep<'a>,
    meeting: Meeting,
}

impl Visitor for Describe<'_> {
    type Output = SweepReport;

    fn visit(self, target: &impl Target) -> SweepReport {
        self.sweep.report(target, self.meeting)
    }
}

/// Whether `a` comes before `b`: overlaps first, deepest first, then touches, then by time.
fn before(a: Meeting, b: Meeting) -> bool {
    match (a, b) {
        (Meeting::Overlaps { depth: a }, Meeting::Overlaps { depth: b }) => a > b,
        (Meeting::Enters { time: a }, Meeting::Enters { time: b }) => a < b,
        _ => rank(a) < rank(b),
    }
}

fn rank(meeting: Meeting) -> u8 {
    match meeting {
        Meeting::Overlaps { .. } => 0,
        Meeting::Touches => 1,
        Meeting::Enters { .. } => 2,
    }
}
