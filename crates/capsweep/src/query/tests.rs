//! Scene queries give the same bits with and without vector instructions, and their short forms
//! the same bits as the full ones.

use crate::bvh::{F32x8, LaneFn, Scalar, dispatch, scalar_only};
use crate::cache::{HintSlot, TriangleCache};
use crate::kernel::polygon::PolygonLanes;
use crate::math::normals::face_normal;
use crate::mesh::surface::Surface;
use crate::scene::{Body, Filter, MeshOptions, Pose, Scene, Shape, TriMesh};
use crate::{Capsule, Motion, Obb, Sides};
use capsweep_testkit::Rng;
use capsweep_testkit::level::{self, Joints};
use glam::{DQuat, DVec3, dvec3, vec3};
use std::sync::Arc;

fn mesh((vertices, indices): &level::Mesh) -> Arc<TriMesh> {
    Arc::new(TriMesh::new(vertices, indices, MeshOptions::default()).unwrap())
}

/// A dungeon, tiles that tie with each other, rotated and mirrored copies, and boxes.
fn world(rng: &mut Rng) -> Scene {
    let mut scene = Scene::new();
    scene.insert(Body::mesh(mesh(&level::dungeon()), Pose::IDENTITY).unwrap().with_key(1));
    let tiles = mesh(&level::tiled_floor(16, 1.0, 0.2, 0.2, Joints::TJunctions));
    let flags: Vec<bool> = (0..tiles.triangle_count()).map(|i| i % 3 == 0).collect();
    let tiles = Arc::new(TriMesh::clone(&tiles).with_double_sided(&flags).unwrap());
    for key in 2..200 {
        let turn = rng.cube(1.0);
        let turn = DQuat::from_xyzw(turn.x, turn.y, turn.z, 0.6).normalize();
        let scale = dvec3(rng.range(0.2, 2.0), rng.range(0.2, 2.0), rng.sign());
        let at = rng.cube(1.0) * dvec3(28.0, 28.0, 10.0);
        let body = if key % 4 == 0 {
            Body::shape(Shape::Box(Obb::new(at, vec3(0.2, 0.4, 0.9), turn).unwrap()))
        } else {
            Body::mesh(Arc::clone(&tiles), Pose::new(at, turn, scale).unwrap()).unwrap()
        };
        scene.insert(body.with_key(key));
    }
    scene
}

#[test]
fn plain_loops_answer_like_vector_instructions() {
    let mut rng = Rng::new(&[61]);
    let scene = world(&mut rng);
    let mut hits = 0;
    for number in 0..10_000 {
        let center = rng.cube(1.0) * dvec3(28.0, 28.0, 10.0);
        let half_axis = if rng.chance(0.5) { DVec3::Z * 0.5 } else { rng.direction() * 0.5 };
        let capsule = Capsule::from_center(center, half_axis, 0.4).unwrap();
        let direction = if rng.chance(0.3) { DVec3::NEG_Z } else { rng.direction() };
        let motion = Motion::new(direction * rng.log_range(1e-3, 60.0)).unwrap();
        let sides = if rng.chance(0.5) { Sides::Front } else { Sides::Both };
        let filter = Filter { sides, ..Filter::default() };
        let wide = scene.sweep(&capsule, &motion, &filter);
        let plain = scalar_only::run(|| scene.sweep(&capsule, &motion, &filter));
        // Text, because it tells zeros of different sign apart. All numbers are finite, so equal
        // text means equal bits.
        assert_eq!(format!("{wide:?}"), format!("{plain:?}"), "query {number}");
        hits += usize::from(wide.is_some());
    }
    assert!((2_000..10_000).contains(&hits), "{hits} hits");
}

#[test]
fn plain_loops_answer_like_vector_instructions_with_a_cache() {
    let mut rng = Rng::new(&[62]);
    let scene = world(&mut rng);
    let (mut wide_cache, mut plain_cache) = (TriangleCache::new(), TriangleCache::new());
    let (mut at, mut hits) = (DVec3::ZERO, 0);
    for number in 0..6_000 {
        if number % 10 == 0 {
            at = rng.cube(1.0) * dvec3(28.0, 28.0, 3.0);
        }
        let capsule = Capsule::from_center(at + rng.cube(0.3), DVec3::Z * 0.5, 0.4).unwrap();
        let direction = if rng.chance(0.5) { DVec3::NEG_Z } else { rng.direction() };
        let motion = Motion::new(direction * rng.log_range(1e-3, 2.0)).unwrap();
        let filter = Filter::default();
        let wide = wide_cache.sweep(&scene, &capsule, &motion, &filter, HintSlot::Side);
        let plain = scalar_only::run(|| {
            plain_cache.sweep(&scene, &capsule, &motion, &filter, HintSlot::Side)
        });
        assert_eq!(format!("{wide:?}"), format!("{plain:?}"), "query {number}");
        hits += usize::from(wide.is_some());
    }
    assert_eq!(wide_cache.stats(), plain_cache.stats());
    assert!((1_000..6_000).contains(&hits), "{hits} hits");
}

#[test]
fn the_time_alone_is_that_of_the_whole_answer() {
    let mut rng = Rng::new(&[63]);
    let scene = world(&mut rng);
    let (mut whole, mut alone) = (TriangleCache::new(), TriangleCache::new());
    let (mut at, mut hits, mut stopped) = (DVec3::ZERO, 0, 0);
    for number in 0..6_000 {
        if number % 10 == 0 {
            at = rng.cube(1.0) * dvec3(28.0, 28.0, 3.0);
        }
        let mut capsule = Capsule::from_center(at + rng.cube(0.3), DVec3::Z * 0.5, 0.4).unwrap();
        let motion = Motion::new(rng.direction() * rng.log_range(1e-3, 2.0)).unwrap();
        let sides = if rng.chance(0.5) { Sides::Front } else { Sides::Both };
        let filter = Filter { sides, ..Filter::default() };
        for _ in 0..2 {
            let hit = whole.sweep(&scene, &capsule, &motion, &filter, HintSlot::Step);
            let time = hit.map(|hit| hit.hit.time);
            let query = (&capsule, &motion);
            let again = alone.is_stopped_again(&scene, query, &filter, HintSlot::Step);
            assert!(!again || time == Some(0.0), "query {number}: {time:?}");
            let found = alone.sweep_time(&scene, query, &filter, HintSlot::Step);
            assert_eq!(found.map(f64::to_bits), time.map(f64::to_bits), "query {number}");
            (hits, stopped) = (hits + usize::from(time.is_some()), stopped + usize::from(again));
            // Once more, from where the capsule was stopped.
            let Some(time) = time else { break };
            capsule = capsule.translated(motion.vector() * time).unwrap();
        }
    }
    assert!((2_000..12_000).contains(&hits) && stopped > 500, "{hits} hits, {stopped} stopped");
}

/// An upright capsule touches many triangles of an upright wall at once. Their times are equal,
/// but each is rounded differently.
#[test]
fn the_time_alone_is_the_earliest_of_a_wall_of_many_triangles() {
    const CELLS: u32 = 12;
    let mut rng = Rng::new(&[64]);
    let mut hits = 0;
    for number in 0..60 {
        let along = (rng.direction() * dvec3(1.0, 1.0, 0.0)).normalize();
        let size = rng.range(0.1, 0.6);
        let at = |i: u32, k: u32| {
            let across = size * (f64::from(i) - 0.5 * f64::from(CELLS));
            (along * across + DVec3::Z * size * f64::from(k)).as_vec3()
        };
        let vertices = (0..=CELLS).flat_map(|k| (0..=CELLS).map(move |i| at(i, k))).collect();
        let quads = (0..CELLS * CELLS).map(|cell| cell + cell / CELLS);
        let triangles = quads
            .flat_map(|a| [[a, a + 1, a + CELLS + 2], [a, a + CELLS + 2, a + CELLS + 1]])
            .collect();
        let mut scene = Scene::new();
        scene.insert(Body::mesh(mesh(&(vertices, triangles)), Pose::IDENTITY).unwrap());
        let (mut whole, mut alone) = (TriangleCache::new(), TriangleCache::new());
        let filter = Filter { sides: Sides::Both, ..Filter::default() };
        for _ in 0..500 {
            let center = rng.cube(1.0) + DVec3::Z * rng.range(0.5, 3.0);
            let half_axis = DVec3::Z * rng.range(0.1, 0.6);
            let radius = rng.range(0.1, 0.4) as f32;
            let capsule = Capsule::from_center(center, half_axis, radius).unwrap();
            let level = rng.direction() * dvec3(1.0, 1.0, 0.0);
            let motion = Motion::new(level * rng.range(0.1, 1.0)).unwrap();
            let hit = whole.sweep(&scene, &capsule, &motion, &filter, HintSlot::Side);
            let time = hit.map(|hit| hit.hit.time.to_bits());
            let found = alone.sweep_time(&scene, (&capsule, &motion), &filter, HintSlot::Side);
            assert_eq!(found.map(f64::to_bits), time, "wall {number}: {capsule:?} {motion:?}");
            hits += usize::from(time.is_some());
        }
    }
    assert!((10_000..30_000).contains(&hits), "{hits} hits");
}

/// Corners in lanes, their area vector and their normal have the bits of the scalar triangle,
/// slivers included.
#[test]
fn a_triangle_in_lanes_has_the_bits_of_the_scalar_one() {
    fn bits(vector: DVec3) -> [u64; 3] {
        vector.to_array().map(f64::to_bits)
    }

    #[derive(Clone, Copy)]
    struct LaneCorners<'a>(&'a TriMesh, &'a Pose, usize);
    impl LaneFn for LaneCorners<'_> {
        type Output = ([[u64; 3]; 4], Option<[u64; 3]>);

        #[allow(
            clippy::inline_always,
            reason = "kernels must be compiled for the lanes they run on"
        )]
        #[inline(always)]
        fn run<L: F32x8>(self) -> Self::Output {
            let corners = PolygonLanes::<L::F64x4>::new::<3>(self.0.world_corners(self.1, self.2));
            let start = corners.start.to_arrays();
            let [a, b, c] = [0, 1, 2].map(|i| start.lane(i));
            ([a, b, c, corners.area_vector()].map(bits), corners.face_normal().map(bits))
        }
    }
    let mut rng = Rng::new(&[62]);
    let mut poses = vec![Pose::IDENTITY, Pose::from_translation(dvec3(3.0, -7.0, 0.1)).unwrap()];
    for _ in 0..20 {
        let turn = rng.cube(1.0);
        let turn = DQuat::from_xyzw(turn.x, turn.y, turn.z, 0.6).normalize();
        let scale = dvec3(rng.range(0.2, 2.0), rng.range(0.2, 2.0), rng.sign());
        poses.push(Pose::new(rng.cube(1e3), turn, scale).unwrap());
    }
    for _ in 0..300 {
        let at = rng.cube(50.0);
        let along = rng.direction() * rng.log_range(1e-3, 10.0);
        let across = rng.direction() * rng.log_range(1e-9, 10.0);
        // Flat triangles have coordinates of zero, of either sign.
        let level =
            [DVec3::ONE, dvec3(1.0, 1.0, 0.0), dvec3(0.0, 1.0, 1.0)][rng.below(3) as usize];
        let vertices = [at, at + along, at + along * rng.unit() + across]
            .map(|vertex| (vertex * level).as_vec3());
        let mesh = mesh(&(vertices.to_vec(), vec![[0, 1, 2]]));
        for pose in &poses {
            let triangle = Surface::Mesh(&mesh).world_triangle(pose, 0);
            let [a, b, c] = triangle.vertices();
            let normal = face_normal(&[a, b, c]);
            let want = ([a, b, c, triangle.area_vector()].map(bits), normal.map(bits));
            let in_lanes = LaneCorners(&mesh, pose, 0);
            assert_eq!(dispatch(in_lanes), want);
            assert_eq!(in_lanes.run::<Scalar>(), want);
        }
    }
}
