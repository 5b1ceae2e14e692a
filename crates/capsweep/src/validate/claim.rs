//! Claims of clients, and the world in which they are judged.

use crate::Point;
use crate::controller::{Carrier, Mode, Surroundings, Water};
use crate::error::{MAX_POSITION, check_number, check_position, xyz};
use crate::scene::Scene;
use glam::DVec3;

/// A claimed state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Claim<'a> {
    /// Position of the feet, as [`Controller::feet`](crate::controller::Controller::feet) gives
    /// it.
    pub feet: DVec3,
    /// Seconds since the last accepted claim, or since the character was put back, by the client's
    /// clock.
    pub dt: f64,
    /// The same by the server's clock. Equal to `dt` if the server determines the time step.
    pub server_dt: f64,
    /// Claimed velocity (m/s), if there is one. It must be finite; the positions decide whether
    /// the move is possible.
    pub velocity: Option<DVec3>,
    /// Claimed mode, if there is one.
    pub mode: Option<Mode>,
    /// Number of the world that the client is in. It must equal [`ClaimWorld::id`].
    pub world: u64,
    /// The inputs of the ticks since the last claim, if the client sends them. The validator
    /// replays them. A claim that does not match the replay is judged like one without inputs.
    pub inputs: &'a [ClaimTick],
}

impl Claim<'_> {
    /// A claim of a position, `dt` seconds after the last accepted one by both clocks, in world 0.
    pub fn new(feet: DVec3, dt: f64) -> Self {
        Self { feet, dt, server_dt: dt, velocity: None, mode: None, world: 0, inputs: &[] }
    }
}

/// One tick of claimed inputs.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ClaimTick {
    /// As [`LocomotionInput::walk`](crate::controller::LocomotionInput::walk).
    /// [`Steering::velocity`](crate::controller::Steering::velocity) gives it from flags and
    /// facing.
    pub walk: DVec3,
    /// The client jumped.
    pub jump: bool,
    /// Duration of the tick (seconds).
    pub dt: f64,
}

impl ClaimTick {
    /// Whether every number is finite and in range.
    pub(crate) fn is_sound(&self) -> bool {
        check_position(xyz!("walk"), self.walk).is_ok()
            && check_number("dt", self.dt, MAX_POSITION).is_ok()
            && self.dt >= 0.0
    }
}

/// The world in which a claim is judged.
#[derive(Debug, Clone, Copy)]
pub struct ClaimWorld<'a> {
    /// The scene, with all bodies at their poses at the time of the claim.
    pub scene: &'a Scene,
    /// The part of it that the character collides with.
    pub surroundings: Surroundings,
    /// Where the water is.
    pub water: Water,
    /// Doors, lifts and transports that moved since the last accepted claim: their poses then and
    /// now, with
    /// [`Claim::server_dt`] seconds between them.
    pub moved: &'a [Carrier],
    /// The server's number for this world. [`Claim::world`] must equal it.
    pub id: u64,
}

impl<'a> ClaimWorld<'a> {
    /// World 0: the character collides with the whole scene, and no body moves.
    pub fn new(scene: &'a Scene) -> Self {
        let surroundings = Surroundings::default();
        Self { scene, surroundings, water: Water::Scene, moved: &[], id: 0 }
    }

    /// Height along `up` of the water's surface over `point`; `None` if it is in no water.
    pub(crate) fn surface_over(&self, point: DVec3, up: DVec3) -> Option<f64> {
        match self.water {
            Water::None => None,
            Water::Plane { surface } => (surface >= point.dot(up)).then_some(surface),
            Water::Scene if up != DVec3::Z => None,
            Water::Scene => Some(self.scene.liquid_at(&Point::new(point).ok()?)?.surface),
        }
    }
}
