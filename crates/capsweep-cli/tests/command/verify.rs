use super::*;
use crate::scenes::{ROOM, file, folder, path};

fn built(name: &str) -> (std::path::PathBuf, String) {
    let folder = folder(name);
    let (room, out) = (file(&folder, "room.obj", ROOM), path(&folder, "room.capsweep"));
    assert_eq!(run(&[&["build", &room, "-o", &out]]).status.code(), Some(0));
    (folder, out)
}

#[test]
fn a_sound_file_is_reported_as_sound() {
    let (_, out) = built("verify_sound");
    let bytes = std::fs::metadata(&out).unwrap().len();
    let Output { stdout, status, .. } = run(&[&["verify", &out]]);
    assert_eq!(status.code(), Some(0));
    let wanted = format!("{out}: sound; {bytes} bytes, meshes 1, triangles 4, bodies 1\n");
    assert_eq!(text(&stdout), wanted);
    let wanted = json!({
        "file": out, "sound": true, "bytes": bytes, "meshes": 1, "fields": 0, "triangles": 4,
        "implicit_triangles": 0, "bodies": 1, "liquids": 0, "findings": [], "more": 0,
    });
    assert_eq!(ask(&[&["verify", &out]]), (wanted, 0));
}

#[test]
fn the_defects_of_a_damaged_file_are_listed() {
    let (folder, out) = built("verify_damaged");
    let whole = std::fs::read(&out).unwrap();
    // Every 37th byte: the library's own tests flip every bit.
    for at in (0..whole.len()).step_by(37) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        let damaged = file(&folder, "damaged.capsweep", bytes);
        let (report, code) = ask(&[&["verify", &damaged]]);
        assert_eq!((code, &report["sound"]), (1, &json!(false)), "byte {at}");
        assert!(!report["findings"].as_array().unwrap().is_empty(), "byte {at}");
    }
    let cut = file(&folder, "cut.capsweep", &whole[..whole.len() - 100]);
    let Output { stdout, status, .. } = run(&[&["verify", &cut]]);
    assert_eq!(status.code(), Some(1));
    let report = text(&stdout);
    assert!(report.starts_with(&format!("{cut}: damaged; build it again\n")), "{report}");
    assert!(report.contains("it was cut off or added to"), "{report}");
    let other = file(&folder, "room2.obj", ROOM);
    assert!(
        ask(&[&["verify", &other]]).0["findings"][0].as_str().unwrap().contains("no capsweep")
    );
}

#[test]
fn a_file_that_cannot_be_read_is_an_error() {
    let folder = folder("verify_unreadable");
    for bad in [path(&folder, "missing.capsweep"), path(&folder, "")] {
        assert!(refusal(&[&["verify", &bad]]).starts_with(&format!("error: {bad}: ")));
    }
}

/// The README and the help of `build` must contain the warning.
#[test]
fn readme_and_help_warn_against_writing_into_a_scene_file() {
    let readme = include_str!("../../../../README.md");
    assert!(readme.contains("SIGBUS") && readme.contains("capsweep verify"));
    let Output { stdout, .. } = run(&[&["build", "--help"]]);
    assert!(text(&stdout).contains("SIGBUS") && text(&stdout).contains("capsweep verify"));
}
