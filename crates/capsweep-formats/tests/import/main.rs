//! Imports worlds that the test kit writes, and compares the maps with the source continent.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failure in a helper should stop the test"
)]

mod borders;
mod compare;
mod liquids;
mod models;
mod same_bytes;
mod terrain;
mod walk;
mod world;
