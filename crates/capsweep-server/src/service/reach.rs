//! Which single queries are short: they touch a small part of the world, so an I/O thread may run
//! them.

use capsweep::Capsule;
use capsweep::controller::{Carrier, CharacterState, Controller, Locomotion};
use capsweep::query::batch::{ClosestQuery, OverlapQuery, RayQuery, SweepQuery};
use capsweep_proto::{MoveQuery, SupportsQuery, TickQuery};
use glam::DVec3;

/// Longest reach of a short query: some microseconds of work in a dense world.
const SHORT: f64 = 100.0;

/// Largest size of the capsule of a short query. What a capsule reaches grows with its width, too.
const SMALL: f64 = 5.0;

/// The part of the world that a query can touch.
pub(super) trait Reach {
    /// The way of its capsule or ray.
    fn way(&self) -> f64;

    /// The longest extent of its capsule.
    fn size(&self) -> f64;

    /// False for NaN.
    fn is_short(&self) -> bool {
        self.way() <= SHORT && self.size() <= SMALL
    }
}

fn extent(height: f64, radius: f64) -> f64 {
    height.max(2.0 * radius)
}

fn extent_of(capsule: &Capsule) -> f64 {
    extent(capsule.total_height(), capsule.radius().into())
}

fn extent_of_character(state: &CharacterState) -> f64 {
    extent(state.total_height().into(), state.radius().into())
}

/// How far a carrier takes a character. The farther it is from the middle, the more a turn does.
fn carried(carrier: Option<&Carrier>, state: &CharacterState) -> f64 {
    carrier.map_or(0.0, |Carrier { previous, next, .. }| {
        let from_middle = (state.center() - previous.position()).length();
        let is_turned = previous.rotation() != next.rotation();
        let turned = if is_turned { 2.0 * from_middle } else { 0.0 };
        (next.position() - previous.position()).length() + turned
    })
}

/// How far the passes of a move look beyond its displacement.
fn looks(controller: &Controller) -> f64 {
    let config = controller.config();
    f64::from(config.step_offset) + f64::from(config.snap_distance)
}

impl Reach for SweepQuery {
    fn way(&self) -> f64 {
        self.motion.length()
    }

    fn size(&self) -> f64 {
        extent_of(&self.capsule)
    }
}

impl Reach for OverlapQuery {
    fn way(&self) -> f64 {
        0.0
    }

    fn size(&self) -> f64 {
        extent_of(&self.capsule)
    }
}

impl Reach for ClosestQuery {
    fn way(&self) -> f64 {
        self.limit.metres()
    }

    fn size(&self) -> f64 {
        extent_of(&self.capsule)
    }
}

impl Reach for RayQuery {
    fn way(&self) -> f64 {
        self.ray.motion().length()
    }

    fn size(&self) -> f64 {
        0.0
    }
}

impl Reach for SupportsQuery {
    fn way(&self) -> f64 {
        self.column.above() + self.column.below()
    }

    fn size(&self) -> f64 {
        0.0
    }
}

impl Reach for (&Controller, &MoveQuery) {
    fn way(&self) -> f64 {
        let (controller, MoveQuery { state, input }) = self;
        let carried = carried(input.carrier.as_ref(), state);
        input.displacement.length() + input.hover + looks(controller) + carried
    }

    fn size(&self) -> f64 {
        extent_of_character(&self.1.state)
    }
}

impl Reach for (&Locomotion, &TickQuery) {
    fn way(&self) -> f64 {
        let (locomotion, TickQuery { state, input }) = self;
        let config = locomotion.config();
        let knocked = input.knock_back.map_or(0.0, DVec3::length);
        let boarded = state.boarded.map_or(0.0, |boarded| boarded.velocity.length());
        let jump = config.jump_speed.max(config.swim_jump_speed).max(config.float_speed);
        let fall = (config.gravity * input.dt).min(config.terminal_speed);
        let speed =
            state.velocity.length() + input.walk.length() + knocked + boarded + jump + fall;
        let carried = carried(input.carrier.as_ref(), &state.character);
        let looks = looks(locomotion.controller());
        speed * input.dt + input.abilities.hover + looks + carried
    }

    fn size(&self) -> f64 {
        extent_of_character(&self.1.state.character)
    }
}

#[cfg(test)]
mod tests {
    use super::Reach as _;
    use capsweep::Capsule;
    use capsweep::controller::{
        Controller, ControllerConfig, Locomotion, LocomotionConfig, LocomotionInput,
        LocomotionState,
    };
    use capsweep::query::batch::OverlapQuery;
    use capsweep::scene::Filter;
    use capsweep_proto::TickQuery;
    use glam::DVec3;

    #[test]
    fn wide_capsules_and_fast_falls_are_no_short_queries() {
        let overlap = |radius| {
            let capsule = Capsule::new(DVec3::ZERO, DVec3::ZERO, radius).unwrap();
            OverlapQuery { capsule, filter: Filter::default() }
        };
        assert!(overlap(0.5).is_short());
        assert!(!overlap(40.0).is_short());
        let controller = Controller::new(ControllerConfig::human(DVec3::Z)).unwrap();
        let state = LocomotionState::at_rest(controller.spawn(DVec3::ZERO).unwrap());
        let query = TickQuery { state, input: LocomotionInput::new(DVec3::ZERO, 1.0 / 60.0) };
        let human = LocomotionConfig::human();
        let is_short = |config| {
            let locomotion = Locomotion::new(controller, config).unwrap();
            (&locomotion, &query).is_short()
        };
        assert!(is_short(human));
        assert!(!is_short(LocomotionConfig { jump_speed: 1e5, ..human }));
        let heavy = LocomotionConfig { gravity: 1e6, terminal_speed: 1e6, ..human };
        assert!(!is_short(heavy));
    }
}
