//! An independent oracle for capsweep, families of hard cases, and the judge that compares the two; and the
//! capsule-sweep rules' own steps, taken at their word ([`literal`]).
//!
//! The oracle shares no code and no idea with the library: it knows one primitive, the closest point of a shape to a
//! point, and finds everything else by one-dimensional searches over convex functions (see [`oracle`]).
//!
//! ```
//! use capsweep_testkit::{Family, Pair, run};
//!
//! let report = run(Pair::Box, Family::AnyAxis, 100, 1);
//! assert_eq!((report.queries, report.failures().count()), (100, 0));
//! ```
#![allow(
    clippy::expect_used,
    reason = "generators build shapes from numbers that are valid by construction; a wrong one should stop the run"
)]

pub mod brute;
mod case;
mod check;
mod family;
pub mod level;
pub mod literal;
pub mod oracle;
mod report;
mod rng;
mod seam;

pub use case::{Answers, Case, Expect, Pair, TargetShape};
pub use check::{Fault, Verdict, judge};
pub use family::{Family, generate};
pub use report::{Failure, Report, Worst, run};
pub use rng::Rng;

/// The samples of the README, which compile and run as they are.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
mod readme {}
