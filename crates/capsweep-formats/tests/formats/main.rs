//! Loads files that the tests write, and checks the worlds, scenes and errors.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failure in a helper should stop the test"
)]

mod errors;
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
