//! The `serde` feature: a round trip keeps every bit, and reading refuses bad values with a
//! reason.

#![allow(clippy::unwrap_used, reason = "a value that cannot be made or written fails the test")]

use capsweep::cache::CacheOptions;
use capsweep::query::batch::{ClosestQuery, OverlapQuery, RayQuery, SweepQuery};
use capsweep::query::{Column, Liquid, TriangleSource};
use capsweep::scene::{
    AxisSystem, Bodies, Body, Filter, LiquidKind, MeshOptions, MeshReport, Mobility, Pose, Room,
    Scene, Shape, StartOverlaps, TriMesh,
};
use capsweep::{
    Aabb, Capsule, HalfSpace, Limit, Motion, Obb, Point, Ray, Region, Segment, Sides, SlopeLimit,
    Sphere, Triangle, closest_capsule_triangle, closest_segment_triangle,
    overlap_capsule_triangle,
};
use capsweep_testkit::{Rng, level};
use glam::{DQuat, DVec3, dvec3, vec3};
use serde::{Serialize, de::DeserializeOwned};
use std::fmt::Debug;
use std::sync::Arc;

/// Through JSON and back. Debug text tells −0 from 0, so equal text is equal bits.
fn again<T: Serialize + DeserializeOwned + Debug>(value: &T) {
    let text = serde_json::to_string(value).unwrap();
    let read: T = serde_json::from_str(&text).unwrap();
    assert_eq!(format!("{read:?}"), format!("{value:?}"), "{text}");
}

fn some_capsule(rng: &mut Rng) -> Capsule {
    let at = rng.cube(20_000.0);
    Capsule::new(at, at + rng.cube(2.0), rng.range(0.1, 1.0) as f32).unwrap()
}

fn some_motion(rng: &mut Rng) -> Motion {
    let length = rng.log_range(1e-320, 1e3);
    if rng.chance(0.5) {
        Motion::along(rng.cube(3.0), length).unwrap()
    } else {
        Motion::new(rng.direction() * length).unwrap()
    }
}

fn some_pose(rng: &mut Rng) -> Pose {
    let [x, y, z] = rng.cube(1.0).to_array();
    let scale = dvec3(rng.range(0.1, 3.0), rng.range(-3.0, -0.1), rng.range(0.1, 3.0));
    Pose::new(rng.cube(20_000.0), DQuat::from_xyzw(x, y, z, rng.range(-1.0, 1.0)), scale).unwrap()
}

#[test]
fn shapes_keep_every_bit() {
    let mut rng = Rng::new(&[41]);
    for _ in 0..500 {
        let (capsule, motion, pose) =
            (some_capsule(&mut rng), some_motion(&mut rng), some_pose(&mut rng));
        again(&capsule);
        again(&motion);
        again(&pose);
        let at = rng.cube(1e6);
        let triangle = Triangle::new(at, at + rng.cube(1.0), at + rng.cube(1.0)).unwrap();
        again(&triangle);
        let segment = Segment::new(at, at + rng.cube(1.0)).unwrap();
        again(&segment);
        again(&Point::new(at).unwrap());
        again(&closest_segment_triangle(&segment, &triangle));
        again(&Aabb::new(at, at + rng.cube(1.0).abs()).unwrap());
        again(&Column::new(at, rng.cube(2.0), rng.range(0.0, 9.0), 4.0).unwrap());
        let shapes = [
            Shape::Box(Obb::new(at, vec3(0.1, 0.2, 0.3), pose.rotation()).unwrap()),
            Shape::Sphere(Sphere::new(at, 0.3).unwrap()),
            Shape::Capsule(capsule),
            Shape::HalfSpace(HalfSpace::new(at, rng.cube(5.0)).unwrap()),
        ];
        again(&shapes);
        let filter = Filter { mask: rng.bits() as u32, ..Filter::default() };
        again(&SweepQuery { capsule, motion, filter });
        again(&OverlapQuery { capsule, filter });
        again(&ClosestQuery { capsule, limit: Limit::new(0.1).unwrap(), filter });
        again(&RayQuery { ray: Ray::new(at, motion).unwrap(), filter });
    }
    again(&Motion::ZERO);
    again(&AxisSystem::UNITY);
    again(&[Limit::UNBOUNDED, Limit::ZERO, Limit::new(f64::MAX).unwrap()]);
    again(&SlopeLimit::from_cos(0.7).unwrap());
}

#[test]
fn answers_keep_every_bit() {
    let mut rng = Rng::new(&[42]);
    let mut scene = Scene::new();
    let (vertices, indices) = level::dungeon();
    let mesh = TriMesh::new(&vertices, &indices, MeshOptions { double_sided: true }).unwrap();
    let body = Body::mesh(Arc::new(mesh), Pose::IDENTITY).unwrap().with_key(u64::MAX);
    scene.insert(body.with_mobility(Mobility::Dynamic));
    scene.insert(Body::obstacle(Shape::Sphere(Sphere::new(DVec3::ZERO, 2.0).unwrap())));
    let (mut hits, mut supports) = (0, Vec::new());
    for _ in 0..300 {
        let at = rng.cube(1.0) * dvec3(20.0, 20.0, 3.0);
        let capsule = Capsule::new(at, at + rng.cube(1.0), 0.4).unwrap();
        let motion = Motion::new(rng.direction() * 9.0).unwrap();
        let filter = Filter::default();
        let hit = scene.sweep(&capsule, &motion, &filter);
        hits += usize::from(hit.is_some());
        again(&hit);
        again(&scene.overlap(&capsule, &filter));
        again(&scene.closest(&capsule, Limit::new(5.0).unwrap(), &filter));
        again(&scene.ray(&Ray::new(at, motion).unwrap(), &filter));
        scene.supports(
            &Column::new(at, DVec3::Z, 5.0, 5.0).unwrap(),
            SlopeLimit::from_cos(0.7).unwrap(),
            &filter,
            &mut supports,
        );
        again(&supports);
        let kind = LiquidKind::Other(rng.bits() as u32);
        again(&Liquid { surface: at.z, depth: rng.unit(), kind, number: u32::MAX });
        let region = Aabb::new(at, at + 1.0).unwrap();
        again(&Room { tag: rng.bits() as u32, bounds: region, indoor: rng.chance(0.5) });
        scene.triangles_in(&region, &mut |triangle| {
            again(triangle);
            again(&closest_capsule_triangle(&capsule, &triangle.triangle));
            again(&overlap_capsule_triangle(&capsule, &triangle.triangle));
        });
    }
    assert!(hits > 30, "{hits}");
    again(&MeshReport::new(&vertices, &indices).unwrap());
    again(&MeshOptions { double_sided: true });
    again(&CacheOptions { growth: 0.1, max_triangles: 700, ..CacheOptions::default() });
    again(&[Region::Bottom, Region::Side, Region::Top, Region::Sphere]);
}

/// JSON has no infinity: a missing limit, or `null`, means unbounded.
#[test]
fn a_limit_is_a_number_or_nothing() {
    assert_eq!(serde_json::to_string(&Limit::UNBOUNDED).unwrap(), "null");
    assert_eq!(serde_json::to_string(&Limit::new(2.5).unwrap()).unwrap(), "2.5");
    let capsule = r#""capsule":{"p0":[0,0,0],"p1":[0,0,1],"radius":1},"filter":{}"#;
    for (limit, expected) in
        [("", f64::INFINITY), (r#","limit":null"#, f64::INFINITY), (r#","limit":3"#, 3.0)]
    {
        let read: ClosestQuery = serde_json::from_str(&format!("{{{capsule}{limit}}}")).unwrap();
        assert_eq!(read.limit.metres(), expected, "{limit}");
    }
}

/// People and other programs write filters. A missing field has its default; an unknown field is
/// an error.
#[test]
fn a_filter_may_be_given_in_part() {
    let read = serde_json::from_str::<Filter>;
    assert_eq!(read("{}").unwrap(), Filter::default());
    let filter = read(r#"{"mask": 5, "sides": "Both", "bodies": "Static"}"#).unwrap();
    let (sides, bodies) = (Sides::Both, Bodies::Static);
    assert_eq!(filter, Filter { mask: 5, sides, bodies, ..Filter::default() });
    let skip = read(r#"{"start_overlaps": "Skip"}"#).unwrap();
    assert_eq!(skip.start_overlaps, StartOverlaps::Skip);
    assert!(read(r#"{"maks": 5}"#).unwrap_err().to_string().contains("unknown field `maks`"));
    assert!(read(r#"{"mask": -1}"#).is_err());
    assert!(read(r#"{"sides": "Back"}"#).is_err());
}

#[test]
fn bad_values_are_refused_with_a_reason() {
    fn error<T: DeserializeOwned + Debug>(text: &str) -> String {
        serde_json::from_str::<T>(text).unwrap_err().to_string()
    }
    for (found, part) in [
        (error::<Capsule>(r#"{"p0":[0,0,0],"p1":[0,0,1],"radius":0}"#), "radius is 0"),
        (error::<Capsule>(r#"{"p0":[2e9,0,0],"p1":[0,0,1],"radius":1}"#), "p0.x is 2e9"),
        (error::<Capsule>(r#"{"p0":[0,0,0],"p1":[0,0,1]}"#), "missing field `radius`"),
        (error::<Triangle>(r#"{"vertices":[[0,0,0],[0,0,1],[0,1e10,0]]}"#), "c.y is 1e10"),
        (error::<Aabb>(r#"{"min":[0,1,0],"max":[0,0,0]}"#), "exceeds the maximum"),
        (error::<Sphere>(r#"{"center":[0,0,0],"radius":-1}"#), "radius is -1"),
        (error::<HalfSpace>(r#"{"point":[0,0,0],"normal":[0,0,0]}"#), "normal has length 0"),
        (
            error::<Motion>(r#"{"vector":[3,4,0],"length":6}"#),
            "length is 6: the other fields give 5",
        ),
        (error::<Motion>(r#"{"vector":[0,0,0],"length":-1e-320}"#), "length is -"),
        (
            error::<Pose>(r#"{"position":[0,0,0],"rotation":[0,0,0,0],"scale":[1,1,1]}"#),
            "rotation has length 0",
        ),
        (
            error::<Pose>(r#"{"position":[0,0,0],"rotation":[0,0,0,1],"scale":[1,0,1]}"#),
            "scale.y is 0",
        ),
        (
            error::<Obb>(
                r#"{"center":[0,0,0],"half_extents":[1,1,1],"axes":[1,0,0,0,1,0,0,0.1,1]}"#,
            ),
            "axes are not orthonormal",
        ),
        (error::<AxisSystem>(r#"["Up","East","Down"]"#), "z and x lie along the same line"),
        (error::<Limit>("-1"), "limit is -1: it must be 0 or greater"),
        (error::<Limit>("\"far\""), "invalid type"),
        (error::<SlopeLimit>("1.5"), "slope_limit is 1.5e0"),
        (
            error::<Ray>(r#"{"origin":[0,2e9,0],"motion":{"vector":[3,4,0],"length":5}}"#),
            "origin.y is 2e9",
        ),
        (
            error::<Ray>(r#"{"origin":[0,null,0],"motion":{"vector":[3,4,0],"length":5}}"#),
            "invalid type: null",
        ),
        (
            error::<Ray>(r#"{"origin":[0,0,0],"motion":{"vector":[3,4,0],"length":6}}"#),
            "length is 6",
        ),
        (error::<Ray>(r#"{"origin":[0,0,0]}"#), "missing field `motion`"),
        (error::<Ray>(r#"{"origin":[0,0,0],"motoin":1}"#), "unknown field `motoin`"),
        (error::<Column>(r#"{"point":[0,0,0],"up":[0,0,1],"above":-1,"below":0}"#), "above is -1"),
    ] {
        assert!(found.contains(part), "{found:?} does not say {part:?}");
    }
}

/// Every number in a JSON value, by its path.
fn numbers(value: &serde_json::Value, path: &str, found: &mut Vec<String>) {
    match value {
        serde_json::Value::Number(number) if number.is_f64() => found.push(path.to_owned()),
        serde_json::Value::Array(values) => {
            for (index, value) in values.iter().enumerate() {
                numbers(value, &format!("{path}/{index}"), found);
            }
        }
        serde_json::Value::Object(fields) => {
            for (name, value) in fields {
                numbers(value, &format!("{path}/{name}"), found);
            }
        }
        _ => {}
    }
}

#[test]
fn an_accepted_state_with_a_number_out_of_range_is_refused() {
    use capsweep::controller::{Controller, ControllerConfig, Locomotion, LocomotionConfig};
    use capsweep::validate::{
        Accepted, Claim, ClaimTick, ClaimWorld, SpeedLimits, Validator, ValidatorConfig,
    };
    let controller = Controller::new(ControllerConfig::human(DVec3::Z)).unwrap();
    let locomotion = Locomotion::new(controller, LocomotionConfig::human()).unwrap();
    let validator = Validator::new(locomotion, ValidatorConfig::default()).unwrap();
    let mut scene = Scene::new();
    let floor = Obb::new(dvec3(0.0, 0.0, -1.0), vec3(50.0, 50.0, 1.0), DQuat::IDENTITY).unwrap();
    scene.insert(Body::shape(Shape::Box(floor)));
    let world = ClaimWorld::new(&scene);
    let start = |height: f64| {
        let feet = dvec3(0.5, 0.25, height);
        let speeds = SpeedLimits::human();
        validator.start(&world, feet, Some(dvec3(0.5, 0.0, -0.5)), speeds).unwrap()
    };
    // One that fell for a while, one with inputs, one with everything that a server can do.
    let fell =
        validator.check(&world, &start(9.0), &Claim::new(dvec3(0.6, 0.25, 8.8), 0.125)).next;
    let inputs = [ClaimTick { walk: dvec3(1.5, 0.0, 0.0), jump: false, dt: 0.125 }];
    let claim = Claim { inputs: &inputs, ..Claim::new(dvec3(0.6, 0.25, 0.0), 0.125) };
    let walked = validator.check(&world, &start(0.0), &claim).next;
    let mut changed = start(0.0);
    changed.change_speeds(SpeedLimits::human(), 0.5).unwrap();
    changed.knock_back(dvec3(1.5, 0.5, 2.5), 0.5).unwrap();
    changed.displace(dvec3(0.5, 0.5, 0.0)).unwrap();
    for state in [start(0.0), start(9.0), fell, walked, changed] {
        again(&state);
        state.check().unwrap();
        let whole = serde_json::to_value(state).unwrap();
        let mut places = Vec::new();
        numbers(&whole, "", &mut places);
        assert!(places.len() > 20, "{places:?}");
        for place in places {
            for bad in [1e300, -1e300, 1e14] {
                let mut forged = whole.clone();
                *forged.pointer_mut(&place).unwrap() = bad.into();
                // A shape within it is refused when it is read, all else by `check`.
                let read = serde_json::from_value::<Accepted>(forged);
                let is_sound = read.is_ok_and(|read| read.check().is_ok());
                assert!(!is_sound, "{place} = {bad}");
            }
        }
    }
    assert!(start(0.0).displace(dvec3(1e9, 0.0, 0.0)).is_err(), "it leads out of range");
}
