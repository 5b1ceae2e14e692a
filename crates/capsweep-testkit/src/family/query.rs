//! The capsule and its motion: aimed at a point of the target, so that many queries hit.

use super::Family;
use super::target::{Target, tangent, target, world_axis};
use crate::{Case, Pair, Rng};
use capsweep::{Capsule, Motion, Sides};
use glam::DVec3;

/// A case of any family except [`Family::ExactTouch`].
pub(super) fn case(pair: Pair, family: Family, rng: &mut Rng) -> Case {
    let center = match family {
        Family::Far => DVec3::new(16384.0, -16384.0, 512.0) + rng.cube(20.0),
        _ => rng.cube(2.0),
    };
    let aim = target(pair, family, center, rng);
    let radius = f64::from(radius(family, rng) as f32);
    let length = axis_length(family, rng);
    let axis = axis_direction(pair, family, &aim, rng) * length;
    let motion = motion(family, &aim, axis, rng);
    let axis = if family == Family::AxisAlongMotion {
        (motion.try_normalize().unwrap_or(DVec3::Z) + small_tilt(rng)).normalize()
            * (length * rng.sign())
    } else {
        axis
    };
    let p0 = if family == Family::Overlapping || (family == Family::General && rng.chance(0.15)) {
        overlapping_start(&aim, axis, radius, rng)
    } else if matches!(family, Family::General | Family::Grazing | Family::Far) && rng.chance(0.15)
    {
        near_touch(&aim, axis, radius, rng) - motion * f64::from(rng.below(2))
    } else if family == Family::Seams {
        let lowest = if axis.dot(aim.normal) >= 0.0 { 0.0 } else { 1.0 };
        // A third passes above the edge.
        let above = if rng.chance(0.33) { rng.log_range(1e-8, 1e-2) } else { 0.0 };
        let away = aim.normal * (radius + above);
        aim.point + away - axis * lowest - motion * rng.log_range(1e-4, 0.5)
    } else {
        let out = if family == Family::Grazing {
            aim.normal
        } else {
            approach_direction(&aim, motion, rng)
        };
        // At a time between −0.2 and 1.6 the axis is about a radius from the aimed point.
        aimed_start(&aim, axis, radius, out, rng) - motion * rng.range(-0.2, 1.6)
    };
    Case {
        capsule: Capsule::new(p0, p0 + axis, radius as f32).expect("numbers are in range"),
        motion: Motion::new(motion).expect("numbers are in range"),
        target: aim.shape,
        sides: if rng.chance(0.5) { Sides::Front } else { Sides::Both },
        expect: None,
    }
}

fn radius(family: Family, rng: &mut Rng) -> f64 {
    match family {
        Family::AxisAligned if rng.chance(0.3) => rng.integer(1, 16) * 0.125,
        Family::Tiny if rng.chance(0.3) => rng.log_range(5e-4, 0.05),
        Family::Tips if rng.chance(0.5) => rng.log_range(1e-4, 0.05),
        _ => rng.log_range(0.05, 2.0),
    }
}

fn axis_length(family: Family, rng: &mut Rng) -> f64 {
    match family {
        Family::Spheres => 0.0,
        Family::AxisAligned if rng.chance(0.3) => rng.integer(0, 16) * 0.25,
        Family::AxisAlongEdge | Family::AxisAlongFace | Family::AxisAlongMotion => {
            rng.range(0.1, 4.0)
        }
        Family::Tips if rng.chance(0.2) => rng.log_range(4.0, 40.0),
        Family::Slivers | Family::Degenerate if rng.chance(0.1) => rng.log_range(1e-9, 1e-3),
        Family::Slivers if rng.chance(0.1) => rng.log_range(10.0, 1000.0),
        _ if rng.chance(0.05) => 0.0,
        _ => rng.range(0.0, 4.0),
    }
}

/// Zero, or so small that rounding decides whether directions are parallel.
fn small_tilt(rng: &mut Rng) -> DVec3 {
    if rng.chance(0.5) { DVec3::ZERO } else { rng.direction() * rng.log_range(1e-15, 1e-3) }
}

fn axis_direction(pair: Pair, family: Family, aim: &Target, rng: &mut Rng) -> DVec3 {
    match family {
        Family::Upright | Family::AxisAligned => DVec3::Z,
        Family::AxisAlongFace => {
            let along = aim.edge + aim.normal.cross(aim.edge) * rng.range(-2.0, 2.0);
            (along.normalize() + small_tilt(rng)).normalize()
        }
        Family::AxisAlongEdge => (aim.edge * rng.sign() + small_tilt(rng)).normalize(),
        Family::Tips if rng.chance(0.3) => (aim.edge + small_tilt(rng)).normalize(),
        // A plane has no degenerate form. Axis and motion parallel to it take that role.
        Family::Degenerate if pair == Pair::HalfSpace => tangent(aim.normal, rng),
        Family::General if rng.chance(0.3) => DVec3::Z,
        _ => rng.direction(),
    }
}

fn motion(family: Family, aim: &Target, axis: DVec3, rng: &mut Rng) -> DVec3 {
    if rng.chance(0.02) {
        return DVec3::ZERO;
    }
    let length = match family {
        Family::Huge | Family::Seams if rng.chance(0.5) => rng.log_range(10.0, 1000.0),
        Family::Tiny if rng.chance(0.3) => rng.log_range(1e-4, 0.1),
        Family::Overlapping => rng.log_range(0.01, 10.0),
        Family::AxisAligned if rng.chance(0.3) => rng.integer(1, 40) * 0.25,
        _ => rng.log_range(0.5, 10.0),
    };
    let along_axis = axis.try_normalize().unwrap_or(DVec3::Z) * rng.sign();
    let direction = match family {
        Family::AxisAligned if rng.chance(0.75) => world_axis(rng),
        Family::AxisAligned if rng.chance(0.5) => {
            (world_axis(rng) + world_axis(rng)).normalize_or(DVec3::X)
        }
        Family::Grazing => {
            let lean = rng.log_range(1e-6, 0.1) * if rng.chance(0.75) { -1.0 } else { 1.0 };
            (tangent(aim.normal, rng) + aim.normal * lean).normalize()
        }
        Family::Seams => {
            let over = aim.normal.cross(aim.edge) * rng.sign() + aim.edge * rng.range(-1.0, 1.0);
            let lean = rng.log_range(1e-9, 1e-5) * if rng.chance(0.7) { -1.0 } else { 1.0 };
            (over.normalize() + aim.normal * lean).normalize()
        }
        Family::Overlapping if rng.chance(0.35) => along_axis,
        Family::AxisAlongEdge | Family::AxisAlongFace if rng.chance(0.25) => along_axis,
        Family::Degenerate if rng.chance(0.2) => tangent(aim.normal, rng),
        _ => {
            let any = rng.direction();
            // Of the directions away from the aimed face, three in four are reversed.
            if any.dot(aim.normal) > 0.0 && rng.chance(0.75) { -any } else { any }
        }
    };
    direction * length
}

/// Unit direction from the aimed point to the approaching capsule: above the face, or beside an
/// edge or corner.
fn approach_direction(aim: &Target, motion: DVec3, rng: &mut Rng) -> DVec3 {
    let any = rng.direction();
    if rng.chance(0.5) {
        aim.normal
    } else if any.dot(motion) > 0.0 {
        -any
    } else {
        any
    }
}

/// Position of `p0` with the axis about a radius from the aimed point, in direction `out`.
fn aimed_start(aim: &Target, axis: DVec3, radius: f64, out: DVec3, rng: &mut Rng) -> DVec3 {
    // Mostly the axis point nearest to the face, so that no other part of the capsule touches
    // first.
    let lowest = if axis.dot(out) >= 0.0 { 0.0 } else { 1.0 };
    let s = if rng.chance(0.6) { lowest } else { rng.unit() };
    let away = match rng.below(10) {
        0..=2 => 1.0,
        3..=5 => rng.range(0.1, 1.0),
        6 => 1.0 + rng.sign() * rng.log_range(1e-7, 1e-2),
        _ => rng.range(1.0, 2.5),
    };
    aim.point + out * (radius * away) - axis * s
}

/// Position of `p0` with the capsule 10 nm to 10 µm above or below a touch: on both sides of the
/// contact tolerance.
fn near_touch(aim: &Target, axis: DVec3, radius: f64, rng: &mut Rng) -> DVec3 {
    let lowest = if axis.dot(aim.normal) >= 0.0 { 0.0 } else { 1.0 };
    let away = radius + rng.sign() * rng.log_range(1e-8, 1e-5);
    aim.point + aim.normal * away - axis * lowest
}

/// Position of `p0` with the capsule overlapping the aimed point.
fn overlapping_start(aim: &Target, axis: DVec3, radius: f64, rng: &mut Rng) -> DVec3 {
    let s = rng.unit();
    let on_axis = match rng.below(4) {
        // The axis passes through the surface.
        0 => aim.point,
        // Behind the face, or deep inside.
        1 => aim.point - aim.normal * (radius * rng.range(0.0, 0.95)),
        2 => aim.point + aim.normal * (radius * rng.range(0.0, 0.95)),
        _ => aim.point + rng.direction() * (radius * rng.range(0.0, 0.999_999)),
    };
    on_axis - axis * s
}
