//! What of a scene's static bodies lies in a box of the world: the content of a cache (rule 11.1).

#![allow(
    clippy::inline_always,
    reason = "every cached query takes a glance, and the compiler would not"
)]

use super::body::{Mobility, Shape, inward, outward};
use super::filter::{Bodies, Filter};
use super::first_touch::Struck;
use super::glance::{Glance, Look};
use super::layer::mobility_of;
use super::meet::Placed;
use super::outlines::{Corners, Outlines, put_corners};
use super::region::{Gatherer, gather};
use super::shortcut::Picks;
use super::store::{Content, Scene};
use crate::bvh::{Bounds, NONE, WIDTH};
use crate::{Aabb, Triangle};
use core::ops::Range;
use glam::DVec3;

/// The static bodies that reach into a box, and the triangles of their meshes that do. It holds numbers and corners of a scene and nothing of
/// the scene itself, so it is good for scenes of the same [`Revision`](super::Revision) only.
#[derive(Debug, Clone)]
pub(crate) struct Gathered {
    pub(super) parts: Vec<Part>,
    pub(super) handfuls: Vec<Handful>,
    triangles: usize,
    region: Option<Aabb>,
    /// The middle of the region: everything here is seen from it.
    origin: DVec3,
    /// The region from there, and no larger.
    inside: Bounds,
}

/// A body, and where its triangles are; a shape has none.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) body: u32,
    /// Of a shape, seen from the origin; a mesh is told by its triangles.
    pub(super) bounds: Bounds,
    pub(super) handfuls: Range<usize>,
    /// Whether both sides of its triangles count, whatever a query says.
    pub(super) double_sided: bool,
}

/// Up to eight triangles of one mesh that reach into the box, close together: a leaf of the mesh has others too, all around.
#[derive(Debug, Clone, Copy)]
pub(super) struct Handful {
    /// Where the mesh has them.
    pub(super) slots: [u32; WIDTH],
    /// Where they are in the world.
    pub(super) outlines: Outlines,
}

/// A triangle of a static body: the body's place, and its slot in the mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(super) body: u32,
    pub(super) slot: u32,
}

/// A query's way around the trees over static bodies: all that it can meet there was gathered before.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shortcut<'a> {
    pub(crate) gathered: &'a Gathered,
    pub(super) glance: &'a Glance,
    /// What may be of interest, in the order in which it is looked at, which never changes an answer.
    pub(super) picks: &'a Picks,
}

impl Place {
    /// Where the triangle that a query reported is; `None` if that is something that moves, or no triangle.
    pub(crate) fn of(scene: &Scene, struck: &Struck) -> Option<Self> {
        let body = struck.body.index;
        if mobility_of(body) != Mobility::Static {
            return None;
        }
        let placed = scene.content().placed(body, Filter::default())?;
        Some(Self { body, slot: *placed.mesh.slots.get(struck.triangle? as usize)? })
    }
}

impl Default for Gathered {
    fn default() -> Self {
        Self {
            parts: Vec::new(),
            handfuls: Vec::new(),
            triangles: 0,
            region: None,
            origin: DVec3::ZERO,
            inside: Bounds::EMPTY,
        }
    }
}

impl Gathered {
    /// Forgets what it holds and gathers what reaches into `region`.
    pub(crate) fn fill(&mut self, scene: &Scene, region: &Aabb) {
        self.clear();
        self.region = Some(*region);
        self.origin = region.center();
        self.inside = inward(region.min() - self.origin, region.max() - self.origin);
        let content = scene.content();
        let filter = Filter { bodies: Bodies::Static, ..Filter::default() };
        let mut filling = Filling { content, into: self, hand: Hand::EMPTY };
        gather(content, region, filter, &mut filling);
        filling.empty_hand();
    }

    /// Forgets what it holds.
    pub(crate) fn clear(&mut self) {
        self.parts.clear();
        self.handfuls.clear();
        self.triangles = 0;
        self.region = None;
        self.inside = Bounds::EMPTY;
    }

    /// The box that it was gathered for.
    pub(crate) fn region(&self) -> Option<Aabb> {
        self.region
    }

    /// What a query sees of it.
    #[inline(always)]
    pub(crate) fn glance(&self, look: &Look) -> Glance {
        Glance::new(look, self.origin)
    }

    /// Whether all that a query can see is here.
    #[inline]
    pub(crate) fn holds(&self, glance: &Glance) -> bool {
        glance.is_within(&self.inside)
    }

    /// How many triangles reach into the box.
    pub(crate) fn triangle_count(&self) -> usize {
        self.triangles
    }

    /// The bodies that reach into the box.
    pub(crate) fn body_count(&self) -> usize {
        self.parts.len()
    }

    /// The triangles that reach into the box, in a scene of the revision that they were gathered from.
    pub(crate) fn triangles<'a>(
        &'a self,
        scene: &'a Scene,
    ) -> impl Iterator<Item = (Struck, Triangle)> + 'a {
        let content = scene.content();
        self.parts.iter().flat_map(move |part| {
            let placed = content.placed(part.body, Filter::default());
            let slots = self.handfuls[part.handfuls.clone()].iter().flat_map(|some| some.slots);
            slots.filter(|&slot| slot != NONE).filter_map(move |slot| {
                let Placed { mesh, pose, .. } = placed?;
                let struck = content.struck(part.body, slot)?;
                Some((struck, mesh.world_triangle(pose, slot as usize)))
            })
        })
    }

    /// The next body: a mesh, or a shape within `bounds`.
    fn begin(&mut self, body: u32, bounds: Bounds, double_sided: bool) {
        let start = self.handfuls.len();
        self.parts.push(Part { body, bounds, handfuls: start..start, double_sided });
    }

    /// Adds triangles to the last body.
    fn add(&mut self, hand: &Hand) {
        let Some(part) = self.parts.last_mut() else { return };
        self.handfuls.push(Handful { slots: hand.slots, outlines: Outlines::EMPTY });
        if let Some(handful) = self.handfuls.last_mut() {
            handful.outlines.draw(&hand.corners, hand.count, self.origin);
        }
        part.handfuls.end = self.handfuls.len();
        self.triangles += hand.count;
    }
}

/// Takes in what reaches into a box.
struct Filling<'a> {
    content: &'a Content,
    into: &'a mut Gathered,
    hand: Hand,
}

/// Up to eight triangles of the last body, on their way.
struct Hand {
    slots: [u32; WIDTH],
    corners: Corners,
    count: usize,
}

impl Hand {
    const EMPTY: Self = Self { slots: [NONE; WIDTH], corners: [[[0.0; WIDTH]; 3]; 3], count: 0 };

    fn take(&mut self, slot: u32, triangle: &Triangle) {
        self.slots[self.count] = slot;
        put_corners(&mut self.corners, self.count, triangle);
        self.count += 1;
    }
}

impl Filling<'_> {
    fn empty_hand(&mut self) {
        if self.hand.count > 0 {
            self.into.add(&self.hand);
            (self.hand.slots, self.hand.count) = ([NONE; WIDTH], 0);
        }
    }

    fn begin_mesh(&mut self, body: u32) {
        self.empty_hand();
        let placed = self.content.placed(body, Filter::default());
        let double_sided = placed.is_some_and(|placed| placed.mesh.is_double_sided());
        self.into.begin(body, Bounds::EMPTY, double_sided);
    }
}

impl Gatherer for Filling<'_> {
    /// The triangles of a body are shown one after the other.
    fn triangle(&mut self, body: u32, slot: u32, triangle: &Triangle) {
        if self.into.parts.last().is_none_or(|part| part.body != body) {
            self.begin_mesh(body);
        }
        self.hand.take(slot, triangle);
        if self.hand.count == WIDTH {
            self.empty_hand();
        }
    }

    /// What has no end is looked at by every query anyway.
    fn shape(&mut self, body: u32, shape: &Shape) {
        if let Some(bounds) = shape.bounds() {
            self.empty_hand();
            let origin = self.into.origin;
            let bounds = outward(bounds.min() - origin, bounds.max() - origin);
            self.into.begin(body, bounds, false);
        }
    }
}
