//! The built-in course: a level in code, so that `capsweep walk` needs no file.
//!
//! It runs along x, in metres, Z up. Every station is a body of its own; its key is the number of its name.

mod block;
mod ferry;
mod legs;

pub(crate) use ferry::Ferry;
pub(crate) use legs::legs;

use anyhow::Result;
use block::{Blocks, Stairs};
use capsweep::scene::{Body, MeshOptions, Mobility, Pose, Scene, TriMesh};
use capsweep_formats::{Level, Names};
use glam::{DVec3, dvec3, vec3};
use std::sync::Arc;

/// What scripts and traces call it.
pub(crate) const NAME: &str = "the built-in course";

/// Where the walk begins.
pub(crate) const START: DVec3 = DVec3::ZERO;

/// The level, and the body of it that moves.
#[derive(Debug, Clone)]
pub(crate) struct Course {
    pub(crate) level: Level,
    pub(crate) ferry: Ferry,
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
        let ends = [dvec3(FERRY_FROM, 0.0, DECK), dvec3(FERRY_TO, 0.0, LAST_DECK)];
        let body = Body::mesh(mesh(&slab)?, Pose::from_translation(ends[0])?)?
            .with_key(names.len() as u64)
            .with_mobility(Mobility::Dynamic);
        names.push("platform".to_owned());
        let ferry = Ferry::new(scene.insert(body), ends)?;
        Ok(Self { level: Level { scene, names: Names::new(names, Vec::new()) }, ferry })
    }
}

/// Height of the deck that the ramp leads to, and of the one beyond the gap.
const DECK: f64 = 2.0;
const LAST_DECK: f64 = 2.8;
/// The middle of the platform at the two ends of its way: a gap of 2 cm to each deck.
const FERRY_FROM: f64 = 33.02;
const FERRY_TO: f64 = 37.98;

fn mesh(blocks: &Blocks) -> Result<Arc<TriMesh>> {
    Ok(Arc::new(TriMesh::new(&blocks.vertices, &blocks.triangles, MeshOptions::default())?))
}

/// What stands still, from the start to the end.
fn stations() -> Vec<(&'static str, Blocks)> {
    let block = Blocks::default;
    let (deck, last_deck) = (DECK as f32, LAST_DECK as f32);
    vec![
        ("floor", block().cuboid(vec3(-1.5, -3.0, -0.4), vec3(32.0, 3.0, 0.0))),
        ("wall", block().cuboid(vec3(0.5, 1.6, 0.0), vec3(7.0, 1.9, 2.4))),
        // Wide enough for the walker by 36 cm, higher by 23.
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
        // Too high for a step, low enough for a jump.
        ("crate", block().cuboid(vec3(18.0, -0.6, 0.0), vec3(19.0, 0.6, 0.46))),
        ("low beam", block().cuboid(vec3(21.5, -3.0, 1.3), vec3(23.3, 3.0, 1.8))),
        // 60°, where 50° can be walked.
        ("steep bank", block().prism(&[(25.0, 0.0), (26.0, 0.0), (26.0, 1.732)], [1.0, 3.0])),
        ("ramp", block().prism(&[(25.5, 0.0), (30.0, 0.0), (30.0, deck)], [-1.5, 0.9])),
        ("deck", block().cuboid(vec3(30.0, -1.5, 0.0), vec3(32.0, 1.5, deck))),
        (
            "last deck",
            block().cuboid(vec3(39.0, -1.5, last_deck - 0.4), vec3(42.0, 1.5, last_deck)),
        ),
    ]
}
