//! Random filters.

use capsweep::Sides;
use capsweep::scene::{Filter, StartOverlaps};
use capsweep_testkit::Rng;

pub(crate) fn filter(rng: &mut Rng) -> Filter {
    Filter {
        sides: if rng.chance(0.6) { Sides::Front } else { Sides::Both },
        start_overlaps: if rng.chance(0.3) { StartOverlaps::Skip } else { StartOverlaps::Report },
        ..Filter::default()
    }
}
