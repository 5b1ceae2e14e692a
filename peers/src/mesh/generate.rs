//! Generated levels: a dungeon of rooms on different floors and a block of a city.

use super::Mesh;
use super::solids::{Facing, Solids};
use crate::rng::Rng;
use glam::{Vec2, Vec3};

/// Rooms along a side of the dungeon.
const ROOMS: u32 = 12;
/// From the middle of a wall to the middle of the next, metres.
const ROOM: f32 = 10.0;
const WALL: f32 = 0.5;
const CEILING: f32 = 4.5;
const DOOR_WIDTH: f32 = 2.0;
const DOOR_HEIGHT: f32 = 2.4;
/// Height between two levels of floor: five steps of 0.2 m.
const LEVEL: f32 = 1.0;

/// 144 rooms with floors on three levels, doorways, stairs, columns and crates.
pub(crate) fn dungeon() -> Mesh {
    let mut rng = Rng::new(1);
    let mut solids = Solids::new();
    let count = (ROOMS * ROOMS) as usize;
    let floors: Vec<f32> = (0..count).map(|_| LEVEL * rng.below(3) as f32).collect();
    let floor = |x: u32, y: u32| floors[(y * ROOMS + x) as usize];
    for y in 0..ROOMS {
        for x in 0..ROOMS {
            let corner = Vec2::new(x as f32, y as f32) * ROOM;
            room(&mut solids, &mut rng, corner.extend(floor(x, y)));
            let next_x = (x + 1 < ROOMS).then(|| floor(x + 1, y));
            wall(&mut solids, corner + Vec2::X * ROOM, Vec2::Y, (floor(x, y), next_x));
            let next_y = (y + 1 < ROOMS).then(|| floor(x, y + 1));
            wall(&mut solids, corner + Vec2::splat(ROOM), Vec2::NEG_X, (floor(x, y), next_y));
        }
    }
    let side = ROOMS as f32 * ROOM;
    let low = -0.5 * WALL;
    solids.block(Vec3::new(low, low, -1.0), Vec3::new(-low, side, 2.0 * LEVEL + CEILING));
    solids.block(Vec3::new(low, low, -1.0), Vec3::new(side, -low, 2.0 * LEVEL + CEILING));
    solids.into_mesh("gen-dungeon")
}

/// Floor, ceiling and furniture of the room whose low corner is `corner`.
fn room(solids: &mut Solids, rng: &mut Rng, corner: Vec3) {
    solids.sheet(corner, Vec2::splat(ROOM), 5, Facing::Up);
    solids.sheet(corner.with_z(2.0 * LEVEL + CEILING), Vec2::splat(ROOM), 5, Facing::Down);
    for place in [(2.5, 2.5), (7.5, 2.5), (2.5, 7.5), (7.5, 7.5)] {
        let foot = corner + Vec3::new(place.0, place.1, 0.0);
        solids.column(foot, rng.between(0.2, 0.4), 2.0 * LEVEL + CEILING - corner.z);
    }
    for _ in 0..6 {
        let foot = corner + Vec3::new(rng.between(1.5, 8.5), rng.between(1.5, 8.5), 0.0);
        let size = Vec3::new(rng.between(0.3, 1.2), rng.between(0.3, 1.2), rng.between(0.2, 1.4));
        let along = rng.on_circle();
        solids.turned_block(foot, size, along);
    }
}

/// A wall of one room's length from `start` along `along`, with the room of the first floor to its
/// left; a doorway, and stairs where the floors differ, if there is a room behind it.
fn wall(solids: &mut Solids, start: Vec2, along: Vec2, (floor, behind): (f32, Option<f32>)) {
    let top = 2.0 * LEVEL + CEILING;
    let mut piece = |from: f32, to: f32, bottom: f32, top: f32| {
        let middle = start + along * (0.5 * (from + to));
        let size = Vec3::new(to - from, WALL, top - bottom);
        solids.turned_block(middle.extend(bottom), size, along);
    };
    let Some(behind) = behind else {
        return piece(-0.5 * WALL, ROOM + 0.5 * WALL, -1.0, top);
    };
    let door = (0.5 * (ROOM - DOOR_WIDTH), 0.5 * (ROOM + DOOR_WIDTH));
    let sill = floor.max(behind);
    piece(-0.5 * WALL, door.0, -1.0, top);
    piece(door.1, ROOM + 0.5 * WALL, -1.0, top);
    piece(door.0, door.1, -1.0, sill);
    piece(door.0, door.1, sill + DOOR_HEIGHT, top);
    let rise = (floor - behind).abs();
    if rise > 0.0 {
        let steps = (rise / 0.2).round() as u32;
        // Towards the door from the side of the lower floor.
        let towards = if floor < behind { -along.perp() } else { along.perp() };
        let run = 0.3 * towards;
        let middle = start + along * (0.5 * ROOM) - towards * (0.5 * WALL);
        let foot = (middle - run * steps as f32).extend(floor.min(behind));
        solids.stairs(foot, run, DOOR_WIDTH, (rise / steps as f32, steps));
    }
}

/// Plots along a side of the city.
const PLOTS: u32 = 6;
const STREET: f32 = 10.0;
const PLOT: f32 = 40.0;
const PAVEMENT: f32 = 3.0;
const KERB: f32 = 0.15;

/// 36 plots with kerbs, buildings with ledges and parapets, outside stairs, lamps, fences and crates.
pub(crate) fn city() -> Mesh {
    let mut rng = Rng::new(2);
    let mut solids = Solids::new();
    let pitch = PLOT + STREET;
    let side = PLOTS as f32 * pitch + STREET;
    solids.sheet(Vec3::ZERO, Vec2::splat(side), 60, Facing::Up);
    for y in 0..PLOTS {
        for x in 0..PLOTS {
            let corner = Vec2::new(x as f32, y as f32) * pitch + Vec2::splat(STREET);
            plot(&mut solids, &mut rng, corner);
        }
    }
    solids.into_mesh("gen-city")
}

fn plot(solids: &mut Solids, rng: &mut Rng, corner: Vec2) {
    let half = 0.5 * PLOT;
    solids.block(corner.extend(-0.5), (corner + Vec2::splat(PLOT)).extend(KERB));
    for quarter in [(0.0, 0.0), (half, 0.0), (0.0, half), (half, half)] {
        let low = corner + Vec2::new(quarter.0, quarter.1) + Vec2::splat(PAVEMENT);
        let size = Vec2::new(rng.between(8.0, 13.0), rng.between(8.0, 13.0));
        building(solids, low.extend(KERB), size, 1 + rng.below(10) as u32);
    }
    for lamp in 0..8 {
        let at = corner + Vec2::new(0.6, 2.5 + 5.0 * lamp as f32);
        solids.column(at.extend(KERB), 0.08, 5.0);
        let at = corner + Vec2::new(2.5 + 5.0 * lamp as f32, 0.6);
        solids.column(at.extend(KERB), 0.08, 5.0);
    }
    for _ in 0..24 {
        let at = corner + Vec2::new(rng.between(0.0, PLOT), rng.between(0.0, PLOT));
        let fence = Vec3::new(rng.between(1.0, 3.0), 0.06, 1.1);
        let crate_size =
            Vec3::new(rng.between(0.4, 1.5), rng.between(0.4, 1.5), rng.between(0.2, 1.2));
        let along = rng.on_circle();
        solids.turned_block(
            at.extend(KERB),
            if rng.below(2) == 0 { fence } else { crate_size },
            along,
        );
    }
}

/// A building of `storeys` of 3 m with window ledges on every storey, a parapet and an outside stair
/// to its first ledge.
fn building(solids: &mut Solids, low: Vec3, size: Vec2, storeys: u32) {
    let height = 3.0 * storeys as f32;
    let high = low + size.extend(height);
    solids.block(low, high);
    for storey in 0..storeys {
        let z = low.z + 3.0 * storey as f32 + 1.0;
        for window in 0..3 {
            let share = (window as f32 + 0.5) / 3.0;
            let (x, y) = (low.x + size.x * share, low.y + size.y * share);
            solids.block(Vec3::new(x - 0.6, low.y - 0.2, z), Vec3::new(x + 0.6, low.y, z + 0.1));
            solids.block(Vec3::new(x - 0.6, high.y, z), Vec3::new(x + 0.6, high.y + 0.2, z + 0.1));
            solids.block(Vec3::new(low.x - 0.2, y - 0.6, z), Vec3::new(low.x, y + 0.6, z + 0.1));
            solids.block(Vec3::new(high.x, y - 0.6, z), Vec3::new(high.x + 0.2, y + 0.6, z + 0.1));
        }
    }
    let parapet = 0.3;
    solids.block(Vec3::new(low.x, low.y, high.z), Vec3::new(high.x, low.y + parapet, high.z + 0.9));
    solids.block(Vec3::new(low.x, high.y - parapet, high.z), high + Vec3::Z * 0.9);
    let foot = Vec3::new(high.x + 1.0, low.y + 1.0, low.z);
    solids.stairs(foot, Vec2::new(0.0, 0.3), 1.2, (0.18, 16));
}
