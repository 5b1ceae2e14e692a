use super::*;

#[test]
fn a_hit_is_one_object_with_every_key() {
    let (answer, code) = ask(&[&["ray", "--origin", "0,0,2", "--motion", "0,0,-5"], &FLOOR]);
    assert_eq!(code, 0);
    let third = 1.0 / 3.0;
    let expected = json!({
        "hit": true, "time": 0.4, "distance": 2.0,
        "point": [0.0, 0.0, 0.0], "normal": [0.0, 0.0, 1.0], "face_normal": [0.0, 0.0, 1.0],
        "feature": "face", "instance": 0, "triangle": 0, "tag": 0,
        "instance_name": "triangle", "tag_name": null, "feature_index": null,
        "barycentrics": [third, third, third],
    });
    assert!(is_like(&answer, &expected), "{answer}");
}

#[test]
fn each_kind_of_target_is_hit() {
    for (flag, value, kind) in [
        ("--triangle", "-4,-4,1,8,-4,1,-4,8,1", "triangle"),
        ("--box", "0,0,0.5,2,3,0.5", "box"),
        ("--sphere", "0,0,0.25,0.75", "sphere"),
        ("--other-capsule", "-1,0,0.5,1,0,0.5,0.5", "capsule"),
        ("--half-space", "7,7,1,0,0,9", "half-space"),
    ] {
        let (answer, code) = ask(&[
            &["ray", "--origin", "0,0,3", "--direction", "0,0,-2", "--distance", "5"],
            &[flag, value],
        ]);
        assert_eq!((code, &answer["instance_name"]), (0, &json!(kind)), "{flag} {value}");
        assert!(is_like(&answer["distance"], &json!(2.0)), "{flag} {value}: {answer}");
    }
}

#[test]
fn back_faces_are_hit_only_with_both_sides() {
    let up: [&[&str]; 2] = [&["ray", "--origin", "0,0,-2", "--motion", "0,0,5"], &FLOOR];
    assert_eq!(ask(&up).1, 1);
    assert_eq!(ask(&[&up.concat(), &["--sides", "both"]]).1, 0);
}

#[test]
fn missing_and_bad_flags_are_errors() {
    assert_eq!(
        refusal(&[&["ray", "--motion", "0,0,1"], &FLOOR]),
        "error: no start: give --origin\n"
    );
    let error = refusal(&[&["ray", "--origin", "0,nan,0", "--motion", "0,0,1"], &FLOOR]);
    assert!(error.starts_with("error: --origin 0,nan,0: origin.y is NaN"), "{error}");
}
