//! Events of a server between the moves of a `Locomotion`: none of its claims is impossible.

use crate::level::{Level, judge, start, validator};
use capsweep::cache::TriangleCache;
use capsweep::controller::{Abilities, LocomotionInput, LocomotionState, Mode, Water};
use capsweep::scene::Scene;
use capsweep::validate::{Accepted, Claim, ClaimWorld, Verdict};
use glam::{DVec3, dvec3};

const ROOTED: Abilities =
    Abilities { fly: false, hover: 0.0, water_walking: false, slow_fall: false, rooted: true };

/// A client that moves its character with the rules of the server.
struct Client<'a> {
    world: ClaimWorld<'a>,
    state: LocomotionState,
    accepted: Accepted,
    abilities: Abilities,
    /// Velocity of a knock-back in the next tick.
    knock_back: Option<DVec3>,
}

impl<'a> Client<'a> {
    fn new(scene: &'a Scene, water: Water, feet: DVec3) -> Self {
        let world = ClaimWorld { water, ..ClaimWorld::new(scene) };
        let controller = *validator().locomotion().controller();
        let state = LocomotionState::at_rest(controller.spawn(feet).unwrap());
        let (accepted, abilities) = (start(&world, feet), Abilities::default());
        let mut client = Self { world, state, accepted, abilities, knock_back: None };
        client.tick(DVec3::ZERO, false, 0.0);
        client
    }

    fn feet(&self) -> DVec3 {
        validator().locomotion().controller().feet(&self.state.character)
    }

    fn set(&mut self, abilities: Abilities) {
        self.abilities = abilities;
        self.accepted.set_abilities(abilities).unwrap();
    }

    fn knock_back(&mut self, velocity: DVec3) {
        self.knock_back = Some(velocity);
        self.accepted.knock_back(velocity, 1.0).unwrap();
    }

    fn displace(&mut self, by: DVec3) {
        let feet = self.feet() + by;
        let controller = *validator().locomotion().controller();
        self.state.character = controller.teleport(&self.state.character, feet).unwrap();
        self.accepted.displace(by).unwrap();
    }

    fn tick(&mut self, walk: DVec3, jump: bool, dt: f64) {
        let input = LocomotionInput {
            jump,
            abilities: self.abilities,
            knock_back: self.knock_back.take(),
            water: self.world.water,
            ..LocomotionInput::new(walk, dt)
        };
        let mut cache = TriangleCache::new();
        let ticked =
            validator().locomotion().tick(self.world.scene, &mut cache, &self.state, &input);
        self.state = ticked.unwrap().0;
    }

    /// Moves in ticks of a hundredth of a second, for a number of them.
    fn run(&mut self, walk: DVec3, ticks: u32) {
        for _ in 0..ticks {
            self.tick(walk, false, 0.01);
        }
    }

    /// Claims where the character is, `dt` seconds after the last claim.
    fn claim(&mut self, dt: f64) {
        let claim = Claim { mode: Some(self.state.mode), ..Claim::new(self.feet(), dt) };
        let judgement = validator().check(&self.world, &self.accepted, &claim);
        assert_eq!(judgement.verdict, Verdict::Possible, "{claim:?} after {:?}", self.accepted);
        self.accepted = judgement.next;
    }

    /// Moves, and claims every 50 ms.
    fn claims(&mut self, walk: DVec3, count: u32) {
        for _ in 0..count {
            self.run(walk, 5);
            self.claim(0.05);
        }
    }
}

#[test]
fn a_knock_back_down_off_a_ledge_falls_with_its_speed() {
    let scene = Level::default().floor(-9.0, 0.0, 0.0).scene();
    for fall in [2.0, 6.0, 12.0] {
        let mut client = Client::new(&scene, Water::None, DVec3::X * 0.1);
        client.knock_back(dvec3(40.0, 0.0, -fall));
        client.claims(DVec3::ZERO, 30);
        assert!(client.feet().z < -8.0, "{fall} {}", client.feet());
    }
}

#[test]
fn a_knock_back_down_onto_steep_ground_slides_faster_than_its_level_part() {
    let slope = [[0.0, -9.0, 0.0], [9.0, -9.0, -15.6], [9.0, 9.0, -15.6], [0.0, 9.0, 0.0]];
    let scene = Level::default().floor(-9.0, 0.0, 0.0).quad(slope).scene();
    let mut fastest = 0.0_f64;
    for fall in [4.0, 8.0, 16.0] {
        for x in [0.5, 0.6, 0.7] {
            let mut client = Client::new(&scene, Water::None, DVec3::X * x);
            client.set(ROOTED);
            client.knock_back(dvec3(2.0, 0.0, -fall));
            client.claims(DVec3::ZERO, 10);
            fastest = fastest.max(client.state.velocity.x);
        }
    }
    assert!(fastest > 5.0, "{fastest}");
}

#[test]
fn a_rooted_character_that_is_put_above_an_edge_slides_off_it() {
    let mut farthest = 0.0_f64;
    for number in 0..60 {
        let [width, low] = [0.05 * f64::from(number % 3), -0.3 * f64::from(1 + number % 2)];
        let riser = [[0.0, -9.0, 0.0], [width, -9.0, low], [width, 9.0, low], [0.0, 9.0, 0.0]];
        let stair = Level::default().floor(-9.0, 0.0, 0.0).quad(riser).floor(width, 9.0, low);
        let scene = if number < 30 { stair.scene() } else { stair.double_sided_scene() };
        let mut client = Client::new(&scene, Water::None, DVec3::X * -0.1);
        client.set(ROOTED);
        client.claims(DVec3::ZERO, 4);
        client.displace(dvec3(0.1 + 0.012 * f64::from(number % 30), 0.0, 0.3));
        let put = client.feet().x;
        client.claims(DVec3::X * 5.0, 12);
        farthest = farthest.max(client.feet().x - put);
    }
    assert!(farthest > 0.02, "{farthest}");
}

#[test]
fn a_rooted_character_that_seems_to_stand_glides_until_it_lands() {
    let scene = Level::default().floor(-9.0, 9.0, 0.0).scene();
    for late in [false, true] {
        let mut client = Client::new(&scene, Water::None, DVec3::X * -8.0);
        client.knock_back(dvec3(12.0, 0.0, 3.0));
        client.claims(DVec3::X * 5.0, 11);
        if !late {
            client.set(ROOTED);
        }
        let mut time = 0.0;
        while client.feet().z > 4e-3 {
            client.tick(DVec3::X * 12.0, false, 1e-3);
            time += 1e-3;
        }
        client.claim(time);
        assert!(client.state.mode == Mode::Fall && client.accepted.feet().z > 1e-3);
        if late {
            client.set(ROOTED);
        }
        client.claims(DVec3::X * 5.0, 10);
        assert_eq!(client.state.velocity, DVec3::ZERO);
    }
}

/// It runs off a one-sided floor, and is knocked back below it while its head is still at the
/// floor's height: only what comes from above touches the floor.
#[test]
fn a_head_is_in_a_one_sided_floor_from_below() {
    let scene = Level::default().floor(-9.0, 0.0, 0.0).scene();
    let mut heads = 0;
    for number in 0..400 {
        let deep = -1.9 - 0.001 * f64::from(number);
        let mut client = Client::new(&scene, Water::None, DVec3::X * -0.05);
        client.claims(DVec3::ZERO, 1);
        let mut time = 0.0;
        for _ in 0..100 {
            client.tick(DVec3::X * 3.0, false, 0.01);
            time += 0.01;
            if client.feet().z < deep {
                break;
            }
        }
        client.knock_back(dvec3(-12.0, 0.0, 3.0));
        for _ in 0..100 {
            client.tick(DVec3::X * -5.0, false, 0.004);
            time += 0.004;
            if client.feet().x < -0.2 {
                break;
            }
        }
        client.claim(time);
        let feet = client.feet();
        heads += u32::from(feet.x < -0.05 && feet.z > -1.8);
    }
    assert!(heads > 20, "{heads}");
}

#[test]
fn a_root_in_a_fall_into_water_keeps_its_speed_until_it_swims() {
    let scene = Level::default().floor(-9.0, 0.0, 2.0).scene();
    for root in 0..14 {
        let water = Water::Plane { surface: 0.0 };
        let mut client = Client::new(&scene, water, dvec3(-2.0, 0.0, 2.0));
        client.claims(DVec3::X * 5.0, 8);
        for number in 0..40 {
            if number == root {
                client.set(ROOTED);
            }
            client.run(DVec3::X * 5.0, 2);
            client.claim(0.02);
        }
    }
}

#[test]
fn a_hovering_character_stands_over_the_water_that_it_walks_on() {
    let scene = Level::default().floor(-9.0, 2.0, 0.5).scene();
    let hovering = Abilities { hover: 1.0, water_walking: true, ..Abilities::default() };
    let water = Water::Plane { surface: 0.0 };
    for fly in [false, true] {
        let mut client = Client::new(&scene, water, dvec3(0.0, 0.0, 0.5));
        client.set(Abilities { fly, ..hovering });
        client.claims(DVec3::X * 5.0, 30);
        assert_eq!((client.state.mode, client.feet().z), (Mode::WaterWalk, 1.0));
        client.tick(DVec3::X, true, 0.01);
        client.claims(dvec3(3.0, 0.0, 3.0), 10);
        client.claims(dvec3(3.0, 0.0, -3.0), 30);
        assert_eq!((client.state.mode, client.feet().z), (Mode::WaterWalk, 1.0));
    }
    // In the air over it, nothing carries a character.
    let world = ClaimWorld { water, ..ClaimWorld::new(&scene) };
    let mut high = start(&world, dvec3(5.0, 0.0, 2.0));
    high.set_abilities(hovering).unwrap();
    let claims = [Claim::new(dvec3(5.0, 0.0, 2.0), 0.1); 5];
    assert!(judge(&world, &high, &claims).verdict.is_impossible());
}

#[test]
fn a_hovering_character_jumps_from_the_top_of_a_slope_within_one_claim() {
    let slope = [[0.0, -9.0, 0.0], [9.0, -9.0, 7.2], [9.0, 9.0, 7.2], [0.0, 9.0, 0.0]];
    let scene = Level::default().floor(-9.0, 0.0, 0.0).quad(slope).scene();
    for walked in [20, 40, 60] {
        let mut client = Client::new(&scene, Water::None, DVec3::X * -0.5);
        client.set(Abilities { hover: 1.0, ..Abilities::default() });
        client.claims(DVec3::ZERO, 4);
        client.run(DVec3::X * 5.0, walked);
        client.tick(DVec3::X * 5.0, true, 0.01);
        client.run(DVec3::X * 5.0, 15);
        assert_eq!(client.state.mode, Mode::Fall);
        client.claim(0.01 * f64::from(walked + 16));
    }
}
