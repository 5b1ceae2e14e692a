use crate::contract::{self, CapsuleFrame};
use crate::target::TriangleTarget;
use crate::{Capsule, Overlap, Triangle};

/// The shortest way out of a triangle that `capsule` overlaps (rule 5).
///
/// `None` if the surfaces are apart or touch within [`CONTACT_TOLERANCE`](crate::BOUND). Moving by `normal · depth`
/// leaves them touching to 5 µm, also where the axis pierces the triangle.
pub fn overlap_capsule_triangle(capsule: &Capsule, triangle: &Triangle) -> Option<Overlap> {
    let view = CapsuleFrame::of(capsule);
    contract::overlap(&view, &TriangleTarget::new(&view, triangle))
}
