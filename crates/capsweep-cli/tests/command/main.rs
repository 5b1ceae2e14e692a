//! Runs the real binary: every subcommand, every exit code, both formats, and bad input.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failed helper must stop its test"
)]

mod bad_input;
mod bench;
mod build;
mod claim_events;
mod claim_lines;
mod claim_pictures;
mod closest;
mod escapes;
mod files;
mod help;
mod import;
mod inspect;
mod liquid;
mod many;
mod map;
mod oracle;
mod outputs;
mod overlap;
mod pictures;
mod query_lines;
mod ray;
mod readme;
mod replay;
mod scene;
mod scenes;
mod streams;
mod supports;
mod sweep;
mod validate;
mod verify;
mod walk;
mod worlds;
mod yard;

use serde_json::{Value, json};
use std::process::{Command, Output, Stdio};

const PERSON: [&str; 2] = ["--capsule", "0,0,2.5,0,0,3.5,0.5"];
const FLOOR: [&str; 2] = ["--triangle", "-4,-4,0,8,-4,0,-4,8,0"];

fn command(words: &[&[&str]]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_capsweep"));
    command.args(words.concat());
    command
}

fn run(words: &[&[&str]]) -> Output {
    command(words).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

/// The answer to a query in JSON, with its exit code.
fn ask(words: &[&[&str]]) -> (Value, i32) {
    let Output { stdout, status, .. } = run(&[words.concat().as_slice(), &["--json"]]);
    assert_eq!(text(&stdout).lines().count(), 1, "one object on one line");
    (serde_json::from_slice(&stdout).unwrap(), status.code().unwrap())
}

/// Whether two values have the same keys, strings and structure, and numbers within a nanometre.
fn is_like(answer: &Value, expected: &Value) -> bool {
    match (answer, expected) {
        (Value::Number(a), Value::Number(b)) => {
            (a.as_f64().unwrap() - b.as_f64().unwrap()).abs() < 1e-9
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_like(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.keys().eq(b.keys()) && a.values().zip(b.values()).all(|(a, b)| is_like(a, b))
        }
        _ => answer == expected,
    }
}

/// The stderr of a command that must fail without an answer.
fn refusal(words: &[&[&str]]) -> String {
    let Output { stdout, stderr, status } = run(words);
    assert_eq!(status.code(), Some(2), "{words:?}");
    assert!(stdout.is_empty(), "{words:?}");
    text(&stderr).to_owned()
}

/// The stderr of a query with one bad target.
fn refused_target(flag: &str, value: &str) -> String {
    refusal(&[&["overlap"], &PERSON, &[flag, value]])
}
