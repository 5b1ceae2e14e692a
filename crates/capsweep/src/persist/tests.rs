//! Forged files, whose checksum is right and whose content is not. Nothing may panic, hang or give
//! wrong triangles.

use crate::SlopeLimit;
use crate::bvh::BvhDefect;
use crate::persist::checksum::checksum;
use crate::persist::{FileError, verify};
use crate::query::{Column, TriangleSource};
use crate::scene::{Body, Filter, MeshOptions, Mobility, Pose, Scene, Shape, TriMesh};
use crate::{Aabb, Capsule, HalfSpace, Limit, Motion, Obb, Ray, ShapeError, Sides, Sphere};
use capsweep_testkit::Rng;
use capsweep_testkit::level::{self, Joints};
use glam::{DQuat, DVec3, dvec3, vec3};
use std::sync::Arc;

/// Writes the file's own checksum.
fn write_checksum(bytes: &mut [u8]) {
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
    scene
}

/// Offset and length of a section, from the table.
fn section(bytes: &[u8], section: u32, mesh: u32) -> (usize, usize) {
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let count = number(24) as usize;
    let at = (0..count)
        .map(|i| 64 + 32 * i)
        .find(|&at| (number(at), number(at + 4)) == (section, mesh));
    let at = at.unwrap();
    (number(at + 8) as usize, number(at + 16) as usize)
}

/// Runs every query once and returns the number of answers.
fn query_all(scene: &Scene, rng: &mut Rng) -> usize {
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
                // A word: an index, a child, a coordinate.
                2 => bytes[at / 4 * 4..][..4].copy_from_slice(&(rng.bits() as u32).to_le_bytes()),
                _ => {
                    let from = rng.below(bytes.len() as u32) as usize / 8 * 8;
                    bytes.copy_within(from..from + 8, at / 8 * 8);
                }
            }
        }
        // The header mostly stays right, so that the rest is read at all.
        if rng.chance(0.9) {
            bytes[..24].copy_from_slice(&good[..24]);
        }
        write_checksum(&mut bytes);
        // The checksums of sections are not recomputed, so they find most changes.
        let is_sound = verify(bytes.clone()).is_sound();
        match Scene::from_bytes(bytes) {
            Ok(scene) => found += query_all(&scene, &mut rng),
            Err(error) => {
                assert!(!error.to_string().is_empty());
                assert!(!is_sound, "a file that cannot be opened is not sound: {error}");
                refused += 1;
            }
        }
    }
    assert!(refused > 1_000 && found > 1_000, "{refused} refused, {found} found in others");
}

/// The error of a mesh file with one change and a right checksum.
fn forged(change: impl FnOnce(&mut [u8])) -> FileError {
    let mut bytes = tiles().to_bytes();
    change(&mut bytes);
    write_checksum(&mut bytes);
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
    // A leaf that holds a triangle twice: another is then in no leaf.
    let error = forged(|bytes| {
        let at = section(bytes, items, 0).0;
        bytes.copy_within(at..at + 4, at + 4);
    });
    assert!(matches!(error, FileError::BadTriangle { .. }), "{error}");
    // An unused lane with corners.
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
        write_checksum(&mut bytes);
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

/// A quad, a single triangle and a box, with notes: a file of a few kilobytes.
fn small_file() -> Vec<u8> {
    let corners = [vec3(0., 0., 0.), vec3(1., 0., 0.), vec3(1., 1., 0.), vec3(0., 1., 0.)];
    let quad = TriMesh::new(&corners, &[[0, 1, 2], [0, 2, 3]], MeshOptions::default()).unwrap();
    let single = TriMesh::new(&corners, &[[0, 1, 3]], MeshOptions { double_sided: true }).unwrap();
    let mut scene = Scene::new();
    let quad = quad.with_tags(&[7, 8]).unwrap().with_masks(&[1, 2]).unwrap();
    scene.insert(Body::mesh(Arc::new(quad), Pose::IDENTITY).unwrap());
    let pose = Pose::from_translation(dvec3(0.5, -3.0, 1e3)).unwrap();
    scene.insert(Body::mesh(Arc::new(single), pose).unwrap().with_key(u64::MAX));
    let turn = DQuat::from_xyzw(0.1, 0.2, -0.3, 0.9);
    let obb = Obb::new(dvec3(1.0, 1.0, 1.0), vec3(0.1, 0.2, 0.3), turn).unwrap();
    scene.insert(Body::obstacle(Shape::Box(obb)).with_mobility(Mobility::Dynamic));
    scene.to_bytes_with_notes(b"names and the like")
}

/// Writes the checksums of all sections, computed by `sum`.
fn write_section_checksums(bytes: &mut [u8], sum: impl Fn([&[u8]; 2]) -> u64) {
    let word = |bytes: &[u8], at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
    let count = u32::from_le_bytes(bytes[24..28].try_into().unwrap()) as usize;
    for at in (0..count).map(|i| 64 + 32 * i) {
        let [start, length] = [8, 16].map(|field| word(bytes, at + field) as usize);
        bytes[at + 24..at + 32].fill(0);
        let section = &bytes[start..(start + length).next_multiple_of(64)];
        let found = sum([&bytes[at..at + 32], section]);
        bytes[at + 24..at + 32].copy_from_slice(&found.to_le_bytes());
    }
}

#[test]
fn files_that_were_written_are_sound() {
    let of_mesh = verify(tiles().to_bytes());
    assert!(of_mesh.is_sound(), "{:?}", of_mesh.findings);
    assert_eq!((of_mesh.meshes, of_mesh.bodies), (1, 0));
    assert_eq!(of_mesh.triangles, u64::from(tiles().triangle_count()));
    let of_scene = verify(world().to_bytes_with_notes(b"notes"));
    assert!(of_scene.is_sound(), "{:?}", of_scene.findings);
    assert_eq!((of_scene.meshes, of_scene.bodies, &of_scene.notes[..]), (1, 10, &b"notes"[..]));
    assert_eq!(verify(Scene::new().to_bytes()).findings, []);
    // A refitted mesh, one of degenerate triangles, and one without triangles.
    let (vertices, indices) = level::dungeon();
    let mut mesh = TriMesh::new(&vertices, &indices, MeshOptions::default()).unwrap();
    assert_eq!(verify(mesh.to_bytes()).findings, []);
    let moved: Vec<_> = vertices.iter().map(|v| *v * 1.5 + vec3(v.y, 0.0, v.x)).collect();
    mesh.refit(&moved, &indices).unwrap();
    assert_eq!(verify(mesh.to_bytes()).findings, []);
    let line = TriMesh::new(&[glam::Vec3::ONE; 3], &[[0, 1, 2]; 9], MeshOptions::default());
    assert_eq!(verify(line.unwrap().to_bytes()).findings, []);
    let nothing = TriMesh::new(&[], &[], MeshOptions::default()).unwrap();
    assert_eq!(verify(nothing.to_bytes()).findings, []);
}

#[test]
fn a_file_without_section_checksums_is_sound() {
    let mut bytes = small_file();
    write_section_checksums(&mut bytes, |_| 0);
    write_checksum(&mut bytes);
    assert_eq!(verify(bytes.clone()).findings, []);
    assert!(Scene::from_bytes(bytes).is_ok());
}

#[test]
fn every_flipped_bit_is_found_even_if_the_checksum_of_the_file_is_right() {
    let good = small_file();
    assert_eq!(verify(good.clone()).findings, []);
    for bit in 0..8 * good.len() {
        let mut bytes = good.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        assert!(!verify(bytes.clone()).is_sound(), "bit {bit}");
        if !(32..40).contains(&(bit / 8)) {
            write_checksum(&mut bytes);
            assert!(!verify(bytes).is_sound(), "bit {bit}, right checksum");
        }
    }
}

#[test]
fn files_that_are_cut_off_or_added_to_are_never_sound() {
    let good = small_file();
    for length in 0..good.len() {
        let cut = verify(good[..length].to_vec());
        assert!(!cut.is_sound(), "{length}");
        assert_eq!(cut.bytes, length as u64);
    }
    assert!(!verify([&good[..], &[0; 64]].concat()).is_sound());
    assert!(!verify([&good[..], &[0; 1]].concat()).is_sound());
}

#[test]
fn damage_is_reported_with_its_section_and_its_bytes() {
    let good = small_file();
    for (number, mesh, name) in
        [(4, 0, "list of corners"), (2, 1, "list of nodes"), (9, u32::MAX, "list of bodies")]
    {
        let (start, length) = section(&good, number, mesh);
        let mut bytes = good.clone();
        bytes[start + length / 2] ^= 4;
        let findings = verify(bytes).findings;
        assert!(matches!(findings[0], FileError::Checksum { .. }), "{findings:?}");
        let (start, end) = (start as u64, (start + length) as u64);
        let wanted = FileError::SectionChecksum { section: name, mesh, start, end };
        assert_eq!(findings[1], wanted, "{findings:?}");
    }
    let wanted = "the notes of the scene was altered";
    let (start, _) = section(&good, 10, u32::MAX);
    let mut bytes = good;
    bytes[start] ^= 1;
    assert!(verify(bytes).findings.iter().any(|finding| finding.to_string().contains(wanted)));
}

/// The findings in a file with one change and right checksums.
fn found_in_forged(section_and_mesh: (u32, u32), at: usize, value: &[u8]) -> Vec<FileError> {
    let mut bytes = small_file();
    let (start, _) = section(&bytes, section_and_mesh.0, section_and_mesh.1);
    bytes[start + at..][..value.len()].copy_from_slice(value);
    write_section_checksums(&mut bytes, checksum);
    write_checksum(&mut bytes);
    verify(bytes).findings
}

/// A quad of which the first triangle is double-sided: a file of version 2.
fn file_with_sides() -> Vec<u8> {
    let corners = [vec3(0., 0., 0.), vec3(1., 0., 0.), vec3(1., 1., 0.), vec3(0., 1., 0.)];
    let quad = TriMesh::new(&corners, &[[0, 1, 2], [0, 2, 3]], MeshOptions::default()).unwrap();
    quad.with_double_sided(&[true, false]).unwrap().to_bytes()
}

#[test]
fn damaged_sides_are_found() {
    let good = file_with_sides();
    assert_eq!((good[8], verify(good.clone()).findings), (2, vec![]));
    let forged = |changes: &[(u32, usize, u8)], version: u8| {
        let mut bytes = good.clone();
        bytes[8] = version;
        for &(kind, at, value) in changes {
            let (start, _) = section(&bytes, kind, 0);
            bytes[start + at] = value;
        }
        write_section_checksums(&mut bytes, checksum);
        write_checksum(&mut bytes);
        bytes
    };
    let (info, edges) = (1, 6);
    let (start, _) = section(&good, edges, 0);
    let slots: Vec<usize> = (0..8).filter(|slot| good[start + slot] != 0).collect();
    let [first, second] = *slots else { panic!("two triangles share an edge: {slots:?}") };
    let (first, second) =
        if good[start + first] & 64 != 0 { (first, second) } else { (second, first) };
    assert_eq!((good[start + first] & 64, good[start + second] & 64), (64, 0));
    let plain = good[start + first] & !64;
    let unused = (0..8).find(|slot| !slots.contains(slot)).unwrap();

    // No flag where there should be some; one in an unused slot.
    let none = forged(&[(edges, first, plain)], 2);
    assert_eq!(verify(none.clone()).findings, [FileError::NoDoubleSides { mesh: 0 }]);
    assert_eq!(TriMesh::from_bytes(none).unwrap().double_sided_triangle_count(), 0);
    let stray = forged(&[(edges, unused, 64)], 2);
    let bad_edges = |triangle| FileError::BadEdges { mesh: 0, triangle };
    assert_eq!(verify(stray).findings, [bad_edges(u32::MAX)]);
    // Flags without the option: they count for nothing.
    let without = forged(&[(info, 4, 0)], 2);
    assert_eq!(verify(without.clone()).findings, [bad_edges(0)]);
    assert_eq!(TriMesh::from_bytes(without).unwrap().double_sided_triangle_count(), 0);
    // Options with other values, both options, and the option in a file of version 1.
    let bad = |found| FileError::BadOption { mesh: 0, option: "own sides", found };
    assert_eq!(verify(forged(&[(info, 4, 2)], 2)).findings, [bad(2)]);
    let both = verify(forged(&[(info, 0, 1)], 2)).findings;
    assert_eq!(both, [bad(1), bad_edges(0)]);
    let old = forged(&[], 1);
    assert_eq!(verify(old.clone()).findings, [bad(1), bad_edges(0)]);
    assert_eq!(TriMesh::from_bytes(old).unwrap().double_sided_triangle_count(), 0);
    let text = FileError::NoDoubleSides { mesh: 3 }.to_string();
    assert_eq!(text, "mesh 3 has no double-sided face");
}

/// Queries rely on the masks of such a mesh.
#[test]
fn a_mesh_with_sides_of_triangles_must_have_masks() {
    let mut bytes = file_with_sides();
    let count = u32::from_le_bytes(bytes[24..28].try_into().unwrap()) as usize;
    let masks = (0..count).map(|i| 64 + 32 * i).find(|&at| bytes[at] == 7).unwrap();
    bytes[masks + 16..masks + 24].fill(0);
    write_section_checksums(&mut bytes, checksum);
    write_checksum(&mut bytes);
    let error = TriMesh::from_bytes(bytes).unwrap_err();
    assert!(matches!(error, FileError::BadSection { section: "list of masks", .. }), "{error}");
}

#[test]
fn verify_checks_what_opening_does_not() {
    let (info, edges, masks, bodies) = ((1, 1), (6, 0), (7, 0), (9, u32::MAX));
    assert_eq!(
        found_in_forged(info, 0, &2_u32.to_le_bytes()),
        [FileError::BadOption { mesh: 1, option: "double-sided", found: 2 }]
    );
    for slot in 0..2 {
        let bytes = small_file();
        let right = bytes[section(&bytes, 6, 0).0 + slot];
        for bit in 0..8 {
            let findings = found_in_forged(edges, slot, &[right ^ (1 << bit)]);
            assert!(matches!(findings[..], [FileError::BadEdges { mesh: 0, triangle: 0 | 1 }]));
        }
    }
    let nowhere = [FileError::BadEdges { mesh: 0, triangle: u32::MAX }];
    assert_eq!(found_in_forged(edges, 7, &[1]), nowhere);
    assert_eq!(found_in_forged(masks, 4 * 7, &[1]), nowhere);
    // An unused word, a number that a pose does not use, a rotation that is not of length 1.
    for (at, value) in [(28, 1.0), (32 + 8 * 10, 1.0), (32 + 8 * 6, 2.0)] {
        let value: f64 = value;
        let bytes =
            if at == 28 { 1_u32.to_le_bytes().to_vec() } else { value.to_le_bytes().to_vec() };
        assert_eq!(found_in_forged(bodies, at, &bytes), [FileError::NotAsWritten { body: 0 }]);
    }
    assert_eq!(
        found_in_forged(bodies, 160 + 24, &9_u32.to_le_bytes()),
        [FileError::BadBody { body: 1, field: "mesh", found: 9 }]
    );
}

#[test]
fn all_defects_are_listed_not_only_the_first() {
    let mut bytes = world().to_bytes();
    let (bodies, length) = section(&bytes, 9, u32::MAX);
    for body in 0..length / 160 {
        bytes[bodies + 160 * body + 12] = 9;
    }
    let (slots, _) = section(&bytes, 5, 0);
    bytes[slots..slots + 4].fill(0xee);
    write_section_checksums(&mut bytes, checksum);
    write_checksum(&mut bytes);
    let findings = verify(bytes).findings;
    assert_eq!(findings[0], FileError::BadTriangle { mesh: 0, triangle: 0 });
    // The two bodies of the damaged mesh have no other defect.
    assert_eq!(findings.len(), 1 + 8, "{findings:?}");
}

#[test]
fn findings_beyond_the_first_hundred_are_counted() {
    let mut scene = Scene::new();
    for key in 0..500 {
        let ball = Sphere::new(DVec3::ZERO, 1.0).unwrap();
        scene.insert(Body::shape(Shape::Sphere(ball)).with_key(key));
    }
    let mut bytes = scene.to_bytes();
    let (start, _) = section(&bytes, 9, u32::MAX);
    (0..500).for_each(|body| bytes[start + 160 * body + 12] = 9);
    write_section_checksums(&mut bytes, checksum);
    write_checksum(&mut bytes);
    let all = verify(bytes);
    assert_eq!((all.findings.len(), all.more), (100, 400));
}
