//! Opening, mapping, replacing and verifying scene files.

use crate::files::folder;
use capsweep::scene::Filter;
use capsweep::{Motion, Ray};
use capsweep_formats::{Level, Limits, LoadError, LoadOptions, Names, UpAxis, open, scene_file};
use glam::DVec3;
use std::path::{Path, PathBuf};

pub(crate) const ROOM: &str = "\
o floor
usemtl wood
v -4 0 4
v 4 0 4
v 4 0 -5
v -4 0 -5
f 1 2 3 4
o wall
usemtl stone
v 4 3 4
v 4 3 -5
f 2 5 6 3
";

/// Writes `room.obj` and the scene file made from it to a folder.
fn built(name: &str) -> (PathBuf, Level) {
    let folder = folder(name);
    std::fs::write(folder.join("room.obj"), ROOM).unwrap();
    let level = open(folder.join("room.obj"), &LoadOptions::default()).unwrap();
    scene_file::write(folder.join("room.capsweep"), &level.scene, &level.names).unwrap();
    (folder, level)
}

/// Maps a scene file.
#[expect(unsafe_code, reason = "the tests replace mapped files by rename only")]
fn open_mapped(path: &Path) -> Result<Level, LoadError> {
    // SAFETY: Each test has a folder of its own and never writes into a file that it has mapped.
    unsafe { scene_file::open_mapped(path, &Limits::default()) }
}

/// The hit of a ray down, with all its fields, and the names of its body and tag.
fn below(level: &Level) -> (String, Option<String>, Option<String>) {
    let down = Motion::new(DVec3::NEG_Z * 9.0).unwrap();
    let hit = level
        .scene
        .ray(&Ray::new(DVec3::new(1.0, 2.0, 3.0), down).unwrap(), &Filter::default())
        .unwrap();
    let owned = |name: Option<&str>| name.map(str::to_owned);
    let names = &level.names;
    (format!("{hit:?}"), owned(names.body(hit.target.key)), owned(names.tag(hit.target.tag)))
}

#[test]
fn the_bytes_of_a_level_are_those_of_its_file() {
    let (folder, level) = built("scene_file_bytes");
    let bytes = scene_file::to_bytes(&level.scene, &level.names);
    assert_eq!(bytes, std::fs::read(folder.join("room.capsweep")).unwrap());
    let again = scene_file::from_bytes(bytes, "bytes").unwrap();
    assert_eq!(below(&again), below(&level));
}

#[test]
fn a_built_file_answers_with_the_same_bits_and_the_same_names() {
    let (folder, level) = built("scene_file_names");
    let path = folder.join("room.capsweep");
    let bytes = std::fs::read(&path).unwrap();
    for opened in [
        open(&path, &LoadOptions::default()).unwrap(),
        open_mapped(&path).unwrap(),
        scene_file::from_bytes(bytes, &path).unwrap(),
    ] {
        assert_eq!(below(&opened), below(&level));
        assert_eq!(below(&opened).1.as_deref(), Some("room"));
        assert_eq!(below(&opened).2.as_deref(), Some("floor/wood"));
        assert_eq!(opened.names, level.names);
        // Everything that the scene holds: it writes the same file again.
        let notes = b"";
        let again = opened.scene.to_bytes_with_notes(notes);
        assert!(again == level.scene.to_bytes_with_notes(notes));
    }
}

#[test]
fn a_file_that_is_truncated_or_overwritten_while_open_changes_no_answer() {
    let (folder, level) = built("scene_file_truncated");
    let path = folder.join("room.capsweep");
    let opened = open(&path, &LoadOptions::default()).unwrap();
    let length = std::fs::metadata(&path).unwrap().len();
    let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    for length in [length - 1, 64, 0] {
        file.set_len(length).unwrap();
        assert_eq!(below(&opened), below(&level), "{length} bytes left");
    }
    std::fs::write(&path, vec![0xff; length as usize]).unwrap();
    assert_eq!(below(&opened), below(&level));
    assert_eq!(opened.scene.to_bytes(), level.scene.to_bytes());
}

#[test]
fn a_scene_file_is_known_by_its_first_bytes_whatever_its_name() {
    let (folder, level) = built("scene_file_renamed");
    let renamed = folder.join("room.bin");
    std::fs::rename(folder.join("room.capsweep"), &renamed).unwrap();
    assert_eq!(below(&open(&renamed, &LoadOptions::default()).unwrap()), below(&level));
}

#[test]
fn a_file_that_is_replaced_keeps_its_content_for_programs_that_have_it_open() {
    let (folder, level) = built("scene_file_replaced");
    let path = folder.join("room.capsweep");
    let before = [open(&path, &LoadOptions::default()).unwrap(), open_mapped(&path).unwrap()];
    let empty = capsweep::scene::Scene::new();
    scene_file::write(&path, &empty, &Names::default()).unwrap();
    for before in &before {
        assert_eq!(below(before), below(&level));
    }
    assert_eq!(open(&path, &LoadOptions::default()).unwrap().scene.bodies().count(), 0);
    let left: Vec<_> =
        std::fs::read_dir(&folder).unwrap().map(|one| one.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "a temporary file is left: {left:?}");
}

/// The message of a file that must be refused, without the file's name.
fn refusal(opened: Result<Level, LoadError>, path: &Path) -> String {
    let error = opened.expect_err("must be refused").to_string();
    let name = format!("{}: ", path.display());
    error.strip_prefix(&name).expect("an error names the file").to_owned()
}

#[test]
fn files_that_are_empty_cut_off_altered_or_something_else_are_refused() {
    let (folder, _) = built("scene_file_damage");
    let path = folder.join("room.capsweep");
    let whole = std::fs::read(&path).unwrap();
    let told = |bytes: &[u8]| {
        // A new file under the old name: writing into a mapped file is not allowed.
        std::fs::remove_file(&path).unwrap();
        std::fs::write(&path, bytes).unwrap();
        let read = refusal(open(&path, &LoadOptions::default()), &path);
        assert_eq!(refusal(open_mapped(&path), &path), read);
        read
    };
    assert_eq!(told(b""), "0 bytes: shorter than the 64-byte header");
    assert_eq!(told(b"capsweep"), "8 bytes: shorter than the 64-byte header");
    assert!(told(b"solid stl\n".repeat(20).as_slice()).starts_with("this is no capsweep file"));
    assert!(told(&whole[..whole.len() - 64]).contains("it was cut off or added to"));
    let mut altered = whole.clone();
    *altered.last_mut().unwrap() ^= 1;
    assert!(told(&altered).starts_with("the file was altered"));
    assert!(told(&capsweep_mesh()).contains("holds a mesh, not a scene"));
}

/// The bytes of a mesh alone, which is not a scene.
fn capsweep_mesh() -> Vec<u8> {
    let corners = [glam::Vec3::ZERO, glam::Vec3::X, glam::Vec3::Y];
    let options = capsweep::scene::MeshOptions::default();
    capsweep::scene::TriMesh::new(&corners, &[[0, 1, 2]], options).unwrap().to_bytes()
}

#[test]
fn up_axis_and_unit_belong_to_the_building_not_the_opening() {
    let (folder, _) = built("scene_file_axes");
    let path = folder.join("room.capsweep");
    for options in [
        LoadOptions { up: Some(UpAxis::Z), ..LoadOptions::default() },
        LoadOptions { unit: Some(0.01), ..LoadOptions::default() },
    ] {
        assert!(
            refusal(open(&path, &options), &path)
                .starts_with("a scene file is Z up and in metres")
        );
    }
}

#[test]
#[expect(unsafe_code, reason = "the file is not mapped")]
fn more_bytes_than_allowed_are_not_read() {
    let (folder, _) = built("scene_file_limit");
    let path = folder.join("room.capsweep");
    let limits = Limits { bytes: 100, ..Limits::default() };
    let options = LoadOptions { limits, ..LoadOptions::default() };
    // SAFETY: The file is refused before it is mapped, and nothing changes it.
    let mapped = unsafe { scene_file::open_mapped(&path, &limits) };
    for opened in [open(&path, &options), mapped] {
        assert!(refusal(opened, &path).contains("more than the limit of 100"));
    }
}

#[test]
fn a_file_that_cannot_be_written_leaves_the_old_one() {
    let (folder, level) = built("scene_file_refused");
    let nowhere = folder.join("no such folder").join("room.capsweep");
    assert!(scene_file::write(&nowhere, &level.scene, &level.names).is_err());
    let a_folder = folder.join("taken");
    std::fs::create_dir_all(&a_folder).unwrap();
    assert!(scene_file::write(&a_folder, &level.scene, &level.names).is_err());
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 3, "no half-written file is left");
}

/// The messages of all defects that a check finds.
fn findings(path: &Path) -> Vec<String> {
    let verified = scene_file::verify(path, &Limits::default()).unwrap();
    assert_eq!(verified.is_sound(), verified.findings.is_empty());
    verified.findings.iter().map(ToString::to_string).collect()
}

#[test]
fn a_built_file_is_sound_and_a_damaged_one_is_told_with_where() {
    let (folder, _) = built("scene_file_verify");
    let path = folder.join("room.capsweep");
    let verified = scene_file::verify(&path, &Limits::default()).unwrap();
    assert!(verified.is_sound(), "{:?}", verified.findings);
    assert_eq!((verified.meshes, verified.triangles, verified.bodies), (1, 4, 1));
    let whole = std::fs::read(&path).unwrap();
    assert_eq!(verified.bytes, whole.len() as u64);
    let damaged = folder.join("damaged.capsweep");
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        std::fs::write(&damaged, bytes).unwrap();
        assert!(!findings(&damaged).is_empty(), "byte {at}");
    }
    std::fs::write(&damaged, capsweep_mesh()).unwrap();
    assert_eq!(findings(&damaged), ["the file holds a mesh, not a scene"]);
    std::fs::write(&damaged, b"").unwrap();
    assert_eq!(findings(&damaged), ["0 bytes: shorter than the 64-byte header"]);
}

#[test]
fn names_that_make_no_sense_are_told() {
    let (folder, level) = built("scene_file_verify_names");
    let path = folder.join("names.capsweep");
    let notes = b"capsweep names 1\n\xff\xff\xff\xff";
    std::fs::write(&path, level.scene.to_bytes_with_notes(notes)).unwrap();
    assert_eq!(findings(&path), ["its names are damaged"]);
    // Notes of another kind are allowed.
    std::fs::write(&path, level.scene.to_bytes_with_notes(b"made on a Tuesday")).unwrap();
    assert!(findings(&path).is_empty());
}

#[test]
fn a_file_that_cannot_be_read_is_an_error_and_no_finding() {
    let (folder, _) = built("scene_file_verify_unreadable");
    for path in [folder.join("missing.capsweep"), folder.clone()] {
        let error = scene_file::verify(&path, &Limits::default()).unwrap_err();
        assert!(error.to_string().starts_with(&path.display().to_string()), "{error}");
    }
    let small = Limits { bytes: 100, ..Limits::default() };
    let error = scene_file::verify(folder.join("room.capsweep"), &small).unwrap_err();
    assert!(error.to_string().contains("more than the limit of 100"), "{error}");
}
