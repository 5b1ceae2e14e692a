//! Lists of game objects.

use crate::fixtures::{game_objects_with_wmo_byte, mangos_game_objects, master_game_objects};
use capsweep_formats::server_map::{Problem, game_objects};
use glam::vec3;

#[test]
fn all_three_forms_give_the_same_models() {
    for (bytes, is_wmo) in [
        (game_objects_with_wmo_byte(), [Some(true), Some(false)]),
        (master_game_objects(), [None, None]),
        (mangos_game_objects(), [None, None]),
    ] {
        let list = game_objects::parse(&bytes).unwrap();
        assert_eq!(list.unusable_names, 0);
        let [lift, door] = &list.models[..] else { panic!("two models") };
        assert_eq!((lift.display_id, lift.name.as_str()), (1337, "Lift.wmo"));
        assert_eq!((door.display_id, door.name.as_str()), (2, "Door.m2"));
        assert_eq!([lift.is_wmo, door.is_wmo], is_wmo);
        let bounds = Some([vec3(1.0, 2.0, 3.0), vec3(4.0, 5.0, 6.0)]);
        assert_eq!([lift.bounds, door.bounds], [bounds, bounds]);
    }
}

#[test]
fn a_list_may_be_empty() {
    assert!(game_objects::parse(b"").unwrap().models.is_empty());
    assert!(game_objects::parse(b"VMAP_4.8").unwrap().models.is_empty());
}

#[test]
fn a_box_that_is_none_is_left_out_and_the_model_stays() {
    let mut bytes = mangos_game_objects();
    // The lowest x of the first box: 1 becomes NaN, −∞ and 100.
    for low in [f32::NAN, f32::NEG_INFINITY, 100.0] {
        bytes[16..20].copy_from_slice(&low.to_le_bytes());
        let list = game_objects::parse(&bytes).unwrap();
        assert_eq!(list.models[0].bounds, None);
        assert!(list.models[1].bounds.is_some());
    }
}

#[test]
fn a_name_that_leads_out_of_the_folder_is_left_out_and_counted() {
    let mut bytes = mangos_game_objects();
    bytes[8..16].copy_from_slice(b"../x.wmo");
    let list = game_objects::parse(&bytes).unwrap();
    assert_eq!((list.models.len(), list.unusable_names), (1, 1));
    assert_eq!(list.models[0].name.as_str(), "Door.m2");
}

#[test]
fn the_raw_list_of_an_extractor_is_named_as_such() {
    let bytes = [&b"VMAP048\0"[..], &[1, 0, 0, 0, 1, 3, 0, 0, 0], b"abc"].concat();
    assert_eq!(game_objects::parse(&bytes).unwrap_err().problem, Problem::NotAssembled);
}

#[test]
fn a_list_that_no_form_ends_with_is_refused() {
    for mut bytes in [game_objects_with_wmo_byte(), master_game_objects(), mangos_game_objects()] {
        bytes.pop();
        let error = game_objects::parse(&bytes).unwrap_err();
        assert_eq!(error.field, "highest corner", "{error}");
    }
}
