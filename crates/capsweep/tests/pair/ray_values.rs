//! Rays against single shapes, by value: borders, starts on the surface and inside, each axis.

use crate::ray_shapes::{cast, motion};
use capsweep::{
    Capsule, Feature, HalfSpace, Obb, RayHit, Sides, Triangle, ray_box, ray_capsule,
    ray_half_space, ray_triangle,
};
use glam::{DVec3, Vec3, dvec3, vec3};

fn tilted() -> Triangle {
    Triangle::new(dvec3(0.0, 0.0, 0.0), dvec3(4.0, 0.0, 1.0), dvec3(0.0, 8.0, 2.0)).unwrap()
}

#[test]
fn a_ray_on_a_border_names_the_edge_or_vertex_and_hits_it_at_its_height() {
    let [a, b, c] = tilted().vertices();
    // Twice the same triangle, with the corners in another order: edges change their direction.
    let orders = [[a, b, c], [b, c, a], [c, a, b], [a, c, b]];
    for corners in orders {
        let triangle = Triangle::new(corners[0], corners[1], corners[2]).unwrap();
        for i in 0..3_u8 {
            let [from, to] = [0, 1].map(|k| corners[usize::from(i + k) % 3]);
            let quarter = from + (to - from) * 0.25;
            for (point, feature) in [(quarter, Feature::Edge(i)), (from, Feature::Vertex(i))] {
                // Straight down, and slanted by dyadic steps: the images are exact.
                for slant in [DVec3::ZERO, dvec3(0.25, -0.5, 0.0)] {
                    let way = motion((slant - DVec3::Z) * 16.0);
                    let start = point - way.vector() * 0.5;
                    let hit = ray_triangle(&cast(start, &way), &triangle, Sides::Both).unwrap();
                    assert_eq!((hit.feature, hit.time), (feature, 0.5), "{corners:?} {point}");
                    assert_eq!(hit.point, point);
                    let weights = hit.barycentrics.unwrap();
                    let rebuilt = corners[0] * weights[0]
                        + corners[1] * weights[1]
                        + corners[2] * weights[2];
                    assert!(rebuilt.distance(point) < 1e-14, "{weights:?} {point}");
                }
            }
        }
    }
}

#[test]
fn rays_along_every_axis_hit_a_triangle_at_the_same_point() {
    let target = dvec3(1.0, 2.0, 0.75);
    for direction in [DVec3::X, DVec3::Y, DVec3::Z, dvec3(1.0, 4.0, -2.0), dvec3(-3.0, 1.0, 2.0)] {
        for way in [direction * 8.0, direction * -8.0] {
            let ray = cast(target - way * 0.25, &motion(way));
            let hit = ray_triangle(&ray, &tilted(), Sides::Both).unwrap();
            assert!((hit.time - 0.25).abs() < 1e-15, "{way}: {hit:?}");
            assert!(hit.point.distance(target) < 1e-14, "{way}: {hit:?}");
        }
    }
}

/// Its corners are on a line but for 2⁻⁴⁵ m, so it has no face. A ray through it gets the time of
/// the weighted corners.
#[test]
fn a_ray_through_a_triangle_without_a_face_hits_it_at_the_height_of_its_corners() {
    let thin = f64::EPSILON * 128.0;
    let [a, b, c] = [DVec3::ZERO, dvec3(8.0, 0.0, 4.0), dvec3(4.0, thin, 2.0)];
    let (start, way) = (dvec3(2.0, 0.25 * thin, 5.0), motion(dvec3(0.0, 0.0, -8.0)));
    let weights = [0.625, 0.125, 0.25];
    for order in [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1]] {
        let [p, q, r] = order.map(|i: usize| [a, b, c][i]);
        let triangle = Triangle::new(p, q, r).unwrap();
        for sides in [Sides::Front, Sides::Both] {
            let hit = ray_triangle(&cast(start, &way), &triangle, sides).unwrap();
            assert_eq!((hit.feature, hit.time, hit.normal), (Feature::Face, 0.5, Vec3::Z));
            assert_eq!(hit.barycentrics, Some(order.map(|i| weights[i])));
        }
    }
}

#[test]
fn a_start_on_a_triangle_is_hit_at_plus_zero() {
    let start = dvec3(1.0, 2.0, 0.75);
    for way in [DVec3::Z, -DVec3::Z, dvec3(0.5, 0.25, 1.0), dvec3(0.5, 0.25, -1.0)] {
        let hit = ray_triangle(&cast(start, &motion(way)), &tilted(), Sides::Both).unwrap();
        assert_eq!((hit.time.to_bits(), hit.distance.to_bits()), (0, 0), "{way}");
    }
}

fn cube(half: Vec3) -> Obb {
    Obb::axis_aligned(DVec3::ZERO, half).unwrap()
}

fn hit_box(start: DVec3, way: DVec3, half: Vec3) -> Option<RayHit> {
    let [front, both] =
        [Sides::Front, Sides::Both].map(|s| ray_box(&cast(start, &motion(way)), &cube(half), s));
    assert_eq!(front, both);
    both
}

#[test]
fn a_ray_onto_an_edge_of_a_box_gets_the_normal_of_the_most_head_on_face() {
    for (way, normal) in [
        (dvec3(4.0, 8.0, 0.0), Vec3::NEG_Y),
        (dvec3(8.0, 4.0, 0.0), Vec3::NEG_X),
        (dvec3(8.0, 8.0, 0.0), Vec3::NEG_X),
        (dvec3(0.0, 2.0, 4.0), Vec3::NEG_Z),
        (dvec3(4.0, 2.0, 8.0), Vec3::NEG_Z),
        (dvec3(4.0, 8.0, 2.0), Vec3::NEG_Y),
        (dvec3(-8.0, 4.0, 2.0), Vec3::X),
    ] {
        // All faces that face the ray are crossed at time 0.5.
        let corner = -way.signum() * dvec3(1.0, 1.0, 1.0) * way.abs().min(DVec3::ONE);
        let hit = hit_box(corner - way * 0.5, way, Vec3::ONE).unwrap();
        assert_eq!((hit.time, hit.normal), (0.5, normal), "{way}");
    }
}

#[test]
fn a_ray_names_the_face_where_it_enters_and_not_where_it_starts() {
    // It starts level with the top face, and enters below it.
    let hit = hit_box(dvec3(-3.0, 0.0, 1.0), dvec3(8.0, 0.0, -2.0), Vec3::ONE).unwrap();
    assert_eq!((hit.time, hit.feature, hit.normal), (0.25, Feature::Face, Vec3::NEG_X));
    // Along the plane of the top face: it meets the edge.
    let along = hit_box(dvec3(-3.0, 0.0, 1.0), dvec3(8.0, 0.0, 0.0), Vec3::ONE).unwrap();
    assert!(matches!(along.feature, Feature::Edge(_)), "{along:?}");
    // Off the axis but inside the face, without motion along that axis.
    let inside = hit_box(dvec3(-3.0, 0.25, 0.5), dvec3(8.0, 0.0, 0.0), Vec3::ONE).unwrap();
    assert_eq!(inside.feature, Feature::Face);
}

#[test]
fn a_start_on_a_box_without_thickness_is_a_hit_and_one_on_a_corner_outwards_is_not() {
    let flat = vec3(1.0, 1.0, 0.0);
    for way in [dvec3(0.25, 0.0, -1.0), dvec3(0.25, 0.0, 1.0)] {
        let hit = hit_box(dvec3(0.5, 0.25, 0.0), way, flat).unwrap();
        assert_eq!(hit.time, 0.0);
    }
    // Past the corner of a solid box: it touches and leaves in one point.
    assert_eq!(hit_box(dvec3(1.0, 1.0, 0.0), dvec3(1.0, -1.0, 0.0), Vec3::ONE), None);
}

#[test]
fn a_start_inside_a_half_space_is_a_hit_in_both_whichever_way_the_ray_goes() {
    let ground = HalfSpace::new(dvec3(3.0, 4.0, 0.0), DVec3::Z).unwrap();
    let hit = |height: f64, way: DVec3, sides: Sides| {
        ray_half_space(&cast(dvec3(0.5, 0.25, height), &motion(way)), &ground, sides)
    };
    for way in [DVec3::Z, -DVec3::Z, DVec3::X, dvec3(2.0, 0.0, 0.5), dvec3(2.0, 0.0, -0.5)] {
        let inside = hit(-1.0, way, Sides::Both).unwrap();
        assert_eq!((inside.time, inside.distance), (0.0, 0.0), "{way}");
        assert!(inside.normal.as_dvec3().distance(-way.normalize()) < 1e-7, "{way}");
        assert_eq!(hit(-1.0, way, Sides::Front), None, "{way}");
    }
    for height in [0.0, 1.0] {
        assert_eq!(hit(height, DVec3::X, Sides::Both), None, "along it, {height} m above");
        assert_eq!(hit(height, DVec3::Z, Sides::Both), None, "away from it");
    }
}

#[test]
fn a_ray_along_the_axis_of_a_capsule_enters_its_end() {
    let capsule = Capsule::new(dvec3(1.0, 2.0, 3.0), dvec3(1.0, 2.0, 5.0), 0.5).unwrap();
    let hit =
        |start: DVec3, way: DVec3, sides| ray_capsule(&cast(start, &motion(way)), &capsule, sides);
    let down = hit(dvec3(1.0, 2.0, 7.5), dvec3(0.0, 0.0, -8.0), Sides::Front).unwrap();
    assert_eq!((down.time, down.normal), (0.25, Vec3::Z));
    // Beside the axis, and past it.
    let beside = hit(dvec3(1.3, 2.0, 7.5), dvec3(0.0, 0.0, -8.0), Sides::Front).unwrap();
    assert!((beside.point.z - 5.4).abs() < 1e-12, "{beside:?}");
    assert_eq!(hit(dvec3(1.6, 2.0, 7.5), dvec3(0.0, 0.0, -8.0), Sides::Front), None);
    let inside = hit(dvec3(1.0, 2.0, 4.0), dvec3(0.0, 0.0, 8.0), Sides::Both).unwrap();
    assert_eq!((inside.time, inside.normal), (0.0, Vec3::NEG_Z));
}
