//! Poses and coordinate systems (rule 12): round trips, normals, mirrors, bounds, refusals.

use capsweep::scene::{MAX_SCALE, MIN_SCALE, Pose};
use capsweep::{Aabb, Feature, ShapeError, Triangle};
use glam::{DQuat, DVec3, Vec3, dquat, dvec3, vec3};
use proptest::prelude::*;

const LOCAL: [Vec3; 3] = [vec3(0.5, 0.25, 1.0), vec3(3.0, -0.5, 1.5), vec3(1.0, 2.0, -0.75)];

/// All eight combinations of signs.
fn signs() -> impl Iterator<Item = DVec3> {
    (0..8).map(|bits: u8| {
        let sign = |bit: u8| if bits >> bit & 1 == 1 { -1.0 } else { 1.0 };
        dvec3(sign(0), sign(1), sign(2))
    })
}

fn tilted() -> DQuat {
    dquat(0.3, -0.5, 0.2, 0.9)
}

fn normal_of([a, b, c]: [DVec3; 3]) -> DVec3 {
    Triangle::new(a, b, c).unwrap().normal().unwrap().as_dvec3()
}

#[test]
fn a_local_point_is_scaled_then_turned_then_moved() {
    // A quarter turn about z.
    let turn = dquat(0.0, 0.0, 1.0, 1.0);
    let pose = Pose::new(dvec3(10.0, 20.0, 30.0), turn, dvec3(2.0, -3.0, 5.0)).unwrap();
    let near = |found: DVec3, expected: DVec3| {
        assert!((found - expected).length() < 1e-14, "{found} is not {expected}");
    };
    near(pose.point_to_world(dvec3(1.0, 1.0, 1.0)), dvec3(13.0, 22.0, 35.0));
    near(pose.vector_to_world(dvec3(1.0, 1.0, 1.0)), dvec3(3.0, 2.0, 5.0));
    near(pose.point_to_local(dvec3(13.0, 22.0, 35.0)), dvec3(1.0, 1.0, 1.0));
    near(pose.vector_to_local(dvec3(3.0, 2.0, 5.0)), dvec3(1.0, 1.0, 1.0));
    near(pose.normal_to_world(dvec3(0.0, 1.0, 0.0)), dvec3(1.0, 0.0, 0.0));
    near(pose.normal_to_local(dvec3(1.0, 0.0, 0.0)), dvec3(0.0, 1.0, 0.0));
    // Against the quarter turn (4, −3, 12)/13 is (−3, −4, 12)/13; times the scale (−6, 12, 60).
    near(
        pose.normal_to_local(dvec3(4.0, -3.0, 12.0)),
        dvec3(-6.0, 12.0, 60.0) / 3780.0_f64.sqrt(),
    );
    assert_eq!((pose.min_scale(), pose.is_mirrored()), (2.0, true));
}

#[test]
fn the_identity_changes_no_bit() {
    let point = dvec3(1.1, -2.3, 16_384.7);
    assert_eq!(Pose::IDENTITY.point_to_world(point), point);
    assert_eq!(Pose::IDENTITY.point_to_local(point), point);
    assert_eq!(Pose::default(), Pose::from_translation(DVec3::ZERO).unwrap());
    assert_eq!(Pose::IDENTITY.triangle_to_world(LOCAL), LOCAL.map(Vec3::as_dvec3));
}

#[test]
fn outside_stays_outside_in_every_mirror() {
    for sign in signs() {
        for scale in [sign * 2.5, sign * dvec3(0.25, 3.0, 7.0)] {
            let pose = Pose::new(dvec3(16_384.0, -16_384.0, 512.0), tilted(), scale).unwrap();
            assert_eq!(pose.is_mirrored(), sign.element_product() < 0.0);

            let local = LOCAL.map(Vec3::as_dvec3);
            let outside = local[0] + normal_of(local);
            let world = pose.triangle_to_world(LOCAL);
            let normal = normal_of(world);
            let height = normal.dot(pose.point_to_world(outside) - world[0]);
            assert!(height > 0.1, "scale {scale}: outside became inside");
            let moved = pose.normal_to_world((local[1] - local[0]).cross(local[2] - local[0]));
            assert!((moved - normal).length() < 1e-6, "scale {scale}: {moved} is not {normal}");
            let back = pose.normal_to_local(normal);
            let own = normal_of(local);
            assert!((back - own).length() < 1e-6, "scale {scale}: {back} is not {own}");
        }
    }
}

#[test]
fn a_uniform_mirror_turns_the_normal_around() {
    // Rule 12.4's shortcut, the rotation alone, would point inside.
    let pose = Pose::uniform(DVec3::ZERO, tilted(), -2.0).unwrap();
    let rotated = pose.rotation() * DVec3::Z;
    assert!((pose.normal_to_world(DVec3::Z) + rotated).length() < 1e-15);
}

#[test]
fn normals_are_unit_whatever_the_scale_and_length() {
    let pose = Pose::new(DVec3::ZERO, tilted(), dvec3(MIN_SCALE, -MAX_SCALE, 1.0)).unwrap();
    for normal in [DVec3::ONE, DVec3::ONE * 1e-200, dvec3(0.0, 1e-300, 0.0), DVec3::ONE * 1e200] {
        assert!((pose.normal_to_world(normal).length() - 1.0).abs() < 1e-14);
    }
    assert_eq!(pose.normal_to_world(DVec3::ZERO), DVec3::ZERO);
    for normal in [DVec3::ONE, DVec3::ONE * 1e-200, dvec3(0.0, 1e-300, 0.0), DVec3::ONE * 1e200] {
        assert!((pose.normal_to_local(normal).length() - 1.0).abs() < 1e-14);
    }
    assert_eq!(pose.normal_to_local(DVec3::ZERO), DVec3::ZERO);
}

#[test]
fn features_of_a_mirrored_triangle_name_the_mesh_s_own_vertices() {
    for sign in signs() {
        let pose = Pose::new(dvec3(1.0, 2.0, 3.0), tilted(), sign * dvec3(1.0, 2.0, 0.5)).unwrap();
        let world = pose.triangle_to_world(LOCAL);
        let baked = LOCAL.map(|vertex| pose.point_to_world(vertex.as_dvec3()));
        for i in 0..3_u8 {
            let Feature::Vertex(vertex) = pose.feature_to_mesh(Feature::Vertex(i)) else {
                panic!("a vertex stays a vertex")
            };
            assert_eq!(world[usize::from(i)], baked[usize::from(vertex)]);

            let Feature::Edge(edge) = pose.feature_to_mesh(Feature::Edge(i)) else {
                panic!("an edge stays an edge")
            };
            let middle = |ends: &[DVec3; 3], edge: u8| {
                ends[usize::from(edge)] + ends[usize::from(edge + 1) % 3]
            };
            assert_eq!(middle(&world, i), middle(&baked, edge));

            let mut weights = [0.0; 3];
            weights[usize::from(i)] = 1.0;
            assert_eq!(pose.barycentrics_to_mesh(weights)[usize::from(vertex)], 1.0);
        }
        assert_eq!(pose.feature_to_mesh(Feature::Face), Feature::Face);
    }
}

#[test]
fn the_parts_of_a_pose_make_it_again_in_bits() {
    for sign in signs() {
        let rotation = dquat(0.3 * sign.x, 0.7 * sign.y, 0.2 * sign.z, 1.9);
        let pose = Pose::new(dvec3(0.1, 0.2, 0.3), rotation, sign * 0.7).unwrap();
        let again = Pose::new(pose.position(), pose.rotation(), pose.scale()).unwrap();
        assert_eq!(again, pose);
        assert!((pose.rotation().length() - 1.0).abs() < 1e-15);
        assert!((pose.axes().determinant() - 1.0).abs() < 1e-15);
    }
}

#[test]
fn bad_poses_are_refused_by_name() {
    let refused = |position, rotation, scale| Pose::new(position, rotation, scale).unwrap_err();
    let (here, level, plain) = (DVec3::ZERO, DQuat::IDENTITY, DVec3::ONE);

    let error = refused(dvec3(0.0, f64::NAN, 0.0), level, plain);
    assert!(matches!(error, ShapeError::NotFinite { field: "position.y", .. }));
    let error = refused(dvec3(0.0, 0.0, 2e9), level, plain);
    assert!(matches!(error, ShapeError::OutOfRange { field: "position.z", .. }));
    let error = refused(here, dquat(0.0, 0.0, 0.0, 0.0), plain);
    assert!(matches!(error, ShapeError::NoDirection { field: "rotation", .. }));
    let error = refused(here, dquat(0.0, f64::INFINITY, 0.0, 1.0), plain);
    assert!(matches!(error, ShapeError::NotFinite { field: "rotation.y", .. }));
    let error = refused(here, level, dvec3(1.0, f64::NAN, 1.0));
    assert!(matches!(error, ShapeError::NotFinite { field: "scale.y", .. }));
    for zero in [0.0, -0.0, 9e-7, -9e-7] {
        let error = refused(here, level, dvec3(zero, 1.0, 1.0));
        assert_eq!(
            error,
            ShapeError::TooSmall { field: "scale.x", value: zero, limit: MIN_SCALE }
        );
        assert_eq!(error.field(), "scale.x");
    }
    for huge in [1.1e6, -1.1e6] {
        let error = refused(here, level, dvec3(1.0, 1.0, huge));
        assert!(matches!(error, ShapeError::OutOfRange { field: "scale.z", .. }));
    }
    assert!(Pose::new(here, level, dvec3(MIN_SCALE, -MAX_SCALE, -MIN_SCALE)).is_ok());
    let text = refused(here, level, DVec3::ZERO).to_string();
    assert_eq!(text, "scale.x is 0e0: its magnitude must be at least 1e-6");
}

#[test]
fn bounds_that_leave_the_range_are_refused() {
    let pose = Pose::uniform(dvec3(9.9e8, 0.0, 0.0), DQuat::IDENTITY, 1e6).unwrap();
    let local = Aabb::new(dvec3(-1.0, -1.0, -1.0), dvec3(20.0, 2.0, 3.0)).unwrap();
    assert!(matches!(
        pose.bounds_to_world(&local).unwrap_err(),
        ShapeError::OutOfRange { field: "max.x", .. }
    ));
}

fn coordinates(reach: f64) -> impl Strategy<Value = DVec3> {
    let one = -reach..reach;
    (one.clone(), one.clone(), one).prop_map(|(x, y, z)| dvec3(x, y, z))
}

/// Magnitudes from 1/16 to 16, either sign.
fn scales() -> impl Strategy<Value = DVec3> {
    let one = || {
        (prop::bool::ANY, -4_i32..=4, 1.0_f64..2.0).prop_map(|(negative, exponent, mantissa)| {
            let magnitude = mantissa * f64::from(exponent).exp2();
            if negative { -magnitude } else { magnitude }
        })
    };
    (one(), one(), one()).prop_map(|(x, y, z)| dvec3(x, y, z))
}

fn poses() -> impl Strategy<Value = Pose> {
    (coordinates(17_066.0), coordinates(1.0), -1.0..1.0, scales())
        .prop_filter_map("a quaternion of length zero", |(position, xyz, w, scale)| {
            Pose::new(position, dquat(xyz.x, xyz.y, xyz.z, w), scale).ok()
        })
}

proptest! {
    #[test]
    fn there_and_back_is_where_it_was(pose in poses(), point in coordinates(500.0)) {
        // World coordinates reach 33 km, where f64 steps by 7 pm; the inverse divides by down to
        // 1/16.
        let back = pose.point_to_local(pose.point_to_world(point));
        prop_assert!((back - point).length() < 1e-9, "{back} is not {point}");
        let back = pose.vector_to_local(pose.vector_to_world(point));
        prop_assert!((back - point).length() < 1e-9, "{back} is not {point}");
    }

    #[test]
    fn normals_stay_perpendicular_and_outside(
        pose in poses(),
        normal in coordinates(1.0),
        other in coordinates(1.0),
    ) {
        prop_assume!(normal.length() > 1e-3);
        let moved = pose.normal_to_world(normal);
        prop_assert!((moved.length() - 1.0).abs() < 1e-14);
        let tangent = pose.vector_to_world(normal.cross(other));
        prop_assert!(moved.dot(tangent).abs() < 1e-12);
        prop_assert!(moved.dot(pose.vector_to_world(normal)) > 0.0);
        let back = pose.normal_to_local(moved);
        prop_assert!((back - normal.normalize()).length() < 1e-12);
    }

    #[test]
    fn bounds_hold_every_point_with_no_margin(
        pose in poses(),
        min in coordinates(50.0),
        size in coordinates(9.0),
        weights in prop::collection::vec((0.0..=1.0, 0.0..=1.0, 0.0..=1.0), 16),
    ) {
        let local = Aabb::new(min, min + size.abs()).unwrap();
        let world = pose.bounds_to_world(&local).unwrap();
        for (x, y, z) in weights {
            let point = (min + size.abs() * dvec3(x, y, z)).clamp(local.min(), local.max());
            prop_assert!(world.contains_point(pose.point_to_world(point)));
        }
        let corners = (0..8).map(|bits| {
            let ends = [local.min(), local.max()];
            let pick = |axis: usize| ends[bits >> axis & 1][axis];
            pose.point_to_world(dvec3(pick(0), pick(1), pick(2)))
        });
        let (low, high) = corners.fold((DVec3::MAX, DVec3::MIN), |(low, high), corner| {
            (low.min(corner), high.max(corner))
        });
        prop_assert_eq!((world.min(), world.max()), (low, high));
    }
}
