//! Where a query finds the static bodies of a scene.

use crate::traverse::neighborhood_view::NeighborhoodView;

/// The source of static bodies for one query. Both sources give the same answer, bit for bit.
#[derive(Debug, Clone, Copy)]
pub(crate) enum StaticSource<'a> {
    /// The trees of the scene.
    Tree,
    /// Packets that a cache gathered around the query. They hold every static triangle and shape
    /// that the query can hit.
    Packets(&'a NeighborhoodView<'a>),
}
