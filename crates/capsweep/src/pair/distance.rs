//! Closest points of segments, points and triangles, without a capsule around them.

use crate::pair::contract::{AxisDistance, CapsuleFrame, axis_distance};
use crate::pair::target::{RoundTarget, TriangleTarget};
use crate::{Feature, Point, Segment, SegmentDistance, Triangle};
use glam::DVec3;

/// The closest points of two segments.
///
/// Either may be a point. On parallel segments it is one of the many pairs that are equally close.
/// The distance is right to a few roundings of the coordinates relative to `first`, at any angle.
///
/// ```
/// use capsweep::{Feature, Segment, closest_segment_segment};
/// use glam::dvec3;
///
/// let track = Segment::new(dvec3(0.0, 0.0, 0.0), dvec3(8.0, 0.0, 0.0))?;
/// let bridge = Segment::new(dvec3(2.0, -3.0, 5.0), dvec3(2.0, 1.0, 5.0))?;
/// let found = closest_segment_segment(&track, &bridge);
/// assert_eq!((found.distance, found.fraction), (5.0, 0.25));
/// assert_eq!((found.on_first, found.on_second), (dvec3(2.0, 0.0, 0.0), dvec3(2.0, 0.0, 5.0)));
/// assert_eq!((found.feature, found.barycentrics), (Feature::Edge(0), [0.25, 0.75, 0.0]));
/// # Ok::<(), capsweep::ShapeError>(())
/// ```
pub fn closest_segment_segment(first: &Segment, second: &Segment) -> SegmentDistance {
    let frame = CapsuleFrame::of_axis(first);
    let target = RoundTarget::segment(&frame, second);
    let found = axis_distance(&frame, &target);
    let [start, end] = target.end_weights(&found.nearest);
    report(first, &[second.a(), second.b()], &found, [start, end, 0.0])
}

/// The closest points of a segment and a triangle. Their distance is 0 where the segment pierces
/// the triangle.
///
/// The triangle may be degenerate and the segment a point. Where the segment is parallel to the
/// face or an edge, it is one of the many pairs that are equally close.
///
/// ```
/// use capsweep::{Feature, Segment, Triangle, closest_segment_triangle};
/// use glam::dvec3;
///
/// let floor = Triangle::new(dvec3(0.0, 0.0, 0.0), dvec3(8.0, 0.0, 0.0), dvec3(0.0, 8.0, 0.0))?;
/// let pole = Segment::new(dvec3(2.0, 2.0, 6.0), dvec3(2.0, 2.0, 1.0))?;
/// let found = closest_segment_triangle(&pole, &floor);
/// assert_eq!((found.distance, found.fraction, found.feature), (1.0, 1.0, Feature::Face));
/// assert_eq!((found.on_second, found.barycentrics), (dvec3(2.0, 2.0, 0.0), [0.5, 0.25, 0.25]));
/// # Ok::<(), capsweep::ShapeError>(())
/// ```
pub fn closest_segment_triangle(segment: &Segment, triangle: &Triangle) -> SegmentDistance {
    let frame = CapsuleFrame::of_axis(segment);
    let found = axis_distance(&frame, &TriangleTarget::new(&frame, triangle));
    let barycentrics = found.barycentrics.unwrap_or([1.0, 0.0, 0.0]);
    report(segment, &triangle.vertices(), &found, barycentrics)
}

/// The closest point of a triangle to a point. The triangle may be degenerate.
///
/// ```
/// use capsweep::{Feature, Point, Triangle, closest_point_triangle};
/// use glam::dvec3;
///
/// let floor = Triangle::new(dvec3(0.0, 0.0, 0.0), dvec3(8.0, 0.0, 0.0), dvec3(0.0, 8.0, 0.0))?;
/// let found = closest_point_triangle(&Point::new(dvec3(4.0, -3.0, 4.0))?, &floor);
/// assert_eq!((found.distance, found.feature), (5.0, Feature::Edge(0)));
/// assert_eq!((found.on_second, found.barycentrics), (dvec3(4.0, 0.0, 0.0), [0.5, 0.5, 0.0]));
/// # Ok::<(), capsweep::ShapeError>(())
/// ```
pub fn closest_point_triangle(point: &Point, triangle: &Triangle) -> SegmentDistance {
    closest_segment_triangle(&Segment::from_point(point), triangle)
}

/// Ends and vertices are those of the shapes, not rounded by the way through the frame.
fn report(
    first: &Segment,
    vertices: &[DVec3],
    found: &AxisDistance,
    barycentrics: [f64; 3],
) -> SegmentDistance {
    let AxisDistance { distance, nearest, on_axis, on_core, .. } = *found;
    let fraction = nearest.axis_t;
    let is_end = fraction == 0.0 || fraction == 1.0;
    let vertex = match nearest.feature {
        Feature::Vertex(i) => vertices.get(usize::from(i)).copied(),
        Feature::Edge(_) | Feature::Face => None,
    };
    SegmentDistance {
        distance,
        on_first: if is_end { first.at(fraction) } else { on_axis },
        fraction,
        on_second: vertex.unwrap_or(on_core),
        feature: nearest.feature,
        barycentrics,
    }
}
