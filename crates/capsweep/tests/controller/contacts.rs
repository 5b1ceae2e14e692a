//! The regions of contacts (rule 6.4), and the rule of walkable contacts by value (rule B.8).

use super::level::{Level, Walk, human, physx};
use capsweep::controller::{
    Climbing, ContactNormals, Controller, ControllerConfig, Pass, WalkLimits, is_walkable,
};
use capsweep::{Region, SlopeLimit};
use glam::{DVec3, Vec3, dvec3, vec3};

/// The region of the first contact of a move.
fn region(walk: &mut Walk, motion: DVec3, pass: Pass) -> Option<Region> {
    let outcome = walk.go(motion);
    outcome.contacts.iter().find(|contact| contact.pass == pass).map(|contact| contact.region)
}

#[test]
fn a_wall_touches_the_side_a_floor_the_bottom_and_a_ceiling_the_top() {
    for config in [human(), physx()] {
        let wall = Level::floor().cuboid(vec3(1.0, -5.0, -1.0), vec3(2.0, 5.0, 5.0)).scene();
        let mut walk = Walk::start(&wall, config, DVec3::ZERO);
        assert_eq!(region(&mut walk, dvec3(2.0, 0.0, 0.0), Pass::Side), Some(Region::Side));

        let floor = Level::floor().scene();
        let mut walk = Walk::start(&floor, config, DVec3::Z);
        assert_eq!(region(&mut walk, dvec3(0.0, 0.0, -2.0), Pass::Down), Some(Region::Bottom));

        let ceiling = Level::floor().cuboid(vec3(-5.0, -5.0, 2.5), vec3(5.0, 5.0, 3.0)).scene();
        let mut walk = Walk::start(&ceiling, config, DVec3::ZERO);
        assert_eq!(region(&mut walk, dvec3(0.0, 0.0, 2.0), Pass::Up), Some(Region::Top));
    }
}

#[test]
fn slopes_and_steps_touch_the_bottom_however_steep() {
    // 40° is walked up, 70° is a wall: both meet the lower hemisphere. So does the edge of a step.
    for degrees in [40.0_f64, 70.0] {
        let rise = (8.0 * degrees.to_radians().tan()) as f32;
        let ramp = Level::floor().ramp(1.0, 8.0, rise).scene();
        let mut walk = Walk::start(&ramp, human(), DVec3::ZERO);
        let touched = region(&mut walk, dvec3(2.0, 0.0, 0.0), Pass::Side);
        assert_eq!(touched, Some(Region::Bottom), "{degrees}°");
    }
    let stairs = Level::floor().stairs(1.0, 1, 0.3, 1.0).scene();
    let mut walk = Walk::start(&stairs, human(), DVec3::ZERO);
    assert_eq!(region(&mut walk, dvec3(1.2, 0.0, 0.0), Pass::Step), Some(Region::Bottom));
}

#[test]
fn an_overhang_touches_the_top_and_a_beam_the_side() {
    // A beam at the height of the belly, and a wall that leans over the character.
    let beam = Level::floor().cuboid(vec3(1.0, -5.0, 0.8), vec3(2.0, 5.0, 1.0)).scene();
    let mut walk = Walk::start(&beam, human(), DVec3::ZERO);
    assert_eq!(region(&mut walk, dvec3(2.0, 0.0, 0.0), Pass::Side), Some(Region::Side));
    let leaning =
        Level::floor().prism(&[(2.0, -0.5), (3.0, -0.5), (3.0, 3.0), (1.0, 3.0)], -5.0, 5.0);
    let mut walk = Walk::start(&leaning.scene(), human(), DVec3::ZERO);
    assert_eq!(region(&mut walk, dvec3(2.0, 0.0, 0.0), Pass::Side), Some(Region::Top));
}

#[test]
fn overlaps_and_spheres_have_their_region_too() {
    // Feet 5 cm in the floor.
    let floor = Level::floor().scene();
    let controller = Controller::new(human()).unwrap();
    let state = controller.spawn(DVec3::Z * -0.05).unwrap();
    let mut cache = capsweep::cache::TriangleCache::new();
    let still = capsweep::controller::MoveInput::new(capsweep::Motion::ZERO);
    let outcome = controller.move_by(&floor, &mut cache, &state, &still);
    let first = outcome.contacts.first().map(|contact| (contact.pass, contact.region));
    assert_eq!(first, Some((Pass::Recovery, Region::Bottom)));
    // A character without a straight part is a sphere.
    let ball = ControllerConfig { total_height: 0.6, ..human() };
    let mut walk = Walk::start(&floor, ball, DVec3::Z);
    assert_eq!(region(&mut walk, dvec3(0.0, 0.0, -2.0), Pass::Down), Some(Region::Sphere));
}

fn limits(climbing: Climbing) -> WalkLimits {
    // Steps of 0.4 m, slopes of 50°, radius 0.3.
    let controller = Controller::new(ControllerConfig { climbing, ..human() }).unwrap();
    controller.walk_limits(&controller.spawn(DVec3::ZERO).unwrap())
}

/// A normal that leans by `degrees` against x.
fn lean(degrees: f64) -> Vec3 {
    let (sin, cos) = degrees.to_radians().sin_cos();
    vec3(-sin as f32, 0.0, cos as f32)
}

#[test]
fn a_face_within_the_slope_limit_is_walkable_at_any_height() {
    for climbing in [Climbing::Constrained, Climbing::Easy] {
        for height in [0.0, 0.4, 0.5, 100.0] {
            let limits = limits(climbing);
            let at = |degrees| {
                is_walkable(ContactNormals::of_face(lean(degrees)), height, 0.0, &limits)
            };
            let walkable = [0.0, 40.0, 50.0, 50.02, 89.0, 90.0, 120.0].map(at);
            assert_eq!(walkable, [true, true, true, false, false, false, false], "{height}");
        }
    }
}

#[test]
fn an_edge_of_a_steep_face_is_walkable_up_to_the_height_of_a_step() {
    let edge = ContactNormals { contact: lean(40.0), face: lean(90.0) };
    // 0.1 mm, 1/3000 of the radius, is the slack of a step.
    for (height, walkable) in [(0.0, true), (0.4, true), (0.4001, true), (0.4002, false)] {
        for bottom in [0.0, -7.5, 12.25] {
            let at = |climbing| is_walkable(edge, bottom + height, bottom, &limits(climbing));
            assert_eq!(at(Climbing::Constrained), walkable, "{height} over {bottom}");
            assert!(at(Climbing::Easy));
        }
    }
    // Too steep by its own normal, at any height. A walkable face does not help it.
    for face in [lean(90.0), lean(60.0), Vec3::Z] {
        let steep = ContactNormals { contact: lean(60.0), face };
        assert!(!is_walkable(steep, 0.0, 0.0, &limits(Climbing::Constrained)));
        assert!(!is_walkable(steep, 0.0, 0.0, &limits(Climbing::Easy)));
    }
    // The rim of a level top: its face is exempt from the limit.
    let rim = ContactNormals { contact: lean(40.0), face: Vec3::Z };
    assert!(is_walkable(rim, 9.0, 0.0, &limits(Climbing::Constrained)));
}

#[test]
fn walls_are_upright_at_any_slope_limit_and_heights_count_along_up() {
    let slope_limit = SlopeLimit::from_cos(0.0).unwrap();
    let config = ControllerConfig { slope_limit, up: DVec3::Y * 2.0, ..human() };
    let controller = Controller::new(config).unwrap();
    let limits = controller.walk_limits(&controller.spawn(DVec3::ZERO).unwrap());
    assert_eq!((limits.up(), limits.slope_limit()), (DVec3::Y, 0.02));
    assert!((limits.highest_step() - 0.4001).abs() < 1e-6, "{}", limits.highest_step());
    let turned = |degrees: f64| {
        let normal = lean(degrees);
        ContactNormals::of_face(vec3(normal.x, normal.z, normal.y))
    };
    assert!(is_walkable(turned(88.0), 0.0, 0.0, &limits));
    assert!(!is_walkable(turned(89.5), 0.0, 0.0, &limits));
    assert!(!is_walkable(ContactNormals::of_face(Vec3::NAN), 0.0, 0.0, &limits));
}

/// A ramp of 40° touches the round bottom of a wide character far above its lowest point.
#[test]
fn a_walkable_ramp_is_no_wall_where_it_touches_above_the_step_offset() {
    let ramp = Level::floor().ramp(4.0, 8.0, (8.0 * 40.0_f64.to_radians().tan()) as f32).scene();
    let config = ControllerConfig { radius: 1.5, total_height: 4.0, step_offset: 0.1, ..human() };
    let mut walk = Walk::start(&ramp, config, DVec3::ZERO);
    let outcome = walk.go(dvec3(4.0, 0.0, 0.0));
    let contact = outcome.contacts.iter().find(|contact| contact.pass == Pass::Side).unwrap();
    assert!(contact.point.z > 0.3, "{contact:?}");
    assert!(!outcome.touching.sides && walk.feet().x > 3.9, "{}", walk.feet());
}
