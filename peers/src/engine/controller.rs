//! Character controllers, behind one trait.
//!
//! To add one: a file here that implements [`Controller`], and a line in [`CONTROLLERS`].

use super::capsweep::CapsweepController;
use super::physx::PhysXController;
use super::rapier::RapierController;
use crate::mesh::Mesh;
use anyhow::Result;
use glam::{DVec3, Vec3};
use serde::Serialize;

/// Steepest slope that may be climbed, as the cosine of its angle: 45°, the default of `PhysX`.
pub(crate) const SLOPE_LIMIT: f32 = 0.707;

/// Highest step that may be climbed (metres): the default of `PhysX`.
pub(crate) const STEP_OFFSET: f32 = 0.5;

/// Seconds of one move.
pub(crate) const TICK: f32 = 1.0 / 60.0;

/// A character that walks through a mesh: Z up, the capsule of every other question, each engine's own defaults for all but
/// the two limits above.
pub(crate) trait Controller {
    /// The engine's name in tables and files.
    fn name(&self) -> &'static str;

    /// Puts the capsule's centre at `center`, with no memory of where it was.
    fn teleport(&mut self, center: DVec3) -> Result<()>;

    /// Moves by `displacement`, as far as the mesh lets it.
    fn step(&mut self, displacement: Vec3) -> Moved;
}

/// What became of a move.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moved {
    /// Middle of the capsule.
    pub(crate) center: DVec3,
    /// What the engine says it touches.
    pub(crate) touches: Touches,
}

/// Where the engine says that the character touches something.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(crate) struct Touches {
    /// The ground.
    pub(crate) below: bool,
    /// A wall; `None` if the engine does not say.
    pub(crate) sides: Option<bool>,
    /// A ceiling; `None` if the engine does not say.
    pub(crate) above: Option<bool>,
}

impl Touches {
    /// The same in few letters: `B` below, `S` sides, `A` above.
    pub(crate) fn letters(self) -> String {
        let of = |letter: char, touches: bool| if touches { letter } else { '·' };
        [of('B', self.below), of('S', self.sides == Some(true)), of('A', self.above == Some(true))]
            .into_iter()
            .collect()
    }
}

/// Metres a second, a second.
const GRAVITY: f32 = 9.81;

/// A character's fall: it begins again with every move that ends on the ground.
#[derive(Default)]
pub(crate) struct Fall {
    /// Metres a second, downward.
    speed: f32,
}

impl Fall {
    /// How far the next move leads up, after one that ended with `touches`: a negative number.
    pub(crate) fn next(&mut self, touches: Touches) -> f32 {
        if touches.below {
            self.speed = 0.0;
        }
        self.speed += GRAVITY * TICK;
        -self.speed * TICK
    }
}

/// Makes a controller in a mesh.
pub(crate) type Make = fn(&Mesh) -> Result<Box<dyn Controller>>;

/// All of them, in the order of tables.
pub(crate) const CONTROLLERS: [Make; 3] = [
    |mesh| Ok(Box::new(CapsweepController::new(mesh)?)),
    |mesh| Ok(Box::new(PhysXController::new(mesh)?)),
    |mesh| Ok(Box::new(RapierController::new(mesh)?)),
];
