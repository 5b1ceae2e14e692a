//! Places for labels: near what they name, off the path and off each other.

use super::canvas::Panel;
use glam::{DVec2, dvec2};
use std::f64::consts::TAU;

/// Pixels between a label and the path, and between two labels, at least.
const APART: f64 = 2.5;
/// Pixels between an anchor and the border of its label that are tried.
const GAPS: [f64; 12] = [7.0, 11.0, 16.0, 22.0, 30.0, 40.0, 54.0, 72.0, 96.0, 130.0, 170.0, 220.0];
const DIRECTIONS: u32 = 24;
/// A label further than this from its anchor has a line to it.
const LEADER: f64 = 12.0;
/// Pixels of a cell of [`Cover`].
const CELL: f64 = 2.0;

/// What a spot costs, in pixels of distance: if any sign lies under it, if edges of the level lie under all of it, if its leader
/// crosses the path, and for each anchor that is worse.
const ON_SIGNS: f64 = 100.0;
const ON_EDGES: f64 = 40.0;
const CROSSING: f64 = 30.0;
const WORSE_ANCHOR: f64 = 3.0;

/// Which parts of a panel are drawn on, in cells; sums answer for whole boxes.
#[derive(Debug)]
pub(super) struct Cover {
    panel: Panel,
    columns: usize,
    rows: usize,
    drawn: Vec<bool>,
}

impl Cover {
    pub(super) fn new(panel: Panel) -> Self {
        let cells = (panel.size() / CELL).ceil().max(DVec2::ONE);
        let (columns, rows) = (cells.x as usize, cells.y as usize);
        Self { panel, columns, rows, drawn: vec![false; columns * rows] }
    }

    /// Every cell that a line comes through, sampled at half a cell.
    pub(super) fn line(&mut self, line: [DVec2; 2]) {
        let Some([a, b]) = self.panel.clip(line) else { return self.dot(line[0]) };
        let steps = (a.distance(b) / (CELL / 2.0)).ceil().max(1.0) as u32;
        for step in 0..=steps {
            self.dot(a.lerp(b, f64::from(step) / f64::from(steps)));
        }
    }

    fn dot(&mut self, at: DVec2) {
        let cell = ((at - self.panel.low) / CELL).floor();
        if cell.cmpge(DVec2::ZERO).all() {
            let (column, row) = (cell.x as usize, cell.y as usize);
            if column < self.columns && row < self.rows {
                self.drawn[row * self.columns + column] = true;
            }
        }
    }

    fn sums(&self) -> Sums {
        let wide = self.columns + 1;
        let mut sums = vec![0u32; wide * (self.rows + 1)];
        for row in 0..self.rows {
            let mut line = 0;
            for column in 0..self.columns {
                line += u32::from(self.drawn[row * self.columns + column]);
                sums[(row + 1) * wide + column + 1] = sums[row * wide + column + 1] + line;
            }
        }
        Sums { low: self.panel.low, columns: self.columns, rows: self.rows, counts: sums }
    }
}

#[derive(Debug)]
struct Sums {
    low: DVec2,
    columns: usize,
    rows: usize,
    /// Of the cells above and to the left of each corner.
    counts: Vec<u32>,
}

impl Sums {
    /// Cells that are drawn on in a box.
    fn count(&self, area: &Panel) -> u32 {
        let cell = |at: DVec2| (at - self.low) / CELL;
        let end = |at: f64, end: usize| (at.max(0.0) as usize).min(end);
        let (low, high) = (cell(area.low).floor(), cell(area.high).ceil());
        let (left, right) = (end(low.x, self.columns), end(high.x, self.columns));
        let (top, bottom) = (end(low.y, self.rows), end(high.y, self.rows));
        let at = |row: usize, column: usize| self.counts[row * (self.columns + 1) + column];
        (at(bottom, right) + at(top, left)) - (at(top, right) + at(bottom, left))
    }

    /// The part of a box that is drawn on, 0 to 1.
    fn part(&self, area: &Panel) -> f64 {
        let cells = (area.size() / CELL).ceil().element_product();
        f64::from(self.count(area)) / cells.max(1.0)
    }
}

/// Where a label is, and what it belongs to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot {
    pub(super) middle: DVec2,
    /// From the anchor to the label, if it is not right beside it.
    pub(super) leader: Option<[DVec2; 2]>,
}

/// What is drawn where labels go.
pub(super) struct Drawn {
    /// Never under a label.
    pub(super) path: Cover,
    /// Under a label only if there is no other place.
    pub(super) signs: Cover,
    /// Under a label rather than a long leader.
    pub(super) edges: Cover,
}

/// Finds places for labels, one after the other. The same labels always get the same places.
pub(super) struct Placer {
    panel: Panel,
    path: Sums,
    signs: Sums,
    edges: Sums,
    placed: Vec<Panel>,
    leaders: Vec<[DVec2; 2]>,
}

impl Placer {
    pub(super) fn new(panel: Panel, drawn: &Drawn) -> Self {
        let (path, signs) = (drawn.path.sums(), drawn.signs.sums());
        let edges = drawn.edges.sums();
        Self { panel, path, signs, edges, placed: Vec::new(), leaders: Vec::new() }
    }

    /// The cheapest place for a label of that size near one of its anchors, the best first; `None` if all are taken.
    pub(super) fn place(&mut self, anchors: &[DVec2], size: DVec2) -> Option<Spot> {
        let mut best: Option<(f64, Spot)> = None;
        for gap in GAPS {
            // No later place is nearer.
            if best.is_some_and(|(cost, _)| cost <= gap) {
                break;
            }
            for (worse, spot) in around(anchors, gap, size) {
                let base = gap + WORSE_ANCHOR * f64::from(worse);
                let cost = self.cost(&spot, size).map(|cost| base + cost);
                if let Some(cost) = cost.filter(|cost| best.is_none_or(|(least, _)| *cost < least))
                {
                    best = Some((cost, spot));
                }
            }
        }
        let (_, spot) = best?;
        self.placed.push(Panel::around(spot.middle, size));
        self.leaders.extend(spot.leader);
        Some(spot)
    }

    /// What speaks against a place; `None` if it cannot be taken.
    fn cost(&self, spot: &Spot, size: DVec2) -> Option<f64> {
        let label = Panel::around(spot.middle, size);
        let kept = label.grown(APART);
        let inside = self.panel.contains(kept.low) && self.panel.contains(kept.high);
        if !inside || self.path.count(&kept) > 0 {
            return None;
        }
        let on_label = self.placed.iter().any(|other| other.overlaps(&kept));
        if on_label || self.leaders.iter().any(|leader| kept.clip(*leader).is_some()) {
            return None;
        }
        let mut cost = ON_EDGES * self.edges.part(&label);
        if self.signs.count(&label) > 0 {
            cost += ON_SIGNS * (1.0 + self.signs.part(&label));
        }
        if let Some([from, to]) = spot.leader {
            if self.placed.iter().any(|other| other.grown(1.0).clip([from, to]).is_some()) {
                return None;
            }
            // Beyond its own line, which it starts on.
            let along = (to - from).normalize_or_zero();
            let steps = ((from.distance(to) - 5.0) / CELL).max(0.0) as u32;
            let crosses = (0..steps).any(|step| {
                let at = from + along * (5.0 + CELL * f64::from(step));
                self.path.count(&Panel::around(at, DVec2::splat(1.0))) > 0
            });
            cost += if crosses { CROSSING } else { 0.0 };
        }
        Some(cost)
    }
}

/// Places for a label at a distance from its anchors, upwards first, each with the number of its anchor.
fn around(anchors: &[DVec2], gap: f64, size: DVec2) -> impl Iterator<Item = (u32, Spot)> {
    let turns = move |(anchor, number): (&DVec2, u32)| {
        let anchor = *anchor;
        (0..DIRECTIONS).map(move |turn| {
            let angle = TAU * (f64::from(turn) / f64::from(DIRECTIONS) - 0.25);
            (number, beside(anchor, DVec2::from_angle(angle), gap, size))
        })
    };
    anchors.iter().zip(0u32..).flat_map(turns)
}

/// A label whose border is `gap` pixels from its anchor.
fn beside(anchor: DVec2, direction: DVec2, gap: f64, size: DVec2) -> Spot {
    let half = size / 2.0;
    // How far its middle is from its border in that direction.
    let reach = (half / direction.abs().max(DVec2::splat(1e-9))).min_element();
    let middle = anchor + direction * (gap + reach);
    let leader = (gap > LEADER).then(|| [anchor, anchor + direction * gap]);
    Spot { middle, leader }
}

/// Middles of labels in a row between two ends: near their wishes, in their order, apart from each other. Of labels that do not fit
/// every second, third, ... stays. The wishes are in order.
pub(super) fn in_a_row(wishes: &[f64], widths: &[f64], [from, to]: [f64; 2]) -> Vec<(usize, f64)> {
    let most = to - from;
    let fits = |every: &usize| {
        widths.iter().step_by(*every).map(|width| width + APART).sum::<f64>() <= most
    };
    let every = (1..=wishes.len().max(1)).find(fits).unwrap_or(wishes.len().max(1));
    let mut row: Vec<(usize, f64)> = wishes.iter().copied().enumerate().step_by(every).collect();
    let apart = |a: usize, b: usize| f64::midpoint(widths[a], widths[b]) + APART;
    let mut least = f64::NEG_INFINITY;
    let mut before = None;
    for (label, middle) in &mut row {
        if let Some(before) = before {
            least += apart(before, *label);
        } else {
            least = from + widths[*label] / 2.0;
        }
        *middle = middle.max(least);
        (least, before) = (*middle, Some(*label));
    }
    let mut most = f64::INFINITY;
    let mut after = None;
    for (label, middle) in row.iter_mut().rev() {
        if let Some(after) = after {
            most -= apart(*label, after);
        } else {
            most = to - widths[*label] / 2.0;
        }
        *middle = middle.min(most);
        (most, after) = (*middle, Some(*label));
    }
    row
}

/// Marks the outline of a circle.
pub(super) fn circle(cover: &mut Cover, middle: DVec2, radius: f64) {
    const SIDES: u32 = 24;
    let at =
        |side: u32| middle + DVec2::from_angle(TAU * f64::from(side) / f64::from(SIDES)) * radius;
    for side in 0..SIDES {
        cover.line([at(side), at(side + 1)]);
    }
}

/// The size of the round label of a number.
pub(super) fn number_size(width: f64) -> DVec2 {
    dvec2(width.max(10.0) + 8.0, 18.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use capsweep_testkit::Rng;

    /// Straight legs from place to place.
    fn route(rng: &mut Rng, panel: &Panel, legs: usize) -> Vec<DVec2> {
        let inner = panel.grown(-20.0);
        let mut at = inner.low + inner.size() * dvec2(rng.unit(), rng.unit());
        let mut corners = vec![at];
        while corners.len() <= legs {
            let way = DVec2::from_angle(TAU * rng.unit()) * (30.0 + 200.0 * rng.unit());
            if inner.contains(at + way) {
                at += way;
                corners.push(at);
            }
        }
        corners
    }

    fn labelled(panel: Panel, corners: &[DVec2]) -> (Vec<Option<(Panel, Spot)>>, Placer) {
        let mut drawn =
            Drawn { path: Cover::new(panel), signs: Cover::new(panel), edges: Cover::new(panel) };
        for leg in corners.windows(2) {
            drawn.path.line([leg[0], leg[1]]);
            circle(&mut drawn.signs, leg[1], 6.0);
        }
        let mut placer = Placer::new(panel, &drawn);
        let mut labels = Vec::new();
        for (number, leg) in corners.windows(2).enumerate() {
            let anchors = [0.5, 0.4, 0.6, 0.3, 0.7].map(|part| leg[0].lerp(leg[1], part));
            let size = number_size((number + 1).to_string().len() as f64 * 7.0);
            let spot = placer.place(&anchors, size);
            labels.push(spot.map(|spot| (Panel::around(spot.middle, size), spot)));
        }
        (labels, placer)
    }

    fn check(panel: &Panel, corners: &[DVec2], labels: &[(Panel, Spot)]) {
        for (i, (label, spot)) in labels.iter().enumerate() {
            assert!(panel.contains(label.low) && panel.contains(label.high), "{label:?}");
            for leg in corners.windows(2) {
                let crosses = label.clip([leg[0], leg[1]]);
                assert!(crosses.is_none(), "{label:?} lies on the path {leg:?}");
            }
            for (other, _) in &labels[..i] {
                assert!(!label.overlaps(other), "{label:?} lies on {other:?}");
            }
            for (j, (other, _)) in labels.iter().enumerate().filter(|(j, _)| *j != i) {
                let crosses = spot.leader.and_then(|leader| other.clip(leader));
                assert!(crosses.is_none(), "the leader of {i} crosses {j}");
            }
        }
    }

    #[test]
    fn labels_of_a_route_lie_neither_on_its_path_nor_on_each_other() {
        let panel = Panel { low: dvec2(50.0, 62.0), high: dvec2(1250.0, 862.0) };
        let mut rng = Rng::from_seed(1);
        for _ in 0..150 {
            let corners = route(&mut rng, &panel, 12);
            let (labels, _) = labelled(panel, &corners);
            assert!(labels.iter().all(Option::is_some), "{corners:?} has {labels:?}");
            let labels: Vec<_> = labels.into_iter().flatten().collect();
            check(&panel, &corners, &labels);
        }
    }

    #[test]
    fn where_there_is_no_room_a_label_is_left_out_and_none_overlaps() {
        let panel = Panel { low: DVec2::ZERO, high: dvec2(300.0, 200.0) };
        let mut rng = Rng::from_seed(2);
        let mut left_out = 0;
        for _ in 0..20 {
            let corners = route(&mut rng, &panel, 80);
            let (labels, _) = labelled(panel, &corners);
            left_out += labels.iter().filter(|label| label.is_none()).count();
            let labels: Vec<_> = labels.into_iter().flatten().collect();
            check(&panel, &corners, &labels);
        }
        assert!(left_out > 0);
    }

    #[test]
    fn the_same_route_has_the_same_labels() {
        let panel = Panel { low: DVec2::ZERO, high: dvec2(800.0, 500.0) };
        let corners = route(&mut Rng::from_seed(3), &panel, 20);
        let middles = || {
            let (labels, _) = labelled(panel, &corners);
            labels.into_iter().map(|label| label.map(|(label, _)| label)).collect::<Vec<_>>()
        };
        assert_eq!(middles(), middles());
    }

    #[test]
    fn labels_in_a_row_are_apart_in_order_and_near_their_wishes() {
        let row = in_a_row(&[10.0, 11.0, 12.0, 80.0], &[18.0; 4], [0.0, 100.0]);
        assert_eq!(row, [(0, 10.0), (1, 30.5), (2, 51.0), (3, 80.0)]);
        let row = in_a_row(&[95.0, 96.0, 99.0], &[18.0; 3], [0.0, 100.0]);
        assert_eq!(row, [(0, 50.0), (1, 70.5), (2, 91.0)]);
        let mut rng = Rng::from_seed(4);
        for count in [1u32, 5, 30, 400] {
            let mut wishes: Vec<f64> = (0..count).map(|_| 1000.0 * rng.unit()).collect();
            wishes.sort_by(f64::total_cmp);
            let widths: Vec<f64> = (0..count).map(|_| 18.0 + 14.0 * rng.unit()).collect();
            let row = in_a_row(&wishes, &widths, [0.0, 1000.0]);
            assert!(!row.is_empty() && (count > 30 || row.len() == count as usize));
            for (label, middle) in &row {
                let half = widths[*label] / 2.0;
                assert!(middle - half > -1e-9 && middle + half < 1000.0 + 1e-9, "{middle}");
            }
            for pair in row.windows(2) {
                let least = f64::midpoint(widths[pair[0].0], widths[pair[1].0]);
                assert!(pair[1].1 - pair[0].1 > least, "{pair:?}");
            }
        }
    }
}
