//! Crushes and squeezes in hostile settings: lifts that turn, double sides, other axes, no carrier.

use super::level::{Level, Walk, human, input};
use capsweep::controller::{
    Carrier, Controller, ControllerConfig, Locomotion, LocomotionConfig, LocomotionInput,
    LocomotionState, MoveInput, Obstruction, Ride,
};
use capsweep::scene::{Body, BodyId, Filter, MeshOptions, Mobility, Pose, Scene, Shape};
use capsweep::{Capsule, Obb, Sides};
use glam::{DQuat, DVec3, dvec3, vec3};

/// What a lift is made of.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Made {
    Mesh,
    DoubleSided,
    Mirrored,
    Box,
}

/// How its rider is told of the lift's motion.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Told {
    Full,
    Caller,
    NotAtAll,
}

/// How a lift is tested.
#[derive(Debug, Clone, Copy)]
struct Setup {
    made: Made,
    told: Told,
    thick: f32,
    /// Which way is up.
    turn: DQuat,
    origin: DVec3,
    sides: Sides,
    /// Whether the character has a body of its own in the scene.
    own: bool,
    /// Radians of turn about up, and metres sideways, for each metre of rise.
    spin: f64,
    drift: f64,
}

const PLAIN: Setup = Setup {
    made: Made::Mesh,
    told: Told::Full,
    thick: 0.2,
    turn: DQuat::IDENTITY,
    origin: DVec3::ZERO,
    sides: Sides::Front,
    own: false,
    spin: 0.0,
    drift: 0.0,
};

/// A lift under a ceiling whose underside is 3 m up.
struct Rig {
    setup: Setup,
    scene: Scene,
    lift: BodyId,
    own: Option<BodyId>,
    top: f64,
    walk: Walk,
}

impl Rig {
    fn new(setup: Setup) -> Self {
        let frame = Pose::new(setup.origin, setup.turn, DVec3::ONE).unwrap();
        let options = MeshOptions { double_sided: setup.made == Made::DoubleSided };
        let ceiling = Level::default().cuboid(vec3(-9.0, -9.0, 3.0), vec3(9.0, 9.0, 3.3));
        let mut scene = Scene::new();
        scene.insert(Body::mesh(ceiling.mesh_with(options), frame).unwrap());
        let body = if setup.made == Made::Box {
            Body::shape(Self::slab(&setup, 1.0))
        } else {
            let low = vec3(-2.0, -2.0, -setup.thick);
            let slab = Level::default().cuboid(low, vec3(2.0, 2.0, 0.0));
            Body::mesh(slab.mesh_with(options), Self::pose(&setup, 1.0)).unwrap()
        };
        let lift = scene.insert(body.with_mobility(Mobility::Dynamic));
        let up = setup.turn * DVec3::Z;
        let config = ControllerConfig::human(up);
        let feet = frame.point_to_world(dvec3(0.4, -0.3, 1.0));
        let mut walk = Walk::start(&scene, config, feet);
        let own = setup
            .own
            .then(|| scene.insert(Body::shape(Self::own(&walk)).with_mobility(Mobility::Dynamic)));
        walk.scene = scene.clone();
        let mut rig = Self { setup, scene, lift, own, top: 1.0, walk };
        rig.walk.ask(&rig.with_surroundings(&input(up * -0.05)));
        assert_eq!(rig.walk.state.footing().unwrap().body, lift, "{setup:?}");
        rig
    }

    fn with_surroundings(&self, input: &MoveInput) -> MoveInput {
        let filter = Filter { sides: self.setup.sides, ..Filter::default() };
        let input = input.with_filter(filter).with_dt(1.0 / 60.0);
        self.own.map_or(input, |own| input.ignoring(own))
    }

    fn own(walk: &Walk) -> Shape {
        Shape::Capsule(body_of(walk))
    }

    fn pose(setup: &Setup, top: f64) -> Pose {
        let rise = top - 1.0;
        let local = dvec3(setup.drift * rise, 0.0, top);
        let turn = setup.turn * DQuat::from_rotation_z(setup.spin * rise);
        let mirror = if setup.made == Made::Mirrored { -1.0 } else { 1.0 };
        let scale = dvec3(mirror, 1.0, 1.0);
        Pose::new(setup.origin + setup.turn * local, turn, scale).unwrap()
    }

    fn slab(setup: &Setup, top: f64) -> Shape {
        let pose = Self::pose(setup, top);
        let half = vec3(2.0, 2.0, 0.5 * setup.thick);
        let center = pose.point_to_world(DVec3::Z * f64::from(-0.5 * setup.thick));
        Shape::Box(Obb::new(center, half, pose.rotation()).unwrap())
    }

    /// Moves the lift by `rise`, and its rider by `walk`, which is as in a world whose up is Z.
    fn go(&mut self, rise: f64, walk: DVec3) {
        let [before, after] = [self.top, self.top + rise].map(|top| Self::pose(&self.setup, top));
        self.top += rise;
        let slab = Self::slab(&self.setup, self.top);
        if self.setup.made == Made::Box {
            self.scene.move_shape(self.lift, slab).unwrap();
        } else {
            self.scene.move_mesh(self.lift, after).unwrap();
        }
        if let Some(own) = self.own {
            self.scene.move_shape(own, Self::own(&self.walk)).unwrap();
        }
        self.walk.scene = self.scene.clone();
        let mut motion = self.setup.turn * walk;
        let carrier = match self.setup.told {
            Told::Full => Some(Carrier::new(self.lift, before, after)),
            Told::NotAtAll => None,
            Told::Caller => {
                let feet = self.walk.feet();
                motion += after.point_to_world(before.point_to_local(feet)) - feet;
                Some(Carrier { ride: Ride::Caller, ..Carrier::new(self.lift, before, after) })
            }
        };
        let input = self.with_surroundings(&input(motion));
        self.walk.ask(&MoveInput { carrier, ..input });
    }

    /// A point as in a world whose up is Z.
    fn local(&self, world: DVec3) -> DVec3 {
        self.setup.turn.conjugate() * (world - self.setup.origin)
    }

    /// Where the feet are on the lift.
    fn on_lift(&self) -> DVec3 {
        Self::pose(&self.setup, self.top).point_to_local(self.walk.feet())
    }
}

fn body_of(walk: &Walk) -> Capsule {
    let state = &walk.state;
    let half = f64::from(state.total_height() * 0.5 - state.radius());
    Capsule::from_center(state.center(), walk.controller.up() * half, state.radius()).unwrap()
}

/// Depth of the deepest overlap of the body, without its skin; 0 if it is free.
fn depth(walk: &Walk) -> f64 {
    walk.scene.overlap(&body_of(walk), &Filter::default()).map_or(0.0, |found| found.hit.depth)
}

fn is_crushed(walk: &Walk) -> bool {
    matches!(walk.last.obstruction, Obstruction::Crushed { .. })
}

/// Rises until 0.1 m of room are left, waits, and sinks again.
fn rise_and_sink(setup: Setup) {
    let rise = 0.5 / 60.0;
    let mut rig = Rig::new(setup);
    let start = rig.on_lift();
    let check = |rig: &Rig| {
        let (middle, top) = (rig.local(rig.walk.state.center()).z, rig.top);
        assert!(middle < 3.0 && middle > top, "{setup:?}: middle {middle}, lift at {top}");
        let room = 3.0 - top;
        match rig.walk.last.obstruction {
            Obstruction::Crushed { missing } => {
                assert!((missing - (1.8 - room)).abs() < 0.03, "{setup:?}: {missing} of {room}");
            }
            other => assert!(room > 1.79, "{setup:?}, room {room}: {other:?}"),
        }
    };
    let mut ticks = 0;
    while rig.top < 2.9 {
        rig.go(rise, DVec3::Z * -0.003);
        ticks += 1;
        check(&rig);
    }
    for _ in 0..30 {
        rig.go(0.0, DVec3::Z * -0.003);
        check(&rig);
    }
    for _ in 0..ticks {
        rig.go(-rise, DVec3::Z * -0.02);
        let (room, feet) = (3.0 - rig.top, rig.on_lift());
        let stands = rig.walk.last.is_grounded() && feet.z.abs() < 2e-3;
        assert!(stands || room < 1.9, "{setup:?}, room {room}: {feet}");
    }
    let end = rig.on_lift();
    assert!((end - start).length() < 5e-3, "{setup:?}: stood at {start}, stands at {end}");
}

#[test]
fn a_lift_of_any_make_crushes_and_releases_its_rider() {
    for made in [Made::Mesh, Made::DoubleSided, Made::Mirrored, Made::Box] {
        for sides in [Sides::Front, Sides::Both] {
            rise_and_sink(Setup { made, sides, ..PLAIN });
        }
    }
}

#[test]
fn a_lift_crushes_alike_whichever_way_is_up_and_however_far_away() {
    let far = dvec3(16_000.0, -12_345.6, 789.0);
    for turn in [DQuat::from_rotation_x(-1.5), DQuat::from_rotation_y(2.0)] {
        for made in [Made::Mesh, Made::Box] {
            rise_and_sink(Setup { made, turn, ..PLAIN });
            rise_and_sink(Setup { made, turn, origin: far, ..PLAIN });
        }
    }
}

#[test]
fn who_is_crushed_on_a_lift_that_turns_and_drifts_stays_where_it_stood_on_it() {
    for made in [Made::Mesh, Made::Box] {
        rise_and_sink(Setup { made, drift: 0.5, ..PLAIN });
        rise_and_sink(Setup { made, spin: 0.8, ..PLAIN });
        rise_and_sink(Setup { made, spin: -1.5, drift: -0.4, ..PLAIN });
    }
}

#[test]
fn a_lift_whose_rider_is_not_told_of_it_takes_it_through_neither_surface() {
    for told in [Told::Caller, Told::NotAtAll] {
        for made in [Made::Mesh, Made::Box] {
            for thick in [0.2, 1.0] {
                rise_and_sink(Setup { made, told, thick, ..PLAIN });
            }
        }
    }
}

#[test]
fn a_character_with_a_body_of_its_own_is_crushed_as_one_without() {
    for made in [Made::Mesh, Made::Box] {
        rise_and_sink(Setup { made, own: true, ..PLAIN });
    }
}

#[test]
fn who_crouches_while_crushed_stands_on_the_lift() {
    let mut rig = Rig::new(PLAIN);
    let start = rig.on_lift();
    while rig.top < 1.7 {
        rig.go(0.01, DVec3::Z * -0.003);
    }
    assert!(is_crushed(&rig.walk));
    rig.walk.state = rig.walk.controller.resize(&rig.walk.state, 1.0).unwrap();
    for _ in 0..3 {
        rig.go(0.0, DVec3::Z * -0.003);
        let feet = rig.on_lift();
        assert!((feet - start).length() < 1e-3, "{feet}, {:?}", rig.walk.last.obstruction);
        assert!(rig.walk.last.is_grounded() && !is_crushed(&rig.walk));
    }
    // Up again, where there is no room, and down again.
    rig.walk.state = rig.walk.controller.resize(&rig.walk.state, 1.8).unwrap();
    rig.go(0.0, DVec3::Z * -0.003);
    assert!(rig.walk.last.obstruction.is_overlap(), "{:?}", rig.walk.last.obstruction);
    for _ in 0..70 {
        rig.go(-0.01, DVec3::Z * -0.003);
    }
    let feet = rig.on_lift();
    assert!((feet - start).length() < 1e-3 && rig.walk.last.is_grounded(), "{feet}");
}

#[test]
fn who_jumps_while_crushed_stays_between_both_surfaces_and_is_not_launched() {
    for made in [Made::Mesh, Made::Box] {
        let mut rig = Rig::new(Setup { made, ..PLAIN });
        let controller = rig.walk.controller;
        let locomotion = Locomotion::new(controller, LocomotionConfig::human()).unwrap();
        let mut state = LocomotionState::at_rest(rig.walk.state);
        let dt = 1.0 / 60.0;
        for tick in 0..600 {
            let rise = if tick < 230 { dt * 0.5 } else { -dt * 0.5 };
            let rise = if (200..230).contains(&tick) { 0.0 } else { rise };
            // Moves the lift; the walk's own move is thrown away.
            let kept = rig.walk.clone();
            rig.go(rise, DVec3::ZERO);
            rig.walk = Walk { scene: rig.scene.clone(), ..kept };
            let poses = [rig.top - rise, rig.top].map(|top| Rig::pose(&rig.setup, top));
            let carrier = Some(Carrier::new(rig.lift, poses[0], poses[1]));
            let jump = tick % 2 == 0 && tick > 100 && tick < 400;
            let wish = LocomotionInput { jump, carrier, ..LocomotionInput::new(DVec3::ZERO, dt) };
            let (next, outcome) =
                locomotion.tick(&rig.scene, &mut rig.walk.cache, &state, &wish).unwrap();
            state = next;
            (rig.walk.state, rig.walk.last) = (outcome.state, outcome);
            let (middle, top) = (rig.walk.state.center().z, rig.top);
            assert!(middle < 3.0 && middle > top, "{made:?} {tick}: {middle}, lift at {top}");
            assert!(state.velocity.length() < 4.5, "{made:?} {tick}: {}", state.velocity);
        }
        assert!(rig.walk.last.is_grounded() && rig.on_lift().z.abs() < 1e-3);
    }
}

#[test]
fn a_lift_that_vanishes_lets_its_victim_fall_and_stand_again() {
    let mut rig = Rig::new(PLAIN);
    while rig.top < 2.5 {
        rig.go(0.01, DVec3::Z * -0.003);
    }
    assert!(is_crushed(&rig.walk));
    rig.scene.remove(rig.lift).unwrap();
    rig.walk.scene = rig.scene.clone();
    for _ in 0..5 {
        rig.walk.go(DVec3::Z * -0.05);
        assert_eq!(depth(&rig.walk), 0.0);
        assert!(!rig.walk.last.obstruction.is_overlap(), "{:?}", rig.walk.last.obstruction);
        assert!(rig.walk.state.center().z < 3.0);
    }
    assert!(rig.walk.state.footing().is_none());
}

#[test]
fn a_crushed_walk_up_a_ramp_leads_to_its_top_and_not_through_it() {
    // Two walls that move leave 0.58 m over a ramp of 30°.
    let ramp = [(0.0, -0.5), (8.0, -0.5), (8.0, 4.6), (0.0, 0.0)];
    for closes_to in [0.29, 0.2] {
        let mut scene = Level::floor().prism(&ramp, -10.0, 10.0).scene();
        let wall = |side: f64, half: f64| {
            let center = dvec3(0.0, side * (half + 1.0), 4.0);
            Shape::Box(Obb::new(center, vec3(20.0, 1.0, 8.0), DQuat::IDENTITY).unwrap())
        };
        let walls = [-1.0, 1.0].map(|side| {
            let body = Body::shape(wall(side, 0.6)).with_mobility(Mobility::Dynamic);
            (side, scene.insert(body))
        });
        let mut walk = Walk::start(&scene, human(), dvec3(-1.0, 0.0, 0.0));
        for tick in 0..240 {
            let half = (0.6 - 0.01 * f64::from(tick)).max(closes_to);
            for (side, id) in walls {
                scene.move_shape(id, wall(side, half)).unwrap();
            }
            walk.scene = scene.clone();
            walk.go(dvec3(0.03, 0.0, -0.005));
            let feet = walk.feet();
            let ground = (feet.x * 4.6 / 8.0).max(0.0);
            let what = format!("{closes_to}, tick {tick}: {feet} over {ground}");
            assert!(feet.z > ground - 0.05, "{what}");
            assert!(feet.z < ground + 0.4, "{what}");
        }
        assert!(is_crushed(&walk) && walk.feet().x > 3.0, "{}", walk.feet());
    }
}

#[test]
fn a_thin_door_that_crushes_does_not_pass_through_its_victim() {
    for solid in [false, true] {
        let mut scene = Level::floor().cuboid(vec3(1.0, -4.0, -1.0), vec3(2.0, 4.0, 4.0)).scene();
        let door = |x: f64| {
            let center = dvec3(x - 0.05, 0.0, 1.5);
            Shape::Box(Obb::new(center, vec3(0.05, 3.0, 1.5), DQuat::IDENTITY).unwrap())
        };
        let pose = |x: f64| Pose::from_translation(DVec3::X * x).unwrap();
        let leaf = Level::default().cuboid(vec3(-0.1, -3.0, 0.0), vec3(0.0, 3.0, 3.0));
        let body = if solid {
            Body::shape(door(-2.0))
        } else {
            Body::mesh(leaf.mesh(), pose(-2.0)).unwrap()
        };
        let body = scene.insert(body.with_mobility(Mobility::Dynamic));
        let mut walk = Walk::start(&scene, human(), DVec3::ZERO);
        let faces = (0..=145).map(|i| -2.0 + 0.02 * f64::from(i));
        for face in faces.clone().chain(faces.rev()) {
            if solid {
                scene.move_shape(body, door(face)).unwrap();
            } else {
                scene.move_mesh(body, pose(face)).unwrap();
            }
            walk.scene = scene.clone();
            walk.go(DVec3::Z * -0.01);
            let feet = walk.feet();
            let what = format!("solid {solid}, face at {face}: {feet} {:?}", walk.last.obstruction);
            assert!(feet.x > face && feet.x < 1.0, "{what}");
        }
    }
}

#[test]
fn who_is_squeezed_by_walls_beside_a_crate_is_not_called_crushed() {
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
        // Its face comes to 0.31 m from the axis: into the skin.
        scene.move_shape(crate_, place(if tick < 5 { 5.0 } else { 0.81 })).unwrap();
        walk.scene = scene.clone();
        walk.go(DVec3::Z * -0.01);
        let told = walk.last.obstruction;
        assert!(matches!(told, Obstruction::Squeezed { .. }), "tick {tick}: {told:?}");
    }
}

/// Ticks a squeezed character for ten seconds and frees it. Asserts that its speed is never much more
/// than what it makes.
fn assert_falls_from_rest(mut scene: Scene, jail: &[BodyId], feet: DVec3, what: &str) {
    let controller = Controller::new(human()).unwrap();
    let locomotion = Locomotion::new(controller, LocomotionConfig::human()).unwrap();
    let mut cache = capsweep::cache::TriangleCache::new();
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
    // Out of a wide wedge it is pushed at once, and then rests in a groove.
    assert!(overlaps > 20 || what.contains("wide"), "{what}: {overlaps}");
}

#[test]
fn who_is_freed_from_a_solid_or_a_wedge_falls_from_rest() {
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
fn a_crushed_and_a_squeezed_state_replay_to_the_same_bits_from_text() {
    let mut rig = Rig::new(Setup { spin: 0.7, drift: 0.3, ..PLAIN });
    let mut read = rig.walk.clone();
    let mut crushed = 0;
    for tick in 0..400 {
        let rise = if tick < 210 { 0.008 } else { -0.008 };
        read.state =
            serde_json::from_str(&serde_json::to_string(&rig.walk.state).unwrap()).unwrap();
        read.cache = capsweep::cache::TriangleCache::new();
        let poses = [rig.top, rig.top + rise].map(|top| Rig::pose(&rig.setup, top));
        let walk = dvec3(0.002, 0.001, -0.003);
        rig.go(rise, walk);
        read.scene = rig.scene.clone();
        let carrier = Carrier::new(rig.lift, poses[0], poses[1]);
        read.ask(&rig.with_surroundings(&input(walk)).carried_by(carrier));
        assert_eq!(read.last, rig.walk.last, "tick {tick}");
        crushed += u32::from(is_crushed(&read));
    }
    assert!(crushed > 100, "{crushed}");
}

#[test]
fn a_lift_with_two_sides_lifts_its_rider_and_says_blocked_only_under_a_ceiling() {
    for (made, sides) in [(Made::DoubleSided, Sides::Front), (Made::Mesh, Sides::Both)] {
        let mut rig = Rig::new(Setup { made, sides, ..PLAIN });
        for _ in 0..15 {
            rig.go(0.01, DVec3::Z * -0.003);
            let out = &rig.walk.last;
            assert!(!out.carried.blocked && !out.touching.above, "{made:?} {sides:?}: {out:?}");
            assert!(out.is_grounded() && rig.on_lift().z.abs() < 1e-4);
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
            walk.ask(&input(dvec3(0.05, 0.0, -0.01)).with_filter(both));
            let ground = walk.last.ground.unwrap();
            assert!(ground.normal.z > 0.9 && walk.last.is_grounded(), "{height}: {ground:?}");
            assert!(depth(&walk) < 1e-5, "{height}: {}", depth(&walk));
        }
        assert!(walk.feet().x > 0.9, "{height}: {}", walk.feet());
    }
}

#[test]
fn two_presses_that_both_move_hold_and_release_their_victim() {
    let slab =
        |center: DVec3| Shape::Box(Obb::new(center, vec3(2.0, 2.0, 0.1), DQuat::IDENTITY).unwrap());
    let mut scene = Scene::new();
    let place = |room: f64| [DVec3::Z * -0.1, DVec3::Z * (room + 0.1)];
    let ids =
        place(2.5).map(|at| scene.insert(Body::shape(slab(at)).with_mobility(Mobility::Dynamic)));
    let mut walk = Walk::start(&scene, human(), DVec3::ZERO);
    walk.go(DVec3::Z * -0.01);
    let rooms = (0..=240).map(|i| 2.5 - 0.01 * f64::from(i));
    for room in rooms.clone().chain(rooms.rev()) {
        for (id, at) in ids.into_iter().zip(place(room)) {
            scene.move_shape(id, slab(at)).unwrap();
        }
        walk.scene = scene.clone();
        walk.go(DVec3::Z * -0.01);
        let middle = walk.state.center().z;
        assert!(0.0 < middle && middle < room, "room {room}: middle at {middle}");
        assert_eq!(is_crushed(&walk), room < 1.8 - 1e-5, "{room}: {:?}", walk.last.obstruction);
    }
    assert!(walk.last.is_grounded() && walk.feet().length() < 1e-3, "{}", walk.feet());
}

#[test]
fn a_corner_narrower_than_the_character_is_told_of_and_never_left_through_a_wall() {
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
                let before = depth(&walk);
                let angle = f64::from(tick) * 0.7;
                walk.go(dvec3(angle.cos() * 0.05, angle.sin() * 0.05, -0.01));
                let (feet, deep) = (walk.feet(), depth(&walk));
                let what = format!("{degrees}°, {start}, tick {tick}: {feet}, {deep} deep");
                assert!(feet.x > 0.0 && feet.y.abs() <= feet.x * half, "{what}");
                assert!(deep <= before + 4e-6, "{what}, was {before}");
                assert_eq!(deep > 0.0, walk.last.obstruction.is_overlap(), "{what}");
            }
        }
    }
}

#[test]
fn nobody_hops_beside_solids_that_lean() {
    let mut rng = capsweep_testkit::Rng::new(&[4_811]);
    for config in [human(), super::level::physx(), ControllerConfig::wow()] {
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
                let mut cache = capsweep::cache::TriangleCache::new();
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

#[test]
fn a_perch_limit_holds_on_boxes_and_ridges() {
    let limit = 0.1_f32;
    let config = ControllerConfig { perch_limit: Some(limit), ..human() };
    let block = |width: f32| {
        let half = vec3(0.5 * width, 5.0, 1.0);
        let at = dvec3(-0.5 * f64::from(width), 0.0, 1.0);
        Body::shape(Shape::Box(Obb::new(at, half, DQuat::IDENTITY).unwrap()))
    };
    for width in [0.02_f32, 0.1, 3.0] {
        for (beyond, stays) in [(0.05, true), (0.2, false), (0.28, false)] {
            let mut scene = Level::floor().scene();
            scene.insert(block(width));
            let drop = 0.32 - (0.32_f64 * 0.32 - beyond * beyond).sqrt();
            let mut walk = Walk::start(&scene, config, dvec3(beyond, 0.0, 2.0 - drop));
            walk.walk(DVec3::ZERO, 2.0, 60);
            assert_eq!(walk.feet().z > 1.5, stays, "{width}, {beyond}: {}", walk.feet());
            assert!(walk.last.is_grounded(), "{width}, {beyond}: {}", walk.feet());
        }
    }
    // A ridge of 90°, the axis over one slope.
    let ridge = Level::floor().prism(&[(-1.0, 0.0), (1.0, 0.0), (0.0, 1.0)], -5.0, 5.0).scene();
    let mut walk = Walk::start(&ridge, config, dvec3(0.15, 0.0, 1.0));
    walk.walk(DVec3::ZERO, 3.0, 60);
    assert!(walk.last.is_grounded(), "{:?}", walk.last.ground);
}

#[test]
fn who_stands_up_in_a_room_that_is_too_low_is_told_so_and_can_crouch_again() {
    for room in [1.3_f32, 1.0] {
        let scene = Level::floor().cuboid(vec3(-9.0, -9.0, room), vec3(9.0, 9.0, 3.0)).scene();
        let config = ControllerConfig { total_height: 0.9, ..human() };
        let mut walk = Walk::start(&scene, config, DVec3::ZERO);
        assert!(walk.go(DVec3::Z * -0.01).is_grounded());
        for _ in 0..5 {
            walk.state = walk.controller.resize(&walk.state, 1.8).unwrap();
            for _ in 0..10 {
                walk.go(dvec3(0.03, 0.0, -0.01));
                let told = walk.last.obstruction;
                assert!(matches!(told, Obstruction::Squeezed { .. }), "{room}: {told:?}");
                let middle = walk.state.center().z;
                assert!(middle > 0.0 && middle < f64::from(room), "{room}: {middle}");
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
fn whatever_a_lift_does_its_rider_stays_between_it_and_the_ceiling() {
    let mut crushed = 0;
    for seed in 0..400 {
        let mut rng = capsweep_testkit::Rng::new(&[4_812, seed]);
        let made =
            [Made::Mesh, Made::DoubleSided, Made::Mirrored, Made::Box][rng.below(4) as usize];
        let told = [Told::Full, Told::Caller, Told::NotAtAll][rng.below(3) as usize];
        let far = [DVec3::ZERO, dvec3(16_000.0, -9_000.0, 400.0)][rng.below(2) as usize];
        let setup = Setup {
            made,
            told,
            thick: rng.range(0.1, 1.0) as f32,
            turn: [DQuat::IDENTITY, DQuat::from_rotation_x(1.2)][rng.below(2) as usize],
            origin: far,
            sides: [Sides::Front, Sides::Both][rng.below(2) as usize],
            own: rng.chance(0.3),
            spin: rng.range(-1.0, 1.0),
            drift: rng.range(-0.3, 0.3),
        };
        let mut rig = Rig::new(setup);
        let mut rise = 0.008;
        let mut walk = DVec3::ZERO;
        for tick in 0..400 {
            if tick % 25 == 24 {
                rise = rng.range(-0.01, 0.015);
                walk = dvec3(rng.range(-0.02, 0.02), rng.range(-0.02, 0.02), 0.0);
                walk.z = if rng.chance(0.2) { 0.03 } else { -0.005 };
            }
            let rise = if rig.top + rise > 2.95 || rig.top + rise < 0.5 { 0.0 } else { rise };
            rig.go(rise, walk);
            let (middle, top) = (rig.local(rig.walk.state.center()).z, rig.top);
            let on = rig.on_lift();
            if on.x.abs().max(on.y.abs()) > 1.9 {
                break;
            }
            let what = format!("seed {seed}, tick {tick}: middle {middle}, lift {top}, {setup:?}");
            assert!(middle < 3.0 && middle > top, "{what}");
            let sunk = rig.walk.last.is_grounded() && on.z < -0.021;
            assert!(!sunk || is_crushed(&rig.walk), "{what}: feet {on}");
            assert_eq!(
                rig.own.is_none() && depth(&rig.walk) > 0.0,
                rig.own.is_none() && rig.walk.last.obstruction.is_overlap(),
                "{what}: {:?}",
                rig.walk.last.obstruction
            );
            crushed += u32::from(is_crushed(&rig.walk));
        }
    }
    assert!(crushed > 5_000, "{crushed}");
}

#[test]
fn a_press_over_a_ramp_holds_whoever_walks_below_it_above_the_ramp() {
    for solid in [false, true] {
        let ramp = [(0.0, -0.5), (8.0, -0.5), (8.0, 4.6), (0.0, 0.0)];
        let mut scene = Level::floor().prism(&ramp, -10.0, 10.0).scene();
        let lean = (4.6_f64 / 8.0).atan();
        let turn = DQuat::from_rotation_y(-lean);
        // Parallel to the ramp, `room` above it straight up.
        let low = |room: f64| dvec3(4.0, 0.0, 2.3 + room);
        let slab = |room: f64| {
            let center = low(room) + turn * DVec3::Z * 0.1;
            Shape::Box(Obb::new(center, vec3(5.0, 5.0, 0.1), turn).unwrap())
        };
        let pose = |room: f64| Pose::new(low(room), turn, DVec3::ONE).unwrap();
        let mesh = Level::default().cuboid(vec3(-5.0, -5.0, 0.0), vec3(5.0, 5.0, 0.2));
        let body = if solid {
            Body::shape(slab(3.0))
        } else {
            Body::mesh(mesh.mesh(), pose(3.0)).unwrap()
        };
        let press = scene.insert(body.with_mobility(Mobility::Dynamic));
        let mut walk = Walk::start(&scene, human(), dvec3(3.0, 0.0, 3.0 * 4.6 / 8.0 + 0.1));
        walk.walk(DVec3::ZERO, 0.5, 60);
        let rooms = (0..=120).map(|i| 3.0 - 0.02 * f64::from(i));
        for (i, room) in rooms.clone().chain(rooms.rev()).enumerate() {
            if solid {
                scene.move_shape(press, slab(room)).unwrap();
            } else {
                scene.move_mesh(press, pose(room)).unwrap();
            }
            walk.scene = scene.clone();
            let along = if i % 60 < 30 { 0.01 } else { -0.01 };
            walk.go(dvec3(along, 0.004, -0.005));
            let middle = walk.state.center();
            let over = middle.z - middle.x * 4.6 / 8.0;
            let what = format!("solid {solid}, {i}, room {room}: middle {middle}, {over} over");
            assert!(over > 0.0 && over < room, "{what} {:?}", walk.last.obstruction);
        }
        assert!(!walk.last.obstruction.is_overlap() && walk.last.is_grounded());
    }
}

#[test]
fn two_thin_doors_do_not_pass_through_whoever_falls_between_them() {
    let door = |side: f64, half: f64| {
        let center = dvec3(side * (half + 0.05), 0.0, 0.0);
        Shape::Box(Obb::new(center, vec3(0.05, 3.0, 50.0), DQuat::IDENTITY).unwrap())
    };
    for start in [-0.3, 0.0, 0.2] {
        let mut scene = Scene::new();
        let doors = [-1.0, 1.0].map(|side| {
            let body = Body::shape(door(side, 0.8)).with_mobility(Mobility::Dynamic);
            (side, scene.insert(body))
        });
        let mut walk = Walk::start(&scene, human(), dvec3(start, 0.0, 10.0));
        let halves = (0..=75).map(|i| 0.8 - 0.01 * f64::from(i));
        for half in halves.clone().chain(halves.rev()) {
            for (side, id) in doors {
                scene.move_shape(id, door(side, half)).unwrap();
            }
            walk.scene = scene.clone();
            walk.go(DVec3::Z * -0.02);
            let feet = walk.feet();
            assert!(feet.x.abs() < half, "{start}, doors at {half}: {feet}");
            assert_eq!(is_crushed(&walk), half < 0.3 - 1e-5, "{start}, doors at {half}");
        }
        assert!(walk.feet().z < 8.0 && !walk.last.obstruction.is_overlap());
    }
}

#[test]
fn squeezes_are_told_and_never_deepened_far_away_with_any_up_and_sides() {
    let (mut squeezed, mut free) = (0, 0);
    for seed in 0..300 {
        let mut rng = capsweep_testkit::Rng::new(&[4_813, seed]);
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
        let told = |walk: &Walk| {
            let found = scene.overlap(&body_of(walk), &filter);
            found.map_or(0.0, |found| found.hit.depth)
        };
        walk.ask(&input(DVec3::ZERO).with_filter(filter));
        for tick in 0..30 {
            let before = told(&walk);
            walk.ask(&input(rng.direction() * rng.range(0.01, 0.2)).with_filter(filter));
            let deep = told(&walk);
            let what = format!("seed {seed}, tick {tick}, {sides:?}, double {double_sided}");
            assert!(deep <= before + 4e-6, "{what}: {before} to {deep}");
            let obstruction = walk.last.obstruction;
            assert_eq!(deep > 0.0, obstruction.is_overlap(), "{what}: {deep}, {obstruction:?}");
            *(if deep > 0.0 { &mut squeezed } else { &mut free }) += 1;
        }
    }
    assert!(squeezed > 200 && free > 1_000, "{squeezed} squeezed, {free} free");
}
