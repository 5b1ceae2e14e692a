//! Room for the body: what a move does where there is too little.
//!
//! *Squeezed*: static surfaces leave no room. The character rests where its deepest overlap is
//! least, and every move looks for a way out again.
//!
//! *Crushed*: bodies that move leave no room. No pose is free then, and pushing out of one body
//! leads through another. Under a lift or a press the character holds its place, however deep the
//! bodies get into it. It stands where it stood over its footing once there is room again. Its
//! middle stays above its footing and crosses no other surface. Between walls that close in, its
//! axis stays between them, as long as they leave it any room and move by less than that.

use crate::controller::input::MoveInput;
use crate::controller::outcome::{Contact, MoveOutcome, Obstruction};
use crate::controller::pass::context::MoveContext;
use crate::controller::state::{CharacterState, Footing, Room};
use crate::scene::{SceneHit, StartOverlaps};
use crate::{Capsule, Motion, Overlap};
use glam::DVec3;

/// What a crushed character holds on to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Crush {
    /// Its footing, where that is by now.
    footing: Footing,
    /// Height of its middle over the point of its footing when there was room.
    height: f64,
    /// Height of the room that is missing or, between walls, depth of the deepest overlap (metres).
    missing: f64,
    /// Whether it has its full height, and only lacks room to the sides.
    upright: bool,
}

impl MoveContext<'_> {
    /// Leaves what the character overlaps at the start of a move, or holds its place where nothing is free. Returns whether
    /// bodies that move leave too little height: the character can then neither rise nor fall.
    #[inline]
    pub(crate) fn make_room(&mut self, state: &CharacterState, input: &MoveInput) -> bool {
        self.run_into = self.is_run_into(self.center);
        if state.room == Room::Enough && !self.run_into {
            return false;
        }
        self.leave_overlaps(state, input);
        self.crush.as_ref().is_some_and(|crush| !crush.upright)
    }

    #[cold]
    fn leave_overlaps(&mut self, state: &CharacterState, input: &MoveInput) {
        let carried = state.footing.map(|footing| input.carried(footing));
        if let (Room::Crushed { height }, Some(carried)) = (state.room, carried) {
            let (height, footing) = (f64::from(height), self.follow(carried));
            if self.stands_again(&footing, height) || self.hold(&footing, height) {
                return;
            }
            // If anything still crushes it, the sides do: the way out starts at its full height.
            if self.run_into {
                self.lead_to(&footing, height);
            }
        }
        let start = self.center;
        self.recover();
        if !self.run_into || !self.is_squeezed() {
            return;
        }
        // A body that moves and only touches the skin leaves room enough.
        let share = self.equal_share();
        self.run_into = self.is_pressed(self.center + share);
        if !self.run_into {
            return;
        }
        let pushed = self.center;
        self.center = start;
        let stance = match (state.footing, carried) {
            (Some(before), Some(carried)) => {
                let height = match state.room {
                    Room::Crushed { height } => f64::from(height),
                    _ => (state.center - before.point).dot(self.up),
                };
                Some((self.follow(carried), height))
            }
            _ => self.stance_in_the_air(),
        };
        if let Some((footing, height)) = &stance
            && self.hold(footing, *height)
        {
            self.out.recovery.displacement = DVec3::ZERO;
            return;
        }
        self.center = pushed + share;
        self.out.recovery.displacement += share;
        self.skin = 0.0;
        let missing = self.body_overlap(self.center).map_or(0.0, |overlap| overlap.hit.depth);
        let upright = true;
        self.crush = stance.map(|(footing, height)| Crush { footing, height, missing, upright });
    }

    /// What a character that is caught in the air would stand on, and the height of its middle over
    /// that: the surface between its middle and its feet.
    fn stance_in_the_air(&mut self) -> Option<(Footing, f64)> {
        let height = self.half_axis.length() + f64::from(self.radius + self.config.contact_offset);
        let ball = self.ball_at(self.center, MIDDLE_GAP * self.radius)?;
        let motion = self.in_range(Motion::new(self.up * -height))?;
        let SceneHit { hit, target } = self.world.sweep_past_overlaps(&ball, &motion)?;
        let faces_up = hit.normal.as_dvec3().dot(self.up) > 0.0;
        let (point, normal) = (hit.point, hit.normal);
        let (walkable, velocity) = (self.is_walkable_normal(normal), DVec3::ZERO);
        let footing = Footing { body: target.body, point, normal, walkable, velocity };
        faces_up.then_some((footing, height))
    }

    /// The push at which all surfaces that leave the body no room are equally deep in it. Its axis
    /// passes through none.
    fn equal_share(&mut self) -> DVec3 {
        let body = Capsule::from_center(self.center, self.half_axis, self.radius);
        self.in_range(body).map_or(DVec3::ZERO, |body| self.world.depenetrate(&body).push)
    }

    /// A footing on the surface of its body as that is now: the carrier may not have been told, and
    /// on a slope the height changes with each step.
    fn follow(&mut self, footing: Footing) -> Footing {
        let reach = self.up * f64::from(self.radius);
        let high = footing.point + reach;
        let ball = self.ball_at(high, MIDDLE_GAP * self.radius);
        let motion = self.in_range(Motion::new(reach * -2.0));
        let top = ball
            .zip(motion)
            .and_then(|(ball, motion)| self.world.sweep_onto_body(&ball, &motion, footing.body));
        let top = top.filter(|top| top.hit.normal.as_dvec3().dot(self.up) > 0.0);
        let rise = top.map_or(0.0, |top| (top.hit.point - footing.point).dot(self.up));
        Footing { point: footing.point + self.up * rise, ..footing }
    }

    /// Whether something that can move overlaps the body, without its skin, about `center`.
    fn is_pressed(&mut self, center: DVec3) -> bool {
        self.out.stats.overlaps += 1;
        let body = Capsule::from_center(center, self.half_axis, self.radius);
        self.in_range(body).is_some_and(|body| self.world.overlaps_dynamic(&body))
    }

    /// Whether the way out that was found leaves the body, without its skin, in something.
    fn is_squeezed(&self) -> bool {
        self.reaches_body(self.out.recovery.left)
    }

    /// Stands where it stood before it was crushed, if there is room again.
    fn stands_again(&mut self, footing: &Footing, height: f64) -> bool {
        let there = self.over_footing(footing, height);
        let free = self.body_overlap(there).is_none() && self.middle_reaches(footing, there) == 1.0;
        if free {
            self.center = there;
        }
        free
    }

    /// Holds the place over `footing`, as high as the room overhead allows, with the middle above the
    /// footing. False if no height is missing, or if nothing that moves overlaps the character, where
    /// it is or where it stood.
    fn hold(&mut self, footing: &Footing, height: f64) -> bool {
        let there = self.over_footing(footing, height);
        self.run_into = self.run_into || self.is_run_into(there);
        if !self.run_into {
            return false;
        }
        let Some(missing) = self.missing_overhead(there) else { return false };
        let lowest = f64::from(MIDDLE_GAP * self.radius);
        self.lead_to(footing, (height - missing).max(lowest));
        self.crush = Some(Crush { footing: *footing, height, missing, upright: false });
        self.recovered = true;
        self.skin = 0.0;
        if let Some(deepest) = self.body_overlap(self.center) {
            self.out.recovery.left = deepest.hit.depth + f64::from(self.config.contact_offset);
            if !self.out.has_met(&deepest.target) {
                self.out.contacts.push(Contact::overlapping(&deepest));
            }
        }
        true
    }

    /// Leads the middle to `height` metres over `footing`, or to the surface that is in its way there.
    fn lead_to(&mut self, footing: &Footing, height: f64) {
        let there = self.over_footing(footing, height);
        let part = self.middle_reaches(footing, there);
        self.center += (there - self.center) * part;
    }

    /// The middle of a character, `height` metres over `footing`.
    fn over_footing(&self, footing: &Footing, height: f64) -> DVec3 {
        let stands = footing.point.dot(self.up) + height;
        self.center + self.up * (stands - self.center.dot(self.up))
    }

    /// The part of the way to `there` that leads the middle through no surface but those of the footing.
    fn middle_reaches(&mut self, footing: &Footing, there: DVec3) -> f64 {
        let Some(motion) = self.in_range(Motion::new(there - self.center)) else { return 0.0 };
        let middle = self.ball_at(self.center, MIDDLE_GAP * self.radius);
        let Some(middle) = middle else { return 0.0 };
        let way = (&middle, &motion);
        let hit = self.world.sweep_past_body(way, footing.body, StartOverlaps::Skip);
        hit.map_or(1.0, |hit| hit.hit.time)
    }

    /// Height of the room that is missing over a character that stands at `there`; `None` if nothing is overhead.
    fn missing_overhead(&mut self, there: DVec3) -> Option<f64> {
        let height = 2.0 * self.half_axis.length();
        let radius = f64::from(self.radius);
        let low = there - self.half_axis;
        let ball = self.ball_at(low, self.radius)?;
        let rise = self.in_range(Motion::new(self.up * height))?;
        let hit = self.world.sweep_past_overlaps(&ball, &rise);
        let hit = hit.filter(|hit| hit.hit.normal.as_dvec3().dot(self.up) < 0.0);
        let missing = hit.map(|hit| height * (1.0 - hit.hit.time));
        // The ball skips what it overlaps where there is less room: a small one finds that.
        let tall = height + 2.0 * radius;
        let up = self.in_range(Motion::new(self.up * tall))?;
        let feet = low - self.up * radius;
        let ball = self.ball_at(feet, MIDDLE_GAP * self.radius)?;
        let hit = self.world.sweep_to_front(&ball, &up);
        let hit = hit.filter(|hit| hit.hit.normal.as_dvec3().dot(self.up) < 0.0);
        let above = hit.map(|hit| tall - (hit.hit.point - feet).dot(self.up));
        missing.into_iter().chain(above).reduce(f64::max)
    }

    /// The deepest overlap of the body, without its skin, about `center`.
    fn body_overlap(&mut self, center: DVec3) -> Option<SceneHit<Overlap>> {
        self.out.stats.overlaps += 1;
        let body = self.in_range(Capsule::from_center(center, self.half_axis, self.radius))?;
        self.world.overlap(&body)
    }

    /// Notes, at the end of a move, whether the body still lacks room, and what the next move has to know about that.
    #[cold]
    pub(crate) fn note_missing_room(&mut self, before: &CharacterState) {
        if self.crush.is_none() && !self.is_squeezed() {
            return;
        }
        let Some(overlap) = self.body_overlap(self.center) else { return };
        let depth = overlap.hit.depth;
        let MoveOutcome { state, obstruction, .. } = &mut *self.out;
        state.room = Room::Squeezed;
        *obstruction = if self.run_into {
            Obstruction::Crushed { missing: depth }
        } else {
            Obstruction::Squeezed { depth }
        };
        let Some(Crush { footing, height, missing, upright }) = self.crush else { return };
        *obstruction = Obstruction::Crushed { missing };
        if let Some(stood) = state.footing.filter(|stood| upright && stood.walkable) {
            let height = (self.center - stood.point).dot(self.up);
            state.room = Room::Crushed { height: height as f32 };
            return;
        }
        // The footing goes where the character went: along with the carrier, and by its own motion.
        let went = self.center - before.center;
        let from = before.footing.map_or(footing.point, |before| before.point);
        let rise = (footing.point - from - went).dot(self.up);
        let point = from + went + self.up * rise;
        state.room = Room::Crushed { height: height as f32 };
        state.footing = Some(Footing { point, ..footing });
    }
}

/// How far the middle of a crushed character stays from a surface, as a part of its radius.
const MIDDLE_GAP: f32 = 1e-3;
