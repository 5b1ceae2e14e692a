//! `--queries`: one JSON object per line in, one per line out.

use super::*;
use crate::scenes::{ROOM, file, folder};
use std::io::{BufRead, BufReader, Write};

/// The answers to lines on stdin, and the exit code.
pub(crate) fn answers(words: &[&[&str]], lines: &str) -> (Vec<Value>, i32) {
    let (output, code) = raw(words, lines.as_bytes());
    (output.lines().map(|line| serde_json::from_str(line).unwrap()).collect(), code)
}

fn raw(words: &[&[&str]], lines: &[u8]) -> (String, i32) {
    let Output { stdout, stderr, status } =
        piped(&[words.concat().as_slice(), &["--queries", "-"]], lines);
    assert_eq!(text(&stderr), "", "stderr is empty");
    (text(&stdout).to_owned(), status.code().unwrap())
}

/// Runs a command with these bytes on stdin.
pub(crate) fn piped(words: &[&[&str]], lines: &[u8]) -> Output {
    let mut child = command(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(move || stdin.write_all(lines).unwrap());
        child.wait_with_output().unwrap()
    })
}

fn fall(from: f64) -> Value {
    json!({
        "capsule": {"p0": [1.0, 1.0, from + 0.5], "p1": [1.0, 1.0, from + 1.5], "radius": 0.5},
        "direction": [0.0, 0.0, -1.0], "distance": 5.0,
    })
}

#[test]
fn query_lines_and_flags_give_equal_answers() {
    let room = file(&folder("lines_flags"), "room.obj", ROOM);
    let capsule = json!({"p0": [1.1, 1.2, 0.3], "p1": [1.1, 1.2, 1.3], "radius": 0.4});
    let flags = ["--capsule", "1.1,1.2,0.3,1.1,1.2,1.3,0.4"];
    let (ahead, motion) = (["--direction", "1,0,-1", "--distance", "7"], json!([1, 0, -1]));
    for (verb, flags, line) in [
        (
            "sweep",
            [&flags[..], &ahead].concat(),
            json!({"capsule": capsule, "direction": motion, "distance": 7}),
        ),
        ("overlap", flags.to_vec(), json!({"capsule": capsule})),
        ("closest", flags.to_vec(), json!({"capsule": capsule})),
        (
            "closest",
            [&flags[..], &["--limit", "0.05"]].concat(),
            json!({"capsule": capsule, "limit": 0.05}),
        ),
        (
            "ray",
            [&["--origin", "1,1,2"][..], &ahead].concat(),
            json!({"origin": [1, 1, 2], "direction": motion, "distance": 7}),
        ),
        (
            "supports",
            vec!["--point", "1,1,2", "--above", "3", "--below", "4"],
            json!({"point": [1, 1, 2], "above": 3, "below": 4}),
        ),
        (
            "sweep",
            [&flags[..], &ahead, &["--sides", "both", "--mask", "4"]].concat(),
            json!({
                "capsule": capsule, "direction": motion, "distance": 7,
                "sides": "both", "mask": 4,
            }),
        ),
    ] {
        let (expected, _) = ask(&[&[verb, &room], &flags]);
        let (answered, code) = answers(&[&[verb, &room]], &line.to_string());
        assert_eq!((answered, code), (vec![expected], 0), "{verb} {line}");
    }
}

#[test]
fn a_bad_line_is_answered_with_its_number_and_the_run_goes_on() {
    let room = file(&folder("lines_bad"), "room.obj", ROOM);
    let with = |key: &str, value: Value| {
        let mut line = fall(2.0);
        line[key] = value;
        line.to_string()
    };
    let bad_radius = json!({"p0": [0, 0, 0], "p1": [0, 0, 1], "radius": -1});
    let bad = [
        ("{".to_owned(), "line 2: EOF while parsing an object (column 1)"),
        (String::new(), "line 3: the line is blank"),
        ("[1, 2]".to_owned(), "line 4: a query is a JSON object"),
        (with("mask", json!("all")), "line 5: invalid type: string \"all\", expected u32"),
        (with("masks", json!(1)), "line 6: unknown field `masks`"),
        (with("direction", json!([0, 0, 0])), "line 7: direction has length 0"),
        (with("distance", json!(-1)), "line 8: distance is -1"),
        (with("distance", json!(1e300)), "line 9: distance is 1e300"),
        (with("capsule", bad_radius), "line 10: radius is -1: it must be greater than 0"),
        (with("triangles", json!([[[0, 0, 0], [1, 0, 0]]])), "line 11: invalid length 2"),
        (
            with("triangles", json!([[[0, 0, 0], [1, 0, 0], [0, 1, 2e9]]])),
            "line 12: triangles[0]: c.z is 2e9",
        ),
        (
            with("sides", json!("back")),
            "line 13: unknown variant `back`, expected `front` or `both`",
        ),
        (r#"{"direction":[0,0,1],"distance":1}"#.to_owned(), "line 14: missing field `capsule`"),
    ];
    let good = fall(2.0).to_string();
    let lines: Vec<&str> = bad.iter().map(|(line, _)| line.as_str()).collect();
    let all = format!("{good}\n{}\n{good}\n", lines.join("\n"));
    let (answered, code) = answers(&[&["sweep", &room]], &all);
    assert_eq!((answered.len(), code), (bad.len() + 2, 2));
    for (answer, (line, expected)) in answered[1..].iter().zip(&bad) {
        let error = answer["error"].as_str().unwrap_or_else(|| panic!("{line}: {answer}"));
        assert!(error.starts_with(expected), "{line}: {error}");
        assert_eq!(answer.as_object().unwrap().len(), 1);
    }
    assert_eq!(answered[0], answered[bad.len() + 1]);
    assert_eq!(answered[0]["hit"], json!(true));
}

#[test]
fn invalid_utf8_is_a_bad_line() {
    let (output, code) = raw(&[&["sweep"]], b"\xff\xfe\n\x00\n");
    assert_eq!((output.lines().count(), code), (2, 2));
    assert!(output.lines().all(|line| line.starts_with("{\"error\":\"line ")), "{output}");
}

#[test]
fn empty_input_gives_no_answers() {
    assert_eq!(answers(&[&["sweep"]], ""), (vec![], 0));
}

#[test]
fn windows_line_breaks_work_and_the_last_break_is_optional() {
    let room = file(&folder("lines_breaks"), "room.obj", ROOM);
    let lines = format!("{}\r\n{}", fall(1.0), fall(2.0));
    let (answered, code) = answers(&[&["sweep", &room]], &lines);
    assert_eq!(code, 0);
    let distances: Vec<_> =
        answered.iter().map(|answer| answer["distance"].as_f64().unwrap()).collect();
    assert_eq!(distances, [1.0, 2.0]);
}

#[test]
fn triangles_on_a_line_replace_the_scene() {
    let room = file(&folder("lines_triangles"), "room.obj", ROOM);
    let mut line = fall(2.0);
    line["triangles"] =
        json!([[[-9, -9, -1], [9, -9, -1], [0, 9, -1]], [[-9, -9, 1], [9, -9, 1], [0, 9, 1]]]);
    for words in [&["sweep", room.as_str()][..], &["sweep"]] {
        let (answered, code) = answers(&[words], &line.to_string());
        assert_eq!(code, 0);
        assert!(is_like(&answered[0]["distance"], &json!(1.0)), "{answered:?}");
        assert_eq!((&answered[0]["instance"], &answered[0]["triangle"]), (&json!(0), &json!(1)));
        assert_eq!(
            (&answered[0]["instance_name"], &answered[0]["tag"]),
            (&json!(null), &json!(0))
        );
    }
    line["triangles"] = json!([]);
    assert_eq!(answers(&[&["sweep", &room]], &line.to_string()), (vec![json!({"hit": false})], 0));
    let (answered, code) = answers(&[&["sweep"]], &fall(2.0).to_string());
    assert_eq!(code, 2);
    assert!(
        answered[0]["error"]
            .as_str()
            .unwrap()
            .starts_with("line 1: there is no scene: give a SCENE")
    );
}

#[test]
fn ties_go_to_the_most_head_on_triangle_and_the_deepest_overlap() {
    let floor = json!([[-9, -9, 0], [9, -9, 0], [0, 9, 0]]);
    // Touched at the same time, at its edge.
    let slanted = json!([[-9, 0.3, 0.1], [9, 0.3, 0.1], [0, 9, -9]]);
    let mut line = json!({
        "capsule": {"p0": [0, 0, 3], "p1": [0, 0, 4], "radius": 0.5},
        "direction": [0, 0, -1], "distance": 9,
        "triangles": [slanted, floor],
    });
    let (answered, _) = answers(&[&["sweep"]], &line.to_string());
    assert_eq!(answered[0]["triangle"], json!(1), "{answered:?}");
    line["capsule"] = json!({"p0": [0, 0, 0.3], "p1": [0, 0, 1.3], "radius": 0.5});
    line["triangles"] =
        json!([[[-9, -9, 0], [9, -9, 0], [0, 9, 0]], [[-9, -9, 0.1], [9, -9, 0.1], [0, 9, 0.1]]]);
    let (answered, _) = answers(&[&["sweep"]], &line.to_string());
    assert_eq!((&answered[0]["triangle"], &answered[0]["time"]), (&json!(1), &json!(0.0)));
    assert!(is_like(&answered[0]["depth"], &json!(0.3)), "{answered:?}");
}

#[test]
fn numbers_keep_every_bit() {
    use capsweep::{Capsule, Motion, Sides, Triangle, sweep_capsule_triangle};
    use glam::DVec3;

    let at = DVec3::new(16_384.1, -16_383.7, 2.3);
    let [a, b, c] =
        [[16_380.3, -16_390.1, 0.1], [16_391.7, -16_388.2, 0.2], [16_383.3, -16_371.9, 0.7]];
    let capsule = Capsule::new(at, at + DVec3::new(0.1, 0.2, 1.1), 0.37).unwrap();
    let motion = Motion::along(DVec3::new(0.3, -0.1, -0.7), 5.7).unwrap();
    let triangle = Triangle::new(a.into(), b.into(), c.into()).unwrap();
    let hit = sweep_capsule_triangle(&capsule, &motion, &triangle, Sides::Front).unwrap();
    let line = json!({
        "capsule": {"p0": capsule.p0().to_array(), "p1": capsule.p1().to_array(), "radius": 0.37},
        "direction": [0.3, -0.1, -0.7], "distance": 5.7, "triangles": [[a, b, c]],
    });
    let (answered, _) = answers(&[&["sweep"]], &line.to_string());
    assert_eq!(answered[0]["time"], json!(hit.time));
    assert_eq!(answered[0]["distance"], json!(hit.distance));
    assert_eq!(answered[0]["point"], json!(hit.point.to_array()));
    assert_eq!(answered[0]["normal"], json!(hit.normal.as_dvec3().to_array()));
}

#[test]
fn each_line_is_answered_before_the_next_is_written() {
    let room = file(&folder("lines_dialogue"), "room.obj", ROOM);
    let mut child = command(&[&["sweep", &room, "--queries", "-"]])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut stdout = BufReader::new(stdout);
    for from in [1.0, 2.0, 3.0] {
        writeln!(stdin, "{}", fall(from)).unwrap();
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        let answer: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(answer["distance"], json!(from));
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn an_endless_line_is_an_error_and_takes_no_memory() {
    let room = file(&folder("lines_endless"), "room.obj", ROOM);
    let endless = vec![b'x'; 40 << 20];
    let lines = [
        fall(1.0).to_string().as_bytes(),
        b"\n",
        &endless,
        b"\n",
        fall(2.0).to_string().as_bytes(),
    ]
    .concat();
    let (output, code) = raw(&[&["sweep", &room]], &lines);
    let output: Vec<Value> =
        output.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((output.len(), code), (3, 2));
    assert_eq!(output[1], json!({"error": "line 2: longer than 16777216 bytes"}));
    assert_eq!((&output[0]["distance"], &output[2]["distance"]), (&json!(1.0), &json!(2.0)));
}

/// A line just over the limit is complete in the buffer before its length is checked.
#[test]
fn the_longest_line_is_answered_and_one_byte_more_is_refused() {
    let room = file(&folder("lines_longest"), "room.obj", ROOM);
    let long = |from: f64, length: usize| {
        let line = fall(from).to_string();
        format!("{line}{}\n", " ".repeat(length - line.len()))
    };
    let lines = long(1.0, (1 << 24) + 1) + &long(2.0, 1 << 24);
    let (output, code) = raw(&[&["sweep", &room]], lines.as_bytes());
    let output: Vec<Value> =
        output.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((output.len(), code), (2, 2));
    assert_eq!(output[0], json!({"error": "line 1: longer than 16777216 bytes"}));
    assert_eq!(output[1]["distance"], json!(2.0));
}

#[test]
fn a_file_of_lines_is_read_by_name_and_a_missing_one_is_an_error() {
    let folder = folder("lines_file");
    let room = file(&folder, "room.obj", ROOM);
    let lines = file(&folder, "queries.jsonl", format!("{}\n", fall(1.0)));
    let Output { stdout, status, .. } = run(&[&["sweep", &room, "--queries", &lines]]);
    assert_eq!((text(&stdout).lines().count(), status.code()), (1, Some(0)));
    // Lines are JSON with and without the flag.
    assert_eq!(run(&[&["sweep", &room, "--queries", &lines, "--json"]]).stdout, stdout);
    let error = refusal(&[&["sweep", &room, "--queries", "no such file"]]);
    assert!(error.starts_with("error: cannot read no such file: "), "{error}");
    let error = refusal(&[&["sweep", &room, "--queries", folder.to_str().unwrap()]]);
    assert!(error.starts_with("error: cannot read "), "{error}");
    let error = refusal(&[&["sweep", &room, "--queries", &lines], &PERSON]);
    assert!(error.contains("cannot be used with"), "{error}");
}

#[test]
fn a_closed_pipe_ends_the_run_quietly() {
    let room = file(&folder("lines_pipe"), "room.obj", ROOM);
    let many = format!("{}\n", fall(1.0)).repeat(20_000);
    let lines = file(&folder("lines_pipe"), "queries.jsonl", many);
    let mut child = command(&[&["sweep", &room, "--queries", &lines]])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert!(first.contains("\"hit\":true"), "{first}");
    // The pipe is closed now.
    let Output { stderr, status, .. } = child.wait_with_output().unwrap();
    assert_eq!((text(&stderr), status.code()), ("", Some(0)));
}
