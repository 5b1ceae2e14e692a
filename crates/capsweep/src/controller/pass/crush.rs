//! Too little room for the body: what a move does then.
//!
//! *Squeezed*: static surfaces leave no room. The character rests where its deepest overlap is
//! least. Every move tries to leave again.
//!
//! *Crushed*: dynamic bodies leave no room. No pose is free then, and a push out of one body leads
//! through another. Under a lift or a press the character holds its place, however deep the bodies
//! get into it. Its centre stays above its footing and crosses no other surface. It stands over
//! its footing as before once there is room again. Between walls that close in, its axis stays
//! between them, as long as they leave it any room and move by less than that.

use crate::controller::input::MoveInput;
use crate::controller::outcome::{Contact, MoveOutcome, Obstruction};
use crate::controller::pass::context::MoveContext;
use crate::controller::state::{CharacterState, Clearance, Footing};
use crate::scene::{SceneHit, StartOverlaps};
use crate::tolerance::CENTER_GAP;
use crate::{Motion, Overlap};
use glam::DVec3;

/// Where a crushed character stands, and how much room it lacks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CrushedStance {
    /// Its footing, at the current pose of the body that carries it.
    footing: Footing,
    /// Height of its centre over the footing's point while there was room (metres).
    height: f64,
    /// Missing height or, between walls, depth of the deepest overlap (metres).
    missing: f64,
    /// It has its full height and lacks room only at the sides.
    upright: bool,
}

impl MoveContext<'_> {
    /// Whether dynamic bodies leave too little height: the character can neither rise nor fall.
    pub(super) fn is_crushed_in_height(&self) -> bool {
        self.crushed.as_ref().is_some_and(|stance| !stance.upright)
    }

    /// Recovers from the overlaps at the start of a move, or holds the character's place where no
    /// pose is free.
    #[cold]
    pub(super) fn recover_or_hold_place(&mut self, state: &CharacterState, input: &MoveInput) {
        let carried = state.footing.map(|footing| input.carried(footing));
        if let (Clearance::Crushed { height }, Some(carried)) = (state.room, carried) {
            let (height, footing) = (f64::from(height), self.refresh_footing(carried));
            if self.try_stand(&footing, height) || self.hold_place(&footing, height) {
                return;
            }
            // If anything still crushes it, walls do: the push starts at its full height.
            if self.dynamic_overlap {
                self.move_center_over(&footing, height);
            }
        }
        let start = self.center;
        self.recover();
        if !self.dynamic_overlap || !self.is_squeezed() {
            return;
        }
        // A dynamic body that only touches the skin leaves enough room.
        let push = self.balancing_push();
        self.dynamic_overlap = self.body_overlaps_dynamic_at(self.center + push);
        if !self.dynamic_overlap {
            return;
        }
        let recovered = self.center;
        self.center = start;
        let stance = match (state.footing, carried) {
            (Some(before), Some(carried)) => {
                let height = match state.room {
                    Clearance::Crushed { height } => f64::from(height),
                    _ => (state.center - before.point).dot(self.up),
                };
                Some((self.refresh_footing(carried), height))
            }
            _ => self.find_stance_below(),
        };
        if let Some((footing, height)) = &stance
            && self.hold_place(footing, *height)
        {
            self.out.recovery.displacement = DVec3::ZERO;
            return;
        }
        self.center = recovered + push;
        self.out.recovery.displacement += push;
        self.skin = 0.0;
        let missing = self.body_overlap(self.center).map_or(0.0, |overlap| overlap.hit.depth);
        let upright = true;
        self.crushed =
            stance.map(|(footing, height)| CrushedStance { footing, height, missing, upright });
    }

    /// Footing for a character that is crushed in the air, and the height of its centre over it.
    /// The footing is the surface between its centre and its feet.
    fn find_stance_below(&mut self) -> Option<(Footing, f64)> {
        let height = self.half_axis.length() + f64::from(self.radius + self.config.contact_offset);
        let ball = self.ball_at(self.center, CENTER_GAP * self.radius)?;
        let motion = self.in_range(Motion::new(self.up * -height))?;
        let SceneHit { hit, target } = self.world.sweep_past_overlaps(&ball, &motion)?;
        let faces_up = hit.normal.as_dvec3().dot(self.up) > 0.0;
        let (point, normal) = (hit.point, hit.normal);
        let (walkable, velocity) = (self.limits().allow_slope(normal), DVec3::ZERO);
        let footing = Footing { body: target.body, point, normal, walkable, velocity };
        faces_up.then_some((footing, height))
    }

    /// The push after which all surfaces that leave the body no room are equally deep in it. The
    /// axis crosses none of them.
    fn balancing_push(&mut self) -> DVec3 {
        let body = self.body_at(self.center);
        body.map_or(DVec3::ZERO, |body| self.world.depenetrate(&body).push)
    }

    /// The footing at the current height of its body's surface. The input may have no carrier, and
    /// on a slope the height changes as the character walks.
    fn refresh_footing(&mut self, footing: Footing) -> Footing {
        let reach = self.up * f64::from(self.radius);
        let high = footing.point + reach;
        let ball = self.ball_at(high, CENTER_GAP * self.radius);
        let motion = self.in_range(Motion::new(reach * -2.0));
        let top = ball
            .zip(motion)
            .and_then(|(ball, motion)| self.world.sweep_onto_body(&ball, &motion, footing.body));
        let top = top.filter(|top| top.hit.normal.as_dvec3().dot(self.up) > 0.0);
        let rise = top.map_or(0.0, |top| (top.hit.point - footing.point).dot(self.up));
        Footing { point: footing.point + self.up * rise, ..footing }
    }

    /// Whether a dynamic body overlaps the body, without its skin, at `center`.
    fn body_overlaps_dynamic_at(&mut self, center: DVec3) -> bool {
        self.out.stats.overlaps += 1;
        let body = self.body_at(center);
        body.is_some_and(|body| self.world.overlaps_dynamic(&body))
    }

    /// Whether the body, without its skin, still overlaps a surface after the recovery.
    fn is_squeezed(&self) -> bool {
        self.reaches_body(self.out.recovery.left)
    }

    /// Stands over the footing as before the crush. False, and no change, if there is no room.
    fn try_stand(&mut self, footing: &Footing, height: f64) -> bool {
        let target = self.center_over(footing, height);
        let free = self.body_overlap(target).is_none()
            && self.free_fraction_of_center(footing, target) == 1.0;
        if free {
            self.center = target;
        }
        free
    }

    /// Holds the place over `footing`, as high as the room overhead allows, with the centre above
    /// the footing. False if no height is missing, or if no dynamic body overlaps the character,
    /// neither here nor at its standing height.
    fn hold_place(&mut self, footing: &Footing, height: f64) -> bool {
        let standing = self.center_over(footing, height);
        self.dynamic_overlap = self.dynamic_overlap || self.overlaps_dynamic_at(standing);
        if !self.dynamic_overlap {
            return false;
        }
        let Some(missing) = self.missing_overhead(standing) else { return false };
        let lowest = f64::from(CENTER_GAP * self.radius);
        self.move_center_over(footing, (height - missing).max(lowest));
        let footing = *footing;
        self.crushed = Some(CrushedStance { footing, height, missing, upright: false });
        self.recovered = true;
        self.skin = 0.0;
        if let Some(deepest) = self.body_overlap(self.center) {
            self.out.recovery.left = deepest.hit.depth + f64::from(self.config.contact_offset);
            if !self.out.has_contact_with(&deepest.target) {
                self.out.contacts.push(Contact::from_overlap(&deepest));
            }
        }
        true
    }

    /// Moves the centre to `height` metres over `footing`, or to the first surface on that path.
    fn move_center_over(&mut self, footing: &Footing, height: f64) {
        let target = self.center_over(footing, height);
        let fraction = self.free_fraction_of_center(footing, target);
        self.center += (target - self.center) * fraction;
    }

    /// The character's centre, moved along `up` to `height` metres over `footing`.
    fn center_over(&self, footing: &Footing, height: f64) -> DVec3 {
        let wanted = footing.point.dot(self.up) + height;
        self.center + self.up * (wanted - self.center.dot(self.up))
    }

    /// The fraction of the path to `target` that the centre makes before it crosses a surface. The
    /// footing's body does not count.
    fn free_fraction_of_center(&mut self, footing: &Footing, target: DVec3) -> f64 {
        let Some(motion) = self.in_range(Motion::new(target - self.center)) else { return 0.0 };
        let ball = self.ball_at(self.center, CENTER_GAP * self.radius);
        let Some(ball) = ball else { return 0.0 };
        let sweep = (&ball, &motion);
        let hit = self.world.sweep_past_body(sweep, footing.body, StartOverlaps::Skip);
        hit.map_or(1.0, |hit| hit.hit.time)
    }

    /// Missing height over a character whose centre is at `standing` (metres). `None` if there is
    /// nothing overhead.
    fn missing_overhead(&mut self, standing: DVec3) -> Option<f64> {
        let height = 2.0 * self.half_axis.length();
        let radius = f64::from(self.radius);
        let low = standing - self.half_axis;
        let ball = self.ball_at(low, self.radius)?;
        let rise = self.in_range(Motion::new(self.up * height))?;
        let hit = self.world.sweep_past_overlaps(&ball, &rise);
        let hit = hit.filter(|hit| hit.hit.normal.as_dvec3().dot(self.up) < 0.0);
        let missing = hit.map(|hit| height * (1.0 - hit.hit.time));
        // In less room the ball overlaps the surface overhead and skips it; a small ball finds it.
        let tall = height + 2.0 * radius;
        let up = self.in_range(Motion::new(self.up * tall))?;
        let feet = low - self.up * radius;
        let ball = self.ball_at(feet, CENTER_GAP * self.radius)?;
        let hit = self.world.sweep_to_front(&ball, &up);
        let hit = hit.filter(|hit| hit.hit.normal.as_dvec3().dot(self.up) < 0.0);
        let above = hit.map(|hit| tall - (hit.hit.point - feet).dot(self.up));
        missing.into_iter().chain(above).reduce(f64::max)
    }

    /// The deepest overlap of the body, without its skin, at `center`.
    fn body_overlap(&mut self, center: DVec3) -> Option<SceneHit<Overlap>> {
        self.out.stats.overlaps += 1;
        let body = self.body_at(center)?;
        self.world.overlap(&body)
    }

    /// At the end of a move: if the body still lacks room, sets the obstruction and the state that
    /// the next move needs.
    #[cold]
    pub(crate) fn set_squeezed_or_crushed(&mut self, before: &CharacterState) {
        if self.crushed.is_none() && !self.is_squeezed() {
            return;
        }
        let Some(overlap) = self.body_overlap(self.center) else { return };
        let depth = overlap.hit.depth;
        let MoveOutcome { state, obstruction, .. } = &mut *self.out;
        state.room = Clearance::Squeezed;
        *obstruction = if self.dynamic_overlap {
            Obstruction::Crushed { missing: depth }
        } else {
            Obstruction::Squeezed { depth }
        };
        let Some(CrushedStance { footing, height, missing, upright }) = self.crushed else {
            return;
        };
        *obstruction = Obstruction::Crushed { missing };
        if let Some(stood) = state.footing.filter(|stood| upright && stood.walkable) {
            let height = (self.center - stood.point).dot(self.up);
            state.room = Clearance::Crushed { height: height as f32 };
            return;
        }
        // The footing moves with the character: with the carrier, and by the character's own
        // motion.
        let moved = self.center - before.center;
        let from = before.footing.map_or(footing.point, |before| before.point);
        let rise = (footing.point - from - moved).dot(self.up);
        let point = from + moved + self.up * rise;
        state.room = Clearance::Crushed { height: height as f32 };
        state.footing = Some(Footing { point, ..footing });
    }
}
