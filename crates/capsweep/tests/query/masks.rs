//! Masks and tags of single triangles. A masked mesh answers like a mesh without the hidden
//! triangles.

use crate::queries::{Query, queries};
use capsweep::query::{Column, Support};
use capsweep::scene::{
    Body, Filter, HitTarget, MeshError, MeshOptions, Pose, Scene, SceneHit, TriMesh,
};
use capsweep::{Capsule, Limit, Motion, Ray, Sides, SlopeLimit};
use capsweep_testkit::brute::{Brute, PlainBody, tri_mesh};
use capsweep_testkit::level::{self, Joints};
use capsweep_testkit::{Rng, level::Mesh};
use glam::{DQuat, DVec3, Vec3, dvec3};
use std::sync::Arc;

/// Triangles of about a metre, in random order and without shared vertices.
pub(crate) fn soup(rng: &mut Rng, count: u32) -> Mesh {
    let vertices = (0..count).flat_map(|_| {
        let at = rng.cube(6.0);
        [at, at + rng.cube(1.0), at + rng.cube(1.0)].map(DVec3::as_vec3)
    });
    let vertices: Vec<Vec3> = vertices.collect();
    (vertices, (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect())
}

fn some_masks(rng: &mut Rng, count: usize) -> Vec<u32> {
    (0..count).map(|_| (rng.bits() & rng.bits()) as u32 & 0xff).collect()
}

fn tag_of(triangle: usize) -> u32 {
    (triangle as u32).wrapping_mul(0x9E37_79B9) | 1
}

fn scene_of(mesh: TriMesh, poses: &[Pose]) -> Scene {
    let mesh = Arc::new(mesh);
    let mut scene = Scene::new();
    for (pose, key) in poses.iter().zip(0..) {
        scene.insert(Body::mesh(Arc::clone(&mesh), *pose).unwrap().with_key(key));
    }
    scene
}

pub(crate) fn some_poses() -> [Pose; 3] {
    let turn = DQuat::from_xyzw(0.1, -0.3, 0.2, 0.9);
    [
        Pose::IDENTITY,
        Pose::new(dvec3(2.0, 1.0, -3.0), turn, dvec3(-1.0, 2.0, 0.5)).unwrap(),
        Pose::uniform(dvec3(-3.0, 0.5, 2.0), turn, 0.7).unwrap(),
    ]
}

/// The answers of all queries of a scene, as text: equal text is equal bits. Tags identify
/// triangles.
fn answers(scene: &Scene, number: u64, filter: Filter) -> Vec<String> {
    fn unnumbered(target: HitTarget) -> HitTarget {
        HitTarget { triangle: None, ..target }
    }
    fn words<T: std::fmt::Debug + Copy>(hits: &[SceneHit<T>]) -> String {
        let hits: Vec<_> = hits.iter().map(|hit| (hit.hit, unnumbered(hit.target))).collect();
        format!("{hits:?}")
    }
    let mut rng = Rng::new(&[8, number]);
    let at = rng.cube(6.0);
    let capsule = Capsule::new(at, at + rng.cube(1.0), rng.range(0.05, 0.8) as f32).unwrap();
    let motion = Motion::new(rng.direction() * rng.log_range(0.01, 8.0)).unwrap();
    let column = Column::new(at, rng.direction(), 4.0, 3.0).unwrap();
    let (mut swept, mut overlapping, mut supports) = (Vec::new(), Vec::new(), Vec::new());
    scene.sweep_all(&capsule, &motion, &filter, &mut swept);
    scene.overlap_all(&capsule, &filter, &mut overlapping);
    scene.supports(&column, SlopeLimit::from_cos(0.7).unwrap(), &filter, &mut supports);
    let supports: Vec<Support> = supports
        .into_iter()
        .map(|support| Support { target: unnumbered(support.target), ..support })
        .collect();
    let accept = |target: &HitTarget| target.tag.count_ones().is_multiple_of(2);
    let first = |hit: Option<SceneHit<_>>| words(hit.as_slice());
    vec![
        first(scene.sweep(&capsule, &motion, &filter)),
        first(scene.sweep_where(&capsule, &motion, &filter, accept)),
        words(&swept),
        words(&overlapping),
        words(scene.overlap(&capsule, &filter).as_slice()),
        words(scene.closest(&capsule, Limit::new(3.0).unwrap(), &filter).as_slice()),
        words(scene.ray(&Ray::new(at, motion).unwrap(), &filter).as_slice()),
        format!("{supports:?}"),
        format!(
            "{} {}",
            scene.sweep_any(&capsule, &motion, &filter),
            scene.overlaps(&capsule, &filter)
        ),
    ]
}

#[test]
fn every_query_sees_what_is_left_when_hidden_triangles_are_taken_out() {
    let mut rng = Rng::new(&[71]);
    let (vertices, indices) = soup(&mut rng, 300);
    let masks = some_masks(&mut rng, indices.len());
    let tags: Vec<u32> = (0..indices.len()).map(tag_of).collect();
    let options = MeshOptions::default();
    let masked = TriMesh::new(&vertices, &indices, options).unwrap();
    let masked = masked.with_masks(&masks).unwrap().with_tags(&tags).unwrap();
    let masked = scene_of(masked, &some_poses());
    let mut hits = 0;
    for mask in [0, 1, 0b100, 0b0101_0000, 0xff, u32::MAX, 0x100] {
        let is_seen = |i: &usize| masks[*i] & mask != 0;
        let left: Vec<usize> = (0..indices.len()).filter(is_seen).collect();
        let of: Vec<[u32; 3]> = left.iter().map(|&i| indices[i]).collect();
        let kept: Vec<u32> = left.iter().map(|&i| tags[i]).collect();
        let parted = TriMesh::new(&vertices, &of, options).unwrap().with_tags(&kept).unwrap();
        let parted = scene_of(parted, &some_poses());
        for number in 0..300 {
            let sides = if number % 2 == 0 { Sides::Front } else { Sides::Both };
            let hides = Filter { mask, sides, ..Filter::default() };
            // Bodies have all bits, and a query without any bit sees none of them.
            let all = Filter { mask: if mask == 0 { 0 } else { u32::MAX }, ..hides };
            let (one, other) = (answers(&masked, number, hides), answers(&parted, number, all));
            assert_eq!(one, other, "mask {mask:#b}, query {number}");
            hits += usize::from(one[0] != "[]") + usize::from(one[6] != "[]");
        }
    }
    assert!(hits > 500, "{hits}");
}

#[test]
fn masked_worlds_answer_like_brute_force() {
    let mut rng = Rng::new(&[72]);
    let levels = [level::dungeon(), level::tiled_floor(12, 0.5, 0.1, 0.2, Joints::TJunctions)];
    for mesh in levels {
        let count = mesh.1.len();
        let (masks, tags) = (some_masks(&mut rng, count), (0..count).map(tag_of));
        let masked = TriMesh::clone(&tri_mesh(&mesh, false)).with_masks(&masks).unwrap();
        let masked = masked.with_tags(&tags.collect::<Vec<_>>()).unwrap();
        let brute = Brute::new([PlainBody::mesh(Arc::new(masked), Pose::IDENTITY, 4)]);
        let scene = brute.scene();
        let mut hits = 0;
        for query in queries(&brute, 1_500, 73) {
            let Query { capsule, motion, filter } = query;
            let filter = Filter { mask: 1 << rng.below(8), ..filter };
            let answer = scene.sweep(&capsule, &motion, &filter);
            let expected = brute.sweep(&capsule, &motion, &filter);
            if let Err(wrong) = expected.check(answer.as_ref()) {
                panic!("{query:?}: {wrong}");
            }
            hits += usize::from(answer.is_some());
        }
        assert!(hits > 300, "{hits}");
    }
}

#[test]
fn masks_and_tags_can_be_read_back() {
    let (vertices, indices) = soup(&mut Rng::new(&[73]), 20);
    let plain = TriMesh::new(&vertices, &indices, MeshOptions::default()).unwrap();
    assert_eq!((plain.mask(3), plain.tag(3)), (Some(u32::MAX), Some(0)));
    let numbers: Vec<u32> = (0..20).map(|i| 7 * i).collect();
    let both = plain.clone().with_masks(&numbers).unwrap().with_tags(&numbers).unwrap();
    for (number, i) in numbers.iter().zip(0..) {
        assert_eq!((both.mask(i), both.tag(i)), (Some(*number), Some(*number)));
    }
    assert_eq!((both.mask(20), both.tag(20)), (None, None));
    assert!(both.memory() > plain.memory());
    let error = plain.clone().with_masks(&numbers[1..]).unwrap_err();
    assert_eq!(error, MeshError::WrongCount { what: "masks", given: 19, triangles: 20 });
    assert_eq!(error.to_string(), "19 masks for 20 triangles: give one for each");
    let error = plain.with_tags(&[]).unwrap_err();
    assert_eq!(error, MeshError::WrongCount { what: "tags", given: 0, triangles: 20 });
}

#[test]
fn a_mesh_comes_with_a_report_on_request() {
    let (mut vertices, mut indices) = soup(&mut Rng::new(&[74]), 5);
    vertices.push(Vec3::ONE);
    indices.push([0, 1, 1]);
    indices.push([3, 4, 5]);
    let (mesh, report) =
        TriMesh::new_with_report(&vertices, &indices, MeshOptions::default()).unwrap();
    assert_eq!(mesh.triangle_count(), 7);
    assert_eq!(report, capsweep::scene::MeshReport::new(&vertices, &indices).unwrap());
    assert_eq!(
        (report.degenerate, report.duplicate, report.unreferenced),
        (vec![5], vec![6], vec![15])
    );
}
