//! How far apart capsule and target are where they are: overlaps and closest points.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::kernel::Nearest;
use crate::math::{F32x8, Kernel, dispatch};
use crate::pair::contract::contact::{Contact, Part, Report, Source};
use crate::pair::contract::{CapsuleFrame, Target};
use crate::tolerance::{CONTACT_TOLERANCE, PIERCE};
use crate::{ClosestPoints, Overlap};
use glam::DVec3;

/// How far apart capsule and target are.
pub(crate) enum Gap {
    /// They overlap by `depth`, out along the contact's normal.
    Overlapping { depth: f64, contact: Contact },
    /// Their surfaces are `gap` apart, `−CONTACT_TOLERANCE` or more.
    Apart { gap: f64, contact: Contact },
}

/// How far apart `target` is. Given away, it need not be in memory where it comes from.
pub(crate) struct Measure<'a, T> {
    pub(crate) view: &'a CapsuleFrame,
    pub(crate) target: T,
}

impl<T: Target> Kernel for Measure<'_, T> {
    type Output = Gap;

    #[inline(always)]
    fn run<L: F32x8>(self) -> Gap {
        let Self { view, target } = self;
        gap_at::<L>(view, &target, target.nearest::<L>(&view.axis()), Part::All)
    }
}

fn gap<T: Target>(view: &CapsuleFrame, target: T) -> Gap {
    dispatch(Measure { view, target })
}

/// As [`Measure`], from the nearest points.
#[inline(always)]
pub(crate) fn gap_at<L: F32x8>(
    view: &CapsuleFrame,
    target: &impl Target,
    nearest: Nearest,
    part: Part,
) -> Gap {
    let axis = view.axis();
    let reach = view.radius + target.rounding();
    let distance = nearest.distance_squared().sqrt();
    if counts_as_piercing(distance, reach) {
        return L::call(Pierced { view, target });
    }
    let contact = Contact::of::<L>(target, &axis, nearest, part, || DVec3::Z);
    if distance < reach - CONTACT_TOLERANCE {
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
pub(crate) struct IsPierced<'a, T> {
    pub(crate) view: &'a CapsuleFrame,
    pub(crate) target: T,
}

impl<T: Target> Kernel for IsPierced<'_, T> {
    type Output = bool;

    #[inline(always)]
    fn run<L: F32x8>(self) -> bool {
        let Self { view, target } = self;
        let distance = target.nearest::<L>(&view.axis()).distance_squared().sqrt();
        counts_as_piercing(distance, view.radius + target.rounding())
    }
}

/// The axis pierces the core, or all but does. The contact is that of the capsule once pushed out, seen from where
/// the capsule is.
struct Pierced<'a, T> {
    view: &'a CapsuleFrame,
    target: &'a T,
}

impl<T: Target> Kernel for Pierced<'_, T> {
    type Output = Gap;

    #[inline(always)]
    fn run<L: F32x8>(self) -> Gap {
        let Self { view, target } = self;
        let out = target.push_out(view.half_axis);
        let depth = out.depth + view.radius + target.rounding();
        let push = out.normal * depth;
        let pushed = view.axis().moved(push);
        let nearest = target.line_contact::<L>(&pushed, target.nearest::<L>(&pushed));
        let nearest = Nearest { on_axis: nearest.on_axis - push, ..nearest };
        let contact = Contact { normal: out.normal, source: Source::PushOut, nearest };
        // A capsule about as thin as its distance is: rounding may find it just outside after all.
        if depth > 0.0 {
            Gap::Overlapping { depth, contact }
        } else {
            Gap::Apart { gap: -depth, contact }
        }
    }
}

/// Overlap at the capsule's own pose, under the contract.
pub(crate) fn overlap(view: &CapsuleFrame, target: &impl Target) -> Option<Overlap> {
    match gap(view, *target) {
        Gap::Overlapping { depth, contact } => {
            Some(dispatch(Describe { view, target, contact }).overlap(depth))
        }
        Gap::Apart { .. } => None,
    }
}

/// Closest points, under the contract.
pub(crate) fn closest(view: &CapsuleFrame, target: &impl Target) -> ClosestPoints {
    let (distance, contact) = match gap(view, *target) {
        Gap::Overlapping { depth, contact } => (-depth, contact),
        Gap::Apart { gap, contact } => (gap, contact),
    };
    dispatch(Describe { view, target, contact }).closest(distance)
}

struct Describe<'a, T> {
    view: &'a CapsuleFrame,
    target: &'a T,
    contact: Contact,
}

impl<T: Target> Kernel for Describe<'_, T> {
    type Output = Report;

    #[inline(always)]
    fn run<L: F32x8>(self) -> Report {
        self.contact.report::<L>(self.view, self.target, true)
    }
}

/// Distance of the surfaces, as in [`closest`].
pub(crate) fn separation(view: &CapsuleFrame, target: &impl Target) -> f64 {
    match gap(view, *target) {
        Gap::Overlapping { depth, .. } => -depth,
        Gap::Apart { gap, .. } => gap,
    }
}
