//! Triangle sources: gives the triangles of meshes and scenes to callers, and builds meshes from
//! the triangles of callers.

use crate::math::Vec3Soa;
use crate::mesh::height_field::HeightField;
use crate::mesh::surface::Surface;
use crate::mesh::tri_mesh::{MeshError, MeshOptions, TriMesh};
use crate::scene::body::{BodyId, Mobility, Shape};
use crate::scene::filter::Filter;
use crate::scene::store::{Content, Scene};
use crate::traverse::box_query::{BoxVisitor, surface_triangles_in, visit_box};
use crate::{Aabb, MAX_POSITION, Triangle};
use glam::{DVec3, Vec3};

/// A source of triangles, all in one space.
///
/// Implement it for geometry that is stored elsewhere, such as a height field or arrays of your
/// own; [`TriMesh::from_source`] then builds a mesh from it. [`TriMesh`] gives its triangles in
/// its own space, [`Scene`] those of all its meshes in world space.
///
/// ```
/// use capsweep::scene::{MeshOptions, TriMesh};
/// use capsweep::query::{SourceTriangle, TriangleSource};
/// use capsweep::{Aabb, Triangle};
/// use glam::{DVec3, dvec3};
///
/// /// Heights on a grid of whole metres, 17 in a row.
/// struct Tile {
///     heights: Vec<f64>,
/// }
///
/// impl TriangleSource for Tile {
///     fn triangles_in(&self, bounds: &Aabb, visit: &mut dyn FnMut(&SourceTriangle)) {
///         let corner = |x: usize, y: usize| dvec3(x as f64, y as f64, self.heights[17 * y + x]);
///         let cells = (0..16).flat_map(|y| (0..16).map(move |x| (x, y)));
///         let triangles = cells.flat_map(|(x, y)| {
///             let (south_west, north_east) = (corner(x, y), corner(x + 1, y + 1));
///             let (south_east, north_west) = (corner(x + 1, y), corner(x, y + 1));
///             [[south_west, south_east, north_east], [south_west, north_east, north_west]]
///         });
///         for ([a, b, c], index) in triangles.zip(0..) {
///             let triangle = Triangle::new(a, b, c).expect("heights are finite");
///             if triangle.bounds().overlaps(bounds) {
///                 visit(&SourceTriangle::new(triangle, index));
///             }
///         }
///     }
/// }
///
/// let tile = Tile { heights: vec![2.5; 17 * 17] };
/// let mesh = TriMesh::from_source(&tile, DVec3::ZERO, MeshOptions::default())?;
/// assert_eq!(mesh.triangle_count(), 512);
/// # Ok::<(), capsweep::scene::MeshError>(())
/// ```
pub trait TriangleSource {
    /// Calls `visit` once for every triangle that has a point in `bounds`, its boundary included,
    /// in any order. It may be called for other triangles too.
    fn triangles_in(&self, bounds: &Aabb, visit: &mut dyn FnMut(&SourceTriangle));
}

/// A triangle of a [`TriangleSource`], with its attributes.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SourceTriangle {
    /// The corners, counter-clockwise seen from the front.
    pub triangle: Triangle,
    /// Its number in its mesh.
    pub index: u32,
    /// A query sees the triangle only if their masks share a bit.
    pub mask: u32,
    /// The caller's number for it.
    pub tag: u32,
    /// Whether both of its sides count, whatever the query's filter says.
    pub double_sided: bool,
    /// The body that it belongs to; `None` outside of a scene.
    pub owner: Option<Owner>,
}

/// The body of a scene that a triangle belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Owner {
    /// The body.
    pub body: BodyId,
    /// The caller's number for it.
    pub key: u64,
    /// A query sees the body only if their masks share a bit.
    pub mask: u32,
    /// Whether it may move.
    pub mobility: Mobility,
}

impl SourceTriangle {
    /// A single-sided triangle with all mask bits set, tag 0 and no owner.
    pub fn new(triangle: Triangle, index: u32) -> Self {
        Self { triangle, index, mask: u32::MAX, tag: 0, double_sided: false, owner: None }
    }
}

impl TriMesh {
    /// Builds a mesh from all triangles of `source`, with their masks, tags and sides. The mesh's
    /// space has its origin at `origin`.
    ///
    /// Triangles are numbered in the order of their [index](SourceTriangle::index), body by body
    /// where they have owners. So triangles with the indices 0, 1, 2 … keep them.
    ///
    /// Corners are rounded to f32 after `origin` is subtracted. Far from the world's origin choose
    /// an `origin` close to the triangles, and
    /// [place](crate::scene::Pose::from_translation) the mesh there. Both sides of a triangle
    /// count if [`SourceTriangle::double_sided`] or `options` says so.
    ///
    /// # Errors
    /// The errors of [`TriMesh::new`]; in them, vertex `3 i + k` is corner `k` of triangle `i`.
    pub fn from_source(
        source: &(impl TriangleSource + ?Sized),
        origin: DVec3,
        options: MeshOptions,
    ) -> Result<Self, MeshError> {
        let everywhere =
            Aabb::from_corners(DVec3::splat(-MAX_POSITION), DVec3::splat(MAX_POSITION));
        let mut found = Vec::new();
        source.triangles_in(&everywhere, &mut |source_triangle| {
            found.push(*source_triangle);
        });
        found.sort_by_key(|found| (found.owner.map(|owner| owner.body), found.index));
        let corners = |found: &SourceTriangle| {
            found.triangle.vertices().map(|vertex| (vertex - origin).as_vec3())
        };
        let vertices: Vec<Vec3> = found.iter().flat_map(corners).collect();
        let count = u32::try_from(found.len()).unwrap_or(u32::MAX / 3).min(u32::MAX / 3);
        let indices: Vec<[u32; 3]> = (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let mut mesh = Self::new(&vertices, &indices, options)?;
        let masks: Vec<u32> = found.iter().map(|found| found.mask).collect();
        if masks.iter().any(|&mask| mask != u32::MAX) {
            mesh = mesh.with_masks(&masks)?;
        }
        let tags: Vec<u32> = found.iter().map(|found| found.tag).collect();
        if tags.iter().any(|&tag| tag != 0) {
            mesh = mesh.with_tags(&tags)?;
        }
        let flags: Vec<bool> = found.iter().map(|found| found.double_sided).collect();
        if flags.contains(&true) {
            mesh = mesh.with_double_sided(&flags)?;
        }
        Ok(mesh)
    }
}

impl Surface<'_> {
    fn source_triangle(&self, slot: usize, triangle: Triangle) -> SourceTriangle {
        SourceTriangle {
            triangle,
            index: self.index_in(slot),
            mask: self.mask_in(slot),
            tag: self.tag_in(slot),
            double_sided: self.has_two_sides(slot),
            owner: None,
        }
    }

    fn triangles_in(&self, bounds: &Aabb, visit: &mut dyn FnMut(&SourceTriangle)) {
        surface_triangles_in(*self, bounds, |slot, triangle| {
            visit(&self.source_triangle(slot, triangle));
        });
    }
}

/// All triangles of the mesh, in its own space.
impl TriangleSource for TriMesh {
    fn triangles_in(&self, bounds: &Aabb, visit: &mut dyn FnMut(&SourceTriangle)) {
        Surface::Mesh(self).triangles_in(bounds, visit);
    }
}

/// All triangles of the field, in its own space.
impl TriangleSource for HeightField {
    fn triangles_in(&self, bounds: &Aabb, visit: &mut dyn FnMut(&SourceTriangle)) {
        Surface::Field(self).triangles_in(bounds, visit);
    }
}

/// The triangles of all meshes and height fields, in world space. Those with an empty mask, which
/// no query sees, are left out.
impl TriangleSource for Scene {
    fn triangles_in(&self, bounds: &Aabb, visit: &mut dyn FnMut(&SourceTriangle)) {
        self.triangles_seen_in(bounds, &Filter::default(), visit);
    }
}

impl Scene {
    /// Calls `visit` once for every triangle that `filter` sees and that has a point in `bounds`:
    /// in world space, in any order.
    ///
    /// It is called for other triangles too if their own box touches `bounds`. The filter's sides
    /// and start overlaps have no effect.
    pub fn triangles_seen_in(
        &self,
        bounds: &Aabb,
        filter: &Filter,
        mut visit: impl FnMut(&SourceTriangle),
    ) {
        let content = self.content();
        visit_box(content, bounds, *filter, &mut TriangleReporter { content, visit: &mut visit });
    }
}

/// Converts gathered triangles to [`SourceTriangle`]s for a callback.
struct TriangleReporter<'a> {
    content: &'a Content,
    visit: &'a mut dyn FnMut(&SourceTriangle),
}

impl BoxVisitor for TriangleReporter<'_> {
    fn triangle(&mut self, body: u32, slot: u32, corners: &Vec3Soa<[f64; 4]>) {
        let Some((id, body)) = self.content.body_by_index(body) else { return };
        let Some((surface, _)) = body.surface() else { return };
        let owner = Owner { body: id, key: body.key, mask: body.mask, mobility: body.mobility };
        let triangle = Triangle::from_checked([0, 1, 2].map(|i| corners.lane(i)));
        let ownerless = surface.source_triangle(slot as usize, triangle);
        (self.visit)(&SourceTriangle { owner: Some(owner), ..ownerless });
    }

    fn shape(&mut self, _body: u32, _shape: &Shape) {}
}
