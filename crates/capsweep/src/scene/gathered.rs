//! What of a scene's static bodies lies in a box of the world: the content of a cache (rule 11.1).

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use super::body::{Body, Shape};
use super::filter::{Bodies, Filter};
use super::first_touch::Struck;
use super::local_box::LocalBox;
use super::meet::Placed;
use super::mesh::TriMesh;
use super::store::{Content, Scene};
use super::walk::{Search, walk_layers};
use crate::bvh::{Bounds, Lanes, NONE, WIDTH};
use crate::{Aabb, Sides, Triangle};
use core::ops::Range;

/// The static bodies that reach into a box, and the leaves of their meshes that do. It holds numbers of a scene and nothing of the scene
/// itself, so it is good for scenes of the same [`Revision`](super::Revision) only.
#[derive(Debug, Clone, Default)]
pub(crate) struct Gathered {
    /// Boxes in the world; items are places in `parts`.
    pub(super) bodies: Vec<Eight>,
    pub(super) parts: Vec<Part>,
    /// Boxes in the meshes' own spaces; items are numbers of leaves.
    pub(super) leaves: Vec<Eight>,
    triangles: usize,
    region: Option<Aabb>,
}

/// Eight boxes and what is in them; empty boxes where there are fewer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Eight {
    pub(super) boxes: [Bounds; WIDTH],
    pub(super) items: [u32; WIDTH],
}

impl Eight {
    const EMPTY: Self = Self { boxes: [Bounds::EMPTY; WIDTH], items: [NONE; WIDTH] };
}

/// A body, and where its leaves are; a shape has none.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) body: u32,
    pub(super) leaves: Range<usize>,
}

/// A leaf of a static body's mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(super) body: u32,
    pub(super) leaf: u32,
}

/// A walk's way around the trees over static bodies: all that it can meet there was gathered before.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shortcut<'a> {
    pub(crate) gathered: &'a Gathered,
    /// Looked at before all else, so that the limit is low from the start. It never changes an answer.
    pub(crate) first: Option<Place>,
}

impl Gathered {
    /// Forgets what it holds and gathers what reaches into `region`.
    pub(crate) fn fill(&mut self, scene: &Scene, region: &Aabb) {
        self.clear();
        self.region = Some(*region);
        let content = scene.content();
        let filter = Filter { bodies: Bodies::Static, ..Filter::default() };
        walk_layers(content, None, filter, &mut Gathering { content, region, into: self });
    }

    /// Forgets what it holds.
    pub(crate) fn clear(&mut self) {
        self.bodies.clear();
        self.parts.clear();
        self.leaves.clear();
        self.triangles = 0;
        self.region = None;
    }

    /// The box that it was gathered for.
    pub(crate) fn region(&self) -> Option<Aabb> {
        self.region
    }

    /// Whether all static bodies in `bounds` are there: around rounded surfaces, that must be larger than they are by more than their rounding.
    pub(crate) fn holds(&self, bounds: &Aabb) -> bool {
        self.region.is_some_and(|region| region.contains(bounds))
    }

    /// How many triangles are in the leaves.
    pub(crate) fn triangle_count(&self) -> usize {
        self.triangles
    }

    /// The bodies that reach into the box.
    pub(crate) fn body_count(&self) -> usize {
        self.parts.len()
    }

    /// The triangles in the leaves, in a scene of the revision that they were gathered from.
    pub(crate) fn triangles<'a>(
        &'a self,
        scene: &'a Scene,
    ) -> impl Iterator<Item = (Struck, Triangle)> + 'a {
        let content = scene.content();
        self.parts.iter().flat_map(move |part| {
            let placed = content.placed(part.body, Filter::default());
            let leaves = self.leaves[part.leaves.clone()].iter().flat_map(|eight| eight.items);
            let slots = leaves.filter(|&leaf| leaf != NONE).flat_map(|leaf| {
                let first = leaf as usize * WIDTH;
                first..first + WIDTH
            });
            slots.filter_map(move |slot| {
                let Placed { mesh, pose, .. } = placed?;
                let used = mesh.bvh.leaf_items(slot / WIDTH)[slot % WIDTH] != NONE;
                let struck = content.struck(part.body, slot as u32).filter(|_| used)?;
                Some((struck, mesh.world_triangle(pose, slot)))
            })
        })
    }

    fn begin(&mut self, content: &Content, body: u32) {
        let bounds = content.at(body).and_then(|(_, body)| body.bounds());
        let (item, leaves) = (self.parts.len() as u32, self.leaves.len());
        put(&mut self.bodies, 0, bounds.unwrap_or(Bounds::EMPTY), item);
        self.parts.push(Part { body, leaves: leaves..leaves });
    }

    fn leaf(&mut self, mesh: &TriMesh, leaf: usize) {
        let Some(part) = self.parts.last_mut() else { return };
        let used = mesh.bvh.leaf_items(leaf).iter().filter(|item| **item != NONE).count();
        self.triangles += used;
        put(&mut self.leaves, part.leaves.start, mesh.bounds_of_leaf(leaf), leaf as u32);
        part.leaves.end = self.leaves.len();
    }
}

/// Puts a box behind the others that begin at `start`.
fn put(eights: &mut Vec<Eight>, start: usize, bounds: Bounds, item: u32) {
    let free = |eight: &Eight| eight.items.iter().position(|item| *item == NONE);
    if eights.len() == start || eights.last().and_then(free).is_none() {
        eights.push(Eight::EMPTY);
    }
    let Some(last) = eights.last_mut() else { return };
    if let Some(lane) = free(last) {
        last.boxes[lane] = bounds;
        last.items[lane] = item;
    }
}

/// Looks for what reaches into a box.
struct Gathering<'a> {
    content: &'a Content,
    region: &'a Aabb,
    into: &'a mut Gathered,
}

impl Search for Gathering<'_> {
    type Cull = LocalBox;

    const NEAREST_FIRST: bool = false;

    fn limit(&self) -> f64 {
        0.0
    }

    fn in_world(&self, size: f64) -> LocalBox {
        LocalBox::in_world(self.region, size)
    }

    fn in_mesh(&self, placed: &Placed) -> LocalBox {
        LocalBox::in_mesh(self.region, placed)
    }

    fn sides(&self, _body: &Body) -> Sides {
        Sides::Both
    }

    fn shape(&mut self, body: u32, _shape: &Shape) {
        self.into.begin(self.content, body);
    }

    /// A walk shows the triangles of a leaf one after the other, and the leaves of a body.
    fn triangle<L: Lanes>(&mut self, placed: &Placed, slot: usize) {
        let leaf = slot / WIDTH;
        if self.into.parts.last().is_none_or(|part| part.body != placed.body) {
            self.into.begin(self.content, placed.body);
        } else if self.into.last_leaf() == Some(leaf as u32) {
            return;
        }
        self.into.leaf(placed.mesh, leaf);
    }
}

impl Gathered {
    /// The leaf of the last body that was added last.
    fn last_leaf(&self) -> Option<u32> {
        self.leaves.last()?.items.into_iter().rfind(|item| *item != NONE)
    }
}

impl Scene {
    /// Where the triangle that a query reported is; `None` if it is not one of a static mesh.
    pub(crate) fn place_of(&self, struck: &Struck) -> Option<Place> {
        let body = struck.body.index;
        if super::layer::mobility_of(body) != super::Mobility::Static {
            return None;
        }
        let placed = self.content().placed(body, Filter::default())?;
        Some(Place { body, leaf: placed.mesh.leaf_of(struck.triangle?)? })
    }
}
