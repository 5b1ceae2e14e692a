//! Characters that stand in each other.

use crate::controller::Controller;
use crate::controller::state::CharacterState;
use crate::error::ShapeError;
use crate::{Capsule, overlap_capsule_capsule};
use glam::DVec3;

impl Controller {
    /// How characters that overlap should move apart: for each a level displacement, to be added to that of its next move.
    ///
    /// Each of a pair gets half the way, and at most `most` metres of it; somebody in a throng gets the sum. Who stands on somebody's head is
    /// not pushed. `pushes` is emptied first; the order of the characters decides nothing but the order of the answers.
    ///
    /// # Errors
    /// If a character of `crowd` is out of the range of positions.
    pub fn separate(
        &self,
        crowd: &[CharacterState],
        most: f64,
        pushes: &mut Vec<DVec3>,
    ) -> Result<(), ShapeError> {
        pushes.clear();
        pushes.resize(crowd.len(), DVec3::ZERO);
        // Sorted along one level axis, only those whose extents meet can overlap.
        let axis = self.up.any_orthonormal_vector();
        let reach = |i: usize| f64::from(crowd[i].radius + self.config.contact_offset);
        let at = |i: usize| crowd[i].center.dot(axis);
        let mut order: Vec<usize> = (0..crowd.len()).collect();
        order.sort_by(|&a, &b| (at(a) - reach(a)).total_cmp(&(at(b) - reach(b))).then(a.cmp(&b)));
        for (place, &a) in order.iter().enumerate() {
            let near =
                order[place + 1..].iter().take_while(|&&b| at(b) - reach(b) <= at(a) + reach(a));
            for &b in near {
                // The pair in the order of the list, so that sorting changes no bit.
                let (first, second) = (a.min(b), a.max(b));
                if let Some(push) = self.apart(&crowd[first], &crowd[second], most)? {
                    pushes[first] += push;
                    pushes[second] -= push;
                }
            }
        }
        Ok(())
    }

    /// Half the way out of `other`, level, and no longer than `most`.
    fn apart(
        &self,
        one: &CharacterState,
        other: &CharacterState,
        most: f64,
    ) -> Result<Option<DVec3>, ShapeError> {
        let capsule = |state: &CharacterState, radius: f32| {
            Capsule::from_center(state.center, self.up * state.half_axis(), radius)
        };
        let skinned = capsule(one, one.radius + self.config.contact_offset)?;
        let Some(overlap) = overlap_capsule_capsule(&skinned, &capsule(other, other.radius)?)
        else {
            return Ok(None);
        };
        let way = overlap.normal.as_dvec3();
        let level = way - self.up * way.dot(self.up);
        Ok(level.try_normalize().map(|level| level * (0.5 * overlap.depth).min(most)))
    }
}
