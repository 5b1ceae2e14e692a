//! Checks a bounding interval hierarchy as a reader walks it.

use super::bih::{Bih, Bounds};
use glam::Vec3;
use std::fmt;

/// Server cores walk trees with a stack of this many entries.
const DEEPEST: u32 = 64;

/// What is wrong with a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BihDefect {
    /// The words are no whole number of nodes, or there is no node.
    Words(usize),
    /// A child is outside the words, or not after its parent.
    Child {
        /// Word of the parent.
        parent: usize,
        /// Word of the child.
        child: usize,
    },
    /// Two parents share a node.
    Shared(usize),
    /// A clip is NaN, or both children are missing.
    Clip(usize),
    /// A leaf has objects that the tree does not have.
    Leaf(usize),
    /// The tree is deeper than the stack of server cores.
    Depth(usize),
    /// An object is not listed exactly once.
    Listed {
        /// The object.
        object: u32,
        /// How often leaves list it.
        times: u32,
    },
    /// An object is outside the intervals on the way to its leaf.
    Outside {
        /// Word of the leaf.
        leaf: usize,
        /// The object.
        object: u32,
    },
}

impl fmt::Display for BihDefect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Words(count) => write!(f, "{count} words are no nodes of three words"),
            Self::Child { parent, child } => write!(f, "node {parent} has a child at {child}"),
            Self::Shared(node) => write!(f, "node {node} has two parents"),
            Self::Clip(node) => write!(f, "node {node} has a clip of NaN or no child"),
            Self::Leaf(node) => write!(f, "leaf {node} has more objects than the tree"),
            Self::Depth(node) => write!(f, "node {node} is deeper than {DEEPEST}"),
            Self::Listed { object, times } => write!(f, "object {object} is listed {times} times"),
            Self::Outside { leaf, object } => {
                write!(f, "object {object} is outside the intervals of leaf {leaf}")
            }
        }
    }
}

impl Bih {
    /// Reads a block from the start of `bytes`; also says how many bytes it has.
    ///
    /// `None` if the bytes end early.
    pub fn read(bytes: &[u8]) -> Option<(Self, usize)> {
        let word = |k: usize| {
            let bytes = bytes.get(4 * k..4 * k + 4)?;
            Some(u32::from_le_bytes(bytes.try_into().ok()?))
        };
        let corner = |first: usize| {
            let at = |k: usize| word(first + k).map(f32::from_bits);
            Some(Vec3::new(at(0)?, at(1)?, at(2)?))
        };
        let list = |first: usize| -> Option<Vec<u32>> {
            let end = first + 1 + word(first)? as usize;
            // Checked first: a wrong count must not ask for memory.
            bytes.get(..4 * end)?;
            (first + 1..end).map(word).collect()
        };
        let bounds = [corner(0)?, corner(3)?];
        let words = list(6)?;
        let objects = list(7 + words.len())?;
        let length = 4 * (8 + words.len() + objects.len());
        Some((Self { bounds, words, objects }, length))
    }
}

/// Figures of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BihStats {
    /// Nodes that a walker reaches.
    pub nodes: usize,
    /// Leaves.
    pub leaves: usize,
    /// Clip nodes.
    pub clips: usize,
    /// Nodes with one missing child.
    pub half_nodes: usize,
    /// Depth of the deepest node; the root has 1.
    pub depth: u32,
    /// Objects in the largest leaf.
    pub largest_leaf: u32,
}

/// Walks a tree over `boxes` and checks every node.
///
/// # Errors
///
/// The first defect that the walk finds.
pub fn check_bih(bih: &Bih, boxes: &[Bounds]) -> Result<BihStats, BihDefect> {
    if bih.words.is_empty() || !bih.words.len().is_multiple_of(3) {
        return Err(BihDefect::Words(bih.words.len()));
    }
    let mut walker = Walker {
        bih,
        boxes,
        reached: vec![false; bih.words.len() / 3],
        listed: vec![0; boxes.len()],
        stats: BihStats::default(),
    };
    let mut open = vec![Visit { node: 0, bounds: bih.bounds, depth: 1 }];
    while let Some(visit) = open.pop() {
        walker.visit(visit, &mut open)?;
    }
    match (0..).zip(&walker.listed).find(|(_, times)| **times != 1) {
        Some((object, &times)) => Err(BihDefect::Listed { object, times }),
        None => Ok(walker.stats),
    }
}

#[derive(Debug, Clone, Copy)]
struct Visit {
    node: usize,
    bounds: Bounds,
    depth: u32,
}

struct Walker<'a> {
    bih: &'a Bih,
    boxes: &'a [Bounds],
    reached: Vec<bool>,
    listed: Vec<u32>,
    stats: BihStats,
}

impl Walker<'_> {
    fn visit(&mut self, at: Visit, open: &mut Vec<Visit>) -> Result<(), BihDefect> {
        let node = at.node;
        if std::mem::replace(&mut self.reached[node / 3], true) {
            return Err(BihDefect::Shared(node));
        }
        if at.depth > DEEPEST {
            return Err(BihDefect::Depth(node));
        }
        self.stats.nodes += 1;
        self.stats.depth = self.stats.depth.max(at.depth);
        let [word, first, second] = [0, 1, 2].map(|k| self.bih.words[node + k]);
        let axis = (word >> 30) as usize;
        let offset = (word & 0x1FFF_FFFF) as usize;
        if axis == 3 {
            return self.leaf(at, offset, first);
        }
        let clips = [first, second].map(f32::from_bits);
        if clips.iter().any(|clip| clip.is_nan()) {
            return Err(BihDefect::Clip(node));
        }
        let depth = at.depth + 1;
        if word >> 29 & 1 == 1 {
            self.stats.clips += 1;
            let mut bounds = at.bounds;
            bounds[0][axis] = bounds[0][axis].max(clips[0]);
            bounds[1][axis] = bounds[1][axis].min(clips[1]);
            open.push(Visit { node: self.child(node, offset)?, bounds, depth });
            return Ok(());
        }
        let present = [clips[0] != f32::NEG_INFINITY, clips[1] != f32::INFINITY];
        match present {
            [false, false] => return Err(BihDefect::Clip(node)),
            [true, true] => {}
            _ => self.stats.half_nodes += 1,
        }
        // The left child ends at its clip, the right child begins there.
        if present[0] {
            let mut bounds = at.bounds;
            bounds[1][axis] = bounds[1][axis].min(clips[0]);
            open.push(Visit { node: self.child(node, offset)?, bounds, depth });
        }
        if present[1] {
            let mut bounds = at.bounds;
            bounds[0][axis] = bounds[0][axis].max(clips[1]);
            open.push(Visit { node: self.child(node, offset + 3)?, bounds, depth });
        }
        Ok(())
    }

    /// The word of a child, if it is a node after its parent.
    fn child(&self, parent: usize, child: usize) -> Result<usize, BihDefect> {
        let node = child.is_multiple_of(3) && child + 3 <= self.bih.words.len();
        if node && child > parent { Ok(child) } else { Err(BihDefect::Child { parent, child }) }
    }

    fn leaf(&mut self, at: Visit, first: usize, count: u32) -> Result<(), BihDefect> {
        let leaf = at.node;
        let range = first..first + count as usize;
        let objects = self.bih.objects.get(range).ok_or(BihDefect::Leaf(leaf))?;
        self.stats.leaves += 1;
        self.stats.largest_leaf = self.stats.largest_leaf.max(count);
        for &object in objects {
            let bounds = self.boxes.get(object as usize).ok_or(BihDefect::Leaf(leaf))?;
            let inside =
                bounds[0].cmpge(at.bounds[0]).all() && bounds[1].cmple(at.bounds[1]).all();
            if !inside {
                return Err(BihDefect::Outside { leaf, object });
            }
            self.listed[object as usize] += 1;
        }
        Ok(())
    }
}
