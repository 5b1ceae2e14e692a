//! The built-in course: a level in code, so that `capsweep walk` needs no file.
//!
//! It runs along x, in metres, Z up. Every station is its own body; the body's key is the index of
//! its name.

mod block;
mod legs;
mod platform;

pub(crate) use legs::legs;
pub(crate) use platform::Platform;

use anyhow::Result;
use block::{Blocks, Stairs};
use capsweep::scene::{Body, MeshOptions, Mobility, Pose, Scene, TriMesh};
use capsweep_formats::{Level, Names};
use glam::{DVec3, dvec3, vec3};
use std::sync::Arc;

/// Name of the course in reports and traces.
pub(crate) const NAME: &str = "the built-in course";

/// Feet of the character at the start.
pub(crate) const START: DVec3 = DVec3::ZERO;

/// The level and its moving platform.
#[derive(Debug, Clone)]
pub(crate) struct Course {
    pub(crate) level: Level,
    pub(crate) platform: Platform,
}

impl Course {
    pub(crate) fn new() -> Result<Self> {
        let mut scene = Scene::new();
        let mut names = Vec::new();
        for (name, blocks) in stations() {
            scene.insert(Body::mesh(mesh(&blocks)?, Pose::IDENTITY)?.with_key(names.len() as u64));
            names.push(name.to_owned());
        }
        let slab = Blocks::default().cuboid(vec3(-1.0, -1.0, -0.3), vec3(1.0, 1.0, 0.0));
        let ends = [dvec3(PLATFORM_FROM, 0.0, DECK), dvec3(PLATFORM_TO, 0.0, LAST_DECK)];
        let body = Body::mesh(mesh(&slab)?, Pose::from_translation(ends[0])?)?
            .with_key(names.len() as u64)
            .with_mobility(Mobility::Dynamic);
        names.push("platform".to_owned());
        let platform = Platform::new(scene.insert(body), ends)?;
        Ok(Self { level: Level::new(scene, Names::new(names, Vec::new())), platform })
    }
}

/// Heights of the deck behind the ramp and of the deck beyond the gap.
const DECK: f64 = 2.0;
const LAST_DECK: f64 = 2.8;
/// x of the platform's centre at both ends, 2 cm from each deck.
const PLATFORM_FROM: f64 = 33.02;
const PLATFORM_TO: f64 = 37.98;

fn mesh(blocks: &Blocks) -> Result<Arc<TriMesh>> {
    Ok(Arc::new(TriMesh::new(&blocks.vertices, &blocks.triangles, MeshOptions::default())?))
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
