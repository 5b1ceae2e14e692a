use super::*;
use crate::scenes::{ROOM, file, folder, path};
use std::fs;

fn drawn(folder: &std::path::Path, words: &[&str], name: &str) -> Vec<u8> {
    let picture = path(folder, name);
    let Output { stderr, status, .. } = run(&[&["walk", "--picture", &picture], words]);
    assert_eq!(status.code(), Some(0), "{}", text(&stderr));
    fs::read(picture).unwrap()
}

/// Whether tags nest correctly and text is escaped: the part of XML that these files use.
pub(crate) fn is_well_formed(xml: &str) -> bool {
    let mut open = Vec::new();
    let mut rest = xml;
    while let Some(start) = rest.find('<') {
        let Some(end) = rest[start..].find('>').map(|end| start + end) else { return false };
        let tag = &rest[start + 1..end];
        if tag.contains('<') || !tag.matches('"').count().is_multiple_of(2) {
            return false;
        }
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop() != Some(name) {
                return false;
            }
        } else if !tag.ends_with('/') {
            open.push(tag.split_whitespace().next().unwrap());
        }
        rest = &rest[end + 1..];
    }
    open.is_empty() && rest.trim().is_empty()
}

#[test]
fn an_svg_is_xml_and_lists_every_leg() {
    let folder = folder("picture_svg");
    let svg = drawn(&folder, &[], "walk.svg");
    let svg = text(&svg);
    assert!(svg.starts_with("<svg xmlns=") && is_well_formed(svg));
    for words in [
        "A walk through the built-in course",
        "15  last deck",
        "wall and its normal",
        "start",
        "5 m",
    ] {
        assert!(svg.contains(words), "{words}");
    }
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
    assert!(svg.len() < 400_000, "{} bytes", svg.len());
    assert!(
        !is_well_formed("<a><b></a></b>")
            && !is_well_formed("<a>")
            && is_well_formed("<a><b/>x</a>")
    );
}

#[test]
fn the_same_walk_gives_the_same_picture() {
    let folder = folder("picture_same");
    for name in ["walk.svg", "walk.png", "walk.glb"] {
        assert_eq!(drawn(&folder, &[], name), drawn(&folder, &["--threads", "1"], name), "{name}");
    }
}

#[test]
fn a_png_has_its_signature_and_a_reasonable_size() {
    let folder = folder("picture_png");
    let png = drawn(&folder, &[], "walk.PNG");
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n") && png.ends_with(b"IEND\xaeB`\x82"));
    let size = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    assert_eq!(size(16), 1600);
    assert!((600..2400).contains(&size(20)), "{}", size(20));
}

#[test]
fn a_glb_is_read_by_the_gltf_crate_and_by_capsweep() {
    let folder = folder("picture_glb");
    let glb = drawn(&folder, &[], "walk.glb");
    let document = gltf::Gltf::from_slice(&glb).unwrap();
    let names: Vec<_> =
        document.nodes().filter_map(|node| node.name().map(str::to_owned)).collect();
    for name in [
        "stairs",
        "platform",
        "path, walking",
        "path, in the air",
        "path, carried",
        "contacts with walls",
    ] {
        assert!(names.iter().any(|other| other == name), "{name} is not among {names:?}");
    }
    let level = capsweep_formats::open(
        path(&folder, "walk.glb"),
        &capsweep_formats::LoadOptions::default(),
    )
    .unwrap();
    let bodies: Vec<_> = level.scene.bodies().map(|(_, body)| body).collect();
    let of = |name: &str| {
        bodies.iter().find(|body| level.names.body(body.key()) == Some(name)).unwrap()
    };
    // Positions come back with Z up.
    let stairs = of("stairs").bounds().unwrap();
    assert!((stairs.min() - glam::dvec3(10.8, -1.2, 0.0)).length() < 1e-5, "{stairs:?}");
    assert!((stairs.max() - glam::dvec3(15.6, 1.2, 1.6)).length() < 1e-5, "{stairs:?}");
    let path = of("path, walking").bounds().unwrap();
    assert!(path.min().x < 0.1 && path.max().x > 40.9 && path.max().z < 3.0, "{path:?}");
    // A walk through the picture itself works too.
    let again = ask(&[&["walk", &crate::scenes::path(&folder, "walk.glb")]]);
    assert_eq!(again.1, 0);
}

#[test]
fn names_from_files_are_escaped_in_pictures() {
    let folder = folder("picture_names");
    let room = file(&folder, "a&b<c>.obj", ROOM.replace("wood", "<wood&\"'>"));
    let svg = drawn(&folder, &[&room], "walk.svg");
    assert!(is_well_formed(text(&svg)));
    assert!(text(&svg).contains("A walk through a&amp;b&lt;c&gt;.obj"));
    drawn(&folder, &[&room], "walk.png");
    drawn(&folder, &[&room], "walk.glb");
}

#[test]
fn a_fall_out_of_the_world_is_drawn() {
    let folder = folder("picture_fall");
    let script = r#"{"start": [500, 500, 5], "legs": [{"heading": 0, "seconds": 3}]}"#;
    let script = file(&folder, "script.json", script);
    for name in ["walk.svg", "walk.png", "walk.glb"] {
        assert!(!drawn(&folder, &["--script", &script], name).is_empty());
    }
}

#[test]
fn names_in_other_scripts_are_drawn_and_control_characters_escaped() {
    let folder = folder("picture_scripts");
    let room = file(&folder, "床.obj", ROOM.replace("wood", "дерево\u{1b}[31m"));
    let svg = drawn(&folder, &[&room], "walk.svg");
    let svg = text(&svg);
    assert!(is_well_formed(svg) && svg.contains("A walk through 床.obj"));
    assert!(svg.contains("дерево\\u{1b}[31m") && !svg.contains("???"));
    assert!(svg.chars().all(|letter| letter == '\n' || !letter.is_control()));
    drawn(&folder, &[&room], "walk.png");
}
