//! Map files in the commands that take a level.

use super::*;
use crate::scenes::{folder, path};
use crate::worlds::{start, world};

#[test]
fn a_map_is_inspected_from_its_notes() {
    let map = &world().map;
    let (report, code) = ask(&[&["inspect", map]]);
    assert_eq!((code, &report["tiles"], &report["unit"]), (0, &json!(9), &json!("yd")));
    assert_eq!(report["terrain_triangles"], json!(9 * 65536));
    let Output { stdout, .. } = run(&[&["inspect", map]]);
    let shown = text(&stdout);
    for row in ["area ", "tiles ", "models ", "triangles ", "liquids ", "missing "] {
        assert!(shown.contains(&format!("\n  {row}")), "{row}: {shown}");
    }
}

#[test]
fn a_map_is_verified_with_its_fields_and_liquids_and_damage_is_found() {
    let map = &world().map;
    let (report, code) = ask(&[&["verify", map]]);
    assert_eq!((code, &report["sound"]), (0, &json!(true)));
    // Flat tiles of one height share a field.
    let fields = number(&report["fields"]);
    assert!((1.0..=9.0).contains(&fields), "{report}");
    assert_eq!(number(&report["implicit_triangles"]), 65536.0 * fields);
    let (inspected, _) = ask(&[&["inspect", map]]);
    let sum = |keys: [&str; 2]| keys.map(|key| number(&inspected[key])).iter().sum::<f64>();
    assert_eq!(number(&report["bodies"]), sum(["tiles", "placements"]));
    assert_eq!(number(&report["liquids"]), sum(["terrain_liquids", "model_liquids"]));
    let Output { stdout, .. } = run(&[&["verify", map]]);
    assert!(text(&stdout).contains(&format!(", height fields {fields}, ")), "{}", text(&stdout));
    let mut bytes = std::fs::read(map).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x10;
    let damaged = crate::scenes::file(&folder("map_verify"), "damaged.capsweep", bytes);
    let (report, code) = ask(&[&["verify", &damaged]]);
    assert_eq!((code, &report["sound"]), (1, &json!(false)));
}

#[test]
fn queries_name_terrain_and_models_and_print_yards() {
    let map = &world().map;
    let feet = world().continent.route.waypoints[0].feet;
    let start = start();
    let (hit, code) = ask(&[&["ray", map, "--origin", &start, "--motion", "0,0,-5"]]);
    assert_eq!(code, 0);
    assert!((number(&hit["point"][2]) - feet.z).abs() < 0.05, "{hit} {feet}");
    let Output { stdout, .. } = run(&[&["ray", map, "--origin", &start, "--motion", "0,0,-5"]]);
    assert!(text(&stdout).contains(" yd\n"), "{}", text(&stdout));
    let supports = ["supports", map, "--point", &start, "--above", "500", "--below", "500"];
    let (answer, _) = ask(&[&supports]);
    let names = answer["supports"].as_array().unwrap().iter().map(|one| &one["instance_name"]);
    assert!(names.clone().any(|name| *name == json!("terrain")), "{answer}");
    let Output { stdout, .. } = run(&[&supports]);
    assert!(text(&stdout).contains(" yd  walkable floor"), "{}", text(&stdout));
}

#[test]
fn walks_in_a_map_start_where_the_user_says_and_are_drawn_and_replayed() {
    let (map, folder) = (&world().map, folder("map_walk"));
    let error = refusal(&[&["walk", map]]);
    assert!(error.contains("give --start x,y,z"), "{error}");
    let start = start();
    let [png, glb, trace] = ["walk.png", "walk.glb", "walk.jsonl"].map(|name| path(&folder, name));
    let outputs = ["--picture", &png, "--picture", &glb, "--trace", &trace];
    let (walk, code) = ask(&[&["walk", map, "--start", &start], &outputs]);
    assert_eq!((code, &walk["unit"]), (0, &json!("yd")));
    let legs = walk["legs"].as_array().unwrap();
    assert!(legs.len() >= 3, "{walk}");
    let feet = world().continent.route.waypoints[0].feet;
    for leg in legs {
        let off = |i: usize, from: f64| (number(&leg["to"][i]) - from).abs();
        assert!(off(0, feet.x) <= 150.0 && off(1, feet.y) <= 150.0, "{leg}");
    }
    for picture in [&png, &glb] {
        assert!(std::fs::metadata(picture).unwrap().len() > 10_000, "{picture}");
    }
    let (replayed, code) = ask(&[&["replay", &trace, map]]);
    assert_eq!((code, &replayed["same"]), (0, &json!(true)));
    let Output { stdout, .. } = run(&[&["walk", map, "--start", &start]]);
    let table = text(&stdout);
    assert!(table.contains(" yd tall") && !table.contains(" m  "), "{table}");
    let error = refusal(&[&["walk", map, "--start", "0,0,9000"]]);
    assert!(error.contains("--start 0,0,9000 yd: no walkable ground"), "{error}");
}

/// A walk is on foot, whatever the water: so the log is judged without.
#[test]
fn claims_in_a_map_are_judged_in_its_unit_and_drawn() {
    let (map, folder) = (&world().map, folder("map_claims"));
    let [log, svg] = ["walk.jsonl", "walk.svg"].map(|name| path(&folder, name));
    ask(&[&["walk", map, "--start", &start(), "--claims", &log]]);
    let words = ["validate", map, &log, "--water", "none", "--brief"];
    let Output { stdout, stderr, status } = run(&[&words]);
    assert_eq!((text(&stdout), status.code()), ("", Some(0)), "{}", text(&stderr));
    let claims = std::fs::read_to_string(&log).unwrap();
    let last: Value = serde_json::from_str(claims.lines().last().unwrap()).unwrap();
    let mut there = last["feet"].clone();
    there[0] = json!(number(&there[0]) + 30.0);
    let body = json!({"event": "body", "body": 0, "position": [0, 0, 0]});
    let forged = format!("{claims}{}\n{body}\n", json!({"feet": there, "dt": 0.5}));
    std::fs::write(&log, forged).unwrap();
    let Output { stdout, status, .. } = run(&[&words, &["--picture", &svg]]);
    let lines: Vec<&str> = text(&stdout).lines().collect();
    assert!(lines[0].contains("impossible: too fast by ") && lines[0].contains(" yd, at "));
    assert!(lines[1].contains("error: the bodies of a map file do not move"), "{}", lines[1]);
    assert_eq!((lines.len(), status.code()), (2, Some(2)));
    let svg = std::fs::read_to_string(svg).unwrap();
    assert!(svg.contains("too fast by") && svg.contains(" yd   x to the right"));
}

#[test]
fn a_map_is_measured_around_a_start() {
    let map = &world().map;
    let error = refusal(&[&["bench", map]]);
    assert!(error.contains("give --start x,y,z"), "{error}");
    let (report, code) = ask(&[&["bench", map, "--start", &start(), "--seconds", "0.001"]]);
    assert_eq!((code, &report["rates"][0]["what"]), (0, &json!("sweep, 0.13 yd ahead")));
}

#[test]
fn a_map_has_its_own_axes_and_unit_and_is_built_already() {
    let map = &world().map;
    let error = refusal(&[&["inspect", map, "--unit", "cm"]]);
    assert!(error.contains("a map file is Z up and states its unit"), "{error}");
    let out = path(&folder("map_build"), "other.capsweep");
    let error = refusal(&[&["build", map, "-o", &out]]);
    assert!(error.contains("is a map file already"), "{error}");
}
