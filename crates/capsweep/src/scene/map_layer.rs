//! The static bodies of a map file: made when a query first reaches them.

use crate::Aabb;
use crate::buffer::Buffer;
use crate::bvh::{Bounds, Bvh, BvhDefect, LaneBounds, NONE, Node, WIDTH};
use crate::math::prefetch;
use crate::scene::body::{Body, BodyId, InsertionStamp};
use crate::scene::layer::{BodyLayer, OF_MAP, is_of_map};
use core::fmt;
use std::sync::OnceLock;

/// Where the bodies of a map come from.
pub(crate) trait BodySource: Send + Sync {
    /// Makes the body in a slot; `None` if its data are damaged. Called once for each slot.
    fn load(&self, slot: u32) -> Option<Body>;
}

/// The bodies of a map and the tree over them. It never changes, so that scenes share it.
pub(crate) struct MapLayer {
    /// Its items are slots.
    tree: Bvh,
    /// By leaf of the tree: the boxes of its bodies.
    boxes: Buffer<LaneBounds>,
    /// By slot; empty until a query reaches the body, `None` if it is damaged.
    bodies: Box<[OnceLock<Option<Box<Body>>>]>,
    source: Box<dyn BodySource>,
    stamp: InsertionStamp,
    /// The box around all bodies, rounded outwards to f32; `None` if there are none.
    bounds: Option<Aabb>,
}

impl MapLayer {
    /// A layer of `count` bodies. The tree is checked against `boxes`, the bodies are not.
    ///
    /// # Errors
    /// The first defect of the tree.
    pub(crate) fn new(
        nodes: Buffer<Node>,
        items: Buffer<u32>,
        boxes: Buffer<LaneBounds>,
        count: usize,
        source: Box<dyn BodySource>,
    ) -> Result<Self, BvhDefect> {
        let by_slot = boxes_by_slot(&items, &boxes, count)?;
        let all = Bounds::union_of(&by_slot);
        let tree = Bvh::from_parts(nodes, items, &by_slot)?;
        let bounds = Aabb::new(all.min.as_dvec3(), all.max.as_dvec3()).ok();
        let bounds = bounds.filter(|_| !all.is_empty());
        let bodies = (0..count).map(|_| OnceLock::new()).collect();
        let stamp = InsertionStamp::next();
        Ok(Self { tree, boxes, bodies, source, stamp, bounds })
    }

    /// Largest magnitude of a coordinate of a box in the tree.
    pub(crate) fn max_coordinate(&self) -> f64 {
        let largest = |bounds: &Aabb| bounds.min().abs().max(bounds.max().abs()).max_element();
        self.bounds.as_ref().map_or(0.0, largest)
    }

    /// The box around all bodies, rounded outwards to f32; `None` if there are none.
    pub(crate) fn bounds(&self) -> Option<Aabb> {
        self.bounds
    }

    #[inline]
    fn in_place(&self, slot: u32) -> Option<&Body> {
        let body = self.bodies.get(slot as usize)?;
        body.get_or_init(|| self.load(slot)).as_deref()
    }

    #[cold]
    #[inline(never)]
    fn load(&self, slot: u32) -> Option<Box<Body>> {
        self.source.load(slot).map(Box::new)
    }

    /// The slot of a body; `None` if the id is not one of a map.
    pub(crate) fn slot_of(id: BodyId) -> Option<u32> {
        is_of_map(id.index).then_some(id.index & !OF_MAP)
    }

    fn id(&self, slot: u32) -> BodyId {
        BodyId { index: slot | OF_MAP, generation: 0, stamp: self.stamp }
    }

    pub(crate) fn body(&self, id: BodyId) -> Option<&Body> {
        let (generation, stamp) = (id.generation, id.stamp);
        let is_named = generation == 0 && stamp.matches(self.stamp);
        if is_named { self.in_place(id.index & !OF_MAP) } else { None }
    }

    /// The body with this index.
    pub(crate) fn body_by_index(&self, index: u32) -> Option<(BodyId, &Body)> {
        let slot = index & !OF_MAP;
        Some((self.id(slot), self.in_place(slot)?))
    }

    /// All bodies that are not damaged. It loads them all.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = (BodyId, &Body)> {
        (0..self.bodies.len() as u32)
            .filter_map(|slot| Some((self.id(slot), self.in_place(slot)?)))
    }
}

impl BodyLayer for MapLayer {
    #[inline]
    fn nodes(&self) -> &[Node] {
        &self.tree.nodes
    }

    #[inline]
    fn boxes_in_leaf(&self, leaf: usize) -> &LaneBounds {
        &self.boxes[leaf]
    }

    #[inline]
    fn slots_in_leaf(&self, leaf: usize) -> Option<[u32; WIDTH]> {
        self.tree.leaf_items(leaf).first_chunk().copied()
    }

    #[inline]
    fn prefetch(&self, slot: u32) {
        if let Some(Some(Some(body))) = self.bodies.get(slot as usize).map(OnceLock::get) {
            prefetch(&**body);
        }
    }

    #[inline]
    fn in_slot(&self, slot: u32) -> Option<(u32, &Body)> {
        Some((slot | OF_MAP, self.in_place(slot)?))
    }
}

impl fmt::Debug for MapLayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let loaded = self.bodies.iter().filter(|body| body.get().is_some()).count();
        f.debug_struct("MapLayer")
            .field("bodies", &self.bodies.len())
            .field("loaded", &loaded)
            .finish_non_exhaustive()
    }
}

/// The box of each slot, from the leaves of a tree; empty where no leaf has the slot.
pub(crate) fn boxes_by_slot(
    items: &[u32],
    boxes: &[LaneBounds],
    count: usize,
) -> Result<Vec<Bounds>, BvhDefect> {
    if items.len() != boxes.len() * WIDTH {
        return Err(BvhDefect::Unreachable);
    }
    let mut by_slot = vec![Bounds::EMPTY; count];
    for (lane, &item) in items.iter().enumerate().filter(|(_, item)| **item != NONE) {
        let bounds = boxes[lane / WIDTH].get(lane % WIDTH);
        let place = by_slot.get_mut(item as usize).filter(|place| place.is_empty());
        *place.ok_or(BvhDefect::BadItem { item })? = bounds;
    }
    Ok(by_slot)
}
