//! One file per command; what questions there are is in `query`.

mod bench;
mod build;
mod inspect;
mod question;
mod replay;
mod verify;
mod walk;

pub(crate) use bench::bench;
pub(crate) use build::build;
pub(crate) use inspect::inspect;
pub(crate) use question::question;
pub(crate) use replay::replay;
pub(crate) use verify::verify;
pub(crate) use walk::walk;
