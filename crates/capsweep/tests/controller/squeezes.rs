//! Too little room: where it was put, and where bodies that move leave it none.

use super::level::{Level, Walk, human, input, physx};
use capsweep::controller::{Carrier, ControllerConfig, Obstruction};
use capsweep::scene::{Body, BodyId, Filter, Mobility, Pose, Scene, Shape};
use capsweep::{Capsule, Motion, Obb};
use capsweep_testkit::Rng;
use glam::{DQuat, DVec3, dvec3, vec3};

/// Depth of the deepest overlap of the body, without its skin; 0 if it is free.
fn depth(walk: &Walk) -> f64 {
    let state = &walk.state;
    let half = f64::from(state.total_height() * 0.5 - state.radius());
    let body = Capsule::from_center(state.center(), DVec3::Z * half, state.radius()).unwrap();
    walk.scene.overlap(&body, &Filter::default()).map_or(0.0, |found| found.hit.depth)
}

/// Whether an outcome tells of an overlap exactly while there is one.
fn assert_told(walk: &Walk, what: &str) {
    let (deep, told) = (depth(walk), walk.last.obstruction);
    assert_eq!(deep > 0.0, told.is_overlap(), "{what}: {deep} deep, {told:?}");
    if let Obstruction::Squeezed { depth } = told {
        assert!((depth - deep).abs() < 1e-9, "{what}: {depth} told, {deep} deep");
    }
}

/// Two blocks with a gap of `width` between them, about y = 0: of triangles, or solid boxes.
fn slot(width: f32, solid: bool) -> Scene {
    if !solid {
        return Level::floor()
            .cuboid(vec3(-20.0, 0.5 * width, -1.0), vec3(20.0, 4.0, 3.0))
            .cuboid(vec3(-20.0, -4.0, -1.0), vec3(20.0, -0.5 * width, 3.0))
            .scene();
    }
    let mut scene = Level::floor().scene();
    for side in [-1.0, 1.0] {
        let center = dvec3(0.0, side * (f64::from(0.5 * width) + 2.0), 1.0);
        let block = Obb::new(center, vec3(20.0, 2.0, 2.0), DQuat::IDENTITY).unwrap();
        scene.insert(Body::shape(Shape::Box(block)));
    }
    scene
}

#[test]
fn a_slot_narrower_than_the_character_is_not_left_through_a_wall() {
    for (config, widest) in [(human(), 0.31), (physx(), 0.45), (ControllerConfig::wow(), 0.32)] {
        let mut rng = Rng::new(&[91]);
        for number in 0..400 {
            let width = rng.range(0.05, widest) as f32;
            let half = 0.5 * f64::from(width);
            let scene = slot(width, number % 2 == 0);
            let feet = dvec3(rng.range(-5.0, 5.0), rng.range(-0.98, 0.98) * half, 0.0);
            let mut walk = Walk::start(&scene, config, feet);
            let what = format!("case {number}: slot of {width} m, feet at {feet}");
            for _ in 0..5 {
                assert!(walk.feet().y.abs() < half, "{what}: pushed to {}", walk.feet());
                assert!(walk.last.recovery.left > 0.0, "{what}");
                assert!(matches!(walk.last.obstruction, Obstruction::Squeezed { .. }), "{what}");
                assert_told(&walk, &what);
                walk.go(dvec3(0.02, rng.range(-0.05, 0.05), -0.01));
            }
        }
    }
}

#[test]
fn a_squeeze_is_told_of_by_every_move() {
    for solid in [false, true] {
        for width in [0.58_f32, 0.5, 0.4] {
            let mut walk = Walk::start(&slot(width, solid), human(), DVec3::ZERO);
            let first = depth(&walk);
            let expected = 0.5 * (0.6 - f64::from(width));
            assert!((first - expected).abs() < 1e-4, "{width}: {first}");
            for tick in 0..120 {
                walk.go(dvec3(0.04, 0.0, -0.01));
                let what = format!("{width}, solid {solid}, tick {tick}");
                assert_told(&walk, &what);
                assert!(depth(&walk) <= first + 2e-6, "{what}: {}", depth(&walk));
                assert!(walk.last.recovery.left > 0.0, "{what}");
            }
            assert!(walk.feet().x > 4.0, "it can still walk along: {}", walk.feet());
        }
    }
}

#[test]
fn inside_of_a_solid_nobody_is_grounded_and_every_move_says_so() {
    let mut rng = Rng::new(&[92]);
    for number in 0..50 {
        let mut scene = Scene::new();
        let block = Obb::new(DVec3::ZERO, vec3(4.0, 4.0, 4.0), DQuat::IDENTITY).unwrap();
        scene.insert(Body::shape(Shape::Box(block)));
        let feet = rng.cube(1.0) * dvec3(1.5, 1.5, 1.0) - DVec3::Z;
        let mut walk = Walk::start(&scene, human(), feet);
        for tick in 0..60 {
            let before = depth(&walk);
            walk.go(rng.direction() * 0.05);
            let what = format!("case {number}, tick {tick}");
            assert_told(&walk, &what);
            assert!(!walk.last.is_grounded(), "{what}: {:?}", walk.last.ground);
            assert!(depth(&walk) <= before + 2e-6, "{what}: {before} to {}", depth(&walk));
        }
        assert!(depth(&walk) > 1.0, "case {number}");
    }
}

/// Blocks thrown together, and a character in the middle of them.
#[test]
fn no_motion_of_its_own_deepens_an_overlap() {
    let (mut squeezed, mut free) = (0, 0);
    for seed in 0..300 {
        let mut rng = Rng::new(&[93, seed]);
        let solid = rng.chance(0.5);
        let mut level = Level::floor();
        let mut scene = Level::floor().scene();
        for _ in 0..4 {
            let (center, half) = (rng.cube(0.9) + DVec3::Z, rng.cube(0.4).abs() + 0.1);
            if solid {
                let turn = DQuat::from_rotation_z(rng.range(0.0, 6.0));
                let block = Obb::new(center, half.as_vec3(), turn).unwrap();
                scene.insert(Body::shape(Shape::Box(block)));
            } else {
                level = level.cuboid((center - half).as_vec3(), (center + half).as_vec3());
            }
        }
        let scene = if solid { scene } else { level.scene() };
        let mut walk = Walk::start(&scene, [human(), physx()][(seed % 2) as usize], DVec3::ZERO);
        for tick in 0..30 {
            let before = depth(&walk);
            walk.go(rng.direction() * rng.range(0.01, 0.2));
            let what = format!("seed {seed}, tick {tick}, solid {solid}");
            assert!(depth(&walk) <= before + 4e-6, "{what}: {before} to {}", depth(&walk));
            assert_told(&walk, &what);
            *(if depth(&walk) > 0.0 { &mut squeezed } else { &mut free }) += 1;
        }
    }
    assert!(squeezed > 300 && free > 1_000, "{squeezed} squeezed, {free} free");
}

#[test]
fn blocked_is_told_apart_from_sliding_and_from_walking() {
    let scene = Level::floor().cuboid(vec3(2.0, -9.0, -1.0), vec3(3.0, 9.0, 5.0)).scene();
    let mut walk = Walk::start(&scene, human(), dvec3(1.0, 0.0, 0.0));
    assert_eq!(walk.go(dvec3(0.1, 0.0, -0.01)).obstruction, Obstruction::None);
    walk.walk(dvec3(2.0, 0.0, 0.0), 1.0, 60);
    assert_eq!(walk.last.obstruction, Obstruction::Blocked);
    assert_eq!(walk.go(dvec3(0.1, 0.02, -0.01)).obstruction, Obstruction::None);
    assert_eq!(walk.go(DVec3::Z * -0.1).obstruction, Obstruction::None, "standing is no block");
    let low = Level::floor().cuboid(vec3(-9.0, -9.0, 1.83), vec3(9.0, 9.0, 3.0)).scene();
    let mut jump = Walk::start(&low, human(), DVec3::ZERO);
    jump.go(DVec3::Z * 0.2);
    assert_eq!(jump.go(DVec3::Z * 0.2).obstruction, Obstruction::Blocked);
}

/// A lift of some thickness under a ceiling, and its rider.
struct Lift {
    scene: Scene,
    body: BodyId,
    top: f64,
    walk: Walk,
}

impl Lift {
    fn new(thick: f32, solid: bool, ceiling: &Level) -> Self {
        let mut scene = ceiling.scene();
        let body = if solid {
            Body::shape(Self::slab(thick, 1.0))
        } else {
            let slab = Level::default().cuboid(vec3(-2.0, -2.0, -thick), vec3(2.0, 2.0, 0.0));
            Body::mesh(slab.mesh(), Self::pose(1.0)).unwrap()
        };
        let body = scene.insert(body.with_mobility(Mobility::Dynamic));
        let mut walk = Walk::start(&scene, human(), dvec3(0.4, -0.3, 1.0));
        walk.go(DVec3::Z * -0.05);
        assert_eq!(walk.state.footing().unwrap().body, body);
        Self { scene, body, top: 1.0, walk }
    }

    fn pose(top: f64) -> Pose {
        Pose::from_translation(DVec3::Z * top).unwrap()
    }

    fn slab(thick: f32, top: f64) -> Shape {
        let center = DVec3::Z * (top - 0.5 * f64::from(thick));
        Shape::Box(Obb::new(center, vec3(2.0, 2.0, 0.5 * thick), DQuat::IDENTITY).unwrap())
    }

    /// Moves the lift by `rise`, and its rider by `walk`.
    fn go(&mut self, thick: f32, rise: f64, walk: DVec3) {
        let carrier = Carrier::new(self.body, Self::pose(self.top), Self::pose(self.top + rise));
        self.top += rise;
        if self.scene.move_mesh(self.body, Self::pose(self.top)).is_err() {
            self.scene.move_shape(self.body, Self::slab(thick, self.top)).unwrap();
        }
        self.walk.scene = self.scene.clone();
        self.walk.ask(&input(walk).with_dt(1.0 / 60.0).carried_by(carrier));
    }
}

/// Asserts that an outcome tells how much room the body, 1.8 m high, lacks; the skin gives way.
fn assert_crushed_by(walk: &Walk, room: f64, what: &str) {
    match walk.last.obstruction {
        Obstruction::Crushed { missing } => {
            assert!((missing - (1.8 - room)).abs() < 0.03, "{what}: {missing} of {room}");
        }
        other => assert!(room > 1.79, "{what}, room {room}: {other:?}"),
    }
    assert!(room < 1.81 || !walk.last.obstruction.is_overlap(), "{what}, room {room}");
}

/// Rises under a ceiling at 3 m until almost no room is left, and sinks again.
fn rise_and_sink(thick: f32, solid: bool, around: &Level, what: &str) {
    let (under, rise) = (3.0, 0.5 / 60.0);
    let mut lift = Lift::new(thick, solid, around);
    let start = lift.walk.feet();
    let mut ticks = 0;
    while lift.top < under - 0.05 {
        lift.go(thick, rise, DVec3::Z * -0.003);
        ticks += 1;
        let (room, middle) = (under - lift.top, lift.walk.state.center().z);
        assert!(middle < under, "{what}: middle at {middle}, room {room}");
        assert!(middle > lift.top, "{what}: middle at {middle}, lift at {}", lift.top);
        assert_crushed_by(&lift.walk, room, what);
    }
    // Room returns: it stands where it stood on the lift.
    for _ in 0..ticks {
        lift.go(thick, -rise, DVec3::Z * -0.003);
        let (room, feet) = (under - lift.top, lift.walk.feet());
        let stands = lift.walk.last.is_grounded() && (feet.z - lift.top).abs() < 1e-3;
        assert!(stands || room < 1.86, "{what}, room {room}: {feet} on {}", lift.top);
    }
    assert!((lift.walk.feet() - start).length() < 1e-3, "{what}: {}", lift.walk.feet());
}

#[test]
fn a_lift_that_crushes_its_rider_takes_it_through_neither_surface() {
    for (thick, solid) in [(0.2, false), (1.0, false), (0.2, true), (1.0, true), (0.05, false)] {
        for top in [3.05_f32, 3.2, 5.0] {
            let around = Level::default().cuboid(vec3(-3.0, -3.0, 3.0), vec3(3.0, 3.0, top));
            let what = format!("{thick} m thick, solid {solid}, ceiling to {top}");
            rise_and_sink(thick, solid, &around, &what);
        }
    }
}

#[test]
fn who_is_crushed_can_walk_out_from_under() {
    // The ceiling ends at x = 1, the lift at x = 2.
    let ceiling = Level::default().cuboid(vec3(-3.0, -3.0, 3.0), vec3(1.0, 3.0, 4.0));
    let mut lift = Lift::new(0.3, false, &ceiling);
    while lift.top < 1.4 {
        lift.go(0.3, 0.01, DVec3::Z * -0.003);
    }
    assert!(matches!(lift.walk.last.obstruction, Obstruction::Crushed { .. }));
    for _ in 0..60 {
        lift.go(0.3, 0.0, dvec3(0.02, 0.0, -0.003));
    }
    let feet = lift.walk.feet();
    assert!(feet.x > 1.3 && (feet.z - lift.top).abs() < 1e-3, "{feet}");
    assert!(!lift.walk.last.obstruction.is_overlap() && lift.walk.last.is_grounded());
}

#[test]
fn a_wall_that_crushes_holds_and_releases_its_victim() {
    let mut scene = Level::floor().cuboid(vec3(1.0, -4.0, -1.0), vec3(2.0, 4.0, 4.0)).scene();
    let press = |x: f64| {
        Shape::Box(Obb::new(dvec3(x, 0.0, 1.5), vec3(1.0, 3.0, 1.5), DQuat::IDENTITY).unwrap())
    };
    let body = scene.insert(Body::shape(press(-3.0)).with_mobility(Mobility::Dynamic));
    let mut walk = Walk::start(&scene, human(), DVec3::ZERO);
    // Its face goes from x = −2 to 0.9 and back: the room is then 0.1 m wide.
    let faces = (0..=145).map(|i| -2.0 + 0.02 * f64::from(i));
    for face in faces.clone().chain(faces.rev()) {
        scene.move_shape(body, press(face - 1.0)).unwrap();
        walk.scene = scene.clone();
        walk.go(DVec3::Z * -0.01);
        let feet = walk.feet();
        assert!(feet.x < 1.0 && feet.z.abs() < 1e-3, "face at {face}: {feet}");
        let crushed = matches!(walk.last.obstruction, Obstruction::Crushed { .. });
        assert_eq!(crushed, 1.0 - face < 0.6 - 1e-5, "face at {face}: {:?}", walk.last.obstruction);
    }
    assert!(walk.last.is_grounded() && (walk.feet().x - 0.68).abs() < 0.05, "{}", walk.feet());
    let free = Motion::new(dvec3(-0.5, 0.0, 0.0)).unwrap();
    assert!(!free.is_zero() && walk.go(free.vector()).obstruction == Obstruction::None);
}

#[test]
fn a_press_from_above_crushes_and_releases_whoever_stands_under_it() {
    for (thick, solid) in [(0.1_f32, false), (0.1, true), (2.0, false), (2.0, true)] {
        let mut scene = Level::floor().scene();
        let slab = |low: f64| {
            let center = DVec3::Z * (low + 0.5 * f64::from(thick));
            Shape::Box(Obb::new(center, vec3(2.0, 2.0, 0.5 * thick), DQuat::IDENTITY).unwrap())
        };
        let body = if solid {
            Body::shape(slab(3.0))
        } else {
            let mesh = Level::default().cuboid(vec3(-2.0, -2.0, 0.0), vec3(2.0, 2.0, thick));
            Body::mesh(mesh.mesh(), Lift::pose(3.0)).unwrap()
        };
        let body = scene.insert(body.with_mobility(Mobility::Dynamic));
        let mut walk = Walk::start(&scene, human(), DVec3::ZERO);
        let lows = (0..=145).map(|i| 3.0 - 0.02 * f64::from(i));
        for low in lows.clone().chain(lows.rev()) {
            if solid {
                scene.move_shape(body, slab(low)).unwrap();
            } else {
                scene.move_mesh(body, Lift::pose(low)).unwrap();
            }
            walk.scene = scene.clone();
            walk.go(DVec3::Z * -0.01);
            let what = format!("{thick} m thick, solid {solid}, press at {low}");
            let middle = walk.state.center().z;
            assert!(0.0 < middle && middle < low, "{what}: middle at {middle}");
            assert_crushed_by(&walk, low, &what);
        }
        assert!(walk.last.is_grounded() && walk.feet().length() < 1e-3, "{}", walk.feet());
    }
}
