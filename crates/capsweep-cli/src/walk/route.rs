//! Searches for a route that explores a level without a script.
//!
//! A tree of walks grows from each of a few starts. Each iteration extends the walk that ends in
//! the least visited cell, in a direction not yet tried there. It simulates the controller that
//! later walks the route, so the character can follow the route over stairs, slopes and ledges
//! and through doors. The result is the path through a tree that covers most of the level.

use super::character::{Character, Tick, ground_lengths};
use super::leg::{Goal, Leg};
use super::report::is_footing;
use super::start::{start_at, starts};
use crate::area::Area;
use anyhow::{Context, Result};
use capsweep::Aabb;
use capsweep::controller::{CharacterState, Locomotion, MoveOutcome};
use capsweep::scene::{BodyId, Scene};
use glam::DVec3;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::collections::{BTreeMap, BTreeSet};

/// Number of trees, each from its own start.
const TREES: usize = 6;
/// Moves simulated per tree, and the fewest and most walks: about a second for all trees.
const MOVES: f64 = 40_000.0;
const WALKS: [f64; 2] = [60.0, 240.0];
/// Most legs of the route.
const MAX_LEGS: usize = 12;
/// Directions tried from the end of a walk.
const DIRECTIONS: u32 = 12;
/// Typical height of a storey, in metres.
const STOREY_HEIGHT: f64 = 2.5;
/// Deepest fall that a route takes, in metres.
const MAX_FALL: f64 = 4.0;
/// A leg ends this many radii before a rim from which it would fall too deep.
const RIM_MARGIN: f64 = 2.0;
/// A leg ends where a wall obstructs it for longer than this, in seconds.
const MAX_OBSTRUCTION: f64 = 0.3;
/// A move below this fraction of the requested length counts as obstructed.
const MIN_PROGRESS: f64 = 0.5;
/// Largest fraction of a leg's moves that may be obstructed.
const MAX_OBSTRUCTED_SHARE: f64 = 0.2;
/// Seconds for the character to settle on the ground before the first leg.
const SETTLING_TIME: f64 = 0.5;

/// A start and the legs from there.
pub(crate) struct Route {
    pub(crate) start: CharacterState,
    pub(crate) legs: Vec<Leg>,
}

/// Searches for a route in an area and returns the best: from `start`, or from any ground.
pub(crate) fn find_route(
    scene: &Scene,
    (area, start): (&Area, Option<DVec3>),
    locomotion: &Locomotion,
    dt: f64,
) -> Result<Route> {
    let controller = locomotion.controller();
    let bounds = area.bounds.context("there is nothing in the scene to walk on")?;
    let found = match start {
        Some(start) => vec![start_at(scene, controller, start, area.unit)?],
        None => starts(scene, &bounds, controller)?,
    };
    if found.is_empty() {
        let unit = area.unit.symbol();
        anyhow::bail!(
            "found no ground to start from: none is walkable with room for a character {} {unit} \
             tall and {} {unit} wide. Check the up axis (--up) and the unit (--unit), or give \
             --start",
            controller.config().total_height,
            2.0 * controller.config().radius,
        );
    }
    let grid = VisitGrid::new(&bounds, controller.config().radius);
    let grow = |start: CharacterState| {
        let mut character = Character::new(*locomotion, start, dt);
        let settle = Leg::new("settle", Goal::Stand, SETTLING_TIME);
        character.walk(&mut scene.clone(), &[settle])?;
        let start = character.state.character;
        let character = Character::new(*locomotion, start, dt);
        let (score, legs) = WalkTree::grow(scene, character, grid, (area, &bounds), dt)?;
        Ok((score, Route { start, legs }))
    };
    let routes: Vec<(usize, Route)> =
        spread_out(&found).into_par_iter().map(grow).collect::<Result<_>>()?;
    // Of equal scores the last one wins, so the result does not depend on the threads.
    let best = routes.into_iter().max_by_key(|(score, _)| *score);
    let (_, route) = best
        .filter(|(score, _)| *score > 0)
        .context("found no route from any position with room to stand; give another --start")?;
    Ok(route)
}

/// Picks a few starts that are far apart: the one nearest to the centroid of all, then repeatedly
/// the one farthest from those picked.
fn spread_out(found: &[CharacterState]) -> Vec<CharacterState> {
    let centroid = found.iter().map(CharacterState::center).sum::<DVec3>() / found.len() as f64;
    let mut chosen: Vec<CharacterState> = Vec::new();
    // Heights count four times: another storey is far away on foot.
    let distance = |a: DVec3, b: DVec3| ((a - b) * DVec3::new(1.0, 1.0, 4.0)).length_squared();
    let from_centroid = |state: &&CharacterState| distance(state.center(), centroid);
    chosen.extend(
        found.iter().min_by(|a, b| from_centroid(a).total_cmp(&from_centroid(b))).copied(),
    );
    while chosen.len() < TREES.min(found.len()) {
        let separation = |state: &&CharacterState| {
            let to = |other: &CharacterState| distance(state.center(), other.center());
            chosen.iter().map(to).fold(f64::INFINITY, f64::min)
        };
        let Some(next) =
            found.iter().max_by(|a, b| separation(a).total_cmp(&separation(b))).copied()
        else {
            break;
        };
        chosen.push(next);
    }
    chosen
}

/// A grid over the level that counts the parts a walk visits.
#[derive(Debug, Clone, Copy)]
struct VisitGrid {
    cell_size: f64,
}

impl VisitGrid {
    /// Cells of 1/24 of the level, at least four radii: pacing within one cell explores nothing.
    fn new(bounds: &Aabb, radius: f32) -> Self {
        let span = bounds.size().truncate().max_element();
        Self { cell_size: (span / 24.0).max(4.0 * f64::from(radius)) }
    }

    /// The cell of a position. Each storey has its own cells, whatever their size.
    fn cell(self, position: DVec3) -> [i32; 3] {
        let [x, y] = (position.truncate() / self.cell_size).to_array().map(|x| x.floor() as i32);
        [x, y, (position.z / self.cell_size.min(STOREY_HEIGHT)).floor() as i32]
    }
}

/// A node of the tree: one leg from the end of its parent.
struct Branch {
    parent: Option<usize>,
    leg: Option<Leg>,
    /// Number of legs from the root.
    depth: usize,
    /// The character at the end of the leg.
    end: Character,
    /// Cells that the leg visits.
    cells: BTreeSet<[i32; 3]>,
    /// Surfaces that obstruct the leg.
    touched: BTreeSet<(BodyId, Option<u32>)>,
    /// Number of directions tried from its end.
    tried: u32,
}

/// The tree of walks from one start.
struct WalkTree<'a> {
    branches: Vec<Branch>,
    /// Number of walks that end in each cell.
    ends: BTreeMap<[i32; 3], u32>,
    grid: VisitGrid,
    scene: &'a Scene,
    area: &'a Area,
    /// Height below which a character has left the level.
    floor: f64,
    /// Time limit of a leg, in seconds.
    leg_seconds: f64,
    /// Seconds per move.
    dt: f64,
}

impl<'a> WalkTree<'a> {
    /// Grows a tree. Returns the best score of its paths, and the legs of that path.
    fn grow(
        scene: &'a Scene,
        start: Character,
        grid: VisitGrid,
        (area, bounds): (&'a Area, &Aabb),
        dt: f64,
    ) -> Result<(usize, Vec<Leg>)> {
        // A leg crosses an eighth of the level, in 1 to 12 seconds.
        let span = bounds.size().truncate().max_element();
        let leg_seconds = (span / 8.0 / super::leg::SPEED).clamp(1.0, 12.0);
        let root = Branch {
            parent: None,
            leg: None,
            depth: 0,
            end: start,
            cells: BTreeSet::new(),
            touched: BTreeSet::new(),
            tried: 0,
        };
        let floor = bounds.min().z - 1.0;
        let branches = vec![root];
        let ends = BTreeMap::new();
        let mut tree = Self { branches, ends, grid, scene, area, floor, leg_seconds, dt };
        let [fewest, most] = WALKS;
        for _ in 0..(MOVES * dt / leg_seconds).clamp(fewest, most) as usize {
            let Some(parent) = tree.least_visited() else { break };
            tree.extend(parent)?;
        }
        Ok(tree.best())
    }

    /// The branch to extend: the number of ends in its cell plus its tried directions is smallest.
    /// Of equals, the latest.
    fn least_visited(&self) -> Option<usize> {
        let open = self.branches.iter().enumerate();
        let open = open.filter(|(_, branch)| branch.tried < DIRECTIONS && branch.depth < MAX_LEGS);
        let visits = |branch: &Branch| {
            let cell = self.grid.cell(branch.end.feet());
            self.ends.get(&cell).copied().unwrap_or(0) + branch.tried
        };
        open.min_by_key(|(number, branch)| (visits(branch), usize::MAX - number))
            .map(|(number, _)| number)
    }

    /// Walks one more leg from the end of a branch, and keeps it if it is good.
    fn extend(&mut self, parent: usize) -> Result<()> {
        let number = self.branches.len();
        let from = &mut self.branches[parent];
        // 7 and 12 are coprime, so increments of 7/12 of a turn reach every direction. The first
        // direction differs from branch to branch.
        let turn = (from.tried * 7 + parent as u32 * 5) % DIRECTIONS;
        from.tried += 1;
        let degrees = f64::from(turn * (360 / DIRECTIONS));
        let name = format!("heading {degrees}°");
        let mut leg = Leg::new(&name, Goal::Heading(degrees), self.leg_seconds);
        let (mut end, depth) = (from.end.clone(), from.depth + 1);
        let start = end.clone();
        let mut ticks = Vec::new();
        // Nothing moves in a level from a file, so every walk may use its own clone.
        end.walk_leg(&mut self.scene.clone(), number, &leg, &mut ticks)?;
        let before_wall = moves_before_obstruction(&ticks, self.dt);
        let before_rim = self.moves_before_fall(&start, &leg, &ticks);
        if let Some(moves) = before_wall.into_iter().chain(before_rim).min() {
            // Walk the same moves again, up to that point.
            leg.seconds = moves as f64 * self.dt;
            (end, ticks) = (start.clone(), Vec::new());
            end.walk_leg(&mut self.scene.clone(), number, &leg, &mut ticks)?;
        }
        let before = start.feet();
        let controller = end.locomotion.controller();
        let path = || ticks.iter().map(|tick| controller.feet(&tick.record.outcome.state));
        let lands = self.moves_before_fall(&start, &leg, &ticks).is_none();
        let is_long = end.feet().distance(before) > 0.3 * self.leg_seconds * leg.speed;
        let obstructed = ticks.iter().filter(|tick| is_obstructed(&tick.record.outcome)).count();
        let is_free = obstructed as f64 <= MAX_OBSTRUCTED_SHARE * ticks.len() as f64;
        if lands && is_long && is_free && self.area.has(end.feet()) {
            let cells: BTreeSet<_> = path().map(|feet| self.grid.cell(feet)).collect();
            let contacts = ticks.iter().flat_map(|tick| &tick.record.outcome.contacts);
            let obstacles = contacts.filter(|contact| !is_footing(contact));
            let touched = obstacles.map(|one| (one.target.body, one.target.triangle)).collect();
            *self.ends.entry(self.grid.cell(end.feet())).or_default() += 1;
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

    /// The number of moves before a walk falls too deep or does not land, less a margin before the
    /// rim. `None` if the walk ends on the ground.
    fn moves_before_fall(&self, start: &Character, leg: &Leg, ticks: &[Tick]) -> Option<usize> {
        let controller = start.locomotion.controller();
        let margin = RIM_MARGIN * f64::from(controller.config().radius);
        let margin_moves = (margin / leg.speed / self.dt).ceil() as usize;
        let (mut highest, mut grounded) = (start.feet().z, 0usize);
        for (made, tick) in ticks.iter().enumerate() {
            let feet = controller.feet(&tick.record.outcome.state);
            if highest - feet.z > MAX_FALL || feet.z < self.floor {
                return Some(grounded.saturating_sub(margin_moves));
            }
            if tick.record.outcome.is_grounded() {
                (highest, grounded) = (feet.z, made + 1);
            } else {
                highest = highest.max(feet.z);
            }
        }
        (grounded < ticks.len()).then(|| grounded.saturating_sub(margin_moves))
    }

    /// The best score of all branches, and the legs from the root to that branch.
    fn best(&self) -> (usize, Vec<Leg>) {
        let scores = (0..self.branches.len()).map(|end| self.score(end));
        let best = scores.enumerate().max_by_key(|(_, score)| *score);
        let (end, score) = best.unwrap_or_default();
        let mut legs: Vec<Leg> =
            self.path_to_root(end).filter_map(|branch| branch.leg.clone()).collect();
        legs.reverse();
        (score, legs)
    }

    /// The score of a path: visited cells, plus touched surfaces up to the same number. Contacts
    /// make a walk worth showing.
    fn score(&self, end: usize) -> usize {
        let cells: BTreeSet<_> = self.path_to_root(end).flat_map(|branch| &branch.cells).collect();
        let touched: BTreeSet<_> =
            self.path_to_root(end).flat_map(|branch| &branch.touched).collect();
        cells.len() + touched.len().min(cells.len())
    }

    /// The branches from `end` back to the root.
    fn path_to_root(&self, end: usize) -> impl Iterator<Item = &Branch> {
        let parent = |branch: &&'_ Branch| branch.parent.map(|parent| &self.branches[parent]);
        std::iter::successors(Some(&self.branches[end]), parent)
    }
}

/// The number of moves before a wall obstructs a walk for longer than [`MAX_OBSTRUCTION`]. `None`
/// if none does.
fn moves_before_obstruction(ticks: &[Tick], dt: f64) -> Option<usize> {
    let limit = (MAX_OBSTRUCTION / dt).ceil() as usize;
    let mut free = 0;
    for (made, tick) in ticks.iter().enumerate() {
        if !is_obstructed(&tick.record.outcome) {
            free = made + 1;
        } else if made - free > limit {
            // Includes the first touch.
            return Some(free + 1);
        }
    }
    None
}

/// Whether a wall deflects or stops a move. A climbed step does not count.
fn is_obstructed(outcome: &MoveOutcome) -> bool {
    let (requested, achieved) = ground_lengths(outcome);
    (outcome.touching.sides && !outcome.stepped) || achieved < MIN_PROGRESS * requested
}
