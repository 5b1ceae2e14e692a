//! Honest claims: walks of `Locomotion`, split into intervals.

use crate::Rng;
use crate::claims::Rules;
use crate::claims::events::{Event, Events};
use crate::claims::ferry::Ferry;
use crate::claims::levels::HonestLevel;
use capsweep::cache::TriangleCache;
use capsweep::controller::{
    Abilities, Carrier, Controller, LocomotionInput, LocomotionState, Mode, MoveInput,
    MoveOutcome, Ride, Surroundings, Water,
};
use capsweep::scene::{Filter, Scene};
use capsweep::validate::{Accepted, Claim, ClaimWorld, SpeedLimits, Verdict};
use capsweep::{Motion, Ray};
use glam::{DVec3, dvec3};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::time::Instant;

/// Settings of a run.
#[derive(Debug, Clone, Copy)]
pub struct HonestOptions {
    /// Number of chains of claims.
    pub chains: u64,
    /// Claims of each chain.
    pub claims: u32,
    /// Seconds that inputs are held; random for each chain if `None`.
    pub held: Option<f64>,
    /// First number of the random chains.
    pub seed: u64,
    /// The server knocks characters back and changes their speeds and abilities, in a third of the
    /// chains.
    pub events: bool,
    /// Two thirds of the characters are as small as a gnome, or as tall as a draenei.
    pub sizes: bool,
}

/// Totals of a run.
#[derive(Debug, Clone, Default)]
pub struct HonestReport {
    /// Judged claims.
    pub claims: u64,
    /// Claims that were judged impossible: must be 0.
    pub impossible: u64,
    /// Undecided claims.
    pub undecided: u64,
    /// Chains that were started again: after a push out of an overlap, or a fall off the level.
    pub restarts: u64,
    /// Scene queries of all judgements.
    pub queries: u64,
    /// Seconds of all judgements.
    pub judging: f64,
    /// Ticks of locomotion.
    pub ticks: u64,
    /// Seconds of all ticks.
    pub ticking: f64,
    /// The first claims that were judged impossible or undecided.
    pub failures: Vec<String>,
}

impl HonestReport {
    fn add(mut self, other: Self) -> Self {
        self.claims += other.claims;
        self.impossible += other.impossible;
        self.undecided += other.undecided;
        self.restarts += other.restarts;
        self.queries += other.queries;
        self.judging += other.judging;
        self.ticks += other.ticks;
        self.ticking += other.ticking;
        self.failures.extend(other.failures);
        // Impossible claims first: each is a defect to fix.
        self.failures.sort_by_key(|failure| !failure.contains("Impossible"));
        self.failures.truncate(20);
        self
    }

    /// Time of a judgement in ticks of locomotion, each with one controller move.
    pub fn moves_per_claim(&self) -> f64 {
        let claim = self.judging / self.claims.max(1) as f64;
        claim / (self.ticking / self.ticks.max(1) as f64)
    }
}

/// Runs chains of honest claims on all levels, in the caller's pool.
pub fn run(levels: &[HonestLevel], options: &HonestOptions) -> HonestReport {
    let chains = options.seed..options.seed + options.chains;
    chains
        .into_par_iter()
        .filter_map(|seed| {
            let level = &levels[(seed % levels.len() as u64) as usize];
            Chain::new(level, options, seed).map(|mut chain| {
                chain.run(options);
                chain.report
            })
        })
        .reduce(HonestReport::default, HonestReport::add)
}

/// The outcome of a move that only finds the ground.
fn standing(controller: &Controller, scene: &Scene, state: &LocomotionState) -> MoveOutcome {
    let still = MoveInput::new(Motion::ZERO);
    controller.move_by(scene, &mut TriangleCache::off(), &state.character, &still)
}

/// A walk in progress.
struct Chain<'a> {
    level: &'a HonestLevel,
    scene: Scene,
    ferry: Option<Ferry>,
    rules: Rules,
    rng: Rng,
    cache: TriangleCache,
    start: LocomotionState,
    state: LocomotionState,
    abilities: Abilities,
    water: Water,
    accepted: Accepted,
    /// Desired velocity as a share of the largest speed.
    steering: DVec3,
    /// Seconds for which the input is held, and the seconds left.
    held: f64,
    left: f64,
    /// What the server does, if it does anything.
    events: Option<Events>,
    /// The current speeds, and the velocity of a knock-back in the next tick.
    speeds: SpeedLimits,
    knock_back: Option<DVec3>,
    outcome: MoveOutcome,
    seed: u64,
    report: HonestReport,
}

impl<'a> Chain<'a> {
    /// A chain that starts on the ground; `None` if there is none in 300 tries.
    fn new(level: &'a HonestLevel, options: &HonestOptions, seed: u64) -> Option<Self> {
        let mut rng = Rng::new(&[5, seed]);
        let rules = Rules::random(&mut rng, Rules::random_size(options.sizes, seed));
        let locomotion = rules.validator.locomotion();
        let controller = locomotion.controller();
        let held = options.held.unwrap_or_else(|| rng.range(0.05, 1.5));
        let abilities = Abilities {
            fly: rng.chance(0.08),
            slow_fall: rng.chance(0.08),
            water_walking: rng.chance(0.05),
            ..Abilities::default()
        };
        let (scene, ferry) = level.launch(&mut rng);
        let size = level.high - level.low;
        let water = if rng.chance(0.2) {
            Water::Plane { surface: level.low.z + size.z * rng.range(0.0, 0.7) }
        } else {
            Water::None
        };
        let mut cache = TriangleCache::new();
        let input = |dt| LocomotionInput { water, ..LocomotionInput::new(DVec3::ZERO, dt) };
        for _ in 0..300 {
            let feet = level.low + size * dvec3(rng.unit(), rng.unit(), rng.unit());
            let spawned = controller.spawn(feet).expect("in range");
            let all = &Surroundings::default();
            let free = controller.find_free_position(&scene, &spawned, 0.0, all);
            let below = Ray::new(spawned.center(), Motion::new(DVec3::Z * -30.0).ok()?).ok()?;
            if free.ok().flatten().is_none() || scene.ray(&below, &Filter::default()).is_none() {
                continue;
            }
            let mut state = LocomotionState::at_rest(spawned);
            for _ in 0..600 {
                let tick = locomotion.tick(&scene, &mut cache, &state, &input(0.02));
                state = tick.expect("in range").0;
                if state.character.is_grounded() {
                    break;
                }
            }
            if !state.character.is_grounded() {
                continue;
            }
            let world = ClaimWorld { water, ..ClaimWorld::new(&scene) };
            let feet = rules.rounding.round(controller.feet(&state.character));
            let start = rules.validator.start(&world, feet, None, rules.speeds);
            let mut accepted = start.expect("in range");
            accepted.set_abilities(abilities).expect("in range");
            let outcome = standing(controller, &scene, &state);
            return Some(Self {
                level,
                scene,
                ferry,
                rules,
                rng,
                cache,
                start: state,
                state,
                abilities,
                water,
                accepted,
                steering: DVec3::ZERO,
                held,
                left: 0.0,
                events: Events::new(options, seed),
                speeds: rules.speeds,
                knock_back: None,
                outcome,
                seed,
                report: HonestReport::default(),
            });
        }
        None
    }

    fn run(&mut self, options: &HonestOptions) {
        for number in 0..options.claims {
            let (short, middle, long) =
                (self.rng.range(0.01, 0.05), self.rng.range(0.05, 0.3), self.rng.range(0.3, 1.0));
            let dt = [short, middle, long][self.rng.index(3)];
            let before = self.state;
            self.serve();
            let was_pushed = self.walk(dt);
            let fell = self.state.character.center().z < self.level.low.z - 20.0;
            if fell {
                // A teleport forgets the ground, which may have moved.
                let controller = self.rules.validator.locomotion().controller();
                let feet = controller.feet(&self.start.character);
                let placed = controller.teleport(&self.start.character, feet);
                self.state = LocomotionState::at_rest(placed.expect("in range"));
            }
            if was_pushed || fell {
                self.report.restarts += 1;
                self.restart();
                continue;
            }
            self.claim(dt, number, &before);
        }
    }

    fn feet(&self) -> DVec3 {
        let controller = self.rules.validator.locomotion().controller();
        self.rules.rounding.round(controller.feet(&self.state.character))
    }

    fn world(&self) -> ClaimWorld<'_> {
        ClaimWorld { water: self.water, ..ClaimWorld::new(&self.scene) }
    }

    fn restart(&mut self) {
        let Rules { validator, .. } = self.rules;
        // After a knock-back it may rise faster than in a jump: then the velocity must be known.
        let velocity = self.events.is_some().then_some(self.state.velocity);
        let start = validator.start(&self.world(), self.feet(), velocity, self.speeds);
        self.accepted = start.expect("in range");
        self.accepted.set_abilities(self.abilities).expect("in range");
        if let Some(ferry) = &mut self.ferry {
            ferry.pose_at_claim = ferry.pose;
        }
    }

    /// Walks for `dt` seconds in ticks of 4 to 50 ms. Returns whether an overlap pushed it.
    fn walk(&mut self, dt: f64) -> bool {
        let locomotion = *self.rules.validator.locomotion();
        let (mut time, mut was_pushed) = (0.0, false);
        while time < dt {
            if self.left <= 0.0 {
                self.left = self.held;
                self.steer();
            }
            let tick = self.rng.range(0.004, 0.05).min(dt - time);
            let carrier = self.ferry.as_mut().map(|ferry| ferry.sail(&mut self.scene, tick));
            let carrier = carrier.filter(|carrier| self.rides_on(carrier));
            let input = LocomotionInput {
                carrier,
                knock_back: self.knock_back.take(),
                jump: self.rng.chance(0.02),
                abilities: self.abilities,
                water: self.water,
                ..LocomotionInput::new(self.steering * self.fastest(), tick)
            };
            let clock = Instant::now();
            let moved = locomotion.tick_into(
                &self.scene,
                &mut self.cache,
                &self.state,
                &input,
                &mut self.outcome,
            );
            self.report.ticking += clock.elapsed().as_secs_f64();
            self.report.ticks += 1;
            self.state = moved.expect("in range");
            was_pushed |= self.outcome.obstruction.is_overlap()
                || self.outcome.recovery.displacement != DVec3::ZERO;
            time += tick;
            self.left -= tick;
        }
        was_pushed
    }

    /// Whether the platform is under the feet, or the character is aboard in the air.
    fn rides_on(&self, carrier: &Carrier) -> bool {
        let footing = self.state.character.footing();
        match carrier.ride {
            Ride::Boarded => {
                let controller = self.rules.validator.locomotion().controller();
                let feet = carrier.previous.point_to_local(controller.feet(&self.state.character));
                feet.abs().max_element() < 2.5
            }
            _ => footing.is_some_and(|footing| footing.body == carrier.body),
        }
    }

    /// What the server does before the next interval, if anything. The client applies it at once,
    /// and the windows are a second long.
    fn serve(&mut self) {
        let Some(event) = self.events.as_mut().and_then(|events| events.next(&self.rules)) else {
            return;
        };
        match event {
            Event::KnockBack(velocity) => {
                self.accepted.knock_back(velocity, 1.0).expect("in range");
                self.knock_back = Some(velocity);
            }
            Event::Speeds(speeds) => {
                self.accepted.change_speeds(speeds, 1.0).expect("in range");
                self.speeds = speeds;
            }
            Event::Abilities(change) => {
                change(&mut self.abilities);
                self.accepted.set_abilities(self.abilities).expect("in range");
            }
            Event::Displace(by) => {
                let controller = self.rules.validator.locomotion().controller();
                let feet = controller.feet(&self.state.character) + by;
                let moved = controller.teleport(&self.state.character, feet).expect("in range");
                let surroundings = Surroundings::default();
                let free = controller.find_free_position(&self.scene, &moved, 0.0, &surroundings);
                if free.ok().flatten().is_some() {
                    self.state.character = moved;
                    self.accepted.displace(by).expect("in range");
                }
            }
        }
    }

    /// The largest speed in the current mode.
    fn fastest(&self) -> f64 {
        let speeds = self.speeds;
        match self.state.mode {
            Mode::Swim => speeds.swim,
            Mode::Fly => speeds.fly,
            Mode::Walk | Mode::Fall | Mode::WaterWalk => speeds.ground,
        }
    }

    /// A new direction and share of the largest speed.
    fn steer(&mut self) {
        let angle = self.rng.range(0.0, core::f64::consts::TAU);
        let speed = if self.rng.chance(0.6) { 1.0 } else { self.rng.unit() };
        let pitch = if self.rng.chance(0.5) { 0.0 } else { self.rng.range(-1.0, 1.0) };
        let level = dvec3(angle.cos(), angle.sin(), 0.0) * pitch.cos();
        self.steering = (level + DVec3::Z * pitch.sin()) * speed;
    }

    fn claim(&mut self, dt: f64, number: u32, before: &LocomotionState) {
        let claim = Claim { mode: Some(self.state.mode), ..Claim::new(self.feet(), dt) };
        let moved: Vec<Carrier> = self.ferry.iter().map(Ferry::since_claim).collect();
        let world = ClaimWorld { moved: &moved, ..self.world() };
        let clock = Instant::now();
        let judgement = self.rules.validator.check(&world, &self.accepted, &claim);
        self.report.judging += clock.elapsed().as_secs_f64();
        self.report.claims += 1;
        self.report.queries += u64::from(judgement.queries);
        match judgement.verdict {
            Verdict::Possible => {
                self.accepted = judgement.next;
                if let Some(ferry) = &mut self.ferry {
                    ferry.pose_at_claim = ferry.pose;
                }
                return;
            }
            Verdict::Impossible { .. } => self.report.impossible += 1,
            Verdict::Undecided => self.report.undecided += 1,
        }
        let controller = self.rules.validator.locomotion().controller();
        self.report.failures.push(format!(
            "chain {} claim {number} in {}: {:?} {:?}\n  from {:?} {:?} {:?}\n  to {:?} {:?} {:?} \
             after {dt} s",
            self.seed,
            self.level.name,
            self.rules.rounding,
            judgement.verdict,
            controller.feet(&before.character),
            before.velocity,
            before.mode,
            controller.feet(&self.state.character),
            self.state.velocity,
            self.state.mode,
        ));
        self.restart();
    }
}
