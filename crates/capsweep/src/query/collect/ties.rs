#![allow(clippy::inline_always, reason = "what is not yet there must not be written")]

/// How many contacts within the bound of the best are remembered; more are looked up a second time.
const ROOM: usize = 8;

/// The contacts that tie with the best so far.
pub(crate) struct Ties<C> {
    /// Made for the first: many queries find none.
    kept: Option<[C; ROOM]>,
    count: usize,
    /// More contacts tie than there is room for.
    crowded: bool,
    /// The best is known, and contacts are compared as they come.
    pub(crate) looks_again: bool,
}

impl<C: Copy> Ties<C> {
    /// None yet. No constant: that would be copied whole.
    #[inline(always)]
    pub(crate) fn none() -> Self {
        Self { kept: None, count: 0, crowded: false, looks_again: false }
    }

    /// Whether more contacts tie than were kept. The walk must then be made again, once, with the best now known.
    pub(crate) fn look_again(&mut self) -> bool {
        !core::mem::replace(&mut self.looks_again, self.crowded) && self.looks_again
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    #[inline]
    pub(crate) fn add(&mut self, contact: C) {
        match &mut self.kept {
            // All room is taken by the first; what is past the count is not looked at.
            None => (self.kept, self.count) = (Some([contact; ROOM]), 1),
            Some(kept) if self.count < ROOM => {
                kept[self.count] = contact;
                self.count += 1;
            }
            Some(_) => self.crowded = true,
        }
    }

    /// Drops those that no longer tie.
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
