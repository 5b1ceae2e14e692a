//! The layout of the sheet: the arrangement of its parts that leaves the least empty space.

use crate::picture::canvas::Rect;
use glam::{DVec2, dvec2};

// All lengths are in pixels.

/// Margin at the sides.
pub(super) const MARGIN: f64 = 50.0;
/// Upper end of the parts, below the title.
pub(super) const TOP: f64 = 62.0;
/// Vertical gap between two parts.
const GAP: f64 = 26.0;
/// Horizontal gap between two parts.
const GUTTER: f64 = 40.0;
/// Largest height of the map.
const MAX_MAP_HEIGHT: f64 = 860.0;
/// Largest scale of the map, in pixels per metre.
const MAX_SCALE: f64 = 160.0;
/// Widths between the margins to try.
const WIDTHS: [f64; 7] = [1500.0, 1400.0, 1300.0, 1200.0, 1100.0, 1000.0, 900.0];
/// Heights of the map to try.
const HEIGHTS: [f64; 6] = [MAX_MAP_HEIGHT, 760.0, 660.0, 560.0, 460.0, 380.0];
/// Smallest width of a column beside the map, without the elevation and with it.
const COLUMN: f64 = 460.0;
const WIDE_COLUMN: f64 = 600.0;
/// Smallest width reserved for the map: the width of its scale bar and colour scale.
const MIN_MAP_WIDTH: f64 = 420.0;
/// Weight of the size of the map in the score, relative to the covered area.
const MAP_WEIGHT: f64 = 0.3;
/// Penalty for a sheet higher than wide, per excess of its height over its width.
const TALL_PENALTY: f64 = 0.25;

/// The sizes of the parts. Those of all but the map depend on the available width.
pub(super) struct Parts<'a> {
    /// Size of the mapped region, in metres.
    pub(super) map: DVec2,
    /// Height of the scales under a map of a width.
    pub(super) under_map: &'a dyn Fn(f64) -> f64,
    pub(super) elevation: &'a dyn Fn(f64) -> DVec2,
    pub(super) legend: &'a dyn Fn(f64) -> DVec2,
    pub(super) legs: &'a dyn Fn(f64) -> DVec2,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Arrangement {
    /// All parts in one column.
    Stacked,
    /// Legs and legend beside the map, the elevation under both.
    TextBeside,
    /// Everything beside the map.
    AllBeside,
}

/// The rectangles of the parts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    /// The map without the scales under it.
    pub(super) map: Rect,
    pub(super) elevation: Rect,
    pub(super) legend: Rect,
    pub(super) legs: Rect,
    /// Size of the whole sheet.
    pub(super) size: DVec2,
    score: f64,
    /// Covered fraction of the area between title and margins.
    #[cfg(test)]
    pub(super) covered: f64,
}

/// The layout with the best score; of equals, the first tried.
pub(super) fn layout(parts: &Parts) -> Layout {
    let mut best = arranged(parts, Arrangement::Stacked, WIDTHS[0], HEIGHTS[0]);
    for arrangement in [Arrangement::Stacked, Arrangement::TextBeside, Arrangement::AllBeside] {
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
        Arrangement::TextBeside => COLUMN + GUTTER,
        Arrangement::AllBeside => WIDE_COLUMN + GUTTER,
    };
    let available = dvec2(width - column, height);
    let scale = (available / parts.map).min_element().min(MAX_SCALE);
    let corner = dvec2(MARGIN, TOP);
    let map = Rect { low: corner, high: corner + parts.map * scale };
    let map_end = map.high.y + (parts.under_map)(map.size().x);
    let beside = map.high.x.max(corner.x + MIN_MAP_WIDTH) + GUTTER;
    let right = corner.x + width;
    let below = |left: f64, top: f64, size: &dyn Fn(f64) -> DVec2| {
        let low = dvec2(left, top);
        Rect { low, high: low + size(right - left) }
    };
    let (left, top) = if arrangement == Arrangement::Stacked {
        (corner.x, map_end + GAP)
    } else {
        (beside, corner.y)
    };
    let (elevation, legend, legs);
    match arrangement {
        Arrangement::TextBeside => {
            legs = below(left, top, parts.legs);
            legend = below(left, legs.high.y + GAP, parts.legend);
            let under = map_end.max(legend.high.y) + GAP;
            elevation = below(corner.x, under, parts.elevation);
        }
        Arrangement::Stacked | Arrangement::AllBeside => {
            elevation = below(left, top, parts.elevation);
            legend = below(left, elevation.high.y + GAP, parts.legend);
            legs = below(left, legend.high.y + GAP, parts.legs);
        }
    }
    let all = [map, elevation, legend, legs];
    let bottom = all.iter().map(|part| part.high.y).fold(map_end, f64::max);
    let drawn: f64 = all.iter().map(|part| part.size().element_product()).sum();
    let covered = drawn / (width * (bottom - TOP));
    let map_size = (map.size().element_product() / (WIDTHS[0] * MAX_MAP_HEIGHT)).sqrt();
    let size = dvec2(width + 2.0 * MARGIN, bottom + 24.0);
    let tall = (size.y / size.x - 1.0).max(0.0);
    let score = covered + MAP_WEIGHT * map_size - TALL_PENALTY * tall;
    Layout {
        map,
        elevation,
        legend,
        legs,
        size,
        score,
        #[cfg(test)]
        covered,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A layout for a map in metres and a number of legs, each with a text of `columns` columns.
    fn sample(map: DVec2, legs: f64, columns: f64) -> Layout {
        layout(&Parts {
            map,
            under_map: &|_| 32.0,
            elevation: &|width| dvec2(width, 270.0),
            legend: &|width| {
                let each = 150.0;
                let rows = (10.0 / (width / each).floor()).ceil();
                dvec2((10.0 * each).min(width), 20.0 * rows)
            },
            legs: &|width| {
                let lists = if legs > 6.0 && width > 1000.0 { 2.0 } else { 1.0 };
                let wide = 7.0 * columns;
                let lines = (wide / (width / lists)).ceil();
                dvec2((lists * wide).min(width), (legs / lists).ceil() * lines * 20.0)
            },
        })
    }

    #[test]
    fn no_half_of_a_canvas_is_empty_whatever_the_shape_of_the_map() {
        for legs in [1.0, 4.0, 12.0, 25.0, 40.0] {
            for ratio in [0.25, 0.4, 0.6, 0.8, 1.0, 1.25, 1.6, 2.5, 4.0, 7.0] {
                for metres in [4.0, 30.0, 2000.0] {
                    let layout = sample(dvec2(ratio, 1.0).normalize() * metres, legs, 60.0);
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
            let layout = sample(dvec2(ratio * 20.0, 20.0), 12.0, 50.0);
            let parts = [layout.map, layout.elevation, layout.legend, layout.legs];
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
        let wide = sample(dvec2(45.0, 7.0), 15.0, 60.0);
        assert!(wide.elevation.low.y > wide.map.high.y && wide.legs.low.y > wide.map.high.y);
        assert_eq!(wide.size.x, 1600.0);
        let high = sample(dvec2(20.0, 45.0), 12.0, 60.0);
        assert!(high.legs.low.x > high.map.high.x && high.legend.low.x > high.map.high.x);
    }
}
