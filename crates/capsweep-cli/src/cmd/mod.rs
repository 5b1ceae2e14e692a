//! One file per command.

mod build;
mod closest;
mod overlap;
mod sweep;

pub(crate) use build::build;
pub(crate) use closest::closest;
pub(crate) use overlap::overlap;
pub(crate) use sweep::sweep;
