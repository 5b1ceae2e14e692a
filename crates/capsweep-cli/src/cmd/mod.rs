//! One file per verb: plan, ask every target, print the best answer.

mod closest;
mod overlap;
mod sweep;

pub(crate) use closest::closest;
pub(crate) use overlap::overlap;
pub(crate) use sweep::sweep;
