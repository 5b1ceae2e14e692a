//! Output files: written as a whole or not at all, and never over an input.

use super::*;
use crate::scenes::{ROOM, file, folder, path};
use std::fs;
use std::path::Path;

fn empty(name: &str) -> std::path::PathBuf {
    let folder = folder(name);
    fs::remove_dir_all(&folder).unwrap();
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn listed(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn several_processes_that_build_one_file_all_succeed() {
    let folder = empty("outputs_processes");
    let (room, out) = (file(&folder, "room.obj", ROOM), path(&folder, "room.capsweep"));
    let start =
        || command(&[&["build", &room, "-o", &out]]).stdout(Stdio::null()).spawn().unwrap();
    for mut child in (0..8).map(|_| start()).collect::<Vec<_>>() {
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
    assert_eq!(run(&[&["verify", &out]]).status.code(), Some(0));
    assert_eq!(listed(&folder), ["room.capsweep", "room.obj"]);
}

#[test]
fn a_build_onto_its_own_source_is_refused_under_any_name() {
    let folder = empty("outputs_source");
    let room = file(&folder, "room.obj", ROOM);
    let mut names = vec![room.clone(), path(&folder, "./room.obj")];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("room.obj", folder.join("link.capsweep")).unwrap();
        fs::hard_link(&room, folder.join("hard.capsweep")).unwrap();
        names.extend([path(&folder, "link.capsweep"), path(&folder, "hard.capsweep")]);
    }
    for out in names {
        let error = refusal(&[&["build", &room, "-o", &out]]);
        let wanted = format!("error: {out} is read by this command and would be replaced");
        assert!(error.starts_with(&wanted), "{error}");
        assert_eq!(fs::read_to_string(&room).unwrap(), ROOM);
    }
}

#[test]
fn a_walk_replaces_neither_its_scene_nor_its_script_nor_another_output() {
    let folder = empty("outputs_walk");
    let level = file(&folder, "level.glb", crate::scenes::level_glb());
    let script = file(&folder, "walk.json", r#"{"legs":[{"heading":0,"seconds":0.1}]}"#);
    let svg = path(&folder, "walk.svg");
    for words in [
        &["walk", &level, "--picture", &level][..],
        &["walk", "--script", &script, "--trace", &script],
    ] {
        assert!(refusal(&[words]).contains("is read by this command and would be replaced"));
    }
    let error = refusal(&[&["walk", "--trace", &svg, "--picture", &svg]]);
    assert!(error.contains("walk.svg is named for two outputs"), "{error}");
    assert_eq!(fs::read(&level).unwrap(), crate::scenes::level_glb());
    assert_eq!(listed(&folder), ["level.glb", "walk.json"]);
}

/// The file size limit stands for a full disk: the write that exceeds it fails.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_never_replaces_a_good_file() {
    let folder = empty("outputs_full");
    let room = file(&folder, "room.obj", ROOM);
    let cases = [
        ("room.capsweep", vec!["build", &room, "-o"]),
        ("walk.svg", vec!["walk", "--picture"]),
        ("walk.png", vec!["walk", "--picture"]),
        ("walk.glb", vec!["walk", "--picture"]),
        ("walk.jsonl", vec!["walk", "--trace"]),
    ];
    for (name, words) in cases {
        let out = file(&folder, name, "what was there before");
        let limited = "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\"";
        let output = Command::new("sh")
            .args(["-c", limited, env!("CARGO_BIN_EXE_capsweep")])
            .args(words)
            .arg(&out)
            .output()
            .unwrap();
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{name}: {error}");
        assert!(error.starts_with(&format!("error: cannot write {out}: ")), "{name}: {error}");
        assert_eq!(fs::read_to_string(&out).unwrap(), "what was there before", "{name}");
    }
    assert_eq!(listed(&folder).len(), 6, "{:?}", listed(&folder));
}

#[cfg(unix)]
#[test]
fn an_output_link_is_followed_and_a_dangling_one_is_an_error() {
    use std::os::unix::fs::symlink;
    let folder = empty("outputs_links");
    let room = file(&folder, "room.obj", ROOM);
    fs::create_dir(folder.join("real")).unwrap();
    for (name, words) in [
        ("room.capsweep", vec!["build", &room, "-o"]),
        ("walk.svg", vec!["walk", "--picture"]),
        ("walk.jsonl", vec!["walk", "--trace"]),
    ] {
        let target = file(&folder.join("real"), name, "old");
        symlink(Path::new("real").join(name), folder.join(name)).unwrap();
        let out = path(&folder, name);
        assert_eq!(run(&[&words, &[&out]]).status.code(), Some(0), "{name}");
        assert!(fs::symlink_metadata(&out).unwrap().is_symlink(), "{name}");
        assert!(fs::metadata(&target).unwrap().len() > 3, "{name}");
        fs::remove_file(&target).unwrap();
        let error = refusal(&[&words, &[&out]]);
        let wanted = format!("error: cannot write {out}: it is a link to \"real/{name}\", which");
        assert!(error.starts_with(&wanted), "{error}");
    }
    assert!(listed(&folder.join("real")).is_empty());
}

#[cfg(target_os = "linux")]
#[test]
fn stdout_and_devices_can_be_written_to() {
    let folder = empty("outputs_devices");
    let room = file(&folder, "room.obj", ROOM);
    let Output { stdout, status, .. } = run(&[&["build", &room, "-o", "/dev/stdout"]]);
    assert_eq!(status.code(), Some(0));
    assert!(stdout.starts_with(b"capsweep") && stdout.len() > 1000);
    // Redirected into a file too, without other files beside it.
    let redirected = fs::File::create(folder.join("out")).unwrap();
    let words: &[&str] = &["walk", "--trace", "/dev/stdout"];
    let status = command(&[words]).stdout(redirected).status().unwrap();
    assert_eq!(status.code(), Some(0));
    assert_eq!(listed(&folder), ["out", "room.obj"]);
    for words in [&["walk", "--trace", "/dev/null"], &["walk", "--picture", "/dev/null/x.svg"]] {
        let code = run(&[words]).status.code();
        assert_eq!(code, Some(if words[2] == "/dev/null" { 0 } else { 2 }));
    }
}
