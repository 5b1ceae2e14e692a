//! The sides of a mesh's triangles: both of all of them, both of some, or what the query asks for.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::Sides;
use crate::mesh::tri_mesh::{MeshError, MeshOptions, TriMesh};

/// The bit of [`TriMesh::edges`] that a triangle with two sides has, in a mesh where some have.
pub(crate) const TWO_SIDES: u8 = 1 << 6;

/// Of which triangles of a mesh both sides count, whatever the query asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DoubleSided {
    None,
    /// Of those with the bit [`TWO_SIDES`]. Such a mesh has masks, so [`TriMesh::access`] needs
    /// no test of its own for meshes without.
    Some,
    All,
}

impl DoubleSided {
    /// `some`: whether some triangles have the bit [`TWO_SIDES`].
    pub(crate) fn of(options: MeshOptions, some: bool) -> Self {
        match (options.double_sided, some) {
            (true, _) => Self::All,
            (false, true) => Self::Some,
            (false, false) => Self::None,
        }
    }
}

/// How a query sees a triangle.
pub(crate) enum Access {
    /// Its mask hides it.
    Hidden,
    /// It has the sides of its mesh.
    Seen,
    /// It has [sides of its own](TriMesh::sides_in).
    WithOwnSides,
}

impl TriMesh {
    /// The same mesh with a flag for each triangle: whether both of its sides count, whatever
    /// sides the query asks for.
    ///
    /// [`MeshOptions::double_sided`](crate::scene::MeshOptions::double_sided) does it for all
    /// triangles. A triangle has both sides if its flag, the mesh or the query says so.
    ///
    /// ```
    /// use capsweep::scene::{Body, Filter, MeshOptions, Pose, Scene, TriMesh};
    /// use capsweep::{Motion, Ray};
    /// use glam::{DVec3, dvec3, vec3};
    /// use std::sync::Arc;
    ///
    /// // A wall and, beside it, a curtain. Both face +y.
    /// let corners = [0.0, 1.0, 2.0].map(|x| [vec3(x, 0.0, 0.0), vec3(x, 0.0, 2.0)]);
    /// let triangles = [[0, 1, 2], [1, 3, 2], [2, 3, 4], [3, 5, 4]];
    /// let mesh = TriMesh::new(corners.as_flattened(), &triangles, MeshOptions::default())?;
    /// let mesh = mesh.with_double_sided(&[false, false, true, true])?;
    /// assert_eq!(mesh.double_sided_triangle_count(), 2);
    ///
    /// let mut scene = Scene::new();
    /// scene.insert(Body::mesh(Arc::new(mesh), Pose::IDENTITY)?);
    /// let hits = |x: f64, y: f64| {
    ///     let motion = Motion::new(DVec3::Y * -2.0 * y)?;
    ///     let ray = Ray::new(dvec3(x, y, 1.1), motion)?;
    ///     Ok::<_, capsweep::ShapeError>(scene.ray(&ray, &Filter::default()).is_some())
    /// };
    /// assert!(hits(0.4, 1.0)? && !hits(0.4, -1.0)?);
    /// assert!(hits(1.4, 1.0)? && hits(1.4, -1.0)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there is not one flag for each triangle.
    pub fn with_double_sided(mut self, flags: &[bool]) -> Result<Self, MeshError> {
        let (given, triangles) = (flags.len(), self.slots.len());
        if given != triangles {
            return Err(MeshError::WrongCount { what: "flags of sides", given, triangles });
        }
        if self.options.double_sided {
            return Ok(self);
        }
        let mut edges = self.edges.to_vec();
        for (&slot, &flag) in self.slots.iter().zip(flags) {
            let bits = &mut edges[slot as usize];
            *bits = if flag { *bits | TWO_SIDES } else { *bits & !TWO_SIDES };
        }
        self.edges = edges.into();
        self.double_sided = DoubleSided::of(self.options, flags.contains(&true));
        if self.double_sided == DoubleSided::Some && self.masks.is_empty() {
            self = self.with_masks(&vec![u32::MAX; triangles])?;
        }
        Ok(self)
    }

    /// Whether both sides of every triangle count: see
    /// [`MeshOptions::double_sided`](crate::scene::MeshOptions::double_sided).
    pub fn is_double_sided(&self) -> bool {
        self.options.double_sided
    }

    /// Whether both sides of a triangle count, because of its flag or because the mesh is
    /// double-sided. `None` if there is no such triangle.
    pub fn is_triangle_double_sided(&self, index: u32) -> Option<bool> {
        Some(self.has_two_sides(self.slot_of(index)?))
    }

    /// Number of triangles of which [both sides count](Self::is_triangle_double_sided).
    pub fn double_sided_triangle_count(&self) -> u32 {
        self.slots.iter().map(|&slot| u32::from(self.has_two_sides(slot as usize))).sum()
    }

    /// Whether both sides of the triangle in `slot` count, whatever the query asks for.
    #[inline]
    pub(crate) fn has_two_sides(&self, slot: usize) -> bool {
        match self.double_sided {
            DoubleSided::None => false,
            DoubleSided::Some => self.edges[slot] & TWO_SIDES != 0,
            DoubleSided::All => true,
        }
    }

    /// The sides of the triangle in `slot` that count for a query that asks for `wanted`.
    #[inline(always)]
    pub(crate) fn sides_in(&self, slot: usize, wanted: Sides) -> Sides {
        if self.double_sided == DoubleSided::None { wanted } else { self.own_sides(slot, wanted) }
    }

    #[cold]
    fn own_sides(&self, slot: usize, wanted: Sides) -> Sides {
        if self.has_two_sides(slot) { Sides::Both } else { wanted }
    }

    /// How a query with `mask` sees the triangle in `slot`.
    #[inline(always)]
    pub(crate) fn access(&self, slot: usize, mask: u32) -> Access {
        match self.masks.get(slot) {
            Some(own) if own & mask == 0 => Access::Hidden,
            Some(_) if self.double_sided == DoubleSided::Some => Access::WithOwnSides,
            _ => Access::Seen,
        }
    }
}
