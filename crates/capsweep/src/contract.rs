//! The contract, written once for every pair: what counts as overlapping, as touching and as a
//! hit, and what is reported then. `docs/conventions.md` says it in words.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::closest::{Nearest, Segment};
use crate::overlap::PushOut;
use crate::simd::{Kernel, Lanes, dispatch};
use crate::sweep::{Approach, Entry, Flats, Outcome};
use crate::tolerance::{BOUND, END_SLACK, LEVEL, NOTHING, NUDGE, PIERCE};
use crate::{Capsule, ClosestPoints, Feature, Motion, Overlap, Region, Sides, SweepHit};
use glam::{DVec3, Vec3};

/// A target seen from the capsule's centre: a core (polygon, box, half-space) and a radius
/// around it.
pub(crate) trait Target {
    /// Radius around the core; 0 where the core is the shape.
    fn rounding(&self) -> f64 {
        0.0
    }

    /// Whether a sweep by `motion` that wants only front sides skips this target unseen.
    fn is_left_by(&self, _motion: DVec3) -> bool {
        false
    }

    /// Closest points of the axis and the core.
    fn nearest(&self, axis: &Segment) -> Nearest;

    /// The middle of a line contact that `nearest` is part of, or `nearest` itself.
    fn line_contact(&self, _axis: &Segment, nearest: Nearest) -> Nearest {
        nearest
    }

    /// The contact of an axis whose nearer end, and nothing else, touches the inside of a face: the face's normal and the points.
    fn under_end(&self, _axis: &Segment) -> Option<(DVec3, Nearest)> {
        None
    }

    /// Shortest way for an axis centred on the origin to clear the core that it pierces.
    fn push_out(&self, half_axis: DVec3) -> PushOut;

    /// What the target's planes say of the sweep, if it has any.
    fn flats<L: Lanes>(&self, _way: &Approach) -> Flats {
        Flats::UNSEEN
    }

    /// Time of the first touch; the capsule is clear of the target at the start. `flats` are the target's own.
    fn enter<L: Lanes>(&self, way: &Approach, flats: &Flats) -> Option<Entry>;

    /// The touched face's own normal on the side of `normal`.
    fn face_normal(&self, normal: DVec3) -> DVec3 {
        normal
    }

    /// Weights of the triangle's vertices at a point on it.
    fn barycentrics(&self, _contact: &Nearest) -> Option<[f64; 3]> {
        None
    }

    /// Whether the target has an inside: solids that a motion leads out of are skipped in
    /// [`Sides::Front`], where for a surface [`Target::is_left_by`] has decided already.
    fn is_solid(&self) -> bool {
        true
    }
}

/// The capsule with its centre at the origin. Subtracting `p0` first keeps every difference as
/// exact as the inputs, so a sweep at x = 16 384 is as exact as at 0.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View {
    p0: DVec3,
    half_axis: DVec3,
    radius: f64,
}

impl View {
    pub(crate) fn of(capsule: &Capsule) -> Self {
        let half_axis = capsule.axis() * 0.5;
        Self { p0: capsule.p0(), half_axis, radius: f64::from(capsule.radius()) }
    }

    /// A world position seen from the capsule's centre.
    pub(crate) fn relative(&self, world: DVec3) -> DVec3 {
        (world - self.p0) - self.half_axis
    }

    fn world(&self, relative: DVec3) -> DVec3 {
        self.p0 + (relative + self.half_axis)
    }

    pub(crate) fn half_axis(&self) -> DVec3 {
        self.half_axis
    }

    pub(crate) fn radius(&self) -> f64 {
        self.radius
    }

    fn axis(&self) -> Segment {
        Segment { start: -self.half_axis, vector: self.half_axis * 2.0 }
    }

    fn region(&self, axis_t: f64) -> Region {
        if self.half_axis == DVec3::ZERO { Region::Sphere } else { Region::at(axis_t) }
    }
}

/// Where capsule and target meet, before it is turned into somebody's hit.
struct Contact {
    normal: DVec3,
    /// Distance of the points that the normal was made of; `None` if it was made otherwise.
    apart: Option<f64>,
    nearest: Nearest,
}

impl Contact {
    /// The contact of a target that the axis does not pierce. Only a capsule thinner than f64
    /// resolves there can be too close for a direction; its normal is then `otherwise`.
    #[inline]
    fn of(target: &impl Target, axis: &Segment, nearest: Nearest, otherwise: DVec3) -> Self {
        let apart = nearest.on_axis - nearest.on_target;
        let distance = apart.length();
        let normal = if distance > NOTHING { apart / distance } else { otherwise };
        Self { normal, apart: Some(distance), nearest: target.line_contact(axis, nearest) }
    }

    /// The contact of an axis whose nearer end, and nothing else, touches the inside of a face.
    #[inline(always)]
    fn under_end(target: &impl Target, axis: &Segment) -> Option<Self> {
        let (normal, nearest) = target.under_end(axis)?;
        Some(Self { normal, apart: None, nearest })
    }

    /// How far rounding may have turned the normal (no unit).
    fn unsure(&self) -> f64 {
        let size = self.nearest.on_axis.length() + self.nearest.on_target.length();
        self.apart.map_or(0.0, |apart| 8.0 * f64::EPSILON * size / apart)
    }
}

/// How far apart capsule and target are.
enum Gap {
    /// They overlap by `depth`, out along the contact's normal.
    Overlapping { depth: f64, contact: Contact },
    /// Their surfaces are `gap` apart, `−BOUND` or more.
    Apart { gap: f64, contact: Contact },
}

fn gap(view: &View, target: &impl Target) -> Gap {
    gap_at(view, target, target.nearest(&view.axis()))
}

/// As [`gap`], from the nearest points.
fn gap_at(view: &View, target: &impl Target, nearest: Nearest) -> Gap {
    let axis = view.axis();
    let reach = view.radius + target.rounding();
    let distance = nearest.distance_squared().sqrt();
    if counts_as_piercing(distance, reach) {
        return pierced(view, target);
    }
    let contact = Contact::of(target, &axis, nearest, DVec3::Z);
    if distance < reach - BOUND {
        Gap::Overlapping { depth: reach - distance, contact }
    } else {
        Gap::Apart { gap: distance - reach, contact }
    }
}

/// Whether an axis this far from a core pierces it, or all but does; `reach` is the sum of the radii.
fn counts_as_piercing(distance: f64, reach: f64) -> bool {
    // A capsule thinner than PIERCE can be that near without reaching the core.
    distance <= PIERCE && distance <= reach
}

/// Whether the axis pierces the target's core where it is, or all but does.
pub(crate) fn is_pierced(view: &View, target: &impl Target) -> bool {
    let distance = target.nearest(&view.axis()).distance_squared().sqrt();
    counts_as_piercing(distance, view.radius + target.rounding())
}

/// The axis pierces the core, or all but does. The contact is that of the capsule once pushed out, seen from where
/// the capsule is.
fn pierced(view: &View, target: &impl Target) -> Gap {
    let out = target.push_out(view.half_axis);
    let depth = out.depth + view.radius + target.rounding();
    let push = out.normal * depth;
    let pushed = view.axis().moved(push);
    let nearest = target.line_contact(&pushed, target.nearest(&pushed));
    let nearest = Nearest { on_axis: nearest.on_axis - push, ..nearest };
    let contact = Contact { normal: out.normal, apart: None, nearest };
    // A capsule about as thin as its distance is: rounding may find it just outside after all.
    if depth > 0.0 {
        Gap::Overlapping { depth, contact }
    } else {
        Gap::Apart { gap: -depth, contact }
    }
}

/// How a sweep meets a target: what decides between targets, before anything is reported.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Meeting {
    /// They overlap at the start.
    Overlaps { depth: f64 },
    /// They touch at the start, and the motion presses on.
    Touches {
        /// As in [`Entry`].
        on_face: bool,
    },
    /// They first touch then.
    Enters(Entry),
}

/// How a sweep meets a target at its start.
enum AtStart {
    /// Not yet: they are further apart than the bound.
    Apart,
    /// They overlap or touch; `None` if the motion leads out or along, and later meets nothing.
    InReach(Option<Meeting>),
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
            match self.at_start(target, front_only) {
                AtStart::Apart => {}
                AtStart::InReach(meeting) => return meeting,
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

    fn at_start(&self, target: &impl Target, front_only: bool) -> AtStart {
        let nearest = target.nearest(&self.view.axis());
        let distance = nearest.distance_squared().sqrt();
        if distance - (self.view.radius + target.rounding()) > BOUND {
            return AtStart::Apart;
        }
        match gap_at(self.view, target, nearest) {
            Gap::Overlapping { depth, contact } => {
                let leaves = target.is_solid() && !self.presses(&contact);
                let skipped = front_only && leaves;
                AtStart::InReach((!skipped).then_some(Meeting::Overlaps { depth }))
            }
            Gap::Apart { gap, contact } if gap <= BOUND => AtStart::InReach(
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

/// Overlap at the capsule's own pose, under the contract.
pub(crate) fn overlap(view: &View, target: &impl Target) -> Option<Overlap> {
    match gap(view, target) {
        Gap::Overlapping { depth, contact } => Some(contact.report(view, target).overlap(depth)),
        Gap::Apart { .. } => None,
    }
}

/// Closest points, under the contract.
pub(crate) fn closest(view: &View, target: &impl Target) -> ClosestPoints {
    match gap(view, target) {
        Gap::Overlapping { depth, contact } => contact.report(view, target).closest(-depth),
        Gap::Apart { gap, contact } => contact.report(view, target).closest(gap),
    }
}

/// Distance of the surfaces, as in [`closest`].
pub(crate) fn separation(view: &View, target: &impl Target) -> f64 {
    match gap(view, target) {
        Gap::Overlapping { depth, .. } => -depth,
        Gap::Apart { gap, .. } => gap,
    }
}

/// A contact in the world, as all three queries report it.
struct Report {
    /// In f64; hits round it to f32.
    normal: DVec3,
    point: DVec3,
    face_normal: Vec3,
    feature: Feature,
    barycentrics: Option<[f64; 3]>,
    region: Region,
}

impl Contact {
    #[inline(always)]
    fn report(&self, view: &View, target: &impl Target) -> Report {
        let Self { normal, nearest, .. } = *self;
        let rounding = target.rounding();
        Report {
            normal,
            point: view.world(nearest.on_target + normal * rounding),
            face_normal: target.face_normal(normal).as_vec3(),
            feature: if rounding > 0.0 { Feature::Face } else { nearest.feature },
            barycentrics: target.barycentrics(&nearest),
            region: view.region(nearest.axis_t),
        }
    }
}

impl Report {
    /// `depth`, measured along the f32 normal, which is up to 6e-8 longer or shorter than 1:
    /// `normal · depth` then clears even a box a kilometre wide to the bound.
    fn depth_along_rounded_normal(&self, depth: f64) -> f64 {
        if depth == 0.0 {
            return 0.0;
        }
        depth / self.normal.dot(self.normal.as_vec3().as_dvec3())
    }

    #[inline(always)]
    fn sweep(self, time: f64, distance: f64, depth: f64) -> SweepHit {
        SweepHit {
            time,
            distance,
            point: self.point,
            normal: self.normal.as_vec3(),
            face_normal: self.face_normal,
            depth: self.depth_along_rounded_normal(depth),
            feature: self.feature,
            barycentrics: self.barycentrics,
            region: self.region,
        }
    }

    fn overlap(self, depth: f64) -> Overlap {
        Overlap {
            depth: self.depth_along_rounded_normal(depth),
            point: self.point,
            normal: self.normal.as_vec3(),
            face_normal: self.face_normal,
            feature: self.feature,
            barycentrics: self.barycentrics,
            region: self.region,
        }
    }

    fn closest(self, distance: f64) -> ClosestPoints {
        ClosestPoints {
            distance,
            on_capsule: self.point + self.normal * distance,
            on_geometry: self.point,
            normal: self.normal.as_vec3(),
            face_normal: self.face_normal,
            feature: self.feature,
            barycentrics: self.barycentrics,
            region: self.region,
        }
    }
}
