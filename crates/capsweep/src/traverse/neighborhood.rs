//! What of a scene's static bodies lies in a box of the world: the content of a cache (rule 11.1).

use crate::bvh::{Bounds, NONE, WIDTH};
use crate::math::Vec3Soa;
use crate::scene::body::{Body, Mobility, Shape, inward, outward};
use crate::scene::filter::{Bodies, Filter};
use crate::scene::hit::HitTarget;
use crate::scene::layer::mobility_of;
use crate::scene::mesh_instance::MeshInstance;
use crate::scene::store::{Content, Scene};
use crate::traverse::cull_packet::{Corners, CullPacket, put_corners};
use crate::traverse::cull_volume::Viewpoint;
use crate::traverse::neighborhood_view::NeighborhoodCandidates;
use crate::traverse::region::{Gatherer, gather};
use crate::{Aabb, Triangle};
use glam::{DVec3, Vec3};

/// The static bodies that reach into a box, and the triangles of their meshes that do. It holds numbers and corners of a scene and nothing of
/// the scene itself, so it is good for scenes of the same [`Revision`](crate::scene::Revision) only.
#[derive(Debug, Clone)]
pub(crate) struct Neighborhood {
    /// Those of a body side by side.
    pub(crate) handfuls: Vec<NeighborhoodPacket>,
    pub(crate) shapes: Vec<NeighborhoodShape>,
    bodies: usize,
    triangles: usize,
    region: Option<Aabb>,
    /// The middle of the region: everything here is seen from it.
    pub(crate) from: Viewpoint,
    /// The lower end of the region from there, or further in, and minus its upper end.
    pub(crate) inside: [[f32; 4]; 2],
}

/// Up to eight triangles of one mesh that reach into the box, close together: a leaf of the mesh has others too, all around.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NeighborhoodPacket {
    pub(crate) body: u32,
    /// Where the mesh has them.
    pub(crate) slots: [u32; WIDTH],
    /// Where they are in the world.
    pub(crate) outlines: CullPacket,
}

/// A body that is a shape.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NeighborhoodShape {
    pub(crate) body: u32,
    /// Seen from the origin.
    pub(crate) bounds: Bounds,
}

/// A triangle of a static body: the body's place, and its slot in the mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TriangleRef {
    pub(crate) body: u32,
    pub(crate) slot: u32,
}

/// A query's way around the trees over static bodies: all that it can meet there was gathered before.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NeighborhoodView<'a> {
    pub(crate) gathered: &'a Neighborhood,
    pub(crate) sight: &'a NeighborhoodCandidates,
}

impl TriangleRef {
    /// The triangle in a slot of a body's mesh, or slot 0 of a body that is none; `None` if it is something that moves.
    pub(crate) fn of_static(body: u32, slot: u32) -> Option<Self> {
        (mobility_of(body) == Mobility::Static).then_some(Self { body, slot })
    }

    /// The mesh and the slot, if `filter` sees the triangle; `body` is the one in this place.
    pub(crate) fn seen<'a>(
        self,
        body: &'a Body,
        filter: &Filter,
    ) -> Option<(MeshInstance<'a>, usize)> {
        let (instance, slot) = (MeshInstance::of(self.body, body, *filter)?, self.slot as usize);
        let is_seen = filter.bodies != Bodies::Dynamic
            && filter.sees(body)
            && instance.mesh.is_seen(slot, filter.mask);
        is_seen.then_some((instance, slot))
    }

    /// Where the triangle that a query reported is; `None` if that is something that moves, or no triangle.
    pub(crate) fn of(scene: &Scene, target: &HitTarget) -> Option<Self> {
        let body = target.body.index;
        if mobility_of(body) != Mobility::Static {
            return None;
        }
        let instance = scene.content().instance(body, Filter::default())?;
        Some(Self { body, slot: *instance.mesh.slots.get(target.triangle? as usize)? })
    }
}

/// A region that holds nothing.
const NOWHERE: [[f32; 4]; 2] = [[f32::INFINITY; 4]; 2];

impl Default for Neighborhood {
    fn default() -> Self {
        Self {
            handfuls: Vec::new(),
            shapes: Vec::new(),
            bodies: 0,
            triangles: 0,
            region: None,
            from: Viewpoint::new(DVec3::ZERO, Vec3::ZERO),
            inside: NOWHERE,
        }
    }
}

impl Neighborhood {
    /// Forgets what it holds and gathers what reaches into `region`.
    pub(crate) fn fill(&mut self, scene: &Scene, region: &Aabb) {
        self.clear();
        self.region = Some(*region);
        let origin = region.center();
        let inside = inward(region.min() - origin, region.max() - origin);
        self.from = Viewpoint::new(origin, inside.max.max(-inside.min));
        self.inside = [inside.min, -inside.max].map(|end| [end.x, end.y, end.z, f32::NEG_INFINITY]);
        let content = scene.content();
        let filter = Filter { bodies: Bodies::Static, ..Filter::default() };
        let mut filling = Filling { content, into: self, hand: PacketBuilder::EMPTY, last: None };
        gather(content, region, filter, &mut filling);
        filling.empty_hand();
    }

    /// Forgets what it holds.
    pub(crate) fn clear(&mut self) {
        self.handfuls.clear();
        self.shapes.clear();
        (self.bodies, self.triangles) = (0, 0);
        self.region = None;
        self.inside = NOWHERE;
    }

    /// The box that it was gathered for.
    pub(crate) fn region(&self) -> Option<Aabb> {
        self.region
    }

    /// How many triangles reach into the box.
    pub(crate) fn triangle_count(&self) -> usize {
        self.triangles
    }

    /// The bodies that reach into the box.
    pub(crate) fn body_count(&self) -> usize {
        self.bodies
    }

    /// The triangles that reach into the box, in a scene of the revision that they were gathered from.
    pub(crate) fn triangles<'a>(
        &'a self,
        scene: &'a Scene,
    ) -> impl Iterator<Item = (HitTarget, Triangle)> + 'a {
        let content = scene.content();
        self.handfuls.iter().flat_map(move |&NeighborhoodPacket { body, slots, .. }| {
            let instance = content.instance(body, Filter::default());
            slots.into_iter().filter(|&slot| slot != NONE).filter_map(move |slot| {
                let MeshInstance { mesh, pose, .. } = instance?;
                let target = content.target(body, slot)?;
                Some((target, mesh.world_triangle(pose, slot as usize)))
            })
        })
    }
}

/// Takes in what reaches into a box.
struct Filling<'a> {
    content: &'a Content,
    into: &'a mut Neighborhood,
    hand: PacketBuilder,
    /// The mesh whose triangles are in the hand.
    last: Option<Mesh>,
}

#[derive(Clone, Copy)]
struct Mesh {
    body: u32,
    /// Whether both sides of its triangles count, whatever a query says.
    double_sided: bool,
}

/// Up to eight triangles of the last body, on their way.
struct PacketBuilder {
    slots: [u32; WIDTH],
    corners: Corners,
    count: usize,
}

impl PacketBuilder {
    const EMPTY: Self = Self { slots: [NONE; WIDTH], corners: [[[0.0; WIDTH]; 3]; 3], count: 0 };

    fn take(&mut self, slot: u32, corners: &Vec3Soa<[f64; 4]>) {
        self.slots[self.count] = slot;
        put_corners(&mut self.corners, self.count, corners);
        self.count += 1;
    }
}

impl Filling<'_> {
    /// Adds what is in the hand.
    #[inline(never)]
    fn empty_hand(&mut self) {
        let Self { into, hand, last: Some(Mesh { body, double_sided }), .. } = self else { return };
        if hand.count == 0 {
            return;
        }
        into.handfuls.push(NeighborhoodPacket {
            body: *body,
            slots: hand.slots,
            outlines: CullPacket::EMPTY,
        });
        if let Some(handful) = into.handfuls.last_mut() {
            handful.outlines.draw(&hand.corners, hand.count, into.from.origin);
            if *double_sided {
                handful.outlines.count_both_sides();
            }
        }
        into.triangles += hand.count;
        (hand.slots, hand.count) = ([NONE; WIDTH], 0);
    }

    #[cold]
    fn begin_mesh(&mut self, body: u32) {
        self.empty_hand();
        let instance = self.content.instance(body, Filter::default());
        let double_sided = instance.is_some_and(|instance| instance.mesh.is_double_sided());
        self.last = Some(Mesh { body, double_sided });
        self.into.bodies += 1;
    }
}

impl Gatherer for Filling<'_> {
    /// The triangles of a body are shown one after the other.
    #[inline]
    fn triangle(&mut self, body: u32, slot: u32, corners: &Vec3Soa<[f64; 4]>) {
        if self.last.is_none_or(|mesh| mesh.body != body) {
            self.begin_mesh(body);
        }
        self.hand.take(slot, corners);
        if self.hand.count == WIDTH {
            self.empty_hand();
        }
    }

    /// What has no end is looked at by every query anyway.
    fn shape(&mut self, body: u32, shape: &Shape) {
        if let Some(bounds) = shape.bounds() {
            let origin = self.into.from.origin;
            let bounds = outward(bounds.min() - origin, bounds.max() - origin);
            self.into.shapes.push(NeighborhoodShape { body, bounds });
            self.into.bodies += 1;
        }
    }
}
