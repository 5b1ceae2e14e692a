//! Writers of server files: bytes typed from the tables of the formats, trees, whole folders.
#![allow(clippy::expect_used, reason = "a helper of a test that cannot go on must stop the test")]

mod bih;
mod literal;
mod maps;
mod models;
mod placements;
mod world;
