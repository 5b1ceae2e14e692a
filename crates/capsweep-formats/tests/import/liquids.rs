//! Liquids of imported maps, point by point against the source.

use crate::world::{Imported, small};
use capsweep::Point;
use capsweep::query::Liquid;
use capsweep::scene::{LiquidKind, Scene};
use capsweep_formats::map_file::Map;
use capsweep_formats::server_map::LiquidBits;
use capsweep_formats::server_map::import::ImportOptions;
use capsweep_testkit::Rng;
use capsweep_testkit::continent::{
    self, CELL_EDGE, Continent, Fate, LiquidAt, Placement, Source, Survey, TILE_CELLS, Tile,
};
use capsweep_testkit::server_files::{
    Core, LiquidIds, LiquidTable, MapHeader, MapLayout, height_rounding,
};
use glam::{DVec2, DVec3, dvec2, dvec3};

/// How far a point may be below the ground or a floor and still counts as on it: the library
/// promises 5 cm, because positions of servers are rounded. The source has no such tolerance.
const BELOW_GROUND: f64 = 0.05;

/// What was compared: points, those in liquid, and those just below a ground or a floor.
#[derive(Debug, Default)]
struct Compared {
    points: usize,
    wet: usize,
    at_a_floor: usize,
}

struct Comparison<'a> {
    scene: &'a Scene,
    survey: Survey,
    /// Rounding of heights in the file.
    rounding: f64,
    counted: Compared,
}

impl<'a> Comparison<'a> {
    fn new(map: &'a Map, continent: &Continent, layout: &MapLayout) -> Self {
        let survey = Survey::new(continent, &continent.tiles);
        let tiles = continent.tiles.iter().map(|id| continent.tile(*id));
        let rounding = tiles.map(|tile| height_rounding(&tile, layout.heights));
        let rounding = rounding.fold(1e-6, f64::max);
        Self { scene: map.scene(), survey, rounding, counted: Compared::default() }
    }

    /// Compares at a point. Within 5 cm below a ground, a floor or the bottom of a group, the
    /// answer of the source 5 cm higher counts too.
    fn point(&mut self, point: DVec3) {
        let own = self.scene.liquid_at(&Point::new(point).unwrap());
        let source = self.survey.liquid_at(point);
        self.counted.points += 1;
        self.counted.wet += usize::from(own.is_some());
        if is_same(point, own, source) {
            return;
        }
        // The source must change within the 5 cm, and not because a liquid ends there.
        let reach = BELOW_GROUND + self.rounding;
        let higher = self.survey.liquid_at(point + DVec3::Z * reach);
        let ends_there = source.is_some_and(|liquid| liquid.surface <= point.z + reach);
        assert!(
            !ends_there && is_same(point, own, higher),
            "at {point}: {own:?}, but the source has {source:?} and {higher:?} higher; {:?}",
            self.survey.surfaces(point.truncate())
        );
        self.counted.at_a_floor += 1;
    }

    /// Compares at random points of a column that has the heights of its ground and liquid.
    fn column(&mut self, at: DVec2, heights: [f64; 2], rng: &mut Rng) {
        let [bottom, surface] = heights;
        for z in [
            bottom - 3.0,
            bottom - 0.02,
            bottom + 0.001,
            bottom.midpoint(surface),
            surface - 0.001,
            surface + 0.001,
            surface + 2.0,
            rng.range(bottom.min(surface) - 1.0, bottom.max(surface) + 1.0),
        ] {
            self.point(at.extend(z));
        }
    }

    /// Compares in columns over all of a tile's liquid and its rim.
    fn tile(&mut self, tile: &Tile, columns: usize, rng: &mut Rng) {
        let Some(liquid) = &tile.liquid else { return };
        let corner = tile.cell_triangles([0, 0])[0][0];
        for _ in 0..columns {
            let cell = [0, 1].map(|k| {
                let first = f64::from(liquid.first[k]) - 2.0;
                let last = first + f64::from(liquid.size[k]) + 3.0;
                // Off the rim, which is of both tiles: the source takes one of them.
                rng.range(first, last).clamp(1e-3, f64::from(TILE_CELLS) - 1e-3)
            });
            let at = dvec2(corner.x - cell[0] * CELL_EDGE, corner.y - cell[1] * CELL_EDGE);
            let ground = tile.ground(at).unwrap_or(corner.z);
            let level = f64::from(liquid.heights[liquid.heights.len() / 2]);
            self.column(at, [ground, level], rng);
        }
    }

    /// Compares at random points in and around a placed model.
    fn model(&mut self, placement: &Placement, [low, high]: [DVec3; 2], rng: &mut Rng) {
        let transform = placement.transform();
        for _ in 0..6_000 {
            let local = dvec3(
                rng.range(low.x, high.x),
                rng.range(low.y, high.y),
                rng.range(low.z, high.z),
            );
            self.point(transform.to_world(local));
        }
    }
}

fn is_same(point: DVec3, own: Option<Liquid>, source: Option<LiquidAt>) -> bool {
    match (own, source) {
        (None, None) => true,
        (Some(own), Some(source)) => {
            kind_of(source.kind) == own.kind
                && (own.surface - source.surface).abs() < 1e-4
                && own.depth == own.surface - point.z
        }
        _ => false,
    }
}

fn kind_of(kind: continent::LiquidKind) -> LiquidKind {
    match kind {
        continent::LiquidKind::Water => LiquidKind::Water,
        continent::LiquidKind::Ocean => LiquidKind::Ocean,
        continent::LiquidKind::Magma => LiquidKind::Magma,
        continent::LiquidKind::Slime => LiquidKind::Slime,
    }
}

/// The meaning of a layout's liquid bits.
pub(crate) fn liquid_bits(layout: &MapLayout) -> LiquidBits {
    match layout.liquid.ids {
        LiquidIds::Mangos => LiquidBits::Mangos,
        LiquidIds::Trinity => LiquidBits::Trinity,
    }
}

/// Options that name the meaning of liquid bits where the files do not tell: tables of bits
/// without ids of liquids fit both families.
pub(crate) fn options(layout: &MapLayout) -> ImportOptions {
    let mut options = ImportOptions::default();
    let is_open = layout.liquid.table == LiquidTable::FlagsOnly;
    options.liquid_bits = is_open.then(|| liquid_bits(layout));
    options
}

/// Compares the liquids of all tiles at some hundred points each.
pub(crate) fn compare_terrain(map: &Map, continent: &Continent, layout: &MapLayout) {
    let mut comparison = Comparison::new(map, continent, layout);
    let mut rng = Rng::new(&[22, 1]);
    for id in &continent.tiles {
        comparison.tile(&continent.tile(*id), 60, &mut rng);
    }
    let Compared { points, wet, .. } = comparison.counted;
    assert!(points > 1_000 && wet > points / 5, "{:?}", comparison.counted);
}

/// The placements of a model that are in the world.
fn placed<'a>(continent: &'a Continent, name: &str) -> Vec<&'a Placement> {
    let model = continent.models.iter().position(|entry| entry.name == name);
    let of_model = |p: &&Placement| Some(p.model) == model && p.fate == Fate::Present;
    continent.placements.iter().filter(of_model).collect()
}

/// Models with rooms or liquids, and a box around each that reaches some yards further.
const MODELS: [(&str, [DVec3; 2]); 4] = [
    ("House.wmo", [dvec3(-14.0, -10.0, -7.0), dvec3(14.0, 10.0, 9.0)]),
    ("Hillcave.wmo", [dvec3(-4.0, -12.0, -10.0), dvec3(71.0, 12.0, 3.0)]),
    ("Divingbell.wmo", [dvec3(-5.0, -5.0, -3.0), dvec3(5.0, 5.0, 14.0)]),
    ("Lakebridge.wmo", [dvec3(-92.0, -5.0, -16.0), dvec3(92.0, 5.0, 7.0)]),
];

#[test]
fn liquids_of_every_core_are_those_of_the_source_in_and_around_terrain_and_models() {
    let continent = small();
    for core in Core::ALL {
        let layout = core.layout();
        let imported = Imported::with_options(&continent, &layout, &options(&layout.map));
        let layout = layout.map;
        let mut comparison = Comparison::new(&imported.map, &continent, &layout);
        let mut rng = Rng::new(&[22, 2]);
        for id in &continent.tiles {
            comparison.tile(&continent.tile(*id), 200, &mut rng);
        }
        for (name, bounds) in MODELS {
            for placement in placed(&continent, name) {
                comparison.model(placement, bounds, &mut rng);
            }
        }
        let Compared { points, wet, at_a_floor } = comparison.counted;
        assert!(points > 30_000 && wet > 5_000, "{:?}", comparison.counted);
        assert!(at_a_floor > 100 && at_a_floor < points / 10, "{:?}", comparison.counted);
    }
}

/// A dry room on the bed of the lake, the lake around and over it, and the ground below.
#[test]
fn a_diving_bell_is_dry_inside_and_the_lake_is_around_it() {
    let continent = small();
    let imported = Imported::of_core(&continent, Core::Vmangos);
    let scene = imported.map.scene();
    let bell = placed(&continent, "Divingbell.wmo")[0].transform();
    let at = |x, y, z| scene.liquid_at(&Point::new(bell.to_world(dvec3(x, y, z))).unwrap());
    for inside in [[0.0, 0.0, 0.31], [2.9, -2.9, 1.5], [-1.0, 2.0, 3.29]] {
        assert_eq!(at(inside[0], inside[1], inside[2]), None, "{inside:?}");
    }
    for outside in [[0.0, 0.0, 3.7], [4.0, 0.0, 2.0], [0.0, -3.5, 3.0]] {
        let found = at(outside[0], outside[1], outside[2]).expect("the lake");
        assert_eq!((found.kind, found.surface), (LiquidKind::Water, 18.5), "{outside:?}");
    }
    assert_eq!(at(0.0, 0.0, -2.0), None, "below the bed");
}

/// The points of the source with liquid of a model, so that the comparison cannot pass for want
/// of them.
#[test]
fn the_house_has_a_bath_and_a_flooded_cellar_and_the_cave_has_magma() {
    let continent = small();
    let imported = Imported::of_core(&continent, Core::TrinityCore335);
    let survey = Survey::new(&continent, &continent.tiles);
    for (name, local, kind) in [
        ("House.wmo", dvec3(-7.0, 5.0, 0.5), LiquidKind::Water),
        ("House.wmo", dvec3(0.0, 0.0, -4.0), LiquidKind::Water),
        ("Hillcave.wmo", dvec3(30.0, 4.0, -7.25), LiquidKind::Magma),
    ] {
        for placement in placed(&continent, name) {
            let point = placement.transform().to_world(local);
            let source = survey.liquid_at(point).expect("the source has liquid");
            assert!(matches!(source.source, Source::Placement { .. }));
            let own = imported.map.scene().liquid_at(&Point::new(point).unwrap());
            assert_eq!(own.expect("liquid").kind, kind, "{name}");
            assert!(is_same(point, own, Some(source)), "{own:?} {source:?}");
        }
    }
}

/// Files of the 2.4.3 core have no ids of liquids. So the version decides, and an option outweighs
/// it. In files with ids, the ids outweigh the version.
#[test]
fn the_meaning_of_liquid_bits_is_found_from_ids_else_from_the_version() {
    use LiquidTable::{EntriesAndFlags, FlagsOnly};
    let continent = small();
    for (version, table, ids, found) in [
        (*b"v2.1", FlagsOnly, LiquidIds::Trinity, LiquidBits::Trinity),
        (*b"s1.5", FlagsOnly, LiquidIds::Mangos, LiquidBits::Mangos),
        // The wrong guess that the option is for.
        (*b"v2.1", FlagsOnly, LiquidIds::Mangos, LiquidBits::Trinity),
        (*b"v2.1", EntriesAndFlags, LiquidIds::Mangos, LiquidBits::Mangos),
        (*b"s1.5", EntriesAndFlags, LiquidIds::Trinity, LiquidBits::Trinity),
    ] {
        let mut layout = Core::Tbc.layout();
        layout.map.header = MapHeader::Long { version, build: 8_606 };
        (layout.map.liquid.table, layout.map.liquid.ids) = (table, ids);
        let case = format!("{} {table:?} {ids:?}", version.escape_ascii());
        let imported = Imported::new(&continent, &layout);
        assert_eq!(imported.map.notes().liquid_bits, Some(found), "{case}");
        let meant = liquid_bits(&layout.map);
        if found == meant {
            compare_terrain(&imported.map, &continent, &layout.map);
        } else {
            let mut options = ImportOptions::default();
            options.liquid_bits = Some(meant);
            let told = imported.folder.read(continent.map, &options);
            assert_eq!(told.notes().liquid_bits, Some(meant), "{case}");
            compare_terrain(&told, &continent, &layout.map);
        }
    }
}
