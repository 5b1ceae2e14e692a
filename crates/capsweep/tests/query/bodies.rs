//! The bodies in a box (rule 11.3).

use crate::masks::{some_poses, soup};
use capsweep::scene::{
    Bodies, Body, BodyId, BodyKind, Filter, MeshOptions, Mobility, Pose, Scene, Shape, TriMesh,
};
use capsweep::{Aabb, Capsule, HalfSpace, Obb, Sphere, Triangle};
use capsweep_testkit::Rng;
use glam::{DQuat, DVec3, Vec3, dvec3};
use std::sync::Arc;

/// Distance of a point from a box.
fn point_distance(point: DVec3, bounds: &Aabb) -> f64 {
    (point - point.clamp(bounds.min(), bounds.max())).length()
}

/// Smallest distance of a convex shape from a box, by alternating projections. Both sets are
/// convex, so the distance falls to its minimum. `project`: the point of the shape that is closest
/// to a point.
fn convex_distance(bounds: &Aabb, project: impl Fn(DVec3) -> DVec3) -> f64 {
    let mut on_box = bounds.center();
    let mut on_shape = project(on_box);
    for _ in 0..20_000 {
        let next = on_shape.clamp(bounds.min(), bounds.max());
        let moved = next.distance(on_box);
        (on_box, on_shape) = (next, project(next));
        if moved < 1e-13 || on_box.distance(on_shape) < 1e-9 {
            break;
        }
    }
    on_box.distance(on_shape)
}

fn closest_on_segment(a: DVec3, b: DVec3, point: DVec3) -> DVec3 {
    let along = (point - a).dot(b - a) / (b - a).length_squared();
    if along.is_nan() { a } else { a + (b - a) * along.clamp(0.0, 1.0) }
}

/// The point of a triangle closest to a point: inside of its plane's prism the projection, else on
/// an edge.
fn closest_on_triangle([a, b, c]: [DVec3; 3], point: DVec3) -> DVec3 {
    let normal = (b - a).cross(c - a);
    let edges = [(a, b), (b, c), (c, a)];
    let inside =
        |(from, to): &(DVec3, DVec3)| (*to - *from).cross(point - *from).dot(normal) >= 0.0;
    if normal.length_squared() > 0.0 && edges.iter().all(inside) {
        return point - normal * ((point - a).dot(normal) / normal.length_squared());
    }
    let on_edges = edges.map(|(from, to)| closest_on_segment(from, to, point));
    let nearer = |x: &&DVec3, y: &&DVec3| x.distance(point).total_cmp(&y.distance(point));
    *on_edges.iter().min_by(nearer).unwrap()
}

fn shape_distance(shape: &Shape, bounds: &Aabb) -> f64 {
    match shape {
        Shape::Sphere(sphere) => {
            point_distance(sphere.center(), bounds) - f64::from(sphere.radius())
        }
        Shape::Capsule(capsule) => {
            let project = |point| closest_on_segment(capsule.p0(), capsule.p1(), point);
            convex_distance(bounds, project) - f64::from(capsule.radius())
        }
        Shape::Box(obb) => convex_distance(bounds, |point| {
            let local = obb.axes().transpose() * (point - obb.center());
            let half = obb.half_extents().as_dvec3();
            obb.center() + obb.axes() * local.clamp(-half, half)
        }),
        Shape::HalfSpace(plane) => {
            let corner = |i: usize| {
                let pick =
                    |axis: usize| if i >> axis & 1 == 0 { bounds.min() } else { bounds.max() };
                dvec3(pick(0).x, pick(1).y, pick(2).z)
            };
            let heights = (0..8).map(|i| plane.signed_distance(corner(i)));
            heights.fold(f64::INFINITY, f64::min)
        }
    }
}

/// Distance from a box of the closest triangle that a mask sees.
fn mesh_distance(mesh: &TriMesh, pose: &Pose, bounds: &Aabb, mask: u32) -> f64 {
    let seen = (0..mesh.triangle_count()).filter(|&i| mesh.mask(i).unwrap() & mask != 0);
    let distances = seen.map(|i| {
        let corners = pose.triangle_to_world(mesh.triangle(i).unwrap());
        let [a, b, c] = corners;
        let own = Triangle::new(a, b, c).unwrap().bounds();
        let apart = (own.min() - bounds.max()).max(bounds.min() - own.max()).max_element();
        // The distance of the bounds decides what is far away.
        if apart > 1e-3 {
            return apart;
        }
        convex_distance(bounds, |point| closest_on_triangle(corners, point))
    });
    distances.fold(f64::INFINITY, f64::min)
}

fn distance(body: &Body, bounds: &Aabb, mask: u32) -> f64 {
    match (body.instance(), body.solid()) {
        (Some((mesh, pose)), _) => mesh_distance(mesh, pose, bounds, mask),
        (None, Some(shape)) => shape_distance(shape, bounds),
        (None, None) => f64::INFINITY,
    }
}

fn some_shape(rng: &mut Rng, near: DVec3) -> Shape {
    let at = near + rng.cube(4.0);
    match rng.below(3) {
        0 => Shape::Sphere(Sphere::new(at, rng.range(0.1, 2.0) as f32).unwrap()),
        1 => {
            let radius = rng.range(0.05, 0.8) as f32;
            Shape::Capsule(Capsule::from_center(at, rng.cube(2.0), radius).unwrap())
        }
        _ => {
            let turn = DQuat::from_axis_angle(rng.direction(), rng.range(0.0, 6.0));
            // Every third box is a plate.
            let flat = if rng.below(3) == 0 { Vec3::new(1.0, 1.0, 0.0) } else { Vec3::ONE };
            let half = rng.cube(1.5).abs().as_vec3() * flat;
            Shape::Box(Obb::new(at, half, turn).unwrap())
        }
    }
}

/// Meshes, shapes and obstacles, static and dynamic, with keys that repeat.
fn world(rng: &mut Rng, near: DVec3) -> Scene {
    let mut scene = Scene::new();
    let (vertices, indices) = soup(rng, 40);
    let masks: Vec<u32> = (0..40).map(|i| i % 3 + 1).collect();
    let mesh = TriMesh::new(&vertices, &indices, MeshOptions::default()).unwrap();
    let mesh = Arc::new(mesh.with_masks(&masks).unwrap());
    let mobility = |i: u64| if i.is_multiple_of(2) { Mobility::Static } else { Mobility::Dynamic };
    for (i, pose) in some_poses().into_iter().enumerate() {
        let pose = Pose::new(near + rng.cube(4.0), pose.rotation(), pose.scale() * 0.5).unwrap();
        let body = Body::mesh(Arc::clone(&mesh), pose).unwrap().with_key(9 - i as u64);
        scene.insert(body.with_mobility(mobility(i as u64)));
    }
    for i in 0..24 {
        let shape = some_shape(rng, near);
        let body = if i % 3 == 0 { Body::obstacle(shape) } else { Body::shape(shape) };
        let mask = [u32::MAX, 1, 2][rng.below(3) as usize];
        scene.insert(body.with_key(20 - i / 2).with_mask(mask).with_mobility(mobility(i / 3)));
    }
    let slope = HalfSpace::new(near - DVec3::Z * 4.0, dvec3(0.2, 0.1, 1.0)).unwrap();
    scene.insert(Body::shape(Shape::HalfSpace(slope)).with_key(50));
    scene
}

fn is_wanted(body: &Body, filter: Filter) -> bool {
    let is_static = body.mobility() == Mobility::Static;
    let wanted = match filter.bodies {
        Bodies::All => true,
        Bodies::Static => is_static,
        Bodies::Dynamic => !is_static,
    };
    wanted && body.mask() & filter.mask != 0
}

#[test]
fn the_bodies_in_a_box_are_those_of_brute_force() {
    let mut rng = Rng::new(&[93]);
    let mut found = Vec::new();
    let (mut listed, mut only_by_bounds) = (0, 0);
    for place in [DVec3::ZERO, dvec3(16_384.0, -16_384.0, 512.0), dvec3(1e6, -1e6, 1e6)] {
        for number in 0..200 {
            let scene = world(&mut rng, place);
            let (at, half) = (place + rng.cube(3.0), rng.cube(1.0).abs());
            // Some boxes are points and plates.
            let half = half * [3.0, 1.5, 0.0][number % 3] * dvec3(1.0, 1.0, (number % 2) as f64);
            let bounds = Aabb::new(at - half, at + half).unwrap();
            let filter = Filter {
                mask: [u32::MAX, 1, 2, 4][number % 4],
                bodies: [Bodies::All, Bodies::Static, Bodies::Dynamic][number % 5 % 3],
                ..Filter::default()
            };
            scene.bodies_seen_in(&bounds, &filter, &mut found);
            listed += found.len();
            for (id, body) in scene.bodies() {
                let times = found.iter().filter(|one| **one == id).count();
                if !is_wanted(body, filter) {
                    assert_eq!(times, 0, "{number}: {body:?}");
                    continue;
                }
                let apart = distance(body, &bounds, filter.mask);
                let what = format!("{number}, {apart}: {body:?} {bounds:?}");
                assert!(times == 1 || apart > 0.0, "missing {what}");
                // Alternating projections stop some micrometres short.
                assert!(times == 0 || (times == 1 && apart < 2e-5), "wrong {what}");
                let by_bounds = body.bounds().is_some_and(|own| own.overlaps(&bounds));
                only_by_bounds += usize::from(times == 0 && by_bounds);
            }
            let order = |id: &BodyId| {
                let body = scene.body(*id).unwrap();
                (body.kind(), body.key(), *id)
            };
            assert!(found.iter().map(order).is_sorted(), "{found:?}");
        }
    }
    assert!(listed > 300 && only_by_bounds > 50, "{listed}, {only_by_bounds}");
}

#[test]
fn touching_counts_and_a_tenth_of_a_millimetre_apart_does_not() {
    let bounds = Aabb::new(DVec3::ZERO, DVec3::ONE).unwrap();
    let across = DVec3::ONE.normalize();
    // Each shape, moved out by `gap` from where it touches the corner at (1, 1, 1).
    let shapes: [fn(DVec3) -> Shape; 3] = [
        |corner| Shape::Sphere(Sphere::new(corner + DVec3::ONE.normalize() * 0.5, 0.5).unwrap()),
        |corner| {
            let (end, along) = (corner + DVec3::ONE.normalize() * 0.5, dvec3(1.0, -1.0, 0.0));
            Shape::Capsule(Capsule::new(end - along, end + along, 0.5).unwrap())
        },
        |corner| {
            let turn = DQuat::from_rotation_arc(DVec3::Z, DVec3::ONE.normalize());
            let center = corner + DVec3::ONE.normalize() * 0.25;
            Shape::Box(Obb::new(center, Vec3::new(2.0, 3.0, 0.25), turn).unwrap())
        },
    ];
    let mut found = Vec::new();
    for (gap, is_in) in [(-1e-9, true), (0.0, true), (1e-4, false)] {
        for shape in shapes {
            let mut scene = Scene::new();
            scene.insert(Body::shape(shape(DVec3::ONE + across * gap)));
            scene.bodies_seen_in(&bounds, &Filter::default(), &mut found);
            assert_eq!(found.len(), usize::from(is_in), "{gap}: {:?}", scene.bodies().next());
        }
        let plane = HalfSpace::new(DVec3::ONE + across * gap, -across).unwrap();
        let mut scene = Scene::new();
        scene.insert(Body::shape(Shape::HalfSpace(plane)));
        // A triangle across the corner, whose own box holds most of the bounds.
        let corners = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| axis * 3.0);
        let mesh = TriMesh::new(&corners, &[[0, 1, 2]], MeshOptions::default()).unwrap();
        let pose = Pose::from_translation(across * gap).unwrap();
        scene.insert(Body::mesh(Arc::new(mesh), pose).unwrap());
        scene.bodies_seen_in(&bounds, &Filter::default(), &mut found);
        let kinds: Vec<_> = found.iter().map(|id| scene.body(*id).unwrap().kind()).collect();
        let expected: &[BodyKind] = if is_in { &[BodyKind::Mesh, BodyKind::Shape] } else { &[] };
        assert_eq!(kinds, expected, "{gap}");
    }
}

/// The separating axis of two skew edges is their cross product: no face separates them.
#[test]
fn skew_edges_are_told_apart() {
    let bounds = Aabb::new(DVec3::splat(-1.0), DVec3::ONE).unwrap();
    // The edge x = y = 1 of the box runs along z. The triangle's edge passes it at right angles.
    let across = dvec3(1.0, 1.0, 0.0).normalize();
    let along = dvec3(1.0, -1.0, 1.0).normalize();
    let mut found = Vec::new();
    for (gap, is_in) in [(-1e-3, true), (1e-3, false)] {
        let middle = dvec3(1.0, 1.0, 0.0) + across * gap;
        let corners = [middle - along * 3.0, middle + along * 3.0, middle + across * 3.0];
        let corners = corners.map(DVec3::as_vec3);
        let mesh = TriMesh::new(&corners, &[[0, 1, 2]], MeshOptions::default()).unwrap();
        let mut scene = Scene::new();
        scene.insert(Body::mesh(Arc::new(mesh), Pose::IDENTITY).unwrap());
        scene.bodies_seen_in(&bounds, &Filter::default(), &mut found);
        assert_eq!(found.len(), usize::from(is_in), "{gap}");
    }
}

#[test]
fn a_box_inside_a_closed_mesh_holds_none_of_it() {
    let corner = |i: u32| Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2) as f32) * 10.0;
    let vertices: Vec<Vec3> = (0..8).map(corner).collect();
    let quads =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let indices: Vec<[u32; 3]> =
        quads.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
    let mesh = TriMesh::new(&vertices, &indices, MeshOptions::default()).unwrap();
    let mut scene = Scene::new();
    scene.insert(Body::mesh(Arc::new(mesh), Pose::IDENTITY).unwrap());
    let mut found = vec![];
    let inside = Aabb::new(DVec3::splat(4.0), DVec3::splat(6.0)).unwrap();
    scene.bodies_seen_in(&inside, &Filter::default(), &mut found);
    assert!(found.is_empty());
    let through = Aabb::new(DVec3::splat(4.0), dvec3(6.0, 6.0, 11.0)).unwrap();
    scene.bodies_seen_in(&through, &Filter::default(), &mut found);
    assert_eq!(found.len(), 1);
}
