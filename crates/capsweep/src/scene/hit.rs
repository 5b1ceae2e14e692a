//! Hits of scene queries: a hit of a pair and the part of the body that it is on.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::scene::body::{Body, BodyId, BodyKind, Geometry};
use crate::scene::store::Content;

/// A hit of a scene query. The fields of the pair's hit can be read directly: `hit.distance` is
/// `hit.hit.distance`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SceneHit<T> {
    /// The contact, as the query of a single pair reports it.
    pub hit: T,
    /// The part of a body that was hit.
    pub target: HitTarget,
}

impl<T> core::ops::Deref for SceneHit<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.hit
    }
}

/// A part of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct HitTarget {
    /// The body.
    pub body: BodyId,
    /// The caller's number for it.
    pub key: u64,
    /// Its kind.
    pub kind: BodyKind,
    /// Number of the triangle in the mesh or height field; `None` on shapes and obstacles.
    pub triangle: Option<u32>,
    /// The caller's number for that triangle; 0 in a mesh
    /// [without tags](crate::scene::TriMesh::with_tags), and on shapes and obstacles.
    pub tag: u32,
}

impl HitTarget {
    /// A body, or the triangle in a slot of its mesh.
    #[inline(always)]
    pub(crate) fn of(id: BodyId, body: &Body, slot: u32) -> Self {
        let (triangle, tag) = match &body.geometry {
            Geometry::Surface { surface, .. } => {
                let (index, tag) = surface.as_surface().index_and_tag_in(slot as usize);
                (Some(index), tag)
            }
            Geometry::Shape(_) | Geometry::Obstacle(_) => (None, 0),
        };
        Self { body: id, key: body.key, kind: body.kind(), triangle, tag }
    }

    /// The order of hits that tie: by kind, key and triangle, then by body if keys are equal.
    pub(crate) fn rank(&self) -> (BodyKind, u64, Option<u32>, BodyId) {
        (self.kind, self.key, self.triangle, self.body)
    }
}

/// The caller's predicate: which triangles and shapes a sweep may hit.
pub(crate) type Accept<'a> = dyn Fn(&HitTarget) -> bool + 'a;

impl Content {
    /// A part of a body; `None` if no body has this index.
    pub(crate) fn target(&self, body: u32, slot: u32) -> Option<HitTarget> {
        let (id, body) = self.body_by_index(body)?;
        Some(HitTarget::of(id, body, slot))
    }
}
