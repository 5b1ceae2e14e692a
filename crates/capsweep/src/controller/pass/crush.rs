//! Room for the body: what a move does where there is too little.
//!
//! *Squeezed*: static surfaces leave no room. The character rests where its deepest overlap is least, and every move looks for
//! a way out again. *Crushed*: bodies that move leave no room, as a lift does under a ceiling. No pose is free then, and pushing
//! out of one body leads through another. So the character holds its place, however deep the bodies get into it, and stands
//! where it stood over its footing once there is room again. Its middle stays above its footing and crosses no other surface.

use crate::controller::input::MoveInput;
use crate::controller::outcome::{Contact, MoveOutcome, Obstruction};
use crate::controller::pass::context::MoveContext;
use crate::controller::state::{CharacterState, Footing, Room};
use crate::scene::SceneHit;
use crate::tolerance::CONTACT_TOLERANCE;
use crate::{Capsule, Motion, Overlap, Sides};
use glam::DVec3;

/// What a crushed character holds on to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Crush {
    /// Its footing, where that was carried.
    footing: Footing,
    /// Height of its middle over the point of its footing when there was room.
    height: f64,
    /// Height of the room that is missing (metres).
    missing: f64,
    /// Where its middle is held.
    held: DVec3,
}

impl MoveContext<'_> {
    /// Leaves what the character overlaps at the start of a move, or holds its place where nothing is free.
    #[inline]
    pub(crate) fn make_room(&mut self, state: &CharacterState, input: &MoveInput) {
        self.run_into = self.is_run_into(self.center);
        if state.room != Room::Enough || self.run_into {
            self.leave_overlaps(state, input);
        }
    }

    #[cold]
    fn leave_overlaps(&mut self, state: &CharacterState, input: &MoveInput) {
        let footing = state.footing.map(|footing| input.carried(footing));
        if let (Room::Crushed { height }, Some(footing)) = (state.room, footing)
            && (self.stands_again(&footing, height.into()) || self.hold(&footing, height.into()))
        {
            return;
        }
        let start = self.center;
        self.recover();
        if let (Some(before), Some(footing)) = (&state.footing, footing)
            && self.run_into
            && self.is_squeezed()
        {
            self.center = start;
            self.out.recovery.displacement = DVec3::ZERO;
            self.hold(&footing, (state.center - before.point).dot(self.up));
        }
    }

    /// Whether the way out that was found leaves the body, without its skin, in something.
    #[inline]
    pub(crate) fn is_squeezed(&self) -> bool {
        self.out.recovery.left > f64::from(self.config.contact_offset) + CONTACT_TOLERANCE
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

    /// Holds the place over `footing`, as high as the room overhead allows, with the middle above the footing. False if nothing
    /// that moves overlaps the character, where it is or where it stood: it is not crushed then.
    fn hold(&mut self, footing: &Footing, height: f64) -> bool {
        let there = self.over_footing(footing, height);
        self.run_into = self.run_into || self.is_run_into(there);
        if !self.run_into {
            return false;
        }
        let overhead = self.missing_overhead(there);
        let lowest = f64::from(MIDDLE_GAP * self.radius);
        let room = (height - overhead.unwrap_or(0.0)).max(lowest);
        let held = self.over_footing(footing, room);
        let part = self.middle_reaches(footing, held);
        self.center += (held - self.center) * part;
        let beside = |overlap: SceneHit<Overlap>| overlap.hit.depth;
        let missing = overhead.or_else(|| self.body_overlap(there).map(beside)).unwrap_or_default();
        let crush = Crush { footing: *footing, height, missing, held: self.center };
        self.crush = Some(crush);
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

    /// The middle of a character, `height` metres over `footing`.
    fn over_footing(&self, footing: &Footing, height: f64) -> DVec3 {
        let stands = footing.point.dot(self.up) + height;
        self.center + self.up * (stands - self.center.dot(self.up))
    }

    /// The part of the way to `there` that leads the middle through no surface but those of the footing.
    fn middle_reaches(&mut self, footing: &Footing, there: DVec3) -> f64 {
        let Some(motion) = self.in_range(Motion::new(there - self.center)) else { return 0.0 };
        let gap = MIDDLE_GAP * self.radius;
        let Some(middle) = self.in_range(Capsule::new(self.center, self.center, gap)) else {
            return 0.0;
        };
        self.world.sweep_past_body(&middle, &motion, footing.body).map_or(1.0, |hit| hit.hit.time)
    }

    /// Height of the room that is missing over a character that stands at `there`; `None` if nothing is overhead.
    fn missing_overhead(&mut self, there: DVec3) -> Option<f64> {
        let height = 2.0 * self.half_axis.length();
        let radius = f64::from(self.radius);
        let low = there - self.half_axis;
        let ball = self.in_range(Capsule::new(low, low, self.radius))?;
        let rise = self.in_range(Motion::new(self.up * height))?;
        let hit = self.world.sweep_past_overlaps(&ball, &rise);
        if let Some(hit) = hit.filter(|hit| hit.hit.normal.as_dvec3().dot(self.up) < 0.0) {
            return Some(height * (1.0 - hit.hit.time));
        }
        // Room for less than a ball of its radius: the ball overlaps the ceiling, a ray from the feet finds it.
        let tall = height + 2.0 * radius;
        let up = self.in_range(Motion::new(self.up * tall))?;
        let hit = self.world.ray(low - self.up * radius, &up, Sides::Front)?;
        Some(tall - hit.hit.distance)
    }

    /// The deepest overlap of the body, without its skin, about `center`.
    fn body_overlap(&mut self, center: DVec3) -> Option<SceneHit<Overlap>> {
        self.out.stats.overlaps += 1;
        let body = self.in_range(Capsule::from_center(center, self.half_axis, self.radius))?;
        self.world.overlap(&body)
    }

    /// Notes, at the end of a move, whether the body still lacks room, and what the next move has to know about that.
    #[cold]
    pub(crate) fn note_missing_room(&mut self) {
        let Some(overlap) = self.body_overlap(self.center) else { return };
        let depth = overlap.hit.depth;
        let MoveOutcome { state, obstruction, .. } = &mut *self.out;
        state.room = Room::Squeezed;
        *obstruction = if self.run_into {
            Obstruction::Crushed { missing: depth }
        } else {
            Obstruction::Squeezed { depth }
        };
        if let Some(Crush { footing, height, missing, held }) = self.crush {
            let walked = self.center - held;
            let walked = walked - self.up * walked.dot(self.up);
            state.room = Room::Crushed { height: height as f32 };
            state.footing = Some(Footing { point: footing.point + walked, ..footing });
            *obstruction = Obstruction::Crushed { missing };
        }
    }
}

/// How far the middle of a crushed character stays from a surface, as a part of its radius.
const MIDDLE_GAP: f32 = 1e-3;
