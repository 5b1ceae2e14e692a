//! Static surfaces that leave a character no room, and blocked moves.

use super::level::{Level, Walk, human, input, physx};
use capsweep::cache::TriangleCache;
use capsweep::controller::{
    Controller, ControllerConfig, Locomotion, LocomotionConfig, LocomotionInput, LocomotionState,
    Obstruction,
};
use capsweep::scene::{Body, BodyId, Filter, MeshOptions, Mobility, Pose, Scene, Shape};
use capsweep::{Obb, Sides};
use capsweep_testkit::Rng;
use glam::{DQuat, DVec3, dvec3, vec3};

/// Asserts that the outcome reports an overlap exactly while there is one.
fn assert_overlap_reported(walk: &Walk, what: &str) {
    let (depth, reported) = (walk.depth(), walk.last.obstruction);
    assert_eq!(depth > 0.0, reported.is_overlap(), "{what}: {depth} deep, {reported:?}");
    if let Obstruction::Squeezed { depth: found } = reported {
        assert!((found - depth).abs() < 1e-9, "{what}: {found} reported, {depth} deep");
    }
}

/// A gap of `width` metres about y = 0, between two meshes or two solid boxes.
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
                assert_overlap_reported(&walk, &what);
                walk.go(dvec3(0.02, rng.range(-0.05, 0.05), -0.01));
            }
        }
    }
}

#[test]
fn every_move_reports_a_squeeze() {
    for solid in [false, true] {
        for width in [0.58_f32, 0.5, 0.4] {
            let mut walk = Walk::start(&slot(width, solid), human(), DVec3::ZERO);
            let first = walk.depth();
            let expected = 0.5 * (0.6 - f64::from(width));
            assert!((first - expected).abs() < 1e-4, "{width}: {first}");
            for tick in 0..120 {
                walk.go(dvec3(0.04, 0.0, -0.01));
                let what = format!("{width}, solid {solid}, tick {tick}");
                assert_overlap_reported(&walk, &what);
                assert!(walk.depth() <= first + 2e-6, "{what}: {}", walk.depth());
                assert!(walk.last.recovery.left > 0.0, "{what}");
            }
            assert!(walk.feet().x > 4.0, "it can still walk along the slot: {}", walk.feet());
        }
    }
}

#[test]
fn inside_a_solid_a_character_is_never_grounded_and_every_move_reports_it() {
    let mut rng = Rng::new(&[92]);
    for number in 0..50 {
        let mut scene = Scene::new();
        let block = Obb::new(DVec3::ZERO, vec3(4.0, 4.0, 4.0), DQuat::IDENTITY).unwrap();
        scene.insert(Body::shape(Shape::Box(block)));
        let feet = rng.cube(1.0) * dvec3(1.5, 1.5, 1.0) - DVec3::Z;
        let mut walk = Walk::start(&scene, human(), feet);
        for tick in 0..60 {
            let before = walk.depth();
            walk.go(rng.direction() * 0.05);
            let what = format!("case {number}, tick {tick}");
            assert_overlap_reported(&walk, &what);
            assert!(!walk.last.is_grounded(), "{what}: {:?}", walk.last.ground);
            assert!(walk.depth() <= before + 2e-6, "{what}: {before} to {}", walk.depth());
        }
        assert!(walk.depth() > 1.0, "case {number}");
    }
}

/// Blocks thrown together, and a character in the center of them.
#[test]
fn no_move_deepens_an_overlap() {
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
            let before = walk.depth();
            walk.go(rng.direction() * rng.range(0.01, 0.2));
            let what = format!("seed {seed}, tick {tick}, solid {solid}");
            assert!(walk.depth() <= before + 4e-6, "{what}: {before} to {}", walk.depth());
            assert_overlap_reported(&walk, &what);
            *(if walk.depth() > 0.0 { &mut squeezed } else { &mut free }) += 1;
        }
    }
    assert!(squeezed > 300 && free > 1_000, "{squeezed} squeezed, {free} free");
}

#[test]
fn squeezes_are_reported_and_never_deepened_far_away_with_any_up_and_sides() {
    let (mut squeezed, mut free) = (0, 0);
    for seed in 0..300 {
        let mut rng = Rng::new(&[4_813, seed]);
        let up = rng.direction();
        let turn = DQuat::from_rotation_arc(DVec3::Z, up);
        let origin = dvec3(16_000.0, 3_000.0, -9_000.0);
        let mirror = if rng.chance(0.5) { -1.0 } else { 1.0 };
        let double_sided = rng.chance(0.3);
        let sides = if rng.chance(0.3) { Sides::Both } else { Sides::Front };
        let mut level = Level::floor();
        for _ in 0..4 {
            let (center, half) = (rng.cube(0.9) + DVec3::Z, rng.cube(0.4).abs() + 0.1);
            level = level.cuboid((center - half).as_vec3(), (center + half).as_vec3());
        }
        let mut scene = Scene::new();
        let pose = Pose::new(origin, turn, dvec3(mirror, 1.0, 1.0)).unwrap();
        let mesh = level.mesh_with(MeshOptions { double_sided });
        scene.insert(Body::mesh(mesh, pose).unwrap());
        let config = ControllerConfig::human(up);
        let filter = Filter { sides, ..Filter::default() };
        let controller = Controller::new(config).unwrap();
        let mut walk = Walk::start(&scene, config, origin);
        walk.state = controller.spawn(origin).unwrap();
        let depth = |walk: &Walk| {
            let found = scene.overlap(&walk.body(), &filter);
            found.map_or(0.0, |found| found.hit.depth)
        };
        walk.move_with(&input(DVec3::ZERO).with_filter(filter));
        for tick in 0..30 {
            let before = depth(&walk);
            walk.move_with(&input(rng.direction() * rng.range(0.01, 0.2)).with_filter(filter));
            let after = depth(&walk);
            let what = format!("seed {seed}, tick {tick}, {sides:?}, double {double_sided}");
            assert!(after <= before + 4e-6, "{what}: {before} to {after}");
            let obstruction = walk.last.obstruction;
            assert_eq!(after > 0.0, obstruction.is_overlap(), "{what}: {after}, {obstruction:?}");
            *(if after > 0.0 { &mut squeezed } else { &mut free }) += 1;
        }
    }
    assert!(squeezed > 200 && free > 1_000, "{squeezed} squeezed, {free} free");
}

#[test]
fn a_corner_narrower_than_the_character_is_reported_and_never_left_through_a_wall() {
    for degrees in [10.0_f64, 25.0, 40.0] {
        for start in [0.3, 0.6, 1.0] {
            // Two thick walls that meet at x = 0 and open towards +x.
            let mut scene = Level::floor().scene();
            for side in [-1.0, 1.0] {
                let turn = DQuat::from_rotation_z(side * (0.5 * degrees).to_radians());
                let center = turn * dvec3(0.0, side * 2.0, 1.0);
                let wall = Obb::new(center, vec3(20.0, 2.0, 3.0), turn).unwrap();
                scene.insert(Body::shape(Shape::Box(wall)));
            }
            let mut walk = Walk::start(&scene, human(), dvec3(start, 0.0, 0.0));
            let half = (0.5 * degrees).to_radians().tan();
            for tick in 0..60 {
                let before = walk.depth();
                let angle = f64::from(tick) * 0.7;
                walk.go(dvec3(angle.cos() * 0.05, angle.sin() * 0.05, -0.01));
                let (feet, depth) = (walk.feet(), walk.depth());
                let what = format!("{degrees}°, {start}, tick {tick}: {feet}, {depth} deep");
                assert!(feet.x > 0.0 && feet.y.abs() <= feet.x * half, "{what}");
                assert!(depth <= before + 4e-6, "{what}, was {before}");
                assert_eq!(depth > 0.0, walk.last.obstruction.is_overlap(), "{what}");
            }
        }
    }
}

#[test]
fn a_character_squeezed_by_walls_beside_a_crate_is_not_reported_crushed() {
    let mut scene = Level::floor()
        .cuboid(vec3(-20.0, 0.25, -1.0), vec3(20.0, 4.0, 3.0))
        .cuboid(vec3(-20.0, -4.0, -1.0), vec3(20.0, -0.25, 3.0))
        .scene();
    let place = |x: f64| {
        Shape::Box(Obb::new(dvec3(x, 0.0, 1.0), vec3(0.5, 0.2, 1.0), DQuat::IDENTITY).unwrap())
    };
    let crate_ = scene.insert(Body::shape(place(5.0)).with_mobility(Mobility::Dynamic));
    let mut walk = Walk::start(&scene, human(), DVec3::ZERO);
    walk.go(DVec3::Z * -0.01);
    for tick in 0..20 {
        // The face of the crate is 0.31 m from the axis: in the skin.
        scene.move_shape(crate_, place(if tick < 5 { 5.0 } else { 0.81 })).unwrap();
        walk.scene = scene.clone();
        walk.go(DVec3::Z * -0.01);
        let reported = walk.last.obstruction;
        assert!(matches!(reported, Obstruction::Squeezed { .. }), "tick {tick}: {reported:?}");
    }
}

#[test]
fn standing_up_in_a_room_that_is_too_low_is_reported_and_can_be_undone() {
    for room in [1.3_f32, 1.0] {
        let scene = Level::floor().cuboid(vec3(-9.0, -9.0, room), vec3(9.0, 9.0, 3.0)).scene();
        let config = ControllerConfig { total_height: 0.9, ..human() };
        let mut walk = Walk::start(&scene, config, DVec3::ZERO);
        assert!(walk.go(DVec3::Z * -0.01).is_grounded());
        for _ in 0..5 {
            walk.state = walk.controller.resize(&walk.state, 1.8).unwrap();
            for _ in 0..10 {
                walk.go(dvec3(0.03, 0.0, -0.01));
                let reported = walk.last.obstruction;
                assert!(matches!(reported, Obstruction::Squeezed { .. }), "{room}: {reported:?}");
                let center = walk.state.center().z;
                assert!(center > 0.0 && center < f64::from(room), "{room}: {center}");
            }
            walk.state = walk.controller.resize(&walk.state, 0.9).unwrap();
            for _ in 0..10 {
                walk.go(dvec3(0.03, 0.0, -0.05));
            }
            let feet = walk.feet();
            assert!(walk.last.is_grounded() && feet.z.abs() < 1e-3, "{room}: {feet}");
            assert!(!walk.last.obstruction.is_overlap(), "{room}");
        }
    }
}

#[test]
fn a_low_room_with_two_sided_walls_has_its_floor_below_and_not_overhead() {
    for height in [1.81_f32, 1.82, 1.83] {
        let scene = Level::floor().cuboid(vec3(-9.0, -9.0, height), vec3(9.0, 9.0, 3.0)).scene();
        let mut walk = Walk::start(&scene, human(), DVec3::ZERO);
        let both = Filter { sides: Sides::Both, ..Filter::default() };
        for _ in 0..20 {
            walk.move_with(&input(dvec3(0.05, 0.0, -0.01)).with_filter(both));
            let ground = walk.last.ground.unwrap();
            assert!(ground.normal.z > 0.9 && walk.last.is_grounded(), "{height}: {ground:?}");
            assert!(walk.depth() < 1e-5, "{height}: {}", walk.depth());
        }
        assert!(walk.feet().x > 0.9, "{height}: {}", walk.feet());
    }
}

/// Ticks a squeezed character for ten seconds and frees it in the last two. Asserts that its
/// velocity never exceeds the speed it makes by more than 1 m/s.
fn assert_falls_from_rest(mut scene: Scene, jail: &[BodyId], feet: DVec3, what: &str) {
    let controller = Controller::new(human()).unwrap();
    let locomotion = Locomotion::new(controller, LocomotionConfig::human()).unwrap();
    let mut cache = TriangleCache::new();
    let mut state = LocomotionState::at_rest(controller.spawn(feet).unwrap());
    let dt = 1.0 / 60.0;
    let wish = LocomotionInput::new(DVec3::ZERO, dt);
    let mut overlaps = 0;
    for tick in 0..600 {
        if tick == 500 {
            for body in jail {
                scene.remove(*body).unwrap();
            }
        }
        let (next, outcome) = locomotion.tick(&scene, &mut cache, &state, &wish).unwrap();
        overlaps += u32::from(outcome.obstruction.is_overlap());
        let (speed, made) = (next.velocity.length(), outcome.achieved.length() / dt);
        assert!(speed < made + 1.0, "{what}, tick {tick}: {speed} m/s, made {made} m/s");
        state = next;
    }
    // A wide wedge pushes it out at once; it then rests in a groove.
    assert!(overlaps > 20 || what.contains("wide"), "{what}: {overlaps}");
}

#[test]
fn a_character_freed_from_a_solid_or_a_wedge_falls_from_rest() {
    let slab = |center: DVec3, half: glam::Vec3, turn: DQuat| {
        Body::shape(Shape::Box(Obb::new(center, half, turn).unwrap()))
    };
    for shift in [DVec3::ZERO, DVec3::X * 0.7, DVec3::Y * -0.8, DVec3::Z * -0.6] {
        let mut scene = Scene::new();
        let jail = scene.insert(slab(shift, vec3(4.0, 4.0, 4.0), DQuat::IDENTITY));
        let what = format!("in a solid, {shift}");
        assert_falls_from_rest(scene, &[jail], DVec3::Z * -1.0, &what);
    }
    for lean in [0.02, 0.1, 0.3] {
        let mut scene = Scene::new();
        let jail = [-1.0, 1.0].map(|side: f64| {
            let turn = DQuat::from_rotation_x(-side * lean);
            let center = dvec3(0.0, side * 0.25, 0.0) + turn * dvec3(0.0, side * 2.0, 0.0);
            scene.insert(slab(center, vec3(8.0, 2.0, 3.0), turn))
        });
        let what = format!("in a {} wedge of {lean}", if lean > 0.05 { "wide" } else { "narrow" });
        assert_falls_from_rest(scene, &jail, DVec3::Z * -1.0, &what);
    }
}

#[test]
fn blocked_is_neither_sliding_nor_walking() {
    let scene = Level::floor().cuboid(vec3(2.0, -9.0, -1.0), vec3(3.0, 9.0, 5.0)).scene();
    let mut walk = Walk::start(&scene, human(), dvec3(1.0, 0.0, 0.0));
    assert_eq!(walk.go(dvec3(0.1, 0.0, -0.01)).obstruction, Obstruction::None);
    walk.walk(dvec3(2.0, 0.0, 0.0), 1.0, 60);
    assert_eq!(walk.last.obstruction, Obstruction::Blocked);
    assert_eq!(walk.go(dvec3(0.1, 0.02, -0.01)).obstruction, Obstruction::None);
    assert_eq!(walk.go(DVec3::Z * -0.1).obstruction, Obstruction::None, "standing is not blocked");
    let low = Level::floor().cuboid(vec3(-9.0, -9.0, 1.83), vec3(9.0, 9.0, 3.0)).scene();
    let mut jump = Walk::start(&low, human(), DVec3::ZERO);
    jump.go(DVec3::Z * 0.2);
    assert_eq!(jump.go(DVec3::Z * 0.2).obstruction, Obstruction::Blocked);
}

#[test]
fn a_walk_that_makes_a_fiftieth_of_its_length_is_not_blocked() {
    let scene = Level::floor().cuboid(vec3(2.0, -9.0, -1.0), vec3(3.0, 9.0, 5.0)).scene();
    let mut walk = Walk::start(&scene, human(), dvec3(1.0, 0.0, 0.0));
    walk.walk(dvec3(2.0, 0.0, 0.0), 1.0, 60);
    // Along the wall by these fractions of the motion.
    for (fraction, blocked) in [(0.002, true), (0.009, true), (0.011, false), (0.05, false)] {
        let made = walk.clone().go(dvec3(0.1, 0.1 * fraction, -0.01)).obstruction;
        assert_eq!(made == Obstruction::Blocked, blocked, "{fraction}");
    }
}
