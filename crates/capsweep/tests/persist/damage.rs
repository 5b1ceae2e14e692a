use crate::mesh;
use capsweep::persist::FileError;
use capsweep::scene::{Body, MeshOptions, Pose, Scene, TriMesh};
use glam::{Vec3, vec3};
use std::sync::Arc;

fn small() -> TriMesh {
    let corners = [Vec3::ZERO, vec3(1.0, 0.0, 0.2), vec3(0.0, 2.0, 0.0), vec3(1.0, 2.0, 1.0)];
    let mesh = TriMesh::new(&corners, &[[0, 1, 2], [1, 3, 2]], MeshOptions::default()).unwrap();
    mesh.with_masks(&[1, 2]).unwrap()
}

fn small_scene() -> Scene {
    let mut scene = Scene::new();
    scene.insert(Body::mesh(Arc::new(small()), Pose::IDENTITY).unwrap());
    scene
}

#[test]
fn every_altered_byte_is_found() {
    let (mesh, scene) = (small().to_bytes(), small_scene().to_bytes());
    for flip in [0x01, 0x80, 0xff] {
        for at in 0..mesh.len() {
            let mut bytes = mesh.clone();
            bytes[at] ^= flip;
            assert!(TriMesh::from_bytes(bytes).is_err(), "byte {at}");
        }
        for at in 0..scene.len() {
            let mut bytes = scene.clone();
            bytes[at] ^= flip;
            assert!(Scene::from_bytes(bytes).is_err(), "byte {at}");
        }
    }
}

#[test]
fn a_file_that_was_cut_off_or_added_to_is_refused() {
    let bytes = small().to_bytes();
    for length in 0..bytes.len() {
        let error = TriMesh::from_bytes(bytes[..length].to_vec()).unwrap_err();
        let (stated, found) = (bytes.len() as u64, length as u64);
        let expected = if length < 64 {
            FileError::TooShort { bytes: length }
        } else {
            FileError::Length { stated, found }
        };
        assert_eq!(error, expected);
    }
    let longer = [&bytes[..], &[0; 64]].concat();
    assert!(matches!(TriMesh::from_bytes(longer), Err(FileError::Length { .. })));
}

#[test]
fn a_refusal_says_what_was_found() {
    let bytes = small().to_bytes();
    let error = |bytes: Vec<u8>| TriMesh::from_bytes(bytes).unwrap_err().to_string();
    assert_eq!(error(vec![0; 10]), "10 bytes: shorter than the 64-byte header");
    let mut other = bytes.clone();
    other[..8].copy_from_slice(b"\x89PNG\r\n\x1a\n");
    assert_eq!(
        error(other),
        r#"this is no capsweep file: it begins with "\\x89PNG\\r\\n\\x1a\\n""#
    );
    let mut newer = bytes.clone();
    newer[8] = 77;
    assert!(error(newer).starts_with("the file has version 77 of the format"));
    let mut altered = bytes.clone();
    altered[700] ^= 1;
    assert!(error(altered).starts_with("the file was altered: its checksum is"));
    assert_eq!(error(small_scene().to_bytes()), "the file holds a scene, not a mesh");
    let wrong = Scene::from_bytes(bytes).unwrap_err();
    assert_eq!(wrong, FileError::WrongContent { found: 1, wanted: "scene" });
}

/// Two builds of the same input give the same file, so build systems can compare and cache files.
#[test]
fn the_same_mesh_gives_the_same_bytes() {
    let level = capsweep_testkit::level::dungeon();
    assert_eq!(mesh(&level, false).to_bytes(), mesh(&level, false).to_bytes());
}
