//! Getting out of what the skin overlaps.

use crate::controller::outcome::Contact;
use crate::controller::pass::context::MoveContext;
use crate::tolerance::CONTACT_TOLERANCE;
use crate::{Capsule, Motion};
use glam::DVec3;

/// Most times that the way out is looked for: again where something stood in it, or it took more pushes than one look makes.
const MOST_LOOKS: u16 = 4;

impl MoveContext<'_> {
    /// Pushes the character out of everything that its skin overlaps, by no more than its own height. Once a move: false if it was
    /// done before.
    ///
    /// It leaves by the short way out of all that it overlaps at once, and crosses no surface that was not overlapped already. Between two
    /// walls it comes to rest in the middle; its skin is then as thin as it must be.
    pub(crate) fn recover(&mut self) -> bool {
        if self.recovered {
            return false;
        }
        self.recovered = true;
        let start = self.center;
        let farthest = 2.0 * (self.half_axis.length() + self.reach());
        let mut left = 0.0;
        for look in 0..=MOST_LOOKS {
            self.out.stats.overlaps += 1;
            let Some(capsule) = self.capsule_at(self.center) else { break };
            let Some(deepest) = self.world.overlap(&capsule) else {
                left = 0.0;
                break;
            };
            if !self.out.has_met(&deepest.target) {
                self.out.contacts.push(Contact::overlapping(&deepest));
            }
            left = deepest.hit.depth;
            let way = self.world.depenetrate(&capsule);
            let reached = self.center + way.push * self.way_free(way.push);
            let made = (reached - self.center).length();
            if look == MOST_LOOKS
                || made <= CONTACT_TOLERANCE
                || (reached - start).length() > farthest
            {
                break;
            }
            self.center = reached;
            self.out.stats.pushes += way.pushes as u16;
        }
        self.out.recovery.displacement += self.center - start;
        self.out.recovery.left = left;
        if left > 0.0 {
            self.thin_skin(left);
        }
        true
    }

    /// Whether something that can move overlaps the skin about `center`. A sweep would not tell: it skips what it leads out of.
    pub(crate) fn is_run_into(&mut self, center: DVec3) -> bool {
        if !self.world.moves() {
            return false;
        }
        self.out.stats.overlaps += 1;
        let capsule = self.capsule_at(center);
        capsule.is_some_and(|capsule| self.world.overlaps_dynamic(&capsule))
    }

    /// The part of `push` on which the body runs into nothing new. The skin gives way: a push out of one surface may use up
    /// the gap to another.
    fn way_free(&mut self, push: DVec3) -> f64 {
        let Some(motion) = self.in_range(Motion::new(push)) else { return 0.0 };
        if motion.is_zero() {
            return 1.0;
        }
        let body = Capsule::from_center(self.center, self.half_axis, self.radius);
        let Some(body) = self.in_range(body) else { return 0.0 };
        self.world.sweep_past_overlaps(&body, &motion).map_or(1.0, |hit| hit.hit.time)
    }
}
