//! Exact touches: all coordinates are small multiples of a power of two, and all distances are
//! rational.
//!
//! The target is in `u·x ≤ 0` and contains the origin. The capsule's axis is in `u·x ≥ radius` and
//! contains `u·radius`. So the two touch at the origin with the normal `u`, and overlap nowhere.

use crate::{Case, Expect, Pair, Rng, TargetShape};
use capsweep::{Capsule, HalfSpace, Motion, Obb, Point, Segment, Sides, Sphere, Triangle};
use glam::{DMat3, DVec3};

/// An integer vector with an integer length: `vector / length` is the contact normal.
#[derive(Clone, Copy)]
struct Normal {
    vector: DVec3,
    length: f64,
    /// Number of nonzero coordinates: 1 for a face of a box, 2 for an edge, 3 for a corner.
    rank: u32,
}

const NORMALS: [Normal; 4] = [
    Normal { vector: DVec3::Z, length: 1.0, rank: 1 },
    Normal { vector: DVec3::new(0.0, 3.0, 4.0), length: 5.0, rank: 2 },
    Normal { vector: DVec3::new(2.0, 3.0, 6.0), length: 7.0, rank: 3 },
    Normal { vector: DVec3::new(1.0, 2.0, 2.0), length: 3.0, rank: 3 },
];

/// A case with a known, exact answer.
pub(super) fn case(pair: Pair, rng: &mut Rng) -> Case {
    let smooth = pair == Pair::HalfSpace;
    // The library normalises a plane's normal, which is exact only along the world's axes.
    let u = NORMALS[if smooth { 0 } else { rng.below(4) as usize }];
    let frame = signed_permutation(rng);
    let origin = DVec3::new(rng.integer(-99, 99), rng.integer(-99, 99), rng.integer(-99, 99));
    let place = |v: DVec3| frame * v + origin;

    let size = rng.integer(1, 8) * 0.125;
    let contact = u.vector * size;
    let radius = u.length * size;
    let mut axis = lattice(rng, 8) * 0.25;
    if rng.chance(0.3) {
        axis = perpendicular_to(u, rng);
    }
    if rng.chance(0.1) {
        axis = DVec3::ZERO;
    }
    if axis.dot(u.vector) < 0.0 {
        axis = -axis;
    }
    let target = target(pair, u, &place, &frame, rng);

    let mut motion = lattice(rng, 8) * 0.5;
    if rng.chance(0.25) {
        motion = perpendicular_to(u, rng);
    }
    let towards = motion.dot(u.vector);
    let sides = if rng.chance(0.5) { Sides::Front } else { Sides::Both };
    let skipped = match &target {
        TargetShape::Triangle(t) => {
            // Exact, as products of small integers. A triangle without area has no side to skip.
            let area = t.area_vector();
            sides == Sides::Front
                && area != DVec3::ZERO
                && motion != DVec3::ZERO
                && area.dot(frame * motion) >= 0.0
        }
        _ => false,
    };
    let (start, answer) = match rng.below(3) {
        // Touching at the start: a hit if the motion leads into the target.
        0 => (contact, if towards < 0.0 { Expect::TouchAtStart } else { Expect::Nothing }),
        // Touching at the end, from outside.
        1 if towards < 0.0 => (contact - motion, Expect::TouchAtEnd),
        // One step of the lattice short of touching at the end.
        _ if towards < 0.0 => (contact + u.vector / 1024.0 - motion, Expect::Nothing),
        // Leaving, from one step of the lattice above.
        _ => (contact + u.vector / 1024.0, Expect::Nothing),
    };
    let ends = (place(start), place(start + axis));
    let (p0, p1) = if rng.chance(0.5) { ends } else { (ends.1, ends.0) };
    Case {
        capsule: Capsule::new(p0, p1, radius as f32).expect("numbers are in range"),
        motion: Motion::new(frame * motion).expect("numbers are in range"),
        target,
        sides,
        expect: Some(if skipped { Expect::Nothing } else { answer }),
    }
}

fn lattice(rng: &mut Rng, reach: i32) -> DVec3 {
    DVec3::new(rng.integer(-reach, reach), rng.integer(-reach, reach), rng.integer(-reach, reach))
}

/// A vector perpendicular to `u`, exactly: a cross product of small integers is not rounded.
fn perpendicular_to(u: Normal, rng: &mut Rng) -> DVec3 {
    u.vector.cross(lattice(rng, 2)) * 0.25
}

/// One of the 48 symmetries of the lattice.
fn signed_permutation(rng: &mut Rng) -> DMat3 {
    let first = rng.below(3) as usize;
    let second = (first + 1 + rng.below(2) as usize) % 3;
    let third = 3 - first - second;
    let mut axis = |i: usize| DVec3::AXES[i] * rng.sign();
    DMat3::from_cols(axis(first), axis(second), axis(third))
}

fn target(
    pair: Pair,
    u: Normal,
    place: &impl Fn(DVec3) -> DVec3,
    frame: &DMat3,
    rng: &mut Rng,
) -> TargetShape {
    match pair {
        Pair::Triangle => {
            let mut corners = triangle(u, rng).map(place);
            corners.rotate_left(rng.below(3) as usize);
            if rng.chance(0.5) {
                corners.swap(0, 1);
            }
            let [a, b, c] = corners;
            TargetShape::Triangle(Triangle::new(a, b, c).expect("corners are finite"))
        }
        Pair::Box => {
            let half =
                DVec3::new(rng.integer(1, 12), rng.integer(1, 12), rng.integer(1, 12)) * 0.25;
            // The corner, edge or face with the normal `u` is at the origin. The box may shift
            // along the other axes.
            let mut center = -half;
            if u.rank < 3 {
                center.x += half.x * rng.range(0.5, 1.5).round();
            }
            if u.rank < 2 {
                center.y = 0.0;
                center.x = 0.0;
            }
            let half = (*frame * half).abs().as_vec3();
            let shape = Obb::axis_aligned(place(center), half).expect("extents are positive");
            TargetShape::Box(shape)
        }
        Pair::Sphere => {
            let size = rng.integer(1, 12) * 0.25;
            let shape = Sphere::new(place(u.vector * -size), (u.length * size) as f32);
            TargetShape::Sphere(shape.expect("radius is positive"))
        }
        Pair::Capsule => {
            let size = rng.integer(1, 12) * 0.25;
            let a = u.vector * -size;
            let along =
                if rng.chance(0.5) { perpendicular_to(u, rng) } else { lattice(rng, 8) * 0.25 };
            let along = if along.dot(u.vector) > 0.0 { -along } else { along };
            let shape = Capsule::new(place(a), place(a + along), (u.length * size) as f32);
            TargetShape::Capsule(shape.expect("radius is positive"))
        }
        Pair::HalfSpace => {
            let shape = HalfSpace::new(place(DVec3::ZERO), *frame * u.vector);
            TargetShape::HalfSpace(shape.expect("the normal has length"))
        }
        Pair::Segment => {
            // Across the normal the origin is inside the segment, otherwise it is an end.
            let across = rng.chance(0.5);
            let along = if across { perpendicular_to(u, rng) } else { lattice(rng, 8) * 0.25 };
            let along = if along.dot(u.vector) > 0.0 { -along } else { along };
            let other = if across { along * -rng.integer(0, 4) } else { DVec3::ZERO };
            let shape = Segment::new(place(along), place(other));
            TargetShape::Segment(shape.expect("ends are finite"))
        }
        Pair::Point => {
            let shape = Point::new(place(DVec3::ZERO));
            TargetShape::Point(shape.expect("the position is finite"))
        }
    }
}

/// A triangle in `u·x ≤ 0` with the origin in its inside, on an edge or at a corner.
fn triangle(u: Normal, rng: &mut Rng) -> [DVec3; 3] {
    let mut below = |reach: i32| loop {
        let v = lattice(rng, reach);
        if v.dot(u.vector) < 0.0 {
            return v * 0.5;
        }
    };
    let corner = below(8);
    let other = below(8);
    match rng.below(3) {
        0 => {
            // In the plane. The corners sum to zero, so the origin is their centroid.
            let (a, b) = (perpendicular_to(u, rng) * 4.0, perpendicular_to(u, rng) * 4.0);
            if a.cross(b) == DVec3::ZERO { [DVec3::ZERO, corner, other] } else { [a, b, -a - b] }
        }
        1 => {
            let along = perpendicular_to(u, rng) * 4.0;
            if along.cross(corner) == DVec3::ZERO {
                [DVec3::ZERO, corner, other]
            } else {
                [along, -along * rng.integer(1, 4), corner]
            }
        }
        _ => [DVec3::ZERO, corner, other],
    }
}
