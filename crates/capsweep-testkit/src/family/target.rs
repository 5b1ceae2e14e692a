//! The target shape, of every size and thinness, with a point of its surface to aim at.

use super::Family;
use crate::{Pair, Rng, TargetShape};
use capsweep::{Capsule, HalfSpace, Obb, Point, Segment, Sphere, Triangle};
use glam::{DQuat, DVec3};

/// A shape with the point to aim at.
pub(super) struct Target {
    pub(super) shape: TargetShape,
    /// A point on the surface.
    pub(super) point: DVec3,
    /// Unit outward normal of the face at that point.
    pub(super) normal: DVec3,
    /// Unit direction along an edge of that face; any tangent if the shape has no edges.
    pub(super) edge: DVec3,
}

/// Generates the target of a pair around `center`.
pub(super) fn target(pair: Pair, family: Family, center: DVec3, rng: &mut Rng) -> Target {
    let size = match family {
        Family::Huge => rng.log_range(200.0, 2000.0),
        Family::Tips => rng.log_range(1.0, 4000.0),
        Family::Seams => rng.log_range(1.0, 2000.0),
        Family::Tiny => rng.log_range(3e-4, 3e-3),
        Family::Slivers if rng.chance(0.2) => rng.log_range(100.0, 4000.0),
        _ => rng.log_range(0.1, 15.0),
    };
    match pair {
        Pair::Triangle => triangle(family, center, size, rng),
        Pair::Box => solid_box(family, center, size, rng),
        Pair::Sphere => sphere(family, center, size, rng),
        Pair::Capsule => capsule(family, center, size, rng),
        Pair::HalfSpace => half_space(family, center, rng),
        Pair::Segment => segment(family, center, size, rng),
        Pair::Point => point(family, center, rng),
    }
}

fn triangle(family: Family, center: DVec3, size: f64, rng: &mut Rng) -> Target {
    if family == Family::Tips {
        return needle(center, size, rng);
    }
    let mut corners = match family {
        Family::AxisAligned => right_triangle(rng).map(|v| v + center),
        Family::Slivers => thin_triangle(size, rng).map(|v| v + center),
        Family::Degenerate => flat_triangle(size, rng).map(|v| v + center),
        _ => [(); 3].map(|()| center + rng.cube(size)),
    };
    // All six vertex orders: three rotations, each with or without a swap.
    corners.rotate_left(rng.below(3) as usize);
    if rng.chance(0.5) {
        corners.swap(0, 1);
    }
    let [a, b, c] = corners;
    let (mut u, mut v) = (rng.unit(), rng.unit());
    if u + v > 1.0 {
        (u, v) = (1.0 - u, 1.0 - v);
    }
    // A third of the cases aims at an edge or a corner.
    if family == Family::Seams || rng.chance(0.33) {
        u = 0.0;
        v = if rng.chance(0.3) { v.round() } else { v };
    }
    let normal = (b - a).cross(c - a).try_normalize().unwrap_or_else(|| rng.direction());
    let edge = if family == Family::Seams { c - a } else { b - a };
    let edge = edge.try_normalize().or_else(|| (c - a).try_normalize());
    Target {
        shape: TargetShape::Triangle(Triangle::new(a, b, c).expect("corners are finite")),
        point: a + (b - a) * u + (c - a) * v,
        normal: normal * rng.sign(),
        edge: edge.unwrap_or_else(|| rng.direction()),
    }
}

/// A needle, with the aim past its tip.
fn needle(tip: DVec3, length: f64, rng: &mut Rng) -> Target {
    let along = rng.direction();
    let across = along.any_orthonormal_vector() * rng.log_range(1e-12, 1e-2);
    let mut corners = [tip, tip + along * length, tip + (along + across) * length];
    corners.rotate_left(rng.below(3) as usize);
    if rng.chance(0.5) {
        corners.swap(0, 1);
    }
    let [a, b, c] = corners;
    let outward = -along + rng.direction() * rng.log_range(1e-12, 1.0);
    Target {
        shape: TargetShape::Triangle(Triangle::new(a, b, c).expect("corners are finite")),
        point: tip + along * rng.range(-0.1, 0.1),
        normal: outward.normalize(),
        edge: along,
    }
}

/// Half a tile of a floor, wall or stair: legs along two world axes, in quarters of a metre.
fn right_triangle(rng: &mut Rng) -> [DVec3; 3] {
    let corner = DVec3::new(rng.integer(-8, 8), rng.integer(-8, 8), rng.integer(-8, 8)) * 0.25;
    let axes = [DVec3::X, DVec3::Y, DVec3::Z];
    let first = rng.below(3) as usize;
    let second = (first + 1 + rng.below(2) as usize) % 3;
    let mut leg = |axis: DVec3| axis * (rng.integer(1, 24) * 0.25 * rng.sign());
    [corner, corner + leg(axes[first]), corner + leg(axes[second])]
}

fn thin_triangle(length: f64, rng: &mut Rng) -> [DVec3; 3] {
    let along = rng.direction();
    let across = along.any_orthonormal_vector() * (length * rng.log_range(1e-9, 1e-3));
    // A needle has one short edge at its end; a sliver has three long edges.
    let foot = if rng.chance(0.4) { 1.0 } else { rng.range(0.05, 0.95) };
    [along * (-0.5 * length), along * (0.5 * length), along * ((foot - 0.5) * length) + across]
}

fn flat_triangle(size: f64, rng: &mut Rng) -> [DVec3; 3] {
    let a = rng.cube(size);
    match rng.below(4) {
        0 => [a; 3],
        1 => [a, a, rng.cube(size)],
        2 => {
            // Exactly collinear: multiples of a vector with few bits.
            let step =
                DVec3::new(rng.integer(-64, 64), rng.integer(-64, 64), rng.integer(-64, 64));
            let a = (a * 64.0).round() / 64.0;
            let step = step / 64.0;
            [a, a + step * rng.integer(1, 16), a - step * rng.integer(0, 16)]
        }
        _ => {
            let along = rng.cube(size);
            [a, a + along, a + along * rng.range(-1.0, 2.0)]
        }
    }
}

fn solid_box(family: Family, center: DVec3, size: f64, rng: &mut Rng) -> Target {
    let mut half = [(); 3].map(|()| size * rng.log_range(0.1, 1.0));
    match family {
        Family::Slivers | Family::Tips => {
            let thin = size * rng.log_range(1e-9, 1e-3);
            let first = rng.below(3) as usize;
            half[first] = thin;
            if rng.chance(0.5) {
                half[(first + 1) % 3] = thin * rng.range(0.5, 2.0);
            }
        }
        Family::Degenerate => {
            let first = rng.below(3) as usize;
            for i in 0..=rng.below(3) as usize {
                half[(first + i) % 3] = 0.0;
            }
        }
        Family::AxisAligned => half = half.map(|h| (h * 4.0).ceil() * 0.25),
        _ => {}
    }
    let turned = family != Family::AxisAligned && !rng.chance(0.1);
    let rotation = if turned { rotation(rng) } else { DQuat::IDENTITY };
    let center =
        if family == Family::AxisAligned { (center * 4.0).round() * 0.25 } else { center };
    let half = DVec3::from(half).as_vec3();
    let shape = Obb::new(center, half, rotation).expect("extents are positive");
    let (axes, wide) = (shape.axes(), half.as_dvec3());
    let face = rng.below(3) as usize;
    let side = rng.sign();
    let mut local = DVec3::new(rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), rng.range(-1.0, 1.0));
    local[face] = side;
    let at_edge = family == Family::Seams || rng.chance(0.33);
    if at_edge {
        let other = (face + 1) % 3;
        local[other] = local[other].signum();
    }
    let edge = if family == Family::Seams { 2 } else { 1 + rng.below(2) as usize };
    Target {
        shape: TargetShape::Box(shape),
        point: center + axes * (local * wide),
        normal: axes.col(face) * side,
        edge: axes.col((face + edge) % 3),
    }
}

/// A rotation around a random axis by a random angle.
fn rotation(rng: &mut Rng) -> DQuat {
    DQuat::from_axis_angle(rng.direction(), rng.range(0.0, std::f64::consts::TAU))
}

fn sphere(family: Family, center: DVec3, size: f64, rng: &mut Rng) -> Target {
    let radius = match family {
        Family::Huge => 0.25 * size,
        Family::Slivers | Family::Tips => rng.log_range(1e-6, 1e-3),
        Family::Degenerate => rng.log_range(1e-9, 1e-4),
        Family::AxisAligned => (size * 4.0).ceil() * 0.25,
        _ => 0.5 * size,
    };
    let shape = Sphere::new(center, radius as f32).expect("radius is positive");
    let normal = if family == Family::AxisAligned { world_axis(rng) } else { rng.direction() };
    Target {
        shape: TargetShape::Sphere(shape),
        point: center + normal * f64::from(shape.radius()),
        normal,
        edge: tangent(normal, rng),
    }
}

fn capsule(family: Family, center: DVec3, size: f64, rng: &mut Rng) -> Target {
    let radius = match family {
        Family::Slivers | Family::Tips => size * rng.log_range(1e-9, 1e-3),
        Family::Degenerate => rng.log_range(1e-9, 1.0),
        _ => size * rng.log_range(0.05, 1.0),
    };
    let along = if family == Family::AxisAligned { world_axis(rng) } else { rng.direction() };
    let half = match family {
        Family::Degenerate if rng.chance(0.6) => DVec3::ZERO,
        Family::Degenerate => along * rng.log_range(1e-9, 1e-3),
        _ => along * (0.5 * size),
    };
    let shape = Capsule::from_center(center, half, radius as f32).expect("radius is positive");
    let at = if rng.chance(0.3) { rng.sign() } else { rng.range(-1.0, 1.0) };
    let normal = if family == Family::AxisAligned {
        along.cross(world_axis(rng)).try_normalize().unwrap_or(along)
    } else if at.abs() == 1.0 {
        let out = rng.direction();
        if out.dot(along) * at < 0.0 { -out } else { out }
    } else {
        tangent(along, rng)
    };
    Target {
        shape: TargetShape::Capsule(shape),
        point: center + half * at + normal * f64::from(shape.radius()),
        normal,
        edge: along,
    }
}

fn half_space(family: Family, center: DVec3, rng: &mut Rng) -> Target {
    let normal = if family == Family::AxisAligned { world_axis(rng) } else { rng.direction() };
    let shape = HalfSpace::new(center, normal).expect("the normal has length");
    let reach = match family {
        Family::Huge => 2000.0,
        Family::Tiny => 1e-3,
        _ => 10.0,
    };
    let normal = shape.normal();
    let edge = tangent(normal, rng);
    Target {
        shape: TargetShape::HalfSpace(shape),
        point: center + edge * rng.range(0.0, reach),
        normal,
        edge,
    }
}

fn segment(family: Family, center: DVec3, size: f64, rng: &mut Rng) -> Target {
    let along = if family == Family::AxisAligned { world_axis(rng) } else { rng.direction() };
    let half = match family {
        Family::Degenerate if rng.chance(0.6) => DVec3::ZERO,
        Family::Degenerate => along * rng.log_range(1e-12, 1e-3),
        Family::AxisAligned => along * ((size * 4.0).ceil() * 0.125),
        _ => along * (0.5 * size),
    };
    let center =
        if family == Family::AxisAligned { (center * 4.0).round() * 0.25 } else { center };
    let shape = Segment::new(center - half, center + half).expect("ends are finite");
    let at_end = family == Family::Tips || rng.chance(0.3);
    let at = if at_end { rng.sign() } else { rng.range(-1.0, 1.0) };
    let normal = if family == Family::Tips {
        // Past the end, and almost in line with the segment.
        (along * at + rng.direction() * rng.log_range(1e-12, 1.0)).normalize()
    } else if family == Family::AxisAligned {
        along.cross(world_axis(rng)).try_normalize().unwrap_or(along)
    } else if at_end {
        let out = rng.direction();
        if out.dot(along) * at < 0.0 { -out } else { out }
    } else {
        tangent(along, rng)
    };
    Target { shape: TargetShape::Segment(shape), point: center + half * at, normal, edge: along }
}

fn point(family: Family, center: DVec3, rng: &mut Rng) -> Target {
    let aligned = family == Family::AxisAligned;
    let position = if aligned { (center * 4.0).round() * 0.25 } else { center };
    let shape = Point::new(position).expect("the position is finite");
    let normal = if aligned { world_axis(rng) } else { rng.direction() };
    Target {
        shape: TargetShape::Point(shape),
        point: position,
        normal,
        edge: tangent(normal, rng),
    }
}

/// One of the six directions of the world's axes.
pub(super) fn world_axis(rng: &mut Rng) -> DVec3 {
    DVec3::AXES[rng.below(3) as usize] * rng.sign()
}

/// A random unit vector perpendicular to `normal`.
pub(super) fn tangent(normal: DVec3, rng: &mut Rng) -> DVec3 {
    let (x, y) = normal.any_orthonormal_pair();
    let (sin, cos) = rng.range(0.0, std::f64::consts::TAU).sin_cos();
    x * cos + y * sin
}
