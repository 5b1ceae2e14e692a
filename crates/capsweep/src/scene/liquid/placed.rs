//! [`PlacedLiquid`]: a sheet in the world, and the ground or the room that it belongs to.

use crate::Aabb;
use crate::bvh::Bounds;
use crate::error::{check_position, xyz};
use crate::mesh::height_field::HeightField;
use crate::scene::body::outward;
use crate::scene::liquid::crossing::{VerticalLine, is_upright, rim_slack};
use crate::scene::liquid::{LiquidError, LiquidSheet, Room};
use crate::shape::pose::Pose;
use glam::DVec3;
use std::sync::Arc;

/// The terrain under a liquid.
#[derive(Debug, Clone)]
pub struct LiquidGround {
    field: Arc<HeightField>,
    pose: Pose,
}

impl LiquidGround {
    /// A placed height field.
    ///
    /// # Errors
    /// If the field's z axis is not vertical in the world.
    pub fn new(field: Arc<HeightField>, pose: Pose) -> Result<Self, LiquidError> {
        if is_upright(&pose) { Ok(Self { field, pose }) } else { Err(LiquidError::TiltedGround) }
    }

    /// The height field.
    pub fn field(&self) -> &Arc<HeightField> {
        &self.field
    }

    /// Its pose.
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// World z of the ground at `(x, y)`; `None` outside of the field and in its holes.
    pub(crate) fn height_at(&self, x: f64, y: f64) -> Option<f64> {
        let at = VerticalLine::new(&self.pose, x, y).start;
        let slack = rim_slack(&self.pose, self.field.max_coordinate);
        let height = self.field.height_near(at.x, at.y, slack)?;
        Some(self.pose.point_to_world(at.with_z(height)).z)
    }
}

/// The part of the world that a liquid belongs to.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum LiquidRole {
    /// A lake, a river, the sea: a liquid in the open.
    Terrain {
        /// The ground: there is no liquid below it. Several liquids can share one.
        ground: Option<Arc<LiquidGround>>,
    },
    /// A liquid of a model: a fountain, a flooded cellar. Its pose must be that of the body.
    Model {
        /// The [key](crate::scene::Body::with_key) of the body.
        key: u64,
        /// The tag of the [room](crate::scene::Room) that holds the liquid.
        tag: u32,
    },
}

/// A sheet of liquid in the world.
#[derive(Debug, Clone)]
pub struct PlacedLiquid {
    sheet: Arc<LiquidSheet>,
    pose: Pose,
    role: LiquidRole,
}

impl PlacedLiquid {
    /// An instance of `sheet`; any number of liquids can share one.
    ///
    /// # Errors
    /// If a corner of its box in the world leaves the [range of positions](crate::MAX_POSITION).
    pub fn new(
        sheet: Arc<LiquidSheet>,
        pose: Pose,
        role: LiquidRole,
    ) -> Result<Self, LiquidError> {
        if let Some(bounds) = sheet.bounds() {
            let (min, max) = pose.corners_to_world(&bounds);
            check_position(xyz!("the liquid's world bounds min"), min)
                .and_then(|()| check_position(xyz!("the liquid's world bounds max"), max))
                .map_err(|error| LiquidError::OutOfRange { error })?;
        }
        Ok(Self { sheet, pose, role })
    }

    /// The sheet.
    pub fn sheet(&self) -> &Arc<LiquidSheet> {
        &self.sheet
    }

    /// Its pose.
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// What it belongs to.
    pub fn role(&self) -> &LiquidRole {
        &self.role
    }

    /// Its box in the world; `None` if no cell is wet.
    pub fn bounds(&self) -> Option<Aabb> {
        let (min, max) = self.pose.corners_to_world(&self.sheet.bounds()?);
        Some(Aabb::from_corners(min, max))
    }

    /// Its box for a tree, flat at z = 0, with the slack of its rim.
    pub(super) fn column_bounds(&self) -> Bounds {
        let Some(local) = self.sheet.bounds() else { return Bounds::EMPTY };
        let size = local.min().abs().max(local.max().abs()).max_element();
        let (min, max) =
            self.pose.corners_to_world(&local.grown(2.0 * rim_slack(&self.pose, size)));
        let Bounds { min, max } = outward(min.with_z(0.0), max.with_z(0.0));
        Bounds { min: min.with_z(0.0), max: max.with_z(0.0) }
    }

    /// Whether the surface straight above or below a point lies in a room's box, seen from above,
    /// and the point not below the box.
    pub(super) fn is_in(&self, room: &Room, point: DVec3, surface: f64) -> bool {
        let at = self.pose.point_to_local(point.with_z(surface));
        let room = room.bounds_with_slack(&self.pose);
        let (bottom, _) = self.pose.corners_to_world(&room);
        let (min, max, at) = (room.min().truncate(), room.max().truncate(), at.truncate());
        min.cmple(at).all() && at.cmple(max).all() && point.z >= bottom.z
    }
}
