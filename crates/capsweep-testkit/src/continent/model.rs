//! Collision models: buildings (WMO) and props (M2).

use super::liquid::ModelLiquid;
use crate::level::Mesh;
use glam::Vec3;

/// Flag of a group that is outdoors.
pub const OUTDOOR: u32 = 0x8;
/// Flag of a group that is a room.
pub const INDOOR: u32 = 0x2000;

/// The two kinds of models.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelKind {
    /// A building or a cave.
    Wmo,
    /// A prop.
    M2,
}

/// A collision model in its own frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// Building or prop.
    pub kind: ModelKind,
    /// Id of the root WMO; 0 for props.
    pub root_id: u32,
    /// Its groups. A prop has one.
    pub groups: Vec<Group>,
}

/// A part of a model.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Group {
    /// [`OUTDOOR`], [`INDOOR`] or other bits.
    pub flags: u32,
    /// Id of the group; 0 for props.
    pub id: u32,
    /// Vertices in yards.
    pub vertices: Vec<Vec3>,
    /// Triangles, counter-clockwise seen from free space.
    pub triangles: Vec<[u32; 3]>,
    /// Liquid, if there is any.
    pub liquid: Option<ModelLiquid>,
}

impl Group {
    pub(super) fn new(flags: u32, id: u32, (vertices, triangles): Mesh) -> Self {
        Self { flags, id, vertices, triangles, liquid: None }
    }

    /// Corners of the smallest box around the vertices; `None` without vertices.
    pub fn bounds(&self) -> Option<[Vec3; 2]> {
        let first = *self.vertices.first()?;
        Some(self.vertices.iter().fold([first; 2], |[low, high], v| [low.min(*v), high.max(*v)]))
    }

    /// The corners of the triangles.
    pub fn corners(&self) -> impl Iterator<Item = [Vec3; 3]> {
        self.triangles.iter().map(|triangle| triangle.map(|k| self.vertices[k as usize]))
    }
}

impl Model {
    /// A prop of one mesh.
    pub(super) fn prop(mesh: Mesh) -> Self {
        Self { kind: ModelKind::M2, root_id: 0, groups: vec![Group::new(0, 0, mesh)] }
    }

    /// The corners of all triangles, group by group.
    pub fn corners(&self) -> impl Iterator<Item = [Vec3; 3]> {
        self.groups.iter().flat_map(Group::corners)
    }

    /// All vertices, group by group.
    pub fn vertices(&self) -> impl Iterator<Item = Vec3> {
        self.groups.iter().flat_map(|group| group.vertices.iter().copied())
    }

    /// Number of triangles.
    pub fn triangle_count(&self) -> usize {
        self.groups.iter().map(|group| group.triangles.len()).sum()
    }
}
