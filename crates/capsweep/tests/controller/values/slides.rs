//! Where slides end: along slopes, walls and ceilings.

use super::{HALF, REACH};
use crate::level::{Level, Walk, assert_near, human, input};
use capsweep::SlopeLimit;
use capsweep::controller::{ControllerConfig, MoveInput};
use glam::{DVec3, dvec3, vec3};

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

/// `level` and both surfaces of a zigzag, mapped by `map`, `across` wide to either side, with
/// their fronts towards the motion.
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

/// A wall that leans back by 5° beside a ramp of 60° and one of 75°. The walk along the wall
/// follows the steeper ramp: as it rises, the wall leads it further to the side.
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
