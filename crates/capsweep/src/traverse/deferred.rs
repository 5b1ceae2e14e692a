//! Triangles whose exact test waits until no other candidate can have an earlier hit.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::bvh::WIDTH;

/// Room for two packets of triangles.
const ROOM: usize = 2 * WIDTH;

/// Triangles that passed the f32 culling and wait for their exact test, in no order.
pub(crate) struct DeferredTriangles {
    /// Lower bounds on the times of impact.
    keys: [f32; ROOM],
    slots: [u32; ROOM],
    count: usize,
    /// The smallest key; infinite if no triangle waits.
    pub(crate) smallest: f32,
    /// Optimistic upper bound on the limit, from the triangles that wait; verified once all of
    /// them are tested.
    pub(crate) bound: f32,
}

impl DeferredTriangles {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self {
            keys: [0.0; ROOM],
            slots: [0; ROOM],
            count: 0,
            smallest: f32::INFINITY,
            bound: f32::INFINITY,
        }
    }

    /// Whether another packet fits.
    #[inline(always)]
    pub(crate) fn has_room(&self) -> bool {
        self.count + WIDTH <= ROOM
    }

    /// Adds a triangle; there must be room. The remainder then equals the count, and proves to the
    /// compiler that the index is in bounds.
    #[inline(always)]
    pub(crate) fn add(&mut self, key: f32, slot: usize) {
        let at = self.count % ROOM;
        (self.keys[at], self.slots[at]) = (key, slot as u32);
        self.count = at + 1;
        self.smallest = self.smallest.min(key);
    }

    /// Takes out the slot with the smallest key. Clears everything if that key is beyond `limit`.
    #[inline(always)]
    pub(crate) fn take(&mut self, limit: f32) -> Option<usize> {
        if self.count == 0 || self.smallest > limit {
            (self.count, self.smallest) = (0, f32::INFINITY);
            return None;
        }
        let (mut first, mut next) = (0, f32::INFINITY);
        for i in 1..self.count {
            if self.keys[i] < self.keys[first] {
                next = next.min(self.keys[first]);
                first = i;
            } else {
                next = next.min(self.keys[i]);
            }
        }
        let slot = self.slots[first];
        self.count -= 1;
        (self.keys[first], self.slots[first]) = (self.keys[self.count], self.slots[self.count]);
        self.smallest = next;
        Some(slot as usize)
    }
}
