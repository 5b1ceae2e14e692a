//! What supports a character at a claimed position.

use crate::scene::{BodyId, SceneHit, StartOverlaps};
use crate::tolerance::UPRIGHT;
use crate::validate::Support;
use crate::validate::probe::Probe;
use crate::{Motion, Ray, RayHit, SweepHit};
use glam::DVec3;

/// The support below a claimed position.
pub(crate) struct FootingBelow {
    pub(crate) support: Support,
    /// It certainly stands there.
    pub(crate) sure: bool,
    /// How far the ground is above the feet (metres).
    pub(crate) risen: f64,
    /// How far above the feet steep ground begins to carry the round bottom (metres).
    pub(crate) steep_rise: f64,
    /// Height of the contact, or an upper bound.
    pub(crate) contact: f64,
    pub(crate) body: Option<BodyId>,
}

impl FootingBelow {
    /// Notes that it certainly stands on `hit`. Of several hits, the highest contact counts.
    fn stand_on(&mut self, hit: &SceneHit<SweepHit>, feet: f64, up: DVec3) {
        let contact = hit.hit.point.dot(up).max(feet);
        self.contact = if self.sure { self.contact.max(contact) } else { contact };
        self.sure = true;
        self.body = Some(hit.target.body);
    }
}

impl Probe<'_> {
    /// The support under the feet.
    pub(crate) fn support(&mut self, feet: DVec3) -> FootingBelow {
        let found = self.support_at(feet);
        if self.hover == 0.0 || found.support == Support::Ground {
            return found;
        }
        let below = self.support_at(feet - self.up * self.hover);
        if below.support == Support::Ground {
            return below;
        }
        // Under a ceiling it hovers lower.
        let ground = self.ground(feet, self.hover + self.slack());
        if ground.is_some_and(|ground| ground.walkable) {
            return FootingBelow { support: Support::Ground, ..found };
        }
        if below.support == Support::Air { found } else { below }
    }

    fn support_at(&mut self, feet: DVec3) -> FootingBelow {
        let (slack, height) = (self.slack(), feet.dot(self.up));
        // On a slope and on a rim the contact is higher than the feet.
        let rim = height + self.rim() + self.sink;
        let mut found = FootingBelow {
            support: Support::Air,
            sure: false,
            risen: 0.0,
            steep_rise: f64::INFINITY,
            contact: rim,
            body: None,
        };
        let reach = self.raise + slack;
        let (Some(exact), Ok(down)) =
            (self.ball(feet, self.skinned), Motion::new(self.up * -reach))
        else {
            return found;
        };
        let hit = self.sweep(&exact, &down, StartOverlaps::Skip);
        found.risen = hit.as_ref().map_or(0.0, |hit| self.raise - hit.hit.distance);
        let rests = found.risen.abs() <= 2.0 * slack;
        if let Some(hit) = &hit
            && (rests || self.stands_on_point(feet, found.risen))
            && self.can_stand_on(hit)
        {
            found.support = Support::Ground;
            found.sure = rests && self.has_ground_below_axis(feet, found.risen);
            found.body = Some(hit.target.body);
            if found.sure {
                found.contact = hit.hit.point.dot(self.up).max(height);
            }
            return found;
        }
        // Positions have a horizontal error, so any surface that a thicker ball touches may carry
        // the character.
        let thicker = 2.0 * slack;
        let Some(thick) = self.ball(feet, self.skinned + thicker) else { return found };
        self.queries += 1;
        let mut hits = core::mem::take(&mut self.hits);
        let filter = self.filter(StartOverlaps::Skip);
        self.world.scene.sweep_all(&thick, &down, &filter, &mut hits);
        for hit in &hits {
            if self.ignores(hit.target.body) {
                continue;
            }
            let lean = hit.hit.normal.as_dvec3().dot(self.up);
            // The thicker ball touches earlier than the true one.
            let highest = self.raise - hit.hit.distance;
            let lowest = highest - thicker / lean.max(UPRIGHT);
            let rests = lowest <= 3.0 * slack && highest >= -3.0 * slack;
            if self.can_stand_on(hit) && (rests || self.stands_on_point(feet, highest)) {
                found.support = Support::Ground;
                if lowest.abs() <= 3.0 * slack {
                    found.stand_on(hit, height, self.up);
                }
                found.body = found.body.or(Some(hit.target.body));
            } else if lean > UPRIGHT {
                found.steep_rise = found.steep_rise.min(lowest);
                if found.support == Support::Air {
                    found.support = Support::Steep;
                }
            }
        }
        self.hits = hits;
        found.sure = found.sure && self.has_ground_below_axis(feet, found.risen);
        found
    }

    /// Whether feet on the surface straight below the axis may be at `feet`, with the footing rule
    /// `Point`. The round bottom rests `risen` metres above them.
    fn stands_on_point(&mut self, feet: DVec3, risen: f64) -> bool {
        if risen <= 0.0 || risen > 2.0 * self.slack() + self.sink {
            return false;
        }
        let from = risen + self.skinned;
        let slack = 2.0 * self.slack() + 4.0 * self.position_error;
        let (origin, motion) = (feet + self.up * from, self.up * -(from + slack));
        self.places_around(origin)
            .any(|origin| self.ray(origin, motion).is_some_and(|hit| hit.distance >= from - slack))
    }

    /// Whether there is surely walkable ground below the axis of a character at `feet`. With the
    /// footing rule `Point` it slides off an edge otherwise.
    fn has_ground_below_axis(&mut self, feet: DVec3, risen: f64) -> bool {
        if self.sink == 0.0 {
            return true;
        }
        let from = risen.max(0.0) + self.skinned;
        let (origin, motion) = (feet + self.up * from, self.up * -(from + self.sink));
        self.places_around(origin).all(|origin| {
            self.ray(origin, motion).is_some_and(|hit| self.limits.allow_slope(hit.normal))
        })
    }

    /// A place, and the corners of the square of its possible true positions.
    ///
    /// Positions have a horizontal error. A straight edge that crosses that square has at least
    /// one corner of it on each side.
    fn places_around(&self, place: DVec3) -> impl Iterator<Item = DVec3> + use<> {
        let (x, y) = self.up.any_orthonormal_pair();
        let (x, y) = (x * self.position_error, y * self.position_error);
        let places = [DVec3::ZERO, x + y, x - y, y - x, -x - y].map(|aside| place + aside);
        let count = if self.position_error > 0.0 { places.len() } else { 1 };
        places.into_iter().take(count)
    }

    fn ray(&mut self, origin: DVec3, motion: DVec3) -> Option<RayHit> {
        self.queries += 1;
        let ray = Ray::new(origin, Motion::new(motion).ok()?).ok()?;
        let hit = self.world.scene.ray(&ray, &self.filter(StartOverlaps::Skip))?;
        Some(hit.hit)
    }
}
