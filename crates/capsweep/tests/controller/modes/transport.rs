//! Transports: aboard in every mode, turning ones too, and leaving with their velocity.

use super::super::level::{Level, assert_near};
use super::{DT, Rig, go, in_water};
use capsweep::controller::{Abilities, Carrier, LocomotionInput, Mode, RelativePosition, Ride};
use capsweep::scene::{Body, BodyId, Mobility, Pose, Scene};
use capsweep_testkit::Rng;
use glam::{DQuat, DVec3, dvec3, vec3};

/// A ship: a deck of 12 × 6 m at the height of its pose, with walls of 2 m around it.
struct Ship {
    body: BodyId,
    pose: Pose,
}

impl Ship {
    fn launch(scene: &mut Scene, pose: Pose) -> Self {
        let hull = Level::default()
            .cuboid(vec3(-6.0, -3.0, -1.0), vec3(6.0, 3.0, 0.0))
            .cuboid(vec3(-6.5, -3.5, -1.0), vec3(-6.0, 3.5, 2.0))
            .cuboid(vec3(6.0, -3.5, -1.0), vec3(6.5, 3.5, 2.0))
            .cuboid(vec3(-6.0, -3.5, -1.0), vec3(6.0, -3.0, 2.0))
            .cuboid(vec3(-6.0, 3.0, -1.0), vec3(6.0, 3.5, 2.0));
        let body = Body::mesh(hull.mesh(), pose).unwrap().with_mobility(Mobility::Dynamic);
        Self { body: scene.insert(body), pose }
    }

    fn sail(&mut self, scene: &mut Scene, next: Pose) -> Carrier {
        let carrier = Carrier::new(self.body, self.pose, next);
        scene.move_mesh(self.body, next).unwrap();
        self.pose = next;
        Carrier { ride: Ride::Boarded, ..carrier }
    }
}

/// Pose at `time`: 12 m/s ahead, half a radian a second about z, 1 m/s up.
fn course(time: f64) -> Pose {
    let turn = DQuat::from_rotation_z(0.5 * time);
    // The integral of 12 (cos ωt, sin ωt).
    let ahead = dvec3((0.5 * time).sin(), 1.0 - (0.5 * time).cos(), 0.0) * 24.0;
    Pose::new(ahead + DVec3::Z * time, turn, DVec3::ONE).unwrap()
}

fn aboard(feet: DVec3) -> (Rig, Ship) {
    let mut scene = Scene::new();
    let ship = Ship::launch(&mut scene, course(0.0));
    (Rig::wow(scene, feet), ship)
}

#[test]
fn aboard_a_turning_ship_a_character_stands_walks_and_jumps_as_on_land() {
    // The same inputs, turned with the ship, on land and aboard.
    let land = Level::default().cuboid(vec3(-6.0, -3.0, -1.0), vec3(6.0, 3.0, 0.0));
    let mut on_land = Rig::wow(land.scene(), DVec3::ZERO);
    let (mut rig, mut ship) = aboard(DVec3::ZERO);
    for tick in 1..=240 {
        let wish = match tick {
            ..60 => DVec3::ZERO,
            60..120 => dvec3(2.0, 1.0, 0.0),
            120..180 => dvec3(-3.0, -1.5, 0.0),
            _ => dvec3(0.0, 1.0, 0.0),
        };
        let jump = tick % 55 == 30;
        let time = f64::from(tick) * DT;
        let carrier = ship.sail(&mut rig.scene, course(time));
        let turned = ship.pose.rotation() * wish;
        let carrier = Some(carrier);
        rig.tick(&LocomotionInput { jump, carrier, ..go(turned) });
        on_land.tick(&LocomotionInput { jump, ..go(wish) });
        let local = ship.pose.point_to_local(rig.feet());
        assert_near(local, on_land.feet(), 1e-3);
        assert_eq!(rig.state.mode, on_land.state.mode, "tick {tick}");
        let velocity = ship.pose.rotation().conjugate() * rig.state.velocity;
        assert_near(velocity, on_land.state.velocity, 2e-2);
        assert!(!rig.last.carried.blocked && rig.last.carried.rotation.z > 0.004);
    }
}

#[test]
fn a_character_that_leaves_in_the_air_takes_the_ships_velocity_along() {
    let (mut rig, mut ship) = aboard(DVec3::ZERO);
    let mut velocity = DVec3::ZERO;
    for tick in 1..=20 {
        let at = Pose::from_translation(dvec3(9.0, 0.0, 1.5) * (f64::from(tick) * DT)).unwrap();
        let carrier = Some(ship.sail(&mut rig.scene, at));
        rig.tick(&LocomotionInput { jump: tick == 15, carrier, ..go(DVec3::Y) });
        let boarded = rig.state.boarded.unwrap();
        assert_near(boarded.velocity, dvec3(9.0, 0.0, 1.5), 1e-9);
        velocity = rig.state.velocity;
    }
    assert_eq!(rig.state.mode, Mode::Fall);
    // Relative to the ship: 6 ticks after the jump.
    let expected = dvec3(0.0, 1.0, 7.955_547 - 19.291_105_27 * 6.0 * DT);
    assert_near(velocity, expected, 1e-6);
    let before = rig.feet();
    rig.tick(&go(DVec3::ZERO));
    assert_eq!(rig.state.boarded, None);
    let world = velocity + dvec3(9.0, 0.0, 1.5);
    let fall = 0.5 * 19.291_105_27 * DT * DT;
    assert_near(rig.feet() - before, world * DT - DVec3::Z * fall, 1e-9);
    // Boarding again in the air: the velocity is relative once more.
    let next = Pose::from_translation(ship.pose.position() + dvec3(9.0, 0.0, 1.5) * DT).unwrap();
    let now = rig.state.velocity;
    let carrier = Some(ship.sail(&mut rig.scene, next));
    rig.tick(&LocomotionInput { carrier, ..go(DVec3::ZERO) });
    let expected = now - dvec3(9.0, 0.0, 1.5) - DVec3::Z * 19.291_105_27 * DT;
    assert_near(rig.state.velocity, expected, 1e-9);
}

#[test]
fn swimmers_and_flyers_aboard_are_carried() {
    let fly = Abilities { fly: true, ..Abilities::default() };
    for wish in [LocomotionInput { abilities: fly, ..go(DVec3::ZERO) }, in_water(9e3, DVec3::ZERO)]
    {
        let (mut rig, mut ship) = aboard(DVec3::Z);
        for tick in 1..=120 {
            let carrier = Some(ship.sail(&mut rig.scene, course(f64::from(tick) * DT)));
            rig.tick(&LocomotionInput { carrier, ..wish });
        }
        assert!(rig.state.mode == Mode::Fly || rig.state.mode == Mode::Swim);
        assert_near(ship.pose.point_to_local(rig.feet()), DVec3::Z, 1e-9);
    }
}

#[test]
fn a_wall_in_the_world_stops_the_ride_and_the_ships_own_walls_do_not() {
    let (mut rig, mut ship) = aboard(dvec3(5.5, 0.0, 0.0));
    let wall = Level::default().cuboid(vec3(20.0, -50.0, -5.0), vec3(21.0, 50.0, 50.0));
    rig.scene.insert(Body::mesh(wall.mesh(), Pose::IDENTITY).unwrap());
    let mut blocked = false;
    for tick in 1..=90 {
        let at = Pose::from_translation(DVec3::X * (0.25 * f64::from(tick))).unwrap();
        let carrier = Some(ship.sail(&mut rig.scene, at));
        rig.tick(&LocomotionInput { carrier, ..go(DVec3::ZERO) });
        blocked |= rig.last.carried.blocked;
        assert!(rig.feet().x < 20.0 - 0.3056, "tick {tick}: {}", rig.feet());
        if !blocked {
            assert_near(rig.feet(), dvec3(5.5 + 0.25 * f64::from(tick), 0.0, 0.0), 1e-4);
        }
    }
    assert!(blocked);
}

#[test]
fn a_ship_that_moves_by_more_than_a_room_in_a_tick_takes_the_room_along() {
    // The wall behind the character is ahead of it when the tick begins.
    for feet in [dvec3(-5.5, 0.0, 0.0), dvec3(5.5, 2.5, 0.0), dvec3(0.0, -2.6, 0.0)] {
        let (mut rig, mut ship) = aboard(feet);
        for tick in 1..=20 {
            let motion = dvec3(1.5, 0.4, 0.0) * f64::from(tick);
            let carrier = Some(ship.sail(&mut rig.scene, Pose::from_translation(motion).unwrap()));
            rig.tick(&LocomotionInput { carrier, ..go(DVec3::ZERO) });
            assert_near(rig.feet(), feet + motion, 1e-4);
            assert!(rig.state.mode == Mode::Walk && !rig.last.carried.blocked);
        }
    }
}

#[test]
fn positions_relative_to_a_transport_come_back_within_rounding() {
    let mut rng = Rng::new(&[61]);
    for round in 0..20_000 {
        let up = if round % 2 == 0 { DVec3::Z } else { rng.direction() };
        let turn = DQuat::from_axis_angle(
            if round % 3 == 0 { rng.direction() } else { up },
            rng.range(-7.0, 7.0),
        );
        let pose = Pose::new(rng.cube(17_000.0), turn, DVec3::ONE).unwrap();
        let (feet, facing) = (pose.position() + rng.cube(60.0), rng.range(0.0, 6.25));
        let local = RelativePosition::from_world(&pose, feet, facing, up).unwrap();
        let (back, turned) = local.to_world(&pose, up).unwrap();
        assert_near(back, feet, 1e-10);
        let error = (turned - facing).rem_euclid(std::f64::consts::TAU);
        assert!(error.min(std::f64::consts::TAU - error) < 1e-13, "{facing} {turned}");
        assert!((0.0..=std::f64::consts::TAU).contains(&local.facing));
    }
    // A character that turns with its transport keeps its relative facing.
    let pose =
        |turn: f64| Pose::new(DVec3::ONE, DQuat::from_rotation_z(turn), DVec3::ONE).unwrap();
    for turn in [0.0, 1.0, 3.0, -2.0] {
        let local = RelativePosition::from_world(&pose(turn), DVec3::X, 0.5 + turn, DVec3::Z);
        assert!((local.unwrap().facing - 0.5).abs() < 1e-12, "{turn}");
    }
    let bad = RelativePosition::from_world(&Pose::IDENTITY, DVec3::X, f64::NAN, DVec3::Z);
    assert!(bad.unwrap_err().to_string().contains("facing"));
    assert!(RelativePosition::from_world(&Pose::IDENTITY, DVec3::NAN, 0.0, DVec3::Z).is_err());
    assert!(RelativePosition::from_world(&Pose::IDENTITY, DVec3::X, 0.0, DVec3::ZERO).is_err());
}
