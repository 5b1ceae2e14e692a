//! One half of a scene, its static or its dynamic bodies: their memory and the tree over them.

use crate::bvh::{Bounds, Bvh, BvhDefect, DynamicBvh, LaneBounds, NONE, WIDTH};
use crate::math::prefetch;
use crate::scene::body::{Body, BodyId, Mobility, Stamp};
use std::collections::BTreeMap;

/// Set in the index of a dynamic body.
const DYNAMIC: u32 = 1 << 31;

/// Which half has the body with this index.
pub(crate) fn mobility_of(index: u32) -> Mobility {
    if index & DYNAMIC == 0 { Mobility::Static } else { Mobility::Dynamic }
}

#[derive(Debug, Clone, Default)]
struct Slot {
    generation: u32,
    /// Of the last body that was put there.
    stamp: Stamp,
    body: Option<Body>,
}

/// Bodies of one [`Mobility`]. Queries see them as of the last commit.
#[derive(Debug, Clone)]
pub(crate) struct Layer {
    /// The bit that tells this layer's indices from the other's; without it they are places in `slots`.
    mark: u32,
    slots: Vec<Slot>,
    /// What the caller has changed since the last commit, by place.
    pending: BTreeMap<u32, Slot>,
    /// How many places there are, and those of them that can be used again.
    places: u32,
    free: Vec<u32>,
    /// Over the bodies that have an end; its items are places.
    tree: DynamicBvh,
    /// The one place in the tree, where there is no other.
    lone: Option<u32>,
    /// The places of those that have none.
    unbounded: Vec<u32>,
}

impl Layer {
    pub(crate) fn new(mobility: Mobility) -> Self {
        Self {
            mark: if mobility == Mobility::Dynamic { DYNAMIC } else { 0 },
            slots: Vec::new(),
            pending: BTreeMap::new(),
            places: 0,
            free: Vec::new(),
            tree: DynamicBvh::default(),
            lone: None,
            unbounded: Vec::new(),
        }
    }

    // What the caller sees: the bodies with all changes.

    fn latest(&self, place: u32) -> Option<&Slot> {
        self.pending.get(&place).or_else(|| self.slots.get(place as usize))
    }

    fn latest_mut(&mut self, place: u32) -> &mut Slot {
        let committed = self.slots.get(place as usize);
        self.pending.entry(place).or_insert_with(|| committed.cloned().unwrap_or_default())
    }

    fn id(&self, place: u32, slot: &Slot) -> BodyId {
        BodyId { index: place | self.mark, generation: slot.generation, stamp: slot.stamp }
    }

    pub(crate) fn body(&self, id: BodyId) -> Option<&Body> {
        let slot = self.latest(id.index & !DYNAMIC)?;
        let is_named = slot.generation == id.generation && id.stamp.fits(slot.stamp);
        if is_named { slot.body.as_ref() } else { None }
    }

    pub(crate) fn bodies(&self) -> impl Iterator<Item = (BodyId, &Body)> {
        (0..self.places).filter_map(|place| {
            let slot = self.latest(place)?;
            Some((self.id(place, slot), slot.body.as_ref()?))
        })
    }

    pub(crate) fn insert(&mut self, body: Body) -> BodyId {
        let place = self.free.pop().unwrap_or_else(|| {
            self.places += 1;
            self.places - 1
        });
        let slot = self.latest_mut(place);
        (slot.body, slot.stamp) = (Some(body), Stamp::next());
        let (generation, stamp) = (slot.generation, slot.stamp);
        BodyId { index: place | self.mark, generation, stamp }
    }

    /// Takes out a body that [is there](Self::body).
    pub(crate) fn remove(&mut self, id: BodyId) -> Option<Body> {
        let place = id.index & !DYNAMIC;
        let slot = self.latest_mut(place);
        let body = slot.body.take();
        // Once its generations are used up, a place is left alone.
        if let Some(next) = slot.generation.checked_add(1) {
            slot.generation = next;
            self.free.push(place);
        }
        body
    }

    /// A body that [is there](Self::body), to be changed.
    pub(crate) fn body_mut(&mut self, id: BodyId) -> Option<&mut Body> {
        self.latest_mut(id.index & !DYNAMIC).body.as_mut()
    }

    /// Whether queries see anything in it.
    pub(crate) fn holds_any(&self) -> bool {
        !self.tree().is_empty() || !self.unbounded.is_empty()
    }

    /// Whether there is anything to commit.
    pub(crate) fn is_changed(&self) -> bool {
        !self.pending.is_empty()
    }

    /// Shows all changes to queries.
    pub(crate) fn commit(&mut self) {
        let mut changes = Vec::with_capacity(self.pending.len());
        // In rising order, so new places follow the old ones without a gap.
        for (place, slot) in core::mem::take(&mut self.pending) {
            if self.at(place).is_some_and(|(_, body)| body.is_endless()) {
                self.unbounded.retain(|other| *other != place);
            }
            if slot.body.as_ref().is_some_and(Body::is_endless) {
                self.unbounded.push(place);
            }
            let bounds = slot.body.as_ref().and_then(Body::bounds);
            changes.push((place, bounds.unwrap_or(Bounds::EMPTY)));
            match self.slots.get_mut(place as usize) {
                Some(old) => *old = slot,
                None => self.slots.push(slot),
            }
        }
        self.tree.update(&changes);
        let mut instance = self.tree().items.iter().copied().filter(|place| *place != NONE);
        self.lone = instance.next().filter(|_| instance.next().is_none());
    }

    // What queries see: the bodies as of the last commit.

    pub(crate) fn tree(&self) -> &Bvh {
        self.tree.tree()
    }

    pub(crate) fn mobility(&self) -> Mobility {
        mobility_of(self.mark)
    }

    /// Largest magnitude of a coordinate of a box in the tree.
    pub(crate) fn size(&self) -> f64 {
        let bounds = self.tree.bounds();
        if bounds.is_empty() {
            return 0.0;
        }
        f64::from(bounds.min.abs().max(bounds.max.abs()).max_element())
    }

    /// A body by its index, with or without the layer's mark.
    pub(crate) fn at(&self, index: u32) -> Option<(BodyId, &Body)> {
        let place = index & !DYNAMIC;
        let slot = self.slots.get(place as usize)?;
        Some((self.id(place, slot), slot.body.as_ref()?))
    }

    /// The one body in the tree, with its index; `None` if there are others.
    #[inline]
    pub(crate) fn single_body(&self) -> Option<(u32, &Body)> {
        self.in_place(self.lone?)
    }

    /// The places of the bodies in a leaf of the tree, lane by lane.
    #[inline]
    pub(crate) fn places_in_leaf(&self, leaf: usize) -> Option<[u32; WIDTH]> {
        self.tree().leaf_items(leaf).first_chunk().copied()
    }

    /// Asks for the memory of the body in a place, which is looked at soon.
    #[inline]
    pub(crate) fn prefetch(&self, place: u32) {
        if let Some(slot) = self.slots.get(place as usize) {
            prefetch(slot);
        }
    }

    /// The body in a place, with its index.
    #[inline]
    pub(crate) fn in_place(&self, place: u32) -> Option<(u32, &Body)> {
        Some((place | self.mark, self.at(place)?.1))
    }

    /// The boxes of the bodies in a leaf of the tree, lane by lane; empty where there is none.
    #[inline]
    pub(crate) fn boxes_in_leaf(&self, leaf: usize) -> &LaneBounds {
        self.tree.boxes_in_leaf(leaf)
    }

    /// Whether any body has no end.
    pub(crate) fn has_unbounded(&self) -> bool {
        !self.unbounded.is_empty()
    }

    /// The bodies without end, with their indices.
    pub(crate) fn unbounded(&self) -> impl Iterator<Item = (u32, &Body)> {
        self.unbounded.iter().filter_map(|place| self.in_place(*place))
    }

    pub(crate) fn validate(&self) -> Result<(), BvhDefect> {
        self.tree.validate()
    }
}
