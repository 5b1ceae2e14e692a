//! Single moves by value: where a slide ends, what counts as ground, what is blocked.

use super::level::{Level, Walk, assert_near, human, input, physx};
use capsweep::controller::{Carrier, ControllerConfig, MoveInput, NonWalkable, Obstruction, Ride};
use capsweep::scene::{Body, Filter, Mobility, Pose, Scene, Shape};
use capsweep::{Obb, Sides, SlopeLimit};
use glam::{DVec3, dvec3, vec3};

/// Radius with skin, and half of the axis.
const REACH: f64 = 0.32;
const HALF: f64 = 0.6;

/// A plane: a point of it and its unit normal.
type Plane = (DVec3, DVec3);

/// Where a ball ends that is moved by `motion` and meets `planes` one after the other: the rest of
/// the motion is projected on each.
fn slide(planes: &[Plane], start: DVec3, motion: DVec3) -> DVec3 {
    let (mut at, mut left) = (start, motion);
    for (point, normal) in planes {
        let time = ((at - point).dot(*normal) - REACH) / -left.dot(*normal);
        assert!((0.0..1.0).contains(&time), "{time}");
        at += left * time;
        left *= 1.0 - time;
        left -= normal * left.dot(*normal);
    }
    at + left
}

/// Two surfaces of 70° in x and z. The first bends an upward motion towards +x; the second, which
/// starts 2.5 m further on, back towards −x.
fn zigzag() -> ([[DVec3; 2]; 2], [Plane; 2]) {
    let rise = 70.0_f64.to_radians().tan();
    let first = [dvec3(-0.5, 0.0, 2.0), dvec3(0.5, 0.0, 2.0 + rise)];
    let second = [dvec3(3.0, 0.0, 4.0), dvec3(1.6, 0.0, 4.0 + 1.4 * rise)];
    let normals = [dvec3(rise, 0.0, -1.0).normalize(), dvec3(-rise, 0.0, -1.0).normalize()];
    ([first, second], [(first[0], normals[0]), (second[0], normals[1])])
}

/// Both surfaces of a zigzag, 8 m wide, mapped by `map`, with their fronts towards `towards`.
fn zigzag_level(level: Level, map: impl Fn(DVec3) -> DVec3, across: DVec3) -> Level {
    let (lines, planes) = zigzag();
    lines.iter().zip(planes).fold(level, |level, ([from, to], (_, normal))| {
        let [from, to, normal] = [*from, *to, normal].map(&map);
        let corners = [from - across, from + across, to + across, to - across];
        let [a, b, c, d] = corners.map(DVec3::as_vec3);
        let front = (b - a).cross(c - a).as_dvec3().dot(normal) > 0.0;
        if front { level.quad(a, b, c, d) } else { level.quad(d, c, b, a) }
    })
}

/// The walls that a motion has left do not bend it any more. If the first of them still counted,
/// the motion would end at the second.
#[test]
fn a_motion_that_left_one_surface_is_bent_by_the_next_alone() {
    let (_, planes) = zigzag();
    // Up, under two ceilings.
    let scene = zigzag_level(Level::default(), |v| v, DVec3::Y * 4.0).scene();
    let mut walk = Walk::start(&scene, human(), DVec3::ZERO);
    let top = walk.state.center() + DVec3::Z * HALF;
    walk.go(DVec3::Z * 8.0);
    let expected = slide(&planes, top, DVec3::Z * 8.0) - DVec3::Z * HALF;
    assert_near(walk.state.center(), expected, 1e-4);
    assert!(walk.last.touching.above);

    // Down, on two steep slopes.
    let down = |v: DVec3| v * dvec3(1.0, 1.0, -1.0);
    let scene = zigzag_level(Level::default(), down, DVec3::Y * 4.0).scene();
    let mut walk = Walk::start(&scene, human(), DVec3::ZERO);
    let bottom = walk.state.center() - DVec3::Z * HALF;
    walk.go(DVec3::Z * -8.0);
    let below = planes.map(|(point, normal)| (down(point), down(normal)));
    let expected = slide(&below, bottom, DVec3::Z * -8.0) + DVec3::Z * HALF;
    assert_near(walk.state.center(), expected, 1e-4);

    // Sideways, along two walls.
    let flat = |v: DVec3| dvec3(v.x, v.z, 0.0);
    let scene = zigzag_level(Level::floor(), flat, DVec3::Z * 4.0).scene();
    let mut walk = Walk::start(&scene, human(), DVec3::ZERO);
    walk.go(dvec3(0.0, 8.0, 0.0));
    let walls = planes.map(|(point, normal)| (flat(point), flat(normal)));
    assert_near(walk.feet(), slide(&walls, DVec3::ZERO, DVec3::Y * 8.0), 1e-4);
    assert!(walk.last.touching.sides);
}

#[test]
fn a_slide_ends_on_the_steep_ground_that_it_reports() {
    // 60°, which rises along x, and a fall of which 0.25 m are left after the touch.
    let slope = Level::default().ramp(-4.0, 8.0, 8.0 * 3.0_f32.sqrt()).scene();
    let normal = dvec3(-(3.0_f64.sqrt()), 0.0, 1.0) * 0.5;
    let contact = dvec3(0.0, 0.0, 4.0 * 3.0_f64.sqrt());
    let mut walk = Walk::start(&slope, human(), contact + dvec3(0.0, 0.0, 1.0));
    let start = walk.state.center();
    let plane = [(contact, normal)];
    let end = slide(&plane, start - DVec3::Z * HALF, DVec3::Z * -1.0) + DVec3::Z * HALF;
    let outcome = walk.go(DVec3::Z * -1.0).clone();
    assert_near(walk.state.center(), end, 1e-5);
    let ground = outcome.ground.unwrap();
    assert!(ground.touched && !ground.walkable && outcome.touching.below, "{ground:?}");
    assert!((ground.normal.as_dvec3() - normal).length() < 1e-6, "{ground:?}");
}

/// A slope of 60° above one of 30°: a slide ends on the second, unless that is ice, too.
#[test]
fn a_slide_ends_on_the_first_walkable_ground_except_on_ice() {
    let [steep, gentle] = [60.0_f64, 30.0].map(f64::to_radians);
    let at = |x: f64, y: f32, slope: f64| vec3(x as f32, y, (-x * slope.tan()) as f32);
    let scene = Level::default()
        .quad(at(-4.0, -4.0, steep), at(0.0, -4.0, 0.0), at(0.0, 4.0, 0.0), at(-4.0, 4.0, steep))
        .quad(at(0.0, -4.0, 0.0), at(8.0, -4.0, gentle), at(8.0, 4.0, gentle), at(0.0, 4.0, 0.0))
        .scene();
    let planes = [steep, gentle].map(|slope| (DVec3::ZERO, dvec3(slope.sin(), 0.0, slope.cos())));
    let start = dvec3(-1.0, 0.0, 3.0);
    let (fall, low) = (DVec3::Z * -5.0, start + DVec3::Z * REACH);
    for slippery in [false, true] {
        let mut walk = Walk::start(&scene, human(), start);
        let input = MoveInput { slippery, ..input(fall) };
        walk.move_with(&input);
        // Not on ice: where it touches both.
        let both = REACH * (gentle.cos() - steep.cos()) / (steep - gentle).sin();
        let end = if slippery { slide(&planes, low, fall) } else { dvec3(both, 0.0, both) };
        assert_near(walk.state.center() - DVec3::Z * HALF, end, 1e-4);
        assert!(walk.last.ground.unwrap().walkable && walk.last.touching.below);
    }
}

/// Walls lean back by 5°. On a ramp a walk along them follows the ramp: for each metre along x it
/// rises, and so gets the nearer to the foot of the wall the further it goes.
#[test]
fn a_walk_along_a_leaning_wall_is_bent_by_the_steepest_floor() {
    let slope_limit = SlopeLimit::from_degrees(80.0).unwrap();
    let config = ControllerConfig { slope_limit, step_offset: 0.0, ..human() };
    let lean = 5.0_f64.to_radians().tan();
    // From a ramp of 60° onto one of 75°.
    let [low, high] = [60.0_f64, 75.0].map(|degrees| degrees.to_radians().tan());
    let ground = [(-4.0, -4.0 * low), (0.0, 0.0), (4.0, 4.0 * high)];
    let mut level = Level::default();
    for pair in ground.windows(2) {
        let [[a, b], [c, d]] =
            [pair[0], pair[1]].map(|(x, z)| [-8.0, 8.0].map(|y| vec3(x as f32, y, z as f32)));
        level = level.quad(a, c, d, b);
    }
    // The wall's foot runs along x at y = 2 where z = 0.
    let at = |x: f64, z: f64| dvec3(x, 2.0 + lean * z, z).as_vec3();
    let wall = level.quad(at(-9.0, -12.0), at(9.0, -12.0), at(9.0, 20.0), at(-9.0, 20.0));
    let scene = wall.scene();
    let mut walk = Walk::start(&scene, config, dvec3(-0.6, 1.0, -0.6 * low + 0.3));
    walk.walk(DVec3::ZERO, 0.2, 60);
    assert!(walk.last.is_grounded(), "{:?}", walk.last.ground);
    let before = walk.state.center();
    let outcome = walk.go(dvec3(1.2, 1.2, 0.0)).clone();
    assert!(outcome.touching.sides && outcome.contacts.len() >= 2, "{outcome:?}");
    let made = walk.state.center() - before;
    // It ends on the ramp and at the wall.
    let ramp = dvec3(-high, 0.0, 1.0).normalize();
    let wall = dvec3(0.0, -1.0, lean).normalize();
    let low_end = walk.state.center() - DVec3::Z * HALF;
    let over_ramp = low_end.dot(ramp) - REACH;
    let off_wall = (low_end - dvec3(0.0, 2.0, 0.0)).dot(wall) - REACH;
    assert!(over_ramp.abs() < 1e-3 && off_wall.abs() < 1e-3, "{over_ramp} {off_wall} {made}");
    assert!(made.x > 0.8, "{made}");
}

/// In the air, under a ceiling that comes down and beside a wall that leans back: the walk follows
/// the line where both meet.
#[test]
fn a_walk_in_the_air_follows_the_line_of_a_ceiling_and_a_leaning_wall() {
    let (lean, fall) = (0.2, 0.3);
    let at = |x: f64, z: f64| dvec3(x, 1.0 + lean * z, z).as_vec3();
    let over = |x: f64, y: f64| dvec3(x, y, 3.0 - fall * x).as_vec3();
    let scene = Level::default()
        .quad(at(-9.0, -4.0), at(9.0, -4.0), at(9.0, 8.0), at(-9.0, 8.0))
        .quad(over(-9.0, -9.0), over(-9.0, 9.0), over(9.0, 9.0), over(9.0, -9.0))
        .scene();
    let mut walk = Walk::start(&scene, human(), dvec3(0.0, 0.0, 0.3));
    // To the wall first, then along it, into the ceiling.
    walk.go(dvec3(0.0, 2.0, 0.0));
    assert!(walk.last.touching.sides && !walk.last.is_grounded());
    walk.go(dvec3(4.0, 0.5, 0.0));
    let [low, high] = [-HALF, HALF].map(|z| walk.state.center() + DVec3::Z * z);
    let wall = dvec3(0.0, -1.0, lean).normalize();
    let ceiling = dvec3(-fall, 0.0, -1.0).normalize();
    let off_wall = (low - dvec3(0.0, 1.0, 0.0)).dot(wall) - REACH;
    let under = (high - dvec3(0.0, 0.0, 3.0)).dot(ceiling) - REACH;
    assert!(off_wall.abs() < 1e-3 && under.abs() < 1e-3, "{off_wall} {under}");
    assert!(walk.state.center().x > 3.0, "{}", walk.state.center());
}

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

#[test]
fn a_move_that_asks_for_nothing_is_not_blocked() {
    // 10 cm in a wall: the recovery touches it, and nothing is asked for.
    let scene = Level::floor().cuboid(vec3(1.0, -4.0, -1.0), vec3(3.0, 4.0, 4.0)).scene();
    let walk = Walk::start(&scene, human(), dvec3(0.78, 0.0, 0.0));
    assert!(!walk.last.contacts.is_empty());
    assert_eq!(walk.last.obstruction, Obstruction::None);
}

/// A rise counts by its own share, and a walk by its own.
#[test]
fn a_rise_is_blocked_below_a_hundredth_of_its_height() {
    let ceiling = |gap: f64| {
        let low = (1.84 + gap) as f32;
        Level::floor().cuboid(vec3(-5.0, -5.0, low), vec3(5.0, 5.0, 4.0)).scene()
    };
    for (gap, rise, blocked) in
        [(0.05, 0.1, false), (0.5, 1.0, false), (0.0005, 0.1, true), (0.005, 1.0, true)]
    {
        let mut walk = Walk::start(&ceiling(gap), human(), DVec3::ZERO);
        let made = walk.go(DVec3::Z * rise).obstruction;
        assert_eq!(made == Obstruction::Blocked, blocked, "{gap} {rise}");
    }
    // A wall stops the walk. The 9 mm of rise are no walk.
    let low = (1.84 + 0.009) as f32;
    let scene = Level::floor()
        .cuboid(vec3(-5.0, -5.0, low), vec3(5.0, 5.0, 4.0))
        .cuboid(vec3(0.32, -5.0, -1.0), vec3(2.0, 5.0, 4.0))
        .scene();
    let mut walk = Walk::start(&scene, human(), DVec3::ZERO);
    let outcome = walk.go(dvec3(0.1, 0.0, 1.0));
    assert!(outcome.touching.sides && outcome.touching.above);
    assert_eq!(outcome.obstruction, Obstruction::Blocked);
    // On a ramp, 5 mm before a wall: the walk rises with the ramp, and is blocked.
    let ramp = Level::floor()
        .ramp(-4.0, 8.0, 4.0)
        .cuboid(vec3(1.0, -5.0, -1.0), vec3(2.0, 5.0, 9.0))
        .scene();
    let mut walk = Walk::start(&ramp, human(), dvec3(0.0, 0.0, 2.1));
    walk.walk(dvec3(1.0, 0.0, 0.0), 1.5, 60);
    walk.go(dvec3(-0.005, 0.0, 0.0));
    let outcome = walk.go(dvec3(1.0, 0.0, 0.0));
    assert!(outcome.achieved.z > 1e-3, "{outcome:?}");
    assert_eq!(outcome.obstruction, Obstruction::Blocked);
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

/// A slab of 8 × 8 m whose top is at 1 m, a character on it, and the move of both by `by`.
fn ride(by: DVec3, ride: Ride, dt: f64, ceiling: f32) -> (Walk, DVec3) {
    let mut scene =
        Level::floor().cuboid(vec3(-9.0, -9.0, ceiling), vec3(9.0, 9.0, ceiling + 1.0)).scene();
    let slab = Level::default().cuboid(vec3(-4.0, -4.0, -0.5), vec3(4.0, 4.0, 0.0)).mesh();
    let [before, after] = [DVec3::Z, DVec3::Z + by].map(|at| Pose::from_translation(at).unwrap());
    let body = Body::mesh(slab, before).unwrap().with_mobility(Mobility::Dynamic);
    let body = scene.insert(body);
    let mut walk = Walk::start(&scene, human(), dvec3(0.5, 0.25, 1.0));
    assert_eq!(walk.state.footing().unwrap().body, body);
    let start = walk.feet();
    scene.move_mesh(body, after).unwrap();
    walk.scene = scene;
    let carrier = Carrier { ride, ..Carrier::new(body, before, after) };
    walk.move_with(&input(DVec3::ZERO).with_dt(dt).carried_by(carrier));
    (walk, start)
}

#[test]
fn a_ride_reports_the_displacement_of_the_body_and_its_velocity() {
    let by = dvec3(0.3, -0.1, 0.2);
    for (part, carried) in [(Ride::Full, by), (Ride::Vertical, DVec3::Z * 0.2)] {
        let (walk, start) = ride(by, part, 0.25, 9.0);
        assert_near(walk.last.carried.displacement, carried, 1e-12);
        assert_near(walk.feet(), start + carried, 1e-5);
        assert_near(walk.last.ground.unwrap().velocity, by * 4.0, 1e-9);
        assert!(!walk.last.carried.blocked);
    }
    // Without a duration there is no velocity.
    let (walk, _) = ride(by, Ride::Full, 0.0, 9.0);
    assert_eq!(walk.last.ground.unwrap().velocity, DVec3::ZERO);
    // A ceiling 5 cm over the head stops the lift there.
    let (walk, start) = ride(DVec3::Z * 0.1, Ride::Full, 0.25, 1.0 + 1.84 + 0.05);
    assert!(walk.last.carried.blocked && walk.last.touching.above);
    assert_near(walk.last.carried.displacement, DVec3::Z * 0.1, 1e-12);
    assert!(walk.state.center().z - 0.92 > start.z + 0.049, "{}", walk.feet());
}

/// The lift off a wall is 0.25 µm for each metre of the motion.
#[test]
fn a_walk_of_a_hundred_metres_along_a_wall_drifts_off_it_by_its_bias() {
    let scene = Level::floor().cuboid(vec3(1.0, -99.0, -1.0), vec3(2.0, 99.0, 4.0)).scene();
    let mut walk = Walk::start(&scene, human(), dvec3(0.0, -60.0, 0.0));
    walk.go(dvec3(1.0, 0.0, 0.0));
    let before = walk.feet();
    walk.go(dvec3(1.0, 100.0, 0.0));
    let made = walk.feet() - before;
    assert!((made.y - 100.0).abs() < 1e-3, "{made}");
    assert!((-made.x - 25e-6).abs() < 5e-6, "{made}");
}

/// A corridor of 0.62 m: the skin of 20 mm is thinned to 10 mm, and by a twentieth of it more.
#[test]
fn a_thinned_skin_leaves_a_twentieth_of_the_contact_offset() {
    let scene = Level::floor()
        .cuboid(vec3(-9.0, 0.31, -1.0), vec3(9.0, 3.0, 4.0))
        .cuboid(vec3(-9.0, -3.0, -1.0), vec3(9.0, -0.31, 4.0))
        .scene();
    let mut walk = Walk::start(&scene, human(), DVec3::ZERO);
    for side in [1.0, -1.0] {
        walk.go(dvec3(0.5, side * 0.1, 0.0));
        let off = walk.feet().y * side;
        assert!((off - 0.001).abs() < 1e-5, "{off}");
        assert!((walk.last.recovery.left - 0.01).abs() < 1e-5, "{:?}", walk.last.recovery);
        // The next move starts in the middle again.
        walk.go(DVec3::ZERO);
    }
}

/// A room of 1.83 m, of two-sided surfaces: the skin is 5 mm deep in the floor and in the ceiling.
/// Whichever of them a sweep down reports first, the floor is the ground.
#[test]
fn a_two_sided_ceiling_in_the_skin_is_no_ground() {
    for (floor_key, ceiling_key, sweeps) in [(1, 2, 1), (2, 1, 2)] {
        let mut scene = Scene::new();
        let ceiling = Level::default().cuboid(vec3(-9.0, -9.0, 1.83), vec3(9.0, 9.0, 3.0));
        for (level, key) in [(Level::floor(), floor_key), (ceiling, ceiling_key)] {
            scene.insert(Body::mesh(level.mesh(), Pose::IDENTITY).unwrap().with_key(key));
        }
        let mut walk = Walk::start(&scene, human(), DVec3::ZERO);
        let both = Filter { sides: Sides::Both, ..Filter::default() };
        for _ in 0..3 {
            let outcome = walk.move_with(&input(dvec3(0.05, 0.0, -0.01)).with_filter(both));
            let ground = outcome.ground.unwrap();
            assert!(ground.normal.z > 0.9 && ground.walkable && ground.touched, "{ground:?}");
            assert_eq!(outcome.stats.down, sweeps, "{floor_key}: {:?}", outcome.stats);
        }
        assert!((walk.state.center().z - 0.915).abs() < 1e-4, "{}", walk.state.center());
    }
}

/// A ceiling that the head touches, and that comes down along x. A lean below a millionth gives no
/// direction to slide in; above it, the walk is bent along y.
#[test]
fn a_ceiling_that_leans_by_more_than_a_millionth_bends_a_walk() {
    for (lean, bends) in [(5e-7, false), (5e-6, true)] {
        let at = |x: f64, y: f64| dvec3(x, y, 1.840_001 - lean * x).as_vec3();
        let scene = Level::floor()
            .quad(at(-50.0, -50.0), at(-50.0, 50.0), at(50.0, 50.0), at(50.0, -50.0))
            .scene();
        let mut walk = Walk::start(&scene, human(), DVec3::ZERO);
        let before = walk.feet();
        let outcome = walk.go(dvec3(0.1, 0.1, 0.0)).clone();
        let made = walk.feet() - before;
        assert!(outcome.touching.sides && made.x < 0.01, "{lean}: {made}");
        assert_eq!(made.y > 0.09, bends, "{lean}: {made}");
        assert_eq!(made.y.abs() < 1e-5, !bends, "{lean}: {made}");
    }
}
