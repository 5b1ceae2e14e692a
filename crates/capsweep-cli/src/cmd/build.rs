//! Runs `capsweep build`: writes a scene file.

use crate::args::BuildArgs;
use crate::output::{self, Format, Outcome, escape};
use crate::{load, overwrite, progress};
use anyhow::{Context, Result, bail};
use capsweep_formats::scene_file;
use serde::Serialize;

#[derive(Serialize)]
struct Built {
    file: String,
    bytes: u64,
}

pub(crate) fn build(args: &BuildArgs, format: Format) -> Result<Outcome> {
    overwrite::check(&[&args.scene], &[&args.output])?;
    let level = load::level(&args.scene, &args.file_args)?;
    if level.map.is_some() {
        bail!("{} is a map file already: all commands open it", args.scene.display());
    }
    let file = args.output.display().to_string();
    let bar = progress::spinner(format!("writing {file}"));
    let written = scene_file::write(&args.output, &level.scene, &level.names);
    bar.finish_and_clear();
    let bytes = written.with_context(|| format!("cannot write {file}"))?;
    let built = Built { file, bytes };
    output::print(format, &built, || format!("{}: {bytes} bytes", escape::name(&built.file)))?;
    Ok(Outcome::Done)
}
