//! The way through the static bodies that were gathered before, around their trees.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use super::filter::Filter;
use super::gathered::{Handful, Part, Shortcut};
use super::glance::Glance;
use super::store::{Content, Scene};
use super::walk::{InMesh, Search, show};
use crate::Sides;
use crate::bvh::{Kernel, Lanes, WIDTH, dispatch};

/// What a sweep may meet, as far as a glance tells.
pub(crate) enum Survey {
    /// Nothing.
    Clear,
    /// This triangle and nothing else.
    One(Found),
    /// Anything.
    Open,
}

/// A triangle: its body's place, and its slot in the mesh.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Found {
    pub(super) body: u32,
    pub(super) slot: u32,
}

impl Shortcut<'_> {
    /// What a sweep may meet.
    pub(crate) fn survey(&self, scene: &Scene, filter: &Filter) -> Survey {
        if scene.content().is_all_gathered(filter.bodies) {
            dispatch(LookOver { shortcut: self, sides: filter.sides })
        } else {
            Survey::Open
        }
    }
}

struct LookOver<'a> {
    shortcut: &'a Shortcut<'a>,
    sides: Sides,
}

impl Kernel for LookOver<'_> {
    type Output = Survey;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Survey {
        let Self { shortcut: Shortcut { gathered, glance, .. }, sides } = self;
        let mut survey = Survey::Clear;
        for part in &gathered.parts {
            if !glance.sees(&part.bounds) {
                continue;
            }
            // A shape has no triangles to tell by.
            if part.handfuls.is_empty() {
                return Survey::Open;
            }
            let sides = if part.double_sided { Sides::Both } else { sides };
            for Handful { slots, outlines } in &gathered.handfuls[part.handfuls.clone()] {
                let worth = outlines.worth::<L>(glance, sides).bits;
                if worth == 0 {
                    continue;
                }
                if !matches!(survey, Survey::Clear) || !worth.is_power_of_two() {
                    return Survey::Open;
                }
                let slot = slots[worth.trailing_zeros() as usize];
                survey = Survey::One(Found { body: part.body, slot });
            }
        }
        survey
    }
}

/// Shows what was gathered.
pub(super) struct ByShortcut<'a, S> {
    pub(super) content: &'a Content,
    pub(super) shortcut: &'a Shortcut<'a>,
    pub(super) filter: Filter,
    pub(super) search: &'a mut S,
}

impl<S: Search> Kernel for ByShortcut<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(mut self) {
        let Shortcut { gathered, first, mut glance } = *self.shortcut;
        let first =
            first.and_then(|place| gathered.parts.iter().find(|one| one.body == place.body));
        let others =
            gathered.parts.iter().filter(|part| first.is_none_or(|first| part.body != first.body));
        for part in first.into_iter().chain(others) {
            if glance.sees(&part.bounds) && !self.part::<L>(part, &mut glance) {
                return;
            }
        }
    }
}

impl<S: Search> ByShortcut<'_, S> {
    /// Looks at a part; whether to go on.
    #[inline(always)]
    fn part<L: Lanes>(&mut self, part: &Part, glance: &mut Glance) -> bool {
        let Some((_, body)) = self.content.at(part.body) else { return true };
        let Shortcut { gathered, first, .. } = self.shortcut;
        if let Some(mut mesh) = show(part.body, body, self.filter, &mut *self.search) {
            let first = first.filter(|place| place.body == part.body).map(|place| place.handful);
            let others = part.handfuls.clone().filter(|handful| Some(*handful) != first);
            for handful in first.into_iter().chain(others) {
                if !mesh.look_into::<L>(&gathered.handfuls[handful], glance) {
                    return false;
                }
            }
        }
        !self.search.is_done()
    }
}

impl<S: Search> InMesh<'_, S> {
    /// Shows the triangles of a handful that may be of interest; whether to go on.
    #[inline(always)]
    fn look_into<L: Lanes>(&mut self, handful: &Handful, glance: &mut Glance) -> bool {
        let Handful { slots, outlines } = handful;
        let mut left = (1 << WIDTH) - 1;
        while left != 0 {
            let worth = outlines.worth::<L>(glance, self.placed.sides);
            left &= worth.bits;
            let limit = self.search.limit();
            while left != 0 && self.search.limit() == limit {
                let sure = left & worth.sure;
                let lane = if sure == 0 { left } else { sure }.trailing_zeros();
                left &= !(1 << lane);
                self.triangle::<L>(slots[lane as usize] as usize);
                if self.search.is_done() {
                    return false;
                }
            }
            glance.lower_limit(self.search.limit());
        }
        true
    }
}
