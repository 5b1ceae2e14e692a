//! Bad numbers are errors at construction: no query answers "no hit" because of them.

use crate::{capsule, motion};
use capsweep::query::Column;
use capsweep::query::batch::{self, ClosestQuery, RayQuery};
use capsweep::scene::{Body, Filter, MeshOptions, Pose, Scene, Shape, TriMesh, VerticalWindow};
use capsweep::{
    Aabb, Limit, MAX_POSITION, Motion, Ray, ShapeError, Sides, SlopeLimit, Sphere,
    closest_capsule_sphere, ray_sphere,
};
use glam::{DVec3, Vec3, dvec3};
use std::sync::Arc;

const NOT_FINITE: [f64; 3] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];

/// A floor around the origin, as a mesh.
fn floor() -> Scene {
    let vertices = [
        Vec3::new(-9.0, -9.0, 0.0),
        Vec3::new(9.0, -9.0, 0.0),
        Vec3::new(9.0, 9.0, 0.0),
        Vec3::new(-9.0, 9.0, 0.0),
    ];
    let mesh = TriMesh::new(&vertices, &[[0, 1, 2], [0, 2, 3]], MeshOptions::default()).unwrap();
    let mut scene = Scene::new();
    scene.insert(Body::mesh(Arc::new(mesh), Pose::IDENTITY).unwrap());
    scene
}

#[test]
fn a_ray_from_nowhere_is_an_error_and_not_a_clear_line_of_sight() {
    let down = motion([0.0, 0.0, -5.0]);
    for axis in 0..3 {
        for value in NOT_FINITE {
            let mut origin = dvec3(1.0, 2.0, 3.0);
            origin[axis] = value;
            let error = Ray::new(origin, down).unwrap_err();
            assert!(matches!(error, ShapeError::NotFinite { .. }), "{error}");
            assert_eq!(error.field(), ["origin.x", "origin.y", "origin.z"][axis]);
        }
        for value in [2.0 * MAX_POSITION, -1e300] {
            let mut origin = DVec3::ZERO;
            origin[axis] = value;
            let error = Ray::new(origin, down).unwrap_err();
            assert!(matches!(error, ShapeError::OutOfRange { .. }), "{error}");
        }
    }
}

#[test]
fn a_ray_keeps_what_it_is_made_of_and_is_asked_of_scenes_pairs_and_batches() {
    let (origin, down) = (dvec3(1.0, 2.0, 3.0), motion([0.0, 0.0, -5.0]));
    let ray = Ray::new(origin, down).unwrap();
    assert_eq!((ray.origin(), ray.motion(), ray.end()), (origin, down, dvec3(1.0, 2.0, -2.0)));
    let ball = Sphere::new(dvec3(1.0, 2.0, 0.0), 1.0).unwrap();
    let met = ray_sphere(&ray, &ball, Sides::Front).unwrap();
    assert!((met.distance - 2.0).abs() < 1e-12, "{met:?}");
    let (scene, filter) = (floor(), Filter::default());
    let alone = scene.ray(&ray, &filter);
    assert_eq!(alone.unwrap().hit.distance, 3.0);
    let mut answers = Vec::new();
    batch::ray(&scene, &[RayQuery { ray, filter }], &mut answers);
    assert_eq!(answers, [alone]);
}

#[test]
fn a_ray_at_the_ends_of_the_range_is_a_ray() {
    for origin in [DVec3::splat(MAX_POSITION), DVec3::splat(-MAX_POSITION), DVec3::ZERO] {
        for way in [DVec3::splat(MAX_POSITION), DVec3::splat(5e-324), DVec3::ZERO] {
            let ray = Ray::new(origin, Motion::new(way).unwrap()).unwrap();
            assert!(floor().ray(&ray, &Filter::default()).is_none(), "{ray:?}");
        }
    }
}

#[test]
fn a_limit_that_is_no_distance_is_an_error_and_not_an_empty_world() {
    let error = Limit::new(f64::NAN).unwrap_err();
    assert_eq!(error, ShapeError::NotANumber { field: "limit" });
    assert_eq!(error.to_string(), "limit is NaN: it must be a number, and may be infinite");
    for metres in [-1.0, -5e-324, f64::NEG_INFINITY] {
        let error = Limit::new(metres).unwrap_err();
        assert_eq!(error, ShapeError::Negative { field: "limit", value: metres });
    }
    assert!(Limit::try_from(f64::NAN).is_err() && Limit::try_from(Some(-1.0)).is_err());
    assert_eq!(Limit::try_from(None).unwrap(), Limit::UNBOUNDED);
}

#[test]
fn an_infinite_limit_sees_everything_and_a_limit_of_zero_what_touches_or_overlaps() {
    let (scene, filter) = (floor(), Filter::default());
    let over = |gap: f64| capsule([0.0, 0.0, gap + 0.5], [0.0, 0.0, gap + 1.5], 0.5);
    let infinite = Limit::new(f64::INFINITY).unwrap();
    assert_eq!((infinite, infinite.metres()), (Limit::UNBOUNDED, f64::INFINITY));
    for (gap, limit, is_found) in [
        (1e6, infinite, true),
        (1e6, Limit::new(1e300).unwrap(), true),
        (1e6, Limit::new(9e5).unwrap(), false),
        (0.5, Limit::ZERO, false),
        (-0.25, Limit::ZERO, true),
        (-0.25, Limit::new(-0.0).unwrap(), true),
        (0.5, Limit::new(0.5).unwrap(), true),
    ] {
        let found = scene.closest(&over(gap), limit, &filter);
        assert_eq!(found.is_some(), is_found, "{gap} {limit:?}");
        let mut answers = Vec::new();
        let query = ClosestQuery { capsule: over(gap), limit, filter };
        batch::closest(&scene, &[query], &mut answers);
        assert_eq!(answers, [found]);
    }
}

#[test]
fn a_slope_limit_that_is_no_cosine_is_an_error_and_not_a_floor_too_steep() {
    for cos in [f32::NAN, f32::INFINITY, -0.1, 1.5, 45.0] {
        assert_eq!(SlopeLimit::from_cos(cos).unwrap_err().field(), "slope_limit", "{cos}");
    }
    let (scene, mut found) = (floor(), Vec::new());
    let column = Column::new(DVec3::Z, DVec3::Z, 5.0, 5.0).unwrap();
    for cos in [0.0, 0.7, 1.0] {
        let limit = SlopeLimit::from_cos(cos).unwrap();
        assert_eq!((limit.cos(), f32::from(limit)), (cos, cos));
        scene.supports(&column, limit, &Filter::default(), &mut found);
        assert!(found.len() == 1 && found[0].walkable, "{cos}: {found:?}");
    }
}

/// The arguments of the other queries are checked as well: columns, boxes, windows and shapes.
#[test]
fn no_other_query_takes_a_number_that_is_not_finite() {
    let body = capsule([0.0; 3], [0.0, 0.0, 1.0], 0.5);
    let still = Motion::ZERO;
    for value in NOT_FINITE {
        let point = dvec3(0.0, value, 0.0);
        assert!(Column::new(point, DVec3::Z, 1.0, 1.0).is_err());
        assert!(Column::new(DVec3::ZERO, point, 1.0, 1.0).is_err());
        assert!(Column::new(DVec3::ZERO, DVec3::Z, value, 1.0).is_err());
        assert!(Column::new(DVec3::ZERO, DVec3::Z, 1.0, value).is_err());
        assert!(Aabb::new(point, DVec3::ONE).is_err() && Aabb::new(DVec3::ZERO, point).is_err());
        assert!(VerticalWindow::new(&body, &still, point, 1.0).is_err());
        assert!(VerticalWindow::new(&body, &still, DVec3::Z, value).is_err());
        assert!(Motion::new(point).is_err() && Motion::along(DVec3::X, value).is_err());
        assert!(body.translated(point).is_err());
        assert!(Pose::from_translation(point).is_err());
    }
    let ball = Sphere::new(dvec3(0.0, 0.0, 3.0), 1.0).unwrap();
    assert!(closest_capsule_sphere(&body, &ball).distance.is_finite());
    assert!(Shape::Sphere(ball).bounds().is_some());
}
