//! The static bodies of a scene within a box, gathered for a cache: packets of triangles, and
//! shapes.

use crate::bvh::{Bounds, NONE, WIDTH};
use crate::math::Vec3Soa;
use crate::mesh::sides::DoubleSided;
use crate::scene::body::{Body, Mobility, Shape, inward, outward};
use crate::scene::filter::{Bodies, Filter};
use crate::scene::hit::HitTarget;
use crate::scene::layer::mobility_of;
use crate::scene::mesh_instance::MeshInstance;
use crate::scene::store::{Content, Scene};
use crate::traverse::box_query::{BoxVisitor, visit_box};
use crate::traverse::cull_packet::{CullPacket, PacketCorners, put_corners};
use crate::traverse::cull_volume::LocalOrigin;
use crate::{Aabb, Triangle};
use glam::{DVec3, Vec3};

/// The static bodies that overlap a box, and the triangles of their meshes that do.
///
/// It holds indices and coordinates and keeps no part of the scene alive. So it is valid only for
/// scenes of the same [`Revision`](crate::scene::Revision).
#[derive(Debug, Clone)]
pub(crate) struct Neighborhood {
    /// Packets of one body are consecutive.
    pub(crate) packets: Vec<NeighborhoodPacket>,
    pub(crate) shapes: Vec<NeighborhoodShape>,
    bodies: usize,
    triangles: usize,
    /// The box that it was filled for; `None` while it is empty.
    bounds: Option<Aabb>,
    /// The centre of the box.
    pub(crate) origin: LocalOrigin,
    /// The box relative to the origin, rounded inward: lower and negated upper corner.
    pub(crate) inside: [[f32; 4]; 2],
}

/// Up to eight triangles of one mesh that overlap the box.
///
/// Leaves of the mesh are not used as they are: they hold triangles outside of the box too.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NeighborhoodPacket {
    pub(crate) body: u32,
    /// Slots of the triangles in their mesh; [`NONE`] in unused lanes.
    pub(crate) slots: [u32; WIDTH],
    pub(crate) cull: CullPacket,
}

/// A body that is a shape.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NeighborhoodShape {
    pub(crate) body: u32,
    /// Relative to the origin.
    pub(crate) bounds: Bounds,
}

/// A triangle of a static body: the body's index, and the triangle's slot in the mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TriangleRef {
    pub(crate) body: u32,
    pub(crate) slot: u32,
}

impl TriangleRef {
    /// `None` if the body is dynamic. A shape has slot 0.
    pub(crate) fn of_static(body: u32, slot: u32) -> Option<Self> {
        (mobility_of(body) == Mobility::Static).then_some(Self { body, slot })
    }

    /// The mesh and the slot, if `filter` sees the triangle. `body` is the body of that index.
    pub(crate) fn seen<'a>(
        self,
        body: &'a Body,
        filter: &Filter,
    ) -> Option<(MeshInstance<'a>, usize)> {
        let instance = MeshInstance::of(self.body, body, self.slot, *filter)?;
        let slot = self.slot as usize;
        let is_seen = filter.bodies != Bodies::Dynamic
            && filter.sees(body)
            && instance.surface.is_seen(slot, filter.mask);
        is_seen.then_some((instance, slot))
    }

    /// The triangle that a hit names; `None` if that is a shape or of a dynamic body.
    pub(crate) fn of(scene: &Scene, target: &HitTarget) -> Option<Self> {
        let body = target.body.index;
        if mobility_of(body) != Mobility::Static {
            return None;
        }
        let (surface, _) = scene.content().surface(body)?;
        Some(Self { body, slot: surface.slot_of(target.triangle?)? as u32 })
    }
}

/// A box that contains nothing.
const EMPTY_BOX: [[f32; 4]; 2] = [[f32::INFINITY; 4]; 2];

impl Default for Neighborhood {
    fn default() -> Self {
        Self {
            packets: Vec::new(),
            shapes: Vec::new(),
            bodies: 0,
            triangles: 0,
            bounds: None,
            origin: LocalOrigin::new(DVec3::ZERO, Vec3::ZERO),
            inside: EMPTY_BOX,
        }
    }
}

impl Neighborhood {
    /// Replaces its content by everything that overlaps `bounds`. Returns whether it did: with
    /// more than `max_triangles` it stops somewhere, and must be cleared.
    pub(crate) fn fill(&mut self, scene: &Scene, bounds: &Aabb, max_triangles: u32) -> bool {
        if max_triangles == u32::MAX {
            self.fill_up_to::<false>(scene, bounds, max_triangles)
        } else {
            self.fill_up_to::<true>(scene, bounds, max_triangles)
        }
    }

    /// [`Neighborhood::fill`]. Without a limit no triangle is counted against it, which saves 3 %
    /// of the work.
    fn fill_up_to<const LIMITED: bool>(
        &mut self,
        scene: &Scene,
        bounds: &Aabb,
        max_triangles: u32,
    ) -> bool {
        self.clear();
        self.bounds = Some(*bounds);
        let origin = bounds.center();
        let inside = inward(bounds.min() - origin, bounds.max() - origin);
        self.origin = LocalOrigin::new(origin, inside.max.max(-inside.min));
        self.inside =
            [inside.min, -inside.max].map(|end| [end.x, end.y, end.z, f32::NEG_INFINITY]);
        let content = scene.content();
        let filter = Filter { bodies: Bodies::Static, ..Filter::default() };
        let mut builder = NeighborhoodBuilder::<LIMITED> {
            content,
            into: self,
            packet: PacketBuilder::EMPTY,
            mesh: None,
            max_triangles: max_triangles as usize,
        };
        visit_box(content, bounds, filter, &mut builder);
        builder.finish_packet();
        !builder.is_full()
    }

    pub(crate) fn clear(&mut self) {
        self.packets.clear();
        self.shapes.clear();
        (self.bodies, self.triangles) = (0, 0);
        self.bounds = None;
        self.inside = EMPTY_BOX;
    }

    /// The box that it was filled for.
    pub(crate) fn bounds(&self) -> Option<Aabb> {
        self.bounds
    }

    pub(crate) fn triangle_count(&self) -> usize {
        self.triangles
    }

    pub(crate) fn body_count(&self) -> usize {
        self.bodies
    }

    /// The indices of the bodies that it holds: meshes, then shapes.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = u32> {
        let of_one_mesh = self.packets.chunk_by(|one, next| one.body == next.body);
        let meshes = of_one_mesh.map(|packets| packets[0].body);
        meshes.chain(self.shapes.iter().map(|shape| shape.body))
    }

    /// The triangles that it holds. `scene` must have the revision that it was filled from.
    pub(crate) fn triangles<'a>(
        &'a self,
        scene: &'a Scene,
    ) -> impl Iterator<Item = (HitTarget, Triangle)> + 'a {
        let content = scene.content();
        self.packets.iter().flat_map(move |&NeighborhoodPacket { body, slots, .. }| {
            let placed = content.surface(body);
            slots.into_iter().filter(|&slot| slot != NONE).filter_map(move |slot| {
                let (surface, pose) = placed?;
                let target = content.target(body, slot)?;
                Some((target, surface.world_triangle(pose, slot as usize)))
            })
        })
    }
}

/// Packs everything that overlaps a box into a [`Neighborhood`].
struct NeighborhoodBuilder<'a, const LIMITED: bool> {
    content: &'a Content,
    into: &'a mut Neighborhood,
    packet: PacketBuilder,
    /// The mesh whose triangles are in `packet`.
    mesh: Option<CurrentMesh>,
    max_triangles: usize,
}

#[derive(Clone, Copy)]
struct CurrentMesh {
    body: u32,
    /// Of which of its triangles both sides count, whatever the query's filter says.
    double_sided: DoubleSided,
}

/// A packet that is being filled.
struct PacketBuilder {
    slots: [u32; WIDTH],
    corners: PacketCorners,
    count: usize,
}

impl PacketBuilder {
    const EMPTY: Self = Self { slots: [NONE; WIDTH], corners: [[[0.0; WIDTH]; 3]; 3], count: 0 };

    fn add(&mut self, slot: u32, corners: &Vec3Soa<[f64; 4]>) {
        self.slots[self.count] = slot;
        put_corners(&mut self.corners, self.count, corners);
        self.count += 1;
    }
}

impl<const LIMITED: bool> NeighborhoodBuilder<'_, LIMITED> {
    /// Moves the packet to the neighborhood, and begins an empty one.
    #[inline(never)]
    fn finish_packet(&mut self) {
        let Self { into, packet, mesh: Some(CurrentMesh { body, double_sided }), .. } = self
        else {
            return;
        };
        if packet.count == 0 {
            return;
        }
        into.packets.push(NeighborhoodPacket {
            body: *body,
            slots: packet.slots,
            cull: CullPacket::EMPTY,
        });
        if let Some(NeighborhoodPacket { cull, .. }) = into.packets.last_mut() {
            cull.prepare(&packet.corners, packet.count, into.origin.origin);
            match double_sided {
                DoubleSided::None => {}
                DoubleSided::All => cull.make_double_sided(u32::MAX),
                DoubleSided::Some => {
                    let surface = self.content.surface(*body).map(|(surface, _)| surface);
                    let bit = |(&slot, lane): (&u32, u32)| {
                        let both =
                            surface.is_some_and(|surface| surface.has_two_sides(slot as usize));
                        u32::from(both) << lane
                    };
                    let lanes = packet.slots[..packet.count].iter().zip(0..);
                    cull.make_double_sided(lanes.map(bit).sum());
                }
            }
        }
        into.triangles += packet.count;
        (packet.slots, packet.count) = ([NONE; WIDTH], 0);
    }

    #[cold]
    fn begin_mesh(&mut self, body: u32) {
        self.finish_packet();
        let surface = self.content.surface(body);
        let double_sided =
            surface.map_or(DoubleSided::None, |(surface, _)| surface.double_sided());
        self.mesh = Some(CurrentMesh { body, double_sided });
        self.into.bodies += 1;
    }
}

impl<const LIMITED: bool> BoxVisitor for NeighborhoodBuilder<'_, LIMITED> {
    /// The traversal visits the triangles of one body consecutively.
    #[inline]
    fn triangle(&mut self, body: u32, slot: u32, corners: &Vec3Soa<[f64; 4]>) {
        if self.mesh.is_none_or(|mesh| mesh.body != body) {
            self.begin_mesh(body);
        }
        self.packet.add(slot, corners);
        if self.packet.count == WIDTH {
            self.finish_packet();
        }
    }

    /// The packet that is being filled does not count, so a few more may be found.
    #[inline]
    fn is_full(&self) -> bool {
        LIMITED && self.into.triangles > self.max_triangles
    }

    /// Unbounded shapes are left out: every query tests them anyway.
    fn shape(&mut self, body: u32, shape: &Shape) {
        if let Some(bounds) = shape.bounds() {
            let origin = self.into.origin.origin;
            let bounds = outward(bounds.min() - origin, bounds.max() - origin);
            self.into.shapes.push(NeighborhoodShape { body, bounds });
            self.into.bodies += 1;
        }
    }
}
