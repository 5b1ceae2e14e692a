//! The level of the tests of claims: a floor, a wall without an end, a bank of 60° and a roof.

use super::*;
use crate::query_lines::piped;
use crate::scenes::{file, folder};
use std::fmt::Write;

/// An OBJ file with Z up. The floor is at z = 0, the wall from x = 4 to 4.3, the foot of the bank
/// at x = -4.
fn obj() -> String {
    let mut text = String::new();
    let mut count = 0;
    let mut body = |name: &str, corners: &[[f64; 3]], faces: &[&[usize]]| {
        let _ = writeln!(text, "o {name}");
        for [x, y, z] in corners {
            let _ = writeln!(text, "v {x} {y} {z}");
        }
        for face in faces {
            let numbers = face.iter().map(|corner| (count + corner).to_string());
            let _ = writeln!(text, "f {}", numbers.collect::<Vec<_>>().join(" "));
        }
        count += corners.len();
    };
    let cuboid: [&[usize]; 6] =
        [&[4, 3, 2, 1], &[5, 6, 7, 8], &[1, 2, 6, 5], &[2, 3, 7, 6], &[3, 4, 8, 7], &[4, 1, 5, 8]];
    let corners = |low: [f64; 3], high: [f64; 3]| {
        let level = |z| {
            [
                [low[0], low[1], z],
                [high[0], low[1], z],
                [high[0], high[1], z],
                [low[0], high[1], z],
            ]
        };
        [level(low[2]), level(high[2])].concat()
    };
    body("floor", &corners([-10.0, -10.0, -1.0], [10.0, 10.0, 0.0]), &cuboid);
    body("wall", &corners([4.0, -10.0, 0.0], [4.3, 10.0, 3.0]), &cuboid);
    let [foot, top] = [-4.0, 6.0 * 3f64.sqrt()];
    body(
        "bank",
        &[
            [-10.0, -4.0, 0.0],
            [foot, -4.0, 0.0],
            [-10.0, -4.0, top],
            [-10.0, 4.0, 0.0],
            [foot, 4.0, 0.0],
            [-10.0, 4.0, top],
        ],
        &[&[1, 2, 3], &[6, 5, 4], &[2, 5, 6, 3], &[1, 3, 6, 4], &[1, 4, 5, 2]],
    );
    text
}

/// Writes the level; the folder is that of a test.
pub(crate) fn yard(test: &str) -> String {
    file(&folder(test), "yard.obj", obj())
}

/// The verdicts on lines from stdin as JSON, stderr, and the exit code.
pub(crate) fn judged(test: &str, words: &[&str], lines: &[Value]) -> (Vec<Value>, String, i32) {
    judged_text(test, words, &log_of(lines))
}

pub(crate) fn judged_text(test: &str, words: &[&str], lines: &str) -> (Vec<Value>, String, i32) {
    let yard = yard(test);
    let first = ["validate", &yard, "-", "--up", "z", "--json"];
    let Output { stdout, stderr, status } = piped(&[&first, words], lines.as_bytes());
    let verdicts = text(&stdout).lines().map(|line| serde_json::from_str(line).unwrap());
    (verdicts.collect(), text(&stderr).to_owned(), status.code().unwrap())
}

/// The text of a log.
pub(crate) fn log_of(lines: &[Value]) -> String {
    let lines: Vec<String> = lines.iter().map(|line| line.to_string() + "\n").collect();
    lines.concat()
}

/// The verdicts on lines in the built-in course, in one word each.
pub(crate) fn words_in_course(test: &str, lines: &[Value]) -> Vec<String> {
    let log = file(&folder(test), "log.jsonl", log_of(lines));
    let Output { stdout, .. } = run(&[&["validate", &log, "--json"]]);
    let verdicts = text(&stdout).lines().map(|line| serde_json::from_str(line).unwrap());
    let verdicts: Vec<Value> = verdicts.collect();
    words_of(&verdicts).into_iter().map(str::to_owned).collect()
}

pub(crate) fn start(feet: [f64; 3]) -> Value {
    json!({"event": "start", "feet": feet})
}

pub(crate) fn claim(feet: [f64; 3], dt: f64) -> Value {
    json!({"feet": feet, "dt": dt})
}

/// The object with one more key.
pub(crate) fn with(mut line: Value, key: &str, value: impl Into<Value>) -> Value {
    line[key] = value.into();
    line
}

/// The verdicts in one word each.
pub(crate) fn words_of(verdicts: &[Value]) -> Vec<&str> {
    verdicts
        .iter()
        .map(|verdict| {
            let reason = verdict["reason"].as_str();
            reason.or(verdict["verdict"].as_str()).unwrap_or("error")
        })
        .collect()
}
