//! Queries against single targets: query each alone, then choose the hit that a scene would report
//! (docs/conventions.md). Internal edges between targets get no correction.

use crate::target::Target;
use capsweep::CONTACT_TOLERANCE;
use capsweep::scene::Filter;

/// The number of a target and its hit.
pub(super) type TargetHit<T> = (usize, T);

/// Runs `query` against every target. A mask of 0 sees nothing, as in a scene.
pub(super) fn query_each<T>(
    targets: &[Target],
    filter: &Filter,
    query: impl Fn(&Target) -> Option<T>,
) -> Vec<TargetHit<T>> {
    let visible = if filter.mask == 0 { &[] } else { targets };
    visible
        .iter()
        .enumerate()
        .filter_map(|(index, target)| Some((index, query(target)?)))
        .collect()
}

/// The smallest `rank`, and the most head-on of the hits within [`CONTACT_TOLERANCE`] of it; of
/// equals, the first.
pub(super) fn best_hit<T>(
    hits: Vec<TargetHit<T>>,
    rank: impl Fn(&T) -> f64,
    head_on: impl Fn(&T) -> f64,
) -> Option<(f64, TargetHit<T>)> {
    let least = hits.iter().map(|(_, hit)| rank(hit)).reduce(f64::min)?;
    let ties = hits.into_iter().filter(|(_, hit)| rank(hit) <= least + CONTACT_TOLERANCE);
    let best =
        ties.reduce(|best, next| if head_on(&next.1) > head_on(&best.1) { next } else { best })?;
    Some((least, best))
}
