//! A city block with buildings that characters can enter.

use super::Mesh;
use super::build::{Flight, MeshBuilder};
use crate::Rng;
use glam::{Vec3, vec3};

/// Width of a window bay, height of a storey, thickness of walls and of floors, in metres.
const BAY: f32 = 3.0;
const STOREY: f32 = 3.2;
const WALL: f32 = 0.3;
const SLAB: f32 = 0.2;
/// Steps of a flight, and the depth of a step in metres.
const STEPS: u32 = 15;
const RUN: f32 = 0.28;
/// Distance between the corners of neighbouring lots, in metres.
const LOT: f32 = 40.0;

/// A city block of 120 × 120 m with about 50 000 triangles.
///
/// It has streets with kerbs, eight buildings of four to six storeys with stairs, windows and
/// columns, and a square with benches.
pub fn city_block() -> Mesh {
    let mut rng = Rng::from_seed(11);
    let mut city = MeshBuilder::default();
    city.grid(vec3(-10.0, -10.0, 0.0), [Vec3::X * 130.0, Vec3::Y * 130.0], [40, 40]);
    for lot in 0..9 {
        let corner = vec3((lot % 3) as f32 * LOT, (lot / 3) as f32 * LOT, 0.0);
        // The pavement, 15 cm above the street.
        city.cuboid(corner, corner + vec3(30.0, 30.0, 0.15));
        if lot == 4 {
            square(&mut city, corner + Vec3::Z * 0.15, &mut rng);
        } else {
            let bays = [6 + rng.below(3), 5 + rng.below(2)];
            let storeys = 4 + rng.below(3);
            building(&mut city, corner + vec3(3.0, 3.0, 0.15), bays, storeys);
        }
    }
    city.finish()
}

fn building(city: &mut MeshBuilder, corner: Vec3, bays: [u32; 2], storeys: u32) {
    for storey in 0..storeys {
        let floor = corner + Vec3::Z * (STOREY * storey as f32);
        slab(city, floor, bays, storey > 0);
        facade(city, floor, bays, storey == 0);
        columns(city, floor, bays);
        // The stairwell is exactly above the flight. The edge of the next floor is its last step.
        city.flight(&Flight {
            foot: floor + vec3(BAY, BAY, SLAB),
            along: Vec3::X,
            width: 1.4,
            steps: STEPS,
            rise: STOREY / (STEPS + 1) as f32,
            run: RUN,
        });
    }
    let roof = corner + Vec3::Z * (STOREY * storeys as f32);
    slab(city, roof, bays, true);
    let (size, top) = (extent(bays), vec3(0.0, 0.0, 1.1));
    city.cuboid(roof, roof + vec3(size.x, WALL, 0.0) + top);
    city.cuboid(roof + vec3(0.0, size.y - WALL, 0.0), roof + size + top);
    city.cuboid(roof + vec3(0.0, WALL, 0.0), roof + vec3(WALL, size.y - WALL, 0.0) + top);
    city.cuboid(
        roof + vec3(size.x - WALL, WALL, 0.0),
        roof + vec3(size.x, size.y - WALL, 0.0) + top,
    );
}

fn extent([x, y]: [u32; 2]) -> Vec3 {
    vec3(x as f32 * BAY, y as f32 * BAY, 0.0)
}

/// The floor of a storey: four pieces around the stairwell, or one.
fn slab(city: &mut MeshBuilder, floor: Vec3, bays: [u32; 2], well: bool) {
    let size = extent(bays);
    let mut piece = |[west, south]: [f32; 2], [east, north]: [f32; 2]| {
        city.cuboid(floor + vec3(west, south, 0.0), floor + vec3(east, north, SLAB));
    };
    if !well {
        piece([0.0, 0.0], [size.x, size.y]);
        return;
    }
    let (west, east) = (BAY, BAY + STEPS as f32 * RUN);
    let (south, north) = (BAY, BAY + 1.4);
    piece([0.0, 0.0], [size.x, south]);
    piece([0.0, north], [size.x, size.y]);
    piece([0.0, south], [west, north]);
    piece([east, south], [size.x, north]);
}

/// The four outer walls, divided into bays. On the ground floor one bay of each wall is a door.
fn facade(city: &mut MeshBuilder, floor: Vec3, bays: [u32; 2], ground: bool) {
    let (size, axes) = (extent(bays), [Vec3::X, Vec3::Y]);
    for side in 0..2 {
        for number in 0..bays[side] {
            let from = number as f32 * BAY;
            // Walls along y fit between those along x.
            let first = side == 1 && number == 0;
            let last = side == 1 && number + 1 == bays[side];
            let span = [
                if first { from + WALL } else { from },
                if last { from + (BAY - WALL) } else { from + BAY },
            ];
            let door = ground && number == bays[side] / 2;
            for depth in [0.0, size[1 - side] - WALL] {
                bay(city, span, from + 0.8, door, |along, inwards, height| {
                    floor
                        + axes[side] * along
                        + axes[1 - side] * (depth + inwards)
                        + Vec3::Z * height
                });
            }
        }
    }
}

/// One bay: a pier up to `window`, then a lintel and, unless it is a door, a sill.
fn bay(
    city: &mut MeshBuilder,
    [start, end]: [f32; 2],
    window: f32,
    door: bool,
    place: impl Fn(f32, f32, f32) -> Vec3,
) {
    let mut part = |from, to, bottom, top| {
        city.cuboid(place(from, 0.0, bottom), place(to, WALL, top));
    };
    part(start, window, SLAB, STOREY);
    part(window, end, 2.4, STOREY);
    if !door {
        part(window, end, SLAB, 1.1);
    }
}

fn columns(city: &mut MeshBuilder, floor: Vec3, bays: [u32; 2]) {
    for y in (3..bays[1]).step_by(2) {
        for x in (2..bays[0]).step_by(2) {
            let at = floor + vec3(x as f32 * BAY, y as f32 * BAY, SLAB);
            city.cuboid(at, at + vec3(0.4, 0.4, STOREY - SLAB));
        }
    }
}

/// The square with benches and bollards.
fn square(city: &mut MeshBuilder, corner: Vec3, rng: &mut Rng) {
    for row in 0..6 {
        for column in 0..6 {
            let at = corner
                + vec3(column as f32 * 4.5 + rng.range_f32(0.5, 2.0), row as f32 * 4.5 + 1.0, 0.0);
            if rng.below(2) == 0 {
                city.cuboid(at, at + vec3(1.8, 0.5, 0.45));
            } else {
                city.cuboid(at, at + vec3(0.3, 0.3, 1.0));
            }
        }
    }
}
