//! Geometry that breaks solvers: slivers, needles, kilometres, micrometres, near-parallel and
//! grazing.

use super::fuzz::{fixed, vector};
use super::referee::{judge, judge_at_rest};
use super::reference::point_segment;
use super::target::{Target, capsule, half_space, rod, skew, solid, sphere, triangle, v};
use capsweep::{CONTACT_TOLERANCE, Capsule, Feature};
use capsweep_testkit::Rng;
use glam::{DVec3, Vec3};
use proptest::prelude::*;
use proptest::sample::select;

/// Unit vectors.
fn direction() -> impl Strategy<Value = DVec3> + Clone {
    vector(1.0).prop_filter_map("too short", |p| (p.length() > 0.1).then(|| p.normalize()))
}

/// A capsule's approach: its aim, direction, miss distance, length and radius.
#[derive(Debug, Clone, Copy)]
struct Approach {
    along: DVec3,
    aside: DVec3,
    axis: DVec3,
    radius: f32,
    /// Fraction of the motion before the aim.
    share: f64,
}

fn approach() -> impl Strategy<Value = Approach> {
    let axis = prop_oneof![1 => Just(DVec3::ZERO), 6 => vector(1.5)];
    (direction(), vector(1.2), axis, 0.05_f32..0.8, 0.0..1.3).prop_map(
        |(along, aside, axis, radius, share)| Approach { along, aside, axis, radius, share },
    )
}

impl Approach {
    /// Judges the sweep of `length` metres past `aim`, with sizes multiplied by `scale`.
    fn judge(&self, target: &Target, aim: DVec3, length: f64, scale: f64) {
        let radius = self.radius * scale as f32;
        let center = aim + self.aside * f64::from(radius) - self.along * (length * self.share);
        let half = (self.axis * (0.5 * scale)).clamp_length_max(4.9e5);
        let body = capsule(center - half, center + half, radius);
        judge(&body, self.along * length, target);
    }
}

/// Weights of a random point of a triangle, often on its border.
fn weights() -> impl Strategy<Value = [f64; 3]> {
    let inside = (0.0..1.0, 0.0..1.0).prop_map(|(s, t): (f64, f64)| {
        let (s, t) = if s + t > 1.0 { (1.0 - s, 1.0 - t) } else { (s, t) };
        [1.0 - s - t, s, t]
    });
    let corner = select(vec![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.5, 0.5, 0.0]]);
    prop_oneof![3 => inside, 1 => corner]
}

fn blend([a, b, c]: [DVec3; 3], w: [f64; 3]) -> DVec3 {
    a * w[0] + b * w[1] + c * w[2]
}

proptest! {
    #![proptest_config(fixed(200))]

    #[test]
    fn slivers_are_hit_exactly(
        from in approach(), w in weights(), along in direction(),
        at in vector(2.0), share in -0.2..1.2,
        length in select(vec![0.01, 1.0, 60.0, 4000.0]),
        thin in select(vec![1e-3, 1e-6, 1e-9, 1e-11, 1e-13, 1e-15]),
    ) {
        let across = along.any_orthonormal_vector();
        let [a, b] = [at - along * (length * 0.5), at + along * (length * 0.5)];
        let c = a + along * (length * share) + across * (length * thin);
        from.judge(&triangle(a, b, c), blend([a, b, c], w), 6.0, 1.0);
        from.judge(&triangle(c, a, b), blend([a, b, c], w), 200.0, 1.0);
    }

    #[test]
    fn four_kilometre_triangles_are_hit_exactly_by_kilometre_motions(
        from in approach(), w in weights(),
        a in vector(2300.0), b in vector(2300.0), c in vector(2300.0),
    ) {
        // Relative to the start of the capsule, like all kernels: coordinates stay within some
        // kilometres.
        from.judge(&triangle(a, b, c), blend([a, b, c], w), 1000.0, 1.0);
        from.judge(&triangle(a, b, c), blend([a, b, c], w), 10.0, 1.0);
    }

    #[test]
    fn tiny_triangles_are_hit_exactly(
        from in approach(), w in weights(), a in vector(1.0), b in vector(1.0), c in vector(1.0),
        size in select(vec![1e-3, 1e-6, 1e-9, 1e-15]),
    ) {
        let corners = [a, b, c].map(|p| v(0.3, -0.4, 0.5) + p * size);
        let target = triangle(corners[0], corners[1], corners[2]);
        from.judge(&target, blend(corners, w), 5.0, 1.0);
        from.judge(&target, blend(corners, w), 0.01, 1.0);
    }

    #[test]
    fn thin_and_huge_capsules_hit_exactly(
        from in approach(), w in weights(), a in vector(3.0), b in vector(3.0), c in vector(3.0),
        thin in select(vec![1e-4, 1e-3, 1e-2]), huge in select(vec![1e2, 1e4, 1e6]),
    ) {
        from.judge(&triangle(a, b, c), blend([a, b, c], w), 5.0, thin);
        from.judge(&triangle(a, b, c), blend([a, b, c], w), huge, huge);
    }

    #[test]
    fn motions_of_a_picometre_and_of_a_hundred_thousand_kilometres_hit_exactly(
        from in approach(), w in weights(), a in vector(3.0), b in vector(3.0), c in vector(3.0),
        short in select(vec![1e-12, 1e-9, 1e-6, 1e-3]), long in select(vec![1e4, 1e6, 1e8]),
    ) {
        let aim = blend([a, b, c], w);
        from.judge(&triangle(a, b, c), aim, short, 1.0);
        from.judge(&triangle(a, b, c), aim, long, 1.0);
        from.judge(&sphere(aim, 0.3), aim, long, 1.0);
        from.judge(&rod(a, b, 0.2), aim, long, 1.0);
    }

    #[test]
    fn axes_nearly_parallel_to_face_edge_and_motion_hit_exactly(
        from in approach(), w in weights(), a in vector(3.0), b in vector(3.0), c in vector(3.0),
        lean in vector(1.0), exponent in 3..16_i32, length in 0.2..4.0,
    ) {
        let lean = lean * (0..exponent).fold(1.0, |x, _| x * 0.1);
        let target = triangle(a, b, c);
        let normal = (b - a).cross(c - a).normalize_or_zero();
        for along in [a - b, c - (a + b) * 0.5, from.along, normal, from.along.cross(normal)] {
            let axis = (along.normalize_or_zero() + lean) * length;
            let near = Approach { axis, ..from };
            near.judge(&target, blend([a, b, c], w), 5.0, 1.0);
            near.judge(&rod(a, b, 0.2), blend([a, b, c], w), 5.0, 1.0);
        }
        // The motion nearly parallel to the face and to an edge.
        for along in [a - b, c - (a + b) * 0.5] {
            let near = Approach { along: (along.normalize() + lean).normalize(), ..from };
            near.judge(&target, blend([a, b, c], w), 5.0, 1.0);
            near.judge(&rod(a, b, 0.2), blend([a, b, c], w), 5.0, 1.0);
        }
    }

    #[test]
    fn boxes_of_any_proportion_are_hit_exactly(
        from in approach(), at in vector(1.0), lean in vector(1.0),
        x in select(vec![0.0_f32, 1e-6, 1e-3, 1.0, 1000.0]),
        y in select(vec![0.0_f32, 1e-6, 0.7, 50.0]),
        z in select(vec![0.0_f32, 1e-4, 0.3, 2000.0]),
        exponent in 0..16_i32,
    ) {
        let target = solid(v(1.0, 2.0, -3.0), Vec3::new(x, y, z), skew());
        let aim = v(1.0, 2.0, -3.0) + skew() * (at * v(x.into(), y.into(), z.into()));
        from.judge(&target, aim, 6.0, 1.0);
        from.judge(&target, aim, 500.0, 1.0);
        let lean = lean * (0..exponent).fold(1.0, |x, _| x * 0.1);
        for own in [DVec3::X, DVec3::Y, DVec3::Z] {
            let axis = skew() * own + lean;
            Approach { axis, ..from }.judge(&target, aim, 6.0, 1.0);
            Approach { along: axis.normalize(), ..from }.judge(&target, aim, 6.0, 1.0);
        }
    }
}

/// Flat tops at z = 0 that reach 100 m around the origin.
fn floors() -> [Target; 3] {
    [
        triangle(v(-200.0, -150.0, 0.0), v(400.0, -150.0, 0.0), v(-200.0, 500.0, 0.0)),
        solid(v(3.0, 2.0, -5.0), Vec3::new(150.0, 140.0, 5.0), glam::DQuat::IDENTITY),
        half_space(v(9.0, 9.0, 0.0), DVec3::Z),
    ]
}

/// Upright, lying and tilted capsules whose lowest point is at `height`.
fn standing(height: f64) -> [Capsule; 4] {
    let low = v(0.5, 0.25, 0.4_f32.into()) + DVec3::Z * height;
    [
        capsule(low, low, 0.4),
        capsule(low, low + DVec3::Z, 0.4),
        capsule(low, low + v(0.9, -0.3, 0.0), 0.4),
        capsule(low + v(0.9, -0.3, 1e-4), low, 0.4),
    ]
}

#[test]
fn grazing_down_to_a_millionth_of_a_radian_is_exact() {
    for target in floors() {
        for tilt in [1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6] {
            let height = 4.0 * tilt;
            for body in standing(height) {
                let motion = v(6.0, -2.0, -8.0 * tilt);
                let found = judge(&body, motion, &target).map_or(f64::INFINITY, |hit| hit.time);
                // Half of the motion leads down to the floor; 4 µm over it is beyond the bound.
                assert!(
                    (found - 0.5).abs() < 1e-11 / tilt,
                    "{found} tilt {tilt:e} {body:?} {target:?}"
                );
            }
        }
    }
}

#[test]
fn thinner_than_the_bound_still_stops_at_faces() {
    let floor = triangle(v(-2.0, -1.0, 0.0), v(3.0, -1.0, 0.0), v(-2.0, 2.0, 0.0));
    for radius in [1e-6_f32, 1e-5, 1e-4, 1e-3] {
        for axis in [DVec3::ZERO, DVec3::Z, v(0.5, 0.25, 0.0)] {
            let body = capsule(v(-1.0, 0.0, 1.0), v(-1.0, 0.0, 1.0) + axis, radius);
            let hit = judge(&body, v(0.5, 0.0, -2.0), &floor).expect("a face is in the way");
            let expected = (1.0 - f64::from(radius)) / 2.0;
            assert!((hit.time - expected).abs() < 1e-9, "{hit:?}");
            assert_eq!(hit.feature, Feature::Face);
        }
    }
}

#[test]
fn a_dot_of_a_triangle_stops_a_person_like_a_point() {
    for size in [1e-3, 1e-6, 1e-9, 1e-12, 0.0] {
        let target =
            triangle(v(0.0, 0.0, 0.0), v(size, 0.0, 0.0), v(size * 0.25, size * 0.5, 0.0));
        let body = capsule(v(0.3, 0.0, 2.0), v(0.3, 0.0, 3.0), 0.5);
        let hit = judge(&body, v(0.0, 0.0, -4.0), &target).expect("it is in the way");
        assert!((hit.distance - 1.6).abs() <= 1e-9 + 2.0 * size, "{size:e} {hit:?}");
    }
}

/// Triangles of `size` at the origin: a corner, a needle, a lying one and one on a line.
fn vanishing(size: f64) -> [Target; 4] {
    [
        triangle(DVec3::X * size, DVec3::Z * size, DVec3::ZERO),
        triangle(DVec3::ZERO, DVec3::Y * size, v(size, 0.0, size * 1e-9)),
        triangle(v(-size, -size, 0.0), v(3.0 * size, -size, 0.0), v(-size, 2.0 * size, 0.0)),
        triangle(DVec3::X * size, DVec3::X * -size, DVec3::X * (0.5 * size)),
    ]
}

/// Judges sweeps of an ordinary capsule around the origin, near it and through it, against
/// `target`.
fn judge_around(target: &Target) {
    for [p0, axis] in [
        [v(0.0, 0.0, 0.3), v(1.5, 0.0, 0.0)],
        [v(0.0, 0.0, 0.3), v(0.0, 0.0, 1.0)],
        [v(0.0, 0.0, 0.9), v(1.5, 0.0, 0.0)],
        [v(0.0, 0.0, 0.9), v(0.0, 0.0, 1.0)],
        [v(0.0, 2.0, 0.0), v(0.0, 0.0, 0.0)],
        [v(0.0, 0.3, 0.0), v(0.0, 0.0, 0.0)],
        [v(0.0, 0.0, 0.0), v(1.0, 0.5, 0.25)],
        [v(-0.5, 0.0, 0.0), v(1.5, 0.0, 0.0)],
        [v(0.0, 0.0, 0.0), v(0.0, 0.0, 0.0)],
    ] {
        let body = capsule(p0, p0 + axis, 0.4);
        for motion in [v(0.0, 0.0, -2.0), v(0.0, -4.0, 0.0), v(-1.0, 0.5, -3.0), v(5.0, 0.0, 0.0)]
        {
            judge(&body, motion, target);
        }
        judge_at_rest(&body, target);
    }
}

#[test]
fn triangles_of_a_subatomic_size_are_points() {
    for size in [1e-12, 1e-20, 1e-30, 1e-40] {
        vanishing(size).iter().for_each(judge_around);
    }
}

#[test]
fn triangles_whose_squared_size_underflows_are_points() {
    for size in [1e-60, 1e-75, 1e-80, 1e-100, 1e-150, 1e-155, 1e-160, 1e-200, 1e-310] {
        vanishing(size).iter().for_each(judge_around);
    }
}

#[test]
fn axes_and_other_capsules_whose_squared_length_underflows_are_spheres() {
    for size in [1e-12, 1e-30, 1e-60, 1e-80, 1e-100, 1e-150, 1e-160, 1e-200, 1e-310] {
        for other in [DVec3::X, v(0.3, -0.4, 0.5)] {
            judge_around(&rod(DVec3::ZERO, other * size, 0.2));
            let body = capsule(v(0.0, 0.0, 1.0), v(0.0, 0.0, 1.0) + other * size, 0.4);
            let ball = capsule(DVec3::ZERO, other * size, 0.4);
            for target in floors() {
                judge(&body, v(0.25, 0.0, -2.0), &target);
                judge(&ball, v(0.25, 0.0, -2.0), &target);
                judge_at_rest(&ball, &target);
            }
        }
    }
}

#[test]
fn motions_whose_squared_length_underflows_touch_only_what_they_touch() {
    for size in [1e-30, 1e-60, 1e-100, 1e-160, 1e-200, 1e-310] {
        for target in floors() {
            for body in standing(0.0).into_iter().chain(standing(1e-3)).chain(standing(-0.1)) {
                for motion in [v(0.0, 0.0, -size), v(size, 0.0, 0.0), v(size, 0.0, size)] {
                    judge(&body, motion, &target);
                }
            }
        }
    }
}

#[test]
fn triangles_finer_than_the_distance_resolves_are_where_they_are() {
    // Near the origin f64 resolves 10⁻¹⁵ m; relative to a capsule 300 m away the vertices have one
    // height.
    for size in [1e-14, 1e-12, 1e-6, 1e-3] {
        for thin in [1.0, 1e-6, 1e-11] {
            let fine = size * thin;
            for target in [
                triangle(v(-size, 0.0, 0.0), v(size, 0.0, 0.0), v(0.0, 0.0, fine)),
                triangle(v(0.0, 0.0, -size), v(0.0, 0.0, size), v(0.0, fine, 0.0)),
                triangle(v(-size, 0.0, fine), v(size, 0.0, 0.0), v(0.5 * size, fine, 0.0)),
            ] {
                judge_from_afar(&target);
            }
        }
    }
}

/// Judges sweeps that end short of the origin and beyond it.
fn judge_from_afar(target: &Target) {
    for far in [1.5, 300.0, 1e5] {
        for from in [DVec3::Z, DVec3::Y, DVec3::X, v(0.6, 0.0, 0.8)] {
            let at = from * far;
            for axis in [DVec3::ZERO, DVec3::Z, v(0.0, 1.0, 0.5)] {
                let body = capsule(at, at + axis, 0.4);
                judge(&body, at * -0.5, target);
                judge(&body, at * -1.5, target);
            }
        }
    }
}

#[test]
fn slivers_that_the_query_origin_flattens_are_where_they_are() {
    let axis = v(-0.957_589_285_280_229, -0.870_818_010_978_705_4, 0.607_895_317_752_100_7);
    // 14 µm long, 2·10⁻¹⁷ m thin, 1.3 m below the capsule.
    let at = v(0.0, 0.0, 1.290_165_478_227_600_9);
    let tip = 1.366_032_492_329_442_3e-5;
    let sliver = triangle(
        DVec3::ZERO,
        v(0.0, 0.0, 1.366_032_492_328_566_8e-5),
        v(1.066_796_753_074_357_8e-17, 1.349_770_037_203_680_1e-17, tip),
    );
    judge(&capsule(at, at + axis, 0.3), at * -1.5, &sliver);
    // 3 µm long, 4.6 km away.
    let at = v(0.0, 0.0, 4_636.195_180_257_62);
    let needle = triangle(
        v(0.0, 0.0, -4.294_432_755_849_784e-6),
        v(0.0, 0.0, -1.533_081_691_856_867_6e-6),
        v(0.0, 3.023_804_861_107_172_8e-18, -1.533_081_691_856_867_6e-6),
    );
    judge(&capsule(at, at + axis, 0.3), at * -0.2, &needle);
    // 0.15 mm long; the capsule's axis is 6 km long and its middle is 1.6 km away.
    let long = triangle(
        v(0.0, -8.247_883_637_689_404e-5, 0.0),
        v(0.0, -8.247_883_637_358_73e-5, 0.0),
        v(0.0, 3.233_048_743_436_172e-5, -0.000_101_115_199_379_296_92),
    );
    let body =
        capsule(v(0.0, 4_658.104_793_462_462, 0.0), v(0.0, -1_344.255_873_481_051, 0.0), 0.3);
    judge(&body, v(0.0, -10.0, 0.0), &long);
}

/// Triangles that rounding relative to the capsule turns into others, or into points.
#[test]
fn a_tiny_triangle_far_away_reports_its_own_normal() {
    let mut rng = Rng::new(&[83]);
    for _ in 0..4_000 {
        let size = rng.log_range(1e-14, 1e-2);
        let corners = [(); 3].map(|()| rng.cube(size));
        let target = triangle(corners[0], corners[1], corners[2]);
        let Target::Triangle(own) = target else { unreachable!("it was made one") };
        let Some(front) = own.normal() else { continue };
        let (along, half, radius) = (rng.direction(), rng.cube(1.0), rng.range(0.05, 0.8) as f32);
        // Half way, a point of the axis is within the radius of the triangle.
        let motion = along * rng.log_range(10.0, 1_000.0);
        let on_axis = half * rng.range(-1.0, 1.0) + rng.cube(0.5 * f64::from(radius));
        let center = -motion * 0.5 - on_axis;
        let body = capsule(center - half, center + half, radius);
        let hit = target.both(&body, motion).expect("it is in the way");
        let (p0, p1) = (body.p0() + motion * hit.time, body.p1() + motion * hit.time);
        let gap = point_segment(DVec3::ZERO, p0, p1) - f64::from(radius);
        assert!(gap.abs() < CONTACT_TOLERANCE + 2.0 * size, "{gap} {hit:?} {own:?}");
        assert!(hit.face_normal.dot(front).abs() > 1.0 - 1e-6, "{hit:?} {own:?}");
        assert!(hit.face_normal.dot(hit.normal) >= -1e-6, "{hit:?} {own:?}");
    }
}
