//! The way through the static bodies that were gathered before, around their trees: a glance at all of them, then a closer look at what may be
//! of interest.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::Sides;
use crate::bvh::{F32x8, Kernel, NONE, dispatch};
use crate::scene::filter::Filter;
use crate::scene::store::{Content, Scene};
use crate::traverse::cull_packet::Worth;
use crate::traverse::cull_volume::{CullVolume, Look};
use crate::traverse::neighborhood::{
    Neighborhood, NeighborhoodPacket, NeighborhoodView, TriangleRef,
};
use crate::traverse::scene_visitor::{InMesh, SceneVisitor, show};

/// What a sweep may meet, as far as a glance tells. Most often there is nothing in the way of a walk, and nothing but a piece of floor in that of a
/// fall.
pub(crate) enum CandidateCount {
    /// Nothing.
    Clear,
    /// This triangle and nothing else.
    One(TriangleRef),
    /// Anything.
    Open,
}

/// What a query sees of what was gathered.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NeighborhoodCandidates {
    glance: CullVolume,
    /// What may be of interest, in the order in which it is looked at, which never changes an answer.
    picks: Picks,
}

impl NeighborhoodCandidates {
    pub(crate) const NONE: Self = Self { glance: CullVolume::NONE, picks: Picks::NONE };
}

/// Most handfuls and shapes that are picked at once: few queries see more.
const MOST_PICKS: usize = 8;

/// What may be of interest, as far as a glance tells, or the first part of it.
#[derive(Debug, Clone, Copy)]
struct Picks {
    kept: [Pick; MOST_PICKS],
    count: usize,
    /// Where the glance is to go on: a handful, or after them all a shape.
    rest: Option<usize>,
}

/// A handful with triangles that may be of interest, or a shape.
#[derive(Debug, Clone, Copy)]
struct Pick {
    body: u32,
    /// [`NONE`] for a shape.
    handful: u32,
    worth: Worth,
}

impl Picks {
    const NONE: Self = Self {
        kept: [Pick { body: 0, handful: 0, worth: Worth::NONE }; MOST_PICKS],
        count: 0,
        rest: None,
    };

    fn all(&self) -> &[Pick] {
        &self.kept[..self.count]
    }

    /// Whether no more than one triangle or shape was picked.
    #[inline(always)]
    fn is_at_most_one(&self) -> bool {
        match self.all() {
            [] => true,
            [Pick { worth, .. }] => worth.bits & worth.bits.wrapping_sub(1) == 0,
            _ => false,
        }
    }

    /// Whether there was room for it.
    #[inline(always)]
    fn add(&mut self, pick: Pick) -> bool {
        let Some(free) = self.kept.get_mut(self.count) else { return false };
        *free = pick;
        self.count += 1;
        true
    }
}

impl Neighborhood {
    /// Takes a look: whether all that is to be seen is here. Of triangles these `sides` count; `first` is what the query looks at before all else.
    #[inline]
    pub(crate) fn look_over(
        &self,
        look: &Look,
        sides: Sides,
        first: Option<TriangleRef>,
        sight: &mut NeighborhoodCandidates,
    ) -> bool {
        dispatch(CullNeighborhood { gathered: self, look, sides, first, sight })
    }

    /// Picks what may be of interest, from somewhere on.
    #[inline(always)]
    fn pick<L: F32x8>(&self, glance: &CullVolume, sides: Sides, from: usize, picks: &mut Picks) {
        (picks.count, picks.rest) = (0, None);
        let fronts_only = glance.sees_fronts_only(sides);
        for (index, handful) in self.handfuls.iter().enumerate().skip(from) {
            let worth = handful.outlines.worth::<L>(glance, fronts_only);
            if worth.bits == 0 {
                continue;
            }
            if !picks.add(Pick { body: handful.body, handful: index as u32, worth }) {
                picks.rest = Some(index);
                return;
            }
        }
        let before = self.handfuls.len();
        for (index, shape) in self.shapes.iter().enumerate().skip(from.saturating_sub(before)) {
            let pick = Pick { body: shape.body, handful: NONE, worth: Worth::NONE };
            if glance.sees(&shape.bounds) && !picks.add(pick) {
                picks.rest = Some(before + index);
                return;
            }
        }
    }

    /// Puts `first` before all others.
    #[inline(always)]
    fn put_first(&self, first: TriangleRef, picks: &mut Picks) {
        for at in 0..picks.count {
            let Pick { body, handful, worth } = &mut picks.kept[at];
            let Some(NeighborhoodPacket { slots, .. }) = self.handfuls.get(*handful as usize)
            else {
                continue;
            };
            if *body == first.body
                && let Some(lane) = slots.iter().position(|&slot| slot == first.slot)
            {
                worth.put_first(lane);
                if at > 0 {
                    picks.kept.swap(0, at);
                }
                return;
            }
        }
    }
}

impl NeighborhoodView<'_> {
    /// What a sweep may meet.
    #[inline]
    pub(crate) fn survey(&self, scene: &Scene, filter: &Filter) -> CandidateCount {
        if !scene.content().is_all_gathered(filter.bodies) {
            return CandidateCount::Open;
        }
        match *self.sight.picks.all() {
            [] => CandidateCount::Clear,
            [Pick { body, handful, worth }] if worth.bits.is_power_of_two() => {
                let slots = &self.gathered.handfuls[handful as usize].slots;
                CandidateCount::One(TriangleRef {
                    body,
                    slot: slots[worth.bits.trailing_zeros() as usize],
                })
            }
            _ => CandidateCount::Open,
        }
    }
}

/// Takes a look at all that was gathered.
struct CullNeighborhood<'a> {
    gathered: &'a Neighborhood,
    look: &'a Look<'a>,
    sides: Sides,
    first: Option<TriangleRef>,
    sight: &'a mut NeighborhoodCandidates,
}

impl Kernel for CullNeighborhood<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<L: F32x8>(self) -> bool {
        let Self { gathered, look, sides, first, sight: NeighborhoodCandidates { glance, picks } } =
            self;
        *glance = CullVolume::new::<L>(look, gathered.from);
        if !glance.is_within::<L>(gathered.inside) {
            return false;
        }
        // A function of its own has the glance in memory, from where a number gets into all lanes with the operation that it is for.
        L::call(LookOn { gathered, glance, sides, from: 0, picks });
        if let Some(first) = first
            && !picks.is_at_most_one()
        {
            gathered.put_first(first, picks);
        }
        true
    }
}

/// Takes another look, from somewhere on.
struct LookOn<'a> {
    gathered: &'a Neighborhood,
    glance: &'a CullVolume,
    sides: Sides,
    from: usize,
    picks: &'a mut Picks,
}

impl Kernel for LookOn<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: F32x8>(self) {
        self.gathered.pick::<L>(self.glance, self.sides, self.from, self.picks);
    }
}

/// Shows what was gathered.
pub(crate) struct ByShortcut<'a, S> {
    pub(crate) content: &'a Content,
    pub(crate) shortcut: &'a NeighborhoodView<'a>,
    pub(crate) filter: Filter,
    pub(crate) search: &'a mut S,
}

impl<S: SceneVisitor> Kernel for ByShortcut<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<L: F32x8>(mut self) {
        let NeighborhoodView { gathered, sight: NeighborhoodCandidates { glance, picks } } =
            self.shortcut;
        let mut glance = *glance;
        let mut rest = self.look_closely::<L>(picks, &mut glance);
        while let Some(from) = rest {
            let (mut picks, sides) = (Picks::NONE, self.filter.sides);
            L::call(LookOn { gathered, glance: &glance, sides, from, picks: &mut picks });
            rest = self.look_closely::<L>(&picks, &mut glance);
        }
    }
}

impl<S: SceneVisitor> ByShortcut<'_, S> {
    /// Shows what was picked. Where to go on, if nothing of it ended the search.
    #[inline(always)]
    fn look_closely<L: F32x8>(&mut self, picks: &Picks, glance: &mut CullVolume) -> Option<usize> {
        let (gathered, seen_up_to) = (self.shortcut.gathered, glance.limit);
        for of_one_body in picks.all().chunk_by(|one, next| one.body == next.body) {
            let place = of_one_body[0].body;
            let Some((_, body)) = self.content.at(place) else { continue };
            if let Some(mut mesh) = show(place, body, self.filter, &mut *self.search) {
                for pick in of_one_body {
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

impl<S: SceneVisitor> InMesh<'_, S> {
    /// Shows the triangles of a handful that are worth it, as a glance up to a time has told, until the search is done.
    #[inline(always)]
    fn look_into<L: F32x8>(
        &mut self,
        NeighborhoodPacket { slots, outlines, .. }: &NeighborhoodPacket,
        (mut worth, mut up_to): (Worth, f64),
        glance: &mut CullVolume,
    ) {
        while !self.search.is_done() {
            glance.lower_limit::<L>(self.search.limit());
            // What was found may rule out its neighbours, which are cheaper to look at again than to look at closely.
            if glance.limit < up_to {
                up_to = glance.limit;
                worth = outlines.worth_still::<L>(worth.bits, glance);
            }
            let Some(lane) = worth.next() else { return };
            self.triangle::<L>(slots[lane] as usize, None);
        }
    }
}
