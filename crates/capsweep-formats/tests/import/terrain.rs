//! Every form of a terrain file, triangle by triangle.

use crate::compare::compare;
use crate::liquids;
use crate::world::Imported;
use capsweep_testkit::continent::{Continent, ContinentOptions};
use capsweep_testkit::server_files::{
    Core, HeightForm, HoleForm, Layout, LiquidHeader, LiquidIds, LiquidTable, MapHeader, MapLayout,
};

/// The home block and its surroundings without scattered props.
fn land() -> Continent {
    Continent::new(&ContinentOptions { models: 0, placements: 0, ..ContinentOptions::SMALL })
}

fn check(continent: &Continent, map: MapLayout) -> Imported {
    let layout = Layout { map, ..Core::Cmangos.layout() };
    let imported = Imported::new(continent, &layout);
    compare(&imported.map, continent, map.heights);
    imported
}

#[test]
fn every_form_of_heights_is_read_within_its_own_rounding() {
    let continent = land();
    let map = Core::Cmangos.layout().map;
    for heights in [
        HeightForm::Smallest,
        HeightForm::Float,
        HeightForm::U16,
        HeightForm::U8,
        HeightForm::AlwaysFloat,
    ] {
        let imported = check(&continent, MapLayout { heights, ..map });
        let flat = imported.map.notes().counts.flat_tiles;
        let is_stored_flat = matches!(heights, HeightForm::Smallest | HeightForm::Float);
        assert_eq!(flat > 0, is_stored_flat, "{heights:?}: {flat} flat tiles");
    }
}

#[test]
fn headers_of_40_and_44_bytes_and_flight_bounds_are_read() {
    let continent = land();
    let map = Core::Cmangos.layout().map;
    let short = MapHeader::Short { version: *b"z1.4" };
    // The same version word with a build: only the structure tells them apart.
    let long = MapHeader::Long { version: *b"z1.4", build: 5_875 };
    for (header, flight_bounds) in [(short, true), (long, false), (long, true)] {
        let heights = HeightForm::Smallest;
        check(&continent, MapLayout { header, flight_bounds, heights, ..map });
    }
}

#[test]
fn every_form_of_holes_is_read() {
    let continent = land();
    let map = Core::Cmangos.layout().map;
    for holes in [HoleForm::Blocks, HoleForm::AlwaysBlocks, HoleForm::Cells] {
        let imported = check(&continent, MapLayout { holes, ..map });
        // Four blocks of 2 × 2 cells.
        assert_eq!(imported.map.notes().counts.hole_cells, 16, "{holes:?}");
    }
}

/// Every form of the liquid section: the liquids themselves are compared point by point.
#[test]
fn every_form_of_liquids_is_read() {
    let continent = land();
    let map = Core::Cmangos.layout().map;
    for header in [LiquidHeader::ByteFlags, LiquidHeader::WordFlags] {
        for table in [LiquidTable::EntriesAndFlags, LiquidTable::FlagsOnly] {
            for omit in [true, false] {
                for ids in [LiquidIds::Mangos, LiquidIds::Trinity] {
                    let mut map = map;
                    (map.liquid.header, map.liquid.table) = (header, table);
                    (map.liquid.omit, map.liquid.ids) = (omit, ids);
                    let layout = Layout { map, ..Core::Cmangos.layout() };
                    let options = liquids::options(&map);
                    let imported = Imported::with_options(&continent, &layout, &options);
                    let bits = imported.map.notes().liquid_bits;
                    assert_eq!(bits, Some(liquids::liquid_bits(&map)), "{map:?}");
                    liquids::compare_terrain(&imported.map, &continent, &map);
                }
            }
        }
    }
}
