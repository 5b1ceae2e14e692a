//! The world that queries run against.

use crate::load;
use crate::target::Target;
use capsweep::persist::MapUnit;
use capsweep_formats::Level;

/// The world given on the command line.
#[derive(Debug)]
pub(crate) enum QueryWorld {
    /// The SCENE argument.
    Level(Level),
    /// The target flags, in the order given.
    Targets(Vec<Target>),
    /// Neither: every query line must bring its own triangles.
    None,
}

/// The world of one query: that of the command line, or the query line's own triangles.
#[derive(Debug, Clone, Copy)]
pub(crate) enum WorldRef<'a> {
    Level(&'a Level),
    /// Targets given as flags.
    Targets(&'a [Target]),
    /// Triangles given on a query line.
    LineTriangles(&'a [Target]),
}

impl QueryWorld {
    /// `None` if the command line gives no world.
    pub(crate) fn as_ref(&self) -> Option<WorldRef<'_>> {
        match self {
            Self::Level(level) => Some(WorldRef::Level(level)),
            Self::Targets(targets) => Some(WorldRef::Targets(targets)),
            Self::None => None,
        }
    }
}

impl WorldRef<'_> {
    /// The unit of lengths in the world.
    pub(crate) fn unit(self) -> MapUnit {
        match self {
            Self::Level(level) => load::unit(level),
            Self::Targets(_) | Self::LineTriangles(_) => MapUnit::Metre,
        }
    }
}
