//! Separation of characters that overlap each other.

use crate::controller::Controller;
use crate::controller::state::CharacterState;
use crate::error::ShapeError;
use crate::{Capsule, overlap_capsule_capsule};
use glam::DVec3;

impl Controller {
    /// Pushes that separate overlapping characters: for each one a level displacement, to be added
    /// to that of its next move.
    ///
    /// Each character of a pair gets half of the push, and at most `max_push` metres. Pushes from
    /// several others add up. A character that stands on another's head gets none. `pushes` is
    /// cleared first and has the order of `crowd`, which decides nothing else.
    ///
    /// # Errors
    /// If a character of `crowd` is out of the range of positions.
    pub fn separate(
        &self,
        crowd: &[CharacterState],
        max_push: f64,
        pushes: &mut Vec<DVec3>,
    ) -> Result<(), ShapeError> {
        pushes.clear();
        pushes.resize(crowd.len(), DVec3::ZERO);
        // Sweep and prune along one level axis: only characters whose extents meet can overlap.
        let axis = self.up.any_orthonormal_vector();
        let reach = |i: usize| f64::from(crowd[i].radius + self.config.contact_offset);
        let at = |i: usize| crowd[i].center.dot(axis);
        let mut order: Vec<usize> = (0..crowd.len()).collect();
        order.sort_by(|&a, &b| (at(a) - reach(a)).total_cmp(&(at(b) - reach(b))).then(a.cmp(&b)));
        for (position, &a) in order.iter().enumerate() {
            let near = order[position + 1..]
                .iter()
                .take_while(|&&b| at(b) - reach(b) <= at(a) + reach(a));
            for &b in near {
                // Pairs in the order of `crowd`, so that sorting changes no bit.
                let (first, second) = (a.min(b), a.max(b));
                if let Some(push) = self.separation(&crowd[first], &crowd[second], max_push)? {
                    pushes[first] += push;
                    pushes[second] -= push;
                }
            }
        }
        Ok(())
    }

    /// Half of the level push that takes `one` out of `other`, and no more than `max_push` metres.
    fn separation(
        &self,
        one: &CharacterState,
        other: &CharacterState,
        max_push: f64,
    ) -> Result<Option<DVec3>, ShapeError> {
        let capsule = |state: &CharacterState, radius: f32| {
            Capsule::from_center(state.center, self.up * state.half_axis(), radius)
        };
        let skinned = capsule(one, one.radius + self.config.contact_offset)?;
        let Some(overlap) = overlap_capsule_capsule(&skinned, &capsule(other, other.radius)?)
        else {
            return Ok(None);
        };
        let push = overlap.normal.as_dvec3();
        let level = push - self.up * push.dot(self.up);
        Ok(level.try_normalize().map(|level| level * (0.5 * overlap.depth).min(max_push)))
    }
}
