//! What of a scene's static bodies lies in a box of the world: the content of a cache (rule 11.1).

use super::body::Shape;
use super::filter::{Bodies, Filter};
use super::first_touch::Struck;
use super::meet::Placed;
use super::mesh::TriMesh;
use super::packet::Packet;
use super::region::{Gatherer, gather};
use super::store::{Content, Scene};
use crate::bvh::{Bounds, NONE, WIDTH};
use crate::{Aabb, Triangle};
use core::ops::Range;

/// The static bodies that reach into a box, and the triangles of their meshes that do. It holds numbers and corners of a scene and nothing of
/// the scene itself, so it is good for scenes of the same [`Revision`](super::Revision) only.
#[derive(Debug, Clone, Default)]
pub(crate) struct Gathered {
    /// Boxes in the world; items are places in `parts`.
    pub(super) bodies: Vec<Eight>,
    pub(super) parts: Vec<Part>,
    pub(super) handfuls: Vec<Handful>,
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

/// A body, and where its triangles are; a shape has none.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) body: u32,
    pub(super) handfuls: Range<usize>,
    triangles: usize,
}

/// Up to eight triangles of one mesh that reach into the box, close together: a leaf of the mesh has others too, all around.
#[derive(Debug, Clone, Copy)]
pub(super) struct Handful {
    /// In the mesh's own space, as the mesh has them.
    pub(super) packet: Packet,
    /// Where the mesh has them.
    pub(super) slots: [u32; WIDTH],
}

impl Handful {
    const EMPTY: Self = Self { packet: Packet::EMPTY, slots: [NONE; WIDTH] };
}

/// A handful of a static body's triangles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(super) body: u32,
    pub(super) handful: usize,
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
        self.handfuls.clear();
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

    /// How many triangles reach into the box.
    pub(crate) fn triangle_count(&self) -> usize {
        self.parts.iter().map(|part| part.triangles).sum()
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

    /// Where the triangle that a query reported is; `None` if it is not one of these.
    pub(crate) fn place_of(&self, scene: &Scene, struck: &Struck) -> Option<Place> {
        let body = struck.body.index;
        let part = self.parts.iter().find(|part| part.body == body)?;
        let placed = scene.content().placed(body, Filter::default())?;
        let slot = *placed.mesh.slots.get(struck.triangle? as usize)?;
        let mut handfuls = self.handfuls[part.handfuls.clone()].iter();
        let handful = part.handfuls.start + handfuls.position(|some| some.slots.contains(&slot))?;
        Some(Place { body, handful })
    }

    fn begin(&mut self, content: &Content, body: u32) {
        let bounds = content.at(body).and_then(|(_, body)| body.bounds());
        let (item, start) = (self.parts.len() as u32, self.handfuls.len());
        put(&mut self.bodies, bounds.unwrap_or(Bounds::EMPTY), item);
        self.parts.push(Part { body, handfuls: start..start, triangles: 0 });
    }

    /// Adds a triangle to the last body.
    fn add(&mut self, mesh: &TriMesh, slot: u32) {
        let Some(part) = self.parts.last_mut() else { return };
        if part.triangles % WIDTH == 0 {
            self.handfuls.push(Handful::EMPTY);
            part.handfuls.end = self.handfuls.len();
        }
        let Some(last) = self.handfuls.last_mut() else { return };
        let (lane, at) = (part.triangles % WIDTH, slot as usize);
        last.packet.set(lane, mesh.packets[at / WIDTH].get(at % WIDTH));
        last.slots[lane] = slot;
        part.triangles += 1;
    }
}

/// Puts a box behind the others.
fn put(eights: &mut Vec<Eight>, bounds: Bounds, item: u32) {
    let lane = item as usize % WIDTH;
    if lane == 0 {
        eights.push(Eight::EMPTY);
    }
    let Some(last) = eights.last_mut() else { return };
    last.boxes[lane] = bounds;
    last.items[lane] = item;
}

/// Takes in what reaches into a box.
struct Filling<'a> {
    content: &'a Content,
    into: &'a mut Gathered,
}

impl Gatherer for Filling<'_> {
    /// The triangles of a body are shown one after the other.
    fn triangle(&mut self, body: u32, slot: u32, _triangle: &Triangle) {
        if self.into.parts.last().is_none_or(|part| part.body != body) {
            self.into.begin(self.content, body);
        }
        if let Some(placed) = self.content.placed(body, Filter::default()) {
            self.into.add(placed.mesh, slot);
        }
    }

    /// What has no end is looked at by every query anyway.
    fn shape(&mut self, body: u32, shape: &Shape) {
        if shape.bounds().is_some() {
            self.into.begin(self.content, body);
        }
    }
}
