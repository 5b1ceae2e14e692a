//! Runs `capsweep walk`: plans a walk, makes it, writes its trace, pictures and report.

use crate::area::Area;
use crate::args::WalkArgs;
use crate::claims::record;
use crate::course::{self, Course, Platform};
use crate::output::{self, Format, Outcome, count, escape, rounded};
use crate::picture::{self, Picture};
use crate::trace::{self, Head};
use crate::walk::character::{Character, Tick};
use crate::walk::leg::Leg;
use crate::walk::report::{LegReport, reports};
use crate::walk::route::find_route;
use crate::walk::script::{Preset, Script};
use crate::walk::start::start_at;
use crate::walk::table::table;
use crate::{load, overwrite, parse, progress};
use anyhow::{Context, Result};
use capsweep::controller::{CharacterState, Controller, Locomotion};
use capsweep::persist::MapUnit;
use capsweep_formats::Level;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub(crate) fn walk(args: &WalkArgs, format: Format) -> Result<Outcome> {
    // Bad outputs are errors before the walk, not after it.
    for file in &args.picture {
        picture::check(file)?;
    }
    let inputs: Vec<&Path> = args.scene.iter().chain(&args.script).map(PathBuf::as_path).collect();
    let outputs: Vec<&Path> =
        args.trace.iter().chain(&args.claims).chain(&args.picture).map(PathBuf::as_path).collect();
    overwrite::check(&inputs, &outputs)?;
    let walk = Walk::new(args)?;
    let started = Instant::now();
    let ticks = walk.run()?;
    let took = started.elapsed();
    let controller = walk.locomotion.controller();
    let reports = reports(&walk.legs, &ticks, controller, &walk.level);
    let fingerprint = trace::fingerprint(&walk.level);
    if let Some(file) = &args.trace {
        let head = Head::new(&walk.name, &fingerprint, ticks.len());
        trace::write(file, &head, ticks.iter().map(|tick| &tick.record))?;
    }
    if let Some(file) = &args.claims {
        record::write(file, (&walk.level.scene, controller), &walk.legs, &ticks)?;
    }
    let feet = ticks.iter().map(|tick| controller.feet(&tick.record.outcome.state));
    let area = walk.area.around(feet)?;
    for file in &args.picture {
        let bar = progress::spinner(format!("drawing {}", file.display()));
        let picture = Picture {
            name: &walk.name,
            level: &walk.level,
            area,
            controller,
            ticks: &ticks,
            reports: &reports,
        };
        let written = picture.write(file);
        bar.finish_and_clear();
        written.with_context(|| format!("cannot write {}", file.display()))?;
    }
    let summary = Summary::new(&walk, fingerprint, &ticks, &reports);
    output::print(format, &summary, || summary.text(took))?;
    Ok(Outcome::Done)
}

/// The inputs of a walk.
struct Walk {
    name: String,
    level: Level,
    area: Area,
    platform: Option<Platform>,
    locomotion: Locomotion,
    start: CharacterState,
    legs: Vec<Leg>,
    /// Seconds per move.
    dt: f64,
}

impl Walk {
    fn new(args: &WalkArgs) -> Result<Self> {
        let script = args.script.as_deref().map(Script::read).transpose()?;
        let asked_start = args.start.as_deref().map(parse::start).transpose()?;
        let (name, level, platform) = if let Some(path) = &args.scene {
            (file_name(path), load::level(path, &args.file_args)?, None)
        } else {
            let Course { level, platform } = Course::new()?;
            (course::NAME.to_owned(), level, Some(platform))
        };
        let of_script = script.as_ref().and_then(|script| script.start);
        let area = Area::new(&level, asked_start.or(of_script))?;
        let preset = args.character.or(script.as_ref().and_then(|script| script.character));
        let preset = preset.unwrap_or_else(|| Preset::for_unit(area.unit));
        let (config, locomotion) = preset.configs();
        let locomotion = Locomotion::new(Controller::new(config)?, locomotion)?;
        let controller = locomotion.controller();
        let dt = 1.0 / script.as_ref().map_or(60.0, |script| script.rate);
        let spawn = |feet| controller.spawn(feet).context("the start");
        let (start, legs) = match (script, asked_start) {
            (Some(Script { legs, .. }), Some(at)) => {
                (start_at(&level.scene, controller, at, area.unit)?, legs)
            }
            (Some(Script { start: Some(feet), legs, .. }), None) => (spawn(feet)?, legs),
            (None, None) if args.scene.is_none() => (spawn(course::START)?, course::legs()),
            (Some(Script { legs, .. }), None) if args.scene.is_none() => {
                (spawn(course::START)?, legs)
            }
            (script, asked_start) => {
                let bar = progress::spinner("searching for a route through the level");
                let found = find_route(&level.scene, (&area, asked_start), &locomotion, dt);
                bar.finish_and_clear();
                let found = found?;
                (found.start, script.map_or(found.legs, |script| script.legs))
            }
        };
        Ok(Self { name, level, area, platform, locomotion, start, legs, dt })
    }

    fn run(&self) -> Result<Vec<Tick>> {
        let mut character = Character::new(self.locomotion, self.start, self.dt);
        character.platform.clone_from(&self.platform);
        character.walk(&mut self.level.scene.clone(), &self.legs)
    }
}

pub(super) fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Triangles of all bodies. Those of a map were counted when it was imported.
fn triangle_count(level: &Level) -> usize {
    if let Some(map) = &level.map {
        let counts = &map.notes().counts;
        return (counts.terrain_triangles + counts.placed_triangles) as usize;
    }
    let meshes = level.scene.bodies().filter_map(|(_, body)| body.instance());
    meshes.map(|(mesh, _)| mesh.triangle_count() as usize).sum()
}

/// The report on a walk: the keys of `walk --json`.
#[derive(Serialize)]
struct Summary<'a> {
    scene: &'a str,
    unit: &'static str,
    fingerprint: String,
    bodies: usize,
    triangles: usize,
    radius: f32,
    total_height: f32,
    moves: usize,
    seconds: f64,
    asked: f64,
    achieved: f64,
    legs: &'a [LegReport],
    #[serde(skip)]
    lengths: MapUnit,
}

impl<'a> Summary<'a> {
    fn new(walk: &'a Walk, fingerprint: String, ticks: &[Tick], legs: &'a [LegReport]) -> Self {
        let config = walk.locomotion.controller().config();
        Self {
            scene: &walk.name,
            unit: walk.area.unit.symbol(),
            fingerprint,
            bodies: load::body_count(&walk.level),
            triangles: triangle_count(&walk.level),
            radius: config.radius,
            total_height: config.total_height,
            moves: ticks.len(),
            seconds: legs.iter().map(|leg| leg.seconds).sum(),
            asked: legs.iter().map(|leg| leg.asked).sum(),
            achieved: legs.iter().map(|leg| leg.achieved).sum(),
            legs,
            lengths: walk.area.unit,
        }
    }

    fn text(&self, took: Duration) -> String {
        let Self { scene, unit, bodies, triangles, moves, .. } = self;
        let scene = escape::name(scene);
        let bodies = count(*bodies, "body", "bodies");
        format!(
            "{scene}: {triangles} triangles in {bodies}; \
             a walker {} {unit} tall and {} {unit} wide\n\n\
             {}\n\n\
             {} {unit} of {} {unit} that were asked for, in {} s; {moves} moves took {} ms",
            self.total_height,
            2.0 * self.radius,
            table(self.legs, self.lengths),
            rounded(self.achieved, 1),
            rounded(self.asked, 1),
            rounded(self.seconds, 1),
            rounded(took.as_secs_f64() * 1e3, 1),
        )
    }
}
