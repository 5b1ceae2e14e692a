//! The static or the dynamic bodies of a scene: their slots and the tree over them.

use crate::bvh::{Bounds, Bvh, BvhDefect, DynamicBvh, LaneBounds, NONE, Node, WIDTH};
use crate::math::prefetch;
use crate::scene::body::{Body, BodyId, InsertionStamp, Mobility};

/// Set in the index of a dynamic body; the other bits of an index are its slot.
const DYNAMIC: u32 = 1 << 31;

/// Set in the index of a static body of a [map](crate::scene::map_layer).
pub(crate) const OF_MAP: u32 = 1 << 30;

/// Whether the body with this index is one of a map.
pub(crate) fn is_of_map(index: u32) -> bool {
    index & (DYNAMIC | OF_MAP) == OF_MAP
}

/// A tree over bodies, as traversals see it.
pub(crate) trait BodyLayer {
    fn nodes(&self) -> &[Node];

    /// The boxes of the bodies in a leaf of the tree, lane by lane; unused lanes are empty.
    fn boxes_in_leaf(&self, leaf: usize) -> &LaneBounds;

    /// The slots of the bodies in a leaf of the tree, lane by lane.
    fn slots_in_leaf(&self, leaf: usize) -> Option<[u32; WIDTH]>;

    /// Prefetches the body in a slot.
    fn prefetch(&self, slot: u32);

    /// The body in a slot, and its index.
    fn in_slot(&self, slot: u32) -> Option<(u32, &Body)>;
}

/// The layer that holds the body with this index.
pub(crate) fn mobility_of(index: u32) -> Mobility {
    if index & DYNAMIC == 0 { Mobility::Static } else { Mobility::Dynamic }
}

/// Memory of one body. It is used again when the body is removed, with the next generation.
#[derive(Debug, Clone, Default)]
struct Slot {
    generation: u32,
    /// Of the last body that was inserted here.
    stamp: InsertionStamp,
    body: Option<Body>,
}

/// Bodies of one [`Mobility`].
///
/// Changes write to the slots at once and to the tree in [`Layer::update_tree`]. A scene calls
/// that before it can be queried again, so queries find both up to date.
#[derive(Debug, Clone)]
pub(crate) struct Layer {
    /// The bit that a body's index has besides its slot: [`DYNAMIC`] or 0.
    mobility_bit: u32,
    slots: Vec<Slot>,
    /// Slots without a body that can be used again.
    free: Vec<u32>,
    /// Slots changed since the tree was last updated; a slot may be listed more than once.
    changed: Vec<u32>,
    /// Over the bounded bodies; its items are slots.
    tree: DynamicBvh,
    /// The slot of the only body in the tree; `None` if there are more or none.
    single: Option<u32>,
    /// Slots of the bodies that have no box.
    unbounded: Vec<u32>,
}

impl Layer {
    pub(crate) fn new(mobility: Mobility) -> Self {
        Self {
            mobility_bit: if mobility == Mobility::Dynamic { DYNAMIC } else { 0 },
            slots: Vec::new(),
            free: Vec::new(),
            changed: Vec::new(),
            tree: DynamicBvh::default(),
            single: None,
            unbounded: Vec::new(),
        }
    }

    fn id(&self, slot: u32, data: &Slot) -> BodyId {
        let Slot { generation, stamp, .. } = *data;
        BodyId { index: slot | self.mobility_bit, generation, stamp }
    }

    pub(crate) fn body(&self, id: BodyId) -> Option<&Body> {
        let slot = self.slots.get((id.index & !DYNAMIC) as usize)?;
        let is_named = slot.generation == id.generation && id.stamp.matches(slot.stamp);
        if is_named { slot.body.as_ref() } else { None }
    }

    pub(crate) fn bodies(&self) -> impl Iterator<Item = (BodyId, &Body)> {
        let slots = self.slots.iter().zip(0..);
        slots.filter_map(|(data, slot)| Some((self.id(slot, data), data.body.as_ref()?)))
    }

    pub(crate) fn insert(&mut self, body: Body) -> BodyId {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot::default());
            self.slots.len() as u32 - 1
        });
        self.changed.push(slot);
        let data = &mut self.slots[slot as usize];
        (data.body, data.stamp) = (Some(body), InsertionStamp::next());
        let (generation, stamp) = (data.generation, data.stamp);
        BodyId { index: slot | self.mobility_bit, generation, stamp }
    }

    /// Takes out the body with this id, if there is one.
    pub(crate) fn remove(&mut self, id: BodyId) -> Option<Body> {
        self.body(id)?;
        let slot = id.index & !DYNAMIC;
        let data = self.slots.get_mut(slot as usize)?;
        self.changed.push(slot);
        // A slot whose generations are used up stays empty.
        if let Some(next) = data.generation.checked_add(1) {
            data.generation = next;
            self.free.push(slot);
        }
        data.body.take()
    }

    /// The body with this id, to be changed.
    pub(crate) fn body_mut(&mut self, id: BodyId) -> Option<&mut Body> {
        self.body(id)?;
        let slot = id.index & !DYNAMIC;
        self.changed.push(slot);
        self.slots.get_mut(slot as usize)?.body.as_mut()
    }

    /// Whether the tree is behind the slots.
    pub(crate) fn is_changed(&self) -> bool {
        !self.changed.is_empty()
    }

    /// Brings the tree up to date with the slots.
    pub(crate) fn update_tree(&mut self) {
        self.changed.sort_unstable();
        self.changed.dedup();
        self.unbounded.retain(|slot| self.changed.binary_search(slot).is_err());
        let mut boxes = Vec::with_capacity(self.changed.len());
        for &slot in &self.changed {
            let body = self.slots[slot as usize].body.as_ref();
            if body.is_some_and(Body::is_unbounded) {
                self.unbounded.push(slot);
            }
            boxes.push((slot, body.and_then(Body::tree_bounds).unwrap_or(Bounds::EMPTY)));
        }
        self.changed.clear();
        self.tree.update(&boxes);
        let mut items = self.tree().items.iter().copied().filter(|slot| *slot != NONE);
        self.single = items.next().filter(|_| items.next().is_none());
    }

    /// Whether it holds a body that queries can hit: any but a mesh without triangles.
    pub(crate) fn holds_any(&self) -> bool {
        !self.tree().is_empty() || !self.unbounded.is_empty()
    }

    pub(crate) fn tree(&self) -> &Bvh {
        self.tree.tree()
    }

    pub(crate) fn mobility(&self) -> Mobility {
        mobility_of(self.mobility_bit)
    }

    /// Largest magnitude of a coordinate of a box in the tree.
    pub(crate) fn max_coordinate(&self) -> f64 {
        let bounds = self.tree.bounds();
        if bounds.is_empty() {
            return 0.0;
        }
        f64::from(bounds.min.abs().max(bounds.max.abs()).max_element())
    }

    /// The body with this index or in this slot.
    pub(crate) fn body_by_index(&self, index: u32) -> Option<(BodyId, &Body)> {
        let slot = index & !DYNAMIC;
        let data = self.slots.get(slot as usize)?;
        Some((self.id(slot, data), data.body.as_ref()?))
    }

    /// The only body in the tree and its index; `None` if there are more or none.
    #[inline]
    pub(crate) fn single_body(&self) -> Option<(u32, &Body)> {
        self.in_slot(self.single?)
    }

    /// Whether it holds an unbounded body.
    pub(crate) fn has_unbounded(&self) -> bool {
        !self.unbounded.is_empty()
    }

    /// The unbounded bodies and their indices.
    pub(crate) fn unbounded(&self) -> impl Iterator<Item = (u32, &Body)> {
        self.unbounded.iter().filter_map(|slot| self.in_slot(*slot))
    }

    pub(crate) fn validate(&self) -> Result<(), BvhDefect> {
        self.tree.validate()
    }
}

impl BodyLayer for Layer {
    #[inline]
    fn nodes(&self) -> &[Node] {
        &self.tree().nodes
    }

    #[inline]
    fn boxes_in_leaf(&self, leaf: usize) -> &LaneBounds {
        self.tree.boxes_in_leaf(leaf)
    }

    #[inline]
    fn slots_in_leaf(&self, leaf: usize) -> Option<[u32; WIDTH]> {
        self.tree().leaf_items(leaf).first_chunk().copied()
    }

    #[inline]
    fn prefetch(&self, slot: u32) {
        if let Some(data) = self.slots.get(slot as usize) {
            prefetch(data);
        }
    }

    #[inline]
    fn in_slot(&self, slot: u32) -> Option<(u32, &Body)> {
        Some((slot | self.mobility_bit, self.body_by_index(slot)?.1))
    }
}
