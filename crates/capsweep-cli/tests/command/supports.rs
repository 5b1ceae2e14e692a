use super::*;

const POINT: [&str; 3] = ["supports", "--point", "0,0,2"];
const BOX: [&str; 2] = ["--box", "0,0,0.5,1,2,0.5"];
const GROUND: [&str; 2] = ["--half-space", "0,0,0,0,0,1"];

#[test]
fn surfaces_are_listed_from_top_to_bottom() {
    let (answer, code) = ask(&[&POINT, &BOX, &GROUND]);
    assert_eq!(code, 0);
    let surface = |height: f64, facing: &str, up: f64, instance: u32, name: &str| {
        json!({
            "height": height, "point": [0.0, 0.0, 2.0 + height], "normal": [0.0, 0.0, up],
            "facing": facing, "walkable": facing == "up", "feature": "face",
            "instance": instance, "triangle": null, "tag": 0,
            "instance_name": name, "tag_name": null, "feature_index": null,
        })
    };
    let surfaces = [
        surface(-1.0, "up", 1.0, 0, "box"),
        surface(-2.0, "up", 1.0, 1, "half-space"),
        surface(-2.0, "down", -1.0, 0, "box"),
    ];
    assert!(is_like(&answer, &json!({"hit": true, "supports": surfaces})), "{answer}");
}

#[test]
fn the_readable_answer_is_a_table() {
    let Output { stdout, .. } = run(&[&POINT, &BOX]);
    let expected = "\
2 surfaces, heights from the point
            -1 m  walkable floor  normal 0,0,1  target 0 (box)
            -2 m  ceiling         normal 0,0,-1  target 0 (box)
";
    assert_eq!(text(&stdout), expected);
}

#[test]
fn a_shared_edge_counts_once_and_the_most_level_surface_wins() {
    // Two slopes that meet in a ridge over the point, one of them steep.
    let gentle = ["--triangle", "0,-4,0,4,0,-1,0,4,0"];
    let steep = ["--triangle", "0,-4,0,0,4,0,-4,0,-9"];
    for pair in [[gentle, steep], [steep, gentle]] {
        let (answer, _) = ask(&[&POINT, &pair.concat()]);
        let found = answer["supports"].as_array().unwrap();
        assert_eq!(found.len(), 1, "{answer}");
        assert_eq!((&found[0]["height"], &found[0]["walkable"]), (&json!(-2.0), &json!(true)));
        assert_eq!(found[0]["feature"], json!("edge"));
    }
    let (answer, _) = ask(&[&POINT, &steep]);
    assert_eq!(answer["supports"][0]["walkable"], json!(false));
}

#[test]
fn the_slope_limit_is_in_degrees() {
    let slope: [&[&str]; 2] = [&POINT, &["--half-space", "0,0,0,0,1,1"]];
    let walkable = |degrees: &str| {
        ask(&[&slope.concat(), &["--slope-limit", degrees]]).0["supports"][0]["walkable"].clone()
    };
    assert_eq!((walkable("45.1"), walkable("44.9")), (json!(true), json!(false)));
    let error = refusal(&[&slope.concat(), &["--slope-limit", "100"]]);
    assert!(
        error.contains("slope_limit is 100: it must be an angle of 0 to 90 degrees"),
        "{error}"
    );
    assert_eq!(refusal(&[&["supports"], &GROUND]), "error: no point: give --point\n");
    let error = refusal(&[&POINT, &GROUND, &["--above", "-1"]]);
    assert!(error.ends_with("above is -1: it must be 0 or greater\n"), "{error}");
}

/// Rays must end within the range of positions; columns may reach beyond.
#[test]
fn a_column_as_long_as_the_world_finds_a_triangle() {
    let floor = ["--triangle", "-4,-4,1,8,-4,1,-4,8,1"];
    for (above, below, height) in
        [("1e9", "1e9", -1.0), ("1e9", "0", -1.0), ("0", "1e9", -1.0), ("5", "5", -1.0)]
    {
        let (answer, code) = ask(&[&POINT, &floor, &["--above", above, "--below", below]]);
        let is_reached = below != "0";
        assert_eq!(code, i32::from(!is_reached), "{above} {below}: {answer}");
        if is_reached {
            assert_eq!(answer["supports"][0]["height"], json!(height), "{above} {below}");
        }
    }
    let ceiling = ["--triangle", "-4,-4,5,8,-4,5,-4,8,5"];
    let (answer, _) = ask(&[&POINT, &ceiling, &["--above", "1e9", "--below", "1e9"]]);
    assert_eq!(answer["supports"][0]["height"], json!(3.0), "{answer}");
}
