//! Queries against a scene from a file.

use super::*;
use crate::scenes::{ROOM, file, folder, level_glb, path};

const STANDING: [&str; 6] = ["--feet", "1,1,2", "--radius", "0.5", "--height", "2"];
const FALL: [&str; 2] = ["--motion", "0,0,-5"];

#[test]
fn a_hit_has_every_key_and_the_names_of_the_file() {
    let room = file(&folder("scene_hit"), "room.obj", ROOM);
    let (answer, code) = ask(&[&["sweep", &room], &STANDING, &FALL]);
    assert_eq!(code, 0);
    let expected = json!({
        "hit": true, "time": 0.4, "distance": 2.0,
        "point": [1.0, 1.0, 0.0], "normal": [0.0, 0.0, 1.0], "face_normal": [0.0, 0.0, 1.0],
        "depth": 0.0, "feature": "face", "region": "bottom",
        "instance": 0, "triangle": 0, "tag": answer["tag"],
        "instance_name": "room", "tag_name": "floor/wood", "feature_index": null,
        "barycentrics": answer["barycentrics"],
    });
    assert!(is_like(&answer, &expected), "{answer}");
    let Output { stdout, .. } = run(&[&["sweep", &room], &STANDING, &FALL]);
    let heading = text(&stdout).lines().next().unwrap();
    assert_eq!(heading, r#"touches triangle 0 of instance 0 "room", "floor/wood""#);
}

#[test]
fn a_built_file_gives_the_same_answers_and_names() {
    let folder = folder("scene_built");
    for (name, content) in [("room.obj", ROOM.as_bytes().to_vec()), ("level.glb", level_glb())] {
        let (scene, built) = (file(&folder, name, content), path(&folder, "built.capsweep"));
        assert_eq!(run(&[&["build", &scene, "-o", &built]]).status.code(), Some(0));
        for query in [
            &[
                "sweep", "--feet", "1,1,2", "--radius", "0.5", "--height", "2", "--motion",
                "1,0.5,-5",
            ][..],
            &["overlap", "--feet", "1,1,-0.1", "--radius", "0.5", "--height", "2"],
            &["closest", "--feet", "1,1,0.7", "--radius", "0.5", "--height", "2"],
            &["ray", "--origin", "1,1,2", "--motion", "0,0.1,-5"],
            &["supports", "--point", "1,1,2"],
        ] {
            let [verb, flags @ ..] = query else { unreachable!() };
            let of = |scene: &str| ask(&[&[verb, scene], flags]);
            assert_eq!(of(&scene), of(&built), "{name}: {query:?}");
            assert_eq!(of(&scene).1, 0, "{name}: {query:?}");
        }
    }
}

#[test]
fn answers_name_the_instance_by_number_and_name() {
    let level = file(&folder("scene_instances"), "level.glb", level_glb());
    let (answer, _) = ask(&[&["ray", &level, "--origin", "1,2,9", "--motion", "0,0,-20"]]);
    assert_eq!((&answer["instance"], &answer["instance_name"]), (&json!(1), &json!("roof")));
    assert_eq!((&answer["tag_name"], &answer["distance"]), (&json!("slate"), &json!(6.0)));
    let (answer, _) = ask(&[&["ray", &level, "--origin", "1,2,2", "--motion", "0,0,-20"]]);
    assert_eq!((&answer["instance"], &answer["instance_name"]), (&json!(0), &json!("ground")));
}

#[test]
fn up_axis_and_unit_are_flags() {
    let room = file(&folder("scene_axes"), "room.obj", ROOM);
    // Read with Z up, the floor is a wall at y = 0 that faces along y.
    let aside = ["ray", &room, "--origin", "1,3,1", "--motion", "0,-9,0"];
    assert_eq!(ask(&[&aside]).1, 1);
    let (answer, code) = ask(&[&aside, &["--up", "z"]]);
    assert_eq!((code, &answer["normal"]), (0, &json!([0.0, 1.0, 0.0])));
    let (answer, _) =
        ask(&[&["ray", &room, "--origin", "0.01,0.01,1", "--motion", "0,0,-9", "--unit", "cm"]]);
    assert_eq!(answer["point"], json!([0.01, 0.01, 0.0]));
    assert_eq!(
        ask(&[&["ray", &room, "--origin", "1,1,1", "--motion", "0,0,-9", "--unit", "cm"]]).1,
        1
    );
}

#[test]
fn clear_is_exit_code_1_for_every_query() {
    let room = file(&folder("scene_clear"), "room.obj", ROOM);
    let far = ["--feet", "100,100,100", "--radius", "0.5", "--height", "2"];
    for query in [
        [&["sweep"][..], &far, &FALL].concat(),
        [&["overlap"][..], &far].concat(),
        [&["closest", "--limit", "1"][..], &far].concat(),
        vec!["ray", "--origin", "99,0,0", "--motion", "0,0,1"],
        vec!["supports", "--point", "99,0,0"],
    ] {
        let [verb, flags @ ..] = &query[..] else { unreachable!() };
        assert_eq!(ask(&[&[verb, &room], flags]), (json!({"hit": false}), 1), "{query:?}");
        let Output { stdout, status, .. } = run(&[&[verb, &room], flags]);
        assert!(text(&stdout).starts_with("clear: "), "{query:?}");
        assert_eq!(status.code(), Some(1));
    }
}

#[test]
fn a_mask_without_a_bit_sees_nothing() {
    let room = file(&folder("scene_mask"), "room.obj", ROOM);
    assert_eq!(ask(&[&["sweep", &room], &STANDING, &FALL, &["--mask", "0x10"]]).1, 0);
    assert_eq!(ask(&[&["sweep", &room], &STANDING, &FALL, &["--mask", "0"]]).1, 1);
    assert_eq!(ask(&[&["sweep"], &PERSON, &FALL, &FLOOR, &["--mask", "0"]]).1, 1);
    let error = refusal(&[&["sweep", &room], &STANDING, &FALL, &["--mask", "many"]]);
    assert!(error.contains("invalid value 'many' for '--mask <BITS>'"), "{error}");
}

#[test]
fn threads_and_logs_change_no_answer() {
    let room = file(&folder("scene_threads"), "room.obj", ROOM);
    let query: [&[&str]; 3] = [&["sweep", &room], &STANDING, &FALL];
    let plain = run(&query);
    assert!(plain.stderr.is_empty(), "quiet by default");
    let one = run(&[&query.concat(), &["--threads", "1", "-v"]]);
    assert_eq!(one.stdout, plain.stdout);
    assert!(text(&one.stderr).contains("opened"), "{}", text(&one.stderr));
    let error = refusal(&[&query.concat(), &["--threads", "0"]]);
    assert!(error.contains("invalid value '0' for '--threads <N>'"), "{error}");
}

#[test]
fn a_scene_and_targets_exclude_each_other() {
    let room = file(&folder("scene_targets"), "room.obj", ROOM);
    let error = refusal(&[&["sweep", &room], &STANDING, &FALL, &FLOOR]);
    assert_eq!(error, "error: a SCENE and targets exclude each other: run one command for each\n");
}
