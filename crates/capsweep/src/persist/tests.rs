//! Files by somebody who means harm: the checksum is right and the rest is not. Nothing may panic, hang or be wrong
//! about which triangles there are.

use super::FileError;
use super::checksum::checksum;
use crate::SlopeLimit;
use crate::bvh::BvhDefect;
use crate::scene::{
    Body, Column, Filter, MeshOptions, Mobility, Pose, Scene, Shape, TriMesh,
    TriangleSource,
};
use crate::{Aabb, Capsule, HalfSpace, Limit, Motion, Obb, Ray, ShapeError, Sides, Sphere};
use capsweep_testkit::Rng;
use capsweep_testkit::level::{self, Joints};
use glam::{DQuat, DVec3, dvec3, vec3};
use std::sync::Arc;

/// Puts in the checksum that the bytes have.
fn seal(bytes: &mut [u8]) {
    bytes[32..40].fill(0);
    let sum = checksum([bytes, &[]]);
    bytes[32..40].copy_from_slice(&sum.to_le_bytes());
}

fn tiles() -> TriMesh {
    let (vertices, indices) = level::tiled_floor(6, 1.0, 0.2, 0.2, Joints::TJunctions);
    let numbers: Vec<u32> = (1..=indices.len() as u32).collect();
    let mesh = TriMesh::new(&vertices, &indices, MeshOptions::default()).unwrap();
    mesh.with_masks(&numbers).unwrap().with_tags(&numbers).unwrap()
}

fn world() -> Scene {
    let mut scene = Scene::new();
    let mesh = Arc::new(tiles());
    let turn = DQuat::from_xyzw(0.1, 0.2, -0.3, 0.9);
    let pose = Pose::new(dvec3(1.0, 2.0, 3.0), turn, dvec3(1.0, -2.0, 0.5)).unwrap();
    scene.insert(Body::mesh(Arc::clone(&mesh), Pose::IDENTITY).unwrap().with_key(1));
    scene.insert(Body::mesh(mesh, pose).unwrap().with_key(2).with_mobility(Mobility::Dynamic));
    let shapes = [
        Shape::Box(Obb::new(dvec3(1.0, 1.0, 1.0), vec3(0.1, 0.2, 0.3), turn).unwrap()),
        Shape::Sphere(Sphere::new(dvec3(3.0, 1.0, 1.0), 0.4).unwrap()),
        Shape::Capsule(Capsule::new(DVec3::ONE, DVec3::X, 0.2).unwrap()),
        Shape::HalfSpace(HalfSpace::new(DVec3::ZERO, dvec3(0.1, 0.2, 1.0)).unwrap()),
    ];
    for (shape, key) in shapes.into_iter().zip(3..) {
        scene.insert(Body::shape(shape).with_key(key));
        scene.insert(Body::obstacle(shape).with_key(key).with_mask(5));
    }
    scene.commit();
    scene
}

/// Where a section is, from the table: (offset, length).
fn section(bytes: &[u8], section: u32, mesh: u32) -> (usize, usize) {
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let count = number(24) as usize;
    let at =
        (0..count).map(|i| 64 + 32 * i).find(|&at| (number(at), number(at + 4)) == (section, mesh));
    let at = at.unwrap();
    (number(at + 8) as usize, number(at + 16) as usize)
}

/// Asks everything once, whatever the answers are.
fn ask(scene: &Scene, rng: &mut Rng) -> usize {
    let at = rng.cube(4.0) + dvec3(3.0, 3.0, 0.0);
    let capsule = Capsule::new(at, at + rng.cube(1.0), 0.4).unwrap();
    let motion = Motion::new(rng.direction() * 5.0).unwrap();
    let filter = Filter { sides: Sides::Both, ..Filter::default() };
    let (mut swept, mut supports) = (Vec::new(), Vec::new());
    scene.sweep_all(&capsule, &motion, &filter, &mut swept);
    scene.supports(
        &Column::new(at, DVec3::Z, 9.0, 9.0).unwrap(),
        SlopeLimit::from_cos(0.7).unwrap(),
        &filter,
        &mut supports,
    );
    let mut triangles = 0;
    let region = Aabb::new(at - 2.0, at + 2.0).unwrap();
    scene.triangles_in(&region, &mut |_| triangles += 1);
    swept.len()
        + supports.len()
        + triangles
        + usize::from(scene.sweep(&capsule, &motion, &filter).is_some())
        + usize::from(scene.closest(&capsule, Limit::UNBOUNDED, &filter).is_some())
        + usize::from(scene.ray(&Ray::new(at, motion).unwrap(), &filter).is_some())
}

#[test]
fn a_forged_file_is_refused_or_harmless() {
    let good = world().to_bytes();
    let mut rng = Rng::new(&[91]);
    let (mut refused, mut found) = (0, 0);
    for _ in 0..6_000 {
        let mut bytes = good.clone();
        for _ in 0..=rng.below(3) {
            let at = rng.below(bytes.len() as u32) as usize;
            match rng.below(4) {
                0 => bytes[at] ^= 1 << rng.below(8),
                1 => bytes[at] = [0, 1, 0x7f, 0x80, 0xff][rng.below(5) as usize],
                // A whole number: an index, a child, a coordinate.
                2 => bytes[at / 4 * 4..][..4].copy_from_slice(&(rng.bits() as u32).to_le_bytes()),
                _ => {
                    let from = rng.below(bytes.len() as u32) as usize / 8 * 8;
                    bytes.copy_within(from..from + 8, at / 8 * 8);
                }
            }
        }
        // The head's own fields, that say what follows, stay mostly right.
        if rng.chance(0.9) {
            bytes[..24].copy_from_slice(&good[..24]);
        }
        seal(&mut bytes);
        match Scene::from_bytes(bytes) {
            Ok(scene) => found += ask(&scene, &mut rng),
            Err(error) => {
                assert!(!error.to_string().is_empty());
                refused += 1;
            }
        }
    }
    assert!(refused > 1_000 && found > 1_000, "{refused} refused, {found} found in others");
}

/// A mesh with one change, sealed.
fn forged(change: impl FnOnce(&mut [u8])) -> FileError {
    let mut bytes = tiles().to_bytes();
    change(&mut bytes);
    seal(&mut bytes);
    TriMesh::from_bytes(bytes).unwrap_err()
}

#[test]
fn every_index_box_and_corner_is_checked() {
    let (items, packets, slots) = (3, 4, 5);
    let put = |bytes: &mut [u8], at: usize, value: u32| {
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
    };
    let error = forged(|bytes| put(bytes, section(bytes, slots, 0).0, 1 << 30));
    assert_eq!(error, FileError::BadTriangle { mesh: 0, triangle: 0 });
    let error = forged(|bytes| put(bytes, section(bytes, slots, 0).0 + 12, 0));
    assert!(matches!(error, FileError::BadTriangle { mesh: 0, .. }), "{error}");
    for bad in [f32::NAN, f32::INFINITY, -2e9] {
        let error = forged(|bytes| put(bytes, section(bytes, packets, 0).0, bad.to_bits()));
        assert!(matches!(error, FileError::BadTriangle { mesh: 0, .. }), "{error}");
    }
    // A corner that leaves its boxes.
    let error = forged(|bytes| put(bytes, section(bytes, packets, 0).0, 1e6_f32.to_bits()));
    assert!(
        matches!(error, FileError::BadTree { defect: BvhDefect::BoxTooSmall { .. }, .. }),
        "{error}"
    );
    // A leaf that holds a triangle twice: the other is then nowhere.
    let error = forged(|bytes| {
        let at = section(bytes, items, 0).0;
        bytes.copy_within(at..at + 4, at + 4);
    });
    assert!(matches!(error, FileError::BadTriangle { .. }), "{error}");
    // A lane that no triangle is in, with corners.
    let error = forged(|bytes| {
        let (at, length) = section(bytes, items, 0);
        let lane = (0..length / 4).find(|i| bytes[at + 4 * i..][..4] == [0xff; 4]).unwrap();
        let corner = section(bytes, packets, 0).0 + lane / 8 * 288 + lane % 8 * 4;
        put(bytes, corner, 0);
    });
    assert_eq!(error, FileError::BadTriangle { mesh: 0, triangle: u32::MAX });
}

#[test]
fn every_section_must_be_there_and_have_its_size() {
    for number in 1..=8_u32 {
        let at = |bytes: &[u8]| {
            let count = u32::from_le_bytes(bytes[24..28].try_into().unwrap()) as usize;
            let is = |i: &usize| bytes[64 + 32 * i..][..4] == number.to_le_bytes();
            64 + 32 * (0..count).find(is).unwrap()
        };
        for (offset, value) in
            [(4, 7_u64), (8, u64::MAX - 3), (8, 1 << 40), (16, 1), (16, u64::MAX)]
        {
            let error = forged(|bytes| {
                let at = at(bytes) + offset;
                bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
            });
            let named =
                matches!(error, FileError::BadSection { problem, .. } if !problem.is_empty());
            assert!(
                named || number >= 6 && matches!(error, FileError::BadTriangle { .. }),
                "{error}"
            );
        }
    }
}

#[test]
fn bodies_are_checked_like_those_that_are_made() {
    let good = world().to_bytes();
    let (start, length) = section(&good, 9, u32::MAX);
    assert_eq!(length, 160 * 10);
    let forged = |body: usize, at: usize, value: &[u8]| {
        let mut bytes = good.clone();
        bytes[start + 160 * body + at..][..value.len()].copy_from_slice(value);
        seal(&mut bytes);
        Scene::from_bytes(bytes).unwrap_err()
    };
    let nan = f64::NAN.to_le_bytes();
    assert_eq!(
        forged(0, 24, &9_u32.to_le_bytes()),
        FileError::BadBody { body: 0, field: "mesh", found: 9 }
    );
    assert_eq!(
        forged(2, 16, &5_u32.to_le_bytes()),
        FileError::BadBody { body: 2, field: "form", found: 5 }
    );
    assert_eq!(
        forged(3, 20, &2_u32.to_le_bytes()),
        FileError::BadBody { body: 3, field: "kind", found: 2 }
    );
    assert_eq!(
        forged(9, 12, &3_u32.to_le_bytes()),
        FileError::BadBody { body: 9, field: "mobility", found: 3 }
    );
    for body in 0..10 {
        let error = forged(body, 32, &nan);
        let FileError::BadShape { body: found, error } = error else { panic!("{error}") };
        assert_eq!(found as usize, body);
        assert!(matches!(error, ShapeError::NotFinite { .. }), "{error}");
    }
    // The axes of a box, the scale of a pose, the radius of a ball.
    for (body, at) in [(2, 32 + 8 * 7), (0, 32 + 8 * 7), (4, 32 + 8 * 3)] {
        let error = forged(body, at, &(-1e9_f64).to_le_bytes());
        assert!(matches!(error, FileError::BadShape { .. }), "{error}");
    }
}
