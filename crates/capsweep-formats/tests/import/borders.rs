//! Borders of u16 tiles: neighbouring tiles round the same height differently.

use crate::walk::Walker;
use crate::world::Folder;
use capsweep::controller::ControllerConfig;
use capsweep_formats::map_file::Map;
use capsweep_formats::server_map::import::ImportOptions;
use capsweep_testkit::Rng;
use capsweep_testkit::continent::{
    Continent, ContinentOptions, TILE_CELLS, TILE_EDGE, Tile, TileId, internal_to_world,
};
use capsweep_testkit::server_files::{Core, HeightForm, MapLayout, map_file};
use glam::{DVec2, DVec3, dvec2, dvec3};
use std::fs;

/// Rows and columns of the four tiles around a corner.
const TILES: [[u32; 2]; 4] = [[30, 30], [30, 31], [31, 30], [31, 31]];

/// Heights of the spires that give each tile a range of its own. Extractors use u16 up to 2 048.
const SPIRES: [f32; 4] = [2_040.0, 1_531.0, 1_893.0, 2_001.0];

/// The ground at a lattice point in half cells: hills of up to 20 degrees.
fn height([i, j]: [u32; 2]) -> f32 {
    let (u, v) = (f64::from(i) / 2.0, f64::from(j) / 2.0);
    (6.0 * (u / 9.0).sin() + 5.0 * (v / 7.0).cos() + 0.01 * u - 0.013 * v) as f32
}

/// A tile of the hills with a spire in its middle.
fn tile([row, column]: [u32; 2], spire: f32) -> Tile {
    let options = ContinentOptions { models: 0, placements: 0, ..ContinentOptions::SMALL };
    let id = TileId { row, column };
    let mut tile = Continent::new(&options).tile(id);
    let [first, second] = id.first_cell();
    let at = |k: u32, side: u32, odd: u32| {
        height([2 * (first + k / side) + odd, 2 * (second + k % side) + odd])
    };
    let corners = TILE_CELLS + 1;
    tile.corners = (0..corners * corners).map(|k| at(k, corners, 0)).collect();
    tile.centres = (0..TILE_CELLS * TILE_CELLS).map(|k| at(k, TILE_CELLS, 1)).collect();
    tile.holes.fill(false);
    tile.liquid = None;
    let middle = TILE_CELLS / 2;
    tile.centres[(middle * TILE_CELLS + middle) as usize] = spire;
    tile
}

/// Four tiles in u16, imported, and their source.
fn four_tiles() -> (Folder, Map, Vec<Tile>) {
    let folder = Folder::new();
    let maps = folder.path().join("maps");
    fs::create_dir_all(&maps).unwrap();
    fs::create_dir_all(folder.path().join("vmaps")).unwrap();
    let layout = MapLayout { heights: HeightForm::U16, ..Core::TrinityCore335.layout().map };
    let tiles: Vec<Tile> = TILES.iter().zip(SPIRES).map(|(id, spire)| tile(*id, spire)).collect();
    for tile in &tiles {
        let name = format!("{:03}{:02}{:02}.map", 1, tile.id.row, tile.id.column);
        fs::write(maps.join(name), map_file(tile, &layout)).unwrap();
    }
    let map = folder.read(1, &ImportOptions::default());
    (folder, map, tiles)
}

/// World position of the corner that the four tiles share.
fn shared_corner() -> DVec2 {
    internal_to_world(DVec3::new(31.0 * TILE_EDGE, 31.0 * TILE_EDGE, 0.0)).truncate()
}

fn ground(tiles: &[Tile], at: DVec2) -> f64 {
    tiles.iter().find_map(|tile| tile.ground(at)).expect("on one of the tiles")
}

/// Without this the tests below prove nothing.
#[test]
fn u16_tiles_disagree_at_their_border_by_up_to_three_centimetres() {
    let (_folder, map, _) = four_tiles();
    let fields: Vec<_> =
        map.scene().bodies().map(|(_, body)| body.field_instance().unwrap().0).collect();
    let [west, east] = [&fields[0], &fields[1]];
    let gap = |row: u32| {
        let [one, other] = [west.height(row, TILE_CELLS), east.height(row, 0)];
        (one.unwrap() - other.unwrap()).abs()
    };
    let widest = (0..=TILE_CELLS).map(gap).fold(0.0, f32::max);
    assert!(widest > 0.02 && widest < 0.032, "{widest}");
}

/// Walks straight on for some seconds and checks every tick.
fn walk(map: &Map, tiles: &[Tile], config: ControllerConfig, from: DVec2, along: DVec2) {
    let start = from.extend(ground(tiles, from) + 0.05);
    let mut walker = Walker::new(config, start);
    let speed = 5.0;
    // It lands first.
    for _ in 0..6 {
        walker.tick(map.scene(), DVec3::ZERO);
    }
    let begin = walker.feet();
    let ticks = 60;
    for tick in 0..ticks {
        let before = walker.feet();
        walker.tick(map.scene(), along.extend(0.0) * speed);
        let feet = walker.feet();
        let ground = ground(tiles, feet.truncate());
        assert!(
            feet.z > ground - 0.05,
            "from {from} along {along}: fell to {feet}, below {ground}"
        );
        assert!(feet.z < ground + 0.5, "from {from} along {along}: {feet} floats over {ground}");
        let step = (feet - before).truncate().dot(along);
        // A tick of 1/30 s. The first ticks speed up.
        assert!(
            tick < 6 || step > 0.5 * speed / 30.0,
            "from {from} along {along}: tripped at {before}, {step} in a tick"
        );
    }
    let way = (walker.feet() - begin).truncate().dot(along);
    let asked = speed * f64::from(ticks) / 30.0;
    assert!(way > 0.93 * asked, "from {from} along {along}: {way} of {asked}");
}

fn configs() -> [ControllerConfig; 3] {
    let tall = ControllerConfig::human(DVec3::Z);
    // Without steps, a lip cannot be climbed as a stair.
    let stepless = ControllerConfig { step_offset: 0.0, ..tall };
    [tall, ControllerConfig::wow(), stepless]
}

#[test]
fn a_character_crosses_borders_of_u16_tiles_in_every_direction() {
    let (_folder, map, tiles) = four_tiles();
    let mut rng = Rng::new(&[22, 3]);
    let corner = shared_corner();
    for config in configs() {
        for k in 0..200 {
            // Towards a point of one of the two borders, at any angle.
            let beside = rng.range(-220.0, 220.0);
            let on_border =
                corner + if k % 2 == 0 { dvec2(beside, 0.0) } else { dvec2(0.0, beside) };
            let (sin, cos) = rng.range(0.0, std::f64::consts::TAU).sin_cos();
            let along = dvec2(cos, sin);
            walk(&map, &tiles, config, on_border - along * rng.range(1.0, 8.0), along);
        }
    }
}

#[test]
fn a_character_walks_along_borders_of_u16_tiles_and_over_their_corner() {
    let (_folder, map, tiles) = four_tiles();
    let mut rng = Rng::new(&[22, 4]);
    let corner = shared_corner();
    for config in configs() {
        for k in 0..120 {
            let (axis, side) = [(DVec2::X, DVec2::Y), (DVec2::Y, DVec2::X)][k % 2];
            let along = if k % 4 < 2 { axis } else { -axis };
            // On the border in bits, within the capsule's radius of it, and almost along it.
            let off = [0.0, 1e-9, 0.01, -0.1, 0.29][k / 4 % 5];
            let turn = [0.0, 0.0, 1e-6, -0.004, 0.02][k / 20 % 5];
            let from = corner + along * rng.range(-230.0, 220.0) + side * off;
            walk(&map, &tiles, config, from, (along + side * turn).normalize());
        }
        // Over the corner of the four tiles, and close beside it.
        for k in 0..60_u32 {
            let (sin, cos) = (f64::from(k) * 0.105).sin_cos();
            let along = dvec2(cos, sin);
            let off = along.perp() * [0.0, 0.05, -0.3][k as usize % 3];
            walk(&map, &tiles, config, corner - along * 5.0 + off, along);
        }
    }
}

/// A character that only falls lands on the border, not in the crack of 3 cm.
#[test]
fn a_character_lands_on_borders_of_u16_tiles() {
    let (_folder, map, tiles) = four_tiles();
    let mut rng = Rng::new(&[22, 5]);
    let corner = shared_corner();
    for config in configs() {
        for k in 0..200 {
            let beside = rng.range(-220.0, 220.0);
            let at = corner + if k % 2 == 0 { dvec2(beside, 0.0) } else { dvec2(0.0, beside) };
            let ground = ground(&tiles, at);
            let above = dvec3(at.x, at.y, ground + rng.range(0.05, 20.0));
            let mut walker = Walker::new(config, above);
            for _ in 0..90 {
                walker.tick(map.scene(), DVec3::ZERO);
            }
            let feet = walker.feet();
            assert!((feet.z - ground).abs() < 0.2, "fell from {above} to {feet}, over {ground}");
        }
    }
}
