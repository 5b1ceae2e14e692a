//! The built-in course: a level in code, for programs that start without a file.
//!
//! It runs along x, in metres, Z up: a wall, a doorway, stairs, a crate, a low beam, a steep bank,
//! a ramp, and a platform that may move between two decks. Every station is its own body; the
//! body's key is the index of its name.

mod block;

use crate::{Level, Names, WorldError};
use block::{Blocks, Stairs};
use capsweep::ShapeError;
use capsweep::scene::{Body, BodyId, MeshOptions, Mobility, Pose, Scene, TriMesh};
use glam::{DVec3, dvec3, vec3};
use std::sync::Arc;

/// Name of the course in reports and traces.
pub const NAME: &str = "the built-in course";

/// Feet of a character at the start.
pub const START: DVec3 = DVec3::ZERO;

/// The level and its platform.
#[derive(Debug, Clone)]
pub struct Course {
    /// The level.
    pub level: Level,
    /// The platform: a dynamic body, which stands at its first end.
    pub platform: BodyId,
    /// Both ends of the platform's way.
    pub platform_ends: [DVec3; 2],
}

impl Course {
    /// Builds the course.
    ///
    /// # Errors
    /// None in practice: the numbers of the course are valid.
    pub fn new() -> Result<Self, WorldError> {
        let mut scene = Scene::new();
        let mut names = Vec::new();
        for (name, blocks) in stations() {
            let body = placed(name, &blocks, DVec3::ZERO)?.with_key(names.len() as u64);
            scene.insert(body);
            names.push(name.to_owned());
        }
        let slab = Blocks::default().cuboid(vec3(-1.0, -1.0, -0.3), vec3(1.0, 1.0, 0.0));
        let platform_ends = [dvec3(PLATFORM_FROM, 0.0, DECK), dvec3(PLATFORM_TO, 0.0, LAST_DECK)];
        let body = placed("platform", &slab, platform_ends[0])?
            .with_key(names.len() as u64)
            .with_mobility(Mobility::Dynamic);
        names.push("platform".to_owned());
        let platform = scene.insert(body);
        let level = Level::new(scene, Names::new(names, Vec::new()));
        Ok(Self { level, platform, platform_ends })
    }
}

/// Heights of the deck behind the ramp and of the deck beyond the gap.
const DECK: f64 = 2.0;
const LAST_DECK: f64 = 2.8;
/// x of the platform's centre at both ends, 2 cm from each deck.
const PLATFORM_FROM: f64 = 33.02;
const PLATFORM_TO: f64 = 37.98;

fn placed(name: &str, blocks: &Blocks, position: DVec3) -> Result<Body, WorldError> {
    let mesh = TriMesh::new(&blocks.vertices, &blocks.triangles, MeshOptions::default())
        .map_err(|error| WorldError::Model { model: name.to_owned(), error })?;
    let out_of_range =
        |error: ShapeError| WorldError::Placement { placement: name.to_owned(), error };
    let pose = Pose::from_translation(position).map_err(out_of_range)?;
    Body::mesh(Arc::new(mesh), pose).map_err(out_of_range)
}

/// The static stations, from the start to the end.
fn stations() -> Vec<(&'static str, Blocks)> {
    let block = Blocks::default;
    let (deck, last_deck) = (DECK as f32, LAST_DECK as f32);
    vec![
        ("floor", block().cuboid(vec3(-1.5, -3.0, -0.4), vec3(32.0, 3.0, 0.0))),
        ("wall", block().cuboid(vec3(0.5, 1.6, 0.0), vec3(7.0, 1.9, 2.4))),
        // 36 cm wider and 23 cm higher than the character.
        (
            "doorway",
            block()
                .cuboid(vec3(8.8, -3.0, 0.0), vec3(9.1, -0.5, 2.6))
                .cuboid(vec3(8.8, 0.5, 0.0), vec3(9.1, 3.0, 2.6))
                .cuboid(vec3(8.8, -0.5, 2.05), vec3(9.1, 0.5, 2.6)),
        ),
        (
            "stairs",
            block()
                .stairs(vec3(10.8, -1.2, 0.0), 2.4, &Stairs { steps: 8, rise: 0.2, run: 0.3 })
                .cuboid(vec3(13.2, -1.2, 0.0), vec3(15.6, 1.2, 1.6)),
        ),
        // Too high to step onto, low enough to jump onto.
        ("crate", block().cuboid(vec3(18.0, -0.6, 0.0), vec3(19.0, 0.6, 0.46))),
        ("low beam", block().cuboid(vec3(21.5, -3.0, 1.3), vec3(23.3, 3.0, 1.8))),
        // 60°: the character walks up to 50°.
        ("steep bank", block().prism(&[(25.0, 0.0), (26.0, 0.0), (26.0, 1.732)], [1.0, 3.0])),
        ("ramp", block().prism(&[(25.5, 0.0), (30.0, 0.0), (30.0, deck)], [-1.5, 0.9])),
        ("deck", block().cuboid(vec3(30.0, -1.5, 0.0), vec3(32.0, 1.5, deck))),
        (
            "last deck",
            block().cuboid(vec3(39.0, -1.5, last_deck - 0.4), vec3(42.0, 1.5, last_deck)),
        ),
    ]
}
