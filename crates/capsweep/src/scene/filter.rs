//! [`Filter`]: the bodies, triangles and sides that a query sees.

use crate::Sides;
use crate::scene::body::Body;

/// The bodies that a query tests, by their [`Mobility`](crate::scene::Mobility).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Bodies {
    /// All of them.
    #[default]
    All,
    /// The static ones.
    Static,
    /// The dynamic ones.
    Dynamic,
}

/// How a sweep treats bodies that the capsule overlaps at the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum StartOverlaps {
    /// Reports the deepest of them, at time 0.
    #[default]
    Report,
    /// Ignores the triangles and shapes that overlap, and reports the first touch with others.
    Skip,
}

/// The bodies, triangles and sides that a query sees. Plain data, so that batches, traces and
/// requests can carry it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Filter {
    /// A query sees the bodies, and of meshes the triangles, whose masks share a bit with this
    /// one.
    pub mask: u32,
    /// The sides of triangles that sweeps and rays can hit. A capsule whose axis pierces a
    /// triangle is pushed out on one of these sides.
    pub sides: Sides,
    /// The bodies that are tested.
    pub bodies: Bodies,
    /// How a sweep treats overlaps at its start.
    pub start_overlaps: StartOverlaps,
}

impl Default for Filter {
    fn default() -> Self {
        Self {
            mask: u32::MAX,
            sides: Sides::default(),
            bodies: Bodies::default(),
            start_overlaps: StartOverlaps::default(),
        }
    }
}

impl Filter {
    /// Whether the mask lets the query see `body`. The layers already apply [`Filter::bodies`].
    pub(crate) fn sees(self, body: &Body) -> bool {
        body.mask & self.mask != 0
    }
}
