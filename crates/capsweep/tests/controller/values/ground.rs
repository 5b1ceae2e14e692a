//! What counts as ground, and which steps are climbed.

use super::REACH;
use crate::level::{Level, Walk, assert_near, human, physx};
use capsweep::Obb;
use capsweep::controller::{ControllerConfig, NonWalkable};
use capsweep::scene::{Body, Scene, Shape};
use glam::{DVec3, dvec3, vec3};

#[test]
fn a_small_drop_is_settled_and_a_larger_one_is_a_snap() {
    // Ground up to 1 mm away carries. A drop of more is a snap, up to 0.4 m.
    for (drop, snapped) in [(0.0005_f32, false), (0.005, true), (0.3, true)] {
        for fall in [0.0, 0.0002] {
            let scene = Level::default()
                .cuboid(vec3(-4.0, -4.0, -1.0), vec3(0.0, 4.0, drop))
                .cuboid(vec3(0.0, -4.0, -1.0), vec3(4.0, 4.0, 0.0))
                .scene();
            let mut walk = Walk::start(&scene, human(), dvec3(-0.5, 0.0, f64::from(drop)));
            let outcome = walk.go(dvec3(1.5, 0.0, -fall)).clone();
            assert_eq!(outcome.snapped, snapped, "{drop} {fall}: {outcome:?}");
            assert!(outcome.is_grounded(), "{drop} {fall}");
            assert_near(walk.feet(), dvec3(1.0, 0.0, 0.0), 2e-6);
            assert_eq!(outcome.ground.unwrap().distance, 0.0);
        }
    }
    // On the flat nothing snaps.
    let mut walk = Walk::start(&Level::floor().scene(), human(), DVec3::ZERO);
    for fall in [0.0, 0.01] {
        assert!(!walk.go(dvec3(0.1, 0.0, -fall)).snapped);
    }
}

/// A blade of 80° with its edge along y at (0, 0, 1), and a level plate beside it.
fn blade(plate: f32) -> Scene {
    let foot = 1.0 / 80.0_f32.to_radians().tan();
    Level::default()
        .prism(&[(-foot, 0.0), (foot, 0.0), (0.0, 1.0)], -4.0, 4.0)
        .quad(
            vec3(-plate - 0.1, -4.0, 1.0),
            vec3(-plate, -4.0, 1.0),
            vec3(-plate, 4.0, 1.0),
            vec3(-plate - 0.1, 4.0, 1.0),
        )
        .scene()
}

#[test]
fn only_faces_that_meet_at_an_edge_make_it_walkable() {
    let config = ControllerConfig { non_walkable: NonWalkable::Prevent, ..human() };
    // On top of the blade the contact's own normal carries, whatever its faces.
    let mut walk = Walk::start(&blade(3.0), config, dvec3(0.0, 0.0, 1.01));
    assert!(walk.go(DVec3::Z * -0.05).is_grounded());
    assert_eq!(walk.last.stats.overlaps, 0, "{:?}", walk.last.stats);
    // Beside it the contact leans by 54°. The plate carries only where it is at the edge.
    let beside = 0.26_f64;
    let height = (REACH * REACH - beside * beside).sqrt() - REACH;
    for (plate, walkable) in [(3.0, false), (0.1, false), (0.005, false), (0.0, true)] {
        let feet = dvec3(beside, 0.0, 1.0 + height + 0.01);
        let mut walk = Walk::start(&blade(plate), config, feet);
        let outcome = walk.go(DVec3::Z * -0.05).clone();
        let ground = outcome.ground.unwrap();
        assert!(ground.touched && ground.normal.z < 0.6, "{plate}: {ground:?}");
        assert_eq!(ground.walkable, walkable, "{plate}: {ground:?}");
        assert_eq!(outcome.stats.overlaps, 1, "{plate}: {:?}", outcome.stats);
    }
}

/// The edge of a table carries the character 0.2 m beside its axis, at 39°. A floor below carries
/// it too, if it is no lower than the contact's plane at the axis.
#[test]
fn ground_below_the_axis_may_be_as_low_as_the_plane_of_the_contact() {
    let config = ControllerConfig { perch_limit: Some(0.05), step_offset: 0.0, ..human() };
    let beyond = 0.2_f64;
    let height = (REACH * REACH - beyond * beyond).sqrt();
    // Plus 1 mm of ground gap, and 1.2 mm for the ball that looks down.
    let plane = beyond * beyond / height + 0.001 + 0.3 / 256.0;
    for (floor, stays) in
        [(0.1, true), (plane - 0.0005, true), (plane + 0.0005, false), (0.2, false)]
    {
        let scene = Level::default()
            .cuboid(vec3(-4.0, -4.0, -2.0), vec3(0.0, 4.0, 0.0))
            .cuboid(vec3(0.0, -4.0, -2.0), vec3(4.0, 4.0, -floor as f32))
            .scene();
        let feet = dvec3(beyond, 0.0, height - REACH);
        let mut walk = Walk::start(&scene, config, feet);
        let outcome = walk.go(DVec3::Z * -0.02).clone();
        assert_eq!(outcome.stats.sensor, 1, "{floor}: {:?}", outcome.stats);
        assert_eq!(outcome.achieved.length() < 1e-5, stays, "{floor}: {outcome:?}");
    }
}

#[test]
fn a_thin_kerb_before_a_drop_is_walked_over_at_the_same_height() {
    let scene = Level::default()
        .cuboid(vec3(-4.0, -4.0, -1.0), vec3(0.0, 4.0, 0.0))
        .cuboid(vec3(-0.02, -4.0, -1.0), vec3(0.0, 4.0, 0.2))
        // A ceiling 5 cm over the raised head.
        .cuboid(vec3(-4.0, -4.0, 1.84 + 0.25), vec3(4.0, 4.0, 4.0))
        .scene();
    let mut walk = Walk::start(&scene, human(), dvec3(-1.0, 0.0, 0.0));
    let outcome = walk.go(dvec3(2.0, 0.0, -0.1)).clone();
    assert_near(walk.feet(), dvec3(1.0, 0.0, -0.1), 1e-5);
    assert!(!outcome.is_grounded() && !outcome.stepped, "{outcome:?}");
}

/// A climb rises by the step offset and no more, however far the ceiling is.
#[test]
fn a_kerb_before_a_wall_does_not_help_over_the_wall() {
    let scene = Level::floor()
        .cuboid(vec3(1.0, -4.0, -1.0), vec3(1.05, 4.0, 0.2))
        .cuboid(vec3(1.05, -4.0, -1.0), vec3(1.1, 4.0, 1.0))
        .cuboid(vec3(-4.0, -4.0, 1.84 + 1.6), vec3(4.0, 4.0, 5.0))
        .scene();
    for config in [human(), physx()] {
        let mut walk = Walk::start(&scene, config, DVec3::ZERO);
        walk.go(dvec3(2.0, 0.0, -0.01));
        let reach = f64::from(config.radius + config.contact_offset);
        assert!(walk.feet().x < 1.05 - reach + 1e-5, "{}", walk.feet());
        assert!(walk.feet().x > 0.3 && walk.feet().z < 0.21, "{}", walk.feet());
    }
}

/// A character without a straight part, lower than a step: no ray can replace the sweeps.
#[test]
fn a_ball_climbs_a_step_that_it_meets_at_its_equator() {
    let config = ControllerConfig { total_height: 0.6, ..human() };
    for (rise, climbs) in [(0.3_f32, true), (0.35, true), (0.39, true), (0.45, false)] {
        let scene = Level::floor().cuboid(vec3(1.0, -4.0, -1.0), vec3(5.0, 4.0, rise)).scene();
        let mut walk = Walk::start(&scene, config, DVec3::ZERO);
        let outcome = walk.go(dvec3(2.0, 0.0, -0.01)).clone();
        assert_eq!(outcome.stepped, climbs, "{rise}: {}", walk.feet());
    }
}

/// A fall beside a box. The skin is in its side by less than the tolerance, and catches on its
/// upper edge.
#[test]
fn a_fall_past_the_edge_of_a_box_ends_on_the_floor() {
    let mut scene = Level::floor().scene();
    let side = Obb::axis_aligned(dvec3(-1.0, 0.0, 0.4), vec3(1.0, 4.0, 0.4)).unwrap();
    scene.insert(Body::shape(Shape::Box(side)));
    let config = physx();
    let reach = f64::from(config.radius + config.contact_offset);
    let mut caught = 0;
    for i in 0..40 {
        let inside = f64::from(i) * 0.05e-6;
        let controller = capsweep::controller::Controller::new(config).unwrap();
        let mut walk = Walk::start(&scene, config, dvec3(1.0, 0.1, 1.0));
        let feet = dvec3(reach - inside, 0.1, 1.0);
        walk.state = controller.teleport(&walk.state, feet).unwrap();
        let outcome = walk.go(DVec3::Z * -1.5).clone();
        assert!(walk.feet().z.abs() < 1e-5, "{inside}: {}", walk.feet());
        assert!(outcome.is_grounded(), "{inside}: {outcome:?}");
        assert!((1..=2).contains(&outcome.stats.down), "{inside}: {:?}", outcome.stats);
        caught += u32::from(outcome.stats.down == 2);
    }
    assert!(caught > 0);
}
