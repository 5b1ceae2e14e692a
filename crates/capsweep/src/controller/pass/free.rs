//! The free pass: the motion of a swimmer or flyer, in any direction.

use crate::SweepHit;
use crate::cache::HintSlot;
use crate::controller::outcome::{Obstruction, Pass};
use crate::controller::pass::context::MoveContext;
use crate::controller::pass::slide_planes::SlidePlanes;
use crate::tolerance::{BLOCKED_FRACTION, CONTACT_TOLERANCE, PLANE_BIAS};
use glam::DVec3;

impl MoveContext<'_> {
    /// Moves by `desired` and slides along every surface. Then looks for ground under the feet.
    pub(crate) fn move_freely(
        &mut self,
        desired: DVec3,
        crushed_in_height: bool,
        float_line: Option<f64>,
    ) {
        // A crushed character has no height to rise or fall in.
        let rise = if crushed_in_height { desired.dot(self.up) } else { 0.0 };
        let desired = desired - self.up * rise;
        let rise = desired.dot(self.up);
        let desired = desired - self.up * (rise - self.use_up_sink(rise));
        let base = self.center;
        self.free_pass(desired, float_line);
        let made = (self.center - base).length();
        let asked = desired.length();
        if !self.out.contacts.is_empty() && asked > 0.0 && made <= BLOCKED_FRACTION * asked {
            self.out.obstruction = Obstruction::Blocked;
        }
        self.skin = self.config.contact_offset;
        (self.hover, self.floor) = (0.0, None);
        self.down_pass(0.0, 0.0, 0.0);
    }

    /// Collides and slides. A motion that all surfaces together turn back ends.
    fn free_pass(&mut self, desired: DVec3, float_line: Option<f64>) {
        let mut planes = SlidePlanes::new();
        let mut left = desired;
        for _ in 0..self.config.max_iterations {
            let length = left.length();
            if length <= self.config.min_distance || left.dot(desired) <= 0.0 {
                break;
            }
            self.out.stats.side += 1;
            let Some(hit) = &self.sweep(HintSlot::Side, (left, length)) else {
                self.center += left;
                break;
            };
            if hit.hit.starts_overlapping() && self.recover() {
                continue;
            }
            self.add_contact(Pass::Free, hit);
            self.note_side(&hit.hit);
            self.center += left * hit.hit.time;
            left *= 1.0 - hit.hit.time;
            if hit.hit.distance > CONTACT_TOLERANCE {
                planes.clear();
            }
            planes.add(hit.hit.normal.as_dvec3(), PLANE_BIAS);
            let mut along = planes.clip(left);
            if self.is_lifted_over(&hit.hit, along, float_line) {
                planes.add(-self.up, 0.0);
                along = planes.clip(left);
            }
            if along == DVec3::ZERO
                && planes.any_opposite()
                && self.skin == self.config.contact_offset
            {
                // A gap as narrow as the character with its skin: a thinner skin fits through.
                self.thin_skin(0.0);
                planes.clear();
                along = left;
            }
            left = along;
        }
    }

    /// Whether a slope that is too steep to walk on lifts a swimmer over the float line.
    fn is_lifted_over(&self, hit: &SweepHit, along: DVec3, float_line: Option<f64>) -> bool {
        let rise = along.dot(self.up);
        rise > 0.0
            && float_line.is_some_and(|line| self.lowest() + rise > line)
            && !self.limits().allow_slope(hit.normal)
    }

    /// Sets the collision flag of a contact. The flag of the ground is set at the end of the move.
    fn note_side(&mut self, hit: &SweepHit) {
        let rise = hit.normal.as_dvec3().dot(self.up);
        let steepest = self.limits().slope_limit();
        self.out.touching.above |= rise <= -steepest;
        self.out.touching.sides |= rise.abs() < steepest;
    }
}
