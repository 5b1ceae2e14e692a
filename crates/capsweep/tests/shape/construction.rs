//! Refusals of constructors: the error names the field and the value, in its variant and in its
//! text.

use capsweep::scene::Pose;
use capsweep::{
    Aabb, Capsule, HalfSpace, MAX_POSITION, MAX_SIZE, Motion, Obb, Point, Segment, ShapeError,
    Sphere, Triangle,
};
use glam::{DQuat, DVec3, Vec3, dvec3, vec3};

const A: DVec3 = DVec3::new(1.0, -2.0, 3.0);
const B: DVec3 = DVec3::new(2.5, 0.5, 7.0);
const C: DVec3 = DVec3::new(-4.0, 6.0, 5.0);

/// The error of a construction that must fail.
#[track_caller]
#[expect(clippy::expect_used, reason = "clippy.toml allows it in tests, but not in their helpers")]
fn refused<T: std::fmt::Debug>(made: Result<T, ShapeError>) -> ShapeError {
    made.expect_err("it must be refused")
}

/// NaN is not equal to itself, so the variant is matched and the words compared.
#[track_caller]
#[expect(clippy::panic, reason = "clippy.toml allows it in tests, but not in their helpers")]
fn assert_not_finite(error: ShapeError, expected_field: &str, expected_text: &str) {
    let ShapeError::NotFinite { field, value } = error else { panic!("{error:?}") };
    assert_eq!(field, expected_field);
    assert!(!value.is_finite());
    assert_eq!(error.to_string(), expected_text);
}

#[test]
fn a_number_that_is_not_finite_is_named() {
    let nan = f64::NAN;
    assert_not_finite(
        refused(Capsule::new(dvec3(1.0, nan, 3.0), B, 0.5)),
        "p0.y",
        "p0.y is NaN: it must be a finite number",
    );
    assert_not_finite(
        refused(Capsule::new(A, dvec3(1.0, 2.0, f64::INFINITY), 0.5)),
        "p1.z",
        "p1.z is inf: it must be a finite number",
    );
    assert_not_finite(
        refused(Capsule::new(A, B, f32::NAN)),
        "radius",
        "radius is NaN: it must be a finite number",
    );
    assert_not_finite(
        refused(Capsule::from_feet(A, DVec3::Z, 0.5, f32::INFINITY)),
        "total_height",
        "total_height is inf: it must be a finite number",
    );
    assert_not_finite(
        refused(Triangle::new(A, B, dvec3(f64::NEG_INFINITY, 0.0, 0.0))),
        "c.x",
        "c.x is -inf: it must be a finite number",
    );
    assert_not_finite(
        refused(Motion::new(dvec3(0.0, nan, 0.0))),
        "motion.y",
        "motion.y is NaN: it must be a finite number",
    );
    assert_not_finite(
        refused(Motion::along(DVec3::X, nan)),
        "distance",
        "distance is NaN: it must be a finite number",
    );
    assert_not_finite(
        refused(Obb::axis_aligned(A, vec3(1.0, f32::NAN, 1.0))),
        "half_extents.y",
        "half_extents.y is NaN: it must be a finite number",
    );
    assert_not_finite(
        refused(HalfSpace::new(A, dvec3(0.0, 0.0, nan))),
        "normal.z",
        "normal.z is NaN: it must be a finite number",
    );
    assert_not_finite(
        refused(Sphere::new(dvec3(nan, 0.0, 0.0), 1.0)),
        "center.x",
        "center.x is NaN: it must be a finite number",
    );
    assert_not_finite(
        refused(Segment::new(dvec3(0.0, nan, 0.0), B)),
        "a.y",
        "a.y is NaN: it must be a finite number",
    );
    assert_not_finite(
        refused(Segment::new(A, dvec3(0.0, 0.0, f64::INFINITY))),
        "b.z",
        "b.z is inf: it must be a finite number",
    );
    assert_not_finite(
        refused(Point::new(dvec3(f64::NEG_INFINITY, 0.0, 0.0))),
        "position.x",
        "position.x is -inf: it must be a finite number",
    );
}

#[test]
fn a_segment_knows_its_ends_length_and_direction() {
    let segment = Segment::new(A, dvec3(4.0, 2.0, 3.0)).unwrap();
    assert_eq!((segment.a(), segment.b()), (A, dvec3(4.0, 2.0, 3.0)));
    assert_eq!((segment.vector(), segment.length()), (dvec3(3.0, 4.0, 0.0), 5.0));
    assert!(segment.direction().unwrap().distance(dvec3(0.6, 0.8, 0.0)) < 1e-15);
    assert_eq!(segment.at(0.5), dvec3(2.5, 0.0, 3.0));
    assert_eq!(segment.at(2.0), dvec3(7.0, 6.0, 3.0));
    assert_eq!(segment.bounds(), Aabb::new(A, dvec3(4.0, 2.0, 3.0)).unwrap());
    let backwards = Segment::new(dvec3(4.0, 2.0, 3.0), A).unwrap();
    assert_eq!(backwards.bounds(), segment.bounds());
    assert!(!segment.is_point());
    let point = Segment::new(A, A).unwrap();
    assert!(point.is_point() && point.direction().is_none());
    assert_eq!(point.length(), 0.0);
    assert_eq!(Point::new(A).unwrap().position(), A);
    assert_eq!(Point::new(A).unwrap().bounds(), Aabb::new(A, A).unwrap());
    // The end is exact where a + (b − a) rounds to another number.
    let uneven = Segment::new(dvec3(0.1, 0.0, 0.0), dvec3(1e9, 0.0, 0.3)).unwrap();
    assert_eq!((uneven.at(0.0), uneven.at(1.0)), (uneven.a(), uneven.b()));
    let uneven = Segment::new(dvec3(-1e8, 0.0, 0.0), dvec3(0.1, 0.0, 0.0)).unwrap();
    assert_ne!(uneven.a() + uneven.vector(), uneven.b());
    assert_eq!(uneven.at(1.0), uneven.b());
}

#[test]
fn a_radius_must_be_greater_than_zero() {
    for (radius, shown) in [(0.0, "0"), (-0.0, "-0"), (-0.25, "-0.25")] {
        let expected = ShapeError::NotPositive { field: "radius", value: f64::from(radius) };
        let text = format!("radius is {shown}: it must be greater than 0");
        for error in [
            refused(Capsule::new(A, B, radius)),
            refused(Capsule::from_feet(A, DVec3::Z, radius, 1.75)),
            refused(Sphere::new(A, radius)),
        ] {
            assert_eq!(error, expected);
            assert_eq!(error.to_string(), text);
        }
    }
    assert!(Capsule::new(A, B, f32::MIN_POSITIVE).is_ok());
}

#[test]
fn a_capsule_cannot_be_deflated_to_nothing() {
    let capsule = Capsule::new(A, B, 0.5).unwrap();
    let error = refused(capsule.inflated(-0.5));
    assert_eq!(error, ShapeError::NotPositive { field: "radius", value: 0.0 });
    assert_eq!(capsule.inflated(-0.25).unwrap().radius(), 0.25);
}

#[test]
fn a_length_that_may_be_zero_must_not_be_negative() {
    let cases = [
        (refused(Capsule::from_feet(A, DVec3::Z, 0.5, -1.5)), "total_height", -1.5),
        (refused(Motion::along(DVec3::X, -2.0)), "distance", -2.0),
        (refused(Motion::new(A).and_then(|motion| motion.extended(-0.5))), "contact_offset", -0.5),
        (refused(Obb::axis_aligned(A, vec3(1.0, 2.0, -3.0))), "half_extents.z", -3.0),
    ];
    for (error, field, value) in cases {
        assert_eq!(error, ShapeError::Negative { field, value });
        assert_eq!(error.to_string(), format!("{field} is {value}: it must be 0 or greater"));
    }
    assert!(Obb::axis_aligned(A, Vec3::ZERO).is_ok());
    assert!(Motion::along(DVec3::X, 0.0).unwrap().is_zero());
}

#[test]
fn a_box_must_not_be_inverted() {
    let error = refused(Aabb::new(dvec3(0.0, 5.0, 0.0), dvec3(1.0, -2.5, 1.0)));
    assert_eq!(error, ShapeError::Inverted { field: "y", min: 5.0, max: -2.5 });
    assert_eq!(error.to_string(), "y: the minimum 5 exceeds the maximum -2.5; swap them");
    assert!(Aabb::new(A, A).is_ok(), "a box of no size is a point");
}

#[test]
fn a_number_beyond_what_f64_resolves_is_refused() {
    let far = dvec3(0.0, 0.0, -1e30);
    let limit = MAX_POSITION;
    let cases = [
        (refused(Capsule::new(A, far, 0.5)), "p1.z", -1e30, limit),
        (refused(Triangle::new(A, far, C)), "b.z", -1e30, limit),
        (refused(Motion::new(far)), "motion.z", -1e30, limit),
        (refused(Sphere::new(far, 0.5)), "center.z", -1e30, limit),
        (refused(Segment::new(far, B)), "a.z", -1e30, limit),
        (refused(Segment::new(A, far)), "b.z", -1e30, limit),
        (refused(Point::new(far)), "position.z", -1e30, limit),
        (refused(Aabb::new(far, B)), "min.z", -1e30, limit),
        (refused(HalfSpace::new(far, DVec3::Z)), "point.z", -1e30, limit),
        (refused(Motion::along(DVec3::X, 1e30)), "distance", 1e30, limit),
        (refused(Capsule::new(A, B, 2e6)), "radius", 2e6, MAX_SIZE),
        (refused(Obb::axis_aligned(A, vec3(2e6, 1.0, 1.0))), "half_extents.x", 2e6, MAX_SIZE),
    ];
    for (error, field, value, limit) in cases {
        assert_eq!(error, ShapeError::OutOfRange { field, value, limit });
        let text = format!("{field} is {value:e}: its magnitude must not exceed {limit:e}");
        assert_eq!(error.to_string(), text);
    }
    let error = refused(Motion::new(far));
    assert_eq!(error.to_string(), "motion.z is -1e30: its magnitude must not exceed 1e9");
    assert!(
        Sphere::new(dvec3(0.0, 0.0, -MAX_POSITION), 0.5).is_ok(),
        "the limit itself is allowed"
    );
}

#[test]
fn an_axis_must_not_be_longer_than_a_size_may_be() {
    let error = refused(Capsule::new(dvec3(-3e6, 0.0, 0.0), dvec3(1e6, 0.0, 3e6), 0.5));
    let expected = ShapeError::OutOfRange { field: "axis length", value: 5e6, limit: MAX_SIZE };
    assert_eq!(error, expected);
    assert_eq!(error.to_string(), "axis length is 5e6: its magnitude must not exceed 1e6");
}

#[test]
fn a_capsule_cannot_be_moved_out_of_range() {
    let capsule = Capsule::new(dvec3(9e8, 0.0, 0.0), dvec3(9e8, 0.0, 1.0), 0.5).unwrap();
    let error = refused(capsule.translated(dvec3(2e8, 0.0, 0.0)));
    let expected = ShapeError::OutOfRange { field: "p0.x", value: 1.1e9, limit: MAX_POSITION };
    assert_eq!(error, expected);
    assert_not_finite(
        refused(capsule.translated(dvec3(0.0, f64::NAN, 0.0))),
        "offset.y",
        "offset.y is NaN: it must be a finite number",
    );
}

#[test]
fn a_direction_must_not_be_zero() {
    let zero = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    let capsule = Capsule::new(A, B, 0.5).unwrap();
    let cases = [
        (refused(Capsule::from_feet(A, DVec3::ZERO, 0.5, 1.75)), "up"),
        (refused(capsule.feet(DVec3::ZERO)), "up"),
        (refused(Motion::along(DVec3::ZERO, 2.0)), "direction"),
        (refused(HalfSpace::new(A, DVec3::ZERO)), "normal"),
        (refused(Obb::new(A, vec3(1.0, 2.0, 3.0), zero)), "rotation"),
    ];
    for (error, field) in cases {
        assert_eq!(error, ShapeError::NoDirection { field, value: 0.0 });
        let text = format!("{field} has length 0: it is too short to give a direction");
        assert_eq!(error.to_string(), text);
    }
}

#[test]
fn a_shape_error_is_an_error() {
    let error: Box<dyn std::error::Error> = refused(Capsule::new(A, B, 0.0)).into();
    assert_eq!(error.to_string(), "radius is 0: it must be greater than 0");
}

#[test]
fn a_box_can_be_made_of_its_axes_again() {
    let turn = DQuat::from_xyzw(0.3, -0.2, 0.5, 0.7);
    let made = Obb::new(dvec3(1.0, 2.0, 3.0), vec3(0.1, 0.2, 0.3), turn).unwrap();
    let of = |axes| Obb::from_axes(made.center(), made.half_extents(), axes);
    assert_eq!(of(made.axes()), Ok(made));
    // 10⁻¹² is the most that passes.
    let mut axes = made.axes();
    axes.x_axis *= 1.0 + 4e-13;
    assert!(of(axes).is_ok());
    axes.x_axis *= 1.0 + 1e-12;
    assert!(matches!(of(axes), Err(ShapeError::NotOrthonormal { field: "axes", .. })));
    axes.x_axis.y = f64::NAN;
    assert!(matches!(of(axes), Err(ShapeError::NotFinite { field: "axes", .. })));
    let flat = Obb::from_axes(made.center(), vec3(0.1, -0.2, 0.3), made.axes());
    assert!(matches!(flat, Err(ShapeError::Negative { field: "half_extents.y", .. })));
}

#[test]
fn a_unit_direction_keeps_its_bits() {
    let mut direction = dvec3(0.3, -0.2, 0.5);
    for _ in 0..50 {
        let once = HalfSpace::new(DVec3::ZERO, direction).unwrap().normal();
        assert_eq!(HalfSpace::new(DVec3::ZERO, once).unwrap().normal(), once);
        direction = once + dvec3(0.1, 0.2, -0.05);
    }
}

#[test]
fn a_capsule_may_be_as_large_as_its_range_and_no_larger() {
    let longest = DVec3::X * MAX_SIZE;
    assert!(Capsule::new(DVec3::ZERO, longest, 1.0).is_ok());
    assert!(Capsule::new(DVec3::ZERO, longest * (1.0 + 1e-15), 1.0).is_err());
    assert!(Capsule::new(DVec3::ZERO, DVec3::X, MAX_SIZE as f32).is_ok());
    let edge = DVec3::Y * MAX_POSITION;
    assert!(Capsule::from_center(edge, DVec3::ZERO, 1.0).is_ok());
    let past = dvec3(0.0, MAX_POSITION.next_up(), 0.0);
    let refused = Capsule::from_center(past, DVec3::Z * 1e-3, 1.0).unwrap_err();
    assert_eq!(refused.field(), "center.y");
    assert_eq!(Capsule::from_center(edge, DVec3::Y, 1.0).unwrap_err().field(), "p1.y");
}

#[test]
fn a_motion_has_its_length_however_short_it_is() {
    for size in [1e-300, 1e-150, 1e-101, 1e-100, 1e-99, 1e-10, 1.0, 1e8] {
        let length = Motion::new(dvec3(3.0, 0.0, -4.0) * size).unwrap().length();
        assert!((length / (5.0 * size) - 1.0).abs() < 1e-15, "{size}: {length}");
    }
}

#[test]
fn a_unit_vector_is_taken_as_it_is() {
    let normal = |length: f64| {
        let given = dvec3(0.0, 0.6, 0.8) * length;
        (HalfSpace::new(DVec3::ZERO, given).unwrap().normal(), given)
    };
    // Within 8 roundings of 1 it keeps its bits. Further off it is normalised.
    for roundings in [-6.0, -2.0, 0.0, 2.0, 6.0] {
        let (kept, given) = normal(1.0 + roundings * f64::EPSILON);
        assert_eq!(kept, given, "{roundings}");
    }
    for roundings in [-40.0, -12.0, 12.0, 40.0] {
        let (made, given) = normal(1.0 + roundings * f64::EPSILON);
        assert_ne!(made, given, "{roundings}");
        assert!((made.length() - 1.0).abs() <= 2.0 * f64::EPSILON);
    }
}

#[test]
fn a_rotation_must_have_a_length() {
    let turned =
        |length: f64| Pose::new(DVec3::ZERO, DQuat::from_xyzw(0.0, 0.0, 0.0, length), DVec3::ONE);
    for length in [2e-6, 1e-5, 1.0, 1e3] {
        let rotation = turned(length).unwrap().rotation();
        assert!((rotation.w - 1.0).abs() <= f64::EPSILON, "{length}: {rotation}");
    }
    for length in [0.0, 0.5e-6] {
        let refusal = refused(turned(length));
        assert_eq!(refusal, ShapeError::NoDirection { field: "rotation", value: length });
    }
}
