use super::*;
use crate::scenes::{ROOM, file, folder, level_glb, path};

#[test]
fn the_json_has_counts_and_bounds() {
    let level = file(&folder("inspect_json"), "level.glb", level_glb());
    let (answer, code) = ask(&[&["inspect", &level]]);
    assert_eq!(code, 0);
    let numbers = ["instances", "shapes", "triangles", "placed_triangles"].map(|key| &answer[key]);
    assert_eq!(numbers, [&json!(2), &json!(0), &json!(2), &json!(4)]);
    assert_eq!(answer["bounds"], json!({"min": [-4.0, -4.0, 0.0], "max": [4.0, 4.0, 3.0]}));
    let mesh = &answer["meshes"][0];
    assert_eq!((&mesh["name"], &mesh["instances"]), (&json!("ground"), &json!(2)));
    assert_eq!(mesh["double_sided"], json!(false));
    assert!(mesh["memory"].as_u64().unwrap() > 100);
    let tree = &mesh["tree"];
    assert_eq!(
        (&tree["nodes"], &tree["leaves"], &tree["levels"]),
        (&json!(1), &json!(1), &json!(1))
    );
    assert_eq!(tree["fill"], json!(0.25));
    // The rim of the plate.
    assert_eq!(mesh["findings"][0]["what"], json!("open edges"));
    assert_eq!(mesh["findings"][0]["count"], json!(4));
    assert_eq!(mesh["findings"].as_array().unwrap().len(), 1);
}

#[test]
fn defects_are_listed_with_their_positions() {
    let spoiled = format!(
        "{ROOM}\
         o bad\nv 0 0 0\nv 2 0 0\nv 1 0 0\nv 0 5 0\nv 900 5 0\nv 450 5.0001 0\n\
         f 7 8 9\nf 10 11 12\nf 1 2 3\nf 1 2 3 4\n"
    );
    let scene = file(&folder("inspect_findings"), "spoiled.obj", spoiled);
    let (answer, _) = ask(&[&["inspect", &scene]]);
    let findings = answer["meshes"][0]["findings"].as_array().unwrap();
    let of = |what: &str| {
        let found = findings.iter().find(|finding| finding["what"] == what);
        found.unwrap_or_else(|| panic!("{what} in {answer}"))
    };
    assert_eq!(of("degenerate triangles")["triangles"][0]["triangle"], json!(4));
    assert_eq!(of("degenerate triangles")["triangles"][0]["at"], json!([1.0, 0.0, 0.0]));
    assert_eq!(of("slivers")["count"], json!(1));
    assert_eq!(of("duplicate triangles")["count"], json!(3));
    let Output { stdout, .. } = run(&[&["inspect", &scene]]);
    assert!(
        text(&stdout).contains("degenerate triangles  1: triangle 4 at 1,0,0 m\n"),
        "{}",
        text(&stdout)
    );
}

#[test]
fn the_readable_answer_has_totals_and_meshes() {
    let folder = folder("inspect_text");
    let level = file(&folder, "level.glb", level_glb());
    let Output { stdout, status, .. } = run(&[&["inspect", &level]]);
    assert_eq!(status.code(), Some(0));
    let report = text(&stdout);
    for line in [
        &format!("{level}: 2 instances of 1 mesh\n"),
        "  triangles  2, 4 in all instances\n",
        "  bounds     -4,-4,0 to 4,4,3 m\n",
        "mesh 0 \"ground\": 2 triangles, one-sided, 2 instances\n",
        "  tree            1 node, 1 leaf (25 % full), 1 level\n",
        "  open edges      4, at 2 triangles: triangle 0 at ",
    ] {
        assert!(report.contains(line), "{line:?} in\n{report}");
    }
    // A built file gives the same report as its source, apart from the name.
    let built = path(&folder, "level.capsweep");
    run(&[&["build", &level, "-o", &built]]);
    assert_eq!(ask(&[&["inspect", &built]]), ask(&[&["inspect", &level]]));
}
