//! The rows of crowds: states, moves, contacts.

use crate::hit::{NAN3, NAN3F, feature, kind, region, triangle};
use crate::input::body_number;
use crate::table::table;
use capsweep::controller::{Contact, Mode, Pass};

pub(crate) fn mode_number(mode: Mode) -> i8 {
    match mode {
        Mode::Walk => 0,
        Mode::Fall => 1,
        Mode::Swim => 2,
        Mode::Fly => 3,
        Mode::WaterWalk => 4,
    }
}

pub(crate) fn mode_of(number: u8) -> Mode {
    match number {
        0 => Mode::Walk,
        2 => Mode::Swim,
        3 => Mode::Fly,
        4 => Mode::WaterWalk,
        _ => Mode::Fall,
    }
}

table! {
    /// The state of a character after a move, and what happened in it.
    MoveRow, MoveColumns, MovePart {
        feet: [f64; 3] = NAN3,
        velocity: [f64; 3] = NAN3,
        mode: i8 = -1,
        grounded: bool = false,
        requested: [f64; 3] = NAN3,
        achieved: [f64; 3] = NAN3,
        carried: [f64; 3] = NAN3,
        stepped: bool = false,
        snapped: bool = false,
        sides: bool = false,
        above: bool = false,
        below: bool = false,
        obstruction: i8 = -1,
        obstruction_depth: f64 = f64::NAN,
        ground_point: [f64; 3] = NAN3,
        ground_normal: [f32; 3] = NAN3F,
        ground_distance: f64 = f64::NAN,
        ground_body: i64 = -1,
        ground_triangle: i64 = -1,
        ground_walkable: bool = false,
        contacts: i64 = 0,
        queries: u32 = 0,
    }
}

table! {
    /// A surface that a character touched in its last move.
    ContactRow, ContactColumns, ContactPart {
        character: i64 = -1,
        pass_: i8 = -1,
        point: [f64; 3] = NAN3,
        normal: [f32; 3] = NAN3F,
        face_normal: [f32; 3] = NAN3F,
        region: i8 = -1,
        feature: i8 = -1,
        feature_index: i8 = -1,
        body: i64 = -1,
        triangle: i64 = -1,
        key: u64 = 0,
        tag: u32 = 0,
        kind: i8 = -1,
    }
}

table! {
    /// What few callers want to know of a move.
    DetailRow, DetailColumns, DetailPart {
        recovery: [f64; 3] = NAN3,
        recovery_left: f64 = f64::NAN,
        ground_key: u64 = 0,
        ground_tag: u32 = 0,
        ground_velocity: [f64; 3] = NAN3,
    }
}

table! {
    /// The state of a character.
    StateRow, StateColumns, StatePart {
        feet: [f64; 3] = NAN3,
        center: [f64; 3] = NAN3,
        velocity: [f64; 3] = NAN3,
        mode: i8 = -1,
        grounded: bool = false,
        height: f32 = f32::NAN,
        ground_body: i64 = -1,
    }
}

pub(super) fn contact_row(character: usize, contact: &Contact) -> ContactRow {
    let (feature, feature_index) = feature(contact.feature);
    let pass = match contact.pass {
        Pass::Ride => 0,
        Pass::Recovery => 1,
        Pass::Up => 2,
        Pass::Side => 3,
        Pass::Step => 4,
        Pass::Down => 5,
        Pass::Free => 6,
    };
    ContactRow {
        character: character as i64,
        pass_: pass,
        point: contact.point.to_array(),
        normal: contact.normal.to_array(),
        face_normal: contact.face_normal.to_array(),
        region: region(contact.region),
        feature,
        feature_index,
        body: body_number(contact.target.body),
        triangle: triangle(&contact.target),
        key: contact.target.key,
        tag: contact.target.tag,
        kind: kind(contact.target.kind),
    }
}
