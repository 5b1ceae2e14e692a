//! Walks past obstacles that are no steps, which keep the feet on the floor, and up curbs.

use super::level::{Level, Walk, human, input, physx};
use capsweep::cache::TriangleCache;
use capsweep::controller::{
    Climbing, Controller, ControllerConfig, MoveInput, NonWalkable, Surroundings,
};
use capsweep::scene::{Body, Scene, Shape};
use capsweep::{Capsule, Motion, Obb};
use capsweep_testkit::Rng;
use glam::{DQuat, DVec3, Vec3, dvec3, vec3};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

/// Scenes of each family, and walks in each scene: 10 000 for each preset.
const SCENES: u64 = 200;
const WALKS: u64 = 50;

/// Moves of one walk, 60 per second.
const MOVES: u32 = 70;

fn presets() -> [(&'static str, ControllerConfig); 3] {
    [("human", human()), ("physx", physx()), ("wow", ControllerConfig::wow())]
}

/// Above the highest contact of a step in any preset: 1 m in `physx` and `wow`, and a margin.
const ABOVE_STEPS: f32 = 1.1;

/// A closed column with a regular base of `sides` corners. Rings are (radius, height), bottom up.
fn column(level: Level, center: DVec3, turn: DQuat, sides: u32, rings: &[(f64, f64)]) -> Level {
    let corner = |(radius, height): (f64, f64), i: u32| -> Vec3 {
        let angle = f64::from(i) * core::f64::consts::TAU / f64::from(sides);
        (center + turn * dvec3(radius * angle.cos(), radius * angle.sin(), height)).as_vec3()
    };
    let mut level = level;
    for pair in rings.windows(2) {
        for i in 0..sides {
            let next = i + 1;
            level = level.quad(
                corner(pair[0], i),
                corner(pair[0], next),
                corner(pair[1], next),
                corner(pair[1], i),
            );
        }
    }
    if let (Some(&first), Some(&last)) = (rings.first(), rings.last()) {
        for i in 2..sides {
            level = level
                .triangle(corner(last, 0), corner(last, i - 1), corner(last, i))
                .triangle(corner(first, 0), corner(first, i), corner(first, i - 1));
        }
    }
    level
}

fn about_z(rng: &mut Rng) -> DQuat {
    DQuat::from_rotation_z(rng.range(0.0, core::f64::consts::TAU))
}

/// A column that tapers by 0.3° to 30°, mostly by little.
fn tapered_column(rng: &mut Rng) -> Level {
    let degrees = rng.log_range(0.3, 30.0);
    let height = rng.range(2.5, 3.0);
    let shrink = height * degrees.to_radians().tan();
    // Higher than a step plus the round bottom.
    let base = rng.range(0.35, 0.4) + if degrees > 2.0 { shrink } else { 0.0 };
    let sides = 4 + rng.below(13);
    let rings = [(base, 0.0), ((base - shrink).max(0.01), height)];
    column(Level::floor(), DVec3::ZERO, about_z(rng), sides, &rings)
}

/// A tree trunk: steep roots, then a taper.
fn trunk(rng: &mut Rng) -> Level {
    let flare = rng.range(0.05, 0.6);
    let root = rng.range(0.3, 0.5);
    // Roots of 55° to 85°, too steep for every preset.
    let spread = flare / rng.range(55.0, 85.0).to_radians().tan();
    let shrink = 2.5 * rng.range(0.2, 3.0).to_radians().tan();
    let rings = [(root + spread, 0.0), (root, flare), (root - shrink, 2.5 + flare)];
    column(Level::floor(), DVec3::ZERO, about_z(rng), 5 + rng.below(12), &rings)
}

/// A wall with a doorway whose jambs lean, so that it gets narrower or wider with height.
fn door_jambs(rng: &mut Rng) -> Level {
    let (half, thick) = (rng.range(0.5, 0.8), rng.range(0.1, 0.4));
    let mut level = Level::floor();
    for side in [-1.0, 1.0] {
        let lean = 2.6 * rng.range(-2.0, 2.0).to_radians().tan();
        let batter = 2.6 * rng.range(0.0, 2.0).to_radians().tan();
        let at = |x: f64, y: f64, z: f64| dvec3(x, side * y, z).as_vec3();
        let (near, far) = (half, half + 3.0);
        let low = [[-thick, near], [thick, near], [thick, far], [-thick, far]];
        let top = (thick - batter).max(0.01);
        let high = [[-top, near + lean], [top, near + lean], [top, far], [-top, far]];
        for i in 0..4 {
            let next = (i + 1) % 4;
            let [a, b] = [low[i], low[next]].map(|[x, y]| at(x, y, 0.0));
            let [d, c] = [high[i], high[next]].map(|[x, y]| at(x, y, 2.6));
            // The mirrored jamb needs the opposite winding.
            level = if side > 0.0 { level.quad(a, b, c, d) } else { level.quad(b, a, d, c) };
        }
    }
    level
}

/// Poles that lean by up to 30° and end below the floor and overhead.
fn leaning_poles(rng: &mut Rng) -> Level {
    let mut level = Level::floor();
    for i in 0..3 {
        let lean = rng.log_range(0.3, 30.0).to_radians();
        let turn = about_z(rng) * DQuat::from_rotation_x(lean) * about_z(rng);
        let radius = rng.range(0.02, 0.2);
        let center = dvec3(rng.range(-0.5, 0.5), f64::from(i - 1) * 1.5, 0.0);
        let rings = [(radius, -0.5), (radius, 3.5)];
        level = column(level, center, turn, 3 + rng.below(6), &rings);
    }
    level
}

/// A rail on slightly leaning posts, too high to climb.
fn railing(rng: &mut Rng) -> Level {
    let rail = ABOVE_STEPS + rng.range(0.05, 0.3) as f32;
    let mut level = Level::floor().cuboid(vec3(-0.05, -3.0, rail), vec3(0.05, 3.0, rail + 0.08));
    for i in 0..7 {
        let lean = DQuat::from_rotation_x(rng.range(-2.0, 2.0).to_radians())
            * DQuat::from_rotation_y(rng.range(-2.0, 2.0).to_radians());
        let center = dvec3(0.0, f64::from(i) - 3.0, 0.0);
        let radius = rng.range(0.03, 0.1);
        let rings = [(radius, -0.2), (radius * rng.range(0.5, 1.0), f64::from(rail))];
        level = column(level, center, lean, 4 + rng.below(5), &rings);
    }
    level
}

/// Walks from 2 m away past or into the origin, and calls `see` with the feet after each move.
fn walk_past(scene: &Scene, controller: &Controller, rng: &mut Rng, mut see: impl FnMut(DVec3)) {
    let heading = about_z(rng) * DVec3::X;
    let aside = heading.cross(DVec3::Z) * rng.range(-1.0, 1.0);
    let speed = rng.range(2.0, 7.0) / 60.0;
    let mut state = controller.spawn(aside - heading * 3.0).unwrap();
    let mut cache = TriangleCache::new();
    let input = MoveInput::new(Motion::new(heading * speed - DVec3::Z * 0.003).unwrap());
    if controller
        .find_free_position(scene, &state, 0.0, &Surroundings::default())
        .unwrap()
        .is_none()
    {
        return;
    }
    for _ in 0..MOVES {
        let outcome = controller.move_by(scene, &mut cache, &state, &input);
        state = outcome.state;
        let feet = controller.feet(&state);
        see(feet);
        if feet.dot(heading) > 1.0 {
            break;
        }
    }
}

/// Asserts that no walk past a family of obstacles leaves the floor by more than a centimetre.
fn assert_no_hop(family: &str, build: impl Fn(&mut Rng) -> Level + Sync) {
    for (preset, config) in presets() {
        let controller = Controller::new(config).unwrap();
        let hops: Vec<String> = (0..SCENES)
            .into_par_iter()
            .flat_map_iter(|number| {
                let mut rng = Rng::new(&[4_711, number]);
                let scene = build(&mut rng).scene();
                let mut hops = Vec::new();
                for walk in 0..WALKS {
                    let mut rng = Rng::new(&[4_712, number, walk]);
                    let mut highest = 0.0_f64;
                    walk_past(&scene, &controller, &mut rng, |feet| {
                        highest = highest.max(feet.z);
                    });
                    if highest > 0.01 {
                        hops.push(format!("scene {number}, walk {walk}: {highest:.3} m"));
                    }
                }
                hops
            })
            .collect();
        let shown = &hops[..hops.len().min(5)];
        assert!(hops.is_empty(), "{family}, {preset}: {} hops, {shown:#?}", hops.len());
    }
}

#[test]
fn no_character_hops_beside_a_tapered_column() {
    assert_no_hop("tapered columns", tapered_column);
}

#[test]
fn no_character_hops_beside_a_trunk() {
    assert_no_hop("trunks", trunk);
}

#[test]
fn no_character_hops_at_a_door_jamb() {
    assert_no_hop("door jambs", door_jambs);
}

#[test]
fn no_character_hops_beside_a_leaning_pole() {
    assert_no_hop("leaning poles", leaning_poles);
}

#[test]
fn no_character_hops_under_a_railing() {
    assert_no_hop("railings", railing);
}

/// A curb along y. It has a bevel, steeper than any slope limit and at most as high as the curb,
/// or none.
struct Curb {
    height: f64,
    /// Level length of the bevel (metres).
    run: f64,
    scene: Scene,
}

impl Curb {
    fn new(rng: &mut Rng, highest: f64) -> Self {
        let height = rng.range(0.03, highest);
        let bevel = [0.0, rng.range(0.05, 0.95), 1.0][rng.below(3) as usize] * height;
        let run = bevel / rng.range(52.0, 85.0).to_radians().tan();
        let (low, top) = ((height - bevel) as f32, height as f32);
        let mut profile = vec![(0.0, -0.5), (20.0, -0.5), (20.0, top), (run as f32, top)];
        if bevel > 0.0 {
            profile.push((0.0, low));
        }
        Self { height, run, scene: Level::floor().prism(&profile, -30.0, 30.0).scene() }
    }
}

/// Walks at 10 000 curbs at up to 60° from the normal. Returns how many bevels end within half a
/// radius, and descriptions of those that were not climbed.
fn climb_curbs(config: ControllerConfig) -> (usize, Vec<String>) {
    let controller = Controller::new(config).unwrap();
    let highest = f64::from(config.step_offset);
    let climb_one = |number: u64| {
        let mut rng = Rng::new(&[4_713, number]);
        let curb = Curb::new(&mut rng, highest);
        let (mut judged, mut refused) = (0, Vec::new());
        for _ in 0..WALKS {
            let angle = rng.range(0.0, 60.0_f64).to_radians() * rng.sign();
            let speed = rng.range(1.0, 7.0) / 60.0;
            let heading = dvec3(angle.cos(), angle.sin(), 0.0);
            let start = dvec3(-0.6 - rng.unit(), rng.range(-1.0, 1.0), 0.0);
            if curb.run > 0.5 * f64::from(config.radius) * heading.x {
                continue;
            }
            judged += 1;
            let mut state = controller.spawn(start).unwrap();
            let mut cache = TriangleCache::new();
            let input = MoveInput::new(Motion::new(heading * speed - DVec3::Z * 0.003).unwrap());
            for _ in 0..400 {
                state = controller.move_by(&curb.scene, &mut cache, &state, &input).state;
                if controller.feet(&state).x > 1.0 {
                    break;
                }
            }
            let feet = controller.feet(&state);
            if (feet.z - curb.height).abs() > 1e-3 || feet.x <= 1.0 {
                let (height, degrees) = (curb.height, angle.to_degrees());
                refused.push(format!("curb {number}, {height:.3} m, at {degrees:.1}°: {feet:.3}"));
            }
        }
        (judged, refused)
    };
    (0..SCENES).into_par_iter().map(climb_one).reduce(Default::default, |mut a, b| {
        a.1.extend(b.1);
        (a.0 + b.0, a.1)
    })
}

#[test]
fn every_curb_whose_bevel_ends_within_half_a_radius_is_climbed_at_any_angle() {
    for (preset, config) in presets() {
        for climbing in [Climbing::Easy, Climbing::Constrained] {
            let (judged, refused) = climb_curbs(ControllerConfig { climbing, ..config });
            assert!(judged > 6_000, "{preset}: only {judged}");
            let (count, shown) = (refused.len(), &refused[..refused.len().min(8)]);
            assert!(refused.is_empty(), "{preset}, {climbing:?}: {count} refused, {shown:#?}");
        }
    }
}

/// A bevel of 60°, climbed in short moves: the character rests on the bevel and is grounded there.
/// Placed on the same bevel without a step, it is not.
#[test]
fn a_steep_landing_is_walkable_only_where_the_step_landed() {
    let top = 0.35_f32;
    let profile = [(0.0, -0.5), (20.0, -0.5), (20.0, top), (0.2, top), (0.0, 0.0)];
    let scene = Level::floor().prism(&profile, -30.0, 30.0).scene();
    let config = ControllerConfig { non_walkable: NonWalkable::Prevent, ..human() };
    let mut walk = Walk::start(&scene, config, dvec3(-1.0, 0.0, 0.0));
    let mut rests = 0;
    for _ in 0..200 {
        let outcome = walk.go(dvec3(0.01, 0.0, -0.003)).clone();
        let ground = outcome.ground.unwrap();
        if ground.normal.z < 0.6 && ground.face_normal.z < 0.6 {
            assert!(outcome.stepped && ground.walkable, "{outcome:?}");
            rests += 1;
            // The same place without the step is steep ground.
            let still = walk.go(DVec3::ZERO);
            assert!(!still.stepped && !still.ground.unwrap().walkable, "{still:?}");
        }
    }
    assert!(rests > 3, "rested {rests} times");
    assert!((walk.feet().z - f64::from(top)).abs() < 1e-3, "{}", walk.feet());
}

#[test]
fn no_character_hops_beside_leaning_solids() {
    let mut rng = Rng::new(&[4_811]);
    for config in [human(), physx(), ControllerConfig::wow()] {
        let controller = Controller::new(config).unwrap();
        for number in 0..400 {
            let mut scene = Level::floor().scene();
            let lean = rng.log_range(0.3, 30.0).to_radians();
            let about = DQuat::from_rotation_z(rng.range(0.0, 6.3));
            let turn = about * DQuat::from_rotation_x(lean);
            let half = vec3(rng.range(0.02, 0.4) as f32, rng.range(0.02, 0.4) as f32, 2.5);
            let shape = if number % 2 == 0 {
                Shape::Box(Obb::new(turn * DVec3::Z * 1.5, half, turn).unwrap())
            } else {
                let [a, b] = [-1.0, 4.0].map(|along| turn * DVec3::Z * along);
                Shape::Capsule(Capsule::new(a, b, half.x).unwrap())
            };
            scene.insert(Body::shape(shape));
            for _ in 0..8 {
                let heading = about * DQuat::from_rotation_z(rng.range(0.0, 6.3)) * DVec3::X;
                let side = DVec3::Z.cross(heading) * rng.range(-0.8, 0.8);
                let mut state = controller.spawn(heading * -2.5 + side).unwrap();
                let mut cache = TriangleCache::new();
                let speed = rng.range(1.0, 7.0) / 60.0;
                let step = input(heading * speed - DVec3::Z * 0.003);
                for _ in 0..120 {
                    state = controller.move_by(&scene, &mut cache, &state, &step).state;
                    let feet = controller.feet(&state);
                    assert!(feet.z < 0.01, "{number}, {}°: {feet}", lean.to_degrees());
                }
            }
        }
    }
}
