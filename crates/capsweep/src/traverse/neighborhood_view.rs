//! A query's view of a neighborhood: which packets and shapes may hold a hit, and their traversal.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::Sides;
use crate::bvh::{F32x8, LaneFn, NONE};
use crate::math::with_lanes;
use crate::scene::filter::Filter;
use crate::scene::store::Content;
use crate::traverse::cull_packet::CandidateLanes;
use crate::traverse::cull_volume::{CullVolume, SweptVolume};
use crate::traverse::mesh_visitor::VisitMesh;
use crate::traverse::neighborhood::{Neighborhood, NeighborhoodPacket, TriangleRef};
use crate::traverse::scene_visitor::{SceneVisitor, visit_body};

/// A neighborhood, and the candidates that one query finds in it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NeighborhoodView<'a> {
    pub(crate) neighborhood: &'a Neighborhood,
    pub(crate) candidates: &'a NeighborhoodCandidates,
}

/// How many candidates a sweep has. Most sweeps of a walk have none, and most of a fall one.
pub(crate) enum CandidateCount {
    None,
    /// This triangle alone.
    One(TriangleRef),
    Many,
}

/// The candidates of one query.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NeighborhoodCandidates {
    volume: CullVolume,
    list: CandidateList,
}

impl NeighborhoodCandidates {
    pub(crate) const NONE: Self = Self { volume: CullVolume::NONE, list: CandidateList::NONE };
}

/// Most packets and shapes in a [`CandidateList`]: few queries have more.
const MAX_CANDIDATES: usize = 8;

/// Packets and shapes that may hold a hit, or the first of them. The order never changes an
/// answer.
#[derive(Debug, Clone, Copy)]
struct CandidateList {
    kept: [Candidate; MAX_CANDIDATES],
    count: usize,
    /// Where culling goes on, if the list is full: index of a packet, or beyond them of a shape.
    rest: Option<usize>,
}

/// A packet with triangles that need an exact test, or a shape.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    body: u32,
    /// [`NONE`] for a shape.
    packet: u32,
    lanes: CandidateLanes,
}

impl CandidateList {
    const NONE: Self = Self {
        kept: [Candidate { body: 0, packet: 0, lanes: CandidateLanes::NONE }; MAX_CANDIDATES],
        count: 0,
        rest: None,
    };

    fn all(&self) -> &[Candidate] {
        &self.kept[..self.count]
    }

    /// Whether it holds at most one triangle or shape.
    #[inline(always)]
    fn is_at_most_one(&self) -> bool {
        match self.all() {
            [] => true,
            [Candidate { lanes, .. }] => lanes.bits & lanes.bits.wrapping_sub(1) == 0,
            _ => false,
        }
    }

    /// `false` if the list is full.
    #[inline(always)]
    fn add(&mut self, candidate: Candidate) -> bool {
        let Some(free) = self.kept.get_mut(self.count) else { return false };
        *free = candidate;
        self.count += 1;
        true
    }
}

/// Culls a neighborhood. Returns `false` if the query's volume is not within it; otherwise
/// `candidates` holds the packets and shapes to test, the triangle `first` before all others.
#[inline]
pub(crate) fn cull_neighborhood(
    neighborhood: &Neighborhood,
    swept: &SweptVolume,
    sides: Sides,
    first: Option<TriangleRef>,
    candidates: &mut NeighborhoodCandidates,
) -> bool {
    with_lanes!(|L| {
        let NeighborhoodCandidates { volume, list } = &mut *candidates;
        *volume = CullVolume::new::<L>(swept, neighborhood.origin);
        if !volume.is_within::<L>(neighborhood.inside) {
            return false;
        }
        neighborhood.cull::<L>(volume, sides, 0, list);
        if let Some(first) = first
            && !list.is_at_most_one()
        {
            neighborhood.move_to_front(first, list);
        }
        true
    })
}

/// Whether a query's volume is within a neighborhood: whether [`cull_neighborhood`] would find its
/// candidates.
pub(crate) fn is_within(neighborhood: &Neighborhood, swept: &SweptVolume) -> bool {
    with_lanes!(|L| {
        CullVolume::new::<L>(swept, neighborhood.origin).is_within::<L>(neighborhood.inside)
    })
}

impl Neighborhood {
    /// Fills `list` from a packet or shape on.
    ///
    /// A call of its own: with the volume in memory, the loop broadcasts its numbers straight from
    /// there instead of keeping them in registers.
    #[inline(always)]
    fn cull<L: F32x8>(
        &self,
        volume: &CullVolume,
        sides: Sides,
        from: usize,
        list: &mut CandidateList,
    ) {
        L::call(
            #[inline(always)]
            move || self.cull_inline::<L>(volume, sides, from, list),
        );
    }

    #[inline(always)]
    fn cull_inline<L: F32x8>(
        &self,
        volume: &CullVolume,
        sides: Sides,
        from: usize,
        list: &mut CandidateList,
    ) {
        (list.count, list.rest) = (0, None);
        let culls_backs = volume.culls_backs(sides);
        for (index, packet) in self.packets.iter().enumerate().skip(from) {
            let lanes = packet.cull.cull::<L>(volume, culls_backs);
            if lanes.bits == 0 {
                continue;
            }
            if !list.add(Candidate { body: packet.body, packet: index as u32, lanes }) {
                list.rest = Some(index);
                return;
            }
        }
        let before = self.packets.len();
        for (index, shape) in self.shapes.iter().enumerate().skip(from.saturating_sub(before)) {
            let candidate =
                Candidate { body: shape.body, packet: NONE, lanes: CandidateLanes::NONE };
            if volume.overlaps(&shape.bounds) && !list.add(candidate) {
                list.rest = Some(before + index);
                return;
            }
        }
    }

    /// Moves the triangle `first` to the front.
    #[inline(always)]
    fn move_to_front(&self, first: TriangleRef, list: &mut CandidateList) {
        for at in 0..list.count {
            let Candidate { body, packet, lanes } = &mut list.kept[at];
            let Some(NeighborhoodPacket { slots, .. }) = self.packets.get(*packet as usize) else {
                continue;
            };
            if *body == first.body
                && let Some(lane) = slots.iter().position(|&slot| slot == first.slot)
            {
                lanes.put_first(lane);
                if at > 0 {
                    list.kept.swap(0, at);
                }
                return;
            }
        }
    }
}

impl NeighborhoodView<'_> {
    /// How many candidates a sweep has, if the neighborhood holds everything that `filter` sees.
    #[inline]
    pub(crate) fn count(&self, content: &Content, filter: &Filter) -> CandidateCount {
        if !content.neighborhood_suffices(filter.bodies) {
            return CandidateCount::Many;
        }
        match *self.candidates.list.all() {
            [] => CandidateCount::None,
            [Candidate { body, packet, lanes }] if lanes.bits.is_power_of_two() => {
                let slots = &self.neighborhood.packets[packet as usize].slots;
                let slot = slots[lanes.bits.trailing_zeros() as usize];
                CandidateCount::One(TriangleRef { body, slot })
            }
            _ => CandidateCount::Many,
        }
    }
}

/// Passes the candidates of a neighborhood to a visitor, instead of traversing the trees of static
/// bodies.
pub(crate) struct VisitPackets<'a, V> {
    pub(crate) content: &'a Content,
    pub(crate) view: &'a NeighborhoodView<'a>,
    pub(crate) filter: Filter,
    pub(crate) visitor: &'a mut V,
}

impl<V: SceneVisitor> LaneFn for VisitPackets<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run<L: F32x8>(mut self) {
        let NeighborhoodView { neighborhood, candidates } = self.view;
        let mut volume = candidates.volume;
        let mut rest = self.visit::<L>(&candidates.list, &mut volume);
        while let Some(from) = rest {
            let (mut list, sides) = (CandidateList::NONE, self.filter.sides);
            neighborhood.cull::<L>(&volume, sides, from, &mut list);
            rest = self.visit::<L>(&list, &mut volume);
        }
    }
}

impl<V: SceneVisitor> VisitPackets<'_, V> {
    /// Tests the listed candidates. Returns where culling goes on, unless the visitor is done.
    #[inline(always)]
    fn visit<L: F32x8>(&mut self, list: &CandidateList, volume: &mut CullVolume) -> Option<usize> {
        let (neighborhood, culled_to) = (self.view.neighborhood, bound::<V>(volume));
        for of_one_body in list.all().chunk_by(|one, next| one.body == next.body) {
            let index = of_one_body[0].body;
            let Some((_, body)) = self.content.body_by_index(index) else { continue };
            if let Some(mut mesh) = visit_body(index, body, self.filter, &mut *self.visitor) {
                for candidate in of_one_body {
                    let packet = &neighborhood.packets[candidate.packet as usize];
                    mesh.visit_packet::<L>(packet, (candidate.lanes, culled_to), volume);
                }
            }
            if self.visitor.is_done() {
                return None;
            }
        }
        list.rest
    }
}

/// The number that hits lower, and with it the volume: the latest time, or the reach.
#[inline(always)]
fn bound<V: SceneVisitor>(volume: &CullVolume) -> f64 {
    if V::BY_DISTANCE { f64::from(volume.reach) } else { volume.limit }
}

impl<V: SceneVisitor> VisitMesh<'_, V> {
    /// Tests the candidate lanes of a packet, which were culled up to a [`bound`], until the
    /// visitor is done.
    #[inline(always)]
    fn visit_packet<L: F32x8>(
        &mut self,
        NeighborhoodPacket { slots, cull, .. }: &NeighborhoodPacket,
        (mut lanes, mut culled_to): (CandidateLanes, f64),
        volume: &mut CullVolume,
    ) {
        while !self.visitor.is_done() {
            if V::BY_DISTANCE {
                volume.lower_reach(self.visitor.reach());
            } else {
                volume.lower_limit::<L>(self.visitor.limit());
            }
            // A hit may cull the rest of the packet: culling again is cheaper than an exact test.
            if bound::<V>(volume) < culled_to {
                culled_to = bound::<V>(volume);
                lanes = cull.recull::<L>(lanes.bits, volume);
            }
            let Some(lane) = lanes.next() else { return };
            self.triangle::<L>(slots[lane] as usize, None);
        }
    }
}
