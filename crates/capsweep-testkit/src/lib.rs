//! Test kit of capsweep: an independent [`oracle`], families of hard cases, and a judge that
//! compares the library with the oracle.
//!
//! The oracle shares no code and no method with the library. It has one primitive, the closest
//! point of a shape to a point. Everything else comes from one-dimensional searches over convex
//! functions.
//!
//! [`brute`] is a brute-force reference for scenes, [`level`] generates levels, and [`literal`]
//! implements the capsule-sweep rules literally. [`continent`] generates a world of terrain tiles
//! and placed models, and [`server_files`] writes it in the layouts of game servers. [`answers`]
//! writes the families and the library's answers for numpy. [`Rng`] is the one random generator of
//! all tests.
//!
//! ```
//! use capsweep_testkit::{Family, Pair, run};
//!
//! let report = run(Pair::Box, Family::AnyAxis, 100, 1);
//! assert_eq!((report.queries, report.failures().count()), (100, 0));
//! ```
#![allow(
    clippy::expect_used,
    reason = "generated shapes are valid by construction; an invalid one should stop the run"
)]

pub mod answers;
pub mod brute;
mod case;
mod check;
pub mod claims;
pub mod continent;
mod damage;
mod family;
pub mod height_field;
pub mod level;
pub mod liquid;
pub mod literal;
pub mod oracle;
mod report;
mod rng;
mod seam;
pub mod server_files;

pub use case::{Answers, Case, Expect, Pair, TargetShape};
pub use check::{Fault, Verdict, judge};
pub use damage::Damage;
pub use family::{Family, generate};
pub use report::{Failure, Report, Worst, run};
pub use rng::{Rng, mix};

/// Compiles and runs the samples of the README.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
mod readme {}
