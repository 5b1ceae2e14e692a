//! Build time and memory of an engine's search structure.

use crate::engine::Engine;
use crate::memory;
use crate::mesh::Geometry;
use anyhow::{Context, Result};
use serde::Serialize;
use std::time::Instant;

/// Build cost of one engine for one mesh.
#[derive(Serialize)]
pub(super) struct Build {
    pub(super) mesh: String,
    pub(super) engine: &'static str,
    /// Median over the repetitions, milliseconds: from vertices and indices to the first query.
    pub(super) ms: f64,
    /// Heap memory that it then holds in total; absent if it cannot be measured.
    pub(super) bytes: Option<usize>,
    pub(super) triangles: usize,
    /// Number of instances; absent for a single mesh.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) instances: Option<usize>,
}

/// Repeated builds of one engine. The last one is kept.
pub(super) struct Builds<E> {
    built: Option<E>,
    times: Vec<f64>,
    bytes: Option<usize>,
}

impl<E: Engine> Builds<E> {
    /// Starts without a build.
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

    /// Returns the last build and the costs.
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
