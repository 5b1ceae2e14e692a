//! The colours and strokes of pictures.

use super::canvas::{Colour, Stroke};
use super::extract::marks::{ContactKind, EventKind};
use super::extract::path::Mode;

pub(crate) const INK: Colour = Colour::rgb(38, 43, 51);
pub(crate) const FAINT: Colour = Colour::rgb(120, 128, 138);
pub(crate) const PAPER: Colour = Colour::rgb(255, 255, 255);
pub(crate) const NO_STROKE: Stroke = Stroke::solid(PAPER, 0.0);

pub(crate) const EDGE: Stroke = Stroke::solid(Colour::rgb(92, 99, 110), 0.9);
pub(crate) const OVERHEAD: Stroke = Stroke::dashed(Colour::rgb(120, 128, 138), 0.9, 4.0);
pub(crate) const BORDER: Stroke = Stroke::solid(Colour::rgb(200, 205, 212), 1.0);

pub(crate) const WALKING: Colour = Colour::rgb(27, 94, 190);
pub(crate) const IN_THE_AIR: Colour = Colour::rgb(228, 118, 10);
pub(crate) const CARRIED: Colour = Colour::rgb(134, 58, 178);

/// A claim that is impossible.
pub(crate) const ALARM: Colour = Colour::rgb(206, 18, 38);
/// The straight way to such a claim.
pub(crate) const LEAP: Stroke = Stroke::dashed(ALARM, 1.6, 5.0);
/// The ways of characters, in turn.
pub(crate) const WAYS: [Colour; 6] = [
    WALKING,
    Colour::rgb(0, 128, 96),
    CARRIED,
    Colour::rgb(150, 88, 10),
    Colour::rgb(0, 130, 170),
    Colour::rgb(96, 96, 30),
];

pub(crate) const WALKABLE: Colour = Colour::rgb(74, 132, 84);
pub(crate) const STEEP: Colour = Colour::rgb(203, 105, 58);
pub(crate) const WALL: Colour = Colour::rgb(92, 99, 110);
pub(crate) const SOLID: Colour = Colour::rgb(150, 156, 165);
/// The level in the GLB file.
pub(crate) const LEVEL: Colour = Colour::rgb(200, 205, 212);

/// Ground on the map at the lowest and at the highest point of the walk.
pub(crate) const LOW: [f64; 3] = [214.0, 228.0, 232.0];
pub(crate) const HIGH: [f64; 3] = [250.0, 228.0, 178.0];
/// Ground on the map that is too steep to walk on; mixed with the colour of its height.
pub(crate) const STEEP_GROUND: [f64; 3] = [232.0, 178.0, 150.0];

/// The colour of the path.
pub(crate) fn mode(mode: Mode) -> Colour {
    match mode {
        Mode::Walking => WALKING,
        Mode::InTheAir => IN_THE_AIR,
        Mode::Carried => CARRIED,
    }
}

pub(crate) fn contact(kind: ContactKind) -> Colour {
    match kind {
        ContactKind::Wall => Colour::rgb(200, 30, 60),
        ContactKind::Step => Colour::rgb(0, 128, 96),
        ContactKind::Ceiling => Colour::rgb(150, 20, 140),
        ContactKind::Landing => IN_THE_AIR,
    }
}

/// The colour of the capsule at an event.
pub(crate) fn event(kind: EventKind) -> Colour {
    match kind {
        EventKind::Start => Colour::rgb(60, 160, 80),
        EventKind::LegEnd => WALKING,
        EventKind::Blocked => Colour::rgb(220, 50, 60),
        EventKind::TakeOff | EventKind::Landing => IN_THE_AIR,
    }
}
