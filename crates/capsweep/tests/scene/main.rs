//! Scenes, held to their slow twin: what a tree, a filter or an order of insertion may never change.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper of a test that cannot go on must stop the test"
)]

mod brute_force;
mod culling;
mod history;
mod life;
mod masks;
mod placement;
mod queries;
mod source;
mod special;
mod ties;
mod window;
