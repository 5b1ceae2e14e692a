//! Inputs that the fuzz target found.

use crate::{capsule, motion, sphere_capsule, triangle};
use capsweep::{
    Capsule, HalfSpace, Motion, Sides, Triangle, closest_capsule_triangle,
    overlap_capsule_triangle, sweep_capsule_half_space, sweep_capsule_triangle,
};
use capsweep_testkit::Rng;
use glam::{DQuat, DVec3, dvec3};

/// Nearer than a nanometre, with a smaller radius: apart, though rounding calls the axis piercing.
#[test]
fn a_capsule_thinner_than_its_gap_does_not_overlap() {
    let mover = capsule(
        [0.000_546_157_360_076_904_3, -0.000_796_616_077_423_095_7, -0.000_796_616_077_423_095_7],
        [0.000_576_674_938_201_904_3, -0.000_796_616_077_423_095_7, -0.000_796_616_077_423_095_7],
        2.910_383e-11,
    );
    let target = triangle([
        [2.980_232_238_769_531_2e-8, 2.910_383_045_673_370_4e-11, 0.0],
        [284.0, 0.0, 4.482_269_287_109_375e-5],
        [5.831_941_962_242_126_5e-5, -0.423_538_208_007_812_5, -0.423_538_208_007_812_5],
    ]);
    let near = closest_capsule_triangle(&mover, &target);
    let overlap = overlap_capsule_triangle(&mover, &target);
    assert_eq!(overlap.is_some(), near.distance < 0.0, "{overlap:?} but {near:?}");
    assert!(overlap.is_none_or(|overlap| overlap.depth > 0.0));
}

/// Vertices that differ by less than f64 resolves at the capsule's distance coincide relative to
/// it. Their face vanishes, and the solver must not find it under everything.
#[test]
fn a_triangle_too_small_to_see_from_afar_is_a_point() {
    let target = triangle([[0.0, 1.4e-105, 1.6e-105], [0.0; 3], [3.2e-105, 0.0, 3.2e-105]]);
    let mover = sphere_capsule([0.0; 3], 32.5);
    let overlap = overlap_capsule_triangle(&mover, &target).unwrap();
    let free = mover.translated(overlap.normal.as_dvec3() * overlap.depth).unwrap();
    assert!(closest_capsule_triangle(&free, &target).distance.abs() < 5e-6);
}

/// Squares of such lengths are subnormal or zero: no digits are left for a direction.
#[test]
fn subnormal_edges_have_no_normal() {
    for size in [3.4e-161, 1.1e-175, 1e-310] {
        let target = triangle([[-size, 0.0, -size], [-size, -size, -size], [0.0, 0.0, size]]);
        assert!(target.is_degenerate());
        let mover = capsule([0.0; 3], [-4.7e-253, 4.7e-253, 0.0], 0.25);
        let near = closest_capsule_triangle(&mover, &target);
        assert!(near.distance.is_finite() && near.on_capsule.is_finite());
        assert!((near.normal.length() - 1.0).abs() < 1e-6);
    }
}

/// The square of a motion of 10⁻¹⁵⁹ m must not lose its length.
#[test]
fn a_subnormal_square_does_not_spoil_the_direction_of_a_motion() {
    let way = motion([-2.276e-159, -3.4e-161, 3.4e-161]);
    let direction = way.direction().unwrap();
    assert!((direction.length() - 1.0).abs() < 1e-15);
    assert!((way.length() / 2.276e-159 - 1.0).abs() < 1e-3);
    let target = triangle([[1.0, -2.0, -1.0], [1.0, 3.0, -1.0], [1.0, 0.5, 4.0]]);
    let mover = sphere_capsule([0.0; 3], 0.5);
    assert_eq!(sweep_capsule_triangle(&mover, &way, &target, Sides::Both), None);
}

/// A motion so short that the slack at its end, in motions, overflows: it still reaches nothing.
#[test]
fn the_shortest_motion_reaches_nothing() {
    let way = Motion::along(DVec3::NEG_Z, 1e-320).unwrap();
    let floor = HalfSpace::new(DVec3::ZERO, DVec3::Z).unwrap();
    let mover = sphere_capsule([0.0, 0.0, 2.0], 0.5);
    assert_eq!(sweep_capsule_half_space(&mover, &way, &floor, Sides::Both), None);
}

/// At 10⁻⁸ rad the rounding of an f32 normal exceeds its slope against the motion.
#[test]
fn a_rounded_normal_still_opposes_a_grazing_motion() {
    for tilt in [1e-6, 1e-8, 1e-9] {
        let floor = HalfSpace::new(DVec3::ZERO, dvec3(0.6, 0.0, 0.8)).unwrap();
        let along = dvec3(0.8, 0.0, -0.6) - dvec3(0.6, 0.0, 0.8) * tilt;
        let start = floor.normal() * (0.5 + 3e-6);
        let mover = sphere_capsule(start.to_array(), 0.5);
        let way = Motion::along(along, 4e-6 / tilt).unwrap();
        let hit = sweep_capsule_half_space(&mover, &way, &floor, Sides::Front).unwrap();
        assert!(hit.normal.as_dvec3().dot(way.vector()) <= 0.0, "{hit:?}");
        assert!(hit.normal.as_dvec3().distance(floor.normal()) < 1e-6);
    }
}

/// The oracle found this in a million queries. The motion crosses the plane of a face just before
/// its border, at so flat an angle that rounding misses the round border. Both pieces missed, and
/// the capsule passed through.
#[test]
fn a_grazing_motion_cannot_slip_in_between_a_face_and_its_border() {
    let turns = [
        [
            0.386_205_046_315_258_9,
            -0.207_148_035_553_390_18,
            0.078_943_604_956_246_7,
            0.895_378_836_472_871,
        ],
        [
            -0.086_875_701_467_639_3,
            -0.224_000_011_497_733_52,
            0.446_548_613_742_573_2,
            0.861_899_613_010_765_3,
        ],
        [
            0.812_904_200_813_566_1,
            0.344_985_457_867_701_35,
            -0.458_550_165_946_265_13,
            0.099_517_0,
        ],
    ];
    for turn in turns.map(|turn| DQuat::from_array(turn).normalize()) {
        let target = [[0.0, -7.0, 0.0], [20.0, 0.5, 0.0], [0.0, 9.0, 0.0]].map(DVec3::from);
        let [a, b, c] = target.map(|corner| turn * corner);
        let target = Triangle::new(a, b, c).unwrap();
        for (slope, long) in
            [1e-9, 8.1e-9, 1.2e-8, 2e-8, 1e-7].map(|s| [(s, 0.0), (s, 0.8)]).concat()
        {
            for step in -200..200 {
                // The leading end comes down to the height of the radius this far before the
                // border.
                let beside = f64::from(step) * 5e-18 / slope;
                let half_axis = dvec3(long, 0.0, -long * slope);
                let start = dvec3(-1.0 - beside, 0.3, 0.5 + slope) - half_axis;
                let mover = Capsule::from_center(turn * start, turn * half_axis, 0.5).unwrap();
                let way = Motion::new(turn * dvec3(10.0, 0.0, -10.0 * slope)).unwrap();
                let hit = sweep_capsule_triangle(&mover, &way, &target, Sides::Front);
                let there = mover.translated(way.vector() * hit.map_or(1.0, |hit| hit.time));
                let gap = closest_capsule_triangle(&there.unwrap(), &target).distance;
                assert!(gap > -1e-9, "gap {gap:e} at slope {slope}, {beside} beside: {hit:?}");
            }
        }
    }
}

/// An inside test is off by one rounding across the border. At the tip of a needle that is metres
/// along it.
#[test]
fn nothing_overlaps_past_the_tip_of_a_needle() {
    let turns = [(1.0, 2.0, -0.5, 0.7), (-0.3, 0.4, 1.0, 2.3), (0.9, -0.2, 0.3, 1.1)];
    for (x, y, z, angle) in turns {
        let turn = DQuat::from_axis_angle(dvec3(x, y, z).normalize(), angle);
        for power in 3..13 {
            let angle = 0.1_f64.powi(power);
            let [a, b, c] =
                [DVec3::ZERO, dvec3(2400.0, 0.0, 0.0), dvec3(2400.0, 2400.0 * angle, 0.0)];
            let needle = Triangle::new(turn * a, turn * b, turn * c).unwrap();
            for past in [1e-4, 0.007, 0.1305, 3.0, 40.0] {
                let radius = (0.8 * past) as f32;
                for half_axis in [DVec3::ZERO, dvec3(0.0, 0.3, 0.4), dvec3(0.0, 0.0, 2.0)] {
                    let center = turn * dvec3(-past, 0.0, 0.0);
                    let mover = Capsule::from_center(center, turn * half_axis, radius).unwrap();
                    assert_eq!(
                        overlap_capsule_triangle(&mover, &needle),
                        None,
                        "past {past}, angle {angle}"
                    );
                    let near = closest_capsule_triangle(&mover, &needle);
                    assert!((near.distance - (past - f64::from(radius))).abs() < 1e-9, "{near:?}");
                    assert!(near.on_geometry.length() < 1e-6, "{near:?}");
                }
            }
        }
    }
}

/// An axis a nanometre beside a needle: the direction to the needle has no correct digits. After
/// 645 m along it, the hit was 10 µm off.
#[test]
fn a_huge_capsule_is_pushed_out_of_a_needle_that_it_almost_pierces() {
    let mover = capsule(
        [0.0; 3],
        [-7.629_394_531_25e-6, -1.704_494_934_529_066e-6, 2.502_929_419_279_098_5e-9],
        645.0,
    );
    let needle = triangle([
        [0.0, 0.0, 2.328_306_436_538_696_3e-9],
        [0.0, 2.681_917_976_588_011e-7, -2.458_691_596_984_863_3e-7],
        [95.9375, 0.001_953_125, -0.025_497_436_523_437_5],
    ]);
    let overlap = overlap_capsule_triangle(&mover, &needle).unwrap();
    let free = mover.translated(overlap.normal.as_dvec3() * overlap.depth).unwrap();
    let left = closest_capsule_triangle(&free, &needle).distance;
    assert!(left.abs() < 5e-6, "{left:e} left after {overlap:?}");
}

/// Micrometres beside an edge of 4 km, the direction to it is known to 10⁻⁶ only. Over a kilometre
/// along it, that is more than the gap.
#[test]
fn a_thin_capsule_that_flies_along_a_long_edge_closes_in_on_it() {
    let mover = capsule(
        [-3.669_491_731_390_11, -49.381_537_406_812_55, 62.134_738_650_829_18],
        [-3.669_491_731_390_11, -49.381_537_406_812_55, 62.134_738_650_829_18],
        2.037_138_4e-5,
    );
    let far = triangle([
        [1_239.608_940_715_220_8, 460.308_182_287_072, -342.902_098_095_620_3],
        [-2_215.376_538_528_207, -956.084_620_449_955_5, 782.667_431_774_396],
        [-3.149_626_200_118_995_6, -51.108_465_830_167_92, 61.557_358_834_891_254],
    ]);
    let motion = Motion::new(DVec3::new(
        -798.923_242_979_923_9,
        -327.523_566_026_642_9,
        260.274_206_929_600_7,
    ));
    assert!(sweep_capsule_triangle(&mover, &motion.unwrap(), &far, Sides::Both).is_some());

    let mut rng = Rng::new(&[31]);
    let mut hits = 0;
    for round in 0..20_000 {
        let along = rng.direction();
        let towards = rng.direction().cross(along).normalize();
        let across = along.cross(towards);
        let radius = rng.log_range(1e-6, 1e-2) as f32;
        let gap = rng.log_range(2.2e-6, 2e-5);
        let at = rng.cube(100.0);
        let back =
            towards * rng.unit() + across * rng.range(-1.0, 1.0) + along * rng.range(-0.5, 0.5);
        let length = if rng.chance(0.5) { 0.0 } else { rng.log_range(1.0, 1e5) };
        let mover = Capsule::new(at, at - back.normalize() * length, radius).unwrap();
        let foot = at + towards * (f64::from(radius) + gap);
        let before = rng.range(0.05, 0.6);
        let beyond = towards * rng.range(0.2, 1.0) + across * rng.range(-1.0, 1.0);
        let far = Triangle::new(
            foot - along * (3_900.0 * before),
            foot + along * (3_900.0 * (1.0 - before)),
            foot + beyond * rng.log_range(1.0, 1e3),
        )
        .unwrap();
        let closing = rng.log_range(2.0 * gap, 1e-2);
        let motion = Motion::new(along * rng.range(300.0, 1e3) + towards * closing).unwrap();
        let end = mover.translated(motion.vector()).unwrap();
        let goes_in = overlap_capsule_triangle(&mover, &far).is_none()
            && overlap_capsule_triangle(&end, &far).is_some();
        let hit = sweep_capsule_triangle(&mover, &motion, &far, Sides::Both);
        assert!(hit.is_some() || !goes_in, "{round}: {mover:?} {motion:?} {far:?}");
        hits += u32::from(goes_in);
    }
    assert!(hits > 5_000, "{hits} go in");
}

/// Collinear corners that a pose rotated span a face by rounding alone. It has no height, and the
/// weights were NaN.
#[test]
fn weights_on_a_triangle_without_a_height_are_numbers() {
    let flat = triangle([
        [0.007_297_239_143_377_716, 0.005_205_594_468_861_818, 0.003_427_030_021_757_755],
        [0.007_306_334_439_641_41, 0.005_205_594_468_861_818, 0.003_427_030_020_848_225_7],
        [0.007_303_857_587_254_220_5, 0.005_205_594_468_861_818, 0.003_427_030_021_095_911],
    ]);
    let mover = Capsule::from_center(
        dvec3(-0.191_612_668_799_378_77, -0.364_091_626_286_545_23, 0.576_137_724_260_455_6),
        DVec3::Z * 0.5,
        1e-6,
    );
    let way = motion([2.000_133_454_770_127_3, 3.713_328_767_268_077, -1.769_965_582_911_702]);
    let hit = sweep_capsule_triangle(&mover.unwrap(), &way, &flat, Sides::Both).unwrap();
    let weights = hit.barycentrics.unwrap();
    assert!(weights.iter().all(|weight| (0.0..=1.0).contains(weight)), "{weights:?}");
    let weighted: DVec3 = flat.vertices().iter().zip(weights).map(|(corner, w)| *corner * w).sum();
    assert!(weighted.distance(hit.point) < 1e-9, "{weighted} is not {}", hit.point);
}
