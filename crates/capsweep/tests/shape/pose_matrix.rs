//! Poses from 4×4 matrices (rule 12): values, round trips, mirrors and refusals.

use capsweep::ShapeError;
use capsweep::scene::{MAX_SCALE, MIN_SCALE, Pose};
use capsweep_testkit::Rng;
use glam::{DMat4, DQuat, DVec3, DVec4, dquat, dvec3, dvec4};

/// A random pose, some of them mirrored, with scales from 1/8 to 8.
fn random_pose(rng: &mut Rng) -> Pose {
    let mut scale = || rng.sign() * rng.log_range(0.125, 8.0);
    let scale = dvec3(scale(), scale(), scale());
    let rotation = dquat(rng.unit() - 0.5, rng.unit() - 0.5, rng.unit() - 0.5, rng.unit() + 0.1);
    Pose::new(rng.cube(17_066.0), rotation, scale).unwrap()
}

#[test]
fn a_matrix_gives_position_rotation_and_scale() {
    // Columns: x goes to 2 y, y to −3 x, z to 5 z. A quarter turn about z.
    let matrix = DMat4::from_cols(
        dvec4(0.0, 2.0, 0.0, 0.0),
        dvec4(-3.0, 0.0, 0.0, 0.0),
        dvec4(0.0, 0.0, 5.0, 0.0),
        dvec4(10.0, 20.0, 30.0, 1.0),
    );
    let pose = Pose::from_matrix(&matrix).unwrap();
    assert_eq!(pose.position(), dvec3(10.0, 20.0, 30.0));
    assert_eq!(pose.scale(), dvec3(2.0, 3.0, 5.0));
    let turn = DQuat::from_xyzw(0.0, 0.0, 0.5_f64.sqrt(), 0.5_f64.sqrt());
    assert!(pose.rotation().abs_diff_eq(turn, 1e-15));
    let moved = pose.point_to_world(dvec3(1.0, 1.0, 1.0));
    assert!(moved.abs_diff_eq(dvec3(7.0, 22.0, 35.0), 1e-14), "{moved}");
    let again = pose.to_matrix();
    assert!(again.abs_diff_eq(matrix, 1e-14), "{again}");
    assert_eq!(Pose::from_matrix(&DMat4::IDENTITY).unwrap(), Pose::IDENTITY);
    assert_eq!(Pose::IDENTITY.to_matrix(), DMat4::IDENTITY);
}

#[test]
fn a_mirrored_matrix_gets_a_negative_scale_along_x() {
    let of = |scale| Pose::from_matrix(&DMat4::from_scale(scale)).unwrap();
    let (mirrored, inverted, turned) =
        (of(dvec3(2.0, 3.0, -4.0)), of(DVec3::splat(-2.0)), of(dvec3(-2.0, -3.0, 4.0)));
    assert_eq!(mirrored.scale(), dvec3(-2.0, 3.0, 4.0));
    assert!(mirrored.is_mirrored());
    // x to −x and z to −z: a half turn about y.
    assert!(mirrored.rotation().abs_diff_eq(dquat(0.0, 1.0, 0.0, 0.0), 1e-15));
    assert_eq!((inverted.scale(), inverted.is_mirrored()), (dvec3(-2.0, 2.0, 2.0), true));
    assert_eq!((turned.scale(), turned.is_mirrored()), (dvec3(2.0, 3.0, 4.0), false));
    for (pose, scale) in [
        (mirrored, dvec3(2.0, 3.0, -4.0)),
        (inverted, DVec3::splat(-2.0)),
        (turned, dvec3(-2.0, -3.0, 4.0)),
    ] {
        assert!(pose.point_to_world(DVec3::ONE).abs_diff_eq(scale, 1e-15));
    }
}

#[test]
fn a_pose_and_its_matrix_move_points_alike() {
    let mut rng = Rng::new(&[12, 4]);
    for _ in 0..2000 {
        let pose = random_pose(&mut rng);
        let matrix = pose.to_matrix();
        let again = Pose::from_matrix(&matrix).unwrap();
        assert_eq!(again.is_mirrored(), pose.is_mirrored());
        let point = rng.cube(500.0);
        let moved = pose.point_to_world(point);
        assert!(matrix.transform_point3(point).abs_diff_eq(moved, 1e-10), "{pose:?}");
        assert!(again.point_to_world(point).abs_diff_eq(moved, 1e-10), "{pose:?}");
        if pose.scale().min_element() > 0.0 {
            // No mirror: the parts are the same as well.
            assert!(again.scale().abs_diff_eq(pose.scale(), 1e-14));
            assert!((again.rotation().dot(pose.rotation()).abs() - 1.0).abs() < 1e-14);
        }
    }
}

#[test]
fn rounding_to_f32_is_neither_shear_nor_projection() {
    let mut rng = Rng::new(&[12, 5]);
    for _ in 0..2000 {
        let [a, b, c] = [0; 3].map(|_| {
            let pose = random_pose(&mut rng);
            // Uneven scales inside rotations are shear, so scales are uniform here.
            let pose = Pose::uniform(pose.position(), pose.rotation(), pose.scale().x).unwrap();
            DMat4::from_cols_array(&pose.to_matrix().to_cols_array().map(|n| f64::from(n as f32)))
        });
        let product = (a * b * c).to_cols_array().map(|n| f64::from(n as f32));
        let mut product = DMat4::from_cols_array(&product);
        // An inverse in f32 leaves this much in the last row.
        product.y_axis.w = 3e-7;
        product.w_axis.w = 1.0 - 3e-7;
        let pose = Pose::from_matrix(&product).unwrap();
        let point = rng.direction();
        let expected = product.transform_vector3(point);
        let off = (pose.vector_to_world(point) - expected).length() / expected.length();
        assert!(off < 1e-6, "{off}");
    }
}

/// Each cutoff, from both sides.
#[test]
fn bad_matrices_are_refused() {
    let base = random_pose(&mut Rng::new(&[12, 6])).to_matrix();
    let with = |change: &dyn Fn(&mut DMat4)| {
        let mut matrix = base;
        change(&mut matrix);
        Pose::from_matrix(&matrix)
    };
    // Shear: x leans towards y by a cosine.
    let leaning = |cosine: f64| {
        with(&|m| {
            let (x, y) = (m.x_axis.truncate().normalize(), m.y_axis.truncate().normalize());
            m.x_axis = (x + y * cosine).normalize().extend(0.0);
        })
    };
    assert!(leaning(9e-7).is_ok() && leaning(-9e-7).is_ok());
    for cosine in [1.1e-6, -1.1e-6, 0.01, 2.0] {
        let error = leaning(cosine).unwrap_err();
        assert!(
            matches!(error, ShapeError::Sheared { field: "matrix", value }
            if (value - (cosine.abs() / (1.0 + cosine * cosine).sqrt())).abs() < 1e-9),
            "{error}"
        );
    }
    // Each pair of columns counts.
    for (column, other) in [(0, 1), (1, 2), (2, 0)] {
        let mut matrix = DMat4::IDENTITY;
        let lean = matrix.col(other) * 0.1;
        *matrix.col_mut(column) += lean;
        assert!(matches!(Pose::from_matrix(&matrix), Err(ShapeError::Sheared { .. })));
    }
    // A last row that projects.
    for i in 0..4 {
        let last = |value: f64| with(&|m| m.col_mut(i).w += value);
        assert!(last(9e-7).is_ok() && last(-9e-7).is_ok());
        for off in [1.1e-6, -1.1e-6, 0.5, -1.0] {
            assert!(matches!(last(off), Err(ShapeError::Projective { field: "matrix", .. })));
        }
    }
    // Rank 2, 1 and 0.
    let flat = |x: DVec3, y: DVec3, z: DVec3| {
        let [x, y, z] = [x, y, z].map(|column| column.extend(0.0));
        Pose::from_matrix(&DMat4::from_cols(x, y, z, DVec4::W)).unwrap_err()
    };
    for error in [
        flat(DVec3::X, DVec3::Y, DVec3::ZERO),
        flat(DVec3::X, DVec3::ZERO, DVec3::ZERO),
        flat(DVec3::ZERO, DVec3::ZERO, DVec3::ZERO),
        flat(DVec3::X, DVec3::Y, DVec3::ONE - DVec3::Z),
        flat(DVec3::X, DVec3::Y, dvec3(1.0, 2.0, 9e-7)),
        flat(DVec3::ONE, DVec3::ONE * 2.0, DVec3::ONE * -3.0),
        flat(DVec3::X, DVec3::splat(1e-170), DVec3::Z),
    ] {
        assert!(matches!(error, ShapeError::Flattens { field: "matrix", .. }), "{error}");
    }
    // Steep enough to span a volume, it is a shear.
    let error = flat(DVec3::X, DVec3::Y, dvec3(1.0, 0.0, 2e-6));
    assert!(matches!(error, ShapeError::Sheared { .. }), "{error}");
}

#[test]
fn numbers_of_a_matrix_are_refused_by_name() {
    let names = |i: usize| {
        let (column, row) = (["x", "y", "z", "w"][i / 4], ["x", "y", "z", "w"][i % 4]);
        format!("matrix.{column}_axis.{row}")
    };
    for i in 0..16 {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let mut numbers = DMat4::IDENTITY.to_cols_array();
            numbers[i] = bad;
            let error = Pose::from_matrix(&DMat4::from_cols_array(&numbers)).unwrap_err();
            assert!(matches!(error, ShapeError::NotFinite { .. }), "{error}");
            assert_eq!(error.field(), names(i));
        }
    }
    let scaled = |scale: DVec3| Pose::from_matrix(&DMat4::from_scale(scale));
    assert!(scaled(dvec3(MIN_SCALE, -MAX_SCALE, 1.0)).is_ok());
    let error = scaled(dvec3(1.0, 9e-7, 1.0)).unwrap_err();
    assert!(matches!(error, ShapeError::TooSmall { field: "scale.y", .. }), "{error}");
    for huge in [1.1e6, 1e200, -1e200] {
        let error = scaled(dvec3(1.0, 1.0, huge)).unwrap_err();
        assert!(matches!(error, ShapeError::OutOfRange { field: "scale.z", .. }), "{error}");
    }
    let error = Pose::from_matrix(&DMat4::from_translation(dvec3(0.0, 2e9, 0.0))).unwrap_err();
    assert!(matches!(error, ShapeError::OutOfRange { field: "position.y", .. }), "{error}");
    let text = scaled(DVec3::ZERO).unwrap_err().to_string();
    assert_eq!(
        text,
        "matrix flattens: its unit columns span a volume of 0e0; it must have rank 3"
    );
}
