//! Whole worlds of every core: models, placements, game objects and counts.

use crate::compare::{compare, compare_placements, present};
use crate::world::{Imported, bodies, small};
use capsweep_formats::map_file::Map;
use capsweep_formats::server_map::import::ImportOptions;
use capsweep_testkit::continent::{Continent, Fate};
use capsweep_testkit::server_files::{Core, Layout, ModelForm, ObjectList};
use std::collections::BTreeSet;

#[test]
fn a_world_of_every_core_has_the_triangles_of_its_source() {
    let continent = small();
    for core in Core::ALL {
        let imported = Imported::of_core(&continent, core);
        compare(&imported.map, &continent, core.layout().map.heights);
        check_counts(&imported, &continent);
        check_game_objects(&imported.map, &continent);
        check_dungeon(&imported, &continent, &core.layout());
    }
}

/// Choices that no core makes together.
#[test]
fn mixed_choices_of_model_files_are_read() {
    let continent = small();
    let base = Core::Cmangos.layout();
    let trinity = Core::TrinityCore335.layout();
    for layout in [
        Layout { tree_index_in_global: false, ..base },
        Layout { tree_index_in_global: true, ..trinity },
        Layout { short_liquid_size: false, ..base },
        Layout { short_liquid_size: true, ..trinity },
        Layout { nul_names: false, ..base },
        Layout { magic: *b"VMAP_9.9", ..base },
        Layout { objects: ObjectList::WithMagic, ..base },
        Layout { objects: ObjectList::WithKind, objects_file: "GameObjectModels.dtree", ..base },
    ] {
        let imported = Imported::new(&continent, &layout);
        compare_placements(&imported.map, &continent, &continent.placements);
        check_counts(&imported, &continent);
        check_game_objects(&imported.map, &continent);
        check_dungeon(&imported, &continent, &layout);
    }
}

/// The source has one placement of a missing model, one of scale 0, and three with a number that
/// is not finite.
fn check_counts(imported: &Imported, continent: &Continent) {
    let notes = imported.map.notes();
    let (counts, missing) = (&notes.counts, &notes.missing);
    let of_fate = |fate: Fate| continent.placements.iter().filter(|p| p.fate == fate).count();
    assert_eq!((of_fate(Fate::MissingModel), of_fate(Fate::Unusable)), (1, 4));
    assert_eq!(counts.skipped_missing_model, 1);
    assert_eq!((counts.skipped_scale, counts.skipped_not_finite), (1, 3));
    assert_eq!(missing.models.names, ["Lostsign.m2"]);
    assert_eq!((missing.damaged_files.count, missing.unusable_names.count), (0, 0));
    assert_eq!((missing.tiles.count, counts.skipped_tree_index), (0, 0));
    // The shell without triangles is placed once.
    assert_eq!((counts.without_mesh, counts.empty_models), (1, 1));
    let present = present(&continent.placements, &continent.models).count() as u64;
    assert_eq!(counts.placements, present);
    // Tiles repeat the placements that reach into them.
    assert_eq!(counts.records, imported.written.records as u64);
    assert_eq!(counts.duplicates, counts.records - continent.placements.len() as u64);
    assert!(counts.duplicates >= 15, "{}", counts.duplicates);
    // Chairs have two files: one name with NUL, one without. Each is a mesh of its own.
    let names: BTreeSet<&str> = notes.models.values().map(String::as_str).collect();
    assert!(names.contains("Divingbell.wmo") && names.contains("Bed.m2"), "{names:?}");
    let triangles = continent.placements.iter().filter(|p| p.fate == Fate::Present);
    let triangles = triangles.map(|p| continent.models[p.model].model().triangle_count() as u64);
    assert_eq!(counts.placed_triangles, triangles.sum::<u64>());
}

/// Doors and lifts are found by display id, and their triangles are those of the source.
fn check_game_objects(map: &Map, continent: &Continent) {
    for object in &continent.game_objects {
        let entry = &continent.models[object.model];
        let mesh = map.game_object(object.display_id);
        if entry.name == "Lostsign.m2" {
            assert!(mesh.is_none(), "its file is missing");
            continue;
        }
        let mesh = mesh.expect("a game object");
        let model = entry.model();
        assert_eq!(mesh.triangle_count() as usize, model.triangle_count(), "{}", entry.name);
        for (index, source) in (0..).zip(model.corners()) {
            let own = mesh.triangle(index).unwrap();
            // Vertices keep their bits; corners may be turned around, not flipped.
            let is_turn = |by: usize| (0..3).all(|k| own[(k + by) % 3] == source[k]);
            assert!((0..3).any(is_turn), "{} {index}: {own:?}", entry.name);
        }
    }
    assert!(map.game_object(1).is_none());
    assert_eq!(map.notes().missing.object_models.names, ["Lostsign.m2"]);
}

/// The next map: a dungeon without terrain, or in master's layout a child of the continent.
fn check_dungeon(imported: &Imported, continent: &Continent, layout: &Layout) {
    let next = continent.map + 1;
    if layout.models == ModelForm::Classic {
        let map = imported.folder.read(next, &ImportOptions::default());
        assert_eq!(bodies(&map).len(), continent.dungeon.len());
        compare_placements(&map, continent, &continent.dungeon);
        assert_eq!(map.notes().tiles.len(), 0);
        return;
    }
    let mut options = ImportOptions::default();
    options.parent = Some(continent.map);
    let map = imported.folder.read(next, &options);
    compare_placements(&map, continent, &continent.placements);
    assert_eq!(map.notes().missing.tiles.count, 0);
    // Without its parent the child map has no placements, and says so.
    let alone = imported.folder.read(next, &ImportOptions::default());
    assert_eq!(bodies(&alone).len(), 0);
    assert!(alone.notes().missing.tiles.count > 0);
}
