use crate::files::{load_obj, refused};

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
    assert!(refused(load_obj(text)).contains("vertex 0 is at [inf"), "{}", refused(load_obj(text)));
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
