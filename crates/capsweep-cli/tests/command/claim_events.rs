//! The events of a log: what the server does to characters and bodies.

use super::*;
use crate::yard::{claim, judged, start, with, words_in_course, words_of};

#[track_caller]
fn check(test: &str, lines: &[Value], wanted: &[&str]) {
    let (verdicts, _, _) = judged(test, &[], lines);
    assert_eq!(words_of(&verdicts), wanted, "{verdicts:?}");
}

#[test]
fn a_start_in_the_middle_is_a_teleport_that_keeps_speeds_and_abilities() {
    let first = with(start([0.0; 3]), "speeds", json!({"ground": 10}));
    let first = with(first, "abilities", json!({"fly": true}));
    let lines = [
        first,
        start([-2.0, -8.0, 0.0]),
        claim([-1.0, -8.0, 0.0], 0.1),
        with(claim([-0.5, -8.0, 0.4], 0.1), "mode", "fly"),
    ];
    check("events_start", &lines, &["possible"; 2]);
    check("events_start", &lines[1..], &["too_fast", "wrong_mode"]);
}

#[test]
fn a_displacement_moves_the_state() {
    let event = json!({"event": "displace", "displacement": [-3.0, 0.0, 0.0]});
    let there = claim([-3.0, 0.0, 0.0], 0.1);
    check("events_displace", &[start([0.0; 3]), event, there.clone()], &["possible"]);
    check("events_displace", &[start([0.0; 3]), there], &["too_fast"]);
}

#[test]
fn a_knock_back_counts_for_its_window() {
    let event = json!({"event": "knock_back", "velocity": [20.0, 0.0, 6.0], "window": 0.25});
    let fly = claim([1.9, 0.0, 0.5], 0.1);
    check("events_knock", &[start([0.0; 3]), event.clone(), fly.clone()], &["possible"]);
    check("events_knock", &[start([0.0; 3]), fly.clone()], &["too_fast"]);
    let stand = claim([0.0; 3], 0.3);
    check("events_knock", &[start([0.0; 3]), event, stand, fly], &["possible", "too_fast"]);
}

#[test]
fn new_speeds_count_at_once_and_earlier_ones_for_a_window() {
    let faster = json!({"event": "speeds", "speeds": {"ground": 12}});
    let slower = json!({"event": "speeds", "speeds": {"ground": 1}, "window": 0.15});
    let lines = [
        start([-3.0, -8.0, 0.0]),
        faster,
        claim([-1.8, -8.0, 0.0], 0.1),
        slower,
        claim([-0.6, -8.0, 0.0], 0.1),
        claim([0.6, -8.0, 0.0], 0.1),
        claim([1.8, -8.0, 0.0], 0.1),
    ];
    // The window ends in the third interval.
    check("events_speeds", &lines, &["possible", "possible", "possible", "too_fast"]);
}

/// What an event gave lasts when the chain goes on from an impossible claim.
#[test]
fn events_outlast_an_alarm() {
    let lines = [
        with(start([-3.0, -8.0, 0.0]), "speeds", json!({"ground": 2})),
        json!({"event": "abilities", "abilities": {"fly": true}}),
        json!({"event": "speeds", "speeds": {"ground": 12, "fly": 2}, "window": 0}),
        json!({"event": "height", "height": 1.0}),
        claim([3.0, -8.0, 0.0], 0.1),
        claim([2.0, -8.0, 0.0], 0.1),
        with(claim([2.0, -8.0, 0.1], 0.1), "mode", "fly"),
    ];
    check("events_outlast", &lines, &["too_fast", "possible", "possible"]);
}

/// Windows grow shorter with every claim, also with one that is impossible.
#[test]
fn a_window_ends_although_an_alarm_is_in_it() {
    let lines = |dt: f64| {
        [
            with(start([-3.0, -8.0, 0.0]), "speeds", json!({"ground": 12})),
            json!({"event": "speeds", "speeds": {"ground": 1}, "window": 0.3}),
            claim([-3.0, 0.0, 0.0], dt),
            claim([-1.9, 0.0, 0.0], 0.1),
        ]
    };
    check("events_window", &lines(0.1), &["too_fast", "possible"]);
    check("events_window", &lines(0.4), &["too_fast", "too_fast"]);
}

#[test]
fn abilities_are_given_and_taken() {
    let fly = |z: f64| with(claim([0.0, 0.0, z], 0.2), "mode", "fly");
    let lines = [
        start([0.0; 3]),
        json!({"event": "abilities", "abilities": {"fly": true, "slow_fall": true}}),
        fly(0.5),
        fly(1.0),
        json!({"event": "abilities", "abilities": {"fly": false}}),
        fly(1.2),
    ];
    check("events_abilities", &lines, &["possible", "possible", "wrong_mode"]);
    let hover = json!({"event": "abilities", "abilities": {"hover": 0.5}});
    let above = claim([0.0, 0.0, 0.5], 1.0);
    let stay = claim([0.4, 0.0, 0.5], 1.0);
    check("events_abilities", &[start([0.0; 3]), hover, above, stay], &["possible"; 2]);
}

#[test]
fn water_walking_stands_on_water() {
    let on_water = |x: f64| with(claim([x, 0.0, 1.5], 0.5), "mode", "water_walk");
    let give = json!({"event": "abilities", "abilities": {"water_walking": true}});
    let lines = [start([0.0, 0.0, 1.5]), give, on_water(0.5), on_water(1.0)];
    let (verdicts, _, code) = judged("events_water", &["--water", "1.5"], &lines);
    assert_eq!((words_of(&verdicts), code), (vec!["possible"; 2], 0), "{verdicts:?}");
}

/// A beam at breast height over a floor: who crouches passes.
#[test]
fn a_crouch_changes_the_height() {
    let lines = [
        start([20.9, 0.0, 0.0]),
        json!({"event": "height", "height": 1.1}),
        claim([22.0, 0.0, 0.0], 0.5),
        claim([23.7, 0.0, 0.0], 0.5),
        json!({"event": "height", "height": 1.8}),
        claim([23.9, 0.0, 0.0], 0.1),
        claim([23.0, 0.0, 0.0], 0.3),
    ];
    let log = |lines: &[Value]| words_in_course("events_height", lines);
    // Upright there is no room under the beam.
    assert_eq!(log(&lines), ["possible", "possible", "possible", "inside_geometry"]);
    assert_eq!(log(&[lines[0].clone(), lines[2].clone()]), ["inside_geometry"]);
}

/// The platform of the built-in course carries the character, by number and by name.
#[test]
fn a_body_that_moves_carries_those_on_it() {
    let verdicts = |body: Value, is_told: bool| -> Vec<String> {
        let mut lines = vec![start([33.02, 0.0, 2.0])];
        for step in 1..=5 {
            let x = 33.02 + 0.9 * f64::from(step);
            if is_told {
                lines.push(json!({"event": "body", "body": body, "position": [x, 0.0, 2.0]}));
            }
            lines.push(claim([x, 0.0, 2.0], 0.1));
        }
        words_in_course("events_body", &lines)
    };
    assert_eq!(verdicts(json!(10), true), ["possible"; 5]);
    assert_eq!(verdicts(json!("platform"), true), ["possible"; 5]);
    assert_eq!(verdicts(json!(10), false)[0], "too_fast");
    let unknown = verdicts(json!("lift"), true);
    assert_eq!(unknown[..2], ["error", "too_fast"]);
}

/// A motion counts for one claim of each character, however late that comes.
#[test]
fn a_motion_of_a_body_counts_once_for_each_character() {
    let of = |who: &str, line: Value| with(line, "character", who);
    let moved = json!({"event": "body", "body": "platform", "position": [35.0, 0.0, 2.0]});
    let (before, after) = ([33.02, 0.0, 2.0], [35.0, 0.0, 2.0]);
    let lines = [
        of("a", start(before)),
        of("b", start(before)),
        moved,
        of("a", claim(after, 0.1)),
        of("a", claim([36.9, 0.0, 2.0], 0.1)),
        of("b", claim(after, 0.1)),
        of("c", start(after)),
        of("c", claim(before, 0.1)),
    ];
    let found = words_in_course("events_once", &lines);
    assert_eq!(found[0], "possible");
    assert_ne!(found[1], "possible", "it stands still");
    assert_eq!(found[2], "possible");
    assert_ne!(found[3], "possible", "it moved before the start");
}

#[test]
fn an_end_forgets_a_character() {
    let end = json!({"event": "end"});
    let lines = [start([0.0; 3]), claim([0.1, 0.0, 0.0], 0.1), end, claim([0.2, 0.0, 0.0], 0.1)];
    let (verdicts, _, code) = judged("events_end", &[], &lines);
    assert_eq!((words_of(&verdicts), code), (vec!["possible", "error"], 2));
}

/// Inputs that lead to the claim make it possible; inputs beyond the speed limit do not.
#[test]
fn inputs_are_replayed() {
    let inputs = |speed: f64| {
        let tick = json!({"walk": [speed, 0.0, 0.0], "dt": 0.05});
        with(claim([0.1 * speed, 0.0, 0.0], 0.1), "inputs", json!([tick.clone(), tick]))
    };
    check("events_inputs", &[start([0.0; 3]), inputs(4.0)], &["possible"]);
    check("events_inputs", &[start([0.0; 3]), inputs(6.0)], &["too_fast"]);
    // Without the inputs, the credit of a chain allows it.
    check("events_inputs", &[start([0.0; 3]), claim([0.6, 0.0, 0.0], 0.1)], &["possible"]);
}
