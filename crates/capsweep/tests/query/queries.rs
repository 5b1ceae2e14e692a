//! Random queries close to the geometry: free, touching and overlapping.

use crate::filters::filter;
use capsweep::scene::Filter;
use capsweep::{Capsule, Motion, Sides, Triangle};
use capsweep_testkit::Rng;
use capsweep_testkit::brute::Brute;
use glam::{DVec3, dvec3};

#[derive(Debug, Clone, Copy)]
pub(crate) struct Query {
    pub(crate) capsule: Capsule,
    pub(crate) motion: Motion,
    pub(crate) filter: Filter,
}

/// Step, dash, drop or long.
fn motion(rng: &mut Rng) -> DVec3 {
    let level = |rng: &mut Rng| {
        let direction = rng.direction();
        DVec3::new(direction.x, direction.y, 0.0)
    };
    match rng.below(6) {
        0 => level(rng) * 0.3 + DVec3::Z * rng.range(-0.05, 0.05),
        1 => level(rng) * 5.0,
        2 => DVec3::NEG_Z * rng.range(0.01, 12.0),
        3 => rng.direction() * 60.0,
        4 => DVec3::Z * rng.range(0.01, 3.0),
        _ => rng.direction() * rng.log_range(1e-3, 10.0),
    }
}

fn capsule(rng: &mut Rng, center: DVec3) -> Capsule {
    let radius = if rng.chance(0.5) { 0.4 } else { rng.log_range(0.05, 1.0) } as f32;
    let half_axis = match rng.below(5) {
        0 => rng.direction() * rng.range(0.05, 1.0),
        1 => DVec3::ZERO,
        2 => DVec3::X * 0.5,
        _ => DVec3::Z * 0.5,
    };
    Capsule::from_center(center, half_axis, radius).unwrap()
}

/// A position within a few metres of some triangle, mostly on its front.
fn place(rng: &mut Rng, triangles: &[Triangle]) -> DVec3 {
    let [a, b, c] = triangles[rng.below(triangles.len() as u32) as usize].vertices();
    let (u, v) = (rng.unit(), rng.unit());
    let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
    let normal = (b - a).cross(c - a).normalize_or_zero();
    a + (b - a) * u + (c - a) * v + normal * rng.range(-0.3, 2.5) + rng.cube(0.2)
}

/// `count` queries, the same for the same seed. Some start where an earlier one ended: they touch
/// or overlap.
pub(crate) fn queries(brute: &Brute, count: usize, seed: u64) -> Vec<Query> {
    let triangles = brute.triangles();
    let scene = brute.scene();
    let mut rng = Rng::new(&[seed]);
    let mut queries: Vec<Query> = Vec::with_capacity(count);
    while queries.len() < count {
        let center = place(&mut rng, &triangles);
        let capsule = capsule(&mut rng, center);
        let first = Motion::new(motion(&mut rng)).unwrap();
        let filter = filter(&mut rng);
        queries.push(Query { capsule, motion: first, filter });
        let both = Filter { sides: Sides::Both, ..Filter::default() };
        let Some(hit) = scene.sweep(&capsule, &first, &both) else { continue };
        let then = match rng.below(4) {
            0 => first,
            1 => Motion::new(DVec3::ZERO).unwrap(),
            2 => Motion::new(-hit.hit.normal.as_dvec3() * rng.log_range(1e-6, 2.0)).unwrap(),
            _ => Motion::new(motion(&mut rng)).unwrap(),
        };
        let extra = if rng.chance(0.5) { 0.0 } else { rng.log_range(1e-7, 0.5) };
        let at = hit.hit.distance + extra;
        let offset = first.direction().unwrap_or(DVec3::ZERO) * at;
        let capsule = capsule.translated(offset).unwrap();
        queries.push(Query { capsule, motion: then, filter });
    }
    queries.truncate(count);
    queries
}

/// A world position far from the origin, as the contract names it (metres).
pub(crate) const FAR: DVec3 = dvec3(16_384.0, -16_384.0, 512.0);
