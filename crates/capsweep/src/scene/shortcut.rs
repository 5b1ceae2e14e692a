//! The way through the static bodies that were gathered before, around their trees: a glance at all of them, then a closer look at what may be
//! of interest.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use super::filter::Filter;
use super::gathered::{Gathered, Handful, Place, Shortcut};
use super::glance::Glance;
use super::outlines::Worth;
use super::store::{Content, Scene};
use super::walk::{InMesh, Search, show};
use crate::Sides;
use crate::bvh::{Kernel, Lanes, NONE, dispatch};

/// What a sweep may meet, as far as a glance tells.
pub(super) enum Survey {
    /// Nothing.
    Clear,
    /// This triangle and nothing else.
    One(Place),
    /// Anything.
    Open,
}

/// Most handfuls and shapes that are picked at once: few queries see more.
const MOST_PICKS: usize = 8;

/// What may be of interest, as far as a glance tells, or the first part of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Picks {
    kept: [Pick; MOST_PICKS],
    count: usize,
    /// Where the glance is to go on.
    rest: Option<Mark>,
}

/// A handful with triangles that may be of interest, or a shape.
#[derive(Debug, Clone, Copy)]
struct Pick {
    part: u32,
    /// [`NONE`] for a shape.
    handful: u32,
    worth: Worth,
}

/// A part, and a handful of it or of one before it.
#[derive(Debug, Clone, Copy)]
struct Mark {
    part: usize,
    handful: usize,
}

impl Mark {
    const START: Self = Self { part: 0, handful: 0 };
}

impl Picks {
    const NONE: Self = Self {
        kept: [Pick { part: 0, handful: 0, worth: Worth::NONE }; MOST_PICKS],
        count: 0,
        rest: None,
    };

    fn all(&self) -> &[Pick] {
        &self.kept[..self.count]
    }
}

impl Gathered {
    /// Lets a query `ask` by the way to all that `glance` sees, of triangles these `sides`. It looks at `first` before all else.
    #[inline]
    pub(crate) fn by_shortcut<T>(
        &self,
        glance: &Glance,
        sides: Sides,
        first: Option<Place>,
        ask: impl FnOnce(&Shortcut) -> T,
    ) -> T {
        let (mut picks, from) = (Picks::NONE, Mark::START);
        dispatch(LookOver { gathered: self, glance, sides, first, from, picks: &mut picks });
        ask(&Shortcut { gathered: self, glance, picks: &picks })
    }
}

impl Shortcut<'_> {
    /// What a sweep may meet.
    #[inline]
    pub(super) fn survey(&self, scene: &Scene, filter: &Filter) -> Survey {
        if !scene.content().is_all_gathered(filter.bodies) {
            return Survey::Open;
        }
        match *self.picks.all() {
            [] => Survey::Clear,
            [Pick { part, handful, worth }] if worth.bits.is_power_of_two() => {
                let body = self.gathered.parts[part as usize].body;
                let slots = &self.gathered.handfuls[handful as usize].slots;
                Survey::One(Place { body, slot: slots[worth.bits.trailing_zeros() as usize] })
            }
            _ => Survey::Open,
        }
    }
}

/// Picks what may be of interest.
struct LookOver<'a> {
    gathered: &'a Gathered,
    glance: &'a Glance,
    sides: Sides,
    first: Option<Place>,
    from: Mark,
    picks: &'a mut Picks,
}

impl Kernel for LookOver<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { gathered, glance, sides, first, from, picks } = self;
        let fronts_only = glance.sees_fronts_only(sides);
        for (index, part) in gathered.parts.iter().enumerate().skip(from.part) {
            // A shape has no triangles to tell by.
            if part.handfuls.is_empty() {
                let pick = Pick { part: index as u32, handful: NONE, worth: Worth::NONE };
                if glance.sees(&part.bounds) && !picks.add(pick) {
                    picks.rest = Some(Mark { part: index, ..from });
                    return;
                }
                continue;
            }
            let fronts_only = !part.double_sided && fronts_only;
            let handfuls = part.handfuls.start.max(from.handful)..part.handfuls.end;
            for (handful, Handful { slots, outlines }) in
                handfuls.clone().zip(&gathered.handfuls[handfuls])
            {
                let worth = outlines.worth::<L>(glance, fronts_only);
                if worth.bits == 0 {
                    continue;
                }
                if !picks.add(Pick { part: index as u32, handful: handful as u32, worth }) {
                    picks.rest = Some(Mark { part: index, handful });
                    return;
                }
                if first.is_some_and(|it| it.body == part.body && slots.contains(&it.slot)) {
                    picks.kept.swap(0, picks.count - 1);
                }
            }
        }
    }
}

impl Picks {
    /// Whether there was room for it.
    #[inline(always)]
    fn add(&mut self, pick: Pick) -> bool {
        let Some(free) = self.kept.get_mut(self.count) else { return false };
        *free = pick;
        self.count += 1;
        true
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
        let Shortcut { gathered, glance, picks } = *self.shortcut;
        let mut glance = *glance;
        let mut rest = self.look_closely::<L>(picks, &mut glance);
        while let Some(from) = rest {
            let mut picks = Picks::NONE;
            let sides = self.filter.sides;
            L::call(LookOver {
                gathered,
                glance: &glance,
                sides,
                first: None,
                from,
                picks: &mut picks,
            });
            rest = self.look_closely::<L>(&picks, &mut glance);
        }
    }
}

impl<S: Search> ByShortcut<'_, S> {
    /// Shows what was picked. Where to go on, if nothing of it ended the search.
    #[inline(always)]
    fn look_closely<L: Lanes>(&mut self, picks: &Picks, glance: &mut Glance) -> Option<Mark> {
        let (gathered, seen_up_to) = (self.shortcut.gathered, glance.limit);
        for of_one_part in picks.all().chunk_by(|one, next| one.part == next.part) {
            let place = gathered.parts[of_one_part[0].part as usize].body;
            let Some((_, body)) = self.content.at(place) else { continue };
            if let Some(mut mesh) = show(place, body, self.filter, &mut *self.search) {
                for pick in of_one_part {
                    let handful = &gathered.handfuls[pick.handful as usize];
                    mesh.look_into::<L>(handful, (pick.worth, seen_up_to), glance);
                }
            }
            if self.search.is_done() {
                return None;
            }
        }
        picks.rest
    }
}

impl<S: Search> InMesh<'_, S> {
    /// Shows the triangles of a handful that are worth it, as a glance up to a time has told, until the search is done.
    #[inline(always)]
    fn look_into<L: Lanes>(
        &mut self,
        Handful { slots, outlines }: &Handful,
        (mut worth, mut up_to): (Worth, f64),
        glance: &mut Glance,
    ) {
        while !self.search.is_done() {
            glance.lower_limit(self.search.limit());
            // What was found may rule out its neighbours, which are cheaper to look at again than to look at closely.
            if glance.limit < up_to {
                up_to = glance.limit;
                worth = outlines.in_reach::<L>(worth.bits, glance);
            }
            let Some(lane) = worth.next() else { return };
            self.triangle::<L>(slots[lane] as usize);
        }
    }
}
