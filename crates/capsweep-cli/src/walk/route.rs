//! A route that explores a level nobody described: found by walking.
//!
//! A tree of walks grows from each of a few starts: again and again the walk whose end was seen least is continued in a direction
//! that was not tried there, with the very controller that walks the route later. So whatever the route does (stairs, doors, slopes, ledges)
//! can be done. Of all ways from a start to an end, the one that sees most of the level is taken.

use super::leg::{Goal, Leg};
use super::report::is_footing;
use super::start::starts;
use super::walker::{Tick, Walker, level_lengths};
use crate::load::bounds;
use anyhow::{Context, Result};
use capsweep::Aabb;
use capsweep::controller::{CharacterState, Locomotion, MoveOutcome};
use capsweep::scene::{BodyId, Scene};
use glam::DVec3;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::collections::{BTreeMap, BTreeSet};

/// Starts from which a tree grows.
const TREES: usize = 6;
/// Moves that a tree is grown with, and the fewest and the most walks: a second or so for all trees.
const MOVES: f64 = 40_000.0;
const WALKS: [f64; 2] = [60.0, 240.0];
/// Legs of the route.
const LEGS: usize = 12;
/// Directions that are tried from a place, in degrees apart.
const DIRECTIONS: u32 = 12;
/// Metres from a floor to the next, about.
const STOREY: f64 = 2.5;
/// Falls deeper than this are not taken (metres).
const DEEPEST_FALL: f64 = 4.0;
/// A leg ends this many radii before a rim that it would fall from.
const RIM: f64 = 2.0;
/// A leg ends where something holds it up for longer than this (seconds).
const HELD_UP: f64 = 0.3;
/// Getting on is at least this part of what was asked for.
const HEADWAY: f64 = 0.5;
/// The largest part of a leg that may be spent held up.
const MOST_HELD_UP: f64 = 0.2;
/// Seconds in which a character settles on the ground before the first leg.
const SETTLING: f64 = 0.5;

/// Where to start, and the legs from there.
pub(crate) struct Route {
    pub(crate) start: CharacterState,
    pub(crate) legs: Vec<Leg>,
}

/// The best route that was found.
pub(crate) fn route(scene: &Scene, locomotion: &Locomotion, dt: f64) -> Result<Route> {
    let controller = locomotion.controller();
    let around = bounds(scene).context("there is nothing in the scene to walk on")?;
    let found = starts(scene, &around, controller)?;
    if found.is_empty() {
        anyhow::bail!(
            "found no ground to start from, walkable and with room for somebody {} m tall and {} m wide: \
             is the up axis (--up) or the unit (--unit) another one? A script can say where to start",
            controller.config().total_height,
            2.0 * controller.config().radius,
        );
    }
    let cells = Cells::of(&around, controller.config().radius);
    let grow = |start: CharacterState| {
        let mut walker = Walker::new(*locomotion, start, dt);
        let settle = Leg::new("settle", Goal::Stand, SETTLING);
        walker.walk(&mut scene.clone(), 0, &settle, &mut Vec::new())?;
        let start = walker.state.character;
        let walker = Walker::new(*locomotion, start, dt);
        let (score, legs) = Tree::grow(scene, walker, cells, &around, dt)?;
        Ok((score, Route { start, legs }))
    };
    let routes: Vec<(usize, Route)> =
        spread(&found).into_par_iter().map(grow).collect::<Result<_>>()?;
    // Of equals the last, whatever the threads did.
    let best = routes.into_iter().max_by_key(|(score, _)| *score);
    let (_, route) = best.filter(|(score, _)| *score > 0).context(
        "found no way to walk from where there is room to stand; a script can say where to start",
    )?;
    Ok(route)
}

/// A few starts, far apart: the one nearest to the middle of all, and then each time the one furthest from those before.
fn spread(found: &[CharacterState]) -> Vec<CharacterState> {
    let middle = found.iter().map(CharacterState::center).sum::<DVec3>() / found.len() as f64;
    let mut chosen: Vec<CharacterState> = Vec::new();
    // Another storey is further away than it is high.
    let distance = |a: DVec3, b: DVec3| ((a - b) * DVec3::new(1.0, 1.0, 4.0)).length_squared();
    let from_middle = |state: &&CharacterState| distance(state.center(), middle);
    chosen.extend(found.iter().min_by(|a, b| from_middle(a).total_cmp(&from_middle(b))).copied());
    while chosen.len() < TREES.min(found.len()) {
        let apart = |state: &&CharacterState| {
            let to = |other: &CharacterState| distance(state.center(), other.center());
            chosen.iter().map(to).fold(f64::INFINITY, f64::min)
        };
        let Some(next) = found.iter().max_by(|a, b| apart(a).total_cmp(&apart(b))).copied() else {
            break;
        };
        chosen.push(next);
    }
    chosen
}

/// The level cut into cubes, to tell what was seen.
#[derive(Debug, Clone, Copy)]
struct Cells {
    size: f64,
}

impl Cells {
    /// A twenty-fourth of the level, but no smaller than a stride: going to and fro in one sees nothing new.
    fn of(around: &Aabb, radius: f32) -> Self {
        let span = around.size().truncate().max_element();
        Self { size: (span / 24.0).max(4.0 * f64::from(radius)) }
    }

    /// Another storey is another cell, however large the cells are.
    fn at(self, place: DVec3) -> [i32; 3] {
        let [x, y] = (place.truncate() / self.size).to_array().map(|x| x.floor() as i32);
        [x, y, (place.z / self.size.min(STOREY)).floor() as i32]
    }
}

/// One walk of a tree: from the end of another, in one direction.
struct Branch {
    parent: Option<usize>,
    leg: Option<Leg>,
    /// How many legs lead here.
    depth: usize,
    end: Walker,
    /// Cells that it went through.
    cells: BTreeSet<[i32; 3]>,
    /// Surfaces in its way.
    touched: BTreeSet<(BodyId, Option<u32>)>,
    /// Directions that were tried from its end.
    tried: u32,
}

struct Tree<'a> {
    branches: Vec<Branch>,
    /// How often each cell was the end of a walk.
    ends: BTreeMap<[i32; 3], u32>,
    cells: Cells,
    scene: &'a Scene,
    /// Nobody walks below this.
    floor: f64,
    seconds: f64,
    /// Seconds a move takes.
    dt: f64,
}

impl<'a> Tree<'a> {
    /// The most cells that a way through the tree sees, and the legs of that way.
    fn grow(
        scene: &'a Scene,
        root: Walker,
        cells: Cells,
        around: &Aabb,
        dt: f64,
    ) -> Result<(usize, Vec<Leg>)> {
        // A leg crosses an eighth of the level, in a reasonable time.
        let span = around.size().truncate().max_element();
        let seconds = (span / 8.0 / super::leg::SPEED).clamp(1.0, 12.0);
        let trunk = Branch {
            parent: None,
            leg: None,
            depth: 0,
            end: root,
            cells: BTreeSet::new(),
            touched: BTreeSet::new(),
            tried: 0,
        };
        let floor = around.min().z - 1.0;
        let branches = vec![trunk];
        let mut tree = Self { branches, ends: BTreeMap::new(), cells, scene, floor, seconds, dt };
        let [fewest, most] = WALKS;
        for _ in 0..(MOVES * dt / seconds).clamp(fewest, most) as usize {
            let Some(parent) = tree.least_seen() else { break };
            tree.extend(parent)?;
        }
        Ok(tree.best())
    }

    /// The end to go on from: in the cell where fewest walks ended and with fewest directions tried; the latest of equals.
    fn least_seen(&self) -> Option<usize> {
        let open = self.branches.iter().enumerate();
        let open = open.filter(|(_, branch)| branch.tried < DIRECTIONS && branch.depth < LEGS);
        let seen = |branch: &Branch| {
            let cell = self.cells.at(branch.end.feet());
            self.ends.get(&cell).copied().unwrap_or(0) + branch.tried
        };
        open.min_by_key(|(number, branch)| (seen(branch), usize::MAX - number))
            .map(|(number, _)| number)
    }

    fn extend(&mut self, parent: usize) -> Result<()> {
        let number = self.branches.len();
        let from = &mut self.branches[parent];
        // Steps of seven twelfths of a circle come to every direction; where to begin differs from branch to branch.
        let turn = (from.tried * 7 + parent as u32 * 5) % DIRECTIONS;
        from.tried += 1;
        let degrees = f64::from(turn * (360 / DIRECTIONS));
        let name = format!("heading {degrees}°");
        let mut leg = Leg::new(&name, Goal::Heading(degrees), self.seconds);
        let (mut end, depth) = (from.end.clone(), from.depth + 1);
        let start = end.clone();
        let mut ticks = Vec::new();
        // Nothing moves in a level from a file, so the scene is shared.
        end.walk(&mut self.scene.clone(), number, &leg, &mut ticks)?;
        let before_wall = headway(&ticks, self.dt);
        let before_rim = self.foothold(&start, &leg, &ticks);
        if let Some(moves) = before_wall.into_iter().chain(before_rim).min() {
            // The same moves again, up to there.
            leg.seconds = moves as f64 * self.dt;
            (end, ticks) = (start.clone(), Vec::new());
            end.walk(&mut self.scene.clone(), number, &leg, &mut ticks)?;
        }
        let before = start.feet();
        let controller = end.locomotion.controller();
        let path = || ticks.iter().map(|tick| controller.feet(&tick.step.outcome.state));
        let lands = self.foothold(&start, &leg, &ticks).is_none();
        // A walk against a wall leads nowhere.
        let leads = end.feet().distance(before) > 0.3 * self.seconds * leg.speed;
        let held_up = ticks.iter().filter(|tick| is_held_up(&tick.step.outcome)).count();
        let free = held_up as f64 <= MOST_HELD_UP * ticks.len() as f64;
        if lands && leads && free {
            let cells: BTreeSet<_> = path().map(|feet| self.cells.at(feet)).collect();
            let contacts = ticks.iter().flat_map(|tick| &tick.step.outcome.contacts);
            let met = contacts.filter(|contact| !is_footing(contact));
            let touched = met.map(|met| (met.target.body, met.target.triangle)).collect();
            *self.ends.entry(self.cells.at(end.feet())).or_default() += 1;
            self.branches.push(Branch {
                parent: Some(parent),
                leg: Some(leg),
                depth,
                end,
                cells,
                touched,
                tried: 0,
            });
        }
        Ok(())
    }

    /// How many moves a walk makes on the ground before it falls too deep or does not land, up to some way before the rim; `None` if
    /// it keeps its foothold.
    fn foothold(&self, start: &Walker, leg: &Leg, ticks: &[Tick]) -> Option<usize> {
        let controller = start.locomotion.controller();
        let way = RIM * f64::from(controller.config().radius);
        let back = (way / leg.speed / self.dt).ceil() as usize;
        let (mut highest, mut grounded) = (start.feet().z, 0usize);
        for (made, tick) in ticks.iter().enumerate() {
            let feet = controller.feet(&tick.step.outcome.state);
            let falls = highest - feet.z > DEEPEST_FALL || feet.z < self.floor;
            if falls {
                return Some(grounded.saturating_sub(back));
            }
            if tick.step.outcome.is_grounded() {
                (highest, grounded) = (feet.z, made + 1);
            } else {
                highest = highest.max(feet.z);
            }
        }
        (grounded < ticks.len()).then(|| grounded.saturating_sub(back))
    }

    fn best(&self) -> (usize, Vec<Leg>) {
        let scores = (0..self.branches.len()).map(|end| self.score(end));
        let best = scores.enumerate().max_by_key(|(_, score)| *score);
        let (end, score) = best.unwrap_or_default();
        let mut legs: Vec<Leg> = self.way(end).filter_map(|branch| branch.leg.clone()).collect();
        legs.reverse();
        (score, legs)
    }

    /// How much a way sees: cells, and as many surfaces at most. A walk that meets nothing shows nothing.
    fn score(&self, end: usize) -> usize {
        let cells: BTreeSet<_> = self.way(end).flat_map(|branch| &branch.cells).collect();
        let touched: BTreeSet<_> = self.way(end).flat_map(|branch| &branch.touched).collect();
        cells.len() + touched.len().min(cells.len())
    }

    /// From an end back to the start.
    fn way(&self, end: usize) -> impl Iterator<Item = &Branch> {
        let up = |branch: &&'_ Branch| branch.parent.map(|parent| &self.branches[parent]);
        std::iter::successors(Some(&self.branches[end]), up)
    }
}

/// How many moves a walk makes before something holds it up for longer than [`HELD_UP`]; `None` if it gets on to its end.
fn headway(ticks: &[Tick], dt: f64) -> Option<usize> {
    let most = (HELD_UP / dt).ceil() as usize;
    let mut free = 0;
    for (made, tick) in ticks.iter().enumerate() {
        if !is_held_up(&tick.step.outcome) {
            free = made + 1;
        } else if made - free > most {
            // With the first touch.
            return Some(free + 1);
        }
    }
    None
}

/// Whether a wall turns or stops a move. A step that is climbed does not.
fn is_held_up(outcome: &MoveOutcome) -> bool {
    let (asked, got) = level_lengths(outcome);
    (outcome.touching.sides && !outcome.stepped) || got < HEADWAY * asked
}
