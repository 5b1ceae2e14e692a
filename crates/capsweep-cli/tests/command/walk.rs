use super::*;
use crate::scenes::{ROOM, file, folder, path};

fn leg<'a>(walk: &'a Value, name: &str) -> &'a Value {
    let legs = walk["legs"].as_array().unwrap();
    legs.iter().find(|leg| leg["asked_for"]["name"] == name).unwrap()
}

#[test]
fn the_course_is_walked_to_its_end_and_every_station_has_its_effect() {
    let (walk, code) = ask(&[&["walk"]]);
    assert_eq!((code, &walk["scene"]), (0, &json!("the built-in course")));
    let flag = |name: &str, flag: &str| number(&leg(&walk, name)["flags"][flag]);
    let met = |name: &str| {
        leg(&walk, name)["contacts"]
            .as_array()
            .unwrap()
            .iter()
            .map(|c| c["name"].clone())
            .collect::<Vec<_>>()
    };
    // The character slides along the wall with cos 32° of its speed.
    assert!(flag("wall slide", "sides") > 1.0 && met("wall slide").contains(&json!("wall")));
    assert!(
        number(&leg(&walk, "wall slide")["achieved"])
            > 0.85 * number(&leg(&walk, "wall slide")["asked"])
    );
    let region = |name: &str| leg(&walk, name)["contacts"][0]["region"].clone();
    assert_eq!((region("wall slide"), region("steep bank")), (json!("Side"), json!("Bottom")));
    assert!(met("doorway").contains(&json!("doorway")));
    assert!((number(&leg(&walk, "doorway")["to"][0]) - 10.2).abs() < 0.05, "through the door");
    assert!(flag("stairs", "steps") >= 8.0);
    assert!((number(&leg(&walk, "stairs")["to"][2]) - 1.6).abs() < 1e-3);
    assert!(flag("ledge", "airborne") > 0.3);
    assert!(flag("crate", "blocked") > 0.5);
    assert!(leg(&walk, "jump")["flags"]["jumped"].as_bool().unwrap());
    assert!(number(&leg(&walk, "jump")["to"][0]) > 19.0, "over the crate");
    assert!(flag("low beam", "blocked") > 0.5 && met("low beam") == [json!("low beam")]);
    assert!(number(&leg(&walk, "crouch")["to"][0]) > 24.0, "under the beam");
    assert!(
        flag("steep bank", "blocked") > 0.5 && number(&leg(&walk, "steep bank")["to"][2]) < 0.01
    );
    assert!((number(&leg(&walk, "ramp")["to"][2]) - 2.0).abs() < 1e-3);
    assert!(flag("ride", "carried") > 4.9);
    assert_eq!(leg(&walk, "ride")["ground"]["name"], "platform");
    assert_eq!(leg(&walk, "last deck")["ground"]["name"], "last deck");
}

#[test]
fn the_table_has_a_row_for_each_leg_and_no_trailing_spaces() {
    let Output { stdout, stderr, status } = run(&[&["walk"]]);
    assert_eq!((status.code(), stderr.as_slice()), (Some(0), &b""[..]));
    let lines: Vec<&str> = text(&stdout).lines().collect();
    assert!(lines[0].starts_with("the built-in course: 244 triangles in 11 bodies"));
    for (number, name) in (1..=15).zip(["wall slide", "to the door", "doorway", "stairs", "ledge"])
    {
        assert!(lines[2 + number].contains(&format!("{number}  {name}")), "{}", lines[2 + number]);
    }
    assert_eq!(lines.len(), 20, "heading, a row for each leg, and a sentence before and after");
    assert!(lines.iter().all(|line| !line.ends_with(' ')));
}

#[test]
fn a_scene_without_a_script_is_explored() {
    let folder = folder("walk_explores");
    let room = file(&folder, "room.obj", ROOM);
    let (walk, code) = ask(&[&["walk", &room]]);
    assert_eq!((code, &walk["scene"]), (0, &json!("room.obj")));
    assert!(number(&walk["achieved"]) > 5.0, "{}", walk["achieved"]);
    for leg in walk["legs"].as_array().unwrap() {
        let ground = leg["ground"]["name"].as_str().unwrap();
        assert!(ground.contains("wood"), "it stays in the room: {ground}");
    }
    // The same route again, on one thread too.
    assert_eq!(ask(&[&["walk", &room, "--threads", "1"]]).0, walk);
}

#[test]
fn a_script_sets_the_legs() {
    let folder = folder("walk_script");
    let room = file(&folder, "room.obj", ROOM);
    let script = r#"{
        "character": "physx",
        "start": [0, 0, 0],
        "rate": 30,
        "legs": [
            {"to": [2, 1]},
            {"name": "into the wall", "heading": 0, "seconds": 2, "speed": 3},
            {"seconds": 0.5, "jump": true}
        ]
    }"#;
    let script = file(&folder, "script.json", script);
    let (walk, code) = ask(&[&["walk", &room, "--script", &script]]);
    assert_eq!(code, 0);
    assert!((number(&walk["radius"]) - 0.4).abs() < 1e-6, "PhysX's capsule");
    let at = |i: usize| {
        walk["legs"][i]["to"].as_array().unwrap().iter().map(number).collect::<Vec<_>>()
    };
    assert!((at(0)[0] - 2.0).abs() < 0.05 && (at(0)[1] - 1.0).abs() < 0.05);
    // Stops radius and skin before the wall at x = 4.
    assert!((at(1)[0] - 3.5).abs() < 1e-3 && number(&walk["legs"][1]["flags"]["blocked"]) > 1.0);
    assert!(at(2)[2] > 0.1 && walk["legs"][2]["ground"].is_null(), "in the air");
    // The flag overrides the script.
    let (walk, _) = ask(&[&["walk", &room, "--script", &script, "--character", "human"]]);
    assert!((number(&walk["radius"]) - 0.3).abs() < 1e-6);
}

#[test]
fn a_script_may_omit_the_start() {
    let folder = folder("walk_script_start");
    let script = file(&folder, "script.json", r#"{"legs": [{"heading": 90, "seconds": 0.2}]}"#);
    let (walk, code) = ask(&[&["walk", "--script", &script]]);
    assert_eq!((code, walk["legs"][0]["from"].clone()), (0, json!([0.0, 0.0, 0.0])));
    let room = file(&folder, "room.obj", ROOM);
    assert_eq!(ask(&[&["walk", &room, "--script", &script]]).1, 0);
}

#[test]
fn the_script_in_the_documentation_is_walked() {
    let folder = folder("walk_documented");
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/walk-script.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, rest) = page.split_once("```json\n").unwrap();
    let script = file(&folder, "script.json", rest.split_once("```").unwrap().0);
    let (walk, code) = ask(&[&["walk", "--script", &script]]);
    assert_eq!((code, walk["legs"].as_array().unwrap().len()), (0, 5));
    // The first line of a trace agrees with the page too.
    let trace = path(&folder, "walk.jsonl");
    run(&[&["walk", "--trace", &trace]]);
    let trace = std::fs::read_to_string(trace).unwrap();
    let head = trace.lines().next().unwrap();
    let (scene, _) = head.split_once("\"moves\":").unwrap();
    assert!(page.contains(scene), "{head}");
}

#[test]
fn a_bad_script_is_an_error_with_its_line() {
    let folder = folder("walk_bad_script");
    let many = format!("{{\"legs\": [{}]}}", ["{\"seconds\": 0.001}"; 1001].join(","));
    let cases = [
        (
            "{\"legs\": [\n{\"heading\": 0, \"seconds\": 1},\n{\"heading\": 0}\n]}",
            "seconds are missing",
            "line 3",
        ),
        ("{\"legs\": [\n{\"heading\": 0, \"to\": [1, 2]}]}", "not both", "line 2"),
        (
            "{\"legs\": [\n\n{\"heading\": 0, \"seconds\": -1}]}",
            "seconds is -1: it must be more than 0",
            "line 3",
        ),
        ("{\"legs\": [{\"to\": [1, 2], \"speed\": 0}]}", "speed is 0", "line 1"),
        ("{\"legs\": [{\"seconds\": 1, \"height\": -1}]}", "height is -1", "line 1"),
        ("{\"legs\": [{\"to\": [1, 2], \"sped\": 1}]}", "unknown field `sped`", "line 1"),
        ("{\"character\": \"dragon\", \"legs\": []}", "unknown variant `dragon`", "line 1"),
        ("{\"legs\": [\n{\"to\": [1, 2]}\n", "EOF while parsing", "line 3"),
        ("{\"legs\": []}", "there are no legs", ""),
        ("{\"rate\": 0, \"legs\": [{\"to\": [1, 2]}]}", "rate is 0", ""),
        ("{\"legs\": [{\"seconds\": 400}, {\"seconds\": 400}]}", "at most 600 s", ""),
        (
            "{\"start\": [1e30, 0, 0], \"legs\": [{\"seconds\": 1}]}",
            "the start: feet.x is 1e30",
            "",
        ),
        ("", "EOF while parsing", "line 1"),
        ("{\"legs\": [\n{\"to\": [1, -1e30]}]}", "to is 1.0, -1e30: x and y must lie", "line 2"),
        ("{\"legs\": [\n{\"to\": [1e30, 1]}]}", "x and y must lie between", "line 2"),
        (
            "{\"rate\": 1000, \"legs\": [{\"seconds\": 100}, {\"seconds\": 0.001}]}",
            "up to 100001 moves at 1000 a second: at most 100000",
            "",
        ),
        (&many, "there are 1001 legs: at most 1000", ""),
    ];
    for (content, what, line) in cases {
        let script = file(&folder, "script.json", content);
        let error = refusal(&[&["walk", "--script", &script]]);
        assert!(error.contains(what) && error.contains(line), "{content}: {error}");
        assert!(error.contains("script.json") || what.starts_with("the start"), "{error}");
    }
    let missing = path(&folder, "missing.json");
    assert!(refusal(&[&["walk", "--script", &missing]]).contains("missing.json: No such file"));
}

/// The file system reports a length of 0 for the endless device.
#[cfg(unix)]
#[test]
fn an_endless_script_is_an_error() {
    let error = refusal(&[&["walk", "--script", "/dev/zero"]]);
    assert!(error.contains("/dev/zero: too long for a script"), "{error}");
}

#[test]
fn a_scene_without_walkable_ground_is_an_error_that_names_the_flags() {
    let folder = folder("walk_no_room");
    let wall = file(&folder, "wall.obj", "v 0 0 0\nv 0 9 0\nv 9 9 0\nf 1 2 3\n");
    let error = refusal(&[&["walk", &wall]]);
    assert!(error.contains("found no ground to start from") && error.contains("--up"), "{error}");
    assert!(refusal(&[&["walk", &path(&folder, "missing.obj")]]).contains("missing.obj"));
}

#[test]
fn an_unwritable_output_is_an_error() {
    let folder = folder("walk_unwritable");
    let inside = path(&folder, "missing/walk");
    for flag in ["--picture", "--trace"] {
        let name = format!("{inside}.svg");
        let error = refusal(&[&["walk", flag, &name]]);
        assert!(
            error.starts_with(&format!("error: cannot write {name}: No such file")),
            "{error}"
        );
    }
    let error = refusal(&[&["walk", "--picture", "walk.gif"]]);
    assert_eq!(error, "error: walk.gif: a picture's name ends in .svg, .png or .glb\n");
}

/// Walks every mesh of a folder. Run it with
/// `CAPSWEEP_MESHES=folder cargo test -p capsweep-cli --test command real_meshes`.
#[test]
fn real_meshes_are_walked() {
    let Ok(meshes) = std::env::var("CAPSWEEP_MESHES") else {
        eprintln!("skipped: CAPSWEEP_MESHES names no folder of meshes");
        return;
    };
    let mut walked = 0;
    for entry in std::fs::read_dir(meshes).unwrap() {
        let mesh = entry.unwrap().path();
        let name = mesh.to_str().unwrap();
        let extension = mesh.extension().and_then(|extension| extension.to_str());
        if !matches!(extension, Some("obj" | "gltf" | "glb")) {
            continue;
        }
        let how: &[&str] =
            if name.contains("voxel") { &["--up", "z", "--unit", "cm"] } else { &[] };
        let (walk, code) = ask(&[&["walk", name], how]);
        assert_eq!(code, 0, "{name}");
        assert!(number(&walk["achieved"]) > 5.0, "{name}: {}", walk["achieved"]);
        walked += 1;
    }
    assert!(walked > 0, "there are no meshes in the folder");
}
