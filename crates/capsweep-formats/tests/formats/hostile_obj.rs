//! Damaged and malicious OBJ files: every one gives an error with its line.

use crate::files::{load_obj, refused, world_triangles};
use capsweep_formats::{LoadOptions, Source, obj};
use glam::DVec3;
use std::fmt::Write;

/// Three vertices, on three lines.
const START: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";

fn refused_after_start(line: &str) -> String {
    refused(load_obj(&format!("{START}{line}\n")))
}

#[test]
fn errors_name_the_file_the_line_and_the_reason() {
    let told = [
        ("f 1 2 4", "there is no vertex 4: 3 come before this face"),
        ("f 1 2 0", "there is no vertex 0: 3 come before this face"),
        ("f 1 2 -4", "there is no vertex -4: 3 come before this face"),
        ("f 1 2 x", "there is no vertex x: 3 come before this face"),
        (
            "f 1 2 99999999999999999999",
            "there is no vertex 99999999999999999999: 3 come before this face",
        ),
        (
            "f 1 2 -9223372036854775808",
            "there is no vertex -9223372036854775808: 3 come before this face",
        ),
        ("f", "a face of 0 corners: it must have three or more"),
        ("f 1 2", "a face of 2 corners: it must have three or more"),
        ("v 1 2", "a vertex has three or four numbers, and three of colour"),
        ("v 1 2 nan", "\"nan\" is not a finite number"),
        ("v 1 2 1e39", "\"1e39\" is not a finite number"),
        ("v 1 2 -inf", "\"-inf\" is not a finite number"),
        ("v 1 2 3x", "\"3x\" is not a finite number"),
        ("v 1 2 3 0", "scaling (w) by zero"),
    ];
    for (line, reason) in told {
        assert_eq!(refused_after_start(line), format!("test.obj: line 4: {reason}"), "{line}");
    }
}

#[test]
fn a_line_that_goes_on_is_told_by_its_last_line() {
    assert!(refused_after_start("f 1 \\\n2 \\\n7").contains("line 6: there is no vertex 7"));
}

#[test]
fn a_file_without_faces_is_empty() {
    for text in ["", "# nothing", START, "\\", "\\\n\\\n", "\u{0}\u{0}", "o a\ng b\nusemtl c\n"] {
        assert_eq!(refused(load_obj(text)), "test.obj: there are no triangles in it", "{text:?}");
    }
}

#[test]
fn a_weight_that_overflows_is_a_bad_vertex() {
    let text = "v 1e38 0 0 1e-10\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    assert!(
        refused(load_obj(text)).contains("vertex 0 is at [inf"),
        "{}",
        refused(load_obj(text))
    );
}

#[test]
fn coordinates_out_of_range_are_told() {
    let text = "v 2e9 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    assert!(refused(load_obj(text)).contains("vertex 0 is at [2000000000, -0, 0]"));
}

#[test]
fn endless_names_are_refused_before_they_multiply() {
    let name = "x".repeat(300);
    let told = refused_after_start(&format!("o {name}"));
    assert_eq!(told, "test.obj: line 4: a name of 300 bytes: 256 are allowed");
}

#[test]
fn a_byte_order_mark_changes_nothing() {
    let text = format!("{START}v 1 1 0\nf 1 2 4 3\n");
    let plain = load_obj(&text).unwrap();
    let marked = [format!("\u{feff}{text}"), format!("# first\n\u{feff}{text}")];
    for marked in
        marked.iter().chain([&text.replace('\n', "\r\n").replace("v 0 0 0", "\u{feff}v 0 0 0")])
    {
        let read = load_obj(marked).unwrap();
        assert_eq!(read.models()[0].vertices, plain.models()[0].vertices, "{marked:?}");
        assert_eq!(read.models()[0].triangles, plain.models()[0].triangles, "{marked:?}");
    }
    assert!(refused(load_obj("\u{feff}v 0 0\n")).starts_with("test.obj: line 1: "));
}

#[test]
fn utf_16_text_is_told_instead_of_read_as_nothing() {
    for mark in [[0xFF, 0xFE], [0xFE, 0xFF]] {
        let bytes = [&mark[..], b"v\0 \x000\0"].concat();
        let source = Source::from_bytes(bytes, "test.obj");
        let told = refused(obj::parse(&source, &LoadOptions::default()));
        assert_eq!(told, "test.obj: line 1: this is UTF-16 text: save it as UTF-8");
    }
}

/// A polygon in the plane through `middle` that is tilted by a quarter of a right angle, as a
/// file.
fn polygon(points: &[[f64; 2]], middle: f64, digits: usize) -> String {
    let mut text = String::new();
    for [x, y] in points {
        let (y, z) = (y * 0.9, y * 0.4);
        let [x, y, z] = [x + middle, y + middle, z + middle];
        writeln!(text, "v {x:.digits$} {y:.digits$} {z:.digits$}").unwrap();
    }
    text += "f";
    for corner in 1..=points.len() {
        write!(text, " {corner}").unwrap();
    }
    text + "\n"
}

fn circle(corners: usize, radius: f64) -> Vec<[f64; 2]> {
    let turn = std::f64::consts::TAU / corners as f64;
    (0..corners).map(|i| i as f64 * turn).map(|a| [radius * a.cos(), radius * a.sin()]).collect()
}

#[test]
fn large_convex_polygons_are_read_however_their_corners_are_rounded() {
    // A square of which each side has many corners.
    let side = |i: u32| f64::from(i) / 3000.0;
    let sides = (0..3000).map(|i| [side(i), 0.0]).chain((0..3000).map(|i| [1.0, side(i)]));
    let back =
        (0..3000).map(|i| [1.0 - side(i), 1.0]).chain((0..3000).map(|i| [0.0, 1.0 - side(i)]));
    let square: Vec<[f64; 2]> = sides.chain(back).collect();
    let tilt = 0.9_f64.hypot(0.4);
    let round = std::f64::consts::PI * tilt;
    for (name, points, middle, digits, area) in [
        ("circle", circle(1025, 1.0), 0.0, 6, round),
        ("circle of many corners", circle(20_000, 1.0), 0.0, 6, round),
        ("circle of all digits", circle(20_000, 1.0), 0.0, 17, round),
        ("circle far from the origin", circle(20_000, 1.0), 100.0, 9, round),
        ("large circle", circle(50_000, 40.0), 7.0, 4, 1600.0 * round),
        ("square", square, 3.0, 7, tilt),
    ] {
        let world = load_obj(&polygon(&points, middle, digits)).expect(name);
        let triangles = world_triangles(&world);
        assert_eq!(triangles.len(), points.len() - 2, "{name}");
        let normal = |[a, b, c]: [DVec3; 3]| (b - a).cross(c - a);
        let covered: f64 = triangles.iter().map(|corners| normal(*corners).length() / 2.0).sum();
        let signed: DVec3 = triangles.iter().map(|corners| normal(*corners) / 2.0).sum();
        assert!((covered / area - 1.0).abs() < 1e-3, "{name}: {covered} of {area}");
        assert!((signed.length() / area - 1.0).abs() < 1e-3, "{name}: {signed}");
    }
}

#[test]
fn a_large_polygon_that_is_not_convex_is_told_with_its_line() {
    let star = |depth: f64| -> Vec<[f64; 2]> {
        let inner = |(i, point): (usize, [f64; 2])| {
            point.map(|x| if i % 2 == 0 { x } else { x * (1.0 - depth) })
        };
        circle(2000, 1.0).into_iter().enumerate().map(inner).collect()
    };
    for depth in [0.5, 0.01, 0.001] {
        let told = refused(load_obj(&format!("# a star\n{}", polygon(&star(depth), 0.0, 9))));
        let wanted = "test.obj: line 2002: a face of 2000 corners that is not convex";
        assert!(told.starts_with(wanted), "{depth}: {told}");
    }
}

#[test]
fn a_vertex_out_of_range_is_told_with_its_own_line() {
    let text = format!("{START}# far\nv 0 -2e9 0\nv 1 0 0 1e-30\n");
    load_obj(&format!("{text}f 1 2 3\n")).expect("vertices that no face has do not matter");
    for (face, wanted) in [
        ("f 1 2 4", "test.obj: line 5: vertex 3 is at [0, -0, -2000000000]: coordinates must be"),
        ("f 1 2 3 5", "test.obj: line 6: vertex 4 is at [1000000000000000000000000000000, "),
        ("f 1 2 -1", "test.obj: line 6: vertex 4 is at [1000000000000000000000000000000, "),
    ] {
        let told = refused(load_obj(&format!("{text}{face}\n")));
        assert!(told.starts_with(wanted), "{face}: {told}");
    }
}

#[test]
fn a_vertex_that_its_unit_moves_out_of_range_is_told_with_its_line() {
    let text = "v 0 0 0\nv 2e6 0 0\nv 0 1 0\nf 1 2 3\n";
    let source = Source::from_bytes(text.into(), "test.obj");
    let options = LoadOptions { unit: Some(1000.0), ..LoadOptions::default() };
    let told = refused(obj::parse(&source, &options));
    let wanted =
        "test.obj: line 2: a coordinate of 2000000 units of 1000 m: positions reach 1e9 m";
    assert_eq!(told, wanted);
    obj::parse(&source, &LoadOptions::default()).unwrap().scene().unwrap();
    // Just within the range, the scene can be made too.
    let edge = Source::from_bytes("v 0 0 0\nv 1e6 0 0\nv 0 1 0\nf 1 2 3\n".into(), "edge.obj");
    obj::parse(&edge, &options).unwrap().scene().unwrap();
}
