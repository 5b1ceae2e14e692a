//! The colours and pens of pictures.

use super::canvas::{Colour, Stroke};
use super::marks::{Happening, Touch};

pub(super) const INK: Colour = Colour::rgb(38, 43, 51);
pub(super) const FAINT: Colour = Colour::rgb(120, 128, 138);
pub(super) const PAPER: Colour = Colour::rgb(255, 255, 255);
pub(super) const NONE: Stroke = Stroke::solid(PAPER, 0.0);

pub(super) const EDGE: Stroke = Stroke::solid(Colour::rgb(92, 99, 110), 0.9);
pub(super) const OVERHEAD: Stroke = Stroke::dashed(Colour::rgb(120, 128, 138), 0.9, 4.0);
pub(super) const BORDER: Stroke = Stroke::solid(Colour::rgb(200, 205, 212), 1.0);

pub(super) const WALKING: Colour = Colour::rgb(27, 94, 190);
pub(super) const IN_THE_AIR: Colour = Colour::rgb(228, 118, 10);
pub(super) const CARRIED: Colour = Colour::rgb(134, 58, 178);

pub(super) const WALKABLE: Colour = Colour::rgb(74, 132, 84);
pub(super) const STEEP: Colour = Colour::rgb(203, 105, 58);
pub(super) const WALL: Colour = Colour::rgb(92, 99, 110);
pub(super) const SOLID: Colour = Colour::rgb(150, 156, 165);
/// The ground on the map, from the lowest place of the walk to the highest.
pub(super) const LOW: [f64; 3] = [214.0, 228.0, 232.0];
pub(super) const HIGH: [f64; 3] = [250.0, 228.0, 178.0];

pub(super) fn touch(touch: Touch) -> Colour {
    match touch {
        Touch::Wall => Colour::rgb(200, 30, 60),
        Touch::Step => Colour::rgb(0, 128, 96),
        Touch::Ceiling => Colour::rgb(150, 20, 140),
        Touch::Landing => IN_THE_AIR,
    }
}

/// How the capsule is filled where something happened.
pub(super) fn happening(happening: Happening) -> Colour {
    match happening {
        Happening::Start => Colour::rgb(60, 160, 80),
        Happening::LegEnd => WALKING,
        Happening::Blocked => Colour::rgb(220, 50, 60),
        Happening::TakeOff | Happening::Landing => IN_THE_AIR,
    }
}
