//! A capsule and one shape: the contract, written once for every pair, and the public functions.

pub(crate) mod closest;
pub(crate) mod contract;
pub(crate) mod distance;
pub(crate) mod overlap;
pub(crate) mod ray;
pub mod rules;
pub(crate) mod sweep;
pub(crate) mod target;
