//! Rounds of the passes: how many sweeps each takes where every sweep turns the motion.

use super::level::{Level, Walk, human};
use capsweep::controller::{Ceiling, ControllerConfig, NonWalkable};
use glam::{DVec3, dvec3, vec3};

/// A strip of quads, 8 m wide along y, over a curve of points in x and z. Seen along −y, the
/// fronts are on the left of the curve.
fn strip(points: &[(f64, f64)]) -> Level {
    let at = |(x, z): (f64, f64), y: f32| vec3(x as f32, y, z as f32);
    points.windows(2).fold(Level::default(), |level, pair| {
        let [from, to] = [pair[0], pair[1]];
        level.quad(at(from, 4.0), at(from, -4.0), at(to, -4.0), at(to, 4.0))
    })
}

/// A curve of 24 straight pieces of `length` metres that starts at `start` with the slope `from`
/// (degrees) and ends with the slope `to`.
fn curve(start: (f64, f64), length: f64, from: f64, to: f64) -> Vec<(f64, f64)> {
    let slopes = (0..24).map(|i| from + (to - from) * f64::from(i) / 23.0);
    let mut points = vec![start];
    for slope in slopes.map(f64::to_radians) {
        let (x, z) = points[points.len() - 1];
        points.push((x + length * slope.cos(), z + length * slope.sin()));
    }
    points
}

#[test]
fn a_walk_along_many_facets_takes_all_the_rounds_it_may() {
    // A wall that bends towards the walk by 2° every 20 cm.
    let mut level = Level::floor();
    for pair in curve((3.5, -4.0), 0.2, 92.0, 150.0).windows(2) {
        let [from, to] = [pair[0], pair[1]].map(|(x, y)| vec3(x as f32, y as f32, 0.0));
        let tall = glam::Vec3::Z * 4.0;
        level = level.quad(to, from, from + tall, to + tall);
    }
    let scene = level.scene();
    for max_iterations in [1, 2, 4, 6, 7, 10, 12] {
        let config = ControllerConfig { max_iterations, ..human() };
        let mut walk = Walk::start(&scene, config, dvec3(3.1, -3.9, 0.0));
        let stats = walk.go(dvec3(0.0, 6.0, -0.01)).stats;
        assert_eq!(stats.side, u16::from(max_iterations), "{} {stats:?}", walk.feet());
    }
}

#[test]
fn a_rise_along_many_facets_takes_all_the_rounds_it_may() {
    // A vault that starts upright and bends over the character.
    let vault: Vec<_> = curve((0.45, 1.0), 0.2, 91.0, 150.0);
    let scene = strip(&vault).scene();
    for max_iterations in [1, 2, 3, 6, 10, 12] {
        let config = ControllerConfig { max_iterations, ceiling: Ceiling::Slide, ..human() };
        let mut walk = Walk::start(&scene, config, DVec3::ZERO);
        let stats = walk.go(DVec3::Z * 6.0).stats;
        assert_eq!(stats.up, u16::from(max_iterations), "{} {stats:?}", walk.feet());
    }
}

#[test]
fn a_slide_down_many_facets_takes_all_the_rounds_it_may() {
    // A chute, too steep to stand on everywhere, that gets less steep by 1° every 20 cm.
    let scene = strip(&curve((0.3, 8.0), 0.2, -84.0, -58.0)).scene();
    for max_iterations in [1, 2, 3, 6, 10, 12] {
        let non_walkable = NonWalkable::Slide;
        let config = ControllerConfig { max_iterations, non_walkable, ..human() };
        let mut walk = Walk::start(&scene, config, dvec3(0.65, 0.0, 7.9));
        let stats = walk.go(DVec3::Z * -6.0).stats;
        // The fall, the slide, and the probe for the ground at its end.
        assert_eq!(stats.down, u16::from(max_iterations) + 1, "{} {stats:?}", walk.feet());
    }
}
