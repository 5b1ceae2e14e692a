use super::*;

const SUNK: [&str; 2] = ["--capsule", "0,0,0.25,0,0,1.25,0.5"];

#[test]
fn an_overlap_is_one_object_with_every_key() {
    let (answer, code) = ask(&[&["overlap"], &SUNK, &["--half-space", "3,4,0,0,0,2"]]);
    assert_eq!(code, 0);
    let expected = json!({
        "hit": true, "depth": 0.25,
        "point": [0.0, 0.0, 0.0], "normal": [0.0, 0.0, 1.0], "face_normal": [0.0, 0.0, 1.0],
        "feature": "face", "region": "bottom", "instance": 0, "triangle": null, "tag": 0,
        "instance_name": "half-space", "tag_name": null, "feature_index": null,
        "barycentrics": null,
    });
    assert!(is_like(&answer, &expected), "{answer}");
}

#[test]
fn the_readable_answer_is_aligned_and_has_units() {
    let Output { stdout, status, .. } =
        run(&[&["overlap"], &SUNK, &["--half-space", "0,0,0,0,0,1"]]);
    assert_eq!(status.code(), Some(0));
    let expected = "\
overlaps target 0 (half-space)
  depth        0.25 m along the normal
  point        0,0,0 m
  normal       0,0,1
  face normal  0,0,1
  feature      face of the target
  region       bottom of the capsule
";
    assert_eq!(text(&stdout), expected);
}

#[test]
fn the_deepest_target_wins_and_of_equals_the_first() {
    let shallow = ["--half-space", "0,0,-0.125,0,0,1"];
    let deep = ["--half-space", "0,0,0,0,0,1"];
    let (answer, _) = ask(&[&["overlap"], &SUNK, &shallow, &deep, &deep, &shallow]);
    assert_eq!((&answer["depth"], &answer["instance"]), (&json!(0.25), &json!(1)));
}

#[test]
fn clear_is_exit_code_1() {
    let query: [&[&str]; 3] = [&["overlap"], &PERSON, &FLOOR];
    assert_eq!(ask(&query), (json!({"hit": false}), 1));
    assert_eq!(text(&run(&query).stdout), "clear: nothing is overlapped\n");
}
