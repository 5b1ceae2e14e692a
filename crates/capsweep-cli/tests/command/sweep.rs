use super::*;

const FALL: [&str; 2] = ["--motion", "0,0,-5"];

#[test]
fn a_hit_is_one_object_with_every_key() {
    let (answer, code) = ask(&[&["sweep"], &PERSON, &FALL, &["--triangle", "0,0,0,4,0,0,0,4,0"]]);
    assert_eq!(code, 0);
    let expected = json!({
        "hit": true, "time": 0.4, "distance": 2.0,
        "point": [0.0, 0.0, 0.0], "normal": [0.0, 0.0, 1.0], "face_normal": [0.0, 0.0, 1.0],
        "depth": 0.0, "feature": "vertex", "region": "bottom",
        "instance": 0, "triangle": 0, "tag": 0,
        "instance_name": "triangle", "tag_name": null, "feature_index": 0,
        "barycentrics": [1.0, 0.0, 0.0],
    });
    assert!(is_like(&answer, &expected), "{answer}");
}

#[test]
fn the_readable_answer_is_aligned_and_has_units() {
    let Output { stdout, status, .. } = run(&[&["sweep"], &PERSON, &FALL, &FLOOR]);
    assert_eq!(status.code(), Some(0));
    let expected = "\
touches target 0 (triangle)
  time          0.4 of the motion
  distance      2 m
  point         0,0,0 m
  normal        0,0,1
  face normal   0,0,1
  feature       face of the target
  region        bottom of the capsule
  barycentrics  0.333333,0.333333,0.333333
";
    assert_eq!(text(&stdout), expected);
}

#[test]
fn a_start_in_overlap_has_a_depth() {
    let query: [&[&str]; 4] = [&["sweep"], &["--capsule", "0,0,0.25,0,0,1,0.5"], &FALL, &FLOOR];
    let (answer, code) = ask(&query);
    assert_eq!((code, &answer["time"]), (0, &json!(0.0)));
    assert!(is_like(&answer["depth"], &json!(0.25)), "{answer}");
    let Output { stdout, .. } = run(&query);
    assert!(text(&stdout).starts_with("starts overlapping target 0 (triangle)\n"));
    assert!(text(&stdout).contains("  depth         0.25 m along the normal\n"));
}

#[test]
fn clear_is_exit_code_1() {
    let query: [&[&str]; 4] = [&["sweep"], &PERSON, &["--motion", "0,0,-1"], &FLOOR];
    assert_eq!(ask(&query), (json!({"hit": false}), 1));
    let Output { stdout, status, .. } = run(&query);
    assert_eq!(text(&stdout), "clear: nothing is touched along the motion\n");
    assert_eq!(status.code(), Some(1));
}

#[test]
fn direction_and_distance_are_a_motion() {
    let by_direction = ["--direction", "0,0,-2", "--distance", "5"];
    assert_eq!(
        ask(&[&["sweep"], &PERSON, &by_direction, &FLOOR]),
        ask(&[&["sweep"], &PERSON, &FALL, &FLOOR]),
    );
}

#[test]
fn feet_radius_and_height_are_a_capsule() {
    let standing = ["--feet", "0,0,2", "--radius", "0.5", "--height", "2"];
    let expected = ask(&[&["sweep"], &PERSON, &FALL, &FLOOR]);
    assert_eq!(ask(&[&["sweep"], &standing, &FALL, &FLOOR]), expected);
    assert_eq!(ask(&[&["sweep"], &standing, &["--axis", "0,0,3"], &FALL, &FLOOR]), expected);
}

#[test]
fn an_axis_turns_the_capsule() {
    let lying = ["--feet", "-1,0,2", "--radius", "0.5", "--height", "2", "--axis", "-1,0,0"];
    let (answer, _) = ask(&[&["closest"], &lying, &["--sphere", "-5,0,2,1"]]);
    assert_eq!((&answer["distance"], &answer["region"]), (&json!(1.0), &json!("top")));
}

#[test]
fn back_faces_are_hit_only_with_both_sides() {
    let rise: [&[&str]; 4] =
        [&["sweep"], &["--capsule", "0,0,-3,0,0,-2,0.5"], &["--motion", "0,0,5"], &FLOOR];
    assert_eq!(ask(&rise).1, 1);
    assert_eq!(ask(&[&rise.concat(), &["--sides", "front"]]).1, 1);
    let (answer, code) = ask(&[&rise.concat(), &["--sides", "both"]]);
    assert_eq!((code, &answer["face_normal"]), (0, &json!([0.0, 0.0, -1.0])));
}

#[test]
fn each_kind_of_target_is_named() {
    let at_height_1 = [
        ("--triangle", "-4,-4,1,8,-4,1,-4,8,1", "triangle"),
        ("--box", "0,0,0.5,2,3,0.5", "box"),
        ("--box", "0,0,0.5,2,3,0.5,0,0,1,1", "box"),
        ("--sphere", "0,0,0.25,0.75", "sphere"),
        ("--other-capsule", "-1,0,0.5,1,0,0.5,0.5", "capsule"),
        ("--half-space", "7,7,1,0,0,9", "half-space"),
    ];
    for (flag, value, kind) in at_height_1 {
        let (answer, code) = ask(&[&["sweep"], &PERSON, &FALL, &[flag, value]]);
        assert_eq!((code, &answer["instance_name"]), (0, &json!(kind)), "{flag} {value}");
        assert!(is_like(&answer["distance"], &json!(1.0)), "{flag} {value}: {answer}");
    }
}

#[test]
fn targets_are_numbered_in_the_order_of_all_flags() {
    let targets =
        ["--half-space", "0,0,-1,0,0,1", "--triangle", FLOOR[1], "--sphere", "0,0,0,0.5"];
    let (answer, _) = ask(&[&["sweep"], &PERSON, &FALL, &targets]);
    assert_eq!((&answer["instance_name"], &answer["instance"]), (&json!("sphere"), &json!(2)));
}

#[test]
fn of_equal_times_the_first_target_wins() {
    let (plane, top) = (["--half-space", "0,0,0,0,0,1"], ["--box", "0,0,-1,2,3,1"]);
    let (answer, _) = ask(&[&["sweep"], &PERSON, &FALL, &plane, &top]);
    assert_eq!((&answer["instance_name"], &answer["instance"]), (&json!("half-space"), &json!(0)));
    let (answer, _) = ask(&[&["sweep"], &PERSON, &FALL, &top, &plane]);
    assert_eq!((&answer["instance_name"], &answer["instance"]), (&json!("box"), &json!(0)));
}

#[test]
fn numbers_keep_every_bit() {
    use capsweep::{Capsule, HalfSpace, Motion, Sides, sweep_capsule_half_space};
    use glam::DVec3;

    let start = DVec3::new(16_384.1, -16_383.7, 2.3);
    let person = Capsule::new(start, start, 0.37).unwrap();
    let slope = HalfSpace::new(DVec3::new(16_384.0, -16_384.0, 0.0), DVec3::new(0.1, 0.2, 0.7));
    let fall = Motion::new(DVec3::new(0.3, -0.1, -5.7)).unwrap();
    let hit = sweep_capsule_half_space(&person, &fall, &slope.unwrap(), Sides::Front).unwrap();

    let (answer, _) = ask(&[
        &["sweep", "--capsule", "16384.1,-16383.7,2.3,16384.1,-16383.7,2.3,0.37"],
        &["--motion", "0.3,-0.1,-5.7", "--half-space", "16384,-16384,0,0.1,0.2,0.7"],
    ]);
    assert_eq!(answer["time"], json!(hit.time));
    assert_eq!(answer["distance"], json!(hit.distance));
    assert_eq!(answer["point"], json!(hit.point.to_array()));
    assert_eq!(answer["normal"], json!(hit.normal.as_dvec3().to_array()));
    assert_eq!(answer["region"], json!("sphere"));
}
