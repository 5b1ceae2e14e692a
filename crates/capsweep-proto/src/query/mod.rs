//! Queries: from requests to the library's types, and back.

mod columns;
mod request;
mod single;

pub(crate) use columns::Motions;
pub use columns::{
    ClosestColumns, LiquidColumns, OverlapColumns, RayColumns, SupportsColumns, SweepColumns,
};
pub(crate) use request::motion_columns;
pub use single::Single;

use capsweep::SlopeLimit;
use capsweep::query::Column as VerticalColumn;
use capsweep::scene::Filter;

/// The arguments of [`Scene::supports`](capsweep::scene::Scene::supports).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SupportsQuery {
    /// The column around the point.
    pub column: VerticalColumn,
    /// The steepest walkable slope.
    pub slope_limit: SlopeLimit,
    /// The part of the world that counts.
    pub filter: Filter,
}
