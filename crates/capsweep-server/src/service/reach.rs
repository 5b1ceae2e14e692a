//! Which single queries are short: they touch a small part of the world, so an I/O thread may run
//! them.

use capsweep::query::batch::{ClosestQuery, OverlapQuery, RayQuery, SweepQuery};
use capsweep_proto::{MoveQuery, SupportsQuery, TickQuery};
use glam::DVec3;

/// Longest reach of a short query: some microseconds of work in a dense world.
const SHORT: f64 = 100.0;

/// Distance that a query can reach.
pub(super) trait Reach {
    fn reach(&self) -> f64;

    /// False for NaN.
    fn is_short(&self) -> bool {
        self.reach() <= SHORT
    }
}

impl Reach for SweepQuery {
    fn reach(&self) -> f64 {
        self.capsule.total_height() + self.motion.length()
    }
}

impl Reach for OverlapQuery {
    fn reach(&self) -> f64 {
        self.capsule.total_height()
    }
}

impl Reach for ClosestQuery {
    fn reach(&self) -> f64 {
        self.capsule.total_height() + self.limit.metres()
    }
}

impl Reach for RayQuery {
    fn reach(&self) -> f64 {
        self.ray.motion().length()
    }
}

impl Reach for SupportsQuery {
    fn reach(&self) -> f64 {
        self.column.above() + self.column.below()
    }
}

impl Reach for MoveQuery {
    fn reach(&self) -> f64 {
        let size = f64::from(self.state.total_height()) + f64::from(self.state.radius());
        let carried = self.input.carrier.map_or(0.0, |carrier| {
            (carrier.next.position() - carrier.previous.position()).length()
        });
        size + self.input.displacement.length() + self.input.hover + carried
    }
}

impl Reach for TickQuery {
    fn reach(&self) -> f64 {
        let size = f64::from(self.state.character.total_height());
        let knocked = self.input.knock_back.map_or(0.0, DVec3::length);
        let boarded = self.state.boarded.map_or(0.0, |boarded| boarded.velocity.length());
        let carried = self.input.carrier.map_or(0.0, |carrier| {
            (carrier.next.position() - carrier.previous.position()).length()
        });
        // With the gravity of a game, a tick of one second falls less than this.
        let speed = self.state.velocity.length() + self.input.walk.length() + knocked + boarded;
        size + (speed + 50.0) * self.input.dt + self.input.abilities.hover + carried
    }
}
