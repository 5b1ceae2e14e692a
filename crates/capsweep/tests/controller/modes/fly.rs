//! Flight: free motion in the air, take-off and landing.

use super::super::level::{Level, assert_near};
use super::{DT, Rig, go};
use capsweep::Motion;
use capsweep::cache::TriangleCache;
use capsweep::controller::{Abilities, LocomotionInput, Mode, MoveInput, Pass};
use capsweep::scene::Scene;
use glam::{DVec3, dvec3, vec3};

fn fly(velocity: DVec3) -> LocomotionInput {
    let abilities = Abilities { fly: true, ..Abilities::default() };
    LocomotionInput { abilities, ..go(velocity) }
}

#[test]
fn a_flyer_walks_on_the_ground_takes_off_stays_in_the_air_and_lands() {
    let mut rig = Rig::human(Level::floor().scene(), DVec3::ZERO);
    rig.run(0.5, DT, &fly(DVec3::X * 4.0));
    assert_eq!(rig.state.mode, Mode::Walk);
    assert_near(rig.feet(), DVec3::X * 2.0, 1e-4);
    rig.run(0.5, DT, &fly(dvec3(0.0, 2.0, 4.0)));
    assert_eq!(rig.state.mode, Mode::Fly);
    assert_near(rig.feet(), dvec3(2.0, 1.0, 2.0), 1e-4);
    let before = rig.feet();
    rig.run(1.0, DT, &fly(DVec3::ZERO));
    assert_eq!((rig.feet(), rig.state.mode), (before, Mode::Fly));
    rig.run(1.0, DT, &fly(dvec3(1.0, 0.0, -3.0)));
    assert_eq!(rig.state.mode, Mode::Walk);
    assert!(rig.feet().z.abs() < 1e-4 && rig.state.character.is_grounded());
}

#[test]
fn a_flyer_that_loses_the_ability_falls_with_its_velocity() {
    let mut rig = Rig::wow(Scene::new(), DVec3::ZERO);
    rig.run(0.5, DT, &fly(dvec3(3.0, 0.0, 2.0)));
    let before = rig.feet();
    rig.run(0.5, DT, &go(DVec3::ZERO));
    assert_eq!(rig.state.mode, Mode::Fall);
    let fallen = dvec3(1.5, 0.0, 1.0 - 0.5 * 19.291_105_27 * 0.25);
    assert_near(rig.feet() - before, fallen, 1e-9);
}

#[test]
fn a_flyer_slides_along_walls_ceilings_and_corners_and_keeps_its_skin() {
    let scene = Level::floor()
        .cuboid(vec3(4.0, -9.0, -1.0), vec3(5.0, 9.0, 20.0))
        .cuboid(vec3(-9.0, -9.0, 8.0), vec3(9.0, 9.0, 9.0))
        .scene();
    let mut rig = Rig::human(scene, DVec3::Z * 2.0);
    rig.run(2.0, DT, &fly(dvec3(3.0, 1.0, 0.0)));
    assert_near(rig.feet(), dvec3(4.0 - 0.32, 2.0, 2.0), 1e-4);
    assert!(rig.last.touching.sides && !rig.last.touching.above);
    assert!(rig.last.contacts.iter().all(|contact| contact.pass == Pass::Free));
    assert!(rig.state.velocity.x.abs() < 1e-5 && (rig.state.velocity.y - 1.0).abs() < 1e-5);
    rig.run(3.0, DT, &fly(dvec3(3.0, -1.0, 3.0)));
    assert_near(rig.feet(), dvec3(4.0 - 0.32, -1.0, 8.0 - 1.82 - 0.02), 1e-3);
    assert!(rig.last.touching.above && rig.state.mode == Mode::Fly);
}

#[test]
fn a_free_move_reports_the_ground_and_climbs_no_step() {
    let scene = Level::floor().cuboid(vec3(1.0, -5.0, -1.0), vec3(3.0, 5.0, 0.3)).scene();
    let rig = Rig::human(scene, DVec3::ZERO);
    let motion = MoveInput::new(Motion::new(DVec3::X * 2.0).unwrap()).flying();
    let mut cache = TriangleCache::new();
    let controller = rig.locomotion.controller();
    let out = controller.move_by(&rig.scene, &mut cache, &rig.state.character, &motion);
    // The edge of 0.3 m leans against the round bottom: it is slid up, and no step.
    assert!(out.achieved.x < 1.0 && out.achieved.z > 0.0 && !out.stepped && !out.snapped);
    let along = MoveInput::new(Motion::new(DVec3::Y).unwrap()).flying();
    let out = controller.move_by(&rig.scene, &mut cache, &rig.state.character, &along);
    assert!(out.is_grounded() && out.state.is_grounded() && out.touching.below);
    assert_near(out.achieved, DVec3::Y, 1e-6);
    let up = MoveInput::new(Motion::new(dvec3(0.0, 0.0, 0.5)).unwrap()).flying();
    let out = controller.move_by(&rig.scene, &mut cache, &rig.state.character, &up);
    assert!(out.ground.is_none());
    assert_near(out.achieved, DVec3::Z * 0.5, 1e-9);
    let wall = Level::floor().cuboid(vec3(1.0, -5.0, -1.0), vec3(3.0, 5.0, 0.35)).scene();
    let out = controller.move_by(&wall, &mut cache, &rig.state.character, &motion);
    assert_near(out.achieved, DVec3::X * (1.0 - 0.32), 1e-4);
    assert!(out.touching.sides);
}

#[test]
fn a_hovering_character_keeps_its_height_over_the_ground_and_counts_as_grounded() {
    let hover = Abilities { hover: 0.8, ..Abilities::default() };
    let wish = |velocity| LocomotionInput { abilities: hover, ..go(velocity) };
    let mut rig = Rig::human(Level::floor().ramp(4.0, 8.0, 3.0).scene(), DVec3::Z * 3.0);
    rig.run(1.5, DT, &wish(DVec3::ZERO));
    assert_near(rig.feet(), DVec3::Z * 0.8, 1e-4);
    assert!(rig.state.mode == Mode::Walk && rig.state.character.is_grounded());
    // Up a ramp of 20°, over a flat top, and down its drop of 3 m.
    let mut highest = 0.0_f64;
    for _ in 0..600 {
        rig.tick(&wish(DVec3::X * 3.0));
        highest = highest.max(rig.feet().z);
        if rig.feet().x < 21.0 {
            assert!(rig.state.character.is_grounded(), "{}", rig.feet());
        }
    }
    assert!((highest - 3.8).abs() < 0.01, "{highest}");
    assert!((rig.feet().z - 0.8).abs() < 1e-4, "{}", rig.feet());
    // It jumps from its height, and comes down to it. Without the ability it falls to the ground.
    rig.tick(&LocomotionInput { jump: true, ..wish(DVec3::ZERO) });
    assert!(rig.feet().z > 0.84 && rig.state.mode == Mode::Fall);
    rig.run(1.0, DT, &wish(DVec3::ZERO));
    assert!((rig.feet().z - 0.8).abs() < 1e-4 && rig.state.mode == Mode::Walk);
    rig.run(1.0, DT, &go(DVec3::ZERO));
    assert!(rig.feet().z.abs() < 1e-4 && rig.state.mode == Mode::Walk);
    // The ability lifts it at once, but not through a ceiling.
    let low = Level::floor().cuboid(vec3(-5.0, -5.0, 2.2), vec3(5.0, 5.0, 3.0)).scene();
    let mut rig = Rig::human(low, DVec3::ZERO);
    rig.run(0.2, DT, &wish(DVec3::ZERO));
    assert_near(rig.feet(), DVec3::Z * (2.2 - 1.82 - 0.02), 1e-4);
    assert!(rig.state.character.is_grounded());
}

#[test]
fn a_hovering_character_rises_along_no_wall_and_no_steep_slope() {
    let hover = Abilities { hover: 1.0, ..Abilities::default() };
    let wish = |velocity| LocomotionInput { abilities: hover, ..go(velocity) };
    let tower = |x: f32, z: f32| vec3(x, -5.0, z);
    let mut walls = Level::floor().cuboid(tower(3.0, -1.0), vec3(4.0, 5.0, 9.0));
    // A parapet that ends below the body, and a wall above it.
    walls = walls
        .cuboid(tower(-4.0, -1.0), vec3(-3.0, 5.0, 0.9))
        .cuboid(tower(-4.0, 1.5), vec3(-3.0, 5.0, 9.0));
    for lean in [0.05_f32, 0.3, 0.6] {
        let slope = [(20.0, -1.0), (29.0, -1.0), (29.0, 9.0), (20.0 + 10.0 * lean, 9.0)];
        let scene = walls.clone().prism(&slope, -5.0, 5.0).scene();
        for (x, side) in [(0.0, 1.0), (0.0, -1.0), (17.0, 1.0)] {
            let mut rig = Rig::human(scene.clone(), DVec3::X * x);
            rig.run(0.2, DT, &wish(DVec3::ZERO));
            for tick in 0..240 {
                let aside = if tick % 40 < 20 { 1.5 } else { -1.5 };
                rig.tick(&wish(dvec3(3.0 * side, aside, 0.0)));
                // Its speed takes it up by v²/2g = 46 cm at most.
                assert!(rig.feet().z < 1.5, "{lean} {x} {side} {}", rig.feet());
            }
        }
    }
}
