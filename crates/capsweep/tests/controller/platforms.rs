//! Moving platforms, and other characters.

use super::level::{Level, Walk, assert_near, human, input};
use capsweep::cache::TriangleCache;
use capsweep::controller::{
    Carrier, Controller, Locomotion, LocomotionConfig, LocomotionInput, LocomotionState, Ride,
};
use capsweep::scene::{Body, BodyId, Mobility, Pose, Scene, Shape};
use capsweep::{Capsule, Obb};
use glam::{DQuat, DVec3, Vec3, dvec3, vec3};

/// A scene with a moving slab of 8 × 8 × 0.5 m. Its top is at the height of its pose.
struct Ferry {
    scene: Scene,
    body: BodyId,
    pose: Pose,
}

impl Ferry {
    fn new(pose: Pose, around: &Level) -> Self {
        let slab = Level::default().cuboid(vec3(-4.0, -4.0, -0.5), vec3(4.0, 4.0, 0.0)).mesh();
        let mut scene = around.scene();
        let body = scene
            .insert(Body::mesh(slab, pose).expect("in range").with_mobility(Mobility::Dynamic));
        Self { scene, body, pose }
    }

    /// Moves the slab to `next`. Returns the carrier for the move on it.
    fn sail(&mut self, next: Pose) -> Carrier {
        let carrier = Carrier::new(self.body, self.pose, next);
        self.scene.move_mesh(self.body, next).unwrap();
        self.pose = next;
        carrier
    }
}

fn at(position: DVec3) -> Pose {
    Pose::from_translation(position).unwrap()
}

fn aboard(ferry: &Ferry, feet: DVec3) -> Walk {
    let mut walk = Walk::start(&ferry.scene, human(), feet);
    walk.go(DVec3::Z * -0.05);
    assert_eq!(walk.state.footing().unwrap().body, ferry.body);
    walk
}

#[test]
fn a_platform_carries_the_character_on_it() {
    let mut ferry = Ferry::new(at(dvec3(0.0, 0.0, 1.0)), &Level::floor());
    let mut walk = aboard(&ferry, dvec3(1.0, -2.0, 1.0));
    let velocity = dvec3(1.5, -0.7, 0.4);
    for i in 1..=120 {
        let carrier = ferry.sail(at(dvec3(0.0, 0.0, 1.0) + velocity * (f64::from(i) / 60.0)));
        walk.scene = ferry.scene.clone();
        let step = input(DVec3::Z * -0.02).with_dt(1.0 / 60.0).carried_by(carrier);
        let out = walk.move_with(&step);
        assert!(out.is_grounded() && !out.carried.blocked);
        assert_near(out.ground.unwrap().velocity, velocity, 1e-6);
    }
    assert_near(walk.feet(), dvec3(1.0, -2.0, 1.0) + velocity * 2.0, 1e-4);
}

#[test]
fn a_sinking_platform_carries_a_character_that_does_not_fall() {
    let mut ferry = Ferry::new(at(DVec3::Z * 8.0), &Level::floor());
    let mut walk = aboard(&ferry, DVec3::Z * 8.0);
    for i in 1..=60 {
        let carrier = ferry.sail(at(DVec3::Z * (8.0 - 0.1 * f64::from(i))));
        walk.scene = ferry.scene.clone();
        assert!(walk.move_with(&input(DVec3::ZERO).carried_by(carrier)).is_grounded());
    }
    assert_near(walk.feet(), DVec3::Z * 2.0, 1e-4);
}

#[test]
fn a_turning_platform_takes_its_rider_around() {
    let mut ferry = Ferry::new(at(DVec3::Z), &Level::floor());
    let mut walk = aboard(&ferry, dvec3(3.0, 0.0, 1.0));
    for i in 1..=60 {
        let turn = DQuat::from_rotation_z(f64::from(i) / 60.0);
        let carrier = ferry.sail(Pose::new(DVec3::Z, turn, DVec3::ONE).unwrap());
        walk.scene = ferry.scene.clone();
        let out = walk.move_with(&input(DVec3::Z * -0.02).with_dt(1.0 / 60.0).carried_by(carrier));
        assert!(out.is_grounded());
        assert!(out.carried.rotation.z > 0.008);
    }
    let feet = walk.feet();
    assert!((feet.truncate().length() - 3.0).abs() < 1e-4, "{feet}");
    assert!((feet.y.atan2(feet.x) - 1.0).abs() < 1e-4, "{feet}");
}

#[test]
fn a_platform_that_rises_under_a_ceiling_pushes_no_character_through_it() {
    let ceiling = Level::floor().cuboid(vec3(-6.0, -6.0, 3.0), vec3(6.0, 6.0, 3.1));
    let mut ferry = Ferry::new(at(DVec3::Z * 0.5), &ceiling);
    let mut walk = aboard(&ferry, DVec3::Z * 0.5);
    let mut blocked = false;
    for i in 1..=120 {
        let carrier = ferry.sail(at(DVec3::Z * (0.5 + 0.02 * f64::from(i))));
        walk.scene = ferry.scene.clone();
        blocked |= walk.move_with(&input(DVec3::Z * -0.02).carried_by(carrier)).carried.blocked;
        let (head, top) = (walk.feet().z + 1.82, 0.5 + 0.02 * f64::from(i));
        // The character's centre stays above the lift, or it would come out below.
        assert!(head <= 3.0 + 0.021 || 3.0 - top < 0.93, "move {i}: head at {head}");
        let middle = walk.state.center().z;
        assert!(top < middle && middle < 3.0, "move {i}: middle at {middle}");
    }
    assert!(blocked);
}

#[test]
fn the_caller_chooses_which_part_of_the_ride_a_character_takes() {
    for (ride, along) in [(Ride::Full, 1.0), (Ride::Vertical, 0.0), (Ride::Manual, 0.0)] {
        let mut ferry = Ferry::new(at(DVec3::Z), &Level::floor());
        let mut walk = aboard(&ferry, DVec3::Z);
        for i in 1..=50 {
            let carrier = ferry.sail(at(dvec3(0.02 * f64::from(i), 0.0, 1.0)));
            walk.scene = ferry.scene.clone();
            walk.move_with(&input(DVec3::Z * -0.02).carried_by(Carrier { ride, ..carrier }));
        }
        assert_near(walk.feet(), dvec3(along, 0.0, 1.0), 1e-4);
    }
}

#[test]
fn a_wall_stops_a_ride_to_the_side() {
    let wall = Level::floor().cuboid(vec3(2.0, -50.0, 1.2), vec3(3.0, 50.0, 5.0));
    let mut ferry = Ferry::new(at(DVec3::Z), &wall);
    let mut walk = aboard(&ferry, dvec3(0.0, 0.0, 1.0));
    for i in 1..=60 {
        let carrier = ferry.sail(at(dvec3(0.05 * f64::from(i), 0.0, 1.0)));
        walk.scene = ferry.scene.clone();
        walk.move_with(&input(DVec3::Z * -0.02).carried_by(carrier));
    }
    assert_near(walk.feet(), dvec3(2.0 - 0.32, 0.0, 1.0), 1e-4);
}

#[test]
fn a_character_that_leaves_a_platform_keeps_its_velocity() {
    for jump in [true, false] {
        let mut ferry = Ferry::new(at(DVec3::Z * 3.0), &Level::floor());
        let controller = Controller::new(human()).unwrap();
        let locomotion = Locomotion::new(
            controller,
            LocomotionConfig { air_acceleration: 0.0, ..LocomotionConfig::human() },
        )
        .unwrap();
        let start = controller.spawn(dvec3(0.0, 3.9, 3.0)).unwrap();
        let mut state = LocomotionState::at_rest(start);
        let dt = 1.0 / 60.0;
        let mut left = false;
        for i in 1..=60 {
            let carrier = ferry.sail(at(dvec3(4.0 * dt * f64::from(i), 0.0, 3.0)));
            let mut wish =
                LocomotionInput::new(if jump { DVec3::ZERO } else { DVec3::Y * 3.0 }, dt);
            wish.carrier = Some(carrier);
            wish.jump = jump && i == 30;
            state =
                locomotion.tick(&ferry.scene, &mut TriangleCache::new(), &state, &wish).unwrap().0;
            if !state.character.is_grounded() && i > 2 {
                left = true;
                assert!(
                    (state.velocity.x - 4.0).abs() < 1e-6,
                    "jump {jump}, tick {i}: {}",
                    state.velocity
                );
            }
        }
        assert!(left);
    }
}

#[test]
fn a_box_that_moves_into_a_character_pushes_it_along() {
    let mut scene = Level::floor().scene();
    let pusher = |x: f64| {
        Shape::Box(Obb::new(dvec3(x, 0.0, 1.0), vec3(1.0, 2.0, 1.0), DQuat::IDENTITY).unwrap())
    };
    let body = scene.insert(Body::shape(pusher(-3.0)).with_mobility(Mobility::Dynamic));
    let mut walk = Walk::start(&scene, human(), DVec3::ZERO);
    for i in 1..=100 {
        scene.move_shape(body, pusher(-3.0 + 0.03 * f64::from(i))).unwrap();
        walk.scene = scene.clone();
        walk.go(DVec3::Z * -0.02);
    }
    // The face of the box stops at x = 1.
    assert_near(walk.feet(), dvec3(1.32, 0.0, 0.0), 1e-4);
}

#[test]
fn other_characters_block_and_the_character_s_own_body_does_not() {
    let mut scene = Level::floor().scene();
    let body = |x: f64| {
        Shape::Capsule(Capsule::from_feet(dvec3(x, 0.0, 0.02), DVec3::Z, 0.3, 1.8).unwrap())
    };
    let own = scene.insert(Body::obstacle(body(0.0)).with_mobility(Mobility::Dynamic));
    scene.insert(Body::obstacle(body(4.0)).with_mobility(Mobility::Dynamic));
    let controller = Controller::new(human()).unwrap();
    let mut state = controller.spawn(DVec3::ZERO).unwrap();
    for _ in 0..120 {
        let out = controller.move_by(
            &scene,
            &mut TriangleCache::new(),
            &state,
            &input(dvec3(0.05, 0.0, -0.02)).ignoring(own),
        );
        state = out.state;
    }
    assert_near(controller.feet(&state), dvec3(4.0 - 0.62, 0.0, 0.0), 1e-4);
}

#[test]
fn a_character_far_from_the_origin_rides_alike() {
    let far = dvec3(16_384.0, -16_384.0, 100.0);
    let mut ferry = Ferry::new(at(far), &Level::floor());
    let mut walk = aboard(&ferry, far);
    for i in 1..=60 {
        let carrier = ferry.sail(at(far + dvec3(0.03, 0.01, 0.02) * f64::from(i)));
        walk.scene = ferry.scene.clone();
        assert!(walk.move_with(&input(DVec3::Z * -0.02).carried_by(carrier)).is_grounded());
    }
    assert_near(walk.feet(), far + dvec3(1.8, 0.6, 1.2), 1e-4);
}

#[test]
fn a_tilting_platform_keeps_its_rider_on_top() {
    let mut ferry = Ferry::new(at(DVec3::Z * 3.0), &Level::floor());
    let mut walk = aboard(&ferry, dvec3(2.0, 0.0, 3.0));
    for i in 1..=60 {
        let tilt = DQuat::from_rotation_y(0.5 * (f64::from(i) * 0.1).sin());
        let carrier = ferry.sail(Pose::new(DVec3::Z * 3.0, tilt, DVec3::ONE).unwrap());
        walk.scene = ferry.scene.clone();
        let out = walk.move_with(&input(DVec3::Z * -0.08).carried_by(carrier));
        assert!(out.touching.below, "move {i}");
        let ground = out.ground.unwrap();
        assert!(ground.normal.dot(Vec3::Z) > 0.8 && ground.distance < 1e-3);
    }
}
