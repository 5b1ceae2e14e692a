//! A character walks a route through a level: what `capsweep walk` does.
//!
//! [`script`] and [`crate::course`] say which [`leg`]s, or [`route`] finds some; [`walker`] walks them and keeps every move. All
//! that is shown of a walk is made of these moves: [`report`] and [`table`], the trace, the pictures.

#![allow(clippy::cast_sign_loss, reason = "numbers of moves and walks are not negative")]

pub(crate) mod leg;
pub(crate) mod report;
pub(crate) mod route;
pub(crate) mod script;
pub(crate) mod start;
pub(crate) mod table;
#[cfg(test)]
mod tests;
pub(crate) mod walker;
