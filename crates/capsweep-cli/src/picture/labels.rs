//! Numbers of legs, where there is room for them.

use super::canvas::{Anchor, Canvas, Colour, Panel, Stroke, TextSize, width_of};
use super::style::PAPER;
use glam::{DVec2, dvec2};

/// Places that are taken.
#[derive(Debug, Default)]
pub(super) struct Labels {
    taken: Vec<Panel>,
}

impl Labels {
    /// A round label near `at`, with a line to it where it had to go further.
    pub(super) fn number(&mut self, canvas: &mut Canvas, at: DVec2, number: usize, colour: Colour) {
        let text = number.to_string();
        let size = dvec2(width_of(&text, TextSize::Small).max(10.0) + 8.0, 18.0);
        let middle = self.room(at, size);
        if middle.distance(at) > 24.0 {
            canvas.line(vec![at, middle], Stroke::solid(colour.faded(140), 1.0));
        }
        canvas.pill(middle, size, colour, Stroke::solid(PAPER, 1.0));
        canvas.text(middle, text, (Anchor::Middle, TextSize::Small), PAPER);
        self.take(middle, size);
    }

    /// Keeps labels away from a place.
    pub(super) fn take(&mut self, middle: DVec2, size: DVec2) {
        self.taken.push(Panel { low: middle - size / 2.0, high: middle + size / 2.0 });
    }

    /// The nearest place for a box of `size` that nothing else has, of those that are tried in growing circles.
    fn room(&self, at: DVec2, size: DVec2) -> DVec2 {
        let free = |middle: &DVec2| {
            let (low, high) = (*middle - size / 2.0, *middle + size / 2.0);
            let apart = |other: &Panel| low.cmpgt(other.high).any() || high.cmplt(other.low).any();
            self.taken.iter().all(apart)
        };
        let rings = (2..12u32).flat_map(|ring| {
            (0..12u32).map(move |turn| {
                let angle = f64::from(turn) * std::f64::consts::TAU / 12.0 - 1.57;
                DVec2::from_angle(angle) * f64::from(ring) * 9.0
            })
        });
        rings.map(|offset| at + offset).find(free).unwrap_or(at)
    }
}
