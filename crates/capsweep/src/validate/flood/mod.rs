//! Flood fill: searches for a path from one claim to the next.
//!
//! It searches a grid of columns around both positions with sweeps of the tested body. That body
//! is slightly thinner than the character and begins at step height, so it passes wherever the
//! character can pass. The ground limits heights: from walkable ground the body rises by at most a
//! jump, and steep ground lifts it no further.

mod node;

use crate::tolerance::UPRIGHT;
use crate::validate::flood::node::{Entry, Known, Node};
use crate::validate::near::{Enough, Surface, WayBox};
use crate::validate::probe::{GroundBelow, Probe};
use glam::DVec3;
use std::collections::{BinaryHeap, HashMap};

/// Width of a column, as a fraction of the tested body's radius. With half a radius, slides along
/// walls find most passages.
const SPACING: f64 = 0.5;

/// The same for a second search, which runs if the first met walls that face each other: a passage
/// barely wider than the body may lie between two columns of the first grid.
const FINE_SPACING: f64 = 0.15;

/// Largest cosine between the normals of two walls that face each other (no unit).
const FACING: f64 = -0.1;

/// Largest ratio of path length to budget. Paths over a grid of eight directions are up to 1.08
/// times as long as the shortest, and slides along walls add to that.
const DETOUR: f64 = 1.3;

/// A path to a known column is dropped if it reaches higher by less than this (metres).
const HEIGHT_STEP: f64 = 0.02;

/// A path to a known column is kept if it leads lower by more than this fraction of the height at
/// which the tested body begins: the lower position may be under a ledge, and the other on it.
const LOWER: f64 = 0.25;

/// Ground that is higher than the feet by more than this may be a ledge beside them (metres).
const LEDGE: f64 = 0.05;

/// Gap that is kept to a wall after a slide (metres).
const GAP: f64 = 1e-4;

/// Distance between two heights at which a sideways step is tried, as a fraction of the body's
/// height.
const LAYERS: f64 = 0.25;

/// Most layers: a flyer may be far above the ground, and below a fall may be a void. If there are
/// more, those near both positions are tried.
const MAX_LAYERS: u32 = 32;

/// Bounds of a search. Heights are along up, lengths are horizontal.
pub(crate) struct Search {
    pub(crate) from: DVec3,
    pub(crate) to: DVec3,
    /// Length that the character can walk.
    pub(crate) length: f64,
    /// Height that the feet can reach from where they are, without other ground.
    pub(crate) highest: f64,
    /// Height that a jump adds to the height of the ground.
    pub(crate) jump: f64,
    /// Height of the contact with the ground at the start. Steps are measured from there.
    pub(crate) contact: f64,
    /// A jump can land in the interval, so it can reach higher ground.
    pub(crate) lands: bool,
    /// How far the ground at the end may be above the height that the feet can reach.
    pub(crate) step: f64,
    /// How far below both positions the path may lead.
    pub(crate) depth: f64,
    /// Largest error of claimed heights.
    pub(crate) error: f64,
}

/// Result of a search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Found {
    /// A path exists.
    Way,
    /// No path reaches the position.
    NoWay {
        /// A path ends this far below the position (metres); `None` if no path gets near it.
        too_high: Option<f64>,
    },
    /// The query budget ran out.
    Spent,
}

struct Flood<'a, 'b> {
    probe: &'a mut Probe<'b>,
    search: &'a Search,
    /// Horizontal axes.
    axes: [DVec3; 2],
    spacing: f64,
    longest: f64,
    lowest: f64,
    open: BinaryHeap<Entry>,
    /// What is known of each column and storey.
    seen: HashMap<[i32; 4], Known>,
    too_high: Option<f64>,
    is_narrow: bool,
}

pub(crate) fn flood(probe: &mut Probe, search: &Search) -> Found {
    let (found, is_narrow) = flood_grid(probe, search, SPACING);
    match found {
        Found::NoWay { .. } if is_narrow => flood_grid(probe, search, FINE_SPACING).0,
        _ => found,
    }
}

/// Searches a grid. Also returns whether walls that face each other blocked a step.
fn flood_grid(probe: &mut Probe, search: &Search, spacing: f64) -> (Found, bool) {
    let up = probe.up;
    let spacing = spacing * probe.radius;
    let axes = up.any_orthonormal_pair();
    let lowest = search.from.dot(up).min(search.to.dot(up)) - search.depth;
    let mut flood = Flood {
        search,
        axes: [axes.0, axes.1],
        spacing,
        longest: DETOUR * search.length + 2.0 * spacing,
        lowest,
        open: BinaryHeap::new(),
        seen: HashMap::new(),
        too_high: None,
        is_narrow: false,
        probe,
    };
    flood.push(Node {
        feet: search.from,
        highest: search.highest,
        length: 0.0,
        airborne: false,
        contact: search.contact,
    });
    let start = Node {
        feet: search.from,
        highest: search.highest,
        length: 0.0,
        airborne: false,
        contact: f64::NEG_INFINITY,
    };
    flood.add(start, search.from.dot(up));
    (flood.run(), flood.is_narrow)
}

/// Number of layers of this thickness, at most [`MAX_LAYERS`].
fn layers_between(low: f64, high: f64, thickness: f64) -> u32 {
    (0..MAX_LAYERS).find(|&count| low + thickness * f64::from(count) >= high).unwrap_or(MAX_LAYERS)
}

impl Flood<'_, '_> {
    fn up(&self) -> DVec3 {
        self.probe.up
    }

    fn level(&self, vector: DVec3) -> DVec3 {
        vector - self.up() * vector.dot(self.up())
    }

    fn run(&mut self) -> Found {
        while let Some(Entry { node, step, .. }) = self.open.pop() {
            if self.probe.is_spent() {
                return Found::Spent;
            }
            if let Some((direction, ceiling)) = step {
                self.make_step(&node, direction, ceiling);
                continue;
            }
            let ceiling = self.ceiling(&node);
            if self.is_near_goal(&node) && self.reaches_goal(&node, ceiling) {
                return Found::Way;
            }
            self.expand(&node, ceiling);
        }
        Found::NoWay { too_high: self.too_high }
    }

    /// Whether to test for the goal from this node: near it always, far from it in every fourth
    /// column. A path to the goal passes through near columns anyway.
    fn is_near_goal(&self, node: &Node) -> bool {
        let rest = self.rest(node.feet);
        let [x, y, _] = self.cell(node.feet);
        rest <= 4.0 * self.spacing || (x % 2 == 0 && y % 2 == 0)
    }

    fn cell(&self, feet: DVec3) -> [i32; 3] {
        let from = feet - self.search.from;
        [
            (from.dot(self.axes[0]) / self.spacing).round() as i32,
            (from.dot(self.axes[1]) / self.spacing).round() as i32,
            (from.dot(self.up()) / self.probe.raise).round() as i32,
        ]
    }

    fn key(&self, feet: DVec3, rises: bool) -> [i32; 4] {
        let [x, y, z] = self.cell(feet);
        [x, y, z, i32::from(rises)]
    }

    /// Height that the feet can reach from a node, under the ceiling.
    fn ceiling(&mut self, node: &Node) -> f64 {
        let height = node.feet.dot(self.up());
        let rise = node.highest - height;
        if rise <= GAP {
            return height;
        }
        let above = node.feet + self.up() * rise;
        match self.probe.blocked(node.feet, above) {
            None => node.highest,
            Some(hit) => height + (rise * hit.hit.time - GAP).max(0.0),
        }
    }

    fn reaches_goal(&mut self, node: &Node, ceiling: f64) -> bool {
        let goal = self.search.to;
        let rest = self.rest(node.feet);
        if node.length + rest > self.longest {
            return false;
        }
        let (low, wanted) = (node.feet.dot(self.up()), goal.dot(self.up()));
        let ceiling = ceiling.max(low);
        let Search { step, lands, error, .. } = *self.search;
        // On foot, ground at the goal may be higher by a step. After a jump, only if the jump can
        // land.
        let on_foot = if node.airborne { low } else { low.max(node.contact) + step };
        let jumped = ceiling + if lands { step } else { 0.0 };
        let slack = error + HEIGHT_STEP;
        let highest = on_foot.max(jumped) + slack;
        if wanted > highest {
            if rest <= 2.0 * self.spacing {
                let by = wanted - highest;
                self.too_high = Some(self.too_high.map_or(by, |other| other.min(by)));
            }
            return false;
        }
        let mut heights = [None, None];
        if wanted <= on_foot + slack {
            heights[0] = Some(low);
        }
        if wanted <= jumped + slack {
            heights[1] = Some(wanted.clamp(low, ceiling)).filter(|height| *height > low + GAP);
        }
        heights.into_iter().flatten().any(|height| {
            // Sideways first, then up or down.
            let from = node.feet + self.up() * (height - low);
            let over = goal + self.up() * (height - wanted);
            if self.probe.blocked(from, over).is_none() && self.probe.blocked(over, goal).is_none()
            {
                return true;
            }
            // The head may be in a one-sided floor, which blocks only what does not rise.
            self.probe.blocked(from - self.up() * GAP, goal).is_none()
        })
    }

    /// The step in one of eight directions.
    fn step(&self, direction: u8) -> DVec3 {
        const DIAGONAL: f64 = core::f64::consts::FRAC_1_SQRT_2;
        let (x, y) = match direction {
            0 => (1.0, 0.0),
            1 => (DIAGONAL, DIAGONAL),
            2 => (0.0, 1.0),
            3 => (-DIAGONAL, DIAGONAL),
            4 => (-1.0, 0.0),
            5 => (-DIAGONAL, -DIAGONAL),
            6 => (0.0, -1.0),
            _ => (DIAGONAL, -DIAGONAL),
        };
        (self.axes[0] * x + self.axes[1] * y) * self.spacing
    }

    fn expand(&mut self, node: &Node, ceiling: f64) {
        for direction in 0..8 {
            let (feet, length) = (node.feet + self.step(direction), node.length + self.spacing);
            let order = self.order(feet, length);
            self.open.push(Entry { node: *node, step: Some((direction, ceiling)), order });
        }
    }

    /// Tries a step at each height up to the ceiling.
    fn make_step(&mut self, node: &Node, direction: u8, ceiling: f64) {
        let step = self.step(direction);
        let length = node.length + self.spacing;
        if self.is_known((node.feet + step, node.airborne), node.highest, length) {
            return;
        }
        let low = node.feet.dot(self.up());
        let layer = (LAYERS * self.probe.height()).max(0.1);
        let layers = layers_between(low, ceiling, layer);
        let first = self.first_layer(low, ceiling, layer);
        for number in 0..=layers {
            let height = match number {
                0 => low,
                _ => (first + layer * f64::from(number)).min(ceiling.max(low)),
            };
            let from = node.feet + self.up() * (height - low);
            let (reached, free) = self.slide(from, step);
            let made = self.level(reached - from).length();
            if made > 0.25 * self.spacing {
                let airborne = node.airborne || number > 0;
                let length = node.length + made;
                self.add(Node { feet: reached, length, airborne, ..*node }, low);
            }
            // Another storey may begin higher up, unless the space above is open.
            if free && (number == layers || self.is_open(reached, ceiling - height)) {
                break;
            }
        }
    }

    /// Height below the layers between a node and its ceiling: that of the node, or a higher one
    /// if there are too many layers.
    fn first_layer(&self, low: f64, ceiling: f64, layer: f64) -> f64 {
        let all = layer * f64::from(MAX_LAYERS);
        let [from, to] = [self.search.from, self.search.to].map(|feet| feet.dot(self.up()));
        (from.min(to) - 0.25 * all).min(ceiling - all).max(low)
    }

    fn is_open(&mut self, feet: DVec3, rise: f64) -> bool {
        rise <= GAP || self.probe.blocked(feet, feet + self.up() * rise).is_none()
    }

    /// Whether a path that is as short, and reaches as high and as low, already leads to this
    /// column.
    fn is_known(&self, (feet, rises): (DVec3, bool), highest: f64, length: f64) -> bool {
        self.seen.get(&self.key(feet, rises)).is_some_and(|known| {
            known.length <= length + 0.5 * self.spacing
                && known.highest + HEIGHT_STEP >= highest
                && known.low <= feet.dot(self.up()) + LOWER * self.probe.raise
        })
    }

    /// Moves the body by `step`, with at most one slide along a wall. Returns the reached
    /// position, and whether the step was free.
    fn slide(&mut self, from: DVec3, step: DVec3) -> (DVec3, bool) {
        let Some(hit) = self.probe.blocked(from, from + step) else { return (from + step, true) };
        let normal = hit.hit.normal.as_dvec3();
        // Slide down along a sloped ceiling, and horizontally along all other surfaces.
        let is_overhead = normal.dot(self.up()) < -UPRIGHT;
        let normal = if is_overhead { normal } else { self.level(normal).normalize_or_zero() };
        let reached = from + step * hit.hit.time + normal * GAP;
        let left = step * (1.0 - hit.hit.time);
        let along = left - normal * left.dot(normal).min(0.0);
        if along.length() <= GAP {
            return (reached, false);
        }
        let next = self.probe.blocked(reached, reached + along);
        if let Some(next) = &next {
            let faces = self.level(next.hit.normal.as_dvec3()).dot(self.level(normal)) < FACING;
            self.is_narrow |= faces;
        }
        let time = next.map_or(1.0, |hit| hit.hit.time);
        let kept = (time - GAP / along.length()).max(0.0);
        (reached + along * kept, false)
    }

    /// Adds a position that was reached from feet at the height `low`.
    fn add(&mut self, reached: Node, low: f64) {
        let Node { feet: at, length, airborne, contact, .. } = reached;
        if length + self.rest(at) > self.longest {
            return;
        }
        let height = at.dot(self.up());
        let depth = (height - self.lowest).max(0.0);
        let base = height.max(contact) + self.search.error;
        let reached = Node { airborne: airborne && !self.search.lands, ..reached };
        let ground = self.probe.ground(at, depth);
        let rise = ground.as_ref().map_or(0.0, |ground| ground.rise);
        self.settle(&reached, base, depth, ground);
        if height + rise > low + LEDGE {
            // The round bottom rests on a ledge. The thinner body may fit beside it, lower down.
            let ground = self.probe.narrow_ground(at, depth);
            self.settle(&reached, base, depth, ground);
        }
    }

    /// Adds a position, placed on the ground below it.
    fn settle(&mut self, node: &Node, base: f64, depth: f64, ground: Option<GroundBelow>) {
        let Node { feet: at, highest, length, airborne: rises, .. } = *node;
        let (feet, highest, contact) = match ground {
            // A rising jump climbs no step. It rolls over an edge whose contact normal is
            // walkable, and follows a walkable slope.
            Some(ground) if rises => {
                let lift = ground.rise.max(0.0);
                let most = self.search.highest + self.probe.rim();
                let rolls = ground.walkable && highest + lift <= most;
                if lift > self.search.error && !rolls {
                    return;
                }
                let lift = if rolls { lift } else { 0.0 };
                (at + self.up() * lift, highest + lift, f64::NEG_INFINITY)
            }
            // Too high for a step: an obstacle, not ground.
            Some(ground) if ground.walkable && ground.contact > base + self.probe.climb => {
                (at, highest, f64::NEG_INFINITY)
            }
            Some(ground) if ground.walkable => {
                let jumped = ground.contact + self.search.jump;
                (at + self.up() * ground.rise, highest.max(jumped), ground.contact)
            }
            Some(ground) => self.settle_on_steep_ground(node, base + self.probe.climb, &ground),
            None => (at - self.up() * depth, highest, f64::NEG_INFINITY),
        };
        self.push(Node { feet, highest, length, airborne: rises, contact });
    }

    /// The feet, the height that they can reach, and the height of the contact, on steep ground.
    /// The contact of a step is no higher than `most`.
    fn settle_on_steep_ground(
        &mut self,
        node: &Node,
        most: f64,
        ground: &GroundBelow,
    ) -> (DVec3, f64, f64) {
        let Node { feet, highest, .. } = *node;
        let height = feet.dot(self.up());
        // Further back, the character touches the same slope at a lower point.
        let contact = ground.contact.min(most);
        let rise = ground.rise - (ground.contact - contact);
        let jumped = height + rise + self.search.jump;
        if jumped > highest + HEIGHT_STEP && self.steps_onto(feet, rise, contact) {
            return (feet + self.up() * rise, jumped, contact);
        }
        if ground.contact > most {
            return (feet, highest, f64::NEG_INFINITY);
        }
        // Steep ground carries the body only up to the height that it can reach anyway.
        let carries = height + rise <= highest + GAP;
        let rise = if carries { rise } else { (highest - height).min(0.0) };
        (feet + self.up() * rise, highest, contact)
    }

    /// Whether a step from `feet` may end on steep ground, `rise` higher, from which the character
    /// can then jump.
    ///
    /// The controller's sensor requires walkable ground a radius further on that is no lower than
    /// the landing, and measures the next step from the contact. This test accepts such ground
    /// anywhere within that distance.
    fn steps_onto(&mut self, feet: DVec3, rise: f64, contact: f64) -> bool {
        if rise <= 0.0 || !self.is_open(feet, rise) {
            return false;
        }
        let landing = feet + self.up() * rise;
        let (low, most) = (landing.dot(self.up()), contact + self.probe.climb);
        let region = WayBox {
            from: landing,
            to: landing,
            below: 0.0,
            above: 0.0,
            beside: self.probe.skinned,
            tall: (most - low).max(0.0),
        };
        let mut is_near = false;
        self.probe.near_surfaces(&region, |[lowest, highest], surface| {
            is_near |= surface != Surface::Steep && highest >= low && lowest <= most;
            if is_near { Enough::Yes } else { Enough::No }
        });
        is_near
    }

    fn push(&mut self, node: Node) {
        let Node { feet, highest, length, airborne, .. } = node;
        if self.is_known((feet, airborne), highest, length) {
            return;
        }
        let key = self.key(feet, airborne);
        let low = feet.dot(self.up());
        let known = self.seen.entry(key).or_insert(Known { length, highest, low });
        known.length = known.length.min(length);
        known.highest = known.highest.max(highest);
        known.low = known.low.min(low);
        let order = self.order(feet, length);
        self.open.push(Entry { node, step: None, order });
    }

    /// Horizontal distance from `feet` to the goal.
    fn rest(&self, feet: DVec3) -> f64 {
        self.level(self.search.to - feet).length()
    }

    fn order(&self, feet: DVec3, length: f64) -> f64 {
        length + 2.0 * self.rest(feet)
    }
}
