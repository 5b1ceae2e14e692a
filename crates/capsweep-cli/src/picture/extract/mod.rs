//! The data of a picture, extracted from the walk and the level.
//!
//! From the walk: its [`path`], and its contacts and events ([`marks`]). From the level: the
//! [`relief`] for the plan, the [`section`] for the elevation, and the visible [`edges`].

pub(crate) mod edges;
pub(crate) mod marks;
pub(crate) mod path;
pub(crate) mod relief;
pub(crate) mod section;
#[cfg(test)]
mod tests;
