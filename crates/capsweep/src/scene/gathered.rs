//! What of a scene's static bodies lies in a box of the world: the content of a cache (rule 11.1).

use super::body::Shape;
use super::filter::{Bodies, Filter};
use super::first_touch::Struck;
use super::meet::Placed;
use super::mesh::TriMesh;
use super::region::{Gatherer, gather};
use super::store::{Content, Scene};
use crate::bvh::{Bounds, NONE, WIDTH};
use crate::{Aabb, Triangle};
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
        gather(content, region, filter, &mut Filling { content, into: self });
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

/// Takes in what reaches into a box.
struct Filling<'a> {
    content: &'a Content,
    into: &'a mut Gathered,
}

impl Gatherer for Filling<'_> {
    /// The triangles of a leaf are shown one after the other, and the leaves of a body.
    fn triangle(&mut self, body: u32, slot: u32, _triangle: &Triangle) {
        let leaf = slot / WIDTH as u32;
        if self.into.parts.last().is_none_or(|part| part.body != body) {
            self.into.begin(self.content, body);
        } else if self.into.last_leaf() == Some(leaf) {
            return;
        }
        if let Some(placed) = self.content.placed(body, Filter::default()) {
            self.into.leaf(placed.mesh, leaf as usize);
        }
    }

    /// What has no end is looked at by every query anyway.
    fn shape(&mut self, body: u32, shape: &Shape) {
        if shape.bounds().is_some() {
            self.into.begin(self.content, body);
        }
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
