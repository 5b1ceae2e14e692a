//! Places labels near their anchors, off the path and off each other.

use crate::picture::canvas::Rect;
use glam::{DVec2, dvec2};
use std::f64::consts::TAU;

// All lengths are in pixels.

/// Smallest distance between a label and the path, and between two labels.
const SPACING: f64 = 2.5;
/// Distances between an anchor and the border of its label to try.
const GAPS: [f64; 12] = [7.0, 11.0, 16.0, 22.0, 30.0, 40.0, 54.0, 72.0, 96.0, 130.0, 170.0, 220.0];
/// Directions from an anchor to its label to try.
const DIRECTIONS: u32 = 24;
/// A label further than this from its anchor gets a leader line.
const LEADER_GAP: f64 = 12.0;
/// Cell size of a [`CoverageGrid`].
const CELL: f64 = 2.0;

// Costs of a placement, in pixels of distance.

/// Any symbol under the label.
const ON_SYMBOLS: f64 = 100.0;
/// Edges of the level under all of the label; less if they cover only a part.
const ON_EDGES: f64 = 40.0;
/// A leader line that crosses the path.
const CROSSING: f64 = 30.0;
/// Each rank of the anchor after the best.
const WORSE_ANCHOR: f64 = 3.0;

/// A grid over a panel that marks the cells with ink.
#[derive(Debug)]
pub(super) struct CoverageGrid {
    panel: Rect,
    columns: usize,
    rows: usize,
    marked: Vec<bool>,
}

impl CoverageGrid {
    pub(super) fn new(panel: Rect) -> Self {
        let cells = (panel.size() / CELL).ceil().max(DVec2::ONE);
        let (columns, rows) = (cells.x as usize, cells.y as usize);
        Self { panel, columns, rows, marked: vec![false; columns * rows] }
    }

    /// Marks the cells on a line, sampled every half cell.
    pub(super) fn line(&mut self, line: [DVec2; 2]) {
        let Some([a, b]) = self.panel.clip(line) else { return self.dot(line[0]) };
        let samples = (a.distance(b) / (CELL / 2.0)).ceil().max(1.0) as u32;
        for sample in 0..=samples {
            self.dot(a.lerp(b, f64::from(sample) / f64::from(samples)));
        }
    }

    /// Marks the outline of a circle.
    pub(super) fn circle(&mut self, center: DVec2, radius: f64) {
        const SIDES: u32 = 24;
        let at = |side: u32| {
            center + DVec2::from_angle(TAU * f64::from(side) / f64::from(SIDES)) * radius
        };
        for side in 0..SIDES {
            self.line([at(side), at(side + 1)]);
        }
    }

    fn dot(&mut self, at: DVec2) {
        let cell = ((at - self.panel.low) / CELL).floor();
        if cell.cmpge(DVec2::ZERO).all() {
            let (column, row) = (cell.x as usize, cell.y as usize);
            if column < self.columns && row < self.rows {
                self.marked[row * self.columns + column] = true;
            }
        }
    }

    fn summed(&self) -> SummedArea {
        let stride = self.columns + 1;
        let mut sums = vec![0u32; stride * (self.rows + 1)];
        for row in 0..self.rows {
            let mut row_sum = 0;
            for column in 0..self.columns {
                row_sum += u32::from(self.marked[row * self.columns + column]);
                sums[(row + 1) * stride + column + 1] = sums[row * stride + column + 1] + row_sum;
            }
        }
        SummedArea { low: self.panel.low, columns: self.columns, rows: self.rows, counts: sums }
    }
}

/// A summed-area table: counts the marked cells of any rectangle in constant time.
#[derive(Debug)]
struct SummedArea {
    low: DVec2,
    columns: usize,
    rows: usize,
    /// Number of marked cells above and to the left of each grid corner.
    counts: Vec<u32>,
}

impl SummedArea {
    /// Number of marked cells in a rectangle.
    fn count(&self, area: &Rect) -> u32 {
        let cell = |at: DVec2| (at - self.low) / CELL;
        let end = |at: f64, end: usize| (at.max(0.0) as usize).min(end);
        let (low, high) = (cell(area.low).floor(), cell(area.high).ceil());
        let (left, right) = (end(low.x, self.columns), end(high.x, self.columns));
        let (top, bottom) = (end(low.y, self.rows), end(high.y, self.rows));
        let at = |row: usize, column: usize| self.counts[row * (self.columns + 1) + column];
        (at(bottom, right) + at(top, left)) - (at(top, right) + at(bottom, left))
    }

    /// Marked fraction of a rectangle, 0 to 1.
    fn fraction(&self, area: &Rect) -> f64 {
        let cells = (area.size() / CELL).ceil().element_product();
        f64::from(self.count(area)) / cells.max(1.0)
    }
}

/// The position of a label.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placement {
    pub(super) center: DVec2,
    /// The line from the anchor to the label, unless they are close.
    pub(super) leader: Option<[DVec2; 2]>,
}

/// The ink that labels avoid.
pub(super) struct Obstacles {
    /// No label covers the path.
    pub(super) path: CoverageGrid,
    /// Labels cover symbols only if there is no other position.
    pub(super) symbols: CoverageGrid,
    /// Labels cover edges rather than have a long leader line.
    pub(super) edges: CoverageGrid,
}

/// Places labels one after the other. The result is deterministic.
pub(super) struct LabelPlacer {
    panel: Rect,
    path: SummedArea,
    symbols: SummedArea,
    edges: SummedArea,
    placed: Vec<Rect>,
    leaders: Vec<[DVec2; 2]>,
}

impl LabelPlacer {
    pub(super) fn new(panel: Rect, obstacles: &Obstacles) -> Self {
        let Obstacles { path, symbols, edges } = obstacles;
        let (path, symbols, edges) = (path.summed(), symbols.summed(), edges.summed());
        Self { panel, path, symbols, edges, placed: Vec::new(), leaders: Vec::new() }
    }

    /// Places a label at the cheapest position near one of its anchors, which are in order of
    /// preference. `None` if no position is free.
    pub(super) fn place(&mut self, anchors: &[DVec2], size: DVec2) -> Option<Placement> {
        let mut best: Option<(f64, Placement)> = None;
        for gap in GAPS {
            // Every later position costs at least `gap`.
            if best.is_some_and(|(cost, _)| cost <= gap) {
                break;
            }
            for (rank, placement) in candidates(anchors, gap, size) {
                let base = gap + WORSE_ANCHOR * f64::from(rank);
                let cost = self.cost(&placement, size).map(|cost| base + cost);
                if let Some(cost) = cost.filter(|cost| best.is_none_or(|(least, _)| *cost < least))
                {
                    best = Some((cost, placement));
                }
            }
        }
        let (_, placement) = best?;
        self.placed.push(Rect::centered(placement.center, size));
        self.leaders.extend(placement.leader);
        Some(placement)
    }

    /// The cost of a placement; `None` if it is not free.
    fn cost(&self, placement: &Placement, size: DVec2) -> Option<f64> {
        let label = Rect::centered(placement.center, size);
        let kept = label.grown(SPACING);
        let inside = self.panel.contains(kept.low) && self.panel.contains(kept.high);
        if !inside || self.path.count(&kept) > 0 {
            return None;
        }
        let on_label = self.placed.iter().any(|other| other.overlaps(&kept));
        if on_label || self.leaders.iter().any(|leader| kept.clip(*leader).is_some()) {
            return None;
        }
        let mut cost = ON_EDGES * self.edges.fraction(&label);
        if self.symbols.count(&label) > 0 {
            cost += ON_SYMBOLS * (1.0 + self.symbols.fraction(&label));
        }
        if let Some([from, to]) = placement.leader {
            if self.placed.iter().any(|other| other.grown(1.0).clip([from, to]).is_some()) {
                return None;
            }
            // Starts 5 pixels off the anchor, which is on the path itself.
            let along = (to - from).normalize_or_zero();
            let samples = ((from.distance(to) - 5.0) / CELL).max(0.0) as u32;
            let crosses = (0..samples).any(|sample| {
                let at = from + along * (5.0 + CELL * f64::from(sample));
                self.path.count(&Rect::centered(at, DVec2::splat(1.0))) > 0
            });
            cost += if crosses { CROSSING } else { 0.0 };
        }
        Some(cost)
    }
}

/// Positions for a label at a distance from its anchors, upwards first, with the ranks of the
/// anchors.
fn candidates(anchors: &[DVec2], gap: f64, size: DVec2) -> impl Iterator<Item = (u32, Placement)> {
    let around = move |(anchor, rank): (&DVec2, u32)| {
        let anchor = *anchor;
        (0..DIRECTIONS).map(move |turn| {
            let angle = TAU * (f64::from(turn) / f64::from(DIRECTIONS) - 0.25);
            (rank, candidate(anchor, DVec2::from_angle(angle), gap, size))
        })
    };
    anchors.iter().zip(0u32..).flat_map(around)
}

/// A label whose border is `gap` pixels from its anchor.
fn candidate(anchor: DVec2, direction: DVec2, gap: f64, size: DVec2) -> Placement {
    let half = size / 2.0;
    // Distance between centre and border in that direction.
    let reach = (half / direction.abs().max(DVec2::splat(1e-9))).min_element();
    let center = anchor + direction * (gap + reach);
    let leader = (gap > LEADER_GAP).then(|| [anchor, anchor + direction * gap]);
    Placement { center, leader }
}

/// Centres of labels in a row between two ends: near the wanted positions, in their order, apart
/// from each other. If not all fit, every second, third, ... label stays. `wanted` is sorted.
pub(super) fn spread_in_row(
    wanted: &[f64],
    widths: &[f64],
    [from, to]: [f64; 2],
) -> Vec<(usize, f64)> {
    let width = to - from;
    let fits = |every: &usize| {
        widths.iter().step_by(*every).map(|width| width + SPACING).sum::<f64>() <= width
    };
    let every = (1..=wanted.len().max(1)).find(fits).unwrap_or(wanted.len().max(1));
    let mut row: Vec<(usize, f64)> = wanted.iter().copied().enumerate().step_by(every).collect();
    let distance = |a: usize, b: usize| f64::midpoint(widths[a], widths[b]) + SPACING;
    // From the left, each label keeps off the one before; then from the right, off the one after.
    let mut least = f64::NEG_INFINITY;
    let mut before = None;
    for (label, middle) in &mut row {
        if let Some(before) = before {
            least += distance(before, *label);
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
            most -= distance(*label, after);
        } else {
            most = to - widths[*label] / 2.0;
        }
        *middle = middle.min(most);
        (most, after) = (*middle, Some(*label));
    }
    row
}

/// The size of the round badge of a leg number whose text has that width.
pub(super) fn badge_size(width: f64) -> DVec2 {
    dvec2(width.max(10.0) + 8.0, 18.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use capsweep_testkit::Rng;

    /// The corners of a path of straight legs.
    fn route(random: &mut Rng, panel: &Rect, legs: usize) -> Vec<DVec2> {
        let inner = panel.grown(-20.0);
        let mut at = inner.low + inner.size() * dvec2(random.unit(), random.unit());
        let mut corners = vec![at];
        while corners.len() <= legs {
            let leg = DVec2::from_angle(TAU * random.unit()) * (30.0 + 200.0 * random.unit());
            if inner.contains(at + leg) {
                at += leg;
                corners.push(at);
            }
        }
        corners
    }

    fn labelled(panel: Rect, corners: &[DVec2]) -> Vec<Option<(Rect, Placement)>> {
        let grid = || CoverageGrid::new(panel);
        let mut obstacles = Obstacles { path: grid(), symbols: grid(), edges: grid() };
        for leg in corners.windows(2) {
            obstacles.path.line([leg[0], leg[1]]);
            obstacles.symbols.circle(leg[1], 6.0);
        }
        let mut placer = LabelPlacer::new(panel, &obstacles);
        let mut labels = Vec::new();
        for (number, leg) in corners.windows(2).enumerate() {
            let anchors = [0.5, 0.4, 0.6, 0.3, 0.7].map(|part| leg[0].lerp(leg[1], part));
            let size = badge_size((number + 1).to_string().len() as f64 * 7.0);
            let placement = placer.place(&anchors, size);
            labels.push(placement.map(|one| (Rect::centered(one.center, size), one)));
        }
        labels
    }

    fn check(panel: &Rect, corners: &[DVec2], labels: &[(Rect, Placement)]) {
        for (i, (label, placement)) in labels.iter().enumerate() {
            assert!(panel.contains(label.low) && panel.contains(label.high), "{label:?}");
            for leg in corners.windows(2) {
                let crosses = label.clip([leg[0], leg[1]]);
                assert!(crosses.is_none(), "{label:?} lies on the path {leg:?}");
            }
            for (other, _) in &labels[..i] {
                assert!(!label.overlaps(other), "{label:?} lies on {other:?}");
            }
            for (j, (other, _)) in labels.iter().enumerate().filter(|(j, _)| *j != i) {
                let crosses = placement.leader.and_then(|leader| other.clip(leader));
                assert!(crosses.is_none(), "the leader of {i} crosses {j}");
            }
        }
    }

    #[test]
    fn labels_of_a_route_lie_neither_on_its_path_nor_on_each_other() {
        let panel = Rect { low: dvec2(50.0, 62.0), high: dvec2(1250.0, 862.0) };
        let mut random = Rng::new(&[1]);
        for _ in 0..150 {
            let corners = route(&mut random, &panel, 12);
            let labels = labelled(panel, &corners);
            assert!(labels.iter().all(Option::is_some), "{corners:?} has {labels:?}");
            let labels: Vec<_> = labels.into_iter().flatten().collect();
            check(&panel, &corners, &labels);
        }
    }

    #[test]
    fn where_there_is_no_room_a_label_is_left_out_and_none_overlaps() {
        let panel = Rect { low: DVec2::ZERO, high: dvec2(300.0, 200.0) };
        let mut random = Rng::new(&[2]);
        let mut left_out = 0;
        for _ in 0..20 {
            let corners = route(&mut random, &panel, 80);
            let labels = labelled(panel, &corners);
            left_out += labels.iter().filter(|label| label.is_none()).count();
            let labels: Vec<_> = labels.into_iter().flatten().collect();
            check(&panel, &corners, &labels);
        }
        assert!(left_out > 0);
    }

    #[test]
    fn the_same_route_has_the_same_labels() {
        let panel = Rect { low: DVec2::ZERO, high: dvec2(800.0, 500.0) };
        let corners = route(&mut Rng::new(&[3]), &panel, 20);
        let rects = || {
            let labels = labelled(panel, &corners);
            labels.into_iter().map(|label| label.map(|(label, _)| label)).collect::<Vec<_>>()
        };
        assert_eq!(rects(), rects());
    }

    #[test]
    fn labels_in_a_row_are_apart_in_order_and_near_the_wanted_positions() {
        let row = spread_in_row(&[10.0, 11.0, 12.0, 80.0], &[18.0; 4], [0.0, 100.0]);
        assert_eq!(row, [(0, 10.0), (1, 30.5), (2, 51.0), (3, 80.0)]);
        let row = spread_in_row(&[95.0, 96.0, 99.0], &[18.0; 3], [0.0, 100.0]);
        assert_eq!(row, [(0, 50.0), (1, 70.5), (2, 91.0)]);
        let mut random = Rng::new(&[4]);
        for count in [1u32, 5, 30, 400] {
            let mut wanted: Vec<f64> = (0..count).map(|_| 1000.0 * random.unit()).collect();
            wanted.sort_by(f64::total_cmp);
            let widths: Vec<f64> = (0..count).map(|_| 18.0 + 14.0 * random.unit()).collect();
            let row = spread_in_row(&wanted, &widths, [0.0, 1000.0]);
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
