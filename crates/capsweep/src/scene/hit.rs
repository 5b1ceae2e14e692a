//! What a query of a scene found, and on which part of which body.

use crate::scene::body::{Body, BodyId, BodyKind, Geometry};
use crate::scene::store::Content;

/// What a query of a scene found, and on what. The fields of the pair's hit can be read directly: `hit.distance` is
/// `hit.hit.distance`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SceneHit<T> {
    /// What was found.
    pub hit: T,
    /// On which part of which body.
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
    /// Number of the triangle in the mesh; `None` on shapes and obstacles.
    pub triangle: Option<u32>,
    /// The caller's number for that triangle; 0 where the mesh [has none](crate::scene::TriMesh::with_tags), and on shapes and
    /// obstacles.
    pub tag: u32,
}

impl HitTarget {
    /// A body, or the triangle in a slot of its mesh.
    #[inline]
    pub(crate) fn of(id: BodyId, body: &Body, slot: u32) -> Self {
        let (triangle, tag) = match &body.geometry {
            Geometry::Mesh { mesh, .. } => {
                (Some(mesh.number_in(slot as usize)), mesh.tag_in(slot as usize))
            }
            Geometry::Shape(_) | Geometry::Obstacle(_) => (None, 0),
        };
        Self { body: id, key: body.key, kind: body.kind(), triangle, tag }
    }

    /// What decides between equals: kind, key, triangle, and the body where the caller gave no keys.
    pub(crate) fn rank(&self) -> (BodyKind, u64, Option<u32>, BodyId) {
        (self.kind, self.key, self.triangle, self.body)
    }
}

/// Which triangles and shapes the caller lets a sweep hit.
pub(crate) type Accept<'a> = dyn Fn(&HitTarget) -> bool + 'a;

impl Content {
    /// A part of a body; `None` if the body was removed and not yet committed.
    pub(crate) fn target(&self, body: u32, slot: u32) -> Option<HitTarget> {
        let (id, body) = self.at(body)?;
        Some(HitTarget::of(id, body, slot))
    }
}
