//! The signed distance of a capsule at rest and a target: overlaps and closest points.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::kernel::ClosestPair;
use crate::math::{F32x8, with_lanes};
use crate::pair::contract::contact::{Detail, NormalSource, PairContact, WorldContact};
use crate::pair::contract::{CapsuleFrame, Target};
use crate::tolerance::{CONTACT_TOLERANCE, PIERCE};
use crate::{ClosestPoints, Overlap};
use glam::DVec3;

/// The gap between capsule and target, with its contact.
pub(crate) enum Gap {
    /// They overlap by `depth` metres; the contact normal leads out.
    Overlapping { depth: f64, contact: PairContact },
    /// Their surfaces are `gap` metres apart, at least `−CONTACT_TOLERANCE`.
    Apart { gap: f64, contact: PairContact },
}

impl Gap {
    /// Metres between the surfaces, negative in an overlap.
    fn signed(&self) -> f64 {
        match *self {
            Self::Overlapping { depth, .. } => -depth,
            Self::Apart { gap, .. } => gap,
        }
    }

    fn contact(&self) -> &PairContact {
        match self {
            Self::Overlapping { contact, .. } | Self::Apart { contact, .. } => contact,
        }
    }
}

/// The gap at the capsule's own position.
pub(crate) fn gap<T: Target>(frame: &CapsuleFrame, target: T) -> Gap {
    with_lanes!(|L| gap_with::<L, T>(frame, target))
}

/// [`gap`], for code that runs with the lanes `L`.
#[inline(always)]
pub(crate) fn gap_with<L: F32x8, T: Target>(frame: &CapsuleFrame, target: T) -> Gap {
    gap_at::<L>(frame, &target, target.closest_pair::<L>(&frame.axis()), Detail::Points)
}

/// [`gap_with`], where the closest points are known.
#[inline(always)]
pub(crate) fn gap_at<L: F32x8>(
    frame: &CapsuleFrame,
    target: &impl Target,
    nearest: ClosestPair,
    detail: Detail,
) -> Gap {
    let axis = frame.axis();
    let reach = frame.radius + target.convex_radius();
    let distance = nearest.distance_squared().sqrt();
    if counts_as_piercing(distance, reach) {
        return L::call(
            #[inline(always)]
            || pierced_gap::<L>(frame, target),
        );
    }
    let contact = PairContact::new::<L>(target, &axis, nearest, detail, || DVec3::Z);
    if distance < reach - CONTACT_TOLERANCE {
        Gap::Overlapping { depth: reach - distance, contact }
    } else {
        Gap::Apart { gap: distance - reach, contact }
    }
}

/// Whether an axis counts as piercing a core at this distance. `reach` is the sum of the radii.
fn counts_as_piercing(distance: f64, reach: f64) -> bool {
    // A capsule thinner than PIERCE can be that near without reaching the core.
    distance <= PIERCE && distance <= reach
}

/// Whether the axis counts as piercing the target's core.
pub(crate) fn is_pierced<T: Target>(frame: &CapsuleFrame, target: T) -> bool {
    with_lanes!(|L| {
        let distance = target.closest_pair::<L>(&frame.axis()).distance_squared().sqrt();
        counts_as_piercing(distance, frame.radius + target.convex_radius())
    })
}

/// The gap of an axis that counts as piercing. The contact is that of the pushed-out capsule,
/// moved back to where the capsule is.
#[inline(always)]
fn pierced_gap<L: F32x8>(frame: &CapsuleFrame, target: &impl Target) -> Gap {
    let out = target.push_out(frame.half_axis);
    let depth = out.depth + frame.radius + target.convex_radius();
    let push = out.normal * depth;
    let pushed = frame.axis().moved(push);
    let nearest = target.line_contact::<L>(&pushed, target.closest_pair::<L>(&pushed));
    let nearest = ClosestPair { on_axis: nearest.on_axis - push, ..nearest };
    let contact = PairContact { normal: out.normal, source: NormalSource::PushOut, nearest };
    // Rounding may put a capsule whose radius is about its distance just outside.
    if depth > 0.0 {
        Gap::Overlapping { depth, contact }
    } else {
        Gap::Apart { gap: -depth, contact }
    }
}

/// The overlap at the capsule's own position; `None` if there is none by the contract.
pub(crate) fn overlap(frame: &CapsuleFrame, target: &impl Target) -> Option<Overlap> {
    match gap(frame, *target) {
        Gap::Overlapping { depth, contact } => {
            Some(in_world(frame, target, &contact).into_overlap(depth))
        }
        Gap::Apart { .. } => None,
    }
}

/// The closest points at the capsule's own position.
pub(crate) fn closest(frame: &CapsuleFrame, target: &impl Target) -> ClosestPoints {
    let gap = gap(frame, *target);
    in_world(frame, target, gap.contact()).into_closest_points(gap.signed())
}

fn in_world<T: Target>(frame: &CapsuleFrame, target: &T, contact: &PairContact) -> WorldContact {
    with_lanes!(|L| contact.in_world::<L>(frame, target, true))
}

/// The distance that [`closest`] reports.
pub(crate) fn separation(frame: &CapsuleFrame, target: &impl Target) -> f64 {
    gap(frame, *target).signed()
}
