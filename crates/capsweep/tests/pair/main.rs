//! One capsule or ray against one shape: the contract, the oracle, tolerances.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper of a test that cannot go on must stop the test"
)]

#[path = "../common/files.rs"]
mod files;
#[path = "../common/ray_shapes.rs"]
mod ray_shapes;

mod contract;
mod distance;
mod oracle;
mod ray;
mod ray_values;
mod tolerance;
mod values;
mod window;
