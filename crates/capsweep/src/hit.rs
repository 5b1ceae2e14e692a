//! What the queries answer: one type per query, no field that is ever meaningless.

use core::fmt;
use glam::{DVec3, Vec3};

/// Which sides of a triangle a sweep or a ray can hit.
///
/// Overlaps and closest points skip no triangle because of its sides, nor does a sweep without
/// motion. There, sides choose by which side a triangle of a mesh is left that the axis pierces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Sides {
    /// Skip a triangle when the motion runs along or out of its front: `n · motion ≥ 0` in f64.
    /// A solid that the capsule overlaps is skipped when the motion leads out of it or along its surface.
    #[default]
    Front,
    /// Skip nothing.
    Both,
}

/// The part of the target that was touched, in the target's own numbering.
///
/// - Triangle `a b c`: `Edge(0)` is `ab`, `Edge(1)` is `bc`, `Edge(2)` is `ca`; `Vertex(0)` is `a`.
/// - Box: `Vertex(i)` has bit 0, 1, 2 of `i` set where it lies on the positive side of the box's
///   x, y, z; `Edge(4·k + j)` runs along axis `k` and bit 0 and 1 of `j` say on which sides of the
///   next two axes (in cyclic order) it lies.
/// - Sphere, capsule and half-space are smooth: always `Face`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Feature {
    /// The interior of a face, or a smooth surface.
    Face,
    /// An edge without its ends.
    Edge(u8),
    /// A corner.
    Vertex(u8),
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Face => write!(f, "face"),
            Self::Edge(i) => write!(f, "edge {i}"),
            Self::Vertex(i) => write!(f, "vertex {i}"),
        }
    }
}

/// Which part of the capsule touches (rule 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Region {
    /// The hemisphere around `p0`.
    Bottom,
    /// The cylinder between the hemispheres.
    Side,
    /// The hemisphere around `p1`.
    Top,
    /// The whole of a capsule whose axis has no length.
    Sphere,
}

impl Region {
    /// The region of the clamped axis parameter of a closest pair: 0 bottom, 1 top, between side.
    ///
    /// The clamp gives exactly 0 or 1 on a hemisphere, so no tolerance is involved.
    pub(crate) fn at(axis_t: f64) -> Self {
        if axis_t <= 0.0 {
            Self::Bottom
        } else if axis_t >= 1.0 {
            Self::Top
        } else {
            Self::Side
        }
    }
}

impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bottom => "bottom",
            Self::Side => "side",
            Self::Top => "top",
            Self::Sphere => "sphere",
        })
    }
}

/// The first touch of a moving capsule (rule 2.1), or the overlap it started in.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SweepHit {
    /// Fraction of the motion, 0 to 1, at which the capsule touches.
    pub time: f64,
    /// Metres along the motion: `time` times its length.
    pub distance: f64,
    /// The touched point, on the geometry.
    pub point: DVec3,
    /// Unit, from the geometry to the capsule. It opposes the motion, or, where the capsule
    /// started overlapping, is the direction that pushes it out.
    pub normal: Vec3,
    /// The touched face's own unit normal, turned to the side that was hit. A degenerate triangle
    /// and a smooth surface repeat [`SweepHit::normal`].
    pub face_normal: Vec3,
    /// 0, or, where the capsule started overlapping, how far along `normal` it must move to be free.
    pub depth: f64,
    /// Which part of the target was touched.
    pub feature: Feature,
    /// Weights of the triangle's vertices at `point`; `None` for other shapes.
    pub barycentrics: Option<[f64; 3]>,
    /// Which part of the capsule touches.
    pub region: Region,
}

impl SweepHit {
    /// Whether the capsule overlapped the target before it moved.
    pub fn starts_overlapping(&self) -> bool {
        self.depth > 0.0
    }

    /// How far the capsule may move along the motion and keep `contact_offset` metres between it
    /// and the hit, measured along the motion; never negative (pitfalls B.1 and B.2).
    ///
    /// Sweep with [`Motion::extended`](crate::Motion::extended) by the same offset, or a hit within the offset's reach
    /// is not seen. At grazing angles the gap along the *normal* shrinks to nothing with this
    /// rule: to keep it, sweep the capsule [inflated](crate::Capsule::inflated) by the offset.
    pub fn safe_advance(&self, contact_offset: f64) -> f64 {
        (self.distance - contact_offset).max(0.0)
    }
}

/// A capsule that overlaps the geometry where it is (rule 2.2).
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Overlap {
    /// Metres to move along `normal` to be just free: the shortest way out.
    pub depth: f64,
    /// Point on the geometry that the capsule is deepest at, or last touches on its way out.
    pub point: DVec3,
    /// Unit, the direction that pushes the capsule out.
    pub normal: Vec3,
    /// The face's own unit normal on the side that the capsule is pushed to. A degenerate
    /// triangle and a smooth surface repeat [`Overlap::normal`].
    pub face_normal: Vec3,
    /// Which part of the target is pushed away from.
    pub feature: Feature,
    /// Weights of the triangle's vertices at `point`; `None` for other shapes.
    pub barycentrics: Option<[f64; 3]>,
    /// Which part of the capsule touches.
    pub region: Region,
}

/// The closest points of a capsule and the geometry (rule 2.3).
///
/// `on_geometry − on_capsule = −distance · normal`, also where the two overlap, and up to the rounding of
/// `normal` to f32: a ten-millionth of the distance.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ClosestPoints {
    /// Metres between the surfaces; negative inside, where it is minus the overlap's depth (which is measured
    /// along the rounded normal, so the two differ by up to a ten-millionth).
    pub distance: f64,
    /// Point on the capsule's surface.
    pub on_capsule: DVec3,
    /// Point on the geometry.
    pub on_geometry: DVec3,
    /// Unit, from the geometry to the capsule; where they overlap, the direction that pushes out.
    pub normal: Vec3,
    /// The face's own unit normal on the capsule's side. A degenerate triangle and a smooth
    /// surface repeat [`ClosestPoints::normal`].
    pub face_normal: Vec3,
    /// Which part of the target is closest.
    pub feature: Feature,
    /// Weights of the triangle's vertices at `on_geometry`; `None` for other shapes.
    pub barycentrics: Option<[f64; 3]>,
    /// Which part of the capsule is closest.
    pub region: Region,
}

/// Where a ray meets a surface.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RayHit {
    /// Fraction of the motion, 0 to 1, at which the ray meets the surface.
    pub time: f64,
    /// Metres along the motion: `time` times its length.
    pub distance: f64,
    /// The point that was hit.
    pub point: DVec3,
    /// Unit, the surface's normal turned against the ray. Against the ray itself where it starts inside a solid, and on a
    /// degenerate triangle.
    pub normal: Vec3,
    /// Which part of the target was hit: the border only where the ray meets it exactly.
    pub feature: Feature,
    /// Weights of the triangle's vertices at `point`; `None` for other shapes.
    pub barycentrics: Option<[f64; 3]>,
}
