//! Character controllers, behind one trait.
//!
//! To add one, implement [`Controller`] in a file here and add a line to [`CONTROLLERS`].

use super::capsweep::CapsweepController;
use super::physx::PhysXController;
use super::rapier::RapierController;
use crate::mesh::Mesh;
use anyhow::Result;
use glam::{DVec3, Vec3};
use serde::Serialize;

/// Steepest slope that may be climbed, as the cosine of its angle: 45°, the default of `PhysX`.
pub(crate) const SLOPE_LIMIT: f32 = 0.707;

/// Highest step that may be climbed, in metres: the default of `PhysX`.
pub(crate) const STEP_OFFSET: f32 = 0.5;

/// Seconds of one move.
pub(crate) const TICK: f32 = 1.0 / 60.0;

/// A character in a mesh: Z up, with the capsule of all queries.
///
/// Everything except the two limits above is the engine's default.
pub(crate) trait Controller {
    /// The engine's name in tables and files.
    fn name(&self) -> &'static str;

    /// Places the capsule's centre at `center` and resets all state.
    fn teleport(&mut self, center: DVec3) -> Result<()>;

    /// Moves by `displacement`, as far as the mesh allows.
    fn move_by(&mut self, displacement: Vec3) -> MoveResult;
}

/// Result of a move.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MoveResult {
    /// Middle of the capsule.
    pub(crate) center: DVec3,
    /// The contacts that the engine reports.
    pub(crate) touches: Touches,
}

/// The sides on which the engine reports contacts.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(crate) struct Touches {
    /// The ground.
    pub(crate) below: bool,
    /// A wall; `None` if the engine does not report it.
    pub(crate) sides: Option<bool>,
    /// A ceiling; `None` if the engine does not report it.
    pub(crate) above: Option<bool>,
}

impl Touches {
    /// Three letters: `B` below, `S` sides, `A` above.
    pub(crate) fn letters(self) -> String {
        let of = |letter: char, touches: bool| if touches { letter } else { '·' };
        [of('B', self.below), of('S', self.sides == Some(true)), of('A', self.above == Some(true))]
            .into_iter()
            .collect()
    }
}

/// Metres per second squared.
const GRAVITY: f32 = 9.81;

/// The free fall of a character. It starts again after every move that ends on the ground.
#[derive(Default)]
pub(crate) struct Fall {
    /// Metres per second, downward.
    speed: f32,
}

impl Fall {
    /// Vertical part of the next move, after one that ended with `touches`. Always negative.
    pub(crate) fn next(&mut self, touches: Touches) -> f32 {
        if touches.below {
            self.speed = 0.0;
        }
        self.speed += GRAVITY * TICK;
        -self.speed * TICK
    }
}

/// Makes a character in a mesh.
pub(crate) type MakeController = fn(&Mesh) -> Result<Box<dyn Controller>>;

/// All controllers, in the order of tables.
pub(crate) const CONTROLLERS: [MakeController; 3] = [
    |mesh| Ok(Box::new(CapsweepController::new(mesh)?)),
    |mesh| Ok(Box::new(PhysXController::new(mesh)?)),
    |mesh| Ok(Box::new(RapierController::new(mesh)?)),
];
