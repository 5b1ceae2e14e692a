//! The results of queries: one type per query, in which every field always has a meaning.

use core::fmt;
use glam::{DVec3, Vec3};

/// Which sides of a triangle a sweep or a ray can hit.
///
/// Overlaps, closest points and sweeps without motion skip no triangle because of its sides.
/// There, sides decide through which side the capsule leaves a triangle of a mesh that its axis
/// pierces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Sides {
    /// Skip a triangle if the motion runs along or out of its front: `n · motion ≥ 0` in f64.
    /// Skip a solid that the capsule overlaps if the motion leads out of it or along its surface.
    #[default]
    Front,
    /// Skip nothing.
    Both,
}

/// The part of the target that is touched, in the target's numbering.
///
/// - Triangle `a b c`: `Edge(0)` is `ab`, `Edge(1)` is `bc`, `Edge(2)` is `ca`; `Vertex(0)` is
///   `a`.
/// - Box: in `Vertex(i)`, bits 0, 1, 2 of `i` are set if it lies on the positive side of the
///   box's x, y, z axis. `Edge(4·k + j)` runs along axis `k`. Bits 0 and 1 of `j` are set if it
///   lies on the positive side of the next two axes, in cyclic order.
/// - Segment `a b`: `Edge(0)`, `Vertex(0)` is `a`, `Vertex(1)` is `b`. Point: `Vertex(0)`.
/// - Sphere, capsule and half-space are smooth: always `Face`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Feature {
    /// The interior of a face, or a smooth surface.
    Face,
    /// An edge, without its ends.
    Edge(u8),
    /// A vertex.
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

/// The part of the capsule that touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Region {
    /// The hemisphere around `p0`.
    Bottom,
    /// The cylinder between the hemispheres.
    Side,
    /// The hemisphere around `p1`.
    Top,
    /// All of a capsule whose axis has no length.
    Sphere,
}

impl Region {
    /// The region of the clamped axis parameter of the closest points: 0 bottom, 1 top, else side.
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

/// The first touch of a moving capsule, or the overlap that it starts in.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SweepHit {
    /// Fraction of the motion, 0 to 1, at the touch.
    pub time: f64,
    /// Metres along the motion: `time` times its length.
    pub distance: f64,
    /// The touched point, on the geometry.
    pub point: DVec3,
    /// Unit contact normal, from the geometry to the capsule. It opposes the motion. If the
    /// capsule starts overlapping, it is the direction that pushes it out.
    pub normal: Vec3,
    /// The touched face's unit normal, on the side that was hit. For a degenerate triangle, a
    /// segment, a point and a smooth surface it equals [`SweepHit::normal`].
    pub face_normal: Vec3,
    /// Metres along `normal` that free a capsule that starts overlapping; 0 otherwise.
    pub depth: f64,
    /// The part of the target that is touched.
    pub feature: Feature,
    /// Weights of the triangle's vertices at `point`; `None` for other shapes.
    pub barycentrics: Option<[f64; 3]>,
    /// The part of the capsule that touches.
    pub region: Region,
}

impl SweepHit {
    /// Whether the capsule overlapped the target before it moved.
    pub fn starts_overlapping(&self) -> bool {
        self.depth > 0.0
    }

    /// Metres that the capsule may move along the motion so that `contact_offset` metres, measured
    /// along the motion, remain to the hit. Never negative.
    ///
    /// Sweep with [`Motion::extended`](crate::Motion::extended) by the same offset, or a hit just
    /// past the end of the motion is missed. At grazing angles the gap along the *normal* shrinks
    /// to nothing with this rule. To keep it, sweep the capsule
    /// [inflated](crate::Capsule::inflated) by the offset.
    pub fn safe_advance(&self, contact_offset: f64) -> f64 {
        (self.distance - contact_offset).max(0.0)
    }
}

/// The overlap of a capsule at rest and the geometry.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Overlap {
    /// Metres along `normal` that just free the capsule, by the shortest push-out.
    pub depth: f64,
    /// Point on the geometry where the capsule is deepest, or which it touches last when pushed
    /// out.
    pub point: DVec3,
    /// Unit direction that pushes the capsule out.
    pub normal: Vec3,
    /// The face's unit normal, on the side that the capsule is pushed to. For a degenerate
    /// triangle, a segment, a point and a smooth surface it equals [`Overlap::normal`].
    pub face_normal: Vec3,
    /// The part of the target that the capsule is pushed away from.
    pub feature: Feature,
    /// Weights of the triangle's vertices at `point`; `None` for other shapes.
    pub barycentrics: Option<[f64; 3]>,
    /// The part of the capsule that touches.
    pub region: Region,
}

/// The closest points of a capsule at rest and the geometry.
///
/// `on_geometry − on_capsule = −distance · normal`, also in an overlap, up to the rounding of
/// `normal` to f32: a ten-millionth of the distance.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ClosestPoints {
    /// Metres between the surfaces. Negative in an overlap, where it is minus the depth. A depth
    /// is measured along the f32 normal, so the two differ by up to a ten-millionth.
    pub distance: f64,
    /// Point on the capsule's surface.
    pub on_capsule: DVec3,
    /// Point on the geometry.
    pub on_geometry: DVec3,
    /// Unit normal, from the geometry to the capsule; in an overlap, the direction that pushes it
    /// out.
    pub normal: Vec3,
    /// The face's unit normal, on the capsule's side. For a degenerate triangle, a segment, a
    /// point and a smooth surface it equals [`ClosestPoints::normal`].
    pub face_normal: Vec3,
    /// The part of the target that is closest.
    pub feature: Feature,
    /// Weights of the triangle's vertices at `on_geometry`; `None` for other shapes.
    pub barycentrics: Option<[f64; 3]>,
    /// The part of the capsule that is closest.
    pub region: Region,
}

/// The distance of two shapes without volume, and their closest points: of a segment or a point,
/// and a segment or a triangle.
///
/// The points of a pair that crosses or touches are equal, up to the rounding of their
/// coordinates. Where many pairs are equally close, as on parallel segments, it is one of them.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SegmentDistance {
    /// Metres between the closest points; exactly 0 where a segment pierces the inside of a
    /// triangle.
    pub distance: f64,
    /// The closest point on the first shape.
    pub on_first: DVec3,
    /// Fraction of the first segment at `on_first`: exactly 0 at its `a`, exactly 1 at its `b`. 0
    /// for a point.
    pub fraction: f64,
    /// The closest point on the second shape; exactly its vertex if `feature` is a vertex.
    pub on_second: DVec3,
    /// The part of the second shape that is closest.
    pub feature: Feature,
    /// Weights of the second shape's vertices at `on_second`. On a segment the second weight is
    /// the fraction of its length, and the third is 0.
    pub barycentrics: [f64; 3],
}

/// The first surface that a ray hits.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RayHit {
    /// Fraction of the motion, 0 to 1, at the hit.
    pub time: f64,
    /// Metres along the motion: `time` times its length.
    pub distance: f64,
    /// The point that was hit.
    pub point: DVec3,
    /// The surface's unit normal, on the side that was hit. If the ray starts inside a solid or
    /// hits a degenerate triangle, it is opposite to the ray.
    pub normal: Vec3,
    /// The part of the target that was hit: an edge or vertex only if the ray hits it exactly.
    pub feature: Feature,
    /// Weights of the triangle's vertices at `point`; `None` for other shapes.
    pub barycentrics: Option<[f64; 3]>,
}
