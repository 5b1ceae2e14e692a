//! Of the answers of single targets the one that a scene would give: each target is asked for itself, and ties are decided as
//! everywhere (docs/conventions.md). Seams between targets are not looked for.

use crate::target::Target;
use capsweep::CONTACT_TOLERANCE;
use capsweep::scene::Filter;

/// A target's number and its answer.
pub(super) type Found<T> = (usize, T);

/// Every target's answer; none where the mask has no bit, which sees nothing.
pub(super) fn ask_each<T>(
    targets: &[Target],
    filter: &Filter,
    ask: impl Fn(&Target) -> Option<T>,
) -> Vec<Found<T>> {
    let seen = if filter.mask == 0 { &[] } else { targets };
    seen.iter().enumerate().filter_map(|(index, target)| Some((index, ask(target)?))).collect()
}

/// The least `rank`, and of the answers within [`CONTACT_TOLERANCE`] of it the most head-on; of equals the first.
pub(super) fn choose<T>(
    found: Vec<Found<T>>,
    rank: impl Fn(&T) -> f64,
    head_on: impl Fn(&T) -> f64,
) -> Option<(f64, Found<T>)> {
    let least = found.iter().map(|(_, answer)| rank(answer)).reduce(f64::min)?;
    let ties = found.into_iter().filter(|(_, answer)| rank(answer) <= least + CONTACT_TOLERANCE);
    let chosen =
        ties.reduce(|best, next| if head_on(&next.1) > head_on(&best.1) { next } else { best })?;
    Some((least, chosen))
}
