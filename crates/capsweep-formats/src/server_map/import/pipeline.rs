//! Pieces that are made on all cores and written in order.

use super::{ImportError, ImportPart, ImportProgress};
use rayon::prelude::*;
use std::ops::ControlFlow;

/// Pieces that are made before they are written: enough for all cores, and few enough for memory.
/// A tile takes 0.2 MB, the largest models some MB.
const BATCH: usize = 32;

/// A part of an import.
pub(super) struct Pipeline<'a> {
    pub(super) part: ImportPart,
    pub(super) progress: &'a mut (dyn FnMut(ImportProgress) -> ControlFlow<()> + Send),
}

impl Pipeline<'_> {
    /// Makes a value of each item, on all cores, and writes them in the order of the items. One
    /// batch is written while the next is made.
    pub(super) fn run<I: Sync, T: Send>(
        self,
        items: &[I],
        make: impl Fn(&I) -> T + Sync,
        mut write: impl FnMut(&I, T) -> Result<(), ImportError> + Send,
    ) -> Result<(), ImportError> {
        let Self { part, progress } = self;
        let total = items.len() as u64;
        let make_batch =
            |batch: &[I]| -> Vec<T> { batch.par_iter().with_max_len(1).map(&make).collect() };
        let mut done = 0;
        let mut made: Option<(&[I], Vec<T>)> = None;
        for batch in items.chunks(BATCH).map(Some).chain([None]) {
            let ready = made.take();
            if let Some((batch, _)) = &ready {
                done += batch.len() as u64;
            }
            let write_ready = || -> Result<(), ImportError> {
                let Some((items, values)) = ready else { return Ok(()) };
                items.iter().zip(values).try_for_each(|(item, value)| write(item, value))
            };
            let written;
            (written, made) =
                rayon::join(write_ready, || batch.map(|batch| (batch, make_batch(batch))));
            written?;
            if progress(ImportProgress { part, done, total }).is_break() {
                return Err(ImportError::Interrupted);
            }
        }
        Ok(())
    }
}
