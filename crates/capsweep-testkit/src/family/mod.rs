//! Families of cases: each stresses one difficulty, for every pair of shapes.

mod lattice;
mod query;
mod target;

use crate::{Case, Pair, Rng};

/// A family of cases, by the difficulty that it stresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Family {
    /// Any sizes, directions and starts.
    General,
    /// Upright capsules.
    Upright,
    /// Capsules with random axes.
    AnyAxis,
    /// Floors, walls and stairs along the world's axes, with most motions along them too.
    AxisAligned,
    /// Widths of 10⁻³ to 10⁻⁹ of the length; spheres and capsules as thin as that.
    Slivers,
    /// Motions past the tips of needles with angles down to 10⁻¹², and past the ends of thin rods.
    /// Capsules are thin too.
    Tips,
    /// Motions onto an edge from outside the face, at angles down to 10⁻⁹; shapes of up to 4 km.
    Seams,
    /// Shapes of up to 2 km, motions of up to 1 km.
    Huge,
    /// Shapes of about 1 mm.
    Tiny,
    /// Motions at angles down to 10⁻⁶ towards or away from the face.
    Grazing,
    /// The axis is parallel to the face, or almost.
    AxisAlongFace,
    /// The axis is parallel to an edge, or almost.
    AxisAlongEdge,
    /// The capsule moves along its own axis, or almost.
    AxisAlongMotion,
    /// Around (16384, −16384, 512).
    Far,
    /// Starts overlapping: shallow, deep, pierced, mostly behind, moving along the axis.
    Overlapping,
    /// On an integer lattice, on which touches at the start and at the end are exact.
    ExactTouch,
    /// Capsules without length.
    Spheres,
    /// Triangles without area, boxes without thickness, capsules without length.
    Degenerate,
}

impl Family {
    /// Every family, in the order of the table.
    pub const ALL: [Self; 18] = [
        Self::General,
        Self::Upright,
        Self::AnyAxis,
        Self::AxisAligned,
        Self::Slivers,
        Self::Tips,
        Self::Seams,
        Self::Huge,
        Self::Tiny,
        Self::Grazing,
        Self::AxisAlongFace,
        Self::AxisAlongEdge,
        Self::AxisAlongMotion,
        Self::Far,
        Self::Overlapping,
        Self::ExactTouch,
        Self::Spheres,
        Self::Degenerate,
    ];

    /// The name on the command line and in the table.
    pub fn name(self) -> &'static str {
        match self {
            Self::General => "general",
            Self::Upright => "upright",
            Self::AnyAxis => "any-axis",
            Self::AxisAligned => "axis-aligned",
            Self::Slivers => "slivers",
            Self::Tips => "tips",
            Self::Seams => "seams",
            Self::Huge => "huge",
            Self::Tiny => "tiny",
            Self::Grazing => "grazing",
            Self::AxisAlongFace => "axis-along-face",
            Self::AxisAlongEdge => "axis-along-edge",
            Self::AxisAlongMotion => "axis-along-motion",
            Self::Far => "far",
            Self::Overlapping => "overlapping",
            Self::ExactTouch => "exact-touch",
            Self::Spheres => "spheres",
            Self::Degenerate => "degenerate",
        }
    }
}

/// Generates case number `index` of a family. The same arguments give the same case.
pub fn generate(pair: Pair, family: Family, seed: u64, index: u64) -> Case {
    let mut rng = Rng::new(&[seed, pair as u64, family as u64, index]);
    match family {
        Family::ExactTouch => lattice::case(pair, &mut rng),
        _ => query::case(pair, family, &mut rng),
    }
}
