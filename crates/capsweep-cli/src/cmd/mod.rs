//! One file per command; all queries share `query`.

mod bench;
mod build;
mod import;
mod inspect;
mod query;
mod replay;
mod validate;
mod verify;
mod walk;

pub(crate) use bench::bench;
pub(crate) use build::build;
pub(crate) use import::import;
pub(crate) use inspect::inspect;
pub(crate) use query::{liquid, query};
pub(crate) use replay::replay;
pub(crate) use validate::validate;
pub(crate) use verify::verify;
pub(crate) use walk::walk;
