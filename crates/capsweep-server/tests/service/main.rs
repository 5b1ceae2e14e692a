//! Tests of the real `capsweep-server` over the network, against the library.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
#![allow(clippy::too_many_lines, reason = "a test tells a story from start to end")]

mod balancer;
mod bits;
mod cases;
mod deploy;
mod hostile;
mod limits;
mod omit;
mod operation;
mod process;
mod python;
#[path = "../../examples/figures/raw.rs"]
mod raw;
mod security;
mod streams;
mod swap;
