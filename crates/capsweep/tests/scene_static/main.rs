//! Queries of a scene against every triangle and shape of it, one by one.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a scene that cannot be made fails the test, and its angles need not agree to the bit"
)]

mod batch;
mod closest;
mod overlap;
mod sweep;
mod world;
