//! Validation of claimed moves.
#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a helper of a test that cannot go on must stop the test"
)]

mod claims;
mod events;
mod hostile;
mod level;
mod pieces;
mod regressions;
mod replay;
mod served;
mod verdicts;
