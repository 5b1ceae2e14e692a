//! Whether a path leads from one claim to the next.

use crate::cache::TriangleCache;
use crate::controller::MoveInput;
use crate::scene::SceneHit;
use crate::tolerance::{CLAIM_SLACK, WALK_TOLERANCE};
use crate::validate::check::ground::{GroundRange, STEEPEST_STAIR};
use crate::validate::check::{Check, Interval, Stop};
use crate::validate::flood::{Found, Search, flood};
use crate::validate::near::{Enough, WayBox};
use crate::validate::probe::Inside;
use crate::validate::{Reason, Support};
use crate::{Motion, SweepHit};
use glam::DVec3;

/// Number of controller moves that try a straight walk.
const WALK_MOVES: u32 = 4;

impl Check<'_> {
    /// First hit on the straight line between the claims.
    pub(super) fn straight(&mut self) -> Result<Option<SceneHit<SweepHit>>, Stop> {
        let Some([from, to]) = self.places else { return Ok(None) };
        let Some(hit) = self.probe.blocked(from, to) else { return Ok(None) };
        if let Some(inside) = self.probe.inside(from, to) {
            let Inside { depth, point, was_out, may_be_from_behind } = inside;
            let before = self.probe.depth(from).map_or(0.0, |(depth, _)| depth);
            if depth > before + CLAIM_SLACK + self.pushed {
                // A search cannot tell how a body got into a surface that it was already in.
                let is_certain =
                    if hit.hit.starts_overlapping() { was_out } else { !may_be_from_behind };
                if is_certain {
                    return Err(Stop::No(Reason::InsideGeometry { depth }, point));
                }
                self.inside = Some(inside);
            }
        }
        if hit.hit.starts_overlapping() {
            return Ok(self.probe.blocked_past_overlaps(from, to));
        }
        Ok(Some(hit))
    }

    /// Searches for a path. `highest`: height that the feet can reach without other ground.
    pub(super) fn search(&mut self, interval: &Interval, highest: f64) -> Result<(), Stop> {
        let Interval { level, budget, straight } = *interval;
        let beside = self.beside(budget, level);
        let [before, after] = self.heights();
        let (jump, error) = (self.jump_peak(), self.error());
        if after > highest + error {
            // Only a jump from higher ground could reach this height.
            let most = before + STEEPEST_STAIR * budget + jump + self.probe.raise;
            let ground = self.highest_ground(&GroundRange {
                from: self.state.feet,
                least: highest - jump,
                most,
                begins: most,
                beside: beside + self.probe.skinned,
            });
            let top = ground + jump + self.probe.raise + self.lift + error;
            if after > top {
                return self.no(Reason::TooHigh { excess: after - top });
            }
        }
        let Some([from, to]) = self.places else { return Ok(()) };
        let sunk = (from - self.state.feet).dot(self.up).max((to - self.claim.feet).dot(self.up));
        let highest = highest + sunk;
        if self.has_shortcut([from, to], budget, highest) || self.walks_there(budget) {
            return Ok(());
        }
        if self.pushed > 0.0 && self.probe.depth(self.state.feet).is_some() {
            // Since the last claim a body moved to where the character was.
            return Ok(());
        }
        let search = Search {
            from,
            to,
            length: budget + error,
            highest,
            jump: jump + self.lift,
            contact: if self.state.support == Support::Ground {
                self.state.contact
            } else {
                f64::NEG_INFINITY
            },
            // A hovering character passes over steps without a jump.
            lands: self.lift > 0.0 || self.can_land(beside),
            step: if self.end == Support::Air {
                0.0
            } else {
                self.probe.limits.highest_step() + self.lift
            },
            depth: self.probe.raise
                - self.gravity.lowest(self.fall_speeds()[0].min(0.0), self.claim.dt),
            error,
        };
        match flood(&mut self.probe, &search) {
            Found::Way => Ok(()),
            Found::Spent => Err(Stop::Spent),
            Found::NoWay { too_high: Some(excess) } if self.rolled_over_edge(excess) => Ok(()),
            Found::NoWay { too_high: Some(excess) } => self.no(Reason::TooHigh { excess }),
            Found::NoWay { too_high: None } => match (self.inside, straight) {
                (Some(Inside { depth, point, .. }), _) => {
                    Err(Stop::No(Reason::InsideGeometry { depth }, point))
                }
                (None, Some(hit)) => Err(Stop::No(Reason::ThroughSurface { hit }, hit.hit.point)),
                (None, None) => self.no(Reason::TooHigh { excess: (after - highest).max(0.0) }),
            },
        }
    }

    /// Whether a jump may have gained `excess` metres by rolling over an edge.
    fn rolled_over_edge(&mut self, excess: f64) -> bool {
        let is_on_edge = self.end == Support::Ground && !self.stands_at_end;
        if self.state.support != Support::Ground
            || !(self.end == Support::Air || is_on_edge)
            || excess > self.probe.rim()
        {
            return false;
        }
        let [before, after] = self.heights();
        let region = WayBox {
            from: self.state.feet,
            to: self.claim.feet,
            below: 0.0,
            above: 0.0,
            beside: 0.0,
            tall: self.probe.rim(),
        };
        let (least, most) = (before + self.error(), after + self.probe.rim());
        let mut is_near = false;
        self.probe.near_surfaces(&region, |[lowest, highest], _| {
            is_near |= lowest <= most && highest > least;
            if is_near { Enough::Yes } else { Enough::No }
        });
        is_near
    }

    /// Whether a jump in the interval can land. A jump lands after its highest point, unless a
    /// ceiling ends its rise. Until then it climbs no step.
    fn can_land(&mut self, beside: f64) -> bool {
        let rise_time = self.launch_speed() / self.gravity.acceleration;
        let region = WayBox {
            from: self.state.feet,
            to: self.claim.feet,
            below: 0.0,
            above: self.jump_peak(),
            beside,
            tall: self.probe.top(),
        };
        !self.state.surely_grounded
            || self.moves_freely()
            || self.claim.dt >= rise_time
            || self.probe.near_surfaces(&region, |_, _| Enough::No).ceiling
    }

    /// Whether a path of two or three straight segments leads to the claim: over an obstacle, or
    /// once along a wall. This is an early out: most paths have that form.
    fn has_shortcut(&mut self, [from, to]: [DVec3; 2], budget: f64, highest: f64) -> bool {
        let lower = self.height(from).max(self.height(to));
        if lower > highest {
            return false;
        }
        if self.passes_at([from, to], lower)
            || self.passes_at([from, to], highest)
            || self.passes_below([from, to])
        {
            return true;
        }
        // Slide along the blocking wall until the rest is free.
        let Some(hit) = self.probe.blocked(from, to) else { return false };
        let normal = self.level(hit.hit.normal.as_dvec3()).normalize_or_zero();
        let touch = from + (to - from) * hit.hit.time + normal * WALK_TOLERANCE * 0.01;
        let rest = to - touch;
        let corner = touch + rest - normal * rest.dot(normal);
        let length = [touch - from, corner - touch, to - corner]
            .into_iter()
            .map(|piece| self.level(piece).length())
            .sum::<f64>();
        length <= budget && self.probe.is_open(touch, corner) && self.probe.is_open(corner, to)
    }

    /// Whether the way between two places is free: up or down to `height`, straight, and up or
    /// down to the end.
    fn passes_at(&mut self, [from, to]: [DVec3; 2], height: f64) -> bool {
        let up = self.up;
        let [over, beyond] = [from, to].map(|feet| feet + up * (height - feet.dot(up)));
        (over == from || self.probe.is_open(from, over))
            && self.probe.is_open(over, beyond)
            && (beyond == to || self.probe.is_open(beyond, to))
    }

    /// Whether a fall to the lower of two heights, and from there straight to the end, is free.
    /// Only what comes from above touches the rim of a one-sided floor, so the second part rises a
    /// little.
    fn passes_below(&mut self, [from, to]: [DVec3; 2]) -> bool {
        let fall = (self.height(from) - self.height(to)).max(0.0) + CLAIM_SLACK;
        let under = from - self.up * fall;
        self.state.support != Support::Ground
            && self.probe.is_open(from, under)
            && self.probe.is_open(under, to)
    }

    /// Whether a jump from ground at `from` leads to the claim.
    fn jumps_there(&mut self, from: DVec3) -> bool {
        let to = self.claim.feet;
        let [low, after] = [from, to].map(|feet| self.height(feet));
        after <= low + self.jump_peak() + self.error()
            && self.passes_at([from, to], low.max(after))
    }

    /// Whether the controller itself walks straight to the claim: up a slope or stairs, or along a
    /// wall. A claim in the air may also be a jump from a place on that way.
    fn walks_there(&mut self, budget: f64) -> bool {
        if self.state.support != Support::Ground || self.end == Support::Water {
            return false;
        }
        let lands = self.end == Support::Ground;
        let controller = self.validator.locomotion.controller();
        let (scene, surroundings) = (self.world.scene, self.world.surroundings);
        let goal = self.claim.feet;
        let Ok(mut character) = controller.teleport(&self.state.size, self.state.feet) else {
            return false;
        };
        let (mut cache, mut walked) = (TriangleCache::new(), 0.0);
        for left in (0..=WALK_MOVES).rev() {
            let before = controller.feet(&character);
            let level = self.level(goal - before);
            if left < WALK_MOVES && level.length() <= WALK_TOLERANCE {
                break;
            }
            // The first move only finds the ground.
            let share = if left == WALK_MOVES { 0.0 } else { 1.0 / f64::from(left + 1) };
            let Ok(displacement) = Motion::new(level * share) else { return false };
            let input = MoveInput { surroundings, ..MoveInput::new(displacement) };
            let outcome = controller.move_by(scene, &mut cache, &character, &input);
            self.probe.queries += outcome.stats.queries();
            character = outcome.state;
            let feet = controller.feet(&character);
            walked += self.level(feet - before).length();
            let length = walked + self.level(goal - feet).length();
            if !lands && character.is_grounded() && length <= budget && self.jumps_there(feet) {
                return true;
            }
        }
        let reached = controller.feet(&character);
        lands
            && reached.distance(goal) <= 4.0 * WALK_TOLERANCE
            && self.probe.is_open(reached, goal)
    }
}
