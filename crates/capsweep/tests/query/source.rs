//! Triangles in a box, and meshes made from triangle sources.

use crate::masks::{some_poses, soup};
use capsweep::query::{Owner, SourceTriangle, TriangleSource};
use capsweep::scene::{
    Bodies, Body, Filter, MeshError, MeshOptions, Mobility, Pose, Scene, Shape, TriMesh,
};
use capsweep::{Aabb, Sphere, Triangle};
use capsweep_testkit::Rng;
use glam::{DVec3, dvec3};
use std::sync::Arc;

fn some_box(rng: &mut Rng, near: DVec3) -> Aabb {
    let (at, half) = (near + rng.cube(7.0), rng.cube(1.0).abs() * rng.log_range(1e-3, 8.0));
    Aabb::new(at - half, at + half).unwrap()
}

/// The triangles that a source shows, sorted.
fn shown(source: &dyn TriangleSource, bounds: &Aabb) -> Vec<SourceTriangle> {
    let mut found = Vec::new();
    source.triangles_in(bounds, &mut |triangle| found.push(*triangle));
    found.sort_by_key(|triangle| (triangle.owner.map(|owner| owner.body), triangle.index));
    found
}

fn mesh(seed: u64) -> TriMesh {
    let (vertices, indices) = soup(&mut Rng::new(&[seed]), 400);
    let numbers: Vec<u32> = (0..400).map(|i| i % 5).collect();
    let mesh = TriMesh::new(&vertices, &indices, MeshOptions { double_sided: seed == 2 }).unwrap();
    mesh.with_masks(&numbers).unwrap().with_tags(&numbers).unwrap()
}

#[test]
fn a_mesh_shows_the_triangles_that_touch_a_box_and_no_others() {
    let mesh = mesh(1);
    let mut rng = Rng::new(&[81]);
    let mut count = 0;
    for _ in 0..500 {
        let bounds = some_box(&mut rng, DVec3::ZERO);
        let expected: Vec<SourceTriangle> = (0..400)
            .filter_map(|i| {
                let [a, b, c] = mesh.triangle(i).unwrap().map(glam::Vec3::as_dvec3);
                let triangle = Triangle::new(a, b, c).unwrap();
                let (mask, tag) = (i % 5, i % 5);
                let shown = SourceTriangle { mask, tag, ..SourceTriangle::new(triangle, i) };
                triangle.bounds().overlaps(&bounds).then_some(shown)
            })
            .collect();
        assert_eq!(shown(&mesh, &bounds), expected);
        count += expected.len();
    }
    assert!(count > 1_000, "{count}");
}

/// Three meshes at each of two positions, one of them far away; one of the meshes is dynamic.
fn world() -> (Scene, Vec<(Owner, Pose, Arc<TriMesh>)>) {
    let meshes = [1, 2].map(|seed| Arc::new(mesh(seed)));
    let mut scene = Scene::new();
    let mut bodies = Vec::new();
    for (place, far) in [DVec3::ZERO, dvec3(16_384.0, -16_384.0, 512.0)].into_iter().enumerate() {
        for (i, pose) in some_poses().into_iter().enumerate() {
            let position = pose.position() + far;
            let pose = Pose::new(position, pose.rotation(), pose.scale()).unwrap();
            let mobility = if i == 1 { Mobility::Dynamic } else { Mobility::Static };
            let (key, mask) = (10 * place as u64 + i as u64, [u32::MAX, 0b10, 0b111][i]);
            let mesh = &meshes[i % 2];
            let body = Body::mesh(Arc::clone(mesh), pose).unwrap().with_key(key).with_mask(mask);
            let body = scene.insert(body.with_mobility(mobility));
            bodies.push((Owner { body, key, mask, mobility }, pose, Arc::clone(mesh)));
        }
    }
    scene.insert(Body::shape(Shape::Sphere(Sphere::new(DVec3::ZERO, 3.0).unwrap())));
    (scene, bodies)
}

/// Whether a triangle has a point in a box, by clipping it against each side of the box.
fn has_point_in(triangle: &Triangle, bounds: &Aabb) -> bool {
    let mut left = triangle.vertices().to_vec();
    for axis in 0..3 {
        for (sign, limit) in [(1.0, bounds.max()[axis]), (-1.0, -bounds.min()[axis])] {
            let over = |point: DVec3| sign * point[axis] - limit;
            let mut cut = Vec::new();
            for i in 0..left.len() {
                let (one, next) = (left[i], left[(i + 1) % left.len()]);
                let (a, b) = (over(one), over(next));
                if a <= 0.0 {
                    cut.push(one);
                }
                if (a < 0.0 && b > 0.0) || (a > 0.0 && b < 0.0) {
                    cut.push(one + (next - one) * (a / (a - b)));
                }
            }
            left = cut;
        }
    }
    !left.is_empty()
}

fn is_wanted(owner: &Owner, filter: Filter) -> bool {
    let moves = owner.mobility == Mobility::Dynamic;
    let wanted = match filter.bodies {
        Bodies::All => true,
        Bodies::Static => !moves,
        Bodies::Dynamic => moves,
    };
    wanted && owner.mask & filter.mask != 0
}

#[test]
fn a_scene_shows_every_world_triangle_that_a_filter_sees_in_a_box() {
    let (scene, bodies) = world();
    let mut rng = Rng::new(&[82]);
    let (mut must, mut count) = (0, 0);
    for number in 0..600 {
        let bounds = some_box(&mut rng, bodies[number % bodies.len()].1.position());
        let which = [Bodies::All, Bodies::Static, Bodies::Dynamic][number % 3];
        let mask = [u32::MAX, 0b01, 0b110, 0][number % 4];
        let filter = Filter { mask, bodies: which, ..Filter::default() };
        let mut found = Vec::new();
        scene.triangles_seen_in(&bounds, &filter, |triangle| found.push(*triangle));
        count += found.len();
        for (owner, pose, mesh) in bodies.iter().filter(|(owner, ..)| is_wanted(owner, filter)) {
            for i in 0..mesh.triangle_count() {
                let [a, b, c] = pose.triangle_to_world(mesh.triangle(i).unwrap());
                let expected = SourceTriangle {
                    triangle: Triangle::new(a, b, c).unwrap(),
                    index: i,
                    mask: mesh.mask(i).unwrap(),
                    tag: mesh.tag(i).unwrap(),
                    double_sided: mesh.is_double_sided(),
                    owner: Some(*owner),
                };
                let at = found.iter().position(|shown| *shown == expected);
                let touches = has_point_in(&expected.triangle, &bounds);
                let seen = expected.mask & mask != 0;
                assert!(at.is_some() || !(touches && seen), "{expected:?} is not shown");
                must += usize::from(touches && seen);
                if let Some(at) = at {
                    assert!(seen && expected.triangle.bounds().overlaps(&bounds));
                    found.swap_remove(at);
                }
            }
        }
        assert!(found.is_empty(), "{found:?} are shown twice, or are none of the scene's");
    }
    assert!(must > 1_000 && count < 2 * must, "{count} shown, {must} had to be");
}

#[test]
fn changes_are_shown_at_once() {
    let (mut scene, bodies) = world();
    let everywhere = Aabb::new(DVec3::splat(-1e6), DVec3::splat(1e6)).unwrap();
    let before = shown(&scene, &everywhere).len();
    scene.remove(bodies[0].0.body).unwrap();
    // A fifth of the triangles have no bit in their masks: no query can see them.
    assert_eq!(shown(&scene, &everywhere).len(), before - 320);
}

/// The triangles of a mesh from the last to the first, all of them for every box.
struct Backwards<'a>(&'a TriMesh);

impl TriangleSource for Backwards<'_> {
    fn triangles_in(&self, bounds: &Aabb, visit: &mut dyn FnMut(&SourceTriangle)) {
        let mut all = shown(self.0, bounds);
        all.reverse();
        all.iter().for_each(visit);
    }
}

#[test]
fn a_mesh_made_of_a_source_has_its_triangles_numbers_masks_and_tags() {
    let mesh = mesh(1);
    let options = MeshOptions::default();
    let copies = [
        TriMesh::from_source(&mesh, DVec3::ZERO, options).unwrap(),
        TriMesh::from_source(&Backwards(&mesh), DVec3::ZERO, options).unwrap(),
    ];
    for copy in copies {
        copy.validate().unwrap();
        assert_eq!((copy.triangle_count(), copy.bounds()), (400, mesh.bounds()));
        for i in 0..400 {
            assert_eq!(copy.triangle(i), mesh.triangle(i));
            assert_eq!((copy.mask(i), copy.tag(i)), (mesh.mask(i), mesh.tag(i)));
        }
    }
}

#[test]
fn a_mesh_made_far_away_keeps_its_digits_by_its_origin() {
    struct Far(DVec3);
    impl TriangleSource for Far {
        fn triangles_in(&self, _bounds: &Aabb, visit: &mut dyn FnMut(&SourceTriangle)) {
            let corners = [dvec3(0.1, 0.2, 0.3), dvec3(1.1, 0.2, 0.3), dvec3(0.1, 1.2, 0.4)];
            let [a, b, c] = corners.map(|corner| corner + self.0);
            visit(&SourceTriangle::new(Triangle::new(a, b, c).unwrap(), 17));
        }
    }
    let origin = dvec3(16_384.0, -16_384.0, 512.0);
    let mesh = TriMesh::from_source(&Far(origin), origin, MeshOptions::default()).unwrap();
    assert_eq!(mesh.triangle_count(), 1);
    let pose = Pose::from_translation(origin).unwrap();
    let [a, ..] = pose.triangle_to_world(mesh.triangle(0).unwrap());
    assert!(a.abs_diff_eq(origin + dvec3(0.1, 0.2, 0.3), 1e-7), "{a}");
    let away = TriMesh::from_source(&Far(origin), DVec3::X * 2e9, MeshOptions::default());
    assert!(matches!(away, Err(MeshError::BadVertex { vertex: 0, .. })));
}
