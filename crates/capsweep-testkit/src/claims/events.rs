//! What a server does to a character between two claims.

use crate::Rng;
use crate::claims::Rules;
use crate::claims::honest::HonestOptions;
use capsweep::controller::Abilities;
use capsweep::validate::SpeedLimits;
use glam::{DVec3, dvec3};

/// One event.
#[derive(Debug, Clone, Copy)]
pub(super) enum Event {
    /// The client applies this velocity in its next tick.
    KnockBack(DVec3),
    Speeds(SpeedLimits),
    /// Changes one ability.
    Abilities(fn(&mut Abilities)),
    /// The server moves the character by this, if it has room there.
    Displace(DVec3),
}

/// The changes of abilities.
const CHANGES: [fn(&mut Abilities); 5] = [
    |abilities| abilities.slow_fall = !abilities.slow_fall,
    |abilities| abilities.fly = !abilities.fly,
    |abilities| abilities.water_walking = !abilities.water_walking,
    |abilities| abilities.hover = if abilities.hover > 0.0 { 0.0 } else { 1.0 },
    |abilities| abilities.rooted = !abilities.rooted,
];

/// A random sequence of events, with numbers of its own: without events a chain stays the same.
#[derive(Debug)]
pub(super) struct Events {
    rng: Rng,
    /// Intervals until the next event.
    pause: u32,
}

impl Events {
    /// The events of a chain; `None` without the option, and in two of three chains.
    pub(super) fn new(options: &HonestOptions, seed: u64) -> Option<Self> {
        let mut rng = Rng::new(&[7, seed]);
        let pause = rng.below(20);
        (options.events && rng.chance(1.0 / 3.0)).then_some(Self { rng, pause })
    }

    /// The event before the next interval, if there is one.
    pub(super) fn next(&mut self, rules: &Rules) -> Option<Event> {
        if self.pause > 0 {
            self.pause -= 1;
            return None;
        }
        let rng = &mut self.rng;
        self.pause = 10 + rng.below(30);
        let angle = rng.range(0.0, core::f64::consts::TAU);
        let side = dvec3(angle.cos(), angle.sin(), 0.0);
        let jump = rules.validator.locomotion().config().jump_speed;
        Some(match rng.below(4) {
            0 => Event::KnockBack(
                side * rng.range(0.0, 12.0) + DVec3::Z * rng.range(-1.0, 2.0) * jump,
            ),
            1 => {
                let factor = rng.range(0.3, 2.0);
                let SpeedLimits { ground, swim, fly } = rules.speeds;
                Event::Speeds(SpeedLimits {
                    ground: ground * factor,
                    swim: swim * factor,
                    fly: fly * factor,
                })
            }
            2 => Event::Abilities(CHANGES[rng.index(CHANGES.len())]),
            _ => Event::Displace(side * rng.range(0.0, 0.3) + DVec3::Z * rng.range(0.0, 0.5)),
        })
    }
}
