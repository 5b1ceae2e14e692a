//! A dungeon of rooms and corridors on three levels.

use super::Mesh;
use super::build::{Flight, MeshBuilder, ring};
use crate::Rng;
use glam::{Vec2, Vec3, vec2, vec3};

/// Rooms in a row, and cells of 1 m from the middle of one room to that of the next.
const ROOMS: usize = 4;
const PLOT: usize = 14;
const SIDE: usize = ROOMS * PLOT;
/// Height between levels in metres, and the number of steps between them.
const RISE: f32 = 0.9;
const STEPS: u32 = 5;

/// A dungeon of 56 × 56 m with about 10 000 triangles. Fronts face the inside.
///
/// It has 16 rooms on three levels with pillars and crates, corridors with ceilings, low doorways,
/// ramps and stairs.
pub fn dungeon() -> Mesh {
    let mut rng = Rng::from_seed(7);
    let mut plan = Plan { cells: vec![None; SIDE * SIDE], level: MeshBuilder::default() };
    let rooms: Vec<Room> = (0..ROOMS * ROOMS)
        .map(|i| {
            let middle = [i % ROOMS * PLOT + PLOT / 2, i / ROOMS * PLOT + PLOT / 2];
            let mut reach = || 3 + rng.below(3) as usize;
            let (min, max) = ([0; 2].map(|_| reach()), [0; 2].map(|_| reach()));
            Room {
                min: [middle[0] - min[0], middle[1] - min[1]],
                max: [middle[0] + max[0], middle[1] + max[1]],
                level: rng.below(3),
                height: rng.range_f32(4.0, 6.0),
            }
        })
        .collect();
    for room in &rooms {
        plan.room(room, &mut rng);
    }
    for row in 0..ROOMS {
        for column in 0..ROOMS {
            let here = row * ROOMS + column;
            let stairs = rng.below(2) == 0;
            if column + 1 < ROOMS {
                plan.corridor(&rooms[here], &rooms[here + 1], Axis::X, stairs);
            }
            if row + 1 < ROOMS {
                plan.corridor(&rooms[here], &rooms[here + ROOMS], Axis::Y, !stairs);
            }
        }
    }
    plan.finish()
}

/// A room: the cells from `min` to below `max`.
#[derive(Debug, Clone, Copy)]
struct Room {
    min: [usize; 2],
    max: [usize; 2],
    /// Height of its floor above the lowest, in multiples of [`RISE`].
    level: u32,
    height: f32,
}

impl Room {
    fn floor(&self) -> f32 {
        self.level as f32 * RISE
    }
}

#[derive(Debug, Clone, Copy)]
enum Axis {
    X,
    Y,
}

/// Heights at the corners of a cell, counter-clockwise from the lowest x and y.
#[derive(Debug, Clone, Copy)]
struct Cell {
    floor: [f32; 4],
    ceiling: [f32; 4],
}

const CORNERS: [[usize; 2]; 4] = [[0, 0], [1, 0], [1, 1], [0, 1]];

#[derive(Debug)]
struct Plan {
    /// Open cells; the others are solid.
    cells: Vec<Option<Cell>>,
    level: MeshBuilder,
}

impl Plan {
    fn room(&mut self, room: &Room, rng: &mut Rng) {
        let (low, high) = (room.floor(), room.floor() + room.height);
        for y in room.min[1]..room.max[1] {
            for x in room.min[0]..room.max[0] {
                self.cells[y * SIDE + x] = Some(Cell { floor: [low; 4], ceiling: [high; 4] });
            }
        }
        let [west, south] = room.min.map(|cell| cell as f32);
        let [east, north] = room.max.map(|cell| cell as f32);
        let inset = 1.75;
        for x in [west + inset, east - inset] {
            for y in [south + inset, north - inset] {
                self.level.wall(&ring(vec2(x, y), 0.4, 8), low, high);
            }
        }
        for _ in 0..rng.below(4) {
            let at = vec2(rng.range_f32(west + 0.5, east - 1.5), south + 0.25);
            let top = low + rng.range_f32(0.3, 1.2);
            self.level.cuboid(at.extend(low), (at + Vec2::splat(0.9)).extend(top));
        }
    }

    /// Adds a corridor two cells wide between the middles of two rooms' sides.
    fn corridor(&mut self, from: &Room, to: &Room, axis: Axis, stairs: bool) {
        let (along, across) = match axis {
            Axis::X => (0, 1),
            Axis::Y => (1, 0),
        };
        let (start, end) = (from.max[along], to.min[along]);
        // Every room extends at least three cells from the middle of its plot.
        let middle = from.min[across] / PLOT * PLOT + PLOT / 2;
        let (low, high) = (from.floor().min(to.floor()), from.floor().max(to.floor()));
        let floor = |at: usize| {
            if stairs {
                return low;
            }
            // Horizontal under the doorways, a ramp between them.
            let run = (end - start - 2) as f32;
            let done = ((at as f32 - start as f32 - 1.0) / run).clamp(0.0, 1.0);
            from.floor() + (to.floor() - from.floor()) * done
        };
        for cell in start..end {
            let ceiling = if cell == start {
                from.floor() + 2.2
            } else if cell + 1 == end {
                to.floor() + 2.2
            } else {
                high + 2.8
            };
            for side in [middle - 1, middle] {
                let index = match axis {
                    Axis::X => side * SIDE + cell,
                    Axis::Y => cell * SIDE + side,
                };
                let floor = CORNERS.map(|corner| floor(cell + corner[along]));
                self.cells[index] = Some(Cell { floor, ceiling: [ceiling; 4] });
            }
        }
        let steps = from.level.abs_diff(to.level) * STEPS;
        if stairs && steps > 0 {
            let up = to.level > from.level;
            let (edge, middle) = (if up { end } else { start } as f32, middle as f32);
            let (forward, at) = match axis {
                Axis::X => (Vec3::X, vec3(edge, middle, low)),
                Axis::Y => (Vec3::Y, vec3(middle, edge, low)),
            };
            self.climb(at, if up { forward } else { -forward }, steps);
        }
    }

    /// Adds stairs that end below `end`, with a gap to the walls.
    fn climb(&mut self, end: Vec3, along: Vec3, steps: u32) {
        let (run, width) = (0.28, 1.6);
        let right = vec3(along.y, -along.x, 0.0);
        let foot = end - along * (run * steps as f32) + right * (width * 0.5);
        let rise = RISE / STEPS as f32;
        self.level.flight(&Flight { foot, along, width, steps, rise, run });
    }

    /// Adds floors and ceilings, and walls between cells of different heights.
    fn finish(mut self) -> Mesh {
        for y in 0..SIDE {
            for x in 0..SIDE {
                let Some(cell) = self.cells[y * SIDE + x] else { continue };
                let at = CORNERS.map(|[i, j]| vec2((x + i) as f32, (y + j) as f32));
                let [a, b, c, d] = [0, 1, 2, 3].map(|k| at[k].extend(cell.floor[k]));
                self.level.quad([a, b, c, d]);
                let [a, b, c, d] = [0, 1, 2, 3].map(|k| at[k].extend(cell.ceiling[k]));
                self.level.quad([a, d, c, b]);
                let neighbors = [(0, -1), (1, 0), (0, 1), (-1, 0)];
                for (k, (i, j)) in neighbors.into_iter().enumerate() {
                    let other = self.cell(x.wrapping_add_signed(i), y.wrapping_add_signed(j));
                    self.wall([at[k], at[(k + 1) % 4]], &cell, other.as_ref(), k);
                }
            }
        }
        self.level.finish()
    }

    fn cell(&self, x: usize, y: usize) -> Option<Cell> {
        if x < SIDE && y < SIDE { self.cells[y * SIDE + x] } else { None }
    }

    /// Adds the wall of `cell` at its side `k`: full height if the neighbour is solid, otherwise
    /// the differences of floors and ceilings.
    fn wall(&mut self, ends: [Vec2; 2], cell: &Cell, other: Option<&Cell>, k: usize) {
        let mine = [k, (k + 1) % 4];
        let (floor, ceiling) = (mine.map(|i| cell.floor[i]), mine.map(|i| cell.ceiling[i]));
        let mut strip = |low: [f32; 2], high: [f32; 2]| {
            self.level.quad([
                ends[1].extend(low[1]),
                ends[0].extend(low[0]),
                ends[0].extend(high[0]),
                ends[1].extend(high[1]),
            ]);
        };
        let Some(other) = other else {
            strip(floor, ceiling);
            return;
        };
        // The same two corners in the neighbour's numbering.
        let theirs = [(k + 3) % 4, (k + 2) % 4];
        let step = [0, 1].map(|i| floor[i].max(other.floor[theirs[i]]));
        let drop = [0, 1].map(|i| ceiling[i].min(other.ceiling[theirs[i]]));
        strip(floor, step);
        strip(drop, ceiling);
    }
}
