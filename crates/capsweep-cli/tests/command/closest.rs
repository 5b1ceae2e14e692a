use super::*;

#[test]
fn the_points_are_one_object_with_every_key() {
    let (answer, code) = ask(&[&["closest"], &PERSON, &["--box", "0,0,-1,2,3,1"]]);
    assert_eq!(code, 0);
    let expected = json!({
        "hit": true, "distance": 2.0,
        "on_capsule": [0.0, 0.0, 2.0], "on_geometry": [0.0, 0.0, 0.0],
        "normal": [0.0, 0.0, 1.0], "face_normal": [0.0, 0.0, 1.0],
        "feature": "face", "region": "bottom", "instance": 0, "triangle": null, "tag": 0,
        "instance_name": "box", "tag_name": null, "feature_index": null, "barycentrics": null,
    });
    assert!(is_like(&answer, &expected), "{answer}");
}

#[test]
fn the_readable_answer_is_aligned_and_has_units() {
    let Output { stdout, status, .. } = run(&[&["closest"], &PERSON, &["--sphere", "3,0,2.5,1"]]);
    assert_eq!(status.code(), Some(0));
    let expected = "\
closest to target 0 (sphere)
  distance     1.5 m
  on capsule   0.5,0,2.5 m
  on target    2,0,2.5 m
  normal       -1,0,0
  face normal  -1,0,0
  feature      face of the target
  region       bottom of the capsule
";
    assert_eq!(text(&stdout), expected);
}

#[test]
fn the_nearest_target_wins_and_of_equals_the_first() {
    let (far, near) = (["--sphere", "9,0,3,1"], ["--sphere", "3,0,3,1"]);
    let (answer, _) = ask(&[&["closest"], &PERSON, &far, &near, &near]);
    assert_eq!((&answer["distance"], &answer["instance"]), (&json!(1.5), &json!(1)));
}

#[test]
fn the_distance_of_an_overlap_is_negative() {
    let (answer, code) = ask(&[&["closest"], &PERSON, &["--half-space", "0,0,3,0,0,1"]]);
    assert_eq!((code, &answer["distance"]), (0, &json!(-1.0)));
}

#[test]
fn an_invalid_limit_is_refused_and_an_infinite_one_is_unlimited() {
    let far: [&[&str]; 3] = [&["closest"], &PERSON, &["--sphere", "3,0,2.5,1"]];
    for (limit, reason) in [
        ("nan", "limit is NaN: it must be a number, and may be infinite"),
        ("-1", "limit is -1: it must be 0 or greater"),
        ("-inf", "limit is -inf: it must be 0 or greater"),
    ] {
        let error = refusal(&[&far.concat(), &["--limit", limit]]);
        assert!(error.starts_with("error: --limit ") && error.contains(reason), "{error}");
    }
    for (limit, code) in [("inf", 0), ("1e300", 0), ("1.5", 0), ("1.4", 1), ("0", 1)] {
        assert_eq!(ask(&[&far.concat(), &["--limit", limit]]).1, code, "{limit}");
    }
}
