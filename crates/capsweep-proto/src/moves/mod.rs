//! Moves and ticks: their requests.

mod around;
mod flags;
mod step;
mod tick;
mod water;

pub(crate) use around::{carriers, surroundings};
pub use step::{MoveColumns, MoveQuery};
pub use tick::{TickColumns, TickQuery};
pub(crate) use water::{encode_water, water};
