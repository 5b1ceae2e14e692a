//! Files written by the tests themselves, and what becomes of them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "these helpers are part of tests: what fails should stop them"
)]

mod files;
mod gltf;
mod gltf_transforms;
mod hostile_gltf;
mod hostile_obj;
mod limits;
mod obj;
mod real;
mod scene_file;
mod whole_file;
