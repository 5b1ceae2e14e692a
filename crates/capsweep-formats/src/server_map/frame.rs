//! Frames, tiles and the transform of placements.
//!
//! The world has +X north, +Y west and +Z up, in yards. Terrain and game objects are in it.
//! Placements are in the internal frame: (mid − X, mid − Y, Z), a half-turn about Z and a
//! translation. It keeps the orientation of triangles, and it is its own inverse.
//!
//! Rows of tiles run against X from north to south, columns against Y from west to east.

use capsweep::ShapeError;
use capsweep::scene::Pose;
use glam::{DVec3, EulerRot, Vec3};

/// The internal frame's coordinates of the middle of the world, in yards: 17066.666015625.
///
/// Servers compute it in f32. The exact value, 32 · 1600/3, is 0.65 mm away.
pub const MID: f32 = 17_066.666;

/// The edge of a tile in yards: 533.3333129882812, an f32 as in servers.
pub const TILE_EDGE: f32 = 533.333_3;

/// The edge of a cell of terrain, and of a tile of a model's liquid, in yards: an exact 128th.
pub const CELL_EDGE: f32 = TILE_EDGE / 128.0;

/// Tiles along a side of the world.
pub const TILES: u8 = 64;

/// A tile of a map: row and column, each below 64.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TileIndex {
    row: u8,
    col: u8,
}

impl TileIndex {
    /// The tile in a row and a column; `None` unless both are below 64.
    pub fn new(row: u8, col: u8) -> Option<Self> {
        (row < TILES && col < TILES).then_some(Self { row, col })
    }

    /// The tile that contains a point of the world; `None` outside the world.
    ///
    /// A point on a border belongs to the tile in the south or in the east.
    pub fn of_point(x: f64, y: f64) -> Option<Self> {
        let tile = |coordinate: f64| {
            let tile = (32.0 - coordinate / f64::from(TILE_EDGE)).floor();
            (0..TILES).find(|&index| f64::from(index) == tile)
        };
        Self::new(tile(x)?, tile(y)?)
    }

    /// The row, from world X: 0 is the northernmost.
    pub fn row(self) -> u8 {
        self.row
    }

    /// The column, from world Y: 0 is the westernmost.
    pub fn col(self) -> u8 {
        self.col
    }

    /// World X and Y of the corner (0, 0): the largest of the tile. They are exact.
    ///
    /// The corner (i, j) of the tile's cells is at (X − i · [`CELL_EDGE`], Y − j ·
    /// [`CELL_EDGE`]).
    pub fn corner(self) -> [f64; 2] {
        [self.row, self.col].map(|tile| (32.0 - f64::from(tile)) * f64::from(TILE_EDGE))
    }
}

/// Turns a point of the internal frame into one of the world, in f64.
pub fn internal_to_world(internal: Vec3) -> DVec3 {
    let mid = f64::from(MID);
    let internal = internal.as_dvec3();
    DVec3::new(mid - internal.x, mid - internal.y, internal.z)
}

/// The box of the world around a box of the internal frame: its lowest and its highest corner.
pub fn internal_box_to_world([low, high]: [Vec3; 2]) -> [DVec3; 2] {
    let (a, b) = (internal_to_world(low), internal_to_world(high));
    [a.min(b), a.max(b)]
}

/// The pose in the world of a placement: its position in the internal frame, three angles in
/// degrees and a scale.
///
/// In the internal frame a vertex `v` is at `R · (scale · v) + position` with
/// `R = Rz(rotation.y) · Ry(rotation.x) · Rx(rotation.z)`. The half-turn to the world adds 180° to
/// the first of these angles. Angles may have any number of turns, which are taken off first.
///
/// # Errors
/// If a number is not finite, or the scale is zero or out of the range of [`Pose`].
pub fn placement_pose(position: Vec3, rotation: Vec3, scale: f32) -> Result<Pose, ShapeError> {
    let Vec3 { x: pitch, y: yaw, z: roll } = rotation;
    let angles = [f64::from(yaw) + 180.0, pitch.into(), roll.into()];
    Pose::from_euler(
        internal_to_world(position),
        EulerRot::ZYX,
        // Remainders are exact.
        angles.map(|degrees| (degrees % 360.0).to_radians()),
        DVec3::splat(scale.into()),
    )
}
