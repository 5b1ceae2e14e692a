//! Compares imported triangles with those of the source, one by one and in f64.

use crate::world::bodies;
use capsweep::scene::Body;
use capsweep_formats::map_file::Map;
use capsweep_formats::server_map::TileIndex;
use capsweep_formats::server_map::import::tile_key;
use capsweep_testkit::continent::{
    Continent, Fate, ModelEntry, Placement, TILE_CELLS, TILE_EDGE, Tile, TileId,
};
use capsweep_testkit::server_files::{HeightForm, height_rounding};
use glam::DVec3;
use std::collections::BTreeSet;

/// Rounding of a terrain vertex in x and y, in yards: half a unit in the last place of an f32 up
/// to the edge of a tile, and the rounding of the pose in f64.
const GRID_ROUNDING: f64 = TILE_EDGE * 0.5 * f32::EPSILON as f64 + 1e-11;

/// Rounding of a model's vertex, in yards. Files keep vertices, positions and angles as the source
/// has them, so only f64 rounds: the rotation by a quaternion, and world coordinates up to 10⁴.
const MODEL_ROUNDING: f64 = 1e-10;

pub(crate) fn index_of(id: TileId) -> TileIndex {
    let small = |number: u32| u8::try_from(number).unwrap();
    TileIndex::new(small(id.row), small(id.column)).unwrap()
}

/// Compares all of a map with the continent.
pub(crate) fn compare(map: &Map, continent: &Continent, heights: HeightForm) {
    let bodies = bodies(map);
    let mut keys = BTreeSet::new();
    for id in &continent.tiles {
        let key = tile_key(index_of(*id));
        compare_tile(bodies[&key], &continent.tile(*id), heights);
        keys.insert(key);
    }
    keys.extend(present(&continent.placements, &continent.models));
    assert!(bodies.keys().eq(&keys), "every body of the source and no other");
    compare_placements(map, continent, &continent.placements);
}

/// The keys of placements that have a body.
pub(crate) fn present<'a>(
    placements: &'a [Placement],
    models: &'a [ModelEntry],
) -> impl Iterator<Item = u64> + 'a {
    let solid: Vec<bool> = models.iter().map(|entry| !entry.model().groups.is_empty()).collect();
    let present = placements.iter().filter(|placement| placement.fate == Fate::Present);
    present.filter(move |placement| solid[placement.model]).map(|p| u64::from(p.id))
}

/// Compares every triangle of a tile by the number of its cell.
pub(crate) fn compare_tile(body: &Body, tile: &Tile, heights: HeightForm) {
    let (field, pose) = body.field_instance().expect("terrain is a height field");
    assert_eq!(field.triangle_count(), TILE_CELLS * TILE_CELLS * 4);
    let height = height_rounding(tile, heights) + 1e-11;
    let rounding = DVec3::new(GRID_ROUNDING, GRID_ROUNDING, height);
    for cell in 0..TILE_CELLS * TILE_CELLS {
        let place = [cell / TILE_CELLS, cell % TILE_CELLS];
        for (number, source) in (0..).zip(tile.cell_triangles(place)) {
            let imported = field.triangle(4 * cell + number);
            let Some(imported) = imported else {
                assert!(tile.is_hole(place), "{:?}: no triangle in {place:?}", tile.id);
                continue;
            };
            assert!(!tile.is_hole(place), "{:?}: a triangle in the hole {place:?}", tile.id);
            let imported = pose.triangle_to_world(imported);
            for (own, source) in imported.iter().zip(source) {
                let off = (*own - source).abs();
                assert!(
                    off.cmple(rounding).all(),
                    "{:?} {place:?}: {own} is not {source}",
                    tile.id
                );
            }
        }
    }
}

/// Compares every triangle of all placements, in the order of their models.
pub(crate) fn compare_placements(map: &Map, continent: &Continent, placements: &[Placement]) {
    let bodies = bodies(map);
    let models: Vec<_> = continent.models.iter().map(ModelEntry::model).collect();
    for placement in placements {
        let model = &models[placement.model];
        let body = bodies.get(&u64::from(placement.id));
        if placement.fate != Fate::Present || model.groups.is_empty() {
            assert!(body.is_none(), "{placement:?} is not in the world");
            continue;
        }
        let (mesh, pose) = body.expect("a body").instance().expect("a model is a mesh");
        let name = &continent.models[placement.model].name;
        assert_eq!(mesh.triangle_count() as usize, model.triangle_count(), "{name}");
        for (index, source) in (0..).zip(placement.triangles(model)) {
            let own = pose.triangle_to_world(mesh.triangle(index).unwrap());
            // The front is the same: corners may only be turned around.
            let is_turn =
                |by: usize| (0..3).all(|k| own[(k + by) % 3].distance(source[k]) < MODEL_ROUNDING);
            assert!((0..3).any(is_turn), "{name} {index}: {own:?} is not {source:?}");
        }
    }
}
