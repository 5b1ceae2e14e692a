use super::*;
use crate::query_lines::answers;
use crate::scenes::{ROOM, file, folder};
use crate::worlds::world;
use capsweep_testkit::continent::{LiquidAt, Survey};
use glam::{DVec2, DVec3, dvec2, dvec3};

/// Points just over the ground of the home block, with the liquid there by the continent's own
/// survey. Points at the edge of a liquid are left out, because file formats round heights.
fn surveyed() -> Vec<(DVec3, Option<LiquidAt>)> {
    let continent = &world().continent;
    let survey = Survey::new(continent, &continent.tiles);
    let start = continent.route.waypoints[0].feet;
    let mut points = Vec::new();
    for (i, j) in (0..60).flat_map(|i| (0..60).map(move |j| (f64::from(i), f64::from(j)))) {
        let at = start.truncate() + dvec2(0.37 - 16.0 * i, 0.41 - 16.0 * j);
        let ground = survey.surfaces(at).iter().map(|surface| surface.height).reduce(f64::min);
        let Some(ground) = ground else { continue };
        let liquid = |offset: DVec2| survey.liquid_at((at + offset).extend(ground + 0.3));
        let here = liquid(DVec2::ZERO);
        let around = [dvec2(5.0, 0.0), dvec2(-5.0, 0.0), dvec2(0.0, 5.0), dvec2(0.0, -5.0)];
        let kind = |liquid: Option<LiquidAt>| liquid.map(|liquid| liquid.kind);
        let is_same = |offset| kind(liquid(offset)) == kind(here);
        if around.into_iter().all(is_same) && here.is_none_or(|liquid| liquid.depth > 0.1) {
            points.push((at.extend(ground + 0.3), here));
        }
    }
    points
}

#[test]
fn liquids_have_the_surface_depth_and_kind_of_the_continent() {
    let points = surveyed();
    let line = |(point, _): &(DVec3, _)| json!({"point": point.to_array()}).to_string();
    let lines: Vec<String> = points.iter().map(line).collect();
    let (answers, code) = answers(&[&["liquid", &world().map]], &lines.join("\n"));
    assert_eq!((answers.len(), code), (points.len(), 0));
    let mut kinds = std::collections::BTreeSet::new();
    for ((point, expected), answer) in points.iter().zip(&answers) {
        let Some(expected) = expected else {
            assert_eq!(answer, &json!({"hit": false}), "{point}");
            continue;
        };
        let kind = format!("{:?}", expected.kind).to_lowercase();
        assert_eq!((&answer["hit"], &answer["kind"]), (&json!(true), &json!(kind)), "{point}");
        let (surface, depth) = (number(&answer["surface"]), number(&answer["depth"]));
        assert!((surface - expected.surface).abs() < 0.02, "{point}: {surface} {expected:?}");
        assert!((surface - depth - point.z).abs() < 1e-9, "{point}: {answer}");
        kinds.insert(kind);
    }
    assert!(kinds.len() >= 2, "{kinds:?}");
    assert!(points.iter().any(|(_, liquid)| liquid.is_none()));
}

#[test]
fn the_answer_and_the_exit_code_say_whether_there_is_liquid() {
    let map = &world().map;
    let points = surveyed();
    let (point, liquid) = points.iter().find(|(_, liquid)| liquid.is_some()).unwrap();
    let (liquid, flag) = (liquid.unwrap(), |z: f64| format!("{},{},{z}", point.x, point.y));
    let (inside, over) = (flag(point.z), flag(liquid.surface + 3.0));
    let Output { stdout, status, .. } = run(&[&["liquid", map, "--point", &inside]]);
    let kind = format!("{:?}", liquid.kind).to_lowercase();
    assert_eq!(status.code(), Some(0));
    let answer = text(&stdout);
    assert!(answer.starts_with(&format!("in {kind}\n  surface  ")), "{answer}");
    assert!(answer.contains(" yd\n  depth    "), "{answer}");
    let Output { stdout, status, .. } = run(&[&["liquid", map, "--point", &over]]);
    assert_eq!((text(&stdout), status.code()), ("clear: no liquid\n", Some(1)));
    // --all has the surface below the point too.
    let (all, code) = ask(&[&["liquid", map, "--point", &over, "--all"]]);
    let lowest = all["liquids"].as_array().unwrap().last().unwrap();
    assert_eq!((code, &lowest["kind"]), (0, &json!(kind)));
    assert!((number(&lowest["depth"]) + 3.0).abs() < 0.02, "{all}");
    let Output { stdout, .. } = run(&[&["liquid", map, "--point", &over, "--all"]]);
    assert!(text(&stdout).contains("yd below the point"), "{}", text(&stdout));
    let line = json!({"point": dvec3(point.x, point.y, liquid.surface + 3.0).to_array()});
    let mut with_all = line.clone();
    with_all["all"] = json!(true);
    let (lines, _) = answers(&[&["liquid", map]], &format!("{line}\n{with_all}"));
    assert_eq!(lines, [json!({"hit": false}), all]);
}

#[test]
fn bad_points_and_files_are_errors_and_a_level_without_liquids_has_none() {
    let folder = folder("liquid_errors");
    let room = file(&folder, "room.obj", ROOM);
    let (answer, code) = ask(&[&["liquid", &room, "--point", "0,0,-1"]]);
    assert_eq!((answer, code), (json!({"hit": false}), 1));
    let error = refusal(&[&["liquid", &room]]);
    assert_eq!(error, "error: no point: give --point\n");
    let error = refusal(&[&["liquid", &room, "--point", "0,0"]]);
    assert!(error.contains("--point needs 3 numbers"), "{error}");
    let error = refusal(&[&["liquid", &room, "--point", "0,0,nan"]]);
    assert!(error.contains("--point 0,0,nan"), "{error}");
    let (answers, code) = answers(&[&["liquid", &room]], "{\"point\":[0,0,0],\"mask\":1}");
    assert!(answers[0]["error"].as_str().unwrap().contains("mask"), "{answers:?}");
    assert_eq!(code, 2);
}
