//! Rooms: the indoor and outdoor parts of models.

use crate::Aabb;
use crate::scene::liquid::LiquidError;
use crate::scene::liquid::crossing::rim_slack;
use crate::shape::pose::Pose;
use glam::DVec3;
use std::sync::Arc;

/// A room of a model: a group of its triangles.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Room {
    /// The tag of the room's triangles.
    pub tag: u32,
    /// The box around the room, in the space of the model.
    pub bounds: Aabb,
    /// Whether all liquids but its own stay out.
    pub indoor: bool,
}

impl Room {
    /// Whether the box of the room of a placed model contains one of these points of the world.
    pub(crate) fn holds(&self, pose: &Pose, points: [DVec3; 2]) -> bool {
        let bounds = self.bounds_with_slack(pose);
        points.into_iter().any(|point| bounds.contains_point(pose.point_to_local(point)))
    }

    /// The box with the slack of its rim.
    pub(crate) fn bounds_with_slack(&self, pose: &Pose) -> Aabb {
        let size = self.bounds.min().abs().max(self.bounds.max().abs()).max_element();
        self.bounds.grown(rim_slack(pose, size))
    }
}

/// The rooms of a model, which all placements of the model share.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rooms {
    /// By tag.
    rooms: Vec<Room>,
}

impl Rooms {
    /// The rooms of a model.
    ///
    /// # Errors
    /// If two rooms have the same tag.
    pub fn new(mut rooms: Vec<Room>) -> Result<Self, LiquidError> {
        rooms.sort_unstable_by_key(|room| room.tag);
        match rooms.windows(2).find(|pair| pair[0].tag == pair[1].tag) {
            Some(pair) => Err(LiquidError::SameTag { tag: pair[0].tag }),
            None => Ok(Self { rooms }),
        }
    }

    /// The room with this tag.
    pub fn get(&self, tag: u32) -> Option<&Room> {
        let at = self.rooms.binary_search_by_key(&tag, |room| room.tag).ok()?;
        self.rooms.get(at)
    }

    /// All rooms, by tag.
    pub fn as_slice(&self) -> &[Room] {
        &self.rooms
    }
}

/// The rooms of the bodies with a key.
///
/// A body without rooms may be listed too, with an empty list: it then separates what is above it
/// from the rooms below, as height fields do.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelRooms {
    /// The [key](crate::scene::Body::with_key) of the bodies.
    pub key: u64,
    /// Their rooms.
    pub rooms: Arc<Rooms>,
}
