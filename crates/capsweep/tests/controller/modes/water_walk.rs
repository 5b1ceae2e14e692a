//! Walking on water: shores, jumps, waves, and liquids of the scene.

use super::super::level::Level;
use super::{DT, Rig, beach, go, in_water, ticks};
use capsweep::controller::{Abilities, LocomotionInput, Mode, Water};
use capsweep::scene::{
    Heights, LiquidGrid, LiquidKind, LiquidRole, LiquidSheet, Liquids, PlacedLiquid, Pose, Scene,
};
use glam::{DVec3, dvec3, vec3};
use std::sync::Arc;

const ABILITIES: Abilities =
    Abilities { fly: false, hover: 0.0, water_walking: true, slow_fall: false, rooted: false };

fn on_water(velocity: DVec3) -> LocomotionInput {
    LocomotionInput { abilities: ABILITIES, ..in_water(0.0, velocity) }
}

/// A sheet of 1 m cells over −100..100 m in x and y.
fn sheet(height: impl Fn(f64, f64) -> f64) -> Arc<Liquids> {
    let grid = LiquidGrid { rows: 200, columns: 200, spacing: [1.0; 2], origin: [-100.0, -100.0] };
    let at = |i: usize| f64::from(i as u32) - 100.0;
    let heights = (0..201).flat_map(|row| (0..201).map(move |column| (at(row), at(column))));
    let heights = heights.map(|(x, y)| height(x, y) as f32).collect();
    let sheet = LiquidSheet::new(grid, Heights::F32(heights), LiquidKind::Water).unwrap();
    let role = LiquidRole::Terrain { ground: None };
    let placed = PlacedLiquid::new(Arc::new(sheet), Pose::IDENTITY, role).unwrap();
    Arc::new(Liquids::new(vec![placed], Vec::new()).unwrap())
}

fn with_liquids(mut scene: Scene, height: impl Fn(f64, f64) -> f64) -> Scene {
    scene.set_liquids(Some(sheet(height)));
    scene
}

#[test]
fn a_character_walks_off_the_shore_onto_the_water_and_back_ashore() {
    for slope in [0.1, 0.5, 0.9] {
        let shore = f64::from(10.0 + 4.0 / slope);
        let mut rig = Rig::human(beach(4.0, slope), dvec3(shore + 1.0, 0.0, f64::from(slope)));
        rig.tick(&on_water(DVec3::ZERO));
        assert_eq!(rig.state.mode, Mode::Walk);
        let mut modes = vec![Mode::Walk];
        for (seconds, velocity) in [(4.0, DVec3::X * -3.0), (4.0, DVec3::X * 3.0)] {
            for _ in 0..ticks(seconds, DT) {
                rig.tick(&on_water(velocity));
                assert!(rig.feet().z > -1e-3, "{slope}: {}", rig.feet());
                if modes.last() != Some(&rig.state.mode) {
                    modes.push(rig.state.mode);
                }
            }
        }
        assert_eq!(modes, [Mode::Walk, Mode::WaterWalk, Mode::Walk], "{slope}");
    }
}

#[test]
fn a_water_walker_jumps_off_the_surface_and_lands_on_it() {
    let mut rig = Rig::wow(Scene::new(), DVec3::Z);
    rig.run(1.0, DT, &on_water(DVec3::X * 7.0));
    assert_eq!(rig.state.mode, Mode::WaterWalk);
    rig.tick(&LocomotionInput { jump: true, ..on_water(DVec3::X * 7.0) });
    let mut highest = 0.0_f64;
    for _ in 0..60 {
        rig.tick(&on_water(DVec3::X * 7.0));
        highest = highest.max(rig.feet().z);
    }
    assert!((highest - 1.640).abs() < 0.01, "{highest}");
    assert!(rig.feet().z.abs() < 1e-9 && rig.state.mode == Mode::WaterWalk);
}

#[test]
fn feet_below_the_surface_by_a_step_rise_to_it_and_deeper_ones_swim() {
    for (feet, mode, height) in
        [(-0.39, Mode::WaterWalk, 0.0), (-0.41, Mode::Fall, -0.41), (-2.0, Mode::Swim, -2.0)]
    {
        let mut rig = Rig::human(Scene::new(), DVec3::Z * feet);
        rig.tick(&LocomotionInput { dt: 0.0, ..on_water(DVec3::ZERO) });
        assert_eq!(rig.state.mode, mode, "{feet}");
        assert!((rig.feet().z - height).abs() < 1e-9, "{feet}: {}", rig.feet());
    }
    // It rises no higher than a ceiling lets it.
    let dock = Level::default().cuboid(vec3(-9.0, -9.0, 1.7), vec3(9.0, 9.0, 2.0)).scene();
    let mut rig = Rig::human(dock, DVec3::Z * -0.3);
    rig.run(0.2, DT, &on_water(DVec3::X));
    assert!((rig.feet().z - (1.7 - 1.84)).abs() < 1e-4, "{}", rig.feet());
}

#[test]
fn without_the_ability_a_water_walker_falls_in_and_swims() {
    let mut rig = Rig::human(Scene::new(), DVec3::Z * 0.5);
    rig.run(1.0, DT, &on_water(DVec3::ZERO));
    assert_eq!(rig.state.mode, Mode::WaterWalk);
    rig.tick(&in_water(0.0, DVec3::ZERO));
    assert_eq!(rig.state.mode, Mode::Fall);
    rig.run(2.0, DT, &in_water(0.0, DVec3::ZERO));
    assert_eq!(rig.state.mode, Mode::Swim);
}

#[test]
fn steps_ashore_are_climbed_from_the_water() {
    // A quay 0.3 m over the water.
    let quay = Level::default().cuboid(vec3(2.0, -9.0, -5.0), vec3(20.0, 9.0, 0.3)).scene();
    for wave in [0.0, 0.02] {
        let scene = with_liquids(quay.clone(), |x, _| wave * x);
        let mut rig = Rig::human(scene, DVec3::Z * 0.1);
        rig.run(2.0, DT, &LocomotionInput { abilities: ABILITIES, ..go(DVec3::X * 3.0) });
        assert_eq!(rig.state.mode, Mode::Walk, "{wave}: {}", rig.feet());
        assert!((rig.feet().z - 0.3).abs() < 1e-4 && rig.feet().x > 5.5, "{}", rig.feet());
    }
}

#[test]
fn a_walk_over_waves_follows_them_at_its_level_speed() {
    // Waves of 0.6 m, up to 43° steep.
    let wave = |x: f64, _: f64| 0.6 * (x * 1.5).sin();
    let scene = with_liquids(Scene::new(), wave);
    let mut rig = Rig::human(scene, DVec3::Z);
    let wish = LocomotionInput { abilities: ABILITIES, ..go(DVec3::X * 2.0) };
    rig.run(1.0, DT, &wish);
    for _ in 0..600 {
        let before = rig.feet();
        rig.tick(&wish);
        assert_eq!(rig.state.mode, Mode::WaterWalk, "{}", rig.feet());
        assert!((rig.feet().x - before.x - 2.0 * DT).abs() < 1e-9);
        let point = capsweep::Point::new(rig.feet() - DVec3::Z).unwrap();
        let surface = rig.scene.liquid_at(&point).unwrap().surface;
        assert!((rig.feet().z - surface).abs() < 1e-9, "{} {surface}", rig.feet());
    }
}

#[test]
fn a_walk_along_a_wall_in_waves_stays_on_the_water() {
    let wall = Level::default().cuboid(vec3(-50.0, 1.0, -5.0), vec3(50.0, 2.0, 5.0)).scene();
    let scene = with_liquids(wall, |x, _| 0.6 * (x * 1.5).sin());
    let mut rig = Rig::human(scene, DVec3::Z);
    let wish = LocomotionInput { abilities: ABILITIES, ..go(dvec3(2.0, 2.0, 0.0)) };
    rig.run(1.0, DT, &wish);
    for tick in 0..600 {
        rig.tick(&wish);
        assert_eq!(rig.state.mode, Mode::WaterWalk, "tick {tick}: {}", rig.feet());
    }
    assert!(rig.feet().x > 18.0, "{}", rig.feet());
}

#[test]
fn liquids_of_the_scene_and_a_plane_give_the_same_path() {
    let bed = beach(4.0, 0.3);
    for abilities in [Abilities::default(), ABILITIES] {
        let wet = with_liquids(bed.clone(), |_, _| 0.0);
        let mut rigs = [wet, bed.clone()].map(|scene| Rig::human(scene, dvec3(0.0, 0.0, 3.0)));
        for tick in 0..1200 {
            let heading = f64::from(tick) / 300.0;
            let velocity = dvec3(heading.cos() * 3.0, heading.sin(), (heading * 3.0).sin());
            let jump = tick % 50 == 49;
            for (rig, water) in rigs.iter_mut().zip([Water::Scene, Water::Plane { surface: 0.0 }])
            {
                rig.tick(&LocomotionInput { jump, abilities, water, ..go(velocity) });
            }
            assert_eq!(rigs[0].state, rigs[1].state, "tick {tick}");
        }
    }
}

#[test]
fn a_swimmer_floats_along_a_river_that_slopes() {
    // 3° down along x, in steps of 2 cm, as quantised heights have them.
    let river = |x: f64, _: f64| (-x * 0.05 / 0.02).round() * 0.02;
    let mut rig = Rig::human(with_liquids(Scene::new(), river), DVec3::Z * -3.0);
    rig.run(9.0, DT, &go(DVec3::Z));
    for velocity in [dvec3(3.0, 0.0, 0.0), dvec3(-2.0, 0.5, 0.5)] {
        for _ in 0..600 {
            rig.tick(&go(velocity));
            assert_eq!(rig.state.mode, Mode::Swim, "{}", rig.feet());
        }
    }
    // Over a waterfall it falls.
    let fall = |x: f64, _: f64| if x < 5.0 { 0.0 } else { -10.0 };
    let mut rig = Rig::human(with_liquids(Scene::new(), fall), DVec3::Z * -1.4);
    let mut modes = Vec::new();
    for _ in 0..300 {
        rig.tick(&go(DVec3::X * 3.0));
        if modes.last() != Some(&rig.state.mode) {
            modes.push(rig.state.mode);
        }
    }
    assert_eq!(modes, [Mode::Swim, Mode::Fall, Mode::Swim]);
    assert!(rig.feet().z < -11.0);
}

#[test]
fn a_hovering_character_walks_over_water_at_its_height() {
    let hover = Abilities { hover: 1.0, ..ABILITIES };
    let wish = |velocity| LocomotionInput { abilities: hover, ..in_water(0.0, velocity) };
    for mut rig in [Rig::human, Rig::wow].map(|rig| rig(Scene::new(), DVec3::Z * 2.0)) {
        rig.run(1.0, DT, &wish(DVec3::X * 3.0));
        for _ in 0..60 {
            rig.tick(&wish(DVec3::X * 3.0));
            assert_eq!((rig.feet().z, rig.state.mode), (1.0, Mode::WaterWalk));
        }
        rig.tick(&LocomotionInput { jump: true, ..wish(DVec3::ZERO) });
        assert!(rig.feet().z > 1.04 && rig.state.mode == Mode::Fall);
        rig.run(1.0, DT, &wish(DVec3::ZERO));
        assert_eq!((rig.feet().z, rig.state.mode), (1.0, Mode::WaterWalk));
        // Without the height it comes down to the surface.
        rig.run(1.0, DT, &on_water(DVec3::ZERO));
        assert_eq!((rig.feet().z, rig.state.mode), (0.0, Mode::WaterWalk));
    }
}
