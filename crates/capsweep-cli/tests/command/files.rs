//! Missing, damaged and hostile files: an error that names the file and the reason, never an
//! answer.

use super::*;
use crate::scenes::{file, folder, glb, level_glb, path};

/// The error of every command that takes a scene, without `error: ` and the file's name.
fn scene_error(scene: &str) -> String {
    let out = format!("{scene}.capsweep");
    let commands: [&[&str]; 9] = [
        &["inspect", scene],
        &["build", scene, "-o", &out],
        &[
            "sweep", scene, "--feet", "0,0,0", "--radius", "1", "--height", "2", "--motion",
            "0,0,1",
        ],
        &["overlap", scene, "--feet", "0,0,0", "--radius", "1", "--height", "2"],
        &["closest", scene, "--feet", "0,0,0", "--radius", "1", "--height", "2"],
        &["ray", scene, "--origin", "0,0,0", "--motion", "0,0,1"],
        &["supports", scene, "--queries", "-"],
        &["walk", scene],
        &["bench", scene, "--seconds", "0.001"],
    ];
    let errors = commands.map(|words| refusal(&[words]));
    assert!(errors.iter().all(|error| *error == errors[0]), "{errors:?}");
    assert!(!std::path::Path::new(&out).exists());
    let error = errors[0].strip_prefix(&format!("error: {scene}: "));
    error.unwrap_or_else(|| panic!("{}", errors[0])).to_owned()
}

#[test]
fn a_missing_file_a_folder_and_an_unknown_format_are_errors() {
    let folder = folder("files_missing");
    assert_eq!(
        scene_error(&path(&folder, "missing.obj")),
        "No such file or directory (os error 2)\n"
    );
    assert!(scene_error(&path(&folder, "missing.capsweep")).contains("No such file"));
    std::fs::create_dir_all(folder.join("folder.obj")).unwrap();
    assert_eq!(scene_error(&path(&folder, "folder.obj")), "not a regular file\n");
    let other = file(&folder, "level.fbx", "Kaydara");
    assert_eq!(scene_error(&other), "its name does not end in .obj, .gltf, .glb or .capsweep\n");
}

#[test]
fn empty_files_are_errors() {
    let folder = folder("files_empty");
    assert_eq!(scene_error(&file(&folder, "empty.obj", "")), "there are no triangles in it\n");
    assert_eq!(
        scene_error(&file(&folder, "empty.capsweep", "")),
        "0 bytes: shorter than the 64-byte header\n"
    );
    for name in ["empty.gltf", "empty.glb"] {
        assert!(!scene_error(&file(&folder, name, "")).is_empty(), "{name}");
    }
}

#[test]
fn truncated_files_are_errors() {
    let folder = folder("files_cut");
    let level = level_glb();
    let whole = file(&folder, "whole.glb", &level);
    let built = path(&folder, "whole.capsweep");
    assert_eq!(run(&[&["build", &whole, "-o", &built]]).status.code(), Some(0));
    for length in [4, 20, level.len() / 2, level.len() - 1] {
        scene_error(&file(&folder, "cut.glb", &level[..length]));
    }
    let bytes = std::fs::read(&built).unwrap();
    for length in [7, 63, 64, bytes.len() / 2, bytes.len() - 1] {
        scene_error(&file(&folder, "cut.capsweep", &bytes[..length]));
    }
    assert!(
        scene_error(&file(&folder, "cut.obj", "v 0 0 0\nv 1 0 0\nv 0 1")).contains("line 3: ")
    );
}

#[test]
fn invalid_numbers_and_indices_are_errors_with_their_line() {
    let folder = folder("files_numbers");
    let nan = "v 0 0 0\nv NaN 0 0\nv 0 1 0\nf 1 2 3\n";
    assert!(scene_error(&file(&folder, "nan.obj", nan)).contains("NaN"));
    let far = "v 0 0 0\nv 1e30 0 0\nv 0 1 0\nf 1 2 3\n";
    assert!(
        scene_error(&file(&folder, "far.obj", far)).contains("must be finite and at most 1e9")
    );
    let index = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n";
    assert!(scene_error(&file(&folder, "index.obj", index)).starts_with("line 4: "));
}

/// A few hundred bytes that declare gigabytes. The command runs with 1 GB of address space, which
/// is enough for its threads, but not for the declared sizes.
#[cfg(target_os = "linux")]
#[test]
fn a_small_file_that_declares_gigabytes_is_refused_before_allocation() {
    let folder = folder("files_bomb");
    let json = |count: u64, view: &str, length: u64| {
        format!(
            r#"{{"asset":{{"version":"2.0"}},"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0}}],
            "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],
            "accessors":[{{{view}"componentType":5126,"type":"VEC3","count":{count},
                "min":[0,0,0],"max":[0,0,0]}}],
            "bufferViews":[{{"buffer":0,"byteLength":{length}}}],
            "buffers":[{{"byteLength":{length}}}]}}"#
        )
    };
    let zeros = glb(json(3_000_000_000, "", 4).as_bytes(), &[0; 4]);
    let claims = glb(json(300_000_000, r#""bufferView":0,"#, 3_600_000_000).as_bytes(), &[0; 4]);
    // Each node has the next one twice as a child: 2^40 instances.
    let mut nodes: Vec<Value> =
        (1..=40).map(|child| json!({"children": [child, child]})).collect();
    nodes.push(json!({"mesh": 0}));
    let instances = json!({
        "asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "nodes": nodes, "meshes": [],
    })
    .to_string();
    let mut scene = std::fs::read({
        let whole = file(&folder, "whole.glb", level_glb());
        let built = path(&folder, "whole.capsweep");
        assert_eq!(run(&[&["build", &whole, "-o", &built]]).status.code(), Some(0));
        built
    })
    .unwrap();
    scene[24..28].copy_from_slice(&u32::MAX.to_le_bytes());
    for (name, bytes) in [
        ("zeros.glb", zeros),
        ("claims.glb", claims),
        ("nodes.gltf", instances.into_bytes()),
        ("sections.capsweep", scene),
    ] {
        let scene = file(&folder, name, bytes);
        let limited = "ulimit -v 1000000; exec \"$0\" \"$@\"";
        let output = Command::new("sh")
            .args(["-c", limited, env!("CARGO_BIN_EXE_capsweep"), "inspect", &scene])
            .output()
            .unwrap();
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{name}: {error}");
        assert!(error.starts_with(&format!("error: {scene}: ")), "{name}: {error}");
    }
}
