//! Runs the test kit's families of hard cases through the command; the test kit's oracle judges
//! the answers.

use super::*;
use crate::query_lines::answers;
use capsweep::{ClosestPoints, Feature, Motion, Overlap, Region, Sides, SweepHit};
use capsweep_testkit::{Answers, Case, Family, Pair, TargetShape, generate, judge};
use glam::{DVec3, Vec3};

/// Cases of each family.
const CASES: u64 = 100;

/// The case as a query line can express it: its motion is a direction times a distance.
fn as_line_case(case: Case) -> Case {
    let (direction, distance) = direction_and_distance(&case.motion);
    let motion = Motion::along(direction, distance).unwrap();
    let expect = case.expect.filter(|_| motion == case.motion);
    Case { motion, expect, ..case }
}

/// The direction and the distance of a motion. A zero motion takes any direction.
fn direction_and_distance(motion: &Motion) -> (DVec3, f64) {
    let direction = if motion.is_zero() { DVec3::X } else { motion.vector() };
    (direction, motion.length())
}

fn static_line(case: &Case) -> Value {
    let TargetShape::Triangle(triangle) = case.target else { panic!("the target is a triangle") };
    json!({
        "capsule": {
            "p0": case.capsule.p0().to_array(), "p1": case.capsule.p1().to_array(),
            "radius": case.capsule.radius(),
        },
        "triangles": [triangle.vertices().map(|vertex| vertex.to_array())],
    })
}

fn sweep_line(case: &Case, original: &Motion) -> Value {
    let mut line = static_line(case);
    let (direction, distance) = direction_and_distance(original);
    line["direction"] = json!(direction.to_array());
    line["distance"] = json!(distance);
    line["sides"] = json!(if case.sides == Sides::Both { "both" } else { "front" });
    line
}

fn point(value: &Value) -> DVec3 {
    DVec3::from_array([0, 1, 2].map(|i| number(&value[i])))
}

fn normal(value: &Value) -> Vec3 {
    point(value).as_vec3()
}

fn feature(answer: &Value) -> Feature {
    let index = || u8::try_from(answer["feature_index"].as_u64().unwrap()).unwrap();
    match answer["feature"].as_str().unwrap() {
        "face" => Feature::Face,
        "edge" => Feature::Edge(index()),
        "vertex" => Feature::Vertex(index()),
        other => panic!("{other}"),
    }
}

fn region(answer: &Value) -> Region {
    match answer["region"].as_str().unwrap() {
        "bottom" => Region::Bottom,
        "side" => Region::Side,
        "top" => Region::Top,
        "sphere" => Region::Sphere,
        other => panic!("{other}"),
    }
}

fn barycentrics(answer: &Value) -> [f64; 3] {
    point(&answer["barycentrics"]).to_array()
}

fn found(answer: &Value) -> Option<&Value> {
    answer["hit"].as_bool().unwrap().then_some(answer)
}

fn sweep(answer: &Value) -> SweepHit {
    SweepHit {
        time: number(&answer["time"]),
        distance: number(&answer["distance"]),
        point: point(&answer["point"]),
        normal: normal(&answer["normal"]),
        face_normal: normal(&answer["face_normal"]),
        depth: number(&answer["depth"]),
        feature: feature(answer),
        barycentrics: Some(barycentrics(answer)),
        region: region(answer),
    }
}

fn overlap(answer: &Value) -> Overlap {
    Overlap {
        depth: number(&answer["depth"]),
        point: point(&answer["point"]),
        normal: normal(&answer["normal"]),
        face_normal: normal(&answer["face_normal"]),
        feature: feature(answer),
        barycentrics: Some(barycentrics(answer)),
        region: region(answer),
    }
}

fn closest(answer: &Value) -> ClosestPoints {
    ClosestPoints {
        distance: number(&answer["distance"]),
        on_capsule: point(&answer["on_capsule"]),
        on_geometry: point(&answer["on_geometry"]),
        normal: normal(&answer["normal"]),
        face_normal: normal(&answer["face_normal"]),
        feature: feature(answer),
        barycentrics: Some(barycentrics(answer)),
        region: region(answer),
    }
}

#[test]
fn lines_of_every_family_agree_with_the_oracle() {
    let (mut cases, mut sweeps, mut statics) = (Vec::new(), Vec::new(), Vec::new());
    for family in Family::ALL {
        for index in 0..CASES {
            let original = generate(Pair::Triangle, family, 7, index);
            let case = as_line_case(original);
            sweeps.push(sweep_line(&case, &original.motion).to_string());
            statics.push(static_line(&case).to_string());
            cases.push((family, index, case));
        }
    }
    let ask = |verb: &str, lines: &[String]| {
        let (answered, code) = answers(&[&[verb]], &lines.join("\n"));
        assert_eq!((answered.len(), code), (cases.len(), 0), "{verb}");
        answered
    };
    let (swept, overlapped, near) =
        (ask("sweep", &sweeps), ask("overlap", &statics), ask("closest", &statics));
    let mut hits = 0;
    for (i, (family, index, case)) in cases.iter().enumerate() {
        let answers = Answers {
            sweep: found(&swept[i]).map(sweep),
            overlap: found(&overlapped[i]).map(overlap),
            closest: closest(&near[i]),
        };
        let verdict = judge(case, &answers);
        let what = format!("{} {index}: {case:?}\n{answers:?}\n{verdict:?}", family.name());
        assert!(verdict.faults.is_empty(), "{what}");
        // The limits of the contract; the oracle may be 2 nm off.
        assert!(verdict.gap <= 2e-6 + 2e-9 && verdict.push_out <= 5e-6, "{what}");
        assert!(verdict.depth <= 5e-6 && verdict.normal <= 0.5 && verdict.point <= 1e-4, "{what}");
        // The JSON keeps every bit.
        let library = case.answers();
        assert_eq!(answers.sweep, library.sweep, "{what}");
        assert_eq!(answers.overlap, library.overlap, "{what}");
        assert_eq!(answers.closest, library.closest, "{what}");
        hits += usize::from(verdict.hit);
    }
    assert!(hits > cases.len() / 4, "{hits} hits");
}
