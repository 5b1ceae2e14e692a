//! Walks of a character through a level, for `capsweep walk`.
//!
//! A [`script`] or the [`crate::course`] lists the [`leg`]s, or [`route`] searches for some.
//! [`character`] walks them and records every move. The [`report`], the [`table`], the trace and
//! the pictures are all made from these records.

#![allow(clippy::cast_sign_loss, reason = "counts of moves and walks are not negative")]

pub(crate) mod character;
pub(crate) mod leg;
pub(crate) mod report;
pub(crate) mod route;
pub(crate) mod script;
pub(crate) mod start;
pub(crate) mod table;
#[cfg(test)]
mod tests;
