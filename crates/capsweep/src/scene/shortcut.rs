//! The way through the static bodies that were gathered before, around their trees.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use super::body::Geometry;
use super::filter::Filter;
use super::gathered::{Handful, Part, Shortcut};
use super::meet::Placed;
use super::store::Content;
use super::walk::{Cull, Search, smallest};
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
        if !self.filter.sees(body) {
            return true;
        }
        match &body.geometry {
            Geometry::Shape(shape) | Geometry::Obstacle(shape) => {
                self.search.shape(part.body, shape);
            }
            Geometry::Mesh { mesh, pose } => {
                let sides = self.search.sides(body);
                let placed = Placed { body: part.body, mesh, pose, sides };
                let cull = self.search.in_mesh(&placed);
                let Shortcut { gathered, first } = self.shortcut;
                let first =
                    first.filter(|place| place.body == part.body).map(|place| place.handful);
                let mut look =
                    Look { placed, mask: self.filter.mask, search: &mut *self.search, cull };
                let others = part.handfuls.clone().filter(|handful| Some(*handful) != first);
                for handful in first.into_iter().chain(others) {
                    if !look.at::<L>(&gathered.handfuls[handful]) {
                        return false;
                    }
                }
            }
        }
        !self.search.is_done()
    }
}

/// Looks at triangles of a mesh.
struct Look<'a, S: Search> {
    placed: Placed<'a>,
    /// Triangles must share a bit with it.
    mask: u32,
    search: &'a mut S,
    cull: S::Cull,
}

impl<S: Search> Look<'_, S> {
    /// Shows the triangles of a handful that may be of interest; whether to go on.
    #[inline(always)]
    fn at<L: Lanes>(&mut self, handful: &Handful) -> bool {
        let mut bits = u32::MAX;
        loop {
            let (alive, keys) = self.cull.filter::<L>(&handful.packet);
            bits &= alive;
            if bits == 0 {
                return true;
            }
            let keys = keys.store();
            let limit = self.cull.limit();
            // What was found may rule out its neighbours, which are cheaper to look at again than to look at closely.
            while bits != 0 && self.cull.limit() == limit {
                let lane = smallest(bits, &keys);
                bits &= !(1 << lane);
                let slot = handful.slots[lane] as usize;
                if self.placed.mesh.mask_in(slot) & self.mask == 0 {
                    continue;
                }
                self.search.triangle::<L>(&self.placed, slot);
                if self.search.is_done() {
                    return false;
                }
                self.cull.lower_limit(self.search.limit());
            }
            if bits == 0 {
                return true;
            }
        }
    }
}
