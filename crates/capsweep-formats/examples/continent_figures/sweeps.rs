//! Sweeps in the whole continent, and in a scene of only the nine tiles around.

use crate::parts::{map, over, print};
use capsweep::scene::{Filter, Scene};
use capsweep::{Aabb, Capsule, Motion};
use capsweep_testkit::Rng;
use capsweep_testkit::continent::{Continent, ContinentOptions, TILE_EDGE, TileId, TileKind};
use glam::{DVec3, dvec3};
use std::error::Error;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

/// Queries of one kind around one tile.
const QUERIES: usize = 4_000;
/// Tiles around which sweeps are measured.
const TILES: usize = 5;
/// Rounds; the fastest counts, because other processes only ever slow one down.
const ROUNDS: usize = 12;

/// A kind of sweep: its name and its motion.
type Kind = (&'static str, fn(&mut Rng) -> DVec3);

const KINDS: [Kind; 4] = [
    ("step", |rng| level(rng) * 0.13),
    ("dash", |rng| level(rng) * 5.0),
    ("drop", |_| DVec3::Z * -2.0),
    ("long", |rng| level(rng) * 50.0),
];

fn level(rng: &mut Rng) -> DVec3 {
    rng.direction().with_z(0.0).normalize_or(DVec3::X)
}

pub(crate) fn run(folder: &Path) -> Result<(), Box<dyn Error>> {
    let continent = Continent::new(&ContinentOptions::FULL);
    let map = map(folder)?;
    let mut sums = [[0.0; 2]; KINDS.len()];
    for tile in centres(&continent) {
        let nine = nine_tiles(map.scene(), tile)?;
        let mut rng = Rng::new(&[5, u64::from(tile.row), u64::from(tile.column)]);
        let standing = standing(&nine, tile, &mut rng)?;
        for (kind, (_, motion)) in KINDS.iter().enumerate() {
            let motions = standing.iter().map(|_| Motion::new(motion(&mut rng)));
            let motions = motions.collect::<Result<Vec<_>, _>>()?;
            let mut best = [f64::INFINITY; 2];
            // Turn about, so that both scenes meet the same load.
            for _ in 0..ROUNDS {
                for (scene, best) in [map.scene(), &nine].into_iter().zip(&mut best) {
                    *best = best.min(seconds(scene, &standing, &motions));
                }
            }
            for (sum, best) in sums[kind].iter_mut().zip(best) {
                *sum += best * 1e9 / (QUERIES * TILES) as f64;
            }
        }
    }
    for ((name, _), [all, nine]) in KINDS.iter().zip(sums) {
        print(&format!("{name}_all"), all);
        print(&format!("{name}_ratio"), all / nine);
    }
    Ok(())
}

/// Seconds that the sweeps of all capsules take.
fn seconds(scene: &Scene, capsules: &[Capsule], motions: &[Motion]) -> f64 {
    let start = Instant::now();
    for (capsule, motion) in capsules.iter().zip(motions) {
        black_box(scene.sweep(capsule, motion, &Filter::default()));
    }
    start.elapsed().as_secs_f64()
}

/// Tiles of hills whose neighbours are all of the continent.
fn centres(continent: &Continent) -> Vec<TileId> {
    let is_inner = |id: &&TileId| {
        let around =
            |dr: u32, dc: u32| TileId { row: id.row + dr - 1, column: id.column + dc - 1 };
        (0..9).all(|k| continent.tiles.contains(&around(k / 3, k % 3)))
            && continent.tile_kind(**id) == TileKind::Hills
    };
    let inner: Vec<TileId> = continent.tiles.iter().filter(is_inner).copied().collect();
    inner.iter().step_by(inner.len() / TILES).take(TILES).copied().collect()
}

/// A scene of the bodies that reach into the nine tiles around one.
fn nine_tiles(scene: &Scene, tile: TileId) -> Result<Scene, Box<dyn Error>> {
    // A yard less than the border: neighbours touch it.
    let reach = dvec3(1.5 * TILE_EDGE - 1.0, 1.5 * TILE_EDGE - 1.0, 3_000.0);
    let around = Aabb::new(over(tile) - reach, over(tile) + reach)?;
    let mut found = Vec::new();
    scene.bodies_seen_in(&around, &Filter::default(), &mut found);
    let mut nine = Scene::new();
    let bodies = found.iter().map(|id| scene.body(*id).cloned()).collect::<Result<Vec<_>, _>>()?;
    nine.edit(|edit| {
        for body in bodies {
            edit.insert(body);
        }
    });
    Ok(nine)
}

/// Capsules in the middle tile, 2 cm above what is below them.
fn standing(scene: &Scene, tile: TileId, rng: &mut Rng) -> Result<Vec<Capsule>, Box<dyn Error>> {
    let reach = 0.5 * TILE_EDGE;
    let mut capsules = Vec::with_capacity(QUERIES);
    while capsules.len() < QUERIES {
        let at = over(tile) + dvec3(rng.range(-reach, reach), rng.range(-reach, reach), 0.0);
        let above = Capsule::from_feet(at, DVec3::Z, 0.4, 1.8)?;
        let fall = Motion::new(DVec3::Z * -1_500.0)?;
        let Some(hit) = scene.sweep(&above, &fall, &Filter::default()) else { continue };
        let feet = at - DVec3::Z * (hit.distance - 0.02);
        capsules.push(Capsule::from_feet(feet, DVec3::Z, 0.4, 1.8)?);
    }
    Ok(capsules)
}
