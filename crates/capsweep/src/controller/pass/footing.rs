//! The footing rule `Point`: the feet stand on the surface straight below the axis.
//!
//! The capsule rests on the surface and enters nothing. Only the feet that are reported sink below
//! its lowest point, onto the surface below the axis.

use crate::Motion;
use crate::cache::HintSlot;
use crate::controller::config::FootingRule;
use crate::controller::pass::context::MoveContext;
use crate::tolerance::{CONTACT_TOLERANCE, PROBE_RADIUS};

impl MoveContext<'_> {
    /// Takes a rise from the sink first. Returns the part that is left for the body. So the feet
    /// of a jump leave the surface that they stand on, and their path is that of the jump.
    pub(crate) fn use_up_sink(&mut self, rise: f64) -> f64 {
        if self.sink == 0.0 || rise <= 0.0 {
            return rise;
        }
        let used = rise.min(self.sink);
        self.sink -= used;
        rise - used
    }

    /// How far below the lowest point of the skin the surface may be that the feet stand on.
    pub(crate) fn footing_reach(&self) -> f64 {
        match self.config.footing {
            FootingRule::Capsule => 0.0,
            FootingRule::Point => {
                f64::from(self.config.step_offset.max(self.config.snap_distance))
            }
        }
    }

    /// At the end of a move on walkable ground: the height of the lowest point of the skin over
    /// the surface straight below, by one ray down the axis.
    ///
    /// A contact as near to the axis as the probe is wide is that surface: there the normal leans
    /// by 1/256, and the two heights differ by 1/256² of the radius, 5 µm for a person.
    #[inline]
    pub(crate) fn measure_sink(&mut self) {
        if self.config.footing == FootingRule::Capsule {
            return;
        }
        let Some(ground) = self.out.ground.filter(|ground| ground.touched && ground.walkable)
        else {
            return;
        };
        let offset = self.center - ground.point;
        let level = offset - self.up * offset.dot(self.up);
        let near = f64::from(self.radius * PROBE_RADIUS);
        if level.length_squared() <= near * near {
            self.sink = ground.distance;
            return;
        }
        self.out.stats.sensor += 1;
        let to_feet = f64::from(self.radius + self.config.contact_offset) + self.hover;
        let depth = to_feet + self.footing_reach();
        let motion = self.in_range(Motion::new(self.up * -depth));
        let origin = self.center - self.half_axis;
        let below = motion.and_then(|motion| self.world.ray_to_wall(origin, &motion));
        self.sink = below.map_or(0.0, |below| (below.hit.distance - to_feet).max(0.0));
    }

    /// Lifts a character whose feet were placed on a walkable slope, until it rests on the slope.
    /// A push out of the slope would also move it to the side.
    #[cold]
    pub(crate) fn place_on_slope(&mut self) {
        if self.config.footing == FootingRule::Capsule {
            return;
        }
        // The largest sink on a walkable slope of up to 60°. A lift by a radius is shorter than
        // the character, so no ceiling fits between the two positions.
        let radius = self.skinned_radius();
        let highest = (radius / self.limits().slope_limit() - radius).min(radius);
        let raised = self.center + self.up * highest;
        let Some(capsule) = self.capsule_at(raised) else { return };
        self.out.stats.overlaps += 1;
        if self.world.overlaps(&capsule) {
            return;
        }
        self.out.stats.down += 1;
        let Some(hit) = self.sweep_vertical(HintSlot::Down, raised, -highest) else { return };
        let lift = highest - hit.hit.distance;
        if lift > CONTACT_TOLERANCE && self.limits().allow_slope(hit.hit.normal) {
            self.center += self.up * lift;
        }
    }
}
