//! Culling in f32: it rejects nothing that the exact solver would hit.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper of a test that cannot go on must stop the test"
)]

mod false_rejections;
mod thin_triangles;
