//! `capsweep validate`: every verdict, both formats, exit codes.

use super::*;
use crate::scenes::{ROOM, file, folder, path};
use crate::yard::{claim, judged, start, with, words_of, yard};

/// Claims of one character after a start: the verdicts of all, and the exit code.
fn verdicts(test: &str, words: &[&str], lines: &[Value]) -> (Vec<Value>, i32) {
    let (verdicts, _, code) = judged(test, words, lines);
    (verdicts, code)
}

#[track_caller]
fn impossible(test: &str, lines: &[Value]) -> Value {
    let (verdicts, code) = verdicts(test, &[], lines);
    let last = verdicts.last().unwrap().clone();
    assert_eq!((last["verdict"].as_str(), code), (Some("impossible"), 1), "{last}");
    let before = &verdicts[..verdicts.len() - 1];
    assert!(words_of(before).iter().all(|word| *word == "possible"), "{before:?}");
    last
}

#[test]
fn a_run_and_a_jump_are_possible() {
    let lines = [
        start([0.0, 0.0, 0.0]),
        claim([0.4, 0.0, 0.0], 0.1),
        with(claim([0.8, 0.0, 0.0], 0.1), "mode", "walk"),
        // A jump at 3.13 m/s is 0.264 m high after 0.1 s.
        with(claim([1.2, 0.0, 0.26], 0.1), "velocity", json!([4.0, 0.0, 3.0])),
    ];
    let (verdicts, stderr, code) = judged("validate_run", &[], &lines);
    assert_eq!((words_of(&verdicts), code), (vec!["possible"; 3], 0));
    assert_eq!(verdicts[0]["line"], 2);
    assert_eq!(
        (&verdicts[1]["support"], &verdicts[2]["support"]),
        (&json!("ground"), &json!("air"))
    );
    assert!(number(&verdicts[0]["reach_credit"]) > 0.0);
    let summary = "3 claims: 3 possible, 0 impossible, 0 undecided; ";
    assert!(stderr.starts_with(summary) && stderr.lines().count() == 1, "{stderr}");
}

#[test]
fn too_fast() {
    let found = impossible("validate_fast", &[start([0.0; 3]), claim([3.0, 0.0, 0.0], 0.1)]);
    assert_eq!(found["reason"], "too_fast");
    // 3 m; 0.5 m at 5 m/s, 0.25 m of latency, and some millimetres of rounding.
    assert!((number(&found["excess"]) - 2.25).abs() < 0.02, "{found}");
    assert_eq!((&found["at"], &found["from"]), (&json!([3.0, 0.0, 0.0]), &json!([0.0, 0.0, 0.0])));
}

#[test]
fn through_a_surface_names_the_surface() {
    let lines = [start([3.6, 0.0, 0.0]), claim([4.7, 0.0, 0.0], 0.3)];
    let found = impossible("validate_wall", &lines);
    assert_eq!(found["reason"], "through_surface");
    assert_eq!(
        (&found["surface"]["tag_name"], &found["surface"]["instance"]),
        (&json!("wall"), &json!(0))
    );
    assert!((number(&found["at"][0]) - 4.0).abs() < 1e-6, "on the near side: {found}");
    assert_eq!(found["surface"]["normal"], json!([-1.0, 0.0, 0.0]));
}

#[test]
fn inside_geometry() {
    let lines = [start([3.6, 0.0, 0.0]), claim([4.15, 0.0, 0.0], 0.2)];
    let found = impossible("validate_inside", &lines);
    assert_eq!(found["reason"], "inside_geometry");
    assert!(number(&found["depth"]) > 0.1, "{found}");
}

/// A capsule of radius 0.32 with its skin rests 0.32 m over the bank of 60°.
#[test]
fn too_steep() {
    let on_bank = |x: f64| [x, 0.0, (-4.0 - x) * 3f64.sqrt() + 0.32];
    let lines = [start(on_bank(-5.5)), claim(on_bank(-5.7), 0.2), claim(on_bank(-5.9), 0.2)];
    assert_eq!(impossible("validate_steep", &lines)["reason"], "too_steep");
}

#[test]
fn too_high() {
    let found = impossible("validate_high", &[start([0.0; 3]), claim([0.0, 0.0, 3.0], 0.1)]);
    assert_eq!(found["reason"], "too_high");
    assert!(number(&found["excess"]) > 2.0, "{found}");
}

#[test]
fn hovering() {
    let lines = [
        with(start([0.0, 0.0, 5.0]), "velocity", json!([0.0, 0.0, 0.0])),
        claim([0.0, 0.0, 5.0], 0.3),
    ];
    let found = impossible("validate_hover", &lines);
    assert_eq!((&found["reason"], &found["since"]), (&json!("hovering"), &json!(0.3)));
}

#[test]
fn wrong_mode() {
    for mode in ["swim", "fly", "water_walk"] {
        let lines = [start([0.0; 3]), with(claim([0.0; 3], 0.1), "mode", mode)];
        assert_eq!(impossible("validate_mode", &lines)["reason"], "wrong_mode", "{mode}");
    }
}

#[test]
fn clock_ahead() {
    let lines = [start([0.0; 3]), with(claim([0.0; 3], 1.0), "server_dt", 0.1)];
    let found = impossible("validate_clock", &lines);
    assert_eq!(found["reason"], "clock_ahead");
    assert!((number(&found["excess"]) - 0.65).abs() < 1e-9, "{found}");
}

#[test]
fn wrong_world() {
    let lines = [start([0.0; 3]), with(claim([0.0; 3], 0.1), "world", 7)];
    assert_eq!(impossible("validate_world", &lines)["reason"], "wrong_world");
    let (found, code) = verdicts("validate_world", &["--world", "7"], &lines);
    assert_eq!((words_of(&found), code), (vec!["possible"], 0));
}

#[test]
fn invalid_number() {
    for line in [claim([0.0, 1e30, 0.0], 0.1), claim([0.0; 3], -1.0), claim([0.0; 3], 1e300)] {
        let found = impossible("validate_number", &[start([0.0; 3]), line]);
        assert_eq!(found["reason"], "invalid_number");
    }
}

/// A limit of queries: the way around the wall is not searched to its end.
#[test]
fn an_undecided_claim_is_printed_and_no_failure() {
    let lines = [start([3.6, 0.0, 0.0]), claim([4.7, 0.0, 0.0], 0.3)];
    let (found, stderr, code) = judged("validate_undecided", &["--max-queries", "10"], &lines);
    assert_eq!((words_of(&found), code), (vec!["undecided"], 0));
    assert!(stderr.starts_with("1 claim: 0 possible, 0 impossible, 1 undecided; "), "{stderr}");
}

#[test]
fn text_has_line_character_verdict_reason_and_place() {
    let yard = yard("validate_text");
    let log = "\
{\"event\":\"start\",\"character\":\"anna\",\"feet\":[3.6,0,0]}
{\"event\":\"start\",\"character\":7,\"feet\":[0,0,0]}
{\"character\":7,\"feet\":[0.4,0,0],\"dt\":0.1}
{\"character\":\"anna\",\"feet\":[4.7,0,0],\"dt\":0.3}
{\"character\":7,\"feet\":[9,0,0],\"dt\":0.1}
";
    let log = file(&folder("validate_text"), "log.jsonl", log);
    let words = ["validate", &yard, &log, "--up", "z"];
    let Output { stdout, stderr, status } = run(&[&words]);
    let lines: Vec<&str> = text(&stdout).lines().collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0], "line 3: 7: possible");
    let through = "line 4: anna: impossible: through a surface, triangle ";
    assert!(
        lines[1].starts_with(through) && lines[1].contains("\"wall\", at 4,0,"),
        "{}",
        lines[1]
    );
    assert!(lines[2].starts_with("line 5: 7: impossible: too fast by "), "{}", lines[2]);
    assert!(lines[2].ends_with(", at 9,0,0"), "{}", lines[2]);
    let summary =
        "3 claims: 1 possible, 2 impossible (1 through_surface, 1 too_fast), 0 undecided;";
    assert!(text(&stderr).starts_with(summary), "{}", text(&stderr));
    assert_eq!(status.code(), Some(1));
    let Output { stdout, .. } = run(&[&words, &["--brief"]]);
    assert_eq!(text(&stdout).lines().collect::<Vec<_>>(), lines[1..]);
}

/// The claim after an alarm is judged from the claimed position, or from the last accepted one.
#[test]
fn a_chain_goes_on_from_an_impossible_claim_unless_it_is_put_back() {
    let lines = [
        start([0.0; 3]),
        claim([3.0, 0.0, 0.0], 0.1),
        claim([3.2, 0.0, 0.0], 0.1),
        claim([0.2, 0.0, 0.0], 0.1),
    ];
    let (found, _) = verdicts("validate_after", &[], &lines);
    assert_eq!(words_of(&found), ["too_fast", "possible", "too_fast"]);
    let (found, _) = verdicts("validate_after", &["--put-back"], &lines);
    assert_eq!(words_of(&found), ["too_fast", "too_fast", "possible"]);
    // A position out of range, or of another world, is no place to go on from.
    let lines = [
        start([0.0; 3]),
        claim([0.0, 1e30, 0.0], 0.1),
        with(claim([8.0, 0.0, 0.0], 0.1), "world", 3),
        claim([0.2, 0.0, 0.0], 0.1),
    ];
    let (found, _) = verdicts("validate_after", &[], &lines);
    assert_eq!(words_of(&found), ["invalid_number", "wrong_world", "possible"]);
}

#[test]
fn flags_change_the_rules() {
    let run_at_8 = [start([0.0; 3]), claim([2.4, 0.0, 0.0], 0.3)];
    let swim = [
        start([0.0, 0.0, 3.0]),
        with(claim([0.2, 0.0, 3.0], 0.2), "mode", "swim"),
        with(claim([0.4, 0.0, 3.0], 0.2), "mode", "swim"),
    ];
    let high_step = [start([0.0; 3]), claim([0.0, 0.0, 1.9], 0.4)];
    let off_by_a_metre = [start([0.0; 3]), claim([1.4, 0.0, 0.0], 0.1)];
    let clock = [start([0.0; 3]), with(claim([0.0; 3], 1.0), "server_dt", 0.1)];
    let under_wall_height = [start([3.6, 0.0, 0.0]), claim([3.85, 0.0, 0.0], 0.1)];
    for (lines, flags) in [
        (&run_at_8[..], &["--ground-speed", "8"][..]),
        (&swim, &["--water", "5"]),
        (&high_step, &["--jump-speed", "12"]),
        (&off_by_a_metre, &["--latency", "0.3"]),
        (&off_by_a_metre, &["--position", "0.3"]),
        (&clock, &["--clock", "1"]),
        (&under_wall_height, &["--radius", "0.1"]),
    ] {
        let (found, code) = verdicts("validate_flags", &[], lines);
        assert_eq!(code, 1, "{found:?}");
        let (found, code) = verdicts("validate_flags", flags, lines);
        assert_eq!(
            (code, words_of(&found).contains(&"possible")),
            (0, true),
            "{flags:?}: {found:?}"
        );
    }
}

#[test]
fn bad_flags_and_files_are_errors() {
    let yard = yard("validate_refused");
    let folder = folder("validate_refused");
    let log = file(&folder, "log.jsonl", "{\"event\":\"start\",\"feet\":[0,0,0]}\n");
    for (words, wanted) in [
        (&["--latency", "-1"][..], "allowances.latency is -1"),
        (&["--radius", "0"], "radius is 0"),
        (&["--slope", "120"], "--slope 120"),
        (&["--ground-speed", "-3"], "--ground-speed -3: it must be 0 to 1000000"),
        (&["--water", "deep"], "neither a height nor none"),
        (&["--picture", "alarms.glb"], "alarms.glb: the name of a picture of claims ends in"),
        (&["--picture", &log], "the name of a picture of claims ends in .svg or .png"),
        (&["--centre", "1,2"], "--picture"),
        (&["--picture", "a.svg", "--centre", "1,2"], "--centre needs 3 numbers x,y,z"),
    ] {
        let error = refusal(&[&["validate", &yard, &log], words]);
        assert!(error.contains(wanted), "{words:?}: {error}");
    }
    let error = refusal(&[&["validate", &yard]]);
    assert!(error.contains("yard.obj is a level: give the log of claims, too"), "{error}");
    let missing = path(&folder, "missing.jsonl");
    let error = refusal(&[&["validate", &yard, &missing]]);
    assert!(error.starts_with(&format!("error: cannot read {missing}: No such file")), "{error}");
    let error = refusal(&[&["validate", &path(&folder, "missing.obj"), &log]]);
    assert!(error.contains("missing.obj: No such file"), "{error}");
}

/// Everything that the controller does is possible: stairs, a fall, a jump, a crouch, a ride.
#[test]
fn the_claims_of_a_walk_are_possible() {
    let folder = folder("validate_walk");
    let claims = path(&folder, "walk.jsonl");
    assert_eq!(run(&[&["walk", "--claims", &claims]]).status.code(), Some(0));
    let log = std::fs::read_to_string(&claims).unwrap();
    for event in ["start", "height", "body"] {
        assert!(log.contains(&format!("\"event\":\"{event}\"")), "{event}");
    }
    let Output { stdout, stderr, status } = run(&[&["validate", &claims, "--json"]]);
    let verdicts: Vec<&str> = text(&stdout).lines().collect();
    assert!(verdicts.len() > 230 && status.code() == Some(0), "{}", text(&stderr));
    assert!(verdicts.iter().all(|line| line.contains("\"verdict\":\"possible\"")));
    // Without the platform's motion the ride is a flight, and without the crouch it is in a beam.
    for (event, reason) in [("body", "hovering"), ("height", "inside_geometry")] {
        let left_out = format!("\"event\":\"{event}\"");
        let less: Vec<&str> = log.lines().filter(|line| !line.contains(&left_out)).collect();
        let less = file(&folder, "less.jsonl", less.join("\n"));
        let Output { stdout, status, .. } = run(&[&["validate", &less, "--json"]]);
        assert_eq!(status.code(), Some(1), "{event}");
        assert!(text(&stdout).contains(reason), "{event}: {}", text(&stdout));
    }
    let room = file(&folder, "room.obj", ROOM);
    assert_eq!(run(&[&["walk", &room, "--claims", &claims]]).status.code(), Some(0));
    let Output { stderr, status, .. } = run(&[&["validate", &room, &claims]]);
    assert_eq!(status.code(), Some(0), "{}", text(&stderr));
}
