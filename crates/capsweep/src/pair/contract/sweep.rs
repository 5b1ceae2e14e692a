//! How a moving capsule meets a target.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::kernel::Segment;
use crate::kernel::{ContactSite, Entry, Outcome, SweepInput};
use crate::math::{F32x8, Kernel, dispatch};
use crate::pair::contract::contact::{Contact, Part, Source};
use crate::pair::contract::gap::{Gap, Measure, gap_at};
use crate::pair::contract::{CapsuleFrame, Target};
use crate::tolerance::{CLOSEST_POINT_ERROR, CONTACT_TOLERANCE, END_SLACK, NUDGE, TANGENT_SLOPE};
use crate::{Motion, Sides, SweepHit};
use glam::{DVec3, Vec3};

/// How a sweep meets a target: what decides between targets, before anything is reported.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Impact {
    /// They overlap at the start.
    Overlaps { depth: f64 },
    /// They touch at the start, and the motion presses on.
    Touches {
        /// As in [`Entry`]: on a face the normal is the plane's.
        spot: ContactSite,
    },
    /// They first touch then.
    Enters(Entry),
}

impl Impact {
    /// When they meet.
    pub(crate) fn time(self) -> f64 {
        match self {
            Self::Overlaps { .. } | Self::Touches { .. } => 0.0,
            Self::Enters(entry) => entry.time,
        }
    }

    /// When and where, unless it is at the start and anywhere.
    #[inline(always)]
    fn entry(self) -> Option<Entry> {
        match self {
            Self::Enters(entry) => Some(entry),
            Self::Touches { spot: spot @ ContactSite::Face } => Some(Entry { time: 0.0, spot }),
            Self::Overlaps { .. } | Self::Touches { .. } => None,
        }
    }
}

/// Where a sweep meets a target: what decides between those that tie, and what is reported of the one that is shown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ImpactContact {
    time: f64,
    depth: f64,
    contact: Contact,
}

impl ImpactContact {
    /// The normal, before it is rounded.
    pub(crate) fn normal(&self) -> DVec3 {
        self.contact.normal
    }
}

/// How a sweep meets a target at its start.
enum AtStart {
    /// Not yet: they are further apart than the bound.
    Apart,
    /// They overlap or touch, or will not meet: `None` too if the motion leads out or along, and later meets nothing.
    Settled(Option<Impact>),
}

/// What is swept, and how far it is of interest.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sweep<'a> {
    pub(crate) view: &'a CapsuleFrame,
    pub(crate) motion: &'a Motion,
    pub(crate) sides: Sides,
    /// Whether hits say where on a triangle they are.
    pub(crate) weights: bool,
    /// Whether it is known that the capsule starts further than the bound from what it is asked to meet.
    pub(crate) starts_apart: bool,
    /// The end of the motion, with the slack that makes it inclusive.
    pub(crate) end: f64,
}

impl<'a> Sweep<'a> {
    pub(crate) fn new(view: &'a CapsuleFrame, motion: &'a Motion, sides: Sides) -> Self {
        let end = if motion.is_zero() { 1.0 } else { 1.0 + END_SLACK / motion.length() };
        // The quotient of a motion near the smallest f64 overflows; it is late enough as it is.
        let end = end.min(f64::MAX);
        Self { view, motion, sides, weights: true, starts_apart: false, end }
    }

    /// Whose hits say where on a triangle they are if `weights` does.
    pub(crate) fn with_weights(self, weights: bool) -> Self {
        Self { weights, ..self }
    }

    /// How the sweep meets `target` up to the time `limit`, under the contract.
    pub(crate) fn meet_up_to(&self, target: &impl Target, limit: f64) -> Option<Impact> {
        dispatch(FindImpact { sweep: *self, target, limit })
    }

    /// As [`Sweep::meet_up_to`], for code that runs with these lanes already.
    #[inline(always)]
    pub(crate) fn find_impact<L: F32x8>(&self, target: &impl Target, limit: f64) -> Option<Impact> {
        let radius = self.view.radius + target.rounding();
        // Up to the end, whatever the limit: what a motion that all but runs along a face meets must not depend on what was met before.
        let way = SweepInput::new(self.view.half_axis, radius, self.motion, self.end);
        let flats = target.flats::<L>(&way);
        match flats.outcome {
            Outcome::Clear => return None,
            Outcome::Resting { speed } => {
                return self
                    .is_pressed(speed, TANGENT_SLOPE)
                    .then_some(Impact::Touches { spot: ContactSite::Face });
            }
            Outcome::Entered(_) | Outcome::Open => {}
        }
        if !flats.start_is_clear && !self.starts_apart {
            match L::call(Start { sweep: *self, target: *target, limit }) {
                AtStart::Apart => {}
                AtStart::Settled(impact) => return impact,
            }
        }
        let entry = target.enter::<L>(&way, &flats).filter(|entry| entry.time <= limit)?;
        Some(Impact::Enters(Entry { time: entry.time.min(1.0), ..entry }))
    }

    #[inline(always)]
    fn at_start<L: F32x8>(&self, target: &impl Target, limit: f64) -> AtStart {
        let nearest = target.nearest::<L>(&self.view.axis());
        let distance = nearest.distance_squared().sqrt();
        let gap = distance - (self.view.radius + target.rounding());
        if gap > CONTACT_TOLERANCE {
            // A plane across the shortest way between two convex bodies keeps them apart until the gap is closed along that way, which points
            // as far aside as its ends may be off.
            let way = nearest.on_target - nearest.on_axis;
            let along = way.dot(self.motion.vector()) + CLOSEST_POINT_ERROR * self.motion.length();
            let closed = along / distance * limit;
            let misses = closed < 0.5 * gap - CONTACT_TOLERANCE;
            return if misses { AtStart::Settled(None) } else { AtStart::Apart };
        }
        match gap_at::<L>(self.view, target, nearest, Part::Normal) {
            Gap::Overlapping { depth, contact } => {
                let front_only = self.sides == Sides::Front && !self.motion.is_zero();
                let leaves = target.is_solid() && !self.presses_on::<L>(target, &contact);
                let skipped = front_only && leaves;
                AtStart::Settled((!skipped).then_some(Impact::Overlaps { depth }))
            }
            Gap::Apart { gap, contact } if gap <= CONTACT_TOLERANCE => {
                let presses = self.presses_on::<L>(target, &contact);
                AtStart::Settled(presses.then_some(Impact::Touches { spot: ContactSite::Anywhere }))
            }
            Gap::Apart { .. } => AtStart::Apart,
        }
    }

    /// As [`Sweep::presses`], of a contact at the start of which the normal is known. It takes its points only where rounding may have turned
    /// that as far as the motion leads into the surface.
    #[inline(always)]
    fn presses_on<L: F32x8>(&self, target: &impl Target, contact: &Contact) -> bool {
        let Source::Points { apart } = contact.source else { return self.presses(contact) };
        let pressed = -contact.normal.dot(self.motion.vector());
        // Points of a line contact are no further from the middle than half of the axis, and the distance between them.
        let furthest = self.view.half_axis.abs().element_sum() + apart;
        let doubtful =
            2.0 * (TANGENT_SLOPE * apart + 16.0 * f64::EPSILON * furthest) * self.motion.length();
        if pressed <= 0.0 || pressed * apart > doubtful {
            return pressed > 0.0;
        }
        let nearest = target.line_contact::<L>(&self.view.axis(), contact.nearest);
        self.presses(&Contact { nearest, ..*contact })
    }

    /// Whether the motion runs against the contact's normal, and not merely along the surface.
    fn presses(&self, contact: &Contact) -> bool {
        let speed = -contact.normal.dot(self.motion.vector());
        self.is_pressed(speed, TANGENT_SLOPE + contact.unsure())
    }

    /// Whether a motion that runs against a surface with this speed does so by more than a slope.
    #[inline]
    fn is_pressed(&self, speed: f64, slope: f64) -> bool {
        speed > slope * self.motion.length()
    }

    /// Where and when they meet, and how deep; of a line contact that is entered, the points may be any of the line's.
    #[inline(always)]
    pub(crate) fn met<L: F32x8>(&self, target: &impl Target, impact: Impact) -> ImpactContact {
        let Some(entry) = impact.entry() else { return self.met_at_start::<L>(target) };
        let contact = self.under_end::<L>(target, entry);
        let contact = contact.unwrap_or_else(|| self.touch::<L>(target, entry.time, Part::Normal));
        ImpactContact { time: entry.time, depth: 0.0, contact }
    }

    #[inline(always)]
    fn met_at_start<L: F32x8>(&self, target: &impl Target) -> ImpactContact {
        match L::call(Measure { view: self.view, target: *target }) {
            Gap::Overlapping { depth, contact } => ImpactContact { time: 0.0, depth, contact },
            Gap::Apart { contact, .. } => ImpactContact { time: 0.0, depth: 0.0, contact },
        }
    }

    /// As [`Sweep::met`], with the lanes that there are.
    pub(crate) fn find_met(&self, target: &impl Target, impact: Impact) -> ImpactContact {
        dispatch(FindImpactContact { sweep: self, target, impact })
    }

    /// The first touch of `target`, under the contract.
    pub(crate) fn first_touch(&self, target: &impl Target) -> Option<SweepHit> {
        let impact = self.meet_up_to(target, self.end)?;
        Some(self.describe(target, impact))
    }

    /// Everything about a meeting with `target`.
    pub(crate) fn describe(&self, target: &impl Target, impact: Impact) -> SweepHit {
        dispatch(Describe { sweep: self, target, impact })
    }

    /// As [`Sweep::describe`], for code that runs with these lanes already.
    #[inline(always)]
    pub(crate) fn report<L: F32x8>(&self, target: &impl Target, impact: Impact) -> SweepHit {
        let Some(entry) = impact.entry() else {
            return self.told::<L>(target, self.met_at_start::<L>(target));
        };
        let (time, sweep) = (entry.time, *self);
        let contact = self.under_end::<L>(target, entry);
        let contact = contact.unwrap_or_else(|| L::call(Touch { sweep, target: *target, time }));
        self.told::<L>(target, ImpactContact { time, depth: 0.0, contact })
    }

    /// As [`Sweep::report`], of what they [met](Sweep::met).
    #[inline(always)]
    pub(crate) fn report_met<L: F32x8>(
        &self,
        target: &impl Target,
        impact: Impact,
        met: &ImpactContact,
    ) -> SweepHit {
        let contact = match impact.entry() {
            Some(entry) => met.contact.in_middle::<L>(target, &self.axis_at(entry.time)),
            None => met.contact,
        };
        self.told::<L>(target, ImpactContact { contact, ..*met })
    }

    #[inline(always)]
    fn told<L: F32x8>(&self, target: &impl Target, met: ImpactContact) -> SweepHit {
        let ImpactContact { time, depth, contact } = met;
        let distance = time * self.motion.length();
        let normal = if depth > 0.0 {
            contact.normal.as_vec3()
        } else {
            self.rounded_against_motion(contact.normal)
        };
        let report = contact.report::<L>(self.view, target, self.weights);
        report.sweep(normal, time, distance, depth)
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

    /// The contact of an entry that is known to be of one end of the axis, and on a face.
    #[inline(always)]
    fn under_end<L: F32x8>(&self, target: &impl Target, entry: Entry) -> Option<Contact> {
        let is_on_face = entry.spot == ContactSite::Face;
        let axis = self.axis_at(entry.time);
        is_on_face.then(|| Contact::under_end::<L>(target, &axis, self.motion.vector())).flatten()
    }

    /// The contact with `target` at a time, wherever on it.
    #[inline(always)]
    fn touch<L: F32x8>(&self, target: &impl Target, time: f64, part: Part) -> Contact {
        let axis = self.axis_at(time);
        let backwards = || self.motion.direction().map_or(DVec3::Z, |along| -along);
        Contact::of::<L>(target, &axis, target.nearest::<L>(&axis), part, backwards)
    }

    fn axis_at(&self, time: f64) -> Segment {
        self.view.axis().moved(self.motion.vector() * time)
    }
}

/// First touch of `motion`, under the contract.
pub(crate) fn sweep(
    view: &CapsuleFrame,
    motion: &Motion,
    target: &impl Target,
    sides: Sides,
) -> Option<SweepHit> {
    Sweep::new(view, motion, sides).first_touch(target)
}

/// How the sweep meets `target` at its start.
struct Start<'a, T> {
    sweep: Sweep<'a>,
    target: T,
    limit: f64,
}

impl<T: Target> Kernel for Start<'_, T> {
    type Output = AtStart;

    #[inline(always)]
    fn run<L: F32x8>(self) -> AtStart {
        self.sweep.at_start::<L>(&self.target, self.limit)
    }
}

/// All of the contact with `target` at a time, wherever on it.
struct Touch<'a, T> {
    sweep: Sweep<'a>,
    target: T,
    time: f64,
}

impl<T: Target> Kernel for Touch<'_, T> {
    type Output = Contact;

    #[inline(always)]
    fn run<L: F32x8>(self) -> Contact {
        self.sweep.touch::<L>(&self.target, self.time, Part::All)
    }
}

struct Describe<'a, T> {
    sweep: &'a Sweep<'a>,
    target: &'a T,
    impact: Impact,
}

impl<T: Target> Kernel for Describe<'_, T> {
    type Output = SweepHit;

    #[inline(always)]
    fn run<L: F32x8>(self) -> SweepHit {
        self.sweep.report::<L>(self.target, self.impact)
    }
}

struct FindImpactContact<'a, T> {
    sweep: &'a Sweep<'a>,
    target: &'a T,
    impact: Impact,
}

impl<T: Target> Kernel for FindImpactContact<'_, T> {
    type Output = ImpactContact;

    #[inline(always)]
    fn run<L: F32x8>(self) -> ImpactContact {
        self.sweep.met::<L>(self.target, self.impact)
    }
}

struct FindImpact<'a, T> {
    sweep: Sweep<'a>,
    target: &'a T,
    limit: f64,
}

impl<T: Target> Kernel for FindImpact<'_, T> {
    type Output = Option<Impact>;

    #[inline(always)]
    fn run<L: F32x8>(self) -> Option<Impact> {
        self.sweep.find_impact::<L>(self.target, self.limit)
    }
}

#[cfg(test)]
mod tests {
    use super::{Impact, Sweep};
    use crate::pair::contract::CapsuleFrame;
    use crate::pair::target::TriangleTarget;
    use crate::{Capsule, Motion, Sides, Triangle};
    use glam::DVec3;

    /// A needle of a capsule that all but runs along a tiny triangle: asked up to a time before it enters the face, it was said to touch an
    /// edge, by the breadth of its border.
    #[test]
    fn what_is_met_does_not_depend_on_the_limit() {
        let capsule = Capsule::from_center(
            DVec3::new(-2.675_017_287_102_134_5, 5.011_790_926_516_419, 17.471_088_728_375_072),
            DVec3::new(3.402_258_975_815_739_6, -6.371_664_501_979_793, -22.210_040_670_210_294),
            5.885_485_3e-6,
        );
        let triangle = Triangle::new(
            DVec3::new(
                0.000_653_331_628_504_084_2,
                -6.047_398_119_249_668_6e-5,
                -0.001_745_878_213_046_147,
            ),
            DVec3::new(
                0.000_818_681_653_460_235,
                8.768_241_447_189_745e-5,
                0.000_167_180_727_962_436_51,
            ),
            DVec3::new(
                0.001_183_794_279_630_841_4,
                -0.000_151_413_188_150_432_15,
                0.000_690_285_475_924_802,
            ),
        );
        let motion = Motion::new(DVec3::new(
            -0.065_377_471_581_211_86,
            0.041_903_438_263_729_49,
            -0.099_611_120_478_414_06,
        ));
        let (Ok(capsule), Ok(triangle), Ok(motion)) = (capsule, triangle, motion) else {
            unreachable!("all are in range")
        };
        let view = CapsuleFrame::of(&capsule);
        let sweep = Sweep::new(&view, &motion, Sides::Front);
        let target = TriangleTarget::new(&view, &triangle);
        let met = sweep.meet_up_to(&target, sweep.end).map(Impact::time);
        assert!(met.is_some());
        for limit in [1e-5, 1e-4, 5e-4, 1e-3, 2e-3, 1e-2, 1.0] {
            let up_to = sweep.meet_up_to(&target, limit).map(Impact::time);
            assert_eq!(up_to, met.filter(|time| *time <= limit), "up to {limit}");
        }
    }
}
