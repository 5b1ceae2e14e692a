//! The up pass: rises, and slides along ceilings.

use crate::cache::HintSlot;
use crate::controller::config::Ceiling;
use crate::controller::outcome::Pass;
use crate::controller::pass::context::MoveContext;
use crate::controller::pass::slide_planes::SlidePlanes;
use crate::tolerance::{CONTACT_TOLERANCE, PLANE_BIAS};

impl MoveContext<'_> {
    /// Rises by `height`. `is_vertical`: the move has no level part, so the character may slide
    /// along a ceiling instead of stopping there.
    pub(crate) fn up_pass(&mut self, height: f64, is_vertical: bool) {
        let slides = is_vertical && self.config.ceiling == Ceiling::Slide;
        let iterations = if slides { self.config.max_iterations } else { 1 };
        let mut motion = self.up * height;
        let mut planes = SlidePlanes::new();
        for _ in 0..iterations {
            let length = motion.length();
            if length <= self.config.min_distance || motion.dot(self.up) <= 0.0 {
                break;
            }
            self.out.stats.up += 1;
            let Some(hit) = &self.sweep(HintSlot::Up, (motion, length)) else {
                self.center += motion;
                break;
            };
            if hit.hit.starts_overlapping() && self.recover() {
                continue;
            }
            self.out.touching.above = true;
            self.add_contact(Pass::Up, hit);
            self.center += motion * hit.hit.time;
            if hit.hit.distance > CONTACT_TOLERANCE {
                planes.clear();
            }
            planes.add(hit.hit.normal.as_dvec3(), PLANE_BIAS);
            motion = planes.clip(motion * (1.0 - hit.hit.time));
        }
    }
}
