//! Nodes of the flood fill, and the order in which it visits them.

use glam::DVec3;

/// A reached position, or a pending step from one.
///
/// The search makes the most promising steps first. So where a path exists, few are made.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) node: Node,
    /// For a step: its direction, and the height under the ceiling at the node.
    pub(super) step: Option<(u8, f64)>,
    /// Priority, smallest first: the length of the path plus twice the straight distance to the
    /// goal. The weight of two reaches the goal sooner and excludes no path.
    pub(super) order: f64,
}

/// A reached position.
#[derive(Clone, Copy)]
pub(super) struct Node {
    /// Feet, on the ground or as low as the search looks.
    pub(super) feet: DVec3,
    /// Height that the feet can reach.
    pub(super) highest: f64,
    /// Horizontal length of the path.
    pub(super) length: f64,
    /// The path includes a jump.
    pub(super) airborne: bool,
    /// Height of the contact with the ground. Steps are measured from there.
    pub(super) contact: f64,
}

/// The best of all paths to a column: length, height that the feet can reach, and height of the
/// feet.
#[derive(Clone, Copy)]
pub(super) struct Known {
    pub(super) length: f64,
    pub(super) highest: f64,
    pub(super) low: f64,
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}
impl Eq for Entry {}
impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Entry {
    /// The entry with the smallest `order` is the greatest, because the heap pops the greatest.
    /// Height, position and direction break ties, so that runs agree.
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        let direction = |entry: &Self| entry.step.map(|(direction, _)| direction);
        other
            .order
            .total_cmp(&self.order)
            .then_with(|| self.node.highest.total_cmp(&other.node.highest))
            .then_with(|| {
                let [a, b] = [self, other].map(|entry| entry.node.feet.to_array());
                a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])).then(a[2].total_cmp(&b[2]))
            })
            .then_with(|| direction(self).cmp(&direction(other)))
    }
}
