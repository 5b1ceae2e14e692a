//! The recovery pass: pushes the character out of everything that its skin overlaps.

use crate::Motion;
use crate::controller::input::MoveInput;
use crate::controller::outcome::Contact;
use crate::controller::pass::context::MoveContext;
use crate::controller::state::{CharacterState, Clearance};
use crate::tolerance::CONTACT_TOLERANCE;
use glam::DVec3;

/// Most times that a move computes a push. More than one is needed where a surface stopped the
/// push, or where one computation ran out of iterations.
const MAX_ROUNDS: u16 = 4;

impl MoveContext<'_> {
    /// Recovers from the overlaps at the start of a move. Only a character that may overlap
    /// something needs this. Returns whether it is crushed in height: it can then neither rise nor
    /// fall.
    #[inline]
    pub(crate) fn recovery_pass(&mut self, state: &CharacterState, input: &MoveInput) -> bool {
        if state.room == Clearance::Unknown {
            self.place_on_slope();
        }
        self.dynamic_overlap = self.overlaps_dynamic_at(self.center);
        if state.room == Clearance::Free && !self.dynamic_overlap {
            return false;
        }
        self.recover_or_hold_place(state, input);
        self.is_crushed_in_height()
    }

    /// Pushes the character out of everything that its skin overlaps, by no more than its own
    /// height. Runs once per move: false if it ran before.
    ///
    /// The push is the shortest that leaves all overlaps at once, and crosses no surface that was
    /// not overlapped before. Between two walls the character comes to rest in the middle, with a
    /// skin as thin as it must be.
    pub(crate) fn recover(&mut self) -> bool {
        if self.recovered {
            return false;
        }
        self.recovered = true;
        let start = self.center;
        let farthest = 2.0 * (self.half_axis.length() + self.skinned_radius());
        let mut left = 0.0;
        for round in 0..=MAX_ROUNDS {
            self.out.stats.overlaps += 1;
            let Some(capsule) = self.capsule_at(self.center) else { break };
            let Some(deepest) = self.world.overlap(&capsule) else {
                left = 0.0;
                break;
            };
            if !self.out.has_contact_with(&deepest.target) {
                self.out.contacts.push(Contact::from_overlap(&deepest));
            }
            left = deepest.hit.depth;
            let exit = self.world.depenetrate(&capsule);
            let reached = self.center + exit.push * self.free_fraction(exit.push);
            let made = (reached - self.center).length();
            if round == MAX_ROUNDS
                || made <= CONTACT_TOLERANCE
                || (reached - start).length() > farthest
            {
                break;
            }
            self.center = reached;
            self.out.stats.pushes += exit.pushes as u16;
        }
        self.out.recovery.displacement += self.center - start;
        self.out.recovery.left = left;
        if left > 0.0 {
            self.thin_skin(left);
        }
        true
    }

    /// Whether a dynamic body overlaps the skin at `center`. A sweep would not tell: it skips
    /// overlaps that it leads out of.
    pub(crate) fn overlaps_dynamic_at(&mut self, center: DVec3) -> bool {
        if !self.world.has_dynamic_bodies() {
            return false;
        }
        self.out.stats.overlaps += 1;
        let capsule = self.capsule_at(center);
        capsule.is_some_and(|capsule| self.world.overlaps_dynamic(&capsule))
    }

    /// The fraction of `push` that the body makes before it hits a surface it does not overlap
    /// yet. The body has no skin here: a push out of one surface may use up the gap to another.
    fn free_fraction(&mut self, push: DVec3) -> f64 {
        let Some(motion) = self.in_range(Motion::new(push)) else { return 0.0 };
        if motion.is_zero() {
            return 1.0;
        }
        let Some(body) = self.body_at(self.center) else { return 0.0 };
        self.world.sweep_past_overlaps(&body, &motion).map_or(1.0, |hit| hit.hit.time)
    }
}
