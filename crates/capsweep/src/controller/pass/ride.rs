//! Being carried along by what moves under the feet.

use crate::cache::HintSlot;
use crate::controller::input::{Carrier, MoveInput, Ride};
use crate::controller::outcome::{Ground, Pass};
use crate::controller::pass::context::MoveContext;
use crate::controller::state::{CharacterState, Footing};
use crate::scene::{SceneHit, StartOverlaps};
use crate::{Motion, SweepHit};
use glam::DVec3;

impl MoveContext<'_> {
    /// Lifts the character with the body under its feet, and returns the rest of the body's displacement: to be walked and fallen.
    ///
    /// The lift is swept, so nobody is lifted through a ceiling. The body itself is at its next pose already, and overlaps whoever it
    /// lifts; a motion that leads out of an overlap is not stopped by it.
    pub(crate) fn ride(&mut self, state: &CharacterState, input: &MoveInput) -> DVec3 {
        let (Some(footing), Some(carrier)) = (&state.footing, &input.carrier) else {
            return DVec3::ZERO;
        };
        if !carrier.body.names_same(footing.body) || carrier.ride == Ride::Caller {
            return DVec3::ZERO;
        }
        let whole = carrier.forward(footing.point) - footing.point;
        let rise = whole.dot(self.up);
        let level = match carrier.ride {
            Ride::Full => whole - self.up * rise,
            Ride::Vertical | Ride::Caller => DVec3::ZERO,
        };
        self.out.carried.displacement = level + self.up * rise;
        self.out.carried.rotation =
            carrier.next.rotation() * carrier.previous.rotation().conjugate();
        if rise <= 0.0 {
            return level + self.up * rise;
        }
        let lift = self.up * rise;
        self.out.stats.up += 1;
        let mut hit = self.sweep_up(HintSlot::Up, self.center, rise);
        if hit.as_ref().is_some_and(|hit| self.is_lifted_by(hit, carrier)) {
            let ways = self.capsule_at(self.center).zip(self.in_range(Motion::new(lift)));
            hit = ways.and_then(|(capsule, motion)| {
                let (way, report) = ((&capsule, &motion), StartOverlaps::Report);
                self.world.sweep_past_body(way, carrier.body, report)
            });
        }
        match &hit {
            None => self.center += lift,
            Some(hit) => {
                self.center += lift * hit.hit.time;
                self.out.carried.blocked = true;
                self.out.touching.above = true;
                self.touch(Pass::Ride, hit);
            }
        }
        level
    }

    /// Whether what is in the way of a lift is the lifting body, from below. A sweep also reports
    /// surfaces with two sides that it leads out of.
    fn is_lifted_by(&self, hit: &SceneHit<SweepHit>, carrier: &Carrier) -> bool {
        hit.hit.starts_overlapping()
            && hit.target.body.names_same(carrier.body)
            && hit.hit.normal.as_dvec3().dot(self.up) > 0.0
    }
}

impl Carrier {
    /// Where a point of the body was taken.
    fn forward(&self, point: DVec3) -> DVec3 {
        self.next.point_to_world(self.previous.point_to_local(point))
    }

    /// Where a point of the body was taken from.
    fn back(&self, point: DVec3) -> DVec3 {
        self.previous.point_to_world(self.next.point_to_local(point))
    }
}

impl MoveInput {
    /// A footing where the body under it took it, and how fast.
    pub(crate) fn carried(&self, footing: Footing) -> Footing {
        match &self.carrier {
            Some(carrier)
                if carrier.body.names_same(footing.body) && carrier.ride != Ride::Caller =>
            {
                let point = carrier.forward(footing.point);
                let still = DVec3::ZERO;
                let velocity =
                    if self.dt > 0.0 { (point - footing.point) / self.dt } else { still };
                Footing { point, velocity, ..footing }
            }
            _ => footing,
        }
    }

    /// How fast the ground moves; 0 if it does not, or nobody said how.
    pub(crate) fn velocity_of(&self, ground: &Ground) -> DVec3 {
        match &self.carrier {
            Some(carrier) if carrier.body.names_same(ground.target.body) && self.dt > 0.0 => {
                (ground.point - carrier.back(ground.point)) / self.dt
            }
            _ => DVec3::ZERO,
        }
    }
}
