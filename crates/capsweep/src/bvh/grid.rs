//! A tree over a grid of leaves: the leaves are given by their place, so nothing but nodes is
//! stored.

use crate::bvh::build::encode;
use crate::bvh::{Bounds, LEAF, NONE, Node, WIDTH};

/// A grid of leaves or of nodes: one level of the tree.
struct Level {
    rows: usize,
    columns: usize,
    /// Width of an entry along rows and along columns.
    size: [f32; 2],
    /// By row, then by column.
    bounds: Vec<Bounds>,
}

/// How many rows and columns of a level one node of the level above holds. They hold eight.
const GROUPS: [[usize; 2]; 4] = [[2, 4], [4, 2], [1, 8], [8, 1]];

/// The tree over a grid of `rows` × `columns` leaves, of the given width along rows and columns.
/// Leaf `row · columns + column` has that box in `bounds`; leaves with an empty box are left out.
///
/// Nodes hold eight neighbours each, in the shape that is closest to a square. Each level follows
/// the one above it, so children come after their parents. The same boxes give the same nodes.
pub(crate) fn build_grid(
    rows: usize,
    columns: usize,
    size: [f32; 2],
    bounds: Vec<Bounds>,
) -> Vec<Node> {
    let mut level = Level { rows, columns, size, bounds };
    // From the leaves up.
    let mut levels: Vec<Vec<Node>> = Vec::new();
    loop {
        let (nodes, above) = level.group(levels.is_empty());
        levels.push(nodes);
        level = above;
        if level.bounds.len() <= 1 {
            break;
        }
    }
    if level.bounds.first().is_none_or(Bounds::is_empty) {
        return Vec::new();
    }
    let mut all: Vec<Node> = Vec::with_capacity(levels.iter().map(Vec::len).sum());
    for nodes in levels.iter().rev() {
        // Children are counted from the start of the level below, which follows this one.
        let below = (all.len() + nodes.len()) as u32;
        all.extend(nodes.iter().map(|node| {
            let mut node = *node;
            for child in &mut node.children {
                if *child & LEAF == 0 {
                    *child += below;
                }
            }
            node
        }));
    }
    all
}

impl Level {
    /// The nodes over this level, and the level that they form. `is_leaves`: whether the entries
    /// are leaves.
    fn group(&self, is_leaves: bool) -> (Vec<Node>, Self) {
        let [of_rows, of_columns] = self.shape_of_group();
        let (rows, columns) = (self.rows.div_ceil(of_rows), self.columns.div_ceil(of_columns));
        let leaf_bit = if is_leaves { LEAF } else { 0 };
        let mut nodes = Vec::with_capacity(rows * columns);
        let mut bounds = Vec::with_capacity(rows * columns);
        for place in 0..rows * columns {
            let (row, column) = (place / columns * of_rows, place % columns * of_columns);
            let mut boxes = [Bounds::EMPTY; WIDTH];
            let mut children = [NONE; WIDTH];
            for lane in 0..WIDTH {
                let entry = self.filled(row + lane / of_columns, column + lane % of_columns);
                let Some(entry) = entry else { continue };
                boxes[lane] = self.bounds[entry];
                children[lane] = entry as u32 | leaf_bit;
            }
            let mut node = encode(&boxes);
            node.children = children;
            nodes.push(node);
            bounds.push(Bounds::union_of(&boxes));
        }
        let [width, depth] = self.size;
        let size = [width * of_rows as f32, depth * of_columns as f32];
        (nodes, Self { rows, columns, size, bounds })
    }

    /// The entry at a place; `None` if there is none, or its box is empty.
    fn filled(&self, row: usize, column: usize) -> Option<usize> {
        let entry = row * self.columns + column;
        let exists = row < self.rows && column < self.columns;
        (exists && !self.bounds[entry].is_empty()).then_some(entry)
    }

    /// The group of eight that wastes no lane on a single row or column, and is closest to a
    /// square.
    fn shape_of_group(&self) -> [usize; 2] {
        let stretch = |[rows, columns]: [usize; 2]| {
            let length = |count: usize, of: usize, size: f32| size * count.min(of) as f32;
            let (width, depth) = (
                length(rows, self.rows, self.size[0]),
                length(columns, self.columns, self.size[1]),
            );
            let nodes = self.rows.div_ceil(rows) * self.columns.div_ceil(columns);
            (nodes, if width > depth { width / depth } else { depth / width })
        };
        let mut best = GROUPS[0];
        for group in GROUPS {
            let ((nodes, ratio), (least, squarest)) = (stretch(group), stretch(best));
            if nodes < least || nodes == least && ratio < squarest {
                best = group;
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    /// Every leaf that is not empty must be reached once, inside every box above it.
    fn check(rows: usize, columns: usize, holes: impl Fn(usize) -> bool) {
        let leaf = |i: usize| {
            let at = Vec3::new((i / columns) as f32, (i % columns) as f32, (i * 7 % 11) as f32);
            Bounds { min: at, max: at + Vec3::ONE }
        };
        let boxes: Vec<Bounds> =
            (0..rows * columns).map(|i| if holes(i) { Bounds::EMPTY } else { leaf(i) }).collect();
        let nodes = build_grid(rows, columns, [1.0, 1.0], boxes.clone());
        let tree = crate::bvh::Bvh { nodes: nodes.clone().into(), ..Default::default() };
        let mut reached = vec![0; boxes.len()];
        let mut open = if nodes.is_empty() {
            vec![]
        } else {
            vec![(0_usize, Bounds { min: Vec3::NEG_INFINITY, max: Vec3::INFINITY })]
        };
        while let Some((node, around)) = open.pop() {
            for lane in 0..WIDTH {
                let child = nodes[node].children[lane];
                assert_eq!(child != NONE, nodes[node].used() >> lane & 1 == 1);
                if child == NONE {
                    continue;
                }
                let own = tree.child_bounds(node, lane);
                if child & LEAF != 0 {
                    let leaf = (child & !LEAF) as usize;
                    reached[leaf] += 1;
                    assert!(own.contains(&boxes[leaf]) && around.contains(&boxes[leaf]));
                } else {
                    assert!(child as usize > node);
                    open.push((child as usize, own));
                }
            }
        }
        for (leaf, count) in reached.into_iter().enumerate() {
            assert_eq!(count, usize::from(!boxes[leaf].is_empty()), "leaf {leaf}");
        }
    }

    #[test]
    fn every_leaf_of_any_grid_is_reached_once() {
        for (rows, columns) in [(1, 1), (1, 9), (64, 1), (7, 13), (64, 32), (3, 200)] {
            check(rows, columns, |_| false);
            check(rows, columns, |i| i % 3 == 0);
            check(rows, columns, |i| i < rows * columns / 2);
            check(rows, columns, |_| true);
        }
    }

    #[test]
    fn a_square_field_fills_its_nodes() {
        let boxes = vec![Bounds { min: Vec3::ZERO, max: Vec3::ONE }; 64 * 32];
        // 2048 leaves: 256 + 32 + 4 + 1 nodes.
        assert_eq!(build_grid(64, 32, [2.0, 4.0], boxes).len(), 293);
    }
}
