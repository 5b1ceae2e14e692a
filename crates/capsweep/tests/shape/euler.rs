//! Poses from Euler angles (rule 12): values of each order, exact turns, refusals.

use capsweep::ShapeError;
use capsweep::scene::Pose;
use capsweep_testkit::Rng;
use core::f64::consts::{FRAC_PI_2, PI};
use glam::{DMat3, DQuat, DVec3, EulerRot, dvec3};

/// All 24 orders with the axes of their turns; the second half is extrinsic.
const ORDERS: [(EulerRot, &str); 24] = [
    (EulerRot::XYZ, "xyz"),
    (EulerRot::XZY, "xzy"),
    (EulerRot::YXZ, "yxz"),
    (EulerRot::YZX, "yzx"),
    (EulerRot::ZXY, "zxy"),
    (EulerRot::ZYX, "zyx"),
    (EulerRot::XYX, "xyx"),
    (EulerRot::XZX, "xzx"),
    (EulerRot::YXY, "yxy"),
    (EulerRot::YZY, "yzy"),
    (EulerRot::ZXZ, "zxz"),
    (EulerRot::ZYZ, "zyz"),
    (EulerRot::XYZEx, "xyz"),
    (EulerRot::XZYEx, "xzy"),
    (EulerRot::YXZEx, "yxz"),
    (EulerRot::YZXEx, "yzx"),
    (EulerRot::ZXYEx, "zxy"),
    (EulerRot::ZYXEx, "zyx"),
    (EulerRot::XYXEx, "xyx"),
    (EulerRot::XZXEx, "xzx"),
    (EulerRot::YXYEx, "yxy"),
    (EulerRot::YZYEx, "yzy"),
    (EulerRot::ZXZEx, "zxz"),
    (EulerRot::ZYZEx, "zyz"),
];

fn turned(order: EulerRot, angles: [f64; 3]) -> Pose {
    Pose::from_euler(DVec3::ZERO, order, angles, DVec3::ONE).unwrap()
}

/// The matrix of a turn, by its definition.
#[allow(clippy::disallowed_methods, reason = "the reference need not agree to the bit")]
fn matrix(axis: char, angle: f64) -> DMat3 {
    let (sin, cos) = angle.sin_cos();
    let rows = match axis {
        'x' => [[1.0, 0.0, 0.0], [0.0, cos, -sin], [0.0, sin, cos]],
        'y' => [[cos, 0.0, sin], [0.0, 1.0, 0.0], [-sin, 0.0, cos]],
        _ => [[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]],
    };
    DMat3::from_cols_array_2d(&rows).transpose()
}

#[test]
fn every_order_is_the_product_of_its_turns() {
    let mut rng = Rng::new(&[12, 1]);
    for (i, (order, axes)) in ORDERS.into_iter().enumerate() {
        for _ in 0..200 {
            let angles = [0; 3].map(|_| rng.range(-7.0, 7.0));
            let mut turns: Vec<DMat3> =
                axes.chars().zip(angles).map(|(axis, angle)| matrix(axis, angle)).collect();
            // Intrinsic: the last turn is about axes that the first two moved, so it comes first.
            if i >= 12 {
                turns.reverse();
            }
            let expected = turns[0] * turns[1] * turns[2];
            let found = turned(order, angles).axes();
            assert!(found.abs_diff_eq(expected, 4e-15), "{order:?} {angles:?}");
            // glam names orders the same way.
            let [a, b, c] = angles;
            let glam = DMat3::from_quat(DQuat::from_euler(order, a, b, c));
            assert!(found.abs_diff_eq(glam, 4e-15), "{order:?} {angles:?}");
        }
    }
}

/// Where a quarter turn about the first axis and then one about the second take x, y and z.
#[test]
fn two_quarter_turns_end_where_the_hand_says() {
    let (x, y, z) = (DVec3::X, DVec3::Y, DVec3::Z);
    let turns = [FRAC_PI_2, FRAC_PI_2, 0.0];
    for (order, images) in [
        (EulerRot::XYZ, [y, z, x]),
        (EulerRot::XZY, [z, -x, -y]),
        (EulerRot::YXZ, [-z, x, -y]),
        (EulerRot::YZX, [y, z, x]),
        (EulerRot::ZXY, [y, z, x]),
        (EulerRot::ZYX, [-z, -x, y]),
        (EulerRot::XYZEx, [-z, x, -y]),
        (EulerRot::XZYEx, [y, z, x]),
        (EulerRot::YXZEx, [y, z, x]),
        (EulerRot::YZXEx, [-z, -x, y]),
        (EulerRot::ZXYEx, [z, -x, -y]),
        (EulerRot::ZYXEx, [y, z, x]),
    ] {
        let pose = turned(order, turns);
        for (axis, image) in [x, y, z].into_iter().zip(images) {
            let found = pose.vector_to_world(axis);
            assert!(found.abs_diff_eq(image, 1e-15), "{order:?}: {axis} goes to {found}");
        }
    }
}

#[test]
fn half_turns_are_exact_and_quarter_turns_to_a_rounding() {
    let of = |quarters: f64| turned(EulerRot::ZYX, [quarters * FRAC_PI_2, 0.0, 0.0]);
    for quarters in -400_000_i32..=400_000 {
        let turn = of(f64::from(quarters));
        let (sin, cos) =
            [(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0)][quarters.rem_euclid(4) as usize];
        let x = turn.vector_to_world(DVec3::X);
        if quarters % 2 == 0 {
            assert_eq!(x, dvec3(cos, sin, 0.0));
        }
        assert!(x.abs_diff_eq(dvec3(cos, sin, 0.0), 2.3e-16), "{quarters}: {x}");
    }
    // Degrees make the same angles.
    for (degrees, quarters) in [(90.0_f64, 1.0), (180.0, 2.0), (-90.0, -1.0), (270.0, 3.0)] {
        assert_eq!(turned(EulerRot::ZYX, [degrees.to_radians(), 0.0, 0.0]), of(quarters));
    }
    assert_eq!(turned(EulerRot::YXZ, [0.0; 3]), Pose::IDENTITY);
    assert_eq!(
        turned(EulerRot::XYZ, [PI, 0.0, 0.0]).rotation(),
        DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0)
    );
    // One step of f64 off is an angle of its own.
    let beside = turned(EulerRot::ZYX, [PI.next_up(), 0.0, 0.0]);
    assert_ne!(beside.vector_to_world(DVec3::X), -DVec3::X);
}

/// The bits of this rotation are part of the interface: no platform may change them.
#[test]
fn the_bits_are_the_same_everywhere() {
    let rotation = turned(EulerRot::YXZ, [0.3, -1.2, 2.5]).rotation();
    let bits = [
        0xbfae_3553_bac3_21b6,
        0x3fe2_32e1_4a77_004f,
        0x3fe9_a224_115f_81ee,
        0x3fc6_b020_c702_614a,
    ];
    assert_eq!(rotation.to_array().map(f64::to_bits), bits, "{rotation}");
}

#[test]
fn position_and_scale_are_those_given() {
    let (position, scale) = (dvec3(1.0, 2.0, 3.0), dvec3(-2.0, 3.0, 0.5));
    let pose = Pose::from_euler(position, EulerRot::XYZ, [0.1, 0.2, 0.3], scale).unwrap();
    assert_eq!((pose.position(), pose.scale()), (position, scale));
}

#[test]
fn bad_angles_are_refused_by_name() {
    let names = ["angles[0]", "angles[1]", "angles[2]"];
    let refused =
        |angles| Pose::from_euler(DVec3::ZERO, EulerRot::ZYX, angles, DVec3::ONE).unwrap_err();
    for (i, name) in names.into_iter().enumerate() {
        let with = |bad: f64| {
            let mut angles = [0.1; 3];
            angles[i] = bad;
            angles
        };
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let error = refused(with(bad));
            assert!(matches!(error, ShapeError::NotFinite { .. }), "{error}");
            assert_eq!(error.field(), name);
        }
        for bad in [1.000_001e6, -1e300] {
            let error = refused(with(bad));
            assert!(matches!(error, ShapeError::OutOfRange { limit: 1e6, .. }), "{error}");
            assert_eq!(error.field(), name);
        }
        assert!(Pose::from_euler(DVec3::ZERO, EulerRot::ZYX, with(-1e6), DVec3::ONE).is_ok());
    }
    let error = Pose::from_euler(DVec3::NAN, EulerRot::ZYX, [0.0; 3], DVec3::ONE).unwrap_err();
    assert_eq!(error.field(), "position.x");
}
