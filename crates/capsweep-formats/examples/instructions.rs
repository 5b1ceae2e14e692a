//! Fixed work for counting instructions: `scripts/instructions` runs it under callgrind.
//!
//! `instructions FILE KIND` makes the same queries in every run: `step`, `dash` and `drop` sweep a
//! capsule; `overlap`, `closest` and `ray` are the other queries; `move-physx` and `move-human`
//! walk characters with a cache each. Only [`measured`] is counted. In place of a file, `terrain`
//! and `field` are hills of 160 000 triangles, as a mesh and as a height field.

use capsweep::cache::TriangleCache;
use capsweep::controller::{Controller, ControllerConfig, MoveInput};
use capsweep::scene::{Body, Filter, Pose, Scene};
use capsweep::{Capsule, Limit, Motion, Ray};
use capsweep_formats::LoadOptions;
use capsweep_testkit::height_field::PlainField;
use capsweep_testkit::{Rng, level};
use glam::DVec3;
use std::error::Error;
use std::hint::black_box;
use std::sync::Arc;

/// Sweeps of one run.
const SWEEPS: usize = 2_000;

/// Characters of one run, moves of each, and moves between two changes of heading.
const CHARACTERS: usize = 24;
const MOVES: usize = 240;
const HEADING_MOVES: usize = 40;

/// Gravity in metres per second squared, and the seconds of one move.
const GRAVITY: f64 = 9.81;
const TICK: f64 = 1.0 / 60.0;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, kind] = &arguments[..] else {
        return Err("usage: instructions FILE|terrain|field KIND".into());
    };
    let scene = &match file.as_str() {
        "terrain" => scene_of(Body::mesh(Arc::new(hills().mesh().0), Pose::IDENTITY)?),
        "field" => scene_of(Body::height_field(Arc::new(hills().field()), Pose::IDENTITY)?),
        _ => capsweep_formats::open(file, &LoadOptions::default())?.scene,
    };
    let mut rng = Rng::new(&[2026]);
    let ran = match kind.as_str() {
        "step" => sweeps(scene, &mut rng, |rng| level_direction(rng) * 0.13)?,
        "dash" => sweeps(scene, &mut rng, |rng| rng.direction() * 5.0)?,
        "drop" => sweeps(scene, &mut rng, |_| DVec3::Z * -2.0)?,
        "overlap" => queries(scene, &mut rng, |capsule| {
            black_box(scene.overlaps(capsule, &Filter::default()));
        })?,
        "closest" => {
            let limit = Limit::new(2.0)?;
            queries(scene, &mut rng, |capsule| {
                black_box(scene.closest(capsule, limit, &Filter::default()));
            })?
        }
        "ray" => {
            let rays = Motion::new(DVec3::new(40.0, 20.0, -20.0))?;
            queries(scene, &mut rng, |capsule| {
                let ray = Ray::new(capsule.center(), rays);
                black_box(ray.map(|ray| scene.ray(&ray, &Filter::default()))).ok();
            })?
        }
        "move-physx" => moves(scene, &mut rng, ControllerConfig::physx(DVec3::Z))?,
        "move-human" => moves(scene, &mut rng, ControllerConfig::human(DVec3::Z))?,
        _ => return Err(format!("no such kind of work: {kind}").into()),
    };
    println!("{ran}");
    Ok(())
}

/// Runs the counted work. Never inlined, because callgrind finds it by its name.
#[inline(never)]
fn measured<T>(work: impl FnOnce() -> T) -> T {
    black_box(work())
}

fn level_direction(rng: &mut Rng) -> DVec3 {
    rng.direction().with_z(0.0).normalize_or(DVec3::X)
}

/// Runs [`SWEEPS`] sweeps from standing positions and returns their number.
fn sweeps(
    scene: &Scene,
    rng: &mut Rng,
    motion: impl Fn(&mut Rng) -> DVec3,
) -> Result<usize, Box<dyn Error>> {
    let mut queries = Vec::with_capacity(SWEEPS);
    while queries.len() < SWEEPS {
        let feet = standing_position(scene, rng, 0.4)?;
        let capsule = Capsule::from_feet(feet + DVec3::Z * 0.02, DVec3::Z, 0.4, 1.8)?;
        queries.push((capsule, Motion::new(motion(rng))?));
    }
    let filter = Filter::default();
    measured(|| {
        for (capsule, motion) in &queries {
            black_box(scene.sweep(capsule, motion, &filter));
        }
    });
    Ok(queries.len())
}

/// Runs a query for [`SWEEPS`] capsules near standing positions and returns their number.
fn queries(
    scene: &Scene,
    rng: &mut Rng,
    query: impl Fn(&Capsule),
) -> Result<usize, Box<dyn Error>> {
    let mut capsules = Vec::with_capacity(SWEEPS);
    while capsules.len() < SWEEPS {
        let feet = standing_position(scene, rng, 0.4)? + rng.cube(0.25);
        capsules.push(Capsule::from_feet(feet, DVec3::Z, 0.4, 1.8)?);
    }
    measured(|| capsules.iter().for_each(&query));
    Ok(capsules.len())
}

fn hills() -> PlainField {
    level::terrain_field(200, true)
}

fn scene_of(body: Body) -> Scene {
    let mut scene = Scene::new();
    scene.insert(body);
    scene
}

/// Runs [`MOVES`] moves of each of [`CHARACTERS`] characters and returns the number of moves.
fn moves(scene: &Scene, rng: &mut Rng, config: ControllerConfig) -> Result<usize, Box<dyn Error>> {
    let controller = Controller::new(config)?;
    for _ in 0..CHARACTERS {
        let feet = standing_position(scene, rng, config.radius)?;
        let state = controller.spawn(feet)?;
        let mut headings = Vec::new();
        headings.resize_with(MOVES / HEADING_MOVES, || level_direction(rng) * (5.0 * TICK));
        let mut cache = TriangleCache::new();
        let still = MoveInput::new(Motion::ZERO);
        let mut outcome = controller.move_by(scene, &mut cache, &state, &still);
        let mut fall = 0.0;
        for number in 0..MOVES {
            fall = if outcome.touching.below { 0.0 } else { fall } + GRAVITY * TICK;
            let ahead = headings[number / HEADING_MOVES] - DVec3::Z * (fall * TICK);
            let input = MoveInput::new(Motion::new(ahead)?);
            let state = outcome.state;
            measured(|| controller.move_into(scene, &mut cache, &state, &input, &mut outcome));
        }
    }
    Ok(CHARACTERS * MOVES)
}

/// A random triangle of a mesh or of a height field, in the world.
fn random_triangle(body: &Body, rng: &mut Rng) -> Option<[DVec3; 3]> {
    let corners = if let Some((mesh, _)) = body.instance() {
        mesh.triangle(rng.below(mesh.triangle_count()))?
    } else {
        let (field, _) = body.field_instance()?;
        field.triangle(rng.below(field.triangle_count()))?
    };
    Some(body.pose()?.triangle_to_world(corners))
}

/// A random position on a walkable triangle at which a capsule of `radius` and 1.8 m is free.
fn standing_position(scene: &Scene, rng: &mut Rng, radius: f32) -> Result<DVec3, Box<dyn Error>> {
    let bodies: Vec<&Body> = scene.bodies().map(|(_, body)| body).collect();
    if bodies.is_empty() {
        return Err("the file has no meshes".into());
    }
    for _ in 0..100_000 {
        let body = bodies[rng.below(bodies.len() as u32) as usize];
        let Some([a, b, c]) = random_triangle(body, rng) else { continue };
        if (b - a).cross(c - a).normalize_or_zero().z < 0.8 {
            continue;
        }
        let (mut u, mut v) = (rng.unit(), rng.unit());
        if u + v > 1.0 {
            (u, v) = (1.0 - u, 1.0 - v);
        }
        // High enough above the slope for the round bottom and the skin of both presets.
        let feet = a + (b - a) * u + (c - a) * v + DVec3::Z * 0.12;
        let capsule = Capsule::from_feet(feet, DVec3::Z, radius + 0.1, 1.9)?;
        if !scene.overlaps(&capsule, &Filter::default()) {
            return Ok(feet);
        }
    }
    Err("found no position to stand".into())
}
