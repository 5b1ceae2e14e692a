//! Where the parts of a picture go: the arrangement that leaves least of it empty.

use super::canvas::Panel;
use glam::{DVec2, dvec2};

/// Pixels around everything, under the title, and between two parts.
pub(super) const MARGIN: f64 = 50.0;
pub(super) const TOP: f64 = 62.0;
const GAP: f64 = 26.0;
const GUTTER: f64 = 40.0;
/// Pixels that a map is high, and a metre of it, at most.
const HIGHEST: f64 = 860.0;
const LARGEST_SCALE: f64 = 160.0;
/// Pixels between the margins that are tried, and heights of the map.
const WIDTHS: [f64; 7] = [1500.0, 1400.0, 1300.0, 1200.0, 1100.0, 1000.0, 900.0];
const HEIGHTS: [f64; 6] = [HIGHEST, 760.0, 660.0, 560.0, 460.0, 380.0];
/// Pixels of a column beside the map, at least: with words only, and with the elevation.
const COLUMN: f64 = 460.0;
const WIDE_COLUMN: f64 = 600.0;
/// Pixels beside the map from its left edge on that belong to it: its scale is that wide.
const NARROWEST: f64 = 420.0;
/// How much a large map counts against a full canvas.
const LARGE_MAP: f64 = 0.3;
/// How much a canvas that is higher than wide counts against it, by how much it is so.
const TALL: f64 = 0.25;

/// How large the parts are. All but the map are asked for the size that they have at a width.
pub(super) struct Parts<'a> {
    /// Metres.
    pub(super) map: DVec2,
    /// Pixels under the map of that width.
    pub(super) under_map: &'a dyn Fn(f64) -> f64,
    pub(super) elevation: &'a dyn Fn(f64) -> DVec2,
    pub(super) signs: &'a dyn Fn(f64) -> DVec2,
    pub(super) list: &'a dyn Fn(f64) -> DVec2,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Arrangement {
    /// Each part under the one before.
    Stacked,
    /// Words beside the map, the elevation under both.
    WordsBeside,
    /// Everything beside the map.
    AllBeside,
}

/// Corners and widths of the parts; the list of legs and the signs grow downwards.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    /// The map itself, without what is under it.
    pub(super) map: Panel,
    pub(super) elevation: Panel,
    pub(super) signs: Panel,
    pub(super) list: Panel,
    /// The whole picture.
    pub(super) size: DVec2,
    score: f64,
    /// The part of it between title and margins that something is drawn on.
    #[cfg(test)]
    pub(super) covered: f64,
}

/// The best layout; of equals the first that is tried.
pub(super) fn layout(parts: &Parts) -> Layout {
    let mut best = arranged(parts, Arrangement::Stacked, WIDTHS[0], HEIGHTS[0]);
    for arrangement in [Arrangement::Stacked, Arrangement::WordsBeside, Arrangement::AllBeside] {
        for width in WIDTHS {
            for height in HEIGHTS {
                let other = arranged(parts, arrangement, width, height);
                if other.score > best.score {
                    best = other;
                }
            }
        }
    }
    best
}

fn arranged(parts: &Parts, arrangement: Arrangement, width: f64, height: f64) -> Layout {
    let column = match arrangement {
        Arrangement::Stacked => 0.0,
        Arrangement::WordsBeside => COLUMN + GUTTER,
        Arrangement::AllBeside => WIDE_COLUMN + GUTTER,
    };
    let room = dvec2(width - column, height);
    let scale = (room / parts.map).min_element().min(LARGEST_SCALE);
    let corner = dvec2(MARGIN, TOP);
    let map = Panel { low: corner, high: corner + parts.map * scale };
    let map_end = map.high.y + (parts.under_map)(map.size().x);
    let beside = map.high.x.max(corner.x + NARROWEST) + GUTTER;
    let right = corner.x + width;
    let below = |left: f64, top: f64, size: &dyn Fn(f64) -> DVec2| {
        let low = dvec2(left, top);
        Panel { low, high: low + size(right - left) }
    };
    let (left, top) = if arrangement == Arrangement::Stacked {
        (corner.x, map_end + GAP)
    } else {
        (beside, corner.y)
    };
    let (elevation, signs, list);
    match arrangement {
        Arrangement::WordsBeside => {
            list = below(left, top, parts.list);
            signs = below(left, list.high.y + GAP, parts.signs);
            let under = map_end.max(signs.high.y) + GAP;
            elevation = below(corner.x, under, parts.elevation);
        }
        Arrangement::Stacked | Arrangement::AllBeside => {
            elevation = below(left, top, parts.elevation);
            signs = below(left, elevation.high.y + GAP, parts.signs);
            list = below(left, signs.high.y + GAP, parts.list);
        }
    }
    let all = [map, elevation, signs, list];
    let bottom = all.iter().map(|part| part.high.y).fold(map_end, f64::max);
    let drawn: f64 = all.iter().map(|part| part.size().element_product()).sum();
    let covered = drawn / (width * (bottom - TOP));
    let large = (map.size().element_product() / (WIDTHS[0] * HIGHEST)).sqrt();
    let size = dvec2(width + 2.0 * MARGIN, bottom + 24.0);
    let tall = (size.y / size.x - 1.0).max(0.0);
    let score = covered + LARGE_MAP * large - TALL * tall;
    Layout {
        map,
        elevation,
        signs,
        list,
        size,
        score,
        #[cfg(test)]
        covered,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A layout for a map of some metres and a walk of some legs, each of `letters` letters.
    fn of(map: DVec2, legs: f64, letters: f64) -> Layout {
        layout(&Parts {
            map,
            under_map: &|_| 32.0,
            elevation: &|width| dvec2(width, 270.0),
            signs: &|width| {
                let each = 150.0;
                let rows = (10.0 / (width / each).floor()).ceil();
                dvec2((10.0 * each).min(width), 20.0 * rows)
            },
            list: &|width| {
                let columns = if legs > 6.0 && width > 1000.0 { 2.0 } else { 1.0 };
                let wide = 7.0 * letters;
                let lines = (wide / (width / columns)).ceil();
                dvec2((columns * wide).min(width), (legs / columns).ceil() * lines * 20.0)
            },
        })
    }

    #[test]
    fn no_half_of_a_canvas_is_empty_whatever_the_shape_of_the_map() {
        for legs in [1.0, 4.0, 12.0, 25.0, 40.0] {
            for ratio in [0.25, 0.4, 0.6, 0.8, 1.0, 1.25, 1.6, 2.5, 4.0, 7.0] {
                for metres in [4.0, 30.0, 2000.0] {
                    let layout = of(dvec2(ratio, 1.0).normalize() * metres, legs, 60.0);
                    let Layout { covered, size, .. } = layout;
                    assert!(covered > 0.5, "{ratio} with {legs} legs, {metres} m: {covered}");
                    assert!(size.y < 2400.0 && size.x <= 1600.0, "{size}");
                    let part = layout.map.size() / size;
                    assert!(part.max_element() > 0.3, "{ratio}, {legs}, {metres}: {part}");
                }
            }
        }
    }

    #[test]
    fn parts_lie_inside_and_apart_and_the_map_keeps_its_shape() {
        for ratio in [0.1, 0.3, 1.0, 3.0, 10.0] {
            let layout = of(dvec2(ratio * 20.0, 20.0), 12.0, 50.0);
            let parts = [layout.map, layout.elevation, layout.signs, layout.list];
            for (i, part) in parts.iter().enumerate() {
                assert!(part.low.min_element() >= MARGIN, "{ratio}: {part:?}");
                assert!(part.high.x <= layout.size.x - MARGIN + 0.001, "{ratio}: {part:?}");
                assert!(part.high.y <= layout.size.y, "{ratio}: {part:?}");
                for other in &parts[..i] {
                    assert!(!part.overlaps(other), "{ratio}: {part:?} and {other:?}");
                }
            }
            let size = layout.map.size();
            assert!((size.x / size.y / ratio - 1.0).abs() < 1e-9, "{ratio}: {size}");
        }
    }

    #[test]
    fn wide_maps_are_above_the_rest_and_high_ones_beside_it() {
        let wide = of(dvec2(45.0, 7.0), 15.0, 60.0);
        assert!(wide.elevation.low.y > wide.map.high.y && wide.list.low.y > wide.map.high.y);
        assert_eq!(wide.size.x, 1600.0);
        let high = of(dvec2(20.0, 45.0), 12.0, 60.0);
        assert!(high.list.low.x > high.map.high.x && high.signs.low.x > high.map.high.x);
    }
}
