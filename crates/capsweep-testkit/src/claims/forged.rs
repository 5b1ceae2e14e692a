//! Forged claims: impossible by construction, in one claim or split into small ones.

use crate::Rng;
use crate::claims::Rules;
use crate::claims::boxes::Boxes;
use capsweep::controller::{Abilities, FootingRule, Water};
use capsweep::scene::Scene;
use capsweep::validate::{Claim, ClaimWorld, Reason, Verdict};
use glam::{DQuat, DVec3, dvec3};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::collections::BTreeMap;

/// A kind of cheat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Forgery {
    /// Out of a sealed room, through walls of any thickness.
    Wall,
    /// Through a wall whose detour is longer than 1.5 times the budget.
    Detour,
    /// Into a wall, the ground or a ceiling.
    Solid,
    /// 1.05 times the speed and more, for two seconds and more.
    Speed,
    /// Off a ledge and on through the air.
    Air,
    /// Up a slope of 55° and more, by more than a jump and a step.
    Steep,
    /// A step 5 cm too high and more, in less time than a jump takes.
    Step,
    /// A flight with 0.9 times the gravity and less.
    Gravity,
    /// To another place at once.
    Teleport,
    /// 1.05 times the speed and more under water, in any direction.
    Swim,
    /// The same in flight.
    Fly,
}

impl Forgery {
    /// All kinds.
    pub const ALL: [Self; 11] = [
        Self::Wall,
        Self::Detour,
        Self::Solid,
        Self::Speed,
        Self::Air,
        Self::Steep,
        Self::Step,
        Self::Gravity,
        Self::Teleport,
        Self::Swim,
        Self::Fly,
    ];
}

/// Totals of a run.
#[derive(Debug, Clone, Default)]
pub struct ForgedReport {
    /// Number of chains of each kind by result: the reason, `missed` or `undecided`.
    pub table: BTreeMap<Forgery, BTreeMap<&'static str, u64>>,
    /// Queries of the most expensive claim of each chain, sorted.
    pub dearest: Vec<u32>,
    /// The first chains that were not caught.
    pub misses: Vec<String>,
}

impl ForgedReport {
    /// Number of chains.
    pub fn chains(&self) -> u64 {
        self.table.values().flat_map(BTreeMap::values).sum()
    }

    /// Chains that were not caught. An undecided one counts as missed.
    pub fn missed(&self) -> u64 {
        let missed = |of: &BTreeMap<&str, u64>| {
            of.iter()
                .filter(|(how, _)| ["missed", "undecided"].contains(how))
                .map(|(_, n)| n)
                .sum::<u64>()
        };
        self.table.values().map(missed).sum()
    }

    /// The 99th percentile of the queries.
    pub fn p99_queries(&self) -> u32 {
        self.dearest.get(self.dearest.len() * 99 / 100).copied().unwrap_or(0)
    }
}

/// Runs `count` chains of every kind, in the caller's pool. With `sizes`, two thirds of the
/// characters are as small as a gnome, or as tall as a draenei.
pub fn run(count: u64, seed: u64, sizes: bool) -> ForgedReport {
    let kinds = Forgery::ALL.len() as u64;
    let caught: Vec<Caught> = (0..count * kinds)
        .into_par_iter()
        .map(|number| try_to_cheat(number, seed, sizes))
        .collect();
    let mut report = ForgedReport::default();
    for Caught { kind, how, queries, story } in caught {
        *report.table.entry(kind).or_default().entry(how).or_default() += 1;
        report.dearest.push(queries);
        if let Some(story) = story.filter(|_| report.misses.len() < 20) {
            report.misses.push(story);
        }
    }
    report.dearest.sort_unstable();
    report
}

struct Caught {
    kind: Forgery,
    how: &'static str,
    queries: u32,
    story: Option<String>,
}

/// Claims of one cheat: the feet, and the seconds since the last claim.
struct Forged {
    scene: Scene,
    water: Water,
    abilities: Abilities,
    start: DVec3,
    claims: Vec<(DVec3, f64)>,
}

fn try_to_cheat(number: u64, seed: u64, sizes: bool) -> Caught {
    let kind = Forgery::ALL[(number % Forgery::ALL.len() as u64) as usize];
    let mut rng = Rng::new(&[9, seed, number]);
    let rules = Rules::random(&mut rng, Rules::random_size(sizes, number));
    let forged = Forger::new(&rules, &mut rng).forge(kind);
    let world = ClaimWorld { water: forged.water, ..ClaimWorld::new(&forged.scene) };
    let Rules { validator, speeds, rounding } = rules;
    let start = rounding.round(forged.start);
    let mut accepted =
        validator.start(&world, start, Some(DVec3::ZERO), speeds).expect("in range");
    accepted.set_abilities(forged.abilities).expect("in range");
    let mut queries = 0;
    let mut how = "missed";
    for &(feet, dt) in &forged.claims {
        let judgement = validator.check(&world, &accepted, &Claim::new(rounding.round(feet), dt));
        queries = queries.max(judgement.queries);
        match judgement.verdict {
            Verdict::Possible => accepted = judgement.next,
            Verdict::Impossible { reason, .. } => {
                how = name(&reason);
                break;
            }
            Verdict::Undecided => {
                how = "undecided";
                break;
            }
        }
    }
    let is_missed = ["missed", "undecided"].contains(&how);
    let story = is_missed.then(|| {
        let claims: Vec<_> = forged.claims.iter().take(8).collect();
        format!("{kind:?} {number} {how} {rounding:?} from {start}: {claims:?}")
    });
    Caught { kind, how, queries, story }
}

fn name(reason: &Reason) -> &'static str {
    match reason {
        Reason::TooFast { .. } => "too fast",
        Reason::ThroughSurface { .. } => "through a surface",
        Reason::InsideGeometry { .. } => "inside geometry",
        Reason::TooSteep => "too steep",
        Reason::TooHigh { .. } => "too high",
        Reason::Hovering { .. } => "hovering",
        Reason::WrongMode => "wrong mode",
        Reason::ClockAhead { .. } => "clock ahead",
        _ => "other",
    }
}

/// Makes cheats against one set of rules.
struct Forger<'a> {
    rng: &'a mut Rng,
    walls: Boxes,
    /// Largest speeds, radius with the skin, height with both skins.
    speed: f64,
    swim_speed: f64,
    fly_speed: f64,
    radius: f64,
    tall: f64,
    step: f64,
    gravity: f64,
    jump: f64,
    /// Height of a jump.
    apex: f64,
    /// How far below the round bottom the feet may be.
    footing_reach: f64,
    /// Height at which the round bottom touches the steepest walkable slope.
    rim: f64,
    /// Metres that a character may be ahead.
    credit: f64,
}

impl<'a> Forger<'a> {
    fn new(rules: &Rules, rng: &'a mut Rng) -> Self {
        let locomotion = rules.validator.locomotion();
        let config = locomotion.controller().config();
        let (gravity, jump) = (locomotion.config().gravity, locomotion.config().jump_speed);
        let skin = f64::from(config.contact_offset);
        Self {
            rng,
            walls: Boxes::default(),
            speed: rules.speeds.ground,
            swim_speed: rules.speeds.swim,
            fly_speed: rules.speeds.fly,
            radius: f64::from(config.radius) + skin,
            tall: f64::from(config.total_height) + 2.0 * skin,
            step: f64::from(config.step_offset),
            gravity,
            jump,
            apex: jump * jump / (2.0 * gravity),
            footing_reach: match config.footing {
                FootingRule::Capsule => 0.0,
                FootingRule::Point => f64::from(config.step_offset.max(config.snap_distance)),
            },
            rim: (f64::from(config.radius) + skin) * (1.0 - f64::from(config.slope_limit.cos())),
            credit: rules.speeds.ground * rules.validator.config().allowances.latency + 0.03,
        }
    }

    fn forge(mut self, kind: Forgery) -> Forged {
        match kind {
            Forgery::Wall => self.wall(),
            Forgery::Detour => self.detour(),
            Forgery::Solid => self.solid(),
            Forgery::Speed => self.too_fast(),
            Forgery::Air => self.air(),
            Forgery::Steep => self.steep(),
            Forgery::Step => self.high_step(),
            Forgery::Gravity => self.weak_gravity(),
            Forgery::Teleport => self.teleport(),
            Forgery::Swim => self.swim(),
            Forgery::Fly => self.fly(),
        }
    }

    /// The level is one-sided or double-sided at random, unless it must be double-sided.
    fn done(&mut self, is_thin: bool, start: DVec3, claims: Vec<(DVec3, f64)>) -> Forged {
        let scene = self.walls.scene(is_thin || self.rng.chance(0.5));
        Forged { scene, water: Water::None, abilities: Abilities::default(), start, claims }
    }

    /// The straight path in one claim or in up to 20.
    fn pieces_of_way(&mut self, from: DVec3, to: DVec3, dt: f64) -> Vec<(DVec3, f64)> {
        let count = if self.rng.chance(0.5) { 1 } else { 1 + self.rng.below(20) };
        let part = |i: u32| f64::from(i) / f64::from(count);
        (1..=count).map(|i| (from + (to - from) * part(i), dt / f64::from(count))).collect()
    }

    /// Durations of claims that add up to `total`, between `ranges`.
    fn durations(&mut self, total: f64, ranges: &[(f64, f64)]) -> Vec<f64> {
        let (low, high) = ranges[self.rng.index(ranges.len())];
        let (mut all, mut time) = (Vec::new(), 0.0);
        while time < total {
            let dt = self.rng.range(low, high).min(total - time).max(1e-3);
            all.push(dt);
            time += dt;
        }
        all
    }

    fn wall(&mut self) -> Forged {
        let [x, y] = [self.rng.range(1.0, 6.0), self.rng.range(1.0, 6.0)];
        let height = self.rng.range(3.5, 6.0);
        let thick = [0.0, 0.0, 0.01, 0.1, 0.4][self.rng.index(5)];
        self.walls.floor([-20.0, -20.0], [20.0, 20.0], 0.0);
        if thick == 0.0 {
            let corners = [[x, -y], [x, y], [-x, y], [-x, -y]];
            for i in 0..4 {
                let ([ax, ay], [bx, by]) = (corners[i], corners[(i + 1) % 4]);
                self.walls.quad([
                    dvec3(ax, ay, 0.0),
                    dvec3(bx, by, 0.0),
                    dvec3(bx, by, height),
                    dvec3(ax, ay, height),
                ]);
            }
            self.walls.floor([-x, -y], [x, y], height);
        } else {
            let t = thick;
            for (low, high) in [
                (dvec3(x, -y - t, 0.0), dvec3(x + t, y + t, height)),
                (dvec3(-x - t, -y - t, 0.0), dvec3(-x, y + t, height)),
                (dvec3(-x, y, 0.0), dvec3(x, y + t, height)),
                (dvec3(-x, -y - t, 0.0), dvec3(x, -y, height)),
                (dvec3(-x, -y, height), dvec3(x, y, height + t)),
            ] {
                self.walls.block(low, high);
            }
        }
        let room = y - self.radius - 0.02;
        let at = self.rng.range(-room, room);
        let gap = self.rng.range(self.radius, self.radius + 1.0).min(x);
        let start = dvec3(x - gap, at, 0.0);
        let beyond = x + thick + self.radius + self.rng.range(0.01, 1.0);
        let end = dvec3(beyond, at + self.rng.range(-0.2, 0.2), 0.0);
        let least = (end - start).length() / self.speed;
        let dt = self.rng.range(least, least + 0.8).max(0.01);
        let claims = self.pieces_of_way(start, end, dt);
        self.done(thick == 0.0, start, claims)
    }

    fn detour(&mut self) -> Forged {
        let thick = [0.0, 0.01, 0.3][self.rng.index(3)];
        let least = (2.0 * self.radius + thick + 0.1) / self.speed;
        let dt = self.rng.range(least.max(0.05), 1.0);
        // Half the length of the wall: the path around it is longer than 1.5 times the budget.
        let half = 0.75 * (self.speed * dt + self.credit) + 2.0 * self.radius + 1.0;
        self.walls.floor([-40.0, -40.0], [40.0, 40.0], 0.0);
        if thick == 0.0 {
            self.walls.quad([
                dvec3(0.0, -half, 0.0),
                dvec3(0.0, half, 0.0),
                dvec3(0.0, half, 6.0),
                dvec3(0.0, -half, 6.0),
            ]);
        } else {
            self.walls.block(dvec3(0.0, -half, 0.0), dvec3(thick, half, 6.0));
        }
        let across = 2.0 * self.radius + thick + 0.05;
        let length = self.rng.range(across, (self.speed * dt).max(across));
        let y = self.rng.range(-0.5, 0.5);
        let x = -self.radius - self.rng.unit() * (length - across);
        let start = dvec3(x, y, 0.0);
        let claims = self.pieces_of_way(start, start + DVec3::X * length, dt);
        self.done(thick == 0.0, start, claims)
    }

    fn solid(&mut self) -> Forged {
        self.walls.floor([-20.0, -20.0], [20.0, 20.0], 0.0);
        self.walls.block(dvec3(1.0, -2.0, -0.5), dvec3(3.0, 2.0, 4.0));
        self.walls.block(dvec3(-6.0, -6.0, 4.2), dvec3(6.0, 6.0, 5.0));
        let start = dvec3(1.0 - self.radius - 0.01, self.rng.range(-1.5, 1.5), 0.0);
        let deep = self.rng.range(0.06, 1.0);
        let below = deep + self.footing_reach;
        let back = DVec3::X * -self.rng.range(0.0, 0.3);
        let end = match self.rng.below(3) {
            0 => start + DVec3::X * deep,
            1 => start + back - DVec3::Z * below,
            _ => start + back + DVec3::Z * (4.2 - self.tall + deep),
        };
        let dt = self.rng.range(0.05, 1.0).max((end - start).length() / self.speed);
        let claims = self.pieces_of_way(start, end, dt);
        self.done(false, start, claims)
    }

    fn too_fast(&mut self) -> Forged {
        self.walls.floor([-90.0, -90.0], [90.0, 90.0], 0.0);
        let angle = self.rng.range(0.0, core::f64::consts::TAU);
        let velocity =
            dvec3(angle.cos(), angle.sin(), 0.0) * self.speed * self.rng.range(1.05, 1.3);
        let total = self.rng.range(2.0, 4.0);
        // A path that is split into long pieces must be straight: a bend is longer than its chord.
        let turn = self.rng.range(-0.1, 0.1);
        let (mut time, mut at) = (0.0, DVec3::ZERO);
        let ranges = [(0.01, 0.03), (0.03, 0.1), (0.1, 0.3), (0.3, 1.0)];
        let claims = self.durations(total, &ranges).into_iter().map(|dt| {
            time += dt;
            at += DQuat::from_rotation_z(turn * time) * velocity * dt;
            (at, dt)
        });
        let claims = claims.collect();
        self.done(false, DVec3::ZERO, claims)
    }

    fn air(&mut self) -> Forged {
        let below = self.rng.range(0.5, 30.0) + self.step + self.apex + 1.3;
        self.walls.floor([-20.0, -20.0], [0.0, 20.0], 0.0);
        self.walls.floor([0.0, -20.0], [60.0, 20.0], -below);
        let speed = self.speed * self.rng.range(0.3, 1.0);
        let rise = if self.rng.chance(0.3) { self.rng.range(0.0, 0.5) } else { 0.0 };
        let left = (0.5 + self.radius) / speed;
        let total = self.rng.range(1.5, 3.0) + left;
        let mut time = 0.0;
        let durations = self.durations(total, &[(0.01, 0.03), (0.03, 0.1), (0.1, 0.3)]);
        let claims = durations.into_iter().map(|dt| {
            time += dt;
            (dvec3(-0.5 + speed * time, 0.0, rise * (time - left).max(0.0)), dt)
        });
        let claims = claims.collect();
        self.done(false, dvec3(-0.5, 0.0, 0.0), claims)
    }

    fn steep(&mut self) -> Forged {
        let angle = self.rng.range(55.0_f64, 75.0).to_radians();
        let slope = angle.tan();
        self.walls.floor([-20.0, -20.0], [0.0, 20.0], 0.0);
        self.walls.quad([
            dvec3(0.0, -20.0, 0.0),
            dvec3(20.0, -20.0, 20.0 * slope),
            dvec3(20.0, 20.0, 20.0 * slope),
            dvec3(0.0, 20.0, 0.0),
        ]);
        // On the slope the lowest point of the round bottom is this far above the surface.
        let lift = self.radius * (1.0 / angle.cos() - 1.0);
        let speed = self.speed * self.rng.range(0.2, 0.6);
        let climb = self.apex + self.step + self.rng.range(0.5, 3.0);
        let total = (1.0 + climb / slope) / speed;
        let mut time = 0.0;
        let ranges = [(0.01, 0.03), (0.03, 0.1), (0.1, 0.3), (0.3, 1.0)];
        let claims = self.durations(total, &ranges).into_iter().map(|dt| {
            time += dt;
            let x = -1.0 + speed * time;
            (dvec3(x, 0.0, (x * slope + lift).max(0.0)), dt)
        });
        let claims = claims.collect();
        self.done(false, dvec3(-1.0, 0.0, 0.0), claims)
    }

    fn high_step(&mut self) -> Forged {
        let height = self.step + self.rng.range(0.05, 0.3);
        self.walls.floor([-20.0, -20.0], [0.0, 20.0], 0.0);
        self.walls.block(dvec3(0.0, -20.0, -1.0), dvec3(20.0, 20.0, height));
        // In this time a jump does not rise so high that the round bottom rolls over the edge.
        let over = height - self.rim - 0.07;
        let mut dt = self.rng.range(0.01, 0.9 * self.jump / self.gravity);
        while self.jump * dt - 0.5 * self.gravity * dt * dt > over {
            dt *= 0.8;
        }
        let onto = (self.speed * dt * self.rng.range(0.1, 0.9)).max(0.05) + self.radius;
        let start = dvec3(-self.radius - 0.01, 0.0, 0.0);
        let up = start + dvec3(onto.min(self.speed * dt + 0.5 * self.credit), 0.0, height);
        let further = up + DVec3::X * (0.1 * self.speed);
        let mut claims = self.pieces_of_way(start, up, dt);
        claims.push((further, 0.2));
        self.done(false, start, claims)
    }

    fn weak_gravity(&mut self) -> Forged {
        let below = self.rng.range(0.6, 1.6);
        self.walls.floor([-20.0, -20.0], [0.0, 20.0], 0.0);
        self.walls.floor([0.0, -20.0], [60.0, 20.0], -below);
        let gravity = self.rng.range(0.3, 0.9) * self.gravity;
        let speed = self.speed * self.rng.range(0.2, 1.0);
        let root = (self.jump * self.jump + 2.0 * gravity * below).sqrt();
        let flight = (self.jump + root) / gravity;
        let durations = self.durations(flight, &[(0.016, 0.02), (0.03, 0.06), (0.06, 0.1)]);
        let mut time = 0.0;
        let claims = durations.into_iter().map(|dt| {
            time += dt;
            let height = self.jump * time - 0.5 * gravity * time * time;
            (dvec3(-0.01 + speed * time, 0.0, height.max(-below)), dt)
        });
        let claims = claims.collect();
        self.done(false, dvec3(-0.01, 0.0, 0.0), claims)
    }

    fn teleport(&mut self) -> Forged {
        self.walls.floor([-90.0, -90.0], [90.0, 90.0], 0.0);
        let dt = self.rng.range(0.01, 1.0);
        let end = if self.rng.chance(0.7) {
            let angle = self.rng.range(0.0, core::f64::consts::TAU);
            let length = self.speed * dt + self.rng.range(self.credit + 0.1, 50.0);
            dvec3(angle.cos(), angle.sin(), 0.0) * length
        } else {
            DVec3::Z * (self.apex + self.step + self.rng.range(0.3, 20.0))
        };
        let claims = self.pieces_of_way(DVec3::ZERO, end, dt);
        self.done(false, DVec3::ZERO, claims)
    }

    fn swim(&mut self) -> Forged {
        self.walls.floor([-90.0, -90.0], [90.0, 90.0], -200.0);
        let start = DVec3::Z * -100.0;
        let claims = self.free_way(start, self.swim_speed);
        Forged { water: Water::Plane { surface: 0.0 }, ..self.done(false, start, claims) }
    }

    fn fly(&mut self) -> Forged {
        self.walls.floor([-90.0, -90.0], [90.0, 90.0], -200.0);
        let claims = self.free_way(DVec3::ZERO, self.fly_speed);
        let abilities = Abilities { fly: true, ..Abilities::default() };
        Forged { abilities, ..self.done(false, DVec3::ZERO, claims) }
    }

    /// A straight path in any direction, 1.05 to 1.3 times as fast as `speed`, for 2 to 4 s.
    fn free_way(&mut self, start: DVec3, speed: f64) -> Vec<(DVec3, f64)> {
        let direction = self.rng.cube(1.0).normalize_or(DVec3::Z);
        let velocity = direction * speed * self.rng.range(1.05, 1.3);
        let total = self.rng.range(2.0, 4.0);
        let mut time = 0.0;
        let ranges = [(0.01, 0.03), (0.03, 0.1), (0.1, 0.3), (0.3, 1.0)];
        let claims = self.durations(total, &ranges).into_iter().map(|dt| {
            time += dt;
            (start + velocity * time, dt)
        });
        claims.collect()
    }
}
