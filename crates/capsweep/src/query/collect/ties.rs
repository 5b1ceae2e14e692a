//! Storage of contacts that tie: those within the tolerance of the best one. The collectors decide
//! which of them wins; for sweeps, `first_hit.rs` has the order.

#![allow(clippy::inline_always, reason = "avoids a copy of the whole, mostly unused, storage")]

/// Most ties that are kept. A query with more traverses the scene a second time.
const ROOM: usize = 8;

/// The contacts that tie with the best so far.
pub(crate) struct Ties<C> {
    /// Written when the first tie comes: most queries have none.
    kept: Option<[C; ROOM]>,
    count: usize,
    /// More contacts tie than `kept` has room for.
    overflowed: bool,
    /// The second traversal: the best is known, and contacts are compared as they come.
    pub(crate) is_second_pass: bool,
}

impl<C: Copy> Ties<C> {
    /// No ties. A function, because a constant would be copied whole.
    #[inline(always)]
    pub(crate) fn none() -> Self {
        Self { kept: None, count: 0, overflowed: false, is_second_pass: false }
    }

    /// Whether a second traversal is needed, because more contacts tie than were kept. Returns
    /// `true` at most once.
    pub(crate) fn begin_second_pass(&mut self) -> bool {
        !core::mem::replace(&mut self.is_second_pass, self.overflowed) && self.is_second_pass
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    #[inline]
    pub(crate) fn add(&mut self, contact: C) {
        match &mut self.kept {
            // The first fills all room; entries beyond the count are never read.
            None => (self.kept, self.count) = (Some([contact; ROOM]), 1),
            Some(kept) if self.count < ROOM => {
                kept[self.count] = contact;
                self.count += 1;
            }
            Some(_) => self.overflowed = true,
        }
    }

    /// Drops the contacts that no longer tie.
    #[inline]
    pub(crate) fn retain(&mut self, ties: impl Fn(&C) -> bool) {
        let Some(kept) = &mut self.kept else { return };
        let mut left = 0;
        for i in 0..self.count {
            if ties(&kept[i]) {
                kept[left] = kept[i];
                left += 1;
            }
        }
        self.count = left;
    }

    pub(crate) fn kept(&self) -> &[C] {
        self.kept.as_ref().map_or(&[], |kept| &kept[..self.count])
    }
}
