/// How many contacts within the bound of the best are remembered; more are looked up a second time.
const ROOM: usize = 8;

/// The contacts that tie with the best so far.
pub(super) struct Ties<C> {
    kept: [C; ROOM],
    count: usize,
    /// More contacts tie than there is room for.
    crowded: bool,
    /// The best is known, and contacts are compared as they come.
    pub(super) looks_again: bool,
}

impl<C: Copy> Ties<C> {
    /// None yet; `filler` takes the room.
    pub(super) fn new(filler: C) -> Self {
        Self { kept: [filler; ROOM], count: 0, crowded: false, looks_again: false }
    }

    /// Whether more contacts tie than were kept. The walk must then be made again, once, with the best now known.
    pub(super) fn look_again(&mut self) -> bool {
        !core::mem::replace(&mut self.looks_again, self.crowded) && self.looks_again
    }

    #[inline]
    pub(super) fn add(&mut self, contact: C) {
        if self.count < ROOM {
            self.kept[self.count] = contact;
            self.count += 1;
        } else {
            self.crowded = true;
        }
    }

    /// Keeps a contact in the place of the last, and says which that is.
    #[inline]
    pub(super) fn put_last(&mut self, contact: C) -> usize {
        (self.kept[ROOM - 1], self.count) = (contact, ROOM);
        ROOM - 1
    }

    /// Drops those that no longer tie.
    #[inline]
    pub(super) fn retain(&mut self, ties: impl Fn(&C) -> bool) {
        let mut left = 0;
        for i in 0..self.count {
            if ties(&self.kept[i]) {
                self.kept[left] = self.kept[i];
                left += 1;
            }
        }
        self.count = left;
    }

    pub(super) fn kept(&self) -> &[C] {
        &self.kept[..self.count]
    }
}
