//! How a moving capsule meets a target.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use super::contact::Contact;
use super::gap::{Gap, gap, gap_at};
use super::{Target, View};
use crate::simd::{Kernel, Lanes, dispatch};
use crate::sweep::{Approach, Entry, Outcome};
use crate::tolerance::{BOUND, END_SLACK, LEVEL, NUDGE};
use crate::{Motion, Sides, SweepHit};
use glam::{DVec3, Vec3};

/// How a sweep meets a target: what decides between targets, before anything is reported.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Meeting {
    /// They overlap at the start.
    Overlaps { depth: f64 },
    /// They touch at the start, and the motion presses on.
    Touches {
        /// As in [`Entry`]: the normal is then the plane's.
        on_face: bool,
    },
    /// They first touch then.
    Enters(Entry),
}

/// How a sweep meets a target at its start.
enum AtStart {
    /// Not yet: they are further apart than the bound.
    Apart,
    /// They overlap or touch, or will not meet: `None` too if the motion leads out or along, and later meets nothing.
    Settled(Option<Meeting>),
}

/// What is swept, and how far it is of interest.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sweep<'a> {
    pub(crate) view: &'a View,
    pub(crate) motion: &'a Motion,
    pub(crate) sides: Sides,
}

impl<'a> Sweep<'a> {
    pub(crate) fn new(view: &'a View, motion: &'a Motion, sides: Sides) -> Self {
        Self { view, motion, sides }
    }

    /// The end of the motion, with the slack that makes it inclusive.
    pub(crate) fn end(&self) -> f64 {
        if self.motion.is_zero() {
            return 1.0;
        }
        // The quotient of a motion near the smallest f64 overflows; it is late enough as it is.
        (1.0 + END_SLACK / self.motion.length()).min(f64::MAX)
    }

    /// How the sweep meets `target` up to the time `limit`, under the contract.
    pub(crate) fn meet_up_to(&self, target: &impl Target, limit: f64) -> Option<Meeting> {
        dispatch(Meet { sweep: *self, target, limit })
    }

    /// As [`Sweep::meet_up_to`], for code that runs with these lanes already.
    #[inline(always)]
    pub(crate) fn meet<L: Lanes>(&self, target: &impl Target, limit: f64) -> Option<Meeting> {
        let vector = self.motion.vector();
        let front_only = self.sides == Sides::Front && !self.motion.is_zero();
        if front_only && target.is_left_by(vector) {
            return None;
        }
        let radius = self.view.radius + target.rounding();
        let way = Approach::new(self.view.half_axis, radius, self.motion, limit);
        let flats = target.flats::<L>(&way);
        match flats.outcome {
            Outcome::Clear => return None,
            Outcome::Resting => return self.resting(target),
            Outcome::Entered(_) | Outcome::Open => {}
        }
        if !flats.start_is_clear {
            match self.at_start(target, front_only, limit) {
                AtStart::Apart => {}
                AtStart::Settled(meeting) => return meeting,
            }
        }
        let entry = target.enter::<L>(&way, &flats)?;
        Some(Meeting::Enters(Entry { time: entry.time.min(1.0), ..entry }))
    }

    /// A touch at the start, by an end of the axis alone, of the inside of a face.
    #[inline(always)]
    fn resting(&self, target: &impl Target) -> Option<Meeting> {
        let contact = Contact::under_end(target, &self.view.axis())?;
        self.presses(&contact).then_some(Meeting::Touches { on_face: true })
    }

    fn at_start(&self, target: &impl Target, front_only: bool, limit: f64) -> AtStart {
        let nearest = target.nearest(&self.view.axis());
        let distance = nearest.distance_squared().sqrt();
        let gap = distance - (self.view.radius + target.rounding());
        if gap > BOUND {
            // A plane across the shortest way between two convex bodies keeps them apart until the gap is closed along that way. Half of it is
            // far more than the way is unsure.
            let way = nearest.on_target - nearest.on_axis;
            let closed = way.dot(self.motion.vector()) / distance * limit;
            let misses = closed < 0.5 * gap - BOUND;
            return if misses { AtStart::Settled(None) } else { AtStart::Apart };
        }
        match gap_at(self.view, target, nearest) {
            Gap::Overlapping { depth, contact } => {
                let leaves = target.is_solid() && !self.presses(&contact);
                let skipped = front_only && leaves;
                AtStart::Settled((!skipped).then_some(Meeting::Overlaps { depth }))
            }
            Gap::Apart { gap, contact } if gap <= BOUND => AtStart::Settled(
                self.presses(&contact).then_some(Meeting::Touches { on_face: false }),
            ),
            Gap::Apart { .. } => AtStart::Apart,
        }
    }

    /// Whether the motion runs against the contact's normal, and not merely along the surface.
    fn presses(&self, contact: &Contact) -> bool {
        let slope = LEVEL + contact.unsure();
        -contact.normal.dot(self.motion.vector()) > slope * self.motion.length()
    }

    /// Where and when they meet, and how deep.
    #[inline]
    fn contact(&self, target: &impl Target, meeting: Meeting) -> (f64, f64, Contact) {
        match meeting {
            Meeting::Enters(entry) => (entry.time, 0.0, self.contact_at(target, entry)),
            Meeting::Touches { on_face: true } => {
                (0.0, 0.0, self.contact_at(target, Entry { time: 0.0, on_face: true }))
            }
            Meeting::Overlaps { .. } | Meeting::Touches { .. } => match gap(self.view, target) {
                Gap::Overlapping { depth, contact } => (0.0, depth, contact),
                Gap::Apart { contact, .. } => (0.0, 0.0, contact),
            },
        }
    }

    /// The normal of a meeting with `target`, before it is rounded.
    pub(crate) fn normal(&self, target: &impl Target, meeting: Meeting) -> DVec3 {
        self.contact(target, meeting).2.normal
    }

    /// Everything about a meeting with `target`.
    #[inline(always)]
    pub(crate) fn report(&self, target: &impl Target, meeting: Meeting) -> SweepHit {
        let (time, depth, contact) = self.contact(target, meeting);
        let normal = contact.normal;
        let distance = time * self.motion.length();
        let mut hit = contact.report(self.view, target).sweep(time, distance, depth);
        if !hit.starts_overlapping() {
            let rounded = self.rounded_against_motion(normal);
            if hit.face_normal == hit.normal {
                hit.face_normal = rounded;
            }
            hit.normal = rounded;
        }
        hit
    }

    /// A contact normal in f32. It opposes the motion, and does so rounded: near a graze it is
    /// turned by 2·10⁻⁷, some ulps, if rounding has turned it along the motion.
    fn rounded_against_motion(&self, normal: DVec3) -> Vec3 {
        let rounded = normal.as_vec3();
        if rounded.as_dvec3().dot(self.motion.vector()) <= 0.0 {
            return rounded;
        }
        self.motion.direction().map_or(rounded, |direction| (normal - direction * NUDGE).as_vec3())
    }

    #[inline]
    fn contact_at(&self, target: &impl Target, entry: Entry) -> Contact {
        let axis = self.view.axis().moved(self.motion.vector() * entry.time);
        if entry.on_face
            && let Some(contact) = Contact::under_end(target, &axis)
        {
            return contact;
        }
        let backwards = self.motion.direction().map_or(DVec3::Z, |along| -along);
        Contact::of(target, &axis, target.nearest(&axis), backwards)
    }
}

/// First touch of `motion`, under the contract.
pub(crate) fn sweep(
    view: &View,
    motion: &Motion,
    target: &impl Target,
    sides: Sides,
) -> Option<SweepHit> {
    let sweep = Sweep::new(view, motion, sides);
    let meeting = sweep.meet_up_to(target, sweep.end())?;
    Some(sweep.report(target, meeting))
}

struct Meet<'a, T> {
    sweep: Sweep<'a>,
    target: &'a T,
    limit: f64,
}

impl<T: Target> Kernel for Meet<'_, T> {
    type Output = Option<Meeting>;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Option<Meeting> {
        self.sweep.meet::<L>(self.target, self.limit)
    }
}
