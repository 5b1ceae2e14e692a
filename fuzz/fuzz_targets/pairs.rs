//! Arbitrary bytes as floats, through every constructor and every pair of shapes.
//!
//! Any bytes give a typed error or a defined answer with finite numbers, and never a panic. If the
//! numbers are in the range of the stated bound, the answer must also be right. At the reported
//! time the surfaces touch, and pushing out of an overlap leaves them touching.

#![no_main]

use capsweep::{
    CONTACT_TOLERANCE, Capsule, ClosestPoints, HalfSpace, Motion, Obb, Overlap, Point, Segment,
    SegmentDistance, Sides, Sphere, SweepHit, Triangle, closest_capsule_box,
    closest_capsule_capsule, closest_capsule_half_space, closest_capsule_point,
    closest_capsule_segment, closest_capsule_sphere, closest_capsule_triangle,
    closest_point_triangle, closest_segment_segment, closest_segment_triangle,
    overlap_capsule_box, overlap_capsule_capsule, overlap_capsule_half_space,
    overlap_capsule_point, overlap_capsule_segment, overlap_capsule_sphere,
    overlap_capsule_triangle, sweep_capsule_box, sweep_capsule_capsule, sweep_capsule_half_space,
    sweep_capsule_point, sweep_capsule_segment, sweep_capsule_sphere, sweep_capsule_triangle,
};
use glam::{DQuat, DVec3, Vec3};
use libfuzzer_sys::fuzz_target;

/// The decoding of bytes to numbers.
#[derive(Clone, Copy)]
enum Mode {
    /// Eight bytes are the bits of an f64: any value.
    Bits,
    /// Two bytes give a multiple of 1/256 up to 128. Many are equal, aligned or touching.
    Lattice,
    /// Three bytes give a mantissa and a power of two from 2⁻²⁰ to 2¹¹.
    Scaled,
}

/// Reads numbers from bytes.
struct Numbers<'a> {
    bytes: &'a [u8],
    mode: Mode,
}

impl Numbers<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, tail) = self.bytes.split_first_chunk()?;
        self.bytes = tail;
        Some(*head)
    }

    fn number(&mut self) -> Option<f64> {
        Some(match self.mode {
            Mode::Bits => f64::from_le_bytes(self.take()?),
            Mode::Lattice => f64::from(i16::from_le_bytes(self.take()?)) / 256.0,
            Mode::Scaled => {
                let [low, high, exponent] = self.take()?;
                let mantissa = f64::from(i16::from_le_bytes([low, high])) / 32768.0;
                mantissa * 2f64.powi(i32::from(exponent % 32) - 20)
            }
        })
    }

    fn vector(&mut self) -> Option<DVec3> {
        Some(DVec3::new(self.number()?, self.number()?, self.number()?))
    }

    fn size(&mut self) -> Option<f32> {
        Some(self.number()? as f32)
    }
}

/// Whether every length is in the range that [`CONTACT_TOLERANCE`] is stated for.
fn is_in_stated_range(lengths: &[f64]) -> bool {
    lengths.iter().all(|length| *length <= 1000.0)
}

/// A capsule and its motion against any target.
struct Pair<'a> {
    capsule: &'a Capsule,
    motion: &'a Motion,
    /// Whether all numbers are in the stated range.
    in_range: bool,
}

impl Pair<'_> {
    fn check(
        &self,
        sweep: impl Fn(&Capsule, &Motion, Sides) -> Option<SweepHit>,
        overlap: impl Fn(&Capsule) -> Option<Overlap>,
        closest: impl Fn(&Capsule) -> ClosestPoints,
    ) {
        let near = closest(self.capsule);
        finite(
            &[near.distance],
            &[near.on_capsule, near.on_geometry],
            &[near.normal, near.face_normal],
        );
        if let Some(overlap) = overlap(self.capsule) {
            finite(&[overlap.depth], &[overlap.point], &[overlap.normal, overlap.face_normal]);
            assert!(overlap.depth > 0.0 && near.distance < 0.0);
            let push = overlap.normal.as_dvec3() * overlap.depth;
            if self.in_range
                && let Ok(free) = self.capsule.translated(push)
            {
                let left = closest(&free).distance;
                assert!(left.abs() <= 5e-6, "{left} left after push-out by {push}");
            }
        }
        for sides in [Sides::Front, Sides::Both] {
            let Some(hit) = sweep(self.capsule, self.motion, sides) else { continue };
            finite(
                &[hit.time, hit.distance, hit.depth],
                &[hit.point],
                &[hit.normal, hit.face_normal],
            );
            assert!((0.0..=1.0).contains(&hit.time) && hit.depth >= 0.0);
            let moved = self.capsule.translated(self.motion.vector() * hit.time);
            if self.in_range
                && hit.time > 0.0
                && let Ok(moved) = moved
            {
                let gap = closest(&moved).distance;
                assert!(gap.abs() <= CONTACT_TOLERANCE, "gap {gap} at time {}", hit.time);
            }
        }
    }
}

fn finite(numbers: &[f64], points: &[DVec3], normals: &[Vec3]) {
    assert!(numbers.iter().all(|number| number.is_finite()), "{numbers:?}");
    assert!(points.iter().all(|point| point.is_finite()), "{points:?}");
    for normal in normals {
        assert!((normal.length() - 1.0).abs() < 1e-5, "normal {normal} is not unit");
    }
}

fn distance(found: &SegmentDistance) {
    finite(&[found.distance, found.fraction], &[found.on_first, found.on_second], &[]);
    assert!(found.distance >= 0.0 && (0.0..=1.0).contains(&found.fraction), "{found:?}");
    let sum: f64 = found.barycentrics.iter().sum();
    assert!((sum - 1.0).abs() < 1e-9, "{found:?}");
}

fn run(bytes: &[u8]) -> Option<()> {
    let (&mode, bytes) = bytes.split_first()?;
    let mode = [Mode::Bits, Mode::Lattice, Mode::Scaled][usize::from(mode) % 3];
    let mut numbers = Numbers { bytes, mode };
    let (p0, p1, radius) = (numbers.vector()?, numbers.vector()?, numbers.size()?);
    let capsule = Capsule::new(p0, p1, radius).ok()?;
    let motion = Motion::new(numbers.vector()?).ok()?;
    let (a, b, c) = (numbers.vector()?, numbers.vector()?, numbers.vector()?);
    let size = numbers.size()?;
    let rotation = DQuat::from_vec4(c.extend(numbers.number()?));

    let common = [p0.distance(a), capsule.cylinder_height(), f64::from(radius), motion.length()];
    let pair = |lengths: &[f64]| Pair {
        capsule: &capsule,
        motion: &motion,
        in_range: p0.abs().max_element() < 1e6
            && radius > 1e-3
            && is_in_stated_range(&common)
            && is_in_stated_range(lengths),
    };
    if let Ok(triangle) = Triangle::new(a, b, c) {
        pair(&[a.distance(b), a.distance(c)]).check(
            |capsule, motion, sides| sweep_capsule_triangle(capsule, motion, &triangle, sides),
            |capsule| overlap_capsule_triangle(capsule, &triangle),
            |capsule| closest_capsule_triangle(capsule, &triangle),
        );
    }
    if let Ok(obb) = Obb::new(a, b.as_vec3(), rotation) {
        pair(&[b.length()]).check(
            |capsule, motion, sides| sweep_capsule_box(capsule, motion, &obb, sides),
            |capsule| overlap_capsule_box(capsule, &obb),
            |capsule| closest_capsule_box(capsule, &obb),
        );
    }
    if let Ok(sphere) = Sphere::new(a, size) {
        pair(&[f64::from(size)]).check(
            |capsule, motion, sides| sweep_capsule_sphere(capsule, motion, &sphere, sides),
            |capsule| overlap_capsule_sphere(capsule, &sphere),
            |capsule| closest_capsule_sphere(capsule, &sphere),
        );
    }
    if let Ok(other) = Capsule::new(a, b, size) {
        pair(&[f64::from(size), other.cylinder_height()]).check(
            |capsule, motion, sides| sweep_capsule_capsule(capsule, motion, &other, sides),
            |capsule| overlap_capsule_capsule(capsule, &other),
            |capsule| closest_capsule_capsule(capsule, &other),
        );
    }
    if let Ok(half_space) = HalfSpace::new(a, b) {
        pair(&[]).check(
            |capsule, motion, sides| sweep_capsule_half_space(capsule, motion, &half_space, sides),
            |capsule| overlap_capsule_half_space(capsule, &half_space),
            |capsule| closest_capsule_half_space(capsule, &half_space),
        );
    }
    if let Ok(segment) = Segment::new(a, b) {
        pair(&[segment.length()]).check(
            |capsule, motion, _| sweep_capsule_segment(capsule, motion, &segment),
            |capsule| overlap_capsule_segment(capsule, &segment),
            |capsule| closest_capsule_segment(capsule, &segment),
        );
    }
    if let Ok(point) = Point::new(a) {
        pair(&[]).check(
            |capsule, motion, _| sweep_capsule_point(capsule, motion, &point),
            |capsule| overlap_capsule_point(capsule, &point),
            |capsule| closest_capsule_point(capsule, &point),
        );
    }
    if let (Ok(first), Ok(second)) = (Segment::new(p0, p1), Segment::new(a, b)) {
        distance(&closest_segment_segment(&first, &second));
    }
    if let (Ok(first), Ok(triangle)) = (Segment::new(p0, p1), Triangle::new(a, b, c)) {
        distance(&closest_segment_triangle(&first, &triangle));
    }
    if let (Ok(point), Ok(triangle)) = (Point::new(p0), Triangle::new(a, b, c)) {
        distance(&closest_point_triangle(&point, &triangle));
    }
    Some(())
}

fuzz_target!(|bytes: &[u8]| {
    run(bytes);
});
