//! The parts of the measurement, each for a process of its own. They print names and values.

use crate::memory::{megabytes, thread_seconds};
use capsweep::scene::Filter;
use capsweep::{Capsule, Motion, Point};
use capsweep_formats::Limits;
use capsweep_formats::map_file::{self, Map};
use capsweep_formats::server_map::ServerFolders;
use capsweep_formats::server_map::import::{ImportOptions, import_file};
use capsweep_testkit::Rng;
use capsweep_testkit::continent::{
    Continent, ContinentOptions, TILE_EDGE, TileId, TileKind, internal_to_world,
};
use glam::{DVec3, dvec3};
use std::error::Error;
use std::hint::black_box;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

pub(crate) fn print(name: &str, value: f64) {
    println!("{name}\t{value}");
}

fn file(folder: &Path) -> PathBuf {
    folder.join("continent.capsweep")
}

/// Imports the map with a number of threads.
pub(crate) fn import(folder: &Path, threads: usize) -> Result<(), Box<dyn Error>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let (vmaps, maps) = (Some(folder.join("vmaps")), Some(folder.join("maps")));
    let folders = ServerFolders { vmaps, maps };
    let path = file(folder);
    let start = Instant::now();
    let result = pool.install(|| {
        let options = ImportOptions::default();
        let mut last = None;
        import_file(&path, &folders, ContinentOptions::FULL.map, &options, &mut |progress| {
            if last != Some(progress.part) {
                last = Some(progress.part);
                eprintln!("{:?} after {:.1} s", progress.part, start.elapsed().as_secs_f64());
            }
            ControlFlow::Continue(())
        })
    });
    result.map_err(|error| error.to_string())?;
    print(&format!("import_{threads}"), start.elapsed().as_secs_f64());
    let busiest = thread_seconds()?.into_iter().fold(0.0, f64::max);
    print(&format!("busiest_{threads}"), busiest);
    print("import_peak", megabytes("VmHWM")?);
    print("file", std::fs::metadata(path)?.len() as f64 / 1e6);
    Ok(())
}

/// Maps the file of the continent.
#[expect(unsafe_code, reason = "the file is mapped, as servers do")]
pub(crate) fn map(folder: &Path) -> Result<Map, Box<dyn Error>> {
    let limits = Limits { bytes: u64::MAX, ..Limits::default() };
    // SAFETY: No process writes into the file while this one runs.
    Ok(unsafe { map_file::open_mapped(file(folder), &limits) }?)
}

/// Opens the file.
pub(crate) fn open(folder: &Path) -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    let map = map(folder)?;
    print("open", start.elapsed().as_secs_f64() * 1e3);
    print("resident", megabytes("VmRSS")?);
    drop(map);
    Ok(())
}

/// The middle of a tile, high over the ground.
pub(crate) fn over(tile: TileId) -> DVec3 {
    let half = |number: u32| (f64::from(number) + 0.5) * TILE_EDGE;
    internal_to_world(dvec3(half(tile.row), half(tile.column), 900.0))
}

/// The first sweep in each of many tiles: it reads terrain and models.
pub(crate) fn touch(folder: &Path) -> Result<(), Box<dyn Error>> {
    let continent = Continent::new(&ContinentOptions::FULL);
    let map = map(folder)?;
    let hills = continent.tiles.iter().filter(|id| continent.tile_kind(**id) == TileKind::Hills);
    let mut times = Vec::new();
    for (number, tile) in hills.step_by(7).take(60).enumerate() {
        let capsule = Capsule::from_feet(over(*tile), DVec3::Z, 0.4, 1.8)?;
        let fall = Motion::new(DVec3::Z * -1_000.0)?;
        let start = Instant::now();
        black_box(map.scene().sweep(&capsule, &fall, &Filter::default()));
        times.push(start.elapsed().as_secs_f64() * 1e3);
        if number == 8 {
            print("resident_touched", megabytes("VmRSS")?);
        }
    }
    times.sort_by(f64::total_cmp);
    print("touch_median", times[times.len() / 2]);
    print("touch_worst", times[times.len() - 1]);
    Ok(())
}

/// `liquid_at` on land, in the sea, in the lake and in a cellar.
pub(crate) fn liquids(folder: &Path) -> Result<(), Box<dyn Error>> {
    let continent = Continent::new(&ContinentOptions::FULL);
    let map = map(folder)?;
    let mut rng = Rng::new(&[7]);
    let around = |kind: TileKind, rng: &mut Rng, depth: f64| -> Vec<DVec3> {
        let tiles = continent.tiles.iter().filter(|id| continent.tile_kind(**id) == kind);
        let tiles: Vec<DVec3> = tiles.take(40).map(|id| over(*id)).collect();
        let reach = 0.49 * TILE_EDGE;
        (0..20_000)
            .map(|k| {
                let (x, y) = (rng.range(-reach, reach), rng.range(-reach, reach));
                let at = tiles[k % tiles.len()];
                dvec3(at.x + x, at.y + y, depth)
            })
            .collect()
    };
    let near = |name: &str, local: DVec3, rng: &mut Rng| -> Vec<DVec3> {
        let model = continent.models.iter().position(|entry| entry.name == name);
        let placed = continent.placements.iter().find(|p| Some(p.model) == model);
        let Some(placed) = placed else { return Vec::new() };
        let transform = placed.transform();
        let mut jitter = || dvec3(rng.range(-2.0, 2.0), rng.range(-2.0, 2.0), 0.0);
        (0..20_000).map(|_| transform.to_world(local + jitter())).collect()
    };
    for (name, points) in [
        ("liquid_land", around(TileKind::Hills, &mut rng, 30.0)),
        ("liquid_sea", around(TileKind::Ocean, &mut rng, -5.0)),
        ("liquid_lake", near("Lakebridge.wmo", dvec3(15.0, 5.0, -3.0), &mut rng)),
        ("liquid_cellar", near("House.wmo", dvec3(0.0, 0.0, -4.0), &mut rng)),
    ] {
        let points = points.into_iter().map(Point::new).collect::<Result<Vec<_>, _>>()?;
        let mut best = f64::INFINITY;
        // The first round touches the tiles.
        for _ in 0..6 {
            let start = Instant::now();
            for point in &points {
                black_box(map.scene().liquid_at(point));
            }
            best = best.min(start.elapsed().as_secs_f64() * 1e9 / points.len() as f64);
        }
        print(name, best);
    }
    Ok(())
}
