//! The sweep of a capsule against a target: the time of impact, then its contact and hit.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::kernel::RelativeSegment;
use crate::kernel::{ContactSite, Entry, FlatOutcome, SweepInput};
use crate::math::{F32x8, with_lanes};
use crate::pair::contract::contact::{Detail, NormalSource, PairContact};
use crate::pair::contract::gap::{Gap, gap_at, gap_with};
use crate::pair::contract::{CapsuleFrame, Target};
use crate::tolerance::{
    CLOSEST_POINT_ERROR, CONTACT_TOLERANCE, END_SLACK, NORMAL_CORRECTION, TANGENT_SLOPE,
};
use crate::{Motion, Sides, SweepHit};
use glam::{DVec3, Vec3};

/// The kind and time of a sweep's first touch: enough to rank targets, without the contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Impact {
    /// They overlap at the start.
    Overlaps { depth: f64 },
    /// They touch at the start, and the motion presses into the target.
    Touches {
        /// On a face the normal is the plane's.
        site: ContactSite,
    },
    /// They first touch during the motion.
    Enters(Entry),
}

impl Impact {
    /// Fraction of the motion at the impact.
    pub(crate) fn time(self) -> f64 {
        match self {
            Self::Overlaps { .. } | Self::Touches { .. } => 0.0,
            Self::Enters(entry) => entry.time,
        }
    }

    /// Time and site; `None` for an impact at the start at an unknown site.
    #[inline(always)]
    fn entry(self) -> Option<Entry> {
        match self {
            Self::Enters(entry) => Some(entry),
            Self::Touches { site: site @ ContactSite::Face } => Some(Entry { time: 0.0, site }),
            Self::Overlaps { .. } | Self::Touches { .. } => None,
        }
    }
}

/// The contact of an impact: it decides between targets that tie, and becomes the hit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ImpactContact {
    time: f64,
    depth: f64,
    contact: PairContact,
}

impl ImpactContact {
    /// The contact normal in f64.
    pub(crate) fn normal(&self) -> DVec3 {
        self.contact.normal
    }
}

/// The state of a sweep at its start.
enum StartState {
    /// Capsule and target are further apart than the tolerance.
    Apart,
    /// The start decides. `None` if the motion cannot close the gap, or leads out or along.
    Decided(Option<Impact>),
}

/// The input of a sweep against any target.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sweep<'a> {
    pub(crate) frame: &'a CapsuleFrame,
    pub(crate) motion: &'a Motion,
    pub(crate) sides: Sides,
    /// Whether hits carry barycentrics.
    pub(crate) wants_barycentrics: bool,
    /// Whether the capsule is known to start further than the tolerance from the target.
    pub(crate) starts_apart: bool,
    /// The end of the motion (time), with the slack that makes it inclusive.
    pub(crate) end: f64,
}

impl<'a> Sweep<'a> {
    pub(crate) fn new(frame: &'a CapsuleFrame, motion: &'a Motion, sides: Sides) -> Self {
        let end = if motion.is_zero() { 1.0 } else { 1.0 + END_SLACK / motion.length() };
        // The quotient overflows for motions near the smallest f64; f64::MAX is late enough.
        let end = end.min(f64::MAX);
        Self { frame, motion, sides, wants_barycentrics: true, starts_apart: false, end }
    }

    /// The same sweep, whose hits carry barycentrics if `wanted`.
    pub(crate) fn with_barycentrics(self, wanted: bool) -> Self {
        Self { wants_barycentrics: wanted, ..self }
    }

    /// The impact with `target` up to the time `limit`, by the contract.
    pub(crate) fn find_impact(&self, target: &impl Target, limit: f64) -> Option<Impact> {
        with_lanes!(|L| self.find_impact_with::<L>(target, limit))
    }

    /// [`Sweep::find_impact`], for code that runs with the lanes `L`.
    #[inline(always)]
    pub(crate) fn find_impact_with<L: F32x8>(
        &self,
        target: &impl Target,
        limit: f64,
    ) -> Option<Impact> {
        let radius = self.frame.radius + target.convex_radius();
        // Solve to the end, whatever the limit. Otherwise an earlier hit on another target, which
        // lowers the limit, could change the impact of a motion that nearly runs along a face.
        let input = SweepInput::new(self.frame.half_axis, radius, self.motion, self.end);
        let flats = target.test_flats::<L>(&input);
        match flats.outcome {
            FlatOutcome::Separated => return None,
            FlatOutcome::Resting { speed } => {
                return self
                    .is_pressed(speed, TANGENT_SLOPE)
                    .then_some(Impact::Touches { site: ContactSite::Face });
            }
            FlatOutcome::Entered(_) | FlatOutcome::Undecided => {}
        }
        if !flats.start_is_clear && !self.starts_apart {
            // By value: a target that a call can reach by reference would have to live in memory.
            let (sweep, target) = (*self, *target);
            let start = L::call(
                #[inline(always)]
                move || sweep.start_state::<L>(&target, limit),
            );
            match start {
                StartState::Apart => {}
                StartState::Decided(impact) => return impact,
            }
        }
        let entry = target.enter::<L>(&input, &flats).filter(|entry| entry.time <= limit)?;
        Some(Impact::Enters(Entry { time: entry.time.min(1.0), ..entry }))
    }

    #[inline(always)]
    fn start_state<L: F32x8>(&self, target: &impl Target, limit: f64) -> StartState {
        let nearest = target.closest_pair::<L>(&self.frame.axis());
        let distance = nearest.distance_squared().sqrt();
        let gap = distance - (self.frame.radius + target.convex_radius());
        if gap > CONTACT_TOLERANCE {
            // A plane across the shortest connection of two convex bodies separates them until the
            // motion closes the gap along it. The direction is as uncertain as the points.
            let to_target = nearest.on_target - nearest.on_axis;
            let along =
                to_target.dot(self.motion.vector()) + CLOSEST_POINT_ERROR * self.motion.length();
            let closed = along / distance * limit;
            let misses = closed < 0.5 * gap - CONTACT_TOLERANCE;
            return if misses { StartState::Decided(None) } else { StartState::Apart };
        }
        match gap_at::<L>(self.frame, target, nearest, Detail::Normal) {
            Gap::Overlapping { depth, contact } => {
                let front_only = self.sides == Sides::Front && !self.motion.is_zero();
                let leaves = target.is_solid() && !self.presses_at_start::<L>(target, &contact);
                let skipped = front_only && leaves;
                StartState::Decided((!skipped).then_some(Impact::Overlaps { depth }))
            }
            Gap::Apart { gap, contact } if gap <= CONTACT_TOLERANCE => {
                let presses = self.presses_at_start::<L>(target, &contact);
                let touch = Impact::Touches { site: ContactSite::Unknown };
                StartState::Decided(presses.then_some(touch))
            }
            Gap::Apart { .. } => StartState::Apart,
        }
    }

    /// [`Sweep::presses`], for a contact at the start of which only the normal is known.
    ///
    /// The points of a line contact are computed only where the rounding of the normal may decide.
    #[inline(always)]
    fn presses_at_start<L: F32x8>(&self, target: &impl Target, contact: &PairContact) -> bool {
        let NormalSource::ClosestPoints { distance } = contact.source else {
            return self.presses(contact);
        };
        let pressed = -contact.normal.dot(self.motion.vector());
        // No point of a line contact is further from the centre than half of the axis plus the
        // distance of the points.
        let furthest = self.frame.half_axis.abs().element_sum() + distance;
        let doubtful = 2.0
            * (TANGENT_SLOPE * distance + 16.0 * f64::EPSILON * furthest)
            * self.motion.length();
        if pressed <= 0.0 || pressed * distance > doubtful {
            return pressed > 0.0;
        }
        let nearest = target.line_contact::<L>(&self.frame.axis(), contact.nearest);
        self.presses(&PairContact { nearest, ..*contact })
    }

    /// Whether the motion leads against the contact normal, beyond rounding, and not just along
    /// the surface.
    fn presses(&self, contact: &PairContact) -> bool {
        let speed = -contact.normal.dot(self.motion.vector());
        self.is_pressed(speed, TANGENT_SLOPE + contact.normal_error())
    }

    /// Whether a motion with this speed against a surface (metres in unit time) is steeper than
    /// `slope`.
    #[inline]
    fn is_pressed(&self, speed: f64, slope: f64) -> bool {
        speed > slope * self.motion.length()
    }

    /// The contact of an impact.
    pub(crate) fn find_contact(&self, target: &impl Target, impact: Impact) -> ImpactContact {
        with_lanes!(|L| self.find_contact_with::<L>(target, impact))
    }

    /// [`Sweep::find_contact`], for code that runs with the lanes `L`. In a line contact that is
    /// entered, the points may be any of the line's.
    #[inline(always)]
    pub(crate) fn find_contact_with<L: F32x8>(
        &self,
        target: &impl Target,
        impact: Impact,
    ) -> ImpactContact {
        let Some(entry) = impact.entry() else { return self.contact_at_start::<L>(target) };
        let contact = self.contact_on_face::<L>(target, entry);
        let contact =
            contact.unwrap_or_else(|| self.contact_at::<L>(target, entry.time, Detail::Normal));
        ImpactContact { time: entry.time, depth: 0.0, contact }
    }

    #[inline(always)]
    fn contact_at_start<L: F32x8>(&self, target: &impl Target) -> ImpactContact {
        // By value, as in `find_impact_with`.
        let (frame, target) = (self.frame, *target);
        let gap = L::call(
            #[inline(always)]
            move || gap_with::<L, _>(frame, target),
        );
        match gap {
            Gap::Overlapping { depth, contact } => ImpactContact { time: 0.0, depth, contact },
            Gap::Apart { contact, .. } => ImpactContact { time: 0.0, depth: 0.0, contact },
        }
    }

    /// The first hit on `target`, by the contract.
    pub(crate) fn first_hit(&self, target: &impl Target) -> Option<SweepHit> {
        let impact = self.find_impact(target, self.end)?;
        Some(self.hit(target, impact))
    }

    /// The hit of an impact.
    pub(crate) fn hit(&self, target: &impl Target, impact: Impact) -> SweepHit {
        with_lanes!(|L| self.hit_with::<L>(target, impact))
    }

    /// [`Sweep::hit`], for code that runs with the lanes `L`.
    #[inline(always)]
    pub(crate) fn hit_with<L: F32x8>(&self, target: &impl Target, impact: Impact) -> SweepHit {
        let Some(entry) = impact.entry() else {
            return self.make_hit::<L>(target, self.contact_at_start::<L>(target));
        };
        let (time, sweep) = (entry.time, *self);
        let contact = self.contact_on_face::<L>(target, entry).unwrap_or_else(|| {
            // By value, as in `find_impact_with`.
            let target = *target;
            L::call(
                #[inline(always)]
                move || sweep.contact_at::<L>(&target, time, Detail::Points),
            )
        });
        self.make_hit::<L>(target, ImpactContact { time, depth: 0.0, contact })
    }

    /// [`Sweep::hit_with`], where the contact is known from [`Sweep::find_contact`].
    #[inline(always)]
    pub(crate) fn hit_from_contact<L: F32x8>(
        &self,
        target: &impl Target,
        impact: Impact,
        found: &ImpactContact,
    ) -> SweepHit {
        let contact = match impact.entry() {
            Some(entry) => found.contact.at_line_middle::<L>(target, &self.axis_at(entry.time)),
            None => found.contact,
        };
        self.make_hit::<L>(target, ImpactContact { contact, ..*found })
    }

    #[inline(always)]
    fn make_hit<L: F32x8>(&self, target: &impl Target, found: ImpactContact) -> SweepHit {
        let ImpactContact { time, depth, contact } = found;
        let distance = time * self.motion.length();
        let normal = if depth > 0.0 {
            contact.normal.as_vec3()
        } else {
            self.rounded_against_motion(contact.normal)
        };
        let in_world = contact.in_world::<L>(self.frame, target, self.wants_barycentrics);
        in_world.into_sweep_hit(normal, time, distance, depth)
    }

    /// A contact normal in f32 that still opposes the motion.
    ///
    /// Near a graze, rounding may turn the normal along the motion. Then it is turned back by
    /// 2·10⁻⁷, a few ulps.
    fn rounded_against_motion(&self, normal: DVec3) -> Vec3 {
        let rounded = normal.as_vec3();
        if rounded.as_dvec3().dot(self.motion.vector()) <= 0.0 {
            return rounded;
        }
        self.motion
            .direction()
            .map_or(rounded, |direction| (normal - direction * NORMAL_CORRECTION).as_vec3())
    }

    /// The contact of an entry that is known to be one end of the axis on a face.
    #[inline(always)]
    fn contact_on_face<L: F32x8>(
        &self,
        target: &impl Target,
        entry: Entry,
    ) -> Option<PairContact> {
        let is_on_face = entry.site == ContactSite::Face;
        let axis = self.axis_at(entry.time);
        is_on_face
            .then(|| PairContact::end_on_face::<L>(target, &axis, self.motion.vector()))
            .flatten()
    }

    /// The contact with `target` at a time, at any site.
    #[inline(always)]
    fn contact_at<L: F32x8>(
        &self,
        target: &impl Target,
        time: f64,
        detail: Detail,
    ) -> PairContact {
        let axis = self.axis_at(time);
        let backwards = || self.motion.direction().map_or(DVec3::Z, |along| -along);
        PairContact::new::<L>(target, &axis, target.closest_pair::<L>(&axis), detail, backwards)
    }

    fn axis_at(&self, time: f64) -> RelativeSegment {
        self.frame.axis().moved(self.motion.vector() * time)
    }
}

/// First hit of `motion` on `target`, by the contract.
pub(crate) fn sweep(
    frame: &CapsuleFrame,
    motion: &Motion,
    target: &impl Target,
    sides: Sides,
) -> Option<SweepHit> {
    Sweep::new(frame, motion, sides).first_hit(target)
}

#[cfg(test)]
mod tests {
    use super::{Impact, Sweep};
    use crate::pair::contract::CapsuleFrame;
    use crate::pair::target::TriangleTarget;
    use crate::{Capsule, Motion, Sides, Triangle};
    use glam::DVec3;

    /// A thin, long capsule runs almost along a tiny triangle. Asked up to a time before it enters
    /// the face, the solver once reported an edge, within the width of the face's border.
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
        let frame = CapsuleFrame::new(&capsule);
        let sweep = Sweep::new(&frame, &motion, Sides::Front);
        let target = TriangleTarget::new(&frame, &triangle);
        let full = sweep.find_impact(&target, sweep.end).map(Impact::time);
        assert!(full.is_some());
        for limit in [1e-5, 1e-4, 5e-4, 1e-3, 2e-3, 1e-2, 1.0] {
            let up_to = sweep.find_impact(&target, limit).map(Impact::time);
            assert_eq!(up_to, full.filter(|time| *time <= limit), "up to {limit}");
        }
    }
}
