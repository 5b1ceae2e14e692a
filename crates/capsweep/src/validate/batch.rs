//! Batches of claims. With the feature `rayon` they run in the caller's pool, otherwise in
//! sequence.

use crate::validate::{Accepted, Claim, ClaimWorld, Judgement, Validator};

/// One character's claim in a batch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClaimJob<'a> {
    /// The last accepted state.
    pub accepted: Accepted,
    /// The claim.
    pub claim: Claim<'a>,
    /// The judgement. [`Validator::check_all`] sets it.
    pub judgement: Option<Judgement>,
}

impl<'a> ClaimJob<'a> {
    /// A claim that is not judged yet.
    pub fn new(accepted: Accepted, claim: Claim<'a>) -> Self {
        Self { accepted, claim, judgement: None }
    }
}

impl Validator {
    /// Judges every claim. Each judgement has the same bits as that of [`Validator::check`].
    pub fn check_all(&self, world: &ClaimWorld, jobs: &mut [ClaimJob]) {
        let judge = |job: &mut ClaimJob| {
            job.judgement = Some(self.check(world, &job.accepted, &job.claim));
        };
        #[cfg(feature = "rayon")]
        {
            use rayon::iter::{IntoParallelRefMutIterator, ParallelIterator};
            jobs.par_iter_mut().for_each(judge);
        }
        #[cfg(not(feature = "rayon"))]
        jobs.iter_mut().for_each(judge);
    }
}
