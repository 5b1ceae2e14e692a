//! Families of cases: each stresses one idea, for every pair of shapes.

mod lattice;
mod place;
mod target;

use crate::{Case, Pair, Rng};

/// What a family stresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Family {
    /// Any sizes, directions and starts.
    General,
    /// Upright capsules.
    Upright,
    /// Capsules turned at random.
    AnyAxis,
    /// Floors, walls and stairs along the world's axes; most motions too.
    AxisAligned,
    /// Widths of 10⁻³ to 10⁻⁹ of the length; spheres and capsules as thin as that.
    Slivers,
    /// Past the tips of needles whose angle is as little as 10⁻¹², and the ends of rods as thin; thin capsules too.
    Tips,
    /// Motions that come down on a border, from outside it, by as little as 10⁻⁹; shapes of up to 4 km.
    Seams,
    /// Shapes of up to 2 km, motions of up to 1 km.
    Huge,
    /// Shapes of about 1 mm.
    Tiny,
    /// Motions that lean towards or away from the face by as little as 10⁻⁶.
    Grazing,
    /// The axis lies in the plane of the face, or almost.
    AxisAlongFace,
    /// The axis runs along an edge, or almost.
    AxisAlongEdge,
    /// The capsule moves along its own axis, or almost.
    AxisAlongMotion,
    /// Around (16384, −16384, 512).
    Far,
    /// Starts overlapping: shallow, deep, pierced, mostly behind, moving along the axis.
    Overlapping,
    /// On an integer lattice, where touching at the start and at the end is exact.
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

/// Case number `index` of a family: the same for the same arguments, whatever was generated before.
pub fn generate(pair: Pair, family: Family, seed: u64, index: u64) -> Case {
    let mut rng = Rng::new(&[seed, pair as u64, family as u64, index]);
    match family {
        Family::ExactTouch => lattice::case(pair, &mut rng),
        _ => place::case(pair, family, &mut rng),
    }
}
