use super::*;
use crate::scenes::{ROOM, file, folder, path};

#[test]
fn a_scene_file_can_be_built_twice_and_from_a_scene_file() {
    let folder = folder("build");
    let (room, out) = (file(&folder, "room.obj", ROOM), path(&folder, "room.capsweep"));
    let Output { stdout, status, .. } = run(&[&["build", &room, "-o", &out]]);
    assert_eq!(status.code(), Some(0));
    let bytes = std::fs::metadata(&out).unwrap().len();
    assert_eq!(text(&stdout), format!("{out}: {bytes} bytes\n"));
    let (answer, code) = ask(&[&["build", &room, "-o", &out]]);
    assert_eq!((answer, code), (json!({"file": out, "bytes": bytes}), 0));
    // A file built from a scene file is a copy of it.
    let (whole, again) = (std::fs::read(&out).unwrap(), path(&folder, "again.capsweep"));
    assert_eq!(run(&[&["build", &out, "-o", &again]]).status.code(), Some(0));
    assert_eq!(std::fs::read(&again).unwrap(), whole);
    assert!(refusal(&[&["build", &out, "-o", &out]]).contains("would be replaced"));
    assert_eq!(std::fs::read(&out).unwrap(), whole);
}

#[test]
fn a_file_that_cannot_be_written_is_an_error() {
    let folder = folder("build_refused");
    let room = file(&folder, "room.obj", ROOM);
    let out = path(&folder, "missing/room.capsweep");
    let error = refusal(&[&["build", &room, "-o", &out]]);
    assert!(error.starts_with(&format!("error: cannot write {out}: ")), "{error}");
    assert!(refusal(&[&["build", &room]]).contains("--output <FILE>"));
}

#[test]
fn a_unit_is_a_word_or_a_number() {
    let folder = folder("build_unit");
    let (room, out) = (file(&folder, "room.obj", ROOM), path(&folder, "room.capsweep"));
    let bounds = ["cm", "0.01"].map(|unit| {
        assert_eq!(run(&[&["build", &room, "-o", &out, "--unit", unit]]).status.code(), Some(0));
        ask(&[&["inspect", &out]]).0["bounds"].clone()
    });
    assert_eq!(bounds[0], bounds[1]);
    let corners = [("min", [-0.04, -0.04, 0.0]), ("max", [0.04, 0.05, 0.03])];
    for (corner, expected) in corners {
        for (axis, expected) in expected.into_iter().enumerate() {
            let found = bounds[0][corner][axis].as_f64().unwrap();
            assert!((found - expected).abs() < 1e-7, "{corner}: {}", bounds[0]);
        }
    }
    let refused = |unit: &str| refusal(&[&["build", &room, "-o", &out, "--unit", unit]]);
    assert!(
        refused("furlong").contains("neither a unit (m, cm, mm, km, in, ft, yd) nor a number")
    );
    assert!(refused("0").contains("a unit of 0 m: it must lie between"));
    assert!(refused("NaN").contains("a unit of NaN m"));
    assert!(
        refusal(&[&["build", &room, "-o", &out, "--up", "x"]]).contains("[possible values: y, z]")
    );
}
