//! Pictures of a log of claims.

use super::*;
use crate::pictures::is_well_formed;
use crate::scenes::{file, folder, path};
use crate::yard::{claim, log_of, start, with, yard};
use std::fs;

/// Draws a log in the yard.
fn drawn(test: &str, words: &[&str], lines: &[Value], name: &str) -> Vec<u8> {
    let (yard, folder) = (yard(test), folder(test));
    let log = file(&folder, "log.jsonl", log_of(lines));
    let picture = path(&folder, name);
    let first = ["validate", &yard, &log, "--up", "z", "--picture", &picture];
    let Output { stderr, status, .. } = run(&[&first, words]);
    assert!(matches!(status.code(), Some(0 | 1)), "{}", text(&stderr));
    fs::read(picture).unwrap()
}

fn two_alarms() -> Vec<Value> {
    let anna = |line: Value| with(line, "character", "anna");
    let bert = |line: Value| with(line, "character", "bert <&>");
    let mut lines = vec![anna(start([0.0, 0.0, 0.0])), bert(start([0.0, -4.0, 0.0]))];
    for step in 1..=9 {
        let x = 0.4 * f64::from(step);
        lines.push(anna(claim([x, 0.0, 0.0], 0.1)));
        lines.push(bert(claim([-x, -4.0, 0.0], 0.1)));
    }
    lines.push(anna(claim([4.7, 0.0, 0.0], 0.3)));
    lines.push(bert(claim([-3.6, -4.0, 2.5], 0.1)));
    lines
}

#[test]
fn a_picture_shows_ways_alarms_reasons_and_places() {
    let svg = drawn("claim_picture", &[], &two_alarms(), "alarms.svg");
    let svg = text(&svg);
    assert!(svg.starts_with("<svg xmlns=") && is_well_formed(svg));
    for words in [
        "Claims in yard.obj: 2 of 20 are impossible",
        "line 21, anna: through a surface",
        "line 22, bert &lt;&amp;&gt;: too high by",
        "from 3.60,0.00,0.00 to 4.70,0.00,0.00",
        "last accepted",
        "impossible claim",
        "where it fails",
        "way of a character",
        ">anna<",
        ">bert &lt;&amp;&gt;<",
        "1 m",
    ] {
        assert!(svg.contains(words), "{words}");
    }
    assert!(!svg.contains("undecided claim") && !svg.contains("NaN") && !svg.contains("inf"));
}

/// The pixels of a PNG that have the colour of alarms, and those that are not white.
#[test]
fn a_png_is_not_blank_and_is_the_same_on_any_number_of_threads() {
    let png = drawn("claim_png", &[], &two_alarms(), "alarms.png");
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n") && png.ends_with(b"IEND\xaeB`\x82"));
    assert_eq!(png, drawn("claim_png", &["--threads", "1"], &two_alarms(), "alarms.png"));
    let clean = drawn("claim_png", &[], &two_alarms()[..20], "clean.png");
    assert!(png.len() > clean.len() && clean.len() > 5_000, "{} and {}", png.len(), clean.len());
    assert_ne!(png, clean);
}

#[test]
fn undecided_claims_are_drawn_too() {
    let lines = [start([3.6, 0.0, 0.0]), claim([4.7, 0.0, 0.0], 0.3)];
    let svg = drawn("claim_undecided", &["--max-queries", "10"], &lines, "log.svg");
    let svg = text(&svg);
    assert!(svg.contains("0 of 1 are impossible, 1 undecided"));
    assert!(svg.contains("undecided claim") && !svg.contains("impossible claim"));
}

/// Claims out of range, far away, straight above, and none at all.
#[test]
fn hostile_claims_are_drawn() {
    let far = [
        start([0.0; 3]),
        claim([1e8, 0.0, 0.0], 0.1),
        start([0.0; 3]),
        claim([0.0, -1e30, 1e300], 0.1),
        start([0.0; 3]),
        claim([0.0, 0.0, 9.9e8], 0.1),
        start([0.0; 3]),
        claim([0.0, 0.0, 2.0], 0.1),
        start([0.0; 3]),
        claim([500.0, 0.0, 0.0], 0.1),
        claim([500.1, 0.0, 0.0], 0.1),
    ];
    for name in ["hostile.svg", "hostile.png"] {
        assert!(!drawn("claim_hostile", &[], &far, name).is_empty());
        assert!(!drawn("claim_hostile", &[], &[], name).is_empty());
        assert!(!drawn("claim_hostile", &[], &far[..1], name).is_empty());
        let elsewhere = ["--centre", "-7,900,0"];
        assert!(!drawn("claim_hostile", &elsewhere, &far, name).is_empty());
    }
    let svg = drawn("claim_hostile", &[], &far, "hostile.svg");
    assert!(is_well_formed(text(&svg)) && !text(&svg).contains("NaN"));
}

/// More alarms than the list has room for.
#[test]
fn many_alarms_are_counted() {
    let mut lines = vec![start([0.0; 3])];
    for step in 0..100 {
        lines.push(claim([if step % 2 == 0 { 3.0 } else { 0.0 }, 0.0, 0.0], 0.1));
    }
    let svg = drawn("claim_many", &[], &lines, "many.svg");
    assert!(text(&svg).contains("and 60 more claims"));
    assert!(text(&svg).len() < 500_000, "{}", text(&svg).len());
}

#[test]
fn a_picture_never_replaces_the_log() {
    let (yard, folder) = (yard("claim_replace"), folder("claim_replace"));
    let log = file(&folder, "log.svg", format!("{}\n", start([0.0; 3])));
    let error = refusal(&[&["validate", &yard, &log, "--picture", &log]]);
    assert!(error.contains("is read by this command and would be replaced"), "{error}");
}
