use crate::args::WalkArgs;
use crate::course::{self, Course, Ferry};
use crate::output::{self, Format, Outcome, escape};
use crate::picture::{self, Picture};
use crate::trace::{self, Head};
use crate::walk::leg::Leg;
use crate::walk::report::{LegReport, reports};
use crate::walk::route::route;
use crate::walk::script::Script;
use crate::walk::table::{rounded, table};
use crate::walk::walker::{Tick, Walker};
use crate::{load, outputs, progress};
use anyhow::{Context, Result};
use capsweep::controller::{CharacterState, Controller, Locomotion};
use capsweep_formats::Level;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub(crate) fn walk(args: &WalkArgs, format: Format) -> Result<Outcome> {
    // Asked for in vain is better known before the walk than after.
    for file in &args.picture {
        picture::check(file)?;
    }
    let inputs: Vec<&Path> = args.scene.iter().chain(&args.script).map(PathBuf::as_path).collect();
    let written: Vec<&Path> =
        args.trace.iter().chain(&args.picture).map(PathBuf::as_path).collect();
    outputs::check(&inputs, &written)?;
    let walk = Walk::plan(args)?;
    let started = Instant::now();
    let ticks = walk.make()?;
    let took = started.elapsed();
    let controller = walk.locomotion.controller();
    let reports = reports(&walk.legs, &ticks, controller, &walk.level.names);
    let fingerprint = trace::fingerprint(&walk.level.scene);
    if let Some(file) = &args.trace {
        let head = Head::new(&walk.name, &fingerprint, ticks.len());
        trace::write(file, &head, ticks.iter().map(|tick| &tick.step))?;
    }
    for file in &args.picture {
        let bar = progress::spinner(format!("drawing {}", file.display()));
        let picture = Picture {
            name: &walk.name,
            level: &walk.level,
            controller,
            ticks: &ticks,
            reports: &reports,
        };
        let written = picture.write(file);
        bar.finish_and_clear();
        written.with_context(|| format!("cannot write {}", file.display()))?;
    }
    let summary = Summary::new(&walk, fingerprint, &ticks, &reports);
    match format {
        Format::Text => output::say(&summary.text(took))?,
        Format::Json => output::say_json(&summary)?,
    }
    Ok(Outcome::Done)
}

/// Everything that a walk needs.
struct Walk {
    name: String,
    level: Level,
    ferry: Option<Ferry>,
    locomotion: Locomotion,
    start: CharacterState,
    legs: Vec<Leg>,
    dt: f64,
}

impl Walk {
    fn plan(args: &WalkArgs) -> Result<Self> {
        let script = args.script.as_deref().map(Script::read).transpose()?;
        let preset = args.character.or(script.as_ref().map(|script| script.character));
        let (config, moving) = preset.unwrap_or_default().configs();
        let locomotion = Locomotion::new(Controller::new(config)?, moving)?;
        let dt = 1.0 / script.as_ref().map_or(60.0, |script| script.rate);
        let (name, level, ferry) = if let Some(path) = &args.scene {
            (file_name(path), load::level(path, &args.how)?, None)
        } else {
            let Course { level, ferry } = Course::new()?;
            (course::NAME.to_owned(), level, Some(ferry))
        };
        let spawn = |feet| {
            let controller = locomotion.controller();
            controller.spawn(feet).context("the start")
        };
        let (start, legs) = match script {
            Some(Script { start: Some(feet), legs, .. }) => (spawn(feet)?, legs),
            None if args.scene.is_none() => (spawn(course::START)?, course::legs()),
            Some(Script { legs, .. }) if args.scene.is_none() => (spawn(course::START)?, legs),
            script => {
                let bar = progress::spinner("looking for a way through the level");
                let found = route(&level.scene, &locomotion, dt);
                bar.finish_and_clear();
                let found = found?;
                (found.start, script.map_or(found.legs, |script| script.legs))
            }
        };
        Ok(Self { name, level, ferry, locomotion, start, legs, dt })
    }

    fn make(&self) -> Result<Vec<Tick>> {
        let mut walker = Walker::new(self.locomotion, self.start, self.dt);
        walker.ferry.clone_from(&self.ferry);
        let mut scene = self.level.scene.clone();
        let mut ticks = Vec::new();
        for (number, leg) in self.legs.iter().enumerate() {
            walker.walk(&mut scene, number, leg, &mut ticks)?;
        }
        Ok(ticks)
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

#[derive(Serialize)]
struct Summary<'a> {
    scene: &'a str,
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
}

impl<'a> Summary<'a> {
    fn new(walk: &'a Walk, fingerprint: String, ticks: &[Tick], legs: &'a [LegReport]) -> Self {
        let scene = &walk.level.scene;
        let meshes = scene.bodies().filter_map(|(_, body)| body.instance());
        let config = walk.locomotion.controller().config();
        Self {
            scene: &walk.name,
            fingerprint,
            bodies: scene.bodies().count(),
            triangles: meshes.map(|(mesh, _)| mesh.triangle_count() as usize).sum(),
            radius: config.radius,
            total_height: config.total_height,
            moves: ticks.len(),
            seconds: legs.iter().map(|leg| leg.seconds).sum(),
            asked: legs.iter().map(|leg| leg.asked).sum(),
            achieved: legs.iter().map(|leg| leg.achieved).sum(),
            legs,
        }
    }

    fn text(&self, took: Duration) -> String {
        let Self { scene, bodies, triangles, moves, .. } = self;
        let scene = escape::name(scene);
        let things = if *bodies == 1 { "body" } else { "bodies" };
        format!(
            "{scene}: {triangles} triangles in {bodies} {things}; a walker {} m tall and {} m wide\n\n{}\n\n\
             {} m of {} m that were asked for, in {} s; {moves} moves took {} ms",
            self.total_height,
            2.0 * self.radius,
            table(self.legs),
            rounded(self.achieved, 1),
            rounded(self.asked, 1),
            rounded(self.seconds, 1),
            rounded(took.as_secs_f64() * 1e3, 1),
        )
    }
}
