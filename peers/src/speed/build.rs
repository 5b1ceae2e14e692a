//! How long an engine takes to build its search structure, and how much memory that keeps.

use crate::engine::Engine;
use crate::memory;
use crate::mesh::Geometry;
use anyhow::{Context, Result};
use serde::Serialize;
use std::time::Instant;

/// One engine's cost of one mesh before the first query.
#[derive(Serialize)]
pub(super) struct Build {
    pub(super) mesh: String,
    pub(super) engine: &'static str,
    /// Median over the repetitions, milliseconds: from vertices and indices to the first query.
    pub(super) ms: f64,
    /// Heap that it then holds, all in; absent where it cannot be counted.
    pub(super) bytes: Option<usize>,
    pub(super) triangles: usize,
    /// Copies of meshes; absent for a mesh by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) instances: Option<usize>,
}

/// The repeated builds of one engine; the newest is kept.
pub(super) struct Builds<E> {
    built: Option<E>,
    times: Vec<f64>,
    bytes: Option<usize>,
}

impl<E: Engine> Builds<E> {
    /// None yet.
    pub(super) fn new() -> Self {
        Self { built: None, times: Vec::new(), bytes: None }
    }

    /// Builds once more.
    ///
    /// # Errors
    /// If the engine refuses `source`.
    pub(super) fn again(&mut self, source: &E::Source) -> Result<()> {
        self.built = None;
        let before = memory::in_use();
        let start = Instant::now();
        let built = E::build(source)?;
        self.times.push(start.elapsed().as_secs_f64() * 1e3);
        self.bytes =
            memory::in_use().zip(before).map(|(after, before)| after.saturating_sub(before));
        self.built = Some(built);
        Ok(())
    }

    /// The newest build and what the builds cost.
    ///
    /// # Errors
    /// If nothing was built.
    pub(super) fn finish(mut self, source: &E::Source) -> Result<(E, Build)> {
        let built = self.built.context("nothing was built")?;
        let build = Build {
            mesh: source.name().to_owned(),
            engine: E::NAME,
            ms: crate::median(&mut self.times),
            bytes: self.bytes,
            triangles: source.triangles(),
            instances: source.instances(),
        };
        Ok((built, build))
    }
}
