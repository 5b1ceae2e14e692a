//! The contract, tested from its words alone: every expectation here comes from hand-made closed forms, from
//! minimised distances or from invariances, and none from the library.
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a helper of a test that cannot go on must stop the test"
)]

mod ends;
mod extremes;
mod fuzz;
mod hostile;
mod invariance;
mod overlapping;
mod referee;
mod reference;
mod report;
mod scene;
mod sides;
mod touching;
