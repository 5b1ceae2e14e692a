//! Closest points of segments, points and triangles, against the oracle and by hand.

use capsweep::{
    Feature, Point, Segment, SegmentDistance, Triangle, closest_point_triangle,
    closest_segment_segment, closest_segment_triangle,
};
use capsweep_testkit::Rng;
use capsweep_testkit::oracle::{Core, OracleTriangle, segment_distance};
use glam::{DVec3, dvec3};

fn segment(a: DVec3, b: DVec3) -> Segment {
    Segment::new(a, b).expect("in range")
}

fn triangle([a, b, c]: [DVec3; 3]) -> Triangle {
    Triangle::new(a, b, c).expect("in range")
}

/// Asserts everything that the fields promise of each other, and that no
/// pair of points is closer.
fn check(first: &Segment, corners: &[DVec3], found: &SegmentDistance) {
    let scene = format!("{first:?}\n{corners:?}\n{found:?}");
    let origin = first.a();
    let relative: Vec<DVec3> = corners.iter().map(|corner| *corner - origin).collect();
    let core = match relative[..] {
        [a, b] => Core::Segment(a, b),
        [a, b, c] => Core::Triangle(OracleTriangle::new([a, b, c])),
        _ => unreachable!("neither a segment nor a triangle"),
    };
    let truth = segment_distance(&core, DVec3::ZERO, first.vector()).distance;
    let reach = relative.iter().map(|p| p.length()).fold(first.length(), f64::max);
    // Not larger than the oracle's. Nor smaller than the smallest: fraction and weights give a
    // pair of points that far apart.
    let slack = 1e-12 * (1.0 + reach);
    let error = found.distance - truth;
    assert!(error < slack, "the distance is {error:e} too large\n{scene}");
    let weighted: DVec3 =
        relative.iter().zip(found.barycentrics).map(|(corner, weight)| *corner * weight).sum();
    let between = (first.vector() * found.fraction).distance(weighted);
    assert!((between - found.distance).abs() < slack, "{between} apart\n{scene}");

    // Rounding of world coordinates.
    let largest = corners.iter().map(|c| c.abs().max_element()).fold(0.0, f64::max);
    let slack = 1e-14 * (largest + origin.abs().max_element()) + 1e-12 * (1.0 + reach);
    let between = found.on_first.distance(found.on_second);
    assert!((between - found.distance).abs() < slack, "{between} apart\n{scene}");
    assert!((0.0..=1.0).contains(&found.fraction), "{scene}");
    let on_first = first.a() + first.vector() * found.fraction;
    assert!(on_first.distance(found.on_first) < slack, "the fraction is elsewhere\n{scene}");
    let sum: f64 = found.barycentrics.iter().sum();
    assert!((sum - 1.0).abs() < 1e-12, "{scene}");
    assert!(found.barycentrics.iter().all(|w| (0.0..=1.0).contains(w)), "{scene}");
    let off = weighted.distance(found.on_second - origin);
    assert!(off < slack, "the weights are {off:e} elsewhere\n{scene}");
    if corners.len() == 2 {
        assert_eq!(found.barycentrics[2], 0.0, "{scene}");
    }
    match found.feature {
        Feature::Vertex(i) => {
            assert_eq!(found.on_second, corners[usize::from(i)], "{scene}");
            assert_eq!(found.barycentrics[usize::from(i)], 1.0, "{scene}");
        }
        Feature::Edge(i) if corners.len() == 3 => {
            assert_eq!(found.barycentrics[usize::from(i + 2) % 3], 0.0, "{scene}");
        }
        Feature::Edge(i) => assert_eq!(i, 0, "{scene}"),
        Feature::Face => assert_eq!(corners.len(), 3, "{scene}"),
    }
    if found.fraction == 0.0 {
        assert_eq!(found.on_first, first.a(), "{scene}");
    } else if found.fraction == 1.0 {
        assert_eq!(found.on_first, first.b(), "{scene}");
    }
}

/// A segment of any length, zero included.
fn any_segment(rng: &mut Rng, around: DVec3) -> Segment {
    let a = around + rng.cube(3.0);
    let vector = match rng.below(8) {
        0 => DVec3::ZERO,
        1 => rng.direction() * rng.log_range(1e-12, 1e-3),
        2 => rng.direction() * rng.log_range(10.0, 4000.0),
        3 => DVec3::AXES[rng.below(3) as usize] * rng.range(-4.0, 4.0),
        _ => rng.cube(4.0),
    };
    segment(a, a + vector)
}

/// Unrelated to `first`, parallel to it, almost parallel, crossing it, or with a shared end.
fn partner(rng: &mut Rng, first: &Segment, around: DVec3) -> Segment {
    let along = first.vector();
    let tilt = rng.direction() * along.length() * rng.log_range(1e-16, 1e-3);
    let start = first.a() + rng.cube(2.0);
    match rng.below(6) {
        0 => segment(start, start + along * rng.range(-2.0, 2.0)),
        1 => segment(start, start + (along + tilt) * rng.range(-2.0, 2.0)),
        2 => {
            let (cross, way) = (first.at(rng.unit()), rng.cube(3.0));
            segment(cross - way * rng.unit(), cross + way * rng.unit())
        }
        3 => segment(if rng.chance(0.5) { first.a() } else { first.b() }, around + rng.cube(3.0)),
        4 => segment(first.at(rng.range(-1.0, 2.0)), first.at(rng.range(-1.0, 2.0))),
        _ => any_segment(rng, around),
    }
}

const PLACES: [DVec3; 3] =
    [DVec3::ZERO, DVec3::new(16_384.0, -16_384.0, 512.0), DVec3::new(1e6, -1e6, 1e6)];

#[test]
fn segments_and_segments_agree_with_the_oracle() {
    let mut rng = Rng::new(&[51]);
    for index in 0..30_000 {
        let around = PLACES[index % 3];
        let first = any_segment(&mut rng, around);
        let second = partner(&mut rng, &first, around);
        let found = closest_segment_segment(&first, &second);
        check(&first, &[second.a(), second.b()], &found);
        let swapped = closest_segment_segment(&second, &first);
        check(&second, &[first.a(), first.b()], &swapped);
    }
}

/// Corners around a point: any triangle, a sliver down to a billionth, or one without area.
fn any_triangle(rng: &mut Rng, around: DVec3) -> [DVec3; 3] {
    let a = around + rng.cube(3.0);
    let along = rng.cube(4.0);
    match rng.below(8) {
        0 => [a, a, a],
        1 => [a, a + along, a],
        2 => [a, a + along, a + along * rng.range(-1.0, 2.0)],
        3 | 4 => {
            let across = along.any_orthogonal_vector() * rng.log_range(1e-9, 1e-2);
            [a, a + along, a + along * rng.range(-0.2, 1.2) + across]
        }
        5 => {
            let far = rng.log_range(10.0, 4000.0);
            [a, a + rng.direction() * far, a + rng.direction() * far]
        }
        _ => [a, a + along, around + rng.cube(4.0)],
    }
}

/// A segment that pierces the triangle, lies along its face or an edge, ends on it, or none of it.
fn near_triangle(rng: &mut Rng, [a, b, c]: [DVec3; 3], around: DVec3) -> Segment {
    let (u, v) = (rng.unit(), rng.unit());
    let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
    let inside = a + (b - a) * u + (c - a) * v;
    let normal = (b - a).cross(c - a).normalize_or_zero();
    let lifted = inside + normal * rng.range(-1.0, 1.0);
    match rng.below(6) {
        0 => {
            let way = rng.cube(3.0);
            segment(inside - way * rng.unit(), inside + way * rng.unit())
        }
        1 => segment(lifted, lifted + (b - a) * rng.range(-2.0, 2.0)),
        2 => segment(lifted, lifted + ((b - a) + (c - a) * rng.unit()) * rng.range(-2.0, 2.0)),
        3 => segment(inside, inside + rng.cube(2.0)),
        4 => segment([a, b, c][rng.below(3) as usize], around + rng.cube(4.0)),
        _ => any_segment(rng, around),
    }
}

#[test]
fn segments_and_triangles_agree_with_the_oracle() {
    let mut rng = Rng::new(&[52]);
    for index in 0..30_000 {
        let around = PLACES[index % 3];
        let corners = any_triangle(&mut rng, around);
        let first = near_triangle(&mut rng, corners, around);
        check(&first, &corners, &closest_segment_triangle(&first, &triangle(corners)));
    }
}

#[test]
fn points_and_triangles_agree_with_the_oracle() {
    let mut rng = Rng::new(&[53]);
    for index in 0..30_000 {
        let around = PLACES[index % 3];
        let corners = any_triangle(&mut rng, around);
        let at = near_triangle(&mut rng, corners, around).a();
        let found = closest_point_triangle(&Point::new(at).expect("in range"), &triangle(corners));
        check(&segment(at, at), &corners, &found);
        assert_eq!((found.on_first, found.fraction), (at, 0.0));
        // A segment without length is that point.
        let as_segment = closest_segment_triangle(&segment(at, at), &triangle(corners));
        assert_eq!(format!("{as_segment:?}"), format!("{found:?}"));
    }
}

#[test]
fn segments_that_cross_meet_in_their_crossing() {
    let first = segment(dvec3(-1.0, 0.0, 2.0), dvec3(3.0, 0.0, 2.0));
    let second = segment(dvec3(1.0, -1.0, 2.0), dvec3(1.0, 3.0, 2.0));
    let found = closest_segment_segment(&first, &second);
    assert_eq!((found.distance, found.fraction), (0.0, 0.5));
    assert_eq!((found.on_first, found.on_second), (dvec3(1.0, 0.0, 2.0), dvec3(1.0, 0.0, 2.0)));
    assert_eq!((found.feature, found.barycentrics), (Feature::Edge(0), [0.75, 0.25, 0.0]));
}

#[test]
fn parallel_segments_are_as_far_apart_as_their_lines_or_ends() {
    let first = segment(dvec3(0.0, 0.0, 0.0), dvec3(4.0, 0.0, 0.0));
    // Side by side, shifted, either way round.
    for (from, to) in [(1.0, 9.0), (9.0, 1.0), (-5.0, 2.0), (0.0, 4.0), (4.0, 0.0), (1.0, 2.0)] {
        let second = segment(dvec3(from, 3.0, 4.0), dvec3(to, 3.0, 4.0));
        let found = closest_segment_segment(&first, &second);
        assert_eq!(found.distance, 5.0, "{from} {to}");
        assert_eq!(found.on_second - found.on_first, dvec3(0.0, 3.0, 4.0), "{from} {to}");
    }
    // One behind the other: end to end.
    let behind = segment(dvec3(9.0, 12.0, 0.0), dvec3(20.0, 12.0, 0.0));
    let found = closest_segment_segment(&first, &behind);
    assert_eq!((found.distance, found.fraction, found.feature), (13.0, 1.0, Feature::Vertex(0)));
    // On one line: apart, and on top of each other.
    let ahead = segment(dvec3(6.0, 0.0, 0.0), dvec3(7.0, 0.0, 0.0));
    assert_eq!(closest_segment_segment(&first, &ahead).distance, 2.0);
    let inside = segment(dvec3(1.0, 0.0, 0.0), dvec3(2.0, 0.0, 0.0));
    assert_eq!(closest_segment_segment(&first, &inside).distance, 0.0);
}

#[test]
fn segments_without_length_are_points() {
    let (p, q) = (dvec3(1.0, 2.0, 3.0), dvec3(1.0, 5.0, 7.0));
    let found = closest_segment_segment(&segment(p, p), &segment(q, q));
    assert_eq!((found.distance, found.fraction), (5.0, 0.0));
    assert_eq!((found.on_first, found.on_second), (p, q));
    assert_eq!((found.feature, found.barycentrics), (Feature::Vertex(0), [1.0, 0.0, 0.0]));
    let line = segment(dvec3(-1.0, 2.0, 3.0), dvec3(7.0, 2.0, 3.0));
    let found = closest_segment_segment(&segment(q, q), &line);
    assert_eq!((found.distance, found.barycentrics), (5.0, [0.75, 0.25, 0.0]));
    let found = closest_segment_segment(&line, &segment(q, q));
    assert_eq!((found.distance, found.fraction), (5.0, 0.25));
}

#[test]
fn a_shared_end_is_at_distance_zero_in_every_place() {
    let mut rng = Rng::new(&[54]);
    for index in 0..3000 {
        let at = PLACES[index % 3] + rng.cube(5.0);
        let (b, c, d) = (at + rng.cube(3.0), at + rng.cube(3.0), at + rng.cube(3.0));
        for first in [segment(at, b), segment(b, at)] {
            let found = closest_segment_segment(&first, &segment(at, c));
            assert_eq!((found.distance, found.on_first, found.on_second), (0.0, at, at));
            assert_eq!(found.feature, Feature::Vertex(0));
            let found = closest_segment_triangle(&first, &triangle([c, d, at]));
            assert_eq!(found.distance, 0.0);
        }
    }
}

#[test]
fn a_segment_through_a_triangle_is_at_distance_zero() {
    let floor = triangle([dvec3(0.0, 0.0, 1.0), dvec3(8.0, 0.0, 1.0), dvec3(0.0, 8.0, 1.0)]);
    let pole = segment(dvec3(2.0, 4.0, -2.0), dvec3(2.0, 4.0, 10.0));
    let found = closest_segment_triangle(&pole, &floor);
    assert_eq!((found.distance, found.fraction, found.feature), (0.0, 0.25, Feature::Face));
    assert_eq!((found.on_first, found.on_second), (dvec3(2.0, 4.0, 1.0), dvec3(2.0, 4.0, 1.0)));
    assert_eq!(found.barycentrics, [0.25, 0.25, 0.5]);
    // Beside it, the nearest feature is an edge, a vertex, or the face under an end.
    let cases = [
        (dvec3(4.0, -3.0, 1.0), 3.0, Feature::Edge(0)),
        (dvec3(-3.0, 4.0, 1.0), 3.0, Feature::Edge(2)),
        (dvec3(-3.0, -4.0, 1.0), 5.0, Feature::Vertex(0)),
        (dvec3(12.0, -3.0, 1.0), 5.0, Feature::Vertex(1)),
    ];
    for (at, distance, feature) in cases {
        let pole = segment(at - DVec3::Z * 2.0, at + DVec3::Z * 6.0);
        let found = closest_segment_triangle(&pole, &floor);
        assert_eq!((found.distance, found.fraction, found.feature), (distance, 0.25, feature));
        let point = Point::new(at + DVec3::Z * 4.0).expect("in range");
        let found = closest_point_triangle(&point, &floor);
        assert_eq!((found.distance, found.feature), (distance.hypot(4.0), feature));
    }
    let above = segment(dvec3(1.0, 1.0, 3.0), dvec3(1.0, 2.0, 3.5));
    let found = closest_segment_triangle(&above, &floor);
    assert_eq!((found.distance, found.fraction, found.feature), (2.0, 0.0, Feature::Face));
}
