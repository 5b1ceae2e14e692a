use super::*;
use crate::scenes::{ROOM, file, folder, path};
use std::fs;

/// Records a short walk through a room. Returns the room and the trace.
fn trace_of_a_room(folder: &std::path::Path) -> [String; 2] {
    let room = file(folder, "room.obj", ROOM);
    let script = r#"{"start": [0, 0, 0], "legs": [{"heading": 20, "seconds": 2}]}"#;
    let script = file(folder, "script.json", script);
    let trace = path(folder, "walk.jsonl");
    let walk = run(&[&["walk", &room, "--script", &script, "--trace", &trace]]);
    assert_eq!(walk.status.code(), Some(0));
    [room, trace]
}

#[test]
fn the_course_with_its_platform_replays_to_the_same_bits() {
    let folder = folder("replay_course");
    let trace = path(&folder, "walk.jsonl");
    assert_eq!(run(&[&["walk", "--trace", &trace]]).status.code(), Some(0));
    let (answer, code) = ask(&[&["replay", &trace]]);
    let moves = fs::read_to_string(&trace).unwrap().lines().count() - 1;
    let expected = json!({
        "same": true, "scene": "the built-in course", "moves": moves, "differing": 0,
        "differences": [],
    });
    assert_eq!((answer, code), (expected, 0));
    let Output { stdout, .. } = run(&[&["replay", &trace]]);
    assert_eq!(
        text(&stdout),
        format!("{moves} moves through the built-in course: the same bits\n")
    );
}

#[test]
fn a_replay_does_not_depend_on_the_build_of_the_trees() {
    let folder = folder("replay_scene");
    let [room, trace] = trace_of_a_room(&folder);
    assert_eq!(ask(&[&["replay", &trace, &room]]).1, 0);
    let built = path(&folder, "room.capsweep");
    assert_eq!(run(&[&["build", &room, "-o", &built]]).status.code(), Some(0));
    assert_eq!(ask(&[&["replay", &trace, &built]]).1, 0);
}

#[test]
fn a_changed_bit_is_found_and_listed() {
    let folder = folder("replay_differs");
    let [room, trace] = trace_of_a_room(&folder);
    let mut lines: Vec<String> =
        fs::read_to_string(&trace).unwrap().lines().map(str::to_owned).collect();
    let mut record: Value = serde_json::from_str(&lines[7]).unwrap();
    let x = record["outcome"]["state"]["center"][0].as_f64().unwrap();
    record["outcome"]["state"]["center"][0] = json!(x.next_up());
    record["outcome"]["stepped"] = json!(true);
    lines[7] = record.to_string();
    let changed = file(&folder, "changed.jsonl", lines.join("\n"));
    let (answer, code) = ask(&[&["replay", &changed, &room]]);
    assert_eq!((code, &answer["same"], &answer["differing"]), (1, &json!(false), &json!(1)));
    let difference = &answer["differences"][0];
    assert_eq!(difference["move"], 7);
    let names: Vec<_> =
        difference["parts"].as_array().unwrap().iter().map(|part| &part["name"]).collect();
    assert_eq!(names, ["state.center", "state", "stepped"]);
    let Output { stdout, status, .. } = run(&[&["replay", &changed, &room]]);
    assert_eq!(status.code(), Some(1));
    assert!(text(&stdout).starts_with(
        "1 of 120 moves through room.obj differ\n  move 7, line 8\n    state.center\n"
    ));
    assert!(text(&stdout).contains("recorded true\n      replayed false"));
}

#[test]
fn many_differences_are_counted_and_the_first_are_listed() {
    let folder = folder("replay_differs_much");
    let [room, trace] = trace_of_a_room(&folder);
    let changed =
        fs::read_to_string(&trace).unwrap().replace("\"stepped\":false", "\"stepped\":true");
    let changed = file(&folder, "changed.jsonl", changed);
    let (answer, code) = ask(&[&["replay", &changed, &room]]);
    assert_eq!((code, &answer["differing"]), (1, &json!(120)));
    assert_eq!(answer["differences"].as_array().unwrap().len(), 10);
    assert!(text(&run(&[&["replay", &changed, &room]]).stdout).ends_with("\n  and 110 more\n"));
}

#[test]
fn another_scene_is_an_error() {
    let folder = folder("replay_wrong_scene");
    let [room, trace] = trace_of_a_room(&folder);
    let error = refusal(&[&["replay", &trace]]);
    assert!(error.contains("is a walk through room.obj: give that SCENE too"), "{error}");
    // Another scene: one corner moved, and the same file with another unit.
    let other = file(&folder, "other.obj", ROOM.replace("v 4 3 4", "v 4 3.5 4"));
    for words in [&["replay", &trace, &other][..], &["replay", &trace, &room, "--unit", "cm"]] {
        let error = refusal(&[words]);
        assert!(
            error.contains("belongs to another scene") && error.contains("fingerprint"),
            "{error}"
        );
    }
}

#[test]
fn a_bad_trace_is_an_error_with_its_line() {
    let folder = folder("replay_bad");
    let [room, trace] = trace_of_a_room(&folder);
    let whole = fs::read_to_string(&trace).unwrap();
    let head = whole.lines().next().unwrap();
    let huge = format!("{head}\n{}", "[".repeat(1 << 21));
    let second = whole.lines().nth(1).unwrap();
    let cut = whole.split_inclusive('\n').take(119).collect::<String>();
    let moved = second.replace(
        "\"carrier\":null",
        concat!(
            "\"carrier\":{\"body\":{\"index\":7,\"generation\":0},\"ride\":\"Full\",",
            "\"previous\":{\"position\":[0.0,0.0,0.0],\"rotation\":[0.0,0.0,0.0,1.0],",
            "\"scale\":[1.0,1.0,1.0]},",
            "\"next\":{\"position\":[0.0,0.0,0.0],\"rotation\":[0.0,0.0,0.0,1.0],",
            "\"scale\":[1.0,1.0,1.0]}}",
        ),
    );
    let cases = [
        (String::new(), "line 1: the file is empty"),
        ("hello\n".to_owned(), "a trace begins with a line that names its scene"),
        (
            head.replace("\"capsweep_trace\":3", "\"capsweep_trace\":1"),
            "line 1: this is a trace of version 1",
        ),
        (format!("{head}\n{{}}\n"), "line 2: missing field `config`"),
        (whole[..whole.len() - 30].to_owned(), "line 121: EOF while parsing"),
        (whole.replacen("\"radius\":0.3", "\"radius\":-1", 1), "line 2: radius"),
        (format!("{head}\n{moved}\n"), "line 2: "),
        (
            format!("{head}\n"),
            "line 2: the trace ends after 0 moves, but its first line declares 120",
        ),
        (cut, "line 120: the trace ends after 118 moves, but its first line declares 120"),
        (format!("{whole}{second}\n"), "the trace ends after 121 moves"),
        (huge, "line 2: longer than 1048576 bytes"),
    ];
    for (content, what) in cases {
        let bad = file(&folder, "bad.jsonl", content);
        let error = refusal(&[&["replay", &bad, &room]]);
        assert!(error.contains(what) && error.contains("bad.jsonl"), "{what}: {error}");
    }
    assert!(refusal(&[&["replay", &path(&folder, "missing.jsonl")]]).contains("missing.jsonl"));
    assert!(refusal(&[&["replay"]]).contains("<TRACE>"));
}
