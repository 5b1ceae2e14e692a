//! The character controller in small generated levels, one file for each family of scenarios.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test helper that cannot go on must stop the test"
)]
#![allow(
    clippy::disallowed_methods,
    reason = "levels and headings use sines; the walk that is compared across platforms uses none"
)]

mod configs;
mod contacts;
mod corners;
mod counts;
mod crowds;
mod crush;
mod determinism;
mod flat;
mod footing;
mod hops;
mod hostile;
mod ledges;
mod level;
mod locomotion;
mod modes;
mod placement;
mod platforms;
mod random_walks;
mod recordings;
mod recovery;
mod rooms;
mod rounds;
mod seams;
mod slopes;
mod squeezes;
mod stairs;
mod values;
mod walls;
