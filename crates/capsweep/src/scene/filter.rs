use crate::Sides;
use crate::scene::Body;

/// Which bodies a query looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Bodies {
    /// All of them.
    #[default]
    All,
    /// Those that never move.
    Static,
    /// Those that may move.
    Dynamic,
}

/// What a sweep does with bodies that the capsule overlaps at the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum StartOverlaps {
    /// Reports the deepest of them, at time 0.
    #[default]
    Report,
    /// Passes over the triangles and shapes that overlap, and reports the first touch with others.
    Skip,
}

/// What a query looks at: plain data, so that batches, traces and requests can carry it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Filter {
    /// A body and a triangle are seen when their masks share a bit with this one (rule 3.2).
    pub mask: u32,
    /// Which sides of triangles sweeps and rays can hit, and by which a pierced triangle is left.
    pub sides: Sides,
    /// Which bodies count.
    pub bodies: Bodies,
    /// What becomes of overlaps at the start of a sweep.
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
    /// Whether the query sees `body`, one of those that it [asks for](Self::bodies).
    pub(crate) fn sees(self, body: &Body) -> bool {
        body.mask & self.mask != 0
    }
}
