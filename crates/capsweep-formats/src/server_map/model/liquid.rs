//! The liquid of a group of a model.

use crate::server_map::cursor::Cursor;
use crate::server_map::error::{ParseError, Problem};
use crate::server_map::limits::{LIQUID_AREA, LIQUID_TILES, MAX_VERTEX};
use crate::server_map::liquid::kind_of_id;
use capsweep::scene::LiquidKind;
use glam::Vec3;

/// The low four bits of a tile's flags where the tile has no liquid.
const DRY: u8 = 0xF;

/// The liquid of a group, in the model's space.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelLiquid {
    /// The id of the kind: see [`ModelLiquid::kind`].
    pub id: u32,
    /// The surface.
    pub surface: ModelLiquidSurface,
}

/// The surface of a model's liquid.
#[derive(Debug, Clone, PartialEq)]
pub enum ModelLiquidSurface {
    /// The liquid fills the group up to this height.
    Level(f32),
    /// Square tiles with the edge [`CELL_EDGE`](crate::server_map::frame::CELL_EDGE).
    Grid {
        /// The corner with the lowest X and Y. Its Z has no meaning.
        corner: Vec3,
        /// Number of tiles along X; at least 1.
        tiles_x: u32,
        /// Number of tiles along Y; at least 1.
        tiles_y: u32,
        /// Z of the corners of tiles: that of (x, y) has index `y · (tiles_x + 1) + x`.
        heights: Vec<f32>,
        /// Flags of tiles: those of (x, y) have index `y · tiles_x + x`.
        flags: Vec<u8>,
    },
}

impl ModelLiquid {
    /// The kind of the liquid.
    pub fn kind(&self) -> LiquidKind {
        kind_of_id(self.id)
    }

    /// Whether a tile has liquid. A liquid without tiles has none in any.
    pub fn is_wet(&self, x: u32, y: u32) -> bool {
        match &self.surface {
            ModelLiquidSurface::Level(_) => false,
            ModelLiquidSurface::Grid { tiles_x, tiles_y, flags, .. } => {
                let index = y as usize * *tiles_x as usize + x as usize;
                x < *tiles_x
                    && y < *tiles_y
                    && flags.get(index).is_some_and(|flags| flags & DRY != DRY)
            }
        }
    }
}

/// Parses the liquid of a group; `None` if its size is 0. The size is not used otherwise: some
/// servers write 4 bytes too few.
pub(super) fn parse(cursor: &mut Cursor<'_>) -> Result<Option<ModelLiquid>, ParseError> {
    cursor.tag("tag of the liquid", *b"LIQU")?;
    if cursor.u32("size of the liquid")? == 0 {
        return Ok(None);
    }
    let start = cursor.clone();
    let tiles_x = cursor.count("liquid tiles along x", LIQUID_TILES)?;
    let tiles_y = cursor.count("liquid tiles along y", LIQUID_TILES)?;
    let area = tiles_x * tiles_y;
    if area > LIQUID_AREA {
        let problem = Problem::TooMany { found: area, limit: LIQUID_AREA };
        return Err(start.error("liquid tiles", problem));
    }
    let mut coordinate = || cursor.finite("corner of the liquid", MAX_VERTEX);
    let corner = Vec3::new(coordinate()?, coordinate()?, coordinate()?);
    let id = cursor.u32("kind of the liquid")?;
    let field = "heights of the liquid";
    let surface = if area == 0 {
        ModelLiquidSurface::Level(cursor.finite(field, MAX_VERTEX)?)
    } else {
        let count = (tiles_x + 1) * (tiles_y + 1);
        ModelLiquidSurface::Grid {
            corner,
            // At most `LIQUID_TILES`.
            tiles_x: tiles_x as u32,
            tiles_y: tiles_y as u32,
            heights: cursor.finite_items(field, count, MAX_VERTEX)?,
            flags: cursor.items("flags of the liquid", area, 1)?.to_vec(),
        }
    };
    Ok(Some(ModelLiquid { id, surface }))
}
