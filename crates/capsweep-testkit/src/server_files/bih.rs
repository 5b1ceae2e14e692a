//! Bounding interval hierarchies: the trees of model and placement files.

use super::bytes::Bytes;
use glam::Vec3;

/// Corners of a box.
pub type Bounds = [Vec3; 2];

/// Nodes deeper than this become leaves. Server cores have a stack of 64 entries.
const DEEPEST: u32 = 48;
/// Part of its parent's extent below which a node is wrapped into a clip node.
const CLIP: f32 = 0.5;
const LEAF: u32 = 3 << 30;
const CLIP_NODE: u32 = 1 << 29;

/// A bounding interval hierarchy.
#[derive(Debug, Clone, PartialEq)]
pub struct Bih {
    /// The box of all objects.
    pub bounds: Bounds,
    /// Nodes of three words.
    pub words: Vec<u32>,
    /// Indices of objects, in the order of the leaves.
    pub objects: Vec<u32>,
}

impl Bih {
    /// Builds a tree over boxes with at most `leaf` objects in a leaf, if depth allows.
    pub fn build(boxes: &[Bounds], leaf: usize) -> Self {
        let first = boxes.first().copied().unwrap_or([Vec3::ZERO; 2]);
        let bounds = boxes.iter().fold(first, |all, one| [all[0].min(one[0]), all[1].max(one[1])]);
        let mut builder =
            Builder { boxes, leaf, words: vec![0; 3], objects: (0..boxes.len() as u32).collect() };
        let count = boxes.len();
        let mut open = vec![Open { node: 0, range: [0, count], bounds, depth: 1, clipped: true }];
        while let Some(next) = open.pop() {
            builder.split(next, &mut open);
        }
        Self { bounds, words: builder.words, objects: builder.objects }
    }

    /// Appends the block: bounds, words, objects.
    pub(super) fn write(&self, file: &mut Bytes) {
        file.vec3(self.bounds[0]);
        file.vec3(self.bounds[1]);
        for words in [&self.words, &self.objects] {
            file.count(words.len());
            for word in words {
                file.u32(*word);
            }
        }
    }
}

/// A node whose content is not decided yet.
#[derive(Debug, Clone, Copy)]
struct Open {
    /// Word of the node.
    node: usize,
    /// Range of objects.
    range: [usize; 2],
    /// The interval of splitting; it contains the centres of all objects.
    bounds: Bounds,
    depth: u32,
    /// A clip node must not follow: this node is the root or the child of one.
    clipped: bool,
}

struct Builder<'a> {
    boxes: &'a [Bounds],
    leaf: usize,
    words: Vec<u32>,
    objects: Vec<u32>,
}

impl Builder<'_> {
    /// Decides a node and adds its children to `open`.
    fn split(&mut self, from: Open, open: &mut Vec<Open>) {
        let [start, end] = from.range;
        let size = from.bounds[1] - from.bounds[0];
        let axis = size.max_position();
        if end - start <= self.leaf || from.depth >= DEEPEST || size[axis] <= 0.0 {
            self.set(from.node, [LEAF | start as u32, (end - start) as u32, 0]);
            return;
        }
        let inside = self.around(from.range);
        let extent = inside[1][axis] - inside[0][axis];
        let depth = from.depth + 1;
        if !from.clipped && extent < CLIP * size[axis] {
            let node = self.reserve(1);
            let word = (axis as u32) << 30 | CLIP_NODE | node as u32;
            self.set(from.node, [word, inside[0][axis].to_bits(), inside[1][axis].to_bits()]);
            let mut bounds = from.bounds;
            bounds[0][axis] = inside[0][axis];
            bounds[1][axis] = inside[1][axis];
            open.push(Open { node, bounds, depth, clipped: true, ..from });
            return;
        }
        let middle = 0.5 * (from.bounds[0][axis] + from.bounds[1][axis]);
        let split = self.partition(from.range, axis, middle);
        let [left, right] = [[start, split], [split, end]];
        let one_sided = split == start || split == end;
        // A missing child takes no words. The offset then points at an unrelated node.
        let node = self.reserve(if one_sided { 1 } else { 2 });
        let offset = if split == start { node - 3 } else { node };
        let clip = |range: [usize; 2], side: usize, missing: f32| {
            if range[0] == range[1] { missing } else { self.around(range)[side][axis] }
        };
        let clips = [clip(left, 1, f32::NEG_INFINITY), clip(right, 0, f32::INFINITY)];
        let word = (axis as u32) << 30 | offset as u32;
        self.set(from.node, [word, clips[0].to_bits(), clips[1].to_bits()]);
        for (range, node, side) in [(left, offset, 1), (right, offset + 3, 0)] {
            if range[0] < range[1] {
                let mut bounds = from.bounds;
                bounds[side][axis] = middle;
                open.push(Open { node, range, bounds, depth, clipped: false });
            }
        }
    }

    /// The box around a range of objects.
    fn around(&self, [start, end]: [usize; 2]) -> Bounds {
        let boxes = self.objects[start..end].iter().map(|k| self.boxes[*k as usize]);
        boxes
            .reduce(|all, one| [all[0].min(one[0]), all[1].max(one[1])])
            .unwrap_or([Vec3::ZERO; 2])
    }

    /// Sorts a range into objects with centres up to `middle` and above; returns the border.
    fn partition(&mut self, [start, end]: [usize; 2], axis: usize, middle: f32) -> usize {
        let mut border = start;
        for k in start..end {
            let [low, high] = self.boxes[self.objects[k] as usize];
            if 0.5 * (low[axis] + high[axis]) <= middle {
                self.objects.swap(border, k);
                border += 1;
            }
        }
        border
    }

    fn reserve(&mut self, nodes: usize) -> usize {
        let first = self.words.len();
        self.words.resize(first + 3 * nodes, 0);
        first
    }

    fn set(&mut self, node: usize, words: [u32; 3]) {
        self.words[node..node + 3].copy_from_slice(&words);
    }
}
