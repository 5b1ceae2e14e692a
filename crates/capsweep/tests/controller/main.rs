//! Characters in small worlds: what they must be able to do, and what they must never do.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper of a test that cannot go on must stop the test"
)]
#![allow(
    clippy::disallowed_methods,
    reason = "ramps and headings come from sines; the one walk whose bits are compared across platforms uses none"
)]

mod configs;
mod corners;
mod crowds;
mod crushes;
mod determinism;
mod flat;
mod hops;
mod hostile;
mod ledges;
mod level;
mod locomotion;
mod places;
mod platforms;
mod recovery;
mod rooms;
mod seams;
mod slopes;
mod squeezes;
mod stairs;
mod walkers;
mod walls;
