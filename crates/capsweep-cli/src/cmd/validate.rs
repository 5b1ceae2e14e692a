//! Runs `capsweep validate`: judges a log of claims, prints the verdicts, draws the alarms.

use super::walk::file_name;
use crate::args::{CharacterArgs, ValidateArgs, WaterArg};
use crate::claims::chain::Rules;
use crate::claims::judge;
use crate::claims::log::Log;
use crate::claims::report::Reporter;
use crate::claims::ways::Ways;
use crate::course::{self, Course};
use crate::output::{self, Format, Outcome};
use crate::picture::{self, ClaimPicture};
use crate::walk::script::Preset;
use crate::{load, overwrite, parse, progress};
use anyhow::{Context, Result, bail};
use capsweep::SlopeLimit;
use capsweep::controller::{Controller, Locomotion, Water};
use capsweep::persist::MapUnit;
use capsweep::validate::{Allowances, SpeedLimits, Validator, ValidatorConfig};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Instant;

pub(crate) fn validate(args: &ValidateArgs, format: Format) -> Result<Outcome> {
    // Bad outputs are errors before the work, not after it.
    for file in &args.picture {
        picture::check_sheet(file)?;
    }
    let centre = args.centre.as_deref().map(parse::centre).transpose()?;
    let is_file = |path: &&PathBuf| path.as_path() != Path::new("-");
    let inputs: Vec<&Path> = args
        .level
        .iter()
        .chain(Some(&args.claims).filter(is_file))
        .map(PathBuf::as_path)
        .collect();
    let outputs: Vec<&Path> = args.picture.iter().map(PathBuf::as_path).collect();
    overwrite::check(&inputs, &outputs)?;
    if args.level.is_none() && is_level(&args.claims) {
        bail!("{} is a level: give the log of claims, too", args.claims.display());
    }
    let (name, level) = match &args.level {
        Some(path) => (file_name(path), load::level(path, &args.file_args)?),
        None => (course::NAME.to_owned(), Course::new()?.level),
    };
    let unit = load::unit(&level);
    let rules = rules(args, unit)?;
    let mut log = Log::new(rules, level);
    let mut ways = (!args.picture.is_empty()).then(Ways::default);
    let reporter = Reporter { format, unit, brief: args.brief };
    let started = Instant::now();
    let summary = judge(&args.claims, &mut log, &reporter, ways.as_mut())?;
    output::print_summary(&summary.text(started.elapsed()));
    if let Some(mut ways) = ways {
        ways.finish();
        let controller = rules.validator.locomotion().controller();
        let level = log.level();
        let picture = ClaimPicture {
            name: &name,
            level,
            controller,
            ways,
            summary: &summary,
            reporter,
            centre,
        };
        for file in &args.picture {
            let bar = progress::spinner(format!("drawing {}", file.display()));
            let written = picture.write(file);
            bar.finish_and_clear();
            written.with_context(|| format!("cannot write {}", file.display()))?;
        }
    }
    Ok(match (summary.errors, summary.impossible()) {
        (0, 0) => Outcome::Done,
        (0, _) => Outcome::Impossible,
        _ => Outcome::SomeErrors,
    })
}

/// Whether a file name is that of a level. One name alone is a log in the built-in course.
fn is_level(path: &Path) -> bool {
    let extension = path.extension().map(OsStr::to_ascii_lowercase);
    let extension = extension.as_deref().and_then(OsStr::to_str);
    matches!(extension, Some("obj" | "gltf" | "glb" | "capsweep"))
}

fn rules(args: &ValidateArgs, unit: MapUnit) -> Result<Rules> {
    let (locomotion, speeds) = character(&args.character, unit)?;
    let allowances = Allowances {
        position: args.allowances.position,
        latency: args.allowances.latency,
        clock: args.allowances.clock,
    };
    let config = ValidatorConfig { allowances, max_queries: args.max_queries };
    let water = match args.water {
        None => Water::Scene,
        Some(WaterArg::Nowhere) => Water::None,
        Some(WaterArg::Below(surface)) => Water::Plane { surface },
    };
    Ok(Rules {
        validator: Validator::new(locomotion, config)?,
        speeds,
        water,
        world: args.world,
        put_back: args.put_back,
    })
}

/// The rules of movement and the speed limits: those of the preset, changed by flags.
fn character(args: &CharacterArgs, unit: MapUnit) -> Result<(Locomotion, SpeedLimits)> {
    let preset = args.character.unwrap_or_else(|| Preset::for_unit(unit));
    let (mut config, mut locomotion) = preset.configs();
    let mut speeds = preset.speeds();
    for (field, flag) in [
        (&mut config.radius, args.radius),
        (&mut config.total_height, args.height),
        (&mut config.step_offset, args.step),
    ] {
        *field = flag.unwrap_or(*field);
    }
    for (field, flag) in [
        (&mut locomotion.gravity, args.gravity),
        (&mut locomotion.jump_speed, args.jump_speed),
        (&mut locomotion.terminal_speed, args.terminal_speed),
        (&mut speeds.ground, args.ground_speed),
        (&mut speeds.swim, args.swim_speed),
        (&mut speeds.fly, args.fly_speed),
    ] {
        *field = flag.unwrap_or(*field);
    }
    if let Some(degrees) = args.slope {
        config.slope_limit =
            SlopeLimit::from_degrees(degrees).with_context(|| format!("--slope {degrees}"))?;
    }
    if let Some(footing) = args.footing {
        config.footing = footing.into();
    }
    for (flag, speed) in [("ground", speeds.ground), ("swim", speeds.swim), ("fly", speeds.fly)] {
        // A bad speed would otherwise be an error of every start.
        if !(0.0..=1e6).contains(&speed) {
            bail!("--{flag}-speed {speed}: it must be 0 to 1000000");
        }
    }
    Ok((Locomotion::new(Controller::new(config)?, locomotion)?, speeds))
}
