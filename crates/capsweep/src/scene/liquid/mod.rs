//! Liquids: sheets of surface heights, placed in the world, and the rooms that they do not enter.

pub(crate) mod crossing;
mod error;
pub(crate) mod kind;
pub(crate) mod placed;
pub(crate) mod room;
pub(crate) mod sheet;
pub(crate) mod store;

pub use error::LiquidError;
pub use kind::LiquidKind;
pub use placed::{LiquidGround, LiquidRole, PlacedLiquid};
pub use room::{ModelRooms, Room, Rooms};
pub use sheet::{LiquidGrid, LiquidSheet};
pub use store::Liquids;
