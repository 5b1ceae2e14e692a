//! The chain of one character's claims.

use super::bodies::MovedBodies;
use super::line::{ClaimLine, Event, Start};
use anyhow::{Result, bail};
use capsweep::controller::{Abilities, Surroundings, Water};
use capsweep::scene::{Pose, Scene};
use capsweep::validate::{
    Accepted, Claim, ClaimWorld, Judgement, Reason, SpeedLimits, Validator, Verdict,
};
use glam::DVec3;

/// The rules of a run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules {
    pub(crate) validator: Validator,
    /// Speed limits of a character whose start gives none.
    pub(crate) speeds: SpeedLimits,
    pub(crate) water: Water,
    /// Number of the world that the level is.
    pub(crate) world: u64,
    /// After a claim that is not possible, the chain goes on from the last accepted state.
    pub(crate) put_back: bool,
}

/// The level at the time of a line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Now<'a> {
    pub(crate) rules: &'a Rules,
    pub(crate) scene: &'a Scene,
    pub(crate) bodies: &'a MovedBodies,
}

/// One character's last accepted state, and what a new start keeps of it.
#[derive(Debug, Clone)]
pub(crate) struct Chain {
    accepted: Accepted,
    kept: Kept,
    /// Poses of the moved bodies at the last accepted claim.
    poses: Vec<Pose>,
}

/// What the server gave a character. It outlasts a teleport.
#[derive(Debug, Clone, Copy)]
struct Kept {
    speeds: SpeedLimits,
    /// Speeds that were valid before, and for how many seconds they still are.
    earlier: Option<(SpeedLimits, f64)>,
    knock_back: Option<(DVec3, f64)>,
    abilities: Abilities,
    height: Option<f32>,
}

/// A judged claim.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Judged {
    /// Feet of the state that the claim is held against.
    pub(crate) from: DVec3,
    pub(crate) feet: DVec3,
    pub(crate) judgement: Judgement,
    /// Height of the character.
    pub(crate) height: f32,
}

impl Chain {
    /// Starts a chain. The character keeps what it had `before`.
    pub(crate) fn start(now: &Now, start: &Start, before: Option<&Self>) -> Result<Self> {
        let fresh = Kept {
            speeds: now.rules.speeds,
            earlier: None,
            knock_back: None,
            abilities: Abilities::default(),
            height: None,
        };
        let before = before.map_or(fresh, |chain| chain.kept);
        let kept = Kept {
            speeds: start.speeds.of(before.speeds),
            earlier: None,
            knock_back: None,
            abilities: start.abilities.of(before.abilities),
            height: start.height.or(before.height),
        };
        Self::at(now, start.feet, start.velocity, kept)
    }

    fn at(now: &Now, feet: DVec3, velocity: Option<DVec3>, kept: Kept) -> Result<Self> {
        let Rules { validator, .. } = now.rules;
        let first = kept.earlier.map_or(kept.speeds, |(earlier, _)| earlier);
        let mut accepted = validator.start(&now.world(&[]), feet, velocity, first)?;
        if let Some((_, left)) = kept.earlier {
            accepted.change_speeds(kept.speeds, left)?;
        }
        if let Some((velocity, left)) = kept.knock_back {
            accepted.knock_back(velocity, left)?;
        }
        if let Some(height) = kept.height {
            accepted.resize(validator.locomotion().controller(), height)?;
        }
        accepted.set_abilities(kept.abilities)?;
        Ok(Self { accepted, kept, poses: now.bodies.poses() })
    }

    /// Applies an event. If it is bad, nothing changes.
    pub(crate) fn apply(&mut self, now: &Now, event: &Event) -> Result<()> {
        let kept = &mut self.kept;
        match event {
            Event::Start(start) => *self = Self::start(now, start, Some(self))?,
            Event::Displace { displacement } => self.accepted.displace(*displacement)?,
            Event::KnockBack { velocity, window } => {
                self.accepted.knock_back(*velocity, *window)?;
                kept.knock_back = Some((*velocity, *window));
            }
            Event::Speeds { speeds, window } => {
                let changed = speeds.of(kept.speeds);
                self.accepted.change_speeds(changed, *window)?;
                if changed != kept.speeds {
                    let before =
                        kept.earlier.map_or(kept.speeds, |(other, _)| max(other, kept.speeds));
                    kept.earlier = Some((before, *window));
                    kept.speeds = changed;
                }
            }
            Event::Abilities(change) => {
                let changed = change.of(kept.abilities);
                self.accepted.set_abilities(changed)?;
                kept.abilities = changed;
            }
            Event::Height { height } => {
                let controller = now.rules.validator.locomotion().controller();
                self.accepted.resize(controller, *height)?;
                kept.height = Some(*height);
            }
            Event::End => bail!("an end is no event of a chain"),
        }
        Ok(())
    }

    /// Judges a claim, and goes on from it or from where the character is put back.
    pub(crate) fn judge(&mut self, now: &Now, line: &ClaimLine) -> Judged {
        let Rules { validator, world, put_back, .. } = now.rules;
        let claim = Claim {
            feet: line.feet,
            dt: line.dt,
            server_dt: line.server_dt,
            velocity: line.velocity,
            mode: line.mode,
            world: line.world.unwrap_or(*world),
            inputs: &line.inputs,
        };
        let moved = now.bodies.since(&self.poses);
        let from = self.accepted.feet();
        let judgement = validator.check(&now.world(&moved), &self.accepted, &claim);
        self.kept.age(line.server_dt);
        self.accepted = judgement.next;
        let goes_on = match judgement.verdict {
            Verdict::Possible => {
                self.poses = now.bodies.poses();
                false
            }
            // Such a position is no place of this level.
            Verdict::Impossible { reason: Reason::WrongWorld | Reason::InvalidNumber, .. } => {
                false
            }
            Verdict::Impossible { .. } => !put_back,
            // It proves nothing, so the character is not put back.
            Verdict::Undecided => true,
        };
        if goes_on && let Ok(there) = Self::at(now, line.feet, line.velocity, self.kept) {
            *self = there;
        }
        let config = validator.locomotion().controller().config();
        let height = self.kept.height.unwrap_or(config.total_height);
        Judged { from, feet: line.feet, judgement, height }
    }
}

impl Now<'_> {
    fn world<'a>(&'a self, moved: &'a [capsweep::controller::Carrier]) -> ClaimWorld<'a> {
        ClaimWorld {
            scene: self.scene,
            surroundings: Surroundings::default(),
            water: self.rules.water,
            moved,
            id: self.rules.world,
        }
    }
}

impl Kept {
    /// Makes the windows of events shorter.
    fn age(&mut self, dt: f64) {
        let left = |window: f64| Some(window - dt.max(0.0)).filter(|left| *left > 0.0);
        self.earlier = self.earlier.and_then(|(speeds, window)| Some((speeds, left(window)?)));
        self.knock_back = self.knock_back.and_then(|(by, window)| Some((by, left(window)?)));
    }
}

/// The larger of each.
fn max(one: SpeedLimits, other: SpeedLimits) -> SpeedLimits {
    SpeedLimits {
        ground: one.ground.max(other.ground),
        swim: one.swim.max(other.swim),
        fly: one.fly.max(other.fly),
    }
}
