//! The lines of a log: bad ones, many, interleaved, streamed.

use super::*;
use crate::query_lines::piped;
use crate::scenes::{file, folder};
use crate::yard::{claim, judged, judged_text, log_of, start, with, words_of, yard};
use std::io::{BufRead, BufReader, Write};

#[test]
fn a_bad_line_is_an_error_with_its_number_and_its_key() {
    let long =
        format!("{{\"event\":\"start\",\"character\":{:?},\"feet\":[0,0,0]}}", "x".repeat(257));
    for (line, wanted) in [
        ("", "the line is blank"),
        ("  ", "the line is blank"),
        ("[1,2]", "a line is a JSON object"),
        ("{\"feet\":[0,0,0],\"dt\":0.1", "EOF while parsing"),
        ("{\"feet\":[0,0,0]}", "missing field `dt`"),
        ("{\"dt\":1}", "missing field `feet`"),
        ("{\"feet\":[0,0],\"dt\":1}", "(column "),
        ("{\"feet\":[0,0,NaN],\"dt\":1}", "expected value (column 14)"),
        ("{\"feet\":[0,0,1e999],\"dt\":1}", "number out of range"),
        ("{\"feet\":[0,0,\"a\"],\"dt\":1}", "expected f64"),
        ("{\"feet\":[0,0,0],\"dt\":1,\"sped\":1}", "unknown field `sped`"),
        ("{\"feet\":[0,0,0],\"dt\":1,\"dt\":1}", "duplicate field `dt`"),
        ("{\"feet\":[0,0,0],\"dt\":1,\"mode\":\"dig\"}", "unknown variant `dig`"),
        ("{\"feet\":[0,0,0],\"dt\":1,\"world\":-1}", "expected u64"),
        ("{\"feet\":[0,0,0],\"dt\":1,\"inputs\":[{\"walk\":[0,0,0]}]}", "missing field `dt`"),
        ("{\"feet\":[0,0,0],\"dt\":1,\"character\":1.5}", "a name as a string, or a number"),
        ("{\"event\":\"sneeze\"}", "unknown variant `sneeze`"),
        ("{\"event\":\"start\"}", "missing field `feet`"),
        ("{\"event\":\"start\",\"feet\":[1e30,0,0]}", "feet.x is 1e30"),
        ("{\"event\":\"start\",\"feet\":[0,0,0],\"dt\":1}", "unknown field `dt`"),
        (
            "{\"event\":\"start\",\"feet\":[0,0,0],\"speeds\":{\"ground\":-1}}",
            "speeds.ground is -1",
        ),
        ("{\"event\":\"start\",\"feet\":[0,0,0],\"speeds\":{\"run\":1}}", "unknown field `run`"),
        ("{\"event\":\"start\",\"feet\":[0,0,0],\"velocity\":[0,1e30,0]}", "velocity.y is 1e30"),
        ("{\"event\":\"start\",\"feet\":[0,0,0],\"height\":-1}", "height is -1"),
        ("{\"event\":\"displace\",\"displacement\":[0,0,1e30]}", "displacement.z is 1e30"),
        ("{\"event\":\"knock_back\",\"velocity\":[0,0,1e30]}", "velocity.z is 1e30"),
        ("{\"event\":\"knock_back\",\"velocity\":[0,0,1],\"window\":-1}", "window is -1"),
        ("{\"event\":\"speeds\",\"speeds\":{\"swim\":1e30}}", "speeds.swim is 1e30"),
        ("{\"event\":\"speeds\",\"speeds\":{},\"window\":1e30}", "window is 1"),
        ("{\"event\":\"abilities\",\"abilities\":{\"hover\":-1}}", "abilities.hover is -1"),
        ("{\"event\":\"abilities\",\"abilities\":{\"dig\":true}}", "unknown field `dig`"),
        ("{\"event\":\"height\",\"height\":-1}", "height is -1"),
        ("{\"event\":\"body\",\"body\":3,\"position\":[0,0,0]}", "the level has no body 3"),
        ("{\"event\":\"body\",\"body\":0,\"position\":[0,0,1e30]}", "position.z is 1e30"),
        (
            "{\"event\":\"body\",\"body\":0,\"character\":1,\"position\":[0,0,0]}",
            "unknown field `character`",
        ),
        ("{\"feet\":[0,0,0],\"dt\":1,\"character\":\"bert\"}", "character bert has no start"),
        ("{\"event\":\"end\",\"character\":\"bert\"}", "character bert has no start"),
        (&long, "character is a name of 257 bytes: at most 256"),
    ] {
        let good = "{\"event\":\"start\",\"feet\":[0,0,0]}\n{\"feet\":[0.1,0,0],\"dt\":0.1}\n";
        let lines = format!("{good}{line}\n{{\"feet\":[0.2,0,0],\"dt\":0.1}}\n");
        let (verdicts, stderr, code) = judged_text("lines_bad", &[], &lines);
        assert_eq!(
            (words_of(&verdicts), code),
            (vec!["possible", "error", "possible"], 2),
            "{line}"
        );
        let error = verdicts[1]["error"].as_str().unwrap();
        assert!(error.starts_with("line 3: ") && error.contains(wanted), "{line}: {error}");
        assert!(stderr.contains("; 1 bad line; "), "{stderr}");
    }
}

#[test]
fn text_errors_are_escaped_and_have_the_line() {
    let yard = yard("lines_text");
    let lines = "{\"feet\":[0,0,0],\"dt\":1,\"character\":\"\\u001b[31m\"}\n";
    let output = piped(&[&["validate", &yard, "-"]], lines.as_bytes());
    let shown = text(&output.stdout);
    assert!(shown.starts_with("line 1: error: character \\u{1b}[31m has no start"), "{shown}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn nothing_is_no_error() {
    let (verdicts, stderr, code) = judged_text("lines_none", &[], "");
    assert_eq!((verdicts.len(), code), (0, 0));
    assert!(stderr.starts_with("0 claims: "), "{stderr}");
}

/// Characters take turns; each is judged by its own last claim. A number is not a name.
#[test]
fn interleaved_characters_are_independent() {
    let keys = [json!("anna"), json!(7), json!("7"), Value::Null];
    let mut lines = Vec::new();
    for (key, y) in keys.iter().zip([0.0, 2.0, -2.0, -4.0]) {
        lines.push(with(start([0.0, y, 0.0]), "character", key.clone()));
    }
    for step in 1..=5 {
        for (key, y) in keys.iter().zip([0.0, 2.0, -2.0, -4.0]) {
            let is_cheat = *key == json!(7) && step == 3;
            let x = 0.3 * f64::from(step) + if is_cheat { 3.0 } else { 0.0 };
            lines.push(with(claim([x, y, 0.0], 0.1), "character", key.clone()));
        }
    }
    let (verdicts, _, code) = judged("lines_interleaved", &["--put-back"], &lines);
    assert_eq!((verdicts.len(), code), (20, 1));
    for (index, verdict) in verdicts.iter().enumerate() {
        assert_eq!(verdict["line"], 5 + index as u64);
        assert_eq!(verdict["character"], keys[index % 4], "{verdict}");
        let is_cheat = index == 2 * 4 + 1;
        assert_eq!(verdict["verdict"] == "impossible", is_cheat, "{verdict}");
    }
}

/// Much longer than one read. The order and the bits do not depend on the threads.
#[test]
fn a_long_log_has_the_same_answers_on_any_number_of_threads() {
    let mut log = Vec::new();
    for character in 0..20 {
        let feet = [-2.0 + 0.2 * f64::from(character), -8.0, 0.0];
        log.push(with(start(feet), "character", character));
    }
    for step in 1..400 {
        for character in 0..20 {
            let along = 0.35 * f64::from(step % 40 - 20).abs();
            let x = -2.0 + 0.2 * f64::from(character);
            let line = claim([x, -8.0 + 7.0 - along, 0.0], 0.1);
            log.push(with(line, "character", character));
        }
    }
    let log = log_of(&log);
    assert!(log.len() > 300_000, "{}", log.len());
    let (yard, folder) = (yard("lines_long"), folder("lines_long"));
    let log = file(&folder, "log.jsonl", log);
    let words = ["validate", &yard, &log, "--up", "z", "--json"];
    let one = run(&[&words, &["--threads", "1"]]);
    let many = run(&[&words, &["--threads", "8"]]);
    assert_eq!(one.stdout, many.stdout);
    let lines: Vec<Value> =
        text(&one.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 399 * 20);
    assert!(lines.iter().zip(21u64..).all(|(verdict, line)| verdict["line"] == line));
    let possible = lines.iter().filter(|verdict| verdict["verdict"] == "possible").count();
    assert!(possible > 399 * 19, "{possible}");
}

/// A server can pipe its claims: each gets its verdict at once.
#[test]
fn a_line_on_a_pipe_is_answered_at_once() {
    let yard = yard("lines_pipe_at_once");
    let mut child = command(&[&["validate", &yard, "-", "--up", "z"]])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    writeln!(stdin, "{}", start([0.0; 3])).unwrap();
    for (x, wanted) in [(0.3, "line 2: possible\n"), (5.0, "line 3: impossible: too fast by")] {
        writeln!(stdin, "{}", claim([x, 0.0, 0.0], 0.1)).unwrap();
        let mut answer = String::new();
        stdout.read_line(&mut answer).unwrap();
        assert!(answer.starts_with(wanted), "{answer}");
    }
    drop(stdin);
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(1));
}

#[test]
fn a_closed_pipe_ends_the_run_without_an_error() {
    let (yard, folder) = (yard("lines_closed"), folder("lines_closed"));
    let many = format!("{}\n", claim([0.0; 3], 0.1)).repeat(50_000);
    let log = file(&folder, "log.jsonl", format!("{}\n{many}", start([0.0; 3])));
    let mut child = command(&[&["validate", &yard, &log, "--up", "z"]])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert_eq!(first, "line 2: possible\n");
    let Output { stderr, status, .. } = child.wait_with_output().unwrap();
    assert_eq!(status.code(), Some(0), "{}", text(&stderr));
}

/// The blocks of a page after a heading: the log, the command, and what it prints.
fn example<'a>(page: &'a str, heading: &str) -> [&'a str; 2] {
    let (_, rest) = page.split_once(heading).unwrap();
    let block = |kind: &str| {
        let (_, rest) = rest.split_once(&format!("```{kind}\n")).unwrap();
        rest.split_once("```").unwrap().0
    };
    [block("json"), block("console")]
}

/// docs/claim-lines.md and docs/validate.md show a log and what the command prints for it.
#[test]
fn the_examples_in_the_documentation_print_what_they_show() {
    let folder = folder("lines_documented");
    let lines = include_str!("../../../../docs/claim-lines.md");
    let validate = include_str!("../../../../docs/validate.md");
    let [log, _] = example(lines, "# Claim lines");
    file(&folder, "claims.jsonl", log);
    let mut commands = 0;
    for block in [example(lines, "# Claim lines")[1], console(validate, "## A log of claims")] {
        for part in block.split("$ capsweep ").skip(1) {
            let (words, shown) = part.split_once('\n').unwrap();
            let words: Vec<&str> = words.split_whitespace().collect();
            let Output { stdout, stderr, .. } =
                command(&[&words]).current_dir(&folder).output().unwrap();
            let summary = text(&stderr).split("; ").next().unwrap().trim();
            let printed = format!("{}{summary}", text(&stdout));
            if words[0] == "validate" {
                // The queries and the time are left out.
                let shown = shown.trim_end();
                let shown = shown.rsplit_once(';').map_or(shown, |(shown, _)| shown);
                assert_eq!(printed.trim_end(), shown, "{words:?}");
            }
            commands += 1;
        }
    }
    assert_eq!(commands, 3);
}

fn console<'a>(page: &'a str, heading: &str) -> &'a str {
    let (_, rest) = page.split_once(heading).unwrap();
    let (_, rest) = rest.split_once("```console\n").unwrap();
    rest.split_once("```").unwrap().0
}

/// Each line of the tables of events in docs/claim-lines.md is read.
#[test]
fn every_event_in_the_documentation_is_read() {
    let page = include_str!("../../../../docs/claim-lines.md");
    let (_, events) = page.split_once("## Events").unwrap();
    let (_, events) = events.split_once("```json\n").unwrap();
    let events = events.split_once("```").unwrap().0;
    let log = file(&folder("lines_events"), "log.jsonl", events);
    let Output { stdout, stderr, status } = run(&[&["validate", &log]]);
    assert_eq!((text(&stdout), status.code()), ("", Some(0)), "{}", text(&stderr));
    for event in
        ["start", "displace", "knock_back", "speeds", "abilities", "height", "end", "body"]
    {
        assert!(events.contains(&format!("\"event\":\"{event}\"")), "{event}");
    }
}
