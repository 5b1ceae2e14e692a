//! Rays against single shapes: the conventions.

use crate::ray_shapes::{FAR, both, cast, motion, ray_shape, scene_of, solids};
use capsweep::scene::{Body, Filter, StartOverlaps};
use capsweep::{
    Capsule, Feature, Motion, Obb, Sides, Sphere, Triangle, ray_box, ray_capsule, ray_sphere,
    ray_triangle,
};
use capsweep_testkit::Rng;
use glam::{DVec3, Vec3, dquat, dvec3, vec3};

fn floor() -> Triangle {
    Triangle::new(dvec3(-3.0, -2.0, 0.0), dvec3(4.0, -2.5, 0.0), dvec3(0.5, 5.0, 0.0)).unwrap()
}

#[test]
fn a_hit_reports_time_distance_point_normal_and_weights() {
    let way = motion(dvec3(1.0, 0.5, -4.0));
    let hit = ray_triangle(&cast(dvec3(0.0, 0.5, 2.0), &way), &floor(), Sides::Front).unwrap();
    assert_eq!((hit.time, hit.distance), (0.5, 0.5 * way.length()));
    assert_eq!(hit.point, dvec3(0.5, 0.75, 0.0));
    assert_eq!((hit.normal, hit.feature), (Vec3::Z, Feature::Face));
    let weights = hit.barycentrics.unwrap();
    let [a, b, c] = floor().vertices();
    let rebuilt = a * weights[0] + b * weights[1] + c * weights[2];
    assert!((rebuilt - hit.point).length() < 1e-14);
}

#[test]
fn the_front_is_hit_from_the_front_alone() {
    let (down, up) = (motion(dvec3(0.0, 0.0, -2.0)), motion(dvec3(0.0, 0.0, 2.0)));
    let (above, below) = (dvec3(0.1, 0.2, 1.0), dvec3(0.1, 0.2, -1.0));
    assert!(ray_triangle(&cast(above, &down), &floor(), Sides::Front).is_some());
    assert_eq!(ray_triangle(&cast(below, &up), &floor(), Sides::Front), None);
    let from_below = ray_triangle(&cast(below, &up), &floor(), Sides::Both).unwrap();
    assert_eq!((from_below.time, from_below.normal), (0.5, Vec3::NEG_Z));
    let along = motion(dvec3(9.0, 0.0, 0.0));
    for sides in [Sides::Front, Sides::Both] {
        assert_eq!(ray_triangle(&cast(dvec3(-5.0, 0.0, 0.0), &along), &floor(), sides), None);
        assert_eq!(ray_triangle(&cast(above, &Motion::ZERO), &floor(), sides), None);
    }
}

#[test]
fn a_start_on_the_surface_is_a_hit_if_the_ray_goes_in() {
    let (down, up) = (motion(dvec3(0.1, 0.0, -1.0)), motion(dvec3(0.1, 0.0, 1.0)));
    let level = motion(dvec3(0.5, 0.25, 0.0));
    for sides in [Sides::Front, Sides::Both] {
        let hit = ray_triangle(&cast(DVec3::ZERO, &down), &floor(), sides).unwrap();
        assert_eq!((hit.time, hit.normal), (0.0, Vec3::Z));
        for shape in solids() {
            let hit = ray_shape(DVec3::ZERO, &down, &shape, sides).unwrap();
            assert_eq!((hit.time, hit.distance), (0.0, 0.0), "{shape:?}");
            assert!((hit.normal - Vec3::Z).length() < 1e-6, "{shape:?}: {hit:?}");
            assert_eq!(ray_shape(DVec3::ZERO, &up, &shape, sides), None, "{shape:?}");
            assert_eq!(ray_shape(DVec3::ZERO, &level, &shape, sides), None, "{shape:?}");
        }
    }
    assert_eq!(ray_triangle(&cast(DVec3::ZERO, &up), &floor(), Sides::Front), None);
    assert_eq!(ray_triangle(&cast(DVec3::ZERO, &up), &floor(), Sides::Both).unwrap().time, 0.0);
}

#[test]
fn the_end_is_inclusive() {
    let start = dvec3(0.0, 0.0, 0.7);
    let (enough, short) = (motion(dvec3(0.0, 0.0, -0.7)), motion(dvec3(0.0, 0.0, -0.699_999)));
    assert_eq!(ray_triangle(&cast(start, &enough), &floor(), Sides::Front).unwrap().time, 1.0);
    assert_eq!(ray_triangle(&cast(start, &short), &floor(), Sides::Front), None);
    for shape in solids() {
        assert_eq!(
            ray_shape(start, &enough, &shape, Sides::Front).unwrap().time,
            1.0,
            "{shape:?}"
        );
        assert_eq!(ray_shape(start, &short, &shape, Sides::Front), None, "{shape:?}");
    }
}

#[test]
fn a_start_inside_a_solid_is_a_hit_in_both_and_none_in_front() {
    let start = dvec3(0.1, 0.05, -0.5);
    for direction in [DVec3::Z, DVec3::NEG_Z, dvec3(0.6, 0.0, 0.8)] {
        let way = motion(direction * 20.0);
        for shape in solids() {
            assert_eq!(ray_shape(start, &way, &shape, Sides::Front), None, "{shape:?}");
            let hit = ray_shape(start, &way, &shape, Sides::Both).unwrap();
            assert_eq!((hit.time, hit.point), (0.0, start), "{shape:?}");
            assert!((hit.normal.as_dvec3() + direction).length() < 1e-6, "{shape:?}");

            let scene = scene_of([Body::shape(shape)]);
            assert_eq!(scene.ray(&cast(start, &way), &both()).map(|hit| hit.hit), Some(hit));
            let skip = Filter { start_overlaps: StartOverlaps::Skip, ..both() };
            assert_eq!(scene.ray(&cast(start, &way), &skip), None, "{shape:?}");
            assert_eq!(scene.ray(&cast(start, &Motion::ZERO), &both()), None, "{shape:?}");
        }
    }
}

#[test]
fn hits_on_solids_lie_on_their_surface() {
    let mut rng = Rng::new(&[71]);
    let turn = dquat(0.3, -0.5, 0.2, 0.9);
    for place in [DVec3::ZERO, FAR] {
        let obb = Obb::new(place, vec3(1.0, 2.0, 0.5), turn).unwrap();
        let ball = Sphere::new(place, 1.25).unwrap();
        let axis = dvec3(0.3, 1.2, -0.6);
        let capsule = Capsule::from_center(place, axis, 0.75).unwrap();
        let mut hits = [0; 3];
        for _ in 0..20_000 {
            let origin = place + rng.direction() * rng.range(3.0, 300.0);
            let to = place + rng.cube(2.0) - origin;
            let way = motion(to * 2.0);
            // Distance to the surface, negative inside.
            let box_gap = |p: DVec3| {
                let q =
                    (obb.axes().transpose() * (p - place)).abs() - obb.half_extents().as_dvec3();
                q.max(DVec3::ZERO).length() + q.max_element().min(0.0)
            };
            let ball_gap = |p: DVec3| (p - place).length() - 1.25;
            let capsule_gap = |p: DVec3| {
                let t = ((p - place).dot(axis) / axis.length_squared()).clamp(-1.0, 1.0);
                (p - place - axis * t).length() - 0.75
            };
            let answers = [
                (
                    ray_box(&cast(origin, &way), &obb, Sides::Front),
                    &box_gap as &dyn Fn(DVec3) -> f64,
                ),
                (ray_sphere(&cast(origin, &way), &ball, Sides::Front), &ball_gap),
                (ray_capsule(&cast(origin, &way), &capsule, Sides::Front), &capsule_gap),
            ];
            for (i, (hit, gap)) in answers.into_iter().enumerate() {
                let reached = hit.map_or(1.0, |hit| hit.time);
                for step in 0..64 {
                    let time = reached * f64::from(step) / 64.0;
                    let gap = gap(origin + way.vector() * time);
                    assert!(gap > -1e-9, "shape {i} was missed by {gap} at {time}");
                }
                let Some(hit) = hit else { continue };
                hits[i] += 1;
                assert!(gap(hit.point).abs() < 1e-9, "shape {i}: {} off", gap(hit.point));
                assert!(hit.normal.as_dvec3().dot(way.vector()) < 0.0);
                // The normal points out of the solid.
                let out = gap(hit.point + hit.normal.as_dvec3() * 1e-4);
                assert!((out - 1e-4).abs() < 1e-6, "shape {i}: out by {out}");
            }
        }
        assert!(hits.iter().all(|count| *count > 3_000), "{hits:?}");
    }
}

#[test]
fn edges_and_corners_of_a_box_are_named_where_they_are_met_exactly() {
    let obb = Obb::axis_aligned(DVec3::ZERO, vec3(1.0, 2.0, 3.0)).unwrap();
    let down = motion(dvec3(0.0, 0.0, -5.0));
    let cases = [
        (dvec3(0.5, 0.5, 4.0), Feature::Face),
        // Along y, on the positive side of z and of x.
        (dvec3(1.0, 0.5, 4.0), Feature::Edge(4 + 3)),
        (dvec3(-1.0, 2.0, 4.0), Feature::Vertex(6)),
    ];
    for (origin, feature) in cases {
        let hit = ray_box(&cast(origin, &down), &obb, Sides::Front).unwrap();
        assert_eq!((hit.feature, hit.normal, hit.distance), (feature, Vec3::Z, 1.0));
    }
    let plate = Obb::axis_aligned(DVec3::ZERO, vec3(1.0, 2.0, 0.0)).unwrap();
    assert_eq!(ray_box(&cast(DVec3::Z, &down), &plate, Sides::Front).unwrap().distance, 1.0);
}
