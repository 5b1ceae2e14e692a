//! Small scenes with one obstacle each: the end position and the reported contacts of a
//! controller.

use crate::engine::controller::{CONTROLLERS, Fall, Touches};
use crate::mesh::{Mesh, Solids};
use crate::queries::{HALF_AXIS, RADIUS};
use anyhow::Result;
use glam::{DVec3, Vec2, Vec3};
use serde::Serialize;

/// Length of one move in metres: 5 m/s at 60 moves per second.
const AHEAD: f32 = 5.0 / 60.0;

/// Number of moves: two seconds, so ten metres without an obstacle.
const MOVES: usize = 120;

/// Height of a character above the floor at the start, in metres. More than any engine's skin.
const DROP: f32 = 0.15;

/// Result of one engine in one scenario.
#[derive(Serialize)]
pub(super) struct Outcome {
    pub(super) scenario: &'static str,
    pub(super) engine: &'static str,
    /// Final position of the capsule's lowest point, without its skin.
    pub(super) feet: [f64; 3],
    /// Reported contacts after the last move.
    pub(super) touches: Touches,
}

/// A scene and the heading of the character from the origin.
struct Scenario {
    name: &'static str,
    build: fn(&mut Solids),
    heading: Vec2,
    /// Height of the floor; characters start at 0.
    floor: f32,
}

impl Scenario {
    const fn ahead(name: &'static str, build: fn(&mut Solids)) -> Self {
        Self { name, build, heading: Vec2::X, floor: 0.0 }
    }

    /// Builds the scene on a floor of 60 × 60 m.
    fn mesh(&self) -> Mesh {
        let mut solids = Solids::new();
        solids.sheet(Vec3::new(-30.0, -30.0, self.floor), Vec2::splat(60.0), 12);
        (self.build)(&mut solids);
        solids.into_mesh(self.name)
    }
}

/// Adds a block that is 10 m wide.
fn block(solids: &mut Solids, from: (f32, f32), to: (f32, f32)) {
    solids.block(Vec3::new(from.0, -5.0, from.1), Vec3::new(to.0, 5.0, to.1));
}

/// Adds a wall with an opening of twice `half_width`, under a lintel at `clear` metres.
fn doorway(solids: &mut Solids, half_width: f32, clear: f32) {
    solids.block(Vec3::new(3.0, -5.0, 0.0), Vec3::new(3.5, -half_width, 3.0));
    solids.block(Vec3::new(3.0, half_width, 0.0), Vec3::new(3.5, 5.0, 3.0));
    solids.block(Vec3::new(3.0, -half_width, clear), Vec3::new(3.5, half_width, 3.0));
}

const SCENARIOS: [Scenario; 14] = [
    Scenario::ahead("flat", |_| {}),
    Scenario::ahead("wall ahead", |solids| block(solids, (3.0, 0.0), (4.0, 3.0))),
    Scenario::ahead("wall at 45°", |solids| {
        let along = Vec2::ONE.normalize();
        solids.turned_block(Vec3::new(4.0, 0.0, 0.0), Vec3::new(16.0, 0.5, 3.0), along);
    }),
    Scenario {
        name: "inside corner",
        build: |solids| {
            solids.block(Vec3::new(3.0, -9.0, 0.0), Vec3::new(4.0, 4.0, 3.0));
            solids.block(Vec3::new(-9.0, 3.0, 0.0), Vec3::new(4.0, 4.0, 3.0));
        },
        heading: Vec2::new(0.8, 0.6),
        floor: 0.0,
    },
    Scenario::ahead("step of 0.4 m", |solids| block(solids, (3.0, 0.0), (20.0, 0.4))),
    Scenario::ahead("step of 0.7 m", |solids| block(solids, (3.0, 0.0), (20.0, 0.7))),
    Scenario::ahead("stairs 18 × 28 cm", |solids| {
        solids.stairs(Vec3::new(3.0, 0.0, 0.0), Vec2::new(0.28, 0.0), 4.0, (0.18, 30));
    }),
    Scenario::ahead("ramp of 40°", |solids| solids.ramp(3.0, 20.0, 40.0)),
    Scenario::ahead("ramp of 50°", |solids| solids.ramp(3.0, 20.0, 50.0)),
    Scenario {
        name: "off a ledge of 2 m",
        build: |solids| block(solids, (-2.0, -2.0), (3.0, 0.0)),
        heading: Vec2::X,
        floor: -2.0,
    },
    Scenario::ahead("doorway 1.2 × 2.03 m", |solids| doorway(solids, 0.6, 2.03)),
    Scenario::ahead("doorway 1.2 × 1.7 m", |solids| doorway(solids, 0.6, 1.7)),
    Scenario::ahead("gap of 0.7 m", |solids| doorway(solids, 0.35, 2.5)),
    Scenario::ahead("wedge ceiling", |solids| solids.lowered_ceiling(3.0, 9.0, (3.0, 1.0))),
];

/// Runs every scenario with every controller.
///
/// # Errors
/// If an engine refuses a mesh or a character.
pub(super) fn all() -> Result<Vec<Outcome>> {
    let mut outcomes = Vec::new();
    for scenario in &SCENARIOS {
        let mesh = scenario.mesh();
        for make in CONTROLLERS {
            let mut controller = make(&mesh)?;
            let middle = DVec3::Z * f64::from(HALF_AXIS + RADIUS);
            let mut center = middle + DVec3::Z * f64::from(DROP);
            let mut touches = Touches::default();
            controller.teleport(center)?;
            let ahead = scenario.heading * AHEAD;
            let mut fall = Fall::default();
            for _ in 0..MOVES {
                let moved = controller.move_by(ahead.extend(fall.next(touches)));
                (center, touches) = (moved.center, moved.touches);
            }
            let feet = (center - middle).to_array();
            let engine = controller.name();
            outcomes.push(Outcome { scenario: scenario.name, engine, feet, touches });
        }
    }
    Ok(outcomes)
}
