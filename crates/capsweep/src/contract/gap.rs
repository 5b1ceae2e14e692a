//! How far apart capsule and target are where they are: overlaps and closest points.

use super::contact::Contact;
use super::{Target, View};
use crate::closest::Nearest;
use crate::tolerance::{BOUND, PIERCE};
use crate::{ClosestPoints, Overlap};
use glam::DVec3;

/// How far apart capsule and target are.
pub(super) enum Gap {
    /// They overlap by `depth`, out along the contact's normal.
    Overlapping { depth: f64, contact: Contact },
    /// Their surfaces are `gap` apart, `−BOUND` or more.
    Apart { gap: f64, contact: Contact },
}

pub(super) fn gap(view: &View, target: &impl Target) -> Gap {
    gap_at(view, target, target.nearest(&view.axis()))
}

/// As [`gap`], from the nearest points.
pub(super) fn gap_at(view: &View, target: &impl Target, nearest: Nearest) -> Gap {
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
