//! The way through the static bodies that were gathered before, around their trees.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use super::filter::Filter;
use super::gathered::{Handful, Part, Shortcut};
use super::store::Content;
use super::walk::{Cull, MeshWalk, Search, show, smallest};
use crate::bvh::{Kernel, Lanes};

/// Shows what was gathered.
pub(super) struct ByShortcut<'a, S> {
    pub(super) content: &'a Content,
    pub(super) shortcut: Shortcut<'a>,
    pub(super) filter: Filter,
    pub(super) search: &'a mut S,
}

impl<S: Search> Kernel for ByShortcut<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(mut self) {
        let Shortcut { gathered, first } = self.shortcut;
        // One body alone has boxes of its own, which are as quick to say no.
        if let [part] = gathered.parts.as_slice() {
            self.part::<L>(part, None);
            return;
        }
        let first =
            first.and_then(|place| gathered.parts.iter().find(|one| one.body == place.body));
        if let Some(part) = first
            && !self.part::<L>(part, None)
        {
            return;
        }
        let mut cull = self.search.in_world(self.content.size);
        for eight in &gathered.bodies {
            let (mut bits, keys) = cull.enter_boxes::<L>(&eight.boxes);
            let keys = keys.store();
            while bits != 0 {
                let lane = smallest(bits, &keys);
                bits &= !(1 << lane);
                if keys[lane] > cull.limit() {
                    continue;
                }
                let part = &gathered.parts[eight.items[lane] as usize];
                if !self.part::<L>(part, first) {
                    return;
                }
                cull.lower_limit(self.search.limit());
            }
        }
    }
}

impl<S: Search> ByShortcut<'_, S> {
    /// Looks at a part, unless it was `seen`; whether to go on.
    #[inline(always)]
    fn part<L: Lanes>(&mut self, part: &Part, seen: Option<&Part>) -> bool {
        if seen.is_some_and(|seen| seen.body == part.body) {
            return true;
        }
        let Some((_, body)) = self.content.at(part.body) else { return true };
        let Shortcut { gathered, first } = self.shortcut;
        if let Some(mesh) = show(part.body, body, self.filter, &mut *self.search) {
            let mut walk = MeshWalk::new(mesh);
            let first = first.filter(|place| place.body == part.body).map(|place| place.handful);
            let others = part.handfuls.clone().filter(|handful| Some(*handful) != first);
            for handful in first.into_iter().chain(others) {
                let Handful { packet, slots } = &gathered.handfuls[handful];
                if !walk.look::<L>(packet, |lane| slots[lane] as usize) {
                    return false;
                }
            }
        }
        !self.search.is_done()
    }
}
