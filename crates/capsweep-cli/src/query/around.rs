use crate::target::Target;
use capsweep_formats::Level;

/// What questions are asked of.
#[derive(Debug)]
pub(crate) enum Surroundings {
    /// The SCENE on the command line.
    Level(Level),
    /// The targets on the command line, in the order given.
    Targets(Vec<Target>),
    /// Nothing: every line brings its own triangles.
    Lines,
}

/// What one question is asked of.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Around<'a> {
    Level(&'a Level),
    /// Targets on the command line.
    Targets(&'a [Target]),
    /// Triangles on a line.
    Triangles(&'a [Target]),
}

impl Surroundings {
    /// `None` if there is nothing.
    pub(crate) fn all(&self) -> Option<Around<'_>> {
        match self {
            Self::Level(level) => Some(Around::Level(level)),
            Self::Targets(targets) => Some(Around::Targets(targets)),
            Self::Lines => None,
        }
    }
}
