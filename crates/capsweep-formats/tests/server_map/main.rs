//! Parses files of servers, typed byte by byte from the tables of their layouts.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failure in a helper should stop the test"
)]

mod fixtures;
mod folder;
mod frame;
mod game_objects;
mod hostile;
mod largest_allocation;
mod model;
mod model_fixtures;
mod model_name;
mod placements;
mod terrain;
mod terrain_fixtures;
mod terrain_liquid;
mod tile;
mod tree;
