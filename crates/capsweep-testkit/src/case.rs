//! One query of one pair of shapes.

use capsweep::{
    Capsule, ClosestPoints, HalfSpace, Motion, Obb, Overlap, Point, Segment, Sides, Sphere,
    SweepHit, Triangle,
};

/// A pair of shapes, named after the target of the capsule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pair {
    /// Capsule and triangle.
    Triangle,
    /// Capsule and oriented box.
    Box,
    /// Capsule and sphere.
    Sphere,
    /// Capsule and capsule.
    Capsule,
    /// Capsule and half-space.
    HalfSpace,
    /// Capsule and segment.
    Segment,
    /// Capsule and point.
    Point,
}

impl Pair {
    /// Every pair, in the order of the table.
    pub const ALL: [Self; 7] = [
        Self::Triangle,
        Self::Box,
        Self::Sphere,
        Self::Capsule,
        Self::HalfSpace,
        Self::Segment,
        Self::Point,
    ];

    /// The name on the command line and in the table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Triangle => "triangle",
            Self::Box => "box",
            Self::Sphere => "sphere",
            Self::Capsule => "capsule",
            Self::HalfSpace => "half-space",
            Self::Segment => "segment",
            Self::Point => "point",
        }
    }
}

/// The target of the capsule.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TargetShape {
    /// A triangle.
    Triangle(Triangle),
    /// An oriented box.
    Box(Obb),
    /// A sphere.
    Sphere(Sphere),
    /// A capsule.
    Capsule(Capsule),
    /// A half-space.
    HalfSpace(HalfSpace),
    /// A segment.
    Segment(Segment),
    /// A point.
    Point(Point),
}

impl TargetShape {
    /// Whether it has an inside. With [`Sides::Front`] a sweep skips a solid that the motion
    /// leaves; segments and points have no sides, and are never skipped.
    pub fn is_solid(&self) -> bool {
        match self {
            Self::Box(_) | Self::Sphere(_) | Self::Capsule(_) | Self::HalfSpace(_) => true,
            Self::Triangle(_) | Self::Segment(_) | Self::Point(_) => false,
        }
    }
}

/// The exact answer of a case without rounding errors, so without a tolerance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Expect {
    /// No hit at all.
    Nothing,
    /// A hit at time 0 with depth 0.
    TouchAtStart,
    /// A hit at the very end of the motion.
    TouchAtEnd,
}

/// One query.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// The moving capsule.
    pub capsule: Capsule,
    /// Its motion.
    pub motion: Motion,
    /// The target.
    pub target: TargetShape,
    /// The sides of the target that the sweep meets; nothing to a segment or a point.
    pub sides: Sides,
    /// The answer, if it is known by construction.
    pub expect: Option<Expect>,
}

/// The library's answers to a case.
#[derive(Debug, Clone, Copy)]
pub struct Answers {
    /// The first touch of the sweep.
    pub sweep: Option<SweepHit>,
    /// The overlap at the start.
    pub overlap: Option<Overlap>,
    /// The closest points at the start.
    pub closest: ClosestPoints,
}

impl Case {
    /// All three of the library's answers.
    pub fn answers(&self) -> Answers {
        Answers { sweep: self.sweep(), overlap: self.overlap(), closest: self.closest() }
    }

    /// The library's sweep.
    pub fn sweep(&self) -> Option<SweepHit> {
        let Self { capsule, motion, sides, .. } = self;
        match &self.target {
            TargetShape::Triangle(t) => {
                capsweep::sweep_capsule_triangle(capsule, motion, t, *sides)
            }
            TargetShape::Box(t) => capsweep::sweep_capsule_box(capsule, motion, t, *sides),
            TargetShape::Sphere(t) => capsweep::sweep_capsule_sphere(capsule, motion, t, *sides),
            TargetShape::Capsule(t) => capsweep::sweep_capsule_capsule(capsule, motion, t, *sides),
            TargetShape::HalfSpace(t) => {
                capsweep::sweep_capsule_half_space(capsule, motion, t, *sides)
            }
            TargetShape::Segment(t) => capsweep::sweep_capsule_segment(capsule, motion, t),
            TargetShape::Point(t) => capsweep::sweep_capsule_point(capsule, motion, t),
        }
    }

    /// The library's overlap at the start.
    pub fn overlap(&self) -> Option<Overlap> {
        match &self.target {
            TargetShape::Triangle(t) => capsweep::overlap_capsule_triangle(&self.capsule, t),
            TargetShape::Box(t) => capsweep::overlap_capsule_box(&self.capsule, t),
            TargetShape::Sphere(t) => capsweep::overlap_capsule_sphere(&self.capsule, t),
            TargetShape::Capsule(t) => capsweep::overlap_capsule_capsule(&self.capsule, t),
            TargetShape::HalfSpace(t) => capsweep::overlap_capsule_half_space(&self.capsule, t),
            TargetShape::Segment(t) => capsweep::overlap_capsule_segment(&self.capsule, t),
            TargetShape::Point(t) => capsweep::overlap_capsule_point(&self.capsule, t),
        }
    }

    /// The library's closest points at the start.
    pub fn closest(&self) -> ClosestPoints {
        match &self.target {
            TargetShape::Triangle(t) => capsweep::closest_capsule_triangle(&self.capsule, t),
            TargetShape::Box(t) => capsweep::closest_capsule_box(&self.capsule, t),
            TargetShape::Sphere(t) => capsweep::closest_capsule_sphere(&self.capsule, t),
            TargetShape::Capsule(t) => capsweep::closest_capsule_capsule(&self.capsule, t),
            TargetShape::HalfSpace(t) => capsweep::closest_capsule_half_space(&self.capsule, t),
            TargetShape::Segment(t) => capsweep::closest_capsule_segment(&self.capsule, t),
            TargetShape::Point(t) => capsweep::closest_capsule_point(&self.capsule, t),
        }
    }
}
