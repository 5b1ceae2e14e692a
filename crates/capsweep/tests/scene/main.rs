//! Scenes over time: bodies come, move and go; clones and swapped worlds keep their answers.
//! Liquids of scenes.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper of a test that cannot go on must stop the test"
)]

#[path = "../common/files.rs"]
mod files;
#[path = "../common/filters.rs"]
mod filters;

mod history;
mod life;
mod liquid;
mod swap;
