//! Triangles that are looked at closely only when nothing else can come before them.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::bvh::WIDTH;

/// Two packets full.
const ROOM: usize = 2 * WIDTH;

/// Triangles that wait, by their slots and keys.
pub(crate) struct DeferredTriangles {
    keys: [f32; ROOM],
    slots: [u32; ROOM],
    count: usize,
    /// The smallest key; infinite if there is none.
    pub(crate) smallest: f32,
    /// The key beyond which nothing will be of interest once all of them are looked at, as far as one can tell.
    pub(crate) promised: f32,
}

impl DeferredTriangles {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self {
            keys: [0.0; ROOM],
            slots: [0; ROOM],
            count: 0,
            smallest: f32::INFINITY,
            promised: f32::INFINITY,
        }
    }

    /// Whether there is room for another packet.
    #[inline(always)]
    pub(crate) fn has_room(&self) -> bool {
        self.count + WIDTH <= ROOM
    }

    /// There must be room: then the remainder is the count itself, and tells the compiler that it is in bounds.
    #[inline(always)]
    pub(crate) fn add(&mut self, key: f32, slot: usize) {
        let at = self.count % ROOM;
        (self.keys[at], self.slots[at]) = (key, slot as u32);
        self.count = at + 1;
        self.smallest = self.smallest.min(key);
    }

    /// Takes out the slot with the smallest key; nothing, and all of them, if that is beyond the limit.
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
