//! A generated continent: terrain tiles, models, placements and liquids, as plain data.
//!
//! It is the truth that files of game servers are written from (see [`crate::server_files`]) and
//! that imported worlds are compared with. Tiles and models are generated one by one, so that a
//! continent of full size needs little memory.
//!
//! The home block of 2 × 2 tiles has landmarks: a house with furniture, a bath and a cellar, a
//! cave under terrain holes, a lake with a bridge and a dry room on its bed, a stream, a magma
//! pool, and the sea. A [`Route`] of more than 2 km leads through them. The tiles around it are
//! hills, mountains, level land and ocean.

#![allow(
    clippy::cast_sign_loss,
    clippy::cast_possible_wrap,
    reason = "cells and tile numbers are small and not negative"
)]

mod bridge;
mod catalogue;
mod cave;
mod frame;
mod house;
mod landmarks;
mod liquid;
mod model;
mod placement;
mod plan;
mod room;
mod route;
mod scatter;
mod survey;
mod tile;

pub use catalogue::{ModelEntry, Storage};
pub use frame::{
    CELL_EDGE, MAP_CENTRE, TILE_CELLS, TILE_EDGE, TileId, internal_to_world, world_to_internal,
};
pub use liquid::{CHUNKS, DRY, LiquidGrid, LiquidKind, LiquidShape, ModelLiquid, TerrainLiquid};
pub use model::{Group, INDOOR, Model, ModelKind, OUTDOOR};
pub use placement::{Fate, Listing, Placement, Transform};
pub use plan::TileKind;
pub use route::{Place, Route, Waypoint};
pub use survey::{LiquidAt, Source, Surface, Survey};
pub use tile::Tile;

use plan::Plan;

/// Size and seed of a continent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContinentOptions {
    /// Number of the map; the dungeon without terrain has the next number.
    pub map: u32,
    /// Seed of hills and scattered props.
    pub seed: u32,
    /// Number of tiles, at least 4.
    pub tiles: u32,
    /// Number of models besides the landmarks'.
    pub models: u32,
    /// Number of placements besides the landmarks'.
    pub placements: usize,
}

impl ContinentOptions {
    /// The home block and the tiles to the south and east: 3 × 3 tiles, for tests.
    pub const SMALL: Self = Self { map: 1, seed: 1, tiles: 9, models: 40, placements: 700 };
    /// The size of a real continent: 1 000 tiles, 5 000 models, 150 000 placements.
    pub const FULL: Self =
        Self { map: 1, seed: 1, tiles: 1_000, models: 4_988, placements: 150_000 };
}

/// A model that a program places at run time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameObject {
    /// Number by which game servers know it.
    pub display_id: u32,
    /// Index of the model in the continent.
    pub model: usize,
}

/// A generated continent.
#[derive(Debug, Clone, PartialEq)]
pub struct Continent {
    /// Number of the map.
    pub map: u32,
    /// Tiles in rows from north to south.
    pub tiles: Vec<TileId>,
    /// Models without their triangles.
    pub models: Vec<ModelEntry>,
    /// Placements, sorted by id.
    pub placements: Vec<Placement>,
    /// Placements of a map without terrain: a furnished house.
    pub dungeon: Vec<Placement>,
    /// Lifts and doors.
    pub game_objects: Vec<GameObject>,
    /// A walk through the landmarks.
    pub route: Route,
    plan: Plan,
}

impl Continent {
    /// Generates the plan of a continent: everything except heights and triangles.
    pub fn new(options: &ContinentOptions) -> Self {
        // In the middle of the map, with room for 15 tiles around and coordinates of either sign.
        let plan = Plan { seed: options.seed, home: TileId { row: 28, column: 35 } };
        // A larger square would reach over the map's edge.
        let most = 56;
        let side = (2..most).find(|side| side * side >= options.tiles).unwrap_or(most);
        let before = (side - 2) / 2;
        let first = TileId { row: plan.home.row - before, column: plan.home.column - before };
        let tiles: Vec<TileId> = (0..options.tiles.clamp(4, most * most))
            .map(|k| TileId { row: first.row + k / side, column: first.column + k % side })
            .collect();
        let models = catalogue::catalogue(options.models);
        let route = Route::new(&plan);
        let placements = scatter::placements(&plan, &models, &tiles, options.placements, &route);
        let dungeon = scatter::dungeon(&plan, &models);
        let named = |name: &str| models.iter().position(|entry| entry.name == name);
        let game_objects = ["Liftplatform.m2", "Door.m2", "Gate.wmo", "Lostsign.m2"];
        let game_objects = game_objects.into_iter().filter_map(named).zip([455, 411, 1_587, 9]);
        let game_objects =
            game_objects.map(|(model, display_id)| GameObject { display_id, model }).collect();
        Self { map: options.map, tiles, models, placements, dungeon, game_objects, route, plan }
    }

    /// Generates a tile. Any tile of the map can be generated, also one outside the continent.
    pub fn tile(&self, id: TileId) -> Tile {
        Tile::generate(&self.plan, id)
    }

    /// The kind of a tile.
    pub fn tile_kind(&self, id: TileId) -> TileKind {
        self.plan.kind(id)
    }

    /// The northern and western tile of the home block.
    pub fn home(&self) -> TileId {
        self.plan.home
    }
}
