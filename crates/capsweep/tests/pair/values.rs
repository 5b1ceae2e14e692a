//! Sweeps and overlaps by value, where a wrong shortcut or a wrong bound would show.

use capsweep::{
    Capsule, Feature, Motion, Obb, Point, Segment, Sides, Sphere, Triangle,
    closest_segment_segment, sweep_capsule_box, sweep_capsule_point, sweep_capsule_segment,
    sweep_capsule_sphere, sweep_capsule_triangle,
};
use capsweep_testkit::Rng;
use glam::{DQuat, DVec3, Vec3, dvec3, vec3};

/// The direction between the closest points is uncertain on a radius of 10 µm, kilometres from the
/// corners. The plane's normal is not.
#[test]
fn a_thin_capsule_gets_the_normal_of_the_face_that_it_lands_on() {
    let mut rng = Rng::new(&[2101]);
    let mut hits = 0;
    for _ in 0..500 {
        let turn = DQuat::from_rotation_arc(DVec3::Z, rng.direction());
        let [a, b, c] = [(-1500.0, -1500.0), (2500.0, -1000.0), (-500.0, 2000.0)]
            .map(|(x, y)| turn * dvec3(x, y, 0.0));
        let triangle = Triangle::new(a, b, c).unwrap();
        let (normal, low) = (turn * DVec3::Z, turn * dvec3(rng.range(-99.0, 99.0), 7.0, 1.0));
        let thin = Capsule::new(low, low + normal, 1e-5).unwrap();
        let way = Motion::new(normal * -2.0 + turn * DVec3::X * rng.range(-1.0, 1.0)).unwrap();
        let hit = sweep_capsule_triangle(&thin, &way, &triangle, Sides::Front).unwrap();
        assert_eq!(hit.feature, Feature::Face);
        assert_eq!(Some(hit.normal), triangle.normal(), "{triangle:?}");
        assert_eq!(hit.normal, hit.face_normal);
        hits += 1;
    }
    assert_eq!(hits, 500);
}

/// Near a graze, rounding turns some normals along the motion. They are corrected, and the face's
/// normal with them.
#[test]
fn a_corrected_normal_is_the_faces_normal_too() {
    let mut rng = Rng::new(&[2102]);
    let mut corrected = 0;
    for _ in 0..2000 {
        let turn = DQuat::from_rotation_arc(DVec3::Z, rng.direction());
        let corner = |x: f64, y: f64| turn * dvec3(x, y, 0.0);
        let triangle =
            Triangle::new(corner(-99.0, -99.0), corner(99.0, -99.0), corner(0.0, 99.0)).unwrap();
        let start = turn * dvec3(0.0, 0.0, 0.5 + 1e-8);
        let ball = Capsule::new(start, start, 0.5).unwrap();
        let way = Motion::new(turn * dvec3(3.0, 1.0, -3e-8)).unwrap();
        let Some(hit) = sweep_capsule_triangle(&ball, &way, &triangle, Sides::Front) else {
            continue;
        };
        assert!(hit.normal.as_dvec3().dot(way.vector()) <= 0.0);
        assert_eq!(hit.normal, hit.face_normal);
        corrected += u32::from(Some(hit.normal) != triangle.normal());
    }
    assert!(corrected > 100, "{corrected}");
}

/// Gaps just above the tolerance: the motion closes them by a hundredth more than it must.
#[test]
fn a_gap_of_a_few_micrometres_that_the_motion_closes_is_a_hit() {
    let corner = |x: f64, y: f64| dvec3(x, y, 0.0);
    let triangle = Triangle::new(corner(0.0, 0.0), corner(4.0, 0.0), corner(0.0, 4.0)).unwrap();
    let sphere = Sphere::new(DVec3::ZERO, 0.25).unwrap();
    for gap in [2.1e-6, 2.5e-6, 3e-6, 4e-6, 1e-5, 1e-4] {
        for (closed, hits) in [(1.01, true), (0.9, false)] {
            let motion = Motion::new(dvec3(gap * closed, 0.0, 0.0)).unwrap();
            let at = |x: f64, radius: f32| {
                let foot = dvec3(-f64::from(radius) - x - gap, 1.0, -0.5);
                Capsule::new(foot, foot + DVec3::Z, radius).unwrap()
            };
            // The side of the capsule against the edge x = 0.
            let edge = sweep_capsule_triangle(&at(0.0, 0.5), &motion, &triangle, Sides::Both);
            assert_eq!(edge.is_some(), hits, "edge, {gap} {closed}");
            // Its side against a sphere.
            let ball = at(0.25, 0.5).translated(dvec3(0.0, -1.0, 0.0)).unwrap();
            let round = sweep_capsule_sphere(&ball, &motion, &sphere, Sides::Both);
            assert_eq!(round.is_some(), hits, "sphere, {gap} {closed}");
            // A sphere against a vertex, along the diagonal.
            let away = dvec3(-1.0, -1.0, 0.0).normalize();
            let foot = away * (0.5 + gap);
            let ball = Capsule::new(foot, foot, 0.5).unwrap();
            let motion = Motion::new(away * (-gap * closed)).unwrap();
            let vertex = sweep_capsule_triangle(&ball, &motion, &triangle, Sides::Both);
            assert_eq!(vertex.is_some(), hits, "vertex, {gap} {closed}");
        }
    }
}

/// A point beside the capsule: the normal is exactly level, and known to 8 roundings of the
/// coordinates over the distance. A motion presses from 10⁻¹² plus that on.
#[test]
fn a_touch_is_pressed_from_the_slope_that_its_normal_is_known_to() {
    for (half, radius) in [(0.0, 0.5), (1.0, 0.5), (1024.0, 0.5), (1024.0, 1.0 / 128.0)] {
        for (half, radius) in [(half, radius), (half, 64.0 * radius)] {
            let capsule = Capsule::new(dvec3(0.0, 0.0, -half), dvec3(0.0, 0.0, half), radius);
            let (capsule, distance) = (capsule.unwrap(), f64::from(radius));
            let touched = dvec3(distance, 0.0, 0.75 * half);
            let size = 0.75 * half + touched.length();
            let known = 1e-12 + 8.0 * f64::EPSILON * size / distance;
            for length in [1.0 / 1024.0, 1.0, 1000.0] {
                let hit = |slope: f64| {
                    let motion = Motion::new(dvec3(slope, 1.0, 0.0) * length).unwrap();
                    let point = Point::new(touched).unwrap();
                    sweep_capsule_point(&capsule, &motion, &point)
                };
                let what = format!("{half} {radius} {length}");
                for slope in [-known, 0.0, 0.1 * known, 0.9 * known] {
                    assert_eq!(hit(slope), None, "{what}: {slope}");
                }
                for slope in [1.1 * known, 10.0 * known, 0.1] {
                    let time = hit(slope).map(|hit| (hit.time, hit.depth));
                    assert_eq!(time, Some((0.0, 0.0)), "{what}: {slope}");
                }
            }
        }
    }
}

/// Along the whole axis a rod touches: its middle, at the capsule's centre, is known best.
#[test]
fn a_rod_along_the_axis_is_pressed_from_the_slope_of_its_middle() {
    let (half, radius) = (1024.0, 0.5);
    let capsule = Capsule::new(DVec3::Z * -half, DVec3::Z * half, radius).unwrap();
    for (low, high) in [(-half, half), (half, -half), (-2.0 * half, 2.0 * half)] {
        let rod = Segment::new(dvec3(0.5, 0.0, low), dvec3(0.5, 0.0, high)).unwrap();
        for (slope, presses) in [(0.9e-12, false), (1.1e-12, true), (4e-12, true)] {
            let motion = Motion::new(dvec3(slope, 1.0, 0.0)).unwrap();
            let hit = sweep_capsule_segment(&capsule, &motion, &rod);
            assert_eq!(hit.map(|hit| hit.time), presses.then_some(0.0), "{low} {slope}");
        }
    }
}

/// A ball thinner than a rounding of its way: at the touch both points are one.
#[test]
fn a_touch_without_a_direction_has_the_normal_of_the_motion() {
    let ball = Capsule::new(DVec3::Z, DVec3::Z, 1e-30).unwrap();
    for way in [dvec3(0.0, 0.0, -2.0), dvec3(0.0, 0.0, -4.0)] {
        let motion = Motion::new(way).unwrap();
        let hit = sweep_capsule_point(&ball, &motion, &Point::new(DVec3::ZERO).unwrap()).unwrap();
        assert_eq!((hit.normal, hit.distance), (Vec3::Z, 1.0));
    }
}

/// The direction between two points that are micrometres apart is uncertain at kilometres. Over a
/// kilometre that is millimetres: more than the gap that the motion closes.
#[test]
fn a_long_motion_along_an_edge_closes_a_gap_of_micrometres() {
    let mut rng = Rng::new(&[2103]);
    for number in 0..300 {
        let turn = DQuat::from_rotation_arc(DVec3::Z, rng.direction());
        let (along, out) = (turn * DVec3::X, turn * DVec3::Y);
        let [a, b, c] = [along * -2000.0, along * 2000.0, out * -1000.0];
        let triangle = Triangle::new(a, b, c).unwrap();
        let (radius, gap) = (1e-6_f32, rng.log_range(3e-6, 3e-5));
        let start = along * -500.0 + out * (f64::from(radius) + gap);
        let ball = Capsule::new(start, start, radius).unwrap();
        for (closed, hits) in [(1.5, true), (0.5, false)] {
            let motion = Motion::new(along * 1000.0 - out * (closed * gap)).unwrap();
            let hit = sweep_capsule_triangle(&ball, &motion, &triangle, Sides::Both);
            assert_eq!(hit.is_some(), hits, "case {number}: {gap} m, {closed} of it closed");
        }
    }
}

#[test]
fn the_face_normal_at_an_edge_of_a_box_is_that_of_the_nearest_face() {
    let turn = DQuat::from_rotation_z(0.25);
    let cube = Obb::new(dvec3(3.0, 1.0, 2.0), vec3(1.0, 2.0, 3.0), turn).unwrap();
    // Onto the edge between +x and +y, from a direction closer to one of them.
    for (x, y, face) in [(0.8, 0.6, DVec3::X), (0.6, 0.8, DVec3::Y)] {
        let (away, edge) = (turn * dvec3(x, y, 0.0), turn * dvec3(1.0, 2.0, 0.5));
        let start = cube.center() + edge + away * 2.0;
        let ball = Capsule::new(start, start, 0.25).unwrap();
        let motion = Motion::new(away * -2.0).unwrap();
        let hit = sweep_capsule_box(&ball, &motion, &cube, Sides::Front).unwrap();
        assert!(matches!(hit.feature, Feature::Edge(_)), "{hit:?}");
        assert!(hit.normal.as_dvec3().distance(away) < 1e-6, "{hit:?}");
        assert!(hit.face_normal.as_dvec3().distance(turn * face) < 1e-6, "{hit:?}");
    }
}

/// A box without thickness is two triangles, and one without width is a segment.
#[test]
fn boxes_without_thickness_are_hit_like_triangles_and_segments() {
    let mut rng = Rng::new(&[2104]);
    let mut hits = [0, 0];
    for number in 0..4000 {
        let center = rng.cube(1.0);
        let turn = DQuat::from_rotation_arc(DVec3::Z, rng.direction());
        let (k, sizes) = (rng.below(3) as usize, [rng.range(0.2, 2.0) as f32, 0.5, 0.0]);
        let thin = number % 2 == 0;
        let half: [f32; 3] = std::array::from_fn(|i| match (i + 3 - k) % 3 {
            1 if thin => 0.0,
            place => sizes[place],
        });
        let flat = Obb::new(center, Vec3::from(half), turn).unwrap();
        let axes = [flat.axes().x_axis, flat.axes().y_axis, flat.axes().z_axis];
        let u = axes[k] * f64::from(half[k]);
        let v = axes[(k + 1) % 3] * f64::from(half[(k + 1) % 3]);
        let corner = |x: f64, y: f64| center + u * x + v * y;
        let start = center + rng.direction() * rng.range(1.0, 4.0);
        let axis = rng.cube(0.6);
        let capsule = Capsule::new(start - axis, start + axis, rng.range(0.05, 0.4) as f32);
        let (capsule, motion) = (capsule.unwrap(), center - start + rng.cube(0.8));
        let motion = Motion::new(motion * 1.5).unwrap();
        let found = sweep_capsule_box(&capsule, &motion, &flat, Sides::Both);
        let expected = if thin {
            let segment = Segment::new(corner(-1.0, 0.0), corner(1.0, 0.0)).unwrap();
            sweep_capsule_segment(&capsule, &motion, &segment).map(|hit| hit.time)
        } else {
            let [a, b, c, d] =
                [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, y)| corner(x, y));
            let halves = [Triangle::new(a, b, c).unwrap(), Triangle::new(a, c, d).unwrap()];
            let times = halves.iter().filter_map(|triangle| {
                sweep_capsule_triangle(&capsule, &motion, triangle, Sides::Both)
            });
            times.map(|hit| hit.time).reduce(f64::min)
        };
        let time = found.map(|hit| hit.time);
        assert_eq!(time.is_some(), expected.is_some(), "case {number}: {flat:?} {capsule:?}");
        if let (Some(time), Some(expected)) = (time, expected) {
            assert!((time - expected).abs() < 1e-9, "case {number}: {time} {expected}");
            hits[usize::from(thin)] += 1;
        }
    }
    assert!(hits[0] > 500 && hits[1] > 300, "{hits:?}");
}

/// Far from the origin the way through the capsule's frame rounds.
#[test]
fn the_end_of_a_segment_is_reported_with_its_own_bits() {
    let mut rng = Rng::new(&[2105]);
    for _ in 0..200 {
        let a = rng.cube(1000.0);
        let b = a + rng.direction() * rng.range(0.1, 3.0);
        let segment = Segment::new(a, b).unwrap();
        for (end, fraction, other) in [(a, 0.0, a - (b - a)), (b, 1.0, b + (b - a))] {
            let target = Segment::new(other, other + (other - end)).unwrap();
            let found = closest_segment_segment(&segment, &target);
            assert_eq!((found.fraction, found.on_first), (fraction, end), "{segment:?}");
        }
    }
}

/// Starts level with the corners and the middle of a face, and motions that end inside it.
#[test]
fn a_face_of_a_box_is_hit_inside_it_wherever_the_capsule_starts() {
    let cube = Obb::axis_aligned(DVec3::ZERO, Vec3::ONE).unwrap();
    for k in 0..3 {
        let turned = |v: DVec3| DVec3::from_array(std::array::from_fn(|i| v[(i + k) % 3]));
        for (x, y) in [(-1.0, -1.0), (-1.0, 0.5), (1.0, -1.0), (1.0, 1.0), (0.0, 0.0), (0.0, 1.0)]
        {
            for side in [-1.0, 1.0] {
                let start = dvec3(x, y, 3.5 * side);
                let end = dvec3(-0.25 * x, -0.25 * y, 1.5 * side);
                let ball = Capsule::new(turned(start), turned(start), 0.5).unwrap();
                let motion = Motion::new(turned((end - start) * 2.0)).unwrap();
                let hit = sweep_capsule_box(&ball, &motion, &cube, Sides::Front).unwrap();
                assert_eq!((hit.time, hit.feature), (0.5, Feature::Face), "{start}");
                assert_eq!(hit.normal.as_dvec3(), turned(DVec3::Z * side));
            }
        }
    }
}
