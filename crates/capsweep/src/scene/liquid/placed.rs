//! [`PlacedLiquid`]: a sheet in the world, and the ground or the room that it belongs to.

use crate::Aabb;
use crate::bvh::Bounds;
use crate::error::{check_position, xyz};
use crate::mesh::height_field::HeightField;
use crate::scene::body::outward;
use crate::scene::liquid::crossing::{VerticalLine, is_upright, rim_slack};
use crate::scene::liquid::{LiquidError, LiquidSheet, Room};
use crate::scene::on_demand::OnDemand;
use crate::shape::pose::Pose;
use glam::DVec3;
use std::sync::Arc;

/// The terrain under a liquid.
#[derive(Debug, Clone)]
pub struct LiquidGround {
    field: OnDemand<HeightField>,
    pose: Pose,
}

impl LiquidGround {
    /// A placed height field.
    ///
    /// # Errors
    /// If the field's z axis is not vertical in the world.
    pub fn new(field: Arc<HeightField>, pose: Pose) -> Result<Self, LiquidError> {
        Self::on_demand(field.into(), pose)
    }

    /// As [`LiquidGround::new`], with a field that may still have to be read.
    pub(crate) fn on_demand(
        field: OnDemand<HeightField>,
        pose: Pose,
    ) -> Result<Self, LiquidError> {
        if is_upright(&pose) { Ok(Self { field, pose }) } else { Err(LiquidError::TiltedGround) }
    }

    /// The height field; `None` if it is damaged in its [map](crate::persist::MapFile).
    pub fn field(&self) -> Option<&Arc<HeightField>> {
        self.field.get()
    }

    /// Its pose.
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// World z of the ground at `(x, y)`; `None` outside of the field and in its holes.
    pub(crate) fn height_at(&self, x: f64, y: f64) -> Option<f64> {
        let at = VerticalLine::new(&self.pose, x, y).start;
        let field = self.field.get()?;
        let slack = rim_slack(&self.pose, field.max_coordinate);
        let height = field.height_near(at.x, at.y, slack)?;
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
    sheet: OnDemand<LiquidSheet>,
    /// Those of the sheet.
    sheet_bounds: Option<Aabb>,
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
        let bounds = sheet.bounds();
        Self::on_demand(sheet.into(), bounds, pose, role)
    }

    /// As [`PlacedLiquid::new`], with a sheet that may still have to be read, and its bounds.
    pub(crate) fn on_demand(
        sheet: OnDemand<LiquidSheet>,
        sheet_bounds: Option<Aabb>,
        pose: Pose,
        role: LiquidRole,
    ) -> Result<Self, LiquidError> {
        if let Some(bounds) = &sheet_bounds {
            let (min, max) = pose.corners_to_world(bounds);
            check_position(xyz!("the liquid's world bounds min"), min)
                .and_then(|()| check_position(xyz!("the liquid's world bounds max"), max))
                .map_err(|error| LiquidError::OutOfRange { error })?;
        }
        Ok(Self { sheet, sheet_bounds, pose, role })
    }

    /// The sheet; `None` if it is damaged in its [map](crate::persist::MapFile).
    pub fn sheet(&self) -> Option<&Arc<LiquidSheet>> {
        self.sheet.get()
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
        let (min, max) = self.pose.corners_to_world(&self.sheet_bounds?);
        Some(Aabb::from_corners(min, max))
    }

    /// Its box for a tree, flat at z = 0, with the slack of its rim.
    pub(super) fn column_bounds(&self) -> Bounds {
        let Some(local) = self.sheet_bounds else { return Bounds::EMPTY };
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
